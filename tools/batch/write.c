/* SPDX-License-Identifier: MIT */
/* Registers that commands load and store, as text and as JSON. */
#include "batch.h"

#include <stdio.h>

bool register_at(const struct gsc_view *view, uint32_t offset, struct gsc_reg *reg)
{
	size_t i = gsc_view_seek(view, GSC_MMIO, offset);

	if (i == gsc_view_count(view))
		return false;
	gsc_view_reg(view, i, reg);
	return reg->space == GSC_MMIO && reg->offset == offset;
}

void write_text(const struct gsc_register_write *w, char *buf, size_t size)
{
	const char *space = w->global ? "ggtt" : "ppgtt";
	unsigned long long from = w->from;

	switch (w->kind) {
	case GSC_WRITE_VALUE:
		snprintf(buf, size, "= 0x%08x", w->value);
		break;
	case GSC_WRITE_MEMORY:
		snprintf(buf, size, "= memory %s:0x%llx", space, from);
		break;
	case GSC_WRITE_REGISTER:
		snprintf(buf, size, "= register 0x%llx", from);
		break;
	case GSC_WRITE_RESULT:
		snprintf(buf, size, "= result");
		break;
	case GSC_READ:
		snprintf(buf, size, "read");
		break;
	case GSC_READ_TO_REGISTER:
		snprintf(buf, size, "stored to register 0x%llx", from);
		break;
	default:
		snprintf(buf, size, "stored to %s:0x%llx", space, from);
	}
}

void write_json(struct gsc_json *json, const struct gsc_reg *reg,
		const struct gsc_register_write *w)
{
	static const char *const kinds[] = {
		[GSC_WRITE_VALUE] = "value",
		[GSC_WRITE_MEMORY] = "memory",
		[GSC_WRITE_REGISTER] = "register",
		[GSC_READ_TO_MEMORY] = "store",
		[GSC_READ_TO_REGISTER] = "copy",
		[GSC_WRITE_RESULT] = "result",
		[GSC_READ] = "read",
	};

	gsc_json_string(json, "name", reg ? reg->name : NULL);
	gsc_json_string(json, "engine", reg ? reg->engine : NULL);
	gsc_json_hex(json, "offset", w->offset);
	gsc_json_string(json, "kind", kinds[w->kind]);
	if (w->kind == GSC_WRITE_VALUE)
		gsc_json_hex(json, "value", w->value);
	else
		gsc_json_null(json, "value");
	if (w->kind == GSC_WRITE_VALUE || w->kind == GSC_WRITE_RESULT || w->kind == GSC_READ)
		gsc_json_null(json, "from");
	else
		gsc_json_hex(json, "from", w->from);
}
