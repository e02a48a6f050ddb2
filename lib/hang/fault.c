/* SPDX-License-Identifier: MIT */
/*
 * The registers that latch page faults. Each keeps one fault, the first since its valid bit was
 * cleared: of an engine up to Gen7.5, of all engines of a GT from Gen8 on, where two more registers
 * have the address. Gen6 also has a log of 32 faults, for surfaces that may be missing.
 */
#include "hang/hang.h"

#include "util/text.h"

#define LOG_ENTRIES 32			/* entries of PP_PFD */
#define GROUP_BITS 26			/* 16 entries of a directory, of 4 MB each: PP_DCLV */

#define say(fault, ...) string_add((fault)->text, __VA_ARGS__)

/* ---- fields --------------------------------------------------------------------------------- */

/* The definition's name for the value of a field; a code without a name gives none. */
static bool value_of(const struct gsc_field_iter *it, uint64_t code, struct gsc_value *value)
{
	for (size_t i = 0; gsc_field_value(it, i, value); i++)
		if (code >= value->lo && code <= value->hi)
			return true;
	return false;
}

static void set_space(struct gsc_fault *fault, uint64_t global)
{
	fault->space = global ? "ggtt" : "ppgtt";
}

static void read_fields(const struct gsc_hang *hang, struct gsc_fault *fault)
{
	/* What Gen6 calls PD is also an entry of the directory. */
	static const struct {
		const char *type, *level;
	} levels[] = {
		{ "page fault", "pte" }, { "invalid PTE", "pte" }, { "invalid PD", "pde" },
		{ "unloaded PD", "pde" }, { "invalid and unloaded PD", "pde" },
		{ "invalid PDE", "pde" }, { "invalid PDPE", "pdpe" }, { "invalid PML4E", "pml4e" },
	};
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_value value;

	gsc_reg_fields(hang->gpu->view, &fault->reg, fault->value, &it);
	while (gsc_field_next(&it, &field)) {
		if (!field.name)
			continue;
		if (glob_match("VALID*", field.name)) {
			fault->valid = field.value;
		} else if (glob_match("VIRTUAL_ADDRESS*", field.name)) {
			fault->has_address = true;
			fault->address = field.value << field.lo;
		} else if (glob_match("GTT*SEL", field.name)) {
			set_space(fault, field.value);
		} else if (glob_match("SRCID*", field.name)) {
			fault->source_id = (int)field.value;
		} else if (!strcmp(field.name, "FAULT_TYPE") &&
			   value_of(&it, field.value, &value)) {
			fault->type = value.name;
			for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
				if (!strcmp(levels[i].type, value.name))
					fault->level = levels[i].level;
		} else if (!strcmp(field.name, "ENGINE_ID") &&
			   value_of(&it, field.value, &value) && value.doc) {
			/* A value has the manual's name of an engine; its doc is ours. */
			for (size_t i = 0; i < hang->engines.count; i++)
				if (!strcmp(value.doc, "guc") ||
				    !strcmp(hang->engines.items[i].e.name, value.doc))
					string_set(fault->engine, "%s", value.doc);
		}
	}
}

/* A field of a register; false: the source does not have it. */
static bool field_of(const struct gsc_hang *hang, const char *engine, const char *name,
		     const char *field, uint64_t *value)
{
	struct gsc_reg reg;
	uint64_t raw;

	return hang_read(hang, engine, name, -1, &reg, &raw) &&
	       gsc_gpu_field(hang->gpu, &reg, raw, field, value);
}

/* ---- what it means -------------------------------------------------------------------------- */

/* Not every definition says which one. */
static const char *in_space(const struct gsc_fault *fault)
{
	if (!fault->space)
		return "";
	return strcmp(fault->space, "ggtt") ? " in the PPGTT" : " in the GGTT";
}

/* PP_DCLV limits what a process may use: P3 1.1.2.2. */
static void say_directory(const struct gsc_hang *hang, struct gsc_fault *fault)
{
	unsigned group = (unsigned)(fault->address >> GROUP_BITS);
	struct gsc_reg reg;
	uint64_t enabled;

	if (!gpu_find(hang->gpu, fault->engine, "PP_DCLV", -1, &reg) || !fault->has_address ||
	    !fault->space || strcmp(fault->space, "ppgtt"))
		return;
	if (group > 31) {
		say(fault, " That is past the 2 GB of a directory.");
		return;
	}
	if (!hang_read(hang, fault->engine, reg.name, -1, NULL, &enabled) || enabled >> group & 1)
		return;
	say(fault, " PP_DCLV 0x%llx does not enable entries %u to %u of the directory, so they are "
	    "not even fetched: a fatal error.", LL(enabled), group * 16, group * 16 + 15);
}

