/* SPDX-License-Identifier: MIT */
/*
 * From RTADDR_REG to the tables of a process: root entry, context entry, PASID tables. Three sets
 * of formats are in use; RTADDR_REG says which. If the search fails, the error says how far it got.
 */
#include "gtt/gtt.h"

#include "db/view.h"
#include "source/part.h"
#include "util/text.h"

#define PASID_BITS 20

/* RTADDR_REG 11:10. */
enum table_type { TYPE_LEGACY, TYPE_SCALABLE, TYPE_EXTENDED, TYPE_ABORT };

/* Of an extended context entry. */
enum { EXTENDED_PASS_THROUGH = 2, EXTENDED_MOST = 5, EXTENDED_RESERVED = 3 };
/* Of a PASID entry. */
enum { FIRST_LEVEL = 1, SECOND_LEVEL = 2, NESTED = 3, PASS_THROUGH = 4 };

struct descent {
	const struct gsc_gpu *gpu;
	struct formats *formats;
	enum table_type type;
	unsigned function;
	uint32_t pasid;
	struct gsc_second_level vtd;
	struct gsc_root root;
	char what[40], way[144];	/* what is looked for; how far the search got */
	struct gsc_error *err;
};

#define fail(d, why, ...)                                                                          \
	err_set((d)->err, GSC_UNKNOWN, (d)->what, why " (path: %s)", ##__VA_ARGS__, (d)->way)

/* ---- entries ------------------------------------------------------------------------------- */

uint64_t gsc_entry_value(const struct gsc_view *view, const struct gsc_entry *entry,
			 const char *name, bool *has)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form;
	uint64_t value = 0;

	*has = false;
	if (!entry->bytes)
		return 0;
	gsc_item_fields(view->db, view, &entry->item, entry->words, entry->bytes / 4, &it);
	while (gsc_field_next(&it, &field)) {
		gsc_field_form(&it, &form);
		if (name_compare(form.join ? form.join : field.name, name))
			continue;
		value |= field.value << form.shift;
		*has = true;
	}
	return value;
}

#define value_of(d, entry, name) gsc_entry_value((d)->gpu->view, entry, name, &(bool){ 0 })

/* Where it is in memory, if the second level is below it. */
static enum gsc_status find_guest(struct descent *d, const char *name, uint64_t guest,
				  uint64_t *address)
{
	struct gsc_translation t = { .gpu = d->gpu,
				     .formats = d->formats, .options.vtd = d->vtd };
	struct page page;
	enum gsc_stop stop = descend(&t, STAGE_GUEST, guest, &(struct walker){ 0 }, &page);

	if (stop)
		return fail(d, "the %s is at guest-physical 0x%llx, and the second level at 0x%llx "
			    "stops there: %s", name, LL(guest),
			    LL(d->vtd.root), gsc_stop_word(stop));
	*address = page.address;
	return GSC_OK;
}

/* A present entry of which at least this many bytes must exist; the rest reads as zero. */
static enum gsc_status read_entry(struct descent *d, const char *level, const char *name,
				  uint64_t address, size_t least, struct gsc_entry *entry)
{
	const struct format *f = format_get(d->formats, GSC_MODE_VTD, level);
	uint32_t words[GSC_ENTRY_WORDS] = { 0 };
	enum gsc_read status;
	struct table table;

	if (!f)
		return fail(d, "no definition of level %s", level);
	status = table_get(d->gpu->source, GSC_PHYS, address, f->bytes, &table);
	if (status || table.bytes < least)
		return fail(d, "the %s at 0x%llx cannot be read: %s", name, LL(address),
			    status == GSC_READ_ABSENT || !status ? "no source holds it" :
								  gsc_read_word(status));
	for (size_t i = 0; i < table.bytes / 4; i++)
		words[i] = (uint32_t)load_le(table.data + i * 4, 4);
	entry_fill(entry, f, words, f->bytes / 4);
	/* "root entry" as "root". */
	string_add(d->way, ", %.*s 0x%llx", (int)(strlen(name) - strlen(" entry")), name,
		   LL(address));
	if (!entry->valid && strcmp(level, "vtd-root"))
		return fail(d, "the %s at 0x%llx is 0x%llx: not present", name, LL(address),
			    LL(entry_raw(entry)));
	return GSC_OK;
}

/* ---- second level -------------------------------------------------------------------------- */

static enum gsc_status take_second_level(struct descent *d, const struct gsc_entry *entry)
{
	uint64_t width = value_of(d, entry, "ADDRESS_WIDTH");

