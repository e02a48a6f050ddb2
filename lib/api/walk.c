/* SPDX-License-Identifier: MIT */
/* Walks of single addresses, and the entries that they read. */
#include "api/api.h"

#include "gtt/gtt.h"
#include "util/text.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_STOP_NONE == (int)GSC_STOP_NONE &&
	       (int)GPUSCOPE_STOP_NOT_PRESENT == (int)GSC_STOP_NOT_PRESENT &&
	       (int)GPUSCOPE_STOP_RESERVED_BITS == (int)GSC_STOP_RESERVED_BITS &&
	       (int)GPUSCOPE_STOP_NOT_CANONICAL == (int)GSC_STOP_NOT_CANONICAL &&
	       (int)GPUSCOPE_STOP_BEYOND_TABLE == (int)GSC_STOP_BEYOND_TABLE &&
	       (int)GPUSCOPE_STOP_NO_MEMORY == (int)GSC_STOP_NO_MEMORY &&
	       (int)GPUSCOPE_STOP_NULL_TILE == (int)GSC_STOP_NULL_TILE &&
	       (int)GPUSCOPE_STOP_INVALID_TILE == (int)GSC_STOP_INVALID_TILE &&
	       (int)GPUSCOPE_STOP_NOT_PERMITTED == (int)GSC_STOP_NOT_PERMITTED &&
	       (int)GPUSCOPE_STOP_IOMMU == (int)GSC_STOP_IOMMU, "stops are those of the rooms");
_Static_assert((int)GPUSCOPE_ACCESS_READ == (int)GSC_INTENT_READ &&
	       (int)GPUSCOPE_ACCESS_WRITE == (int)GSC_INTENT_WRITE &&
	       (int)GPUSCOPE_ACCESS_ATOMIC == (int)GSC_INTENT_ATOMIC,
	       "accesses are those of the rooms");

const char *gpuscope_stop_word(enum gpuscope_stop stop)
{
	bool known = stop && (unsigned)stop <= GPUSCOPE_STOP_IOMMU;

	return known ? gsc_stop_word((enum gsc_stop)stop) : NULL;
}

/* ---- walks ---------------------------------------------------------------------------------- */

static const char *some(const char *text)
{
	return *text ? text : NULL;
}

/* The walk of the rooms for programs, without making anything. */
static const struct gpuscope_walk *show(struct gpuscope_walked *walked)
{
	const struct gsc_walk *w = &walked->rooms;

	walked->walk = (struct gpuscope_walk){
		.size = sizeof(walked->walk),
		.address = w->address,
		.mode = (enum gpuscope_mode)w->mode,
		.mapped = w->mapped,
		.space = (enum gpuscope_space)w->space,
		.physical = w->physical,
		.page_size = w->page_size,
		.stolen = w->stolen,
		.null = w->null,
		.readable = w->readable,
		.writable = w->writable,
		.executable = w->executable,
		.user = w->user,
		.stop = (enum gpuscope_stop)w->stop,
		.stop_level = some(w->stop_level),
		.stop_text = some(w->stop_text),
		.note = some(w->note),
		.walked = walked,
	};
	return &walked->walk;
}

static const char *flags_of(struct gpuscope_walked *walked)
{
	struct text text = text_of(walked->flags);
	const char *flag;
	char buf[32];

	for (size_t i = 0; (flag = gsc_walk_flag(walked->translation, &walked->rooms, i, buf,
						 sizeof(buf))); i++)
		text_join(&text, ",", flag);
	walked->has_flags = true;
	return walked->flags;
}

const struct gpuscope_walk *gpuscope_walk(struct gpuscope_tables *tables, uint64_t address,
					  enum gpuscope_access access)
{
	struct gpuscope_walked *walked = tables->walked;

	if ((unsigned)access > GPUSCOPE_ACCESS_ATOMIC)
		return NULL;
	walked->has_flags = false;
	gsc_walk(tables->translation, address, (enum gsc_intent)access, &walked->rooms);
	if (tables->translation->ending.stop && tables->translation->ending.how == END_MEMORY)
		return NULL;
	return show(walked);
}

const struct gpuscope_walk *walk_of(struct keep *keep, struct gpuscope_gpu *gpu,
				    const struct gsc_translation *translation,
				    const struct gsc_walk *walk)
{
	struct gpuscope_walked *walked = keep_bytes(keep, sizeof(*walked));

	if (!walked)
		return NULL;
	walked->gpu = gpu;
	walked->translation = translation;
	walked->rooms = *walk;
	walked->rooms.steps = keep_copy(keep, walk->steps, walk->count * sizeof(*walk->steps));
	if (keep->failed)
		return NULL;
	/* The translation need not last as long. */
	flags_of(walked);
	walked->translation = NULL;
	return show(walked);
}

