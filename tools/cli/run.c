/* SPDX-License-Identifier: MIT */
/* The course of a command: from its options to its exit status. */
#include "cli.h"
#include "formats/demo.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMPLAINTS_MAX 20
#define LINE_MOST 900			/* bytes of a message */

/* ---- lines on stderr ------------------------------------------------------------------------ */

/* One line whatever it contains: names come from the user and from files. */
static size_t make_line(char *line, size_t size, const struct common *common, const char *what,
			const char *why)
{
	int length = snprintf(line, size - 1, "%s: %s%s%s", common->name, what, *what ? ": " : "",
			      why);
	size_t end = (size_t)length < size - 1 ? (size_t)length : size - 2;

	gsc_text_clean(line);
	line[end] = '\n';
	return end + 1;
}

static void write_stderr(const char *text, size_t size)
{
	while (size) {
		ssize_t wrote = write(STDERR_FILENO, text, size);

		if (wrote <= 0)
			return;
		text += wrote;
		size -= (size_t)wrote;
	}
}

/* The command to paste at its end, or the end. */
static const char *command_in(const char *line, const char *end)
{
	static const char *const leads[] = { ": gpu-", "try: ", " with: " };
	const char *at;

	for (size_t i = 0; i < ARRAY_SIZE(leads); i++) {
		at = memmem(line + 1, (size_t)(end - line - 1), leads[i], strlen(leads[i]));
		if (at)
			return strchr(at, ' ');
	}
	return end;
}

static size_t columns(const char *at, size_t length)
{
	size_t count = 0;

	for (size_t i = 0; i < length; i++)
		count += ((unsigned char)at[i] & 0xc0) != 0x80;
	return count;
}

/* On a terminal in lines that fit it; a command to paste stays whole. */
static void write_line(const struct common *common, const char *line, size_t size)
{
	static const char again[] = "\n    ";
	const char *end = line + size - 1, *command = command_in(line, end), *next;
	char text[2 * LINE_MOST];
	size_t used = 0, column = 0;

	if (!common->message_width || size > LINE_MOST) {
		write_stderr(line, size);
		return;
	}
	for (const char *at = line; at < end; at = next) {
		size_t blanks = strspn(at, " "), width;

		next = at == command ? end : at + blanks + strcspn(at + blanks, " \n");
		width = columns(at, (size_t)(next - at));
		if (column && column + width > common->message_width &&
		    used + sizeof(again) + (size_t)(end - at) < sizeof(text)) {
			memcpy(text + used, again, sizeof(again) - 1);
			used += sizeof(again) - 1;
			column = sizeof(again) - 2;
			at += blanks;
			width -= blanks;
		}
		memcpy(text + used, at, (size_t)(next - at));
		used += (size_t)(next - at);
		column += width;
	}
	text[used++] = '\n';
	write_stderr(text, used);
}

void warn(const struct common *common, const char *what, const char *why)
{
	char line[LINE_MOST];

	write_line(common, line, make_line(line, sizeof(line), common, what, why));
}

struct complaint {
	enum gsc_status status;
	size_t length;
	char line[LINE_MOST];
};

void complain(struct common *common, enum gsc_status status, const char *what, const char *why)
{
	struct complaint *grown, *added;

	if (common->complaint_count >= COMPLAINTS_MAX)
		return;
	grown = realloc(common->complaints, (common->complaint_count + 1) * sizeof(*grown));
	if (!grown)
		return;
	common->complaints = grown;
	added = &grown[common->complaint_count++];
	added->status = status;
	added->length = make_line(added->line, sizeof(added->line), common, what, why);
}

/*
 * What is absent may be missing because a file was truncated: a line about the former also mentions
 * the latter. `end`: the NUL after the text so far.
 */
