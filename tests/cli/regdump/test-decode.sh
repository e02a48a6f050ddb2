#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --decode: values given in words, and pasted lines.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

title 'a name'
run gpu-regdump -p skl --decode --json rcs0.RING_BUFFER_CONTROL=0x1f001
expect_status 0
expect_err_empty
expect_json '.schema' '"gpuscope.regdump/1"'
expect_json '.registers[0] | [.name, .engine, .offset, .status, .value]' \
	'["RING_BUFFER_CONTROL","rcs0","0x203c","ok","0x1f001"]'
expect_json '[.registers[0].fields[] | select(.name == "BUFFER_LENGTH") | [.hi, .lo, .value]]' \
	'[[20,12,"0x1f"]]'
expect_json '[.registers[0].fields[] | select(.name == "BUFFER_LENGTH") | .text] | .[0] |
	test("131072|128 ?K")' true
expect_json '[.registers[0].fields[] | select(.name == "RING_BUFFER_ENABLE") | .value]' '["0x1"]'
run gpu-regdump -p skl --decode rcs0.RING_BUFFER_CONTROL=0x1f001
expect_out_has 'BUFFER_LENGTH +0x1f '

title 'an address, an alias, another case, an array element'
run gpu-regdump -p skl --decode --json 0x203c=0x1f001
expect_json '[.registers[] | .name]' '["RING_BUFFER_CONTROL"]'
run gpu-regdump -p skl --decode --json rcs0.ring_ctl=0x1f001
expect_json '[.registers[] | .name]' '["RING_BUFFER_CONTROL"]'
run gpu-regdump -p skl --decode --json 'FENCE[3]=0x4bf01d00a01001'
expect_json '[.registers[] | [.name, .value]]' '[["FENCE[3]","0x4bf01d00a01001"]]'
run gpu-regdump -p snb --decode --json 'FENCE[3]=0x4bf01d00a01001'
expect_json '[.registers[0].fields[] | select(.name | test("PITCH")) | .text] | .[0] |
	test("3840")' true

title 'several values'
run gpu-regdump -p skl --decode --json rcs0.RING_BUFFER_TAIL=0x150 rcs0.RING_BUFFER_HEAD=0x148
expect_status 0
expect_json '[.registers[] | [.name, .value]]' \
	'[["RING_BUFFER_TAIL","0x150"],["RING_BUFFER_HEAD","0x148"]]'

title 'what a reserved bit must be is told'
run gpu-regdump -p skl --decode --json rcs0.RING_BUFFER_TAIL=0xffffffff
expect_status 0
expect_json '[.registers[0].fields[] | select(.problem)] | length > 0' true
expect_json '[.registers[0].fields[] | select(.problem) | .name] | unique' '["RESERVED"]'

title 'the fields of a value, put together again, are the value'
run gpu-regdump -p skl --decode --json rcs0.RING_BUFFER_START=0xdeadb000
expect_json '[.registers[0].fields[] | [.lo, .value]]' '[[12,"0xdeadb"],[0,"0x0"]]'

title 'a 32-bit register takes no larger value'
refused 2 'gpu-regdump: *' gpu-regdump -p skl --decode rcs0.RING_BUFFER_TAIL=0x100000000

title 'what is not REG=VALUE'
for word in RING_BUFFER_TAIL =1 RING_BUFFER_TAIL= 0x2030=0x 0x2031=1 '=' ''; do
	refused 2 'gpu-regdump: *' gpu-regdump -p skl --decode "$word"
done
refused 2 'gpu-regdump: *' gpu-regdump -p skl --decode
refused 3 'gpu-regdump: NO_SUCH_REG*: *' gpu-regdump -p skl --decode rcs0.RING_BUFFER_TAIL=1 \
	NO_SUCH_REG=1

title 'lines of intel_reg dump'
run_in "$data/intel-reg-lines.txt" gpu-regdump -p skl --decode --json -
expect_status 0
expect_json '[.registers[] | [.offset, .value]]' \
	'[["0x2030","0x150"],["0x203c","0x1f001"],["0x22030","0x28"]]'
expect_json '[.registers[] | .name]' \
	'["RING_BUFFER_TAIL","RING_BUFFER_CONTROL","RING_BUFFER_TAIL"]'

title 'lines of an i915 error state'
run_in "$data/error-state-lines.txt" gpu-regdump -p snb --decode --json -
# What it lists beside registers, such as seqno, is reported.
expect_status 0 6
expect_json '[.registers[] | select(.engine == "rcs0" and .name == "RING_BUFFER_TAIL") | .value]' \
	'["0x150"]'
expect_json '[.registers[] | select(.engine == "bcs0" and .name == "RING_BUFFER_TAIL") | .value]' \
	'["0x28"]'
expect_json '[.registers[] | select(.name == "FENCE[3]") | .value]' '["0x4bf01d00a01001"]'
expect_json '[.registers[] | select(.name == "EIR") | .value]' '["0x10"]'

title 'lines of the other forms'
printf '%s\n' '0x2030: 0x150' 'rcs0.RING_BUFFER_HEAD=0x148' 'rcs0.RING_BUFFER_START 0x7000' \
	'and some prose between them' 'rcs0.RING_BUFFER_CONTROL (0x203c): 0x1f001' >"$work/lines"
run_in "$work/lines" gpu-regdump -p skl --decode --json -
expect_status 0 6
expect_json '[.registers[] | .value]' '["0x150","0x148","0x7000","0x1f001"]'

