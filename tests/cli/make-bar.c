/* SPDX-License-Identifier: MIT */
/*
 * make-bar FILE SIZE [ADDRESS VALUE]...: a register BAR of SIZE bytes, all zero but for the dwords
 * given; further pairs come from stdin with a last argument of "-". SIZE may be snb, skl or icl.
 * make-bar --random FILE SIZE: no dword is zero or all ones, and every run writes the same.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *what, const char *why)
{
	fprintf(stderr, "make-bar: %s: %s\n", what, why);
	exit(1);
}

static uint64_t number(const char *text)
{
	char *end;
	uint64_t value;

	errno = 0;
	value = strtoull(text, &end, 0);
	if (end == text || *end || errno)
		die(text, "not a number");
	return value;
}

static uint64_t bar_size(const char *text)
{
	if (!strcmp(text, "snb"))
		return 4 << 20;
	if (!strcmp(text, "skl") || !strcmp(text, "icl"))
		return 16 << 20;
	return number(text);
}

static void put(FILE *file, uint64_t size, uint64_t address, uint64_t value)
{
	unsigned char bytes[4];

	if (address % 4 || address >= size || size - address < 4 || value > UINT32_MAX)
		die("a pair", "no dword of this BAR");
	for (int i = 0; i < 4; i++)
		bytes[i] = (unsigned char)(value >> 8 * i);
	if (fseek(file, (long)address, SEEK_SET) || fwrite(bytes, 4, 1, file) != 1)
		die("a pair", strerror(errno));
}

static void put_stdin(FILE *file, uint64_t size)
{
	char address[64], value[64];

	while (scanf("%63s %63s", address, value) == 2)
		put(file, size, number(address), number(value));
}

static void fill(FILE *file, uint64_t size)
{
	uint64_t state = 0x9e3779b97f4a7c15;

	for (uint64_t i = 0; i < size / 4; i++) {
		uint32_t value;

		state = state * 6364136223846793005u + 1442695040888963407u;
		value = (uint32_t)(state >> 32);
		if (!value || value == UINT32_MAX)
			value = 0x5a5a5a5a;
		for (int byte = 0; byte < 4; byte++)
			putc((int)(value >> 8 * byte & 0xff), file);
	}
}

int main(int argc, char **argv)
{
	int random = argc > 1 && !strcmp(argv[1], "--random");
	uint64_t size;
	FILE *file;

	argc -= random;
	argv += random;
	if (argc < 3)
		die("usage", "make-bar [--random] FILE SIZE [ADDRESS VALUE]... [-]");
	size = bar_size(argv[2]);
	file = fopen(argv[1], "w+b");
	if (!file || ftruncate(fileno(file), (off_t)size))
		die(argv[1], strerror(errno));
	if (random)
		fill(file, size);
	for (int i = 3; i + 1 < argc; i += 2)
		put(file, size, number(argv[i]), number(argv[i + 1]));
	if (argc % 2 == 0 && !strcmp(argv[argc - 1], "-"))
		put_stdin(file, size);
	if (fclose(file))
		die(argv[1], strerror(errno));
	return 0;
}
