/* SPDX-License-Identifier: MIT */
/* Error states of every age with one engine and more: each value is found where it belongs. */
#include "dump-helpers.h"
#include "open/open.h"
#include "source-helpers.h"
#include "test.h"
#include "formats/dump.h"

#include <stdio.h>
#include <string.h>

static bool has_register(struct gsc_source *s, const struct dump_expected *e)
{
	const char *text;
	char digits[16];
	uint64_t value;

	if (e->address != UINT64_MAX)
		return gsc_read(s, GSC_MMIO, e->address, 4, &value) == GSC_READ_OK &&
		       value == e->value;
	text = property_of(s, e->key);
	snprintf(digits, sizeof(digits), "%08x", e->value);
	return text && strstr(text, digits);
}

static void expect_registers(struct gsc_source *s, const struct dump_state *state)
{
	unsigned lost = 0;

	for (size_t i = 0; i < state->count && lost < 10; i++) {
		const struct dump_expected *e = &state->expected[i];

		if (has_register(s, e))
			continue;
		lost++;
		fprintf(stderr, "\nLinux %s, %s: %s is not 0x%08x at 0x%llx\n", state->age->name,
			state->age->platform, e->key, e->value, (unsigned long long)e->address);
	}
	CU_ASSERT_EQUAL(lost, 0);
}

static void expect_buffers(struct gsc_source *s, const struct dump_state *state)
{
	static const enum gsc_buffer_kind kinds[] = { GSC_BUFFER_BATCH, GSC_BUFFER_RING,
						      GSC_BUFFER_CONTEXT };

	CU_ASSERT_EQUAL(buffer_count(s), state->buffer_count);
	for (size_t i = 0; i < state->buffer_count; i++) {
		const struct dump_expected_buffer *e = &state->buffers[i];
		struct gsc_buffer_origin b;

		CU_ASSERT_FATAL(gsc_source_buffer(s, 0, i, &b));
		CU_ASSERT_EQUAL(b.kind, kinds[e->kind]);
		CU_ASSERT_EQUAL(b.address, e->address);
		CU_ASSERT_EQUAL(b.length, e->count * 4);
		CU_ASSERT_FALSE(b.flags & GSC_BUFFER_CUT);
		expect_dwords(s, b.space, b.address, e->first, e->count);
	}
}

static void try_state(const struct dump_age *age, unsigned engines)
{
	struct dump_state state;
	struct gsc_source *s;

	dump_state_make(&state, age, engines);
	s = open_text(&state.text, NULL);
	CU_ASSERT_STRING_EQUAL(gsc_source_kind(s, 0), "i915 error state");
	CU_ASSERT_EQUAL(gsc_source_platform(s), (int)platform_of(age->platform).index);
	expect_registers(s, &state);
	expect_buffers(s, &state);
	CU_ASSERT_EQUAL(gsc_source_age(s, 1500000060), 60);
	/* Engines that no such part has are reported. */
	CU_ASSERT(!gsc_source_note_count(s) ||
		  (gsc_source_note_count(s) == 1 && engines > 3 &&
		   strstr(gsc_source_note(s, 0), "does not have: the registers have no address")));
	if (gsc_source_note_count(s) > 1)
		fprintf(stderr, "\nLinux %s, %s, %u engines: %s\n", age->name, age->platform,
			engines, gsc_source_note(s, 0));
	gsc_source_close(s);
	dump_state_free(&state);
}

static void test_ages(void)
{
	for (const struct dump_age *age = dump_ages; age->name; age++)
		for (unsigned engines = 1; engines <= DUMP_ENGINES; engines++)
			try_state(age, engines);
}

/* Mail, logs and other systems in between change nothing. */
static void test_pasted(void)
{
	static const char *const fronts[] = { "> ", "",
					      "[  123.456789] i915 0000:00:02.0: [drm] " };

	for (const struct dump_age *age = dump_ages; age->name; age++) {
		struct dump_state state;

		dump_state_make(&state, age, 2);
		for (unsigned i = 0; i < 3; i++) {
			struct sheet changed = text_changed(state.text.data, state.text.size,
							   fronts[i], "\r\n");
			struct gsc_source *s = open_text(&changed, NULL);

			expect_registers(s, &state);
			expect_buffers(s, &state);
			gsc_source_close(s);
			sheet_free(&changed);
		}
		dump_state_free(&state);
	}
}

/* ---- what else the old ones print ----------------------------------------------------------- */

