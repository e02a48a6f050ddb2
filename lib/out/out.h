/* SPDX-License-Identifier: MIT */
/*
 * out/: how results look: one buffered, checked writer (buffer), JSON (json), pictures (png;
 * walk.h: a map as rows), and for each kind of result (register, range, difference, write, entry,
 * walk, map, window, command, state, event, hang, image) one file for each form: -text, -json,
 * -svg. Rooms that decode never write: a new form of output is a new file of this room.
 */
#ifndef GSC_OUT_H
#define GSC_OUT_H

#include "regs/regs.h"

#include <string.h>

struct gsc_breach;
struct gsc_command;
struct gsc_commands;
struct gsc_entry;
struct gsc_mocs;
struct gsc_event;
struct gsc_fault;
struct gsc_hang;
struct gsc_image;
struct gsc_instruction;
struct gsc_workarounds;
struct gsc_workaround_check;
struct gsc_knowns;
struct gsc_firmwares;
struct gsc_log_summary;
struct gsc_mapping;
struct gsc_program;
struct gsc_state;
struct gsc_translation;
struct gsc_walk;
struct gsc_window;
struct gsc_write_plan;
struct gsc_written;

/* ---- buffers ------------------------------------------------------------------------------ */

/*
 * A growing buffer in front of a file descriptor. Calls never fail by themselves: the first failure
 * is kept and gsc_out_flush() reports it.
 */
struct gsc_out {
	char *data;
	size_t size, room;
	size_t line, hidden;		/* where this line begins; its bytes of colour */
	int fd, error;
	unsigned width;			/* columns, as on a terminal; 0: lines are not folded */
	size_t lines;			/* written, if they are folded */
	unsigned indent;		/* columns in front of each line */
	bool colour, whole;		/* whole: this line is not folded */
	struct out_html *html;		/* or NULL: lines stay text */
	/* What precedes the names of commands to type, and the options that follow; or NULL. */
	const char *prefix, *options;
};

/* fd -1: nothing is written, gsc_out_data() has all of it. */
GSC_API enum gsc_status gsc_out_new(struct gsc_out **out, int fd, bool colour,
				    struct gsc_error *err);
GSC_API void gsc_out_free(struct gsc_out *out);
GSC_API enum gsc_status gsc_out_flush(struct gsc_out *out, struct gsc_error *err);
GSC_API int gsc_out_error(const struct gsc_out *out);	/* errno of the failure, or 0 */
GSC_API const char *gsc_out_data(const struct gsc_out *out, size_t *size);
/* So many lines are written then, if they are folded; else 0. */
GSC_API size_t gsc_out_lines(struct gsc_out *out);

