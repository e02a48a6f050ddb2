/* SPDX-License-Identifier: MIT */
/* Saving: which pages were read, tar, compression, what redaction keeps, traces and back. */
#include "aub-helpers.h"
#include "save/pack.h"
#include "save/save.h"
#include "gpu-for.h"
#include "save/saving.h"
#include "source-helpers.h"
#include "test.h"
#include "util/tar.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

typedef VEC(uint8_t) byte_vec;

static bool collect(void *context, const void *data, size_t size)
{
	byte_vec *bytes = context;

	if (!vec_reserve(bytes, size))
		return false;
	memcpy(bytes->items + bytes->count, data, size);
	bytes->count += size;
	return true;
}

/* ---- record.c ------------------------------------------------------------------------------- */

static void pages(void)
{
	struct record record = { 0 };
	memory_vec found = { 0 };

	record_note(&record, GSC_PHYS, 0x5ffc, 8);	/* two pages */
	record_note(&record, GSC_PHYS, 0x4000, 4);
	record_note(&record, GSC_PHYS, 0x4008, 4);
	record_note(&record, GSC_PHYS, 0x9000, 4);
	record_note(&record, GSC_LMEM, 0x7000, 4);
	record_note(&record, GSC_MMIO, 0x8000, 4);
	record_note(&record, GSC_PHYS, 0x20000, 0);
	record.paused = true;
	record_note(&record, GSC_PHYS, 0x30000, 4);
	CU_ASSERT_EQUAL(record.count, 5);
	CU_ASSERT(record_stretches(&record, GSC_PHYS, &found));
	CU_ASSERT_EQUAL_FATAL(found.count, 2);
	CU_ASSERT_EQUAL(found.items[0].start, 0x4000);
	CU_ASSERT_EQUAL(found.items[0].length, 0x3000);
	CU_ASSERT_EQUAL(found.items[1].start, 0x9000);
	CU_ASSERT_EQUAL(found.items[1].length, 0x1000);
	found.count = 0;
	CU_ASSERT(record_stretches(&record, GSC_LMEM, &found));
	CU_ASSERT_EQUAL_FATAL(found.count, 1);
	CU_ASSERT_EQUAL(found.items[0].start, 0x7000);
	vec_free(&found);
	record_free(&record);
}

/* Far more than it begins with, in no order, each twice; and no more than it may. */
static void many_pages(void)
{
	struct record record = { 0 };
	memory_vec found = { 0 };

	for (uint64_t i = 0; i < 40000; i++)
		record_note(&record, GSC_PHYS, i * 7919 % 20000 * 2 * RECORD_PAGE, 4);
	CU_ASSERT_EQUAL(record.count, 20000);
	CU_ASSERT_EQUAL(record.over, 0);
	CU_ASSERT(record_stretches(&record, GSC_PHYS, &found));
	CU_ASSERT_EQUAL(found.count, 20000);
	for (size_t i = 0; i < found.count; i++)
		if (found.items[i].start != i * 2 * RECORD_PAGE)
			CU_FAIL("not in order");
	vec_free(&found);
	record_free(&record);

	record.most = 3;
	for (uint64_t i = 0; i < 5; i++)
		record_note(&record, GSC_PHYS, i * RECORD_PAGE, 4);
	record_note(&record, GSC_PHYS, 0, 4);
	CU_ASSERT_EQUAL(record.count, 3);
	CU_ASSERT_EQUAL(record.over, 2);
	record_free(&record);
}

/* ---- tar.c ---------------------------------------------------------------------------------- */

/* Names of every length, with and without a slash where one is needed. */
static void long_names(void)
{
	byte_vec bytes = { 0 };
	struct tar_writer writer = { .write = collect, .context = &bytes };
	struct tar_reader reader = { 0 };
	struct tar_member member;
	char name[256];

	for (size_t length = 90; length <= 255; length++)
		for (size_t slash = 0; slash < 3; slash++) {
			memset(name, 'a' + (int)slash, length);
			name[length] = 0;
			name[slash ? length / 2 * slash - 1 : 0] = slash ? '/' : 'x';
			CU_ASSERT(tar_member_begin(&writer, name, 3));
			CU_ASSERT(tar_member_data(&writer, "abc", 3));
		}
	CU_ASSERT(tar_end(&writer));
	reader.data = bytes.items;
	reader.size = bytes.count;
	for (size_t length = 90; length <= 255; length++)
		for (size_t slash = 0; slash < 3; slash++) {
			memset(name, 'a' + (int)slash, length);
			name[length] = 0;
			name[slash ? length / 2 * slash - 1 : 0] = slash ? '/' : 'x';
			CU_ASSERT_EQUAL_FATAL(tar_next(&reader, &member), TAR_MEMBER);
			CU_ASSERT_STRING_EQUAL(member.name, name);
			CU_ASSERT_EQUAL(member.held, 3);
			CU_ASSERT(!memcmp(member.data, "abc", 3));
		}
	CU_ASSERT_EQUAL(tar_next(&reader, &member), TAR_END);
	vec_free(&bytes);
}

