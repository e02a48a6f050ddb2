/* SPDX-License-Identifier: MIT */
/*
 * Where translation begins: what the command line says, what the registers of an engine say, and
 * everything that a source says. What was asked without result is remembered, for the message.
 */
#include "db/view.h"
#include "gtt/context.h"
#include "db/resolve.h"
#include "formats/aub.h"
#include "source/source.h"
#include "util/number.h"
#include "util/text.h"
#include "db/words.h"
#include "gtt/gtt.h"

#include <stdio.h>

/* ---- from text ------------------------------------------------------------------------------ */

/* Numbers with `separator` between them, at most as many as there is room for. */
static bool parse_numbers(const char *text, char separator, uint64_t *value, unsigned room,
			  unsigned *count)
{
	for (*count = 0; *count < room; ) {
		const char *end = strchr(text, separator);
		size_t length = end ? (size_t)(end - text) : strlen(text);
		char word[80];

		if (length >= sizeof(word))
			return false;
		memcpy(word, text, length);
		word[length] = 0;
		if (!gsc_parse_number(word, &value[*count]))
			return false;
		++*count;
		if (!end)
			return true;
		text = end + 1;
	}
	return false;
}

enum gsc_status gsc_root_parse(enum gsc_mode mode, const char *text, struct gsc_root *root,
			       struct gsc_error *err)
{
	static const char *const forms[GSC_MODES] = {
		[GSC_MODE_FLAT] = "the value of PGTBL_CTL2",
		[GSC_MODE_2LEVEL] = "the value of PP_DIR_BASE",
		[GSC_MODE_PDP32] = "PDP0,PDP1,PDP2,PDP3",
		[GSC_MODE_PML4] = "PDP0",
		[GSC_MODE_IA32E] = "the physical address of the PML4 table",
		[GSC_MODE_VTD] = "the physical address of the second-level table, and /LEVELS "
				 "unless it has 4",
	};
	char separator = mode == GSC_MODE_VTD ? '/' : ',';
	unsigned least = mode == GSC_MODE_PDP32 ? 4 : 1;
	unsigned most = mode == GSC_MODE_VTD ? 2 : least;

	memset(root, 0, sizeof(*root));
	root->mode = mode;
	if (!forms[mode])
		return err_set(err, GSC_USAGE, text, "mode %s has no root", gsc_mode_name(mode));
	if (parse_numbers(text, separator, root->value, most, &root->count) && root->count >= least)
		return GSC_OK;
	return err_set(err, GSC_USAGE, text, "no root of mode %s: expected %s",
		       gsc_mode_name(mode), forms[mode]);
}

/* ---- asking registers ----------------------------------------------------------------------- */

/* What is asked, and which registers did not say. */
struct inquiry {
	const struct gsc_gpu *gpu;
	const char *engine;
	char text[480];			/* "rcs0.CCID, rcs0.X: not in the source; ..." */
	const char *why;		/* of the names that come last in it, not yet written */
	enum gsc_status status;		/* GSC_UNKNOWN, or something worse on the way */
};

/* "Not permitted" comes before "asleep", and that before "absent". */
static void worsen(struct inquiry *q, enum gsc_status status)
{
	if (status == GSC_DENIED || (status == GSC_GONE && q->status != GSC_DENIED))
		q->status = status;
}

#define tell(q, ...)                                                                               \
	do {                                                                                       \
		if (!string_add((q)->text, __VA_ARGS__))                                           \
			strcpy((q)->text + sizeof((q)->text) - sizeof("..."), "...");              \
	} while (0)

static void end_names(struct inquiry *q)
{
	if (q->why)
		tell(q, ": %s", q->why);
	q->why = NULL;
}

/* Something that exists, and says that there is no root. */
static void useless(struct inquiry *q, const struct gsc_reg *reg, uint64_t value,
		    const char *meaning)
{
	char name[64];

	gsc_reg_full_name(reg, name, sizeof(name));
	end_names(q);
	tell(q, "%s%s 0x%llx: %s", *q->text ? "; " : "", name, LL(value), meaning);
}

