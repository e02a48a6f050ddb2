/* SPDX-License-Identifier: MIT */
/* Definitions and platforms. */
#include "api/api.h"

#include "db/db.h"
#include "db/words.h"
#include "dbc/files.h"

#include <string.h>

struct gpuscope_error *gpuscope_db_new(const char *const *files, size_t count,
				       struct gpuscope_db **out)
{
	struct gpuscope_error *error = error_of_names(files, count, "files");
	struct gpuscope_db *db = error ? NULL : calloc(1, sizeof(*db));
	struct gsc_error err;
	enum gsc_status status;

	*out = NULL;
	if (!db)
		return error ? error : error_memory();
	db->refs = 1;
	status = gsc_db_new(&db->db, &err);
	/* Of the rooms' files the earlier ones come first, too. */
	for (size_t i = 0; i < count && !status; i++)
		status = gsc_db_add_file(db->db, files[i], &err);
	if (status) {
		gpuscope_db_free(db);
		return error_of(status, &err);
	}
	*out = db;
	return NULL;
}

void gpuscope_db_free(struct gpuscope_db *db)
{
	if (!db || !refs_drop(&db->refs))
		return;
	gsc_db_free(db->db);
	free(db->platforms);
	keep_free(&db->keep);
	free(db);
}

struct gpuscope_error *db_hold(struct gpuscope_db *db, struct gpuscope_db **held)
{
	*held = db;
	if (!db)
		return gpuscope_db_new(NULL, 0, held);
	refs_add(&db->refs);
	return NULL;
}

/* ---- platforms ------------------------------------------------------------------------------- */

static const struct gpuscope_platform *platform_new(struct keep *keep, const struct gsc_db *db,
						    unsigned index)
{
	struct gpuscope_platform *platform = keep_new(keep, struct gpuscope_platform);
	struct gsc_platform p;
	pointer_vec names = { 0 };
	const char *name;

	if (!platform || !gsc_platform_at(db, index, &p))
		return NULL;
	platform->name = p.name;
	platform->title = p.title;
	platform->graphics = p.graphics;
	platform->media = p.media;
	platform->display = p.display;
	platform->discrete = p.flags & GSC_PLATFORM_DISCRETE;
	platform->local_memory = p.flags & GSC_PLATFORM_LMEM;
	platform->address_bits = p.address_bits;
	platform->virtual_bits = p.virtual_bits;
	for (size_t i = 0; (name = gsc_platform_engine(db, index, i, NULL)); i++)
		pointers_add(keep, &names, name);
	platform->engines = pointers_end(keep, &names);
	return platform;
}

const struct gpuscope_platform *known_platform(struct gpuscope_db *db, unsigned index)
{
	const struct gpuscope_platform *platform;

	if (!db->platforms)
		db->platforms = calloc(gsc_platform_count(db->db) + 1, sizeof(*db->platforms));
	if (!db->platforms || index >= gsc_platform_count(db->db))
		return NULL;
	if (!db->platforms[index]) {
		/* What fails now may succeed later. */
		db->keep.failed = false;
		platform = platform_new(&db->keep, db->db, index);
		if (!db->keep.failed)
			db->platforms[index] = platform;
	}
	return db->platforms[index];
}

struct gpuscope_error *gpuscope_platforms(struct gpuscope_db *db, const char *name,
					  struct gpuscope_list **out)
{
	struct gpuscope_error *error = db_hold(db, &db);
	struct gsc_platform wanted = { .index = 0 };
	struct made_list *list;
	struct gsc_error err;
	unsigned i = 0, end;
	int device;

	*out = NULL;
	if (error)
		return error;
	end = gsc_platform_count(db->db);
	if (name && gsc_platform_find(db->db, name, &wanted, &device, &err)) {
		end = 0;
	} else if (name) {
		i = wanted.index;
		end = i + 1;
	}
	list = made_list_new(NULL, db);
	for (; list && i < end; i++)
		made_list_add(list, known_platform(db, i));
	gpuscope_db_free(db);
	return made_list_done(list, GSC_OK, NULL, out);
}

/* ---- definitions ----------------------------------------------------------------------------- */

