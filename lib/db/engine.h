/* SPDX-License-Identifier: MIT */
/*
 * Engines by name and number: "rcs0" is an engine, "rcs" its class. What users and drivers call
 * them, and the numbers that drivers give them, are in data/engines.def; no database is needed.
 */
#ifndef GSC_DB_ENGINE_H
#define GSC_DB_ENGINE_H

#include "db/blob.h"
#include "util/text.h"

#define ENGINE_NAME 16			/* room for "gsccs15" */

/* Accepts "rcs", "rcs0" or, as some kernels print it, "rcs'0". */
bool take_engine(struct slice *text, char name[ENGINE_NAME]);

/* Accepts what older kernels write: "render" is rcs0. */
bool take_engine_alias(struct slice *text, char name[ENGINE_NAME]);
/* "bsd1" is vcs1; whatever is no alias of a class is copied. "": it does not fit. */
void engine_plain_name(const char *text, char *name, size_t size);

/* The class of "rcs0" or "rcs"; ENGINE_CLASSES for anything else. */
enum engine_class engine_class_of(const char *name);
bool engine_is_media(const char *name);

/* What a driver means by a number, "vcs" or "vcs1"; NULL if it means nothing. */
const char *engine_by_number(enum engine_number kind, uint64_t number);
/* The number of an engine, or of its class; false if neither has one of this kind. */
bool engine_number(const char *name, enum engine_number kind, unsigned *number);

/*
 * The bit of an engine's class, *instance being its number or -1: any; -1 if there is no such
 * engine. "vcs1" and, as users may write it, "bsd1".
 */
GSC_API int gsc_engine_parse(const char *text, int *instance);
GSC_API const char *gsc_engine_title(const char *engine);	/* "render engine" of "rcs0" */

#endif
