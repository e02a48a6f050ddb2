/* SPDX-License-Identifier: MIT */
/* The verb x: memory in the units and formats of gdb. It runs in a child, as a command. */
#include "sh.h"

#include "cli/roots.h"
#include "gtt/walk.h"
#include "source/source.h"
#include "util/number.h"

#define BYTES_MAX (1u << 20)
#define CHUNK 4096
#define STRING_MAX 200			/* characters of a string in a line */

struct memory {
	struct common common;
	const char *format_text;
	struct roots roots;

	uint64_t count, address;
	char format;
	unsigned unit;			/* bytes */
	enum gsc_space space;		/* GSC_SPACES: none is named */
	const char *name;		/* "ggtt" */

	struct gsc_translation *global, *process;	/* process: or NULL */
	uint64_t there, missing;	/* bytes */
	struct gsc_error lacking;	/* where the first one is missing, and why */
	struct gsc_json json;
};

#define MEMBER(member) offsetof(struct memory, member)

static const char *const usage[] = { "x[/FORMAT] [options] [SPACE:]ADDRESS", NULL };

static const struct option_row options[] = {
	{ 0, "format", "FORMAT", OPTION_STRING, MEMBER(format_text),
	  "a count, one of x d u t c s, one of b h w g: 16xw", "NONE" },
	{ 'm', "mode", "MODE", OPTION_STRING, MEMBER(roots.mode_name),
	  "mode of the ppgtt: flat 2level pdp32 pml4 ia32e", IN_HELP },
	{ 0, "root", "VALUE", OPTION_STRING, MEMBER(roots.root),
	  "value of the mode's root register" },
	{ 0, "context", "LRCA", OPTION_NUMBER, MEMBER(roots.context),
	  "use the root in a logical context" },
	{ 'e', "engine", "NAME", OPTION_STRING, MEMBER(roots.engine),
	  "use the root in an engine's registers", "ENGINE" },
};

static const struct option_rule rules[] = {
	{ "root", "context engine", false },
	{ "context", "engine", false },
};

/* ---- words ---------------------------------------------------------------------------------- */

/* "16xw", "s", "4g" */
static bool read_format(struct memory *m, const char *text)
{
	static const char sizes[] = "bhwg";
	size_t length = strspn(text, "0123456789");
	char number[24];

	m->count = 1;
	string_set(number, "%.*s", (int)length, text);
	if (length && !gsc_parse_number(number, &m->count))
		return false;
	for (text += length; *text; text++) {
		const char *size = strchr(sizes, *text);

		if (!size && !strchr("xdutcs", *text))
			return false;
		if (size)
			m->unit = 1u << (size - sizes);
		else
			m->format = *text;
	}
	if (m->format == 's' || (m->format == 'c' && !m->unit))
		m->unit = 1;
	m->unit = m->unit ? m->unit : 4;
	m->format = m->format ? m->format : 'x';
	return true;
}

static enum gsc_status read_words(struct memory *m, struct gsc_error *err)
{
	const struct common *common = &m->common;
	const char *text = common->operand_count ? common->operands[0] : "";
	struct address address;
	bool is = address_read(text, &address);

	if (common->operand_count > 1)
		return usage_error(err, common->operands[1], "expected one address");
	if (m->format_text && strchr(m->format_text, 'i'))
		return usage_error(err, m->format_text, "x shows no instructions: batch -a ADDRESS "
				   "shows commands, eu -a ADDRESS a shader");
	if (!read_format(m, m->format_text ? m->format_text : ""))
		return usage_error(err, m->format_text, "expected a format such as /16xw: a count, "
				   "one of x d u t c s, one of b h w g");
	if (!m->count || m->count > BYTES_MAX / m->unit)
		return usage_error(err, m->format_text, "expected 1 byte to 1 MB");
	m->space = address.name ? address.space : GSC_SPACES;
	m->name = address.name;
	m->address = address.at;
	if (m->space == GSC_STOLEN || (strchr(text, ':') && !address.name))
		return usage_error(err, text, "expected ggtt:, ppgtt:, phys: or lmem:; "
				   "registers are read without x");
	if (!is)
		return usage_error(err, *text ? text : "x", "expected an address");
	if (m->address > UINT64_MAX - BYTES_MAX)
		return usage_error(err, text, "ends past the address space");
	return GSC_OK;
}

/* ---- bytes ---------------------------------------------------------------------------------- */

/* As many as there are from the address on. */
static size_t read_bytes(struct memory *m, uint64_t address, uint8_t *buf, size_t size)
{
	struct gsc_source *source = m->common.source;
	struct gsc_translation *tables = m->space == GSC_GTTMEM ? m->global :
					 m->space == GSC_PPGTTMEM ? m->process : NULL;
	size_t done = tables ? gsc_translated_read(tables, address, buf, size) : 0, length;
	const void *data;
	uint64_t value;

	if (done || m->space == GSC_GTTMEM)
		return done;
	data = gsc_span(source, m->space, address, &length);
	if (data) {
		memcpy(buf, data, MIN(length, size));
		return MIN(length, size);
	}
	while (done < size && !gsc_read(source, m->space, address + done, 1, &value))
		buf[done++] = (uint8_t)value;
	return done;
}

