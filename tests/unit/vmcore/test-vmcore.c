/* SPDX-License-Identifier: MIT */
/* What i915 knows about a GPU, in the memory of a machine that the test makes. */
#include "formats/facts.h"
#include "kernel-objects.h"
#include "gpu/gpu.h"
#include "hang/hang.h"
#include "open/open.h"
#include "save/save.h"
#include "source-helpers.h"
#include "source/part.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define INFO 0x20000			/* physical: where VMCOREINFO is */
#define JIFFIES 90000
#define TICK 4000000			/* nanoseconds */
/* ---- types ---------------------------------------------------------------------------------- */

static const char *const described[] = {
	"kobject name:*char", "device_driver name:*char",
	"device kobj:.kobject driver:*device_driver driver_data:n",
	"pci_bus node:.list_head children:.list_head devices:.list_head",
	"pci_dev bus_list:.list_head device:n revision:n dev:.device",
	"drm_device filelist:.list_head", "drm_file lhead:.list_head driver_priv:n",
	"context_array xa_head:n", "drm_i915_file_private context_xa:.context_array",
	"i915_gem_context pid:*pid name:*char vm:*i915_address_space",
	"i915_gpu_error reset_count:n reset_engine_count:2n first_error:n",
	"drm_i915_private drm:.drm_device gt:2*intel_gt gpu_error:.i915_gpu_error",
	"object_mm pages:*sg_table", "drm_i915_gem_object mm:.object_mm cache_level:n",
	"i915_page_table base:*drm_i915_gem_object",
	"i915_page_directory pt:.i915_page_table entry:n",
	"i915_address_space is_ggtt:n top:n bound_list:.list_head",
	"i915_ppgtt vm:.i915_address_space pd:*i915_page_directory",
	"i915_ggtt vm:.i915_address_space alias:*i915_ppgtt",
	"gt_timelines active_list:.list_head", "intel_reset flags:n",
	"intel_gt timelines:.gt_timelines ggtt:*i915_ggtt reset:.intel_reset "
	"engine:2*intel_engine_cs",
	"intel_timeline link:.list_head requests:.list_head",
	"engine_execlists active:*count",
	"intel_engine_cs uabi_class:n instance:n execlists:.engine_execlists",
	"drm_mm_node start:n size:n",
	"i915_vma node:.drm_mm_node vm_link:.list_head flags:n pages:*sg_table guard:n "
	"obj:*drm_i915_gem_object",
	"intel_ring vma:*i915_vma size:n tail:n", "i915_vma_resource start:n",
	"intel_context gem_context:*i915_gem_context vm:*i915_address_space",
	"dma_fence context:n seqno:n flags:n",
	"i915_request fence:.dma_fence engine:*intel_engine_cs context:*intel_context "
	"ring:*intel_ring hwsp_seqno:*count head:n postfix:n tail:n "
	"batch_res:*i915_vma_resource link:.list_head emitted_jiffies:n",
	"clocksource mult:n shift:n",
	"count value:n",
};

/* ---- a machine ------------------------------------------------------------------------------ */

enum { DONE, RUNS, WAITS, KERNEL, REQUESTS };

static struct {
	uint64_t i915, timelines, timeline, requests[REQUESTS], links[REQUESTS], engine;
	uint64_t pci;
	uint64_t port;			/* what the engine has: a pointer to a request */
} is;

static uint64_t make_space(uint64_t root)
{
	uint64_t ppgtt = new_of("i915_ppgtt"), directory = new_of("i915_page_directory");
	uint64_t base = new_of("drm_i915_gem_object");

	set(base, "drm_i915_gem_object", "mm.pages", pages_at(root, 4096));
	set(directory, "i915_page_directory", "pt.base", base);
	set(ppgtt, "i915_ppgtt", "vm.top", 3);
	set(ppgtt, "i915_ppgtt", "pd", directory);
	return ppgtt;
}

static void make_request(unsigned i, uint64_t context, uint64_t ring, uint64_t seqnos)
{
	uint64_t request = new_of("i915_request"), batch = new_of("i915_vma_resource");

	set(batch, "i915_vma_resource", "start", 0x10000000);
	set(request, "i915_request", "fence.context", i == KERNEL ? 4 : 13);
	set(request, "i915_request", "fence.seqno", 10 + 2 * i);
	/* Submitted; the kernel's has no breadcrumb. */
	set(request, "i915_request", "fence.flags", i == KERNEL ? 1 << 3 : 1 << 3 | 1 << 6);
	set(request, "i915_request", "engine", is.engine);
	set(request, "i915_request", "context", context);
	set(request, "i915_request", "ring", ring);
	set(request, "i915_request", "hwsp_seqno", seqnos);
	set(request, "i915_request", "head", 0x100 * i);
	set(request, "i915_request", "postfix", 0x100 * i + 0x60);
	set(request, "i915_request", "tail", 0x100 * i + 0xb8);
	set(request, "i915_request", "batch_res", i == KERNEL ? 0 : batch);
	set(request, "i915_request", "emitted_jiffies", JIFFIES - 500);
	is.requests[i] = request;
	is.links[i] = request + offset_of("i915_request", "link");
}

