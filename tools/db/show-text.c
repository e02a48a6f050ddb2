/* SPDX-License-Identifier: MIT */
/* gpu-db show, for people: 80 columns. */
#include "cli/text.h"
#include "util/text.h"
#include "gpu-db.h"
#include "eu/program.h"

#define LABEL 2
#define TEXT 14
#define FIELD_BITS 4
#define FIELD_NAME 16
#define FIELD_FORM 46
#define VALUE_NUMBER 18
#define VALUE_NAME 26

static void put_label(struct gsc_out *out, const char *label)
{
	gsc_out_pad(out, LABEL);
	text_styled(out, GSC_STYLE_CYAN, label);
}

static void put_line(struct gsc_out *out, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	put_label(out, label);
	db_wrap(out, TEXT, text);
}

/* ---- where it lies -------------------------------------------------------------------------- */

/* ", on skl..tgl", if it has fewer platforms than the item. */
static void append_where(const struct common *common, const struct gsc_item *item,
			 uint64_t platforms, const struct gsc_revisions *revisions, char *buf,
			 size_t size, const char *before, const char *behind)
{
	const struct gsc_revisions *own = &item->revisions;
	char list[220];

	if (platforms != item->platforms || revisions->platforms != own->platforms ||
	    (own->platforms && (revisions->lo != own->lo || revisions->hi != own->hi)))
		string_addf(buf, size, "%s%s%s", before,
		       db_where(common->db, platforms, revisions, list, sizeof(list)), behind);
}

/* "+0x80 of rcs, bcs, 16 of them, every 0x8 bytes, on snb..hsw" */
static void put_places(const struct common *common, const struct gsc_item *item)
{
	char text[500], engines[80];
	struct gsc_place place;

	for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++) {
		db_place(&place, text, sizeof(text));
		db_engines(place.engines, place.instance, ", ", engines, sizeof(engines));
		if (*engines)
			string_add(text, " of %s", engines);
		if (place.count)
			string_add(text, ", %u of them, every 0x%x bytes",
				    place.count, place.stride);
		append_where(common, item, place.platforms, &place.revisions, text, sizeof(text),
			     ", on ", "");
		put_line(common->out, i ? "" : "at", text);
	}
}

/* "0x002030 rcs0 [3]" */
static void put_reg_place(char *buf, size_t size, const struct gsc_reg *reg)
{
	db_reg_place(reg, buf, size);
	if (reg->engine)
		string_addf(buf, size, " %s", reg->engine);
	if (reg->index >= 0)
		string_addf(buf, size, " [%d]", reg->index);
}

void show_regs_text(struct gsc_out *out, struct show_regs *regs, unsigned column)
{
	struct gsc_reg reg, last;
	bool more = show_reg_next(regs, &reg);
	char line[200], to[80];

	while (more) {
		bool folded = false;

		put_reg_place(line, sizeof(line), &reg);
		last = reg;
		while ((more = show_reg_next(regs, &reg)) && last.index >= 0 &&
		       reg.index == last.index + 1 && reg.engine == last.engine &&
		       reg.wake == last.wake) {
			last = reg;
			folded = true;
		}
		put_reg_place(to, sizeof(to), &last);
		string_add(line, "%s%s%s%s", folded ? " to " : "", folded ? to : "",
		       last.wake ? ", forcewake " : "", last.wake ? last.wake : "");
		db_wrap(out, column, line);
	}
}

/* ---- what it is ----------------------------------------------------------------------------- */

static void put_aliases(const struct common *common, const struct gsc_item *item)
{
	struct gsc_match matches[64];
	const char *alias;
	char text[2000] = "", engines[80], list[200];
	uint64_t on;

	for (size_t i = 0; (alias = gsc_item_alias(common->db, item, i, &on)); i++) {
		size_t found = gsc_db_find(common->db, alias, matches, ARRAY_SIZE(matches));

		*engines = 0;
		for (size_t m = 0; m < found && m < ARRAY_SIZE(matches); m++)
			if (item->kind == GSC_REGISTER && matches[m].def == item->def &&
			    matches[m].engines)
				db_engines(matches[m].engines, matches[m].instance, ",", engines,
					   sizeof(engines));
		string_add(text, "%s%s%s%s", i ? ", " : "", engines, *engines ? "." : "", alias);
		if (on != item->platforms)
			string_add(text, " (%s)", db_platforms(common->db, on, list, sizeof(list)));
	}
	put_line(common->out, "also", text);
}

