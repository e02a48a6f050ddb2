/* SPDX-License-Identifier: MIT */
/* gpu-sh: the shell. */
#include "sh.h"

#include <sys/stat.h>
#include <unistd.h>

static const char *const usage[] = {
	"[options] [SOURCE] [SCRIPT]",
	"[options] [SOURCE] -c COMMANDS",
	NULL,
};

#define MEMBER(member) offsetof(struct shell, member)

static const struct option_row options[] = {
	{ 'c', "command", "COMMANDS", OPTION_LIST, MEMBER(commands),
	  "run these commands, separated by ; or newlines; repeat for more", NULL, true },
	{ 0, "write", NULL, OPTION_FLAG, MEMBER(writes), "allow writes to registers", NULL, true },
	{ 'n', "dry-run", NULL, OPTION_FLAG, MEMBER(dry_run),
	  "show the accesses of a write without doing them", NULL, true },
	{ 0, "force", NULL, OPTION_FLAG, MEMBER(force), "write even where that is a hazard", NULL,
	  true },
	{ 0, "undo-on-exit", NULL, OPTION_FLAG, MEMBER(undo_on_exit),
	  "at the end, restore what was written", NULL, true },
	{ 'j', "json", NULL, OPTION_FLAG, MEMBER(common.json),
	  "write JSON, a document for each command", NULL, true },
};

/* Lines of two numbers are a script that reads registers. */
static unsigned take(const struct common *common)
{
	(void)common;
	return TAKE_SPECS | TAKE_SURE;
}

/* ---- beginning ------------------------------------------------------------------------------ */

/*
 * A source that is named must exist; the GPU of this machine need not. "-s none" alone is no
 * platform: what needs none, such as help, works all the same.
 */
static enum gsc_status begin(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	bool named = common->from.count || common->platform_name;
	bool none = common->from.count == 1 && !strcmp(common->from.items[0], "none") &&
		    !common->platform_name;
	enum gsc_status status;

	if (shell->commands.count && common->operand_count)
		return usage_error(err, common->operands[0], "a script cannot be combined with -c");
	if (common->operand_count > 1)
		return usage_error(err, common->operands[1], "expected one script");
	status = session_definitions(shell, err);
	if (!status && named)
		status = session_switch(shell, common->from.items, common->from.count,
					common->platform_name, !none, err);
	common->from.count = 0;		/* they are the session's now */
	if (status || named || !shell->interactive)
		return status;
	common->verb = "";
	if (session_need(shell, err))
		tell(common, err);
	err->why[0] = 0;
	return GSC_OK;
}

/* ~/.config/gpuscope/shrc */
static void run_rc(struct shell *shell)
{
	const char *home = getenv("HOME");
	struct gsc_error err = { 0 };
	char path[4096];
	struct stat st;
	int length;

	if (shell->common.no_user_config || !home || *home != '/' || another_user())
		return;
	length = string_set(path, "%s/.config/gpuscope/shrc", home);
	if ((size_t)length >= sizeof(path) || stat(path, &st) || !S_ISREG(st.st_mode) ||
	    !config_trusted(&shell->common, path, &st))
		return;
	if (shell_file(shell, path, &err))
		shell_tell(shell, &err);
}

/* ---- the course ----------------------------------------------------------------------------- */

/* Several -c are texts of their own: a comment ends with its text. */
static enum gsc_status run_session(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	enum gsc_status status = GSC_OK, now;
	struct gsc_error ignored;

	common->verb = "";
	for (size_t i = 0; i < shell->commands.count && !shell->quit && !signal_seen &&
	     (!status || status == GSC_PARTIAL); i++) {
		now = shell_text(shell, NULL, shell->commands.items[i], 1);
		status = now ? now : status;
	}
	if (shell->commands.count)
		return status;
	if (common->operand_count)
		return shell_file(shell, common->operands[0], err);
	if (!shell->interactive) {
		shell->stdin_taken = true;
		return input_run(shell);
	}
	if (!common->quiet && !wants_json(common) && !output_open(common, false, &ignored)) {
		if (shell->opened)
			session_tell(shell);
		else
			gsc_out_text(common->out, "no source yet: from live, from FILE, from "
						  "demo:\n");
		gsc_out_text(common->out, "Type help; Tab completes\n");
		gsc_out_flush(common->out, &ignored);
		gsc_out_free(common->out);
		common->out = NULL;
	}
	run_rc(shell);
	signal_seen = 0;
	if (!edit_run(shell))
		input_run(shell);
	return GSC_OK;
}

static enum gsc_status undo_at_end(struct shell *shell, struct gsc_error *err)
{
	enum gsc_status status;
	struct gsc_error ignored;

	if (!shell->undo_on_exit || !shell->journal.count)
		return GSC_OK;
	status = output_open(&shell->common, false, err);
	if (status)
		return status;
	shell->dry_run = false;		/* what is undone was written */
	status = undo_all(shell, err);
	events_end(shell);
	gsc_out_flush(shell->common.out, &ignored);
	gsc_out_free(shell->common.out);
	shell->common.out = NULL;
	return status;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	struct shell *shell = (struct shell *)common;
	enum gsc_status status, after;
	int number;

	string_set(shell->place, "%s", SHELL_NAME);
	common->name = shell->place;
	shell->interactive = !shell->commands.count && !common->operand_count &&
			     isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	signals_catch(true);
	status = begin(shell, err);
	if (!status) {
		status = run_session(shell, err);
		if (*err->why)
			tell(common, err);
		err->why[0] = 0;
		after = undo_at_end(shell, err);
		status = status ? status : after;
	}
	for (size_t i = 0; i < shell->journal.count; i++)
		write_record_free(&shell->journal.items[i]);
	vec_free(&shell->journal);
	session_free(shell);
	common->platform_name = NULL;
	/* As a signal would have ended it. */
	number = signal_seen;
	if (number && (!shell->interactive || signal_ends)) {
		signals_default();
		raise(number);
	}
	return status;
}

const struct command sh_command = {
	.name = SHELL_NAME,
	.purpose = "read, decode and write the registers of an Intel GPU interactively",
	.size = sizeof(struct shell),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.value = "SOURCE",
	.opens = true,
	.take = take,
};
