/* SPDX-License-Identifier: MIT */
/* A summary of the events of a log, and where the addresses in them lead. */
#ifndef GSC_HANG_LOG_SUMMARY_H
#define GSC_HANG_LOG_SUMMARY_H

#include "hang/hang.h"

struct gsc_log_summary;
struct gsc_knowns;

/*
 * Makes a summary without events. Source and GPU may be NULL; what depends on them is then missing.
 * They must outlive it.
 */
GSC_API enum gsc_status gsc_log_summary_new(struct gsc_log_summary **summary,
				      const struct gsc_db *db,
				      struct gsc_source *source, const struct gsc_gpu *gpu,
				      const struct gsc_hang_options *options,
				      struct gsc_error *err);
GSC_API void gsc_log_summary_free(struct gsc_log_summary *summary);
/* Adds an event. */
GSC_API void gsc_log_summary_add(struct gsc_log_summary *summary, const struct gsc_event *event);
/*
 * The walk of the address of an event through the tables of the source. They are kept for the next
 * event; the walk is valid until the next call. Returns NULL if there is no walk; `why` then says
 * why, or is "" if the event has no address.
 */
GSC_API const struct gsc_walk *gsc_log_summary_walk(struct gsc_log_summary *summary,
					      const struct gsc_event *event,
					      const struct gsc_translation **translation,
					      char *why, size_t size);
/* Signature and verdict of the events so far, as for a hang; valid until the next call. */
GSC_API const char *gsc_log_summary_signature(struct gsc_log_summary *summary);
GSC_API const char *gsc_log_summary_verdict(struct gsc_log_summary *summary);

/* Adds all events of a log. */
GSC_API void gsc_log_summary_read(struct gsc_log_summary *summary, struct gsc_log *log);
/* Problems that were reported before, and look like the log that was read. */
GSC_API const struct gsc_knowns *gsc_log_summary_known(const struct gsc_log_summary *summary);
/* The firmware that the log that was read names. */
GSC_API const struct gsc_firmwares *
gsc_log_summary_firmware(const struct gsc_log_summary *summary);
/* Whether one of its events is a fault, hang, reset or the like. */
GSC_API bool gsc_log_summary_tells(struct gsc_log_summary *summary);
/* What makes an event doubtful; false: nothing. */
GSC_API bool gsc_log_summary_doubt(struct gsc_log_summary *summary, const struct gsc_event *event,
			     struct gsc_breach *breach);
/* The event with which its verdict begins, but without the text of its line; or NULL. */
const struct gsc_event *log_summary_first(const struct gsc_log_summary *summary);
/* The source of the tables that translate a log's addresses, or NULL. */
const struct gsc_source *log_summary_source(const struct gsc_log_summary *summary);

#endif
