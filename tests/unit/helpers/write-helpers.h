/* SPDX-License-Identifier: MIT */
/* Definitions to write to, and plans of writes as text. */
#ifndef WRITE_HELPERS_H
#define WRITE_HELPERS_H

#include "dbc/files.h"
#include "regs-helpers.h"
#include "regs/write.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char definitions[] =
	"format 1\n"
	"document t \"Test document\"\n"
	"group testing \"Testing\" on=skl\n"
	"	origin t \"chapter 1\"\n"
	"	reg W_PLAIN @0x1f0100 rw\n"
	"	reg W_FIELDS @0x1f0104 rw\n"
	"		field HIGH 31:16\n"
	"		mbz 15:8\n"
	"		field DONE 7 ro\n"
	"		mbo 6\n"
	"		field MODE 3:1\n"
	"		field ENABLE 0 bool\n"
	"	reg W_MIXED @0x1f0108 rw\n"
	"		field ERROR 11 w1c\n"
	"		field LATE 10 w1c\n"
	"		mbz 9\n"
	"		field LENGTH 8:4\n"
	"		field STATE 3 ro\n"
	"		field GO 0\n"
	"	reg W_CLEAR @0x1f010c w1c\n"
	"		field FIRST 0\n"
	"		field SECOND 4:1\n"
	"		mbz 31:5\n"
	"	reg W_ONLY @0x1f0110 ro\n"
	"		field X 0\n"
	"	reg W_BLIND @0x1f0114 wo\n"
	"		field KICK 0\n"
	"		field WHICH 7:4\n"
	"		mbz 31:8\n"
	"	reg W_RC @0x1f0118 rw rc\n"
	"		field LOW 7:0\n"
	"	reg W_MASKED @0x1f011c rw masked\n"
	"		field MASK 31:16\n"
	"		field A 0\n"
	"		field B 6:4\n"
	"		field POINTER 3:2 ro\n"
	"	reg W_MASKED_RAW @0x1f0120 rw masked\n"
	"	reg W_MASKED_BLIND @0x1f0124 wo masked\n"
	"		field ASK 1\n"
	"	reg W_DANGER @0x1f0128 rw\n"
	"		hazard write \"it bites\"\n"
	"	reg W_EATS @0x1f012c rw\n"
	"		hazard read \"a read eats it\"\n"
	"	reg W_HANGS @0x1f0130 rw\n"
	"		hazard hang \"it hangs\"\n"
	"	reg W_PART @0x1f01d0 rw\n"
	"		hazard write bits=8 \"it cuts\"\n"
	"		hazard write bits=6:5 \"it burns\"\n"
	"		field SHARP 8\n"
	"		field BLUNT 0\n"
	"	reg W_MOVES @0x1f0134 rw\n"
	"		field KIND 0\n"
	"		field DATA 7:4 when=KIND=1\n"
	"		field DATA 11:8 when=KIND=0\n"
	"	reg W_SMALL @0x1f0138 8 rw\n"
	"	reg W_ALL_MBO @0x1f013c rw\n"
	"		mbo 31:1\n"
	"		field BIT 0\n"
	"	reg W_LONG @0x1f0140 64 rw\n"
	"		field UP 63:32\n"
	"		field ACROSS 35:28\n"
	"		field LOW 27:0\n"
	"	reg W_FENCE[2] @0x1f0150 64 rw stride=8\n"
	"		field TOP 63:44\n"
	"		mbz 43:32\n"
	"		field BOTTOM 31:12\n"
	"		field W_VALID 0\n"
	"	reg W_FENCE_UP @0x1f0160 64 rw\n"
	"		field W_VALID 63\n"
	"	reg W_ARRAY[3] @0x1f0170 rw stride=4\n"
	"	reg W_PORT_IN @0x1f0180 ro overlay\n"
	"	reg W_PORT_OUT @0x1f0180 wo overlay\n"
	"	reg W_CONFIG @0x60 rw space=config\n"
	"	reg W_WOKEN @0x3fe0 wo\n"
	"	reg W_WOKEN_TOO @0x3ff0 rw\n"
	"	reg W_EATEN @0x1f01fc ro\n"
	"		hazard read \"a read eats it\"\n"
	"	reg W_AMONG @0x1f0200 wo\n"
	"	reg W_HUNG @0x1f0204 ro\n"
	"		hazard hang \"it hangs\"\n"
	"	reg W_BESIDE @0x1f0210 ro\n"
	"	reg W_TWICE @0x1f0214 rw\n"
	"		field KIND 0\n"
	"		field STICKS 5 w1c when=KIND=1\n"
	"		field HOLDS 5 when=KIND=0\n"
	"		mbz 31:8\n"
	"		field WIDE 9:8 when=KIND=0\n"
	"	reg W_AWAY +0x7f8 rw engine=rcs,bcs\n"
	"		field BIT 0\n"
	"	range @0x1f0190-0x1f019f hang \"nobody there\"\n"
	"	range @0x1f01a0-0x1f01af read \"reads bite\"\n"
	"	range @0x1f01b0-0x1f01bf reserved\n"
	"	range @0x1f01c0-0x1f01cf alias \"something else\"\n"
	"	reg W_IN_HANG @0x1f0194 rw\n"
	"	reg W_IN_READ @0x1f01a4 rw\n"
	"group unit \"Unit\" on=vlv space=sideband\n"
	"	origin t \"chapter 2\"\n"
	"	reg W_UNIT @0x1b0001 rw\n"
	"		field HIGH 31:16\n"
	"	reg W_UNIT_TOO @0x1b0002 wo\n";

struct desk {
	struct gsc_db *db;
	struct gsc_view *view;
	char *file;
};

static inline void view_of(struct desk *d, const char *name)
{
	struct gsc_platform platform;
	int device;

	gsc_view_free(d->view);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(d->db, name, &platform, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&d->view, d->db, platform.index, -1, NULL), GSC_OK);
}

static inline void desk_open(struct desk *d)
{
	*d = (struct desk){ .file = temporary_file(definitions, sizeof(definitions) - 1) };
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&d->db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_db_add_file(d->db, d->file, NULL), GSC_OK);
	view_of(d, "skl");
}

static inline void desk_close(struct desk *d)
{
	gsc_view_free(d->view);
	gsc_db_free(d->db);
	unlink(d->file);
	free(d->file);
}

/* ---- plans as text --------------------------------------------------------------------------- */

static inline void steps_text(const struct gsc_write_plan *plan, char *out, size_t size)
{
	struct gsc_write_step step;
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; gsc_write_step_at(plan, i, &step) && used < size; i++) {
		used += (size_t)snprintf(out + used, size - used, "%s%c %s0x%llx.%u",
					 i ? " " : "", step.write ? 'W' : 'R',
					 step.space == GSC_GGTT ? "g"
					 : step.space == GSC_IO ? "p" : "",
					 (unsigned long long)step.address, step.size);
		if (!step.write || used >= size)
			continue;
		CU_ASSERT_EQUAL(step.known, !step.keep && !step.flip);
		CU_ASSERT(!(step.value & step.keep) && !(step.flip & step.keep));
		used += (size_t)snprintf(out + used, size - used, "=%llx",
					 (unsigned long long)step.value);
		if (step.keep && used < size)
			used += (size_t)snprintf(out + used, size - used, "+%llx",
						 (unsigned long long)step.keep);
		if (step.flip && used < size)
			used += (size_t)snprintf(out + used, size - used, "^%llx",
						 (unsigned long long)step.flip);
	}
}

#endif
