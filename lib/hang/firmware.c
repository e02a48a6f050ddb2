/* SPDX-License-Identifier: MIT */
/*
 * The firmware that a driver found and wants. Logs and dumps name the file and its version; if they
 * do not say which one the driver wants, the definitions do, by platform and kernel.
 */
#include "hang/firmware.h"

#include "formats/kernel-log.h"
#include "source/part.h"

struct reading {
	struct gsc_firmwares *all;
	const struct gsc_db *db;
	uint64_t platforms;
	struct slice kernel;		/* "6.12.95+deb13-amd64 ...", to the end of its line */
	char driver[16];
};

static const char unknown[] = "unknown", wanted[] = "as wanted", old[] = "too old",
		  newer[] = "newer than wanted", new[] = "too new", missing[] = "missing";

#define NEAR 512			/* bytes of a line around what it is about */

/* ---- what is found -------------------------------------------------------------------------- */

/* The one of a kind with this path; if that is empty, the last one. NULL: there is no more room. */
static struct gsc_firmware *entry(struct reading *r, unsigned kind, struct slice path)
{
	struct gsc_firmwares *all = r->all;
	struct gsc_firmware *f = all->items + all->count;

	while (f-- > all->items)
		if (f->kind == kind && (path.at == path.end || slice_is(path, f->path)))
			return f;
	if (kind >= FIRMWARE_PACKAGE || all->count == FIRMWARE_MOST)
		return NULL;
	f = &all->items[all->count++];
	*f = (struct gsc_firmware){ .kind = kind, .state = unknown };
	if (!slice_copy(path, f->path, sizeof(f->path)))
		all->count--;
	string_set(f->driver, "%.7s", r->driver);
	return *f->path || path.at == path.end ? f : NULL;
}

/* The next version in the text. */
static void take(struct slice *text, char *buf, size_t size)
{
	struct slice version;

	if (!firmware_version(text, &version) || !slice_copy(version, buf, size))
		*buf = 0;
}

/* "6.12.95+deb13-amd64"; one of RHEL has much of newer kernels. */
static void take_kernel(struct reading *r, struct slice line)
{
	struct slice version, rest = take_until(&line, "\n"), kernel = rest;

	r->kernel = (struct slice){ NULL, NULL };
	if (firmware_version(&rest, &version) && !slice_find(slice_first(rest, 24), ".el"))
		r->kernel = (struct slice){ version.at, kernel.end };
}

/* Error 2, by its name or number. */
static bool says_missing(struct slice text)
{
	const char *code = slice_find(text, "-2");

	return slice_find(text, "-ENOENT") || slice_find(text, " not found") ||
	       slice_begins(text, ". Disabling") ||
	       (code && (code + 2 == text.end || !is_digit(code[2])));
}

/*
 * GuC firmware i915/mtl_guc_70.bin version 70.36.0
 * Finished loading DMC firmware i915/adlp_dmc.bin (v2.20)
 * GuC firmware i915/dg2_guc_70.bin (70.12.1) is recommended, but only PATH (70.11.0) was found
 * GuC firmware (70.44.1) is recommended, but only (70.20.0) was found in i915/tgl_guc_70.bin
 * GuC firmware xe/lnl_guc_70.bin: unexpected version: 69.0.3 != 70.29.2
 */
static void take_message(struct reading *r, struct slice line, struct slice path)
{
	struct slice front = { line.at, path.at }, tail = { path.end, line.end }, rest = line;
	bool only = slice_find(line, " is recommended, but only ");
	bool other = slice_find(tail, "unexpected version");
	struct gsc_firmware *f;

	/* The last path counts. */
	if (slice_find(tail, "but only i915/") || !(f = entry(r, firmware_kind(path), path)))
		return;
	string_set(f->driver, slice_begins(path, "xe/") || slice_find(front, "xe 0") ||
		   slice_find(front, "Using ") ? "xe" : "i915");
	rest.at = slice_find(line, "firmware") ?: path.end;
	if (only)
		take(&rest, f->wanted, sizeof(f->wanted));
	if (only || other || slice_begins(tail, " version ") || slice_begins(tail, " (v"))
		take(&rest, f->found, sizeof(f->found));
	if (other)
		take(&rest, f->wanted, sizeof(f->wanted));
	/* Then the driver gives the file up, with an error that says less. */
	f->state = other || f->state == new ? new :
		   !*f->found && says_missing(tail) ? missing : unknown;
}

