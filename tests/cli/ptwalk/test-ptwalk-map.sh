#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-ptwalk --map, --flat, --reverse, --check, --spaces, --svg.
. "$(dirname "$0")/../lib.sh"
needs gpu-ptwalk jq

title 'the map of skl-hang'
run gpu-ptwalk -s demo:skl-hang --map
expect_status 0
expect_out '0x100000000-0x100004000 0x225431000 4x4K scattered rw,pat4
0x100020000-0x100022000 0x22542f000 2x4K scattered rw,pat4
0x100040000-0x100048000 0x225425000 8x4K scattered rw,pat4
0x200000000-0x200010000 0x180410000 1x64K linear rw,pat4
0x300000000-0x300200000 0x180800000 1x2M linear rw,pat0
0x7a1105000000-0x7a1105002000 0x225430000 2x4K scattered rw,pat4
0xfffefffd0000-0xfffefffd2000 0x225427000 2x4K scattered rw,pat4
0xfffefffe0000-0xfffefffe2000 0x225428000 2x4K scattered rw,pat4
0xfffeffff0000-0xfffeffff1000 0x225422000 1x4K linear rw,pat4'
cp "$out" "$work/map"
run gpu-ptwalk -s demo:skl-hang --map --json
jq -r '.ranges[] | "\(.start)-\(.end) \(.physical) \(.pages) \(.kind) \(.flags | join(","))"' \
	"$out" >"$work/json"
sed 's/x[0-9]*[KMG] / /' "$work/map" | cmp -s - "$work/json" || fail 'JSON has other ranges'
run gpu-ptwalk -s demo:skl-hang --map --ndjson
same 'lines of NDJSON' "$(wc -l <"$out")" 10

title 'its pages, and each of them walked'
run gpu-ptwalk -s demo:skl-hang --flat
expect_status 0
same pages "$(wc -l <"$out")" 23
expect_out_has '^0x200000000 0x180410000 64K rw,pat4$'
expect_out_has '^0x300000000 0x180800000 2M rw,pat0$'
cp "$out" "$work/flat"
run gpu-ptwalk -s demo:skl-hang --pages
cmp -s "$out" "$work/flat" || fail '--pages differs from --flat'
# shellcheck disable=SC2046
run gpu-ptwalk -s demo:skl-hang --json $(cut -d' ' -f1 "$work/flat")
expect_status 0
jq -r '.walks[] | "\(.address) \(.physical)"' "$out" >"$work/walked"
cut -d' ' -f1,2 "$work/flat" | cmp -s - "$work/walked" || fail 'walks land elsewhere'

title 'two levels end at 2 GB, in the middle of what would be a page of entries'
run gpu-ptwalk -s demo:snb-hang --map
expect_status 0
same ranges "$(wc -l <"$out")" 7
expect_err_empty

title 'a partial table: what there is, and 6'
run gpu-ptwalk -s demo:skl-hang -m ggtt --map
expect_status 6
expect_out_has '^0x100000-0x8e9000 0x8b800000 2025x4K linear -$'
expect_out_has '^0x42000-0x100000 0x225400000 190x4K constant -$'
expect_err_line 'gpu-ptwalk: ggtt table for 0x900000: no source holds it'

title 'no table at all'
run gpu-ptwalk -p skl -s demo:skl-hang -m pml4 --root 0x1000 --map
expect_status 3
expect_out_empty

run gpu-ptwalk -p skl -s none --map
expect_status 3
expect_err_line 'gpu-ptwalk: ggtt table for 0x0: the dump has no GGTT; default: rcs0: no page table: *'

title 'nowhere to write to'
for mode in --map --flat --check --spaces --svg '--reverse 0x180410123' 0x200000000 '--json --map'; do
	run_lenient sh -c "gpu-ptwalk -s demo:skl-hang $mode >/dev/full"
	expect_status 1
	expect_err_line 'gpu-ptwalk: standard output: No space left*'
	run_lenient sh -c "gpu-ptwalk -s demo:skl-hang $mode | :"
	expect_err_empty
done

title 'long constant runs'
# One page for a whole table of 1024 entries: 4 KB of GGTT on snb.
awk 'BEGIN { for (i = 0; i < 1024; i++) print i * 4, "0x12345001" }' |
	make_bar "$work/table" 4096 -
