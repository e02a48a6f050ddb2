/* SPDX-License-Identifier: MIT */
/* Faults, and the walk of each through the tables, one card per level. */
#include "report.h"
#include "gtt/gtt.h"

#include <stdio.h>

#define FAULTS_MAX 16u
#define STRIP 160.0

/* ---- an entry ------------------------------------------------------------------------------- */

static bool is_reserved(const struct gsc_field *field)
{
	return field->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO | GSC_FIELD_IGNORED) &&
	       !field->problem;
}

static void field_row(struct html *h, const struct gsc_field *field)
{
	unsigned base = field->dword * 32;

	html_open(h, "tr", NULL);
	if (field->hi == field->lo)
		html_element(h, "td", NULL, "%u", field->lo + base);
	else
		html_element(h, "td", NULL, "%u:%u", field->hi + base, field->lo + base);
	html_element(h, "th", "scope=\"row\"", "%s", field->name);
	html_element(h, "td", NULL, "0x%llx", LL(field->value));
	html_element(h, "td", "class=\"t\"", "%s%s%s", field->text ? field->text : "",
		     field->text && field->problem ? ", " : "",
		     field->problem ? field->problem : "");
	html_close(h);
}

static void put_fields(struct report *r, const struct gsc_entry *entry)
{
	struct html *h = &r->html;
	struct gsc_field_iter it;
	struct gsc_field field;

	if (!entry->bytes)
		return;
	html_put(h, "<details><summary>Fields of the entry</summary>");
	html_table(h, "Fields of the entry", "bits|field|value|meaning");
	gsc_item_fields(report_common(r)->db, r->view, &entry->item, entry->words,
			entry->bytes / 4, &it);
	while (gsc_field_next(&it, &field))
		if (!is_reserved(&field))
			field_row(h, &field);
	html_table_end(h);
	html_put(h, "</details>");
}

/* "0x22542a003", wide ones from the highest quadword down. */
static void put_raw(struct html *h, const struct gsc_entry *entry)
{
	if (!entry->bytes) {
		html_element(h, "dd", "class=\"none\"", "not in this dump");
		return;
	}
	html_put(h, "<dd><code>0x");
	if (entry->bytes < 8)
		html_format(h, "%08x", entry->words[0]);
	for (unsigned i = entry->bytes / 8; i-- > 0;)
		html_format(h, "%08x%08x%s", entry->words[2 * i + 1], entry->words[2 * i],
			    i ? ":" : "");
	html_put(h, "</code></dd>");
}

/* ---- a level -------------------------------------------------------------------------------- */

static const char *place(enum gsc_space space, bool guest, uint64_t address, char *buf,
			 size_t size)
{
	const char *name = guest ? "guest " : space == GSC_GTTMEM ? "graphics " :
			   space == GSC_PHYS ? "" : gsc_space_name(space);

	snprintf(buf, size, "%s%s0x%llx", name, space != GSC_PHYS && space != GSC_GTTMEM && !guest
		 ? ":" : "", LL(address));
	return buf;
}

/* Slots of the table, as far as address bits select them; 0: unknown. */
static uint64_t slots(const struct gsc_entry *entry)
{
	int bits = entry->item.index_hi - entry->item.index_lo + 1;

	return entry->item.index_lo < 0 || bits < 1 || bits > 40 ? 0 : UINT64_C(1) << bits;
}

/* The table as a strip, with the slot marked. */
static void put_strip(struct html *h, const struct gsc_step *step)
{
	uint64_t count = slots(&step->entry);
	double y;

	if (!count || step->index >= count)
		return;
	y = STRIP * (double)step->index / (double)count;
	gsc_out_format(h->out, "<svg class=\"table\" viewBox=\"0 0 40 168\" aria-hidden=\"true\">"
		       "<rect class=\"free\" x=\"8\" y=\"4\" width=\"24\" height=\"160\"/>"
		       "<rect class=\"slot\" x=\"8\" y=\"%.1f\" width=\"24\" height=\"4\"/>"
		       "<path class=\"slot\" d=\"M40 %.1fl-8 -5v10z\"/></svg>", 2 + y, 4 + y);
}

static void put_outcome(struct report *r, const struct gsc_walk *walk, size_t i)
{
	const struct gsc_step *step = &walk->steps[i];
	const struct gsc_entry *entry = &step->entry;
	struct html *h = &r->html;
	char at[64], size[40];

	if (walk->stop && walk->stop_step == (int)i) {
		html_element(h, "p", "class=\"outcome stop\"", "✕ the walk ends here: %s",
			     gsc_stop_word(walk->stop));
		return;
	}
	if (!entry->valid)
		return;
	place(entry->space, false, entry->address, at, sizeof(at));
	if (entry->leaf)
		html_element(h, "p", "class=\"outcome page\"", "✓ a page of %s at %s",
			     human_size(entry->page_size, size, sizeof(size)), at);
	else
		html_element(h, "p", "class=\"outcome\"", "↓ the %s table at %s",
			     entry->next ? entry->next : "next", at);
}

