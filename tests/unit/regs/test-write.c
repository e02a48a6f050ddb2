/* SPDX-License-Identifier: MIT */
/*
 * Writes as plans: every access for every kind of register, and every refusal. A step is "R
 * 0xADDRESS.SIZE" or "W 0xADDRESS.SIZE=VALUE", with "+KEPT" bits and "^FLIPPED" ones, "g" before
 * the address of a GGTT entry.
 */
#include "regs-helpers.h"
#include "source-helpers.h"
#include "test.h"
#include "util/util.h"
#include "write-helpers.h"

#include <stdio.h>
#include <string.h>

struct want {
	const char *target;
	char operation;			/* = | & ^ */
	uint64_t value;
	const char *text;		/* the steps; or what the refusal must say */
	enum gsc_status status;
	bool force;
};

static enum gsc_write_operation operation(char word)
{
	return word == '|' ? GSC_WRITE_OR : word == '&' ? GSC_WRITE_AND
					 : word == '^' ? GSC_WRITE_XOR
						       : GSC_WRITE_SET;
}

static void check(const struct desk *d, const struct want *w)
{
	struct gsc_write write = { w->target, operation(w->operation), w->value, w->force };
	struct gsc_write_plan *plan;
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_write_plan_new(&plan, gpu_for(NULL, d->view), &write, &err);
	char text[600] = "";
	bool good = status == w->status;

	if (!status)
		steps_text(plan, text, sizeof(text));
	/* If a hazard is the only objection there is a plan, for display. */
	good = good && (status ? strstr(err.why, w->text) != NULL &&
				 !plan != !strncmp(err.why, "not without", 11)
			       : !strcmp(text, w->text));
	if (!good)
		fprintf(stderr, "%s %c= 0x%llx: %d '%s' %s\n  expected %d '%s'\n", w->target,
			w->operation, (unsigned long long)w->value, status, text, err.why,
			w->status, w->text);
	CU_ASSERT(good);
	gsc_write_plan_free(plan);
}

static void check_all(const struct want *wants, size_t count)
{
	struct desk d;

	desk_open(&d);
	for (size_t i = 0; i < count; i++)
		check(&d, &wants[i]);
	desk_close(&d);
}

#define CHECK(wants) check_all(wants, ARRAY_SIZE(wants))

/* ---- kinds of registers ---------------------------------------------------------------------- */

static void plain(void)
{
	static const struct want wants[] = {
		{ "W_PLAIN", '=', 0x12345678, "R 0x1f0100.4 W 0x1f0100.4=12345678 R 0x1f0100.4", 0, 0 },
		{ "w_plain", '|', 0x80, "R 0x1f0100.4 W 0x1f0100.4=80+ffffff7f R 0x1f0100.4", 0, 0 },
		{ "W_PLAIN", '&', 0xffff0000, "R 0x1f0100.4 W 0x1f0100.4=0+ffff0000 R 0x1f0100.4", 0, 0 },
		{ "W_PLAIN", '^', 0x3, "R 0x1f0100.4 W 0x1f0100.4=0+fffffffc^3 R 0x1f0100.4", 0, 0 },
		{ "0x1f0100", '=', 1, "R 0x1f0100.4 W 0x1f0100.4=1 R 0x1f0100.4", 0, 0 },
		{ "mmio:0x1f0100", '=', 1, "R 0x1f0100.4 W 0x1f0100.4=1 R 0x1f0100.4", 0, 0 },
		{ "W_ARRAY[2]", '=', 7, "R 0x1f0178.4 W 0x1f0178.4=7 R 0x1f0178.4", 0, 0 },
		{ "0x1f0174", '=', 7, "R 0x1f0174.4 W 0x1f0174.4=7 R 0x1f0174.4", 0, 0 },
		{ "rcs0.W_AWAY:BIT", '=', 1, "R 0x27f8.4 W 0x27f8.4=1+fffffffe R 0x27f8.4", 0, 0 },
		{ "W_PLAIN", '=', UINT64_C(0x100000000), "does not fit: it has 32 bits", GSC_USAGE, 0 },
	};

	CHECK(wants);
}

