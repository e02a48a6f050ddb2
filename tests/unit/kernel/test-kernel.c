/* SPDX-License-Identifier: MIT */
/* A kernel in a memory dump: how it is found, its symbols, types, objects, lists. */
#include "kernel-maker.h"
#include "kernel/kernel.h"
#include "open/open.h"
#include "source-helpers.h"
#include "source/part.h"
#include "test.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define INFO 0x20000			/* physical: where VMCOREINFO is */
#define OLD_INFO 0x1e000

static struct made_kernel made;

static void begin(void)
{
	made_begin(&made);
	made_kernel_types(&made);
}

static struct gsc_source *source;

static struct kernel *open_made(void)
{
	struct gsc_error err;
	struct kernel *kernel;

	source = open_bytes(made.file, sizeof(made.file));
	CU_ASSERT_EQUAL_FATAL(kernel_open(&kernel, source, 0, &err), GSC_OK);
	return kernel;
}

static void close_made(struct kernel *kernel)
{
	kernel_close(kernel);
	gsc_source_close(source);
}

static uint64_t number_of(struct kobj object, const char *path)
{
	uint64_t value = ~UINT64_C(0xbad);

	CU_ASSERT(kobj_number(object, path, &value));
	return value;
}

static void is_missing(struct kernel *kernel, const char *name)
{
	bool found = false;

	for (size_t i = 0; kernel_missing(kernel, i); i++)
		found |= !strcmp(kernel_missing(kernel, i), name);
	CU_ASSERT(found);
}

/* ---- finding it ----------------------------------------------------------------------------- */

static void ways(void)
{
	for (unsigned i = 0; i < 4 * 4; i++) {
		struct kernel *kernel;
		uint64_t at, root;
		char text[16];

		begin();
		made.way = i % 4;
		made.five = i & 4;
		made.note_head = i & 8;
		made.encryption = i & 8 ? UINT64_C(1) << 47 : 0;
		made_symbol(&made, "pci_root_buses", MADE_IMAGE + 0x1230);
		made.virtual = 4090;
		at = made_virtual(&made, "over two pages", 15);
		made_finish(&made, INFO);
		kernel = open_made();
		CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
		CU_ASSERT_PTR_NULL(kernel_lacks(kernel));
		CU_ASSERT_STRING_EQUAL(kernel_info(kernel), made.info);
		CU_ASSERT_EQUAL(kernel_symbol(kernel, "pci_root_buses"), MADE_IMAGE + 0x1230);
		CU_ASSERT_EQUAL(kernel_symbol(kernel, "_stext"), MADE_IMAGE);
		/* Names that nobody else asks for. */
		CU_ASSERT_EQUAL(kernel_symbol(kernel, "pci_root"), 0);
		CU_ASSERT(kernel_read(kernel, at, text, 15));
		CU_ASSERT_STRING_EQUAL(text, "over two pages");
		/* All memory by one large page; the image. */
		CU_ASSERT(kernel_read(kernel, MADE_DIRECT + INFO + 40, text, 8));
		CU_ASSERT(!memcmp(text, made.memory + INFO + 40, 8));
		CU_ASSERT(kernel_read(kernel, MADE_IMAGE + 8 * 511, &root, 8));
		CU_ASSERT(!memcmp(&root, made.memory + MADE_AT + 8 * 511, 8) && root);
		CU_ASSERT(kernel_read_physical(kernel, INFO + (made.note_head ? 24 : 0), text, 9));
		CU_ASSERT(!memcmp(text, "OSRELEASE", 9));
		/* Where modules are the image ends; nothing is there. */
		CU_ASSERT(!kernel_read(kernel, UINT64_C(0xffffffffc0000000), text, 8));
		CU_ASSERT(!kernel_read(kernel, MADE_VIRTUAL + 64 * 4096 - 8, text, 16));
		CU_ASSERT(!kernel_unread(kernel, &at, &(bool){ false }));
		CU_ASSERT(!kernel_read(kernel, MADE_DIRECT + MADE_SIZE - 8, text, 16));
		CU_ASSERT(kernel_unread(kernel, &at, &(bool){ false }));
		CU_ASSERT_EQUAL(at, MADE_DIRECT + MADE_SIZE);
		CU_ASSERT(!kernel_starved(kernel));
		close_made(kernel);
	}
}

