/* SPDX-License-Identifier: MIT */
/* Lines of a driver's dump, and the index that the readers fill. */
#include "formats/dump.h"

#include "util/number.h"

#include <ctype.h>
#include <stdio.h>

/* More than any driver prints; they bound what a made-up file can ask for. */
#define ENGINES_MAX 255			/* six classes of 16, and none is left out */
#define REGISTERS_MAX (1 << 14)
#define PROPERTIES_MAX (1 << 15)
#define BUFFERS_MAX (1 << 16)
#define MEMBERS_MAX (1 << 10)

#define UNPACKED_BASE (UINT64_C(256) << 20)	/* what streams may hold in all: this, and */
#define UNPACKED_FACTOR 64			/* so many times the size of the input */

/* ---- words ---------------------------------------------------------------------------------- */

struct words words_trim(struct words words)
{
	while (words.length && is_blank(*words.text))
		words = words_from(words, 1);
	while (words.length && is_blank(words.text[words.length - 1]))
		words.length--;
	return words;
}

const char *words_find(struct words words, const char *text)
{
	return words.text ? memmem(words.text, words.length, text, strlen(text)) : NULL;
}

bool dump_split(struct words line, struct words *key, struct words *value)
{
	const char *colon = memchr(line.text, ':', MIN(line.length, (size_t)80));
	const char *equals = memchr(line.text, '=', MIN(line.length, (size_t)80));
	const char *at = colon && (!equals || colon < equals) ? colon : equals;

	if (!at || at == line.text)
		return false;
	*key = words_trim((struct words){ line.text, (size_t)(at - line.text) });
	*value = words_trim(words_from(line, (size_t)(at - line.text) + 1));
	return key->length;
}

/* Digits at the beginning; how many characters they are. */
static size_t take_hex(struct words words, bool prefix, uint64_t *value)
{
	size_t at = prefix ? 2 : 0;

	if (prefix && !words_begin(words, "0x") && !words_begin(words, "0X"))
		return 0;
	while (at < words.length && at < 18 && isxdigit((unsigned char)words.text[at]))
		at++;
	if (at < words.length && isalnum((unsigned char)words.text[at]))
		return 0;
	return number_parse_hex(words.text, at, value) ? at : 0;
}

bool dump_number(struct words value, struct dump_register *reg)
{
	size_t length = take_hex(value, true, &reg->value);
	struct words rest;
	uint64_t second;
	bool prefix;

	if (!length)
		return false;
	rest = words_from(value, length);
	if (rest.length < 9 || (*rest.text != ' ' && *rest.text != '_'))
		return true;
	rest = words_from(rest, 1);
	prefix = words_begin(rest, "0x");
	length = take_hex(rest, prefix, &second);
	if (length != (prefix ? 10 : 8) || reg->value > UINT32_MAX)
		return true;
	reg->upper = reg->value;
	reg->value = second;
	reg->pair = true;
	return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

static struct words skip_blanks(struct words words)
{
	while (words.length && is_blank(*words.text))
		words = words_from(words, 1);
	return words;
}

static struct words strip_quotes(struct words words, unsigned most, unsigned *quotes)
{
	for (*quotes = 0; *quotes < most; ++*quotes) {
		struct words rest = skip_blanks(words);

		if (!rest.length || *rest.text != '>')
			break;
		words = words_from(rest, 1);
	}
	return *quotes && words.length && *words.text == ' ' ? words_from(words, 1) : words;
}

/* "[  123.456789] " */
static struct words strip_time(struct words words)
{
	size_t at = 1;
	bool point = false;

	if (!words.length || *words.text != '[')
		return words;
	while (at < words.length && at < 24 &&
	       (isdigit((unsigned char)words.text[at]) || strchr(" .", words.text[at]))) {
		point |= words.text[at] == '.';
		at++;
	}
	if (!point || at >= words.length || words.text[at] != ']')
		return words;
	at++;
	return words_from(words, at + (at < words.length && words.text[at] == ' '));
}

/* "i915 0000:00:02.0: ", "[drm] *ERROR* " */
static struct words strip_driver(struct words words)
{
	if ((words_begin(words, "i915 0") || words_begin(words, "xe 0")) &&
	    words_find((struct words){ words.text, MIN(words.length, (size_t)24) }, ": "))
		words = words_from(words, (size_t)(words_find(words, ": ") - words.text) + 2);
	if (words_begin(words, "[drm] "))
		words = words_from(words, 6);
	if (words_begin(words, "*ERROR* "))
		words = words_from(words, 8);
	return words;
}

/* "GT0: ", "Tile0: GT0: "; drm_line_printer() numbers what it prints: "Capture 1.23: " */
static struct words strip_printer(struct words words)
{
	static const char *const units[] = { "Tile", "GT" };
	size_t at = 0;

	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		size_t length = strlen(units[i]);

		if (words.length > length + 3 && words_begin(words, units[i]) &&
		    isdigit((unsigned char)words.text[length]) &&
		    !memcmp(words.text + length + 1, ": ", 2))
			words = words_from(words, length + 3);
	}
	if (!words_begin(words, "Capture "))
		return words;
	for (at = 8; at < words.length && at < 30; at++)
		if (!isdigit((unsigned char)words.text[at]) && words.text[at] != '.')
			break;
	if (at == 8 || at + 1 >= words.length || memcmp(words.text + at, ": ", 2) != 0)
		return words;
	return words_from(words, at + 2);
}

