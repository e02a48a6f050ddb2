#!/bin/sh
# SPDX-License-Identifier: MIT
# Every form of SELECTOR, on an image of a register BAR and on definitions.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

bar=$work/skl.bar
make_bar "$bar" skl 0x2030 0x150 0x2034 0x148 0x2038 0x7000 0x203c 0x1f001 0x22030 0x28 \
	0x1203c 0x3001 0x100018 0x00a01001 0x10001c 0x004bf01d 0x4f100 0xdeadbeef

read_bar() {
	run gpu-regdump -p skl --from "bar:$bar" "$@"
}

rows='[.registers[] | [.engine, .name, .value]]'

title 'a name is that of every engine'
read_bar --json RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .engine] | sort' '["bcs0","rcs0","vcs0","vcs1","vecs0"]'
expect_json '[.registers[] | .name] | unique' '["RING_BUFFER_TAIL"]'
expect_json '.registers[] | select(.engine == "rcs0") | [.offset, .value, .size, .status]' \
	'["0x2030","0x150",4,"ok"]'
expect_json '.registers[] | select(.engine == "bcs0") | [.offset, .value]' '["0x22030","0x28"]'
expect_json '.registers[] | select(.engine == "vcs0") | [.offset, .value]' '["0x12030","0x0"]'

title 'ENGINE.NAME'
read_bar --json rcs0.RING_BUFFER_TAIL
expect_json "$rows" '[["rcs0","RING_BUFFER_TAIL","0x150"]]'
read_bar --json rcs.RING_BUFFER_TAIL
expect_json "$rows" '[["rcs0","RING_BUFFER_TAIL","0x150"]]'
read_bar --json render.ring_buffer_tail
expect_json "$rows" '[["rcs0","RING_BUFFER_TAIL","0x150"]]'

title 'PREFIX:NAME and PREFIX:ADDRESS'
place='[.registers[] | [.space, .offset, .size]]'
read_bar --json mmio:rcs0.RING_BUFFER_TAIL 0x2000:0x34 mmio16:0x203a mmio8:0x2031
expect_status 0
expect_json "$place" '[["mmio","0x2030",4],["mmio","0x2034",4],["mmio","0x203a",2],["mmio","0x2031",1]]'
expect_json '[.registers[].value]' '["0x150","0x148","0x0","0x1"]'
run gpu-regdump -p snb --list --json mchbar:MAD_DIMM_C0 mchbar:0x5008
expect_json "$place" '[["mmio","0x145004",4],["mmio","0x145008",4]]'
run gpu-regdump -p vlv --list --json 'flisdsi:*' sideband:0x1b0000
expect_json '[.registers[] | .space, (.offset | startswith("0x1b"))] | unique' '[true,"sideband"]'
run gpu-regdump -p skl --list --json mmio-sr:SR01 portio:MSR config:GGC VGA-CR:7
expect_json '[.registers[] | [.space, .name]]' \
	'[["vga-sr","SR01"],["io","MSR"],["config","GGC"],["vga-cr","CR07"]]'
read_bar punit:RING_BUFFER_TAIL
expect_status 3
expect_err_line '*RING_BUFFER_TAIL is not a register of punit'
read_bar mmio8:0x2030-0x203f
expect_status 2
read_bar 0x04:0x10000
expect_status 2

title 'a glob'
read_bar --json 'rcs0.RING_BUFFER_*'
expect_status 0
expect_json '[.registers[] | .name] | sort' \
	'["RING_BUFFER_CONTROL","RING_BUFFER_HEAD","RING_BUFFER_START","RING_BUFFER_TAIL"]'
read_bar --json 'rcs0.ring_buffer_?ail'
expect_json "$rows" '[["rcs0","RING_BUFFER_TAIL","0x150"]]'

title 'one element of an array, and all of it'
read_bar --json 'FENCE[3]'
expect_json '[.registers[] | [.name, .offset, .size, .value]]' \
	'[["FENCE[3]","0x100018",8,"0x4bf01d00a01001"]]'
read_bar --json FENCE
expect_json '.registers | length' 32
expect_json '.registers[31] | [.name, .offset]' '["FENCE[31]","0x1000f8"]'
refused 3 'gpu-regdump: FENCE?99?: *' gpu-regdump -p skl --from "bar:$bar" 'FENCE[99]'

