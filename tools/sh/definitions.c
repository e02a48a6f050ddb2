/* SPDX-License-Identifier: MIT */
/*
 * The definitions of --define and of ~/.config/gpuscope. They may be a stranger's, and the shell is
 * not confined: a confined child compiles them, and the shell takes only what a compiler can have
 * made.
 */
#include "sh.h"

#include "db/db.h"

#include <string.h>

#define COMPILED_MAX (64u << 20)
#define FILES_MAX 256

struct compiled {
	enum gsc_status status;
	struct gsc_error err;
	uint32_t count, sizes[FILES_MAX];
	uint8_t bytes[COMPILED_MAX];	/* file after file; only pages in use take memory */
};

/* In the child. Its warnings have been printed; definitions that it could not keep are an error. */
static void compile(struct shell *shell, void *context)
{
	struct common *common = &shell->common;
	struct compiled *c = context;
	size_t used = 0;

	c->status = definitions_open(common, &c->err);
	confine(common);
	for (size_t i = 0; !c->status && i + 1 < db_layer_count(common->db); i++) {
		const struct blob_header *blob = db_layer(common->db, i)->header;

		if (c->count == FILES_MAX || blob->size > COMPILED_MAX - used) {
			c->status = GSC_FAILED;
			c->err = (struct gsc_error){ GSC_FAILED, "definitions",
						     "too many for the shell" };
			return;
		}
		memcpy(c->bytes + used, blob, blob->size);
		c->sizes[c->count++] = blob->size;
		used += blob->size;
	}
}

/* Nobody can write to its bytes any more, but they are only read once anyway. */
static enum gsc_status take(struct common *common, const struct compiled *c, struct gsc_error *err)
{
	enum gsc_status status = child_error(&c->err, c->status, err);
	size_t used = 0;

	for (uint32_t i = 0, count = c->count; !status && i < count; i++) {
		size_t size = i < FILES_MAX ? c->sizes[i] : SIZE_MAX;

		if (size > COMPILED_MAX - used)
			return err_set(err, GSC_FAILED, "definitions",
				       "the process that compiles them gave too many");
		status = db_add_blob(common->db, c->bytes + used, size, err);
		used += size;
	}
	return status;
}

static void note_file(void *context, const char *path)
{
	(void)path;
	*(bool *)context = true;
}

enum gsc_status session_definitions(struct shell *shell, struct gsc_error *err)
{
	struct common *common = &shell->common;
	bool any = common->defines.count;
	enum gsc_status status;
	struct compiled *c;

	user_definitions_list(common, note_file, &any);
	if (!any)
		return definitions_open(common, err);
	c = shared_new(sizeof(*c));
	if (!c || !words_add(&shell->from, "none", 4))	/* the child reads no device */
		return err_memory(err);
	if (child_work(shell, true, compile, c))
		status = gsc_db_new(&common->db, err);
	else
		status = err_set(err, GSC_FAILED, "definitions",
				 "the process that compiles them ended");
	words_free(&shell->from);
	if (!status)
		status = take(common, c, err);
	shared_free(c, sizeof(*c));
	return status;
}