run gpu-ptwalk -p snb -s "ggtt:$work/table" -m ggtt --flat
expect_out_has '^0x0 0x12345000 1024x4K '
run gpu-ptwalk -p snb -s "ggtt:$work/table" -m ggtt --flat --all
same pages "$(grep -c ' 4K ' "$out")" 1024

title 'a table met again'
# Two directory pointers to one directory, which has one table of one page.
make_bar "$work/memory" 0x5000 0x1000 0x2003 0x2000 0x3003 0x2008 0x3003 0x3000 0x4003 0x4000 \
	0xa5003
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0x1000 --map
expect_status 0
expect_out_has '^0x0-0x1000 0xa5000 1x4K linear rw,pat0$'
expect_out_has '^0x40000000-.* repeat .*of 0x0$'

title 'a table that leads to itself'
# One page, whose entries all point at it: each address of 48 bits lands in it.
awk 'BEGIN { for (i = 0; i < 512; i++) print i * 8, "0x3" }' | make_bar "$work/memory" 0x1000 -
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0 --map
expect_status 6
expect_out '0x0-0x1000000000000 0x0 68719476736x4K constant rw,pat0'
expect_err_line 'gpu-ptwalk: 3 tables: refer to themselves; *'
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0 0x1234567890
expect_status 0
expect_out_has '^0x1234567890  -> 0x890  4K page'
expect_out_has '^  note: the pml4e at 0x0 points back'
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0 --flat
expect_out '0x0 0x0 68719476736x4K rw,pat0'

title 'backwards'
run gpu-ptwalk -s demo:skl-hang --reverse 0x180410123
expect_status 0
expect_out '0x180410123 0x200000123 pml4 0x22543a000'
run gpu-ptwalk -s demo:skl-hang --reverse --json 0x180410123 0x8b800000
expect_json '.reverse | map(.physical)' '["0x180410123","0x8b800000"]'
expect_json '.reverse[1].addresses | map([.address, .mode, .root])' '[["0x100000","ggtt",null]]'
run gpu-ptwalk -s demo:skl-hang --reverse 0x42
expect_status 3
expect_out_empty
expect_err_line 'gpu-ptwalk: 0x42: no GPU address reaches it; ggtt table for 0x900000: no source holds it'
run gpu-ptwalk -s demo:skl-hang --reverse lmem:0x42
expect_status 3
expect_err_line 'gpu-ptwalk: lmem:0x42: no GPU address reaches it; ggtt table *'
run gpu-ptwalk -s demo:skl-hang -m ggtt --reverse 0x8b800000
expect_status 6
expect_out '0x8b800000 0x100000 ggtt -'
expect_err_line 'gpu-ptwalk: ggtt table for 0x900000: no source holds it'
# Two pages of tables that lead to themselves, whose addresses are not all told one by one.
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0 --reverse 0x123
expect_status 6
expect_out '0x123 0x123 pml4 0x0 and 68719476735 more, 0x1000 apart'
awk 'BEGIN { for (i = 0; i < 512; i++) print i * 8, i % 2 ? "0x3" : "0x1003" }' |
	make_bar "$work/loops" 0x2000 -
run gpu-ptwalk -p skl -s "mem:$work/loops" -m pml4 --root 0 --reverse 0x123
expect_status 6
same 'lines, no more than some thousand' "$(awk 'END { print NR < 10000 }' "$out")" 1
expect_out_has '^0x123 0x[0-9a-f]*-0x[0-9a-f]* pml4 0x0 [0-9]* times, as at 0x'
run gpu-ptwalk -p skl -s "mem:$work/loops" -m pml4 --root 0 --reverse --json 0x123
expect_json '.reverse[0].addresses | map(select(.repeat)) | .[0] | [.address, (.repeat | keys)]' \
	'[null,["end","of","start"]]'

title 'what could not be read in a table is a hole, whatever the reason; the rest is told'
mkdir -p "$work/parts/gpuscope" "$work/parts/ggtt"
printf 'format: 1\nplatform: snb\n' >"$work/parts/gpuscope/info"
awk 'BEGIN { for (i = 0; i < 9; i++) print i * 4, 1048579 + i * 4096 }' |
	make_bar "$work/parts/ggtt/0x0.bin" 36 -
