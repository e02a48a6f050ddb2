/* SPDX-License-Identifier: MIT */
/* gpu-eu: the programs of a source, by the commands that start them or by their address. */
#include "eu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- kernels that were met ------------------------------------------------------------------- */

bool kernel_list_add(struct kernel_list *list, const struct gsc_kernel *kernel)
{
	struct known_kernel *grown;

	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].address == kernel->address &&
		    list->items[i].size == kernel->size &&
		    !strcmp(list->items[i].stage, kernel->stage))
			return false;
	if (list->count == list->room) {
		size_t room = list->room ? list->room * 2 : 16;

		grown = reallocarray(list->items, room, sizeof(*grown));
		list->no_memory = !grown;
		if (!grown)
			return false;
		list->items = grown;
		list->room = room;
	}
	list->items[list->count++] = (struct known_kernel){ kernel->address, kernel->stage,
							    kernel->size };
	return true;
}

const char *kernel_name(const struct gsc_kernel *kernel, char *buf, size_t size)
{
	snprintf(buf, size, "%s-0x%llx", *kernel->stage ? kernel->stage : "program",
		 (unsigned long long)kernel->address);
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
};

static bool has_address(const struct search *s, const struct gsc_kernel *kernel)
{
	uint64_t address = s->eu->address;

	return address == kernel->address || address - kernel->address < kernel->size;
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	struct search *s = context;
	struct shown shown = {
		.kernel = item->kernel,
		.placed = true,
		.process = item->run->process,
		.run = item->run,
		.command = item->command,
		.marked = s->addressed && s->eu->address != item->kernel->address,
	};
	enum gsc_status status;
	char name[60];

	if ((s->addressed && !has_address(s, item->kernel)) ||
	    !kernel_list_add(&s->list, item->kernel))
		return !s->list.no_memory;
	s->found = true;
	shown.name = kernel_name(item->kernel, name, sizeof(name));
	status = eu_show(s->eu, &shown, s->err);
	s->status = worse(s->status, status);
	return (!status || status == GSC_PARTIAL) && !gsc_out_error(s->eu->common.out);
}

static enum gsc_status search_commands(struct search *s, struct gsc_error *err)
{
	const struct gsc_follow_options options = { .engine = s->eu->engine };
	struct gsc_listener listener = { .context = s, .kernel = take_kernel };
	enum gsc_status status = gsc_commands_new(&s->set, s->eu->common.gpu, err);

	s->err = err;
	if (!status)
		status = gsc_follow_all(s->set, s->eu->common.gpu, &options, &listener, err);
	gsc_commands_free(s->set);
	if (s->list.no_memory)
		return memory_error(err);
	free(s->list.items);
	return s->status && s->status != GSC_PARTIAL ? s->status : status;
}

static enum gsc_status complain_commands(struct eu *eu, enum gsc_status status)
{
	char why[200], hint[HINT_SIZE];

	if (status == GSC_PARTIAL) {
		snprintf(why, sizeof(why), "not all could be followed; try: %.150s --headers",
			 hint_command(&eu->common, "batch", hint, sizeof(hint)));
		complain(&eu->common, GSC_PARTIAL, "commands", why);
	}
	return status;
}

/* ---- at an address --------------------------------------------------------------------------- */

/* Programs are in the space of their process where there is one. */
static bool read_program(struct eu *eu, const char *engine, struct gsc_kernel *kernel,
			 bool *process)
{
	for (int i = 0; i < 2; i++) {
		*process = !i;
		if (!gsc_kernel_read(kernel, eu->common.gpu, engine, *process, eu->address, NULL) &&
		    kernel->size)
			return true;
		free((void *)(uintptr_t)kernel->data);
	}
	return false;
}

/* That of -e, else those that have execution units. */
static const char *next_engine(const struct eu *eu, size_t *i)
{
	unsigned platform = platform_of(&eu->common)->index, engine_class, instance;
	const char *engine;
	uint32_t base;

	while ((engine = gsc_platform_engine(eu->common.db, platform, (*i)++, &engine_class,
					     &instance, &base)))
		if (eu->engine ? !strcmp(engine, eu->engine)
			       : !strncmp(engine, "rcs", 3) || !strncmp(engine, "ccs", 3))
			return engine;
	return NULL;
}

static enum gsc_status show_address(struct eu *eu, struct gsc_error *err)
{
	struct gsc_kernel kernel = { .problem = "no memory" };
	struct shown shown = { .kernel = &kernel, .placed = true };
	const char *engine;
	enum gsc_status status;
	char name[60];

	for (size_t i = 0; (engine = next_engine(eu, &i));)
		if (read_program(eu, engine, &kernel, &shown.process))
			break;
	if (!engine) {
		err->status = GSC_UNKNOWN;
		snprintf(err->what, sizeof(err->what), "0x%llx", (unsigned long long)eu->address);
		snprintf(err->why, sizeof(err->why), "%s", kernel.problem);
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
	enum gsc_status status;

	eu->address = gsc_plain_address(eu->address);
	status = search_commands(&s, err);
	if (status && status != GSC_PARTIAL && !(s.addressed && status == GSC_UNKNOWN))
		return status;
	if (s.addressed && !s.found) {
		*err = (struct gsc_error){ 0 };
		status = show_address(eu, err);
	} else if (!s.found) {
		complain(&eu->common, GSC_UNKNOWN, "programs", "no command starts one");
		return GSC_UNKNOWN;
	} else if (!s.addressed) {
		status = worse(s.status, complain_commands(eu, status));
	} else {
		status = s.status;
	}
	return status && status != GSC_PARTIAL
		       ? status
		       : worse(status, complain_damage(&eu->common, eu->common.source));
}
