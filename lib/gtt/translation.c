/* SPDX-License-Identifier: MIT */
/* A translation: the root, the platform and what the source says about both. */
#include "gtt/gtt.h"

#include "db/view.h"
#include "util/text.h"

#include <stdio.h>

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
	tables_init(t);
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
