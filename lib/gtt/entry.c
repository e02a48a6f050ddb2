/* SPDX-License-Identifier: MIT */
/* One entry by itself: what it says, and what is wrong with it. */
#include "gtt/gtt.h"

#include "db/view.h"
#include "util/text.h"

void entry_fill(struct gsc_entry *entry, const struct format *format, const uint32_t *words,
		size_t count)
{
	const struct format_next *next;
	const struct format *f = format;
	uint64_t raw;

	memset(entry->words, 0, sizeof(entry->words));
	memcpy(entry->words, words, MIN(count, (size_t)f->bytes / 4) * 4);
	raw = entry_raw(entry);
	entry->leaf = format_is_page(f, raw);
	entry->valid = format_valid(f, raw);
	if (entry->leaf)
		f = f->page;
	entry->item = f->item;
	entry->mode = f->mode;
	entry->level = f->level;
	entry->bytes = f->bytes;
	next = entry->leaf ? NULL : format_next(f, raw);
	entry->next = next ? next->level : NULL;
	entry->space = f->graphics ? GSC_GTTMEM :
		       entry->leaf && raw & f->stolen_mask ? GSC_STOLEN :
		       (entry->leaf ? format_local(f, raw) : f->tables_local) ? GSC_LMEM : GSC_PHYS;
	entry->address = format_address(f, raw);
	entry->page_size = entry->leaf ? f->page_size : 0;
}

/* ---- decoding ------------------------------------------------------------------------------ */

/*
 * The level of an entry with this many dwords, if kernels and people use one name for several: a
 * "vtd-context" of 256 bits, a "vtd-pasid" of 64. Extended mode is the way in which graphics shared
 * page tables before Gen12.
 */
static const char *vtd_level(const struct gsc_view *view, const char *level, size_t count)
{
	struct gsc_platform platform;

	if (!name_compare(level, "vtd-context") && count > 4)
		return gsc_platform_at(view->db, gsc_view_platform(view), &platform) &&
		       platform_has(&platform, PROPERTY_VTD_EXTENDED) ? "vtd-context-ext" :
								       "vtd-context-sm";
	if (!name_compare(level, "vtd-pasid") && count <= 2)
		return "vtd-pasid-ext";
	return level;
}

enum gsc_status gsc_entry_decode(const struct gsc_view *view, enum gsc_mode mode,
				 const char *level, const uint32_t *words, size_t count,
				 struct gsc_entry *entry, struct gsc_error *err)
{
	struct formats *formats = formats_of(view);
	const struct format *f = NULL;
	char list[256];
	struct text text = text_of(list);

	if (!formats)
		return err_memory(err);
	if (mode == GSC_MODE_VTD)
		level = vtd_level(view, level, count);
	if ((unsigned)mode < GSC_MODES)
		f = format_get(formats, mode, level);
	if (!f) {
		for (size_t i = 0; gsc_mode_level(view, mode, i); i++)
			text_join(&text, ", ", gsc_mode_level(view, mode, i));
		return text.used ? err_set(err, GSC_USAGE, level,
					   "no level of mode %s on this platform: %s",
					   gsc_mode_name(mode), list)
				 : err_set(err, GSC_USAGE, gsc_mode_name(mode),
					   "this platform has no such mode");
	}
	for (size_t i = f->bytes / 4; i < count; i++)
		if (words[i])
			return err_set(err, GSC_USAGE, level,
				       "the value has more than the %u bits of an entry",
				       f->bytes * 8);
	entry_fill(entry, f, words, count);
	return GSC_OK;
}

const char *gsc_mode_level(const struct gsc_view *view, enum gsc_mode mode, size_t i)
{
	struct formats *formats = (unsigned)mode < GSC_MODES ? formats_of(view) : NULL;
	const struct format *f = formats ? format_at(formats, mode, i) : NULL;

	return f ? f->level : NULL;
}

/* ---- problems ------------------------------------------------------------------------------ */