static void make_work(uint64_t gem, uint64_t vm)
{
	uint64_t context = new_of("intel_context"), own = new_of("intel_context");
	uint64_t ring = new_of("intel_ring"), vma = new_of("i915_vma"), seqnos = new_of("count");
	uint64_t kernels = new_of("count");

	set(vma, "i915_vma", "node.start", 0x3000);
	set(ring, "intel_ring", "vma", vma);
	set(ring, "intel_ring", "size", 0x4000);
	set(ring, "intel_ring", "tail", 0x2b8);
	set(context, "intel_context", "gem_context", gem);
	set(context, "intel_context", "vm", vm);
	/* The seqno before that of RUNS: its breadcrumb; the one before the kernel's. */
	set(seqnos, "count", "value", 11);
	set(kernels, "count", "value", 15);
	for (unsigned i = 0; i < REQUESTS; i++)
		make_request(i, i == KERNEL ? own : context, ring, i == KERNEL ? kernels : seqnos);
	is.timeline = new_of("intel_timeline");
	chain(is.timeline + offset_of("intel_timeline", "requests"), is.links, REQUESTS);
}

static uint64_t make_ggtt(void)
{
	uint64_t ggtt = new_of("i915_ggtt"), bound = new_of("i915_vma"), other = new_of("i915_vma");
	uint64_t link = offset_of("i915_vma", "vm_link"), cached = new_of("drm_i915_gem_object");

	set(ggtt, "i915_ggtt", "vm.is_ggtt", 1);
	set(bound, "i915_vma", "node.start", 0x5000);
	set(bound, "i915_vma", "node.size", 0x4000);
	set(bound, "i915_vma", "guard", 0x1000);
	set(bound, "i915_vma", "flags", 1 << 10);
	set(cached, "drm_i915_gem_object", "cache_level", 1);
	set(bound, "i915_vma", "obj", cached);
	set(bound, "i915_vma", "pages", pages_at(0x70000, 0x2000));
	set(other, "i915_vma", "node.start", 0x9000);
	set(other, "i915_vma", "node.size", 0x1000);
	set(other, "i915_vma", "flags", 1 << 11);
	set(other, "i915_vma", "pages", pages_at(0x50000, 0x1000));
	chain(ggtt + offset_of("i915_ggtt", "vm.bound_list"),
	      (uint64_t[]){ bound + link, other + link }, 2);
	return ggtt;
}

static void make_process(uint64_t gem)
{
	struct { uint64_t count, tasks[2], pad; int32_t nr[4]; } pid = { .nr = { 77 } };
	uint64_t file = new_of("drm_file"), own = new_of("drm_i915_file_private");

	/* The process is gone: its context has its name. */
	set(gem, "i915_gem_context", "pid", made_virtual(&made, &pid, sizeof(pid)));
	set(gem, "i915_gem_context", "name", text_of_kernel("glxgears[77]"));
	set(own, "drm_i915_file_private", "context_xa.xa_head", gem);
	set(file, "drm_file", "driver_priv", own);
	chain(is.i915 + offset_of("drm_i915_private", "drm.filelist"),
	      (uint64_t[]){ file + offset_of("drm_file", "lhead") }, 1);
}

static void make_bus(uint64_t head)
{
	uint64_t bus = new_of("pci_bus"), pci = new_of("pci_dev"), driver = new_of("device_driver");

	is.pci = pci;
	set(driver, "device_driver", "name", text_of_kernel("i915"));
	set(pci, "pci_dev", "device", 0x1912);
	set(pci, "pci_dev", "revision", 6);
	set(pci, "pci_dev", "dev.kobj.name", text_of_kernel("0000:00:02.0"));
	set(pci, "pci_dev", "dev.driver", driver);
	set(pci, "pci_dev", "dev.driver_data", is.i915);
	chain(bus + offset_of("pci_bus", "devices"),
	      (uint64_t[]){ pci + offset_of("pci_dev", "bus_list") }, 1);
	chain(bus + offset_of("pci_bus", "children"), NULL, 0);
	chain(head, (uint64_t[]){ bus + offset_of("pci_bus", "node") }, 1);
}

