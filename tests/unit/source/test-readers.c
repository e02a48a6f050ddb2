/* SPDX-License-Identifier: MIT */
/* Compressed inputs, captures, cores and PCI config space. */
#include "source-helpers.h"
#include "formats/capture.h"
#include "open/open.h"
#include "test.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- compressed inputs -------------------------------------------------------------------- */

/* Register text: a header and 0x2030 = 0x150; then 0x2034 = 0x160. */
static const uint8_t gzip_one[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x53, 0x56,
	0x48, 0x2f, 0x28, 0xd5, 0x2d, 0x4a, 0x4d, 0x4f, 0x29, 0xcd, 0x2d, 0x50,
	0x30, 0xd4, 0x33, 0x50, 0x28, 0xc8, 0x49, 0x2c, 0x49, 0xcb, 0x2f, 0xca,
	0x55, 0x28, 0xce, 0xce, 0x51, 0x48, 0x49, 0x2d, 0xcb, 0x4c, 0x4e, 0x55,
	0x30, 0xa8, 0x30, 0xb4, 0x34, 0x34, 0x52, 0x28, 0x02, 0xf2, 0x8a, 0x33,
	0xf3, 0xf3, 0x80, 0x7c, 0x03, 0x33, 0x2e, 0x20, 0x61, 0x60, 0x64, 0x60,
	0x6c, 0xa0, 0x00, 0xe2, 0x82, 0x80, 0xa1, 0x29, 0x90, 0x5d, 0x94, 0x5c,
	0x6c, 0xa0, 0x17, 0xe4, 0xe9, 0xe7, 0x1e, 0xef, 0x14, 0xea, 0xe6, 0xe6,
	0x1a, 0x14, 0x1f, 0xe2, 0xe8, 0xe9, 0xc3, 0x05, 0x00, 0x11, 0x64, 0x5a,
	0x79, 0x67, 0x00, 0x00, 0x00,
};

#if HAVE_ZLIB
static const uint8_t gzip_two[] = {
	0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x33, 0xa8,
	0x30, 0x30, 0x30, 0x32, 0x30, 0x36, 0x51, 0x50, 0x30, 0x00, 0xb2, 0x80,
	0xc0, 0xd0, 0xcc, 0x40, 0x41, 0xa1, 0x28, 0xb9, 0xd8, 0x40, 0x2f, 0xc8,
	0xd3, 0xcf, 0x3d, 0xde, 0x29, 0xd4, 0xcd, 0xcd, 0x35, 0x28, 0xde, 0xc3,
	0xd5, 0xd1, 0x85, 0x0b, 0x00, 0xb8, 0x0a, 0xde, 0x3b, 0x2c, 0x00, 0x00,
	0x00,
};
#endif

static const uint8_t zstd_one[] = {
	0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x67, 0xf5, 0x02, 0x00, 0x32, 0x86, 0x15,
	0x17, 0x50, 0x79, 0x31, 0xea, 0xdf, 0x27, 0x8c, 0x73, 0x02, 0x8a, 0xdc,
	0xdd, 0x83, 0xa7, 0xc6, 0x43, 0x74, 0x00, 0x73, 0xcc, 0xcc, 0x08, 0x26,
	0xc0, 0xe3, 0x24, 0x12, 0x15, 0x2d, 0x0c, 0x33, 0x29, 0x54, 0x03, 0x39,
	0xd1, 0x70, 0x6b, 0x55, 0xfb, 0x46, 0xfc, 0xbd, 0xfd, 0xe2, 0xc4, 0x7f,
	0x0f, 0x1c, 0xbf, 0x77, 0xe7, 0x4d, 0x3b, 0x43, 0x59, 0x4d, 0x44, 0x24,
	0xde, 0x5b, 0x5a, 0x33, 0x94, 0x97, 0x37, 0xcd, 0x9a, 0xab, 0x1e, 0xf6,
	0x55, 0x1b, 0xf5, 0x87, 0x68, 0xca, 0x81, 0x57, 0x26, 0xab, 0x00, 0xd2,
	0xcc, 0x41, 0x01, 0x00, 0x48, 0x00, 0xa2,
};