static const char *why_not(enum gsc_read status)
{
	switch (status) {
	case GSC_READ_ASLEEP:
		return "asleep";
	case GSC_READ_DENIED:
		return "denied";
	case GSC_READ_SKIPPED:
		return "not read";
	case GSC_READ_ALL_ONES:
		return "reads as all ones";
	case GSC_READ_EXCLUDED:
		return "excluded from the dump";
	default:
		return "not in the source";
	}
}

/* Without a message, for what is only a hint. */
static enum gsc_read get(struct inquiry *q, const char *name, int index, struct gsc_reg *reg,
			 uint64_t *value)
{
	return gpu_read_named(q->gpu, q->engine, name, index, reg, value);
}

/*
 * Also false if the platform has no such register, which needs no message. Names without a result
 * are grouped if the reason is the same.
 */
static bool ask(struct inquiry *q, const char *name, int index, struct gsc_reg *reg,
		uint64_t *value)
{
	enum gsc_read status;
	const char *why;
	char full[64];

	if (!gpu_find(q->gpu, q->engine, name, index, reg))
		return false;
	status = gpu_read(q->gpu, reg, value);
	if (status == GSC_READ_OK)
		return true;
	gsc_reg_full_name(reg, full, sizeof(full));
	why = why_not(status);
	if (q->why && !strcmp(q->why, why)) {
		tell(q, ", %s", full);
	} else {
		end_names(q);
		tell(q, "%s%s", *q->text ? "; " : "", full);
		q->why = why;
	}
	worsen(q, gsc_read_status(status));
	return false;
}

static void found_in(struct gsc_root *root, const struct gsc_reg *reg)
{
	gsc_reg_full_name(reg, root->from, sizeof(root->from));
}

static void one_value(struct gsc_root *root, enum gsc_mode mode, uint64_t value)
{
	root->mode = mode;
	root->value[0] = value;
	root->count = 1;
}

/* ---- Gen4 to Gen7 --------------------------------------------------------------------------- */

static bool flat_root(struct inquiry *q, struct gsc_root *root)
{
	struct gsc_reg reg;
	uint64_t value;

	if (!ask(q, "PGTBL_CTL2", -1, &reg, &value))
		return false;
	if (!(value & 1)) {
		useless(q, &reg, value, "the per-process table is off");
		return false;
	}
	found_in(root, &reg);
	one_value(root, GSC_MODE_FLAT, value);
	return true;
}

/*
 * On Gen6 only one engine has GFX_MODE, and it says for all whether there are per-process tables.
 */
static bool process_tables_off(struct inquiry *q)
{
	struct inquiry render = *q;
	struct gsc_reg reg;
	uint64_t value;

	if (!gpu_find(q->gpu, q->engine, "GFX_MODE", -1, &reg))
		render.engine = "rcs0";
	if (get(&render, "GFX_MODE", -1, &reg, &value) != GSC_READ_OK || value & GFX_MODE_PPGTT)
		return false;
	useless(q, &reg, value, "PER_PROCESS_GTT_ENABLE is 0");
	return true;
}

/* On Gen6 the base is written to one register and read back from another. */
static bool directory_root(struct inquiry *q, struct gsc_root *root)
{
	struct gsc_reg reg;
	uint64_t value;
	bool found;

	if (process_tables_off(q))
		return false;
	if (platform_has(&q->gpu->platform, PROPERTY_DIRECTORY_READ))
		found = ask(q, "PP_DIR_BASE_READ", -1, &reg, &value) ||
			ask(q, "PP_DIR_BASE", -1, &reg, &value);
	else
		found = ask(q, "PP_DIR_BASE", -1, &reg, &value) ||
			ask(q, "PP_DIR_BASE_READ", -1, &reg, &value);
	if (!found)
		return false;
	found_in(root, &reg);
	one_value(root, GSC_MODE_2LEVEL, value);
	return true;
}

