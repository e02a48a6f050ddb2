/* SPDX-License-Identifier: MIT */
/*
 * A translation: the root, the platform and what the source says about both. Where tables begin,
 * and how far they extend: those of a mode; in front of them the tables of tiled resources, which
 * map tiles of 64 KB of one part of the graphics addresses to graphics addresses of the rest; below
 * them the second level of VT-d.
 */
#include "gtt/gtt.h"

#include "db/view.h"
#include "source/source.h"
#include "util/text.h"

/* Bits of GAMW_ECO_DEV_RW_IA that enable pages of 64 KB, all of them. */
#define ENABLE_64K 0xfu

/* In base registers of stolen memory, the bits below these are flags. */
#define STOLEN_BASE (~UINT64_C(0xfffff))

/* ---- what the source tells ----------------------------------------------------------------- */

/* In config space or the BAR; 0: unknown. */
static uint64_t ask_stolen_base(const struct gsc_translation *t, const char *name,
				const char *mirror)
{
	const char *const names[] = { name, mirror };
	struct gsc_reg reg;
	uint64_t base;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (gpu_find(t->gpu, NULL, names[i], -1, &reg) &&
		    !stolen_base_read(t->gpu, &reg, &base))
			return base & STOLEN_BASE;
	return 0;
}

/* Where stolen memory is: the global table's, then `bytes` of data. One base gives the other. */
static void learn_stolen(struct gsc_translation *t, uint64_t table_bytes, uint64_t bytes)
{
	uint64_t table = ask_stolen_base(t, "BGSM", "MBGSM");
	uint64_t data = ask_stolen_base(t, "BDSM", "MBDSM");

	bool in_bar = platform_has(&t->gpu->platform, PROPERTY_STOLEN_BAR);

	if (in_bar)
		table_bytes = GSM_BYTES;
	if (!table && table_bytes && data > table_bytes)
		table = data - table_bytes;
	if (!data && table && in_bar)
		data = table + GSM_BYTES;
	if (table && table_bytes <= UINT64_MAX - table) {
		t->gsm_start = table;
		t->gsm_end = table + table_bytes;
	}
	if (data && bytes <= UINT64_MAX - data) {
		t->stolen_start = data;
		t->stolen_end = data + bytes;
	}
}

/* How long the global table is, and where stolen memory is. */
static void learn_memory(struct gsc_translation *t)
{
	uint64_t ggc, table = 0, data = 0;
	struct gsc_reg reg;

	t->ggtt_bytes = t->gpu->platform.ggtt_max;
	if (!gpu_read_named(t->gpu, NULL, "GGC", -1, &reg, &ggc) &&
	    ggc != size_mask(reg.bits / 8)) {
		reg_bytes(t->gpu->view, &reg, ggc, "GGMS", &table);
		reg_bytes(t->gpu->view, &reg, ggc, "GMS", &data);
	}
	if (table && table < t->ggtt_bytes)
		t->ggtt_bytes = table;
	if (!(t->gpu->platform.flags & GSC_PLATFORM_DISCRETE))
		learn_stolen(t, table, data);
}

/* If the source cannot say, IPS is assumed to enable pages of 64 KB. False: out of memory. */
static bool learn_64k(struct gsc_translation *t)
{
	bool legacy = t->mode == GSC_MODE_PML4 || t->mode == GSC_MODE_PDP32;
	uint64_t value = 0, enable;
	struct gsc_reg reg;

	if (t->mode != GSC_MODE_IA32E || !t->options.root.no_64k) {
		/* Gen11 has the register, but nothing to enable there. */
		if (!legacy || !gpu_find(t->gpu, NULL, "GAMW_ECO_DEV_RW_IA", -1, &reg) ||
		    !gsc_gpu_field(t->gpu, &reg, 0, "ENABLE_64K_IPS", &enable))
			return true;
		t->unsure_64k = gsc_gpu_read(t->gpu, &reg, &value);
		gsc_gpu_field(t->gpu, &reg, value, "ENABLE_64K_IPS", &enable);
		if (t->unsure_64k || enable == ENABLE_64K)
			return true;
	}
	t->formats = t->own_formats = formats_without(t->gpu->view, "pte64k");
	return t->formats;
}

#define PAGE 4096

static void __attribute__((format(printf, 3, 4)))
broken(struct gsc_translation *t, enum gsc_stop stop, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(t->broken_text, sizeof(t->broken_text), format, args);
	va_end(args);
	t->broken = stop;
}

/* ---- roots --------------------------------------------------------------------------------- */

