#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-ptwalk ADDR...: the demos, whose story data/demo/README.md tells, and tables made here.
. "$(dirname "$0")/../lib.sh"
needs gpu-ptwalk jq

# walk FILTER VALUE: of the first walk of JSON
walk() {
	expect_json ".walks[0] | $1" "$2"
}

title 'skl-hang: the address that nothing is mapped at'
run gpu-ptwalk -s demo:skl-hang 0x7a1105603000
expect_status 3
expect_out '# gpu-ptwalk 1.0 platform skl device 0x1912 revision 0x06 source demo:skl-hang
# pml4 root 0x22543a000, from rcs0.RING_PDP_LDW[0]
0x7a1105603000  not mapped: pde 0x0 at phys:0x225437158 is not present
  level  index  table        entry        raw          address      flags
  pml4e    244  0x22543a000  0x22543a7a0  0x22542a003  0x22542a000  rw
  pdpe      68  0x22542a000  0x22542a220  0x225437003  0x225437000  rw
  pde       43  0x225437000  0x225437158  0x0                       not-present'
expect_err_line 'gpu-ptwalk: 0x7a1105603000: not mapped: *'

title 'skl-hang: pages of 64 KB and 2 MB, an address in both spellings'
run gpu-ptwalk -s demo:skl-hang -q 0x200000123 0x300000000 0xfffefffd0000 0xfffffffefffd0000
expect_status 0
expect_out '0x200000123  -> 0x180410123  64K page of system memory  rw,pat4
0x300000000  -> 0x180800000  2M page of system memory  rw,pat0
0xfffefffd0000  -> 0x225427000  4K page of system memory  rw,pat4
0xfffefffd0000  -> 0x225427000  4K page of system memory  rw,pat4'
expect_err_empty

title 'caches that may have the entries, for the engine whose tables they are'
run gpu-ptwalk -v -s demo:skl-hang --engine rcs0 0x300001000
expect_status 0
expect_out_has '^  cached for rcs0 in$'
expect_out_has '^    Z_TLB       Depth TLB, 448 entries: '
expect_out_has '^    PML4_CACHE  PML4 cache, 4K, has pml4e: '
expect_out_lacks 'BLT_TLB'
expect_out_has '^    RTCR.INVALIDATE                   L3_TLB, Z_TLB, C_TLB, FF_TLB: '
expect_out_lacks 'BTCR'
run gpu-ptwalk -s demo:skl-hang 0x300001000
expect_out_lacks 'cached'
run gpu-ptwalk -v -s demo:skl-hang ggtt:0x1000
expect_out_has '^  cached in$'
expect_out_has '^    BLT_TLB   Blitter TLB, 32 entries, of bcs$'
expect_out_has '^    WIDI_TLB  Wireless display TLB, 64 entries, of wireless-display$'
run gpu-ptwalk -v -s demo:skl-hang 0x1000
expect_out_lacks 'cached in'
run gpu-ptwalk --json -s demo:skl-hang --engine rcs0 0x300001000 0x1000
expect_json '[.walks[].caches | length]' '[6,0]'
walk '.caches[] | select(.name == "PDP_CACHE")' \
	'{"name":"PDP_CACHE","levels":"pdpe","invalidated_by":["PIPE_CONTROL.TLB_INVALIDATE","context switch"]}'

title 'several misses share a line'
run gpu-ptwalk -s demo:skl-hang -q 0x200000000 0x7a1105603000 0x1
expect_status 3
expect_err_line 'gpu-ptwalk: 2 of 3 addresses: not mapped'

title 'snb-hang: a page-table entry that is not valid'
run gpu-ptwalk -s demo:snb-hang 0xa40000
expect_status 3
expect_out '# gpu-ptwalk 1.0 platform snb device 0x0126 revision 0x09 source demo:snb-hang
# 2level root 0x7fe00000, from rcs0.PP_DIR_BASE_READ
0xa40000  not mapped: pte 0x0 at phys:0x10a48d900 is not valid
  level  index  table          entry          raw        address      flags
  pde        2  ggtt:0x1ff800  ggtt:0x1ff808  0xa48d011  0x10a48d000
  pte      576  0x10a48d000    0x10a48d900    0x0                     not-present'
