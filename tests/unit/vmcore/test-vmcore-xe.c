/* SPDX-License-Identifier: MIT */
/* What xe knows about a GPU, in the memory of a machine that the test makes. */
#include "vmcore/vmcore.h"
#include "kernel-objects.h"
#include "open/open.h"
#include "source-helpers.h"

#define INFO 0x20000			/* physical: where VMCOREINFO is */
#define GGTT_START 0x800000

static const char *const described[] = {
	"kobject name:*char", "device_driver name:*char",
	"device kobj:.kobject driver:*device_driver driver_data:n",
	"pci_bus node:.list_head children:.list_head devices:.list_head",
	"pci_dev bus_list:.list_head device:n revision:n dev:.device",
	"drm_device filelist:.list_head", "drm_file lhead:.list_head driver_priv:n",
	"drm_gem_object size:n", "ttm_tt pages:n", "xe_ttm_tt ttm:.ttm_tt sg:*sg_table",
	"ttm_resource mem_type:n",
	"ttm_buffer_object base:.drm_gem_object ttm:*ttm_tt resource:*ttm_resource",
	"xe_ggtt start:n", "drm_mm_node start:n", "xe_ggtt_node base:.drm_mm_node ggtt:*xe_ggtt",
	"iosys_map vaddr:n",
	"xe_bo ttm:.ttm_buffer_object ggtt_node:2*xe_ggtt_node vmap:.iosys_map "
	"pinned_link:.list_head",
	"xe_pt bo:*xe_bo", "gpuva_va addr:n range:n", "gpuva_gem obj:*drm_gem_object offset:n",
	"gpuva_rb entry:.list_head", "drm_gpuva va:.gpuva_va gem:.gpuva_gem rb:.gpuva_rb",
	"gpuvm_rb list:.list_head", "drm_gpuvm rb:.gpuvm_rb",
	"xe_vm gpuvm:.drm_gpuvm pt_root:2*xe_pt", "array xa_head:n", "file_vms xa:.array",
	"xe_file vm:.file_vms process_name:*char pid:n", "lrc_ring size:n tail:n",
	"xe_hw_fence_ctx dma_fence_ctx:n",
	"xe_lrc bo:*xe_bo seqno_bo:*xe_bo ring:.lrc_ring desc:n fence_ctx:.xe_hw_fence_ctx",
	"dma_fence context:n seqno:n", "drm_sched_fence finished:.dma_fence",
	"spsc_node next:*spsc_node", "spsc_queue head:*spsc_node",
	"drm_sched_entity job_queue:.spsc_queue dependency:*dma_fence",
	"drm_sched_job queue_node:.spsc_node list:.list_head s_fence:*drm_sched_fence",
	"xe_job_ptrs batch_addr:n head:n",
	"xe_sched_job drm:.drm_sched_job lrc_seqno:n ptrs:*xe_job_ptrs",
	"drm_gpu_scheduler pending_list:.list_head", "xe_gpu_scheduler base:.drm_gpu_scheduler",
	"xe_guc_exec_queue sched:.xe_gpu_scheduler id:n state:n", "xe_hw_engine name:*char",
	"xe_exec_queue xef:*xe_file hwe:*xe_hw_engine vm:*xe_vm logical_mask:n width:n "
	"guc:*xe_guc_exec_queue entity:*drm_sched_entity lrc:2*xe_lrc",
	"submission exec_queue_lookup:.array", "xe_guc submission_state:.submission",
	"xe_uc guc:.xe_guc", "xe_gt uc:.xe_uc", "xe_tile primary_gt:*xe_gt media_gt:*xe_gt",
	"xe_info tile_count:n", "pinned_list kernel_bo_present:.list_head",
	"xe_pinned early:.pinned_list late:.pinned_list",
	"xe_device drm:.drm_device info:.xe_info tiles:2.xe_tile pinned:.xe_pinned",
};

enum { BEGUN, NEXT, QUEUED, JOBS };

static struct {
	uint64_t xe, ggtt, links[JOBS];
} is;

