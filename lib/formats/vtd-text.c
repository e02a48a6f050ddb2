/* SPDX-License-Identifier: MIT */
/*
 * Text of the kernel's VT-d debug files (/sys/kernel/debug/iommu/intel): dmar_translation_struct,
 * domain_translation_struct, ir_translation_struct, alone or pasted together. Each printed entry
 * goes to its address in physical memory, which the earlier entries of its row give. If the text
 * does not give an address (entries of PASID tables: their directory is not printed), none is
 * invented.
 */
#include "formats/readers.h"
#include "text/lines.h"
#include "formats/values.h"

#define LEVELS 5			/* columns of a domain's row: PML5E to PTE */
#define LOW_ADDRESS UINT64_C(0xffffffffff000)	/* bits 51:12 of an entry */
#define PRESENT 1
#define LARGE_PAGE (1 << 7)

/* ---- words --------------------------------------------------------------------------------- */

/* The next word; false at the end. */
static bool next_word(struct slice *line, struct slice *word)
{
	*word = take_word(line);
	return word->at < word->end;
}

/* Entries are printed with all their 16 digits: one with fewer is truncated. */
static bool is_quadword(struct slice text, bool prefix, uint64_t *value)
{
	if (prefix && !take_text(&text, "0x"))
		return false;
	return slice_length(text) == 16 && take_digits(&text, 16, value) == 16;
}

/* "0xHIGH:...:0xLOW"; values[0] is the lowest. Returns how many, 0 if it is not one. */
static unsigned take_wide(struct slice word, uint64_t *values, unsigned room)
{
	size_t length = slice_length(word);
	unsigned count = (unsigned)(length / 19 + 1);

	if (count < 2 || count > room || length != count * 19 - 1)
		return 0;
	for (unsigned i = 0; i < count; i++, word.at += 19)
		if (!is_quadword(slice_first(word, 18), true, &values[count - 1 - i]) ||
		    (i + 1 < count && word.at[18] != ':'))
			return 0;
	return count;
}

/* "00:02.0" as bus << 8 | device << 3 | function. */
static bool is_function(struct slice word, unsigned *function)
{
	uint64_t bus, device, number;

	if (take_digits(&word, 2, &bus) != 2 || !take_text(&word, ":") ||
	    take_digits(&word, 2, &device) != 2 || !take_text(&word, ".") ||
	    !take_digits(&word, 1, &number) || word.at < word.end || device > 0x1f || number > 7)
		return false;
	*function = (unsigned)(bus << 8 | device << 3 | number);
	return true;
}

/* ---- lines --------------------------------------------------------------------------------- */

enum line_kind {
	LINE_OTHER,
	LINE_ROOT_TABLE,		/* IOMMU dmar0: Root Table Address: 0x103028000 */
	LINE_DEVICE,			/* Device 0000:00:02.0 [with pasid 1] @0x1017f8000 */
	LINE_INTERRUPTS,		/* IR table address:100300000 */
	LINE_FUNCTION,			/* 00:02.0 0xHIGH:0xLOW [0xHIGH:0xLOW PASID ...] */
	LINE_CONTEXT,			/* 0xHIGH:0xLOW */
	LINE_PASID,			/* -1 0x:0x:0x */
	LINE_PAGE,			/* 0x000000008d800 | PML5E PML4E PDPE PDE PTE */
	LINE_INTERRUPT,			/* 0 00:02.0 00000002 26 HIGH LOW */
	LINE_KNOWN,			/* a heading or a message without an entry */
	LINE_CUT,			/* the beginning of one of these */
};

struct line {
	enum line_kind kind;
	uint64_t address;		/* of a table; the page number */
	unsigned function, index;
	uint64_t root[2], context[2], values[LEVELS];
	bool has_context, has_pasid, has_function;
	unsigned count;			/* of values */
};

