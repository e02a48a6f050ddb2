/* SPDX-License-Identifier: MIT */
/*
 * What a GuC and its driver said to each other before a dump was written, in a few lines: what the
 * GuC reported, what it has not answered. All of it is shown by gpu-fault --decode guc-ct.
 */
#include "hang/hang.h"

#include "guc/guc.h"
#include "util/text.h"

#define FAULT_MESSAGES 1024		/* after a page fault in which its reply is looked for */

/* What the GuC reports by itself when something went wrong, how it is told and signed. */
enum { RESET, RESET_FAILED, GROUP_FAILED, MEMORY_ERROR, NO_ROOM, CRASHED, REPORTS = CRASHED + 2 };
static const struct {
	uint16_t action;
	unsigned context;		/* the dword with the context, or 0 */
	const char *class, *text;
} reports[REPORTS] = {
	[RESET] = { 0x1008, 1, NULL, "the GuC reset an engine: CONTEXT_RESET_NOTIFICATION" },
	[RESET_FAILED] = { 0x1009, 0, "reset-failed", "the GuC could not reset an engine: "
			   "ENGINE_FAILURE_NOTIFICATION" },
	[GROUP_FAILED] = { 0x4605, 3, NULL,
			   "a group of queues failed: NOTIFY_MULTI_QUEUE_CGP_CONTEXT_ERROR" },
	[MEMORY_ERROR] = { 0x6000, 1, NULL,
			   "a memory access could not be translated: NOTIFY_MEMORY_CAT_ERROR" },
	[NO_ROOM] = { 0x8002, 0, NULL, "the GuC had no room to save an engine's registers: "
		      "STATE_CAPTURE_NOTIFICATION" },
	[CRASHED] = { 0x8004, 0, "guc-crash", "the GuC crashed: NOTIFY_CRASH_DUMP_POSTED" },
	{ 0x8005, 0, "guc-crash", "the GuC crashed: NOTIFY_EXCEPTION" },
};

/* How often, and the last one; numbers of contexts are used again. */
struct seen {
	size_t count, others;		/* of the context of the last one, of others before */
	const struct guc_message *last;
	bool gone;			/* its context was deregistered since */
};

struct history {
	struct guc_ct ct;
	struct seen reports[REPORTS], silent, unread, faults;
};

static uint32_t word_of(const struct history *h, const struct guc_message *m, size_t i)
{
	return i < m->count ? h->ct.words.items[m->first + i] : 0;
}

