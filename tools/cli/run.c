/* SPDX-License-Identifier: MIT */
/* The course of a command: from its options to its exit status. */
#include "cli.h"
#include "formats/demo.h"
#include "source/source.h"
#include "util/text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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

/* On a terminal in lines that fit it; a command to paste stays whole. */
static void write_line(const struct common *common, const char *line, size_t size)
{
	static const char *const leads[] = { ": gpu-", "try: ", " with: " };
	static const char again[] = "\n    ";
	const char *end = line + size - 1, *command = end, *next;
	char text[2 * LINE_MOST];
	size_t used = 0, column = 0;

	if (!common->message_width || size > LINE_MOST) {
		fd_write(STDERR_FILENO, line, size);
		return;
	}
	for (size_t i = 0; command == end && i < ARRAY_SIZE(leads); i++) {
		next = memmem(line + 1, (size_t)(end - line - 1), leads[i], strlen(leads[i]));
		command = next ? strchr(next, ' ') : end;
	}
	for (const char *at = line; at < end; at = next) {
		size_t blanks = strspn(at, " "), width = 0;

		next = at == command ? end : at + blanks + strcspn(at + blanks, " \n");
		for (const char *c = at; c < next; c++)
			width += ((unsigned char)*c & 0xc0) != 0x80;
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
	fd_write(STDERR_FILENO, text, used);
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

/* Several things may have failed, but a failure is one line. */
static void tell_complaints(const struct common *common, enum gsc_status status)
{
	bool all = status == GSC_OK || status == GSC_PARTIAL;

	for (size_t i = 0; i < common->complaint_count; i++) {
		struct complaint *complaint = &common->complaints[i];
		char *end = complaint->line + complaint->length - 1;	/* the newline */

		if (!all && complaint->status != status)
			continue;
		if (!all) {
			*end = 0;
			complaint->length += add_damage(common, complaint->status, end,
							sizeof(complaint->line) -
							complaint->length);
			gsc_text_clean(complaint->line);
			complaint->line[complaint->length - 1] = '\n';
		}
		write_line(common, complaint->line, complaint->length);
		if (!all)
			return;
	}
}

enum gsc_status worse(enum gsc_status a, enum gsc_status b)
{
	static const unsigned ranks[] = { [GSC_FAILED] = 9, [GSC_USAGE] = 8, [GSC_DENIED] = 4,
					  [GSC_GONE] = 3, [GSC_UNKNOWN] = 2, [GSC_PARTIAL] = 1 };

	return ranks[a] >= ranks[b] ? a : b;
}

enum gsc_status option_error(const char *option, const char *value, const char *why,
			     struct gsc_error *err)
{
	usage_error(err, "", "%s", why);
	string_set(err->what, "--%s %.150s", option, *value ? value : "''");
	return GSC_USAGE;
}

void tell(const struct common *common, const struct gsc_error *err)
{
	char why[sizeof(err->why) + 60];

	string_set(why, "%s", err->why);
	if (err->status == GSC_USAGE && common->verb)
		string_add(why, " (try help%s%s)", *common->verb ? " " : "", common->verb);
	else if (err->status == GSC_USAGE)
		string_add(why, " (try --help)");
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
	fd_write(STDERR_FILENO, program_invocation_short_name,
		 strlen(program_invocation_short_name));
	fd_write(STDERR_FILENO, text, sizeof(text) - 1);
	stop_put_right();
	_exit(GSC_FAILED);
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

/* ---- the course ----------------------------------------------------------------------------- */

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

static enum gsc_status carry_out(struct common *common, int argc, char **argv,
				 struct gsc_error *err)
{
	enum gsc_status status = options_read(common, argc, argv, err);
	bool lists_demos = false;

	if (status)
		return status;
	/* "demo:" without a name. */
	for (size_t i = 0; i < common->from.count; i++)
		lists_demos |= !strcmp(common->from.items[i], "demo:");
	for (size_t i = 0; i < common->operand_count; i++)
		lists_demos |= !strcmp(common->operands[i], "demo:");
	progress_begin(common);
	if (common->command->prepare)
		common->command->prepare(common);
	confine_to_sources(common);
	if (common->help || common->version || lists_demos) {
		status = output_open(common, false, err);
		if (status)
			return status;
		if (common->help)
			help_write(common->out, common->command, common->help == HELP_ALL);
		else if (common->version)
			gsc_out_format(common->out, "%s from gpuscope %s\n",
				       common->command->name, GSC_VERSION);
		else
			demos_write(common->out);
		return GSC_OK;
	}
	status = operands_take(common, err);
	return status ? status : common->command->run(common, err);
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
	gsc_gpu_close(common->gpu);
	source_close(common->source);
	gsc_db_free(common->db);
	free(common->complaints);
	free(common->hints);
	free(common->extract);
	free(common->words);
	file_kept_free(common);
	options_free(common);
	outside_end(common);
	return status;
}

int command_run(const struct command *command, int argc, char **argv, const struct session *session)
{
	const char *name = session ? session->name : command->name;
	struct sigaction action = { .sa_handler = on_sigbus, .sa_flags = SA_NODEFER };
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
	for (int fd = STDIN_FILENO; fd < STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			fill_descriptor();
	/* For stderr, one call also says whether it is a terminal. */
	if (isatty(STDERR_FILENO))
		common->message_width = terminal_is_dumb() ? 0 : terminal_width(STDERR_FILENO);
	else if (errno == EBADF)
		fill_descriptor();
	sigaction(SIGBUS, &action, NULL);
	/* A closed pipe or a limit (ulimit -f) shows as a failed write: all is cleaned up. */
	action = (struct sigaction){ .sa_handler = SIG_IGN };
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGXFSZ, &action, NULL);
	stop_prepare();
	status = run(common, argc, argv);
	free(common);
	return (int)status;
}
