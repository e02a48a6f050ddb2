/* SPDX-License-Identifier: MIT */
/* build-demo NAME OUTPUT: writes one of the built-in captures. */
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
	if (argc != 3)
		die("usage: build-demo NAME OUTPUT");
	for (size_t i = 0; i < ARRAY_SIZE(stories); i++) {
		if (!strcmp(argv[1], stories[i].name)) {
			build(i, argv[2]);
			return 0;
		}
	}
	die("%s: no such demo", argv[1]);
}
