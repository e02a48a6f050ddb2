#!/bin/sh
# SPDX-License-Identifier: MIT
# An image of 64 GiB that is nearly all holes, as each kind of source that is an image: it is not
# read from one end to the other, and not held.
. "$(dirname "$0")/lib.sh"

size=$((64 << 30))
truncate -s $size "$work/image" 2>/dev/null || skip 'no sparse files of 64 GiB here'
gpu-snap extract "$capture" mmio -o "$work/bar"
dd if="$work/bar" of="$work/image" conv=notrunc bs=1M 2>/dev/null
make_core "$work/elf" 0x100000000 $size
ran=0

# A platform's BAR and GGTT have a size: the rest of such a file is no part of it.
for source in "mem:$work/image" "mem:$work/image@0x100000000" "bar:$work/image" \
	"ggtt:$work/image" "lmem:$work/image" "elf:$work/elf"; do
	title "$source"
	for command in 'gpu-regdump rcs0.RING_BUFFER_TAIL' 'gpu-regdump' 'gpu-ptwalk --map' \
		'gpu-ptwalk -m pml4 --root 0x100001000 0x1000' \
		'gpu-ptwalk -m pml4 --root 0x100000000 --map' \
		'gpu-ptwalk -m pml4 --root 0x100000000 --check' \
		gpu-fault gpu-batch 'gpu-ptwalk --spaces' 'gpu-report -o -'; do
		# shellcheck disable=SC2086
		quickly 4 64 $command -p skl -s "$source"
		expect_status 0 1 2 3 6
		ran=$((ran + 1))
	done
	# Memory is saved from its first byte to its last, zeros too.
	case $source in
	bar:*) quickly 8 64 gpu-snap save -p skl -s "$source" -o - ;;
	esac
	expect_status 0 1 2 3 6
	quickly 4 64 gpu-snap info -p skl "$source"
	expect_status 0 2 3 6
done

title 'what lies at the end of it is found'
printf '\221\000\000\000' | dd of="$work/image" conv=notrunc bs=1 seek=$((size - 4096)) 2>/dev/null
quickly 4 64 gpu-snap extract "mem:$work/image" phys@0xffffff000+4
expect_out_has "$(printf '\221')"
finish
