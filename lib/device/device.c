/* SPDX-License-Identifier: MIT */
/* Opening a device, and which file of this room answers for an address space. */
#include "device/internal.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Where registers end if the platform is unknown: no platform has fewer of a larger BAR. */
#define REGISTERS_UNKNOWN (UINT64_C(2) << 20)

#define CONFIG_VENDOR 0x00
#define CONFIG_COMMAND 0x04
#define CONFIG_MAX 4096
#define COMMAND_MEMORY (1u << 1)

int device_platform(const struct device *device)
{
	return device->platform;
}

int device_id(const struct device *device)
{
	return device->id;
}

int device_revision(const struct device *device)
{
	return device->revision;
}

const char *device_bdf(const struct device *device)
{
	return device->bdf;
}

const struct gsc_error *device_problem(struct device *device)
{
	struct problems *problems = &device->problems;

	return problems->told < problems->list.count ? &problems->list.items[problems->told++]
						     : NULL;
}

bool device_driver_version(const struct device *device, char *buf, size_t size)
{
	return sysfs_line(device->bdf, "driver/module/version", buf, size) ||
	       sysfs_line(device->bdf, "driver/module/srcversion", buf, size);
}

const struct gsc_error *device_refusal(const struct device *device)
{
	return device->refused ? &device->refusal : NULL;
}

const struct gsc_error *device_left_awake(const struct device *device)
{
	return *device->left_awake.why ? &device->left_awake : NULL;
}

/* The kernel calls the type of a group that it does not translate "identity". */
bool device_iommu_translates(struct device *device)
{
	char type[32];

	if (!device->iommu_asked)
		device->iommu = sysfs_line(device->bdf, "iommu_group/type", type, sizeof(type)) &&
				strcmp(type, "identity");
	device->iommu_asked = true;
	return device->iommu;
}

/* ---- opening ------------------------------------------------------------------------------- */

static enum gsc_status identify(struct device *device, const struct pci_function *function,
				const struct gsc_source_options *options, struct gsc_error *err)
{
	struct gsc_platform platform;
	int id;

	strcpy(device->bdf, function->bdf);
	device->id = function->id;
	device->revision = function->revision;
	device->platform = -1;
	if (!options->db)
		return GSC_OK;
	if (gsc_platform_by_id(options->db, function->id, &platform, NULL)) {
		device->platform = (int)platform.index;
		device->layout = platform;
		device->laid_out = true;
	}
	if (!options->platform)
		return GSC_OK;
	device->laid_out = true;
	return gsc_platform_find(options->db, options->platform, &device->layout, &id, err);
}

/* Explicitly asked for, the driver wakes even a suspended device. */
static enum gsc_status check_power(struct device *device, struct gsc_error *err)
{
	char driver[32];

	if (device->wake.mode == GSC_WAKE_DRIVER && !wake_by_driver(&device->wake))
		return refusal_wake(err, device->bdf, device->wake.driver_error);
	if (!sysfs_suspended(device->bdf))
		return GSC_OK;
	if (!sysfs_link(device->bdf, "driver", driver, sizeof(driver)))
		return err_set(err, GSC_GONE, device->bdf,
			       "suspended: \"on\" in its power/control wakes it");
	return err_set(err, GSC_GONE, device->bdf,
		       "suspended: --wake=driver wakes it, so does \"on\" in its power/control");
}

/* A place outside the window says nothing, so it counts as silent. */
static bool silent(const struct device *device, uint32_t place)
{
	const struct window *registers = &device->registers;

	return !window_holds(registers, place, 4) ||
	       window_load32(registers, place) == UINT32_MAX;
}

/*
 * Asked of registers that hold an address or a few flags, so never all ones: the acknowledge bits
 * of forcewake, and the render ring's status page, head and start.
 */
static bool answers_all_ones(const struct device *device)
{
	static const uint32_t places[] = { 0x2080, 0x2034, 0x2038 };

	if (!device->registers.length)
		return false;
	for (size_t i = 0; i < device->wake.requests.count; i++)
		if (!silent(device, device->wake.requests.items[i].domain.ack))
			return false;
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (!silent(device, places[i]))
			return false;
	return true;
}

/*
 * Silicon answers all ones while it decodes no memory accesses, emulators zeros. A config space
 * without the kernel's `enable` beside it is a stand-in whose command register means nothing.
 */
