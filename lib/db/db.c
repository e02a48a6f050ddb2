/* SPDX-License-Identifier: MIT */
/*
 * Layers of compiled definitions: the built-in one, and files added to it; platforms by id and by
 * name.
 */
#include "db/db.h"

#include "util/number.h"
#include "util/text.h"

#include <stdio.h>

enum gsc_status gsc_db_new(struct gsc_db **db, struct gsc_error *err)
{
	struct gsc_db *new = calloc(1, sizeof(*new));

	*db = NULL;
	if (!new)
		return err_memory(err);
	new->builtin.header = &builtin_definitions;
	new->base = &new->builtin;
	*db = new;
	return GSC_OK;
}

void gsc_db_free(struct gsc_db *db)
{
	if (!db)
		return;
	for (size_t i = 0; i < db->layers.count; i++)
		free((void *)db->layers.items[i].header);
	vec_free(&db->layers);
	free(db);
}

/* A definition is identified by eight bits of layer and 24 bits of index. */
#define LAYERS_MAX 200

enum gsc_status db_add_layer(struct gsc_db *db, void *blob, const char *file, struct gsc_error *err)
{
	if (db->layers.count >= LAYERS_MAX) {
		free(blob);
		return err_set(err, GSC_FAILED, file,
			       "too many definition files: the limit is %u", LAYERS_MAX);
	}
	if (!vec_reserve(&db->layers, 1)) {
		free(blob);
		return err_memory(err);
	}
	db->layers.items[db->layers.count++] = (struct layer){ blob };
	return GSC_OK;
}

enum gsc_status db_add_blob(struct gsc_db *db, const void *bytes, size_t size,
			    struct gsc_error *err)
{
	void *blob = malloc(MAX(size, sizeof(struct blob_header)));

	if (!blob)
		return err_memory(err);
	memcpy(blob, bytes, size);
	if (!blob_is_sound(blob, size, gsc_platform_count(db))) {
		free(blob);
		return err_set(err, GSC_FAILED, "definitions",
			       "the process that compiled them returned something else");
	}
	return db_add_layer(db, blob, "definitions", err);
}

uint32_t layer_seek(const struct layer *l, enum blob_section section, size_t size, const char *name,
		    int (*compare)(const char *a, const char *b))
{
	const uint8_t *items = layer_section(l, section);
	const char *strings = layer_text(l, 0);

	return (uint32_t)SEEK(i, 0, layer_count(l, section),
			      compare(strings + *(const str_t *)(const void *)(items + i * size),
				      name) < 0);
}

void layer_origin(const struct layer *l, uint32_t origin, const char **document,
		  const char **section)
{
	const struct b_origin *o;

	*document = *section = NULL;
	if (origin == NONE)
		return;
	o = LAYER_ITEM(l, B_ORIGINS, struct b_origin, origin);
	*section = layer_text(l, o->section);
	*document = layer_text(l, LAYER_ITEM(l, B_DOCUMENTS, struct b_document, o->document)->key);
}

void layer_group(const struct layer *l, uint32_t group, const char **name, const char **title)
{
	const struct b_group *g;

	*name = *title = NULL;
	if (group == NONE)
		return;
	g = LAYER_ITEM(l, B_GROUPS, struct b_group, group);
	*name = layer_text(l, g->name);
	*title = layer_text(l, g->title ? g->title : g->name);
}

/* ---- platforms ---------------------------------------------------------------------------- */

unsigned gsc_platform_count(const struct gsc_db *db)
{
	return layer_count(db->base, B_PLATFORMS);
}

bool gsc_platform_at(const struct gsc_db *db, unsigned index, struct gsc_platform *p)
{
	const struct b_platform *from;

	if (index >= gsc_platform_count(db))
		return false;
	from = db_platform(db, index);
	*p = (struct gsc_platform){
		.index = index,
		.name = layer_text(db->base, from->name),
		.title = layer_text(db->base, from->title),
		.graphics = from->graphics,
		.media = from->media,
		.display = from->display,
		.flags = from->flags,
		.bar_size = from->bar_size,
		.register_bytes = from->register_bytes,
		.ggtt_offset = from->ggtt_offset,
		.ggtt_bar = from->ggtt_bar,
		.ggtt_max = from->ggtt_max,
		.ggtt_entry = from->ggtt_entry,
		.address_bits = from->address_bits,
		.virtual_bits = from->virtual_bits,
		.fences = from->fences,
		.properties = layer_section(db->base, B_PROPERTIES),
	};
	return true;
}