static const char lists[] =
	"Time: 1361486941 s 24003 us\nKernel: 3.10.0\nPCI ID: 0x0126\nEIR: 0x00000000\n"
	"IER: 0x82bc8585\nrender command stream:\n  HEAD: 0x00000040\n"
	"Active [2]:\n"
	"  02540000     4096 50 00 c9559 0 P X dirty render snooped (LLC) (name: 8) (fence: 3)\n"
	"  02541000    65536 50 00 c9559 0\n"
	"Pinned [1]:\n"
	"  00001000   131072 40 40 0 0 P dirty uncached\n"
	"render ring --- 2 requests\n"
	"  seqno 0x000c9559, emitted 4297035218, tail 0x0000e200\n"
	"  seqno 0x000c955a, emitted 4297035219, tail 0x0000e240\n"
	"Overlay, status: 0x00000001, interrupt: 0x00000002\n"
	"  Register file at 0x00100000:\n"
	"    OBUF_0Y:\t0x00000003\n"
	"PWR_WELL_CTL2: c0000000\n"
	"Num Pipes: 2\n"
	"Pipe [0]:\n  Power: on\n  CONF: c0000000\n  SRC: 04ff031f\n  STAT: 00000001\n"
	"Plane [1]:\n  CNTR: d9000400\n  STRIDE: 00001400\n  SIZE: 00000005\n  POS: 00000006\n"
	"  ADDR: 00000007\n  SURF: 0c6e1000\n  TILEOFF: 00000009\n"
	"Cursor [1]:\n  CNTR: 10000000\n  POS: 02f2040d\n  BASE: 0000000c\n"
	"CPU transcoder: B\n  Power: on\n  CONF: c0000001\n  HTOTAL: 059f04ff\n"
	"CPU transcoder: EDP\n  CONF: c0000002\n  VSYNC: 03280322\n";

static struct gsc_source *open_lists(const char *platform)
{
	struct sheet text = { .size = 0 };
	struct gsc_source *s;

	sheet_add(&text, "%s", lists);
	s = open_text(&text, platform);
	sheet_free(&text);
	return s;
}

static void test_lists(void)
{
	struct gsc_source *s = open_lists(NULL);

	CU_ASSERT_STRING_EQUAL(property_of(s, "Active [2].02541000"), "65536 50 00 c9559 0");
	CU_ASSERT(strstr(property_of(s, "Active [2].02540000"), "(name: 8) (fence: 3)") != NULL);
	CU_ASSERT_STRING_EQUAL(property_of(s, "Pinned [1].00001000"),
			       "131072 40 40 0 0 P dirty uncached");
	CU_ASSERT_STRING_EQUAL(property_of(s, "render ring --- 2 requests.seqno"),
			       "0x000c9559, emitted 4297035218, tail 0x0000e200");
	CU_ASSERT_STRING_EQUAL(property_of(s, "Overlay.status"),
			       "0x00000001, interrupt: 0x00000002");
	CU_ASSERT_STRING_EQUAL(property_of(s, "Overlay.OBUF_0Y"), "0x00000003");
	/* The sum of two registers is neither. */
	CU_ASSERT_STRING_EQUAL(property_of(s, "IER"), "0x82bc8585");
	CU_ASSERT_STRING_EQUAL(property_of(s, "Num Pipes"), "2");
	CU_ASSERT_STRING_EQUAL(property_of(s, "Plane [1].SIZE"), "00000005");
	CU_ASSERT_EQUAL(gsc_source_note_count(s), 0);
	gsc_source_close(s);
}

static void test_display(void)
{
	static const struct {
		const char *platform;
		uint32_t address, value;
	} places[] = {
		{ "snb", 0x70008, 0xc0000000 }, { "snb", 0x6001c, 0x04ff031f },
		{ "snb", 0x71180, 0xd9000400 }, { "snb", 0x71188, 0x1400 }, { "snb", 0x71184, 7 },
		{ "snb", 0x7119c, 0x0c6e1000 }, { "snb", 0x711a4, 9 },
		{ "snb", 0x700c0, 0x10000000 }, { "snb", 0x700c8, 0x02f2040d },
		{ "snb", 0x71008, 0xc0000001 }, { "snb", 0x61000, 0x059f04ff },
		{ "elk", 0x70024, 1 },		{ "vlv", 0x1f0008, 0xc0000000 },
		{ "vlv", 0x1f00c0, 0x10000000 }, { "ivb", 0x71080, 0x10000000 },
		{ "hsw", 0x7f008, 0xc0000002 }, { "hsw", 0x6f014, 0x03280322 },
		{ "hsw", 0x45404, 0xc0000000 },
	};

	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		struct gsc_source *s = open_lists(places[i].platform);

		CU_ASSERT_EQUAL(value_at(s, GSC_MMIO, places[i].address, 4), places[i].value);
		gsc_source_close(s);
	}
}

