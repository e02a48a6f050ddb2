/* SPDX-License-Identifier: MIT */
/* Definitions, platforms and fields, without a source. */
#include "test.h"

static void test_db(void)
{
	const char *const missing = "no-such-file.def", *const broken = "broken.def";
	struct gpuscope_error *error;
	struct gpuscope_db *db;

	FINE(gpuscope_db_new(NULL, 0, &db));
	gpuscope_db_free(db);
	ERROR(gpuscope_db_new(&missing, 1, &db), GPUSCOPE_STATUS_FAILED, missing, "No such file");
	CHECK(!db);
	/* The place in the file is what is wrong. */
	error = gpuscope_db_new(&broken, 1, &db);
	CHECK(error && !strncmp(gpuscope_error_what(error), "broken.def", 10));
	gpuscope_error_free(error);
	gpuscope_db_free(NULL);
	gpuscope_error_free(NULL);
}

static bool has(const char *const *names, const char *name)
{
	for (; *names; names++)
		if (!strcmp(*names, name))
			return true;
	return false;
}

static void test_platforms(void)
{
	const struct gpuscope_platform *platform;
	struct gpuscope_list *list;
	unsigned last = 0, count = 0;

	FINE(gpuscope_platforms(NULL, NULL, &list));
	while ((platform = gpuscope_next(list))) {
		CHECK(platform->size == sizeof(*platform));
		CHECK(platform->name && platform->title && platform->engines[0]);
		count++;
		last = platform->graphics;
	}
	CHECK(!gpuscope_list_error(list));
	CHECK(!gpuscope_next(list));
	CHECK(count > 20 && last >= 3000);
	gpuscope_list_free(list);

	FINE(gpuscope_platforms(NULL, "0x1912", &list));
	platform = gpuscope_next(list);
	TEXT(platform->name, "skl");
	TEXT(platform->title, "Skylake");
	NUMBER(platform->graphics, 900);
	NUMBER(platform->address_bits, 39);
	NUMBER(platform->virtual_bits, 48);
	CHECK(!platform->discrete && !platform->local_memory);
	CHECK(has(platform->engines, "rcs0") && has(platform->engines, "vcs1"));
	CHECK(!has(platform->engines, "ccs0"));
	CHECK(!gpuscope_next(list));
	gpuscope_list_free(list);

	FINE(gpuscope_platforms(NULL, "dg2", &list));
	platform = gpuscope_next(list);
	CHECK(platform->discrete && platform->local_memory);
	gpuscope_list_free(list);

	FINE(gpuscope_platforms(NULL, "quake", &list));
	CHECK(!gpuscope_next(list) && !gpuscope_list_error(list));
	gpuscope_list_free(list);
	gpuscope_list_free(NULL);
}

/* Fields of a definition have no values, but all of them are there. */
static void test_definition(void)
{
	const struct gpuscope_definition *definition;
	struct gpuscope_list *list, *fields, *choices;
	const struct gpuscope_choice *choice;
	const struct gpuscope_field *field;

	FINE(gpuscope_definitions(NULL, GPUSCOPE_KIND_REGISTER, "gen8_ring_fault_reg", "skl",
				  &list));
	definition = gpuscope_next(list);
	CHECK(definition->size == sizeof(*definition));
	TEXT(definition->name, "RING_FAULT_REG");
	TEXT(definition->group, "fault");
	TEXT(definition->group_title, "Page faults and page-table errors");
	TEXT(definition->document, "i915");
	CHECK(definition->doc && definition->section);
	NUMBER(definition->bits, 32);
	TEXT(gpuscope_kind_word(definition->kind), "register");
	CHECK(has(definition->platforms, "skl") && !has(definition->platforms, "snb"));

	/* The list goes first, then the list of fields, then what is of the definitions. */
	FINE(gpuscope_fields(definition->decoded, &fields));
	gpuscope_list_free(list);
	do {
		field = gpuscope_next(fields);
	} while (field && strcmp(field->name, "ENGINE_ID"));
	CHECK(field->size == sizeof(*field));
	NUMBER(field->hi, 16);
	NUMBER(field->lo, 12);
	NUMBER(field->value, 0);
	CHECK(!field->problem && !field->structure);
	FINE(gpuscope_field_choices(field, &choices));
	gpuscope_list_free(fields);
	choice = gpuscope_next(choices);
	CHECK(choice->size == sizeof(*choice));
	NUMBER(choice->lo, 0);
	NUMBER(choice->hi, 0);
	TEXT(choice->name, "GFX");
	TEXT(choice->doc, "rcs0");
	TEXT(((const struct gpuscope_choice *)gpuscope_next(choices))->name, "MFX0");
	gpuscope_list_free(choices);
}

