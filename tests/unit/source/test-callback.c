/* SPDX-License-Identifier: MIT */
/*
 * Sources that a function of the caller reads. It answers from a built-in capture, so that all that
 * the library finds through it can be compared with what it finds in the capture itself; or from a
 * few bytes, so that each call can be counted and refused.
 */
#include "findings.h"
#include "gtt/map.h"
#include "gtt/root.h"
#include "gtt/walk.h"
#include "open/open.h"
#include "save/save.h"
#include "source-helpers.h"
#include "source/part.h"
#include "source/source.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
#define REGISTERS (1u << GSC_MMIO | 1u << GSC_CONFIG)
#define TABLES (1u << GSC_GGTT | 1u << GSC_PHYS)

/* ---- machines ------------------------------------------------------------------------------- */

#define ASKED 64

/* What the callback answers from, and what it was asked. */
struct machine {
	struct gsc_source *behind;	/* a capture, or NULL */
	enum gsc_space space;		/* without one: of these bytes */
	const uint8_t *bytes;
	uint64_t start, length;
	size_t calls, fail_from, fail_to;	/* calls of these numbers are refused */
	enum gsc_read failure;
	size_t widest;			/* accesses of more bytes are refused; 0: of any number */
	struct gsc_source *again;	/* is read during a call, and rests */
	bool uneven;			/* a register was read in a way that hardware cannot */
	bool beyond;			/* memory was read across more than a few pages */
	struct {
		enum gsc_space space;
		uint64_t address;
		size_t size;
	} asked[ASKED];			/* the first of them */
};

static enum gsc_read read_behind(const struct machine *m, enum gsc_space space, uint64_t address,
				 uint8_t *buf, size_t size)
{
	uint64_t value;

	for (size_t done = 0, width; done < size; done += width) {
		enum gsc_read status;

		width = MIN(size - done, (size_t)8);
		status = gsc_read(m->behind, space, address + done, (unsigned)width, &value);
		if (status)
			return status;
		memcpy(buf + done, &value, width);
	}
	return GSC_READ_OK;
}

static enum gsc_read answer(void *context, enum gsc_space space, uint64_t address, void *buf,
			    size_t size)
{
	struct machine *m = context;
	size_t call = m->calls++;

	if (call < ASKED) {
		m->asked[call].space = space;
		m->asked[call].address = address;
		m->asked[call].size = size;
	}
	if (space_has_registers(space))
		m->uneven |= (size != 1 && size != 2 && size != 4 && size != 8) || address % size;
	else
		m->beyond |= size > 16 * PAGE || (size > PAGE && (address % PAGE || size % PAGE)) ||
			     address % PAGE + size > MAX(size, PAGE);
	if (m->again) {
		struct gsc_source *again = m->again;
		uint64_t value;

		m->again = NULL;
		gsc_read(again, space, address ^ PAGE, 8, &value);
		gsc_source_rest(again);
		m->again = again;
	}
	/* What a failed read leaves behind is nobody's value. */
	memset(buf, 0xa5, size);
	if (call >= m->fail_from && call < m->fail_to)
		return m->failure;
	if (m->widest && size > m->widest)
		return GSC_READ_ABSENT;
	if (m->behind)
		return read_behind(m, space, address, buf, size);
	if (space != m->space || address < m->start || address - m->start >= m->length ||
	    size > m->length - (address - m->start))
		return GSC_READ_ABSENT;
	memcpy(buf, m->bytes + (address - m->start), size);
	return GSC_READ_OK;
}

static struct gsc_source *open_machine(struct machine *m, uint32_t spaces,
				       const struct gsc_piece *extents, size_t count,
				       const char *platform)
{
	const struct gsc_callbacks callbacks = { .read = answer, .context = m, .spaces = spaces,
						 .extents = extents, .extent_count = count,
						 .harmless = true };
	const struct gsc_input input = { .spec = "a debugger", .callbacks = &callbacks };

	return open_inputs(&input, 1, platform);
}

