/* SPDX-License-Identifier: MIT */
/* Words of enums that are read as well as written; those of the language are in gpuscope.h. */
#ifndef GSC_DB_WORDS_H
#define GSC_DB_WORDS_H

#include "db/blob.h"
#include "inside.h"

/* The forms of instructions, as definitions write them: form=. */
enum eu_form {
	EU_BASIC, EU_NOP, EU_MATH, EU_THREE, EU_DPAS, EU_SEND, EU_SENDS, EU_BRANCH, EU_SYNC,
	EU_SENDG, EU_SENDGX, EU_BDPAS, EU_FORMS
};
extern const char *const eu_form_words[EU_FORMS];

/* What offsets in state count from. */
extern const char *const base_words[BASES];

/* The word for a kind: "register", "command", ... */
GSC_API const char *gsc_kind_word(enum gsc_kind kind);

/* The status with this gsc_read_word(). */
bool read_by_word(const char *word, size_t length, enum gsc_read *status);

/* Finds a space by the first `length` characters of a name; false if there is none. */
GSC_API bool gsc_space_by_name(const char *name, size_t length, enum gsc_space *space);

/*
 * The status of an operation that depends on this read: GSC_DENIED; GSC_GONE for asleep or all
 * ones; else GSC_UNKNOWN. GSC_OK for a read that gave a value.
 */
GSC_API enum gsc_status gsc_read_status(enum gsc_read status);

#endif
