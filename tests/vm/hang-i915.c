/* SPDX-License-Identifier: MIT */
/*
 * In the guest: one batch through i915's interface, and what became of it.
 *
 *	hang-i915 HOW [ENGINE [SECONDS]]
 *
 * HOW says how it ends: `store` well, the others not; `banned` is not to be recovered, and tries
 * again. ENGINE is rcs0, bcs0, vecs0, or vcs: of the video engines the driver takes one. The batch
 * lies at BATCH, a buffer that is captured at DATA; both are pinned there, so that a test knows every
 * address.
 */
#include <errno.h>
#include <fcntl.h>
#include <libdrm/i915_drm.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>

enum { BATCH = 0x10000000, DATA = 0x20000000, NOWHERE = 0x30000000, DWORDS = 1024 };

/* Shares no table entry with the others, as far as the tables have levels. */
#define SECOND UINT64_C(0x8040000000)
#define SECOND_GEN7 UINT64_C(0x38000000)

enum {
	MI_NOOP = 0, MI_ARB_CHECK = 0x05 << 23, MI_ARB_OFF = 0x08 << 23,
	MI_BATCH_BUFFER_END = 0x0a << 23, MI_SEMAPHORE_WAIT = 0x1c << 23 | 1 << 15 | 4 << 12 | 2,
	MI_STORE_DATA_IMM = 0x20 << 23 | 2, MI_UNKNOWN = 0x3f << 23,
	MI_LOAD_REGISTER_MEM = 0x29 << 23 | 2, MI_BATCH_BUFFER_START = 0x31 << 23 | 1 << 8 | 1,
	MI_SECOND_LEVEL = 1 << 22,
};

struct program {
	uint32_t dwords[DWORDS];
	unsigned count;
	uint64_t address;
};

static int fd, gen;

static void add(struct program *p, uint32_t dword)
{
	p->dwords[p->count++] = dword;
}

/* Before Gen8 addresses have one dword, and lengths are one less. */
static void add_command(struct program *p, uint32_t header, uint64_t address)
{
	add(p, gen < 8 ? header - 1 : header);
	add(p, (uint32_t)address);
	if (gen >= 8)
		add(p, (uint32_t)(address >> 32));
}

static void add_store(struct program *p, uint64_t address, uint32_t value)
{
	add(p, MI_STORE_DATA_IMM);
	if (gen < 8)
		add(p, 0);
	add(p, (uint32_t)address);
	if (gen >= 8)
		add(p, (uint32_t)(address >> 32));
	add(p, value);
}

static uint64_t here(const struct program *p)
{
	return p->address + 4 * p->count;
}

/* ---- how it ends ---------------------------------------------------------------------------- */

static void well(struct program *p, struct program *second)
{
	(void)second;
	add(p, MI_BATCH_BUFFER_END);
}

static void in_a_loop(struct program *p, struct program *second)
{
	uint64_t back = here(p);

	(void)second;
	add(p, MI_NOOP);
	add_command(p, MI_BATCH_BUFFER_START, back);
}

static void at_a_semaphore(struct program *p, struct program *second)
{
	(void)second;
	add(p, MI_ARB_OFF);
	add(p, MI_SEMAPHORE_WAIT);
	add(p, 1);
	add(p, DATA);
	add(p, 0);
	add(p, MI_BATCH_BUFFER_END);
}

static void away(struct program *p, struct program *second)
{
	(void)second;
	add_command(p, MI_BATCH_BUFFER_START, NOWHERE);
}

static void at_an_unknown_command(struct program *p, struct program *second)
{
	(void)second;
	add(p, MI_UNKNOWN);
	add(p, MI_BATCH_BUFFER_END);
}

/* The test has time to take the page away, until the dword at DATA is 1. */
static void at_a_read(struct program *p, struct program *second)
{
	uint64_t back = here(p);

	if (gen >= 8) {
		add(p, MI_SEMAPHORE_WAIT);
		add(p, 1);
		add(p, DATA);
		add(p, 0);
	} else {			/* until the batch itself has been changed to continue */
		add_command(p, MI_BATCH_BUFFER_START, back);
	}
	add(p, gen < 8 ? MI_LOAD_REGISTER_MEM - 1 : MI_LOAD_REGISTER_MEM);
	add(p, 0x2600);
	add(p, (uint32_t)second->address);
	if (gen >= 8)
		add(p, (uint32_t)(second->address >> 32));
	add(p, MI_BATCH_BUFFER_END);
}

static void in_the_second_level(struct program *p, struct program *second)
{
	add_command(p, MI_BATCH_BUFFER_START | MI_SECOND_LEVEL, second->address);
	add(p, MI_BATCH_BUFFER_END);
	add_store(second, DATA + 0x44, 0x5ec0d);
	in_a_loop(second, NULL);
}

static const struct {
	const char *name;
	void (*end)(struct program *program, struct program *second);
} ends[] = {
	{ "store", well }, { "loop", in_a_loop }, { "semaphore", at_a_semaphore }, { "away", away },
	{ "unknown", at_an_unknown_command }, { "read", at_a_read },
	{ "second", in_the_second_level }, { "banned", in_a_loop },
};

static const struct {
	const char *name;
	uint64_t flags;
} engines[] = {
	{ "rcs0", I915_EXEC_RENDER }, { "bcs0", I915_EXEC_BLT }, { "vcs", I915_EXEC_BSD },
	{ "vecs0", I915_EXEC_VEBOX },
};

