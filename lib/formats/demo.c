/* SPDX-License-Identifier: MIT */
/* The built-in captures by name. */
#include "formats/demo.h"

#include "source/source.h"
#include "util/text.h"

#include <stdio.h>

bool gsc_demo_at(size_t i, struct gsc_demo *demo)
{
	if (i >= demo_count)
		return false;
	*demo = demo_table[i];
	return true;
}

enum gsc_status demo_open(struct blob *blob, const char *name, struct gsc_error *err)
{
	char what[64], names[256];
	struct text list = text_of(names);

	for (size_t i = 0; i < demo_count; i++)
		if (!name_compare(demo_table[i].name, name))
			return blob_from_memory(blob, demo_table[i].name, demo_table[i].data,
						demo_table[i].size, NULL, err);
	snprintf(what, sizeof(what), "demo:%s", name);
	for (size_t i = 0; i < demo_count; i++)
		text_join(&list, ", ", demo_table[i].name);
	return err_set(err, GSC_UNKNOWN, what, "no such demo (there are: %s)", names);
}
