/* SPDX-License-Identifier: MIT */
/*
 * Where a kernel is, and what is at its addresses: VMCOREINFO has where its page tables begin. A
 * dump that an emulator or a module wrote has no note with it, but the kernel keeps the text in
 * memory. Origin: Linux, Documentation/admin-guide/kdump/vmcoreinfo.rst, kernel/vmcore_info.c;
 * arch/x86/include/asm/page_64_types.h.
 */
#include "kernel/inside.h"

#include <sys/mman.h>

#define KERNEL_MAP UINT64_C(0xffffffff80000000)
#define IMAGE_SIZE (UINT64_C(512) << 20)	/* of kernels that do not say it */
#define PAGE 4096
#define PRESENT 1
#define LARGE (1 << 7)
#define FRAME UINT64_C(0x000ffffffffff000)

#define INFO_FIRST "OSRELEASE="
#define NOTE_HEAD 24			/* of a note with the name VMCOREINFO */
#define LOOKED_AT 64			/* bytes of each page that may begin it */
#define PACKED_PAGES (1u << 16)		/* at most so many are unpacked to look for it */
#define RUN (UINT64_C(32) << 20)	/* bytes of a mapped file that are looked at in one go */

/* Symbols are hexadecimal without 0x, numbers as C has them. */
bool info_number(const char *info, const char *name, uint64_t *value)
{
	size_t length = strlen(name);
	const char *at = info;
	char *end;

	while (at && !(!strncmp(at, name, length) && at[length] == '=')) {
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	if (!at)
		return false;
	at += length + 1;
	*value = strtoull(at, &end, *name == 'S' && name[1] == 'Y' ? 16 : 0);
	return end > at;
}

/* ---- physical memory ------------------------------------------------------------------------ */

/* The piece that contains an address, or NULL. */
static const struct piece *find_piece(struct kernel *k, uint64_t physical)
{
	const struct piece *piece = k->count ? k->pieces + k->last : NULL;
	size_t low = 0, high = k->count;

	if (piece && physical - piece->start < piece->length)
		return piece;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		piece = k->pieces + middle;
		if (physical - piece->start < piece->length) {
			k->last = middle;
			return piece;
		}
		if (physical < piece->start)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

bool kernel_read_physical(struct kernel *k, uint64_t physical, void *buf, size_t size)
{
	uint8_t *out = buf;

	record_note(&k->record, GSC_PHYS, physical, size);
	for (size_t got; size; size -= got, physical += got, out += got) {
		const struct piece *piece = find_piece(k, physical);

		if (!piece || piece->status != GSC_READ_OK)
			return false;
		got = piece_read(piece, physical, out, size);
		if (!got)
			return false;
	}
	return true;
}

/* ---- the kernel's addresses ----------------------------------------------------------------- */

static bool walk(struct kernel *k, uint64_t address, uint64_t *physical)
{
	uint64_t table = k->root, entry;

	for (unsigned level = k->levels; level-- > 0; table = entry & FRAME) {
		unsigned shift = 12 + 9 * level;
		uint64_t mask = (UINT64_C(1) << shift) - 1;

		if (!kernel_read_physical(k, table + (address >> shift & 511) * 8, &entry, 8) ||
		    !(entry & PRESENT))
			return false;
		entry &= ~k->encryption;
		if (level && !(level <= 2 && entry & LARGE))
			continue;
		*physical = (entry & FRAME & ~mask) | (address & mask);
		return true;
	}
	return false;
}

static bool translate(struct kernel *k, uint64_t address, uint64_t *physical)
{
	uint64_t page = address & ~(uint64_t)(PAGE - 1);
	size_t slot = (size_t)(page / PAGE % WALKED);

	/* The image is in one piece, wherever it was loaded. Modules follow it, and are not. */
	if (address >= KERNEL_MAP && address - KERNEL_MAP < k->image) {
		*physical = address - KERNEL_MAP + k->base;
		return true;
	}
	if (!page || k->walked[slot].address != page) {
		k->walked[slot].address = 0;
		if (!walk(k, page, &k->walked[slot].physical))
			return false;
		k->walked[slot].address = page;
	}
	*physical = k->walked[slot].physical + (address - page);
	return true;
}

bool kernel_read(struct kernel *k, uint64_t address, void *buf, size_t size)
{
	uint8_t *out = buf;
	uint64_t physical;

	for (size_t here; size; size -= here, address += here, out += here) {
		here = MIN(size, PAGE - (size_t)(address & (PAGE - 1)));
		if (!translate(k, address, &physical))
			return false;
		if (kernel_read_physical(k, physical, out, here))
			continue;
		if (!k->unread) {
			const struct piece *piece = find_piece(k, physical);

			k->unread = address;
			k->filtered = piece && piece->status == GSC_READ_EXCLUDED;
		}
		return false;
	}
	return true;
}

bool read_number(struct kernel *kernel, uint64_t address, unsigned size, uint64_t *value)
{
	uint8_t bytes[8];

	if (!kernel_read(kernel, address, bytes, size))
		return false;
	*value = load_le(bytes, size);
	return true;
}

bool kernel_unread(const struct kernel *kernel, uint64_t *address, bool *filtered)
{
	*address = kernel->unread;
	*filtered = kernel->filtered;
	return kernel->unread;
}

/* ---- VMCOREINFO ----------------------------------------------------------------------------- */

static bool take_info(struct kernel *k, const char *info)
{
	uint64_t tables, five = 0;

	if (!info_number(info, "SYMBOL(swapper_pg_dir)", &tables) ||
	    !info_number(info, "NUMBER(phys_base)", &k->base))
		return false;
	/* All that was found out about another one is void. */
	k->info = info;
	k->image = IMAGE_SIZE;
	k->encryption = 0;
	info_number(info, "NUMBER(KERNEL_IMAGE_SIZE)", &k->image);
	info_number(info, "NUMBER(sme_mask)", &k->encryption);
	info_number(info, "NUMBER(pgtable_l5_enabled)", &five);
	k->image = MIN(k->image, -KERNEL_MAP);
	k->levels = five == 1 ? 5 : 4;
	k->root = tables - KERNEL_MAP + k->base;
	memset(k->walked, 0, sizeof(k->walked));
	k->symbols_done = k->filtered = false;
	k->unread = 0;
	*k->lacks = 0;
	return true;
}

/* Memory has remains of other kernels: the tables of this one lead to themselves. */
static bool tables_fit(struct kernel *k)
{
	uint64_t tables = k->root - k->base + KERNEL_MAP, physical;

	return walk(k, tables, &physical) && physical == k->root;
}

/* One that runs after a crash to save the memory, and has only its own. */
static bool is_crash_kernel(struct kernel *k)
{
	uint64_t symbol = kernel_symbol(k, "elfcorehdr_addr"), header;

	return symbol && read_number(k, symbol, 8, &header) && header != UINT64_MAX;
}

/* Keeps what may be a VMCOREINFO. True: it is the one. */
static bool try_info(struct kernel *k, uint64_t physical)
{
	char *text = calloc(1, PAGE + 1);
	bool saves;

	if (!text) {
		k->starved = true;
		return true;
	}
	if (!kernel_read_physical(k, physical, text, PAGE - (size_t)(physical % PAGE)) ||
	    !strstr(text, "\nKERNELOFFSET=") || !take_info(k, text) || !tables_fit(k)) {
		free(text);
		return false;
	}
	saves = !strstr(text, "\nCRASHTIME=") && is_crash_kernel(k);
	if (saves && k->found) {
		free(text);
		return false;
	}
	free(k->found);
	k->found = text;
	return !saves;
}

/*
 * Bytes of a piece from an address on, before `end`: how many are alike in being a hole of the file
 * or not. Pages of a mapped file that were looked at stay in the system's cache, and need not count
 * as ours: *mapped says where they are.
 */
static uint64_t next_run(const struct blob *blob, const struct piece *piece, uint64_t at,
			 uint64_t end, bool *hole, const uint8_t **mapped)
{
	const uint8_t *data = piece->data ? piece->data + (at - piece->start) : NULL;
	uint64_t offset = piece->offset + (at - piece->start);
	int fd = piece->packed ? -1 : piece->fd;

	*mapped = NULL;
	if (data && blob->mapped && data >= blob->data && data < blob->data + blob->size) {
		*mapped = data;
		offset = (uint64_t)(data - blob->data);
		fd = blob->fd;
	}
	return file_run(fd, offset, MIN(end - at, RUN), hole);
}

/* It begins a page, alone or in its note. */
static bool search_run(struct kernel *k, const struct piece *piece, uint64_t at, uint64_t end,
		       unsigned *unpacked)
{
	size_t length = strlen(INFO_FIRST);
	char bytes[LOOKED_AT];

	for (; at < end && end - at >= LOOKED_AT; at += PAGE) {
		const char *head = bytes;

		if (piece->data)
			head = (const char *)piece->data + (at - piece->start);
		else if ((piece->packed && ++*unpacked > PACKED_PAGES) ||
			 piece_read(piece, at, bytes, LOOKED_AT) < LOOKED_AT)
			continue;
		for (unsigned skip = 0; skip <= NOTE_HEAD; skip += NOTE_HEAD)
			if (!memcmp(head + skip, INFO_FIRST, length) && try_info(k, at + skip))
				return true;
	}
	return false;
}

static bool search_piece(struct kernel *k, const struct blob *blob, const struct piece *piece,
			 unsigned *unpacked)
{
	uint64_t at = (piece->start + PAGE - 1) & ~(uint64_t)(PAGE - 1);
	/* The last page of all is never memory. */
	uint64_t end = MIN(piece->start + piece->length, UINT64_MAX - 2 * PAGE), run;
	const uint8_t *mapped;
	bool hole, found = false;

	for (; !found && at >= piece->start && at < end; at += run) {
		run = next_run(blob, piece, at, end, &hole, &mapped);
		run = (run + PAGE - 1) & ~(uint64_t)(PAGE - 1);
		found = !hole && search_run(k, piece, at, MIN(end, at + run), unpacked);
		if (mapped && !hole && run == RUN) {
			size_t skip = -(uintptr_t)mapped & (PAGE - 1);

			madvise((void *)(uintptr_t)(mapped + skip), RUN - PAGE, MADV_DONTNEED);
		}
	}
	return found;
}

static void search_info(struct kernel *k, const struct part *part)
{
	unsigned unpacked = 0;

	for (size_t i = 0; i < k->count; i++)
		if (k->pieces[i].status == GSC_READ_OK &&
		    search_piece(k, &part->blob, k->pieces + i, &unpacked))
			break;
	if (!k->found)
		k->info = NULL;
	if (k->found && k->info != k->found)
		take_info(k, k->found);
}

/* ---- opening -------------------------------------------------------------------------------- */

/* A dump that was split has the same VMCOREINFO in each of its files. */
static bool same_dump(const struct part *a, const struct part *b)
{
	return a->vmcoreinfo && b->vmcoreinfo && !strcmp(a->vmcoreinfo, b->vmcoreinfo);
}

/* The memory of a part and of those after it that are of the same dump; false: memory is out. */
static bool join_parts(struct kernel *k, const struct part *parts, size_t from, size_t count)
{
	const piece_vec *own = &parts[from].pieces;
	size_t joined = 0;

	for (size_t i = from + 1; i < count; i++)
		joined += same_dump(parts + from, parts + i);
	for (size_t i = from; joined && i < count; i++) {
		const piece_vec *pieces = &parts[i].pieces;

		if (i != from && !same_dump(parts + from, parts + i))
			continue;
		/* What one file lacks another has. */
		for (size_t j = 0; j < pieces->count; j++)
			if (pieces->items[j].status == GSC_READ_OK &&
			    !vec_push(&k->joined, pieces->items[j]))
				return false;
	}
	if (joined && !pieces_resolve(&k->joined))
		return false;
	k->pieces = joined ? k->joined.items : own->items;
	k->count = joined ? k->joined.count : own->count;
	while (k->count && k->pieces->space != GSC_PHYS)
		k->pieces++, k->count--;
	while (k->count && k->pieces[k->count - 1].space != GSC_PHYS)
		k->count--;
	for (size_t i = 0; i < k->count; i++)
		k->held += k->pieces[i].status == GSC_READ_OK ? k->pieces[i].length : 0;
	return true;
}

enum gsc_status kernel_open(struct kernel **kernel, const struct gsc_source *source, size_t part,
			    struct gsc_error *err)
{
	const struct part *parts = source->parts.items, *own = parts + part;
	struct kernel *k;

	*kernel = NULL;
	if (!own->vmcoreinfo && own->reader->form != GSC_SOURCE_MEMORY)
		return GSC_OK;
	for (size_t i = 0; i < part; i++)
		if (same_dump(parts + i, own))
			return GSC_OK;
	k = calloc(1, sizeof(*k));
	if (!k || !join_parts(k, parts, part, source->parts.count)) {
		kernel_close(k);
		return err_memory(err);
	}
	if (!own->vmcoreinfo || !take_info(k, own->vmcoreinfo))
		search_info(k, own);
	if (k->info && !k->starved) {
		*kernel = k;
		return GSC_OK;
	}
	part = k->starved;
	kernel_close(k);
	return part ? err_memory(err) : GSC_OK;
}

void kernel_close(struct kernel *k)
{
	if (!k)
		return;
	for (size_t i = 0; i < k->modules.count; i++)
		btf_close(k->modules.items[i].types);
	for (size_t i = 0; i < k->missing.count; i++)
		free(k->missing.items[i]);
	btf_close(k->types);
	vec_free(&k->modules);
	vec_free(&k->enumerators);
	vec_free(&k->missing);
	vec_free(&k->joined);
	record_free(&k->record);
	free(k->found);
	free(k);
}

const char *kernel_info(const struct kernel *kernel)
{
	return kernel->info;
}

bool kernel_used(const struct kernel *kernel, memory_vec *pages)
{
	return record_stretches(&kernel->record, GSC_PHYS, pages);
}

bool kernel_starved(const struct kernel *kernel)
{
	return kernel->starved;
}
