/* SPDX-License-Identifier: MIT */
/*
 * Logs of coreboot's inteltool: one section for each unit of the chipset, headed "===== NAME
 * =====", with "0x0050: 0x812a0654" lines. Those of the section IGD (util/inteltool/gfx.c,
 * print_gfx()) are the GPU's registers; all others count from other bases. "IGD: 8086:0102" says
 * which GPU it is.
 */
#include "formats/readers.h"

#include "text/lines.h"
#include "formats/regline.h"
#include "formats/values.h"

static const char *const sections[] = {
	"IGD", "GPIOS", "RCBA", "PMBASE", "MCHBAR", "EPBAR", "DMIBAR", "PCIEXBAR", "AMBs",
	"SPI / BIOS CNTL", "SPI / ROM", "LPC", "SATA", "SGX", "PCR", "AHCI", "MSRs", "P2SB",
};

static bool is_equals(char c)
{
	return c == '=';
}

/* "============= RCBA ==============": the name of a section; empty: it is no heading. */
static struct slice parse_heading(struct slice line)
{
	struct slice front = take_while(&line, is_equals), back = { line.end, line.end };

	while (back.at > line.at && back.at[-1] == '=')
		back.at--;
	line.end = back.at;
	if (slice_length(front) < 5 || slice_length(back) < 5 || slice_length(line) < 3 ||
	    *line.at != ' ' || line.end[-1] != ' ')
		return slice_string("");
	return (struct slice){ line.at + 1, line.end - 1 };
}

static bool is_heading(struct slice line)
{
	struct slice name;

	take_blanks(&line);
	name = parse_heading(line);
	for (size_t i = 0; name.at < name.end && i < ARRAY_SIZE(sections); i++)
		if (slice_is(name, sections[i]))
			return true;
	return false;
}

static unsigned score(const uint8_t *data, size_t size)
{
	return any_line(data, size, is_heading) ? 96 : 0;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct lines line = { .data = part->blob.data, .size = part->blob.size };
	value_vec values = { 0 };
	bool gpu = false, done = true;
	struct slice name;
	uint64_t device;

	(void)source;
	while (done && lines_next(&line)) {
		struct slice rest = line.text;
		struct regline row;

		take_blanks(&rest);
		name = parse_heading(rest);
		if (slice_length(name))
			gpu = slice_is(name, "IGD");
		/* "IGD: 8086:0102 (Intel(R) HD 2000 Graphics)" */
		else if (take_text(&rest, "IGD: 8086:") && slice_length(rest) >= 4 &&
			 slice_hex(slice_first(rest, 4), &device))
			part->pci_device = (int)device;
		else if (gpu && regline_parse(line.text, false, &row) == REGLINE_RAW &&
			 row.count == 1)
			done = values_add(&values, GSC_MMIO, row.address, row.size, row.status[0],
					  row.value[0]);
	}
	return values_end(&values, part, done, err);
}

static bool begins(const struct lines *line)
{
	static const char *const words[] = { "CPU: ID 0x", "Northbridge: 8086:", "IGD: 8086:" };

	return slice_begins_any(line->text, words, ARRAY_SIZE(words)) || is_heading(line->text);
}

static bool includes(const struct reader *other, const struct lines *line)
{
	(void)line;
	return other == &reader_config_text || other == &reader_register_text;
}

const struct reader reader_inteltool = {
	"inteltool log", GSC_SOURCE_REGISTER_TEXT, score, load,
	.holds_log = true,
	.begins = begins,
	.includes = includes,
};
