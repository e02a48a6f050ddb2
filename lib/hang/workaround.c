/* SPDX-License-Identifier: MIT */
/*
 * Compares registers with what the driver writes into them. A register of a context is taken from
 * the image of the context, if the source has it; otherwise it is the one that is in force now. If
 * the source has the driver's own lists, these settle which workarounds are needed.
 */
#include "hang/workaround.h"

#include "batch/batch.h"
#include "formats/facts.h"
#include "image/image.h"

#include <ctype.h>

/* The context image of an engine; NULL: the source has none. */
struct imaged {
	const char *engine;
	struct gsc_image *image;
};

struct checking {
	struct gsc_workarounds *all;
	const struct gsc_gpu *gpu;
	struct gsc_commands *set;	/* for images */
	VEC(struct imaged) images;
	VEC(uint32_t) open;		/* gsc_reg.def of whitelisted registers, sorted */
	bool named;			/* the driver lists a name of the current workaround */
};

const char *gsc_workaround_word(enum gsc_workaround_state state)
{
	static const char *const words[GSC_WORKAROUND_STATES] = {
		"missing", "different", "maybe", "unchecked", "unreadable", "absent", "unlisted",
		"ok",
	};

	return (unsigned)state < GSC_WORKAROUND_STATES ? words[state] : NULL;
}

/* ---- the driver ------------------------------------------------------------------------------ */

/* Documents of a driver are "i915", "i915-5.10", "xe". */
static bool is_of(const struct gsc_item *item, const char *driver)
{
	size_t length = strlen(driver);

	return item->document && !strncmp(item->document, driver, length) &&
	       (!item->document[length] || item->document[length] == '-');
}

/* The driver of the first workaround that the platform has usually drives it. */
static void choose_driver(struct gsc_workarounds *all, const struct gsc_gpu *gpu)
{
	struct gsc_item w;

	all->assumed = !gpu->source ||
		       !driver_of_source(gpu->source, all->driver, sizeof(all->driver)) ||
		       (strcmp(all->driver, "i915") && strcmp(all->driver, "xe"));
	for (size_t i = 0; all->assumed && gsc_item_at(gpu->view->db, GSC_WORKAROUND, i, &w); i++)
		if (!(w.flags & GSC_REG_USER) && w.document && w.moment != WORKAROUND_OTHER &&
		    gsc_view_sees(gpu->view, w.platforms, &w.revisions)) {
			string_set(all->driver, "%.*s", (int)strcspn(w.document, "-"), w.document);
			break;
		}
}

