#!/bin/sh
# SPDX-License-Identifier: MIT
# 64 MiB out of tiles and into them: the library beside memcpy(), the command beside cp.
. "$(dirname "$0")/lib.sh"
runs=${1:-15}

"${CC:-cc}" -O2 -I"$bench/../../lib" -o "$work/tile" "$bench/tile.c" -L"$BUILD/lib" -lgpuscope \
	-Wl,-rpath,"$BUILD/lib"
echo "64 MiB, 8192 bytes a row, best of $runs runs in turn:"
"$work/tile" "$runs"

[ -w /dev/shm ] || {
	echo '  (no /dev/shm here: the command is not measured)'
	exit
}
shm=$(mktemp -d /dev/shm/tile.XXXXXX)
trap 'rm -rf "$work" "$shm"' EXIT
head -c 67108864 /dev/urandom >"$work/in"

# image PLATFORM TILING BPP MODE
image() {
	echo "gpu-tile -p $1 -f $2 --bpp $3 $4 --pitch 8192 $work/in -o $shm/out"
}

for order in 'skl y 32' 'skl x 32' 'skl w 8' 'skl ys 32' 'dg2 tile4 32' 'dg2 tile64 32'; do
	echo "files of 64 MiB, $runs runs each in turn, time on the processor:"
	# shellcheck disable=SC2046,SC2086
	measure -p "$runs" cp "$work/in" "$shm/out" -- $(image $order --detile) -- \
		$(image $order --tile)
done