/* Counts down to the requested problem and puts it into words. */
struct problems {
	const struct gsc_view *view;
	const struct gsc_entry *entry;
	size_t skip;
	bool found;
	char *buf;
	size_t size;
};

static void __attribute__((format(printf, 2, 3)))
add(struct problems *p, const char *format, ...)
{
	va_list args;

	if (p->found || p->skip-- > 0)
		return;
	va_start(args, format);
	vsnprintf(p->buf, p->size, format, args);
	va_end(args);
	p->found = true;
}

/* Bits of the first 64 that mean nothing. */
static uint64_t check_fields(struct problems *p)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	uint64_t unnamed = UINT64_MAX;

	gsc_item_fields(p->view->db, p->view, &p->entry->item, p->entry->words,
			p->entry->bytes / 4, &it);
	while (gsc_field_next(&it, &field)) {
		unsigned hi = field.dword * 32 + field.hi, lo = field.dword * 32 + field.lo;
		char bits[32];

		for (unsigned bit = lo; bit <= hi && bit < 64; bit++)
			if (!(field.flags & GSC_FIELD_IGNORED))
				unnamed &= ~(UINT64_C(1) << bit);
		if (hi == lo)
			snprintf(bits, sizeof(bits), "bit %u", hi);
		else
			snprintf(bits, sizeof(bits), "bits %u:%u", hi, lo);
		if (field.problem)
			add(p, "%s %s: 0x%llx", bits, field.problem, LL(field.value));
		else if (field.text && (!strcmp(field.text, "reserved") ||
					!strcmp(field.text, "not a documented value")))
			add(p, "%s (%s) is %llu: %s", field.name, bits,
			    LL(field.value), field.text);
	}
	return unnamed;
}

static uint64_t ones(unsigned count)
{
	return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Address bits that the hardware ignores: the entry does not mean what its writer intended. */
static void check_address(struct problems *p, const struct format *f, uint64_t unnamed,
			  unsigned width)
{
	/* Above are the unnamed bits from `width` on, up to the first one that has a name. */
	uint64_t raw = entry_raw(p->entry), named = ~unnamed & ~ones(width);
	uint64_t above = raw & unnamed & ~ones(width) &
			 (named ? ones((unsigned)__builtin_ctzll(named)) : UINT64_MAX);
	unsigned shift = f->page_size ? (unsigned)__builtin_ctzll(f->page_size) : 12;
	uint64_t below = raw & unnamed & ones(shift) & ~ones(12);

	if (f->bytes != 8 || f->graphics)
		return;
	if (above)
		add(p, "0x%llx lies above the %u address bits of this platform, and is ignored",
		    LL(above), width);
	if (below && p->entry->leaf)
		add(p, "0x%llx lies below the alignment of the page, 0x%llx, and is ignored",
		    LL(below), LL(f->page_size));
}

/* An entry that maps nothing may contain anything. */
bool gsc_entry_problem(const struct gsc_view *view, const struct gsc_entry *entry, size_t i,
		       char *buf, size_t size)
{
	struct problems p = { .view = view, .entry = entry, .skip = i, .buf = buf, .size = size };
	struct formats *formats = formats_of(view);
	struct gsc_platform platform;
	const struct format *f, *other;
	uint64_t raw, unnamed;

	if (!entry->bytes || !entry->valid || !formats)
		return false;
	f = format_get(formats, entry->mode, entry->level);
	if (!f || !gsc_platform_at(view->db, view->platform, &platform))
		return false;
	raw = entry_raw(entry);
	unnamed = check_fields(&p);
	check_address(&p, f, unnamed, platform.address_bits);
	/* Of a pde2m the pde: its bit that decides must agree. */
	for (size_t n = 0; (other = format_at(formats, f->mode, n)); n++)
		if (other != f && other->page == f)
			break;
	if (other && !format_is_page(other, raw))
		add(&p, "its own bits say that this is a %s, not a page", other->level);
	if (raw & f->no_execute_mask && !platform_has(&platform, PROPERTY_NO_EXECUTE))
		add(&p, "EXECUTE_DISABLE is set, which this platform does not support");
	return p.found;
}
