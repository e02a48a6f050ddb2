/* SPDX-License-Identifier: MIT */
/* gpu-db stats: how many definitions there are, and what they contain. */
#include "gpu-db.h"

/* Registers are counted at every place; everything else counts definitions. */
struct stats {
	size_t registers, definitions, fields, enums, resets, origins, hazards, volatiles;
	size_t commands, structures, instructions;
};

struct column {
	const char *key, *heading;
	size_t offset;
	unsigned column;
};

KEYS(tally, "registers counts every place; all else counts definitions: those with fields, with "
     "named values, with a reset value, ...")
static const struct column columns[] = {
	{ KEY_NAME(number, "registers"), "regs", offsetof(struct stats, registers), 15 },
	{ KEY_NAME(number, "definitions"), "defs", offsetof(struct stats, definitions), 21 },
	{ KEY_NAME(number, "fields"), "fields", offsetof(struct stats, fields), 28 },
	{ KEY_NAME(number, "enums"), "enums", offsetof(struct stats, enums), 34 },
	{ KEY_NAME(number, "resets"), "reset", offsetof(struct stats, resets), 40 },
	{ KEY_NAME(number, "origins"), "origin", offsetof(struct stats, origins), 47 },
	{ KEY_NAME(number, "hazards"), "hazard", offsetof(struct stats, hazards), 54 },
	{ KEY_NAME(number, "volatile"), "moving", offsetof(struct stats, volatiles), 61 },
	{ KEY_NAME(number, "commands"), "cmds", offsetof(struct stats, commands), 66 },
	{ KEY_NAME(number, "structures"), "structs", offsetof(struct stats, structures), 74 },
	{ KEY_NAME(number, "instructions"), "insn", offsetof(struct stats, instructions), 79 },
};

static size_t column_value(const struct stats *stats, const struct column *column)
{
	return *(const size_t *)((const char *)stats + column->offset);
}

/* ---- counting ------------------------------------------------------------------------------- */

#define HAZARDS (GSC_REG_HAZARD_READ | GSC_REG_HAZARD_HANG | GSC_REG_HAZARD_WRITE)

/* What a definition contains, as far as a platform (NULL: any) is concerned. */
static void add_definition(struct stats *stats, const struct gsc_db *db,
			   const struct gsc_view *view, const struct gsc_item *item, unsigned flags)
{
	bool fields = false, enums = false;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_value value;

	gsc_item_fields(db, NULL, item, NULL, 0, &it);
	while (definition_next(view, &it, &field)) {
		fields |= !field.flags;
		enums |= gsc_field_value(&it, 0, &value);
	}
	stats->definitions++;
	stats->fields += fields;
	stats->enums += enums;
	stats->resets += (flags & GSC_REG_HAS_RESET) != 0;
	stats->origins += item->document != NULL;
	stats->hazards += (flags & HAZARDS) != 0;
	stats->volatiles += (flags & GSC_REG_VOLATILE) != 0;
}

static void count_others(struct stats *stats, const struct gsc_db *db, uint64_t platforms)
{
	size_t *const counts[] = { [GSC_COMMAND] = &stats->commands,
				   [GSC_STRUCTURE] = &stats->structures,
				   [GSC_ENTRY] = &stats->structures,
				   [GSC_INSTRUCTION] = &stats->instructions };
	struct db_cursor at = { 0 };
	struct gsc_item item;

	while (db_next(db, DB_ALL_KINDS & ~(1u << GSC_REGISTER | 1u << GSC_TOPIC |
					     1u << GSC_WORKAROUND), &at, &item))
		*counts[item.kind] += (item.platforms & platforms) != 0;
}

struct seen {
	uint32_t def;
	unsigned flags;
};

static int compare(const void *a, const void *b)
{
	uint32_t x = ((const struct seen *)a)->def, y = ((const struct seen *)b)->def;

	return (x > y) - (x < y);
}

