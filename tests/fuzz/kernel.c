/* SPDX-License-Identifier: MIT */
/*
 * A kernel in a memory dump. The input is not the dump but what is changed in one that is right:
 * how it is made, then records: a place, and a number that may be one of its own addresses. Then
 * its lists, arrays, pages, objects and processes are asked for, which may be anything but endless.
 */
#include "fuzz.h"
#include "kernel/kernel.h"
#include "open/open.h"
#include "source/part.h"
#include "unit/helpers/kernel-maker.h"

#include <string.h>

#define INFO 0x20000
#define ADDRESSES 16
#define RECORDS_MAX 64
#define LISTED 3

static struct made_kernel made;
static uint64_t addresses[ADDRESSES];	/* of what is asked for, in this order */

enum { LIST, THING, XARRAY, TABLE, PID, MODULES, TASK, ENTRIES, TYPES, NODE };

static void make_module(void)
{
	static struct made_types types;
	static uint8_t file[3 * MADE_TYPES];
	struct { uint64_t data; uint32_t size, pad; char name[24]; } btf = { .name = "gpu" };
	struct { struct link link; uint64_t btf; } entry = { .link = { 0, 0 } };

	types = (struct made_types){ .base = &made.types };
	made_struct(&types, "gpu", 16, (struct made_member[]){
		{ "id", MADE_UNSIGNED, 0, 0 },
		{ "thing", made_type(&types, 7, "thing", 0, 0, NULL, 0), 64, 0 } }, 2);
	btf.size = (uint32_t)made_types_file(&types, 24, file);
	btf.data = addresses[TYPES] = made_virtual(&made, file, btf.size);
	addresses[MODULES] = made_image(&made, &entry.link, sizeof(entry.link));
	entry.btf = made_virtual(&made, &btf, sizeof(btf));
	entry.link.next = entry.link.prev = addresses[MODULES];
	made_put_number(&made, addresses[MODULES], made_virtual(&made, &entry, sizeof(entry)));
	made_symbol(&made, "btf_modules", addresses[MODULES]);
}

static void make_lists(void)
{
	struct thing thing = { .name = "rcs0" };
	struct node node = { .slots = { [3] = 0x8000 } };
	uint64_t at = addresses[LIST] = made_image(&made, (uint64_t[2]){ 0 }, 16);

	for (unsigned i = 0; i < LISTED; i++) {
		thing.next = thing.text = addresses[THING];
		thing.number = i;
		addresses[THING] = made_virtual(&made, &thing, sizeof(thing));
		made_put_number(&made, at, addresses[THING]);
		at = addresses[THING];
	}
	made_put_number(&made, at, addresses[LIST]);
	addresses[NODE] = made_virtual(&made, &node, sizeof(node));
	addresses[XARRAY] = made_image(&made, (uint64_t[]){ addresses[NODE] | 2 }, 8);
}

static void make_pages(void)
{
	struct entry entries[4] = {
		{ MADE_PAGES + 64, 0, 0x3000, 0x100000, 0x1000 },
		{ MADE_PAGES + 640, 16, 0x1000, 0x200000, 0x2000 },
		{ 0, 0, 0x1000, 0, 0 },
	};
	struct table table = { .nents = 2, .orig_nents = 3 };
	struct { uint64_t count, tasks[2], pad; int32_t nr[4]; } pid = { .nr = { 7 } };
	struct { uint64_t flags; char comm[24]; struct link links[2]; } task = { .comm = "init" };

	addresses[ENTRIES] = table.sgl = made_virtual(&made, entries, sizeof(entries));
	addresses[TABLE] = made_virtual(&made, &table, sizeof(table));
	addresses[TASK] = made_virtual(&made, &task, sizeof(task));
	pid.tasks[0] = addresses[TASK] + 32;
	addresses[PID] = made_virtual(&made, &pid, sizeof(pid));
}

static void make(uint64_t how)
{
	made_begin(&made);
	made.way = how & 3;
	made.five = how & 4;
	made.note_head = how & 8;
	made.encryption = how & 16 ? UINT64_C(1) << 47 : 0;
	made_kernel_types(&made);
	make_module();
	make_lists();
	make_pages();
	made_finish(&made, INFO);
}

