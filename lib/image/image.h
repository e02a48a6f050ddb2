/* SPDX-License-Identifier: MIT */
/*
 * image/: what the GPU keeps in memory: status pages, contexts, reports, rings. image.c keeps the
 * parts, find.c gets the bytes from a source, and each kind has a file that splits the bytes into
 * parts. Layouts come from the definitions. There may be a part for every 64 bytes: what parts have
 * in common is stored once.
 */
#ifndef GSC_IMAGE_H
#define GSC_IMAGE_H

#include "batch/command.h"
#include "batch/ring.h"
#include "db/firmware.h"
#include "gpu/gpu.h"
#include "guc/guc.h"
#include "regs/regs.h"
#include "util/util.h"

struct gsc_buffer_origin;
struct gsc_listener;

/*
 * A structure that hardware keeps in memory: a status page, the image of a context, performance
 * reports, a ring. It has parts, in the order of their offsets; a part has fields, or registers, or
 * commands.
 */
struct gsc_image;

/* The kind of an image. */
enum gsc_image_kind {
	GSC_IMAGE_HWSP,
	GSC_IMAGE_CONTEXT,
	GSC_IMAGE_OA,			/* performance reports, one or many */
	GSC_IMAGE_RING,
	GSC_IMAGE_GUC_CT,		/* the messages between driver and GuC */
	GSC_IMAGE_GUC_LOG,		/* what it wrote about itself */
	GSC_IMAGE_GUC_CAPTURE,		/* the registers in that log */
	GSC_IMAGE_GUC_LFD,		/* that log as a file of its own */
	GSC_IMAGE_FIRMWARE,		/* a file that a driver loads */
	GSC_IMAGE_KINDS
};

GSC_API const char *gsc_image_word(enum gsc_image_kind kind);	/* "hwsp", ... */

/* What an image is made from. */
struct gsc_image_options {
	enum gsc_image_kind kind;
	const char *engine;		/* NULL: the one that the source blames, or "rcs0" */
	/*
	 * The layout. OA: its name with or without OA_REPORT_; NULL: what the registers say.
	 * Context: "lrc" (a status page first), "state" (no status page), "pphwsp", "probe-list";
	 * NULL: guess from the contents. Firmware: the name of the file.
	 */
	const char *format;
	const struct gsc_gpu *gpu;	/* its registers explain the image; or NULL */
	const void *data;		/* the bytes; NULL: those of the source */
	size_t size;
};

/*
 * Makes an image, which keeps a copy of the bytes. Set and source must outlive it. GSC_USAGE: no
 * options.
 */
GSC_API enum gsc_status gsc_image_new(struct gsc_image **image, struct gsc_commands *set,
				      const struct gsc_image_options *options,
				      struct gsc_error *err);
GSC_API void gsc_image_free(struct gsc_image *image);

/* What an image is, and where it comes from. */
struct gsc_image_about {
	enum gsc_image_kind kind;
	char engine[16];		/* "": none */
	char from[96];			/* "HW Status of rcs0", "rcs0.HWS_PGA 0x00001000", or "" */
	bool placed;			/* the address is known */
	uint64_t address;		/* graphics address of the first byte */
	uint64_t size;			/* bytes that were decoded */
	char cut[160];			/* where the image breaks off, or "" */
	struct gsc_mark marks[3];	/* places in a ring */
	size_t mark_count;
};

/* A part of an image. */
struct gsc_image_part {
	const char *name;		/* name of its structure or command: "CONTEXT_STATUS" */
	int index;			/* in its array, or -1 */
	bool aside;			/* registers from the source, not part of the image */
	uint64_t offset, size;		/* bytes from the image's start, bytes it should have */
	const uint32_t *words;		/* dwords held */
	size_t count;			/* of words */
	bool commands;			/* the words are commands, for gsc_follow_words() */
	const char *way;		/* of a message: "to" the GuC, or "from" it; else NULL */
	uint16_t fence;			/* of a message */
	size_t registers;		/* number of registers for gsc_image_register() */
	const char *text;		/* what the part means as a whole, or "" */
	const char *problem;		/* what is wrong with it, or "" */
	int group;			/* a repeated group's number, IMAGE_OWN or IMAGE_NONE */
	const struct gsc_item *item;	/* its structure, if not all parts have the same */
	size_t first_row;		/* of its registers */
};

/* Part number `i`; false past the last. */
GSC_API bool gsc_image_part(const struct gsc_image *image, size_t i, struct gsc_image_part *part);
/* The fields of a part, as far as it has words; dwords count from its first. False: none. */
GSC_API bool gsc_image_fields(const struct gsc_image *image, size_t i, struct gsc_field_iter *it);
/* Register number `j` of a part, with its value in the image. */
GSC_API bool gsc_image_register(const struct gsc_image *image, size_t i, size_t j,
				struct gsc_row *row);

