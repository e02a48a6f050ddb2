/* SPDX-License-Identifier: MIT */
/*
 * build-demo NAME TAR PACKED: writes one of the built-in captures, as an archive and as the library
 * stores it: runs of bytes, each with its length before it and the number of zeros after it.
 */
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*tell)(struct machine *m);
} stories[] = {
	{ "snb-hang", snb_hang },
	{ "skl-hang", skl_hang },
	{ "icl-trtt", icl_trtt },
};

/* As many bytes as there are before zeros that are worth a separate run. */
static size_t length_of(const uint8_t *bytes, size_t size, bool zeros)
{
	size_t i = 0;

	while (i < size && (zeros ? !bytes[i]
				  : i + 16 > size || memcmp(bytes + i, (uint8_t[16]){ 0 }, 16)))
		i++;
	return i;
}

static void pack(const char *from, const char *to)
{
	static uint8_t bytes[1 << 20];
	FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
	size_t size, at = 0;

	if (!in || !out)
		die("%s: %s", in ? to : from, strerror(errno));
	size = fread(bytes, 1, sizeof(bytes), in);
	if (!feof(in))
		die("%s: more than a demo may have", from);
	while (at < size) {
		uint32_t copied = (uint32_t)length_of(bytes + at, size - at, false);
		uint32_t zeros = (uint32_t)length_of(bytes + at + copied, size - at - copied, true);

		fwrite(&copied, 4, 1, out);
		fwrite(bytes + at, 1, copied, out);
		fwrite(&zeros, 4, 1, out);
		at += copied + zeros;
	}
	if (ferror(in) || fclose(in) || fclose(out))
		die("%s: %s", to, strerror(errno));
}

static void build(size_t story, const char *path)
{
	struct machine m = { 0 };
	int fd;

	stories[story].tell(&m);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	if (fd < 0 || !machine_write(&m, fd) || close(fd))
		die("%s: %s", path, strerror(errno));
	machine_free(&m);
}

int main(int argc, char **argv)
{
	if (argc != 4)
		die("usage: build-demo NAME TAR PACKED");
	for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
		if (!strcmp(argv[1], stories[i].name)) {
			build(i, argv[2]);
			pack(argv[2], argv[3]);
			return 0;
		}
	}
	die("%s: no such demo", argv[1]);
}