const char *gpuscope_walk_flags(const struct gpuscope_walk *walk)
{
	struct gpuscope_walked *walked = (struct gpuscope_walked *)walk->walked;

	if (!walked || !walk->mapped)
		return NULL;
	return some(walked->has_flags ? walked->flags : flags_of(walked));
}

/* ---- entries -------------------------------------------------------------------------------- */

/* An entry that is not valid leads nowhere, whatever its other bits say. */
static struct gpuscope_entry *entry_of(struct keep *keep, struct gpuscope_gpu *gpu,
				       const struct gsc_entry *entry)
{
	struct gpuscope_entry *out = keep_new(keep, struct gpuscope_entry);
	const uint32_t *words = keep_copy(keep, entry->words, sizeof(entry->words));
	pointer_vec problems = { 0 };
	char problem[256];

	if (!out || !words)
		return NULL;
	out->level = entry->level;
	out->held = entry->bytes;
	for (size_t i = 0; gsc_entry_problem(gsc_gpu_view(gpu->gpu), entry, i, problem,
					     sizeof(problem)); i++)
		pointers_add(keep, &problems, keep_text(keep, problem));
	out->problems = pointers_end(keep, &problems);
	if (!out->held)
		return out;
	out->entry = words[0] | (uint64_t)words[1] << 32;
	out->words = words;
	out->word_count = entry->bytes / 4;
	out->valid = entry->valid;
	out->decoded = decoded_of(keep, gpu, &entry->item, words, out->word_count);
	if (!entry->valid)
		return out;
	out->leaf = entry->leaf;
	out->next = entry->next;
	out->target_space = (enum gpuscope_space)entry->space;
	out->target = entry->address;
	out->page_size = entry->page_size;
	return out;
}

struct entries_list {
	struct gpuscope_list list;
	size_t count;
	struct gsc_step steps[];
};

static const void *entries_next(struct gpuscope_list *list)
{
	struct entries_list *entries = (struct entries_list *)list;
	const struct gsc_step *step = &entries->steps[list->at];
	struct gpuscope_entry *entry;

	if (list->at == entries->count)
		return NULL;
	entry = entry_of(&list->keep, list->gpu, &step->entry);
	if (!entry) {
		list->error = error_memory();
		return NULL;
	}
	entry->depth = step->depth;
	entry->index = step->index;
	entry->space = (enum gpuscope_space)step->space;
	entry->guest = step->guest;
	entry->table = step->table;
	entry->address = step->address;
	return entry;
}

/* The list has a copy: the next walk overwrites what this one has read. */
struct gpuscope_error *gpuscope_walk_entries(const struct gpuscope_walk *walk,
					     struct gpuscope_list **out)
{
	const struct gpuscope_walked *walked = walk->walked;
	struct entries_list *list;
	size_t bytes;

	*out = NULL;
	if (!walked)
		return error_make(GPUSCOPE_STATUS_USAGE, "walk",
				  "it does not come from gpuscope_walk()");
	bytes = walked->rooms.count * sizeof(*list->steps);
	list = list_new(sizeof(*list) + bytes, entries_next, NULL, walked->gpu, NULL);
	if (!list)
		return error_memory();
	list->count = walked->rooms.count;
	if (bytes)
		memcpy(list->steps, walked->rooms.steps, bytes);
	*out = &list->list;
	return NULL;
}

struct gpuscope_error *gpuscope_entry_decode(struct gpuscope_gpu *gpu, enum gpuscope_mode mode,
					     const char *level, const uint32_t *words,
					     size_t count, struct gpuscope_list **out)
{
	struct made_list *list;
	enum gsc_status status;
	struct gsc_entry entry;
	struct gsc_error err;

	*out = NULL;
	if (!count)
		return error_make(GPUSCOPE_STATUS_USAGE, "entry",
				  "expected its dwords, lowest first");
	status = gsc_entry_decode(gsc_gpu_view(gpu->gpu), (enum gsc_mode)mode, level ? level : "",
				  words, count, &entry, &err);
	if (status)
		return error_of(status, &err);
	list = made_list_new(gpu, NULL);
	if (!list)
		return error_memory();
	made_list_add(list, entry_of(made_list_keep(list), gpu, &entry));
	return made_list_done(list, GSC_OK, NULL, out);
}
