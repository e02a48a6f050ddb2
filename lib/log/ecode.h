/* SPDX-License-Identifier: MIT */
/* The code of a hang as i915 writes it, for the readers of logs and dumps. */
#ifndef GSC_LOG_ECODE_H
#define GSC_LOG_ECODE_H

#include "log/log.h"

struct ecode {
	uint64_t generation, engines, code;
	bool has_generation, has_engines, has_code;
	bool classes;			/* `engines` is a mask of them, else a number */
};

/* Takes it from the beginning of a text. */
struct ecode ecode_take(struct slice *text);
/* With the rest of its line, and everything that follows from both. */
void ecode_fill(const struct gsc_db *db, const struct gsc_view *view, const struct ecode *e,
		struct slice rest, struct gsc_ecode *ecode);

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
