#!/bin/sh
# SPDX-License-Identifier: MIT
# Where registers are read from: every kind of source a file can be, whole, in part and not at all.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001
printf '\200\001\000\000' >"$work/four"

tail_of() {
	run gpu-regdump "$@" --json rcs0.RING_BUFFER_TAIL
	expect_status 0
	expect_json '[.registers[] | .value]' '["0x150"]'
}

title 'bar:'
tail_of -p skl --from "bar:$work/bar"
expect_json '.source' "[\"bar:$work/bar\"]"
expect_json '[.platform, .device]' '["skl",null]'

title 'bar: with an offset, and what lies outside of it'
tail -c +8193 "$work/bar" | head -c 4096 >"$work/page"
tail_of -p skl --from "bar:$work/page@0x2000"
run gpu-regdump -p skl --from "bar:$work/page@0x2000" --json rcs0.RING_BUFFER_TAIL bcs0.RING_BUFFER_TAIL
expect_status 6
expect_err_line 'gpu-regdump: *: *'
expect_json '[.registers[] | [.engine, .status, .value]]' \
	'[["rcs0","ok","0x150"],["bcs0","absent",null]]'
run gpu-regdump -p skl --from "bar:$work/page@0x2000" --json 0x1ffc-0x2003 0x2ffc-0x3003
expect_status 6
expect_json '[.registers[] | .status]' '["absent","ok","ok","absent"]'
run gpu-regdump -p skl --from "bar:$work/page@0x2000" 0x3000
expect_status 3
expect_out_empty
expect_err_line 'gpu-regdump: 0x3000: no source holds this address; no register, render units*'

title 'what a partial dump lacks does not count without a SELECTOR'
run gpu-regdump -p skl --from "bar:$work/page@0x2000"
expect_status 0
expect_out_has 'RING_BUFFER_TAIL'
expect_out_lacks '^ *0x[0-9a-f]+ +absent'
run gpu-regdump -p skl --from "bar:$work/page@0x2000" --json
expect_status 0
expect_json '[.registers[] | select(.status == "absent")] | length > 0' true

title 'a dump that ends within a register'
head -c 8242 "$work/bar" >"$work/cut"
run gpu-regdump -p skl --from "bar:$work/cut" --json rcs0.RING_BUFFER_TAIL
expect_status 3
expect_json '[.registers[] | [.status, .value]]' '[["absent",null]]'

title 'a file of one dword at a place that is none of its own'
run gpu-regdump -p skl --from "bar:$work/four@0xfffffffffffffffc" 0x2030
expect_status 2 3
expect_out_empty
run gpu-regdump -p skl --from "bar:$work/four@0xffffffffffffffff" 0x2030
expect_status 2 3
expect_out_empty
run gpu-regdump -p skl --from "bar:$work/four@0x2031" --json 0x2030
expect_status 3

title 'config:'
printf '\206\200\022\031\007\004\020\000\006\000\000\003' >"$work/config"
truncate -s 256 "$work/config"
printf '\300\002' | dd of="$work/config" bs=1 seek=80 conv=notrunc 2>/dev/null
run gpu-regdump --from "config:$work/config" --json VID2 DID2
expect_status 0
expect_json '[.platform, .device]' '["skl","0x1912"]'
expect_json '[.registers[] | [.name, .value]]' '[["VID2","0x8086"],["DID2","0x1912"]]'
run gpu-regdump --from "config:$work/config" --json config:0x50
expect_status 0
head -c 64 "$work/config" >"$work/config64"
run gpu-regdump --from "config:$work/config64" --json DID2
expect_status 0
expect_json '[.registers[] | .value]' '["0x1912"]'
run gpu-regdump --from "config:$work/config64" --json config:0x50
expect_status 3
cat "$work/config" "$work/config" | head -c 300 >"$work/config300"
run gpu-regdump --from "config:$work/config300" DID2
expect_status 1
expect_out_empty
run gpu-regdump --from "config:$data/lspci.txt" --json DID2 VID2
expect_status 0
expect_json '.platform' '"snb"'
expect_json '[.registers[] | .value]' '["0x126","0x8086"]'
run gpu-regdump --from "$data/lspci.txt" --json DID2
expect_status 0

title 'config space and registers together'
run gpu-regdump --from "config:$work/config" --from "bar:$work/bar" --json rcs0.RING_BUFFER_TAIL DID2
expect_status 0
expect_json '[.registers[] | .value]' '["0x150","0x1912"]'
expect_json '.source' "[\"config:$work/config\",\"bar:$work/bar\"]"

title 'register text of others'
tail_of -p skl --from "$data/intel-reg-lines.txt"
printf '0x2030 0x150\n0x203c 0x1f001\n' >"$work/pairs"
tail_of -p skl --from "$work/pairs"
printf '2030 150\n203c 1f001\n' >"$work/bare"
tail_of -p skl --from "$work/bare"
tail_of -p skl --from "$data/reg-trace.txt"
run_in "$work/pairs" gpu-regdump -p skl --from - --json rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .value]' '["0x150"]'
expect_json '.source' '["-"]'

title 'the last value of a trace counts'
run gpu-regdump -p skl --from "$data/reg-trace.txt" --json rcs0.RING_BUFFER_HEAD
expect_json '[.registers[] | .value]' '["0x148"]'

title 'a damaged line is left out, with where it is'
printf '0x2030 0x150\n0x203c 0x1f001\n0x2038\n' >"$work/damaged"
run gpu-regdump -p skl --from "$work/damaged" --json rcs0.RING_BUFFER_TAIL
expect_status 1 6
[ "$status" = 1 ] || expect_err_line "gpu-regdump: $work/damaged: line 3: *"
printf '# gpu-regdump 1.0 platform skl\n0x002030  0x00000150\n0x00203c  0x0001' >"$work/cut"
run gpu-regdump --from "$work/cut" --json rcs0.RING_BUFFER_TAIL
expect_status 0 6

