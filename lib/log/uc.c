/* SPDX-License-Identifier: MIT */
/*
 * What i915 and xe say about the firmware: the GuC, which schedules work, the HuC and the GSC. If a
 * load fails there are two lines or more:
 *   GT0: GUC: load failed: status = 0x400000A0, time = 3ms, freq = 2400MHz, ret = 0
 *   GT0: GUC: load failed: status: Reset = 0, BootROM = 0x50, UKernel = 0x00, MIA = 0x00, ...
 *   GT0: GUC: firmware signature verification failed
 * Origin of all messages: i915, the files of gt/uc/; xe_guc*.c, xe_uc_fw.c, xe_huc.c, xe_gsc.c.
 */
#include "db/firmware.h"
#include "formats/dump.h"
#include "log/log.h"

/* ---- which firmware ------------------------------------------------------------------------- */

/* "i915/skl_guc_70.1.1.bin" */
static void add_path(const struct log *log, struct slice line, struct gsc_event *event)
{
	char folder[24];
	struct slice rest, name;

	for (size_t i = 0; i < LOG_DRIVERS; i++) {
		string_set(folder, "%s/", log_drivers[i]);
		if (!text_after(line, folder, &rest))
			continue;
		event->platforms = firmware_platforms(log->db, rest);
		name = slice_first(rest, 60);
		for (rest = name; rest.at < rest.end && *rest.at > ' ' &&
				  !strchr(",:;()\"'", *rest.at);)
			rest.at++;
		name.end = rest.at;
		while (slice_ends(name, "."))
			name.end--;
		log_add(event, ", %s%.*s", folder, SLICE(name));
		return;
	}
}

#define CHOSEN_BEFORE 4096		/* bytes in front of a message */

/*
 * What was to be loaded, which the driver says some lines earlier:
 *   GT0: GuC firmware i915/dg2_guc_70.bin version 70.5.1
 *   GT0: Using GuC firmware from xe/bmg_guc_70.bin version 70.44.1
 */
static void add_chosen(const struct log *log, struct gsc_event *event)
{
	const char *start = log->line_start;
	struct slice rest = { start - MIN(start - log->text, CHOSEN_BEFORE), start };
	struct slice chosen = { NULL, NULL }, line, version;

	while (text_after(rest, "GuC firmware ", &rest)) {
		const char *from = memrchr(log->text, '\n', (size_t)(rest.at - log->text));

		line.at = from ? from + 1 : log->text;
		line.end = memchr(rest.at, '\n', (size_t)(rest.end - rest.at)) ?: rest.end;
		if (text_has(line, event->device))
			chosen = (struct slice){ rest.at, line.end };
	}
	if (!chosen.at || !text_after(chosen, " version ", &version))
		return;
	add_path(log, chosen, event);
	if (firmware_version(&version, &chosen))
		log_add(event, " (%.*s)", SLICE(chosen));
}

/* ---- the state in which it did not start ---------------------------------------------------- */

bool uc_load(struct log *log, struct slice rest, struct gsc_event *event)
{
	/* In the order in which the load goes through them; the bits are those of GUC_STATUS. */
	static const struct {
		char field[12], words[12], title[16];
		unsigned shift, mask;
	} stages[] = {
		{ "BOOTROM", "BootROM = ", "boot ROM", 1, 0x7f },
		{ "UKERNEL", "UKernel = ", "firmware", 8, 0xff },
		{ "AUTH_STATUS", "Auth = ", "authentication", 30, 3 },
	};
	static const char tail[] =
		"load failed: status|firmware signature verification failed|"
		"firmware production part check failure|invalid key requested|firmware exception|"
		"illegal |invalid w/a KLV|still extracting hwconfig";
	struct slice block = log_block(log, "", tail, event);
	struct gsc_value meaning;
	uint64_t status, value;
	const char *join = ": ";
	bool whole = text_hex(block, "status = ", &status) && status <= UINT32_MAX;

	(void)rest;
	add_chosen(log, event);
	if (whole) {
		log_value(event, "GUC_STATUS", status);
		log_add(event, ", GUC_STATUS 0x%08llx", LL(status));
	}
	for (size_t i = 0; i < ARRAY_SIZE(stages); i++) {
		if (whole)
			value = status >> stages[i].shift & stages[i].mask;
		else if (!text_hex(block, stages[i].words, &value))
			continue;
		log_add(event, "%s%s 0x%02llx", join, stages[i].title, LL(value));
		if (log_meaning(log->db, GSC_REGISTER, "GUC_STATUS", stages[i].field, value,
				&meaning))
			log_add(event, " (%s)", meaning.name);
		join = ", ";
	}
	return true;
}

