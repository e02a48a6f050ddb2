/* SPDX-License-Identifier: MIT */
/* The rings and the log of a GuC where they are wrapped, overwritten, cut or wrong. */
#include "guc/guc.h"

#include "test.h"

#include <stdlib.h>
#include <string.h>

#define SENT 1024u			/* dwords before the rings, of xe's two buffers */
#define RECEIVED 3072u
static const uint32_t sizes[GUC_DIRECTIONS] = { 1024, 4096 };
#define STATES 1024u			/* dwords before the parts of a log */
#define PART 256u

struct rings {
	uint32_t words[RECEIVED + 4096];
	uint32_t tails[GUC_DIRECTIONS];
};

/* A message with up to two dwords of data, over the end of its ring if need be. */
static void add(struct rings *r, enum guc_direction direction, uint32_t type, uint32_t action,
		uint32_t first, uint32_t second)
{
	uint32_t start = direction == GUC_SENT ? SENT : RECEIVED, size = sizes[direction];
	const uint32_t words[] = { 3, (uint32_t)direction << 31 | type << 28 | action, first,
				   second };

	for (size_t i = 0; i < 4; i++)
		r->words[start + (r->tails[direction] + i) % size] = words[i];
	r->tails[direction] = (r->tails[direction] + 4) % size;
}

static enum gsc_status read_rings(struct guc_ct *ct, struct rings *r)
{
	struct gsc_error err;

	r->words[0] = r->words[1] = r->tails[GUC_SENT];
	r->words[2560] = r->words[2561] = r->tails[GUC_RECEIVED];
	return guc_ct_read(ct, r->words, sizeof(r->words), &err);
}