	if (width < 1 || width > 3)
		return fail(d, "the address width of the second level is %llu, which is reserved",
			    LL(width));
	d->vtd = (struct gsc_second_level){ true, entry->address, (unsigned)width + 2 };
	return GSC_OK;
}

/* ---- first level --------------------------------------------------------------------------- */

/* The bits have the same names in all formats; those of extended mode are in two entries. */
static void take_flags(struct descent *d, const struct gsc_entry *entry)
{
	static const struct {
		const char *name;
		unsigned flag;
	} flags[] = {
		{ "EXTENDED_ACCESSED_ENABLE", GSC_ROOT_EXTENDED_ACCESS },
		{ "WRITE_PROTECT_ENABLE", GSC_ROOT_WRITE_PROTECT },
		{ "NO_EXECUTE_ENABLE", GSC_ROOT_NO_EXECUTE },
		{ "SUPERVISOR_REQUESTS_ENABLE", GSC_ROOT_SUPERVISOR },
	};

	d->root.flags |= GSC_ROOT_KNOWN;
	for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
		if (value_of(d, entry, flags[i].name))
			d->root.flags |= flags[i].flag;
}

static void take_first_level(struct descent *d, uint64_t table, bool no_64k)
{
	d->root.mode = GSC_MODE_IA32E;
	d->root.value[0] = table;
	d->root.count = 1;
	d->root.no_64k = no_64k;
}

/* ---- extended mode ------------------------------------------------------------------------- */

/* With nesting the PASID table is guest-physical, too. */
static enum gsc_status descend_extended(struct descent *d, uint64_t contexts)
{
	uint64_t address = contexts + (d->function & 0x7f) * 32, entry_at, type, entries;
	struct gsc_entry context, entry;
	enum gsc_status status = read_entry(d, "vtd-context-ext", "context entry", address, 32,
					    &context);

	if (status)
		return status;
	type = value_of(d, &context, "TRANSLATION_TYPE");
	entries = UINT64_C(32) << value_of(d, &context, "PASID_TABLE_SIZE");
	if (type == EXTENDED_PASS_THROUGH)
		return fail(d, "the context entry says pass-through: requests with PASID are "
			    "blocked");
	if (type == EXTENDED_RESERVED || type > EXTENDED_MOST)
		return fail(d, "translation type %llu of the context entry is reserved", LL(type));
	if (!value_of(d, &context, "PASID_ENABLE"))
		return fail(d, "the context entry has PASIDE 0: requests with PASID are blocked");
	if (d->pasid >= entries)
		return fail(d, "the PASID table has %llu entries", LL(entries));
	entry_at = value_of(d, &context, "PASID_TABLE") + (uint64_t)d->pasid * 8;
	if (value_of(d, &context, "NESTED_TRANSLATION_ENABLE")) {
		status = take_second_level(d, &context);
		if (!status)
			status = find_guest(d, "PASID entry", entry_at, &entry_at);
	}
	if (!status)
		status = read_entry(d, "vtd-pasid-ext", "PASID entry", entry_at, 8, &entry);
	if (status)
		return status;
	take_flags(d, &context);
	take_flags(d, &entry);
	/*
	 * FL64KPE is one of the bits without a public name: if none of them is set, neither is it.
	 */
	take_first_level(d, entry.address, !value_of(d, &entry, "UNDOCUMENTED"));
	return GSC_OK;
}

/* ---- scalable mode ------------------------------------------------------------------------- */

static enum gsc_status take_scalable(struct descent *d, const struct gsc_entry *entry)
{
	uint64_t type = value_of(d, entry, "TRANSLATION_TYPE");
	enum gsc_status status = GSC_OK;

	if (type == PASS_THROUGH)
		return fail(d, "the PASID entry says pass-through: addresses are physical");
	if (type < FIRST_LEVEL || type > NESTED)
		return fail(d, "translation type %llu of the PASID entry is reserved", LL(type));
	if (type != FIRST_LEVEL)
		status = take_second_level(d, entry);
	if (status)
		return status;
	take_flags(d, entry);
	if (type == SECOND_LEVEL) {
		d->root.mode = GSC_MODE_VTD;
		d->root.value[0] = d->vtd.root;
		d->root.value[1] = d->vtd.levels;
		d->root.count = 2;
		return GSC_OK;
	}
	if (value_of(d, entry, "FIRST_LEVEL_PAGING_MODE"))
		return fail(d, "the PASID entry says 5 levels of first-level tables; graphics has "
			    "4");
	take_first_level(d, value_of(d, entry, "FIRST_LEVEL"), true);
	return GSC_OK;
}

