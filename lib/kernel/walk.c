/* SPDX-License-Identifier: MIT */
/*
 * The kernel's collections: lists, xarrays, scatter tables, processes. Each ends here. Origin:
 * Linux, include/linux/list.h, xarray.h, scatterlist.h, pid.h; Documentation/core-api/xarray.rst;
 * Documentation/arch/x86/x86_64/mm.rst.
 */
#include "kernel/inside.h"

#define LIST_MAX (1u << 17)
#define NODES_MAX (1u << 16)
#define SLOTS 64			/* of a node, at most */
#define INTERNAL 2			/* an entry of the array itself */
#define VALUE 1
#define NODE_LEAST 4096			/* internal entries below are siblings, retries, zeros */
#define ENTRIES_MAX (1u << 22)		/* of a scatter table: 16 GiB of separate pages */
#define ENTRY_MAX 64			/* bytes of one */
#define CHAIN 1				/* of page_link: it leads to the next table */
#define LAST 2
#define PAGE 4096

static const char unreadable[] = "the dump does not have the memory there";

const char *kernel_stopped(const struct kernel *kernel)
{
	return *kernel->stopped ? kernel->stopped : NULL;
}

/* False, with the reason for the caller and the first for all. */
static bool stop(struct kobj what, const char *kind, const char **reason, const char *why)
{
	struct btf_type type;

	*reason = why;
	if (!*what.kernel->stopped && btf_strip(what.types, what.type, &type))
		snprintf(what.kernel->stopped, sizeof(what.kernel->stopped), "%s of %s: %s", kind,
			 btf_string(what.types, type.name), why);
	return false;
}

/* ---- lists ---------------------------------------------------------------------------------- */

void klist_begin(struct klist *list, struct kobj head, const char *module, const char *type,
		 const char *member)
{
	*list = (struct klist){ .head = head, .power = 1 };
	if (!head.kernel || !head.address)
		return;
	list->object = kernel_object(head.kernel, module, type, head.address);
	if (list->object.address && kobj_offset(list->object, member, &list->offset))
		list->at = list->seen_at = head.address;
}

/* Brent's way: what comes again is where it was when the count was last a power of two. */
bool klist_next(struct klist *list, struct kobj *object)
{
	struct kobj link = list->head;
	uint64_t next, after;

	if (!list->at)
		return false;
	link.address = list->at;
	list->at = 0;
	if (!kobj_number(link, "next", &next) ||
	    (next && !read_number(link.kernel, next, 8, &after)))
		return stop(list->object, "a list", &list->stop, unreadable);
	if (next == list->head.address)
		return false;
	if (!next || next == list->seen_at || list->count >= LIST_MAX)
		return stop(list->object, "a list", &list->stop,
			    !next ? "it is broken" : "it leads back into itself");
	if (++list->count == list->power) {
		list->power *= 2;
		list->seen_at = next;
	}
	list->at = next;
	*object = list->object;
	object->address = next - list->offset;
	return true;
}

/* ---- xarrays -------------------------------------------------------------------------------- */

/* Goes down one level; false: it is no node, or not one that can be there. */
static bool enter(struct kxarray *x, uint64_t entry, uint64_t index)
{
	struct kobj node = x->node;
	uint64_t shift;

	node.address = entry - INTERNAL;
	if (x->depth >= KXARRAY_DEPTH || x->visited++ >= NODES_MAX)
		return stop(node, "an array", &x->stop, "it has too many nodes");
	if (!kobj_number(node, "shift", &shift))
		return stop(node, "an array", &x->stop, unreadable);
	if (shift >= 64 || (x->depth && shift >= x->nodes[x->depth - 1].shift))
		return stop(node, "an array", &x->stop, "it is damaged");
	x->nodes[x->depth].address = kobj_at(node, "slots").address;
	x->nodes[x->depth].index = index;
	x->nodes[x->depth].shift = (unsigned)shift;
	x->nodes[x->depth++].slot = 0;
	return true;
}

static bool is_node(uint64_t entry)
{
	return (entry & 3) == INTERNAL && entry > NODE_LEAST;
}

void kxarray_begin(struct kxarray *x, struct kobj xarray)
{
	uint64_t head;

	*x = (struct kxarray){ .kernel = xarray.kernel };
	if (!xarray.address || !kobj_number(xarray, "xa_head", &head))
		return;
	x->node = kernel_object(xarray.kernel, NULL, "xa_node", head);
	if (is_node(head))
		enter(x, head, 0);
	else if (!(head & 3))
		x->single = head;
}

bool kxarray_next(struct kxarray *x, uint64_t *index, uint64_t *pointer)
{
	uint64_t entry;

	if (x->single) {
		*index = 0;
		*pointer = x->single;
		x->single = 0;
		return true;
	}
	while (x->depth) {
		unsigned top = x->depth - 1, slot = x->nodes[top].slot++;
		uint64_t at = x->nodes[top].index + ((uint64_t)slot << x->nodes[top].shift);

		if (slot >= SLOTS) {
			x->depth--;
			continue;
		}
		if (!read_number(x->kernel, x->nodes[top].address + 8 * slot, 8, &entry)) {
			x->stop = unreadable;
			x->depth--;
			continue;
		}
		if (is_node(entry) && x->nodes[top].shift) {
			enter(x, entry, at);
		} else if (entry && !(entry & (INTERNAL | VALUE))) {
			*index = at;
			*pointer = entry;
			return true;
		}
	}
	return false;
}

/* ---- pages ---------------------------------------------------------------------------------- */