static void put_level(struct report *r, const struct gsc_walk *walk, size_t i)
{
	const struct gsc_step *step = &walk->steps[i];
	bool stopped = walk->stop && walk->stop_step == (int)i;
	struct html *h = &r->html;
	char at[64];

	html_open(h, "li", stopped ? "class=\"stopped\"" : NULL);
	put_strip(h, step);
	html_put(h, "<div>");
	html_open(h, "h5", NULL);
	html_format(h, "%s, slot %u", step->entry.level ? step->entry.level : "entry", step->index);
	if (slots(&step->entry))
		html_format(h, " of %llu", LL(slots(&step->entry)));
	if (step->entry.item.index_lo >= 0 && slots(&step->entry))
		html_element(h, "small", NULL, " address bits %d:%d", step->entry.item.index_hi,
			     step->entry.item.index_lo);
	html_close(h);
	html_put(h, "<dl class=\"facts\"><div><dt>Table at</dt><dd><code>");
	html_text(h, place(step->space, step->guest, step->table, at, sizeof(at)));
	html_put(h, "</code></dd></div><div><dt>Entry at</dt><dd><code>");
	html_text(h, place(step->space, step->guest, step->address, at, sizeof(at)));
	html_put(h, "</code></dd></div><div><dt>Entry</dt>");
	put_raw(h, &step->entry);
	html_put(h, "</div></dl>");
	put_outcome(r, walk, i);
	put_fields(r, &step->entry);
	html_put(h, "</div>");
	html_close(h);
}

/* Tables of tiled resources are levels like others. */
static bool is_level(const struct gsc_step *step)
{
	return !step->depth || step->entry.mode == GSC_MODE_TRTT;
}

static void put_serving(struct report *r, const struct gsc_walk *walk)
{
	struct html *h = &r->html;
	size_t count = 0;
	char at[64];

	for (size_t i = 0; i < walk->count; i++)
		count += !is_level(&walk->steps[i]);
	if (!count)
		return;
	html_put(h, "<details><summary>");
	html_format(h, "Second-level tables below it: %zu steps", count);
	html_put(h, "</summary>");
	html_table(h, "Steps that serve those above", "level|slot|entry at|entry");
	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_step *step = &walk->steps[i];

		if (is_level(step))
			continue;
		html_open(h, "tr", NULL);
		html_element(h, "th", "scope=\"row\"", "%s", step->entry.level);
		html_element(h, "td", NULL, "%u", step->index);
		html_element(h, "td", NULL, "%s", place(step->space, step->guest, step->address,
							at, sizeof(at)));
		html_element(h, "td", NULL, step->entry.bytes ? "0x%llx" : "not in this dump",
			     LL(step->entry.words[0] | (uint64_t)step->entry.words[1] << 32));
		html_close(h);
	}
	html_table_end(h);
	html_put(h, "</details>");
}

static void put_landing(struct report *r, const struct gsc_walk *walk)
{
	struct html *h = &r->html;
	char at[64], size[40];

	if (!walk->mapped)
		html_element(h, "p", "class=\"landing stop\"", "0x%llx is %s: %s.",
			     LL(walk->address), gsc_stop_outcome(walk->stop),
			     *walk->stop_text ? walk->stop_text : gsc_stop_word(walk->stop));
	else if (walk->null)
		html_element(h, "p", "class=\"landing\"",
			     "0x%llx is mapped to a null page: reads return zero.",
			     LL(walk->address));
	else
		html_element(h, "p", "class=\"landing\"", "0x%llx is mapped, to %s, a page of %s. "
			     "That is its state now, or when the dump was written; at the fault it "
			     "may have been different.", LL(walk->address),
			     place(walk->space, false, walk->physical, at, sizeof(at)),
			     human_size(walk->page_size, size, sizeof(size)));
}

static const char *mode_words(enum gsc_mode mode)
{
	static const char *const words[GSC_MODES] = {
		[GSC_MODE_GGTT] = "global (GGTT)", [GSC_MODE_FLAT] = "per-process one-level (flat)",
		[GSC_MODE_2LEVEL] = "per-process two-level (2level)",
		[GSC_MODE_PDP32] = "per-process 32-bit (pdp32)",
		[GSC_MODE_PML4] = "per-process 48-bit (pml4)",
		[GSC_MODE_IA32E] = "advanced-context (ia32e)", [GSC_MODE_TRTT] = "tiled-resource",
		[GSC_MODE_VTD] = "second-level (VT-d)",
	};

	return (unsigned)mode < GSC_MODES ? words[mode] : "page";
}

