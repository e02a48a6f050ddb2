/* SPDX-License-Identifier: MIT */
/*
 * The error state that i915 has stored, written as i915 writes it when somebody reads the file, so
 * that error-state.c reads both. Origin: Linux, i915_gpu_error.h and i915_gpu_error.c,
 * __err_print_to_sgl() and what it calls. Buffers are already deflated, in pages of their own.
 */
#include "vmcore/vmcore.h"

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

static void say(struct writing *w, const char *format, ...)
{
	char line[256];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	put(w, line, strlen(line));
}

/* ---- lines of numbers ------------------------------------------------------------------------ */

/*
 * A line as i915 prints it, with the members that have its values: ^ is the upper half of one. The
 * generations are those whose values i915 reads; 0: no limit. Lines are left out whose first member
 * this version lacks.
 */
struct line {
	const char *format, *paths[4];
	unsigned from, to;
};

#define WORD(key, path, from, to) { key ": 0x%08llx\n", { path }, from, to }

static const struct line engine_lines[] = {
	WORD("  CCID", "ccid", 0, 0), WORD("  START", "start", 0, 0),
	{ "  HEAD: 0x%08llx [0x%08llx]\n", { "head", "rq_head" }, 0, 0 },
	{ "  TAIL: 0x%08llx [0x%08llx, 0x%08llx]\n", { "tail", "rq_post", "rq_tail" }, 0, 0 },
	WORD("  CTL", "ctl", 0, 0), WORD("  MODE", "mode", 0, 0), WORD("  HWS", "hws", 0, 0),
	{ "  ACTHD: 0x%08llx %08llx\n", { "^acthd", "acthd" }, 0, 0 },
	WORD("  IPEIR", "ipeir", 0, 0), WORD("  IPEHR", "ipehr", 0, 0), WORD("  ESR", "esr", 0, 0),
	WORD("  INSTDONE", "instdone.instdone", 0, 0),
	{ "  BBADDR: 0x%08llx_%08llx\n", { "^bbaddr", "bbaddr" }, 4, 0 },
	WORD("  BB_STATE", "bbstate", 4, 0), WORD("  INSTPS", "instps", 4, 0),
	WORD("  INSTPM", "instpm", 0, 0),
	{ "  FADDR: 0x%08llx %08llx\n", { "^faddr", "faddr" }, 0, 0 },
	WORD("  RC PSMI", "rc_psmi", 6, 0), WORD("  FAULT_REG", "fault_reg", 6, 0),
	WORD("  NOPID", "nopid", 11, 0), WORD("  EXCC", "excc", 11, 0),
	WORD("  CMD_CCTL", "cmd_cctl", 11, 0), WORD("  CSCMDOP", "cscmdop", 11, 0),
	WORD("  CTX_SR_CTL", "ctx_sr_ctl", 11, 0), WORD("  DMA_FADDR_HI", "dma_faddr_hi", 11, 0),
	WORD("  DMA_FADDR_LO", "dma_faddr_lo", 11, 0),
	WORD("  GFX_MODE", "vm_info.gfx_mode", 6, 0),
	WORD("  PP_DIR_BASE", "vm_info.pp_dir_base", 6, 7),
	{ "  PDP0: 0x%016llx\n", { "vm_info.pdp[0]" }, 8, 0 },
	{ "  PDP1: 0x%016llx\n", { "vm_info.pdp[1]" }, 8, 0 },
	{ "  PDP2: 0x%016llx\n", { "vm_info.pdp[2]" }, 8, 0 },
	{ "  PDP3: 0x%016llx\n", { "vm_info.pdp[3]" }, 8, 0 },
};

/* Of the render engine alone. */
static const struct line render_lines[] = {
	WORD("  SC_INSTDONE", "instdone.slice_common", 4, 0),
	WORD("  SC_INSTDONE_EXTRA", "instdone.slice_common_extra[0]", 12, 0),
	WORD("  SC_INSTDONE_EXTRA2", "instdone.slice_common_extra[1]", 12, 0),
};

