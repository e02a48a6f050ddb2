/* SPDX-License-Identifier: MIT */
/*
 * Finds the GPUs of a kernel in memory by its PCI buses, and takes from the code about each driver
 * what goes into the part. Origin: Linux, struct pci_bus and struct pci_dev of include/linux/pci.h,
 * pci_root_buses of drivers/pci/probe.c.
 */
#include "vmcore/vmcore.h"

#include "formats/capture.h"

#define FOUND_MAX 8			/* GPUs of one machine */
#define BUSES_MAX 4096
#define DEVICES_MAX 65536
#define DEPTH_MAX 64			/* of buses below buses */

static const struct vmcore_driver *const drivers[] = { &vmcore_i915, &vmcore_xe };

struct found {
	const struct vmcore_driver *driver;
	struct kobj pci, device;
	char name[64];
};

struct vmcore_search {
	struct kernel *kernel;
	size_t next, count;
	struct found found[FOUND_MAX];
	size_t buses, devices;		/* that may still be visited */
	size_t said;			/* members that the types lack, of the GPUs before */
};

/* ---- the search ------------------------------------------------------------------------------ */

static void look_at(struct vmcore_search *search, struct kobj pci)
{
	struct found *found = &search->found[search->count];
	char driver[16], name[32];
	uint64_t data;

	if (search->count == FOUND_MAX ||
	    !kobj_text(pci, "dev.driver->name", driver, sizeof(driver)) ||
	    !kobj_number(pci, "dev.driver_data", &data) || !data)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(drivers) && search->count < FOUND_MAX; i++) {
		const struct vmcore_driver *of = drivers[i];

		if (strcmp(driver, of->name))
			continue;
		if (!kobj_text(pci, "dev.kobj.name", name, sizeof(name)))
			*name = 0;
		*found = (struct found){ of, pci, kernel_object(search->kernel, of->name, of->type,
								data), "" };
		string_set(found->name, "%s %s", driver, name);
		search->count++;
		return;
	}
}

static void look_at_buses(struct vmcore_search *search, struct kobj head, unsigned depth)
{
	struct klist buses, devices;
	struct kobj bus, pci;

	klist_begin(&buses, head, NULL, "pci_bus", "node");
	while (search->buses && klist_next(&buses, &bus)) {
		search->buses--;
		klist_begin(&devices, kobj_at(bus, "devices"), NULL, "pci_dev", "bus_list");
		while (search->devices && klist_next(&devices, &pci)) {
			search->devices--;
			look_at(search, pci);
		}
		if (depth < DEPTH_MAX)
			look_at_buses(search, kobj_at(bus, "children"), depth + 1);
	}
}

enum gsc_status vmcore_begin(struct vmcore_search **out, struct kernel *kernel,
			     struct gsc_error *err)
{
	struct vmcore_search *search = calloc(1, sizeof(*search));

	*out = search;
	if (!search)
		return err_memory(err);
	search->kernel = kernel;
	search->buses = BUSES_MAX;
	search->devices = DEVICES_MAX;
	look_at_buses(search, kernel_object(kernel, NULL, "list_head",
					    kernel_symbol(kernel, "pci_root_buses")), 0);
	return GSC_OK;
}

bool vmcore_next(struct vmcore_search *search, char *name, size_t size)
{
	if (search->next == search->count)
		return false;
	snprintf(name, size, "%s", search->found[search->next++].name);
	return true;
}

void vmcore_end(struct vmcore_search *search)
{
	free(search);
}

/* ---- a part ---------------------------------------------------------------------------------- */

bool vmcore_take(struct vmcore_gpu *gpu)
{
	gpu->surplus |= !gpu->objects;
	if (!gpu->objects || gpu->r.memory_out)
		return false;
	gpu->objects--;
	return true;
}

void vmcore_list_end(struct vmcore_gpu *gpu, const struct klist *list)
{
	struct dump *dump = gpu->r.dump;

	dump->torn = dump->torn ? dump->torn : list->stop;
}

bool vmcore_take_bytes(struct vmcore_gpu *gpu, uint64_t size)
{
	gpu->surplus |= size > gpu->bytes;
	if (size > gpu->bytes || gpu->r.memory_out)
		return false;
	gpu->bytes -= size;
	return true;
}

void vmcore_request(struct vmcore_gpu *gpu, const struct driver_request *request)
{
	struct driver_request *added = vec_add(&gpu->r.dump->requests);

	gpu->r.memory_out |= !added;
	if (!added)
		return;
	*added = *request;
	added->in_memory = true;
	vmcore_client(gpu, request->process, (uint32_t)request->r.pid, 0, 0);
}

void vmcore_space(struct vmcore_gpu *gpu, const struct driver_space *space)
{
	gpu->r.memory_out |= !vec_push(&gpu->r.dump->spaces, *space);
	vmcore_client(gpu, space->process, space->pid, 0, 0);
}

void vmcore_ring(struct vmcore_gpu *gpu, const struct driver_ring *ring)
{
	gpu->r.memory_out |= !vec_push(&gpu->r.dump->rings, *ring);
}

void vmcore_queue(struct vmcore_gpu *gpu, const struct driver_queue *queue)
{
	gpu->r.memory_out |= !vec_push(&gpu->r.dump->queues, *queue);
	vmcore_client(gpu, queue->process, queue->pid, 0, 0);
}

void vmcore_range(struct vmcore_gpu *gpu, const struct driver_range *range)
{
	gpu->r.memory_out |= !vec_push(&gpu->r.dump->ranges, *range);
}

static void add_name(char *list, size_t size, const char *name)
{
	if (*name && !list_has(list, name))
		string_addf(list, size, "%s%s", *list ? "," : "", name);
}

