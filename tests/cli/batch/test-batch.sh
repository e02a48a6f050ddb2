#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-batch: files of dwords and of text, options, output, exit status.
. "$(dirname "$0")/../lib.sh"
needs gpu-batch jq

# dwords FILE WORD...: little-endian, into FILE
dwords() {
	_file=$1
	shift
	for _w; do
		# shellcheck disable=SC2059
		printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((_w & 255)) $((_w >> 8 & 255)) \
			$((_w >> 16 & 255)) $((_w >> 24 & 255)))"
	done >"$_file"
}

b=$work/batch
dwords "$b" 0x7a000003 0x00101000 0 0 0 0 0 0 0x11000001 0x2358 0x12345678 0x05000000

title 'a batch, dword by dword'
run gpu-batch -p snb -a 0x1000 "$b"
expect_status 0
expect_err_empty
grep -v '^ ' "$out" >"$work/lines"
cat >"$work/wanted" <<END
# gpu-batch 1.0 platform snb source $b
# rcs0 dwords at ggtt:0x1000
0x00001000:  0x7a000003:  PIPE_CONTROL
0x00001004:  0x00101000
0x00001008:  0x00000000
0x0000100c:  0x00000000
0x00001010:  0x00000000
0x00001014:  0x00000000:  3 x MI_NOOP
0x00001020:  0x11000001:  MI_LOAD_REGISTER_IMM
0x00001024:  0x00002358
0x00001028:  0x12345678
0x002358  rcs0.TIMESTAMP  = 0x12345678
0x0000102c:  0x05000000:  MI_BATCH_BUFFER_END
END
cmp -s "$work/lines" "$work/wanted" || fail "$(diff "$work/wanted" "$work/lines" | head -n 4)"
expect_out_has '^ +20   [A-Z_]+  *0x1  *yes$'
dwords "$work/load" 0x11000001 0x20d8 0x100010
run gpu-batch -p skl "$work/load"
expect_out_has '^0x0020d8  0x00100010  rcs0[.]CS_DEBUG_MODE2$'
expect_out_lacks '^        4   CONSTANT_BUFFER_ADDRESS_OFFSET_DISABLE'
run gpu-batch -p skl -v "$work/load"
expect_out_has '^        4   CONSTANT_BUFFER_ADDRESS_OFFSET_DISABLE  0x1  yes$'

title 'a line each'
headers='0x00001000:  0x7a000003:  PIPE_CONTROL
0x00001014:  0x00000000:  MI_NOOP
0x00001018:  0x00000000:  MI_NOOP
0x0000101c:  0x00000000:  MI_NOOP
0x00001020:  0x11000001:  MI_LOAD_REGISTER_IMM
0x0000102c:  0x05000000:  MI_BATCH_BUFFER_END'
run gpu-batch -p snb -a 0x1000 --headers "$b"
expect_status 0
expect_out "$headers"
run gpu-batch -p snb -a 0x1000 --headers --mark 0x1004 "$b"
expect_out "$headers"
run gpu-batch -p snb -a 0xfffefffee000 --headers "$b"
expect_out_has '^0xfffefffee000:  0x7a000003:  PIPE_CONTROL$'
run gpu-batch -p snb -a 0xfffffffefffee000 --headers "$b"
expect_out_has '^0xfffefffee000:  0x7a000003:  PIPE_CONTROL$'
run gpu-batch -p snb -a 0x1000 -q "$b"
expect_out_has '^0x00001014:  0x00000000:  3 x MI_NOOP$'
expect_out_lacks '^#'
run gpu-batch -p snb -a 0x1000 -v "$b"
expect_out_has '^0x00001018:  0x00000000:  MI_NOOP$'
expect_out_lacks ' x MI_NOOP'

