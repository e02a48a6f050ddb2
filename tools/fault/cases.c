/* SPDX-License-Identifier: MIT */
/*
 * gpu-fault --markdown, --junit, --sarif: each source is a case, which library functions write. The
 * output begins with the first of them, so wrong usage writes nothing.
 */
#include "fault.h"
#include "util/text.h"

#include <stdlib.h>

static const struct form {
	size_t option;			/* its flag in struct fault */
	void (*begin)(struct gsc_cases *cases);
	void (*put)(struct gsc_cases *cases, const struct gsc_case *c);
	void (*end)(struct gsc_cases *cases);
} forms[] = {
	{ offsetof(struct fault, markdown), NULL, gsc_markdown_case, NULL },
	{ offsetof(struct fault, junit), gsc_junit_begin, gsc_junit_case, gsc_junit_end },
	{ offsetof(struct fault, sarif), gsc_sarif_begin, gsc_sarif_case, gsc_sarif_end },
};

static const struct form *form_of(const struct common *common)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (*(const bool *)((const char *)common + forms[i].option))
			return &forms[i];
	return NULL;
}

bool wants_cases(const struct common *common)
{
	return form_of(common);
}

enum gsc_status report_open(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = output_open(common, !wants_json(common) && !wants_cases(common),
					     err);

	if (!status && wants_cases(common))
		common->out->width = 0;
	return status;
}

static enum gsc_status put(struct common *common, const struct gsc_case *c, struct gsc_error *err)
{
	struct gsc_cases *cases = &((struct fault *)common)->cases;
	const struct form *form = form_of(common);
	enum gsc_status status = common->out ? GSC_OK : report_open(common, err);

	if (status)
		return status;
	if (!cases->out) {
		cases->out = common->out;
		cases->db = common->db;
		cases->several = common->operand_count > 1;
		if (form->begin)
			form->begin(cases);
	}
	form->put(cases, c);
	return GSC_OK;
}

/* ---- what to attach ------------------------------------------------------------------------- */

/* "hang:", "hang:3", "hang:/srv/hangs/3": gpu-collect makes the archive of it. */
static bool attach_hang(const char *spec, char *buf, size_t size)
{
	const char *path = spec + strlen("hang:"), *slash = strrchr(path, '/');
	char folder[HINT_SIZE] = "", quoted[HINT_SIZE] = "";

	if (strncmp(spec, "hang:", strlen("hang:")))
		return false;
	if (slash) {
		string_set(folder, "%.*s", (int)(slash - path), path);
		shell_quoted(folder, quoted, sizeof(quoted));
	}
	path = slash ? slash + 1 : path;
	snprintf(buf, size, "gpu-collect %s%s%sexport -o hang.tar.zst%s%s", slash ? "-D " : "",
		 quoted, slash ? " " : "", *path ? " " : "", path);
	return true;
}

const char *case_attachment(struct common *common, bool capture, char *buf, size_t size)
{
	const char *file = common->operand_count ? common->operands[0] : NULL;
	const char *spec = file ? file : common->from.count ? common->from.items[0] : "";
	char command[HINT_SIZE];

	if (attach_hang(spec, buf, size))
		return buf;
	if (!capture)
		return NULL;
	hints_set(common, file, false);
	snprintf(buf, size, "%s save --redact -o hang.tar.zst",
		 hint_command(common, "snap", command, sizeof(command)));
	return buf;
}

/* ---- cases ---------------------------------------------------------------------------------- */

enum gsc_status case_put(struct common *common, struct gsc_case *c, struct gsc_error *err)
{
	const char *file = ((struct fault *)common)->file;
	size_t count;
	const char **names = source_names(common->source, &count);
	enum gsc_status status;

	if (!names)
		return err_memory(err);
	if (!c->name)
		c->name = file ? input_name(file) :
			  common->from.count ? input_name(common->from.items[0]) :
			  count ? names[0] : "source";
	c->platform = common->platform_guessed || !common->gpu ? NULL : platform_of(common);
	c->view = view_of(common);
	c->device = common->device;
	c->revision = common->revision;
	status = put(common, c, err);
	free(names);
	return status;
}

enum gsc_status case_put_error(struct common *common, const char *name, const char *why,
			       struct gsc_error *err)
{
	return put(common, &(struct gsc_case){ .name = name, .error = why }, err);
}

enum gsc_status cases_end(struct common *common, enum gsc_status status, struct gsc_error *err)
{
	struct gsc_cases *cases = &((struct fault *)common)->cases;
	const struct form *form = form_of(common);
	struct gsc_error ignored = { 0 };

	if (!cases->out && status && status != GSC_USAGE && *err->why)
		case_put_error(common, *err->what ? err->what : "source", err->why, &ignored);
	if (cases->out && form->end)
		form->end(cases);
	return status;
}
