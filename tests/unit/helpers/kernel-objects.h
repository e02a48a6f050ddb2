/* SPDX-License-Identifier: MIT */
/*
 * Objects of a kernel that a test makes. Types are described in words: "x:n" is a number, "x:*type"
 * a pointer, "x:2*type" two of them, "x:.type" a struct, "x:2.type" two.
 */
#ifndef KERNEL_OBJECTS_H
#define KERNEL_OBJECTS_H

#include "kernel-maker.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONG 5				/* numbers of types that the maker has made before */
#define CHARACTER 6
#define LIST 7
#define TYPES 64

static struct made_kernel made;

static struct {
	char name[32];
	uint32_t id, size;
	struct {
		char name[24], of[32];
		uint32_t at;
	} members[12];
	unsigned count;
} types[TYPES];
static unsigned type_count;

static uint32_t pointer_to(const char *name)
{
	uint32_t to = CHARACTER;

	/* A forward declaration. */
	if (strcmp(name, "char") != 0)
		to = made_type(&made.types, 7, name, 0, 0, NULL, 0);
	return made_type(&made.types, 2, "", 0, to, NULL, 0);
}

static void describe(const char *text, const char *without)
{
	struct made_member list[12];
	unsigned t = type_count++;
	uint32_t size = 0;
	int used;

	types[t].count = 0;
	CU_ASSERT_FATAL(sscanf(text, "%31s%n", types[t].name, &used) == 1);
	for (text += used; *text; text += used) {
		unsigned m = types[t].count, times = 1;
		char kind[40], *of = kind;
		uint32_t type = LONG, bytes = 8;

		CU_ASSERT_FATAL(sscanf(text, " %23[^:]:%39s%n", types[t].members[m].name, kind,
				       &used) == 2);
		if (*of >= '1' && *of <= '9')
			times = (unsigned)strtoul(of, &of, 10);
		if (*of == '*')
			type = pointer_to(of + 1);
		if (*of == '.' && !strcmp(of, ".list_head")) {
			type = LIST;
			bytes = 16;
		} else if (*of == '.') {
			for (unsigned i = 0; i < t; i++)
				if (!strcmp(types[i].name, of + 1)) {
					type = types[i].id;
					bytes = types[i].size;
				}
		}
		snprintf(types[t].members[m].of, sizeof(types[t].members[m].of), "%s", of + 1);
		types[t].members[m].at = size;
		if (times > 1)
			type = made_array(&made.types, type, times);
		list[m] = (struct made_member){ types[t].members[m].name, type, size * 8, 0 };
		if (without && !strcmp(without, types[t].members[m].name))
			list[m].name = "renamed";
		size += bytes * times;
		types[t].count++;
	}
	types[t].size = size;
	types[t].id = made_struct(&made.types, types[t].name, size, list, types[t].count);
}

/* Where a member is, "pci_dev.dev.driver". */
static uint32_t offset_of(const char *type, const char *path)
{
	size_t length = strcspn(path, ".");

	for (unsigned t = 0; t < type_count; t++)
		for (unsigned m = 0; m < types[t].count && !strcmp(types[t].name, type); m++)
			if (strlen(types[t].members[m].name) == length &&
			    !strncmp(types[t].members[m].name, path, length))
				return types[t].members[m].at + (path[length] ?
				       offset_of(types[t].members[m].of, path + length + 1) : 0);
	CU_FAIL_FATAL("no such member");
	return 0;
}

static uint64_t new_of(const char *type)
{
	static const uint8_t zeros[512];

	for (unsigned t = 0; t < type_count; t++)
		if (!strcmp(types[t].name, type))
			return made_virtual(&made, zeros, types[t].size);
	CU_FAIL_FATAL("no such type");
	return 0;
}

static void set(uint64_t object, const char *type, const char *path, uint64_t value)
{
	made_put_number(&made, object + offset_of(type, path), value);
}

static uint64_t text_of_kernel(const char *text)
{
	return made_virtual(&made, text, strlen(text) + 1);
}

/* A list with these links, or an empty one. */
static void chain(uint64_t head, const uint64_t *links, size_t count)
{
	uint64_t last = head;

	for (size_t i = 0; i < count; i++) {
		made_put_number(&made, last, links[i]);
		last = links[i];
	}
	made_put_number(&made, last, head);
}

/* A table of one run of pages. */
static uint64_t pages_at(uint64_t physical, uint32_t bytes)
{
	struct entry entry = { (MADE_PAGES + physical / 4096 * 64) | 2, 0, bytes, physical, bytes };
	struct table table = { .nents = 1, .orig_nents = 1 };

	table.sgl = made_virtual(&made, &entry, sizeof(entry));
	return made_virtual(&made, &table, sizeof(table));
}

/* Eight numbers in lists and structures become others: pointers to elsewhere, or any. */
static void damage(uint32_t *seed)
{
	for (unsigned n = 0; n < 8; n++) {
		uint64_t at = MADE_VIRTUAL + next_random(seed) % made.virtual / 8 * 8;
		uint64_t other = MADE_VIRTUAL + next_random(seed) % made.virtual / 8 * 8;

		made_put_number(&made, at, next_random(seed) % 4 ? other : UINT64_MAX >>
				next_random(seed) % 64);
	}
}

#endif
