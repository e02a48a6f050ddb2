/* SPDX-License-Identifier: MIT */
/*
 * Device core dumps of the xe driver (xe_devcoredump.c and what it calls), from Linux 6.8 on:
 * sections headed "**** NAME ****". Memory is "[NAME].length: 0x1000", then "[NAME].data: " and
 * base 85, whose line logs and other printers break; in the section of the VM, NAME is an address.
 */
#include "formats/readers.h"
#include "formats/capture.h"
#include "formats/dump.h"
#include "text/lines.h"

#include <ctype.h>

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
static bool parse_title(struct slice line, struct slice *title)
{
	if (!slice_begins(line, "**** ") || !slice_ends(line, " ****") || slice_length(line) < 11)
		return false;
	*title = (struct slice){ line.at + 5, line.end - 5 };
	return true;
}

static size_t find_section(struct slice title)
{
	size_t i = 0;

	while (i < ARRAY_SIZE(sections) && !slice_begins(title, sections[i].title))
		i++;
	return i;
}

/* "rcs0 (physical), logical instance=0", "[7f0000000000].length: 0x1000", "GuC ID: 5" */
static bool is_own(struct slice line)
{
	struct slice rest = line;
	uint64_t number;

	if (take_text(&rest, "[") && take_digits(&rest, 16, &number))
		return slice_begins(rest, "].length: 0x");
	rest = line;
	if (take_text(&rest, "GuC ID: "))
		return slice_number(rest, &number);
	return slice_begins(line, "H2G CTB (all sizes in DW)") ||
	       slice_begins(line, "[LOG].length: 0x") || slice_begins(line, "[CTB].length: 0x") ||
	       slice_find(slice_first(line, 80), " (physical), logical instance=");
}

static unsigned score(const uint8_t *data, size_t size)
{
	struct dump_reading reading = { .lines = { .data = data,
						   .size = MIN(size, (size_t)SCORE_BYTES) } };
	unsigned found = 0;
	struct slice title;

	if (!bytes_are_text(data, size))
		return 0;
	for (size_t i = 0; i < SCORE_LINES && dump_line(&reading); i++) {
		found += is_own(reading.line);
		if (!parse_title(reading.line, &title))
			continue;
		if (slice_is(title, sections[0].title))
			return 100;
		found += find_section(title) < ARRAY_SIZE(sections);
	}
	return found > 1 ? 100 : found ? 85 : 0;
}

/* ---- reading -------------------------------------------------------------------------------- */

typedef VEC(uint64_t) address_vec;

/* The two rings of messages, in dwords. */
#define CT_TO 1024u
#define CT_FROM_MOST 32768u
#define CT_DWORDS (2 * CT_TO + CT_FROM_MOST)

static const struct {
	const char *heading, *prefix;
} buffers[] = { { "H2G CTB (all", "guc-ct.H2G" }, { "G2H CTB (all", "guc-ct.G2H" } };

struct reading {
	struct dump_reading r;
	enum section section;
	char gt[8];			/* "gt0/" */
	const char *section_start;	/* of a section that becomes a member */
	uint8_t engine;
	struct slice prefix;
	uint64_t length;		/* of the data that follows */
	struct slice name;		/* of it: "HWSP", "7f0000000000" */
	uint64_t context;		/* GGTT address, or 0 */
	uint64_t width;			/* how many engines work on a job */
	struct slice messages;		/* the buffer of messages that is listed, or empty */
	uint64_t messages_size, messages_head;
	uint32_t (*unread)[CT_DWORDS];	/* listed messages as they lie in memory, or NULL */
	uint32_t ends[2][2], from_size;	/* head and tail of both rings; dwords of the second */
	bool messages_known, messages_wrong;
	bool messages_done;		/* what follows is another buffer's, without a heading */
	bool titled;			/* it has parts of a dump, not only engines */
	address_vec batches, rings;
	struct dump_bytes bytes;
};

