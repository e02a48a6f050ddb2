/* SPDX-License-Identifier: MIT */
/*
 * What a GuC and its driver said to each other before a dump was written, in a few lines: what the
 * GuC reported, what it has not answered. All of it is shown by gpu-fault --decode guc-ct.
 */
#include "hang/hang.h"

#include "guc/guc.h"
#include "util/text.h"

#define MEMBER "guc-ct.bin"
#define FAULT_MESSAGES 1024		/* after a page fault in which its reply is looked for */

/* What the GuC reports by itself when something went wrong, and how it is told. */
static const struct {
	uint16_t action;
	unsigned context;		/* the dword with the context, or 0 */
	const char *text;
} reports[] = {
	{ 0x1008, 1, "the GuC reset an engine: CONTEXT_RESET_NOTIFICATION" },
	{ 0x1009, 0, "the GuC could not reset an engine: ENGINE_FAILURE_NOTIFICATION" },
	{ 0x4605, 3, "a group of queues failed: NOTIFY_MULTI_QUEUE_CGP_CONTEXT_ERROR" },
	{ 0x6000, 1, "a memory access could not be translated: NOTIFY_MEMORY_CAT_ERROR" },
	{ 0x8004, 0, "the GuC crashed: NOTIFY_CRASH_DUMP_POSTED" },
	{ 0x8005, 0, "the GuC crashed: NOTIFY_EXCEPTION" },
};

/* How often, and the last one. */
struct seen {
	size_t count;
	const struct guc_message *last;
};

struct history {
	struct guc_ct ct;
	struct seen reports[ARRAY_SIZE(reports)], silent, unread, faults;
};

static uint32_t word_of(const struct history *h, const struct guc_message *m, size_t i)
{
	return i < m->count ? h->ct.words.items[m->first + i] : 0;
}

static void see(struct seen *seen, const struct guc_message *m)
{
	seen->count++;
	seen->last = m;
}

/* ---- what is told ---------------------------------------------------------------------------- */

static bool add_fact(struct gsc_hang *hang, const char *text)
{
	struct driver_fact *fact = vec_add(&hang->facts.about);

	if (!fact)
		return false;
	*fact = (struct driver_fact){ .a.name = "guc" };
	string_set(fact->a.text, "%s", text);
	return true;
}

/* " of context 2, hang-xe [174]": of the queue that the dump is about, whose process is known. */
static void say_context(const struct gsc_hang *hang, struct text *text, uint32_t context)
{
	char name[24];

	string_set(name, "context %u", context);
	text_add(text, " of %s", context == UINT32_MAX ? "an unknown context" : name);
	for (size_t i = 0; i < hang->facts.requests.count; i++)
		if (hang->facts.requests.items[i].kind == WORK_CONTEXT &&
		    !strcmp(hang->facts.requests.items[i].r.name, name))
			text_add(text, ", the queue of this dump");
}

static bool tell_reports(struct gsc_hang *hang, const struct history *h)
{
	char line[sizeof(((struct driver_fact *)NULL)->a.text)];
	bool ok = true;

	for (size_t i = 0; ok && i < ARRAY_SIZE(reports); i++) {
		const struct seen *seen = &h->reports[i];
		struct text text = text_of(line);

		if (!seen->count)
			continue;
		text_add(&text, "%s", reports[i].text);
		if (reports[i].context)
			say_context(hang, &text, word_of(h, seen->last, reports[i].context));
		if (seen->count > 1)
			text_add(&text, "; the last of %zu", seen->count);
		ok = add_fact(hang, line);
	}
	return ok;
}

/* "2 requests have no answer, the last is TLB_INVALIDATION" */
static bool tell_requests(struct gsc_hang *hang, const struct seen *seen, const char *what)
{
	char line[sizeof(((struct driver_fact *)NULL)->a.text)];
	struct text text = text_of(line);
	struct gsc_value value;

	if (!seen->count)
		return true;
	text_add(&text, "%zu request%s %s, the last is ", seen->count, seen->count == 1 ? "" : "s",
		 what);
	if (guc_named(hang->gpu->view, "GUC_HXG_REQUEST", "ACTION", seen->last->action, &value))
		text_add(&text, "%s", value.name);
	else
		text_add(&text, "0x%04x", seen->last->action);
	return add_fact(hang, line);
}

