#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-snap info of files of firmware: GuC, HuC, GSC, DMC, and those of a card's controller.
. "$(dirname "$0")/../lib.sh"
needs gpu-snap gpu-fault jq python3

# made KIND FILE: a file of firmware, of our own bytes
made() {
	python3 "$(dirname "$0")/firmware.py" "$@"
}

title 'a GuC: its versions, and who wants them'
mkdir -p "$work/i915"
made guc "$work/i915/tgl_guc_70.bin"
run gpu-snap info "$work/i915/tgl_guc_70.bin"
expect_status 0
expect_out_has '^# guc 70\.20\.1 of 2024-02-29, interface 1\.9\.0, for Tiger Lake, Rocket Lake, Alder Lake$'
expect_out_has '^# i915 of Linux 6\.7\.\.7\.3 on adls adln rpls wants 70\.12\.1: this is newer$'
expect_out_has '^# xe of Linux 6\.12\.\.6\.15 on .* wants 70\.29\.2: too old, refused$'
expect_out_has '^\+0x00000  CSS_HEADER  512 bytes of microcode, 256 of signature, PC-1\.2\.3$'
expect_out_lacks 'MODULUS|EXPONENT|HEADER_SIZE'

title 'with -v its fields, and as an image'
run gpu-snap info -v "$work/i915/tgl_guc_70.bin"
expect_out_has 'PRIVATE_DATA_SIZE +0x801000 +8392704 bytes$'
run gpu-fault -p tgl --decode firmware "$work/i915/tgl_guc_70.bin"
expect_status 0
expect_out_has 'KEY_SIZE +0x40 +256 bytes$'

title 'the same as JSON'
run gpu-snap info --json "$work/i915/tgl_guc_70.bin"
expect_status 0
cp "$out" "$work/firmware.json"
expect_schemas
same 'document' "$(jq -r '[.firmware, .version, .interface, .date, .items[0].name] | join(" ")' "$out")" \
	'guc 70.20.1 1.9.0 2024-02-29 CSS_HEADER'

title 'packed, from standard input, under another name'
gzip -c "$work/i915/tgl_guc_70.bin" >"$work/tgl_guc_70.bin.gz"
if built_with gzip; then
	run gpu-snap info "$work/tgl_guc_70.bin.gz"
	expect_out_has 'wants 70\.12\.1: this is newer$'
fi
run_in "$work/i915/tgl_guc_70.bin" gpu-snap info -
expect_status 0
expect_out_has '^# guc 70\.20\.1 '
expect_out_lacks ' wants | platform '

title 'versions of two numbers'
made guc9 "$work/skl_guc_ver9_33.bin"
run gpu-snap info "$work/skl_guc_ver9_33.bin"
expect_out_has '^# guc 9\.33 of 2016-09-26, for Skylake$'
made huc1 "$work/bxt_huc_ver01_8_2893.bin"
run gpu-snap info "$work/bxt_huc_ver01_8_2893.bin"
expect_out_has '^# huc 1\.8 of 2018-09-11, for Broxton$'

title 'a HuC in a directory'
made huc "$work/mtl_huc_gsc.bin"
run gpu-snap info "$work/mtl_huc_gsc.bin"
expect_status 0
expect_out_has '^# huc 8\.5\.4 of 2023-08-03, for Meteor Lake, Arrow Lake$'
expect_out_has 'CPD_ENTRY\[0\]  HUCP\.man: 128 bytes at \+0x44$'
expect_out_has '^\+0x000c4  CSS_HEADER'

title 'a GSC: its partitions, its directory once'
made gsc "$work/lnl_gsc_1.bin"
run gpu-snap info "$work/lnl_gsc_1.bin"
expect_status 0
expect_out_has '^# gsc 104\.0\.5\.1429 of 2025-03-09$'
expect_out_has '^# xe of Linux 6\.12\.\.7\.3 on lnl wants 104\.1\.0$'
same 'directories' "$(grep -c CPD_HEADER "$out")" 1

title 'a DMC: programs by part and stepping, and registers by name'
made dmc "$work/tgl_dmc_ver2_12.bin"
run gpu-snap info "$work/tgl_dmc_ver2_12.bin"
expect_status 0
expect_out_has '^# dmc 2\.12 of 2021-06-09$'
expect_out_has ' wants 2\.12: as this$'
expect_out_has 'DMC_ENTRY\[1\]  pipe A, stepping B\*: at \+0x'
expect_out_has 'DMC_HEADER_3  version 1\.2, 64 bytes$'
expect_out_has '^0x08f074  0x00086fc0  DMC_SSP_BASE$'
expect_out_has 'DMC_HEADER_1  version 0\.3, 8 bytes$'

title "a card's controller"
made fpt "$work/fan_control.bin"
run gpu-snap info "$work/fan_control.bin"
expect_status 0
expect_out_has '^# LTES 203\.0\.0\.0 of 2024-09-26$'

title 'cut at any place: no more than there is'
for kind in guc huc gsc dmc fpt; do
	made $kind "$work/whole"
	size=$(wc -c <"$work/whole")
	for cut in 130 160 220 350 500 $((size - 1)); do
		[ "$cut" -lt "$size" ] || continue
		head -c "$cut" "$work/whole" >"$work/cut"
		run gpu-snap info "$work/cut"
		expect_status 0 1 6
	done
done
head -c 600 "$work/i915/tgl_guc_70.bin" >"$work/cut"
run gpu-snap info "$work/cut"
expect_status 6
expect_err_line '*: ends at byte 0x258 of 0x380'

title 'elsewhere it is not taken for a dump'
run gpu-fault "$work/i915/tgl_guc_70.bin"
expect_status 1
expect_err_line '*: firmware: not recognised as a dump; try: gpu-snap info FILE'
printf 'nothing of the kind' >"$work/other"
run gpu-snap info "$work/other"
expect_status 1
expect_err_line '*: not recognised*'
run gpu-fault -p tgl --decode firmware "$work/other"
expect_status 1
expect_err_line 'gpu-fault: firmware: not a file of firmware: *'
finish