title 'marks'
run gpu-batch -p snb -a 0x1000 --mark 0x1008 "$b"
expect_out_has '^0x00001008:  0x00000000  <- MARK$'
run gpu-batch -p snb -a 0x1000 --mark 0x1018 "$b"
expect_out_has '^0x00001014:  0x00000000:  MI_NOOP$'
expect_out_has '^0x00001018:  0x00000000:  MI_NOOP  <- MARK$'
run gpu-batch -p snb -a 0x1000 -q --mark 0x1008 "$b"
expect_out_has '^0x00001000:  0x7a000003:  PIPE_CONTROL  <- MARK at dword 2$'
run gpu-batch -p snb -a 0x1000 -j --mark 0x1008 "$b"
expect_json '[.buffers[].commands[] | select(.marks)] | map([.name, .marks])' \
	'[["PIPE_CONTROL",[{"name":"MARK","address":"0x1008","dword":2}]]]'
for form in '' --headers -q -j --ndjson; do
	run gpu-batch -p snb -a 0x1000 $form --mark 0x1030 "$b"
	expect_status 3
	expect_err_line 'gpu-batch: --mark 0x1030: no decoded command is at this address'
done
expect_out_has '"MI_BATCH_BUFFER_END"'

title 'JSON'
run gpu-batch -p snb -a 0x1000 --json "$b"
expect_status 0
expect_json '[.schema, .platform, .device, .source]' "[\"gpuscope.batch/1\",\"snb\",null,[\"$b\"]]"
expect_json '.buffers | map([.engine, .kind, .address, .space, .from, .submission, .end, .length])' \
	'[["rcs0","dwords","0x1000","ggtt",null,null,"ended",48]]'
expect_json '.buffers[0].commands | map([.address, .name, .length, .status, (.dwords | length)])' \
	'[["0x1000","PIPE_CONTROL",5,"ok",5],["0x1014","MI_NOOP",1,"ok",1],["0x1018","MI_NOOP",1,"ok",1],["0x101c","MI_NOOP",1,"ok",1],["0x1020","MI_LOAD_REGISTER_IMM",3,"ok",3],["0x102c","MI_BATCH_BUFFER_END",1,"ok",1]]'
expect_json '.buffers[0].commands[4].writes' \
	'[{"name":"TIMESTAMP","engine":"rcs0","offset":"0x2358","kind":"value","value":"0x12345678","from":null,"dword":1}]'
expect_json '.buffers[0].commands[4].dwords' '["0x11000001","0x2358","0x12345678"]'
cp "$out" "$work/document"
run gpu-batch -p snb -a 0x1000 --ndjson "$b"
same 'lines of NDJSON' "$(wc -l <"$out")" 2
same 'the head' "$(head -n 1 "$out" | jq -c .)" "$(jq -c 'del(.buffers)' "$work/document")"
same 'the buffer' "$(tail -n 1 "$out" | jq -c .)" "$(jq -c '.buffers[0]' "$work/document")"

title 'text'
printf '\n  00000000 : 7a000003\r\n00000004 :  00101000\n8:0\nc:0\n10:0\n\n0x20 : 0x05000000\n' >"$work/text"
run gpu-batch -p snb -a 0x1000 --headers "$work/text"
expect_status 0
expect_out '0x00001000:  0x7a000003:  PIPE_CONTROL
0x00001020:  0x05000000:  MI_BATCH_BUFFER_END'
run gpu-batch -p snb -a 0x1000 -j "$work/text"
expect_json '.buffers | map(.address)' '["0x1000","0x1020"]'
run gpu-batch -p snb --headers --format bin "$work/text"
expect_status 6
printf '0 : 00000000\nrubbish\n4 : 05000000\n' >"$work/text"
run gpu-batch -p snb --headers "$work/text"
expect_status 6
expect_out '0x00000000:  0x00000000:  MI_NOOP
0x00000004:  0x05000000:  MI_BATCH_BUFFER_END'
expect_err_line "gpu-batch: $work/text:2: not OFFSET : VALUE*"
refused 1 "gpu-batch: $b: no line is *" gpu-batch -p snb --format text "$b"
title 'what looks like text is not: its first line says so'
printf 'ABCDEFGH' >"$work/letters"
run gpu-batch -p snb -j "$work/letters"
expect_json '[.buffers[0].commands[].dwords[]]' '["0x44434241","0x48474645"]'

