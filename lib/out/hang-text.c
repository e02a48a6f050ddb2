/* SPDX-License-Identifier: MIT */
/*
 * What went wrong, as text. The verdict comes first, then its evidence, the worst first: engines,
 * faults, errors, fences, doubts. A part with nothing to show takes one line or none. Engines are
 * in the first column, what became of them in the second.
 */
#include "hang/known.h"
#include "hang/workaround.h"
#include "out/out.h"
#include "util/text.h"

#define WORD_COLUMN 8
#define ABOUT_COLUMN 9
#define TEXT_COLUMN 17
#define NONE_COLUMN 10
#define RULE_COLUMN 19
#define WALK_INDENT 8
#define FEW_FENCES 4		/* one per line; more are folded */

/* ---- pieces --------------------------------------------------------------------------------- */

/* "# faults", after an empty line */
static void part(struct gsc_out *out, const char *name)
{
	gsc_out_end(out);
	text_part(out, name);
}

/* "# faults  none in RING_FAULT_REG", if that is all. */
static void short_part(struct gsc_out *out, const char *name, const char *label, const char *words)
{
	gsc_out_end(out);
	out_part(out, 2, name);
	text_wrapped(out, NONE_COLUMN, NONE_COLUMN, label, words);
}

/* "rcs0.RING_FAULT_REG 0x00000003" */
static void register_text(struct gsc_out *out, const struct gsc_reg *reg, uint64_t value)
{
	char name[160];

	gsc_reg_full_name(reg, name, sizeof(name));
	gsc_out_text(out, name);
	gsc_out_text(out, " ");
	gsc_out_hex(out, value, reg->bits / 4);
}

static void about_text(struct gsc_out *out, const struct gsc_hang *hang, unsigned flags)
{
	bool any = false;

	for (size_t i = 0; i < hang->facts.about.count; i++) {
		const struct gsc_about *about = &hang->facts.about.items[i].a;

		if (about->detail && !(flags & GSC_TEXT_VERBOSE))
			continue;
		if (!any)
			part(out, "dump");
		any = true;
		gsc_out_text(out, about->name);
		text_wrapped(out, ABOUT_COLUMN, ABOUT_COLUMN, "", about->text);
	}
}

void gsc_text_firmware(struct gsc_out *out, const struct gsc_firmwares *all, const char *signature)
{
	char text[400];

	if (!signature && all->count)
		part(out, "firmware");
	for (size_t i = 0; i < all->count; i++) {
		if (signature && !firmware_matters(&all->items[i], signature))
			continue;
		firmware_text(&all->items[i], text, sizeof(text));
		if (signature)
			string_add(text, "%s%s", all->one_system ? "; package " : "",
				   all->one_system ? all->packages : "");
		else
			gsc_out_text(out, firmware_words[all->items[i].kind]);
		text_wrapped(out, signature ? 0 : NONE_COLUMN, NONE_COLUMN,
			     signature ? "firmware: " : "", text);
	}
	if (!signature && all->count) {
		gsc_out_text(out, "packages");
		text_wrapped(out, NONE_COLUMN, NONE_COLUMN, "", all->packages);
	}
}

/* Words separated by commas, gathered in memory; then as many lines of them as necessary. */
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

static const char *stop_words(const struct gsc_hang *hang, const char *engine)
{
	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct gsc_engine *e = &hang->engines.items[i].e;

		if (!strcmp(e->name, engine))
			return e->state == GSC_ENGINE_HUNG ? "stopped in" :
			       e->state == GSC_ENGINE_WAITING ? "waits in" : "is in";
	}
	return "is in";
}

/*
 * "gpu-batch -e rcs0 --process -a 0x1000": other engines may have that address, too. The listing
 * begins at `from`, and marks the command if the engine's own pointer would mark another.
 */
static void see_command(struct gsc_out *out, const struct gsc_cause *c, uint64_t from, bool mark)
{
	out_command(out, "batch");
	gsc_out_format(out, " -e %s %s%s-a 0x%llx", c->run.engine,
		       c->run.process ? "--process " : "", c->in_state ? "--state " : "", LL(from));
	if (mark)
		gsc_out_format(out, " --mark 0x%llx", LL(c->command.address));
}

