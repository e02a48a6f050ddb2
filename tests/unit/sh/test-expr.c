/* SPDX-License-Identifier: MIT */
/* Expressions of gpu-sh: their values, which names they look up, and what is none. */
#include "sh/expr.h"
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct asked {
	char names[400];		/* in their order; in ( ) if the value is not needed */
};

/* "two" is 2, "FIELD" is 1, and "on" is 1 beside FIELD only. */
static enum gsc_status name_value(void *context, const char *name, const char *left, bool needed,
				  uint64_t *value, struct gsc_error *err)
{
	struct asked *asked = context;
	size_t used = strlen(asked->names);

	snprintf(asked->names + used, sizeof(asked->names) - used, needed ? "%s " : "(%s) ", name);
	if (!strcmp(name, "two"))
		*value = 2;
	else if (strstr(name, "FIELD") ||
		 (left && strstr(left, "FIELD") && strstr("on far away", name)))
		*value = 1;
	else
		return err->status = GSC_UNKNOWN;
	return GSC_OK;
}

static enum gsc_status evaluate(const char *text, bool check, uint64_t *value, struct asked *asked)
{
	const struct expr_names names = { name_value, asked, check };
	struct gsc_error err = { 0 };
	enum gsc_status status;

	*asked = (struct asked){ "" };
	status = expr_value(text, &names, value, &err);
	CU_ASSERT_EQUAL(status, err.status);
	if (status)
		CU_ASSERT(memchr(err.what, 0, sizeof(err.what)) != NULL);
	return status;
}

static void values(void)
{
	static const struct {
		const char *text;
		uint64_t value;
	} cases[] = {
		{ "1", 1 }, { " 0x10 ", 16 }, { "0b11", 3 }, { "4K", 4096 }, { "1_0", 10 },
		{ "1+2*3", 7 }, { "(1+2)*3", 9 }, { "10-2-3", 5 }, { "100/10/5", 2 },
		{ "7%4", 3 }, { "1<<4+1", 32 }, { "1<<2<<3", 32 }, { "0x100>>4", 16 },
		{ "1|2^3&4", 3 }, { "6&3==3", 0 }, { "1<2==1", 1 }, { "2>1>0", 1 },
		{ "1<=1", 1 }, { "1>=2", 0 }, { "3!=3", 0 }, { "1&&2", 1 }, { "0||0", 0 },
		{ "1||0&&0", 1 }, { "!5", 0 }, { "!!5", 1 }, { "~0", UINT64_MAX },
		{ "-1", UINT64_MAX }, { "- -1", 1 }, { "+-~0", 1 }, { "0-1>1", 1 },
		{ "0xffffffffffffffff+1", 0 }, { "0x8000000000000000*2", 0 },
		{ "1<<63>>63", 1 }, { "two", 2 }, { "two*two-two", 2 }, { "two--two", 4 },
		{ "rcs0.FIELD[3]:FIELD + two", 3 }, { "mmio-sr:FIELD", 1 },
		{ "FIELD == on", 1 }, { "FIELD==\"far away\"", 1 }, { "FIELD != 'on'", 0 },
		{ "two == 2 && FIELD == on", 1 }, { "(FIELD == on) + 1", 2 },
		{ "0 && 1 / 0", 0 }, { "1 || 1 % 0", 1 }, { "0 && 1 << 64", 0 },
	};
	struct asked asked;
	uint64_t value;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		if (evaluate(cases[i].text, false, &value, &asked) || value != cases[i].value) {
			fprintf(stderr, "\n%s is 0x%llx\n", cases[i].text,
				(unsigned long long)value);
			CU_FAIL("another value");
		}
}

static void no_values(void)
{
	static const char *const bad[] = {
		"", " ", "1 2", "1+", "*1", "1**2", "(", ")", "()", "(1", "1)", "1 = 1", "1 += 1",
		"1 &= 1", "1 | = 1", "1 <> 2", "=1", "1;2", "$x", "'", "\"", "\"on\"", "'on' == 1",
		"two == 'on", "0x", "0b2", "08x", "1 / 0", "1 % (two - two)", "1 << 64", "1 >> -1",
		"1 ? 2 : 3", "two[", "\\", "#", "@", "1,2", "two two",
	};
	struct asked asked;
	uint64_t value;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		if (!evaluate(bad[i], false, &value, &asked)) {
			fprintf(stderr, "\n%s was taken\n", bad[i]);
			CU_FAIL("no expression was taken");
		}
	CU_ASSERT_EQUAL(evaluate("nobody + 1", false, &value, &asked), GSC_UNKNOWN);
	CU_ASSERT_EQUAL(evaluate("two == on", false, &value, &asked), GSC_UNKNOWN);
	CU_ASSERT_EQUAL(evaluate("FIELD + 0 == on", false, &value, &asked), GSC_UNKNOWN);
	CU_ASSERT_EQUAL(evaluate("FIELD == 1 + on", false, &value, &asked), GSC_UNKNOWN);
}

static void names_asked_for(void)
{
	struct asked asked;
	uint64_t value;

	CU_ASSERT(!evaluate("two + FIELD", false, &value, &asked));
	CU_ASSERT_STRING_EQUAL(asked.names, "two FIELD ");
	CU_ASSERT(!evaluate("0 && two || FIELD", false, &value, &asked));
	CU_ASSERT_STRING_EQUAL(asked.names, "(two) FIELD ");
	CU_ASSERT(!evaluate("1 || (two + FIELD)", false, &value, &asked));
	CU_ASSERT_STRING_EQUAL(asked.names, "(two) (FIELD) ");
	/* A check covers more than an evaluation. */
	CU_ASSERT(!evaluate("1 / two && 1 / (two - two) || two", true, &value, &asked));
	CU_ASSERT_STRING_EQUAL(asked.names, "(two) (two) (two) (two) ");
	CU_ASSERT_EQUAL(evaluate("0 && nobody", true, &value, &asked), GSC_UNKNOWN);
}

/* `count` times a text, and what follows it. */
static char *again(const char *text, size_t count, const char *end)
{
	size_t length = strlen(text);
	char *made = calloc(1, count * length + strlen(end) + 1);

	for (size_t i = 0; made && i < count; i++)
		memcpy(made + i * length, text, length);
	return made ? strcat(made, end) : NULL;
}

static void hostile(void)
{
	static const struct {
		const char *text, *end;
		enum gsc_status few, many;
	} cases[] = {
		{ "(", "1", GSC_USAGE, GSC_USAGE },	{ "~", "1", GSC_OK, GSC_USAGE },
		{ "1+", "1", GSC_OK, GSC_OK },		{ "1||", "1", GSC_OK, GSC_OK },
		{ "(1)+", "1", GSC_OK, GSC_OK },	{ "A", "", GSC_UNKNOWN, GSC_USAGE },
		{ "1", "", GSC_OK, GSC_USAGE },		{ "[", "", GSC_USAGE, GSC_USAGE },
		{ "a[", "]", GSC_UNKNOWN, GSC_USAGE },	{ "-(", "", GSC_USAGE, GSC_USAGE },
	};
	struct asked asked;
	uint64_t value;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		for (size_t many = 0; many < 2; many++) {
			char *text = again(cases[i].text, many ? 20000 : 10, cases[i].end);

			CU_ASSERT_EQUAL(evaluate(text, false, &value, &asked),
					many ? cases[i].many : cases[i].few);
			free(text);
		}
}

SUITE(expr,
	{ "values", values },
	{ "what has none", no_values },
	{ "names that are asked for", names_asked_for },
	{ "hostile", hostile })