/* What an earlier kernel has left, whose tables lead nowhere. */
static void another(void)
{
	char *root;
	struct kernel *kernel;

	begin();
	made_finish(&made, INFO);
	memcpy(made.memory + OLD_INFO, made.info, sizeof(made.info));
	root = strstr((char *)made.memory + OLD_INFO, "swapper_pg_dir)=ffffffff81");
	CU_ASSERT_PTR_NOT_NULL_FATAL(root);
	root[strlen("swapper_pg_dir)=ffffffff8")] = '2';
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_STRING_EQUAL(kernel_info(kernel), made.info);
	close_made(kernel);
	/* Nothing else: no kernel. */
	memset(made.memory + INFO, 0, 4096);
	CU_ASSERT_PTR_NULL(open_made());
	gsc_source_close(source);
}

/* One that runs to save the memory after a crash, and the one that has crashed. */
static void crashed(void)
{
	uint64_t header = 0x1000, symbol;
	struct kernel *kernel;

	begin();
	symbol = made_image(&made, &header, 8);
	made_symbol(&made, "elfcorehdr_addr", symbol);
	made_finish(&made, INFO);
	memcpy(made.memory + OLD_INFO, made.memory + INFO, 4096);
	strcat((char *)made.memory + INFO, "CRASHTIME=1700000000\n");
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_PTR_NOT_NULL(strstr(kernel_info(kernel), "CRASHTIME"));
	close_made(kernel);
	/* Better than nothing. */
	memset(made.memory + INFO, 0, 4096);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_PTR_NULL(strstr(kernel_info(kernel), "CRASHTIME"));
	close_made(kernel);
}

/*
 * A core with the note, of a stretch of the memory; `left_out` bytes before its middle are not in
 * the file, as a filter does it.
 */
static char *write_core(uint64_t from, uint64_t end, uint64_t left_out)
{
	struct {
		Elf64_Ehdr header;
		Elf64_Phdr segment[3];
		uint32_t note[3];
		char name[12], info[sizeof(made.info)];
		uint8_t memory[MADE_SIZE];
	} *core = calloc(1, sizeof(*core));
	uint64_t at[] = { 0, from, (from + end) / 2, end }, head = offsetof(typeof(*core), memory);
	char *path;

	CU_ASSERT_PTR_NOT_NULL_FATAL(core);
	core->header = (Elf64_Ehdr){
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 }, .e_type = ET_CORE,
		.e_phoff = sizeof(Elf64_Ehdr), .e_phentsize = sizeof(Elf64_Phdr), .e_phnum = 3 };
	core->segment[0] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_filesz = 24 + strlen(made.info),
					 .p_offset = offsetof(typeof(*core), note) };
	for (unsigned i = 1; i < 3; i++)
		core->segment[i] = (Elf64_Phdr){
			.p_type = PT_LOAD, .p_paddr = at[i], .p_offset = head + at[i],
			.p_filesz = at[i + 1] - at[i] - (i == 1 ? left_out : 0),
			.p_memsz = at[i + 1] - at[i] };
	core->note[0] = 11;
	core->note[1] = (uint32_t)strlen(made.info);
	memcpy(core->name, "VMCOREINFO", 11);
	memcpy(core->info, made.info, sizeof(made.info));
	memcpy(core->memory + from, made.memory + from, end - from);
	path = temporary_file(core, sizeof(*core));
	free(core);
	return path;
}

