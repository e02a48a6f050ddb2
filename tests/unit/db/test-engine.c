/* SPDX-License-Identifier: MIT */
/* Engines by name and number, as users, drivers and their dumps have them. */
#include "db/engine.h"
#include "dbc/build.h"
#include "db/db.h"
#include "test.h"

static bool takes(const char *text, const char *name, const char *rest)
{
	struct slice s = slice_string(text);
	char taken[ENGINE_NAME] = "";

	return take_engine(&s, taken) && !strcmp(taken, name) && slice_is(s, rest);
}

static bool leaves(const char *text)
{
	struct slice s = slice_string(text);
	char taken[ENGINE_NAME];

	return !take_engine(&s, taken) && slice_is(s, text);
}

static void names(void)
{
	CU_ASSERT_TRUE(takes("rcs0", "rcs0", ""));
	CU_ASSERT_TRUE(takes("vecs'1 command stream", "vecs1", " command stream"));
	CU_ASSERT_TRUE(takes("vcs15:", "vcs15", ":"));
	CU_ASSERT_TRUE(takes("gsccs0", "gsccs0", ""));
	CU_ASSERT_TRUE(takes("ccs", "ccs", ""));
	CU_ASSERT_TRUE(leaves("vcs16"));
	CU_ASSERT_TRUE(leaves("rc"));
	CU_ASSERT_TRUE(leaves(""));
	CU_ASSERT_TRUE(leaves("vcs99999999999999999999999"));
	CU_ASSERT_EQUAL(engine_class_of("vecs1"), ENGINE_VECS);
	CU_ASSERT_EQUAL(engine_class_of("vecs"), ENGINE_VECS);
	CU_ASSERT_EQUAL(engine_class_of("vecsx"), ENGINE_CLASSES);
	CU_ASSERT_EQUAL(engine_class_of(""), ENGINE_CLASSES);
}

static bool alias_is(const char *text, const char *name, const char *rest)
{
	struct slice s = slice_string(text);
	char taken[ENGINE_NAME] = "";

	return take_engine_alias(&s, taken) && !strcmp(taken, name) && slice_is(s, rest);
}

/* The longest counts: "bsd2" is not an engine "bsd" with something after it. */
static void older_names(void)
{
	char taken[ENGINE_NAME];
	struct slice s = slice_string("sampler ring");

	CU_ASSERT_TRUE(alias_is("render ring", "rcs0", " ring"));
	CU_ASSERT_TRUE(alias_is("bsd ring", "vcs0", " ring"));
	CU_ASSERT_TRUE(alias_is("bsd2 ring", "vcs1", " ring"));
	CU_ASSERT_TRUE(alias_is("second bsd ring", "vcs1", " ring"));
	CU_ASSERT_TRUE(alias_is("Blitter ring", "bcs0", " ring"));
	CU_ASSERT_TRUE(alias_is("video enhancement ring", "vecs0", " ring"));
	CU_ASSERT_TRUE(alias_is("video (vcs)", "vcs0", ""));
	CU_ASSERT_FALSE(take_engine_alias(&s, taken));
}

static bool parses(const char *text, int class, int instance)
{
	int found = -2;

	return gsc_engine_parse(text, &found) == class && (class < 0 || found == instance);
}

static void typed(void)
{
	CU_ASSERT_TRUE(parses("rcs0", ENGINE_RCS, 0));
	CU_ASSERT_TRUE(parses("VCS", ENGINE_VCS, -1));
	CU_ASSERT_TRUE(parses("bsd1", ENGINE_VCS, 1));
	CU_ASSERT_TRUE(parses("blt", ENGINE_BCS, -1));
	CU_ASSERT_TRUE(parses("compute3", ENGINE_CCS, 3));
	CU_ASSERT_TRUE(parses("rcs'0", -1, 0));
	CU_ASSERT_TRUE(parses("rcs0x", -1, 0));
	CU_ASSERT_TRUE(parses("texture", -1, 0));
	CU_ASSERT_TRUE(parses("", -1, 0));
	CU_ASSERT_TRUE(parses("rcs00000000000000000000junk", -1, 0));
	CU_ASSERT_STRING_EQUAL(gsc_engine_title("bcs3"), "copy engine");
	CU_ASSERT_STRING_EQUAL(gsc_engine_title("guc"), "engine");
}

static bool number_is(const char *name, enum engine_number kind, int wanted)
{
	unsigned number;

	return engine_number(name, kind, &number) ? (int)number == wanted : wanted < 0;
}

static void numbers(void)
{
	CU_ASSERT_STRING_EQUAL(engine_by_number(ENGINE_XE, 5), "ccs");
	CU_ASSERT_STRING_EQUAL(engine_by_number(ENGINE_UAPI, 1), "bcs");
	CU_ASSERT_STRING_EQUAL(engine_by_number(ENGINE_RING, 1), "vcs0");
	CU_ASSERT_STRING_EQUAL(engine_by_number(ENGINE_OLD, 4), "vecs0");
	CU_ASSERT_STRING_EQUAL(engine_by_number(ENGINE_ID, 6), "vecs0");
	CU_ASSERT_PTR_NULL(engine_by_number(ENGINE_RING, 5));
	CU_ASSERT_PTR_NULL(engine_by_number(ENGINE_XE, UINT64_MAX));
	CU_ASSERT_TRUE(number_is("vcs1", ENGINE_ID, 3));
	CU_ASSERT_TRUE(number_is("vcs1", ENGINE_XE, 1));
	CU_ASSERT_TRUE(number_is("ccs2", ENGINE_ID, -1));
	CU_ASSERT_TRUE(number_is("gsccs0", ENGINE_UAPI, -1));
	CU_ASSERT_TRUE(engine_is_media("vecs0"));
	CU_ASSERT_FALSE(engine_is_media("rcs0"));
	CU_ASSERT_FALSE(engine_is_media("guc"));
}

/* Only the built-in data names engines. */
static void refused(void)
{
	static const char text[] = "format 1\nengine rcs \"mine\"\n";
	struct gsc_db *db;
	struct build b;

	CU_ASSERT_FATAL(!gsc_db_new(&db, NULL));
	build_init(&b, db);
	CU_ASSERT_TRUE(build_parse(&b, "mine.def", text, sizeof(text) - 1));
	CU_ASSERT_EQUAL(b.findings.count, 1);
	build_free(&b);
	gsc_db_free(db);
}

SUITE(engine,
	{ "names", names },
	{ "older names", older_names },
	{ "typed", typed },
	{ "numbers", numbers },
	{ "refused in a file", refused })