title 'a field'
read_bar --json rcs0.RING_BUFFER_CONTROL:BUFFER_LENGTH
expect_json '[.registers[] | .name]' '["RING_BUFFER_CONTROL"]'
expect_json '.registers[0].value' '"0x1f001"'
expect_json '[.registers[0].fields[] | [.name, .hi, .lo, .value]]' '[["BUFFER_LENGTH",20,12,"0x1f"]]'
read_bar rcs0.RING_BUFFER_CONTROL:BUFFER_LENGTH
expect_out_has 'BUFFER_LENGTH.*131072|BUFFER_LENGTH.*128 ?K'
expect_out_lacks 'RING_BUFFER_ENABLE'
refused 3 'gpu-regdump: *: *' gpu-regdump -p skl --from "bar:$bar" RING_BUFFER_CONTROL:NO_SUCH_FIELD

title 'a group'
read_bar --json @ring
expect_status 0
expect_json '[.registers[] | .group] | unique' '["ring"]'
expect_json '[.registers[] | select(.name == "RING_BUFFER_TAIL")] | length' 5
refused 3 'gpu-regdump: @rign: *ring*' gpu-regdump -p skl --from "bar:$bar" @rign

title 'an address with a definition'
read_bar --json 0x2030
expect_json "$rows" '[["rcs0","RING_BUFFER_TAIL","0x150"]]'
read_bar 0x2030
expect_out_has '0x0*2030.*RING_BUFFER_TAIL'
read_bar --json 0x100018
expect_json '[.registers[] | .name]' '["FENCE[3]"]'

title 'an address without one'
read_bar --json 0x4f100
expect_status 0
expect_json '[.registers[] | [.name, .offset, .status, .value, .fields]]' \
	'[[null,"0x4f100","ok","0xdeadbeef",[]]]'
read_bar 0x4f100
expect_out_has '0x0*4f100 .*0xdeadbeef'

title 'A-B is inclusive: the last is an address of a dword, or of its last byte'
read_bar --json 0x2030-0x203c
expect_status 0
expect_json '[.registers[] | .offset]' '["0x2030","0x2034","0x2038","0x203c"]'
expect_json '[.registers[] | .value]' '["0x150","0x148","0x7000","0x1f001"]'
expect_json '[.registers[] | .size] | unique' '[4]'
expect_json '.registers[0] | [.engine, .name]' '["rcs0","RING_BUFFER_TAIL"]'
read_bar --json 0x2030-0x203f
expect_json '[.registers[] | .offset]' '["0x2030","0x2034","0x2038","0x203c"]'
read_bar --json 0x2030-0x2030
expect_json '[.registers[] | .offset]' '["0x2030"]'
read_bar --json 0x100018-0x10001f
expect_json '[.registers[] | [.offset, .size, .value]]' \
	'[["0x100018",4,"0xa01001"],["0x10001c",4,"0x4bf01d"]]'

title 'A+LEN is bytes'
read_bar --json 0x2030+8
expect_json '[.registers[] | .offset]' '["0x2030","0x2034"]'
read_bar --json 0x2000+0x40
expect_json '.registers | length' 16
read_bar --json 0x2000+1K
expect_json '.registers | length' 256
read_bar --json 0x2_0_30+0b100
expect_json '[.registers[] | .offset]' '["0x2030"]'

title 'ranges print raw dwords, with the names that are known'
read_bar 0x2030-0x203f
expect_out_has '0x0*2030.*0x00000150'
expect_out_has 'RING_BUFFER_TAIL'

title 'what a dword of a range is, where registers are wider or narrower'
make_bar "$work/wide" skl 0x100000 0x1001 0x100004 0x2001 0x100008 0x3001 0x10000c 0x4001
run gpu-regdump -p skl --json --from "bar:$work/wide" 0x100004-0x10000b 0x100000
expect_json '[.registers[] | [.name, .offset, .size, .part, .value, .reset]]' '[["FENCE[0]","0x100004",4,{"hi":63,"lo":32},"0x2001",null],["FENCE[1]","0x100008",4,{"hi":31,"lo":0},"0x3001",null],["FENCE[0]","0x100000",8,null,"0x200100001001","0x0"]]'
expect_json '[.registers[0,1].fields | length]' '[0,0]'
run gpu-regdump -p skl --from "bar:$work/wide" 0x100004-0x10000f
expect_out_has '^0x100004  0x00002001  FENCE\[0\]  bits 63:32 only$'
expect_out_has '^0x100008  0x0000400100003001  FENCE\[1\]$'
run gpu-regdump -p skl --from "bar:$work/wide" 0x100004
expect_out_has '^0x100004  0x00002001  FENCE\[0\]  bits 63:32 only$'
make_bar "$work/narrow" snb 0x5080 0x56781234 0x5084 0x11112222
run gpu-regdump -p snb --json --from "bar:$work/narrow" 0x5080-0x5083
expect_json '[.registers[] | [.name, .size, .value], (.fields[] | [.name, .hi, .lo, .value])]' '[[null,4,"0x56781234"],["ACE_HISTOGRAM[0]",15,0,"0x1234"],["ACE_HISTOGRAM[1]",31,16,"0x5678"]]'
run gpu-regdump -p snb --from "bar:$work/narrow" 0x5080-0x5083
expect_out_has '^0x005082  0x5678  *ACE_HISTOGRAM\[1\]$'