/* Reserved bits stay, or are what they must be; read-only ones do not matter. */
static void fields(void)
{
	static const struct want wants[] = {
		{ "W_FIELDS:MODE", '=', 5, "R 0x1f0104.4 W 0x1f0104.4=4a+ffffffb1 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS:MODE", '|', 4, "R 0x1f0104.4 W 0x1f0104.4=48+ffffffb7 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS:MODE", '&', 1, "R 0x1f0104.4 W 0x1f0104.4=40+ffffffb3 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS:MODE", '^', 1, "R 0x1f0104.4 W 0x1f0104.4=40+ffffffbd^2 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS:high", '=', 0xffff, "R 0x1f0104.4 W 0x1f0104.4=ffff0040+ffbf R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS", '=', 0x000100b1, "R 0x1f0104.4 W 0x1f0104.4=10071+ff80 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS", '|', 0x1, "R 0x1f0104.4 W 0x1f0104.4=41+ffffffbe R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS", '&', 0, "R 0x1f0104.4 W 0x1f0104.4=40+ff80 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS:MODE", '=', 8, "0x8 does not fit: it has 3 bits", GSC_USAGE, 0 },
		{ "W_FIELDS:ENABLE", '=', 2, "0x2 does not fit: it has 1 bit", GSC_USAGE, 0 },
		{ "W_FIELDS:DONE", '=', 1, "read-only", GSC_USAGE, 0 },
		{ "W_FIELDS:RESERVED", '=', 1, "reserved", GSC_USAGE, 0 },
		{ "W_FIELDS", '|', 0x80, "DONE: read-only", GSC_USAGE, 0 },
		/* Running it shows whether that bit is also set there. */
		{ "W_FIELDS", '=', 0x100, "R 0x1f0104.4 W 0x1f0104.4=40+ff80 R 0x1f0104.4", 0, 0 },
		{ "W_FIELDS", '|', 0x100, "bits 0x100: must be zero", GSC_USAGE, 0 },
		{ "W_FIELDS", '^', 0x40, "bits 0x40: must be one", GSC_USAGE, 0 },
		{ "W_FIELDS", '=', 0x100, "R 0x1f0104.4 W 0x1f0104.4=140+fe80 R 0x1f0104.4", 0, true },
		{ "W_FIELDS", '^', 0x40, "R 0x1f0104.4 W 0x1f0104.4=0+ffffffbf^40 R 0x1f0104.4", 0, true },
		{ "W_ALL_MBO:BIT", '=', 0, "R 0x1f013c.4 W 0x1f013c.4=fffffffe R 0x1f013c.4", 0, 0 },
		{ "W_MOVES:DATA", '=', 1, "more than one place", GSC_USAGE, 0 },
		{ "W_FIELDS:*", '=', 1, "", GSC_USAGE, 0 },
		{ "W_FIELDS:NONE", '=', 1, "has no field NONE", GSC_UNKNOWN, 0 },
	};

	CHECK(wants);
}

/* A bit that a 1 clears is never written back as it was read. */
static void write_one_to_clear(void)
{
	static const struct want wants[] = {
		{ "W_MIXED:ERROR", '=', 1, "R 0x1f0108.4 W 0x1f0108.4=800+fffff3ff R 0x1f0108.4", 0, 0 },
		{ "W_MIXED:LENGTH", '=', 3, "R 0x1f0108.4 W 0x1f0108.4=30+fffff20f R 0x1f0108.4", 0, 0 },
		{ "W_MIXED:GO", '^', 1, "R 0x1f0108.4 W 0x1f0108.4=0+fffff3fe^1 R 0x1f0108.4", 0, 0 },
		{ "W_MIXED", '=', 0x411, "R 0x1f0108.4 W 0x1f0108.4=411+208 R 0x1f0108.4", 0, 0 },
		{ "W_MIXED", '|', 1, "R 0x1f0108.4 W 0x1f0108.4=1+fffff3fe R 0x1f0108.4", 0, 0 },
		{ "W_MIXED", '&', 0xffffffef, "R 0x1f0108.4 W 0x1f0108.4=0+fffff3ef R 0x1f0108.4", 0, 0 },
		{ "W_MIXED", '|', 0x800, "ERROR: writing 1 clears it", GSC_USAGE, 0 },
		{ "W_MIXED:LATE", '|', 1, "writing 1 clears it", GSC_USAGE, 0 },
		{ "W_MIXED:LATE", '&', 0, "writing 1 clears it", GSC_USAGE, 0 },
		{ "W_MIXED:LATE", '^', 1, "writing 1 clears it", GSC_USAGE, 0 },
		/* Bits to which a condition gives another meaning: the careful one wins. */
		{ "W_TWICE:KIND", '=', 1, "R 0x1f0214.4 W 0x1f0214.4=1+ffffffde R 0x1f0214.4", 0, 0 },
		{ "W_TWICE", '=', 0x300, "R 0x1f0214.4 W 0x1f0214.4=300+fffffc00 R 0x1f0214.4", 0, 0 },
		{ "W_CLEAR", '=', 0x3, "R 0x1f010c.4 W 0x1f010c.4=3 R 0x1f010c.4", 0, 0 },
		{ "W_CLEAR:SECOND", '=', 0xf, "R 0x1f010c.4 W 0x1f010c.4=1e R 0x1f010c.4", 0, 0 },
		{ "W_CLEAR", '|', 1, "FIRST: writing 1 clears it", GSC_USAGE, 0 },
		{ "W_CLEAR", '&', 1, "SECOND, FIRST: writing 1 clears it", GSC_USAGE, 0 },
		{ "W_CLEAR", '^', 1, "FIRST: writing 1 clears it", GSC_USAGE, 0 },
		{ "W_CLEAR", '=', 0x20, "must be zero", GSC_USAGE, 0 },
	};

	CHECK(wants);
}

