/* SPDX-License-Identifier: MIT */
#include "gpu.h"

#include <stdlib.h>
#include <string.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))

enum {
	CONFIG_COMMAND = 0x04,
	CONFIG_BAR0 = 0x10,
	CONFIG_BAR2 = 0x18,
	CONFIG_CAPABILITIES = 0x34,
	CONFIG_GGC = 0x50,
	CONFIG_BDSM = 0x5c,
	CONFIG_BGSM = 0x70,
	CONFIG_MSI = 0xac,
	CONFIG_BDSM_GEN11 = 0xc0,
};

/* ---- config space --------------------------------------------------------------------------- */

static uint64_t load(const uint8_t *bytes, unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, bytes, size);
	return value;
}

static void store(uint8_t *bytes, uint64_t value, unsigned size)
{
	memcpy(bytes, &value, size);
}

static uint64_t ones(unsigned size)
{
	return UINT64_MAX >> (64 - 8 * size);
}

static bool writable(uint32_t offset)
{
	return (offset >= 0x04 && offset < 0x06) || offset == 0x0c || offset == 0x0d ||
	       offset == 0x3c || (offset >= 0x40 && offset != CONFIG_MSI && offset != CONFIG_MSI + 1);
}

/* 64-bit memory; the upper half stays 0, because the proxy's BARs have 32 bits. */
static bool write_bar(struct gpu *gpu, uint32_t offset, uint32_t value)
{
	if (offset == CONFIG_BAR0)
		value = (value & ~(gpu->platform->bar0_size - 1)) | 0x4;
	else if (offset == CONFIG_BAR2)
		value = (value & ~(BAR2_SIZE - 1)) | 0xc;
	else
		return false;
	store(gpu->config + offset, value, 4);
	return true;
}

static void reset_config(struct gpu *gpu)
{
	const struct platform *p = gpu->platform;
	uint8_t *config = gpu->config;

	memset(config, 0, CONFIG_SIZE);
	store(config + 0x00, 0x8086 | (uint32_t)p->device << 16, 4);
	store(config + 0x08, 0x03000000 | p->revision, 4);
	store(config + 0x2c, 0x20158086, 4);
	store(config + 0x3d, 1, 1);
	store(config + 0x06, 0x0010, 2);	/* it has capabilities: one, MSI */
	store(config + CONFIG_CAPABILITIES, CONFIG_MSI, 1);
	store(config + CONFIG_MSI, 0x0005, 2);
	write_bar(gpu, CONFIG_BAR0, 0);
	write_bar(gpu, CONFIG_BAR2, 0);
	store(config + (p->gen < 6 ? 0x52 : CONFIG_GGC), p->ggc, 2);
	store(config + (p->gen < 11 ? CONFIG_BDSM : CONFIG_BDSM_GEN11), STOLEN_BASE | 1, 4);
	store(config + CONFIG_BGSM, STOLEN_BASE - p->ggtt_size, 4);
}

bool gpu_message(const struct gpu *gpu, uint32_t *address, uint16_t *data)
{
	const uint8_t *msi = gpu->config + CONFIG_MSI;

	*address = (uint32_t)load(msi + 4, 4);
	*data = (uint16_t)load(msi + 8, 2);
	return msi[2] & 1;
}

uint32_t gpu_config_read(struct gpu *gpu, uint32_t offset, unsigned size)
{
	uint32_t value = 0;

	if (size <= 4 && offset <= CONFIG_SIZE - size)
		value = gpu->gone ? (uint32_t)ones(size)
				  : (uint32_t)load(gpu->config + offset, size);
	log_add(gpu->log, &(struct access){ .gpu = (uint8_t)gpu->index, .space = SPACE_CONFIG,
					    .size = (uint8_t)size, .offset = offset,
					    .value = value });
	return value;
}

