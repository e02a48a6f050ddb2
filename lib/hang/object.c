/* SPDX-License-Identifier: MIT */
/*
 * Memory that a dump lists without its contents. i915 up to Linux 5.2, under "Active [12]:" and
 * "Pinned [3]:": address, size, domains, seqnos and flags of an object (i915_gpu_error.c,
 * print_error_buffers()). xe: the ranges of the VM (xe_vm.c, xe_vm_snapshot_print(), and before
 * Linux 6.10 xe_analyze_vm()).
 */
#include "hang/engine.h"

#include "util/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LL(v) ((unsigned long long)(v))

/* ---- objects of i915 ------------------------------------------------------------------------ */

/* I915_GEM_DOMAIN_... of i915_drm.h */
static const char *const domains[] = {
	"CPU", "render", "sampler", "command", "instruction", "vertex", "GTT", "WC",
};

static void say_domains(struct text *s, const char *what, uint64_t bits)
{
	const char *between = what;

	for (size_t i = 0; i < ARRAY_SIZE(domains); i++) {
		if (!(bits >> i & 1))
			continue;
		text_add(s, "%s%s", between, domains[i]);
		between = ", ";
	}
}

/* Flags after the seqnos; one that is not here is its own word: "dirty", "userptr". */
static const struct {
	const char *flag, *words;
} flags[] = {
	{ "X", "X-tiled" }, { "Y", "Y-tiled" }, { "P", "pinned" }, { "p", "pinned" },
};

static const char *skip_blanks(const char *text)
{
	return text + strspn(text, " ");
}

/* "[ 2d4b9 00 00 ] 2d4b9", "c9559 0": of the last requests that read and wrote it. */
static const char *skip_seqnos(const char *text)
{
	for (;;) {
		size_t digits;

		text = skip_blanks(text);
		digits = strspn(text, "0123456789abcdef");
		if (*text == '[' || *text == ']')
			digits = 1;
		else if (!digits || (text[digits] && text[digits] != ' '))
			return text;
		text += digits;
	}
}

static void say_flags(struct text *s, const char *text)
{
	while (*(text = skip_blanks(text))) {
		const char *words = NULL;
		size_t length = *text == '(' ? strcspn(text, ")") : strcspn(text, " ");

		for (size_t i = 0; i < ARRAY_SIZE(flags); i++)
			if (strlen(flags[i].flag) == length &&
			    !strncmp(text, flags[i].flag, length))
				words = flags[i].words;
		if (words)
			text_add(s, ", %s", words);
		else
			text_add(s, ", %.*s", (int)(length - (*text == '(')),
				 text + (*text == '('));
		text += length + (text[length] == ')');
	}
}

/* "02540000", "00000000_02540000" */
static bool parse_place(const char *text, uint64_t *value)
{
	char *end;

	*value = strtoull(text, &end, 16);
	if (end == text)
		return false;
	if (*end == '_')
		*value = *value << 32 | strtoull(end + 1, &end, 16);
	return !*end;
}

static bool take_object(struct gsc_object *object, const struct gsc_property *p)
{
	const char *dot = strrchr(p->key, '.');
	bool active = !strncmp(p->key, "Active", 6);
	struct text s = text_of(object->text);
	uint64_t read, write;
	char *end;

	if ((!active && strncmp(p->key, "Pinned", 6)) || !dot ||
	    !parse_place(dot + 1, &object->start))
		return false;
	object->size = strtoull(p->value, &end, 10);
	if (end == p->value || *end != ' ')
		return false;
	read = strtoull(end, &end, 16);
	write = strtoull(end, &end, 16);
	snprintf(object->list, sizeof(object->list), "%.*s", (int)(dot - p->key), p->key);
	text_add(&s, "%s object of 0x%llx bytes at 0x%llx", active ? "an active" : "a pinned",
		 LL(object->size), LL(object->start));
	say_domains(&s, ", read by ", read);
	say_domains(&s, ", written by ", write);
	say_flags(&s, skip_seqnos(end));
	return true;
}