/* The high half says which bits are meant: nothing is read for it. */
static void masked(void)
{
	static const struct want wants[] = {
		{ "W_MASKED:A", '=', 1, "R 0x1f011c.4 W 0x1f011c.4=10001 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED:A", '=', 0, "R 0x1f011c.4 W 0x1f011c.4=10000 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED:B", '=', 2, "R 0x1f011c.4 W 0x1f011c.4=700020 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED:B", '|', 2, "R 0x1f011c.4 W 0x1f011c.4=200020 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED:B", '&', 2, "R 0x1f011c.4 W 0x1f011c.4=500000 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED:B", '^', 2, "R 0x1f011c.4 W 0x1f011c.4=200000^20 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED", '=', 0x21, "R 0x1f011c.4 W 0x1f011c.4=710021 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED", '=', 0x8021, "R 0x1f011c.4 W 0x1f011c.4=80718021 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED", '=', 0x00110001, "R 0x1f011c.4 W 0x1f011c.4=110001 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED", '|', 1, "R 0x1f011c.4 W 0x1f011c.4=10001 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED", '&', 0x70, "R 0x1f011c.4 W 0x1f011c.4=10000 R 0x1f011c.4", 0, 0 },
		{ "W_MASKED_RAW", '=', 0x5, "R 0x1f0120.4 W 0x1f0120.4=ffff0005 R 0x1f0120.4", 0, 0 },
		{ "W_MASKED", '=', 0x00100001, "not in the mask", GSC_USAGE, 0 },
		{ "W_MASKED", '|', 0x00100001, "give only bits 15:0", GSC_USAGE, 0 },
		{ "W_MASKED:MASK", '=', 1, "derived from the bits", GSC_USAGE, 0 },
		{ "W_MASKED:POINTER", '=', 1, "read-only", GSC_USAGE, 0 },
		{ "W_MASKED:A", '=', 2, "does not fit", GSC_USAGE, 0 },
		/* No step reads 0x1f0124: the nearest one that can be read posts the write. */
		{ "W_MASKED_BLIND:ASK", '=', 1, "W 0x1f0124.4=20002 R 0x1f0120.4", 0, 0 },
	};

	CHECK(wants);
}

static void unreadable(void)
{
	static const struct want wants[] = {
		{ "W_BLIND", '=', 0x11, "W 0x1f0114.4=11 R 0x1f0110.4", 0, 0 },
		{ "W_BLIND:KICK", '=', 1, "W 0x1f0114.4=1 R 0x1f0110.4", 0, 0 },
		{ "W_BLIND", '|', 1, "cannot be read", GSC_USAGE, 0 },
		{ "W_BLIND:WHICH", '^', 1, "cannot be read", GSC_USAGE, 0 },
		{ "W_RC", '=', 0x1234, "W 0x1f0118.4=1234 R 0x1f011c.4", 0, 0 },
		{ "W_RC:LOW", '=', 1, "a read clears it", GSC_USAGE, 0 },
		{ "W_RC", '|', 1, "a read clears it", GSC_USAGE, 0 },
		{ "W_RC:LOW", '=', 1, "R 0x1f0118.4 W 0x1f0118.4=1+ffffff00 R 0x1f0118.4", 0, true },
		{ "W_PORT_OUT", '=', 1, "W 0x1f0180.4=1 R 0x1f0180.4", 0, 0 },
		{ "0x1f0180", '=', 1, "W 0x1f0180.4=1 R 0x1f0180.4", 0, 0 },
		/* The nearest that can be read without effects, and is as awake. */
		{ "W_WOKEN", '=', 1, "W 0x3fe0.4=1 R 0x3ff0.4", 0, 0 },
		{ "W_AMONG", '=', 1, "W 0x1f0200.4=1 R 0x1f01d0.4", 0, 0 },
		{ "W_ONLY", '=', 1, "it is read-only", GSC_USAGE, 0 },
		{ "W_ONLY", '=', 1, "it is read-only", GSC_USAGE, true },
		{ "W_ONLY:X", '=', 1, "it is read-only", GSC_USAGE, 0 },
		{ "0x1f0110", '=', 1, "it is read-only", GSC_USAGE, 0 },
	};

	CHECK(wants);
}

