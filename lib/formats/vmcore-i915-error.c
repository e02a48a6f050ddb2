/* SPDX-License-Identifier: MIT */
/*
 * The error state that i915 has stored, written as i915 writes it when somebody reads the file, so
 * that error-state.c reads both. Origin: Linux, i915_gpu_error.h and i915_gpu_error.c,
 * __err_print_to_sgl() and what it calls. Buffers are already deflated, in pages of their own.
 */
#include "formats/vmcore.h"

#define MODULE "i915"
#define BUFFERS_MAX 4096		/* of an engine */
#define ENGINES_MAX 64
#define GTS_MAX 8
#define PORTS_MAX 16			/* of an execlist */
#define UNITS_MAX 64			/* in each dimension */

struct writing {
	struct vmcore_gpu *gpu;
	VEC(char) text;
	bool memory_out, full;
};

static void put(struct writing *w, const char *text, size_t size)
{
	w->full |= w->text.count + size > w->gpu->bytes;
	if (w->full || w->memory_out)
		return;
	w->memory_out = !vec_reserve(&w->text, size);
	if (w->memory_out)
		return;
	memcpy(w->text.items + w->text.count, text, size);
	w->text.count += size;
}

static void __attribute__((format(printf, 2, 3)))
say(struct writing *w, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	put(w, line, strlen(line));
}

/* ---- registers ------------------------------------------------------------------------------- */

/* How a value is written: one word; two, the upper one first; all digits. */
enum form { WORD, HALVES, JOINED, LONG };

struct line {
	const char *key, *path;
	enum form form;
	unsigned from, to;		/* generations whose values the driver reads; 0: no limit */
};

static const struct line engine_lines[] = {
	{ "CCID", "ccid", WORD, 0, 0 }, { "START", "start", WORD, 0, 0 },
	{ "CTL", "ctl", WORD, 0, 0 }, { "MODE", "mode", WORD, 0, 0 },
	{ "HWS", "hws", WORD, 0, 0 }, { "ACTHD", "acthd", HALVES, 0, 0 },
	{ "IPEIR", "ipeir", WORD, 0, 0 }, { "IPEHR", "ipehr", WORD, 0, 0 },
	{ "ESR", "esr", WORD, 0, 0 }, { "INSTDONE", "instdone.instdone", WORD, 0, 0 },
	{ "BBADDR", "bbaddr", JOINED, 4, 0 }, { "BB_STATE", "bbstate", WORD, 4, 0 },
	{ "INSTPS", "instps", WORD, 4, 0 }, { "INSTPM", "instpm", WORD, 0, 0 },
	{ "FADDR", "faddr", HALVES, 0, 0 }, { "RC PSMI", "rc_psmi", WORD, 6, 0 },
	{ "FAULT_REG", "fault_reg", WORD, 6, 0 }, { "NOPID", "nopid", WORD, 11, 0 },
	{ "EXCC", "excc", WORD, 11, 0 }, { "CMD_CCTL", "cmd_cctl", WORD, 11, 0 },
	{ "CSCMDOP", "cscmdop", WORD, 11, 0 }, { "CTX_SR_CTL", "ctx_sr_ctl", WORD, 11, 0 },
	{ "DMA_FADDR_HI", "dma_faddr_hi", WORD, 11, 0 },
	{ "DMA_FADDR_LO", "dma_faddr_lo", WORD, 11, 0 },
	{ "GFX_MODE", "vm_info.gfx_mode", WORD, 6, 0 },
	{ "PP_DIR_BASE", "vm_info.pp_dir_base", WORD, 6, 7 },
	{ "PDP0", "vm_info.pdp[0]", LONG, 8, 0 }, { "PDP1", "vm_info.pdp[1]", LONG, 8, 0 },
	{ "PDP2", "vm_info.pdp[2]", LONG, 8, 0 }, { "PDP3", "vm_info.pdp[3]", LONG, 8, 0 },
};

/* Of the render engine alone. */
static const struct line render_lines[] = {
	{ "SC_INSTDONE", "instdone.slice_common", WORD, 4, 0 },
	{ "SC_INSTDONE_EXTRA", "instdone.slice_common_extra[0]", WORD, 12, 0 },
	{ "SC_INSTDONE_EXTRA2", "instdone.slice_common_extra[1]", WORD, 12, 0 },
};

static const struct line gt_lines[] = {
	{ "EIR", "eir", WORD, 0, 0 }, { "PGTBL_ER", "pgtbl_er", WORD, 0, 0 },
};

