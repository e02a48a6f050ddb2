/* SPDX-License-Identifier: MIT */
/* Files of definitions: added to the built-in ones, and checked. */
#ifndef GSC_DBC_FILES_H
#define GSC_DBC_FILES_H

#include "db/item.h"

/*
 * Adds a file of definitions in the language of gpuscope-def(5). It is searched before the built-in
 * definitions, and after the files added earlier. Add files before making views.
 */
GSC_API enum gsc_status gsc_db_add_file(struct gsc_db *db, const char *path, struct gsc_error *err);

/* Something wrong with a file of definitions. */
struct gsc_finding {
	const char *file;		/* "" if it concerns no single file */
	unsigned line, column;
	const char *rule;		/* "syntax", "address", "field-overlap", ... */
	const char *text;		/* what is there, and what was expected */
	const char *source;		/* the line, or NULL */
};

/*
 * Everything wrong with definition files that are used beside the built-in ones. Read with
 * gsc_finding_at() until NULL.
 */
struct gsc_findings;
GSC_API enum gsc_status gsc_check_files(struct gsc_findings **findings, const struct gsc_db *db,
					const char *const *paths, size_t count,
					struct gsc_error *err);
GSC_API const struct gsc_finding *gsc_finding_at(const struct gsc_findings *findings, size_t i);
/* How many definitions of a kind one of the files has. */
GSC_API size_t gsc_findings_items(const struct gsc_findings *findings, const char *path,
				  enum gsc_kind kind);
GSC_API void gsc_findings_free(struct gsc_findings *findings);

#endif
