/* SPDX-License-Identifier: MIT */
/*
 * The last messages between driver and GuC as a sequence: time goes downwards, an arrow is a
 * message. What it does to the engines, or says of them, is an arrow of the third lane. Those about
 * the context that hung are kept longer than others.
 */
#include "report.h"

#include "image/image.h"
#include "util/text.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 14, DRIVER_X = 14, GUC_X = 334, ENGINE_X = 446, FIRST_Y = 52, ROW_Y = 28,
       MORE_Y = 17, NO_CONTEXT = -1 };
#define UNKNOWN_CONTEXT 0xffffffff

/* An arrow, of alike ones in a row the last. */
struct talk_row {
	struct gsc_image_part part;
	size_t count;
	long long context;		/* or NO_CONTEXT */
	char mode[16];			/* "enable", "no space" */
	char engine[32];		/* its class, */
	unsigned instance;		/* and which one of it */
};

struct talk {
	struct talk_row rows[ROWS];
	size_t count, left_out;
	long long hung;			/* the context that did, or NO_CONTEXT */
};

/* What an action, with a mode if one is named, has to do with the engines; "": its mode. */
static const struct {
	const char *action, *word;
	bool from, bad;
	const char *mode;
} effects[] = {
	{ "SCHED_CONTEXT", "run", false, false, NULL },
	{ "SCHED_CONTEXT_MODE_SET", "", false, false, NULL },
	{ "SCHED_CONTEXT_MODE_DONE", "", true, false, NULL },
	{ "SCHED_ENGINE_MODE_SET", "", false, false, NULL },
	{ "CONTEXT_RESET_NOTIFICATION", "reset", false, true, NULL },
	{ "ENGINE_FAILURE_NOTIFICATION", "no reset", true, true, NULL },
	{ "STATE_CAPTURE_NOTIFICATION", "registers", true, false, "success" },
	{ "STATE_CAPTURE_NOTIFICATION", "", true, true, "no space" },
	{ "NOTIFY_MEMORY_CAT_ERROR", "bad access", true, true, NULL },
	{ "REPORT_PAGE_FAULT_REQ_DESC", "page fault", true, true, NULL },
};

/* ---- which ----------------------------------------------------------------------------------- */

static void read_fields(const struct report *r, struct talk_row *row)
{
	struct gsc_field_iter it;
	struct gsc_field field;

	row->context = NO_CONTEXT;
	if (!row->part.item)
		return;
	gsc_item_fields(r->view->db, r->view, row->part.item, row->part.words, row->part.count,
			&it);
	while (gsc_field_next(&it, &field)) {
		if (field.dword + field.hi / 32 >= row->part.count)
			continue;
		if (!strcmp(field.name, "CONTEXT_ID"))
			row->context = (long long)field.value;
		if ((!strcmp(field.name, "MODE") || !strcmp(field.name, "STATUS")) && field.text)
			string_set(row->mode, "%s", field.text);
		if (!strcmp(field.name, "ENGINE_CLASS") && field.text)
			string_set(row->engine, "%s", field.text);
		else if (!strcmp(field.name, "ENGINE_CLASS"))
			string_set(row->engine, "class %llu", LL(field.value));
		if (!strcmp(field.name, "INSTANCE"))
			row->instance = (unsigned)field.value;
	}
}

/* "A B A B" is A and B, twice each: they differ in a number only. */
static bool is_again(const struct talk_row *a, const struct talk_row *b)
{
	return !strcmp(a->part.name, b->part.name) && a->context == b->context &&
	       !strcmp(a->engine, b->engine) && a->instance == b->instance &&
	       !strcmp(a->mode, b->mode) && !strcmp(a->part.problem, b->part.problem);
}

