/* SPDX-License-Identifier: MIT */
/* Files of definitions: compiled into a layer of a database, or checked. */
#include "dbc/build.h"
#include "dbc/files.h"
#include "db/db.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFINITIONS_MAX (16u << 20)

char *read_text_file(const char *path, size_t *size, struct gsc_error *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	char *text = NULL;
	ssize_t got = 0;

	if (fd < 0 || fstat(fd, &st) < 0) {
		err_errno(err, path, errno);
		goto out;
	}
	if (!S_ISREG(st.st_mode) || st.st_size > DEFINITIONS_MAX) {
		err_set(err, GSC_FAILED, path, S_ISDIR(st.st_mode) ? "is a directory"
				: S_ISREG(st.st_mode)		    ? "too large for definitions"
								    : "is not a file");
		goto out;
	}
	text = malloc((size_t)st.st_size + 1);
	if (!text) {
		err_memory(err);
		goto out;
	}
	for (*size = 0; *size < (size_t)st.st_size; *size += (size_t)got) {
		got = read(fd, text + *size, (size_t)st.st_size - *size);
		if (got <= 0)
			break;
	}
	if (got < 0) {
		err_errno(err, path, errno);
		free(text);
		text = NULL;
		goto out;
	}
	text[*size] = 0;
out:
	if (fd >= 0)
		close(fd);
	return text;
}

enum gsc_status gsc_db_add_file(struct gsc_db *db, const char *path, struct gsc_error *err)
{
	char where[sizeof(err->what)], more[sizeof(err->what)] = "";
	const struct gsc_finding *first;
	enum gsc_status status;
	struct build build;
	size_t size;
	void *blob;
	char *text = read_text_file(path, &size, err);

	if (!text)
		return err ? err->status : GSC_FAILED;
	build_init(&build, db);
	if (!build_parse(&build, path, text, size) || !build_finish(&build)) {
		status = err_memory(err);
	} else if (build.findings.count) {
		first = &build.findings.items[0];
		string_set(where, "%s:%u:%u", first->file, first->line, first->column);
		if (build.findings.count > 1)
			string_set(more, " (%zu more: gpu-db check %s)", build.findings.count - 1,
				   first->file);
		status = err_set(err, GSC_FAILED, where, "%s%s", first->text, more);
	} else {
		status = build_blob(&build, &blob, &size, err);
	}
	if (!status)
		status = db_add_layer(db, blob, path, err);
	build_free(&build);
	free(text);
	return status;
}

/* ---- checking them -------------------------------------------------------------------------- */

struct gsc_findings {
	struct build build;
	VEC(char *) texts;		/* of the files, in the build's order of them */
};

/* A finding about a whole definition points to the first word of its first line. */
static bool locate(const struct gsc_findings *f, struct gsc_finding *finding)
{
	for (size_t i = 0; !finding->source && i < f->texts.count; i++) {
		const char *at = f->texts.items[i];

		if (f->build.files.items[i] != finding->file)
			continue;
		for (unsigned number = finding->line; number > 1 && *at; number--) {
			at += strcspn(at, "\n");
			at += *at == '\n';
		}
		finding->source = strndup(at, strcspn(at, "\n"));
		if (!finding->source)
			return false;
		if (finding->column == 1)
			finding->column += (unsigned)strspn(finding->source, " \t");
	}
	return true;
}

static enum gsc_status parse_paths(struct gsc_findings *findings, const char *const *paths,
				   size_t count, struct gsc_error *err)
{
	struct build *build = &findings->build;

	for (size_t i = 0; i < count; i++) {
		char *text, **slot = vec_add(&findings->texts);
		size_t size;

		if (!slot)
			return err_memory(err);
		*slot = text = read_text_file(paths[i], &size, err);
		if (!text)
			return err ? err->status : GSC_FAILED;
		if (!build_parse(build, paths[i], text, size))
			return err_memory(err);
	}
	if (!build_finish(build))
		return err_memory(err);
	/* The meaning of faulty text is not checked. */
	if (!build->findings.count)
		build_check(build);
	for (size_t i = 0; i < build->findings.count; i++)
		build->failed |= !locate(findings, &build->findings.items[i]);
	return build->failed ? err_memory(err) : GSC_OK;
}

enum gsc_status gsc_check_files(struct gsc_findings **out, const struct gsc_db *db,
				const char *const *paths, size_t count, struct gsc_error *err)
{
	struct gsc_findings *f = calloc(1, sizeof(*f));
	enum gsc_status status;

	*out = NULL;
	if (!f)
		return err_memory(err);
	build_init(&f->build, db);
	f->build.whole = true;
	status = parse_paths(f, paths, count, err);
	if (status) {
		gsc_findings_free(f);
		return status;
	}
	*out = f;
	return GSC_OK;
}

const struct gsc_finding *gsc_finding_at(const struct gsc_findings *findings, size_t i)
{
	return i < findings->build.findings.count ? &findings->build.findings.items[i] : NULL;
}

#define COUNT_OF(vector, member)                                                                   \
	for (size_t i = 0; i < findings->build.vector.count; i++)                                  \
		count += !strcmp(build_text(&findings->build,                                      \
					    findings->build.vector.items[i].member), path)

size_t gsc_findings_items(const struct gsc_findings *findings, const char *path, enum gsc_kind kind)
{
	size_t count = 0;

	if (kind == GSC_REGISTER)
		COUNT_OF(regs, traits.file);
	else if (kind == GSC_COMMAND)
		COUNT_OF(commands, file);
	else if (kind == GSC_STRUCTURE)
		COUNT_OF(structs, file);
	else if (kind == GSC_ENTRY)
		COUNT_OF(entries, file);
	else if (kind == GSC_INSTRUCTION)
		COUNT_OF(instructions, file);
	else if (kind == GSC_TOPIC)
		COUNT_OF(topics, file);
	else if (kind == GSC_WORKAROUND)
		COUNT_OF(workarounds, file);
	else
		COUNT_OF(messages, file);
	return count;
}

void gsc_findings_free(struct gsc_findings *findings)
{
	if (!findings)
		return;
	for (size_t i = 0; i < findings->texts.count; i++)
		free(findings->texts.items[i]);
	vec_free(&findings->texts);
	build_free(&findings->build);
	free(findings);
}
