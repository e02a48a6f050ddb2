/* SPDX-License-Identifier: MIT */
/*
 * out/: how results look: one buffered, checked writer (buffer), JSON (json), pictures (picture.h,
 * png), and for each kind of result (register, range, difference, write, entry, walk, map, window,
 * command, state, event, hang, image) one file for each form: -text, -json, -svg. Rooms that decode
 * never write: a new form of output is a new file of this room.
 */
#ifndef GSC_OUT_H
#define GSC_OUT_H

#include "out/print.h"
#include "regs/regs.h"

struct gsc_out {
	char *data;
	size_t size, room;
	size_t line, hidden;		/* where this line begins; its bytes of colour */
	int fd, error;
	unsigned width;			/* columns; 0: lines are not folded */
	size_t lines;			/* written, if they are folded */
	bool colour, whole;		/* whole: this line is not folded */
	const char *prefix, *options;	/* of commands to type; or NULL */
};

/* Lines are gathered until there are this many bytes of them. */
#define OUT_FLUSH_AT (64u << 10)

bool out_grow(struct gsc_out *out, size_t more);
/* "gpu-batch -s FILE": the beginning of a command to type, by the name without its "gpu-". */
void out_command(struct gsc_out *out, const char *name);

/* Room for `size` bytes at the end, which out_used() then uses; NULL after a failure. */
static inline char *out_room(struct gsc_out *out, size_t size)
{
	if (out->room - out->size < size && !out_grow(out, size))
		return NULL;
	return out->data + out->size;
}

static inline void out_used(struct gsc_out *out, const char *end)
{
	out->size = (size_t)(end - out->data);
}

static inline void out_byte(struct gsc_out *out, char byte)
{
	char *at = out_room(out, 1);

	if (!at)
		return;
	*at = byte;
	out_used(out, at + 1);
}

/* wrap.c: folds what has come since the last line end into lines of out->width columns. */
void out_fold(struct gsc_out *out);
/* Writes an unfinished line, because it may be longer than memory could hold. */
void out_spill(struct gsc_out *out);

/* Ends a line at the end of its text, in room that has space for one more byte. */
static inline void out_line_end(struct gsc_out *out, char *end)
{
	if (out->width) {
		out_used(out, end);
		gsc_out_end(out);
		return;
	}
	*end = '\n';
	out->size = (size_t)(end + 1 - out->data);
	out->hidden = 0;
	if (out->size >= OUT_FLUSH_AT)
		out_spill(out);
	out->line = out->size;
}

/* gsc_out_end(), for frequent lines. */
static inline void out_end(struct gsc_out *out)
{
	if (out->room == out->size || out->width)
		gsc_out_end(out);
	else
		out_line_end(out, out->data + out->size);
}

/* gsc_out_style(), likewise. */
static inline void out_style(struct gsc_out *out, enum gsc_style style)
{
	if (out->colour)
		gsc_out_style(out, style);
}

/* The lists of gsc_json_hang(), except those named, separated by commas. */
void json_empty_lists(struct gsc_json *json, const char *but);

/*
 * clean.c: the length of the UTF-8 sequence at `text` and its code point. 0: it is none, such as
 * overlong forms and surrogates.
 */
size_t utf8_take(const char *text, unsigned *point);
/* Would a terminal obey it, or a reader not see it? */
bool point_is_steering(unsigned point);
/*
 * gsc_out_clean() for a part of a text, which ends in a zero and beyond which no character extends.
 */
void out_clean_bytes(struct gsc_out *out, const char *text, size_t size);

/* Text as a JSON string, quoted; freed with free(). NULL: memory is out. */
char *json_quoted(const char *text);

/* Eight hexadecimal digits of each of `count` dwords, each after " 0x". */
char *put_dwords(char *out, const uint8_t *dwords, size_t count);

