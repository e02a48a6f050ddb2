/* SPDX-License-Identifier: MIT */
/* The text of the IOMMU's debug files, and the tables that it describes. */
#include "fuzz.h"
#include "gtt/gtt.h"
#include "source/source.h"
#include "util/number.h"

#include <string.h>

/* As for `gpu-ptwalk --pasid --rtaddr`: the text says where the root table is. */
static void check_pasids(struct gsc_source *source, const struct gsc_view *view,
			 const char *text, size_t size)
{
	static const unsigned functions[] = { 0x10, 0x3a7 };
	static const char word[] = "Root Table Address: ";
	const char *at = memmem(text, size, word, sizeof(word) - 1);
	char number[20] = "";
	uint64_t root;

	if (!at)
		return;
	at += sizeof(word) - 1;
	for (size_t i = 0; i < sizeof(number) - 1 && at + i < text + size &&
			   !strchr(" \n\t", at[i]); i++)
		number[i] = at[i];
	if (!gsc_parse_number(number, &root))
		return;
	for (unsigned type = 0; type < 4; type++)
		for (unsigned i = 0; i < 4; i++)
			fuzz_pasid(source, view, (root & ~UINT64_C(0xfff)) | type << 10,
				   functions[i & 1], i * 3);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned functions[] = { 0x10, 0x50, 0x1f8 };
	struct gsc_source *source = fuzz_open_bytes("", data, size, "skl");
	struct gsc_translation_options options = { .root.mode = GSC_MODE_VTD };
	const struct gsc_view *view;
	struct gsc_error err = { 0 };

	if (!source)
		return 0;
	view = fuzz_view((unsigned)gsc_source_platform(source));
	for (size_t i = 0; i < sizeof(functions) / sizeof(*functions); i++)
		if (!gsc_root_function(source, functions[i], &options.root, &err))
			fuzz_tables(source, view, &options);
	check_pasids(source, view, (const char *)data, size);
	fuzz_explore(source, data, size);
	return 0;
}