/* Two files of one dump: each finds in the other what it lacks. One alone says what it lacks. */
static void split(void)
{
	uint64_t half = MADE_SIZE - 8 * 4096, at;
	struct thing thing = { .number = 5 };
	struct kernel *kernel, *none;
	struct gsc_error err;
	const char *specs[2];
	char *paths[2];
	bool filtered;

	begin();
	at = made_virtual(&made, &thing, sizeof(thing));
	made_finish(&made, INFO);
	specs[0] = paths[0] = write_core(0x1000, half, 0);
	specs[1] = paths[1] = write_core(half, MADE_SIZE, 0);
	source = open_specs(specs, 2, NULL);
	CU_ASSERT_EQUAL(kernel_open(&kernel, source, 0, &err), GSC_OK);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_EQUAL(number_of(kernel_object(kernel, NULL, "thing", at), "number"), 5);
	/* The second one has no other kernel. */
	for (size_t i = 1; i < source->parts.count; i++) {
		CU_ASSERT_EQUAL(kernel_open(&none, source, i, &err), GSC_OK);
		CU_ASSERT_PTR_NULL(none);
	}
	close_made(kernel);
	source = open_specs(specs, 1, NULL);
	CU_ASSERT_EQUAL(kernel_open(&kernel, source, 0, &err), GSC_OK);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT(!kobj_number(kernel_object(kernel, NULL, "thing", at), "number", &half));
	CU_ASSERT(kernel_unread(kernel, &half, &filtered) && half == at + 16 && !filtered);
	close_made(kernel);
	drop_file(paths[0]);
	drop_file(paths[1]);
	/* A filter that left out the image but for its first page. */
	specs[0] = paths[0] = write_core(0x1000, MADE_SIZE, 0x80800 - MADE_AT - 0x1000);
	source = open_specs(specs, 1, NULL);
	CU_ASSERT_EQUAL(kernel_open(&kernel, source, 0, &err), GSC_OK);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel_lacks(kernel));
	CU_ASSERT_PTR_NOT_NULL(strstr(kernel_lacks(kernel), "filter has left them out"));
	CU_ASSERT(kernel_unread(kernel, &half, &filtered) && filtered);
	close_made(kernel);
	drop_file(paths[0]);
}

/* Each with what is said about it. */
static void lacking(void)
{
	static const struct {
		const char *symbol, *why;
	} cases[] = {
		{ "SYMBOL(kallsyms_names)", "Linux 6.0 and later" },
		{ "SYMBOL(kallsyms_offsets)", "damaged or of an unknown form" },
		{ "NUMBER(KERNEL_IMAGE_SIZE)", NULL },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct kernel *kernel;

		begin();
		made_finish(&made, INFO);
		*strstr((char *)made.memory + INFO, cases[i].symbol) = 'X';
		kernel = open_made();
		CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
		if (cases[i].why) {
			CU_ASSERT_PTR_NOT_NULL_FATAL(kernel_lacks(kernel));
			CU_ASSERT_PTR_NOT_NULL(strstr(kernel_lacks(kernel), cases[i].why));
			CU_ASSERT_EQUAL(kernel_object(kernel, NULL, "thing", 4096).address, 0);
		} else {
			CU_ASSERT_PTR_NULL(kernel_lacks(kernel));
		}
		close_made(kernel);
	}
	/* No types, and types that are none. */
	for (unsigned i = 0; i < 2; i++) {
		struct kernel *kernel;
		uint64_t start = 0;

		begin();
		made_finish(&made, INFO);
		for (size_t j = 0; j < made.symbol_count; j++)
			if (!strcmp(made.symbols[j].name, "__start_BTF"))
				start = made.symbols[j].address;
		made_put(&made, start + 24 + 7, "\x1f", i);
		if (!i)
			made_put(&made, start, "", 1);
		kernel = open_made();
		CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
		CU_ASSERT_PTR_NOT_NULL_FATAL(kernel_lacks(kernel));
		CU_ASSERT_PTR_NOT_NULL(strstr(kernel_lacks(kernel), "types (BTF) cannot be read"));
		close_made(kernel);
	}
}

/* ---- objects -------------------------------------------------------------------------------- */

