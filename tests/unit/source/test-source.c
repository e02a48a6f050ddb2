/* SPDX-License-Identifier: MIT */
/* Sources: what a spec names, how several combine, what reads give, what goes wrong. */
#include "source-helpers.h"
#include "db/words.h"
#include "source/part.h"
#include "test.h"
#include "formats/demo.h"
#include "source/inflate.h"
#include "util/dynlib.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void words(void)
{
	enum gsc_space space;
	enum gsc_read status;

	CU_ASSERT_STRING_EQUAL(gsc_space_name(GSC_MMIO), "mmio");
	CU_ASSERT_STRING_EQUAL(gsc_space_name(GSC_GTTMEM), "gttmem");
	CU_ASSERT_STRING_EQUAL(gsc_read_word(GSC_READ_ALL_ONES), "all-ones");
	CU_ASSERT_STRING_EQUAL(gsc_read_word(GSC_READ_OK), "ok");
	CU_ASSERT_EQUAL(gsc_read_status(GSC_READ_OK), GSC_OK);
	CU_ASSERT_EQUAL(gsc_read_status(GSC_READ_ABSENT), GSC_UNKNOWN);
	CU_ASSERT_EQUAL(gsc_read_status(GSC_READ_SKIPPED), GSC_UNKNOWN);
	CU_ASSERT_EQUAL(gsc_read_status(GSC_READ_ASLEEP), GSC_GONE);
	CU_ASSERT_EQUAL(gsc_read_status(GSC_READ_ALL_ONES), GSC_GONE);
	CU_ASSERT_EQUAL(gsc_read_status(GSC_READ_DENIED), GSC_DENIED);
	for (unsigned i = 0; i < GSC_SPACES; i++) {
		const char *name = gsc_space_name((enum gsc_space)i);

		CU_ASSERT(gsc_space_by_name(name, strlen(name), &space) && space == (enum gsc_space)i);
	}
	CU_ASSERT(!gsc_space_by_name("mmi", 3, &space));
	CU_ASSERT(read_by_word("asleepy", 6, &status) && status == GSC_READ_ASLEEP);
	CU_ASSERT(!read_by_word("asleepy", 7, &status));
}

/* ---- pieces ------------------------------------------------------------------------------- */

#define ADDRESSES 64

/* What each address should show: 0 nothing, 1..255 a byte, 256+ a status. */
static void model_add(unsigned *model, const struct piece *p)
{
	for (uint64_t i = 0; i < p->length; i++)
		model[p->start + i] = p->status == GSC_READ_OK ? p->data[i] :
				      p->status == GSC_READ_ABSENT ? 0 : 256u + p->status;
}

static bool matches_model(const piece_vec *pieces, const unsigned *model)
{
	unsigned shown[ADDRESSES] = { 0 };
	uint64_t last = 0;

	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *p = &pieces->items[i];

		if (p->start < last || !p->length)
			return false;
		last = p->start + p->length;
		model_add(shown, p);
	}
	return !memcmp(shown, model, sizeof(shown));
}

/* Any overlapping pieces, compared with painting them one over the other. */
static void pieces_against_model(void)
{
	static const enum gsc_read kinds[] = { GSC_READ_OK, GSC_READ_OK, GSC_READ_OK,
					       GSC_READ_ABSENT, GSC_READ_ASLEEP, GSC_READ_DENIED };
	struct part part = { 0 };
	uint8_t bytes[256];
	uint32_t seed = 1;

	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i | 1);
	for (unsigned round = 0; round < 3000; round++) {
		unsigned model[ADDRESSES] = { 0 }, count = next_random(&seed) % 12;

		part.pieces.count = 0;
		for (unsigned i = 0; i < count; i++) {
			uint64_t start = next_random(&seed) % ADDRESSES;
			uint64_t length = next_random(&seed) % (ADDRESSES - start + 1);
			enum gsc_read kind = kinds[next_random(&seed) % 6];
			struct piece p = { GSC_MMIO, kind, start, length,
					   bytes + next_random(&seed) % 128, 0, -1 };

			model_add(model, &p);
			if (kind == GSC_READ_OK)
				part_add(&part, GSC_MMIO, start, length, p.data);
			else
				part_add_status(&part, GSC_MMIO, start, length, kind);
		}
		CU_ASSERT_FATAL(pieces_resolve(&part.pieces));
		CU_ASSERT_FATAL(matches_model(&part.pieces, model));
	}
	vec_free(&part.pieces);
}

