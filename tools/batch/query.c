/* SPDX-License-Identifier: MIT */
/* gpu-batch --query: where a register is loaded or stored. */
#include "gpu-batch.h"

struct query {
	struct batch *batch;
	struct gsc_selection *selection;
	struct gsc_rows *rows;		/* the selected registers; without values */
	struct gsc_json json;
	size_t count;
	bool begun;
};

/* ---- text and JSON -------------------------------------------------------------------------- */

static void query_text(struct query *q, const struct gsc_run *run, const struct gsc_command *c,
		       const struct gsc_register_write *w, struct gsc_row *row)
{
	struct common *common = &q->batch->common;
	char name[200], value[80], where[120];

	gsc_reg_full_name(&row->reg, name, sizeof(name));
	write_text(w, value, sizeof(value));
	gsc_out_format(common->out, "0x%08llx:  %s %s  %s, %s", LL(c->address) + w->dword * 4, name,
		       value, c->name, run_text(run, where, sizeof(where)));
	gsc_out_end(common->out);
	if (w->kind != GSC_WRITE_VALUE || common->quiet || row->reg.bits != 32)
		return;
	row->status = GSC_READ_OK;
	row->value = w->value;
	gsc_text_row(common->out, view_of(common), row, text_flags(common));
}

KEYS(queried, "address: of the dword that names the register; buffer: of the first command of its "
     "buffer.")
static void query_json(struct gsc_json *json, const struct gsc_run *run,
		       const struct gsc_command *c, const struct gsc_register_write *w,
		       const struct gsc_row *row)
{
	KEYS_OF(registerWrite);
	write_json(json, &row->reg, w);
	KEY(hex, "address", c->address + w->dword * 4);
	KEY(text, "command", c->name);
	KEY(text, "buffer_engine", run->engine, PATTERN("^[a-z]+[0-9]+$"));
	KEY(hex, "buffer", run->address);
}

/* ---- the run -------------------------------------------------------------------------------- */

KEYS(query, "--query.")
static void query_begin(struct query *q)
{
	struct common *common = &q->batch->common;
	struct gsc_json *json = &q->json;

	q->begun = true;
	if (!wants_json(common)) {
		batch_title(common);
		return;
	}
	batch_document(common, json);
	KEY_LIST("writes", OF(queried));
}

static bool take_write(void *context, const struct gsc_followed *item)
{
	struct query *q = context;
	struct gsc_json *json = &q->json;
	size_t i = 0, count = gsc_rows_count(q->rows);
	struct gsc_row row;

	/* The register, if it is one of the selected ones. */
	for (; i < count; i++) {
		gsc_rows_at(q->rows, i, &row);
		if (row.reg.space == GSC_MMIO &&
		    item->write->offset - row.reg.offset < row.reg.bits / 8u)
			break;
	}
	if (i == count)
		return true;
	if (!q->begun)
		query_begin(q);
	q->count++;
	if (wants_json(&q->batch->common))
		ITEM(query_json(json, item->run, item->command, item->write, &row));
	else
		query_text(q, item->run, item->command, item->write, &row);
	return !gsc_out_error(q->batch->common.out);
}

enum gsc_status query_run(struct common *common, struct gsc_error *err)
{
	struct query q = { .batch = (struct batch *)common };
	struct gsc_listener listener = { .context = &q, .write = take_write };
	enum gsc_status status = gsc_select(&q.selection, common->gpu, 0, &q.batch->query, 1, err);

	if (!status)
		status = gsc_rows_read(&q.rows, q.selection, NULL, NULL, err);
	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (!status)
		status = batch_follow(q.batch, &listener, err);
	gsc_rows_free(q.rows);
	gsc_selection_free(q.selection);
	if (batch_failed(q.batch, status))
		return status;
	if (wants_json(common)) {
		if (!q.begun)
			query_begin(&q);
		gsc_json_finish(&q.json);
	}
	if (!q.count && status != GSC_UNKNOWN) {
		complain(common, GSC_UNKNOWN, q.batch->query, "no command loads or stores it");
		status = worse(GSC_UNKNOWN, status);
	}
	return worse(status, complain_damage(common, common->source));
}