const char *gsc_platforms_text(const struct gsc_db *db, uint64_t platforms, const char *between,
			       char *buf, size_t size)
{
	struct text text = text_begin(buf, size);
	struct gsc_platform platform;

	for (unsigned i = 0; gsc_platform_at(db, i, &platform); i++)
		if (platforms >> i & 1)
			text_join(&text, between, platform.name);
	return buf;
}

bool gsc_platform_property(const struct gsc_db *db, unsigned index, size_t i,
			   struct gsc_platform_property *property)
{
	const struct b_property *from;

	if (i >= layer_count(db->base, B_PROPERTIES) || index >= gsc_platform_count(db))
		return false;
	from = LAYER_ITEM(db->base, B_PROPERTIES, struct b_property, i);
	*property = (struct gsc_platform_property){
		.name = layer_text(db->base, from->name),
		.text = layer_text(db->base, from->text),
		.value = from->value[index],
	};
	layer_origin(db->base, from->origin, &property->document, &property->section);
	return true;
}

const char *gsc_platform_alias(const struct gsc_db *db, unsigned index, size_t i)
{
	const struct b_platform *p = db_platform(db, index);

	if (i >= p->aliases.count)
		return NULL;
	return layer_text(db->base, LAYER_ITEM(db->base, B_ALIASES, struct c_alias,
					       p->aliases.first + (uint32_t)i)->name);
}

bool gsc_platform_id(const struct gsc_db *db, size_t i, uint16_t *device, unsigned *platform,
		     const char **text)
{
	const struct b_id *id;

	if (i >= layer_count(db->base, B_IDS))
		return false;
	id = LAYER_ITEM(db->base, B_IDS, struct b_id, i);
	*device = id->device;
	*platform = id->platform;
	*text = layer_text(db->base, id->text);
	return true;
}

static int compare_device(const void *key, const void *id)
{
	return (int)*(const uint16_t *)key - (int)((const struct b_id *)id)->device;
}

bool gsc_platform_by_id(const struct gsc_db *db, uint16_t device, struct gsc_platform *p,
			const char **text)
{
	const struct b_id *id = bsearch(&device, layer_section(db->base, B_IDS),
					layer_count(db->base, B_IDS), sizeof(*id), compare_device);

	if (!id)
		return false;
	if (text)
		*text = layer_text(db->base, id->text);
	return gsc_platform_at(db, id->platform, p);
}

static bool platform_is(const struct gsc_db *db, unsigned i, const char *name)
{
	const char *alias;

	if (!name_compare(layer_text(db->base, db_platform(db, i)->name), name) ||
	    !name_compare(layer_text(db->base, db_platform(db, i)->title), name))
		return true;
	for (size_t a = 0; (alias = gsc_platform_alias(db, i, a)); a++)
		if (!name_compare(alias, name))
			return true;
	return false;
}

bool platform_nearest(const struct gsc_db *db, uint16_t device, struct gsc_platform *p,
		       uint16_t *known)
{
	const struct b_id *best = NULL;

	for (uint32_t i = 0; i < layer_count(db->base, B_IDS); i++) {
		const struct b_id *id = LAYER_ITEM(db->base, B_IDS, struct b_id, i);

		if (id->device >> 8 != device >> 8)
			continue;
		if (!best || abs(id->device - device) < abs(best->device - device))
			best = id;
	}
	if (!best)
		return false;
	*known = best->device;
	return gsc_platform_at(db, best->platform, p);
}

static enum gsc_status no_device(const struct gsc_db *db, const char *name, uint64_t id,
				 struct gsc_error *err)
{
	struct gsc_platform p;
	uint16_t known;

	if (id > UINT16_MAX)
		return err_set(err, GSC_UNKNOWN, name, "a PCI device id has 16 bits");
	if (platform_nearest(db, (uint16_t)id, &p, &known))
		return err_set(err, GSC_UNKNOWN, name,
			       "unknown PCI device id; the nearest, 0x%04x, is %s: -p %s shows "
			       "what they share", known, p.title, p.name);
	return err_set(err, GSC_UNKNOWN, name,
		       "unknown PCI device id; known ones: gpu-db list --ids");
}

