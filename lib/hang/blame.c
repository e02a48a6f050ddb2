/* SPDX-License-Identifier: MIT */
/*
 * Which engines a driver blames in the dump that it wrote: in the block of the engine, in the
 * headline, whose words and numbers have changed their meaning over time, or, if the dump ends
 * before the engines, by naming a process on only one of them.
 */
#include "hang/engine.h"

#include "db/engine.h"
#include "regs/regs.h"
#include "source/source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADLINE "GPU HANG"

bool engine_in_dump(const struct gsc_hang *hang)
{
	return source_has_hang(hang->gpu->source);
}

bool engine_in_trace(const struct gsc_hang *hang)
{
	return gsc_source_has(hang->gpu->source, GSC_SOURCE_AUB) && !engine_in_dump(hang);
}

/*
 * xe took its core dump after the GuC had reset an engine (xe_guc_submit.c, "Engine reset") up to
 * Linux 6.13, and does so now if the GuC's own capture did not arrive: the registers of the ring
 * are cleared, which are not 0 on any engine with a context, or those of what ran next.
 */
bool engine_was_reset(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	const unsigned ring = GSC_KNOWN_HEAD | GSC_KNOWN_TAIL | GSC_KNOWN_START | GSC_KNOWN_CONTROL;
	const struct gsc_engine *e = &engine->e;
	char key[40], source[16] = "";

	if (!e->blamed || !gsc_source_has(hang->gpu->source, GSC_SOURCE_DEVCOREDUMP))
		return false;
	snprintf(key, sizeof(key), "%s.Capture_source", e->name);
	hang_property(hang, key, source, sizeof(source));
	return (engine_left_job(hang, e) && strcmp(source, "GuC") != 0) ||
	       ((e->known & ring) == ring && !e->head && !e->tail && !e->start && !e->control &&
		!e->acthd);
}

/* ---- in the block of an engine -------------------------------------------------------------- */

/* "hung: 1", "hangcheck: hung [20]", "hangcheck action: dead", "hangcheck stall: yes". */
static bool blames(const char *key, const char *value)
{
	if (!name_compare(key, "blamed"))
		return true;
	if (!name_compare(key, "hung"))
		return *value == '1' || !name_compare_n(value, "yes", 3);
	if (!name_compare(key, "hangcheck stall"))
		return !strncmp(value, "yes", 3);
	return !name_compare_n(key, "hangcheck", 9) &&
	       (!strncmp(value, "hung", 4) || !strncmp(value, "dead", 4));
}

static bool is_of_engine(const struct hang_engine *engine, const struct gsc_property *p,
			 const char **key)
{
	size_t length = strlen(engine->e.name);

	*key = p->key + length + 1;
	return !strncmp(p->key, engine->e.name, length) && p->key[length] == '.';
}

static bool blamed_in_block(const struct gsc_hang *hang, const struct hang_engine *engine,
			    struct gsc_property *p)
{
	const char *key;

	for (size_t part = 0; part < gsc_source_count(hang->gpu->source); part++)
		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, p); i++)
			if (is_of_engine(engine, p, &key) && blames(key, p->value))
				return true;
	return false;
}

/* It means nothing if no engine is said to hang. */
bool engine_cleared(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	bool cleared = false, other = false;
	struct gsc_property p;
	const char *key, *dot;

	for (size_t part = 0; part < gsc_source_count(hang->gpu->source); part++) {
		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, &p); i++) {
			dot = strrchr(p.key, '.');
			if (!dot || name_compare(dot + 1, "hung"))
				continue;
			if (is_of_engine(engine, &p, &key))
				cleared = *p.value == '0';
			else
				other |= *p.value == '1';
		}
	}
	return cleared && other;
}

/* If blocks say for each engine whether it hung, the headline adds nothing. */
static bool blocks_tell(const struct gsc_hang *hang)
{
	struct gsc_property p;
	const char *key;

	for (size_t part = 0; part < gsc_source_count(hang->gpu->source); part++)
		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, &p); i++)
			for (size_t n = 0; n < hang->engines.count; n++)
				if (is_of_engine(&hang->engines.items[n], &p, &key) &&
				    (!name_compare(key, "hung") || blames(key, p.value)))
					return true;
	return false;
}

