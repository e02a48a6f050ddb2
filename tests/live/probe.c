/* SPDX-License-Identifier: MIT */
/*
 * What the live tests look through: opens a source by the public interface, does what its
 * arguments say and prints what it got, a line each. Exits with the status of the open.
 *
 *   probe [-nuW] [-w MODE] [-p PLATFORM] [-s SOURCE] WHAT...
 *
 *   identity                  platform, device id and revision
 *   SPACE:ADDR:SIZE           a read
 *   extent:SPACE[:FROM]       what can be read from address 0, or another one, on
 *   extents:SPACE             all of it
 *   maps                      how BARs are mapped into this process
 *   notes                     what the source has to say by now
 *   left                      who has left it awake
 *   iommu                     whether an IOMMU translates for it
 *   stored                    what the kernel has kept of a hang, and what opening it gives
 *   again                     opens the source a second time beside the first
 *   write:TARGET OP VALUE     with OP = |= &= or ^=; -W asks to be allowed to
 *   force:TARGET OP VALUE     the same, whatever hazard there is
 *   undo                      the write before
 *   sh:COMMAND                meanwhile, by somebody else
 *   gpus, lockdown            need no source; the first WHAT must then be one of them
 */
#include "device/device.h"
#include "formats/dump.h"
#include "open/open.h"
#include "regs/write.h"
#include "util/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct session {
	struct gsc_db *db;
	struct gsc_source_options options;
	struct gsc_source *source;
	const char *name;
	struct gsc_view *view;		/* of the first write on, and its GPU */
	struct gsc_gpu *gpu;
	struct gsc_written written;
};

static int complain(const struct gsc_error *err)
{
	fprintf(stderr, "probe: %s: %s\n", err->what, err->why);
	return (int)err->status;
}

static int usage(const char *argument)
{
	fprintf(stderr, "probe: %s: not understood\n", argument);
	return 64;
}

static int open_source(const struct session *session, struct gsc_source **source)
{
	struct gsc_error err = { 0 };

	if (gsc_source_open(source, &session->name, 1, &session->options, &err))
		return complain(&err);
	return 0;
}

static int show_gpus(const struct gsc_db *db)
{
	struct gsc_error err = { 0 };
	struct gsc_platform platform;
	struct gsc_device *gpus;
	size_t count;

	if (gsc_devices(db, &gpus, &count, &err))
		return complain(&err);
	for (size_t i = 0; i < count; i++) {
		bool known = gpus[i].platform >= 0 &&
			     gsc_platform_at(db, (unsigned)gpus[i].platform, &platform);

		printf("%s 0x%04x 0x%02x %s driver=%s nodes=%s power=%s iommu=%s", gpus[i].bdf,
		       gpus[i].device, gpus[i].revision, known ? platform.name : "-",
		       gpus[i].driver, gpus[i].nodes, gpus[i].power, gpus[i].iommu);
		if (gpus[i].chipset >= 0)
			printf(" chipset=0x%04x", (unsigned)gpus[i].chipset);
		putchar('\n');
	}
	free(gpus);
	return 0;
}

static int show_lockdown(void)
{
	char mode[32];

	gsc_lockdown(mode, sizeof(mode));
	printf("lockdown %s\n", mode);
	return 0;
}

static int show_identity(const struct session *session)
{
	int index = gsc_source_platform(session->source);
	struct gsc_platform platform;
	bool known = index >= 0 && gsc_platform_at(session->db, (unsigned)index, &platform);

	printf("%s 0x%04x 0x%02x\n", known ? platform.name : "-",
	       (unsigned)gsc_source_device(session->source),
	       (unsigned)gsc_source_revision(session->source));
	return 0;
}

/* "r--s 0x0 0x200000": protection, offset in the BAR, length */
static int show_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	uint64_t start, end, offset;
	char line[1024], mode[8];

	if (!maps)
		return 1;
	while (fgets(line, sizeof(line), maps))
		if (strstr(line, "/resource") &&
		    sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64, &start, &end, mode,
			   &offset) == 4)
			printf("%s 0x%" PRIx64 " 0x%" PRIx64 "\n", mode, offset, end - start);
	fclose(maps);
	return 0;
}

