/* SPDX-License-Identifier: MIT */
/* The lines of a driver's dump, and the index that the readers fill. */
#include "formats/dump.h"

#include "db/engine.h"
#include "db/platform.h"
#include "text/front.h"

/* More than any driver prints: limits for what a forged file can request. */
#define ENGINES_MAX 255			/* six classes of 16, with no gaps */
#define REGISTERS_MAX (1 << 14)
#define PROPERTIES_MAX (1 << 15)
#define BUFFERS_MAX (1 << 16)
#define MEMBERS_MAX (1 << 10)

#define UNPACKED_BASE (UINT64_C(256) << 20)	/* the limit for all streams together: this, and */
#define UNPACKED_FACTOR 8			/* this many times the size of the input */
#define AGAIN_FACTOR 4			/* when buffers are read, this many times the limit */
/* In memory, enough for nearly every dump: of any, of those that must be, of those asked for. */
#define KEPT_MAX (UINT64_C(24) << 20)
#define WHOLE_MAX (UINT64_C(32) << 20)
#define ASKED_MAX (UINT64_C(16) << 20)

bool dump_split(struct slice line, struct slice *key, struct slice *value)
{
	const char *colon = slice_char(slice_first(line, 80), ':');
	const char *equals = slice_char(slice_first(line, 80), '=');
	const char *at = colon && (!equals || colon < equals) ? colon : equals;

	if (!at || at == line.at)
		return false;
	*key = slice_trim((struct slice){ line.at, at });
	*value = slice_trim((struct slice){ at + 1, line.end });
	return key->at < key->end;
}

/* Digits to the end of their word; returns how many characters they are with the 0x. */
static size_t take_digits_of(struct slice *text, bool prefix, uint64_t *value)
{
	struct slice rest = *text;
	size_t front = prefix ? 2 : 0, digits;

	if (prefix && !take_text(&rest, "0x") && !take_text(&rest, "0X"))
		return 0;
	digits = take_digits(&rest, 18 - front, value);
	if (!digits || (rest.at < rest.end && is_word(*rest.at) && *rest.at != '_'))
		return 0;
	*text = rest;
	return digits + front;
}

bool dump_number(struct slice value, struct dump_register *reg)
{
	uint64_t second;
	size_t length;
	bool prefix;

	if (!take_digits_of(&value, true, &reg->value))
		return false;
	if (slice_length(value) < 9 || (*value.at != ' ' && *value.at != '_'))
		return true;
	value.at++;
	prefix = slice_begins(value, "0x");
	length = take_digits_of(&value, prefix, &second);
	if (length != (prefix ? 10 : 8) || reg->value > UINT32_MAX)
		return true;
	reg->upper = reg->value;
	reg->value = second;
	reg->pair = true;
	return true;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* What a log puts in front of the lines of a dump; false: nothing. */
static bool take_log(struct slice *line)
{
	const char *kernel = slice_length(*line) > 24 ?
		slice_find(slice_first(*line, 80), " kernel: ") : NULL;
	static const char *const units[] = { "Tile", "GT" };
	const char *start = line->at, *colon, *numbered;
	struct slice rest, number;

	if (kernel && slice_length(slice_trim((struct slice){ line->at, kernel })))
		line->at = kernel + strlen(" kernel: ");
	/* "[  123.456789] " */
	rest = *line;
	if (take_seconds(&rest, &number) && take_text(&rest, "]")) {
		take_text(&rest, " ");
		*line = rest;
	}
	/* "i915 0000:00:02.0: ", "[drm] *ERROR* " */
	colon = slice_begins(*line, "i915 0") || slice_begins(*line, "xe 0") ?
		slice_find(slice_first(*line, 24), ": ") : NULL;
	if (colon)
		line->at = colon + 2;
	take_text(line, "[drm] ");
	take_text(line, "*ERROR* ");
	if (line->at == start)
		return false;
	/* "GT0: ", "Tile0: GT0: " */
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		rest = *line;
		if (take_text(&rest, units[i]) && rest.at < rest.end && is_digit(*rest.at++) &&
		    take_text(&rest, ": "))
			*line = rest;
	}
	/* drm_line_printer() numbers what it prints: "Capture 1.23: " */
	rest = *line;
	if (!take_text(&rest, "Capture "))
		return true;
	numbered = rest.at;
	while (rest.at < rest.end && rest.at - numbered < 22 &&
	       (is_digit(*rest.at) || *rest.at == '.'))
		rest.at++;
	if (rest.at > numbered && take_text(&rest, ": "))
		*line = rest;
	return true;
}

/*
 * Does the file end inside a value? The kernel prints those of registers with 8 or 16 digits, and
 * ends every line: one with fewer digits would be taken for another value. Fences have at least 8:
 * only zeros in front show that there are no more.
 */