/*
 * Until 6.12 a dump has no image of the rings, but lists the messages that nobody has read:
 * "cmd[465]: 0x80520003". They become one, as if no other had ever been there: descriptors 2 KB
 * apart, the ring to the GuC (a page), and the one from it.
 */
static void take_message(struct reading *s, struct slice key, uint64_t word)
{
	bool from = s->messages.at == buffers[1].prefix;
	uint64_t i;

	if (!take_text(&key, "cmd[") || !take_decimal(&key, &i) || i >= s->messages_size ||
	    s->messages_size > (from ? CT_FROM_MOST : CT_TO) || word > UINT32_MAX)
		return;
	if (!s->unread) {
		s->unread = part_alloc(s->r.part, sizeof(*s->unread));
		s->r.memory_out |= !s->unread;
		if (!s->unread)
			return;
		memset(s->unread, 0, sizeof(*s->unread));
	}
	(*s->unread)[(from ? 2 * CT_TO : CT_TO) + i] = (uint32_t)word;
}

static void end_messages(struct reading *s, const char *name)
{
	size_t size = (2 * CT_TO + s->from_size) * 4;

	if (!s->unread)
		return;
	for (unsigned i = 0; i < 2; i++)
		memcpy(*s->unread + i * CT_TO / 2, s->ends[i], sizeof(s->ends[i]));
	dump_add_member(&s->r, name, (const uint8_t *)*s->unread, size, size);
	s->unread = NULL;
}

/* What the GuC has logged stays unchanged, for its own tools. */
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
	snprintf(name, sizeof(name), "%sguc-ct.bin", s->gt);
	end_messages(s, name);
}

static void begin_section(struct reading *s, enum section section)
{
	end_section(s, s->r.lines.text.at);
	s->section = section;
	s->engine = 0;
	s->messages = slice_string("");
	for (size_t i = 0; i < ARRAY_SIZE(sections); i++)
		if (sections[i].section == section)
			s->prefix = slice_string(sections[i].prefix);
	if (section == SECTION_LOG || section == SECTION_CT)
		s->section_start = s->r.lines.text.at;
}

/* ---- memory --------------------------------------------------------------------------------- */

/* The keys are those of 6.12 and of logs, without a length. */
static const struct {
	const char *key, *name, *member;
} blobs[] = { { "Log data: ", "LOG", "guc-log.bin" }, { "CTB data: ", "CTB", "guc-ct.bin" } };

static void add_member(struct reading *s, const uint8_t *data, uint64_t length, uint64_t size)
{
	const char *file = NULL;
	char name[64];

	for (size_t i = 0; i < ARRAY_SIZE(blobs); i++)
		if (slice_is(s->name, blobs[i].name))
			file = blobs[i].member;
	if (file)
		snprintf(name, sizeof(name), "%s%s", s->gt, file);
	else
		snprintf(name, sizeof(name), "%s%.*s.bin", s->gt, SLICE(slice_first(s->name, 40)));
	for (char *at = name + strlen(s->gt); *at; at++)
		if (!isalnum((unsigned char)*at) && !strchr("-_.", *at))
			*at = '_';
	dump_add_member(&s->r, name, data, (size_t)MAX(size, length), (size_t)length);
}

/* The registers of a context follow its status page: both become one buffer. */
static void add_context(struct reading *s, const uint8_t *data, uint64_t length, unsigned flags)
{
	struct dump *dump = s->r.dump;
	struct dump_buffer *buffer = dump->buffers.count ?
		&dump->buffers.items[dump->buffers.count - 1] : NULL;
	bool page = slice_is(s->name, "HWSP");
	uint8_t *both;

	if (!s->context) {
		add_member(s, data, length, s->length);
		return;
	}
	if (!page && buffer && buffer->kind == GSC_BUFFER_CONTEXT &&
	    buffer->address == s->context && buffer->length == PPHWSP_BYTES) {
		both = part_alloc(s->r.part, (size_t)(PPHWSP_BYTES + length));
		s->r.memory_out |= !both;
		if (!both)
			return;
		memcpy(both, buffer->data, PPHWSP_BYTES);
		memcpy(both + PPHWSP_BYTES, data, (size_t)length);
		buffer->data = both;
		buffer->length += length;
		buffer->flags |= flags;
		return;
	}
	buffer = dump_add_buffer(&s->r, slice_string("HW context"),
				 s->context + (page ? 0 : PPHWSP_BYTES));
	if (!buffer)
		return;
	buffer->kind = GSC_BUFFER_CONTEXT;
	buffer->data = data;
	buffer->length = length;
	buffer->flags = flags | GSC_BUFFER_HUNG;
}

