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
	'0x2678  unknown: ggtt:0x10, entry 2 of the table at 0x0: it is read only with --unsafe, because the read may hang the machine' \
	'gpu-ptwalk: 0x2678: unknown: *read only with --unsafe, because the read may hang the machine' \
	ptwalk -m ggtt 0x2678
expect 'a GGTT that may hang, and is to be read' 0 \
	'0x2678  -> 0x805678  4K page of system memory  pat0' '' ptwalk --unsafe -m ggtt 0x2678

machine 0x1912
mkdir "$gpu/iommu_group"
echo DMA-FQ >"$gpu/iommu_group/type"
translated='is not a physical address: an IOMMU translates it; give its tables with --vtd'
expect 'behind an IOMMU: a page' 3 "0x2678  unknown: 0x805678 $translated" \
	"gpu-ptwalk: 0x2678: unknown: 0x805678 $translated" ptwalk -m ggtt 0x2678
expect 'behind an IOMMU: a table' 3 "0x2678  unknown: 0x1000 $translated" \
	"gpu-ptwalk: 0x2678: unknown: 0x1000 $translated" ptwalk -m pml4 --root 0x1000 0x2678
expect 'behind an IOMMU: a map' 6 '0x2000-0x3000 0x805000 1x4K linear -' \
	'*IOMMU: it translates the addresses in the tables: they are not memory addresses *' ptwalk -m ggtt --map
echo identity >"$gpu/iommu_group/type"
expect 'an IOMMU that leaves it alone' 0 '0x2678  -> 0x805678  4K page of system memory' '' \
	ptwalk -m ggtt 0x2678

# Gen3 has its GGTT in BAR 3.
fresh
fake_gpu 0000:00:02.0 0xa011 0x02 1
fake_table 1
poke "$gpu/resource3" 8 0x00805081
poke "$gpu/config" 0x1c 0xfe000000
expect 'a GGTT in a BAR of its own' 0 \
	'0x2678  -> 0x800805678  4K page of system memory  uncached' '' ptwalk 0x2678
fresh
fake_gpu 0000:00:02.0 0xa011 0x02 1
absent='unknown: ggtt:0x8, entry 2 of the table at 0x0: no source holds it'
expect 'no such BAR' 3 "0x2678  $absent" "gpu-ptwalk: 0x2678: $absent" ptwalk 0x2678

# --check says what it did not look at: tables that hang on registers which sleep, a GGTT that is
# refused, or cut short.
check() {
	in_devices env NO_COLOR=1 HOME="$work" "$GPU_PTWALK" --check "$@"
}
head='# gpu-ptwalk 1.0 platform skl device 0x1912 revision 0x06 source live
# ggtt'
fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
expect '--check: asleep' 0 "$head
# not checked: tables in rcs0,bcs0,vcs0,vcs1,vecs0: no page table: rcs0.RING_PDP_LDW[0], rcs0.CCID: asleep; rcs0.EXECLIST_SUBMIT_PORT: not read; see --wake
no findings" '' check
expect '--check: asleep, of no interest' 0 "$head
no findings" '' check -m ggtt
held_awake
expect '--check: awake' 0 "$head
no findings" '' check
truncate -s 8M "$gpu/resource0"
short='0000:00:02.0: its BAR shows 0x0 of 0x800000 bytes of the GGTT: the rest is absent'
expect '--check: no GGTT' 3 "$head
# not checked: tables in ggtt: $short" "gpu-ptwalk: --check: $short" check
machine 0x7d55
hang='0000:00:02.0: its GGTT is not read without --unsafe:*'
expect '--check: a GGTT that may hang' 3 '' "gpu-ptwalk: --check: $hang" check -q -m ggtt
finish
