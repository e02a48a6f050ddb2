/* SPDX-License-Identifier: MIT */
/*
 * What the tests do in the guest that no command does.
 *
 *	vm-probe map OFFSET LENGTH	maps that much of the register BAR: "mapped" or the error
 *	vm-probe peek OFFSET...		32-bit loads
 *	vm-probe poke OFFSET VALUE...	a 32-bit store
 *	vm-probe ggtt FIRST-LAST...	GGTT entries as the library reads them: "INDEX VALUE"
 */
#include "gpuscope.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BAR0 "/sys/bus/pci/devices/0000:00:02.0/resource0"

static void *map(uint64_t offset, size_t length, bool writable)
{
	int fd = open(BAR0, (writable ? O_RDWR : O_RDONLY) | O_CLOEXEC);
	void *memory;

	if (fd < 0)
		return MAP_FAILED;
	memory = mmap(NULL, length, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd,
		      (off_t)offset);
	close(fd);
	return memory;
}

static int try_map(char **argument)
{
	void *memory;

	if (!argument[0] || !argument[1])
		return 2;
	memory = map(strtoull(argument[0], NULL, 0), strtoull(argument[1], NULL, 0), false);
	puts(memory == MAP_FAILED ? strerrorname_np(errno) : "mapped");
	return memory == MAP_FAILED;
}

static volatile uint32_t *registers(bool writable)
{
	void *memory = map(0, 2 << 20, writable);

	if (memory != MAP_FAILED)
		return memory;
	perror(BAR0);
	exit(1);
}

static int peek(char **argument)
{
	volatile uint32_t *bar = registers(false);

	for (; *argument; argument++)
		printf("0x%" PRIx32 "\n", bar[strtoul(*argument, NULL, 0) / 4]);
	return 0;
}

static int poke(char **argument)
{
	volatile uint32_t *bar = registers(true);

	for (; argument[0] && argument[1]; argument += 2)
		bar[strtoul(argument[0], NULL, 0) / 4] = (uint32_t)strtoul(argument[1], NULL, 0);
	return 0;
}

static int complain(const struct gsc_error *err)
{
	fprintf(stderr, "vm-probe: %s: %s\n", err->what, err->why);
	return (int)err->status;
}

static int show_entries(struct gsc_source *source, unsigned size, const char *range)
{
	uint64_t index, last, value;
	enum gsc_read status;

	if (sscanf(range, "%" SCNu64 "-%" SCNu64, &index, &last) != 2)
		return 2;
	for (; index <= last; index++) {
		status = gsc_read(source, GSC_GGTT, index * size, size, &value);
		if (status)
			printf("%" PRIu64 " %s\n", index, gsc_read_word(status));
		else
			printf("%" PRIu64 " 0x%" PRIx64 "\n", index, value);
	}
	return 0;
}

static int ggtt(char **range)
{
	struct gsc_source_options options = { 0 };
	const char *spec = "live";
	struct gsc_platform platform;
	struct gsc_source *source;
	struct gsc_error err;
	struct gsc_db *db;
	int status = 0;

	if (gsc_db_new(&db, &err))
		return complain(&err);
	options.db = db;
	if (gsc_source_open(&source, &spec, 1, &options, &err))
		return complain(&err);
	if (!gsc_platform_at(db, (unsigned)gsc_source_platform(source), &platform))
		return 1;
	for (; !status && *range; range++)
		status = show_entries(source, platform.ggtt_entry, *range);
	gsc_source_close(source);
	gsc_db_free(db);
	return status;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(char **arguments);
	} actions[] = { { "map", try_map }, { "peek", peek }, { "poke", poke }, { "ggtt", ggtt } };

	for (size_t i = 0; argc > 1 && i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(argv[1], actions[i].name))
			return actions[i].run(argv + 2);
	fprintf(stderr, "vm-probe map|peek|poke|ggtt ...\n");
	return 2;
}
