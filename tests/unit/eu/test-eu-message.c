/* SPDX-License-Identifier: MIT */
/* What messages mean, for each shared function and generation. The descriptors are made up. */
#include "eu/eu.h"
#include "test.h"
#include "util/text.h"

#include <dirent.h>
#include <stdlib.h>

struct bed { struct gsc_db *db; struct gsc_view *view; struct eu_isa *isa; };

static struct bed bed_for(const char *name)
{
	struct gsc_platform platform;
	struct bed bed;
	int device;

	CU_ASSERT_FATAL(!gsc_db_new(&bed.db, NULL));
	CU_ASSERT_FATAL(!gsc_platform_find(bed.db, name, &platform, &device, NULL));
	CU_ASSERT_FATAL(!gsc_view_new(&bed.view, bed.db, platform.index, -1, NULL));
	CU_ASSERT_FATAL(!eu_isa_open(bed.view, &bed.isa, NULL));
	return bed;
}

static void bed_end(struct bed *bed)
{
	eu_isa_free(bed->isa);
	gsc_view_free(bed->view);
	gsc_db_free(bed->db);
}

static const struct eu_opcode send_opcode = { .name = "send", .form = EU_SEND };

static struct eu_instruction message_of(const struct bed *bed, uint8_t function,
					uint32_t descriptor)
{
	return (struct eu_instruction){ .isa = bed->isa, .opcode = &send_opcode,
					.shared_function = function, .descriptor = descriptor, .descriptor_known = true };
}

static void says(const struct eu_instruction *in, const char *want)
{
	char line[500];
	struct text text = text_of(line);

	eu_put_message(in, &text);
	CU_ASSERT_STRING_EQUAL(line, want);
	if (strcmp(line, want))
		fprintf(stderr, "\n  %s\n  %s\n", line, want);
}

struct row {
	const char *platform;
	uint8_t function;
	bool split;
	uint32_t descriptor, extended;
	const char *text;
};

static const struct row rows[] = {
	{ "i965", 1, false, 0x01100084, 0, "math box: sqrt, scalar; 1 register out" },
	{ "i965", 2, false, 0x0078c302, 0,
	  "sampler: ld F, surface 2, sampler 3; 7 registers out, 8 back" },
	{ "g45", 5, false, 0x00a04805, 0,
	  "data port write: render target write SIMD16, last render target, surface 5; "
	  "10 registers out" },
	{ "ilk", 6, false, 0x0608e450, 0,
	  "URB: write, offset 5, interleave, allocate, used, complete; "
	  "3 registers out with a header" },
	{ "snb", 5, false, 0x060920ff, 0,
	  "render cache: oword dual block write, 1 oword, stateless; "
	  "3 registers out with a header" },
	{ "snb", 9, false, 0x04180301, 0,
	  "constant cache: oword block read, 4 owords, surface 1; "
	  "2 registers out with a header, 1 back" },
	{ "ivb", 10, false, 0x02196003, 0,
	  "data cache: untyped surface read SIMD8 xyzw, surface 3; 1 register out with a header, 1 back" },
	{ "ivb", 11, false, 0x02211078, 0,
	  "pixel interpolator: at a sample SIMD16, sample 7; 1 register out, 2 back" },
	{ "hsw", 12, false, 0x0210a7fe, 0,
	  "data cache 1: untyped atomic add SIMD16, returns, shared local memory; 1 register out, 1 back" },
	{ "hsw", 13, false, 0x10782000, 0,
	  "check and refinement: skip and intra check, surface 0; 8 registers out with a header, "
	  "7 back" },
	{ "bdw", 6, false, 0x0a088027, 0,
	  "URB: write dwords, offset 2, channel mask; 5 registers out with a header" },
	{ "skl", 2, false, 0x0c842503, 0,
	  "sampler: sample_l SIMD16, surface 3, sampler 5; 6 registers out, 8 back" },
	{ "skl", 5, true, 0x02031400, 0x00000100,
	  "render cache: render target write SIMD8, last render target, surface 0; "
	  "1 + 4 registers out" },
	{ "icl", 3, false, 0x02000004, 0, "message gateway: barrier; 1 register out" },
	{ "tgl", 10, true, 0x020a1004, 0,
	  "data cache: oword block write, low oword, surface 4; 1 register out with a header" },
	{ "tgl", 12, true, 0x04448efd, 0x00000080,
	  "data cache 1: A64 untyped atomic cmpwr, 32 bits, stateless (not coherent); "
	  "2 + 2 registers out, 4 back" },
	{ "dg2", 7, true, 0x02004100, 0, "bindless thread dispatch: spawn threads SIMD16; "
					 "1 register out" },
	{ "dg2", 15, true, 0x64229580, 0x03000100,
	  "untyped memory: load d32 v2 a64 bti, transpose, surface 3, L1 uncached, L3 uncached; "
	  "2 + 4 registers out, 2 back" },
	{ "dg2", 15, true, 0x0210011f, 0,
	  "untyped memory: fence a32 flat, for the thread group; 1 register out, 1 back" },
	{ "lnl", 2, true, 0x84424001, 0,
	  "sampler: sample_po_d SIMD16, surface 1, sampler 0; 2 registers out, 4 back" },
	{ "lnl", 6, true, 0x02000504, 0x00010080,
	  "URB: store d32 v1 a32 flat, offset 16 bytes; 1 + 2 registers out" },
	{ "lnl", 15, true, 0x02288582, 0xffffc000,
	  "untyped memory: load channels d32 w a64 flat, offset -4 bytes, L1 cached, L3 cached; "
	  "1 register out, 2 back" },
};