#if HAVE_ZSTD
static const uint8_t zstd_two[] = {
	0x28, 0xb5, 0x2f, 0xfd, 0x20, 0x2c, 0x61, 0x01, 0x00, 0x30, 0x78, 0x30,
	0x30, 0x32, 0x30, 0x33, 0x34, 0x20, 0x20, 0x30, 0x78, 0x30, 0x30, 0x30,
	0x30, 0x30, 0x31, 0x36, 0x30, 0x20, 0x20, 0x72, 0x63, 0x73, 0x30, 0x2e,
	0x52, 0x49, 0x4e, 0x47, 0x5f, 0x42, 0x55, 0x46, 0x46, 0x45, 0x52, 0x5f,
	0x48, 0x45, 0x41, 0x44, 0x0a,
};
#endif

#if HAVE_ZLIB || HAVE_ZSTD
static uint8_t *join(const void *a, size_t a_size, const void *b, size_t b_size)
{
	uint8_t *both = malloc(a_size + b_size);

	memcpy(both, a, a_size);
	memcpy(both + a_size, b, b_size);
	return both;
}

/* Two streams in one file, one of them truncated, and bytes that do not belong there. */
static void two_streams(const uint8_t *one, size_t one_size, const uint8_t *two, size_t two_size)
{
	uint8_t *both = join(one, one_size, two, two_size);
	struct gsc_source *s = open_bytes(both, one_size + two_size);

	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 8), UINT64_C(0x0000016000000150));
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	s = open_bytes(both, one_size + two_size - 9);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 0x150);
	CU_ASSERT(note_has(s, gsc_source_note_count(s) - 1, "is truncated at byte"));
	gsc_source_close(s);
	memset(both + one_size, '!', two_size);
	s = open_bytes(both, one_size + two_size);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 0x150);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "at byte"));
	gsc_source_close(s);
	free(both);
}
#endif

static void gzip_streams(void)
{
#if HAVE_ZLIB
	two_streams(gzip_one, sizeof(gzip_one), gzip_two, sizeof(gzip_two));
	survive_damage("%s", gzip_one, sizeof(gzip_one), 1);
	survive_damage("bar:%s", gzip_one, sizeof(gzip_one), 1);
#else
	char *path = temporary_file(gzip_one, sizeof(gzip_one));

	refuse_spec(path, GSC_FAILED, "this build cannot read gzip files");
	drop_file(path);
#endif
}

static void zstd_streams(void)
{
#if HAVE_ZSTD
	two_streams(zstd_one, sizeof(zstd_one), zstd_two, sizeof(zstd_two));
	survive_damage("%s", zstd_one, sizeof(zstd_one), 1);
#else
	char *path = temporary_file(zstd_one, sizeof(zstd_one));

	refuse_spec(path, GSC_FAILED, "this build cannot read zstd files");
	drop_file(path);
#endif
}

/* Bytes that begin like gzip by chance are an image; a file with such a name is not. */
static void chance_magic(void)
{
#if HAVE_ZLIB
	static const uint8_t image[16] = { 0x1f, 0x8b, 8, 0, 1, 2, 3, 4 };
	char *path = temporary_file(image, sizeof(image)), *named, spec[64];
	struct gsc_source *s = open_spec("mem:%s", path, NULL);

	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0, 8), UINT64_C(0x0403020100088b1f));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	named = malloc(strlen(path) + 4);
	sprintf(named, "%s.gz", path);
	CU_ASSERT_EQUAL(rename(path, named), 0);
	snprintf(spec, sizeof(spec), "mem:%s", named);
	refuse_spec(spec, GSC_FAILED, "gzip data");
	drop_file(named);
	free(path);
#endif
}

/* Sends bytes through a pipe on standard input. */
static struct gsc_source *open_piped(const char *spec, const uint8_t *data, size_t size,
				     size_t times, struct gsc_error *err)
{
	struct gsc_source_options options = { 0 };
	struct gsc_source *source = NULL;
	int ends[2], saved = dup(STDIN_FILENO);
	pid_t child;

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	child = fork();
	if (!child) {
		close(ends[0]);
		signal(SIGPIPE, SIG_DFL);
		while (times-- && write(ends[1], data, size) == (ssize_t)size)
			;
		_exit(0);
	}
	close(ends[1]);
	dup2(ends[0], STDIN_FILENO);
	close(ends[0]);
	gsc_source_open(&source, &spec, 1, &options, err);
	if (saved >= 0) {
		dup2(saved, STDIN_FILENO);
		close(saved);
	} else {
		close(STDIN_FILENO);
	}
	waitpid(child, NULL, 0);
	return source;
}

