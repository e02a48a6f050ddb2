/* SPDX-License-Identifier: MIT */
/* Compares a hang or a log with problems that were reported in public. */
#include "hang/known.h"

#include "hang/firmware.h"
#include "log/log.h"

/* ---- versions of kernels -------------------------------------------------------------------- */

static bool is_version(char c)
{
	return is_digit(c) || c == '.';
}

/*
 * A distribution puts the version of its source at the end; without that "6.8.0-45-generic" says
 * only 6.8, and a kernel of RHEL, which has much of newer ones, nothing.
 */
static void upstream_version(struct slice text, char version[32])
{
	struct slice line = take_until(&text, "\n"), release = line, number;
	const char *debian = slice_find(line, " Debian "), *ubuntu = slice_find(line, "(Ubuntu ");
	unsigned dots = 0;

	*version = 0;
	release = take_word(&release);
	if (slice_find(release, ".el"))
		return;
	if (ubuntu) {
		release = take_until(&(struct slice){ ubuntu, line.end }, ")");
		while (release.end > release.at && memchr(release.at, ' ', slice_length(release)))
			release.at = (char *)memchr(release.at, ' ', slice_length(release)) + 1;
	} else if (debian && debian + 8 < line.end && is_digit(debian[8])) {
		release = (struct slice){ debian + 8, line.end };
	}
	number = take_while(&release, is_version);
	for (const char *at = number.at; at < number.end; at++)
		dots += *at == '.';
	if (dots < 1 || !slice_copy(number, version, 32)) {
		*version = 0;
		return;
	}
	/* "-45-generic", but "-rc3" is upstream. */
	if (!ubuntu && !debian && dots == 2 && slice_ends(number, ".0") &&
	    slice_length(release) > 1 && release.at[0] == '-' && is_digit(release.at[1]))
		version[slice_length(number) - 2] = 0;
}

/* ---- conditions ----------------------------------------------------------------------------- */

/* "Xorg [1981]": the name, without the number. */
static bool process_fits(const char *pattern, const char *process)
{
	char name[64];

	string_set(name, "%.*s", (int)strcspn(process, "["), process);
	for (size_t i = strlen(name); i && name[i - 1] == ' '; i--)
		name[i - 1] = 0;
	return *name && glob_match(pattern, name);
}

static bool words_fit(const char *words, struct slice log)
{
	struct slice lines = slice_string(words), line;
	char list[256];

	do {
		line = take_until(&lines, "\n");
		if (!slice_copy(line, list, sizeof(list)) || !text_has_any(log, list))
			return false;
	} while (take_text(&lines, "\n"));
	return true;
}

/* "guc:<70.20.0": the version of a kind that was found. */
static bool firmware_fits(const char *is, const struct gsc_firmwares *all)
{
	struct slice versions = slice_string(is), word = take_until(&versions, ":");

	for (size_t i = 0; all && i < all->count; i++)
		if (slice_is(word, firmware_words[all->items[i].kind]) &&
		    version_listed(versions.at + 1, all->items[i].found) > 0)
			return true;
	return false;
}

/* How many conditions it has; 0: one does not hold, or is not known to. */
static unsigned fits(const struct gsc_known *k, const struct known_case *c)
{
	const char *const *is = k->is;
	bool anywhere = k->item.platforms == UINT64_MAX;
	unsigned count = !anywhere;

	if ((!anywhere && (!c->platforms || c->platforms & ~k->item.platforms)) ||
	    (is[KNOWN_FIRMWARE] && !firmware_fits(is[KNOWN_FIRMWARE], c->firmware)) ||
	    (is[KNOWN_DRIVER] && (!c->driver || strcmp(is[KNOWN_DRIVER], c->driver))) ||
	    (is[KNOWN_KERNEL] && version_listed(is[KNOWN_KERNEL], c->kernel) <= 0) ||
	    (is[KNOWN_PROCESS] && (!c->process || !process_fits(is[KNOWN_PROCESS], c->process))) ||
	    (is[KNOWN_SIGNATURE] &&
	     (!c->signature || !glob_match(is[KNOWN_SIGNATURE], c->signature))) ||
	    (is[KNOWN_WORDS] && !words_fit(is[KNOWN_WORDS], c->log)))
		return 0;
	for (unsigned part = 0; part < KNOWN_CONDITIONS; part++)
		for (const char *line = is[part]; line; line = strchr(line + 1, '\n'))
			count++;
	return count;
}