static struct words strip_log(struct words words, bool *logged)
{
	struct words front = { words.text, MIN(words.length, (size_t)80) }, rest = words;
	const char *kernel = words.length > 24 ? words_find(front, " kernel: ") : NULL;

	if (kernel && words_trim((struct words){ words.text,
						 (size_t)(kernel - words.text) }).length)
		rest = words_from(words, (size_t)(kernel - words.text) + 9);
	rest = strip_driver(strip_time(rest));
	*logged = rest.text != words.text;
	return *logged ? strip_printer(rest) : rest;
}

/*
 * Does the file end within a value? The kernel prints those of registers with 8 or 16 digits, and
 * ends every line: what has fewer would be taken for another value.
 */
static bool is_cut(const struct dump_reading *reading)
{
	struct words line = reading->line;
	size_t digits = 0;

	if (reading->lines.at <= reading->lines.size || words_begin(line, "PCI "))
		return false;
	while (digits < line.length && isxdigit((unsigned char)line.text[line.length - digits - 1]))
		digits++;
	return digits < 16 && digits != 8 && line.length > digits + 2 &&
	       !memcmp(line.text + line.length - digits - 2, "0x", 2);
}

bool dump_line(struct dump_reading *reading)
{
	while (!reading->memory_out && !reading->other.count && lines_next(&reading->lines)) {
		struct words raw = { reading->lines.text, reading->lines.length };

		raw = strip_quotes(raw, UINT32_MAX, &reading->quotes);
		raw = strip_log(raw, &reading->logged);
		reading->line = skip_blanks(raw);
		reading->indented = reading->line.text != raw.text;
		if (is_cut(reading))
			dump_damage(reading, &reading->part_of_line);
		else if (reading->line.length)
			return true;
	}
	return false;
}

void dump_damage(struct dump_reading *reading, struct dump_damage *damage)
{
	if (damage->count++)
		return;
	damage->line = reading->lines.number;
	damage->at = (size_t)((const uint8_t *)reading->lines.text - reading->lines.data);
}

/* ---- the index ------------------------------------------------------------------------------ */

bool dump_begin(struct dump_reading *reading, struct gsc_source *source, struct part *part)
{
	const struct blob *blob = &part->blob;

	*reading = (struct dump_reading){
		.source = source,
		.part = part,
		.lines = { .data = blob->data, .size = blob->size },
		.unpacked_max = UNPACKED_BASE + (uint64_t)blob->size * UNPACKED_FACTOR,
	};
	part->dump = reading->dump = calloc(1, sizeof(*part->dump));
	if (!part->dump)
		return false;
	part->dump->ppgtt = PPGTT_UNTOLD;
	/* Words point to their names. */
	return vec_reserve(&part->dump->engines, ENGINES_MAX);
}

void dump_free(struct dump *dump)
{
	if (!dump)
		return;
	vec_free(&dump->engines);
	vec_free(&dump->registers);
	vec_free(&dump->properties);
	vec_free(&dump->buffers);
	vec_free(&dump->members);
	free(dump);
}

void dump_note(const struct dump_reading *reading, const struct dump_damage *damage,
	       const char *what)
{
	if (damage->count)
		source_note(reading->source, "%s: line %zu: %s, at byte %zu (%zu such)",
			    reading->part->blob.name, damage->line, what, damage->at,
			    damage->count);
}

