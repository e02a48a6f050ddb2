/* SPDX-License-Identifier: MIT */
/* Enums that are read and written as words; those of definitions, and the results of reads. */
#ifndef GSC_DB_WORDS_H
#define GSC_DB_WORDS_H

#include "db/blob.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An address space. */
enum gsc_space {
	GSC_MMIO,		/* the register part of the register BAR */
	GSC_CONFIG,		/* PCI configuration space */
	GSC_IO,			/* I/O ports; addresses below 0x3b0 are offsets in the I/O BAR */
	GSC_VGA_SR, GSC_VGA_GR, GSC_VGA_AR, GSC_VGA_CR,	/* indexed VGA registers */
	GSC_SIDEBAND,		/* IOSF port << 16 | register; each register has 32 bits */
	GSC_GGTT,		/* bytes of the entries of the GGTT */
	GSC_PHYS,		/* physical memory */
	GSC_LMEM,		/* device-local memory */
	GSC_GTTMEM,		/* memory by its GGTT address */
	GSC_PPGTTMEM,		/* memory by its PPGTT address */
	GSC_STOLEN,		/* offsets in stolen memory whose base is unknown */
	GSC_SPACES
};

/* The name of a space in selectors and captures: "mmio", "config", "phys", ... */
GSC_API const char *gsc_space_name(enum gsc_space space);
/* Finds a space by the first `length` characters of a name; false if there is none. */
GSC_API bool gsc_space_by_name(const char *name, size_t length, enum gsc_space *space);

/* The result of a read. */
enum gsc_read {
	GSC_READ_OK,
	GSC_READ_ABSENT,	/* no source holds it */
	GSC_READ_SKIPPED,	/* not read, because that is hazardous */
	GSC_READ_ASLEEP,
	GSC_READ_DENIED,
	GSC_READ_ALL_ONES,	/* all ones, which cannot be a value here */
	GSC_READ_EXCLUDED,	/* left out of a memory dump when it was written */
	GSC_READS
};

/* The word for it: "ok", "absent", "all-ones", ... */
GSC_API const char *gsc_read_word(enum gsc_read status);
/* The status with this gsc_read_word(). */
bool read_by_word(const char *word, size_t length, enum gsc_read *status);
/*
 * The status of an operation that depends on this read: GSC_DENIED; GSC_GONE for asleep or all
 * ones; else GSC_UNKNOWN. GSC_OK for a read that gave a value.
 */
GSC_API enum gsc_status gsc_read_status(enum gsc_read status);

/* What a definition describes; messages are no items. */
enum gsc_kind { GSC_REGISTER, GSC_COMMAND, GSC_STRUCTURE, GSC_ENTRY, GSC_INSTRUCTION,
		GSC_TOPIC, GSC_WORKAROUND, GSC_MESSAGE };

/* The word for a kind: "register", "command", ... */
GSC_API const char *gsc_kind_word(enum gsc_kind kind);

/* How software may access a register or a field. */
enum gsc_access {
	GSC_RO = 1 << 0, GSC_RW = 1 << 1, GSC_WO = 1 << 2, GSC_W1C = 1 << 3,
	GSC_RC = 1 << 4,		/* a read clears */
	GSC_MASKED = 1 << 5,		/* bits 31:16 enable writes of 15:0 */
	GSC_STICKY = 1 << 6,		/* latches the first event */
};

/* The word for one bit: "ro", "w1c", "masked", ... */
GSC_API const char *gsc_access_word(enum gsc_access bit);

/* The engine class with the number `bit`: "rcs", "bcs", ...; NULL past the last. */
GSC_API const char *gsc_engine_class(unsigned bit);

/* A kind of page tables. */
enum gsc_mode {
	GSC_MODE_GGTT,			/* the GGTT */
	GSC_MODE_FLAT,			/* Gen4 per-process: one level */
	GSC_MODE_2LEVEL,		/* Gen6 and Gen7 per-process */
	GSC_MODE_PDP32,			/* Gen8+ legacy context, 32 bits */
	GSC_MODE_PML4,			/* Gen8+ legacy context, 48 or 57 bits */
	GSC_MODE_IA32E,			/* Gen8+ advanced context */
	GSC_MODE_TRTT,			/* tiled resources, in front of another mode */
	GSC_MODE_VTD,			/* second level, and the tables that lead to it */
	GSC_MODES
};

/* Modes by their names in gpu-ptwalk(1): "ggtt", "pml4", ... */
GSC_API const char *gsc_mode_name(enum gsc_mode mode);
GSC_API bool gsc_mode_by_name(const char *name, enum gsc_mode *mode);

/* The forms of instructions, as definitions write them: form=. */
enum eu_form {
	EU_BASIC, EU_NOP, EU_MATH, EU_THREE, EU_DPAS, EU_SEND, EU_SENDS, EU_BRANCH, EU_SYNC,
	EU_SENDG, EU_SENDGX, EU_BDPAS, EU_FORMS
};
extern const char *const eu_form_words[EU_FORMS];

/* The word that says when a workaround is written. */
extern const char *const workaround_words[WORKAROUND_KINDS];

/* enum cache_kind: kind= of a cache, by= of an invalidation. */
extern const char *const cache_words[CACHE_WORDS];

/* What a known problem can have, as definitions write it. */
extern const char *const known_words[KNOWN_PARTS];

/* enum firmware_kind */
extern const char *const firmware_words[FIRMWARE_KINDS];

/* What offsets in state count from. */
extern const char *const base_words[BASES];

/* What facts about page-table entries are about; that of ABOUT_ENTRY is NULL. */
extern const char *const about_words[ABOUTS];

#endif
