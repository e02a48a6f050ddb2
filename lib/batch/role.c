/* SPDX-License-Identifier: MIT */
/* Commands that affect how commands are followed, and the fields that say how. */
#include "batch/batch.h"

static const struct {
	const char *name;
	enum role role;
} named[] = {
	{ "MI_BATCH_BUFFER_END", ROLE_END },
	{ "MI_BATCH_BUFFER_START", ROLE_START },
	{ "MI_LOAD_REGISTER_IMM", ROLE_IMMEDIATE },
	{ "MI_LOAD_REGISTER_MEM", ROLE_FROM_MEMORY },
	{ "MI_LOAD_REGISTER_REG", ROLE_BETWEEN },
	{ "MI_STORE_REGISTER_MEM", ROLE_TO_MEMORY },
	{ "PIPE_CONTROL", ROLE_POST_SYNC },
	{ "MI_MATH", ROLE_MATH },
	{ "MI_SEMAPHORE_WAIT", ROLE_POLL },
	{ "STATE_BASE_ADDRESS", ROLE_BASES },
	{ "3DSTATE_BINDING_TABLE_POOL_ALLOC", ROLE_BASES },
	{ "MI_CONDITIONAL_BATCH_BUFFER_END", ROLE_DOUBT },
	{ "MI_SET_PREDICATE", ROLE_DOUBT },
	{ "MI_SEMAPHORE_MBOX", ROLE_DOUBT },
	{ "MI_SEMAPHORE_WAIT_64", ROLE_DOUBT },
	{ "MI_WAIT_FOR_EVENT", ROLE_DOUBT },
	{ "MI_WAIT_FOR_EVENT_2", ROLE_DOUBT },
};

static const char *const keys[ROLES][ROLE_KEYS] = {
	[ROLE_START] = {
		[START_ADDRESS] = "BATCH_BUFFER_START_ADDRESS",
		[START_PROCESS] = "ADDRESS_SPACE_INDICATOR",
		[START_SECOND_LEVEL] = "SECOND_LEVEL_BATCH_BUFFER",
		[START_NON_PRIVILEGED] = "NON_PRIVILEGED",
		[START_PREDICATED] = "PREDICATION_ENABLE",
		[START_MOVED] = "ADD_OFFSET_ENABLE",
	},
	[ROLE_FROM_MEMORY] = {
		[REGISTER] = "REGISTER_ADDRESS",
		[MEMORY] = "MEMORY_ADDRESS",
		[GLOBAL] = "USE_GLOBAL_GTT",
	},
	[ROLE_TO_MEMORY] = {
		[REGISTER] = "REGISTER_ADDRESS",
		[MEMORY] = "MEMORY_ADDRESS",
		[GLOBAL] = "USE_GLOBAL_GTT",
	},
	[ROLE_BETWEEN] = {
		[SOURCE] = "SOURCE_REGISTER_ADDRESS",
		[DESTINATION] = "DESTINATION_REGISTER_ADDRESS",
	},
	[ROLE_POST_SYNC] = {
		[POST_SYNC_TO_REGISTER] = "LRI_POST_SYNC_OPERATION",
		[POST_SYNC_ADDRESS] = "ADDRESS",
		[POST_SYNC_DATA] = "IMMEDIATE_DATA",
	},
	[ROLE_POLL] = {
		[POLL_REGISTER] = "REGISTER_POLL_MODE",
		[POLL_ADDRESS] = "SEMAPHORE_ADDRESS",
	},
};

enum role role_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(named); i++)
		if (!strcmp(named[i].name, name))
			return named[i].role;
	return ROLE_NONE;
}

const char *role_key(enum role role, unsigned key)
{
	return keys[role][key];
}