static void refuse_callbacks(const struct gsc_callbacks *callbacks, const char *why)
{
	const struct gsc_input input = { .spec = "a debugger", .callbacks = callbacks };
	struct gsc_source *source;
	struct gsc_error err;

	CU_ASSERT_EQUAL(try_inputs(&source, &input, 1, "skl", &err), GSC_USAGE);
	CU_ASSERT_PTR_NULL(source);
	CU_ASSERT_STRING_EQUAL(err.what, "a debugger");
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, why));
}

/* ---- the same as a capture ------------------------------------------------------------------ */

#define EXTENTS 4096

static size_t extents_of(struct gsc_source *source, struct gsc_piece *extents)
{
	static const enum gsc_space spaces[] = { GSC_GGTT, GSC_PHYS, GSC_LMEM };
	size_t count = 0;

	for (size_t i = 0; i < ARRAY_SIZE(spaces); i++) {
		uint64_t from = 0, start, length;

		for (; count < EXTENTS && gsc_extent(source, spaces[i], from, &start, &length);
		     from = start + length)
			extents[count++] = (struct gsc_piece){ spaces[i], GSC_READ_OK, start,
							       length };
	}
	CU_ASSERT_TRUE(count && count < EXTENTS);
	return count;
}

static void test_same(void)
{
	static const char *const demos[] = { "demo:skl-hang", "demo:snb-hang", "demo:icl-trtt" };
	static struct gsc_piece extents[EXTENTS];

	for (size_t i = 0; i < 2 * ARRAY_SIZE(demos); i++) {
		bool whole = i % 2;
		struct machine m = { .behind = open_specs(&demos[i / 2], 1, NULL) };
		struct found expected = find_all(m.behind), found;
		size_t count = whole ? extents_of(m.behind, extents) : 0;
		/* The platform and the revision are in the config space. */
		struct gsc_source *source = open_machine(&m, REGISTERS | TABLES | 1u << GSC_LMEM,
							 extents, count, NULL);

		CU_ASSERT_EQUAL(gsc_source_platform(source), gsc_source_platform(m.behind));
		CU_ASSERT_EQUAL(gsc_source_revision(source), gsc_source_revision(m.behind));
		CU_ASSERT_EQUAL(gsc_source_form(source, 0), GSC_SOURCE_CALLBACKS);
		CU_ASSERT_FALSE(gsc_source_live(source));
		found = find_all(source);
		check_same(&found, &expected, whole);
		CU_ASSERT_FALSE(m.uneven || m.beyond);
		gsc_source_close(source);
		gsc_source_close(m.behind);
	}
}

/* ---- failures ------------------------------------------------------------------------------- */

/* Each call fails in turn: what is found then is less, or the same, but never something else. */
static void test_failures(void)
{
	static const char *const demo[] = { "demo:skl-hang" };
	struct machine m = { .behind = open_specs(demo, 1, NULL) };
	struct gsc_translation_options options = { 0 };
	struct gsc_translation *translation;
	struct gsc_walk whole = { .mapped = false }, walk;
	struct gsc_source *source;
	struct gsc_error err;
	struct gsc_gpu *gpu;
	uint32_t word, words = 0;
	size_t calls = 1;

	for (size_t n = 0; n <= calls; n++) {
		enum gsc_read failure = n % 3 ? GSC_READ_ABSENT : (enum gsc_read)(n % 9 + 2);

		m.calls = 0;
		/* The first time nothing fails. */
		m.fail_from = n ? n - 1 : SIZE_MAX;
		m.fail_to = n ? n : SIZE_MAX;
		m.failure = failure;
		source = open_machine(&m, REGISTERS | TABLES, NULL, 0, "skl");
		CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
		if (!gsc_root_engine(gpu, "rcs0", &options.root, &err)) {
			CU_ASSERT_EQUAL_FATAL(gsc_translation_new(&translation, gpu, &options,
								  &err), GSC_OK);
			gsc_walk(translation, UINT64_C(0x7a1105000000), GSC_INTENT_READ, &walk);
			if (!n)
				whole = walk;
			CU_ASSERT_TRUE(walk.mapped ? walk.physical == whole.physical
						   : walk.stop == GSC_STOP_NO_MEMORY);
			if (gsc_translated_read(translation, UINT64_C(0x7a1105000000), &word, 4)) {
				words = n ? words : word;
				CU_ASSERT_EQUAL(word, words);
			}
			gsc_translation_free(translation);
		} else {
			CU_ASSERT_NOT_EQUAL(n, 0);
		}
		calls = n ? calls : m.calls;
		gsc_gpu_close(gpu);
		gsc_source_close(source);
	}
	CU_ASSERT_TRUE(whole.mapped && words);
	/* All that comes after some call fails, wherever an analysis is then. */
	for (size_t n = 1, step = 1; n < 4000; n += step, step += 7) {
		m.calls = 0;
		m.fail_from = n;
		m.fail_to = SIZE_MAX;
		m.failure = (enum gsc_read)(step % (GSC_READS + 2) + 1);
		source = open_machine(&m, REGISTERS | TABLES, NULL, 0, "skl");
		find_all(source);
		CU_ASSERT_TRUE(m.calls > n);
		gsc_source_close(source);
	}
	gsc_source_close(m.behind);
}