static int compare_defs(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The registers that the driver lets programs write, whichever engine's programs. */
static bool collect_open(struct checking *c)
{
	const struct gsc_view *view = c->gpu->view;
	struct gsc_reg reg;
	struct gsc_item w;

	for (size_t i = 0; gsc_item_at(view->db, GSC_WORKAROUND, i, &w); i++)
		if (w.moment == WORKAROUND_WHITELIST && is_of(&w, c->all->driver) &&
		    gsc_view_sees(view, w.platforms, &w.revisions) &&
		    view_find(view, NULL, w.reg, w.index, &reg) && !vec_push(&c->open, reg.def))
			return false;
	if (c->open.count)
		qsort(c->open.items, c->open.count, sizeof(*c->open.items), compare_defs);
	return true;
}

/* ---- its own lists --------------------------------------------------------------------------- */

/* "Wa_14011060649" is "14011060649", "Tuning_L3_cache" "Tuning: L3 cache". */
static bool names_same(const char *ours, const char *listed)
{
	ours += strncmp(ours, "Wa_", 3) ? 0 : 3;
	for (;; ours++, listed++) {
		while (*ours == '_')
			ours++;
		while (*listed && !isalnum((unsigned char)*listed) && *listed != ',')
			listed++;
		if (*ours != *listed || !*ours)
			return !*ours && (!*listed || *listed == ',');
	}
}

static bool is_named(struct checking *c, const struct gsc_item *w)
{
	const char *name = w->name;
	bool found = false;

	for (size_t k = 0; name; name = gsc_item_alias(c->gpu->view->db, w, k++, NULL))
		for (size_t i = 0; i < c->all->lists.names.count; i++)
			if (names_same(name, c->all->lists.names.items[i].name))
				found = c->all->lists.names.items[i].known = true;
	return found;
}

/* The address bits that do not count: a slot opens 1, 4, 16 or 64 registers. */
static uint64_t slot_rest(const struct gsc_item *w)
{
	return (UINT64_C(4) << 2 * (w->value & 3)) - 1;
}

/* All bits of a half of a register are in the lists; they are no longer left. */
static bool is_written(struct checking *c, const struct gsc_workaround_check *check, unsigned half)
{
	const struct gsc_item *w = &check->item;
	bool slots = w->moment == WORKAROUND_WHITELIST, found = false;
	uint32_t mask = (uint32_t)(w->mask >> 32 * half), value = (uint32_t)(w->value >> 32 * half);
	uint64_t offset = (check->reg.offset + 4 * half) & ~(slots ? slot_rest(w) : 0);

	for (size_t i = 0; mask && i < c->all->lists.writes.count; i++) {
		struct driver_write *write = &c->all->lists.writes.items[i];

		if (write->when != w->moment || write->offset != offset ||
		    ((slots || w->moment == WORKAROUND_CONTEXT) &&
		     strcmp(write->engine, check->engine)) ||
		    ((write->mask & mask) != mask) || ((write->value ^ value) & mask))
			continue;
		write->left &= ~mask;
		found = true;
	}
	return found || !mask;
}

/* Whether the driver's lists have it; -1: none is of its kind, or one is missing. */
static int is_listed(struct checking *c, const struct gsc_workaround_check *check)
{
	const struct gsc_item *w = &check->item;
	const unsigned *count = c->all->lists.count;
	const unsigned gts = platform_has(&c->gpu->platform, PROPERTY_MEDIA_GT) ? 2 : 1;
	const char *section = w->section ? w->section : "";
	bool by_name = strstr(section, "oob.rules"), found = c->named, complete;
	enum driver_list list = !strncmp(section, "xe_tuning.c", 11) ? LIST_TUNINGS : LIST_NAMES;

	if (!by_name && (count[LIST_WRITES] ||
			 (count[LIST_CONTEXTS] && w->moment == WORKAROUND_CONTEXT))) {
		complete = count[LIST_CONTEXTS] || count[LIST_WRITES] >= gts;
		found = is_written(c, check, 0) & is_written(c, check, 1);
	} else {
		by_name |= list == LIST_TUNINGS || !strncmp(section, "xe_wa.c", 7);
		complete = by_name && count[list] >= gts;
		found &= by_name;
	}
	return w->flags & GSC_REG_USER || (!found && !complete) ? -1 : found;
}

/* ---- values ---------------------------------------------------------------------------------- */

static struct gsc_image *image_of(struct checking *c, const char *engine)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_CONTEXT, .engine = engine,
					     .gpu = c->gpu };
	struct imaged own = { .engine = engine };

	for (size_t i = 0; i < c->images.count; i++)
		if (!strcmp(c->images.items[i].engine, engine))
			return c->images.items[i].image;
	if (gsc_image_new(&own.image, c->set, &options, NULL))
		own.image = NULL;
	if (vec_push(&c->images, own))
		return own.image;
	gsc_image_free(own.image);
	return NULL;
}

/* The last value that the context image of the engine has for the register. */
static bool image_value(struct checking *c, struct gsc_workaround_check *check)
{
	struct gsc_image *image = image_of(c, check->engine);
	struct gsc_image_part part;
	struct gsc_row row;
	bool found = false;

	for (size_t i = 0; image && gsc_image_part(image, i, &part); i++)
		for (size_t k = 0; !part.aside && k < part.registers; k++) {
			gsc_image_register(image, i, k, &row);
			if (row.reg.offset != check->reg.offset || row.part)
				continue;
			check->value = row.value;
			found = true;
		}
	return found;
}

