/* SPDX-License-Identifier: MIT */
/*
 * Device core dumps of the xe driver (xe_devcoredump.c and what it calls), from Linux 6.8 on:
 * sections headed "**** NAME ****". Memory is "[NAME].length: 0x1000", then "[NAME].data: " and
 * base 85, whose line logs and other printers break; in the section of the VM, NAME is an address.
 */
#include "formats/dump.h"
#include "util/number.h"

#include <ctype.h>
#include <stdio.h>

#define SCORE_BYTES (1 << 20)
#define SCORE_LINES 20000
#define PPHWSP_BYTES 4096

enum section {
	SECTION_HEAD, SECTION_GT, SECTION_LOG, SECTION_CT, SECTION_CONTEXTS, SECTION_JOB,
	SECTION_ENGINES, SECTION_VM, SECTION_OTHER,
};

static const struct {
	const char *title;
	enum section section;
	const char *prefix;		/* of its properties */
} sections[] = {
	{ "Xe Device Coredump", SECTION_HEAD, "" },
	{ "GT #", SECTION_GT, "gt" },
	{ "GuC Log", SECTION_LOG, "guc-log" },
	{ "GuC CT", SECTION_CT, "guc-ct" },
	{ "Contexts", SECTION_CONTEXTS, "context" },
	{ "Job", SECTION_JOB, "job" },
	{ "HW Engines", SECTION_ENGINES, "engine" },
	{ "VM state", SECTION_VM, "vm" },
};

/* "**** HW Engines ****" */
static bool parse_title(struct words line, struct words *title)
{
	if (!words_begin(line, "**** ") || !words_end(line, " ****") || line.length < 11)
		return false;
	*title = (struct words){ line.text + 5, line.length - 10 };
	return true;
}

static size_t find_section(struct words title)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(sections) && !words_begin(title, sections[i].title))
		i++;
	return i;
}

