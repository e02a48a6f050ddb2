/* SPDX-License-Identifier: MIT */
/* Commands of one platform, and memory of dwords that contains batches. */
#ifndef BATCH_HELPERS_H
#define BATCH_HELPERS_H

#include "batch/batch.h"
#include "batch/run.h"
#include "db/engine.h"

struct kit {
	struct gsc_db *db;
	struct gsc_view *view;
	struct gsc_commands *set;
	struct gsc_platform platform;
};

void kit_open(struct kit *kit, const char *platform);
void kit_close(struct kit *kit);

/* The commands into which the dwords are split, one per line: "NAME length/count status". */
char *cut(const struct kit *kit, const char *engine, const uint32_t *words, size_t count);
/* cut() must give that; one message says how it differs. */
void check_cut(const struct kit *kit, const char *engine, const uint32_t *words, size_t count,
	       const char *expected, const char *file, int line);

#define CUT(kit, engine, expected, ...)                                                            \
	check_cut(kit, engine, (const uint32_t[]){ __VA_ARGS__ },                                  \
		  sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4, expected, __FILE__, __LINE__)

/*
 * What following reports, as text: "[kind space:address +p]" where a run begins, "NAME" for each of
 * its commands with "!status" and "<mark", "=OFFSET:VALUE" and such for what it writes, "{state or
 * kernel@address/bytes:hash}", "|rule where|" for what breaks a rule, "(end length)".
 */
struct told {
	char *text;
	size_t size, room;
	bool writes;			/* request them */
	bool rest;			/* request state, kernels and what breaks rules */
	size_t commands;
	size_t enough;			/* stop after this many; 0: never */
};

struct gsc_listener told_listener(struct told *told);
void check_told(struct told *told, const char *expected, const char *file, int line);
#define TOLD(told, expected) check_told(told, expected, __FILE__, __LINE__)

#endif