/* ---- pages ---------------------------------------------------------------------------------- */

/* Bytes that come in blocks, and, where there are none, one by one. */
static size_t gather(struct gsc_source *source, uint64_t address, uint8_t *buf, size_t size)
{
	size_t done = 0;
	uint64_t value;

	while (done < size) {
		size_t got = source_block(source, GSC_PHYS, address + done, buf + done,
					  size - done);

		if (!got && !gsc_read(source, GSC_PHYS, address + done, 1, &value)) {
			buf[done] = (uint8_t)value;
			got = 1;
		}
		if (!got)
			break;
		done += got;
	}
	return done;
}

static void test_pages(void)
{
	uint8_t *bytes = pattern(64 * PAGE), *copy = malloc(64 * PAGE);
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .start = 0x10000000,
			     .length = 64 * PAGE };
	struct gsc_source *source = open_machine(&m, 1u << GSC_PHYS, NULL, 0, "skl");
	uint64_t value;

	CU_ASSERT_PTR_NOT_NULL_FATAL(copy);
	/* A page is read once, until it may have changed. */
	for (unsigned at = 0; at < PAGE; at += 8)
		CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, m.start + at, 8),
				load_le(bytes + at, 8));
	CU_ASSERT_EQUAL(m.calls, 1);
	CU_ASSERT_EQUAL(m.asked[0].address, m.start);
	CU_ASSERT_EQUAL(m.asked[0].size, PAGE);
	bytes[0] ^= 0xff;
	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, m.start, 1), bytes[0] ^ 0xff);
	gsc_source_rest(source);
	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, m.start, 1), bytes[0]);
	CU_ASSERT_EQUAL(m.calls, 2);

	/* Much comes in larger pieces. */
	m.calls = 0;
	CU_ASSERT_EQUAL(gather(source, m.start + PAGE, copy, 48 * PAGE), 48 * PAGE);
	CU_ASSERT_EQUAL(memcmp(copy, bytes + PAGE, 48 * PAGE), 0);
	CU_ASSERT_EQUAL(m.calls, 3);
	/* And as far as it exists. */
	CU_ASSERT_EQUAL(gather(source, m.start + 50 * PAGE + 16, copy, 40 * PAGE),
			14 * PAGE - 16);
	CU_ASSERT_EQUAL(memcmp(copy, bytes + 50 * PAGE + 16, 14 * PAGE - 16), 0);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, m.start + m.length, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, m.start - 4, 4), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, UINT64_MAX - 7, 8), GSC_READ_ABSENT);
	/* A failed read leaves the value. */
	value = 0x1234;
	CU_ASSERT_EQUAL(gsc_read(source, GSC_PHYS, 0, 8, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(value, 0x1234);
	CU_ASSERT_FALSE(m.beyond);

	/* What is absent stays so as long; what is asleep may wake. */
	gsc_source_rest(source);
	m.calls = 0;
	m.fail_to = SIZE_MAX;
	m.failure = GSC_READ_ASLEEP;
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, m.start, 8), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(m.calls, 1);
	m.failure = GSC_READ_ABSENT;
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, m.start, 8), GSC_READ_ABSENT);
	m.fail_to = 0;
	CU_ASSERT_EQUAL(gather(source, m.start, copy, PAGE), PAGE);
	CU_ASSERT_EQUAL(memcmp(copy, bytes, PAGE), 0);
	/* Only the part that was wanted, in two steps. */
	CU_ASSERT_EQUAL(m.calls, 5);
	gsc_source_rest(source);
	m.calls = 0;
	CU_ASSERT_EQUAL(gather(source, m.start, copy, PAGE), PAGE);
	CU_ASSERT_EQUAL(m.calls, 1);
	gsc_source_close(source);
	free(bytes);
	free(copy);
}