static void pieces_join(void)
{
	struct part part = { 0 };
	uint8_t bytes[16] = { 0 };

	CU_ASSERT(part_add(&part, GSC_PHYS, 4, 4, bytes + 4));
	CU_ASSERT(part_add(&part, GSC_MMIO, 8, 4, bytes + 8));
	CU_ASSERT(part_add(&part, GSC_PHYS, 0, 4, bytes));
	CU_ASSERT(part_add(&part, GSC_PHYS, 8, 4, bytes));
	CU_ASSERT(!part_add(&part, GSC_PHYS, UINT64_MAX, 4, bytes));
	CU_ASSERT(part_add(&part, GSC_PHYS, 20, 0, bytes));
	CU_ASSERT(pieces_resolve(&part.pieces));
	CU_ASSERT_EQUAL(part.pieces.count, 3);
	CU_ASSERT_EQUAL(part.pieces.items[0].space, GSC_MMIO);
	CU_ASSERT_EQUAL(part.pieces.items[1].length, 8);
	CU_ASSERT_EQUAL(part.pieces.items[2].start, 8);
	vec_free(&part.pieces);
}

/* Bytes that stay in a file that cannot be mapped. */
static void pieces_in_files(void)
{
	char *path = temporary_file("0123456789abcdef", 16);
	FILE *f = fopen(path, "r");
	struct part part = { .platform = -1, .blob.fd = -1 };
	struct gsc_source s = { .parts = { &part, 1, 1 }, .platform = -1 };
	uint64_t value = 9, start, length;
	size_t size;

	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	CU_ASSERT(part_add_file(&part, GSC_PHYS, 0x100, 4, fileno(f), 0));
	CU_ASSERT(part_add_file(&part, GSC_PHYS, 0x104, 100, fileno(f), 4));
	CU_ASSERT(part_add(&part, GSC_PHYS, 0x106, 2, (const uint8_t *)"XY"));
	CU_ASSERT(pieces_resolve(&part.pieces));
	CU_ASSERT_EQUAL(part.pieces.count, 3);
	CU_ASSERT_EQUAL(lookups_build(&s, NULL), GSC_OK);
	CU_ASSERT_EQUAL(gsc_read(&s, GSC_PHYS, 0x102, 8, &value), GSC_READ_OK);
	CU_ASSERT(!memcmp(&value, "2345XY89", 8));
	CU_ASSERT_EQUAL(gsc_read(&s, GSC_PHYS, 0x110, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_PTR_NULL(gsc_span(&s, GSC_PHYS, 0x100, &size));
	CU_ASSERT_PTR_NOT_NULL(gsc_span(&s, GSC_PHYS, 0x106, &size));
	CU_ASSERT_EQUAL(size, 2);
	CU_ASSERT(gsc_extent(&s, GSC_PHYS, 0, &start, &length) && length == 104);
	lookup_free(&s.lookups.items[0]);
	vec_free(&s.lookups);
	vec_free(&part.pieces);
	fclose(f);
	drop_file(path);
}

/* ---- images and reads --------------------------------------------------------------------- */

static const uint8_t counting[30] = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,
				      10, 11, 12, 13, 14, 15, 16, 17, 18, 19,
				      20, 21, 22, 23, 24, 25, 26, 27, 28, 29 };

static void reads(void)
{
	char *path = temporary_file(counting, 30);
	struct gsc_source *s = open_spec("mem:%s@0x1000", path, NULL);
	uint64_t value = 77;

	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x1001, 1, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 1);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x1002, 2, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x0302);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x1004, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x07060504);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x1008, 8, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, UINT64_C(0x0f0e0d0c0b0a0908));
	value = 77;
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x101c, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0xffc, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0xffe, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x1000, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x1000, 3, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_SPACES, 0x1000, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, UINT64_MAX, 8, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(value, 77);
	CU_ASSERT(!gsc_source_live(s));
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "mem");
	CU_ASSERT_EQUAL(gsc_source_count(s), 1);
	CU_ASSERT_PTR_NULL(gsc_source_name(s, 1));
	CU_ASSERT_EQUAL(gsc_source_platform(s), -1);
	CU_ASSERT_EQUAL(gsc_source_device(s), -1);
	gsc_source_close(s);
	drop_file(path);
}

