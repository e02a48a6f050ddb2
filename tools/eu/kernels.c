/* SPDX-License-Identifier: MIT */
/* gpu-eu: the programs of a source, by the commands that start them or by their address. */
#include "gpu-eu.h"
#include "batch/run.h"

/* ---- kernels that were met ------------------------------------------------------------------- */

/* Its slot, or the free one that it gets. */
static struct known_kernel *find_slot(const struct kernel_list *list,
				      const struct known_kernel *kernel)
{
	uint64_t key = (kernel->address ^ (uint64_t)kernel->size << 40) *
		       UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (size_t)(key >> 32);

	for (;; i++) {
		struct known_kernel *slot = &list->slots[i & (list->room - 1)];

		if (!slot->stage || (slot->address == kernel->address &&
				     slot->size == kernel->size &&
				     !strcmp(slot->stage, kernel->stage)))
			return slot;
	}
}

bool kernel_list_add(struct kernel_list *list, const struct gsc_kernel *kernel)
{
	struct known_kernel known = { kernel->address, kernel->stage, kernel->size }, *slot;
	struct kernel_list grown = { .room = list->room ? list->room * 2 : 16 };

	/* Half of the slots stay free. */
	if (list->count * 2 >= list->room) {
		grown.slots = calloc(grown.room, sizeof(*grown.slots));
		list->no_memory = !grown.slots;
		if (list->no_memory)
			return false;
		for (size_t i = 0; i < list->room; i++)
			if (list->slots[i].stage)
				*find_slot(&grown, &list->slots[i]) = list->slots[i];
		free(list->slots);
		list->slots = grown.slots;
		list->room = grown.room;
	}
	slot = find_slot(list, &known);
	if (slot->stage)
		return false;
	*slot = known;
	list->count++;
	return true;
}

const char *kernel_name(const struct gsc_kernel *kernel, char *buf, size_t size)
{
	snprintf(buf, size, "%s-0x%llx", *kernel->stage ? kernel->stage : "program",
		 LL(kernel->address));
	return buf;
}

/* ---- those that commands start --------------------------------------------------------------- */

struct search {
	struct eu *eu;
	struct gsc_commands *set;
	struct kernel_list list;
	struct gsc_error *err;
	enum gsc_status status;
	bool addressed, found;		/* only the one at --address is shown */
	/* A compute kernel: the command that runs it later has its width. */
	struct {
		bool is;
		struct gsc_kernel kernel;
		void *bytes;
		struct gsc_run run;
		struct gsc_command command;
	} waiting;
	struct gsc_item walker;		/* that command; name NULL: the platform has none */
};

/* "ggtt:0x1000" is not in a per-process space, "ppgtt:0x1000" is in no other. */
static bool may_be_in(const struct eu *eu, bool process)
{
	return !eu->place.name || process == address_in(&eu->place, GSC_PPGTTMEM);
}

static bool show(struct search *s, const struct gsc_kernel *kernel, const struct gsc_run *run,
		 const struct gsc_command *command)
{
	struct shown shown = {
		.kernel = kernel,
		.placed = true,
		.process = run->process,
		.run = run,
		.command = command,
		.marked = s->addressed && s->eu->address != kernel->address,
	};
	enum gsc_status status;
	char name[60];

	s->found = true;
	shown.name = kernel_name(kernel, name, sizeof(name));
	status = eu_show(s->eu, &shown, s->err);
	s->status = worse(s->status, status);
	return (!status || status == GSC_PARTIAL) && !gsc_out_error(s->eu->common.out);
}

static bool show_waiting(struct search *s, unsigned simd)
{
	bool more = true;

	if (s->waiting.is) {
		s->waiting.kernel.simd = simd;
		more = show(s, &s->waiting.kernel, &s->waiting.run, &s->waiting.command);
	}
	free(s->waiting.bytes);
	s->waiting.bytes = NULL;
	s->waiting.is = false;
	return more;
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;
	struct search *s = context;
	uint64_t address = s->eu->address;

	if (!show_waiting(s, 0))
		return false;
	/* Is the one at --address in this program? */
	if ((s->addressed && (!may_be_in(s->eu, item->run->process) ||
			      (address != kernel->address &&
			       address - kernel->address >= kernel->size))) ||
	    !kernel_list_add(&s->list, kernel))
		return !s->list.no_memory;
	if (kernel->simd || !s->walker.name || strcmp(kernel->stage, "cs"))
		return show(s, kernel, item->run, item->command);
	s->waiting.bytes = malloc(kernel->size + 1);
	s->list.no_memory = !s->waiting.bytes;
	if (!s->waiting.bytes)
		return false;
	if (kernel->size)
		memcpy(s->waiting.bytes, kernel->data, kernel->size);
	s->waiting.is = true;
	s->waiting.kernel = *kernel;
	s->waiting.kernel.data = s->waiting.bytes;
	s->waiting.run = *item->run;
	s->waiting.command = *item->command;
	return true;
}

