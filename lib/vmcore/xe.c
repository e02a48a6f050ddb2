/* SPDX-License-Identifier: MIT */
/*
 * What xe keeps in memory about a GPU, from Linux 6.12 on. Its queues, by the numbers that the GuC
 * has for them, with their contexts, rings and jobs: Linux, xe_exec_queue_types.h,
 * xe_guc_exec_queue_types.h, xe_lrc_types.h, xe_sched_job_types.h; include/drm/gpu_scheduler.h.
 * Address spaces and what is in them: xe_vm_types.h, include/drm/drm_gpuvm.h. The GGTT, by the
 * buffers that are pinned in it: xe_bo_types.h, xe_ggtt.c. What the GuC left: xe_guc_ct_types.h,
 * xe_guc_log_types.h. The core dump as xe has rendered it: xe_devcoredump_types.h.
 */
#include "vmcore/vmcore.h"

#include "db/properties.h"

#define MODULE "xe"
/* Macros, which types do not have; the same in Linux 6.12 and 7.2. */
#define XE_BO_FLAG_NEEDS_UC (1u << 14)	/* xe_bo.h */
#define XE_PAGE_PRESENT 1		/* regs/xe_gtt_defs.h */
#define PAT_SHIFT 52			/* XELPG_GGTT_PTE_PAT0 */
#define PPHWSP_BYTES 4096		/* xe_lrc.c: LRC_PPHWSP_SIZE */
#define START_SEQNO 8			/* LRC_START_SEQNO_OFFSET: from the seqno on */
#define SEQNO_IN_PPHWSP 512		/* LRC_SEQNO_PPHWSP_OFFSET; now it has its own buffer */
#define CTX_RING_HEAD (5 * 4)		/* regs/xe_lrc_layout.h */
#define STATE_RESET 6			/* xe_guc_submit.c: bit of EXEC_QUEUE_STATE_RESET */
#define XE_PL_TT 1			/* xe_bo.h, as TTM_PL_TT */
#define XE_PL_VRAM1 3

#define VMS_MAX 4096
#define RUN_BYTES 16
#define WIDTH_MAX 9			/* XE_HW_ENGINE_MAX_INSTANCE */
#define ADDRESS_BITS UINT64_C(0x1ffffffffffffff)
#define CT_MAX (1u << 20)
#define LOG_MAX (32u << 20)

struct xe {
	struct vmcore_gpu *gpu;
	VEC(uint64_t) vms;		/* that have been taken, each as one of dump->spaces */
	unsigned gts;			/* that have been read */
};

/* A context of a queue, while its jobs are read. */
struct lrc {
	struct kobj lrc, queue;
	struct driver_queue taken;
	unsigned number;		/* of several that run side by side */
	uint32_t done, begun;		/* seqnos of the last jobs that were done, and began */
	uint32_t head;			/* of the ring, when the context was saved last */
	bool has_seqnos, has_head, queued;
	size_t last;			/* the job before: its number in dump->requests, plus 1 */
};

static struct kobj object(const struct xe *x, const char *type, uint64_t address)
{
	return kernel_object(x->gpu->kernel, MODULE, type, address);
}

/* Of an engine; "": it has none, or not that of any. */
static void take_name(struct kobj engine, char name[ENGINE_NAME])
{
	char text[ENGINE_NAME];
	struct slice rest;

	kobj_text(engine, "name", text, sizeof(text));
	rest = slice_string(text);
	if (!take_engine(&rest, name))
		*name = 0;
}

/* ---- buffers --------------------------------------------------------------------------------- */

static struct kobj pages_of(struct kobj bo)
{
	return kobj_at(kobj_container(kobj_at(bo, "ttm.ttm->"), MODULE, "xe_ttm_tt", "ttm"),
		       "sg->");
}

/* The page that is so far into a buffer. Each run of pages on the way counts as bytes. */
static bool page_at(struct vmcore_gpu *gpu, struct kobj bo, uint64_t offset, uint64_t *physical,
		    uint64_t *dma)
{
	struct kpages pages;
	uint64_t length;

	kpages_begin(&pages, pages_of(bo));
	while (vmcore_take_bytes(gpu, RUN_BYTES) && kpages_next(&pages, physical, dma, &length)) {
		if (offset < length && (*physical == KPAGES_UNKNOWN || *dma == KPAGES_UNKNOWN))
			return false;
		if (offset < length) {
			*physical += offset;
			*dma += offset;
			return true;
		}
		offset -= length;
	}
	return false;
}

