/* SPDX-License-Identifier: MIT */
/* Kernel logs of the corpus. */
#include "log-helpers.h"
#include "regs-helpers.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>

static struct heard read_corpus(const char *name)
{
	struct heard heard = { .count = 0 };
	const char *folder = getenv("GPUSCOPE_CORPUS");
	char path[500], text[4096];
	FILE *file;

	if (!folder) {
		printf("no corpus given, skipped ");
		return heard;
	}
	snprintf(path, sizeof(path), "%s/fault-log/%s", folder, name);
	file = fopen(path, "r");
	CU_ASSERT_PTR_NOT_NULL_FATAL(file);
	heard = read_bytes(NULL, text, fread(text, 1, sizeof(text), file));
	fclose(file);
	return heard;
}

static void corpus_dma(void)
{
	static const struct {
		uint64_t address;
		unsigned reason;
	} faults[] = {
		{ 0x8900a000, 5 }, { 0xfa700000, 6 }, { 0xfa70e000, 6 }, { 0x70ad5000, 7 },
		{ 0x7c592000, 6 },
	};
	struct heard heard = read_corpus("dmar-igd-faults.txt");

	if (!getenv("GPUSCOPE_CORPUS"))
		return;
	CU_ASSERT_EQUAL_FATAL(heard.count, 5);
	for (size_t i = 0; i < 5; i++) {
		const struct gsc_event *event = &heard.events[i];

		CU_ASSERT_EQUAL(event->kind, GSC_EVENT_DMA_FAULT);
		CU_ASSERT_STRING_EQUAL(event->device, "0000:00:02.0");
		CU_ASSERT_STRING_EQUAL(event->fault.access, "read");
		CU_ASSERT_EQUAL(event->fault.address, faults[i].address);
		CU_ASSERT_EQUAL(event->reason, faults[i].reason);
		CU_ASSERT_EQUAL(event->repeats, 0);
		CU_ASSERT_FALSE(event->has_pasid);
	}
}

static void corpus_page_table(void)
{
	static const uint64_t pages[] = { 0x10, 0x100, 0x100 };
	struct heard heard = read_corpus("gen3-page-table-errors.txt");

	if (!getenv("GPUSCOPE_CORPUS"))
		return;
	CU_ASSERT_EQUAL_FATAL(heard.count, 3);
	for (size_t i = 0; i < 3; i++) {
		CU_ASSERT_EQUAL(value_of(&heard.events[i], "EIR"), 0x10);
		CU_ASSERT_EQUAL(value_of(&heard.events[i], "PGTBL_ER"), pages[i]);
		CU_ASSERT(says(&heard.events[i], "page table error"));
		CU_ASSERT_EQUAL(heard.events[i].lines, 4);
	}
}

SUITE(log_corpus,
      { "DMA faults", corpus_dma }, { "page table errors", corpus_page_table })
