/* SPDX-License-Identifier: MIT */
/*
 * The ranges of the machine's address space that matter to the GPU, as config space and registers
 * give them, and where these are inconsistent.
 */
#include "db/view.h"
#include "gtt/gtt.h"
#include "gtt/windows.h"
#include "util/text.h"

#define KIB UINT64_C(1024)
#define MIB (KIB * KIB)
#define GIB (MIB * KIB)
#define PAGE 4096u

struct survey {
	const struct gsc_gpu *gpu;
	VEC(struct gsc_window) windows;
	struct gsc_window none;		/* in place of one that is not there */
	bool no_memory;
	uint64_t registers;		/* where BAR 0 begins; 0: unknown */
	uint64_t table_bytes;		/* of the GGTT, by GGC; 0: unknown, or */
	bool no_table;			/* GGC gives it no memory */
};

/* A register that was looked up. */
struct answer {
	struct gsc_reg reg;
	uint64_t value;
	enum gsc_read status;
	bool defined;
};

/* ---- asking --------------------------------------------------------------------------------- */

static struct answer ask(const struct survey *s, const char *name)
{
	struct answer a = { .status = GSC_READ_ABSENT };

	a.defined = gpu_find(s->gpu, NULL, name, -1, &a.reg);
	if (a.defined)
		a.status = gsc_gpu_read(s->gpu, &a.reg, &a.value);
	if (a.status == GSC_READ_OK && a.value == size_mask(a.reg.bits / 8))
		a.status = GSC_READ_ALL_ONES;
	return a;
}

static bool told(const struct answer *a)
{
	return a->defined && a->status == GSC_READ_OK;
}

/* It exists, but has no value: asleep, denied, all ones. */
static bool mute(const struct answer *a)
{
	return a->defined && a->status != GSC_READ_OK && a->status != GSC_READ_ABSENT;
}

/* Bits of a field of a register, or `otherwise`. */
static uint64_t field_of(const struct survey *s, const struct answer *a, const char *name,
			 uint64_t otherwise)
{
	uint64_t value;

	return reg_field(s->gpu->view, &a->reg, a->value, name, &value) ? value : otherwise;
}

static bool bytes_of(const struct survey *s, const struct answer *a, const char *name,
		     uint64_t *bytes)
{
	return reg_bytes(s->gpu->view, &a->reg, a->value, name, bytes);
}

/* ---- windows -------------------------------------------------------------------------------- */

/* Valid until there is another one. */
static struct gsc_window *window(struct survey *s, const char *name, uint64_t start,
				 uint64_t length)
{
	struct gsc_window *w = vec_add(&s->windows);

	s->no_memory |= !w;
	w = w ? w : &s->none;
	*w = (struct gsc_window){ .name = name, .start = start, .length = length };
	return w;
}

/* Without length if there is no such window. */
static struct gsc_window *find(struct survey *s, const char *name)
{
	for (size_t i = 0; i < s->windows.count; i++)
		if (!strcmp(s->windows.items[i].name, name))
			return &s->windows.items[i];
	s->none = (struct gsc_window){ .name = name };
	return &s->none;
}

/* "config 0x5c BDSM 0xdba00001", appended to what is there already. */
static void says_register(struct gsc_window *w, const struct answer *a)
{
	if (told(a))
		string_add(w->from, "%s%s 0x%llx %s 0x%llx", *w->from ? ", " : "",
			   gsc_space_name(a->reg.space), LL(a->reg.offset), a->reg.name,
			   LL(a->value));
}

/* Several are joined. */
#define wrong(w, ...)                                                                              \
	(string_add((w)->problem, "%s", *(w)->problem ? "; " : ""),                                \
	 string_add((w)->problem, __VA_ARGS__))

/* Without it, place or size of the window is unknown. */
static void not_told(struct gsc_window *w, const struct answer *a)
{
	if (!a->defined || told(a))
		return;
	w->status = a->status;
	wrong(w, "%s 0x%llx %s is %s", gsc_space_name(a->reg.space), LL(a->reg.offset), a->reg.name,
	      a->status == GSC_READ_ABSENT ? "not in the source" : gsc_read_word(a->status));
}

static bool overlap(const struct gsc_window *a, const struct gsc_window *b)
{
	return a->length && b->length && (a->start >= b->start ? a->start - b->start < b->length
							       : b->start - a->start < a->length);
}

/* ---- BARs ----------------------------------------------------------------------------------- */

#define BAR_IS_IO (1u << 0)
#define BAR_FLAGS 0xfu

