/* SPDX-License-Identifier: MIT */
/* Registers: what is known about one, reading one, reading many. */
#include "api/api.h"

#include "regs/regs.h"
#include "util/text.h"

#include <string.h>

_Static_assert((int)GPUSCOPE_REGISTER_VOLATILE == (int)GSC_REG_VOLATILE &&
	       (int)GPUSCOPE_REGISTER_MULTICAST == (int)GSC_REG_MULTICAST &&
	       (int)GPUSCOPE_REGISTER_HAZARD_READ == (int)GSC_REG_HAZARD_READ &&
	       (int)GPUSCOPE_REGISTER_HAZARD_HANG == (int)GSC_REG_HAZARD_HANG &&
	       (int)GPUSCOPE_REGISTER_HAZARD_WRITE == (int)GSC_REG_HAZARD_WRITE,
	       "enum gpuscope_register_flag");

static const char of_another[] = "it is a register of another GPU";

/* ---- what is known about one ----------------------------------------------------------------- */

/* Every register that programs see is one of these. */
struct known_register {
	struct gpuscope_register reg;
	const struct gsc_view *view;
	size_t number;			/* in the view */
};

static const char *access_words(struct keep *keep, unsigned access)
{
	char words[64];
	struct text text = text_of(words);

	for (unsigned bit = 1; bit <= GSC_STICKY; bit <<= 1)
		if (access & bit)
			text_join(&text, ",", gsc_access_word((enum gsc_access)bit));
	return keep_text(keep, words);
}

static const char *const *alias_names(struct keep *keep, const struct gsc_view *view,
				      const struct gsc_reg *reg)
{
	pointer_vec names = { 0 };
	const char *alias;

	for (size_t i = 0; (alias = gsc_reg_alias(view, reg, i)); i++)
		pointers_add(keep, &names, alias);
	return pointers_end(keep, &names);
}

static struct known_register *register_new(struct keep *keep, const struct gsc_view *view,
					   size_t i)
{
	struct known_register *known = keep_bytes(keep, sizeof(*known));
	char name[REG_NAME_MAX];
	struct gsc_reg reg;

	if (!known)
		return NULL;
	gsc_view_reg(view, i, &reg);
	gsc_reg_full_name(&reg, name, sizeof(name));
	known->view = view;
	known->number = i;
	known->reg = (struct gpuscope_register){
		.size = sizeof(known->reg),
		.name = keep_text(keep, name),
		.plain = reg.name,
		.engine = reg.engine,
		.space = (enum gpuscope_space)reg.space,
		.address = reg.offset,
		.bits = reg.bits,
		.access = access_words(keep, reg.access),
		.flags = reg.flags & (2 * GPUSCOPE_REGISTER_HAZARD_WRITE - 1),
		.hazard = reg.hazard,
		.wake = keep_text(keep, reg.wake),
		.reset = keep_number(keep, reg.flags & GSC_REG_HAS_RESET, reg.reset),
		.reset_mask = reg.reset_mask,
		.aliases = alias_names(keep, view, &reg),
		.group = reg.group,
		.doc = reg.doc,
		.document = reg.document,
		.section = reg.section,
	};
	return known;
}

static const struct gpuscope_register *gpu_register(struct gpuscope_gpu *gpu, size_t i)
{
	const struct gsc_view *view = gpu->gpu->view;

	if (!gpu->registers)
		gpu->registers = calloc(gsc_view_count(view) + 1, sizeof(*gpu->registers));
	if (!gpu->registers || i >= gsc_view_count(view))
		return NULL;
	if (!gpu->registers[i]) {
		struct known_register *known;

		/* What fails now may succeed later. */
		gpu->keep.failed = false;
		known = register_new(&gpu->keep, view, i);
		if (!gpu->keep.failed)
			gpu->registers[i] = &known->reg;
	}
	return gpu->registers[i];
}

