/* SPDX-License-Identifier: MIT */
/*
 * Registers that the GuC captured before it reset the engine of a hang: the log in the dump has
 * them. They replace those that the driver read later, or could not read. A capture is of the hang
 * if its context is that of the dump, and if the GuC reported it after an earlier context with that
 * number was gone: numbers and addresses of contexts are used again.
 */
#include "formats/dump.h"

#include "guc/guc.h"

#define WORD_BYTES 64			/* of a key, of a value */
#define CONTEXTS_MOST 64

struct taking {
	struct dump_reading r;
	const struct gsc_view *view;
	const struct gsc_platform *platform;
	struct guc_ct ct;		/* without messages, if the dump has none */
	struct guc_captures captures;
	uint64_t id;			/* the number of the context that hung, if that is said */
	uint64_t lrcas[CONTEXTS_MOST];	/* its address, or several, of one engine or of any (0) */
	uint8_t engines[CONTEXTS_MOST];
	size_t count;
};

static const struct gsc_member *find_member(const struct dump *dump, const char *end)
{
	for (size_t i = 0; i < dump->members.count; i++)
		if (slice_ends(slice_string(dump->members.items[i].name), end))
			return &dump->members.items[i];
	return NULL;
}

/* ---- which capture -------------------------------------------------------------------------- */

static void add_context(struct taking *t, uint64_t lrca, uint8_t engine)
{
	if (t->count < CONTEXTS_MOST) {
		t->lrcas[t->count] = lrca & UINT64_C(0xfffff000);
		t->engines[t->count++] = engine;
	}
}

/* xe says number and address of the context; i915 has images, each of an engine. */
static void find_contexts(struct taking *t)
{
	const struct part *part = t->r.part;
	struct dump_register number = { .value = 0 };

	for (size_t i = 0; i < part->properties.count; i++) {
		const struct part_property *p = &part->properties.items[i];

		if (slice_is(p->key, "GuC ID"))
			slice_number(p->value, &t->id);
		else if (slice_is(p->key, "HW Context Desc") && dump_number(p->value, &number))
			add_context(t, number.value, 0);
	}
	for (size_t i = 0; i < part->dump->buffers.count && t->id == UINT64_MAX; i++)
		if (part->dump->buffers.items[i].kind == GSC_BUFFER_CONTEXT)
			add_context(t, part->dump->buffers.items[i].address,
				    part->dump->buffers.items[i].engine);
}

static bool is_of_hang(const struct taking *t, const struct guc_capture *list, const char *engine)
{
	for (size_t i = 0; i < t->count && (t->id == UINT64_MAX || t->id == list->context); i++)
		if (t->lrcas[i] == list->lrca &&
		    (!t->engines[i] ||
		     slice_is(dump_engine_words(t->r.dump, t->engines[i]), engine)))
			return true;
	return false;
}

/*
 * The dump may blame the engine, and has no registers of its ring; or those that the driver read,
 * which was after the GuC had done so.
 */
static bool needs_capture(const struct part *part, const char *engine)
{
	const struct dump_engine *own = NULL;
	bool blames = false;

	for (size_t i = 0; i < part->dump->engines.count; i++) {
		const struct dump_engine *e = &part->dump->engines.items[i];

		own = strcmp(e->name, engine) ? own : e;
		blames |= e->flags & GSC_BUFFER_HUNG;
	}
	if (own ? blames && !(own->flags & GSC_BUFFER_HUNG) : part->dump->engines.count)
		return false;
	for (size_t i = 0; i < part->properties.count; i++)
		if (slice_is(part->properties.items[i].prefix, engine) &&
		    slice_is(part->properties.items[i].key, "Capture_source"))
			return slice_is(part->properties.items[i].value, "Manual");
	return !own || !(own->flags & GSC_BUFFER_HEAD);
}

/*
 * The list of the engine that hung, or NULL. A user who wants only registers of the GuC gets the
 * newest if none is of the hang.
 */
static const struct guc_capture *choose(const struct taking *t, char engine[ENGINE_NAME],
					uint32_t *base)
{
	const struct guc_capture *lists = t->captures.lists.items, *newest = NULL;
	const struct part *part = t->r.part;
	size_t count = t->captures.lists.count, groups = count ? lists[count - 1].group + 1 : 0;
	bool numbered = part->capture && part->capture != CAPTURE_OF_HANG;

	for (size_t i = count; i-- > 0;) {
		const struct guc_capture *list = &lists[i];

		if (list->type != GUC_CAPTURE_INSTANCE || !guc_engine(t->view, list, engine, base))
			continue;
		newest = newest ? newest : list;
		if (numbered ? list->group + 1 != part->capture : !is_of_hang(t, list, engine))
			continue;
		/* No older one fits if the newest does not. */
		count = t->ct.rings[GUC_RECEIVED].size ? guc_captures_of(&t->ct, list->context) : 1;
		if (numbered || (groups - list->group <= count &&
				 (part->capture || needs_capture(part, engine))))
			return list;
		break;
	}
	return part->capture == CAPTURE_OF_HANG && newest &&
	       guc_engine(t->view, newest, engine, base) ? newest : NULL;
}

/* ---- its registers -------------------------------------------------------------------------- */

/* Those that the driver read of an engine; 0: all. */
static void drop_registers(struct dump *dump, uint8_t engine)
{
	size_t kept = 0;

	for (size_t i = 0; i < dump->registers.count; i++)
		if (engine && dump->registers.items[i].engine != engine)
			dump->registers.items[kept++] = dump->registers.items[i];
	dump->registers.count = kept;
	for (size_t i = 0; i < dump->engines.count; i++)
		if (!engine || i + 1 == engine)
			dump->engines.items[i].flags &= GSC_BUFFER_HUNG;
}