static void first_wins(void)
{
	char *a = temporary_file("AAAAAAAA", 8), *b = temporary_file("BBBBBBBBBBBBBBBB", 16);
	char one[64], two[64];
	const char *specs[] = { one, two };
	struct gsc_source *s;
	const char *bytes;
	uint64_t start, length, value;
	size_t size;

	snprintf(one, sizeof(one), "mem:%s@0x104", a);
	snprintf(two, sizeof(two), "mem:%s@0x100", b);
	s = open_specs(specs, 2, NULL);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x100, 8, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, UINT64_C(0x4141414142424242));
	bytes = gsc_span(s, GSC_PHYS, 0x101, &size);
	CU_ASSERT(bytes && size == 3 && bytes[0] == 'B');
	bytes = gsc_span(s, GSC_PHYS, 0x104, &size);
	CU_ASSERT(bytes && size == 8 && bytes[7] == 'A');
	bytes = gsc_span(s, GSC_PHYS, 0x10c, &size);
	CU_ASSERT(bytes && size == 4 && bytes[0] == 'B');
	CU_ASSERT_PTR_NULL(gsc_span(s, GSC_PHYS, 0x110, &size));
	CU_ASSERT_PTR_NULL(gsc_span(s, GSC_PHYS, 0xff, &size));
	CU_ASSERT_PTR_NULL(gsc_span(s, GSC_LMEM, 0x104, &size));
	CU_ASSERT(gsc_extent(s, GSC_PHYS, 0, &start, &length));
	CU_ASSERT(start == 0x100 && length == 16);
	CU_ASSERT(gsc_extent(s, GSC_PHYS, 0x10a, &start, &length));
	CU_ASSERT(start == 0x10a && length == 6);
	CU_ASSERT(!gsc_extent(s, GSC_PHYS, 0x110, &start, &length));
	CU_ASSERT(!gsc_extent(s, GSC_MMIO, 0, &start, &length));
	gsc_source_close(s);
	drop_file(a);
	drop_file(b);
}

/* The table is in the BAR's upper part: read by BAR offset or by its own, from either source. */
static void bar_and_ggtt(void)
{
	struct gsc_platform p = platform_of("skl");
	char *path = temporary_file("0123456789abcdef", 16), spec[96];
	const char *specs[] = { spec };
	struct gsc_source *s;
	uint64_t value, start, length;

	snprintf(spec, sizeof(spec), "bar:%s@0x%llx", path, (unsigned long long)p.ggtt_offset - 8);
	s = open_specs(specs, 1, "skl");
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)p.index);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, p.ggtt_offset - 8, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x33323130);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, p.ggtt_offset, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x62613938);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_GGTT, 4, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x66656463);
	CU_ASSERT(gsc_extent(s, GSC_GGTT, 0, &start, &length) && start == 0 && length == 8);
	gsc_source_close(s);
	snprintf(spec, sizeof(spec), "ggtt:%s@0x10", path);
	s = open_specs(specs, 1, "skl");
	CU_ASSERT_EQUAL(gsc_read(s, GSC_GGTT, 0x10, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, p.ggtt_offset + 0x1c, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x66656463);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x10, 4, &value), GSC_READ_ABSENT);
	gsc_source_close(s);
	s = open_specs(specs, 1, NULL);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, p.ggtt_offset + 0x1c, 4, &value), GSC_READ_ABSENT);
	gsc_source_close(s);
	drop_file(path);
}

