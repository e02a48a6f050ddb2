/* SPDX-License-Identifier: MIT */
/*
 * The image of a context. From Gen8 on it begins with a status page of the context; then come
 * commands that restore the state: lists of MI_LOAD_REGISTER_IMM for the registers, the rest as it
 * was given. The contents of an earlier save area are the device's own business (snb-p2, 5.8.1);
 * its sizes are known, and any commands in it are decoded.
 */
#include "image/image.h"

#include "batch/batch.h"
#include "db/engine.h"
#include "gtt/context.h"
#include "util/text.h"

#define PAGE 0x1000u
/* Opcodes of MI commands, bits 31:23. */
#define OPCODE(header) ((header) >> 23)
#define MI_BATCH_BUFFER_END 0x0a
/* Of MI_LOAD_REGISTER_IMM. From Gen11 on offsets may count from the engine's own registers. */
#define RELATIVE (1u << 19)
/* The lists begin after a few MI_NOOP. */
#define LEAD 16
/* Noops within commands; more of them end a part. */
#define GAP 4
/* snb-p3, MI_STORE_DATA_INDEX: the per-process status page of Gen6. */
#define GEN6_STATUS_PAGE (28u << 10)

/* ---- lists of registers --------------------------------------------------------------------- */

/* Each engine's registers are in a separate page: whose image it is shows, if nobody has said. */
static bool learn_engine(struct gsc_image *image, struct gsc_image_part *part, uint32_t offset)
{
	const struct gsc_view *view = image->gpu.view;
	struct gsc_engine_place found;
	const char *name;

	for (size_t i = 0; (name = gsc_platform_engine(view->db, view->platform, i, &found)); i++)
		if (found.base == (offset & ~(PAGE - 1)))
			break;
	if (!name || !strcmp(name, image->about.engine))
		return true;
	if (image->engine_given)
		return image_say(image, &part->problem, "registers of %s, not of %s", name,
				 image->about.engine);
	image_engine(image, name);
	image->engine_given = true;
	return true;
}

static bool add_list(struct gsc_image *image, const struct gsc_command *c, uint64_t offset,
		     int index)
{
	bool relative = platform_has(&image->gpu.platform, PROPERTY_ENGINE_OFFSETS) &&
			c->words[0] & RELATIVE;
	struct gsc_image_part *part =
		image_add(image, "MI_LOAD_REGISTER_IMM", index, offset, (uint64_t)c->length * 4);
	enum engine_class class = engine_class_of(image->about.engine);
	uint32_t bits = class == ENGINE_RCS || class == ENGINE_CCS ? 0x7ff : 0x3fff;
	struct gsc_row row;

	if (!part)
		return false;
	if (!relative && c->count > 1 && !learn_engine(image, part, c->words[1] & LOAD_OFFSET))
		return false;
	/*
	 * In an offset that counts from the engine's registers only these bits matter, whatever the
	 * others are: i915 writes the base as well (gt/selftest_lrc.c, get_lri_mask()).
	 */
	if (!platform_has(&image->gpu.platform, PROPERTY_OFFSET_WIDTHS) || class == ENGINE_BCS)
		bits = 0xfff;
	for (unsigned i = 1; i + 1 < c->count; i += 2) {
		uint32_t place = c->words[i] & LOAD_OFFSET;

		if (relative)
			place = image->base + (place & bits);
		image_row(image, place, c->words[i + 1], &row);
		if (!image_add_row(image, &row))
			return false;
	}
	part = &image->parts.items[image->parts.count - 1];
	return image_say(image, &part->text, "%zu register%s%s", part->registers,
			 part->registers == 1 ? "" : "s",
			 relative ? ", offsets are relative to the engine's MMIO base" : "");
}

/* ---- the state as commands ------------------------------------------------------------------ */

struct state {
	struct gsc_image *image;
	size_t begin;			/* dword of the image */
	struct gsc_stream stream;
	size_t from, end;		/* commands not yet reported: dwords of the image */
	int lists, runs;
	bool ended;
};

static bool tell_commands(struct state *s)
{
	struct gsc_image_part *part;

	if (s->from == s->end)
		return true;
	part = image_add(s->image, "COMMANDS", s->runs++, (uint64_t)s->from * 4,
			 (uint64_t)(s->end - s->from) * 4);
	if (part)
		part->commands = true;
	s->from = s->end;
	return part;
}

