/* SPDX-License-Identifier: MIT */
/* See kernel-maker.h. */
#include "kernel-maker.h"

#include <stdio.h>
#include <string.h>

#define PAGE 4096
#define MAP UINT64_C(0xffffffff80000000)
#define PRESENT 1
#define LARGE 0x80
#define TABLES 0x1000			/* physical; the root is in the image */
#define VIRTUAL_PAGES 64		/* from the end of memory downwards */

static const char *const tokens[] = { "__", "BTF", "st", "pci_", "_base" };

void made_begin(struct made_kernel *m)
{
	uint32_t head[2] = { 0x4c694d45, 1 };
	uint64_t range[2] = { 0, MADE_SIZE - 1 };

	memset(m, 0, sizeof(*m));
	memcpy(m->file, head, sizeof(head));
	memcpy(m->file + 8, range, sizeof(range));
	m->memory = m->file + 32;
	m->way = MADE_PERCPU;
	m->image = PAGE;		/* the root of the tables */
	m->types.strings_size = 1;
}

uint64_t made_physical(const struct made_kernel *m, uint64_t address)
{
	(void)m;
	if (address >= MADE_IMAGE)
		return address - MADE_IMAGE + MADE_AT;
	if (address >= MADE_VIRTUAL) {
		uint64_t page = (address - MADE_VIRTUAL) / PAGE;

		return MADE_SIZE - (page + 1) * PAGE + address % PAGE;
	}
	return address - MADE_DIRECT;
}

void made_put(struct made_kernel *m, uint64_t address, const void *data, size_t size)
{
	const uint8_t *from = data;

	while (size-- > 0)
		m->memory[made_physical(m, address++)] = *from++;
}

void made_put_number(struct made_kernel *m, uint64_t address, uint64_t value)
{
	made_put(m, address, &value, sizeof(value));
}

uint64_t made_image(struct made_kernel *m, const void *data, size_t size)
{
	uint64_t at = MADE_IMAGE + m->image;

	made_put(m, at, data, size);
	m->image += (size + 15) & ~(size_t)15;
	return at;
}

uint64_t made_virtual(struct made_kernel *m, const void *data, size_t size)
{
	uint64_t at = MADE_VIRTUAL + m->virtual;

	made_put(m, at, data, size);
	m->virtual += (size + 15) & ~(size_t)15;
	return at;
}

void made_symbol(struct made_kernel *m, const char *name, uint64_t address)
{
	m->symbols[m->symbol_count].name = name;
	m->symbols[m->symbol_count++].address = address;
}

/* ---- types ---------------------------------------------------------------------------------- */

uint32_t made_string(struct made_types *t, const char *text)
{
	uint32_t at = t->strings_size;

	if (!*text)
		return 0;
	memcpy(t->strings + at, text, strlen(text) + 1);
	t->strings_size += (uint32_t)strlen(text) + 1;
	return at + (t->base ? t->base->strings_size : 0);
}

uint32_t made_type(struct made_types *t, unsigned kind, const char *name, unsigned count,
		   uint32_t size, const uint32_t *extra, size_t words)
{
	uint32_t record[3] = { made_string(t, name), kind << 24 | count, size };

	memcpy(t->types + t->size, record, sizeof(record));
	if (words)
		memcpy(t->types + t->size + sizeof(record), extra, words * 4);
	t->size += (uint32_t)(sizeof(record) + words * 4);
	return ++t->count + (t->base ? t->base->count : 0);
}

/* With bit fields all offsets have the other form. */
uint32_t made_struct(struct made_types *t, const char *name, uint32_t size,
		     const struct made_member *members, unsigned count)
{
	uint32_t extra[64], flag = 0;

	for (unsigned i = 0; i < count; i++)
		flag |= members[i].bits;
	for (unsigned i = 0; i < count; i++) {
		extra[3 * i] = made_string(t, members[i].name);
		extra[3 * i + 1] = members[i].type;
		extra[3 * i + 2] = members[i].bits << 24 | members[i].bit;
	}
	return made_type(t, flag ? 0x84 : 4, name, count, size, extra, (size_t)3 * count);
}

uint32_t made_array(struct made_types *t, uint32_t of, uint32_t count)
{
	uint32_t extra[3] = { of, 1, count };

	return made_type(t, 3, "", 0, 0, extra, 3);
}

size_t made_types_file(const struct made_types *t, unsigned header, uint8_t *out)
{
	uint32_t head[8] = { 0x0001eb9f, header, 0, t->size, t->size, t->strings_size };

	memcpy(out, head, header);
	memcpy(out + header, t->types, t->size);
	memcpy(out + header + t->size, t->strings, t->strings_size);
	return header + t->size + t->strings_size;
}

