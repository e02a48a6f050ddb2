#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault --decode: status pages, contexts, reports and rings out of files, dumps and traces.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-batch jq python3
corpus=${GPUSCOPE_CORPUS:-}

# words FILE SIZE [OFFSET VALUE]...: a file of dwords, the others zero
words() {
	python3 - "$@" <<'END'
import struct, sys
size = int(sys.argv[2], 0)
data = bytearray(size)
for offset, value in zip(sys.argv[3::2], sys.argv[4::2]):
    struct.pack_into("<I", data, int(offset, 0), int(value, 0))
open(sys.argv[1], "wb").write(data)
END
}

title 'a status page'
words "$work/page" 4096 0x40 0x8002 0x44 0x17 0x7c 0 0x100 0x5d39
run gpu-fault -p skl --decode hwsp -q "$work/page"
expect_status 0
expect_out_has '^# hwsp of rcs0, 4096 bytes$'
expect_out_has '^\+0x00040  CONTEXT_STATUS\[0\]  0x00008002  0x00000017  written last; LITE_RESTORE, PREEMPTED$'
expect_out_has '^\+0x00100  SOFTWARE\[64\]  0x00005d39  used by the driver, not by the hardware: SEQNO, '
run gpu-fault -p skl --decode hwsp --json "$work/page"
expect_status 0
expect_json '[.schema, .decode, .engine, .address, .size, .cut]' \
	'["gpuscope.decode/1","hwsp","rcs0",null,4096,null]'
expect_json '.items[] | select(.name == "SOFTWARE") | [.index, .offset, .size, .words]' \
	'[64,"0x100",4,["0x5d39"]]'
expect_json '.items[1].fields[0] | [.name, .hi, .lo, .value, .dword]' '["CONTEXT_ID",63,32,"0x17",0]'
cp "$out" "$work/hwsp.json"
run gpu-fault -p snb --decode hwsp --json "$work/page"
expect_json '[.items[] | select(.name == "CONTEXT_STATUS")] | length' 0
expect_json '.items[0].fields[] | select(.name == "CONTEXT_STATUS_0") | .value' '"0x8002"'

title 'from a byte on; a name with @ in it; a file that breaks off'
words "$work/a@b" 8192 0x1040 0x1 0x1044 0x5
run gpu-fault -p skl --decode hwsp -q "$work/a@b@0x1000"
expect_status 0
expect_out_has 'CONTEXT_STATUS\[0\]  0x00000001  0x00000005  written last; IDLE_TO_ACTIVE$'
run gpu-fault -p skl --decode hwsp -q "$work/a@b@0x1f00"
expect_status 6
expect_err_line 'gpu-fault: */a@b@0x1f00: ends at byte 0x100 of 0x1000'
expect_out_has '^\+0x00040  CONTEXT_STATUS\[0\]'
refused 3 'gpu-fault: */a@b@0x2000: past the end: the file has 8192 bytes' \
	gpu-fault -p skl --decode hwsp "$work/a@b@8192"
run gpu-fault -p skl --decode hwsp -q "$work/a@b"
expect_status 0
if built_with gzip; then
	gzip -c "$work/page" >"$work/page.gz"
	run gpu-fault -p skl --decode hwsp -q "$work/page.gz"
	expect_status 0
	expect_out_has 'SOFTWARE\[64\]'
fi
run_in "$work/page" gpu-fault -p skl --decode hwsp -q -
expect_out_has 'SOFTWARE\[64\]'

title 'pipes, of a page and of a source'
run sh -c 'gpu-fault -p skl --decode hwsp -q - <"$0"' "$work/page"
expect_out_has 'SOFTWARE\[64\]'
printf 'GPU HANG: ecode 9:1:0x0\nPCI ID: 0x1912\nrcs0 command stream:\n  CTL: 0x00000001\n' >"$work/state"
echo 'rcs0 --- ring = 0x00000000 00008000' >>"$work/state"
printf '~zzzz!!!!$\n' >>"$work/state"
run sh -c 'cat "$0" | gpu-fault --decode ring -q -' "$work/state"
expect_status 6
expect_err_line 'gpu-fault: *: ends at byte 0x14 of 0x1000'
expect_out_has '^# ring of rcs0, 20 bytes at 0x00008000 \(ring of rcs0\)$'

title 'wrong usage'
refused 2 'gpu-fault: --decode foo: unknown kind; expected hwsp, context, *' \
	gpu-fault -p skl --decode foo "$work/page"
refused 2 'gpu-fault: --decode: needs *' gpu-fault -p skl --decode hwsp
refused 2 'gpu-fault: *: expected one FILE*' gpu-fault -p skl --decode hwsp "$work/page" "$work/page"
refused 2 'gpu-fault: --format: needs *' gpu-fault -p skl --decode hwsp --format A13 "$work/page"
refused 2 'gpu-fault: platform: unknown*' gpu-fault --decode hwsp "$work/page"
refused 3 'gpu-fault: ccs0: *' gpu-fault -p skl --decode hwsp -e ccs0 "$work/page"
refused 1 'gpu-fault: */nofile: *' gpu-fault -p skl --decode hwsp "$work/nofile"
refused 1 'gpu-fault: context: no image found: *' gpu-fault -p skl --decode context "$work/page"