static void check_bar(struct survey *s, struct gsc_window *w, const struct answer *a)
{
	struct answer command = ask(s, "PCICMD2");
	char size[32];

	if (a->value & BAR_IS_IO)
		wrong(w, "the BAR says that it is an I/O port range");
	if (!w->start)
		wrong(w, "it has no address assigned");
	if (w->length && w->start % w->length)
		wrong(w, "not aligned to its size of %s", size_text(w->length, size, sizeof(size)));
	if (told(&command) && !(command.value & 2))
		wrong(w, "memory access is off (PCICMD2 0x%llx): it does not answer",
		      LL(command.value));
}

/* The window of a BAR, if it has a value; *a is the register. */
static struct gsc_window *bar_window(struct survey *s, const char *name, uint64_t length,
				     struct answer *a)
{
	struct gsc_window *w;
	uint64_t start;

	*a = ask(s, name);
	if (mute(a))
		not_told(window(s, name, 0, 0), a);
	if (!told(a))
		return NULL;
	start = a->value & ~(uint64_t)BAR_FLAGS;
	w = window(s, name, (a->value >> 1 & 3) == 2 ? start : (uint32_t)start, length);
	says_register(w, a);
	return w;
}

/* Where the entries are accessible; there may be fewer of them than space. */
static void table_bar(struct survey *s)
{
	const struct gsc_platform *p = &s->gpu->platform;
	uint64_t room = p->bar_size > p->ggtt_offset ? p->bar_size - p->ggtt_offset : 0;
	uint64_t length = s->table_bytes ? s->table_bytes : p->ggtt_max;
	struct gsc_window *w;
	struct answer a;
	char size[32], entries[32];

	if (p->ggtt_bar) {
		w = bar_window(s, "GTTADR", length, &a);
		if (w)
			check_bar(s, w, &a);
		return;
	}
	if (!s->registers || !room)
		return;
	if (s->no_table) {
		string_add(window(s, "GTTADR", 0, 0)->from, "GGC gives the table no memory");
		return;
	}
	w = window(s, "GTTADR", s->registers + p->ggtt_offset, MIN(length, room));
	string_add(w->from, "GTTMMADR + %s", size_text(p->ggtt_offset, size, sizeof(size)));
	if (s->table_bytes)
		string_add(w->from, ", GGC");
	if (s->table_bytes > p->ggtt_max)
		wrong(w, "GGC gives the table %s, but %s has at most %s",
		      size_text(s->table_bytes, size, sizeof(size)), p->name,
		      size_text(p->ggtt_max, entries, sizeof(entries)));
}

/* Bytes of the aperture, or 0. Codes that the manuals call illegal count as the next size. */
static uint64_t aperture_bytes(const struct survey *s, const struct answer *msac, bool *illegal)
{
	uint64_t code, bits = 0;

	*illegal = false;
	if (!told(msac))
		return 0;
	code = field_of(s, msac, "LHSAS", UINT64_MAX);
	if (code != UINT64_MAX) {
		*illegal = code == 2;
		return (UINT64_C(128) << (code > 1 ? 2 : code)) * MIB;
	}
	code = field_of(s, msac, "APSZ", UINT64_MAX);
	if (code == UINT64_MAX)
		return 0;
	while (bits < 5 && code >> bits)
		bits++;
	*illegal = code != (UINT64_C(1) << bits) - 1;
	return (UINT64_C(128) << bits) * MIB;
}

static void aperture(struct survey *s)
{
	unsigned entry = s->gpu->platform.ggtt_entry;
	uint64_t span = entry ? s->table_bytes / entry * PAGE : 0;	/* that the table maps */
	struct answer a, msac = ask(s, "MSAC");
	bool illegal;
	uint64_t bytes = aperture_bytes(s, &msac, &illegal);
	struct gsc_window *w = bar_window(s, "GMADR", bytes, &a);
	char size[32], all[32];

	if (!w)
		return;
	says_register(w, &msac);
	check_bar(s, w, &a);
	if (!w->length && msac.defined)
		not_told(w, &msac);
	else if (!w->length)
		wrong(w, "its size is unknown: no documented register has it");
	if (illegal)
		wrong(w, "%s 0x%llx is an illegal size", msac.reg.name, LL(msac.value));
	if (!w->length || !span)
		return;
	if (w->length > span)
		wrong(w, "has %s, but the GGTT maps only %s",
		      size_text(w->length, size, sizeof(size)), size_text(span, all, sizeof(all)));
	else if (w->length < span)
		string_add(w->from, ", first %s of %s", size_text(w->length, size, sizeof(size)),
		     size_text(span, all, sizeof(all)));
}

/* ---- stolen memory -------------------------------------------------------------------------- */

#define BASE_MASK (~(MIB - 1))