/* `without`: a member that this version of the driver calls something else; or NULL. */
static void make(const char *without)
{
	uint64_t head, gt, gem, ppgtt, clock;

	made_begin(&made);
	made_kernel_types(&made);
	type_count = 0;
	for (size_t i = 0; i < sizeof(described) / sizeof(*described); i++)
		describe(described[i], without);
	made_type(&made.types, 6, "fence_flags", 2, 4, (uint32_t[]){
		made_string(&made.types, "I915_FENCE_FLAG_ACTIVE"), 3,
		made_string(&made.types, "I915_FENCE_FLAG_INITIAL_BREADCRUMB"), 6 }, 4);
	head = made_image(&made, (uint64_t[2]){ 0 }, 16);
	made_symbol(&made, "pci_root_buses", head);
	made_symbol(&made, "vmemmap_base", made_image(&made, (uint64_t[]){ MADE_PAGES }, 8));
	made_symbol(&made, "jiffies_64", made_image(&made, (uint64_t[]){ JIFFIES }, 8));
	clock = made_image(&made, (uint64_t[]){ TICK << 8, 8 }, 16);
	made_symbol(&made, "clocksource_jiffies", clock);
	is.i915 = new_of("drm_i915_private");
	gt = new_of("intel_gt");
	gem = new_of("i915_gem_context");
	is.engine = new_of("intel_engine_cs");
	is.port = made_virtual(&made, (uint64_t[]){ 0 }, 8);
	set(is.engine, "intel_engine_cs", "execlists.active", is.port);
	ppgtt = make_space(0x60000);
	set(gem, "i915_gem_context", "vm", ppgtt);
	make_process(gem);
	make_work(gem, ppgtt);
	is.timelines = gt + offset_of("intel_gt", "timelines.active_list");
	chain(is.timelines, (uint64_t[]){ is.timeline + offset_of("intel_timeline", "link") }, 1);
	set(gt, "intel_gt", "ggtt", make_ggtt());
	set(gt, "intel_gt", "engine", is.engine);
	set(is.i915, "drm_i915_private", "gt", gt);
	set(is.i915, "drm_i915_private", "gpu_error.reset_count", 2);
	set(is.i915, "drm_i915_private", "gpu_error.reset_engine_count", 3);
	make_bus(head);
	made_finish(&made, INFO);
}

static bool says(const struct gsc_source *source, const char *key, const char *value)
{
	struct gsc_property p;

	for (size_t part = 0; part < gsc_source_count(source); part++)
		for (size_t i = 0; gsc_source_property(source, part, i, &p); i++)
			if (!strcmp(p.key, key) && strstr(p.value, value))
				return true;
	return false;
}

/* ---- tests ---------------------------------------------------------------------------------- */

static void check_known(struct gsc_source *source)
{
	static const enum gsc_request_state states[REQUESTS] = {
		[DONE] = GSC_REQUEST_DONE, [RUNS] = GSC_REQUEST_BEGUN,
		[WAITS] = GSC_REQUEST_WAITS, [KERNEL] = GSC_REQUEST_WAITS,
	};
	struct driver_facts facts = { .guc_id = 0 };
	const struct driver_space *space;
	const struct driver_ring *ring;

	CU_ASSERT_EQUAL(gsc_source_device(source), 0x1912);
	CU_ASSERT_EQUAL(gsc_source_revision(source), 6);
	CU_ASSERT(says(source, "driver", "i915") && says(source, "Reset count",
							"2 of the GPU, 3 of engines"));
	CU_ASSERT_EQUAL_FATAL(driver_facts_read(&facts, source, NULL), GSC_OK);
	CU_ASSERT(facts.in_memory && !facts.torn);
	CU_ASSERT_EQUAL_FATAL(facts.requests.count, REQUESTS);
	for (size_t i = 0; i < REQUESTS; i++) {
		const struct driver_request *r = &facts.requests.items[i];

		CU_ASSERT_EQUAL(r->r.state, states[i]);
		CU_ASSERT_EQUAL(r->r.current, i == RUNS);
		CU_ASSERT_STRING_EQUAL(r->r.engine, "rcs0");
		CU_ASSERT_STRING_EQUAL(r->process, i == KERNEL ? "" : "glxgears");
		CU_ASSERT_EQUAL(r->r.pid, i == KERNEL ? 0 : 77);
		CU_ASSERT_EQUAL(r->has_batch, i != KERNEL);
		CU_ASSERT_EQUAL(r->r.tail, 0x100 * i + 0xb8);
		CU_ASSERT_EQUAL(r->r.seqno, 10 + 2 * i);
		CU_ASSERT_EQUAL(r->milliseconds, 2000);
	}
	driver_facts_free(&facts);
	space = driver_space(source, 0);
	CU_ASSERT_PTR_NOT_NULL_FATAL(space);
	CU_ASSERT_STRING_EQUAL(space->process, "glxgears");
	CU_ASSERT_STRING_EQUAL(space->engines, "rcs0");
	CU_ASSERT(space->mode == GSC_MODE_PML4 && space->root[0] == 0x60000 && space->pid == 77);
	CU_ASSERT_PTR_NULL(driver_space(source, 1));
	ring = driver_ring(source, "rcs0");
	CU_ASSERT_PTR_NOT_NULL_FATAL(ring);
	CU_ASSERT(ring->start == 0x3000 && ring->bytes == 0x4000 && ring->head == 0x100 &&
		  ring->tail == 0x2b8);
	CU_ASSERT_PTR_NULL(driver_ring(source, "bcs0"));
	CU_ASSERT(driver_may_have_engine(source, "rcs0") &&
		  !driver_may_have_engine(source, "bcs0"));
	/* After the guard; what is not bound globally is not in the table. */
	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, 6 * 8, 8), 0x70001);
	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, 7 * 8, 8), 0x71001);
	for (unsigned at = 0; at < 16 * 8; at += 8)
		if (at != 6 * 8 && at != 7 * 8)
			CU_ASSERT_EQUAL(read_status(source, GSC_GGTT, at, 8), GSC_READ_ABSENT);
}