static bool take_command(struct state *s, const struct gsc_command *c, size_t at)
{
	if (c->count < c->length && c->known)
		image_cut(s->image, (uint64_t)(at + c->length) * 4);
	if (OPCODE(c->words[0]) == MI_LOAD_REGISTER_IMM)
		return tell_commands(s) && add_list(s->image, c, (uint64_t)at * 4, s->lists++);
	if (!c->words[0]) {
		if (at - s->end >= GAP)
			return tell_commands(s);
		return true;
	}
	if (s->from == s->end)
		s->from = at;
	s->end = at + c->count;
	s->ended = OPCODE(c->words[0]) == MI_BATCH_BUFFER_END;
	return !s->ended || tell_commands(s);
}

/* What follows the end command. */
static bool tell_rest(struct state *s)
{
	struct gsc_image *image = s->image;
	size_t at = s->begin + s->stream.at, used = 0;

	if (!s->ended && image->bytes % PAGE)
		image_cut(image, (image->bytes / PAGE + 1) * (uint64_t)PAGE);
	if (!s->ended)
		return image_note(image, "no MI_BATCH_BUFFER_END in the %zu bytes of the image",
				  image->bytes);
	/* A source is read as far as it goes: what follows belongs to nobody. */
	if (image->open_end) {
		image->bytes = MIN(image->bytes, (at * 4 + PAGE - 1) & ~(size_t)(PAGE - 1));
		return true;
	}
	for (size_t i = at; i < image->count; i++)
		used += image->words[i] != 0;
	return at >= image->count ||
	       image_note(image, "the image ends at 0x%zx; %zu dwords after it, %zu not zero",
			  at * 4, image->count - at, used);
}

static bool walk_state(struct gsc_image *image, size_t begin)
{
	struct state s = {
		.image = image,
		.begin = begin,
		.stream = { .set = image->set, .engine_class = image->class,
			    .words = image->words + begin, .count = image->count - begin },
		.from = begin,
		.end = begin,
	};
	struct gsc_command c;
	size_t at = begin;
	bool done = true;

	while (done && !s.ended && gsc_stream_next(&s.stream, &c)) {
		done = take_command(&s, &c, at);
		at = begin + s.stream.at;
		s.stream.engine_class = image->class;
	}
	return done && !image->set->memory_out && tell_commands(&s) && tell_rest(&s);
}

/* Do the lists begin there? */
static bool lists_begin(const struct gsc_image *image, size_t dword)
{
	for (size_t i = dword; i < image->count && i < dword + LEAD; i++)
		if (image->words[i])
			return OPCODE(image->words[i]) == MI_LOAD_REGISTER_IMM;
	return false;
}

/* ---- what it comes to ----------------------------------------------------------------------- */

static bool note_tables(struct gsc_image *image)
{
	uint64_t pointers[4] = { 0 }, low, high;
	struct gsc_root root = { 0 };
	struct gsc_error err;
	char text[160];

	for (int i = 0; i < 4; i++) {
		if (!image_loads(image, "RING_PDP_LDW", i, &low) ||
		    !image_loads(image, "RING_PDP_UDW", i, &high)) {
			if (!i)
				return true;
			continue;
		}
		pointers[i] = high << 32 | low;
	}
	if (root_of_pointers(pointers, 0, &root, &err))
		return true;
	return image_note(image, "page tables: %s, root %s%s", gsc_mode_name(root.mode),
			  gsc_root_text(&root, text, sizeof(text)),
			  pointers[0] ? "" : " (nothing points to tables)");
}

/* ---- before Gen8 ---------------------------------------------------------------------------- */

static bool note_sizes(struct gsc_image *image)
{
	const char *from = "the register";
	struct gsc_field_iter it;
	struct gsc_field field;
	char text[300];
	struct text sizes = text_of(text);
	struct gsc_reg reg;
	uint64_t value;

	if (!image->gpu.source || !image_register(image, "CXT_SIZE", -1, &reg, &value)) {
		from = "the value after reset";
		if (!view_find(image->gpu.view, image->about.engine, "CXT_SIZE", -1, &reg) ||
		    !(reg.flags & GSC_REG_HAS_RESET))
			return true;
		value = reg.reset;
	}
	gsc_reg_fields(image->gpu.view, &reg, value, &it);
	while (gsc_field_next(&it, &field))
		if (field.text && !(field.flags & GSC_FIELD_MBZ))
			text_add(&sizes, ", %s %s", field.name, field.text);
	return image_note(image, "CXT_SIZE 0x%08llx (%s)%s", LL(value), from, text);
}