/* ---- the types that are asked for ------------------------------------------------------------ */

enum { UNSIGNED = MADE_UNSIGNED, SIGNED, SHORT, BYTE, LONG, CHARACTER };

#define BITS(type, member) (uint32_t)(8 * offsetof(struct type, member))

static void add_integer(struct made_types *t, const char *name, uint32_t size, uint32_t encoding)
{
	uint32_t extra = encoding << 24 | 8 * size;

	made_type(t, 1, name, 0, size, &extra, 1);
}

static void add_things(struct made_types *t, uint32_t list_type)
{
	uint32_t pointer = t->count + 3, atomic = t->count + 4, inner, typedefed, values[4], words;
	uint32_t self = t->count + 1, constant, state;

	/* The forward declaration is one of a struct that comes later. */
	made_type(t, 7, "thing", 0, 0, NULL, 0);
	constant = made_type(t, 10, "", 0, self, NULL, 0);
	made_type(t, 2, "", 0, constant, NULL, 0);
	made_struct(t, "atomic_t", 4, (struct made_member[]){ { "counter", SIGNED, 0, 0 } }, 1);
	typedefed = made_type(t, 8, "count_t", 0, atomic, NULL, 0);
	inner = made_type(t, 0x84, "", 2, 1, (uint32_t[]){
		made_string(t, "low"), BYTE, 3 << 24,
		made_string(t, "high"), BYTE, 5 << 24 | 3 }, 6);
	values[0] = made_string(t, "STATE_IDLE");
	values[1] = 0;
	values[2] = made_string(t, "STATE_BUSY");
	values[3] = 7;
	state = made_type(t, 6, "state", 2, 1, values, 4);
	values[0] = made_string(t, "STATE_HUGE");
	values[1] = 1;
	values[2] = 0x80;
	made_type(t, 19, "huge", 1, 8, values, 3);
	words = made_array(t, CHARACTER, 8);
	values[0] = made_array(t, UNSIGNED, 3);
	made_struct(t, "thing", sizeof(struct thing), (struct made_member[]){
		{ "link", list_type, BITS(thing, link), 0 },
		{ "number", UNSIGNED, BITS(thing, number), 0 },
		{ "below", SHORT, BITS(thing, below), 0 },
		{ "", inner, BITS(thing, below) + 16, 0 },
		{ "state", state, BITS(thing, state), 0 },
		{ "next", pointer, BITS(thing, next), 0 },
		{ "wide", LONG, BITS(thing, wide), 0 },
		{ "name", words, BITS(thing, name), 0 },
		{ "counter", typedefed, BITS(thing, counter), 0 },
		{ "values", values[0], BITS(thing, values), 0 },
		{ "text", made_type(t, 2, "", 0, CHARACTER, NULL, 0), BITS(thing, text), 0 },
		{ "pages", pointer, BITS(thing, pages), 0 },
		{ "nowhere", pointer, BITS(thing, nowhere), 0 },
	}, 13);
}

static void add_types(struct made_types *t)
{
	uint32_t pointer, slots, head, list_type;

	add_integer(t, "unsigned int", 4, 0);
	add_integer(t, "int", 4, 1);
	add_integer(t, "short", 2, 1);
	add_integer(t, "unsigned char", 1, 0);
	add_integer(t, "unsigned long", 8, 0);
	add_integer(t, "char", 1, 1);
	list_type = made_struct(t, "list_head", 16, (struct made_member[]){
		{ "next", LONG, 0, 0 }, { "prev", LONG, 64, 0 } }, 2);
	pointer = made_type(t, 2, "", 0, 0, NULL, 0);
	add_things(t, list_type);
	slots = made_array(t, pointer, 64);
	made_struct(t, "xa_node", sizeof(struct node), (struct made_member[]){
		{ "shift", BYTE, 0, 0 }, { "slots", slots, BITS(node, slots), 0 } }, 2);
	made_struct(t, "xarray", 8, (struct made_member[]){ { "xa_head", pointer, 0, 0 } }, 1);
	made_struct(t, "page", 64, (struct made_member[]){ { "flags", LONG, 0, 0 } }, 1);
	made_struct(t, "sg_table", sizeof(struct table), (struct made_member[]){
		{ "sgl", pointer, 0, 0 }, { "nents", UNSIGNED, BITS(table, nents), 0 },
		{ "orig_nents", UNSIGNED, BITS(table, orig_nents), 0 } }, 3);
	made_struct(t, "scatterlist", sizeof(struct entry), (struct made_member[]){
		{ "page_link", LONG, 0, 0 }, { "offset", UNSIGNED, BITS(entry, offset), 0 },
		{ "length", UNSIGNED, BITS(entry, length), 0 },
		{ "dma_address", LONG, BITS(entry, dma_address), 0 },
		{ "dma_length", UNSIGNED, BITS(entry, dma_length), 0 } }, 5);
	head = made_struct(t, "btf", 40, (struct made_member[]){
		{ "data", pointer, 0, 0 }, { "data_size", UNSIGNED, 64, 0 },
		{ "name", made_array(t, CHARACTER, 16), 128, 0 } }, 3);
	made_struct(t, "btf_module", 24, (struct made_member[]){
		{ "list", list_type, 0, 0 },
		{ "btf", made_type(t, 2, "", 0, head, NULL, 0), 128, 0 } }, 2);
}

