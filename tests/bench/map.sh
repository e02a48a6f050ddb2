# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034,SC2154
# Maps: the global table beside intel_gtt, and a 4-level space beside a plain sum of its tables.
with_library map-tables "$bench/map-tables.c"
"${CC:-cc}" -O2 -o "$work/batch-own" "$bench/batch-own.c"
dir=$work/pci/devices/0000:00:02.0

# A GPU made of files, for a program that knows only real ones.
pretend_gpu() {
	mkdir -p "$dir"
	printf '0x%016x 0x%016x 0x%016x\n' $((0xde000000)) $((0xdeffffff)) $((0x140204)) \
		>"$dir/resource"
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf '0x%016x 0x%016x 0x%016x\n' 0 0 0 >>"$dir/resource"
	done
	# 8086:1912, display controller, BAR 0 of 64 bits
	{
		printf '\206\200\022\031\007\000\020\000\006\000\000\003\000\000\000\000'
		printf '\004\000\000\336\000\000\000\000'
		head -c 232 /dev/zero
	} >"$dir/config"
	for word in vendor=0x8086 device=0x1912 class=0x030000 irq=0 subsystem_vendor=0x8086 \
		subsystem_device=0x2212 revision=0x06 boot_vga=1; do
		echo "${word#*=}" >"$dir/${word%%=*}"
	done
	: >"$work/bar"
	ln -f "$work/bar" "$dir/resource0"
}

# intel_gtt sees that GPU in a mount namespace, which takes root.
gtt=$(if_there intel_gtt)
if [ "$gtt" ] && unshare -m true 2>/dev/null; then
	pretend_gpu
	{
		echo '#!/bin/sh'
		echo "mount --make-rprivate / && mount --bind '$work/pci' /sys/bus/pci && exec \"\$@\""
	} >"$work/inside"
	chmod +x "$work/inside"
	inside="unshare -m $work/inside"
else
	gtt=
fi
global="gpu-ptwalk -p skl --from bar:$work/bar -m ggtt --map"
live="gpu-ptwalk -m ggtt --map"
"$work/map-tables" bar "$work/bar" random
job 'GGTT of 1 M entries, pages anywhere' 'anchor 8' 15 "$global" "$gtt" "copy $work/bar"
[ ! "$gtt" ] || job 'the same through the device' 'anchor 8' 15 "$live" "$gtt" "cat $work/bar"
"$work/map-tables" bar "$work/bar" ordered
job 'GGTT of 1 M entries, all in one run' '' 15 "$global" "$gtt" "copy $work/bar"
inside=

# 400 and 200 M entries a second.
for order in 'ordered 10.5' 'scattered 21'; do
	for pages in linear random; do
		"$work/map-tables" image "$work/image" "${order% *}" $pages
		# shellcheck disable=SC2046
		set -- $("$work/map-tables" time "$work/image" 21)
		row "4 M entries, tables ${order% *}, pages $pages" "most ${order#* }" ms "$2" '' '' \
			"$1" 'sum'
	done
done
truncate -s 16G "$work/image"
# Its own; pages of files are not counted: what is mapped can be dropped at any time.
row 'memory for a map of 16 GiB, 48 bits' 'most 64' MiB "$(
	"$work/batch-own" gpu-ptwalk -p skl --from "mem:$work/image" -m pml4 --root 0 --map |
		awk '{ print $1 / 1024 }'
)"
rm "$work/image"
