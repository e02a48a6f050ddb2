/* SPDX-License-Identifier: MIT */
/* Physical memory as a kernel might give it: its files are hand-made. */
#include "db/ggtt.h"
#include "db/view.h"
#include "device/internal.h"
#include "source-helpers.h"
#include "test.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* ---- files ---------------------------------------------------------------------------------- */

#define DATA 0x400
#define SEGMENTS 7

struct kcore {
	Elf64_Ehdr header;
	Elf64_Phdr segment[SEGMENTS];
	uint8_t pad[DATA - sizeof(Elf64_Ehdr) - SEGMENTS * sizeof(Elf64_Phdr)];
	uint8_t data[0x400];
};

/* As the kernel orders them: text, virtual mappings, then RAM; each byte shows where it is. */
static struct kcore make_kcore(void)
{
	struct kcore core = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_CORE,
			    .e_machine = EM_X86_64,
			    .e_phoff = sizeof(Elf64_Ehdr),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = SEGMENTS },
		.segment = {
			{ .p_type = PT_NOTE, .p_offset = DATA, .p_filesz = 0x10,
			  .p_paddr = 0x1000 },
			{ .p_type = PT_LOAD, .p_offset = DATA + 0x40, .p_filesz = 0x20,
			  .p_paddr = 0x100020 },
			{ .p_type = PT_LOAD, .p_offset = DATA + 0x80, .p_filesz = 0x40,
			  .p_paddr = UINT64_MAX },
			{ .p_type = PT_LOAD, .p_offset = DATA + 0xc0, .p_filesz = 0x2000 },
			{ .p_type = PT_LOAD, .p_offset = DATA + 0x100, .p_filesz = 0x40,
			  .p_paddr = 0x1000 },
			{ .p_type = PT_LOAD, .p_offset = DATA + 0x200, .p_filesz = 0x60,
			  .p_paddr = 0x100000 },
			{ .p_type = PT_LOAD, .p_offset = DATA + 0x300, .p_filesz = 0x40,
			  .p_paddr = 0x240000000 },
		},
	};

	for (unsigned i = 0; i < sizeof(core.data); i++)
		core.data[i] = (uint8_t)(i ^ i >> 4);
	return core;
}

static uint64_t data_at(unsigned offset)
{
	const struct kcore core = make_kcore();
	uint64_t value;

	memcpy(&value, core.data + offset, 8);
	return value;
}

static const char usual_map[] =
	"00000000-00000fff : Reserved\n"
	"00001000-0000103f : System RAM\n"
	"00001040-00003fff : Reserved\n"
	"  00002000-00002fff : PCI Bus 0000:00\n"
	"00100000-0010005f : System RAM\n"
	"  00100000-0010003f : Kernel code\n"
	"7c000000-7fffffff : Reserved\n"
	"  7c000004-7c00000b : HPET 1\n"
	"80000000-febfffff : PCI Bus 0000:00\n"
	"  fd000000-fdffffff : 0000:00:02.0\n"
	"fed00000-fed003ff : HPET 0\n"
	"240000000-24000001b : System RAM (kmem)\n";

struct files {
	char *iomem, *kcore, *mem;
	struct memory_paths paths;
	struct problems problems;
	struct memory memory;
};

static void files_begin(struct files *files, const char *map, const void *core, size_t core_size,
			size_t mem_size)
{
	uint8_t *bytes = calloc(1, mem_size + 1);

	for (size_t i = 0; i < mem_size; i++)
		bytes[i] = (uint8_t)(0xe0 | (i & 0xf));
	*files = (struct files){
		.iomem = temporary_file(map, strlen(map)),
		.kcore = temporary_file(core, core_size),
		.mem = temporary_file(bytes, mem_size),
	};
	files->paths = (struct memory_paths){ files->iomem, files->kcore, files->mem };
	memory_begin(&files->memory, &files->paths, &files->problems);
	free(bytes);
}

static void files_end(struct files *files)
{
	memory_end(&files->memory);
	vec_free(&files->problems.list);
	drop_file(files->iomem);
	drop_file(files->kcore);
	drop_file(files->mem);
}

