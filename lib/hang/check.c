/* SPDX-License-Identifier: MIT */
/* What makes the state as a whole doubtful, or breaks a rule: one row for each rule. */
#include "hang/hang.h"

#include "db/rule.h"
#include "gtt/check.h"

#define CACHE_LINE 64
#define PAGE_SHIFT 12
#define PAGE (UINT64_C(1) << PAGE_SHIFT)

struct checking {
	struct gsc_hang *hang;
	struct findings findings;
	const struct rule *rule;
	struct gsc_error error;		/* memory ran out */
};

static void tell(struct checking *c, const char *where, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void tell(struct checking *c, const char *where, const char *format, ...)
{
	struct gsc_breach breach;
	va_list args;

	if (c->findings.ended)
		return;
	va_start(args, format);
	breach = rule_found(c->rule, where, format, args);
	va_end(args);
	findings_add(&c->findings, &breach);
}

/* ---- rings ---------------------------------------------------------------------------------- */

static void outside_ring(struct checking *c, const struct gsc_engine *e)
{
	const unsigned pointers = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL | GSC_KNOWN_CONTROL;

	if ((e->known & pointers) != pointers || !e->enabled)
		return;
	if (e->head_offset >= e->ring_bytes)
		tell(c, e->name, "head 0x%llx is outside of the ring of 0x%llx bytes",
		     LL(e->head_offset), LL(e->ring_bytes));
	if (e->tail_offset >= e->ring_bytes)
		tell(c, e->name, "tail 0x%llx is outside of the ring of 0x%llx bytes",
		     LL(e->tail_offset), LL(e->ring_bytes));
}

static void same_line(struct checking *c, const struct gsc_engine *e)
{
	if (e->known & GSC_KNOWN_RING && e->head_offset > e->tail_offset &&
	    e->head_offset / CACHE_LINE == e->tail_offset / CACHE_LINE)
		tell(c, e->name, "head 0x%llx is just past tail 0x%llx, in the same cache line: "
		     "the ring looks full of old commands", LL(e->head_offset), LL(e->tail_offset));
}

static void ring_beyond(struct checking *c, const struct gsc_engine *e)
{
	const struct gsc_platform *p = &c->hang->gpu->platform;
	uint64_t entries = p->ggtt_entry ? p->ggtt_max / p->ggtt_entry : 0;

	if (entries && e->known & GSC_KNOWN_RING && e->start >> PAGE_SHIFT >= entries)
		tell(c, e->name, "the ring at 0x%llx is past the end of the global table",
		     LL(e->start));
}

/* ---- where engines are ---------------------------------------------------------------------- */

static void other_command(struct checking *c, const struct gsc_engine *e)
{
	if (e->stopped && !e->agrees && e->known & GSC_KNOWN_IPEHR && e->state != GSC_ENGINE_IDLE)
		tell(c, e->name, "the command at ACTHD begins with 0x%08x, IPEHR is 0x%08llx",
		     e->command.count ? e->command.words[0] : 0,
		     LL(e->ipehr));
}

/*
 * The buffer of an engine that ends closest before ACTHD; none if a buffer contains ACTHD, or may
 * contain it: the end of a truncated one is unknown. A ring is at a global address, whatever runs
 * in it.
 */
static bool buffer_before(const struct gsc_hang *hang, const struct gsc_engine *e,
			  struct gsc_buffer_origin *found)
{
	bool any = false, process = e->known & GSC_KNOWN_ACTHD_PROCESS;
	struct hang_buffers at = { .source = hang->gpu->source };
	const struct gsc_buffer_origin *b = &at.b;

	while (hang_buffer_next(&at)) {
		if (strcmp(b->engine, e->name) || e->acthd < b->address ||
		    (b->kind != GSC_BUFFER_BATCH && (b->kind != GSC_BUFFER_RING || process)))
			continue;
		if (e->acthd - b->address < b->length || b->flags & GSC_BUFFER_CUT)
			return false;
		if (!any || b->address + b->length > found->address + found->length)
			*found = *b;
		any = true;
	}
	return any;
}

static void past_buffer(struct checking *c, const struct gsc_engine *e)
{
	struct gsc_buffer_origin b;

	if (!(e->known & GSC_KNOWN_ACTHD) || e->known & GSC_KNOWN_ACTHD_RING || e->stopped ||
	    e->state == GSC_ENGINE_IDLE || !buffer_before(c->hang, e, &b))
		return;
	tell(c, e->name, "ACTHD 0x%llx is 0x%llx bytes past the end of %s at 0x%llx", LL(e->acthd),
	     LL(e->acthd - b.address - b.length), b.name, LL(b.address));
}

/* ---- translation ---------------------------------------------------------------------------- */

static void mapped_now(struct checking *c, const struct gsc_fault *f)
{
	char where[96];

	if (!hang_fault_mapped(c->hang, f))
		return;
	gsc_reg_full_name(&f->reg, where, sizeof(where));
	tell(c, where, HANG_MAPPED_TEXT, LL(f->address));
}

/* Engines fetch commands ahead, also past the end of a batch. */
static void after_batch(struct checking *c, const struct gsc_fault *f)
{
	struct hang_buffers at = { .source = c->hang->gpu->source };
	const struct gsc_buffer_origin *b = &at.b;
	char where[96];

	gsc_reg_full_name(&f->reg, where, sizeof(where));
	while (hang_buffer_next(&at)) {
		uint64_t end = b->address + b->length;

		if (b->kind != GSC_BUFFER_BATCH || b->flags & GSC_BUFFER_CUT || !b->length ||
		    (*f->engine && strcmp(f->engine, b->engine)) ||
		    (end + PAGE - 1) >> PAGE_SHIFT != f->address >> PAGE_SHIFT)
			continue;
		tell(c, where, "0x%llx is in the page after %s, which ends at 0x%llx: engines "
		     "fetch commands ahead, so that page must be mapped", LL(f->address), b->name,
		     LL(end));
		return;
	}
}

/* On Gen8 and Gen9 two registers have it; no manual says which one is right. */
static void two_spaces(struct checking *c, const struct gsc_fault *f)
{
	bool taken = f->space && !strcmp(f->space, "ggtt");
	char where[96];
	uint64_t global;

	if (!gsc_gpu_field(c->hang->gpu, &f->reg, f->value, "GTTSEL", &global) ||
	    taken == (global != 0))
		return;
	gsc_reg_full_name(&f->reg, where, sizeof(where));
	tell(c, where, "its GTTSEL says %s, but FAULT_TLB_DATA1, which is used here, says %s: the "
		       "address may be in the other space", global ? "GGTT" : "PPGTT",
	     taken ? "GGTT" : "PPGTT");
}

static bool pass_alias(void *context, const struct gsc_breach *breach)
{
	struct checking *c = context;

	return strcmp(breach->rule, c->rule->name) || breach->unchecked ||
	       findings_add(&c->findings, breach);
}

/* Only for Sandy Bridge; a device's table is too slow to read for it. Nothing without tables. */
static void same_address(struct checking *c)
{
	struct gsc_translation_options options = { .root = { .count = 0 } };
	struct gsc_global_ranges *shared = NULL;
	struct gsc_translation *translation;
	struct gsc_error err = { 0 };

	if (c->hang->options.no_walk || gsc_source_live(c->hang->gpu->source) ||
	    !hang_root(c->hang, NULL, &options.root))
		return;
	if (!gsc_translation_new(&translation, c->hang->gpu, &options, &err)) {
		gsc_check_tables(translation, &shared, pass_alias, c, &err);
		gsc_global_ranges_free(shared);
		gsc_translation_free(translation);
	}
	if (err_is_memory(&err))
		c->error = err;
}

/* ---- what the dump was taken with ----------------------------------------------------------- */

static void interrupts_off(struct checking *c)
{
	static const struct {
		const char *name, *field;
	} enables[] = {
		{ "GTIER", NULL }, { "GT_IER0", NULL }, { "MASTER_IRQ", "MASTER_IRQ_CONTROL" },
		{ "GFX_MSTR_IRQ", "MASTER_IRQ" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(enables); i++) {
		struct gsc_reg reg;
		uint64_t value, field;

		if (!hang_read(c->hang, NULL, enables[i].name, -1, &reg, &value))
			continue;
		field = value;
		if (enables[i].field && !gsc_gpu_field(c->hang->gpu, &reg, value, enables[i].field,
						       &field))
			continue;
		if (!field)
			tell(c, enables[i].name, "0x%llx: no interrupt gets through, so the driver "
			     "does not learn that an engine has finished", LL(value));
	}
}

static void not_awake(struct checking *c)
{
	size_t asleep = gsc_hang_reads(c->hang, GSC_READ_ASLEEP);

	if (asleep)
		tell(c, "forcewake", "not held, so %zu registers could not be read", asleep);
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* A rule of the whole, of each engine, or of each fault that has an address. */
static const struct hang_rule {
	struct rule rule;
	void (*whole)(struct checking *c);
	void (*engine)(struct checking *c, const struct gsc_engine *e);
	void (*fault)(struct checking *c, const struct gsc_fault *f);
} rules[] = {
	{ { "outside-ring", NULL, "snb-p2", "5.3.4.5 Ring Buffer Use",
	    "HEAD or TAIL is outside of the ring" }, .engine = outside_ring },
	{ { "same-cacheline", NULL, "snb-p2", "5.3.4.5 Ring Buffer Use",
	    "HEAD is just past TAIL, in the same cache line" }, .engine = same_line },
	{ { "ring-beyond-ggtt", .text = "the ring is past the end of the global table" },
	  .engine = ring_beyond },
	{ { "ipehr-differs", .text = "the command at ACTHD does not begin with IPEHR" },
	  .engine = other_command },
	{ { "past-buffer", .text = "ACTHD is past the end of a buffer" }, .engine = past_buffer },
	{ { HANG_MAPPED_NOW, .text = "the address of a fault is mapped now" },
	  .fault = mapped_now },
	{ { "page-after-batch", NULL, "snb-p3", "1.2.5 MI_BATCH_BUFFER_START",
	    "the page after a batch faulted" }, .fault = after_batch },
	{ { "space-differs", .text = "two registers say different spaces of a fault" },
	  .fault = two_spaces },
	{ { "same-address", "same-address", .text = "an address leads elsewhere in the GGTT" },
	  .whole = same_address },
	{ { "interrupts-off", .text = "no interrupt gets through" }, .whole = interrupts_off },
	{ { "not-awake", .text = "registers could not be read: forcewake is not held" },
	  .whole = not_awake },
};

const struct rule *gsc_hang_rule(size_t i)
{
	return i < ARRAY_SIZE(rules) ? &rules[i].rule : NULL;
}

enum gsc_status gsc_hang_check(struct gsc_hang *hang, gsc_breach_fn *each, void *context,
			       struct gsc_error *err)
{
	struct checking c = { .hang = hang, .findings = { each, context } };

	for (size_t i = 0; i < ARRAY_SIZE(rules) && !c.findings.ended && !c.error.status; i++) {
		const struct hang_rule *rule = &rules[i];

		c.rule = &rule->rule;
		if (!platform_is(&hang->gpu->platform, c.rule->only))
			continue;
		if (rule->whole)
			rule->whole(&c);
		for (size_t k = 0; rule->engine && k < hang->engines.count; k++)
			rule->engine(&c, &hang->engines.items[k].e);
		for (size_t k = 0; rule->fault && k < hang->faults.count; k++)
			if (hang->faults.items[k].valid && hang->faults.items[k].has_address)
				rule->fault(&c, &hang->faults.items[k]);
	}
	if (c.error.status && err)
		*err = c.error;
	return c.error.status;
}