static void put_hazards(const struct common *common, const struct gsc_item *item)
{
	struct gsc_hazard hazard;
	char text[700];

	for (size_t i = 0; gsc_item_hazard(common->db, item, i, &hazard); i++) {
		if (common->gpu && !(hazard.platforms >> platform_of(common)->index & 1))
			continue;
		string_set(text, "%s", hazard.flag & GSC_REG_HAZARD_READ  ? "reading" :
			 hazard.flag & GSC_REG_HAZARD_HANG ? "may hang" : "writing");
		if (hazard.bits)
			string_add(text, " bits 0x%llx", LL(hazard.bits));
		string_add(text, ": %s", hazard.why);
		append_where(common, item, hazard.platforms, &hazard.revisions, text,
			     sizeof(text), " (", ")");
		put_line(common->out, "hazard", text);
	}
}

static void put_workaround(const struct common *common, const struct gsc_item *w)
{
	static const char *const moments[] = {
		"when the driver starts the GT", "at each reset of the engine",
		"in each context image", "programs may write it",
	};
	char text[900];

	if (w->moment == WORKAROUND_OTHER)
		return;
	db_target(w, text, sizeof(text));
	string_add(text, ", %s%s", moments[w->moment],
		   w->unchecked ? "; the driver does not verify it" : "");
	put_line(common->out, "in", text);
	put_line(common->out, "bits",
		 gsc_workaround_bits(common->db, w, w->platforms, text, sizeof(text)));
}

/* Those that write a register: "Wa_1 of i915 (gt): 0x2 = 0x2: FIELD 1; on tgl; only ..." */
static void put_workarounds(const struct common *common, const struct gsc_item *item)
{
	const char *label = "workaround";
	char text[1400], part[900];
	struct gsc_item w;

	for (size_t i = 0; gsc_workaround_next(common->db, view_of(common), item->def, &i,
						&w); label = "") {
		string_set(text, "%s of %s (%s): %s", w.name, w.document ? w.document : "?", w.when,
			   gsc_workaround_bits(common->db, &w, w.platforms, part, sizeof(part)));
		if (!common->gpu)
			string_add(text, "; on %s", db_where(common->db, w.platforms, &w.revisions,
							     part, sizeof(part)));
		if (w.doc)
			string_add(text, "; %s", w.doc);
		put_line(common->out, label, text);
	}
}

static void put_register(const struct common *common, const struct gsc_item *item)
{
	static const char *const accesses[] = {	/* of each bit of enum gsc_access */
		"read only", "read and write", "write only", "a 1 written clears the bit",
		"a read clears it", "bits 31:16 enable writes of 15:0", "latches the first event",
	};
	struct show_regs regs = { .view = view_of(common), .def = item->def };
	uint64_t all = bits_below(item->bits);
	struct gsc_out *out = common->out;
	struct gsc_reg selector;
	char text[300] = "";

	if (common->gpu) {
		put_label(out, "at");
		show_regs_text(out, &regs, TEXT);
	} else {
		put_places(common, item);
	}
	for (size_t i = 0; i < ARRAY_SIZE(accesses); i++)
		if (item->access >> i & 1)
			append_word(text, sizeof(text), "; ", accesses[i]);
	put_line(out, "access", text);
	if (item->flags & GSC_REG_HAS_RESET) {
		int digits = (int)item->bits / 4;

		string_set(text, "0x%0*llx", digits, LL(item->reset));
		if ((item->reset_mask & all) != all)
			string_add(text, ", documented for bits 0x%0*llx", digits,
			       LL(item->reset_mask & all));
		put_line(out, "reset", text);
	}
	if (item->flags & GSC_REG_VOLATILE)
		put_line(out, "volatile", "a counter, or changes by itself");
	if (show_steering(common, item, &selector)) {
		string_set(text, "replicated: a read returns one copy");
		if (selector.name)
			string_add(text, ", which %s selects", selector.name);
		put_line(out, "multicast", text);
	}
	put_hazards(common, item);
	put_workarounds(common, item);
	if (item->group) {
		string_set(text, "%s: %s", item->group, item->group_title);
		put_line(out, "group", text);
	}
}