title 'from standard input, and packed'
run_in "$b" gpu-batch -p snb -a 0x1000 --headers -
expect_status 0
expect_out "$headers"
if built_with gzip; then
	gzip -c "$b" >"$b.gz"
	run gpu-batch -p snb -a 0x1000 --headers "$b.gz"
	expect_out "$headers"
	run_in "$b.gz" gpu-batch -p snb -a 0x1000 --headers -
	expect_out "$headers"
fi
if built_with zstd && command -v zstd >/dev/null; then
	zstd -qc "$b" >"$b.zst"
	run gpu-batch -p snb -a 0x1000 --headers "$b.zst"
	expect_out "$headers"
fi

title 'engines: one opcode, two meanings'
dwords "$work/flush" 0x13000002 0 0 0 0x05000000
run gpu-batch -p snb -e bcs0 --headers "$work/flush"
expect_out_has '  MI_FLUSH_DW$'
run gpu-batch -p snb -e blt -j "$work/flush"
expect_json '.buffers[0].engine' '"bcs0"'
run gpu-batch -p snb -e VIDEO -j "$work/flush"
expect_status 3
expect_out_empty
run gpu-batch -p snb -e bsd -j "$work/flush"
expect_json '.buffers[0].engine' '"vcs0"'
refused 3 'gpu-batch: vecs0: snb has no engine vecs0*' gpu-batch -p snb -e vecs0 "$b"

title 'the third pipeline, which parts before Ivy Bridge lack'
dwords "$work/select" 0x69040002 0x05000000
while read -r platforms text; do
	for platform in $(echo "$platforms" | tr , ' '); do
		run gpu-batch -p "$platform" "$work/select"
		expect_out_has "^ +1:0   PIPELINE_SELECT +0x2 +$text\$"
	done
done <<'END'
elk,ctg,ilk,snb reserved
ivb,vlv,hsw,skl,dg2,lnl,nvlp GPGPU
END
run gpu-batch -p snb --lint "$work/select"
same 'findings' "$(grep -c '^reserved-value' "$out")" 1
run gpu-batch -p ivb --lint "$work/select"
expect_out_lacks '^reserved-value'

title 'a context that is current already: legal, and a note, but without effect'
dwords "$work/again" 0x0c000000 0x5100 0 0x0c000000 0x6100 0 0x0c000000 0x6100 0 0x0c000000 0x6102 0
run gpu-batch -p snb --lint "$work/again"
expect_status 0
expect_out_has '^# note: same-context  *0x18 MI_SET_CONTEXT: .* current since 0xc'
same 'notes' "$(grep -c '^# note' "$out")" 1
run gpu-batch -p snb --lint -j "$work/again"
expect_json '.findings | map([.rule, .note])' '[["same-context",true]]'
dwords "$work/forced" 0x0c000000 0x5100 0 0x0c000000 0x5102 0
run gpu-batch -p snb --lint -j "$work/forced"
expect_json '.findings' '[]'

title 'the pitch of tiled surfaces of the blitter counts in dwords'
dwords "$work/blit" 0x54f08806 0x03cc0010 0 0x00080008 0 0 0x20 0 0x05000000
run gpu-batch -p ivb -e bcs0 --lint "$work/blit"
expect_status 6
expect_out_has '^blit-pitch .*XY_SRC_COPY_BLT: DESTINATION_PITCH is 16 dwords'
expect_out_lacks 'SOURCE_PITCH'
dwords "$work/blit" 0x54f00006 0x03cc0010 0 0x00080008 0 0 0x20 0 0x05000000
run gpu-batch -p ivb -e bcs0 --lint "$work/blit"
expect_out_lacks '^blit-pitch'

title 'what registers allow: no status page, no tables of processes'
dwords "$work/stores" 0x10000002 0 0x5000 1 0x10800001 0x80 1 0x12000001 0x2358 0x5000 0x03800000 0
printf '0x4080 0x00001000\n0x2520 0x00000200\n' >"$work/on"
printf '0x4080 0x00000fff\n0x2520 0x00000000\n' >"$work/off"
run gpu-batch -p snb -s "$work/on" --lint "$work/stores"
expect_status 0
run gpu-batch -p snb -s "$work/off" --lint "$work/stores"
expect_status 6
expect_out_has '^no-process-tables  0x0 MI_STORE_DATA_IMM: '
expect_out_has '^no-process-tables  0x1c MI_STORE_REGISTER_MEM: '
expect_out_has '^status-page  *0x10 MI_STORE_DATA_INDEX: HWS_PGA is 0'
expect_out_has '^status-page  *0x28 MI_REPORT_HEAD: HWS_PGA is 0'
dwords "$work/stores" 0x10400002 0 0x5000 1 0x10a00001 0x80 1 0x12400001 0x2358 0x5000 0x05000000 0
run gpu-batch -p snb -s "$work/off" --lint "$work/stores"
expect_status 0

