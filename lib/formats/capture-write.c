/* SPDX-License-Identifier: MIT */
/* Writes a capture: members of a tar archive, with the two texts that describe its contents. */
#include "formats/capture.h"

static void __attribute__((format(printf, 3, 4)))
add(struct capture *capture, capture_text *text, const char *format, ...)
{
	char line[640];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	length = MIN(MAX(length, 0), (int)sizeof(line) - 1);
	if (!vec_reserve(text, (size_t)length)) {
		capture->memory_out = true;
		return;
	}
	memcpy(text->items + text->count, line, (size_t)length);
	text->count += (size_t)length;
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
	char value[512];
	va_list args;

	va_start(args, format);
	vsnprintf(value, sizeof(value), format, args);
	va_end(args);
	for (char *at = value; (at = strpbrk(at, "\r\n"));)
		*at = ' ';
	add(capture, &capture->info, "%.100s: %s\n", key, value);
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

	snprintf(name, sizeof(name), "%s/0x%llx.bin", gsc_space_name(space), LL(address));
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
	add(capture, &capture->status[space], "0x%llx 0x%llx %s\n", LL(start),
	    LL(length), gsc_read_word(status));
}

void capture_listed(struct capture *capture, const struct listed *listed, const char *name)
{
	add(capture, &capture->listed[listed->space], "0x%llx 0x%llx %u%s%s\n", LL(listed->address),
	    LL(listed->length), listed->unit, name ? " " : "", name ? name : "");
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
