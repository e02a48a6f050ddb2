/* SPDX-License-Identifier: MIT */
/* Opening GPUs of sources of every kind, and what the sources say and hold. */
#include "test.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- what sources say ------------------------------------------------------------------------ */

static const char *property(const struct gpuscope_part *part, const char *key)
{
	for (size_t i = 0; part->properties[i]; i++)
		if (!strcmp(part->properties[i]->key, key))
			return part->properties[i]->value;
	return NULL;
}

static void test_info(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_info *info = gpuscope_gpu_info(gpu);

	CHECK(info->size == sizeof(*info));
	TEXT(info->platform->name, "skl");
	NUMBER(*info->device, 0x1912);
	NUMBER(*info->revision, 6);
	CHECK(!info->live && !info->iommu);
	TEXT(info->refusal, NULL);
	TEXT(info->parts[0]->name, "demo:skl-hang");
	TEXT(info->parts[0]->kind, "gpuscope capture");
	TEXT(property(info->parts[0], "platform"), "skl");
	TEXT(property(info->parts[0], "format"), "1");
	CHECK(!info->parts[1] && !info->notes[0]);
	CHECK(gpuscope_gpu_info(gpu) == info);
}

static void test_files(struct gpuscope_gpu *gpu)
{
	const struct gpuscope_file *file;
	struct gpuscope_list *list;
	unsigned count = 0;

	FINE(gpuscope_files(gpu, &list));
	while ((file = gpuscope_next(list))) {
		CHECK(file->size == sizeof(*file) && file->full_length == file->length);
		if (!count++) {
			TEXT(file->name, "gpuscope/info");
			CHECK(memmem(file->data, file->length, "platform", 8) != NULL);
		}
	}
	NUMBER(count, 49);
	gpuscope_list_free(list);
}

static unsigned count_items(struct gpuscope_error *error, struct gpuscope_list **list)
{
	unsigned count = 0;

	if (FINE(error))
		while (gpuscope_next(*list))
			count++;
	gpuscope_list_free(*list);
	return count;
}

static void test_buffers(void)
{
	struct gpuscope_gpu *gpu = gpu_of("driver-made/i915-6.12-skl-second.gz");
	const struct gpuscope_buffer *buffer, *ring = NULL;
	struct gpuscope_list *list;
	unsigned count = 0;
	uint32_t word;

	FINE(gpuscope_buffers(gpu, &list));
	/* The GPU goes first; the list keeps it. */
	gpuscope_gpu_free(gpu);
	while ((buffer = gpuscope_next(list))) {
		CHECK(buffer->size == sizeof(*buffer) && buffer->length);
		TEXT(buffer->engine, "rcs0");
		count++;
		if (!strcmp(buffer->kind, "ring")) {
			ring = buffer;
			NUMBER(buffer->space, GPUSCOPE_SPACE_GTTMEM);
			CHECK(buffer->hung);
			/* What its address reads is what it holds. */
			gpu = gpu_of("driver-made/i915-6.12-skl-second.gz");
			NUMBER(gpuscope_read_memory(gpu, buffer->space, buffer->address, &word, 4,
						    NULL, NULL), GPUSCOPE_STATE_OK);
			CHECK(!buffer->data || !memcmp(buffer->data, &word, 4));
			gpuscope_gpu_free(gpu);
		}
	}
	CHECK(ring && count >= 4);
	gpuscope_list_free(list);
}

