/* SPDX-License-Identifier: MIT */
/*
 * What a platform is like where no register, field or entry of the definitions says it. Each
 * property is a number for each platform, 0 where it does not have it; data/properties.def says
 * which, and where that is from. The build fails if that file and this table do not have the same.
 */
#ifndef GSC_PROPERTIES_H
#define GSC_PROPERTIES_H

#include "db/blob.h"
#include "gpuscope.h"

#define PROPERTY_LIST(P)                                                                           \
	P(EXECLISTS, "execlists")                                                                  \
	P(OWN_TABLES, "own-tables")                                                                \
	P(ENGINE_OFFSETS, "engine-offsets")

#define PROPERTY_ENUM(id, name) PROPERTY_##id,
enum property { PROPERTY_LIST(PROPERTY_ENUM) PROPERTIES };
#undef PROPERTY_ENUM

static inline unsigned platform_value(const struct gsc_platform *platform, enum property which)
{
	return platform->properties ? platform->properties[which].value[platform->index] : 0;
}

static inline bool platform_has(const struct gsc_platform *platform, enum property which)
{
	return platform_value(platform, which);
}

#endif
