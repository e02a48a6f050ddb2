/* SPDX-License-Identifier: MIT */
/*
 * The two rings of messages between driver and GuC. Their images are those of the drivers' buffers:
 * i915 and older xe have both rings in one, newer xe has one for each direction, and dumps hold
 * them in a row. A message is a header (fence, format, length) and that many dwords; it may go over
 * the end of its ring, or zeros fill the rest of it. Where the oldest message begins nobody notes:
 * it is the first place from where message after message leads to the tail.
 */
#include "guc/guc.h"

#define PAGE_DWORDS 1024u
#define DESCRIPTOR_DWORDS 512u		/* from one descriptor to the next: 2 KB */
#define RING_MOST (1u << 18)		/* dwords */
#define FENCES 65536u

/* Bits of a header. Origin: Linux guc_communication_ctb_abi.h GUC_CTB_MSG_0_FENCE. */
static unsigned length_of(uint32_t header)
{
	return header & 0xff;
}

/*
 * A header has format 0 and no reserved bits; its message says which side it is from, and what it
 * is about unless it is an answer.
 */
static bool begins_message(uint32_t header, uint32_t first, enum guc_direction direction)
{
	unsigned type = first >> 28 & 7;

	return length_of(header) && !(header & 0xff00) && first >> 31 == direction && type != 4 &&
	       (type > GUC_FAST_REQUEST || first & 0xffff);
}

/* ---- where the rings are --------------------------------------------------------------------- */

static bool is_power(size_t n)
{
	return n && !(n & (n - 1));
}

/* The ring of the host has one page in all drivers; the rest is that of the GuC. */
static bool find_rings(struct guc_ct *ct, const uint8_t *bytes, size_t count)
{
	/* Dwords before the rings: a page of descriptors in each buffer. */
	static const struct {
		uint32_t sent, descriptor, received;
	} layouts[] = {
		{ PAGE_DWORDS, DESCRIPTOR_DWORDS, 2 * PAGE_DWORDS },
		{ PAGE_DWORDS, 2 * PAGE_DWORDS + DESCRIPTOR_DWORDS, 3 * PAGE_DWORDS },
	};

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		uint32_t received = layouts[i].received, at[GUC_DIRECTIONS];

		if (count <= received || count - received > RING_MOST ||
		    !is_power(count - received))
			continue;
		ct->rings[GUC_SENT] = (struct guc_ring){ .start = layouts[i].sent,
							 .size = PAGE_DWORDS };
		ct->rings[GUC_RECEIVED] = (struct guc_ring){ .start = received,
						.size = (uint32_t)(count - received) };
		at[GUC_SENT] = 0;
		at[GUC_RECEIVED] = layouts[i].descriptor;
		for (unsigned d = 0; d < GUC_DIRECTIONS; d++) {
			ct->rings[d].head = guc_dword(bytes + at[d] * 4);
			ct->rings[d].tail = guc_dword(bytes + at[d] * 4 + 4);
			ct->rings[d].status = guc_dword(bytes + at[d] * 4 + 8);
		}
		return true;
	}
	return false;
}

/* ---- the messages of a ring ------------------------------------------------------------------ */

/* Dword number `i` after the tail, which is the oldest. */
static uint32_t dword(const struct guc_ring *ring, const uint8_t *bytes, uint32_t i)
{
	return guc_dword(bytes + (ring->start + (ring->tail + i) % ring->size) * 4);
}

/*
 * The first dword after the tail from where messages lead back to the tail exactly. Before the
 * first round of a ring that is its beginning.
 */
static uint32_t oldest(struct guc_ring *ring, const uint8_t *bytes, enum guc_direction direction,
		       uint8_t *leads)
{
	uint32_t first = ring->size;

	for (uint32_t i = ring->size; i--;) {
		uint32_t header = dword(ring, bytes, i), next = i + 1 + length_of(header);

		leads[i] = !header ? i + 1 == ring->size || leads[i + 1] :
			   next <= ring->size && (next == ring->size || leads[next]) &&
			   begins_message(header, dword(ring, bytes, i + 1), direction);
		if (leads[i] && header)
			first = i;
	}
	return first;
}