title 'all bytes of a register are written, or none'
for bits in 1,11000101 0,11000f01 0,11000001; do
	dwords "$work/bytes" "0x${bits#*,}" 0x2358 0
	run gpu-batch -p snb --lint "$work/bytes"
	same "findings of $bits" "$(grep -c '^byte-disables' "$out")" "${bits%%,*}"
done

title 'a depth stall keeps the write cache of Gen4 and Gen5 from being flushed'
dwords "$work/stall" 0x7a003002 0 0 0
run gpu-batch -p ilk --lint "$work/stall"
expect_out_has '^depth-stall .*PIPE_CONTROL: '
dwords "$work/stall" 0x7a001002 0 0 0 0x7a002002 0 0 0
run gpu-batch -p ilk --lint "$work/stall"
expect_out_lacks '^depth-stall'

title 'cut within a command, and within a dword'
dwords "$work/cut" 0 0x7a000003 0x1000
run gpu-batch -p snb "$work/cut"
expect_status 6
expect_out_has '^0x00000004:  0x7a000003:  PIPE_CONTROL  truncated: 2 of 5 dwords$'
expect_err_line 'gpu-batch: 1 of 2 commands: truncated, the first at 0x00000004'
run gpu-batch -p snb --headers "$work/cut"
expect_out '0x00000000:  0x00000000:  MI_NOOP
0x00000004:  0x7a000003:  PIPE_CONTROL'
run gpu-batch -p snb -j "$work/cut"
expect_json '.buffers[0].commands[1] | [.status, .length, (.dwords | length)]' '["truncated",5,2]'
for tail in 1 2 3; do
	dwords "$work/tail" 0 0
	printf '\022\064\126' | head -c $tail >>"$work/tail"
	run gpu-batch -p snb -j -a 0x1000 "$work/tail"
	expect_status 6
	expect_json '.buffers[0].commands | map(.status)' '["ok","ok","truncated"]'
	expect_json '.buffers[0].commands[2] | [.address, .dwords, (.bytes | length)]' \
		"[\"0x1008\",[],$tail]"
	expect_err_line "gpu-batch: $work/tail: truncated: ends with $tail byte*"
	run gpu-batch -p snb --headers "$work/tail"
	same 'lines' "$(wc -l <"$out")" 2
done
run gpu-batch -p snb -a 0x1000 "$work/tail"
expect_out_has '^0x00001008:  truncated: 3 of 4 bytes: 12 34 56$'
printf '\001\002\003' >>"$work/cut"
run gpu-batch -p snb -j "$work/cut"
expect_json '.buffers[0].commands | map(.status)' '["ok","truncated"]'

title 'unknown commands, and the next known one'
dwords "$work/unknown" 0xffffffff 0 0x05000000
run gpu-batch -p snb "$work/unknown"
expect_status 6
expect_out_has '^0x00000000:  0xffffffff:  UNKNOWN'
expect_err_line 'gpu-batch: 1 of * commands: unknown, the first at 0x00000000'
run gpu-batch -p snb -j "$work/unknown"
expect_json '.buffers[0].commands[0] | [.name, .status, .fields]' '["UNKNOWN","unknown",[]]'

title 'a length that cannot be'
dwords "$work/length" 0x7a000000 0 0x05000000
run gpu-batch -p snb -j "$work/length"
expect_status 6
expect_json '.buffers[0].commands[0] | [.name, .status]' '["PIPE_CONTROL","bad-length"]'
expect_err_line 'gpu-batch: 1 of * commands: bad-length, the first at 0x00000000'
run gpu-batch -p snb "$work/length"
expect_out_has '^0x00000000:  0x7a000000:  PIPE_CONTROL  bad length: '