static void lines(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct bed bed = bed_for(rows[i].platform);
		struct eu_instruction in = message_of(&bed, rows[i].function,
						     rows[i].descriptor);

		in.split = in.extended_known = rows[i].split;
		in.extended = rows[i].extended;
		says(&in, rows[i].text);
		bed_end(&bed);
	}
}

/* Xe3P: the numbers of registers are in the instruction, the rest in 47 bits. */
static void long_ones(void)
{
	static const struct eu_opcode sendg = { .name = "sendg", .form = EU_SENDG };
	static const struct {
		uint8_t function, payload[2];
		bool ends;
		uint64_t descriptor;
		const char *text;
	} messages[] = {
		{ 15, { 1, 0 }, false, 0x281680,
		  "untyped memory: load d32 v16, transpose, a32 unsigned, overfetch, L1 cached, "
		  "L2 cached, L3 uncached; 1 register out" },
		{ 15, { 2, 2 }, false, 0x100000005004,
		  "untyped memory: store d32 v1, a32 signed, scaled by data times vector size; "
		  "2 + 2 registers out" },
		{ 15, { 1, 0 }, false, 0x10009780,
		  "untyped memory: load d32 v64, transpose, a64, offset 64 elements; 1 register out" },
		{ 15, { 2, 2 }, false, 0x0fffff009004,
		  "untyped memory: store d32 v1 a64, offset -4 elements; 2 + 2 registers out" },
		{ 15, { 1, 0 }, false, 0x191f,
		  "untyped memory: fence evict, for the GPU; 1 register out" },
		{ 15, { 2, 1 }, false, 0x02900c + (UINT64_C(5) << 27),
		  "untyped memory: atomic add d32 v1 a64, offset 160 elements, L1 uncached, "
		  "L2 uncached, L3 uncached; 2 + 1 registers out" },
		{ 14, { 6, 0 }, false, 0x1012, "shared local memory: atomic cmpxchg d32 v1; "
					       "6 registers out" },
		{ 13, { 12, 0 }, false, 0x786,
		  "typed memory: store channels xyzw, surface index 0; 12 registers out" },
		{ 15, { 1, 0 }, false, 0x3ff401409003,
		  "untyped memory: load 2D block d32 a64, x offset 5 elements, y offset -3 "
		  "elements; 1 register out" },
		{ 15, { 1, 1 }, false, 0x1e00038e07,
		  "untyped memory: store 2D block d16, transpose, vnni, a64, x offset -2048 "
		  "elements, y offset 7 elements, L1 uncached, L2 uncached, L3 write-back; 1 + "
		  "1 registers out" },
		{ 13, { 1, 0 }, false, 0x1fffffc0d203,
		  "typed memory: load 2D block d32, vnni, x offset -1 elements, y offset 2047 "
		  "elements; 1 register out" },
		{ 15, { 2, 1 }, false, 0x4900c,
		  "untyped memory: atomic add d32 v1 a64, L1 uncached, L2 write-back, L3 "
		  "uncached; 2 + 1 registers out" },
		{ 15, { 2, 1 }, false, 0x5a825,
		  "untyped memory: atomic bfcmpxchg d16u32 v1 a64, cache 0x5; 2 + 1 registers "
		  "out" },
		{ 15, { 1, 0 }, false, 0x20000000b080,
		  "untyped memory: load, data size 0x6, v2 a64, scaled by twice data times "
		  "vector size; 1 register out" },
		{ 15, { 1, 0 }, false, 0xd1f,
		  "untyped memory: fence, flush 0x5, for the subslice; 1 register out" },
		{ 15, { 1, 0 }, false, 0x81ad,
		  "untyped memory: get watchpoint, watchpoint 3, a64; 1 register out" },
		{ 14, { 1, 0 }, false, 0x10000040022e,
		  "shared local memory: set watchpoint, watchpoint 4; 1 register out" },
		{ 6, { 1, 1 }, false, 0xfffff471004,
		  "URB: store d32 v1, offset -3 elements, L1 write-through, L2 uncached, L3 "
		  "write-back; 1 + 1 registers out" },
		{ 15, { 1, 0 }, false, 0x910b3,
		  "untyped memory: cache control reset, 192 bytes, L1 cached, L2 cached, L3 "
		  "cached; 1 register out" },
		{ 15, { 1, 0 }, false, 0x4007b1,
		  "untyped memory: load channels of a multisample target; 1 register out" },
		{ 13, { 1, 0 }, false, 0x240c01e,
		  "typed memory: read state, surface index 9; 1 register out" },
		{ 13, { 6, 4 }, false, 0x20f80801f82,
		  "typed memory: load channels xyzw, 2D surface, surface index 2, u offset -8, "
		  "v offset 3, r offset -2; 6 + 4 registers out" },
		{ 13, { 6, 1 }, false, 0x1c040d00c,
		  "typed memory: atomic add d32, surface index 1, r offset 7; 6 + 1 registers "
		  "out" },
		{ 3, { 1, 0 }, true, 0, "message gateway: end thread; 1 register out; the thread ends" },
	};
	struct bed bed = bed_for("cri");

	for (size_t i = 0; i < ARRAY_SIZE(messages); i++) {
		struct eu_instruction in = message_of(&bed, messages[i].function, 0);

		in.opcode = &sendg;
		in.split = true;
		in.descriptor_known = false;
		in.descriptor = messages[i].descriptor;
		in.ends = messages[i].ends;
		memcpy(in.payload, messages[i].payload, sizeof(in.payload));
		says(&in, messages[i].text);
	}
	bed_end(&bed);
}