title 'selectors keep their order, and a register comes once'
read_bar --json 0x203c rcs0.RING_BUFFER_TAIL
expect_json '[.registers[] | .offset]' '["0x203c","0x2030"]'
read_bar --json rcs0.RING_BUFFER_TAIL 0x2030 RING_BUFFER_TAIL
expect_json '[.registers[] | select(.offset == "0x2030")] | length' 1

title 'usage errors of selectors'
for selector in 0x2031 0x2032 0x2031+4 0x2030-0x2000 0x2030-0x2035 0x2030+0 0x2030- 0x2030+ \
	0x 0xzz 0x2030x 0x2030+4q 0x2030-0x2040-0x2050 0x1_0000_0000_0000_0000 @ '' : . '[' \
	'FENCE[' 'FENCE[]' 'FENCE[x]' 'FENCE[1' 'FENCE[1]x' 'rcs0.' 'RING_BUFFER_TAIL:'; do
	refused 2 'gpu-regdump: *' gpu-regdump -p skl --from "bar:$bar" "$selector"
done

title 'names that there are none of'
for selector in RING_BUFFER_TIAL 'XYZZY_*' 'FENCE[32]' 'RING_BUFFER_TAIL[0]' rcs7.RING_BUFFER_TAIL \
	nosuch.RING_BUFFER_TAIL @nosuch rcs0.FENCE; do
	refused 3 "gpu-regdump: *: *" gpu-regdump -p skl --from "bar:$bar" "$selector"
done

title 'one bad selector among good ones'
refused 3 'gpu-regdump: NO_SUCH_REGISTER: *' gpu-regdump -p skl --from "bar:$bar" \
	rcs0.RING_BUFFER_TAIL NO_SUCH_REGISTER
refused 2 'gpu-regdump: 0x2031: *' gpu-regdump -p skl --from "bar:$bar" rcs0.RING_BUFFER_TAIL 0x2031

title 'what the source does not hold is not a zero'
read_bar 0x1000000
expect_status 3
expect_out_empty
expect_err_line 'gpu-regdump: 0x1000000: no source holds this address; no register, in no documented range'
read_bar --json 0x1000000
expect_status 3
expect_json '[.registers[] | [.offset, .status, .value]]' '[["0x1000000","absent",null]]'
read_bar --json 0xfffffffffffffffc
expect_status 3
read_bar --json 0xfffffffffffffffc+8
expect_status 2 3

title 'a range that ends beyond the source'
read_bar --json 0xfffff8+16
expect_status 6
expect_json '[.registers[] | .status]' '["ok","ok","absent","absent"]'

title 'the copy of a replicated register that answers'
steered='[.registers[] | .steering | [.register, .group, .instance]]'
make_bar "$work/steered" skl 0xfdc 0x05000000 0xe4f0 0x100
run gpu-regdump -p skl --from "bar:$work/steered" --json ROW_CHICKEN
expect_status 0
expect_json "$steered" '[["MCR_SELECTOR",1,1]]'
run gpu-regdump -p skl --from "bar:$work/steered" ROW_CHICKEN MCR_SELECTOR
expect_out_has 'one copy of several: slice 1, subslice 1, by MCR_SELECTOR'
cp "$out" "$work/steered.txt"
run gpu-regdump -s "$work/steered.txt" --json ROW_CHICKEN
expect_json "$steered" '[["MCR_SELECTOR",1,1]]'
make_bar "$work/steered" skl 0xfd4 0x80000302 0xfdc 0x05000000 0xe4f0 0x20
run gpu-regdump -p mtl --from "bar:$work/steered" --json ROW_CHICKEN
expect_json "$steered" '[["MCR_SELECTOR",3,2]]'
run gpu-regdump -p mtl --from "bar:$work/steered" ROW_CHICKEN
expect_out_has 'one copy of several: group 3, instance 2, by MCR_SELECTOR'
make_bar "$work/steered" skl 0xfdc 0x9a000000 0xfe0 0x08000000 0xe4f0 0x20 0x4910 0x100
run gpu-regdump -p dg2 --from "bar:$work/steered" --json ROW_CHICKEN FLAT_CCS_BASE_ADDR
expect_json "$steered" '[["MCR_SELECTOR",3,2],["GAM_MCR_SELECTOR",1,0]]'
printf '0x00e4f0  0x00000100  rcs0.ROW_CHICKEN\n' >"$work/steered.txt"
run gpu-regdump -p skl -s "$work/steered.txt" --json ROW_CHICKEN
expect_json "$steered" '[["MCR_SELECTOR",null,null]]'
read_bar --json rcs0.RING_BUFFER_TAIL
expect_json '[.registers[] | has("steering")]' '[false]'

