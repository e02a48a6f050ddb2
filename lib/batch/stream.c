/* SPDX-License-Identifier: MIT */
/* A run of dwords cut into commands, one after the other. */
#include "batch/batch.h"

static const char *const status_words[] = {
	[GSC_COMMAND_OK] = "ok",
	[GSC_COMMAND_UNKNOWN] = "unknown",
	[GSC_COMMAND_TRUNCATED] = "truncated",
	[GSC_COMMAND_BAD_LENGTH] = "bad-length",
};

const char *gsc_command_word(enum gsc_command_status status)
{
	return (unsigned)status < ARRAY_SIZE(status_words) ? status_words[status] : NULL;
}

/* Could a command begin there? The end of the dwords counts as well. */
static bool plausible(const struct gsc_stream *s, size_t at)
{
	return at == s->count ||
	       (at < s->count && command_find(s->set, s->engine_class, s->words[at]));
}

/*
 * An unknown header, or one with a wrong length: the hardware follows that length, and so does
 * this, unless no known command follows there but one does where the command should have ended. Not
 * inline: nearly all commands do not need it.
 */
static __attribute__((noinline)) unsigned settle_length(const struct gsc_stream *s,
							const struct known_command *known,
							unsigned length)
{
	if (plausible(s, s->at + length))
		return length;
	if (!known)
		return 1;
	if (known->expect_lo >= length || !plausible(s, s->at + known->expect_lo))
		return length;
	return known->expect_lo;
}

bool gsc_stream_next(struct gsc_stream *s, struct gsc_command *command)
{
	const struct known_command *known;
	uint32_t header;
	unsigned length;
	size_t left;

	if (s->at >= s->count)
		return false;
	header = s->words[s->at];
	left = s->count - s->at;
	known = command_find(s->set, s->engine_class, header);
	length = known ? known_length(known, header) : unknown_length(header);
	command->status = GSC_COMMAND_OK;
	if (!known || length < known->expect_lo || length > known->expect_hi ||
	    (length >= known->group_at && (length - known->group_at) % known->group)) {
		command->status = known ? GSC_COMMAND_BAD_LENGTH : GSC_COMMAND_UNKNOWN;
		length = settle_length(s, known, length);
	}
	if (length > left)
		command->status = known ? GSC_COMMAND_TRUNCATED : GSC_COMMAND_UNKNOWN;
	command->address = s->address + s->at * 4;
	command->words = s->words + s->at;
	command->length = length;
	command->count = MIN(length, left);
	command->name = known ? known->name : "UNKNOWN";
	command->known = known;
	s->at += command->count;
	return true;
}