static bool space_named(const char *name, enum gsc_space *space)
{
	for (int i = 0; i < GSC_SPACES; i++) {
		*space = (enum gsc_space)i;
		if (!strcmp(name, gsc_space_name(*space)))
			return true;
	}
	return false;
}

static int show_extent(const struct session *session, const char *what)
{
	uint64_t from = 0, start = 0, length = 0;
	enum gsc_space space;
	char name[16];

	if (sscanf(what, "%15[^:]:%" SCNx64, name, &from) < 1 || !space_named(name, &space))
		return usage(what);
	if (gsc_extent(session->source, space, from, &start, &length))
		printf("%s 0x%" PRIx64 "+0x%" PRIx64 "\n", name, start, length);
	else
		printf("%s none\n", name);
	return 0;
}

static int show_extents(const struct session *session, const char *name)
{
	uint64_t from = 0, start, length;
	enum gsc_space space;

	if (!space_named(name, &space))
		return usage(name);
	for (; gsc_extent(session->source, space, from, &start, &length); from = start + length)
		printf("%s 0x%" PRIx64 "+0x%" PRIx64 "\n", name, start, length);
	return 0;
}

static int show_notes(const struct session *session)
{
	const char *note;

	for (size_t i = 0; (note = gsc_source_note(session->source, i)); i++)
		printf("%s\n", note);
	return 0;
}

static int show_left(const struct session *session)
{
	const struct gsc_error *left = gsc_source_left_awake(session->source);

	if (left)
		printf("%s: %s\n", left->what, left->why);
	return 0;
}

/* "/sys/class/drm/card0/error: i915 error state: 0, 60 s old", as of 60 s past 1500000000 */
static int show_stored(const struct session *session)
{
	struct gsc_source_options options = session->options;
	const char *specs[1];
	struct gsc_stored stored;
	struct gsc_source *dump;
	struct gsc_error err = { 0 };

	options.platform = NULL;
	for (size_t i = 0; gsc_stored(session->source, i, &stored); i++) {
		specs[0] = stored.path;
		if (gsc_source_open(&dump, specs, 1, &options, &err)) {
			printf("%s: %s: %d\n", stored.path, stored.kind, (int)err.status);
			continue;
		}
		printf("%s: %s: 0, %" PRId64 " s old\n", stored.path, gsc_source_kind(dump, 0),
		       gsc_source_age(dump, 1500000060));
		gsc_source_close(dump);
	}
	return 0;
}

static int show_read(const struct session *session, const char *what)
{
	char name[16];
	enum gsc_space space;
	enum gsc_read status;
	uint64_t address, value = 0;
	unsigned size;

	if (sscanf(what, "%15[^:]:%" SCNx64 ":%u", name, &address, &size) < 3 ||
	    !space_named(name, &space))
		return usage(what);
	status = gsc_read(session->source, space, address, size, &value);
	if (status)
		printf("%s\n", gsc_read_word(status));
	else
		printf("0x%" PRIx64 "\n", value);
	return 0;
}

static int run_plan(struct session *session, struct gsc_write_plan *plan)
{
	struct gsc_written *w = &session->written;
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_write_run(plan, session->gpu, NULL, w, &err);

	if (status && !w->lost)
		return complain(&err);
	if (w->has_old)
		printf("%s 0x%" PRIx64 " -> ", w->name, w->old);
	else
		printf("%s ? -> ", w->name);
	printf("0x%" PRIx64 " -> ", w->value);
	if (w->has_back)
		printf("0x%" PRIx64, w->back);
	printf(" bits 0x%" PRIx64 " lost 0x%" PRIx64 "\n", w->bits, w->lost);
	return status ? complain(&err) : 0;
}

static int make_gpu(struct session *session)
{
	int platform = gsc_source_platform(session->source);
	struct gsc_error err = { 0 };

	if (session->gpu)
		return 0;
	if (gsc_view_new(&session->view, session->db, platform < 0 ? 0 : (unsigned)platform,
			 gsc_source_revision(session->source), &err) ||
	    gsc_gpu_new(&session->gpu, session->source, session->view, &err))
		return complain(&err);
	return 0;
}

