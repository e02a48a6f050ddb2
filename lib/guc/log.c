/* SPDX-License-Identifier: MIT */
/*
 * The log of the GuC: a page with the state of each part, then the parts. The last part is a ring
 * of groups: when the GuC resets an engine it stores a group of lists of registers there, as they
 * were before. A group may go over the end of the ring. Where the oldest one begins nobody notes:
 * it is the first place from where group after group leads to the place where the GuC writes next.
 */
#include "guc/guc.h"

#include "db/properties.h"
#include "util/error.h"

#define STATES_BYTES 4096u
#define CAPTURE_MOST (UINT64_C(4) << 20)
#define GROUP_DWORDS 2u
#define LIST_DWORDS 5u
#define REGISTER_DWORDS 4u
#define VF_MOST 63u

/* ---- the ring of groups ---------------------------------------------------------------------- */

/* Its dwords are counted from the place that is written next, so from the oldest. */
struct ring {
	const uint8_t *bytes;
	uint32_t size, write;		/* dwords */
};

static uint32_t dword(const struct ring *ring, uint32_t i)
{
	return guc_dword(ring->bytes + (size_t)((ring->write + i) % ring->size) * 4);
}

/* The end of the list that begins at a dword; 0: there is none. */
static uint32_t list_end(const struct ring *ring, uint32_t at)
{
	uint32_t info, count;

	if (ring->size - at < LIST_DWORDS)
		return 0;
	info = dword(ring, at + 1);
	count = dword(ring, at + 4);
	if (dword(ring, at) > VF_MOST || info > 0xfff || (info & 0xf) > GUC_CAPTURE_INSTANCE ||
	    count > 0x3ff || count * REGISTER_DWORDS > ring->size - at - LIST_DWORDS)
		return 0;
	return at + LIST_DWORDS + count * REGISTER_DWORDS;
}

/* The end of the group that begins at a dword; 0: there is none. */
static uint32_t group_end(const struct ring *ring, uint32_t at)
{
	uint32_t info, lists;

	if (ring->size - at < GROUP_DWORDS)
		return 0;
	info = dword(ring, at + 1);
	lists = info & 0xff;
	if (dword(ring, at) > VF_MOST || info >> 8 > 1 || !lists)
		return 0;
	for (at += GROUP_DWORDS; lists && at; lists--)
		at = at < ring->size ? list_end(ring, at) : 0;
	return at;
}

/* ---- the states of the parts ----------------------------------------------------------------- */

/*
 * The page of a cut log where the part begins whose groups, from its beginning, lead to the place
 * that is written next; 0: there is none.
 */
static uint64_t find_groups(const uint8_t *log, size_t size, uint32_t write)
{
	uint64_t most = write && write <= size ? MIN(size - write, CAPTURE_MOST) : 0;

	for (uint64_t start = STATES_BYTES; start <= most; start += STATES_BYTES) {
		struct ring ring = { log + start, write / 4, 0 };
		uint32_t at = group_end(&ring, 0);

		while (at && at < ring.size)
			at = group_end(&ring, at);
		if (at)
			return start;
	}
	return 0;
}

/* Parts lie one after the other; the GuC writes their sizes when it starts to log. */
enum gsc_status guc_log_read(struct guc_log_state states[GUC_LOG_PARTS], const void *log,
			     size_t size, struct gsc_error *err)
{
	uint64_t start = STATES_BYTES;
	const uint8_t *at = log;
	struct guc_log_state *capture = &states[GUC_LOG_CAPTURE];

	if (size < STATES_BYTES)
		return err_set(err, GSC_FAILED, "guc-log", "not the log of a GuC: it begins with a "
			       "page of states; these are %zu bytes", size);
	for (unsigned i = 0; i < GUC_LOG_PARTS; i++, at += GUC_STATE_BYTES) {
		states[i] = (struct guc_log_state){
			.read = guc_dword(at + 8), .write = guc_dword(at + 12),
			.size = guc_dword(at + 16), .start = start,
		};
		start += states[i].size;
	}
	/* Without the sizes of the others the last one is still at the end, if that is there. */
	if (capture->size && !states[GUC_LOG_EVENTS].size && !states[GUC_LOG_CRASH].size) {
		start = size - STATES_BYTES >= capture->size ? size - capture->size :
			find_groups(log, size, capture->write);
		capture->start = start ? start : size;
	}
	for (unsigned i = 0; i < GUC_LOG_PARTS; i++) {
		struct guc_log_state *s = &states[i];

		/* Of a ring that is cut the newest is whole up to where it is written next. */
		s->cut = s->start <= size && s->size > size - s->start;
		if (s->cut && i == GUC_LOG_CAPTURE && s->write < s->size)
			s->size = s->write;
		if (s->start > size || s->size > size - s->start || s->size % 4 ||
		    (i == GUC_LOG_CAPTURE && s->size > CAPTURE_MOST))
			s->size = 0;
		if (s->read >= s->size || s->write >= s->size)
			s->read = s->write = 0;
	}
	return GSC_OK;
}