static void hazards(void)
{
	static const struct want wants[] = {
		{ "W_DANGER", '=', 1, "not without --force: it bites", GSC_USAGE, 0 },
		{ "0x1f0128", '=', 1, "not without --force: it bites", GSC_USAGE, 0 },
		{ "W_EATS", '=', 1, "not without --force: a read eats it", GSC_USAGE, 0 },
		{ "W_HANGS", '=', 1, "not without --force: it hangs", GSC_USAGE, 0 },
		{ "W_IN_HANG", '=', 1, "not without --force: nobody there", GSC_USAGE, 0 },
		{ "0x1f0198", '=', 1, "not without --force: nobody there", GSC_USAGE, 0 },
		{ "0x1f01a0", '=', 1, "not without --force: reads bite", GSC_USAGE, 0 },
		{ "0x1f01b0", '=', 1, "not without --force: a reserved range", GSC_USAGE, 0 },
		/* Only if one of its bits is concerned, whatever else the write is meant for. */
		{ "W_PART:SHARP", '=', 1, "not without --force: it cuts", GSC_USAGE, 0 },
		{ "W_PART", '|', 0x100, "not without --force: it cuts", GSC_USAGE, 0 },
		{ "W_PART", '^', 0x20, "not without --force: it burns", GSC_USAGE, 0 },
		{ "W_PART", '=', 0, "not without --force: it cuts", GSC_USAGE, 0 },
		{ "W_PART", '|', 0x80, "R 0x1f01d0.4 W 0x1f01d0.4=80+ffffff7f R 0x1f01d0.4", 0, 0 },
		{ "W_PART:BLUNT", '=', 1, "R 0x1f01d0.4 W 0x1f01d0.4=1+fffffffe R 0x1f01d0.4", 0, 0 },
		{ "W_IN_READ", '=', 1, "R 0x1f01a4.4 W 0x1f01a4.4=1 R 0x1f01a4.4", 0, 0 },
		{ "0x1f01c0", '=', 1, "R 0x1f01c0.4 W 0x1f01c0.4=1 R 0x1f01c0.4", 0, 0 },
		{ "W_DANGER", '=', 1, "R 0x1f0128.4 W 0x1f0128.4=1 R 0x1f0128.4", 0, true },
		{ "0x1f0198", '=', 1, "R 0x1f0198.4 W 0x1f0198.4=1 R 0x1f0198.4", 0, true },
	};

	CHECK(wants);
}

/* Two stores; with a valid bit three, so that old and new halves are never mixed. */
static void long_ones(void)
{
	static const struct want wants[] = {
		{ "W_LONG", '=', UINT64_C(0x1111111122222222),
		  "R 0x1f0140.4 R 0x1f0144.4 W 0x1f0140.4=22222222 W 0x1f0144.4=11111111 "
		  "R 0x1f0140.4 R 0x1f0144.4",
		  0, 0 },
		{ "W_LONG:LOW", '=', 5,
		  "R 0x1f0140.4 R 0x1f0144.4 W 0x1f0140.4=5+f0000000 R 0x1f0140.4 R 0x1f0144.4", 0, 0 },
		{ "W_LONG:UP", '|', 5,
		  "R 0x1f0140.4 R 0x1f0144.4 W 0x1f0144.4=5+fffffffa R 0x1f0140.4 R 0x1f0144.4", 0, 0 },
		{ "W_LONG:ACROSS", '=', 0x81,
		  "R 0x1f0140.4 R 0x1f0144.4 W 0x1f0140.4=10000000+fffffff W 0x1f0144.4=8+fffffff0 "
		  "R 0x1f0140.4 R 0x1f0144.4", 0, 0 },
		{ "W_FENCE[1]", '=', UINT64_C(0x0010000000200001),
		  "R 0x1f0158.4 R 0x1f015c.4 W 0x1f0158.4=0 R 0x1f0158.4 W 0x1f015c.4=100000+fff "
		  "W 0x1f0158.4=200001 R 0x1f0158.4 R 0x1f015c.4", 0, 0 },
		{ "W_FENCE[0]:W_VALID", '=', 0,
		  "R 0x1f0150.4 R 0x1f0154.4 W 0x1f0150.4=0 R 0x1f0150.4 W 0x1f0154.4=0+ffffffff "
		  "W 0x1f0150.4=0+fffffffe R 0x1f0150.4 R 0x1f0154.4", 0, 0 },
		{ "W_FENCE_UP", '=', UINT64_C(0x8000000000000001),
		  "R 0x1f0160.4 R 0x1f0164.4 W 0x1f0164.4=0 R 0x1f0164.4 W 0x1f0160.4=1 W 0x1f0164.4=80000000 "
		  "R 0x1f0160.4 R 0x1f0164.4", 0, 0 },
		{ "0x1f0144", '=', 1, "belongs to W_LONG, which has 64 bits", GSC_USAGE, 0 },
		{ "0x1f0144", '=', 1, "R 0x1f0144.4 W 0x1f0144.4=1 R 0x1f0144.4", 0, true },
		/* The real ones: FENCE of every platform is one of these. */
		{ "FENCE[0]", '=', 0, "written apart", GSC_USAGE, 0 },
		{ "FENCE[1]", '=', 1,
		  "R 0x100008.4 R 0x10000c.4 W 0x100008.4=0 R 0x100008.4 W 0x10000c.4=0 "
		  "W 0x100008.4=1+ffc R 0x100008.4 R 0x10000c.4", 0, true },
	};

	CHECK(wants);
}

