/* SPDX-License-Identifier: MIT */
/* What a source has inside: for those who want to see it instead of reading from it. */
#include "source/capture.h"
#include "source/dump.h"

#include <stdio.h>

bool gsc_source_piece(const struct gsc_source *source, size_t part, size_t i,
		      struct gsc_piece *piece)
{
	const struct piece *from;

	if (part >= source->parts.count || i >= source->parts.items[part].pieces.count)
		return false;
	from = &source->parts.items[part].pieces.items[i];
	*piece = (struct gsc_piece){ from->space, from->status, from->start, from->length };
	return true;
}

static const struct blob *capture_blob(const struct gsc_source *source, size_t part)
{
	const struct blob *blob;

	if (part >= source->parts.count)
		return NULL;
	blob = &source->parts.items[part].blob;
	return blob->data && tar_matches(blob->data, blob->size) ? blob : NULL;
}

static const struct dump *dump_of(const struct gsc_source *source, size_t part)
{
	return part < source->parts.count ? source->parts.items[part].dump : NULL;
}

static bool dump_member_at(const struct dump *dump, struct gsc_member *member)
{
	const struct dump_member *from;

	if (member->next >= dump->members.count)
		return false;
	from = &dump->members.items[member->next++];
	_Static_assert(sizeof(member->name) >= sizeof(from->name), "a name fits");
	memcpy(member->name, from->name, sizeof(from->name));
	member->data = from->data;
	member->size = from->size;
	member->held = from->held;
	return true;
}

bool gsc_capture_member(const struct gsc_source *source, size_t part, struct gsc_member *member)
{
	const struct blob *blob = capture_blob(source, part);
	struct tar_reader tar = { .offset = member->next };
	struct tar_member found;

	if (dump_of(source, part))
		return dump_member_at(dump_of(source, part), member);
	if (!blob || member->next > blob->size)
		return false;
	tar.data = blob->data;
	tar.size = blob->size;
	if (tar_next(&tar, &found) != TAR_MEMBER)
		return false;
	_Static_assert(sizeof(member->name) >= sizeof(found.name), "a name of the archive fits");
	memcpy(member->name, found.name, sizeof(found.name));
	member->data = found.data;
	member->size = found.size;
	member->held = found.held;
	member->next = tar.offset;
	return true;
}

static void copy_text(char *out, size_t room, const char *text, size_t length)
{
	length = MIN(length, room - 1);
	memcpy(out, text, length);
	out[length] = 0;
}

static bool dump_property_at(const struct dump *dump, size_t i, struct gsc_property *out)
{
	const struct dump_property *p = i < dump->properties.count ? &dump->properties.items[i] :
								     NULL;

	if (!p)
		return false;
	snprintf(out->key, sizeof(out->key), "%.*s%s%.*s",
		 (int)MIN(p->prefix.length, sizeof(out->key)), p->prefix.text,
		 p->prefix.length ? "." : "", (int)MIN(p->key.length, sizeof(out->key)),
		 p->key.text);
	copy_text(out->value, sizeof(out->value), p->value.text, p->value.length);
	return true;
}

bool gsc_capture_property(const struct gsc_source *source, size_t part, size_t i,
			  struct gsc_property *property)
{
	const struct blob *blob = capture_blob(source, part);
	struct tar_reader tar = { 0 };
	struct tar_member member;
	struct capture_line line;
	const char *text;
	size_t length;

	if (dump_of(source, part))
		return dump_property_at(dump_of(source, part), i, property);
	if (!blob)
		return false;
	tar.data = blob->data;
	tar.size = blob->size;
	do {
		if (tar_next(&tar, &member) != TAR_MEMBER)
			return false;
	} while (strcmp(member.name, CAPTURE_INFO));
	text = (const char *)member.data;
	length = member.held;
	do {
		if (!capture_info_next(&text, &length, &line))
			return false;
	} while (i--);
	copy_text(property->key, sizeof(property->key), line.key, line.key_length);
	copy_text(property->value, sizeof(property->value), line.value, line.value_length);
	return true;
}

bool gsc_source_buffer(const struct gsc_source *source, size_t part, size_t i,
		       struct gsc_buffer_origin *out)
{
	const struct dump *dump = dump_of(source, part);
	const struct dump_engine *engine;
	const struct dump_buffer *from;

	if (!dump || i >= dump->buffers.count)
		return false;
	from = &dump->buffers.items[i];
	*out = (struct gsc_buffer_origin){
		.kind = from->kind,
		.space = from->space,
		.address = from->address,
		.length = from->length,
		.data = from->data,
		.flags = from->flags,
	};
	memcpy(out->name, from->name, sizeof(out->name));
	if (!from->engine)
		return true;
	engine = &dump->engines.items[from->engine - 1];
	memcpy(out->engine, engine->name, sizeof(out->engine));
	out->flags |= engine->flags;
	out->head = engine->head;
	out->tail = engine->tail;
	out->start = engine->start;
	out->acthd = engine->acthd;
	return true;
}