/* ---- Gen8 and later ------------------------------------------------------------------------- */

#define WAYS 3				/* in which an engine may give a root */

/* The descriptor last given to the engine, or 0: the queue has all of it, the port the low half. */
static uint64_t submitted(struct inquiry *q, bool aloud)
{
	static const struct {
		const char *name;
		int index;
	} places[] = { { "EXECLIST_SQ_CONTENTS", 0 }, { "EXECLIST_SUBMIT_PORT", -1 } };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct gsc_reg reg;
		uint64_t value;
		bool told = aloud ? ask(q, places[i].name, places[i].index, &reg, &value) :
				    !get(q, places[i].name, places[i].index, &reg, &value);

		if (told && value & DESCRIPTOR_VALID)
			return value;
		if (told && aloud)
			useless(q, &reg, value, "no valid descriptor");
	}
	return 0;
}

/* The mode bits of the descriptor, if it is for this context or for an unknown one. */
static uint64_t mode_bits(struct inquiry *q, uint64_t lrca)
{
	uint64_t descriptor = submitted(q, false);

	if (lrca && (descriptor & GSC_LRCA) != lrca)
		return 0;
	return descriptor & 0xfff;
}

static bool valid_context(struct inquiry *q, bool aloud, uint64_t *lrca)
{
	struct gsc_reg reg;
	uint64_t value;

	if (aloud ? !ask(q, "CCID", -1, &reg, &value) : get(q, "CCID", -1, &reg, &value))
		return false;
	*lrca = value & GSC_LRCA;
	if (value & 1)
		return true;
	if (aloud)
		useless(q, &reg, value, "no context is loaded");
	return false;
}

/* The first pointer is all that a 48-bit context has: *alone, if the source has no others. */
static bool pointer_registers(struct inquiry *q, uint64_t pointers[4], struct gsc_reg *reg,
			      bool *alone)
{
	*alone = true;
	for (int i = 1; i < 4; i++)
		*alone &= get(q, "RING_PDP_LDW", i, reg, &pointers[i]) == GSC_READ_ABSENT;
	for (int i = 0; i < (*alone ? 1 : 4); i++) {
		struct gsc_reg other;
		uint64_t low, high;

		if (!ask(q, "RING_PDP_LDW", i, i ? &other : reg, &low) ||
		    !ask(q, "RING_PDP_UDW", i, &other, &high))
			return false;
		pointers[i] = high << 32 | low;
	}
	return true;
}

/* PER_PROCESS_GTT_ENABLE in GFX_MODE means nothing here: contexts say it. */
static bool pointers_root(struct inquiry *q, struct gsc_root *root)
{
	uint64_t pointers[4] = { 0 }, lrca = 0;
	struct gsc_error err;
	struct gsc_reg reg;
	bool alone;

	if (!pointer_registers(q, pointers, &reg, &alone))
		return false;
	if (!pointers[0] && !pointers[1] && !pointers[2] && !pointers[3]) {
		useless(q, &reg, 0, "all four pointers are 0");
		return false;
	}
	found_in(root, &reg);
	valid_context(q, false, &lrca);
	if (!root_of_pointers(pointers, mode_bits(q, lrca), root, &err)) {
		if (!alone || root->mode == GSC_MODE_PML4)
			return true;
		snprintf(err.why, sizeof(err.why), "one of four pointers, and the others are not "
			 "in the source");
	}
	end_names(q);
	tell(q, "%s%s: %s", *q->text ? "; " : "", root->from, err.why);
	return false;
}