/* Also where the GuC has captured the registers. */
static const struct line context_lines[] = {
	{ "  hung: %llu\n", { "hung" }, 0, 0 },
	{ "  engine reset count: %llu\n", { "reset_count" }, 0, 0 },
	{ "  context timeline seqno %llu\n", { "context.hwsp_seqno" }, 0, 0 },
};

static const struct line gt_lines[] = {
	WORD("EIR", "eir", 0, 0), WORD("PGTBL_ER", "pgtbl_er", 0, 0),
};

/* What the GuC captures, i915 does not read. */
static const struct line gt_own_lines[] = {
	WORD("FORCEWAKE", "forcewake", 0, 0), WORD("ERROR", "error", 6, 11),
	WORD("DONE_REG", "done_reg", 6, 11),
	{ "FAULT_TLB_DATA: 0x%08llx 0x%08llx\n", { "fault_data1", "fault_data0" }, 8, 0 },
	WORD("GTT_CACHE_EN", "gtt_cache", 8, 11), WORD("AUX_ERR_DBG", "aux_err", 12, 12),
	WORD("  GAM_DONE", "gam_done", 12, 0),
};

static const struct line heading_lines[] = {
	{ "Reset count: %llu\n", { "reset_count" }, 0, 0 },
	{ "Suspend count: %llu\n", { "suspend_count" }, 0, 0 },
	{ "IOMMU enabled?: %llu\n", { "iommu" }, 0, 0 },
	{ "i915.enable_guc=%lld\n", { "params.enable_guc" }, 0, 0 },
	{ "i915.reset=%lld\n", { "params.reset" }, 0, 0 },
};

static void put_lines(struct writing *w, struct kobj of, const struct line *lines, size_t count)
{
	unsigned generation = w->gpu->platform.graphics / 100;

	for (const struct line *line = lines; line < lines + count; line++) {
		uint64_t value[ARRAY_SIZE(line->paths)] = { 0 };
		bool known = generation >= line->from && (!line->to || generation <= line->to);

		for (size_t i = 0; known && i < ARRAY_SIZE(value) && line->paths[i]; i++) {
			bool upper = *line->paths[i] == '^';

			known = kobj_number(of, line->paths[i] + upper, &value[i]) || i;
			/* Before another half only the lower one is left. */
			value[i] = upper ? value[i] >> 32 : value[i];
			if (i && *line->paths[i - 1] == '^')
				value[i] &= UINT32_MAX;
		}
		if (known)
			say(w, line->format, LL(value[0]), LL(value[1]), LL(value[2]),
			    LL(value[3]));
	}
}

static uint64_t number(struct kobj of, const char *path)
{
	uint64_t value = 0;

	kobj_number(of, path, &value);
	return value;
}

/* ---- engines --------------------------------------------------------------------------------- */

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
	for (unsigned i = 0; i < slices * units; i++) {
		string_set(path, "instdone.%s[%u][%u]", member, i / units, i % units);
		if (kobj_number(engine, path, &value) && value)
			say(w, "  %s[%u][%u]: 0x%08llx\n", key, i / units, i % units, LL(value));
	}
}

/* The numbers of these bits differ between versions: enum dma_fence_flag_bits. */
static bool has_flag(struct kobj port, const char *name)
{
	uint64_t bit;

	return kernel_enumerator(port.kernel, MODULE, name, &bit) && bit < 64 &&
	       number(port, "flags") >> bit & 1;
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
		say(w, "  ELSP[%u]:  pid %lld, seqno %8llx:%08llx%s%s, prio %lld, head %08llx, "
		    "tail %08llx\n", i, LL(number(port, "pid")), LL(number(port, "context")),
		    LL(number(port, "seqno")),
		    has_flag(port, "DMA_FENCE_FLAG_SIGNALED_BIT") ? "!" : "",
		    has_flag(port, "DMA_FENCE_FLAG_ENABLE_SIGNAL_BIT") ? "+" : "",
		    LL(number(port, "sched_attr.priority")), LL(number(port, "head")),
		    LL(number(port, "tail")));
	}
}