/*
 * P2 5.7.1.1 lets Gen6 and Gen7 continue when something is missing. icl-vol6, with its fault
 * models, covers Gen7.5: it hangs, which can be switched off.
 */
static void say_consequence(const struct gsc_hang *hang, struct gsc_fault *fault)
{
	uint64_t goes_on;

	if (platform_has(&hang->gpu->platform, PROPERTY_EXECLISTS))
		return;
	if (!platform_has(&hang->gpu->platform, PROPERTY_FAULTS_PASS)) {
		say(fault, " The engine hangs on a fault by default.");
		return;
	}
	say(fault, " Reads of the page returned 0, writes were lost");
	if (field_of(hang, NULL, "GAB_CTL", "CONT_AFTER_PAGEFAULT", &goes_on))
		say(fault, "; GAB_CTL %s the engine to continue after a fault",
		    goes_on ? "asks" : "does not ask");
	say(fault, ".");
}

/*
 * Gen6 and Gen7 continue, except for the blitter, whose arbiter must be told to, and for the
 * entries of the fault log, which wait to be served.
 */
bool hang_fault_stops(const struct gsc_hang *hang, const struct gsc_fault *fault)
{
	uint64_t on;

	if (hang_fault_logged(fault))
		return !field_of(hang, "rcs0", "GFX_MODE", "SURFACE_FAULT_ENABLE", &on) || on;
	if (!platform_has(&hang->gpu->platform, PROPERTY_FAULTS_PASS))
		return true;
	return !strcmp(fault->engine, "bcs0") &&
	       field_of(hang, NULL, "GAB_CTL", "CONT_AFTER_PAGEFAULT", &on) && !on;
}

const struct gsc_fault *hang_fault_of(const struct gsc_hang *hang, const char *engine)
{
	const struct gsc_fault *first = NULL;

	for (size_t i = 0; i < hang->faults.count; i++) {
		const struct gsc_fault *f = &hang->faults.items[i];

		if (!f->valid || (engine && strcmp(f->engine, engine)))
			continue;
		if (!first || (!hang_fault_stops(hang, first) && hang_fault_stops(hang, f)))
			first = f;
	}
	return first;
}

/* Legacy contexts have only one model: icl-vol6, "Page Fault Support Model". */
static void say_model(const struct gsc_hang *hang, struct gsc_fault *fault)
{
	const char *model = NULL;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_value value;
	struct gsc_root root;
	struct gsc_reg reg;
	uint64_t raw, valid;

	if (!platform_has(&hang->gpu->platform, PROPERTY_EXECLISTS) || !*fault->engine ||
	    !strcmp(fault->engine, "guc"))
		return;
	/* What the queue returned last, unless something else has been written to it already. */
	if (hang_read(hang, fault->engine, "EXECLIST_SQ_CONTENTS", 0, &reg, &raw) &&
	    gsc_gpu_field(hang->gpu, &reg, raw, "VALID", &valid) && valid) {
		gsc_reg_fields(hang->gpu->view, &reg, raw, &it);
		while (!model && gsc_field_next(&it, &field))
			if (field.name && !strcmp(field.name, "FAULT_MODEL") &&
			    value_of(&it, field.value, &value))
				model = value.doc ? value.doc : value.name;
	}
	if (model)
		say(fault, " The fault model of the queued context is %s.", model);
	else if (hang_root(hang, fault->engine, &root) && root.mode != GSC_MODE_IA32E)
		say(fault, " Legacy contexts hang on a fault by default.");
}

