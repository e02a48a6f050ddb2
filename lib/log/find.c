/* SPDX-License-Identifier: MIT */
/*
 * Finds many words in one pass over a text, after Wu and Manber: the last two bytes of a window as
 * long as the shortest words say how far the window can move without missing any of them.
 */
#include "log/log.h"

#define WINDOW MESSAGE_SHORTEST
#define PAIRS 65536
#define LAST UINT16_MAX

struct word {
	const char *text, *driver;
	uint16_t length;
	uint16_t next;			/* another one with the same pair, or LAST */
};

struct finder {
	uint8_t shift[PAIRS];		/* 0: words of `first` may end here */
	uint16_t first[PAIRS];
	struct word words[];		/* by the number of the message */
};

static unsigned pair_at(const char *at)
{
	return (unsigned)(uint8_t)at[0] | (unsigned)(uint8_t)at[1] << 8;
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
		first = &finder->first[pair_at(word->text + WINDOW - 2)];
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
		unsigned pair = pair_at(at + WINDOW - 2), shift = finder->shift[pair];

		for (uint16_t i = shift ? LAST : finder->first[pair]; i != LAST;
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

	for (uint16_t i = finder->first[pair_at(at + WINDOW - 2)]; i != LAST;
	     i = finder->words[i].next) {
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