static unsigned score(const uint8_t *data, size_t size)
{
	struct dump_reading reading = { .lines = { .data = data,
						   .size = MIN(size, (size_t)SCORE_BYTES) } };
	unsigned found = 0;
	struct words title;

	if (!bytes_are_text(data, size))
		return 0;
	for (size_t i = 0; i < SCORE_LINES && dump_line(&reading); i++) {
		if (words_find((struct words){ reading.line.text,
					       MIN(reading.line.length, (size_t)80) },
			       " (physical), logical instance="))
			found++;
		if (!parse_title(reading.line, &title))
			continue;
		if (words_are(title, sections[0].title))
			return 100;
		found += find_section(title) < ARRAY_SIZE(sections);
	}
	return found > 1 ? 100 : found ? 85 : 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

struct reading {
	struct dump_reading r;
	enum section section;
	char gt[8];			/* "gt0/" */
	const char *section_start;	/* of a section that becomes a member */
	uint8_t engine;
	struct words prefix;
	uint64_t length;		/* of the data that comes next */
	struct words name;		/* of it: "HWSP", "7f0000000000" */
	uint64_t context;		/* GGTT address, or 0 */
	uint64_t width;			/* how many engines work on a job */
	VEC(uint64_t) batches, rings;
	struct dump_bytes bytes;
};

/* What the GuC has written down stays as it is, for its own tools. */
static void end_section(struct reading *s, const char *end)
{
	char name[32];

	if (!s->section_start)
		return;
	snprintf(name, sizeof(name), "%s%s", s->gt,
		 s->section == SECTION_LOG ? "guc-log.txt" : "guc-ct.txt");
	dump_add_member(&s->r, name, (const uint8_t *)s->section_start,
			(size_t)(end - s->section_start), (size_t)(end - s->section_start));
	s->section_start = NULL;
}

static void begin_section(struct reading *s, enum section section)
{
	end_section(s, s->r.lines.text);
	s->section = section;
	s->engine = 0;
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (sections[i].section == section)
			s->prefix = (struct words){ sections[i].prefix,
						    strlen(sections[i].prefix) };
	if (section == SECTION_LOG || section == SECTION_CT)
		s->section_start = s->r.lines.text;
}

static void take_title(struct reading *s, struct words title)
{
	size_t i = find_section(title);
	uint64_t number;

	begin_section(s, i < ARRAY_SIZE(sections) ? sections[i].section : SECTION_OTHER);
	if (i == ARRAY_SIZE(sections))
		s->prefix = title;
	if (s->section == SECTION_GT && number_parse(title.text + 4, title.length - 4, &number) &&
	    number < 100)
		snprintf(s->gt, sizeof(s->gt), "gt%u/", (unsigned)number);
}

/* ---- memory --------------------------------------------------------------------------------- */

static const struct {
	const char *name, *member;
} blobs[] = { { "LOG", "guc-log.bin" }, { "CTB", "guc-ct.bin" } };

static void add_member(struct reading *s, const uint8_t *data, uint64_t length, uint64_t size)
{
	const char *file = NULL;
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(blobs); i++)
		if (words_are(s->name, blobs[i].name))
			file = blobs[i].member;
	if (file)
		snprintf(name, sizeof(name), "%s%s", s->gt, file);
	else
		snprintf(name, sizeof(name), "%s%.*s.bin", s->gt,
			 (int)MIN(s->name.length, (size_t)40), s->name.text);
	for (char *at = name + strlen(s->gt); *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
			*at = '_';
	dump_add_member(&s->r, name, data, (size_t)MAX(size, length), (size_t)length);
}

/* The registers of a context follow its status page: both become one buffer. */
static bool join_context(struct reading *s, const uint8_t *data, uint64_t length, unsigned flags)
{
	struct dump *dump = s->r.dump;
	struct dump_buffer *page = dump->buffers.count ?
		&dump->buffers.items[dump->buffers.count - 1] : NULL;
	uint8_t *both;

	if (!page || page->kind != GSC_BUFFER_CONTEXT || page->address != s->context ||
	    page->length != PPHWSP_BYTES)
		return false;
	both = part_alloc(s->r.part, (size_t)(PPHWSP_BYTES + length));
	s->r.memory_out |= !both;
	if (!both)
		return true;
	memcpy(both, page->data, PPHWSP_BYTES);
	memcpy(both + PPHWSP_BYTES, data, (size_t)length);
	page->data = both;
	page->length += length;
	page->flags |= flags;
	return true;
}

static void add_context(struct reading *s, const uint8_t *data, uint64_t length, unsigned flags)
{
	bool page = words_are(s->name, "HWSP");
	struct dump_buffer *buffer;

	if (!s->context) {
		add_member(s, data, length, s->length);
		return;
	}
	if (!page && join_context(s, data, length, flags))
		return;
	buffer = dump_add_buffer(&s->r, (struct words){ "HW context", 10 },
				 s->context + (page ? 0 : PPHWSP_BYTES));
	if (!buffer)
		return;
	buffer->kind = GSC_BUFFER_CONTEXT;
	buffer->data = data;
	buffer->length = length;
	buffer->flags = flags | GSC_BUFFER_HUNG;
}

static bool parse_address(struct words name, uint64_t *address)
{
	return number_parse_hex(name.text, name.length, address);
}

static void add_vm(struct reading *s, const uint8_t *data, uint64_t length, unsigned flags)
{
	struct dump_buffer *buffer;
	uint64_t address;

	if (!parse_address(s->name, &address)) {
		add_member(s, data, length, s->length);
		return;
	}
	buffer = dump_add_buffer(&s->r, (struct words){ "VM", 2 }, address);
	if (!buffer)
		return;
	buffer->kind = GSC_BUFFER_USER;
	buffer->process = true;
	buffer->data = data;
	buffer->length = MIN(length, (UINT64_C(1) << 48) - buffer->address);
	buffer->flags = flags;
}

static bool is_context_data(const struct reading *s)
{
	return words_are(s->name, "HWSP") || words_are(s->name, "HWCTX");
}

static void end_data(struct reading *s)
{
	uint64_t length;
	const uint8_t *data;
	unsigned flags;

	if (!s->bytes.open)
		return;
	data = dump_bytes_end(&s->r, &s->bytes, &length, &flags);
	if (data && is_context_data(s))
		add_context(s, data, length, flags);
	else if (data && s->section == SECTION_VM)
		add_vm(s, data, length, flags);
	else if (data)
		add_member(s, data, length, s->length);
	s->length = 0;
}

/* "Log data: ...", "CTB data: ...": 6.12 and logs, where no length is told. */
static bool take_unsized(struct reading *s)
{
	static const struct {
		const char *key, *name;
	} keys[] = { { "Log data: ", "LOG" }, { "CTB data: ", "CTB" } };

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		size_t length = strlen(keys[i].key);

		if (!words_begin(s->r.line, keys[i].key))
			continue;
		end_data(s);
		s->name = (struct words){ keys[i].name, strlen(keys[i].name) };
		dump_bytes_begin(&s->r, &s->bytes, false, 0);
		dump_bytes_text(&s->r, &s->bytes, words_from(s->r.line, length));
		return true;
	}
	return false;
}