static void explain(const struct gsc_hang *hang, struct gsc_fault *fault)
{
	if (!fault->valid) {
		say(fault, "No fault%s%s since the valid bit was cleared.",
		    *fault->engine ? " of " : "", fault->engine);
		if (fault->has_address)
			say(fault, " The address registers hold 0x%llx%s, perhaps from an earlier "
			    "fault.", LL(fault->address), in_space(fault));
		return;
	}
	if (*fault->engine)
		say(fault, "%s", fault->engine);
	else
		say(fault, "engine code %u", (unsigned)(fault->value >> 12 & 7));
	if (fault->source_id >= 0)
		say(fault, " (unit %d)", fault->source_id);
	if (fault->has_address)
		say(fault, " asked for 0x%llx", LL(fault->address));
	else
		say(fault, " asked for an unknown address");
	say(fault, "%s: %s.", in_space(fault), fault->type ? fault->type : "fault");
	say_directory(hang, fault);
	say_consequence(hang, fault);
	say_model(hang, fault);
	say(fault, " This is the first on %s since the valid bit was cleared; later faults are "
		   "not recorded.", fault->reg.engine ? "this engine" : "any engine");
}

/* ---- registers ------------------------------------------------------------------------------ */

static struct gsc_fault *add_fault(struct gsc_hang *hang, const struct gsc_reg *reg, uint64_t value)
{
	struct gsc_fault *fault = vec_add(&hang->faults);

	if (!fault)
		return NULL;
	*fault = (struct gsc_fault){ .reg = *reg, .value = value, .source_id = -1 };
	if (reg->engine)
		string_set(fault->engine, "%s", reg->engine);
	return fault;
}

/* The value of a register that is asleep or gone; no fault is all ones. */
static bool is_nothing(struct gsc_fault *fault)
{
	if (fault->value != UINT32_MAX)
		return false;
	say(fault, "It reads as all ones: not a fault, but a register that does not answer.");
	return true;
}

/* The address on Gen8 and later; `set` is the beginning of the registers' names. */
static bool read_address(const struct gsc_hang *hang, const char *set, struct gsc_reg *reg,
			 uint64_t *address, uint64_t *global)
{
	struct gsc_reg high;
	uint64_t data0, data1, top;
	char name[48];

	string_set(name, "%sFAULT_TLB_DATA0", set);
	if (!hang_read(hang, NULL, name, -1, reg, &data0))
		return false;
	string_set(name, "%sFAULT_TLB_DATA1", set);
	if (!hang_read(hang, NULL, name, -1, &high, &data1) ||
	    !gsc_gpu_field(hang->gpu, &high, data1, "FAULT_VA_HIGH_BITS", &top) ||
	    !gsc_gpu_field(hang->gpu, &high, data1, "FAULT_GTT_SEL", global) ||
	    (data0 == UINT32_MAX && data1 == UINT32_MAX))
		return false;
	*address = top << 44 | data0 << 12;
	return true;
}

/* What a register reports; *fault is NULL if its value reports nothing. */
static enum gsc_status take_register(struct gsc_hang *hang, const struct gsc_reg *reg,
				     uint64_t value, struct gsc_fault **fault,
				     struct gsc_error *err)
{
	*fault = add_fault(hang, reg, value);
	if (!*fault)
		return err_memory(err);
	if (is_nothing(*fault))
		*fault = NULL;
	else
		read_fields(hang, *fault);
	return GSC_OK;
}

/* One register for each GT: Gen8 to Gen12. */
static enum gsc_status common_register(struct gsc_hang *hang, const char *set,
				       struct gsc_error *err)
{
	uint64_t value, address, global;
	enum gsc_status status;
	struct gsc_fault *fault;
	struct gsc_reg reg, low;
	char name[48];

	string_set(name, "%sRING_FAULT_REG", set);
	if (!gpu_find(hang->gpu, NULL, name, -1, &reg) || reg.engine)
		return GSC_OK;
	if (!hang_read_reg(hang, &reg, &value)) {
		/* For a dump without the register that says whether there was a fault. */
		if (!read_address(hang, set, &reg, &address, &global) || (!address && !global))
			return GSC_OK;
		fault = add_fault(hang, &reg, address >> 12 & UINT32_MAX);
		if (!fault)
			return err_memory(err);
		fault->has_address = true;
		fault->address = address;
		set_space(fault, global);
		say(fault, "0x%llx in the %s is the address of a fault; when it happened is "
		    "unknown, as the source lacks RING_FAULT_REG.", LL(address),
		    global ? "GGTT" : "PPGTT");
		return GSC_OK;
	}
	status = take_register(hang, &reg, value, &fault, err);
	if (!fault)
		return status;
	/* A set that was never written says nothing. */
	if (read_address(hang, set, &low, &address, &global) &&
	    (fault->valid || address || global)) {
		fault->has_address = true;
		fault->address = address;
		set_space(fault, global);
	}
	explain(hang, fault);
	return status;
}

