/* SPDX-License-Identifier: MIT */
/*
 * In the guest: one batch through xe's interface, and what became of it.
 *
 *	hang-xe HOW [ENGINE [SECONDS [STAY]]]
 *
 * HOW says how it ends: `store` well, the others not; after `banned` there is another job for its
 * queue. ENGINE is rcs0, bcs0, ccs0, vcs0 or vecs0; xe refuses what the platform has not. It waits
 * for SECONDS, and keeps its memory for STAY more. The batch lies at BATCH, its data at DATA, what it may go on to at SECOND; xe dumps all three. libdrm's headers
 * of Debian 12 do not know xe: what is called here is declared here (include/uapi/drm/xe_drm.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <libdrm/drm.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { BATCH = 0x10000000, DATA = 0x20000000, NOWHERE = 0x30000000, SIZE = 4096 };

/* Shares no table entry with the others. */
#define SECOND UINT64_C(0x8040000000)

enum {
	MI_NOOP = 0, MI_ARB_OFF = 0x08 << 23, MI_BATCH_BUFFER_END = 0x0a << 23,
	MI_SEMAPHORE_WAIT = 0x1c << 23 | 1 << 15 | 4 << 12 | 2,
	MI_STORE_DATA_IMM = 0x20 << 23 | 2, MI_UNKNOWN = 0x3f << 23,
	MI_LOAD_REGISTER_MEM = 0x29 << 23 | 2, MI_BATCH_BUFFER_START = 0x31 << 23 | 1 << 8 | 1,
	MI_SECOND_LEVEL = 1 << 22,
};

static int fd;

/* ---- the interface -------------------------------------------------------------------------- */

struct gem_create {
	uint64_t extensions, size;
	uint32_t placement, flags, vm, handle;
	uint16_t caching, pad[3];
	uint64_t reserved[2];
};

struct mmap_offset {
	uint64_t extensions;
	uint32_t handle, flags;
	uint64_t offset, reserved[2];
};

struct vm_create {
	uint64_t extensions;
	uint32_t flags, vm;
	uint64_t reserved[2];
};

struct vm_bind {
	uint64_t extensions;
	uint32_t vm, queue, pad, count;
	struct {
		uint64_t extensions;
		uint32_t object;
		uint16_t pat_index, pad;
		uint64_t offset, range, address;
		uint32_t operation, flags, prefetch, pad2;
		uint64_t reserved[3];
	} bind;
	uint32_t pad2, sync_count;
	uint64_t syncs, reserved[2];
};

struct queue_create {
	uint64_t extensions;
	uint16_t width, placements;
	uint32_t vm, flags, queue;
	uint64_t instances, reserved[2];
};

struct exec {
	uint64_t extensions;
	uint32_t queue, sync_count;
	uint64_t syncs, address;
	uint16_t batches, pad[3];
	uint64_t reserved[2];
};

struct sync {
	uint64_t extensions;
	uint32_t type, flags;
	uint64_t handle, value, reserved[2];
};

struct instance {
	uint16_t class, number, gt, pad;
};

/* The answers to queries, as long as they can be here. */
struct query {
	uint64_t extensions;
	uint32_t what, size;
	uint64_t data, reserved[2];
};

#define ROOM 64

struct engine_list {
	uint32_t count, pad;
	struct {
		struct instance instance;
		uint64_t reserved[3];
	} engines[ROOM];
};

struct gt_list {
	uint32_t count, pad;
	struct {
		uint16_t type, tile, number, pad[3];
		uint32_t clock;
		uint64_t near, far;
		uint16_t major, minor, revision, pad2;
		uint64_t reserved[7];
	} gts[ROOM];
};

enum { SIGNAL = 1, SYSTEM_MEMORY = 1, WRITE_BACK = 1, MAP = 0, DUMPABLE = 1 << 3, SCRATCH = 1 };

enum { ENGINES = 0, GT_LIST = 3 };

#define QUERY DRM_IOWR(DRM_COMMAND_BASE + 0, struct query)
#define GEM_CREATE DRM_IOWR(DRM_COMMAND_BASE + 1, struct gem_create)
#define MMAP_OFFSET DRM_IOWR(DRM_COMMAND_BASE + 2, struct mmap_offset)
#define VM_CREATE DRM_IOWR(DRM_COMMAND_BASE + 3, struct vm_create)
#define VM_BIND DRM_IOW(DRM_COMMAND_BASE + 5, struct vm_bind)
#define QUEUE_CREATE DRM_IOWR(DRM_COMMAND_BASE + 6, struct queue_create)
#define EXEC DRM_IOW(DRM_COMMAND_BASE + 9, struct exec)

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