static void put_command(const struct common *common, const struct gsc_item *item)
{
	char text[192], on[128];
	struct gsc_lengths lengths;

	put_line(common->out, "engines",
		 db_engines(item->engines, -1, ", ", text, sizeof(text)));
	if (item->privileged)
		put_line(common->out, "privileged", "for rings and privileged batches only");
	string_set(text, "dw0 & 0x%08llx = 0x%08llx", LL(item->mask), LL(item->value));
	put_line(common->out, "match", text);
	db_length(item, text, sizeof(text));
	string_add(text, " dword%s", item->length == 1 ? "" : "s");
	put_line(common->out, "length", text);
	for (size_t i = 0; gsc_item_length(common->db, item, i, &lengths); i++) {
		if (!lengths.platforms)
			continue;
		string_set(text, "%u", lengths.lo);
		if (lengths.hi != lengths.lo)
			string_add(text, " to %u", lengths.hi);
		string_add(text, " on %s",
		       db_where(common->db, lengths.platforms, &lengths.revisions, on, sizeof(on)));
		put_line(common->out, "documented", text);
	}
}

/* "PAGE_SIZE is 1: page of 2 MB, read as pde2m", "table pte" */
static void put_leads(const struct common *common, const struct gsc_item *item)
{
	char text[200], bytes[40];
	const char *label = "leads to";
	struct gsc_lead lead;
	size_t i = 0;

	while (show_lead_next(common, item, &i, &lead)) {
		*text = 0;
		if (lead.field)
			string_add(text, "%s is %llu: ", lead.field, LL(lead.value));
		if (lead.page_size)
			string_add(text, "page of %s%s",
			       size_text(lead.page_size, bytes, sizeof(bytes)),
			       lead.level ? ", read as " : "");
		else
			string_add(text, "table ");
		string_add(text, "%s", lead.level ? lead.level : "");
		put_line(common->out, label, text);
		label = "";
	}
}

static void put_entry(const struct common *common, const struct gsc_item *item)
{
	struct gsc_fact fact;
	const char *label = "known";
	char text[700];

	put_line(common->out, "mode", item->modes);
	put_line(common->out, "level", item->level);
	if (item->index_hi >= 0) {
		string_set(text, "address bits %d:%d", item->index_hi, item->index_lo);
		if (item->index_every > 1)
			string_add(text, ", each in slot %u, %u, ...",
			       item->index_every, 2 * item->index_every);
		put_line(common->out, "index", text);
	}
	if (item->valid) {
		string_set(text, "%s is %llu", item->valid, LL(item->valid_value));
		put_line(common->out, "valid", text);
	}
	put_leads(common, item);
	for (size_t i = 0; show_fact_next(common, item, &i, &fact); label = "") {
		string_set(text, "%s%s", fact.about ? fact.about : "", fact.about ? ": " : "");
		string_add(text, "%s", fact.text);
		if (fact.condition)
			string_add(text, " (%s)", fact.condition);
		put_line(common->out, label, text);
	}
}

static void put_head(const struct common *common, const struct gsc_item *item)
{
	struct gsc_out *out = common->out;
	struct gsc_print print;
	struct gsc_note note;
	char text[1000];
	size_t n = 0;

	text_styled(out, GSC_STYLE_BOLD, item->name);
	gsc_out_text(out, item->flags & GSC_REG_USER ? "  yours, " : "  ");
	if (item->kind == GSC_COMMAND)
		gsc_out_text(out, "command");
	else if (item->kind == GSC_INSTRUCTION)
		gsc_out_text(out, "instruction of the execution units");
	else if (item->kind == GSC_TOPIC)
		gsc_out_text(out, "topic");
	else if (item->kind == GSC_WORKAROUND)
		gsc_out_text(out, "workaround");
	else if (item->kind == GSC_STRUCTURE)
		gsc_out_format(out, "structure of %u bytes", item->bits / 8);
	else
		gsc_out_format(out, "%s of %u bits", item->kind == GSC_ENTRY ? "page-table entry"
									       : "register",
			       item->bits);
	gsc_out_end(out);
	if (item->doc)
		db_wrap(out, LABEL, item->doc);
	while (show_note_next(common, item, &n, &note)) {
		string_set(text, "%s", note.text);
		append_where(common, item, note.platforms, &note.revisions, text, sizeof(text),
			     " (", ")");
		put_line(out, "note", text);
	}
	put_aliases(common, item);
	/* "IER at 0x4446c (gen8+)", each on a separate line. */
	for (size_t i = 0; gsc_item_print(common->db, item, i, &print); i++) {
		string_set(text, "%s", print.key);
		if (print.placed)
			string_add(text, " at %s0x%llx", print.relative ? "+" : "",
				   LL(print.offset));
		append_where(common, item, print.platforms, &print.revisions, text, sizeof(text),
			     " (", ")");
		put_line(out, i ? "" : "in dumps", text);
	}
	put_line(out, "on", db_where(common->db, item->platforms,
				     &item->revisions, text, sizeof(text)));
}