/* More than fits the heap goes to a file; the zeros in it are holes. */
static void large_pipe(void)
{
	static uint8_t page[4096];
	struct gsc_error err;
	struct gsc_source *s;

	page[5] = 0x77;
	s = open_piped("lmem:-", page, sizeof(page), 4096, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(s);
	CU_ASSERT_EQUAL(value_at(s, GSC_LMEM, 0xfff000, 8), UINT64_C(0x770000000000));
	CU_ASSERT_EQUAL(value_at(s, GSC_LMEM, 0xfffff8, 8), 0);
	gsc_source_close(s);
}

/* What nobody needs is not read to its end, which may never come. */
static void endless_pipe(void)
{
	static const uint8_t junk[64] = { 1, 2, 3 };
	struct gsc_error err = { 0 };
	struct gsc_source *s = open_piped("-", junk, sizeof(junk), SIZE_MAX, &err);

	CU_ASSERT_PTR_NULL(s);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "not recognised"));
	CU_ASSERT_STRING_EQUAL(err.what, "standard input");
}

/* ---- captures ----------------------------------------------------------------------------- */

struct buffer {
	uint8_t bytes[32768];
	size_t size;
};

static bool collect(void *context, const void *data, size_t size)
{
	struct buffer *b = context;

	if (size > sizeof(b->bytes) - b->size)
		return false;
	memcpy(b->bytes + b->size, data, size);
	b->size += size;
	return true;
}

static void build_capture(struct buffer *b)
{
	static const uint8_t mmio[8] = { 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88 };
	struct capture c;

	b->size = 0;
	capture_begin(&c, collect, b, 1700000000);
	capture_info(&c, "platform", "%s", "skl");
	capture_info(&c, "device", "0x%04x", 0x1912);
	capture_info(&c, "revision", "0x%02x", 6);
	capture_info(&c, "kernel", "two\nlines");
	capture_piece(&c, GSC_MMIO, 0x2030, mmio, sizeof(mmio));
	capture_piece_begin(&c, GSC_PHYS, UINT64_C(0x123456000), 8);
	capture_data(&c, mmio, 3);
	capture_data(&c, mmio + 3, 5);
	capture_status(&c, GSC_MMIO, 0x2034, 4, GSC_READ_ASLEEP);
	capture_status(&c, GSC_MMIO, 0x4000, 0x1000, GSC_READ_DENIED);
	capture_member(&c, "i915/error", "text", 4);
	CU_ASSERT(capture_end(&c));
}

static void captures(void)
{
	static struct buffer b;
	struct gsc_source *s;
	uint64_t value;

	build_capture(&b);
	s = open_bytes(b.bytes, b.size);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "gpuscope capture");
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("skl").index);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 6);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, 0x2030, 4), 0x44332211);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x123456000, 8), UINT64_C(0x8877665544332211));
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x2034, 4, &value), GSC_READ_ASLEEP);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x4ffc, 4, &value), GSC_READ_DENIED);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_MMIO, 0x5000, 4, &value), GSC_READ_ABSENT);
	gsc_source_close(s);
}

static void capture_cut(void)
{
	static struct buffer b;
	struct gsc_source *s;
	char where[32];

	build_capture(&b);
	for (size_t cut = 512; cut < b.size - 1024; cut += 64) {
		char *path = temporary_file(b.bytes, cut);

		snprintf(where, sizeof(where), "at byte %zu", cut / 512 * 512);
		if (cut < 1024) {
			survive("%s", b.bytes, cut);
		} else {
			s = open_spec("%s", path, NULL);
			CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
			CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
			CU_ASSERT(note_has(s, 0, "is truncated or damaged"));
			CU_ASSERT(note_has(s, 0, "at byte"));
			gsc_source_close(s);
		}
		drop_file(path);
	}
	survive_damage("%s", b.bytes, b.size, 37);
}

