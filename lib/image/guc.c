/* SPDX-License-Identifier: MIT */
/*
 * The messages of the GuC's command transport, a part for each: oldest first, an answer with its
 * request. A message has the fields of the structure GUC_ACTION; what follows them is raw.
 */
#include "image/image.h"

#include "guc/guc.h"
#include "util/text.h"

#define ANSWER_LONGEST 160

/* ---- actions and errors ---------------------------------------------------------------------- */

/* An action that has a name; NULL: it has none, or memory is out. */
static const struct image_action *action_of(struct gsc_image *image, uint16_t code)
{
	struct image_action *action;
	struct gsc_value value;
	char name[80];

	for (size_t i = 0; i < image->actions.count; i++)
		if (image->actions.items[i]->code == code)
			return image->actions.items[i];
	if (!guc_named(image->gpu.view, "GUC_HXG_REQUEST", "ACTION", &(uint32_t){ code }, 1,
		       &value))
		return NULL;
	action = calloc(1, sizeof(*action));
	if (!action || !vec_push(&image->actions, action)) {
		free(action);
		return NULL;
	}
	action->code = code;
	action->name = value.name;
	string_set(name, "GUC_%s", value.name);
	action->known = view_structure(image->gpu.view, name, &action->item);
	return action;
}

/* ---- messages -------------------------------------------------------------------------------- */

/* "success 0x1", "failure 0x30: unknown action": what the GuC answered. */
static void answer_text(struct gsc_image *image, const struct guc_message *m, struct text *text)
{
	uint32_t first = image->ct.words.items[m->first];
	struct gsc_value value;

	if (m->type == GUC_SUCCESS) {
		text_add(text, "success");
		if (first & 0xfffffff)
			text_add(text, " 0x%x", first & 0xfffffff);
	} else if (m->type == GUC_FAILURE) {
		text_add(text, "failure 0x%x", first & 0xffff);
		if (guc_named(image->gpu.view, "GUC_HXG_FAILURE", "ERROR", &first, 1, &value))
			text_add(text, ": %s", value.name);
	} else if (m->type == GUC_RETRY) {
		text_add(text, "try again");
	} else if (m->type == GUC_BUSY) {
		text_add(text, "busy: no answer yet");
	} else {
		text_add(text, "done");
	}
}

/* The other half of a message, or that there is none. */
static bool say_answer(struct gsc_image *image, const struct guc_message *m,
		       struct gsc_image_part *part)
{
	char answer[ANSWER_LONGEST] = "";
	struct text text = text_of(answer);

	if (m->unread && !image_say(image, &part->problem, "%s", m->direction == GUC_SENT
				    ? "the GuC has not read it" : "the driver has not read it"))
		return false;
	if (guc_unanswered(&image->ct, m) && !image_say(image, &part->problem, "no answer"))
		return false;
	if (guc_answer_lost(&image->ct, m))
		text_add(&text, "answer lost");
	else if (m->direction == GUC_SENT && m->other != GUC_NONE)
		answer_text(image, &image->ct.messages.items[m->other], &text);
	else if (m->type > GUC_FAST_REQUEST)
		answer_text(image, m, &text);
	return !*answer || image_say(image, &part->text, "%s", answer);
}

/* An answer is a part of its own only if its request is gone. */
static bool add_message(struct gsc_image *image, const struct guc_message *m)
{
	const struct image_action *action = NULL;
	struct gsc_image_part *part;

	if (m->type > GUC_FAST_REQUEST && m->other != GUC_NONE)
		return true;
	if (m->type <= GUC_FAST_REQUEST)
		action = action_of(image, m->action);
	part = image_add(image, "RESPONSE", -1, (uint64_t)m->offset * 4, (m->count + 1) * 4);
	if (!part)
		return false;
	part->way = m->direction == GUC_SENT ? "to" : "from";
	part->fence = m->fence;
	part->words = image->ct.words.items + m->first;
	part->count = m->count;
	if (action) {
		part->name = action->name;
		part->item = action->known ? &action->item : NULL;
	} else if (m->type <= GUC_FAST_REQUEST &&
		   !image_say(image, &part->name, "ACTION_0x%04x", m->action)) {
		return false;
	}
	return say_answer(image, m, part);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool note_ring(struct gsc_image *image, enum guc_direction direction)
{
	static const struct {
		uint32_t bit;
		char name[12];
	} states[] = {
		{ 1, "overflow" }, { 2, "underflow" }, { 4, "mismatch" }, { 8, "disabled" },
	};
	const struct guc_ring *ring = &image->ct.rings[direction];
	char more[160] = "";
	struct text text = text_of(more);

	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (ring->status & states[i].bit)
			text_add(&text, ", %s", states[i].name);
	if (ring->tail >= ring->size || ring->head >= ring->size)
		text_add(&text, ": head or tail is beyond it");
	else if (ring->head != ring->tail)
		text_add(&text, ", %u dwords are not read", (ring->tail - ring->head + ring->size) %
			 ring->size);
	if (ring->gap)
		text_add(&text, ", %u dword%s of overwritten messages", ring->gap,
			 ring->gap == 1 ? "" : "s");
	return image_note(image, "%s the GuC: ring of %u dwords, head %u, tail %u%s%s",
			  direction == GUC_SENT ? "to" : "from", ring->size, ring->head, ring->tail,
			  more, ring->wrapped ? ", older ones are gone" : "");
}

enum gsc_status image_guc_ct(struct gsc_image *image, struct gsc_error *err)
{
	enum gsc_status status = guc_ct_read(&image->ct, image->words, image->bytes, err);
	size_t unanswered = 0, lost = 0;
	bool ok = true;

	for (size_t i = 0; !status && i < image->ct.messages.count; i++) {
		unanswered += guc_unanswered(&image->ct, &image->ct.messages.items[i]);
		lost += guc_answer_lost(&image->ct, &image->ct.messages.items[i]);
	}
	if (status || !image_note(image, "oldest first; the order of the two rings follows from "
				  "the answers, which stand beside their requests") ||
	    !note_ring(image, GUC_SENT) || !note_ring(image, GUC_RECEIVED))
		return status ? status : err_memory(err);
	if (unanswered)
		ok = image_note(image, "%zu request%s without an answer", unanswered,
				unanswered == 1 ? "" : "s");
	if (ok && lost)
		ok = image_note(image, "%zu request%s whose answer is lost, if there was one: "
				"nothing as old is left from the GuC", lost,
				lost == 1 ? "" : "s");
	for (size_t i = 0; ok && i < image->ct.messages.count; i++)
		ok = add_message(image, &image->ct.messages.items[i]);
	return image_done(ok, err);
}