const struct gpuscope_register *gpu_register_of(struct gpuscope_gpu *gpu,
						const struct gsc_reg *reg)
{
	const struct gsc_view *view = gpu->gpu->view;
	struct gsc_reg at;

	if (!reg->name)
		return NULL;
	for (size_t i = gsc_view_seek(view, reg->space, reg->offset); i < gsc_view_count(view);
	     i++) {
		gsc_view_reg(view, i, &at);
		if (at.space != reg->space || at.offset != reg->offset)
			break;
		if (at.def == reg->def && at.index == reg->index)
			return gpu_register(gpu, i);
	}
	return NULL;
}

struct gpuscope_error *gpuscope_register_find(struct gpuscope_gpu *gpu, const char *text,
					      const struct gpuscope_register **out)
{
	struct gpuscope_error *error = error_of_names(&text, 1, "register");
	enum gsc_status status = GSC_OK;
	const struct gpuscope_register *found = NULL;
	struct gsc_error err = { 0 };
	/* It takes long to find names that may have been meant. */
	struct gsc_error *told = out ? &err : NULL;
	struct reg_name name;
	reg_vec regs = { 0 };
	struct gsc_reg reg;
	const char *wrong;

	if (out)
		*out = NULL;
	error = error ? error : gpu_named(gpu);
	if (error)
		return error;
	wrong = reg_name_parse(&name, text);
	if (!wrong && (name.group || *name.field || has_wildcard(name.name)))
		wrong = "expected the name of one register; gpuscope_registers() takes patterns "
			"and groups";
	if (wrong)
		return error_make(GPUSCOPE_STATUS_USAGE, text, "%s", wrong);
	if (gsc_gpu_find(gpu->gpu, text, &reg)) {
		found = gpu_register_of(gpu, &reg);
	} else {
		/* As drivers spell it; or the error says what may have been meant. */
		status = regs_named(gpu->gpu->view, &name, &regs, told);
		if (!status)
			status = regs_narrow(gpu->gpu->view, &name, &regs, told);
		if (!status)
			found = gpu_register(gpu, regs.items[0]);
		vec_free(&regs);
	}
	if (out)
		*out = found;
	if (status && !told)
		err_set(&err, status, text, "unknown register of %s", gpu->gpu->platform.name);
	return status ? error_of(status, &err) : found ? NULL : error_memory();
}

struct gpuscope_error *gpuscope_register_fields(struct gpuscope_gpu *gpu,
						const struct gpuscope_register *reg,
						uint64_t value, struct gpuscope_list **out)
{
	const struct known_register *known = (const struct known_register *)reg;
	const uint32_t words[2] = { (uint32_t)value, (uint32_t)(value >> 32) };
	struct gpuscope_decoded decoded = { .gpu = gpu, .words = words,
					    .count = reg->bits > 32 ? 2 : 1 };
	struct gsc_reg defined;

	*out = NULL;
	if (known->view != gpu->gpu->view)
		return error_make(GPUSCOPE_STATUS_USAGE, reg->name, "%s", of_another);
	gsc_view_reg(known->view, known->number, &defined);
	gsc_item_by_def(gpu->db->db, GSC_REGISTER, defined.def, &decoded.item);
	return gpuscope_fields(&decoded, out);
}

/* ---- reading --------------------------------------------------------------------------------- */

static enum gsc_status rows_of(const struct gpuscope_gpu *gpu,
			       const struct gsc_selection *selection, struct gsc_rows **rows,
			       struct gsc_error *err)
{
	/* Ranges of the program's memory may be forgotten before they are listed. */
	struct gsc_rows_options options = {
		.unsafe = gpu->unsafe,
		.keep = gpu->source && gsc_source_has(gpu->source, GSC_SOURCE_CALLBACKS),
	};

	return gsc_rows_read(rows, selection, gpu->gpu, &options, err);
}

