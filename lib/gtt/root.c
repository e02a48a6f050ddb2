/* SPDX-License-Identifier: MIT */
/*
 * Where translation begins: what the command line says, what the registers of an engine say, and
 * everything that a source says. What was asked without result is remembered, for the message.
 */
#include "db/view.h"
#include "gtt/context.h"
#include "db/resolve.h"
#include "formats/aub.h"
#include "vmcore/vmcore.h"
#include "util/number.h"
#include "util/text.h"
#include "db/words.h"
#include "gtt/gtt.h"

/* ---- from text ------------------------------------------------------------------------------ */

enum gsc_status gsc_root_values(enum gsc_mode mode, const uint64_t *values, size_t count,
				const char *text, struct gsc_root *root, struct gsc_error *err)
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
	size_t least = mode == GSC_MODE_PDP32 ? 4 : 1;
	size_t most = mode == GSC_MODE_VTD ? 2 : least;

	*root = (struct gsc_root){ .mode = mode };
	if (!forms[mode])
		return err_set(err, GSC_USAGE, text, "mode %s has no root", gsc_mode_name(mode));
	if (count < least || count > most)
		return err_set(err, GSC_USAGE, text, "no root of mode %s: expected %s",
			       gsc_mode_name(mode), forms[mode]);
	memcpy(root->value, values, count * sizeof(*values));
	root->count = (unsigned)count;
	return GSC_OK;
}

enum gsc_status gsc_root_parse(enum gsc_mode mode, const char *text, struct gsc_root *root,
			       struct gsc_error *err)
{
	const char *separator = mode == GSC_MODE_VTD ? "/" : ",";
	struct slice rest = slice_string(text);
	uint64_t values[ARRAY_SIZE(root->value)];
	size_t count = 0;
	bool more = true;

	while (more && count < ARRAY_SIZE(values) &&
	       slice_number(take_until(&rest, separator), &values[count])) {
		count++;
		more = rest.at < rest.end;
		rest.at += more;
	}
	/* None of a text that has anything else in it. */
	return gsc_root_values(mode, values, more ? 0 : count, text, root, err);
}

/* ---- what registers say --------------------------------------------------------------------- */

/* The search for a root, and why there is none so far. */
struct search {
	const struct gsc_gpu *gpu;
	const char *engine;
	char reasons[480];		/* "rcs0.CCID, rcs0.X: not in the source; ..." */
	const char *why;		/* of the names that come last in it, not yet written */
	enum gsc_status status;		/* GSC_UNKNOWN, or something worse on the way */
};

static struct search search_begin(const struct gsc_gpu *gpu, const char *engine)
{
	return (struct search){ .gpu = gpu, .engine = engine, .status = GSC_UNKNOWN };
}

/* "Not permitted" comes before "asleep", and that before "absent". */
static void keep_worse(struct search *s, enum gsc_status status)
{
	if (status == GSC_DENIED || (status == GSC_GONE && s->status != GSC_DENIED))
		s->status = status;
}

#define append(s, ...)                                                                             \
	do {                                                                                       \
		if (!string_add((s)->reasons, __VA_ARGS__))                                        \
			strcpy((s)->reasons + sizeof((s)->reasons) - sizeof("..."), "...");        \
	} while (0)

static void end_names(struct search *s)
{
	if (s->why)
		append(s, ": %s", s->why);
	s->why = NULL;
}

static void add_reason(struct search *s, const char *what, const char *why)
{
	end_names(s);
	append(s, "%s%s: %s", *s->reasons ? "; " : "", what, why);
}

/* A register that has a value, which says that there is no root. */
static void add_value(struct search *s, const struct gsc_reg *reg, uint64_t value, const char *why)
{
	char what[96];

	gsc_reg_full_name(reg, what, 64);
	string_add(what, " 0x%llx", LL(value));
	add_reason(s, what, why);
}

/*
 * Also false if the platform has no such register, which needs no reason. Names without a value are
 * grouped if the reason is the same.
 */