static bool decodes_memory(struct device *device)
{
	char enable[16];
	uint64_t command;

	if (!sysfs_line(device->bdf, "enable", enable, sizeof(enable)))
		return true;
	return device_read(device, GSC_CONFIG, CONFIG_COMMAND, 2, &command) != GSC_READ_OK ||
	       (command & COMMAND_MEMORY);
}

enum gsc_status device_answers(struct device *device, struct gsc_error *err)
{
	enum gsc_status status = device_there(device, err);

	if (status)
		return status;
	if (!decodes_memory(device))
		return err_set(err, GSC_GONE, device->bdf,
			       "memory decoding is off (bit 1 of its command register)");
	if (answers_all_ones(device))
		return err_set(err, GSC_GONE, device->bdf,
			       "asleep or gone: its registers answer all ones");
	return GSC_OK;
}

/* Told where a read finds nothing. */
static void note_short_bar(struct device *device)
{
	struct gsc_error note;

	if (!device->laid_out || device->registers.length >= device->layout.register_bytes)
		return;
	err_set(&note, GSC_FAILED, device->bdf,
		"its BAR shows 0x%llx bytes of registers, of the 0x%llx that %s has: the rest is "
		"absent",
		(unsigned long long)device->registers.length,
		(unsigned long long)device->layout.register_bytes, device->layout.name);
	problem_add(&device->problems, &note);
}

static enum gsc_status open_registers(struct device *device, struct pci_library *library,
				      const struct pci_function *function, const struct gsc_db *db,
				      struct gsc_error *err)
{
	enum gsc_status status = check_power(device, err);
	uint64_t length = device->laid_out ? device->layout.register_bytes : REGISTERS_UNKNOWN;

	if (!status)
		status = pci_bars(library, function, &device->bar, &device->aperture, err);
	if (!status)
		status = window_map(&device->registers, device->bdf, &device->bar, 0, length, false,
				    err);
	if (!status && device->laid_out)
		status = wake_prepare(&device->wake, db, device->layout.index, device->revision,
				      &device->bar, err);
	if (!status)
		status = device_answers(device, err);
	if (status)
		return status;
	note_short_bar(device);
	wake_find_left(&device->wake, &device->bar, &device->left_awake);
	return GSC_OK;
}

/* Everything that can be refused is asked for now, so that a refusal comes before any output. */
static enum gsc_status attach(struct device *device, struct pci_library *library,
			      const struct pci_function *function,
			      const struct gsc_source_options *options, struct gsc_error *err)
{
	bool wanted = options->registers == GSC_REGISTERS_WANTED;
	enum gsc_status status = open_registers(device, library, function, options->db,
						wanted ? &device->refusal : err);

	if (!status || !wanted)
		return status;
	window_unmap(&device->registers);
	device->bar = device->aperture = (struct bar){ 0 };
	device->refused = status == GSC_DENIED ? GSC_READ_DENIED :
			  status != GSC_GONE ? GSC_READ_ABSENT :
			  sysfs_suspended(device->bdf) ? GSC_READ_ASLEEP : GSC_READ_ALL_ONES;
	return GSC_OK;
}

static enum gsc_status open_named(struct device *device, struct pci_library *library,
				  const char *name, const struct gsc_source_options *options,
				  struct gsc_error *err)
{
	pci_function_vec found = { 0 };
	const struct pci_function *function;
	enum gsc_status status = pci_scan(library, &found, err);

	if (!status)
		status = find_function(&found, name, &function, err);
	if (!status)
		status = identify(device, function, options, err);
	if (!status && options->registers != GSC_REGISTERS_NONE)
		status = attach(device, library, function, options, err);
	vec_free(&found);
	return status;
}

enum gsc_status device_open(struct device **out, const char *name,
			    const struct gsc_source_options *options, struct gsc_error *err)
{
	static const struct memory_paths paths = { "/proc/iomem", "/proc/kcore", "/dev/mem" };
	struct device *device = calloc(1, sizeof(*device));
	struct pci_library *library = NULL;
	enum gsc_status status;

	if (!device)
		return err_memory(err);
	device->db = options->db;
	device->unsafe = options->unsafe;
	device->write = options->write;
	memory_begin(&device->memory, &paths, &device->problems);
	device->wake.mode = options->wake;
	device->wake.driver_fd = device->wake.lock_fd = -1;
	ports_begin(device);
	device->wake.bdf = device->bdf;
	device->wake.registers = &device->registers;
	status = pci_begin(&library, err);
	if (!status)
		status = open_named(device, library, name, options, err);
	pci_end(library);
	if (status) {
		device_close(device);
		return status;
	}
	*out = device;
	return GSC_OK;
}

