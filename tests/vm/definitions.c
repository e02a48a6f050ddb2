/* SPDX-License-Identifier: MIT */
#include "definitions.h"

#include "db/view.h"
#include "formats/capture.h"
#include "open/open.h"
#include "save/pack.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define BLOCK ((uint64_t)64 << 10)

static void mark_register(struct gpu *gpu, const struct gsc_reg *reg)
{
	bool hazardous = (reg->flags & (GSC_REG_HAZARD_READ | GSC_REG_HAZARD_HANG)) ||
			 (reg->access & GSC_RC);

	if (reg->space != GSC_MMIO || !hazardous)
		return;
	for (unsigned i = 0; i < (reg->bits + 31) / 32; i++)
		if (reg->offset / 4 + i < gpu->platform->bar0_size / 4)
			gpu->hazard[reg->offset / 4 + i] = 1;
}

bool hazards_mark(struct gpu *gpu, struct gsc_db *db, struct gsc_error *err)
{
	struct gsc_platform platform;
	struct gsc_view *view;
	struct gsc_reg reg;

	if (!gsc_platform_by_id(db, gpu->platform->device, &platform, NULL))
		return false;
	if (gsc_view_new(&view, db, platform.index, gpu->platform->revision, err))
		return false;
	for (size_t i = 0; i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		mark_register(gpu, &reg);
	}
	gsc_view_free(view);
	return true;
}

/* ---- forcewake ------------------------------------------------------------------------------ */

/* A name in a list separated by commas. */
static bool is_one_of(const char *name, const char *list)
{
	size_t length = strlen(name);

	for (; *list; list += strcspn(list, ","), list += *list == ',')
		if (strcspn(list, ",") == length && !memcmp(list, name, length))
			return true;
	return false;
}

/* By the driver's table: the domains in which a register sleeps; more where it only guesses. */
static bool domain_agrees(const struct gpu *gpu, const struct gsc_reg *reg)
{
	const struct domain *domain = gpu->platform->domains;
	const struct sleeping *sleeping = register_sleeping(gpu, (uint32_t)reg->offset);

	if (!sleeping || !reg->wake)
		return !sleeping == !reg->wake;
	for (unsigned i = 0; domain[i].name; i++) {
		bool sleeps = sleeping->domains >> i & 1;

		if (sleeps != is_one_of(domain[i].name, reg->wake) && (sleeps || !sleeping->guess))
			return false;
	}
	return true;
}

unsigned domains_compare(const struct gpu *gpu, struct gsc_db *db, FILE *out)
{
	struct gsc_error err = { 0 };
	struct gsc_platform platform;
	struct gsc_view *view;
	struct gsc_reg reg;
	unsigned count = 0;
	char name[128];

	if (!gsc_platform_by_id(db, gpu->platform->device, &platform, NULL) ||
	    gsc_view_new(&view, db, platform.index, gpu->platform->revision, &err))
		return 1;
	for (size_t i = 0; i < gsc_view_count(view); i++) {
		gsc_view_reg(view, i, &reg);
		if (reg.space != GSC_MMIO || domain_agrees(gpu, &reg))
			continue;
		gsc_reg_full_name(&reg, name, sizeof(name));
		fprintf(out, "# 0x%x %s: domain %s, the driver's domains 0x%x\n",
			(unsigned)reg.offset, name, reg.wake ? reg.wake : "none",
			register_domains(gpu, (uint32_t)reg.offset));
		count++;
	}
	gsc_view_free(view);
	return count;
}

/* ---- seeding -------------------------------------------------------------------------------- */

static void seed_bar0(struct gpu *gpu, struct gsc_source *source, enum gsc_space space,
		      uint32_t begin, uint32_t limit)
{
	uint64_t start, length, value;

	for (uint64_t from = 0; gsc_extent(source, space, from, &start, &length);
	     from = start + length)
		for (uint64_t a = (start + 3) & ~3ull; a + 4 <= start + length && a < limit; a += 4)
			if (gsc_read(source, space, a, 4, &value) == GSC_READ_OK)
				gpu->bar0[(begin + a) / 4] = (uint32_t)value;
}

bool gpu_seed(struct gpu *gpu, const struct gsc_db *db, const char *spec, struct gsc_error *err)
{
	struct gsc_source_options options = { .db = db };
	const struct platform *p = gpu->platform;
	struct gsc_source *source;

	if (gsc_source_open(&source, &spec, 1, &options, err))
		return false;
	seed_bar0(gpu, source, GSC_MMIO, 0, p->ggtt_offset);
	seed_bar0(gpu, source, GSC_GGTT, p->ggtt_offset, p->ggtt_size);
	gsc_source_close(source);
	return true;
}

/* ---- dumping -------------------------------------------------------------------------------- */

/* Most of a guest's memory was never written: zeros become a hole. */
static void dump_ram(struct capture *capture, const struct ram *ram)
{
	capture_piece_begin(capture, GSC_PHYS, ram->start, ram->size);
	for (uint64_t at = 0, size; at < ram->size; at += size) {
		const uint8_t *bytes = (const uint8_t *)ram->bytes + at;

		size = MIN(ram->size - at, BLOCK);
		if (!*bytes && !memcmp(bytes, bytes + 1, size - 1))
			capture_zeros(capture, size);
		else
			capture_data(capture, bytes, size);
	}
}

static void dump_memory(struct gpu *gpu, struct capture *capture)
{
	capture_piece(capture, GSC_PHYS, STOLEN_BASE, gpu->stolen, STOLEN_SIZE);
	for (size_t i = 0; i < RAM_REGIONS; i++)
		if (gpu->ram[i].bytes)
			dump_ram(capture, &gpu->ram[i]);
}

bool gpu_dump(struct gpu *gpu, const char *path, bool memory)
{
	const struct platform *p = gpu->platform;
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	struct outlet outlet = { .fd = fd };
	struct capture capture;
	bool done;

	if (fd < 0)
		return false;
	capture_begin(&capture, outlet_write, &outlet, 0);
	capture.tar.zeros = outlet_zeros;
	capture_info(&capture, "platform", "%s", p->name);
	capture_info(&capture, "device", "0x%04x", p->device);
	capture_info(&capture, "revision", "0x%02x", p->revision);
	capture_piece(&capture, GSC_CONFIG, 0, gpu->config, CONFIG_SIZE);
	capture_piece(&capture, GSC_MMIO, 0, gpu->bar0, MIN(p->ggtt_offset, 4u << 20));
	capture_piece(&capture, GSC_GGTT, 0, gpu->bar0 + p->ggtt_offset / 4, p->ggtt_size);
	if (memory)
		dump_memory(gpu, &capture);
	done = capture_end(&capture) && outlet_flush(&outlet);
	return !close(fd) && done;
}
