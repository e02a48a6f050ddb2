/* SPDX-License-Identifier: MIT */
/*
 * The name of a process is up to 15 bytes of any kind, and drivers print it unchanged before its
 * number: "Process: game [1981]". A newline in it would make a line of what follows, with any key.
 */
#include "text/clean.h"

#include <ctype.h>

#define HEAD (1 << 20)			/* names precede the bytes of buffers */
#define NAME_MOST 16			/* with a blank before the number */

/*
 * i915_gpu_error.c, error_print_context() and err_print_gt(); xe_devcoredump.c. In a kernel log
 * such words follow a time and a driver, and a newline in a name is escaped.
 */
static bool has_name(struct text_line line)
{
	static const char *const keys[] = {
		"GPU HANG: ecode ", "Active process (on ring ", "Active context: ", "Process: ",
	};
	const char *at = line.at;

	while (at < line.end && *at == ' ')
		at++;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t length = strlen(keys[i]) - 1;

		if ((size_t)(line.end - at) >= length && !memcmp(at, keys[i], length))
			return true;
	}
	return false;
}

/* "[1981]" */
static bool is_number(const char *at, const char *end)
{
	const char *from = ++at;

	while (at < end && isdigit((unsigned char)*at))
		at++;
	return at > from && at < end && *at == ']';
}

static bool has_number(const char *at, const char *end)
{
	while (at < end && (at = memchr(at, '[', (size_t)(end - at))))
		if (is_number(at++, end))
			return true;
	return false;
}

/* Where the number is, if a name can reach that far; or NULL. */
static const char *find_number(const char *at, const char *end)
{
	const char *most = at + MIN(end - at, NAME_MOST);

	for (; at < most; at++)
		if (*at == '[' && is_number(at, end))
			return at;
	return NULL;
}

void clean_names(struct cleaning *text)
{
	size_t next = 0;

	while (next < MIN(text->size, (size_t)HEAD)) {
		const char *start = text->at, *end = start + text->size, *number;
		struct text_line line;
		char *own;

		if (!text_line(start + next, end, &line))
			return;
		next = (size_t)(line.next - start);
		if (!has_name(line) || has_number(line.at, line.end))
			continue;
		/* Folded before the name: "in", and then " Xorg [1981]". */
		if (line.next < end && *line.next == ' ' && line.end - line.at > 3 &&
		    !memcmp(line.end - 3, " in", 3))
			continue;
		number = find_number(line.next, end);
		own = number ? clean_own(text) : NULL;
		for (const char *at = line.next - 1; own && at < number; at++)
			if (*at == '\n')
				own[at - start] = ' ';
	}
}
