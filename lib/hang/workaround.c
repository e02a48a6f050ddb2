/* SPDX-License-Identifier: MIT */
/*
 * Compares registers with what the driver writes into them. A register of a context is taken from
 * the image of the context, if the source has it; otherwise it is the one that is in force now.
 */
#include "hang/workaround.h"

#include "batch/batch.h"
#include "formats/facts.h"
#include "image/image.h"

#define ENGINES_MAX 64

struct checking {
	struct gsc_workarounds *all;
	const struct gsc_gpu *gpu;
	struct gsc_commands *set;	/* for images */
	struct gsc_image *images[ENGINES_MAX];	/* of the engines of the platform */
	bool tried[ENGINES_MAX];
	reg_vec regs;			/* of the workaround that is being checked */
};

const char *gsc_workaround_word(enum gsc_workaround_state state)
{
	static const char *const words[GSC_WORKAROUND_STATES] = {
		"missing", "different", "maybe", "unchecked", "unreadable", "absent", "ok",
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

/* The first driver of these that has workarounds for the platform usually drives it. */
static void choose_driver(struct gsc_workarounds *all, const struct gsc_gpu *gpu)
{
	static const char *const drivers[] = { "i915", "xe" };
	struct gsc_item item;

	all->assumed = !gpu->source ||
		       !driver_of_source(gpu->source, all->driver, sizeof(all->driver)) ||
		       (strcmp(all->driver, drivers[0]) && strcmp(all->driver, drivers[1]));
	for (size_t d = 0; all->assumed && d < ARRAY_SIZE(drivers); d++)
		for (size_t i = 0; gsc_item_at(gpu->view->db, GSC_WORKAROUND, i, &item); i++)
			if (is_of(&item, drivers[d]) &&
			    gsc_view_sees(gpu->view, item.platforms, &item.revisions)) {
				string_set(all->driver, "%s", drivers[d]);
				return;
			}
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The last value that the context image of an engine has for a register. */
static bool image_value(struct checking *c, size_t engine, const char *name,
			const struct gsc_reg *reg, uint64_t *value)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_CONTEXT, .engine = name,
					     .gpu = c->gpu };
	struct gsc_image_part part;
	struct gsc_row row;
	bool found = false;

	if (engine >= ENGINES_MAX)
		return false;
	if (!c->tried[engine] && gsc_image_new(&c->images[engine], c->set, &options, NULL))
		c->images[engine] = NULL;
	c->tried[engine] = true;
	for (size_t i = 0; c->images[engine] && gsc_image_part(c->images[engine], i, &part); i++)
		for (size_t k = 0; !part.aside && k < part.registers; k++) {
			gsc_image_register(c->images[engine], i, k, &row);
			if (row.reg.offset != reg->offset || row.part)
				continue;
			*value = row.value;
			found = true;
		}
	return found;
}

/* A driver gives each engine that it uses a status page; the others are perhaps fused off. */
static bool is_unused(const struct checking *c, const struct gsc_reg *reg)
{
	uint64_t page = 0;

	return reg->engine &&
	       !gpu_read_named(c->gpu, reg->engine, "HWS_PGA", -1, NULL, &page) && !page;
}

static enum gsc_workaround_state judge(const struct gsc_workaround_check *check)
{
	const struct gsc_workaround *w = &check->w;
	uint64_t wrong = (check->value ^ w->value) & w->mask;

	return !wrong		    ? GSC_WORKAROUND_RIGHT
	       : w->unchecked	    ? GSC_WORKAROUND_UNCHECKED
	       : check->item.doc    ? GSC_WORKAROUND_MAYBE
	       : wrong == w->mask || wrong & w->value ? GSC_WORKAROUND_MISSING
						      : GSC_WORKAROUND_DIFFERENT;
}

static bool add(struct checking *c, struct gsc_workaround_check *check, enum gsc_read read)
{
	if (read) {
		check->state = read == GSC_READ_ABSENT ? GSC_WORKAROUND_ABSENT
						       : GSC_WORKAROUND_UNREADABLE;
		check->why = gsc_read_word(read);
	} else {
		check->state = judge(check);
	}
	if (check->state < GSC_WORKAROUND_UNREADABLE && is_unused(c, &check->reg)) {
		check->state = GSC_WORKAROUND_UNREADABLE;
		check->why = "no driver uses the engine";
	}
	c->all->counts[check->state]++;
	return vec_push(&c->all->checks, *check);
}

/* ---- one workaround ------------------------------------------------------------------------- */

/* A register in a place of its own, or in a context image. */
static bool check_reg(struct checking *c, struct gsc_workaround_check *check)
{
	const struct gsc_db *db = c->gpu->view->db;
	struct gsc_engine_place place;
	const char *name;

	for (size_t i = 0; check->w.kind == WORKAROUND_CONTEXT &&
	     (name = gsc_platform_engine(db, c->gpu->view->platform, i, &place)); i++) {
		if (check->reg.engine ? strcmp(check->reg.engine, name)
				      : !workaround_of_engine(&check->w, place.engine_class,
							      place.instance))
			continue;
		check->engine = name;
		check->in_image = image_value(c, i, name, &check->reg, &check->value);
		break;
	}
	return add(c, check, check->in_image ? GSC_READ_OK
					     : gsc_gpu_read(c->gpu, &check->reg, &check->value));
}

/* A slot of an engine with the register's address. */
static bool check_slots(struct checking *c, struct gsc_workaround_check *check)
{
	enum gsc_read read = GSC_READ_ABSENT;
	const uint64_t flags = check->w.mask;
	struct gsc_reg slot;
	uint64_t value;

	for (int i = 0; gpu_find(c->gpu, check->engine, "RING_FORCE_TO_NONPRIV", i, &slot); i++) {
		enum gsc_read now = gsc_gpu_read(c->gpu, &slot, &value);

		if (!now && (value & ~flags) == (check->reg.offset & ~flags)) {
			check->value = value;
			return add(c, check, GSC_READ_OK);
		}
		read = i && !read ? read : now;
	}
	/* As if it had a slot with other access bits. */
	check->value = check->w.value ^ check->w.mask;
	check->no_slot = !read;
	return add(c, check, read);
}

/* Each engine of a whitelist; its register may be that of another engine. */
static bool check_whitelist(struct checking *c, struct gsc_workaround_check *check)
{
	const struct gsc_view *view = c->gpu->view;
	struct gsc_engine_place place;
	bool done = true;

	for (size_t i = 0; done && (check->engine = gsc_platform_engine(view->db, view->platform,
									 i, &place)); i++) {
		size_t k = 0;

		if (!workaround_of_engine(&check->w, place.engine_class, place.instance))
			continue;
		check->why = NULL;
		check->no_slot = false;
		while (k + 1 < c->regs.count && !inst_is(view, c->regs.items[k], check->engine,
							 check->w.index))
			k++;
		gsc_view_reg(view, c->regs.items[k], &check->reg);
		done = check_slots(c, check);
	}
	return done;
}

/* Programs may have written it, too. */
static bool is_whitelisted(const struct checking *c, const struct gsc_reg *reg)
{
	const struct gsc_view *view = c->gpu->view;
	struct gsc_item of, item;
	struct gsc_workaround w;

	if (!gsc_item_by_def(view->db, GSC_REGISTER, reg->def, &of))
		return false;
	for (size_t i = 0; gsc_workaround_next(view->db, view, &of, &i, &item, &w);)
		if (w.kind == WORKAROUND_WHITELIST && is_of(&item, c->all->driver))
			return true;
	return false;
}

static bool check_item(struct checking *c, const struct gsc_item *item)
{
	struct gsc_workaround_check check = { .item = *item };
	bool done;

	gsc_item_workaround(c->gpu->view->db, item, &check.w);
	done = workaround_regs(c->gpu->view, &check.w, &c->regs);
	if (done && c->regs.count && check.w.kind == WORKAROUND_WHITELIST)
		return check_whitelist(c, &check);
	for (size_t i = 0; done && i < c->regs.count; i++) {
		gsc_view_reg(c->gpu->view, c->regs.items[i], &check.reg);
		check.in_image = false;
		check.why = NULL;
		if (check.w.kind == WORKAROUND_CONTEXT && !item->doc &&
		    is_whitelisted(c, &check.reg))
			check.item.doc = "only if no program has changed it, which is allowed";
		if (!check.reg.engine || workaround_of_engine(&check.w, check.reg.engine_class,
							      check.reg.engine_instance))
			done = check_reg(c, &check);
	}
	return done;
}

enum gsc_status gsc_workarounds_check(struct gsc_workarounds *all, const struct gsc_gpu *gpu,
				      struct gsc_error *err)
{
	struct checking c = { .all = all, .gpu = gpu };
	enum gsc_status status = gsc_commands_new(&c.set, gpu, err);
	struct gsc_item item;

	choose_driver(all, gpu);
	for (size_t i = 0; !status && gsc_item_at(gpu->view->db, GSC_WORKAROUND, i, &item); i++)
		if (gsc_view_sees(gpu->view, item.platforms, &item.revisions) &&
		    (is_of(&item, all->driver) || item.flags & GSC_REG_USER) &&
		    !check_item(&c, &item))
			status = err_memory(err);
	for (size_t i = 0; i < ENGINES_MAX; i++)
		gsc_image_free(c.images[i]);
	gsc_commands_free(c.set);
	vec_free(&c.regs);
	return status;
}

void gsc_workarounds_free(struct gsc_workarounds *all)
{
	vec_free(&all->checks);
	*all = (struct gsc_workarounds){ .assumed = true };
}

/* ---- of a hang ------------------------------------------------------------------------------- */

const struct gsc_workarounds *gsc_hang_workarounds(struct gsc_hang *hang)
{
	struct gsc_workarounds *all = hang->workarounds;
	struct gsc_error err;
	char driver[32];

	if (!driver_of_source(hang->gpu->source, driver, sizeof(driver)))
		return NULL;
	if (!all) {
		all = hang->workarounds = calloc(1, sizeof(*all));
		if (all && gsc_workarounds_check(all, hang->gpu, &err))
			gsc_workarounds_free(all);
	}
	return all && !all->assumed && gsc_workarounds_wrong(all) ? all : NULL;
}
