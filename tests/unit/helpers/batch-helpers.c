/* SPDX-License-Identifier: MIT */
#include "gpu-for.h"
#include "batch-helpers.h"
#include "db/rule.h"

#include "test.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void kit_open(struct kit *kit, const char *platform)
{
	int device;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&kit->db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(kit->db, platform, &kit->platform, &device, NULL),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&kit->view, kit->db, kit->platform.index, -1, NULL),
			      GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_commands_new(&kit->set, gpu_for(NULL, kit->view), NULL), GSC_OK);
}

void kit_close(struct kit *kit)
{
	gsc_commands_free(kit->set);
	gsc_view_free(kit->view);
	gsc_db_free(kit->db);
}

/* ---- cutting -------------------------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 3))) add(struct told *t, const char *format, ...)
{
	char buf[256];
	va_list args;
	size_t size;

	va_start(args, format);
	size = (size_t)vsnprintf(buf, sizeof(buf), format, args);
	va_end(args);
	if (t->size + size + 1 > t->room) {
		t->room = (t->size + size + 1) * 2;
		t->text = realloc(t->text, t->room);
	}
	memcpy(t->text + t->size, buf, size + 1);
	t->size += size;
}

char *cut(const struct kit *kit, const char *engine, const uint32_t *words, size_t count)
{
	struct gsc_stream s = {
		.set = kit->set,
		.engine_class = engine_class_of(engine),
		.address = 0x1000,
		.count = count,
	};
	/* Allocated separately, so that the sanitizers see an access past its end. */
	uint32_t *copy = malloc(count * 4 + 1);
	struct told told = { 0 };
	struct gsc_command c;
	uint64_t next = 0x1000;

	memcpy(copy, words, count * 4);
	s.words = copy;
	add(&told, "%s", "");
	while (gsc_stream_next(&s, &c)) {
		CU_ASSERT_EQUAL(c.address, next);
		CU_ASSERT_TRUE(c.count > 0 && c.words == copy + (c.address - 0x1000) / 4);
		next = c.address + c.count * 4;
		add(&told, "%s%s %u/%zu %s", told.size ? "; " : "", c.name, c.length, c.count,
		    gsc_command_word(c.status));
	}
	CU_ASSERT_EQUAL(next, 0x1000 + count * 4);
	free(copy);
	return told.text;
}

static void compare(const char *got, const char *expected, const char *file, int line)
{
	if (!strcmp(got, expected)) {
		CU_PASS("as expected");
		return;
	}
	fprintf(stderr, "\n%s:%d: got      %s\n%s:%d: expected %s\n", file, line, got, file, line,
		expected);
	CU_FAIL("not as expected");
}

void check_cut(const struct kit *kit, const char *engine, const uint32_t *words, size_t count,
	       const char *expected, const char *file, int line)
{
	char *got = cut(kit, engine, words, count);

	compare(got, expected, file, line);
	free(got);
}

/* ---- following ------------------------------------------------------------------------------ */

static bool told_begin(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;

	add(context, "[%s %s:0x%llx%s]", gsc_run_kind_word(run->kind),
	    run->process ? "ppgtt" : "ggtt", (unsigned long long)run->address,
	    run->privileged ? " +p" : "");
	return true;
}

static bool told_command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct told *told = context;

	add(told, " %s", c->name);
	if (c->status)
		add(told, "!%s", gsc_command_word(c->status));
	for (size_t i = 0; i < c->mark_count; i++)
		if (c->marks[i].address - c->address < c->count * 4)
			add(told, "<%s@%llu", c->marks[i].name,
			    (unsigned long long)(c->marks[i].address - c->address) / 4);
	return ++told->commands != told->enough;
}

static bool told_write(void *context, const struct gsc_followed *item)
{
	const struct gsc_register_write *w = item->write;

	CU_ASSERT_TRUE(w->dword < item->command->count);
	if (w->kind == GSC_WRITE_VALUE)
		add(context, " =%x:%x", w->offset, w->value);
	else if (w->kind == GSC_WRITE_RESULT || w->kind == GSC_READ)
		add(context, " %c%x", w->kind == GSC_READ ? '?' : '!', w->offset);
	else
		add(context, " %c%x:%s%llx", "=<~>^"[w->kind], w->offset, w->global ? "g" : "",
		    (unsigned long long)w->from);
	return true;
}

static uint32_t hash_of(const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

static bool told_state(void *context, const struct gsc_followed *item)
{
	const struct gsc_state *s = item->state;

	add(context, " {%s@%llx/%zu:%08x%s}", s->name, (unsigned long long)s->address,
	    s->count * 4, hash_of(s->words, s->words ? s->count * 4 : 0), *s->problem ? "!" : "");
	return true;
}

static bool told_kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *k = item->kernel;

	add(context, " {%s@%llx/%zu:%08x%s}", k->stage, (unsigned long long)k->address, k->size,
	    hash_of(k->data, k->data ? k->size : 0), *k->problem ? "!" : "");
	return true;
}

static bool told_breach(void *context, const struct gsc_followed *item)
{
	add(context, " |%s %s|", item->breach->rule, item->breach->where);
	return true;
}

static bool told_end(void *context, const struct gsc_followed *item)
{
	const struct gsc_run *run = item->run;

	add(context, " (%s %llu", gsc_run_end_word(run->end), (unsigned long long)run->length);
	if (run->left)
		add(context, "+%llu", (unsigned long long)run->left);
	add(context, ")");
	CU_ASSERT_EQUAL(!*run->why, run->end <= GSC_RUN_OUT);
	return true;
}

struct gsc_listener told_listener(struct told *told)
{
	return (struct gsc_listener){
		.context = told,
		.begin = told_begin,
		.command = told_command,
		.write = told->writes ? told_write : NULL,
		.state = told->rest ? told_state : NULL,
		.kernel = told->rest ? told_kernel : NULL,
		.breach = told->rest ? told_breach : NULL,
		.end = told_end,
	};
}

void check_told(struct told *told, const char *expected, const char *file, int line)
{
	compare(told->text ? told->text : "", expected, file, line);
	free(told->text);
	*told = (struct told){ .writes = told->writes };
}