/* ---- requests ------------------------------------------------------------------------------- */

static void add_named(const struct log *log, struct gsc_event *event, const char *structure,
		      const char *field, uint64_t value)
{
	struct gsc_value meaning;

	log_add(event, " 0x%llx", LL(value));
	if (log_meaning(log->db, GSC_STRUCTURE, structure, field, value, &meaning))
		log_add(event, " (%s%s%s)", meaning.name, meaning.doc ? ": " : "",
			meaning.doc ? meaning.doc : "");
}

/* The status is the first dword of the answer. Origin: i915 gt/uc/abi/guc_messages_abi.h. */
#define HXG_TYPE(status) ((unsigned)(status) >> 28 & 7)
#define HXG_FAILURE 6
#define HXG_ERROR(status) ((status) & 0xffff)

/*
 * Each begins with the request:
 *   CT: Sending action 0x550b failed (-EIO) status=0XE000000A
 *   CT: No response for request 0x5503 (fence 168)
 *   mmio request 0x5507: no reply 5507           mmio request 0x4509: failure 306/0
 *   GuC mmio request 0x4509: failure 0x306 hint 0x0
 *   H2G request 0x1001 failed: error 0x30 hint 0x0
 *   Timed out wait for G2H, fence 5, action 1001, done no
 */
