/* SPDX-License-Identifier: MIT */
/* A ring drawn as a circle, with its pointers, and the way from it to where the engine stopped. */
#include "report.h"

#include <stdio.h>

enum { CENTER_X = 230, CENTER_Y = 116, RADIUS = 78, THICK = 18, LABEL_RADIUS = 100, APART = 18 };

struct label {
	const char *name;
	char text[48];
	double angle;			/* degrees, clockwise from the top */
	bool right;			/* where its text is, */
	double y;			/* and how high */
};

/* Within 0.002 (Bhaskara): no libm needed. */
static double sine(double degrees)
{
	double sign = 1, x = degrees, product;

	while (x < 0)
		x += 360;
	while (x >= 360)
		x -= 360;
	if (x >= 180) {
		x -= 180;
		sign = -1;
	}
	product = x * (180 - x);
	return sign * 4 * product / (40500 - product);
}

static double place_x(double angle, double radius)
{
	return CENTER_X + sine(angle) * radius;
}

static double place_y(double angle, double radius)
{
	return CENTER_Y - sine(angle + 90) * radius;
}

static double angle_of(const struct gsc_engine *e, uint64_t offset)
{
	return 360.0 * (double)(offset % e->ring_bytes) / (double)e->ring_bytes;
}

/* ---- labels --------------------------------------------------------------------------------- */

static void add_label(struct label *labels, size_t *count, const char *name,
		      const struct gsc_engine *e, uint64_t offset)
{
	struct label *label = &labels[(*count)++];

	label->name = name;
	snprintf(label->text, sizeof(label->text), "%s 0x%llx", name, LL(offset));
	label->angle = angle_of(e, offset);
	label->right = label->angle < 180;
	label->y = place_y(label->angle, LABEL_RADIUS);
}

/* Neighbours on one side are moved apart, so that all can be read. */
static void spread(struct label *labels, size_t count)
{
	for (unsigned round = 0; round < 40; round++)
		for (size_t i = 0; i < count; i++)
			for (size_t k = i + 1; k < count; k++) {
				double gap = labels[k].y - labels[i].y;
				double step = gap < 0 ? -1 : 1;

				if (labels[i].right != labels[k].right || gap >= APART ||
				    gap <= -APART)
					continue;
				labels[i].y -= step;
				labels[k].y += step;
			}
}

/* ---- the ring ------------------------------------------------------------------------------- */

void put_ring(struct report *r, const struct gsc_engine *e)
{
	struct gsc_out *out = r->out;
	struct label labels[3] = { { 0 } };
	size_t count = 0;
	char text[40];
	double used;

	if (!(e->known & GSC_KNOWN_RING) || !e->ring_bytes)
		return;
	html_put(out, "<svg class=\"ring\" viewBox=\"0 0 460 236\" role=\"img\" "
		 "aria-labelledby=\"ring-%s-t\" aria-describedby=\"ring-%s-d\">\n"
		 "<title id=\"ring-%s-t\">Ring of %s</title>\n<desc id=\"ring-%s-d\">A ring of "
		 "%llu bytes. HEAD is at 0x%llx, TAIL at 0x%llx: %llu bytes of commands are "
		 "pending.</desc>\n", e->name, e->name, e->name, e->name, e->name,
		 LL(e->ring_bytes), LL(e->head_offset), LL(e->tail_offset), LL(e->used));
	html_put(out, "<circle class=\"free\" cx=\"%d\" cy=\"%d\" r=\"%d\"/>\n", CENTER_X,
		 CENTER_Y, RADIUS);
	used = 1000.0 * (double)e->used / (double)e->ring_bytes;
	if (e->used)
		html_put(out, "<circle class=\"used\" cx=\"%d\" cy=\"%d\" r=\"%d\" "
			 "pathLength=\"1000\" stroke-dasharray=\"%.1f 1000\" "
			 "transform=\"rotate(%.1f %d %d)\"/>\n", CENTER_X, CENTER_Y, RADIUS,
			 used < 6 ? 6 : used, angle_of(e, e->head_offset) - 90, CENTER_X,
			 CENTER_Y);
	html_put(out, "<path class=\"zero\" d=\"M%d %dv%d\"/>\n", CENTER_X,
		 CENTER_Y - RADIUS - THICK / 2, THICK);
	if (e->known & GSC_KNOWN_HEAD)
		add_label(labels, &count, "HEAD", e, e->head_offset);
	if (e->known & GSC_KNOWN_TAIL)
		add_label(labels, &count, "TAIL", e, e->tail_offset);
	if (e->known & GSC_KNOWN_ACTHD_RING)
		add_label(labels, &count, "ACTHD", e, e->acthd_offset);
	spread(labels, count);
	for (const struct label *l = labels; l < labels + count; l++) {
		double inner = RADIUS - THICK / 2 - 5, outer = RADIUS + THICK / 2 + 5;
		double x = CENTER_X + (l->right ? LABEL_RADIUS + 8 : -LABEL_RADIUS - 8);

		html_put(out, "<polyline class=\"tick %s\" points=\"%.1f,%.1f %.1f,%.1f "
			 "%.1f,%.1f\"/>\n", l->name, place_x(l->angle, inner),
			 place_y(l->angle, inner), place_x(l->angle, outer),
			 place_y(l->angle, outer), x + (l->right ? -4 : 4), l->y);
		html_put(out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">"
			 "%s</text>\n", l->name, x, l->y + 4, l->right ? "start" : "end", l->text);
	}
	html_put(out, "<text class=\"big\" x=\"%d\" y=\"%d\">%s</text>\n", CENTER_X, CENTER_Y +
		 (e->used ? -6 : 4), e->used ? size_text(e->used, text, sizeof(text)) : "empty");
	if (e->used)
		html_put(out, "<text class=\"small\" x=\"%d\" y=\"%d\">pending</text>\n",
			 CENTER_X, CENTER_Y + 12);
	html_put(out, "<text class=\"small\" x=\"%d\" y=\"%d\">of %s</text>\n</svg>\n",
		 CENTER_X, CENTER_Y + 28, size_text(e->ring_bytes, text, sizeof(text)));
}

