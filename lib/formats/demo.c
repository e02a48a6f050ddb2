/* SPDX-License-Identifier: MIT */
/* The built-in captures by name. */
#include "formats/demo.h"

#include "source/part.h"
#include "util/text.h"

bool gsc_demo_at(size_t i, struct gsc_demo *demo)
{
	if (i >= demo_count)
		return false;
	*demo = demo_table[i].demo;
	return true;
}

/* The bytes of a run that are copied, and the zeros after them. */
static const uint8_t *next_run(const uint8_t *at, uint32_t *bytes, uint32_t *zeros)
{
	memcpy(bytes, at, 4);
	memcpy(zeros, at + 4 + *bytes, 4);
	return at + 4;
}

static enum gsc_status unpack(const struct packed_demo *demo, struct blob *blob,
			      struct gsc_error *err)
{
	const uint8_t *const end = demo->packed + demo->size;
	uint32_t bytes, zeros;
	uint8_t *data;
	size_t size = 0;

	for (const uint8_t *at = demo->packed; at < end; at += bytes + 4) {
		at = next_run(at, &bytes, &zeros);
		size += bytes + zeros;
	}
	data = calloc(1, size);
	if (!data)
		return err_memory(err);
	*blob = (struct blob){ .name = demo->demo.name, .data = data, .size = size, .fd = -1,
			       .owned = true };
	for (const uint8_t *at = demo->packed; at < end; at += bytes + 4) {
		at = next_run(at, &bytes, &zeros);
		memcpy(data, at, bytes);
		data += bytes + zeros;
	}
	return GSC_OK;
}

enum gsc_status demo_open(struct blob *blob, const char *name, struct gsc_error *err)
{
	char what[64], names[256];
	struct text list = text_of(names);

	for (size_t i = 0; i < demo_count; i++)
		if (!name_compare(demo_table[i].demo.name, name))
			return unpack(&demo_table[i], blob, err);
	snprintf(what, sizeof(what), "demo:%s", name);
	for (size_t i = 0; i < demo_count; i++)
		text_join(&list, ", ", demo_table[i].demo.name);
	return err_set(err, GSC_UNKNOWN, what, "no such demo (there are: %s)", names);
}