static bool read_or_say(struct search *s, const char *name, int index, struct gsc_reg *reg,
			uint64_t *value)
{
	static const char *const why[GSC_READS] = {
		[GSC_READ_ASLEEP] = "asleep",
		[GSC_READ_DENIED] = "denied",
		[GSC_READ_SKIPPED] = "not read",
		[GSC_READ_ALL_ONES] = "reads as all ones",
		[GSC_READ_EXCLUDED] = "excluded from the dump",
		[GSC_READ_ABSENT] = "not in the source",
	};
	enum gsc_read status;
	char full[64];

	if (!gpu_find(s->gpu, s->engine, name, index, reg))
		return false;
	status = gsc_gpu_read(s->gpu, reg, value);
	if (status == GSC_READ_OK)
		return true;
	gsc_reg_full_name(reg, full, sizeof(full));
	if (s->why != why[status]) {
		end_names(s);
		append(s, "%s%s", *s->reasons ? "; " : "", full);
		s->why = why[status];
	} else {
		append(s, ", %s", full);
	}
	keep_worse(s, gsc_read_status(status));
	return false;
}

static bool set_root(struct gsc_root *root, const struct gsc_reg *reg, enum gsc_mode mode,
		     uint64_t value)
{
	gsc_reg_full_name(reg, root->from, sizeof(root->from));
	root->mode = mode;
	root->value[0] = value;
	root->count = 1;
	return true;
}

/* ---- Gen4 to Gen7 --------------------------------------------------------------------------- */

/*
 * The table of Gen4, or the directory of later ones: on Gen6 its base is written to one register
 * and read back from another, and only one engine has GFX_MODE, which says for all whether there
 * are per-process tables.
 */
static bool early_root(struct search *s, struct gsc_root *root)
{
	static const char *const bases[] = { "PP_DIR_BASE", "PP_DIR_BASE_READ" };
	bool read_first = platform_has(&s->gpu->platform, PROPERTY_DIRECTORY_READ);
	const char *engine = s->engine;
	struct gsc_reg reg;
	uint64_t value;

	if (read_or_say(s, "PGTBL_CTL2", -1, &reg, &value)) {
		if (value & 1)
			return set_root(root, &reg, GSC_MODE_FLAT, value);
		add_value(s, &reg, value, "the per-process table is off");
	}
	if (!gpu_find(s->gpu, engine, "GFX_MODE", -1, &reg))
		engine = "rcs0";
	if (!gpu_read_named(s->gpu, engine, "GFX_MODE", -1, &reg, &value) &&
	    !(value & GFX_MODE_PPGTT)) {
		add_value(s, &reg, value, "PER_PROCESS_GTT_ENABLE is 0");
		return false;
	}
	return (read_or_say(s, bases[read_first], -1, &reg, &value) ||
		read_or_say(s, bases[!read_first], -1, &reg, &value)) &&
	       set_root(root, &reg, GSC_MODE_2LEVEL, value);
}

/* ---- Gen8 and later ------------------------------------------------------------------------- */

#define WAYS 3				/* in which an engine may give a root */

/* The descriptor last given to the engine, or 0: the queue has all of it, the port the low half. */
static uint64_t submitted(struct search *s)
{
	static const struct {
		const char *name;
		int index;
	} places[] = { { "EXECLIST_SQ_CONTENTS", 0 }, { "EXECLIST_SUBMIT_PORT", -1 } };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		struct gsc_reg reg;
		uint64_t value;

		if (!read_or_say(s, places[i].name, places[i].index, &reg, &value))
			continue;
		if (value & DESCRIPTOR_VALID)
			return value;
		add_value(s, &reg, value, "no valid descriptor");
	}
	return 0;
}

/* The mode bits of the descriptor, if it is for this context or for an unknown one: a hint. */
static uint64_t mode_bits(const struct search *s, uint64_t lrca)
{
	struct search hint = search_begin(s->gpu, s->engine);
	uint64_t descriptor = submitted(&hint);

	return lrca && (descriptor & GSC_LRCA) != lrca ? 0 : descriptor & 0xfff;
}

static bool valid_context(struct search *s, uint64_t *lrca)
{
	struct gsc_reg reg;
	uint64_t value;

	if (!read_or_say(s, "CCID", -1, &reg, &value))
		return false;
	*lrca = value & GSC_LRCA;
	if (!(value & 1))
		add_value(s, &reg, value, "no context is loaded");
	return value & 1;
}

