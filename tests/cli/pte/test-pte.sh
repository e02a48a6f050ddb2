#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-pte: entries of all modes and levels, from arguments and from a stream.
. "$(dirname "$0")/../lib.sh"
needs gpu-pte jq

title 'a 2 MB page found in a directory'
run gpu-pte -p skl -m pml4 -l pde 0x18080008b
expect_status 0
expect_out '# gpu-pte 1.0 platform skl mode pml4 level pde
0x000000018080008b  pde2m    valid, 2M page at 0x180800000
    38:21   ADDRESS                       0xc04       0x180800000
       12   PAT                           0x0         0x0
        9   NULL                          0x0         no
        7   PAGE_SIZE                     0x1         2 MB page
        4   PCD                           0x0         0x0
        3   PWT                           0x1
        1   READ_WRITE                    0x1         yes
        0   PRESENT                       0x1         yes
    PAT index: 1'

title 'the PAT index, whose bits stand in five fields'
run gpu-pte -p lnl -m pml4 0x6000000000001083
expect_out_has '^    PAT index: 28$'
run gpu-pte -p lnl -m pml4 --json 0x6000000000001083
expect_json '.entries[0].pat_index' 28
run gpu-pte -p snb -m ggtt --json 1
expect_json '.entries[0].pat_index' null

title 'a line each'
run gpu-pte -p skl -q -m pml4 -l pde 0x22543b003 0
expect_status 0
expect_out '0x000000022543b003  pde      valid, pte table at 0x22543b000
0x0000000000000000  pde      not valid'

title 'a null page has no address'
run gpu-pte -p skl -q -m pml4 0x180410203
expect_out '0x0000000180410203  pte      valid, 4K page, null'
run gpu-pte -p icl -q -l trtt-l3 0x12345002
expect_out '0x0000000012345002  trtt-l3  valid, null tiles, no table'

title 'entries of more than two quadwords: no zeros in front'
run gpu-pte -p skl -q -l VTD-PASID 0:0:0:0:0:0:0x800002:0x1038a5089
expect_out '0x0:0x0:0x0:0x0:0x0:0x0:0x800002:0x1038a5089  vtd-pasid  valid, vtd-sl-pml4e table at 0x1038a5000'
run gpu-pte -p skl -l VTD-ROOT 0x1000
expect_out_has '^# gpu-pte 1.0 platform skl mode vtd level vtd-root$'

title 'entries of 32 bits: 40 address bits'
run gpu-pte -p snb -q -m 2level 0x0a43d015
expect_out '0x0a43d015  pte      valid, 4K page at 0x10a43d000'
refused 2 'gpu-pte: 0x123456789: *32 bits*' gpu-pte -p snb -m 2level 0x123456789

title 'the default is the global table'
run gpu-pte -p skl --json 0x1234567001
expect_json '.entries[0] | [.raw, .mode, .level, .valid, .address, .page_size, .problems]' \
	'["0x1234567001","ggtt","pte",true,"0x1234567000",4096,[]]'
run gpu-pte -p skl --json 0x1234567000
expect_json '.entries[0] | [.valid, .address, .page_size]' '[false,null,null]'

title 'problems are no failure'
run gpu-pte -p icl -m ia32e -l pde2m --json 0xffff0000000000e7
expect_status 0
expect_json '.entries[0].problems' '["bits 51:39 must be zero: 0x1e00"]'
expect_json '.entries[0].fields[] | select(.problem) | [.hi, .lo, .value]' '[51,39,"0x1e00"]'

title 'levels that imply their mode'
run gpu-pte -p skl --json -l trtt-l1 0x1234
expect_json '.entries[0] | [.mode, .level, .address, .page_size, .space]' \
	'["trtt","trtt-l1","0x12340000",65536,"graphics"]'
run gpu-pte -p skl --json -l vtd-context 0x0000000000000102:0x0000000105a4b001
expect_json '.entries[0] | [.raw, .mode, .level, .valid, .address]' \
	'["0x102:0x105a4b001","vtd","vtd-context",true,"0x105a4b000"]'
expect_json '.entries[0].fields[] | select(.name == "DOMAIN_ID") | [.hi, .lo, .value]' \
	'[87,72,"0x1"]'
refused 2 'gpu-pte: --level trtt-l1: *' gpu-pte -p skl -m pml4 -l trtt-l1 1

title 'every level of the contract'
for level in pml4/pte pml4/pde pml4/pde2m pml4/pdpe pml4/pdpe1g pml4/pml4e pml4/pte64k \
	pdp32/pte pdp32/pde ia32e/pte ia32e/pte64k ia32e/pde ia32e/pde2m ia32e/pdpe \
	ia32e/pdpe1g ia32e/pml4e ggtt/pte; do
	run gpu-pte -p skl -q -m "${level%/*}" -l "${level#*/}" 0xc0000083
	expect_status 0
	expect_out_has 'valid'
done
for level in trtt-l1 trtt-l2 trtt-l3 vtd-root vtd-context vtd-pasid vtd-sl; do
	run gpu-pte -p skl -q -l $level 0x1003
	expect_status 0
done
run gpu-pte -p brw -q -m flat 0x12345001
expect_out '0x12345001  pte      valid, 4K page at 0x12345000'

