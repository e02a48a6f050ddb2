/* SPDX-License-Identifier: MIT */
/* Dumps of a machine's memory: LiME, kdump-compressed and flattened ones, filtered ELF cores. */
#include "source-helpers.h"
#include "formats/contents.h"
#include "source/source.h"
#include "test.h"

#include <elf.h>
#include <stdio.h>
#include <string.h>

#define PAGE 4096

/* ---- a page, and what packers make of it ---------------------------------------------------- */

static uint8_t packed_byte(unsigned i)
{
	if (i < 40 || (i > 2500 && i < 3200))
		return (uint8_t)(i % 40 * 37);
	return (uint8_t)(i < 1024 ? 97 + i % 13 : i >> 9);
}

static const uint8_t zlib_page[] = {
	0x78, 0xda, 0x63, 0x50, 0xf5, 0xca, 0x9f, 0xb2, 0xf3, 0x1e, 0xb3, 0x86, 0x6f, 0xd1,
	0xf4, 0x3d, 0x0f, 0xd9, 0xb4, 0x03, 0x4a, 0x67, 0xed, 0x7f, 0xc2, 0xa9, 0x17, 0x5c,
	0x31, 0xf7, 0xd0, 0x73, 0x1e, 0xc3, 0xb0, 0xea, 0x05, 0x47, 0x5f, 0xf1, 0x9b, 0x44,
	0xd6, 0x2d, 0x4e, 0x4a, 0x4e, 0x49, 0x4d, 0x4b, 0xcf, 0xc8, 0xcc, 0xca, 0xce, 0xc9,
	0x4d, 0x1c, 0xe5, 0x8c, 0x72, 0x46, 0x39, 0xc3, 0x82, 0xc3, 0x34, 0x0a, 0x46, 0x34,
	0x60, 0x1e, 0x05, 0x23, 0x1a, 0xb0, 0x8c, 0x82, 0xa1, 0x0f, 0xb0, 0xb4, 0xd7, 0x18,
	0x88, 0x6c, 0xd7, 0x8d, 0xaa, 0x1b, 0x55, 0x37, 0x90, 0xea, 0xd8, 0x46, 0xc1, 0x80,
	0x02, 0xf6, 0x51, 0x30, 0xa2, 0x01, 0x00, 0x34, 0xb3, 0xfb, 0xac,
};
static const uint8_t lzo_page[] = {
	0x46, 0x00, 0x25, 0x4a, 0x6f, 0x94, 0xb9, 0xde, 0x03, 0x28, 0x4d, 0x72, 0x97, 0xbc,
	0xe1, 0x06, 0x2b, 0x50, 0x75, 0x9a, 0xbf, 0xe4, 0x09, 0x2e, 0x53, 0x78, 0x9d, 0xc2,
	0xe7, 0x0c, 0x31, 0x56, 0x7b, 0xa0, 0xc5, 0xea, 0x0f, 0x34, 0x59, 0x7e, 0xa3, 0x62,
	0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x61, 0x20, 0x00,
	0x00, 0x00, 0xad, 0x31, 0x00, 0x02, 0x20, 0x00, 0xdf, 0x01, 0x00, 0x03, 0x20, 0x00,
	0xdf, 0x01, 0x00, 0x04, 0x20, 0x00, 0xa4, 0x00, 0x00, 0x31, 0xbc, 0x26, 0x20, 0x07,
	0x5c, 0x27, 0x20, 0x00, 0x00, 0x61, 0x9d, 0x00, 0x06, 0x20, 0x00, 0x5f, 0x01, 0x00,
	0x07, 0x20, 0x00, 0xdf, 0x00, 0x00, 0x11, 0x00, 0x00,
};
static const uint8_t snappy_page[] = {
	0x80, 0x20, 0xf0, 0x43, 0x00, 0x25, 0x4a, 0x6f, 0x94, 0xb9, 0xde, 0x03, 0x28, 0x4d,
	0x72, 0x97, 0xbc, 0xe1, 0x06, 0x2b, 0x50, 0x75, 0x9a, 0xbf, 0xe4, 0x09, 0x2e, 0x53,
	0x78, 0x9d, 0xc2, 0xe7, 0x0c, 0x31, 0x56, 0x7b, 0xa0, 0xc5, 0xea, 0x0f, 0x34, 0x59,
	0x7e, 0xa3, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d,
	0x61, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x61,
	0x62, 0x63, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00,
	0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d,
	0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe, 0x0d, 0x00, 0xfe,
	0x0d, 0x00, 0xee, 0x0d, 0x00, 0x00, 0x02, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe,
	0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00,
	0xfa, 0x01, 0x00, 0x00, 0x03, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00,
	0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfa, 0x01,
	0x00, 0x00, 0x04, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01,
	0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0x01, 0x01, 0x4a, 0xb0,
	0x09, 0x9e, 0xd8, 0x09, 0xfe, 0x28, 0x00, 0xfe, 0x28, 0x00, 0xfe, 0x28, 0x00, 0xfe,
	0x28, 0x00, 0xfe, 0x28, 0x00, 0xfe, 0x28, 0x00, 0xfe, 0x28, 0x00, 0xfe, 0x28, 0x00,
	0xfe, 0x28, 0x00, 0xfe, 0x28, 0x00, 0x00, 0x06, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00,
	0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfa, 0x01, 0x00, 0x00, 0x07,
	0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01,
	0x00, 0xfe, 0x01, 0x00, 0xfe, 0x01, 0x00, 0xfa, 0x01, 0x00,
};
static const uint8_t zstd_page[] = {
	0x28, 0xb5, 0x2f, 0xfd, 0x60, 0x00, 0x0f, 0xe5, 0x02, 0x00, 0xa4, 0x03, 0x00, 0x25,
	0x4a, 0x6f, 0x94, 0xb9, 0xde, 0x03, 0x28, 0x4d, 0x72, 0x97, 0xbc, 0xe1, 0x06, 0x2b,
	0x50, 0x75, 0x9a, 0xbf, 0xe4, 0x09, 0x2e, 0x53, 0x78, 0x9d, 0xc2, 0xe7, 0x0c, 0x31,
	0x56, 0x7b, 0xa0, 0xc5, 0xea, 0x0f, 0x34, 0x59, 0x7e, 0xa3, 0x62, 0x63, 0x64, 0x65,
	0x66, 0x67, 0x68, 0x69, 0x6a, 0x6b, 0x6c, 0x6d, 0x61, 0x02, 0x03, 0x04, 0x06, 0x07,
	0x09, 0x00, 0xfc, 0x40, 0x15, 0x3e, 0x9c, 0x7a, 0x7d, 0x96, 0xaa, 0xe2, 0x76, 0x60,
	0x09, 0xb3, 0x81, 0x09, 0x04, 0x03, 0xf5, 0xf8, 0x81, 0xca, 0xf8, 0x71, 0xaa, 0x28,
	0xe4, 0x50, 0x4d, 0x28,
};

