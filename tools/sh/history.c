/* SPDX-License-Identifier: MIT */
/* The lines that were typed, in $XDG_STATE_HOME/gpuscope. */
#include "sh.h"
#include "util/number.h"

#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

/* Who called sudo or pkexec; NULL: nobody, or an unknown user. */
static const struct passwd *caller(void)
{
	const char *sudo = getenv("SUDO_UID"), *text = sudo ? sudo : getenv("PKEXEC_UID");
	uint64_t uid;

	return text && gsc_parse_number(text, &uid) && uid < UINT32_MAX ? getpwuid((uid_t)uid)
									  : NULL;
}

/*
 * The files of the user who called sudo are handled as that user: the kernel refuses what the user
 * may not do, and new files belong to that user.
 */
bool history_begin(struct history *history)
{
	const struct passwd *user = another_user() ? caller() : NULL;

	*history = (struct history){ .other = another_user(), .uid = geteuid() };
	if (!history->other)
		return true;
	history->gid = getegid();
	history->count = getgroups(HISTORY_GROUPS, history->groups);
	if (!user || history->uid || history->count < 0 || setgroups(1, &user->pw_gid))
		return false;
	history->changed = true;
	if (!setegid(user->pw_gid) && !seteuid(user->pw_uid))
		return true;
	history_end(history);
	return false;
}

/* Without its own id the shell must not continue. */
void history_end(struct history *history)
{
	if (!history->changed)
		return;
	if (seteuid(history->uid) || setegid(history->gid) ||
	    setgroups((size_t)history->count, history->groups))
		abort();
	history->changed = false;
}

bool history_path(const struct common *common, char *path, size_t size)
{
	const struct passwd *user = another_user() ? caller() : NULL;
	struct history history;
	bool there;

	if (!history_begin(&history))
		return false;
	there = state_path(common, getenv("XDG_STATE_HOME"),
			   user ? user->pw_dir : getenv("HOME"), "history", path, size);
	history_end(&history);
	return there;
}