static bool add_message(struct guc_ct *ct, const uint8_t *bytes, enum guc_direction direction,
			uint32_t i)
{
	const struct guc_ring *ring = &ct->rings[direction];
	uint32_t header = dword(ring, bytes, i), first = dword(ring, bytes, i + 1);
	uint32_t unread = (ring->tail - ring->head + ring->size) % ring->size;
	struct guc_message *message = vec_add(&ct->messages);

	if (!message || !vec_reserve(&ct->words, length_of(header)))
		return false;
	*message = (struct guc_message){
		.direction = direction,
		.type = first >> 28 & 7,
		.unread = ring->size - i <= unread,
		.action = (uint16_t)first,
		.fence = (uint16_t)(header >> 16),
		.offset = ring->start + (ring->tail + i) % ring->size,
		.first = ct->words.count,
		.count = length_of(header),
		.other = GUC_NONE,
	};
	for (uint32_t k = 0; k < message->count; k++)
		ct->words.items[ct->words.count++] = dword(ring, bytes, i + 1 + k);
	return true;
}

static bool read_ring(struct guc_ct *ct, const uint8_t *bytes, enum guc_direction direction,
		      uint8_t *leads)
{
	struct guc_ring *ring = &ct->rings[direction];
	uint32_t i;

	ring->lost = ring->tail >= ring->size || ring->head >= ring->size;
	if (ring->lost)
		return true;
	i = oldest(ring, bytes, direction, leads);
	for (uint32_t k = 0; k < i && !ring->gap; k++)
		if (dword(ring, bytes, k))
			ring->gap = i - k;
	ring->wrapped = i < ring->size - ring->tail;
	ring->lost = ring->wrapped || ring->gap;
	while (i < ring->size) {
		uint32_t header = dword(ring, bytes, i);

		if (header && !add_message(ct, bytes, direction, i))
			return false;
		i += 1 + length_of(header);
	}
	return true;
}

/* ---- requests and answers -------------------------------------------------------------------- */

/* What the GuC reports when it has done something, and the dword that both messages share. */
static const struct {
	uint16_t asked, done;
	bool mode;			/* and the next one: what was done to it */
} pairs[] = {
	{ 0x1001, 0x1002, true },	/* SCHED_CONTEXT_MODE_SET, _DONE */
	{ 0x4503, 0x4600, false },	/* DEREGISTER_CONTEXT, _DONE */
	{ 0x4602, 0x4604, false },	/* REGISTER_CONTEXT_MULTI_QUEUE, CGP_SYNC_DONE */
	{ 0x4603, 0x4604, false },
	{ 0x7000, 0x7001, false },	/* TLB_INVALIDATION, _DONE */
	{ 0x7003, 0x7004, false },	/* PAGE_RECLAMATION, _DONE */
};

/* Of a TLB invalidation that nobody waits for. Origin: Linux xe_tlb_inval_types.h. */
#define NO_SEQNO 0x100000

static uint32_t word_of(const struct guc_ct *ct, const struct guc_message *m, size_t i)
{
	return i < m->count ? ct->words.items[m->first + i] : 0;
}

/* The pair that a message belongs to; ARRAY_SIZE(pairs): none. */
static size_t pair_of(const struct guc_ct *ct, const struct guc_message *m)
{
	size_t i = 0;

	if (m->type > GUC_FAST_REQUEST || (m->action == 0x7000 && word_of(ct, m, 1) == NO_SEQNO))
		return ARRAY_SIZE(pairs);
	while (i < ARRAY_SIZE(pairs) &&
	       m->action != (m->direction == GUC_SENT ? pairs[i].asked : pairs[i].done))
		i++;
	return i;
}

