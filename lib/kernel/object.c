/* SPDX-License-Identifier: MIT */
/* Objects in the kernel's memory: members by paths, and their values. */
#include "kernel/inside.h"

#define NO_POINTER 4096			/* NULL, pages that are never mapped; errors, at the end */
#define TEXT_MAX 4096

/* What is done with pointers on the way. */
enum way { WAY_READ, WAY_TYPES, WAY_OFFSET };

static bool is_pointer(uint64_t value)
{
	return value >= NO_POINTER && value < -(uint64_t)NO_POINTER;
}

struct kobj kernel_object(struct kernel *k, const char *module, const char *type, uint64_t address)
{
	const struct btf *types = kernel_types(k, module);
	uint32_t id = types ? btf_find(types, slice_string(type), false) : 0;

	if (types && !id)
		kernel_misses(k, "%s", type);
	return (struct kobj){ k, types, id ? address : 0, id, 0, 0 };
}

/* What a pointer points to; of a value that is none, address 0. */
static void follow(struct kobj *o, enum way way, uint32_t type)
{
	uint64_t value = 0;

	if (way == WAY_READ && o->address &&
	    (!read_number(o->kernel, o->address, 8, &value) || !is_pointer(value)))
		value = 0;
	o->address = value;
	o->type = type;
}

/* Of what a pointer points to there may be any number, and of a flexible array, which says 0. */
static void take_element(struct kobj *o, const struct btf_type *type, uint64_t index)
{
	uint64_t count = 0, size;

	if (type->kind == BTF_ARRAY) {
		count = load_le(type->rest + 8, 4);
		o->type = (uint32_t)load_le(type->rest, 4);
	}
	size = btf_size(o->types, o->type);
	if (!o->address || !size || (count && index >= count) || index > UINT32_MAX)
		o->address = 0;
	else
		o->address += index * size;
}

/* False: o is then what has no such thing, which *last names. */
static bool go(struct kobj *o, const char *path, enum way way, struct slice *last)
{
	struct slice rest = slice_string(path);
	struct btf_member member;
	struct btf_type type;
	uint64_t index;

	while (rest.at < rest.end) {
		bool element;

		if (!take_text(&rest, "->"))
			take_text(&rest, ".");
		element = take_text(&rest, "[");
		*last = element ? rest : take_while(&rest, is_word);
		btf_strip(o->types, o->type, &type);
		if (type.kind == BTF_PTR) {
			if (way == WAY_OFFSET)
				return false;
			follow(o, way, type.size);
		}
		if (element) {
			if (!take_decimal(&rest, &index) || !take_text(&rest, "]") ||
			    (type.kind != BTF_PTR && type.kind != BTF_ARRAY))
				return false;
			take_element(o, &type, index);
			continue;
		}
		if (last->at == last->end && type.kind == BTF_PTR)
			continue;
		if (last->at == last->end || !btf_member(o->types, o->type, *last, &member))
			return false;
		o->type = member.type;
		o->bits = (uint8_t)member.bits;
		o->bit = member.bits ? (uint8_t)(member.offset % 8) : 0;
		o->address += o->address ? member.offset / 8 : 0;
	}
	return true;
}

static bool find(struct kobj *o, const char *path, enum way way)
{
	struct slice last = { NULL, NULL };
	struct btf_type type;

	if (!*path || !o->types || !o->type)
		return !*path && o->types;
	if (go(o, path, way, &last))
		return true;
	btf_strip(o->types, o->type, &type);
	if (way != WAY_TYPES)
		kernel_misses(o->kernel, "%s.%.*s",
			      type.kind ? btf_string(o->types, type.name) : "", SLICE(last));
	*o = (struct kobj){ .kernel = o->kernel, .types = o->types };
	return false;
}

struct kobj kobj_at(struct kobj object, const char *path)
{
	find(&object, path, WAY_READ);
	return object;
}

bool kobj_has(struct kobj object, const char *path)
{
	return find(&object, path, WAY_TYPES);
}

bool kobj_offset(struct kobj object, const char *path, uint64_t *offset)
{
	/* Far from both ends: no offset of a type leads out of it. */
	uint64_t from = UINT64_C(1) << 62;

	object.address = from;
	if (!find(&object, path, WAY_OFFSET) || !object.address)
		return false;
	*offset = object.address - from;
	return true;
}

