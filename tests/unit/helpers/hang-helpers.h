/* SPDX-License-Identifier: MIT */
/* What a source says about the engines of a GPU, by name. */
#ifndef HANG_HELPERS_H
#define HANG_HELPERS_H

#include "batch-helpers.h"
#include "dump-helpers.h"
#include "gpu-for.h"
#include "hang-lists.h"
#include "hang/engine.h"
#include "source-helpers.h"
#include "test.h"

#include <stdio.h>
#include <string.h>

struct patient {
	struct gsc_source *source;
	struct kit kit;
	struct gsc_hang *hang;
};

static inline void admit(struct patient *p, struct gsc_source *source)
{
	struct gsc_platform platform;
	struct gsc_error err;

	p->source = source;
	kit_open(&p->kit, "skl");
	CU_ASSERT_FATAL(gsc_source_platform(source) >= 0);
	gsc_platform_at(p->kit.db, (unsigned)gsc_source_platform(source), &platform);
	kit_close(&p->kit);
	kit_open(&p->kit, platform.name);
	CU_ASSERT_EQUAL_FATAL(gsc_hang_new(&p->hang, gpu_for(source, p->kit.view), NULL,
					   &err), GSC_OK);
}

static inline void admit_text(struct patient *p, const char *text, const char *platform)
{
	struct sheet copy = { .size = 0 };

	sheet_add(&copy, "%s", text);
	admit(p, open_text(&copy, platform));
	sheet_free(&copy);
}

static inline void discharge(struct patient *p)
{
	gsc_hang_free(p->hang);
	kit_close(&p->kit);
	gsc_source_close(p->source);
}

static inline size_t number_of(const struct patient *p, const char *name)
{
	struct gsc_engine e;
	size_t i = 0;

	while (engine_at(p->hang, i, &e) && strcmp(e.name, name))
		i++;
	CU_ASSERT_FATAL(engine_at(p->hang, i, &e));
	return i;
}

static inline struct gsc_engine engine_of(const struct patient *p, const char *name)
{
	struct gsc_engine e;

	engine_at(p->hang, number_of(p, name), &e);
	return e;
}

/* The detail of a kind and a name (NULL: the first), or "". */
static inline const char *detail_of(const struct patient *p, const char *engine,
			     enum gsc_detail_kind kind, const char *name)
{
	static struct gsc_detail d;

	for (size_t i = 0; detail_at(p->hang, number_of(p, engine), i, &d); i++)
		if (d.kind == kind && (!name || !strcmp(d.name, name)))
			return name ? d.text : d.name;
	return "";
}

static inline size_t details_of(const struct patient *p, const char *engine, enum gsc_detail_kind kind)
{
	struct gsc_detail d;
	size_t count = 0;

	for (size_t i = 0; detail_at(p->hang, number_of(p, engine), i, &d); i++)
		count += d.kind == kind;
	return count;
}

static inline void expect_has(const char *text, const char *part)
{
	if (strstr(text, part))
		return;
	fprintf(stderr, "\n\"%s\" is not in \"%s\"\n", part, text);
	CU_FAIL("another text");
}

#endif
