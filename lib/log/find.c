/* SPDX-License-Identifier: MIT */
/*
 * Finds many words in one pass over a text, after Wu and Manber: the last two bytes of a window as
 * long as the shortest words say how far the window can move without missing any of them.
 */
#include "log/log.h"

#define PAIRS 65536
#define LAST UINT16_MAX

struct word {
	const struct log_words *words;
	size_t length;
	uint16_t next;			/* another one with the same pair, or LAST */
};

struct finder {
	uint8_t shift[PAIRS];		/* 0: words of `first` may end here */
	uint16_t first[PAIRS];
	size_t count;
	struct word words[];
};

static unsigned pair_at(const char *at)
{
	return (unsigned)(uint8_t)at[0] | (unsigned)(uint8_t)at[1] << 8;
}

struct finder *finder_new(const struct log_table *const *tables, size_t count)
{
	struct finder *finder;
	size_t words = 0;

	for (size_t i = 0; i < count; i++)
		words += tables[i]->count;
	finder = words < LAST ? calloc(1, sizeof(*finder) + words * sizeof(*finder->words)) : NULL;
	if (!finder)
		return NULL;
	memset(finder->shift, FIND_SHORTEST - 1, sizeof(finder->shift));
	memset(finder->first, 0xff, sizeof(finder->first));
	for (size_t table = 0; table < count; table++)
		for (size_t i = 0; i < tables[table]->count; i++) {
			const char *text = tables[table]->rows[i].words;
			uint16_t *first = &finder->first[pair_at(text + FIND_SHORTEST - 2)];

			finder->words[finder->count] = (struct word){ &tables[table]->rows[i],
								      strlen(text), *first };
			*first = (uint16_t)finder->count++;
			for (unsigned n = 0; n + 1 < FIND_SHORTEST; n++) {
				uint8_t *shift = &finder->shift[pair_at(text + n)];

				*shift = MIN(*shift, (uint8_t)(FIND_SHORTEST - 2 - n));
			}
		}
	return finder;
}

void finder_free(struct finder *finder)
{
	free(finder);
}

/* The longest, if one begins like another. */
static const struct log_words *word_at(const struct finder *finder, unsigned pair, const char *at,
				       const char *end)
{
	const struct word *longest = NULL;

	for (uint16_t i = finder->first[pair]; i != LAST; i = finder->words[i].next) {
		const struct word *word = &finder->words[i];

		if ((size_t)(end - at) >= word->length &&
		    !memcmp(at, word->words->words, word->length) &&
		    (!longest || word->length > longest->length))
			longest = word;
	}
	return longest ? longest->words : NULL;
}

const char *finder_next(const struct finder *finder, const char *at, const char *end,
			const struct log_words **words)
{
	while (end - at >= FIND_SHORTEST) {
		unsigned pair = pair_at(at + FIND_SHORTEST - 2);
		unsigned shift = finder->shift[pair];

		if (shift) {
			at += shift;
			continue;
		}
		*words = word_at(finder, pair, at, end);
		if (*words)
			return at;
		at++;
	}
	return end;
}