title 'names as i915 writes them'
same_as() { # PLATFORM NAME... : each pair of names is of the same registers
	platform=$1
	shift
	while [ $# -gt 1 ]; do
		run gpu-regdump -p "$platform" --list --json "$1"
		expect_status 0
		got=$(jq -c '[.registers[] | [.engine, .name, .offset]]' "$out")
		run gpu-regdump -p "$platform" --list --json "$2"
		same "$1" "$got" "$(jq -c '[.registers[] | [.engine, .name, .offset]]' "$out")"
		shift 2
	done
}
same_as tgl 'TRANS_DDI_FUNC_CTL(A)' TRANS_DDI_FUNC_CTL_A 'EDP_PSR_CTL(TRANSCODER_A)' SRD_CTL_A \
	'DDI_BUF_CTL(PORT_A)' DDI_BUF_CTL_A 'RING_HEAD(RENDER_RING_BASE)' rcs0.RING_BUFFER_HEAD \
	'RING_HEAD(GEN11_BSD_RING_BASE)' vcs0.RING_BUFFER_HEAD 'PLANE_CTL(PIPE_A,0)' PLANE_CTL_1_A \
	'PLANE_CTL(PIPE_B, PLANE_2)' PLANE_CTL_2_B 'PP_STATUS(0)' 'PP_STATUS[0]' \
	PP_STATUS_1 'PP_STATUS[1]' DDI_BUF_CTL 'DDI_BUF_CTL_*' 'DBUF_CTL_S(0)' DBUF_CTL_S0 \
	'0x2034:HEAD_OFFSET' rcs0.RING_BUFFER_HEAD:HEAD_OFFSET
for name in 'RING_HEAD(BSD_RING_BASE)' 'DDI_BUF_CTL(PORT_Q)' 'DDI_BUF_CTL()' 'NO_SUCH(A)' \
	'PLANE_CTL(PIPE_A,99)' 'PP_STATUS(A,B,C)'; do
	run gpu-regdump -p tgl --list "$name"
	expect_status 3
done

title 'a name that is nearly right'
while read -r name wanted; do
	run gpu-regdump -p skl --list "$name"
	expect_status 3
	expect_err_line "*: unknown register of skl; did you mean $wanted[? ]*"
done <<END
RING_FUALT RING_FAULT_REG
PP_STAUTS PP_STATUS
RNG_TAIL RING_TAIL
END

title 'platforms by PCI id'
run gpu-regdump -p 8086:9a49 --list -q DDI_BUF_CTL_A
expect_status 0
run gpu-regdump -p 0xa7ff --list
expect_status 3
grep -q 'is Raptor Lake-P' "$err" || fail "$(cat "$err")"
for name in xe2 aml; do
	run gpu-regdump -p $name --list
	expect_status 3
	! grep -q 'did you mean' "$err" || fail "$name: $(cat "$err")"
done

title 'every definition selects itself'
run gpu-regdump -p skl --list --json
expect_status 0
jq -r '.registers[] | select(.space == "mmio" or .space == null) |
	if .engine then "\(.engine).\(.name)" else .name end' "$out" >"$work/names"
wanted=$(sort -u "$work/names" | wc -l)
[ "$wanted" -gt 300 ] || fail "only $wanted registers of skl"
cp "$out" "$work/all.json"
# shellcheck disable=SC2046
run gpu-regdump -p skl --list --json $(head -n 200 "$work/names")
expect_status 0
same 'selected by name' "$(jq -c '[.registers[].offset] | sort | unique' "$out" | md5sum)" \
	"$(jq -c '[.registers | map(select(.space == "mmio" or .space == null)) | .[:200][].offset] |
		sort | unique' "$work/all.json" | md5sum)"
finish
