/* SPDX-License-Identifier: MIT */
/* What the command run last printed, and its exit status. */
#include "script.h"

#include "definitions.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool check_status(struct session *s, char *rest)
{
	uint64_t want;

	if (!number(rest, &want))
		return fail(s, "status N");
	return (int)want == s->last.status || fail(s, "status %d", s->last.status);
}

/* The texts are equal except for the number of blanks between words. */
static bool begins(const char *line, const char *text)
{
	while (*text) {
		if (*text == ' ' && *line == ' ') {
			line += strspn(line, " ");
			text += strspn(text, " ");
		} else if (*text++ != *line++) {
			return false;
		}
	}
	return true;
}

static bool contains(const struct text *all, const char *text)
{
	for (size_t i = 0; i < all->length; i++)
		if (begins(all->bytes + i, text))
			return true;
	return false;
}

static bool check_out(struct session *s, char *rest)
{
	return contains(&s->last.out, rest) || fail(s, "not in stdout");
}

static bool check_not_out(struct session *s, char *rest)
{
	return !contains(&s->last.out, rest) || fail(s, "in stdout");
}

static bool check_err(struct session *s, char *rest)
{
	return contains(&s->last.err, rest) || fail(s, "not in stderr");
}

static bool check_not_err(struct session *s, char *rest)
{
	return !contains(&s->last.err, rest) || fail(s, "in stderr");
}

static bool check_silent(struct session *s, char *rest)
{
	const struct text *text = strcmp(rest, "err") ? &s->last.out : &s->last.err;

	if (strcmp(rest, "out") && strcmp(rest, "err"))
		return fail(s, "silent out, or silent err");
	return !text->length || fail(s, "not empty");
}

/* reg OFFSET VALUE: what the model holds */
static bool check_reg(struct session *s, char *rest)
{
	uint64_t offset, value;

	if (!number(word(&rest), &offset) || !number(word(&rest), &value) ||
	    offset >= first_gpu(s)->platform->bar0_size)
		return fail(s, "reg OFFSET VALUE");
	return first_gpu(s)->bar0[offset / 4] == value ||
	       fail(s, "the model holds 0x%x", first_gpu(s)->bar0[offset / 4]);
}

/* ---- against the hardware ------------------------------------------------------------------- */

/* A number as wide as it is written, or the lower half of one that is wider than a load. */
static bool same_value(uint64_t loaded, unsigned shift, const char *text)
{
	size_t bits = 4 * (strlen(text) - 2);
	uint64_t mask = bits < 32 ? (1ull << bits) - 1 : UINT32_MAX;

	return ((loaded >> shift) & mask) == (strtoull(text, NULL, 16) & mask);
}

/*
 * Whether the command read that value there; it does not read sleeping registers at all, unless
 * wells are lost while it reads.
 */
static bool was_read(struct session *s, uint64_t offset, const char *value)
{
	bool asleep = !strcmp(value, "asleep"), lost = first_gpu(s)->lose_every;

	if (asleep && !register_domains(first_gpu(s), offset & ~3u))
		return false;
	for (size_t i = s->machine.log.mark; i < s->machine.log.count; i++) {
		const struct access *a = &s->machine.log.items[i];

		if (a->write || a->space != SPACE_BAR0 || a->offset != (offset & ~3ull))
			continue;
		if (asleep && !lost)
			return false;
		if ((!a->note || strcmp(a->note, "asleep")) &&
		    same_value(a->value, offset % 4 * 8, value))
			return true;
	}
	return asleep;
}

/*
 * Lines "0xOFFSET VALUE ..." of gpu-regdump -q: each value is what the hardware returned, none is
 * from a sleeping register, and what is called asleep can sleep and was not read.
 */
