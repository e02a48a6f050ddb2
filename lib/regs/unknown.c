/* SPDX-License-Identifier: MIT */
/* What to say of a name that no definition has, whatever the platform. */
#include "regs/regs.h"

enum gsc_status gsc_name_unknown(const struct gsc_db *db, unsigned kinds, const char *name,
				 struct gsc_error *err)
{
	struct suggestions s = { .wanted = name };
	const char *alias;
	struct gsc_item item;
	char near[400];

	for (unsigned kind = GSC_REGISTER; kind <= GSC_ENTRY; kind++) {
		if (!(kinds & 1u << kind))
			continue;
		for (size_t i = 0; gsc_item_at(db, (enum gsc_kind)kind, i, &item); i++) {
			suggest(&s, item.name);
			for (size_t a = 0; (alias = gsc_item_alias(db, &item, a)); a++)
				suggest(&s, alias);
		}
	}
	return err_set(err, GSC_UNKNOWN, name, "unknown name%s",
		       suggestions_text(&s, near, sizeof(near)));
}
