/* SPDX-License-Identifier: MIT */
/*
 * What the hardware writes back into the entries of an advanced context. It reads each entry with
 * an atomic operation that sets bits in it; four bits of the opcode say which one (icl-vol6,
 * "Updating A/D Bits": the table of 16 operations).
 */
#include "gtt/gtt.h"

#include "util/text.h"

#include <stdio.h>

/* Opcode 1100_iwer: intermediate entry, write protection, extended access, read or write. */
enum {
	ATOMIC_PAGE_UPDATE = 0xc0,
	ATOMIC_WRITE = 1 << 0,
	ATOMIC_EXTENDED = 1 << 1,
	ATOMIC_WRITE_PROTECT = 1 << 2,
	ATOMIC_INTERMEDIATE = 1 << 3,
};

/* The bits that it sets, whatever kind of entry it is. */
#define BIT_ACCESSED	(1u << 5)
#define BIT_DIRTY	(1u << 6)
#define BIT_EXTENDED	(1u << 10)

/* "pde A D by opcode 0xc9", if that changes anything. */
static void tell(struct text *text, const struct gsc_root *root, const struct gsc_step *step,
		 bool write, bool forbidden)
{
	unsigned opcode = ATOMIC_PAGE_UPDATE | (step->entry.leaf ? 0 : ATOMIC_INTERMEDIATE);
	uint32_t sets = BIT_ACCESSED;

	if (write) {
		opcode |= ATOMIC_WRITE;
		sets |= BIT_DIRTY;
	}
	if (root->flags & GSC_ROOT_EXTENDED_ACCESS) {
		opcode |= ATOMIC_EXTENDED;
		sets |= BIT_EXTENDED;
	}
	if (root->flags & GSC_ROOT_WRITE_PROTECT)
		opcode |= ATOMIC_WRITE_PROTECT;
	sets &= ~step->entry.words[0];
	if (!sets)
		return;
	text_add(text, "%s%s%s%s%s by opcode 0x%x%s", text->used ? ", " : "",
		 step->entry.level, sets & BIT_ACCESSED ? " A" : "", sets & BIT_DIRTY ? " D" : "",
		 sets & BIT_EXTENDED ? " EA" : "", opcode,
		 forbidden ? " (read-only in the second level: a fault)" : "");
}

void walk_writeback(struct gsc_translation *t, struct gsc_walk *walk, enum gsc_intent intent)
{
	const struct gsc_root *root = &t->options.root;
	struct text text = text_of(walk->written);

	if (t->mode != GSC_MODE_IA32E)
		return;
	for (size_t i = 0; i < walk->count; i++) {
		const struct gsc_step *step = &walk->steps[i];
		/* Tables of tiled resources are read, whatever the access is. */
		bool write = intent != GSC_INTENT_READ && !step->depth;
		uint32_t granted = UINT32_MAX;

		/* Only entries that led on: not where a walk stopped, nor one without bytes. */
		if (step->entry.mode != GSC_MODE_IA32E || !step->entry.bytes ||
		    !step->entry.valid ||
		    (walk->stop && walk->stop_step >= 0 && i >= (size_t)walk->stop_step))
			continue;
		/* What the second-level steps just before it permit together. */
		for (size_t k = i; k > 0 && walk->steps[k - 1].entry.mode == GSC_MODE_VTD; k--)
			granted &= walk->steps[k - 1].entry.words[0];
		tell(&text, root, step, write, step->guest && !(granted & 2));
	}
	if (text.used && !(root->flags & GSC_ROOT_KNOWN))
		text_add(&text, "; EAFE and WPE are assumed to be 0");
}
