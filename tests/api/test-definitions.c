/* SPDX-License-Identifier: MIT */
/* Definitions, platforms and fields, without a source. */
#include "test.h"

static void test_db(void)
{
	const char *const missing = "no-such-file.def";
	struct gpuscope_db *db;

	FINE(gpuscope_db_new(NULL, 0, &db));
	gpuscope_db_free(db);
	ERROR(gpuscope_db_new(&missing, 1, &db), GPUSCOPE_FAILED, missing, "No such file");
	CHECK(!db);
	gpuscope_db_free(NULL);
}

int main(void)
{
	TEXT(gpuscope_version(), "1.0.0");
	test_db();
	return checked();
}
