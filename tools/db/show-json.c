/* SPDX-License-Identifier: MIT */
/* gpu-db show, for programs. */
#include "gpu-db.h"
#include "eu/program.h"

KEYS()
static void json_platforms(const struct common *common, struct gsc_json *json, uint64_t platforms)
{
	struct gsc_platform p;

	KEY_EACH(text, "platforms", for (unsigned i = 0; gsc_platform_at(common->db, i, &p); i++)
			 if (platforms >> i & 1), p.name, UNIQUE);
}

KEYS(revisions, "On these of the platforms only PCI revisions from first to last; null: all "
     "revisions of all.")
static void json_revisions(struct gsc_json *json, const struct common *common, uint64_t platforms,
			   const struct gsc_revisions *revisions)
{
	json_platforms(common, json, platforms & revisions->platforms);
	KEY(number, "first", revisions->lo, MAX(255));
	KEY(number, "last", revisions->hi, MAX(255));
}

KEYS()
static void json_where(const struct common *common, struct gsc_json *json, uint64_t platforms,
		       const struct gsc_revisions *revisions)
{
	json_platforms(common, json, platforms);
	KEY_OR_NULL(platforms & revisions->platforms, object, "revisions",
		    json_revisions(json, common, platforms, revisions));
}

KEYS(place)
static void json_place(struct gsc_json *json, const struct common *common,
		       const struct gsc_place *place)
{
	KEY(text, "space", gsc_space_name(place->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", place->offset);
	KEY(flag, "relative", place->relative,
	    "The offset is relative to the MMIO base of each engine.");
	db_json_engines(json, place->engines, place->instance);
	KEY_OR_NULL(place->count, number, "count", place->count);
	KEY(number, "stride", place->stride);
	KEY_OR_NULL(place->run, number, "run", place->run, "Elements at equal distances.");
	KEY_OR_NULL(place->run, number, "run_stride", place->run_stride);
	json_where(common, json, place->platforms, &place->revisions);
}

KEYS(instance, "A register of a definition on the platform. wake: the forcewake domains that have "
     "to be awake, by commas.")
static void json_instance(struct gsc_json *json, const struct gsc_view *view,
			  const struct gsc_reg *reg)
{
	KEY(text_or_null, "engine", reg->engine);
	KEY_OR_NULL(reg->index >= 0, number, "index", (uint64_t)reg->index);
	KEY(text, "space", gsc_space_name(reg->space), ONE_OF(gsc_space_name));
	KEY(hex, "offset", reg->offset);
	KEY(text_or_null, "wake", reg->wake);
	gsc_json_owner(json, view, reg->space, reg->offset);
}

KEYS()
void show_regs_json(struct gsc_json *json, struct show_regs *regs)
{
	struct gsc_reg reg;

	KEY_EACH(object, "registers", while (regs->view && show_reg_next(regs, &reg)),
		 json_instance(json, regs->view, &reg));
}

static const char *hazard_word(const struct gsc_hazard *hazard)
{
	return hazard->flag & GSC_REG_HAZARD_READ ? "read" :
	       hazard->flag & GSC_REG_HAZARD_HANG ? "hang" : "write";
}

KEYS(hazard)
static void json_hazard(struct gsc_json *json, const struct common *common,
			const struct gsc_hazard *hazard)
{
	KEY(text, "kind", hazard_word(hazard), ONE_OF(hazard_word));
	KEY(text, "text", hazard->why);
	KEY_OR_NULL(hazard->bits, hex, "bits", hazard->bits,
		    "The bits that a write must change for this to apply; null: any bit of the "
		    "register.");
	json_where(common, json, hazard->platforms, &hazard->revisions);
}

KEYS(print, "What a driver calls it in dumps. offset: of what they read there, if it is not the "
     "register's; relative to the base of each engine, or not.")
static void json_print(struct gsc_json *json, const struct common *common,
		       const struct gsc_print *print)
{
	KEY(text, "key", print->key);
	KEY_OR_NULL(print->placed, hex, "offset", print->offset);
	KEY(flag, "relative", print->relative);
	json_where(common, json, print->platforms, &print->revisions);
}

KEYS(fact)
static void json_fact(struct gsc_json *json, const struct common *common,
		      const struct gsc_fact *fact)
{
	KEY(text_or_null, "about", fact->about);
	KEY(text_or_null, "condition", fact->condition);
	KEY(text, "text", fact->text);
	db_json_origin(common, json, fact->document, fact->section);
}

KEYS(entryIndex, "Address bits that choose the entry; every: only each such slot of the table "
     "counts.")
static void json_index(struct gsc_json *json, const struct gsc_item *item)
{
	KEY(number, "hi", (uint64_t)item->index_hi, MAX(4095));
	KEY(number, "lo", (uint64_t)item->index_lo, MAX(4095));
	KEY(number, "every", item->index_every);
}

KEYS(entryValid, "The entry is present if the field has this value; null: no one field says so.")
static void json_valid(struct gsc_json *json, const struct gsc_item *item)
{
	KEY(text, "field", item->valid);
	KEY(hex, "value", item->valid_value);
}

KEYS(entryLead, "Where the entry leads: the first whose field has the value, or that has no field. "
     "page_size null: to a table of that level; otherwise to a page, and level, if not null, is "
     "the level by which the entry is then decoded.")
static void json_lead(struct gsc_json *json, const struct gsc_lead *lead)
{
	KEY(text_or_null, "field", lead->field);
	KEY_OR_NULL(lead->field, hex, "value", lead->value);
	KEY_OR_NULL(lead->page_size, number, "page_size", lead->page_size);
	KEY(text_or_null, "level", lead->level);
}

KEYS()
void show_entry_json(const struct common *common, struct gsc_json *json,
		     const struct gsc_item *item)
{
	struct gsc_lead lead;
	size_t i = 0;

	KEY(text, "mode", item->modes);
	KEY(text, "level", item->level);
	KEY_OR_NULL(item->index_hi >= 0, object, "index_bits", json_index(json, item));
	KEY_OR_NULL(item->valid, object, "valid", json_valid(json, item));
	KEY_EACH(object, "leads", while (show_lead_next(common, item, &i, &lead)),
		 json_lead(json, &lead));
}

/* ---- fields --------------------------------------------------------------------------------- */

KEYS(namedValue)
static void json_value(struct gsc_json *json, const struct gsc_value *value)
{
	KEY(hex, "first", value->lo);
	KEY(hex, "last", value->hi);
	KEY(text, "name", value->name);
	KEY(text_or_null, "doc", value->doc);
}

/* NUMBER or FIELD*NUMBER; NULL: none */
static const char *amount_text(const struct gsc_amount *amount, char *buf, size_t size)
{
	if (amount->field)
		snprintf(buf, size, "%s*%u", amount->field, amount->number);
	else
		snprintf(buf, size, "%u", amount->number);
	return amount->number ? buf : NULL;
}

/* FIELD=VALUE or FIELD!=VALUE; NULL: none */
static const char *condition_text(const char *field, bool not, uint64_t value, char *buf,
				  size_t size)
{
	if (!field)
		return NULL;
	snprintf(buf, size, "%s%s0x%llx", field, not ? "!=" : "=", LL(value));
	return buf;
}

KEYS()
static void json_form(struct gsc_json *json, const struct gsc_form *form)
{
	const char *amount;
	char text[200];

	KEY(text, "type", form->type,
	    ONE_OF("hex", "dec", "bool", "signed", "float", "ufixed", "sfixed", "addr"));
	KEY(text_or_null, "address_space", form->address,
	    ONE_OF("ggtt", "ppgtt", "gfx", "phys", "lmem", "mmio", "ring", "gmadr", "stolen"));
	KEY(number, "fraction", form->fraction);
	KEY(number, "add", form->add);
	KEY(number, "shift", form->shift);
	KEY(number, "multiply", form->multiply);
	KEY(number, "divide", form->divide, MIN(1));
	KEY(text_or_null, "unit", form->unit);
	KEY(text_or_null, "join", form->join);
	KEY(text_or_null, "target", form->target);
	/* What is at the target of the field. */
	KEY(text_or_null, "base", form->base,
	    "What the value of a field with a target is added to.",
	    ONE_OF("general", "surface", "dynamic", "indirect", "instruction", "bindless-surface",
		   "bindless-sampler", "binding-table", "constant"));
	amount = amount_text(&form->count, text, sizeof(text));
	KEY(text_or_null, "count", form->in_bytes ? NULL : amount,
	    "Of the target: NUMBER or FIELD*NUMBER.");
	KEY(text_or_null, "bytes", form->in_bytes ? amount : NULL,
	    "Of the target: NUMBER or FIELD*NUMBER.");
	KEY(text_or_null, "most", amount_text(&form->most, text, sizeof(text)),
	    "The maximum number of targets: NUMBER or FIELD*NUMBER.");
	KEY(text_or_null, "end", form->last,
	    "The field with the address of the target's last byte.");
	KEY(text_or_null, "if",
	    condition_text(form->only, form->only_not, form->only_value, text, sizeof(text)),
	    "The target is there if FIELD=VALUE or FIELD!=VALUE.");
	condition_text(form->when, form->when_not, form->when_value, text, sizeof(text));
	if (form->when && form->when_list)
		string_set(text, "%s%s%s", form->when, form->when_not ? "!=" : "=",
			   form->when_list);
	KEY(text_or_null, "when", form->when ? text : NULL,
	    "FIELD=VALUE or FIELD!=VALUE; several values as 1|4..7");
}

static const char *reserved_word(unsigned flags)
{
	return flags & GSC_FIELD_MBZ ? "zero" : flags & GSC_FIELD_MBO ? "ones" :
	       flags & GSC_FIELD_IGNORED ? "ignored" : NULL;
}

KEYS(fullField, "The bits mean ((value + add) << shift) * multiply / divide. fraction: bits of "
     "ufixed and sfixed. reserved: what the bits must be, or that the hardware ignores them. "
     "access: if it differs from the register's, else empty.")
static void show_field(struct gsc_json *json, const struct common *common,
		       const struct gsc_item *item, const struct gsc_field_iter *it,
		       const struct gsc_field *field)
{
	struct gsc_form form;
	struct gsc_value value;

	gsc_field_form(it, &form);
	KEY(text, "name", field->name);
	KEY(number, "dword", field->dword);
	KEY(number, "hi", field->hi, MAX(4095));
	KEY(number, "lo", field->lo, MAX(4095));
	KEY(text_or_null, "reserved", reserved_word(field->flags), ONE_OF(reserved_word));
	json_form(json, &form);
	gsc_json_access(json, field->access);
	json_where(common, json, field->platforms & item->platforms, &field->revisions);
	KEY(text_or_null, "doc", field->doc);
	KEY_EACH(object, "values", for (size_t i = 0; gsc_field_value(it, i, &value); i++),
		 json_value(json, &value));
}

KEYS()
static void json_fields(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item, struct gsc_field_iter *it)
{
	struct gsc_field field;

	KEY_EACH(object, "fields", while (definition_next(view_of(common), it, &field)),
		 show_field(json, common, item, it, &field));
}

KEYS(repeats, "A group of fields that comes again; bits of its fields count from the start of the "
     "group. count: a number, a field's name, or null: to the end.")
static void json_repeat(struct gsc_json *json, const struct common *common,
			const struct gsc_item *item, const struct gsc_repeat *repeat,
			struct gsc_field_iter *it)
{
	KEY(text, "name", repeat->name);
	KEY(number, "dword", repeat->at);
	KEY(flag, "after", repeat->after,
	    "It follows the previous group directly; dword: of the first one.");
	KEY(number, "dwords", repeat->size);
	if (repeat->count)
		gsc_json_number(json, "count", repeat->count);
	else
		KEY(text, "count", repeat->count_field, TYPE("integer", "string", "null"));
	json_fields(common, json, item, it);
}

KEYS()
static void json_repeats(const struct common *common, struct gsc_json *json,
			 const struct gsc_item *item)
{
	struct gsc_repeat repeat;
	struct gsc_field_iter it;

	KEY_EACH(object, "repeats",
		 for (size_t i = 0; gsc_item_repeat(common->db, NULL, item, i, &repeat, &it); i++),
		 json_repeat(json, common, item, &repeat, &it));
}

/* ---- definitions ---------------------------------------------------------------------------- */

KEYS(note)
static void json_note(struct gsc_json *json, const struct common *common,
		      const struct gsc_note *note)
{
	KEY(text, "text", note->text);
	json_where(common, json, note->platforms, &note->revisions);
}

KEYS()
static void json_begin(const struct common *common, struct gsc_json *json,
		       const struct gsc_item *item)
{
	struct gsc_note note;
	const char *alias;
	size_t n = 0;

	KEY(text, "name", item->name);
	KEY_EACH(text, "aliases",
		 for (size_t i = 0; (alias = gsc_item_alias(common->db, item, i, NULL)); i++),
		 alias);
	KEY(text_or_null, "doc", item->doc);
	KEY_EACH(object, "notes", while (show_note_next(common, item, &n, &note)),
		 json_note(json, common, &note));
	json_where(common, json, item->platforms, &item->revisions);
	KEY(flag, "user", item->flags & GSC_REG_USER, "From a file of the user.");
	KEY_OR_NULL(item->bits, number, "size", item->bits / 8);
}

KEYS()
static void json_item_fields(const struct common *common, struct gsc_json *json,
			     const struct gsc_item *item)
{
	struct gsc_field_iter it;

	gsc_item_fields(common->db, NULL, item, NULL, 0, &it);
	json_fields(common, json, item, &it);
}

KEYS()
static void json_end(const struct common *common, struct gsc_json *json,
		     const struct gsc_item *item)
{
	db_json_origin(common, json, item->document, item->section);
	KEY(text_or_null, "document", db_title(common->db, item->document));
	KEY(text, "file", item->file);
	KEY(number, "line", item->line);
}

KEYS(shownRegister, "registers is empty without a platform. steering: the register that says which "
     "copy of a replicated one answers a read, on that platform.")
static void shown_register(const struct common *common, struct gsc_json *json,
			   const struct gsc_item *item)
{
	struct show_regs regs = { .view = view_of(common), .def = item->def };
	uint64_t mask = bits_below(item->bits);
	bool reset = item->flags & GSC_REG_HAS_RESET;
	struct gsc_item workaround;
	struct gsc_hazard hazard;
	struct gsc_reg selector;
	struct gsc_place place;
	struct gsc_print print;
	size_t next = 0;

	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("register"));
	json_begin(common, json, item);
	KEY(text_or_null, "group", item->group);
	gsc_json_access(json, item->access);
	KEY_OR_NULL(reset, hex, "reset", item->reset);
	KEY_OR_NULL(reset, hex, "reset_mask", item->reset_mask & mask);
	KEY(flag, "volatile", item->flags & GSC_REG_VOLATILE);
	KEY(flag, "multicast", show_steering(common, item, &selector));
	KEY(text_or_null, "steering", selector.name);
	KEY_EACH(object, "hazards",
		 for (size_t i = 0; gsc_item_hazard(common->db, item, i, &hazard); i++),
		 json_hazard(json, common, &hazard));
	KEY_EACH(object, "places",
		 for (size_t i = 0; gsc_item_place(common->db, item, i, &place); i++),
		 json_place(json, common, &place), MIN_ITEMS(1));
	KEY_EACH(object, "in_dumps",
		 for (size_t i = 0; gsc_item_print(common->db, item, i, &print); i++),
		 json_print(json, common, &print));
	show_regs_json(json, &regs);
	json_item_fields(common, json, item);
	KEY_EACH(object, "workarounds",
		 while (gsc_workaround_next(common->db, view_of(common), item->def, &next,
					    &workaround)),
		 db_json_workaround(common, json, &workaround));
	json_end(common, json, item);
}

KEYS(shownCommand)
static void shown_command(const struct common *common, struct gsc_json *json,
			  const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("command"));
	json_begin(common, json, item);
	db_json_command(json, item, item->engines);
	json_item_fields(common, json, item);
	json_repeats(common, json, item);
	json_end(common, json, item);
}

