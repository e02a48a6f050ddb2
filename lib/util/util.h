/* SPDX-License-Identifier: MIT */
/*
 * util/: numbers, strings, growable arrays, errors. Nothing in this room knows what a GPU is, and
 * nothing here prints or exits. Each header has one concern; this one has what every file needs:
 * errors (error.h), arrays, small macros.
 */
#ifndef GSC_UTIL_H
#define GSC_UTIL_H

#include "util/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

/* A uint64_t for printf's %llu and %llx. */
#define LL(v) ((unsigned long long)(v))

/*
 * Growable array: VEC(int) v = {0}; *vec_add(&v) = 3; v.items[0], v.count. If memory is out,
 * vec_add returns NULL and the array is unchanged.
 */
#define VEC(type)                                                                                  \
	struct {                                                                                   \
		type *items;                                                                       \
		size_t count, room;                                                                \
	}

GSC_API bool vec_grow(void **items, size_t *room, size_t count, size_t more, size_t size);

static inline bool vec_room(void **items, size_t *room, size_t count, size_t more, size_t size)
{
	return *room - count >= more || vec_grow(items, room, count, more, size);
}

#define vec_reserve(v, more)                                                                       \
	vec_room((void **)&(v)->items, &(v)->room, (v)->count, (more), sizeof(*(v)->items))
#define vec_add(v) (vec_reserve(v, 1) ? &(v)->items[(v)->count++] : NULL)
/* Adds a value; false: memory is out. */
#define vec_push(v, ...)                                                                           \
	(vec_reserve(v, 1) && ((v)->items[(v)->count] = (__VA_ARGS__), (v)->count++, true))
#define vec_free(v) (free((v)->items), (v)->items = NULL, (v)->count = (v)->room = 0)
#define vec_sort(v, compare)                                                                       \
	((v)->count ? qsort((v)->items, (v)->count, sizeof(*(v)->items), (compare)) : (void)0)

/* Of sorted items: the first index from `low` on of which `before` is false; `high`: none. */
#define SEEK(i, low, high, before)                                                                 \
	({                                                                                         \
		size_t low_ = (low), high_ = (high);                                               \
                                                                                                   \
		while (low_ < high_) {                                                             \
			const size_t i = low_ + (high_ - low_) / 2;                                \
                                                                                                   \
			if (before)                                                                \
				low_ = i + 1;                                                      \
			else                                                                       \
				high_ = i;                                                         \
		}                                                                                  \
		low_;                                                                              \
	})

/* The bits of a value of 1, 2, 4 or 8 bytes. */
static inline uint64_t size_mask(unsigned size)
{
	return UINT64_MAX >> (64 - 8 * size);
}

/* The lowest bits, this many. */
static inline uint64_t bits_below(unsigned count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

GSC_API int64_t clock_ns(clockid_t clock);

/* All of it; errno says why not. */
GSC_API bool fd_write(int fd, const void *data, size_t size);

/* None has any other bit, or there are none. */
GSC_API bool bytes_are_zero(const void *data, size_t size);

/* Case-insensitive for ASCII only, whatever the locale. */
GSC_API int name_compare(const char *a, const char *b);
int name_compare_n(const char *a, const char *b, size_t n);

/* `*` and `?`, regardless of case. */
GSC_API bool glob_match(const char *pattern, const char *name);

/* Whether one of the patterns, separated by blanks, matches. */
GSC_API bool glob_list(const char *patterns, const char *name);

/* Whether a list of words, separated by commas, contains this one. */
GSC_API bool list_has(const char *list, const char *word);

/* Addresses, and what to say about them. */
struct span {
	uint64_t start, last;
	const char *text;
};

typedef VEC(struct span) span_vec;

/* Among sorted spans without overlaps: the first that ends at or after an address, or NULL. */
const struct span *span_from(const span_vec *spans, uint64_t address);

/* The distance of two names: edits, with an exchange of neighbours counting as one. */
GSC_API unsigned name_distance(const char *a, const char *b);

/*
 * For a command that is printed for pasting: the name, if a shell takes it unchanged and a tool
 * reads the file as we do; else the word FILE.
 */
GSC_API const char *name_to_paste(const char *name);

#endif