/* `ggtt`: its place in the table, or 0. */
static uint64_t make_bo(uint64_t physical, uint32_t bytes, uint64_t ggtt, uint64_t vaddr)
{
	uint64_t bo = new_of("xe_bo"), tt = new_of("xe_ttm_tt"), node = new_of("xe_ggtt_node");
	uint64_t resource = new_of("ttm_resource");

	set(tt, "xe_ttm_tt", "sg", pages_at(physical, bytes));
	set(resource, "ttm_resource", "mem_type", 1);
	set(node, "xe_ggtt_node", "base.start", ggtt);
	set(node, "xe_ggtt_node", "ggtt", is.ggtt);
	set(bo, "xe_bo", "ttm.base.size", bytes);
	set(bo, "xe_bo", "ttm.ttm", tt);
	set(bo, "xe_bo", "ttm.resource", resource);
	set(bo, "xe_bo", "ggtt_node", ggtt ? node : 0);
	set(bo, "xe_bo", "vmap.vaddr", vaddr);
	return bo;
}

static uint64_t make_vm(void)
{
	uint64_t vm = new_of("xe_vm"), pt = new_of("xe_pt"), va = new_of("drm_gpuva");

	set(pt, "xe_pt", "bo", make_bo(0x60000, 4096, 0, 0));
	set(vm, "xe_vm", "pt_root", pt);
	set(va, "drm_gpuva", "va.addr", 0x10000000);
	set(va, "drm_gpuva", "va.range", 0x2000);
	set(va, "drm_gpuva", "gem.obj", make_bo(0x50000, 0x4000, 0, 0) +
	    offset_of("xe_bo", "ttm.base"));
	set(va, "drm_gpuva", "gem.offset", 0x1000);
	chain(vm + offset_of("xe_vm", "gpuvm.rb.list"),
	      (uint64_t[]){ va + offset_of("drm_gpuva", "rb.entry") }, 1);
	return vm;
}

/* Jobs 10, 11, 12; the last one waits until the first has ended. */
static void make_jobs(uint64_t queue, uint64_t guc)
{
	uint64_t entity = new_of("drm_sched_entity"), ended[JOBS];

	for (unsigned i = 0; i < JOBS; i++) {
		uint64_t job = new_of("xe_sched_job"), ptrs = new_of("xe_job_ptrs");

		ended[i] = new_of("drm_sched_fence");
		set(ended[i], "drm_sched_fence", "finished.context", 7);
		set(ended[i], "drm_sched_fence", "finished.seqno", 5 + i);
		set(ptrs, "xe_job_ptrs", "batch_addr", 0x10000000 + 0x1000 * i);
		set(ptrs, "xe_job_ptrs", "head", 0x40 * (i + 1));
		set(job, "xe_sched_job", "drm.s_fence", ended[i]);
		set(job, "xe_sched_job", "lrc_seqno", 10 + i);
		set(job, "xe_sched_job", "ptrs", ptrs);
		is.links[i] = job + offset_of("xe_sched_job", "drm.list");
		if (i == QUEUED)
			set(entity, "drm_sched_entity", "job_queue.head", job);
	}
	set(entity, "drm_sched_entity", "dependency", ended[BEGUN]);
	set(queue, "xe_exec_queue", "entity", entity);
	chain(guc + offset_of("xe_guc_exec_queue", "sched.base.pending_list"), is.links, QUEUED);
}

static uint64_t make_queue(uint64_t file, uint64_t vm, uint64_t lrc_bo)
{
	uint64_t queue = new_of("xe_exec_queue"), guc = new_of("xe_guc_exec_queue");
	uint64_t engine = new_of("xe_hw_engine"), lrc = new_of("xe_lrc");
	/* 9 is done, 10 has begun. */
	uint64_t seqnos = made_virtual(&made, (uint32_t[]){ 9, 0, 10, 0 }, 16);

	set(engine, "xe_hw_engine", "name", text_of_kernel("rcs0"));
	set(lrc, "xe_lrc", "bo", lrc_bo);
	set(lrc, "xe_lrc", "seqno_bo", make_bo(0x30000, 4096, 0, seqnos));
	set(lrc, "xe_lrc", "ring.size", 0x4000);
	set(lrc, "xe_lrc", "ring.tail", 0xc0);
	set(lrc, "xe_lrc", "desc", 0x119);
	set(lrc, "xe_lrc", "fence_ctx.dma_fence_ctx", 39);
	set(guc, "xe_guc_exec_queue", "state", 1 << 9);
	set(queue, "xe_exec_queue", "xef", file);
	set(queue, "xe_exec_queue", "hwe", engine);
	set(queue, "xe_exec_queue", "vm", vm);
	set(queue, "xe_exec_queue", "logical_mask", 1);
	set(queue, "xe_exec_queue", "width", 1);
	set(queue, "xe_exec_queue", "guc", guc);
	set(queue, "xe_exec_queue", "lrc", lrc);
	make_jobs(queue, guc);
	return queue;
}

