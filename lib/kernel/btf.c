/* SPDX-License-Identifier: MIT */
/*
 * BTF: the types of a kernel or of one of its modules, which continue those of vmlinux. Origin:
 * Linux, Documentation/bpf/btf.rst, include/uapi/linux/btf.h.
 */
#include "kernel/inside.h"

#define MAGIC 0xeb9f
#define VERSION 1
#define HEADER 24			/* of the oldest form */
#define RECORD 12
#define HASHED 64			/* characters of a name */
#define STEPS 32			/* typedefs and qualifiers of one type */
#define DEPTH 16			/* structs in structs without a name, arrays in arrays */
#define VISITED 4096			/* those and their members, for one name */
#define CHAIN 1024			/* types whose names have the same hash */

/* Bytes after a record, and for each of its `count`. What newer kernels may have is not known. */
static const uint8_t fixed[BTF_KINDS] = {
	[BTF_INT] = 4, [BTF_ARRAY] = 12, [BTF_VAR] = 4, [BTF_DECL_TAG] = 4,
};
static const uint8_t each[BTF_KINDS] = {
	[BTF_STRUCT] = 12, [BTF_UNION] = 12, [BTF_ENUM] = 8, [BTF_FUNC_PROTO] = 8,
	[BTF_DATASEC] = 12, [BTF_ENUM64] = 12,
};

static uint32_t word(const uint8_t *bytes)
{
	return (uint32_t)load_le(bytes, 4);
}

static struct btf_type parse(const uint8_t *record)
{
	uint32_t info = word(record + 4);

	return (struct btf_type){ word(record), info >> 24 & 31, info & 0xffff, word(record + 8),
				  info >> 31, record + RECORD };
}

static bool is_struct(uint32_t kind)
{
	return kind == BTF_STRUCT || kind == BTF_UNION;
}

static uint32_t hash_of(struct slice name)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < MIN(slice_length(name), HASHED); i++)
		hash = (hash ^ (uint8_t)name.at[i]) * 16777619u;
	return hash ^ hash >> 15;
}

/* ---- reading them --------------------------------------------------------------------------- */

/* Where each type begins; false: there is something else. */
static bool index_types(struct btf *b, uint32_t from, uint32_t end)
{
	while (from < end) {
		struct btf_type t;
		uint64_t size;

		if (end - from < RECORD)
			return false;
		t = parse(b->data + from);
		if (t.kind < BTF_INT || t.kind >= BTF_KINDS)
			return false;
		size = RECORD + fixed[t.kind] + (uint64_t)each[t.kind] * t.count;
		if (size > end - from)
			return false;
		b->at[b->count++] = from;
		from += (uint32_t)size;
	}
	return true;
}

/* Chains of types by their name, the first type first. */
static void index_names(struct btf *b)
{
	for (uint32_t i = b->count; i-- > 0;) {
		struct btf_type t = parse(b->data + b->at[i]);
		const char *name = btf_string(b, t.name);
		uint32_t *head = b->heads +
				 (hash_of(slice_of(name, strnlen(name, HASHED))) & b->mask);

		if (!*name || t.kind == BTF_FUNC || t.kind == BTF_FWD || t.kind == BTF_VAR)
			continue;
		b->next[i] = *head;
		*head = i + 1;
	}
}

/* The sections follow a header of any length; the strings end in a NUL. */
static bool read_header(struct btf *b, size_t size, uint32_t *types, uint32_t *types_end)
{
	uint64_t header, strings;

	if (size < HEADER || load_le(b->data, 2) != MAGIC || b->data[2] != VERSION)
		return false;
	header = word(b->data + 4);
	strings = header + word(b->data + 16);
	b->strings_size = word(b->data + 20);
	if (header < HEADER || header + word(b->data + 8) + word(b->data + 12) > size ||
	    !b->strings_size || strings + b->strings_size > size ||
	    b->data[strings + b->strings_size - 1])
		return false;
	*types = (uint32_t)(header + word(b->data + 8));
	*types_end = *types + word(b->data + 12);
	b->strings = (const char *)b->data + strings;
	return true;
}

bool btf_open(struct btf **btf, const struct btf *base, uint8_t *data, size_t size)
{
	struct btf *b = calloc(1, sizeof(*b));
	uint32_t types, end;
	bool starved = false;
	size_t most;

	*btf = NULL;
	if (!b) {
		free(data);
		return false;
	}
	b->data = data;
	b->base = base;
	b->first = base ? base->first + base->count : 1;
	b->strings_first = base ? base->strings_first + base->strings_size : 0;
	if (size <= UINT32_MAX && read_header(b, size, &types, &end)) {
		most = (end - types) / RECORD + 1;
		while (b->mask < most / 4)
			b->mask = b->mask * 2 + 1;
		b->at = calloc(most, sizeof(*b->at));
		b->next = calloc(most, sizeof(*b->next));
		b->heads = calloc((size_t)b->mask + 1, sizeof(*b->heads));
		starved = !b->at || !b->next || !b->heads;
		if (!starved && index_types(b, types, end)) {
			index_names(b);
			*btf = b;
			return true;
		}
	}
	btf_close(b);
	return !starved;
}