static void put_state(struct writing *w, struct kobj engine, struct kobj batch)
{
	uint64_t start = number(batch, "gtt_offset"), end = start + number(batch, "gtt_size");

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
	char name[16] = "", what[24];
	unsigned count = 0;

	kobj_text(engine, "engine->name", name, sizeof(name));
	for (buffer = buffers; buffer.address && !batch.address && count++ < BUFFERS_MAX;
	     buffer = kobj_at(buffer, "next->"))
		if (kobj_text(buffer, "name", what, sizeof(what)) && !strcmp(what, "batch"))
			batch = buffer;
	say(w, "%s command stream:\n", name);
	if (!guc)
		put_state(w, engine, batch);
	put_lines(w, engine, context_lines, ARRAY_SIZE(context_lines));
	count = 0;
	for (buffer = buffers; buffer.address && count++ < BUFFERS_MAX && !w->full;
	     buffer = kobj_at(buffer, "next->"))
		put_buffer(w, name, buffer);
}

/* The elements of an array of numbers, the first `count` of them. */
static void put_array(struct writing *w, struct kobj of, const char *member, const char *count,
		      const char *format)
{
	uint64_t most = MIN(number(of, count), kobj_count(kobj_at(of, member)));
	char path[24];

	for (unsigned i = 0; i < most; i++) {
		string_set(path, "%s[%u]", member, i);
		say(w, format, i, LL(number(of, path)));
	}
}

static void put_gt(struct writing *w, struct kobj gt)
{
	bool guc = number(gt, "uc->guc.is_guc_capture");
	struct kobj engine = kobj_at(gt, "engine->");

	put_lines(w, gt, gt_lines, ARRAY_SIZE(gt_lines));
	put_array(w, gt, "gtier", "ngtier", "GTIER[%u]: 0x%08llx\n");
	put_array(w, gt, "fence", "nfence", "  fence[%u] = %08llx\n");
	if (!guc)
		put_lines(w, gt, gt_own_lines, ARRAY_SIZE(gt_own_lines));
	for (unsigned i = 0; engine.address && i < ENGINES_MAX; i++) {
		put_engine(w, engine, guc);
		engine = kobj_at(engine, "next->");
	}
}

static void put_heading(struct writing *w, struct kobj error)
{
	static const char *const times[][2] = {
		{ "Time", "time" }, { "Boottime", "boottime" }, { "Uptime", "uptime" },
	};
	struct kernel *kernel = w->gpu->kernel;
	struct kobj names = kernel_object(kernel, NULL, "uts_namespace",
					  kernel_symbol(kernel, "init_uts_ns"));
	struct kobj engine = kobj_at(error, "gt->engine->");
	const struct part *part = w->gpu->r.part;
	char text[128], name[68];
	uint64_t ns;

	if (kobj_text(error, "error_msg", text, sizeof(text)) && *text)
		say(w, "%s\n", text);
	if (kobj_text(names, "name.release", text, sizeof(text)) &&
	    kobj_text(names, "name.machine", name, sizeof(name)))
		say(w, "Kernel: %s %s\n", text, name);
	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		if (kobj_number(error, times[i][1], &ns))
			say(w, "%s: %llu s %llu us\n", times[i][0], LL(ns / 1000000000),
			    LL(ns % 1000000000 / 1000));
	for (unsigned i = 0; engine.address && i < ENGINES_MAX; i++) {
		if (kobj_text(engine, "engine->name", name, sizeof(name)) &&
		    kobj_text(engine, "context.comm", text, sizeof(text)))
			say(w, "Active process (on ring %s): %s [%lld]\n", name, text,
			    LL(number(engine, "context.pid")));
		engine = kobj_at(engine, "next->");
	}
	put_lines(w, error, heading_lines, ARRAY_SIZE(heading_lines));
	if (part->pci_device >= 0 && part->revision >= 0)
		say(w, "PCI ID: 0x%04x\nPCI Revision: 0x%02x\n", (unsigned)part->pci_device,
		    (unsigned)part->revision);
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