/* ---- in the headline, by name --------------------------------------------------------------- */

/* "hang on rcs0", "stuck on render ring"; the process before it may have any name. */
static bool names_engine(const char *headline, char *word, size_t size)
{
	static const char *const reasons[] = { "ang on ", "tuck on ", "eartbeat on " };
	const char *found = NULL;
	size_t length = 0;

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		for (const char *at = headline; (at = strstr(at, reasons[i]));) {
			at += strlen(reasons[i]);
			found = !found || at > found ? at : found;
		}
	if (!found)
		return false;
	while (isalnum((unsigned char)found[length]) && length < size - 1)
		length++;
	memcpy(word, found, length);
	word[length] = 0;
	return length;
}

/* ---- in the headline, by number ------------------------------------------------------------- */

/*
 * "ecode 12:1:85dffffb": a bit for each engine, or each class of engines (i915_gpu_error.c,
 * error_msg()). Linux 5.6 removed the code's "0x"; classes came after 5.10.
 */
struct mask {
	uint64_t bits;
	bool engines, classes;		/* it may be one of these */
};

#define KERNEL(a, b) ((a) * 1000 + (b))

/* 0: unknown. */
static unsigned kernel_of(const struct gsc_hang *hang)
{
	char text[128];
	unsigned major, minor;

	if (!hang_property(hang, "Kernel", text, sizeof(text)) ||
	    sscanf(text, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return KERNEL(major, minor);
}

/* A number with a reason is from Linux before 5.0, where it is the number of the first engine. */
static bool parse_mask(const struct gsc_hang *hang, const char *headline, struct mask *mask)
{
	unsigned kernel = kernel_of(hang);
	const char *text = headline;
	char *end;

	if (strncmp(text, "ecode ", 6) || strstr(text, ", reason: "))
		return false;
	(void)strtoull(text + 6, &end, 10);
	if (*end != ':' || !isxdigit((unsigned char)end[1]))
		return false;
	mask->bits = strtoull(end + 1, &end, 16);
	if (*end != ':')
		return false;
	mask->classes = strncmp(end, ":0x", 3) != 0;
	mask->engines = !mask->classes;
	if (!mask->classes)
		return true;
	/* A form newer than its kernel has been backported. */
	mask->engines = kernel < KERNEL(5, 12);
	mask->classes = kernel < KERNEL(5, 6) || kernel > KERNEL(5, 10);
	return true;
}

/* The only engine of its class, or the only one with work. */
static bool is_alone(const struct gsc_hang *hang, const struct hang_engine *engine)
{
	size_t count = 0, working = 0;

	for (size_t i = 0; i < hang->engines.count; i++) {
		const struct hang_engine *other = &hang->engines.items[i];

		if (other->class != engine->class)
			continue;
		count++;
		working += engine_has_work(&other->e);
	}
	return count == 1 || (working == 1 && engine_has_work(&engine->e));
}

enum blame { BLAME_NONE, BLAME_PERHAPS, BLAME_SURE };

static enum blame blamed_by_mask(const struct gsc_hang *hang, const struct hang_engine *engine,
				 const char *headline)
{
	bool by_engine, by_class;
	unsigned number;
	struct mask mask;

	if (!parse_mask(hang, headline, &mask))
		return BLAME_NONE;
	by_engine = mask.engines && engine_number(engine->e.name, ENGINE_ID, &number) &&
		    mask.bits >> number & 1;
	by_class = mask.classes && engine_number(engine->e.name, ENGINE_UAPI, &number) &&
		   mask.bits >> number & 1;
	if (!by_engine && !by_class)
		return BLAME_NONE;
	if ((mask.engines && !by_engine) || (mask.classes && !by_class) ||
	    (by_class && !is_alone(hang, engine)))
		return BLAME_PERHAPS;
	return BLAME_SURE;
}

/* ---- both ----------------------------------------------------------------------------------- */

static enum blame blamed_in_headline(const struct gsc_hang *hang, const struct hang_engine *engine,
				     char *headline, size_t size)
{
	char word[32];

	if (!hang_property(hang, HEADLINE, headline, size))
		return BLAME_NONE;
	if (names_engine(headline, word, sizeof(word)))
		return engine_meant(word, engine->e.name) ? BLAME_SURE : BLAME_NONE;
	return blocks_tell(hang) ? BLAME_NONE : blamed_by_mask(hang, engine, headline);
}

/* The process on this engine, if a dump without any state of engines names no other engine's. */
static bool only_active(const struct gsc_hang *hang, const struct hang_engine *engine,
			struct gsc_property *p)
{
	struct gsc_property active;
	const char *dot;
	size_t own = 0, all = 0;

	for (size_t i = 0; i < hang->engines.count; i++)
		if (hang->engines.items[i].e.known)
			return false;
	for (size_t part = 0; part < gsc_source_count(hang->gpu->source); part++) {
		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, &active); i++) {
			dot = strchr(active.key, '.');
			if (!dot || strcmp(dot, ".active process"))
				continue;
			all++;
			if (!is_of_engine(engine, &active, &dot))
				continue;
			*p = active;
			own++;
		}
	}
	return own && all == own;
}