title 'a context: registers, then commands as gpu-batch has them'
words "$work/context" 8192 0x1004 0x11000003 0x1008 0x2034 0x100c 0x40 0x1010 0x2030 0x1014 0x80 \
	0x1060 0x78260000 0x1064 0x1000 0x1068 0x05000000
run gpu-fault -p skl --decode context -q "$work/context"
expect_status 0
expect_out_has '^0x002034  0x00000040  rcs0.RING_BUFFER_HEAD$'
expect_out_has '^0x002030  0x00000080  rcs0.RING_BUFFER_TAIL$'
expect_out_has '^\+0x01060  COMMANDS\[0\]$'
expect_out_has '^0x00001068:  0x05000000:  MI_BATCH_BUFFER_END$'
run gpu-fault -p skl --decode context --json "$work/context"
expect_json '.items[] | select(.name == "MI_LOAD_REGISTER_IMM") | [.offset, .size, (.registers | map([.name, .value]))]' \
	'["0x1004",20,[["RING_BUFFER_HEAD","0x40"],["RING_BUFFER_TAIL","0x80"]]]'
jq -c '.items[] | select(.commands != []) | .commands[]' <"$out" >"$work/ours"
cp "$out" "$work/context.json"
tail -c +4193 "$work/context" | head -c 12 >"$work/batch"
run gpu-batch -p skl -a 0x1060 --json "$work/batch"
jq -c '.buffers[].commands[] | del(.writes)' <"$out" | cmp -s - "$work/ours" ||
	fail "not as gpu-batch: $(head -n 1 "$work/ours")"

title 'a context that breaks off in a list; unknown commands'
head -c 4112 "$work/context" >"$work/short"
run gpu-fault -p skl --decode context -q "$work/short"
expect_status 6
expect_err_line 'gpu-fault: */short: ends at byte 0x1010 of 0x1018'
expect_out_has '^0x002034  0x00000040  rcs0.RING_BUFFER_HEAD$'
words "$work/odd" 8192 0x1004 0x11000001 0x1008 0x2034 0x1060 0xe0000000 0x1064 0x05000000
run gpu-fault -p skl --decode context "$work/odd"
expect_status 6
expect_err_line 'gpu-fault: */odd: 1 of 2 commands are unknown, the first at 0x1060'

title 'reports: the layout is asked for, or what the register says'
words "$work/report" 256 0 0x11 0x0c 0x22 0x7c 0x33 0x80 0x44
refused 2 'gpu-fault: oa: the report layout is unknown, *--format with one of A13 A29 A13_B4_C12 A29_B4_C12 C12 (try --help)' \
	gpu-fault -p snb --decode oa "$work/report"
refused 2 'gpu-fault: --format: no layout A45 on snb: A13 *' \
	gpu-fault -p snb --decode oa --format A45 "$work/report"
run gpu-fault -p snb --decode oa --format A29 --json "$work/report"
expect_status 0
expect_json '[.items[] | [.name, .index, .offset, .size]]' \
	'[["OA_REPORT_A29",0,"0x0",128],["OA_REPORT_A29",1,"0x80",128]]'
expect_json '.items[0].fields | map(select(.value != "0x0") | [.name, .value])' \
	'[["RPT_ID","0x11"],["A4_VERTEX_SHADER_CORE_STALL","0x22"],["A21_PIXEL_KILL_COUNT","0x33"]]'
cp "$out" "$work/oa.json"
printf '0x2360 0x00000009\n0x237c 0x80000000\n0x2390 0x12\n' >"$work/registers"
run gpu-fault -p snb -s "$work/registers" --decode oa "$work/report@0"
expect_status 0
expect_out_has '^# OACONTROL 0x00000009 selects A13_B4_C12$'
expect_out_has 'OA_REPORT_A13_B4_C12\[1\]'
expect_out_has 'rcs0\.OAREPORTTRIG1$'
expect_out_has 'rcs0\.CEC0_0$'
run gpu-fault -p skl --decode oa --format A32u40_A4u32_B8_C8 -q "$work/report"
expect_status 0
run gpu-fault -p skl --decode oa --format A36_B8_C8 "$work/report@4"
expect_status 6
expect_err_line 'gpu-fault: */report@4: ends at byte 0xfc of 0x100'

