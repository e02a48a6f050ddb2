/* SPDX-License-Identifier: MIT */
/* Page tables: where they begin, and the bytes that are reached through them. */
#include "api/api.h"

#include "db/words.h"
#include "gtt/gtt.h"

_Static_assert((int)GPUSCOPE_MODE_GGTT == (int)GSC_MODE_GGTT &&
	       (int)GPUSCOPE_MODE_FLAT == (int)GSC_MODE_FLAT &&
	       (int)GPUSCOPE_MODE_2LEVEL == (int)GSC_MODE_2LEVEL &&
	       (int)GPUSCOPE_MODE_PDP32 == (int)GSC_MODE_PDP32 &&
	       (int)GPUSCOPE_MODE_PML4 == (int)GSC_MODE_PML4 &&
	       (int)GPUSCOPE_MODE_IA32E == (int)GSC_MODE_IA32E &&
	       (int)GPUSCOPE_MODE_TRTT == (int)GSC_MODE_TRTT &&
	       (int)GPUSCOPE_MODE_VTD == (int)GSC_MODE_VTD, "modes are those of the rooms");

const char *gpuscope_mode_word(enum gpuscope_mode mode)
{
	return (unsigned)mode <= GPUSCOPE_MODE_VTD ? gsc_mode_name((enum gsc_mode)mode) : NULL;
}

/* ---- where they begin ----------------------------------------------------------------------- */

static void fill_root(struct keep *keep, struct gpuscope_root *out, const struct gsc_root *root)
{
	*out = (struct gpuscope_root){
		.size = sizeof(*out),
		.mode = (enum gpuscope_mode)root->mode,
		.values = keep_copy(keep, root->value, root->count * sizeof(*root->value)),
		.count = root->count,
		.from = keep_text(keep, root->from),
	};
}

struct gpuscope_error *gpuscope_roots(struct gpuscope_gpu *gpu, struct gpuscope_list **out)
{
	struct made_list *list = made_list_new(gpu, NULL);
	struct gsc_root *roots = NULL;
	enum gsc_status status;
	struct gsc_error err;
	size_t count = 0;

	*out = NULL;
	if (!list)
		return error_memory();
	status = gsc_roots(gpu->gpu, &roots, &count, &err);
	for (size_t i = 0; i < count; i++) {
		struct gpuscope_root *root = keep_new(made_list_keep(list), struct gpuscope_root);

		if (root)
			fill_root(made_list_keep(list), root, &roots[i]);
		made_list_add(list, root);
	}
	free(roots);
	return made_list_done(list, status, &err, out);
}

/* An error if two options both say where the tables begin. */
static struct gpuscope_error *check_one_way(const struct gpuscope_tables_options *options)
{
	const struct {
		const char *name;
		bool given;
	} ways[] = {
		{ "root", options->root }, { "context", options->context },
		{ "engine", options->engine },
	};
	const char *first = NULL;

	for (size_t i = 0; i < ARRAY_SIZE(ways); i++) {
		if (!ways[i].given)
			continue;
		if (first)
			return error_make(GPUSCOPE_STATUS_USAGE, first,
					  "cannot be combined with %s", ways[i].name);
		first = ways[i].name;
	}
	return NULL;
}

/* As gpu-ptwalk understands its options; `root` has room for the values. */
static struct gpuscope_error *choose(const struct gpuscope_tables_options *options,
				     struct gsc_choice *choice, struct gsc_root *root)
{
	struct gpuscope_error *error = check_one_way(options);
	unsigned levels = options->second_levels ? options->second_levels : 4;
	struct gsc_error err;

	if (error)
		return error;
	if (options->mode && gsc_mode_parse(options->mode, &choice->mode, &err))
		return error_make(GPUSCOPE_STATUS_USAGE, "mode", "there is no \"%s\": %s",
				  options->mode, err.why);
	choice->has_mode = options->mode;
	choice->engine = options->engine;
	choice->context = options->context;
	if (options->second_level && (levels < 3 || levels > 5))
		return error_make(GPUSCOPE_STATUS_USAGE, "second_levels",
				  "expected 3, 4 or 5 levels");
	if (options->second_level)
		choice->second = (struct gsc_second_level){ true, *options->second_level, levels };
	if (!options->root)
		return NULL;
	if (!options->mode)
		return error_make(GPUSCOPE_STATUS_USAGE, "root",
				  "needs a mode, as the global table has no root");
	choice->root = root;
	return error_of(gsc_root_values(choice->mode, options->root, options->root_count, "root",
					root, &err), &err);
}

struct gpuscope_error *gpuscope_tables_new(struct gpuscope_gpu *gpu,
					   const struct gpuscope_tables_options *options,
					   struct gpuscope_tables **out)
{
	struct gpuscope_tables_options given;
	struct gsc_choice choice = { .running = gpu->running };
	struct gsc_translation_options chosen;
	struct gpuscope_tables *tables;
	struct gpuscope_error *error;
	struct gsc_root root;
	struct gsc_error err;

	*out = NULL;
	error = options_copy(&given, sizeof(given), options, "options");
	if (!error)
		error = choose(&given, &choice, &root);
	if (error)
		return error;
	tables = calloc(1, sizeof(*tables));
	if (!tables)
		return error_memory();
	tables->refs = 1;
	tables->gpu = gpu_hold(gpu);
	tables->walked = keep_bytes(&tables->keep, sizeof(*tables->walked));
	error = error_of(gsc_choose(gpu->gpu, &choice, &chosen, &err), &err);
	if (!error)
		error = error_of(gsc_translation_new(&tables->translation, gpu->gpu, &chosen, &err),
				 &err);
	if (!error)
		fill_root(&tables->keep, &tables->root, gsc_translation_root(tables->translation));
	if (!error && tables->keep.failed)
		error = error_memory();
	if (error) {
		gpuscope_tables_free(tables);
		return error;
	}
	tables->walked->gpu = gpu;
	tables->walked->translation = tables->translation;
	*out = tables;
	return NULL;
}

struct gpuscope_tables *tables_hold(struct gpuscope_tables *tables)
{
	refs_add(&tables->refs);
	return tables;
}

void gpuscope_tables_free(struct gpuscope_tables *tables)
{
	if (!tables || !refs_drop(&tables->refs))
		return;
	gsc_translation_free(tables->translation);
	keep_free(&tables->keep);
	gpuscope_gpu_free(tables->gpu);
	free(tables);
}

const struct gpuscope_root *gpuscope_tables_root(const struct gpuscope_tables *tables)
{
	return &tables->root;
}

/* ---- through them --------------------------------------------------------------------------- */

void gpuscope_translate(struct gpuscope_tables *tables, const uint64_t *addresses, size_t count,
			uint64_t *physical, unsigned char *spaces, unsigned char *stops)
{
	for (size_t i = 0; i < count; i++) {
		enum gsc_space space = GSC_PHYS;
		uint64_t place = 0, length;
		enum gsc_stop stop = gsc_resolve(tables->translation, addresses[i], &space, &place,
						 &length);

		if (space == GSC_SPACES) {
			space = GSC_PHYS;
			place = UINT64_MAX;
		}
		physical[i] = stop ? 0 : place;
		if (spaces)
			spaces[i] = (unsigned char)space;
		if (stops)
			stops[i] = (unsigned char)stop;
	}
}

size_t gpuscope_tables_read(struct gpuscope_tables *tables, uint64_t address, void *buf,
			    size_t length)
{
	return gsc_translated_read(tables->translation, address, buf, length);
}