/* The last boot counts, whose kernel may be named only in a trace: "Not tainted 6.1.0-13". */
static void read_log(struct reading *r, struct slice log)
{
	bool banner = slice_find(log, "Linux version ");
	const char *words = banner ? "Linux version " : "ainted";
	struct slice rest = log, path, line, near;
	struct gsc_firmware *f;

	while ((rest.at = slice_find(rest, words))) {
		rest.at += strlen(words);
		take_kernel(r, slice_first(rest, NEAR));
		log.at = banner ? rest.at : log.at;
	}
	rest = log;
	while (kernel_log_firmware(log, &rest, &path)) {
		near.at = path.at - MIN(path.at - log.at, NEAR);
		near.end = path.end + MIN(log.end - path.end, NEAR);
		line.at = memrchr(near.at, '\n', (size_t)(path.at - near.at)) ?: near.at;
		line.end = slice_char((struct slice){ path.end, near.end }, '\n') ?: near.end;
		take_message(r, line, path);
	}
	/* "Unsupported GuC v70.20.0! v70.29.2 or newer is required": which one it was, or none. */
	if ((log.at = slice_find(log, "Unsupported GuC v")) &&
	    (f = entry(r, FIRMWARE_GUC, slice_string("")))) {
		string_set(f->driver, "xe");
		take(&log, f->found, sizeof(f->found));
		take(&log, f->wanted, sizeof(f->wanted));
	}
}

/*
 * i915: "GuC firmware: PATH", and below "GuC firmware wanted: PATH" its "status: RUNNING" and
 * "version: wanted 70.5.1, found 70.1.1"; xe: "GuC firmware: PATH", "GuC version: 70.36.0 (wanted
 * 70.29.2)"; both: "DMC fw version: 2.16". What is not used has no path, and is version 0.0.0.
 */
static void take_property(struct reading *r, const struct part_property *p)
{
	bool below = slice_find(p->prefix, "uC firmware"), path = slice_ends(p->key, "uC firmware");
	struct slice name = below ? p->prefix : p->key, value = p->value;
	struct gsc_firmware *f = NULL;
	unsigned kind = 0;

	if (slice_is(p->key, "Kernel") || slice_is(p->key, "kernel"))
		take_kernel(r, value);
	while (kind < FIRMWARE_PACKAGE && !slice_named(slice_first(name, 3), firmware_words[kind]))
		kind++;
	if (path ? slice_char(value, '/') != NULL : below || slice_is(p->key, "GuC version") ||
	    slice_is(p->key, "DMC fw version"))
		f = entry(r, kind, path ? value : slice_string(""));
	if (!f)
		return;
	if (slice_ends(p->key, "version")) {
		if (take_text(&value, "wanted "))
			take(&value, f->wanted, sizeof(f->wanted));
		take(&value, f->found, sizeof(f->found));
		if (slice_begins(value, " (wanted "))
			take(&value, f->wanted, sizeof(f->wanted));
		if (!firmware_compare(f->found, "0.0.0"))
			*f->found = 0;
	} else if (slice_is(p->key, "status") && slice_is(value, "MISSING")) {
		f->state = missing;
	}
}

/* ---- what is wanted ------------------------------------------------------------------------- */

/* Whether the definition is about this kind of firmware, driver and kernel. */
static bool fits(const struct gsc_firmware *f, const struct gsc_firmware_file *file)
{
	return file->kind == f->kind && (!file->driver || !strcmp(file->driver, f->driver)) &&
	       firmware_kernel(file->kernel, f->kernel);
}

/*
 * The first file of each platform that loads this one, if they agree about it. The GPU of the
 * source may not be among these: a machine can have another one. A file with a text is for some
 * GPUs of its platforms only, and so says nothing unless it was found.
 */
static bool find_wanted(const struct reading *r, const struct gsc_firmware *f,
			struct gsc_firmware_file *first)
{
	struct gsc_firmware_file file;
	uint64_t platforms = 0;
	bool known = false;

	for (size_t i = 0; gsc_firmware_next(r->db, &i, &file);)
		if (fits(f, &file) && (!*f->path || !strcmp(file.item.name, f->path)))
			platforms |= file.item.platforms;
	if (!*f->path || platforms & r->platforms)
		platforms &= r->platforms;
	for (size_t i = 0; platforms && gsc_firmware_next(r->db, &i, &file);) {
		if (!fits(f, &file) || !(platforms & file.item.platforms) ||
		    (file.item.doc && *f->path && strcmp(file.item.name, f->path)))
			continue;
		if (known && strcmp(file.item.name, first->item.name))
			return false;
		platforms &= ~file.item.platforms;
		*first = file;
		known = true;
	}
	return known;
}

