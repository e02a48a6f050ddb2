/* SPDX-License-Identifier: MIT */
/* What the suites share. Each suite is one file with one register_ function; main.c runs them. */
#ifndef TEST_H
#define TEST_H

#include "out/out.h"

#include <CUnit/CUnit.h>

#define X(name) void register_##name(void);
#include "suites.h"
#undef X

#define SUITE(name, ...)                                                                           \
	void register_##name(void)                                                                 \
	{                                                                                          \
		static CU_TestInfo tests[] = { __VA_ARGS__, CU_TEST_INFO_NULL };                   \
		CU_SuiteInfo suites[] = { { #name, NULL, NULL, NULL, NULL, tests },                \
					  CU_SUITE_INFO_NULL };                                    \
		CU_register_suites(suites);                                                        \
	}

/* A temporary file with these bytes; unlink and free the name. */
char *temporary_file(const void *data, size_t size);

#endif
