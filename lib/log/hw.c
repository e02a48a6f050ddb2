/* SPDX-License-Identifier: MIT */
/*
 * What both drivers say about the hardware around the engines: access to registers, power, display;
 * and about themselves. Origin: i915 intel_uncore.c, i915_driver.c, the files of display/;
 * xe_force_wake.c, xe_pcode.c, xe_survivability_mode.c; Linux drivers/base/dd.c, lib/ratelimit.c.
 */
#include "log/log.h"

#include <stdio.h>

/* ---- the whole device ----------------------------------------------------------------------- */

bool log_wedge(struct log *log, struct slice rest, struct gsc_event *event)
{
	event->wedged = true;
	return log_plain(log, rest, event);
}

/*
 * xe 0000:03:00.0: probe with driver xe failed with error -22
 * i915: probe of 0000:00:02.0 failed with error -5
 */
static bool handle_probe(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const drivers[] = { "i915", "xe" };
	const char *driver = NULL;
	struct slice error;
	uint64_t number;
	char words[24];

	if (!text_after(rest, "failed with error -", &error) || !take_decimal(&error, &number))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(drivers); i++) {
		snprintf(words, sizeof(words), "%s ", drivers[i]);
		if (slice_begins(rest, words))
			driver = drivers[i];
		snprintf(words, sizeof(words), "%s: ", drivers[i]);
		if (text_has(log->prefix, words))
			driver = drivers[i];
	}
	if (!driver)
		return false;
	snprintf(event->driver, sizeof(event->driver), "%s", driver);
	if (!*event->device)
		text_function(rest, event->device, sizeof(event->device));
	event->kind = GSC_EVENT_ERROR;
	log_say(event, "the driver %s failed to start the GPU: error -%llu", driver,
		(unsigned long long)number);
	return true;
}

/* "dmar_fault: 42 callbacks suppressed": whose messages the kernel left out, and how many. */
static bool handle_suppressed(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const struct {
		const char *prefix, *driver;
	} functions[] = {
		{ "dmar_", "DMAR" }, { "i915_", "i915" }, { "intel_", "i915" }, { "gen", "i915" },
		{ "guc_", "i915" }, { "ct_", "i915" }, { "fw_domain", "i915" }, { "xe_", "xe" },
		{ "pf_queue_", "xe" }, { "print_pagefault", "xe" }, { "handle_pagefault", "xe" },
		{ "g2h_", "xe" },
	};
	const char *end = log->prefix.end, *at;
	uint64_t count;

	(void)rest;
	while (end > log->prefix.at && end[-1] != ':')
		end--;
	log->prefix.at = end;
	take_blanks(&log->prefix);
	if (!take_decimal(&log->prefix, &count) || end == log->line.at)
		return false;
	end--;
	for (at = end; at > log->line.at && at[-1] != ' ' && at[-1] != '\t'; at--)
		;
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		if (!slice_begins((struct slice){ at, end }, functions[i].prefix))
			continue;
		event->kind = GSC_EVENT_ERROR;
		snprintf(event->driver, sizeof(event->driver), "%s", functions[i].driver);
		log_say(event, "the kernel left out %llu more message%s of %.*s (suppressed)",
			(unsigned long long)count, count == 1 ? "" : "s",
			(int)MIN(end - at, 60), at);
		return true;
	}
	return false;
}

/* ---- the display ---------------------------------------------------------------------------- */

/* Both drivers have the same display code. */
static bool is_display(struct log *log, struct slice rest, struct gsc_event *event)
{
	event->kind = log->words->kind;
	return !strcmp(event->driver, "xe") || log_plain(log, rest, event);
}

/* "CPU pipe A FIFO underrun: soft,", "PCH transcoder A FIFO underrun" */
static bool handle_underrun(struct log *log, struct slice rest, struct gsc_event *event)
{
	static const char *const keys[] = { "CPU pipe ", "PCH transcoder " };
	struct slice letter;

	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!text_after(log->prefix, keys[i], &letter) || letter.at == letter.end)
			continue;
		if (!is_display(log, rest, event))
			return false;
		event->fault.type = LOG_UNDERRUN;
		log_say(event, "%s%c got its pixels too late: this causes flicker, but does not "
			"stop the GPU", keys[i], *letter.at);
		return true;
	}
	return false;
}