title 'what is no source'
mkdir "$work/folder"
: >"$work/empty"
printf 'just some words\n' >"$work/prose"
printf 'RING_FAULT_REG: 0x0000012b\nHWS_PGA: 0x3000\n' >"$work/names"
head -c 3000 /dev/urandom >"$work/noise"
refused 1 "gpu-regdump: $work/nonexistent: *" gpu-regdump -p skl --from "$work/nonexistent" 0x2030
refused 1 "gpu-regdump: $work/folder: *" gpu-regdump -p skl --from "$work/folder" 0x2030
refused 1 "gpu-regdump: $work/empty: *" gpu-regdump -p skl --from "$work/empty" 0x2030
refused 1 "gpu-regdump: $work/prose: not recognised*" gpu-regdump -p skl --from "$work/prose" 0x2030
refused 1 "gpu-regdump: $work/names: not recognised: registers by name, *try: gpu-regdump -p PLATFORM --decode - < $work/names" \
	gpu-regdump -p skl --from "$work/names" 0x2030
refused 1 "gpu-regdump: $work/noise: not recognised*" gpu-regdump -p skl --from "$work/noise" 0x2030
refused 1 "gpu-regdump: *folder: *" gpu-regdump -p skl --from "bar:$work/folder" 0x2030
refused 1 "gpu-regdump: *nonexistent: *" gpu-regdump -p skl --from "bar:$work/nonexistent" 0x2030
refused 1 "gpu-regdump: *: *" gpu-regdump -p skl --from /dev/null 0x2030
refused 1 "gpu-regdump: *: *" gpu-regdump -p skl --from - 0x2030
refused 1 "gpu-regdump: *noise*: *" gpu-regdump -p skl --from "elf:$work/noise" 0x2030
refused 1 "gpu-regdump: *noise*: *" gpu-regdump -p skl --from "config:$work/noise" 0x2030
refused 2 "gpu-regdump: bar:: *" gpu-regdump -p skl --from bar: 0x2030
refused 2 "gpu-regdump: bar:@0: *" gpu-regdump -p skl --from bar:@0 0x2030
refused 2 "gpu-regdump: *: *" gpu-regdump -p skl --from '' 0x2030

title 'files without an end, and names that are hard to print'
refused 1 'gpu-regdump: /dev/zero: *' timeout 20 gpu-regdump -p skl --from /dev/zero 0x2030
refused 1 'gpu-regdump: *zero: *' timeout 20 gpu-regdump -p skl --from bar:/dev/zero 0x2030
refused 1 'gpu-regdump: *one?two: *' gpu-regdump -p skl --from "$work/one
two" 0x2030
if truncate -s 1T "$work/huge" 2>/dev/null; then
	run timeout 20 gpu-regdump -p skl --from "bar:$work/huge" --json 0x2030
	expect_status 0
	expect_json '[.registers[] | .value]' '["0x0"]'
	refused 1 'gpu-regdump: *huge: *' timeout 20 gpu-regdump -p skl --from "$work/huge" 0x2030
	rm "$work/huge"
fi

title 'files named as something else'
cd "$work" || exit 1
for name in live none demo: 00:02.0 -; do
	cp pairs "./$name"
	tail_of -p skl --from "./$name"
done
cp bar live
tail_of -p skl --from bar:live

title 'an empty image holds nothing'
run gpu-regdump -p skl --from "bar:$work/empty" 0x2030
expect_status 1 3
expect_out_empty

title 'not readable'
if can_be_nobody; then
	cp "$work/pairs" "$work/secret"
	chmod 600 "$work/secret"
	run as_nobody gpu-regdump -p skl --from "$work/secret" 0x2030
	expect_status 4
	expect_out_empty
	expect_err_line "gpu-regdump: $work/secret: *ermission denied*"
	run as_nobody gpu-regdump -p skl --from "bar:$work/secret" 0x2030
	expect_status 4
fi

title 'a read-only dump is enough'
chmod 444 "$work/bar"
tail_of -p skl --from "bar:$work/bar"

title 'demo:'
for demo in snb-hang skl-hang icl-trtt; do
	run gpu-regdump --from demo:
	expect_status 0
	expect_out_has "demo:$demo"
	run gpu-regdump --from demo:$demo --json rcs0.RING_BUFFER_HEAD
	expect_status 0
	expect_json .platform "\"${demo%-*}\""
	expect_json .source "[\"demo:$demo\"]"
done
refused 3 'gpu-regdump: demo:nosuch: *snb-hang*' gpu-regdump --from demo:nosuch 0x2030
title 'a dump of a device that was gone'
head -c 2097152 /dev/zero | tr '\0' '\377' >"$work/ones"
run gpu-regdump -p tgl --from "bar:$work/ones"
expect_status 5
expect_out_empty
expect_err_line 'gpu-regdump: * registers: the device reads as all ones*'
run gpu-regdump -p tgl --json --from "bar:$work/ones" rcs0.RING_BUFFER_HEAD 0x2030-0x2037
expect_status 5
expect_json '[.registers[] | [.status, .value]] | unique' '[["all-ones",null]]'
printf '\0' | dd of="$work/ones" bs=1 seek=1000000 conv=notrunc 2>/dev/null
run gpu-regdump -p tgl --json --from "bar:$work/ones" rcs0.RING_BUFFER_HEAD
expect_status 0
expect_json '[.registers[] | [.status, .value]]' '[["ok","0xffffffff"]]'
printf '0x2034 0xffffffff\n0x2038 0xffffffff\n' >"$work/few"
run gpu-regdump -p tgl --json --from "$work/few" 0x2034
expect_status 0

finish
