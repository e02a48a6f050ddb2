/* SPDX-License-Identifier: MIT */
/* The built-in captures by name. */
#include "formats/demo.h"

#include "source/source.h"

#include <stdio.h>

bool gsc_demo_at(size_t i, struct gsc_demo *demo)
{
	if (i >= demo_count)
		return false;
	*demo = demo_table[i];
	return true;
}

static void list_names(char *out, size_t room)
{
	size_t used = 0;

	out[0] = 0;
	for (size_t i = 0; i < demo_count && used < room; i++)
		used += (size_t)snprintf(out + used, room - used, "%s%s", i ? ", " : "",
					 demo_table[i].name);
}

enum gsc_status demo_open(struct blob *blob, const char *name, struct gsc_error *err)
{
	char what[64], names[256];

	for (size_t i = 0; i < demo_count; i++)
		if (!name_compare(demo_table[i].name, name))
			return blob_from_memory(blob, demo_table[i].name, demo_table[i].data,
						demo_table[i].size, NULL, err);
	snprintf(what, sizeof(what), "demo:%s", name);
	list_names(names, sizeof(names));
	return err_set(err, GSC_UNKNOWN, what, "no such demo (there are: %s)", names);
}