/* ---- behind others ---------------------------------------------------------------------------- */

#define CR_LOOK "R p0x3cc.1 R p0x3d4.1 W p0x3d4.1="
#define AR_LOOK "R p0x3cc.1 R p0x3da.1 R p0x3c0.1 W p0x3c0.1="
#define AR_AFTER " R p0x3da.1 W p0x3c0.1=0+ff R p0x3da.1"

/* The index is restored; bit 5 of that of AR stays, except that writing a palette needs it off. */
static void vga(void)
{
	static const struct want wants[] = {
		{ "SR01", '=', 0x21,
		  "R p0x3c4.1 W p0x3c4.1=1 R p0x3c5.1 W p0x3c5.1=21 R p0x3c5.1 W p0x3c4.1=0+ff", 0, 0 },
		{ "portio-sr:SR01:SCREEN_OFF", '=', 1,
		  "R p0x3c4.1 W p0x3c4.1=1 R p0x3c5.1 W p0x3c5.1=20+df R p0x3c5.1 W p0x3c4.1=0+ff", 0,
		  0 },
		{ "mmio-gr:GR08", '^', 0x0f,
		  "R 0x3ce.1 W 0x3ce.1=8 R 0x3cf.1 W 0x3cf.1=0+f0^f R 0x3cf.1 W 0x3ce.1=0+ff", 0, 0 },
		{ "CR0F", '=', 1, CR_LOOK "f R p0x3d5.1 W p0x3d5.1=1 R p0x3d5.1 W p0x3d4.1=0+ff", 0, 0 },
		{ "AR11", '=', 3,
		  AR_LOOK "11+20 R p0x3c1.1 W p0x3c0.1=3 R p0x3c1.1" AR_AFTER, 0, 0 },
		{ "AR03", '=', 3, AR_LOOK "3 R p0x3c1.1 W p0x3c0.1=3 R p0x3c1.1" AR_AFTER, 0, 0 },
		{ "SRX", '=', 2, "R p0x3c4.1 W p0x3c4.1=2 R p0x3c4.1", 0, 0 },
		{ "mmio8:SRX", '=', 2, "R 0x3c4.1 W 0x3c4.1=2 R 0x3c4.1", 0, 0 },
		{ "mmio8:0x3c4", '=', 2, "R 0x3c4.1 W 0x3c4.1=2 R 0x3c4.1", 0, 0 },
		{ "MSR_WRITE", '=', 0x67, "changes clocks", GSC_USAGE, 0 },
		{ "MSR_WRITE", '=', 0x67, "W p0x3c2.1=67", 0, true },
		{ "MSR_WRITE", '|', 1, "cannot be read", GSC_USAGE, true },
		{ "MSR", '=', 1, "read-only", GSC_USAGE, 0 },
		{ "SR01", '=', 0x100, "it has 8 bits", GSC_USAGE, 0 },
		{ "SR00", '=', 3, "stops the sequencer", GSC_USAGE, 0 },
		{ "vga-sr:0x55", '=', 1,
		  "R p0x3c4.1 W p0x3c4.1=55 R p0x3c5.1 W p0x3c5.1=1 R p0x3c5.1 W p0x3c4.1=0+ff", 0, 0 },
		{ "mmio8:W_PLAIN", '=', 1, "is not a register of mmio8", GSC_UNKNOWN, 0 },
		{ "mmio8:W_SMALL", '=', 1, "it has 8 bits", GSC_USAGE, 0 },
		{ "mmio16:0x1f0138", '=', 1, "only 32 bits", GSC_USAGE, 0 },
		{ "mchbar:0x7f00", '=', 1, "R 0x147f00.4 W 0x147f00.4=1 R 0x147f00.4", 0, true },
		{ "mchbar:W_PLAIN", '=', 1, "is not a register of mchbar", GSC_UNKNOWN, 0 },
		{ "0x1f0000:0x100", '=', 1, "R 0x1f0100.4 W 0x1f0100.4=1 R 0x1f0100.4", 0, 0 },
	};

	CHECK(wants);
}

