/* SPDX-License-Identifier: MIT */
/*
 * The kernels that are set up where an engine stopped: for each stage those of the last command
 * that names any, up to its place. They are folded, and their beginnings are shown.
 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KERNELS_MAX 16u
#define BYTES_MAX (16u << 10)
#define SHOWN_MAX 200u			/* instructions */

/* ---- keeping --------------------------------------------------------------------------------- */

static void drop(struct saved_kernels *list, size_t i)
{
	free(list->items[i].bytes);
	memmove(&list->items[i], &list->items[i + 1],
		(--list->count - i) * sizeof(*list->items));
}

bool kernels_keep(struct saved_kernels *list, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;
	size_t size = kernel->size < BYTES_MAX ? kernel->size : BYTES_MAX;
	struct saved_kernel *grown, *added;

	for (size_t i = list->count; i-- > 0;)
		if (!strcmp(list->items[i].kernel.stage, kernel->stage) &&
		    list->items[i].address != item->command->address)
			drop(list, i);
	if (list->count == KERNELS_MAX)
		drop(list, 0);
	grown = realloc(list->items, (list->count + 1) * sizeof(*grown));
	if (!grown)
		return false;
	list->items = grown;
	added = &grown[list->count];
	*added = (struct saved_kernel){ *kernel, calloc(size + 1, 1), size, item->command->name,
					item->command->address };
	if (!added->bytes)
		return false;
	if (size)
		memcpy(added->bytes, kernel->data, size);
	list->count++;
	return true;
}

void kernels_free(struct saved_kernels *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].bytes);
	free(list->items);
	*list = (struct saved_kernels){ .count = 0 };
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_title(struct html *h, const struct saved_kernel *k)
{
	char size[40];

	html_element(h, "b", NULL, "%s", k->kernel.stage);
	if (k->kernel.simd)
		html_format(h, " SIMD%u", k->kernel.simd);
	html_format(h, " at 0x%llx, %s, %s at 0x%llx", LL(k->kernel.address),
		    human_size(k->kernel.size, size, sizeof(size)), k->name, LL(k->address));
	if (*k->kernel.problem)
		html_format(h, "; %s", k->kernel.problem);
}

static void put_text(struct report *r, struct gsc_program *program, const struct saved_kernel *k)
{
	const struct gsc_program_style style = { .address = k->kernel.address, .addresses = true,
						 .most = SHOWN_MAX };
	struct gsc_program_counts counts;
	struct html *h = &r->html;
	struct gsc_out *text;
	char hint[HINT_SIZE];
	const char *data;
	size_t size;

	if (gsc_out_new(&text, -1, false, NULL)) {
		r->no_memory = true;
		return;
	}
	gsc_text_program(text, program, &style, &counts);
	data = gsc_out_data(text, &size);
	html_put(h, "<pre tabindex=\"0\" role=\"group\" aria-label=\"Instructions\">");
	html_bytes(h, data, size);
	html_put(h, "</pre>");
	gsc_out_free(text);
	if (counts.end < k->kernel.size)
		html_element(h, "p", "class=\"none\"", "%llu bytes more; to see all: %s -a 0x%llx",
			     LL(k->kernel.size - counts.end),
			     hint_command(report_common(r), "eu", hint, sizeof(hint)),
			     LL(k->kernel.address));
}

static void put_kernel(struct report *r, struct gsc_eu *eu, const struct saved_kernel *k)
{
	struct html *h = &r->html;
	struct gsc_program *program;

	html_open(h, "li", "class=\"run\"");
	if (!k->size || !eu ||
	    gsc_program_new(&program, eu, k->bytes, k->size, NULL)) {
		put_title(h, k);
		html_close(h);
		return;
	}
	html_put(h, "<details><summary>");
	put_title(h, k);
	html_put(h, "</summary>");
	put_text(r, program, k);
	html_put(h, "</details>");
	html_close(h);
	gsc_program_free(program);
}

void put_kernels(struct report *r, const struct saved_kernels *list)
{
	struct html *h = &r->html;
	struct gsc_eu *eu;

	if (!list->count)
		return;
	gsc_eu_new(&eu, r->view, NULL);
	html_element(h, "h4", NULL, "Kernels that are set up");
	html_open(h, "ul", NULL);
	for (size_t i = 0; i < list->count; i++)
		put_kernel(r, eu, &list->items[i]);
	html_close(h);
	gsc_eu_free(eu);
}