printf '0x8 0x4 denied\n0x18 0x8 asleep\n' >"$work/parts/ggtt/status"
tar -C "$work/parts" -cf "$work/parts.tar" gpuscope ggtt
run gpu-ptwalk "$work/parts.tar" --map
expect_status 6
expect_out '0x0-0x2000 0x100000 2x4K linear uncached
0x3000-0x6000 0x103000 3x4K linear uncached
0x8000-0x9000 0x108000 1x4K linear uncached'
run gpu-ptwalk "$work/parts.tar" -m ggtt --reverse 0x108000
expect_out '0x108000 0x8000 ggtt -'

title 'holes in tables of tiles, where an entry of zero is a tile or a table, too'
mkdir -p "$work/tiles/gpuscope" "$work/tiles/phys"
printf 'format: 1\nplatform: icl\n' >"$work/tiles/gpuscope/info"
awk 'BEGIN {
	print "0x1000 0x2003\n0x2000 0x3003\n0x3000 0x4003\n0x3008 0xc000083"
	print "0x4080 0x5003\n0x4088 0x6003\n0x4090 0x7003"
	for (i = 0; i < 1024; i++)
		print 20480 + i * 8, i % 512 ? 2 : i ? 73728 : 69632
	print "0x5028 0x11000\n0x6010 0x12000\n0x7000 0x20\n0x7008 0x21"
}' | make_bar "$work/tiles/phys/0x0.bin" 0x8000 -
printf '0x5008 0x8 denied\n0x6008 0x8 denied\n0x7004 0x4 denied\n' >"$work/tiles/phys/status"
tar -C "$work/tiles" -cf "$work/tiles.tar" gpuscope phys
run gpu-ptwalk "$work/tiles.tar" -m pml4 --root 0x1000 --trtt 0x10000 --trtt-va 5 \
	--trtt-null 1 --trtt-invalid 0 --flat
expect_status 6
expect_out_has '^0x500000000000 0xc000000 64K rw,pat0$'
expect_out_has '^0x500000020000 0xc010000 64K rw,pat0$'
expect_out_has '^0x500008000000 0xc000000 64K rw,pat0$'
expect_out_has '^0x502800020000 0xc010000 64K rw,pat0$'

title 'a tile in a page of 2 MB is one of 64 KB, in a walk as in a map'
run gpu-ptwalk "$work/tiles.tar" -m pml4 --root 0x1000 --trtt 0x10000 --trtt-va 5 \
	--trtt-null 1 --trtt-invalid 0 -q 0x502800021234 0x201234
expect_out '0x502800021234  -> 0xc011234  64K page of system memory  rw,pat0
0x201234  -> 0xc001234  2M page of system memory  rw,pat0'

title 'offsets in stolen memory'
make_bar "$work/direct" 16 0 0x800003 8 0x801003
run gpu-ptwalk -p mtl -s "ggtt:$work/direct" --map
expect_out '0x0-0x2000 stolen:0x800000 2x4K linear stolen,pat0'
run gpu-ptwalk -p mtl -s "ggtt:$work/direct" 0x1004 --json
expect_json '.walks[0] | [.physical, .stolen_offset, .memory]' '[null,"0x801004","stolen"]'
run gpu-ptwalk -p mtl -s "ggtt:$work/direct" --reverse stolen:0x801000
expect_out 'stolen:0x801000 0x1000 ggtt -'
printf '0x108100: 0x7b800001\n0x108104: 0x00000000\n' >"$work/gsm"
run gpu-ptwalk -p mtl -s "ggtt:$work/direct" -s "$work/gsm" --map
expect_out '0x0-0x2000 0x7c000000 2x4K linear stolen,pat0'
# The global table itself.
make_bar "$work/direct" 16 0 0x800003 8 0x1003
run gpu-ptwalk -p mtl -s "ggtt:$work/direct" -s "$work/gsm" -m ggtt --check
expect_status 6
expect_out_has '^gsm-mapped  *0x7b801000-0x7b802000: the GPU can write to it at ggtt:0x1000'
run gpu-ptwalk -p mtl -s "ggtt:$work/direct" -m ggtt --check
expect_out_has '^gsm-mapped  *stolen:0x1000-0x2000: '
# Tables there.
printf '0x1080c0: 0x00100001\n0x1080c4: 0x00000000\n0x108040: 0x000001c0\n' >"$work/dsm"
make_bar "$work/taken" 0x2000 0 0x101003
run gpu-ptwalk -p mtl -s "mem:$work/taken@0x100000" -s "$work/dsm" -m pml4 --root 0x100000 --check
expect_out_has '^table-stolen  *table at 0x101000: it lies in stolen memory'