static void add_row(struct talk *t, const struct talk_row *row)
{
	size_t old = 0;

	for (size_t i = t->count; i-- && i + 2 >= t->count;)
		if (is_again(&t->rows[i], row)) {
			t->rows[i].count++;
			return;
		}
	/* Before that the number was another context's. */
	if (row->context == t->hung && !strcmp(row->part.name, "REGISTER_CONTEXT"))
		while (t->count)
			t->left_out += t->rows[--t->count].count;
	if (t->count == ROWS) {
		while (old < ROWS / 2 && t->rows[old].context == t->hung)
			old++;
		t->left_out += t->rows[old].count;
		memmove(t->rows + old, t->rows + old + 1, (--t->count - old) * sizeof(*t->rows));
	}
	t->rows[t->count++] = *row;
}

/* The one that the dump is about, or else that was reset last. */
static long long hung_context(const struct report *r, const struct gsc_image *image)
{
	const struct driver_facts *facts = &r->hang->facts;
	struct talk_row row = { .context = NO_CONTEXT };
	long long hung = NO_CONTEXT;

	for (size_t i = 0; gsc_image_part(image, i, &row.part); i++) {
		if (strcmp(row.part.name, "CONTEXT_RESET_NOTIFICATION"))
			continue;
		read_fields(r, &row);
		hung = row.context == UNKNOWN_CONTEXT ? hung : row.context;
	}
	for (size_t i = 0; i < facts->requests.count; i++)
		if (facts->requests.items[i].kind == WORK_CONTEXT)
			hung = facts->requests.items[i].guc_id;
	return hung;
}

static void read_talk(const struct report *r, const struct gsc_image *image, struct talk *t)
{
	struct gsc_image_part part;

	t->hung = hung_context(r, image);
	for (size_t i = 0; gsc_image_part(image, i, &part); i++) {
		struct talk_row row = { .part = part, .count = 1 };

		if (!part.way)
			continue;
		read_fields(r, &row);
		add_row(t, &row);
	}
}

/* ---- the picture ----------------------------------------------------------------------------- */

/* An arrow ends a little before its lane. */
static void put_arrow(struct gsc_out *out, const char *class, int from, int to, int y)
{
	int step = to < from ? -1 : 1;

	html_put(out, "<path class=\"line %s\" d=\"M%d %dH%d\"/><path class=\"head %s\" "
		 "d=\"M%d %dl%d -5v10z\"/>\n", class, from, y, to - 10 * step, class, to - 2 * step,
		 y, -10 * step);
}

static void put_lane(struct gsc_out *out, const char *name, const char *anchor, int text_x, int x,
		     int bottom)
{
	html_put(out, "<path class=\"lane\" d=\"M%d 28V%d\"/><text class=\"top\" x=\"%d\" "
		 "y=\"18\" text-anchor=\"%s\">%s</text>\n", x, bottom, text_x, anchor, name);
}

static void put_effect(struct gsc_out *out, const struct talk_row *row, const char *class, int y)
{
	for (size_t i = 0; i < ARRAY_SIZE(effects); i++) {
		if (strcmp(row->part.name, effects[i].action) ||
		    (effects[i].mode && strcmp(row->mode, effects[i].mode)))
			continue;
		put_arrow(out, effects[i].bad ? "bad" : class, effects[i].from ? ENGINE_X : GUC_X,
			  effects[i].from ? GUC_X : ENGINE_X, y);
		html_put(out, "<text class=\"%s\" x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s"
			 "</text>\n", effects[i].bad ? "bad" : class, (GUC_X + ENGINE_X) / 2, y - 6,
			 *effects[i].word ? effects[i].word : row->mode);
	}
}

/* "success 0x1": an arrow back; its notification, if that is the answer, is a message. */
static bool is_answered(const struct talk_row *row)
{
	return !strcmp(row->part.way, "to") && *row->part.text && strcmp(row->part.text, "done") &&
	       strcmp(row->part.text, "answer lost");
}

static int row_height(const struct talk_row *row)
{
	return ROW_Y + (is_answered(row) || *row->part.problem ? MORE_Y : 0);
}

