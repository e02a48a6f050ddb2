/* SPDX-License-Identifier: MIT */
/*
 * A live GPU, as far as possible without hardware (dry.c): platform, flags, what refuses to be read
 * and how long it exists, registers as in hang.c, then writes, one record each, and after a record
 * of zeros the memory that the GGTT maps.
 */
#include "dry.h"
#include "open/open.h"
#include "regs/write.h"

#include <string.h>

#define PAGE 4096
#define WRITES_MAX 8
#define FOR_EVER 10000000u

enum flag {
	SAVE = 1 << 0,
	TABLES = 1 << 1,		/* in a capture: all of them */
	ROWS = 1 << 2,
	LOOKS = 1 << 3,			/* what needs extra accesses to be read */
	HANG = 1 << 4,
	LEAVES = 1 << 5,		/* it goes away */
	TRACE = 1 << 6,
};

/* ---- writes --------------------------------------------------------------------------------- */

enum { FORCE = 0x80, BY_ADDRESS = 0x40, OF_FIELD = 0x20, OF_TABLE = 0x10 };

/* As a user would type it. */
static void name_target(const struct gsc_view *view, uint64_t number, unsigned kind, char *buf,
			size_t size)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_reg reg;
	size_t used;

	gsc_view_reg(view, number % gsc_view_count(view), &reg);
	if (kind & OF_TABLE) {
		snprintf(buf, size, "ggtt:0x%llx", (unsigned long long)number);
	} else if (kind & BY_ADDRESS) {
		snprintf(buf, size, "0x%llx", (unsigned long long)number * 4);
	} else {
		used = gsc_reg_full_name(&reg, buf, size);
		gsc_reg_fields(view, &reg, 0, &it);
		if (kind & OF_FIELD && gsc_field_next(&it, &field) && used < size)
			snprintf(buf + used, size - used, ":%s", field.name);
	}
}

/* Every store is a step of the plan; an index that moves is 0x20 lower. */
static void check_stores(const struct gsc_write_plan *plan)
{
	for (size_t i = 0; i < dry.store_count; i++) {
		const struct dry_store *store = &dry.stores[i];
		struct gsc_write_step step;
		bool planned = false;

		for (size_t k = 0; gsc_write_step_at(plan, k, &step); k++)
			planned |= step.write && step.space == store->space &&
				   step.size == store->size &&
				   (step.address == store->address ||
				    step.address == store->address + 0x20);
		FUZZ_REQUIRE(planned);
	}
}

static bool carry_out(struct gsc_write_plan *plan, struct gsc_source *source, bool insist,
		      struct gsc_written *written)
{
	struct gsc_write_options options = { .insist = insist };
	struct gsc_out *out = fuzz_out();
	struct gsc_error err = { 0 };
	enum gsc_status status;
	struct gsc_json json;

	gsc_json_begin(&json, out, false);
	gsc_json_write_plan(&json, plan);
	dry.store_count = 0;
	status = gsc_write_run(plan, fuzz_gpu(source, fuzz_view(dry.platform)), &options, written, &err);
	check_stores(plan);
	FUZZ_REQUIRE(memchr(written->name, 0, sizeof(written->name)));
	if (status)
		fuzz_check_error(&err, status);
	else
		FUZZ_REQUIRE(written->stored && !(written->lost & ~written->bits));
	gsc_json_object(&json, "written");
	gsc_json_written(&json, fuzz_view(dry.platform), written);
	gsc_json_object_end(&json);
	gsc_json_finish(&json);
	fuzz_out_end(out);
	return written->stored;
}

static void undo(struct gsc_source *source, const struct gsc_view *view,
		 const struct gsc_written *written)
{
	struct gsc_write_plan *plan = NULL;
	struct gsc_written again;
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_write_undo(&plan, fuzz_gpu(source, view), written, &err);

	if (status)
		fuzz_check_error(&err, status);
	if (plan)
		carry_out(plan, source, written->value & 1, &again);
	gsc_write_plan_free(plan);
}

