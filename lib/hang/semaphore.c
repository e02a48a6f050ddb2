/* SPDX-License-Identifier: MIT */
/* What a waiting command is waiting for, and whether that is true now. */
#include "hang/engine.h"

#include "batch/follow.h"
#include "util/text.h"

/* COMPARE_OPERATION: of the dword in memory with the one in the command (Mesa genxml gen8.xml). */
enum compare { GREATER, NOT_LESS, LESS, NOT_GREATER, EQUAL, NOT_EQUAL, COMPARES };

static const char *const compare_words[COMPARES] = { ">", ">=", "<", "<=", "==", "!=" };

struct wait {
	uint64_t address, data, compare, global, polls_register;
	bool update, compares_register;
	char which[96];			/* register, in words */
};

static void take_field(struct wait *wait, const struct gsc_field *field, bool mbox)
{
	const struct {
		const char *name;
		uint64_t *value;
		unsigned shift;
	} members[] = {
		{ "SEMAPHORE_ADDRESS", &wait->address, 2 },
		{ "SEMAPHORE_DATA_DWORD", &wait->data, 0 },
		{ "COMPARE_OPERATION", &wait->compare, 0 },
		{ "MEMORY_TYPE", &wait->global, 0 },
		{ "USE_GLOBAL_GTT", &wait->global, 0 },
		{ "REGISTER_POLL_MODE", &wait->polls_register, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(members); i++)
		if (!strcmp(field->name, members[i].name))
			*members[i].value = field->value << members[i].shift;
	if (!mbox)
		return;
	if (!strcmp(field->name, "COMPARE_SEMAPHORE"))
		wait->update = !field->value;
	if (!strcmp(field->name, "COMPARE_REGISTER"))
		wait->compares_register = field->value;
	if (!strcmp(field->name, "REGISTER_SELECT") && field->text)
		string_set(wait->which, "%s", field->text);
}

static bool take_wait(const struct gsc_hang *hang, const struct gsc_command *command, bool mbox,
		      struct wait *wait)
{
	const struct known_command *known = command->known;
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_item item;

	*wait = (struct wait){ .compare = GREATER };
	if (command->status == GSC_COMMAND_TRUNCATED ||
	    !gsc_item_by_def(hang->gpu->view->db, GSC_COMMAND, known->id, &item))
		return false;
	gsc_item_fields(hang->gpu->view->db, hang->gpu->view, &item, command->words, command->count,
			&it);
	while (gsc_field_next(&it, &field))
		if (field.name)
			take_field(wait, &field, mbox);
	return !wait->update && wait->compare < COMPARES;
}

bool semaphore_wait(const struct hang_engine *engine, char *text, size_t size, bool *unmet)
{
	const struct gsc_hang *hang = engine->hang;
	const struct gsc_command *command = &engine->e.command;
	const struct known_command *known = command->known;
	bool mbox = known && !strcmp(known->name, "MI_SEMAPHORE_MBOX");
	struct text s = text_begin(text, size);
	struct graphics_memory memory;
	struct gsc_root root;
	bool known_root, process;
	uint32_t now;
	struct wait w;

	*unmet = false;
	if (!known || (!mbox && strcmp(known->name, "MI_SEMAPHORE_WAIT")) ||
	    !take_wait(hang, command, mbox, &w) || w.polls_register)
		return false;
	if (w.compares_register) {
		snprintf(text, size, "until %s is > 0x%llx",
			 *w.which ? w.which : "a semaphore register", LL(w.data));
		return true;
	}
	/* A mailbox is in the batch's own space, unless the command asks for the global one. */
	process = !w.global && (engine->e.run.process || !mbox);
	text_add(&s, "until the dword at %s:0x%llx is %s 0x%llx; it is ",
		 process ? "ppgtt" : "ggtt", LL(plain_address(w.address)),
		 compare_words[w.compare], LL(w.data));
	/* The dword there now, if the source has it. */
	known_root = hang_root(hang, engine->e.name, &root);
	if (graphics_open(&memory, hang->gpu, known_root ? &root : NULL, NULL) ||
	    graphics_read(&memory, process, plain_address(w.address), &now, 4) != 4) {
		text_add(&s, "not in the source");
	} else {
		bool above = now > (uint32_t)w.data, equal = now == (uint32_t)w.data;
		const bool holds[COMPARES] = {
			[GREATER] = above, [NOT_LESS] = above || equal, [LESS] = !above && !equal,
			[NOT_GREATER] = !above, [EQUAL] = equal, [NOT_EQUAL] = !equal,
		};

		*unmet = !holds[w.compare];
		text_add(&s, "0x%x%s", now, holds[w.compare] ? " now, which satisfies it" : "");
	}
	graphics_close(&memory);
	return true;
}