static void put_row(struct gsc_out *out, const struct talk *t, const struct talk_row *row, int y)
{
	bool to = !strcmp(row->part.way, "to");
	const char *class = row->context != NO_CONTEXT && row->context == t->hung ? "hot" : "cool";

	put_arrow(out, to && *row->part.problem ? "bad" : class, to ? DRIVER_X : GUC_X,
		  to ? GUC_X : DRIVER_X, y);
	html_put(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class, DRIVER_X + 14, y - 6);
	html_format(out, row->count > 1 ? "%s ×%zu" : "%s", row->part.name, row->count);
	if (row->context == UNKNOWN_CONTEXT)
		html_put(out, "<tspan class=\"more\"> unknown context</tspan>");
	else if (row->context != NO_CONTEXT)
		html_put(out, "<tspan class=\"more\"> context %lld</tspan>", row->context);
	else if (*row->engine)
		html_put(out, "<tspan class=\"more\"> %s %u</tspan>", row->engine, row->instance);
	html_put(out, "</text>\n");
	if (!to || !*row->part.problem)
		put_effect(out, row, class, y);
	if (is_answered(row))
		put_arrow(out, "answer", GUC_X, DRIVER_X, y + MORE_Y);
	if (!is_answered(row) && !*row->part.problem)
		return;
	html_put(out, "<text class=\"%s\" x=\"%d\" y=\"%d\">", *row->part.problem ? "bad" : "more",
		 DRIVER_X + 28, y + MORE_Y - (is_answered(row) ? 4 : 2));
	html_format(out, "%s%s", *row->part.problem ? "✕ " : "", *row->part.problem ?
		    row->part.problem : row->part.text);
	html_put(out, "</text>\n");
}

static void put_talk(struct report *r, const struct talk *t)
{
	int height = FIRST_Y, y = FIRST_Y;
	struct gsc_out *out = r->out;
	char hint[HINT_SIZE], name[40] = "the context that hung";

	for (size_t i = 0; i < t->count; i++)
		height += row_height(&t->rows[i]);
	if (t->hung != NO_CONTEXT)
		string_set(name, "context %lld", t->hung);
	html_put(out, "<article class=\"engine\"><h3 id=\"talk\">The last messages between driver "
		 "and GuC</h3>\n<p>The latest is at the bottom; messages about %s are bold. On the "
		 "right: what the GuC makes the engines do, and what it learns from them.</p>\n"
		 "<svg class=\"talk\" viewBox=\"0 0 460 %d\" role=\"img\" "
		 "aria-labelledby=\"talk-t\">\n<title id=\"talk-t\">Messages between the driver, "
		 "the GuC and the engines, oldest first</title>\n", name, height - 8);
	put_lane(out, "driver", "start", 0, DRIVER_X, height - 12);
	put_lane(out, "GuC", "middle", GUC_X, GUC_X, height - 12);
	put_lane(out, "engines", "end", 460, ENGINE_X, height - 12);
	for (size_t i = 0; i < t->count; y += row_height(&t->rows[i++]))
		put_row(out, t, &t->rows[i], y);
	html_put(out, "</svg>\n");
	if (t->left_out)
		put_none(r, "%zu other messages are left out; to see all: %s --decode guc-ct",
			 t->left_out, hint_command(report_common(r), "fault", hint, sizeof(hint)));
	html_put(out, "</article>\n");
}

void put_messages(struct report *r)
{
	struct gsc_image_options options = { .kind = GSC_IMAGE_GUC_CT, .gpu = r->gpu };
	struct gsc_commands *set = NULL;
	struct gsc_image *image = NULL;
	struct talk talk = { .count = 0 };
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_commands_new(&set, r->gpu, &err);

	if (!status)
		status = gsc_image_new(&image, set, &options, &err);
	/* No other buffer is taken for one. */
	if (part_had(r, status, &err) && slice_ends(slice_string(image->about.from), ".bin"))
		read_talk(r, image, &talk);
	if (talk.count)
		put_talk(r, &talk);
	gsc_image_free(image);
	gsc_commands_free(set);
}