/* The command of the verdict: where the engine stopped, else a fault's cause. */
static bool verdict_command(struct gsc_hang *hang, struct gsc_cause *c)
{
	if (hang->worst && hang->worst->e.stopped) {
		*c = (struct gsc_cause){ .run = hang->worst->e.run,
					 .command = hang->worst->e.command };
		return true;
	}
	for (size_t i = 0; i < hang->faults.count; i++)
		if (hang->faults.items[i].valid && gsc_hang_cause(hang, i, c))
			return true;
	return false;
}

/*
 * "cause: ADDRESS of PIPE_CONTROL at ppgtt:0x1000, the command that rcs0 stopped in"; an earlier
 * command has set the address, but which command used it is unknown.
 */
static void cause_text(struct gsc_out *out, struct gsc_hang *hang, size_t i,
		       const struct gsc_fault *fault)
{
	char text[480], state[48] = "", other[48] = "";
	struct gsc_cause c, shown;

	if (!gsc_hang_cause(hang, i, &c))
		return;
	if (c.in_state)
		string_set(state, " at 0x%llx, state", LL(c.state));
	if (c.value != fault->address)
		string_set(other, "0x%llx in ", LL(c.value));
	string_set(text, "%s%s%s of %s at %s:0x%llx, %sthe command that %s %s", other,
		   c.field, state, c.command.name, c.run.process ? "ppgtt" : "ggtt",
		   LL(c.command.address), c.stopped ? "" : "which comes before ",
		   c.run.engine, stop_words(hang, c.run.engine));
	text_wrapped(out, WORD_COLUMN, WORD_COLUMN, c.stopped ? "cause: " : "set by: ", text);
	if (verdict_command(hang, &shown) && c.command.address == shown.command.address &&
	    c.in_state == shown.in_state && c.run.process == shown.run.process &&
	    !strcmp(c.run.engine, shown.run.engine))
		return;
	gsc_out_pad(out, WORD_COLUMN);
	gsc_out_text(out, "see it: ");
	see_command(out, &c, c.command.address, false);
	gsc_out_end(out);
}

/* Registers that have recorded nothing: worth a line. `alone`: nothing else has been shown. */
static void clear_faults(struct gsc_out *out, const struct gsc_hang *hang, bool alone)
{
	struct gsc_out none = { .fd = -1 }, silent = { .fd = -1 };
	char name[160];

	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_fault *fault = &hang->faults.items[i];

		if (fault->valid || fault->has_address)
			continue;
		gsc_reg_full_name(&fault->reg, name, sizeof(name));
		list_add(fault->value == UINT32_MAX ? &silent : &none, name);
	}
	if (alone && none.size && !silent.size) {
		gsc_out_bytes(&none, "", 1);
		short_part(out, "faults", "none in ", none.error ? "" : none.data);
		free(none.data);
		return;
	}
	if (alone)
		part(out, "faults");
	list_end(out, 0, WORD_COLUMN, "none    in ", &none);
	list_end(out, 0, WORD_COLUMN, "unknown reads as all ones: ", &silent);
}

static void faults_text(struct gsc_out *out, struct gsc_hang *hang, unsigned flags)
{
	bool any = false;

	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_fault *fault = &hang->faults.items[i];
		const struct gsc_translation *translation;
		struct gsc_walk walk;
		char why[640] = "";

		if (!fault->valid && !fault->has_address)
			continue;
		if (!any)
			part(out, "faults");
		/* "rcs0 ppgtt:0x00a40000 not-present at pte" */
		text_styled(out, GSC_STYLE_BOLD, *fault->engine ? fault->engine : "-");
		gsc_out_pad(out, WORD_COLUMN);
		gsc_out_style(out, GSC_STYLE_RED);
		if (fault->has_address) {
			if (fault->space)
				gsc_out_format(out, "%s:", fault->space);
			gsc_out_hex(out, fault->address, 8);
			gsc_out_text(out, "  ");
		}
		gsc_out_text(out, !fault->valid ? "perhaps a fault"
				  : fault->type ? fault->type
						: "fault");
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
		if (*fault->text)
			text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "", fault->text);
		cause_text(out, hang, i, fault);
		if (gsc_hang_walk(hang, i, &walk, &translation, why, sizeof(why))) {
			text_fault_walk(out, WALK_INDENT, translation, &walk, fault, flags);
		} else if (*why) {
			text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "not walked: ", why);
		}
		any = true;
	}
	if (hang->faults.count)
		clear_faults(out, hang, !any);
	else
		short_part(out, "faults", "",
			   platform_has(&hang->gpu->platform, PROPERTY_FAULTS_REPORTED)
			   ? "this platform records none; the kernel log has them" :
			   platform_has(&hang->gpu->platform, PROPERTY_FAULTS_RECORDED)
			   ? "no register that records them is in the source"
			   : "this platform records none; see PGTBL_ER and EIR for errors");
}

