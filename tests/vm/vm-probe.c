/* SPDX-License-Identifier: MIT */
/*
 * What the tests do in the guest that no command does.
 *
 *	vm-probe map OFFSET LENGTH	maps that much of the register BAR: "mapped", the error
 *	vm-probe peek OFFSET...		32-bit loads
 *	vm-probe poke OFFSET VALUE...	a 32-bit store
 *	vm-probe aperture OFFSET...	the same of the aperture
 *	vm-probe hold OFFSET		maps a page of it write-back, which takes a BIOS that
 *					allows it (no MTRR), until it is killed
 *	vm-probe ggtt FIRST-LAST...	GGTT entries as the library reads them: "FIRST-LAST VALUE",
 *					equal ones in one line
 *	vm-probe context DESCRIPTOR ADDRESS -s SOURCE...	the image of a context (Gen8 and
 *					later), the root of its page tables and the page that an
 *					address maps by them, found in dumps
 *	vm-probe kexec KERNEL INITRD COMMANDLINE	the kernel that follows a panic (kexec_file_load(2))
 */
#include "../error-name.h"
#include "db/db.h"
#include "open/open.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define BAR0 "/sys/bus/pci/devices/0000:00:02.0/resource0"
#define BAR2 "/sys/bus/pci/devices/0000:00:02.0/resource2"

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
	puts(memory == MAP_FAILED ? error_name(errno) : "mapped");
	return memory == MAP_FAILED;
}

static uint64_t bar_address(void)
{
	FILE *file = fopen("/sys/bus/pci/devices/0000:00:02.0/resource", "re");
	uint64_t start = 0;

	if (!file || fscanf(file, "%" SCNx64, &start) != 1)
		return 0;
	fclose(file);
	return start;
}

static int hold(char **argument)
{
	int fd = open("/dev/mem", O_RDONLY | O_CLOEXEC);
	void *memory;

	if (fd < 0 || !argument[0])
		return 2;
	memory = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd,
		      (off_t)(bar_address() + strtoull(argument[0], NULL, 0)));
	puts(memory == MAP_FAILED ? error_name(errno) : "held");
	fflush(stdout);
	return memory == MAP_FAILED ? 1 : pause();
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

static int aperture(char **argument)
{
	int fd = open(BAR2, O_RDONLY | O_CLOEXEC);
	volatile uint32_t *bar = MAP_FAILED;

	if (fd >= 0)
		bar = mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, fd, 0);
	if (bar == MAP_FAILED) {
		perror(BAR2);
		return 1;
	}
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

/* As many as there are from `first` on with the same value. */
static int show_entries(struct gsc_source *source, unsigned size, const char *range)
{
	uint64_t first, last, value, next;
	enum gsc_read status;

	if (sscanf(range, "%" SCNu64 "-%" SCNu64, &first, &last) != 2)
		return 2;
	status = gsc_read(source, GSC_GGTT, first * size, size, &value);
	for (uint64_t i = first; i <= last && !status; i++) {
		if (i < last)
			status = gsc_read(source, GSC_GGTT, (i + 1) * size, size, &next);
		if (i < last && !status && next == value)
			continue;
		printf("%" PRIu64 "-%" PRIu64 " 0x%" PRIx64 "\n", first, i, value);
		first = i + 1;
		value = next;
	}
	if (status)
		printf("after %" PRIu64 ": %s\n", first, gsc_read_word(status));
	return status != GSC_READ_OK;
}

static int open_sources(struct gsc_source **source, struct gsc_db **db, const char *const *specs,
			size_t count)
{
	struct gsc_source_options options = { 0 };
	struct gsc_error err;

	if (gsc_db_new(db, &err))
		return complain(&err);
	options.db = *db;
	if (!gsc_source_open(source, specs, count, &options, &err))
		return 0;
	gsc_db_free(*db);
	return complain(&err);
}

static int ggtt(char **range)
{
	const char *live = "live";
	struct gsc_platform platform;
	struct gsc_source *source;
	struct gsc_db *db;
	int status = open_sources(&source, &db, &live, 1);

	if (status)
		return status;
	if (!gsc_platform_at(db, (unsigned)gsc_source_platform(source), &platform))
		status = 1;
	for (; !status && *range; range++)
		status = show_entries(source, platform.ggtt_entry, *range);
	gsc_source_close(source);
	gsc_db_free(db);
	return status;
}

