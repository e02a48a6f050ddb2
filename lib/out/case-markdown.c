/* SPDX-License-Identifier: MIT */
/*
 * A case as Markdown of GitHub and GitLab, to paste into an issue. Both look for @names, #numbers,
 * hashes of commits and addresses of pages in the text that Markdown yields, so a backslash does
 * not protect from them, but a code span does, where nothing else is markup, either. So every word
 * that is more than letters goes into one: nothing that a dump says can be anything but text. All
 * lines begin with words of this file.
 */
#include "out/case.h"

#include "util/text.h"

#include <stdlib.h>

#define ENGINES_MOST 3
#define FAULTS_MOST 2
#define EVENTS_MOST 6

/* ---- words ---------------------------------------------------------------------------------- */

/* A hash of a commit has seven hexadecimal digits or more; a name of a ticket ends in a number. */
static bool is_plain(const char *word, size_t length)
{
	bool hex = length >= 7, digits = length > 0 && length < 5;

	for (size_t i = 0; i < length; i++) {
		bool inside = i && i + 1 < length;

		hex &= is_hex(word[i]);
		digits &= is_digit(word[i]);
		if (is_letter(word[i]) || is_digit(word[i]))
			continue;
		if (!inside || (word[i] != '-' && word[i] != '\'') || !is_letter(word[i - 1]) ||
		    !is_letter(word[i + 1]) || word[i - 1] < 'a' || word[i + 1] < 'a')
			return false;
	}
	for (size_t i = 0; i < length; i++)
		if (is_digit(word[i]) && !digits)
			return false;
	return length && !hex;
}

/*
 * In a code span. A backtick would end it; a bar would end the cell of a table, and whether a
 * backslash keeps it from that depends on what precedes it and on who reads it.
 */
static void put_code(struct gsc_out *out, const char *text, size_t length)
{
	for (const char *end = text + length; text < end;) {
		size_t size = harmless_length(text);

		if (*text == '`' || *text == '|')
			gsc_out_text(out, *text == '`' ? "'" : "\u00a6");
		else
			gsc_out_bytes(out, size ? text : "?", size ? size : 1);
		text += size ? size : 1;
	}
}

/* A sentence: words that follow each other in code spans share one. */
static void put_words(struct gsc_out *out, const char *text)
{
	bool code = false, first = true;

	for (text += strspn(text, " "); *text; text += strspn(text, " "), first = false) {
		size_t length = strcspn(text, " "), front = *text == '(' || *text == '"', back = 0;
		bool plain, joined;

		while (front + back < length && strchr(".,;:)\"", text[length - back - 1]))
			back++;
		plain = is_plain(text + front, length - front - back);
		/* Punctuation alone might be an emoji. */
		if (length == front + back)
			front = back = 0;
		joined = code && !plain && !front;
		if (code && !joined)
			out_byte(out, '`');
		if (!first)
			out_byte(out, ' ');
		gsc_out_bytes(out, text, front);
		if (!plain && !joined)
			out_byte(out, '`');
		put_code(out, text + front, length - front - back);
		code = !plain;
		if (code && back) {
			out_byte(out, '`');
			code = false;
		}
		gsc_out_bytes(out, text + length - back, back);
		text += length;
	}
	if (code)
		out_byte(out, '`');
}

static void put_name(struct gsc_out *out, const char *text)
{
	out_byte(out, '`');
	put_code(out, text, strlen(text));
	out_byte(out, '`');
}

/* ---- facts ---------------------------------------------------------------------------------- */

/* The statements of a driver with these names, one after the other; `front` before each. */
static bool add_facts(const struct gsc_case *c, const char *names, const char *front,
		      struct text *s)
{
	bool any = false;

	for (size_t i = 0; c->hang && i < c->hang->facts.about.count; i++) {
		const struct gsc_about *about = &c->hang->facts.about.items[i].a;

		if (about->detail || !glob_list(names, about->name))
			continue;
		text_join(s, "; ", front);
		text_put(s, about->text);
		any = true;
	}
	return any;
}

static void add_gpu(const struct gsc_case *c, struct text *s)
{
	if (c->platform)
		text_add(s, "%s, %s", c->platform->name, c->platform->title);
	if (c->device >= 0)
		text_add(s, "%sdevice 0x%04x", s->used ? ", " : "", (unsigned)c->device);
	if (c->device >= 0 && c->revision >= 0)
		text_add(s, ", revision 0x%02x", (unsigned)c->revision);
}

static void add_driver(const struct gsc_case *c, struct text *s)
{
	char driver[80];

	text_put(s, case_driver(c, driver, sizeof(driver)));
	add_facts(c, "kernel", "kernel ", s);
}