/* What a file of firmware says about itself; "": nothing. */
struct image_firmware {
	enum firmware_kind kind;	/* FIRMWARE_KINDS: none of them */
	char version[32], submission[24], date[16];
	char device[64];		/* its platforms */
	char name[40];			/* "guc"; of others that of its partition */
};

/* A file is one, judging by its beginning. */
GSC_API bool gsc_is_firmware(const uint8_t *data, size_t size);

/* ---- the inside of the room ----------------------------------------------------------------- */

/* What `group` of a part may be besides the number of a repeated group. */
enum { IMAGE_OWN = -1, IMAGE_NONE = -2 };

/* An action of the GuC, and the structure of its messages. */
struct image_action {
	uint16_t code;
	const char *name;
	bool known;
	struct gsc_item item;
};

struct gsc_image {
	struct gsc_commands *set;
	struct gsc_gpu gpu;		/* of the set's view, and the source, if there is one */
	struct gsc_image_about about;
	const char *format;		/* as requested, or NULL */
	bool engine_given;
	bool open_end;			/* nothing says how long it is */
	unsigned class;			/* of the engine */
	uint32_t base;
	uint32_t *words;		/* the bytes, the last dword padded with zeros */
	size_t count, bytes;		/* whole dwords; bytes */
	VEC(struct gsc_image_part) parts;
	VEC(struct gsc_row) rows;
	struct gsc_item item;		/* whose fields parts have */
	VEC(char *) texts;		/* of the parts */
	VEC(char *) notes;		/* the fill of a ring, the root of page tables */
	struct guc_ct ct;
	VEC(struct image_action *) actions;	/* of its messages, each once; other structures */
	struct image_firmware firmware;
};

/* Where registers say that an image is. */
struct image_place {
	bool process, physical;
	uint64_t address, size;
	struct gsc_reg reg;		/* that says it */
	uint64_t value;
};

/* ---- parts and notes ------------------------------------------------------------------------- */

/* A part of `size` bytes, with those bytes that are available. NULL: memory is out. */
struct gsc_image_part *image_add(struct gsc_image *image, const char *name, int index,
				 uint64_t offset, uint64_t size);
/* The same with the fields of image->item, or of a group in it. */
struct gsc_image_part *image_add_fields(struct gsc_image *image, const char *name, int group,
					int index, uint64_t offset, uint64_t size);
/* Sets the text or the problem of a part. False: memory is out. */
bool image_say(struct gsc_image *image, const char **text, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
bool image_add_row(struct gsc_image *image, const struct gsc_row *row);
/* A register row for the value of a place in the image. */
void image_row(const struct gsc_image *image, uint32_t offset, uint32_t value, struct gsc_row *row);
/* The last value that the image has for a register of its engine. */
bool image_loads(const struct gsc_image *image, const char *name, int index, uint64_t *value);
bool image_note(struct gsc_image *image, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Where the bytes end too early. */
void image_cut(struct gsc_image *image, uint64_t wanted);

bool image_engine(struct gsc_image *image, const char *name);
/* Dwords of software that are not zero, a part each, named by the fields of a structure. */
bool image_slots(struct gsc_image *image, int group, const char *names, size_t from, size_t first,
		 size_t last);

/* ---- bytes and registers of the source ------------------------------------------------------- */

/* Fills words, count, bytes and what the source knows for `about`. */
enum gsc_status image_find(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_copy(struct gsc_image *image, const void *data, size_t size,
			   struct gsc_error *err);
/* Registers of the source that explain the image, as parts without a place. */
bool image_aside(struct gsc_image *image);
/* The value of a register of the image's engine, if reading it changes nothing. */
bool image_register(const struct gsc_image *image, const char *name, int index,
		    struct gsc_reg *reg, uint64_t *value);

/* At most as many as about.marks can hold. */
void image_mark(struct gsc_image *image, const char *name, uint64_t address);

/* ---- kinds of images ------------------------------------------------------------------------- */

enum gsc_status image_hwsp(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_context(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_oa(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_ring(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_guc_ct(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_guc_log(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_guc_capture(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_guc_lfd(struct gsc_image *image, struct gsc_error *err);
enum gsc_status image_firmware(struct gsc_image *image, struct gsc_error *err);
/* What a dump says about a ring that it has. */
bool image_ring_buffer(struct gsc_image *image, const struct gsc_buffer_origin *b);
/* Where the ring of the image's engine is. */
bool image_ring_place(struct gsc_image *image, struct image_place *place);
/* "ring of 4096 bytes at 0x1000: ..." from the values of its registers. */
bool image_ring_note(struct gsc_image *image, uint64_t start, uint64_t control, uint64_t head,
		     uint64_t tail);

/* The status of a step that fails only when memory is out. */
static inline enum gsc_status image_done(bool done, struct gsc_error *err)
{
	return done ? GSC_OK : err_memory(err);
}

/* Follows the commands of a part, with the marks of the image, but not what they point to. */
enum gsc_status image_follow(const struct gsc_image *image, size_t i,
			     const struct gsc_listener *listener, struct gsc_error *err);

#endif