/* ---- kdump-compressed files ----------------------------------------------------------------- */

/* RAM is pages 0 to 39 and 50 to 59. */
#define DESCRIPTORS (4 * PAGE)
#define RAM_PAGES 64

struct page {
	unsigned number;
	uint32_t flags;
	const uint8_t *data;		/* NULL: bytes of the page's number; zeros: of page 5 */
	size_t size;
};

static const struct page pages[] = {
	{ 0, 0, NULL, PAGE },
	{ 1, 1, zlib_page, sizeof(zlib_page) },
	{ 2, 2, lzo_page, sizeof(lzo_page) },
	{ 3, 4, snappy_page, sizeof(snappy_page) },
	{ 4, 0x20, zstd_page, sizeof(zstd_page) },
	{ 5, 0, NULL, PAGE },
	{ 8, 0, NULL, PAGE },
	{ 52, 0, NULL, PAGE },
};

struct kdump {
	uint8_t bytes[16 * PAGE];
	size_t size;
};

static void put(uint8_t *at, uint64_t value, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

static void put_page(struct kdump *k, size_t i)
{
	uint8_t *descriptor = k->bytes + DESCRIPTORS + i * 24;
	unsigned number = pages[i].number;

	k->bytes[3 * PAGE + number / 8] |= (uint8_t)(1 << number % 8);
	put(descriptor, k->size, 8);
	put(descriptor + 8, pages[i].size, 4);
	put(descriptor + 12, pages[i].flags, 4);
	if (pages[i].data)
		memcpy(k->bytes + k->size, pages[i].data, pages[i].size);
	else
		memset(k->bytes + k->size, number == 5 ? 0 : (int)(0xa0 + number), PAGE);
	k->size += pages[i].size;
}

static void make_kdump(struct kdump *k)
{
	static const char info[] = "OSRELEASE=6.1.0-99-amd64\nPAGESIZE=4096\n"
				   "CRASHTIME=1731888000\n";
	uint8_t *sub = k->bytes + PAGE;

	memset(k, 0, sizeof(*k));
	memcpy(k->bytes, "KDUMP   ", 8);
	put(k->bytes + 8, 6, 4);
	put(k->bytes + 424, 1, 4);
	put(k->bytes + 428, PAGE, 4);
	put(k->bytes + 432, 1, 4);
	put(k->bytes + 436, 2, 4);
	put(k->bytes + 440, RAM_PAGES, 4);
	put(sub + 8, 31, 4);
	put(sub + 32, PAGE + 512, 8);
	put(sub + 40, sizeof(info) - 1, 8);
	put(sub + 96, RAM_PAGES, 8);
	memcpy(sub + 512, info, sizeof(info) - 1);
	for (unsigned i = 0; i < 60; i++)
		if (i < 40 || i >= 50)
			k->bytes[2 * PAGE + i / 8] |= (uint8_t)(1 << i % 8);
	k->size = DESCRIPTORS + ARRAY_SIZE(pages) * 24;
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
		put_page(k, i);
}

static bool page_is(struct gsc_source *s, unsigned number)
{
	for (unsigned at = 0; at < PAGE; at++) {
		uint8_t wanted = number == 5 ? 0 : number && number < 5 ? packed_byte(at)
									 : (uint8_t)(0xa0 + number);
		uint64_t value;

		if (gsc_read(s, GSC_PHYS, number * PAGE + at, 1, &value) || value != wanted)
			return false;
	}
	return true;
}

static enum gsc_read status_at(struct gsc_source *s, uint64_t address)
{
	uint64_t value = 7;
	enum gsc_read status = gsc_read(s, GSC_PHYS, address, 4, &value);

	CU_ASSERT(!status || value == 7);
	return status;
}

static const char *property(struct gsc_source *s, const char *key)
{
	static struct gsc_property property;

	for (size_t i = 0; gsc_source_property(s, 0, i, &property); i++)
		if (!strcmp(property.key, key))
			return property.value;
	return "";
}

static void expect_all(const void *data, size_t size)
{
	struct gsc_source *s = open_bytes(data, size);

	for (size_t i = 0; i < ARRAY_SIZE(pages); i++)
		CU_ASSERT(page_is(s, pages[i].number));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 4 * PAGE + PAGE - 4, 8), 0x07070707);
	CU_ASSERT_EQUAL(status_at(s, 6 * PAGE), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(status_at(s, 39 * PAGE), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(status_at(s, 40 * PAGE), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(status_at(s, 51 * PAGE), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(status_at(s, 60 * PAGE), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(status_at(s, UINT64_C(64) * PAGE), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	CU_ASSERT_STRING_EQUAL(property(s, "kernel"), "6.1.0-99-amd64");
	CU_ASSERT_STRING_EQUAL(property(s, "crashed"), "2024-11-18T00:00:00Z");
	gsc_source_close(s);
}

static void kdumps(void)
{
	static struct kdump k;
	struct gsc_source *s;

	make_kdump(&k);
	expect_all(k.bytes, k.size);
	s = open_bytes(k.bytes, k.size);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "kdump-compressed vmcore");
	CU_ASSERT_STRING_EQUAL(property(s, "dump-level"),
			       "31: without cache, private cache, user, free pages");
	gsc_source_close(s);
}

/* Records in any order; what is written twice has its last contents. */
static void flattened(void)
{
	static const struct { size_t from, to; } records[] = {
		{ 5000, 16 * PAGE }, { 0, 700 }, { 700, PAGE }, { PAGE + 104, 5000 },
		{ PAGE, PAGE + 104 }, { 100, 500 },
	};
	static uint8_t flat[20 * PAGE];
	static struct kdump k;
	size_t size = PAGE;
	struct gsc_source *s;

	make_kdump(&k);
	memcpy(flat, "makedumpfile\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1", 32);
	for (size_t i = 0; i < ARRAY_SIZE(records); i++) {
		size_t end = MIN(records[i].to, k.size), length = end - records[i].from;

		put(flat + size, __builtin_bswap64(records[i].from), 8);
		put(flat + size + 8, __builtin_bswap64(length), 8);
		memcpy(flat + size + 16, k.bytes + records[i].from, length);
		/* Wrong, until it is written again. */
		if (i == 1)
			memset(flat + size + 16 + 100, 0xff, 400);
		size += 16 + length;
	}
	memset(flat + size, 0xff, 16);
	expect_all(flat, size + 16);
	s = open_bytes(flat, size);
	CU_ASSERT(page_is(s, 4));
	CU_ASSERT(note_has(s, 0, "has no end"));
	gsc_source_close(s);
	survive_damage("%s", flat, size + 16, 211);
}

static void split(void)
{
	static struct kdump k;
	uint8_t *sub = k.bytes + PAGE;
	struct gsc_source *s;

	make_kdump(&k);
	put(sub + 12, 1, 4);
	put(sub + 80, 3, 8);
	put(sub + 88, 8, 8);
	memmove(k.bytes + DESCRIPTORS, k.bytes + DESCRIPTORS + 3 * 24, 3 * 24);
	s = open_bytes(k.bytes, k.size);
	CU_ASSERT(page_is(s, 3) && page_is(s, 4) && page_is(s, 5));
	CU_ASSERT_EQUAL(status_at(s, 2 * PAGE), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(status_at(s, 8 * PAGE), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(status_at(s, 9 * PAGE), GSC_READ_EXCLUDED);
	gsc_source_close(s);
}

/* What is damaged is missing, and reported once. */
static void expect_lost(struct kdump *k, unsigned number, const char *note)
{
	struct gsc_source *s = open_bytes(k->bytes, k->size);
	size_t notes;

	CU_ASSERT_EQUAL(status_at(s, number * PAGE + 8), GSC_READ_ABSENT);
	CU_ASSERT(note_has(s, 0, note));
	notes = gsc_source_note_count(s);
	CU_ASSERT_EQUAL(status_at(s, number * PAGE + 16), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), notes);
	CU_ASSERT(page_is(s, 0));
	gsc_source_close(s);
}

static void broken(void)
{
	static struct kdump k;
	uint8_t *descriptors = k.bytes + DESCRIPTORS;

	for (unsigned i = 1; i < 5; i++) {
		make_kdump(&k);
		put(descriptors + i * 24 + 8, pages[i].size - 5, 4);
		expect_lost(&k, i, "cannot be unpacked");
	}
	make_kdump(&k);
	put(descriptors + 24 + 12, 2, 4);
	expect_lost(&k, 1, "cannot be unpacked");
	make_kdump(&k);
	put(descriptors + 5 * 24 + 8, PAGE - 1, 4);
	expect_lost(&k, 5, "impossible length");
	make_kdump(&k);
	put(descriptors + 24 + 8, PAGE + 1, 4);
	expect_lost(&k, 1, "impossible length");
	make_kdump(&k);
	k.size -= 10;
	expect_lost(&k, 52, "pages at its end are missing");
	make_kdump(&k);
	put(descriptors + 24, UINT64_MAX - 2, 8);
	expect_lost(&k, 1, "pages at its end are missing");
	make_kdump(&k);
	k.size = DESCRIPTORS + 7 * 24 + 23;
	put(descriptors, 0, 8);
	{
		struct gsc_source *s = open_bytes(k.bytes, k.size);

		CU_ASSERT(note_has(s, 0, "1 of 8 pages are missing"));
		gsc_source_close(s);
	}
}

static void incomplete(void)
{
	static struct kdump k;
	struct gsc_source *s;

	make_kdump(&k);
	put(k.bytes + 424, 9, 4);
	memset(k.bytes + DESCRIPTORS + 5 * 24, 0, 3 * 24);
	s = open_bytes(k.bytes, k.size);
	CU_ASSERT(page_is(s, 4));
	CU_ASSERT_EQUAL(status_at(s, 5 * PAGE), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(status_at(s, 52 * PAGE), GSC_READ_ABSENT);
	CU_ASSERT(note_has(s, 0, "incomplete: 3 of 8 pages are missing"));
	gsc_source_close(s);
}

static void refuse_kdump(const struct kdump *k, const char *why)
{
	char *path = temporary_file(k->bytes, k->size);

	refuse_spec(path, GSC_FAILED, why);
	drop_file(path);
}

static void refused(void)
{
	static struct kdump k;

	make_kdump(&k);
	put(k.bytes + 428, 12345, 4);
	refuse_kdump(&k, "32-bit kernel");
	make_kdump(&k);
	put(k.bytes + 436, UINT32_MAX, 4);
	refuse_kdump(&k, "bigger than the file");
	make_kdump(&k);
	put(k.bytes + PAGE + 96, UINT64_MAX, 8);
	refuse_kdump(&k, "too small");
	make_kdump(&k);
	k.size = 3 * PAGE + 100;
	refuse_kdump(&k, "ends in its bitmaps");
	make_kdump(&k);
	memset(k.bytes + 2 * PAGE, 0, 2 * PAGE);
	refuse_kdump(&k, "no pages");
	make_kdump(&k);
	survive_damage("%s", k.bytes, k.size, 97);
	survive_damage("%s", k.bytes, 600, 1);
}

/* ---- LiME ----------------------------------------------------------------------------------- */

static size_t put_range(uint8_t *at, uint64_t first, uint64_t last, uint8_t fill)
{
	put(at, 0x4c694d45, 4);
	put(at + 4, 1, 4);
	put(at + 8, first, 8);
	put(at + 16, last, 8);
	memset(at + 24, 0, 8);
	memset(at + 32, fill, last - first + 1);
	return 32 + (size_t)(last - first + 1);
}

static void lime(void)
{
	uint8_t bytes[512];
	size_t size = put_range(bytes, 0x1000, 0x103f, 0x11), first = size;
	struct gsc_source *s;

	size += put_range(bytes + size, UINT64_C(0x100000000), UINT64_C(0x10000001f), 0x22);
	s = open_bytes(bytes, size);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "LiME dump");
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x1038, 8), UINT64_C(0x1111111111111111));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x10000001c, 4), 0x22222222);
	CU_ASSERT_EQUAL(status_at(s, 0x1040), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(status_at(s, 0), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	s = open_bytes(bytes, size - 8);
	CU_ASSERT_EQUAL(status_at(s, 0x100000018), GSC_READ_ABSENT);
	CU_ASSERT(note_has(s, 0, "ends at byte 152, in the range 0x100000000-0x10000001f"));
	gsc_source_close(s);
	bytes[first]++;
	s = open_bytes(bytes, size);
	CU_ASSERT_EQUAL(status_at(s, 0x100000000), GSC_READ_ABSENT);
	CU_ASSERT(note_has(s, 0, "byte 96: not the header of a range"));
	gsc_source_close(s);
	bytes[first]--;
	survive_damage("%s", bytes, size, 1);
}

/* ---- ELF cores that were filtered ----------------------------------------------------------- */

struct vmcore {
	Elf64_Ehdr header;
	Elf64_Phdr segment[3];
	uint32_t note[3];
	char name[12], info[24];
	uint8_t data[32];
};

static void elf(void)
{
	struct vmcore core = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_CORE,
			    .e_phoff = sizeof(Elf64_Ehdr),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 3 },
		.segment = {
			{ .p_type = PT_NOTE, .p_offset = offsetof(struct vmcore, note),
			  .p_filesz = 12 + 12 + 24 },
			{ .p_type = PT_LOAD, .p_offset = offsetof(struct vmcore, data),
			  .p_paddr = 0x1000, .p_filesz = 16, .p_memsz = 0x1000 },
			{ .p_type = PT_LOAD, .p_paddr = 0x8000, .p_memsz = 0x1000 },
		},
		.note = { 11, 24, 0 },
		.name = "VMCOREINFO",
		.info = "OSRELEASE=5.19.17\n",
		.data = { 1, 2, 3, 4 },
	};
	struct gsc_source *s = open_bytes(&core, sizeof(core));

	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "ELF vmcore");
	CU_ASSERT_STRING_EQUAL(property(s, "kernel"), "5.19.17");
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x1000, 4), 0x04030201);
	CU_ASSERT_EQUAL(status_at(s, 0x1010), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(status_at(s, 0x8ffc), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(status_at(s, 0x9000), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	core.header.e_flags = 1;
	s = open_bytes(&core, sizeof(core));
	CU_ASSERT(note_has(s, 0, "no room"));
	gsc_source_close(s);
	survive_damage("%s", &core, sizeof(core), 1);
	/* That of a process. */
	core.segment[1].p_paddr = core.segment[2].p_paddr = 0;
	{
		char *path = temporary_file(&core, sizeof(core));

		refuse_spec(path, GSC_FAILED, "if it is a memory dump, try: elf:");
		drop_file(path);
	}
}

SUITE(dumps,
	{ "kdump-compressed files", kdumps },
	{ "flattened", flattened },
	{ "split", split },
	{ "broken pages", broken },
	{ "written without room", incomplete },
	{ "refused", refused },
	{ "LiME", lime },
	{ "filtered ELF cores", elf })
