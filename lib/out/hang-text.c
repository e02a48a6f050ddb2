/* SPDX-License-Identifier: MIT */
/*
 * What went wrong, as text: faults, errors, engines, fences, doubts, and last the verdict, where
 * the eye is when a screen has scrolled. Engines stand in the first column, what became of them in
 * the second.
 */
#include "hang/hang.h"
#include "out/out.h"

#include <stdio.h>
#include <string.h>

#define WORD_COLUMN 8
#define ABOUT_COLUMN 9
#define TEXT_COLUMN 17
#define WALK_INDENT 8
#define FIRST_WITH_FAULTS 600	/* graphics version: Sandy Bridge */

/* ---- pieces --------------------------------------------------------------------------------- */

/* "rcs0.RING_FAULT_REG 0x00000003" */
static void register_text(struct gsc_out *out, const struct gsc_reg *reg, uint64_t value)
{
	char name[160];

	gsc_reg_full_name(reg, name, sizeof(name));
	gsc_out_text(out, name);
	gsc_out_text(out, " ");
	gsc_out_hex(out, value, reg->bits / 4);
}

static void about_text(struct gsc_out *out, const struct gsc_hang *hang)
{
	struct gsc_about about;

	if (!gsc_hang_about(hang, 0, &about))
		return;
	text_part(out, "dump");
	for (size_t i = 0; gsc_hang_about(hang, i, &about); i++) {
		gsc_out_text(out, about.name);
		text_wrapped(out, ABOUT_COLUMN, ABOUT_COLUMN, "", about.text);
	}
	gsc_out_end(out);
}

/* Words with commas between, gathered in memory; then as many lines of them as it takes. */
static void list_add(struct gsc_out *list, const char *word)
{
	if (list->size)
		gsc_out_text(list, ", ");
	gsc_out_text(list, word);
}

static void list_end(struct gsc_out *out, unsigned first, unsigned others, const char *label,
		     struct gsc_out *list)
{
	gsc_out_bytes(list, "", 1);
	if (list->size > 1 && !list->error)
		text_wrapped(out, first, others, label, list->data);
	free(list->data);
}

/* ---- faults and errors ---------------------------------------------------------------------- */

/* "rcs0    ppgtt:0x00a40000  not-present at pte" */
static void fault_line(struct gsc_out *out, const struct gsc_fault *fault)
{
	text_styled(out, GSC_STYLE_BOLD, *fault->engine ? fault->engine : "-");
	gsc_out_pad(out, WORD_COLUMN);
	gsc_out_style(out, GSC_STYLE_RED);
	if (fault->has_address) {
		if (fault->space)
			gsc_out_format(out, "%s:", fault->space);
		gsc_out_hex(out, fault->address, 8);
		gsc_out_text(out, "  ");
	}
	gsc_out_text(out, !fault->valid ? "perhaps a fault" : fault->type ? fault->type : "fault");
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (fault->access)
		gsc_out_format(out, ", %s", fault->access);
	if (fault->reg.name) {
		gsc_out_text(out, "  ");
		gsc_out_style(out, GSC_STYLE_DIM);
		register_text(out, &fault->reg, fault->value);
		gsc_out_style(out, GSC_STYLE_PLAIN);
	}
	gsc_out_end(out);
}

static const char *stop_words(const struct gsc_hang *hang, const char *engine)
{
	struct gsc_engine e;

	for (size_t i = 0; gsc_hang_engine(hang, i, &e); i++)
		if (!strcmp(e.name, engine))
			return e.state == GSC_ENGINE_HUNG ? "stopped in" :
			       e.state == GSC_ENGINE_WAITING ? "waits in" : "is in";
	return "is in";
}

/* "see it: gpu-batch -e rcs0 --process -a 0x1000": another engine may have that address, too */
static void see_text(struct gsc_out *out, const struct gsc_cause *c)
{
	gsc_out_pad(out, WORD_COLUMN);
	gsc_out_format(out, "see it: gpu-batch -e %s %s%s-a 0x%llx", c->run.engine,
		       c->run.process ? "--process " : "",
		       c->in_state ? "--state " : "", (unsigned long long)c->command.address);
	gsc_out_end(out);
}

/*
 * "cause: ADDRESS of PIPE_CONTROL at ppgtt:0x1000, the command that rcs0 stopped in"; what comes
 * before that has set the address, but whoever used it is not known.
 */
