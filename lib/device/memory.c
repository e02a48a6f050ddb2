/* SPDX-License-Identifier: MIT */
/*
 * System RAM through /proc/kcore, by the program headers that give a physical address, as far as
 * /proc/iomem agrees; memory of the firmware through /dev/mem, which gives zeros or EPERM for RAM.
 * Nothing else of the address space is touched: reading the registers of other devices has effects.
 * The kernel itself returns zeros for pages that are offline, poisoned or secret.
 */
#include "device/internal.h"

#include "util/elf.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SYSTEM_RAM "System RAM"
#define PAGE_BYTES UINT64_C(4096)

void memory_begin(struct memory *memory, const struct memory_paths *paths,
		  struct problems *problems)
{
	*memory = (struct memory){
		.paths = *paths,
		.problems = problems,
		.kcore.fd = -1,
		.mem.fd = -1,
	};
}

void memory_end(struct memory *memory)
{
	if (memory->kcore.fd >= 0)
		close(memory->kcore.fd);
	if (memory->mem.fd >= 0)
		close(memory->mem.fd);
	vec_free(&memory->areas);
	vec_free(&memory->ram);
}

/* ---- what lies where ------------------------------------------------------------------------ */

/* A range inside another follows it; inside RAM everything is RAM. */
static enum memory_kind kind_of(const iomem_vec *lines, uint64_t address)
{
	/* Memory, though not the system's; none of these contains a device's registers. */
	static const char *const firmware[] = {
		"Reserved",	 "reserved",   "ACPI Tables", "ACPI Non-volatile Storage",
		"System ROM",	 "Video ROM",  "Adapter ROM", "Extension ROM",
		"Soft Reserved", "RAM buffer",
	};
	enum memory_kind kind = MEMORY_NONE;

	for (size_t i = 0; i < lines->count; i++) {
		const struct iomem_line *line = &lines->items[i];

		if (address < line->start || address > line->last)
			continue;
		if (!strncmp(line->name, SYSTEM_RAM, strlen(SYSTEM_RAM)))
			return MEMORY_RAM;
		kind = MEMORY_NONE;
		for (size_t k = 0; k < ARRAY_SIZE(firmware); k++)
			if (!strcmp(line->name, firmware[k]))
				kind = MEMORY_FIRMWARE;
	}
	return kind;
}