/* ---- how it ends ---------------------------------------------------------------------------- */

struct program {
	uint32_t *dwords;
	unsigned count;
	uint64_t address;
};

static void add(struct program *p, uint32_t dword)
{
	p->dwords[p->count++] = dword;
}

static void add_address(struct program *p, uint64_t address)
{
	add(p, (uint32_t)address);
	add(p, (uint32_t)(address >> 32));
}

static void add_store(struct program *p, uint64_t address, uint32_t value)
{
	add(p, MI_STORE_DATA_IMM);
	add_address(p, address);
	add(p, value);
}

static void add_wait(struct program *p)
{
	add(p, MI_SEMAPHORE_WAIT);
	add(p, 1);
	add_address(p, DATA);
}

static void well(struct program *p, struct program *second)
{
	(void)second;
	add(p, MI_BATCH_BUFFER_END);
}

static void in_a_loop(struct program *p, struct program *second)
{
	uint64_t back = p->address + 4 * p->count;

	(void)second;
	add(p, MI_NOOP);
	add(p, MI_BATCH_BUFFER_START);
	add_address(p, back);
}

static void at_a_semaphore(struct program *p, struct program *second)
{
	(void)second;
	add(p, MI_ARB_OFF);
	add_wait(p);
	add(p, MI_BATCH_BUFFER_END);
}

/* Yields to others, which does not help it. */
static void patiently(struct program *p, struct program *second)
{
	(void)second;
	add_wait(p);
	add(p, MI_BATCH_BUFFER_END);
}

static void away(struct program *p, struct program *second)
{
	(void)second;
	add(p, MI_BATCH_BUFFER_START);
	add_address(p, NOWHERE);
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
	add_wait(p);
	add(p, MI_LOAD_REGISTER_MEM);
	add(p, 0x2600);
	add_address(p, second->address);
	add(p, MI_BATCH_BUFFER_END);
}

static void in_the_second_level(struct program *p, struct program *second)
{
	add(p, MI_BATCH_BUFFER_START | MI_SECOND_LEVEL);
	add_address(p, second->address);
	add(p, MI_BATCH_BUFFER_END);
	add_store(second, DATA + 0x44, 0x5ec0d);
	in_a_loop(second, NULL);
}

static const struct {
	const char *name;
	void (*end)(struct program *program, struct program *second);
	uint32_t vm_flags;
} ends[] = {
	{ "store", well }, { "loop", in_a_loop }, { "semaphore", at_a_semaphore },
	{ "banned", in_a_loop }, { "patient", patiently }, { "away", away }, { "runaway", away, SCRATCH },
	{ "unknown", at_an_unknown_command }, { "read", at_a_read }, { "second", in_the_second_level },
};

static const struct {
	const char *name;
	struct instance instance;
} engines[] = {
	{ "rcs0", { 0 } }, { "bcs0", { .class = 1 } }, { "vcs0", { .class = 2 } },
	{ "vecs0", { .class = 3 } }, { "ccs0", { .class = 4 } },
};

/* ---- the driver ----------------------------------------------------------------------------- */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* xe takes the size that it says, no other. */
static bool ask(uint32_t what, void *answer)
{
	struct query query = { .what = what };

	if (!call(QUERY, &query, "query"))
		return false;
	query.data = (uintptr_t)answer;
	return call(QUERY, &query, "query");
}

/* The first of a class, and in which GT it is; as it was asked for if there is none. */
static struct instance instance_of(struct instance wanted)
{
	static struct engine_list list;

	for (uint32_t i = ask(ENGINES, &list) ? list.count : 0; i; i--)
		if (list.engines[i - 1].instance.class == wanted.class)
			wanted = list.engines[i - 1].instance;
	return wanted;
}

/* What caches in the processor's way has another number since Xe2. */
static uint16_t write_back(void)
{
	static struct gt_list list;

	return ask(GT_LIST, &list) && list.gts[0].major >= 20 ? 2 : 0;
}

