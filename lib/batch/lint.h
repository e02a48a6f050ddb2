/* SPDX-License-Identifier: MIT */
/*
 * What the documents forbid. lint-rules.c is the one table of rules and has the checks that it
 * names, except those by names of fields, which are in lint-fields.c; lint.c applies them to each
 * command and remembers what they need to know about earlier commands.
 */
#ifndef GSC_LINT_H
#define GSC_LINT_H

#include "batch/follow.h"
#include "db/rule.h"

/* What a command means for the order of commands: bits. */
enum lint_effect {
	EFFECT_DRAWS = 1 << 0,		/* work for the 3D pipeline */
	EFFECT_MEDIA = 1 << 1,		/* work for the media pipeline */
	EFFECT_CONSTANTS = 1 << 2,	/* loads constants */
	EFFECT_BLITS = 1 << 3,
	EFFECT_FLUSHES = 1 << 4,	/* is a flush itself, or includes a full one */
	EFFECT_CONTROLS = 1 << 5,	/* PIPE_CONTROL */
	EFFECT_CALLS = 1 << 6,		/* commands from elsewhere come in between */
	EFFECT_KEPT = 1 << 7,		/* keep_state() has something to do */
	EFFECT_RING = 1 << 8,		/* is for rings */
};

#define EFFECT_WORK (EFFECT_DRAWS | EFFECT_MEDIA)

/* Kinds of flush: drawing makes all of them due, and each kind settles only itself. */
enum lint_kind {
	FLUSH_PIPE,			/* any flush */
	FLUSH_STALL,			/* one that the command streamer waits for */
	FLUSH_RENDER,			/* of the render cache */
	FLUSH_DEPTH,			/* a depth stall at least */
	FLUSH_POST_SYNC,		/* one with a post-sync operation */
	FLUSH_VERTEX,			/* a depth stall that writes data */
	FLUSHES
};

/* Bits of PIPE_CONTROL, dword 1 from Gen6 on. */
#define PC_CS_STALL (1u << 20)
#define PC_POST_SYNC (3u << 14)
#define PC_WRITE_DATA (1u << 14)
#define PC_DEPTH_STALL (1u << 13)
#define PC_RENDER_FLUSH (1u << 12)
/* Invalidations of read-only caches: instructions, textures, vertices, constants, state. */
#define PC_READ_ONLY (1u << 11 | 1u << 10 | 1u << 4 | 1u << 3 | 1u << 2)

enum lint_place { ANYWHERE, IN_BATCH, IN_UNPRIVILEGED, IN_PRIVILEGED };

/* Bits of a dword: the condition of a rule, and what it constrains. */
struct lint_bits {
	enum { BITS_ANY, BITS_NONE, BITS_EQUAL } want;
	uint8_t dword;
	uint32_t mask, value;
};

struct lint_rule;
struct lint_look;
typedef bool lint_check(const struct lint_look *look);

struct lint_rule {
	/* No origin: that of the command counts. About NULL: all, unknown ones too; or LINT_END. */
	struct rule rule;
	bool note;			/* what breaks it is legal */
	enum lint_place place;
	lint_check *check;		/* NULL: `bits` must hold */
	struct lint_bits only;		/* checked only if this holds; mask 0: always */
	unsigned length;		/* and the command has this many dwords, or 0 */
	struct lint_bits bits;
	enum lint_kind flush;
	const char *other, *with;	/* another command or register, and words, or NULL */
	unsigned due;			/* effects before which the other command must come */
};

#define LINT_END ""			/* a run is over */
#define LINT_RULES_MOST 192

extern const struct lint_rule lint_rules[];
extern const unsigned lint_rule_count;

typedef uint64_t lint_set[LINT_RULES_MOST / 64];

/* What the table says about one definition, computed on first use. */
struct lint_known {
	const struct known_command *known;
	bool made;
	lint_set rules, answers;	/* rules about it; rules that wait for it */
	unsigned effects;
};

#define LINT_KNOWN 256
#define LINT_HELD 64

struct lint_command {
	uint64_t address;
	const char *name;		/* NULL: there was none */
};

struct lint {
	const struct gsc_view *view;
	const struct gsc_listener *listener;
	const struct gsc_run *run;
	struct findings findings;
	struct gsc_platform platform;
	lint_set rules;			/* that apply to it */
	struct lint_known known[LINT_KNOWN];

	/* About the run. */
	bool due[FLUSHES];
	struct lint_command work;	/* what made them due */
	unsigned work_effects;
	lint_set pending;		/* rules that wait for another command */
	uint64_t since[LINT_RULES_MOST];
	const struct lint_rule *next;	/* a rule about the command that follows */
	struct lint_command last, at_tail;	/* the command before; the last before the tail */
	uint64_t last_end;
	int pipeline;			/* of PIPELINE_SELECT, or -1 */
	unsigned controls;		/* PIPE_CONTROLs since one that stalls */
	bool null_control;
	struct bases bases;
	uint32_t urb_state;
	uint64_t context;		/* address, and where it was set last; or 0 */
	uint64_t context_set;
	bool has_urb_state, has_constants;
	bool arbitration_off, flush_enabled;
	bool like_ring;			/* it had commands that drivers put into rings */
	VEC(struct gsc_breach) held;	/* counts only if the run turns out to be a batch */
};

/* What is checked: a command, NULL at the end of a run; by a rule. */
struct lint_look {
	struct follower *f;
	struct lint *lint;
	const struct gsc_run *run;
	const struct gsc_command *command;
	const struct lint_known *known;
	const struct lint_rule *rule;
};

static inline bool lint_wants_more(const struct lint_look *look)
{
	return !look->lint->findings.ended;
}

static inline uint32_t lint_word(const struct lint_look *look, unsigned dword)
{
	return dword < look->command->count ? look->command->words[dword] : 0;
}

static inline bool lint_holds(const struct lint_look *look, const struct lint_bits *bits)
{
	uint32_t word = lint_word(look, bits->dword) & bits->mask;

	switch (bits->want) {
	case BITS_ANY:
		return word || !bits->mask;
	case BITS_NONE:
		return !word;
	default:
		return word == bits->value;
	}
}

/* Reports a breach of the rule; false. */
bool lint_give(const struct lint_look *look, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* lint-fields.c */
lint_check lint_reserved, lint_values, lint_object_state, lint_bounds, lint_not_modified,
	lint_blit_pitch;

#endif
