/* SPDX-License-Identifier: MIT */
/*
 * Logs of coreboot's inteltool: one section a unit of the chipset, headed "===== NAME =====", of
 * "0x0050: 0x812a0654" lines. Those of the section IGD (util/inteltool/gfx.c, print_gfx()) are the
 * GPU's registers; all others count from bases of their own. "IGD: 8086:0102" says which GPU it is.
 */
#include "formats/inteltool.h"

#include "text/lines.h"
#include "formats/regline.h"
#include "source/source.h"
#include "formats/values.h"
#include "util/number.h"

static const char *const sections[] = {
	"IGD", "GPIOS", "RCBA", "PMBASE", "MCHBAR", "EPBAR", "DMIBAR", "PCIEXBAR", "AMBs",
	"SPI / BIOS CNTL", "SPI / ROM", "LPC", "SATA", "SGX", "PCR", "AHCI", "MSRs", "P2SB",
};

/* "============= RCBA ==============": the name, or false. */
static bool parse_heading(const char *text, size_t length, const char **name,
			  size_t *name_length)
{
	size_t from = 0, to = length;

	while (from < length && text[from] == '=')
		from++;
	while (to > from && text[to - 1] == '=')
		to--;
	if (from < 5 || length - to < 5 || to - from < 3 || text[from] != ' ' ||
	    text[to - 1] != ' ')
		return false;
	*name = text + from + 1;
	*name_length = to - from - 2;
	return true;
}

bool inteltool_heading(const char *text, size_t length)
{
	const char *name;
	size_t size;

	if (!parse_heading(text, length, &name, &size))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (strlen(sections[i]) == size && !memcmp(name, sections[i], size))
			return true;
	return false;
}

/* "IGD: 8086:0102 (Intel(R) HD 2000 Graphics)" */
static bool parse_device(const struct lines *line, uint64_t *device)
{
	static const char key[] = "IGD: 8086:";
	size_t at = sizeof(key) - 1;

	return line->length >= at + 4 && !memcmp(line->text, key, at) &&
	       number_parse_hex(line->text + at, 4, device);
}

static bool next_line(struct lines *line)
{
	if (!lines_next(line))
		return false;
	while (line->length && is_blank(*line->text)) {
		line->text++;
		line->length--;
	}
	return true;
}

static unsigned score(const uint8_t *data, size_t size)
{
	struct lines line = { .data = data, .size = size };

	if (!bytes_are_text(data, size))
		return 0;
	while (next_line(&line))
		if (line.length && *line.text == '=' &&
		    inteltool_heading(line.text, line.length))
			return 96;
	return 0;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct lines line = { .data = part->blob.data, .size = part->blob.size };
	value_vec values = { 0 };
	bool gpu = false, done = true;
	const char *name;
	uint64_t device;
	size_t length;

	(void)source;
	while (done && next_line(&line)) {
		struct regline row;

		if (parse_heading(line.text, line.length, &name, &length))
			gpu = length == 3 && !memcmp(name, "IGD", 3);
		else if (parse_device(&line, &device))
			part->pci_device = (int)device;
		else if (gpu && regline_parse(line.text, line.length, false, &row) == REGLINE_RAW &&
			 row.count == 1)
			done = values_add(&values, GSC_MMIO, row.address, row.size, row.status[0],
					  row.value[0]);
	}
	done = done && values_store(&values, part);
	vec_free(&values);
	return done ? GSC_OK : err_memory(err);
}

const struct reader reader_inteltool = { "inteltool log", GSC_SOURCE_REGISTER_TEXT, score, load };