/* struct pid and what it leads to; as in any kernel, other members are before them. */
static void add_process_types(struct made_types *t)
{
	uint32_t node = made_struct(t, "hlist_node", 16, (struct made_member[]){
		{ "next", LONG, 0, 0 } }, 1);
	uint32_t head = made_struct(t, "hlist_head", 8, (struct made_member[]){
		{ "first", made_type(t, 2, "", 0, node, NULL, 0), 0, 0 } }, 1);
	uint32_t upid = made_struct(t, "upid", 16, (struct made_member[]){
		{ "nr", SIGNED, 0, 0 } }, 1);

	made_type(t, 6, "pid_type", 2, 4, (uint32_t[]){
		made_string(t, "PIDTYPE_TGID"), 1, made_string(t, "PIDTYPE_PID"), 0 }, 4);
	made_struct(t, "pid", 48, (struct made_member[]){
		{ "tasks", made_array(t, head, 2), 64, 0 },
		{ "numbers", made_array(t, upid, 0), 256, 0 } }, 2);
	made_struct(t, "task_struct", 64, (struct made_member[]){
		{ "comm", made_array(t, CHARACTER, 16), 64, 0 },
		{ "pid_links", made_array(t, node, 2), 256, 0 } }, 2);
}

void made_kernel_types(struct made_kernel *m)
{
	add_types(&m->types);
	add_process_types(&m->types);
}

/* ---- symbols -------------------------------------------------------------------------------- */

/* The letter of the type, then the name: a token of several characters where one fits. */
static size_t pack_name(const char *name, uint8_t *out)
{
	size_t used = 1;

	out[used++] = 'D';
	while (*name) {
		size_t i = 0;

		while (i < sizeof(tokens) / sizeof(*tokens) &&
		       strncmp(name, tokens[i], strlen(tokens[i])) != 0)
			i++;
		if (i < sizeof(tokens) / sizeof(*tokens)) {
			out[used++] = (uint8_t)(128 + i);
			name += strlen(tokens[i]);
		} else {
			out[used++] = (uint8_t)*name++;
		}
	}
	*out = (uint8_t)(used - 1);
	return used;
}

static uint64_t add_names(struct made_kernel *m)
{
	static uint8_t names[40 * MADE_SYMBOLS + 400];
	size_t used = 0;

	for (size_t i = 0; i < m->symbol_count; i++)
		used += pack_name(m->symbols[i].name, names + used);
	/* One of two hundred characters has a length of two bytes. */
	names[used++] = (200 & 0x7f) | 0x80;
	names[used++] = 200 >> 7;
	memset(names + used, 'D', 200);
	return made_image(m, names, used + 200);
}

static void add_tokens(struct made_kernel *m, uint64_t *table, uint64_t *index)
{
	char text[1024] = "";
	uint16_t starts[256];
	size_t used = 0;

	for (unsigned i = 0; i < 256; i++) {
		char one[2] = { (char)(i < 32 || i > 126 ? '?' : i), 0 };
		const char *token = i >= 128 && i < 128 + sizeof(tokens) / sizeof(*tokens) ?
				    tokens[i - 128] : one;

		starts[i] = (uint16_t)used;
		memcpy(text + used, token, strlen(token) + 1);
		used += strlen(token) + 1;
	}
	*table = made_image(m, text, sizeof(text));
	*index = made_image(m, starts, sizeof(starts));
}