/* "[NAME].length: 0x1000", "[NAME].data: ...", "[NAME].error: -14", ".properties: a|b" */
static bool take_memory(struct reading *s)
{
	struct words line = s->r.line, key, value;
	const char *close = memchr(line.text, ']', MIN(line.length, (size_t)256)), *colon;
	struct dump_register number = { .value = 0 };

	if (*line.text != '[' || !close || close + 1 == line.text + line.length || close[1] != '.')
		return false;
	colon = memchr(close, ':', MIN(line.length - (size_t)(close - line.text), (size_t)32));
	if (!colon)
		return false;
	end_data(s);
	key = (struct words){ close + 2, (size_t)(colon - close) - 2 };
	value = words_trim(words_from(line, (size_t)(colon - line.text) + 1));
	if (words_are(key, "data")) {
		if (!words_are(s->name, "") &&
		    (s->name.length != (size_t)(close - line.text) - 1 ||
		     memcmp(s->name.text, line.text + 1, s->name.length)))
			s->length = 0;
		s->name = (struct words){ line.text + 1, (size_t)(close - line.text) - 1 };
		dump_bytes_begin(&s->r, &s->bytes, false, s->length);
		dump_bytes_text(&s->r, &s->bytes, value);
		return true;
	}
	if (words_are(key, "length") && dump_number(value, &number)) {
		if (s->section == SECTION_VM)
			dump_property(&s->r, s->prefix,
				      (struct words){ line.text, (size_t)(colon - line.text) },
				      value);
		s->name = (struct words){ line.text + 1, (size_t)(close - line.text) - 1 };
		s->length = number.value;
		return true;
	}
	dump_property(&s->r, s->prefix,
		      (struct words){ line.text, (size_t)(colon - line.text) }, value);
	return true;
}

/* ---- the rest ------------------------------------------------------------------------------- */

/*
 * "[0000fffeffdee000-0000fffeffdfdfff] S:0x0000000000010000 A:0000000137c70000 SYS" and "VM root:
 * A:0x1083f7000 SYS": the VM, before a section was made of it (xe_vm.c of Linux 6.9,
 * xe_analyze_vm()). Where it lies is told as properties of the newer form are.
 */
static void add_range(struct reading *s, const char *key, struct words value)
{
	const int digits = 16;
	char *name = part_alloc(s->r.part, 48);

	s->r.memory_out |= !name;
	if (!name)
		return;
	snprintf(name, 48, "[%.*s].%s", digits, s->r.line.text + 1, key);
	dump_property(&s->r, (struct words){ "vm", 2 }, (struct words){ name, strlen(name) },
		      words_trim(value));
}

static bool take_range(struct reading *s)
{
	const size_t dash = 17, close = 34, size = 38, place = 56;
	struct words line = s->r.line;

	if (words_begin(line, "VM root: ")) {
		dump_property(&s->r, (struct words){ "vm", 2 }, (struct words){ "root", 4 },
			      words_from(line, strlen("VM root: ")));
		return true;
	}
	if (line.length <= place || *line.text != '[' || line.text[dash] != '-' ||
	    line.text[close] != ']' || !words_begin(words_from(line, close), "] S:0x"))
		return false;
	add_range(s, "length", (struct words){ line.text + size, place - size });
	add_range(s, "place", words_from(line, place));
	return true;
}

/* "rcs0 (physical), logical instance=0" */
static bool take_engine(struct reading *s)
{
	if (!words_find((struct words){ s->r.line.text, MIN(s->r.line.length, (size_t)80) },
			" (physical), logical instance="))
		return false;
	if (s->section != SECTION_ENGINES)
		begin_section(s, SECTION_ENGINES);
	s->engine = dump_engine(&s->r, s->r.line);
	return true;
}

#define JOBS_MAX 64			/* a job has one batch for each engine that works on it */

