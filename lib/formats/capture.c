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
 *				sideband register N is at 4 * N.
 *	SPACE/status		text: "0xSTART 0xLENGTH WORD" lines, WORD being asleep, denied,
 *				skipped, all-ones or absent: there are no valid bytes, whatever a
 *				.bin has there.
 *	SPACE/listed		text: "0xSTART 0xLENGTH UNIT NAME" lines: what a text listed,
 *				values of UNIT bytes, and its name, which may be missing.
 *	dump/NAME		an error state, core dump, trace or VT-d text that the capture was
 *				made of: a part of the source after it (inside.c).
 *	stored/NAME		what the kernel had kept of a hang (gsc_stored()).
 *	driver/gtN/uc/NAME	what its driver says of the GuC (gsc_guc_file()).
 *	kernel/log		text: lines of its log.
 *	kernel/vmcoreinfo	text: where its page tables and symbols are, if phys/ has what
 *				its drivers know (inside.c).
 *
 * A later .bin overrides an earlier one, and a later info replaces an earlier one. Other members
 * are ignored.
 */
#include "formats/readers.h"
#include "formats/capture.h"

#include "db/words.h"
#include "text/lines.h"
#include "util/number.h"

struct loading {
	struct gsc_source *source;
	struct part *part;
	size_t infos, info_at;		/* how many, and where the bytes of the last begin */
	size_t sparse, sparse_at;	/* members that are not read: how many, and the first */
};

static void take_number(struct slice text, uint64_t most, int *out)
{
	uint64_t value;

	if (slice_number(text, &value) && value <= most)
		*out = (int)value;
}

static enum gsc_status load_info(struct loading *l, const struct tar_member *member,
				 struct gsc_error *err)
{
	struct lines line = { .data = member->data, .size = member->held };
	struct part *part = l->part;
	char name[64];
	int format = 0;

	if (member->at != l->info_at)
		return GSC_OK;
	while (lines_next(&line)) {
		const char *colon = slice_char(line.text, ':');
		struct slice key, value;

		if (!colon)
			continue;
		key = slice_trim((struct slice){ line.text.at, colon });
		value = slice_trim((struct slice){ colon + 1, line.text.end });
		if (!part_property(part, slice_string(""), key, value))
			return err_memory(err);
		if (slice_is(key, "format"))
			take_number(value, INT32_MAX, &format);
		else if (slice_is(key, "device"))
			take_number(value, UINT16_MAX, &part->pci_device);
		else if (slice_is(key, "revision"))
			take_number(value, UINT8_MAX, &part->revision);
		else if (slice_is(key, "iommu"))
			part->iommu = slice_is(value, CAPTURE_IOMMU);
		else if (slice_is(key, "redacted"))
			part->redacted = true;
		else if (slice_is(key, CAPTURE_DAMAGE))
			source_note(l->source, "%.*s", SLICE(slice_first(value, 500)));
		else if (slice_is(key, "platform") && slice_copy(value, name, sizeof(name)))
			part_set_platform(l->source, part, name);
	}
	if (format == CAPTURE_FORMAT)
		return GSC_OK;
	if (!format)
		return err_set(err, GSC_FAILED, part->blob.name,
			       "a capture of unknown format: %s has no `format` line",
			       CAPTURE_INFO);
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

bool capture_owns(const char *name)
{
	enum gsc_space space;
	uint64_t address;
	const char *rest = split_space(name, &space);

	return !strcmp(name, CAPTURE_INFO) || !strcmp(name, CAPTURE_VMCOREINFO) ||
	       (rest && (!strcmp(rest, "status") || !strcmp(rest, "listed") ||
			 parse_bin(rest, &address)));
}

/* "0xSTART 0xLENGTH UNIT NAME", with a readable size of each value. */
static bool parse_listed(struct slice line, enum gsc_space space, struct listed *listed)
{
	uint64_t unit = 0;

	if (!slice_hex(take_word(&line), &listed->address) ||
	    !slice_hex(take_word(&line), &listed->length) ||
	    !slice_number(take_word(&line), &unit) ||
	    !range_fits(listed->address, listed->length) || !space_has_registers(space) ||
	    (unit != 1 && unit != 2 && unit != 4 && unit != 8))
		return false;
	listed->unit = (uint8_t)unit;
	listed->row = listed->length != unit;
	if (listed->row && (!row_fits(space, listed->address, listed->unit) || !listed->length ||
			    listed->length % unit))
		return false;
	take_blanks(&line);
	listed->name = line.at < line.end ? line.at : NULL;
	listed->name_length = (uint16_t)MIN(slice_length(line), (size_t)UINT16_MAX);
	return true;
}

/* "0xSTART 0xLENGTH WORD" */
static bool parse_status(struct slice line, struct piece *piece)
{
	struct slice word;

	if (!slice_hex(take_word(&line), &piece->start) ||
	    !slice_hex(take_word(&line), &piece->length))
		return false;
	word = take_word(&line);
	return read_by_word(word.at, slice_length(word), &piece->status) &&
	       piece->status != GSC_READ_OK && range_fits(piece->start, piece->length);
}

/* The lines of "SPACE/listed", or of "SPACE/status". */
static enum gsc_status load_lines(struct loading *l, const struct tar_member *member,
				  enum gsc_space space, bool statuses, struct gsc_error *err)
{
	struct lines line = { .data = member->data, .size = member->held };
	bool done = true;