/* Kernels print the first halves of context entries, and three words of PASID entries. */
static enum gsc_status descend_scalable(struct descent *d, uint64_t contexts)
{
	uint64_t address = contexts + (d->function & 0x7f) * 32, tables;
	struct gsc_entry context, directory, entry;
	enum gsc_status status = read_entry(d, "vtd-context-sm", "context entry", address, 16,
					    &context);

	if (status)
		return status;
	tables = UINT64_C(128) << value_of(d, &context, "PASID_DIRECTORY_SIZE");
	if (!value_of(d, &context, "PASID_ENABLE") &&
	    d->pasid != value_of(d, &context, "RID_PASID"))
		return fail(d, "the context entry has PASIDE 0: requests with PASID are blocked");
	if (d->pasid >> 6 >= tables)
		return fail(d, "the PASID directory has %llu entries of 64 PASIDs", LL(tables));
	address = context.address + (d->pasid >> 6) * 8;
	status = read_entry(d, "vtd-pasid-dir", "directory entry", address, 8, &directory);
	if (status)
		return status;
	address = directory.address + (d->pasid & 63) * 64;
	status = read_entry(d, "vtd-pasid", "PASID entry", address, 24, &entry);
	return status ? status : take_scalable(d, &entry);
}

/* ---- legacy mode --------------------------------------------------------------------------- */

/* There are no PASIDs, but perhaps a second level that somebody needs. */
static enum gsc_status refuse_legacy(struct descent *d, uint64_t contexts)
{
	uint64_t address = contexts + (d->function & 0xff) * 16;
	struct gsc_entry context;
	enum gsc_status status = read_entry(d, "vtd-context", "context entry", address, 16,
					    &context);
	uint64_t width;

	if (status)
		return status;
	width = value_of(d, &context, "ADDRESS_WIDTH");
	if (value_of(d, &context, "TRANSLATION_TYPE") > 1 || width < 1 || width > 3)
		return fail(d, "RTADDR_REG says legacy mode, which has no PASIDs");
	return fail(d, "RTADDR_REG says legacy mode, which has no PASIDs; the second level of the "
		    "function is 0x%llx/%llu", LL(context.address), LL(width) + 2);
}

/* ---- root ---------------------------------------------------------------------------------- */

static enum gsc_status go_down(struct descent *d, uint64_t rtaddr)
{
	uint64_t address = (rtaddr & ~UINT64_C(0xfff)) + (d->function >> 8) * 16, contexts;
	bool upper = d->type != TYPE_LEGACY && d->function & 0x80;
	struct gsc_entry root;
	enum gsc_status status;

	if (d->type == TYPE_ABORT)
		return fail(d, "RTADDR_REG says that all requests are aborted");
	status = read_entry(d, "vtd-root", "root entry", address, 16, &root);
	if (status)
		return status;
	if (!value_of(d, &root, upper ? "UPPER_PRESENT" : "LOWER_PRESENT"))
		return fail(d, "the %s half of the root entry at 0x%llx is not present",
			    upper ? "upper" : "lower", LL(address));
	contexts = upper ? value_of(d, &root, "UPPER_ADDRESS") : root.address;
	if (d->type == TYPE_LEGACY)
		return refuse_legacy(d, contexts);
	return d->type == TYPE_EXTENDED ? descend_extended(d, contexts) :
					  descend_scalable(d, contexts);
}

enum gsc_status gsc_root_pasid(const struct gsc_gpu *gpu, uint64_t rtaddr, unsigned function,
			       uint32_t pasid, struct gsc_translation_options *options,
			       struct gsc_error *err)
{
	struct descent d = { .gpu = gpu, .function = function, .pasid = pasid, .err = err };
	enum gsc_status status = gpu_needs_source(gpu, err);

	if (status)
		return status;
	snprintf(d.what, sizeof(d.what), "PASID %u of %02x:%02x.%u", pasid, function >> 8 & 0xff,
		 function >> 3 & 0x1f, function & 7);
	if (function > 0xffff || pasid >> PASID_BITS)
		return err_set(err, GSC_USAGE, d.what, "%s", function > 0xffff ?
			       "no such function" : "a PASID has 20 bits");
	d.type = (enum table_type)(rtaddr >> 10 & 3);
	d.formats = formats_of(gpu->view);
	if (!d.formats)
		return err_memory(err);
	snprintf(d.way, sizeof(d.way), "RTADDR_REG 0x%llx", LL(rtaddr));
	status = go_down(&d, rtaddr);
	if (status)
		return status;
	snprintf(d.root.from, sizeof(d.root.from), "%s: %s", d.what, d.way);
	options->root = d.root;
	if (d.vtd.on)
		options->vtd = d.vtd;
	return GSC_OK;
}