/* More pages than are kept. */
static void test_many_pages(void)
{
	const unsigned pages = 2000;
	uint8_t *bytes = pattern(pages * PAGE);
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .length = pages * PAGE };
	struct gsc_source *source = open_machine(&m, 1u << GSC_PHYS, NULL, 0, "skl");

	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < pages; i++) {
			unsigned at = i * 7 % pages * PAGE + i % 512 * 8;

			CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, at, 8), load_le(bytes + at, 8));
		}
	CU_ASSERT_TRUE(m.calls > pages && m.calls <= 2 * pages);
	gsc_source_close(source);
	free(bytes);
}

/* Memory that begins and ends anywhere: a simulator's array. */
static void test_parts_of_pages(void)
{
	uint8_t *bytes = pattern(3 * PAGE), copy[4 * PAGE];
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .start = 0x1800,
			     .length = 2 * PAGE + 0x900 };
	struct gsc_source *source = open_machine(&m, 1u << GSC_PHYS, NULL, 0, "skl");
	const struct gsc_piece extent = { GSC_PHYS, GSC_READ_OK, m.start, m.length };

	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x1800, 8), load_le(bytes, 8));
	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x40f8, 8), load_le(bytes + 0x28f8, 8));
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x17f8, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x4100, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gather(source, 0x1800, copy, 4 * PAGE), m.length);
	CU_ASSERT_EQUAL(memcmp(copy, bytes, m.length), 0);
	/* What was wanted lies in the part that is there. */
	CU_ASSERT_EQUAL(source_block(source, GSC_PHYS, 0x1900, copy, 0x100), 0x100);
	CU_ASSERT_EQUAL(memcmp(copy, bytes + 0x100, 0x100), 0);
	gsc_source_close(source);

	/* With an extent nobody has to guess. */
	m.calls = 0;
	source = open_machine(&m, 1u << GSC_PHYS, &extent, 1, "skl");
	CU_ASSERT_EQUAL(gather(source, 0x1800, copy, m.length), m.length);
	CU_ASSERT_EQUAL(memcmp(copy, bytes, m.length), 0);
	CU_ASSERT_EQUAL(m.calls, 3);
	CU_ASSERT_EQUAL(m.asked[0].address, 0x1800);
	CU_ASSERT_EQUAL(m.asked[0].size, 0x800);
	CU_ASSERT_EQUAL(m.asked[2].size, 0x100);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x17fc, 4), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x40fc, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gather(source, 0x4100, copy, 16), 0);
	CU_ASSERT_EQUAL(m.calls, 3);
	gsc_source_close(source);
	free(bytes);
}

/* ---- extents -------------------------------------------------------------------------------- */