/* GPGPU_WALKER runs it. */
static bool take_command(void *context, const struct gsc_followed *item)
{
	const struct gsc_command *c = item->command;
	struct search *s = context;
	struct gsc_field_iter it;
	struct gsc_field field;

	if (!s->waiting.is || strcmp(c->name, s->walker.name))
		return true;
	gsc_item_fields(s->eu->common.db, view_of(&s->eu->common), &s->walker, c->words, c->count,
			&it);
	while (gsc_field_next(&it, &field))
		if (!strcmp(field.name, "SIMD_SIZE"))
			return show_waiting(s, field.value < 3 ? 8u << field.value : 0);
	return show_waiting(s, 0);
}

static enum gsc_status search_commands(struct search *s, struct gsc_error *err)
{
	const struct gsc_follow_options options = { .engine = s->eu->engine };
	struct gsc_listener listener = { .context = s, .kernel = take_kernel };
	struct gsc_item item;
	enum gsc_status status = gsc_commands_new(&s->set, s->eu->common.gpu, err);

	s->err = err;
	for (size_t i = 0; gsc_item_at(s->eu->common.db, GSC_COMMAND, i, &item); i++)
		if (!listener.command && !strcmp(item.name, "GPGPU_WALKER") &&
		    gsc_view_sees(view_of(&s->eu->common), item.platforms, &item.revisions)) {
			s->walker = item;
			listener.command = take_command;
		}
	if (!status)
		status = gsc_follow_all(s->set, s->eu->common.gpu, &options, &listener, err);
	show_waiting(s, 0);
	gsc_commands_free(s->set);
	if (s->list.no_memory)
		return err_memory(err);
	free(s->list.slots);
	return s->status && s->status != GSC_PARTIAL ? s->status : status;
}

/* ---- at an address --------------------------------------------------------------------------- */

/* Programs are in the space of their process if there is one. False: `why` in both spaces. */
static bool read_program(struct eu *eu, const char *engine, struct gsc_kernel *kernel,
			 bool *process, struct gsc_error *why)
{
	char problem[2][sizeof(kernel->problem)];

	for (int i = 0; i < 2; i++) {
		*process = !i;
		if (!may_be_in(eu, *process))
			continue;
		if (!gsc_kernel_read(kernel, eu->common.gpu, engine, *process, eu->address, NULL) &&
		    kernel->size)
			return true;
		free((void *)(uintptr_t)kernel->data);
		memcpy(problem[i], kernel->problem, sizeof(problem[i]));
	}
	string_set(why->why, "ppgtt: %s; ggtt: %s", problem[0], problem[1]);
	return false;
}

static enum gsc_status show_address(struct eu *eu, struct gsc_error *err)
{
	struct gsc_kernel kernel = { .size = 0 };
	struct shown shown = { .kernel = &kernel, .placed = true };
	unsigned platform = platform_of(&eu->common)->index;
	const char *engine;
	enum gsc_status status;
	char name[60];

	/* That of -e, otherwise those with execution units. */
	for (size_t i = 0; (engine = gsc_platform_engine(eu->common.db, platform, i, NULL)); i++)
		if ((eu->engine ? !strcmp(engine, eu->engine)
				: !strncmp(engine, "rcs", 3) || !strncmp(engine, "ccs", 3)) &&
		    read_program(eu, engine, &kernel, &shown.process, err))
			break;
	if (!engine) {
		err->status = GSC_UNKNOWN;
		string_set(err->what, "0x%llx", LL(eu->address));
		return err->status;
	}
	shown.name = kernel_name(&kernel, name, sizeof(name));
	status = eu_show(eu, &shown, err);
	free((void *)(uintptr_t)kernel.data);
	return status;
}

enum gsc_status eu_kernels(struct eu *eu, struct gsc_error *err)
{
	struct search s = { .eu = eu, .addressed = option_given(&eu->common, "address") };
	char why[HINT_SIZE + 60], hint[HINT_SIZE];
	enum gsc_status status;

	eu->address = plain_address(eu->address);
	status = search_commands(&s, err);
	if (status && status != GSC_PARTIAL && !(s.addressed && status == GSC_UNKNOWN))
		return status;
	if (s.addressed && !s.found) {
		*err = (struct gsc_error){ 0 };
		status = show_address(eu, err);
	} else if (!s.found) {
		complain(&eu->common, GSC_UNKNOWN, "programs",
			 "no command starts one; -a ADDR shows what is at an address");
		return GSC_UNKNOWN;
	} else if (!s.addressed) {
		if (status == GSC_PARTIAL) {
			string_set(why, "not all could be followed; try: %s --headers",
				   hint_command(&eu->common, "batch", hint, sizeof(hint)));
			complain(&eu->common, GSC_PARTIAL, "commands", why);
		}
		status = worse(s.status, status);
	} else {
		status = s.status;
	}
	return status && status != GSC_PARTIAL
		       ? status
		       : worse(status, complain_damage(&eu->common, eu->common.source));
}
