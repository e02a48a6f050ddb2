/* SPDX-License-Identifier: MIT */
/*
 * kdump-compressed files, as makedumpfile and QEMU write them: two bitmaps, of the pages of RAM and
 * of those in the file, then a descriptor for each of the latter. A page of zeros also has a
 * descriptor, which all of them share. Pages are unpacked when they are read. Origin: makedumpfile,
 * IMPLEMENTATION and diskdump_mod.h; QEMU, include/system/dump.h.
 */
#include "formats/core.h"
#include "formats/readers.h"
#include "source/page.h"
#include "util/text.h"

#define SIGNATURE 8			/* characters */
#define HEADER 464
#define SUBHEADER 104
#define DESCRIPTOR 24
#define PAGE_LEAST 4096
#define PAGE_MOST 65536
#define INCOMPLETE 0x8			/* the header's status */

#define CACHED 64			/* pages */
#define PROBLEMS_MAX 16			/* pages that are reported as damaged */
#define LAST_ONES 64			/* pages that show where the file ends */
#define RUNS_MAX (1u << 22)		/* of equal pages */

/* The flags of a page, and of the whole file. */
#define PACKED 0x27
static const struct {
	uint32_t flag;
	enum packing packing;
} packings[] = {
	{ 0x1, PACKING_ZLIB },
	{ 0x2, PACKING_LZO },
	{ 0x4, PACKING_SNAPPY },
	{ 0x20, PACKING_ZSTD },
};

struct kdump {
	struct packed packed;		/* its offsets: in the pages that are in the file */
	struct core file;
	struct page_unpacker *unpackers[PACKINGS];
	uint64_t descriptors;		/* where they are */
	uint64_t count;			/* of those that exist */
	size_t page;			/* bytes */
	bool cut;			/* pages are missing; this has been reported */
	unsigned problems;
	struct {
		uint64_t number;	/* of a page, + 1 */
		bool bad;
	} cached[CACHED];
	uint8_t *pages, *raw;		/* of the cache; of one page before it is unpacked */
};

/* ---- pages ---------------------------------------------------------------------------------- */

static bool complain(struct kdump *k, uint64_t at, const char *what)
{
	if (k->problems++ < PROBLEMS_MAX)
		err_set(&k->packed.problem, GSC_PARTIAL, k->file.name,
			"the page at byte %llu %s", LL(at), what);
	return false;
}

static bool load_page(struct kdump *k, uint64_t number, uint8_t *page)
{
	uint8_t descriptor[DESCRIPTOR];
	uint64_t at;
	struct page_unpacker **unpacker;
	uint32_t size, flags;
	bool packed, done;

	if (!core_read(&k->file, k->descriptors + number * DESCRIPTOR, descriptor, DESCRIPTOR))
		return false;
	at = load_le(descriptor, 8);
	size = (uint32_t)load_le(descriptor + 8, 4);
	flags = (uint32_t)load_le(descriptor + 12, 4);
	packed = flags & PACKED;
	if (size > k->page || (!packed && size != k->page))
		return complain(k, at, "has an impossible length");
	if (!core_read(&k->file, at, packed ? k->raw : page, size))
		return !k->cut && complain(k, at, "lies past the end of the file");
	done = !packed;
	for (size_t i = 0; packed && i < ARRAY_SIZE(packings); i++) {
		unpacker = &k->unpackers[packings[i].packing];
		if (!(flags & packings[i].flag))
			continue;
		done = (*unpacker || !page_unpacker_new(unpacker, packings[i].packing, NULL)) &&
		       page_unpack(*unpacker, k->raw, size, page, k->page);
		break;
	}
	return done || complain(k, at, "cannot be unpacked");
}

static size_t read_page(struct packed *packed, uint64_t offset, void *buf, size_t size)
{
	struct kdump *k = (struct kdump *)packed;
	uint64_t number = offset / k->page, within = offset % k->page;
	size_t slot = (size_t)(number % CACHED);
	uint8_t *page = k->pages + slot * k->page;

	if (k->cached[slot].number != number + 1) {
		k->cached[slot].number = number + 1;
		k->cached[slot].bad = !load_page(k, number, page);
	}
	if (k->cached[slot].bad)
		return 0;
	size = MIN(size, k->page - (size_t)within);
	memcpy(buf, page + within, size);
	return size;
}

