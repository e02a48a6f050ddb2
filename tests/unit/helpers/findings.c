/* SPDX-License-Identifier: MIT */
/* Registers, maps, walks, commands and the verdict of a source, each as a number or a sentence. */
#include "findings.h"

#include "batch/command.h"
#include "batch/run.h"
#include "gpu/gpu.h"
#include "gtt/map.h"
#include "gtt/root.h"
#include "gtt/walk.h"
#include "hang/hang.h"
#include "test.h"

#include <stdio.h>

#define PAGE 4096u

static uint64_t mix(uint64_t sum, uint64_t value)
{
	return (sum ^ value) * UINT64_C(0x100000001b3);
}

static bool take_range(void *context, const struct gsc_mapping *mapping)
{
	struct found *found = context;

	found->ranges++;
	found->maps = mix(mix(mix(found->maps, mapping->start), mapping->end), mapping->physical);
	found->maps = mix(found->maps, mapping->entry);
	return true;
}

static bool take_command(void *context, const struct gsc_followed *item)
{
	struct found *found = context;

	found->commands++;
	for (const char *c = item->command->name; c && *c; c++)
		found->names = mix(found->names, (uint64_t)*c);
	found->names = mix(found->names, item->command->address);
	return true;
}

static void find_map(struct found *found, const struct gsc_gpu *gpu, const struct gsc_root *root)
{
	struct gsc_translation_options options = { .root = *root };
	struct gsc_translation *translation;
	struct gsc_map_holes holes;
	struct gsc_error err;
	struct gsc_walk walk;

	if (gsc_translation_new(&translation, gpu, &options, &err))
		return;
	gsc_map(translation, 0, take_range, found, &holes, &err);
	for (uint64_t address = 0; address < 64 * PAGE; address += PAGE) {
		gsc_walk(translation, address, GSC_INTENT_READ, &walk);
		found->steps = mix(mix(found->steps, walk.physical), walk.stop);
		for (size_t i = 0; i < walk.count; i++)
			found->steps = mix(found->steps, walk.steps[i].address);
	}
	gsc_translation_free(translation);
}

static void find_registers(struct found *found, const struct gsc_gpu *gpu)
{
	struct gsc_reg reg;
	uint64_t value;

	for (size_t i = 0; i < gsc_view_count(gsc_gpu_view(gpu)); i++) {
		enum gsc_read status;

		value = 0;
		gsc_view_reg(gsc_gpu_view(gpu), i, &reg);
		if (reg.space != GSC_MMIO && reg.space != GSC_CONFIG)
			continue;
		status = gsc_gpu_read(gpu, &reg, &value);
		found->registers = mix(found->registers, value);
		found->statuses = mix(found->statuses, status);
	}
}

static void find_commands(struct found *found, const struct gsc_gpu *gpu)
{
	const struct gsc_listener listener = { .context = found, .command = take_command };
	static const struct gsc_follow_options options;
	struct gsc_commands *set;
	struct gsc_error err;
	enum gsc_status status;

	if (gsc_commands_new(&set, gpu, &err))
		return;
	status = gsc_follow_all(set, gpu, &options, &listener, &err);
	found->follows = !status || status == GSC_PARTIAL;
	gsc_commands_free(set);
}

static void find_hang(struct found *found, const struct gsc_gpu *gpu)
{
	struct gsc_hang *hang;
	struct gsc_error err;

	found->hang = !gsc_hang_new(&hang, gpu, NULL, &err);
	if (!found->hang)
		return;
	snprintf(found->signature, sizeof(found->signature), "%s", gsc_hang_signature(hang));
	snprintf(found->verdict, sizeof(found->verdict), "%s", gsc_hang_verdict(hang));
	gsc_hang_free(hang);
}

static const struct gsc_root global = { .mode = GSC_MODE_GGTT };

struct found find_all(struct gsc_source *source)
{
	struct found found = { 0 };
	struct gsc_root root;
	struct gsc_error err;
	struct gsc_gpu *gpu;

	CU_ASSERT_EQUAL_FATAL(gsc_gpu_new(&gpu, source, NULL, &err), GSC_OK);
	find_registers(&found, gpu);
	find_map(&found, gpu, &global);
	if (!gsc_root_engine(gpu, "rcs0", &root, &err))
		find_map(&found, gpu, &root);
	find_commands(&found, gpu);
	find_hang(&found, gpu);
	gsc_gpu_close(gpu);
	return found;
}

void check_same(const struct found *found, const struct found *expected, bool whole)
{
	CU_ASSERT_EQUAL(found->registers, expected->registers);
	CU_ASSERT_EQUAL(found->statuses, expected->statuses);
	CU_ASSERT_TRUE(whole ? found->maps == expected->maps : found->ranges > 0);
	CU_ASSERT_TRUE(found->ranges <= expected->ranges);
	CU_ASSERT_EQUAL(found->steps, expected->steps);
	CU_ASSERT_EQUAL(found->commands, expected->commands);
	CU_ASSERT_EQUAL(found->names, expected->names);
	CU_ASSERT_EQUAL(found->follows, expected->follows);
	CU_ASSERT_STRING_EQUAL(found->signature, expected->signature);
	CU_ASSERT_STRING_EQUAL(found->verdict, expected->verdict);
	CU_ASSERT_TRUE(expected->ranges && expected->commands && *expected->verdict);
}
