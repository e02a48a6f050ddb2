/* SPDX-License-Identifier: MIT */
/* Opens a device, and chooses the file of this room that serves an address space. */
#include "device/internal.h"

#include "db/view.h"

#include <string.h>

/* The end of the registers if the platform is unknown: no platform with a larger BAR has fewer. */
#define REGISTERS_UNKNOWN (UINT64_C(2) << 20)

#define COMMAND_MEMORY (1u << 1)

struct device_facts device_facts(const struct device *device)
{
	return (struct device_facts){
		.bdf = device->bdf,
		.platform = device->platform,
		.id = device->id,
		.revision = device->revision,
		.writes = device->write,
		.refusal = device->refused ? &device->refusal : NULL,
		.left_awake = *device->left_awake.why ? &device->left_awake : NULL,
	};
}

const struct gsc_error *device_problem(struct device *device)
{
	struct problems *problems = &device->problems;

	return problems->told < problems->list.count ? &problems->list.items[problems->told++]
						     : NULL;
}

bool device_driver(const struct device *device, char *buf, size_t size)
{
	return sysfs_link(device->bdf, "driver", buf, size);
}

bool device_driver_version(const struct device *device, char *buf, size_t size)
{
	return sysfs_line(device->bdf, "driver/module/version", buf, size) ||
	       sysfs_line(device->bdf, "driver/module/srcversion", buf, size);
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

/* GSC_GONE unless a device answers. */
static enum gsc_status device_answers(struct device *device, struct gsc_error *err)
{
	enum gsc_status status = device_there(device, err);
	uint64_t command;
	char enable[16];

	if (status)
		return status;
	/*
	 * While it decodes no memory accesses, silicon answers all ones, an emulator zeros. A
	 * config space without the kernel's `enable` beside it is a copy whose command register
	 * means nothing.
	 */
	if (sysfs_line(device->bdf, "enable", enable, sizeof(enable)) &&
	    device_read(device, GSC_CONFIG, CONFIG_COMMAND, 2, &command) == GSC_READ_OK &&
	    !(command & COMMAND_MEMORY))
		return err_set(err, GSC_GONE, device->bdf,
			       "memory decoding is off (bit 1 of its command register)");
	if (registers_all_ones(device))
		return err_set(err, GSC_GONE, device->bdf,
			       "asleep or gone: its registers read as all ones");
	return GSC_OK;
}

static enum gsc_status open_registers(struct device *device, struct pci_library *library,
				      const struct pci_function *function, const struct gsc_db *db,
				      struct gsc_error *err)
{
	uint64_t length = device->laid_out ? device->layout.register_bytes : REGISTERS_UNKNOWN;
	enum gsc_status status;
	struct gsc_error note;
	char driver[32];

	/* When explicitly asked for, the driver wakes even a suspended device. */
	if (device->wake.mode == GSC_WAKE_DRIVER && !wake_by_driver(&device->wake))
		return refusal_wake(err, device->bdf, device->wake.driver_error);
	if (sysfs_suspended(device->bdf))
		return err_set(err, GSC_GONE, device->bdf, "suspended: %s",
			       sysfs_link(device->bdf, "driver", driver, sizeof(driver))
			       ? "--wake=driver wakes it, so does \"on\" in its power/control"
			       : "\"on\" in its power/control wakes it");
	device->table.number = device->layout.ggtt_bar;
	status = pci_bars(library, function, &device->bar, &device->aperture, &device->table, err);
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
	/* Reported when a read finds nothing. */
	if (device->laid_out && device->registers.length < length) {
		err_set(&note, GSC_FAILED, device->bdf,
			"its BAR shows 0x%llx bytes of registers, but %s has 0x%llx: the rest is "
			"absent", LL(device->registers.length), device->layout.name, LL(length));
		problem_add(&device->problems, &note);
	}
	wake_find_left(&device->wake, &device->bar, &device->left_awake);
	return GSC_OK;
}

/* Everything that can be refused is requested now, so that a refusal comes before any output. */
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
	device->bar = device->aperture = device->table = (struct bar){ 0 };
	device->refused = status == GSC_DENIED ? GSC_READ_DENIED :
			  status != GSC_GONE ? GSC_READ_ABSENT :
			  sysfs_suspended(device->bdf) ? GSC_READ_ASLEEP : GSC_READ_ALL_ONES;
	return GSC_OK;
}