#define SEND(register, data, bell)                                                                 \
	"W 0x182108.4=" register " W 0x182104.4=" data " W 0x182100.4=" bell " R 0x182100.4"

static void sideband(void)
{
	static const struct want wants[] = {
		{ "punit:0x10", '=', 5,
		  "R 0x182100.4 " SEND("10", "0", "604f1") " R 0x182104.4 " SEND("10", "5", "704f1")
		  " " SEND("10", "0", "604f1") " R 0x182104.4", 0, 0 },
		{ "0xa9:0x10", '|', 4,
		  "R 0x182100.4 " SEND("10", "0", "6a9f1") " R 0x182104.4 "
		  SEND("10", "4+fffffffb", "7a9f1") " " SEND("10", "0", "6a9f1") " R 0x182104.4", 0, 0 },
		{ "dpio:0xfffc", '=', 5,
		  "R 0x182100.4 " SEND("fffc", "0", "12f1") " R 0x182104.4 "
		  SEND("fffc", "5", "112f1") " " SEND("fffc", "0", "12f1") " R 0x182104.4", 0, 0 },
		{ "W_UNIT:HIGH", '=', 5,
		  "R 0x182100.4 " SEND("1", "0", "61bf1") " R 0x182104.4 "
		  SEND("1", "50000+ffff", "71bf1") " " SEND("1", "0", "61bf1") " R 0x182104.4", 0, 0 },
		{ "flisdsi:W_UNIT_TOO", '=', 5,
		  "R 0x182100.4 " SEND("2", "5", "71bf1"), 0, 0 },
		{ "punit:W_UNIT", '=', 5, "is not a register of punit", GSC_UNKNOWN, 0 },
		{ "sideband:0x1000000", '=', 5, "no such unit", GSC_USAGE, 0 },
		{ "punit:0x10000", '=', 5, "numbers of 16 bits", GSC_USAGE, 0 },
		{ "mchbar:0", '=', 5, "no mirror of MCHBAR", GSC_USAGE, 0 },
	};
	struct desk d;

	desk_open(&d);
	view_of(&d, "vlv");
	for (size_t i = 0; i < ARRAY_SIZE(wants); i++)
		check(&d, &wants[i]);
	desk_close(&d);
}

/* ---- targets --------------------------------------------------------------------------------- */

static void targets(void)
{
	static const struct want wants[] = {
		{ "W_AWAY", '=', 1, "names 2: rcs0.W_AWAY, bcs0.W_AWAY", GSC_USAGE, 0 },
		{ "W_ARRAY", '=', 1, "names 3: W_ARRAY[0], W_ARRAY[1], W_ARRAY[2]", GSC_USAGE, 0 },
		{ "W_P*", '=', 1, "names 4", GSC_USAGE, 0 },
		{ "W_ARRAY[3]", '=', 1, "indexes of W_ARRAY are 0 to 2", GSC_UNKNOWN, 0 },
		{ "@testing", '=', 1, "one register", GSC_USAGE, 0 },
		{ "0x1f0100-0x1f0104", '=', 1, "one register", GSC_USAGE, 0 },
		{ "0x1f0102", '=', 1, "multiple of 4", GSC_USAGE, 0 },
		{ "W_SMALL", '=', 1, "it has 8 bits", GSC_USAGE, 0 },
		{ "W_CONFIG", '=', 1, "config space is the kernel's", GSC_USAGE, 0 },
		{ "config:0x60", '=', 1, "config space is the kernel's", GSC_USAGE, 0 },
		{ "io:0x3c0", '=', 1, "flip-flop", GSC_USAGE, 0 },
		{ "vga-sr:0x100", '=', 1, "no such index", GSC_USAGE, 0 },
		{ "vga-ar:0x20", '=', 1, "no such index", GSC_USAGE, 0 },
		{ "sideband:0x40010", '=', 1, "has no sideband", GSC_USAGE, 0 },
		{ "phys:0x1000", '=', 1, "memory is never written", GSC_USAGE, 0 },
		{ "ppgttmem:0x1000", '=', 1, "memory is never written", GSC_USAGE, 0 },
		{ "lmem:0", '=', 1, "memory is never written", GSC_USAGE, 0 },
		{ "gttmem:0", '=', 1, "memory is never written", GSC_USAGE, 0 },
		{ "0x800010", '=', 1, "try ggtt:0x10", GSC_USAGE, 0 },
		{ "0x200000", '=', 1, "the registers of skl end at 0x200000", GSC_UNKNOWN, 0 },
		{ "W_NOWHERE", '=', 1, "unknown register", GSC_UNKNOWN, 0 },
		{ "FORCEWAKE_MEDIA_VDBOX[0]", '=', 1, "is not a register of skl, but of", GSC_UNKNOWN, 0 },
		{ "0x1fc000", '=', 1, "R 0x1fc000.4 W 0x1fc000.4=1 R 0x1fc000.4", 0, 0 },
		{ "", '=', 1, "empty", GSC_USAGE, 0 },
	};

	CHECK(wants);
}

