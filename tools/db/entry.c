/* SPDX-License-Identifier: MIT */
/* What page-table entries have besides their fields: how they are found and where they lead. */
#include "cli/text.h"
#include "gpu-db.h"
#include "gtt/gtt.h"

#include <stdio.h>
#include <string.h>

/* Whether the platform has the field of a condition at all. */
static bool field_there(const struct common *common, const struct gsc_item *item,
			const char *name)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	if (!name || !common->gpu)
		return true;
	gsc_item_fields(common->db, NULL, item, NULL, 0, &it);
	while (db_field_next(view_of(common), &it, &field))
		if (!strcmp(field.name, name))
			return true;
	return false;
}

bool db_lead_next(const struct common *common, const struct gsc_item *item, size_t *i,
		  struct gsc_lead *lead)
{
	while (gsc_item_lead(common->db, item, (*i)++, lead))
		if (field_there(common, item, lead->field))
			return true;
	return false;
}

const char *db_lead_text(const struct gsc_lead *lead, char *buf, size_t size)
{
	char condition[120] = "", bytes[40];

	if (lead->field)
		snprintf(condition, sizeof(condition), "%s is %llu: ", lead->field,
			 (unsigned long long)lead->value);
	if (lead->page_size)
		snprintf(buf, size, "%spage of %s%s%s", condition,
			 human_size(lead->page_size, bytes, sizeof(bytes)),
			 lead->level ? ", read as " : "", lead->level ? lead->level : "");
	else
		snprintf(buf, size, "%stable %s", condition, lead->level ? lead->level : "");
	return buf;
}

const char *db_index_text(const struct gsc_item *item, char *buf, size_t size)
{
	char every[40] = "";

	*buf = 0;
	if (item->index_hi < 0)
		return buf;
	if (item->index_every > 1)
		snprintf(every, sizeof(every), ", each in slot %u, %u, ...", item->index_every,
			 2 * item->index_every);
	snprintf(buf, size, "address bits %d:%d%s", item->index_hi, item->index_lo, every);
	return buf;
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
void db_json_entry(const struct common *common, struct gsc_json *json,
		   const struct gsc_item *item)
{
	struct gsc_lead lead;
	size_t i = 0;

	KEY(text, "mode", item->modes);
	KEY(text, "level", item->level);
	KEY_OR_NULL(item->index_hi >= 0, object, "index_bits", json_index(json, item));
	KEY_OR_NULL(item->valid, object, "valid", json_valid(json, item));
	KEY_EACH(object, "leads", while (db_lead_next(common, item, &i, &lead)),
		 json_lead(json, &lead));
}

/* The entries that modes share are listed under the first of these modes. */
bool db_fact_next(const struct common *common, const struct gsc_item *item, size_t *i,
		  struct gsc_fact *fact)
{
	enum gsc_mode mode;
	char name[16];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(item->modes, ","), item->modes);
	return common->gpu && gsc_mode_by_name(name, &mode) &&
	       gsc_fact(view_of(common), mode, item->level, (*i)++, fact);
}