static void note_other(const struct dump_reading *reading)
{
	const struct part *part = reading->part;
	const char *file = part->owner ? part->owner : part->name;

	if (!reading->other.count)
		return;
	if (strcmp(file, "-") != 0)
		source_note(reading->source, "%.200s: line %zu: another dump begins, left out; to "
			    "read it: sed -n '%zu,$p' %s | gpu-fault -", part->blob.name,
			    reading->other.line, reading->other.line, name_to_paste(file));
	else
		source_note(reading->source, "%s: line %zu: another dump begins, left out: give it "
			    "as a file of its own", part->blob.name, reading->other.line);
}

enum gsc_status dump_end(struct dump_reading *reading, struct gsc_error *err)
{
	unpacker_free(reading->unpacker);
	if (reading->memory_out)
		return err_memory(err);
	dump_note(reading, &reading->text, "no base 85: the buffer ends there");
	dump_note(reading, &reading->packed, "damaged zlib data: the buffer ends there");
	dump_note(reading, &reading->bomb, "packed far too well: the buffer is cut");
	dump_note(reading, &reading->cut, "a buffer breaks off");
	dump_note(reading, &reading->part_of_line, "breaks off within a value, which is left out");
	dump_note(reading, &reading->surplus, "more lines of this kind than are read, left out");
	note_other(reading);
	return GSC_OK;
}

struct words dump_engine_words(const struct dump *dump, uint8_t engine)
{
	const char *name = engine ? dump->engines.items[engine - 1].name : "";

	return (struct words){ name, strlen(name) };
}

static const struct {
	const char *text, *name;
} engine_names[] = {
	{ "render", "rcs0" },	      { "blitter", "bcs0" },
	{ "blt", "bcs0" },	      { "bsd2", "vcs1" },
	{ "second bsd", "vcs1" },     { "bsd", "vcs0" },
	{ "video enhancement", "vecs0" }, { "video (vcs)", "vcs0" },
	{ "video (bsd)", "vcs0" },    { "vebox", "vecs0" },
	{ "other0", "gsccs0" },
};

/* "rcs0", and "rcs'0" as some kernels had it. */
static bool numbered_engine(struct words text, char name[16])
{
	static const char *const classes[] = { "rcs", "bcs", "vcs", "vecs", "ccs", "gsccs" };

	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		size_t at = strlen(classes[i]), digits;

		if (!words_begin(text, classes[i]))
			continue;
		at += at < text.length && text.text[at] == '\'';
		for (digits = at; digits < text.length && digits < at + 3 &&
				  isdigit((unsigned char)text.text[digits]); digits++)
			;
		/* Hardware has no more than 16 of a class. */
		if (digits == at || digits > at + 2 ||
		    (digits == at + 2 && (text.text[at] != '1' || text.text[at + 1] > '5')))
			return false;
		snprintf(name, 16, "%s%.*s", classes[i], (int)(digits - at), text.text + at);
		return true;
	}
	return false;
}

static bool engine_name(struct words text, char name[16])
{
	if (numbered_engine(text, name))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(engine_names); i++) {
		size_t length = strlen(engine_names[i].text);

		if (text.length < length || name_compare_n(text.text, engine_names[i].text, length))
			continue;
		snprintf(name, 16, "%s", engine_names[i].name);
		return true;
	}
	return false;
}

uint8_t dump_engine(struct dump_reading *reading, struct words text)
{
	struct dump *dump = reading->dump;
	struct dump_engine *added;
	char name[16];

	if (!engine_name(text, name))
		return 0;
	for (size_t i = 0; i < dump->engines.count; i++)
		if (!strcmp(dump->engines.items[i].name, name))
			return (uint8_t)(i + 1);
	added = dump->engines.count < ENGINES_MAX ? vec_add(&dump->engines) : NULL;
	if (!added)
		return 0;
	*added = (struct dump_engine){ .flags = 0 };
	memcpy(added->name, name, sizeof(name));
	return (uint8_t)dump->engines.count;
}

void dump_property(struct dump_reading *reading, struct words prefix, struct words key,
		   struct words value)
{
	struct dump *dump = reading->dump;
	struct dump_property *added;

	if (dump->properties.count >= PROPERTIES_MAX) {
		dump_damage(reading, &reading->surplus);
		return;
	}
	added = vec_add(&dump->properties);
	if (added)
		*added = (struct dump_property){ prefix, key, value };
	reading->memory_out |= !added;
}