/* Whatever is typed is planned or refused. */
static void noise(void)
{
	static const char alphabet[] = "W_MIXEDFNC0xg:[]12t.*rcs";
	struct gsc_write write = { .operation = GSC_WRITE_SET };
	struct gsc_write_plan *plan;
	uint32_t seed = 11;
	struct desk d;
	char text[24];

	desk_open(&d);
	write.target = text;
	for (unsigned round = 0; round < 3000; round++) {
		size_t length = next_random(&seed) % (sizeof(text) - 1);

		for (size_t i = 0; i < length; i++)
			text[i] = alphabet[next_random(&seed) % (sizeof(alphabet) - 1)];
		text[length] = 0;
		if (round % 4 == 0)
			snprintf(text, sizeof(text), "%s0x%x", round & 4 ? "" : "ggtt:",
				 next_random(&seed));
		write.value = next_random(&seed);
		write.force = round & 1;
		write.operation = (enum gsc_write_operation)(round / 2 % 4);
		gsc_write_plan_new(&plan, gpu_for(NULL, d.view), &write, NULL);
		gsc_write_plan_free(plan);
	}
	desk_close(&d);
}

static void entries(void)
{
	static const struct want skl[] = {
		{ "ggtt:0x10", '=', UINT64_C(0x1000000123456001),
		  "R g0x10.8 W g0x10.8=1000000123456001 W 0x101008.4=1 R 0x101008.4 R g0x10.8", 0, 0 },
		{ "ggtt:0x10", '&', ~UINT64_C(1),
		  "R g0x10.8 W g0x10.8=0+fffffffffffffffe W 0x101008.4=1 R 0x101008.4 R g0x10.8", 0, 0 },
		{ "ggtt:0x14", '=', 1, "multiple of 8", GSC_USAGE, 0 },
		{ "ggtt:0x800000", '=', 1, "at most 0x800000 bytes", GSC_UNKNOWN, 0 },
	};
	static const struct want snb[] = {
		{ "ggtt:0x14", '=', 0x12345001,
		  "R g0x14.4 W g0x14.4=12345001 W 0x101008.4=1 R 0x101008.4 R g0x14.4", 0, 0 },
		{ "ggtt:0x14", '=', UINT64_C(0x100000000), "it has 32 bits", GSC_USAGE, 0 },
	};
	static const struct want ilk[] = {
		{ "ggtt:0x14", '=', 1, "R g0x14.4 W g0x14.4=1 R g0x14.4", 0, 0 },
	};
	static const struct want mtl[] = {
		{ "ggtt:0", '=', 1, "is not written, forced or not: reads of the GGTT", GSC_USAGE, 0 },
		{ "ggtt:0", '=', 1, "is not written, forced or not", GSC_USAGE, true },
	};
	static const struct {
		const char *platform;
		const struct want *wants;
		size_t count;
	} all[] = { { "skl", skl, ARRAY_SIZE(skl) }, { "snb", snb, ARRAY_SIZE(snb) },
		    { "ilk", ilk, ARRAY_SIZE(ilk) }, { "mtl", mtl, ARRAY_SIZE(mtl) } };
	struct desk d;

	desk_open(&d);
	for (size_t i = 0; i < ARRAY_SIZE(all); i++) {
		view_of(&d, all[i].platform);
		for (size_t k = 0; k < all[i].count; k++)
			check(&d, &all[i].wants[k]);
	}
	desk_close(&d);
}

/*
 * Every register of every platform: a plan without force never writes back a bit that a 1 clears,
 * and refuses what has a hazard. What a plan may not do is checked here by other means than the
 * plan's own: the fields from gsc_reg_fields().
 */
