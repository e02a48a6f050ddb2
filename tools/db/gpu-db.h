/* SPDX-License-Identifier: MIT */
/* gpu-db: its options, and what its subcommands share. */
#ifndef DB_H
#define DB_H

#include "cli/cli.h"
#include "gtt/gtt.h"

#define DB_SCHEMA "gpuscope.db/1"
#define DB_ALL_KINDS                                                                               \
	(1u << GSC_REGISTER | 1u << GSC_COMMAND | 1u << GSC_STRUCTURE | 1u << GSC_ENTRY |          \
	 1u << GSC_INSTRUCTION)

struct db {
	struct common common;
	uint64_t revision;
	/* What to list. */
	bool platforms, properties, groups, commands, structures, instructions, documents, ids;
	char platform[64], stepping[16];	/* of -p PLATFORM:STEPPING */
};

/* The subcommands. */
run_fn db_check_run, db_list_run, show_run, which_run, stats_run, export_run;

/* What follows the subcommand. */
static inline const char *const *db_names(const struct common *common, size_t *count)
{
	*count = common->operand_count - 1;
	return common->operands + 1;
}

/* Definitions, and the platform's view: if it is required, otherwise only if something names it. */
enum gsc_status db_open(struct common *common, bool needed, struct gsc_error *err);
/* Of the platform, a bit for each class. */
unsigned db_platform_engines(const struct common *common);

/* ---- name.c: what a NAME of the command line means ------------------------------------------- */

/* [ENGINE.]NAME[INDEX], NAME possibly with * and ?; or @GROUP. */
struct db_name {
	const char *text;		/* as given */
	char name[144];
	bool group;
	unsigned engines;		/* a bit for each class; 0: any */
	int instance, index;		/* -1: any */
};

/* For one definition, or those that share a name: neither a pattern nor a group. */
bool db_name_is_one(const struct db_name *name);

/* The platforms on which the definition has that name; 0: none. */
uint64_t db_item_fits(const struct gsc_db *db, const struct gsc_item *item,
		      const struct db_name *name);
bool db_reg_fits(const struct gsc_view *view, const struct gsc_reg *reg,
		 const struct db_name *name);

/* Parsed names; an item must match one of `count`, or nothing at all if there are none. */
struct db_filter {
	struct db_name *names;
	size_t count;
	bool *met;			/* has anything matched it? */
};

enum gsc_status db_filter_make(struct db_filter *filter, const struct common *common,
			       struct gsc_error *err);
/* The same, if a number is the address of a register. */
enum gsc_status db_filter_places(struct db_filter *filter, const struct common *common,
				 struct gsc_error *err);
void db_filter_free(struct db_filter *filter);
bool db_filter_text(struct db_filter *filter, const char *text);
bool db_filter_item(struct db_filter *filter, const struct gsc_db *db,
		    const struct gsc_item *item);
bool db_filter_reg(struct db_filter *filter, const struct gsc_view *view,
		   const struct gsc_reg *reg);
/* GSC_UNKNOWN, with the nearest names of these kinds, if a name matched nothing. */
enum gsc_status db_filter_missed(const struct db_filter *filter, const struct common *common,
				 unsigned kinds, struct gsc_error *err);

struct db_items {
	struct gsc_item *items;
	size_t count, room;
};

bool db_items_add(struct db_items *items, const struct gsc_item *item);

/* ---- text.c: how parts of definitions are written -------------------------------------------- */

/* "snb..bdw, skl+", "all" */
const char *db_platforms(const struct gsc_db *db, uint64_t platforms, char *buf, size_t size);
/* The same with the PCI revisions, unless it is all of them. */
const char *db_where(const struct gsc_db *db, uint64_t platforms,
		     const struct gsc_revisions *revisions, char *buf, size_t size);
/* "rcs, vcs1" */
const char *db_engines(unsigned engines, int instance, const char *between, char *buf,
		       size_t size);
/* "rw,masked" */
const char *db_access(unsigned access, char *buf, size_t size);
/* "+0x30", "0x2520", "config:0x50" */
const char *db_place(const struct gsc_place *place, char *buf, size_t size);
/* "dw0[7:0]+2", "1" */
const char *db_length(const struct gsc_item *item, char *buf, size_t size);
/* "snb-p3 1.1.5.1 RING_BUFFER_TAIL", or NULL */
const char *db_origin(const char *document, const char *section, char *buf, size_t size);
const char *db_title(const struct gsc_db *db, const char *document);
const char *db_kind(enum gsc_kind kind);

/* The beginning of a document; its contents have the names of their sources. */
void db_json_begin(const struct common *common, struct gsc_json *json);
void db_json_access(struct gsc_json *json, unsigned access);
/* "title of the document, section", as in gpu-regdump */
void db_json_origin(const struct common *common, struct gsc_json *json, const char *document,
		    const char *section);
void db_json_engines(struct gsc_json *json, unsigned engines, int instance);
/* engine, mask, value, length */
void db_json_command(struct gsc_json *json, const struct gsc_item *item, unsigned engines);

/* opcode, form, sources */
void db_json_instruction(struct gsc_json *json, const struct gsc_item *item);

/* ---- entry.c: page-table entries ------------------------------------------------------------- */

/* The next that can apply to the platform of the view, from number *i on; no view: to any. */
bool db_lead_next(const struct common *common, const struct gsc_item *item, size_t *i,
		  struct gsc_lead *lead);
/* "PAGE_SIZE is 1: page of 2 MB, read as pde2m", "table pte" */
const char *db_lead_text(const struct gsc_lead *lead, char *buf, size_t size);
/* "address bits 29:21", or "" */
const char *db_index_text(const struct gsc_item *item, char *buf, size_t size);
/* mode, level, index_bits, valid, leads */
void db_json_entry(const struct common *common, struct gsc_json *json,
		   const struct gsc_item *item);

/* What is known about such entries on the platform of the view. */
bool db_fact_next(const struct common *common, const struct gsc_item *item, size_t *i,
		  struct gsc_fact *fact);

/* ---- text.c again: on the screen ------------------------------------------------------------- */

/* Text between a column and the right edge, in as many lines as necessary; ends the last one. */
void db_wrap(struct gsc_out *out, unsigned column, const char *text);
/* A heading in bold. */
void db_heading(struct gsc_out *out, const char *text);

/* The next field that the platform of a view has, whatever its conditions; view NULL: any. */
bool db_field_next(const struct gsc_view *view, struct gsc_field_iter *it,
		   struct gsc_field *field);

#endif
