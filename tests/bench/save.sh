# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# A capture of a Skylake without memory, its time of a BAR that is nothing but noise, which no packer
# makes smaller; and how large the capture of one that hangs is.
"$work/make-bar" --random "$work/bar" 16777216
job 'a capture of Skylake' 'most 1000' 7 \
	"gpu-snap -p skl --from bar:$work/bar save --no-ggtt -o $shm/capture.tar.zst" '' "cat $work/bar"
gpu-snap -s demo:skl-hang save --no-ggtt -o "$shm/capture.tar.zst" >/dev/null 2>&1
row 'size of one that hangs' 'most 2048' KiB \
	"$(wc -c <"$shm/capture.tar.zst" | awk '{ print $1 / 1024 }')"
row 'the library, stripped' 'most 4608' KiB "$(
	strip -o "$work/library" "$BUILD/lib/libgpuscope.so" && wc -c <"$work/library" |
		awk '{ print $1 / 1024 }'
)"