/* The contents of a register are unknown; so is what depends on them. */
static void unknown(void)
{
	struct bed bed = bed_for("skl");
	struct eu_instruction in = message_of(&bed, 2, 0);

	in.descriptor_known = false;
	says(&in, "sampler: descriptor in a0.0");
	in.ends = true;
	in.split = in.extended_known = true;
	in.extended = 0x000000c0;
	says(&in, "sampler: descriptor in a0.0; the thread ends");
	in = message_of(&bed, 14, 0x1234);
	says(&in, "shared function 14");
	bed_end(&bed);

	bed = bed_for("dg2");
	in = message_of(&bed, 15, 0x62200500);
	in.split = true;
	says(&in, "untyped memory: extended descriptor in a0.0, load d32 v1 a32 bti; "
			"1 register out, 2 back");
	in.descriptor_known = false;
	in.extended_known = true;
	in.extended = 0x07000080;
	says(&in, "untyped memory: descriptor in a0.0");
	bed_end(&bed);
}

static void names(void)
{
	struct bed bed = bed_for("tgl");

	CU_ASSERT_STRING_EQUAL(bed.isa->function[12].name, "dp data 1");
	CU_ASSERT_STRING_EQUAL(bed.isa->function[12].title, "data cache 1");
	CU_ASSERT_STRING_EQUAL(bed.isa->function[12].item.name, "MESSAGE_DP_DATA_1");
	CU_ASSERT_STRING_EQUAL(bed.isa->function[0].item.name, "MESSAGE");
	CU_ASSERT_PTR_NULL(bed.isa->function[14].name);
	bed_end(&bed);

	bed = bed_for("lnl");
	CU_ASSERT_STRING_EQUAL(bed.isa->function[6].item.name, "MESSAGE_UGM");
	bed_end(&bed);

	bed = bed_for("g33");
	CU_ASSERT_PTR_NULL(bed.isa->function[2].name);
	bed_end(&bed);
}