static void capture_odd(void)
{
	static struct buffer b;
	struct capture c;
	char *path;
	struct gsc_source *s;

	b.size = 0;
	capture_begin(&c, collect, &b, 0);
	capture_piece(&c, GSC_MMIO, UINT64_MAX - 2, "abcdefgh", 8);
	capture_member(&c, "mmio/status", "0x0 0x10 awake\n0x20 0x4 asleep\n", 31);
	capture_member(&c, "mmio/0xzz.bin", "abcd", 4);
	capture_member(&c, "space/0x10.bin", "abcd", 4);
	CU_ASSERT(capture_end(&c));
	s = open_bytes(b.bytes, b.size);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 2);
	CU_ASSERT(note_has(s, 0, "64-bit"));
	CU_ASSERT(note_has(s, 1, "line 1 does not give the status"));
	gsc_source_close(s);
	memcpy(strstr((char *)b.bytes + 512, "format: 1"), "format: 2", 9);
	path = temporary_file(b.bytes, b.size);
	refuse_spec(path, GSC_FAILED, "format 2");
	drop_file(path);
	memset(&c, 0, sizeof(c));
	b.size = 0;
	c.tar = (struct tar_writer){ .write = collect, .context = &b };
	tar_member_begin(&c.tar, "readme", 2);
	tar_member_data(&c.tar, "hi", 2);
	tar_end(&c.tar);
	path = temporary_file(b.bytes, b.size);
	refuse_spec(path, GSC_FAILED, "no gpuscope/info");
	drop_file(path);
}

/* `tar` itself opens what we write, and we open what it repacks. */
static void capture_and_tar(void)
{
	char folder[] = "/tmp/gpuscope-test-XXXXXX", path[64], command[256];
	struct gsc_source *s;
	struct capture c;
	int fd;

	CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/c.tar", folder);
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	capture_begin(&c, capture_write_fd, &fd, 1700000000);
	capture_info(&c, "platform", "snb");
	capture_piece(&c, GSC_CONFIG, 0, "\x86\x80\x26\x01............", 16);
	CU_ASSERT(capture_end(&c));
	close(fd);
	snprintf(command, sizeof(command),
		 "cd %s && tar xf c.tar && rm c.tar && tar cf c.tar ./gpuscope ./config", folder);
	CU_ASSERT_EQUAL(system(command), 0);
	s = open_spec("%s", path, NULL);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0, 4), 0x01268086);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x0126);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	CU_ASSERT_EQUAL(system(command), 0);
	fd = open("/dev/full", O_WRONLY);
	capture_begin(&c, capture_write_fd, &fd, 0);
	CU_ASSERT(!capture_end(&c));
	close(fd);
}

/* ---- cores -------------------------------------------------------------------------------- */

#define CORE_DATA 512

struct core64 {
	Elf64_Ehdr header;
	Elf64_Phdr segment[4];
	uint8_t gap[CORE_DATA - sizeof(Elf64_Ehdr) - 4 * sizeof(Elf64_Phdr)];
	uint8_t data[64];
};

static struct core64 make_core(void)
{
	struct core64 core = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
			    .e_type = ET_CORE,
			    .e_phoff = sizeof(Elf64_Ehdr),
			    .e_phentsize = sizeof(Elf64_Phdr),
			    .e_phnum = 4 },
		.segment = {
			{ .p_type = PT_LOAD, .p_offset = CORE_DATA, .p_filesz = 16,
			  .p_memsz = 4096, .p_paddr = UINT64_C(0x100000000) },
			{ .p_type = PT_LOAD, .p_offset = CORE_DATA + 16, .p_filesz = 16 },
			{ .p_type = PT_LOAD, .p_offset = CORE_DATA + 32, .p_filesz = 16,
			  .p_paddr = UINT64_MAX },
			{ .p_type = PT_NOTE, .p_offset = CORE_DATA + 48, .p_filesz = 16,
			  .p_paddr = 0x5000 },
		},
	};

	for (unsigned i = 0; i < sizeof(core.data); i++)
		core.data[i] = (uint8_t)i;
	return core;
}

static struct gsc_source *open_core(const struct core64 *core, size_t size)
{
	char *path = temporary_file(core, size);
	struct gsc_source *s = open_spec("elf:%s", path, NULL);

	drop_file(path);
	return s;
}