static void init_ggtt(struct gsc_translation *t)
{
	t->top = format_top(t->formats, GSC_MODE_GGTT);
	t->root_space = GSC_GGTT;
	t->root_table[0] = 0;
	t->roots = 1;
	if (t->top)
		t->limit = t->ggtt_bytes / t->top->bytes * PAGE;
}

/* PGTBL_CTL2: base 31:12 and 7:4 (35:32), size 3:1, enable 0. */
static void init_flat(struct gsc_translation *t)
{
	uint32_t value = (uint32_t)t->options.root.value[0];
	unsigned size = value >> 1 & 7;

	if (!(value & 1)) {
		init_ggtt(t);
		snprintf(t->note, sizeof(t->note),
			 "PGTBL_CTL2 0x%x is off (bit 0): the global table is used", value);
		return;
	}
	t->root_table[0] = (value & 0xfffff000) | (uint64_t)(value & 0xf0) << 28;
	if (size > 4)
		broken(t, GSC_STOP_RESERVED_BITS, "size %u (bits 3:1 of PGTBL_CTL2) is reserved",
		       size);
	else
		t->limit = (UINT64_C(0x10000) << size) / t->top->bytes * PAGE;
}

/*
 * PP_DCLV of the engine with this directory; of the first one if no engine says what it has; all
 * groups if nothing says.
 */
static uint32_t find_groups(const struct gsc_translation *t)
{
	const char *engine, *first = NULL, *owner = NULL;
	uint64_t groups, value;
	struct gsc_reg reg;
	bool told = false;

	for (size_t i = 0; !owner; i++) {
		engine = gsc_platform_engine(t->gpu->view->db, t->gpu->platform.index, i, NULL);
		if (!engine)
			break;
		if (!first)
			first = engine;
		/* On Gen6 the value of PP_DIR_BASE reads back from another register. */
		if ((!platform_has(&t->gpu->platform, PROPERTY_DIRECTORY_READ) ||
		     gpu_read_named(t->gpu, engine, "PP_DIR_BASE_READ", -1, NULL, &value)) &&
		    gpu_read_named(t->gpu, engine, "PP_DIR_BASE", -1, NULL, &value))
			continue;
		told = true;
		if (value == t->options.root.value[0])
			owner = engine;
	}
	if (!told)
		owner = first;
	if (!owner || !gpu_find(t->gpu, owner, "PP_DCLV", -1, &reg))
		return UINT32_MAX;
	reg.bits = 32;			/* of 64; a dump may have no more */
	return gsc_gpu_read(t->gpu, &reg, &groups) ? UINT32_MAX : (uint32_t)groups;
}

/* Pointers to tables in memory: bits beyond the width of addresses are ignored. */
static void init_pointers(struct gsc_translation *t)
{
	const struct gsc_root *root = &t->options.root;
	uint64_t mask = (UINT64_C(1) << t->haw) - PAGE;

	t->root_space = t->top->tables_local ? GSC_LMEM : GSC_PHYS;
	t->roots = t->mode == GSC_MODE_PDP32 ? MIN(root->count, 4u) : 1;
	for (unsigned i = 0; i < t->roots; i++) {
		t->root_table[i] = root->value[i] & mask;
		if (root->value[i] & ~mask & ~UINT64_C(0xfff))
			snprintf(t->note, sizeof(t->note),
				 "the root 0x%llx has bits above the %u address bits; they are "
				 "ignored", LL(root->value[i]), t->haw);
	}
}

/* The first table of the second level; NULL: the definitions have none. */
static const struct format *guest_top(struct gsc_translation *t)
{
	static const char *const tops[] = { "vtd-sl-pdpe", "vtd-sl-pml4e", "vtd-sl-pml5e" };

	if (!t->guest_top)
		t->guest_top = format_get(t->formats, GSC_MODE_VTD,
					  tops[t->options.vtd.levels - 3]);
	return t->guest_top;
}

static void init_tables(struct gsc_translation *t)
{
	uint64_t value = t->options.root.value[0];

	t->top = format_top(t->formats, t->mode);
	if (t->options.trtt.on)
		t->tile_top = format_top(t->formats, GSC_MODE_TRTT);
	t->root_space = GSC_PHYS;
	t->roots = 1;
	t->groups = UINT32_MAX;
	t->limit = UINT64_C(1) << t->va_bits;
	if (t->mode == GSC_MODE_VTD) {
		/* Its addresses are guest-physical, its tables are in memory itself. */
		t->top = guest_top(t);
		t->root_table[0] = t->options.vtd.root & ~(uint64_t)(PAGE - 1);
	} else if (!t->top) {
		return;
	} else if (t->mode == GSC_MODE_GGTT) {
		init_ggtt(t);
	} else if (t->mode == GSC_MODE_FLAT) {
		init_flat(t);
	} else if (t->mode == GSC_MODE_2LEVEL) {
		/* PP_DIR_BASE: bits 31:16 count 64-byte units of the global table itself. */
		t->root_space = GSC_GGTT;
		t->root_table[0] = (value & 0xffff0000) >> 10;
		t->groups = find_groups(t);
		if (value & ~UINT64_C(0xffff0000))
			string_set(t->note, "only bits 31:16 of PP_DIR_BASE 0x%llx are used",
				   LL(value));
	} else {
		init_pointers(t);
	}
}

