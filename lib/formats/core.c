/* SPDX-License-Identifier: MIT */
/* The bytes of a memory dump at their addresses, and what it says about itself. */
#include "formats/core.h"

#include "text/lines.h"

/* makedumpfile.h, struct makedumpfile_header and makedumpfile_data_header: big-endian. */
#define FLAT_MAGIC "makedumpfile\0\0\0\0"
#define FLAT_HEADER 4096
#define FLAT_RECORD 16
#define FLAT_END UINT64_MAX

#define VMCOREINFO_MAX (64 << 10)

bool core_is_flat(const uint8_t *data, size_t size)
{
	return size >= FLAT_RECORD && !memcmp(data, FLAT_MAGIC, FLAT_RECORD);
}

static bool add_place(struct core *core, const struct blob *blob, uint64_t start, uint64_t length,
		      uint64_t at)
{
	return !length ||
	       vec_push(&core->places, (struct piece){
			       GSC_PHYS, GSC_READ_OK, start, length,
			       blob->data ? blob->data + at : NULL, NULL, at, blob->fd });
}

/* Later records override earlier ones: headers are written again at the end. */
static enum gsc_status open_flat(struct core *core, struct gsc_source *source,
				 const struct blob *blob, struct gsc_error *err)
{
	uint64_t at = FLAT_HEADER, start, length, held;
	uint8_t record[FLAT_RECORD];

	for (;; at += length) {
		if (!blob_read(blob, at, record, sizeof(record)))
			break;
		start = __builtin_bswap64(load_le(record, 8));
		length = __builtin_bswap64(load_le(record + 8, 8));
		if (start == FLAT_END && length == FLAT_END)
			return pieces_resolve(&core->places) ? GSC_OK : err_memory(err);
		at += sizeof(record);
		held = MIN(length, blob->size - at);
		if (!range_fits(start, length) || !add_place(core, blob, start, held, at))
			break;
		if (held < length)
			break;
	}
	source_note(source,
		    "%s: the flattened dump has no end record; the last record is at byte %llu",
		    blob->name, LL(MIN(at, blob->size)));
	return pieces_resolve(&core->places) ? GSC_OK : err_memory(err);
}

enum gsc_status core_open(struct core *core, struct gsc_source *source, const struct part *part,
			  struct gsc_error *err)
{
	uint8_t magic[FLAT_RECORD];

	*core = (struct core){ .name = part->blob.name, .file_size = part->blob.size };
	if (blob_read(&part->blob, 0, magic, sizeof(magic)) && core_is_flat(magic, sizeof(magic)))
		return open_flat(core, source, &part->blob, err);
	return add_place(core, &part->blob, 0, part->blob.size, 0) ? GSC_OK : err_memory(err);
}

void core_close(struct core *core)
{
	vec_free(&core->places);
}

/* The place that contains an offset, or the next one; their count if there is none. */
static size_t find_place(const struct core *core, uint64_t offset)
{
	const struct piece *places = core->places.items;

	return SEEK(i, 0, core->places.count, places[i].start + places[i].length <= offset);
}

/* How many of the next bytes exist or, with `data` NULL, do not. */
static size_t read_some(const struct core *core, uint64_t offset, uint8_t *buf, size_t size,
			bool *there)
{
	size_t i = find_place(core, offset), got;
	const struct piece *place = core->places.items + i;

	*there = i < core->places.count && place->start <= offset;
	if (!*there)
		return i < core->places.count ? (size_t)MIN(size, place->start - offset) : size;
	got = piece_read(place, offset, buf, size);
	*there = got;
	return got ? got : size;
}

bool core_read(const struct core *core, uint64_t offset, void *buf, size_t size)
{
	bool there = true;

	for (size_t done = 0; there && done < size;)
		done += read_some(core, offset + done, (uint8_t *)buf + done, size - done, &there);
	return there && range_fits(offset, size);
}

void core_read_header(const struct core *core, uint64_t offset, void *buf, size_t size)
{
	bool there;

	memset(buf, 0, size);
	for (size_t done = 0; done < size && range_fits(offset, size);)
		done += read_some(core, offset + done, (uint8_t *)buf + done, size - done, &there);
}

uint64_t core_held(const struct core *core, uint64_t offset, uint64_t length)
{
	uint64_t held = 0;

	for (size_t i = find_place(core, offset); i < core->places.count && held < length; i++) {
		const struct piece *place = &core->places.items[i];

		if (place->start > offset + held)
			break;
		held = place->start + place->length - offset;
	}
	return MIN(held, length);
}

bool core_add(const struct core *core, struct part *part, uint64_t address, uint64_t offset,
	      uint64_t length)
{
	for (size_t i = find_place(core, offset); i < core->places.count; i++) {
		const struct piece *place = &core->places.items[i];
		uint64_t from = MAX(place->start, offset), at = from - place->start, size;

		if (from - offset >= length)
			break;
		size = MIN(place->length - at, length - (from - offset));
		if (!(place->data ? part_add(part, GSC_PHYS, address + (from - offset), size,
					     place->data + at)
				  : part_add_file(part, GSC_PHYS, address + (from - offset), size,
						  place->fd, place->offset + at)))
			return false;
	}
	return true;
}

/* ---- VMCOREINFO ----------------------------------------------------------------------------- */

static bool take_lines(struct part *part)
{
	struct lines lines = { .data = (const uint8_t *)part->vmcoreinfo,
			       .size = strlen(part->vmcoreinfo) };
	char value[128];

	while (lines_next(&lines)) {
		struct slice line = lines.text;
		const char *key = "kernel";
		uint64_t seconds;
		time_t time;
		struct tm tm;

		*value = 0;
		if (take_text(&line, "OSRELEASE=")) {
			snprintf(value, sizeof(value), "%.*s", SLICE(slice_first(line, 100)));
		} else if (take_text(&line, "CRASHTIME=") && slice_number(line, &seconds) &&
			   seconds <= INT32_MAX * UINT64_C(64)) {
			key = "crashed";
			time = (time_t)seconds;
			if (gmtime_r(&time, &tm))
				strftime(value, sizeof(value), "%Y-%m-%dT%H:%M:%SZ", &tm);
		}
		if (*value && !part_say(part, "", key, "%s", value))
			return false;
	}
	return true;
}

enum gsc_status core_vmcoreinfo(const struct core *core, struct part *part, uint64_t offset,
				uint64_t size, struct gsc_error *err)
{
	size_t length = (size_t)MIN(size, (uint64_t)VMCOREINFO_MAX);
	char *text = size ? part_alloc(part, length + 1) : NULL;

	if (!size)
		return GSC_OK;
	if (!text)
		return err_memory(err);
	if (!core_read(core, offset, text, length))
		return GSC_OK;
	text[length] = 0;
	part->vmcoreinfo = text;
	return take_lines(part) ? GSC_OK : err_memory(err);
}

enum gsc_status core_add_vmcoreinfo(struct part *part, const char *text, struct gsc_error *err)
{
	char *copy = part->vmcoreinfo ? NULL : part_alloc(part, strlen(text) + 1);

	if (part->vmcoreinfo)
		return GSC_OK;
	if (!copy)
		return err_memory(err);
	part->vmcoreinfo = strcpy(copy, text);
	return take_lines(part) ? GSC_OK : err_memory(err);
}