/* Its class may be in the headline's code; a code of other engines contradicts it. */
static bool blamed_by_process(const struct gsc_hang *hang, const struct hang_engine *engine,
			      enum blame headline, struct gsc_property *p)
{
	char text[160], word[32];
	struct mask mask;

	if (!only_active(hang, engine, p) || blocks_tell(hang))
		return false;
	return headline != BLAME_NONE || !hang_property(hang, HEADLINE, text, sizeof(text)) ||
	       (!names_engine(text, word, sizeof(word)) && !parse_mask(hang, text, &mask));
}

/* "vcs1" for vcs2, if i915 counts only those engines that are there; else "". */
static bool i915_name(const struct gsc_hang *hang, const struct hang_engine *engine, char *name,
		      size_t size)
{
	char key[40];

	*name = 0;
	snprintf(key, sizeof(key), "%s.i915 name", engine->e.name);
	return hang_property(hang, key, name, size);
}

bool engine_blamed(const struct gsc_hang *hang, const struct hang_engine *engine, char *text,
		   size_t size)
{
	char headline[160], name[16];
	struct gsc_property p;
	enum blame blame;

	if (blamed_in_block(hang, engine, &p)) {
		if (text && strstr(p.key, ".blamed"))
			snprintf(text, size, "the dump was written because of work on %s: %.120s",
				 engine->e.name, p.value);
		else if (text)
			snprintf(text, size, "the dump says \"%s: %.160s\"", p.key, p.value);
		return true;
	}
	blame = blamed_in_headline(hang, engine, headline, sizeof(headline));
	if (blame == BLAME_SURE && text)
		snprintf(text, size, "the dump says \"" HEADLINE ": %s\"", headline);
	if (blame == BLAME_SURE)
		return true;
	if (!blamed_by_process(hang, engine, blame, &p))
		return false;
	if (text)
		snprintf(text, size, "the dump has an active process on this engine alone%s%s: "
			 "%.120s%s", i915_name(hang, engine, name, sizeof(name))
			 ? ", which i915 calls " : "", name, p.value,
			 blame == BLAME_PERHAPS ? "; the class in its hang code fits" : "");
	return true;
}

bool engine_perhaps_blamed(const struct gsc_hang *hang, const struct hang_engine *engine,
			   char *text, size_t size)
{
	char headline[120];

	if (blamed_in_headline(hang, engine, headline, sizeof(headline)) != BLAME_PERHAPS)
		return false;
	snprintf(text, size, "\"" HEADLINE ": %s\" may mean this engine: its second number is a "
		 "mask of engines up to Linux 5.10, and of classes of them since", headline);
	return true;
}
