/* SPDX-License-Identifier: MIT */
/*
 * What i915 keeps in memory about a GPU. Requests, by the timelines, which have them for any way of
 * submission: Linux, i915_request.h, gt/intel_timeline_types.h. Whether one began or is done, its
 * status page says, as i915_request_started() and i915_request_completed() see it. Address spaces:
 * gt/intel_gtt.h, gt/gen6_ppgtt.h, gem/i915_gem_context_types.h. The GGTT: i915_vma_types.h.
 */
#include "vmcore/vmcore.h"

#include "db/engine.h"
#include "db/properties.h"

#define GTS 8				/* I915_MAX_GT is less */
#define MODULE "i915"
/* Macros, which types do not have; the same from Linux 6.1 to 7.2. */
#define I915_VMA_GLOBAL_BIND (1u << 10)	/* i915_vma_types.h: I915_VMA_GLOBAL_BIND_BIT */
#define I915_WEDGED 63			/* gt/intel_reset_types.h: BITS_PER_LONG - 1 */
#define ELLC_WRITE_BACK (1u << 11)	/* gt/intel_gtt.h: HSW_WB_ELLC_LLC_AGE3 */
#define ELLC_WRITE_THROUGH (7u << 1)	/* HSW_WT_ELLC_LLC_AGE3 */
#define DIRECTORIES 512			/* I915_PDES */

/* Address spaces that have been taken, by the addresses of their structs. */
struct taken {
	uint64_t vm;
	size_t space;			/* in dump->spaces */
};

/* The request that an engine most probably runs, and why that is assumed. */
struct begun {
	size_t index;			/* in dump->requests */
	struct kobj request;
	enum { AFTER_LAST, BY_BREADCRUMB, BY_EXECLIST } by;
	uint64_t emitted;		/* jiffies */
};

#define SPACES_MAX 4096			/* a search goes through them for each context */

struct i915 {
	struct vmcore_gpu *gpu;
	VEC(struct taken) taken;
	VEC(struct begun) begun;	/* one of each engine */
	uint64_t active, breadcrumb;	/* bits of fence.flags: an engine has it; it has one */
	bool has_active, has_breadcrumb;
	uint64_t jiffies, tick;		/* nanoseconds; 0: unknown */
};

static struct kobj object(const struct i915 *d, const char *type, uint64_t address)
{
	return kernel_object(d->gpu->kernel, MODULE, type, address);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* By class and number in the hardware: i915 renumbers engines for users. "": a virtual one. */
static void engine_name(struct kobj engine, char name[ENGINE_NAME])
{
	uint64_t class, instance;
	const char *word;

	*name = 0;
	if (!kobj_number(engine, "uabi_class", &class) ||
	    !kobj_number(engine, "instance", &instance) || instance > ENGINE_LAST)
		return;
	word = engine_by_number(ENGINE_UAPI, class);
	if (word)
		snprintf(name, ENGINE_NAME, "%.8s%llu", word, LL(instance));
}

/* Of a context: "hang-i915[105]" stays when the process is gone. */
static void take_process(struct kobj context, char name[TASK_NAME], uint64_t *pid)
{
	char text[64], *bracket;
	uint32_t number = 0;

	*name = 0;
	*pid = 0;
	if (!context.address)
		return;
	if (kernel_process(kobj_at(context, "pid->"), &number, name))
		*pid = number;
	if (*name || !kobj_text(context, "name", text, sizeof(text)))
		return;
	bracket = strrchr(text, '[');
	if (bracket)
		*bracket = 0;
	snprintf(name, TASK_NAME, "%.15s", text);
}

/* ---- address spaces -------------------------------------------------------------------------- */

/* The address by which the device knows the first page of an object. */
static bool first_page(struct kobj object, uint64_t *dma)
{
	uint64_t physical, length;
	struct kpages pages;

	kpages_begin(&pages, kobj_at(object, "mm.pages->"));
	return kpages_next(&pages, &physical, dma, &length) && *dma != KPAGES_UNKNOWN;
}

static bool directory_page(struct kobj directory, uint64_t *dma)
{
	return first_page(kobj_at(directory, "pt.base->"), dma);
}

/* Entry number `i` of a directory: the struct of the next level. */
static struct kobj below(const struct i915 *d, struct kobj directory, const char *type, unsigned i)
{
	char path[32];
	uint64_t address;

