#!/bin/sh
# SPDX-License-Identifier: MIT
# Maps: the global table beside intel_gtt, and a 4-level space beside a plain sum of its tables.
. "$(dirname "$0")/lib.sh"
runs=${1:-21}
dir=$work/pci/devices/0000:00:02.0

"${CC:-cc}" -O2 -I"$bench/../../lib" -o "$work/map-tables" "$bench/map-tables.c" \
	-L"$BUILD/lib" -Wl,-rpath,"$BUILD/lib" -lgpuscope

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
	ln -sf "$work/bar" "$dir/resource0"
}

ours() {
	printf '%s -p skl --from bar:%s -m ggtt --map' gpu-ptwalk "$work/bar"
}

compare() {
	echo "global table of 1 M entries, $1, $runs runs each in turn:"
	"$work/map-tables" bar "$work/bar" "$1"
	if command -v intel_gtt >/dev/null; then
		pretend_gpu
		# shellcheck disable=SC2016
		unshare -m sh -c 'mount --make-rprivate / && mount --bind "$1" /sys/bus/pci &&
			exec "$2" "$3" intel_gtt -- $4' - "$work/pci" "$work/measure" "$runs" "$(ours)"
	else
		echo '  (no intel_gtt here: apt-get install intel-gpu-tools)'
		# shellcheck disable=SC2046
		measure "$runs" $(ours)
	fi
}

compare ordered
compare random
for order in ordered scattered; do
	for pages in linear random; do
		echo "4 M entries, tables $order, pages $pages:"
		"$work/map-tables" image "$work/image" $order $pages
		"$work/map-tables" time "$work/image" "$runs"
	done
done