title 'a chain into nowhere'
dwords "$work/chain" 0x18800101 0x5000 0 0x05000000
run gpu-batch -p skl "$work/chain"
expect_status 6
expect_out_has '^# not in the source at 0x5000: '
expect_err_line 'gpu-batch: rcs0 batch at ppgtt:0x5000: *'
run gpu-batch -p skl -j "$work/chain"
expect_json '.buffers[1] | [.address, .from, .commands, .end]' '["0x5000","0x0",[],"not in the source"]'
run gpu-batch -p skl --no-follow "$work/chain"
expect_status 0
expect_err_empty
run gpu-batch -p skl --no-follow -j "$work/chain"
expect_json '.buffers | length' 1
run gpu-batch -p skl -s demo:skl-hang --headers "$work/chain"
expect_status 6

title 'a loop without a way out is endless, any other is perhaps a loop'
dwords "$work/loop" 0x18800001 0x1010 0 0x05000000 0x18800001 0x1010 0
run gpu-batch -p skl -a 0x1000 "$work/loop"
expect_status 0
expect_out_has '^# endless loop: it continues at 0x1010$'
dwords "$work/loop" 0 0x18800001 0x1000 0
run gpu-batch -p skl -a 0x1000 -j "$work/loop"
expect_json '.buffers | map(.end)' '["endless loop"]'
dwords "$work/loop" 0x18800001 0x1010 0 0x05000000 0x1b000002 5 0x2000 0 0x18800001 0x1010 0
run gpu-batch -p skl -a 0x1000 "$work/loop"
expect_status 0
expect_out_has '^# continues in another batch at 0x1010, already decoded: perhaps a loop$'

title 'a batch behind a gap of the text'
printf '%x : %x\n' 0 0x18c00001 4 0x3000 8 0 12 0x05000000 0x1000 0 0x2000 0x11000001 0x2004 0x2358 \
	0x2008 7 0x200c 0x05000000 >"$work/gap"
run gpu-batch -p skl -a 0x1000 -j "$work/gap"
expect_status 0
expect_json '.buffers | map([.kind, .address, .from, (.commands | length)])' \
	'[["dwords","0x1000",null,2],["second-level","0x3000","0x1000",2],["dwords","0x2000",null,1]]'

title 'batches of an error state, and what of the ring has started them'
cat >"$work/error" <<END
Time: 1384000000 s 1 us
PCI ID: 0x2a42
render command stream:
  HEAD: 0x00000018
  TAIL: 0x00000028
  CTL: 0x00000001
render ring --- gtt_offset = 0x10c50000
00000000 :  05000000
render ring --- gtt_offset = 0x10c60000
00000000 :  05000000
render ring --- gtt_offset = 0x10c70000
00000000 :  05000000
render ring --- ringbuffer = 0x00001000
00000000 :  18800180
00000004 :  10c50000
00000008 :  18800180
0000000c :  10c60000
00000010 :  18800180
00000014 :  10c50000
00000018 :  18800180
0000001c :  10c50000
END
run gpu-batch --json "$work/error"
expect_json '[.buffers[] | [.kind, .address, .from]]' \
	'[["batch","0x10c50000","0x1010"],["batch","0x10c60000","0x1008"],["batch","0x10c70000",null],["ring","0x1000",null]]'
run gpu-batch "$work/error"
expect_out_has '^# rcs0 batch at ggtt:0x10c60000, started by the command at 0x1008'

title 'sign-extended addresses are printed with 48 bits'
dwords "$work/sign" 0x18800101 0xfffee000 0xfffffffe 0x05000000
run gpu-batch -p skl --no-follow "$work/sign"
expect_out_has '^ +63:2   BATCH_BUFFER_START_ADDRESS  .*  0xfffefffee000$'
run gpu-batch -p skl -j "$work/sign"
expect_json '.buffers[0].commands[0].fields[] | select(.lo == 2) | [.value, .text]' \
	'["0x3fffffffbfffb800","0xfffefffee000"]'
expect_json '.buffers[1].address' '"0xfffefffee000"'