static void errors_text(struct gsc_out *out, const struct gsc_hang *hang)
{
	if (!hang->errors.count && gsc_hang_tells_errors(hang))
		return;
	if (!hang->errors.count) {
		short_part(out, "errors", "",
			   "no register that records those of engines is in the source");
		return;
	}
	part(out, "errors");
	for (size_t i = 0; i < hang->errors.count; i++) {
		const struct gsc_trouble *error = &hang->errors.items[i];

		text_styled(out, GSC_STYLE_BOLD, error->reg.engine ? error->reg.engine : "-");
		gsc_out_pad(out, WORD_COLUMN);
		text_styled(out, GSC_STYLE_RED, error->name);
		gsc_out_text(out, "  ");
		gsc_out_style(out, GSC_STYLE_DIM);
		register_text(out, &error->reg, error->value);
		gsc_out_format(out, error->hi == error->lo ? " bit %u" : " bits %u:%u", error->hi,
			       error->lo);
		gsc_out_style(out, GSC_STYLE_PLAIN);
		gsc_out_end(out);
		if (*error->text)
			text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "", error->text);
	}
}

/* ---- engines -------------------------------------------------------------------------------- */

static void ring_text(struct gsc_out *out, const struct gsc_engine *e)
{
	char text[240], start[40] = "";

	if (!(e->known & GSC_KNOWN_RING))
		return;
	if (e->known & GSC_KNOWN_START)
		string_set(start, "at 0x%08llx, ", LL(e->start & ~UINT64_C(0xfff)));
	string_set(text, "head 0x%llx, tail 0x%llx: %llu of %llu bytes pending, %llu free; "
		   "%swrapped %llu time%s", LL(e->head_offset), LL(e->tail_offset), LL(e->used),
		   LL(e->ring_bytes), LL(e->free), start, LL(e->wraps), e->wraps == 1 ? "" : "s");
	text_wrapped(out, WORD_COLUMN, TEXT_COLUMN, "ring     ", text);
}

static void place_text(struct gsc_out *out, const struct gsc_engine *e)
{
	char text[160] = "";

	if (e->known & GSC_KNOWN_ACTHD)
		string_add(text, "acthd %s0x%08llx",
			   e->known & GSC_KNOWN_ACTHD_PROCESS ? "ppgtt:" : "",
			   LL(plain_address(e->acthd)));
	if (e->known & GSC_KNOWN_IPEHR)
		string_add(text, "%sipehr 0x%08llx", *text ? ", " : "", LL(e->ipehr));
	/* The command where it stopped is named above. */
	if (e->header && !(e->stopped && e->agrees) && *text)
		string_add(text, " %s", e->header);
	if (*text)
		text_wrapped(out, WORD_COLUMN, TEXT_COLUMN, "at       ", text);
}

static void details_text(struct gsc_out *out, const struct hang_engine *engine,
			 enum gsc_detail_kind kind, bool all)
{
	static const char *const labels[] = {
		[GSC_DETAIL_EVIDENCE] = "because  ", [GSC_DETAIL_UNITS] = "busy     ",
		[GSC_DETAIL_WITNESS] = "also     ",
	};
	const char *label = labels[kind];

