/* SPDX-License-Identifier: MIT */
/*
 * Files of firmware: the header of a GuC or HuC (CSS), the directory (CPD) with the manifest of a
 * GSC or a newer HuC, the programs of a DMC, the partitions for a card's controller (FPT). Offsets
 * and counts are the file's: nothing is added that is not whole, and no directory is read twice.
 */
#include "image/image.h"

#include "source/part.h"
#include "util/text.h"

#define CSS_VERSION 0x10000u
#define CPD_MARKER 0x44504324u
#define FPT_MARKER 0x54504624u
#define BPDT_MARKER 0x55aau
#define DMC_MOST 32u			/* programs */
#define DMC_NONE 0xffffffffu
/* Until then versions had two numbers. Origin: linux-firmware, the last and first files of each. */
#define GUC_3_NUMBERS 0x20190301u
#define HUC_3_NUMBERS 0x20190701u

/* ---- what a file is -------------------------------------------------------------------------- */

enum form { FORM_NONE, FORM_CSS, FORM_DMC, FORM_CPD, FORM_FPT, FORM_GSC };

static enum form form_of(const uint8_t *data, size_t size)
{
	uint32_t first, boot;

	if (size < 128)
		return FORM_NONE;
	first = (uint32_t)load_le(data, 4);
	if (first == CPD_MARKER || first == FPT_MARKER)
		return first == CPD_MARKER ? FORM_CPD : FORM_FPT;
	if (load_le(data + 8, 4) == CSS_VERSION && load_le(data + 4, 4) < 1024)
		return first == 6 ? FORM_CSS : first == 9 ? FORM_DMC : FORM_NONE;
	/* A table of 64 bytes after the vector, and where the first boot partition is. */
	boot = (uint32_t)load_le(data + 32, 4);
	return load_le(data + 16, 2) == 64 && boot <= size - 4 &&
	       load_le(data + boot, 4) == BPDT_MARKER ? FORM_GSC : FORM_NONE;
}

bool gsc_is_firmware(const uint8_t *data, size_t size)
{
	return form_of(data, size) != FORM_NONE;
}

/* ---- structures ------------------------------------------------------------------------------ */

struct reading {
	struct gsc_image *image;
	struct image_firmware *says;
	bool no_memory;
};

static const struct gsc_item *layout(struct reading *r, const char *name)
{
	struct gsc_image *image = r->image;
	struct image_action *own;

	for (size_t i = 0; i < image->actions.count; i++)
		if (!strcmp(image->actions.items[i]->name, name))
			return &image->actions.items[i]->item;
	own = calloc(1, sizeof(*own));
	if (!own || !vec_push(&image->actions, own)) {
		free(own);
		r->no_memory = true;
		return NULL;
	}
	own->name = name;
	own->known = view_structure(image->gpu.view, name, &own->item);
	return &own->item;
}

/* NULL: the file ends before it is whole, or memory is out. */
static struct gsc_image_part *add(struct reading *r, const char *name, int index, uint64_t offset)
{
	const struct gsc_item *item = layout(r, name);
	uint64_t size = item ? item->bits / 8 : 0;
	struct gsc_image_part *part;

	if (!size || offset % 4 || offset > r->image->bytes || size > r->image->bytes - offset) {
		image_cut(r->image, offset + size);
		return NULL;
	}
	part = image_add_fields(r->image, name + strlen("FW_"), IMAGE_OWN, index, offset, size);
	r->no_memory |= !part;
	if (part)
		part->item = item;
	return part;
}

static bool find(const struct reading *r, const struct gsc_image_part *part, const char *name,
		 struct gsc_field *field, struct gsc_field_iter *it)
{
	const struct gsc_view *view = r->image->gpu.view;

	gsc_item_fields(view->db, view, part->item, part->words, part->count, it);
	while (gsc_field_next(it, field))
		if (!strcmp(field->name, name))
			return true;
	*field = (struct gsc_field){ .name = name };
	return false;
}

static uint64_t number(const struct reading *r, const struct gsc_image_part *part,
		       const char *name)
{
	struct gsc_field_iter it;
	struct gsc_field field;
	struct gsc_form form = { .shift = 0 };

	if (find(r, part, name, &field, &it))
		gsc_field_form(&it, &form);
	return field.value << form.shift;
}

/* The characters that begin at a field. */
static const char *letters(const struct reading *r, const struct gsc_image_part *part,
			   const char *name, int count, char buf[40])
{
	struct gsc_field_iter it;
	struct gsc_field field;

	*buf = 0;
	if (find(r, part, name, &field, &it))
		snprintf(buf, 40, "%.*s", count, (const char *)(part->words + field.dword));
	return buf;
}