/* ---- groups --------------------------------------------------------------------------------- */

/* What was never written is zero. */
static uint32_t oldest(const struct ring *ring, uint8_t *leads)
{
	uint32_t first = ring->size;

	for (uint32_t i = ring->size; i--;) {
		uint32_t end = group_end(ring, i);

		leads[i] = end && (end == ring->size || leads[end]);
		if (leads[i])
			first = i;
	}
	return first;
}

static bool add_list(struct guc_captures *c, const struct ring *ring, uint32_t at, size_t group,
		     bool partial, uint64_t start)
{
	uint32_t info = dword(ring, at + 1), count = dword(ring, at + 4);
	struct guc_capture *list = vec_add(&c->lists);

	if (!list)
		return false;
	*list = (struct guc_capture){
		.group = group, .partial = partial, .type = info & 0xf, .class = info >> 4 & 0xf,
		.instance = info >> 8 & 0xf, .lrca = dword(ring, at + 2),
		.context = dword(ring, at + 3), .first = c->registers.count, .count = count,
		.offset = (uint32_t)(start + (ring->write + at) % ring->size * 4),
	};
	at += LIST_DWORDS;
	for (uint32_t i = 0; i < count; i++, at += REGISTER_DWORDS)
		if (!vec_push(&c->registers, (struct guc_captured){
				dword(ring, at), dword(ring, at + 1), dword(ring, at + 2),
				dword(ring, at + 3) }))
			return false;
	return true;
}

bool guc_captures_read(struct guc_captures *c, const struct guc_log_state *state, const void *log)
{
	struct ring ring = { (const uint8_t *)log + state->start, (uint32_t)(state->size / 4),
			     state->write / 4 };
	uint8_t *leads = malloc(ring.size + 1);
	uint32_t at;
	bool ok = leads;

	*c = (struct guc_captures){ 0 };
	at = ok ? oldest(&ring, leads) : ring.size;
	for (uint32_t i = 0; i < at && !c->gap && ok; i++)
		if (dword(&ring, i))
			c->gap = at - i;
	for (size_t group = 0; ok && at < ring.size; group++) {
		uint32_t info = dword(&ring, at + 1);

		at += GROUP_DWORDS;
		for (uint32_t i = info & 0xff; ok && i; i--) {
			ok = add_list(c, &ring, at, group, info >> 8 & 1, state->start);
			at = list_end(&ring, at);
		}
	}
	free(leads);
	return ok;
}

void guc_captures_free(struct guc_captures *c)
{
	vec_free(&c->lists);
	vec_free(&c->registers);
}

/* ---- what was captured ----------------------------------------------------------------------- */

bool guc_engine(const struct gsc_view *view, const struct guc_capture *list,
		char name[ENGINE_NAME], uint32_t *base)
{
	/* Origin: Linux abi/guc_scheduler_abi.h GUC_RENDER_CLASS. */
	static const char classes[][8] = { "rcs", "vcs", "vecs", "bcs", "ccs", "gsccs" };
	struct gsc_engine_place place;
	const char *found;

	if (list->class >= ARRAY_SIZE(classes))
		return false;
	snprintf(name, ENGINE_NAME, "%s%u", classes[list->class], list->instance);
	for (size_t i = 0; (found = gsc_platform_engine(view->db, view->platform, i, &place)); i++)
		if (!strcmp(found, name)) {
			*base = place.base;
			return true;
		}
	return false;
}

uint32_t guc_register_address(const struct gsc_platform *platform, const struct guc_capture *list,
			      const struct guc_captured *captured, uint32_t base)
{
	/* The classes of engines on a media GT of its own: video, video enhancement, GSC. */
	bool media = list->class == 1 || list->class == 2 || list->class == 5;
	uint32_t address = captured->offset;

	if (list->type == GUC_CAPTURE_INSTANCE)
		return address + base;
	return media && address < MEDIA_GT_LENGTH && platform_has(platform, PROPERTY_MEDIA_GT) ?
	       address + MEDIA_GT_START : address;
}