enum gpuscope_state gpuscope_register_read(struct gpuscope_gpu *gpu,
					   const struct gpuscope_register *reg, uint64_t *value,
					   const char **why)
{
	const struct known_register *known = (const struct known_register *)reg;
	bool ours = known->view == gpu->gpu->view;
	struct gsc_selection *selection = ours ? selection_new(known->view) : NULL;
	const char *reason = ours ? "there is no more memory" : of_another;
	struct gsc_row row = { .status = GSC_READ_ABSENT };
	struct gsc_rows *rows = NULL;
	struct gsc_error err;
	char text[ROW_WHY_MAX];

	keep_clear(&gpu->said);
	if (selection && selection_add(selection, reg_item(known->view, known->number))) {
		if (rows_of(gpu, selection, &rows, &err)) {
			/* What cannot be read without writing something else. */
			row.status = GSC_READ_SKIPPED;
			reason = err.why;
		} else {
			gsc_rows_at(rows, 0, &row);
			reason = gsc_row_why(&row, text, sizeof(text));
		}
	}
	if (row.status == GSC_READ_OK)
		*value = row.value;
	if (why)
		*why = keep_text(&gpu->said, reason);
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	return (enum gpuscope_state)row.status;
}

struct readings_list {
	struct gpuscope_list list;
	struct gsc_selection *selection;
	struct gsc_rows *rows;
};

static const void *reading_next(struct gpuscope_list *list)
{
	struct readings_list *readings = (struct readings_list *)list;
	struct gpuscope_reading *reading;
	char text[ROW_WHY_MAX];
	struct gsc_row row;

	if (list->at >= gsc_rows_count(readings->rows))
		return NULL;
	reading = keep_new(&list->keep, struct gpuscope_reading);
	if (!reading)
		return NULL;
	gsc_rows_at(readings->rows, list->at, &row);
	gsc_reg_full_name(&row.reg, text, sizeof(text));
	reading->name = keep_text(&list->keep, row.reg.name || !row.dump_name ? text
									       : row.dump_name);
	reading->space = (enum gpuscope_space)row.reg.space;
	reading->address = row.reg.offset;
	reading->hi = row.part ? row.part_hi : row.reg.bits - 1;
	reading->lo = row.part ? row.part_lo : 0;
	/* A part is at its own address, and that of the register is lower. */
	row.reg.offset -= reading->lo / 8;
	reading->reg = gpu_register_of(list->gpu, &row.reg);
	reading->state = (enum gpuscope_state)row.status;
	reading->value = keep_number(&list->keep, row.status == GSC_READ_OK, row.value);
	reading->why = keep_text(&list->keep, gsc_row_why(&row, text, sizeof(text)));
	list->keep.failed |= row.reg.name && !reading->reg;
	return reading;
}

static void readings_free(struct gpuscope_list *list)
{
	struct readings_list *readings = (struct readings_list *)list;

	gsc_rows_free(readings->rows);
	gsc_selection_free(readings->selection);
}

struct gpuscope_error *gpuscope_registers(struct gpuscope_gpu *gpu, const char *const *selectors,
					  size_t count, struct gpuscope_list **out)
{
	struct readings_list *readings = list_new(sizeof(*readings), reading_next, readings_free,
						  gpu, NULL);
	/* Of definitions alone nothing else can be listed. */
	unsigned flags = gpu->source ? GSC_SELECT_LISTED : GSC_SELECT_DEFINED;
	struct gpuscope_error *error = error_of_names(selectors, count, "selectors");
	enum gsc_status status;
	struct gsc_error err;

	*out = NULL;
	error = error ? error : gpu_named(gpu);
	if (!readings || error) {
		gpuscope_list_free(&readings->list);
		return error ? error : error_memory();
	}
	status = gsc_select(&readings->selection, gpu->gpu, flags, selectors, count, &err);
	if (!status)
		status = rows_of(gpu, readings->selection, &readings->rows, &err);
	if (status)
		gpuscope_list_free(&readings->list);
	else
		*out = &readings->list;
	return error_of(status, &err);
}