static void test_notes(void)
{
	static const char cut[] = "GPU HANG: ecode 9:1:0x85dffffb\nKernel: 6.1\nPCI ID: 0x1912\n"
				  "rcs0 command stream:\n  START: 0x00001000\n  HEAD:  0x00";
	const struct gpuscope_bytes bytes = { .size = sizeof(bytes), .name = "cut.txt",
					      .data = cut, .length = sizeof(cut) - 1 };
	const struct gpuscope_bytes *const list[] = { &bytes, NULL };
	const struct gpuscope_options options = { .size = sizeof(options), .bytes = list };
	const struct gpuscope_info *info;
	struct gpuscope_gpu *gpu;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	info = gpuscope_gpu_info(gpu);
	TEXT(info->parts[0]->kind, "i915 error state");
	CHECK(info->notes[0] && strstr(info->notes[0], "cut.txt: line 6"));
	gpuscope_gpu_free(gpu);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void test_errors(void)
{
	const char *const missing[] = { "no-such-file" }, *const nothing[] = { "none" };
	struct gpuscope_options options = { .size = sizeof(options) };
	struct gpuscope_bytes bytes = { .size = sizeof(bytes), .data = "1234", .length = 4 };
	const struct gpuscope_bytes *const list[] = { &bytes, NULL };
	struct gpuscope_memory memory = { .size = sizeof(memory) };
	struct {
		struct gpuscope_options known;
		uint64_t newer;
	} newer = { { .size = sizeof(newer) }, 0 };
	struct gpuscope_gpu *gpu;

	ERROR(gpuscope_open(missing, 1, NULL, &gpu), GPUSCOPE_STATUS_FAILED, "no-such-file",
	      "No such file");
	CHECK(!gpu);
	ERROR(gpuscope_open(nothing, 1, NULL, &gpu), GPUSCOPE_STATUS_USAGE, "platform", "options");
	options.platform = "quake";
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_UNKNOWN, "quake", "unknown");
	options = (struct gpuscope_options){ .size = sizeof(options), .platform = "skl",
					     .wake = (enum gpuscope_wake)9 };
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "wake", "no way 9");

	options = (struct gpuscope_options){ .size = 0, .platform = "skl" };
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "options", "sizeof");
	newer.known.platform = "skl";
	FINE(gpuscope_open(NULL, 0, &newer.known, &gpu));
	gpuscope_gpu_free(gpu);
	newer.newer = 1;
	ERROR(gpuscope_open(NULL, 0, &newer.known, &gpu), GPUSCOPE_STATUS_USAGE, "options",
	      "this version");

	options = (struct gpuscope_options){ .size = sizeof(options), .platform = "skl",
					     .bytes = list };
	bytes.kind = "core";
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "bytes", "\"core\"");
	bytes.kind = "config";
	bytes.address = 0x1000;
	bytes.name = "conf";
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "conf", "address");
	bytes = (struct gpuscope_bytes){ .size = sizeof(bytes) };
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "bytes", "NULL");

	options.bytes = NULL;
	options.memory = &memory;
	ERROR(gpuscope_open(NULL, 0, &options, &gpu), GPUSCOPE_STATUS_USAGE, "memory", "function");
	gpuscope_gpu_free(NULL);
}

/* ---- moments, stored dumps, captures --------------------------------------------------------- */

static void test_moments(void)
{
	struct gpuscope_gpu *gpu = gpu_of("../fuzz/seeds/aub/b9c1af0580def12e"), *moment, *none;
	struct gpuscope_list *list;

	FINE(gpuscope_gpu_at(gpu, 1, &moment));
	ERROR(gpuscope_gpu_at(gpu, 3, &none), GPUSCOPE_STATUS_USAGE, "submission", "2");
	CHECK(!none);
	/* It keeps what it was made from. */
	gpuscope_gpu_free(gpu);
	TEXT(gpuscope_gpu_info(moment)->platform->name, "snb");
	CHECK(count_items(gpuscope_registers(moment, NULL, 0, &list), &list) > 100);
	gpuscope_gpu_free(moment);

	gpu = gpu_of("demo:skl-hang");
	ERROR(gpuscope_gpu_at(gpu, 1, &moment), GPUSCOPE_STATUS_USAGE, "submission", "no trace");
	gpuscope_gpu_free(gpu);
}

/* The header of a file in a tar archive. */
static void tar_header(char *header, const char *name, size_t size)
{
	unsigned sum = 0;

	memset(header, 0, 512);
	strcpy(header, name);
	strcpy(header + 100, "0000644");
	snprintf(header + 124, 12, "%011zo", size);
	strcpy(header + 136, "00000000000");
	memset(header + 148, ' ', 8);
	header[156] = '0';
	memcpy(header + 257, "ustar\00000", 8);
	for (int i = 0; i < 512; i++)
		sum += (unsigned char)header[i];
	snprintf(header + 148, 8, "%06o", sum);
}

static size_t read_file(FILE *file, char *buf, size_t room)
{
	size_t size;

	rewind(file);
	size = fread(buf, 1, room, file);
	fclose(file);
	return size;
}

/* A capture with a dump that the kernel had stored, from a capture without. */
static void test_stored(char *capture, size_t size)
{
	char dump[4096] = "";
	size_t length = read_file(fopen("error-state.txt", "r"), dump, sizeof(dump));
	struct gpuscope_bytes bytes = { .size = sizeof(bytes), .data = capture };
	const struct gpuscope_bytes *const parts[] = { &bytes, NULL };
	const struct gpuscope_options options = { .size = sizeof(options), .bytes = parts };
	const struct gpuscope_stored *stored;
	struct gpuscope_gpu *gpu, *inner, *none;
	struct gpuscope_list *list;

	CHECK(length && length < sizeof(dump));
	/* In place of the zeros at the end. */
	while (size >= 512 && !capture[size - 512])
		size -= 512;
	tar_header(capture + size, "stored/i915/error", length);
	memcpy(capture + size + 512, dump, sizeof(dump));
	memset(capture + size + 512 + sizeof(dump), 0, 1024);
	bytes.length = size + 512 + (length + 511) / 512 * 512 + 1024;
	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	FINE(gpuscope_stored(gpu, &list));
	stored = gpuscope_next(list);
	if (stored) {
		CHECK(stored->size == sizeof(*stored));
		TEXT(stored->path, "stored/i915/error");
		TEXT(stored->kind, "i915 error state");
	}
	CHECK(stored && !gpuscope_next(list));
	gpuscope_list_free(list);
	FINE(gpuscope_open_stored(gpu, 0, &inner));
	ERROR(gpuscope_open_stored(gpu, 1, &none), GPUSCOPE_STATUS_UNKNOWN, "stored dumps",
	      "number");
	CHECK(!none);
	gpuscope_gpu_free(gpu);
	TEXT(gpuscope_gpu_info(inner)->parts[0]->kind, "i915 error state");
	gpuscope_gpu_free(inner);
}

