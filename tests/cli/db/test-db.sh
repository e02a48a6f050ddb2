#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-db: the definitions, browsed, explained, counted, exported and checked.
. "$(dirname "$0")/../lib.sh"
needs gpu-db jq

title 'list'
run gpu-db list -p skl 'RING_BUFFER_*'
expect_status 0
expect_err_empty
for name in TAIL HEAD START CONTROL; do
	expect_out_has "RING_BUFFER_$name"
done
expect_out_lacks 'FENCE'
run gpu-db list -p skl --json 'RING_BUFFER_*'
expect_status 0
expect_json '.platform' '"skl"'
expect_json '.schema | test("^gpuscope\\.[a-z]+/1$")' true
run gpu-db list -p skl ring_buffer_tail
expect_status 0
expect_out_has 'RING_BUFFER_TAIL'
run gpu-db list -p skl
expect_status 0
[ "$(wc -l <"$out")" -gt 300 ] || fail "only $(wc -l <"$out") lines"

title 'show'
run gpu-db show -p skl RING_BUFFER_CONTROL
expect_status 0
expect_out_has 'RING_BUFFER_CONTROL'
expect_out_has '0x0*203c'
expect_out_has 'BUFFER_LENGTH'
expect_out_has '20:12'
expect_out_has 'RING_CTL'
run gpu-db show -p skl --json RING_BUFFER_CONTROL
expect_status 0
expect_json '.platform' '"skl"'

run gpu-db show -p skl --json ROW_CHICKEN
expect_json '.definitions[] | [.multicast, .steering]' '[true,"MCR_SELECTOR"]'
run gpu-db show -p mtl --json MCR_SELECTOR
expect_json '.definitions[] | [.multicast, .steering]' '[false,null]'
# By a range of addresses, which is the platform's.
for platform in tgl:false,null dg2:true,\"MCR_SELECTOR\" skl:true,\"MCR_SELECTOR\"; do
	run gpu-db -p ${platform%%:*} show --json COMMON_SLICE_CHICKEN1
	expect_json '.definitions[] | [.multicast, .steering]' "[${platform#*:}]"
done

title 'registers that drivers write, from their tables'
while read -r platforms name offset multicast field hi lo; do
	for platform in $(echo "$platforms" | tr , ' '); do
		run gpu-regdump -p "$platform" --list --json "$name"
		expect_status 0
		expect_json '.registers[0].offset' "\"$offset\""
		expect_json "[.registers[0].fields[] | select(.name == \"$field\") | [.hi, .lo]]" \
			"[[$hi,$lo]]"
		run gpu-db -p "$platform" show --json "$name"
		expect_json '.definitions[0].multicast' "$multicast"
	done