static void cause_text(struct gsc_out *out, struct gsc_hang *hang, size_t i,
		       const struct gsc_fault *fault)
{
	char text[480], state[48] = "", other[48] = "";
	struct gsc_cause c;

	if (!gsc_hang_cause(hang, i, &c))
		return;
	if (c.in_state)
		snprintf(state, sizeof(state), " at 0x%llx, state", (unsigned long long)c.state);
	if (c.value != fault->address)
		snprintf(other, sizeof(other), "0x%llx in ", (unsigned long long)c.value);
	snprintf(text, sizeof(text), "%s%s%s of %s at %s:0x%llx, %sthe command that %s %s", other,
		 c.field, state, c.command.name, c.run.process ? "ppgtt" : "ggtt",
		 (unsigned long long)c.command.address, c.stopped ? "" : "which comes before ",
		 c.run.engine, stop_words(hang, c.run.engine));
	text_wrapped(out, WORD_COLUMN, WORD_COLUMN, c.stopped ? "cause: " : "set by: ", text);
	see_text(out, &c);
}

static void fault_text(struct gsc_out *out, struct gsc_hang *hang, size_t i,
		       const struct gsc_fault *fault, struct gsc_walk *walk, unsigned flags)
{
	const struct gsc_translation *translation;
	char why[640] = "";

	fault_line(out, fault);
	if (*fault->text)
		text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "", fault->text);
	cause_text(out, hang, i, fault);
	if (walk && gsc_hang_walk(hang, i, walk, &translation, why, sizeof(why)))
		text_walk(out, WALK_INDENT, translation, walk, flags);
	else if (*why)
		text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "not walked: ", why);
}

/* Registers that have recorded nothing: that they have not is worth a line. */
static void clear_faults(struct gsc_out *out, const struct gsc_hang *hang)
{
	struct gsc_out names = { .fd = -1 }, silent = { .fd = -1 };
	struct gsc_fault fault;
	char name[160];

	for (size_t i = 0; gsc_hang_fault(hang, i, &fault); i++) {
		if (fault.valid || fault.has_address)
			continue;
		gsc_reg_full_name(&fault.reg, name, sizeof(name));
		list_add(fault.value == UINT32_MAX ? &silent : &names, name);
	}
	list_end(out, 0, WORD_COLUMN, "none    in ", &names);
	list_end(out, 0, WORD_COLUMN, "unknown all ones, so not read, are ", &silent);
}

static void faults_text(struct gsc_out *out, struct gsc_hang *hang, unsigned flags)
{
	struct gsc_walk *walk = malloc(sizeof(*walk));
	struct gsc_fault fault;

	text_part(out, "faults");
	for (size_t i = 0; gsc_hang_fault(hang, i, &fault); i++)
		if (fault.valid || fault.has_address)
			fault_text(out, hang, i, &fault, walk, flags);
	if (gsc_hang_fault(hang, 0, &fault))
		clear_faults(out, hang);
	else
		text_wrapped(out, 0, WORD_COLUMN, "none    ",
			     hang->platform.graphics < FIRST_WITH_FAULTS
			     ? "this platform records none; see PGTBL_ER and EIR for errors"
			     : "no register that records them is in the source");
	free(walk);
}

static void errors_text(struct gsc_out *out, const struct gsc_hang *hang)
{
	struct gsc_trouble error;

	if (!gsc_hang_error(hang, 0, &error) && gsc_hang_tells_errors(hang))
		return;
	gsc_out_end(out);
	text_part(out, "errors");
	if (!gsc_hang_error(hang, 0, &error))
		text_wrapped(out, 0, WORD_COLUMN, "none    ",
			     "no register that records those of engines is in the source");
	for (size_t i = 0; gsc_hang_error(hang, i, &error); i++) {
		text_styled(out, GSC_STYLE_BOLD, error.reg.engine ? error.reg.engine : "-");
		gsc_out_pad(out, WORD_COLUMN);
		text_styled(out, GSC_STYLE_RED, error.name);
		gsc_out_text(out, "  ");
		gsc_out_style(out, GSC_STYLE_DIM);
		register_text(out, &error.reg, error.value);
		gsc_out_format(out, error.hi == error.lo ? " bit %u" : " bits %u:%u", error.hi,
			       error.lo);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
		if (*error.text)
			text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "", error.text);
	}
}

/* ---- engines -------------------------------------------------------------------------------- */

static void state_word(struct gsc_out *out, enum gsc_engine_state state)
{
	static const enum gsc_style styles[] = {
		[GSC_ENGINE_UNKNOWN] = GSC_STYLE_DIM, [GSC_ENGINE_IDLE] = GSC_STYLE_PLAIN,
		[GSC_ENGINE_RUNNING] = GSC_STYLE_PLAIN, [GSC_ENGINE_WAITING] = GSC_STYLE_YELLOW,
		[GSC_ENGINE_HUNG] = GSC_STYLE_RED,
	};

	text_styled(out, styles[state], gsc_engine_state_word(state));
}