static bool add(struct checking *c, struct gsc_workaround_check *check, enum gsc_read read)
{
	const struct gsc_item *w = &check->item;
	uint64_t wrong = (check->value ^ w->value) & w->mask, page = 0;
	unsigned bits = w->moment == WORKAROUND_WHITELIST ? 32 : check->reg.bits;
	bool ones = check->value == bits_below(bits) && !check->in_image;

	/* Reads return all ones if the device is gone or asleep. Few should have that. */
	check->why = read ? gsc_read_word(read) :
		     ones && w->value != check->value ? "reads all ones" : NULL;
	/* A driver gives each engine that it uses a status page; others are perhaps fused off. */
	if (!check->why && (wrong || ones) && check->reg.engine &&
	    !gpu_read_named(c->gpu, check->reg.engine, "HWS_PGA", -1, NULL, &page) &&
	    (!page || page == UINT32_MAX))
		check->why = page ? "reads all ones" : "no driver uses the engine";
	check->state = check->unlisted	       ? GSC_WORKAROUND_UNLISTED
		       : read == GSC_READ_ABSENT ? GSC_WORKAROUND_ABSENT
		       : check->why	       ? GSC_WORKAROUND_UNREADABLE
		       : !wrong		       ? GSC_WORKAROUND_RIGHT
		       : w->unchecked	       ? GSC_WORKAROUND_UNCHECKED
		       : w->doc		       ? GSC_WORKAROUND_MAYBE
		       : wrong == w->mask || wrong & w->value ? GSC_WORKAROUND_MISSING
							      : GSC_WORKAROUND_DIFFERENT;
	c->all->counts[check->state]++;
	c->all->wrong += check->state <= GSC_WORKAROUND_DIFFERENT;
	return vec_push(&c->all->checks, *check);
}

/* A slot of the engine with the register's address. */
static bool check_slots(struct checking *c, struct gsc_workaround_check *check)
{
	const uint64_t flags = check->item.mask, rest = flags | slot_rest(&check->item);
	enum gsc_read read = GSC_READ_ABSENT;
	struct gsc_reg slot;

	check->no_slot = false;
	for (int i = 0; gpu_find(c->gpu, check->engine, "RING_FORCE_TO_NONPRIV", i, &slot); i++) {
		enum gsc_read now = gsc_gpu_read(c->gpu, &slot, &check->value);

		if (!now && (check->value & ~rest) == (check->reg.offset & ~rest))
			return add(c, check, GSC_READ_OK);
		read = i && !read ? read : now;
	}
	if (read || check->value == UINT32_MAX)
		return add(c, check, read);
	/* As if it had a slot with other access bits. */
	check->value = check->item.value ^ flags;
	check->no_slot = true;
	return add(c, check, GSC_READ_OK);
}

/* On each engine; the register of a whitelist may be that of another engine. */
static bool check_item(struct checking *c, const struct gsc_item *w)
{
	const struct gsc_view *view = c->gpu->view;
	bool slots = w->moment == WORKAROUND_WHITELIST, context = w->moment == WORKAROUND_CONTEXT;
	struct gsc_workaround_check check = { .item = *w };
	struct gsc_engine_place place;
	const char *engine;
	bool done = true;
	int listed;

	c->named = is_named(c, w);

	for (size_t i = 0; done && (engine = gsc_platform_engine(view->db, view->platform, i,
								 &place)); i++) {
		if (!workaround_of_engine(w, place.engine_class, place.instance) ||
		    (!view_find(view, engine, w->reg, w->index, &check.reg) &&
		     !(slots && view_find(view, NULL, w->reg, w->index, &check.reg))))
			continue;
		check.engine = slots || context ? engine : NULL;
		listed = is_listed(c, &check);
		check.item.doc = listed > 0 ? NULL : w->doc;
		check.unlisted = !listed;
		if (context && !check.item.doc && c->open.count &&
		    bsearch(&check.reg.def, c->open.items, c->open.count, sizeof(*c->open.items),
			    compare_defs))
			check.item.doc = "only if no program has changed it, which is allowed";
		check.in_image = context && image_value(c, &check);
		done = slots ? check_slots(c, &check)
			     : add(c, &check, check.in_image ? GSC_READ_OK :
				      gsc_gpu_read(c->gpu, &check.reg, &check.value));
		if (!slots && !check.reg.engine)
			break;
	}
	return done;
}

