/* SPDX-License-Identifier: MIT */
/*
 * Symbols by name: the kernel's own list (kallsyms), of names that are written as tokens, in the
 * order of the addresses, which are in another list. VMCOREINFO has both since Linux 6.0. Origin:
 * Linux, kernel/kallsyms.c, scripts/kallsyms.c, kernel/vmcore_info.c.
 */
#include "kernel/inside.h"

#define TOKENS 256
#define TOKEN_TABLE 65536		/* bytes of tokens, at most */
#define NAME_MAX_LENGTH 512
#define SYMBOLS_MAX (1u << 24)
#define CHUNK 4096

/* Those that every dump is asked for. */
static const char *const names[SYMBOLS] = {
	"_stext", "__start_BTF", "__stop_BTF", "btf_modules", "elfcorehdr_addr", "init_pid_ns",
	"pci_root_buses", "vmemmap_base",
};

struct listing {
	struct kernel *kernel;
	uint64_t names, offsets, addresses, base, count;
	uint16_t starts[TOKENS];
	char *tokens;
	size_t size;			/* of the tokens, without the NUL after them */
	uint8_t chunk[CHUNK];
	uint64_t at, held_from;		/* the next byte of the names; of what is in the chunk */
	size_t held;
};

static bool next_byte(struct listing *l, uint8_t *byte)
{
	if (l->at - l->held_from >= l->held) {
		l->held_from = l->at;
		l->held = CHUNK - (size_t)(l->at % CHUNK);
		if (!kernel_read(l->kernel, l->at, l->chunk, l->held)) {
			l->held = 0;
			return false;
		}
	}
	*byte = l->chunk[l->at++ - l->held_from];
	return true;
}

/* NULL, or what is missing. */
static const char *open_listing(struct listing *l)
{
	const char *info = l->kernel->info;
	uint64_t index, table;

	if (!info_number(info, "SYMBOL(kallsyms_names)", &l->names) ||
	    !info_number(info, "SYMBOL(kallsyms_num_syms)", &l->count) ||
	    !info_number(info, "SYMBOL(kallsyms_token_table)", &table) ||
	    !info_number(info, "SYMBOL(kallsyms_token_index)", &index))
		return "its VMCOREINFO does not say where its symbols are: kernels do since "
		       "Linux 6.0";
	info_number(info, "SYMBOL(kallsyms_offsets)", &l->offsets);
	info_number(info, "SYMBOL(kallsyms_addresses)", &l->addresses);
	if (info_number(info, "SYMBOL(kallsyms_relative_base)", &l->base) &&
	    !read_number(l->kernel, l->base, 8, &l->base))
		l->base = 0;
	l->at = l->names;
	if (!read_number(l->kernel, l->count, 4, &l->count) || l->count > SYMBOLS_MAX ||
	    !kernel_read(l->kernel, index, l->starts, sizeof(l->starts)))
		return "the list of its symbols cannot be read";
	/* The last token ends within a few bytes; where, only its end shows. */
	l->tokens = calloc(1, TOKEN_TABLE + 1);
	l->kernel->starved |= !l->tokens;
	if (!l->tokens)
		return "out of memory";
	while (l->size < TOKEN_TABLE && l->size <= l->starts[TOKENS - 1] + 64u &&
	       kernel_read(l->kernel, table + l->size, l->tokens + l->size, 64))
		l->size += 64;
	return l->size > l->starts[TOKENS - 1] ? NULL : "the list of its symbols cannot be read";
}

/* A name without the letter of its type before it; false: the list ends here. */
static bool next_name(struct listing *l, char *name, size_t *length)
{
	uint8_t byte, high = 0;
	unsigned left;
	size_t used = 0;

	if (!next_byte(l, &byte) || (byte & 0x80 && !next_byte(l, &high)))
		return false;
	for (left = (byte & 0x7fu) | (unsigned)high << 7; left; left--) {
		const char *token;

		if (!next_byte(l, &byte))
			return false;
		token = l->tokens + MIN(l->starts[byte], l->size);
		while (*token && used < NAME_MAX_LENGTH)
			name[used++] = *token++;
	}
	*length = used ? used - 1 : 0;
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
	size_t lengths[SYMBOLS], length, count = 0;
	char name[NAME_MAX_LENGTH];
	unsigned way;

	for (; count < SYMBOLS && wanted[count]; count++) {
		lengths[count] = strlen(wanted[count]);
		index[count] = UINT64_MAX;
		addresses[count] = 0;
	}
	for (uint64_t i = 0; !wrong && i < l.count && next_name(&l, name, &length); i++)
		for (size_t j = 0; j < count; j++)
			if (length == lengths[j] && index[j] == UINT64_MAX &&
			    !memcmp(name + 1, wanted[j], length))
				index[j] = i;
	way = wrong || index[0] == UINT64_MAX ? 4 : find_way(&l, index[0]);
	for (size_t j = 0; way < 4 && j < count; j++)
		if (index[j] == UINT64_MAX || !address_of(&l, way, index[j], &addresses[j]))
			addresses[j] = 0;
	free(l.tokens);
	if (!wrong && way == 4)
		wrong = "the list of its symbols is damaged or of an unknown form";
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
		snprintf(k->lacks, sizeof(k->lacks), "%s", wrong ? wrong : "");
	}
	for (size_t i = 0; i < SYMBOLS && names[i]; i++)
		if (!strcmp(names[i], name))
			return k->symbols[i];
	return *k->lacks || find_symbols(k, one, found) ? 0 : found[1];
}