static void ring_text(struct gsc_out *out, const struct gsc_engine *e)
{
	char text[240], start[40] = "";

	if (!(e->known & GSC_KNOWN_RING))
		return;
	if (e->known & GSC_KNOWN_START)
		snprintf(start, sizeof(start), "at 0x%08llx, ",
			 (unsigned long long)(e->start & ~UINT64_C(0xfff)));
	snprintf(text, sizeof(text),
		 "head 0x%llx, tail 0x%llx: %llu of %llu bytes to do, %llu free; %s%llu time%s "
		 "round",
		 (unsigned long long)e->head_offset, (unsigned long long)e->tail_offset,
		 (unsigned long long)e->used, (unsigned long long)e->ring_bytes,
		 (unsigned long long)e->free, start, (unsigned long long)e->wraps,
		 e->wraps == 1 ? "" : "s");
	text_wrapped(out, WORD_COLUMN, TEXT_COLUMN, "ring     ", text);
}

static void place_text(struct gsc_out *out, const struct gsc_engine *e)
{
	char text[160];
	size_t used = 0;

	if (e->known & GSC_KNOWN_ACTHD)
		used = (size_t)snprintf(text, sizeof(text), "acthd %s0x%08llx",
					e->known & GSC_KNOWN_ACTHD_PROCESS ? "ppgtt:" : "",
					(unsigned long long)gsc_plain_address(e->acthd));
	if (e->known & GSC_KNOWN_IPEHR)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%sipehr 0x%08llx",
					 used ? ", " : "", (unsigned long long)e->ipehr);
	/* The command that it stopped in is named above. */
	if (e->header && !(e->stopped && e->agrees))
		snprintf(text + used, sizeof(text) - used, " %s", e->header);
	if (used)
		text_wrapped(out, WORD_COLUMN, TEXT_COLUMN, "at       ", text);
}

static bool detail_shows(const struct gsc_engine *e, enum gsc_detail_kind kind, bool all)
{
	if (all || kind == GSC_DETAIL_EVIDENCE)
		return true;
	return e->state == GSC_ENGINE_HUNG || e->state == GSC_ENGINE_WAITING;
}

static void details_text(struct gsc_out *out, const struct gsc_hang *hang, size_t i,
			 const struct gsc_engine *e, enum gsc_detail_kind kind, bool all)
{
	const char *label = kind == GSC_DETAIL_EVIDENCE ? "because  " : "also     ";
	struct gsc_detail detail;
	char text[sizeof(detail.name) + sizeof(detail.text) + 4];

	if (!detail_shows(e, kind, all))
		return;
	for (size_t n = 0; gsc_hang_detail(hang, i, n, &detail); n++) {
		if (detail.kind != kind || (detail.minor && !all))
			continue;
		snprintf(text, sizeof(text), "%s%s%s", detail.name,
			 *detail.name && *detail.text ? ": " : "", detail.text);
		text_wrapped(out, WORD_COLUMN, TEXT_COLUMN, label, text);
		label = "         ";
	}
}

static void busy_text(struct gsc_out *out, const struct gsc_hang *hang, size_t i,
		      const struct gsc_engine *e, bool all)
{
	struct gsc_out units = { .fd = -1 };
	struct gsc_detail detail;

	if (!detail_shows(e, GSC_DETAIL_BUSY, all))
		return;
	for (size_t n = 0; gsc_hang_detail(hang, i, n, &detail); n++)
		if (detail.kind == GSC_DETAIL_BUSY)
			list_add(&units, detail.text);
	list_end(out, WORD_COLUMN, TEXT_COLUMN, "busy     ", &units);
}

/* The command with its fields, as gpu-batch shows it. */
static void command_text(struct gsc_out *out, struct gsc_hang *hang, const struct gsc_engine *e)
{
	struct gsc_command_text *text;
	struct gsc_out *own;

	if (gsc_out_new(&own, -1, out->colour, NULL))
		return;
	if (!gsc_command_text_new(&text, own, gsc_hang_commands(hang), GSC_TEXT_VERBOSE, NULL)) {
		gsc_command_text(text, &e->command);
		gsc_command_text_free(text);
		text_indented(out, WALK_INDENT, own);
	}
	gsc_out_free(own);
}

static void engine_text(struct gsc_out *out, struct gsc_hang *hang, size_t i,
			const struct gsc_engine *e, unsigned flags)
{
	bool all = flags & GSC_TEXT_VERBOSE;

	text_styled(out, GSC_STYLE_BOLD, e->name);
	gsc_out_pad(out, WORD_COLUMN);
	state_word(out, e->state);
	if (*e->where && (e->state != GSC_ENGINE_IDLE || all)) {
		text_wrapped(out, TEXT_COLUMN, TEXT_COLUMN, "", e->where);
	} else {
		gsc_out_end(out);
	}
	if (e->stopped && all)
		command_text(out, hang, e);
	if (e->state != GSC_ENGINE_IDLE || all) {
		place_text(out, e);
		ring_text(out, e);
	}
	details_text(out, hang, i, e, GSC_DETAIL_EVIDENCE, all);
	busy_text(out, hang, i, e, all);
	details_text(out, hang, i, e, GSC_DETAIL_WITNESS, all);
}

