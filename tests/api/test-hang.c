/* SPDX-License-Identifier: MIT */
/* What went wrong: demos, dumps of both drivers, logs; and the events of logs. */
#include "test.h"

#include <stdlib.h>

static struct gpuscope_hang *hang_of(const char *source)
{
	struct gpuscope_gpu *gpu = gpu_of(source);
	struct gpuscope_hang *hang = NULL;

	if (gpu)
		FINE(gpuscope_hang_new(gpu, &hang));
	/* The hang goes on without it. */
	gpuscope_gpu_free(gpu);
	return hang;
}

static size_t count_of(const void *array)
{
	const void *const *pointers = array;
	size_t count = 0;

	while (pointers[count])
		count++;
	return count;
}

static const struct gpuscope_engine *engine_named(const struct gpuscope_hang *hang,
						  const char *name)
{
	for (size_t i = 0; hang->engines[i]; i++)
		if (!strcmp(hang->engines[i]->name, name))
			return hang->engines[i];
	return NULL;
}

static void test_fault(const struct gpuscope_hang *hang)
{
	const struct gpuscope_fault *fault = hang->faults[0];
	const struct gpuscope_entry *entry;
	struct gpuscope_list *list;
	unsigned entries = 0;

	CHECK(fault && !hang->faults[1]);
	NUMBER(fault->size, sizeof(*fault));
	CHECK(fault->valid);
	TEXT(fault->engine, "rcs0");
	NUMBER(*fault->address, 0x7a1105603000);
	TEXT(fault->space, "ppgtt");
	TEXT(fault->type, "invalid PDE");
	TEXT(fault->reg->name, "RING_FAULT_REG");
	NUMBER(*fault->value, 0x12b);
	CHECK(strstr(fault->text, "rcs0 (unit 37) asked for 0x7a1105603000") != NULL);
	TEXT(fault->no_walk, NULL);
	CHECK(!fault->walk->mapped);
	NUMBER(fault->walk->stop, GPUSCOPE_STOP_NOT_PRESENT);
	TEXT(fault->walk->stop_level, "pde");
	FINE(gpuscope_walk_entries(fault->walk, &list));
	while ((entry = gpuscope_next(list)))
		entries += entry->held;
	CHECK(entries >= 3);
	gpuscope_list_free(list);
	TEXT(fault->cause->command, "PIPE_CONTROL");
	NUMBER(fault->cause->address, 0x10002003c);
	TEXT(fault->cause->field, "ADDRESS");
	NUMBER(fault->cause->value, 0x7a1105603000);
	CHECK(fault->cause->stopped);
}

static void test_demo(void)
{
	struct gpuscope_hang *hang = hang_of("demo:skl-hang");
	const struct gpuscope_engine *engine;

	if (!hang)
		return;
	TEXT(hang->verdict, "rcs0 hangs in PIPE_CONTROL at ppgtt:0x10002003c after a page fault at "
	     "ppgtt:0x7a1105603000 (invalid PDE); the walk stops at the page directory: entry not "
	     "present.");
	TEXT(hang->signature, "skl/rcs0/PIPE_CONTROL/ppgtt-fault");
	test_fault(hang);
	engine = engine_named(hang, "rcs0");
	NUMBER(engine->size, sizeof(*engine));
	NUMBER(engine->state, GPUSCOPE_ENGINE_STATE_HUNG);
	TEXT(gpuscope_engine_state_word(engine->state), "hung");
	NUMBER(*engine->acthd, 0x10002003c);
	NUMBER(*engine->ipehr, 0x7a000004);
	TEXT(engine->command, "PIPE_CONTROL");
	NUMBER(*engine->command_address, 0x10002003c);
	CHECK(strstr(engine->where, "in the second-level batch at 0x100020000") != NULL);
	TEXT(engine->evidence[1], "work-left: 168 bytes of commands are left: HEAD is 0xbf0, "
	     "TAIL 0xc98");
	TEXT(engine->evidence[2], "busy: CS, GAM");
	engine = engine_named(hang, "vcs0");
	NUMBER(engine->state, GPUSCOPE_ENGINE_STATE_UNKNOWN);
	CHECK(!engine->head && !engine->command && !engine->command_address);
	gpuscope_hang_free(hang);
	gpuscope_hang_free(NULL);
}

static void test_findings(void)
{
	struct gpuscope_hang *hang = hang_of("demo:snb-hang");
	const struct gpuscope_finding *finding;
	struct gpuscope_list *list = NULL;
	unsigned count = 0;

	if (!hang)
		return;
	TEXT(hang->errors[0]->field, "PAGE_TABLE_ERROR");
	TEXT(hang->errors[0]->reg->name, "rcs0.EIR");
	NUMBER(hang->errors[0]->value, 0x10);
	CHECK(!hang->errors[1]);
	FINE(gpuscope_hang_check(hang, &list));
	/* The findings go on without the hang. */
	gpuscope_hang_free(hang);
	while ((finding = gpuscope_next(list))) {
		TEXT(finding->rule, "same-address");
		CHECK(count || !strcmp(finding->where, "0x14000-0x16000"));
		count++;
	}
	NUMBER(count, 3);
	CHECK(!gpuscope_list_error(list));
	gpuscope_list_free(list);
}