/* In the first tile's table; newer nodes count from the beginning of its usable part. */
static bool ggtt_place(struct kobj bo, uint64_t *address)
{
	struct kobj node = kobj_at(bo, "ggtt_node[0]->");
	uint64_t start = 0;

	if (!kobj_number(node, "base.start", address) ||
	    (kobj_has(node, "ggtt->start") && !kobj_number(node, "ggtt->start", &start)))
		return false;
	*address += start;
	return true;
}

/* Where the kernel sees its bytes, if they are in its memory. */
static bool mapped(struct kobj bo, uint64_t *address, uint64_t *size)
{
	return bo.address && kobj_number(bo, "vmap.vaddr", address) && *address &&
	       kobj_number(bo, "ttm.base.size", size);
}

/* A file of the part: the bytes of these buffers, one after the other. */
static void take_file(struct vmcore_gpu *gpu, const char *name, const struct kobj *bos,
		      size_t count, uint64_t most)
{
	uint64_t address[2], size[2], all = 0;
	uint8_t *bytes;

	for (size_t i = 0; i < count; all += size[i++])
		if (!mapped(bos[i], &address[i], &size[i]) || size[i] > most - all)
			return;
	if (!vmcore_take_bytes(gpu, all))
		return;
	bytes = part_alloc(gpu->r.part, (size_t)all);
	gpu->r.memory_out |= !bytes;
	for (size_t i = 0, at = 0; i < count && bytes; at += (size_t)size[i++])
		if (!kernel_read(gpu->kernel, address[i], bytes + at, (size_t)size[i]))
			return;
	if (bytes)
		dump_add_member(&gpu->r, name, bytes, (size_t)all, (size_t)all);
}

/* ---- the GGTT -------------------------------------------------------------------------------- */

static uint64_t encode(const struct vmcore_gpu *gpu, uint64_t dma)
{
	return dma | XE_PAGE_PRESENT | gpu->caching;
}

/* How the pages of a buffer are cached: xe_ggtt.c, xe_ggtt_map_bo(). */
static uint64_t caching(const struct vmcore_gpu *gpu, struct kobj bo)
{
	uint64_t flags, mode, index = 0;
	char path[32];

	if (!platform_has(&gpu->platform, PROPERTY_GGTT_PAT) || !kobj_number(bo, "flags", &flags) ||
	    !kernel_enumerator(gpu->kernel, MODULE, flags & XE_BO_FLAG_NEEDS_UC ?
			       "XE_CACHE_NONE" : "XE_CACHE_WB", &mode))
		return 0;
	string_set(path, "pat.idx[%u]", (unsigned)mode);
	kobj_number(gpu->device, path, &index);
	return (index & 3) << PAT_SHIFT;
}

static void take_pinned(struct vmcore_gpu *gpu, const char *list)
{
	uint64_t address, size;
	struct klist pinned;
	struct kobj bo;

	if (!kobj_has(gpu->device, list))
		return;
	klist_begin(&pinned, kobj_at(gpu->device, list), MODULE, "xe_bo", "pinned_link");
	while (klist_next(&pinned, &bo) && vmcore_take(gpu)) {
		if (!kobj_number(bo, "ttm.base.size", &size))
			continue;
		vmcore_client(gpu, "", 0, 1, size);
		gpu->caching = caching(gpu, bo);
		if (ggtt_place(bo, &address))
			vmcore_ggtt(gpu, address, size, pages_of(bo), encode);
	}
}

/* ---- address spaces -------------------------------------------------------------------------- */

static const char *place_of(struct kobj bo)
{
	uint64_t type;

	if (!bo.address)
		return "memory of the process";
	if (!kobj_number(bo, "ttm.resource->mem_type", &type))
		return "";
	if (type <= XE_PL_TT)
		return type == XE_PL_TT ? "system memory" : "moved out of the GPU's reach";
	return type <= XE_PL_VRAM1 ? "device memory" : "stolen memory";
}

