/* SPDX-License-Identifier: MIT */
/* gpu-snap info: what is in a capture, or in another dump. */
#include "snap.h"
#include "db/words.h"
#include "open/open.h"
#include "util/text.h"

#define TEXT 13

/* What a source holds of one address space, all parts together. */
struct space {
	size_t pieces[GSC_READS];
	uint64_t bytes[GSC_READS];
};

/*
 * What a capture says that it lacks is no piece: another source may hold it. A line of the member
 * SPACE/status is "0xSTART 0xLENGTH WORD".
 */
static void count_lacking(const struct gsc_source *source, struct space spaces[GSC_SPACES])
{
	const char *absent = gsc_read_word(GSC_READ_ABSENT);
	struct gsc_member member;

	for (size_t part = 0; part < gsc_source_count(source); part++) {
		if (gsc_source_form(source, part) != GSC_SOURCE_CAPTURE)
			continue;
		member = (struct gsc_member){ .next = 0 };
		while (gsc_capture_member(source, part, &member)) {
			size_t length = strcspn(member.name, "/");
			struct slice text, line;
			uint64_t *bytes, from, more;
			enum gsc_space space;

			if (!member.data || strcmp(member.name + length, "/status") ||
			    !gsc_space_by_name(member.name, length, &space))
				continue;
			bytes = &spaces[space].bytes[GSC_READ_ABSENT];
			text = slice_of(member.data, (size_t)member.held);
			for (; text.at < text.end; text.at += text.at < text.end) {
				line = take_until(&text, "\n");
				if (!slice_number(take_word(&line), &from) ||
				    !slice_number(take_word(&line), &more) ||
				    !slice_is(take_word(&line), absent) ||
				    more > UINT64_MAX - *bytes)
					continue;
				spaces[space].pieces[GSC_READ_ABSENT]++;
				*bytes += more;
			}
		}
	}
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_styled(struct gsc_out *out, const char *label)
{
	gsc_out_style(out, GSC_STYLE_CYAN);
	gsc_out_clean(out, label);
	gsc_out_style(out, GSC_STYLE_PLAIN);
}

static void put_label(struct gsc_out *out, const char *label)
{
	put_styled(out, label);
	gsc_out_pad(out, TEXT);
}

static void put_line(struct gsc_out *out, const char *label, const char *text)
{
	put_label(out, label);
	gsc_out_clean(out, text);
	gsc_out_end(out);
}

static void put_identity(const struct common *common)
{
	struct gsc_out *out = common->out;

	for (size_t i = 0; i < gsc_source_count(common->source); i++) {
		put_label(out, i ? "" : "source");
		gsc_out_clean(out, gsc_source_name(common->source, i));
		gsc_out_line(out, " (%s)", gsc_source_kind(common->source, i));
	}
	put_label(out, "platform");
	if (common->gpu)
		gsc_out_format(out, "%s, %s", platform_of(common)->name,
			       platform_of(common)->title);
	else
		gsc_out_text(out, "not known");
	gsc_out_end(out);
	if (common->device >= 0) {
		put_label(out, "device");
		gsc_out_format(out, "0x%04x", (unsigned)common->device);
		if (common->revision >= 0)
			gsc_out_format(out, ", revision 0x%02x", (unsigned)common->revision);
		gsc_out_end(out);
	}
}

/* A capture says about itself that it is redacted, and what it could not or should not contain. */
static bool next_of(const struct common *common, size_t *part, size_t *i, const char *key,
		    struct gsc_property *property)
{
	for (; *part < gsc_source_count(common->source); ++*part, *i = 0)
		while (gsc_source_property(common->source, *part, (*i)++, property))
			if (!strcmp(property->key, key))
				return true;
	return false;
}

/* A driver's dump has hundreds of properties: most of them are for -v, as are files of sysfs. */
#define PROPERTIES_SHOWN 48

static void put_properties(const struct common *common)
{
	struct gsc_property property;
	size_t count = 0, more = 0;

	for (size_t part = 0; part < gsc_source_count(common->source); part++)
		for (size_t i = 0; gsc_source_property(common->source, part, i, &property); i++) {
			if (!strcmp(property.key, "platform") || !strcmp(property.key, "device") ||
			    !strcmp(property.key, "revision"))
				continue;
			if (common->verbose || (strcmp(property.key, "sysfs") &&
						count++ < PROPERTIES_SHOWN))
				put_line(common->out, property.key, property.value);
			else
				more++;
		}
	if (more) {
		put_label(common->out, "and");
		gsc_out_line(common->out, "%zu more (-v lists them)", more);
	}
}

static void put_space(struct gsc_out *out, enum gsc_space space, const struct space *held)
{
	const char *between = NULL;

	for (unsigned status = 0; status < GSC_READS; status++) {
		if (!held->pieces[status])
			continue;
		if (!between) {
			gsc_out_pad(out, 2);
			gsc_out_text(out, gsc_space_name(space));
			gsc_out_pad(out, TEXT);
			between = "";
		}
		gsc_out_format(out, "%s%llu bytes", between, LL(held->bytes[status]));
		if (status != GSC_READ_OK)
			gsc_out_format(out, " %s", gsc_read_word((enum gsc_read)status));
		gsc_out_format(out, " in %zu %s", held->pieces[status],
			       held->pieces[status] == 1 ? "piece" : "pieces");
		between = ", ";
	}
	if (between)
		gsc_out_end(out);
}

/* Thousands of members are for -v. */
#define MEMBERS_SHOWN 40

static void put_members(const struct common *common)
{
	struct gsc_out *out = common->out;
	struct gsc_member member;
	size_t all = 0;

	for (size_t part = 0; part < gsc_source_count(common->source); part++) {
		member = (struct gsc_member){ .next = 0 };
		while (gsc_capture_member(common->source, part, &member))
			all++;
	}
	if (all > MEMBERS_SHOWN && !common->verbose) {
		put_label(out, "members");
		gsc_out_line(out, "%zu (-v lists them)", all);
		return;
	}
	for (size_t part = 0; part < gsc_source_count(common->source); part++) {
		size_t count = 0;

		member = (struct gsc_member){ .next = 0 };
		while (gsc_capture_member(common->source, part, &member)) {
			if (!count++) {
				put_styled(out, "members");
				gsc_out_end(out);
			}
			gsc_out_format(out, "%12llu  ", LL(member.size));
			gsc_out_clean(out, member.name);
			if (member.held < member.size)
				gsc_out_format(out, "  truncated: only %llu are present",
					       LL(member.held));
			gsc_out_end(out);
		}
	}
}

static void print_text(const struct common *common, const struct space spaces[GSC_SPACES])
{
	struct gsc_out *out = common->out;
	const char *note;

	put_identity(common);
	put_properties(common);
	put_styled(out, "holds");
	gsc_out_end(out);
	for (int space = 0; space < GSC_SPACES; space++)
		put_space(out, (enum gsc_space)space, &spaces[space]);
	put_members(common);
	for (size_t i = 0; (note = gsc_source_note(common->source, i)); i++)
		put_line(out, i ? "" : "damage", note);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

KEYS(property)
static void json_property(struct gsc_json *json, const struct gsc_property *property)
{
	KEY(text, "name", property->key);
	KEY(text, "text", property->value);
}

KEYS(counted)
static void json_space(struct gsc_json *json, const struct space *held, int space, unsigned status)
{
	KEY(text, "space", gsc_space_name((enum gsc_space)space), ONE_OF(gsc_space_name));
	KEY(text, "status", gsc_read_word((enum gsc_read)status), ONE_OF(gsc_read_word));
	KEY(number, "pieces", held->pieces[status]);
	KEY(number, "bytes", held->bytes[status]);
}

KEYS(member)
static void json_member(struct gsc_json *json, const struct gsc_member *member)
{
	KEY(text, "name", member->name);
	KEY(number, "size", member->size);
	KEY(number, "held", member->held);
}

KEYS(piece)
static void json_piece(struct gsc_json *json, const struct gsc_piece *piece)
{
	KEY(text, "space", gsc_space_name(piece->space), ONE_OF(gsc_space_name));
	KEY(hex, "start", piece->start);
	KEY(number, "length", piece->length);
	KEY(text, "status", gsc_read_word(piece->status), ONE_OF(gsc_read_word));
}

SCHEMA(snap, SNAP_SCHEMA, "gpu-snap info --json",
       "One document. With --ndjson the first line is the document without pieces, and each "
       "further line one of them.", FORMS(info, firmwareFile))

KEYS(info)
static void print_json(const struct common *common, const struct space spaces[GSC_SPACES])
{
	const struct gsc_source *source = common->source;
	struct gsc_json document, *json = &document;
	size_t count = gsc_source_count(source), at = 0, next = 0;
	struct gsc_member member = { .next = 0 };
	struct gsc_property property;
	struct gsc_piece piece;
	const char *note;

	source_document(common, SNAP_SCHEMA, json);
	KEY_OR_NULL(common->revision >= 0, hex, "revision", (uint64_t)common->revision,
		    "PCI revision.");
	KEY_EACH(text, "kinds", for (size_t i = 0; i < count; i++), gsc_source_kind(source, i),
		 "What each source was recognised as.");
	KEY(flag, "redacted", next_of(common, &at, &next, "redacted", &property),
	    "It is a capture without memory and names.");
	at = next = 0;
	KEY_EACH(text, "left_out", while (next_of(common, &at, &next, "left-out", &property)),
		 property.value, "What it could not have, or was not to have, and why.");
	KEY_ARRAY("properties", OF(property), "What a capture or a driver's dump says of itself.");
	for (size_t part = 0; part < count; part++)
		for (size_t i = 0; gsc_source_property(source, part, i, &property); i++)
			ITEM(json_property(json, &property));
	gsc_json_array_end(json);
	KEY_ARRAY("spaces", OF(counted), "The pieces, counted by address space and status.");
	for (int space = 0; space < GSC_SPACES; space++)
		for (unsigned status = 0; status < GSC_READS; status++)
			if (spaces[space].pieces[status])
				ITEM(json_space(json, &spaces[space], space, status));
	gsc_json_array_end(json);
	KEY_ARRAY("members", OF(member), "The files of the archive, or the logs inside of a dump; "
		  "held is less than size where it is cut.");
	for (size_t part = 0; part < count; part++)
		for (member.next = 0; gsc_capture_member(source, part, &member);)
			ITEM(json_member(json, &member));
	gsc_json_array_end(json);
	KEY_EACH(text, "damage", for (size_t i = 0; (note = gsc_source_note(source, i)); i++),
		 note);
	KEY_LIST("pieces", OF(piece), "Stretches of an address space; one with another status than "
		 "ok has no bytes.");
	for (size_t part = 0; part < count; part++)
		for (size_t i = 0; gsc_source_piece(source, part, i, &piece); i++)
			ITEM(json_piece(json, &piece));
	gsc_json_finish(json);
}

enum gsc_status info_run(struct common *common, struct gsc_error *err)
{
	struct space spaces[GSC_SPACES] = { 0 };
	bool json = wants_json(common);
	struct gsc_piece piece;
	enum gsc_status status;

	common->rereads = true;
	status = common_source(common, true, err);
	if (status)
		return status == GSC_FAILED && common->from.count == 1
		       ? firmware_info(common, common->from.items[0], err) : status;
	common->device = gsc_source_device(common->source);
	common->revision = gsc_source_revision(common->source);
	if (gsc_source_platform(common->source) >= 0)
		status = common_gpu(common, common->source, err);
	if (!status)
		status = output_open(common, !json, err);
	if (status)
		return status;
	for (size_t part = 0; part < gsc_source_count(common->source); part++)
		for (size_t i = 0; gsc_source_piece(common->source, part, i, &piece); i++) {
			spaces[piece.space].pieces[piece.status]++;
			spaces[piece.space].bytes[piece.status] += piece.length;
		}
	count_lacking(common->source, spaces);
	(json ? print_json : print_text)(common, spaces);
	return complain_damage(common, common->source);
}