/* Without its bytes; NULL: there are too many. */
static struct dump_buffer *add_vm_buffer(struct reading *s, uint64_t address, uint64_t length)
{
	struct dump_buffer *buffer = dump_add_buffer(&s->r, slice_string("VM"), address);

	if (!buffer)
		return NULL;
	buffer->kind = GSC_BUFFER_USER;
	buffer->process = true;
	buffer->length = MIN(length, (UINT64_C(1) << 48) - buffer->address);
	return buffer;
}

static void end_data(struct reading *s)
{
	uint64_t length, packed, address;
	struct dump_buffer *buffer = NULL;
	const uint8_t *data;
	unsigned flags;

	if (!s->bytes.open)
		return;
	data = dump_bytes_end(&s->r, &s->bytes, &length, &flags, &packed);
	if (data && (slice_is(s->name, "HWSP") || slice_is(s->name, "HWCTX")))
		add_context(s, data, length, flags);
	else if (data && (s->section != SECTION_VM || !slice_hex(s->name, &address)))
		add_member(s, data, length, s->length);
	else if (data)
		buffer = add_vm_buffer(s, address, length);
	if (buffer) {
		buffer->data = data;
		buffer->flags = flags;
	}
	s->length = 0;
}

static bool take_unsized(struct reading *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(blobs); i++) {
		struct slice data = s->r.line;

		if (!take_text(&data, blobs[i].key))
			continue;
		end_data(s);
		s->name = slice_string(blobs[i].name);
		dump_bytes_begin(&s->r, &s->bytes, false, 0);
		dump_bytes_text(&s->r, &s->bytes, data);
		return true;
	}
	return false;
}

/* "[NAME].length: 0x1000", "[NAME].data: ...", "[NAME].error: -14", ".properties: a|b" */
static bool take_memory(struct reading *s)
{
	struct slice line = s->r.line, whole, name, key, value;
	const char *close = slice_char(slice_first(line, 256), ']'), *colon;
	struct dump_register number = { .value = 0 };
	struct dump_buffer *buffer;
	uint64_t address, packed;

	if (*line.at != '[' || !close || close + 1 == line.end || close[1] != '.')
		return false;
	colon = slice_char(slice_first((struct slice){ close, line.end }, 32), ':');
	if (!colon)
		return false;
	end_data(s);
	whole = (struct slice){ line.at, colon };
	name = (struct slice){ line.at + 1, close };
	key = (struct slice){ close + 2, colon };
	value = slice_trim((struct slice){ colon + 1, line.end });
	/* The memory of the VM, without its title. */
	if (s->section == SECTION_OTHER && slice_is(key, "length") &&
	    slice_hex(name, &number.value))
		begin_section(s, SECTION_VM);
	if (slice_is(key, "data")) {
		if (!slice_is(s->name, "") && !slice_same(s->name, name))
			s->length = 0;
		s->name = name;
		/* Memory of the process, to be decoded when it is read. */
		if (s->section == SECTION_VM && slice_hex(name, &address) &&
		    dump_bytes_later(&s->r, value, s->length, &packed)) {
			buffer = add_vm_buffer(s, address, s->length);
			if (buffer)
				buffer->packed = packed;
			s->length = 0;
			return true;
		}
		dump_bytes_begin(&s->r, &s->bytes, false, s->length);
		dump_bytes_text(&s->r, &s->bytes, value);
		return true;
	}
	if (slice_is(key, "length") && dump_number(value, &number)) {
		if (s->section == SECTION_VM)
			dump_property(&s->r, s->prefix, whole, value);
		s->name = name;
		s->length = number.value;
		return true;
	}
	dump_property(&s->r, s->prefix, whole, value);
	return true;
}

