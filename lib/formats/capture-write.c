/* SPDX-License-Identifier: MIT */
/* Writes a capture: members of a tar archive, with the two texts that describe its contents. */
#include "formats/capture.h"

#include <stdio.h>
#include <unistd.h>

static void add_args(struct capture *capture, capture_text *text, const char *format, va_list args)
	__attribute__((format(printf, 3, 0)));

static void add_args(struct capture *capture, capture_text *text, const char *format, va_list args)
{
	char line[512];
	int length = vsnprintf(line, sizeof(line), format, args);
	size_t used;

	if (length < 0)
		length = 0;
	used = MIN((size_t)length, sizeof(line) - 1);
	if (!vec_reserve(text, used)) {
		capture->memory_out = true;
		return;
	}
	memcpy(text->items + text->count, line, used);
	text->count += used;
}

static void add(struct capture *capture, capture_text *text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void add(struct capture *capture, capture_text *text, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_args(capture, text, format, args);
	va_end(args);
}

bool capture_write_fd(void *context, const void *data, size_t size)
{
	return fd_write(*(const int *)context, data, size);
}

void capture_begin(struct capture *capture, tar_write write, void *context, uint64_t mtime)
{
	*capture = (struct capture){ 0 };
	capture->tar = (struct tar_writer){ .write = write, .context = context, .mtime = mtime };
	add(capture, &capture->info, "format: %d\n", CAPTURE_FORMAT);
}

void capture_info(struct capture *capture, const char *key, const char *format, ...)
{
	capture_text *info = &capture->info;
	size_t start;
	va_list args;

	add(capture, info, "%s: ", key);
	start = info->count;
	va_start(args, format);
	add_args(capture, info, format, args);
	va_end(args);
	for (size_t i = start; i < info->count; i++)
		if (info->items[i] == '\n' || info->items[i] == '\r')
			info->items[i] = ' ';
	add(capture, info, "\n");
}

static void begin_member(struct capture *capture, const char *name, uint64_t length)
{
	if (!capture->info_written) {
		capture->info_written = true;
		tar_member_begin(&capture->tar, CAPTURE_INFO, capture->info.count);
		tar_member_data(&capture->tar, capture->info.items, capture->info.count);
	}
	tar_member_begin(&capture->tar, name, length);
}

void capture_member(struct capture *capture, const char *name, const void *data, size_t length)
{
	begin_member(capture, name, length);
	capture_data(capture, data, length);
}

void capture_piece_begin(struct capture *capture, enum gsc_space space, uint64_t address,
			 uint64_t length)
{
	char name[64];

	snprintf(name, sizeof(name), "%s/0x%llx.bin", gsc_space_name(space),
		 (unsigned long long)address);
	begin_member(capture, name, length);
}

void capture_data(struct capture *capture, const void *data, size_t length)
{
	tar_member_data(&capture->tar, data, length);
}

void capture_zeros(struct capture *capture, uint64_t length)
{
	tar_member_zeros(&capture->tar, length);
}

void capture_piece(struct capture *capture, enum gsc_space space, uint64_t address,
		   const void *data, size_t length)
{
	capture_piece_begin(capture, space, address, length);
	capture_data(capture, data, length);
}

void capture_status(struct capture *capture, enum gsc_space space, uint64_t start, uint64_t length,
		    enum gsc_read status)
{
	add(capture, &capture->status[space], "0x%llx 0x%llx %s\n", (unsigned long long)start,
	    (unsigned long long)length, gsc_read_word(status));
}

void capture_listed(struct capture *capture, const struct listed *listed, const char *name)
{
	add(capture, &capture->listed[listed->space], "0x%llx 0x%llx %u%s%s\n",
	    (unsigned long long)listed->address, (unsigned long long)listed->length,
	    listed->unit, name ? " " : "", name ? name : "");
}

static void end_text(struct capture *capture, unsigned space, const char *what, capture_text *text)
{
	char name[64];

	if (text->count) {
		snprintf(name, sizeof(name), "%s/%s", gsc_space_name((enum gsc_space)space), what);
		capture_member(capture, name, text->items, text->count);
	}
	vec_free(text);
}

bool capture_end(struct capture *capture)
{
	bool done;

	for (unsigned space = 0; space < GSC_SPACES; space++) {
		end_text(capture, space, "status", &capture->status[space]);
		end_text(capture, space, "listed", &capture->listed[space]);
	}
	if (!capture->info_written)
		capture_member(capture, "gpuscope/empty", "", 0);
	vec_free(&capture->info);
	done = tar_end(&capture->tar);
	return done && !capture->memory_out;
}
