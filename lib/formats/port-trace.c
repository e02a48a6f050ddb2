/* SPDX-License-Identifier: MIT */
/*
 * A trace of a video BIOS's port accesses, "CS:IP W32 port: 0cf8 data: 80001000". The ports lead to
 * PCI config space (mechanism #1: 0xcf8, 0xcfc) and, through the index and data pair at the
 * device's I/O BAR, to its registers and GGTT entries. Numbers are hexadecimal.
 */
#include "formats/readers.h"
#include "text/lines.h"
#include "formats/values.h"

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

static bool take_number(struct slice *line, uint64_t most, uint64_t *value)
{
	return slice_hex(take_word(line), value) && *value <= most;
}

static bool parse_access(struct slice line, struct access *a)
{
	/* "R8", "W16", ... */
	static const char *const sizes[] = { "8", "16", "32" };
	uint64_t port;
	struct slice kind;

	if (!slice_char(take_word(&line), ':'))
		return false;
	kind = take_word(&line);
	a->write = slice_begins(kind, "W");
	a->size = 0;
	if (!take_text(&kind, "W") && !take_text(&kind, "R"))
		return false;
	for (unsigned i = 0; i < ARRAY_SIZE(sizes); i++)
		if (slice_is(kind, sizes[i]))
			a->size = 1u << i;
	if (!a->size || !slice_is(take_word(&line), "port:") ||
	    !take_number(&line, UINT16_MAX, &port) || !slice_is(take_word(&line), "data:") ||
	    !take_number(&line, UINT32_MAX, &a->data))
		return false;
	a->port = (unsigned)port;
	return true;
}

static bool take_access(struct machine *m, const struct access *a)
{
	uint32_t offset = (m->config_index & 0xfc) | (a->port & 3);
	uint32_t device = m->config_index & ~UINT32_C(0xff);

	if (a->port == CONFIG_INDEX && a->size == 4) {
		if (a->write)
			m->config_index = (uint32_t)a->data;
		return true;
	}
	/* What was read or written at 00:02.0; its I/O BAR says where index and data are. */
	if ((a->port & ~3u) == CONFIG_DATA) {
		/* The graphics device's GGC mirrors that of the host bridge. */
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
	if (m->io_base && a->port == m->io_base) {
		if (a->write)
			m->index = (uint32_t)a->data;
		return true;
	}
	if (m->io_base && a->port == m->io_base + 4)
		/* Index bit 0 selects: 0 a register, 1 a GGTT entry, both by their byte offset. */
		return values_add(&m->values, m->index & 1 ? GSC_GGTT : GSC_MMIO,
				  m->index & ~UINT32_C(3), a->size, GSC_READ_OK, a->data);
	/* Reading and writing an I/O port may reach two different registers. */
	return a->write || values_add(&m->values, GSC_IO, a->port, a->size, GSC_READ_OK, a->data);
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct lines line = { .data = part->blob.data, .size = part->blob.size };
	struct machine m = { .part = part };
	struct access a;
	struct left_out other = { 0 };
	bool done = true;

	while (done && lines_next(&line)) {
		if (parse_access(line.text, &a))
			done = take_access(&m, &a);
		else if (line.text.at < line.text.end)
			leave_out(&other, line.number);
	}
	note_left_out(source, part, &other, "not a port access");
	return values_end(&m.values, part, done, err);
}

static bool is_access(struct slice line)
{
	return parse_access(line, &(struct access){ .size = 0 });
}

static unsigned score(const uint8_t *data, size_t size)
{
	return any_line(data, size, is_access) ? 80 : 0;
}

const struct reader reader_port_trace = { "port trace", GSC_SOURCE_PORT_TRACE, score, load };
