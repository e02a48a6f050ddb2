/* SPDX-License-Identifier: MIT */
/* Which problems that were reported in public look like what a source or a log shows. */
#ifndef GSC_HANG_KNOWN_H
#define GSC_HANG_KNOWN_H

#include "db/known.h"
#include "hang/hang.h"

#define KNOWN_MOST 3

/* The most specific ones first. */
struct gsc_knowns {
	struct gsc_known items[KNOWN_MOST];
	unsigned conditions[KNOWN_MOST];
	size_t count;
};

/* What a problem is compared with. NULL, 0 and "": unknown, which fits no condition. */
struct known_case {
	uint64_t platforms;		/* that it can be of, a bit each */
	const char *driver, *signature, *process;
	char kernel[32];		/* the upstream version, "6.1.119"; "6.1": one of these */
	const struct gsc_firmwares *firmware;
	struct slice log;
};

/* Adds those that fit a boot of the log; each may have another kernel. */
void known_find_log(struct gsc_knowns *found, const struct gsc_db *db, struct known_case *c,
		    struct slice log);
/* Those of a dump. */
GSC_API void gsc_hang_known(const struct gsc_hang *hang, struct gsc_knowns *found);
/* "Reported before: TITLE (LINK); reported fixed in Linux 6.8" */
GSC_API const char *gsc_known_text(const struct gsc_known *known, char *buf, size_t size);

#endif