static void fields(void)
{
	static const char *const want[] = { "OPCODE", "DATA_SIZE", "VECTOR_SIZE", "ADDRESS_SIZE",
					    "ADDRESS_TYPE", "TRANSPOSE", "SURFACE", "CACHE",
					    "MESSAGE_LENGTH", "EXTENDED_LENGTH", "RESPONSE_LENGTH" };
	struct bed bed = bed_for("dg2");
	struct eu_instruction in = message_of(&bed, 15, 0x64229580);
	struct eu_message message;
	struct gsc_field field;
	struct gsc_form form;
	size_t count = 0;

	in.split = in.extended_known = true;
	in.extended = 0x03000100;
	eu_message_fields(&in, &message);
	while (eu_message_next(&message, &field, &form)) {
		CU_ASSERT_FATAL(count < ARRAY_SIZE(want));
		CU_ASSERT_STRING_EQUAL(field.name, want[count++]);
		if (!strcmp(field.name, "SURFACE")) {
			CU_ASSERT_EQUAL(field.dword, 1);
			CU_ASSERT_EQUAL(field.value, 3);
		}
	}
	CU_ASSERT_EQUAL(count, ARRAY_SIZE(want));
	bed_end(&bed);
}

/* Any descriptor of any platform has a text, in one line. */
static void all(void)
{
	struct gsc_platform platform;
	uint64_t random = 1;

	for (unsigned i = 0; i < 64; i++) {
		char line[500];
		struct bed bed;

		CU_ASSERT_FATAL(!gsc_db_new(&bed.db, NULL));
		if (!gsc_platform_at(bed.db, i, &platform)) {
			gsc_db_free(bed.db);
			break;
		}
		CU_ASSERT_FATAL(!gsc_view_new(&bed.view, bed.db, i, -1, NULL));
		CU_ASSERT_FATAL(!eu_isa_open(bed.view, &bed.isa, NULL));
		for (unsigned k = 0; k < 16 * 40; k++) {
			struct text text = text_of(line);
			struct eu_instruction in;

			random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
			in = message_of(&bed, k % 16, (uint32_t)(random >> 32));
			in.extended = (uint32_t)(random >> 13);
			in.split = in.extended_known = random >> 60 & 1;
			eu_put_message(&in, &text);
			CU_ASSERT(*line && !strchr(line, '\n') && strlen(line) < 300);
		}
		bed_end(&bed);
	}
}

/* ---- what Mesa's tools say of real programs -------------------------------------------------- */

