/* SPDX-License-Identifier: MIT */
/* The build's compiler of definitions: OUTPUT FILE... It reports every fault of every file. */
#include "dbc/build.h"
#include "db/db.h"
#include "util/text.h"

/* The compiler has no built-in definitions; it makes them. */
const struct blob_header builtin_definitions;

/* The names of the files in the project: what follows "data/". */
static const char *short_name(const char *path)
{
	const char *data = strstr(path, "data/");

	for (const char *next; data && (next = strstr(data + 1, "data/"));)
		data = next;
	return data ? data + 5 : path;
}

/* ---- a string that is the end of another one has no bytes of its own ------------------------- */

struct tail {
	str_t from, to;			/* offsets in the strings before, and after */
	uint32_t host;			/* the string whose end it is, perhaps itself */
};

struct tails {
	const char *strings;
	struct tail *items;
	uint32_t *hosts;		/* in the order in which they were met */
	uint32_t count, host_count;
};

static const char *tail_text(const struct tails *t, uint32_t i)
{
	return t->strings + t->items[i].from;
}

/* Compares from the last letter to the first: strings with the same end become neighbours. */
static int compare_ends(const void *pa, const void *pb, void *strings)
{
	const char *a = (const char *)strings + ((const struct tail *)pa)->from;
	const char *b = (const char *)strings + ((const struct tail *)pb)->from;
	size_t i = strlen(a), k = strlen(b);

	while (i && k)
		if (a[--i] != b[--k])
			return (uint8_t)a[i] < (uint8_t)b[k] ? -1 : 1;
	return (i > k) - (i < k);
}

static int compare_hosts(const void *pa, const void *pb, void *items)
{
	const struct tail *tails = items;
	str_t a = tails[*(const uint32_t *)pa].from, b = tails[*(const uint32_t *)pb].from;

	return (a > b) - (a < b);
}

static bool lay_out(struct tails *t, struct build *b)
{
	for (uint32_t i = 0; i < t->host_count; i++) {
		const char *text = tail_text(t, t->hosts[i]);

		t->items[t->hosts[i]].to = build_string(b, text, strlen(text));
	}
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t host = t->items[i].host;

		if (host != i && !build_take_string(b, t->items[host].to +
						    (uint32_t)(strlen(tail_text(t, host)) -
							       strlen(tail_text(t, i)))))
			return false;
	}
	return !b->failed;
}

static bool share_tails(struct build *b, const struct build *from)
{
	struct tails t = {
		.strings = from->strings.items,
		.items = calloc(from->string_count + 1, sizeof(*t.items)),
		.hosts = calloc(from->string_count + 1, sizeof(*t.hosts)),
	};
	bool ok = t.items && t.hosts;

	if (ok) {
		for (size_t i = 0; i < from->string_slot_count; i++)
			if (from->string_slots[i])
				t.items[t.count++].from = from->string_slots[i];
		qsort_r(t.items, t.count, sizeof(*t.items), compare_ends, from->strings.items);
		for (uint32_t i = t.count; i-- > 0;) {
			bool shared =
				i + 1 < t.count &&
				slice_ends(slice_string(tail_text(&t, i + 1)), tail_text(&t, i));

			t.items[i].host = shared ? t.items[i + 1].host : i;
			if (!shared)
				t.hosts[t.host_count++] = i;
		}
		qsort_r(t.hosts, t.host_count, sizeof(*t.hosts), compare_hosts, t.items);
	}
	ok = ok && lay_out(&t, b);
	free(t.items);
	free(t.hosts);
	return ok;
}

/* ---- the build ------------------------------------------------------------------------------ */

static bool parse_file(struct build *b, const char *path)
{
	struct gsc_error err;
	size_t size;
	char *text = read_text_file(path, &size, &err);
	bool ok;

	if (!text) {
		fprintf(stderr, "%s: %s\n", err.what, err.why);
		return false;
	}
	ok = build_parse(b, short_name(path), text, size);
	free(text);
	return ok;
}

static bool write_blob(const struct build *b, const char *path)
{
	struct gsc_error err;
	size_t size;
	void *blob;
	FILE *file;
	bool ok;

	if (build_blob(b, &blob, &size, &err)) {
		fprintf(stderr, "%s: %s\n", err.what, err.why);
		return false;
	}
	file = fopen(path, "wb");
	ok = file && fwrite(blob, 1, size, file) == size;
	if (file)
		ok = !fclose(file) && ok;
	free(blob);
	if (!ok)
		perror(path);
	return ok;
}

static bool parse_files(struct build *b, char **paths, int count)
{
	bool ok = true;

	for (int i = 0; ok && i < count; i++)
		ok = parse_file(b, paths[i]);
	return ok;
}

/* All strings must be known before they can share space: sound text is parsed a second time. */
static bool parse_again(struct build *b, char **paths, int count)
{
	struct build first = *b;
	bool ok;

	build_init(b, NULL);
	ok = share_tails(b, &first) && parse_files(b, paths, count);
	build_free(&first);
	return ok;
}

int main(int argc, char **argv)
{
	struct build b;
	bool ok;

	if (argc < 3) {
		fprintf(stderr, "usage: compile OUTPUT FILE...\n");
		return 2;
	}
	build_init(&b, NULL);
	ok = parse_files(&b, argv + 2, argc - 2);
	if (ok && !b.findings.count)
		ok = parse_again(&b, argv + 2, argc - 2);
	ok = ok && build_finish(&b);
	if (ok && !b.findings.count)
		build_check(&b);
	for (size_t i = 0; i < b.findings.count; i++) {
		const struct gsc_finding *f = &b.findings.items[i];

		fprintf(stderr, "data/%s:%u:%u: %s: %s\n", f->file, f->line, f->column, f->rule,
			f->text);
		if (f->source)
			fprintf(stderr, "  %s\n", f->source);
	}
	ok = ok && !b.findings.count && write_blob(&b, argv[1]);
	build_free(&b);
	return !ok;
}
