/* SPDX-License-Identifier: MIT */
/* The inside of kernel/: a kernel, its types, and how members are found in them. */
#ifndef GSC_KERNEL_INSIDE_H
#define GSC_KERNEL_INSIDE_H

#include "kernel/kernel.h"
#include "source/part.h"
#include "source/record.h"

#define WALKED 256			/* pages whose address is kept */
#define SYMBOLS 16			/* names that are looked up together, at most */

/* Types, of vmlinux or, after those, of a module. */
struct btf {
	const struct btf *base;
	uint8_t *data;			/* type records, then strings */
	const char *strings;
	uint32_t strings_size, strings_first;	/* how many bytes its base has */
	uint32_t first, count;		/* numbers of its types */
	uint32_t *at;			/* of each: where in the data it begins */
	uint32_t *next, *heads;		/* chains of those with a name, by its hash */
	uint32_t mask;
};

struct btf_type {
	uint32_t name, kind, count, size;	/* size: or the type that it refers to */
	bool flag;
	const uint8_t *rest;		/* members, enumerators */
};

struct btf_member {
	uint32_t type, bits;		/* bits: of a bit field, else 0 */
	uint64_t offset;		/* bits */
};

enum {
	BTF_INT = 1, BTF_PTR, BTF_ARRAY, BTF_STRUCT, BTF_UNION, BTF_ENUM, BTF_FWD, BTF_TYPEDEF,
	BTF_VOLATILE, BTF_CONST, BTF_RESTRICT, BTF_FUNC, BTF_FUNC_PROTO, BTF_VAR, BTF_DATASEC,
	BTF_FLOAT, BTF_DECL_TAG, BTF_TYPE_TAG, BTF_ENUM64, BTF_KINDS
};

struct kernel_module {
	char name[64];
	struct btf *types;		/* NULL: there are none */
};

struct kernel_enumerator {
	char name[64];
	const struct btf *types;
	uint64_t value;
};

struct kernel {
	const struct piece *pieces;	/* of physical memory */
	size_t count, last;		/* last: the piece that was read last */
	piece_vec joined;		/* of several parts */
	struct record record;		/* of what was read, but for the log */
	uint64_t held;			/* bytes of memory in the dump */
	const char *info;
	char *found;			/* the same, if it was found by looking for it */
	uint64_t root, base, image, encryption;
	unsigned levels;
	struct {
		uint64_t address, physical;
	} walked[WALKED];		/* of pages; address 0: none */
	uint64_t unread;		/* an address whose memory is missing */
	bool filtered, starved;
	bool symbols_done, types_done;
	uint64_t symbols[SYMBOLS];
	struct btf *types;
	VEC(struct kernel_module) modules;	/* those that were asked for */
	VEC(struct kernel_enumerator) enumerators;	/* those, too */
	VEC(char *) missing;
	char lacks[192], stopped[160];
};

/* kernel.c: "NAME=VALUE" of a VMCOREINFO. */
bool info_number(const char *info, const char *name, uint64_t *value);
bool read_number(struct kernel *kernel, uint64_t address, unsigned size, uint64_t *value);

/* btf.c: takes over the data; *btf becomes NULL if they are damaged. False: memory is out. */
bool btf_open(struct btf **btf, const struct btf *base, uint8_t *data, size_t size);
void btf_close(struct btf *btf);
const char *btf_string(const struct btf *btf, uint32_t offset);
/* What a typedef, a qualifier or a forward declaration stands for; 0: nothing. */
uint32_t btf_strip(const struct btf *btf, uint32_t id, struct btf_type *type);
/* A type by its name; 0: there is none. */
uint32_t btf_find(const struct btf *btf, struct slice name, bool whole);
bool btf_member(const struct btf *btf, uint32_t id, struct slice name, struct btf_member *member);
uint64_t btf_size(const struct btf *btf, uint32_t id);
bool btf_enumerator(const struct btf *btf, const char *name, uint64_t *value);

/* types.c: what can be asked no more, and why; NULL: nothing. */
void kernel_give_up(struct kernel *kernel, const char *what);
/* Those of a module, or of vmlinux; NULL: the kernel has none. */
const struct btf *kernel_types(struct kernel *kernel, const char *module);
void kernel_misses(struct kernel *kernel, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* object.c: how far into an object a path leads without pointers; false: its type lacks it. */
bool kobj_offset(struct kobj object, const char *path, uint64_t *offset);

#endif