GSC_API void gsc_out_bytes(struct gsc_out *out, const void *data, size_t size);
GSC_API void gsc_out_text(struct gsc_out *out, const char *text);
/* Text of files and users: control characters, and bytes that are not UTF-8, become "?". */
GSC_API void gsc_out_clean(struct gsc_out *out, const char *text);
GSC_API void gsc_text_clean(char *text);	/* in place */
GSC_API void gsc_out_format(struct gsc_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
GSC_API void gsc_out_hex(struct gsc_out *out, uint64_t value, unsigned digits);	/* at least */
GSC_API void gsc_out_decimal(struct gsc_out *out, uint64_t value);

/* Blanks up to a column of the line, which began at gsc_out_end(); at least two after text. */
GSC_API void gsc_out_pad(struct gsc_out *out, unsigned column);

/* Ends a line; lines are written as a whole. */
GSC_API void gsc_out_end(struct gsc_out *out);
/* A line, or the end of one. */
#define gsc_out_line(out, ...) (gsc_out_format(out, __VA_ARGS__), gsc_out_end(out))

enum gsc_style {
	GSC_STYLE_PLAIN, GSC_STYLE_BOLD, GSC_STYLE_DIM, GSC_STYLE_RED, GSC_STYLE_YELLOW,
	GSC_STYLE_CYAN, OUT_STYLES,
};

/* Until the next call; without effect if there is no colour. */
GSC_API void gsc_out_style(struct gsc_out *out, enum gsc_style style);

/* ---- pages of HTML --------------------------------------------------------------------------- */

/* Until a line ends, a style is one byte in it: this one and those that follow. */
#define OUT_STYLE_BYTE 1

/* An address that leads to the line with this id, wherever it is written. */
struct html_link {
	uint64_t address;
	char id[40];
};

/* Lines become HTML when they end, see html.c. */
struct out_html {
	const struct html_link *links;
	size_t link_count;
	size_t most;			/* bytes; lines inside of rows may take three quarters */
	size_t left_out, left_inside;	/* rows, and such lines, that were left out */
	unsigned level;			/* of the headings of parts, at least */
	const char *id;			/* of the next line, or NULL */
	bool inside;			/* also lines from the first column on belong to a row */
	bool folds;			/* parts inside of others are folded at first */
	const char *parts[16];		/* titles of the others, which are literals */
	unsigned part_count;
	/* html.c's own: */
	unsigned open;			/* parts that are open: bits by level */
	unsigned others;		/* column in which this line is continued */
	size_t row;			/* where the row begins that may still become a fold */
	bool folded;			/* it is one */
	bool block;			/* rows in front of it are a block of text */
	bool red, here;			/* something in the row is red; the row has an id */
	VEC(char) line;
};

/* A part of a page, in memory; lines that would make it larger than `most` are left out. */
GSC_API enum gsc_status out_html_new(struct gsc_out **out, size_t most, struct gsc_error *err);
void out_html_line(struct gsc_out *out);
void out_html_part(struct gsc_out *out, unsigned level, const char *title);
/* Ends the parts that are open, from a level on: 2 or 3. */
GSC_API void out_parts_end(struct gsc_out *out, unsigned level);
/* Markup between lines, which is nobody's text; text inside of it, escaped. */
GSC_API void html_put(struct gsc_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* What has been written to another one. */
GSC_API void html_lines(struct gsc_out *out, struct gsc_out *lines);
GSC_API void html_text(struct gsc_out *out, const char *text);	/* with links */
GSC_API void html_format(struct gsc_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* ---- pictures ----------------------------------------------------------------------------- */

/* Text that cannot become markup; what is not ASCII becomes "?". */
GSC_API void gsc_svg_text(struct gsc_out *out, uint64_t x, uint64_t y, const char *class,
			  const char *text);

/* ---- JSON --------------------------------------------------------------------------------- */

/*
 * `lines`: one object per line, first the head with everything except its list, then the elements
 * of that list. Keys are literals; in an array they are NULL.
 */
struct gsc_json {
	struct gsc_out *out;
	bool lines;
	bool more, in_list;
	unsigned depth;
};

GSC_API void gsc_json_begin(struct gsc_json *json, struct gsc_out *out, bool lines);
GSC_API void gsc_json_finish(struct gsc_json *json);	/* the list, too, if it is open */

/* What every document begins with; platform NULL and device -1 if unknown. */
GSC_API void gsc_json_head(struct gsc_json *json, const char *schema, const char *platform,
			   int device, const char *const *sources, size_t count);

GSC_API void gsc_json_object(struct gsc_json *json, const char *key);
GSC_API void gsc_json_object_end(struct gsc_json *json);
GSC_API void gsc_json_array(struct gsc_json *json, const char *key);
GSC_API void gsc_json_array_end(struct gsc_json *json);

/*
 * The list of the document, an array whose elements are objects, each on a separate line: once, at
 * the end of its top level. Inside anything else it is an array like others.
 */
GSC_API void gsc_json_list(struct gsc_json *json, const char *key);
GSC_API void gsc_json_list_end(struct gsc_json *json);

GSC_API void gsc_json_string(struct gsc_json *json, const char *key, const char *text);
GSC_API void gsc_json_hex(struct gsc_json *json, const char *key, uint64_t value);
GSC_API void gsc_json_number(struct gsc_json *json, const char *key, uint64_t value);
GSC_API void gsc_json_bool(struct gsc_json *json, const char *key, bool value);
GSC_API void gsc_json_null(struct gsc_json *json, const char *key);
GSC_API void gsc_json_thousandths(struct gsc_json *json, const char *key, uint64_t milliseconds);

/* The members of a row's object. GSC_TEXT_LIST: without status and value. */
GSC_API void gsc_json_row(struct gsc_json *json, const struct gsc_view *view,
			  const struct gsc_row *row, unsigned flags);
GSC_API void gsc_json_difference(struct gsc_json *json, const struct gsc_view *view,
				 const struct gsc_difference *difference);
/* The members of an object for the accesses of a write, and for its result. */
GSC_API void gsc_json_write_plan(struct gsc_json *json, const struct gsc_write_plan *plan);
/* `view` NULL: not that of its platform, so no fields. */
GSC_API void gsc_json_written(struct gsc_json *json, const struct gsc_view *view,
			      const struct gsc_written *written);

/* ---- results ------------------------------------------------------------------------------ */

enum gsc_text_flag {
	GSC_TEXT_QUIET = 1 << 0,	/* registers only, no fields */
	GSC_TEXT_VERBOSE = 1 << 1,	/* also documentation, reserved fields, origins */
	GSC_TEXT_GROUPS = 1 << 2,	/* a heading where a group begins */
	GSC_TEXT_ABSENT = 1 << 3,	/* also what the source lacks */
	GSC_TEXT_LIST = 1 << 4,		/* definitions: no values */
	GSC_TEXT_BARE = 1 << 5,		/* commands: address, dword and name, nothing else */
};

/* "# gpu-regdump 1.0 platform skl ...": text output is recognised by it when it is read again. */
GSC_API void gsc_text_title(struct gsc_out *out, const char *tool, const char *platform, int device,
			    int revision, const char *const *sources, size_t count);
GSC_API void gsc_text_rows(struct gsc_out *out, struct gsc_rows *rows, unsigned flags);
GSC_API void gsc_text_row(struct gsc_out *out, const struct gsc_view *view,
			  const struct gsc_row *row, unsigned flags);
GSC_API void gsc_text_field(struct gsc_out *out, const struct gsc_field *field);
GSC_API void gsc_text_difference(struct gsc_out *out, const struct gsc_view *view,
				 const struct gsc_difference *difference, unsigned flags);

/* Entries, walks and maps; flags: GSC_TEXT_QUIET one line each, GSC_TEXT_VERBOSE everything. */
GSC_API void gsc_text_entry(struct gsc_out *out, const struct gsc_gpu *gpu,
			    const struct gsc_entry *entry, const struct gsc_mocs *mocs,
			    unsigned flags);
GSC_API void gsc_json_entry(struct gsc_json *json, const struct gsc_gpu *gpu,
			    const struct gsc_entry *entry, const struct gsc_mocs *mocs);
/* Where a translation begins: comment lines; the members `mode` to `trtt`. */
GSC_API void gsc_text_root(struct gsc_out *out, const struct gsc_translation *translation);
GSC_API void gsc_json_root(struct gsc_json *json, const struct gsc_translation *translation);
GSC_API void gsc_text_walk(struct gsc_out *out, const struct gsc_translation *translation,
			   const struct gsc_walk *walk, unsigned flags);
/* The same of a fault's address; with what may be older in a TLB, if the fault is valid. */
void text_fault_walk(struct gsc_out *out, unsigned indent, const struct gsc_translation *t,
		     const struct gsc_walk *walk, const struct gsc_fault *fault, unsigned flags);
GSC_API void gsc_json_walk(struct gsc_json *json, const struct gsc_translation *translation,
			   const struct gsc_walk *walk);

/* The flags of the previous mapping: most are like their neighbours. Zeroed at first. */
struct gsc_mapping_words {
	const char *level;
	uint64_t mask, bits;
	bool known, readable, writable;
	char text[160];			/* "rw,pat4" */
};

/* What the columns and words of the following lines mean; only if lines are folded. */
GSC_API void gsc_text_legend(struct gsc_out *out, const char *text);
/* "0xSTART-0xEND 0xPHYS PAGESxSIZE KIND FLAGS"; "0xVA 0xPHYS SIZE FLAGS". */
GSC_API void gsc_text_mapping(struct gsc_out *out, const struct gsc_translation *translation,
			      const struct gsc_mapping *mapping, struct gsc_mapping_words *words);
GSC_API void gsc_text_pages(struct gsc_out *out, const struct gsc_translation *translation,
			    const struct gsc_mapping *mapping, struct gsc_mapping_words *words);
GSC_API void gsc_json_mapping(struct gsc_json *json, const struct gsc_translation *translation,
			      const struct gsc_mapping *mapping, struct gsc_mapping_words *words);
GSC_API void gsc_text_breach(struct gsc_out *out, const struct gsc_breach *breach);
/* `where`: as in the breach, or with more in front. */
GSC_API void gsc_json_breach(struct gsc_json *json, const struct gsc_db *db,
			     const struct gsc_breach *breach, const char *where);
GSC_API void gsc_text_windows(struct gsc_out *out, const struct gsc_window *windows, size_t count);
GSC_API void gsc_json_window(struct gsc_json *json, const struct gsc_window *window);

/* Commands, one after the other. GSC_TEXT_QUIET: one line each; GSC_TEXT_VERBOSE: every field. */
struct gsc_command_text;
GSC_API enum gsc_status gsc_command_text_new(struct gsc_command_text **text, struct gsc_out *out,
					     struct gsc_commands *set, unsigned flags,
					     struct gsc_error *err);
GSC_API void gsc_command_text_free(struct gsc_command_text *text);
GSC_API void gsc_command_text(struct gsc_command_text *text, const struct gsc_command *command);

/* The same as elements of an array. */
struct gsc_command_json;
GSC_API enum gsc_status gsc_command_json_new(struct gsc_command_json **writer,
					     struct gsc_json *json, struct gsc_commands *set,
					     struct gsc_error *err);
GSC_API void gsc_command_json_free(struct gsc_command_json *writer);
GSC_API void gsc_command_json(struct gsc_command_json *writer, const struct gsc_command *command);
/* For an object that gets more members than the command's own. */
GSC_API void gsc_command_json_open(struct gsc_command_json *writer,
				   const struct gsc_command *command);
GSC_API void gsc_command_json_close(struct gsc_command_json *writer);

/* State that commands point to, one line each or with every field; the members of an object. */
GSC_API void gsc_text_state(struct gsc_out *out, const struct gsc_view *view,
			    const struct gsc_state *state, unsigned flags);
GSC_API void gsc_json_state(struct gsc_json *json, const struct gsc_view *view,
			    const struct gsc_state *state);

/* How a program is shown. */
struct gsc_program_style {
	uint64_t address;		/* of its first byte */
	bool bare;			/* without the meaning of messages */
	bool addresses, raw, fields;	/* before each instruction; its bytes; its fields */
	bool marked;			/* the instruction at `mark` is */
	uint64_t mark;
	size_t most;			/* instructions; 0: all */
	unsigned indent;		/* the column that lines begin in */
};

/* What was shown of a program. */
struct gsc_program_counts {
	uint64_t instructions, unknown;
	uint64_t first_unknown, end;	/* offsets */
	bool marked;
};

/* The instructions of a program, one per line; the list `instructions` of an object. */
GSC_API void gsc_text_program(struct gsc_out *out, struct gsc_program *program,
			      const struct gsc_program_style *style,
			      struct gsc_program_counts *counts);
GSC_API void gsc_json_program(struct gsc_json *json, struct gsc_program *program,
			      struct gsc_program_counts *counts);

/*
 * What went wrong, in sections; and the sentence about it, which comes before them, with a heading
 * and the command line that shows its command, unless it is alone.
 */
GSC_API void gsc_text_hang(struct gsc_out *out, struct gsc_hang *hang, unsigned flags);
GSC_API void gsc_text_verdict(struct gsc_out *out, struct gsc_hang *hang, unsigned flags);
/*
 * The members `faults` to `verdict` of an object; signature and verdict are those of the log,
 * unless that is NULL.
 */
GSC_API enum gsc_status gsc_json_hang(struct gsc_json *json, struct gsc_hang *hang,
				      struct gsc_log_summary *log, struct gsc_error *err);
/* The same for a source that could not be read: empty lists and nulls. */
GSC_API void gsc_json_hang_none(struct gsc_json *json);

/*
 * Workarounds that are missing or different, or with GSC_TEXT_VERBOSE all, and a line with their
 * numbers; the members of the object of one, and with the numbers.
 */
GSC_API void gsc_text_workarounds(struct gsc_out *out, const struct gsc_view *view,
				  const struct gsc_workarounds *all, unsigned flags);
GSC_API void gsc_json_workaround(struct gsc_json *json, const struct gsc_view *view,
				 const struct gsc_workaround_check *check);
GSC_API void gsc_json_workaround_counts(struct gsc_json *json, const struct gsc_workarounds *all);

/* Commands of an image, and those of them that have no definition. */
struct gsc_image_counts {
	uint64_t commands, unknown, first_unknown;	/* its address */
};

/* An image, part by part; the members `decode` to `items` of a document. counts may be NULL. */
GSC_API enum gsc_status gsc_text_image(struct gsc_out *out, const struct gsc_image *image,
				       unsigned flags, struct gsc_image_counts *counts,
				       struct gsc_error *err);
GSC_API enum gsc_status gsc_json_image(struct gsc_json *json, const struct gsc_image *image,
				       struct gsc_image_counts *counts, struct gsc_error *err);

/* An event of a log, with its walk. GSC_TEXT_VERBOSE: also its line. */
GSC_API void gsc_text_event(struct gsc_out *out, const struct gsc_event *event,
			    struct gsc_log_summary *summary, unsigned flags);
GSC_API void gsc_json_event(struct gsc_json *json, const struct gsc_event *event,
			    struct gsc_log_summary *summary);
/* The sentence about a log, like gsc_text_verdict() for a hang. */
/* What matters for what the signature names; all of it, as a part, if that is NULL. */
GSC_API void gsc_text_firmware(struct gsc_out *out, const struct gsc_firmwares *all,
			       const char *signature);
GSC_API void gsc_text_log_summary(struct gsc_out *out, struct gsc_log_summary *summary,
				  unsigned flags);
/* The members of gsc_json_hang() that are empty for a log, signature and verdict. */
GSC_API void gsc_json_log_summary(struct gsc_json *json, struct gsc_log_summary *summary);

/* ---- pictures ----------------------------------------------------------------------------- */

/* A map as a picture: the mappings as they come, what else to show on it, then the whole of it. */
struct gsc_picture;
GSC_API enum gsc_status gsc_picture_new(struct gsc_picture **picture, struct gsc_error *err);
GSC_API void gsc_picture_free(struct gsc_picture *picture);
/* False: not enough memory. */
GSC_API bool gsc_picture_add(struct gsc_picture *picture, const struct gsc_mapping *mapping);

enum gsc_note_kind {
	GSC_NOTE_FAULT,			/* an address whose access failed */
	GSC_NOTE_PLACE,			/* where something begins, or where an engine is */
	GSC_NOTE_FENCE,			/* a range seen through a fence */
	GSC_NOTE_APERTURE,		/* what the CPU sees; one at most */
};

struct gsc_picture_note {
	enum gsc_note_kind kind;
	uint64_t start, end;		/* end exclusive; ignored for a fault and a place */
	char text[96];			/* "fence 0: X, pitch 5632" */
};

/* False: there are as many as a picture has room for. */
GSC_API bool gsc_picture_note(struct gsc_picture *picture, const struct gsc_picture_note *note);
/*
 * An SVG document; for a page of HTML with a heading for it, `id`: letters and digits that begin
 * all names in it, so that those of several pictures differ; the page has the style
 * (data/report/map.css). Otherwise NULL.
 */
GSC_API void gsc_picture_write(struct gsc_out *out, const struct gsc_picture *picture,
			       const struct gsc_translation *translation, const char *title,
			       const char *id);

enum gsc_png_flag {
	GSC_PNG_PACKED = 1 << 0,	/* by zlib, if that is there */
	GSC_PNG_HOLES = 1 << 1,		/* some elements may not be known */
};

/* A picture as PNG, row by row, eight bits per channel. */
struct gsc_png;
struct gsc_pixel_format;
GSC_API enum gsc_status gsc_png_new(struct gsc_png **png, struct gsc_out *out,
				    const struct gsc_pixel_format *format, uint64_t width,
				    uint64_t height, unsigned flags, struct gsc_error *err);
GSC_API void gsc_png_free(struct gsc_png *png);
/*
 * The next row; `known`, one byte per element, or NULL: where it is 0 the picture is transparent.
 */
GSC_API void gsc_png_row(struct gsc_png *png, const void *elements, const uint8_t *known);
/* False: zlib failed, rows are missing, or the output failed. */
GSC_API bool gsc_png_end(struct gsc_png *png);

/* ---- inside the room ---------------------------------------------------------------------- */

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

/* A piece of a line that is made in out_room(): where it ends. */
static inline char *put_piece(char *at, const char *text, size_t length)
{
	memcpy(at, text, length);
	return at + length;
}

/* Writes an unfinished line, because it may be longer than memory could hold. */
void out_spill(struct gsc_out *out);

/* Ends a line at the end of its text, in room that has space for one more byte. */
static inline void out_line_end(struct gsc_out *out, char *end)
{
	if (out->width || out->indent) {
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

/*
 * The length of the UTF-8 sequence at `text` and its code point. 0: it is none, such as
 * overlong forms and surrogates.
 */
size_t utf8_take(const char *text, unsigned *point);
/* Would a terminal obey it, or a reader not see it? */
bool point_is_steering(unsigned point);
/* The length of the character at `text`; 0: it is none, or not to be shown. */
size_t harmless_length(const char *text);

/* Text as a JSON string, quoted; freed with free(). NULL: memory is out. */
char *json_quoted(const char *text);

/* Eight hexadecimal digits of each of `count` dwords, each after " 0x". */
char *put_dwords(char *out, const uint8_t *dwords, size_t count);

/* "0x002030", "config:0x50" */
void text_address(struct gsc_out *out, enum gsc_space space, uint64_t address);

/* From here on lines are indented by so many columns, from which all other columns count. */
void out_indent(struct gsc_out *out, unsigned columns);
/* Columns of a line, as far as lines are folded; else 0. */
static inline unsigned out_columns(const struct gsc_out *out)
{
	return out->width > out->indent ? out->width - out->indent : 0;
}

/* Which workarounds write a register, on lines below it, or as a member of its object. */
void text_workarounds(struct gsc_out *out, const struct gsc_view *view, const struct gsc_reg *reg);
void json_workarounds(struct gsc_json *json, const struct gsc_view *view,
		      const struct gsc_reg *reg);

/* Words in a style; "# faults", the heading of a part; the same without the line's end. */
GSC_API void text_styled(struct gsc_out *out, enum gsc_style style, const char *text);
void text_part(struct gsc_out *out, const char *text);
/*
 * "gpu-batch -e rcs0 -a 0x1000", after a label: shows the command of the verdict. False: it has
 * none.
 */
bool out_see_it(struct gsc_out *out, const char *label, struct gsc_hang *hang);
/* The sentence of a verdict, with a heading unless it is alone. */
void text_sentence(struct gsc_out *out, const char *verdict, unsigned flags);
/* After a verdict: what was reported before, and looks like it. */
void text_known(struct gsc_out *out, const struct gsc_knowns *knowns, unsigned flags);
GSC_API void out_part(struct gsc_out *out, unsigned level, const char *text);
/*
 * A sentence from column `first` on after `label`, on a terminal in lines that fit it, the others
 * from column `others` on; then it ends the last line.
 */
GSC_API void text_wrapped(struct gsc_out *out, unsigned first, unsigned others,
			  const char *label, const char *text);

/*
 * Blanks up to a column of the line that begins at `line`, at least two; there must be room for a
 * block of them, which is nearly always enough.
 */
#define GAP_BLOCK 32u

static inline char *put_gap(char *at, const char *line, size_t column)
{
	size_t width = (size_t)(at - line), blanks = width + 2 <= column ? column - width : 2;

	memset(at, ' ', GAP_BLOCK);
	if (blanks > GAP_BLOCK)
		memset(at, ' ', blanks);
	return at + blanks;
}

/* The line of a field up to its value, which begins in FIELD_VALUE_COLUMN or later. */
char *put_field_lead(char *at, unsigned hi, unsigned lo, const char *name, size_t length);

#define FIELD_NAME_COLUMN 12
#define FIELD_VALUE_COLUMN 42
#define FIELD_TEXT_COLUMN 54

/* Members of objects. "access": its words. "owner": of an address, or null. */
GSC_API void gsc_json_access(struct gsc_json *json, unsigned access);
GSC_API void gsc_json_owner(struct gsc_json *json, const struct gsc_view *view,
			    enum gsc_space space, uint64_t offset);
void json_field(struct gsc_json *json, const struct gsc_field *field);
void json_placed_field(struct gsc_json *json, size_t at, const struct gsc_field *field);
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

/*
 * The fields of a register as its platform defines them, whatever their conditions; view NULL: of
 * any platform.
 */
GSC_API void definition_fields(const struct gsc_view *view, const struct gsc_reg *reg,
			       struct gsc_field_iter *it);
GSC_API bool definition_next(const struct gsc_view *view, struct gsc_field_iter *it,
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