void gpu_config_write(struct gpu *gpu, uint32_t offset, uint32_t value, unsigned size)
{
	log_add(gpu->log, &(struct access){ .write = true, .gpu = (uint8_t)gpu->index,
					    .space = SPACE_CONFIG, .size = (uint8_t)size,
					    .offset = offset, .value = value });
	if (size > 4 || offset > CONFIG_SIZE - size)
		return;
	if (size == 4 && write_bar(gpu, offset, value))
		return;
	for (unsigned i = 0; i < size; i++)
		if (writable(offset + i))
			gpu->config[offset + i] = (uint8_t)(value >> 8 * i);
}

/* ---- BAR0 ----------------------------------------------------------------------------------- */

static uint32_t read_dword(struct gpu *gpu, uint32_t offset, const char **note)
{
	const struct behaviour *behaviour = register_behaviour(gpu, offset);

	*note = behaviour->note;
	if (gpu->lose_every && register_domains(gpu, offset) && !--gpu->lose_left) {
		gpu->lose_left = gpu->lose_every;
		registers_lose(gpu);
	}
	if (register_asleep(gpu, offset)) {
		*note = "asleep";
		return gpu->asleep_value;
	}
	return behaviour->read ? behaviour->read(gpu, offset) : gpu->bar0[offset / 4];
}

/*
 * The FIFO of Gen6 and 7 wakes the GT to deliver a write; later, writes to a sleeping domain are
 * lost except for the few registers that have a shadow.
 */
static bool write_lost(const struct gpu *gpu, const struct behaviour *behaviour, uint32_t offset)
{
	bool shadowed = behaviour->note && (!strcmp(behaviour->note, "shadowed") ||
					    !strcmp(behaviour->note, "submit"));

	return gpu->platform->gen >= 8 && !shadowed && register_asleep(gpu, offset);
}

static void write_dword(struct gpu *gpu, uint32_t offset, uint32_t value, const char **note)
{
	const struct behaviour *behaviour = register_behaviour(gpu, offset);

	*note = behaviour->note;
	if (write_lost(gpu, behaviour, offset))
		*note = "lost";
	else
		register_write(gpu, offset, value);
}

static uint64_t bar0_read(struct gpu *gpu, uint32_t offset, unsigned size, const char **note)
{
	uint64_t value = read_dword(gpu, offset & ~3u, note) >> 8 * (offset & 3);

	if (size == 8)
		value |= (uint64_t)read_dword(gpu, offset + 4, note) << 32;
	return value & ones(size);
}

static void bar0_write(struct gpu *gpu, uint32_t offset, uint64_t value, unsigned size,
		       const char **note)
{
	uint32_t whole = gpu->bar0[offset / 4];

	store((uint8_t *)&whole + (offset & 3), value, MIN(size, 4));
	write_dword(gpu, offset & ~3u, whole, note);
	if (size == 8)
		write_dword(gpu, offset + 4, (uint32_t)(value >> 32), note);
}

/* ---- BAR2 ----------------------------------------------------------------------------------- */

static uint64_t bar2_read(struct gpu *gpu, uint32_t offset, unsigned size, const char **note)
{
	const uint8_t *bytes = gpu->local ? gpu->local + offset : graphics_at(gpu, offset, size);

	if (!bytes)
		*note = "unmapped";
	return bytes ? load(bytes, size) : 0;
}

static void bar2_write(struct gpu *gpu, uint32_t offset, uint64_t value, unsigned size,
		       const char **note)
{
	uint8_t *bytes = gpu->local ? gpu->local + offset : graphics_at(gpu, offset, size);

	if (bytes)
		store(bytes, value, size);
	else
		*note = "unmapped";
}

/* ---- the bus -------------------------------------------------------------------------------- */

struct place {
	enum space space;
	uint32_t offset;
};