title 'two captures: the directory of a running context must not change'
make_bar "$work/then" 0x2000 0x1000 0x5001 0x1004 0x6001
make_bar "$work/now" 0x2000 0x1000 0x5001 0x1004 0x7001 0x1008 0x8001
printf '0x2518 0x00400000\n' >"$work/same"
printf '0x2518 0x00500000\n' >"$work/other"
check_before() {
	run gpu-ptwalk -p snb -s "ggtt:$work/$1" -s "$work/same" -m 2level --root 0x00400000 --check --before "$2"
}
check_before now "ggtt:$work/then"
expect_status 6
same 'changed entries' "$(grep -c '^directory-changed' "$out")" 2
expect_out_has '^directory-changed  *pde 1 at ggtt:0x1004, for 0x400000: 0x7001, and was 0x6001: '
expect_out_has '^directory-changed  *pde 2 at ggtt:0x1008, for 0x800000: 0x8001, and was 0x0: '
check_before then "ggtt:$work/then"
expect_out_lacks 'directory-changed'
check_before now "$work/same"
expect_out_has '^# not checked: directory-changed in 2level: not both captures have these entries: 512$'
check_before now "$work/other"
expect_out_has '^# not checked: directory-changed in 2level: no engine of the earlier capture uses '
run gpu-ptwalk -p ivb -s "ggtt:$work/now" -m 2level --root 0x00400000 --check --before "ggtt:$work/then"
expect_out_has '^directory-changed '
refused 2 'gpu-ptwalk: *demo:skl-hang*is from another platform*' gpu-ptwalk -s demo:snb-hang --check --before demo:skl-hang
refused 2 'gpu-ptwalk: --before: *' gpu-ptwalk -s demo:snb-hang --map --before demo:snb-hang
run gpu-ptwalk -s demo:skl-hang --check --before demo:skl-hang
expect_out_has '^# not checked: directory-changed in pml4: only directories of Gen6 and Gen7 are compared$'

title 'checks'
run gpu-ptwalk -s demo:skl-hang -m pml4 --check
expect_status 0
expect_out_has '^no findings$'
make_bar "$work/memory" 0x5000 0x1000 0x2003 0x2000 0x3003 0x3000 0x4003 0x3008 0x200083 \
	0x4000 0xa5003 0x4004 0x8000
run gpu-ptwalk -p skl -s "mem:$work/memory" -m ia32e --root 0x1000 --check --json
expect_status 6
expect_json '.findings | map(.rule) | index("reserved-bits") != null' true
expect_err_line 'gpu-ptwalk: --check: *finding*'
run gpu-ptwalk -s demo:snb-hang -q --check
same 'findings, a line each' "$(wc -l <"$out")" \
	"$(sed -n 's/^gpu-ptwalk: --check: \([0-9]*\) findings$/\1/p' "$err")"
expect_out_has '^same-address  *0x14000-0x16000: leads to 0x10a424000 here and to 0x10a400000 '
# Tiles share the entries of the pages that they lead to; their tables are the GPU's own.
run gpu-ptwalk -s demo:icl-trtt --check
expect_status 0
expect_out_has '^no findings$'
expect_out_has '^# not checked: outside-memory in phys: the memory of the source does not begin at 0$'
run gpu-ptwalk -s demo:icl-trtt --check --json
expect_json '[.findings, (.not_checked | length)]' '[[],1]'

title 'null pages have neither an address nor memory'
make_bar "$work/null" 0x5000 0x1000 0x2003 0x2000 0x3003 0x3000 0x4003 0x4000 0xa5203
run gpu-ptwalk -p skl -s "mem:$work/null" -m pml4 --root 0x1000 --map
expect_out '0x0-0x1000 - 1x4K linear rw,null,pat0'
run gpu-ptwalk -p skl -s "mem:$work/null" -m pml4 --root 0x1000 --flat
expect_out '0x0 - 4K rw,null,pat0'
run gpu-ptwalk -p skl -s "mem:$work/null" -m pml4 --root 0x1000 --map --json
expect_json '.ranges | map([.physical, .memory, .flags])' '[[null,null,["rw","null","pat0"]]]'