static void test_extents(void)
{
	static const struct gsc_piece extents[] = {
		{ GSC_PHYS, GSC_READ_EXCLUDED, 0x2000, 0x1000 },
		{ GSC_MMIO, GSC_READ_OK, 0, 0x200000 },
		{ GSC_PHYS, GSC_READ_OK, 0, 0x2000 },
		{ GSC_PHYS, GSC_READ_OK, 0x5000, 0x1000 },
		{ GSC_PHYS, GSC_READ_OK, 0x6000, 0x800 },
		{ GSC_LMEM, GSC_READ_OK, 0, 0 },
	};
	uint8_t *bytes = pattern(8 * PAGE);
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .length = 8 * PAGE };
	struct gsc_source *source = open_machine(&m, TABLES | 1u << GSC_LMEM | 1u << GSC_MMIO,
						 extents, ARRAY_SIZE(extents), "skl");
	struct gsc_piece piece;
	uint64_t start, length;

	CU_ASSERT_TRUE(gsc_extent(source, GSC_PHYS, 0x1000, &start, &length));
	CU_ASSERT_TRUE(start == 0x1000 && length == 0x1000);
	CU_ASSERT_TRUE(gsc_extent(source, GSC_PHYS, 0x2000, &start, &length));
	CU_ASSERT_TRUE(start == 0x5000 && length == 0x1800);
	CU_ASSERT_FALSE(gsc_extent(source, GSC_PHYS, 0x6800, &start, &length));
	CU_ASSERT_FALSE(gsc_extent(source, GSC_LMEM, 0, &start, &length));
	CU_ASSERT_TRUE(gsc_extent(source, GSC_MMIO, 0, &start, &length));
	CU_ASSERT_TRUE(gsc_source_piece(source, 0, 1, &piece));
	CU_ASSERT_TRUE(piece.space == GSC_PHYS && piece.length == 0x2000);
	/* There is memory where the caller says that there is none. */
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x3000, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x2000, 8), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(read_status(source, GSC_LMEM, 0, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(m.calls, 0);
	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x67f8, 8), load_le(bytes + 0x67f8, 8));
	/* Within, the callback has the last word. */
	CU_ASSERT_EQUAL(read_status(source, GSC_MMIO, 0x2030, 4), GSC_READ_ABSENT);
	gsc_source_close(source);
	free(bytes);
}

/* Nothing says how much there is, so scans see nothing, whatever can be read. */
static void test_no_extents(void)
{
	static const char *const demo[] = { "demo:skl-hang" };
	struct machine m = { .behind = open_specs(demo, 1, NULL) };
	struct gsc_source *source = open_machine(&m, (1u << GSC_SPACES) - 1, NULL, 0, NULL);
	static const struct gsc_save_options options;
	uint64_t start, length;
	struct gsc_root *roots;
	struct gsc_error err;
	struct gsc_gpu *gpu;
	size_t count;
	int fd = memfd_create("capture", MFD_CLOEXEC);

	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
	m.calls = 0;
	for (unsigned space = 0; space < GSC_SPACES; space++)
		CU_ASSERT_FALSE(gsc_extent(source, (enum gsc_space)space, 0, &start, &length));
	CU_ASSERT_EQUAL(gsc_save(gpu, fd, &options, &err), GSC_UNKNOWN);
	CU_ASSERT_STRING_EQUAL(err.why, "it has nothing to save");
	gsc_save_trace(gpu, fd, &err);
	CU_ASSERT_EQUAL(gsc_roots(gpu, &roots, &count, &err), GSC_OK);
	/* The GGTT, and tables of an engine. */
	CU_ASSERT_TRUE(count >= 2);
	CU_ASSERT_EQUAL(roots[0].mode, GSC_MODE_GGTT);
	CU_ASSERT_TRUE(m.calls < 10000);
	free(roots);
	close(fd);
	gsc_gpu_close(gpu);
	gsc_source_close(source);
	gsc_source_close(m.behind);
}

/* What is in the extents can be saved. */
static void test_save(void)
{
	static const struct gsc_piece extents[] = {
		{ GSC_PHYS, GSC_READ_OK, 0x10000, 16 * PAGE },
		{ GSC_MMIO, GSC_READ_OK, 0x2000, 0x1000 },
	};
	uint8_t *bytes = pattern(16 * PAGE);
	/* The last page of memory and the registers are not there after all. */
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .start = 0x10000,
			     .length = 15 * PAGE };
	struct gsc_source *source = open_machine(&m, 1u << GSC_PHYS | 1u << GSC_MMIO, extents,
						 ARRAY_SIZE(extents), "skl");
	static const struct gsc_save_options options;
	struct gsc_error err;
	struct gsc_gpu *gpu;
	int fd = memfd_create("capture", MFD_CLOEXEC);
	char path[64];

	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
	gsc_save(gpu, fd, &options, &err);
	gsc_gpu_close(gpu);
	gsc_source_close(source);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	source = open_spec("%s", path, NULL);
	for (unsigned at = 0; at < 15 * PAGE; at += 8)
		CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x10000 + at, 8),
				load_le(bytes + at, 8));
	CU_ASSERT_EQUAL(read_status(source, GSC_PHYS, 0x10000 + 15 * PAGE, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_MMIO, 0x2030, 4), GSC_READ_ABSENT);
	gsc_source_close(source);
	close(fd);
	free(bytes);
}

