# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# 64 MiB out of tiles and into them: the library beside memcpy(), the command beside cp.
with_library tile "$bench/tile.c"
"$work/tile" 15 >"$work/tiles"

# Of all sizes of an element the slowest: columns 4 and 5 of the list, beside memcpy() in 3.
slowest() {
	sort -k 1,1 -s "$work/tiles" | awk -v at="$1" '
		$1 != name && name { print line }
		$1 != name || $at / $3 > most { name = $1; most = $at / $3; line = $0 }
		END { print line }'
}

slowest 4 | while read -r name bits plain out _; do
	row "64 MiB out of $name tiles, $bits bits" 'limit 2' ms "$out" '' '' "$plain" memcpy
done
slowest 5 | while read -r name bits plain _ in; do
	row "64 MiB into $name tiles, $bits bits" 'limit 2' ms "$in" '' '' "$plain" memcpy
done

head -c 67108864 /dev/urandom >"$work/in"
tile="gpu-tile -p skl -f y --bpp 32 --pitch 8192 $work/in -o $shm/out"
job 'a file of 64 MiB out of y tiles' '' 7 "$tile" '' "cp $work/in $shm/out"
rm "$shm/out"
