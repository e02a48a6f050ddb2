/* SPDX-License-Identifier: MIT */
/*
 * gpu-db: browse and check definitions. Enter at db.c; each subcommand is a file, of which list.c,
 * show.c, which.c and export.c take NAMEs (name.c) and write parts of definitions (text.c). list.c
 * has the listings of definitions, list-other.c the others.
 */
#ifndef DB_H
#define DB_H

#include "cli/cli.h"
#include "db/words.h"
#include "gtt/walk.h"

#define DB_SCHEMA "gpuscope.db/1"
#define DB_ALL_KINDS                                                                               \
	(1u << GSC_REGISTER | 1u << GSC_COMMAND | 1u << GSC_STRUCTURE | 1u << GSC_ENTRY |          \
	 1u << GSC_INSTRUCTION | 1u << GSC_TOPIC | 1u << GSC_WORKAROUND)

struct db {
	struct common common;
	uint64_t revision;
	bool lists;			/* an option says what */
	char platform[64], stepping[16];	/* of -p PLATFORM:STEPPING */
};

/* The subcommands. */
run_fn db_check_run, db_list_run, show_run, which_run, search_run, stats_run, export_run;

/* Definitions, and the platform's view: if it is required, otherwise only if something names it. */
enum gsc_status db_open(struct common *common, bool needed, struct gsc_error *err);
/* Of the platform, a bit for each class. */
unsigned db_platform_engines(const struct common *common);
/* Does the platform, if there is one, see what has these? */
bool db_sees(const struct common *common, uint64_t platforms,
	     const struct gsc_revisions *revisions);

/* ---- name.c: what a NAME of the command line means ------------------------------------------- */

/* [ENGINE.]NAME[INDEX], NAME possibly with * and ?; or @GROUP. */
struct db_name {
	const char *text;		/* as given */
	char name[144];
	bool group, met;		/* met: something has this name */
	bool placed;			/* it is an address */
	uint64_t address;
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

/*
 * The name of the register that contains an address of MMIO, or of the next below (-1) or above it
 * (1); NULL: there is none.
 */
const char *db_reg_near(const struct gsc_view *view, uint64_t address, int side,
			struct gsc_reg *reg, char name[REG_NAME_MAX]);

/* Parsed names; an item must match one of `count`, or nothing at all if there are none. */
struct db_filter {
	struct db_name *names;
	size_t count;
};

/*
 * Whether a number is an address: of no register, of one that has to be there, or of any.
 * DB_TEXTS: what is listed is no definition, and may have a dot in its name.
 */
enum db_places { DB_TEXTS, DB_NO_PLACES, DB_REGISTERS, DB_ADDRESSES };
enum gsc_status db_filter_make(struct db_filter *filter, const struct common *common,
			       enum db_places places, struct gsc_error *err);
/* Does anything of these fit? One or two of them are NULL. */
bool db_filter_fits(struct db_filter *filter, const struct common *common, const char *text,
		    const struct gsc_item *item, const struct gsc_reg *reg);
/* GSC_UNKNOWN, with the nearest names of these kinds, if a name matched nothing. */
enum gsc_status db_filter_missed(const struct db_filter *filter, const struct common *common,
				 unsigned kinds, struct gsc_error *err);

/* The next definition of these kinds, from {0} on. */
struct db_cursor { unsigned kind; size_t next; };
bool db_next(const struct gsc_db *db, unsigned kinds, struct db_cursor *at, struct gsc_item *item);

typedef VEC(struct gsc_item) db_items;

/* ---- text.c: how parts of definitions are written -------------------------------------------- */

/* "snb..bdw, skl+", "all" */
const char *db_platforms(const struct gsc_db *db, uint64_t platforms, char *buf, size_t size);
/* The same with the PCI revisions, unless it is all of them. */
const char *db_where(const struct gsc_db *db, uint64_t platforms,
		     const struct gsc_revisions *revisions, char *buf, size_t size);
/* "rcs, vcs1" */
const char *db_engines(unsigned engines, int instance, const char *between, char *buf, size_t size);
/* "rw,masked" */
const char *db_access(unsigned access, char *buf, size_t size);
/* "+0x30", "0x2520", "config:0x50" */
const char *db_place(const struct gsc_place *place, char *buf, size_t size);
/* The same of a register, with at least six digits. */
const char *db_reg_place(const struct gsc_reg *reg, char *buf, size_t size);
/* "dw0[7:0]+2", "1" */
const char *db_length(const struct gsc_item *item, char *buf, size_t size);
const char *db_title(const struct gsc_db *db, const char *document);

/* "title of the document, section", as in gpu-regdump */
void db_json_origin(const struct common *common, struct gsc_json *json, const char *document,
		    const char *section);
void db_json_engines(struct gsc_json *json, unsigned engines, int instance);
void db_json_range(const struct common *common, struct gsc_json *json,
		   const struct gsc_range *range);
/* engine, mask, value, length */
void db_json_command(struct gsc_json *json, const struct gsc_item *item, unsigned engines);
/* "vcs1.NAME[3]", "rcs,ccs.NAME": the register of a workaround; its whole object */
const char *db_target(const struct gsc_item *w, char *buf, size_t size);
void db_json_workaround(const struct common *common, struct gsc_json *json,
			const struct gsc_item *w);
/* opcode, form, sources */
void db_json_instruction(struct gsc_json *json, const struct gsc_item *item);

/* Text between a column and the right edge, in as many lines as necessary; ends the last one. */
void db_wrap(struct gsc_out *out, unsigned column, const char *text);

/* ---- show.c ---------------------------------------------------------------------------------- */

/* The registers of a definition on the platform of a view; perhaps only those with a name. */
struct show_regs {
	const struct gsc_view *view;
	const struct db_name *name;	/* or NULL */
	uint32_t def;
	size_t next;
};

bool show_reg_next(struct show_regs *regs, struct gsc_reg *reg);
/* Is it replicated? The register that steers its reads; its name is NULL without a platform. */
bool show_steering(const struct common *common, const struct gsc_item *item,
		   struct gsc_reg *selector);
/* Where an entry leads, from number *i on, as far as the platform, if there is one, has it. */
bool show_lead_next(const struct common *common, const struct gsc_item *item, size_t *i,
		    struct gsc_lead *lead);
/* What else is known of a definition, on the platform if there is one; from number *i on. */
bool show_note_next(const struct common *common, const struct gsc_item *item, size_t *i,
		    struct gsc_note *note);
/* What is known about such entries on the platform of the view. */
bool show_fact_next(const struct common *common, const struct gsc_item *item, size_t *i,
		    struct gsc_fact *fact);
/*
 * One per line, "0x002030 rcs0, forcewake render", an array as its first and last element; nothing
 * if there are none.
 */
void show_regs_text(struct gsc_out *out, struct show_regs *regs, unsigned column);
void show_regs_json(struct gsc_json *json, struct show_regs *regs);
/* Of an entry: mode, level, index_bits, valid, leads. */
void show_entry_json(const struct common *common, struct gsc_json *json,
		     const struct gsc_item *item);

void show_text(const struct common *common, const struct gsc_item *item);
void show_json(const struct common *common, struct gsc_json *json, const struct gsc_item *item);

#endif
