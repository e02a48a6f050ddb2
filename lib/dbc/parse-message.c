/* SPDX-License-Identifier: MIT */
/* Messages of kernel logs, and what can be wrong with them. */
#include "dbc/build.h"

#include "db/db.h"
#include "db/message.h"

#include <string.h>

#define EXPECTED                                                                                   \
	"type=, kind=, rank=, driver=, after=, by=, certain, anyone, wedged, engine or a \"text\""

const struct attribute message_words[] = {
	STRING_OF("type", struct b_message, type), STRING_OF("driver", struct b_message, driver),
	STRING_OF("after", struct b_message, after),
	{ ATTRIBUTE_ONE_OF, "kind", TO_MEMBER(struct b_message, kind), 0, GSC_EVENT_KINDS,
	  event_kinds },
	{ ATTRIBUTE_ONE_OF, "rank", TO_MEMBER(struct b_message, rank), 0, GSC_EVENT_HARMLESS,
	  event_ranks },
	{ ATTRIBUTE_ONE_OF, "by", TO_MEMBER(struct b_message, handler), 0, ON_HANDLERS,
	  message_handlers },
	SET_OF("certain", struct b_message, use, MESSAGE_CERTAIN),
	SET_OF("anyone", struct b_message, use, MESSAGE_ANYONE),
	SET_OF("wedged", struct b_message, wedged, 1),
	SET_OF("engine", struct b_message, needs_engine, 1), TEXT_OF(struct b_message, text), { 0 },
};

/*
 * message "WORDS" [type=WORD] [kind=WORD] [rank=WORD] [driver=WORD] [after=WORD] [by=HANDLER]
 * [certain|anyone] [wedged] [engine] "what it means"
 * harmless "WORDS" [type=WORD] [driver=WORD] [after=WORD] "because ..."
 */
void parse_message(struct build *b, const struct line *line, struct scope *scope)
{
	const struct word *words = word_at(line, 1);
	struct b_message m = scope->message;

	m.file = file_string(b);
	m.line = line->number;
	m.origin = scope->origin;
	if (!words->quoted) {
		expected(b, words, "the \"words\" of the message");
		return;
	}
	m.words = word_string(b, words);
	parse_attributes(b, word_at(line, 2), message_words, &m, NULL, EXPECTED);
	if (m.handler == ON_log_harmless) {
		expected(b, words, "`harmless` instead of by=log_harmless");
		return;
	}
	if (word_is(line->word, "harmless")) {
		m.handler = ON_log_harmless;
		m.rank = GSC_EVENT_HARMLESS;
	}
	if (strlen(build_text(b, m.words)) < MESSAGE_SHORTEST || words->length > MESSAGE_LONGEST)
		expected(b, words, "words of 8 to 60 bytes");
	else if (!m.text)
		expected(b, word_at(line, line->count), "a \"text\" that says what it means");
	else
		build_add(b, messages, m);
}

/* ---- the index ------------------------------------------------------------------------------ */

void index_messages(struct build *b)
{
	uint16_t *index;

	if (!b->messages.count)
		return;
	while (b->message_index.count < MESSAGE_PAIRS)
		if (!build_add(b, message_index, (uint16_t)(MESSAGE_SHORTEST - 1)))
			return;
	index = b->message_index.items;
	/* Of one pair the first message comes first: those after it have higher numbers. */
	for (size_t i = MIN(b->messages.count, UINT16_MAX - MESSAGE_SHORTEST); i-- > 0;) {
		struct b_message *m = &b->messages.items[i];
		const char *words = build_text(b, m->words);
		uint16_t *first = &index[message_pair(words + MESSAGE_PAIR_AT)];

		m->next = *first < MESSAGE_SHORTEST ? 0 : *first - MESSAGE_SHORTEST;
		*first = (uint16_t)(MESSAGE_SHORTEST + i);
		for (uint16_t n = 1; n <= MESSAGE_PAIR_AT; n++) {
			uint16_t *shift = &index[message_pair(words + MESSAGE_PAIR_AT - n)];

			*shift = *shift < MESSAGE_SHORTEST ? MIN(*shift, n) : *shift;
		}
	}
}

/* ---- what can be wrong ---------------------------------------------------------------------- */

#define ABOUT(b, rule, m, text, ...)                                                               \
	finding_in(b, rule, build_text(b, (m)->file), (m)->line, "message \"%s\" " text,          \
		   build_text(b, (m)->words), ##__VA_ARGS__)

/* Equal strings are stored once. */
static int by_words(const void *pa, const void *pb)
{
	const struct b_message *a = *(const struct b_message *const *)pa;
	const struct b_message *b = *(const struct b_message *const *)pb;

	if (a->words != b->words)
		return a->words < b->words ? -1 : 1;
	if (a->driver != b->driver)
		return a->driver < b->driver ? -1 : 1;
	return a < b ? -1 : a > b;
}

void check_messages(struct build *b)
{
	const struct b_message **order = calloc(b->messages.count + 1, sizeof(*order));
	bool named[ON_HANDLERS] = { false }, any = false;

	b->failed |= !order;
	for (size_t i = 0; order && i < b->messages.count; i++) {
		order[i] = &b->messages.items[i];
		named[order[i]->handler] = true;
		any |= order[i]->handler != ON_NONE && order[i]->handler != ON_log_harmless;
		if (order[i]->origin == NONE)
			ABOUT(b, "origin", order[i],
			      "has no origin, expected an `origin` line before it");
	}
	if (order)
		qsort(order, b->messages.count, sizeof(*order), by_words);
	for (size_t i = 1; order && i < b->messages.count; i++)
		if (order[i]->words == order[i - 1]->words &&
		    order[i]->driver == order[i - 1]->driver)
			ABOUT(b, "message", order[i], "is also in %s:%u, expected one",
			      build_text(b, order[i - 1]->file), order[i - 1]->line);
	/* What library and built-in definitions must agree on. */
	for (unsigned i = ON_NONE + 1; any && b->platforms.count && i < ON_HANDLERS; i++)
		if (!named[i])
			ABOUT(b, "message", &b->messages.items[0], "and all others lack by=%s, "
			      "which lib/log has: expected one with it", message_handlers[i]);
	free(order);
}