_Static_assert((int)GPUSCOPE_KIND_REGISTER == (int)GSC_REGISTER &&
	       (int)GPUSCOPE_KIND_COMMAND == (int)GSC_COMMAND &&
	       (int)GPUSCOPE_KIND_STRUCTURE == (int)GSC_STRUCTURE &&
	       (int)GPUSCOPE_KIND_ENTRY == (int)GSC_ENTRY &&
	       (int)GPUSCOPE_KIND_INSTRUCTION == (int)GSC_INSTRUCTION &&
	       (int)GPUSCOPE_KIND_TOPIC == (int)GSC_TOPIC, "enum gpuscope_kind");

const char *gpuscope_kind_word(enum gpuscope_kind kind)
{
	return (unsigned)kind <= GPUSCOPE_KIND_TOPIC
		       ? gsc_kind_word((enum gsc_kind)kind) : NULL;
}

struct definitions_list {
	struct gpuscope_list list;
	enum gsc_kind kind;
	char *name;			/* NULL: all */
	uint64_t platforms;		/* those of which one must have it */
	size_t next;
};

static bool is_called(const struct gsc_db *db, const struct gsc_item *item, const char *name)
{
	const char *alias;

	if (!name || glob_match(name, item->name))
		return true;
	for (size_t i = 0; (alias = gsc_item_alias(db, item, i, NULL)); i++)
		if (glob_match(name, alias))
			return true;
	return false;
}

static const void *definition_next(struct gpuscope_list *list)
{
	struct definitions_list *all = (struct definitions_list *)list;
	const struct gsc_db *db = list->db->db;
	struct gpuscope_definition *definition;
	struct gpuscope_decoded *decoded;
	struct gsc_item item;
	pointer_vec names = { 0 };
	struct gsc_platform p;

	do {
		if (!gsc_item_at(db, all->kind, all->next++, &item))
			return NULL;
	} while (!(item.platforms & all->platforms) || !is_called(db, &item, all->name));
	definition = keep_new(&list->keep, struct gpuscope_definition);
	decoded = keep_bytes(&list->keep, sizeof(*decoded));
	if (!definition || !decoded)
		return NULL;
	*decoded = (struct gpuscope_decoded){ .db = list->db, .item = item };
	definition->kind = (enum gpuscope_kind)item.kind;
	definition->name = item.name;
	definition->doc = item.doc;
	definition->group = item.group;
	definition->group_title = item.group_title;
	definition->document = item.document;
	definition->section = item.section;
	for (unsigned i = 0; gsc_platform_at(db, i, &p); i++)
		if (item.platforms >> i & 1)
			pointers_add(&list->keep, &names, p.name);
	definition->platforms = pointers_end(&list->keep, &names);
	definition->bits = item.bits;
	definition->decoded = decoded;
	return definition;
}

static void definitions_free(struct gpuscope_list *list)
{
	free(((struct definitions_list *)list)->name);
}

struct gpuscope_error *gpuscope_definitions(struct gpuscope_db *db, enum gpuscope_kind kind,
					    const char *name, const char *platform,
					    struct gpuscope_list **out)
{
	struct definitions_list *list;
	struct gpuscope_error *error;
	struct gsc_platform wanted;
	struct gsc_error err;
	int device;

	*out = NULL;
	if ((unsigned)kind > GPUSCOPE_KIND_TOPIC)
		return error_make(GPUSCOPE_STATUS_USAGE, "kind", "there is no kind %d", (int)kind);
	error = db_hold(db, &db);
	if (error)
		return error;
	if (platform)
		error = error_of(gsc_platform_find(db->db, platform, &wanted, &device, &err),
				 &err);
	list = error ? NULL : list_new(sizeof(*list), definition_next, definitions_free, NULL, db);
	if (list) {
		list->kind = (enum gsc_kind)kind;
		list->platforms = platform ? UINT64_C(1) << wanted.index : UINT64_MAX;
		list->name = name ? strdup(name) : NULL;
		if (name && !list->name) {
			gpuscope_list_free(&list->list);
			list = NULL;
		}
	}
	gpuscope_db_free(db);
	if (!list)
		return error ? error : error_memory();
	*out = &list->list;
	return NULL;
}
