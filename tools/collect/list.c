/* SPDX-License-Identifier: MIT */
/* gpu-collect list, info and clean: the contents of the store. */
#include "collect.h"
#include "open/open.h"

#include <fnmatch.h>
#include <unistd.h>

#define TEXT 13
#define LOG_SHOWN 12			/* lines */

/* ---- which ----------------------------------------------------------------------------------- */

static bool word_matches(const struct hang *hang, const char *word)
{
	static const enum field patterns[] = { HANG_SIGNATURE, HANG_PLATFORM, HANG_ENGINE,
					       HANG_PROCESS, HANG_DEVICE, HANG_DRIVER };
	const char *value = strchr(word, '='), *number = strrchr(word, ':');
	char name[256];

	for (size_t i = 0; value && i < FIELDS; i++)
		if (strlen(field_names[i]) == (size_t)(value - word) &&
		    !strncmp(word, field_names[i], (size_t)(value - word)))
			return !strcmp(value + 1, hang->text[i]);
	if (!strcmp(number && !strncmp(word, "hang:", 5) ? number + 1 : word,
		    hang->text[HANG_NUMBER]))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(patterns); i++) {
		string_set(name, "%.250s", hang->text[patterns[i]]);
		if (!fnmatch(word, name, 0))
			return true;
		if (patterns[i] == HANG_PROCESS && strstr(name, " ["))
			*strstr(name, " [") = 0;
		if (!fnmatch(word, name, 0))
			return true;
	}
	return false;
}

/* Its number, "FIELD=VALUE", or a pattern for its signature and other fields. */
static bool hang_matches(const struct common *common, const struct hang *hang)
{
	for (size_t i = 0; i < common->operand_count; i++)
		if (!word_matches(hang, common->operands[i]))
			return false;
	return true;
}

struct hang *hang_chosen(struct collect *c, struct gsc_error *err)
{
	for (size_t i = c->store.count; i-- > 0;)
		if (hang_matches(&c->common, &c->store.hangs[i]))
			return &c->store.hangs[i];
	err_set(err, GSC_UNKNOWN, c->store.path, "%s", c->store.count
		? "no such hang; gpu-collect list shows those that were collected"
		: "no hang was collected; is the service running? try: systemctl status "
		  "gpuscope-collect");
	return NULL;
}

const char *hang_spec(const struct store *store, const struct hang *hang, char *buf, size_t size)
{
	bool usual = !strcmp(store->path, GSC_HANGS);

	snprintf(buf, size, "hang:%s%s%s", usual ? "" : store->path, usual ? "" : "/",
		 hang->text[HANG_NUMBER]);
	return buf;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void put_time(struct gsc_out *out, uint64_t seconds)
{
	time_t time = (time_t)seconds;
	char text[64] = "?";
	struct tm tm;

	if (localtime_r(&time, &tm))
		strftime(text, sizeof(text), "%a %Y-%m-%d %H:%M:%S %Z", &tm);
	gsc_out_text(out, text);
}

/* "expired": it existed; "none": the kernel kept nothing. */
static const char *presence(const struct store *store, const struct hang *hang)
{
	return !*hang->text[HANG_CAPTURE] ? "none"
	       : store_present(store, hang) ? "present" : "expired";
}

static const struct column {
	const char *title;
	unsigned at;
	enum field field;
} columns[] = {
	{ "HANG", 0, HANG_NUMBER }, { "LAST", 6, HANG_LAST }, { "PLATFORM", 37, HANG_PLATFORM },
	{ "ENGINE", 47, HANG_ENGINE }, { "PROCESS", 55, HANG_PROCESS }, { "COUNT", 77, HANG_COUNT },
	{ "CAPTURE", 84, HANG_CAPTURE }, { "SIGNATURE", 93, HANG_SIGNATURE },
};

static void list_text(const struct collect *c)
{
	struct gsc_out *out = c->common.out;

	gsc_out_style(out, GSC_STYLE_BOLD);
	for (size_t k = 0; !c->common.quiet && k < ARRAY_SIZE(columns); k++) {
		if (k)
			gsc_out_pad(out, columns[k].at);
		gsc_out_text(out, columns[k].title);
	}
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (!c->common.quiet)
		gsc_out_end(out);
	for (size_t i = 0; i < c->store.count; i++) {
		const struct hang *hang = &c->store.hangs[i];

		if (!hang_matches(&c->common, hang))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(columns); k++) {
			const char *text = hang->text[columns[k].field];

			if (k)
				gsc_out_pad(out, columns[k].at);
			if (columns[k].field == HANG_NUMBER)
				gsc_out_format(out, "%4s", text);
			else if (columns[k].field == HANG_LAST)
				put_time(out, hang_number(hang, HANG_LAST));
			else if (columns[k].field == HANG_CAPTURE)
				gsc_out_text(out, presence(&c->store, hang));
			else
				gsc_out_clean(out, *text ? text : "-");
		}
		gsc_out_end(out);
	}
}