	string_set(path, "entry[%u]", i);
	return object(d, type, kobj_number(directory, path, &address) ? address : 0);
}

static uint64_t gen6_address(uint64_t dma)
{
	return (dma & 0xfffff000) | (dma >> 28 & 0xff0);
}

/* The directory of these is in the GGTT, where its entries are no pages of an object. */
static void take_directory(const struct i915 *d, struct kobj directory, uint64_t address)
{
	uint64_t entries[DIRECTORIES], dma;

	for (unsigned i = 0; i < DIRECTORIES; i++) {
		struct kobj table = below(d, directory, "i915_page_table", i);

		if (!table.address || !first_page(kobj_at(table, "base->"), &dma)) {
			entries[i] = 0;
			continue;
		}
		entries[i] = gen6_address(dma) | 1;
	}
	vmcore_ggtt_entries(d->gpu, address, entries, DIRECTORIES);
}

static bool take_root(const struct i915 *d, struct kobj ppgtt, struct driver_space *space)
{
	struct kobj directory = kobj_at(ppgtt, "pd->"), gen6;
	uint64_t top = 0;

	kobj_number(ppgtt, "vm.top", &top);
	if (!directory.address)
		return false;
	if (top == 3) {
		space->mode = GSC_MODE_PML4;
		space->count = 1;
		return directory_page(directory, &space->root[0]);
	}
	if (top == 2) {
		space->mode = GSC_MODE_PDP32;
		space->count = 4;
		for (unsigned i = 0; i < 4; i++)
			directory_page(below(d, directory, "i915_page_directory", i),
				       &space->root[i]);
		return space->root[0];
	}
	gen6 = kobj_container(ppgtt, MODULE, "gen6_ppgtt", "base");
	space->mode = GSC_MODE_2LEVEL;
	space->count = 1;
	if (!kobj_number(gen6, "pp_dir", &space->root[0]) || !space->root[0])
		return false;
	take_directory(d, directory, space->root[0]);
	return true;
}

/* Those without tables of their own have the ones that all share, if there are such. */
static struct kobj tables_of(struct kobj vm)
{
	uint64_t global = 0;

