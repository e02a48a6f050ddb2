/* SPDX-License-Identifier: MIT */
/* Words of enums that are read as well as written; those of the language are in gpuscope.h. */
#ifndef GSC_DB_WORDS_H
#define GSC_DB_WORDS_H

#include "db/blob.h"
#include "private.h"

/* What offsets in state count from. */
extern const char *const base_words[BASES];

/* The status that gsc_read_word() calls so. */
bool read_by_word(const char *word, size_t length, enum gsc_read *status);

#endif