/* "Fault errors on pipe A: 0x00000080" */
static bool handle_plane(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t bits;
	char pipe;

	if (rest.at == rest.end || *rest.at < 'A' || *rest.at > 'D' ||
	    !is_display(log, rest, event))
		return false;
	pipe = *rest.at++;
	log_say(event, "a plane of display pipe %c had a page fault while fetching", pipe);
	if (!text_hex(rest, ":", &bits))
		return true;
	log_value(event, "DE_PIPE_IIR", bits);
	log_add(event, ": DE_PIPE_IIR 0x%llx ", (unsigned long long)bits);
	if (!log_add_bits(log, event, NULL, "DE_PIPE_IIR", pipe - 'A', bits))
		log_add(event, "(give -p PLATFORM to decode its bits)");
	return true;
}

/* Helpers of all DRM drivers print this, too. */
static bool handle_flip(struct log *log, struct slice rest, struct gsc_event *event)
{
	if (!*event->driver && !text_has(log->line, "pipe "))
		return false;
	return log_plain(log, rest, event);
}

#define GONE(words, text) { words, NULL, GSC_EVENT_ERROR, "", text, true, 0 }
#define LESSER(words, text)                                                                        \
	{ words, NULL, GSC_EVENT_ERROR, "", text, true, GSC_EVENT_LESSER }
#define FLIP(words, text) { words, handle_flip, GSC_EVENT_ERROR, "", text, true, GSC_EVENT_LESSER }
#define BUS "registers of the GPU read as all ones: it is off, or gone from the bus"
#define AWAKE "the GPU did not wake up in time (forcewake): its registers cannot be trusted"
#define FLASH "the card's own firmware is bad: it must be flashed again"
#define PCODE "the power controller (PCODE) did not answer"

const struct log_words log_hw[] = {
	{ .words = "probe with driver ", .handler = handle_probe },
	{ .words = "probe of ", .handler = handle_probe },
	{ .words = "callbacks suppressed", .handler = handle_suppressed, .rank = GSC_EVENT_ASIDE },
	GONE("Device initialization failed", "the driver failed to start the GPU"),
	GONE("failed to map registers", "the driver could not map the GPU's registers"),
	GONE("Failed to re-initialize GPU", "the GPU did not start again"),
	{ "has declared device ", log_wedge, GSC_EVENT_RESET, "",
	  "the driver gave up on the GPU (wedged)", true, 0 },
	GONE("MMIO unreliable", BUS),
	GONE("Lost access to MMIO BAR", BUS),
	GONE("Device is non-operational", BUS),
	GONE("device lost from bus", "the GPU is gone from the bus"),
	GONE("waiting for forcewake ack", AWAKE),
	GONE("waiting for forcewake to ack", AWAKE),
	GONE("failed to ack ", AWAKE),
	GONE("In Survivability Mode", FLASH),
	GONE("urvivability mode enabled", FLASH),
	GONE("LMEM not initialized by firmware", "the card's memory was not set up at boot"),
	LESSER("PCODE Mailbox failed", PCODE),
	LESSER("PCODE timeout", PCODE),
	LESSER("PCODE initialization timed", PCODE),
	LESSER("intel_pcode_init failed", PCODE),
	{ "Unclaimed access detected", NULL, GSC_EVENT_ERROR, "",
	  "something accessed a register that does not exist", true, GSC_EVENT_ASIDE },
	{ "Unclaimed register detected", NULL, GSC_EVENT_ERROR, "",
	  "something accessed a register that does not exist", true, GSC_EVENT_ASIDE },
	{ "FIFO underrun", handle_underrun, GSC_EVENT_ERROR, "i915", NULL, true, GSC_EVENT_ASIDE },
	{ "Fault errors on pipe ", handle_plane, GSC_EVENT_ERROR, "i915", NULL, true, 0 },
	{ "Atomic update failure on pipe", NULL, GSC_EVENT_ERROR, "",
	  "a frame was set up too late: this causes flicker, but does not stop the GPU", true,
	  GSC_EVENT_ASIDE },
	FLIP("flip_done timed out", "the display did not finish a page flip in time"),
	FLIP("commit wait timed out", "the display did not finish a page flip in time"),
	FLIP("vblank wait timed out", "the display sent no vertical blank in time"),
	LESSER("power well enable timeout", "a power well of the display did not come on"),
};

const size_t log_hw_count = ARRAY_SIZE(log_hw);