static void cores(void)
{
	struct core64 core = make_core();
	struct gsc_source *s = open_core(&core, sizeof(core));
	uint64_t value;

	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x100000008, 8), UINT64_C(0x0f0e0d0c0b0a0908));
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0, 4), 0x13121110);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x100000010, 4, &value), GSC_READ_EXCLUDED);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x5000, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	core.segment[3].p_type = PT_LOAD;
	core.segment[3].p_paddr = 0;
	s = open_core(&core, sizeof(core));
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x100000000, 4), 0x03020100);
	gsc_source_close(s);
	s = open_core(&core, CORE_DATA + 10);
	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0x100000008, 2), 0x0908);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_PHYS, 0x100000008, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT(note_has(s, 0, "ends at byte 522"));
	gsc_source_close(s);
}

static void refuse_core(const struct core64 *core, size_t size, const char *why)
{
	char *path = temporary_file(core, size), spec[64];

	snprintf(spec, sizeof(spec), "elf:%s", path);
	refuse_spec(spec, GSC_FAILED, why);
	drop_file(path);
}

static void cores_refused(void)
{
	struct core64 core = make_core();

	refuse_core(&core, 40, "ends in the ELF header");
	core.header.e_type = ET_EXEC;
	refuse_core(&core, sizeof(core), "not a core");
	core = make_core();
	core.header.e_ident[EI_DATA] = ELFDATA2MSB;
	refuse_core(&core, sizeof(core), "little-endian");
	core = make_core();
	core.header.e_phentsize = 8;
	refuse_core(&core, sizeof(core), "too small");
	core = make_core();
	core.header.e_phoff = UINT64_MAX - 8;
	refuse_core(&core, sizeof(core), "ends before the first byte of memory");
	core = make_core();
	core.header.e_phnum = PN_XNUM;
	refuse_core(&core, sizeof(core), "section headers");
	core = make_core();
	for (unsigned i = 0; i < 3; i++)
		core.segment[i].p_offset = UINT64_MAX - 4;
	refuse_core(&core, sizeof(core), "ends before the first byte of memory");
	core = make_core();
	survive_damage("elf:%s", &core, sizeof(core), 3);
}

static void core_wraps(void)
{
	struct core64 core = make_core();
	struct gsc_source *s;

	core.segment[2].p_paddr = UINT64_MAX - 4;
	s = open_core(&core, sizeof(core));
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 1);
	CU_ASSERT(note_has(s, 0, "64-bit"));
	gsc_source_close(s);
}

static void core32(void)
{
	struct {
		Elf32_Ehdr header;
		Elf32_Phdr segment[2];
		uint8_t data[8];
	} core = {
		.header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, 1 },
			    .e_type = ET_CORE,
			    .e_phoff = sizeof(Elf32_Ehdr),
			    .e_phentsize = sizeof(Elf32_Phdr),
			    .e_phnum = 2 },
		.segment = { { .p_type = PT_LOAD, .p_offset = offsetof(__typeof__(core), data),
			       .p_filesz = 8, .p_paddr = 0xfffff000 },
			     { .p_type = PT_LOAD, .p_offset = 0, .p_filesz = 8,
			       .p_paddr = 0xffffffff } },
		.data = "12345678",
	};
	char *path = temporary_file(&core, sizeof(core));
	struct gsc_source *s = open_spec("elf:%s", path, NULL);
	uint64_t start, length;

	CU_ASSERT_EQUAL(value_at(s, GSC_PHYS, 0xfffff004, 4), 0x38373635);
	CU_ASSERT(gsc_extent(s, GSC_PHYS, 0xfffff008, &start, &length) == false);
	gsc_source_close(s);
	drop_file(path);
}

/* ---- PCI config space --------------------------------------------------------------------- */

static const char rows[] = "> 00:02.0 VGA compatible controller: something\r\n"
			   "> 00: 86 80 26 01 07 04 90 00 09 00 00 03 00 00 00 00\r\n"
			   "> 10: 04 00 00 f0 00 00 00 00 0c 00 00 e0 00 00 00 00\r\n"
			   "> 50: 11 02 00 00 11 00 00 00 00 00 00 00 01 00 a0 db\r\n";