run gpu-ptwalk -s demo:snb-hang -m ggtt --json 0x100000
expect_status 0
walk '[.address, .mode, .root, .mapped, .physical, .page_size, .memory, .stop]' \
	'["0x100000","ggtt",null,true,"0xbbac0000",4096,"stolen",null]'
walk '.levels | map([.level, .index, .space, .table, .entry, .raw, .vtd])' \
	'[["pte",256,"ggtt","0x0","0x400","0xbbac0003",null]]'

title 'icl-trtt: tiles, as the registers have them'
run gpu-ptwalk -s demo:icl-trtt -q 0x500000000000 0x500000010000 0x500000030000
expect_status 3
expect_out '0x500000000000  -> 0x190040000  64K page of system memory  rw,pat4
0x500000010000  not mapped: trtt-l1 1 at 0x3c1248004 is 0x1: a null tile by the detection register: reads return zero, writes are dropped
0x500000030000  not mapped: trtt-l1 3 at 0x3c124800c is 0x0: an invalid tile by the detection register: reads return zero, writes are dropped, and an interrupt is raised'
run gpu-ptwalk -s demo:icl-trtt --json 0x500000000000
expect_json '[.trtt.l3, .trtt.va, .trtt.null, .trtt.invalid]' '["0x100000000","0x5","0x1","0x0"]'
walk '.levels | map(.level)' \
	'["trtt-l3","trtt-l2","trtt-l1","pml4e","pdpe","pde","pte64k"]'
walk '.levels[0].through | map(.level)' '["pml4e","pdpe","pde","pte"]'
run gpu-ptwalk -s demo:icl-trtt --trtt none --json 0x500000000000
expect_status 3
expect_json .trtt null
walk '[.stop.level, .stop.reason]' '["pml4e","not-present"]'
run gpu-ptwalk -s demo:icl-trtt -q --trtt 0x100000000 --trtt-null 1 --trtt-invalid 0 --trtt-va 5 \
	0x500000020000
expect_out_has '^0x500000020000  -> 0x[0-9a-f]+  64K page'

title 'no root: the global table, and where one was looked for'
run gpu-ptwalk -p skl -s none 0
expect_status 3
expect_out_has '^# ggtt, default: rcs0: no page table: .*RING_PDP_LDW.*not in the source'
run gpu-ptwalk -p skl -s none --json 0
expect_json '.mode, .root, (.from | startswith("default: rcs0: "))' '"ggtt"
null
true'
run gpu-ptwalk -p skl -s none -m ggtt 0
expect_out_has '^# ggtt$'

title 'tables made here: four levels, a read-only page, VT-d below'
# PML4 1000, PDP 2000, directory 3000, table 4000: 0 -> a5000 rw, 1000 -> a6000 ro, 2000 nothing.
# Second level 8000 to b000: identity for the first 64 KB but c000.
set -- 0x1000 0x2003 0x2000 0x3003 0x3000 0x4003 0x4000 0xa5003 0x4008 0xa6001 \
	0x8000 0x9003 0x9000 0xa003 0xa000 0xb003
i=0
while [ $i -lt 16 ]; do
	[ $i = 12 ] || set -- "$@" $((0xb000 + i * 8)) $((i * 4096 + 3))
	i=$((i + 1))