static void test_wrapped(void)
{
	struct rings r = { .tails = { 1022, 4094 } };
	struct guc_ct ct;

	/* What precedes is cut: the last dword of a message, whose header is gone. */
	add(&r, GUC_RECEIVED, 1, 0x8002, 0, 0);
	add(&r, GUC_RECEIVED, 1, 0x1008, 7, 0);
	r.words[RECEIVED + 500] = 0x12345678;
	CU_ASSERT_EQUAL(read_rings(&ct, &r), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(ct.messages.count, 2);
	CU_ASSERT_EQUAL(ct.messages.items[0].action, 0x8002);
	CU_ASSERT_EQUAL(ct.messages.items[0].offset, RECEIVED + 4094);
	CU_ASSERT_EQUAL(ct.messages.items[1].offset, RECEIVED + 2);
	CU_ASSERT_EQUAL(ct.words.items[ct.messages.items[1].first + 1], 7);
	CU_ASSERT(ct.rings[GUC_RECEIVED].wrapped);
	CU_ASSERT(ct.rings[GUC_RECEIVED].gap > 0);
	guc_ct_free(&ct);
}

/* Captures of the context that has the number now, of those that the GuC had room for. */
static void test_captures_of(void)
{
	struct rings r = { .tails = { 0, 0 } };
	struct guc_ct ct;

	add(&r, GUC_RECEIVED, 1, 0x8002, 0, 0);
	add(&r, GUC_RECEIVED, 1, 0x4600, 2, 0);
	add(&r, GUC_RECEIVED, 1, 0x8002, 1, 0);
	add(&r, GUC_RECEIVED, 1, 0x8002, 0, 0);
	add(&r, GUC_RECEIVED, 1, 0x4600, 3, 0);
	CU_ASSERT_EQUAL(read_rings(&ct, &r), GSC_OK);
	CU_ASSERT_EQUAL(guc_captures_of(&ct, 2), 1);
	CU_ASSERT_EQUAL(guc_captures_of(&ct, 3), 0);
	CU_ASSERT_EQUAL(guc_captures_of(&ct, 4), 2);
	guc_ct_free(&ct);
}

static void test_resets_alone(void)
{
	struct rings r = { .tails = { 0, 0 } };
	struct guc_ct ct;

	add(&r, GUC_RECEIVED, 1, 0x1008, 2, 0);
	add(&r, GUC_SENT, 2, 0x1001, 2, 0);
	CU_ASSERT_EQUAL(read_rings(&ct, &r), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(ct.messages.count, 2);
	CU_ASSERT_EQUAL(ct.messages.items[0].action, 0x1008);
	CU_ASSERT(!guc_resets_alone(&ct, &ct.messages.items[0]));
	guc_ct_free(&ct);
}

/* Head, tail and length beyond the ring; images of no known size. */
static void test_wrong_rings(void)
{
	struct rings r = { .tails = { 5000, UINT32_MAX } };
	struct gsc_error err;
	struct guc_ct ct;

	r.words[RECEIVED] = UINT32_MAX;
	CU_ASSERT_EQUAL(read_rings(&ct, &r), GSC_OK);
	CU_ASSERT_EQUAL(ct.messages.count, 0);
	guc_ct_free(&ct);
	for (size_t size = 0; size <= sizeof(r.words); size += 1000)
		CU_ASSERT_EQUAL(guc_ct_read(&ct, r.words, size, &err), GSC_FAILED);
}

/* ---- the log --------------------------------------------------------------------------------- */

/* Two groups of one list with one register each, the second over the end of the part. */
static void put_groups(uint32_t *log, uint32_t first)
{
	for (uint32_t group = 0; group < 2; group++) {
		const uint32_t words[] = { 0, 1, 0, 2 | 3 << 4, 0x1000 * (group + 1), group, 1,
					   0x34, 0x10 + group, 0, 0 };

		for (size_t i = 0; i < 11; i++)
			log[STATES + (first + 11 * group + i) % PART] = words[i];
	}
	log[18 + 3] = (first + 22) % PART * 4;
	log[18 + 4] = PART * 4;
}

static bool read_captures(struct guc_captures *captures, const uint32_t *log, size_t size)
{
	struct guc_log_state states[GUC_LOG_PARTS];
	struct gsc_error err;

	return !guc_log_read(states, log, size, &err) &&
	       guc_captures_read(captures, &states[GUC_LOG_CAPTURE], log);
}

static void test_captures(void)
{
	static const uint32_t firsts[] = { 0, 100, PART - 22, PART - 20, PART - 10, PART - 1 };
	uint32_t *log = calloc(STATES + PART, 4);
	struct guc_captures c;

	CU_ASSERT_PTR_NOT_NULL_FATAL(log);
	for (size_t i = 0; i < sizeof(firsts) / sizeof(*firsts); i++) {
		memset(log, 0, (STATES + PART) * 4);
		put_groups(log, firsts[i]);
		CU_ASSERT(read_captures(&c, log, (STATES + PART) * 4));
		CU_ASSERT_EQUAL_FATAL(c.lists.count, 2);
		CU_ASSERT_EQUAL(c.lists.items[0].group, 0);
		CU_ASSERT_EQUAL(c.lists.items[1].lrca, 0x2000);
		CU_ASSERT_EQUAL(c.lists.items[1].class, 3);
		CU_ASSERT_EQUAL(c.registers.items[1].value, 0x11);
		CU_ASSERT_EQUAL(c.gap, 0);
		guc_captures_free(&c);
	}
	/* Of the first only the end is left. */
	log[STATES + PART - 1] = 0xdead;
	CU_ASSERT(read_captures(&c, log, (STATES + PART) * 4));
	CU_ASSERT_EQUAL_FATAL(c.lists.count, 1);
	CU_ASSERT_EQUAL(c.lists.items[0].lrca, 0x2000);
	CU_ASSERT(c.gap > 0);
	guc_captures_free(&c);
	/* The log is cut after the newest, or in it. */
	put_groups(log, 0);
	CU_ASSERT(read_captures(&c, log, (STATES + 22) * 4));
	CU_ASSERT_EQUAL_FATAL(c.lists.count, 2);
	CU_ASSERT_EQUAL(c.registers.items[1].value, 0x11);
	guc_captures_free(&c);
	CU_ASSERT(read_captures(&c, log, (STATES + 21) * 4));
	CU_ASSERT_EQUAL(c.lists.count, 0);
	guc_captures_free(&c);
	/* More registers than there is room for. */
	log[STATES + 11 + 6] = 0x3ff;
	CU_ASSERT(read_captures(&c, log, (STATES + PART) * 4));
	CU_ASSERT_EQUAL(c.lists.count, 0);
	guc_captures_free(&c);
	/* Cut in the part, and in the states. */
	CU_ASSERT(read_captures(&c, log, STATES * 4 + 100));
	CU_ASSERT_EQUAL(c.lists.count, 0);
	guc_captures_free(&c);
	CU_ASSERT(!read_captures(&c, log, 100));
	free(log);
}

SUITE(guc, { "wrapped", test_wrapped }, { "captures of a context", test_captures_of },
      { "resets", test_resets_alone }, { "wrong rings", test_wrong_rings },
      { "captures", test_captures })
