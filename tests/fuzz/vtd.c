/* SPDX-License-Identifier: MIT */
/* The text of the IOMMU's debug files, and the tables that it tells of. */
#include "fuzz.h"

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
	fuzz_explore(source, data, size);
	return 0;
}