void btf_close(struct btf *btf)
{
	if (!btf)
		return;
	free(btf->data);
	free(btf->at);
	free(btf->next);
	free(btf->heads);
	free(btf);
}

/* ---- asking them ---------------------------------------------------------------------------- */

const char *btf_string(const struct btf *btf, uint32_t offset)
{
	while (offset < btf->strings_first)
		btf = btf->base;
	offset -= btf->strings_first;
	return offset < btf->strings_size ? btf->strings + offset : "";
}

static bool btf_at(const struct btf *btf, uint32_t id, struct btf_type *type)
{
	while (btf && id < btf->first)
		btf = btf->base;
	if (!btf || id - btf->first >= btf->count)
		return false;
	*type = parse(btf->data + btf->at[id - btf->first]);
	return true;
}

uint32_t btf_find(const struct btf *btf, struct slice name, bool whole)
{
	uint32_t other = 0, hash = hash_of(name);

	for (; btf; btf = btf->base) {
		uint32_t i = btf->heads[hash & btf->mask];

		for (unsigned seen = 0; i && seen < CHAIN; i = btf->next[i - 1], seen++) {
			struct btf_type t = parse(btf->data + btf->at[i - 1]);

			if (!slice_is(name, btf_string(btf, t.name)))
				continue;
			if (is_struct(t.kind))
				return btf->first + i - 1;
			if (!other && !whole)
				other = btf->first + i - 1;
		}
	}
	return other;
}

uint32_t btf_strip(const struct btf *btf, uint32_t id, struct btf_type *type)
{
	for (unsigned i = 0; i < STEPS && btf_at(btf, id, type); i++) {
		switch (type->kind) {
		case BTF_FWD:
			id = btf_find(btf, slice_string(btf_string(btf, type->name)), true);
			break;
		case BTF_TYPEDEF:
		case BTF_VOLATILE:
		case BTF_CONST:
		case BTF_RESTRICT:
		case BTF_TYPE_TAG:
			id = type->size;
			break;
		default:
			return id;
		}
	}
	*type = (struct btf_type){ .kind = 0 };
	return 0;
}

/* Of a struct, or of those in it that have no name. */
static bool find_member(const struct btf *btf, uint32_t id, struct slice name,
			struct btf_member *member, unsigned depth, unsigned *visited)
{
	struct btf_type type;

	if (!btf_at(btf, id, &type) || !is_struct(type.kind) || depth > DEPTH)
		return false;
	for (uint32_t i = 0; i < type.count && ++*visited < VISITED; i++) {
		const uint8_t *entry = type.rest + (size_t)12 * i;
		const char *own = btf_string(btf, word(entry));
		uint32_t at = word(entry + 8), bits = type.flag ? at >> 24 : 0;

		at = type.flag ? at & 0xffffff : at;
		if (!*own && find_member(btf, word(entry + 4), name, member, depth + 1, visited)) {
			member->offset += at;
			return true;
		}
		if (!*own || !slice_is(name, own))
			continue;
		*member = (struct btf_member){ word(entry + 4), bits, at };
		return true;
	}
	return false;
}

bool btf_member(const struct btf *btf, uint32_t id, struct slice name, struct btf_member *member)
{
	unsigned visited = 0;
	struct btf_type type;

	return find_member(btf, btf_strip(btf, id, &type), name, member, 0, &visited);
}

uint64_t btf_size(const struct btf *btf, uint32_t id)
{
	uint64_t count = 1;
	struct btf_type type;

	for (unsigned depth = 0; depth < DEPTH && btf_strip(btf, id, &type); depth++) {
		if (type.kind == BTF_PTR)
			return 8 * count;
		if (type.kind != BTF_ARRAY)
			return is_struct(type.kind) || type.kind == BTF_INT ||
			       type.kind == BTF_ENUM || type.kind == BTF_ENUM64 ||
			       type.kind == BTF_FLOAT ? type.size * count : 0;
		if (__builtin_mul_overflow(count, (uint64_t)word(type.rest + 8), &count) ||
		    count > UINT32_MAX)
			return 0;
		id = word(type.rest);
	}
	return 0;
}

bool btf_enumerator(const struct btf *btf, const char *name, uint64_t *value)
{
	for (; btf; btf = btf->base)
		for (uint32_t i = 0; i < btf->count; i++) {
			struct btf_type type = parse(btf->data + btf->at[i]);
			bool wide = type.kind == BTF_ENUM64;

			if (!wide && type.kind != BTF_ENUM)
				continue;
			for (uint32_t j = 0; j < type.count; j++) {
				const uint8_t *entry = type.rest + (size_t)(wide ? 12 : 8) * j;

				if (strcmp(btf_string(btf, word(entry)), name) != 0)
					continue;
				*value = load_le(entry + 4, wide ? 8 : 4);
				if (!wide && type.flag)
					*value = (uint64_t)(int64_t)(int32_t)*value;
				return true;
			}
		}
	return false;
}