/* "0x002030", "config:0x50" */
void text_address(struct gsc_out *out, enum gsc_space space, uint64_t address);
/* A value as wide as its register, or the word for why there is none. */
void text_value(struct gsc_out *out, const struct gsc_row *row);
/* The name of a row's register, and which bits of it the row has, if not all. */
void text_name(struct gsc_out *out, const struct gsc_row *row);
/* "    20:3   ", where a field line begins. */
void text_bits(struct gsc_out *out, unsigned hi, unsigned lo);

/* Lines that another function has written, indented further. */
void text_indented(struct gsc_out *out, unsigned column, const struct gsc_out *text);
/* A walk, likewise; words in a style; "# faults", the heading of a part. */
void text_walk(struct gsc_out *out, unsigned column, const struct gsc_translation *translation,
	       const struct gsc_walk *walk, unsigned flags);
void text_styled(struct gsc_out *out, enum gsc_style style, const char *text);
void text_part(struct gsc_out *out, const char *text);
/*
 * A sentence from column `first` on after `label`, on a terminal in lines that fit it, the others
 * from column `others` on; then it ends the last line.
 */
void text_wrapped(struct gsc_out *out, unsigned first, unsigned others, const char *label,
		  const char *text);

/* The line of a field up to its value, which begins in FIELD_VALUE_COLUMN or later. */
char *put_field_lead(char *at, unsigned hi, unsigned lo, const char *name, size_t length);

#define FIELD_NAME_COLUMN 12
#define FIELD_VALUE_COLUMN 42
#define FIELD_TEXT_COLUMN 54

/* Members of objects; `cause` may be NULL, and `walk`, for which `why` is then the reason. */
void json_field(struct gsc_json *json, const struct gsc_field *field);
void json_placed_field(struct gsc_json *json, size_t at, const struct gsc_field *field);
void json_fault(struct gsc_json *json, const struct gsc_fault *fault,
		const struct gsc_cause *cause, const struct gsc_translation *translation,
		const struct gsc_walk *walk, const char *why);
void command_json_members(struct gsc_command_json *writer, const struct gsc_command *command);

/* image-text.c: a command was met. */
void image_count(struct gsc_image_counts *counts, const struct gsc_command *command);

/* program-json.c: an instruction was met; room for its text. */
void program_count(struct gsc_program_counts *counts, const struct gsc_instruction *in);
#define PROGRAM_LINE 640

/* Nothing to show unless something is wrong with it. */
bool field_reserved(const struct gsc_field *field);

/* "title of the document, section"; false if there is no origin. */
bool origin_text(const struct gsc_view *view, const struct gsc_reg *reg, char *buf, size_t size);
/* Why a row has no value, or NULL. */
const char *row_reason(const struct gsc_row *row, char *buf, size_t size);
/* Is a field among those requested? */
bool row_shows(const struct gsc_row *row, const struct gsc_field *field);
/* Can the value of a row be decoded as its register's? */
bool row_decodes(const struct gsc_row *row);

/*
 * The registers that share the dword of a raw row, as if they were its fields; *next begins at
 * gsc_view_seek() of its address.
 */
bool within_next(const struct gsc_view *view, const struct gsc_row *row, size_t *next,
		 struct gsc_field *field, char *name, size_t size);

/* The fields of a register as its platform defines them, whatever their conditions. */
void definition_fields(const struct gsc_view *view, const struct gsc_reg *reg,
		       struct gsc_field_iter *it);
bool definition_next(const struct gsc_view *view, struct gsc_field_iter *it,
		     struct gsc_field *field);

/* state-text.c: the groups of fields of a structure: its own fields, then those that repeat. */
struct state_group {
	struct gsc_field_iter it;
	size_t at, size;		/* dwords */
	bool repeats;
};

struct state_groups {
	const struct gsc_view *view;
	const struct gsc_state *state;
	bool begun;
	size_t repeat, times;
};

bool state_groups_next(struct state_groups *groups, struct state_group *group);

/* range-text.c */
void text_range(struct gsc_out *out, struct gsc_rows *rows, size_t item, unsigned flags);

#endif
