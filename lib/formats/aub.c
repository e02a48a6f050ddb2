/* SPDX-License-Identifier: MIT */
/*
 * Reading AUB traces. Classic ones write memory by its GTT address and put commands into rings;
 * memory traces write registers, GGTT entries and physical memory. One file may contain both.
 */
#include "formats/readers.h"
#include "formats/aub.h"
#include "formats/aub-format.h"
#include "formats/values.h"

#include "db/db.h"
#include "db/ggtt.h"
#include "util/text.h"

#include <sys/mman.h>

#define REPEATED (1u << 1)		/* of a memory write: the data is a pattern */
#define SCATTERED_PAIRS 63

/* Addresses are the low 48 bits; the GGTT and the registers have fewer. */
#define ADDRESS_MASK ((UINT64_C(1) << 48) - 1)

/* Bytes of a small address space, kept as they are at the moment. */
#define SHADOW_BYTES (UINT64_C(16) << 20)

#define BUCKETS_MIN 1024

static void aub_free(void *data)
{
	struct aub *aub = data;

	aub_memory_free(aub->end);
	vec_free(&aub->writes);
	vec_free(&aub->pages);
	vec_free(&aub->events);
	vec_free(&aub->own);
	if (aub->zeros)
		munmap((void *)(uintptr_t)aub->zeros, aub->zero_bytes);
	free(aub->hash);
	free(aub);
}

/* ---- the index: pages by address ------------------------------------------------------------ */

/* The bucket of a page, or the empty one where it would go. */
static uint32_t *find_bucket(const struct aub *aub, enum gsc_space space, uint64_t number)
{
	uint64_t key = (number ^ (uint64_t)space << 56) * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(key >> 32) & (aub->buckets - 1);

	for (; aub->hash[i]; i = (i + 1) & (aub->buckets - 1)) {
		const struct aub_page *page = &aub->pages.items[aub->hash[i] - 1];

		if (page->number == number && page->space == (uint32_t)space)
			break;
	}
	return &aub->hash[i];
}

static bool grow_hash(struct aub *aub)
{
	size_t buckets = aub->buckets ? aub->buckets * 2 : BUCKETS_MIN;
	uint32_t *hash = buckets > aub->buckets ? calloc(buckets, sizeof(*hash)) : NULL;

	if (!hash)
		return false;
	free(aub->hash);
	aub->hash = hash;
	aub->buckets = buckets;
	for (uint32_t i = 0; i < aub->pages.count; i++) {
		const struct aub_page *page = &aub->pages.items[i];

		*find_bucket(aub, (enum gsc_space)page->space, page->number) = i + 1;
	}
	return true;
}

static struct aub_page *page_get(struct aub *aub, enum gsc_space space, uint64_t number)
{
	struct aub_page page = { .number = number, .space = (uint32_t)space };
	uint32_t *bucket;

	if (aub->pages.count * 2 >= aub->buckets && !grow_hash(aub))
		return NULL;
	bucket = find_bucket(aub, space, number);
	page.met = (uint32_t)aub->pages.count;
	if (!*bucket && !vec_push(&aub->pages, page))
		return NULL;
	*bucket = *bucket ? *bucket : page.met + 1;
	return &aub->pages.items[*bucket - 1];
}

/* ---- the index: writes in order -------------------------------------------------------------- */

/* False on allocation failure, or if there are more writes than can be counted. */
static bool write_bytes(struct aub *aub, enum gsc_space space, uint64_t address, uint64_t length,
			uint64_t at)
{
	while (length) {
		uint64_t here = MIN(length, AUB_PAGE - address % AUB_PAGE);
		struct aub_page *page = page_get(aub, space, address / AUB_PAGE);

		if (!page || aub->writes.count >= UINT32_MAX ||
		    !vec_push(&aub->writes, (struct aub_write){
				.at = at, .page = page->met, .from = (uint16_t)(address % AUB_PAGE),
				.length = (uint16_t)here }))
			return false;
		address += here;
		at += here;
		length -= here;
	}
	return true;
}