static struct sync signal_of(void)
{
	struct drm_syncobj_create create = { 0 };

	call(DRM_IOCTL_SYNCOBJ_CREATE, &create, "syncobj");
	return (struct sync){ .flags = SIGNAL, .handle = create.handle };
}

static bool wait_for(const struct sync *sync, double limit)
{
	uint32_t handle = (uint32_t)sync->handle;
	struct drm_syncobj_wait wait = {
		.handles = (uintptr_t)&handle, .count_handles = 1,
		.timeout_nsec = (int64_t)((now() + limit) * 1e9),
	};

	return call(DRM_IOCTL_SYNCOBJ_WAIT, &wait, "wait");
}

/* A separate page at that address; NULL: xe has said why not. */
static uint32_t *page_at(uint32_t vm, uint64_t address, uint16_t pat_index)
{
	struct gem_create create = { .size = SIZE, .placement = SYSTEM_MEMORY, .vm = vm,
				     .caching = WRITE_BACK };
	struct mmap_offset map = { 0 };
	struct sync sync = signal_of();
	struct vm_bind bind = {
		.vm = vm, .count = 1, .sync_count = 1, .syncs = (uintptr_t)&sync,
		.bind = { .range = SIZE, .address = address, .operation = MAP, .flags = DUMPABLE,
			  .pat_index = pat_index },
	};
	void *bytes;

	if (!call(GEM_CREATE, &create, "create"))
		return NULL;
	map.handle = bind.bind.object = create.handle;
	if (!call(MMAP_OFFSET, &map, "map") || !call(VM_BIND, &bind, "bind") || !wait_for(&sync, 10))
		return NULL;
	bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)map.offset);
	return bytes == MAP_FAILED ? NULL : bytes;
}

static bool execute(uint32_t vm, const struct instance *engine, double limit, bool again)
{
	struct queue_create queue = { .width = 1, .placements = 1, .vm = vm,
				      .instances = (uintptr_t)engine };
	struct sync sync = signal_of();
	struct exec exec = { .sync_count = 1, .syncs = (uintptr_t)&sync, .address = BATCH,
			     .batches = 1 };

	if (!call(QUEUE_CREATE, &queue, "queue"))
		return false;
	exec.queue = queue.queue;
	if (!call(EXEC, &exec, "exec"))
		return false;
	printf("begun\n");
	fflush(stdout);
	if (!wait_for(&sync, limit))
		return false;
	return !again || call(EXEC, &exec, "again");
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "store", *engine = argc > 2 ? argv[2] : "rcs0";
	double limit = argc > 3 ? atof(argv[3]) : 30, start = now();
	struct program first = { .address = BATCH }, second = { .address = SECOND };
	size_t end = sizeof(ends) / sizeof(ends[0]), on = sizeof(engines) / sizeof(engines[0]);
	struct vm_create vm = { 0 };
	struct instance instance;
	uint16_t cached;
	uint32_t *data;
	bool done;

	while (end && strcmp(how, ends[end - 1].name))
		end--;
	while (on && strcmp(engine, engines[on - 1].name))
		on--;
	if (!end || !on) {
		fprintf(stderr, "hang-xe HOW [ENGINE [SECONDS [STAY]]]\n");
		return 2;
	}
	fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	if (fd < 0) {
		perror("/dev/dri/renderD128");
		return 1;
	}
	vm.flags = ends[end - 1].vm_flags;
	if (!call(VM_CREATE, &vm, "vm"))
		return 1;
	cached = write_back();
	first.dwords = page_at(vm.vm, BATCH, cached);
	second.dwords = page_at(vm.vm, SECOND, cached);
	data = page_at(vm.vm, DATA, cached);
	if (!first.dwords || !second.dwords || !data)
		return 1;
	for (unsigned i = 1; i < SIZE / 4; i++)
		data[i] = 0xd0000000 + i;
	add_store(&first, DATA + 0x40, 0xcafef00d);
	ends[end - 1].end(&first, &second);
	instance = instance_of(engines[on - 1].instance);
	done = execute(vm.vm, &instance, limit, !strcmp(how, "banned"));
	printf("%s after %.1f s, data 0x%x\n", done ? "done" : "not done", now() - start, data[16]);
	fflush(stdout);
	if (argc > 4)
		sleep((unsigned)atoi(argv[4]));
	return !done;
}