static uint64_t add_addresses(struct made_kernel *m)
{
	uint64_t absolute[MADE_SYMBOLS + 1] = { 0 }, at = MADE_IMAGE + m->image;
	uint32_t offsets[MADE_SYMBOLS + 1] = { 0 };

	for (size_t i = 0; i < m->symbol_count; i++) {
		uint64_t address = m->symbols[i].address;

		absolute[i] = address;
		if (m->way == MADE_RELATIVE)
			offsets[i] = (uint32_t)(address - MADE_IMAGE);
		else if (m->way == MADE_PERCPU)
			offsets[i] = (uint32_t)(MADE_IMAGE - 1 - address);
		else
			offsets[i] = (uint32_t)(address - (at + 4 * i));
	}
	return m->way == MADE_ABSOLUTE ? made_image(m, absolute, sizeof(absolute)) :
	       made_image(m, offsets, sizeof(offsets));
}

/* ---- tables and VMCOREINFO ------------------------------------------------------------------ */

static void link_entry(struct made_kernel *m, uint64_t table, uint64_t index, uint64_t value)
{
	value |= m->encryption | PRESENT;
	memcpy(m->memory + table + 8 * index, &value, 8);
}

static void make_tables(struct made_kernel *m)
{
	uint64_t root = MADE_AT, top = root, next = TABLES;

	if (m->five) {
		top = next;
		next += PAGE;
		link_entry(m, root, 511, top);
	}
	/* All memory by one large page. */
	link_entry(m, top, MADE_DIRECT >> 39 & 511, next);
	link_entry(m, next, MADE_DIRECT >> 30 & 511, LARGE);
	next += PAGE;
	/* The image by large pages, which only the tables themselves are found by. */
	link_entry(m, top, 511, next);
	link_entry(m, next, 510, next + PAGE);
	link_entry(m, next + PAGE, MADE_IMAGE >> 21 & 511, next + 2 * PAGE);
	for (uint64_t i = 0; i < (MADE_SIZE - MADE_AT) / PAGE; i++)
		link_entry(m, next + 2 * PAGE, i, MADE_AT + i * PAGE);
	next += 3 * PAGE;
	link_entry(m, top, MADE_VIRTUAL >> 39 & 511, next);
	link_entry(m, next, MADE_VIRTUAL >> 30 & 511, next + PAGE);
	link_entry(m, next + PAGE, MADE_VIRTUAL >> 21 & 511, next + 2 * PAGE);
	for (uint64_t i = 0; i < VIRTUAL_PAGES; i++)
		link_entry(m, next + 2 * PAGE, i, MADE_SIZE - (i + 1) * PAGE);
}

void made_finish(struct made_kernel *m, uint64_t info)
{
	static uint8_t types[3 * MADE_TYPES];
	size_t size = made_types_file(&m->types, 24, types);
	uint64_t start = made_image(m, types, size), count, names, offsets, table, index, base;
	uint64_t relative = MADE_IMAGE;
	uint32_t number;

	made_symbol(m, "_stext", MADE_IMAGE);
	made_symbol(m, "__start_BTF", start);
	made_symbol(m, "__stop_BTF", start + size);
	number = (uint32_t)m->symbol_count + 1;
	count = made_image(m, &number, 4);
	names = add_names(m);
	add_tokens(m, &table, &index);
	base = made_image(m, &relative, 8);
	offsets = add_addresses(m);
	make_tables(m);
	size = (size_t)snprintf(m->info, sizeof(m->info),
		"OSRELEASE=6.1.0-made\nSYMBOL(swapper_pg_dir)=%llx\nSYMBOL(_stext)=%llx\n"
		"SYMBOL(kallsyms_names)=%llx\nSYMBOL(kallsyms_num_syms)=%llx\n"
		"SYMBOL(kallsyms_token_table)=%llx\nSYMBOL(kallsyms_token_index)=%llx\n"
		"SYMBOL(%s)=%llx\n%s%llx\nNUMBER(phys_base)=%lld\n"
		"NUMBER(pgtable_l5_enabled)=%d\nKERNELOFFSET=0\n"
		"NUMBER(KERNEL_IMAGE_SIZE)=1073741824\nNUMBER(sme_mask)=%llu\n",
		(unsigned long long)MADE_IMAGE, (unsigned long long)MADE_IMAGE,
		(unsigned long long)names, (unsigned long long)count, (unsigned long long)table,
		(unsigned long long)index,
		m->way == MADE_ABSOLUTE ? "kallsyms_addresses" : "kallsyms_offsets",
		(unsigned long long)offsets,
		m->way == MADE_PLACES ? "UNUSED=" : "SYMBOL(kallsyms_relative_base)=",
		(unsigned long long)base, (long long)MADE_AT - (long long)(MADE_IMAGE - MAP),
		m->five, (unsigned long long)m->encryption);
	memcpy(m->memory + info + (m->note_head ? 24 : 0), m->info, size + 1);
}