static void say(struct reading *r, struct gsc_image_part *part, const char *text)
{
	r->no_memory |= !image_say(r->image, &part->text, "%s", text);
}

/* The numbers that a header has, up to the first that it lacks. */
static void numbers(const struct reading *r, const struct gsc_image_part *part,
		    const char *const names[], size_t count, char *buf, size_t size)
{
	struct text s = text_begin(buf, size);
	struct gsc_field_iter it;
	struct gsc_field field;

	for (size_t i = 0; i < count && find(r, part, names[i], &field, &it); i++)
		text_add(&s, "%s%llu", i ? "." : "", LL(field.value));
}

/* The version and date of the first header that has them. */
static void read_version(struct reading *r, const struct gsc_image_part *part)
{
	static const char *const names[] = {
		"VERSION_MAJOR", "VERSION_MINOR", "VERSION_PATCH", "VERSION_BUILD",
	};
	unsigned date = (unsigned)number(r, part, "DATE");

	if (*r->says->version)
		return;
	/* Drivers print no build of a HuC. */
	numbers(r, part, names, r->says->kind == FIRMWARE_HUC ? 3 : 4, r->says->version,
		sizeof(r->says->version));
	/* A DMC's is binary. */
	string_set(r->says->date, date >> 16 < 0x1000 ? "%04u-%02u-%02u" : "%04x-%02x-%02x",
		   date >> 16, date >> 8 & 0xff, date & 0xff);
}

/* ---- GuC and HuC ----------------------------------------------------------------------------- */

/* "347264 bytes of microcode, 256 of signature, PC-1.0.3150"; a file may be without the rest. */
static void say_contents(struct reading *r, struct gsc_image_part *header, uint64_t end)
{
	uint64_t code = number(r, header, "SIZE"), key = number(r, header, "KEY_SIZE");
	char build[40], line[120];

	code -= MIN(code, number(r, header, "HEADER_SIZE"));
	letters(r, header, "BUILD_NUMBER", 12, build);
	string_set(line, "%llu bytes of microcode, %llu of signature%s%s", LL(code), LL(key),
		   *build ? ", " : "", build);
	say(r, header, line);
	/* The DG2's HuC has both in files of their own, newer ones the signature. */
	if (end == r->image->bytes)
		image_cut(r->image, header->offset + header->size + code + key);
}

static void read_css(struct reading *r, uint64_t offset, uint64_t end)
{
	static const char *const interface[] = {
		"SUBMISSION_MAJOR", "SUBMISSION_MINOR", "SUBMISSION_PATCH",
	};
	struct gsc_image_part *part = add(r, "FW_CSS_HEADER", -1, offset);
	uint64_t date, major;
	struct gsc_field_iter it;
	struct gsc_field field;
	bool guc;

	if (!part)
		return;
	date = number(r, part, "DATE");
	major = number(r, part, "VERSION_MAJOR");
	numbers(r, part, interface, 3, r->says->submission, sizeof(r->says->submission));
	if (!strcmp(r->says->submission, "0.0.0"))
		*r->says->submission = 0;
	guc = *r->says->submission || major >= 32 || number(r, part, "PRIVATE_DATA_SIZE");
	if (r->says->kind == FIRMWARE_KINDS)
		r->says->kind = guc ? FIRMWARE_GUC : FIRMWARE_HUC;
	if (major < 32 && date < (guc ? GUC_3_NUMBERS : HUC_3_NUMBERS)) {
		*r->says->submission = 0;
		r->image->parts.count--;
		part = add(r, guc ? "FW_CSS_HEADER_GUC_9" : "FW_CSS_HEADER_HUC_OLD", -1, offset);
		if (!part)
			return;
	}
	read_version(r, part);
	if (find(r, part, "DEVICE", &field, &it) && field.text)
		string_set(r->says->device, "%s", field.text);
	say_contents(r, part, end);
}

/* ---- directories ----------------------------------------------------------------------------- */