/* ---- JSON ------------------------------------------------------------------------------------ */

KEYS(collectedHang)
static void json_hang(struct gsc_json *json, const struct store *store, const struct hang *hang)
{
	KEY(number, "hang", hang_number(hang, HANG_NUMBER), "Its number, for hang:N.");
	KEY(number, "time", hang_number(hang, HANG_TIME),
	    "When the first of its kind was collected, seconds since 1970.");
	KEY(number, "last", hang_number(hang, HANG_LAST), "When the last was.");
	KEY(number, "count", hang_number(hang, HANG_COUNT),
	    "How many hangs of this kind there were in this boot.");
	KEY(text, "signature", hang->text[HANG_SIGNATURE]);
	KEY(text, "verdict", hang->text[HANG_VERDICT]);
	KEY(some_text, "platform", hang->text[HANG_PLATFORM]);
	KEY(some_text, "engine", hang->text[HANG_ENGINE]);
	KEY(some_text, "process", hang->text[HANG_PROCESS]);
	KEY(some_text, "device", hang->text[HANG_DEVICE]);
	KEY(some_text, "pci_id", hang->text[HANG_PCI_ID]);
	KEY(some_text, "driver", hang->text[HANG_DRIVER]);
	KEY(some_text, "kernel", hang->text[HANG_KERNEL], "Its release.");
	KEY(some_text, "boot", hang->text[HANG_BOOT], "The id of the boot.");
	KEY(flag, "redacted", *hang->text[HANG_REDACTED]);
	KEY(text, "capture", presence(store, hang), ONE_OF("present", "expired", "none"));
	KEY(some_text, "file", store_capture(hang), "In the store.");
	KEY(some_text, "why", hang->text[HANG_WHY], "Why there is no capture.");
}

SCHEMA(collect, COLLECT_SCHEMA, "gpu-collect list and info --json",
       "One document. With --ndjson the first line is the document without hangs, and each further "
       "line one of them.", FORMS(collected))

KEYS(collected)
static void print_json(const struct collect *c)
{
	struct gsc_json document, *json = &document;
	const char *path = c->store.path;

	gsc_json_begin(json, c->common.out, c->common.ndjson);
	gsc_json_head(json, COLLECT_SCHEMA, NULL, -1, &path, 1);
	KEY_LIST("hangs", OF(collectedHang));
	for (size_t i = 0; i < c->store.count; i++)
		if (hang_matches(&c->common, &c->store.hangs[i]))
			ITEM(json_hang(json, &c->store, &c->store.hangs[i]));
	gsc_json_finish(json);
}

/* ---- the commands ---------------------------------------------------------------------------- */

enum gsc_status hang_list_run(struct common *common, struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;
	enum gsc_status status = store_open(c, false, err);

	if (!status && !wants_json(common) && (!c->store.count || common->operand_count) &&
	    !hang_chosen(c, err))
		status = err->status;
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		(wants_json(common) ? print_json : list_text)(c);
	store_close(&c->store);
	return status;
}

static void put_line(struct gsc_out *out, const char *label, const char *text)
{
	if (!*text)
		return;
	text_styled(out, GSC_STYLE_CYAN, label);
	gsc_out_pad(out, TEXT);
	gsc_out_clean(out, text);
	gsc_out_end(out);
}

/* The last lines of the kernel's log that are about graphics. */
static void put_log(const struct collect *c, const struct hang *hang)
{
	char text[4096], name[64], *line = text, *next;
	ssize_t size = 0;
	size_t lines = 0;
	off_t end;
	int fd;

	string_set(name, "hang-%.20s.log", hang->text[HANG_NUMBER]);
	fd = store_file(&c->store, name);
	if (fd < 0)
		return;
	end = lseek(fd, 0, SEEK_END);
	if (end > 0)
		size = pread(fd, text, sizeof(text) - 1, end > (off_t)sizeof(text) - 1
			     ? end - (off_t)sizeof(text) + 1 : 0);
	close(fd);
	text[size > 0 ? size : 0] = 0;
	for (char *at = text + strlen(text); at > text && lines <= LOG_SHOWN; at--)
		if (at[-1] == '\n' && lines++ == LOG_SHOWN)
			line = at;
	for (; *line; line = next) {
		next = line + strcspn(line, "\n");
		if (*next)
			*next++ = 0;
		put_line(c->common.out, line == text || lines ? "log" : "", line);
		lines = 0;
	}
}

