/* SPDX-License-Identifier: MIT */
/* gpu-db list: what it lists besides registers. */
#ifndef DB_LIST_H
#define DB_LIST_H

#include "gpu-db.h"

/* Commands; structures and page-table entries. */
enum gsc_status list_items(struct common *common, struct db_filter *filter,
			   struct gsc_error *err);
/* Platforms, their properties, groups, documents, PCI device ids. */
enum gsc_status list_facts(struct common *common, struct db_filter *filter,
			   struct gsc_error *err);

#endif