static bool status_page(struct gsc_image *image, size_t dword)
{
	struct gsc_item *page = &image->item;

	return !view_structure(image->gpu.view, "PER_PROCESS_STATUS_PAGE", page) ||
	       (image_add_fields(image, page->name, IMAGE_NONE, -1, (uint64_t)dword * 4, PAGE) &&
		image_slots(image, IMAGE_NONE, page->name, dword, 0, PAGE / 4));
}

static bool save_area(struct gsc_image *image)
{
	struct gsc_image_part *part;
	bool done = note_sizes(image);

	if (done && lists_begin(image, 0))
		done = walk_state(image, 0);
	else if (done) {
		part = image_add(image, "SAVE_AREA", -1, 0, image->bytes & ~UINT64_C(3));
		done = part && image_say(image, &part->text,
					 "no register list at its beginning: its layout is not "
					 "documented");
	}
	if (done && platform_has(&image->gpu.platform, PROPERTY_CONTEXT_STATUS_PAGE) &&
	    image->bytes > GEN6_STATUS_PAGE)
		done = status_page(image, GEN6_STATUS_PAGE / 4);
	return done;
}

/* ---- the forms ------------------------------------------------------------------------------ */

static bool lrc(struct gsc_image *image, size_t state)
{
	uint64_t start, control, head, tail;

	if (state && !status_page(image, state - PAGE / 4))
		return false;
	if (state > PAGE / 4 &&
	    !image_note(image, "a page of the driver precedes the context; the status page of the "
			"context is at 0x%zx", state * 4 - PAGE))
		return false;
	if (!walk_state(image, state))
		return false;
	if (image_loads(image, "RING_BUFFER_START", -1, &start) &&
	    image_loads(image, "RING_BUFFER_CONTROL", -1, &control) &&
	    image_loads(image, "RING_BUFFER_HEAD", -1, &head) &&
	    image_loads(image, "RING_BUFFER_TAIL", -1, &tail) &&
	    !image_ring_note(image, start, control, head, tail))
		return false;
	return note_tables(image);
}

enum gsc_status image_context(struct gsc_image *image, struct gsc_error *err)
{
	static const size_t places[] = { PAGE / 4, 2 * PAGE / 4, 0 };
	const char *format = image->format ? image->format : "";

	if (*format && strcmp(format, "lrc") && strcmp(format, "state") &&
	    strcmp(format, "pphwsp") && strcmp(format, "probe-list"))
		return err_set(err, GSC_USAGE, "--format",
			       "no context layout %.40s; expected lrc, state, pphwsp or probe-list",
			       format);
	if (!image->count)
		return err_set(err, GSC_FAILED, "context", "there are fewer than 4 bytes");
	if (!strcmp(format, "probe-list") &&
	    !view_structure(image->gpu.view, "SURFACE_PROBE_LIST", &image->item))
		return err_set(err, GSC_USAGE, "--format probe-list",
			       "%s has no probe list (ctg to snb have)", image->gpu.platform.name);
	if (!strcmp(format, "probe-list")) {
		image_cut(image, PAGE);
		for (size_t i = 0; i < PAGE / 4 && i < image->count; i++)
			if (image->words[i] &&
			    !image_add_fields(image, "SLOT", 0, (int)i, i * 4, 4))
				return err_memory(err);
		return image_done(image_note(image, "%zu of %u slots are not zero; registers show "
					     "which of them are valid", image->parts.count,
					     PAGE / 4), err);
	}
	if (!strcmp(format, "pphwsp")) {
		image_cut(image, PAGE);
		return image_done(status_page(image, 0), err);
	}
	if (!platform_has(&image->gpu.platform, PROPERTY_EXECLISTS))
		return image_done(save_area(image), err);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if ((!*format || (places[i] != 0) == !strcmp(format, "lrc")) &&
		    lists_begin(image, places[i]))
			return image_done(lrc(image, places[i]), err);
	return err_set(err, GSC_FAILED, "context",
		       "no image found: there is no MI_LOAD_REGISTER_IMM at 0x1000, at 0x2000 or "
		       "at the beginning%s",
		       image->bytes > PAGE ? "" : "; there is at most one page of data");
}