static void config_text(void)
{
	struct gsc_source *s = open_bytes(rows, strlen(rows));
	uint64_t value;

	CU_ASSERT_EQUAL(gsc_source_device(s), 0x0126);
	CU_ASSERT_EQUAL(gsc_source_revision(s), 9);
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of("snb").index);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x50, 2), 0x0211);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x5c, 4), 0xdba00001);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_CONFIG, 0x20, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
	s = open_bytes(rows, strlen(rows) - 10);
	CU_ASSERT_EQUAL(value_at(s, GSC_CONFIG, 0x58, 4), 0);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_CONFIG, 0x5c, 4, &value), GSC_READ_ABSENT);
	CU_ASSERT(note_has(s, 0, "line 4"));
	gsc_source_close(s);
	survive_damage("config:%s", rows, strlen(rows), 3);
}

/* Among several functions the display device counts, otherwise the first. */
static void config_functions(void)
{
	static const char text[] = "00:00.0 bridge\n"
				   "00: 86 80 34 3e 06 00 90 20 0c 00 00 06 00 00 00 00\n"
				   "b0: 01 00 80 8b 01 00 00 8b 01 00 00 8a 01 00 80 8f\n"
				   "01:00.0 other vendor's display\n"
				   "00: de 10 a0 3e 07 00 10 00 02 00 00 03 00 00 00 00\n"
				   "00:02.0 display\n"
				   "00: 86 80 a0 3e 07 00 10 00 02 00 00 03 00 00 00 00\n"
				   "00:1f.0 ISA\n"
				   "00: 86 80 84 9d 07 00 10 00 30 00 01 06 00 00 80 00\n";
	char *path = temporary_file(text, strlen(text));
	char *first = temporary_file(text, 120);
	struct gsc_source *s = open_spec("config:%s", path, NULL);
	uint64_t value;

	CU_ASSERT_EQUAL(gsc_source_device(s), 0x3ea0);
	CU_ASSERT_EQUAL(gsc_read(s, GSC_CONFIG, 0xb0, 4, &value), GSC_READ_ABSENT);
	gsc_source_close(s);
	s = open_spec("config:%s", first, NULL);
	CU_ASSERT_EQUAL(gsc_source_device(s), 0x3e34);
	CU_ASSERT_EQUAL(gsc_source_platform(s), -1);
	gsc_source_close(s);
	drop_file(path);
	drop_file(first);
}

static void config_bytes(void)
{
	static const size_t sizes[] = { 64, 256, 4096 };
	uint8_t bytes[4096] = { 0x86, 0x80, 0x12, 0x19, [8] = 6, [11] = 3 };
	char *path, spec[64];

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct gsc_source *s;
		uint64_t start, length;

		path = temporary_file(bytes, sizes[i]);
		s = open_spec("config:%s", path, NULL);
		CU_ASSERT_EQUAL(gsc_source_device(s), 0x1912);
		CU_ASSERT_EQUAL(gsc_source_revision(s), 6);
		CU_ASSERT(gsc_extent(s, GSC_CONFIG, 0, &start, &length) && length == sizes[i]);
		gsc_source_close(s);
		drop_file(path);
	}
	path = temporary_file(bytes, 100);
	snprintf(spec, sizeof(spec), "config:%s", path);
	refuse_spec(spec, GSC_FAILED, "64, 256 or 4096");
	drop_file(path);
	bytes[0] = 0xde;
	bytes[1] = 0x10;
	path = temporary_file(bytes, 256);
	snprintf(spec, sizeof(spec), "config:%s", path);
	refuse_spec(spec, GSC_FAILED, "0x10de: not an Intel");
	drop_file(path);
	memset(bytes, 0xff, 64);
	path = temporary_file(bytes, 64);
	snprintf(spec, sizeof(spec), "config:%s", path);
	refuse_spec(spec, GSC_FAILED, "all ones");
	drop_file(path);
}

SUITE(readers,
	{ "gzip", gzip_streams },
	{ "zstd", zstd_streams },
	{ "gzip's magic by chance", chance_magic },
	{ "a large pipe", large_pipe },
	{ "an endless pipe", endless_pipe },
	{ "captures", captures },
	{ "captures cut and flipped", capture_cut },
	{ "odd captures", capture_odd },
	{ "captures and tar", capture_and_tar },
	{ "ELF cores", cores },
	{ "ELF cores refused", cores_refused },
	{ "a core that wraps", core_wraps },
	{ "a 32-bit core", core32 },
	{ "PCI config text", config_text },
	{ "PCI config text of several functions", config_functions },
	{ "PCI config bytes", config_bytes })
