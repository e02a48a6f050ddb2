/* SPDX-License-Identifier: MIT */
/* Runs the suites: all, or those named on the command line. */
#include "test.h"
#include "../default-signals.h"

#include <CUnit/Basic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name;
	void (*register_suite)(void);
} suites[] = {
#define X(name) { #name, register_##name },
#include "suites.h"
#undef X
};

char *temporary_file(const void *data, size_t size)
{
	char *name = strdup("/tmp/gpuscope-test-XXXXXX");
	int fd = name ? mkstemp(name) : -1;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size) {
		perror("temporary file");
		abort();
	}
	close(fd);
	return name;
}

static int wanted(const char *name, int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], name))
			return 1;
	return argc < 2;
}

/* Suites named *_corpus read real dumps, which are not part of the project. */
static int lacks_corpus(int argc, char **argv)
{
	if (argc != 2 || !strstr(argv[1], "_corpus") || getenv("GPUSCOPE_CORPUS"))
		return 0;
	puts("SKIP: no corpus given (GPUSCOPE_CORPUS)");
	return 1;
}

int main(int argc, char **argv)
{
	unsigned failures;

	default_signals();
	if (lacks_corpus(argc, argv))
		return 77;
	if (CU_initialize_registry() != CUE_SUCCESS)
		return 1;
	for (size_t i = 0; i < sizeof(suites) / sizeof(suites[0]); i++)
		if (wanted(suites[i].name, argc, argv))
			suites[i].register_suite();
	CU_basic_set_mode(CU_BRM_VERBOSE);
	CU_basic_run_tests();
	failures = CU_get_number_of_failures();
	if (!CU_get_number_of_tests_run())
		failures = 1;
	CU_cleanup_registry();
	return failures != 0;
}