/* ---- fields --------------------------------------------------------------------------------- */

/* What its bits mean: "address in ggtt, value << 12; w1c", "(value + 1) * 4096 bytes". */
static void form_text(const struct gsc_form *form, const struct gsc_field *field, char *buf,
		      size_t size)
{
	unsigned whole = field->hi - field->lo + 1 - form->fraction;
	char access[40];

	*buf = 0;
	if (form->address)
		string_addf(buf, size, "address in %s", form->address);
	else if (!strcmp(form->type, "ufixed"))
		string_addf(buf, size, "u%u.%u", whole, form->fraction);
	else if (!strcmp(form->type, "sfixed"))
		string_addf(buf, size, "s%u.%u", whole - 1, form->fraction);
	else if (strcmp(form->type, "hex") && strcmp(form->type, "dec"))
		string_addf(buf, size, "%s", form->type);
	if (form->add)
		string_addf(buf, size, "%s(value + %u)", *buf ? ", " : "", form->add);
	else if (form->shift || form->multiply != 1 || form->divide != 1)
		string_addf(buf, size, "%svalue", *buf ? ", " : "");
	if (form->shift)
		string_addf(buf, size, " << %u", form->shift);
	if (form->multiply != 1)
		string_addf(buf, size, " * %u", form->multiply);
	if (form->divide != 1)
		string_addf(buf, size, " / %u", form->divide);
	if (form->unit)
		string_addf(buf, size, " %s", form->unit);
	if (form->join)
		string_addf(buf, size, " part of %s", form->join);
	if (form->base)
		string_addf(buf, size, " from %s base", form->base);
	if (form->target)
		string_addf(buf, size, " -> %s", form->target);
	if (field->access)
		append_word(buf, size, "; ", db_access(field->access, access, sizeof(access)));
}

/* "on snb, ivb; when VALID is 1" */
static void condition_text(const struct common *common, const struct gsc_item *item,
			   const struct gsc_form *form, const struct gsc_field *field, char *buf,
			   size_t size)
{
	uint64_t platforms = field->platforms & item->platforms;

	*buf = 0;
	if (!common->gpu)
		append_where(common, item, platforms, &field->revisions, buf, size, "on ", "");
	if (form->when && form->when_list) {
		string_addf(buf, size, "%swhen %s %s ", *buf ? "; " : "", form->when,
		       form->when_not ? "is not" : "is");
		for (const char *c = form->when_list; *c; c++)
			string_addf(buf, size, *c == '|' ? ", " : "%c", *c);
	} else if (form->when) {
		string_addf(buf, size, "%swhen %s %s %llu", *buf ? "; " : "", form->when,
		       form->when_not ? "is not" : "is", LL(form->when_value));
	}
}