/*
 * The first pointer is all that a 48-bit context has: `alone`, if the source has no others.
 * PER_PROCESS_GTT_ENABLE in GFX_MODE means nothing here: contexts say it.
 */
static bool pointers_root(struct search *s, struct gsc_root *root)
{
	struct search hint = search_begin(s->gpu, s->engine);
	uint64_t pointers[4] = { 0 }, lrca = 0, low, high;
	struct gsc_reg first, reg;
	struct gsc_error err;
	bool alone = true;

	for (int i = 1; i < 4; i++)
		alone &= gpu_read_named(s->gpu, s->engine, "RING_PDP_LDW", i, &reg, &low) ==
			 GSC_READ_ABSENT;
	for (int i = 0; i < (alone ? 1 : 4); i++) {
		if (!read_or_say(s, "RING_PDP_LDW", i, i ? &reg : &first, &low) ||
		    !read_or_say(s, "RING_PDP_UDW", i, &reg, &high))
			return false;
		pointers[i] = high << 32 | low;
	}
	if (!pointers[0] && !pointers[1] && !pointers[2] && !pointers[3]) {
		add_value(s, &first, 0, "all four pointers are 0");
		return false;
	}
	gsc_reg_full_name(&first, root->from, sizeof(root->from));
	valid_context(&hint, &lrca);
	if (!root_of_pointers(pointers, mode_bits(s, lrca), root, &err)) {
		if (!alone || root->mode == GSC_MODE_PML4)
			return true;
		string_set(err.why, "one of four pointers, and the others are not in the source");
	}
	add_reason(s, root->from, err.why);
	return false;
}

static bool context_root(struct search *s, uint64_t descriptor, struct gsc_root *root)
{
	struct gsc_error err;
	enum gsc_status status = gsc_root_context(s->gpu, descriptor, root, &err);

	if (status) {
		keep_worse(s, status);
		add_reason(s, err.what, err.why);
		return false;
	}
	string_set(root->engine, "%s", s->engine);
	string_set(root->from, "%s context 0x%08x", s->engine, (unsigned)(descriptor & GSC_LRCA));
	return true;
}

/* Before Gen8 there is one way; later the pointers, the loaded context, the submitted one. */
static bool engine_way(struct search *s, unsigned way, struct gsc_root *root)
{
	uint64_t context;

	memset(root, 0, sizeof(*root));
	string_set(root->engine, "%s", s->engine);
	if (!platform_has(&s->gpu->platform, PROPERTY_EXECLISTS))
		return !way && early_root(s, root);
	switch (way) {
	case 0:
		return pointers_root(s, root);
	case 1:
		return valid_context(s, &context) &&
		       context_root(s, context | mode_bits(s, context), root);
	default:
		context = submitted(s);
		return context && context_root(s, context, root);
	}
}

/* ---- engines -------------------------------------------------------------------------------- */

static const char *engine_at(const struct gsc_view *view, size_t i)
{
	return gsc_platform_engine(view->db, view->platform, i, NULL);
}

/* ---- in the memory of a machine ------------------------------------------------------------- */

static struct gsc_root space_root(const struct driver_space *space)
{
	struct gsc_root root = { .mode = space->mode, .count = space->count };

	memcpy(root.value, space->root, sizeof(root.value));
	string_set(root.engine, "%.*s", (int)strcspn(space->engines, ","), space->engines);
	if (space->pid || *space->process)
		string_set(root.from, "process %s [%u]", space->process, space->pid);
	else
		string_set(root.from, "the driver's own address space");
	return root;
}

static bool is_process(const struct driver_space *space, const char *process)
{
	uint64_t number;

	return !strcmp(space->process, process) ||
	       (slice_number(slice_string(process), &number) && number && number == space->pid);
}

/* Of several, the only one in which an engine runs a request. */
enum gsc_status gsc_root_process(const struct gsc_gpu *gpu, const char *process,
				 struct gsc_root *root, struct gsc_error *err)
{
	const struct driver_space *space, *first = NULL, *running = NULL;
	size_t count = 0, at_work = 0;
	uint32_t last = 0;
	char known[160] = "", why[200];

