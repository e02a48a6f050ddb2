/* SPDX-License-Identifier: MIT */
/* What the tests of gpuscope.h have in common. A test returns checked() from main(). */
#ifndef API_TEST_H
#define API_TEST_H

#include <gpuscope.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static unsigned checks, failures;

static inline void check(bool right, const char *what, const char *file, int line)
{
	checks++;
	failures += !right;
	if (!right)
		printf("%s:%d: %s\n", file, line, what);
}

static inline void check_number(uint64_t is, uint64_t wanted, const char *what, const char *file,
				int line)
{
	check(is == wanted, what, file, line);
	if (is != wanted)
		printf("\tis 0x%" PRIx64 ", not 0x%" PRIx64 "\n", is, wanted);
}

/* Either may be NULL. */
static inline void check_text(const char *is, const char *wanted, const char *what,
			      const char *file, int line)
{
	bool right = is && wanted ? !strcmp(is, wanted) : is == wanted;

	check(right, what, file, line);
	if (!right)
		printf("\tis \"%s\", not \"%s\"\n", is ? is : "(NULL)", wanted ? wanted : "(NULL)");
}

/* No error; frees it. */
static inline bool check_fine(struct gpuscope_error *error, const char *what, const char *file,
			      int line)
{
	bool fine = !error;

	check(fine, what, file, line);
	if (error)
		printf("\t%s: %s\n", gpuscope_error_what(error), gpuscope_error_why(error));
	gpuscope_error_free(error);
	return fine;
}

/* An error of that kind, about that thing, whose reason has these words in it; frees it. */
static inline void check_error(struct gpuscope_error *error, enum gpuscope_status status,
			       const char *thing, const char *words, const char *what,
			       const char *file, int line)
{
	check(error != NULL, what, file, line);
	if (!error)
		return;
	check_number(gpuscope_error_status(error), status, what, file, line);
	check_text(gpuscope_error_what(error), thing, what, file, line);
	check(strstr(gpuscope_error_why(error), words) != NULL, what, file, line);
	if (!strstr(gpuscope_error_why(error), words))
		printf("\tis \"%s\", without \"%s\"\n", gpuscope_error_why(error), words);
	gpuscope_error_free(error);
}

#define CHECK(right) check(right, #right, __FILE__, __LINE__)
#define NUMBER(is, wanted) check_number(is, wanted, #is, __FILE__, __LINE__)
#define TEXT(is, wanted) check_text(is, wanted, #is, __FILE__, __LINE__)
#define FINE(error) check_fine(error, #error, __FILE__, __LINE__)
#define ERROR(error, status, thing, words) \
	check_error(error, status, thing, words, #error, __FILE__, __LINE__)

/* A GPU of one source, or NULL. */
static inline struct gpuscope_gpu *gpu_of(const char *source)
{
	struct gpuscope_gpu *gpu;

	FINE(gpuscope_open(&source, 1, NULL, &gpu));
	return gpu;
}

/* What main() returns: a test that checks nothing fails. */
static inline int checked(void)
{
	printf("%u checks, %u failures\n", checks, failures);
	return failures || !checks;
}

#endif