/* A message of a pair, for sorting: those that may belong together are neighbours. */
struct candidate {
	uint64_t key;
	size_t index;
};

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

static void join(struct guc_ct *ct, size_t sent, size_t received)
{
	ct->messages.items[sent].other = received;
	ct->messages.items[received].other = sent;
}

static bool same_mode(const struct guc_ct *ct, const struct guc_message *a,
		      const struct guc_message *b)
{
	return !pairs[pair_of(ct, a)].mode || word_of(ct, a, 2) == word_of(ct, b, 2);
}

/*
 * Candidates of one key, first those sent. From the beginning, if both rings still have all they
 * ever had; else from the end: a request whose mode the last answer does not have is not answered.
 */
static void join_key(struct guc_ct *ct, const struct candidate *c, size_t count)
{
	struct guc_message *messages = ct->messages.items;
	bool whole = !ct->rings[GUC_SENT].lost && !ct->rings[GUC_RECEIVED].lost;
	size_t sent = 0;

	while (sent < count && messages[c[sent].index].direction == GUC_SENT)
		sent++;
	for (size_t i = 0; whole && i < sent && sent + i < count; i++)
		join(ct, c[i].index, c[sent + i].index);
	for (size_t i = sent, k = count; !whole && i && k > sent; i--)
		if (same_mode(ct, &messages[c[i - 1].index], &messages[c[k - 1].index]))
			join(ct, c[i - 1].index, c[--k].index);
}

static bool join_done(struct guc_ct *ct)
{
	VEC(struct candidate) list = { 0 };
	bool ok = true;

	for (size_t i = 0; ok && i < ct->messages.count; i++) {
		const struct guc_message *m = &ct->messages.items[i];
		size_t pair = pair_of(ct, m);
		/* Before the context REGISTER_CONTEXT_MULTI_QUEUE has flags. */
		bool flags = m->direction == GUC_SENT && m->action == 0x4602;
		uint64_t key = word_of(ct, m, flags ? 2 : 1);

		if (pair < ARRAY_SIZE(pairs))
			ok = vec_push(&list, (struct candidate){
				      (uint64_t)pairs[pair].done << 32 | key, i });
	}
	if (list.count)
		qsort(list.items, list.count, sizeof(*list.items), compare_candidates);
	for (size_t i = 0, next; i < list.count; i = next) {
		for (next = i + 1; next < list.count && list.items[next].key == list.items[i].key;)
			next++;
		join_key(ct, list.items + i, next - i);
	}
	vec_free(&list);
	return ok;
}

/* An answer has the fence of its request, the last one with it. */
static bool join_answers(struct guc_ct *ct, size_t sent)
{
	size_t *by_fence = calloc(FENCES, sizeof(*by_fence));

	if (!by_fence)
		return false;
	for (size_t i = 0; i < sent; i++)
		if (ct->messages.items[i].type == GUC_REQUEST)
			by_fence[ct->messages.items[i].fence] = i + 1;
	for (size_t i = sent; i < ct->messages.count; i++) {
		const struct guc_message *m = &ct->messages.items[i];

		if (m->type >= GUC_RETRY && by_fence[m->fence])
			join(ct, by_fence[m->fence] - 1, i);
	}
	free(by_fence);
	return true;
}

static bool lacks_answer(const struct guc_ct *ct, const struct guc_message *m)
{
	return m->direction == GUC_SENT && m->other == GUC_NONE && !m->unread &&
	       (m->type == GUC_REQUEST || pair_of(ct, m) < ARRAY_SIZE(pairs));
}

bool guc_unanswered(const struct guc_ct *ct, const struct guc_message *m)
{
	return lacks_answer(ct, m) && (size_t)(m - ct->messages.items) >= ct->lost;
}

bool guc_answer_lost(const struct guc_ct *ct, const struct guc_message *m)
{
	return lacks_answer(ct, m) && (size_t)(m - ct->messages.items) < ct->lost;
}