/* ---- ranges of xe --------------------------------------------------------------------------- */

/* "vm.[10000000].length" makes a range, "vm.[10000000].properties" and others add to it. */
static bool take_range(struct gsc_hang *hang, const struct gsc_property *p, bool *no_memory)
{
	struct gsc_object *last = hang->objects.count
		? &hang->objects.items[hang->objects.count - 1] : NULL;
	uint64_t start;
	char *end;

	if (strncmp(p->key, "vm.[", 4))
		return false;
	start = strtoull(p->key + 4, &end, 16);
	if (strncmp(end, "].", 2))
		return false;
	if (strcmp(end, "].length")) {
		if (!last || last->start != start)
			return true;
		string_add(last->text, ", %s%.160s",
			   strcmp(end, "].error") ? "" : "not copied: error ", p->value);
		return true;
	}
	last = vec_add(&hang->objects);
	*no_memory |= !last;
	if (!last)
		return true;
	*last = (struct gsc_object){ .start = start, .size = strtoull(p->value, NULL, 16) };
	snprintf(last->list, sizeof(last->list), "vm");
	string_add(last->text, "a VM range of 0x%llx bytes at 0x%llx", LL(last->size),
		   LL(start));
	return true;
}

/* ---- which of them holds an address --------------------------------------------------------- */

static const struct gsc_object *find(const struct gsc_hang *hang, uint64_t address, bool global)
{
	for (size_t i = 0; i < hang->objects.count; i++) {
		const struct gsc_object *o = &hang->objects.items[i];

		if (address - o->start < o->size && !(global && !strcmp(o->list, "vm")))
			return o;
	}
	return NULL;
}

static bool tell_engine(const struct gsc_hang *hang, struct hang_engine *engine)
{
	const struct gsc_engine *e = &engine->e;
	const struct gsc_object *o;

	if (!(e->known & GSC_KNOWN_ACTHD) || e->known & GSC_KNOWN_ACTHD_RING ||
	    e->state == GSC_ENGINE_IDLE || engine->reset)
		return true;
	o = find(hang, e->acthd & ~UINT64_C(3), false);
	return !o || hang_detail(engine, GSC_DETAIL_WITNESS, "object", "ACTHD is in %s", o->text);
}

static void tell_fault(const struct gsc_hang *hang, struct gsc_fault *fault)
{
	bool global = fault->space && !strcmp(fault->space, "ggtt");
	const struct gsc_object *o = fault->has_address ? find(hang, fault->address, global) : NULL;
	size_t used = strlen(fault->text);

	if (o && sizeof(fault->text) - used > sizeof(o->text) + 32)
		string_add(fault->text, "%s0x%llx is in %s", used ? "; " : "", LL(fault->address),
			   o->text);
}

enum gsc_status hang_objects(struct gsc_hang *hang, struct gsc_error *err)
{
	struct gsc_object object;
	bool no_memory = false;
	struct gsc_property p;

	for (size_t part = 0; part < gsc_source_count(hang->gpu->source) && !no_memory; part++) {
		for (size_t i = 0; gsc_source_property(hang->gpu->source, part, i, &p); i++) {
			struct gsc_object *added;

			object = (struct gsc_object){ .size = 0 };
			if (take_range(hang, &p, &no_memory) || !take_object(&object, &p))
				continue;
			added = vec_add(&hang->objects);
			no_memory |= !added;
			if (added)
				*added = object;
		}
	}
	for (size_t i = 0; i < hang->faults.count; i++)
		tell_fault(hang, &hang->faults.items[i]);
	for (size_t i = 0; i < hang->engines.count && !no_memory; i++)
		no_memory = !tell_engine(hang, &hang->engines.items[i]);
	return no_memory ? err_memory(err) : GSC_OK;
}

bool gsc_hang_object(const struct gsc_hang *hang, size_t i, struct gsc_object *object)
{
	if (i >= hang->objects.count)
		return false;
	*object = hang->objects.items[i];
	return true;
}