/* Without a name: what the engine translates, if there is something, else the global address. */
static void choose_space(struct memory *m)
{
	uint8_t byte;

	if (m->space != GSC_SPACES)
		return;
	m->space = GSC_PPGTTMEM;
	m->name = "ppgtt";
	if (read_bytes(m, m->address, &byte, 1))
		return;
	m->space = GSC_GTTMEM;
	m->name = "ggtt";
	if (m->process && !read_bytes(m, m->address, &byte, 1)) {
		m->space = GSC_PPGTTMEM;
		m->name = "ppgtt";
	}
}

/* ---- what is missing ------------------------------------------------------------------------ */

/* "not in this dump", "not mapped: pte 0x0 at phys:0x1000 is not present": never a zero. */
static void put_missing(struct memory *m, uint64_t address, uint64_t size)
{
	struct gsc_translation *tables = m->space == GSC_GTTMEM ? m->global :
					 m->space == GSC_PPGTTMEM ? m->process : NULL;
	const char *absent = m->common.live ? "no source holds it" : "not in this dump";
	struct gsc_error lacking = { .status = GSC_UNKNOWN };
	struct gsc_out *out = m->common.out;
	struct gsc_walk walk;
	uint64_t value;
	char why[256];

	if (gsc_read(m->common.source, m->space, address & ~UINT64_C(3), 4, &value) ==
	    GSC_READ_EXCLUDED)
		absent = "excluded from the dump";
	string_set(lacking.what, "%s:0x%llx", m->name, LL(address));
	string_set(lacking.why, "%s", absent);
	if (tables) {
		gsc_walk(tables, address, GSC_INTENT_READ, &walk);
		lacking.status = gsc_walk_why(tables, &walk, why, sizeof(why));
		if (!walk.mapped && walk.stop != GSC_STOP_NO_MEMORY)
			string_set(lacking.why, "not mapped: %s", why);
		else if (m->common.live)
			string_set(lacking.why, "%s", why);
	}
	if (!m->missing)
		m->lacking = lacking;
	m->missing += size;
	if (wants_json(&m->common)) {
		for (; size >= m->unit; size -= m->unit)
			gsc_json_null(&m->json, NULL);
		return;
	}
	gsc_out_format(out, "%s:0x%08llx:  %s (%llu byte%s)", m->name, LL(address), lacking.why,
		       LL(size), size == 1 ? "" : "s");
	gsc_out_end(out);
}

/* ---- units ---------------------------------------------------------------------------------- */

static uint64_t unit_at(const struct memory *m, const uint8_t *bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < m->unit; i++)
		value |= (uint64_t)bytes[i] << 8 * i;
	return value;
}

/* As in C. */
static void put_char(struct gsc_out *out, uint8_t c, char quote)
{
	if (c == '\\' || c == quote)
		gsc_out_format(out, "\\%c", c);
	else if (c >= ' ' && c < 0x7f)
		gsc_out_format(out, "%c", c);
	else
		gsc_out_format(out, "\\%03o", c);
}

static void put_unit(struct gsc_out *out, const struct memory *m, uint64_t value)
{
	unsigned bits = 8 * m->unit;
	int64_t sign = (int64_t)(value << (64 - bits)) >> (64 - bits);

	switch (m->format) {
	case 'd':
		gsc_out_format(out, "%*lld", (int)(bits * 3 / 10 + 2), (long long)sign);
		break;
	case 'u':
		gsc_out_format(out, "%*llu", (int)(bits * 3 / 10 + 1), LL(value));
		break;
	case 't':
		while (bits--)
			gsc_out_text(out, value >> bits & 1 ? "1" : "0");
		break;
	case 'c':
		gsc_out_text(out, "'");
		put_char(out, (uint8_t)value, '\'');
		gsc_out_text(out, "'");
		break;
	default:
		gsc_out_hex(out, value, 2 * m->unit);
	}
}

static void put_units(struct memory *m, uint64_t address, const uint8_t *bytes, size_t size)
{
	unsigned most = m->format == 't' ? 16 / m->unit : m->unit == 1 ? 8 : 16 / m->unit;
	struct gsc_out *out = m->common.out;

	most = m->format == 't' ? (most + 3) / 4 : most;
	for (size_t at = 0, i = 0; at < size; at += m->unit, i++) {
		if (wants_json(&m->common)) {
			gsc_json_hex(&m->json, NULL, unit_at(m, bytes + at));
			continue;
		}
		if (!(i % most))
			gsc_out_format(out, "%s:0x%08llx: ", m->name, LL(address + at));
		gsc_out_text(out, " ");
		put_unit(out, m, unit_at(m, bytes + at));
		if (i % most == most - 1 || at + m->unit >= size)
			gsc_out_end(out);
	}
}