/* ---- pack.c --------------------------------------------------------------------------------- */

static void packed(void)
{
	static const enum gsc_packing all[] = { GSC_PACK_NONE, GSC_PACK_GZIP, GSC_PACK_ZSTD,
						GSC_PACK_BEST };
	static const uint64_t zeros[] = { 1, 5000, 13000777, 4u << 20, 0 };
	static uint8_t data[300000], none[300000];
	uint32_t seed = 1;

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = i % 3 ? (uint8_t)next_random(&seed) : 0;
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		byte_vec bytes = { 0 };
		struct packer *packer = packer_new(all[i], collect, NULL, &bytes, NULL);
		size_t whole = sizeof(data), place = sizeof(data);
		struct blob blob;

		if (!packer)
			continue;	/* this build has no such library */
		for (size_t at = 0, size = 1; at < sizeof(data); at += size, size *= 5) {
			size = MIN(size, sizeof(data) - at);
			CU_ASSERT(packer_write(packer, data + at, size));
		}
		for (size_t k = 0; k < ARRAY_SIZE(zeros); k++) {
			CU_ASSERT(packer_zeros(packer, zeros[k]));
			CU_ASSERT(packer_write(packer, none, sizeof(none)));
			CU_ASSERT(packer_zeros(packer, zeros[k]));
			CU_ASSERT(packer_write(packer, data, k + 1));
			whole += sizeof(none) + 2 * zeros[k] + k + 1;
		}
		CU_ASSERT(packer_zeros(packer, sizeof(none)));
		whole += sizeof(none);
		CU_ASSERT(packer_end(packer));
		packer_free(packer);
		CU_ASSERT_EQUAL(blob_from_memory(&blob, "packed", bytes.items, bytes.count,
					 blob_accept_any, NULL, NULL),
				GSC_OK);
		CU_ASSERT_EQUAL_FATAL(blob.size, whole);
		CU_ASSERT(!memcmp(blob.data, data, sizeof(data)));
		for (size_t k = 0; k < ARRAY_SIZE(zeros); k++) {
			CU_ASSERT(bytes_are_zero(blob.data + place, sizeof(none) + 2 * zeros[k]));
			place += sizeof(none) + 2 * zeros[k];
			CU_ASSERT(!memcmp(blob.data + place, data, k + 1));
			place += k + 1;
		}
		CU_ASSERT(bytes_are_zero(blob.data + place, sizeof(none)));
		CU_ASSERT_PTR_NULL(blob.damage);
		blob_close(&blob);
		vec_free(&bytes);
	}
}

/* ---- redact.c ------------------------------------------------------------------------------- */