static bool is_cut(const struct dump_reading *reading)
{
	struct slice line = reading->line;
	size_t digits = 0;

	if (reading->lines.at <= reading->lines.size || slice_begins(line, "PCI "))
		return false;
	while (digits < slice_length(line) && is_hex(line.end[-1 - (ptrdiff_t)digits]))
		digits++;
	if (slice_begins(line, "fence["))
		return digits != 8 || line.end[-8] != '0';
	return digits < 16 && digits != 8 && slice_length(line) > digits + 2 &&
	       !memcmp(line.end - digits - 2, "0x", 2);
}

bool dump_line(struct dump_reading *reading)
{
	while (!reading->memory_out && !reading->other.count && lines_next(&reading->lines)) {
		struct slice line = reading->lines.text, rest = line;
		const char *start;

		reading->quotes = 0;
		for (take_blanks(&rest); take_text(&rest, ">"); take_blanks(&rest)) {
			line = rest;
			reading->quotes++;
		}
		if (reading->quotes)
			take_text(&line, " ");
		reading->logged = take_log(&line);
		start = line.at;
		take_blanks(&line);
		reading->line = line;
		reading->indented = line.at != start;
		if (is_cut(reading))
			dump_damage(reading, &reading->part_of_line);
		else if (line.at < line.end)
			return true;
	}
	return false;
}

void dump_damage(struct dump_reading *reading, struct left_out *damage)
{
	if (!damage->count)
		damage->at = line_start(&reading->lines);
	leave_out(damage, reading->lines.number);
}

/* ---- the index ------------------------------------------------------------------------------ */

static void dump_free(void *data)
{
	struct dump *dump = data;

	for (size_t i = 0; i < dump->texts.count; i++) {
		vec_free(&dump->texts.items[i].bytes);
		vec_free(&dump->texts.items[i].zlib);
	}
	unpacker_free(dump->unpacker);
	vec_free(&dump->texts);
	vec_free(&dump->engines);
	vec_free(&dump->registers);
	vec_free(&dump->buffers);
	vec_free(&dump->members);
	vec_free(&dump->requests);
	vec_free(&dump->spaces);
	vec_free(&dump->rings);
	vec_free(&dump->queues);
	vec_free(&dump->clients);
	vec_free(&dump->ranges);
	free(dump);
}

bool dump_begin(struct dump_reading *reading, struct gsc_source *source, struct part *part)
{
	const struct blob *blob = &part->blob;

	*reading = (struct dump_reading){
		.source = source, .part = part,
		.lines = { .data = blob->data, .size = blob->size },
		.unpacked_max = UNPACKED_BASE + (uint64_t)blob->size * UNPACKED_FACTOR,
		.kept_max = KEPT_MAX, .whole_max = WHOLE_MAX,
	};
	part->dump = reading->dump = calloc(1, sizeof(*part->dump));
	if (!part->dump || !part_own(part, part->dump, dump_free)) {
		part->dump = NULL;
		return false;
	}
	part->dump->ppgtt = PPGTT_UNTOLD;
	part->dump->whole_max = ASKED_MAX;
	part->dump->again_max = AGAIN_FACTOR * reading->unpacked_max;
	/* Words point to their names. */
	return vec_reserve(&part->dump->engines, ENGINES_MAX);
}

enum gsc_status dump_end(struct dump_reading *reading, struct gsc_error *err)
{
	const struct {
		const struct left_out *left;
		const char *what;
	} notes[] = {
		{ &reading->text, "not base 85: the buffer ends there" },
		{ &reading->packed, "damaged zlib data: the buffer ends there" },
		{ &reading->bomb, "unpacks to more than the limit: the buffer is truncated" },
		{ &reading->left, "rings, batches, contexts and logs unpack to more than 32 MB: "
				  "left out" },
		{ &reading->cut, "a buffer is truncated" },
		{ &reading->part_of_line, "ends within a value, which is left out" },
		{ &reading->surplus, "more lines of this kind, left out" },
	};
	const struct part *part = reading->part;
	const char *file = part->owner ? part->owner : part->name;
	size_t other = reading->other.line;

	if (reading->memory_out)
		return err_memory(err);
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		note_left_out(reading->source, part, notes[i].left, notes[i].what);
	if (other && strcmp(file, "-"))
		source_note(reading->source, "%.200s: line %zu: another dump begins here and is "
			    "not read; to read it: sed -n '%zu,$p' %s | gpu-fault -",
			    part->blob.name, other, other, name_to_paste(file));
	else if (other)
		source_note(reading->source, "%s: line %zu: another dump begins here and is not "
			    "read: save it to its own file", part->blob.name, other);
	return GSC_OK;
}

struct slice dump_engine_words(const struct dump *dump, uint8_t engine)
{
	return slice_string(engine ? dump->engines.items[engine - 1].name : "");
}

