/* SPDX-License-Identifier: MIT */
/* Registers that commands load and store, as text and as JSON. */
#include "gpu-batch.h"

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

static const char *kind_word(unsigned kind)
{
	static const char *const words[] = {
		[GSC_WRITE_VALUE] = "value",
		[GSC_WRITE_MEMORY] = "memory",
		[GSC_WRITE_REGISTER] = "register",
		[GSC_READ_TO_MEMORY] = "store",
		[GSC_READ_TO_REGISTER] = "copy",
		[GSC_WRITE_RESULT] = "result",
		[GSC_READ] = "read",
	};

	return words[kind];
}

KEYS(registerWrite, "A register that is loaded with a value, from memory, from another register "
     "(register) or with the result of MI_MATH, or that is stored to memory (store) or to another "
     "register (copy), or read. from: that memory's address, or the offset of that register. name: "
     "null if it is not known.",
     RULE("'if': {'properties': {'kind': {'const': 'value'}}},"
	  "'then': {'properties': {'value': {'type': 'string'}, 'from': {'type': 'null'}}},"
	  "'else': {'properties': {'value': {'type': 'null'}},"
	  " 'if': {'properties': {'kind': {'enum': ['result', 'read']}}},"
	  " 'then': {'properties': {'from': {'type': 'null'}}},"
	  " 'else': {'properties': {'from': {'type': 'string'}}}}"))
void write_json(struct gsc_json *json, const struct gsc_reg *reg,
		const struct gsc_register_write *w)
{
	bool value = w->kind == GSC_WRITE_VALUE;

	KEY(text_or_null, "name", reg ? reg->name : NULL);
	KEY(text_or_null, "engine", reg ? reg->engine : NULL);
	KEY(hex, "offset", w->offset);
	KEY(text, "kind", kind_word(w->kind), ONE_OF(kind_word));
	KEY_OR_NULL(value, hex, "value", w->value);
	KEY_OR_NULL(!value && w->kind != GSC_WRITE_RESULT && w->kind != GSC_READ, hex, "from",
		    w->from);
}