static void take_ranges(struct vmcore_gpu *gpu, struct kobj vm)
{
	struct driver_range range = { .space = gpu->r.dump->spaces.count - 1 };
	uint64_t object, offset, dma;
	struct klist list;
	struct kobj va;

	klist_begin(&list, kobj_at(vm, "gpuvm.rb.list"), MODULE, "drm_gpuva", "rb.entry");
	while (klist_next(&list, &va) && vmcore_take(gpu)) {
		struct kobj bo = kobj_at(va, "gem.obj->");

		if (!kobj_number(va, "va.addr", &range.start) ||
		    !kobj_number(va, "va.range", &range.size) ||
		    !kobj_number(va, "gem.obj", &object) ||
		    !kobj_number(va, "gem.offset", &offset))
			continue;
		if (object)
			bo = kobj_container(bo, MODULE, "xe_bo", "ttm.base");
		range.place = place_of(bo);
		range.has_page = page_at(gpu, bo, offset, &range.page, &dma);
		vmcore_range(gpu, &range);
	}
}

/* NULL: it has no tables, or there are too many. */
static struct driver_space *take_vm(struct xe *x, struct kobj vm, const char *process,
				    uint32_t pid)
{
	struct driver_space space = { .pid = pid, .mode = GSC_MODE_PML4, .count = 1 };
	struct dump *dump = x->gpu->r.dump;
	uint64_t physical;

	for (size_t i = 0; i < x->vms.count; i++)
		if (x->vms.items[i] == vm.address)
			return &dump->spaces.items[i];
	string_set(space.process, "%s", process);
	if (x->vms.count == VMS_MAX || !vmcore_take(x->gpu) ||
	    !page_at(x->gpu, kobj_at(vm, "pt_root[0]->bo->"), 0, &physical, &space.root[0]))
		return NULL;
	vmcore_space(x->gpu, &space);
	x->gpu->r.memory_out |= !vec_push(&x->vms, vm.address);
	if (x->gpu->r.memory_out)
		return NULL;
	take_ranges(x->gpu, vm);
	return &dump->spaces.items[dump->spaces.count - 1];
}

/* ---- jobs ------------------------------------------------------------------------------------ */

static bool dword_at(struct kobj bo, uint64_t offset, uint32_t *value)
{
	uint64_t address, size;

	return mapped(bo, &address, &size) && kernel_read(bo.kernel, address + offset, value, 4);
}

/* What the GPU has reported of the jobs of a context, and where the ring was when it was saved. */
static void take_progress(struct lrc *l)
{
	struct kobj bo = kobj_at(l->lrc, "bo->"), seqnos = bo;
	uint64_t at = l->taken.bytes + SEQNO_IN_PPHWSP;

	if (kobj_has(l->lrc, "seqno_bo")) {
		seqnos = kobj_at(l->lrc, "seqno_bo->");
		at = 0;
	}
	l->has_seqnos = dword_at(seqnos, at, &l->done) &&
			dword_at(seqnos, at + START_SEQNO, &l->begun);
	l->has_head = dword_at(bo, l->taken.bytes + PPHWSP_BYTES + CTX_RING_HEAD, &l->head);
	l->head &= (uint32_t)l->taken.bytes - 1;
}

static enum gsc_request_state state_of(const struct lrc *l, uint32_t seqno)
{
	if (!l->has_seqnos)
		return GSC_REQUEST_UNKNOWN;
	if ((int32_t)(l->done - seqno) >= 0)
		return GSC_REQUEST_DONE;
	return (int32_t)(l->begun - seqno) >= 0 ? GSC_REQUEST_BEGUN : GSC_REQUEST_WAITS;
}

/*
 * Newer jobs have the place in the ring where they begin; of older ones, the first that is not
 * done begins where the context was saved last.
 */
static void take_ends(struct xe *x, struct lrc *l, struct kobj job, struct gsc_request *to)
{
	struct dump *dump = x->gpu->r.dump;
	struct gsc_request *before;
	char path[32];

	string_set(path, "ptrs[%u].head", l->number);
	if (kobj_has(job, path)) {
		if (kobj_number(job, path, &to->head))
			to->known |= GSC_REQUEST_HEAD;
	} else if (l->has_head && to->state != GSC_REQUEST_DONE) {
		to->head = l->head;
		to->known |= GSC_REQUEST_HEAD;
		l->has_head = false;
	}
	/* The one before ends here, if that is known; the last ends where the ring does. */
	if (l->last) {
		before = &dump->requests.items[l->last - 1].r;
		before->tail = to->head;
		if (!(to->known & GSC_REQUEST_HEAD))
			before->known &= ~(unsigned)GSC_REQUEST_TAIL;
	}
	to->tail = l->taken.tail;
	to->known |= GSC_REQUEST_TAIL;
}