	kobj_number(vm, "is_ggtt", &global);
	if (global)
		return kobj_at(kobj_container(vm, MODULE, "i915_ggtt", "vm"), "alias->");
	return kobj_container(vm, MODULE, "i915_ppgtt", "vm");
}

/* By enum intel_memory_type; what has no region is pages of the kernel or of a process. */
static const char *place_of(struct kobj object)
{
	static const char *const words[] = { "system memory", "device memory", "stolen memory",
					     "stolen memory" };
	uint64_t type = 0;

	kobj_number(object, "mm.region->type", &type);
	return type < ARRAY_SIZE(words) ? words[type] : "";
}

static void take_ranges(const struct i915 *d, struct kobj ppgtt)
{
	struct driver_range range = { .space = d->gpu->r.dump->spaces.count - 1 };
	struct klist bound;
	struct kobj vma;

	klist_begin(&bound, kobj_at(ppgtt, "vm.bound_list"), MODULE, "i915_vma", "vm_link");
	while (klist_next(&bound, &vma) && vmcore_take(d->gpu)) {
		uint64_t length, dma;
		struct kpages pages;

		if (!kobj_number(vma, "node.start", &range.start) ||
		    !kobj_number(vma, "node.size", &range.size))
			continue;
		range.place = place_of(kobj_at(vma, "obj->"));
		kpages_begin(&pages, kobj_at(vma, "pages->"));
		range.has_page = kpages_next(&pages, &range.page, &dma, &length) &&
				 range.page != KPAGES_UNKNOWN;
		vmcore_range(d->gpu, &range);
	}
}

/* The space of a process, or the one of that address that is already there; NULL: no tables. */
static struct driver_space *take_space(struct i915 *d, struct kobj vm, const char *process,
				       uint64_t pid)
{
	struct kobj ppgtt = vm.address ? tables_of(vm) : vm;
	struct dump *dump = d->gpu->r.dump;
	struct driver_space space = { .pid = (uint32_t)pid };
	struct taken taken = { ppgtt.address, dump->spaces.count };

	if (!ppgtt.address)
		return NULL;
	for (size_t i = 0; i < d->taken.count; i++) {
		struct driver_space *same = &dump->spaces.items[d->taken.items[i].space];

		if (d->taken.items[i].vm == ppgtt.address && same->pid == (uint32_t)pid)
			return same;
	}
	string_set(space.process, "%s", process);
	if (d->taken.count == SPACES_MAX || !vmcore_take(d->gpu) || !take_root(d, ppgtt, &space))
		return NULL;
	vmcore_space(d->gpu, &space);
	d->gpu->r.memory_out |= !vec_push(&d->taken, taken);
	if (d->gpu->r.memory_out)
		return NULL;
	take_ranges(d, ppgtt);
	return &dump->spaces.items[dump->spaces.count - 1];
}

/* What a context has on each engine, if it has ever been used there. */
static void take_contexts(struct i915 *d, struct kobj engines, const char *process, uint64_t pid,
			  uint64_t number)
{
	struct driver_queue taken = { .pid = (uint32_t)pid };
	uint64_t count = 0;
	char path[32];

	string_set(taken.process, "%s", process);
	string_set(taken.name, "context %u", (unsigned)number);
	kobj_number(engines, "num_engines", &count);
	for (unsigned i = 0; i < count && vmcore_take(d->gpu); i++) {
		struct kobj context;

		string_set(path, "engines[%u]->", i);
		context = kobj_at(engines, path);
		if (!kobj_number(context, "ring->vma->node.start", &taken.ring) ||
		    !kobj_number(context, "ring->size", &taken.bytes) ||
		    !kobj_number(context, "ring->tail", &taken.tail) ||
		    !kobj_number(context, "lrc.desc", &taken.descriptor))
			continue;
		engine_name(kobj_at(context, "engine->"), taken.engine);
		vmcore_queue(d->gpu, &taken);
	}
}

static void take_file(struct i915 *d, struct kobj file)
{
	uint64_t index, address, pid;
	struct kxarray contexts;
	char process[TASK_NAME];

	kxarray_begin(&contexts, kobj_at(file, "context_xa"));
	while (kxarray_next(&contexts, &index, &address) && vmcore_take(d->gpu)) {
		struct kobj context = object(d, "i915_gem_context", address);

		take_process(context, process, &pid);
		take_space(d, kobj_at(context, "vm->"), process, pid);
		take_contexts(d, kobj_at(context, "engines->"), process, pid, index);
	}
}

static void take_files(struct i915 *d)
{
	struct kobj file;
	struct klist files;
	uint64_t own;

	klist_begin(&files, kobj_at(d->gpu->device, "drm.filelist"), MODULE, "drm_file", "lhead");
	while (klist_next(&files, &file) && vmcore_take(d->gpu))
		if (kobj_number(file, "driver_priv", &own))
			take_file(d, object(d, "drm_i915_file_private", own));
}

/* ---- requests -------------------------------------------------------------------------------- */

/* The first one of the list that the engine has; low bits of pointers are flags. */
static bool is_executing(struct kobj request)
{
	uint64_t first;

	return kobj_number(request, "engine->execlists.active->", &first) &&
	       (first & ~UINT64_C(7)) == request.address;
}

/* It began if the breadcrumb before its batch is written, and if an engine has it at all. */
static enum gsc_request_state state_of(const struct i915 *d, struct kobj request, uint32_t seqno)
{
	uint64_t now, flags = 0;