static void redacted(void)
{
	static const struct {
		const char *line, *left;	/* NULL: nothing */
	} lines[] = {
		{ "GPU HANG: ecode 9:1:0x85dffffb, in alice [1981]",
		  "GPU HANG: ecode 9:1:0x85dffffb" },
		{ "Kernel: 5.15.0-alice x86_64", "Kernel: redacted" },
		{ "  ACTHD: 0x00000000 0000003c", "  ACTHD: 0x00000000 0000003c" },
		{ "Platform: TIGERLAKE", "Platform: TIGERLAKE" },
		{ "slice0: 6 subslices, mask=0000003f", "slice0: 6 subslices, mask=0000003f" },
		{ "version: wanted 62.0, found 0.0", "version: wanted 62.0, found 0.0" },
		{ "uCode: 0 bytes", "uCode: 0 bytes" },
		{ "Boottime: 5338 s 908448 us", "Boottime: 5338 s 908448 us" },
		{ "**** GuC CT ****", "**** GuC CT ****" },
		{ "Time: 1676494673 s 616282 us", NULL },
		{ "PCI Subsystem: 8086:9a49", NULL },
		{ "Snapshot time: 1745345.454", NULL },
		{ "  00042000     4096 0041 0000 P uncached (name: 1)", NULL },
		{ "Active process (on ring rcs0): alice [1981]", NULL },
		{ "  Active context: alice[1981] prio 0, guilty 1 active 0", NULL },
		{ "GuC firmware: /lib/firmware/alice.bin", NULL },
		{ "Process: alice", NULL },
		{ "i915.modeset=-1", NULL },
		{ "rcs0 --- ring = 0x00000000 00008000", NULL },
		{ ":secretbytesAAAAbbbbCCCC", NULL },
		{ "--- gtt_offset = 0x02010000", NULL },
		{ "00000000 :  5ec4e751", NULL },
		{ "00000004:   5ec4e751", NULL },
		{ "0x00012008:      0x5ec4e751:    start instance", NULL },
		{ "alice was here", NULL },
	};
	capture_text in = { 0 }, out = { 0 }, want = { 0 };
	char last[64];
	size_t gone = 0;

	for (size_t i = 0; i < ARRAY_SIZE(lines); i++) {
		CU_ASSERT_FATAL(collect(&in, lines[i].line, strlen(lines[i].line)));
		CU_ASSERT_FATAL(collect(&in, "\n", 1));
		if (!lines[i].left) {
			gone++;
			continue;
		}
		CU_ASSERT_FATAL(collect(&want, lines[i].left, strlen(lines[i].left)));
		CU_ASSERT_FATAL(collect(&want, "\n", 1));
	}
	snprintf(last, sizeof(last), "Redacted: %zu lines left out\n", gone);
	CU_ASSERT_FATAL(collect(&want, last, strlen(last) + 1));
	CU_ASSERT(redact_dump((const uint8_t *)in.items, in.count, &out));
	CU_ASSERT_FATAL(collect(&out, "", 1));
	CU_ASSERT_STRING_EQUAL(out.items, want.items);
	vec_free(&in);
	vec_free(&out);
	vec_free(&want);
}

/* ---- aub.c ---------------------------------------------------------------------------------- */

/* As a trace, which is opened instead of the source. */
static struct gsc_source *traced(struct gsc_source *source, enum gsc_status status, const char *why)
{
	struct gsc_view *view = view_of(source);
	char *path = temporary_file("", 0);
	int fd = open(path, O_WRONLY);
	struct gsc_error err = { 0 };
	struct gsc_source *trace;

	CU_ASSERT_FATAL(fd >= 0);
	CU_ASSERT_EQUAL(gsc_save_trace(gpu_for(source, view), fd, &err), status);
	if (!strstr(err.why, why))
		CU_FAIL(err.why);
	close(fd);
	gsc_view_free(view);
	gsc_source_close(source);
	trace = open_spec("%s", path, NULL);
	drop_file(path);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(trace, 0), "AUB trace");
	CU_ASSERT_EQUAL(gsc_source_note_count(trace), 0);
	return trace;
}

struct held_word {
	enum gsc_space space;
	uint64_t address;
	uint32_t value;
};

typedef VEC(struct held_word) held_vec;

static void take_words(struct gsc_source *source, enum gsc_space space, uint64_t end,
		       held_vec *words)
{
	uint64_t start, length, value;

	for (uint64_t at = 0; at < end && gsc_extent(source, space, at, &start, &length);
	     at = start + length)
		for (uint64_t k = start; k + 4 <= start + length && k < end; k += 4) {
			struct held_word *word = vec_add(words);

			CU_ASSERT_FATAL(word && !gsc_read(source, space, k, 4, &value));
			*word = (struct held_word){ space, k, (uint32_t)value };
		}
}

static bool still_held(struct gsc_source *source, const struct held_word *word)
{
	uint64_t value;

	return !gsc_read(source, word->space, word->address, 4, &value) && value == word->value;
}

/* Entries, memory and registers; of contexts and rings only what makes them begin elsewhere. */
static void demo_as_trace(const char *demo, const char *why)
{
	struct gsc_source *source = open_spec("%s", demo, NULL);
	held_vec words = { 0 };
	size_t others = 0;

	take_words(source, GSC_GGTT, UINT64_MAX, &words);
	take_words(source, GSC_PHYS, UINT64_MAX, &words);
	take_words(source, GSC_MMIO, 0x200000, &words);
	CU_ASSERT(words.count > 1000);
	source = traced(source, GSC_PARTIAL, why);
	for (size_t i = 0; i < words.count; i++)
		others += !still_held(source, &words.items[i]);
	CU_ASSERT(others <= 32);
	CU_ASSERT(submissions_of(source) > 0);
	vec_free(&words);
	gsc_source_close(source);
}