done
make_bar "$work/memory" 0x10000 "$@"
mem=mem:$work/memory
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x1000 -q 0 0x1fff 0x2000
expect_status 3
expect_out '0x0  -> 0xa5000  4K page of system memory  rw,pat0
0x1fff  -> 0xa6fff  4K page of system memory  ro,pat0
0x2000  not mapped: pte 0x0 at phys:0x4010 is not present'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x1000 --access write --json 0x1000
expect_status 3
walk '[.mapped, .stop.level, .stop.reason]' '[false,"pte","not-permitted"]'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x1000 --vtd 0x8000 --json 0
expect_status 3
walk '[.levels[] | [.level, .space, .entry, (.vtd | map(.level))]]' \
	'[["pml4e","guest","0x1000",["vtd-sl","vtd-sl","vtd-sl","vtd-sl"]],["pdpe","guest","0x2000",["vtd-sl","vtd-sl","vtd-sl","vtd-sl"]],["pde","guest","0x3000",["vtd-sl","vtd-sl","vtd-sl","vtd-sl"]],["pte","guest","0x4000",["vtd-sl","vtd-sl","vtd-sl","vtd-sl"]]]'
walk '.stop.reason' '"not-present"'
expect_json '[.vtd.root, .vtd.levels]' '["0x8000",4]'

title 'an entry that no source holds has no fields'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x100000 --json 0
walk '.levels[] | [.raw, .fields]' '[null,[]]'

title 'a table of tiles that is not reached: the entries that were read on the way'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x1000 --trtt 0x10000 --trtt-va 5 --json 0x500000000000
expect_status 3
walk '[(.levels | length), .vtd, (.through | map(.level)), .stop.level]' \
	'[0,null,["pml4e","pdpe","pde","pte"],"pte"]'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x1000 --json 0
walk .through null
refused 2 'gpu-ptwalk: --trtt 0: bdw has no tiled resources*' \
	gpu-ptwalk -p bdw -s "$mem" -m pml4 --root 0x1000 --trtt 0 --trtt-va 0 0
refused 2 'gpu-ptwalk: --trtt 0: bdw has no tiled resources*' \
	gpu-ptwalk -p bdw -s "$mem" --trtt 0 --trtt-va 0 --reverse 0

title 'notes are whole sentences'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x1000 --trtt 0x1000 --trtt-null 1 --trtt-invalid 1 \
	--trtt-va 0 --json 0
walk '.note | endswith("which reads as zero") or endswith("may not be") or endswith("not allowed")' true

title 'the root of VT-d tables is as --root takes it'
run gpu-ptwalk -p skl -s "$mem" -m vtd --root 0x8000/4 --json 0
expect_json '[.root, .walks[0].root]' '["0x8000/4","0x8000/4"]'
run gpu-ptwalk -p skl -s "$mem" -m vtd --root 0x8000 --json 0
expect_json .root '"0x8000"'

title 'tables of VT-d that debugfs text names'
cat >"$work/domain" <<END
Device 0000:00:02.0 @0x1017f8000
IOVA_PFN PML5E PML4E PDPE PDE PTE
0x000000008d800 | 0x0000000000000000 0x00000001017f9003 0x00000001017fa003 0x00000001017fb003 0x000000008d800003
END
run gpu-ptwalk -p skl -s "$work/domain" -m vtd --json 0x8d800123
expect_status 0
expect_json '[.root, .from, .walks[0].physical]' \
	'["0x1017f8000/4","domain of 00:02.0","0x8d800123"]'

title 'of --context bits 31:12 are used: others may be those of CCID'
for context in 0x20000 0x20001 0x20009 0x20019 0x800020101; do
	run gpu-ptwalk -s demo:skl-hang -q --context $context 0x100000000
	expect_status 0
	expect_out '0x100000000  -> 0x225431000  4K page of system memory  rw,pat4'
done

title 'an engine that sleeps'
run gpu-ptwalk -s demo:skl-hang --engine vcs0 0
expect_status 5
expect_out_empty
expect_err_line 'gpu-ptwalk: vcs0: no page table: *asleep*'

title 'why a walk stops'
while read -r reason arguments; do
	# shellcheck disable=SC2086
	run gpu-ptwalk $arguments --json
	expect_status 3
	walk '[.mapped, .physical, .stop.reason]' "[false,null,\"$reason\"]"
	expect_json '.walks[0].stop.text | length > 10' true
