/* SPDX-License-Identifier: MIT */
/* Where the lines that were typed are kept: $XDG_STATE_HOME/gpuscope/history. */
#include "sh.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* All folders on the way to a file, for their owner alone. */
static bool make_folders(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (mkdir(path, 0700) && errno != EEXIST) {
			*slash = '/';
			return false;
		}
		*slash = '/';
	}
	return true;
}

static bool is_ours(const struct common *common, const char *path)
{
	int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	struct stat st;
	bool ours;

	if (fd < 0)
		return false;
	ours = !fstat(fd, &st) && S_ISREG(st.st_mode) && config_trusted(common, path, &st);
	close(fd);
	return ours;
}

bool history_path(const struct common *common, char *path, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	int length;

	if (another_user())
		return false;
	if (state && *state == '/')
		length = snprintf(path, size, "%s/gpuscope/history", state);
	else if (home && *home == '/')
		length = snprintf(path, size, "%s/.local/state/gpuscope/history", home);
	else
		return false;
	return (size_t)length < size && make_folders(path) &&
	       is_ours(common, path);
}
