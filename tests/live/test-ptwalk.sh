#!/bin/sh
# SPDX-License-Identifier: MIT
# Translations on live devices: where a table may hang the machine, and behind an IOMMU.
. "$(dirname "$0")/lib.sh"
[ -x "${GPU_PTWALK:-}" ] || skip 'GPU_PTWALK names no command'

# ptwalk ARGUMENTS...: the lines about the addresses, without their levels
ptwalk() {
	# shellcheck disable=SC2016
	in_devices env NO_COLOR=1 HOME="$work" sh -c '"$0" "$@" >"$HOME/all"; status=$?
		grep "^0x" "$HOME/all"; exit $status' "$GPU_PTWALK" "$@"
}

# machine DEVICE: entry 2 of its GGTT points to memory
machine() {
	fresh
	fake_gpu 0000:00:02.0 "$1" 0x06 16
	held_awake
	poke "$gpu/resource0" 0x800010 0x00805001 0
}

machine 0x7d55
expect 'a GGTT that may hang' 3 \
	'0x2678  unknown: ggtt 0x10, entry 2 of the table at 0x0: it is not read without --unsafe, as that may hang' \
	'gpu-ptwalk: 0x2678: unknown: *not read without --unsafe, as that may hang' \
	ptwalk -m ggtt 0x2678
expect 'a GGTT that may hang, and is to be read' 0 \
	'0x2678  -> 0x805678  4K page of system memory  pat0' '' ptwalk --unsafe -m ggtt 0x2678

machine 0x1912
mkdir "$gpu/iommu_group"
echo DMA-FQ >"$gpu/iommu_group/type"
translated='is no physical address: the GPU is behind an IOMMU that translates; --vtd names its tables'
expect 'behind an IOMMU: a page' 3 "0x2678  unknown: 0x805678 $translated" \
	"gpu-ptwalk: 0x2678: unknown: 0x805678 $translated" ptwalk -m ggtt 0x2678
expect 'behind an IOMMU: a table' 3 "0x2678  unknown: 0x1000 $translated" \
	"gpu-ptwalk: 0x2678: unknown: 0x1000 $translated" ptwalk -m pml4 --root 0x1000 0x2678
expect 'behind an IOMMU: a map' 6 '0x2000-0x3000 0x805000 1x4K linear -' \
	'*IOMMU: it translates what the tables hold: these are no addresses of memory *' ptwalk -m ggtt --map
echo identity >"$gpu/iommu_group/type"
expect 'an IOMMU that leaves it alone' 0 '0x2678  -> 0x805678  4K page of system memory' '' \
	ptwalk -m ggtt 0x2678
finish