static void kdump_free(void *data)
{
	struct kdump *k = data;

	for (size_t i = 0; i < PACKINGS; i++)
		page_unpacker_free(k->unpackers[i]);
	core_close(&k->file);
	free(k->pages);
	free(k->raw);
	free(k);
}

/* ---- headers -------------------------------------------------------------------------------- */

struct header {
	uint32_t version, status, dump_level;
	uint64_t page, bitmaps, bitmap_bytes;	/* of both; `page`: also the unit of places */
	uint64_t descriptors;
	uint64_t pages;			/* of the machine: this many bits count */
	uint64_t first, end;		/* of a split dump: pages in this file */
	uint64_t info, info_bytes;	/* VMCOREINFO */
	char release[65];
};

/* Fields that came with a version, and are something else or nothing before. */
static uint64_t since(const struct header *h, uint32_t version, const uint8_t *field, unsigned size)
{
	return h->version >= version ? load_le(field, size) : 0;
}

/* NULL, or what is wrong. */
static const char *read_header(const struct core *file, struct header *h)
{
	uint8_t head[HEADER], sub[SUBHEADER];
	uint64_t blocks;

	core_read_header(file, 0, head, HEADER);
	h->version = (uint32_t)load_le(head + 8, 4);
	memcpy(h->release, head + 142, sizeof(h->release) - 1);
	h->status = (uint32_t)load_le(head + 424, 4);
	h->page = load_le(head + 428, 4);
	h->pages = load_le(head + 440, 4);
	blocks = load_le(head + 432, 4);
	if (h->page < PAGE_LEAST || h->page > PAGE_MOST || (h->page & (h->page - 1)) ||
	    (h->version && !blocks))
		return "its header is damaged, or the dump is of a 32-bit kernel: write such a "
		       "dump as ELF, with makedumpfile -E";
	core_read_header(file, h->page, sub, SUBHEADER);
	h->dump_level = (uint32_t)since(h, 1, sub + 8, 4);
	h->info = since(h, 3, sub + 32, 8);
	h->info_bytes = since(h, 3, sub + 40, 8);
	h->end = UINT64_MAX;
	if (since(h, 2, sub + 12, 4)) {
		h->first = load_le(sub + (h->version >= 6 ? 80 : 16), 8);
		h->end = load_le(sub + (h->version >= 6 ? 88 : 24), 8);
	}
	if (h->version >= 6)
		h->pages = load_le(sub + 96, 8);
	h->bitmaps = (1 + blocks) * h->page;
	h->bitmap_bytes = load_le(head + 436, 4) * h->page;
	h->descriptors = h->bitmaps + h->bitmap_bytes;
	if (h->bitmap_bytes > file->file_size)
		return "its bitmaps are bigger than the file";
	if (h->pages > h->bitmap_bytes * 8)
		return "its bitmaps are too small for its memory";
	if (h->pages > UINT64_MAX / h->page)
		return "its memory is bigger than the address space";
	return NULL;
}

static bool say_level(struct part *part, uint32_t level)
{
	/* Pages of zeros exist nevertheless. */
	static const char *const kinds[] = { NULL, "cache", "private cache", "user", "free" };
	char without[80];
	struct text text = text_of(without);

	text_put_bits(&text, ": without ", level, kinds, ARRAY_SIZE(kinds));
	return part_say(part, "", "dump-level", "%u%s%s", level, without,
			text.used ? " pages" : "");
}

/* ---- bitmaps -------------------------------------------------------------------------------- */

static bool bit_at(const uint8_t *bits, uint64_t at)
{
	return bits[at / 8] >> at % 8 & 1;
}

