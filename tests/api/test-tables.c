/* SPDX-License-Identifier: MIT */
/* Page tables: where they begin, what is mapped where, and what is wrong with them. */
#include "test.h"

#define ROOT UINT64_C(0x22543a000)	/* of skl-hang */

static struct gpuscope_tables *tables_of(const char *source,
					 const struct gpuscope_tables_options *options)
{
	struct gpuscope_gpu *gpu = gpu_of(source);
	struct gpuscope_tables *tables;

	FINE(gpuscope_tables_new(gpu, options, &tables));
	gpuscope_gpu_free(gpu);
	return tables;
}

static struct gpuscope_tables_options options(const char *engine, const char *mode)
{
	return (struct gpuscope_tables_options){ .size = sizeof(struct gpuscope_tables_options),
						 .engine = engine, .mode = mode };
}

static void words(void)
{
	TEXT(gpuscope_mode_word(GPUSCOPE_MODE_GGTT), "ggtt");
	TEXT(gpuscope_mode_word(GPUSCOPE_MODE_VTD), "vtd");
	TEXT(gpuscope_stop_word(GPUSCOPE_STOP_NONE), NULL);
	TEXT(gpuscope_stop_word(GPUSCOPE_STOP_IOMMU), "iommu");
	TEXT(gpuscope_shape_word(GPUSCOPE_SHAPE_REPEAT), "repeat");
	TEXT(gpuscope_shape_word((enum gpuscope_shape)99), NULL);
	TEXT(gpuscope_mode_word((enum gpuscope_mode)99), NULL);
	TEXT(gpuscope_stop_word((enum gpuscope_stop)99), NULL);
}

static void roots(void)
{
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");
	const struct gpuscope_root *root;
	struct gpuscope_list *list;

	FINE(gpuscope_roots(gpu, &list));
	gpuscope_gpu_free(gpu);
	root = gpuscope_next(list);
	NUMBER(root->mode, GPUSCOPE_MODE_GGTT);
	NUMBER(root->count, 0);
	root = gpuscope_next(list);
	NUMBER(root->size, sizeof(*root));
	NUMBER(root->mode, GPUSCOPE_MODE_PML4);
	NUMBER(root->count, 1);
	NUMBER(root->values[0], ROOT);
	TEXT(root->from, "rcs0.RING_PDP_LDW[0]");
	CHECK(!gpuscope_next(list) && !gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
}

/* What gpu-ptwalk takes and refuses. */
static void choices(void)
{
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang"), *definitions;
	struct gpuscope_options open = { .size = sizeof(open), .platform = "skl" };
	struct gpuscope_tables_options o = options(NULL, "ggtt");
	struct gpuscope_tables *tables;
	struct gpuscope_list *list;
	uint64_t root[4] = { ROOT, 1, 2, 3 }, context = UINT64_C(0xffff000), second = 0x1000;

	FINE(gpuscope_tables_new(gpu, &o, &tables));
	NUMBER(gpuscope_tables_root(tables)->mode, GPUSCOPE_MODE_GGTT);
	gpuscope_tables_free(tables);
	o = options("rcs0", "ia32e");
	FINE(gpuscope_tables_new(gpu, &o, &tables));
	NUMBER(gpuscope_tables_root(tables)->mode, GPUSCOPE_MODE_IA32E);
	NUMBER(gpuscope_tables_root(tables)->values[0], ROOT);
	gpuscope_tables_free(tables);
	o.mode = "2level";
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "--mode 2level",
	      "uses mode pml4");
	CHECK(!tables);
	o.mode = "five";
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "mode",
	      "there is no \"five\": expected ggtt");
	o = options("rcs9", NULL);
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_UNKNOWN, "rcs9", "engine");
	o = options("rcs0", NULL);
	o.context = &context;
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "context",
	      "cannot be combined with engine");
	o.engine = NULL;
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_UNKNOWN,
	      "context 0x0ffff000", "no source holds it");
	o = options(NULL, NULL);
	o.root = root;
	o.root_count = 1;
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "root", "needs a mode");
	o.mode = "pml4";
	FINE(gpuscope_tables_new(gpu, &o, &tables));
	CHECK(gpuscope_walk(tables, UINT64_C(0x100000000), GPUSCOPE_ACCESS_READ)->mapped);
	gpuscope_tables_free(tables);
	o.root_count = 4;
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "root",
	      "no root of mode pml4: expected PDP0");
	o.root_count = 0;
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "root",
	      "no root of mode");
	o.root_count = 1;
	o.second_level = &second;
	o.second_levels = 7;
	ERROR(gpuscope_tables_new(gpu, &o, &tables), GPUSCOPE_STATUS_USAGE, "second_levels",
	      "3, 4 or 5");
	o.second_levels = 0;
	FINE(gpuscope_tables_new(gpu, &o, &tables));
	NUMBER(gpuscope_walk(tables, 0x1000, GPUSCOPE_ACCESS_READ)->stop, GPUSCOPE_STOP_NO_MEMORY);
	gpuscope_tables_free(tables);
	gpuscope_gpu_free(gpu);

	FINE(gpuscope_open(NULL, 0, &open, &definitions));
	ERROR(gpuscope_tables_new(definitions, NULL, &tables), GPUSCOPE_STATUS_USAGE, "source",
	      "none");
	ERROR(gpuscope_roots(definitions, &list), GPUSCOPE_STATUS_USAGE, "source", "none");
	CHECK(!tables && !list);
	gpuscope_gpu_free(definitions);
}

