/* SPDX-License-Identifier: MIT */
/* Commands: the set that the engines of a platform know, and dwords split into them. */
#ifndef GSC_BATCH_COMMAND_H
#define GSC_BATCH_COMMAND_H

#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gsc_gpu;
struct rule;

/* The commands that the engines of a platform know. */
struct gsc_commands;
/* Makes the set for the platform of a GPU, whose view must outlive it. */
GSC_API enum gsc_status gsc_commands_new(struct gsc_commands **set, const struct gsc_gpu *gpu,
					 struct gsc_error *err);
GSC_API void gsc_commands_free(struct gsc_commands *set);

/* Whether a command could be decoded. */
enum gsc_command_status {
	GSC_COMMAND_OK,
	GSC_COMMAND_UNKNOWN,
	GSC_COMMAND_TRUNCATED,		/* its end is missing */
	GSC_COMMAND_BAD_LENGTH,		/* a length that it cannot have */
};

/* The word for a status: "ok", "unknown", ... */
GSC_API const char *gsc_command_word(enum gsc_command_status status);

/* A position of an engine. */
struct gsc_mark {
	const char *name;		/* "HEAD", "TAIL", "ACTHD", "MARK" */
	uint64_t address;
};

/* A decoded command. */
struct gsc_command {
	uint64_t address;
	const uint32_t *words;
	size_t count;			/* dwords held */
	unsigned length;		/* dwords that it should have */
	enum gsc_command_status status;
	const char *name;		/* "UNKNOWN" if the command is unknown */
	const void *known;		/* its definition, or NULL */
	const struct gsc_mark *marks;	/* positions, some of them in the command */
	size_t mark_count;		/* 0: none is in the command */
};

/* Dwords to split into commands. The caller sets `set` to `count`; `at` is the position. */
struct gsc_stream {
	struct gsc_commands *set;
	unsigned engine_class;
	uint64_t address;		/* of the first dword */
	const uint32_t *words;
	size_t count, at;
};

/*
 * The next command of the dwords; false at their end. Nothing outside them is read, whatever a
 * length says.
 */
GSC_API bool gsc_stream_next(struct gsc_stream *stream, struct gsc_command *command);

/*
 * A field of a command that holds a graphics address. An offset from a base address does not count,
 * nor does a field that is unused according to the other fields.
 */
struct gsc_command_address {
	const char *name;		/* of the field */
	unsigned dword;			/* of the command, where the field begins */
	uint64_t address;		/* without its sign */
	const char *space;		/* "ggtt", "ppgtt"; NULL: the space of the run */
};

/* Address number `i` of a command, in the order of the fields; false past the last. */
GSC_API bool gsc_command_address(struct gsc_commands *set, const struct gsc_command *command,
				 size_t i, struct gsc_command_address *address);

/* Bits 63:48 of a sign-extended address carry no information. */
static inline uint64_t plain_address(uint64_t address)
{
	return address >> 47 == 0x1ffff ? address & 0xffffffffffff : address;
}

/* Rule number `i` about commands; NULL past the last. */
GSC_API const struct rule *gsc_command_rule(size_t i);

#endif