/* The registers, or bits of them, that the driver lists and no definition has. */
static bool check_unknown(struct checking *c)
{
	bool done = true;

	for (size_t i = 0; done && i < c->all->lists.writes.count; i++) {
		const struct driver_write *write = &c->all->lists.writes.items[i];
		struct gsc_workaround_check check = {
			.item = { .kind = GSC_WORKAROUND, .def = UINT32_MAX, .name = "",
				  .moment = write->when, .when = workaround_words[write->when],
				  .mask = write->left, .value = write->value & write->left },
		};
		bool slots = write->when == WORKAROUND_WHITELIST;

		if (!write->left)
			continue;
		if (!gsc_view_at(c->gpu->view, write->offset, &check.reg))
			check.reg = (struct gsc_reg){ .offset = write->offset, .bits = 32 };
		check.item.reg = check.reg.name ? check.reg.name : "";
		if (slots || write->when == WORKAROUND_CONTEXT)
			check.engine = write->engine;
		check.in_image = write->when == WORKAROUND_CONTEXT && image_value(c, &check);
		done = slots ? check_slots(c, &check)
			     : add(c, &check, check.in_image ? GSC_READ_OK :
				      gsc_gpu_read(c->gpu, &check.reg, &check.value));
	}
	return done;
}

enum gsc_status gsc_workarounds_check(struct gsc_workarounds *all, const struct gsc_gpu *gpu,
				      struct gsc_error *err)
{
	struct checking c = { .all = all, .gpu = gpu };
	enum gsc_status status = gsc_commands_new(&c.set, gpu, err);
	struct gsc_platform platform;
	struct gsc_item w;

	choose_driver(all, gpu);
	if (!status && (!collect_open(&c) ||
			(gpu->source && !driver_lists_read(&all->lists, gpu->source,
					platform_has(&gpu->platform, PROPERTY_MEDIA_GT)))))
		status = err_memory(err);
	for (size_t i = 0; !status && gsc_item_at(gpu->view->db, GSC_WORKAROUND, i, &w); i++)
		if (gsc_view_sees(gpu->view, w.platforms, &w.revisions) &&
		    (is_of(&w, all->driver) || w.flags & GSC_REG_USER) && !check_item(&c, &w))
			status = err_memory(err);
	if (!status && !all->checks.count &&
	    gsc_platform_at(gpu->view->db, gpu->view->platform, &platform))
		status = err_set(err, GSC_UNKNOWN, platform.name, "no workarounds%s%s are known",
				 *all->driver ? " of " : "", all->driver);
	if (!status && !check_unknown(&c))
		status = err_memory(err);
	vec_free(&c.open);
	for (size_t i = 0; i < c.images.count; i++)
		gsc_image_free(c.images.items[i].image);
	vec_free(&c.images);
	gsc_commands_free(c.set);
	return status;
}

void gsc_workarounds_free(struct gsc_workarounds *all)
{
	vec_free(&all->checks);
	vec_free(&all->lists.writes);
	vec_free(&all->lists.names);
}

bool hang_workarounds(const struct gsc_hang *hang, struct gsc_workarounds *all)
{
	*all = (struct gsc_workarounds){ .assumed = true };
	if (!gsc_source_live(hang->gpu->source) &&
	    driver_of_source(hang->gpu->source, all->driver, sizeof(all->driver)) &&
	    !gsc_workarounds_check(all, hang->gpu, NULL) && !all->assumed && all->wrong)
		return true;
	gsc_workarounds_free(all);
	return false;
}