static void info_text(const struct collect *c, const struct hang *hang)
{
	static const struct {
		const char *label;
		enum field field;
	} lines[] = {
		{ "signature", HANG_SIGNATURE }, { "platform", HANG_PLATFORM },
		{ "engine", HANG_ENGINE }, { "process", HANG_PROCESS }, { "device", HANG_DEVICE },
		{ "driver", HANG_DRIVER }, { "kernel", HANG_KERNEL }, { "boot", HANG_BOOT },
	};
	struct gsc_out *out = c->common.out;
	char spec[PATH_MAX + 64];

	put_line(out, "hang", hang->text[HANG_NUMBER]);
	gsc_out_text(out, "time");
	gsc_out_pad(out, TEXT);
	put_time(out, hang_number(hang, HANG_TIME));
	if (hang_number(hang, HANG_COUNT) > 1) {
		gsc_out_format(out, "; %s in this boot, the last ", hang->text[HANG_COUNT]);
		put_time(out, hang_number(hang, HANG_LAST));
	}
	gsc_out_end(out);
	put_line(out, "verdict", hang->text[HANG_VERDICT]);
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		put_line(out, lines[i].label, hang->text[lines[i].field]);
	string_set(spec, "%s%s%s%s", presence(&c->store, hang),
		   *hang->text[HANG_REDACTED] ? ", redacted" : "",
		   *hang->text[HANG_WHY] ? ": " : "", hang->text[HANG_WHY]);
	put_line(out, "capture", spec);
	put_log(c, hang);
	if (!store_present(&c->store, hang))
		return;
	gsc_out_text(out, "try");
	gsc_out_pad(out, TEXT);
	gsc_out_text(out, "gpu-fault ");
	gsc_out_clean(out, hang_spec(&c->store, hang, spec, sizeof(spec)));
	gsc_out_end(out);
}

/* Of all that match; without a MATCH of the last. */
enum gsc_status hang_info_run(struct common *common, struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;
	enum gsc_status status = store_open(c, false, err);
	struct hang *last = status ? NULL : hang_chosen(c, err), *hang;
	bool first = true;

	if (!status && !last)
		status = err->status;
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status && wants_json(common)) {
		print_json(c);
	} else if (!status) {
		hang = common->operand_count ? c->store.hangs : last;
		for (; hang <= last; hang++) {
			if (!hang_matches(common, hang))
				continue;
			if (!first)
				gsc_out_end(common->out);
			first = false;
			info_text(c, hang);
		}
	}
	store_close(&c->store);
	return status;
}

enum gsc_status hang_clean_run(struct common *common, struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;
	bool chosen = c->all || common->operand_count;
	enum gsc_status status = GSC_OK;
	int error;

	if (c->all && common->operand_count)
		return usage_error(err, "--all", "cannot be combined with MATCH");
	limits_read(c);
	status = clock_now(&c->now, err);
	if (!status)
		status = store_open(c, true, err);
	if (!status && common->operand_count && !hang_chosen(c, err))
		status = err->status;
	if (!status) {
		store_clock(&c->store, c->now);
		error = store_remember(&c->store);
		for (size_t i = c->store.count; chosen && i-- > 0;)
			if (hang_matches(common, &c->store.hangs[i]))
				store_remove(&c->store, &c->store.hangs[i], true);
		if (!chosen)
			store_limit(&c->store, &c->limits, c->store.seen.clock);
		if (!chosen && c->store.count && (uint64_t)c->now > c->store.seen.clock + DAY)
			warn(common, "clock", "it has jumped, or the machine was off: captures "
			     "that are old only by that stay; remove them with: gpu-collect clean "
			     "MATCH");
		if (error)
			error = store_remember(&c->store);	/* there may be room now */
		if (error)
			status = err_errno(err, c->store.path, error);
	}
	store_close(&c->store);
	return status;
}