/* ---- the rest ------------------------------------------------------------------------------- */

/*
 * "[0000fffeffdee000-0000fffeffdfdfff] S:0x0000000000010000 A:0000000137c70000 SYS" and "VM root:
 * A:0x1083f7000 SYS": the VM, before it had its own section (xe_vm.c of Linux 6.9,
 * xe_analyze_vm()). Its addresses become properties of the newer form.
 */
static void add_range(struct reading *s, const char *key, struct slice value)
{
	const int digits = 16;
	char *name = part_alloc(s->r.part, 48);

	s->r.memory_out |= !name;
	if (!name)
		return;
	snprintf(name, 48, "[%.*s].%s", digits, s->r.line.at + 1, key);
	dump_property(&s->r, slice_string("vm"), slice_string(name), slice_trim(value));
}

static bool take_range(struct reading *s)
{
	const size_t dash = 17, close = 34, size = 38, place = 56;
	struct slice line = s->r.line;

	if (take_text(&line, "VM root: ")) {
		dump_property(&s->r, slice_string("vm"), slice_string("root"), line);
		return true;
	}
	if (slice_length(line) <= place || *line.at != '[' || line.at[dash] != '-' ||
	    line.at[close] != ']' || !slice_begins(slice_from(line, close), "] S:0x"))
		return false;
	add_range(s, "length", slice_of(line.at + size, place - size));
	add_range(s, "place", slice_from(line, place));
	return true;
}

#define JOBS_MAX 64			/* a job has one batch for each engine that works on it */

/* An address of 48 bits, or of a ring, in the GGTT. */
static void take_address(address_vec *list, struct slice value, uint64_t mask)
{
	struct dump_register number = { .value = 0 };

	if (list->count < JOBS_MAX && dump_number(value, &number) && number.value & mask)
		(void)vec_push(list, number.value & mask);
}

static void take_context(struct reading *s, struct slice key, struct slice value)
{
	struct dump_register number = { .value = 0 };

	/* Each context of a parallel queue has its own; before 6.12 it had no heading. */
	if (slice_is(key, "GuC ID") && s->section != SECTION_CONTEXTS) {
		s->titled = true;
		begin_section(s, SECTION_CONTEXTS);
	}
	if (slice_is(key, "HW Context Desc") && dump_number(value, &number))
		s->context = number.value & UINT64_C(0xfffff000);
	if (slice_is(key, "HW Ring address"))
		take_address(&s->rings, value, UINT64_C(0xfffff000));
	if (s->section == SECTION_CONTEXTS && slice_is(key, "Width") && dump_number(value, &number))
		s->width = number.value;
}

/* "H2G CTB (all sizes in DW):" begins what is known about one of the two buffers of messages. */
static bool take_buffer(struct reading *s)
{
	for (size_t i = 0; i < ARRAY_SIZE(buffers); i++) {
		if (!slice_begins(s->r.line, buffers[i].heading))
			continue;
		if (s->section != SECTION_CT)
			begin_section(s, SECTION_CT);
		s->messages = slice_string(buffers[i].prefix);
		s->messages_size = s->messages_head = 0;
		s->messages_done = false;
		return true;
	}
	return false;
}