enum gsc_status device_open(struct device **out, const char *name,
			    const struct gsc_source_options *options, struct gsc_error *err)
{
	static const struct memory_paths paths = { "/proc/iomem", KCORE, "/dev/mem" };
	struct device *device = calloc(1, sizeof(*device));
	const struct pci_function *function;
	struct pci_library *library = NULL;
	pci_function_vec found = { 0 };
	enum gsc_status status;

	if (!device)
		return err_memory(err);
	device->db = options->db;
	device->unsafe = options->unsafe;
	device->write = options->write;
	memory_begin(&device->memory, &paths, &device->problems);
	device->wake.mode = options->wake;
	device->wake.driver_fd = device->wake.lock_fd = -1;
	memset(device->ports, 0xff, sizeof(device->ports));
	device->wake.bdf = device->bdf;
	device->wake.registers = &device->registers;
	status = pci_begin(&library, err);
	if (!status)
		status = pci_scan(library, &found, err);
	if (!status)
		status = find_function(&found, name, &function, err);
	if (!status)
		status = identify(device, function, options, err);
	if (!status && options->registers != GSC_REGISTERS_NONE)
		status = attach(device, library, function, options, err);
	vec_free(&found);
	pci_end(library);
	if (status) {
		device_close(device);
		return status;
	}
	*out = device;
	return GSC_OK;
}

bool device_find(struct device *device, const char *name, int index, struct gsc_reg *reg)
{
	if (!device->view && device->laid_out)
		gsc_view_new(&device->view, device->db, device->layout.index, device->revision,
			     NULL);
	return device->view && view_find(device->view, NULL, name, index, reg);
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
		return err_set(err, GSC_GONE, device->bdf, "gone: the kernel no longer has it");
	if (device_read(device, GSC_CONFIG, CONFIG_VENDOR, 2, &vendor) == GSC_READ_ALL_ONES)
		return err_set(err, GSC_GONE, device->bdf,
			       "gone: its config space reads as all ones");
	return GSC_OK;
}

void device_close(struct device *device)
{
	if (!device)
		return;
	wake_release(&device->wake);
	ports_close(device);
	stolen_release(&device->stolen);
	gsc_view_free(device->view);
	window_unmap(&device->local.window);
	memory_end(&device->memory);
	vec_free(&device->problems.list);
	window_unmap(&device->ggtt_page);
	window_unmap(&device->writable);
	window_unmap(&device->ggtt);
	window_unmap(&device->registers);
	free(device);
}

/* ---- address spaces ------------------------------------------------------------------------- */

static const struct door *const doors[GSC_SPACES] = {
	[GSC_MMIO] = &register_door, [GSC_CONFIG] = &config_door, [GSC_IO] = &port_door,
	[GSC_GGTT] = &ggtt_door,     [GSC_PHYS] = &phys_door,	  [GSC_LMEM] = &local_door,
	[GSC_GTTMEM] = &gttmem_door,
};

/* If this is refused, nothing is read through its BARs. */
static const struct door *open_door(const struct device *device, enum gsc_space space)
{
	static const struct door closed;
	const struct door *door = doors[space];

	return !door || (door->in_bar && device->refused) ? &closed : door;
}

enum gsc_read device_read(struct device *device, enum gsc_space space, uint64_t address,
			  unsigned size, uint64_t *value)
{
	const struct door *door = open_door(device, space);

	if (!doors[space] || address % size)
		return GSC_READ_ABSENT;
	return door->read ? door->read(device, address, size, value) : device->refused;
}

size_t device_block(struct device *device, enum gsc_space space, uint64_t address, void *buf,
		    size_t size)
{
	const struct door *door = open_door(device, space);

	return door->block ? door->block(device, address, buf, size) : 0;
}

bool device_extent(struct device *device, enum gsc_space space, uint64_t from, uint64_t *start,
		   uint64_t *length)
{
	const struct door *door = open_door(device, space);
	uint64_t last;

	if (!door->extent || !door->extent(device, from, start, &last))
		return false;
	*length = last - *start + 1;
	return true;
}

enum gsc_status device_store_open(struct device *device, enum gsc_space space, uint64_t address,
				  unsigned size, struct gsc_error *err)
{
	const struct door *door = open_door(device, space);
	enum gsc_status status;

	if (!device->write)
		return err_set(err, GSC_USAGE, device->bdf, "not written: needs --write");
	if (!device->laid_out || !device->registers.length || !door->store_open)
		return err_set(err, GSC_FAILED, device->bdf, "its registers are not open");
	/* A mapping of a removed device cannot even be read: that is a SIGBUS. */
	status = device_there(device, err);
	if (!status && door->store_hold)
		status = door->store_hold(device, address, err);
	if (!status && sysfs_suspended(device->bdf))
		status = err_set(err, GSC_GONE, device->bdf, "now suspended");
	if (!status)
		status = device_answers(device, err);
	return status ? status : door->store_open(device, address, size, err);
}

void device_store(struct device *device, enum gsc_space space, uint64_t address, unsigned size,
		  uint64_t value)
{
	doors[space]->store(device, address, size, value);
}
