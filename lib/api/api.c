/* SPDX-License-Identifier: MIT */
/* Errors, lists, findings. */
#include "api/api.h"

#include <stdio.h>
#include <string.h>

const char *gpuscope_version(void)
{
	return GSC_VERSION;
}

/* ---- errors --------------------------------------------------------------------------------- */

struct gpuscope_error {
	enum gpuscope_status status;
	const char *what, *why;		/* in the bytes behind it */
};

/* What is returned if there is not even memory for an error; it is neither changed nor freed. */
static const struct gpuscope_error out_of_memory = {
	GPUSCOPE_STATUS_NO_MEMORY, "memory", "not enough of it"
};

struct gpuscope_error *error_memory(void)
{
	return (struct gpuscope_error *)&out_of_memory;
}

static struct gpuscope_error *error_new(enum gpuscope_status status, const char *what,
					const char *why)
{
	size_t first = strlen(what) + 1, second = strlen(why) + 1;
	struct gpuscope_error *error = malloc(sizeof(*error) + first + second);
	char *texts = (char *)(error + 1);

	if (!error)
		return error_memory();
	memcpy(texts, what, first);
	memcpy(texts + first, why, second);
	*error = (struct gpuscope_error){ status, texts, texts + first };
	return error;
}

_Static_assert((int)GPUSCOPE_STATUS_FAILED == (int)GSC_FAILED &&
	       (int)GPUSCOPE_STATUS_USAGE == (int)GSC_USAGE &&
	       (int)GPUSCOPE_STATUS_UNKNOWN == (int)GSC_UNKNOWN &&
	       (int)GPUSCOPE_STATUS_DENIED == (int)GSC_DENIED &&
	       (int)GPUSCOPE_STATUS_GONE == (int)GSC_GONE &&
	       (int)GPUSCOPE_STATUS_PARTIAL == (int)GSC_PARTIAL, "enum gpuscope_status");

struct gpuscope_error *error_of(enum gsc_status status, const struct gsc_error *err)
{
	if (status && err_is_memory(err))
		return error_memory();
	return status ? error_new((enum gpuscope_status)status, err->what, err->why) : NULL;
}

struct gpuscope_error *error_make(enum gpuscope_status status, const char *what, const char *why,
				  ...)
{
	char text[512];
	va_list list;

	va_start(list, why);
	vsnprintf(text, sizeof(text), why, list);
	va_end(list);
	return error_new(status, what, text);
}

struct gpuscope_error *error_of_names(const char *const *names, size_t count, const char *what)
{
	for (size_t i = 0; i < count; i++)
		if (!names || !names[i])
			return error_make(GPUSCOPE_STATUS_USAGE, what, "number %zu is NULL", i);
	return NULL;
}

enum gpuscope_status gpuscope_error_status(const struct gpuscope_error *error)
{
	return error->status;
}

const char *gpuscope_error_what(const struct gpuscope_error *error)
{
	return error->what;
}

const char *gpuscope_error_why(const struct gpuscope_error *error)
{
	return error->why;
}

void gpuscope_error_free(struct gpuscope_error *error)
{
	if (error != &out_of_memory)
		free(error);
}

/* ---- structures that the program fills ------------------------------------------------------- */

struct gpuscope_error *options_copy(void *to, size_t size, const void *from, const char *what)
{
	const size_t *given = from;

	memset(to, 0, size);
	if (!from)
		return NULL;
	if (*given < sizeof(*given))
		return error_make(GPUSCOPE_STATUS_USAGE, what,
				  "size is %zu: set it to sizeof the structure", *given);
	if (*given > size && !bytes_are_zero((const char *)from + size, *given - size))
		return error_make(GPUSCOPE_STATUS_USAGE, what, "they have members that this "
				  "version of the library does not know: %s", GSC_VERSION);
	memcpy(to, from, MIN(size, *given));
	return NULL;
}

