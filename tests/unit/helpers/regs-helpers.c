/* SPDX-License-Identifier: MIT */
#include "regs-helpers.h"

#include "dbc/files.h"
#include "open/open.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char definitions[] =
	"format 1\n"
	"document t \"Test document\"\n"
	"group testing \"Testing\" on=skl\n"
	"	origin t \"chapter 1\"\n"
	"	reg T_PLAIN @0x700000 rw reset=0x1\n"
	"		alias T_OTHER\n"
	"		doc \"A plain one.\"\n"
	"		field HIGH 31:16\n"
	"		mbz 15:4\n"
	"		field MODE 3:1\n"
	"			0 off\n"
	"			1 on\n"
	"		field ENABLE 0 bool\n"
	"	reg T_COUNTER @0x700010 ro volatile\n"
	"	reg T_CLEARS @0x700020 rc\n"
	"	reg T_HANGS @0x700024 ro\n"
	"		hazard hang \"it hangs\"\n"
	"	reg T_CHOICE @0x700030 rw\n"
	"		field KIND 0\n"
	"		field ONE 7:4 when=KIND=1\n"
	"		field TWO 11:4 when=KIND=0\n"
	"	range @0x700040-0x70004f hang \"nobody there\"\n"
	"	reg T_ARRAY[4] @0x700100 64 rw stride=8\n"
	"		field UP 63:32\n"
	"		field LOW 31:0\n";

void bench_open(struct bench *b, const uint32_t *words)
{
	struct gsc_source_options options = { .platform = "skl" };
	uint8_t image[IMAGE_SIZE] = { 0 };
	struct gsc_platform platform;
	const char *specs[1];
	char spec[80];
	int device;

	for (; words && words[0]; words += 2)
		memcpy(image + (words[0] - IMAGE_START), &words[1], 4);
	b->definitions = temporary_file(definitions, sizeof(definitions) - 1);
	b->image = temporary_file(image, sizeof(image));
	snprintf(spec, sizeof(spec), "bar:%s@0x%x", b->image, IMAGE_START);
	specs[0] = spec;
	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&b->db, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_db_add_file(b->db, b->definitions, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_platform_find(b->db, "skl", &platform, &device, NULL), GSC_OK);
	CU_ASSERT_EQUAL_FATAL(gsc_view_new(&b->view, b->db, platform.index, -1, NULL), GSC_OK);
	options.db = b->db;
	CU_ASSERT_EQUAL_FATAL(gsc_source_open(&b->source, specs, 1, &options, NULL), GSC_OK);
}

void bench_close(struct bench *b)
{
	gsc_source_close(b->source);
	gsc_view_free(b->view);
	gsc_db_free(b->db);
	unlink(b->definitions);
	unlink(b->image);
	free(b->definitions);
	free(b->image);
}

struct gsc_selection *bench_select(const struct bench *b, const char *selectors)
{
	struct gsc_selection *selection = NULL;
	char *copy = strdup(selectors), *save = NULL;
	const char *words[32];
	size_t count = 0;

	for (char *word = strtok_r(copy, " ", &save); word && count < 32;
	     word = strtok_r(NULL, " ", &save))
		words[count++] = word;
	CU_ASSERT_EQUAL_FATAL(gsc_select(&selection, gpu_for(NULL, b->view), 0, words, count, NULL), GSC_OK);
	free(copy);
	return selection;
}

struct gsc_rows *bench_read(const struct bench *b, const struct gsc_selection *selection,
			    bool unsafe)
{
	struct gsc_rows_options options = { .unsafe = unsafe };
	struct gsc_rows *rows = NULL;

	CU_ASSERT_EQUAL_FATAL(gsc_rows_read(&rows, selection, gpu_for(b->source, b->view), &options,
					    NULL), GSC_OK);
	return rows;
}
