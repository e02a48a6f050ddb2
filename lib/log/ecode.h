/* SPDX-License-Identifier: MIT */
/* The code of a hang as i915 writes it, for the readers of logs and dumps. */
#ifndef GSC_LOG_ECODE_H
#define GSC_LOG_ECODE_H

#include "util/text.h"

struct gsc_db;
struct gsc_view;

/*
 * The code that i915 gives a hang, "9:1:85dffffb": INSTDONE xor IPEHR of the engine. Neither of the
 * two can be computed from it, but few commands leave a possible INSTDONE.
 */
struct gsc_ecode {
	bool has_generation, has_code;
	bool no_engine;			/* it says that no engine was found hung */
	unsigned generation;
	uint32_t code;
	unsigned classes;		/* possible classes: a bit for each gsc_engine_class() */
	char engine[16];		/* "rcs0", "rcs"; "" if unknown */
	char process[64];		/* "Xorg [1981]", or "" */
	uint64_t platforms;		/* possible platforms: a bit for each index */
};

/* From the beginning of a text; *text is then what follows it. */
void ecode_take(const struct gsc_db *db, const struct gsc_view *view, struct slice *text,
		struct gsc_ecode *ecode);

#define GSC_ECODE_GUESSES 6

struct gsc_ecode_guess {
	const char *command;		/* NULL: no command, a header of all ones */
	uint32_t header, instdone;	/* their xor is the code */
	char busy[128];			/* units that are not done then: "CS, VFE" */
};

/*
 * The first code in a text, and where the text after it begins; the text may be just a code, or
 * lines of a log. A view limits the platforms to its own. False: there is none.
 */
GSC_API bool gsc_ecode_read(const struct gsc_db *db, const struct gsc_view *view, const char *text,
			    size_t size, struct gsc_ecode *ecode, size_t *next);
/* The commands that fit, the best first; 0: none does, or too many do. */
GSC_API size_t gsc_ecode_guess(const struct gsc_db *db, const struct gsc_ecode *ecode,
			       struct gsc_ecode_guess guesses[GSC_ECODE_GUESSES]);
/* What the code says, in words. */
GSC_API void gsc_ecode_text(const struct gsc_db *db, const struct gsc_ecode *ecode, char *buf,
			    size_t size);

#endif