bool dump_platform_has(const struct gsc_db *db, unsigned platform, const char *engine,
		       uint32_t *base)
{
	struct gsc_engine_place found = { 0 };
	const char *name;

	for (size_t i = 0; (name = gsc_platform_engine(db, platform, i, &found)); i++)
		if (!strcmp(name, engine))
			break;
	if (base)
		*base = found.base;
	return name;
}

/* "rcs0", and what older kernels wrote: "render". */
uint8_t dump_engine(struct dump_reading *reading, struct slice text)
{
	struct dump *dump = reading->dump;
	struct dump_engine engine = { .flags = 0 };

	_Static_assert(sizeof(engine.name) >= ENGINE_NAME, "it has room for any name");
	if (!take_engine(&text, engine.name) ? !take_engine_alias(&text, engine.name)
					     : !is_digit(engine.name[strlen(engine.name) - 1]))
		return 0;
	for (size_t i = 0; i < dump->engines.count; i++)
		if (!strcmp(dump->engines.items[i].name, engine.name))
			return (uint8_t)(i + 1);
	if (dump->engines.count == ENGINES_MAX || !vec_push(&dump->engines, engine))
		return 0;
	return (uint8_t)dump->engines.count;
}

void dump_property(struct dump_reading *reading, struct slice prefix, struct slice key,
		   struct slice value)
{
	if (reading->part->properties.count >= PROPERTIES_MAX)
		dump_damage(reading, &reading->surplus);
	else
		reading->memory_out |= !part_property(reading->part, prefix, key, value);
}

/* The few registers that say where an engine is, under all their names. */
static void follow_engine(struct dump *dump, const struct dump_register *reg)
{
	static const struct {
		const char *key;
		unsigned flag;
	} keys[] = {
		{ "HEAD", GSC_BUFFER_HEAD }, { "RING_HEAD", GSC_BUFFER_HEAD },
		{ "TAIL", GSC_BUFFER_TAIL }, { "RING_TAIL", GSC_BUFFER_TAIL },
		{ "START", GSC_BUFFER_START }, { "RING_START", GSC_BUFFER_START },
		/* What the GuC captures has no names but ours. */
		{ "RING_BUFFER_HEAD", GSC_BUFFER_HEAD }, { "RING_BUFFER_TAIL", GSC_BUFFER_TAIL },
		{ "RING_BUFFER_START", GSC_BUFFER_START },
		{ "ACTHD", GSC_BUFFER_ACTHD }, { "ACTHD_LDW", GSC_BUFFER_ACTHD },
	};
	struct dump_engine *engine = &dump->engines.items[reg->engine - 1];
	uint64_t value = reg->pair ? reg->upper << 32 | reg->value : reg->value;

	if (slice_is(reg->key, "ACTHD_UDW"))
		engine->acthd = (engine->acthd & UINT32_MAX) | value << 32;
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!slice_is(reg->key, keys[i].key))
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

	if (dump->registers.count >= REGISTERS_MAX)
		dump_damage(reading, &reading->surplus);
	else if (!vec_push(&dump->registers, *reg))
		reading->memory_out = true;
	else if (reg->engine)
		follow_engine(dump, reg);
}

struct dump_buffer *dump_add_buffer(struct dump_reading *reading, struct slice name,
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
	*added = (struct dump_buffer){ .kind = GSC_BUFFER_OTHER,
				       .address = address & UINT64_C(0xffffffffffff) };
	snprintf(added->name, sizeof(added->name), "%.*s", SLICE(slice_first(name, 47)));
	return added;
}

void dump_add_member(struct dump_reading *reading, const char *name, const uint8_t *data,
		     size_t size, size_t held)
{
	struct gsc_member member = { .data = data, .size = size, .held = held };

	string_set(member.name, "%s", name);
	if (reading->dump->members.count >= MEMBERS_MAX)
		dump_damage(reading, &reading->surplus);
	else
		reading->memory_out |= !vec_push(&reading->dump->members, member);
}

/* "PCI ID: 0x1912" */
void dump_identity(struct dump_reading *reading, struct slice key, struct slice value)
{
	static const char *const keys[] = { "Time", "Snapshot time", "PCI ID", "GPU HANG" };
	struct part *part = reading->part;
	bool device = slice_named(key, "PCI ID"), revision = slice_named(key, "PCI revision");
	uint64_t number;

	_Static_assert(ARRAY_SIZE(keys) == ARRAY_SIZE(reading->told), "each is kept");
	/* Parts of one dump repeat what it says about itself; another dump has another time. */
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct slice *told = &reading->told[i];

		if (!slice_is(key, keys[i]))
			continue;
		if (told->at == told->end)
			*told = value;
		else if (!slice_same(*told, value))
			dump_damage(reading, &reading->other);
	}
	if ((!device && !revision) || !take_digits_of(&value, slice_begins(value, "0x"), &number))
		return;
	if (device && number <= UINT16_MAX && part->pci_device < 0)
		part->pci_device = (int)number;
	if (revision && number <= UINT8_MAX && part->revision < 0)
		part->revision = (int)number;
}