/* "00:02.0 ..."; the rest of the row follows if everything is in one line. */
static void parse_function(struct slice c, struct line *line)
{
	uint64_t values[3];
	struct slice word;

	line->kind = LINE_CUT;
	if (!next_word(&c, &word) || take_wide(word, line->root, 2) != 2)
		return;
	if (!next_word(&c, &word)) {
		line->kind = LINE_FUNCTION;
		return;
	}
	if (take_wide(word, line->context, 2) != 2)
		return;
	line->kind = LINE_FUNCTION;
	line->has_context = true;
	if (next_word(&c, &word) && next_word(&c, &word))
		line->has_pasid = take_wide(word, values, 3) == 3 && (values[0] & PRESENT);
}

/* After the page number. For superpages, the columns after them are missing or zero. */
static void parse_page(struct slice c, struct line *line)
{
	struct slice word;

	line->kind = LINE_PAGE;
	if (!next_word(&c, &word) || !slice_is(word, "|")) {
		line->kind = LINE_OTHER;
		return;
	}
	while (line->count < LEVELS && next_word(&c, &word)) {
		if (!is_quadword(word, true, &line->values[line->count])) {
			line->kind = LINE_CUT;
			return;
		}
		line->count++;
	}
}

static bool parse_heading(struct slice c, struct line *line)
{
	static const struct {
		const char *words;
		enum line_kind kind;
	} headings[] = {
		{ "Root Table Address:", LINE_ROOT_TABLE },
		{ "IR table address:", LINE_INTERRUPTS },
		{ " @", LINE_DEVICE },
	};
	struct slice rest = c, word;
	bool device = take_text(&rest, "Device ");

	/* "Device 0000:00:02.0 @"; a PASID is named if the tables may also be first-level ones. */
	if (device && next_word(&rest, &word) && slice_length(word) == 12 && word.at[4] == ':')
		line->has_function = is_function(slice_from(word, 5), &line->function) &&
				     slice_begins(take_word(&rest), "@");
	for (size_t i = 0; i < ARRAY_SIZE(headings); i++) {
		rest.at = slice_find(c, headings[i].words);
		if (!rest.at || (headings[i].kind == LINE_DEVICE && !device))
			continue;
		rest.at += strlen(headings[i].words);
		line->kind = slice_hex(take_word(&rest), &line->address) ? headings[i].kind
									  : LINE_CUT;
		return true;
	}
	return false;
}

/* "0x000000008d800 | ...", "00:02.0 ...", "0 00:02.0 ...", "0x...:0x..." */
static void parse_row(struct slice c, struct line *line)
{
	struct slice word, second, rest;
	bool has_high = false, has_low = false;
	uint64_t number;

	if (!next_word(&c, &word))
		return;
	if (is_function(word, &line->function)) {
		parse_function(c, line);
		return;
	}
	if (take_wide(word, line->context, 2) == 2) {
		line->kind = LINE_CONTEXT;
		return;
	}
	if (slice_length(word) == 15 && slice_hex(word, &line->address)) {
		parse_page(c, line);
		return;
	}
	rest = c;
	if (!next_word(&rest, &second))
		return;
	if (take_wide(second, line->values, 3) == 3) {
		line->kind = LINE_PASID;
		return;
	}
	if (!slice_number(word, &number) || !is_function(second, &line->function))
		return;
	/* "0 00:02.0 ...": the last two words are the entry. */
	for (line->values[0] = 0; next_word(&rest, &word);) {
		line->values[1] = line->values[0];
		has_high = has_low;
		has_low = is_quadword(word, false, &line->values[0]);
	}
	line->kind = has_high && has_low && number <= UINT16_MAX ? LINE_INTERRUPT : LINE_CUT;
	line->index = (unsigned)number;
}

