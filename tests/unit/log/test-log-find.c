/* SPDX-License-Identifier: MIT */
/* The finder of the words of messages: log/find.c. */
#include "log/log.h"
#include "test.h"

#include <string.h>

/* Words that the finder could not find would be a message that is never reported. */
static void words(void)
{
	struct gsc_message m, found;
	struct gsc_error err;
	struct gsc_db *db;

	CU_ASSERT_EQUAL_FATAL(gsc_db_new(&db, &err), GSC_OK);
	for (size_t i = 0; gsc_message_at(db, i, &m); i++) {
		const char *text = m.words, *end = text + strlen(text);

		CU_ASSERT_PTR_EQUAL(finder_next(db, text, end), text);
		CU_ASSERT_FATAL(gsc_message_at(db, finder_message(db, text, end, m.driver),
					       &found));
		CU_ASSERT_STRING_EQUAL(found.words, text);
		CU_ASSERT_STRING_EQUAL(found.driver, m.driver);
	}
	gsc_db_free(db);
}

SUITE(log_find, { "words", words })
