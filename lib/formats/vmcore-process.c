/* SPDX-License-Identifier: MIT */
/*
 * Who uses the GPU, in the memory of its machine: what drivers of any kind keep in the same place.
 * Linux, struct drm_file of include/drm/drm_file.h and struct drm_gem_object of drm_gem.h.
 */
#include "formats/vmcore.h"

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

	if (!x->pid != !y->pid)
		return x->pid ? -1 : 1;
	return x->bytes != y->bytes ? (x->bytes < y->bytes) - (x->bytes > y->bytes)
				    : (x->pid > y->pid) - (x->pid < y->pid);
}

/* Whose process has closed its file has work or tables left. */
static void add_others(struct vmcore_gpu *gpu)
{
	const struct dump *dump = gpu->r.dump;

	for (size_t i = 0; i < dump->spaces.count; i++)
		vmcore_client(gpu, dump->spaces.items[i].process, dump->spaces.items[i].pid, 0, 0);
	for (size_t i = 0; i < dump->queues.count; i++)
		vmcore_client(gpu, dump->queues.items[i].process, dump->queues.items[i].pid, 0, 0);
	for (size_t i = 0; i < dump->requests.count; i++)
		vmcore_client(gpu, dump->requests.items[i].process,
			      (uint32_t)dump->requests.items[i].r.pid, 0, 0);
}

void vmcore_clients(struct vmcore_gpu *gpu)
{
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
	add_others(gpu);
	qsort(gpu->r.dump->clients.items, gpu->r.dump->clients.count,
	      sizeof(*gpu->r.dump->clients.items), by_bytes);
}

void vmcore_queue(struct vmcore_gpu *gpu, const struct driver_queue *queue)
{
	gpu->r.memory_out |= !vec_push(&gpu->r.dump->queues, *queue);
}

void vmcore_range(struct vmcore_gpu *gpu, const struct driver_range *range)
{
	gpu->r.memory_out |= !vec_push(&gpu->r.dump->ranges, *range);
}

const struct dump *gsc_source_memory(const struct gsc_source *source, size_t part)
{
	const struct dump *dump = source->parts.items[part].dump;

	return dump && dump->clients.count ? dump : NULL;
}
