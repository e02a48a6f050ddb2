/* SPDX-License-Identifier: MIT */
/* Dwords split into commands: lengths, unknown and wrong ones, and every command there is. */
#include "gpu-for.h"
#include "batch-helpers.h"
#include "command-maker.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOOP 0x00000000u
#define END 0x05000000u
#define LRI 0x11000000u
#define PIPE_CONTROL 0x7a000000u	/* six dwords from Gen8 on */

static void lengths_follow_the_definitions(void)
{
	struct kit skl, snb;

	kit_open(&skl, "skl");
	kit_open(&snb, "snb");
	/* Fixed; bits of the header, plus two; six bits of it on the blitter's MI_FLUSH_DW. */
	CUT(&skl, "rcs", "MI_NOOP 1/1 ok; MI_BATCH_BUFFER_END 1/1 ok", NOOP, END);
	CUT(&skl, "rcs", "MI_LOAD_REGISTER_IMM 3/3 ok; MI_NOOP 1/1 ok", LRI | 1, 0x2358, 1, NOOP);
	CUT(&skl, "rcs", "MI_LOAD_REGISTER_IMM 5/5 ok; MI_BATCH_BUFFER_END 1/1 ok", LRI | 3, 0x2358,
	    1, 0x235c, 2, END);
	CUT(&skl, "rcs", "PIPE_CONTROL 6/6 ok; MI_NOOP 1/1 ok", PIPE_CONTROL | 4, 1, 2, 3, 4, 5, 0);
	CUT(&snb, "rcs", "PIPE_CONTROL 5/5 ok; MI_NOOP 1/1 ok", PIPE_CONTROL | 3, 1, 2, 3, 4, 0);
	CUT(&snb, "rcs", "PIPE_CONTROL 4/4 ok; MI_NOOP 1/1 ok", PIPE_CONTROL | 2, 1, 2, 3, 0);
	/* The same opcode on two engines: PRM vol 1 part 3, MI opcode 26h. */
	CUT(&snb, "bcs", "MI_FLUSH_DW 4/4 ok; MI_NOOP 1/1 ok", 0x13000002, 0, 0, 0, 0);
	CUT(&snb, "rcs", "MI_NOOP 1/1 ok; PIPELINE_SELECT 1/1 ok", 0, 0x69040000);
	kit_close(&snb);
	kit_close(&skl);
}