/* "SC_INSTDONE[1][0]", "RING_BUFFER_HEAD", "0x00e4f4[1][0]"; "": it has no name. */
static void set_key(const struct taking *t, uint32_t address, uint32_t flags, char *key)
{
	size_t i = gsc_view_seek(t->view, GSC_MMIO, address);
	struct text text = text_begin(key, WORD_BYTES);
	struct gsc_reg reg = { .name = NULL };

	if (i < gsc_view_count(t->view))
		gsc_view_reg(t->view, i, &reg);
	if (reg.name && reg.space == GSC_MMIO && reg.offset == address)
		text_add(&text, reg.index < 0 ? "%s" : "%s[%d]", reg.name, reg.index);
	else if (GUC_STEERED(flags))
		text_add(&text, "0x%06x", address);
	if (GUC_STEERED(flags))
		text_add(&text, "[%u][%u]", GUC_STEERING_GROUP(flags),
			 GUC_STEERING_INSTANCE(flags));
}

static void add_registers(struct taking *t, const struct guc_capture *list, uint8_t engine,
			  uint32_t base)
{
	char (*words)[2][WORD_BYTES] = part_alloc(t->r.part, (list->count + 1) * sizeof(*words));

	t->r.memory_out |= !words;
	for (size_t i = 0; words && i < list->count; i++, words++) {
		const struct guc_captured *c = &t->captures.registers.items[list->first + i];
		uint32_t address = guc_register_address(t->platform, list, c, base);

		set_key(t, address, c->flags, (*words)[0]);
		string_set((*words)[1], "0x%08x", c->value);
		dump_register(&t->r, &(struct dump_register){
			.key = slice_string((*words)[0]), .text = slice_string((*words)[1]),
			.value = c->value, .engine = engine, .offset = c->offset,
			.relative = list->type == GUC_CAPTURE_INSTANCE,
			.shared = GUC_STEERED(c->flags) });
	}
}

/* If the dump does not show which engine hung, the capture does. */
static void blame(struct taking *t, uint8_t engine)
{
	struct dump *dump = t->r.dump;

	for (size_t i = 0; i < dump->engines.count; i++)
		if (dump->engines.items[i].flags & GSC_BUFFER_HUNG)
			return;
	dump->engines.items[engine - 1].flags |= GSC_BUFFER_HUNG;
	/* xe's are all of one queue. */
	for (size_t i = 0; i < dump->buffers.count && !t->r.part->reader->i915_names; i++)
		dump->buffers.items[i].engine = engine;
	dump_property(&t->r, dump_engine_words(dump, engine), slice_string("blamed"),
		      slice_string("the GuC captured registers of its context there"));
}

static void take(struct taking *t, const struct guc_capture *own, const char *engine,
		 uint32_t base)
{
	struct part *part = t->r.part;
	uint8_t index = dump_engine(&t->r, slice_string(engine));

	drop_registers(t->r.dump, part->capture ? 0 : index);
	for (size_t i = 0; i < t->captures.lists.count; i++) {
		const struct guc_capture *list = &t->captures.lists.items[i];

		/* Other engines that were reset together have their own contexts. */
		if (list->group == own->group && (list == own || list->type != own->type))
			add_registers(t, list, index, base);
	}
	for (size_t i = 0; i < part->properties.count; i++)
		if (slice_is(part->properties.items[i].prefix, engine) &&
		    slice_is(part->properties.items[i].key, "Capture_source"))
			part->properties.items[i].value = slice_string("GuC");
	if (!part->capture)
		blame(t, index);
	t->r.memory_out |= !part_say(part, "", "captured", "%s: from the GuC's capture, before the "
				     "reset%s", engine, own->partial ? "; it had no room for all "
				     "registers" : "");
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum gsc_status dump_capture(struct gsc_source *source, struct part *part,
			     const struct gsc_view *view, const struct gsc_platform *platform,
			     struct gsc_error *err)
{
	struct taking t = { .r = { .source = source, .part = part, .dump = part->dump },
			    .view = view, .platform = platform, .id = UINT64_MAX };
	const struct gsc_member *log = find_member(part->dump, "guc-log.bin");
	const struct gsc_member *ct = find_member(part->dump, "guc-ct.bin");
	struct guc_log_state states[GUC_LOG_PARTS];
	const struct guc_capture *own = NULL;
	struct gsc_error ignored = { 0 };
	char engine[ENGINE_NAME];
	uint32_t base = 0;

	if (log && view && !guc_log_read(states, log->data, (size_t)log->held, &ignored))
		t.r.memory_out = !guc_captures_read(&t.captures, &states[GUC_LOG_CAPTURE],
						    log->data);
	if (t.captures.lists.count && ct &&
	    guc_ct_read(&t.ct, ct->data, (size_t)ct->held, &ignored))
		t.r.memory_out |= err_is_memory(&ignored);
	find_contexts(&t);
	own = t.r.memory_out ? NULL : choose(&t, engine, &base);
	if (own)
		take(&t, own, engine, base);
	guc_captures_free(&t.captures);
	guc_ct_free(&t.ct);
	if (t.r.memory_out)
		return err_memory(err);
	return own || !part->capture ? GSC_OK :
	       err_set(err, GSC_UNKNOWN, part->name, "no such capture of the GuC; to see all: "
		       "gpu-fault --decode guc-capture %s", name_to_paste(part->blob.name));
}