static void objects(void)
{
	struct thing thing = { .number = 0xdeadbeef, .below = -3, .low = 5, .high = 19, .state = 7,
			       .wide = UINT64_C(0x123456789abcdef0), .name = "rcs0\x1b!",
			       .counter = (uint32_t)-2, .values = { 1, 2, 3 },
			       .nowhere = (uint64_t)-12 };
	struct kernel *kernel;
	uint64_t first, second, value;
	struct kobj object;
	char text[32];

	begin();
	thing.text = made_virtual(&made, "a string at the end of its page", 32);
	second = made_virtual(&made, &thing, sizeof(thing));
	thing.next = second;
	thing.number = 1;
	first = made_virtual(&made, &thing, sizeof(thing));
	made_finish(&made, INFO);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	object = kernel_object(kernel, NULL, "thing", first);
	CU_ASSERT_EQUAL(object.address, first);
	CU_ASSERT_EQUAL(number_of(object, "number"), 1);
	CU_ASSERT_EQUAL(number_of(object, "next"), second);
	CU_ASSERT_EQUAL(number_of(object, "next->number"), 0xdeadbeef);
	CU_ASSERT_EQUAL(number_of(object, "next.number"), 0xdeadbeef);
	CU_ASSERT_EQUAL(number_of(kobj_at(object, "next->"), "number"), 0xdeadbeef);
	CU_ASSERT_EQUAL(number_of(kobj_at(object, "next"), "number"), 0xdeadbeef);
	CU_ASSERT_EQUAL((int64_t)number_of(object, "below"), -3);
	CU_ASSERT_EQUAL((int64_t)number_of(object, "counter"), -2);
	CU_ASSERT_EQUAL((int64_t)number_of(object, "counter.counter"), -2);
	CU_ASSERT_EQUAL(number_of(object, "low"), 5);
	CU_ASSERT_EQUAL(number_of(object, "high"), 19);
	CU_ASSERT_EQUAL(number_of(object, "state"), 7);
	CU_ASSERT_EQUAL(number_of(object, "wide"), thing.wide);
	CU_ASSERT_EQUAL(number_of(object, "values[2]"), 3);
	CU_ASSERT_EQUAL(kobj_count(kobj_at(object, "values")), 3);
	CU_ASSERT(!kobj_number(object, "values[3]", &value));
	CU_ASSERT(!kobj_number(object, "values", &value));
	CU_ASSERT(kobj_text(object, "name", text, sizeof(text)));
	CU_ASSERT_STRING_EQUAL(text, "rcs0?!");
	CU_ASSERT(kobj_text(object, "text", text, 9));
	CU_ASSERT_STRING_EQUAL(text, "a string");
	CU_ASSERT(!kobj_text(object, "number", text, sizeof(text)));
	/* Errors and NULL lead nowhere, and silently. */
	CU_ASSERT_EQUAL(kobj_at(object, "nowhere->next").address, 0);
	CU_ASSERT_EQUAL(kobj_at(object, "next->next->next->number").address, 0);
	CU_ASSERT_PTR_NULL(kernel_missing(kernel, 0));
	CU_ASSERT(kobj_has(object, "next->next->values[1]"));
	CU_ASSERT(kobj_has(kernel_object(kernel, NULL, "thing", 0), "low"));
	CU_ASSERT(!kobj_has(object, "next->lower"));
	CU_ASSERT(!kobj_has(object, "number[1]"));
	CU_ASSERT(!kobj_has(object, "values[x]"));
	CU_ASSERT(!kobj_has(object, "number->low"));
	CU_ASSERT_PTR_NULL(kernel_missing(kernel, 0));
	CU_ASSERT_EQUAL(kobj_at(object, "next->lower").address, 0);
	is_missing(kernel, "thing.lower");
	CU_ASSERT_EQUAL(kernel_object(kernel, NULL, "nothing", first).address, 0);
	is_missing(kernel, "nothing");
	object = kobj_container(kobj_at(object, "values[1]"), NULL, "thing", "values[1]");
	CU_ASSERT_EQUAL(object.address, first);
	CU_ASSERT_EQUAL(kobj_container(object, NULL, "thing", "next->link").address, 0);
	CU_ASSERT(kernel_enumerator(kernel, NULL, "STATE_BUSY", &value) && value == 7);
	CU_ASSERT(kernel_enumerator(kernel, NULL, "STATE_BUSY", &value) && value == 7);
	CU_ASSERT(kernel_enumerator(kernel, NULL, "STATE_HUGE", &value) &&
		  value == UINT64_C(0x8000000001));
	CU_ASSERT(!kernel_enumerator(kernel, NULL, "STATE_LOST", &value));
	CU_ASSERT_EQUAL(number_of(kernel_object(kernel, NULL, "unsigned int",
						first + offsetof(struct thing, values)), ""), 1);
	close_made(kernel);
}