/* ---- contexts ------------------------------------------------------------------------------- */

enum { LOAD_REGISTER_IMM = 0x22, PDP0_HIGH = 0x274, PDP0_LOW = 0x270 };

static uint64_t fetch(struct gsc_source *source, enum gsc_space space, uint64_t address,
		      unsigned size)
{
	uint64_t value = 0;
	enum gsc_read status = gsc_read(source, space, address, size, &value);

	if (status) {
		printf("%s 0x%" PRIx64 ": %s\n", gsc_space_name(space), address,
		       gsc_read_word(status));
		exit(1);
	}
	return value;
}

/* What the commands at the beginning of an image load into a register of its engine. */
static uint32_t image_register(struct gsc_source *source, uint64_t image, uint32_t offset)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t command = (uint32_t)fetch(source, GSC_PHYS, image + 4 * i, 4);

		if (command >> 23 != LOAD_REGISTER_IMM)
			continue;
		for (uint32_t pairs = ((command & 0xff) + 1) / 2; pairs; pairs--, i += 2)
			if ((fetch(source, GSC_PHYS, image + 4 * i + 4, 4) & 0xfff) == offset)
				return (uint32_t)fetch(source, GSC_PHYS, image + 4 * i + 8, 4);
	}
	return 0;
}

#define ENTRY_ADDRESS UINT64_C(0x7ffffff000)

/* Four levels of small pages, all of them present. */
static uint64_t mapped_page(struct gsc_source *source, uint64_t root, uint64_t address)
{
	for (unsigned shift = 39; shift >= 12; shift -= 9)
		root = fetch(source, GSC_PHYS, root + 8 * (address >> shift & 511), 8) &
		       ENTRY_ADDRESS;
	return root;
}

static void show_context(struct gsc_source *source, uint32_t lrca, uint64_t address)
{
	uint64_t entry = fetch(source, GSC_GGTT, ((uint64_t)lrca / 4096 + 1) * 8, 8);
	uint64_t image = entry & ENTRY_ADDRESS, root;
	unsigned present = 0;

	root = (uint64_t)image_register(source, image, PDP0_HIGH) << 32;
	root |= image_register(source, image, PDP0_LOW);
	for (unsigned i = 0; i < 512; i++)
		present += fetch(source, GSC_PHYS, root + 8 * i, 8) & 1;
	printf("image 0x%" PRIx64 "\nroot 0x%" PRIx64 "\npresent %u\n", image, root, present);
	printf("page 0x%" PRIx64 "\n", mapped_page(source, root, address));
}

static int context(char **argument)
{
	const char *specs[8];
	struct gsc_source *source;
	struct gsc_db *db;
	size_t count = 0;
	int status;

	if (!argument[0] || !argument[1])
		return 2;
	for (char **at = argument + 2; at[0] && at[1] && count < 8; at += 2)
		specs[count++] = at[1];
	status = open_sources(&source, &db, specs, count);
	if (status)
		return status;
	show_context(source, strtoul(argument[0], NULL, 0) & 0xfffff000,
		     strtoull(argument[1], NULL, 0));
	gsc_source_close(source);
	gsc_db_free(db);
	return 0;
}

static int load_kernel(char **argument)
{
	enum { ON_CRASH = 2 };
	int kernel, initrd;

	if (!argument[0] || !argument[1] || !argument[2])
		return 2;
	kernel = open(argument[0], O_RDONLY | O_CLOEXEC);
	initrd = open(argument[1], O_RDONLY | O_CLOEXEC);
	if (syscall(SYS_kexec_file_load, kernel, initrd, strlen(argument[2]) + 1, argument[2],
		    ON_CRASH))
		return puts(error_name(errno)), 1;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(char **arguments);
	} actions[] = {
		{ "map", try_map }, { "peek", peek }, { "aperture", aperture }, { "poke", poke },
		{ "hold", hold },   { "ggtt", ggtt }, { "context", context },
		{ "kexec", load_kernel },
	};

	for (size_t i = 0; argc > 1 && i < sizeof(actions) / sizeof(actions[0]); i++)
		if (!strcmp(argv[1], actions[i].name))
			return actions[i].run(argv + 2);
	fprintf(stderr, "vm-probe map|peek|aperture|poke|hold|ggtt|context|kexec ...\n");
	return 2;
}
