/* SPDX-License-Identifier: MIT */
/*
 * What i915 of an age prints about a hang, and where the hardware has each of its registers. Lines
 * are those of i915_debugfs.c (Linux 2.6.38), i915_gpu_error.c (3.10 to 6.12) and
 * intel_guc_capture.c; addresses those of i915_reg.h, intel_engine_regs.h and intel_gt_regs.h.
 */
#include "dump-helpers.h"

#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct dump_age dump_ages[] = {
	{ "2.6.38", "snb", 0x0126, 600, AGE_2_6_38 }, { "3.2", "snb", 0x0126, 600, AGE_3_2 },
	{ "3.10", "ivb", 0x0166, 700, AGE_3_10 },     { "4.4", "bdw", 0x1616, 800, AGE_4_4 },
	{ "4.4", "hsw", 0x0412, 750, AGE_4_4 },	      { "4.18", "skl", 0x1912, 900, AGE_4_18 },
	{ "5.4", "icl", 0x8a52, 1100, AGE_5_4 },      { "5.15", "tgl", 0x9a49, 1200, AGE_5_15 },
	{ "6.8", "dg2", 0x56a0, 1255, AGE_6_8_GUC },  { "6.12", "dg2", 0x56a0, 1255, AGE_6_12 },
	{ "6.12", "skl", 0x1912, 900, AGE_6_12 },     { .name = NULL },
};

enum form {
	BITS_32, BITS_64,
	PAIR,				/* "0xUPPER LOWER" */
	JOINED,				/* "0xUPPER_LOWER" */
	BOTH,				/* "0xUPPER 0xLOWER" */
};

#define ANY 0xffff

struct row {
	const char *key;
	enum form form;
	uint32_t address, upper;	/* upper 0: there is no such register */
	enum dump_age_index since, until;
	unsigned lo, hi;		/* graphics versions */
	const char *tail;
};

static const struct row global_rows[] = {
	{ "EIR", BITS_32, 0x20b0, 0, AGE_2_6_38, AGE_6_12, 0, ANY, "" },
	{ "PGTBL_ER", BITS_32, 0x2024, 0, AGE_2_6_38, AGE_6_12, 0, ANY, "" },
	{ "ERROR", BITS_32, 0x40a0, 0, AGE_2_6_38, AGE_6_12, 600, 1199, "" },
	{ "IER", BITS_32, 0x4400c, 0, AGE_4_4, AGE_6_12, 600, 799, "" },
	{ "GTIER", BITS_32, 0x4401c, 0, AGE_4_4, AGE_4_18, 600, 799, "" },
	{ "IER", BITS_32, 0x4446c, 0, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "GTIER gt 0", BITS_32, 0x4430c, 0, AGE_4_4, AGE_4_4, 800, 1099, "" },
	{ "GTIER gt 3", BITS_32, 0x4433c, 0, AGE_4_4, AGE_4_4, 800, 1099, "" },
	{ "GTIER[1]", BITS_32, 0x4431c, 0, AGE_4_18, AGE_6_12, 800, 1099, "" },
	{ "GTIER[0]", BITS_32, 0x190030, 0, AGE_5_4, AGE_6_12, 1100, ANY, "" },
	{ "GTIER[5]", BITS_32, 0x190044, 0, AGE_5_4, AGE_6_12, 1100, ANY, "" },
	{ "DERRMR", BITS_32, 0x44050, 0, AGE_3_10, AGE_6_12, 600, ANY, "" },
	{ "CCID", BITS_32, 0x2180, 0, AGE_3_10, AGE_4_18, 600, ANY, "" },
	{ "FORCEWAKE", BITS_32, 0xa18c, 0, AGE_3_10, AGE_6_12, 600, 699, "" },
	{ "FORCEWAKE", BITS_32, 0xa188, 0, AGE_3_10, AGE_6_12, 700, ANY, "" },
	{ "  INSTDONE_0", BITS_32, 0x206c, 0, AGE_3_10, AGE_4_4, 700, ANY, "" },
	{ "  INSTDONE_1", BITS_32, 0x7100, 0, AGE_3_10, AGE_4_4, 700, ANY, "" },
	{ "  INSTDONE_2", BITS_32, 0xe160, 0, AGE_3_10, AGE_4_4, 700, ANY, "" },
	{ "  INSTDONE_3", BITS_32, 0xe164, 0, AGE_3_10, AGE_4_4, 700, ANY, "" },
	{ "DONE_REG", BITS_32, 0x40b0, 0, AGE_3_10, AGE_6_12, 600, 1199, "" },
	{ "FAULT_TLB_DATA", BOTH, 0x4b10, 0x4b14, AGE_4_4, AGE_6_12, 800, 1199, "" },
	{ "FAULT_TLB_DATA", BOTH, 0xceb8, 0xcebc, AGE_5_15, AGE_6_12, 1200, ANY, "" },
	{ "ERR_INT", BITS_32, 0x44040, 0, AGE_3_10, AGE_6_12, 700, 799, "" },
	{ "GTT_CACHE_EN", BITS_32, 0x4024, 0, AGE_5_4, AGE_6_12, 800, 1199, "" },
	{ "AUX_ERR_DBG", BITS_32, 0x43f4, 0, AGE_5_15, AGE_6_12, 1200, ANY, "" },
	{ "  SFC_DONE[0]", BITS_32, 0x1cc000, 0, AGE_5_15, AGE_6_12, 1200, ANY, "" },
	{ "GAM_DONE", BITS_32, 0xcf68, 0, AGE_5_15, AGE_6_12, 1200, ANY, "" },
};

