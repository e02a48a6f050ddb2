/* SPDX-License-Identifier: MIT */
/*
 * gpu-collect report and export: a hang for others. An export is a redacted capture, which all
 * commands read, containing also the text and the page that they make of it.
 */
#include "collect.h"

#include "formats/contents.h"
#include "tools.h"
#include "save/save.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXTRAS 3

struct export {
	char spec[64], redacted[64];	/* names of descriptors */
	const struct hang *hang;
	int fd;
	struct gsc_extra extras[EXTRAS];
};

enum gsc_status hang_report_run(struct common *common, struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;
	enum gsc_status status = store_open(c, false, err);
	struct hang *hang = status ? NULL : hang_chosen(c, err);
	char spec[PATH_MAX + 64];
	char *argv[] = { "gpu-report", spec, c->output ? "-o" : NULL,
			 (char *)(uintptr_t)c->output, NULL };

	if (hang) {
		hang_spec(&c->store, hang, spec, sizeof(spec));
		status = (enum gsc_status)command_run(&report_command, c->output ? 4 : 2, argv,
						      NULL);
	} else if (!status) {
		status = err->status;
	}
	store_close(&c->store);
	return status;
}

/* ---- export ---------------------------------------------------------------------------------- */

static enum gsc_status save_to(struct collect *c, const struct export *e, bool redact, int fd,
			       struct gsc_error *err)
{
	struct gsc_save_options options = {
		.redact = redact,
		.created = (uint64_t)c->now,
		.packing = GSC_PACK_BEST,
		.extras = e->extras,
		.extra_count = redact ? 0 : EXTRAS,
	};
	enum gsc_status status = common_source(&c->common, false, err);

	confine(&c->common);
	if (!status)
		status = common_gpu(&c->common, c->common.source, err);
	if (!status)
		status = gsc_save(c->common.gpu, fd, &options, err);
	if (status && status != GSC_PARTIAL && errno)
		return err_errno(err, "capture", errno);
	return status == GSC_PARTIAL ? GSC_OK : status;
}

static enum gsc_status redact_work(struct collect *c, void *context, struct gsc_error *err)
{
	struct export *e = context;
	enum gsc_status status = save_to(c, e, true, e->fd, err);

	if (!strcmp(err->what, e->spec))
		string_set(err->what, "%.250s", e->hang->text[HANG_CAPTURE]);
	return status;
}

static enum gsc_status archive_work(struct collect *c, void *context, struct gsc_error *err)
{
	struct export *e = context;
	enum gsc_status status = save_to(c, e, false, e->fd, err);
	static const char what[] = "left out";
	struct gsc_property p;

	if (status || c->common.quiet)
		return status;
	/* One line each: the archive may be on standard output. */
	for (size_t i = 0; gsc_source_property(c->common.source, 0, i, &p); i++)
		if (!strcmp(p.key, "left-out"))
			warn(&c->common, what, p.value);
	if (*e->hang->text[HANG_PROCESS])
		warn(&c->common, what, "the name of the process");
	warn(&c->common, what, "memory, and the kernel's log");
	return GSC_OK;
}

/* The output of a command, mapped; its pages stay until the end. */
static bool output_of(const struct command *command, char **argv, struct gsc_extra *extra)
{
	int fd = memfd_create("gpuscope", MFD_CLOEXEC), argc = 0, ended = 0;
	pid_t pid = fd < 0 ? -1 : fork();
	off_t size;
	void *data = MAP_FAILED;

	if (!pid) {
		dup2(fd, STDOUT_FILENO);
		while (argv[argc])
			argc++;
		_exit(command_run(command, argc, argv, NULL));
	}
	while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR)
		;
	size = pid > 0 ? lseek(fd, 0, SEEK_END) : -1;
	if (size > 0)
		data = mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return false;
	extra->data = data;
	extra->size = (size_t)size;
	return true;
}