/* ---- walks ---------------------------------------------------------------------------------- */

static void levels(struct gpuscope_list *list)
{
	static const struct {
		const char *level;
		unsigned index;
		uint64_t table, entry, target;
	} wanted[] = {
		{ "pml4e", 0, ROOT, UINT64_C(0x225429003), UINT64_C(0x225429000) },
		{ "pdpe", 12, UINT64_C(0x225429000), UINT64_C(0x225447003), UINT64_C(0x225447000) },
		{ "pde2m", 0, UINT64_C(0x225447000), UINT64_C(0x180800083), UINT64_C(0x180800000) },
	};
	const struct gpuscope_field *field;
	const struct gpuscope_entry *entry;
	struct gpuscope_list *fields;

	for (size_t i = 0; i < 3; i++) {
		entry = gpuscope_next(list);
		TEXT(entry->level, wanted[i].level);
		NUMBER(entry->size, sizeof(*entry));
		NUMBER(entry->index, wanted[i].index);
		NUMBER(entry->table, wanted[i].table);
		NUMBER(entry->address, wanted[i].table + 8 * wanted[i].index);
		NUMBER(entry->entry, wanted[i].entry);
		NUMBER(entry->target, wanted[i].target);
		NUMBER(entry->space, GPUSCOPE_SPACE_PHYS);
		NUMBER(entry->depth, 0);
		CHECK(entry->held && entry->valid && !entry->guest && !*entry->problems);
		CHECK(entry->leaf == (i == 2));
		NUMBER(entry->page_size, i == 2 ? 2 << 20 : 0);
		TEXT(entry->next, i == 0 ? "pdpe" : i == 1 ? "pde" : NULL);
	}
	FINE(gpuscope_fields(entry->decoded, &fields));
	while ((field = gpuscope_next(fields)) && strcmp(field->name, "ADDRESS"))
		;
	NUMBER(field ? field->value : 0, UINT64_C(0x180800000) >> 21);
	gpuscope_list_free(fields);
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
}

static void walks(void)
{
	struct gpuscope_tables *tables = tables_of("demo:skl-hang", NULL);
	const struct gpuscope_walk *walk = gpuscope_walk(tables, UINT64_C(0x300012345),
							  GPUSCOPE_ACCESS_WRITE);
	const struct gpuscope_walk foreign = { .size = sizeof(foreign) };
	struct gpuscope_list *list, *older;
	const struct gpuscope_entry *entry;

	NUMBER(walk->size, sizeof(*walk));
	NUMBER(walk->address, UINT64_C(0x300012345));
	NUMBER(walk->mode, GPUSCOPE_MODE_PML4);
	CHECK(walk->mapped && walk->writable && walk->readable && !walk->null && !walk->stolen);
	NUMBER(walk->space, GPUSCOPE_SPACE_PHYS);
	NUMBER(walk->physical, UINT64_C(0x180812345));
	NUMBER(walk->page_size, 2 << 20);
	CHECK(!walk->stop && !walk->stop_level && !walk->stop_text && !walk->note);
	TEXT(gpuscope_walk_flags(walk), "rw,pat0");
	FINE(gpuscope_walk_entries(walk, &older));
	FINE(gpuscope_walk_entries(walk, &list));
	levels(list);

	walk = gpuscope_walk(tables, UINT64_C(0x7a1105603000), GPUSCOPE_ACCESS_READ);
	CHECK(!walk->mapped && !gpuscope_walk_flags(walk));
	NUMBER(walk->stop, GPUSCOPE_STOP_NOT_PRESENT);
	TEXT(gpuscope_stop_word(walk->stop), "not-present");
	TEXT(walk->stop_level, "pde");
	TEXT(walk->stop_text, "pde 0x0 at phys:0x225437158 is not present");
	FINE(gpuscope_walk_entries(walk, &list));
	CHECK(gpuscope_next(list) && gpuscope_next(list));
	entry = gpuscope_next(list);
	CHECK(entry->held && !entry->valid && !entry->leaf && !entry->next && !entry->target);
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);

	CHECK(!gpuscope_walk_flags(&foreign));
	ERROR(gpuscope_walk_entries(&foreign, &list), GPUSCOPE_STATUS_USAGE, "walk",
	      "gpuscope_walk()");

	/* No access is of another kind, and no address too large. */
	CHECK(!gpuscope_walk(tables, UINT64_C(0x300012345), (enum gpuscope_access)77));
	NUMBER(gpuscope_walk(tables, UINT64_C(0xffff000000000000), GPUSCOPE_ACCESS_READ)->stop,
	       GPUSCOPE_STOP_NOT_CANONICAL);
	gpuscope_tables_free(tables);
	levels(older);
}