	if (!all && kind != GSC_DETAIL_EVIDENCE && engine->e.state != GSC_ENGINE_HUNG &&
	    engine->e.state != GSC_ENGINE_WAITING)
		return;
	for (size_t n = 0; n < engine->details.count; n++) {
		const struct gsc_detail *detail = &engine->details.items[n];
		/* A unit has the name of its bit. */
		const char *name = kind == GSC_DETAIL_UNITS ? "" : detail->name;
		char text[sizeof(detail->name) + sizeof(detail->text) + 4];

		if (detail->kind != kind || (detail->minor && !all))
			continue;
		string_set(text, "%s%s%s", name, *name && *detail->text ? ": " : "", detail->text);
		text_wrapped(out, WORD_COLUMN, TEXT_COLUMN, label, text);
		label = "         ";
	}
}

static void engine_text(struct gsc_out *out, struct gsc_hang *hang,
			const struct hang_engine *engine, unsigned flags)
{
	static const enum gsc_style styles[] = {
		[GSC_ENGINE_UNKNOWN] = GSC_STYLE_DIM, [GSC_ENGINE_IDLE] = GSC_STYLE_PLAIN,
		[GSC_ENGINE_RUNNING] = GSC_STYLE_PLAIN, [GSC_ENGINE_WAITING] = GSC_STYLE_YELLOW,
		[GSC_ENGINE_HUNG] = GSC_STYLE_RED,
	};
	const struct gsc_engine *e = &engine->e;
	bool all = flags & GSC_TEXT_VERBOSE;
	struct gsc_command_text *text;

	text_styled(out, GSC_STYLE_BOLD, e->name);
	gsc_out_pad(out, WORD_COLUMN);
	text_styled(out, styles[e->state], gsc_engine_state_word(e->state));
	if (*e->where && (e->state != GSC_ENGINE_IDLE || all)) {
		text_wrapped(out, TEXT_COLUMN, TEXT_COLUMN, "", e->where);
	} else {
		gsc_out_end(out);
	}
	/* The command as gpu-batch shows it; a page has it among the commands around it. */
	if (e->stopped && all && !out->html &&
	    !gsc_command_text_new(&text, out, hang->set, GSC_TEXT_VERBOSE, NULL)) {
		out_indent(out, WALK_INDENT);
		gsc_command_text(text, &e->command);
		out_indent(out, 0);
		gsc_command_text_free(text);
	}
	if (e->state != GSC_ENGINE_IDLE || all) {
		place_text(out, e);
		ring_text(out, e);
	}
	details_text(out, engine, GSC_DETAIL_EVIDENCE, all);
	details_text(out, engine, GSC_DETAIL_UNITS, all);
	details_text(out, engine, GSC_DETAIL_WITNESS, all);
}

/* Engines with only a state to show, and why it is unknown, or "": one line for many. Or NULL. */
static const char *why_brief(const struct hang_engine *engine, unsigned flags)
{
	bool idle = engine->e.state == GSC_ENGINE_IDLE && !(flags & GSC_TEXT_VERBOSE);
	const struct gsc_detail *details = engine->details.items;
	size_t count = engine->details.count;

	if ((!idle && (engine->e.state != GSC_ENGINE_UNKNOWN || engine->e.known)) || !count ||
	    details[0].kind != GSC_DETAIL_EVIDENCE ||
	    (count > 1 && (!idle || details[1].kind == GSC_DETAIL_EVIDENCE)))
		return NULL;
	return idle ? "" : details[0].text;
}