KEYS(shownStructure)
static void shown_structure(const struct common *common, struct gsc_json *json,
			    const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("structure"));
	json_begin(common, json, item);
	json_item_fields(common, json, item);
	json_repeats(common, json, item);
	json_end(common, json, item);
}

KEYS(shownEntry)
static void shown_entry(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item)
{
	struct gsc_fact fact;
	size_t i = 0;

	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("entry"));
	json_begin(common, json, item);
	show_entry_json(common, json, item);
	if (common->gpu)
		KEY_EACH(object, "facts", while (show_fact_next(common, item, &i, &fact)),
			 json_fact(json, common, &fact), OR_NULL,
			 "What is known of such entries on the platform; null without a platform.");
	else
		gsc_json_null(json, "facts");
	json_item_fields(common, json, item);
	json_end(common, json, item);
}

KEYS(shownInstruction, "structures: those that its bits may follow, by their names.")
static void shown_instruction(const struct common *common, struct gsc_json *json,
			      const struct gsc_item *item)
{
	const char *part;

	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("instruction"));
	json_begin(common, json, item);
	db_json_instruction(json, item);
	KEY_EACH(text, "structures",
		 for (size_t i = 0; (part = gsc_instruction_part(item, i)); i++), part);
	json_end(common, json, item);
}

KEYS(shownTopic)
static void shown_topic(const struct common *common, struct gsc_json *json,
			const struct gsc_item *item)
{
	KEY(text, "kind", gsc_kind_word(item->kind), ONE_OF("topic"));
	json_begin(common, json, item);
	json_end(common, json, item);
}

void show_json(const struct common *common, struct gsc_json *json, const struct gsc_item *item)
{
	static void (*const kinds[])(const struct common *common, struct gsc_json *json,
				     const struct gsc_item *item) = {
		[GSC_REGISTER] = shown_register, [GSC_COMMAND] = shown_command,
		[GSC_STRUCTURE] = shown_structure, [GSC_ENTRY] = shown_entry,
		[GSC_INSTRUCTION] = shown_instruction, [GSC_TOPIC] = shown_topic,
		[GSC_WORKAROUND] = db_json_workaround,
	};

	kinds[item->kind](common, json, item);
}