done <<'END'
lnl,ptl,nvls,nvlp,cri MEDIA_GT_CCCHKNREG1 0x3882a8 false L3CMPCTRL 23 23
lnl,ptl,nvls,nvlp,cri MEDIA_GT_L3SQCREG2 0x38b604 true COMPMEMRD256BOVRFETCHEN 20 20
lnl,ptl,nvls,nvlp,cri MEDIA_GT_L3SQCREG3 0x38b608 true COMPPWOVERFETCHEN 28 28
nvlp,cri CCCHKNREG1 0x8828 true ENCOMPPERFFIX 18 18
nvlp,cri L3SQCREG2 0xb104 true COMPMEMRD256BOVRFETCHEN 20 20
nvlp,cri CHICKEN_RASTER_2 0x6208 true TBIMR_FAST_CLIP 5 5
tgl COMMON_SLICE_CHICKEN4 0x7300 false HARDWARE_FILTERING_IN_WM 5 5
dg2,nvlp,cri COMMON_SLICE_CHICKEN4 0x7300 true HARDWARE_FILTERING_IN_WM 5 5
cri ROW_CHICKEN3 0xe49c true DIS_EU_GRF_POISON_TO_LSC 13 13
nvlp,cri TDL_TSL_CHICKEN2 0xe4cc true TILEY_LOCALID 2 2
nvlp TDL_CHICKEN 0xe5f4 true BIT_APQ_OPT_DIS 14 14
cri TRTTE 0x4580 true TRTT_ENABLE 0 0
cri LMEM_CFG 0x48b0 true LMEM_EN 31 31
cri GFX_MSTR_IRQ 0x190010 false SYSCTRL_IRQ 11 11
cri SYSCTRL_MB_CTRL 0x35b010 false RUN_BUSY 31 31
cri SYSCTRL_MB_CTRL 0x35b010 false FRAME_CURRENT 21 16
nvlp,cri ccs3.QUEUE_TIMESTAMP 0x264c0 false QUEUE_TIMESTAMP 63 0
lnl,cri ccs0.CS_CHICKEN1 0x1a580 false PREEMPT_GPGPU_LEVEL 2 1
nvlp,cri ccs0.CSMQDEBUG 0x1a2b0 false CURRENT_ACTIVE_QUEUE_ID 7 0
tgl VE1_AUX_INV 0x42b8 false AUX_INV 0 0
mtl VE1_AUX_INV 0x3842b8 false AUX_INV 0 0
pnv CSHRDDR3CTL 0x101a8 false DDR3 2 2
g33,pnv SCPD0 0x209c false CSTATE_RENDER_CLOCK_GATE_DISABLE 5 5
g33,crl DSPBCNTR 0x71180 false SPRITE_ABOVE_OVERLAY 0 0
g33,crl DSPCCNTR 0x72180 false SPRITE_ABOVE_OVERLAY 0 0
tgl DSI_TRANS_FUNC_CONF_1 0x6b830 false LP_CLK_DURING_LPM 7 7
ivb ROW_CHICKEN2_GT2 0xf4f4 false DOP_CLOCK_GATING_DISABLE 0 0
snb,hsw RPSTAT1 0xa01c false PREVIOUS_GT_FREQUENCY 6 0
skl,icl RPSTAT0 0xa01c false PREVIOUS_GT_FREQUENCY 8 0
dg2,lnl,nvlp HIZ_CHICKEN 0x7018 true HZ_DEPTH_TEST_LE_GE_OPT_DISABLE 13 13
mtl,lnl,nvlp HALF_SLICE_CHICKEN7 0xe194 true TEXEL_OFFSET_PRECISION_FIX 1 1
dg2,lnl,nvlp SLICE_COMMON_ECO_CHICKEN1 0x731c true STATE_CACHE_REDIRECT_TO_CS 11 11
dg2,lnl,nvlp COMMON_SLICE_CHICKEN3 0x7304 true PS_THREAD_PANIC_DISPATCH 7 6
ptl,nvlp COMMON_SLICE_CHICKEN1 0x7010 true HIZ_PLANE_OPTIMIZATION_DISABLE 9 9
lnl,nvlp FF_MODE2 0x6604 true GS_TIMER 31 24
lnl,nvlp CACHE_MODE_0 0x7000 true LATE_Z_ALLOC_DISABLE 4 4
END

title 'which variant, and why'
run gpu-db which -p snb RING_BUFFER_CONTROL
expect_status 0
expect_out_has 'RING_BUFFER_CONTROL'
run gpu-db which -p skl GFX_MODE
expect_status 0
run gpu-db which -p skl --json RING_BUFFER_CONTROL
expect_status 0

title 'commands that not every batch may have'
run gpu-db show -p snb MI_UPDATE_GTT
expect_out_has '  privileged  for rings and privileged batches only'
run gpu-db show -p snb MI_UPDATE_GTT MI_PROBE --json
expect_json '[.definitions[].privileged]' '[true,false]'

title 'an address'
run gpu-db which -p skl 0x4094
expect_out_has '^        RING_FAULT_REG, '
run gpu-db show -p skl 0x22034
expect_out_has '^RING_BUFFER_HEAD  '
refused 3 'gpu-db: 0x4099: no register at this address on skl; to see whose it is: gpu-db -p skl which 0x4099' \
	gpu-db show -p skl 0x4099
refused 2 'gpu-db: 0x4094: an address needs a platform: give -p (try --help)' gpu-db show 0x4094