/* Entries that lead to another entry are deeper. */
static void tiles(void)
{
	struct gpuscope_tables *tables = tables_of("demo:icl-trtt", NULL);
	const struct gpuscope_walk *walk = gpuscope_walk(tables, UINT64_C(0x512345651234),
							  GPUSCOPE_ACCESS_READ);
	const struct gpuscope_entry *entry;
	struct gpuscope_list *list;
	unsigned count = 0, top = 0;

	CHECK(walk->mapped);
	NUMBER(walk->physical, UINT64_C(0x190061234));
	NUMBER(walk->page_size, 0x10000);
	FINE(gpuscope_walk_entries(walk, &list));
	while ((entry = gpuscope_next(list))) {
		count++;
		top += !entry->depth;
	}
	NUMBER(top, 4);
	CHECK(count > top + 3);
	gpuscope_list_free(list);
	NUMBER(gpuscope_walk(tables, UINT64_C(0x500000010000), GPUSCOPE_ACCESS_READ)->stop,
	       GPUSCOPE_STOP_NULL_TILE);
	NUMBER(gpuscope_walk(tables, UINT64_C(0x500000030000), GPUSCOPE_ACCESS_READ)->stop,
	       GPUSCOPE_STOP_INVALID_TILE);
	gpuscope_tables_free(tables);
}

static void many(void)
{
	static const uint64_t addresses[] = { UINT64_C(0x300012345), UINT64_C(0x7a1105603000),
					      UINT64_C(0x7a1105000008) };
	struct gpuscope_tables *tables = tables_of("demo:skl-hang", NULL);
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");
	unsigned char spaces[3], stops[3], bytes[64], same[64];
	uint64_t physical[3];

	gpuscope_translate(tables, addresses, 3, physical, spaces, stops);
	NUMBER(physical[0], UINT64_C(0x180812345));
	NUMBER(physical[1], 0);
	NUMBER(physical[2], UINT64_C(0x225430008));
	NUMBER(spaces[0], GPUSCOPE_SPACE_PHYS);
	NUMBER(stops[0], GPUSCOPE_STOP_NONE);
	NUMBER(stops[1], GPUSCOPE_STOP_NOT_PRESENT);
	gpuscope_translate(tables, addresses, 1, physical, NULL, NULL);
	gpuscope_translate(tables, NULL, 0, NULL, NULL, NULL);

	NUMBER(gpuscope_tables_read(tables, addresses[2], bytes, sizeof(bytes)), sizeof(bytes));
	NUMBER(gpuscope_read_memory(gpu, GPUSCOPE_SPACE_PHYS, physical[2], same, sizeof(same),
				    NULL, NULL), GPUSCOPE_STATE_OK);
	CHECK(!memcmp(bytes, same, sizeof(bytes)));
	NUMBER(gpuscope_tables_read(tables, addresses[1], bytes, sizeof(bytes)), 0);
	gpuscope_tables_free(tables);
	gpuscope_gpu_free(gpu);
}

/* ---- all addresses -------------------------------------------------------------------------- */