/* "RBEP.man: 2148 bytes at +0x12cc" */
static void say_entry(struct reading *r, struct gsc_image_part *part, uint64_t base)
{
	bool long_name = find(r, part, "HUFFMAN", &(struct gsc_field){ 0 },
			      &(struct gsc_field_iter){ 0 });
	uint64_t length = number(r, part, "LENGTH"), place = base + number(r, part, "OFFSET");
	char name[40], line[120];
	struct gsc_field_iter it;
	struct gsc_field field;

	letters(r, part, "NAME", long_name ? 12 : 4, name);
	string_set(line, "%s%s%llu bytes at +0x%llx", name, *name ? ": " : "", LL(length),
		   LL(place));
	if (find(r, part, "DMC", &field, &it))
		string_set(line, "%s, stepping %c%c: at +0x%llx",
			   field.text ? field.text : "unknown",
			   (int)number(r, part, "STEPPING"), (int)number(r, part, "SUBSTEPPING"),
			   LL(place));
	say(r, part, line);
}

/* Adds them from a place on, as many as there are: their parts are from .. to. */
static void add_entries(struct reading *r, const char *name, uint64_t at, uint64_t count,
			uint64_t base, size_t *from, size_t *to)
{
	struct gsc_image_part *part;

	*from = r->image->parts.count;
	for (int i = 0; (uint64_t)i < count && (part = add(r, name, i, at)); i++, at += part->size)
		say_entry(r, part, base);
	*to = r->image->parts.count;
}

static void read_cpd(struct reading *r, uint64_t offset)
{
	struct gsc_image_part *part = add(r, "FW_CPD_HEADER", -1, offset);
	const uint8_t *bytes = (const uint8_t *)r->image->words;
	size_t i, to;
	char name[40];

	if (!part)
		return;
	letters(r, part, "PARTITION_NAME", 4, r->says->name);
	say(r, part, r->says->name);
	if (!strcmp(r->says->name, "HUCP"))
		r->says->kind = FIRMWARE_HUC;
	add_entries(r, "FW_CPD_ENTRY", offset + number(r, part, "HEADER_LENGTH"),
		    number(r, part, "ENTRIES"), offset, &i, &to);
	for (; i < to && !r->no_memory; i++) {
		uint64_t place, end;

		part = &r->image->parts.items[i];
		place = offset + number(r, part, "OFFSET");
		end = MIN(place + number(r, part, "LENGTH"), r->image->bytes);
		if (slice_ends(slice_string(letters(r, part, "NAME", 12, name)), ".man")) {
			part = add(r, "FW_MANIFEST", -1, place);
			if (part)
				read_version(r, part);
		} else if (place < end &&
			   form_of(bytes + place, (size_t)(end - place)) == FORM_CSS) {
			read_css(r, place, end);
		}
	}
}

/* A table of partitions, of which one may be a directory. */
static void read_table(struct reading *r, const char *header, const char *entry, uint64_t offset)
{
	struct gsc_image_part *part = add(r, header, -1, offset);
	const uint8_t *bytes = (const uint8_t *)r->image->words;
	size_t i, to;

	if (!part)
		return;
	add_entries(r, entry, offset + part->size, number(r, part, "ENTRIES"), offset, &i, &to);
	for (; i < to; i++) {
		uint64_t place = offset + number(r, &r->image->parts.items[i], "OFFSET");

		if (place < r->image->bytes &&
		    form_of(bytes + place, r->image->bytes - (size_t)place) == FORM_CPD) {
			read_cpd(r, place);
			return;
		}
	}
}

/* ---- DMC ------------------------------------------------------------------------------------- */

/* A program, and what the driver writes for it. */
static void read_program(struct reading *r, uint64_t offset)
{
	struct gsc_image_part *part = add(r, "FW_DMC_HEADER_1", -1, offset);
	struct gsc_field address, value;
	struct gsc_field_iter it;
	struct gsc_row row;
	uint64_t count;
	char line[100];

	if (part && number(r, part, "HEADER_VERSION") == 3) {
		r->image->parts.count--;
		part = add(r, "FW_DMC_HEADER_3", -1, offset);
	}
	if (!part || !find(r, part, "ADDRESS", &address, &it) ||
	    !find(r, part, "VALUE", &value, &it))
		return;
	string_set(line, "version %llu.%llu, %llu bytes", LL(number(r, part, "VERSION_MAJOR")),
		   LL(number(r, part, "VERSION_MINOR")), LL(number(r, part, "PROGRAM_SIZE")));
	say(r, part, line);
	image_cut(r->image, offset + part->size + number(r, part, "PROGRAM_SIZE"));
	count = MIN(number(r, part, "WRITES"), value.dword - address.dword);
	for (unsigned i = 0; i < count && !r->no_memory; i++) {
		image_row(r->image, part->words[address.dword + i], part->words[value.dword + i],
			  &row);
		r->no_memory = !image_add_row(r->image, &row);
	}
}

