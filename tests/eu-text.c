/* SPDX-License-Identifier: MIT */
/* eu-text PLATFORM FILE: the instructions of a file of bytes. */
#include "eu/labels.h"

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	static uint8_t bytes[16 << 20];
	struct eu_labels labels = { 0 };
	struct gsc_error err = { 0 };
	struct eu_instruction in;
	struct gsc_platform platform;
	struct gsc_view *view;
	struct eu_isa *isa;
	struct gsc_db *db;
	size_t size, at = 0;
	int device;
	char line[512];
	FILE *f;

	if (argc != 3 || !(f = fopen(argv[2], "rb")))
		return 2;
	size = fread(bytes, 1, sizeof(bytes), f);
	fclose(f);
	if (gsc_db_new(&db, &err) ||
	    gsc_platform_find(db, argv[1], &platform, &device, &err) ||
	    gsc_view_new(&view, db, platform.index, -1, &err) || eu_isa_open(view, &isa, &err) ||
	    !labels_find(&labels, isa, bytes, size)) {
		fprintf(stderr, "%s: %s\n", err.what, err.why);
		return 1;
	}
	for (; eu_decode(isa, bytes, size, at, &in); at += in.size) {
		struct text text = text_of(line);
		int label = label_at(&labels, (int64_t)at);

		if (label >= 0)
			printf("\nLABEL%d:\n", label);
		eu_print(isa, &in, &labels, &text);
		puts(line);
	}
	labels_free(&labels);
	eu_isa_free(isa);
	gsc_view_free(view);
	gsc_db_free(db);
	return 0;
}