title 'second-level tables: by themselves, and what they take away'
# Top at 1000; guest 0 to 2fff at a5000, of which 1000 may be read only, 2000 written only. Tables of
# a process at 6000; the last of them, guest 9000, is nowhere.
make_bar "$work/memory" 0xa000 0x1000 0x2003 0x2000 0x3003 0x3000 0x4003 \
	0x4000 0xa5003 0x4008 0xa6001 0x4010 0xa7002 0x4030 0x6003 0x4038 0x7003 0x4040 0x8003 \
	0x4050 0x9003 0x6000 0x7003 0x7000 0x8003 0x8000 0xa003 0x8008 0xb003 \
	0x9000 0x3 0x9008 0x1003 0x9010 0x2003
mem=mem:$work/memory
run gpu-ptwalk -p skl -s "$mem" -m vtd --root 0x1000 --map
expect_status 0
expect_out_has '^0x0-0x1000 0xa5000 1x4K linear rw$'
expect_out_has '^0x1000-0x2000 0xa6000 1x4K linear ro$'
expect_out_has '^0x2000-0x3000 0xa7000 1x4K linear wo$'
run gpu-ptwalk -p skl -s "$mem" -m vtd --root 0x1000 -q 0 0x1000
expect_out '0x0  -> 0xa5000  4K page of system memory  rw
0x1000  -> 0xa6000  4K page of system memory  ro'
run gpu-ptwalk -p skl -s "$mem" -m vtd --root 0x1000 --reverse 0xa6010
expect_status 0
expect_out_has '^0xa6010 0x1010 vtd 0x1000'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x6000 --vtd 0x1000 --map
expect_status 6
expect_out '0x0-0x1000 0xa5000 1x4K linear rw,pat0
0x1000-0x2000 0xa6000 1x4K linear ro,pat0
0x2000-0x3000 0xa7000 1x4K linear wo,pat0'
expect_err_line 'gpu-ptwalk: pte table at guest:0xb000, for 0x200000: the second level does not map it'
run gpu-ptwalk -p skl -s "$mem" -m pml4 --root 0x6000 --vtd 0x1000 -q 0x1000
expect_out '0x1000  -> 0xa6000  4K page of system memory  ro,pat0'

title 'windows'
run gpu-ptwalk -s demo:skl-hang --spaces --json
expect_status 0
expect_json '.spaces[] | select(.name == "DSM") | [.start, .end, .size]' \
	'["0x8b800000","0x8f800000",67108864]'
run gpu-ptwalk -p skl -s none --spaces
expect_status 3
make_bar "$work/header" 64 0 0x19128086 4 7 8 0x03000006 0x10 0xde000004 0x18 0xc000000c
run gpu-ptwalk -s "config:$work/header" --spaces
expect_status 6
expect_out_has '^DSM +\?$'
expect_err_line 'gpu-ptwalk: GMADR, GSM, DSM: no source says*'
run gpu-ptwalk -s "config:$work/header" --spaces --json
expect_json '.spaces[] | select(.name == "DSM") | [.status, .start, .size]' '["absent",null,null]'
run gpu-ptwalk -s demo:icl-trtt --spaces
expect_status 0
expect_out_has '^GMADR +0x4000000000-\?$'
expect_out_has '^    problem: its size is unknown'
expect_out_lacks ' $'
same 'lines too long' "$(awk 'length > 79' "$out" | wc -l)" 0
run gpu-ptwalk -s demo:icl-trtt --spaces --json
expect_json '.spaces[] | select(.name == "GMADR") | [.start, .end, .size]' '["0x4000000000",null,null]'

title 'a base of stolen memory that is all ones is none, for walks as for windows'
make_bar "$work/config" 256 0 0x19128086 4 7 8 0x03000006 0x10 0xde000004 0x18 0xc000000c \
	0x50 0x02c1 0x5c 0xffffffff