void device_let_sleep(struct device *device)
{
	wake_give_back(&device->wake);
}

void device_rest(struct device *device)
{
	wake_rest(&device->wake);
}

enum gsc_status device_there(struct device *device, struct gsc_error *err)
{
	uint64_t vendor;

	if (sysfs_removed(device->bdf))
		return err_set(err, GSC_GONE, device->bdf, "gone: the kernel has it no more");
	if (device_read(device, GSC_CONFIG, CONFIG_VENDOR, 2, &vendor) == GSC_READ_ALL_ONES)
		return err_set(err, GSC_GONE, device->bdf, "gone: its config space is all ones");
	return GSC_OK;
}

void device_close(struct device *device)
{
	if (!device)
		return;
	wake_release(&device->wake);
	ports_close(device);
	stolen_release(&device->stolen);
	window_unmap(&device->local.window);
	memory_end(&device->memory);
	problems_free(&device->problems);
	window_unmap(&device->ggtt_page);
	window_unmap(&device->writable);
	window_unmap(&device->ggtt);
	window_unmap(&device->registers);
	free(device);
}

/* ---- reading ------------------------------------------------------------------------------- */

static enum gsc_read config_denied(struct device *device, const char *what)
{
	struct gsc_error err;

	err_set(&err, GSC_DENIED, device->bdf, "%s: permission denied: %s", what,
		geteuid() ? "run as root" : "run outside of this container");
	problem_add(&device->problems, &err);
	return GSC_READ_DENIED;
}

/* Not root, the kernel gives the first 64 bytes and pretends that the rest is not there. */
static enum gsc_read config_refusal(struct device *device, int fd, uint64_t end)
{
	struct stat st;

	if (fstat(fd, &st) || st.st_size < 0 || end > (uint64_t)st.st_size)
		return GSC_READ_ABSENT;
	return config_denied(device, "config space beyond its first 64 bytes");
}

/* What is gone has no vendor either. */
static bool no_vendor(int fd)
{
	uint16_t vendor;

	return pread(fd, &vendor, sizeof(vendor), CONFIG_VENDOR) == (ssize_t)sizeof(vendor) &&
	       vendor == UINT16_MAX;
}

/* Reading config space wakes a device that has lost its power. */
static enum gsc_read read_config(struct device *device, uint64_t address, unsigned size,
				 uint64_t *value)
{
	enum gsc_read status = GSC_READ_OK;
	uint64_t bytes = 0;
	int fd;

	if (address > CONFIG_MAX - size)
		return GSC_READ_ABSENT;
	if (sysfs_suspended(device->bdf))
		return GSC_READ_ASLEEP;
	fd = sysfs_open(device->bdf, "config", O_RDONLY);
	if (fd < 0)
		return errno == EACCES || errno == EPERM ? config_denied(device, "config space")
							 : GSC_READ_ABSENT;
	if (pread(fd, &bytes, size, (off_t)address) != (ssize_t)size)
		status = config_refusal(device, fd, address + size);
	else if (le64toh(bytes) == size_mask(size) && no_vendor(fd))
		status = GSC_READ_ALL_ONES;
	else
		*value = le64toh(bytes);
	close(fd);
	return status;
}

/* The halves may be of two moments: read again until the upper one stands still. */
static uint64_t load_halves(const struct window *window, uint64_t address)
{
	uint32_t high = window_load32(window, address + 4);

	for (unsigned tries = 0;; tries++) {
		uint32_t low = window_load32(window, address);
		uint32_t again = window_load32(window, address + 4);

		if (again == high || tries == 3)
			return (uint64_t)again << 32 | low;
		high = again;
	}
}

/*
 * Aliases of ports, where a load of four bytes may have an effect: the first page is of VGA and its
 * extended registers (SNB PRM Vol 1 Part 1, 6.1.2).
 */
#define PORT_ALIASES 0x1000

static uint64_t load_register(const struct window *window, uint64_t address, unsigned size)
{
	if (size == 1 && address < PORT_ALIASES)
		return window_load8(window, address);
	return size == 8 ? load_halves(window, address) : window_load(window, address, size);
}

enum gsc_read device_believe(const struct device *device, uint64_t loaded, unsigned size,
			     uint64_t *value)
{
	if (loaded == size_mask(size) && answers_all_ones(device))
		return GSC_READ_ALL_ONES;
	*value = loaded;
	return GSC_READ_OK;
}

