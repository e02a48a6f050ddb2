/* SPDX-License-Identifier: MIT */
/* gpu-batch --lint: what the documents forbid. */
#include "db/rule.h"
#include "gpu-batch.h"

struct linting {
	struct batch *batch;
	struct gsc_json json;
	uint64_t count;
	bool begun;
};

static bool take_breach(void *context, const struct gsc_followed *item)
{
	struct linting *l = context;

	l->count += !item->breach->note;
	return finding_put(&l->batch->common, &l->json, item->breach);
}

KEYS(lint, "--lint.")
static void lint_open(struct linting *l)
{
	struct common *common = &l->batch->common;
	struct gsc_json *json = &l->json;

	l->begun = true;
	if (!wants_json(common)) {
		batch_title(common);
		return;
	}
	batch_document(common, json);
	KEY_LIST("findings", OF(finding));
}

static bool begin(void *context, const struct gsc_followed *item)
{
	struct linting *l = context;

	(void)item;
	if (!l->begun)
		lint_open(l);
	return true;
}

enum gsc_status lint_run(struct common *common, struct gsc_error *err)
{
	struct linting l = { .batch = (struct batch *)common };
	struct gsc_listener listener = { .context = &l, .begin = begin, .breach = take_breach };
	enum gsc_status status = output_open(common, !wants_json(common), err);
	char why[60];

	if (!status)
		status = batch_follow(l.batch, &listener, err);
	if (batch_failed(l.batch, status))
		return status;
	if (!l.begun)
		lint_open(&l);
	if (wants_json(common)) {
		gsc_json_finish(&l.json);
	} else if (!l.count && l.batch->tally.commands && !common->quiet) {
		gsc_out_text(common->out, "no findings");
		gsc_out_end(common->out);
	}
	if (l.count) {
		string_set(why, "%llu finding%s", LL(l.count), l.count > 1 ? "s" : "");
		complain(common, GSC_PARTIAL, "--lint", why);
		status = worse(status, GSC_PARTIAL);
	}
	return worse(status, complain_damage(common, common->source));
}