static void test_dump(void)
{
	struct gpuscope_hang *hang = hang_of("driver-made/i915-6.1-icl-unknown.gz");
	const struct gpuscope_request *request;

	if (!hang)
		return;
	TEXT(hang->signature, "icl/rcs0/UNKNOWN/error-INSTRUCTION_ERROR");
	NUMBER(count_of(hang->engines), 5);
	NUMBER(count_of(hang->requests), 1);
	request = hang->requests[0];
	TEXT(request->engine, "rcs0");
	TEXT(request->name, "ELSP[0]");
	TEXT(request->state, "began, not done");
	NUMBER(*request->context, 0xf);
	NUMBER(*request->seqno, 2);
	NUMBER(*request->pid, 105);
	TEXT(hang->facts[0]->key, "hang");
	TEXT(hang->facts[0]->value, "ecode 11:1:e07ffffe, in hang-i915 [105]");
	gpuscope_hang_free(hang);
}

/* It does not say which platform it is of. */
static void test_log(void)
{
	struct gpuscope_gpu *gpu = gpu_of("driver-made/xe-6.12-tgl-log.gz");
	const struct gpuscope_register *reg;
	struct gpuscope_list *list = NULL;
	struct gpuscope_hang *hang = NULL;
	const struct gpuscope_event *event;
	unsigned count = 0, line = 0;

	CHECK(!gpuscope_gpu_info(gpu)->platform);
	FINE(gpuscope_hang_new(gpu, &hang));
	TEXT(hang->signature, "-/rcs/-/hang");
	CHECK(!strncmp(hang->verdict, "First (line 13, 36.828770): a job timed out on rcs", 50));
	CHECK(!hang->engines[0] && !hang->faults[0] && !hang->requests[0] && !hang->errors[0]);
	gpuscope_hang_free(hang);
	ERROR(gpuscope_commands(gpu, NULL, &list), GPUSCOPE_STATUS_USAGE, "platform",
	      "does not say");
	ERROR(gpuscope_register_find(gpu, "EIR", &reg), GPUSCOPE_STATUS_USAGE, "platform",
	      "does not say");
	FINE(gpuscope_events(gpu, &list));
	gpuscope_gpu_free(gpu);
	while ((event = gpuscope_next(list))) {
		CHECK(event->line > line);
		line = (unsigned)event->line;
		if (count++ != 1)
			continue;
		NUMBER(event->kind, GPUSCOPE_EVENT_KIND_HANG);
		TEXT(gpuscope_event_kind_word(event->kind), "hang");
		NUMBER(event->rank, GPUSCOPE_EVENT_RANK_MAIN);
		NUMBER(event->line, 13);
		NUMBER(event->line_count, 1);
		TEXT(event->stamp, "36.828770");
		TEXT(event->driver, "xe");
		TEXT(event->device, "0000:00:02.0");
		TEXT(event->process, "hang-xe [159]");
		TEXT(event->fault->engine, "rcs");
		CHECK(strstr(event->log, "Timedout job") != NULL);
	}
	NUMBER(count, 10);
	gpuscope_list_free(list);
}

static void test_logged_fault(void)
{
	static const char text[] =
		"[  100.000001] i915 0000:00:02.0: [drm] *ERROR* Unexpected fault\n"
		"[  100.000002] DMAR: [DMA Read NO_PASID] Request device [00:02.0] fault addr "
		"0x7a1105603000 [fault reason 0x06] PTE Read access is not set\n";
	const struct gpuscope_bytes bytes = { .size = sizeof(bytes), .name = "log", .data = text,
					      .length = sizeof(text) - 1 };
	const struct gpuscope_bytes *const all[] = { &bytes, NULL };
	struct gpuscope_options options = { .size = sizeof(options), .bytes = all };
	struct gpuscope_hang *hang = NULL;
	struct gpuscope_gpu *gpu = NULL;

	FINE(gpuscope_open(NULL, 0, &options, &gpu));
	if (!gpu)
		return;
	FINE(gpuscope_hang_new(gpu, &hang));
	CHECK(strstr(hang->signature, "/dma-fault") != NULL);
	NUMBER(count_of(hang->faults), 1);
	NUMBER(*hang->faults[0]->address, 0x7a1105603000);
	TEXT(hang->faults[0]->space, "dma");
	TEXT(hang->faults[0]->access, "read");
	CHECK(!hang->faults[0]->reg && !hang->faults[0]->value && !hang->faults[0]->walk);
	TEXT(hang->faults[0]->no_walk, "the platform is unknown");
	gpuscope_hang_free(hang);
	gpuscope_gpu_free(gpu);
}

static void test_none(void)
{
	struct gpuscope_options options = { .size = sizeof(options), .platform = "skl" };
	struct gpuscope_hang *hang;
	struct gpuscope_list *list;
	struct gpuscope_gpu *gpu;

	FINE(gpuscope_open(NULL, 0, &options, &gpu));
	ERROR(gpuscope_hang_new(gpu, &hang), GPUSCOPE_STATUS_USAGE, "hang", "no source");
	CHECK(!hang);
	FINE(gpuscope_events(gpu, &list));
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
	gpuscope_gpu_free(gpu);
	TEXT(gpuscope_engine_state_word((enum gpuscope_engine_state)99), NULL);
	TEXT(gpuscope_event_kind_word((enum gpuscope_event_kind)99), NULL);
}

int main(void)
{
	test_demo();
	test_findings();
	test_dump();
	test_log();
	test_logged_fault();
	test_none();
	return checked();
}