static void make_bus(uint64_t head)
{
	uint64_t bus = new_of("pci_bus"), pci = new_of("pci_dev"), driver = new_of("device_driver");

	set(driver, "device_driver", "name", text_of_kernel("xe"));
	set(pci, "pci_dev", "device", 0x9a49);
	set(pci, "pci_dev", "dev.kobj.name", text_of_kernel("0000:00:02.0"));
	set(pci, "pci_dev", "dev.driver", driver);
	set(pci, "pci_dev", "dev.driver_data", is.xe);
	chain(bus + offset_of("pci_bus", "devices"),
	      (uint64_t[]){ pci + offset_of("pci_dev", "bus_list") }, 1);
	chain(bus + offset_of("pci_bus", "children"), NULL, 0);
	chain(head, (uint64_t[]){ bus + offset_of("pci_bus", "node") }, 1);
}

static struct gsc_source *made_source(void)
{
	uint64_t head, gt, file, own, vm, lrc_bo;

	made_begin(&made);
	made_kernel_types(&made);
	type_count = 0;
	for (size_t i = 0; i < sizeof(described) / sizeof(*described); i++)
		describe(described[i], NULL);
	head = made_image(&made, (uint64_t[2]){ 0 }, 16);
	made_symbol(&made, "pci_root_buses", head);
	made_symbol(&made, "vmemmap_base", made_image(&made, (uint64_t[]){ MADE_PAGES }, 8));
	is.xe = new_of("xe_device");
	is.ggtt = new_of("xe_ggtt");
	set(is.ggtt, "xe_ggtt", "start", GGTT_START);
	gt = new_of("xe_gt");
	file = new_of("drm_file");
	own = new_of("xe_file");
	vm = make_vm();
	lrc_bo = make_bo(0x70000, 0x6000, 0x5000, 0);
	set(own, "xe_file", "vm.xa.xa_head", vm);
	set(own, "xe_file", "process_name", text_of_kernel("glxgears"));
	set(own, "xe_file", "pid", 77);
	set(file, "drm_file", "driver_priv", own);
	chain(is.xe + offset_of("xe_device", "drm.filelist"),
	      (uint64_t[]){ file + offset_of("drm_file", "lhead") }, 1);
	chain(is.xe + offset_of("xe_device", "pinned.early.kernel_bo_present"), NULL, 0);
	chain(is.xe + offset_of("xe_device", "pinned.late.kernel_bo_present"),
	      (uint64_t[]){ lrc_bo + offset_of("xe_bo", "pinned_link") }, 1);
	set(gt, "xe_gt", "uc.guc.submission_state.exec_queue_lookup.xa_head",
	    make_queue(own, vm, lrc_bo));
	set(is.xe, "xe_device", "info.tile_count", 1);
	made_put_number(&made, is.xe + offset_of("xe_device", "tiles") +
			offset_of("xe_tile", "primary_gt"), gt);
	make_bus(head);
	made_finish(&made, INFO);
	return open_bytes(made.file, sizeof(made.file));
}

static const struct dump *memory_of(struct gsc_source *source)
{
	const struct dump *dump = NULL;

	for (size_t part = 0; part < gsc_source_count(source) && !dump; part++)
		dump = gsc_source_memory(source, part);
	CU_ASSERT_PTR_NOT_NULL_FATAL(dump);
	return dump;
}

