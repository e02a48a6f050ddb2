# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# 64 MiB out of tiles and into them: the library beside memcpy(), the command beside cp.
with_library tile "$bench/tile.c"
"$work/tile" 15 >"$work/tiles"
while read -r name bits plain out in; do
	row "64 MiB out of $name tiles, $bits bits" 'limit 2' ms "$out" '' '' "$plain" memcpy
	row "64 MiB into $name tiles, $bits bits" 'limit 2' ms "$in" '' '' "$plain" memcpy
done <"$work/tiles"

head -c 67108864 /dev/urandom >"$work/in"
tile="gpu-tile -p skl -f y --bpp 32 --pitch 8192 $work/in -o $shm/out"
job 'a file of 64 MiB out of y tiles' '' 7 "$tile --detile" '' "cp $work/in $shm/out"
rm "$shm/out"
