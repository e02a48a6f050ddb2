/* SPDX-License-Identifier: MIT */
/* An image as text, and what both forms of output share. */
#include "fault-image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- commands ------------------------------------------------------------------------------- */

bool image_counts(struct image_output *output, const struct gsc_command *command)
{
	output->commands++;
	if (command->status == GSC_COMMAND_UNKNOWN && !output->unknown++)
		output->first_unknown = command->address;
	return !gsc_out_error(output->common->out);
}

enum gsc_status image_commands(struct image_output *output, const struct gsc_image_part *part,
			       const struct gsc_listener *listener, struct gsc_error *err)
{
	const struct gsc_image_about *about = &output->about;
	struct gsc_follow_options options = {
		.engine = about->engine,
		.no_follow = true,
		.past_end = true,
		.marks = about->marks,
		.mark_count = about->mark_count,
	};
	enum gsc_status status = gsc_follow_words(output->set, NULL, about->address + part->offset,
						  part->words, part->count, &options, listener,
						  err);

	return status == GSC_PARTIAL ? GSC_OK : status;
}

static void put_noops(struct image_output *output)
{
	struct gsc_out *out = output->common->out;

	if (!output->noops)
		return;
	gsc_out_format(out, "0x%08llx:  0x00000000:  %llu x MI_NOOP",
		       (unsigned long long)output->noops_at, (unsigned long long)output->noops);
	gsc_out_end(out);
	output->noops = 0;
}

/* Padding is a line for all in a row. */
static bool take_command(void *context, const struct gsc_run *run, const struct gsc_command *c)
{
	struct image_output *output = context;

	(void)run;
	if (!c->words[0] && c->count == 1 && !c->mark_count && !output->common->verbose) {
		if (!output->noops++)
			output->noops_at = c->address;
		return image_counts(output, c);
	}
	put_noops(output);
	gsc_command_text(output->text, c);
	return image_counts(output, c);
}

static enum gsc_status put_commands(struct image_output *output, const struct gsc_image_part *part,
				    struct gsc_error *err)
{
	struct gsc_listener listener = { .context = output, .command = take_command };
	enum gsc_status status = image_commands(output, part, &listener, err);