/* What the GuC also keeps, and cases where it has kept nothing. */
static void test_guc(void)
{
	struct sheet t = { .size = 0 };
	struct gsc_member member = { .next = 0 };
	struct gsc_source *s;

	sheet_add(&t, "PCI ID: 0x56a0\nEIR: 0x0\nReset count: 0\n"
		 "  Missing GuC capture node for bcs0\n  hung: 1\n"
		 "global --- GuC Error Capture on rcs0 command stream:\n  No matching ee-node\n"
		 "  hung: 0\n  context timeline seqno 7\n"
		 "GuC firmware: i915/dg2_guc_70.bin\n\tstatus: RUNNING\nGuC timestamp: 0x1\n"
		 "global --- GuC log buffer = 0x00000000 00300000\n~");
	sheet_dwords(&t, 0x100, 32);
	sheet_add(&t, "\nGuC CTB fence: 3\nGuC Send CTB: raw: 0x00000001, 0x2/3\n"
		 "global --- GuC CT buffer = 0x00000000 00400000\n~");
	sheet_dwords(&t, 0x200, 16);
	sheet_add(&t, "\n");
	s = open_text(&t, NULL);
	CU_ASSERT(property_of(s, "bcs0.Missing GuC capture node for") != NULL);
	CU_ASSERT_STRING_EQUAL(property_of(s, "bcs0.hung"), "1");
	CU_ASSERT(property_of(s, "rcs0.No matching ee-node") != NULL);
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.hung"), "0");
	CU_ASSERT_STRING_EQUAL(property_of(s, "rcs0.context timeline seqno"), "7");
	CU_ASSERT_STRING_EQUAL(property_of(s, "GuC firmware.status"), "RUNNING");
	CU_ASSERT(gsc_capture_member(s, 0, &member));
	CU_ASSERT_STRING_EQUAL(member.name, "guc-log.bin");
	CU_ASSERT_EQUAL(member.size, 128);
	CU_ASSERT(gsc_capture_member(s, 0, &member));
	CU_ASSERT_STRING_EQUAL(member.name, "guc-ct.bin");
	expect_dwords(s, GSC_GTTMEM, 0x300000, 0x100, 32);
	expect_dwords(s, GSC_GTTMEM, 0x400000, 0x200, 16);
	gsc_source_close(s);
	sheet_free(&t);
}

/* ---- when ----------------------------------------------------------------------------------- */

static int64_t age_told(const char *line, int64_t now)
{
	struct sheet t = { .size = 0 };
	struct gsc_source *s;
	int64_t age;

	sheet_add(&t, "%sPCI ID: 0x0126\nEIR: 0x0\nrender command stream:\n  HEAD: 0x0\n", line);
	s = open_text(&t, NULL);
	age = gsc_source_age(s, now);
	gsc_source_close(s);
	sheet_free(&t);
	return age;
}

static void test_when(void)
{
	CU_ASSERT_EQUAL(age_told("Time: 1500000000 s 999999 us\n", 1500000000), 0);
	CU_ASSERT_EQUAL(age_told("Time: 1500000000 s 1 us\n", 1500086400), 86400);
	/* A clock that has been set back. */
	CU_ASSERT_EQUAL(age_told("Time: 1500000000 s 1 us\n", 1400000000), 0);
	CU_ASSERT_EQUAL(age_told("", 1500000000), -1);
	CU_ASSERT_EQUAL(age_told("Time: 0 s 1 us\n", 1500000000), -1);
	CU_ASSERT_EQUAL(age_told("Time: yesterday\n", 1500000000), -1);
	CU_ASSERT_EQUAL(age_told("Time: 99999999999999999999 s 1 us\n", 1500000000), -1);
	/* These count from the start of the machine, or back from an unknown time. */
	CU_ASSERT_EQUAL(age_told("Boottime: 20 s 1 us\nUptime: 30 s 1 us\n"
				 "Capture: 4294937296 jiffies; 5000 ms ago\n", 1500000000), -1);
}

SUITE(dump_ages,
	{ "every age, 1 to 12 engines", test_ages },
	{ "pasted", test_pasted },
	{ "lists", test_lists },
	{ "display", test_display },
	{ "GuC", test_guc },
	{ "when", test_when })