static bool operation_named(const char *word, enum gsc_write_operation *operation)
{
	static const char *const words[] = { "=", "|=", "&=", "^=" };

	for (int i = 0; i < 4; i++) {
		*operation = (enum gsc_write_operation)i;
		if (!strcmp(word, words[i]))
			return true;
	}
	return false;
}

static int do_write(struct session *session, const char *what, bool force)
{
	struct gsc_write write = { .force = force };
	struct gsc_write_plan *plan;
	struct gsc_error err = { 0 };
	char target[160], operation[4], value[32];
	int status = make_gpu(session);

	if (sscanf(what, "%159s %3s %31s", target, operation, value) != 3 ||
	    !operation_named(operation, &write.operation) ||
	    !gsc_parse_number(value, &write.value))
		return usage(what);
	write.target = target;
	if (status)
		return status;
	status = gsc_write_plan_new(&plan, session->gpu, &write, &err) ? complain(&err)
									 : run_plan(session, plan);
	gsc_write_plan_free(plan);
	return status;
}

static int do_undo(struct session *session)
{
	struct gsc_write_plan *plan;
	struct gsc_error err = { 0 };
	enum gsc_status status = gsc_write_undo(&plan, session->gpu, &session->written, &err);
	int result = 0;

	if (status)
		result = complain(&err);
	if (plan)
		result = run_plan(session, plan);
	gsc_write_plan_free(plan);
	return result;
}

static int show(struct session *session, const char *what)
{
	struct gsc_source *second;
	int status;

	if (!strcmp(what, "identity"))
		return show_identity(session);
	if (!strcmp(what, "maps"))
		return show_maps();
	if (!strcmp(what, "iommu"))
		return printf("iommu %d\n", gsc_source_iommu(session->source)) < 0;
	if (!strcmp(what, "notes"))
		return show_notes(session);
	if (!strcmp(what, "left"))
		return show_left(session);
	if (!strcmp(what, "stored"))
		return show_stored(session);
	if (!strncmp(what, "write:", 6) || !strncmp(what, "force:", 6))
		return do_write(session, what + 6, *what == 'f');
	if (!strcmp(what, "undo") && session->gpu)
		return do_undo(session);
	if (!strncmp(what, "sh:", 3))
		return system(what + 3);
	if (!strncmp(what, "extents:", 8))
		return show_extents(session, what + 8);
	if (!strncmp(what, "extent:", 7))
		return show_extent(session, what + 7);
	if (strcmp(what, "again"))
		return show_read(session, what);
	status = open_source(session, &second);
	if (!status)
		gsc_source_close(second);
	return status;
}

static int show_all(struct session *session, char **what)
{
	int status;

	if (*what && !strcmp(*what, "gpus"))
		return show_gpus(session->db);
	if (*what && !strcmp(*what, "lockdown"))
		return show_lockdown();
	status = open_source(session, &session->source);
	for (; !status && *what; what++)
		status = show(session, *what);
	return status;
}

static bool wake_named(const char *name, enum gsc_wake *wake)
{
	static const char *const names[] = { "auto", "driver", "registers", "none" };

	for (int i = 0; i < 4; i++) {
		*wake = (enum gsc_wake)i;
		if (!strcmp(name, names[i]))
			return true;
	}
	return false;
}

static bool parse_options(struct session *session, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "nuWw:p:s:")) != -1)
		switch (option) {
		case 'n':
			session->options.registers = GSC_REGISTERS_NONE;
			break;
		case 'u':
			session->options.unsafe = true;
			break;
		case 'W':
			session->options.write = true;
			break;
		case 'w':
			if (!wake_named(optarg, &session->options.wake))
				return false;
			break;
		case 'p':
			session->options.platform = optarg;
			break;
		case 's':
			session->name = optarg;
			break;
		default:
			return false;
		}
	return true;
}

int main(int argc, char **argv)
{
	struct session session = { .name = "live" };
	struct gsc_error err = { 0 };
	int status;

	if (!parse_options(&session, argc, argv))
		return usage("options");
	if (gsc_db_new(&session.db, &err))
		return complain(&err);
	session.options.db = session.db;
	status = show_all(&session, argv + optind);
	gsc_gpu_close(session.gpu);
	gsc_source_close(session.source);
	gsc_view_free(session.view);
	gsc_db_free(session.db);
	return status;
}