/* ---- lists ---------------------------------------------------------------------------------- */

void *list_new(size_t size, const void *(*next)(struct gpuscope_list *list),
	       void (*free)(struct gpuscope_list *list), struct gpuscope_gpu *gpu,
	       struct gpuscope_db *db)
{
	struct gpuscope_list *list = calloc(1, size);

	if (!list)
		return NULL;
	list->next = next;
	list->free = free;
	list->gpu = gpu ? gpu_hold(gpu) : NULL;
	list->db = db;
	if (db)
		refs_add(&db->refs);
	return list;
}

const void *list_end(struct gpuscope_list *list, enum gsc_status status,
		     const struct gsc_error *err)
{
	list->error = error_of(status, err);
	return NULL;
}

const void *gpuscope_next(struct gpuscope_list *list)
{
	const void *item;

	if (list->over)
		return NULL;
	keep_clear(&list->keep);
	item = list->next(list);
	list->at++;
	/* Whether or not there is an item, the list is not complete. */
	if (list->keep.failed) {
		list->error = list->error ? list->error : error_memory();
		item = NULL;
	}
	list->over = !item;
	return item;
}

const struct gpuscope_error *gpuscope_list_error(const struct gpuscope_list *list)
{
	return list->over ? list->error : NULL;
}

void gpuscope_list_free(struct gpuscope_list *list)
{
	if (!list)
		return;
	if (list->free)
		list->free(list);
	keep_free(&list->keep);
	gpuscope_error_free(list->error);
	gpuscope_gpu_free(list->gpu);
	gpuscope_db_free(list->db);
	free(list);
}

/* ---- lists that are made at once ------------------------------------------------------------ */

struct made_list {
	struct gpuscope_list list;
	struct keep keep;		/* of all items */
	pointer_vec items;
};

static const void *made_next(struct gpuscope_list *list)
{
	struct made_list *made = (struct made_list *)list;

	return list->at < made->items.count ? made->items.items[list->at] : NULL;
}

static void made_free(struct gpuscope_list *list)
{
	struct made_list *made = (struct made_list *)list;

	keep_free(&made->keep);
	vec_free(&made->items);
}

struct made_list *made_list_new(struct gpuscope_gpu *gpu, struct gpuscope_db *db)
{
	return list_new(sizeof(struct made_list), made_next, made_free, gpu, db);
}

struct keep *made_list_keep(struct made_list *list)
{
	return &list->keep;
}

void made_list_add(struct made_list *list, const void *item)
{
	pointers_add(&list->keep, &list->items, item);
}

struct gpuscope_error *made_list_done(struct made_list *list, enum gsc_status status,
				      const struct gsc_error *err, struct gpuscope_list **out)
{
	*out = NULL;
	if (!list)
		return error_memory();
	if (list->keep.failed || (status && status != GSC_PARTIAL)) {
		struct gpuscope_error *error = list->keep.failed ? error_memory()
								  : error_of(status, err);

		gpuscope_list_free(&list->list);
		return error;
	}
	list->list.error = error_of(status, err);
	*out = &list->list;
	return NULL;
}

/* ---- findings -------------------------------------------------------------------------------- */

const struct gpuscope_finding *finding_of(struct keep *keep, const struct gsc_breach *breach)
{
	struct gpuscope_finding *finding = keep_new(keep, struct gpuscope_finding);

	if (finding)
		*finding = (struct gpuscope_finding){
			.size = sizeof(*finding),
			.rule = breach->rule,
			.unchecked = breach->unchecked,
			.note = breach->note,
			.where = keep_text(keep, breach->where),
			.text = keep_text(keep, breach->text),
			.document = breach->document,
			.section = breach->section,
		};
	return finding;
}

bool made_list_breach(void *context, const struct gsc_breach *breach)
{
	struct made_list *list = context;

	made_list_add(list, finding_of(made_list_keep(list), breach));
	return !made_list_keep(list)->failed;
}
