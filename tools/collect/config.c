/* SPDX-License-Identifier: MIT */
/* /etc/gpuscope/collect.conf, in the form of systemd's: limits of the store, and its contents. */
#include "collect.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define CONFIG "/etc/gpuscope/collect.conf"

struct unit {
	const char *name;
	uint64_t times;
};

static const struct unit sizes[] = {
	{ "", 1 }, { "K", 1 << 10 }, { "M", 1 << 20 }, { "G", 1 << 30 }, { "T", UINT64_C(1) << 40 },
	{ NULL, 0 },
};
static const struct unit times[] = {
	{ "", 1 }, { "s", 1 }, { "min", 60 }, { "h", 3600 }, { "d", 86400 }, { "day", 86400 },
	{ "days", 86400 }, { "w", 604800 }, { "week", 604800 }, { "weeks", 604800 },
	{ "month", 2629800 }, { "months", 2629800 }, { "y", 31557600 }, { "year", 31557600 },
	{ "years", 31557600 }, { NULL, 0 },
};
static const struct unit counts[] = { { "", 1 }, { NULL, 0 } };

/* "3month", "1G" */
static bool parse(const char *text, const struct unit *units, uint64_t *value)
{
	size_t digits = strspn(text, "0123456789");
	uint64_t number = 0;

	if (!digits || digits > 12)
		return false;
	for (size_t i = 0; i < digits; i++)
		number = number * 10 + (uint64_t)(text[i] - '0');
	text += digits;
	text += strspn(text, " ");
	for (; units->name; units++)
		if (!strcasecmp(text, units->name)) {
			*value = number * units->times;
			return number <= UINT64_MAX / units->times;
		}
	return false;
}

static bool take(struct limits *limits, const char *key, const char *text)
{
	static const char *const words[] = { "no", "yes", "false", "true", "off", "on", "0", "1" };
	const struct {
		const char *key;
		const struct unit *units;
		uint64_t *value;
		bool *word;
	} keys[] = {
		{ "MaxUse", sizes, &limits->use, NULL }, { "MaxAge", times, &limits->age, NULL },
		{ "MaxFiles", counts, &limits->files, NULL },
		{ "Redact", NULL, NULL, &limits->redact },
		{ "Release", NULL, NULL, &limits->release },
	};

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (strcmp(key, keys[i].key))
			continue;
		limits->release_given |= keys[i].word == &limits->release;
		if (keys[i].units)
			return parse(text, keys[i].units, keys[i].value);
		for (size_t k = 0; k < ARRAY_SIZE(words); k++)
			if (!strcasecmp(text, words[k])) {
				*keys[i].word = k % 2;
				return true;
			}
	}
	return false;
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && isspace((unsigned char)end[-1]))
		*--end = 0;
	return text + strspn(text, " \t");
}

/* For what cannot be read, the default is used, with a message. */
void limits_read(struct collect *c)
{
	const char *path = c->config ? c->config : CONFIG;
	FILE *file = fopen(path, "re");
	char line[512], what[600];
	unsigned number = 0;

	c->limits = (struct limits){ .use = 256 << 20, .age = 3 * UINT64_C(2629800), .files = 100,
				     .redact = true };
	if (!file && (errno != ENOENT || c->config))
		warn(&c->common, path, strerror(errno));
	while (file && fgets(line, sizeof(line), file)) {
		char *key = trim(line), *equals = strchr(key, '=');

		number++;
		if (!*key || strchr("#;[", *key))
			continue;
		if (equals) {
			*equals = 0;
			if (take(&c->limits, trim(key), trim(equals + 1)))
				continue;
		}
		string_set(what, "%s:%u", path, number);
		warn(&c->common, what, "not understood, ignored");
	}
	if (file)
		fclose(file);
	if (!c->limits.release_given)
		c->limits.release = !c->limits.redact;
}