	for (size_t i = 0; (space = driver_space(gpu->source, i)); i++) {
		if (space->pid && space->pid != last && strlen(known) < sizeof(known) - 40)
			string_add(known, "%s%s [%u]", *known ? ", " : "", space->process,
				   space->pid);
		last = space->pid;
		if (!is_process(space, process))
			continue;
		first = count++ ? first : space;
		if (*space->engines)
			running = at_work++ ? running : space;
	}
	if (count == 1 || at_work == 1) {
		*root = space_root(count == 1 ? first : running);
		return GSC_OK;
	}
	if (count)
		return err_set(err, GSC_USAGE, process, "has %zu address spaces: give its number, "
			       "or --mode and --root of one that --spaces shows", count);
	if (*known)
		return err_set(err, GSC_UNKNOWN, process, "no such process; the dump has %s",
			       known);
	gsc_no_processes(gpu->source, why, sizeof(why));
	return err_set(err, GSC_UNKNOWN, process, "%s", why);
}

static bool engine_says(struct search *s, struct gsc_root *root)
{
	const struct driver_space *space;

	for (unsigned way = 0; way < WAYS; way++)
		if (engine_way(s, way, root))
			return true;
	for (size_t i = 0; (space = driver_space(s->gpu->source, i)); i++) {
		if (!list_has(space->engines, s->engine))
			continue;
		*root = space_root(space);
		string_set(root->engine, "%s", s->engine);
		return true;
	}
	return false;
}

enum gsc_status gsc_root_engine(const struct gsc_gpu *gpu, const char *engine,
				struct gsc_root *root, struct gsc_error *err)
{
	struct search first = search_begin(gpu, engine), s;
	const char *name, *more = "";
	enum gsc_status status;