static void take_batch(struct reading *s, struct words value)
{
	struct dump_register number = { .value = 0 };
	uint64_t *slot = s->batches.count < JOBS_MAX && dump_number(value, &number)
				 ? vec_add(&s->batches) : NULL;

	if (slot)
		*slot = number.value & UINT64_C(0xffffffffffff);
}

static void take_ring(struct reading *s, struct words value)
{
	struct dump_register number = { .value = 0 };
	uint64_t *slot = s->rings.count < JOBS_MAX && dump_number(value, &number) && number.value
				 ? vec_add(&s->rings) : NULL;

	if (slot)
		*slot = number.value & UINT64_C(0xfffff000);
}

static void take_context(struct reading *s, struct words key, struct words value)
{
	struct dump_register number = { .value = 0 };

	/* Each context of a parallel queue has its own; before 6.12 it had no heading. */
	if (words_are(key, "GuC ID") && s->section != SECTION_CONTEXTS)
		begin_section(s, SECTION_CONTEXTS);
	if (words_are(key, "HW Context Desc") && dump_number(value, &number))
		s->context = number.value & UINT64_C(0xfffff000);
	if (words_are(key, "HW Ring address"))
		take_ring(s, value);
	if (s->section == SECTION_CONTEXTS && words_are(key, "Width") &&
	    dump_number(value, &number))
		s->width = number.value;
}

static void take_key(struct reading *s)
{
	struct words line = { s->r.line.text, MIN(s->r.line.length, (size_t)512) };
	struct dump_register reg = { .offset = UINT32_MAX };
	struct words prefix;

	if (!dump_split(line, &reg.key, &reg.text))
		return;
	/* It may begin a section. */
	take_context(s, reg.key, reg.text);
	prefix = s->prefix;
	if (words_begin(reg.key, "batch_addr["))
		take_batch(s, reg.text);
	dump_identity(&s->r, reg.key, reg.text);
	reg.engine = s->engine;
	if (s->section == SECTION_ENGINES && s->engine && !words_are(reg.key, "Forcewake") &&
	    dump_number(reg.text, &reg)) {
		dump_register(&s->r, &reg);
		return;
	}
	/* The queues of the GuC are members: thousands of lines. */
	if (words_begin(reg.key, "cmd["))
		return;
	if (s->engine)
		prefix = dump_engine_words(s->r.dump, s->engine);
	dump_property(&s->r, prefix, reg.key, reg.text);
}

static void take_line(struct reading *s)
{
	struct words title;

	if (take_memory(s) || take_unsized(s) || take_range(s))
		return;
	end_data(s);
	if (parse_title(s->r.line, &title))
		take_title(s, title);
	else if (!take_engine(s))
		take_key(s);
}

/* ---- what belongs together ------------------------------------------------------------------ */

/*
 * The dump is of one queue; listed are all engines that it may run on (xe_devcoredump.c), of which
 * some have work of others, or none. Whose it is, these tell, the surest first.
 */
typedef bool suits_fn(const struct reading *s, const struct dump_engine *engine);

static bool has_ring(const struct reading *s, const struct dump_engine *engine)
{
	for (size_t i = 0; i < s->rings.count && engine->flags & GSC_BUFFER_START; i++)
		if ((engine->start & UINT64_C(0xfffff000)) == s->rings.items[i])
			return true;
	return false;
}

static bool is_in_memory(const struct reading *s, const struct dump_engine *engine)
{
	uint64_t acthd = engine->acthd & UINT64_C(0xffffffffffff);

	for (size_t i = 0; i < s->r.dump->buffers.count && engine->flags & GSC_BUFFER_ACTHD; i++) {
		const struct dump_buffer *b = &s->r.dump->buffers.items[i];

		if (b->kind == GSC_BUFFER_USER && acthd - b->address < b->length)
			return true;
	}
	return false;
}

static bool has_work(const struct reading *s, const struct dump_engine *engine)
{
	const unsigned both = GSC_BUFFER_HEAD | GSC_BUFFER_TAIL;

	(void)s;
	return (engine->flags & both) == both && engine->head != engine->tail;
}

static bool is_listed(const struct reading *s, const struct dump_engine *engine)
{
	(void)engine;
	return s->r.dump->engines.count == 1;
}

static const struct {
	suits_fn *suits;
	const char *why;
} signs[] = {
	{ is_listed, "its queue runs on no other" },
	{ has_ring, "RING_START is that of the queue's ring" },
	{ is_in_memory, "ACTHD is in the memory of the queue" },
	{ has_work, "no other engine of the queue has work" },
};