/* One line for the engine `first` and those like it, unless an earlier one is like it, too. */
static void brief_engines(struct gsc_out *out, const struct gsc_hang *hang, size_t first,
			  unsigned flags)
{
	const struct hang_engine *as = &hang->engines.items[first];
	const char *why = why_brief(as, flags), *other;
	struct gsc_out names = { .fd = -1 };

	for (size_t i = 0; why && i < hang->engines.count; i++) {
		const struct hang_engine *engine = &hang->engines.items[i];

		other = engine->e.state == as->e.state ? why_brief(engine, flags) : NULL;
		if (!other || strcmp(other, why))
			continue;
		if (i < first)
			break;
		list_add(&names, engine->e.name);
	}
	if (names.size && *why) {
		gsc_out_text(&names, ": ");
		gsc_out_text(&names, why);
	}
	list_end(out, 0, WORD_COLUMN, as->e.state == GSC_ENGINE_IDLE ? "idle    " : "unknown ",
		 &names);
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* "4-15": those up to `last` are the same. */
static void fence_line(struct gsc_out *out, const struct gsc_fence *fence, unsigned last)
{
	gsc_out_format(out, last == fence->index ? "%u" : "%u-%u", fence->index, last);
	gsc_out_pad(out, WORD_COLUMN);
	gsc_out_hex(out, fence->raw, 16);
	if (!fence->valid) {
		gsc_out_text(out, "  not valid");
	} else {
		gsc_out_format(out, "  0x%08llx-0x%08llx  %c  pitch %u", LL(fence->start),
			       LL(fence->end) - 1, fence->tiling, fence->pitch);
	}
	gsc_out_end(out);
	if (*fence->problem)
		text_wrapped(out, WORD_COLUMN, WORD_COLUMN, "", fence->problem);
}

static bool is_plain(const struct gsc_fence *fence)
{
	return fence->valid && !*fence->problem;
}

static bool same_layout(const struct gsc_fence *a, const struct gsc_fence *b)
{
	return is_plain(b) && a->tiling == b->tiling && a->pitch == b->pitch;
}

/* "X  pitch 512    0, 1, 6, 8-13", once for all with this layout */
static void fences_line(struct gsc_out *out, const struct gsc_hang *hang, size_t first)
{
	struct gsc_out numbers = { .fd = -1 };
	const struct gsc_fence *like = &hang->fences.items[first], *fence = hang->fences.items;
	const struct gsc_fence *end = fence + hang->fences.count;
	char text[40], label[40];
	bool begun = false;
	unsigned from = 0;

	for (; fence < end; fence++) {
		if (!same_layout(like, fence))
			continue;
		if (fence < like)
			break;
		from = begun ? from : fence->index;
		begun = fence + 1 < end && same_layout(like, fence + 1) &&
			fence[1].index == fence->index + 1;
		if (begun)
			continue;
		string_set(text, from == fence->index ? "%u" : "%u-%u", from, fence->index);
		list_add(&numbers, text);
	}
	string_set(label, "%c  pitch %-6u ", like->tiling, like->pitch);
	list_end(out, 0, (unsigned)strlen(label), label, &numbers);
}

/* The valid ones: one per line if they are few, otherwise folded by tiling and pitch. */
static void fences_text(struct gsc_out *out, const struct gsc_hang *hang, unsigned flags)
{
	bool all = flags & GSC_TEXT_VERBOSE;
	size_t valid = 0, last, count = hang->fences.count;
	bool zero = false;

	for (size_t i = 0; i < count; i++)
		valid += hang->fences.items[i].valid;
	if (!valid && !(all && count))
		return;
	part(out, "fences");
	for (size_t i = 0; i < count; i++) {
		const struct gsc_fence *fence = &hang->fences.items[i];

		for (last = i; last + 1 < count && !hang->fences.items[last + 1].raw;)
			last++;
		if (!fence->raw && all && !zero)
			fence_line(out, fence, hang->fences.items[last].index);
		else if (fence->raw &&
			 (all || (fence->valid && (valid <= FEW_FENCES || !is_plain(fence)))))
			fence_line(out, fence, fence->index);
		else if (fence->valid)
			fences_line(out, hang, i);
		zero = !fence->raw;
	}
}

struct doubting {
	struct gsc_out *out;
	bool begun;
};

static bool doubt_text(void *context, const struct gsc_breach *breach)
{
	struct doubting *d = context;
	char text[sizeof(breach->text) + 160];

	if (breach->unchecked)
		return true;
	if (!d->begun)
		part(d->out, "doubts");
	d->begun = true;
	text_styled(d->out, GSC_STYLE_RED, breach->rule);
	string_set(text, "%s: %s", breach->where, breach->text);
	text_wrapped(d->out, RULE_COLUMN, RULE_COLUMN, "", text);
	return true;
}

void gsc_text_hang(struct gsc_out *out, struct gsc_hang *hang, unsigned flags)
{
	struct gsc_workarounds workarounds;
	struct doubting doubting = { .out = out };
	static const enum gsc_engine_state order[] = {
		GSC_ENGINE_HUNG, GSC_ENGINE_WAITING, GSC_ENGINE_RUNNING, GSC_ENGINE_UNKNOWN,
		GSC_ENGINE_IDLE,
	};
	const struct hang_engine *engines;

	if (!out->html)
		about_text(out, hang, flags);
	if (!out->html && flags & GSC_TEXT_VERBOSE)
		gsc_text_firmware(out, &hang->firmware, NULL);
	/* The engine of the verdict, then the others from the worst to the idle ones. */
	engines = hang->engines.items;
	part(out, "engines");
	for (size_t i = 0; i < hang->engines.count; i++)
		if (&engines[i] == hang->worst)
			engine_text(out, hang, &engines[i], flags);
	for (size_t n = 0; n < ARRAY_SIZE(order); n++)
		for (size_t i = 0; i < hang->engines.count; i++)
			if (engines[i].e.state == order[n] && &engines[i] != hang->worst &&
			    !why_brief(&engines[i], flags))
				engine_text(out, hang, &engines[i], flags);
	for (size_t n = ARRAY_SIZE(order); n--;)
		for (size_t i = 0; i < hang->engines.count; i++)
			if (engines[i].e.state == order[n])
				brief_engines(out, hang, i, flags);
	faults_text(out, hang, flags);
	errors_text(out, hang);
	fences_text(out, hang, flags);
	gsc_hang_check(hang, doubt_text, &doubting, NULL);
	if (hang_workarounds(hang, &workarounds)) {
		part(out, "workarounds");
		gsc_text_workarounds(out, hang->gpu->view, &workarounds, 0);
		gsc_workarounds_free(&workarounds);
	}
	/* On a page what went wrong comes first: it is long. */
	if (out->html) {
		about_text(out, hang, flags);
		gsc_text_firmware(out, &hang->firmware, NULL);
	}
}

void text_sentence(struct gsc_out *out, const char *verdict, unsigned flags)
{
	if (flags & GSC_TEXT_QUIET) {
		gsc_out_clean(out, verdict);
		gsc_out_end(out);
		return;
	}
	text_part(out, "verdict");
	gsc_out_style(out, GSC_STYLE_BOLD);
	text_wrapped(out, 0, 0, "", verdict);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

void text_known(struct gsc_out *out, const struct gsc_knowns *knowns, unsigned flags)
{
	char text[900];

	for (size_t i = 0; i < knowns->count && !(flags & GSC_TEXT_QUIET); i++) {
		text_wrapped(out, 0, 2, "", gsc_known_text(&knowns->items[i], text, sizeof(text)));
		if (flags & GSC_TEXT_VERBOSE)
			text_wrapped(out, 2, 2, "", knowns->items[i].is[KNOWN_SAYS]);
	}
}

bool out_see_it(struct gsc_out *out, const char *label, struct gsc_hang *hang)
{
	const struct hang_engine *worst = hang->worst;
	struct gsc_cause c;

	if (!verdict_command(hang, &c))
		return false;
	gsc_out_text(out, label);
	/* Where an engine stopped, with the commands before it. */
	if (!worst || !worst->e.stopped)
		see_command(out, &c, c.command.address, false);
	else
		see_command(out, &c, worst->lead,
			    worst->e.offset || !(worst->e.known & GSC_KNOWN_ACTHD));
	return true;
}

void gsc_text_verdict(struct gsc_out *out, struct gsc_hang *hang, unsigned flags)
{
	struct gsc_knowns knowns;

	text_sentence(out, hang->verdict, flags);
	gsc_hang_known(hang, &knowns);
	text_known(out, &knowns, flags);
	if (!(flags & GSC_TEXT_QUIET))
		gsc_text_firmware(out, &hang->firmware, hang->signature);
	if (!(flags & GSC_TEXT_QUIET) && out_see_it(out, "see it: ", hang))
		gsc_out_end(out);
}