/* ---- registers ------------------------------------------------------------------------------ */

static void test_registers(void)
{
	uint8_t *bytes = pattern(0x4000);
	struct machine m = { .space = GSC_MMIO, .bytes = bytes, .length = 0x4000 };
	struct gsc_source *source = open_machine(&m, 1u << GSC_MMIO, NULL, 0, "skl");

	/* Each time, as wide as it is. */
	for (unsigned size = 1; size <= 8; size *= 2)
		CU_ASSERT_EQUAL(value_at(source, GSC_MMIO, 0x2358, size),
				load_le(bytes + 0x2358, size));
	CU_ASSERT_EQUAL(m.calls, 4);
	CU_ASSERT_EQUAL(m.asked[3].size, 8);
	bytes[0x2358] ^= 1;
	CU_ASSERT_EQUAL(value_at(source, GSC_MMIO, 0x2358, 4), load_le(bytes + 0x2358, 4));
	/* A caller without 64-bit loads. */
	m.widest = 4;
	CU_ASSERT_EQUAL(value_at(source, GSC_MMIO, 0x2358, 8), load_le(bytes + 0x2358, 8));
	m.widest = 0;
	CU_ASSERT_EQUAL(read_status(source, GSC_MMIO, 0x4000, 4), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(read_status(source, GSC_GGTT, 0x2358, 8), GSC_READ_ABSENT);
	/* The reason of the caller, if there is such a reason. */
	m.fail_to = SIZE_MAX;
	m.failure = GSC_READ_ASLEEP;
	CU_ASSERT_EQUAL(read_status(source, GSC_MMIO, 0x2358, 8), GSC_READ_ASLEEP);
	m.failure = (enum gsc_read)77;
	CU_ASSERT_EQUAL(read_status(source, GSC_MMIO, 0x2358, 4), GSC_READ_ABSENT);
	CU_ASSERT_FALSE(m.uneven);
	gsc_source_close(source);
	free(bytes);
}

/* Registers with effects are left alone, unless there are none to fear. */
static void test_hazards(void)
{
	struct gsc_callbacks callbacks = { .read = answer, .spaces = 1u << GSC_MMIO };
	struct gsc_input input = { .spec = "a debugger", .callbacks = &callbacks };
	const uint8_t *bytes = pattern(0x1000000);
	struct machine m = { .space = GSC_MMIO, .bytes = bytes, .length = 0x1000000 };
	size_t skipped[2] = { 0 };
	struct gsc_error err;
	struct gsc_gpu *gpu;

	callbacks.context = &m;
	for (unsigned harmless = 0; harmless < 2; harmless++) {
		struct gsc_source *source;
		struct gsc_reg reg;
		uint64_t value;

		callbacks.harmless = harmless;
		source = open_inputs(&input, 1, "skl");
		CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
		for (size_t i = 0; i < gsc_view_count(gsc_gpu_view(gpu)); i++) {
			gsc_view_reg(gsc_gpu_view(gpu), i, &reg);
			skipped[harmless] += gsc_gpu_read(gpu, &reg, &value) == GSC_READ_SKIPPED;
		}
		gsc_gpu_close(gpu);
		gsc_source_close(source);
	}
	CU_ASSERT_TRUE(skipped[0] > 0);
	CU_ASSERT_EQUAL(skipped[1], 0);
	free((void *)(uintptr_t)bytes);
}

/* The entries of the GGTT are the upper half of the BAR: either name will do. */
static void test_table_in_bar(void)
{
	uint64_t at = platform_of("skl").ggtt_offset;
	uint8_t *bytes = pattern(4 * PAGE);
	struct machine m = { .space = GSC_MMIO, .bytes = bytes, .start = at, .length = 4 * PAGE };
	struct gsc_source *source = open_machine(&m, 1u << GSC_MMIO, NULL, 0, "skl");
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_translation *translation;
	struct gsc_error err;
	struct gsc_gpu *gpu;
	struct gsc_walk walk;

	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, 0x108, 8), load_le(bytes + 0x108, 8));
	CU_ASSERT_EQUAL(read_status(source, GSC_GGTT, 4 * PAGE, 8), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_translation_new(&translation, gpu, &options, &err), GSC_OK);
	gsc_walk(translation, 0x21000, GSC_INTENT_READ, &walk);
	CU_ASSERT_EQUAL_FATAL(walk.count, 1);
	CU_ASSERT_EQUAL(walk.steps[0].entry.words[0], load_le(bytes + 0x108, 4));
	CU_ASSERT_FALSE(m.uneven);
	gsc_translation_free(translation);
	gsc_gpu_close(gpu);
	gsc_source_close(source);

	m.space = GSC_GGTT;
	m.start = 0;
	source = open_machine(&m, 1u << GSC_GGTT, NULL, 0, "skl");
	CU_ASSERT_EQUAL(value_at(source, GSC_MMIO, at + 0x108, 8), load_le(bytes + 0x108, 8));
	CU_ASSERT_EQUAL(read_status(source, GSC_MMIO, at - 8, 8), GSC_READ_ABSENT);
	gsc_source_close(source);
	free(bytes);
}

