/* SPDX-License-Identifier: MIT */
/* Files as bytes: a FILE that may also be a source, and the log of a kernel, perhaps this one. */
#include "cli/input.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/klog.h>
#include <unistd.h>

#define RECORD_MOST 8192		/* what /dev/kmsg gives at once */
#define READ_ALL 3			/* of syslog(2) */
#define SIZE_BUFFER 10
#define HEAD 4096

/* ---- the kernel's own ----------------------------------------------------------------------- */

typedef VEC(char) text_vec;

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

		if (c == '\\' && end - at > 2 && *at == 'x' && is_hex(at[1]) && is_hex(at[2])) {
			c = (char)(digit_value(at[1]) << 4 | digit_value(at[2]));
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

static enum gsc_status open_kernel(struct log_input *log, struct gsc_error *err)
{
	text_vec text = { 0 };
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	enum gsc_status status = fd < 0 ? GSC_FAILED : read_records(fd, &text, err);

	if (fd >= 0)
		close(fd);
	/* Some systems have only the call. */
	if (status == GSC_FAILED || status == GSC_DENIED) {
		int size = klogctl(SIZE_BUFFER, NULL, 0);
		bool room = size < 0 || vec_reserve(&text, (size_t)size + 1);

		if (size >= 0 && room)
			size = klogctl(READ_ALL, text.items, size);
		text.count = size < 0 || !room ? 0 : (size_t)size;
		status = !room ? err_memory(err) :
			 size < 0 ? err_errno(err, "the kernel's log", errno) : GSC_OK;
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

enum gsc_status held_bytes(struct common *common, const char *path, struct held_file *file,
			   struct gsc_error *err)
{
	const struct maker maker = { outside_temporary, file_open, common };
	enum gsc_status status;

	status = file_opened(common, blob_open(&file->blob, path, NULL, &maker, err), err);
	file->data = file->blob.data;
	file->size = file->data ? (size_t)file->blob.size : 0;
	return status;
}

void held_close(struct held_file *file)
{
	if (file->blob.name)
		blob_close(&file->blob);
	*file = (struct held_file){ .data = NULL };
}

enum gsc_status held_damage(struct common *common, const struct held_file *file)
{
	char why[100];

	if (!file->blob.damage)
		return GSC_OK;
	string_set(why, "%s at byte %llu", file->blob.damage, LL(file->blob.damage_at));
	complain(common, GSC_PARTIAL, file->blob.name, why);
	return GSC_PARTIAL;
}

const char *input_name(const char *path)
{
	return strcmp(path, "-") ? path : "standard input";
}

const char **held_names(const struct common *common, bool file, size_t *count)
{
	const char **names = source_names(common->source, count);
	const char **more = file && names ? reallocarray(names, *count + 1, sizeof(*names)) : NULL;

	if (!more)
		return names;
	more[(*count)++] = common->operands[0];
	return more;
}

bool is_text(const uint8_t *data, size_t size)
{
	for (size_t i = 0; i < size && i < HEAD; i++)
		if ((data[i] < 0x20 && !strchr("\t\n\r", data[i])) || data[i] >= 0x7f || !data[i])
			return false;
	return size;
}

bool source_is_none(enum gsc_status status, struct gsc_error *err)
{
	if (status != GSC_FAILED || !strstr(err->why, "not recognised"))
		return false;
	*err = (struct gsc_error){ 0 };
	return true;
}

enum gsc_status held_open(struct common *common, const char *path, held_is_fn *is_own,
			  bool as_source, struct held_file *file, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	const char **specs;
	size_t count;

	*file = (struct held_file){ .data = NULL };
	common->rereads = as_source;
	if (is_own || !as_source)
		status = held_bytes(common, path, file, err);
	if (status || !as_source || (is_own && is_own(file->data, file->size)))
		return status;
	held_close(file);
	specs = specs_with(common, path, &count);
	if (!specs)
		return err_memory(err);
	status = source_open(common, specs, count, false, &common->source, err);
	free(specs);
	if (!status) {
		hints_set(common, path, false);
		return refuse_log(common, err);
	}
	return source_is_none(status, err) ? held_bytes(common, path, file, err) : status;
}

/* ---- logs ----------------------------------------------------------------------------------- */

static enum gsc_status hold(struct common *common, struct log_input *log, const char *path,
			    struct gsc_error *err)
{
	enum gsc_status status = held_bytes(common, path, &log->file, err);

	if (status && !err_is_memory(err))
		string_set(err->what, "%.200s", log->name);
	log->text = status ? "" : (const char *)log->file.data;
	log->size = log->file.size;
	return status;
}

enum gsc_status log_take(struct common *common, char *text, size_t size, struct log_input *log,
			 struct gsc_error *err)
{
	const struct maker maker = { outside_temporary, NULL, common };
	enum gsc_status status;

	log->own = text;
	if (!size)
		return GSC_OK;
	status = blob_from_memory(&log->file.blob, log->name, text, size, blob_accept_any, &maker,
				  err);
	log->text = status ? "" : (const char *)log->file.blob.data;
	log->size = status ? 0 : (size_t)log->file.blob.size;
	return status;
}

enum gsc_status log_open(struct common *common, const char *name, struct log_input *log,
			 struct gsc_error *err)
{
	bool standard = name && !strcmp(name, "-");
	enum gsc_status status = GSC_OK;
	char path[40];
	struct stat st;
	int fd;

	*log = (struct log_input){ .text = "" };
	if (!name)
		return open_kernel(log, err);
	log->name = input_name(name);
	fd = standard ? STDIN_FILENO : open(name, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st)) {
		status = err_errno(err, name, errno);
	} else if (S_ISDIR(st.st_mode) && !standard) {
		status = err_errno(err, name, EISDIR);
	} else if (S_ISREG(st.st_mode) && st.st_size && !standard) {
		status = hold(common, log, name, err);
	} else {
		status = file_keep(fd, log->name, path, sizeof(path), err);
		if (!status && (stat(path, &st) || st.st_size))
			status = hold(common, log, path, err);
	}
	if (fd > STDIN_FILENO)
		close(fd);
	return status;
}

void log_close(struct log_input *log)
{
	held_close(&log->file);
	free(log->own);
}
