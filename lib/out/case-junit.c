/* SPDX-License-Identifier: MIT */
/*
 * Cases as JUnit's XML, which nearly every CI server reads: a source is a test, what went wrong its
 * failure. No standard describes the form; this is the common part of what Jenkins, GitLab and
 * others take: properties and times are left out.
 */
#include "out/case.h"

#include <stdlib.h>

#define SUITE "gpu-fault"
#define EVENTS_MOST 20

/* U+FFFE and U+FFFF are characters that XML has no way to write. */
static void put_text(struct gsc_out *out, const char *text)
{
	while (*text) {
		size_t length = *text == '\n' ? 1 : harmless_length(text);
		bool none = !strncmp(text, "\xef\xbf\xbe", 3) || !strncmp(text, "\xef\xbf\xbf", 3);

		if (!length || none)
			gsc_out_text(out, "?");
		else if (strchr("&<>\"", *text))
			gsc_out_text(out, *text == '&' ? "&amp;" : *text == '<' ? "&lt;" :
				     *text == '>' ? "&gt;" : "&quot;");
		else
			gsc_out_bytes(out, text, length);
		text += length ? length : 1;
	}
}

static void put_attribute(struct gsc_out *out, const char *name, const char *text)
{
	gsc_out_format(out, " %s=\"", name);
	put_text(out, text);
	gsc_out_text(out, "\"");
}

/* `class`: what is tested, after the suite's own name. */
static void case_begin(struct gsc_cases *cases, const char *class, const char *name,
		       const char *where)
{
	cases->tests++;
	gsc_out_text(&cases->later, "    <testcase classname=\"" SUITE);
	gsc_out_text(&cases->later, *class ? "." : "");
	put_text(&cases->later, class);
	gsc_out_text(&cases->later, "\" name=\"");
	put_text(&cases->later, name);
	gsc_out_text(&cases->later, *where ? ": " : "");
	put_text(&cases->later, where);
	gsc_out_line(&cases->later, "\">");
}

/* "<failure message="..." type="...">" */
static void put_result(struct gsc_out *out, const char *element, const char *message,
		       const char *type)
{
	gsc_out_format(out, "      <%s", element);
	put_attribute(out, "message", message);
	if (*type)
		put_attribute(out, "type", type);
	gsc_out_text(out, ">");
}

static void put_result_end(struct gsc_out *out, const char *element)
{
	gsc_out_line(out, "</%s>", element);
}

struct finding_of {
	struct gsc_cases *cases;
	const struct gsc_case *c;
};

/* A rule that could not be checked has not been broken. */
static bool put_finding(void *context, const struct gsc_breach *breach)
{
	const struct gsc_case *c = ((struct finding_of *)context)->c;
	struct gsc_cases *cases = ((struct finding_of *)context)->cases;
	const char *element = breach->unchecked ? "skipped" : "failure";

	case_begin(cases, breach->rule, c->name, breach->where);
	if (breach->unchecked)
		cases->skipped++;
	else
		cases->failures++;
	put_result(&cases->later, element, breach->text, breach->unchecked ? "" : breach->rule);
	put_result_end(&cases->later, element);
	gsc_out_line(&cases->later, "    </testcase>");
	return true;
}

void gsc_junit_begin(struct gsc_cases *cases)
{
	cases->later = (struct gsc_out){ .fd = -1 };
}

void gsc_junit_case(struct gsc_cases *cases, const struct gsc_case *c)
{
	struct gsc_out *out = &cases->later;

	case_begin(cases, "", c->name, "");
	if (c->error) {
		cases->errors++;
		put_result(out, "error", c->error, "unreadable");
		put_result_end(out, "error");
	} else if (case_failed(c)) {
		struct gsc_out text;
		struct gsc_event event;
		size_t count = 0;

		cases->failures++;
		put_result(out, "failure", case_verdict(c), case_signature(c));
		/* What gpu-fault prints of it. */
		text = (struct gsc_out){ .fd = -1, .prefix = cases->out->prefix,
					.options = cases->out->options };
		if (c->hang && !c->log_first) {
			gsc_text_verdict(&text, c->hang, 0);
			gsc_text_hang(&text, c->hang, 0);
		} else if (c->log) {
			gsc_log_rewind(c->log, c->view);
			while (count < EVENTS_MOST && case_event(c, &event)) {
				if (count++)
					gsc_out_end(&text);
				gsc_text_event(&text, &event, c->summary, 0);
			}
		}
		gsc_out_bytes(&text, "", 1);
		if (!text.error)
			put_text(&cases->later, text.data);
		free(text.data);
		put_result_end(out, "failure");
	} else if (case_unclear(c)) {
		cases->skipped++;
		put_result(out, "skipped", case_verdict(c), "");
		put_result_end(out, "skipped");
	} else {
		gsc_out_text(out, "      <system-out>");
		put_text(out, case_verdict(c));
		put_result_end(out, "system-out");
	}
	gsc_out_line(out, "    </testcase>");
	if (cases->findings)
		case_findings(c, put_finding, &(struct finding_of){ cases, c });
}

/* The counts come first, so everything else waits for them. */
void gsc_junit_end(struct gsc_cases *cases)
{
	struct gsc_out *out = cases->out;

	gsc_out_line(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
	gsc_out_line(out, "<testsuites>");
	gsc_out_line(out, "  <testsuite name=\"" SUITE "\" tests=\"%zu\" failures=\"%zu\" "
		     "errors=\"%zu\" skipped=\"%zu\">", cases->tests, cases->failures,
		     cases->errors, cases->skipped);
	gsc_out_bytes(out, cases->later.data, cases->later.size);
	gsc_out_line(out, "  </testsuite>");
	gsc_out_line(out, "</testsuites>");
	out->error = out->error ? out->error : cases->later.error;
	free(cases->later.data);
}