title 'behind the end'
dwords "$work/past" 0x05000000 0x7a000003 0 0 0 0
run gpu-batch -p snb "$work/past"
expect_status 0
expect_out_has '^# 20 bytes after its end are not decoded'
run gpu-batch -p snb --past-end --headers "$work/past"
expect_out_has 'PIPE_CONTROL$'

title 'registers that commands load'
run gpu-batch -p snb -a 0x1000 --query TIMESTAMP "$b"
expect_status 0
expect_out_has '^0x00001024:  rcs0[.]TIMESTAMP = 0x12345678  MI_LOAD_REGISTER_IMM, rcs0 dwords at'
run gpu-batch -p snb -a 0x1000 --query 0x2358 -j "$b"
expect_json '.writes | map([.name, .offset, .kind, .value, .address, .command])' \
	'[["TIMESTAMP","0x2358","value","0x12345678","0x1024","MI_LOAD_REGISTER_IMM"]]'
dwords "$work/moved" 0x7a000004 0x800000 0x2358 0 7 0 0x15000001 0x2358 0x2600 0x0d000001 \
	0x08008000 0x18000431 0x0e010002 1 0x2358 0 0x05000000
run gpu-batch -p skl --query TIMESTAMP -q "$work/moved"
expect_status 0
expect_out '0x00000008:  rcs0.TIMESTAMP = 0x00000007  PIPE_CONTROL, rcs0 dwords at ggtt:0x0
0x0000001c:  rcs0.TIMESTAMP stored to register 0x2600  MI_LOAD_REGISTER_REG, rcs0 dwords at ggtt:0x0
0x00000038:  rcs0.TIMESTAMP read  MI_SEMAPHORE_WAIT, rcs0 dwords at ggtt:0x0'
run gpu-batch -p skl --query 'CS_GPR*' -j "$work/moved"
expect_json '.writes | map([.offset, .kind, .value, .from])' \
	'[["0x2600","register",null,"0x2358"],["0x2600","read",null,null],["0x2608","result",null,null]]'
run gpu-batch -p snb --query RING_BUFFER_TAIL "$b"
expect_status 3
refused 3 'gpu-batch: NO_SUCH: *' gpu-batch -p snb --query NO_SUCH "$b"

title 'sources'
refused 2 'gpu-batch: platform: unknown*' gpu-batch "$b"
refused 3 'gpu-batch: *: the source has no ring*' gpu-batch -p skl -s none
refused 3 'gpu-batch: nope: *' gpu-batch -p nope "$b"
refused 1 "gpu-batch: $work/nofile: *" gpu-batch -p skl "$work/nofile"
refused 1 'gpu-batch: *' gpu-batch -p skl /
refused 2 'gpu-batch: x: *' gpu-batch -p skl "$b" x
for demo in snb-hang skl-hang icl-trtt; do
	run gpu-batch -s demo:$demo --headers
	expect_status 0 6
	expect_out_has '^0x[0-9a-f]{8,12}:  0x[0-9a-f]{8}:  MI_'
done
run gpu-batch -s demo:skl-hang
expect_out_has '^# rcs0 ring at ggtt:0x'
expect_out_has '  PIPE_CONTROL$'
expect_out_has '  <- ACTHD$'
same 'marks of it' "$(grep -c -e '<- ACTHD' "$out")" 1
run gpu-batch -s demo:skl-hang --mark 0x20000
expect_out_lacks '<- ACTHD'

title 'demos break no rule'
for demo in snb-hang skl-hang icl-trtt; do
	run gpu-batch -s demo:$demo --lint -q
	expect_status 0
	expect_out_empty
done

title '-a: what of the source'
run gpu-batch -s demo:skl-hang -j
ring=$(jq -r '.buffers[] | select(.kind == "ring" and (.commands | length) > 0) | .address' "$out" | head -n 1)
batch=$(jq -r '.buffers[] | select(.kind == "batch" and (.commands | length) > 0) | .address' "$out" | head -n 1)
run gpu-batch -s demo:skl-hang -j -a "$batch" --no-follow
expect_status 0 6
run gpu-batch -s demo:skl-hang -j -a "$ring" --no-follow
expect_json '.buffers | map(.address)' "[\"$ring\"]"
refused 3 'gpu-batch: 0x7fffff000: no buffer of the source*' gpu-batch -s demo:skl-hang -a 0x7fffff000

