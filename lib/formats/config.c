/* SPDX-License-Identifier: MIT */
/*
 * PCI configuration space: its bytes, or rows as lspci -xxx prints them ("OO: 16 bytes"), of one
 * function or of several, with any other text between them.
 */
#include "formats/readers.h"
#include "formats/values.h"
#include "text/lines.h"

#define CONFIG_SIZE 4096
#define ROW 16
#define HEADER_SIZE 64

/* One function: how many bytes of each row are known. */
struct function {
	uint8_t bytes[CONFIG_SIZE];
	uint8_t held[CONFIG_SIZE / ROW];
};

struct row {
	unsigned offset, count;
	uint8_t bytes[ROW];
};

/* "1a0: 86 80 ...": two or three digits, a colon, then bytes. */
static bool parse_row(struct slice text, struct row *row)
{
	uint64_t value;

	take_quotes(&text);
	take_blanks(&text);
	if (take_digits(&text, 3, &value) < 2 || !take_text(&text, ":") || value % ROW)
		return false;
	row->offset = (unsigned)value;
	/* Two hexadecimal digits and no more, after at least one blank. */
	for (row->count = 0; row->count < ROW; row->bytes[row->count++] = (uint8_t)value) {
		const char *start = text.at;

		take_blanks(&text);
		if (text.at == start || take_digits(&text, 2, &value) != 2 ||
		    (text.at < text.end && is_hex(*text.at)))
			break;
	}
	return row->count > 0;
}

static bool is_intel_display(const struct function *f)
{
	return f->held[0] == ROW && load_le(f->bytes, 2) == 0x8086 && f->bytes[0x0b] == 3;
}

/* Keeps the first function, until an Intel display device follows. */
static void consider(struct function *chosen, const struct function *candidate)
{
	if (candidate->held[0] < ROW)
		return;
	if (!chosen->held[0] || (!is_intel_display(chosen) && is_intel_display(candidate)))
		*chosen = *candidate;
}

static enum gsc_status check_vendor(const struct part *part, const uint8_t *config,
				    struct gsc_error *err)
{
	unsigned vendor = (unsigned)load_le(config, 2);

	if (vendor == 0x8086)
		return GSC_OK;
	if (vendor == 0xffff)
		return err_set(err, GSC_FAILED, part->blob.name,
			       "reads as all ones: the device did not answer when this was saved");
	return err_set(err, GSC_FAILED, part->blob.name, "vendor 0x%04x: not an Intel device",
		       vendor);
}

static enum gsc_status text_load(struct gsc_source *source, struct part *part,
				 struct gsc_error *err)
{
	struct function *chosen = part_alloc(part, 2 * sizeof(*chosen)), *current;
	struct lines line = { .data = part->blob.data, .size = part->blob.size };
	size_t short_line = 0;
	enum gsc_status status;
	struct row row;

	if (!chosen)
		return err_memory(err);
	memset(chosen, 0, 2 * sizeof(*chosen));
	current = chosen + 1;
	/* Rows count up within a function. */
	while (lines_next(&line)) {
		if (!parse_row(line.text, &row))
			continue;
		if (row.offset == 0) {
			consider(chosen, current);
			memset(current, 0, sizeof(*current));
		}
		if (row.count < ROW && !short_line)
			short_line = line.number;
		memcpy(current->bytes + row.offset, row.bytes, row.count);
		current->held[row.offset / ROW] = (uint8_t)row.count;
	}
	consider(chosen, current);
	if (!chosen->held[0])
		return err_set(err, GSC_FAILED, part->blob.name,
			       "expected 64, 256 or 4096 bytes of PCI config space, or lspci -xxx "
			       "text");
	status = check_vendor(part, chosen->bytes, err);
	if (status)
		return status;
	if (short_line)
		source_note(source, "%s: line %zu: a row of fewer than 16 bytes", part->blob.name,
			    short_line);
	part_set_config(part, chosen->bytes, ROW);
	for (unsigned i = 0; i < CONFIG_SIZE / ROW; i++)
		if (!part_add(part, GSC_CONFIG, i * ROW, chosen->held[i],
			      chosen->bytes + (size_t)i * ROW))
			return err_memory(err);
	return GSC_OK;
}

/* A complete first row, which no other text has. */
static bool is_first_row(struct slice line)
{
	struct row row;

	return parse_row(line, &row) && row.count == ROW && row.offset == 0;
}

static unsigned text_score(const uint8_t *data, size_t size)
{
	return any_line(data, size, is_first_row) ? 60 : 0;
}

enum gsc_status config_load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	const struct blob *blob = &part->blob;
	enum gsc_status status;

	if (!blob->data)
		return err_set(err, GSC_FAILED, blob->name, "cannot be read");
	if ((blob->size != HEADER_SIZE && blob->size != 256 && blob->size != CONFIG_SIZE) ||
	    text_score(blob->data, blob->size))
		return text_load(source, part, err);
	status = check_vendor(part, blob->data, err);
	if (status)
		return status;
	part_set_config(part, blob->data, blob->size);
	if (!part_add(part, GSC_CONFIG, 0, blob->size, blob->data))
		return err_memory(err);
	return GSC_OK;
}

/* ---- in a pasted text ----------------------------------------------------------------------- */

static bool begins(const struct lines *line)
{
	struct slice text = line->text;
	uint64_t number;
	struct row row;

	if (parse_row(text, &row) && row.count == ROW)
		return true;
	/* "00:02.0 VGA compatible controller: ", "0000:00:02.0 ..." */
	if (slice_length(text) > 13 && text.at[4] == ':')
		text.at += 5;
	return slice_length(text) > 10 && take_digits(&text, 2, &number) == 2 &&
	       take_text(&text, ":") && take_digits(&text, 2, &number) == 2 &&
	       take_text(&text, ".") && is_digit(*text.at++) && take_text(&text, " ") &&
	       *text.at >= 'A' && *text.at <= 'Z';
}

const struct reader reader_config_text = {
	"PCI config text (lspci -xxx)", GSC_SOURCE_CONFIG_TEXT, text_score, text_load,
	.begins = begins,
};