done <<END
not-canonical -p skl -s $mem -m pml4 --root 0x1000 0x1000000000000
beyond-table -s demo:snb-hang 0x80000000
beyond-table -s demo:snb-hang -m ggtt 0x80000000
beyond-table -p skl -s $mem -m pdp32 --root 0x3000,0,0,0 0x100000000
no-memory -p skl -s $mem -m pml4 --root 0x100000 0
not-present -p skl -s $mem -m pml4 --root 0x1000 0x8000000000
END

title 'wrong usage: one line, nothing on stdout'
refused 2 'gpu-ptwalk: ADDR: *' gpu-ptwalk -s demo:skl-hang
refused 2 'gpu-ptwalk: PHYS: *' gpu-ptwalk -s demo:skl-hang --reverse
refused 2 'gpu-ptwalk: 0xzz: *' gpu-ptwalk -s demo:skl-hang 0 0xzz
refused 2 'gpu-ptwalk: 0: *' gpu-ptwalk -s demo:skl-hang --map 0
refused 2 'gpu-ptwalk: --root 0x1000: needs --mode*' gpu-ptwalk -s demo:skl-hang --root 0x1000 0
refused 2 'gpu-ptwalk: --root 0: mode ggtt has no root*' gpu-ptwalk -s demo:skl-hang -m ggtt --root 0 0
refused 2 'gpu-ptwalk: --root 1,2: *PDP0,PDP1,PDP2,PDP3*' gpu-ptwalk -s demo:skl-hang -m pdp32 --root 1,2 0
refused 2 "gpu-ptwalk: --root '': *" gpu-ptwalk -s demo:skl-hang -m pml4 --root '' 0
refused 2 "gpu-ptwalk: --mode '': expected *" gpu-ptwalk -s demo:skl-hang -m '' 0
refused 2 'gpu-ptwalk: --mode vtd: *give --root*' gpu-ptwalk -s demo:skl-hang -m vtd 0
refused 2 'gpu-ptwalk: --trtt 0x1000: needs mode pml4 or ia32e*' \
	gpu-ptwalk -s demo:skl-hang -m ggtt --trtt 0x1000 0
refused 2 'gpu-ptwalk: --spaces: cannot be combined with --mode*' gpu-ptwalk -s demo:skl-hang --spaces -m ggtt
refused 3 'gpu-ptwalk: foo: skl has no engine foo*rcs0*' gpu-ptwalk -s demo:skl-hang --engine foo 0
refused 3 'gpu-ptwalk: context 0x00000000: *' gpu-ptwalk -s demo:skl-hang --context 0 0
refused 3 'gpu-ptwalk: PASID 1 of 00:02.0: *' gpu-ptwalk -s demo:skl-hang --pasid 1 --rtaddr 0 0
refused 2 'gpu-ptwalk: --mode trtt: *' gpu-ptwalk -s demo:skl-hang -m trtt 0
refused 2 'gpu-ptwalk: --all: needs --flat or --pages*' gpu-ptwalk -s demo:skl-hang --all 0
refused 2 'gpu-ptwalk: --map: cannot be combined with --check*' gpu-ptwalk -s demo:skl-hang --map --check
refused 2 'gpu-ptwalk: --vtd 0x1000/6: *' gpu-ptwalk -s demo:skl-hang --vtd 0x1000/6 0
refused 2 'gpu-ptwalk: --vtd 0x1000/: *' gpu-ptwalk -s demo:skl-hang --vtd 0x1000/ 0
refused 2 'gpu-ptwalk: --bdf 2: *' gpu-ptwalk -s demo:skl-hang --pasid 1 --rtaddr 0 --bdf 2 0
refused 2 'gpu-ptwalk: --pasid: needs --rtaddr*' gpu-ptwalk -s demo:skl-hang --pasid 1 0
refused 2 'gpu-ptwalk: --trtt-va: *' gpu-ptwalk -s demo:skl-hang --trtt 0 --trtt-va 16 0
refused 2 'gpu-ptwalk: --access execute: *' gpu-ptwalk -s demo:skl-hang --access execute 0
refused 2 'gpu-ptwalk: *' gpu-ptwalk -s demo:snb-hang -m pml4 --root 0 0
run gpu-ptwalk -s demo:skl-hang --svg --json
expect_status 2