title 'wrong usage'
refused 2 'gpu-pte: --level foo: *pte*' gpu-pte -p skl -l foo 1
refused 2 'gpu-pte: --mode foo: *' gpu-pte -p skl -m foo 1
refused 2 'gpu-pte: xyz: *' gpu-pte -p skl 1 xyz
refused 2 'gpu-pte: 1:: *' gpu-pte -p skl 1:
refused 2 'gpu-pte: 0x10000000000000000: *' gpu-pte -p skl 0x10000000000000000
refused 2 'gpu-pte: --mode pml4: snb has no such mode; it has ggtt 2level*' gpu-pte -p snb -m pml4 1
refused 2 "gpu-pte: --mode '': expected *" gpu-pte -p skl -m '' 1
refused 2 "gpu-pte: --level '': no level *" gpu-pte -p skl -l '' 1
refused 2 "gpu-pte: '': expected a number*" gpu-pte -p skl ''
refused 2 'gpu-pte: 1:2: *64 bits*' gpu-pte -p skl 1:2
refused 2 'gpu-pte: 0:0:0:0:0:0:0:0:0: *' gpu-pte -p skl -l vtd-pasid 0:0:0:0:0:0:0:0:0
refused 1 'gpu-pte: */nofile: *' gpu-pte -s "$work/nofile" 1
refused 3 'gpu-pte: nope: *' gpu-pte -p nope 1

title 'a stream'
printf '0x1001\n\n# a comment\n  0x2001\r\nxx\n0x3000' >"$work/lines"
run_in "$work/lines" gpu-pte -p skl -q
expect_status 6
expect_out '0x0000000000001001  pte      valid, 4K page at 0x1000
0x0000000000002001  pte      valid, 4K page at 0x2000
0x0000000000003000  pte      not valid'
expect_err_line 'gpu-pte: standard input:5: xx: *'
run_in "$work/lines" gpu-pte -p skl --ndjson
same 'lines of NDJSON' "$(wc -l <"$out")" 4
run gpu-pte -p skl -q
expect_status 0
expect_out_empty

title 'no input, no output'
run_lenient sh -c 'gpu-pte -p skl <&-'
expect_status 1
expect_err_line 'gpu-pte: standard input: *'
run_in /tmp gpu-pte -p skl -q
expect_status 1
run_lenient sh -c 'gpu-pte -p skl 1 >/dev/full'
expect_status 1
expect_err_line 'gpu-pte: standard output: No space left*'
run_lenient sh -c 'yes 0x1001 | gpu-pte -p skl -q | head -n 1'
expect_out '0x0000000000001001  pte      valid, 4K page at 0x1000'
expect_err_empty

title 'a stream of bad lines'
awk 'BEGIN { for (i = 0; i < 100; i++) print "bad" i }' >"$work/lines"
run_in "$work/lines" gpu-pte -p skl -q
expect_status 1
expect_out_empty
echo 0x1001 >>"$work/lines"
run_in "$work/lines" gpu-pte -p skl -q
expect_status 6
same 'lines on stderr' "$(wc -l <"$err")" 20
expect_err_line 'gpu-pte: standard input: 81 more lines: *'
head -c 300000 /dev/zero | tr '\0' 1 >"$work/lines"
printf '\n0x1001\n' >>"$work/lines"
run_in "$work/lines" gpu-pte -p skl -q
expect_status 6
expect_err_line 'gpu-pte: standard input:1: *'
expect_out '0x0000000000001001  pte      valid, 4K page at 0x1000'

title 'bits in no field, and those that drivers leave alone'
run gpu-pte -p tgl -m pml4 0x4000000000001c23
expect_out_has '^    bits without definition: 62, 11:10, 5$'
run gpu-pte -p tgl -m pml4 0x1003
expect_out_lacks 'without definition'
title 'how a page is accessed'
run gpu-pte -p tgl -v -m pml4 0x1234501b
expect_out_has '^    memory type: PAT 3: PAT_INDEX\[3\] decides$'
expect_out_has '^    snooping: always: the GPU shares the LLC'
expect_out_has '^    drivers: i915 and xe make this entry uncached$'
expect_out_lacks 'result: |MOCS 3'
run gpu-pte -s demo:skl-hang -v --mocs 2 -m pml4 0x180410083
expect_out_has '^    MOCS 2: LLC write-back, .*\(rcs0.MOCS\[2\] 0x0000003b\); L3 write-back \(LNCFCMOCS\[1\]'
expect_out_has '^    result: write-back: the MOCS overrides the PAT$'
expect_out_has '^    atomics: atomic with those of the CPU'
expect_out_lacks 'drivers: '
run gpu-pte -s demo:skl-hang --json --mocs 2 -m pml4 0x180410083 0
expect_json '.entries[0].access | map(.about)' '["memory type","MOCS 2","result","snooping","atomics"]'
expect_json '.entries[0].access | map(.origin == null)' '[true,true,false,false,false]'
expect_json '.entries[1].access' '[]'
run gpu-pte -p snb -v --mocs 1 0x12345005
expect_out_has '^    MOCS 1: not in LLC$'
run gpu-pte -p skl -v --mocs 128 1
expect_out_has '^    MOCS 128: this platform has no such entry$'

title 'facts of a definition'
run gpu-db show -p chv GEN8_PTE
expect_out_has 'snooping: yes: the PAT entry says so \(SNOOP=1\)$'

title 'a field that is not everywhere'
run gpu-pte -p icl -m pml4 -l pde2m 0x200883
expect_out_has '^ *11 *LOCAL_MEMORY *0x1 *yes$'

title 'a condition that excludes PAT entries'
cat >"$work/facts.def" <<'END'
format 1
document lab "Notes of the lab"
origin lab "1"
fact mode=pml4 level=pte on=icl about=order when=PAT_INDEX!=0 "not the first"
END
run gpu-pte -v --define "$work/facts.def" -p icl -m pml4 -l pte 0x12345003
expect_out_lacks 'not the first'
run gpu-pte -v --define "$work/facts.def" -p icl -m pml4 -l pte 0x1234500b
expect_out_has 'order: not the first'
finish
