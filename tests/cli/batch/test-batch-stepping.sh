#!/bin/sh
# SPDX-License-Identifier: MIT
# Commands that a stepping lays out in another way: the PCI revision of a dump decides.
. "$(dirname "$0")/../lib.sh"
needs gpu-batch jq awk

# state REVISION HEADER:DWORDS...: an error state of a Haswell; dword N of a command is 1MB + N pages
state() {
	printf 'GPU HANG: ecode 7:1:0x70020000, in player [77]\nTime: 5 s 1 us\nKernel: 4.4.0\n'
	printf 'PCI ID: 0x0416\n'
	[ "$1" = none ] || echo "PCI Revision: $1"
	shift
	printf 'bsd command stream:\n  START: 0x00005000\n  HEAD:  0x00000040\n  TAIL:  0x00000080\n'
	printf 'bsd ring (submitted by player [77]) --- gtt_offset = 0x00020000\n'
	for command; do
		echo "${command%:*} ${command#*:}"
	done | awk '{
			printf "%08x :  %s\n", at, $1
			for (i = 1; i < $2; i++)
				printf "%08x :  %08x\n", at + i * 4, 1048576 + i * 4096
			at += $2 * 4
		}
		END { printf "%08x :  05000000\n", at }'
}

early='70020017:25 70030009:11 70040002:4 71020043:69 72020001:3'
late='7002003b:61 70030018:26 70040008:10 71020045:71 72020005:7'
# shellcheck disable=SC2016
lengths='[.buffers[0].commands[] | select(.name != "MI_BATCH_BUFFER_END") | .length, .status]'
fields='.buffers[0].commands[].fields[]
	| select(.name | test("^(POST_DEB.*|.*_BSE_OBJECT|MPR_.*|DIRECT_MV.*READ.*|.*WRITE)_ADDRESS(_0)?$|^MB_STATUS.*ADDRESS$"))
	| [.name, .dword, .value]'
early_fields='["POST_DEBLOCKING_DESTINATION_ADDRESS",2,"0x4080"]
["MB_STATUS_BUFFER_ADDRESS",23,"0x45c0"]
["MFC_INDIRECT_PAK_BSE_OBJECT_ADDRESS",9,"0x109"]
["MPR_ROW_STORE_SCRATCH_BUFFER_ADDRESS",2,"0x4080"]
["DIRECT_MV_BUFFER_WRITE_ADDRESS_0",33,"0x4840"]
["DIRECT_MV_READ_BUFFER_ADDRESS",2,"0x4080"]'
late_fields='["POST_DEBLOCKING_DESTINATION_ADDRESS",4,"0x4100"]
["MB_STATUS_BUFFER_ADDRESS",52,"0x4d00"]
["MFC_INDIRECT_PAK_BSE_OBJECT_ADDRESS",21,"0x115"]
["MPR_ROW_STORE_SCRATCH_BUFFER_ADDRESS",4,"0x4100"]
["DIRECT_MV_BUFFER_WRITE_ADDRESS",34,"0x12300000122000"]
["DIRECT_MV_READ_BUFFER_ADDRESS",4,"0x4100"]'

title 'Haswell before B0 has the layouts of Ivy Bridge'
for revision in 0x00 0x01; do
	# shellcheck disable=SC2086
	state $revision $early >"$work/state"
	run gpu-batch --json "$work/state"
	expect_status 0
	expect_json "$lengths" '[25,"ok",11,"ok",4,"ok",69,"ok",3,"ok"]'
	expect_json "$fields" "$early_fields"
	# shellcheck disable=SC2086
	state $revision $late >"$work/state"
	run gpu-batch --json "$work/state"
	expect_status 6
	expect_json "$lengths" \
		'[61,"bad-length",26,"bad-length",10,"bad-length",71,"bad-length",7,"bad-length"]'
done

title 'from B0 on, or where the revision is not known, the later ones'
for revision in 0x02 0x06 none; do
	# shellcheck disable=SC2086
	state $revision $late >"$work/state"
	run gpu-batch --json "$work/state"
	expect_status 0
	expect_json "$lengths" '[61,"ok",26,"ok",10,"ok",71,"ok",7,"ok"]'
	expect_json "$fields" "$late_fields"
done

title 'a length of the early ones is not called bad where the revision is not known'
# shellcheck disable=SC2086
state none $early >"$work/state"
run gpu-batch --json "$work/state"
expect_status 0
expect_json "$lengths" '[25,"ok",11,"ok",4,"ok",69,"ok",3,"ok"]'

title 'fields between and after those that repeat'
# shellcheck disable=SC2086
state 0x06 $late >"$work/state"
run gpu-batch "$work/state"
expect_status 0
grep -c '^0x' "$out" >"$work/count"
same 'lines of dwords' "$(cat "$work/count")" 176
expect_out_has '^ +63:0   DIRECT_MV_BUFFER_WRITE_ADDRESS '
expect_out_has '^ +31:6   MB_STATUS_BUFFER_ADDRESS '
grep '^0x' "$out" | sort -c || fail 'dwords are not in their order'

title 'gpu-db: a definition of other revisions is not shown'
run gpu-db -q show -p hsw:a0 MFX_PIPE_BUF_ADDR_STATE
expect_out_has '^  documented  25 on hsw revisions 0x00 to 0x01$'
run gpu-db -q show -p hsw MFX_PIPE_BUF_ADDR_STATE
expect_out_has '^  documented  25 to 61 on hsw from revision 0x02$'
expect_out_lacks '^  documented  25 on hsw'
run gpu-db show --json DPLL4_CFGCR0
expect_json '.definitions[0].fields[] | select(.name == "DCO_FRACTION") | .revisions' \
	'{"platforms":["ehl"],"first":0,"last":0}
{"platforms":["ehl"],"first":1,"last":255}'
expect_json '[.definitions[0].places[].revisions]' '[null,null]'
finish
