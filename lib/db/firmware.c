/* SPDX-License-Identifier: MIT */
/* Files of firmware by their names and versions, which may be anything. */
#include "db/firmware.h"

#include "db/db.h"
#include "db/view.h"

/* ---- versions ------------------------------------------------------------------------------- */

bool firmware_version(struct slice *text, struct slice *version)
{
	for (const char *at = text->at; at < text->end; at++) {
		const char *to = at;
		unsigned dots = 0;

		/* Not in a name, such as "tgl_guc_70.1.1.bin". */
		if (!is_digit(*at) || (at > text->at && at[-1] != 'v' &&
				       (is_word(at[-1]) || at[-1] == '.')))
			continue;
		while (to < text->end &&
		       (is_digit(*to) || (*to == '.' && text->end - to > 1 && is_digit(to[1]))))
			dots += *to++ == '.';
		if (dots && to - at < 32) {
			*version = (struct slice){ at, to };
			text->at = to;
			return true;
		}
		at = to - 1;
	}
	return false;
}

int firmware_compare(const char *a, const char *b)
{
	size_t x, y;

	for (;; a += x + 1, b += y + 1) {
		a += strspn(a, "0");
		b += strspn(b, "0");
		x = strspn(a, "0123456789");
		y = strspn(b, "0123456789");
		if (x != y || memcmp(a, b, x))
			return x != y ? (x < y ? -1 : 1) : memcmp(a, b, x);
		/* The end of a range is that of its first version. */
		if (a[x] != '.' || b[y] != '.' || !is_digit(a[x + 1]) || !is_digit(b[y + 1]))
			return 0;
	}
}

bool firmware_kernel(const char *range, const char *kernel)
{
	const char *to = strstr(range, "..");

	return *kernel && firmware_compare(kernel, range) >= 0 &&
	       firmware_compare(kernel, to ? to + 2 : range) <= 0;
}

/* ---- files ---------------------------------------------------------------------------------- */

bool gsc_firmware_next(const struct gsc_db *db, size_t *at, struct gsc_firmware_file *f)
{
	size_t i = (*at)++;
	const struct layer *l = db_layer_of(db, B_FIRMWARES, &i);
	const struct b_firmware *from;

	if (!l)
		return false;
	from = LAYER_ITEM(l, B_FIRMWARES, struct b_firmware, i);
	*f = (struct gsc_firmware_file){
		.item = { .name = layer_text(l, from->name),
			  .doc = layer_text_or_null(l, from->text),
			  .platforms = from->where.platforms,
			  .revisions = where_stepped(&from->where) },
		.kind = from->kind, .word = firmware_words[from->kind],
		.driver = layer_text_or_null(l, from->driver),
		.wants = layer_text_or_null(l, from->wants),
		.least = layer_text_or_null(l, from->least),
		.kernel = layer_text_or_null(l, from->kernel),
	};
	layer_origin(l, from->origin, &f->item.document, &f->item.section);
	return true;
}

enum firmware_kind firmware_kind(struct slice path)
{
	char word[8];
	unsigned kind = FIRMWARE_GUC;

	/* "mtl_huc_gsc.bin" is a HuC's. */
	for (; kind < FIRMWARE_PACKAGE; kind++) {
		string_set(word, "_%s", firmware_words[kind]);
		if (slice_char(path, '/') && slice_find(path, word))
			return kind;
	}
	return FIRMWARE_KINDS;
}

/* "tgl_guc", of "i915/tgl_guc_70.bin": what stays from version to version. */
static struct slice stem(struct slice path)
{
	struct slice name;

	for (const char *slash; (slash = slice_char(path, '/'));)
		path.at = slash + 1;
	name = path;
	take_until(&path, "_");
	take_text(&path, "_");
	take_until(&path, "_.");
	return (struct slice){ name.at, path.at };
}

uint64_t firmware_platforms(const struct gsc_db *db, struct slice path)
{
	struct slice name = stem(take_until(&path, " \t,:;()\"'"));
	struct gsc_firmware_file f;
	struct gsc_platform p;
	uint64_t platforms = 0;
	char word[16];

	for (size_t i = 0; db && gsc_firmware_next(db, &i, &f);)
		if (f.kind != FIRMWARE_PACKAGE && slice_same(stem(slice_string(f.item.name)), name))
			platforms |= f.item.platforms;
	if (platforms)
		return platforms;
	/* A name that is not there is that of its only platform. */
	return slice_copy(take_until(&name, "_"), word, sizeof(word)) &&
	       !gsc_platform_find(db, word, &p, &(int){ 0 }, NULL) && p.index < 64 ?
	       UINT64_C(1) << p.index : 0;
}