/* Each page that is told singly is where a walk finds it. */
static unsigned pages(unsigned flags)
{
	struct gpuscope_tables *tables = tables_of("demo:skl-hang", NULL);
	const struct gpuscope_range *range;
	struct gpuscope_list *list;
	unsigned count = 0;

	FINE(gpuscope_map(tables, flags, &list));
	for (; (range = gpuscope_next(list)); count++) {
		const struct gpuscope_walk *walk;

		walk = gpuscope_walk(tables, range->start, GPUSCOPE_ACCESS_READ);
		NUMBER(range->pages, 1);
		NUMBER(range->end - range->start, walk->page_size);
		NUMBER(range->physical, walk->physical);
		TEXT(range->flags, gpuscope_walk_flags(walk));
	}
	CHECK(!gpuscope_list_error(list));
	gpuscope_list_free(list);
	gpuscope_tables_free(tables);
	return count;
}

static void maps(void)
{
	struct gpuscope_tables *tables = tables_of("demo:skl-hang", NULL);
	const struct gpuscope_range *range;
	struct gpuscope_list *list, *left;

	FINE(gpuscope_map(tables, 0, &left));
	FINE(gpuscope_map(tables, 0, &list));
	gpuscope_tables_free(tables);
	gpuscope_next(left);
	range = gpuscope_next(list);
	NUMBER(range->size, sizeof(*range));
	NUMBER(range->start, UINT64_C(0x100000000));
	NUMBER(range->end, UINT64_C(0x100004000));
	NUMBER(range->physical, UINT64_C(0x225431000));
	NUMBER(range->pages, 4);
	NUMBER(range->page_size, 4096);
	NUMBER(range->shape, GPUSCOPE_SHAPE_SCATTERED);
	NUMBER(range->space, GPUSCOPE_SPACE_PHYS);
	TEXT(range->flags, "rw,pat4");
	TEXT(range->level, "pte");
	CHECK(range->readable && range->writable && !range->stolen);
	for (unsigned i = 0; i < 4; i++)
		range = gpuscope_next(list);
	NUMBER(range->start, UINT64_C(0x300000000));
	NUMBER(range->shape, GPUSCOPE_SHAPE_LINEAR);
	TEXT(range->level, "pde2m");
	TEXT(range->flags, "rw,pat0");
	for (unsigned i = 0; i < 4; i++)
		CHECK(gpuscope_next(list));
	CHECK(!gpuscope_next(list) && !gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
	gpuscope_list_free(left);

	NUMBER(pages(GPUSCOPE_MAP_PAGES), 23);
	NUMBER(pages(GPUSCOPE_MAP_PAGES | GPUSCOPE_MAP_ALL), 23);
}

static void reverse(void)
{
	struct gpuscope_tables *tables = tables_of("demo:skl-hang", NULL);
	const struct gpuscope_reached *reached;
	struct gpuscope_list *list;

	ERROR(gpuscope_reverse(tables, GPUSCOPE_SPACE_MMIO, 0, &list), GPUSCOPE_STATUS_USAGE,
	      "space", "phys, lmem or stolen");
	FINE(gpuscope_reverse(tables, GPUSCOPE_SPACE_PHYS, UINT64_C(0x180812345), &list));
	gpuscope_tables_free(tables);
	reached = gpuscope_next(list);
	NUMBER(reached->address, UINT64_C(0x300012345));
	NUMBER(reached->pages, 1);
	CHECK(!reached->repeat);
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
}

static void findings(void)
{
	struct gpuscope_tables *tables = tables_of("demo:snb-hang", NULL);
	const struct gpuscope_finding *finding;
	struct gpuscope_list *list;
	unsigned count = 0;

	FINE(gpuscope_tables_check(tables, &list));
	gpuscope_tables_free(tables);
	while ((finding = gpuscope_next(list))) {
		if (finding->unchecked || finding->note)
			continue;
		TEXT(finding->rule, "same-address");
		TEXT(finding->document, "snb-p2");
		TEXT(finding->section, "1.3.4 PPGTT vs GGTT limitation");
		if (!count++)
			TEXT(finding->where, "0x14000-0x16000");
		CHECK(strstr(finding->text, "in the GGTT"));
	}
	NUMBER(count, 3);
	CHECK(!gpuscope_list_error(list));
	gpuscope_list_free(list);
}

static void entries(void)
{
	struct gpuscope_options open = { .size = sizeof(open), .platform = "skl" };
	static const uint32_t words[3] = { 0x25431083, 2, 1 };
	const struct gpuscope_entry *entry;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;

	FINE(gpuscope_open(NULL, 0, &open, &gpu));
	FINE(gpuscope_entry_decode(gpu, GPUSCOPE_MODE_PML4, "pte", words, 2, &list));
	entry = gpuscope_next(list);
	TEXT(entry->level, "pte");
	CHECK(entry->valid && entry->leaf && entry->held);
	NUMBER(entry->entry, UINT64_C(0x225431083));
	NUMBER(entry->word_count, 2);
	NUMBER(entry->words[0], 0x25431083);
	NUMBER(entry->words[1], 2);
	NUMBER(entry->target, UINT64_C(0x225431000));
	NUMBER(entry->page_size, 4096);
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);
	ERROR(gpuscope_entry_decode(gpu, GPUSCOPE_MODE_PML4, "pte", words, 3, &list),
	      GPUSCOPE_STATUS_USAGE, "pte", "more than the 64 bits");
	ERROR(gpuscope_entry_decode(gpu, GPUSCOPE_MODE_PML4, "leaf", words, 2, &list),
	      GPUSCOPE_STATUS_USAGE, "leaf", "no level of mode pml4 on this platform: pte");
	ERROR(gpuscope_entry_decode(gpu, (enum gpuscope_mode)99, NULL, words, 2, &list),
	      GPUSCOPE_STATUS_USAGE, "?", "no such mode");
	ERROR(gpuscope_entry_decode(gpu, GPUSCOPE_MODE_PML4, "pte", NULL, 0, &list),
	      GPUSCOPE_STATUS_USAGE, "entry", "dwords");
	gpuscope_gpu_free(gpu);
}