struct kobj kobj_container(struct kobj member, const char *module, const char *type,
			   const char *path)
{
	struct kobj object = kernel_object(member.kernel, module, type, member.address);
	uint64_t offset;

	if (!object.address || !kobj_offset(object, path, &offset))
		object.address = 0;
	else
		object.address -= offset;
	return object;
}

unsigned kobj_count(struct kobj array)
{
	struct btf_type type;

	return array.types && btf_strip(array.types, array.type, &type) &&
	       type.kind == BTF_ARRAY ? (unsigned)load_le(type.rest + 8, 4) : 0;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Through structs that have nothing but one number, to that; false: it is not a number. */
static bool find_number(struct kobj *o, unsigned *size, bool *is_signed)
{
	struct btf_type type;
	uint64_t bytes;

	for (unsigned i = 0; i < 8 && btf_strip(o->types, o->type, &type); i++) {
		if (type.kind != BTF_STRUCT || type.count != 1 || load_le(type.rest + 8, 4))
			break;
		o->type = (uint32_t)load_le(type.rest + 4, 4);
	}
	bytes = btf_size(o->types, o->type);
	if (!bytes || bytes > 8 || type.kind == BTF_ARRAY || type.kind == BTF_FLOAT)
		return false;
	*size = (unsigned)bytes;
	*is_signed = type.kind == BTF_INT ? load_le(type.rest, 4) >> 24 & 1 :
		     type.kind == BTF_ENUM && type.flag;
	return true;
}

bool kobj_number(struct kobj object, const char *path, uint64_t *value)
{
	unsigned size, bits;
	bool is_signed;
	uint64_t read;

	object = kobj_at(object, path);
	if (!object.address || !find_number(&object, &size, &is_signed))
		return false;
	bits = object.bits ? object.bits : size * 8;
	if (object.bits)
		size = (object.bit + object.bits + 7u) / 8;
	if (size > 8 || !read_number(object.kernel, object.address, size, &read))
		return false;
	read = read >> object.bit & bits_below(bits);
	if (is_signed && bits < 64 && read >> (bits - 1) & 1)
		read |= ~bits_below(bits);
	*value = read;
	return true;
}

/* Page by page: what follows the string may not be mapped. */
static bool read_text(struct kernel *k, uint64_t address, size_t most, char *buf, size_t size)
{
	size_t length = 0, here;

	most = MIN(most, size - 1);
	for (; length < most && strnlen(buf, length) == length; length += here) {
		here = MIN(most - length, 256 - (size_t)((address + length) % 256));
		if (!kernel_read(k, address + length, buf + length, here))
			break;
	}
	buf[length] = 0;
	for (char *at = buf; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 127)
			*at = '?';
	return length || !most;
}

bool kobj_text(struct kobj object, const char *path, char *buf, size_t size)
{
	struct btf_type type;
	uint64_t address;

	*buf = 0;
	object = kobj_at(object, path);
	if (!object.address || !btf_strip(object.types, object.type, &type))
		return false;
	if (type.kind == BTF_ARRAY) {
		uint64_t length = load_le(type.rest + 8, 4);

		return read_text(object.kernel, object.address,
				 (size_t)(length ? length : TEXT_MAX), buf, size);
	}
	return type.kind == BTF_PTR && read_number(object.kernel, object.address, 8, &address) &&
	       is_pointer(address) && read_text(object.kernel, address, TEXT_MAX, buf, size);
}

bool kernel_enumerator(struct kernel *k, const char *module, const char *name, uint64_t *value)
{
	struct kernel_enumerator kept = { .types = kernel_types(k, module) };

	for (size_t i = 0; i < k->enumerators.count; i++)
		if (k->enumerators.items[i].types == kept.types &&
		    !strcmp(k->enumerators.items[i].name, name)) {
			*value = k->enumerators.items[i].value;
			return true;
		}
	if (!kept.types || !btf_enumerator(kept.types, name, &kept.value)) {
		if (kept.types)
			kernel_misses(k, "%s", name);
		return false;
	}
	*value = kept.value;
	/* What cannot be kept is looked for again. */
	snprintf(kept.name, sizeof(kept.name), "%s", name);
	(void)vec_push(&k->enumerators, kept);
	return true;
}
