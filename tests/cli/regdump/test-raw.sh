#!/bin/sh
# SPDX-License-Identifier: MIT
# Values of a dump that no register shows: they come last, raw, by the name that the dump has.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-report gpu-snap jq

# rows FILE: offset, size, value and name of what no register shows
rows() {
	jq -r '.registers[] | select(.name == null and .status == "ok") |
	       "\(.space) \(.offset) \(.size) \(.value) \(.dump_name)"' "$1"
}

# expect_rows LINES: of the document on stdout
expect_rows() {
	rows "$out" >"$work/rows"
	printf '%s\n' "$@" | diff - "$work/rows" >"$work/diff" || fail "rows: $(cat "$work/diff")"
}

cat >"$work/intel" <<'END'
     RCS_RING_TAIL (0x00002030): 0x00000150
       HOUSE_PAINT (0x00045a10): 0x00000009 (blue)
     GARDEN WALL 2 (0x00045a18): 0x0000000a
          3D PRINT (0x00045a20): 0x0000000b
(0x00045a28): 0x0000000c
          TWO_WIDE (0x00045a30): 0x1122334455667788
END

title 'intel_reg dump'
run gpu-regdump -p skl -s "$work/intel" --json
expect_status 0
expect_rows 'mmio 0x45a10 4 0x9 HOUSE_PAINT' 'mmio 0x45a18 4 0xa GARDEN WALL 2' \
	'mmio 0x45a20 4 0xb 3D PRINT' 'mmio 0x45a28 4 0xc null' \
	'mmio 0x45a30 8 0x1122334455667788 TWO_WIDE'
expect_json '.registers[-1].dump_name' '"TWO_WIDE"'
expect_json '[.registers[] | select(.name != null and .dump_name != null)]' '[]'
cp "$out" "$work/raw.json"
run gpu-regdump -p skl -s "$work/intel"
expect_out_has '^# no definition: values as the dump names them$'
expect_out_has '^0x045a10  0x00000009  HOUSE_PAINT$'
expect_out_has '^0x045a18  0x0000000a  GARDEN WALL 2$'
expect_out_has '^0x045a20  0x0000000b  # 3D PRINT$'
expect_out_has '^0x045a28  0x0000000c$'
expect_out_has '^0x045a30  0x1122334455667788  TWO_WIDE$'
tail -n 1 "$out" | grep -q TWO_WIDE || fail 'they are not last'

title 'the text loaded again'
cp "$out" "$work/own"
run gpu-regdump -s "$work/own" --json
rows "$work/raw.json" >"$work/before"
rows "$out" | diff "$work/before" - >"$work/diff" || fail "rows: $(cat "$work/diff")"

title 'a capture of it'
run gpu-snap save -p skl -s "$work/intel" -o "$work/capture"
run gpu-regdump -s "$work/capture" --json
rows "$out" | diff "$work/before" - >"$work/diff" || fail "rows: $(cat "$work/diff")"
run gpu-snap save -s "$work/capture" -o "$work/again"
run gpu-regdump -s "$work/again" --json
rows "$out" | diff "$work/before" - >"$work/diff" || fail "rows: $(cat "$work/diff")"
run gpu-snap save --redact -p skl -s "$work/intel" -o "$work/redacted"
run gpu-regdump -s "$work/redacted" --json
rows "$out" | sed 's/ [^ ]*$//' >"$work/rows"
grep -c HOUSE_PAINT "$out" >"$work/count"
same 'names in a redacted capture' "$(cat "$work/count")" 0
same 'values in a redacted capture' "$(wc -l <"$work/rows")" 5

title 'SELECTORs'
run gpu-regdump -p skl -s "$work/intel" --json house_paint
expect_rows 'mmio 0x45a10 4 0x9 HOUSE_PAINT'
expect_json '.registers | length' 1
run gpu-regdump -p skl -s "$work/intel" --json 'GARDEN*'
expect_rows 'mmio 0x45a18 4 0xa GARDEN WALL 2'
run gpu-regdump -p skl -s "$work/intel" --json 0x45a30
expect_rows 'mmio 0x45a30 8 0x1122334455667788 TWO_WIDE'
run gpu-regdump -p skl -s "$work/intel" --json 0x45a10-0x45a1f
expect_rows 'mmio 0x45a10 4 0x9 HOUSE_PAINT' 'mmio 0x45a18 4 0xa GARDEN WALL 2'
run gpu-regdump -p skl -s "$work/intel" --json rcs0.RING_BUFFER_TAIL
expect_json '[.registers[] | .name]' '["RING_BUFFER_TAIL"]'
run gpu-regdump -p skl -s "$work/intel" --json RCS_RING_TAIL
expect_json '[.registers[] | .name]' '["RING_BUFFER_TAIL"]'
run gpu-regdump -p skl -s "$work/intel" GARDENER
expect_status 3
run gpu-regdump -p skl -s "$work/intel" --list HOUSE_PAINT
expect_status 3

title 'two columns, a trace, rows'
printf '45a10 9\n45a14 a # what it is for\n' >"$work/plain"
run gpu-regdump -p skl -s "$work/plain" --json
expect_rows 'mmio 0x45a10 4 0x9 null' 'mmio 0x45a14 4 0xa what it is for'
cat >"$work/trace" <<'END'
 Xorg-1 [000] 1.5: i915_reg_rw: write reg=0x45a10, len=4, val=(0x9, 0x0)
 Xorg-1 [000] 1.6: i915_reg_rw: write reg=0x45a10, len=4, val=(0x8, 0x0)