/* A GGTT source given first overrides the BAR's upper part, in both spaces. */
static void ggtt_before_bar(void)
{
	struct gsc_platform p = platform_of("skl");
	char *bar = temporary_file("barbarba", 8), *ggtt = temporary_file("GGTT", 4);
	char one[96], two[96];
	const char *specs[] = { one, two };
	struct gsc_source *s;
	uint64_t value;

	snprintf(one, sizeof(one), "ggtt:%s", ggtt);
	snprintf(two, sizeof(two), "bar:%s@0x%llx", bar, (unsigned long long)p.ggtt_offset);
	s = open_specs(specs, 2, "skl");
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, p.ggtt_offset, 8, &value), GSC_READ_OK);
	CU_ASSERT(!memcmp(&value, "GGTTarba", 8));
	CU_ASSERT_EQUAL(gsc_read(s, GSC_GGTT, 0, 8, &value), GSC_READ_OK);
	CU_ASSERT(!memcmp(&value, "GGTTarba", 8));
	gsc_source_close(s);
	specs[0] = two;
	specs[1] = one;
	s = open_specs(specs, 2, "skl");
	CU_ASSERT_EQUAL(gsc_read(s, GSC_GGTT, 0, 8, &value), GSC_READ_OK);
	CU_ASSERT(!memcmp(&value, "barbarba", 8));
	gsc_source_close(s);
	drop_file(bar);
	drop_file(ggtt);
}

/* Statuses say why there is no value; a part that could not read an address does not hold it. */
static void statuses(void)
{
	static const char sleepy[] = "0x2000  asleep  A\n0x2004  0x00000007  B\n0x2008  denied  C\n"
				     "0x200c  absent  D\n0x2010  all-ones  E\n0x2014  skipped  F\n";
	static const char awake[] = "0x2000  0x00000001  A\n0x2004  0x00000002  B\n";
	char *a = temporary_file(sleepy, strlen(sleepy));
	char *b = temporary_file(awake, strlen(awake));
	const char *specs[] = { a, b };
	struct gsc_source *s = open_specs(specs, 1, NULL);
	uint64_t value = 5, start, length;

	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2000, 4, &value), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2000, 8, &value), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2004, 8, &value), GSC_READ_DENIED);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x200c, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2010, 4, &value), GSC_READ_ALL_ONES);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2014, 4, &value), GSC_READ_SKIPPED);
	CU_ASSERT_EQUAL(value, 5);
	CU_ASSERT(gsc_extent(s, GSC_MMIO, 0, &start, &length) && start == 0x2004 && length == 4);
	gsc_source_close(s);
	s = open_specs(specs, 2, NULL);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2000, 8, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, UINT64_C(0x0000000700000001));
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2008, 4, &value), GSC_READ_DENIED);
	gsc_source_close(s);
	drop_file(a);
	drop_file(b);
}

/* ---- specs and files that will not do ----------------------------------------------------- */

static void offsets(void)
{
	char folder[] = "/tmp/gpuscope-test-XXXXXX", path[128], spec[160];
	const char *specs[] = { spec };
	struct gsc_source *s;
	uint64_t value;
	FILE *f;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/dump@home", folder);
	f = fopen(path, "w");
	CU_ASSERT_PTR_NOT_NULL_FATAL(f);
	fputs("abcd", f);
	fclose(f);
	snprintf(spec, sizeof(spec), "lmem:%s", path);
	s = open_specs(specs, 1, NULL);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_LMEM, 0, 4, &value), GSC_READ_OK);
	CU_ASSERT_STRING_EQUAL(gsc_source_name(s, 0), spec);
	gsc_source_close(s);
	snprintf(spec, sizeof(spec), "lmem:%s@1M", path);
	s = open_specs(specs, 1, NULL);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_LMEM, 1 << 20, 4, &value), GSC_READ_OK);
	gsc_source_close(s);
	snprintf(spec, sizeof(spec), "lmem:%s@0xfffffffffffffffe", path);
	refuse_specs(specs, 1, NULL, GSC_USAGE, "64-bit");
	snprintf(spec, sizeof(spec), "lmem:%s@0x1q", path);
	refuse_specs(specs, 1, NULL, GSC_FAILED, "No such file");
	unlink(path);
	rmdir(folder);
}

static void bad_specs(void)
{
	refuse_spec("bar:", GSC_USAGE, "no file");
	refuse_spec("bar:@0x10", GSC_USAGE, "no file");
	refuse_spec("elf:", GSC_USAGE, "no file");
	refuse_spec("config:", GSC_USAGE, "no file");
	refuse_spec("demo:no-such", GSC_UNKNOWN, "no such demo");
	refuse_spec("/no/such/file", GSC_FAILED, "No such file");
	refuse_spec("mem:/no/such/file@0", GSC_FAILED, "No such file");
	refuse_spec("nonsense:x", GSC_FAILED, "No such file");
}

