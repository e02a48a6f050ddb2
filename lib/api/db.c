/* SPDX-License-Identifier: MIT */
/* Definitions and platforms. */
#include "api/api.h"

#include "db/db.h"

#include <string.h>

struct gpuscope_error *gpuscope_db_new(const char *const *files, size_t count,
				       struct gpuscope_db **out)
{
	struct gpuscope_db *db = calloc(1, sizeof(*db));
	struct gsc_error err;
	enum gsc_status status;

	*out = NULL;
	if (!db)
		return error_memory();
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
	if (!db || --db->refs)
		return;
	gsc_db_free(db->db);
	vec_free(&db->platforms);
	keep_free(&db->keep);
	free(db);
}

struct gpuscope_error *db_hold(struct gpuscope_db *db, struct gpuscope_db **held)
{
	*held = db;
	if (!db)
		return gpuscope_db_new(NULL, 0, held);
	db->refs++;
	return NULL;
}