static bool context_root(struct inquiry *q, uint64_t descriptor, struct gsc_root *root)
{
	struct gsc_error err;
	enum gsc_status status = gsc_root_context(q->gpu, descriptor, root, &err);

	if (status) {
		end_names(q);
		worsen(q, status);
		tell(q, "%s%s: %s", *q->text ? "; " : "", err.what, err.why);
		return false;
	}
	snprintf(root->from, sizeof(root->from), "%s context 0x%08x", q->engine,
		 (unsigned)(descriptor & GSC_LRCA));
	return true;
}

/* Before Gen8 there is one way; later the pointers, the loaded context, the submitted one. */
static bool engine_way(struct inquiry *q, unsigned way, struct gsc_root *root)
{
	uint64_t context;

	memset(root, 0, sizeof(*root));
	if (!platform_has(&q->gpu->platform, PROPERTY_EXECLISTS))
		return !way && (flat_root(q, root) || directory_root(q, root));
	switch (way) {
	case 0:
		return pointers_root(q, root);
	case 1:
		return valid_context(q, true, &context) &&
		       context_root(q, context | mode_bits(q, context), root);
	default:
		context = submitted(q, true);
		return context && context_root(q, context, root);
	}
}

/* ---- engines -------------------------------------------------------------------------------- */

static struct inquiry inquire(const struct gsc_gpu *gpu, const char *engine)
{
	return (struct inquiry){ .gpu = gpu, .engine = engine, .status = GSC_UNKNOWN };
}

static const char *engine_at(const struct gsc_view *view, size_t i)
{
	unsigned engine_class, instance;
	uint32_t base;

	return gsc_platform_engine(view->db, view->platform, i, &engine_class, &instance, &base);
}

static bool engine_tells(struct inquiry *q, struct gsc_root *root)
{
	for (unsigned way = 0; way < WAYS; way++)
		if (engine_way(q, way, root))
			return true;
	return false;
}

static enum gsc_status no_root(struct inquiry *q, const char *what, const char *more,
			       struct gsc_error *err)
{
	end_names(q);
	if (!*q->text)
		return err_set(err, GSC_UNKNOWN, what, "%s has no per-process page tables",
			       q->gpu->platform.name);
	return err_set(err, q->status, what, "no page table: %s%s", q->text, more);
}

enum gsc_status gsc_root_engine(const struct gsc_gpu *gpu, const char *engine,
				struct gsc_root *root, struct gsc_error *err)
{
	struct inquiry first = inquire(gpu, engine), q;
	enum gsc_status status;
	const char *name;