/* What is wrong with that buffer, and how many dwords in it nobody has read. */
static void follow_buffer(struct reading *s, struct slice key, struct slice value)
{
	uint64_t size = s->messages_size, head = s->messages_head, number;
	const char *word;

	if (!slice_number(value, &number))
		return;
	if (s->messages_done && (slice_is(key, "size") || slice_ends(key, " (memory)")))
		return;
	if (slice_is(key, "size")) {
		s->messages_size = number;
		s->from_size = number <= CT_FROM_MOST ? (uint32_t)number : 0;
		return;
	}
	if (slice_is(key, "head (memory)")) {
		s->messages_head = number;
		return;
	}
	s->messages_done |= slice_is(key, "status (memory)");
	word = slice_is(key, "broken") ? "broken" : slice_is(key, "status (memory)") ?
	       "status (memory)" : slice_is(key, "g2h outstanding") ? "g2h outstanding" : NULL;
	if (slice_is(key, "tail (memory)") && number < size && head < size && size <= UINT32_MAX) {
		s->ends[s->messages.at == buffers[1].prefix][0] = (uint32_t)head;
		s->ends[s->messages.at == buffers[1].prefix][1] = (uint32_t)number;
		word = "unread";
		number = (number + size - head) % size;
	}
	s->messages_known |= word != NULL;
	s->messages_wrong |= word && number;
	if (word && number)
		s->r.memory_out |= !part_say(s->r.part, s->messages.at, word, "0x%llx", LL(number));
}

static void take_key(struct reading *s)
{
	struct slice line = slice_first(s->r.line, 512);
	struct dump_register reg = { .offset = UINT32_MAX };
	struct slice prefix;

	if (!dump_split(line, &reg.key, &reg.text))
		return;
	/* It may begin a section. */
	take_context(s, reg.key, reg.text);
	/* In debugfs it is always "Manual". */
	s->titled |= s->engine && slice_is(reg.key, "Capture_source") && slice_is(reg.text, "GuC");
	prefix = s->prefix;
	if (slice_begins(reg.key, "batch_addr["))
		take_address(&s->batches, reg.text, UINT64_C(0xffffffffffff));
	dump_identity(&s->r, reg.key, reg.text);
	reg.engine = s->engine;
	if (s->section == SECTION_ENGINES && s->engine && !slice_is(reg.key, "Forcewake") &&
	    dump_number(reg.text, &reg)) {
		dump_register(&s->r, &reg);
		return;
	}
	/* The queues of the GuC are members: thousands of lines. */
	if (slice_begins(reg.key, "cmd[")) {
		if (slice_length(s->messages) && dump_number(reg.text, &reg))
			take_message(s, reg.key, reg.value);
		return;
	}
	if (s->engine)
		prefix = dump_engine_words(s->r.dump, s->engine);
	dump_property(&s->r, prefix, reg.key, reg.text);
	if (s->section == SECTION_CT && slice_length(s->messages))
		follow_buffer(s, reg.key, reg.text);
}

static void take_line(struct reading *s)
{
	struct slice title;
	uint64_t number;
	size_t i;

	if (take_memory(s) || take_unsized(s) || take_range(s))
		return;
	end_data(s);
	if (parse_title(s->r.line, &title)) {
		i = find_section(title);
		s->titled = true;
		begin_section(s, i < ARRAY_SIZE(sections) ? sections[i].section : SECTION_OTHER);
		if (i == ARRAY_SIZE(sections))
			s->prefix = title;
		if (s->section == SECTION_GT && slice_number(slice_from(title, 4), &number) &&
		    number < 100)
			snprintf(s->gt, sizeof(s->gt), "gt%u/", (unsigned)number);
	} else if (!take_buffer(s)) {
		/* "rcs0 (physical), logical instance=0" */
		if (!slice_find(slice_first(s->r.line, 80), " (physical), logical instance=")) {
			take_key(s);
			return;
		}
		if (s->section != SECTION_ENGINES)
			begin_section(s, SECTION_ENGINES);
		s->engine = dump_engine(&s->r, s->r.line);
	}
}

/* ---- what belongs together ------------------------------------------------------------------ */

/*
 * The dump is about one queue, but lists all engines that it may run on (xe_devcoredump.c), some of
 * which have other work, or none. These signs say whose it is, the most reliable first.
 */