static void parse_line(struct slice c, struct line *line)
{
	/* Lines of these files that have no entry. */
	static const char *const known[] = {
		"Register Base Address:", "B.D.F", "Context_entry", "PASID_table_entry",
		"IOVA_PFN", "IRTE_high", "Interrupt supported on IOMMU", "DMA Remapping is not",
		"Interrupt Remapping is not", "Invalidation queue on IOMMU",
	};

	*line = (struct line){ .kind = LINE_OTHER };
	take_quotes(&c);
	take_blanks(&c);
	parse_row(c, line);
	if (line->kind != LINE_OTHER || parse_heading(c, line))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (slice_find(c, known[i]))
			line->kind = LINE_KNOWN;
}

/* ---- what a file makes of them ------------------------------------------------------------- */

/* Without one of the headings that give the address of a table, entries have no place. */
static unsigned score(const uint8_t *data, size_t size)
{
	struct lines lines = { .data = data, .size = size };
	size_t count[LINE_CUT + 1] = { 0 };
	struct line line;

	if (!bytes_are_text(data, size))
		return 0;
	while (lines_next(&lines)) {
		parse_line(lines.text, &line);
		if (line.kind == LINE_ROOT_TABLE || line.kind == LINE_DEVICE ||
		    line.kind == LINE_INTERRUPTS)
			return 90;
		count[line.kind]++;
	}
	return count[LINE_FUNCTION] + count[LINE_PAGE] && count[LINE_KNOWN] ? 60 : 0;
}

/* Adjacent entries of one table: rows come in the order of addresses. */
struct run {
	uint64_t start, entry;			/* entry: the last one */
	size_t bytes;
	uint8_t data[4096];
};

struct loading {
	struct part *part;
	value_vec values;
	uint64_t root, device, interrupts;	/* the tables that rows belong to, or 0 */
	struct run runs[LEVELS];
	struct left_out cut, homeless;
	bool unmeasured;			/* no row of the last domain shows its levels yet */
};

/* Tables are below 2^52: sums of their parts do not wrap. */
static bool add_wide(struct loading *l, uint64_t address, const uint64_t *values)
{
	address &= LOW_ADDRESS | 0xfff;
	return values_add(&l->values, GSC_PHYS, address, 8, GSC_READ_OK, values[0]) &&
	       values_add(&l->values, GSC_PHYS, address + 8, 8, GSC_READ_OK, values[1]);
}

/* With PASIDs (scalable mode) entries have 32 bytes, and a table covers half of the functions. */
static bool add_context(struct loading *l, const struct line *line, bool scalable)
{
	unsigned devfn = line->function & 0xff;
	uint64_t table = line->root[scalable && devfn & 0x80 ? 1 : 0];

	return !(table & PRESENT) ||
	       add_wide(l, (table & LOW_ADDRESS) + (scalable ? (devfn & 0x7f) * 32 : devfn * 16),
			line->context);
}

/* ---- first and second level ---------------------------------------------------------------- */

static bool flush_run(struct loading *l, struct run *run)
{
	uint8_t *bytes = run->bytes ? part_alloc(l->part, run->bytes) : NULL;
	size_t length = run->bytes;

	run->bytes = 0;
	if (!length)
		return true;
	if (!bytes)
		return false;
	memcpy(bytes, run->data, length);
	return part_add(l->part, GSC_PHYS, run->start, length, bytes);
}

/* Rows repeat the entries above the new one. */
static bool add_level(struct loading *l, unsigned level, uint64_t address, uint64_t value)
{
	struct run *run = &l->runs[level];
	uint64_t end = run->start + run->bytes;

	if (run->bytes && end == address + 8 && run->entry == value)
		return true;
	if (run->bytes && (end != address || end % 4096 == 0) && !flush_run(l, run))
		return false;
	if (!run->bytes)
		run->start = address;
	run->entry = value;
	for (unsigned i = 0; i < 8; i++)
		run->data[run->bytes++] = (uint8_t)(value >> 8 * i);
	return true;
}