	if (!kobj_number(request, "hwsp_seqno->", &now))
		return GSC_REQUEST_UNKNOWN;
	if ((int32_t)((uint32_t)now - seqno) >= 0)
		return GSC_REQUEST_DONE;
	kobj_number(request, "fence.flags", &flags);
	/* To preempt it, i915 takes a request back before the engine does. */
	if (d->has_active && !(flags >> d->active & 1) && !is_executing(request))
		return GSC_REQUEST_WAITS;
	return (int32_t)((uint32_t)now - (seqno - 1)) >= 0 ? GSC_REQUEST_BEGUN
							   : GSC_REQUEST_WAITS;
}

static unsigned age_of(const struct i915 *d, struct kobj request)
{
	uint64_t emitted;

	if (!d->tick || !kobj_number(request, "emitted_jiffies", &emitted) ||
	    d->jiffies - emitted >= UINT32_MAX)
		return 0;
	return (unsigned)((d->jiffies - emitted) * d->tick / 1000000);
}

static void take_numbers(struct kobj request, struct driver_request *to)
{
	const struct {
		const char *path;
		uint64_t *value;
		unsigned known;
	} numbers[] = {
		{ "fence.context", &to->r.context, GSC_REQUEST_CONTEXT },
		{ "head", &to->r.head, GSC_REQUEST_HEAD },
		{ "postfix", &to->r.post, GSC_REQUEST_POST },
		{ "tail", &to->r.tail, GSC_REQUEST_TAIL },
	};
	uint64_t seqno;

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (kobj_number(request, numbers[i].path, numbers[i].value))
			to->r.known |= numbers[i].known;
	if (!kobj_number(request, "fence.seqno", &seqno))
		return;
	to->r.seqno = (uint32_t)seqno;
	to->r.known |= GSC_REQUEST_SEQNO;
}

/*
 * Requests without a breadcrumb of their own, such as the kernel's, seem to begin when the one
 * before them is done: they wait if another one of their engine began.
 */
static void note_begun(struct i915 *d, struct kobj request, struct driver_request *taken)
{
	struct driver_request *all = d->gpu->r.dump->requests.items;
	struct begun begun = { d->gpu->r.dump->requests.count, request, AFTER_LAST, 0 };
	struct begun *best = NULL;
	uint64_t flags = 0;

	kobj_number(request, "emitted_jiffies", &begun.emitted);
	kobj_number(request, "fence.flags", &flags);
	if (d->has_breadcrumb && flags >> d->breadcrumb & 1)
		begun.by = BY_BREADCRUMB;
	if (is_executing(request))
		begun.by = BY_EXECLIST;
	for (size_t i = 0; i < d->begun.count && !best; i++)
		if (!strcmp(all[d->begun.items[i].index].r.engine, taken->r.engine))
			best = &d->begun.items[i];
	if (!best) {
		d->gpu->r.memory_out |= !vec_push(&d->begun, begun);
		return;
	}
	if (begun.by > best->by || (begun.by == best->by && begun.emitted < best->emitted)) {
		if (best->by == AFTER_LAST)
			all[best->index].r.state = GSC_REQUEST_WAITS;
		*best = begun;
	} else if (begun.by == AFTER_LAST) {
		taken->r.state = GSC_REQUEST_WAITS;
	}
}

/* What the engine runs: its ring, and the address space. */
static void take_running(struct i915 *d, const struct begun *begun)
{
	struct driver_request *taken = &d->gpu->r.dump->requests.items[begun->index];
	struct kobj request = begun->request;
	struct driver_ring at = { .head = taken->r.head };
	struct driver_space *space;

	taken->r.current = true;
	string_set(at.engine, "%s", taken->r.engine);
	if (kobj_number(request, "ring->vma->node.start", &at.start) &&
	    kobj_number(request, "ring->size", &at.bytes) &&
	    kobj_number(request, "ring->tail", &at.tail))
		vmcore_ring(d->gpu, &at);
	space = take_space(d, kobj_at(request, "context->vm->"), taken->process, taken->r.pid);
	if (space)
		vmcore_works_in(space, taken->r.engine);
}

/* The first of those that must be done before it, and is not: i915_sched_node. */
static void take_wait(const struct i915 *d, struct kobj request, struct driver_fence *to)
{
	struct klist signalers;
	struct kobj dependency;

	klist_begin(&signalers, kobj_at(request, "sched.signalers_list"), MODULE,
		    "i915_dependency", "signal_link");
	while (klist_next(&signalers, &dependency) && vmcore_take(d->gpu)) {
		struct kobj other = kobj_container(kobj_at(dependency, "signaler->"), MODULE,
						   "i915_request", "sched");

		if (kobj_number(other, "fence.context", &to->context) &&
		    kobj_number(other, "fence.seqno", &to->seqno) &&
		    state_of(d, other, (uint32_t)to->seqno) != GSC_REQUEST_DONE)
			return;
		to->context = 0;
	}
}

static void take_request(struct i915 *d, struct kobj request)
{
	struct driver_request taken = { .kind = WORK_REQUEST };
	uint64_t batch;

	string_set(taken.r.name, "request");
	engine_name(kobj_at(request, "engine->"), taken.r.engine);
	take_numbers(request, &taken);
	take_process(kobj_at(request, "context->gem_context->"), taken.process, &taken.r.pid);
	if (taken.r.pid)
		taken.r.known |= GSC_REQUEST_PID;
	if (taken.r.known & GSC_REQUEST_SEQNO)
		taken.r.state = state_of(d, request, taken.r.seqno);
	if (kobj_at(request, "batch_res->").address &&
	    kobj_number(request, "batch_res->start", &batch)) {
		taken.batch = batch;
		taken.has_batch = true;
	}
	taken.milliseconds = age_of(d, request);
	if (taken.r.state == GSC_REQUEST_WAITS)
		take_wait(d, request, &taken.waits);
	if (taken.r.state == GSC_REQUEST_BEGUN && *taken.r.engine)
		note_begun(d, request, &taken);
	vmcore_request(d->gpu, &taken);
}

static void take_timelines(struct i915 *d, struct kobj gt)
{
	struct kobj timeline, request;
	struct klist timelines, requests;

	klist_begin(&timelines, kobj_at(gt, "timelines.active_list"), MODULE, "intel_timeline",
		    "link");
	if (!timelines.at)
		d->gpu->r.dump->torn = "the types lack the lists of requests";
	while (klist_next(&timelines, &timeline) && vmcore_take(d->gpu)) {
		klist_begin(&requests, kobj_at(timeline, "requests"), MODULE, "i915_request",
			    "link");
		while (klist_next(&requests, &request) && vmcore_take(d->gpu))
			take_request(d, request);
		vmcore_list_end(d->gpu, &requests);
	}
	vmcore_list_end(d->gpu, &timelines);
}

/* ---- the GGTT -------------------------------------------------------------------------------- */

static uint64_t encode(const struct vmcore_gpu *gpu, uint64_t dma)
{
	return (gpu->platform.ggtt_entry == 4 ? gen6_address(dma) : dma) | 1 | gpu->caching;
}

/*
 * How the pages of an object are cached, where entries say so: by enum i915_cache_level, which has
 * become an index; those with eLLC as iris_pte_encode() of gt/intel_ggtt.c has it.
 */
static uint64_t caching(const struct vmcore_gpu *gpu, struct kobj object)
{
	static const uint64_t ellc[] = { 0, ELLC_WRITE_BACK, ELLC_WRITE_BACK, ELLC_WRITE_THROUGH };
	uint64_t bits = platform_value(&gpu->platform, PROPERTY_GGTT_CACHING);
	uint64_t level = 0, edram = 0;

	if (!bits)
		return 0;
	kobj_number(object, kobj_has(object, "pat_index") ? "pat_index" : "cache_level", &level);
	kobj_number(gpu->device, "edram_size_mb", &edram);
	level = MIN(level, ARRAY_SIZE(ellc) - 1);
	return edram ? ellc[level] : bits >> (4 * MIN(level, 2)) & 0xf;
}

/* What is bound only in the tables that repeat it is not in the GGTT itself. */
static void take_ggtt(struct i915 *d, struct kobj ggtt)
{
	uint64_t flags, start, size, guard;
	struct klist bound;
	struct kobj vma;

	klist_begin(&bound, kobj_at(ggtt, "vm.bound_list"), MODULE, "i915_vma", "vm_link");
	while (klist_next(&bound, &vma) && vmcore_take(d->gpu)) {
		if (!kobj_number(vma, "flags", &flags) || !(flags & I915_VMA_GLOBAL_BIND) ||
		    !kobj_number(vma, "node.start", &start) ||
		    !kobj_number(vma, "node.size", &size))
			continue;
		guard = 0;
		if (kobj_has(vma, "guard"))
			kobj_number(vma, "guard", &guard);
		d->gpu->caching = caching(d->gpu, kobj_at(vma, "obj->"));
		if (guard < size)
			vmcore_ggtt(d->gpu, start + guard, size - guard,
				    kobj_at(vma, "pages->"), encode);
	}
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void take_engines(const struct i915 *d, struct kobj gt)
{
	char name[ENGINE_NAME], path[32];

	for (unsigned i = 0; i < kobj_count(kobj_at(gt, "engine")) && vmcore_take(d->gpu); i++) {
		string_set(path, "engine[%u]->", i);
		engine_name(kobj_at(gt, path), name);
		vmcore_engine(d->gpu, name);
	}
}

static void take_gt(struct i915 *d, struct kobj gt, unsigned number)
{
	struct vmcore_gpu *gpu = d->gpu;
	uint64_t flags;

	if (kobj_number(gt, "reset.flags", &flags) && flags >> I915_WEDGED & 1)
		vmcore_say(gpu, "", "wedged", "i915 gave up GT %u: it accepts no work until the "
			   "next successful reset", number);
	take_engines(d, gt);
	take_timelines(d, gt);
}

static bool flag_bit(const struct vmcore_gpu *gpu, const char *name, uint64_t *bit)
{
	return kernel_enumerator(gpu->kernel, MODULE, name, bit) && *bit < 64;
}

/* The clock of jiffies has the nanoseconds of one: kernel/time/jiffies.c, clocksource_jiffies. */
static void take_clock(struct i915 *d)
{
	struct kernel *kernel = d->gpu->kernel;
	uint64_t jiffies = kernel_symbol(kernel, "jiffies_64"), mult, shift;
	struct kobj clock = kernel_object(kernel, NULL, "clocksource",
					  kernel_symbol(kernel, "clocksource_jiffies"));

	if (jiffies && kernel_read(kernel, jiffies, &d->jiffies, 8) &&
	    kobj_number(clock, "mult", &mult) && kobj_number(clock, "shift", &shift) && shift < 32)
		d->tick = mult >> shift;
	if (!d->tick)
		vmcore_say(d->gpu, "", "clock", "not in this dump: nothing says how old requests "
			   "are");
}

/* Those of one engine do not count as resets of the GPU. */
static void say_resets(struct vmcore_gpu *gpu)
{
	struct kobj errors = kobj_at(gpu->device, "gpu_error");
	unsigned count = kobj_count(kobj_at(errors, "reset_engine_count"));
	uint64_t resets, engines = 0, more;
	char path[32];

	if (!kobj_number(errors, "reset_count", &resets))
		return;
	for (unsigned i = 0; i < MIN(count, 256); i++) {
		string_set(path, "reset_engine_count[%u]", i);
		if (kobj_number(errors, path, &more))
			engines += more;
	}
	if (engines)
		vmcore_say(gpu, "", "Reset count", "%llu of the GPU, %llu of engines", LL(resets),
			   LL(engines));
	else
		vmcore_say(gpu, "", "Reset count", "%llu", LL(resets));
}

static void fill(struct vmcore_gpu *gpu)
{
	struct i915 d = { .gpu = gpu };
	struct kobj gts = kobj_at(gpu->device, "gt"), ggtt = { .address = 0 };
	unsigned found = 0;

	d.has_active = flag_bit(gpu, "I915_FENCE_FLAG_ACTIVE", &d.active);
	d.has_breadcrumb = flag_bit(gpu, "I915_FENCE_FLAG_INITIAL_BREADCRUMB", &d.breadcrumb);
	take_clock(&d);
	say_resets(gpu);
	take_files(&d);
	gpu->r.dump->torn = "the driver's GTs are not in the dump";
	for (unsigned i = 0; i < MIN(kobj_count(gts), GTS); i++) {
		char path[24];
		struct kobj gt;

		string_set(path, "gt[%u]->", i);
		gt = kobj_at(gpu->device, path);
		if (!gt.address)
			continue;
		if (!found++)
			gpu->r.dump->torn = NULL;
		take_gt(&d, gt, i);
		ggtt = ggtt.address ? ggtt : kobj_at(gt, "ggtt->");
	}
	for (size_t i = 0; i < d.begun.count && !gpu->r.memory_out; i++)
		take_running(&d, &d.begun.items[i]);
	take_ggtt(&d, ggtt);
	vmcore_i915_error(gpu);
	vec_free(&d.taken);
	vec_free(&d.begun);
}

const struct vmcore_driver vmcore_i915 = { MODULE, "drm_i915_private", fill };