/* From the engine's base; below only for the render engine, with absolute addresses. */
static const struct row engine_rows[] = {
	{ "CCID", BITS_32, 0x180, 0, AGE_5_4, AGE_6_12, 0, ANY, "" },
	{ "START", BITS_32, 0x38, 0, AGE_4_4, AGE_6_12, 0, ANY, "" },
	{ "HEAD", BITS_32, 0x34, 0, AGE_3_2, AGE_4_4, 0, ANY, "" },
	{ "TAIL", BITS_32, 0x30, 0, AGE_3_2, AGE_4_4, 0, ANY, "" },
	{ "HEAD", BITS_32, 0x34, 0, AGE_4_18, AGE_6_12, 0, ANY, " [0x00000000]" },
	{ "TAIL", BITS_32, 0x30, 0, AGE_4_18, AGE_6_12, 0, ANY, " [0x00000c00, 0x00000bc0]" },
	{ "CTL", BITS_32, 0x3c, 0, AGE_3_10, AGE_6_12, 0, ANY, "" },
	{ "MODE", BITS_32, 0x9c, 0, AGE_4_18, AGE_6_12, 0, ANY, "" },
	{ "HWS", BITS_32, 0x80, 0, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "ACTHD", BITS_32, 0x74, 0, AGE_2_6_38, AGE_3_10, 0, ANY, "" },
	{ "ACTHD", PAIR, 0x74, 0x5c, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "ACTHD", PAIR, 0x74, 0, AGE_4_4, AGE_6_12, 0, 799, "" },
	{ "IPEIR", BITS_32, 0x64, 0, AGE_2_6_38, AGE_6_12, 0, ANY, "" },
	{ "IPEHR", BITS_32, 0x68, 0, AGE_2_6_38, AGE_6_12, 0, ANY, "" },
	{ "ESR", BITS_32, 0xb8, 0, AGE_5_15, AGE_6_12, 0, ANY, "" },
	{ "INSTDONE", BITS_32, 0x6c, 0, AGE_2_6_38, AGE_6_12, 0, ANY, "" },
	{ "BBADDR", PAIR, 0x140, 0x168, AGE_4_4, AGE_4_4, 800, ANY, "" },
	{ "BBADDR", JOINED, 0x140, 0x168, AGE_4_18, AGE_6_12, 800, ANY, "" },
	{ "BB_STATE", BITS_32, 0x110, 0, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "INSTPS", BITS_32, 0x70, 0, AGE_3_2, AGE_6_12, 0, ANY, "" },
	{ "INSTPM", BITS_32, 0xc0, 0, AGE_3_2, AGE_6_12, 0, ANY, "" },
	{ "FADDR", BITS_32, 0x78, 0, AGE_3_2, AGE_3_10, 0, ANY, "" },
	{ "FADDR", PAIR, 0x78, 0x60, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "RC PSMI", BITS_32, 0x50, 0, AGE_3_10, AGE_6_12, 0, ANY, "" },
	{ "SYNC_0", BITS_32, 0x40, 0, AGE_3_2, AGE_3_2, 600, 799, "" },
	{ "SYNC_1", BITS_32, 0x44, 0, AGE_3_2, AGE_3_2, 600, 799, "" },
	{ "SYNC_0", BITS_32, 0x40, 0, AGE_3_10, AGE_4_4, 600, 799, " [last synced 0x00000000]" },
	{ "SYNC_1", BITS_32, 0x44, 0, AGE_3_10, AGE_4_4, 600, 799, " [last synced 0x00000000]" },
	{ "NOPID", BITS_32, 0x94, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "EXCC", BITS_32, 0x28, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "CMD_CCTL", BITS_32, 0xc4, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "CSCMDOP", BITS_32, 0x20c, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "CTX_SR_CTL", BITS_32, 0x244, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "DMA_FADDR_HI", BITS_32, 0x60, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "DMA_FADDR_LO", BITS_32, 0x78, 0, AGE_5_15, AGE_6_12, 1100, ANY, "" },
	{ "GFX_MODE", BITS_32, 0x29c, 0, AGE_4_4, AGE_6_12, 700, ANY, "" },
	{ "PDP0", BITS_64, 0x270, 0x274, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "PDP3", BITS_64, 0x288, 0x28c, AGE_4_4, AGE_6_12, 800, ANY, "" },
	{ "PP_DIR_BASE", BITS_32, 0x228, 0, AGE_4_4, AGE_6_12, 700, 799, "" },
};