enum gsc_read stolen_base_read(const struct gsc_gpu *gpu, const struct gsc_reg *reg,
			       uint64_t *value)
{
	enum gsc_read status = gsc_gpu_read(gpu, reg, value);
	struct gsc_reg part = *reg;

	if (status == GSC_READ_ABSENT && reg->bits == 32) {
		part.bits = 16;
		part.offset += 2;
		status = gsc_gpu_read(gpu, &part, value);
		if (!status && *value == size_mask(part.bits / 8))
			return GSC_READ_ALL_ONES;
		*value <<= 16;
		return status;
	}
	return !status && *value == size_mask(reg->bits / 8) ? GSC_READ_ALL_ONES : status;
}

/* A base of stolen memory: the first of two registers that has a value. */
static struct answer ask_either(const struct survey *s, const char *name, const char *other)
{
	const char *const names[] = { name, other };
	struct answer first = { .status = GSC_READ_ABSENT };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct answer a = { .status = GSC_READ_ABSENT };

		a.defined = gpu_find(s->gpu, NULL, names[i], -1, &a.reg);
		if (a.defined)
			a.status = stolen_base_read(s->gpu, &a.reg, &a.value);
		if (told(&a))
			return a;
		if (!first.defined)
			first = a;
	}
	return first;
}

static void data_stolen(struct survey *s, const struct answer *ggc)
{
	struct answer base = ask_either(s, "BDSM", "MBDSM"), mirror = ask(s, "MBDSM");
	uint64_t bytes = 0;
	bool reserved = told(ggc) && !bytes_of(s, ggc, "GMS", &bytes);
	bool none = told(ggc) && !bytes && !reserved;
	struct gsc_window *w;

	if (!base.defined || (!told(&base) && !mute(&base) && !s->registers))
		return;
	w = window(s, "DSM", told(&base) && !none ? base.value & BASE_MASK : 0,
		   told(&base) ? bytes : 0);
	says_register(w, &base);
	says_register(w, ggc);
	if (!none)
		not_told(w, &base);
	not_told(w, ggc);
	if (reserved)
		wrong(w, "%s 0x%llx: reserved size", ggc->reg.name, LL(ggc->value));
	/* Firmware writes the base into config space and into the registers. */
	if (told(&base) && told(&mirror) && mirror.reg.offset != base.reg.offset &&
	    (mirror.value & BASE_MASK) != (base.value & BASE_MASK))
		wrong(w, "%s says 0x%llx", mirror.reg.name, LL(mirror.value));
	if (w->length && !w->start)
		wrong(w, "begins at 0");
}

static void table_stolen(struct survey *s, const struct answer *ggc)
{
	struct answer base = ask_either(s, "BGSM", "MBGSM");
	struct answer data = ask_either(s, "BDSM", "MBDSM");
	struct gsc_window *w;
	uint64_t start = 0;

	if (!ggc->defined || field_of(s, ggc, "GGMS", UINT64_MAX) == UINT64_MAX ||
	    (!told(ggc) && !mute(ggc) && !s->registers))
		return;
	/* If no register gives the base, the table is directly below the data. */
	if (!s->no_table && told(&base))
		start = base.value & BASE_MASK;
	else if (s->table_bytes && told(&data) && (data.value & BASE_MASK) >= s->table_bytes)
		start = (data.value & BASE_MASK) - s->table_bytes;
	w = window(s, "GSM", start, start ? s->table_bytes : 0);
	says_register(w, &base);
	if (!told(&base) && start)
		string_add(w->from, "below DSM");
	says_register(w, ggc);
	not_told(w, ggc);
	if (!told(&base) && !s->no_table)
		not_told(w, &data);
	if (s->no_table)
		wrong(w, "GGC gives the table no memory");
	else if (told(ggc) && !s->table_bytes)
		wrong(w, "%s 0x%llx: reserved size", ggc->reg.name, LL(ggc->value));
	if (!w->status && !s->no_table && !start)
		w->status = GSC_READ_ABSENT;
}

/* Ends where the system's memory ends. */
static void check_top(struct survey *s, struct gsc_window *w)
{
	struct answer top = ask(s, "MTOLUD");

	if (w->length && told(&top) && w->start + w->length > (top.value & BASE_MASK))
		wrong(w, "reaches past %s 0x%llx", top.reg.name, LL(top.value));
}

static void check_stolen(struct survey *s)
{
	struct gsc_window *table = find(s, "GSM"), *data = find(s, "DSM");
	uint64_t limit = UINT64_C(1) << s->gpu->platform.address_bits;

	if (overlap(table, data))
		wrong(data, "overlaps GSM");
	else if (table->length && data->length && table->start + table->length != data->start)
		wrong(data, "GSM ends at 0x%llx, not at the start of DSM",
		      LL(table->start + table->length));
	if (data->length && (data->start >= limit || data->length > limit - data->start))
		wrong(data, "reaches past %u address bits", s->gpu->platform.address_bits);
	check_top(s, table);
	check_top(s, data);
}

