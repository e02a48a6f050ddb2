/* SPDX-License-Identifier: MIT */
/* gpu-batch --query: where a register is loaded or stored. */
#include "batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct query {
	struct batch *batch;
	struct gsc_rows *rows;		/* the registers that are meant; without values */
	struct gsc_json json;
	size_t count;
};

/* The register at an offset, if it is one of those that are meant. */
static bool is_meant(const struct query *q, uint32_t offset, struct gsc_row *row)
{
	for (size_t i = 0; i < gsc_rows_count(q->rows); i++) {
		gsc_rows_at(q->rows, i, row);
		if (row->reg.space == GSC_MMIO && offset - row->reg.offset < row->reg.bits / 8u)
			return true;
	}
	return false;
}

/* ---- text ----------------------------------------------------------------------------------- */

static void from_text(const struct gsc_register_write *w, char *buf, size_t size)
{
	unsigned long long from = w->from;

	switch (w->kind) {
	case GSC_WRITE_VALUE:
		snprintf(buf, size, "= 0x%08x", w->value);
		break;
	case GSC_WRITE_MEMORY:
		snprintf(buf, size, "= memory %s:0x%llx", w->global ? "ggtt" : "ppgtt", from);
		break;
	case GSC_WRITE_REGISTER:
		snprintf(buf, size, "= register 0x%llx", from);
		break;
	default:
		snprintf(buf, size, "stored to %s:0x%llx", w->global ? "ggtt" : "ppgtt", from);
	}
}

static void write_text(struct query *q, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *w, struct gsc_row *row)
{
	struct common *common = &q->batch->common;
	char name[200], value[80], where[120];

	gsc_reg_full_name(&row->reg, name, sizeof(name));
	from_text(w, value, sizeof(value));
	gsc_out_format(common->out, "0x%08llx:  %s %s  %s, %s",
		       (unsigned long long)c->address + w->dword * 4, name, value, c->name,
		       run_text(run, where, sizeof(where)));
	gsc_out_end(common->out);
	if (w->kind != GSC_WRITE_VALUE || common->quiet || row->reg.bits != 32)
		return;
	row->status = GSC_READ_OK;
	row->value = w->value;
	gsc_text_row(common->out, common->view, row, text_flags(common));
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static void write_json(struct query *q, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *w, const struct gsc_row *row)
{
	static const char *const kinds[] = { "value", "memory", "register", "store" };
	struct gsc_json *json = &q->json;

	gsc_json_object(json, NULL);
	gsc_json_string(json, "name", row->reg.name);
	gsc_json_string(json, "engine", row->reg.engine);
	gsc_json_hex(json, "offset", w->offset);
	gsc_json_string(json, "kind", kinds[w->kind]);
	if (w->kind == GSC_WRITE_VALUE)
		gsc_json_hex(json, "value", w->value);
	else
		gsc_json_null(json, "value");
	if (w->kind == GSC_WRITE_VALUE)
		gsc_json_null(json, "from");
	else
		gsc_json_hex(json, "from", w->from);
	gsc_json_hex(json, "address", c->address + w->dword * 4);
	gsc_json_string(json, "command", c->name);
	gsc_json_string(json, "buffer_engine", run->engine);
	gsc_json_hex(json, "buffer", run->address);
	gsc_json_object_end(json);
}

/* ---- the run -------------------------------------------------------------------------------- */

static bool take_write(void *context, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *w)
{
	struct query *q = context;
	struct gsc_row row;

	if (!is_meant(q, w->offset, &row))
		return true;
	q->count++;
	if (wants_json(&q->batch->common))
		write_json(q, run, c, w, &row);
	else
		write_text(q, run, c, w, &row);
	return !gsc_out_error(q->batch->common.out);
}

static bool end(void *context, const struct gsc_run *run)
{
	struct query *q = context;

	complain_run(&q->batch->common, run);
	return true;
}

/* A source without anything in it gives the definitions. */
static enum gsc_status find_registers(struct query *q, struct gsc_error *err)
{
	struct common *common = &q->batch->common;
	struct gsc_source_options options = { .db = common->db, .platform = common->platform.name };
	const char *const none = "none";
	struct gsc_rows_options rows = { 0 };
	struct gsc_selection *selection;
	struct gsc_source *source;
	enum gsc_status status;

	status = gsc_select(&selection, common->view, GSC_SELECT_DEFINED, &q->batch->query, 1,
			    err);
	if (status)
		return status;
	status = gsc_source_open(&source, &none, 1, &options, err);
	if (!status) {
		status = gsc_rows_read(&q->rows, selection, source, &rows, err);
		gsc_source_close(source);
	}
	gsc_selection_free(selection);
	return status;
}

static void query_begin(struct query *q)
{
	struct common *common = &q->batch->common;

	if (!wants_json(common)) {
		put_title(common);
		return;
	}
	batch_document(common, &q->json);
	gsc_json_list(&q->json, "writes");
}

enum gsc_status query_run(struct common *common, struct gsc_error *err)
{
	struct query q = { .batch = (struct batch *)common };
	struct gsc_listener listener = { .context = &q, .write = take_write, .end = end };
	enum gsc_status status = find_registers(&q, err);

	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status)
		goto out;
	query_begin(&q);
	status = batch_follow(q.batch, &listener, err);
	if (status && status != GSC_PARTIAL)
		goto out;
	if (wants_json(common)) {
		gsc_json_list_end(&q.json);
		gsc_json_finish(&q.json);
	}
	status = worse(status, complain_damage(common, common->source));
	if (!q.count) {
		complain(common, GSC_UNKNOWN, q.batch->query, "no command loads or stores it");
		status = worse(GSC_UNKNOWN, status);
	}
out:
	gsc_rows_free(q.rows);
	return status;
}