/* What the GuC captures itself is not read by the driver. */
static const struct line gt_own_lines[] = {
	{ "FORCEWAKE", "forcewake", WORD, 0, 0 }, { "ERROR", "error", WORD, 6, 11 },
	{ "DONE_REG", "done_reg", WORD, 6, 11 }, { "GTT_CACHE_EN", "gtt_cache", WORD, 8, 11 },
	{ "AUX_ERR_DBG", "aux_err", WORD, 12, 12 }, { "GAM_DONE", "gam_done", WORD, 12, 0 },
};

static bool applies(const struct writing *w, const struct line *line)
{
	unsigned generation = w->gpu->platform.graphics / 100;

	return (!line->from || generation >= line->from) && (!line->to || generation <= line->to);
}

static void put_lines(struct writing *w, struct kobj of, const struct line *lines, size_t count)
{
	uint64_t value;

	for (size_t i = 0; i < count; i++) {
		const struct line *line = &lines[i];

		if (!applies(w, line) || !kobj_number(of, line->path, &value))
			continue;
		if (line->form == WORD)
			say(w, "  %s: 0x%08llx\n", line->key, LL(value));
		else if (line->form == LONG)
			say(w, "  %s: 0x%016llx\n", line->key, LL(value));
		else
			say(w, "  %s: 0x%08llx%c%08llx\n", line->key, LL(value >> 32),
			    line->form == JOINED ? '_' : ' ', LL(value & UINT32_MAX));
	}
}

/* Units that the GPU lacks have 0, which i915 knows not to print. */
static void put_units(struct writing *w, struct kobj engine, const char *key, const char *member)
{
	char path[48];
	uint64_t value;
	unsigned slices, units;

	string_set(path, "instdone.%s", member);
	slices = MIN(kobj_count(kobj_at(engine, path)), UNITS_MAX);
	string_set(path, "instdone.%s[0]", member);
	units = MIN(kobj_count(kobj_at(engine, path)), UNITS_MAX);
	for (unsigned slice = 0; slice < slices; slice++)
		for (unsigned unit = 0; unit < units; unit++) {
			string_set(path, "instdone.%s[%u][%u]", member, slice, unit);
			if (kobj_number(engine, path, &value) && value)
				say(w, "  %s[%u][%u]: 0x%08llx\n", key, slice, unit, LL(value));
		}
}

/* ---- engines --------------------------------------------------------------------------------- */

static uint64_t number(struct kobj of, const char *path)
{
	uint64_t value = 0;

	kobj_number(of, path, &value);
	return value;
}

static void put_ports(struct writing *w, struct kobj engine)
{
	unsigned count = (unsigned)MIN(number(engine, "num_ports"), PORTS_MAX);
	char path[32];

	for (unsigned i = 0; i < count; i++) {
		struct kobj port;

		string_set(path, "execlist[%u]", i);
		port = kobj_at(engine, path);
		if (!number(port, "seqno"))
			continue;
		say(w, "  ELSP[%u]:  pid %lld, seqno %8llx:%08llx%s, prio %lld, head %08llx, tail "
		    "%08llx\n", i, LL(number(port, "pid")), LL(number(port, "context")),
		    LL(number(port, "seqno")), number(port, "flags") & 1 ? "!" : "",
		    LL(number(port, "sched_attr.priority")), LL(number(port, "head")),
		    LL(number(port, "tail")));
	}
}

