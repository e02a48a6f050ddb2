/* SPDX-License-Identifier: MIT */
/*
 * Symbols by name: the kernel's own list (kallsyms), of names that are written as tokens, in the
 * order of the addresses, which are in another list. VMCOREINFO has both since Linux 6.0. Origin:
 * Linux, kernel/kallsyms.c, scripts/kallsyms.c, kernel/vmcore_info.c.
 */
#include "kernel/inside.h"

#define TOKENS 256
#define TOKEN_MAX 64			/* characters */
#define SYMBOLS_MAX (1u << 24)
#define CHUNK 4096

/* Those that every dump is asked for. */
static const char *const names[SYMBOLS] = {
	"_stext", "__start_BTF", "__stop_BTF", "btf_modules", "elfcorehdr_addr", "init_pid_ns",
	"pci_root_buses", "vmemmap_base",
};

struct listing {
	struct kernel *kernel;
	uint64_t offsets, addresses, base, count;
	uint16_t starts[TOKENS], lengths[TOKENS];
	char *tokens;
	uint64_t next;			/* where the names go on that are not held yet */
	uint8_t bytes[2 * CHUNK];
	size_t at, held;		/* of the bytes */
};

/* The next bytes of the names, this many; NULL: they end before. */
static const uint8_t *take_bytes(struct listing *l, size_t size)
{
	const uint8_t *bytes;

	while (l->held - l->at < size) {
		size_t more = CHUNK - (size_t)(l->next % CHUNK);

		memmove(l->bytes, l->bytes + l->at, l->held - l->at);
		l->held -= l->at;
		l->at = 0;
		if (size > CHUNK || !kernel_read(l->kernel, l->next, l->bytes + l->held, more))
			return NULL;
		l->held += more;
		l->next += more;
	}
	bytes = l->bytes + l->at;
	l->at += size;
	return bytes;
}

/* NULL, or what is missing. */
static const char *open_listing(struct listing *l)
{
	static const char damaged[] = "the kernel's symbols cannot be read";
	const char *info = l->kernel->info;
	uint64_t index, table, count;
	size_t size = 0;

	if (!info_number(info, "SYMBOL(kallsyms_names)", &l->next) ||
	    !info_number(info, "SYMBOL(kallsyms_num_syms)", &count) ||
	    !info_number(info, "SYMBOL(kallsyms_token_table)", &table) ||
	    !info_number(info, "SYMBOL(kallsyms_token_index)", &index))
		return "its VMCOREINFO does not say where the symbols are; Linux 6.0 and later do";
	info_number(info, "SYMBOL(kallsyms_offsets)", &l->offsets);
	info_number(info, "SYMBOL(kallsyms_addresses)", &l->addresses);
	if (info_number(info, "SYMBOL(kallsyms_relative_base)", &l->base) &&
	    !read_number(l->kernel, l->base, 8, &l->base))
		return damaged;
	if (!read_number(l->kernel, count, 4, &l->count) || l->count > SYMBOLS_MAX ||
	    !kernel_read(l->kernel, index, l->starts, sizeof(l->starts)))
		return damaged;
	l->tokens = calloc(1, UINT16_MAX + 2 * TOKEN_MAX);
	l->kernel->starved |= !l->tokens;
	/* Nothing says where the last token ends. */
	while (l->tokens && size <= l->starts[TOKENS - 1] + (size_t)TOKEN_MAX &&
	       kernel_read(l->kernel, table + size, l->tokens + size, TOKEN_MAX))
		size += TOKEN_MAX;
	for (unsigned i = 0; i < TOKENS; i++) {
		if (l->starts[i] >= size)
			return damaged;
		l->lengths[i] = (uint16_t)strnlen(l->tokens + l->starts[i], TOKEN_MAX);
	}
	return NULL;
}

/*
 * The tokens of a name, of which the first begins with the letter of its type; how long it is
 * without that. NULL: the list ends.
 */