static void usual_files(struct files *files)
{
	struct kcore core = make_kcore();

	files_begin(files, usual_map, &core, sizeof(core), 0x4000);
}

/* Everything wrong with it, and that it is reported once. */
static bool problem_is(struct files *files, enum gsc_status status, const char *path,
		       const char *why)
{
	const struct gsc_error *problem = files->problems.list.items;

	return files->problems.list.count == 1 && problem->status == status &&
	       !strcmp(problem->what, path) && strstr(problem->why, why);
}

/* ---- what lies where ------------------------------------------------------------------------ */

static void kinds(void)
{
	static const struct {
		uint64_t address;
		enum memory_kind kind;
	} expected[] = {
		{ 0, MEMORY_FIRMWARE },		   { 0xfff, MEMORY_FIRMWARE },
		{ 0x1000, MEMORY_RAM },		   { 0x103f, MEMORY_RAM },
		{ 0x1040, MEMORY_NONE },	   { 0x1fff, MEMORY_NONE },
		{ 0x2000, MEMORY_NONE },	   { 0x2fff, MEMORY_NONE },
		{ 0x3000, MEMORY_FIRMWARE },	   { 0x3fff, MEMORY_FIRMWARE },
		{ 0x4000, MEMORY_NONE },	   { 0x100000, MEMORY_RAM },
		{ 0x10005f, MEMORY_RAM },	   { 0x100060, MEMORY_NONE },
		{ 0x7c000000, MEMORY_FIRMWARE },   { 0xfd000000, MEMORY_NONE },
		{ 0xfed00000, MEMORY_NONE },	   { 0x240000000, MEMORY_RAM },
		{ 0x24000001c, MEMORY_NONE },	   { UINT64_MAX, MEMORY_NONE },
	};
	struct files files;

	usual_files(&files);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		CU_ASSERT_EQUAL(memory_kind(&files.memory, expected[i].address), expected[i].kind);
	files_end(&files);
}

static void map_refused(void)
{
	static const struct {
		const char *map, *why;
		enum gsc_status status;
	} cases[] = {
		{ "00000000-00000000 : System RAM\n00000000-00000000 : Reserved\n",
		  "hides the addresses", GSC_DENIED },
		{ "", "hides the addresses", GSC_DENIED },
		{ "not a map\n", "hides the addresses", GSC_DENIED },
	};
	struct kcore core = make_kcore();

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t value = 7;
		struct files files;

		files_begin(&files, cases[i].map, &core, sizeof(core), 0);
		CU_ASSERT_EQUAL(memory_read(&files.memory, 0x1000, 8, &value), GSC_READ_DENIED);
		CU_ASSERT_EQUAL(memory_read(&files.memory, 0, 4, &value), GSC_READ_DENIED);
		CU_ASSERT_EQUAL(value, 7);
		CU_ASSERT(problem_is(&files, cases[i].status, files.iomem, cases[i].why));
		files_end(&files);
	}
}

static void no_map(void)
{
	struct files files;
	uint64_t value;

	usual_files(&files);
	files.memory.paths.iomem = "/no such file";
	CU_ASSERT_EQUAL(memory_read(&files.memory, 0x1000, 8, &value), GSC_READ_ABSENT);
	CU_ASSERT(problem_is(&files, GSC_FAILED, "/no such file", "No such file"));
	files_end(&files);
}

/* ---- RAM ------------------------------------------------------------------------------------ */