/* ---- making one ---------------------------------------------------------------------------- */

/* Four pointers need four places in a context: where tables have five levels it has only one. */
static bool has_mode(const struct gsc_translation *t, enum gsc_mode mode)
{
	struct gsc_reg reg;

	return format_top(t->formats, mode) &&
	       (mode != GSC_MODE_PDP32 || gpu_find(t->gpu, NULL, "RING_PDP_LDW", 3, &reg));
}

static enum gsc_status check_mode(struct gsc_translation *t, struct gsc_error *err)
{
	struct gsc_second_level *vtd = &t->options.vtd;
	const struct gsc_root *root = &t->options.root;
	char list[128];
	struct text text = text_of(list);

	/* Second-level tables alone: the address is already guest-physical. */
	if (t->mode == GSC_MODE_VTD) {
		vtd->on = true;
		vtd->root = root->value[0];
		vtd->levels = root->count > 1 && root->value[1] ? (unsigned)root->value[1] : 4;
	}
	if (vtd->on && (vtd->levels < 3 || vtd->levels > 5))
		return err_set(err, GSC_USAGE, "second-level tables", "%u levels: not 3, 4 or 5",
			       vtd->levels);
	if (t->options.trtt.on && !format_top(t->formats, GSC_MODE_TRTT))
		return err_set(err, GSC_USAGE, gsc_mode_name(GSC_MODE_TRTT),
			       "%s has no tiled resources", t->gpu->platform.name);
	if (t->mode == GSC_MODE_VTD || ((unsigned)t->mode < GSC_MODE_TRTT && has_mode(t, t->mode)))
		return GSC_OK;
	for (unsigned mode = 0; mode < GSC_MODE_TRTT; mode++)
		if (has_mode(t, (enum gsc_mode)mode))
			text_join(&text, ", ", gsc_mode_name((enum gsc_mode)mode));
	return err_set(err, GSC_USAGE, gsc_mode_name(t->mode), "%s has no such mode; it has %s",
		       t->gpu->platform.name, list);
}

static unsigned address_bits(const struct gsc_translation *t)
{
	switch (t->mode) {
	case GSC_MODE_FLAT:
		return 30;
	case GSC_MODE_2LEVEL:
		return 31;
	case GSC_MODE_GGTT:
	case GSC_MODE_PDP32:
		return 32;
	case GSC_MODE_PML4:
		return t->gpu->platform.virtual_bits;
	case GSC_MODE_VTD:
		return 12 + 9 * t->options.vtd.levels;
	default:
		return 48;
	}
}

enum gsc_status gsc_translation_new(struct gsc_translation **out, const struct gsc_gpu *gpu,
				    const struct gsc_translation_options *options,
				    struct gsc_error *err)
{
	struct gsc_translation *t;
	enum gsc_status status = gpu_needs_source(gpu, err);
	uint64_t value;

	*out = NULL;
	if (status)
		return status;
	t = calloc(1, sizeof(*t));
	if (!t)
		return err_memory(err);
	t->gpu = gpu;
	t->options = *options;
	t->mode = options->root.mode;
	t->formats = formats_of(gpu->view);
	status = t->formats ? check_mode(t, err) : err_memory(err);
	if (!status && !learn_64k(t))
		status = err_memory(err);
	if (status) {
		gsc_translation_free(t);
		return status;
	}
	t->iommu = gsc_source_iommu(gpu->source) && !t->options.vtd.on;
	t->haw = t->gpu->platform.address_bits;
	t->va_bits = address_bits(t);
	learn_memory(t);
	if (!gpu_read_named(gpu, NULL, "GTT_CACHE_EN", -1, NULL, &value))
		t->gtt_cache = (uint32_t)value;
	init_tables(t);
	*out = t;
	return GSC_OK;
}

void gsc_translation_free(struct gsc_translation *t)
{
	if (!t)
		return;
	formats_free(t->own_formats);
	vec_free(&t->blanks);
	vec_free(&t->steps);
	free(t);
}

const struct gsc_root *gsc_translation_root(const struct gsc_translation *t)
{
	return &t->options.root;
}