/* The few registers that tell where an engine is, by all their names. */
static void follow_engine(struct dump *dump, const struct dump_register *reg)
{
	static const struct {
		const char *key;
		unsigned flag;
	} keys[] = {
		{ "HEAD", GSC_BUFFER_HEAD }, { "RING_HEAD", GSC_BUFFER_HEAD },
		{ "TAIL", GSC_BUFFER_TAIL }, { "RING_TAIL", GSC_BUFFER_TAIL },
		{ "START", GSC_BUFFER_START }, { "RING_START", GSC_BUFFER_START },
		{ "ACTHD", GSC_BUFFER_ACTHD }, { "ACTHD_LDW", GSC_BUFFER_ACTHD },
	};
	struct dump_engine *engine = &dump->engines.items[reg->engine - 1];
	uint64_t value = reg->pair ? reg->upper << 32 | reg->value : reg->value;

	if (words_are(reg->key, "ACTHD_UDW"))
		engine->acthd = (engine->acthd & UINT32_MAX) | value << 32;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!words_are(reg->key, keys[i].key))
			continue;
		engine->flags |= keys[i].flag;
		if (keys[i].flag == GSC_BUFFER_HEAD)
			engine->head = value & 0x1ffffc;
		else if (keys[i].flag == GSC_BUFFER_TAIL)
			engine->tail = value & 0x1ffff8;
		else if (keys[i].flag == GSC_BUFFER_START)
			engine->start = value;
		else
			engine->acthd = value;
	}
}

void dump_register(struct dump_reading *reading, const struct dump_register *reg)
{
	struct dump *dump = reading->dump;
	struct dump_register *added;

	if (dump->registers.count >= REGISTERS_MAX) {
		dump_damage(reading, &reading->surplus);
		return;
	}
	added = vec_add(&dump->registers);
	if (!added) {
		reading->memory_out = true;
		return;
	}
	*added = *reg;
	if (reg->engine)
		follow_engine(dump, reg);
}

struct dump_buffer *dump_add_buffer(struct dump_reading *reading, struct words name,
				    uint64_t address)
{
	struct dump *dump = reading->dump;
	struct dump_buffer *added;

	if (dump->buffers.count >= BUFFERS_MAX) {
		dump_damage(reading, &reading->surplus);
		return NULL;
	}
	added = vec_add(&dump->buffers);
	if (!added) {
		reading->memory_out = true;
		return NULL;
	}
	*added = (struct dump_buffer){
		.kind = GSC_BUFFER_OTHER,
		.address = address & UINT64_C(0xffffffffffff),
	};
	snprintf(added->name, sizeof(added->name), "%.*s", (int)MIN(name.length, (size_t)47),
		 name.text);
	return added;
}

void dump_add_member(struct dump_reading *reading, const char *name, const uint8_t *data,
		     size_t size, size_t held)
{
	struct dump *dump = reading->dump;
	struct dump_member *added;

	if (dump->members.count >= MEMBERS_MAX) {
		dump_damage(reading, &reading->surplus);
		return;
	}
	added = vec_add(&dump->members);
	if (!added) {
		reading->memory_out = true;
		return;
	}
	*added = (struct dump_member){ .data = data, .size = size, .held = held };
	snprintf(added->name, sizeof(added->name), "%s", name);
}

/* Pieces of one dump repeat what it says of itself; another one was taken at another time. */
static bool is_another(struct dump_reading *reading, struct words key, struct words value)
{
	static const char *const keys[] = { "Time", "Snapshot time", "PCI ID", "GPU HANG" };

	_Static_assert(ARRAY_SIZE(keys) == ARRAY_SIZE(reading->told), "each is kept");
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct words *told = &reading->told[i];

		if (!words_are(key, keys[i]))
			continue;
		if (told->length)
			return told->length != value.length ||
			       memcmp(told->text, value.text, value.length);
		*told = value;
	}
	return false;
}

/* "PCI ID: 0x1912" */
void dump_identity(struct dump_reading *reading, struct words key, struct words value)
{
	struct part *part = reading->part;
	bool device = !name_compare_n(key.text, "PCI ID", 6) && key.length == 6;
	bool revision = !name_compare_n(key.text, "PCI revision", 12) && key.length == 12;
	uint64_t number;

	if (is_another(reading, key, value))
		dump_damage(reading, &reading->other);
	if ((!device && !revision) || !take_hex(value, words_begin(value, "0x"), &number))
		return;
	if (device && number <= UINT16_MAX && part->pci_device < 0)
		part->pci_device = (int)number;
	if (revision && number <= UINT8_MAX && part->revision < 0)
		part->revision = (int)number;
}