/* No more writes. A trace with entries has a table of this many bytes; 0: unknown. */
static bool finish(struct aub *aub, uint64_t table_bytes)
{
	uint32_t *place = calloc(aub->pages.count + 1, sizeof(*place));
	void *zeros;

	free(aub->hash);
	aub->hash = NULL;
	aub->buckets = 0;
	if (!place)
		return false;
	vec_sort(&aub->pages, aub_page_compare);
	/* Writes refer to their pages by the new indexes. */
	for (uint32_t i = 0; i < aub->pages.count; i++)
		place[aub->pages.items[i].met] = i;
	for (size_t i = 0; i < aub->writes.count; i++)
		aub->writes.items[i].page = place[aub->writes.items[i].page];
	free(place);
	aub->zero_bytes = AUB_PAGE;
	for (size_t i = 0; i < aub->pages.count; i++)
		if (aub->pages.items[i].space == GSC_GGTT)
			aub->zero_bytes = MAX(table_bytes, AUB_PAGE);
	/* Mapped and never touched: the kernel has one page of zeros for all of it. */
	zeros = mmap(NULL, aub->zero_bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (zeros == MAP_FAILED)
		return false;
	aub->zeros = zeros;
	aub->end = aub_memory_new(aub);
	return aub->end && aub_memory_move(aub->end, UINT32_MAX);
}

/* ---- the trace ------------------------------------------------------------------------------ */

struct trace {
	struct gsc_source *source;
	struct part *part;
	struct aub *aub;
	struct gsc_platform layout;
	uint8_t *entries, *registers;	/* this many bytes, or NULL before the first write */
	uint64_t at;			/* of the record */
	uint64_t left;			/* bytes from there to the end of the file */
	uint64_t length;		/* of the record; may be more than the file has left */
	uint64_t record;
	bool classic;			/* it has the header of such a trace */
	bool memory_out;
	struct left_out overrun, unmapped, strange, beyond, repeated;
};

/* ---- bytes of a record ---------------------------------------------------------------------- */

static uint64_t held(const struct trace *t)
{
	return MIN(t->length, t->left);
}

static bool has(const struct trace *t, uint64_t bytes)
{
	return held(t) >= bytes;
}

/* The caller asked for it. */
static uint32_t word(const struct trace *t, unsigned i)
{
	return (uint32_t)load_le(t->aub->data + t->at + 4 * (uint64_t)i, 4);
}

/* How many bytes of data there are: what the record says, but not more than it contains. */
static uint64_t data_bytes(struct trace *t, uint64_t from, uint64_t bytes)
{
	uint64_t there = held(t) > from ? held(t) - from : 0;

	/* A truncated file has its own note. */
	if (bytes > there && held(t) == t->length)
		leave_out(&t->overrun, t->at);
	return MIN(bytes, there);
}

/* ---- what is at the moment ------------------------------------------------------------------ */

static bool shadow_holds(uint64_t address, uint64_t length)
{
	return address < SHADOW_BYTES && length <= SHADOW_BYTES - address;
}

static void shadow_write(struct trace *t, uint8_t **shadow, uint64_t address, const uint8_t *data,
			 uint64_t length)
{
	if (!*shadow)
		*shadow = calloc(1, SHADOW_BYTES);
	t->memory_out |= !*shadow;
	if (*shadow)
		memcpy(*shadow + address, data, length);
}

/* 0 if nothing was written. */
static uint64_t shadow_value(const uint8_t *shadow, uint64_t address, unsigned size)
{
	return shadow ? load_le(shadow + address, size) : 0;
}

/* ---- writes --------------------------------------------------------------------------------- */

static void keep(struct trace *t, enum gsc_space space, uint64_t address, uint64_t length,
		 uint64_t at)
{
	t->memory_out |= !write_bytes(t->aub, space, address, length, at);
}

static void entry_write(struct trace *t, uint64_t address, uint64_t length, uint64_t at)
{
	keep(t, GSC_GGTT, address, length, at);
	if (!shadow_holds(address, length))
		leave_out(&t->beyond, t->at);
	else
		shadow_write(t, &t->entries, address, t->aub->data + at, length);
}

/* Through the global table as it is at the moment; an address that it does not map is kept. */
static void gtt_write(struct trace *t, uint64_t address, uint64_t length, uint64_t at)
{
	unsigned size = t->layout.ggtt_entry;

	while (length) {
		uint64_t offset = address % AUB_PAGE, here = MIN(length, AUB_PAGE - offset);
		uint64_t slot = address / AUB_PAGE * size;
		uint64_t entry = shadow_holds(slot, size) ? shadow_value(t->entries, slot, size)
							  : 0;

		if (!ggtt_entry_valid(entry)) {
			leave_out(&t->unmapped, t->at);
			keep(t, GSC_GTTMEM, address, here, at);
		} else {
			bool local = t->layout.flags & GSC_PLATFORM_LMEM &&
				     ggtt_entry_local(&t->layout, entry);

			keep(t, local ? GSC_LMEM : GSC_PHYS,
			     ggtt_entry_address(&t->layout, entry) + offset, here, at);
		}
		address += here;
		at += here;
		length -= here;
	}
}

static void memory_write(struct trace *t, unsigned space, uint64_t address, uint64_t length,
			 uint64_t at)
{
	/* Whose bytes are kept by their address. */
	static const enum gsc_space spaces[] = {
		[SPACE_LOCAL] = GSC_LMEM, [SPACE_NONLOCAL] = GSC_PHYS,
		[SPACE_PPGTT_ENTRY] = GSC_PHYS, [SPACE_PDP_ENTRY] = GSC_PHYS,
		[SPACE_PD_ENTRY] = GSC_PHYS, [SPACE_PML4_ENTRY] = GSC_PHYS,
	};

	address &= ADDRESS_MASK;
	if (space == SPACE_GTT || space == SPACE_GTT_BEYOND_APERTURE)
		gtt_write(t, address, length, at);
	else if (space < ARRAY_SIZE(spaces) && spaces[space])
		keep(t, spaces[space], address, length, at);
	else if (space != SPACE_GTT_ENTRY)
		leave_out(&t->strange, t->at);
	/* In a classic trace these are leftovers of a writer that knows only Gen8. */
	else if (!t->classic)
		entry_write(t, address, length, at);
}

static void add_event(struct trace *t, struct aub_event event)
{
	event.at = t->at;
	event.record = t->record;
	event.writes = (uint32_t)t->aub->writes.count;
	t->memory_out |= !vec_push(&t->aub->events, event);
}

static void register_write(struct trace *t, uint64_t offset, unsigned size, uint64_t mask,
			   uint64_t at)
{
	uint64_t all = size_mask(size), value = load_le(t->aub->data + at, size), old;
	const struct gsc_platform *p = &t->layout;
	struct aub *aub = t->aub;
	uint8_t bytes[8];

	/* The table of entries is the upper part of the register BAR. */
	if (p->bar_size > p->ggtt_offset && offset >= p->ggtt_offset && offset < p->bar_size) {
		entry_write(t, offset - t->layout.ggtt_offset, size, at);
		return;
	}
	if ((mask & all) == all || !shadow_holds(offset, size) || offset % size) {
		keep(t, GSC_MMIO, offset, size, at);
	} else {
		/* A value that the file does not contain as such. */
		old = shadow_value(t->registers, offset, size);
		value = (old & ~mask) | (value & mask);
		at = aub->own.count | AUB_OWN;
		for (unsigned i = 0; i < size; i++)
			t->memory_out |= !vec_push(&aub->own, (uint8_t)(value >> 8 * i));
		keep(t, GSC_MMIO, offset, size, at);
	}
	for (unsigned i = 0; i < size; i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	if (shadow_holds(offset, size))
		shadow_write(t, &t->registers, offset, bytes, size);
	add_event(t, (struct aub_event){ .address = offset, .data = value });
}

/* ---- who wrote it --------------------------------------------------------------------------- */

/* "PCI-ID=0x1912 name of the program": the number ends at a blank, a NUL or the text's end. */
static void read_text(struct trace *t, uint64_t from, uint64_t length)
{
	struct slice text = slice_of((const char *)t->aub->data + t->at + from, (size_t)length);
	struct slice number;
	struct gsc_platform p;
	const char *word;
	uint64_t device;

	if (!take_text(&text, "PCI-ID="))
		return;
	number = (struct slice){ text.at, text.at };
	while (number.end < text.end && *number.end > ' ')
		number.end++;
	if (!slice_number(number, &device) || device > UINT16_MAX || t->part->pci_device >= 0)
		return;
	t->part->pci_device = (int)device;
	if (!t->source->db)
		return;
	if (!gsc_platform_by_id(t->source->db, (uint16_t)device, &p, &word))
		source_note(t->source, "%s: unknown PCI id 0x%04x", t->part->blob.name,
			    (unsigned)device);
	else if (t->source->platform < 0)
		t->layout = p;
}

/* Traces without a PCI id have the simulator's number of the platform. */
static void version(struct trace *t)
{
	unsigned number = has(t, 3 * 4) ? word(t, 2) >> 8 & 0xff : 0;
	struct gsc_platform p;

	if (has(t, 5 * 4))
		read_text(t, 5 * 4, held(t) - 5 * 4);
	if (t->part->pci_device >= 0 || t->part->platform >= 0 || !t->source->db ||
	    !platform_simulated(t->source->db, number, &p))
		return;
	t->part->platform = (int)p.index;
	if (t->source->platform < 0)
		t->layout = p;
}

/* ---- records -------------------------------------------------------------------------------- */

static void classic_data(struct trace *t, unsigned space, uint64_t address, uint64_t bytes,
			 uint64_t at)
{
	static const enum gsc_space spaces[] = {
		[CLASSIC_GTT] = GSC_GTTMEM, [CLASSIC_LOCAL] = GSC_LMEM,
		[CLASSIC_NONLOCAL] = GSC_PHYS,
	};

	if (space < ARRAY_SIZE(spaces))
		keep(t, spaces[space], address & ADDRESS_MASK, bytes, at);
	else if (space == CLASSIC_GTT_ENTRY)
		entry_write(t, address & ADDRESS_MASK, bytes, at);
	else
		leave_out(&t->strange, t->at);
}

static void block(struct trace *t, uint64_t head)
{
	unsigned operation, kind, space;
	uint64_t address, bytes, at = t->at + head;

	if (head < 5 * 4 || !has(t, 5 * 4))
		return;
	operation = word(t, 1) & 0xff;
	kind = word(t, 1) >> 8 & 0xff;
	space = word(t, 1) >> 16 & 0xff;
	address = word(t, 3);
	if (head >= 6 * 4 && has(t, 6 * 4) && t->layout.virtual_bits > 32)
		address |= (uint64_t)word(t, 5) << 32;
	bytes = data_bytes(t, head, word(t, 4));
	if (operation == BLOCK_DATA) {
		classic_data(t, space, address, bytes, at);
	} else if (operation == BLOCK_COMMANDS && bytes) {
		classic_data(t, space, address, bytes, at);
		add_event(t, (struct aub_event){ .address = address & ADDRESS_MASK,
						 .data = at,
						 .bytes = (uint32_t)bytes,
						 .ring = (uint8_t)kind });
	} else if (operation == BLOCK_REGISTER && (bytes == 4 || bytes == 8)) {
		register_write(t, address, (unsigned)bytes, UINT64_MAX, at);
	}
}

/* Up to 63 pairs of address and size, then the data of one after the other. */
static void memtrace_scattered(struct trace *t)
{
	uint64_t from = (2 + 3 * SCATTERED_PAIRS) * 4;
	unsigned pairs;

	if (!has(t, from))
		return;
	pairs = word(t, 1) >> 4 & 0xffff;
	for (unsigned i = 0; i < MIN(pairs ? pairs : SCATTERED_PAIRS, SCATTERED_PAIRS); i++) {
		uint64_t address = (uint64_t)word(t, 3 + 3 * i) << 32 | word(t, 2 + 3 * i);
		uint64_t bytes = word(t, 4 + 3 * i);

		memory_write(t, word(t, 1) >> 28, address, data_bytes(t, from, bytes),
			     t->at + from);
		from += (bytes + 3) & ~UINT64_C(3);
	}
}

static void memtrace(struct trace *t, unsigned sub)
{
	unsigned size;

	switch (sub) {
	case MEMTRACE_OLD_VERSION:
	case MEMTRACE_VERSION:
		version(t);
		break;
	case MEMTRACE_REGISTER_WRITE:
		size = has(t, 6 * 4) ? 1u << (word(t, 2) >> 16 & 3) : 0;
		if (size && !(word(t, 2) >> 28) && data_bytes(t, 5 * 4, size) >= size)
			register_write(t, word(t, 1), size, (uint64_t)word(t, 4) << 32 | word(t, 3),
				       t->at + 5 * 4);
		break;
	case MEMTRACE_MEMORY_WRITE:
		if (!has(t, 5 * 4))
			break;
		if (word(t, 3) & REPEATED && word(t, 4) > held(t) - 5 * 4)
			leave_out(&t->repeated, t->at);
		else
			memory_write(t, word(t, 3) >> 28, (uint64_t)word(t, 2) << 32 | word(t, 1),
				     data_bytes(t, 5 * 4, word(t, 4)), t->at + 5 * 4);
		break;
	case MEMTRACE_SCATTERED_WRITE:
		memtrace_scattered(t);
		break;
	default:
		/* Compares, polls, comments, marks: they change nothing. */
		break;
	}
}

/* Bytes of the record without a block's data; 0 if it is no record. */
static uint64_t head_bytes(uint32_t header)
{
	unsigned opcode = aub_opcode(header);

	if (header >> 29 != TYPE_AUB || (opcode != OPCODE_CLASSIC && opcode != OPCODE_MEMTRACE))
		return 0;
	return ((header & 0xffff) + aub_uncounted(opcode)) * 4;
}

static bool read_record(struct trace *t)
{
	const char *name = t->part->blob.name;
	uint32_t header = t->left >= 4 ? word(t, 0) : 0;
	unsigned sub = aub_sub(header);
	bool is_classic = aub_opcode(header) == OPCODE_CLASSIC;
	uint64_t head = head_bytes(header);

	if (!head) {
		source_note(t->source, "%s: record %llu at byte %llu is not an AUB record: the "
				       "rest is not read", name, LL(t->record), LL(t->at));
		return false;
	}
	t->length = head;
	if (is_classic && sub == CLASSIC_BLOCK && head >= 5 * 4 && t->left >= 5 * 4)
		t->length += ((uint64_t)word(t, 4) + 3) & ~UINT64_C(3);
	if (!is_classic) {
		memtrace(t, sub);
	} else if (sub == CLASSIC_HEADER) {
		t->classic = true;
		if (has(t, 13 * 4))
			read_text(t, 13 * 4, MIN(word(t, 12), held(t) - 13 * 4));
	} else if (sub == CLASSIC_BLOCK) {
		block(t, head);
	}
	if (t->length > t->left)
		source_note(t->source, "%s: ends in record %llu, which begins at byte %llu and "
				       "has %llu bytes", name, LL(t->record), LL(t->at),
			    LL(t->length));
	return t->length <= t->left;
}

/* ---- the reader ----------------------------------------------------------------------------- */

static void read_records(struct trace *t)
{
	const struct {
		const struct left_out *left;
		const char *what;
	} notes[] = {
		{ &t->overrun, "claims more bytes than it has" },
		{ &t->unmapped, "writes to a GGTT address that was not mapped" },
		{ &t->beyond, "writes past the end of the GGTT" },
		{ &t->repeated, "repeats a pattern: not supported" },
		{ &t->strange, "writes to an unsupported address space" },
	};

	for (;;) {
		t->left = t->aub->size - t->at;
		if (!t->left || !read_record(t) || t->memory_out)
			break;
		t->at += t->length;
		t->record++;
	}
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		if (notes[i].left->count)
			source_note(t->source, "%s: record at byte %zu: %s (%zu of this kind)",
				    t->part->blob.name, notes[i].left->line, notes[i].what,
				    notes[i].left->count);
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct trace *t = calloc(1, sizeof(*t));
	uint64_t length;
	bool done = false;

	part->aub = calloc(1, sizeof(*part->aub));
	if (part->aub && !part_own(part, part->aub, aub_free))
		part->aub = NULL;
	if (t && part->aub) {
		t->source = source;
		t->part = part;
		t->aub = part->aub;
		t->aub->data = part->blob.data;
		t->aub->size = part->blob.size;
		/* The format of entries if the platform is unknown. */
		t->layout = (struct gsc_platform){ .ggtt_entry = 8, .address_bits = 46 };
		if (source->platform >= 0)
			gsc_platform_at(source->db, (unsigned)source->platform, &t->layout);
		read_records(t);
		done = !t->memory_out && finish(t->aub, t->layout.ggtt_max) &&
		       aub_memory_pieces(t->aub->end, part);
		free(t->entries);
		free(t->registers);
	}
	length = t && !t->record ? t->length : 0;
	free(t);
	if (!done)
		return err_memory(err);
	/* It names the platform: without it, nothing can be read. */
	return length ? err_set(err, GSC_FAILED, part->blob.name, "ends in its first record, which "
				"has %llu bytes", LL(length)) : GSC_OK;
}

/* A header as the first record, or two records of a trace that has lost it. */
static unsigned score(const uint8_t *data, size_t size)
{
	uint32_t header = size >= 8 ? (uint32_t)load_le(data, 4) : 0;
	unsigned opcode = aub_opcode(header), sub = aub_sub(header);
	uint64_t length = head_bytes(header);

	if (!length)
		return 0;
	if (opcode == OPCODE_CLASSIC && sub == CLASSIC_HEADER)
		return length >= 13 * 4 ? 90 : 0;
	if (opcode == OPCODE_MEMTRACE && (sub == MEMTRACE_VERSION || sub == MEMTRACE_OLD_VERSION))
		return length >= 4 * 4 ? 90 : 0;
	if (opcode != OPCODE_MEMTRACE || sub > MEMTRACE_LAST || length + 4 > size)
		return 0;
	return head_bytes((uint32_t)load_le(data + length, 4)) ? 40 : 0;
}

const struct reader reader_aub = {
	"AUB trace", GSC_SOURCE_AUB, score, load,
	.file = "trace.aub",
};