static void bad_files(void)
{
	char *empty = temporary_file("", 0), *junk = temporary_file("\0\1\2\3junk", 8);
	char *text = temporary_file("dear reader,\nnothing to see\n", 28);
	char *elf = temporary_file("\177ELF\2\1\1\0", 8);
	char spec[64];

	refuse_spec("/tmp", GSC_FAILED, "a directory");
	refuse_spec("bar:/tmp", GSC_FAILED, "a directory");
	refuse_spec("/dev/zero", GSC_FAILED, "device node");
	refuse_spec(empty, GSC_FAILED, "empty");
	snprintf(spec, sizeof(spec), "bar:%s", empty);
	refuse_spec(spec, GSC_FAILED, "empty");
	refuse_spec(junk, GSC_FAILED, "not recognised");
	refuse_spec(text, GSC_FAILED, "not recognised");
	refuse_spec(text, GSC_FAILED, "gpu-fault --dmesg ");
	refuse_spec(elf, GSC_FAILED, "elf:");
	snprintf(spec, sizeof(spec), "elf:%s", junk);
	refuse_spec(spec, GSC_FAILED, "not an ELF file");
	drop_file(empty);
	drop_file(junk);
	drop_file(text);
	drop_file(elf);
}

static void unreadable_file(void)
{
	char *path = temporary_file("0x2000 1\n", 9);
	uid_t user = geteuid();

	chmod(path, 0);
	if (user || !seteuid(65534)) {
		refuse_spec(path, GSC_DENIED, "Permission denied");
		CU_ASSERT_EQUAL(seteuid(user), 0);
	}
	drop_file(path);
}

static void standard_input(void)
{
	char *path = temporary_file("0x2000 0x15\n", 12);
	const char *specs[] = { "-", "mem:-@0x10" };
	int saved = dup(STDIN_FILENO);
	struct gsc_source *s;
	uint64_t value;

	CU_ASSERT_PTR_NOT_NULL_FATAL(freopen(path, "r", stdin));
	s = open_specs(specs, 1, NULL);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2000, 4, &value), GSC_READ_OK);
	CU_ASSERT_EQUAL(value, 0x15);
	gsc_source_close(s);
	refuse_specs(specs, 2, NULL, GSC_USAGE, "once");
	refuse_specs(specs, 1, NULL, GSC_FAILED, "empty");
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	}
	drop_file(path);
}

/* ---- identity ----------------------------------------------------------------------------- */

static const char skl_text[] = "# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06\n"
			       "0x2030  0x00000001  A\n";
static const char snb_text[] = "# gpu-regdump 1.0 platform snb\n0x2034  0x00000002  B\n";

static void platforms(void)
{
	char *skl = temporary_file(skl_text, strlen(skl_text));
	char *snb = temporary_file(snb_text, strlen(snb_text));
	const char *specs[] = { skl, snb, "none" };
	int skl_index = (int)platform_of("skl").index, snb_index = (int)platform_of("snb").index;
	struct gsc_source *s = open_specs(specs, 1, NULL);

	CU_ASSERT_EQUAL(gsc_source_platform(s), skl_index);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 6);
	gsc_source_close(s);
	refuse_specs(specs, 2, NULL, GSC_USAGE, "-p");
	s = open_specs(specs, 2, "snb");
	CU_ASSERT_EQUAL(gsc_source_platform(s), snb_index);
	CU_ASSERT_EQUAL(gsc_source_device(s), -1);
	CU_ASSERT_EQUAL(gsc_source_revision(s), -1);
	gsc_source_close(s);
	s = open_specs(specs, 2, "0x1916");
	CU_ASSERT_EQUAL(gsc_source_platform(s), skl_index);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x1916);
	gsc_source_close(s);
	s = open_specs(specs + 2, 1, "skl");
	CU_ASSERT_EQUAL(gsc_source_platform(s), skl_index);
	CU_ASSERT_EQUAL(gsc_source_device(s), -1);
	CU_ASSERT_STRING_EQUAL(gsc_source_name(s, 0), "none");
	gsc_source_close(s);
	refuse_specs(specs, 1, "vax", GSC_UNKNOWN, "");
	drop_file(skl);
	drop_file(snb);
}