size_t device_copy(const struct device *device, const struct window *window, uint64_t address,
		   void *buf, size_t size)
{
	size_t got = window_copy(window, address, buf, size);

	for (size_t at = -address & 7; at + 8 <= got; at += 8) {
		uint64_t value;

		memcpy(&value, (const uint8_t *)buf + at, sizeof(value));
		if (value == UINT64_MAX)
			return answers_all_ones(device) ? at : got;
	}
	return got;
}

static enum gsc_read read_register(struct device *device, uint64_t address, unsigned size,
				   uint64_t *value)
{
	if (!window_holds(&device->registers, address, MAX(size, 4)))
		return GSC_READ_ABSENT;
	return device_believe(device, load_register(&device->registers, address, size), size,
			      value);
}

/*
 * A value counts if its domains were held before the read and after it; what was lost in between is
 * taken once more. A read that nobody holds the GPU awake for is not made.
 */
static enum gsc_read read_gated(struct device *device, uint64_t address, unsigned size,
				uint64_t *value)
{
	struct wake *wake = &device->wake;
	uint32_t domains = wake_domains(wake, address);
	bool again = true;

	if (!domains || !window_holds(&device->registers, address, MAX(size, 4)))
		return read_register(device, address, size, value);
	for (unsigned tries = 0; again && tries < 2; tries++) {
		enum gsc_read status;
		uint64_t loaded;
		bool held;

		wake_take(wake, domains);
		held = wake_held(wake, domains);
		if (held) {
			status = read_register(device, address, size, &loaded);
			if (status)
				return status;
			if (wake_held(wake, domains)) {
				*value = loaded;
				return GSC_READ_OK;
			}
		}
		again = wake_lost(wake, domains) || held;
	}
	return answers_all_ones(device) ? GSC_READ_ALL_ONES : GSC_READ_ASLEEP;
}

static bool is_refused(const struct device *device, enum gsc_space space)
{
	return device->refused && (space == GSC_MMIO || space == GSC_GGTT ||
				   space == GSC_GTTMEM || space == GSC_LMEM);
}

enum gsc_read device_read(struct device *device, enum gsc_space space, uint64_t address,
			  unsigned size, uint64_t *value)
{
	if (address % size)
		return GSC_READ_ABSENT;
	if (is_refused(device, space))
		return device->refused;
	switch (space) {
	case GSC_CONFIG:
		return read_config(device, address, size, value);
	case GSC_MMIO:
		return read_gated(device, address, size, value);
	case GSC_IO:
		return port_read(device, address, size, value);
	case GSC_GGTT:
		return ggtt_read(device, address, size, value);
	case GSC_PHYS:
		return phys_read(device, address, size, value);
	case GSC_LMEM:
		return local_read(device, address, size, value);
	case GSC_GTTMEM:
		return gttmem_read(device, address, size, value);
	default:
		return GSC_READ_ABSENT;
	}
}

size_t device_block(struct device *device, enum gsc_space space, uint64_t address, void *buf,
		    size_t size)
{
	if (is_refused(device, space))
		return 0;
	if (space == GSC_PHYS)
		return phys_block(device, address, buf, size);
	return space == GSC_LMEM ? local_block(device, address, buf, size) : 0;
}

/* How much of config space is to be had. */
static uint64_t config_length(struct device *device)
{
	static const uint64_t ends[] = { 4096, 256, 64 };
	uint64_t value;

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		if (read_config(device, ends[i] - 4, 4, &value) == GSC_READ_OK)
			return ends[i];
	return 0;
}

/* Memory is all over the place; the other spaces begin at 0. */
bool device_extent(struct device *device, enum gsc_space space, uint64_t from, uint64_t *start,
		   uint64_t *length)
{
	uint64_t last = 0, end = 0;

	if (is_refused(device, space))
		return false;
	if (space == GSC_PHYS || space == GSC_GTTMEM) {
		if (space == GSC_PHYS ? !phys_extent(device, from, start, &last)
				      : !gttmem_extent(device, from, start, &last))
			return false;
		*length = last - *start + 1;
		return true;
	}
	if (space == GSC_MMIO)
		end = device->registers.length;
	else if (space == GSC_GGTT && !ggtt_open(device))
		end = device->ggtt.length;
	else if (space == GSC_CONFIG)
		end = config_length(device);
	else if (space == GSC_LMEM)
		end = local_length(device);
	if (from >= end)
		return false;
	*start = from;
	*length = end - from;
	return true;
}
