/* SPDX-License-Identifier: MIT */
/* What the hardware saw since the last command began, compared with what it should have. */
#include "script.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* [gpu1:]R|W[:bar0|bar2|config|ggtt][:FIRST[-LAST]][=VALUE][~NOTE] */
struct pattern {
	unsigned gpu;
	bool write, config, bar2, bar0;
	bool ggtt;
	uint64_t first, last;
	bool has_value;
	uint64_t value;
	char note[16];
};

static bool take(char **text, const char *word)
{
	size_t length = strlen(word);

	if (strncmp(*text, word, length))
		return false;
	*text += length;
	return true;
}

static bool parse_space(struct pattern *p, char **text)
{
	if (take(text, ":bar0"))
		p->bar0 = true;
	else if (take(text, ":bar2"))
		p->bar2 = true;
	else if (take(text, ":config"))
		p->config = true;
	else if (take(text, ":ggtt"))
		p->bar0 = p->ggtt = true;
	else
		return p->bar0 = p->bar2 = true;
	return true;
}

static bool parse_range(struct pattern *p, char **text)
{
	char *end;

	p->last = UINT64_MAX;
	if (**text != ':')
		return true;
	p->bar2 &= !p->bar0;
	p->first = p->last = strtoull(*text + 1, &end, 0);
	if (*end == '-')
		p->last = strtoull(end + 1, &end, 0);
	*text = end;
	return true;
}

/* A word that nobody uses would never be met. */
static bool known_note(const char *note)
{
	static const char *const notes[] = {
		"ack", "asleep", "clears", "hazard", "lost", "mailbox", "masked", "request", "ro",
		"shadowed", "submit", "ticks", "unmapped", "w1c", "zero",
	};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (!strcmp(notes[i], note))
			return true;
	return false;
}

static bool parse_pattern(struct pattern *p, char *text)
{
	*p = (struct pattern){ 0 };
	if (take(&text, "gpu1:"))
		p->gpu = 1;
	p->write = *text == 'W';
	if (*text != 'R' && *text != 'W')
		return false;
	text++;
	parse_space(p, &text);
	parse_range(p, &text);
	if (*text == '=') {
		p->has_value = true;
		p->value = strtoull(text + 1, &text, 0);
	}
	if (*text == '~') {
		snprintf(p->note, sizeof(p->note), "%s", text + 1);
		return known_note(text + 1);
	}
	return !*text;
}

static bool space_matches(const struct pattern *p, const struct access *a)
{
	return (a->space == SPACE_BAR0 && p->bar0) || (a->space == SPACE_BAR2 && p->bar2) ||
	       (a->space == SPACE_CONFIG && p->config);
}

static bool note_matches(const char *note, const struct access *a)
{
	return !*note || (a->hazard && !strcmp(note, "hazard")) ||
	       (a->note && !strcmp(a->note, note));
}

static bool matches(const struct machine *m, const struct pattern *p, const struct access *a)
{
	uint32_t start = p->ggtt ? m->gpus[p->gpu]->platform->ggtt_offset : 0;

	return a->gpu == p->gpu && a->write == p->write && space_matches(p, a) &&
	       a->offset >= start && a->offset - start >= p->first &&
	       a->offset - start <= p->last && (!p->has_value || a->value == p->value) &&
	       note_matches(p->note, a);
}

/* In this order; others may come between them. */
static bool check_seen(struct session *s, char *patterns)
{
	const struct log *log = &s->machine.log;
	size_t next = log->mark;
	struct pattern pattern;
	char *text;

	while ((text = word(&patterns))) {
		if (!parse_pattern(&pattern, text))
			return fail(s, "no access: %s", text);
		while (next < log->count && !matches(&s->machine, &pattern, &log->items[next]))
			next++;
		if (next++ >= log->count)
			return fail(s, "the hardware did not see %s", text);
	}
	return true;
}

static bool check_never(struct session *s, char *patterns)
{
	const struct log *log = &s->machine.log;
	struct pattern pattern;
	char *text;

	while ((text = word(&patterns))) {
		if (!parse_pattern(&pattern, text))
			return fail(s, "no access: %s", text);
		for (size_t i = log->mark; i < log->count; i++)
			if (matches(&s->machine, &pattern, &log->items[i]))
				return fail(s, "the hardware saw %s: offset 0x%x", text,
					    log->items[i].offset);
	}
	return true;
}

/* Registers by accesses of 32 bits only, and at least one of them. */
static bool check_width(struct session *s, char *nothing)
{
	const struct log *log = &s->machine.log;
	size_t seen = 0;

	(void)nothing;
	for (size_t i = log->mark; i < log->count; i++) {
		const struct access *a = &log->items[i];

		if (a->space != SPACE_BAR0 || a->offset >= first_gpu(s)->platform->ggtt_offset)
			continue;
		seen++;
		if (a->size != 4)
			return fail(s, "an access of %u bytes at 0x%x", a->size, a->offset);
	}
	return seen || fail(s, "no access of registers at all");
}

/* Each entry of the GGTT by one access of its size, and at least one of them. */
static bool check_entries(struct session *s, char *nothing)
{
	const struct log *log = &s->machine.log;
	const struct platform *p = first_gpu(s)->platform;
	size_t seen = 0;

	(void)nothing;
	for (size_t i = log->mark; i < log->count; i++) {
		const struct access *a = &log->items[i];

		if (a->space != SPACE_BAR0 || a->offset < p->ggtt_offset)
			continue;
		seen++;
		if (a->size != p->entry)
			return fail(s, "an access of %u bytes at 0x%x", a->size, a->offset);
	}
	return seen || fail(s, "no access of the GGTT at all");
}

/* With far more processes than processors, even processor time means little. */
static bool machine_is_busy(void)
{
	double load;

	return getloadavg(&load, 1) == 1 && load > 2 * (double)sysconf(_SC_NPROCESSORS_ONLN);
}

/* within SECONDS: of processor time for the boot and all commands since */
static bool check_within(struct session *s, char *rest)
{
	double used = machine_used(&s->machine);
	bool busy = machine_is_busy();
	uint64_t limit;

	printf("# boot and %u commands: %.1f s, %.1f s of processor time%s\n",
	       s->machine.commands, seconds() - s->machine.booted, used,
	       busy ? ", not judged: this machine is busy" : "");
	if (!number(rest, &limit))
		return fail(s, "within SECONDS");
	return busy || (used > 0 && used <= (double)limit) || fail(s, "%.1f s", used);
}

const struct directive seen_checks[] = {
	{ "saw", check_seen },
	{ "never", check_never },
	{ "loads-32", check_width },
	{ "whole-entries", check_entries },
	{ "within", check_within },
	{ 0 },
};