	put_noops(output);
	return status;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* As everywhere: flags that are not set and what is reserved are worth a line only with -v. */
static bool is_silent(const struct gsc_field_iter *it, const struct gsc_field *field)
{
	struct gsc_form form;

	if (field->value || field->problem)
		return false;
	gsc_field_form(it, &form);
	return field->flags & (GSC_FIELD_MBZ | GSC_FIELD_MBO | GSC_FIELD_IGNORED) ||
	       !strcmp(form.type, "bool");
}

static void put_fields(const struct image_output *output, size_t i,
		       const struct gsc_image_part *part)
{
	const struct common *common = output->common;
	struct gsc_field_iter it;
	struct gsc_field field;
	unsigned dword = 0;

	if (!gsc_image_fields(output->image, i, &it))
		return;
	while (gsc_field_next(&it, &field)) {
		if (field.dword + field.hi / 32 >= part->count ||
		    (!common->verbose && is_silent(&it, &field)))
			continue;
		if (part->count > 2 && (field.dword != dword || !field.dword)) {
			dword = field.dword;
			gsc_out_format(common->out, "  +0x%03x  0x%08x", dword * 4,
				       part->words[dword]);
			gsc_out_end(common->out);
		}
		gsc_text_field(common->out, &field);
	}
}

static void put_registers(const struct image_output *output, size_t i)
{
	const struct common *common = output->common;
	struct gsc_row row;

	for (size_t j = 0; gsc_image_register(output->image, i, j, &row); j++)
		gsc_text_row(common->out, common->view, &row, text_flags(common));
}

/* "0x0040  CONTEXT_STATUS[0]  0x00000001 0x00000021  written last" */
static void put_heading(const struct image_output *output, const struct gsc_image_part *part)
{
	struct gsc_out *out = output->common->out;

	if (part->aside)
		gsc_out_text(out, "source  ");
	else
		gsc_out_format(out, "+0x%05llx  ", (unsigned long long)part->offset);
	gsc_out_style(out, GSC_STYLE_BOLD);
	gsc_out_text(out, part->name);
	if (part->index >= 0)
		gsc_out_format(out, "[%d]", part->index);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	for (size_t i = 0; part->size <= 8 && !part->commands && i < part->count; i++)
		gsc_out_format(out, "  0x%08x", part->words[i]);
	if (*part->text)
		gsc_out_format(out, "  %s", part->text);
	if (*part->problem) {
		gsc_out_style(out, GSC_STYLE_RED);
		gsc_out_format(out, "  %s", part->problem);
		gsc_out_style(out, GSC_STYLE_PLAIN);
	}
	gsc_out_end(out);
}

static enum gsc_status put_part(struct image_output *output, size_t i,
				const struct gsc_image_part *part, struct gsc_error *err)
{
	bool quiet = output->common->quiet;

	put_heading(output, part);
	if (part->size > 4 && !quiet)
		put_fields(output, i, part);
	put_registers(output, i);
	return part->commands ? put_commands(output, part, err) : GSC_OK;
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void put_about(const struct image_output *output)
{
	const struct gsc_image_about *about = &output->about;
	struct gsc_out *out = output->common->out;
	const char *note;

	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_format(out, "# %s of %s, %llu bytes", gsc_image_word(about->kind), about->engine,
		       (unsigned long long)about->size);
	if (about->placed)
		gsc_out_format(out, " at 0x%08llx", (unsigned long long)about->address);
	if (*about->from)
		gsc_out_format(out, " (%s)", about->from);
	gsc_out_style(out, GSC_STYLE_PLAIN);
	gsc_out_end(out);
	for (size_t i = 0; (note = gsc_image_note(output->image, i)); i++) {
		gsc_out_format(out, "# %s", note);
		gsc_out_end(out);
	}
}

static enum gsc_status image_text(struct image_output *output, const char *const *names,
				  size_t count, struct gsc_error *err)
{
	struct gsc_image_part part;
	enum gsc_status status = gsc_command_text_new(&output->text, output->common->out,
						      output->set, text_flags(output->common),
						      err);

	if (status)
		return status;
	title_begin(output->common, names, count);
	put_about(output);
	for (size_t i = 0; !status && gsc_image_part(output->image, i, &part); i++)
		status = put_part(output, i, &part, err);
	gsc_command_text_free(output->text);
	return status;
}

/* What was not as it should be: each a line, and GSC_PARTIAL. */
static enum gsc_status tell_faults(struct image_output *output, const char *what)
{
	enum gsc_status status = complain_damage(output->common, output->common->source);
	char why[160];

	if (*output->about.cut) {
		complain(output->common, GSC_PARTIAL, what, output->about.cut);
		status = GSC_PARTIAL;
	}
	if (!output->unknown)
		return status;
	snprintf(why, sizeof(why), "%llu of %llu commands are unknown, the first at 0x%llx",
		 (unsigned long long)output->unknown, (unsigned long long)output->commands,
		 (unsigned long long)output->first_unknown);
	complain(output->common, GSC_PARTIAL, what, why);
	return GSC_PARTIAL;
}

enum gsc_status image_write(struct image_output *output, const char *file, struct gsc_error *err)
{
	struct common *common = output->common;
	const char **names, **more;
	enum gsc_status status;
	size_t count;

	gsc_image_about(output->image, &output->about);
	names = source_names(common->source, &count);
	more = reallocarray(names, count + 2, sizeof(*names));
	if (!more) {
		free(names);
		return memory_error(err);
	}
	if (file)
		more[count++] = file;
	status = output_open(common, true, err);
	if (!status)
		status = wants_json(common) ? image_json(output, more, count, err)
					    : image_text(output, more, count, err);
	if (!status)
		status = tell_faults(output, file ? file : count ? more[0] : "source");
	free(more);
	return status;
}
