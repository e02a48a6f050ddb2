#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --list: definitions, with nothing read.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

title 'one register'
run gpu-regdump -p skl --list --json rcs0.RING_BUFFER_CONTROL
expect_status 0
expect_err_empty
expect_json '.schema' '"gpuscope.regdump/1"'
expect_json '[.platform, .device]' '["skl",null]'
expect_json '.source | type' '"array"'
expect_json '.registers[0] | [.name, .engine, .offset, .size, .group]' \
	'["RING_BUFFER_CONTROL","rcs0","0x203c",4,"ring"]'
expect_json '.registers[0].access' '["rw"]'
expect_json '.registers[0] | [has("status"), has("value")]' '[false,false]'
expect_json '.registers[0].doc | type' '"string"'
expect_json '.registers[0].origin | type' '"string"'
expect_json '[.registers[0].fields[] | select(.name == "BUFFER_LENGTH") | [.hi, .lo, .value, .text]]' \
	'[[20,12,null,null]]'

title 'reset value, or null'
run gpu-regdump -p skl --list --json rcs0.RING_BUFFER_TAIL
expect_json '.registers[0].reset' '"0x0"'

title 'text'
run gpu-regdump -p skl --list rcs0.RING_BUFFER_CONTROL
expect_status 0
expect_out_has '0x0*203c.*rcs0\.RING_BUFFER_CONTROL'
run gpu-regdump -p skl --list -v rcs0.RING_BUFFER_CONTROL
expect_out_has 'BUFFER_LENGTH'
expect_out_has 'origin'
run gpu-regdump -p skl --list -q rcs0.RING_BUFFER_CONTROL
expect_out_has 'RING_BUFFER_CONTROL'
same 'lines of -q' "$(grep -vc '^#' "$out")" 1

title 'everything of every platform'
for platform in brw snb hsw skl tgl ptl; do
	run gpu-regdump -p $platform --list -q
	expect_status 0
	expect_err_empty
	[ "$(wc -l <"$out")" -gt 50 ] || fail "only $(wc -l <"$out") registers of $platform"
done

title 'hazardous registers are listed like others'
run gpu-regdump -p skl --list --json
expect_status 0
expect_json '[.registers[] | select(has("status") or has("value"))] | length' 0
expect_json '[.registers[] | select(.origin == null)] | length' 0
expect_json '[.registers[] | select((.size | . == 1 or . == 2 or . == 4 or . == 8) | not)]' '[]'
expect_json '[.registers[] | .access[]] | unique - ["ro","rw","wo","w1c","rc","masked","sticky"]' '[]'
expect_json '[.registers[] | select(.access == [])] | length' 0
# shellcheck disable=SC2016
expect_json '[.registers[] | (.size * 8) as $bits | .fields[] | select(.hi < .lo or .hi >= $bits)]' '[]'

title 'by address'
run gpu-regdump -p skl --list --json 0x2030
expect_json '[.registers[] | .name]' '["RING_BUFFER_TAIL"]'
run gpu-regdump -p skl --list --json 0x2030-0x203f
expect_status 0
expect_json '[.registers[] | select(.engine == "rcs0") | .name]' \
	'["RING_BUFFER_TAIL","RING_BUFFER_HEAD","RING_BUFFER_START","RING_BUFFER_CONTROL"]'
title 'by an address where nothing is defined'
run gpu-regdump -p skl --list 0xfff000
expect_status 3
expect_out_empty

title 'a group and a glob'
run gpu-regdump -p skl --list --json @ring
expect_json '[.registers[] | .group] | unique' '["ring"]'
run gpu-regdump -p skl --list --json 'rcs0.RING_BUFFER_*'
expect_json '.registers | length' 4

title 'the platform may come from a source, of which nothing is read'
make_bar "$work/bar" snb
printf '# gpu-regdump 1.0 platform snb\n0x002030  0x00000150\n' >"$work/text"
run gpu-regdump --list --json --from "$work/text" rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '.platform' '"snb"'
finish