/* ---- the part of it that belongs to firmware ------------------------------------------------ */

/*
 * Where it begins is in the register, or it ends where stolen memory does; with an unknown size it
 * reaches to that end.
 */
static void firmware_memory(struct survey *s)
{
	struct answer a = ask(s, "STOLEN_RESERVED");
	const struct gsc_window data = *find(s, "DSM");
	uint64_t bytes = 0, start, end = data.start + data.length;
	struct gsc_window *w;

	if (!told(&a) || !field_of(s, &a, "ENABLE", 1))
		return;
	bytes_of(s, &a, "SIZE", &bytes);
	if (!bytes_of(s, &a, "ADDR", &start) && !bytes_of(s, &a, "ADDR2", &start))
		start = data.length > bytes ? end - bytes : 0;
	if (!bytes && start && end > start)
		bytes = end - start;
	w = window(s, "WOPCM", start, start ? bytes : 0);
	says_register(w, &a);
	if (data.length && w->length && (start < data.start || start >= end || bytes > end - start))
		wrong(w, "not within DSM");
}

/* ---- parts of the register BAR, and tiles --------------------------------------------------- */

static void add_ranges(struct survey *s, const struct layer *l, const char *kind, const char *name)
{
	for (uint32_t i = 0; s->registers && i < layer_count(l, B_RANGES); i++) {
		const struct b_range *range = LAYER_ITEM(l, B_RANGES, struct b_range, i);
		struct gsc_window *w;

		if (strcmp(layer_text(l, range->kind), kind) ||
		    !where_holds(&range->where, s->gpu->view->bit, s->gpu->view->revision) ||
		    range->last >= s->gpu->platform.bar_size)
			continue;
		w = window(s, name, s->registers + range->start, range->last - range->start + 1);
		string_add(w->from, "GTTMMADR + 0x%llx", LL(range->start));
	}
}

#define TILED_BITS 44

static void tiled_range(struct survey *s)
{
	struct gsc_tiled tiled;
	struct gsc_window *w;

	gsc_root_tiled(s->gpu, NULL, &tiled);
	if (!tiled.on || !(tiled.va >> 4 & 0xf))
		return;
	w = window(s, "TR-TT", (uint64_t)(tiled.va & 0xf) << TILED_BITS, UINT64_C(1) << TILED_BITS);
	string_add(w->from, "%s: graphics addresses", tiled.from);
	if ((tiled.va >> 4 & 0xf) != 0xf)
		wrong(w, "TRVADR 0x%x: a mask other than 0xf is not supported", tiled.va);
}

/* ---- the whole ------------------------------------------------------------------------------ */

enum gsc_status gsc_windows(const struct gsc_gpu *gpu, struct gsc_window **windows, size_t *count,
			    struct gsc_error *err)
{
	struct survey s = { .gpu = gpu };
	struct answer ggc = ask(&s, "GGC"), a;
	struct gsc_window *w;
	static const char *const bars[] = { "GTTMMADR", "GMADR" };
	static const char *const stolen[] = { "GSM", "DSM" };

	if (told(&ggc))
		s.no_table = bytes_of(&s, &ggc, "GGMS", &s.table_bytes) && !s.table_bytes;
	w = bar_window(&s, "GTTMMADR", gpu->platform.bar_size, &a);
	if (w) {
		s.registers = w->start;
		check_bar(&s, w, &a);
	}
	table_bar(&s);
	aperture(&s);
	w = bar_window(&s, "LMEMBAR", 0, &a);
	if (w) {
		check_bar(&s, w, &a);
		wrong(w, "its size is unknown: neither config space nor registers hold it");
	}
	table_stolen(&s, &ggc);
	data_stolen(&s, &ggc);
	check_stolen(&s);
	/* A window of the BARs and memory reserved by firmware do not overlap. */
	if (overlap(find(&s, "GTTMMADR"), find(&s, "GMADR")))
		wrong(find(&s, "GMADR"), "overlaps GTTMMADR");
	for (size_t i = 0; i < ARRAY_SIZE(bars); i++)
		for (size_t n = 0; n < ARRAY_SIZE(stolen); n++)
			if (overlap(find(&s, bars[i]), find(&s, stolen[n])))
				wrong(find(&s, stolen[n]), "overlaps %s", bars[i]);
	firmware_memory(&s);
	for (size_t i = 0; i < db_layer_count(gpu->view->db); i++) {
		add_ranges(&s, db_layer(gpu->view->db, i), "alias", "MCHBAR alias");
		add_ranges(&s, db_layer(gpu->view->db, i), "null", "null range");
	}
	tiled_range(&s);
	if (s.no_memory)
		vec_free(&s.windows);
	*windows = s.windows.items;
	*count = s.windows.count;
	return s.no_memory ? err_memory(err) : GSC_OK;
}
