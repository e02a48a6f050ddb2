/* SPDX-License-Identifier: MIT */
/* The text of a kernel's log: a file, standard input, or the kernel's own. */
#include "fault.h"

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

struct growing {
	char *text;
	size_t size, room;
};

static bool make_room(struct growing *g, size_t more)
{
	size_t room = g->room ? g->room : 1 << 20;
	char *text;

	while (room - g->size < more)
		room *= 2;
	if (room == g->room)
		return true;
	text = realloc(g->text, room);
	if (!text)
		return false;
	g->text = text;
	g->room = room;
	return true;
}

static int hex_of(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static void add_stamp(struct growing *g, const char *stamp)
{
	size_t length = strlen(stamp);

	memcpy(g->text + g->size, stamp, length);
	g->size += length;
}

/*
 * The message without its dictionary, as dmesg shows it. A process can put anything into its own
 * name, which is in many messages: a line that "\x0a" begins has the time of its record, and not
 * one of the process's choice; other control characters become marks.
 */
static void add_message(struct growing *g, const char *stamp, const char *at, const char *end)
{
	add_stamp(g, stamp);
	while (at < end && *at != '\n') {
		char c = *at++;

		if (c == '\\' && end - at > 2 && *at == 'x' && hex_of(at[1]) >= 0 &&
		    hex_of(at[2]) >= 0) {
			c = (char)(hex_of(at[1]) << 4 | hex_of(at[2]));
			at += 3;
		}
		if (((unsigned char)c < ' ' && c != '\t' && c != '\n') || c == 0x7f)
			c = '?';
		g->text[g->size++] = c;
		if (c == '\n')
			add_stamp(g, stamp);
	}
	g->text[g->size++] = '\n';
}

/* "6,1234,20279445,-;text" */
static bool add_record(struct growing *g, char *record, size_t length)
{
	unsigned long long time = 0;
	const char *text = memchr(record, ';', length);
	char stamp[40] = "";

	/* Each "\x0a" needs room for a time. */
	if (!make_room(g, length + (length / 4 + 2) * sizeof(stamp)))
		return false;
	if (!text)
		return true;
	record[text - record] = 0;
	if (sscanf(record, "%*u,%*u,%llu", &time) == 1)
		snprintf(stamp, sizeof(stamp), "[%5llu.%06llu] ", time / 1000000, time % 1000000);
	add_message(g, stamp, text + 1, record + length);
	return true;
}

static enum gsc_status read_records(int fd, struct growing *g, struct gsc_error *err)
{
	char record[RECORD_MOST];

	for (;;) {
		ssize_t got = read(fd, record, sizeof(record));

		/* EPIPE: records were overwritten before they were read; the next one is there. */
		if (got < 0 && (errno == EINTR || errno == EPIPE))
			continue;
		if (got < 0 && errno != EAGAIN)
			return err_errno(err, "/dev/kmsg", errno);
		if (got <= 0)
			return GSC_OK;
		if (!add_record(g, record, (size_t)got))
			return err_memory(err);
	}
}

static enum gsc_status ask_kernel(struct growing *g, struct gsc_error *err)
{
	int size = klogctl(SIZE_BUFFER, NULL, 0);

	if (size < 0)
		return err_errno(err, "the kernel's log", errno);
	if (!make_room(g, (size_t)size + 1))
		return err_memory(err);
	size = klogctl(READ_ALL, g->text, size);
	if (size < 0)
		return err_errno(err, "the kernel's log", errno);
	g->size = (size_t)size;
	return GSC_OK;
}

static enum gsc_status open_kernel(struct log_input *log, struct gsc_error *err)
{
	struct growing g = { NULL };
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	enum gsc_status status = fd < 0 ? GSC_FAILED : read_records(fd, &g, err);

	if (fd >= 0)
		close(fd);
	if (status == GSC_FAILED || status == GSC_DENIED) {
		g.size = 0;
		status = ask_kernel(&g, err);
	}
	if (status == GSC_DENIED) {
		snprintf(err->what, sizeof(err->what), "the kernel's log");
		snprintf(err->why, sizeof(err->why),
			 "not permitted: run as root, or name a file, or allow it: sysctl "
			 "kernel.dmesg_restrict=0");
	}
	log->name = "kernel log";
	log->text = log->own = g.text;
	log->size = g.size;
	return status;
}

/* ---- files ---------------------------------------------------------------------------------- */

static enum gsc_status hold(struct common *common, struct log_input *log, const char *path,
			    struct gsc_error *err)
{
	struct gsc_source_options options = {
		.db = common->db,
		.platform = "brw",
		.registers = GSC_REGISTERS_NONE,
		.temporary = outside_temporary,
		.open = file_open,
		.context = common,
	};
	const char *spec;
	enum gsc_status status;
	char text[4200];

	snprintf(text, sizeof(text), "mem:%s@0", path);
	spec = text;
	status = gsc_source_open(&log->holder, &spec, 1, &options, err);
	if (status) {
		if (!err_is_memory(err))
			snprintf(err->what, sizeof(err->what), "%.200s", log->name);
		return status;
	}
	log->text = (const char *)gsc_span(log->holder, GSC_PHYS, 0, &log->size);
	if (!log->text)
		log->size = 0;
	return GSC_OK;
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
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
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