static void compare(const struct reading *r, struct gsc_firmware *f)
{
	struct gsc_firmware_file first = { .kind = FIRMWARE_KINDS };
	int order;

	if (!*f->kernel)
		take(&(struct slice){ r->kernel.at, r->kernel.end }, f->kernel, sizeof(f->kernel));
	if (find_wanted(r, f, &first)) {
		/* That of a GSC is the version of its interface, which logs do not name. */
		if (!*f->wanted && first.wants && f->kind != FIRMWARE_GSC)
			string_set(f->wanted, "%s", first.wants);
		if (!*f->wanted && *f->path && strcmp(first.item.name, f->path))
			string_set(f->wanted, "%s", first.item.name);
	} else if (!*f->wanted) {
		return;
	}
	if (f->state == missing || !*f->found)
		return;
	order = !*f->wanted ? 0 : strchr(f->wanted, '/') ? -1
						     : firmware_compare(f->found, f->wanted);
	f->state = order < 0 ? old : !order ? wanted : f->state == new ? new : newer;
}

/* Those whose words the kernel's version has, or, if there are none, all of them. */
static void name_packages(const struct reading *r)
{
	struct text s = text_of(r->all->packages);
	struct gsc_firmware_file file;

	for (unsigned all = 0; all < 2 && !s.used; all++) {
		r->all->one_system = !all;
		for (size_t i = 0; gsc_firmware_next(r->db, &i, &file);)
			if (file.kind == FIRMWARE_PACKAGE &&
			    (all || (file.kernel && slice_find(r->kernel, file.kernel)))) {
				text_join(&s, ", ", file.item.name);
				text_add(&s, " (%s)", file.item.doc);
			}
	}
}

/* What is not used says nothing; instead of a missing one the driver tries another. */
static bool is_left(const struct reading *r, const struct gsc_firmware *f)
{
	uint64_t platforms = firmware_platforms(r->db, slice_string(f->path));

	for (size_t i = 0; f->state == missing && i < r->all->count; i++) {
		const struct gsc_firmware *other = &r->all->items[i];

		if (other->kind == f->kind && (*other->found || other < f) &&
		    platforms & firmware_platforms(r->db, slice_string(other->path)))
			return false;
	}
	return *f->path || *f->found;
}

void firmware_read(struct gsc_firmwares *all, const struct gsc_db *db,
		   const struct gsc_source *source, struct slice log, uint64_t platforms)
{
	struct reading r = { .all = all, .db = db, .platforms = platforms };
	size_t left = 0;

	*all = (struct gsc_firmwares){ 0 };
	if (source)
		driver_of_source(source, r.driver, sizeof(r.driver));
	for (size_t i = 0; source && i < source->parts.count; i++)
		for (size_t n = 0; n < source->parts.items[i].properties.count; n++)
			take_property(&r, &source->parts.items[i].properties.items[n]);
	if (log.at)
		read_log(&r, log);
	for (size_t i = 0; i < all->count; i++)
		if (is_left(&r, &all->items[i])) {
			compare(&r, &all->items[i]);
			all->items[left++] = all->items[i];
		}
	all->count = left;
	name_packages(&r);
}

/* ---- words ---------------------------------------------------------------------------------- */

const char *firmware_text(const struct gsc_firmware *f, char *buf, size_t size)
{
	struct text s = text_begin(buf, size);
	bool says = *f->wanted && f->state != wanted;

	text_put(&s, f->path);
	if (says)
		text_add(&s, "%s%s%s%s wants %s", *f->path ? ": " : "", f->driver,
			 *f->kernel ? " of Linux " : "", f->kernel, f->wanted);
	if (*f->found)
		text_add(&s, "%sfound %s", says ? ", " : *f->path ? ": " : "", f->found);
	if (f->state != unknown)
		text_add(&s, ": %s", f->state);
	return buf;
}

bool firmware_matters(const struct gsc_firmware *f, const char *signature)
{
	const char *class = strrchr(signature, '/');

	return (f->state == old || f->state == new || f->state == missing) && class &&
	       strcmp(class, "/none") &&
	       (f->kind == FIRMWARE_GUC || strstr(class, firmware_words[f->kind]) ||
		strstr(class, "firmware"));
}
