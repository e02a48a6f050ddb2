/* SPDX-License-Identifier: MIT */
/*
 * A core dump of xe with the messages and the log of a GuC: how it is made, then stretches of
 * dwords for both. The registers that the GuC captured replace those in the text.
 */
#include "fuzz.h"

#include <string.h>

#define CT_DWORDS (3072 + 4096)
#define LOG_DWORDS (1024 + 1024)

static char dump[128 << 10];

/* As the kernel prints memory: base 85, z for zero. */
static size_t put_blob(size_t at, const char *name, const uint32_t *words, size_t count)
{
	at += (size_t)sprintf(dump + at, "[%s].length: 0x%zx\n[%s].data: ", name, count * 4, name);
	for (size_t i = 0; i < count; i++) {
		uint32_t word = words[i];

		if (!word) {
			dump[at++] = 'z';
			continue;
		}
		for (int digit = 4; digit >= 0; digit--, word /= 85)
			dump[at + (size_t)digit] = (char)('!' + word % 85);
		at += 5;
	}
	dump[at++] = '\n';
	return at;
}

/* Records: which of both, the first dword, how many, and these. */
static void fill(struct fuzz_input *in, uint32_t *ct, uint32_t *log)
{
	while (in->size) {
		bool messages = fuzz_take(in, 1) & 1;
		size_t count = messages ? CT_DWORDS : LOG_DWORDS;
		size_t place = fuzz_take(in, 2), length = fuzz_take(in, 1);

		for (size_t i = 0; i < length && in->size; i++)
			(messages ? ct : log)[(place + i) % count] = (uint32_t)fuzz_take(in, 4);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned ids[] = { 0x64a0, 0x9a49, 0x46a6, 0xb080 };
	static const char *const prefixes[] = { "", "guc-capture:" };
	static const char *const engines[] = {
		"",
		"rcs0 (physical), logical instance=0\n\tCapture_source: Manual\n\tRING_HEAD: 0x0\n",
		"rcs0 (physical), logical instance=0\n\tCapture_source: GuC\n\tRING_HEAD: 0x4\n",
		"vcs0 (physical), logical instance=0\nvcs2 (physical), logical instance=1\n",
	};
	static uint32_t ct[CT_DWORDS], log[LOG_DWORDS];
	struct fuzz_input in = { data, size };
	unsigned how = (unsigned)fuzz_take(&in, 1);
	size_t at;

	memset(ct, 0, sizeof(ct));
	memset(log, 0, sizeof(log));
	fill(&in, ct, log);
	at = (size_t)sprintf(dump, "**** Xe Device Coredump ****\nPCI ID: 0x%x\n"
			     "**** GT #0 ****\n**** GuC Log ****\n", ids[how & 3]);
	at = put_blob(at, "LOG", log, LOG_DWORDS);
	if (how & 4) {
		at += (size_t)sprintf(dump + at, "**** GuC CT ****\n");
		at = put_blob(at, "CTB", ct, CT_DWORDS);
	}
	at += (size_t)sprintf(dump + at, "**** Contexts ****\nGuC ID: 2\n\tName: rcs2\n\tClass: 0\n"
			      "\tHW Context Desc: 0x00e65000\n**** HW Engines ****\n%s"
			      "**** VM state ****\n", engines[how >> 4 & 3]);
	fuzz_explore(fuzz_open_bytes(prefixes[how >> 3 & 1], dump, at, NULL), data, size);
	return 0;
}
