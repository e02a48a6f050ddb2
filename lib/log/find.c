/* SPDX-License-Identifier: MIT */
/* Finds the words of messages by the index that each layer of definitions has (db/message.h). */
#include "log/log.h"

#include "db/db.h"

static bool is_at(const struct layer *l, const struct b_message *m, const char *at, const char *end)
{
	const char *words = layer_text(l, m->words);
	size_t length = strlen(words);

	return (size_t)(end - at) >= length && !memcmp(at, words, length);
}

/* The first message whose words may be here; *step: how far to go on if there is none. */
static const struct b_message *candidate(const struct layer *l, const char *at, unsigned *step)
{
	*step = *LAYER_ITEM(l, B_MESSAGE_INDEX, uint16_t, message_pair(at + MESSAGE_PAIR_AT));
	return *step < MESSAGE_SHORTEST ? NULL :
	       LAYER_ITEM(l, B_MESSAGES, struct b_message, *step - MESSAGE_SHORTEST);
}

static const struct b_message *next_candidate(const struct layer *l, const struct b_message *m)
{
	return m->next ? LAYER_ITEM(l, B_MESSAGES, struct b_message, m->next) : NULL;
}

const char *finder_next(const struct gsc_db *db, const char *from, const char *end)
{
	const char *found = end;

	for (size_t i = 0; i < db_layer_count(db); i++) {
		const struct layer *l = db_layer(db, i);
		const char *at = layer_count(l, B_MESSAGES) ? from : end;
		const struct b_message *m;
		unsigned step;

		for (; at < found && end - at >= MESSAGE_SHORTEST; at += m ? 0 : step) {
			for (m = candidate(l, at, &step); m && !is_at(l, m, at, end);)
				m = next_candidate(l, m);
			step = step < MESSAGE_SHORTEST ? step : 1;
			found = m ? at : found;
		}
	}
	return found;
}

/* Those of the user come first: of equal ones that counts. */
size_t finder_message(const struct gsc_db *db, const char *at, const char *end, const char *driver)
{
	size_t found = 0, before = 0;
	unsigned best = 0, good, step;

	for (size_t i = 0; i < db_layer_count(db); i++) {
		const struct layer *l = db_layer(db, i);
		const struct b_message *m = NULL;

		if (layer_count(l, B_MESSAGES))
			m = candidate(l, at, &step);
		for (; m; m = next_candidate(l, m)) {
			const char *of = layer_text(l, m->driver);

			if (!is_at(l, m, at, end))
				continue;
			/* That of a driver is better than one of any, if they are equally long. */
			good = (unsigned)strlen(layer_text(l, m->words)) * 2 + (*of != 0);
			if (!*of || !strcmp(of, driver))
				good += UINT16_MAX;
			if (good <= best)
				continue;
			best = good;
			found = before + (size_t)(m - (const struct b_message *)
						  layer_section(l, B_MESSAGES));
		}
		before += layer_count(l, B_MESSAGES);
	}
	return found;
}