title 'whose an address is: the narrowest range, the coarser ones, the neighbours'
run gpu-db which -p snb 0x12500
expect_status 0
expect_err_empty
expect_out '0x12500 on snb
  in    0x012400-0x012fff media fixed functions: media units (VIN) (snb-p1,
        6.1.1 Memory and I/O Space Registers)
        0x00a190-0x03ffff GT, forcewake gt (i915, intel_uncore.c
        __gen6_fw_ranges)
  prev  0x012428 vcs0.MFC_AVC_CABAC_BIN_COUNT_FRAME
  next  0x012518 vcs0.PP_DIR_BASE_READ'
run gpu-db which -p snb --json 0x12500 0x12518
expect_json '.definitions[] | [.asked, .kind, .offset, .name, .owner, .below, .above]' \
	'["0x12500","address","0x12500",null,"media fixed functions: media units (VIN)","vcs0.MFC_AVC_CABAC_BIN_COUNT_FRAME","vcs0.PP_DIR_BASE_READ"]
["0x12518","register",null,"PP_DIR_BASE_READ",null,null,null]
["0x12518","address","0x12518","vcs0.PP_DIR_BASE_READ","media fixed functions: media units (VIN)","vcs0.MFC_AVC_CABAC_BIN_COUNT_FRAME","vcs0.HWS_PGA"]'
expect_json '.definitions[0].ranges[] | [.start, .last, .kind, .text, .wake]' \
	'["0x12400","0x12fff","owner","media fixed functions: media units (VIN)",null]
["0xa190","0x3ffff","sleeps","GT","gt"]'

title 'holes, and which copy a read returns'
run gpu-db which -p skl 0x170010
expect_status 0
expect_out_has '0x170000-0x17ffff null: software may use it as the null range$'
run gpu-db which -p snb 0x8810
expect_out_has '0x008800-0x0088ff hang: reserved; '
run gpu-db which -p skl 0x140010
expect_out_has '0x140000-0x147fff alias: of the MCHBAR registers'
run gpu-db which -p tgl 0xb110 0x8170
expect_out_has '0x00b100-0x00b3ff L3 banks, replicated, selected by MCR_SELECTOR [(]i915,'
expect_out_has '0x008160-0x00817f reserved [(]i915, '
run gpu-db which -p skl 0x130000
expect_status 3
expect_out_has '^  in    no documented range'
expect_err_line 'gpu-db: 0x130000: no documented owner on skl'

title 'the ranges of a platform, and of all'
run gpu-db list --ranges -p snb owner '*MCHBAR*'
expect_out_has '^0x012400-0x012fff  owner  *media fixed functions: media units [(]VIN[)]$'
expect_out_has '^0x140000-0x17ffff  alias  *MCHBAR aperture: '
run gpu-db list --ranges -p skl --json
expect_json '.ranges[] | select(.text == "engine, with its command streamer") | [.start, .engine]' \
	'["0x2000",["rcs0"]]
["0x12000",["vcs0"]]
["0x1a000",["vecs0"]]
["0x1c000",["vcs1"]]
["0x22000",["bcs0"]]'
expect_json '[.ranges[].start | ltrimstr("0x") | length] | . == sort' true
run gpu-db list --ranges engine*
expect_out_has '^[+]0x0-0xfff  owner  ivb[+] *engine, with its command streamer$'
run gpu-db list --ranges --json
expect_json '[.ranges[] | select(.origin == null or .platforms == "")]' '[]'

title 'the domains of each address'
run gpu-db show -p skl RING_BUFFER_TAIL
expect_out_has '0x002030 rcs0, forcewake render'
expect_out_has '0x01c030 vcs1, forcewake media'
expect_out_has '0x022030 bcs0, forcewake gt'
run gpu-db show -p skl UCGCTL1
expect_out_has '0x009400, forcewake render,media'
run gpu-db show -p ilk RING_BUFFER_TAIL
expect_out_lacks forcewake
run gpu-db show -p snb FENCE
expect_out_lacks forcewake
run gpu-db show -p bmg --json FLAT_CCS_BASE_RANGE_LOWER
expect_json '.definitions[0].registers[0].wake' '"gt"'
run gpu-db show -p skl --json FENCE
expect_json '.definitions[0].registers[0].wake' null

