/* SPDX-License-Identifier: MIT */
/*
 * Finds many words in one pass over a text, after Wu and Manber: the last two bytes of a window as
 * long as the shortest words say how far the window can move without missing any of them. If it
 * cannot move, all of its bytes say which words may begin there: nearly always none.
 */
#include "log/log.h"

#define WINDOW MESSAGE_SHORTEST
#define PAIRS 65536
#define SLOT_BITS 13
#define LAST UINT16_MAX

struct word {
	const char *text, *driver;
	uint16_t length;
	uint16_t next;			/* another one with the same slot, or LAST */
};

struct finder {
	uint8_t shift[PAIRS];		/* 0: a word may begin with this window */
	uint16_t first[1 << SLOT_BITS];
	struct word words[];		/* by the number of the message */
};

static unsigned pair_at(const char *at)
{
	return (unsigned)(uint8_t)at[0] | (unsigned)(uint8_t)at[1] << 8;
}

/* Of a window: Fibonacci hashing. */
static unsigned slot_at(const char *at)
{
	uint64_t bytes;

	_Static_assert(WINDOW == sizeof(bytes), "a window is a number");
	memcpy(&bytes, at, sizeof(bytes));
	return (unsigned)(bytes * UINT64_C(0x9e3779b97f4a7c15) >> (64 - SLOT_BITS));
}

struct finder *finder_new(const struct gsc_db *db)
{
	size_t count = MIN(message_count(db), (size_t)LAST);
	struct finder *finder;

	finder = calloc(1, sizeof(*finder) + count * sizeof(*finder->words));
	if (!finder)
		return NULL;
	memset(finder->shift, WINDOW - 1, sizeof(finder->shift));
	memset(finder->first, 0xff, sizeof(finder->first));
	for (size_t i = count; i-- > 0;) {
		struct word *word = &finder->words[i];
		uint16_t *first;

		message_key(db, i, &word->text, &word->driver);
		first = &finder->first[slot_at(word->text)];
		word->length = (uint16_t)strlen(word->text);
		word->next = *first;
		*first = (uint16_t)i;
		for (unsigned n = 0; n + 1 < WINDOW; n++) {
			uint8_t *shift = &finder->shift[pair_at(word->text + n)];

			*shift = MIN(*shift, (uint8_t)(WINDOW - 2 - n));
		}
	}
	return finder;
}

void finder_free(struct finder *finder)
{
	free(finder);
}

static bool is_at(const struct word *word, const char *at, const char *end)
{
	return (size_t)(end - at) >= word->length && !memcmp(at, word->text, word->length);
}

const char *finder_next(const struct finder *finder, const char *at, const char *end)
{
	while (end - at >= WINDOW) {
		unsigned shift = finder->shift[pair_at(at + WINDOW - 2)];

		for (uint16_t i = shift ? LAST : finder->first[slot_at(at)]; i != LAST;
		     i = finder->words[i].next)
			if (is_at(&finder->words[i], at, end))
				return at;
		at += MAX(shift, 1u);
	}
	return end;
}

/* Those of the user come first: of equal ones that counts. */
size_t finder_message(const struct finder *finder, const char *at, const char *end,
		      const char *driver)
{
	unsigned best = 0, good;
	size_t found = 0;

	for (uint16_t i = finder->first[slot_at(at)]; i != LAST; i = finder->words[i].next) {
		const struct word *word = &finder->words[i];

		if (!is_at(word, at, end))
			continue;
		/* That of a driver is better than one of any, if they are equally long. */
		good = word->length * 2u + (*word->driver != 0);
		if (!*word->driver || !strcmp(word->driver, driver))
			good += UINT16_MAX;
		if (good > best) {
			best = good;
			found = i;
		}
	}
	return found;
}