static void unknown_commands_go_by_the_rule_of_their_type(void)
{
	struct kit skl, snb, lnl;

	kit_open(&skl, "skl");
	kit_open(&snb, "snb");
	kit_open(&lnl, "lnl");
	/* MI opcodes below 10h are one dword, others have their length in bits 5:0. */
	CUT(&snb, "rcs", "UNKNOWN 1/1 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0x00800003, END);
	CUT(&skl, "rcs", "UNKNOWN 4/4 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0x1f800002, 1, 2, 3,
	    END);
	/* 2D and 3D: bits 7:0. */
	CUT(&skl, "rcs", "UNKNOWN 3/3 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0x7bff0001, 1, 2, END);
	CUT(&skl, "bcs", "UNKNOWN 3/3 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0x5fc00001, 1, 2, END);
	/* There are no types 1, 6 and 7; 4 and 5 came with Xe2. */
	CUT(&skl, "rcs", "UNKNOWN 1/1 unknown; UNKNOWN 1/1 unknown; MI_BATCH_BUFFER_END 1/1 ok",
	    0x20000004, 0xffffffff, END);
	CUT(&skl, "rcs", "UNKNOWN 1/1 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0xac000003, END);
	CUT(&skl, "rcs", "UNKNOWN 1/1 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0x80000003, END);
	CUT(&lnl, "rcs", "STATE_WRITE_INLINE 5/5 ok; MI_BATCH_BUFFER_END 1/1 ok", 0x80000003, 1, 2, 3,
	    4, END);
	CUT(&lnl, "rcs", "RESOURCE_BARRIER 5/5 ok; MI_BATCH_BUFFER_END 1/1 ok", 0xac000003, 1, 2, 3,
	    4, END);
	/* Of another engine. */
	CUT(&skl, "bcs", "UNKNOWN 2/2 unknown; MI_BATCH_BUFFER_END 1/1 ok", 0x78260000, 1, END);
	/* If nothing known follows, it is not trusted: the next dword is examined. */
	CUT(&skl, "rcs",
	    "UNKNOWN 1/1 unknown; MI_BATCH_BUFFER_END 1/1 ok; UNKNOWN 1/1 unknown; "
	    "UNKNOWN 1/1 unknown",
	    0x7bff0001, END, 0xe0000000, 0xe0000000);
	CUT(&skl, "rcs", "UNKNOWN 1/1 unknown; MI_NOOP 1/1 ok", 0x7bff00ff, NOOP);
	kit_close(&lnl);
	kit_close(&snb);
	kit_close(&skl);
}

static void a_wrong_length_is_told_and_synchronised(void)
{
	struct kit skl;

	kit_open(&skl, "skl");
	/* The hardware follows the header, and a command follows. */
	CUT(&skl, "rcs", "PIPE_CONTROL 7/7 bad-length; MI_BATCH_BUFFER_END 1/1 ok",
	    PIPE_CONTROL | 5, 1, 2, 3, 4, 5, 6, END);
	CUT(&skl, "rcs", "PIPE_CONTROL 4/4 bad-length; MI_BATCH_BUFFER_END 1/1 ok",
	    PIPE_CONTROL | 2, 1, 2, 3, END);
	/* Nothing follows there, but something does after the documented length. */
	CUT(&skl, "rcs",
	    "PIPE_CONTROL 6/6 bad-length; MI_BATCH_BUFFER_END 1/1 ok; UNKNOWN 1/1 unknown",
	    PIPE_CONTROL | 5, 1, 2, 3, 4, 5, END, 0xffffffff);
	CUT(&skl, "rcs", "PIPE_CONTROL 6/6 bad-length; MI_BATCH_BUFFER_END 1/1 ok",
	    PIPE_CONTROL | 0xff, 1, 2, 3, 4, 5, END);
	/* Half a pair, half an entry of the GTT. */
	CUT(&skl, "rcs", "MI_LOAD_REGISTER_IMM 4/4 bad-length; MI_NOOP 1/1 ok", LRI | 2, 0x2358, 1,
	    0x235c, NOOP);
	CUT(&skl, "rcs", "MI_UPDATE_GTT 4/4 ok; MI_UPDATE_GTT 5/5 bad-length; MI_NOOP 1/1 ok",
	    0x11800002, 0x1000, 1, 2, 0x11800003, 0x1000, 1, 2, 3, NOOP);
	CUT(&skl, "rcs", "3DSTATE_VERTEX_ELEMENTS 4/4 bad-length; MI_NOOP 1/1 ok", 0x78090002, 0, 0,
	    0, NOOP);
	/* A load of no register. */
	CUT(&skl, "rcs", "MI_LOAD_REGISTER_IMM 2/2 bad-length; MI_NOOP 1/1 ok", LRI, 0, NOOP);
	kit_close(&skl);
}

/* None to four pointers: Mesa, gen120.xml. */
static void groups_may_be_none(void)
{
	struct kit tgl;

	kit_open(&tgl, "tgl");
	CUT(&tgl, "rcs",
	    "3DSTATE_CONSTANT_ALL 2/2 ok; 3DSTATE_CONSTANT_ALL 4/4 ok; 3DSTATE_CONSTANT_ALL 10/10 ok; "
	    "3DSTATE_CONSTANT_ALL 3/3 bad-length; MI_NOOP 1/1 ok",
	    0x786d0000, 0, 0x786d0002, 0, 0, 0, 0x786d0008, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x786d0001, 0,
	    0, NOOP);
	kit_close(&tgl);
}

static void cut_at_every_dword(void)
{
	static const uint32_t words[] = { PIPE_CONTROL | 4, 1, 2, 3, 4, 5, LRI | 3, 0x2358, 1, 0x235c,
					  2 };
	char expected[120];
	struct kit skl;

	kit_open(&skl, "skl");
	for (unsigned n = 0; n <= 11; n++) {
		unsigned first = n < 6 ? n : 6;
		int used = 0;

		expected[0] = 0;
		if (n)
			used = snprintf(expected, sizeof(expected), "PIPE_CONTROL 6/%u %s", first,
					n < 6 ? "truncated" : "ok");
		if (n > 6)
			snprintf(expected + used, sizeof(expected) - (size_t)used,
				 "; MI_LOAD_REGISTER_IMM 5/%u %s", n - 6,
				 n < 11 ? "truncated" : "ok");
		check_cut(&skl, "rcs", words, n, expected, __FILE__, __LINE__);
	}
	kit_close(&skl);
}

/* ---- every command of every platform and engine --------------------------------------------- */

static unsigned complaints;

static bool holds(bool condition, const struct maker *m, const struct made_command *c,
		  unsigned length, const char *what, const char *name)
{
	if (!condition && complaints++ < 20)
		fprintf(stderr, "\n%s %s %s, %u dwords: %s %s", m->platform.name,
			gsc_engine_class(m->engine_class), c->item.name, length, what, name);
	return condition;
}

/* A group of fields as one way of reading gives them, compared with the other and the bits. */
static void check_fields(const struct maker *m, const struct made_command *c,
			 const struct plan_fields *plan, struct gsc_field_iter *it,
			 const uint32_t *words, size_t count)
{
	struct gsc_field field;
	unsigned seen = 0, ready = 0;

	for (unsigned i = 0; i < plan->count; i++)
		ready += plan_applies(plan, &plan->items[i], words, count);
	while (gsc_field_next(it, &field)) {
		unsigned start = field.dword * 32 + field.lo, width = field.hi - field.lo + 1;
		uint64_t value = maker_bits(words, count, &field);
		const struct plan_field *f = NULL;

		for (unsigned i = 0; i < plan->count && !f; i++)
			if (plan->items[i].dword * 32u + plan->items[i].lo == start &&
			    plan->items[i].width == width &&
			    !strcmp(plan->items[i].name, field.name) &&
			    plan_applies(plan, &plan->items[i], words, count))
				f = &plan->items[i];
		seen++;
		if (!holds(f, m, c, (unsigned)count, "lacks", field.name))
			continue;
		holds(plan_value(f, words, count) == value, m, c, (unsigned)count, "reads wrongly",
		      field.name);
		holds(field.value == value, m, c, (unsigned)count, "shows wrongly", field.name);
	}
	holds(seen == ready, m, c, (unsigned)count, "has other fields", "");
}

static void check_values(const struct maker *m, struct gsc_commands *set,
			 const struct made_command *c, const struct gsc_command *got)
{
	const struct plan *plan = command_plan(set, got->known);
	struct gsc_field_iter it;
	struct gsc_repeat repeat;
	unsigned r = 0;

	gsc_item_fields(m->db, m->view, &c->item, got->words, got->count, &it);
	check_fields(m, c, &plan->fields, &it, got->words, got->count);
	for (; gsc_item_repeat(m->db, m->view, &c->item, r, &repeat, &it); r++) {
		const struct plan_repeat *p = &plan->repeats[r];
		size_t times, at;

		if (!holds(r < plan->repeat_count && p->at == repeat.at && p->size == repeat.size, m,
			   c, got->length, "lacks the group", repeat.name))
			return;
		times = plan_times(plan, p, got->words, got->count, &at);
		holds(!times || at + (times - 1) * p->size < got->count, m, c, got->length,
		      "repeats beyond its end", repeat.name);
		for (size_t n = 0; n < times; n++) {
			const uint32_t *words = got->words + at + n * p->size;
			struct gsc_item item = c->item;

			gsc_item_repeat(m->db, m->view, &item, r, &repeat, &it);
			it.words = words;
			it.count = got->count - (at + n * p->size);
			check_fields(m, c, &p->fields, &it, words, it.count);
		}
	}
	holds(r == plan->repeat_count, m, c, got->length, "has more groups", "");
}

static void check_made(struct maker *m, struct gsc_commands *set, const struct made_command *c,
		       unsigned length, enum maker_fill fill)
{
	uint32_t words[MADE_MAX + 1];
	struct gsc_stream s = { .set = set, .engine_class = m->engine_class, .words = words };
	struct gsc_command got;

	if (!holds(maker_make(m, c, length, fill, words), m, c, length, "is hidden by another", ""))
		return;
	words[length] = END;
	s.count = length + 1;
	if (!holds(gsc_stream_next(&s, &got) && got.known, m, c, length, "is not known", ""))
		return;
	if (holds(!strcmp(got.name, c->item.name), m, c, length, "is taken for", got.name) &&
	    holds(got.length == length && got.count == length, m, c, length, "has another length",
		  "") &&
	    holds(got.status == GSC_COMMAND_OK, m, c, length, "is", gsc_command_word(got.status)))
		check_values(m, set, c, &got);
}

static void every_command_comes_back(void)
{
	struct gsc_platform platform;
	struct gsc_db *db;
	size_t commands = 0;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	complaints = 0;
	for (unsigned p = 0; gsc_platform_at(db, p, &platform); p++)
		for (unsigned e = 0; gsc_engine_class(e); e++) {
			struct gsc_commands *set;
			struct maker m;

			if (maker_open(&m, db, p, e, 0x1234567 + p * 64 + e) &&
			    !gsc_commands_new(&set, gpu_for(NULL, m.view), NULL)) {
				for (size_t i = 0; i < m.count; i++)
					for (unsigned l = 0, n; (n = maker_length(&m.commands[i], l));
					     l++)
						for (unsigned fill = 0; fill < 2; fill++)
							check_made(&m, set, &m.commands[i], n, fill);
				commands += m.count;
				gsc_commands_free(set);
			}
			maker_close(&m);
		}
	CU_ASSERT_EQUAL(complaints, 0);
	CU_ASSERT_TRUE(commands > 1000);
	gsc_db_free(db);
}

/* ---- what following goes by ----------------------------------------------------------------- */

static bool key_expected(const struct gsc_platform *p, enum role role, unsigned key)
{
	if (!role_key(role, key))
		return false;
	if (role == ROLE_POST_SYNC)
		return key != POST_SYNC_TO_REGISTER || p->graphics >= 700;
	if (role == ROLE_POLL)
		return key != POLL_REGISTER || p->graphics >= 900;
	if (role != ROLE_START)
		return true;
	if (key == START_PROCESS)
		return p->graphics >= 600;
	if (key == START_SECOND_LEVEL)
		return p->graphics >= 750;
	if (key == START_PREDICATED)
		return p->graphics >= 750;
	if (key == START_MOVED)
		return p->graphics >= 750 && p->graphics < 1100;
	return key != START_NON_PRIVILEGED || p->graphics < 600 || p->graphics == 750;
}

static void check_role(const struct maker *m, struct gsc_commands *set,
		       const struct made_command *c)
{
	const struct known_command *known = command_find(set, m->engine_class, c->item.value);
	enum role role = role_of(c->item.name);
	const struct plan *plan;

	if (role == ROLE_NONE || !holds(known && known->role == role, m, c, 0, "has no role", ""))
		return;
	plan = command_plan(set, known);
	for (unsigned key = 0; key < ROLE_KEYS; key++)
		holds(!plan->key[key] == !key_expected(&m->platform, role, key), m, c, 0,
		      plan->key[key] ? "has unexpectedly" : "lacks", role_key(role, key));
}

static void fields_that_following_needs_are_there(void)
{
	struct gsc_platform platform;
	unsigned roles = 0;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	complaints = 0;
	for (unsigned p = 0; gsc_platform_at(db, p, &platform); p++)
		for (unsigned e = 0; gsc_engine_class(e); e++) {
			struct gsc_commands *set;
			struct maker m;

			if (maker_open(&m, db, p, e, 1) && !gsc_commands_new(&set, gpu_for(NULL, m.view), NULL)) {
				for (size_t i = 0; i < m.count; i++) {
					check_role(&m, set, &m.commands[i]);
					if (!e)
						roles |= 1u << role_of(m.commands[i].item.name);
				}
				gsc_commands_free(set);
			}
			maker_close(&m);
		}
	CU_ASSERT_EQUAL(complaints, 0);
	CU_ASSERT_EQUAL(roles, (1u << ROLES) - 1);
	gsc_db_free(db);
}

/* ---- noise ---------------------------------------------------------------------------------- */

/* All platforms and engines, dwords of every kind: commands are contiguous and nothing is lost. */
static void noise_is_cut_to_its_last_dword(void)
{
	static const uint32_t types[3] = { 0, 0x40000000, 0x60000000 };
	struct gsc_platform platform;
	struct gsc_db *db;
	uint32_t words[512], seed = 77;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	for (unsigned p = 0; gsc_platform_at(db, p, &platform); p++) {
		struct kit kit;

		kit_open(&kit, platform.name);
		for (unsigned e = 0; gsc_engine_class(e); e++)
			for (unsigned round = 0; round < 8; round++) {
				for (size_t i = 0; i < 512; i++) {
					seed = seed * 1664525 + 1013904223;
					words[i] = seed ^ seed >> 15;
					/* Headers of existing types are a harder test. */
					if (round & 1)
						words[i] = (words[i] & 0x1fff0007) | types[i % 3];
				}
				free(cut(&kit, gsc_engine_class(e), words, 512 - round));
			}
		kit_close(&kit);
	}
	gsc_db_free(db);
}

SUITE(batch,
      { "lengths follow the definitions", lengths_follow_the_definitions },
      { "unknown commands go by the rule of their type",
	unknown_commands_go_by_the_rule_of_their_type },
      { "a wrong length is told and synchronised", a_wrong_length_is_told_and_synchronised },
      { "groups may be none", groups_may_be_none },
      { "cut at every dword", cut_at_every_dword },
      { "every command comes back", every_command_comes_back },
      { "fields that following needs are there", fields_that_following_needs_are_there },
      { "noise is cut to its last dword", noise_is_cut_to_its_last_dword })
