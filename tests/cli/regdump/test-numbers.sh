#!/bin/sh
# SPDX-License-Identifier: MIT
# The forms of numbers wherever the command line has one, and what is no number.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/part" 0x1000 0x30 0x150

value_at() {
	run gpu-regdump -p skl --from "bar:$work/part@$1" --json 0x2030
	expect_status 0
	expect_json '[.registers[] | .value]' '["0x150"]'
}

title 'hexadecimal, decimal, binary, underscores, K'
for number in 0x2000 0X2000 8192 0b10000000000000 0x20_00 8_192 0x2_0_0_0 8K; do
	value_at $number
done
run gpu-regdump -p skl --from "bar:$work/part@1M" --json 0x100030
expect_json '[.registers[] | .value]' '["0x150"]'
run gpu-regdump -p skl --from "mem:$work/part@1G" --from "bar:$work/part@0x2000" --json 0x2030
expect_json '[.registers[] | .value]' '["0x150"]'

title 'what is no number is part of the name of the file'
for number in 0x 0x2000x 8192x 8k8 0x8K 0b2 1__0 _1 1_ -1 +1 1.5 ' 1' '1 ' ''; do
	run gpu-regdump -p skl --from "bar:$work/part@$number" --json 0x2030
	expect_status 1
	expect_out_empty
	expect_err_line 'gpu-regdump: *: No such file or directory*'
done

title 'the last @ that a valid number follows'
cp "$work/part" "$work/pa@rt"
run gpu-regdump -p skl --from "bar:$work/pa@rt" --unsafe --json 0x30
expect_json '[.registers[] | .value]' '["0x150"]'
run gpu-regdump -p skl --from "bar:$work/pa@rt@0x2000" --json 0x2030
expect_json '[.registers[] | .value]' '["0x150"]'
cp "$work/part" "$work/pa@0x2000"
run gpu-regdump -p skl --from "bar:$work/pa@0x2000@0" --unsafe --json 0x30
expect_json '[.registers[] | .value]' '["0x150"]'

title 'values to decode'
for number in 0x1f001 126977 0b11111000000000001 0x1_f001 126_977 0X1F001; do
	run gpu-regdump -p skl --decode --json "rcs0.RING_BUFFER_CONTROL=$number"
	expect_status 0
	expect_json '[.registers[] | .value]' '["0x1f001"]'
done
run gpu-regdump -p skl --decode --json rcs0.RING_BUFFER_CONTROL=4K
expect_json '[.registers[] | .value]' '["0x1000"]'
for number in '' 0x 1f001 0x1f001g 12x 1_ 0x_1 0b 0b12 -1 '1 2' 0x1K 99999999999999999999; do
	refused 2 'gpu-regdump: *' gpu-regdump -p skl --decode "rcs0.RING_BUFFER_CONTROL=$number"
done

title 'addresses'
run gpu-regdump -p skl --list --json 0X2030
expect_json '[.registers[] | .name]' '["RING_BUFFER_TAIL"]'
run gpu-regdump -p skl --list --json 0x20_30
expect_json '[.registers[] | .name]' '["RING_BUFFER_TAIL"]'
for address in 0x 0x20g0 0x2030K 0x2030_ 0x_2030 0x2030h; do
	refused 2 'gpu-regdump: *' gpu-regdump -p skl --list "$address"
done

title 'counts'
for number in 0x 2x '' abc -1 1.5; do
	refused 2 'gpu-regdump: *count*' gpu-regdump -p skl --from "bar:$work/part" \
		--watch 0.01 --count "$number" 0x30
done
for number in '' x 1x -1 0x; do
	refused 2 'gpu-regdump: *watch*' gpu-regdump -p skl --from "bar:$work/part" \
		--watch "$number" --count 1 0x30
done
finish
