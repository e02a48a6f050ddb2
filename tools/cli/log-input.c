/* SPDX-License-Identifier: MIT */
/* Reads a kernel's log. */
#include "cli/log-input.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RECORD_MOST 8192		/* what /dev/kmsg gives at once */
#define READ_ALL 3			/* of syslog(2) */
#define SIZE_BUFFER 10

/* ---- the kernel's own ----------------------------------------------------------------------- */

typedef VEC(char) text_vec;

static int hex_of(char c)
{
	return is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void add_bytes(text_vec *text, const char *bytes, size_t length)
{
	memcpy(text->items + text->count, bytes, length);
	text->count += length;
}

/*
 * "6,1234,20279445,-;text": the message without its dictionary, as dmesg shows it. A process can
 * put anything into its own name, which is in many messages: a line that "\x0a" begins has the time
 * of its record, and not one of the process's choice; other control characters become marks.
 */
static bool add_record(text_vec *text, const char *record, size_t length)
{
	const char *at = memchr(record, ';', length), *end = record + length;
	unsigned long long time = 0;
	char stamp[40] = "";

	/* Each "\x0a" needs room for a time. */
	if (!vec_reserve(text, length + (length / 4 + 2) * sizeof(stamp)))
		return false;
	if (!at)
		return true;
	if (sscanf(record, "%*u,%*u,%llu", &time) == 1)
		string_set(stamp, "[%5llu.%06llu] ", time / 1000000, time % 1000000);
	add_bytes(text, stamp, strlen(stamp));
	for (at++; at < end && *at != '\n';) {
		char c = *at++;

		if (c == '\\' && end - at > 2 && *at == 'x' && hex_of(at[1]) >= 0 &&
		    hex_of(at[2]) >= 0) {
			c = (char)(hex_of(at[1]) << 4 | hex_of(at[2]));
			at += 3;
		}
		if (((unsigned char)c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
			c = '?';
		text->items[text->count++] = c;
		if (c == '\n')
			add_bytes(text, stamp, strlen(stamp));
	}
	text->items[text->count++] = '\n';
	return true;
}

static enum gsc_status read_records(int fd, text_vec *text, struct gsc_error *err)
{
	char record[RECORD_MOST + 1];

	for (;;) {
		ssize_t got = read(fd, record, RECORD_MOST);

		/* EPIPE: records were overwritten before they were read; the next one is there. */
		if (got < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (got < 0 && errno != EAGAIN)
			return err_errno(err, "/dev/kmsg", errno);
		if (got <= 0)
			return GSC_OK;
		record[got] = 0;
		if (!add_record(text, record, (size_t)got))
			return err_memory(err);
	}
}

static enum gsc_status ask_kernel(text_vec *text, struct gsc_error *err)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0);

	if (size >= 0 && !vec_reserve(text, (size_t)size + 1))
		return err_memory(err);
	if (size >= 0)
		size = klogctl(READ_ALL, text->items, size);
	if (size < 0)
		return err_errno(err, "the kernel's log", errno);
	text->count = (size_t)size;
	return GSC_OK;
}

static enum gsc_status open_kernel(struct log_input *log, struct gsc_error *err)
{
	text_vec text = { 0 };
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	enum gsc_status status = fd < 0 ? GSC_FAILED : read_records(fd, &text, err);

	if (fd >= 0)
		close(fd);
	if (status == GSC_FAILED || status == GSC_DENIED) {
		text.count = 0;
		status = ask_kernel(&text, err);
	}
	if (status == GSC_DENIED)
		err_set(err, status, "the kernel's log", "not permitted: run as root, or name a "
			"file, or allow it: sysctl kernel.dmesg_restrict=0");
	log->name = "kernel log";
	log->text = log->own = text.items;
	log->size = text.count;
	return status;
}

/* ---- files ---------------------------------------------------------------------------------- */

const uint8_t *file_hold(struct common *common, const char *path, struct gsc_source **holder,
			 size_t *size, struct gsc_error *err)
{
	struct gsc_source_options options = {
		.db = common->db,
		.platform = "brw",
		.registers = GSC_REGISTERS_NONE,
		.temporary = outside_temporary,
		.open = file_open,
		.context = common,
	};
	char text[4200];
	const char *spec = text;

	*size = 0;
	string_set(text, "mem:%.4100s@0", path);
	if (gsc_source_open(holder, &spec, 1, &options, err))
		return NULL;
	return gsc_span(*holder, GSC_PHYS, 0, size);
}

static enum gsc_status hold(struct common *common, struct log_input *log, const char *path,
			    struct gsc_error *err)
{
	log->text = (const char *)file_hold(common, path, &log->holder, &log->size, err);
	if (!log->holder && !err_is_memory(err))
		string_set(err->what, "%.200s", log->name);
	return log->holder ? GSC_OK : err->status;
}

enum gsc_status log_hold(struct common *common, const char *text, size_t size,
			 struct log_input *log, struct gsc_error *err)
{
	enum gsc_status status;
	int fd, error;
	char path[40];

	if (!size)
		return GSC_OK;
	fd = memfd_create("gpuscope", MFD_CLOEXEC);
	if (fd < 0 || !fd_write(fd, text, size)) {
		error = errno;
		if (fd >= 0)
			close(fd);
		return err_errno(err, log->name, error);
	}
	string_set(path, "/dev/fd/%d", fd);
	status = hold(common, log, path, err);
	close(fd);
	return status;
}

static enum gsc_status open_stream(struct common *common, struct log_input *log, int fd,
				   struct gsc_error *err)
{
	char path[40];
	enum gsc_status status = file_keep(fd, log->name, path, sizeof(path), err);
	struct stat st;

	if (status)
		return status;
	if (!stat(path, &st) && !st.st_size)
		return GSC_OK;
	return hold(common, log, path, err);
}

static enum gsc_status open_file(struct common *common, struct log_input *log, const char *path,
				 struct gsc_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	enum gsc_status status;
	struct stat st;

	if (fd < 0 || fstat(fd, &st)) {
		status = err_errno(err, path, errno);
	} else if (S_ISDIR(st.st_mode)) {
		status = err_errno(err, path, EISDIR);
	} else if (!S_ISREG(st.st_mode) || !st.st_size) {
		status = open_stream(common, log, fd, err);
	} else {
		status = hold(common, log, path, err);
	}
	if (fd >= 0)
		close(fd);
	return status;
}

enum gsc_status log_open(struct common *common, const char *name, struct log_input *log,
			 struct gsc_error *err)
{
	*log = (struct log_input){ .text = "" };
	if (!name)
		return open_kernel(log, err);
	log->name = strcmp(name, "-") ? name : "standard input";
	if (!strcmp(name, "-"))
		return open_stream(common, log, STDIN_FILENO, err);
	return open_file(common, log, name, err);
}

void log_close(struct log_input *log)
{
	source_close(log->holder);
	free(log->own);
}