static int compare_edges(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static bool find_areas(struct memory *memory, const iomem_vec *lines)
{
	struct memory_stretch *area = NULL;
	VEC(uint64_t) edges = { 0 };
	bool stored = vec_reserve(&edges, 2 * lines->count + 1);

	/* Every address where something begins or something else has ended. */
	for (size_t i = 0; stored && i < lines->count; i++) {
		edges.items[edges.count++] = lines->items[i].start;
		if (lines->items[i].last < UINT64_MAX)
			edges.items[edges.count++] = lines->items[i].last + 1;
	}
	vec_sort(&edges, compare_edges);
	for (size_t i = 0; stored && i < edges.count; i++) {
		bool end = i + 1 == edges.count;
		uint64_t start = edges.items[i], last = end ? UINT64_MAX : edges.items[i + 1] - 1;
		enum memory_kind kind;

		if (!end && edges.items[i + 1] == start)
			continue;
		kind = kind_of(lines, start);
		if (kind == MEMORY_NONE)
			continue;
		if (area && area->kind == kind && area->last == start - 1) {
			area->last = last;
			continue;
		}
		stored = vec_push(&memory->areas, (struct memory_stretch){ start, last, kind, 0 });
		area = stored ? &memory->areas.items[memory->areas.count - 1] : NULL;
	}
	vec_free(&edges);
	return stored;
}

/* The first that ends at or after an address, or the number of them. */
static size_t find_stretch(const memory_stretch_vec *stretches, uint64_t address)
{
	return SEEK(i, 0, stretches->count, stretches->items[i].last < address);
}

static bool page_has_ram(const struct memory *memory, uint64_t address)
{
	uint64_t last = address | (PAGE_BYTES - 1);

	for (size_t i = find_stretch(&memory->areas, address & ~(PAGE_BYTES - 1));
	     i < memory->areas.count && memory->areas.items[i].start <= last; i++)
		if (memory->areas.items[i].kind == MEMORY_RAM)
			return true;
	return false;
}

static enum gsc_status read_map(struct memory *memory, struct gsc_error *err)
{
	const char *path = memory->paths.iomem;
	iomem_vec lines = { 0 };
	enum gsc_status status = GSC_OK;
	bool shown = false;

	if (!iomem_read(path, &lines))
		return err_errno(err, path, errno);
	for (size_t i = 0; i < lines.count; i++)
		shown |= lines.items[i].last != 0;
	if (!shown)
		status = err_set(err, GSC_DENIED, path, "hides the addresses: %s",
				 geteuid() ? "run as root" : "run outside this container");
	else if (!find_areas(memory, &lines))
		status = err_memory(err);
	/* /dev/mem works by pages: one that contains some RAM reads as zeros or is refused. */
	for (size_t i = 0; i < memory->areas.count; i++) {
		struct memory_stretch *area = &memory->areas.items[i];
		uint64_t start = area->start, last = area->last;

		if (area->kind != MEMORY_FIRMWARE)
			continue;
		if (page_has_ram(memory, start))
			start = (start | (PAGE_BYTES - 1)) + 1;
		if (page_has_ram(memory, last))
			last = (last & ~(PAGE_BYTES - 1)) - 1;
		if (start < area->start || last > area->last || start > last)
			area->kind = MEMORY_NONE;
		else
			*area = (struct memory_stretch){ start, last, MEMORY_FIRMWARE, 0 };
	}
	vec_free(&lines);
	return status;
}

/* ---- /proc/kcore ---------------------------------------------------------------------------- */

static bool read_file(const void *context, uint64_t offset, void *buf, size_t size)
{
	const struct memory_file *file = context;

	return offset <= INT64_MAX && pread(file->fd, buf, size, (off_t)offset) == (ssize_t)size;
}

/*
 * Virtual mappings have no physical address: it is ~0, past which nothing fits, or on older kernels
 * 0, where x86 has no RAM.
 */
static bool add_segment(struct memory *memory, const struct elf_segment *segment)
{
	uint64_t length = segment->filesz - 1, paddr = segment->paddr;

	if (!segment->load || !segment->filesz || !paddr || length > UINT64_MAX - paddr ||
	    length > UINT64_MAX - segment->offset)
		return true;
	for (size_t i = 0; i < memory->areas.count; i++) {
		const struct memory_stretch *area = &memory->areas.items[i];
		uint64_t start = MAX(area->start, paddr), last = MIN(area->last, paddr + length);

		if (area->kind != MEMORY_RAM || start > last)
			continue;
		if (!vec_push(&memory->ram, (struct memory_stretch){
			.start = start,
			.last = last,
			.offset = segment->offset + (start - paddr),
		}))
			return false;
	}
	return true;
}

/* If two begin at the same address, the longer one comes first. */
static int compare_stretches(const void *a, const void *b)
{
	const struct memory_stretch *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->last > y->last ? -1 : x->last < y->last;
}

static enum gsc_status find_ram(struct memory *memory, struct gsc_error *err)
{
	struct elf_core core = { .read = read_file, .context = &memory->kcore };
	const char *path = memory->paths.kcore, *wrong = elf_core_open(&core);
	struct elf_segment segment;
	struct memory_stretch *ram;
	size_t kept = 0;

	if (wrong)
		return err_set(err, GSC_FAILED, path, "%s", wrong);
	for (uint64_t i = 0; i < core.phnum && elf_core_segment(&core, i, &segment); i++)
		if (!add_segment(memory, &segment))
			return err_memory(err);
	/* The kernel's text is mapped there a second time. */
	ram = memory->ram.items;
	if (memory->ram.count)
		qsort(ram, memory->ram.count, sizeof(*ram), compare_stretches);
	for (size_t i = 0; i < memory->ram.count; i++) {
		struct memory_stretch next = ram[i];

		if (kept && next.last <= ram[kept - 1].last)
			continue;
		if (kept && next.start <= ram[kept - 1].last) {
			next.offset += ram[kept - 1].last + 1 - next.start;
			next.start = ram[kept - 1].last + 1;
		}
		ram[kept++] = next;
	}
	memory->ram.count = kept;
	if (!memory->ram.count)
		return err_set(err, GSC_FAILED, path,
			       "lists no memory that /proc/iomem calls " SYSTEM_RAM);
	return GSC_OK;
}

static bool open_file(struct memory_file *file, const char *path, const char *option)
{
	file->fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (file->fd < 0 && errno == ENOENT)
		err_set(&file->error, GSC_FAILED, path, "not provided by this kernel (%s)", option);
	else if (file->fd < 0)
		refusal_file(&file->error, path, errno, "reading memory");
	return file->fd >= 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

/* Neither file is opened before memory is needed. */
static void load(struct memory *memory)
{
	if (memory->loaded)
		return;
	memory->loaded = true;
	if (!read_map(memory, &memory->map_error) &&
	    open_file(&memory->kcore, memory->paths.kcore, "CONFIG_PROC_KCORE"))
		find_ram(memory, &memory->kcore.error);
}

static bool has_mem(struct memory *memory)
{
	if (!memory->mem_tried)
		open_file(&memory->mem, memory->paths.mem, "CONFIG_DEVMEM");
	memory->mem_tried = true;
	return memory->mem.fd >= 0;
}

enum memory_kind memory_kind(struct memory *memory, uint64_t address)
{
	size_t i;

	load(memory);
	i = find_stretch(&memory->areas, address);
	if (i == memory->areas.count || address < memory->areas.items[i].start)
		return MEMORY_NONE;
	return memory->areas.items[i].kind;
}

static size_t ram_block(const struct memory *memory, uint64_t address, void *buf, size_t size)
{
	size_t i = find_stretch(&memory->ram, address);
	const struct memory_stretch *stretch = memory->ram.items + i;
	uint64_t offset;
	ssize_t got;

	if (memory->kcore.error.status || i == memory->ram.count || address < stretch->start)
		return 0;
	offset = stretch->offset + (address - stretch->start);
	if (offset > INT64_MAX)
		return 0;
	got = pread(memory->kcore.fd, buf, MIN(size, stretch->last - address + 1), (off_t)offset);
	return got > 0 ? (size_t)got : 0;
}

/* As pread(2). x86 cannot read above the end of RAM (EFAULT), but maps it, here one page. */
static ssize_t mem_block(int fd, uint64_t address, void *buf, size_t size)
{
	struct window window = { .length = PAGE_BYTES };
	ssize_t got = pread(fd, buf, size, (off_t)address);
	void *base;

	if (got >= 0 || errno != EFAULT)
		return got;
	base = mmap(NULL, PAGE_BYTES, PROT_READ, MAP_SHARED, fd,
		    (off_t)(address & ~(PAGE_BYTES - 1)));
	if (base == MAP_FAILED)
		return -1;
	window.base = base;
	got = (ssize_t)window_copy(&window, address & (PAGE_BYTES - 1), buf, size);
	munmap(base, PAGE_BYTES);
	return got;
}

static enum gsc_read read_firmware(struct memory *memory, uint64_t address, unsigned size,
				   uint64_t *value)
{
	struct gsc_error err;
	uint64_t bytes = 0;
	ssize_t got;

	if (!has_mem(memory))
		return problem_read(memory->problems, &memory->mem.error);
	if (address > INT64_MAX)
		return GSC_READ_ABSENT;
	got = mem_block(memory->mem.fd, address, &bytes, size);
	*value = got == (ssize_t)size ? le64toh(bytes) : *value;
	if (got >= 0 || (errno != EPERM && errno != EACCES && errno != EINVAL))
		return got == (ssize_t)size ? GSC_READ_OK : GSC_READ_ABSENT;
	err_set(&err, GSC_DENIED, memory->paths.mem,
		"the kernel's strict devmem forbids reading memory that a driver has claimed: boot "
		"with iomem=relaxed");
	return problem_read(memory->problems, &err);
}

enum gsc_read memory_read(struct memory *memory, uint64_t address, unsigned size, uint64_t *value)
{
	enum memory_kind kind = memory_kind(memory, address);
	uint64_t bytes = 0;

	if (memory->map_error.status)
		return problem_read(memory->problems, &memory->map_error);
	if (kind == MEMORY_FIRMWARE && memory_kind(memory, address + (size - 1)) == MEMORY_FIRMWARE)
		return read_firmware(memory, address, size, value);
	if (kind == MEMORY_RAM && memory->kcore.error.status)
		return problem_read(memory->problems, &memory->kcore.error);
	if (kind != MEMORY_RAM || ram_block(memory, address, &bytes, size) != size)
		return GSC_READ_ABSENT;
	*value = le64toh(bytes);
	return GSC_READ_OK;
}

size_t memory_block(struct memory *memory, uint64_t address, void *buf, size_t size)
{
	enum memory_kind kind = memory_kind(memory, address);
	ssize_t got;
	size_t at;

	if (kind == MEMORY_RAM)
		return ram_block(memory, address, buf, size);
	if (kind == MEMORY_NONE || !has_mem(memory) || address > INT64_MAX)
		return 0;
	at = find_stretch(&memory->areas, address);
	got = mem_block(memory->mem.fd, address, buf,
			MIN(size, memory->areas.items[at].last - address + 1));
	return got > 0 ? (size_t)got : 0;
}

/* ---- extents -------------------------------------------------------------------------------- */

bool memory_extent(struct memory *memory, enum memory_kind kind, uint64_t from, uint64_t *start,
		   uint64_t *last)
{
	const memory_stretch_vec *list = kind == MEMORY_RAM ? &memory->ram : &memory->areas;
	size_t i;

	load(memory);
	if (kind == MEMORY_FIRMWARE && !has_mem(memory))
		return false;
	i = find_stretch(list, from);
	while (kind == MEMORY_FIRMWARE && i < list->count && list->items[i].kind != kind)
		i++;
	if (i == list->count)
		return false;
	*start = MAX(from, list->items[i].start);
	*last = list->items[i].last;
	while (kind == MEMORY_RAM && ++i < list->count && list->items[i].start == *last + 1)
		*last = list->items[i].last;
	return true;
}