static const struct row render_rows[] = {
	{ "INSTDONE1", BITS_32, 0x207c, 0, AGE_2_6_38, AGE_3_2, 0, ANY, "" },
	{ "SC_INSTDONE", BITS_32, 0x7100, 0, AGE_4_18, AGE_6_12, 700, ANY, "" },
	{ "SAMPLER_INSTDONE[0][0]", BITS_32, 0xe160, 0, AGE_4_18, AGE_6_12, 700, ANY, "" },
	{ "ROW_INSTDONE[0][0]", BITS_32, 0xe164, 0, AGE_4_18, AGE_6_12, 700, ANY, "" },
	{ "GEOM_SVGUNIT_INSTDONE[0][0]", BITS_32, 0x666c, 0, AGE_6_8_GUC, AGE_6_12, 1255, ANY, "" },
	{ "SC_INSTDONE_EXTRA", BITS_32, 0x7104, 0, AGE_5_15, AGE_6_12, 1200, ANY, "" },
	{ "SC_INSTDONE_EXTRA2", BITS_32, 0x7108, 0, AGE_5_15, AGE_6_12, 1200, ANY, "" },
};

/* COMMON_BASE_ENGINE_INSTANCE of intel_guc_capture.c; a key of NULL has only its offset. */
static const struct row captured_rows[] = {
	{ "RC PSMI", BITS_32, 0x50, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "ESR", BITS_32, 0xb8, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "RING_DMA_FADD_LDW", BITS_32, 0x78, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "RING_DMA_FADD_UDW", BITS_32, 0x60, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "EIR", BITS_32, 0xb0, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "IPEIR", BITS_32, 0x64, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "IPEHR", BITS_32, 0x68, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "INSTPS", BITS_32, 0x70, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "RING_BBADDR_LOW32", BITS_32, 0x140, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "RING_BBADDR_UP32", BITS_32, 0x168, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "BB_STATE", BITS_32, 0x110, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "CCID", BITS_32, 0x180, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "ACTHD_LDW", BITS_32, 0x74, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "ACTHD_UDW", BITS_32, 0x5c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "INSTPM", BITS_32, 0xc0, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "INSTDONE", BITS_32, 0x6c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "RING_NOPID", BITS_32, 0x94, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "START", BITS_32, 0x38, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "HEAD", BITS_32, 0x34, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "TAIL", BITS_32, 0x30, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "CTL", BITS_32, 0x3c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "MODE", BITS_32, 0x9c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "RING_CONTEXT_CONTROL", BITS_32, 0x244, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "HWS", BITS_32, 0x80, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "GFX_MODE", BITS_32, 0x29c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "PDP0_LDW", BITS_32, 0x270, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "PDP0_UDW", BITS_32, 0x274, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "PDP3_LDW", BITS_32, 0x288, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "PDP3_UDW", BITS_32, 0x28c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "REG-0x00000020", BITS_32, 0x20, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
};

static const struct row captured_global_rows[] = {
	{ "FORCEWAKE", BITS_32, 0xa188, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "ERROR_GEN6", BITS_32, 0x40a0, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "DONE_REG", BITS_32, 0x40b0, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "HSW_GTT_CACHE_EN", BITS_32, 0x4024, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "GEN12_FAULT_TLB_DATA0", BITS_32, 0xceb8, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "GEN12_FAULT_TLB_DATA1", BITS_32, 0xcebc, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "AUX_ERR_DBG", BITS_32, 0x43f4, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "GAM_DONE", BITS_32, 0xcf68, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "FAULT_REG", BITS_32, 0xcec4, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
	{ "REG-0x0000cf6c", BITS_32, 0xcf6c, 0, AGE_6_8_GUC, AGE_6_8_GUC, 0, ANY, "" },
};

/* ---- printing ------------------------------------------------------------------------------- */

static const struct {
	const char *name, *old, *other;	/* in gpuscope, Linux before 4.10, and 2.6.38 */
} engines[DUMP_ENGINES] = {
	{ "rcs0", "render", "Render" }, { "bcs0", "blt", "Blitter" },
	{ "vcs0", "bsd", "Video (BSD)" }, { "vecs0", "vebox", NULL }, { "vcs1", "bsd2", NULL },
	{ "vcs2", NULL, NULL }, { "vecs1", NULL, NULL }, { "ccs0", NULL, NULL },
	{ "ccs1", NULL, NULL }, { "ccs2", NULL, NULL }, { "ccs3", NULL, NULL },
	{ "vcs3", NULL, NULL },
};

/* Anything but 0, and different for each place. */
static uint32_t value_of(uint64_t place)
{
	return (uint32_t)(place * 2654435761u) | 1;
}

static void expect(struct dump_state *state, const char *engine, const char *key, uint64_t address,
		   uint32_t value)
{
	struct dump_expected *e;

	if (state->count == DUMP_EXPECTED)
		abort();
	e = &state->expected[state->count++];
	*e = (struct dump_expected){ .address = address, .value = value };
	snprintf(e->key, sizeof(e->key), "%s%s%s", engine, *engine ? "." : "",
		 key + strspn(key, " "));
}

static uint32_t base_of(const struct gsc_db *db, unsigned platform, const char *engine)
{
	struct gsc_engine_place found;
	const char *name;

	for (size_t i = 0; (name = gsc_platform_engine(db, platform, i, &found)); i++)
		if (!strcmp(name, engine))
			return found.base;
	return 0;
}

static void add_row(struct dump_state *s, const struct row *row, const char *engine, uint32_t base,
		    const char *indent)
{
	uint32_t low, high, place = base ? base : *engine ? 0x4000000 + s->engine * 0x10000 : 0;

	if (s->age->index < row->since || s->age->index > row->until ||
	    s->age->graphics < row->lo || s->age->graphics > row->hi)
		return;
	low = value_of(place + row->address);
	high = row->upper ? value_of(place + row->upper) : 0;
	sheet_add(&s->text, "%s%s:  ", indent, row->key);
	switch (row->form) {
	case BITS_32:
		sheet_add(&s->text, "0x%08x", low);
		break;
	case BITS_64:
		sheet_add(&s->text, "0x%08x%08x", high, low);
		break;
	case PAIR:
		sheet_add(&s->text, "0x%08x %08x", high, low);
		break;
	case JOINED:
		sheet_add(&s->text, "0x%08x_%08x", high, low);
		break;
	case BOTH:
		sheet_add(&s->text, "0x%08x 0x%08x", high, low);
		break;
	}
	sheet_add(&s->text, "%s\n", row->tail);
	/* An engine that the platform does not have: everything is kept, but has no place. */
	if (*engine && !base) {
		expect(s, engine, row->key, UINT64_MAX, low);
		return;
	}
	expect(s, engine, row->key, place + row->address, low);
	if (row->upper)
		expect(s, engine, row->key, place + row->upper, high);
}

#define ADD_ROWS(state, rows, engine, base, indent) do {				\
	for (size_t row_ = 0; row_ < sizeof(rows) / sizeof(*(rows)); row_++)		\
		add_row(state, &(rows)[row_], engine, base, indent);			\
} while (0)

static void add_fences(struct dump_state *s)
{
	/* Nothing is read untiled if there is no aperture. */
	for (unsigned i = 0; i < 2 && s->age->graphics < 1255; i++) {
		uint64_t address = 0x100000 + 8 * i, low = value_of(address), high = 0x1fff000u + i;

		sheet_add(&s->text, "  fence[%u] = %08llx\n", i,
			 (unsigned long long)(high << 32 | low));
		expect(s, "", "fence", address, (uint32_t)low);
		expect(s, "", "fence", address + 4, (uint32_t)high);
	}
}

static void add_header(struct dump_state *s)
{
	if (s->age->index >= AGE_4_4)
		sheet_add(&s->text, "GPU HANG: ecode %u:1:0x85dffffb, in app [42]\n",
			 s->age->graphics / 100);
	sheet_add(&s->text, "Time: 1500000000 s 250000 us\n");
	if (s->age->index >= AGE_3_10)
		sheet_add(&s->text, "Kernel: %s.0\n", s->age->name);
	if (s->age->index >= AGE_4_4)
		sheet_add(&s->text, "Reset count: 0\nSuspend count: 1\n");
	sheet_add(&s->text, "PCI ID: 0x%04x\n", s->age->device);
	if (s->age->index >= AGE_4_4)
		sheet_add(&s->text, "PCI Revision: 0x03\nPCI Subsystem: 8086:2015\n");
}

static void add_captured(struct dump_state *s, const char *heading, const char *engine,
			 uint32_t base)
{
	sheet_add(&s->text, "global --- GuC Error Capture on %s command stream:\n"
		 "Coverage:  full-capture\n  RegListType: Global\n    Owner-Id: 0\n"
		 "    NumRegs: 10\n", heading);
	ADD_ROWS(s, captured_global_rows, "", 0, "      ");
	sheet_add(&s->text, "  RegListType: Engine-Class\n    Owner-Id: 0\n    GuC-Eng-Class: 0\n"
		 "    i915-Eng-Class: 0\n    NumRegs: 0\n"
		 "  RegListType: Engine-Instance\n    Owner-Id: 0\n"
		 "    i915-Eng-Name: %s command stream\n    i915-Eng-Inst-Class: 0x00\n"
		 "    GuC-Engine-Inst-Id: 0x00000000\n    LRCA: 0x01a30000\n    NumRegs: 30\n",
		 heading);
	ADD_ROWS(s, captured_rows, engine, base, "      ");
}

static void add_engine(struct dump_state *s, const char *heading, const char *engine,
		       uint32_t base)
{
	bool render = !strcmp(engine, "rcs0");

	if (s->age->index == AGE_6_8_GUC) {
		add_captured(s, heading, engine, base);
	} else {
		ADD_ROWS(s, engine_rows, engine, base, "  ");
		if (render)
			ADD_ROWS(s, render_rows, "", 0, "  ");
	}
	if (s->age->index < AGE_4_18)
		sheet_add(&s->text, "  seqno: 0x000c9558\n");
	else
		sheet_add(&s->text, "  hung: %u\n  engine reset count: 0\n"
			 "  Active context: app[42] prio 0, guilty 0 active 0\n"
			 "  context timeline seqno 7\n", render);
}

static const char *engine_heading(const struct dump_state *s, unsigned i)
{
	if (s->age->index == AGE_2_6_38)
		return engines[i].other;
	return s->age->index < AGE_4_18 ? engines[i].old : engines[i].name;
}

/* Batch, ring and context of engine i, in the words and the form of the age. */
static void add_buffers(struct dump_state *s, unsigned i)
{
	bool old = s->age->index < AGE_4_18, named = s->age->index >= AGE_5_4;
	const char *const names[] = { named ? "batch" : "gtt_offset", named ? "ring" : "ringbuffer",
				      "HW context" };
	const char *ring = old ? " ring" : "";

	for (unsigned b = 0; b < 3; b++) {
		uint32_t first = 0x10000 * (3 * i + b + 1), at = 0x100000 + first;
		uint64_t high = s->age->index >= AGE_4_18 && !b ? 0x7f : 0;

		sheet_add(&s->text, "%s%s --- %s = 0x%08llx", engine_heading(s, i), ring, names[b],
			 (unsigned long long)(s->age->index >= AGE_4_18 ? high : at));
		sheet_add(&s->text, s->age->index >= AGE_4_18 ? " %08x\n" : "\n", at);
		if (old && b == 2) {
			for (unsigned d = 0; d < 64; d += 4)
				sheet_add(&s->text, "[%04x] %08x %08x %08x %08x\n", d * 4, first + d,
					 first + d + 1, first + d + 2, first + d + 3);
		} else if (old) {
			for (unsigned d = 0; d < 64; d++)
				sheet_add(&s->text, "%08x :  %08x\n", d * 4, first + d);
		} else {
			sheet_zlib(&s->text, first, 64);
			sheet_add(&s->text, "\n");
		}
		s->buffers[s->buffer_count++] = (struct dump_expected_buffer){
			high << 32 | at, first, 64, b,
		};
	}
}

/* The driver counts the existing ones: without a vcs1 that is vcs2, unless both are named. */
static const char *engine_meant_by(const char *name, unsigned platform, unsigned count)
{
	const struct gsc_db *db = shared_definitions();

	return !strcmp(name, "vcs1") && count < 6 && !base_of(db, platform, name) &&
	       base_of(db, platform, "vcs2") ? "vcs2" : name;
}

void dump_state_make(struct dump_state *s, const struct dump_age *age, unsigned count)
{
	struct gsc_platform p = platform_of(age->platform);

	*s = (struct dump_state){ .age = age };
	add_header(s);
	for (size_t i = 0; i < sizeof(global_rows) / sizeof(*global_rows); i++)
		if (age->index != AGE_6_8_GUC || i < 2 || !strncmp(global_rows[i].key, "GTIER", 5))
			add_row(s, &global_rows[i], "", 0, "");
	add_fences(s);
	for (s->engine = 0; s->engine < count && engine_heading(s, s->engine); s->engine++) {
		const char *heading = engines[s->engine].name;
		const char *name = engine_meant_by(heading, p.index, count);

		if (age->index != AGE_6_8_GUC)
			sheet_add(&s->text, "%s command stream:\n", engine_heading(s, s->engine));
		add_engine(s, heading, name, base_of(shared_definitions(), p.index, name));
		if (age->index >= AGE_4_18)
			add_buffers(s, s->engine);
	}
	for (unsigned i = 0; age->index < AGE_4_18 && i < s->engine; i++)
		add_buffers(s, i);
}

void dump_state_free(struct dump_state *s)
{
	sheet_free(&s->text);
}