static void unknown_identity(void)
{
	static const char vax[] = "# gpu-regdump 1.0 platform vax\n0x2034  0x00000002  B\n";
	uint8_t config[64] = { 0x86, 0x80, 0xfe, 0xff, [8] = 3 };
	char *text = temporary_file(vax, strlen(vax)), *bytes = temporary_file(config, 64);
	struct gsc_source *s = open_spec("%s", text, NULL);

	CU_ASSERT_EQUAL(gsc_source_platform(s), -1);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "vax"));
	gsc_source_close(s);
	s = open_spec("config:%s", bytes, NULL);
	CU_ASSERT_EQUAL(gsc_source_platform(s), -1);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0xfffe);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 3);
	gsc_source_close(s);
	s = open_spec("config:%s", bytes, "skl");
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("skl").index);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0xfffe);
	gsc_source_close(s);
	drop_file(text);
	drop_file(bytes);
}

static void demos(void)
{
	struct gsc_demo demo;
	char spec[80];
	size_t count = 0;

	for (; gsc_demo_at(count, &demo); count++) {
		const char *specs[] = { spec };
		struct gsc_source *s;

		snprintf(spec, sizeof(spec), "demo:%s", demo.name);
		s = open_specs(specs, 1, NULL);
		CU_ASSERT(gsc_source_platform(s) >= 0);
		CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
		gsc_source_close(s);
	}
	CU_ASSERT(!gsc_demo_at(count, &demo));
	CU_ASSERT(!gsc_demo_at(SIZE_MAX, &demo));
}

/* What may be compressed, or contain something compressed, whatever was done to it on its way. */
static void libraries(void)
{
	static const struct {
		const char *text;
		size_t size;
		unsigned libraries;
	} rows[] = {
#define ROW(text, libraries) { text, sizeof(text) - 1, libraries }
		ROW("", 0),
		ROW(":", 0),
		ROW("GPU HANG: ecode 9:1:85dffffb, in game [1981]\nKernel: 6.1\n", 0),
		ROW("\x1f\x8b\x08\x00zzzz", GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD),
		ROW("\x28\xb5\x2f\xfdzzzz", GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD),
		ROW("KDUMP   \6\0\0\0zzzz", GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD),
		ROW("makedumpfile\0\0\0\0", GSC_LIBRARY_ZLIB | GSC_LIBRARY_ZSTD),
		ROW("rcs0 --- gtt_offset = 0x0\n:GmkC6nH9?[}o_\n", GSC_LIBRARY_ZLIB),
		ROW("> \x1b[31m:GmkC6nH9?[}o_", GSC_LIBRARY_ZLIB),
		ROW("{\"text\": \"a\\n:GmkC6nH9?[}o_\"}", GSC_LIBRARY_ZLIB),
		ROW("\xff\xfe:\0G\0m\0k\0", GSC_LIBRARY_ZLIB),
		ROW("Content-Transfer-Encoding: base64\n\nR1BVIEhBTkc=\n", GSC_LIBRARY_ZLIB),
#undef ROW
	};
	uint8_t archive[2048] = "member";

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		CU_ASSERT_EQUAL(gsc_libraries_wanted(rows[i].text, rows[i].size),
				rows[i].libraries);
	CU_ASSERT_EQUAL(gsc_libraries_wanted(archive, sizeof(archive)), 0);
	memcpy(archive + 512, "\x1f\x8b\x08\x00", 4);
	CU_ASSERT(gsc_libraries_wanted(archive, sizeof(archive)) & GSC_LIBRARY_ZSTD);
}

SUITE(source,
	{ "words", words },
	{ "pieces against a model", pieces_against_model },
	{ "pieces join", pieces_join },
	{ "pieces in files", pieces_in_files },
	{ "reads", reads },
	{ "the first given wins", first_wins },
	{ "BAR and GGTT", bar_and_ggtt },
	{ "GGTT before BAR", ggtt_before_bar },
	{ "statuses", statuses },
	{ "offsets", offsets },
	{ "bad specs", bad_specs },
	{ "bad files", bad_files },
	{ "unreadable file", unreadable_file },
	{ "standard input", standard_input },
	{ "platforms", platforms },
	{ "unknown identity", unknown_identity },
	{ "demos", demos },
	{ "libraries", libraries })
