/* SPDX-License-Identifier: MIT */
/* A string that is the end of another one has no bytes of its own: how the build saves them. */
#include "dbc/build.h"

#include <string.h>

struct tail {
	str_t from, to;			/* offsets in the strings before, and after */
	uint32_t host;			/* the string whose end it is, perhaps itself */
};

struct tails {
	const char *strings;
	struct tail *items;
	uint32_t *hosts;		/* in the order in which they were met */
	uint32_t count, host_count;
};

static const char *tail_text(const struct tails *t, uint32_t i)
{
	return t->strings + t->items[i].from;
}

/* Compares from the last letter to the first: strings with the same end become neighbours. */
static int compare_ends(const void *pa, const void *pb, void *strings)
{
	const char *a = (const char *)strings + ((const struct tail *)pa)->from;
	const char *b = (const char *)strings + ((const struct tail *)pb)->from;
	size_t i = strlen(a), k = strlen(b);

	while (i && k)
		if (a[--i] != b[--k])
			return (uint8_t)a[i] < (uint8_t)b[k] ? -1 : 1;
	return (i > k) - (i < k);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), tail = strlen(end);

	return length >= tail && !memcmp(text + length - tail, end, tail);
}

static int compare_hosts(const void *pa, const void *pb, void *items)
{
	const struct tail *tails = items;
	str_t a = tails[*(const uint32_t *)pa].from, b = tails[*(const uint32_t *)pb].from;

	return (a > b) - (a < b);
}

static void collect(struct tails *t, const struct build *from)
{
	for (size_t i = 0; i < from->string_slot_count; i++)
		if (from->string_slots[i])
			t->items[t->count++].from = from->string_slots[i];
	qsort_r(t->items, t->count, sizeof(*t->items), compare_ends, from->strings.items);
	for (uint32_t i = t->count; i-- > 0;) {
		bool shared = i + 1 < t->count && ends_with(tail_text(t, i + 1), tail_text(t, i));

		t->items[i].host = shared ? t->items[i + 1].host : i;
		if (!shared)
			t->hosts[t->host_count++] = i;
	}
	qsort_r(t->hosts, t->host_count, sizeof(*t->hosts), compare_hosts, t->items);
}

static bool lay_out(struct tails *t, struct build *b)
{
	for (uint32_t i = 0; i < t->host_count; i++) {
		const char *text = tail_text(t, t->hosts[i]);

		t->items[t->hosts[i]].to = build_string(b, text, strlen(text));
	}
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t host = t->items[i].host;

		if (host != i && !build_take_string(b, t->items[host].to +
						    (uint32_t)(strlen(tail_text(t, host)) -
							       strlen(tail_text(t, i)))))
			return false;
	}
	return !b->failed;
}

bool build_share_tails(struct build *b, const struct build *from)
{
	struct tails t = {
		.strings = from->strings.items,
		.items = calloc(from->string_count + 1, sizeof(*t.items)),
		.hosts = calloc(from->string_count + 1, sizeof(*t.hosts)),
	};
	bool ok = t.items && t.hosts;

	if (ok)
		collect(&t, from);
	ok = ok && lay_out(&t, b);
	free(t.items);
	free(t.hosts);
	return ok;
}