static uint64_t cleared_by_ones(const struct gsc_view *view, const struct gsc_reg *reg)
{
	uint64_t mask = reg->access & GSC_W1C ? UINT64_MAX : 0;
	struct gsc_field_iter it;
	struct gsc_field field;

	gsc_reg_fields(view, reg, 0, &it);
	while (gsc_field_next(&it, &field)) {
		uint64_t bits = (field.hi - field.lo == 63 ? UINT64_MAX
				 : (UINT64_C(1) << (field.hi - field.lo + 1)) - 1) << field.lo;

		if (field.access & GSC_W1C)
			mask |= bits;
		else if (field.access & (GSC_RW | GSC_RO))
			mask &= ~bits;
	}
	return mask;
}

/* All of its hazards concern some of its bits, and none of those was meant. */
static bool hazards_in_part(const struct gsc_db *db, const struct gsc_view *view,
			    const struct gsc_reg *reg)
{
	struct gsc_hazard hazard;
	struct gsc_item item;

	if (!gsc_item_by_def(db, GSC_REGISTER, reg->def, &item))
		return false;
	for (size_t i = 0; gsc_item_hazard(db, &item, i, &hazard); i++)
		if (!hazard.bits && hazard.platforms >> gsc_view_platform(view) & 1)
			return false;
	return true;
}

static size_t check_every(const struct gsc_db *db, const struct gsc_view *view)
{
	size_t planned = 0;

	for (size_t i = 0; i < gsc_view_count(view); i++) {
		struct gsc_write_plan *plan;
		struct gsc_write_step step;
		struct gsc_reg reg;
		char name[192];
		struct gsc_write write = { name, GSC_WRITE_OR, 0, false };
		uint64_t ones;

		gsc_view_reg(view, i, &reg);
		gsc_reg_full_name(&reg, name, sizeof(name));
		ones = cleared_by_ones(view, &reg);
		if (gsc_write_plan_new(&plan, gpu_for(NULL, view), &write, NULL)) {
			gsc_write_plan_free(plan);
			continue;
		}
		planned++;
		CU_ASSERT(!(reg.flags & (GSC_REG_HAZARD_HANG | GSC_REG_HAZARD_READ)));
		CU_ASSERT(!(reg.flags & GSC_REG_HAZARD_WRITE) || hazards_in_part(db, view, &reg));
		CU_ASSERT(reg.access & ~(unsigned)(GSC_RO | GSC_RC) && reg.space != GSC_CONFIG);
		for (size_t s = 0; gsc_write_step_at(plan, s, &step); s++)
			if (step.write && reg.space == GSC_MMIO)
				CU_ASSERT_EQUAL((step.keep << (step.address - reg.offset) * 8) & ones, 0);
		gsc_write_plan_free(plan);
	}
	return planned;
}

static void every_register(void)
{
	struct gsc_db *db;
	struct gsc_view *view;
	size_t planned = 0;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, NULL), GSC_OK);
	for (unsigned p = 0; p < gsc_platform_count(db); p++) {
		CU_ASSERT_EQUAL_FATAL(gsc_view_new(&view, db, p, -1, NULL), GSC_OK);
		planned += check_every(db, view);
		gsc_view_free(view);
	}
	CU_ASSERT(planned > 3000);
	gsc_db_free(db);
}

/* ---- running --------------------------------------------------------------------------------- */

static void dumps_are_not_written(void)
{
	struct gsc_write write = { "T_PLAIN", GSC_WRITE_SET, 1, false };
	struct gsc_write_plan *plan;
	struct gsc_written written;
	struct gsc_error err;
	struct bench b;

	bench_open(&b, NULL);
	write.target = "0x700000";
	CU_ASSERT_EQUAL(gsc_write_plan_new(&plan, gpu_for(NULL, b.view), &write, &err), GSC_UNKNOWN);
	write.target = "PP_CONTROL";
	write.force = true;
	CU_ASSERT_EQUAL_FATAL(gsc_write_plan_new(&plan, gpu_for(NULL, b.view), &write, &err), GSC_OK);
	CU_ASSERT_EQUAL(gsc_write_run(plan, gpu_for(b.source, b.view), NULL, &written, &err), GSC_USAGE);
	CU_ASSERT_PTR_NOT_NULL(strstr(err.why, "a dump cannot be written"));
	CU_ASSERT_STRING_EQUAL(written.name, "PP_CONTROL");
	gsc_write_plan_free(plan);
	bench_close(&b);
}

SUITE(write,
      { "plain registers", plain }, { "fields and reserved bits", fields },
      { "write 1 to clear", write_one_to_clear }, { "masked", masked },
      { "not to be read", unreadable }, { "hazards", hazards }, { "64 bits", long_ones },
      { "VGA", vga }, { "sideband", sideband }, { "targets", targets }, { "noise", noise },
      { "GGTT entries", entries }, { "every register", every_register },
      { "dumps are not written", dumps_are_not_written })