/* The first bit from there on that differs, at most `end`; the bytes are whole words. */
static uint64_t run_end(const uint8_t *bits, uint64_t from, uint64_t end)
{
	uint64_t flip = bit_at(bits, from) ? UINT64_MAX : 0, at = from & ~UINT64_C(63);
	uint64_t word = (load_le(bits + at / 8, 8) ^ flip) & UINT64_MAX << from % 64;

	while (!word && at + 64 < end) {
		at += 64;
		word = load_le(bits + at / 8, 8) ^ flip;
	}
	return word ? MIN(end, at + (unsigned)__builtin_ctzll(word)) : end;
}

struct scanning {
	struct kdump *k;
	struct part *part;
	const struct header *h;
	uint64_t next;			/* descriptor */
	uint64_t lost;			/* pages whose descriptors are missing */
};

/* Pages that are in the file; a split dump has only some of them in each. */
static bool add_dumped(struct scanning *s, uint64_t from, uint64_t end)
{
	uint64_t count, held;

	from = MAX(from, s->h->first);
	end = MIN(end, s->h->end);
	if (from >= end)
		return true;
	count = end - from;
	held = MIN(count, s->k->count - MIN(s->k->count, s->next));
	s->lost += count - held;
	if (held && !part_add_packed(s->part, GSC_PHYS, from * s->h->page, held * s->h->page,
				     s->next * s->h->page))
		return false;
	s->next += count;
	return true;
}

/* end: where it stopped because there are too many pieces. */
static bool scan_pages(struct scanning *s, const uint8_t *ram, const uint8_t *dumped, uint64_t *end)
{
	uint64_t page = s->h->page, to;

	for (uint64_t at = 0; at < *end; at = to) {
		bool added = true;

		if (s->part->pieces.count >= RUNS_MAX) {
			*end = at;
			break;
		}
		to = run_end(dumped, at, *end);
		if (bit_at(dumped, at)) {
			added = add_dumped(s, at, to);
		} else {
			to = run_end(ram, at, to);
			if (bit_at(ram, at))
				added = part_add_status(s->part, GSC_PHYS, at * page,
							(to - at) * page, GSC_READ_EXCLUDED);
		}
		if (!added)
			return false;
	}
	return true;
}

/* How many bits before this one are set. */
static uint64_t count_bits(const uint8_t *bits, uint64_t end)
{
	uint64_t count = 0;

	for (uint64_t at = 0; at < end; at += 64) {
		uint64_t word = load_le(bits + at / 8, 8);

		if (end - at < 64)
			word &= (UINT64_C(1) << (end - at)) - 1;
		count += (unsigned)__builtin_popcountll(word);
	}
	return count;
}

/* A dump that ran out of space has descriptors of zeros at its end. */
static uint64_t count_descriptors(const struct kdump *k, const struct header *h,
				  const uint8_t *dumped)
{
	uint64_t wanted = count_bits(dumped, MIN(h->end, h->pages)) -
			  count_bits(dumped, MIN(h->first, MIN(h->end, h->pages)));
	uint64_t count = core_held(&k->file, h->descriptors, wanted * DESCRIPTOR) / DESCRIPTOR;
	uint8_t offset[8];

	if (!(h->status & INCOMPLETE))
		return count;
	return SEEK(i, 0, count, core_read(&k->file, h->descriptors + i * DESCRIPTOR, offset, 8) &&
				 load_le(offset, 8));
}

/* Pages are in order: the last ones show whether the file is complete. */
static void note_cut(struct gsc_source *source, struct kdump *k)
{
	uint8_t descriptor[DESCRIPTOR];

	for (uint64_t i = k->count - MIN(k->count, LAST_ONES); i < k->count && !k->cut; i++) {
		uint64_t at, size;

		if (!core_read(&k->file, k->descriptors + i * DESCRIPTOR, descriptor, DESCRIPTOR))
			break;
		at = load_le(descriptor, 8);
		size = load_le(descriptor + 8, 4);
		k->cut = core_held(&k->file, at, size) < size;
	}
	if (k->cut)
		source_note(source, "%s: ends at byte %llu: pages at its end are missing",
			    k->file.name, LL(k->file.file_size));
}