static void put_walk(struct report *r, const struct gsc_translation *translation,
		     const struct gsc_walk *walk)
{
	const struct gsc_root *root = gsc_translation_root(translation);
	struct html *h = &r->html;
	char text[120];
	const char *value = gsc_root_text(root, text, sizeof(text));

	html_open(h, "h4", NULL);
	html_format(h, "How 0x%llx is translated: the %s tables", LL(walk->address),
		    mode_words(walk->mode));
	html_close(h);
	put_landing(r, walk);
	if (value)
		html_element(h, "p", NULL, "The tables begin at %s%s%s.", value,
			     *root->from ? ", the root in " : "", root->from);
	if (walk->count) {
		html_open(h, "ol", "class=\"levels\"");
		for (size_t i = 0; i < walk->count; i++)
			if (is_level(&walk->steps[i]))
				put_level(r, walk, i);
		html_close(h);
	}
	put_serving(r, walk);
	if (*walk->written)
		html_element(h, "p", NULL, "Written back: %s.", walk->written);
	if (*walk->note)
		html_element(h, "p", "class=\"note\"", "%s", walk->note);
}

/* ---- faults --------------------------------------------------------------------------------- */

static void put_facts(struct report *r, const struct gsc_fault *fault)
{
	struct html *h = &r->html;
	char name[160];

	html_open(h, "dl", "class=\"facts\"");
	html_fact(h, "Address", fault->has_address ? "%s%s0x%llx" : NULL,
		  fault->space ? fault->space : "", fault->space ? ":" : "", LL(fault->address));
	html_fact(h, "Type", fault->type ? "%s" : NULL, fault->type);
	if (fault->access)
		html_fact(h, "Access", "%s", fault->access);
	html_fact(h, "Engine", *fault->engine ? "%s" : NULL, fault->engine);
	if (fault->source_id >= 0)
		html_fact(h, "Unit", "%d", fault->source_id);
	if (fault->reg.name) {
		gsc_reg_full_name(&fault->reg, name, sizeof(name));
		html_fact(h, "Register", "%s 0x%08llx", name, LL(fault->value));
	}
	html_close(h);
}

static void put_fault(struct report *r, size_t i, const struct gsc_fault *fault)
{
	const struct gsc_translation *translation;
	struct gsc_walk walk;
	struct html *h = &r->html;
	char why[200] = "";

	html_put(h, "<article class=\"fault\">");
	html_open(h, "h3", NULL);
	html_format(h, "%s%s", *fault->engine ? fault->engine : "A fault",
		    fault->valid ? "" : ", perhaps");
	if (fault->has_address)
		html_format(h, " at %s%s0x%llx", fault->space ? fault->space : "",
			    fault->space ? ":" : "", LL(fault->address));
	html_close(h);
	html_open(h, "p", NULL);
	html_text(h, fault->text);
	put_cause(r, i);
	html_close(h);
	put_facts(r, fault);
	if (gsc_hang_walk(r->hang, i, &walk, &translation, why, sizeof(why)))
		put_walk(r, translation, &walk);
	else
		html_none(h, "Not walked%s%s.", *why ? ": " : ": its tables are not in this dump",
			  why);
	html_put(h, "</article>\n");
}

/* Registers that have recorded none; false: there are no others, and all could be read. */
static bool put_clear(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_fault fault;
	bool begun = false, told = false;
	char name[160];

	for (size_t i = 0; gsc_hang_fault(r->hang, i, &fault); i++) {
		told |= fault.valid || fault.has_address || fault.value == UINT32_MAX;
		if (fault.valid || fault.has_address)
			continue;
		html_put(h, begun ? ", " : "<p>No fault is recorded in ");
		begun = true;
		gsc_reg_full_name(&fault.reg, name, sizeof(name));
		html_element(h, "code", NULL, "%s", name);
		if (fault.value == UINT32_MAX)
			html_text(h, " (all ones, so not read)");
	}
	html_put(h, begun ? ".</p>\n" : "");
	return told;
}

void section_faults(struct report *r)
{
	struct html *h = &r->html;
	struct gsc_fault fault;
	size_t shown = 0, more = 0;

	for (size_t i = 0; gsc_hang_fault(r->hang, i, &fault); i++) {
		if (!fault.valid && !fault.has_address)
			continue;
		if (shown++ < FAULTS_MAX)
			put_fault(r, i, &fault);
		else
			more++;
	}
	if (more)
		html_none(h, "%zu more faults are left out.", more);
	if (!gsc_hang_fault(r->hang, 0, &fault))
		section_nothing(r, "no register that records them is in this dump");
	else if (!put_clear(r))
		section_nothing(r, "none recorded in the registers of this dump");
}