	while (done && lines_next(&line)) {
		struct listed listed = { .space = (uint8_t)space };
		struct piece piece;

		if (line.text.at == line.text.end)
			continue;
		if (statuses ? !parse_status(line.text, &piece)
			     : !parse_listed(line.text, space, &listed)) {
			source_note(l->source, "%s: %s: line %zu does not %s a range, at byte %zu",
				    l->part->blob.name, member->name, line.number,
				    statuses ? "give the status of" : "describe",
				    member->at + line_start(&line));
		} else {
			done = statuses ? part_add_status(l->part, space, piece.start, piece.length,
							  piece.status)
					: vec_push(&l->part->listed, listed);
		}
	}
	return done ? GSC_OK : err_memory(err);
}

static enum gsc_status load_vmcoreinfo(struct part *part, const struct tar_member *member,
				       struct gsc_error *err)
{
	char *text = part_alloc(part, (size_t)member->held + 1);

	if (!text)
		return err_memory(err);
	memcpy(text, member->data, (size_t)member->held);
	text[member->held] = 0;
	part->vmcoreinfo = text;
	return GSC_OK;
}

/* A member that is neither our text nor a piece may belong to another format: it is ignored. */
static enum gsc_status load_member(struct loading *l, const struct tar_member *member,
				   struct gsc_error *err)
{
	struct part *part = l->part;
	enum gsc_space space;
	uint64_t address;
	const char *rest;

	if (member->type == TAR_SPARSE && capture_owns(member->name) && !l->sparse++)
		l->sparse_at = member->at;
	if (member->type != '0')
		return GSC_OK;
	if (!strcmp(member->name, CAPTURE_INFO))
		return load_info(l, member, err);
	if (!strcmp(member->name, CAPTURE_VMCOREINFO))
		return load_vmcoreinfo(part, member, err);
	rest = split_space(member->name, &space);
	if (rest && !strcmp(rest, "listed"))
		return load_lines(l, member, space, false, err);
	if (!rest || !parse_bin(rest, &address))
		return GSC_OK;
	if (!range_fits(address, member->held)) {
		source_note(l->source, "%s: %s ends past the 64-bit address space, at byte %zu",
			    part->blob.name, member->name, member->at);
		return GSC_OK;
	}
	if (!part_add(part, space, address, member->held, member->data))
		return err_memory(err);
	if (space == GSC_CONFIG && !address && (part->pci_device < 0 || part->revision < 0))
		part_set_config(part, member->data, member->held);
	return GSC_OK;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct loading l = { .source = source, .part = part };
	struct tar_reader tar = { .data = part->blob.data, .size = part->blob.size };
	struct tar_reader infos = tar, statuses = tar;
	enum gsc_status status = GSC_OK;
	enum tar_result result;
	struct tar_member member;

	while (tar_next(&infos, &member) == TAR_MEMBER)
		if (member.type == '0' && !strcmp(member.name, CAPTURE_INFO)) {
			l.infos++;
			l.info_at = member.at;
		}
	if (l.infos > 1)
		source_note(source, "%s: %s occurs %zu times: the last counts, at byte %zu",
			    part->blob.name, CAPTURE_INFO, l.infos, l.info_at);
	while (!status && (result = tar_next(&tar, &member)) == TAR_MEMBER)
		status = load_member(&l, &member, err);
	/* Statuses override bytes, so they are a second pass. */
	while (!status && tar_next(&statuses, &member) == TAR_MEMBER) {
		enum gsc_space space;
		const char *rest = split_space(member.name, &space);

		if (member.type == '0' && rest && !strcmp(rest, "status"))
			status = load_lines(&l, &member, space, true, err);
	}
	if (status)
		return status;
	if (l.sparse)
		source_note(source, "%s: packed with tar --sparse: %zu files not read, the first "
				    "at byte %zu", part->blob.name,
			    l.sparse, l.sparse_at);
	if (!l.infos)
		return err_set(err, GSC_FAILED, part->blob.name,
			       "a tar archive, but not a gpuscope capture: it has no %s",
			       CAPTURE_INFO);
	if (result == TAR_BROKEN)
		source_note(source, "%s: the archive is truncated or damaged at byte %zu",
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