/* ---- memory of the program ------------------------------------------------------------------ */

static uint64_t memory[8][512];
static unsigned reads;

static enum gpuscope_state read_memory(void *context, enum gpuscope_space space, uint64_t address,
				       void *buf, size_t length)
{
	reads++;
	if (context != memory || space != GPUSCOPE_SPACE_PHYS || address >= sizeof(memory) ||
	    length > sizeof(memory) - address)
		return GPUSCOPE_STATE_ABSENT;
	memcpy(buf, (char *)memory + address, length);
	return GPUSCOPE_STATE_OK;
}

/* A change is seen after a rest, and the space of what was not told to have an end is unknown. */
static void changing(void)
{
	const struct gpuscope_memory callbacks = { .size = sizeof(callbacks),
						   .spaces = 1 << GPUSCOPE_SPACE_PHYS,
						   .read = read_memory, .context = memory };
	struct gpuscope_options open = { .size = sizeof(open), .platform = "skl",
					 .memory = &callbacks };
	struct gpuscope_tables_options o = options(NULL, "pml4");
	const uint64_t address = UINT64_C(0x8040201000) | 0x123, root = 0x1000;
	const struct gpuscope_range *range;
	struct gpuscope_tables *tables;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;
	uint64_t physical;
	unsigned before;

	memory[1][1] = 0x2003;
	memory[2][1] = 0x3003;
	memory[3][1] = 0x4003;
	memory[4][1] = 0x5003;
	o.root = &root;
	o.root_count = 1;
	FINE(gpuscope_open(NULL, 0, &open, &gpu));
	FINE(gpuscope_tables_new(gpu, &o, &tables));
	NUMBER(gpuscope_walk(tables, address, GPUSCOPE_ACCESS_READ)->physical, 0x5123);
	gpuscope_translate(tables, &address, 1, &physical, NULL, NULL);
	NUMBER(physical, 0x5123);
	FINE(gpuscope_map(tables, 0, &list));
	range = gpuscope_next(list);
	NUMBER(range->start, UINT64_C(0x8040201000));
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);

	memory[4][1] = 0x6003;
	gpuscope_gpu_rest(gpu);
	before = reads;
	NUMBER(gpuscope_walk(tables, address, GPUSCOPE_ACCESS_READ)->physical, 0x6123);
	CHECK(reads > before);
	gpuscope_translate(tables, &address, 1, &physical, NULL, NULL);
	NUMBER(physical, 0x6123);
	memory[3][1] = 0x100003;
	gpuscope_gpu_rest(gpu);
	NUMBER(gpuscope_walk(tables, address, GPUSCOPE_ACCESS_READ)->stop, GPUSCOPE_STOP_NO_MEMORY);
	FINE(gpuscope_map(tables, 0, &list));
	CHECK(!gpuscope_next(list));
	NUMBER(gpuscope_error_status(gpuscope_list_error(list)), GPUSCOPE_STATUS_PARTIAL);
	TEXT(gpuscope_error_what(gpuscope_list_error(list)),
	     "pte table at 0x100000, for 0x8040200000");
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
	gpuscope_tables_free(tables);
}

int main(void)
{
	words();
	roots();
	choices();
	walks();
	tiles();
	many();
	maps();
	reverse();
	findings();
	entries();
	changing();
	return checked();
}