static const uint8_t *next_name(struct listing *l, size_t *tokens, size_t *length)
{
	const uint8_t *bytes = take_bytes(l, 1);

	if (!bytes)
		return NULL;
	*tokens = *bytes & 0x7f;
	if (*bytes & 0x80) {
		bytes = take_bytes(l, 1);
		if (!bytes)
			return NULL;
		*tokens |= (size_t)*bytes << 7;
	}
	bytes = take_bytes(l, *tokens);
	*length = 0;
	for (size_t i = 0; bytes && i < *tokens; i++)
		*length += l->lengths[bytes[i]];
	*length -= *length > 0;
	return bytes;
}

/* It is that name, which has the same length. */
static bool is_name(const struct listing *l, const uint8_t *tokens, const char *name)
{
	size_t skip = 1, length;

	for (; *name; name += length, tokens++, skip = 0) {
		length = l->lengths[*tokens] - MIN(skip, l->lengths[*tokens]);
		if (strncmp(l->tokens + l->starts[*tokens] + skip, name, length) != 0)
			return false;
	}
	return true;
}

/*
 * The address of symbol i in one of the ways in which they have been written: as it is; from a
 * base on; the same, except for those of each processor, which are as they are; from its own place
 * in the list (Linux 7.0).
 */
static bool address_of(struct listing *l, unsigned way, uint64_t i, uint64_t *address)
{
	uint64_t place = l->offsets + 4 * i, number;
	int64_t offset;

	if (!way)
		return l->addresses && read_number(l->kernel, l->addresses + 8 * i, 8, address);
	if (!l->offsets || !read_number(l->kernel, place, 4, &number))
		return false;
	offset = (int32_t)number;
	if (way == 1)
		*address = l->base + number;
	else if (way == 2)
		*address = offset >= 0 ? number : l->base - 1 - (uint64_t)offset;
	else
		*address = place + (uint64_t)offset;
	return true;
}

/* The way that has the address of _stext, which VMCOREINFO says; 4: none. */
static unsigned find_way(struct listing *l, uint64_t stext)
{
	uint64_t wanted, address;
	unsigned way = 0;

	if (!info_number(l->kernel->info, "SYMBOL(_stext)", &wanted))
		return 4;
	while (way < 4 && !(address_of(l, way, stext, &address) && address == wanted))
		way++;
	return way;
}

/*
 * All in one pass, the first of each name; the first wanted one is _stext. NULL, or why not. What
 * is not found is 0.
 */
static const char *find_symbols(struct kernel *k, const char *const *wanted, uint64_t *addresses)
{
	struct listing l = { .kernel = k };
	const char *wrong = open_listing(&l);
	uint64_t index[SYMBOLS];
	size_t lengths[SYMBOLS], tokens, length, count = 0;
	const uint8_t *name;
	unsigned way;

	for (; count < SYMBOLS && wanted[count]; count++) {
		lengths[count] = strlen(wanted[count]);
		index[count] = UINT64_MAX;
		addresses[count] = 0;
	}
	for (uint64_t i = 0; !wrong && i < l.count; i++) {
		name = next_name(&l, &tokens, &length);
		for (size_t j = 0; name && j < count; j++)
			if (length == lengths[j] && index[j] == UINT64_MAX &&
			    is_name(&l, name, wanted[j]))
				index[j] = i;
		if (!name)
			break;
	}
	way = wrong || index[0] == UINT64_MAX ? 4 : find_way(&l, index[0]);
	for (size_t j = 0; way < 4 && j < count; j++)
		if (index[j] == UINT64_MAX || !address_of(&l, way, index[j], &addresses[j]))
			addresses[j] = 0;
	free(l.tokens);
	if (!wrong && way == 4)
		wrong = "the kernel's symbols are damaged or of an unknown form";
	return wrong;
}

uint64_t kernel_symbol(struct kernel *k, const char *name)
{
	const char *const one[SYMBOLS] = { names[0], name };
	const char *wrong;
	uint64_t found[SYMBOLS];

	if (!k->symbols_done) {
		k->symbols_done = true;
		wrong = find_symbols(k, names, k->symbols);
		kernel_give_up(k, wrong);
	}
	for (size_t i = 0; i < SYMBOLS && names[i]; i++)
		if (!strcmp(names[i], name))
			return k->symbols[i];
	return *k->lacks || find_symbols(k, one, found) ? 0 : found[1];
}
