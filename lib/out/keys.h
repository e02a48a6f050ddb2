/* SPDX-License-Identifier: MIT */
/*
 * The keys of JSON, a row each: how it is written, and what its schema says. The compiler makes
 * calls of gsc_json_*() of the rows; data/schema/schema.py reads them and makes the schemas.
 *
 *	KEYS(fence, "start to end (exclusive) of graphics addresses; pitch in bytes.")
 *	static void json_fence(struct gsc_json *json, const struct gsc_fence *fence)
 *	{
 *		KEY(number, "index", fence->index, MAX(31));
 *		KEY_OR_NULL(fence->valid, hex, "start", fence->start);
 *	}
 *
 * KEYS() comes before a function that writes members of an object, which is `json` there. Several
 * with one name add up, in another file with MORE. KEYS() without a name: who calls the function
 * has its keys. SCHEMA() makes a file, which needs no other: a document has one of its FORMS().
 *
 * Kinds: text; text_or_null, of NULL; some_text, null if empty, too; hex; number; flag; seconds;
 * object, whose value is the call that writes it; null.
 *
 * Only the schema has what follows the value:
 *	"..."			a description
 *	ONE_OF("a", 4)		its words; ONE_OF(gsc_x_word): those of the function
 *	PATTERN("..."), MIN(1), MAX(63), MULTIPLE_OF(8), MIN_LENGTH(1)
 *	TYPE("integer", "string")
 *	OF(table, ...)		what the elements of an array are, or an object
 *	MIN_ITEMS(1), MAX_ITEMS(3), UNIQUE
 *	OPTIONAL		not always there
 *	OR_NULL
 * and of KEYS() RULE("..."), JSON with ' for ".
 */
#ifndef GSC_OUT_KEYS_H
#define GSC_OUT_KEYS_H

#include "out/out.h"

#define SCHEMA(file, ...)
#define KEYS(...)

#define KEY(kind, key, value, ...) JSON_##kind(key, value)

#define KEY_OR_NULL(known, kind, key, value, ...) \
	do { \
		if (known) \
			JSON_##kind(key, value); \
		else \
			gsc_json_null(json, key); \
	} while (0)

/* An array; `loop` is for (...) or while (...). */
#define KEY_EACH(kind, key, loop, value, ...) \
	do { \
		gsc_json_array(json, key); \
		loop \
			JSON_##kind(NULL, value); \
		gsc_json_array_end(json); \
	} while (0)

/* The beginning of an array, and of the list of a document; their ends are calls. */
#define KEY_ARRAY(key, ...) gsc_json_array(json, key)
#define KEY_LIST(key, ...) gsc_json_list(json, key)
/* The key itself, for a function that writes it. */
#define KEY_NAME(kind, key, ...) key
/* The same for the row of a table: an array, which is all that KEYS(table) would have. */
#define LISTING(table, key, ...) key
/* The keys of a table that another function writes. */
#define KEYS_OF(table)

#define JSON_text(key, value) gsc_json_string(json, key, value)
#define JSON_text_or_null(key, value) gsc_json_string(json, key, value)
#define JSON_some_text(key, value) json_some_text(json, key, value)
#define JSON_hex(key, value) gsc_json_hex(json, key, value)
#define JSON_number(key, value) gsc_json_number(json, key, value)
#define JSON_flag(key, value) gsc_json_bool(json, key, value)
#define JSON_thousandths(key, value) gsc_json_thousandths(json, key, value)
#define JSON_null(key, value) gsc_json_null(json, key)
#define JSON_object(key, value) \
	do { \
		gsc_json_object(json, key); \
		value; \
		gsc_json_object_end(json); \
	} while (0)

/* An element of an array that a call writes. */
#define ITEM(call) JSON_object(NULL, call)

static inline void json_some_text(struct gsc_json *json, const char *key, const char *text)
{
	gsc_json_string(json, key, text && *text ? text : NULL);
}

#endif
