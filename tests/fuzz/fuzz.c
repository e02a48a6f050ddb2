/* SPDX-License-Identifier: MIT */
/* Definitions, files and output for the targets. */
#include "fuzz.h"
#include "batch/command.h"
#include "open/open.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PLATFORMS_MAX 64
#define RECORDS_MAX 96

static void need(enum gsc_status status, const struct gsc_error *err)
{
	if (status) {
		fprintf(stderr, "%s: %s\n", err->what, err->why);
		abort();
	}
}

/* ---- made once ------------------------------------------------------------------------------ */

const struct gsc_db *fuzz_db(void)
{
	static struct gsc_db *db;
	struct gsc_error err;

	if (!db)
		need(gsc_db_new(&db, &err), &err);
	return db;
}

unsigned fuzz_platform(uint64_t number)
{
	return (unsigned)(number % gsc_platform_count(fuzz_db()));
}

const struct gsc_view *fuzz_view(unsigned platform)
{
	static struct gsc_view *views[PLATFORMS_MAX];
	struct gsc_error err;

	FUZZ_REQUIRE(platform < PLATFORMS_MAX);
	if (!views[platform])
		need(gsc_view_new(&views[platform], fuzz_db(), platform, -1, &err), &err);
	return views[platform];
}

struct gsc_commands *fuzz_commands(unsigned platform)
{
	static struct gsc_commands *sets[PLATFORMS_MAX];
	struct gsc_error err;

	FUZZ_REQUIRE(platform < PLATFORMS_MAX);
	if (!sets[platform])
		need(gsc_commands_new(&sets[platform],
				      fuzz_gpu(NULL, fuzz_view(platform)), &err), &err);
	return sets[platform];
}

struct gsc_source *fuzz_demo(void)
{
	static const char *const specs[] = { "demo:skl-hang" };
	struct gsc_source_options options = { .db = fuzz_db() };
	static struct gsc_source *demo;
	struct gsc_error err;

	if (!demo)
		need(gsc_source_open(&demo, specs, 1, &options, &err), &err);
	return demo;
}

/* Views are kept: the parts contain everything. */
const struct gsc_gpu *fuzz_gpu(struct gsc_source *source, const struct gsc_view *view)
{
	static struct gsc_gpu *gpus[16];
	static size_t next;
	struct gsc_error err;
	struct gsc_gpu *gpu;

	for (size_t i = 0; view && i < 16 && gpus[i]; i++)
		if (gsc_gpu_source(gpus[i]) == source && gsc_gpu_view(gpus[i]) == view)
			return gpus[i];
	if (!view)
		return NULL;
	gsc_gpu_close(gpus[next]);
	need(gsc_gpu_new(&gpus[next], source, view, &err), &err);
	gpu = gpus[next];
	next = (next + 1) % 16;
	return gpu;
}

/* Register number i of the platform, so that most records change an existing one. */
void fuzz_registers(struct fuzz_input *in, const struct gsc_view *view, uint8_t *registers)
{
	struct gsc_reg reg;

	memset(registers, 0, FUZZ_REGISTERS);
	for (unsigned n = 0; n < RECORDS_MAX && in->size; n++) {
		uint64_t number = fuzz_take(in, 2), value = fuzz_take(in, 4);

		if (!number && !value)
			return;
		gsc_view_reg(view, number % gsc_view_count(view), &reg);
		if (reg.space != GSC_MMIO || reg.offset > FUZZ_REGISTERS - 8)
			continue;
		for (unsigned i = 0; i < 4; i++)
			registers[reg.offset + i] = (uint8_t)(value >> 8 * i);
	}
}

/* ---- input ---------------------------------------------------------------------------------- */

uint64_t fuzz_take(struct fuzz_input *in, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes && in->size; i++, in->data++, in->size--)
		value |= (uint64_t)*in->data << 8 * i;
	return value;
}

static int file_of(unsigned number)
{
	static int fds[FUZZ_FILES] = { -1, -1, -1, -1 };

	FUZZ_REQUIRE(number < FUZZ_FILES);
	if (fds[number] < 0)
		fds[number] = memfd_create("input", MFD_CLOEXEC);
	FUZZ_REQUIRE(fds[number] >= 0);
	return fds[number];
}

const char *fuzz_path(unsigned number)
{
	static char paths[FUZZ_FILES][40];

	snprintf(paths[number], sizeof(paths[number]), "/proc/self/fd/%d", file_of(number));
	return paths[number];
}

int fuzz_new_file(unsigned number)
{
	int fd = file_of(number);

	FUZZ_REQUIRE(!ftruncate(fd, 0) && !lseek(fd, 0, SEEK_SET));
	return fd;
}

const char *fuzz_file(unsigned number, const void *data, size_t size)
{
	int fd = fuzz_new_file(number);

	FUZZ_REQUIRE(!size || pwrite(fd, data, size, 0) == (ssize_t)size);
	return fuzz_path(number);
}

/* What is missing from a partial result is reported elsewhere. */
void fuzz_check_error(const struct gsc_error *err, enum gsc_status status)
{
	if (status == GSC_PARTIAL)
		return;
	FUZZ_REQUIRE(err->status == status);
	FUZZ_REQUIRE(memchr(err->what, 0, sizeof(err->what)) && err->what[0]);
	FUZZ_REQUIRE(memchr(err->why, 0, sizeof(err->why)) && err->why[0]);
}

struct gsc_source *fuzz_open(const char *const *specs, size_t count, const char *platform)
{
	struct gsc_source_options options = { .db = fuzz_db(), .platform = platform };
	struct gsc_source *source;
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_source_open(&source, specs, count, &options, &err);

	FUZZ_REQUIRE(!status == !!source);
	if (status)
		fuzz_check_error(&err, status);
	return source;
}

struct gsc_source *fuzz_open_bytes(const char *prefix, const void *data, size_t size,
				   const char *platform)
{
	char spec[80];
	const char *specs[] = { spec };

	snprintf(spec, sizeof(spec), "%s%s", prefix, fuzz_file(0, data, size));
	return fuzz_open(specs, 1, platform);
}

/* ---- output --------------------------------------------------------------------------------- */

struct gsc_out *fuzz_out(void)
{
	struct gsc_error err;
	struct gsc_out *out;

	need(gsc_out_new(&out, -1, false, &err), &err);
	return out;
}

/* How many bytes a character of valid UTF-8 has (RFC 3629, 4); 0: it is none. */
static size_t character(const unsigned char *text, size_t size, uint32_t *code)
{
	size_t length = *text < 0x80 ? 1 : *text < 0xc2 ? 0 : *text < 0xe0 ? 2 : *text < 0xf0 ? 3 : 4;

	if (!length || length > size || *text > 0xf4)
		return 0;
	*code = length == 1 ? *text : *text & 0x7fu >> length;
	for (size_t i = 1; i < length; i++) {
		if (text[i] >> 6 != 2)
			return 0;
		*code = *code << 6 | (text[i] & 0x3f);
	}
	return length;
}

/* Whatever names a dump has, they must not control a terminal, and JSON is UTF-8. */
void fuzz_out_end(struct gsc_out *out)
{
	size_t size, length;
	const unsigned char *text = (const unsigned char *)gsc_out_data(out, &size);
	uint32_t code;

	for (size_t i = 0; i < size; i += length) {
		length = character(text + i, size - i, &code);
		FUZZ_REQUIRE(length);
		FUZZ_REQUIRE(code == '\n' || code == '\t' || (code >= ' ' && code < 0x7f) ||
			     code >= 0xa0);
	}
	gsc_out_free(out);
}
