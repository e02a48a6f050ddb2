#!/bin/sh
# SPDX-License-Identifier: MIT
# BARs and files smaller than the platform has them: less is mapped, and nothing dies of SIGBUS.
. "$(dirname "$0")/lib.sh"

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
poke "$gpu/resource0" 0x2358 0x00000007
truncate -s 9M "$gpu/resource0"
expect 'the file ends within the GGTT' 0 'mmio 0x0+0x200000
ggtt 0x0+0x100000
0x0
absent' '' in_devices "$PROBE" extent:mmio extent:ggtt ggtt:0xffff8:8 ggtt:0x100000:8

poke "$gpu/config" 0x50 0x000000c0
expect 'the file ends within the GGTT: what is missed' 0 'absent
0000:00:02.0: its BAR shows 0x100000 of 0x800000 bytes of the GGTT: the rest is absent' '' \
	in_devices "$PROBE" ggtt:0x100000:8 notes

truncate -s 8M "$gpu/resource0"
expect 'the file ends at the GGTT' 0 'ggtt none
absent
0x7' '' in_devices "$PROBE" extent:ggtt ggtt:0:8 mmio:0x2358:4

truncate -s 10001 "$gpu/resource0"
expect 'the file ends within the registers, within a dword' 0 'mmio 0x0+0x2711
0x7
asleep
absent
absent
absent' '' in_devices "$PROBE" extent:mmio mmio:0x2358:4 mmio:0x270c:4 mmio:0x2710:4 \
	mmio:0x2710:1 mmio:0x130044:4

truncate -s 0 "$gpu/resource0"
expect 'the file is empty' 0 'mmio none
absent' '' in_devices "$PROBE" extent:mmio mmio:0x2358:4

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
fake_resource 1 >"$gpu/resource"
expect 'the BAR is smaller than its file' 0 'mmio 0x0+0x100000
ggtt none
r--s 0x0 0x100000' '' in_devices "$PROBE" extent:mmio extent:ggtt maps

expect 'the BAR is smaller: what is missed' 0 'absent
0000:00:02.0: its BAR shows 0x100000 bytes of registers, but skl has 0x200000: the rest is absent' '' \
	in_devices "$PROBE" mmio:0x120000:4 notes
poke "$gpu/resource0" 0x2358 0x00000007
expect 'forcewake registers beyond the BAR' 1 '' \
	'probe: --wake=registers: the BAR ends before*' \
	in_devices "$PROBE" -w registers mmio:0x2358:4

yes '0x0000000000000000 0x0000000000000000 0x0000000000000000' | head -13 >"$gpu/resource"
expect 'a BAR without address' 1 '' 'probe: 0000:00:02.0: its register BAR*no memory address' \
	in_devices "$PROBE" identity
expect 'its identity alone' 0 'skl 0x1912 0x06' '' in_devices "$PROBE" -n identity
finish