static bool decode(const struct gpu *gpu, uint64_t address, unsigned size, struct place *place)
{
	uint64_t bar0 = load(gpu->config + CONFIG_BAR0, 4) & ~15ull;
	uint64_t bar2 = load(gpu->config + CONFIG_BAR2, 4) & ~15ull;

	if ((size != 1 && size != 2 && size != 4 && size != 8) || address % size)
		return false;
	if (address - bar0 < gpu->platform->bar0_size)
		*place = (struct place){ SPACE_BAR0, (uint32_t)(address - bar0) };
	else if (address - bar2 < BAR2_SIZE)
		*place = (struct place){ SPACE_BAR2, (uint32_t)(address - bar2) };
	else
		return false;
	return true;
}

static void note_access(struct gpu *gpu, const struct place *place, bool write, uint64_t value,
			unsigned size, const char *note)
{
	bool hazard = !write && place->space == SPACE_BAR0 &&
		      (gpu->hazard[place->offset / 4] ||
		       (size == 8 && gpu->hazard[place->offset / 4 + 1]));

	log_add(gpu->log, &(struct access){ .write = write, .hazard = hazard,
					    .entry = place->space == SPACE_BAR0 &&
						     place->offset >= gpu->platform->ggtt_offset,
					    .gpu = (uint8_t)gpu->index,
					    .space = (uint8_t)place->space, .size = (uint8_t)size,
					    .offset = place->offset, .value = value,
					    .note = note });
}

/* The access at which it disappears already fails. */
static void maybe_lose(struct gpu *gpu, const struct place *place)
{
	if (gpu->lost_after && place->space == SPACE_BAR0 && place->offset == gpu->lost_at)
		gpu->gone = !--gpu->lost_after;
}

uint64_t gpu_memory_read(struct gpu *gpu, uint64_t address, unsigned size)
{
	const char *note = NULL;
	struct place place;
	uint64_t value;

	if (!decode(gpu, address, size, &place))
		return UINT64_MAX;
	maybe_lose(gpu, &place);
	if (gpu->gone || gpu->bars_gone)
		value = ones(size);
	else if (place.space == SPACE_BAR0)
		value = bar0_read(gpu, place.offset, size, &note);
	else
		value = bar2_read(gpu, place.offset, size, &note);
	note_access(gpu, &place, false, value, size, note);
	return value;
}

void gpu_memory_write(struct gpu *gpu, uint64_t address, uint64_t value, unsigned size)
{
	const char *note = NULL;
	struct place place;

	if (!decode(gpu, address, size, &place))
		return;
	maybe_lose(gpu, &place);
	if (gpu->gone || gpu->bars_gone)
		note = "lost";
	else if (place.space == SPACE_BAR0)
		bar0_write(gpu, place.offset, value, size, &note);
	else
		bar2_write(gpu, place.offset, value, size, &note);
	note_access(gpu, &place, true, value, size, note);
}

/* ---- life ----------------------------------------------------------------------------------- */

void gpu_reset(struct gpu *gpu)
{
	reset_config(gpu);
	registers_reset(gpu);
}

static void *zeroed(size_t size)
{
	void *memory = calloc(1, size);

	if (!memory)
		abort();
	return memory;
}

struct gpu *gpu_new(const struct platform *platform, unsigned index, struct log *log)
{
	struct gpu *gpu = zeroed(sizeof(*gpu));

	gpu->platform = platform;
	gpu->index = index;
	gpu->log = log;
	gpu->bar0 = zeroed(platform->bar0_size);
	gpu->kind = zeroed(platform->bar0_size / 4);
	gpu->hazard = zeroed(platform->bar0_size / 4);
	gpu->stolen = zeroed(STOLEN_SIZE);
	gpu->local = platform->local ? zeroed(platform->local) : NULL;
	registers_prepare(gpu);
	gpu_reset(gpu);
	return gpu;
}

void gpu_free(struct gpu *gpu)
{
	if (!gpu)
		return;
	free(gpu->bar0);
	free(gpu->kind);
	free(gpu->hazard);
	free(gpu->stolen);
	free(gpu->local);
	free(gpu->engines);
	for (unsigned gt = 0; gt < GTS; gt++)
		free(gpu->gucs[gt]);
	free(gpu);
}
