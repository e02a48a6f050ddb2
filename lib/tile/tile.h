/* SPDX-License-Identifier: MIT */
/*
 * tile/: how the pixels of a surface lie in memory: fences and tile orders. It computes addresses
 * from numbers, as the definitions lay them out; where values and bytes come from is others'
 * matter.
 */
#ifndef GSC_TILE_H
#define GSC_TILE_H

#include "db/view.h"
#include "gpuscope.h"
#include "util/util.h"

#endif