title 'with a MOCS'
run gpu-ptwalk -s demo:skl-hang -v --mocs 3 0x100000000
expect_status 0
expect_out_has '^  memory type: PAT 4: write-back, LLC and eLLC \(PRIVATE_PAT_HI '
expect_out_has '^  MOCS 3: LLC page table, .*\(rcs0.MOCS\[3\] 0x00000030\)'
expect_out_has '^  result: as the PAT entry of the page says$'
run gpu-ptwalk -s demo:skl-hang -v --mocs 3 --engine rcs0 0x100000000
expect_out_has '^  MOCS 3: LLC page table'
run gpu-ptwalk -s demo:skl-hang --json 0x100000000 0x1000
expect_json '.walks | map(.access | map(.about))' '[["memory type","snooping","atomics"],[]]'
refused 2 'gpu-ptwalk: --map: cannot be combined with --mocs*' gpu-ptwalk -s demo:skl-hang --map --mocs 2

title 'no root anywhere'
run gpu-ptwalk -p skl -s "$mem" -m pml4 0
expect_status 2 3
expect_out_empty

title 'an engine of which the source has the first pointer alone'
printf '0x22270: 0x00001000\n0x22274: 0x00000000\n' >"$work/pointer"
run gpu-ptwalk -p skl -s "$work/pointer" --engine bcs0 -m pml4 0
expect_out_has '^# pml4 root 0x1000, from bcs0.RING_PDP_LDW\[0\]$'
title 'addresses as they are printed'
run gpu-ptwalk demo:skl-hang ppgtt:0x10002003c
expect_status 0
expect_out_has '^# pml4 root '
expect_out_has '^0x10002003c '
run gpu-ptwalk demo:skl-hang ggtt:0x1000 gttmem:0x2000
expect_status 0
expect_out_has '^# ggtt$'
expect_out_has '^0x1000 '
run gpu-ptwalk demo:skl-hang -m ggtt ggtt:0x1000
expect_status 0
run gpu-ptwalk -q demo:skl-hang --reverse phys:0x22542f03c
expect_status 0
expect_out_has 0x10002003c
refused 2 'gpu-ptwalk: ppgtt:0x2000: is in another space *' gpu-ptwalk demo:skl-hang ggtt:0x1000 ppgtt:0x2000
refused 2 'gpu-ptwalk: 0x2000: is in another space *' gpu-ptwalk demo:skl-hang ggtt:0x1000 0x2000
refused 2 'gpu-ptwalk: ppgtt:0x1000: is not in the global table, *' gpu-ptwalk demo:skl-hang -m ggtt ppgtt:0x1000
refused 2 'gpu-ptwalk: ggtt:0x1000: is in the global table, *' gpu-ptwalk demo:skl-hang -m pml4 ggtt:0x1000
refused 2 'gpu-ptwalk: ggtt:0x1000: is in the global table, *' gpu-ptwalk demo:skl-hang --engine rcs0 ggtt:0x1000
refused 2 'gpu-ptwalk: phys:0x1000: expected a graphics address*' gpu-ptwalk demo:skl-hang phys:0x1000
refused 2 'gpu-ptwalk: ggtt:0x1000: expected a physical address*' gpu-ptwalk demo:skl-hang --reverse ggtt:0x1000
refused 2 'gpu-ptwalk: ppgtt:: neither an address nor a file*' gpu-ptwalk demo:skl-hang ppgtt:
printf '0x2030: 0x00001000\n' >"$work/no-tables"
refused 3 'gpu-ptwalk: ppgtt: *give --engine, --context or --root*' gpu-ptwalk -p skl -s "$work/no-tables" ppgtt:0x1000

finish