/* The oldest job that began on an engine, and is not done, says what the engine runs. */
static void take_running(struct xe *x, const struct lrc *l, struct gsc_request *job)
{
	struct driver_ring ring = { .start = l->taken.ring, .bytes = l->taken.bytes,
				    .head = job->head, .tail = l->taken.tail };
	struct dump *dump = x->gpu->r.dump;
	struct driver_space *space;

	if (!ring.start || !(job->known & GSC_REQUEST_HEAD))
		return;
	for (size_t i = 0; i < dump->rings.count; i++)
		if (!strcmp(dump->rings.items[i].engine, job->engine))
			return;
	job->current = true;
	string_set(ring.engine, "%s", job->engine);
	vmcore_ring(x->gpu, &ring);
	space = take_vm(x, kobj_at(l->queue, "vm->"), l->taken.process, l->taken.pid);
	if (space)
		vmcore_works_in(space, job->engine);
}

/* Context 0 is that of no fence. */
static void take_fence(struct kobj fence, struct driver_fence *to)
{
	if (!kobj_number(fence, "context", &to->context) ||
	    !kobj_number(fence, "seqno", &to->seqno))
		to->context = 0;
}

static void take_job(struct xe *x, struct lrc *l, struct kobj base, bool pending)
{
	struct kobj job = kobj_container(base, MODULE, "xe_sched_job", "drm");
	struct driver_request to = { .kind = WORK_REQUEST, .r.pid = l->taken.pid,
				     .r.state = GSC_REQUEST_WAITS };
	uint64_t seqno;
	char path[32];

	string_set(to.r.name, "job of %s", l->taken.name);
	string_set(to.r.engine, "%s", l->taken.engine);
	string_set(to.process, "%s", l->taken.process);
	if (l->taken.pid)
		to.r.known |= GSC_REQUEST_PID;
	if (kobj_number(l->lrc, "fence_ctx.dma_fence_ctx", &to.r.context))
		to.r.known |= GSC_REQUEST_CONTEXT;
	if (kobj_number(job, "lrc_seqno", &seqno)) {
		to.r.seqno = (uint32_t)seqno;
		to.r.known |= GSC_REQUEST_SEQNO;
		to.r.state = pending ? state_of(l, to.r.seqno) : GSC_REQUEST_WAITS;
	}
	string_set(path, "ptrs[%u].batch_addr", l->number);
	to.has_batch = kobj_number(job, path, &to.batch);
	to.batch &= ADDRESS_BITS;
	take_fence(kobj_at(job, "drm.s_fence->finished"), &to.finished);
	if (pending)
		take_ends(x, l, job, &to.r);
	else if (!l->queued)
		take_fence(kobj_at(l->queue, "entity->dependency->"), &to.waits);
	l->queued = !pending;
	if (to.r.state == GSC_REQUEST_BEGUN && *to.r.engine)
		take_running(x, l, &to.r);
	vmcore_request(x->gpu, &to);
	l->last = pending ? x->gpu->r.dump->requests.count : 0;
}

/* Those that the GuC has, then those that wait for fences. */
static void take_jobs(struct xe *x, struct lrc *l)
{
	struct klist jobs;
	struct kobj job, node;

	klist_begin(&jobs, kobj_at(l->queue, "guc->sched.base.pending_list"), MODULE,
		    "drm_sched_job", "list");
	while (klist_next(&jobs, &job) && vmcore_take(x->gpu))
		take_job(x, l, job, true);
	vmcore_list_end(x->gpu, &jobs);
	l->last = 0;
	node = kobj_at(l->queue, "entity->job_queue.head->");
	for (; node.address && vmcore_take(x->gpu); node = kobj_at(node, "next->"))
		take_job(x, l, kobj_container(node, MODULE, "drm_sched_job", "queue_node"), false);
}

/* ---- queues ---------------------------------------------------------------------------------- */

static void take_process(struct kobj file, char name[TASK_NAME], uint32_t *pid)
{
	uint64_t number = 0;

	kobj_text(file, "process_name", name, TASK_NAME);
	kobj_number(file, "pid", &number);
	*pid = (uint32_t)number;
}

static void take_state(struct lrc *l)
{
	static const char *const words[] = { "reset", "killed", "wedged", "banned" };
	struct text text = text_of(l->taken.state);
	uint64_t state;

	if (!kobj_number(l->queue, "guc->state", &state))
		return;
	for (unsigned i = 0; i < ARRAY_SIZE(words); i++)
		if (state >> (STATE_RESET + i) & 1)
			text_join(&text, ", ", words[i]);
}