static uint64_t size_of(struct kobj object)
{
	return object.types ? btf_size(object.types, object.type) : 0;
}

/* Where the array of struct page begins: a variable, or one of two constants. */
static uint64_t page_array(struct kernel *k)
{
	uint64_t symbol = kernel_symbol(k, "vmemmap_base"), base;

	if (symbol && read_number(k, symbol, 8, &base))
		return base;
	return k->levels == 5 ? UINT64_C(0xffd4000000000000) : UINT64_C(0xffffea0000000000);
}

static bool page_place(uint64_t page, uint64_t base, uint64_t size, uint64_t *physical)
{
	uint64_t number = size ? (page - base) / size : 0;

	*physical = number * PAGE;
	return page >= base && size && number < UINT64_C(1) << 40;
}

bool kernel_page(struct kernel *kernel, uint64_t page, uint64_t *physical)
{
	struct kobj object = kernel_object(kernel, NULL, "page", page);

	return page && page_place(page, page_array(kernel), size_of(object), physical);
}

enum { PAGE_LINK, OFFSET, LENGTH, DMA_ADDRESS, DMA_LENGTH };

void kpages_begin(struct kpages *p, struct kobj table)
{
	static const char *const names[] = { "page_link", "offset", "length", "dma_address",
					     "dma_length" };
	uint64_t first, entries, mapped, offset;
	struct kobj entry;

	*p = (struct kpages){ .kernel = table.kernel };
	if (!table.address || !kobj_number(table, "sgl", &first) ||
	    !kobj_number(table, "orig_nents", &entries) || !kobj_number(table, "nents", &mapped))
		return;
	entry = kernel_object(table.kernel, NULL, "scatterlist", first);
	if (!size_of(entry) || size_of(entry) > ENTRY_MAX)
		return;
	p->entry = (uint16_t)size_of(entry);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		/* Without a separate length for the device both are equal. */
		bool equal = i == DMA_LENGTH && !kobj_has(entry, names[i]);

		if (!kobj_offset(entry, names[equal ? LENGTH : i], &offset) ||
		    offset + 8 > ENTRY_MAX)
			return;
		p->members[i] = (uint16_t)offset;
	}
	p->page_size = size_of(kernel_object(table.kernel, NULL, "page", first));
	p->base = page_array(table.kernel);
	p->pages = (struct kpages_side){ .at = first, .left = MIN(entries, ENTRIES_MAX) };
	p->device = (struct kpages_side){ .at = first, .left = MIN(mapped, ENTRIES_MAX) };
}

/* The next entry that is not empty; tables are chained by an entry that counts as none. */
static bool next_entry(struct kpages *p, struct kpages_side *side, bool device)
{
	uint8_t bytes[ENTRY_MAX + 8] = { 0 };
	uint64_t link;

	while (side->left && kernel_read(p->kernel, side->at, bytes, p->entry)) {
		link = load_le(bytes + p->members[PAGE_LINK], 8);
		if (link & CHAIN) {
			side->at = link & ~UINT64_C(3);
			if (++p->chained > ENTRIES_MAX / 64)
				break;
			continue;
		}
		side->at += p->entry;
		side->left = link & LAST ? 0 : side->left - 1;
		side->length = load_le(bytes + p->members[device ? DMA_LENGTH : LENGTH], 4);
		if (device)
			side->address = load_le(bytes + p->members[DMA_ADDRESS], 8);
		else if (page_place(link & ~UINT64_C(3), p->base, p->page_size, &side->address))
			side->address += load_le(bytes + p->members[OFFSET], 4);
		else
			side->address = KPAGES_UNKNOWN;
		if (side->length)
			return true;
	}
	side->left = 0;
	return false;
}

static void advance(struct kpages_side *side, uint64_t length)
{
	if (side->address != KPAGES_UNKNOWN)
		side->address += length;
	side->length -= length;
}

/* An IOMMU makes fewer and longer runs of the same pages: both sides go on by the shorter one. */
bool kpages_next(struct kpages *p, uint64_t *physical, uint64_t *dma, uint64_t *length)
{
	struct kpages_side none = { .address = KPAGES_UNKNOWN }, *device = &p->device;

	if (!p->pages.length && !next_entry(p, &p->pages, false))
		return false;
	if (!device->length && !next_entry(p, device, true)) {
		none.length = p->pages.length;
		device = &none;
	}
	*length = MIN(p->pages.length, device->length);
	*physical = p->pages.address;
	*dma = device->address;
	advance(&p->pages, *length);
	advance(device, *length);
	return true;
}

/* ---- processes ------------------------------------------------------------------------------ */

bool kernel_process(struct kobj pid, uint32_t *number, char name[16])
{
	static const char *const kinds[] = { "PIDTYPE_PID", "PIDTYPE_TGID" };
	uint64_t value, kind, first;
	struct kobj link = pid;
	char path[32];

	*name = 0;
	if (!kobj_number(pid, "numbers[0].nr", &value))
		return false;
	*number = (uint32_t)value;
	for (size_t i = 0; i < ARRAY_SIZE(kinds) && !*name; i++) {
		if (!kernel_enumerator(pid.kernel, NULL, kinds[i], &kind) || kind > 8)
			continue;
		snprintf(path, sizeof(path), "tasks[%u].first", (unsigned)kind);
		if (!kobj_number(pid, path, &first) || !first)
			continue;
		snprintf(path, sizeof(path), "pid_links[%u]", (unsigned)kind);
		link.address = first;
		kobj_text(kobj_container(link, NULL, "task_struct", path), "comm", name, 16);
	}
	return true;
}
