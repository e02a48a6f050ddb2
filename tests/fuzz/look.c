/* SPDX-License-Identifier: MIT */
/* Everything that can be asked of an opened source, as the commands ask it. */
#include "fuzz.h"
#include "formats/dump.h"
#include "hang/hang.h"
#include "image/image.h"
#include "open/open.h"

#include <string.h>

#define EXTENTS_MAX 64
#define REGISTERS_MAX 48
#define PIECES_MAX 4096
#define COMMANDS_MAX 500
#define ADDRESSES_MAX 64
#define MOMENTS_MAX 4

/* The sum ensures that bytes are read, and the sanitizers see it. */
static void touch(const void *data, size_t size)
{
	const volatile uint8_t *bytes = data;
	unsigned sum = 0;

	for (size_t i = 0; i < size; i += i < 4096 ? 1 : 1021)
		sum += bytes[i];
	if (size)
		sum += bytes[size - 1];
	(void)sum;
}

/* ---- the source itself ---------------------------------------------------------------------- */

static void look_at_part(struct gsc_source *source, size_t part)
{
	struct gsc_property property;
	struct gsc_buffer_origin buffer;
	struct gsc_member member = { .next = 0 };
	struct gsc_piece piece;

	FUZZ_REQUIRE(gsc_source_name(source, part) && gsc_source_kind(source, part));
	FUZZ_REQUIRE(gsc_source_has(source, gsc_source_form(source, part)));
	for (size_t i = 0; i < PIECES_MAX && gsc_source_piece(source, part, i, &piece); i++)
		FUZZ_REQUIRE(piece.length && piece.length - 1 <= UINT64_MAX - piece.start);
	for (size_t i = 0; gsc_source_property(source, part, i, &property); i++)
		FUZZ_REQUIRE(memchr(property.value, 0, sizeof(property.value)));
	for (size_t i = 0; gsc_source_buffer(source, part, i, &buffer); i++)
		if (buffer.data)
			touch(buffer.data, buffer.length);
	while (gsc_capture_member(source, part, &member)) {
		FUZZ_REQUIRE(member.held <= member.size && memchr(member.name, 0, sizeof(member.name)));
		touch(member.data, member.held);
	}
}

static void look_at_extent(struct gsc_source *source, enum gsc_space space, uint64_t start,
			   uint64_t length)
{
	size_t held = 0;
	const void *bytes = gsc_span(source, space, start, &held);
	uint64_t value;

	if (bytes) {
		FUZZ_REQUIRE(held && held <= length);
		touch(bytes, held);
	}
	for (unsigned step = 0; step < 8; step++) {
		gsc_read(source, space, start + step, 1u << step % 4, &value);
		gsc_read(source, space, start + length - step, 1u << step % 4, &value);
	}
}

void fuzz_look(struct gsc_source *source)
{
	for (size_t i = 0; i < gsc_source_note_count(source); i++)
		FUZZ_REQUIRE(gsc_source_note(source, i));
	for (size_t part = 0; part < gsc_source_count(source); part++)
		look_at_part(source, part);
	for (unsigned space = 0; space < GSC_SPACES; space++) {
		uint64_t from = 0, start, length;

		for (unsigned i = 0; i < EXTENTS_MAX &&
		     gsc_extent(source, (enum gsc_space)space, from, &start, &length); i++) {
			FUZZ_REQUIRE(length && start >= from && length - 1 <= UINT64_MAX - start);
			look_at_extent(source, (enum gsc_space)space, start, length);
			from = start + length;
			if (!from)
				break;
		}
	}
	gsc_source_age(source, INT64_C(1700000000));
}

/* ---- registers ------------------------------------------------------------------------------ */

static void show_register(struct gsc_source *source, const struct gsc_view *view,
			  struct gsc_out *out, struct gsc_json *json, size_t i)
{
	struct gsc_row row = { .status = GSC_READ_ABSENT };

	gsc_view_reg(view, i, &row.reg);
	row.status = gsc_read(source, row.reg.space, row.reg.offset, row.reg.bits / 8, &row.value);
	gsc_text_row(out, view, &row, GSC_TEXT_VERBOSE);
	gsc_json_object(json, NULL);
	gsc_json_row(json, view, &row, 0);
	gsc_json_object_end(json);
}

/* Those of which the source has something, the first of each stretch. */
static void show_registers(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_out *out = fuzz_out();
	struct gsc_json json;
	uint64_t from = 0, start, length;

	gsc_json_begin(&json, out, false);
	gsc_json_array(&json, "registers");
	for (unsigned n = 0; n < REGISTERS_MAX &&
	     gsc_extent(source, GSC_MMIO, from, &start, &length); n++) {
		size_t i = gsc_view_seek(view, GSC_MMIO, start);

		for (unsigned k = 0; k < 4 && i < gsc_view_count(view); k++, i++)
			show_register(source, view, out, &json, i);
		from = start + length;
		if (!from)
			break;
	}
	gsc_json_array_end(&json);
	gsc_json_finish(&json);
	fuzz_out_end(out);
}

