/* SPDX-License-Identifier: MIT */
/*
 * Which types a kernel has: its own, between two symbols, and those of its modules, in a list. A
 * module's own pointer to them is cleared after it was loaded. Origin: Linux, kernel/bpf/btf.c,
 * struct btf_module, struct btf.
 */
#include "kernel/inside.h"

#define BYTES_MAX (32u << 20)		/* of the types of one kernel or module */
#define MISSING_MAX 256

void kernel_misses(struct kernel *k, const char *format, ...)
{
	char text[160], *copy;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (size_t i = 0; i < k->missing.count; i++)
		if (!strcmp(k->missing.items[i], text))
			return;
	copy = k->missing.count < MISSING_MAX ? strdup(text) : NULL;
	if (copy && !vec_push(&k->missing, copy))
		free(copy);
}

const char *kernel_missing(const struct kernel *kernel, size_t i)
{
	return i < kernel->missing.count ? kernel->missing.items[i] : NULL;
}

/* NULL: they cannot be read. */
static struct btf *read_types(struct kernel *k, const struct btf *base, uint64_t address,
			      uint64_t size)
{
	struct btf *types = NULL;
	uint8_t *data;

	if (size > MIN(BYTES_MAX, k->held))
		return NULL;
	data = malloc((size_t)size + 1);
	if (!data) {
		k->starved = true;
		return NULL;
	}
	if (!kernel_read(k, address, data, (size_t)size)) {
		free(data);
		return NULL;
	}
	k->starved |= !btf_open(&types, base, data, (size_t)size);
	return types;
}

void kernel_give_up(struct kernel *k, const char *what)
{
	snprintf(k->lacks, sizeof(k->lacks), "%s%s", what ? what : "", !what || !k->unread ? "" :
		 k->filtered ? ": the dump's filter has left them out" :
		 ": the dump does not have all of them");
}

const char *kernel_lacks(struct kernel *k)
{
	uint64_t start, end;

	if (k->types_done)
		return *k->lacks ? k->lacks : NULL;
	k->types_done = true;
	start = kernel_symbol(k, "__start_BTF");
	end = kernel_symbol(k, "__stop_BTF");
	if (*k->lacks)
		return k->lacks;
	if (end > start)
		k->types = read_types(k, NULL, start, end - start);
	if (!k->types)
		kernel_give_up(k, end > start ? "the kernel's types (BTF) cannot be read" :
			       "no symbol of the kernel says where its types (BTF) "
			       "are");
	return *k->lacks ? k->lacks : NULL;
}

/* Without types nobody knows how modules are listed: those of vmlinux say it. */
static struct btf *find_module(struct kernel *k, const char *module)
{
	struct kobj head = kernel_object(k, NULL, "list_head", kernel_symbol(k, "btf_modules"));
	struct klist list;
	struct kobj entry;

	klist_begin(&list, head, NULL, "btf_module", "list");
	while (klist_next(&list, &entry)) {
		uint64_t data, size;
		char name[64];

		if (kobj_text(entry, "btf->name", name, sizeof(name)) && !strcmp(name, module) &&
		    kobj_number(entry, "btf->data", &data) &&
		    kobj_number(entry, "btf->data_size", &size))
			return read_types(k, k->types, data, size);
	}
	return NULL;
}

/* A module that has none is not looked for again. */
const struct btf *kernel_types(struct kernel *k, const char *module)
{
	struct kernel_module added = { .types = NULL };

	if (kernel_lacks(k) || !module)
		return k->types;
	for (size_t i = 0; i < k->modules.count; i++)
		if (!strcmp(k->modules.items[i].name, module))
			return k->modules.items[i].types ? k->modules.items[i].types : k->types;
	snprintf(added.name, sizeof(added.name), "%s", module);
	added.types = find_module(k, module);
	if (!vec_push(&k->modules, added)) {
		k->starved = true;
		btf_close(added.types);
		return k->types;
	}
	if (!added.types)
		kernel_misses(k, "types of the module %s", module);
	return added.types ? added.types : k->types;
}