title 'what gpu-regdump itself prints'
make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001
run gpu-regdump -p skl --from "bar:$work/bar" rcs0.RING_BUFFER_TAIL rcs0.RING_BUFFER_CONTROL
cp "$out" "$work/own"
run_in "$work/own" gpu-regdump -p skl --decode --json -
expect_status 0
expect_json '[.registers[] | [.name, .value]]' \
	'[["RING_BUFFER_TAIL","0x150"],["RING_BUFFER_CONTROL","0x1f001"]]'

title 'nothing to decode'
run_in /dev/null gpu-regdump -p skl --decode -
expect_status 1 3
expect_out_empty
printf 'nothing but prose\n' >"$work/prose"
run_in "$work/prose" gpu-regdump -p skl --decode -
expect_status 1 3
expect_out_empty
head -c 65536 /dev/urandom >"$work/noise"
run_in "$work/noise" gpu-regdump -p skl --decode -
expect_status 1 3

title '64 bits in two halves, as error states have them'
cat >"$work/halves" <<'TEXT'
rcs0 command stream:
  ACTHD: 0x00000001 0002003c
  BBADDR: 0x00000001_00020040
  FADDR: 0x00000000 0002003c
TEXT
run_in "$work/halves" gpu-regdump -p skl --json --decode -
expect_status 0
expect_json '[.registers[] | [.name, .value]]' '[["ACTHD","0x2003c"],["ACTHD_UDW","0x1"],["BB_ADDR","0x20040"],["BB_ADDR_UDW","0x1"],["DMA_FADD","0x2003c"],["DMA_FADD_UDW","0x0"]]'
run_in "$work/halves" gpu-regdump -p snb --json --decode -
expect_status 6
expect_json '[.registers[] | [.name, .value]]' '[["DMA_FADD","0x2003c"]]'
expect_err_line 'gpu-regdump: line 2: *ACTHD: 0x10002003c does not fit in 32 bits'

title 'lines of a kernel log'
cat >"$work/log" <<'TEXT'
TRANS_DDI_FUNC_CTL_B: 8a030002
DC_STATE_EN 00000001
DC_STATE_EN: 1
[   12.345678] i915 0000:00:02.0: [drm] DC_STATE_EN = 0x2
rcs0 RING_HEAD: 0x00001234
DE_PIPE_IIR(A): 0x80000000
i915: write reg 0x45504, val 0x2
nothing that has a value
TEXT
run_in "$work/log" gpu-regdump -p tgl --json --decode -
expect_status 0
expect_err_empty
expect_json '[.registers[] | [.offset, .value]]' \
	'[["0x61400","0x8a030002"],["0x45504","0x1"],["0x45504","0x1"],["0x45504","0x2"],["0x2034","0x1234"],["0x44408","0x80000000"],["0x45504","0x2"]]'

title 'what is not understood is counted'
printf '%s\n' 'DC_STATE_EN: 0x1' 'a value 0x1234 of something' 'and 0x5678' >"$work/lost"
run_in "$work/lost" gpu-regdump -p tgl --json --decode -
expect_status 6
expect_json '[.registers[] | .value]' '["0x1"]'
expect_err_line 'gpu-regdump: 2 lines have values, but were not understood: the first is line 2'
printf 'DC_STATE_EN: 10\n' >"$work/either"
run_in "$work/either" gpu-regdump -p tgl --decode -
expect_status 3
expect_err_line 'gpu-regdump: line 1: DC_STATE_EN: 10 may be decimal or hexadecimal*'

title 'a bare name is of all its engines'
run gpu-regdump -p skl --json --decode RING_BUFFER_HEAD=0x148
expect_status 0
expect_json '[.registers[] | .engine, (.also // [])[]] | map(sub("[.].*"; "")) | unique' \
	'["bcs0","rcs0","vcs0","vcs1","vecs0"]'
run gpu-regdump -p skl --decode RING_BUFFER_HEAD=0x148
expect_out_has '^    also applies to vcs0 vecs0 vcs1 bcs0$'
run gpu-regdump -p skl --json --decode rcs0.RING_BUFFER_HEAD=0x148
expect_json '.registers[0].also' null
run gpu-regdump -p snb --decode -q FENCE=0
expect_out_has '^    also applies to FENCE\[1\] .* and [0-9]+ more$'

title 'of a list that is not whole a value is not missed'
run gpu-regdump -p icl --json --decode SRD_CTL_A=0
expect_json '[.registers[0].fields[] | select(.name == "TP4_TIME") | .text]' '[null]'

title 'it opens no source'
run gpu-regdump -p skl --decode -q rcs0.RING_BUFFER_TAIL=1
expect_status 0

title 'fields where the newest drivers have them'
fields_of() {
	run gpu-regdump -p "$1" --decode --json "$2"
	expect_status 0
	expect_json '[.registers[0].fields[] | select(.value != "0x0") | .name]' "$3"
}
fields_of icl MAD_DIMM_CH0=0x0d000000 '["DIMM_S_RANKS","DIMM_S_WIDTH"]'
fields_of icl rcs0.FF_THREAD_MODE=0x80000 '["TESSELLATION_DOP_GATE_DISABLE"]'
fields_of skl RING_FAULT_REG=0x10001 '["ENGINE_ID","VALID"]'
fields_of mtl MIRROR_TARGET_WP1=0x600 '["CC"]'
fields_of hsw ERR_INT=0x00808000 '["SPRITE_C_FAULT","CURSOR_A_FAULT"]'
finish