static void add_firmware(const struct gsc_case *c, struct text *s)
{
	add_facts(c, "fw", "", s);
}

/* The line of the log has the process, too. */
static void add_hang(const struct gsc_case *c, struct text *s)
{
	if (!add_facts(c, "hang", "", s))
		add_facts(c, "process", "", s);
	add_facts(c, "reason time", "", s);
}

static const struct fact {
	const char *label;
	void (*add)(const struct gsc_case *c, struct text *s);
} facts[] = {
	{ "GPU", add_gpu }, { "driver", add_driver }, { "firmware", add_firmware },
	{ "hang", add_hang },
};

/* ---- what happened -------------------------------------------------------------------------- */

static void put_cell(struct gsc_out *out, bool known, uint64_t value)
{
	if (known)
		gsc_out_format(out, " `0x%08llx` |", LL(value));
	else
		gsc_out_text(out, " |");
}

/* That of the verdict, then others that are not idle, the worst first. */
static void put_engines(struct gsc_out *out, const struct gsc_hang *hang)
{
	static const enum gsc_engine_state states[] = { GSC_ENGINE_HUNG, GSC_ENGINE_WAITING,
							GSC_ENGINE_RUNNING, GSC_ENGINE_UNKNOWN };
	const struct gsc_engine *shown[ENGINES_MOST];
	size_t count = 0;

	if (hang->worst)
		shown[count++] = &hang->worst->e;
	for (size_t k = 0; k < ARRAY_SIZE(states); k++)
		for (size_t i = 0; i < hang->engines.count && count < ENGINES_MOST; i++) {
			const struct hang_engine *engine = &hang->engines.items[i];

			if (engine != hang->worst && engine->e.state == states[k] &&
			    engine->e.known)
				shown[count++] = &engine->e;
		}
	if (!count)
		return;
	gsc_out_end(out);
	gsc_out_line(out, "| engine | state | where | ACTHD | IPEHR |");
	gsc_out_line(out, "| --- | --- | --- | --- | --- |");
	for (size_t i = 0; i < count; i++) {
		gsc_out_text(out, "| ");
		put_words(out, shown[i]->name);
		gsc_out_format(out, " | %s | ", gsc_engine_state_word(shown[i]->state));
		put_words(out, shown[i]->where);
		gsc_out_text(out, " |");
		put_cell(out, shown[i]->known & GSC_KNOWN_ACTHD, plain_address(shown[i]->acthd));
		put_cell(out, shown[i]->known & GSC_KNOWN_IPEHR, shown[i]->ipehr);
		gsc_out_end(out);
	}
}

/* What the address is, where its walk ended, who asked for it. */
static void fault_words(struct gsc_hang *hang, size_t i, struct text *s)
{
	const struct gsc_fault *fault = &hang->faults.items[i];
	const struct gsc_translation *translation;
	struct gsc_cause cause;
	struct gsc_walk walk;
	char address[48], why[640] = "";

	text_add(s, "%s %s: %s", fault->engine, case_address(fault, address, sizeof(address)),
		 fault->type ? fault->type : "page fault");
	if (fault->access)
		text_add(s, ", %s", fault->access);
	if (fault->reg.name)
		text_add(s, ", %s 0x%llx", fault->reg.name, LL(fault->value));
	if (!gsc_hang_walk(hang, i, &walk, &translation, why, sizeof(why)))
		text_add(s, "%s%s", *why ? "; not walked: " : "", why);
	else if (walk.mapped)
		text_add(s, "; mapped to 0x%llx now", LL(walk.physical));
	else
		text_add(s, "; not mapped: %s", walk.stop_text);
	if (gsc_hang_cause(hang, i, &cause))
		text_add(s, "; %s %s of %s at %s:0x%llx", cause.stopped ? "cause:" : "set by",
			 cause.field, cause.command.name, cause.run.process ? "ppgtt" : "ggtt",
			 LL(cause.command.address));
}

static void put_item(struct gsc_out *out, const char *what, const char *text)
{
	gsc_out_format(out, "- %s", what);
	put_words(out, text);
	gsc_out_end(out);
}

static void put_faults(struct gsc_out *out, struct gsc_hang *hang)
{
	char buf[1600];
	size_t count = 0;

	for (size_t i = 0; i < hang->faults.count && count < FAULTS_MOST; i++) {
		struct text s = text_of(buf);

		if (!hang->faults.items[i].valid)
			continue;
		if (!count++)
			gsc_out_end(out);
		fault_words(hang, i, &s);
		put_item(out, "fault: ", buf);
	}
	for (size_t i = 0; i < hang->errors.count && count < FAULTS_MOST; i++) {
		const struct gsc_trouble *error = &hang->errors.items[i];
		struct text s = text_of(buf);

		if (!count++)
			gsc_out_end(out);
		text_add(&s, "%s%s%s 0x%llx: %s: %s", error->reg.engine ? error->reg.engine : "",
			 error->reg.engine ? "." : "", error->reg.name, LL(error->value),
			 error->name, error->text);
		put_item(out, "error: ", buf);
	}
}