/* ---- its tables ---------------------------------------------------------------------------- */

unsigned walk_tops(struct gsc_translation *t, struct top tops[4])
{
	uint64_t bytes;

	if (t->broken || !t->top)
		return 0;
	bytes = format_table_bytes(t->top);
	if (t->roots == 1)
		bytes = MIN(bytes, (t->limit >> t->top->index_lo) * t->top->every * t->top->bytes);
	for (unsigned i = 0; i < t->roots; i++)
		tops[i] = (struct top){
			.format = t->top,
			.space = t->root_space,
			.guest = t->options.vtd.on && t->mode != GSC_MODE_VTD &&
				 t->root_space == GSC_PHYS,
			.address = t->root_table[i],
			.bytes = bytes,
			.va = (uint64_t)i << (t->top->index_hi + 1),
			.groups = t->groups,
		};
	return t->roots;
}

/* ---- where they begin -------------------------------------------------------------------- */

bool address_canonical(uint64_t *address, unsigned bits)
{
	uint64_t low = *address & ((UINT64_C(1) << bits) - 1), high = *address >> bits;

	if (high && (high != UINT64_MAX >> bits || !(low >> (bits - 1))))
		return false;
	*address = low;
	return true;
}

/* Whatever the mode translates, addresses are written with at least 48 bits. */
unsigned canonical_bits(const struct gsc_translation *t)
{
	return MAX(t->va_bits, 48u);
}

enum gsc_stop tables_begin(struct gsc_translation *t, enum stage stage, uint64_t address,
			   struct cursor *cursor)
{
	*cursor = (struct cursor){ .stage = stage, .address = address };
	if (stage == STAGE_TABLES) {
		uint64_t root = 0;

		cursor->format = t->top;
		cursor->space = t->root_space;
		if (!address_canonical(&cursor->address, canonical_bits(t)))
			return GSC_STOP_NOT_CANONICAL;
		if (t->broken || !t->top)
			return t->broken ? t->broken : GSC_STOP_NOT_PRESENT;
		if (cursor->address >= t->limit)
			return GSC_STOP_BEYOND_TABLE;
		cursor->index = format_index(cursor->format, cursor->address);
		if (t->mode == GSC_MODE_PDP32)
			root = cursor->address >> 30;
		if (root >= t->roots)
			return GSC_STOP_NOT_PRESENT;
		cursor->table = t->root_table[root];
		if (t->mode != GSC_MODE_2LEVEL)
			return GSC_STOP_NONE;
		/* The entries of an invalid group are not fetched. */
		if (!(t->groups >> (cursor->index / 16 & 31) & 1))
			return GSC_STOP_NOT_PRESENT;
		return cursor_entry(cursor) < t->ggtt_bytes ? GSC_STOP_NONE : GSC_STOP_BEYOND_TABLE;
	}
	if (stage == STAGE_TILES) {
		cursor->format = t->tile_top;
		cursor->space = t->options.trtt.physical ? GSC_PHYS : GSC_GTTMEM;
		cursor->table = trtt_table(t);
	} else {
		if (address >> (12 + 9 * t->options.vtd.levels))
			return GSC_STOP_BEYOND_TABLE;
		cursor->format = guest_top(t);
		cursor->space = GSC_PHYS;
		cursor->table = t->options.vtd.root & ~(uint64_t)(PAGE - 1);
	}
	if (!cursor->format)
		return GSC_STOP_NOT_PRESENT;
	cursor->index = format_index(cursor->format, address);
	return GSC_STOP_NONE;
}

/* ---- tiled resources ----------------------------------------------------------------------- */

/* 47:44 of an address are compared with the data where the mask has ones. */
bool trtt_holds(const struct gsc_tiled *tiled, uint64_t address)
{
	unsigned mask = tiled->va >> 4 & 0xf, data = tiled->va & 0xf;

	return tiled->on && mask && !((address >> 44 ^ data) & mask) && !(address >> 48);
}

/* The pointer has no bits 15:12 before Gen12. */
uint64_t trtt_table(const struct gsc_translation *t)
{
	unsigned low = platform_value(&t->gpu->platform, PROPERTY_TRTT_POINTER_BIT);

	return t->options.trtt.l3 >> low << low & UINT64_C(0xffffffffffff);
}

enum gsc_stop trtt_tile(const struct gsc_tiled *tiled, uint64_t raw)
{
	if (tiled->has_null && raw == tiled->null)
		return GSC_STOP_NULL_TILE;
	return tiled->has_invalid && raw == tiled->invalid ? GSC_STOP_INVALID_TILE : GSC_STOP_NONE;
}