/* Adds those that fit, and forgets those with the fewest conditions. */
static void find(struct gsc_knowns *found, const struct gsc_db *db, const struct known_case *c)
{
	struct gsc_known known;

	for (size_t at = 0; gsc_known_next(db, &at, &known);) {
		unsigned count = fits(&known, c);
		size_t i = 0;

		for (; count && i < found->count; i++)
			if (!strcmp(found->items[i].item.name, known.item.name))
				count = 0;
		while (i && found->conditions[i - 1] < count)
			i--;
		if (!count || i == KNOWN_MOST)
			continue;
		found->count = MIN(found->count + 1, KNOWN_MOST);
		for (size_t k = found->count - 1; k > i; k--) {
			found->items[k] = found->items[k - 1];
			found->conditions[k] = found->conditions[k - 1];
		}
		found->items[i] = known;
		found->conditions[i] = count;
	}
}

#define BANNER "Linux version "

/* Without its banner a boot has its kernel in traces: "Not tainted 6.5.0", "Tainted: G U 6.5". */
static void traced_kernel(struct slice log, char version[32])
{
	const char *at = slice_find(log, "ainted");
	struct slice line, word;

	*version = 0;
	while (at && !*version) {
		log.at = at + 6;
		line = take_until(&log, "\n");
		while (slice_length(word = take_word(&line)) && !is_digit(*word.at))
			;
		upstream_version((struct slice){ word.at, line.end }, version);
		at = slice_find(log, "ainted");
	}
}

/* One boot of a log. */
static void find_boot(struct gsc_knowns *found, const struct gsc_db *db, struct known_case *c,
		      struct slice log)
{
	struct gsc_firmwares firmware;

	firmware_read(&firmware, db, NULL, log, c->platforms);
	c->log = log;
	c->firmware = &firmware;
	find(found, db, c);
}

void known_find_log(struct gsc_knowns *found, const struct gsc_db *db, struct known_case *c,
		    struct slice log)
{
	const char *banner = slice_find(log, BANNER), *next;
	struct slice boot = { log.at, banner ? banner : log.end };

	traced_kernel(boot, c->kernel);
	find_boot(found, db, c, boot);
	for (; banner; banner = next) {
		log.at = banner + strlen(BANNER);
		next = slice_find(log, BANNER);
		boot = (struct slice){ log.at, next ? next : log.end };
		upstream_version(boot, c->kernel);
		find_boot(found, db, c, boot);
	}
}

/* ---- dumps, and words ----------------------------------------------------------------------- */

/* What the driver says about the dump: the first of a name. */
static const char *about(const struct gsc_hang *hang, const char *name)
{
	for (size_t i = 0; i < hang->facts.about.count; i++)
		if (!strcmp(hang->facts.about.items[i].a.name, name))
			return hang->facts.about.items[i].a.text;
	return NULL;
}

void gsc_hang_known(const struct gsc_hang *hang, struct gsc_knowns *found)
{
	const char *kernel = about(hang, "kernel");
	char driver[16];
	struct known_case c = {
		.platforms = UINT64_C(1) << hang->gpu->platform.index,
		.signature = hang->signature, .process = about(hang, "process"),
		.firmware = &hang->firmware,
	};

	*found = (struct gsc_knowns){ 0 };
	if (gsc_hang_is_none(hang))
		return;
	if (hang->gpu->source && driver_of_source(hang->gpu->source, driver, sizeof(driver)))
		c.driver = driver;
	upstream_version(slice_string(kernel ? kernel : ""), c.kernel);
	find(found, hang->gpu->view->db, &c);
}

const char *gsc_known_text(const struct gsc_known *known, char *buf, size_t size)
{
	const char *fixed = known->is[KNOWN_FIXED];

	snprintf(buf, size, "Reported before: %s (%s)%s%s", known->item.doc, known->is[KNOWN_LINK],
		 fixed ? "; reported fixed in " : "", fixed ? fixed : "");
	return buf;
}