/* The context that a message is about. */
static bool context_of(const struct guc_ct *ct, const struct guc_message *m, uint32_t *id)
{
	static const struct {
		uint16_t from, to, dword;
	} with[] = {
		{ 0x1000, 0x1002, 1 }, { 0x1005, 0x1008, 1 }, { 0x100b, 0x100b, 1 },
		{ 0x4502, 0x4502, 2 }, { 0x4503, 0x4503, 1 }, { 0x4600, 0x4600, 1 },
		{ 0x4601, 0x4602, 2 }, { 0x4603, 0x4604, 1 }, { 0x4605, 0x4605, 3 },
		{ 0x6000, 0x6000, 1 },
	};

	for (size_t i = 0; m->type <= GUC_FAST_REQUEST && i < ARRAY_SIZE(with); i++) {
		if (m->action < with[i].from || m->action > with[i].to || with[i].dword >= m->count)
			continue;
		*id = word_of(ct, m, with[i].dword);
		return true;
	}
	return false;
}

bool guc_named(const struct gsc_view *view, const char *structure, const char *name,
	       const uint32_t *words, size_t count, struct gsc_value *value)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_item item;

	if (!view_structure(view, structure, &item))
		return false;
	gsc_item_fields(view->db, view, &item, words, count, &it);
	while (gsc_field_next(&it, &field)) {
		if (strcmp(field.name, name))
			continue;
		for (size_t i = 0; gsc_field_value(&it, i, value); i++)
			if (field.value >= value->lo && field.value <= value->hi)
				return true;
	}
	return false;
}

size_t guc_captures_of(const struct guc_ct *ct, uint32_t context)
{
	size_t count = 0;

	for (size_t i = ct->messages.count; i-- > 0;) {
		const struct guc_message *m = &ct->messages.items[i];
		bool reports = m->direction == GUC_RECEIVED && m->type <= GUC_FAST_REQUEST;

		if (reports && m->action == 0x4600 && word_of(ct, m, 1) == context)
			break;
		count += reports && m->action == 0x8002 && !(word_of(ct, m, 1) & 0xff);
	}
	return count;
}

/* ---- one history ----------------------------------------------------------------------------- */

#define SHORTEST_TIMEOUT 0x20020001	/* PREEMPTION_TIMEOUT, before 1: of a context that ends */

/*
 * What a driver sends once it knows that a context was reset, or its state captured: that it has
 * read the log; or that the context gets no more time, is disabled, is gone.
 */
static bool is_reaction(const struct guc_ct *ct, const struct guc_message *m, bool any,
			uint32_t context)
{
	uint32_t id;

	if (any)
		return m->action == 0x0030;
	return context_of(ct, m, &id) && id == context &&
	       (m->action == 0x4503 || (m->action == 0x1001 && !word_of(ct, m, 2)) ||
		(m->action == 0x100b && word_of(ct, m, 2) == SHORTEST_TIMEOUT &&
		 word_of(ct, m, 3) == 1));
}

/* xe takes from a context that was reset what is left of its time, before it disables it. */
bool guc_resets_alone(const struct guc_ct *ct, const struct guc_message *reset)
{
	size_t i = (size_t)(reset - ct->messages.items);

	while (i < ct->messages.count &&
	       !(ct->messages.items[i].direction == GUC_SENT &&
		 is_reaction(ct, &ct->messages.items[i], false, word_of(ct, reset, 1))))
		i++;
	return i < ct->messages.count && ct->messages.items[i].action == 0x100b;
}

/* The reply to a page fault repeats its address space and PDATA (xe_guc_pagefault.c). */
bool guc_answers_fault(const struct guc_ct *ct, const struct guc_message *m,
		       const struct guc_message *fault)
{
	uint32_t pdata = (word_of(ct, fault, 2) & 0xfff) << 4 | word_of(ct, fault, 1) >> 28;

	return m->direction == GUC_SENT && m->type <= GUC_FAST_REQUEST && m->action == 0x6003 &&
	       word_of(ct, m, 1) >> 12 == word_of(ct, fault, 2) >> 12 &&
	       word_of(ct, m, 2) >> 16 == pdata;
}

