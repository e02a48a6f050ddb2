/* SPDX-License-Identifier: MIT */
/* What is at a graphics address: by the page tables, or because a dump names memory by it. */
#include "batch/follow.h"

#include "gtt/walk.h"

enum gsc_status graphics_open(struct graphics_memory *memory, const struct gsc_gpu *gpu,
			      const struct gsc_root *root, struct gsc_error *err)
{
	struct gsc_translation_options options = { .root.mode = GSC_MODE_GGTT };
	enum gsc_status status;

	*memory = (struct graphics_memory){ .gpu = gpu->source ? gpu : NULL };
	if (!gpu->source)
		return GSC_OK;
	/* A driver without per-process tables lets batches use the global one. */
	memory->aliasing = !platform_has(&gpu->platform, PROPERTY_OWN_TABLES);
	status = gsc_translation_new(&memory->global, gpu, &options, err);
	if (status || !root || root->mode == GSC_MODE_GGTT)
		return status;
	options.root = *root;
	return gsc_translation_new(&memory->process, gpu, &options, err);
}

void graphics_close(struct graphics_memory *memory)
{
	gsc_translation_free(memory->global);
	gsc_translation_free(memory->process);
	*memory = (struct graphics_memory){ 0 };
}

size_t graphics_read(struct graphics_memory *memory, bool process, uint64_t address, void *buf,
		     size_t size)
{
	size_t done = 0, length;

	if (!memory->gpu)
		return 0;
	/* Memory that the source holds under this very address comes first. */
	while (process && done < size &&
	       (length = source_block(memory->gpu->source, GSC_PPGTTMEM, address + done,
				      (uint8_t *)buf + done, size - done)))
		done += length;
	if (process && !done && memory->process)
		done = gsc_translated_read(memory->process, address, buf, size);
	if (!done && (!process || memory->aliasing))
		done = gsc_translated_read(memory->global, address, buf, size);
	return done;
}

/* The translation that decides about an address; NULL: none does. */
static struct gsc_translation *translation_of(struct graphics_memory *memory, bool process)
{
	if (!memory->gpu || (process && !memory->process && !memory->aliasing))
		return NULL;
	return process && memory->process ? memory->process : memory->global;
}

bool graphics_unmapped(struct graphics_memory *memory, bool process, uint64_t address)
{
	struct gsc_translation *translation = translation_of(memory, process);
	uint64_t physical, length;
	enum gsc_space space;
	uint8_t byte;

	return translation && !graphics_read(memory, process, address, &byte, 1) &&
	       gsc_resolve(translation, address, &space, &physical, &length) ==
		       GSC_STOP_NOT_PRESENT;
}

void graphics_why(struct graphics_memory *memory, bool process, uint64_t address, char *buf,
		  size_t size)
{
	struct gsc_translation *translation = translation_of(memory, process);
	struct gsc_walk walk;

	if (!translation) {
		snprintf(buf, size, "%s", memory->gpu ? "the source has no per-process tables"
							 : "no source was given");
		return;
	}
	gsc_walk(translation, address, GSC_INTENT_READ, &walk);
	gsc_walk_why(translation, &walk, buf, size);
}