/* `hwe` is the engine of a queue that can run on no other: otherwise it is one of several. */
static void take_lrc(struct xe *x, struct kobj queue, uint64_t id, unsigned number)
{
	struct lrc l = { .queue = queue, .number = number };
	uint64_t mask = 0;
	char path[32];

	string_set(path, "lrc[%u]->", number);
	l.lrc = kobj_at(queue, path);
	string_set(l.taken.name, "queue %u", (unsigned)id);
	if (kobj_number(queue, "logical_mask", &mask) && !(mask & (mask - 1)))
		take_name(kobj_at(queue, "hwe->"), l.taken.engine);
	take_process(kobj_at(queue, "xef->"), l.taken.process, &l.taken.pid);
	take_state(&l);
	if (!kobj_number(l.lrc, "desc", &l.taken.descriptor) ||
	    !kobj_number(l.lrc, "ring.size", &l.taken.bytes) ||
	    !kobj_number(l.lrc, "ring.tail", &l.taken.tail) || !l.taken.bytes) {
		x->gpu->r.dump->torn = "a context of a queue is not in the dump";
		return;
	}
	if (ggtt_place(kobj_at(l.lrc, "bo->"), &l.taken.ring))
		l.taken.descriptor += l.taken.ring + l.taken.bytes;
	take_progress(&l);
	take_jobs(x, &l);
	vmcore_queue(x->gpu, &l.taken);
}

/* The GuC knows a queue that runs on several engines at once by a number for each. */
static void take_queue(struct xe *x, struct kobj queue, uint64_t id)
{
	uint64_t first = UINT64_MAX, width, file;

	if (!kobj_number(queue, "guc->id", &first))
		x->gpu->r.dump->torn = "a queue is not in the dump";
	if (first != id)
		return;
	if (!kobj_number(queue, "width", &width))
		width = 1;
	for (unsigned i = 0; i < MIN(width, WIDTH_MAX) && vmcore_take(x->gpu); i++)
		take_lrc(x, queue, id + i, i);
	if (kobj_number(queue, "xef", &file) && !file)
		take_vm(x, kobj_at(queue, "vm->"), "", 0);
}

static void take_files(struct xe *x)
{
	uint64_t index, address, own;
	char process[TASK_NAME];
	struct kxarray spaces;
	struct klist files;
	struct kobj file;
	uint32_t pid;

	klist_begin(&files, kobj_at(x->gpu->device, "drm.filelist"), MODULE, "drm_file", "lhead");
	while (klist_next(&files, &file) && vmcore_take(x->gpu)) {
		if (!kobj_number(file, "driver_priv", &own))
			continue;
		file = object(x, "xe_file", own);
		take_process(file, process, &pid);
		kxarray_begin(&spaces, kobj_at(file, "vm.xa"));
		while (kxarray_next(&spaces, &index, &address) && vmcore_take(x->gpu))
			take_vm(x, object(x, "xe_vm", address), process, pid);
	}
}

/* ---- GTs ------------------------------------------------------------------------------------- */

static void take_engines(struct vmcore_gpu *gpu, struct kobj gt, unsigned number)
{
	struct kobj engines = kobj_at(gt, "hw_engines");
	char names[160] = "", name[ENGINE_NAME], path[32];

	for (unsigned i = 0; i < kobj_count(engines) && vmcore_take(gpu); i++) {
		string_set(path, "[%u]", i);
		take_name(kobj_at(engines, path), name);
		string_add(names, "%s%s", *name ? " " : "", name);
		vmcore_engine(gpu, name);
	}
	vmcore_say(gpu, "", "available engines", "GT %u:%s", number, names);
}

static void take_guc(struct vmcore_gpu *gpu, struct kobj guc, unsigned number)
{
	static const struct {
		const char *path, *prefix, *key;
	} numbers[] = {
		{ "ct.g2h_outstanding", "guc-ct", "g2h outstanding" },
		{ "ct.ctbs.h2g.info.broken", "guc-ct.H2G", "broken" },
		{ "ct.ctbs.g2h.info.broken", "guc-ct.G2H", "broken" },
	};
	/* Once one buffer had both rings. */
	const bool apart = kobj_has(guc, "ct.ctbs.h2g.bo");
	const struct kobj rings[] = {
		kobj_at(guc, apart ? "ct.ctbs.h2g.bo->" : "ct.bo->"),
		apart ? kobj_at(guc, "ct.ctbs.g2h.bo->") : guc,
	}, log = kobj_at(guc, "log.bo->");
	char text[96];
	uint64_t value;

	string_set(text, "gt%u/guc-ct.bin", number);
	take_file(gpu, text, rings, apart ? 2 : 1, CT_MAX);
	string_set(text, "gt%u/guc-log.bin", number);
	take_file(gpu, text, &log, 1, LOG_MAX);
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (kobj_number(guc, numbers[i].path, &value) && value)
			vmcore_say(gpu, numbers[i].prefix, numbers[i].key, "%llu", LL(value));
	if (!number && kobj_text(guc, "fw.path", text, sizeof(text)))
		vmcore_say(gpu, "", "GuC firmware", "%s", text);
}

