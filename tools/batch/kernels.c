/* SPDX-License-Identifier: MIT */
/* gpu-batch --kernels: the shader kernels that commands start, a file each. */
#include "batch.h"
#include "eu/eu.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct kernels {
	struct batch *batch;
	struct kernel_list known;
	struct gsc_error *err;
	bool failed, cut;
};

static bool failed(struct kernels *k, const char *name)
{
	snprintf(k->err->what, sizeof(k->err->what), "%.120s/%.120s", k->batch->kernels, name);
	snprintf(k->err->why, sizeof(k->err->why), "%s", strerror(errno));
	k->err->status = errno == EACCES || errno == EPERM ? GSC_DENIED : GSC_FAILED;
	k->failed = true;
	return false;
}

/* Another kernel may have been there at another time: a number tells them apart. */
static bool write_kernel(struct kernels *k, const struct gsc_kernel *kernel, char *name,
			 size_t size)
{
	int fd = -1;
	bool done;

	for (unsigned i = 0; i < 1000 && fd < 0; i++) {
		kernel_name(kernel, name, size);
		if (i)
			append(name, size, "-%u", i + 1);
		append(name, size, ".bin");
		fd = outside_make(&k->batch->common, k->batch->kernels, name);
		if (fd < 0 && errno != EEXIST)
			return failed(k, name);
	}
	if (fd < 0)
		return failed(k, name);
	done = write_whole(fd, kernel->data, kernel->size);
	if (close(fd) || !done) {
		failed(k, name);
		outside_remove(&k->batch->common);
		return false;
	}
	return true;
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
		snprintf(name, sizeof(name), "%s at 0x%llx", kernel->stage,
			 (unsigned long long)kernel->address);
		complain(&k->batch->common, GSC_PARTIAL, name, kernel->problem);
	}
	if (!kernel->size)
		return true;
	if (!write_kernel(k, kernel, name, sizeof(name)))
		return false;
	gsc_out_format(out, "%s/%s  %zu bytes%s", k->batch->kernels, name, kernel->size,
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
	free(k.known.items);
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