enum sign { LISTED_ALONE, HAS_RING, IN_MEMORY, HAS_WORK, SIGNS };

static const char *const signs[SIGNS] = {
	[LISTED_ALONE] = "its queue runs on no other engine",
	[HAS_RING] = "RING_START is that of the queue's ring",
	[IN_MEMORY] = "ACTHD is in the memory of the queue",
	[HAS_WORK] = "no other engine of the queue has work",
};

static bool suits(const struct reading *s, enum sign sign, const struct dump_engine *engine)
{
	const unsigned both = GSC_BUFFER_HEAD | GSC_BUFFER_TAIL;
	const struct dump *dump = s->r.dump;
	bool found = false;

	if (sign == LISTED_ALONE)
		return dump->engines.count == 1;
	if (sign == HAS_WORK)
		return (engine->flags & both) == both && engine->head != engine->tail;
	for (size_t i = 0; i < s->rings.count && sign == HAS_RING; i++)
		found |= engine->flags & GSC_BUFFER_START &&
			 (engine->start & UINT64_C(0xfffff000)) == s->rings.items[i];
	for (size_t i = 0; i < dump->buffers.count && sign == IN_MEMORY; i++) {
		const struct dump_buffer *b = &dump->buffers.items[i];

		found |= engine->flags & GSC_BUFFER_ACTHD && b->kind == GSC_BUFFER_USER &&
			 (engine->acthd & UINT64_C(0xffffffffffff)) - b->address < b->length;
	}
	return found;
}

/* A bit for each engine that the queue ran on; 0: the dump does not show it. */
static uint64_t find_engines(struct reading *s)
{
	struct dump *dump = s->r.dump;
	size_t count = MIN(dump->engines.count, (size_t)64);
	uint64_t left = UINT64_MAX;

	for (enum sign n = 0; n < SIGNS; n++) {
		uint64_t found = 0;

		for (size_t i = 0; i < count; i++)
			if (left >> i & 1 && suits(s, n, &dump->engines.items[i]))
				found |= UINT64_C(1) << i;
		if (found && (uint64_t)__builtin_popcountll(found) <= MAX(s->width, UINT64_C(1))) {
			for (size_t i = 0; i < count; i++) {
				if (!(found >> i & 1))
					continue;
				dump->engines.items[i].flags |= GSC_BUFFER_HUNG;
				dump_property(&s->r, dump_engine_words(dump, (uint8_t)(i + 1)),
					      slice_string("blamed"), slice_string(signs[n]));
			}
			return found;
		}
		if (found)
			left = found;
	}
	return 0;
}

static void add_batch(struct reading *s, uint64_t address)
{
	struct dump *dump = s->r.dump;

	for (size_t i = 0; i < dump->buffers.count; i++) {
		struct dump_buffer from = dump->buffers.items[i], *batch;
		uint64_t at = address - from.address;

		if (from.kind != GSC_BUFFER_USER || at >= from.length)
			continue;
		dump_buffer_data(dump, &from);
		s->r.memory_out |= dump->memory_out;
		if (at >= from.length)
			continue;
		dump->buffers.items[i] = from;
		batch = dump_add_buffer(&s->r, slice_string("batch"), address);
		if (!batch)
			return;
		batch->kind = GSC_BUFFER_BATCH;
		batch->process = true;
		batch->data = from.data + at;
		batch->length = from.length - at;
		batch->flags = from.flags;
		return;
	}
}

