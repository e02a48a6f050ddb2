/* SPDX-License-Identifier: MIT */
/* What a source has inside: for those who want to see it instead of reading from it. */
#include "source/capture.h"

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

bool gsc_capture_member(const struct gsc_source *source, size_t part, struct gsc_member *member)
{
	const struct blob *blob = capture_blob(source, part);
	struct tar_reader tar = { .offset = member->next };
	struct tar_member found;

	if (!blob || member->next > blob->size)
		return false;
	tar.data = blob->data;
	tar.size = blob->size;
	if (tar_next(&tar, &found) != TAR_MEMBER)
		return false;
	_Static_assert(sizeof(member->name) >= sizeof(found.name), "a name of the archive fits");
	memcpy(member->name, found.name, sizeof(found.name));
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

bool gsc_capture_property(const struct gsc_source *source, size_t part, size_t i,
			  struct gsc_property *property)
{
	const struct blob *blob = capture_blob(source, part);
	struct tar_reader tar = { 0 };
	struct tar_member member;
	struct capture_line line;
	const char *text;
	size_t length;

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
