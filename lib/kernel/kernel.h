/* SPDX-License-Identifier: MIT */
/*
 * kernel/: a Linux kernel in a dump of its machine's memory, on x86-64. The dump itself says where
 * everything is: VMCOREINFO, the kernel's page tables, its symbols (kallsyms) and its types (BTF).
 * Members are asked for by name; no offset of any version is compiled in. This room knows the
 * kernel's own structures (lists, xarrays, scatter tables, processes, the log), and no GPUs:
 * formats/ has what the drivers i915 and xe keep. inside.h is its inside; it is entered at
 * kernel_open(), kernel.c. Every byte may be false, and on a running machine everything moves:
 * lists have an end here even if they have none there.
 */
#ifndef GSC_KERNEL_H
#define GSC_KERNEL_H

#include "source/source.h"
#include "util/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct btf;
struct gsc_source;
struct kernel;

/*
 * The kernel in a part that is the memory of a machine, and in the parts after it that are of the
 * same dump, whose pieces are resolved and stay. *kernel becomes NULL if there is none, or if it is
 * an earlier part's.
 */
enum gsc_status kernel_open(struct kernel **kernel, const struct gsc_source *source, size_t part,
			    struct gsc_error *err);
/* NULL is allowed. */
void kernel_close(struct kernel *kernel);

/* Its VMCOREINFO: lines. */
const char *kernel_info(const struct kernel *kernel);
/*
 * Why nothing can be asked about its types and symbols ("its kernel has no BTF"); NULL: it can.
 * Then everything below is empty, but for the log and reading by address.
 */
const char *kernel_lacks(struct kernel *kernel);
/* What was asked of it may be incomplete because memory ran out here. */
bool kernel_starved(const struct kernel *kernel);
/*
 * An address where the kernel has memory that the dump has not: the first that was read. False:
 * none was. *filtered: its filter has left it out.
 */
bool kernel_unread(const struct kernel *kernel, uint64_t *address, bool *filtered);
/* NULL, or the first list that ended too early, and why: "a list of i915_vma: it is broken". */
const char *kernel_stopped(const struct kernel *kernel);

/*
 * The pages of physical memory that have been read so far, in order: with these and its VMCOREINFO
 * everything can be asked again, but for the log. False: memory is out.
 */
bool kernel_used(const struct kernel *kernel, memory_vec *pages);

/* Whole reads only; the addresses of kernel_read() are the kernel's own. */
bool kernel_read(struct kernel *kernel, uint64_t address, void *buf, size_t size);
bool kernel_read_physical(struct kernel *kernel, uint64_t physical, void *buf, size_t size);
/* The address of a symbol of vmlinux; 0: unknown. */
uint64_t kernel_symbol(struct kernel *kernel, const char *name);

/* ---- objects --------------------------------------------------------------------------------- */

/*
 * Something in the kernel's memory, and its type. Of address 0 every member is of address 0. Values
 * are read when they are asked for.
 */
struct kobj {
	struct kernel *kernel;
	const struct btf *types;
	uint64_t address;
	uint32_t type;
	uint8_t bit, bits;		/* of a bit field; else 0 */
};

/*
 * Types of a module (NULL: vmlinux): a struct, a union, a typedef, an integer. A driver that is
 * built in has its types in vmlinux. An unknown type makes address 0.
 */
struct kobj kernel_object(struct kernel *kernel, const char *module, const char *type,
			  uint64_t address);
/*
 * "gt[0]->ggtt->vm.total": members, elements, what pointers point to. A member of a pointer is one
 * of what that points to, whether written with "." or "->"; "ring->" is what it points to, "ring"
 * the pointer itself, and "" the object. NULL, pointers that are errors and those that are not in
 * the dump lead to address 0. Members of anonymous structs and unions count as the outer one's.
 */
struct kobj kobj_at(struct kobj object, const char *path);
/* container_of(): the object of which `member` is what the path names. */
struct kobj kobj_container(struct kobj member, const char *module, const char *type,
			   const char *path);
/* Whether its type has it; nothing is read, and the address may be 0. */
bool kobj_has(struct kobj object, const char *path);
/* Elements of an array; 0 of a flexible one and of what is none. */
unsigned kobj_count(struct kobj array);
/*
 * An integer, pointer, enum, boolean or bit field, or a struct that has nothing but one, such as an
 * atomic. Signed ones are extended to 64 bits.
 */
bool kobj_number(struct kobj object, const char *path, uint64_t *value);
/* A string: an array of characters, or what a pointer points to. What is not printable is "?". */
bool kobj_text(struct kobj object, const char *path, char *buf, size_t size);
bool kernel_enumerator(struct kernel *kernel, const char *module, const char *name,
		       uint64_t *value);
/*
 * Members, types and modules that were asked for and that the kernel's types lack:
 * "i915_request.batch_res"; NULL past the last.
 */
const char *kernel_missing(const struct kernel *kernel, size_t i);

/* ---- lists, arrays, pages -------------------------------------------------------------------- */

/* Objects of a type that a list_head links by a member of theirs. */
struct klist {
	struct kobj head, object;
	uint64_t offset, at, seen_at;	/* of the member; of the link now, and of one before it */
	unsigned count, power;
	const char *stop;		/* why it ended too early, or NULL */
};
void klist_begin(struct klist *list, struct kobj head, const char *module, const char *type,
		 const char *member);
bool klist_next(struct klist *list, struct kobj *object);

/* The pointers of an xarray, also of an idr: "object_idr.idr_rt". Values that are none are not. */
#define KXARRAY_DEPTH 11
struct kxarray {
	struct kernel *kernel;
	struct kobj node;
	uint64_t single;		/* its only entry, or 0 */
	unsigned depth, visited;
	struct {
		uint64_t address, index;
		unsigned shift, slot;
	} nodes[KXARRAY_DEPTH];
	const char *stop;		/* why it ended too early, or NULL */
};
void kxarray_begin(struct kxarray *array, struct kobj xarray);
bool kxarray_next(struct kxarray *array, uint64_t *index, uint64_t *pointer);

/*
 * The pages of a struct sg_table, in runs: where they are, and the addresses that the device uses
 * for them; KPAGES_UNKNOWN: there is no such address, as for memory of the device. Each is at least
 * a byte long.
 */
#define KPAGES_UNKNOWN UINT64_MAX
struct kpages {
	struct kernel *kernel;
	struct kpages_side {
		uint64_t at, left;	/* of the table; entries */
		uint64_t address, length;	/* not yet given */
	} pages, device;
	uint64_t base, page_size;	/* of the array of struct page; of one */
	uint16_t entry, members[5];	/* bytes of one; where in it */
	unsigned chained;
};
void kpages_begin(struct kpages *pages, struct kobj sg_table);
bool kpages_next(struct kpages *pages, uint64_t *physical, uint64_t *dma, uint64_t *length);

/* The physical address of a struct page. */
bool kernel_page(struct kernel *kernel, uint64_t page, uint64_t *physical);

/* Number and name of the process of a struct pid; the name is empty if the process is gone. */
bool kernel_process(struct kobj pid, uint32_t *number, char name[16]);

/* ---- the log --------------------------------------------------------------------------------- */

/* As dmesg prints it, to be freed by the caller. NULL: it cannot be found. */
enum gsc_status kernel_log(struct kernel *kernel, char **text, size_t *size,
			   struct gsc_error *err);

#endif
