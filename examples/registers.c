/* SPDX-License-Identifier: MIT */
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

/* PROGRAM SOURCE SELECTOR...: values of registers */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv + 1;
	struct gsc_source_options options = {
		.wake = GSC_WAKE_AUTO
	};
	struct gsc_selection *selection = NULL;
	struct gsc_source *source = NULL;
	struct gsc_view *view = NULL;
	struct gsc_rows *rows = NULL;
	struct gsc_db *db = NULL;
	struct gsc_error err = { .status = GSC_USAGE };
	struct gsc_row row;

	if (argc < 3 || gsc_db_new(&db, &err))
		return err.status;
	options.db = db;
	if (gsc_source_open(&source, words, 1, &options, &err) ||
	    gsc_view_new(&view, db, gsc_source_platform(source),
			 gsc_source_revision(source), &err) ||
	    gsc_select(&selection, view, 0, words + 1, argc - 2,
		       &err) ||
	    gsc_rows_read(&rows, selection, source, NULL, &err))
		fprintf(stderr, "%s: %s\n", err.what, err.why);
	else
		err.status = GSC_OK;
	for (size_t i = 0; rows && i < gsc_rows_count(rows); i++) {
		gsc_rows_at(rows, i, &row);
		printf("0x%06" PRIx64 " %s 0x%" PRIx64 " %s\n",
		       row.reg.offset, gsc_read_word(row.status),
		       row.value, row.reg.name ? row.reg.name : "-");
	}
	gsc_rows_free(rows);
	gsc_selection_free(selection);
	gsc_view_free(view);
	gsc_source_close(source);
	gsc_db_free(db);
	return err.status;
}
