/* SPDX-License-Identifier: MIT */
/*
 * The formats, each with a reader; open/ asks all of them, in this order, whether an input is
 * theirs.
 */
#ifndef GSC_READERS_H
#define GSC_READERS_H

#include "source/part.h"

#define READERS(_) \
	_(capture) \
	_(error_state) \
	_(devcoredump) \
	_(driver_list) \
	_(register_text) \
	_(port_trace) \
	_(config_text) \
	_(aub) \
	_(elf) \
	_(kdump) \
	_(lime) \
	_(vtd_text) \
	_(inteltool) \
	_(engine_dump) \
	_(kernel_log)

#define READER_DECLARED(name) extern const struct reader reader_##name;
READERS(READER_DECLARED)
#undef READER_DECLARED

/* What the prefixes config: and elf: name is not recognised, but loaded by these. */
enum gsc_status config_load(struct gsc_source *source, struct part *part, struct gsc_error *err);
enum gsc_status elf_load(struct gsc_source *source, struct part *part, struct gsc_error *err);

#endif
