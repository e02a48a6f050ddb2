/* SPDX-License-Identifier: MIT */
/*
 * What the drivers print about an engine's registers when they give up a job or the GPU:
 *   rcs0 (physical), logical instance=0
 *           RING_START: 0x01f4d000
 *           RING_HEAD: 0x00000090
 *           RING_TAIL: 0x00000090
 * i915 has "rcs0" in front (intel_engine_cs.c intel_engine_dump()), xe the line above
 * (xe_hw_engine.c). The engine may have had nothing to do.
 */
#include "log/log.h"

#define AFTER_LINES 40			/* in which the requests follow */
#define BACK_LINES 400			/* from an engine's registers back to its name: requests */

/* "[  90.1] heartbeat rcs0 heartbeat {...} not ticking", "__intel_gt_set_wedged rcs'0" */
static bool is_header(struct slice line)
{
	const char *word;
	char engine[16];

	while (line.end > line.at && (unsigned char)line.end[-1] <= ' ')
		line.end--;
	if (text_has(line, "heartbeat {"))
		return true;
	for (word = line.end; word > line.at && line.end - word < 8 && word[-1] != ' ' &&
			      word[-1] != '\t'; word--)
		;
	return text_engine((struct slice){ word, line.end }, engine, sizeof(engine));
}

/* i915 prints the state of requests in between. Returns the line that names the engine, or NULL. */
static const char *find_engine(const struct log *log, const char *block, struct gsc_event *event)
{
	const char *end = block;

	for (unsigned i = 0; i < BACK_LINES && end > log->text; i++) {
		const char *newline = memrchr(log->text, '\n', (size_t)(end - 1 - log->text));
		struct slice line = { newline ? newline + 1 : log->text, end - 1 };

		if (line.end - line.at < 512 && is_header(line)) {
			text_engine(line, event->fault.engine, sizeof(event->fault.engine));
			return line.at;
		}
		/* Another engine's, which has no name either. */
		if (slice_find(line, "RING_START:"))
			return NULL;
		end = line.at;
	}
	return NULL;
}

/*
 * Whose request the engine works on, and its batch, which come before the registers or after them:
 *   active on engine E  7:1a2b prio=0 @ 5000ms: game[999]
 *   [head 0000, postfix 0040, tail 0058, batch 0x00000000_00a1c000]:
 */
static void find_request(const struct log *log, const char *from, const char *registers,
			 struct gsc_event *event)
{
	struct slice line = { from, memchr(from, '\n', (size_t)(log->end - from)) ?: log->end };
	struct slice name, rest;
	bool known = false;
	uint64_t batch;

	for (unsigned i = 0; i < AFTER_LINES && log_line_after(log, line.end, &line);
	     i += line.at > registers) {
		if (line.at > registers && (is_header(line) || slice_find(line, "RING_START:")))
			return;
		if (!*event->process && text_after(line, " @ ", &rest) &&
		    text_after(rest, ": ", &name))
			text_process(name, "", event->process, sizeof(event->process));
		if (!known && text_hex(line, "batch ", &batch) && batch)
			known = log_value(event, "BATCH", batch);
	}
}

bool engine_registers(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char head[] =
		"logical instance=|Forcewake:|HWSTAM:|RING_HWS_PGA:|RING_EXECLIST_|EL_STAT_|CCID:|"
		"MMIO base:|On hold?:|Requests:|Properties:|_ms:|_ns:|Reset count:|Heartbeat:|"
		"Runtime:|Latency:|Barriers?:|Awake?|*** WEDGED ***";
	static const char tail[] =
		"RING_HEAD:|RING_TAIL:|RING_CTL:|RING_MODE:|RING_MI_MODE:|RING_IMR:|RING_ESR:|"
		"RING_EMR:|RING_EIR:|ACTHD:|BBADDR:|DMA_FADDR:|IPEIR:|IPEHR:";
	static const char *const names[] = {
		"RING_START", "RING_HEAD", "RING_TAIL", "RING_CTL", "ACTHD", "BBADDR", "IPEHR",
	};
	struct slice block = log_block(log, head, tail, event);
	uint64_t values[ARRAY_SIZE(names)];
	const char *from;
	char key[24];

	(void)rest;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		string_set(key, "%s:", names[i]);
		if (!text_hex(block, key, &values[i])) {
			if (i == 1 || i == 2)
				return false;
			continue;
		}
		log_value(event, names[i], values[i]);
	}
	from = block.at;
	if (!text_engine(block, event->fault.engine, sizeof(event->fault.engine)))
		from = find_engine(log, block.at, event) ?: block.at;
	find_request(log, from, block.end, event);
	if (values[1] == values[2])
		log_say(event, "the driver printed the engine's registers: it was idle, HEAD and "
			"TAIL are 0x%llx", LL(values[1]));
	else
		log_say(event, "the driver printed the engine's registers: it had work left, from "
			"HEAD 0x%llx to TAIL 0x%llx", LL(values[1]), LL(values[2]));
	if (*event->process)
		log_add(event, "; its request is of %s", event->process);
	return true;
}