/* Of a part of a dump that has no engine: what is there instead, and in order. */
static bool note_rest(struct reading *s)
{
	const struct dump *dump = s->r.dump;
	struct part *part = s->r.part;
	uint64_t first = UINT64_MAX, end = 0;
	size_t ranges = 0, i = 0;
	bool said = true;

	if (dump->engines.count)
		return true;
	/* A dump that says when it was taken, but has no engine: somebody has removed the rest. */
	if (slice_length(part_says(part, "Snapshot time"))) {
		while (i < ARRAY_SIZE(sections) - 1 && sections[i].section != s->section)
			i++;
		said = part_say(part, "", "cut", "it ends in the part \"%s\", before "
				"\"HW Engines\"", sections[i].title);
	}
	if (s->messages_known && !s->messages_wrong)
		said &= part_say(part, "", "messages",
				 "driver and GuC have read all messages of each other");
	for (i = 0; i < dump->buffers.count; i++) {
		const struct dump_buffer *b = &dump->buffers.items[i];

		if (b->kind != GSC_BUFFER_USER)
			continue;
		ranges++;
		first = MIN(first, b->address);
		end = MAX(end, b->address + b->length);
	}
	if (ranges)
		said &= part_say(part, "", "memory",
				 "%zu range%s of the process, from ppgtt:0x%llx to 0x%llx", ranges,
				 ranges == 1 ? "" : "s", LL(first), LL(end));
	return said;
}

static enum gsc_status load(struct gsc_source *source, struct part *part, struct gsc_error *err)
{
	struct reading s = { .section = SECTION_OTHER, .prefix = slice_string(""),
			     .name = slice_string(""), .messages = slice_string("") };
	const char *uc = strstr(part->name, "/uc/");
	const struct dump *dump;
	uint64_t found;

	if (!dump_begin(&s.r, source, part))
		return err_memory(err);
	s.r.dump->ppgtt = PPGTT_FULL;
	/* "/sys/kernel/debug/dri/0/gt1/uc/guc_ctb" */
	if (uc && uc - 4 >= part->name && !strncmp(uc - 4, "/gt", 3))
		snprintf(s.gt, sizeof(s.gt), "%.4s", uc - 3);
	while (dump_line(&s.r))
		if (!dump_bytes_continue(&s.r, &s.bytes))
			take_line(&s);
	end_data(&s);
	end_section(&s, (const char *)part->blob.data + part->blob.size);
	s.r.memory_out |= !note_rest(&s);
	for (size_t i = 0; i < s.batches.count; i++)
		add_batch(&s, s.batches.items[i]);
	dump = s.r.dump;
	/* Until 6.10 a hang was printed untitled, as messages and engines: debugfs has either. */
	s.titled |= s.messages_known && dump->engines.count;
	/* All engines of a queue are of one class: any of them decodes a buffer. */
	found = s.titled ? find_engines(&s) : 0;
	for (size_t i = 0; i < dump->buffers.count && dump->engines.count; i++)
		dump->buffers.items[i].engine =
			found ? (uint8_t)(__builtin_ctzll(found) + 1) : 1;
	part->any_time = !s.titled;
	vec_free(&s.batches);
	vec_free(&s.rings);
	vec_free(&s.bytes.bytes);
	vec_free(&s.bytes.packed);
	return dump_end(&s.r, err);
}

/* ---- in a pasted text ----------------------------------------------------------------------- */

static bool begins(const struct lines *line)
{
	static const char *const words[] = {
		"**** Xe Device Coredump ****", "**** GuC ", "**** Job ****",
		"**** HW Engines ****", "**** VM state ****", "**** Contexts ****", "**** GT #",
	};

	return slice_begins_any(line->text, words, ARRAY_SIZE(words)) || is_own(line->text);
}

/* xe prints registers and the PCI id by i915's names; the name of a process may be anything. */
static bool includes(const struct reader *other, const struct lines *line)
{
	static const char *const others[] = { "GPU HANG: ecode ", "Active process (on ring" };

	if (slice_begins(line->text, "Process: "))
		return true;
	return other == &reader_error_state &&
	       !slice_begins_any(line->text, others, ARRAY_SIZE(others));
}

const struct reader reader_devcoredump = {
	"Xe devcoredump", GSC_SOURCE_DEVCOREDUMP, score, load,
	.hang = true,
	.holds_log = true,
	.file = CAPTURE_DEVCOREDUMP,
	.begins = begins,
	.includes = includes,
};