/* ---- page faults ----------------------------------------------------------------------------- */

/* Whether the driver answered a page fault with a failure, or not at all, in what followed. */
static bool unresolved(const struct history *h, size_t at)
{
	const struct guc_message *all = h->ct.messages.items;

	for (size_t i = at + 1; i < MIN(h->ct.messages.count, at + FAULT_MESSAGES); i++)
		if (guc_answers_fault(&h->ct, &all[i], &all[at]))
			return word_of(h, &all[i], 1) & 2;
	return true;
}

/*
 * The last one that failed, since a process may fault on purpose: no register of Xe2 and later
 * records it.
 */
static bool tell_fault(struct gsc_hang *hang, const struct history *h)
{
	char line[sizeof(((struct driver_fact *)NULL)->a.text)];
	struct text text = text_of(line);
	const struct guc_message *m = h->faults.last;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_item item;
	char class[24] = "", access[24] = "", type[48] = "";

	if (!m || !view_structure(hang->gpu->view, "GUC_REPORT_PAGE_FAULT_REQ_DESC", &item))
		return true;
	gsc_item_fields(hang->gpu->view->db, hang->gpu->view, &item,
			h->ct.words.items + m->first, m->count, &it);
	while (gsc_field_next(&it, &field))
		if (!strcmp(field.name, "ENGINE_CLASS") && field.text)
			string_set(class, "%.20s", field.text);
		else if (!strcmp(field.name, "ACCESS") && field.text)
			string_set(access, "%.20s", field.text);
		else if (!strcmp(field.name, "FAULT_TYPE") && field.text)
			string_set(type, "%.40s", field.text);
	text_add(&text, "a page fault that the driver did not resolve: %s of a %s engine at "
		 "ppgtt:0x%llx, ASID %u: %s", access, class,
		 LL((uint64_t)word_of(h, m, 4) << 32 | (word_of(h, m, 3) & ~0xfffu)),
		 word_of(h, m, 2) >> 12, type);
	if (h->faults.count > 1)
		text_add(&text, "; the last of %zu", h->faults.count);
	return add_fact(hang, line);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void look(struct history *h)
{
	for (size_t i = 0; i < h->ct.messages.count; i++) {
		const struct guc_message *m = &h->ct.messages.items[i];

		if (guc_unanswered(&h->ct, m) && !m->unread)
			see(&h->silent, m);
		if (m->unread && m->direction == GUC_SENT)
			see(&h->unread, m);
		if (m->direction == GUC_SENT || m->type > GUC_FAST_REQUEST)
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(reports); k++)
			if (m->action == reports[k].action)
				see(&h->reports[k], m);
		if (m->action == 0x6002 && unresolved(h, i))
			see(&h->faults, m);
	}
}

static enum gsc_status tell(struct gsc_hang *hang, const struct gsc_member *member,
			    struct gsc_error *err)
{
	struct history h = { .silent.count = 0 };
	struct gsc_error ignored;
	enum gsc_status status = guc_ct_read(&h.ct, member->data, (size_t)member->held, &ignored);
	bool ok = true;

	if (!status) {
		look(&h);
		ok = tell_fault(hang, &h) && tell_reports(hang, &h) &&
		     tell_requests(hang, &h.silent, "without an answer") &&
		     tell_requests(hang, &h.unread, "that it has not read");
	}
	guc_ct_free(&h.ct);
	return ok && !(status && err_is_memory(&ignored)) ? GSC_OK : err_memory(err);
}

enum gsc_status hang_guc(struct gsc_hang *hang, struct gsc_error *err)
{
	const struct gsc_source *source = hang->gpu->source;
	struct gsc_member member = { .next = 0 };
	enum gsc_status status = GSC_OK;

	for (size_t part = 0; !status && part < gsc_source_count(source); part++)
		for (member.next = 0; !status && gsc_capture_member(source, part, &member);)
			if (slice_ends(slice_string(member.name), MEMBER) && member.held)
				status = tell(hang, &member, err);
	return status;
}