/* ---- the driver ----------------------------------------------------------------------------- */

static bool call(unsigned long request, void *argument, const char *what)
{
	int result;

	do
		result = ioctl(fd, request, argument);
	while (result < 0 && (errno == EINTR || errno == EAGAIN));
	if (result)
		printf("%s: %s\n", what, strerror(errno));
	return !result;
}

static int generation(void)
{
	int device = 0;
	struct drm_i915_getparam get = { .param = I915_PARAM_CHIPSET_ID, .value = &device };

	call(DRM_IOCTL_I915_GETPARAM, &get, "chipset");
	switch (device) {
	case 0x0102: return 6;
	case 0x0152: case 0x0412: return 7;
	default: return 8;
	}
}

static void *mapped(uint32_t handle)
{
	struct drm_i915_gem_mmap_offset map = { .handle = handle, .flags = I915_MMAP_OFFSET_WB };
	void *bytes;

	call(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map, "map");
	bytes = mmap(NULL, 4 * DWORDS, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
	if (bytes == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return bytes;
}

/* After Tiger Lake i915 neither writes nor reads for a process. */
static uint32_t buffer(const void *content)
{
	struct drm_i915_gem_create create = { .size = 4 * DWORDS };
	struct drm_i915_gem_pwrite write = { .size = 4 * DWORDS, .data_ptr = (uintptr_t)content };

	call(DRM_IOCTL_I915_GEM_CREATE, &create, "create");
	write.handle = create.handle;
	if (ioctl(fd, DRM_IOCTL_I915_GEM_PWRITE, &write))
		memcpy(mapped(create.handle), content, 4 * DWORDS);
	return create.handle;
}

static uint32_t context(void)
{
	struct drm_i915_gem_context_create create = { 0 };

	if (gen < 8)			/* rings have contexts of the render engine only */
		return 0;
	call(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &create, "context");
	return create.ctx_id;
}

static struct drm_i915_gem_exec_object2 object(uint32_t handle, uint64_t address, uint64_t flags)
{
	return (struct drm_i915_gem_exec_object2){
		.handle = handle, .offset = address,
		.flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | flags };
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void not_to_be_recovered(uint32_t id)
{
	struct drm_i915_gem_context_param set = { .ctx_id = id, .param = I915_CONTEXT_PARAM_RECOVERABLE };

	call(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &set, "recoverable");
}

static bool execute(struct program *p, struct program *second, uint64_t engine, double limit,
		    bool banned)
{
	uint32_t data[DWORDS] = { 0 }, batch, context_id = context();
	struct drm_i915_gem_exec_object2 objects[3];
	struct drm_i915_gem_execbuffer2 exec = { .buffers_ptr = (uintptr_t)objects, .buffer_count = 3,
						 .flags = engine | I915_EXEC_NO_RELOC };
	struct drm_i915_gem_wait wait = { .timeout_ns = (int64_t)(limit * 1e9) };
	struct drm_i915_gem_pread read = { .size = sizeof(data), .data_ptr = (uintptr_t)data };
	struct drm_i915_reset_stats stats = { .ctx_id = context_id };
	double start = now();
	bool done;

	for (unsigned i = 1; i < DWORDS; i++)
		data[i] = 0xd0000000 + i;
	read.handle = buffer(data);
	batch = buffer(p->dwords);
	objects[0] = object(read.handle, DATA, EXEC_OBJECT_CAPTURE | EXEC_OBJECT_WRITE);
	objects[1] = object(buffer(second->dwords), second->address, EXEC_OBJECT_CAPTURE);
	objects[2] = object(batch, p->address, 0);
	i915_execbuffer2_set_context_id(exec, context_id);
	if (banned)
		not_to_be_recovered(context_id);
	if (!call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec, "execbuffer"))
		return false;
	wait.bo_handle = batch;
	done = call(DRM_IOCTL_I915_GEM_WAIT, &wait, "wait");
	call(DRM_IOCTL_I915_GET_RESET_STATS, &stats, "reset stats");
	if (ioctl(fd, DRM_IOCTL_I915_GEM_PREAD, &read))
		memcpy(data, mapped(read.handle), sizeof(data));
	printf("%s after %.1f s, data 0x%x, resets %u, active %u, pending %u\n",
	       done ? "done" : "not done", now() - start, data[16], stats.reset_count,
	       stats.batch_active, stats.batch_pending);
	return !banned ? done : call(DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec, "again");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "store", *engine = argc > 2 ? argv[2] : "rcs0";
	struct program first = { .address = BATCH }, second = { 0 };
	double limit = argc > 3 ? atof(argv[3]) : 30;
	uint64_t flags = 0;

	fd = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror("/dev/dri/card0");
		return 1;
	}
	gen = generation();
	second.address = gen < 8 ? SECOND_GEN7 : SECOND;
	add_store(&first, DATA + 0x40, 0xcafef00d);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (!strcmp(how, ends[i].name))
			ends[i].end(&first, &second);
	for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++)
		if (!strcmp(engine, engines[i].name))
			flags = engines[i].flags;
	if (!flags || first.count < 5) {
		fprintf(stderr, "hang-i915 HOW [ENGINE [SECONDS]]\n");
		return 2;
	}
	return !execute(&first, &second, flags, limit, !strcmp(how, "banned"));
}