	if (engine) {
		status = engine_by_name(gpu->view, engine, &first.engine, err);
		if (!status && !engine_tells(&first, root))
			status = no_root(&first, first.engine, "", err);
		return status;
	}
	for (size_t i = 0; (name = engine_at(gpu->view, i)); i++) {
		q = inquire(gpu, name);
		if (engine_tells(&q, root))
			return GSC_OK;
		if (!i)
			first = q;
		worsen(&first, q.status);
	}
	return no_root(&first, first.engine ? first.engine : "engines",
		       engine_at(gpu->view, 1) ? "; the other engines have none either" : "", err);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* In the order in which they came; slots, a power of two, find them (counted from 1) by a hash. */
struct found_roots {
	VEC(struct gsc_root) list;
	uint32_t *slot;
	size_t slots;
};

static bool same_root(const struct gsc_root *a, const struct gsc_root *b)
{
	return a->mode == b->mode && a->count == b->count &&
	       !memcmp(a->value, b->value, a->count * sizeof(a->value[0]));
}

static uint32_t *root_slot(const struct found_roots *roots, const struct gsc_root *root)
{
	uint64_t mixed = root->mode;
	size_t i;

	for (unsigned n = 0; n < root->count; n++)
		mixed = (mixed ^ root->value[n]) * UINT64_C(0x9e3779b97f4a7c15);
	i = (size_t)(mixed >> 20) & (roots->slots - 1);
	while (roots->slot[i] && !same_root(&roots->list.items[roots->slot[i] - 1], root))
		i = (i + 1) & (roots->slots - 1);
	return &roots->slot[i];
}

/* At least half of the slots are free. */
static bool more_slots(struct found_roots *roots)
{
	free(roots->slot);
	roots->slots = roots->slots ? roots->slots * 2 : 64;
	roots->slot = calloc(roots->slots, sizeof(*roots->slot));
	for (size_t i = 0; roots->slot && i < roots->list.count; i++)
		*root_slot(roots, &roots->list.items[i]) = (uint32_t)i + 1;
	return roots->slot;
}

static bool add_root(struct found_roots *roots, const struct gsc_root *root)
{
	struct gsc_root *added;
	uint32_t *slot;

	if (roots->list.count >= roots->slots / 2 && !more_slots(roots))
		return false;
	slot = root_slot(roots, root);
	if (*slot)
		return true;
	added = vec_add(&roots->list);
	if (!added)
		return false;
	*added = *root;
	*slot = (uint32_t)roots->list.count;
	return true;
}

/* Contexts that a trace submits: a million submissions use few contexts. */
static bool add_submitted(struct found_roots *roots, struct inquiry *q,
			  const aub_submission_vec *submissions)
{
	uint64_t last = 0;

	for (size_t i = 0; i < submissions->count; i++) {
		const struct aub_submission *s = &submissions->items[i];

		for (size_t n = 0; n < ARRAY_SIZE(s->descriptor); n++) {
			struct gsc_root root;

			if (!(s->descriptor[n] & DESCRIPTOR_VALID) || s->descriptor[n] == last)
				continue;
			last = s->descriptor[n];
			q->engine = s->engine;
			*q->text = 0;
			if (context_root(q, last, &root) && !add_root(roots, &root))
				return false;
		}
	}
	return true;
}

#define GPU_FUNCTION (2 << 3)		/* 00:02.0 */

/* The domain of a function, or NULL; *only is the single one, if there are no others. */
static const struct vtd_domain *find_domain(const struct gsc_source *source, unsigned function,
					    const struct vtd_domain **only)
{
	const struct vtd_domain *last = NULL;
	size_t count = 0;

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];

		for (size_t n = 0; n < part->domains.count; n++, count++) {
			last = &part->domains.items[n];
			if (last->function == function)
				return last;
		}
	}
	*only = count == 1 ? last : NULL;
	return NULL;
}

static struct gsc_root domain_root(const struct vtd_domain *domain)
{
	struct gsc_root root = { .mode = GSC_MODE_VTD, .value = { domain->root, domain->levels },
				 .count = 2 };

	snprintf(root.from, sizeof(root.from), "domain of %02x:%02x.%u", domain->function >> 8,
		 domain->function >> 3 & 0x1f, domain->function & 7);
	return root;
}

enum gsc_status gsc_root_function(struct gsc_source *source, unsigned function,
				  struct gsc_root *root, struct gsc_error *err)
{
	const struct vtd_domain *only, *domain = find_domain(source, function, &only);

	if (!domain)
		return err_set(err, GSC_UNKNOWN, "second-level tables",
			       "the source has none of %02x:%02x.%u (domain_translation_struct of "
			       "the IOMMU's debug files)", function >> 8, function >> 3 & 0x1f,
			       function & 7);
	*root = domain_root(domain);
	return GSC_OK;
}

/* The GPU's own domain; or the only one, if the GPU is on a card. */
static bool add_domain(struct found_roots *roots, const struct gsc_source *source)
{
	const struct vtd_domain *only, *domain = find_domain(source, GPU_FUNCTION, &only);
	struct gsc_root root;

	domain = domain ? domain : only;
	if (!domain)
		return true;
	root = domain_root(domain);
	return add_root(roots, &root);
}

