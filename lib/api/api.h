/* SPDX-License-Identifier: MIT */
/*
 * api/: what other programs see, gpuscope.h, on top of the rooms. It decodes nothing itself. Enter
 * at open.c, which opens a GPU; gpu.c says how long it lives. api.c has errors, lists and
 * findings, keep.c the memory of items, decoded.c fields; each other file has the lists of one
 * section of the header, or a part of it: db.c, source.c, register.c, memory.c, tables.c, walk.c,
 * map.c, command.c, program.c, hang.c, event.c.
 *
 * Structures that the library fills are made in a struct keep: that of a list, which is emptied
 * before each item, or that of an object, which lasts. A function fills them with keep_text() and
 * the like without looking for errors: `failed` says once, at the end, whether memory ran out.
 */
#ifndef GSC_API_H
#define GSC_API_H

#include "db/rule.h"
#include "gpu/gpu.h"
#include "gpuscope.h"
#include "gtt/walk.h"
#include "source/source.h"
#include "util/util.h"

/* ---- memory that is freed together ---------------------------------------------------------- */

/* Bytes that are freed together. All zero: empty. */
struct keep {
	struct keep_block *blocks;	/* the newest first */
	bool failed;			/* memory ran out: what was asked for is missing */
};

/* Zeroed bytes; NULL: `failed`. */
void *keep_bytes(struct keep *keep, size_t size);
/* A structure of the header, its size filled in. */
#define keep_new(keep, type) ((type *)keep_sized(keep, sizeof(type)))
void *keep_sized(struct keep *keep, size_t size);
/* A copy of a text; NULL if the text is NULL or empty. */
const char *keep_text(struct keep *keep, const char *text);
const char *keep_format(struct keep *keep, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A pointer to the number; NULL unless it is known. */
const uint64_t *keep_number(struct keep *keep, bool known, uint64_t number);
/* A copy of bytes. */
const void *keep_copy(struct keep *keep, const void *data, size_t size);
/* Empties it; the memory of the newest block stays for what comes next. */
void keep_clear(struct keep *keep);
void keep_free(struct keep *keep);

/* Pointers that become an array of the header: NULL is at its end. pointers_end() frees them. */
typedef VEC(const void *) pointer_vec;
void pointers_add(struct keep *keep, pointer_vec *pointers, const void *item);
const void *pointers_end(struct keep *keep, pointer_vec *pointers);

/* ---- errors --------------------------------------------------------------------------------- */

/* The error of the header for a status other than GSC_OK; NULL for GSC_OK. */
struct gpuscope_error *error_of(enum gsc_status status, const struct gsc_error *err);
struct gpuscope_error *error_make(enum gpuscope_status status, const char *what, const char *why,
				  ...) __attribute__((format(printf, 3, 4)));
struct gpuscope_error *error_memory(void);
/* GPUSCOPE_STATUS_USAGE if one of the names is NULL. */
struct gpuscope_error *error_of_names(const char *const *names, size_t count, const char *what);

/*
 * Copies a structure that the program fills, as far as this library knows it; NULL: all zero. It is
 * an error if its size was not filled in, or if it has something that this library does not know.
 */
struct gpuscope_error *options_copy(void *to, size_t size, const void *from, const char *what);

/* ---- lists ---------------------------------------------------------------------------------- */

/*
 * A list: the first member of what a kind of list needs. next() makes an item in `keep`, which was
 * emptied; NULL is the end. `error` says what is missing, and is shown at the end.
 */
struct gpuscope_list {
	const void *(*next)(struct gpuscope_list *list);
	void (*free)(struct gpuscope_list *list);	/* of what it has beside this; or NULL */
	struct gpuscope_gpu *gpu;	/* kept alive; or NULL */
	struct gpuscope_db *db;		/* the same */
	struct keep keep;
	struct gpuscope_error *error;
	bool over;
	size_t at;			/* items so far */
};

/* Makes a list of `size` bytes, zeroed beyond its head; NULL: memory is out. */
void *list_new(size_t size, const void *(*next)(struct gpuscope_list *list),
	       void (*free)(struct gpuscope_list *list), struct gpuscope_gpu *gpu,
	       struct gpuscope_db *db);
/* Ends a list: next() returns what this returns. */
const void *list_end(struct gpuscope_list *list, enum gsc_status status,
		     const struct gsc_error *err);
/*
 * A list of items that are made at once, in made_list_keep(), and added by made_list_add(). They
 * live as long as the list.
 */
struct made_list;
struct made_list *made_list_new(struct gpuscope_gpu *gpu, struct gpuscope_db *db);
struct keep *made_list_keep(struct made_list *list);
void made_list_add(struct made_list *list, const void *item);
/* Gives the list away with the error that it ends with, or fails if memory was out. */
struct gpuscope_error *made_list_done(struct made_list *list, enum gsc_status status,
				      const struct gsc_error *err, struct gpuscope_list **out);

/* ---- objects -------------------------------------------------------------------------------- */

/*
 * Languages that collect garbage free objects in any thread, while another uses the same GPU: what
 * is shared are only these counts.
 */
static inline void refs_add(unsigned *refs)
{
	__atomic_add_fetch(refs, 1, __ATOMIC_RELAXED);
}

/* Whether that was the last. */
static inline bool refs_drop(unsigned *refs)
{
	return !__atomic_sub_fetch(refs, 1, __ATOMIC_ACQ_REL);
}

struct gpuscope_db {
	unsigned refs;
	struct gsc_db *db;
	struct keep keep;		/* platforms */
	const struct gpuscope_platform **platforms;	/* by index, made when needed; or NULL */
};

/* One more holder; NULL: a new one of the built-in definitions. */
struct gpuscope_error *db_hold(struct gpuscope_db *db, struct gpuscope_db **held);
/* The platform as programs see it; it lives as long as the database. NULL: memory is out. */
const struct gpuscope_platform *known_platform(struct gpuscope_db *db, unsigned index);

struct gpuscope_gpu {
	unsigned refs;
	struct gpuscope_db *db;
	struct gpuscope_gpu *parent;	/* kept alive: a trace's, a capture's; or NULL */
	struct gsc_source *source;	/* NULL: definitions only */
	struct gsc_gpu *gpu;
	struct gpuscope_memory memory;	/* the callbacks of the program */
	bool unsafe;			/* read also what has side effects or may hang */
	bool unnamed;			/* a log that names no platform; `gpu` has no source */
	struct keep keep;		/* what lives as long as it: info, registers */
	const struct gpuscope_info *info;
	size_t info_notes;		/* notes that it has */
	const struct gpuscope_register **registers;	/* by number in the view; or NULL */
	struct keep said;		/* about the register that was read last */
	uint64_t running;		/* descriptor of the context at its moment, or 0 */
	struct gsc_commands *commands;	/* made when the first list wants them */
	struct gsc_eu *eu;		/* the same */
};

struct gpuscope_gpu *gpu_hold(struct gpuscope_gpu *gpu);
/* Begins one, without a source, made from the parent unless that is NULL. */
struct gpuscope_error *gpu_begin(struct gpuscope_db *db, struct gpuscope_gpu *parent,
				 struct gpuscope_gpu **gpu);
/* open.c: the platform and the definitions, when there is a source. */
struct gpuscope_error *gpu_join(struct gpuscope_gpu *gpu);
/* Gives it away, or frees it if there is an error, which is returned. */
struct gpuscope_error *gpu_done(struct gpuscope_gpu *gpu, struct gpuscope_error *error,
				struct gpuscope_gpu **out);
/* A register that the rooms found; NULL: nothing is defined there, or memory is out. */
const struct gpuscope_register *gpu_register_of(struct gpuscope_gpu *gpu,
						 const struct gsc_reg *reg);
/* An error, if the platform is unknown. */
struct gpuscope_error *gpu_named(const struct gpuscope_gpu *gpu);
/* The set of commands of its platform. */
struct gpuscope_error *gpu_commands(struct gpuscope_gpu *gpu, struct gsc_commands **set);

struct gpuscope_tables {
	unsigned refs;
	struct gpuscope_gpu *gpu;
	struct gsc_translation *translation;
	struct gpuscope_root root;
	struct keep keep;		/* of the root */
	struct gpuscope_walked *walked;	/* the last one */
};

struct gpuscope_tables *tables_hold(struct gpuscope_tables *tables);

/* ---- pieces that several lists have --------------------------------------------------------- */

/* What gpuscope_fields() needs: an item with its dwords, or the fields themselves. */
struct gpuscope_decoded {
	struct gpuscope_gpu *gpu;	/* one of these two */
	struct gpuscope_db *db;
	struct gsc_item item;
	const struct gsc_view *view;	/* NULL: all fields that are defined, with value 0 */
	const uint32_t *words;
	size_t count;
	/* Else: fields that are there already, as an array that ends with NULL. */
	const struct gpuscope_field *const *fields;
};

/* An item with dwords, which live as long as `keep`. */
const struct gpuscope_decoded *decoded_of(struct keep *keep, struct gpuscope_gpu *gpu,
					  const struct gsc_item *item, const uint32_t *words,
					  size_t count);
/* A field of the rooms, whose documented values come from `it`, unless that is NULL. */
struct gpuscope_field *field_of(struct keep *keep, const struct gsc_field *field,
				const struct gsc_field_iter *it);

/* A walk that the rooms have done, as long as `keep`; its entries can be listed. */
const struct gpuscope_walk *walk_of(struct keep *keep, struct gpuscope_gpu *gpu,
				    const struct gsc_translation *translation,
				    const struct gsc_walk *walk);
const struct gpuscope_finding *finding_of(struct keep *keep, const struct gsc_breach *breach);
/* A gsc_breach_fn that adds a struct gpuscope_finding to a made list. */
bool made_list_breach(void *list, const struct gsc_breach *breach);

/* ---- page tables ---------------------------------------------------------------------------- */

/* The last walk of tables, or one that the rooms have done. */
struct gpuscope_walked {
	struct gpuscope_gpu *gpu;
	const struct gsc_translation *translation;	/* NULL: the flags are made */
	struct gsc_walk rooms;
	struct gpuscope_walk walk;	/* the same for programs, with pointers into that */
	bool has_flags;
	char flags[256];
};

/* ---- what went wrong ------------------------------------------------------------------------ */

struct gsc_event;

/* The log of a source. */
struct log_read {
	struct gsc_log *log;		/* NULL: it has none */
	struct gsc_log_summary *summary;
	bool says;			/* the verdict is that of the log */
};

/* The summary has no events yet. log_end() even if it fails. */
enum gsc_status log_begin(struct log_read *log, struct gpuscope_gpu *gpu, struct gsc_error *err);
void log_end(struct log_read *log);
/* The fault of an event with its walk; of other events what they have of one. */
const struct gpuscope_fault *logged_fault(struct keep *keep, struct gpuscope_gpu *gpu,
					  struct gsc_log_summary *summary,
					  const struct gsc_event *event);

#endif