static enum gsc_status add_extras(struct export *e, char *record, size_t size,
				  struct gsc_error *err)
{
	static const enum field fields[] = { HANG_SIGNATURE, HANG_COUNT, HANG_PLATFORM,
					     HANG_ENGINE, HANG_PCI_ID, HANG_DRIVER,
					     HANG_KERNEL };
	char *fault[] = { "gpu-fault", "--color=never", "--no-pager", e->redacted, NULL };
	char *report[] = { "gpu-report", "-q", "-o", "-", e->redacted, NULL };

	/* Its record, except who it was and which machine: the verdict may quote its memory. */
	snprintf(record, size, "GPUSCOPE=%s\n", GSC_VERSION);
	for (size_t i = 0; i < ARRAY_SIZE(fields); i++)
		string_addf(record, size, "%s=%s\n", field_names[fields[i]],
			    e->hang->text[fields[i]]);
	e->extras[0] = (struct gsc_extra){ .name = "hang.txt", .data = record,
					   .size = strlen(record) };
	e->extras[1].name = "fault.txt";
	e->extras[2].name = "report.html";
	if (output_of(&fault_command, fault, &e->extras[1]) &&
	    output_of(&report_command, report, &e->extras[2]))
		return GSC_OK;
	return err_set(err, GSC_FAILED, "export", "its report could not be made");
}

static enum gsc_status write_archive(struct common *common, int fd, const char *path,
				     struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;
	struct export *e = c->export;
	char record[8192];
	enum gsc_status status;
	int redacted = memfd_create("gpuscope", MFD_CLOEXEC);

	(void)path;
	errno = 0;
	/* Also what the record says is redacted: anybody can write that. */
	e->fd = redacted;
	string_set(e->redacted, "/dev/fd/%d", redacted);
	status = apart(c, e->spec, redact_work, e);
	if (!status)
		status = add_extras(e, record, sizeof(record), err);
	e->fd = fd;
	if (!status)
		status = apart(c, e->redacted, archive_work, e);
	if (redacted >= 0)
		close(redacted);
	errno = 0;
	return status;
}

enum gsc_status hang_export_run(struct common *common, struct gsc_error *err)
{
	struct collect *c = (struct collect *)common;
	struct export e = { .fd = -1 };
	enum gsc_status status = clock_now(&c->now, err);
	const char *platform;
	char name[160];
	int capture = -1;

	if (!status)
		status = store_open(c, false, err);
	if (!status && !(e.hang = hang_chosen(c, err)))
		status = err->status;
	if (!status)
		capture = store_file(&c->store, store_capture(e.hang));
	if (!status && capture < 0) {
		string_set(name, "hang %.20s", e.hang->text[HANG_NUMBER]);
		status = err_set(err, GSC_UNKNOWN, name, "has no capture to export; to see what is "
				 "known of it: gpu-collect info %.20s", e.hang->text[HANG_NUMBER]);
	}
	if (!status) {
		/* Not as hang:N, which adds what its record has. */
		string_set(e.spec, "/dev/fd/%d", capture);
		c->export = &e;
		platform = e.hang->text[HANG_PLATFORM];
		string_set(name, "gpuscope-%.40s-hang-%.20s.tar%s",
			   strchr(platform, '/') ? "" : platform, e.hang->text[HANG_NUMBER],
			   gsc_packing_best() == GSC_PACK_ZSTD ? ".zst" :
			   gsc_packing_best() == GSC_PACK_GZIP ? ".gz" : "");
		status = file_save(common, c->output ? c->output : name, FILE_PRIVATE,
				   write_archive, err);
	}
	if (!status && !c->output && !common->quiet) {
		status = output_open(common, false, err);
		if (!status) {
			gsc_out_clean(common->out, name);
			gsc_out_end(common->out);
		}
	}
	if (capture >= 0)
		close(capture);
	store_close(&c->store);
	return status;
}