title 'stats'
run gpu-db stats
expect_status 0
for platform in brw snb skl icl tgl ptl; do
	expect_out_has "$platform"
done
run gpu-db stats --json
expect_status 0
expect_json 'has("schema") and has("platform") and has("device") and has("source")' true

title 'unknown names'
for command in list show which; do
	refused 3 'gpu-db: RING_BUFER_TAIL: *RING_BUFFER_TAIL*' gpu-db $command -p skl RING_BUFER_TAIL
done
refused 3 'gpu-db: nonsense: *' gpu-db list -p nonsense
refused 3 'gpu-db: 0xffff: *' gpu-db list -p 0xffff

title 'export'
for platform in snb skl icl; do
	run gpu-db export -p $platform --json
	expect_status 0
	expect_err_empty
	cp "$out" "$work/export.json"
	expect_json .platform "\"$platform\""
	expect_json '[.registers[] | ["access","aliases","engine","fields","name","offset","origin","size"] -
		keys] | unique' '[[]]'
	expect_json '[.registers[].fields[] | ["hi","lo","name"] - keys] | unique' '[[]]'
	expect_json '[.commands[] | ["engine","fields","length","mask","name","origin","value"] - keys] |
		unique | . == [] or . == [[]]' true
	expect_json '[.commands[].fields[] | ["dword","hi","lo","name"] - keys] | unique |
		. == [] or . == [[]]' true
	expect_json '[.commands[].length | select(test("^([0-9]+|dw0\\[[0-9]+:[0-9]+\\]\\+[0-9]+)$") | not)]' '[]'
	expect_json '[.commands[].engine | type] | unique | . == [] or . == ["array"]' true
	expect_json '[.structures[] | ["fields","name","origin","size"] - keys] | unique |
		. == [] or . == [[]]' true
	expect_json '[.registers[], .commands[], .structures[] | select(.origin == null or .origin == "")] |
		length' 0
	expect_json '[.registers[] | select(.name == "FENCE[3]") | [.offset, .size]]' '[["0x100018",8]]'
	expect_json '[.registers[] | select(.name == "RING_BUFFER_TAIL" and .engine == "rcs0") | .offset]' \
		'["0x2030"]'
	title "export has what gpu-regdump lists: $platform"
	jq -r '.registers[] | "\(.engine) \(.name) \(.offset) \(.size) \(.origin)"' "$work/export.json" |
		sort >"$work/exported"
	run gpu-regdump -p $platform --list --json
	jq -r '.registers[] | "\(.engine) \(.name) \(.offset) \(.size) \(.origin)"' "$out" | sort >"$work/listed"
	cmp -s "$work/exported" "$work/listed" ||
		fail "$(diff "$work/listed" "$work/exported" | head -n 4 | tr '\n' ' ')"
	title 'export'
done
run gpu-db export -p skl --ndjson
expect_status 0

title 'check of the built-in definitions'
run gpu-db check
expect_status 0
expect_err_empty

title 'check of a good file'
run gpu-db check "$data/scratch.def"
expect_status 0
expect_err_empty
run gpu-db check --json "$data/scratch.def"
expect_status 0
expect_json '.findings' '[]'

title 'check of a broken file: all of it, where it is'
run gpu-db check "$data/broken.def"
expect_status 1
for line in 7 8 11 12 13; do
	expect_out_has "broken\\.def:$line:[0-9]+"
done
expect_out_has 'expected'
expect_out_lacks 'broken\.def:6:'
run gpu-db check --json "$data/broken.def"
expect_status 1
expect_json '[.findings[] | ["origin","rule","text","where"] - keys] | unique' '[[]]'
expect_json '[.findings[] | .where | capture("broken\\.def:(?<l>[0-9]+)").l | tonumber] | unique |
	[7,8,11,12,13] - .' '[]'
run gpu-db check "$data/scratch.def" "$data/broken.def"
expect_status 1