static void put_state(struct writing *w, struct kobj engine, struct kobj batch)
{
	uint64_t start = number(batch, "gtt_offset"), end = start + number(batch, "gtt_size");

	say(w, "  HEAD:  0x%08llx [0x%08llx]\n", LL(number(engine, "head")),
	    LL(number(engine, "rq_head")));
	say(w, "  TAIL:  0x%08llx [0x%08llx, 0x%08llx]\n", LL(number(engine, "tail")),
	    LL(number(engine, "rq_post")), LL(number(engine, "rq_tail")));
	put_lines(w, engine, engine_lines, ARRAY_SIZE(engine_lines));
	if (!number(engine, "engine->class")) {
		put_lines(w, engine, render_lines, ARRAY_SIZE(render_lines));
		put_units(w, engine, "SAMPLER_INSTDONE", "sampler");
		put_units(w, engine, "ROW_INSTDONE", "row");
		put_units(w, engine, "GEOM_SVGUNIT_INSTDONE", "geom_svg");
	}
	if (batch.address)
		say(w, "  batch: [0x%08llx_%08llx, 0x%08llx_%08llx]\n", LL(start >> 32),
		    LL(start & UINT32_MAX), LL(end >> 32), LL(end & UINT32_MAX));
	put_ports(w, engine);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static void put_page(struct writing *w, const uint8_t *page, size_t size)
{
	char digits[6] = "";

	for (size_t at = 0; at < size; at += 4) {
		uint64_t value = load_le(page + at, 4);

		if (!value) {
			put(w, "z", 1);
			continue;
		}
		for (unsigned i = 5; i-- > 0; value /= 85)
			digits[i] = (char)('!' + value % 85);
		put(w, digits, 5);
	}
}

/* Deflated pages begin as a zlib stream does; i915 can be built without compression. */
static bool is_zlib(const uint8_t *page)
{
	return (page[0] & 0xf) == 8 && (page[0] << 8 | page[1]) % 31 == 0;
}

static void put_buffer(struct writing *w, const char *engine, struct kobj buffer)
{
	uint64_t address = number(buffer, "gtt_offset"), unused = number(buffer, "unused");
	uint64_t physical;
	uint8_t page[4096];
	char name[24] = "";
	struct klist pages;
	struct kobj at, next;
	bool first = true, more;

	kobj_text(buffer, "name", name, sizeof(name));
	say(w, "%s --- %s = 0x%08llx %08llx\n", engine, name, LL(address >> 32),
	    LL(address & UINT32_MAX));
	klist_begin(&pages, kobj_at(buffer, "page_list"), MODULE, "page", "lru");
	more = klist_next(&pages, &at);
	while (more && vmcore_take(w->gpu) && !w->full) {
		if (!kernel_page(w->gpu->kernel, at.address, &physical) ||
		    !kernel_read_physical(w->gpu->kernel, physical, page, sizeof(page)))
			break;
		if (first)
			put(w, is_zlib(page) ? ":" : "~", 1);
		first = false;
		more = klist_next(&pages, &next);
		put_page(w, page, sizeof(page) - (more ? 0 : MIN(unused, sizeof(page))));
		at = next;
	}
	put(w, "\n", 1);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_engine(struct writing *w, struct kobj engine, bool guc)
{
	struct kobj buffers = kobj_at(engine, "vma->"), batch = { .address = 0 }, buffer;
	char name[16] = "", comm[TASK_NAME] = "", what[24];
	unsigned count = 0;

	kobj_text(engine, "engine->name", name, sizeof(name));
	for (buffer = buffers; buffer.address && !batch.address && count++ < BUFFERS_MAX;
	     buffer = kobj_at(buffer, "next->"))
		if (kobj_text(buffer, "name", what, sizeof(what)) && !strcmp(what, "batch"))
			batch = buffer;
	say(w, "%s command stream:\n", name);
	if (!guc)
		put_state(w, engine, batch);
	kobj_text(engine, "context.comm", comm, sizeof(comm));
	say(w, "  hung: %llu\n  engine reset count: %llu\n", LL(number(engine, "hung")),
	    LL(number(engine, "reset_count")));
	say(w, "  Active context: %s[%lld] prio %lld, guilty %lld active %lld, runtime total "
	    "%lluns, avg %lluns\n", comm,
	    LL(number(engine, "context.pid")), LL(number(engine, "context.sched_attr.priority")),
	    LL(number(engine, "context.guilty")), LL(number(engine, "context.active")),
	    LL(number(engine, "context.total_runtime")), LL(number(engine, "context.avg_runtime")));
	if (kobj_has(engine, "context.hwsp_seqno"))
		say(w, "  context timeline seqno %llu\n", LL(number(engine, "context.hwsp_seqno")));
	count = 0;
	for (buffer = buffers; buffer.address && count++ < BUFFERS_MAX && !w->full;
	     buffer = kobj_at(buffer, "next->"))
		put_buffer(w, name, buffer);
}

static void put_gt(struct writing *w, struct kobj gt)
{
	bool guc = number(gt, "uc->guc.is_guc_capture");
	struct kobj engine = kobj_at(gt, "engine->");
	uint64_t count = MIN(number(gt, "ngtier"), kobj_count(kobj_at(gt, "gtier")));
	char path[24];

	say(w, "GT awake: %s\n", number(gt, "awake") ? "yes" : "no");
	put_lines(w, gt, gt_lines, ARRAY_SIZE(gt_lines));
	for (unsigned i = 0; i < count; i++) {
		string_set(path, "gtier[%u]", i);
		say(w, "GTIER[%u]: 0x%08llx\n", i, LL(number(gt, path)));
	}
	count = MIN(number(gt, "nfence"), kobj_count(kobj_at(gt, "fence")));
	for (unsigned i = 0; i < count; i++) {
		string_set(path, "fence[%u]", i);
		say(w, "  fence[%u] = %08llx\n", i, LL(number(gt, path)));
	}
	if (!guc) {
		put_lines(w, gt, gt_own_lines, ARRAY_SIZE(gt_own_lines));
		if (w->gpu->platform.graphics >= 800)
			say(w, "FAULT_TLB_DATA: 0x%08llx 0x%08llx\n",
			    LL(number(gt, "fault_data1")), LL(number(gt, "fault_data0")));
	}
	for (unsigned i = 0; engine.address && i < ENGINES_MAX; i++) {
		put_engine(w, engine, guc);
		engine = kobj_at(engine, "next->");
	}
}

static void put_times(struct writing *w, struct kobj error)
{
	static const struct {
		const char *key, *path;
	} times[] = {
		{ "Time", "time" }, { "Boottime", "boottime" }, { "Uptime", "uptime" },
	};
	uint64_t ns;

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (kobj_number(error, times[i].path, &ns))
			say(w, "%s: %llu s %llu us\n", times[i].key, LL(ns / 1000000000),
			    LL(ns % 1000000000 / 1000));
}

static void put_heading(struct writing *w, struct kobj error)
{
	static const char *const options[] = { "enable_guc", "reset" };
	struct kernel *kernel = w->gpu->kernel;
	struct kobj names = kernel_object(kernel, NULL, "uts_namespace",
					  kernel_symbol(kernel, "init_uts_ns"));
	const struct part *part = w->gpu->r.part;
	char text[128], machine[68], path[32];
	struct kobj engine = kobj_at(error, "gt->engine->");
	uint64_t value;

	if (kobj_text(error, "error_msg", text, sizeof(text)) && *text)
		say(w, "%s\n", text);
	if (kobj_text(names, "name.release", text, sizeof(text)) &&
	    kobj_text(names, "name.machine", machine, sizeof(machine)))
		say(w, "Kernel: %s %s\n", text, machine);
	put_times(w, error);
	for (unsigned i = 0; engine.address && i < ENGINES_MAX; i++) {
		if (kobj_text(engine, "engine->name", machine, sizeof(machine)) &&
		    kobj_text(engine, "context.comm", text, sizeof(text)))
			say(w, "Active process (on ring %s): %s [%lld]\n", machine, text,
			    LL(number(engine, "context.pid")));
		engine = kobj_at(engine, "next->");
	}
	say(w, "Reset count: %llu\nSuspend count: %llu\n", LL(number(error, "reset_count")),
	    LL(number(error, "suspend_count")));
	if (part->pci_device >= 0)
		say(w, "PCI ID: 0x%04x\nPCI Revision: 0x%02x\n", (unsigned)part->pci_device,
		    (unsigned)MAX(part->revision, 0));
	say(w, "IOMMU enabled?: %llu\nRPM wakelock: %s\nPM suspended: %s\n",
	    LL(number(error, "iommu")), number(error, "wakelock") ? "yes" : "no",
	    number(error, "suspended") ? "yes" : "no");
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		string_set(path, "params.%s", options[i]);
		if (kobj_number(error, path, &value))
			say(w, "i915.%s=%lld\n", options[i], LL(value));
	}
}

void vmcore_i915_error(struct vmcore_gpu *gpu)
{
	struct kobj error = kobj_at(gpu->device, "gpu_error.first_error->"), gt;
	struct writing w = { .gpu = gpu };

	/* Without the platform nobody knows which of the registers were read. */
	if (!error.address || !gpu->has_platform)
		return;
	put_heading(&w, error);
	gt = kobj_at(error, "gt->");
	for (unsigned i = 0; gt.address && i < GTS_MAX; i++) {
		put_gt(&w, gt);
		gt = kobj_at(gt, "next->");
	}
	gpu->surplus |= w.full;
	gpu->r.memory_out |= w.memory_out;
	if (w.memory_out)
		vec_free(&w.text);
	else
		vmcore_stored(gpu, "error-state", w.text.items, w.text.count);
}
