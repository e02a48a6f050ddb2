/* SPDX-License-Identifier: MIT */
/* gpu-batch --kernels: the shader kernels that commands start, one file each. */
#include "gpu-batch.h"
#include "eu/gpu-eu.h"
#include "eu/program.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct kernels {
	struct batch *batch;
	struct kernel_list known;
	struct gsc_error *err;
	bool failed, cut;
};

static bool failed(struct kernels *k, const char *name)
{
	string_set(k->err->what, "%.120s/%.120s", k->batch->kernels, name);
	string_set(k->err->why, "%s", strerror(errno));
	k->err->status = errno == EACCES || errno == EPERM ? GSC_DENIED : GSC_FAILED;
	k->failed = true;
	return false;
}

/* Makes a file in the folder; false: it was not made, or was incomplete and is removed again. */
static bool write_file(struct kernels *k, const char *name, const void *data, size_t size)
{
	int fd = outside_make(&k->batch->common, k->batch->kernels, name), error;

	if (fd < 0)
		return false;
	error = fd_write(fd, data, size) ? 0 : errno;
	if (close(fd) && !error)
		error = errno;
	if (error)
		outside_remove(&k->batch->common);
	errno = error;
	return !error;
}

/* Its instructions, in the syntax of assemblers. */
static struct gsc_out *text_of_kernel(struct kernels *k, const struct gsc_kernel *kernel)
{
	const struct gsc_program_style style = { .address = kernel->address };
	struct gsc_program_counts counts;
	struct gsc_program *program;
	struct gsc_out *out;

	if (gsc_out_new(&out, -1, false, k->err))
		return NULL;
	if (gsc_program_new(&program, k->batch->eu, kernel->data, kernel->size, k->err)) {
		gsc_out_free(out);
		return NULL;
	}
	gsc_text_program(out, program, &style, &counts);
	gsc_program_free(program);
	return out;
}

/* "ps-0x1040.asm" beside its bytes. */
static bool write_asm(struct kernels *k, const struct gsc_kernel *kernel, const char *name)
{
	struct gsc_out *out = k->batch->eu ? text_of_kernel(k, kernel) : NULL;
	const char *data;
	size_t size;
	char file[120];
	bool done;

	if (!out)
		return !k->batch->eu || failed(k, name);
	data = gsc_out_data(out, &size);
	string_set(file, "%.*s.asm", (int)(strlen(name) - strlen(".bin")), name);
	done = write_file(k, file, data, size) || errno == EEXIST || failed(k, file);
	gsc_out_free(out);
	return done;
}

/* Another kernel may have had this address at another time: a number distinguishes them. */
static bool write_kernel(struct kernels *k, const struct gsc_kernel *kernel, char *name,
			 size_t size)
{
	for (unsigned i = 0; i < 1000; i++) {
		kernel_name(kernel, name, size);
		if (i)
			string_addf(name, size, "-%u", i + 1);
		string_addf(name, size, ".bin");
		if (write_file(k, name, kernel->data, kernel->size))
			return write_asm(k, kernel, name);
		if (errno != EEXIST)
			break;
	}
	return failed(k, name);
}

static bool take_kernel(void *context, const struct gsc_followed *item)
{
	const struct gsc_kernel *kernel = item->kernel;
	struct kernels *k = context;
	struct gsc_out *out = k->batch->common.out;
	char name[120];

	if (!kernel_list_add(&k->known, kernel))
		return k->known.no_memory ? failed(k, "") : true;
	k->cut |= kernel->cut;
	if (kernel->cut) {
		string_set(name, "%s at 0x%llx", kernel->stage, LL(kernel->address));
		complain(&k->batch->common, GSC_PARTIAL, name, kernel->problem);
	}
	if (!kernel->size)
		return true;
	if (!write_kernel(k, kernel, name, sizeof(name)))
		return false;
	gsc_out_clean(out, k->batch->kernels);
	gsc_out_format(out, "/%s  %zu bytes%s", name, kernel->size,
		       kernel->cut ? ", end not found" : "");
	gsc_out_end(out);
	return !gsc_out_error(out);
}

enum gsc_status kernels_run(struct common *common, struct gsc_error *err)
{
	struct kernels k = { .batch = (struct batch *)common, .err = err };
	struct gsc_listener listener = { .context = &k, .kernel = take_kernel };
	enum gsc_status status;

	if (outside_make(common, k.batch->kernels, "") < 0 && errno)
		return failed(&k, "") ? GSC_OK : err->status;
	status = output_open(common, false, err);
	if (!status)
		status = batch_follow(k.batch, &listener, err);
	free(k.known.slots);
	if (k.failed)
		return err->status;
	if (status == GSC_UNKNOWN || batch_failed(k.batch, status))
		return status;
	if (!k.known.count) {
		complain(common, GSC_UNKNOWN, "--kernels", "no command starts a kernel");
		return GSC_UNKNOWN;
	}
	return worse(k.cut ? GSC_PARTIAL : status, complain_damage(common, common->source));
}
