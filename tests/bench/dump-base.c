/* SPDX-License-Identifier: MIT */
/*
 * dump-base FILE: reads a device core dump and decodes the base 85 after each ".data: ", and does
 * nothing else: the lower bound for any program that opens such a file.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *read_all(const char *path, size_t *size)
{
	int fd = open(path, O_RDONLY);
	struct stat about;
	char *data;
	size_t done = 0;

	if (fd < 0 || fstat(fd, &about))
		return NULL;
	*size = (size_t)about.st_size;
	data = malloc(*size + 1);
	while (data && done < *size) {
		ssize_t got = read(fd, data + done, *size - done);

		if (got <= 0)
			return NULL;
		done += (size_t)got;
	}
	if (data)
		data[*size] = 0;
	close(fd);
	return data;
}

/* Up to the end of the line; returns the number of dwords. */
static size_t decode(const char **at, uint32_t *out)
{
	const char *text = *at;
	size_t count = 0;

	while (*text && *text != '\n') {
		uint32_t value = 0;

		if (*text == 'z') {
			out[count++] = 0;
			text++;
			continue;
		}
		for (unsigned i = 0; i < 5 && *text && *text != '\n'; i++)
			value = value * 85 + (uint32_t)(*text++ - '!');
		out[count++] = value;
	}
	*at = text;
	return count;
}

int main(int argc, char **argv)
{
	size_t size = 0, count = 0;
	char *data = argc > 1 ? read_all(argv[1], &size) : NULL;

	if (!data) {
		fprintf(stderr, "dump-base: cannot read the file\n");
		return 1;
	}
	for (const char *at = data; (at = strstr(at, ".data: ")); ) {
		const char *end = strchr(at += 7, '\n');
		uint32_t *out = malloc(((end ? (size_t)(end - at) : strlen(at)) + 1) * 4);

		if (!out)
			return 1;
		count += decode(&at, out);
		free(out);
	}
	free(data);
	printf("%zu dwords\n", count);
	return 0;
}
