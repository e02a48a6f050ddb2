/* SPDX-License-Identifier: MIT */
/*
 * A kernel that is made by a test, in a megabyte of memory: page tables, VMCOREINFO, kallsyms, BTF,
 * and what the test puts there. Its image is mapped in one piece, "virtual" memory page by page in
 * reverse order. Shares no code with what reads it.
 */
#ifndef KERNEL_MAKER_H
#define KERNEL_MAKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MADE_IMAGE UINT64_C(0xffffffff81000000)
#define MADE_VIRTUAL UINT64_C(0xffffc90000000000)
#define MADE_DIRECT UINT64_C(0xffff888000000000)
#define MADE_PAGES UINT64_C(0xffffea0000000000)	/* of struct page: an address, no memory */
#define MADE_SIZE 0x100000
#define MADE_AT 0x40000			/* physical, where the image begins; tables are below */
#define MADE_SYMBOLS 24
#define MADE_TYPES 8192			/* bytes */

enum made_way { MADE_ABSOLUTE, MADE_RELATIVE, MADE_PERCPU, MADE_PLACES };

struct made_kernel {
	uint8_t file[32 + MADE_SIZE];	/* a LiME dump; its memory follows the header */
	uint8_t *memory;
	enum made_way way;
	bool five, note_head;		/* levels; VMCOREINFO is in a note */
	uint64_t encryption;
	uint64_t image, virtual;	/* how much of them is used */
	struct {
		const char *name;
		uint64_t address;
	} symbols[MADE_SYMBOLS];
	size_t symbol_count;
	/* Types of vmlinux or, if there is a base, of a module. */
	struct made_types {
		const struct made_types *base;
		uint8_t types[MADE_TYPES];
		char strings[MADE_TYPES];
		uint32_t size, strings_size, count;
	} types;
	char info[4096];
};

void made_begin(struct made_kernel *m);
/* Bytes of the image, and of memory that is not in one piece; aligned to 16. */
uint64_t made_image(struct made_kernel *m, const void *data, size_t size);
uint64_t made_virtual(struct made_kernel *m, const void *data, size_t size);
/* Overwrites what is there. */
void made_put(struct made_kernel *m, uint64_t address, const void *data, size_t size);
void made_put_number(struct made_kernel *m, uint64_t address, uint64_t value);
uint64_t made_physical(const struct made_kernel *m, uint64_t address);
void made_symbol(struct made_kernel *m, const char *name, uint64_t address);
/* Adds types, symbols, tables and VMCOREINFO, at this physical page. */
void made_finish(struct made_kernel *m, uint64_t info);

/* A type; `extra` follows its record. Its number. */
uint32_t made_type(struct made_types *t, unsigned kind, const char *name, unsigned count,
		   uint32_t size, const uint32_t *extra, size_t words);
uint32_t made_string(struct made_types *t, const char *text);
struct made_member {
	const char *name;
	uint32_t type, bit, bits;
};
uint32_t made_struct(struct made_types *t, const char *name, uint32_t size,
		     const struct made_member *members, unsigned count);
uint32_t made_array(struct made_types *t, uint32_t of, uint32_t count);
/* What the tests and this room itself ask for; the structs below, and those of the kernel. */
void made_kernel_types(struct made_kernel *m);
#define MADE_UNSIGNED 1			/* the number of unsigned int */
/* The file form; its size. */
size_t made_types_file(const struct made_types *t, unsigned header, uint8_t *out);


/* ---- what is described --------------------------------------------------------------------- */

struct link {
	uint64_t next, prev;
};


struct thing {
	struct link link;
	uint32_t number;
	int16_t below;
	uint8_t low : 3, high : 5;
	uint8_t state;
	uint64_t next, wide;
	char name[8];
	uint32_t counter, values[3];
	uint64_t text, pages, nowhere;
};

struct node {
	uint8_t shift;
	uint64_t slots[64];
};

struct table {
	uint64_t sgl;
	uint32_t nents, orig_nents;
};

struct entry {
	uint64_t page_link;
	uint32_t offset, length;
	uint64_t dma_address;
	uint32_t dma_length;
};

#endif
