/* SPDX-License-Identifier: MIT */
/* The formats, a reader each; open/ asks all of them whose an input is. */
#ifndef GSC_READERS_H
#define GSC_READERS_H

#include "source/source.h"

extern const struct reader reader_capture, reader_register_text, reader_port_trace,
	reader_config_text, reader_aub, reader_vtd_text, reader_error_state, reader_devcoredump,
	reader_inteltool, reader_engine_dump, reader_kernel_log;

/* The specs that are no detected file: each fills a part whose name is set. */
enum gsc_status config_load(struct gsc_source *source, struct part *part, struct gsc_error *err);
enum gsc_status elf_load(struct gsc_source *source, struct part *part, struct gsc_error *err);

#endif