END
run gpu-regdump -p skl -s "$work/trace" --json
expect_rows 'mmio 0x45a10 4 0x8 null'
printf '# gpu-regdump 1.0 platform skl\n0x045a00: 0x00000001 0x00000002 0x00000003\n' >"$work/row"
run gpu-regdump -s "$work/row"
expect_out_has '^0x045a00: 0x00000001 0x00000002 0x00000003$'
printf '# gpu-regdump 1.0 platform skl\n0x002030: 0x00000001\n*\n0x3f00000: 0x00000001\n' >"$work/folded"
run gpu-regdump -s "$work/folded" --json
expect_rows 'mmio 0x3f00000 4 0x1 null'

title 'a register of which only a half is there'
printf '0x100000 0x00b40001\n' >"$work/half"
run gpu-regdump -p skl -s "$work/half"
expect_status 0
expect_out_has '^0x100000  0x00b40001  FENCE.0.  bits 31:0 only$'

title 'an error state'
cat >"$work/state" <<'END'
GPU HANG: ecode 9:0:0x00000000
PCI ID: 0x1912
EIR: 0x00000000
rcs0 command stream:
  START: 0x00001000
  HEAD:  0x00000010
  TEAPOT: 0x00000418
  ACTHD: 0x00000000 00000010
END
run gpu-regdump -s "$work/state"
expect_out_has '^# 1 value of the dump without a known address; to list them: gpu-snap info -s .*$'
run gpu-snap info "$work/state"
expect_out_has '^rcs0.TEAPOT  0x00000418$'

title 'two of them compared, and one watched'
sed 's/0x0000000a/0x0000000f/; /3D PRINT/d' "$work/intel" >"$work/other"
run gpu-regdump -p skl --diff "$work/intel" "$work/other" --json
expect_json '[.differences[] | [.name, .dump_name, .offset, .a, .b]]' \
	'[[null,"GARDEN WALL 2","0x45a18","0xa","0xf"]]'
cp "$out" "$work/diff.json"
run gpu-regdump -p skl --diff "$work/intel" "$work/other" GARDEN* '3D PRINT'
expect_status 6
expect_out_has '^0x045a18  0x0000000a -> 0x0000000f  GARDEN WALL 2$'
expect_out_has '^0x045a20  0x0000000b -> absent  3D PRINT$'
run gpu-regdump -p skl -s "$work/intel" --watch 0.01 --count 2 --ndjson HOUSE_PAINT
expect_status 0
grep -q '"dump_name":"HOUSE_PAINT"' "$out" || fail 'it is not watched'
cp "$out" "$work/watch.ndjson"

title 'a report'
run gpu-report -p skl -s "$work/intel" -o "$work/report.html"
grep -q HOUSE_PAINT "$work/report.html" || fail 'the report has no HOUSE_PAINT'

title 'many, each once'
awk 'BEGIN { for (i = 0; i < 50000; i++) printf "0x%x 0x%x name_%d\n", 16777216 + 4 * i, i, i }' \
	>"$work/many"
run gpu-regdump -p skl -s "$work/many" --json
same 'rows' "$(rows "$out" | wc -l)" 50000
rm "$out"
: >"$out"

expect_schemas

title 'whose an address without a register is, and holes'
run gpu-regdump -s demo:skl-hang -v 0x2030 0x170000 0x130000
expect_out_has '^    owner: rcs0: engine, with its command streamer$'
expect_out_has '^    no register: null: software may use it as the null range, 0x170000-0x17ffff$'
expect_out_has '^    no register: in no documented range$'
run gpu-regdump -s demo:skl-hang 0x170000
expect_status 3
expect_err_line 'gpu-regdump: 0x170000: no source holds this address; no register, null: software may use it as the null range, 0x170000-0x17ffff'
run gpu-regdump -s demo:skl-hang --json 0x2030 0x170000
expect_json '.registers[] | [.name, .owner, .hole]' \
	'["RING_BUFFER_TAIL","rcs0: engine, with its command streamer",null]
[null,null,"null: software may use it as the null range"]'

[ -n "${GPUSCOPE_CORPUS-}" ] || finish
title "igt's dump of a Gemini Lake"
for file in "$GPUSCOPE_CORPUS"/reg-dump/glk*; do
	run gpu-regdump -p glk -s "$file" --json
	expect_status 0
	jq -r '.registers[] | select(.status == "ok" and .space == "mmio") |
	       "\(.offset) \(.size)"' "$out" >"$work/shown"
	sed -n 's/.*(0x\([0-9a-f]*\)): 0x.*/\1/p' "$file" >"$work/listed"
	[ "$(wc -l <"$work/listed")" -gt 200 ] || fail 'hardly any rows'
	while read -r offset size; do
		printf '%08x\n' $((offset))
		[ "$size" != 8 ] || printf '%08x\n' $((offset + 4))
	done <"$work/shown" | sort >"$work/dwords"
	sort -u "$work/listed" | comm -23 - "$work/dwords" >"$work/lost"
	same 'rows that are lost' "$(wc -l <"$work/lost")" 0
done

finish
