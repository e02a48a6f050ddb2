/* SPDX-License-Identifier: MIT */
#include "tables.h"

static uint32_t gen6_entry(uint64_t physical, uint32_t flags)
{
	return (uint32_t)(physical & 0xfffff000) | (uint32_t)(physical >> 28 & 0xff0) | flags;
}

static uint64_t gen6_address(uint32_t entry)
{
	return (entry & 0xfffff000) | (uint64_t)(entry & 0xff0) << 28;
}

/* ---- GGTT --------------------------------------------------------------------------------- */

static uint64_t ggtt_slot(const struct ggtt *ggtt, uint64_t address)
{
	return address / PAGE_SIZE * ggtt->entry;
}

static unsigned ggtt_flags(const struct ggtt *ggtt)
{
	return ggtt->entry == 4 ? GEN6_VALID | GEN6_LLC : GEN8_PRESENT;
}

static uint64_t ggtt_entry(const struct ggtt *ggtt, uint64_t physical, unsigned flags)
{
	return ggtt->entry == 4 ? gen6_entry(physical, flags) : physical | flags;
}

void ggtt_init(struct ggtt *ggtt, struct machine *m, unsigned entry)
{
	*ggtt = (struct ggtt){ .m = m, .entry = entry, .scratch = page_alloc(m, true) };
}

void ggtt_hold(struct ggtt *ggtt, uint64_t from, uint64_t to)
{
	hold(ggtt->m, GSC_GGTT, ggtt_slot(ggtt, from), ggtt_slot(ggtt, to - from));
	for (uint64_t at = from; at < to; at += PAGE_SIZE)
		ggtt_map(ggtt, at, ggtt->scratch, PAGE_SIZE, ggtt_flags(ggtt));
}

void ggtt_map(struct ggtt *ggtt, uint64_t address, uint64_t physical, uint64_t length,
	      unsigned flags)
{
	for (uint64_t at = 0; at < length; at += PAGE_SIZE)
		poke(ggtt->m, GSC_GGTT, ggtt_slot(ggtt, address + at), ggtt->entry,
		     ggtt_entry(ggtt, physical + at, flags));
}

void ggtt_object(struct ggtt *ggtt, struct object *object, uint64_t address, unsigned pages,
		 unsigned held)
{
	object_create(object, ggtt->m, pages, held);
	object->address = address;
	for (unsigned i = 0; i < object->count; i++)
		ggtt_map(ggtt, address + (uint64_t)i * PAGE_SIZE, object->page[i], PAGE_SIZE,
			 ggtt_flags(ggtt));
}

/* ---- Gen6, two levels ----------------------------------------------------------------------- */

void gen6_ppgtt_init(struct gen6_ppgtt *ppgtt, struct ggtt *ggtt, uint64_t directory)
{
	*ppgtt = (struct gen6_ppgtt){ .ggtt = ggtt, .directory = directory };
	hold(ggtt->m, GSC_GGTT, ggtt_slot(ggtt, directory), 512 * 4);
}

uint32_t gen6_ppgtt_root(const struct gen6_ppgtt *ppgtt)
{
	return (uint32_t)(ggtt_slot(ppgtt->ggtt, ppgtt->directory) << 10);
}

/* The table of an address, by its directory entry: address bits 31:22. */
static uint64_t gen6_table(struct gen6_ppgtt *ppgtt, uint64_t address)
{
	struct machine *m = ppgtt->ggtt->m;
	uint64_t slot = ggtt_slot(ppgtt->ggtt, ppgtt->directory) + (address >> 22) * 4;
	uint32_t pde = (uint32_t)peek(m, GSC_GGTT, slot, 4);

	if (!(pde & GEN6_VALID)) {
		pde = gen6_entry(page_alloc(m, true), GEN6_VALID);
		poke(m, GSC_GGTT, slot, 4, pde);
	}
	return gen6_address(pde);
}

void gen6_ppgtt_object(struct gen6_ppgtt *ppgtt, struct object *object, uint64_t address,
		       unsigned pages, unsigned held)
{
	object_create(object, ppgtt->ggtt->m, pages, held);
	object->address = address;
	for (unsigned i = 0; i < object->count; i++) {
		uint64_t at = address + (uint64_t)i * PAGE_SIZE;

		poke(ppgtt->ggtt->m, GSC_PHYS, gen6_table(ppgtt, at) + (at >> 12 & 0x3ff) * 4, 4,
		     gen6_entry(object->page[i], GEN6_VALID | GEN6_LLC));
	}
}

/* ---- Gen8, four levels ---------------------------------------------------------------------- */

#define GEN8_ADDRESS UINT64_C(0x7ffffff000)

void gen8_ppgtt_init(struct gen8_ppgtt *ppgtt, struct machine *m)
{
	*ppgtt = (struct gen8_ppgtt){ .m = m, .pml4 = page_alloc(m, true) };
}

/* Where the entry of an address is in a table whose index begins at bit `shift`. */
static uint64_t gen8_slot(uint64_t table, uint64_t address, unsigned shift)
{
	return table + (address >> shift & 511) * 8;
}