static unsigned count_of(enum gpuscope_kind kind, const char *name, const char *platform)
{
	struct gpuscope_list *list;
	unsigned count = 0;

	if (FINE(gpuscope_definitions(NULL, kind, name, platform, &list)))
		while (gpuscope_next(list))
			count++;
	gpuscope_list_free(list);
	return count;
}

static void test_kinds(void)
{
	struct gpuscope_list *list;

	CHECK(count_of(GPUSCOPE_KIND_REGISTER, NULL, NULL) > 3000);
	CHECK(count_of(GPUSCOPE_KIND_REGISTER, NULL, "g33") <
	      count_of(GPUSCOPE_KIND_REGISTER, NULL, NULL));
	CHECK(count_of(GPUSCOPE_KIND_COMMAND, "MI_*", "skl") > 20);
	NUMBER(count_of(GPUSCOPE_KIND_COMMAND, "MI_BATCH_BUFFER_END", NULL), 1);
	CHECK(count_of(GPUSCOPE_KIND_STRUCTURE, "RENDER_SURFACE_STATE", "skl") == 1);
	CHECK(count_of(GPUSCOPE_KIND_ENTRY, NULL, "skl") > 5);
	CHECK(count_of(GPUSCOPE_KIND_INSTRUCTION, "mov", NULL) >= 1);
	NUMBER(count_of(GPUSCOPE_KIND_REGISTER, "NO_SUCH_REGISTER", NULL), 0);
	TEXT(gpuscope_kind_word(GPUSCOPE_KIND_INSTRUCTION), "instruction");
	ERROR(gpuscope_definitions(NULL, GPUSCOPE_KIND_ENTRY, NULL, "skk", &list),
	      GPUSCOPE_STATUS_UNKNOWN, "skk", "unknown platform");
	CHECK(!list);
	ERROR(gpuscope_definitions(NULL, (enum gpuscope_kind)77, NULL, NULL, &list),
	      GPUSCOPE_STATUS_USAGE, "kind", "77");
}

/* Groups of fields that repeat are there once, at their first place. */
static void test_repeats(void)
{
	const struct gpuscope_definition *definition;
	struct gpuscope_list *list, *fields;
	const struct gpuscope_field *field;
	unsigned last = 0;

	FINE(gpuscope_definitions(NULL, GPUSCOPE_KIND_COMMAND, "3DSTATE_VERTEX_ELEMENTS", "skl",
				  &list));
	definition = gpuscope_next(list);
	FINE(gpuscope_fields(definition->decoded, &fields));
	while ((field = gpuscope_next(fields)))
		last = field->dword;
	CHECK(last >= 2);
	gpuscope_list_free(fields);
	gpuscope_list_free(list);
}

/* Definitions of the user come first, and are kept alive by what is made of them. */
static void test_own(void)
{
	const char *const file = "browse.def";
	const struct gpuscope_definition *definition;
	struct gpuscope_list *list, *fields;
	struct gpuscope_db *db;

	if (!FINE(gpuscope_db_new(&file, 1, &db)))
		return;
	FINE(gpuscope_definitions(db, GPUSCOPE_KIND_REGISTER, NULL, NULL, &list));
	gpuscope_db_free(db);
	definition = gpuscope_next(list);
	TEXT(definition->document, "browse");
	FINE(gpuscope_fields(definition->decoded, &fields));
	gpuscope_list_free(list);
	CHECK(gpuscope_next(fields) != NULL);
	gpuscope_list_free(fields);
}

int main(void)
{
	char version[32];

	snprintf(version, sizeof(version), "%d.%d.", GPUSCOPE_VERSION_MAJOR, GPUSCOPE_VERSION_MINOR);
	CHECK(!strncmp(gpuscope_version(), version, strlen(version)));
	TEXT(gpuscope_kind_word((enum gpuscope_kind)99), NULL);
	test_db();
	test_platforms();
	test_definition();
	test_kinds();
	test_repeats();
	test_own();
	return checked();
}
