/* SPDX-License-Identifier: MIT */
/*
 * dump-make state|core BATCH FILE: what a driver would have written about a hang in that batch.
 * state: i915's error state of Tiger Lake, with batch and ring compressed page by page as the
 * driver does. core: a device core dump of Lunar Lake of 74 MB, mostly memory of the process.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define PAGE 4096
#define CORE_BYTES (74u * 1000 * 1000)

static FILE *out;
static size_t written;

static void die(const char *what)
{
	fprintf(stderr, "dump-make: %s\n", what);
	exit(1);
}

static void put_base85(const uint8_t *data, size_t size)
{
	char *text = malloc(size / 4 * 5 + 5), *at = text;

	if (!text)
		die("out of memory");
	for (size_t i = 0; i + 4 <= size; i += 4) {
		uint32_t dword;

		memcpy(&dword, data + i, 4);
		if (!dword) {
			*at++ = 'z';
			continue;
		}
		for (int digit = 4; digit >= 0; digit--, dword /= 85)
			at[digit] = (char)('!' + dword % 85);
		at += 5;
	}
	if (fwrite(text, 1, (size_t)(at - text), out) != (size_t)(at - text))
		die("cannot write");
	written += (size_t)(at - text);
	free(text);
}

static void put_packed(const uint8_t *data, size_t size)
{
	size_t room = size + size / 10 + 1024;
	uint8_t *packed = calloc(1, room);
	z_stream z = { .next_out = packed, .avail_out = (unsigned)room };

	if (!packed || deflateInit(&z, Z_DEFAULT_COMPRESSION) != Z_OK)
		die("out of memory");
	for (size_t i = 0; i < size; i += PAGE) {
		z.next_in = (uint8_t *)(uintptr_t)data + i;
		z.avail_in = PAGE;
		if (deflate(&z, Z_SYNC_FLUSH) != Z_OK)
			die("cannot pack");
	}
	if (deflate(&z, Z_FINISH) != Z_STREAM_END)
		die("cannot pack");
	fputc(':', out);
	put_base85(packed, (z.total_out + 3) / 4 * 4);
	fputc('\n', out);
	deflateEnd(&z);
	free(packed);
}

static void put_state(const uint8_t *batch, size_t size)
{
	uint8_t *ring = calloc(4, PAGE);

	if (!ring)
		die("out of memory");
	fprintf(out, "GPU HANG: ecode 12:1:85dffffb, in app [42]\nKernel: 6.12.0 x86_64\n"
		"Time: 1700000000 s 1 us\nReset count: 0\nPlatform: TIGERLAKE\nPCI ID: 0x9a49\n"
		"PCI Revision: 0x01\nEIR: 0x00000000\nPGTBL_ER: 0x00000000\n"
		"FAULT_TLB_DATA: 0x00000000 0x00000000\nrcs0 command stream:\n"
		"  START: 0x00001000\n  HEAD:  0x00000040 [0x00000000]\n"
		"  TAIL:  0x00000100 [0x00000000, 0x00000000]\n  CTL:   0x00003001\n"
		"  ACTHD: 0x00000001 00001000\n  IPEHR: 0x7a000003\n  hung: 1\n"
		"rcs0 --- batch = 0x00000001 00000000\n");
	put_packed(batch, size);
	fprintf(out, "rcs0 --- ring = 0x00000000 00001000\n");
	put_packed(ring, 4 * PAGE);
	free(ring);
}

/* Some of the memory is zero, the rest is noise. */
static void put_memory(uint64_t address, size_t size)
{
	static uint32_t seed = 1;
	uint32_t *data = calloc(1, size);

	if (!data)
		die("out of memory");
	for (size_t i = 0; address >> 20 & 3 && i < size / 4; i++)
		data[i] = seed = seed * 1664525 + 1013904223;
	fprintf(out, "[%llx].length: 0x%zx\n[%llx].data: ", (unsigned long long)address, size,
		(unsigned long long)address);
	put_base85((const uint8_t *)data, size);
	fputc('\n', out);
	free(data);
}

static void put_core(const uint8_t *batch, size_t size)
{
	static const size_t sizes[] = { 4096, 65536, 1 << 20 };
	uint64_t address = 0x200000000;

	size = size < 65536 ? size : 65536;
	fprintf(out, "**** Xe Device Coredump ****\nkernel: 6.14.0\nmodule: xe\n"
		"Snapshot time: 1700000000.123456789\nProcess: app [42]\nPCI ID: 0x64a0\n"
		"PCI revision: 0x04\n\n**** Job ****\n\tbatch_addr[0]: 0x0000000100000000\n\n"
		"**** HW Engines ****\nrcs0 (physical), logical instance=0\n"
		"\tRING_HEAD: 0x00000100\n\tRING_TAIL: 0x00000200\n\tACTHD: 0x0000000100000050\n\n"
		"**** VM state ****\n[100000000].length: 0x%zx\n[100000000].data: ", size);
	put_base85(batch, size);
	fputc('\n', out);
	for (unsigned i = 0; written < CORE_BYTES; i++, address += 0x300000)
		put_memory(address, sizes[i % 3]);
}

int main(int argc, char **argv)
{
	FILE *in = argc == 4 ? fopen(argv[2], "rb") : NULL;
	uint8_t *batch;
	long size;

	if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < PAGE || fseek(in, 0, SEEK_SET))
		die("state|core BATCH FILE");
	batch = malloc((size_t)size);
	out = fopen(argv[3], "wb");
	if (!batch || !out || fread(batch, 1, (size_t)size, in) != (size_t)size)
		die("cannot read or write");
	if (!strcmp(argv[1], "state"))
		put_state(batch, (size_t)size & ~(size_t)(PAGE - 1));
	else
		put_core(batch, (size_t)size);
	fclose(in);
	free(batch);
	return fclose(out) != 0;
}