/* Its types continue those of vmlinux; its header is longer than we know. */
static void modules(void)
{
	static struct made_types types;
	static uint8_t file[3 * MADE_TYPES];
	struct { uint64_t data; uint32_t size, pad; char name[24]; } btf = { .name = "gpu" };
	struct { struct link link; uint64_t btf; } entry;
	struct link head;
	struct thing thing = { .number = 77 };
	struct kernel *kernel;
	uint64_t list, value;
	uint32_t pointer;

	begin();
	types = (struct made_types){ .base = &made.types };
	pointer = made_type(&types, 2, "", 0, made_type(&types, 7, "thing", 0, 0, NULL, 0), NULL,
			    0);
	made_struct(&types, "gpu", 16, (struct made_member[]){
		{ "id", MADE_UNSIGNED, 0, 0 }, { "thing", pointer, 64, 0 } }, 2);
	made_type(&types, 6, "kind", 1, 4, (uint32_t[]){ made_string(&types, "KIND_GPU"), 3 }, 2);
	btf.size = (uint32_t)made_types_file(&types, 32, file);
	btf.data = made_virtual(&made, file, btf.size);
	list = made_image(&made, &head, sizeof(head));
	entry.btf = made_virtual(&made, &btf, sizeof(btf));
	entry.link = (struct link){ list, list };
	head.next = head.prev = made_virtual(&made, &entry, sizeof(entry));
	made_put(&made, list, &head, sizeof(head));
	made_symbol(&made, "btf_modules", list);
	value = made_virtual(&made, &thing, sizeof(thing));
	list = made_virtual(&made, (uint64_t[]){ 42, value }, 16);
	made_finish(&made, INFO);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT_EQUAL(number_of(kernel_object(kernel, "gpu", "gpu", list), "id"), 42);
	CU_ASSERT_EQUAL(number_of(kernel_object(kernel, "gpu", "gpu", list), "thing->number"), 77);
	CU_ASSERT_EQUAL(number_of(kernel_object(kernel, "gpu", "thing", value), "number"), 77);
	CU_ASSERT(kernel_enumerator(kernel, "gpu", "KIND_GPU", &value) && value == 3);
	CU_ASSERT(kernel_enumerator(kernel, "gpu", "STATE_BUSY", &value) && value == 7);
	CU_ASSERT(!kernel_enumerator(kernel, NULL, "KIND_GPU", &value));
	/* Built in, or without types. */
	CU_ASSERT_EQUAL(kernel_object(kernel, "other", "thing", 8192).address, 8192);
	is_missing(kernel, "types of the module other");
	close_made(kernel);
}

/* ---- lists, arrays, pages ------------------------------------------------------------------- */

/* Links of a list at places; the last leads to another of them. */
static struct klist walk_list(struct kernel *kernel, uint64_t head, unsigned *count)
{
	struct kobj object, at = kernel_object(kernel, NULL, "list_head", head);
	struct klist list;

	klist_begin(&list, at, NULL, "thing", "link");
	for (*count = 0; klist_next(&list, &object); ++*count)
		CU_ASSERT_EQUAL(number_of(object, "number"), *count + 1);
	return list;
}

static void lists(void)
{
	enum { COUNT = 40 };
	uint64_t head, at[COUNT];
	struct thing thing = { .number = 0 };
	struct kernel *kernel;
	struct klist list;
	unsigned count;

	begin();
	head = made_image(&made, (uint64_t[2]){ 0 }, 16);
	for (unsigned i = 0; i < COUNT; i++) {
		thing.number = i + 1;
		at[i] = made_virtual(&made, &thing, sizeof(thing));
		made_put_number(&made, i ? at[i - 1] : head, at[i]);
	}
	made_put_number(&made, at[COUNT - 1], head);
	made_finish(&made, INFO);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	list = walk_list(kernel, head, &count);
	CU_ASSERT(count == COUNT && !list.stop);
	close_made(kernel);
	/* It never comes back to its head: it ends soon nevertheless. */
	for (unsigned i = 0; i < COUNT; i += 13) {
		struct kobj object;

		made_put_number(&made, at[COUNT - 1], at[i]);
		kernel = open_made();
		klist_begin(&list, kernel_object(kernel, NULL, "list_head", head), NULL, "thing",
			    "link");
		for (count = 0; klist_next(&list, &object); count++)
			;
		CU_ASSERT(count >= COUNT && count < 4 * COUNT);
		CU_ASSERT_STRING_EQUAL(list.stop, "it leads back into itself");
		close_made(kernel);
	}
	made_put_number(&made, at[20], UINT64_C(0xdead000000000100));
	kernel = open_made();
	list = walk_list(kernel, head, &count);
	CU_ASSERT_EQUAL(count, 21);
	CU_ASSERT_STRING_EQUAL(list.stop, "the dump does not have the memory there");
	close_made(kernel);
}

