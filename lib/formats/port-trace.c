/* SPDX-License-Identifier: MIT */
/*
 * A trace of a video BIOS's port accesses, "CS:IP W32 port: 0cf8 data: 80001000". The ports lead to
 * PCI config space (mechanism #1: 0xcf8, 0xcfc) and, by the index and data pair at the device's
 * I/O BAR, to its registers and GGTT entries. Numbers are hexadecimal.
 */
#include "text/lines.h"
#include "source/source.h"
#include "formats/values.h"
#include "util/number.h"

#define CONFIG_INDEX 0xcf8
#define CONFIG_DATA 0xcfc
#define DEVICE_00_00_0 0x80000000	/* enable, bus 0, device 0: the host bridge */
#define DEVICE_00_02_0 0x80001000
#define IO_BAR 0x20
#define GGC 0x50

struct access {
	bool write;
	unsigned size, port;
	uint64_t data;
};

struct machine {
	struct part *part;
	value_vec values;
	uint32_t config_index;		/* last written to 0xcf8 */
	uint32_t io_base;		/* of the index and data pair; 0 while unknown */
	uint32_t index;			/* last written to it */
};

static bool take_word(const struct lines *line, size_t *at, const char **word, size_t *length)
{
	size_t start = *at;

	while (start < line->length && is_blank(line->text[start]))
		start++;
	*at = start;
	while (*at < line->length && !is_blank(line->text[*at]))
		++*at;
	*word = line->text + start;
	*length = *at - start;
	return *length > 0;
}

static bool take_literal(const struct lines *line, size_t *at, const char *literal)
{
	const char *word;
	size_t length;

	return take_word(line, at, &word, &length) && length == strlen(literal) &&
	       !memcmp(word, literal, length);
}

static bool take_hex(const struct lines *line, size_t *at, uint64_t most, uint64_t *value)
{
	const char *word;
	size_t length;

	return take_word(line, at, &word, &length) && number_parse_hex(word, length, value) &&
	       *value <= most;
}

/* "R8", "W16", ... */
static bool parse_kind(const char *word, size_t length, struct access *a)
{
	static const char *const sizes[] = { "8", "16", "32" };

	if (length < 2 || (word[0] != 'R' && word[0] != 'W'))
		return false;
	a->write = word[0] == 'W';
	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++) {
		a->size = 1u << i;
		if (length - 1 == strlen(sizes[i]) && !memcmp(word + 1, sizes[i], length - 1))
			return true;
	}
	return false;
}

static bool parse_access(const struct lines *line, struct access *a)
{
	size_t at = 0, length;
	const char *word;
	uint64_t port;

	if (!take_word(line, &at, &word, &length) || !memchr(word, ':', length) ||
	    !take_word(line, &at, &word, &length) || !parse_kind(word, length, a) ||
	    !take_literal(line, &at, "port:") || !take_hex(line, &at, UINT16_MAX, &port) ||
	    !take_literal(line, &at, "data:") || !take_hex(line, &at, UINT32_MAX, &a->data))
		return false;
	a->port = (unsigned)port;
	return true;
}

/* What was read or written at 00:02.0; its I/O BAR tells where the index and data pair is. */
static bool config_access(struct machine *m, const struct access *a)
{
	uint32_t offset = (m->config_index & 0xfc) | (a->port & 3);
	uint32_t device = m->config_index & ~UINT32_C(0xff);

	/* The graphics device's GGC mirrors the host bridge's. */
	if (device != DEVICE_00_02_0 && (device != DEVICE_00_00_0 || offset != GGC))
		return true;
	if (offset == IO_BAR && a->size >= 2 && (a->data & 1))
		m->io_base = (uint32_t)a->data & 0xfffc;
	if (offset == 0 && a->size == 4 && (a->data & 0xffff) == 0x8086)
		m->part->pci_device = (int)(a->data >> 16);
	if (offset == 2 && a->size == 2)
		m->part->pci_device = (int)a->data;
	return values_add(&m->values, GSC_CONFIG, offset, a->size, GSC_READ_OK, a->data);
}

/* Index bit 0 chooses: 0 a register, 1 a GGTT entry, both by their byte offset. */
static bool indexed_access(struct machine *m, const struct access *a)
{
	enum gsc_space space = m->index & 1 ? GSC_GGTT : GSC_MMIO;

	return values_add(&m->values, space, m->index & ~UINT32_C(3), a->size, GSC_READ_OK,
			  a->data);
}

static bool take_access(struct machine *m, const struct access *a)
{
	if (a->port == CONFIG_INDEX && a->size == 4) {
		if (a->write)
			m->config_index = (uint32_t)a->data;
		return true;
	}
	if ((a->port & ~3u) == CONFIG_DATA)
		return config_access(m, a);
	if (m->io_base && a->port == m->io_base) {
		if (a->write)
			m->index = (uint32_t)a->data;
		return true;
	}
	if (m->io_base && a->port == m->io_base + 4)
		return indexed_access(m, a);
	/* Reading and writing an I/O port may be two registers. */
	return a->write || values_add(&m->values, GSC_IO, a->port, a->size, GSC_READ_OK, a->data);
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct lines line = { .data = part->blob.data, .size = part->blob.size };
	struct machine m = { .part = part };
	struct access a;
	size_t other = 0, first = 0;
	bool done = true;

	while (done && lines_next(&line)) {
		if (parse_access(&line, &a))
			done = take_access(&m, &a);
		else if (line.length && !other++)
			first = line.number;
	}
	done = done && values_store(&m.values, part);
	vec_free(&m.values);
	if (!done)
		return err_memory(err);
	if (other)
		source_note(source, "%s: line %zu: no port access (%zu such)", part->blob.name,
			    first, other);
	return GSC_OK;
}

static unsigned score(const uint8_t *data, size_t size)
{
	struct lines line = { .data = data, .size = size };
	struct access a;

	if (!bytes_are_text(data, size))
		return 0;
	while (lines_next(&line))
		if (parse_access(&line, &a))
			return 80;
	return 0;
}

const struct reader reader_port_trace = { "port trace", GSC_SOURCE_PORT_TRACE, score, load };
