/* SPDX-License-Identifier: MIT */
/* gpu-pte: its options, and how entries are read and shown. */
#ifndef PTE_H
#define PTE_H

#include "cli/cli.h"

struct pte {
	struct common common;
	const char *mode_name, *level;
	enum gsc_mode mode;
	char level_name[32];		/* the level in lower case */
	struct gsc_json json;
};

#define PTE_SCHEMA "gpuscope.pte/1"

/* "0x1f" or "HIGH:...:LOW" as an entry of the requested level; *err is reported. */
enum gsc_status pte_decode(const struct pte *pte, const char *text, struct gsc_entry *entry,
			   struct gsc_error *err);
/* The output; its beginning, an entry of it, its end. */
enum gsc_status pte_open(struct pte *pte, struct gsc_error *err);
void pte_begin(struct pte *pte);
void pte_show(struct pte *pte, const struct gsc_entry *entry);
void pte_end(struct pte *pte);

/* stream.c: entries from standard input, one per line. */
enum gsc_status stream_run(struct pte *pte, struct gsc_error *err);

#endif