bool uc_request(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice number = rest, front;
	uint64_t action, status, error = 0;
	bool has_error = text_hex(rest, "failure ", &error) ||
			 text_hex(rest, "failed: error ", &error);

	/* Debug messages. */
	if (text_has_any(rest, "retrying|trying again|canceled|busy: counter|rejected due to"))
		return log_harmless(log, rest, event);
	if (!has_error && text_after(rest, "failure ", &number)) {
		front = take_until(&number, "/");
		has_error = take_hex(&front, &error);
	}
	if (!has_error && text_after(rest, "status=", &number)) {
		number = slice_first(number, 20);
		front = take_until(&number, " \t,;\r\n");
		has_error = take_hex(&front, &status) && HXG_TYPE(status) == HXG_FAILURE;
		error = has_error ? HXG_ERROR(status) : 0;
	}
	log_say(event, has_error ? "the GuC firmware refused a request:" :
				 "the GuC firmware did not answer a request:");
	number = rest;
	take_blanks(&number);
	if (!take_hex(&number, &action) && !text_hex(rest, "action ", &action))
		return false;
	add_named(log, event, "GUC_HXG_REQUEST", "ACTION", action);
	if (has_error) {
		log_add(event, ": error");
		add_named(log, event, "GUC_HXG_FAILURE", "ERROR", error);
	}
	return true;
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Whose firmware a line is about. */
static const char *firmware_of(struct slice line)
{
	static const char names[][4] = { "GuC", "HuC", "GSC", "DMC" };
	static const struct {
		char words[5];
		uint8_t name;
	} marks[] = {
		{ "GuC", 0 }, { "GUC", 0 }, { "_guc", 0 }, { "guc_", 0 }, { "HuC", 1 },
		{ "HUC", 1 }, { "_huc", 1 }, { "GSC", 2 }, { "_gsc", 2 }, { "DMC", 3 },
		{ "_dmc", 3 }, { "CSR", 3 }, { "_csr", 3 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(marks); i++)
		if (slice_find(line, marks[i].words))
			return names[marks[i].name];
	return NULL;
}

/* "CT: Failed to process request 6000 (-EOPNOTSUPP)": of the GuC to the driver. */
bool uc_unknown(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice number = take_until(&rest, " ");
	uint64_t action;

	(void)log;
	if (!take_hex(&number, &action))
		return false;
	log_add(event, ", 0x%llx", LL(action));
	log_add_code(event, rest);
	return true;
}

/* The words of the table say what became of it. */
bool uc_file(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *name = firmware_of(log->line);

	if (!name)
		return false;
	/* Without that of the DMC the display saves no power, without that of the HuC some video
	 * does not work. */
	if (strcmp(name, "GuC"))
		event->rank = MAX(event->rank, GSC_EVENT_LESSER);
	log_say(event, "the %s firmware %s", name, log->words.text);
	add_path(log, log->line, event);
	log_add_code(event, rest);
	if (text_has(log->line, "runtime power management"))
		log_add(event, "; the driver does not power the GPU down at run time");
	return true;
}

/*
 * "Unsupported GuC v70.20.0! v70.29.2 or newer is required", "... version 0.0.0 != 7.10.0"
 */
bool uc_version(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice found, wanted;

	if (!uc_file(log, rest, event))
		return false;
	if (!firmware_version(&rest, &found))
		return true;
	log_add(event, ": it is %.*s", SLICE(found));
	if (firmware_version(&rest, &wanted))
		log_add(event, ", and %.*s%s is needed", SLICE(wanted),
			text_has(rest, "or newer") ? " or newer" : "");
	return true;
}

/* "GuC firmware (70.19.2) is recommended, but only (70.5.1) was found in i915/tgl_guc_70.bin" */
bool uc_older(struct log *log, struct slice rest, struct gsc_event *event)
{
	const char *name = firmware_of(log->line);
	struct slice front, wanted, found;

	if (!name)
		return false;
	log_say(event, "the %s firmware is older than the driver recommends", name);
	add_path(log, log->line, event);
	if (text_after(log->prefix, " firmware ", &front) && firmware_version(&front, &wanted) &&
	    firmware_version(&rest, &found))
		log_add(event, ": it is %.*s, not %.*s", SLICE(found), SLICE(wanted));
	return true;
}

/* "Direct firmware load for i915/skl_dmc_ver1_27.bin failed with error -2" */
bool uc_direct(struct log *log, struct slice rest, struct gsc_event *event)
{
	if (!slice_begins(rest, "i915/") && !slice_begins(rest, "xe/"))
		return false;
	return uc_file(log, rest, event);
}

/* "Failed to save VF7 state (-EPROTO)" */
bool uc_vf(struct log *log, struct slice rest, struct gsc_event *event)
{
	uint64_t number;

	(void)log;
	if (take_decimal(&rest, &number))
		log_add(event, ", VF%llu", LL(number));
	log_add_code(event, rest);
	return true;
}

/* "HuC: timed out waiting for MEI GSC": it may come later. */
bool uc_late(struct log *log, struct slice rest, struct gsc_event *event)
{
	struct slice line = log->line;

	(void)rest;
	for (unsigned i = 0; i < BLOCK_MOST && log_line_after(log, line.end, &line) &&
			     !slice_find(line, log->words.words); i++)
		if (text_has(line, "HuC: authenticated") && text_has(line, event->device)) {
			log_add(event, "; it was authenticated later");
			break;
		}
	return true;
}

/* "Failed to load DMC firmware i915/...", not that of a network card. */
bool uc_named(struct log *log, struct slice rest, struct gsc_event *event)
{
	return firmware_of(slice_first(rest, 3)) && uc_file(log, rest, event);
}