/* Its main events; a log that stopped nothing has none. */
static void put_events(struct gsc_out *out, const struct gsc_case *c)
{
	struct gsc_event event;
	size_t count = 0;
	char buf[1200];

	gsc_log_rewind(c->log, c->view);
	while (case_event(c, &event)) {
		struct text s = text_of(buf);

		if (++count > EVENTS_MOST)
			continue;
		if (count == 1)
			gsc_out_end(out);
		text_add(&s, "%zu%s%s, %s%s%s: %s", event.line, *event.stamp ? " at " : "",
			 event.stamp, gsc_event_word(event.kind), *event.fault.engine ? " of " : "",
			 event.fault.engine, event.fault.text);
		if (event.repeats)
			text_add(&s, " (%u times)", event.repeats + 1);
		put_item(out, "line ", buf);
	}
	if (count > EVENTS_MOST)
		gsc_out_line(out, "- and %zu more", count - EVENTS_MOST);
}

/* ---- the whole ------------------------------------------------------------------------------ */

/* A fence ends where a line begins with one: these lines begin with names of commands. */
static void put_command(struct gsc_out *out, const char *command, const char *what)
{
	gsc_out_clean(out, command);
	gsc_out_line(out, "  # %s", what);
}

static void put_commands(struct gsc_out *out, const struct gsc_case *c, const char *attach)
{
	struct gsc_out see = { .fd = -1, .prefix = out->prefix, .options = out->options };

	if (c->hang && !c->log_first)
		out_see_it(&see, "", c->hang);
	gsc_out_bytes(&see, "", 1);
	if (!see.error && (see.size > 1 || attach)) {
		gsc_out_end(out);
		gsc_out_line(out, "```sh");
		if (see.size > 1)
			put_command(out, see.data, "shows where it stopped");
		if (attach)
			put_command(out, attach, "makes the file to attach");
		gsc_out_line(out, "```");
	}
	free(see.data);
}

void gsc_markdown_case(struct gsc_cases *cases, const struct gsc_case *c)
{
	const char *slash = strrchr(c->name, '/');
	struct gsc_out *out = cases->out;
	char error[512], known[900];
	struct gsc_knowns knowns;
	char buf[512];

	if (cases->several) {
		if (cases->tests++)
			gsc_out_end(out);
		/* Without the folders, which name users. */
		gsc_out_text(out, "### ");
		put_name(out, slash && slash[1] ? slash + 1 : c->name);
		gsc_out_end(out);
		gsc_out_end(out);
	}
	if (c->error) {
		/* What to try instead follows, with the names of folders. */
		string_set(error, "%.*s", (int)(strchrnul(c->error, ';') - c->error), c->error);
		gsc_out_text(out, "**Not readable:** ");
		put_words(out, error);
		gsc_out_end(out);
		return;
	}
	gsc_out_text(out, "**Verdict:** ");
	put_words(out, case_verdict(c));
	gsc_out_end(out);
	case_known(c, &knowns);
	for (size_t i = 0; i < knowns.count; i++) {
		gsc_out_end(out);
		put_words(out, gsc_known_text(&knowns.items[i], known, sizeof(known)));
		gsc_out_end(out);
	}
	gsc_out_end(out);
	/* The signature is the head of the table, which cannot go without one. */
	gsc_out_text(out, "| signature | ");
	put_name(out, case_signature(c));
	gsc_out_line(out, " by gpu-fault %s |", GSC_VERSION);
	gsc_out_line(out, "| --- | --- |");
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++) {
		struct text s = text_of(buf);

		facts[i].add(c, &s);
		if (!s.used)
			continue;
		gsc_out_format(out, "| %s | ", facts[i].label);
		put_words(out, buf);
		gsc_out_line(out, " |");
	}
	if (c->from) {
		gsc_out_text(out, "| from | ");
		put_words(out, c->from);
		gsc_out_line(out, " |");
	}
	if (!cases->several && c->hang && !c->log_first) {
		put_engines(out, c->hang);
		put_faults(out, c->hang);
	}
	if (!cases->several && c->log && (c->log_first || !c->hang))
		put_events(out, c);
	put_commands(out, c, cases->several ? NULL : c->attach);
	if (!cases->several && !c->hang && !c->attach) {
		gsc_out_end(out);
		gsc_out_line(out, "Attach the log itself.");
	}
}