static void write_one(struct gsc_source *source, const struct gsc_view *view, uint64_t number,
		      unsigned kind, uint64_t value)
{
	char target[240];
	struct gsc_write write = {
		.target = target, .operation = (enum gsc_write_operation)(kind & 3),
		.value = value, .force = kind & FORCE,
	};
	struct gsc_write_plan *plan = NULL;
	struct gsc_written written;
	struct gsc_error err = { 0 };
	enum gsc_status status;

	name_target(view, number, kind, target, sizeof(target));
	status = gsc_write_plan_new(&plan, fuzz_gpu(source, view), &write, &err);
	if (status)
		fuzz_check_error(&err, status);
	if (plan && carry_out(plan, source, false, &written))
		undo(source, view, &written);
	gsc_write_plan_free(plan);
}

static void write_all(struct gsc_source *source, const struct gsc_view *view,
		      struct fuzz_input *in)
{
	for (unsigned n = 0; n < WRITES_MAX && in->size; n++) {
		uint64_t number = fuzz_take(in, 2), kind = fuzz_take(in, 1);

		if (!number && !kind)
			return;
		write_one(source, view, number, (unsigned)kind, fuzz_take(in, 4));
	}
}

/* ---- reads that are plans ------------------------------------------------------------------- */

static void show_looks(const struct gsc_view *view)
{
	struct gsc_selection *selection;
	struct gsc_error err = { 0 };
	struct gsc_write_plan *plan;
	size_t item = 0;

	FUZZ_REQUIRE(!gsc_select(&selection, fuzz_gpu(NULL, view), 0, NULL, 0, &err));
	while (!gsc_read_plan_new(&plan, selection, &item, &err) && plan) {
		FUZZ_REQUIRE(gsc_read_plan_why(plan) && gsc_write_plan_name(plan));
		gsc_write_plan_free(plan);
	}
	gsc_selection_free(selection);
}

/* ---- the device ----------------------------------------------------------------------------- */

static int device_of(unsigned platform)
{
	unsigned of;
	const char *name;
	uint16_t id;

	for (size_t i = 0; gsc_platform_id(fuzz_db(), i, &id, &of, &name); i++)
		if (of == platform)
			return id;
	return 0;
}

static void set_up(struct fuzz_input *in, unsigned flags)
{
	const uint16_t ids[] = { 0x8086, (uint16_t)device_of(dry.platform) };
	struct gsc_platform facts;

	gsc_platform_at(fuzz_db(), dry.platform, &facts);
	dry.id = ids[1];
	memset(dry.config, 0, sizeof(dry.config));
	memcpy(dry.config, ids, sizeof(ids));
	dry.ggtt_entry = facts.ggtt_entry;
	dry.entries = DRY_MEMORY / PAGE;
	memset(dry.table, 0, sizeof(dry.table));
	for (size_t i = 0; i < dry.entries; i++) {
		dry.table[i * facts.ggtt_entry] = facts.flags & GSC_PLATFORM_LMEM ? 3 : 1;
		dry.table[i * facts.ggtt_entry + 1] = (uint8_t)(i << 4);
	}
	dry.refuses = (uint32_t)fuzz_take(in, 2) << 2;
	dry.left = flags & LEAVES ? (unsigned)fuzz_take(in, 2) : FOR_EVER;
	fuzz_registers(in, fuzz_view(dry.platform), dry.registers);
}

static struct gsc_source *open_device(void)
{
	struct gsc_source_options options = { .db = fuzz_db(), .write = true };
	const char *spec = "live";
	struct gsc_source *source;
	struct gsc_error err;

	FUZZ_REQUIRE(!gsc_source_open(&source, &spec, 1, &options, &err));
	return source;
}

static void look(struct gsc_source *source, const struct gsc_view *view, unsigned flags)
{
	if (flags & ROWS)
		fuzz_rows(source, view);
	if (flags & LOOKS)
		show_looks(view);
	if (flags & HANG)
		fuzz_hang(source, view);
	if (flags & SAVE)
		fuzz_save(source, view, (flags & TABLES) | flags >> 8);
	if (flags & TRACE)
		fuzz_save_trace(source, view);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { data, size };
	const struct gsc_view *view;
	struct gsc_source *source;
	unsigned flags;

	dry.platform = fuzz_platform(fuzz_take(&in, 1));
	view = fuzz_view(dry.platform);
	flags = (unsigned)fuzz_take(&in, 2);
	set_up(&in, flags);
	source = open_device();
	memset(dry.memory, 0, sizeof(dry.memory));
	write_all(source, view, &in);
	memcpy(dry.memory, in.data, in.size < DRY_MEMORY ? in.size : DRY_MEMORY);
	look(source, view, flags);
	gsc_source_close(source);
	return 0;
}
