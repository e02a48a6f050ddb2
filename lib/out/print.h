/* SPDX-License-Identifier: MIT */
/*
 * How the commands print: a buffer in front of a file descriptor, JSON, and for each kind of result
 * one function for each form. Private, as private.h is.
 */
#ifndef GSC_PRINT_H
#define GSC_PRINT_H

#include "private.h"

/* ---- buffers ------------------------------------------------------------------------------ */

/*
 * A growing buffer in front of a file descriptor. Calls never fail by themselves: the first failure
 * is kept and gsc_out_flush() reports it.
 */
struct gsc_out;

/* fd -1: nothing is written, gsc_out_data() has all of it. */
GSC_API enum gsc_status gsc_out_new(struct gsc_out **out, int fd, bool colour,
				    struct gsc_error *err);
GSC_API void gsc_out_free(struct gsc_out *out);
GSC_API enum gsc_status gsc_out_flush(struct gsc_out *out, struct gsc_error *err);
GSC_API int gsc_out_error(const struct gsc_out *out);	/* errno of the failure, or 0 */
GSC_API const char *gsc_out_data(const struct gsc_out *out, size_t *size);
/* Lines are folded to this many columns, as on a terminal; 0, and initially: they are not. */
GSC_API void gsc_out_width(struct gsc_out *out, unsigned columns);
/* So many lines are written then, if they are folded; else 0. */
GSC_API size_t gsc_out_lines(struct gsc_out *out);
/*
 * How commands to type are written: what precedes their names, and the options that name the source
 * and must follow. Both belong to the caller, and must live as long as `out`. Without: "gpu-" and
 * "".
 */
GSC_API void gsc_out_commands(struct gsc_out *out, const char *prefix, const char *options);

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

enum gsc_style {
	GSC_STYLE_PLAIN, GSC_STYLE_BOLD, GSC_STYLE_DIM, GSC_STYLE_RED, GSC_STYLE_YELLOW,
	GSC_STYLE_CYAN,
};

/* Until the next call; without effect if there is no colour. */
GSC_API void gsc_out_style(struct gsc_out *out, enum gsc_style style);

/* ---- pictures ----------------------------------------------------------------------------- */

/* Text that cannot become markup; what is not ASCII becomes "?". */
GSC_API void gsc_svg_escaped(struct gsc_out *out, const char *text);
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
GSC_API void gsc_json_finish(struct gsc_json *json);

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
GSC_API void gsc_json_seconds(struct gsc_json *json, const char *key, uint64_t milliseconds);

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
GSC_API void gsc_text_head(struct gsc_out *out, const char *platform, int device, int revision,
			   const char *const *sources, size_t count);
/* The same for another command. */
GSC_API void gsc_text_title(struct gsc_out *out, const char *tool, const char *platform, int device,
			    int revision, const char *const *sources, size_t count);
GSC_API void gsc_text_rows(struct gsc_out *out, struct gsc_rows *rows, unsigned flags);
GSC_API void gsc_text_row(struct gsc_out *out, const struct gsc_view *view,
			  const struct gsc_row *row, unsigned flags);
GSC_API void gsc_text_field(struct gsc_out *out, const struct gsc_field *field);
GSC_API void gsc_text_difference(struct gsc_out *out, const struct gsc_view *view,
				 const struct gsc_difference *difference, unsigned flags);

/* Entries, walks and maps; flags: GSC_TEXT_QUIET one line each, GSC_TEXT_VERBOSE everything. */
GSC_API void gsc_text_entry(struct gsc_out *out, const struct gsc_view *view,
			    const struct gsc_entry *entry, unsigned flags);
GSC_API void gsc_json_entry(struct gsc_json *json, const struct gsc_view *view,
			    const struct gsc_entry *entry);
/* Where a translation begins: comment lines; the members `mode` to `trtt`. */
GSC_API void gsc_text_root(struct gsc_out *out, const struct gsc_translation *translation);
GSC_API void gsc_json_root(struct gsc_json *json, const struct gsc_translation *translation);
GSC_API void gsc_text_walk(struct gsc_out *out, const struct gsc_translation *translation,
			   const struct gsc_walk *walk, unsigned flags);
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
/* The members `faults` to `verdict` of an object. */
GSC_API enum gsc_status gsc_json_hang(struct gsc_json *json, struct gsc_hang *hang,
				      struct gsc_error *err);
/* The same for a source that could not be read: empty lists and nulls. */
GSC_API void gsc_json_hang_none(struct gsc_json *json);

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
			    struct gsc_story *story, unsigned flags);
GSC_API void gsc_json_event(struct gsc_json *json, const struct gsc_event *event,
			    struct gsc_story *story);
/* The sentence about a log, like gsc_text_verdict() for a hang. */
GSC_API void gsc_text_story(struct gsc_out *out, struct gsc_story *story, unsigned flags);
/* The members of gsc_json_hang() that are empty for a log, signature and verdict. */
GSC_API void gsc_json_story(struct gsc_json *json, struct gsc_story *story);

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

#endif
