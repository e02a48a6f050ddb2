#!/bin/sh
# SPDX-License-Identifier: MIT
# Dumps of real machines (GPUSCOPE_CORPUS): each is loaded, and gives the values that are in it.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq
corpus=${GPUSCOPE_CORPUS:-}
[ -d "$corpus" ] || pass_by 'no corpus given (GPUSCOPE_CORPUS)'

# has_values FILE ARGUMENTS...: the dwords "OFFSET VALUE" of FILE are what gpu-regdump reads there
has_values() {
	wanted=$1
	shift
	# shellcheck disable=SC2046
	run gpu-regdump --json "$@" $(sed 's/ .*/+4/' "$wanted")
	jq -r '.registers[] | select(.status == "ok") | "\(.offset) \(.value)"' "$out" |
		sort -u >"$work/got"
	sort -u "$wanted" | comm -23 - "$work/got" >"$work/missing"
	[ -s "$work/missing" ] && fail "$(wc -l <"$work/missing") of $(wc -l <"$wanted") values \
are not as they should be: $(head -n 5 "$work/missing" | tr '\n' ' ')"
}

# Numbers as JSON has them.
plain() {
	tr 'ABCDEFX' 'abcdefx' | sed 's/0x0*\([0-9a-f]\)/0x\1/g'
}

# at_least COUNT FILE: the file of wanted values is not short
at_least() {
	[ "$(wc -l <"$2")" -ge "$1" ] || fail "only $(wc -l <"$2") values found in the file"
}

# register FILTER VALUE: of the first row of JSON
register() {
	expect_json ".registers[0] | $1" "$2"
}

title 'a GLK, dumped by intel_reg'
glk=$corpus/reg-dump/glk-8086-3185-intel_reg-dump.txt
sed -n 's/.*(\(0x[0-9a-f]*\)): \(0x[0-9a-f]*\).*/\1 \2/p' "$glk" | plain | sort -u >"$work/glk"
at_least 237 "$work/glk"
has_values "$work/glk" -p glk --from "$glk"
expect_status 0
title 'the same in an image of the BAR, and the text of that'
make_bar "$work/image" 2097152 - <"$work/glk"
has_values "$work/glk" -p glk --unsafe --from "bar:$work/image"
expect_status 0
run gpu-regdump -p glk --from "$glk" --json
expect_status 0
jq '.registers |= map(select(.name))' "$out" >"$work/named"
values "$work/named" >"$work/of-text"
at_least 30 "$work/of-text"
run gpu-regdump -p glk --unsafe --from "bar:$work/image" --json
values "$out" | grep -Fxc -f - "$work/of-text" >"$work/same"
same 'registers of the image as in the text' "$(cat "$work/same")" "$(wc -l <"$work/of-text")"
title 'pasted'
run_in "$glk" gpu-regdump -p glk --decode --json -
expect_status 0 6
jq -r '.registers[] | "\(.offset) \(.value)"' "$out" | sort -u | comm -23 - "$work/glk" >"$work/wrong"
same 'values that are not in the dump' "$(cat "$work/wrong")" ''

title 'panel power sequencing'
run gpu-regdump -p snb --from "$corpus/reg-dump/pch-panel-power-coreboot-doc.txt" --json 0xc7208
expect_status 0 6
register '.value' '"0x7d00001"'
register '[.fields[] | select(.hi == 28 and .lo == 16) | .value]' '["0x7d0"]'
run gpu-regdump -p snb --from "$corpus/reg-dump/pch-panel-power-coreboot-doc.txt" --json 0xc720c
register '[.fields[] | select(.hi == 28 and .lo == 16) | .value]' '["0x1f4"]'

title 'a register trace in a kernel log'
trace=$corpus/mmio-trace/hsw-ult-wtm2-kernel-RW.log
sed -n 's/^\[[^]]*\] [RW] \(0x[0-9a-fA-F]*\): \(0x[0-9a-fA-F]*\)$/\1 \2/p' "$trace" | plain |
	awk '{ value[$1] = $2 } END { for (a in value) print a, value[a] }' >"$work/trace"
at_least 533 "$work/trace"
has_values "$work/trace" -p hsw --from "$trace"
expect_status 0

title 'tracepoints, 30 of them damaged'
trace=$corpus/mmio-trace/ivb-link-i915_reg_rw-tracepoints.txt
sed -n 's/.*reg=\(0x[0-9a-f]*\), len=4, val=(\(0x[0-9a-f]*\), 0x0).*/\1 \2/p' "$trace" | plain |
	awk '{ value[$1] = $2 } END { for (a in value) print a, value[a] }' >"$work/trace"
at_least 269 "$work/trace"
has_values "$work/trace" -p ivb --from "$trace"
expect_status 6
expect_err_line "gpu-regdump: $trace: line *damaged*30*"

title 'port accesses of a video BIOS'
trace=$corpus/mmio-trace/ivb-8086-0166-vbios-ioport-trace.txt
run gpu-regdump --from "$trace" --json config:0x50
expect_status 0 6
expect_json '[.platform, .device]' '["ivb","0x166"]'
register '.value' '"0x208"'

title 'config space of a GM45, 64 bytes'
config=$corpus/pci-config/gm45-8086-2a42-header64.txt
run gpu-regdump --from "$config" --json DID2
expect_status 0 6
expect_json .platform '"ctg"'
register '.value' '"0x2a42"'
run gpu-regdump --from "$config" --json config:0x52
expect_status 3
register '[.status, .value]' '["absent",null]'

title 'config space of a SNB'
config=$corpus/pci-config/snb-8086-0126-lspci-xxx.txt
for source in "$config" "config:$config"; do
	run gpu-regdump --from "$source" --json config:0x50 config:0x5c
	expect_status 0
	expect_json .platform '"snb"'
	expect_json '[.registers[] | .value]' '["0x211","0xdba00001"]'
	expect_json '[.registers[0].fields[] | .text // "" | test("64 ?M|67108864")] | any' true
	expect_json '[.registers[0].fields[] | .text // "" | test("2 ?M|2097152")] | any' true
	expect_json '[.registers[1].fields[] | .text // "" | test("0xdba00000")] | any' true
done
run gpu-regdump --from "$config" --json 'config:0x10'
register '.value | test("^0xf0000004$")' true

title 'config space of a WHL, after that of its host bridge'
config=$corpus/pci-config/whl-8086-3ea0-gpu-and-3e34-hostbridge.txt
run gpu-regdump --from "$config" --json config:0x50 DID2
expect_status 0 6
expect_json .platform '"cfl"'
expect_json '[.registers[] | .value]' '["0x2c1","0x3ea0"]'
expect_json '[.registers[0].fields[] | .text // "" | test("64 ?M|67108864")] | any' true
expect_json '[.registers[0].fields[] | .text // "" | test("8 ?M|8388608")] | any' true

title 'every file of the corpus as a source: none ends badly'
find "$corpus" -type f -size -3000k ! -name '*.py' | sort >"$work/files"
while read -r file; do
	run gpu-regdump -p skl --from "$file" -q
	expect_status 0 1 3 6
	head -c $(($(wc -c <"$file") * 2 / 3)) "$file" >"$work/cut"
	run gpu-regdump -p skl --from "$work/cut" -q
	expect_status 0 1 3 6
done <"$work/files"
finish