/* ---- others beside them --------------------------------------------------------------------- */

static void test_combined(void)
{
	static const char *const demo[] = { "demo:skl-hang" };
	uint8_t *bytes = pattern(2 * PAGE), copy[4 * PAGE], other[4 * PAGE];
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .start = 0x4000,
			     .length = 2 * PAGE };
	const struct gsc_callbacks callbacks = { .read = answer, .context = &m,
						 .spaces = 1u << GSC_PHYS };
	const struct gsc_input inputs[] = {
		{ .spec = "a debugger", .callbacks = &callbacks },
		{ .spec = "mem:ram@0x3000", .data = other, .size = sizeof(other) },
		{ .spec = "demo:skl-hang" },
	};
	struct gsc_source *source, *alone = open_specs(demo, 1, NULL);
	size_t length;

	memset(other, 0x77, sizeof(other));
	source = open_inputs(inputs, ARRAY_SIZE(inputs), NULL);
	CU_ASSERT_EQUAL(gsc_source_count(source), 3);
	CU_ASSERT_STRING_EQUAL(gsc_source_name(source, 0), "a debugger");
	CU_ASSERT_EQUAL(gsc_source_platform(source), gsc_source_platform(alone));
	/* The first wins where it has something; what it refuses, the next one has. */
	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x4008, 8), load_le(bytes + 8, 8));
	CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, 0x3008, 8), UINT64_C(0x7777777777777777));
	CU_ASSERT_PTR_NULL(gsc_span(source, GSC_PHYS, 0x3000, &length));
	CU_ASSERT_EQUAL(gather(source, 0x3000, copy, sizeof(copy)), sizeof(copy));
	CU_ASSERT_EQUAL(memcmp(copy, other, PAGE), 0);
	CU_ASSERT_EQUAL(memcmp(copy + PAGE, bytes, 2 * PAGE), 0);
	CU_ASSERT_EQUAL(memcmp(copy + 3 * PAGE, other, PAGE), 0);
	CU_ASSERT_EQUAL(value_at(source, GSC_MMIO, 0x2034, 4),
			value_at(alone, GSC_MMIO, 0x2034, 4));
	gsc_source_close(source);
	gsc_source_close(alone);
	free(bytes);
}

static bool count_pages(void *context, const struct gsc_mapping *mapping)
{
	*(uint64_t *)context += mapping->pages;
	return true;
}

