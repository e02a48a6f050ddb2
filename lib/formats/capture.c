/* SPDX-License-Identifier: MIT */
/*
 * A gpuscope capture, format 1: a ustar archive that `tar` opens, as it is or compressed.
 *
 *	gpuscope/info		text, first: "key: value" lines. format (1; another is refused),
 *				platform, device (0x1912), revision (0x06), iommu, damage, first
 *				(capture.h); for people: driver, kernel, created, tool, ... Unknown
 *				keys are no error.
 *	SPACE/0xADDRESS.bin	bytes of an address space from ADDRESS (hexadecimal) on. SPACE is
 *				mmio, config, io, ggtt, phys, lmem, gttmem, ppgttmem, vga-sr, ...;
 *				of the sideband register N is at 4 * N.
 *	SPACE/status		text: "0xSTART 0xLENGTH WORD" lines, WORD being asleep, denied,
 *				skipped, all-ones or absent: there are no valid bytes, whatever a
 *				.bin has there.
 *	SPACE/listed		text: "0xSTART 0xLENGTH UNIT NAME" lines: what a text had a line
 *				for, values of UNIT bytes, and its name, which may be missing.
 *	dump/NAME		an error state, core dump, trace or VT-d text that the capture was
 *				made of: a part of the source behind it (inside.c).
 *	stored/NAME		what the kernel had kept of a hang (gsc_stored()).
 *	kernel/log		text: lines of its log.
 *
 * A later .bin lies over an earlier one, and a later info replaces an earlier one. Other members
 * are left alone.
 */
#include "formats/capture.h"

#include "db/words.h"
#include "text/lines.h"
#include "source/source.h"
#include "util/number.h"

struct loading {
	struct gsc_source *source;
	struct part *part;
	size_t infos, info_at;		/* how many, and where the bytes of the last begin */
	size_t sparse, sparse_at;	/* members that are not read: how many, and the first */
};

/* A whole part is one "key" of "key: value". */
static void trim(const char **text, size_t *length)
{
	while (*length && is_blank(**text)) {
		++*text;
		--*length;
	}
	while (*length && (is_blank((*text)[*length - 1]) || (*text)[*length - 1] == '\r'))
		--*length;
}

static bool capture_info_next(const char **text, size_t *length, struct capture_line *line)
{
	while (*length) {
		const char *end = memchr(*text, '\n', *length), *start = *text, *colon;
		size_t size = end ? (size_t)(end - start) : *length;

		*text += size + (end != NULL);
		*length -= size + (end != NULL);
		colon = memchr(start, ':', size);
		if (!colon)
			continue;
		line->key = start;
		line->key_length = (size_t)(colon - start);
		line->value = colon + 1;
		line->value_length = size - line->key_length - 1;
		trim(&line->key, &line->key_length);
		trim(&line->value, &line->value_length);
		return true;
	}
	return false;
}

static bool capture_line_is(const struct capture_line *line, const char *key)
{
	return line->key_length == strlen(key) && !memcmp(line->key, key, line->key_length);
}

static void take_number(const struct capture_line *line, uint64_t most, int *out)
{
	uint64_t value;

	if (number_parse(line->value, line->value_length, &value) && value <= most)
		*out = (int)value;
}

/* Someone who asks for line after line is not to begin at the first each time. */
static bool mark_lines(struct info *info)
{
	const char *text = info->text;
	size_t length = info->length;
	struct capture_line line;

	for (size_t i = 0; length; i++) {
		if (i % INFO_STEP == 0) {
			size_t *mark = vec_add(&info->marks);

			if (!mark)
				return false;
			*mark = info->length - length;
		}
		if (!capture_info_next(&text, &length, &line))
			break;
	}
	return true;
}

bool capture_info_at(const struct info *info, size_t i, struct capture_line *line)
{
	const char *text;
	size_t length;

	if (i / INFO_STEP >= info->marks.count)
		return false;
	text = info->text + info->marks.items[i / INFO_STEP];
	length = info->length - info->marks.items[i / INFO_STEP];
	for (i %= INFO_STEP; capture_info_next(&text, &length, line); i--)
		if (!i)
			return true;
	return false;
}

static enum gsc_status load_info(struct loading *l, const struct tar_member *member,
				 struct gsc_error *err)
{
	const char *text = (const char *)member->data;
	size_t length = member->held;
	struct capture_line line;
	struct part *part = l->part;
	char name[64];
	int format = 0;