/* This many units from an address on, and what is missing among them. */
static void dump(struct memory *m, uint64_t address, uint64_t size)
{
	uint64_t end = address + size, lost = 0;
	uint8_t bytes[CHUNK];

	while (address < end) {
		size_t most = end - address < CHUNK ? (size_t)(end - address) : CHUNK;
		size_t got = read_bytes(m, address, bytes, most) / m->unit * m->unit;

		if (got && lost)
			put_missing(m, address - lost, lost);
		lost = got ? 0 : lost + m->unit;
		if (got)
			put_units(m, address, bytes, got);
		m->there += got;
		address += got ? got : m->unit;
	}
	if (lost)
		put_missing(m, end - lost, lost);
}

/* Strings, one after the other; long ones continue in the next line. */
static void dump_strings(struct memory *m)
{
	struct gsc_out *out = m->common.out;
	uint64_t address = m->address, total = 0;
	uint8_t bytes[STRING_MAX];

	for (uint64_t i = 0; i < m->count && total < BYTES_MAX;) {
		size_t got = read_bytes(m, address, bytes, sizeof(bytes));
		const uint8_t *end = memchr(bytes, 0, got);
		size_t length = end ? (size_t)(end - bytes) : got;

		if (!got) {
			put_missing(m, address, 1);
			return;
		}
		gsc_out_format(out, "%s:0x%08llx:  \"", m->name, LL(address));
		for (size_t at = 0; at < length; at++)
			put_char(out, bytes[at], '"');
		gsc_out_text(out, end ? "\"" : "\"...");
		gsc_out_end(out);
		m->there += length;
		total += got;
		address += length + (end != NULL);
		i += end != NULL;
	}
}

/* ---- the command ---------------------------------------------------------------------------- */

KEYS(memory, "From address on, units of so many bytes; null where no source holds them.")
static void put_document(struct memory *m)
{
	struct gsc_json *json = &m->json;

	source_document(&m->common, SH_SCHEMA, json);
	gsc_json_list(json, "events");
	gsc_json_object(json, NULL);
	KEY(text, "event", "memory", ONE_OF("memory"));
	KEY(text, "space", m->name, ONE_OF("ggtt", "gttmem", "ppgtt", "ppgttmem", "phys", "lmem"));
	KEY(hex, "address", m->address);
	KEY(number, "size", m->unit, ONE_OF(1, 2, 4, 8));
	KEY_ARRAY("values", TYPE("string", "null"));
	dump(m, m->address, m->count * m->unit);
	gsc_json_array_end(json);
	gsc_json_object_end(json);
	gsc_json_finish(json);
}

static enum gsc_status show(struct memory *m, struct gsc_error *err)
{
	enum gsc_status status = complain_damage(&m->common, m->common.source);

	choose_space(m);
	if (wants_json(&m->common))
		put_document(m);
	else if (m->format == 's')
		dump_strings(m);
	else
		dump(m, m->address, m->count * m->unit);
	if (!m->missing)
		return status;
	if (m->there) {
		complain(&m->common, GSC_PARTIAL, m->lacking.what, m->lacking.why);
		return GSC_PARTIAL;
	}
	*err = m->lacking;
	return err->status;
}

static enum gsc_status run(struct common *common, struct gsc_error *err)
{
	static const struct gsc_translation_options global;
	struct memory *m = (struct memory *)common;
	enum gsc_status status = read_words(m, err);

	if (!status)
		status = roots_check(&m->roots, common, err);
	if (!status)
		status = common_open(common, err);
	if (!status)
		status = gsc_translation_new(&m->global, common->gpu, &global, err);
	if (!status && (m->space == GSC_PPGTTMEM || m->space == GSC_SPACES))
		status = translation_open(&m->roots, &m->process, err);
	/* The source has no tables of a process. */
	if (!status && m->process && gsc_translation_root(m->process)->mode == GSC_MODE_GGTT) {
		gsc_translation_free(m->process);
		m->process = NULL;
	}
	if (!status)
		status = output_open(common, true, err);
	if (!status)
		status = show(m, err);
	gsc_translation_free(m->global);
	gsc_translation_free(m->process);
	return status;
}

const struct command memory_command = {
	.name = SHELL_NAME,
	.purpose = "show memory, in the units and formats of gdb",
	.size = sizeof(struct memory),
	.run = run,
	.usage = usage,
	.options = options,
	.option_count = ARRAY_SIZE(options),
	.rules = rules,
	.rule_count = ARRAY_SIZE(rules),
};