/* In the tables, VMCOREINFO, the image or what is mapped page by page. */
static uint64_t take_place(struct fuzz_input *in)
{
	uint64_t kind = fuzz_take(in, 1), at = fuzz_take(in, 3);

	switch (kind & 7) {
	case 0:
		return 0x1000 + at % 0xa000;
	case 1:
		return INFO + at % 2048;
	case 2:
		return MADE_AT + at % made.image;
	case 3:
	case 4:
		return made_physical(&made, addresses[kind >> 3 & (ADDRESSES - 1)]) + at % 64;
	default:
		return made_physical(&made, MADE_VIRTUAL + at % made.virtual);
	}
}

static void change(struct fuzz_input *in)
{
	for (unsigned i = 0; i < RECORDS_MAX && in->size; i++) {
		uint64_t place = take_place(in) % (MADE_SIZE - 8), kind = fuzz_take(in, 1);
		uint64_t value = fuzz_take(in, kind & 8 ? 1 : 8);

		if (kind & 8)
			value = addresses[value & (ADDRESSES - 1)] + (value >> 4);
		memcpy(made.memory + place, &value, (size_t)1 << (kind & 3));
	}
}

/* ---- asking --------------------------------------------------------------------------------- */

static struct kobj object(struct kernel *kernel, const char *type, unsigned which)
{
	return kernel_object(kernel, which == TYPES ? "gpu" : NULL, type, addresses[which]);
}

static void ask_object(struct kobj thing)
{
	static const char *const paths[] = {
		"number", "below", "low", "state", "next->next->number", "wide", "counter",
		"values[2]", "next[3].number", "link.next",
	};
	char text[32];
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		kobj_number(thing, paths[i], &value);
		kobj_has(thing, paths[i]);
	}
	kobj_count(kobj_at(thing, "values"));
	for (unsigned i = 0; i < 2; i++) {
		memset(text, 'x', sizeof(text));
		kobj_text(thing, i ? "text" : "name", text, sizeof(text));
		FUZZ_REQUIRE(strnlen(text, sizeof(text)) < sizeof(text));
		for (char *at = text; *at; at++)
			FUZZ_REQUIRE((unsigned char)*at >= ' ');
	}
	kobj_container(thing, NULL, "thing", "values[1]");
}

static void ask(struct kernel *kernel)
{
	uint64_t a, b, length, total = 0;
	struct kxarray array;
	struct kpages pages;
	struct klist list;
	struct kobj thing;
	uint32_t number;
	char name[16];

	ask_object(object(kernel, "thing", THING));
	klist_begin(&list, object(kernel, "list_head", LIST), NULL, "thing", "link");
	for (unsigned i = 0; klist_next(&list, &thing); i++)
		if (i < 16)
			ask_object(thing);
	kxarray_begin(&array, object(kernel, "xarray", XARRAY));
	while (kxarray_next(&array, &a, &b))
		FUZZ_REQUIRE(b && !(b & 3));
	kpages_begin(&pages, object(kernel, "sg_table", TABLE));
	while (kpages_next(&pages, &a, &b, &length)) {
		FUZZ_REQUIRE(length && length <= UINT32_MAX);
		total += length;
	}
	kernel_page(kernel, total, &a);
	kernel_process(object(kernel, "pid", PID), &number, name);
	kobj_number(object(kernel, "gpu", TYPES), "id", &a);
	kernel_enumerator(kernel, "gpu", "STATE_HUGE", &a);
	kernel_symbol(kernel, "not there");
	for (size_t i = 0; kernel_missing(kernel, i); i++)
		FUZZ_REQUIRE(*kernel_missing(kernel, i));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	struct gsc_source *source;
	struct gsc_error err;
	struct kernel *kernel;
	bool filtered;
	uint64_t at;

	make(fuzz_take(&in, 1));
	change(&in);
	source = fuzz_open_bytes("", made.file, sizeof(made.file), NULL);
	if (!source)
		return 0;
	FUZZ_REQUIRE(kernel_open(&kernel, source, 0, &err) == GSC_OK);
	if (kernel) {
		FUZZ_REQUIRE(!kernel_lacks(kernel) || *kernel_lacks(kernel));
		ask(kernel);
		FUZZ_REQUIRE(!kernel_starved(kernel));
		kernel_unread(kernel, &at, &filtered);
	}
	kernel_close(kernel);
	gsc_source_close(source);
	return 0;
}