static void known(void)
{
	struct gsc_source *source;

	make(NULL);
	source = open_bytes(made.file, sizeof(made.file));
	check_known(source);
	gsc_source_close(source);
}

/* The batch is not in this dump: verdict and engine say so in the same words. */
static void no_batch(void)
{
	static const struct gsc_hang_options options;
	const struct gsc_engine *e;
	struct gsc_source *source;
	struct gsc_hang *hang;
	struct gsc_error err;
	struct gsc_gpu *gpu;

	make(NULL);
	source = open_bytes(made.file, sizeof(made.file));
	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&hang, gpu, &options, &err), GSC_OK);
	e = &hang->engines.items[0].e;
	CU_ASSERT_STRING_EQUAL(e->name, "rcs0");
	CU_ASSERT_EQUAL(e->state, GSC_ENGINE_UNKNOWN);
	CU_ASSERT(!strncmp(e->where, "in its batch at ppgtt:0x10000000, or after it: ", 47));
	CU_ASSERT_PTR_NOT_NULL(strstr(gsc_hang_verdict(hang), e->where));
	gsc_hang_free(hang);
	gsc_gpu_close(gpu);
	gsc_source_close(source);
}

/* Before Gen8 an entry says how its page is cached, as the driver's object does. */
static void cached(void)
{
	struct gsc_source *source;

	make(NULL);
	set(is.pci, "pci_dev", "device", 0x0412);
	source = open_bytes(made.file, sizeof(made.file));
	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, 6 * 4, 4), 0x70001 | 2 << 1);
	gsc_source_close(source);
}

/* A capture of it; the source is closed. */
static struct gsc_source *save(struct gsc_source *source, bool redact)
{
	struct gsc_save_options options = { .redact = redact };
	int fd = memfd_create("capture", MFD_CLOEXEC);
	struct gsc_error err;
	struct gsc_gpu *gpu;
	struct stat file;
	char *bytes;

	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_save(gpu, fd, &options, &err), GSC_OK);
	gsc_gpu_close(gpu);
	gsc_source_close(source);
	CU_ASSERT_EQUAL_FATAL(fstat(fd, &file), 0);
	bytes = malloc((size_t)file.st_size);
	CU_ASSERT_PTR_NOT_NULL_FATAL(bytes);
	CU_ASSERT_EQUAL_FATAL(pread(fd, bytes, (size_t)file.st_size, 0), file.st_size);
	CU_ASSERT_EQUAL(redact, !memmem(bytes, (size_t)file.st_size, "glxgears", 8));
	source = open_bytes(bytes, (size_t)file.st_size);
	free(bytes);
	close(fd);
	return source;
}