static size_t add_damage(const struct common *common, enum gsc_status status, char *end,
			 size_t room)
{
	const char *note = NULL;
	int length;

	if (common->source && !gsc_source_live(common->source) &&
	    (status == GSC_UNKNOWN || status == GSC_GONE))
		note = gsc_source_note(common->source, 0);
	if (!note)
		return 0;
	length = snprintf(end, room, "; %s", note);
	return (size_t)length < room ? (size_t)length : room - 1;
}

static void add_damage_to_line(const struct common *common, struct complaint *complaint)
{
	char *end = complaint->line + complaint->length - 1;	/* the newline */
	size_t room = sizeof(complaint->line) - complaint->length;

	*end = 0;
	complaint->length += add_damage(common, complaint->status, end, room);
	gsc_text_clean(complaint->line);
	complaint->line[complaint->length - 1] = '\n';
}

/* Several things may have failed, but a failure is one line. */
static void tell_complaints(const struct common *common, enum gsc_status status)
{
	bool all = status == GSC_OK || status == GSC_PARTIAL;

	for (size_t i = 0; i < common->complaint_count; i++) {
		struct complaint *complaint = &common->complaints[i];

		if (!all && complaint->status != status)
			continue;
		if (!all)
			add_damage_to_line(common, complaint);
		write_line(common, complaint->line, complaint->length);
		if (!all)
			return;
	}
}

static unsigned rank(enum gsc_status status)
{
	static const unsigned ranks[] = { [GSC_FAILED] = 9, [GSC_USAGE] = 8, [GSC_DENIED] = 4,
					  [GSC_GONE] = 3, [GSC_UNKNOWN] = 2, [GSC_PARTIAL] = 1 };

	return (unsigned)status < ARRAY_SIZE(ranks) ? ranks[status] : 0;
}

enum gsc_status worse(enum gsc_status a, enum gsc_status b)
{
	return rank(a) >= rank(b) ? a : b;
}

enum gsc_status option_error(const char *option, const char *value, const char *why,
			     struct gsc_error *err)
{
	usage_error(err, "", "%s", why);
	snprintf(err->what, sizeof(err->what), "--%s %.150s", option, *value ? value : "''");
	return GSC_USAGE;
}

void tell(const struct common *common, const struct gsc_error *err)
{
	char why[sizeof(err->why) + 60], way[40] = "--help";

	if (common->verb)
		snprintf(way, sizeof(way), "help%s%s", *common->verb ? " " : "", common->verb);
	snprintf(why, sizeof(why), "%s%s%s%s", err->why, err->status == GSC_USAGE ? " (try " : "",
		 err->status == GSC_USAGE ? way : "", err->status == GSC_USAGE ? ")" : "");
	warn(common, *err->what ? err->what : "''", why);
}

/* ---- signals -------------------------------------------------------------------------------- */

static void on_sigbus_again(int signal)
{
	(void)signal;
	_exit(GSC_FAILED);
}

/*
 * A mapped file became shorter, or its device was removed: there is no way to continue. The cleanup
 * may touch the same mapping.
 */
static void on_sigbus(int number)
{
	static const char text[] = ": the input is gone: a file was truncated, or its device "
				   "removed\n";

	signal(number, on_sigbus_again);
	write_stderr(program_invocation_short_name, strlen(program_invocation_short_name));
	write_stderr(text, sizeof(text) - 1);
	stop_put_right();
	_exit(GSC_FAILED);
}

/*
 * A closed pipe or a limit (ulimit -f) shows as a failed write: everything is cleaned up at the
 * end.
 */
static void prepare_signals(void)
{
	struct sigaction action = { .sa_handler = on_sigbus, .sa_flags = SA_NODEFER };

	sigaction(SIGBUS, &action, NULL);
	action = (struct sigaction){ .sa_handler = SIG_IGN };
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGXFSZ, &action, NULL);
	stop_prepare();
}

/* ---- descriptors ---------------------------------------------------------------------------- */

/*
 * A closed standard descriptor must not become that of a file opened later: messages would go into
 * it. Its replacement can be neither read nor written, just like the closed one.
 */