/*
 * Number of sent messages that precede a received one. An answer follows its request. What the GuC
 * reports by itself comes as late as the next answer allows, but before the driver reacts to it.
 */
static size_t sent_before(const struct guc_ct *ct, size_t least, size_t most,
			  const struct guc_message *m)
{
	bool captured = m->type <= GUC_FAST_REQUEST && m->action == 0x8002;
	bool fault = m->type <= GUC_FAST_REQUEST && m->action == 0x6002;
	uint32_t context = 0;

	if (m->other != GUC_NONE)
		return MAX(least, m->other + 1);
	if (!captured && !fault && !context_of(ct, m, &context))
		return most;
	for (size_t i = least; i < most; i++)
		if (fault ? guc_answers_fault(ct, &ct->messages.items[i], m) :
			    is_reaction(ct, &ct->messages.items[i], captured, context))
			return i;
	return most;
}

/* Puts the messages of both rings in one order: *place is where a message goes. */
static bool merge(struct guc_ct *ct, size_t sent)
{
	size_t count = ct->messages.count, done = 0, at = 0;
	struct guc_message *merged = calloc(count + 1, sizeof(*merged));
	size_t *place = calloc(count + 1, sizeof(*place)), *most = calloc(count + 1, sizeof(*most));
	bool ok = merged && place && most;

	/* Up to where the next answer allows. */
	for (size_t i = count, next = sent; ok && i-- > sent;) {
		if (ct->messages.items[i].other != GUC_NONE)
			next = MIN(next, ct->messages.items[i].other + 1);
		most[i] = next;
	}
	for (size_t i = sent; ok && i < count; i++) {
		size_t before = sent_before(ct, done, MAX(done, most[i]), &ct->messages.items[i]);

		while (done < before)
			place[done++] = at++;
		place[i] = at++;
	}
	while (ok && done < sent)
		place[done++] = at++;
	for (size_t i = 0; ok && i < count; i++) {
		merged[place[i]] = ct->messages.items[i];
		if (merged[place[i]].other != GUC_NONE)
			merged[place[i]].other = place[merged[place[i]].other];
	}
	if (ok && count)
		memcpy(ct->messages.items, merged, count * sizeof(*merged));
	free(merged);
	free(place);
	free(most);
	return ok;
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* False: memory is out. */
static bool read_rings(struct guc_ct *ct, const uint8_t *bytes)
{
	size_t most = MAX(ct->rings[GUC_SENT].size, ct->rings[GUC_RECEIVED].size), sent;
	uint8_t *leads = malloc(most + 1);
	bool ok = leads && read_ring(ct, bytes, GUC_SENT, leads);

	sent = ct->messages.count;
	ok = ok && read_ring(ct, bytes, GUC_RECEIVED, leads) && join_answers(ct, sent) &&
	     join_done(ct) && merge(ct, sent);
	/* An answer that is not there any more preceded the oldest that is. */
	while (ct->rings[GUC_RECEIVED].lost && ct->lost < ct->messages.count &&
	       ct->messages.items[ct->lost].direction == GUC_SENT)
		ct->lost++;
	free(leads);
	return ok;
}

enum gsc_status guc_ct_read(struct guc_ct *ct, const void *image, size_t size,
			    struct gsc_error *err)
{
	*ct = (struct guc_ct){ 0 };
	if (!find_rings(ct, image, size / 4))
		return err_set(err, GSC_FAILED, "guc-ct", "not the rings of a GuC: those have 8 or "
			       "12 KB and a power of two; these are %zu bytes", size);
	return read_rings(ct, image) ? GSC_OK : err_memory(err);
}

void guc_ct_free(struct guc_ct *ct)
{
	vec_free(&ct->words);
	vec_free(&ct->messages);
}
