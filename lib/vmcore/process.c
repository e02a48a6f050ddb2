/* SPDX-License-Identifier: MIT */
/*
 * Who uses the GPU, in the memory of its machine: what drivers of any kind keep in the same place.
 * Linux, struct drm_file of include/drm/drm_file.h and struct drm_gem_object of drm_gem.h.
 */
#include "vmcore/vmcore.h"

#define CLIENTS_MAX 1024

void vmcore_client(struct vmcore_gpu *gpu, const char *process, uint32_t pid, uint64_t objects,
		   uint64_t bytes)
{
	struct dump *dump = gpu->r.dump;
	struct driver_client *client = NULL;

	for (size_t i = 0; i < dump->clients.count && !client; i++)
		if (dump->clients.items[i].pid == pid)
			client = &dump->clients.items[i];
	if (!client && dump->clients.count < CLIENTS_MAX) {
		client = vec_add(&dump->clients);
		gpu->r.memory_out |= !client;
		if (client)
			*client = (struct driver_client){ .pid = pid };
	}
	if (!client)
		return;
	if (!*client->process)
		string_set(client->process, "%s", process);
	client->objects += objects;
	client->bytes += bytes;
}

/* Who has most comes first, the kernel last. */
static int by_bytes(const void *a, const void *b)
{
	const struct driver_client *x = a, *y = b;
	uint64_t mine = x->pid ? x->bytes + 1 : 0, other = y->pid ? y->bytes + 1 : 0;

	return mine != other ? (mine < other) - (mine > other) :
	       (x->pid > y->pid) - (x->pid < y->pid);
}

void vmcore_clients(struct vmcore_gpu *gpu)
{
	struct dump *dump = gpu->r.dump;
	const char *module = gpu->driver->name;
	uint64_t index, address, size;
	struct kxarray objects;
	struct klist files;
	struct kobj file;

	klist_begin(&files, kobj_at(gpu->device, "drm.filelist"), module, "drm_file", "lhead");
	while (klist_next(&files, &file) && vmcore_take(gpu)) {
		char process[TASK_NAME];
		uint32_t pid;

		if (!kernel_process(kobj_at(file, "pid->"), &pid, process))
			continue;
		vmcore_client(gpu, process, pid, 0, 0);
		kxarray_begin(&objects, kobj_at(file, "object_idr.idr_rt"));
		while (kxarray_next(&objects, &index, &address) && vmcore_take(gpu))
			if (kobj_number(kernel_object(gpu->kernel, module, "drm_gem_object",
						      address), "size", &size))
				vmcore_client(gpu, process, pid, 1, size);
	}
	if (dump->clients.count)
		qsort(dump->clients.items, dump->clients.count, sizeof(*dump->clients.items),
		      by_bytes);
}

const struct dump *gsc_source_memory(const struct gsc_source *source, size_t part)
{
	const struct part *p = &source->parts.items[part];

	return p->reader == &reader_vmcore_gpu ? p->dump : NULL;
}

bool gsc_no_processes(const struct gsc_source *source, char *buf, size_t size)
{
	bool any = false;

	for (size_t i = 0; i < source->parts.count; i++) {
		const struct part *part = &source->parts.items[i];
		struct slice why = part_says(part, "memory");

		any |= part->reader == &reader_vmcore_gpu;
		if (part->reader->form == GSC_SOURCE_MEMORY && why.at != why.end) {
			snprintf(buf, size, "%.*s", SLICE(why));
			return false;
		}
	}
	snprintf(buf, size, "%s", any ? "no process uses the GPU" : "needs the memory of a machine "
		 "with i915 or xe, in which their types can be read: a vmcore");
	return any;
}