static enum gsc_status no_platform(const struct gsc_db *db, const char *name, struct gsc_error *err)
{
	/* Names of graphics that are not a platform here: of none, or of more than one. */
	static const struct {
		const char *name, *why;
	} others[] = {
		{ "aml", "Amber Lake is kbl (0x591c) or cfl (0x87ca), by its PCI device id" },
		{ "amberlake", "Amber Lake is kbl or cfl, by its PCI device id" },
		{ "xe2", "Xe2 is lnl and bmg: name one of them" },
		{ "xe3", "Xe3 is ptl and nvls: name one of them" },
		{ "xe3p", "Xe3P is nvlp and cri: name one of them" },
		{ "nvl", "Nova Lake is nvls and nvlp: name one of them" },
		{ "novalake", "Nova Lake is nvls and nvlp: name one of them" },
	};
	const char *best = NULL;
	unsigned least = 3;

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (!name_compare(others[i].name, name))
			return err_set(err, GSC_UNKNOWN, name, "%s", others[i].why);
	for (unsigned i = 0; i < gsc_platform_count(db); i++) {
		const char *alias = layer_text(db->base, db_platform(db, i)->name);

		for (size_t a = 0; alias; alias = gsc_platform_alias(db, i, a++)) {
			unsigned distance = name_distance(name, alias);

			if (distance < least && distance < strlen(name)) {
				least = distance;
				best = alias;
			}
		}
	}
	if (best)
		return err_set(err, GSC_UNKNOWN, name, "unknown platform; did you mean %s?", best);
	return err_set(err, GSC_UNKNOWN, name,
		       "unknown platform; known ones: gpu-db list --platforms");
}

enum gsc_status gsc_platform_find(const struct gsc_db *db, const char *name, struct gsc_platform *p,
				  int *device, struct gsc_error *err)
{
	uint64_t id;

	*device = -1;
	/* As `lspci -nn` prints it. */
	if (!strncmp(name, "8086:", 5)) {
		if (!number_parse_hex(name + 5, strlen(name + 5), &id))
			return err_set(err, GSC_UNKNOWN, name,
				       "expected a PCI device id after 8086:");
		if (id > UINT16_MAX || !gsc_platform_by_id(db, (uint16_t)id, p, NULL))
			return no_device(db, name, id, err);
		*device = (int)id;
		return GSC_OK;
	}
	for (unsigned i = 0; i < gsc_platform_count(db); i++)
		if (platform_is(db, i, name)) {
			gsc_platform_at(db, i, p);
			return GSC_OK;
		}
	if (!gsc_parse_number(name, &id))
		return no_platform(db, name, err);
	if (id > UINT16_MAX || !gsc_platform_by_id(db, (uint16_t)id, p, NULL))
		return no_device(db, name, id, err);
	*device = (int)id;
	return GSC_OK;
}

bool platform_wake(const struct gsc_db *db, unsigned platform, unsigned i, struct wake_domain *out)
{
	const struct b_platform *p = db_platform(db, platform);
	const struct b_wake *wake;

	if (i >= p->wakes.count)
		return false;
	wake = LAYER_ITEM(db->base, B_WAKES, struct b_wake, p->wakes.first + i);
	*out = (struct wake_domain){ layer_text(db->base, wake->name), wake->request, wake->ack };
	return true;
}

bool platform_simulated(const struct gsc_db *db, unsigned number, struct gsc_platform *p)
{
	for (unsigned i = 0; number && i < gsc_platform_count(db); i++)
		if (db_platform(db, i)->simulator == number)
			return gsc_platform_at(db, i, p);
	return false;
}

/* ---- where registers sleep, and where they are replicated: ranges of BAR0 -------------------- */

static int compare_spans(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* Sorted. */
static bool find_ranges(span_vec *out, const struct gsc_db *db, unsigned platform,
			uint8_t revision, enum range_use use)
{
	const struct layer *l = db->base;
	const struct b_range *range = layer_section(l, B_RANGES);
	const struct b_range *end = range + layer_count(l, B_RANGES);

	for (; range < end; range++) {
		if (range->use != use ||
		    !where_holds(&range->where, UINT64_C(1) << platform, revision))
			continue;
		if (!vec_push(out, (struct span){ range->start, range->last,
						  layer_text(l, range->wake) }))
			return false;
	}
	vec_sort(out, compare_spans);
	return true;
}

bool sleeping_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision)
{
	return find_ranges(out, db, platform, revision, RANGE_SLEEPS);
}

const char *sleeping_at(const span_vec *sleeping, uint64_t address)
{
	const struct span *span = span_from(sleeping, address);

	return span && span->start <= address ? span->text : NULL;
}

/* The tables of several drivers may overlap: they are merged. */
bool steered_find(span_vec *out, const struct gsc_db *db, unsigned platform, uint8_t revision)
{
	size_t count = 0;

	if (!find_ranges(out, db, platform, revision, RANGE_STEERED))
		return false;
	for (size_t i = 0; i < out->count; i++) {
		struct span *span = &out->items[i];

		if (count && span->start <= out->items[count - 1].last)
			out->items[count - 1].last = MAX(out->items[count - 1].last, span->last);
		else
			out->items[count++] = *span;
	}
	out->count = count;
	return true;
}