title 'commands of the media engines, as long as the drivers write them'
while read -r platform engine word dwords name; do
	dwords "$work/long" $((word | dwords - 2))
	head -c $((dwords * 4 - 4)) /dev/zero >>"$work/long"
	run gpu-batch -p "$platform" -e "$engine" --past-end --headers "$work/long"
	expect_status 0
	expect_out "0x00000000:  $(printf '0x%08x' $((word | dwords - 2))):  $name"
done <<'END'
tgl vcs0 0x73950000 20 HCP_TILE_CODING
icl vcs0 0x73950000 16 HCP_TILE_CODING
icl vcs0 0x70840000 62 VDENC_PIPE_BUF_ADDR_STATE
tgl vcs0 0x70840000 71 VDENC_PIPE_BUF_ADDR_STATE
mtl vcs0 0x70840000 89 VDENC_PIPE_BUF_ADDR_STATE
ptl vcs0 0x70840000 99 VDENC_PIPE_BUF_ADDR_STATE
skl vcs0 0x73000000 13 MFX_MPEG2_PIC_STATE
snb vcs0 0x73000000 4 MFX_MPEG2_PIC_STATE
skl vcs0 0x71030000 11 MFX_AVC_SLICE_STATE
ivb vcs0 0x71000000 16 MFX_AVC_IMG_STATE
bdw vcs0 0x71000000 17 MFX_AVC_IMG_STATE
skl vcs0 0x74000000 38 MFX_VP8_PIC_STATE
kbl vcs0 0x74410000 30 MFX_VP8_ENCODER_CFG
kbl vcs0 0x74430000 32 MFX_VP8_BSP_BUF_BASE_ADDR_STATE
skl vcs0 0x77020000 53 MFX_JPEG_HUFF_TABLE_STATE
bdw vcs0 0x70070000 18 MFX_QM_STATE
kbl vcs0 0x70020000 68 MFX_PIPE_BUF_ADDR_STATE
hsw vcs0 0x70020000 25 MFX_PIPE_BUF_ADDR_STATE
snb vcs0 0x71010000 58 MFX_AVC_QM_STATE
snb vcs0 0x71050000 98 MFX_AVC_WEIGHTOFFSET_STATE
skl vcs0 0x71050000 98 MFX_AVC_WEIGHTOFFSET_STATE
snb vcs0 0x72010000 7 MFX_VC1_PRED_PIPE_STATE
skl vcs0 0x73a10000 3 HCP_PAK_OBJECT
icl vcs0 0x73a10000 5 HCP_PAK_OBJECT
skl vcs0 0x73b00000 12 HCP_VP9_PIC_STATE
kbl vcs0 0x73b00000 33 HCP_VP9_PIC_STATE
icl vcs0 0x73b00000 42 HCP_VP9_PIC_STATE
bxt vcs0 0x73b00000 19 HCP_VP9_PIC_STATE
skl vcs0 0x73880000 130 HEVC_VP9_RDOQ_STATE
tgl vcs0 0x73880000 154 HEVC_VP9_RDOQ_STATE
skl vcs0 0x73900000 19 HCP_PIC_STATE
skl vcs0 0x73820000 95 HCP_PIPE_BUF_ADDR_STATE
skl vcs0 0x73940000 9 HCP_SLICE_STATE
skl vcs0 0x73800000 4 HCP_PIPE_MODE_SELECT
icl vcs0 0x75010000 34 SFC_STATE
tgl vcs0 0x75010000 50 SFC_STATE
dg2 vcs0 0x75010000 61 SFC_STATE
lnl vcs0 0x75010000 63 SFC_STATE
ptl vcs0 0x75010000 63 SFC_STATE
mtl vcs0 0x71b00000 76 AVP_PIC_STATE
dg2 vcs0 0x71820000 212 AVP_PIPE_BUF_ADDR_STATE
ptl vcs0 0x71820000 215 AVP_PIPE_BUF_ADDR_STATE
mtl vcs0 0x71920000 15 AVP_INTER_PRED_STATE
tgl vecs0 0x75010000 50 SFC_STATE
tgl vcs0 0x74810000 50 SFC_STATE
mtl vcs0 0x76810000 61 SFC_STATE
lnl vcs0 0x708a0000 39 VDENC_CMD1
dg2 rcs0 0x70040000 2 MEDIA_STATE_FLUSH
END

