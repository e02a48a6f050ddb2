/* SPDX-License-Identifier: MIT */
#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>

static bool begin(void *context, const struct gsc_run *run)
{
	(void)context;
	printf("%s %s 0x%" PRIx64 "\n", run->engine,
	       gsc_run_kind_word(run->kind), run->address);
	return true;
}

static bool take(void *context, const struct gsc_run *run,
		 const struct gsc_command *command,
		 const struct gsc_register_write *write)
{
	(void)context;
	(void)run;
	if (write->kind == GSC_WRITE_VALUE)
		printf("    0x%" PRIx64 " %s 0x%" PRIx32
		       " = 0x%" PRIx32 "\n",
		       command->address, command->name,
		       write->offset, write->value);
	return true;
}

/* PROGRAM SOURCE */
int main(int argc, char **argv)
{
	const char *const *words = (const char *const *)argv + 1;
	struct gsc_listener listener = { .begin = begin,
					 .write = take };
	struct gsc_source_options reading = {
		.wake = GSC_WAKE_AUTO
	};
	struct gsc_follow_options options = { .engine = NULL };
	struct gsc_commands *set = NULL;
	struct gsc_source *source = NULL;
	struct gsc_view *view = NULL;
	struct gsc_db *db = NULL;
	struct gsc_error err = { .status = GSC_USAGE };

	if (argc != 2 || gsc_db_new(&db, &err))
		return err.status;
	reading.db = db;
	if (gsc_source_open(&source, words, 1, &reading, &err) ||
	    gsc_view_new(&view, db, gsc_source_platform(source),
			 gsc_source_revision(source), &err) ||
	    gsc_commands_new(&set, view, &err))
		fprintf(stderr, "%s: %s\n", err.what, err.why);
	else
		err.status = gsc_follow_all(set, source, &options,
					    &listener, &err);
	gsc_commands_free(set);
	gsc_view_free(view);
	gsc_source_close(source);
	gsc_db_free(db);
	return err.status == GSC_PARTIAL ? GSC_OK : err.status;
}
