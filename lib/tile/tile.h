/* SPDX-License-Identifier: MIT */
/*
 * tile/: how the pixels of a surface lie in memory: fences and tile orders. It computes addresses
 * from numbers; where the bytes come from and which registers hold the numbers are others' matters.
 */
#ifndef GSC_TILE_H
#define GSC_TILE_H

#include "db/view.h"
#include "gpuscope.h"
#include "util/util.h"

#endif