static void fill_descriptor(void)
{
	if (open("/dev/null", O_PATH) < 0)
		open("/", O_PATH);
}

/* For stderr, one call also says whether it is a terminal. */
static void prepare_descriptors(struct common *common)
{
	for (int fd = STDIN_FILENO; fd < STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			fill_descriptor();
	if (isatty(STDERR_FILENO))
		common->message_width = terminal_is_dumb() ? 0 : terminal_width(STDERR_FILENO);
	else if (errno == EBADF)
		fill_descriptor();
}

/* ---- the course ----------------------------------------------------------------------------- */

static enum gsc_status write_help(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = output_open(common, false, err);

	if (status)
		return status;
	if (common->help)
		help_write(common->out, common->command, common->help == HELP_ALL);
	else
		gsc_out_format(common->out, "%s from gpuscope %s\n", common->command->name,
			       gsc_version());
	return GSC_OK;
}

/* "demo:" without a name lists them. */
static bool asks_for_demos(const struct common *common)
{
	for (size_t i = 0; i < common->from.count; i++)
		if (!strcmp(common->from.items[i], "demo:"))
			return true;
	for (size_t i = 0; i < common->operand_count; i++)
		if (!strcmp(common->operands[i], "demo:"))
			return true;
	return false;
}

void demos_write(struct gsc_out *out)
{
	struct gsc_demo demo;

	for (size_t i = 0; gsc_demo_at(i, &demo); i++) {
		gsc_out_format(out, "demo:%s", demo.name);
		gsc_out_pad(out, 24);
		gsc_out_text(out, demo.title);
		gsc_out_end(out);
	}
}

static enum gsc_status write_demos(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = output_open(common, false, err);

	if (!status)
		demos_write(common->out);
	return status;
}

static enum gsc_status carry_out(struct common *common, int argc, char **argv,
				 struct gsc_error *err)
{
	enum gsc_status status = options_read(common, argc, argv, err);

	if (status)
		return status;
	progress_begin(common);
	if (common->command->prepare)
		common->command->prepare(common);
	confine_to_sources(common);
	if (common->help || common->version)
		return write_help(common, err);
	if (asks_for_demos(common))
		return write_demos(common, err);
	status = operands_take(common, err);
	return status ? status : common->command->run(common, err);
}

static void close_all(struct common *common)
{
	gsc_gpu_close(common->gpu);
	source_close(common->source);
	gsc_db_free(common->db);
	free(common->complaints);
	free(common->hints);
	free(common->words);
	file_kept_free(common);
	options_free(common);
}

static enum gsc_status run(struct common *common, int argc, char **argv)
{
	struct gsc_error err = { 0 }, write_err = { 0 };
	enum gsc_status status = carry_out(common, argc, argv, &err);
	bool closed = false;

	progress_clear(common);
	if (common->source)
		gsc_source_let_sleep(common->source);	/* a pager may stay for hours */
	if (output_close(common, &closed, &write_err)) {
		status = GSC_FAILED;
		tell(common, &write_err);
	} else if (closed) {
		status = GSC_OK;
	} else {
		tell_complaints(common, status);
		if (status && *err.why) {
			size_t length = strlen(err.why);

			add_damage(common, status, err.why + length, sizeof(err.why) - length);
			tell(common, &err);
		}
	}
	close_all(common);
	outside_end(common);
	return status;
}

int command_run(const struct command *command, int argc, char **argv,
		const struct session *session)
{
	const char *name = session ? session->name : command->name;
	struct common *common = calloc(1, command->size);
	enum gsc_status status;

	if (!common) {
		struct gsc_error err;

		status = err_memory(&err);
		tell(&(struct common){ .name = name }, &err);
		return (int)status;
	}
	common->command = command;
	common->session = session;
	common->name = name;
	common->verb = session ? session->verb : NULL;
	common->device = common->revision = -1;
	prepare_descriptors(common);
	prepare_signals();
	status = run(common, argc, argv);
	free(common);
	return (int)status;
}
