/* SPDX-License-Identifier: MIT */
/* Everything that can be asked of an opened source, as the commands ask it. */
#include "fuzz.h"

#include <string.h>

#define EXTENTS_MAX 64
#define REGISTERS_MAX 48
#define PIECES_MAX 4096
#define ROOTS_MAX 4
#define MAPPINGS_MAX 20000
#define SAMPLES_MAX 16
#define COMMANDS_MAX 500
#define ADDRESSES_MAX 64
#define MOMENTS_MAX 4

/* The sum makes sure that bytes are looked at, and the sanitizers see it. */
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
	for (size_t i = 0; gsc_capture_property(source, part, i, &property); i++)
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

/* Those that the source has something of, the first of each stretch. */
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

/* ---- what went wrong ------------------------------------------------------------------------ */

static bool any_breach(void *context, const struct gsc_breach *breach)
{
	gsc_text_breach(context, breach);
	return true;
}

static void check_causes(struct gsc_hang *hang)
{
	struct gsc_fault fault;
	struct gsc_cause cause;

	for (size_t i = 0; gsc_hang_fault(hang, i, &fault); i++) {
		if (!gsc_hang_cause(hang, i, &cause))
			continue;
		FUZZ_REQUIRE(cause.command.count && cause.value >> 12 == fault.address >> 12);
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
	status = gsc_json_hang(&json, hang, &err);
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
	enum gsc_status status = gsc_hang_new(&hang, source, view, &options, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	show_hang(hang);
	gsc_hang_free(hang);
}

static void show_images(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_image_options options = { .source = source };

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

/* ---- page tables ---------------------------------------------------------------------------- */

struct mapped {
	const struct gsc_translation *translation;
	struct gsc_out *out;
	struct gsc_mapping_words words;
	struct gsc_mapping samples[SAMPLES_MAX];
	size_t count;
	uint64_t end;
};

static bool take_mapping(void *context, const struct gsc_mapping *mapping)
{
	struct mapped *m = context;

	FUZZ_REQUIRE(mapping->start < mapping->end && mapping->start >= m->end);
	m->end = mapping->end;
	if (m->count < SAMPLES_MAX)
		m->samples[m->count] = *mapping;
	if (m->count < 256)
		gsc_text_mapping(m->out, m->translation, mapping, &m->words);
	return ++m->count < MAPPINGS_MAX;
}

static void check_walk(struct gsc_translation *translation, struct gsc_out *out, uint64_t address)
{
	struct gsc_walk walk;
	enum gsc_space space;
	uint64_t physical, length;
	enum gsc_stop stop;

	gsc_walk(translation, address, GSC_INTENT_WRITE, &walk);
	FUZZ_REQUIRE(walk.count <= GSC_STEPS_MAX && walk.mapped == (walk.stop == GSC_STOP_NONE));
	gsc_text_walk(out, translation, &walk, GSC_TEXT_VERBOSE);
	stop = gsc_resolve(translation, address, &space, &physical, &length);
	if (stop == GSC_STOP_NONE)
		FUZZ_REQUIRE(length);
}

/* What a map says of a range, a walk says of its first page. */
static void check_mapping(struct gsc_translation *translation, const struct gsc_mapping *mapping)
{
	enum gsc_space space;
	uint64_t physical, length;

	if (mapping->kind == GSC_MAPPING_REPEAT || mapping->kind == GSC_MAPPING_SCATTERED)
		return;
	if (gsc_resolve(translation, mapping->start, &space, &physical, &length) != GSC_STOP_NONE ||
	    space == GSC_SPACES)
		return;
	FUZZ_REQUIRE(space == mapping->space && physical == mapping->physical);
}

static bool take_reached(void *context, const struct gsc_reached *reached)
{
	size_t *count = context;

	FUZZ_REQUIRE(reached->pages);
	return ++*count < MAPPINGS_MAX;
}

static void check_aux(struct gsc_translation *translation, const struct gsc_view *view,
		      uint64_t root, uint64_t address)
{
	struct gsc_error err = { 0 };
	struct gsc_aux_walk walk;
	enum gsc_status status = gsc_aux_walk(translation, view, root, address, &walk, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	FUZZ_REQUIRE(walk.mapped == (walk.stop == GSC_STOP_NONE) && walk.mapped == !walk.why[0]);
	FUZZ_REQUIRE(walk.count <= 3 && (!walk.mapped || walk.count == 3));
}

static void check_translation(struct gsc_translation *translation, const struct gsc_view *view,
			      struct gsc_out *out)
{
	static const uint64_t asked[] = { 0, 0x1000, 0x201000, 0x40000123, 0x8000000000,
					  0x7fffffffffff, 0xffff800000000000, UINT64_MAX };
	struct mapped mapped = { .translation = translation, .out = out };
	struct gsc_map_holes holes = { 0 };
	struct gsc_error err = { 0 };
	struct gsc_global_ranges *shared = NULL;
	enum gsc_status status;
	uint8_t bytes[64];
	size_t reached = 0;

	gsc_text_root(out, translation);
	for (size_t i = 0; i < sizeof(asked) / sizeof(*asked); i++) {
		check_walk(translation, out, asked[i]);
		check_aux(translation, view, asked[i] & ~UINT64_C(0x7fff), asked[i]);
	}
	status = gsc_map(translation, 0, take_mapping, &mapped, &holes, &err);
	if (status)
		fuzz_check_error(&err, status);
	for (size_t i = 0; i < SAMPLES_MAX && i < mapped.count; i++) {
		check_walk(translation, out, mapped.samples[i].start);
		check_mapping(translation, &mapped.samples[i]);
		gsc_translated_read(translation, mapped.samples[i].start, bytes, sizeof(bytes));
	}
	if (mapped.count)
		gsc_reverse(translation, mapped.samples[0].space, mapped.samples[0].physical,
			    take_reached, &reached, &holes, &err);
	err = (struct gsc_error){ 0 };
	status = gsc_check_tables(translation, &shared, any_breach, out, &err);
	gsc_global_ranges_free(shared);
	if (status)
		fuzz_check_error(&err, status);
}

void fuzz_tables(struct gsc_source *source, const struct gsc_view *view,
		 const struct gsc_translation_options *options)
{
	struct gsc_translation *translation;
	struct gsc_error err = { 0 };
	struct gsc_out *out;
	enum gsc_status status = gsc_translation_new(&translation, source, view, options, &err);

	if (status) {
		fuzz_check_error(&err, status);
		return;
	}
	out = fuzz_out();
	check_translation(translation, view, out);
	fuzz_out_end(out);
	gsc_translation_free(translation);
}

static void look_at_roots(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	struct gsc_error err = { 0 };
	struct gsc_root *roots;
	size_t count;

	if (gsc_roots(source, view, &roots, &count, &err))
		return;
	for (size_t i = 0; i < count && i < ROOTS_MAX; i++) {
		options.root = roots[i];
		fuzz_tables(source, view, &options);
	}
	free(roots);
}

static void look_at_windows(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_window windows[32];
	size_t count = gsc_windows(source, view, windows, 32);
	struct gsc_out *out = fuzz_out();

	gsc_text_windows(out, windows, count < 32 ? count : 32);
	fuzz_out_end(out);
}

/* ---- commands ------------------------------------------------------------------------------- */

static bool told_begin(void *context, const struct gsc_run *run)
{
	((struct fuzz_told *)context)->seen += run->address;
	return true;
}

static bool told_command(void *context, const struct gsc_run *run,
			 const struct gsc_command *command)
{
	struct fuzz_told *told = context;
	struct gsc_command_address address;

	(void)run;
	FUZZ_REQUIRE(command->count && command->name);
	touch(command->words, command->count * 4);
	for (size_t i = 0; i < ADDRESSES_MAX &&
	     gsc_command_address(told->set, command, i, &address); i++)
		FUZZ_REQUIRE(address.name && address.dword < command->count);
	gsc_command_text(told->text, command);
	gsc_command_json(told->writer, command);
	return ++told->commands < COMMANDS_MAX;
}

static bool told_write(void *context, const struct gsc_run *run, const struct gsc_command *command,
		       const struct gsc_register_write *write)
{
	(void)run;
	(void)command;
	((struct fuzz_told *)context)->seen += write->offset;
	return true;
}

static bool told_state(void *context, const struct gsc_run *run, const struct gsc_command *command,
		       const struct gsc_state *state)
{
	struct fuzz_told *told = context;

	(void)run;
	(void)command;
	if (state->words)
		touch(state->words, state->count * 4);
	gsc_text_state(told->out, told->view, state, GSC_TEXT_VERBOSE);
	return true;
}

static bool told_kernel(void *context, const struct gsc_run *run,
			const struct gsc_command *command, const struct gsc_kernel *kernel)
{
	(void)run;
	(void)command;
	((struct fuzz_told *)context)->seen += kernel->address;
	if (kernel->data)
		touch(kernel->data, kernel->size);
	return true;
}

static bool told_breach(void *context, const struct gsc_run *run, const struct gsc_breach *breach)
{
	(void)run;
	gsc_text_breach(((struct fuzz_told *)context)->out, breach);
	return true;
}

static bool told_end(void *context, const struct gsc_run *run)
{
	((struct fuzz_told *)context)->seen += run->length + run->why[0];
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
	status = gsc_follow_all(set, source, &options, &listener, &err);
	if (status)
		fuzz_check_error(&err, status);
	fuzz_told_end(&told);
}

/* A trace as it was when something was given to an engine. */
static void look_at_moments(struct gsc_source *source, const struct gsc_view *view)
{
	struct gsc_submission submission;
	struct gsc_error err = { 0 };
	struct gsc_source *moment;
	enum gsc_status status;

	for (unsigned n = 1; n <= MOMENTS_MAX; n++) {
		status = gsc_source_at(source, view, n, &moment, &submission, &err);
		if (status) {
			fuzz_check_error(&err, status);
			return;
		}
		FUZZ_REQUIRE(memchr(submission.engine, 0, sizeof(submission.engine)));
		fuzz_look(moment);
		gsc_source_close(moment);
	}
}

/* ---- all of it ------------------------------------------------------------------------------ */

static void look_further(struct gsc_source *source, const struct gsc_view *view, unsigned which)
{
	static void (*const further[])(struct gsc_source *, const struct gsc_view *) = {
		fuzz_hang, fuzz_follow, show_images, look_at_roots, look_at_moments,
	};

	show_registers(source, view);
	look_at_windows(source, view);
	if (which < sizeof(further) / sizeof(*further))
		further[which](source, view);
}

/*
 * What takes long is asked of some inputs only, each of another kind: a fuzzer lives on speed, and
 * comes by each place many times.
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
			     sum >> 16 & 7);
	gsc_source_close(source);
}