title 'wrong usage'
refused 2 'gpu-batch: --headers*' gpu-batch -p snb --headers --state "$b"
run gpu-batch -p snb --headers --json "$b"
expect_status 2
expect_out_empty
refused 2 'gpu-batch: *' gpu-batch -p snb --follow --no-follow "$b"
refused 2 'gpu-batch: *' gpu-batch -p snb -a xyz "$b"
refused 2 'gpu-batch: *' gpu-batch -p snb --format elf "$b"

title 'failed writes'
run_lenient sh -c "gpu-batch -p snb '$b' >/dev/full"
expect_status 1
expect_err_line 'gpu-batch: standard output: No space left*'
head -c 4000000 /dev/zero >"$work/zero"
run_lenient sh -c "gpu-batch -p snb -v '$work/zero' | head -n 1"
expect_err_empty
run_lenient sh -c "gpu-batch -p snb --ndjson '$work/zero' | head -c 100"
expect_err_empty
run gpu-batch -p snb -q "$work/zero"
expect_out '0x00000000:  0x00000000:  1000000 x MI_NOOP'

title 'an empty file'
: >"$work/empty"
run gpu-batch -p snb --headers "$work/empty"
expect_status 0 1
expect_out_empty

title 'every word as a header'
awk 'BEGIN { srand(7); for (i = 0; i < 5000; i++) printf "%x : %04x%04x\n", i * 4, rand() * 65536, rand() * 65536 }' \
	>"$work/garbage"
for platform in brw ctg ilk snb ivb hsw bdw skl icl tgl dg2 bmg; do
	for engine in rcs bcs vcs; do
		run gpu-batch -p $platform -e $engine "$work/garbage"
		expect_status 0 3 6
		run gpu-batch -p $platform -e $engine --past-end --json "$work/garbage"
		expect_status 0 3 6
		[ "$status" = 3 ] || expect_json '.buffers[0].length + .buffers[0].left' 20000
	done
done
title 'memory where every address leads to the same page is no batch'
dwords "$work/entry" 0x1001 0
for _ in 1 2 3 4 5 6 7 8 9 10; do
	cat "$work/entry" "$work/entry" >"$work/entries" && mv "$work/entries" "$work/entry"
done
head -c 4096 /dev/zero >"$work/scratch"
run gpu-batch -p skl -s "ggtt:$work/entry" -s "mem:$work/scratch@0x1000" -a 0x1000
expect_status 6
expect_out_has '262144 x MI_NOOP'
grep -q "batch at ggtt:0x1000: only the dword 0x00000000, repeated for 1024 KB or more" "$err" || fail "$(cat "$err")"

title 'an address as it is printed'
run gpu-batch --headers -s demo:skl-hang -a ppgtt:0x10002003c
expect_status 0
expect_out_has '^0x10002003c:  0x7a000004:  PIPE_CONTROL'
run gpu-batch --headers -s demo:skl-hang -a ggtt:0x8000 --no-follow
expect_out_has '^0x00008000:  0x7a000004:  PIPE_CONTROL'
run gpu-batch -s demo:skl-hang -a ggtt:0x10002003c
expect_status 3
expect_err_line 'gpu-batch: 0x10002003c: *no source holds global memory there'
run gpu-batch -s demo:skl-hang -a ppgtt:0x8000
expect_status 3
expect_err_line 'gpu-batch: 0x8000: *no source holds per-process memory there'
run gpu-batch -s demo:skl-hang --process -a ggtt:0x8000
expect_status 2
expect_err_line 'gpu-batch: --process: cannot be combined with an address after ggtt:*'
run gpu-batch -s demo:skl-hang -a phys:0x8000
expect_status 2
expect_err_line 'gpu-batch: --address: expected a graphics address*'

finish
