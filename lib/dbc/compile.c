/* SPDX-License-Identifier: MIT */
/* The build's compiler of definitions: OUTPUT FILE... It reports every fault of every file. */
#include "dbc/build.h"
#include "db/db.h"

#include <stdio.h>
#include <string.h>

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
	ok = build_share_tails(b, &first) && parse_files(b, paths, count);
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
		const struct finding *f = &b.findings.items[i];

		fprintf(stderr, "data/%s:%u:%u: %s: %s\n", f->file, f->line, f->column, f->rule,
			f->text);
		if (f->source)
			fprintf(stderr, "  %s\n", f->source);
	}
	ok = ok && !b.findings.count && write_blob(&b, argv[1]);
	build_free(&b);
	return !ok;
}