static void see(struct seen *seen, const struct guc_message *m, bool other)
{
	*seen = (struct seen){ other ? 1 : seen->count + 1,
			       seen->others + (other ? seen->count : 0), m, false };
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

/* What is wrong if no engine hangs: a crash, else the first that is found. */
static void conclude(struct gsc_hang *hang, const char *class, const char *why)
{
	if (hang->guc.class && strcmp(class, "guc-crash"))
		return;
	hang->guc.class = class;
	string_set(hang->guc.why, "%.150s", why);
}

/* Of xe's dump it is the queue that hung; i915 says for each engine which one that is. */
static bool is_hung(const struct gsc_hang *hang, uint32_t context)
{
	const struct driver_facts *facts = &hang->facts;

	for (size_t i = 0; i < facts->requests.count; i++)
		if (facts->requests.items[i].kind == WORK_CONTEXT &&
		    facts->requests.items[i].guc_id == context)
			return true;
	for (size_t i = 0; i < facts->engines.count; i++)
		if (facts->engines.items[i].has_guc_id &&
		    facts->engines.items[i].guc_id == context)
			return true;
	return false;
}

/* "CONTEXT_RESET_NOTIFICATION of context 2, which hung: hang-xe [174]; the last of 2" */
static bool tell_report(struct gsc_hang *hang, const struct history *h, size_t i)
{
	char line[sizeof(((struct driver_fact *)NULL)->a.text)], engine[ENGINE_NAME];
	const struct guc_message *last = h->reports[i].last;
	uint32_t base, context = word_of(h, last, reports[i].context);
	bool hung = reports[i].context && !h->reports[i].gone && is_hung(hang, context);
	struct text text = text_of(line);

	text_add(&text, "%s", reports[i].text);
	if (i == RESET_FAILED && guc_engine(hang->gpu->view, &(struct guc_capture){
			.class = word_of(h, last, 1), .instance = word_of(h, last, 2) },
			engine, &base))
		text_add(&text, " of %s", engine);
	if (reports[i].context && context + 1)
		text_add(&text, " of %scontext %u", h->reports[i].gone ? "an earlier " : "",
			 context);
	else if (reports[i].context)
		text_add(&text, " of an unknown context");
	if (hung)
		text_add(&text, ", which hung");
	for (size_t k = 0; hung && k < hang->facts.about.count; k++)
		if (!strcmp(hang->facts.about.items[k].a.name, "process"))
			text_add(&text, ": %.60s", hang->facts.about.items[k].a.text);
	if (i == RESET && hung && !h->reports[MEMORY_ERROR].last && guc_resets_alone(&h->ct, last))
		text_add(&text, "; by the GuC's own time-out");
	if (i == MEMORY_ERROR && hung && !*hang->guc.memory)
		string_set(hang->guc.memory, "the GuC reported a memory access of the hung context "
			   "that could not be translated (CAT error)");
	if (i == MEMORY_ERROR && hung)
		conclude(hang, "cat", hang->guc.memory);
	if (reports[i].class)
		conclude(hang, reports[i].class, line);
	hang->guc.crashed |= i >= CRASHED;
	if (h->reports[i].count > 1)
		text_add(&text, "; the last of %zu", h->reports[i].count);
	if (h->reports[i].others)
		text_add(&text, "; %zu of other contexts before", h->reports[i].others);
	return add_fact(hang, line);
}

/* "the GuC has not answered 2 requests, the last is TLB_INVALIDATION" */
static bool tell_requests(struct gsc_hang *hang, const struct seen *seen, const char *class,
			  const char *what)
{
	char line[sizeof(((struct driver_fact *)NULL)->a.text)];
	struct text text = text_of(line);
	struct gsc_value value;

	if (!seen->count)
		return true;
	text_add(&text, "the GuC has not %s %zu request%s, the last is ", what, seen->count,
		 seen->count == 1 ? "" : "s");
	if (guc_named(hang->gpu->view, "GUC_HXG_REQUEST", "ACTION",
		      &(uint32_t){ seen->last->action }, 1, &value))
		text_add(&text, "%s", value.name);
	else
		text_add(&text, "0x%04x", seen->last->action);
	conclude(hang, class, line);
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
	static const char structure[] = "GUC_REPORT_PAGE_FAULT_REQ_DESC";
	char line[sizeof(((struct driver_fact *)NULL)->a.text)], engine[ENGINE_NAME] = "";
	const struct guc_message *m = h->faults.last;
	const uint32_t *words = m ? h->ct.words.items + m->first : NULL;
	const struct gsc_view *view = hang->gpu->view;
	struct text text = text_of(line);
	struct gsc_value access, type;
	uint32_t base;
	bool known;

	if (!m || !guc_named(view, structure, "ACCESS", words, m->count, &access) ||
	    !guc_named(view, structure, "FAULT_TYPE", words, m->count, &type))
		return true;
	known = guc_engine(view, &(struct guc_capture){ .class = word_of(h, m, 1) >> 25 & 7,
			   .instance = word_of(h, m, 1) >> 19 & 0x3f }, engine, &base);
	text_add(&text, "a page fault of %s that the driver did not resolve: %s at ppgtt:0x%llx, "
		 "ASID %u: %s", known ? engine : "an unknown engine", access.name,
		 LL((uint64_t)word_of(h, m, 4) << 32 | (word_of(h, m, 3) & ~0xfffu)),
		 word_of(h, m, 2) >> 12, type.name);
	if (h->faults.count > 1)
		text_add(&text, "; the last of %zu", h->faults.count);
	if (known) {
		string_set(hang->guc.memory, "%s", line);
		memcpy(hang->guc.engine, engine, sizeof(engine));
		conclude(hang, "ppgtt-fault", line);
	}
	return add_fact(hang, line);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void look(struct history *h)
{
	for (size_t i = 0; i < h->ct.messages.count; i++) {
		const struct guc_message *m = &h->ct.messages.items[i];

		if (guc_unanswered(&h->ct, m))
			see(&h->silent, m, false);
		if (m->unread && m->direction == GUC_SENT)
			see(&h->unread, m, false);
		if (m->direction == GUC_SENT || m->type > GUC_FAST_REQUEST)
			continue;
		for (size_t k = 0; k < REPORTS; k++) {
			struct seen *seen = &h->reports[k];
			unsigned at = reports[k].context;

			if (m->action == reports[k].action && (k != NO_ROOM || word_of(h, m, 1)))
				see(seen, m, at && seen->last && (seen->gone ||
				    word_of(h, m, at) != word_of(h, seen->last, at)));
			else if (m->action == 0x4600 && seen->last && at)
				seen->gone |= word_of(h, m, 1) == word_of(h, seen->last, at);
		}
		if (m->action == 0x6002 && unresolved(h, i))
			see(&h->faults, m, false);
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
		ok = tell_fault(hang, &h);
		for (size_t i = 0; ok && i < REPORTS; i++)
			ok = !h.reports[i].count || tell_report(hang, &h, i);
		ok = ok && tell_requests(hang, &h.unread, "guc-messages", "read") &&
		     tell_requests(hang, &h.silent, "guc-request", "answered");
	}
	guc_ct_free(&h.ct);
	return ok && !(status && err_is_memory(&ignored)) ? GSC_OK : err_memory(err);
}

/* It writes there only when it crashes, which may have been long ago. */
static bool tell_crash(struct gsc_hang *hang, const struct gsc_member *member)
{
	static const char crashed[] = "the GuC crashed: its log has a crash dump";
	struct guc_log_state states[GUC_LOG_PARTS];
	struct gsc_error ignored;

	if (guc_log_read(states, member->data, (size_t)member->held, &ignored) ||
	    !states[GUC_LOG_CRASH].write)
		return true;
	conclude(hang, "guc-crash", crashed);
	return add_fact(hang, crashed);
}

enum gsc_status hang_guc(struct gsc_hang *hang, struct gsc_error *err)
{
	const struct gsc_source *source = hang->gpu->source;
	struct gsc_member member = { .next = 0 };
	enum gsc_status status = GSC_OK;

	for (size_t part = 0; !status && part < gsc_source_count(source); part++)
		for (member.next = 0; !status && gsc_capture_member(source, part, &member);)
			if (slice_ends(slice_string(member.name), "guc-log.bin") && member.held)
				status = tell_crash(hang, &member) ? GSC_OK : err_memory(err);
			else if (slice_ends(slice_string(member.name), "guc-ct.bin") && member.held)
				status = tell(hang, &member, err);
	return status;
}