static void expect(struct files *files, uint64_t address, unsigned size, uint64_t wanted)
{
	uint64_t value = 0;

	CU_ASSERT_EQUAL(memory_read(&files->memory, address, size, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, wanted & size_mask(size));
}

static void expect_absent(struct files *files, uint64_t address, unsigned size)
{
	uint64_t value = 7;

	CU_ASSERT_EQUAL(memory_read(&files->memory, address, size, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(value, 7);
}

static void ram(void)
{
	struct files files;

	usual_files(&files);
	expect(&files, 0x1000, 8, data_at(0x100));
	expect(&files, 0x1038, 8, data_at(0x138));
	expect(&files, 0x103f, 1, data_at(0x13f));
	expect(&files, 0x100000, 4, data_at(0x200));
	expect(&files, 0x100018, 8, data_at(0x218));
	expect(&files, 0x100058, 8, data_at(0x258));
	expect(&files, 0x240000010, 8, data_at(0x310));
	expect(&files, 0x240000018, 4, data_at(0x318));
	expect_absent(&files, 0x240000018, 8);
	expect_absent(&files, 0x100060, 4);
	expect_absent(&files, 0x240000020, 4);
	expect_absent(&files, 0xfd000000, 4);
	expect_absent(&files, UINT64_MAX - 7, 8);
	CU_ASSERT_EQUAL(files.problems.list.count, 0);
	CU_ASSERT(files.memory.mem.fd < 0);
	files_end(&files);
}

/* The text is there twice: whichever is read, it is read from its own place in the file. */
static void text_segment(void)
{
	struct kcore core = make_kcore();
	struct files files;

	core.segment[1].p_paddr = 0x100000 - 0x10;
	files_begin(&files, usual_map, &core, sizeof(core), 0);
	expect(&files, 0x100000, 8, data_at(0x200));
	expect(&files, 0x100010, 8, data_at(0x210));
	files_end(&files);

	core.segment[1].p_paddr = 0x100058;
	files_begin(&files, usual_map, &core, sizeof(core), 0);
	expect(&files, 0x100050, 8, data_at(0x250));
	expect(&files, 0x100058, 8, data_at(0x258));
	expect_absent(&files, 0x100060, 8);
	files_end(&files);

	core.segment[1].p_paddr = 0x100000;
	core.segment[5].p_paddr = 0x100010;
	files_begin(&files, usual_map, &core, sizeof(core), 0);
	expect(&files, 0x100000, 8, data_at(0x40));
	expect(&files, 0x100018, 8, data_at(0x58));
	expect(&files, 0x100020, 8, data_at(0x210));
	files_end(&files);

	core.segment[1].p_type = PT_NULL;
	files_begin(&files, usual_map, &core, sizeof(core), 0);
	expect_absent(&files, 0x100008, 8);
	expect(&files, 0x100010, 8, data_at(0x200));
	files_end(&files);
}

/* RAM that the map has and kcore lacks cannot be read from /dev/mem, which would give zeros. */
static void ram_not_in_kcore(void)
{
	struct kcore core = make_kcore();
	struct files files;

	core.segment[4].p_type = PT_NOTE;
	files_begin(&files, usual_map, &core, sizeof(core), 0x4000);
	expect_absent(&files, 0x1000, 8);
	expect(&files, 0x100000, 8, data_at(0x200));
	CU_ASSERT(files.memory.mem.fd < 0);
	files_end(&files);
}

static void short_kcore(void)
{
	struct kcore core = make_kcore();
	struct files files;

	files_begin(&files, usual_map, &core, DATA + 0x23c, 0);
	expect(&files, 0x100030, 8, data_at(0x230));
	expect(&files, 0x100038, 4, data_at(0x238));
	expect_absent(&files, 0x100038, 8);
	expect_absent(&files, 0x240000000, 1);
	files_end(&files);
}

static void refuse_kcore(const struct kcore *core, const char *why)
{
	struct files files;

	files_begin(&files, usual_map, core, sizeof(*core), 0x4000);
	expect_absent(&files, 0x1000, 8);
	expect_absent(&files, 0x100000, 8);
	CU_ASSERT(problem_is(&files, GSC_FAILED, files.kcore, why));
	expect(&files, 0x3000, 4, 0xe3e2e1e0);
	files_end(&files);
}

static void kcore_refused(void)
{
	struct kcore core = make_kcore();

	core.header.e_ident[0] = 0;
	refuse_kcore(&core, "not an ELF file");
	core = make_kcore();
	core.header.e_type = ET_EXEC;
	refuse_kcore(&core, "not a core");
	core = make_kcore();
	core.header.e_phentsize = 8;
	refuse_kcore(&core, "too small");
	core = make_kcore();
	for (unsigned i = 0; i < SEGMENTS; i++)
		core.segment[i].p_paddr = 0;
	refuse_kcore(&core, "lists no memory");
	core = make_kcore();
	for (unsigned i = 0; i < SEGMENTS; i++)
		core.segment[i].p_filesz = UINT64_MAX;
	refuse_kcore(&core, "lists no memory");
	core = make_kcore();
	core.header.e_phoff = UINT64_MAX - 8;
	refuse_kcore(&core, "lists no memory");
}

static void no_kcore(void)
{
	struct files files;

	usual_files(&files);
	files.memory.paths.kcore = "/no such file";
	expect_absent(&files, 0x1000, 8);
	CU_ASSERT(problem_is(&files, GSC_FAILED, "/no such file", "CONFIG_PROC_KCORE"));
	files_end(&files);
}

/* ---- what is not RAM ------------------------------------------------------------------------ */

static void firmware(void)
{
	struct files files;

	usual_files(&files);
	expect(&files, 0, 8, UINT64_C(0xe7e6e5e4e3e2e1e0));
	expect(&files, 0xff8, 8, UINT64_C(0xefeeedecebeae9e8));
	expect(&files, 0x3002, 2, 0xe3e2);
	expect_absent(&files, 0x1040, 8);
	expect_absent(&files, 0x2000, 8);
	expect_absent(&files, 0x4000, 4);
	expect_absent(&files, 0x7c000000, 4);
	CU_ASSERT_EQUAL(files.problems.list.count, 0);
	CU_ASSERT_EQUAL(truncate(files.mem, 0x7c001000), 0);
	expect(&files, 0x7c000000, 4, 0);
	expect_absent(&files, 0x7c000000, 8);
	expect_absent(&files, 0x7c000008, 4);
	expect_absent(&files, 0x7c000008, 8);
	expect(&files, 0x7c00000c, 4, 0);
	files_end(&files);
}

static void no_mem(void)
{
	struct files files;

	usual_files(&files);
	files.memory.paths.mem = "/no such file";
	expect_absent(&files, 0x3000, 4);
	expect_absent(&files, 0, 4);
	CU_ASSERT(problem_is(&files, GSC_FAILED, "/no such file", "CONFIG_DEVMEM"));
	expect(&files, 0x1000, 8, data_at(0x100));
	files_end(&files);
}

static void extents(void)
{
	struct kcore core = make_kcore();
	struct files files;
	uint64_t start = 0, last = 0;

	core.segment[4].p_filesz = 0x3000;
	files_begin(&files, usual_map, &core, sizeof(core), 0);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_RAM, 0, &start, &last));
	CU_ASSERT(start == 0x1000 && last == 0x103f);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_RAM, 0x1040, &start, &last));
	CU_ASSERT(start == 0x100000 && last == 0x10005f);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_RAM, 0x100050, &start, &last));
	CU_ASSERT(start == 0x100050 && last == 0x10005f);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_RAM, 0x100060, &start, &last));
	CU_ASSERT(start == 0x240000000 && last == 0x24000001b);
	CU_ASSERT_FALSE(memory_extent(&files.memory, MEMORY_RAM, 0x24000001c, &start, &last));
	CU_ASSERT(memory_extent(&files.memory, MEMORY_FIRMWARE, 0x10, &start, &last));
	CU_ASSERT(start == 0x10 && last == 0xfff);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_FIRMWARE, 0x1000, &start, &last));
	CU_ASSERT(start == 0x3000 && last == 0x3fff);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_FIRMWARE, 0x4000, &start, &last));
	CU_ASSERT(start == 0x7c000000 && last == 0x7c000003);
	CU_ASSERT(memory_extent(&files.memory, MEMORY_FIRMWARE, 0x7c000004, &start, &last));
	CU_ASSERT(start == 0x7c00000c && last == 0x7fffffff);
	CU_ASSERT_FALSE(memory_extent(&files.memory, MEMORY_FIRMWARE, 0x80000000, &start, &last));
	files_end(&files);
}

