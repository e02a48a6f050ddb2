/* SPDX-License-Identifier: MIT */
/* gpu-ptwalk --spaces: which parts of the machine's address space belong to the GPU. */
#include "cli/text.h"
#include "gtt/windows.h"
#include "ptwalk.h"
#include "db/words.h"

#include <stdio.h>
#include <stdlib.h>

KEYS(spaces, "--spaces.")
enum gsc_status spaces_run(struct common *common, struct gsc_error *err)
{
	struct gsc_json document, *json = &document;
	struct gsc_window *windows;
	size_t count, missed = 0;
	enum gsc_status status = gsc_windows(common->gpu, &windows, &count, err);
	char names[200] = "";

	if (!status)
		status = output_open(common, !wants_json(common), err);
	if (status) {
		free(windows);
		return status;
	}
	if (wants_json(common)) {
		source_document(common, PTWALK_SCHEMA, json);
		KEY_LIST("spaces", OF(space));
		for (size_t i = 0; i < count; i++)
			ITEM(gsc_json_window(json, &windows[i]));
		gsc_json_finish(json);
	} else if (count) {
		source_title(common);
		gsc_text_windows(common->out, windows, count);
	}
	/* The windows that are unknown because something is missing, in one line. */
	for (size_t i = 0; i < count; i++) {
		if (!windows[i].status)
			continue;
		status = worse(status, gsc_read_status(windows[i].status));
		append_word(names, sizeof(names), ", ", windows[i].name);
		missed++;
	}
	free(windows);
	if (!count) {
		complain(common, GSC_UNKNOWN, "--spaces",
			 "no source has the config space or registers that describe them");
		return GSC_UNKNOWN;
	}
	if (missed && missed < count)
		status = GSC_PARTIAL;
	if (missed)
		complain(common, status, names, "no source says where they are or how large");
	return worse(status, complain_damage(common, common->source));
}
