/* SPDX-License-Identifier: MIT */
/*
 * What LiME and AVML write on a running machine: ranges of memory, each after a header. Origin:
 * LiME, src/lime.h, lime_mem_range_header.
 */
#include "formats/core.h"
#include "formats/readers.h"

#define MAGIC 0x4c694d45
#define HEADER 32			/* magic, version, first and last address, 8 bytes */

static unsigned score(const uint8_t *data, size_t size)
{
	return size >= HEADER && load_le(data, 4) == MAGIC && load_le(data + 4, 4) == 1 ? 100 : 0;
}

static enum gsc_status load_ranges(struct gsc_source *source, struct part *part,
				   const struct core *file, struct gsc_error *err)
{
	uint8_t header[HEADER];
	uint64_t at = 0;

	while (at < file->file_size) {
		uint64_t first, last, held;

		if (!core_read(file, at, header, HEADER) || !score(header, HEADER))
			break;
		first = load_le(header + 8, 8);
		last = load_le(header + 16, 8);
		if (last < first || last == UINT64_MAX)
			break;
		at += HEADER;
		held = core_held(file, at, last - first + 1);
		if (!core_add(file, part, first, at, held))
			return err_memory(err);
		at += held;
		if (held > last - first)
			continue;
		source_note(source, "%s: ends at byte %llu, in the range 0x%llx-0x%llx", file->name,
			    LL(at), LL(first), LL(last));
		return GSC_OK;
	}
	if (at < file->file_size)
		source_note(source, "%s: byte %llu: not the header of a range: the rest is not "
			    "read", file->name, LL(at));
	return GSC_OK;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct core file;
	enum gsc_status status = core_open(&file, source, part, err);

	if (!status)
		status = load_ranges(source, part, &file, err);
	core_close(&file);
	if (!status && !part->pieces.count)
		status = err_set(err, GSC_FAILED, part->blob.name,
				 "ends before the first byte of memory");
	return status;
}

const struct reader reader_lime = { "LiME dump", GSC_SOURCE_MEMORY, score, load };