/* ---- the log of Gen6 ------------------------------------------------------------------------ */

static enum gsc_status log_entry(struct gsc_hang *hang, const struct gsc_reg *pending,
				 uint64_t value, unsigned entry, struct gsc_error *err)
{
	struct gsc_fault *fault;
	struct gsc_reg reg;
	uint64_t data, page, on;
	bool there = hang_read(hang, NULL, "PP_PFD", (int)entry, &reg, &data);

	fault = add_fault(hang, there ? &reg : pending, there ? data : value);
	if (!fault)
		return err_memory(err);
	fault->valid = true;
	fault->space = "ppgtt";
	fault->level = "pte";
	strcpy(fault->engine, "rcs0");
	say(fault, "Entry %u of the fault log is pending: the page", entry);
	if (there && data != UINT32_MAX &&
	    gsc_gpu_field(hang->gpu, &reg, data, "FAULT_ENTRY_PAGE_ADDRESS", &page)) {
		fault->has_address = true;
		fault->address = page << 12;
		say(fault, " at 0x%llx", LL(fault->address));
	}
	say(fault, " of the PPGTT was not present. The pipeline stalls after it and all TLB "
		   "requests wait: the engine hangs.");
	if (field_of(hang, "rcs0", "GFX_MODE", "SURFACE_FAULT_ENABLE", &on) && !on)
		say(fault, " Doubtful: GFX_MODE does not enable surface faults.");
	return GSC_OK;
}

static enum gsc_status fault_log(struct gsc_hang *hang, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_reg reg, data;
	struct gsc_fault *fault;
	uint64_t pending, page;

	if (!hang_read(hang, NULL, "PP_PFIR", -1, &reg, &pending))
		return GSC_OK;
	if (pending == UINT32_MAX && hang_read(hang, NULL, "PP_PFD", 0, &data, &page) &&
	    page == UINT32_MAX) {
		fault = add_fault(hang, &reg, pending);
		if (!fault)
			return err_memory(err);
		is_nothing(fault);
		return GSC_OK;
	}
	for (unsigned i = 0; i < LOG_ENTRIES && !status; i++)
		if (pending >> i & 1)
			status = log_entry(hang, &reg, pending, i, err);
	if (pending && !status)
		say(&hang->faults.items[hang->faults.count - 1], " Since its interrupt the log is "
		    "frozen: it takes later faults only once software says that these are served.");
	if (pending || status)
		return status;
	fault = add_fault(hang, &reg, pending);
	if (!fault)
		return err_memory(err);
	say(fault, "No entry of the fault log is pending.");
	return GSC_OK;
}

/* ---- all of them ---------------------------------------------------------------------------- */

/* One register for each engine, Gen6 to Gen7.5; or one for each GT, Gen8 to Gen12. */
enum gsc_status hang_faults(struct gsc_hang *hang, struct gsc_error *err)
{
	enum gsc_status status = GSC_OK;
	struct gsc_fault *fault, *items;
	struct gsc_reg reg;
	uint64_t value;
	size_t front = 0;

	for (size_t i = 0; i < hang->engines.count && !status; i++) {
		if (!hang_read(hang, hang->engines.items[i].e.name, "RING_FAULT_REG", -1, &reg,
			       &value) || !reg.engine)
			continue;
		status = take_register(hang, &reg, value, &fault, err);
		if (fault)
			explain(hang, fault);
	}
	if (!status)
		status = common_register(hang, "", err);
	if (!status)
		status = common_register(hang, "MEDIA_GT_", err);
	if (!status)
		status = fault_log(hang, err);
	/* Those with a fault come first; otherwise the order is unchanged. */
	items = hang->faults.items;
	for (size_t i = 0; i < hang->faults.count; i++) {
		struct gsc_fault valid = items[i];

		if (!valid.valid)
			continue;
		memmove(&items[front + 1], &items[front], (i - front) * sizeof(*items));
		items[front++] = valid;
	}
	hang->tables.gpu = hang->gpu;
	for (size_t i = 0; i < hang->faults.count && !hang->options.no_walk && !status; i++)
		status = hang_tables_open(&hang->tables, &items[i], "", err);
	for (size_t i = 0; i < hang->faults.count && !status; i++)
		if (items[i].valid && hang_fault_mapped(hang, &items[i]))
			say(&items[i], " The tables map it now.");
	return status;
}