static void put_field(const struct common *common, const struct gsc_item *item,
		      const struct gsc_field_iter *it, const struct gsc_field *field)
{
	struct gsc_out *out = common->out;
	char text[1000], condition[400], number[48];
	struct gsc_value value;
	struct gsc_form form;
	bool long_name;

	gsc_field_form(it, &form);
	form_text(&form, field, text, sizeof(text));
	condition_text(common, item, &form, field, condition, sizeof(condition));
	gsc_out_pad(out, FIELD_BITS);
	if (item->kind == GSC_COMMAND || item->kind == GSC_STRUCTURE)
		gsc_out_format(out, "dw%u.", field->dword);
	gsc_out_format(out, field->hi == field->lo ? "%u" : "%u:%u", field->hi, field->lo);
	gsc_out_pad(out, FIELD_NAME);
	if (field->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO | GSC_FIELD_IGNORED))
		text_styled(out, GSC_STYLE_DIM, field->flags & GSC_FIELD_MBZ ? "must be zero" :
			    field->flags & GSC_FIELD_MBO ? "must be ones" : "ignored");
	else
		gsc_out_text(out, field->name);
	long_name = FIELD_NAME + strlen(field->name) + 2 > FIELD_FORM;
	if (!*text || long_name)
		gsc_out_end(out);
	if (*text)
		db_wrap(out, long_name ? FIELD_NAME + 2 : FIELD_FORM, text);
	if (*condition)
		db_wrap(out, FIELD_NAME + 2, condition);
	if (field->doc)
		db_wrap(out, FIELD_NAME + 2, field->doc);
	for (size_t i = 0; gsc_field_value(it, i, &value); i++) {
		string_set(number, value.hi == value.lo ? "%llu" : "%llu..%llu", LL(value.lo),
			   LL(value.hi));
		gsc_out_pad(out, VALUE_NUMBER);
		gsc_out_text(out, number);
		string_set(text, "%s%s%s", value.name, value.doc ? ": " : "",
			   value.doc ? value.doc : "");
		db_wrap(out, MAX(VALUE_NAME, VALUE_NUMBER + (unsigned)strlen(number) + 2), text);
	}
}

static void put_fields(const struct common *common, const struct gsc_item *item,
		       struct gsc_field_iter *it)
{
	struct gsc_field field;

	while (definition_next(view_of(common), it, &field))
		put_field(common, item, it, &field);
}

static void put_instruction(const struct common *common, const struct gsc_item *item)
{
	char text[1000] = "";
	const char *part;

	string_set(text, "0x%02x", item->opcode);
	put_line(common->out, "opcode", text);
	put_line(common->out, "form", item->form);
	string_set(text, "%u", item->sources);
	put_line(common->out, "sources", text);
	*text = 0;
	for (size_t i = 0; (part = gsc_instruction_part(item, i)); i++)
		append_word(text, sizeof(text), ", ", part);
	put_line(common->out, "structures", text);
}

void show_text(const struct common *common, const struct gsc_item *item)
{
	char text[4200];

	put_head(common, item);
	if (item->kind == GSC_REGISTER)
		put_register(common, item);
	else if (item->kind == GSC_COMMAND)
		put_command(common, item);
	else if (item->kind == GSC_ENTRY)
		put_entry(common, item);
	else if (item->kind == GSC_INSTRUCTION)
		put_instruction(common, item);
	else if (item->kind == GSC_WORKAROUND)
		put_workaround(common, item);
	if (item->document) {
		const char *title = db_title(common->db, item->document);

		string_set(text, "%s: %s%s%s", item->document, title ? title : "",
			 title ? ", " : "", item->section);
		put_line(common->out, "origin", text);
	}
	string_set(text, "%s:%u", item->file, item->line);
	gsc_text_clean(text);
	put_line(common->out, "file", text);
	if (item->kind != GSC_INSTRUCTION && item->kind < GSC_TOPIC) {
		struct gsc_repeat repeat;
		struct gsc_field_iter it;

		gsc_item_fields(common->db, NULL, item, NULL, 0, &it);
		if (it.next != it.end) {
			put_label(common->out, "fields");
			gsc_out_end(common->out);
		}
		put_fields(common, item, &it);
		for (size_t i = 0; gsc_item_repeat(common->db, NULL, item, i, &repeat, &it); i++) {
			put_label(common->out, repeat.name);
			if (repeat.after)
				gsc_out_format(common->out, ": after those, every %u dwords",
					       repeat.size);
			else
				gsc_out_format(common->out, ": from dw%u on, every %u dwords",
					       repeat.at, repeat.size);
			if (repeat.count)
				gsc_out_format(common->out, ", %u of them", repeat.count);
			else if (repeat.count_field)
				gsc_out_format(common->out, ", %s of them", repeat.count_field);
			gsc_out_end(common->out);
			put_fields(common, item, &it);
		}
	}
}