static void test_save(struct gpuscope_gpu *gpu)
{
	struct gpuscope_save_options options = { .size = sizeof(options), .uncompressed = true };
	struct gpuscope_bytes bytes = { .size = sizeof(bytes), .name = "saved" };
	const struct gpuscope_bytes *const parts[] = { &bytes, NULL };
	const struct gpuscope_options from = { .size = sizeof(from), .bytes = parts };
	enum { ROOM = 1 << 20 };
	char *capture = malloc(ROOM);
	const char *const head = "rcs0.RING_BUFFER_HEAD";
	const struct gpuscope_reading *reading;
	struct gpuscope_list *list;
	struct gpuscope_gpu *saved;
	FILE *file = tmpfile();

	FINE(gpuscope_save(gpu, fileno(file), &options));
	bytes.data = capture;
	bytes.length = read_file(file, capture, ROOM - 8192);
	if (FINE(gpuscope_open(NULL, 0, &from, &saved))) {
		TEXT(gpuscope_gpu_info(saved)->parts[0]->name, "saved");
		TEXT(gpuscope_gpu_info(saved)->parts[0]->kind, "gpuscope capture");
		FINE(gpuscope_registers(saved, &head, 1, &list));
		gpuscope_gpu_free(saved);
		reading = gpuscope_next(list);
		NUMBER(*reading->value, 0x00600bf0);
		gpuscope_list_free(list);
		test_stored(capture, bytes.length);
	}
	free(capture);

	/* Compressed, and to where nothing can be written. */
	file = tmpfile();
	FINE(gpuscope_save(gpu, fileno(file), NULL));
	CHECK(lseek(fileno(file), 0, SEEK_END) < (off_t)bytes.length / 2);
	fclose(file);
	ERROR(gpuscope_save(gpu, -1, NULL), GPUSCOPE_STATUS_FAILED, "capture",
	      "Bad file descriptor");
}

/* ---- definitions, devices -------------------------------------------------------------------- */

static void test_definitions_only(void)
{
	const struct gpuscope_options options = { .size = sizeof(options), .platform = "0x9a49" };
	const struct gpuscope_info *info;
	struct gpuscope_gpu *gpu, *other;
	struct gpuscope_list *list;

	if (!FINE(gpuscope_open(NULL, 0, &options, &gpu)))
		return;
	info = gpuscope_gpu_info(gpu);
	TEXT(info->platform->name, "tgl");
	CHECK(!info->device && !info->revision && !info->live);
	CHECK(!info->parts[0] && !info->notes[0]);
	NUMBER(count_items(gpuscope_files(gpu, &list), &list), 0);
	NUMBER(count_items(gpuscope_buffers(gpu, &list), &list), 0);
	NUMBER(count_items(gpuscope_stored(gpu, &list), &list), 0);
	ERROR(gpuscope_gpu_at(gpu, 1, &other), GPUSCOPE_STATUS_USAGE, "submission", "no source");
	ERROR(gpuscope_open_stored(gpu, 0, &other), GPUSCOPE_STATUS_USAGE, "stored dump",
	      "no source");
	ERROR(gpuscope_save(gpu, 1, NULL), GPUSCOPE_STATUS_USAGE, "capture", "no source");
	gpuscope_gpu_rest(gpu);
	gpuscope_gpu_free(gpu);
}

/* Machines have GPUs or have none: what is listed can be opened by its name, at least. */
static void test_devices(void)
{
	const struct gpuscope_device *device;
	struct gpuscope_list *list = NULL;
	struct gpuscope_error *error = gpuscope_devices(NULL, &list);

	CHECK(!error == (list != NULL));
	while (list && (device = gpuscope_next(list)))
		CHECK(device->size == sizeof(*device) && device->name && device->device);
	gpuscope_list_free(list);
	gpuscope_error_free(error);
}

int main(void)
{
	struct gpuscope_gpu *gpu = gpu_of("demo:skl-hang");

	if (gpu) {
		test_info(gpu);
		test_files(gpu);
		test_save(gpu);
	}
	gpuscope_gpu_free(gpu);
	test_buffers();
	test_notes();
	test_errors();
	test_moments();
	test_definitions_only();
	test_devices();
	return checked();
}