static bool check_honest(struct session *s, char *rest)
{
	const char *line = s->last.out.bytes;
	uint64_t offset;
	size_t seen = 0;
	char value[32];

	(void)rest;
	for (; *line; line += strcspn(line, "\n"), line += *line != 0) {
		if (sscanf(line, "0x%" SCNx64 " %31s", &offset, value) != 2)
			continue;
		if (strncmp(value, "0x", 2) && strcmp(value, "asleep"))
			continue;
		if (!was_read(s, offset, value))
			return fail(s, "0x%" PRIx64 " did not give %s", offset, value);
		seen++;
	}
	return seen || fail(s, "no register that was read in stdout");
}

static bool same_entries(struct session *s, uint32_t first, uint32_t last, uint64_t value)
{
	for (uint32_t i = first; i <= last; i++)
		if (i >= ggtt_entries(first_gpu(s)) || ggtt_entry(first_gpu(s), i) != value)
			return fail(s, "entry %u does not hold 0x%" PRIx64, i, value);
	return true;
}

/* ggtt N: lines "FIRST-LAST VALUE" of vm-probe ggtt, N entries at least, as the model holds them */
static bool check_ggtt(struct session *s, char *rest)
{
	const char *line = s->last.out.bytes;
	uint64_t want, value, seen = 0;
	uint32_t first, last;

	if (!number(rest, &want) || !want)
		return fail(s, "ggtt N");
	for (; *line; line += strcspn(line, "\n"), line += *line != 0) {
		if (sscanf(line, "%" SCNu32 "-%" SCNu32 " 0x%" SCNx64, &first, &last, &value) != 3)
			return fail(s, "no entries: %.40s", line);
		if (!same_entries(s, first, last, value))
			return false;
		seen += last - first + 1;
	}
	return seen >= want || fail(s, "only %" PRIu64 " entries", seen);
}

/* The forcewake domain of every register, by the definitions and by the driver's tables. */
static bool check_domains(struct session *s, char *rest)
{
	unsigned count = domains_compare(first_gpu(s), s->db, stdout);

	(void)rest;
	return !count || fail(s, "%u registers in another domain", count);
}

/*
 * Memory at an address; at *OFFSET, the page whose address a register of the model holds; at
 * @OFFSET, where the GGTT has the page whose graphics address it holds.
 */
static const uint8_t *bytes_at(struct session *s, const char *text, unsigned size)
{
	bool indirect = text && (*text == '*' || *text == '@');
	uint64_t address;

	if (!text || !number(text + indirect, &address))
		return NULL;
	if (!indirect)
		return memory_at(first_gpu(s), address, size);
	if (address >= first_gpu(s)->platform->bar0_size)
		return NULL;
	address = first_gpu(s)->bar0[address / 4] & ~4095u;
	return *text == '*' ? memory_at(first_gpu(s), address, size)
			    : graphics_at(first_gpu(s), (uint32_t)address, size);
}

/* memory ADDRESS SIZE: stdout is the number that memory holds there */
static bool check_memory(struct session *s, char *rest)
{
	char *address = word(&rest), text[32];
	uint64_t size, held = 0;
	const uint8_t *bytes;

	if (!number(word(&rest), &size) || !size || size > 8)
		return fail(s, "memory ADDRESS SIZE");
	bytes = bytes_at(s, address, (unsigned)size);
	if (!bytes)
		return fail(s, "the machine has no such memory");
	memcpy(&held, bytes, size);
	snprintf(text, sizeof(text), "0x%" PRIx64 "\n", held);
	return !strcmp(s->last.out.bytes, text) ||
	       fail(s, "memory holds 0x%" PRIx64, held);
}

const struct directive printed_checks[] = {
	{ "status", check_status },
	{ "out", check_out },
	{ "no-out", check_not_out },
	{ "err", check_err },
	{ "no-err", check_not_err },
	{ "silent", check_silent },
	{ "reg", check_reg },
	{ "honest", check_honest },
	{ "ggtt", check_ggtt },
	{ "memory", check_memory },
	{ "domains", check_domains },
	{ 0 },
};