/* Nothing is known of it but why that is: one line tells of all that are alike. */
static bool is_blank(const struct gsc_hang *hang, size_t i, struct gsc_engine *e,
		     struct gsc_detail *why)
{
	struct gsc_detail second;

	return gsc_hang_engine(hang, i, e) && e->state == GSC_ENGINE_UNKNOWN && !e->known &&
	       gsc_hang_detail(hang, i, 0, why) && !gsc_hang_detail(hang, i, 1, &second);
}

static void blank_engines(struct gsc_out *out, const struct gsc_hang *hang, size_t first)
{
	struct gsc_out names = { .fd = -1 };
	struct gsc_detail why, other;
	struct gsc_engine e;

	if (!is_blank(hang, first, &e, &why))
		return;
	for (size_t i = 0; gsc_hang_engine(hang, i, &e); i++) {
		if (!is_blank(hang, i, &e, &other) || strcmp(other.text, why.text))
			continue;
		if (i < first)
			break;
		list_add(&names, e.name);
	}
	if (names.size) {
		gsc_out_text(&names, ": ");
		gsc_out_text(&names, why.text);
	}
	list_end(out, 0, WORD_COLUMN, "unknown ", &names);
}

static void engines_text(struct gsc_out *out, struct gsc_hang *hang, unsigned flags)
{
	struct gsc_detail why;
	struct gsc_engine e;

	gsc_out_end(out);
	text_part(out, "engines");
	for (size_t i = 0; gsc_hang_engine(hang, i, &e); i++)
		if (!is_blank(hang, i, &e, &why))
			engine_text(out, hang, i, &e, flags);
	for (size_t i = 0; gsc_hang_engine(hang, i, &e); i++)
		blank_engines(out, hang, i);
}

/* ---- the rest ------------------------------------------------------------------------------- */

static void fences_text(struct gsc_out *out, const struct gsc_hang *hang, unsigned flags)
{
	struct gsc_fence fence;
	bool begun = false;

	for (size_t i = 0; gsc_hang_fence(hang, i, &fence); i++) {
		if (!fence.valid && !(flags & GSC_TEXT_VERBOSE))
			continue;
		if (!begun) {
			gsc_out_end(out);
			text_part(out, "fences");
			begun = true;
		}
		gsc_out_format(out, "%-5u", fence.index);
		gsc_out_pad(out, WORD_COLUMN);
		gsc_out_hex(out, fence.raw, 16);
		if (!fence.valid) {
			gsc_out_text(out, "  not valid");
		} else {
			gsc_out_format(out, "  0x%08llx-0x%08llx  %c  pitch %u",
				       (unsigned long long)fence.start,
				       (unsigned long long)fence.end - 1, fence.tiling,
				       fence.pitch);
			if (*fence.problem)
				gsc_out_format(out, "  %s", fence.problem);
		}
		gsc_out_end(out);
	}
}

struct doubting {
	struct gsc_out *out;
	bool begun;
};

static bool doubt_text(void *context, const struct gsc_breach *breach)
{
	struct doubting *d = context;

	if (breach->unchecked)
		return true;
	if (!d->begun) {
		gsc_out_end(d->out);
		text_part(d->out, "doubts");
		d->begun = true;
	}
	gsc_text_breach(d->out, breach);
	return true;
}

void gsc_text_hang(struct gsc_out *out, struct gsc_hang *hang, unsigned flags)
{
	struct doubting doubting = { .out = out };

	about_text(out, hang);
	faults_text(out, hang, flags);
	errors_text(out, hang);
	engines_text(out, hang, flags);
	fences_text(out, hang, flags);
	gsc_hang_check(hang, doubt_text, &doubting, NULL);
}

void gsc_text_verdict(struct gsc_out *out, const struct gsc_hang *hang, unsigned flags)
{
	if (flags & GSC_TEXT_QUIET) {
		gsc_out_clean(out, gsc_hang_verdict(hang));
		gsc_out_end(out);
		return;
	}
	gsc_out_end(out);
	text_part(out, "verdict");
	gsc_out_style(out, GSC_STYLE_BOLD);
	text_wrapped(out, 0, 0, "", gsc_hang_verdict(hang));
	gsc_out_style(out, GSC_STYLE_PLAIN);
}