/* ---- damage --------------------------------------------------------------------------------- */

static void read_everywhere(struct files *files)
{
	uint64_t from = 0, start, last, value;

	for (unsigned i = 0; i < 20; i++) {
		if (!memory_extent(&files->memory, i & 1 ? MEMORY_RAM : MEMORY_FIRMWARE, from,
				   &start, &last))
			continue;
		CU_ASSERT(start >= from && last >= start);
		memory_read(&files->memory, start & ~UINT64_C(7), 8, &value);
		memory_read(&files->memory, last & ~UINT64_C(7), 8, &value);
		memory_read(&files->memory, last, 1, &value);
		from = last + 1;
	}
}

static void survives_damage(void)
{
	struct kcore core = make_kcore();
	char map[sizeof(usual_map)];
	uint32_t seed = 11;
	struct files files;

	for (size_t at = 0; at < DATA; at += 3) {
		uint8_t *byte = (uint8_t *)&core + at, kept = *byte;

		*byte = (uint8_t)next_random(&seed);
		memcpy(map, usual_map, sizeof(map));
		map[next_random(&seed) % (sizeof(map) - 1)] = (char)(next_random(&seed) % 255 + 1);
		files_begin(&files, map, &core, sizeof(core) - next_random(&seed) % 0x500, 0x100);
		read_everywhere(&files);
		files_end(&files);
		*byte = kept;
	}
}