static void take_gt(struct xe *x, struct kobj gt)
{
	struct kobj lookup = kobj_at(gt, "uc.guc.submission_state.exec_queue_lookup");
	uint64_t id = 0, address, lists = 0;
	struct kxarray queues;

	if (!gt.address || !vmcore_take(x->gpu))
		return;
	kobj_number(gt, "info.id", &id);
	take_engines(x->gpu, gt, (unsigned)id);
	kxarray_begin(&queues, lookup);
	for (uint64_t i; kxarray_next(&queues, &i, &address) && vmcore_take(x->gpu);)
		take_queue(x, object(x, "xe_exec_queue", address), i);
	/* Without a GuC no list has all queues. */
	kobj_number(x->gpu->device, "info.force_execlist", &lists);
	if (queues.stop || !lookup.address || lists)
		x->gpu->r.dump->torn = "there is no complete list of queues";
	x->gts++;
	take_guc(x->gpu, kobj_at(gt, "uc.guc"), (unsigned)id);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/*
 * As the text that xe makes before somebody reads the dump for the first time; until then it is
 * in another form.
 */
static void take_core_dump(struct vmcore_gpu *gpu, struct kobj dump)
{
	uint64_t captured, size = 0, at = 0;
	char process[TASK_NAME], *text = NULL;

	if (!kobj_number(dump, "captured", &captured) || !captured)
		return;
	kobj_number(dump, "snapshot.read.buffer", &at);
	kobj_number(dump, "snapshot.read.size", &size);
	kobj_text(dump, "snapshot.process_name", process, sizeof(process));
	if (at && size && size <= gpu->bytes && vmcore_take_bytes(gpu, size)) {
		text = malloc((size_t)size);
		gpu->r.memory_out |= !text;
	}
	if (text && kernel_read(gpu->kernel, at, text, (size_t)size)) {
		vmcore_stored(gpu, "devcoredump", text, strnlen(text, (size_t)size));
		return;
	}
	free(text);
	vmcore_say(gpu, "", "stored", "a core dump, of %s, %s", *process ? process : "the kernel",
		   at ? "of which the text is not in this dump, or too long"
		      : "that nobody has read: it is not a text yet");
}

static void fill(struct vmcore_gpu *gpu)
{
	static const char *const pinned[] = {
		"pinned.kernel_bo_present", "pinned.early.kernel_bo_present",
		"pinned.late.kernel_bo_present", "pinned.late.external",
	};
	struct xe x = { .gpu = gpu };
	struct kobj tiles = kobj_at(gpu->device, "tiles");
	uint64_t wedged, count = 0;
	char path[48];

	take_core_dump(gpu, kobj_at(gpu->device, "devcoredump"));
	kobj_number(gpu->device, "info.tile_count", &count);
	for (unsigned i = 0; i < MIN(count, kobj_count(tiles)) && vmcore_take(gpu); i++) {
		string_set(path, "[%u].primary_gt->", i);
		take_gt(&x, kobj_at(tiles, path));
		string_set(path, "[%u].media_gt->", i);
		take_gt(&x, kobj_at(tiles, path));
	}
	if (!x.gts)
		gpu->r.dump->torn = "the driver's GTs are not in the dump";
	take_files(&x);
	for (size_t i = 0; i < ARRAY_SIZE(pinned); i++)
		take_pinned(gpu, pinned[i]);
	if (kobj_number(gpu->device, "wedged.flag", &wedged) && wedged)
		vmcore_say(gpu, "", "wedged", "xe gave up the GPU: it accepts no work until the "
			   "driver is bound again");
	vec_free(&x.vms);
}

const struct vmcore_driver vmcore_xe = { MODULE, "xe_device", fill };