static enum gsc_status load_bitmaps(struct gsc_source *source, struct part *part, struct kdump *k,
				    const struct header *h, struct gsc_error *err)
{
	struct scanning s = { .k = k, .part = part, .h = h };
	/* Old dumps have one bitmap, of the pages in the file. */
	uint64_t half = h->pages <= h->bitmap_bytes * 4 ? h->bitmap_bytes / 2 : 0;
	uint64_t end = h->pages;
	uint8_t *bits = malloc((size_t)h->bitmap_bytes + 1);
	bool added;

	if (!bits)
		return err_memory(err);
	if (!core_read(&k->file, h->bitmaps, bits, (size_t)h->bitmap_bytes)) {
		free(bits);
		return err_set(err, GSC_FAILED, k->file.name, "ends in its bitmaps");
	}
	k->count = count_descriptors(k, h, bits + half);
	added = scan_pages(&s, bits, bits + half, &end);
	free(bits);
	if (!added)
		return err_memory(err);
	k->cut = s.lost;
	if (s.lost)
		source_note(source, "%s: %s: %llu of %llu pages are missing", k->file.name,
			    h->status & INCOMPLETE ? "incomplete" : "ends in its descriptors",
			    LL(s.lost), LL(s.next));
	else
		note_cut(source, k);
	if (end < h->pages)
		source_note(source, "%s: too many runs of pages: nothing from 0x%llx on is read",
			    k->file.name, LL(end * h->page));
	return GSC_OK;
}

/* ---- loading -------------------------------------------------------------------------------- */

static enum gsc_status load_kdump(struct gsc_source *source, struct part *part, struct kdump *k,
				  struct gsc_error *err)
{
	struct header h = { .version = 0 };
	const char *wrong = read_header(&k->file, &h);
	enum gsc_status status = GSC_OK;

	if (wrong)
		return err_set(err, GSC_FAILED, k->file.name, "%s", wrong);
	k->page = (size_t)h.page;
	k->descriptors = h.descriptors;
	k->pages = malloc(CACHED * k->page);
	k->raw = malloc(k->page);
	if (!k->pages || !k->raw)
		return err_memory(err);
	/* The library for the compression of the whole file must be there. */
	for (size_t i = 0; !status && i < ARRAY_SIZE(packings); i++)
		if (h.status & packings[i].flag)
			status = page_unpacker_new(&k->unpackers[packings[i].packing],
						   packings[i].packing, err);
	if (!status)
		status = core_vmcoreinfo(&k->file, part, h.info, h.info_bytes, err);
	if (status)
		return status;
	if (!part->properties.count && *h.release && !part_say(part, "", "kernel", "%s", h.release))
		return err_memory(err);
	if (h.version && !say_level(part, h.dump_level))
		return err_memory(err);
	status = load_bitmaps(source, part, k, &h, err);
	if (!status && !part->pieces.count)
		status = err_set(err, GSC_FAILED, k->file.name, "holds no pages");
	return status;
}

static bool is_kdump(const uint8_t *signature)
{
	return !memcmp(signature, "KDUMP   ", SIGNATURE) ||
	       !memcmp(signature, "DISKDUMP", SIGNATURE);
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct kdump *k = calloc(1, sizeof(*k));
	enum gsc_status status;
	uint8_t signature[SIGNATURE];

	if (!k || !part_own(part, k, kdump_free))
		return err_memory(err);
	k->packed.read = read_page;
	part->packed = &k->packed;
	status = core_open(&k->file, source, part, err);
	if (status)
		return status;
	core_read_header(&k->file, 0, signature, SIGNATURE);
	if (is_kdump(signature))
		return load_kdump(source, part, k, err);
	if (!memcmp(signature, "\177ELF", 4)) {
		part->reader = &reader_elf;
		return elf_load(source, part, err);
	}
	return err_set(err, GSC_FAILED, k->file.name, "flattened, but not a dump");
}

static unsigned score(const uint8_t *data, size_t size)
{
	return core_is_flat(data, size) || (size >= SIGNATURE && is_kdump(data)) ? 100 : 0;
}

const struct reader reader_kdump = { "kdump-compressed vmcore", GSC_SOURCE_MEMORY, score, load };
