/* SPDX-License-Identifier: MIT */
/* Images as text: a heading for each part, then its fields, registers or commands. */
#include "out/out.h"

#include "batch/batch.h"
#include "batch/run.h"
#include "image/image.h"

struct writing {
	struct gsc_out *out;
	const struct gsc_image *image;
	const struct gsc_view *view;
	unsigned flags;
	struct gsc_command_text *commands;
	struct gsc_image_counts counts;
	uint64_t noops, noops_at;	/* MI_NOOP in a row, not yet printed */
};

/* ---- commands ------------------------------------------------------------------------------- */

void image_count(struct gsc_image_counts *counts, const struct gsc_command *command)
{
	counts->commands++;
	if (command->status == GSC_COMMAND_UNKNOWN && !counts->unknown++)
		counts->first_unknown = command->address;
}

static void put_noops(struct writing *w)
{
	if (!w->noops)
		return;
	gsc_out_line(w->out, "0x%08llx:  0x00000000:  %llu x MI_NOOP",
		       LL(w->noops_at), LL(w->noops));
	w->noops = 0;
}

/* Consecutive padding is one line. */
static bool take_command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct writing *w = context;

	image_count(&w->counts, c);
	if (!c->words[0] && c->count == 1 && !c->mark_count && !(w->flags & GSC_TEXT_VERBOSE)) {
		if (!w->noops++)
			w->noops_at = c->address;
	} else {
		put_noops(w);
		gsc_command_text(w->commands, c);
	}
	return !gsc_out_error(w->out);
}

/* ---- parts ---------------------------------------------------------------------------------- */

static void put_fields(const struct writing *w, size_t i, const struct gsc_image_part *part)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	unsigned dword = 0;

	if (!gsc_image_fields(w->image, i, &it))
		return;
	while (gsc_field_next(&it, &field)) {
		gsc_field_form(&it, &form);
		/* As everywhere: flags that are not set, and reserved fields, only with -v. */
		if (field.dword + field.hi / 32 >= part->count ||
		    (!(w->flags & GSC_TEXT_VERBOSE) && !field.problem &&
		     (field_reserved(&field) || (!field.value && !strcmp(form.type, "bool")))))
			continue;
		if (part->count > 2 && (field.dword != dword || !field.dword)) {
			dword = field.dword;
			gsc_out_line(w->out, "  +0x%03x  0x%08x", dword * 4, part->words[dword]);
		}
		gsc_text_field(w->out, &field);
	}
}

/*
 * "CONTEXT_ID 2, ENGINE_CLASS render": without the first dword, which says what it is, and without
 * flags, masks and addresses that are zero.
 */
static void put_line(const struct writing *w, const struct gsc_image_part *part)
{
	const char *between = "  ";
	struct gsc_state state = { .words = part->words, .count = part->count };
	struct state_groups groups = { .view = w->view, .state = &state };
	struct state_group g;
	struct gsc_field field;
	struct gsc_form form;

	for (size_t k = 1; !part->item && k < part->count; k++)
		gsc_out_format(w->out, "%s0x%x", k > 1 ? " " : "  ", part->words[k]);
	if (!part->item)
		return;
	state.item = *part->item;
	while (state_groups_next(&groups, &g))
		while (gsc_field_next(&g.it, &field)) {
			gsc_field_form(&g.it, &form);
			if (field.dword + field.hi / 32 >= g.size || !(g.at + field.dword) ||
			    (!(w->flags & GSC_TEXT_VERBOSE) && !field.value &&
			     (!field.text || form.address || !strcmp(form.type, "bool"))))
				continue;
			gsc_out_format(w->out, "%s%s ", between, field.name);
			if (field.text)
				gsc_out_text(w->out, field.text);
			else
				gsc_out_format(w->out, "0x%llx", LL(field.value));
			between = ", ";
		}
}

static enum gsc_status put_part(struct writing *w, size_t i, const struct gsc_image_part *part,
				struct gsc_error *err)
{
	struct gsc_listener listener = { .context = w, .command = take_command };
	enum gsc_status status;
	struct gsc_row row;
	struct gsc_out *out = w->out;

	/* "+0x00040 CONTEXT_STATUS[0] 0x00000001 0x00000021 written last" */
	if (part->aside)
		gsc_out_text(out, "source  ");
	else
		gsc_out_format(out, "+0x%05llx  ", LL(part->offset));
	if (part->way)
		gsc_out_format(out, "%-4s  ", part->way);
	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, part->name);
	if (part->index >= 0)
		gsc_out_format(out, "[%d]", part->index);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	if (part->way)
		put_line(w, part);
	for (size_t k = 0; part->size <= 8 && !part->way && !part->commands && k < part->count; k++)
		gsc_out_format(out, "  0x%08x", part->words[k]);
	if (*part->text) {
		gsc_out_text(out, part->way ? "  -> " : "  ");
		gsc_out_clean(out, part->text);
	}
	if (*part->problem) {
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_format(out, "  %s", part->problem);
		gsc_out_style(out, GSC_STYLE_PLAIN);
	}
	gsc_out_end(out);
	if (part->size > 4 && !part->way && !(w->flags & GSC_TEXT_QUIET))
		put_fields(w, i, part);
	for (size_t j = 0; gsc_image_register(w->image, i, j, &row); j++)
		gsc_text_row(w->out, w->view, &row, w->flags);
	if (!part->commands)
		return GSC_OK;
	status = image_follow(w->image, i, &listener, err);
	put_noops(w);
	return status;
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum gsc_status gsc_text_image(struct gsc_out *out, const struct gsc_image *image, unsigned flags,
			       struct gsc_image_counts *counts, struct gsc_error *err)
{
	struct gsc_commands *set = image->set;
	struct writing w = { .out = out, .image = image, .view = set->view, .flags = flags };
	enum gsc_status status = gsc_command_text_new(&w.commands, out, set, flags, err);
	struct gsc_image_part part;
	const struct gsc_image_about *about = &image->about;

	if (status)
		return status;
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s%s", gsc_image_word(about->kind), *about->engine ? " of " : "");
	gsc_out_clean(out, about->engine);
	gsc_out_format(out, ", %llu bytes", LL(about->size));
	if (about->placed)
		gsc_out_format(out, " at 0x%08llx", LL(about->address));
	if (*about->from) {
		gsc_out_text(out, " (");
		gsc_out_clean(out, about->from);
		gsc_out_text(out, ")");
	}
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	for (size_t i = 0; i < image->notes.count; i++)
		gsc_out_line(out, "# %s", image->notes.items[i]);
	for (size_t i = 0; !status && gsc_image_part(image, i, &part); i++)
		status = put_part(&w, i, &part, err);
	gsc_command_text_free(w.commands);
	if (counts)
		*counts = w.counts;
	return status;
}