static void demos_as_traces(void)
{
	demo_as_trace("demo:snb-hang", "of ggtt were not read: they are zero in the trace");
	demo_as_trace("demo:skl-hang", "24576 bytes of registers could not be read");
	demo_as_trace("demo:icl-trtt", "256 of config cannot be stored in a trace");
}

static struct gsc_source *error_state(unsigned head, unsigned tail, unsigned acthd)
{
	static const uint32_t ring[] = { 0x18800080, 0x10000, 0, 0x02000000, 0, 0, 0x02000001, 0 };
	struct gsc_source *source;
	char text[1200], *path;
	int used = snprintf(text, sizeof(text), "GPU HANG: ecode 6:1:0x0\nPCI ID: 0x0126\n"
			    "EIR: 0x00000000\nrender ring command stream:\n"
			    "  START: 0x00008000\n  HEAD: 0x%08x\n  TAIL: 0x%08x\n"
			    "  ACTHD: 0x%08x\nrender ring --- ringbuffer = 0x00008000\n",
			    head, tail, acthd);

	for (unsigned i = 0; i < ARRAY_SIZE(ring); i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, "%08x :  %08x\n", i * 4,
				 ring[i]);
	path = temporary_file(text, (size_t)used);
	source = open_spec("%s", path, NULL);
	drop_file(path);
	return source;
}

static void expect_ring(struct gsc_source *source, size_t i, uint64_t address, uint64_t bytes)
{
	struct aub_submission submission = submission_at(source, i);

	CU_ASSERT_EQUAL(submission.way, AUB_COMMANDS);
	CU_ASSERT_EQUAL(submission.ring, address);
	CU_ASSERT_EQUAL(submission.ring_bytes, bytes);
}

/* A ring known only by its bytes: at the running batch, and across its end. */
static void rings_as_traces(void)
{
	struct gsc_source *s = traced(error_state(8, 16, 0x10010), GSC_PARTIAL, "");

	CU_ASSERT_EQUAL(submissions_of(s), 1);
	expect_ring(s, 0, 0x8000, 16);
	gsc_source_close(s);

	s = traced(error_state(8, 16, 0x800c), GSC_PARTIAL, "");
	CU_ASSERT_EQUAL(submissions_of(s), 1);
	expect_ring(s, 0, 0x8008, 8);
	gsc_source_close(s);

	s = traced(error_state(0x18, 0x10, 0x8018), GSC_PARTIAL, "");
	CU_ASSERT_EQUAL(submissions_of(s), 2);
	expect_ring(s, 0, 0x8018, 8);
	expect_ring(s, 1, 0x8000, 0x10);
	gsc_source_close(s);

	s = traced(error_state(0x18, 0x10, 0x10010), GSC_PARTIAL, "");
	expect_ring(s, 0, 0x8000, 0x10);
	gsc_source_close(s);

	s = traced(error_state(0x1000, 0x10, 0x8018), GSC_PARTIAL,
		   "1 ring has its HEAD or TAIL outside the memory in the source");
	CU_ASSERT_EQUAL(submissions_of(s), 0);
	gsc_source_close(s);
}

/* Undefined registers, and an unknown id. */
static void registers_as_traces(void)
{
	static const char text[] = "0x7f0004 0x77\n0x58ff4 0x5\n";
	char *path = temporary_file(text, sizeof(text) - 1);
	struct gsc_source *s = open_spec("%s", path, "skl");

	drop_file(path);
	s = traced(s, GSC_PARTIAL, "the device id is unknown: the trace has 0x");
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x7f0004, 4), 0x77);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x58ff4, 4), 5);
	gsc_source_close(s);
}

/* Even what would only be gathered is refused after a failure. */
static void full_disk(void)
{
	static struct outlet outlet;
	static const uint8_t block[sizeof(outlet.buffer)];

	outlet.fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
	CU_ASSERT_FALSE(outlet_write(&outlet, block, sizeof(block)));
	CU_ASSERT_EQUAL(outlet.error, ENOSPC);
	CU_ASSERT_FALSE(outlet_write(&outlet, block, 1));
	CU_ASSERT_FALSE(outlet_zeros(&outlet, 1));
	CU_ASSERT_FALSE(outlet_flush(&outlet));
	CU_ASSERT_EQUAL(outlet.error, ENOSPC);
	close(outlet.fd);
}

SUITE(save, { "pages that were read", pages }, { "many pages", many_pages },
      { "names in archives", long_names }, { "packed and unpacked", packed },
      { "a full disk", full_disk },
      { "redacted dumps", redacted }, { "demos as traces", demos_as_traces },
      { "rings as traces", rings_as_traces }, { "registers as traces", registers_as_traces })