	if (engine) {
		status = engine_by_name(gpu->view, engine, &first.engine, err);
		if (status || engine_says(&first, root))
			return status;
	}
	for (size_t i = 0; !engine && (name = engine_at(gpu->view, i)); i++) {
		s = search_begin(gpu, name);
		if (engine_says(&s, root))
			return GSC_OK;
		if (i)
			more = "; the other engines have none either";
		else
			first = s;
		keep_worse(&first, s.status);
	}
	end_names(&first);
	name = first.engine ? first.engine : "engines";
	if (!*first.reasons)
		return err_set(err, GSC_UNKNOWN, name, "%s has no per-process page tables",
			       gpu->platform.name);
	return err_set(err, first.status, name, "no page table: %s%s", first.reasons, more);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* In the order in which they came; slots, a power of two, find them (counted from 1) by a hash. */
struct found_roots {
	VEC(struct gsc_root) list;
	uint32_t *slot;
	size_t slots;
};

static uint32_t *root_slot(const struct found_roots *roots, const struct gsc_root *root)
{
	uint64_t mixed = root->mode;
	size_t i;

	for (unsigned n = 0; n < root->count; n++)
		mixed = (mixed ^ root->value[n]) * UINT64_C(0x9e3779b97f4a7c15);
	i = (size_t)(mixed >> 20) & (roots->slots - 1);
	for (;; i = (i + 1) & (roots->slots - 1)) {
		const struct gsc_root *other = &roots->list.items[roots->slot[i] - 1];

		if (!roots->slot[i] || (other->mode == root->mode && other->count == root->count &&
					!memcmp(other->value, root->value,
						root->count * sizeof(root->value[0]))))
			return &roots->slot[i];
	}
}

/* At least half of the slots are free. */
static bool add_root(struct found_roots *roots, const struct gsc_root *root)
{
	uint32_t *slot;

	if (roots->list.count >= roots->slots / 2) {
		free(roots->slot);
		roots->slots = roots->slots ? roots->slots * 2 : 64;
		roots->slot = calloc(roots->slots, sizeof(*roots->slot));
		if (!roots->slot)
			return false;
		for (size_t i = 0; i < roots->list.count; i++)
			*root_slot(roots, &roots->list.items[i]) = (uint32_t)i + 1;
	}
	slot = root_slot(roots, root);
	if (*slot)
		return true;
	if (!vec_push(&roots->list, *root))
		return false;
	*slot = (uint32_t)roots->list.count;
	return true;
}

/* Contexts that a trace submits: a million submissions use few contexts. */
static bool add_submitted(struct found_roots *roots, const struct gsc_gpu *gpu)
{
	const struct aub *trace = source_aub(gpu->source);
	aub_submission_vec submissions;
	bool added = true;
	uint64_t last = 0;

	if (!trace || !platform_has(&gpu->platform, PROPERTY_EXECLISTS))
		return true;
	if (aub_submissions(trace, gpu->view, &submissions, NULL))
		return false;
	for (size_t i = 0; added && i < submissions.count; i++) {
		const struct aub_submission *submission = &submissions.items[i];
		struct search s = search_begin(gpu, submission->engine);

		for (size_t n = 0; added && n < ARRAY_SIZE(submission->descriptor); n++) {
			uint64_t descriptor = submission->descriptor[n];
			struct gsc_root root;

			if (!(descriptor & DESCRIPTOR_VALID) || descriptor == last)
				continue;
			last = descriptor;
			added = !context_root(&s, last, &root) || add_root(roots, &root);
		}
	}
	vec_free(&submissions);
	return added;
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

	string_set(root.from, "domain of %02x:%02x.%u", domain->function >> 8,
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

enum gsc_status gsc_roots(const struct gsc_gpu *gpu, struct gsc_root **roots, size_t *count,
			  struct gsc_error *err)
{
	struct gsc_root root = { .mode = GSC_MODE_GGTT, .from = "GGTT" };
	const struct vtd_domain *domain, *only = NULL;
	const struct driver_space *space;
	struct found_roots found = { .slots = 0 };
	enum gsc_status status = gpu_needs_source(gpu, err);
	const char *engine;
	bool done;

	*roots = NULL;
	*count = 0;
	if (status)
		return status;
	done = !source_may_hold(gpu->source, GSC_GGTT) || add_root(&found, &root);
	for (size_t i = 0; done && (engine = engine_at(gpu->view, i)); i++) {
		struct search s = search_begin(gpu, engine);

		for (unsigned way = 0; done && way < WAYS; way++)
			done = !engine_way(&s, way, &root) || add_root(&found, &root);
	}
	done = done && add_submitted(&found, gpu);
	for (size_t i = 0; done && (space = driver_space(gpu->source, i)); i++) {
		root = space_root(space);
		done = add_root(&found, &root);
	}
	/* The GPU's own domain; or the only one, if the GPU is on a card. */
	domain = find_domain(gpu->source, GPU_FUNCTION, &only);
	if (domain || only) {
		root = domain_root(domain ? domain : only);
		done = done && add_root(&found, &root);
	}
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

static bool engine_tiled(const struct gsc_gpu *gpu, const char *engine, struct gsc_tiled *tiled)
{
	struct gsc_reg reg;
	uint64_t control, value, location, mask;

	if (gpu_read_named(gpu, engine, "TRTTE", -1, &reg, &control) || !(control & TRTT_ENABLE))
		return false;
	tiled->physical = gsc_gpu_field(gpu, &reg, control, "TRVA_TABLE_MEMORY_LOCATION",
					&location) && !location;
	/* On Gen9 to Gen11 a switch for all contexts, which must be set. */
	if (!gpu_read_named(gpu, engine, "TR_CHICKEN_BIT_VECTOR", -1, &reg, &value) && !(value & 1))
		return false;
	if (gpu_read_named(gpu, engine, "TRVATTL3PTR", -1, &reg, &tiled->l3) ||
	    gpu_read_named(gpu, engine, "TRVADR", -1, &reg, &value))
		return false;
	/* Xe2 and later have the first bits of the range instead of mask and data. */
	tiled->va = (uint32_t)(gsc_gpu_field(gpu, &reg, value, "TRVA_MASK_VALUE", &mask)
				       ? value & 0xff : 0xf0 | (value & 0xf));
	tiled->has_null = !gpu_read_named(gpu, engine, "TRNULLDETCT", -1, &reg, &value);
	tiled->null = tiled->has_null ? (uint32_t)value : 0;
	tiled->has_invalid = !gpu_read_named(gpu, engine, "TRINVTILEDETCT", -1, &reg, &value);
	tiled->invalid = tiled->has_invalid ? (uint32_t)value : 0;
	string_set(tiled->from, "%s TR-TT registers", engine);
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
		if (wanted && strcmp(name, wanted))
			continue;
		if (engine_tiled(gpu, name, tiled))
			return;
		memset(tiled, 0, sizeof(*tiled));
	}
}
