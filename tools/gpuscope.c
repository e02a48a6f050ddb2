/* SPDX-License-Identifier: MIT */
/*
 * Every command in one program: "gpuscope regdump ...", or a link with the name of a command. In a
 * static build every command is such a link, otherwise only the shell, whose verbs they all are.
 */
#include "tools.h"
#include "db/resolve.h"
#include "util/text.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#define NAME "gpuscope"
#define PREFIX "gpu-"

static bool is_link(const char *called)
{
	return !strncmp(called, PREFIX, strlen(PREFIX));
}

/* "regdump" and "gpu-regdump" */
static const struct command *find_command(const char *name)
{
	if (is_link(name))
		name += strlen(PREFIX);
	for (size_t i = 0; all_commands[i]; i++)
		if (!strcmp(all_commands[i]->name + strlen(PREFIX), name))
			return all_commands[i];
	return NULL;
}

static enum gsc_status command_unknown(const char *name, struct gsc_error *err)
{
	struct suggestions s = { .wanted = is_link(name) ? name + strlen(PREFIX) : name };
	char near[200];

	for (size_t i = 0; all_commands[i]; i++)
		suggest(&s, all_commands[i]->name + strlen(PREFIX));
	return usage_error(err, name, "no such command%s",
			   suggestions_text(&s, near, sizeof(near)));
}

/* As if it had been called by its own name. */
static int run_command(const struct command *command, int argc, char **argv)
{
	static char name[32];

	string_set(name, "%s", command->name);
	argv[0] = name;
	program_invocation_short_name = name;
	return command_run(command, argc, argv, NULL);
}

/* ---- what it does itself -------------------------------------------------------------------- */

static enum gsc_status write_help(struct common *common, struct gsc_error *err)
{
	enum gsc_status status = output_open(common, false, err);
	struct gsc_out *out = common->out;

	if (status)
		return status;
	gsc_out_text(out, "Usage: " NAME " COMMAND [ARGUMENT...], or " PREFIX
			  "COMMAND [ARGUMENT...]\n"
			  "       " NAME " --install DIRECTORY, to make links " PREFIX
			  "COMMAND there\n");
	gsc_out_end(out);
	for (size_t i = 0; all_commands[i]; i++) {
		gsc_out_format(out, "  %s", all_commands[i]->name + strlen(PREFIX));
		gsc_out_pad(out, 12);
		gsc_out_text(out, all_commands[i]->purpose);
		gsc_out_end(out);
	}
	gsc_out_text(out, "\nEach COMMAND has --help and a manual page, such as " PREFIX
			  "fault(1).\nSee also " NAME "(1) and " NAME "(7).\n");
	return GSC_OK;
}

static enum gsc_status install(const char *called, const char *directory, struct gsc_error *err)
{
	char path[PATH_MAX], name[PATH_MAX], there[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	/* In an early initramfs there may be no /proc. */
	if (length > 0)
		path[length] = 0;
	else if (!strchr(called, '/') || !realpath(called, path))
		return err_set(err, GSC_FAILED, "--install",
			       "cannot find this program without /proc; mount it");
	for (size_t i = 0; all_commands[i]; i++) {
		if ((size_t)string_set(name, "%s/%s", directory, all_commands[i]->name) >=
		    sizeof(name))
			return err_errno(err, directory, ENAMETOOLONG);
		if (!symlink(path, name))
			continue;
		if (errno != EEXIST)
			return err_errno(err, name, errno);
		length = readlink(name, there, sizeof(there));
		if (length != (ssize_t)strlen(path) || memcmp(there, path, (size_t)length))
			return err_errno(err, name, EEXIST);
	}
	return GSC_OK;
}

static enum gsc_status run_self(struct common *common, const char *called, int argc, char **argv,
				struct gsc_error *err)
{
	const char *word = argc > 1 ? argv[1] : "--help";
	enum gsc_status status;

	if (is_link(called))
		return command_unknown(called, err);
	if (!strcmp(word, "--install")) {
		if (argc != 3)
			return usage_error(err, word, "takes one directory");
		return install(argv[0], argv[2], err);
	}
	if (argc > 2)
		return command_unknown(word, err);
	if (!strcmp(word, "--help") || !strcmp(word, "--help=all") || !strcmp(word, "-h") ||
	    !strcmp(word, "help"))
		return write_help(common, err);
	if (!strcmp(word, "--version") || !strcmp(word, "-V")) {
		status = output_open(common, false, err);
		if (!status)
			gsc_out_format(common->out, NAME " %s\n", GSC_VERSION);
		return status;
	}
	return *word == '-' ? usage_error(err, word, "no such option") : command_unknown(word, err);
}

int main(int argc, char **argv)
{
	struct common common = { .name = NAME };
	struct gsc_error err = { 0 };
	enum gsc_status status;
	const struct command *command = NULL;
	const char *called = argc ? strrchr(argv[0], '/') : NULL;
	bool closed;

	if (!argc)
		return GSC_USAGE;
	called = called ? called + 1 : argv[0];
	if (is_link(called))
		command = find_command(called);
	if (command)
		return run_command(command, argc, argv);
	if (argc == 3 && !is_link(called) && !strcmp(argv[1], "help")) {
		static char help[] = "--help";

		command = find_command(argv[2]);
		argv[1] = argv[2];
		argv[2] = help;
	} else if (argc > 1 && !is_link(called)) {
		command = find_command(argv[1]);
	}
	if (command)
		return run_command(command, argc - 1, argv + 1);
	status = run_self(&common, called, argc, argv, &err);
	if (!status)
		status = output_close(&common, &closed, &err);
	if (status)
		tell(&common, &err);
	return (int)status;
}
