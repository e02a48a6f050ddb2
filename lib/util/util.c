/* SPDX-License-Identifier: MIT */
/*
 * Errors, growing arrays, whole writes, clocks; comparing and matching names, and the distance
 * between them.
 */
#include "util/util.h"

#include "util/text.h"

#include <errno.h>
#include <unistd.h>

enum gsc_status err_set(struct gsc_error *err, enum gsc_status status, const char *what,
			const char *why, ...)
{
	va_list args;

	if (!err)
		return status;
	err->status = status;
	string_set(err->what, "%s", what);
	va_start(args, why);
	vsnprintf(err->why, sizeof(err->why), why, args);
	va_end(args);
	return status;
}

enum gsc_status err_errno(struct gsc_error *err, const char *what, int number)
{
	bool denied = number == EACCES || number == EPERM;

	return err_set(err, denied ? GSC_DENIED : GSC_FAILED, what, "%s", strerror(number));
}

enum gsc_status err_memory(struct gsc_error *err)
{
	return err_set(err, GSC_FAILED, "memory", "not enough of it");
}

bool err_is_memory(const struct gsc_error *err)
{
	return err->status == GSC_FAILED && !strcmp(err->what, "memory");
}

int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

bool fd_write(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size) {
		ssize_t done = write(fd, at, size);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return false;
		at += done;
		size -= (size_t)done;
	}
	return true;
}

bool bytes_are_zero(const void *data, size_t size)
{
	const char *bytes = data;

	return !size || (!bytes[0] && !memcmp(bytes, bytes + 1, size - 1));
}

bool vec_grow(void **items, size_t *room, size_t count, size_t more, size_t size)
{
	size_t want = *room ? *room : 8;
	void *grown;

	if (more > SIZE_MAX / size - count)
		return false;
	if (count + more <= *room)
		return true;
	while (want < count + more)
		want = want > SIZE_MAX / 2 ? count + more : want * 2;
	if (want > SIZE_MAX / size)
		return false;
	grown = realloc(*items, want * size);
	if (!grown)
		return false;
	*items = grown;
	*room = want;
	return true;
}

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : (unsigned char)c;
}

int name_compare_n(const char *a, const char *b, size_t n)
{
	for (; n; a++, b++, n--) {
		int difference = *a == *b ? 0 : lower(*a) - lower(*b);

		if (difference || !*a)
			return difference;
	}
	return 0;
}

int name_compare(const char *a, const char *b)
{
	return name_compare_n(a, b, SIZE_MAX);
}

/* Linear: on a mismatch only the last star seen can still move. */
static bool glob_match_n(const char *pattern, const char *end, const char *name)
{
	const char *star = NULL, *resume = NULL;

	while (*name) {
		if (pattern < end && *pattern == '*') {
			star = pattern++;
			resume = name;
		} else if (pattern < end && (*pattern == '?' || lower(*pattern) == lower(*name))) {
			pattern++;
			name++;
		} else if (star) {
			pattern = star + 1;
			name = ++resume;
		} else {
			return false;
		}
	}
	while (pattern < end && *pattern == '*')
		pattern++;
	return pattern == end;
}

bool glob_match(const char *pattern, const char *name)
{
	return glob_match_n(pattern, pattern + strlen(pattern), name);
}

bool glob_list(const char *patterns, const char *name)
{
	while (*patterns) {
		size_t length = strcspn(patterns, " ");

		if (length && glob_match_n(patterns, patterns + length, name))
			return true;
		patterns += length + (patterns[length] == ' ');
	}
	return false;
}

bool list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t end = strcspn(list, ",");

		if (end == length && !memcmp(list, word, length))
			return true;
		list += end + (list[end] == ',');
	}
	return false;
}

const struct span *span_from(const span_vec *spans, uint64_t address)
{
	size_t at = SEEK(i, 0, spans->count, spans->items[i].last < address);

	return at < spans->count ? &spans->items[at] : NULL;
}

#define LONGEST_COMPARED 63

unsigned name_distance(const char *a, const char *b)
{
	unsigned row[3][LONGEST_COMPARED + 1];
	size_t la = strlen(a), lb = strlen(b);

	if (la > LONGEST_COMPARED || lb > LONGEST_COMPARED)
		return UINT32_MAX;
	for (size_t j = 0; j <= lb; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= la; i++) {
		unsigned *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];

		now[0] = (unsigned)i;
		for (size_t j = 1; j <= lb; j++) {
			unsigned change = up[j - 1] + (lower(a[i - 1]) != lower(b[j - 1]));

			now[j] = MIN(change, MIN(up[j], now[j - 1]) + 1);
			if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
			    lower(a[i - 2]) == lower(b[j - 1]))
				now[j] = MIN(now[j], up2[j - 2] + 1);
		}
	}
	return row[la % 3][lb];
}

const char *name_to_paste(const char *name)
{
	static const char safe[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				   "._/+,:=@%-";
	const char *end = strrchr(name, '.');

	if (!*name || (*name == '-' && name[1]) || name[strspn(name, safe)] ||
	    (end && (!strcmp(end, ".gz") || !strcmp(end, ".zst"))))
		return "FILE";
	return name;
}