/* ---- the way -------------------------------------------------------------------------------- */

const char *stop_word(enum gsc_engine_state state)
{
	return state == GSC_ENGINE_WAITING ? "waits" : state == GSC_ENGINE_HUNG ? "stopped" : "is";
}

const char *run_place(const struct gsc_run *run, uint64_t address, char *buf, size_t size)
{
	snprintf(buf, size, "%s:0x%llx", run->process ? "ppgtt" : "ggtt", LL(address));
	return buf;
}

void put_way(struct report *r, const struct listing *l)
{
	static const char *const words[] = {
		[GSC_RUN_DWORDS] = "commands", [GSC_RUN_RING] = "ring", [GSC_RUN_BATCH] = "batch",
		[GSC_RUN_SECOND_LEVEL] = "second-level batch",
	};
	struct gsc_out *out = r->out;
	char place[48], size[40];

	if (!l->way_count)
		return;
	html_put(out, "<ol class=\"way\">");
	for (size_t i = 0; i < l->way_count; i++) {
		const struct way_point *point = &l->way[i];
		uint64_t into = point->at - point->run.address, length = point->run.length;
		double x;
		bool last = i + 1 == l->way_count;

		html_put(out, "<li%s><b>%s</b> at %s%s%s", last ? " class=\"last\"" : "",
			 words[point->run.kind],
			 run_place(&point->run, point->run.address, place, sizeof(place)),
			 point->run.length ? ", " : "", point->run.length ?
			 size_text(point->run.length, size, sizeof(size)) : "");
		/* The whole run, and how far into it the place is. */
		x = 300.0 * (double)into / (double)(length ? length : 1);
		if (length && into <= length)
			html_put(out, "<svg class=\"extent\" viewBox=\"-6 0 312 22\" "
				 "aria-hidden=\"true\"><rect class=\"free\" y=\"8\" width=\"300\" "
				 "height=\"8\"/><rect class=\"done\" y=\"8\" width=\"%.1f\" "
				 "height=\"8\"/><path class=\"%s\" d=\"M%.1f 12l-6 -11h12z\"/>"
				 "</svg>\n", x, last ? "stop" : "start", x);
		html_put(out, last ? "<span>%s at " : "<span>the command at ",
			 stop_word(l->e.state));
		html_text(out, run_place(&point->run, point->at, place, sizeof(place)));
		if (last)
			html_format(out, ": %s", l->e.command.name);
		html_put(out, last ? "</span></li>" : " starts the next</span></li>");
	}
	html_put(out, "</ol>\n");
}