	if (member->at != l->info_at)
		return GSC_OK;
	part->info.text = text;
	part->info.length = length;
	if (!mark_lines(&part->info))
		return err_memory(err);
	while (capture_info_next(&text, &length, &line)) {
		if (capture_line_is(&line, "format")) {
			take_number(&line, INT32_MAX, &format);
		} else if (capture_line_is(&line, "device")) {
			take_number(&line, UINT16_MAX, &part->pci_device);
		} else if (capture_line_is(&line, "revision")) {
			take_number(&line, UINT8_MAX, &part->revision);
		} else if (capture_line_is(&line, "iommu")) {
			part->iommu = line.value_length == sizeof(CAPTURE_IOMMU) - 1 &&
				      !memcmp(line.value, CAPTURE_IOMMU, line.value_length);
		} else if (capture_line_is(&line, "redacted")) {
			part->redacted = true;
		} else if (capture_line_is(&line, CAPTURE_DAMAGE)) {
			source_note(l->source, "%.*s", (int)MIN(line.value_length, (size_t)500),
				    line.value);
		} else if (capture_line_is(&line, "platform") && line.value_length < sizeof(name)) {
			memcpy(name, line.value, line.value_length);
			name[line.value_length] = 0;
			part_set_platform(l->source, part, name);
		}
	}
	if (format == CAPTURE_FORMAT)
		return GSC_OK;
	if (!format)
		return err_set(err, GSC_FAILED, part->blob.name, "a capture that does not say of "
			       "which format it is: %s has no key format", CAPTURE_INFO);
	return err_set(err, GSC_FAILED, part->blob.name,
		       "a capture of format %d; this version reads format %d", format,
		       CAPTURE_FORMAT);
}

/* The part of a member's name after "SPACE/". */
static const char *split_space(const char *name, enum gsc_space *space)
{
	const char *slash = strchr(name, '/');

	if (!slash || !gsc_space_by_name(name, (size_t)(slash - name), space))
		return NULL;
	return slash + 1;
}

static bool parse_bin(const char *rest, uint64_t *address)
{
	size_t length = strlen(rest);

	return length > 6 && !memcmp(rest, "0x", 2) && !strcmp(rest + length - 4, ".bin") &&
	       number_parse_hex(rest, length - 4, address);
}

static enum gsc_status load_piece(struct loading *l, const struct tar_member *member,
				  enum gsc_space space, uint64_t address, struct gsc_error *err)
{
	struct part *part = l->part;

	if (!range_fits(address, member->held)) {
		source_note(l->source, "%s: %s reaches past the 64-bit address space, at byte %zu",
			    part->blob.name, member->name, member->at);
		return GSC_OK;
	}
	if (!part_add(part, space, address, member->held, member->data))
		return err_memory(err);
	if (space == GSC_CONFIG && !address && (part->pci_device < 0 || part->revision < 0))
		part_set_config(part, member->data, member->held);
	return GSC_OK;
}

bool capture_owns(const char *name)
{
	enum gsc_space space;
	uint64_t address;
	const char *rest = split_space(name, &space);

	return !strcmp(name, CAPTURE_INFO) ||
	       (rest && (!strcmp(rest, "status") || !strcmp(rest, "listed") ||
			 parse_bin(rest, &address)));
}

static bool take_word(const char **text, const char *end, const char **word, size_t *length)
{
	while (*text < end && is_blank(**text))
		++*text;
	*word = *text;
	while (*text < end && !is_blank(**text))
		++*text;
	*length = (size_t)(*text - *word);
	return *length > 0;
}

/* "0xSTART 0xLENGTH UNIT NAME", each value of a size that can be read. */
static bool parse_listed(const struct lines *line, enum gsc_space space, struct listed *listed)
{
	const char *text = line->text, *end = text + line->length, *word;
	uint64_t unit = 0;
	size_t size;

	if (!take_word(&text, end, &word, &size) ||
	    !number_parse_hex(word, size, &listed->address) ||
	    !take_word(&text, end, &word, &size) ||
	    !number_parse_hex(word, size, &listed->length) ||
	    !take_word(&text, end, &word, &size) || !number_parse(word, size, &unit) ||
	    !range_fits(listed->address, listed->length) || !space_has_registers(space) ||
	    (unit != 1 && unit != 2 && unit != 4 && unit != 8))
		return false;
	listed->unit = (uint8_t)unit;
	listed->row = listed->length != unit;
	if (listed->row && (!row_fits(space, listed->address, listed->unit) || !listed->length ||
			    listed->length % unit))
		return false;
	while (text < end && is_blank(*text))
		text++;
	listed->name = text < end ? text : NULL;
	listed->name_length = (uint16_t)MIN((size_t)(end - text), (size_t)UINT16_MAX);
	return true;
}

static enum gsc_status load_listed(struct loading *l, const struct tar_member *member,
				   enum gsc_space space, struct gsc_error *err)
{
	struct lines line = { .data = member->data, .size = member->held };

	while (lines_next(&line)) {
		struct listed listed = { .space = (uint8_t)space }, *added;

		if (!line.length)
			continue;
		if (!parse_listed(&line, space, &listed)) {
			source_note(l->source, "%s: %s: line %zu lists nothing, at byte %zu",
				    l->part->blob.name, member->name, line.number,
				    member->at + (size_t)((const uint8_t *)line.text - line.data));
			continue;
		}
		added = vec_add(&l->part->listed);
		if (!added)
			return err_memory(err);
		*added = listed;
	}
	return GSC_OK;
}