static void show_differences(struct gsc_rows *rows, const struct gsc_view *view,
			     struct gsc_out *out)
{
	struct gsc_error err = { 0 };
	struct gsc_json json;
	struct gsc_diff *diff;

	FUZZ_REQUIRE(!gsc_diff_new(&diff, NULL, rows, &err));
	gsc_json_begin(&json, out, false);
	gsc_json_array(&json, "registers");
	for (size_t i = 0; i < REGISTERS_MAX && i < gsc_diff_count(diff); i++) {
		struct gsc_difference difference;

		gsc_diff_at(diff, i, &difference);
		gsc_text_difference(out, view, &difference, GSC_TEXT_VERBOSE);
		gsc_json_object(&json, NULL);
		gsc_json_difference(&json, view, &difference);
		gsc_json_object_end(&json);
	}
	gsc_json_array_end(&json);
	gsc_json_finish(&json);
	gsc_diff_free(diff);
}

void fuzz_rows(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_rows_options how = { .unsafe = false };
	struct gsc_selection *selection;
	struct gsc_error err = { 0 };
	struct gsc_tally tally;
	struct gsc_rows *rows;
	struct gsc_out *out;

	FUZZ_REQUIRE(!gsc_select(&selection, fuzz_gpu(source, view), GSC_SELECT_LISTED, NULL,
				 0, &err));
	FUZZ_REQUIRE(!gsc_rows_read(&rows, selection, fuzz_gpu(source, view), &how, &err));
	out = fuzz_out();
	gsc_rows_tally(rows, &tally);
	FUZZ_REQUIRE(tally.total == gsc_rows_count(rows));
	gsc_text_rows(out, rows, GSC_TEXT_QUIET);
	show_differences(rows, view, out);
	fuzz_out_end(out);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
}

/* ---- what went wrong ------------------------------------------------------------------------ */

static bool any_breach(void *context, const struct gsc_breach *breach)
{
	gsc_text_breach(context, breach);
	return true;
}

static void check_causes(struct gsc_hang *hang)
{
	struct gsc_cause cause;

	for (size_t i = 0; i < hang->faults.count; i++) {
		if (!gsc_hang_cause(hang, i, &cause))
			continue;
		FUZZ_REQUIRE(cause.command.count && cause.value >> 12 ==
			     hang->faults.items[i].address >> 12);
		FUZZ_REQUIRE(cause.in_state || cause.dword < cause.command.count);
		touch(cause.command.words, cause.command.count * 4);
	}
}

static void show_hang(struct gsc_hang *hang)
{
	struct gsc_out *out = fuzz_out();
	struct gsc_error err = { 0 };
	struct gsc_json json;
	enum gsc_status status;

	FUZZ_REQUIRE(gsc_hang_signature(hang) && gsc_hang_verdict(hang));
	check_causes(hang);
	gsc_text_hang(out, hang, GSC_TEXT_VERBOSE);
	gsc_text_verdict(out, hang, 0);
	gsc_json_begin(&json, out, false);
	status = gsc_json_hang(&json, hang, NULL, &err);
	if (status)
		fuzz_check_error(&err, status);
	gsc_json_finish(&json);
	err = (struct gsc_error){ 0 };
	status = gsc_hang_check(hang, any_breach, out, &err);
	if (status)
		fuzz_check_error(&err, status);
	fuzz_out_end(out);
}

void fuzz_hang(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_hang_options options = { .now = false };
	struct gsc_error err = { 0 };
	struct gsc_hang *hang;
	enum gsc_status status = gsc_hang_new(&hang, fuzz_gpu(source, view), &options, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	show_hang(hang);
	gsc_hang_free(hang);
}

static void show_images(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_image_options options = { .gpu = fuzz_gpu(source, view) };

	for (unsigned kind = 0; kind < GSC_IMAGE_KINDS; kind++) {
		struct gsc_error err = { 0 };
		struct gsc_image *image;
		struct gsc_out *out;

		options.kind = (enum gsc_image_kind)kind;
		if (gsc_image_new(&image, fuzz_commands(gsc_view_platform(view)), &options, &err)) {
			fuzz_check_error(&err, err.status);
			continue;
		}
		out = fuzz_out();
		gsc_text_image(out, image, 0, NULL, &err);
		fuzz_out_end(out);
		gsc_image_free(image);
	}
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool told_begin(void *context, const struct gsc_followed *item)
{
	((struct fuzz_told *)context)->seen += item->run->address;
	return true;
}

static bool told_command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *command = item->command;
	struct fuzz_told *told = context;
	struct gsc_command_address address;

	FUZZ_REQUIRE(command->count && command->name);
	touch(command->words, command->count * 4);
	for (size_t i = 0; i < ADDRESSES_MAX &&
	     gsc_command_address(told->set, command, i, &address); i++)
		FUZZ_REQUIRE(address.name && address.dword < command->count);
	gsc_command_text(told->text, command);
	gsc_command_json(told->writer, command);
	return ++told->commands < COMMANDS_MAX;
}

static bool told_write(void *context, const struct gsc_followed *item)
{
	((struct fuzz_told *)context)->seen += item->write->offset;
	return true;
}

static bool told_state(void *context, const struct gsc_followed *item)
{
	const struct gsc_state *state = item->state;
	struct fuzz_told *told = context;

	if (state->words)
		touch(state->words, state->count * 4);
	gsc_text_state(told->out, told->view, state, GSC_TEXT_VERBOSE);
	gsc_json_object(&told->json, NULL);
	gsc_json_state(&told->json, told->view, state);
	gsc_json_object_end(&told->json);
	return true;
}

static bool told_kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;

	((struct fuzz_told *)context)->seen += kernel->address;
	if (kernel->data)
		touch(kernel->data, kernel->size);
	return true;
}