make_bar "$work/memory" 0x5000 0x1000 0x2003 0x2000 0x3003 0x3000 0x4003 0x4000 0xfff01003
run gpu-ptwalk -s "config:$work/config" -s "mem:$work/memory" -m pml4 --root 0x1000 --json 0
expect_json '.walks[0] | [.physical, .memory]' '["0xfff01000","system"]'
run gpu-ptwalk -s "config:$work/config" --spaces
expect_status 6
expect_out_has '^DSM +\?  '
make_bar "$work/config" 256 0 0x19128086 4 7 8 0x03000006 0x10 0xde000004 0x18 0xc000000c \
	0x50 1 0x5c 0x8b800001 0x60 0x00010000
run gpu-ptwalk -s "config:$work/config" --spaces
expect_status 0
expect_out_has '^DSM +none  '
expect_out_has '^GTTADR +none  '

title 'a picture'
run gpu-ptwalk -s demo:skl-hang --svg
expect_status 0
same 'first line' "$(head -n 1 "$out" | cut -c 1-43)" '<svg xmlns="http://www.w3.org/2000/svg" wid'
same 'last line' "$(tail -n 1 "$out")" '</svg>'
if command -v python3 >/dev/null; then
	python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$out" ||
		fail 'it is no XML'
fi
expect_out_has '2 MB, linear at 0x180800000'
run gpu-ptwalk -s demo:skl-hang -m ggtt --svg
expect_status 6
expect_out_has 'constant at 0x225400000'

title 'a picture has the marks that a report has'
run gpu-ptwalk -s demo:skl-hang --svg
expect_out_has '>fault: 0x7a1105603000, rcs0: not mapped<'
expect_out_has '>rcs0 is here: 0x10002003c PIPE_CONTROL<'
run gpu-ptwalk -s demo:skl-hang -m ggtt --svg
for words in 'ring of rcs0, 16 KB' 'ring of bcs0, 4 KB' 'context of rcs0' 'context of bcs0' \
	'status page of rcs0' 'fence 0: X tiles, pitch 7680 bytes' \
	'aperture: the first 256 MB, visible to the processor'; do
	expect_out_has ">$words<"
done
run gpu-ptwalk -s demo:snb-hang --svg
expect_out_has '>fault: 0xa40000, rcs0: not mapped<'
expect_out_has '>0x80000000<'

title 'tiled resources: null tiles are not empty space'
run gpu-ptwalk -s demo:icl-trtt --svg
expect_out_has '>tiled resources \(TR-TT\), L3 table at 0x100000000<'
expect_out_has '>0x500000010000<'
expect_out_has '>64 KB, null tiles<'
expect_out_has '>reads return zero, writes are dropped<'
expect_out_has '>64 MB, invalid tiles<'

title 'what no source holds is in the picture, and is not called unmapped'
run gpu-ptwalk -s demo:skl-hang -m ggtt --svg
expect_out_has '>0x900000<'
expect_out_has '>4 GB, unknown<'
expect_out_has '>no source holds it<'
expect_out_lacks '>[0-9.]* [KMGT]B not mapped<'
run gpu-ptwalk -p snb -s none -m ggtt --svg
expect_status 3
expect_out_has '>2 GB, unknown<'
expect_out_lacks 'nothing is mapped'
# A directory with three equal entries, whose table is nowhere, and a table that is cut.
make_bar "$work/memory" 0x4800 0x1000 0x2003 0x2000 0x3003 0x3000 0x9003 0x3008 0x9003 \
	0x3010 0x9003 0x3018 0x4003 0x4000 0xa5003
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0x1000 --svg
expect_out_has '>6 MB, unknown<'
expect_out_has '>4 KB, linear at 0xa5000<'
expect_out_has '>0x700000<'
expect_out_has '>1 MB, unknown<'
# The same missing table in two places that are no neighbours.
make_bar "$work/memory" 0x4000 0x1000 0x2003 0x2000 0x3003 0x3000 0x9003 0x3010 0x9003
run gpu-ptwalk -p skl -s "mem:$work/memory" -m pml4 --root 0x1000 --svg
same 'holes' "$(grep -c '>2 MB, unknown<' "$out")" 2

title 'a name that would end the text of a picture is text in it'
cp "$work/memory" "$work/a]]>&<b"
run gpu-ptwalk -p skl -s "mem:$work/a]]>&<b" -m pml4 --root 0x1000 --svg
expect_out_has '/a]]&gt;&amp;&lt;b</title>$'
expect_out_lacks ']]>'
finish