/* A capture knows the same, also one of a capture; redacted it has nothing of the kernel's. */
static void kept(void)
{
	struct driver_facts facts = { .guc_id = 0 };
	struct gsc_source *source;
	struct gsc_piece piece;

	make(NULL);
	source = open_bytes(made.file, sizeof(made.file));
	for (unsigned i = 0; i < 2; i++) {
		source = save(source, false);
		check_known(source);
		for (size_t at = 0; gsc_source_piece(source, 0, at, &piece); at++)
			CU_ASSERT(piece.space != GSC_PHYS || piece.length < sizeof(made.file) / 2);
	}
	source = save(source, true);
	CU_ASSERT_EQUAL_FATAL(driver_facts_read(&facts, source, NULL), GSC_OK);
	CU_ASSERT_EQUAL(facts.requests.count, 0);
	CU_ASSERT_PTR_NULL(driver_space(source, 0));
	driver_facts_free(&facts);
	gsc_source_close(source);
}

/* Before an engine preempts a request, i915 has taken it back; what the engine has, it executes. */
static void executing(void)
{
	static const unsigned first[] = { RUNS, KERNEL };

	for (size_t i = 0; i < sizeof(first) / sizeof(*first); i++) {
		struct gsc_source *source;

		make(NULL);
		set(is.requests[RUNS], "i915_request", "fence.flags", 1 << 6);
		made_put_number(&made, is.port, is.requests[first[i]] | 1);
		source = open_bytes(made.file, sizeof(made.file));
		CU_ASSERT_PTR_NOT_NULL_FATAL(driver_ring(source, "rcs0"));
		CU_ASSERT_EQUAL(driver_ring(source, "rcs0")->head, 0x100 * first[i]);
		gsc_source_close(source);
	}
}

static size_t requests_of(struct gsc_source *source, bool *torn)
{
	struct driver_facts facts = { .guc_id = 0 };
	size_t count;

	CU_ASSERT_EQUAL_FATAL(driver_facts_read(&facts, source, NULL), GSC_OK);
	count = facts.requests.count;
	*torn = facts.torn;
	driver_facts_free(&facts);
	return count;
}

/* Lists that do not end well: what was read counts, and nobody says that there is no more. */
static void torn_lists(void)
{
	const uint64_t ends[] = { 0, UINT64_C(0xdead000000000100), 1, 2 };

	for (size_t i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
		struct gsc_source *source;
		bool torn;
		size_t count;

		make(NULL);
		made_put_number(&made, is.links[WAITS], ends[i] == 1 ? is.links[DONE] :
				ends[i] == 2 ? is.links[WAITS] : ends[i]);
		source = open_bytes(made.file, sizeof(made.file));
		count = requests_of(source, &torn);
		CU_ASSERT(torn && count >= 3 && count < 20);
		CU_ASSERT(says(source, "memory", "requests may be missing: "));
		gsc_source_close(source);
	}
}

/* Members that this version does not have: that fact is missing, and no other. */
static void renamed(void)
{
	static const char *const names[] = {
		"batch_res", "ring", "hwsp_seqno", "uabi_class", "gem_context", "bound_list", "pd",
		"context_xa", "timelines", "device", "flags", "first_error", "name",
		"mult",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct gsc_source *source;
		struct driver_facts facts = { .guc_id = 0 };

		make(names[i]);
		source = open_bytes(made.file, sizeof(made.file));
		CU_ASSERT_EQUAL_FATAL(driver_facts_read(&facts, source, NULL), GSC_OK);
		if (!strcmp(names[i], "batch_res"))
			CU_ASSERT(facts.requests.count == REQUESTS &&
				  !facts.requests.items[RUNS].has_batch &&
				  says(source, "not in the types", "i915_request.batch_res"));
		if (!strcmp(names[i], "timelines"))
			CU_ASSERT(!facts.requests.count && facts.torn);
		if (!strcmp(names[i], "mult"))
			CU_ASSERT(says(source, "clock", "nothing says how old requests are"));
		if (!strcmp(names[i], "ring"))
			CU_ASSERT_PTR_NULL(driver_ring(source, "rcs0"));
		driver_facts_free(&facts);
		gsc_source_close(source);
	}
}

/* Any memory: it only has to survive. */
static void damaged(void)
{
	uint32_t seed = 1;

	for (unsigned i = 0; i < 200; i++) {
		struct gsc_source *source;
		bool torn;

		make(NULL);
		damage(&seed);
		source = open_bytes(made.file, sizeof(made.file));
		CU_ASSERT(requests_of(source, &torn) < 200);
		gsc_source_close(source);
	}
}

SUITE(vmcore,
	{ "what a driver knows", known },
	{ "a batch that is not in the dump", no_batch },
	{ "how pages of the global table are cached", cached },
	{ "what a capture keeps of it", kept },
	{ "what an engine executes", executing },
	{ "lists that do not end well", torn_lists },
	{ "other versions", renamed },
	{ "damaged", damaged })