/* A root with fewer levels has zeros in the first columns. */
static bool add_page(struct loading *l, const struct line *line)
{
	uint64_t table = l->device & LOW_ADDRESS;
	unsigned level = 0;

	while (level < line->count && !line->values[level])
		level++;
	if (l->unmeasured && LEVELS - level >= 3)
		l->part->domains.items[l->part->domains.count - 1].levels = LEVELS - level;
	l->unmeasured = false;
	for (; level < line->count && line->values[level]; level++) {
		unsigned shift = 9 * (LEVELS - 1 - level);
		uint64_t entry = line->values[level];

		if (!add_level(l, level, table + (line->address >> shift & 0x1ff) * 8, entry))
			return false;
		if (entry & LARGE_PAGE && level + 1 < LEVELS)
			break;
		table = entry & LOW_ADDRESS;
	}
	return true;
}

/* ---- rows ---------------------------------------------------------------------------------- */

/* The kernel puts a function into one row; its documentation shows three. */
struct function_row {
	struct line line;
	bool waiting;			/* its context entry has been seen, but not its PASID */
	bool open;
};

static bool take_line(struct loading *l, const struct line *line, struct function_row *row)
{
	bool waiting = row->waiting;

	switch (line->kind) {
	case LINE_ROOT_TABLE:
		l->root = line->address;
		return true;
	case LINE_DEVICE:
		l->device = line->address;
		l->unmeasured = line->has_function;
		/* Without rows it has 4 levels, as most do. */
		return !line->has_function ||
		       vec_push(&l->part->domains, (struct vtd_domain){ line->function, 4,
									l->device & LOW_ADDRESS });
	case LINE_INTERRUPTS:
		l->interrupts = line->address;
		return true;
	case LINE_FUNCTION:
		row->line = *line;
		row->open = !line->has_context;
		row->waiting = false;
		return add_wide(l, (l->root & LOW_ADDRESS) + (line->function >> 8) * 16,
				line->root) &&
		       (!line->has_context || add_context(l, line, line->has_pasid));
	case LINE_CONTEXT:
		row->waiting = row->open;
		row->open = false;
		memcpy(row->line.context, line->context, sizeof(line->context));
		return true;
	case LINE_PASID:
		row->waiting = false;
		return !waiting || add_context(l, &row->line, line->values[0] & PRESENT);
	case LINE_PAGE:
		return add_page(l, line);
	case LINE_INTERRUPT:
		return add_wide(l, (l->interrupts & LOW_ADDRESS) + line->index * 16, line->values);
	default:
		return true;
	}
}

static bool take_lines(struct loading *l)
{
	struct lines lines = { .data = l->part->blob.data, .size = l->part->blob.size };
	struct function_row row = { .open = false };
	struct line line;

	while (lines_next(&lines)) {
		parse_line(lines.text, &line);
		if (line.kind == LINE_CUT)
			leave_out(&l->cut, lines.number);
		else if ((line.kind == LINE_FUNCTION && !l->root) ||
			 (line.kind == LINE_PAGE && !l->device) ||
			 (line.kind == LINE_INTERRUPT && !l->interrupts))
			leave_out(&l->homeless, lines.number);
		else if (!take_line(l, &line, &row))
			return false;
	}
	for (unsigned level = 0; level < LEVELS; level++)
		if (!flush_run(l, &l->runs[level]))
			return false;
	return true;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct loading l = { .part = part };
	enum gsc_status status = values_end(&l.values, part, take_lines(&l), err);

	note_left_out(source, part, &l.cut, "a damaged row, left out");
	note_left_out(source, part, &l.homeless,
		      "a row without the address of its table, left out");
	return status;
}

static bool begins(const struct lines *line)
{
	return slice_find(slice_first(line->text, 80), "Root Table Address:");
}

const struct reader reader_vtd_text = {
	"VT-d text", GSC_SOURCE_VTD_TEXT, score, load,
	.file = "vtd-text",
	.begins = begins,
};