static void lists_end(void)
{
	struct thing thing = { .number = 1 };
	struct kernel *kernel;
	struct klist list;
	unsigned count;
	uint64_t head, at;

	begin();
	at = made_virtual(&made, &thing, sizeof(thing));
	head = made_image(&made, (uint64_t[]){ at, at }, 16);
	made_finish(&made, INFO);
	kernel = open_made();
	list = walk_list(kernel, head, &count);
	CU_ASSERT(count == 1);
	CU_ASSERT_STRING_EQUAL(list.stop, "it is broken");
	CU_ASSERT_STRING_EQUAL(kernel_stopped(kernel), "a list of thing: it is broken");
	/* No list, no type: nothing. */
	klist_begin(&list, (struct kobj){ .kernel = kernel }, NULL, "thing", "link");
	CU_ASSERT(!klist_next(&list, &(struct kobj){ .bit = 0 }));
	klist_begin(&list, kernel_object(kernel, NULL, "list_head", head), NULL, "thing", "lonk");
	CU_ASSERT(!klist_next(&list, &(struct kobj){ .bit = 0 }));
	is_missing(kernel, "thing.lonk");
	close_made(kernel);
}

static struct kxarray walk_array(struct kernel *kernel, uint64_t head, unsigned *count,
				 uint64_t *sum)
{
	struct kxarray array;
	uint64_t index, pointer;

	kxarray_begin(&array, kernel_object(kernel, NULL, "xarray", head));
	for (*count = 0, *sum = 0; kxarray_next(&array, &index, &pointer); ++*count) {
		*sum += index;
		CU_ASSERT_EQUAL(pointer, 0x8000 + 8 * index);
	}
	return array;
}

static void xarrays(void)
{
	struct node leaf = { .shift = 0 }, top = { .shift = 6 };
	uint64_t head, node, first, sum;
	struct kernel *kernel;
	struct kxarray array;
	unsigned count;

	begin();
	for (unsigned i = 0; i < 64; i += 9)
		leaf.slots[i] = 0x8000 + 8 * (64 * 5 + i);
	leaf.slots[1] = 0x406;		/* a zero entry */
	leaf.slots[2] = 2;		/* a sibling */
	leaf.slots[3] = 0x11;		/* a value */
	first = made_virtual(&made, &leaf, sizeof(leaf));
	top.slots[5] = first | 2;
	node = made_virtual(&made, &top, sizeof(top));
	head = made_image(&made, (uint64_t[]){ node | 2 }, 8);
	made_finish(&made, INFO);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	array = walk_array(kernel, head, &count, &sum);
	CU_ASSERT_EQUAL(count, 8);
	CU_ASSERT_EQUAL(sum, 8 * 320 + 9 * 28);
	CU_ASSERT_PTR_NULL(array.stop);
	close_made(kernel);
	/* A node that contains itself; one that contains the same one everywhere, eleven deep. */
	top.slots[6] = node | 2;
	made_put(&made, node, &top, sizeof(top));
	kernel = open_made();
	array = walk_array(kernel, head, &count, &sum);
	CU_ASSERT_EQUAL(count, 8);
	CU_ASSERT_STRING_EQUAL(array.stop, "it is damaged");
	close_made(kernel);
	/* One entry without a node. */
	made_put_number(&made, head, 0x8000);
	kernel = open_made();
	array = walk_array(kernel, head, &count, &sum);
	CU_ASSERT_EQUAL(count, 1);
	close_made(kernel);
}

/* Each level leads to the next from everywhere: it ends nevertheless. */
static void xarray_explodes(void)
{
	struct node node = { .shift = 0 };
	uint64_t at = 0, head, sum;
	struct kernel *kernel;
	struct kxarray array;
	unsigned count;

	begin();
	for (unsigned level = 0; level < 10; level++) {
		node.shift = (uint8_t)(6 * level);
		for (unsigned i = 0; level && i < 64; i++)
			node.slots[i] = at | 2;
		at = made_virtual(&made, &node, sizeof(node));
	}
	head = made_image(&made, (uint64_t[]){ at | 2 }, 8);
	made_finish(&made, INFO);
	kernel = open_made();
	array = walk_array(kernel, head, &count, &sum);
	CU_ASSERT_EQUAL(count, 0);
	CU_ASSERT_STRING_EQUAL(array.stop, "it has too many nodes");
	close_made(kernel);
}

static uint64_t page_of(uint64_t physical)
{
	return MADE_PAGES + physical / 4096 * 64;
}