/* ---- the sizes of stolen memory, and entries, against the definitions ----------------------- */

static struct gsc_db *definitions;

static void each_platform(void (*check)(const struct gsc_platform *, struct gsc_view *))
{
	struct gsc_platform platform;
	struct gsc_view *view;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&definitions, NULL), GSC_OK);
	for (unsigned i = 0; gsc_platform_at(definitions, i, &platform); i++) {
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, definitions, i, -1, NULL), GSC_OK);
		check(&platform, view);
		gsc_view_free(view);
	}
	gsc_db_free(definitions);
}

/* "96 MB", "VT: 1.5 MB, and 1.5 MB shadow", "33554432 bytes"; "none" and the like are 0. */
static uint64_t bytes_said(const char *text)
{
	char unit[16] = "";
	double number;

	if (!strncmp(text, "VT: ", 4))
		text += 4;
	if (sscanf(text, "%lf %15[A-Za-z]", &number, unit) != 2)
		return 0;
	return (uint64_t)(number * (!strcmp(unit, "MB") ? 1 << 20 : 1));
}

static void check_ggc_value(const struct gsc_platform *platform, const struct gsc_view *view,
			    const struct gsc_reg *reg, uint32_t ggc)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_reg_fields(view, reg, ggc, &it);
	while (gsc_field_next(&it, &field)) {
		uint64_t bytes = 0;

		if (strcmp(field.name, "GMS") && strcmp(field.name, "GGMS"))
			continue;
		reg_bytes(view, reg, ggc, field.name, &bytes);
		if (bytes == (field.text ? bytes_said(field.text) : 0))
			continue;
		fprintf(stderr, "\n%s: GGC 0x%x: %s is \"%s\"\n", platform->name, ggc, field.name,
			field.text);
		CU_FAIL("sizes differ");
	}
}

static void check_ggc(const struct gsc_platform *platform, struct gsc_view *view)
{
	struct gsc_reg reg;
	unsigned found = 0;

	if (platform->flags & GSC_PLATFORM_DISCRETE)
		return;
	for (size_t i = 0; i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		if (strcmp(reg.name, "GGC") && strcmp(reg.name, "MGGC"))
			continue;
		found++;
		for (uint32_t ggc = 0; ggc < 0x10000; ggc += 8)
			check_ggc_value(platform, view, &reg, ggc);
	}
	CU_ASSERT(found >= 1);
}