title 'what check is for'
checks() {
	rule=$1
	{
		printf 'format 1\ngroup t "Test" on=skl\n'
		cat
	} >"$work/rule.def"
	run gpu-db check "$work/rule.def"
	title "check: $rule"
	expect_status 1
}
checks 'a definition without an origin' <<'END'
	reg NO_ORIGIN @0x4f200 rw
END
checks 'fields that overlap' <<'END'
	origin snb-p3 "made up"
	reg OVERLAP @0x4f200 rw
		field A 7:4
		field B 5:0
END
checks 'a field past the end of its register' <<'END'
	origin snb-p3 "made up"
	reg NARROW @0x4f200 rw
		field BITS 40:3
END
checks 'a field after the longest length of its command' <<'END'
	origin snb-p3 "made up"
	command TOO_SHORT engine=rcs
		match 31:29=3 28:16=0x1fff
		length 7:0 +2
		expect 2..3
		field LAST dw2.31:0
		field AFTER dw3.31:0
END
expect_out_has 'TOO_SHORT:AFTER is in dword 3,'
expect_out_lacks 'TOO_SHORT:LAST'
checks 'two registers at one address' <<'END'
	origin snb-p3 "made up"
	reg FIRST @0x4f200 rw
	reg SECOND @0x4f200 rw
END
checks 'an enum wider than its field' <<'END'
	origin snb-p3 "made up"
	reg WIDE @0x4f200 rw
		field A 1:0
			7 seven
END
checks 'a document that nobody knows' <<'END'
	origin nosuchdocument "made up"
	reg UNKNOWN_DOCUMENT @0x4f200 rw
END
checks 'an address that is not a multiple of its size' <<'END'
	origin snb-p3 "made up"
	reg UNALIGNED @0x4f201 rw
END
checks 'one name twice on one platform' <<'END'
	origin snb-p3 "made up"
	reg TWICE @0x4f200 rw
	reg TWICE @0x4f204 rw
END

title 'no file'
run gpu-db check "$work/nonexistent.def"
expect_status 1
expect_err_line 'gpu-db: *nonexistent.def: *'
run gpu-db check "$work"
expect_status 1

title 'definitions of the user are browsed too'
run gpu-db list -p skl --define "$data/scratch.def" SCRATCH_TEST
expect_status 0
expect_out_has SCRATCH_TEST
run gpu-db show -p skl --define "$data/scratch.def" --json SCRATCH_TEST
expect_status 0
refused 1 "gpu-db: $data/broken.def:7:*: *, expected *(* more: gpu-db check $data/broken.def)" \
	gpu-db list -p skl --define "$data/broken.def"

title 'no GPU is opened, and none is needed where all platforms are meant'
run gpu-db stats
expect_status 0
run gpu-db check "$data/scratch.def"
expect_status 0

title 'the platform of a source'
run gpu-db list --from demo:snb-hang --json RING_BUFFER_TAIL
expect_status 0
expect_json .platform '"snb"'

title 'a closed pipe, a full disk'
command_line='gpu-db list | head -n 1'
{
	gpu-db list -p skl 2>"$err"
	echo $? >"$work/status"
} | head -n 1 >"$out"
same status "$(cat "$work/status")" 0
expect_err_empty
run sh -c 'gpu-db export -p skl --json >/dev/full'
expect_status 1

title 'what is no item'
run gpu-db search -p skl blitter tlb
expect_out_has '^BLT_TLB  cache$'
run gpu-db search -p snb --json 'media fixed'
expect_json '[.statements[] | select(.kind == "range") | .name] | length > 0' true
run gpu-db show -p tgl OA_TLB
expect_status 3
expect_err_line 'gpu-db: OA_TLB: a cache; try: gpu-db list --tlbs OA_TLB'

title 'several origins of one item'
printf 'format 1\norigin i915 "a"\nreg TWO_ORIGINS @0x10 rw on=skl\n\torigin i915 "b"\n\torigin xe "c"\n' >"$work/two.def"
run gpu-db show --define "$work/two.def" TWO_ORIGINS --json
expect_json '.definitions[0].origin[-8:]' '"b; xe: c"'

finish
