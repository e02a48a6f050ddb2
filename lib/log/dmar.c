/* SPDX-License-Identifier: MIT */
/*
 * What the IOMMU's driver says about the GPU. The forms of its line, the oldest first:
 *   DMAR:[DMA Read] Request device [00:02.0] fault addr fa700000
 *       DMAR:[fault reason 06] PTE Read access is not set
 *   DMAR: [DMA Read] Request device [00:02.0] fault addr fa700000 [fault reason 06] PTE ...
 *   ... Request device [00:02.0] PASID ffffffff fault addr fa700000 [fault reason 06] ...
 *   [DMA Read NO_PASID] ... [0x00:0x02.0] fault addr 0xfa700000 [fault reason 0x06] ...
 *   [DMA Read PASID 0x5] Request device [00:02.0] fault addr 0xfa700000 ...
 * and Xen's:
 *   [VT-D]DMAR:[DMA Read] Request device [0000:00:02.0] fault addr fa700000, iommu reg = ...
 *   [VT-D]DMAR: reason 06 - PTE Read access is not set
 */
#include "log/log.h"

#define NO_PASID UINT32_MAX
#define SECOND_LEVEL "vtd-sl"
#define TOO_WIDE 4			/* an address that the domain cannot have */

bool log_second_level(const struct gsc_event *event)
{
	const char *level = event->fault.level;

	return !event->has_reason || event->reason == TOO_WIDE ||
	       (level && !strcmp(level, SECOND_LEVEL));
}

/* "06", "0x06", "06h": decimal in old lines, so 10 means 16 only if it is marked so. */
static bool take_reason(struct slice text, uint64_t *reason)
{
	struct slice number;

	if (!text_after(text, "[fault reason ", &number) &&
	    !text_after(text, "DMAR: reason ", &number))
		return false;
	take_blanks(&number);
	text = number;
	if (slice_begins(number, "0x"))
		return take_hex(&number, reason) && *reason <= UINT8_MAX;
	if (take_decimal(&number, reason))
		return *reason <= UINT8_MAX;
	text.end = memchr(text.at, 'h', (size_t)(text.end - text.at));
	return text.end && take_hex(&text, reason) && text.at == text.end && *reason <= UINT8_MAX;
}

static void explain(const struct log *log, struct gsc_event *event)
{
	/* Which table the hardware used. */
	static const struct {
		unsigned from, to;
		char level[12];
	} levels[] = {
		{ 0x01, 0x01, "vtd-root" }, { 0x02, 0x03, "vtd-context" },
		{ 0x05, 0x07, SECOND_LEVEL }, { 0x08, 0x08, "vtd-root" },
		{ 0x09, 0x09, "vtd-context" }, { 0x0a, 0x0a, "vtd-root" },
		{ 0x0b, 0x0b, "vtd-context" }, { 0x0c, 0x0c, SECOND_LEVEL },
		{ 0x38, 0x3a, "vtd-root" }, { 0x40, 0x48, "vtd-context" },
		{ 0x50, 0x5d, "vtd-pasid" }, { 0x78, 0x7c, SECOND_LEVEL },
	};
	struct gsc_value meaning = { 0 };

	if (!event->has_reason)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(levels); i++)
		if (event->reason >= levels[i].from && event->reason <= levels[i].to)
			event->fault.level = levels[i].level;
	if (!log_meaning(log->db, GSC_STRUCTURE, "VTD_FAULT_RECORD", "FAULT_REASON", event->reason,
			 &meaning)) {
		log_add(event, ": fault reason 0x%x, which has no documented meaning",
			event->reason);
		return;
	}
	event->fault.type = meaning.name;
	log_add(event, ": %s, reason 0x%x", meaning.name, event->reason);
	if (meaning.doc)
		log_add(event, " (%s)", meaning.doc);
}

bool dmar_request(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_fault *fault = &event->fault;
	uint64_t number;

	if (!text_function(slice_first(rest, 18), event->device, sizeof(event->device)) ||
	    !log_is_gpu(log, event->device))
		return false;
	strcpy(event->driver, "DMAR");
	fault->space = "dma";
	/* The old form has the reason in a separate line. */
	event->has_reason = take_reason(rest, &number) ||
		take_reason(log_block(log, "", "[fault reason |DMAR: reason ", event), &number);
	event->reason = event->has_reason ? (uint32_t)number : 0;
	if (text_hex(rest, "fault index ", &number)) {
		log_say(event, "the IOMMU blocked interrupt %llu of %s", LL(number), event->device);
		explain(log, event);
		return true;
	}
	fault->access = text_has(log->prefix, "DMA Read") ? "read" :
			text_has(log->prefix, "DMA Write") ? "write" : NULL;
	fault->has_address = text_hex(rest, "fault addr ", &fault->address);
	event->has_pasid = text_hex(log->line, "PASID ", &number) && number < NO_PASID;
	event->pasid = event->has_pasid ? (uint32_t)number : 0;
	log_say(event, "the IOMMU blocked a %s", fault->access ? fault->access : "request");
	if (fault->has_address)
		log_add(event, " of 0x%llx", LL(fault->address));
	log_add(event, " by %s", event->device);
	if (event->has_pasid)
		log_add(event, " with PASID 0x%x", event->pasid);
	explain(log, event);
	return fault->has_address || event->has_reason;
}

/* "DMAR: dmar0: Invalid page request: QW0 QW1": the fields of a page request descriptor. */
bool dmar_page_request(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct gsc_fault *fault = &event->fault;
	uint64_t low, high;
	unsigned function;

	take_blanks(&rest);
	if (!take_hex(&rest, &low))
		return false;
	take_blanks(&rest);
	if (!take_hex(&rest, &high))
		return false;
	function = low >> 16 & 0xffff;
	string_set(event->device, "0000:%02x:%02x.%u", function >> 8,
		 function >> 3 & 31, function & 7);
	if (!log_is_gpu(log, event->device))
		return false;
	strcpy(event->driver, "DMAR");
	fault->space = "dma";
	fault->access = high & 2 ? "write" : high & 1 ? "read" : NULL;
	fault->has_address = true;
	fault->address = high & ~UINT64_C(0xfff);
	event->has_pasid = low & 0x100;
	event->pasid = event->has_pasid ? (uint32_t)(low >> 32 & 0xfffff) : 0;
	log_say(event, "the kernel refused a page request of %s for 0x%llx", event->device,
		LL(fault->address));
	if (event->has_pasid)
		log_add(event, " with PASID 0x%x", event->pasid);
	return true;
}
