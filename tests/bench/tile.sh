#!/bin/sh
# SPDX-License-Identifier: MIT
# 64 MiB out of tiles and into them, beside memcpy() of as many bytes.
. "$(dirname "$0")/lib.sh"
runs=${1:-15}

"${CC:-cc}" -O2 -I"$bench/../../lib" -o "$work/tile" "$bench/tile.c" -L"$BUILD/lib" -lgpuscope \
	-Wl,-rpath,"$BUILD/lib"
echo "64 MiB, 8192 bytes a row, best of $runs runs in turn:"
"$work/tile" "$runs"