static void jobs(void)
{
	struct gsc_source *source = made_source();
	const struct dump *dump = memory_of(source);
	const struct driver_ring *ring = driver_ring(source, "rcs0");

	CU_ASSERT_PTR_NULL(dump->torn);
	CU_ASSERT_EQUAL_FATAL(dump->requests.count, JOBS);
	for (unsigned i = 0; i < JOBS; i++) {
		const struct driver_request *r = &dump->requests.items[i];

		CU_ASSERT_EQUAL(r->r.state, i == BEGUN ? GSC_REQUEST_BEGUN : GSC_REQUEST_WAITS);
		CU_ASSERT_EQUAL(r->r.current, i == BEGUN);
		CU_ASSERT(r->r.seqno == 10 + i && r->r.context == 39 && r->r.pid == 77);
		CU_ASSERT(r->has_batch && r->batch == 0x10000000 + 0x1000 * i);
		CU_ASSERT_STRING_EQUAL(r->process, "glxgears");
		CU_ASSERT_EQUAL(r->finished.seqno, 5 + i);
		CU_ASSERT_EQUAL(r->waits.context, i == QUEUED ? 7 : 0);
		if (i < QUEUED)
			CU_ASSERT(r->r.head == 0x40 * (i + 1) && r->r.tail == 0x40 * (i + 2));
	}
	CU_ASSERT_EQUAL(dump->requests.items[QUEUED].waits.seqno, 5);
	CU_ASSERT_PTR_NOT_NULL_FATAL(ring);
	CU_ASSERT(ring->start == GGTT_START + 0x5000 && ring->bytes == 0x4000 &&
		  ring->head == 0x40 && ring->tail == 0xc0);
	gsc_source_close(source);
}

static void users(void)
{
	struct gsc_source *source = made_source();
	const struct dump *dump = memory_of(source);
	const struct driver_queue *queue = dump->queues.items;
	const struct driver_space *space = dump->spaces.items;
	const struct driver_range *range = dump->ranges.items;

	CU_ASSERT_FATAL(dump->queues.count == 1 && dump->spaces.count == 1 &&
			dump->ranges.count == 1 && dump->clients.count == 2);
	CU_ASSERT_STRING_EQUAL(queue->state, "banned");
	CU_ASSERT_EQUAL(queue->descriptor, GGTT_START + 0x5000 + 0x4000 + 0x119);
	CU_ASSERT(space->mode == GSC_MODE_PML4 && space->root[0] == 0x60000 && space->pid == 77);
	CU_ASSERT_STRING_EQUAL(space->engines, "rcs0");
	CU_ASSERT(range->start == 0x10000000 && range->size == 0x2000 && range->has_page &&
		  range->page == 0x51000);
	CU_ASSERT_STRING_EQUAL(range->place, "system memory");
	/* The kernel, with what is pinned, comes last. */
	CU_ASSERT(dump->clients.items[0].pid == 77 && !dump->clients.items[1].pid);
	CU_ASSERT_EQUAL(dump->clients.items[1].bytes, 0x6000);
	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, (GGTT_START + 0x5000) / 4096 * 8, 8), 0x70001);
	CU_ASSERT_EQUAL(value_at(source, GSC_GGTT, (GGTT_START + 0xa000) / 4096 * 8, 8), 0x75001);
	gsc_source_close(source);
}

/* Jobs that lead back into themselves, or nowhere: what was read counts. */
static void torn(void)
{
	for (unsigned i = 0; i < 2; i++) {
		struct gsc_source *source = made_source();

		gsc_source_close(source);
		made_put_number(&made, is.links[NEXT], i ? is.links[BEGUN] : 0);
		source = open_bytes(made.file, sizeof(made.file));
		CU_ASSERT_PTR_NOT_NULL(memory_of(source)->torn);
		CU_ASSERT(memory_of(source)->requests.count < 20);
		gsc_source_close(source);
	}
}

/* Any memory: it only has to survive. */
static void damaged(void)
{
	uint32_t seed = 1;

	for (unsigned i = 0; i < 200; i++) {
		struct gsc_source *source = made_source();

		gsc_source_close(source);
		damage(&seed);
		source = open_bytes(made.file, sizeof(made.file));
		CU_ASSERT(gsc_source_count(source) < 4);
		gsc_source_close(source);
	}
}

SUITE(vmcore_xe, { "jobs of a queue", jobs }, { "who uses the GPU", users },
      { "lists that do not end well", torn }, { "damaged", damaged })