static void blame(struct reading *s, uint64_t which, const char *why)
{
	struct dump *dump = s->r.dump;

	for (size_t i = 0; i < dump->engines.count; i++) {
		if (!(which >> i & 1))
			continue;
		dump->engines.items[i].flags |= GSC_BUFFER_HUNG;
		dump_property(&s->r, dump_engine_words(dump, (uint8_t)(i + 1)),
			      (struct words){ "blamed", 6 }, (struct words){ why, strlen(why) });
	}
}

/* A bit for each of the engines that the queue ran on; 0: it does not show. */
static uint64_t find_engines(struct reading *s)
{
	const struct dump *dump = s->r.dump;
	size_t count = MIN(dump->engines.count, (size_t)64);
	uint64_t left = UINT64_MAX;

	for (size_t n = 0; n < ARRAY_SIZE(signs); n++) {
		uint64_t found = 0;

		for (size_t i = 0; i < count; i++)
			if (left >> i & 1 && signs[n].suits(s, &dump->engines.items[i]))
				found |= UINT64_C(1) << i;
		if (found && (uint64_t)__builtin_popcountll(found) <= MAX(s->width, UINT64_C(1))) {
			blame(s, found, signs[n].why);
			return found;
		}
		if (found)
			left = found;
	}
	return 0;
}

/* All of a queue's engines are of one class: which of them decodes a buffer does not matter. */
static void finish_engines(struct reading *s)
{
	struct dump *dump = s->r.dump;
	uint64_t found = find_engines(s);
	uint8_t engine = found ? (uint8_t)(__builtin_ctzll(found) + 1) : 1;

	for (size_t i = 0; i < dump->buffers.count && dump->engines.count; i++)
		dump->buffers.items[i].engine = engine;
}

static void add_batch(struct reading *s, uint64_t address)
{
	struct dump *dump = s->r.dump;

	for (size_t i = 0; i < dump->buffers.count; i++) {
		struct dump_buffer from = dump->buffers.items[i], *batch;

		if (from.kind != GSC_BUFFER_USER || address < from.address ||
		    address - from.address >= from.length)
			continue;
		batch = dump_add_buffer(&s->r, (struct words){ "batch", 5 }, address);
		if (!batch)
			return;
		batch->kind = GSC_BUFFER_BATCH;
		batch->process = true;
		batch->data = from.data + (address - from.address);
		batch->length = from.length - (address - from.address);
		batch->flags = from.flags;
		return;
	}
}

/* A dump that says when it was taken, but of no engine: somebody has left the rest away. */
static void note_cut(struct reading *s)
{
	const struct dump *dump = s->r.dump;
	const size_t room = 96;
	bool head = false;
	size_t i = 0;
	char *text;

	for (size_t n = 0; n < dump->properties.count; n++)
		head |= words_are(dump->properties.items[n].key, "Snapshot time");
	if (!head || dump->engines.count)
		return;
	while (i < ARRAY_SIZE(sections) - 1 && sections[i].section != s->section)
		i++;
	text = part_alloc(s->r.part, room);
	s->r.memory_out |= !text;
	if (!text)
		return;
	snprintf(text, room, "it ends in its part \"%s\", before \"HW Engines\"",
		 sections[i].title);
	dump_property(&s->r, (struct words){ "", 0 }, (struct words){ "cut", 3 },
		      (struct words){ text, strlen(text) });
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct reading s = { .section = SECTION_OTHER, .prefix = { "", 0 }, .name = { "", 0 } };

	if (!dump_begin(&s.r, source, part))
		return err_memory(err);
	s.r.dump->ppgtt = PPGTT_FULL;
	while (dump_line(&s.r))
		if (!dump_bytes_continue(&s.r, &s.bytes))
			take_line(&s);
	end_data(&s);
	end_section(&s, (const char *)part->blob.data + part->blob.size);
	note_cut(&s);
	for (size_t i = 0; i < s.batches.count; i++)
		add_batch(&s, s.batches.items[i]);
	finish_engines(&s);
	vec_free(&s.batches);
	vec_free(&s.rings);
	vec_free(&s.bytes.bytes);
	vec_free(&s.bytes.packed);
	return dump_end(&s.r, err);
}

const struct reader reader_devcoredump = { "Xe devcoredump", GSC_SOURCE_DEVCOREDUMP, score, load };