/* A member that is neither text of ours nor a piece may be another format's: not our business. */
static enum gsc_status load_member(struct loading *l, const struct tar_member *member,
				   struct gsc_error *err)
{
	enum gsc_space space;
	uint64_t address;
	const char *rest;

	if (member->type == TAR_SPARSE && capture_owns(member->name) && !l->sparse++)
		l->sparse_at = member->at;
	if (member->type != '0')
		return GSC_OK;
	if (!strcmp(member->name, CAPTURE_INFO))
		return load_info(l, member, err);
	rest = split_space(member->name, &space);
	if (rest && parse_bin(rest, &address))
		return load_piece(l, member, space, address, err);
	if (rest && !strcmp(rest, "listed"))
		return load_listed(l, member, space, err);
	return GSC_OK;
}

/* "0xSTART 0xLENGTH WORD" */
static bool parse_status(const struct lines *line, uint64_t *start, uint64_t *length,
			 enum gsc_read *status)
{
	const char *text = line->text, *end = text + line->length, *word;
	size_t size;

	return take_word(&text, end, &word, &size) && number_parse_hex(word, size, start) &&
	       take_word(&text, end, &word, &size) && number_parse_hex(word, size, length) &&
	       take_word(&text, end, &word, &size) && read_by_word(word, size, status) &&
	       *status != GSC_READ_OK && range_fits(*start, *length);
}

static enum gsc_status load_status(struct loading *l, const struct tar_member *member,
				   enum gsc_space space, struct gsc_error *err)
{
	struct lines line = { .data = member->data, .size = member->held };

	while (lines_next(&line)) {
		uint64_t start, length;
		enum gsc_read status;

		if (!line.length)
			continue;
		if (!parse_status(&line, &start, &length, &status))
			source_note(l->source, "%s: %s: line %zu is no status, at byte %zu",
				    l->part->blob.name, member->name, line.number,
				    member->at + (size_t)((const uint8_t *)line.text - line.data));
		else if (!part_add_status(l->part, space, start, length, status))
			return err_memory(err);
	}
	return GSC_OK;
}

/* Statuses lie over bytes, so they are a second pass. */
static enum gsc_status load_statuses(struct loading *l, struct gsc_error *err)
{
	struct tar_reader tar = { .data = l->part->blob.data, .size = l->part->blob.size };
	struct tar_member member;
	enum gsc_status status = GSC_OK;

	while (!status && tar_next(&tar, &member) == TAR_MEMBER) {
		enum gsc_space space;
		const char *rest = split_space(member.name, &space);

		if (member.type == '0' && rest && !strcmp(rest, "status"))
			status = load_status(l, &member, space, err);
	}
	return status;
}

static void find_infos(struct loading *l)
{
	struct tar_reader tar = { .data = l->part->blob.data, .size = l->part->blob.size };
	struct tar_member member;

	while (tar_next(&tar, &member) == TAR_MEMBER)
		if (member.type == '0' && !strcmp(member.name, CAPTURE_INFO)) {
			l->infos++;
			l->info_at = member.at;
		}
	if (l->infos > 1)
		source_note(l->source, "%s: %s is there %zu times: the last counts, at byte %zu",
			    l->part->blob.name, CAPTURE_INFO, l->infos, l->info_at);
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct loading l = { .source = source, .part = part };
	struct tar_reader tar = { .data = part->blob.data, .size = part->blob.size };
	enum gsc_status status = GSC_OK;
	enum tar_result result;
	struct tar_member member;

	find_infos(&l);
	while (!status && (result = tar_next(&tar, &member)) == TAR_MEMBER)
		status = load_member(&l, &member, err);
	if (!status)
		status = load_statuses(&l, err);
	if (status)
		return status;
	if (l.sparse)
		source_note(source, "%s: packed without the holes in files, as by tar --sparse: "
			    "%zu of them not read, the first at byte %zu", part->blob.name,
			    l.sparse, l.sparse_at);
	if (!l.infos)
		return err_set(err, GSC_FAILED, part->blob.name,
			       "a tar archive, but no gpuscope capture: it has no %s",
			       CAPTURE_INFO);
	if (result == TAR_BROKEN)
		source_note(source, "%s: the archive breaks off or is damaged at byte %zu",
			    part->blob.name, tar.offset);
	return GSC_OK;
}

static unsigned score(const uint8_t *data, size_t size)
{
	struct tar_reader tar = { .data = data, .size = size };
	struct tar_member member;

	if (!tar_matches(data, size))
		return 0;
	while (tar_next(&tar, &member) == TAR_MEMBER)
		if (!strcmp(member.name, CAPTURE_INFO))
			return 100;
	return 20;
}

const struct reader reader_capture = { "gpuscope capture", GSC_SOURCE_CAPTURE, score, load };