/* The next message of a program; false: there is none. */
static bool next_message(const struct bed *bed, const uint8_t *bytes, size_t size, size_t *at,
			 struct eu_instruction *in)
{
	while (eu_decode(bed->isa, bytes, size, *at, in)) {
		*at += in->size;
		if (in->opcode && (in->opcode->form == EU_SEND || in->opcode->form == EU_SENDS))
			return true;
	}
	return false;
}

static bool number_after(const char *line, const char *key, uint64_t *number)
{
	const char *found = strstr(line, key);

	if (found)
		*number = strtoull(found + strlen(key), NULL, 10);
	return found;
}

/* How many numbers in the line are those of the fields; the others are printed. */
static unsigned agrees(const struct eu_instruction *in, const char *line)
{
	static const struct { const char *key, *field; } numbers[] = {
		{ " mlen ", "MESSAGE_LENGTH" }, { "src0_len = ", "MESSAGE_LENGTH" },
		{ " rlen ", "RESPONSE_LENGTH" }, { "dst_len = ", "RESPONSE_LENGTH" },
		{ "ex_mlen ", "EXTENDED_LENGTH" }, { "Surface = ", "SURFACE" },
		{ "bti ", "SURFACE" }, { "Sampler = ", "SAMPLER" }, { "offset ", "OFFSET" },
	};
	struct eu_message message;
	struct gsc_field field;
	struct gsc_form form;
	unsigned same = 0;
	uint64_t number;

	eu_message_fields(in, &message);
	while (eu_message_next(&message, &field, &form))
		for (size_t i = 0; i < ARRAY_SIZE(numbers); i++) {
			if (strcmp(field.name, numbers[i].field) ||
			    !number_after(line, numbers[i].key, &number))
				continue;
			CU_ASSERT_EQUAL(field.value, number);
			if (field.value == number)
				same++;
			else
				fprintf(stderr, "\n  %s is %llu: %s", field.name,
					(unsigned long long)field.value, line);
		}
	return same;
}

static unsigned compare_program(const char *folder, const char *name)
{
	static uint8_t bytes[1 << 20];
	struct eu_instruction in;
	char path[600], line[1000], platform[20];
	unsigned same = 0;
	struct bed bed;
	size_t size, at = 0;
	FILE *file;

	snprintf(platform, sizeof(platform), "%.*s", (int)strcspn(name, "-"), name);
	bed = bed_for(!strcmp(platform, "g4x") ? "g45" : platform);
	snprintf(path, sizeof(path), "%s/eu/%s", folder, name);
	file = fopen(path, "rb");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	strcpy(path + strlen(path) - 3, "txt");
	file = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	while (fgets(line, sizeof(line), file))
		if (strstr(line, "MsgDesc:") && next_message(&bed, bytes, size, &at, &in) &&
		    in.descriptor_known && !strstr(line, "indirect"))
			same += agrees(&in, line);
	fclose(file);
	bed_end(&bed);
	return same;
}

static void corpus(void)
{
	const char *folder = getenv("GPUSCOPE_CORPUS");
	unsigned same = 0;
	struct dirent *entry;
	char path[500];
	DIR *programs;

	if (!folder) {
		printf("no corpus given, skipped ");
		return;
	}
	snprintf(path, sizeof(path), "%s/eu", folder);
	programs = opendir(path);
	CU_ASSERT_PTR_NOT_NULL_FATAL(programs);
	while ((entry = readdir(programs)))
		if (strlen(entry->d_name) > 4 &&
		    !strcmp(entry->d_name + strlen(entry->d_name) - 4, ".bin"))
			same += compare_program(folder, entry->d_name);
	closedir(programs);
	CU_ASSERT(same > 10000);
}

SUITE(eu_message,
	{ "lines", lines },
	{ "long ones", long_ones },
	{ "unknown", unknown },
	{ "names", names },
	{ "fields", fields },
	{ "all platforms", all },
	{ "corpus", corpus })