title 'the captures'
run gpu-fault --decode hwsp -q demo:skl-hang
expect_status 0
expect_out_has '^# hwsp of rcs0, 4096 bytes at 0x00001000 \(rcs0.HWS_PGA 0x00001000\)$'
run gpu-fault --decode context --json demo:skl-hang
expect_status 0
expect_json '[.engine, .address, .from]' '["rcs0","0x20000","rcs0.CCID 0x00020001"]'
expect_json '.notes[0]' '"ring of 16384 bytes at ggtt:0x8000: head 0xbc8, tail 0xc98: 208 bytes used, 16168 free"'
expect_json '.notes[1]' '"page tables: pml4, root 0x22543a000"'
expect_json '[.items[] | select(.offset == null) | .registers[].name] | index("EXECLIST_STATUS_LO") != null' true
cp "$out" "$work/demo.json"
run gpu-fault --decode context -q demo:icl-trtt
expect_out_has '^0x002034  0x00001110  rcs0.RING_BUFFER_HEAD$'
run gpu-fault --decode ring -q demo:snb-hang
expect_status 0
expect_out_has '^# ring of 16384 bytes at ggtt:0x8000: head 0x3db8, tail 0x3e28: 112 bytes used, 16264 free$'
expect_out_has '^0x0000bdb8:  0x[0-9a-f]*:  [A-Z0-9_]*  <- HEAD$'
run gpu-fault --from demo:skl-hang --decode ring --json
expect_status 0
cp "$out" "$work/ring.json"
run gpu-fault --decode hwsp -e bcs0 -q demo:skl-hang
expect_out_has '^# hwsp of bcs0, '
run gpu-fault --decode oa demo:skl-hang
expect_status 3

title 'a file with the registers of its ring'
words "$work/ring.bin" 8192 0x10 0x02000000 0x20 0x18800000
printf '0x2038 0x5000\n0x203c 0x1001\n0x2034 0x10\n0x2030 0x20\n' >"$work/ring.txt"
run gpu-fault -p snb -s "$work/ring.txt" --decode ring -q "$work/ring.bin@0"
expect_status 0
expect_out_has '^# ring of 8192 bytes at ggtt:0x5000: head 0x10, tail 0x20: 16 bytes used, 8168 free$'
expect_out_has '^0x00005010:  0x02000000:  MI_FLUSH  <- HEAD$'
expect_out_has '^0x00005020:  0x18800000:  MI_BATCH_BUFFER_START  <- TAIL$'

title 'more than there can be of it'
head -c 2101248 /dev/zero >"$work/long"
run gpu-fault -p skl --decode ring -q "$work/long"
expect_status 6
expect_err_line 'gpu-fault: */long: only the first 2097152 of 2101248 bytes are decoded'
run gpu-fault -p skl --decode hwsp -q "$work/a@b"
expect_status 0
expect_out_has '^# only the first 4096 of 8192 bytes belong to it; the rest is left out$'

title 'a source has a number of its own'
run gpu-fault -p skl --decode hwsp "mem:$work/page@0x1000"
expect_status 3
expect_err_line 'gpu-fault: hwsp: the source has no such image, *'

if [ -d "$corpus/aub" ]; then
	title 'images in the memory of a trace'
	while read -r stem entry platform; do
		run gpu-fault -p "$platform" --decode context --json "$corpus/aub/$stem.physmem.bin@$entry"
		expect_status 0
		expect_json '[.items[] | .registers[] | select(.name == "RING_BUFFER_START") | .value]' '["0x1000"]'
		expect_json '[.items[] | .registers[] | select(.name == "CTX_SR_CTL") | .value]' '["0x90009"]'
		cp "$out" "$work/$stem.json"
	done <<END
$(for stem in gen8-chv-22b3 gen9-skl-1912; do
	awk -v stem=$stem '$2 == "0x2000" { sub(/001$/, "000", $3); print stem, $3, substr(stem, 6, 3) }' \
		"$corpus/aub/$stem.ggtt-map.tsv"
done)
END
	title 'the ring of a real error state'
	run gpu-fault --decode ring -q "$corpus/error-state/gm45-0x2a42-2013-i915_error_state.txt"
	expect_status 0
	expect_out_has '^# ring of 131072 bytes at ggtt:0x1000: head 0x1e9b0, tail 0x1ed40: 912 bytes used, 130152 free$'
	expect_out_has '^0x0001f9b0:  0x02000024:  MI_FLUSH  <- HEAD$'
	run gpu-fault -p gm45 --decode ring --json "$corpus/error-state/gm45-0x2a42-2013-render-ring-at-00001000.bin"
	jq -r '.items[].commands[] | .dwords[0] + " " + .name' <"$out" >"$work/ours"
	run gpu-batch -p gm45 --headers --no-follow "$corpus/error-state/gm45-0x2a42-2013-render-ring-at-00001000.bin"
	sed 's/^[^:]*:  0x0*\([0-9a-f]\)/0x\1/; s/:  / /' "$out" | cmp -s - "$work/ours" ||
		fail 'the ring is not as gpu-batch has it'
fi

title 'head and elements, a line each'
run gpu-fault -p skl --decode hwsp --ndjson "$work/page"
same 'lines' "$(wc -l <"$out")" "$(jq '.items | length + 1' <"$work/hwsp.json")"

title 'against the schema'
expect_schemas
finish