static bool count_platform(struct stats *stats, const struct gsc_db *db,
			   const struct gsc_view *view)
{
	size_t count = gsc_view_count(view);
	struct seen *seen = calloc(count + 1, sizeof(*seen));
	struct gsc_item item;
	struct gsc_reg reg;

	if (!seen)
		return false;
	for (size_t i = 0; i < count; i++) {
		gsc_view_reg(view, i, &reg);
		seen[i] = (struct seen){ reg.def, reg.flags };
	}
	qsort(seen, count, sizeof(*seen), compare);
	for (size_t i = 0; i < count; i++)
		if ((!i || seen[i].def != seen[i - 1].def) &&
		    gsc_item_by_def(db, GSC_REGISTER, seen[i].def, &item))
			add_definition(stats, db, view, &item, seen[i].flags);
	stats->registers = count;
	count_others(stats, db, UINT64_C(1) << gsc_view_platform(view));
	free(seen);
	return true;
}

struct count_table {
	struct stats *rows, total;
	unsigned first, count;
};

/* The rows of all platforms, or of the requested one. */
static enum gsc_status count_all(struct count_table *table, struct common *common,
				 struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_item item;

	table->first = platform_of(common)->index;
	table->count = common->gpu ? 1 : gsc_platform_count(common->db);
	table->rows = calloc(table->count, sizeof(*table->rows));
	if (!table->rows)
		return err_memory(err);
	for (unsigned i = 0; i < table->count && !status; i++) {
		struct gsc_view *view = NULL;

		if (!common->gpu)
			status = gsc_view_new(&view, common->db, i, -1, err);
		if (!status && !count_platform(&table->rows[i], common->db,
					       view ? view : view_of(common)))
			status = err_memory(err);
		gsc_view_free(view);
		table->total.registers += table->rows[i].registers;
	}
	for (size_t i = 0; gsc_item_at(common->db, GSC_REGISTER, i, &item); i++)
		add_definition(&table->total, common->db, NULL, &item, item.flags);
	count_others(&table->total, common->db, UINT64_MAX);
	return status;
}

/* ---- output --------------------------------------------------------------------------------- */

static void put_row(struct gsc_out *out, const char *name, const struct stats *stats)
{
	gsc_out_text(out, name);
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		size_t value = column_value(stats, &columns[i]);
		unsigned digits = 1;

		for (size_t rest = value; rest >= 10; rest /= 10)
			digits++;
		gsc_out_pad(out, columns[i].column - digits);
		gsc_out_decimal(out, value);
	}
	gsc_out_end(out);
}

static void print_text(const struct common *common, const struct count_table *table)
{
	struct gsc_out *out = common->out;
	struct gsc_platform p = { 0 };

	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, "platform");
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++) {
		gsc_out_pad(out, columns[i].column - (unsigned)strlen(columns[i].heading));
		gsc_out_text(out, columns[i].heading);
	}
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	for (unsigned i = 0; i < table->count; i++) {
		gsc_platform_at(common->db, table->first + i, &p);
		put_row(out, p.name, &table->rows[i]);
	}
	if (!common->gpu)
		put_row(out, "total", &table->total);
}

static void json_row(struct gsc_json *json, const struct stats *stats)
{
	for (size_t i = 0; i < ARRAY_SIZE(columns); i++)
		gsc_json_number(json, columns[i].key, column_value(stats, &columns[i]));
}

KEYS(platformTally)
static void json_platform(struct gsc_json *json, const char *name, const struct stats *stats)
{
	KEY(text, "name", name);
	KEYS_OF(tally);
	json_row(json, stats);
}

KEYS(stats)
static void print_json(const struct common *common, const struct count_table *table)
{
	struct gsc_platform p = { 0 };
	struct gsc_json document, *json = &document;

	source_document(common, DB_SCHEMA, json);
	KEY(object, "total", json_row(json, &table->total), OF(tally));
	KEY_LIST("platforms", OF(platformTally), MIN_ITEMS(1));
	for (unsigned i = 0; i < table->count; i++) {
		gsc_platform_at(common->db, table->first + i, &p);
		ITEM(json_platform(json, p.name, &table->rows[i]));
	}
	gsc_json_finish(json);
}

enum gsc_status stats_run(struct common *common, struct gsc_error *err)
{
	struct count_table table = { 0 };
	enum gsc_status status = db_open(common, false, err);

	if (!status)
		status = count_all(&table, common, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		(wants_json(common) ? print_json : print_text)(common, &table);
	free(table.rows);
	return status;
}