static uint64_t gen8_next(struct gen8_ppgtt *ppgtt, uint64_t slot)
{
	uint64_t entry = peek(ppgtt->m, GSC_PHYS, slot, 8);

	if (!(entry & GEN8_PRESENT)) {
		entry = page_alloc(ppgtt->m, true) | GEN8_PRESENT | GEN8_WRITABLE;
		poke(ppgtt->m, GSC_PHYS, slot, 8, entry);
	}
	return entry & GEN8_ADDRESS;
}

/* The entry of an address in its page directory, through PML4 and PDP table. */
static uint64_t gen8_directory_slot(struct gen8_ppgtt *ppgtt, uint64_t address)
{
	uint64_t pdp = gen8_next(ppgtt, gen8_slot(ppgtt->pml4, address, 39));
	uint64_t directory = gen8_next(ppgtt, gen8_slot(pdp, address, 30));

	return gen8_slot(directory, address, 21);
}

static void gen8_map(struct gen8_ppgtt *ppgtt, uint64_t address, uint64_t physical, uint64_t flags)
{
	uint64_t table = gen8_next(ppgtt, gen8_directory_slot(ppgtt, address));

	poke(ppgtt->m, GSC_PHYS, gen8_slot(table, address, 12), 8,
	     physical | flags | GEN8_PRESENT | GEN8_WRITABLE);
}

void gen8_ppgtt_object(struct gen8_ppgtt *ppgtt, struct object *object, uint64_t address,
		       unsigned pages, unsigned held)
{
	object_create(object, ppgtt->m, pages, held);
	object->address = address;
	for (unsigned i = 0; i < object->count; i++)
		gen8_map(ppgtt, address + (uint64_t)i * PAGE_SIZE, object->page[i], GEN8_PAT_4);
}

/* Hardware looks only at every 16th entry; drivers fill the others as well, and so do we. */
void gen8_ppgtt_map_64k(struct gen8_ppgtt *ppgtt, uint64_t address, uint64_t physical)
{
	uint64_t slot = gen8_directory_slot(ppgtt, address);

	for (uint64_t at = 0; at < KIB(64); at += PAGE_SIZE)
		gen8_map(ppgtt, address + at, physical + at, GEN8_PAT_4);
	poke(ppgtt->m, GSC_PHYS, slot, 8, peek(ppgtt->m, GSC_PHYS, slot, 8) | GEN8_PDE_64K);
}

void gen8_ppgtt_map_2m(struct gen8_ppgtt *ppgtt, uint64_t address, uint64_t physical)
{
	poke(ppgtt->m, GSC_PHYS, gen8_directory_slot(ppgtt, address), 8,
	     physical | GEN8_PDE_2M | GEN8_PAT_0 | GEN8_PRESENT | GEN8_WRITABLE);
}

/* ---- tiled resources ------------------------------------------------------------------------ */

/* A new table: everything that it does not map is invalid. */
static struct object *trtt_table(struct trtt *trtt, bool directory)
{
	struct object *table = &trtt->tables[trtt->count];

	if (trtt->count == ARRAY_SIZE(trtt->tables))
		die("too many tile tables");
	gen8_ppgtt_object(trtt->ppgtt, table, trtt->address + (uint64_t)trtt->count * PAGE_SIZE, 1,
			  1);
	trtt->count++;
	for (unsigned i = 0; directory && i < 512; i++)
		object_write(table, (uint64_t)i * 8, 8, TRTT_INVALID);
	return table;
}

void trtt_init(struct trtt *trtt, struct gen8_ppgtt *ppgtt, uint64_t address)
{
	*trtt = (struct trtt){ .ppgtt = ppgtt, .address = address };
	trtt_table(trtt, true);
}

static struct object *trtt_next(struct trtt *trtt, struct object *table, uint64_t offset,
				bool directory)
{
	uint64_t entry = object_read(table, offset, 8);
	struct object *next;

	if (!(entry & (TRTT_INVALID | TRTT_NULL)))
		return &trtt->tables[(entry - trtt->address) / PAGE_SIZE];
	next = trtt_table(trtt, directory);
	object_write(table, offset, 8, next->address);
	return next;
}

/* Indexes: L3 43:35, L2 34:26, L1 25:16. */
static uint64_t l3_offset(uint64_t tile)
{
	return (tile >> 35 & 511) * 8;
}

static uint64_t l2_offset(uint64_t tile)
{
	return (tile >> 26 & 511) * 8;
}

void trtt_set_tile(struct trtt *trtt, uint64_t tile, uint32_t target)
{
	struct object *l2 = trtt_next(trtt, &trtt->tables[0], l3_offset(tile), true);
	struct object *l1 = trtt_next(trtt, l2, l2_offset(tile), false);

	object_write(l1, (tile >> 16 & 1023) * 4, 4, target);
}

void trtt_mark_l2(struct trtt *trtt, uint64_t tile, uint64_t flags)
{
	struct object *l2 = trtt_next(trtt, &trtt->tables[0], l3_offset(tile), true);

	object_write(l2, l2_offset(tile), 8, flags);
}

void trtt_mark_l3(struct trtt *trtt, uint64_t tile, uint64_t flags)
{
	object_write(&trtt->tables[0], l3_offset(tile), 8, flags);
}