/* A block gives the same as single bytes, and wherever the first byte exists. */
static void check_block(struct memory *memory, uint64_t address, size_t size)
{
	uint8_t bytes[0x300];
	size_t got = memory_block(memory, address, bytes, size);
	uint64_t value = 0;

	CU_ASSERT_FATAL(got <= size);
	CU_ASSERT_EQUAL(got > 0, memory_read(memory, address, 1, &value) == GSC_READ_OK);
	for (size_t i = 0; i < got; i++) {
		CU_ASSERT_EQUAL(memory_read(memory, address + i, 1, &value), GSC_READ_OK);
		CU_ASSERT_EQUAL(bytes[i], value);
	}
}

static void blocks(void)
{
	static const uint64_t edges[] = { 0, 0x1000, 0x1040, 0x2000, 0x3000, 0x4000, 0x100000,
					  0x100060, 0x7c000000, 0xfed00000, 0x240000000,
					  0x24000001c, UINT64_MAX - 0x40 };
	static const size_t sizes[] = { 1, 7, 8, 0x2d, 0x300 };
	struct files files;
	uint8_t bytes[0x300];

	usual_files(&files);
	for (size_t i = 0; i < ARRAY_SIZE(edges); i++)
		for (unsigned before = 0; before <= MIN(edges[i], 9); before++)
			for (size_t s = 0; s < ARRAY_SIZE(sizes); s++)
				check_block(&files.memory, edges[i] - before, sizes[s]);
	CU_ASSERT_EQUAL(memory_block(&files.memory, 0x100000, bytes, sizeof(bytes)), 0x60);
	CU_ASSERT_EQUAL(memory_block(&files.memory, 0x800, bytes, sizeof(bytes)), sizeof(bytes));
	files_end(&files);
}

static void ggc_sizes(void)
{
	each_platform(check_ggc);
}

static void check_entry(const struct gsc_platform *platform, const struct gsc_view *view,
			const struct gsc_item *item, uint64_t entry)
{
	uint32_t words[2] = { (uint32_t)entry, (uint32_t)(entry >> 32) };
	uint64_t address = 0, valid = 2;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;

	gsc_item_fields(definitions, view, item, words, item->bits / 32, &it);
	while (gsc_field_next(&it, &field)) {
		gsc_field_form(&it, &form);
		if (form.address)
			address |= field.value << form.shift;
		if (!strcmp(field.name, "VALID") || !strcmp(field.name, "PRESENT"))
			valid = field.value;
		if (!strcmp(field.name, "LOCAL_MEMORY"))
			CU_ASSERT_EQUAL(ggtt_entry_local(platform, entry), field.value);
	}
	CU_ASSERT_EQUAL(ggtt_entry_address(platform, entry), address);
	CU_ASSERT_EQUAL(ggtt_entry_valid(entry), valid);
}

static void check_entries(const struct gsc_platform *platform, struct gsc_view *view)
{
	struct gsc_item item;
	unsigned found = 0;
	uint32_t seed = 3;

	for (size_t i = 0; gsc_item_at(definitions, GSC_ENTRY, i, &item); i++) {
		if (strcmp(item.modes, "ggtt") || !(item.platforms >> platform->index & 1))
			continue;
		found++;
		CU_ASSERT_EQUAL(item.bits, platform->ggtt_entry * 8);
		for (unsigned n = 0; n < 500; n++) {
			uint64_t entry = (uint64_t)next_random(&seed) << 40 ^
					 (uint64_t)next_random(&seed) << 20 ^ next_random(&seed);

			check_entry(platform, view, &item,
				    entry & size_mask(platform->ggtt_entry));
		}
	}
	CU_ASSERT_EQUAL(found, 1);
}

static void entries(void)
{
	each_platform(check_entries);
}

SUITE(memory,
      { "kinds", kinds },
      { "map refused", map_refused },
      { "no map", no_map },
      { "RAM", ram },
      { "text segment", text_segment },
      { "RAM not in kcore", ram_not_in_kcore },
      { "short kcore", short_kcore },
      { "kcore refused", kcore_refused },
      { "no kcore", no_kcore },
      { "firmware", firmware },
      { "no /dev/mem", no_mem },
      { "extents", extents },
      { "blocks", blocks },
      { "survives damage", survives_damage },
      { "GGC sizes", ggc_sizes },
      { "GGTT entries", entries })
