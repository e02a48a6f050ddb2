/* SPDX-License-Identifier: MIT */
/* Addresses, as the commands print them: with the space that they are in, or without. */
#include "cli.h"
#include "util/number.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	enum gsc_space space;
} spaces[] = {
	{ "ggtt", GSC_GTTMEM },	  { "gttmem", GSC_GTTMEM },
	{ "ppgtt", GSC_PPGTTMEM }, { "ppgttmem", GSC_PPGTTMEM },
	{ "phys", GSC_PHYS },	  { "lmem", GSC_LMEM },
	{ "stolen", GSC_STOLEN },
};

size_t address_prefix(const char *text, struct address *address)
{
	size_t length = strcspn(text, ":"), i = 0;

	*address = (struct address){ 0 };
	while (i < ARRAY_SIZE(spaces) && (strlen(spaces[i].name) != length ||
					  memcmp(spaces[i].name, text, length)))
		i++;
	if (i == ARRAY_SIZE(spaces) || !text[length])
		return 0;
	*address = (struct address){ 0, spaces[i].name, spaces[i].space };
	return length + 1;
}

bool address_read(const char *text, struct address *address)
{
	return gsc_parse_number(text + address_prefix(text, address), &address->at);
}

bool address_in(const struct address *address, enum gsc_space space)
{
	return address->name && address->space == space;
}

enum gsc_status address_graphics(const struct address *address, const char *what,
				 struct gsc_error *err)
{
	if (!address->name || address->space == GSC_GTTMEM || address->space == GSC_PPGTTMEM)
		return GSC_OK;
	return usage_error(err, what, "expected a graphics address, alone or after ggtt: or "
				      "ppgtt:");
}