/* A table of which the callback has the beginning, without knowing it, and a file the end. */
static void test_table_in_parts(void)
{
	uint8_t *bytes = pattern(PAGE);
	struct machine m = { .space = GSC_GGTT, .bytes = bytes, .length = 0x808 };
	const struct gsc_callbacks callbacks = { .read = answer, .context = &m,
						 .spaces = 1u << GSC_GGTT };
	const struct gsc_input inputs[] = {
		{ .spec = "a debugger", .callbacks = &callbacks },
		{ .spec = "ggtt:table@0xc00", .data = bytes, .size = 0x400 },
	};
	static const uint64_t present = 0x12345001;

	for (unsigned at = 0; at < PAGE; at += 8)
		memcpy(bytes + at, &present, 8);
	for (size_t count = 1; count <= 2; count++) {
		struct gsc_source *source = open_inputs(inputs, count, "skl");
		struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
		struct gsc_translation *translation;
		struct gsc_map_holes holes;
		struct gsc_error err;
		struct gsc_gpu *gpu;
		uint64_t pages = 0;

		CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
		CU_ASSERT_EQUAL_FATAL(gsc_translation_new(&translation, gpu, &options, &err),
				      GSC_OK);
		gsc_map(translation, 0, count_pages, &pages, &holes, &err);
		CU_ASSERT_EQUAL(pages, count == 1 ? 0x101 : 0x181);
		CU_ASSERT_TRUE(holes.missing > 0);
		gsc_translation_free(translation);
		gsc_gpu_close(gpu);
		gsc_source_close(source);
	}
	free(bytes);
}

/* A debugger reads through the library what it is asked for. */
static void test_again(void)
{
	uint8_t *bytes = pattern(64 * PAGE);
	struct machine m = { .space = GSC_PHYS, .bytes = bytes, .length = 64 * PAGE };
	struct gsc_source *source = open_machine(&m, 1u << GSC_PHYS, NULL, 0, "skl");

	m.again = source;
	for (unsigned at = 0; at < 64 * PAGE; at += 0x1238)
		CU_ASSERT_EQUAL(value_at(source, GSC_PHYS, at & ~7u, 8),
				load_le(bytes + (at & ~7u), 8));
	gsc_source_close(source);
	free(bytes);
}

static void test_nonsense(void)
{
	static const struct gsc_piece elsewhere = { GSC_LMEM, GSC_READ_OK, 0, 1 };
	static const struct gsc_piece nowhere = { GSC_SPACES, GSC_READ_OK, 0, 1 };
	static const struct gsc_piece too_long = { GSC_PHYS, GSC_READ_OK, 0x1000, UINT64_MAX };
	static const struct gsc_piece unknown = { GSC_PHYS, GSC_READS, 0, 1 };
	static const uint8_t bytes[16];
	struct machine m = { 0 };
	struct gsc_callbacks callbacks = { .context = &m, .spaces = 1u << GSC_PHYS };
	struct gsc_input input = { .spec = "both", .data = bytes, .size = sizeof(bytes),
				   .callbacks = &callbacks };
	struct gsc_source *source;
	struct gsc_error err;

	refuse_callbacks(&callbacks, "reads no known space");
	callbacks.read = answer;
	callbacks.spaces = 0;
	refuse_callbacks(&callbacks, "reads no known space");
	callbacks.spaces = 1u << GSC_SPACES;
	refuse_callbacks(&callbacks, "reads no known space");
	callbacks.spaces = 1u << GSC_PHYS;
	callbacks.extent_count = 1;
	callbacks.extents = &elsewhere;
	refuse_callbacks(&callbacks, "does not read");
	callbacks.extents = &nowhere;
	refuse_callbacks(&callbacks, "does not read");
	callbacks.extents = &too_long;
	refuse_callbacks(&callbacks, "an extent of phys");
	callbacks.extents = &unknown;
	refuse_callbacks(&callbacks, "an extent of phys");
	CU_ASSERT_EQUAL(try_inputs(&source, &input, 1, NULL, &err), GSC_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "not both"));
	input = (struct gsc_input){ .spec = NULL };
	CU_ASSERT_EQUAL(try_inputs(&source, &input, 1, NULL, &err), GSC_USAGE);
	CU_ASSERT_EQUAL(m.calls, 0);
}

SUITE(callback, { "the same as a capture", test_same }, { "failures", test_failures },
      { "pages", test_pages }, { "many pages", test_many_pages },
      { "parts of pages", test_parts_of_pages }, { "extents", test_extents },
      { "no extents", test_no_extents }, { "save", test_save }, { "registers", test_registers },
      { "hazards", test_hazards }, { "table in the BAR", test_table_in_bar },
      { "combined", test_combined }, { "a table in parts", test_table_in_parts },
      { "again", test_again }, { "nonsense", test_nonsense })