static bool add_trace(struct found_roots *roots, struct inquiry q)
{
	const struct aub *trace = source_aub(q.gpu->source);
	aub_submission_vec submissions;
	bool added;

	if (!trace || !platform_has(&q.gpu->platform, PROPERTY_EXECLISTS))
		return true;
	if (aub_submissions(trace, q.gpu->view, &submissions, NULL))
		return false;
	added = add_submitted(roots, &q, &submissions);
	vec_free(&submissions);
	return added;
}

enum gsc_status gsc_roots(const struct gsc_gpu *gpu, struct gsc_root **roots, size_t *count,
			  struct gsc_error *err)
{
	struct gsc_root root = { .mode = GSC_MODE_GGTT, .from = "GGTT" };
	struct found_roots found = { .slots = 0 };
	enum gsc_status status = gpu_needs_source(gpu, err);
	uint64_t start, length;
	const char *engine;
	bool done;

	*roots = NULL;
	*count = 0;
	if (status)
		return status;
	done = !gsc_extent(gpu->source, GSC_GGTT, 0, &start, &length) || add_root(&found, &root);
	for (size_t i = 0; done && (engine = engine_at(gpu->view, i)); i++) {
		struct inquiry q = inquire(gpu, engine);

		for (unsigned way = 0; done && way < WAYS; way++)
			done = !engine_way(&q, way, &root) || add_root(&found, &root);
	}
	done = done && add_trace(&found, inquire(gpu, NULL));
	done = done && add_domain(&found, gpu->source);
	*roots = found.list.items;
	*count = found.list.count;
	free(found.slot);
	if (done)
		return GSC_OK;
	vec_free(&found.list);
	*roots = NULL;
	*count = 0;
	return err_memory(err);
}

/* ---- tiled resources ------------------------------------------------------------------------ */

#define TRTT_ENABLE (1u << 0)

static bool engine_tiled(struct inquiry *q, struct gsc_tiled *tiled)
{
	struct gsc_reg reg;
	uint64_t control, value, location, mask;

	if (get(q, "TRTTE", -1, &reg, &control) || !(control & TRTT_ENABLE))
		return false;
	tiled->physical = gsc_gpu_field(q->gpu, &reg, control, "TRVA_TABLE_MEMORY_LOCATION",
					&location) && !location;
	/* On Gen9 to Gen11 a switch for all contexts, which must be set. */
	if (!get(q, "TR_CHICKEN_BIT_VECTOR", -1, &reg, &value) && !(value & 1))
		return false;
	if (get(q, "TRVATTL3PTR", -1, &reg, &tiled->l3) || get(q, "TRVADR", -1, &reg, &value))
		return false;
	/* Xe2 and later have the first bits of the range instead of mask and data. */
	tiled->va = (uint32_t)(gsc_gpu_field(q->gpu, &reg, value, "TRVA_MASK_VALUE", &mask)
				       ? value & 0xff : 0xf0 | (value & 0xf));
	tiled->has_null = !get(q, "TRNULLDETCT", -1, &reg, &value);
	tiled->null = tiled->has_null ? (uint32_t)value : 0;
	tiled->has_invalid = !get(q, "TRINVTILEDETCT", -1, &reg, &value);
	tiled->invalid = tiled->has_invalid ? (uint32_t)value : 0;
	snprintf(tiled->from, sizeof(tiled->from), "%s TR-TT registers", q->engine);
	tiled->on = true;
	return true;
}

void gsc_root_tiled(const struct gsc_gpu *gpu, const char *engine, struct gsc_tiled *tiled)
{
	const char *name, *wanted = NULL;

	memset(tiled, 0, sizeof(*tiled));
	if (engine && engine_by_name(gpu->view, engine, &wanted, NULL))
		return;
	for (size_t i = 0; (name = engine_at(gpu->view, i)); i++) {
		struct inquiry q = inquire(gpu, name);

		if (wanted && strcmp(name, wanted))
			continue;
		if (engine_tiled(&q, tiled))
			return;
		memset(tiled, 0, sizeof(*tiled));
	}
}