static void pages(void)
{
	struct entry second[3] = {
		{ page_of(0x30000), 16, 0x1000, 0x90000000, 0x3000 },
		{ 0, 0, 0x2000, 0, 0 },	/* memory of the device */
		{ page_of(0x70000) | 2, 0, 0x1000, 0, 0 },
	};
	struct entry first[3] = {
		{ page_of(0x10000), 0, 0x2000, 0x80000000, 0x1000 },
		{ page_of(0x20000), 0, 0x1000, 0x88000000, 0x2000 },
	};
	static const struct {
		uint64_t physical, dma, length;
	} runs[] = {
		{ 0x10000, 0x80000000, 0x1000 },
		{ 0x11000, 0x88000000, 0x1000 },
		{ 0x20000, 0x88001000, 0x1000 },
		{ 0x30010, 0x90000000, 0x1000 },
		{ KPAGES_UNKNOWN, 0x90001000, 0x2000 },
		{ 0x70000, KPAGES_UNKNOWN, 0x1000 },
	};
	struct table table = { .nents = 3, .orig_nents = 5 };
	uint64_t at, physical, dma, length;
	struct kernel *kernel;
	struct kpages run;

	begin();
	first[2].page_link = made_virtual(&made, second, sizeof(second)) | 1;
	table.sgl = made_virtual(&made, first, sizeof(first));
	at = made_virtual(&made, &table, sizeof(table));
	made_finish(&made, INFO);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	kpages_begin(&run, kernel_object(kernel, NULL, "sg_table", at));
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		CU_ASSERT_FATAL(kpages_next(&run, &physical, &dma, &length));
		CU_ASSERT_EQUAL(physical, runs[i].physical);
		CU_ASSERT_EQUAL(dma, runs[i].dma);
		CU_ASSERT_EQUAL(length, runs[i].length);
	}
	CU_ASSERT(!kpages_next(&run, &physical, &dma, &length));
	CU_ASSERT(kernel_page(kernel, page_of(0x5000), &physical) && physical == 0x5000);
	CU_ASSERT(!kernel_page(kernel, 0, &physical));
	close_made(kernel);
	/* A table that is chained to itself. */
	first[0].page_link = table.sgl | 1;
	made_put(&made, table.sgl, first, sizeof(first));
	kernel = open_made();
	kpages_begin(&run, kernel_object(kernel, NULL, "sg_table", at));
	CU_ASSERT(!kpages_next(&run, &physical, &dma, &length));
	close_made(kernel);
}

static void processes(void)
{
	struct { uint64_t count, tasks[2], pad; int32_t nr[4]; } pid = { .nr = { 1234 } };
	struct { uint64_t flags; char comm[24]; struct link links[2]; } task = { .comm = "glxgears" };
	uint64_t alive, dead, at;
	struct kernel *kernel;
	uint32_t number;
	char name[16];

	begin();
	at = made_virtual(&made, &task, sizeof(task));
	dead = made_virtual(&made, &pid, sizeof(pid));
	pid.tasks[1] = at + 32 + 16;
	pid.nr[0] = 99;
	alive = made_virtual(&made, &pid, sizeof(pid));
	made_finish(&made, INFO);
	kernel = open_made();
	CU_ASSERT_PTR_NOT_NULL_FATAL(kernel);
	CU_ASSERT(kernel_process(kernel_object(kernel, NULL, "pid", alive), &number, name));
	CU_ASSERT_EQUAL(number, 99);
	CU_ASSERT_STRING_EQUAL(name, "glxgears");
	CU_ASSERT(kernel_process(kernel_object(kernel, NULL, "pid", dead), &number, name));
	CU_ASSERT_EQUAL(number, 1234);
	CU_ASSERT_STRING_EQUAL(name, "");
	CU_ASSERT(!kernel_process(kernel_object(kernel, NULL, "pid", 0), &number, name));
	close_made(kernel);
}

SUITE(kernel,
	{ "addresses and symbols", ways },
	{ "another kernel's remains", another },
	{ "a crash kernel", crashed },
	{ "without symbols or types", lacking },
	{ "in several files, and filtered", split },
	{ "objects", objects },
	{ "modules", modules },
	{ "lists", lists },
	{ "lists that do not end well", lists_end },
	{ "xarrays", xarrays },
	{ "an xarray of itself", xarray_explodes },
	{ "pages", pages },
	{ "processes", processes })