void vmcore_engine(struct vmcore_gpu *gpu, const char *name)
{
	add_name(gpu->r.dump->engine_names, sizeof(gpu->r.dump->engine_names), name);
}

void vmcore_works_in(struct driver_space *space, const char *engine)
{
	add_name(space->engines, sizeof(space->engines), engine);
}

void vmcore_say(struct vmcore_gpu *gpu, const char *prefix, const char *key, const char *format,
		...)
{
	char text[200];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gpu->r.memory_out |= !part_say(gpu->r.part, prefix, key, "%s", text);
}

void vmcore_stored(struct vmcore_gpu *gpu, const char *name, char *text, size_t size)
{
	char path[64];

	if (!part_own(gpu->r.part, text, free)) {
		gpu->r.memory_out = true;
		return;
	}
	string_set(path, CAPTURE_STORED "%.40s", name);
	dump_add_member(&gpu->r, path, (const uint8_t *)text, size, size);
}

/* Without a platform there are none: nobody knows what they look like. */
static uint64_t ggtt_entries(const struct vmcore_gpu *gpu)
{
	return gpu->has_platform && gpu->platform.ggtt_entry ?
	       gpu->platform.ggtt_max / gpu->platform.ggtt_entry : 0;
}

void vmcore_ggtt_entries(struct vmcore_gpu *gpu, uint64_t address, const uint64_t *entries,
			 size_t count)
{
	uint64_t first = address / 4096, most = ggtt_entries(gpu);
	unsigned size = gpu->platform.ggtt_entry;
	uint8_t *table;

	if (!count || first >= most || count > most - first ||
	    !vmcore_take_bytes(gpu, count * size))
		return;
	table = part_alloc(gpu->r.part, count * size);
	for (size_t i = 0; i < count && table; i++)
		memcpy(table + i * size, &entries[i], size);
	gpu->r.memory_out |= !table || !part_add(gpu->r.part, GSC_GGTT, first * size,
						 count * size, table);
}

void vmcore_ggtt(struct vmcore_gpu *gpu, uint64_t address, uint64_t size, struct kobj sg_table,
		 uint64_t (*encode)(const struct vmcore_gpu *gpu, uint64_t dma))
{
	/* No more than still fits: of what is too much, not even the pages are looked at. */
	size_t most = (size_t)MIN(MIN(size / 4096, ggtt_entries(gpu)), gpu->bytes / 8), count = 0;
	uint64_t *entries = most ? calloc(most, sizeof(*entries)) : NULL;
	uint64_t physical, dma, length;
	struct kpages pages;

	gpu->r.memory_out |= most && !entries;
	kpages_begin(&pages, sg_table);
	while (entries && count < most && kpages_next(&pages, &physical, &dma, &length)) {
		/* An address that nobody knows leaves a gap, which no entry can be. */
		if (dma == KPAGES_UNKNOWN)
			break;
		gpu->r.part->iommu |= physical != dma && physical != KPAGES_UNKNOWN;
		for (uint64_t at = 0; at < length && count < most; at += 4096)
			entries[count++] = encode(gpu, dma + at);
	}
	vmcore_ggtt_entries(gpu, address, entries, count);
	free(entries);
}

/* A member that is not in the types leaves that fact out. Each is said once. */
static void say_missing(struct vmcore_gpu *gpu, struct vmcore_search *search)
{
	const char *name;

	for (; (name = kernel_missing(gpu->kernel, search->said)); search->said++)
		vmcore_say(gpu, "", "not in the types", "%s", name);
}

enum gsc_status vmcore_fill(void *context, struct gsc_source *source, struct part *part,
			    struct gsc_error *err)
{
	struct vmcore_search *search = context;
	const struct found *found = &search->found[search->next - 1];
	struct vmcore_gpu gpu = { .kernel = search->kernel, .driver = found->driver,
				  .pci = found->pci, .device = found->device,
				  .objects = VMCORE_OBJECTS, .bytes = VMCORE_BYTES };
	uint64_t device = 0, revision = 0, unread;
	bool filtered;

	if (!dump_begin(&gpu.r, source, part))
		return err_memory(err);
	if (kobj_number(gpu.pci, "device", &device))
		part->pci_device = (int)(device & UINT16_MAX);
	if (kobj_number(gpu.pci, "revision", &revision))
		part->revision = (int)(revision & UINT8_MAX);
	gpu.has_platform = source->platform >= 0 ?
		gsc_platform_at(source->db, (unsigned)source->platform, &gpu.platform) :
		source->db && gsc_platform_by_id(source->db, (uint16_t)device, &gpu.platform, NULL);
	vmcore_say(&gpu, "", "driver", "%s", found->driver->name);
	found->driver->fill(&gpu);
	vmcore_clients(&gpu);
	say_missing(&gpu, search);
	if (kernel_unread(gpu.kernel, &unread, &filtered))
		vmcore_say(&gpu, "", "memory", "%s, first 0x%llx: what is missing here was there",
			   filtered ? "the filter of the dump has excluded memory of the kernel"
				    : "memory of the kernel is not in the dump", LL(unread));
	if (gpu.r.dump->torn)
		vmcore_say(&gpu, "", "memory", "requests may be missing: %s", gpu.r.dump->torn);
	else if (kernel_stopped(gpu.kernel))
		vmcore_say(&gpu, "", "memory", "%s: the rest of it is missing here",
			   kernel_stopped(gpu.kernel));
	if (gpu.surplus)
		source_note(source, "%s: more requests, address spaces or memory than any machine "
			    "has: the rest is not read", part->name);
	return dump_end(&gpu.r, err);
}

/* The part is made of what another one holds: no input is its own. */
const struct reader reader_vmcore_gpu = { "GPU in memory", GSC_SOURCE_MEMORY, NULL, NULL };