static void read_dmc(struct reading *r)
{
	struct gsc_image_part *part = add(r, "FW_DMC_CSS_HEADER", -1, 0);
	uint64_t places[DMC_MOST], at, base;
	size_t i, to, used = 0;

	if (!part)
		return;
	read_version(r, part);
	at = part->size;
	part = add(r, "FW_DMC_PACKAGE", -1, at);
	if (!part)
		return;
	base = at + number(r, part, "HEADER_SIZE");
	add_entries(r, "FW_DMC_ENTRY", at + part->size, MIN(number(r, part, "ENTRIES"), DMC_MOST),
		    base, &i, &to);
	for (; i < to && !r->no_memory; i++) {
		uint64_t place = base + number(r, &r->image->parts.items[i], "OFFSET");
		size_t k = 0;

		while (k < used && places[k] != place)
			k++;
		if (k < used || place >= base + DMC_NONE)
			continue;
		places[used++] = place;
		read_program(r, place);
	}
}

/* ---- what is known about it ------------------------------------------------------------------ */

/* "guc 70.49.4 of 2025-08-25, interface 1.24.4, for Tiger Lake" */
static bool note_version(struct gsc_image *image, const struct image_firmware *says)
{
	char line[200];
	struct text s = text_of(line);

	text_add(&s, "%s", says->name);
	if (*says->version)
		text_add(&s, " %s of %s", says->version, says->date);
	if (*says->submission)
		text_add(&s, ", interface %s", says->submission);
	if (*says->device)
		text_add(&s, ", for %s", says->device);
	return image_note(image, "%s", line);
}

/* What the drivers want that load a file of that name; packed files have a second ending. */
static bool note_wanted(struct gsc_image *image, const struct image_firmware *says,
			const char *name)
{
	const struct gsc_db *db = image->gpu.view->db;
	const char *slash = strrchr(name, '/');
	struct gsc_firmware_file f;
	char end[100], platforms[200];

	string_set(end, "/%.90s", slash ? slash + 1 : name);
	if (strstr(end, ".bin"))
		strstr(end, ".bin")[4] = 0;
	for (size_t i = 0; gsc_firmware_next(db, &i, &f);) {
		/* That of a GSC is its interface's, which only the running firmware says. */
		bool compared = f.wants && f.kind != FIRMWARE_GSC && *says->version;
		int order = compared ? firmware_compare(says->version, f.wants) : 0;
		bool refused = compared && f.least &&
			       firmware_compare(says->version, f.least) < 0;

		if (!f.kernel || !slice_ends(slice_string(f.item.name), end))
			continue;
		if (!image_note(image, "%s of Linux %s on %s wants %s%s%s%s",
				f.driver ? f.driver : "i915, xe", f.kernel,
				gsc_platforms_text(db, f.item.platforms, " ", platforms,
						   sizeof(platforms)),
				f.wants ? f.wants : "any version",
				refused ? ": too old, refused" : !compared ? "" :
				order < 0 ? ": this is older" : order ? ": this is newer" :
				": as this", f.item.doc ? "; " : "",
				f.item.doc ? f.item.doc : ""))
			return false;
	}
	return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

enum gsc_status image_firmware(struct gsc_image *image, struct gsc_error *err)
{
	struct reading r = { .image = image, .says = &image->firmware };
	enum form form = form_of((const uint8_t *)image->words, image->bytes);
	struct gsc_image_part *part;

	r.says->kind = form == FORM_DMC ? FIRMWARE_DMC : form == FORM_GSC ? FIRMWARE_GSC
									  : FIRMWARE_KINDS;
	*image->about.engine = 0;
	if (form == FORM_NONE)
		return err_set(err, GSC_FAILED, "firmware", "not a file of firmware: no header "
			       "(CSS), directory (CPD) or table of partitions");
	if (form == FORM_CSS)
		read_css(&r, 0, image->bytes);
	else if (form == FORM_DMC)
		read_dmc(&r);
	else if (form == FORM_CPD)
		read_cpd(&r, 0);
	else if (form == FORM_FPT)
		read_table(&r, "FW_FPT_HEADER", "FW_FPT_ENTRY", 0);
	else if ((part = add(&r, "FW_GSC_LAYOUT", -1, 0)))
		read_table(&r, "FW_BPDT_HEADER", "FW_BPDT_ENTRY", number(&r, part, "BOOT1_OFFSET"));
	if (r.says->kind < FIRMWARE_PACKAGE)
		string_set(r.says->name, "%s", firmware_words[r.says->kind]);
	return image_done(!r.no_memory && note_version(image, r.says) &&
			  (!image->format || note_wanted(image, r.says, image->format)), err);
}