static bool told_breach(void *context, const struct gsc_followed *item)
{
	gsc_text_breach(((struct fuzz_told *)context)->out, item->breach);
	return true;
}

static bool told_end(void *context, const struct gsc_followed *item)
{
	((struct fuzz_told *)context)->seen += item->run->length + item->run->why[0];
	return true;
}

void fuzz_told_begin(struct fuzz_told *told, struct gsc_listener *listener,
		     const struct gsc_view *view, struct gsc_commands *set)
{
	struct gsc_error err;

	*told = (struct fuzz_told){ .out = fuzz_out(), .view = view, .set = set };
	gsc_json_begin(&told->json, told->out, false);
	gsc_json_array(&told->json, "commands");
	FUZZ_REQUIRE(!gsc_command_text_new(&told->text, told->out, set, GSC_TEXT_VERBOSE, &err));
	FUZZ_REQUIRE(!gsc_command_json_new(&told->writer, &told->json, set, &err));
	*listener = (struct gsc_listener){
		.context = told, .begin = told_begin, .command = told_command,
		.write = told_write, .state = told_state, .kernel = told_kernel,
		.breach = told_breach, .end = told_end,
	};
}

void fuzz_told_end(struct fuzz_told *told)
{
	gsc_command_text_free(told->text);
	gsc_command_json_free(told->writer);
	gsc_json_array_end(&told->json);
	gsc_json_finish(&told->json);
	fuzz_out_end(told->out);
}

void fuzz_follow(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_commands *set = fuzz_commands(gsc_view_platform(view));
	struct gsc_follow_options options = { .engine = NULL };
	struct gsc_error err = { 0 };
	struct gsc_listener listener;
	struct fuzz_told told;
	enum gsc_status status;

	fuzz_told_begin(&told, &listener, view, set);
	status = gsc_follow_all(set, fuzz_gpu(source, view), &options, &listener, &err);
	if (status)
		fuzz_check_error(&err, status);
	fuzz_told_end(&told);
}

/* A trace at the moment when an engine got work. */
static void look_at_moments(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_submission submission;
	struct gsc_error err = { 0 };
	struct gsc_gpu *moment;
	enum gsc_status status;

	for (unsigned n = 1; n <= MOMENTS_MAX; n++) {
		status = gsc_gpu_at(&moment, fuzz_gpu(source, view), n, &submission, &err);
		if (status) {
			fuzz_check_error(&err, status);
			return;
		}
		FUZZ_REQUIRE(memchr(submission.engine, 0, sizeof(submission.engine)));
		fuzz_look(gsc_gpu_source(moment));
		gsc_gpu_close(moment);
	}
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void look_further(struct gsc_source *source, const struct gsc_view *view, uint32_t sum)
{
	static void (*const further[])(struct gsc_source *, const struct gsc_view *) = {
		fuzz_hang, fuzz_follow, show_images, fuzz_roots, look_at_moments, fuzz_save_trace,
		fuzz_rows,
	};
	unsigned which = sum & 7;

	show_registers(source, view);
	fuzz_windows(source, view);
	if (which < sizeof(further) / sizeof(*further))
		further[which](source, view);
	else
		fuzz_save(source, view, sum >> 3);
}

/*
 * Slow questions are asked for some inputs only, each kind for others: a fuzzer needs speed, and
 * reaches each place many times.
 */
void fuzz_explore(struct gsc_source *source, const void *data, size_t size)
{
	const uint8_t *bytes = data;
	uint32_t sum = 0;

	if (!source)
		return;
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * UINT32_C(16777619);
	fuzz_look(source);
	if (gsc_source_platform(source) >= 0)
		look_further(source, fuzz_view((unsigned)gsc_source_platform(source)),
			     sum >> 16);
	gsc_source_close(source);
}
