#!/bin/sh
# SPDX-License-Identifier: MIT
# --check-workarounds: of registers that have all of them nothing is missing; one flipped bit is one
# that is missing, or different. gpu-fault shows that, too, if it knows the driver.
. "$(dirname "$0")/../lib.sh"
needs gpu-db gpu-fault gpu-regdump gpu-report gpu-snap jq

# complete PLATFORM: a dump with what its workarounds write, and an empty slot for each engine
complete() {
	echo "# gpu-regdump 1.0 platform $1"
	gpu-regdump -p "$1" -s none --check-workarounds --json >"$work/wanted" 2>"$work/noise"
	jq -r '.workarounds[] | select(.when != "whitelist") | [.offset, .mask, .expected] | @tsv' \
		"$work/wanted" | sort >"$work/writes"
	at=
	value=0
	while read -r offset mask expected; do
		[ -z "$at" ] || [ "$offset" = "$at" ] || printf '%s  0x%08x\n' "$at" $value
		[ "$offset" = "$at" ] || value=0
		at=$offset
		value=$(((value & ~mask) | expected))
	done <"$work/writes"
	[ -z "$at" ] || printf '%s  0x%08x\n' "$at" $value
	for engine in $(jq -r '[.workarounds[] | select(.when == "whitelist") | .engine] | unique[]' \
		"$work/wanted"); do
		slot=$(gpu-regdump -p "$1" --list --json "$engine.RING_FORCE_TO_NONPRIV[0]" |
			jq -r '.registers[0].offset')
		jq -r --arg engine "$engine" '.workarounds[] | select(.when == "whitelist" and
			.engine == $engine) | [.offset, .expected] | @tsv' "$work/wanted" |
			while read -r offset expected; do
				printf '0x%06x  0x%08x\n' $((slot)) $((offset | expected))
				slot=$((slot + 4))
			done
	done
}

title 'all of them'
for platform in ctg snb hsw skl icl tgl dg2 mtl lnl ptl; do
	complete $platform >"$work/$platform"
	run gpu-regdump -s "$work/$platform" --check-workarounds --json
	expect_status 0
	expect_err_empty
	same "what is wrong on $platform" "$(jq -c '[.missing, .different, .maybe, .unchecked, .not_readable,
		.absent, .assumed]' "$out")" '[0,0,0,0,0,0,true]'
	same "how many on $platform" "$(jq '.ok == .count and .count > 5' "$out")" true
done
run gpu-regdump -s "$work/tgl" --check-workarounds
expect_status 0
expect_out_has '^[0-9]* registers of workarounds of i915 in Linux 7.2, which usually drives this platform: [0-9]* ok$'
same lines "$(wc -l <"$out")" 2

title 'one bit flipped'
at=$(gpu-regdump -p tgl --list --json rcs0.ROW_CHICKEN2 | jq -r '.registers[0].offset')
sed "s/^$at  0x00004100/$at  0x00000100/" "$work/tgl" >"$work/flipped"
run gpu-regdump -s "$work/flipped" --check-workarounds
expect_status 6
expect_out_has '^missing     Wa_1606931601 *rcs0.ROW_CHICKEN2 0x100$'
expect_out_has '^            expected 0x4000 = 0x4000: DISABLE_EARLY_READ 1$'
same 'lines with one that is missing' "$(wc -l <"$out")" 4
expect_err_line 'gpu-regdump: --check-workarounds: 1 missing or different'
run gpu-regdump -s "$work/flipped" --check-workarounds --ndjson
expect_status 6
same 'the flipped bit' "$(jq -c 'select(.state == "missing") | [.names[0], .register, .value, .mask, .expected,
	.engine, .place]' "$out")" '["Wa_1606931601","rcs0.ROW_CHICKEN2","0x100","0x4000","0x4000","rcs0","register"]'
# A bit that should be clear, beside one that is right.
at=$(gpu-regdump -p tgl --list --json rcs0.CS_CHICKEN1 | jq -r '.registers[0].offset')
sed "s/^$at  0x00000002/$at  0x00000006/" "$work/tgl" >"$work/flipped"
run gpu-regdump -s "$work/flipped" --check-workarounds -v
expect_status 6
expect_out_has '^different   WaDisableGPGPUMidThreadPreemption *rcs0.CS_CHICKEN1 0x6$'
expect_out_has '^ok          Wa_1606931601'
# A slot with other access bits, and one that no slot has.
at=$(gpu-regdump -p tgl --list --json vecs0.CTX_TIMESTAMP | jq -r '.registers[0].offset')
sed "s/  0x101c83a8$/  0x201c83a8/" "$work/tgl" >"$work/flipped"
run gpu-regdump -s "$work/flipped" --check-workarounds
expect_status 6
expect_out_has "^missing     allow_read_ctx_timestamp *vecs0.CTX_TIMESTAMP in RING_FORCE_TO_NONPRIV of vecs0 0x201c83a8$"
sed "s/  0x101c83a8$/  0x00002000/" "$work/tgl" >"$work/flipped"
run gpu-regdump -s "$work/flipped" --check-workarounds
expect_out_has "^missing     allow_read_ctx_timestamp *vecs0.CTX_TIMESTAMP: in no RING_FORCE_TO_NONPRIV of vecs0$"

title 'gpu-db'
run gpu-db list --workarounds -p tgl
expect_status 0
expect_out_has '^Wa_1606931601 +engine +rcs.ROW_CHICKEN2 +0x4000 = 0x4000 +i915'
expect_out_lacks 'dg2'
expect_out_lacks ' $'
run gpu-db list --workarounds 'Wa_1409804808' --json
expect_json '[.workarounds[] | [.names[0], .when, .register, .mask, .value, .engine[0]]] | unique' \
	'[["Wa_1409804808","engine","ROW_CHICKEN2","0x100","0x100","rcs"]]'
expect_json '[.workarounds[].origin | split(",")[0]] | unique' '["Linux kernel"]'
run gpu-db show Wa_1409347922 -p tgl
expect_out_has '^Wa_1409142259  workaround$'
expect_out_has '^  in +rcs.COMMON_SLICE_CHICKEN3, in each context image$'
expect_out_has '^  bits +0x200 = 0x200: DISABLE_CPS_AWARE_COLOR_PIPE 1$'
expect_out_has '^  origin +xe: .*xe_wa.c lrc_was$'
run gpu-db show allow_read_ctx_timestamp -p tgl
expect_out_has '^  bits +0x70000003 = 0x10000000: DENY no, ACCESS read, RANGE 1 register$'
run gpu-db show -p tgl ROW_CHICKEN2
expect_out_has '^  workaround +Wa_1606931601 of i915 \(engine\): 0x4000 = 0x4000:'
run gpu-db show -p tgl --json ROW_CHICKEN2 Wa_1606931601
expect_json '[.definitions[0].workarounds[].names[0]] | unique' '["Wa_1409804808","Wa_1606931601"]'
expect_json '[.definitions[1:][].kind] | unique' '["workaround"]'
run gpu-db show Wa_14014475959
expect_out_has '^  The GuC is started with the flag HOLD_CCS_SWITCHOUT'
run gpu-db list --workarounds -p dg2 --json Wa_14014475959
expect_json '.workarounds[0] | [.when, .register, .only, .instead[:24]]' \
	'["other",null,null,"The GuC is started with "]'
run gpu-db which -p snb Wa_1606931601
expect_status 3
run gpu-db show Wa_1606931602
expect_status 3
expect_err_line '*did you mean*Wa_1606931601*'
run gpu-regdump -p tgl -v --decode ROW_CHICKEN2=0x4000
expect_out_has '^    workaround Wa_1606931601 of i915 \(engine\) 0x4000 = 0x4000$'
run gpu-regdump -p tgl --json --decode ROW_CHICKEN2=0x4000
expect_json '.registers[0].workarounds[0] | [.name, .driver, .when, .mask, .value]' \
	'["Wa_1606931601","i915","engine","0x4000","0x4000"]'

title 'what cannot be told'
printf '# gpu-regdump 1.0 platform tgl\n0x00a090  0x00000010\n' >"$work/other"
for source in none "$work/other"; do
	run gpu-regdump -p tgl -s "$source" --check-workarounds
	expect_status 3
	expect_out_has '^([0-9]+) registers of workarounds of i915 in Linux 7.2, which usually drives this platform: \1 not in this dump$'
	expect_err_line 'gpu-regdump: * registers: no source holds them'
done
# All is gone, also where all ones are right.
for platform in ptl tgl; do
	sed 's/  0x[0-9a-f]*$/  0xffffffff/' "$work/$platform" >"$work/gone"
	gpu-regdump -p $platform --list --json HWS_PGA |
		jq -r '.registers[].offset + "  0xffffffff"' >>"$work/gone"
	run gpu-regdump -s "$work/gone" --check-workarounds
	expect_status 3
	expect_out_lacks ' ok'
	expect_err_line 'gpu-regdump: * registers: none can be read*'
done
run gpu-regdump -s "$work/gone" --check-workarounds -v
expect_out_has '^unreadable  Wa_1606931601 *rcs0.ROW_CHICKEN2: reads all ones$'
expect_out_has '^unreadable  allow_read_ctx_timestamp *vecs0.CTX_TIMESTAMP in RING_FORCE_TO_NONPRIV of vecs0: reads all ones$'
for platform in cnl xehpsdv; do
	run gpu-regdump -p $platform -s none --check-workarounds
	expect_status 3
	expect_out_empty
	expect_err_line "gpu-regdump: $platform: no workarounds are known"
done
sed "/^$at /d" "$work/tgl" >"$work/unused"
hws=$(gpu-regdump -p tgl --list --json vcs2.HWS_PGA | jq -r '.registers[0].offset')
printf '%s  0x00000000\n0x1d3f10  0x00000000\n' "$hws" >>"$work/unused"
sed -i '0,/^0x1d3f10/{/^0x1d3f10/d}' "$work/unused"
run gpu-regdump -s "$work/unused" --check-workarounds -v
expect_status 0
expect_out_has '^unreadable  Wa_14011060649 *vcs2.VDBOX_CGCTL3F10: no driver uses the engine$'
sed "s/  0x101c83a8$/  0x00002000/; \$a$(gpu-regdump -p tgl --list --json vecs0.HWS_PGA |
	jq -r '.registers[0].offset')  0x00000000" "$work/tgl" >"$work/unused"
run gpu-regdump -s "$work/unused" --check-workarounds -v
expect_out_has '^unreadable  allow_read_ctx_timestamp *vecs0.CTX_TIMESTAMP in RING_FORCE_TO_NONPRIV of vecs0: no driver uses the engine$'
run gpu-regdump -s "$work/tgl" --check-workarounds --list
expect_status 2

title 'a dump that names its driver'
cat >"$work/state" <<'END'
GPU HANG: ecode 12:1:85dffffb
PCI ID: 0x9a49
Kernel: 6.12.0
EIR: 0x00000000
rcs0 command stream:
  CCID:  0x00000000
  START: 0x00001000
  HEAD:  0x00000010
  TAIL:  0x00000020
  CTL:   0x00003001
  PSMI_CTL: 0x00000080
  ACTHD: 0x00000000 00000010
  IPEHR: 0x7a000004
END
run gpu-regdump -s "$work/state" --check-workarounds --json
expect_json '[.driver, .assumed]' '["i915",false]'
run gpu-fault "$work/state"
expect_out_has '^# workarounds$'
expect_out_has '^missing     Wa_1607297627 *rcs0.PSMI_CTL 0x80$'
run gpu-fault --json "$work/state"
expect_json '.workarounds | [.driver, .missing, .different, (.wrong | length), .wrong[0].names[0]]' \
	'["i915",1,0,1,"Wa_1607297627"]'
run gpu-report -q -o "$work/page.html" "$work/state"
grep -q 'Wa_1607297627' "$work/page.html" || fail 'the page does not show it'
sed 's/PSMI_CTL: 0x00000080/PSMI_CTL: 0x00001080/' "$work/state" >"$work/right"
run gpu-fault "$work/right"
expect_out_lacks '# workarounds'
run gpu-fault --json "$work/right"
expect_json '.workarounds' null

title 'the context image'
cat >>"$work/state" <<'END'
rcs0 --- HW Context = 0x00100000
00000000 :  00000000
00000004 :  11000005
00000008 :  00002580
0000000c :  ffff0002
00000010 :  00007300
00000014 :  ffff0000
00000018 :  00007304
0000001c :  ffff0000
00000020 :  05000000
END
run gpu-regdump -s "$work/state" --check-workarounds -v
expect_status 6
expect_out_has '^missing     Wa_1606376872 *rcs0.COMMON_SLICE_CHICKEN4 in the context image of rcs0 0xffff0000$'
expect_out_has '^ok          WaDisableGPGPUMidThreadPreemption *rcs0.CS_CHICKEN1 in the context image of rcs0 0xffff0002$'
expect_out_has '^maybe       Wa_1409142259 *rcs0.COMMON_SLICE_CHICKEN3 in the context image of rcs0 0xffff0000$'
expect_out_has 'only if no program has changed it'
run gpu-regdump -s "$work/state" --check-workarounds --json
expect_json '[.workarounds[] | select(.place == "image") | .engine] | unique' '["rcs0"]'

title 'definitions of the user'
cat >"$work/own.def" <<'END'
format 1
origin i915-uapi "here"
workaround Own_1,Own_2 gt RC_CONTROL mask=0xf0 value=0x30 on=tgl
workaround Own_3 gt RC_CONTROL mask=0xf00 value=0x100 on=tgl "only in the laboratory"
END
printf '0x00a090  0x00000010\n' | cat "$work/tgl" - >"$work/mine"
run gpu-db check "$work/own.def"
expect_out_has '2 workarounds: sound$'
run gpu-regdump --define "$work/own.def" -s "$work/mine" --check-workarounds -v
expect_status 6
expect_out_has '^missing     Own_1 *RC_CONTROL 0x10$'
expect_out_has '^maybe       Own_3 *RC_CONTROL 0x10$'
expect_out_has '^            expected 0xf00 = 0x100; only in the laboratory$'
run gpu-regdump --define "$work/own.def" -s "$work/mine" -v RC_CONTROL
expect_out_has '^    workaround Own_1 of i915-uapi \(gt\) 0xf0 = 0x30$'
sed 's/on=tgl$/on=snb/; s/RC_CONTROL mask=0xf0 /MISCCPCTL mask=0xf0 /' "$work/own.def" >"$work/wrong.def"
run gpu-db check "$work/wrong.def"
expect_status 1
expect_out_has 'Own_1 MISCCPCTL is no register, or no such element or engine.s, on snb$'

title 'lists of the driver'
# listed PLATFORM: what its driver would list, if it were xe
listed() {
	gpu-regdump -p "$1" -s "$work/xe" --check-workarounds --json >"$work/wanted" 2>"$work/noise"
	printf 'GT\n'
	jq -r '.workarounds[] | select(.when == "gt" and .only == null and .names[0] != "Wa_1508761755") |
		"\tREG[" + .offset + "] clr=" + .mask + " set=" + .expected + " masked=no mcr=no"' "$work/wanted"
	for when in engine context whitelist; do
		case $when in engine) echo Engine ;; context) echo LRC ;; *) echo Whitelist ;; esac
		for engine in rcs0 bcs0 vcs0 vcs2 vecs0; do
			echo $engine
			[ $when = whitelist ] || jq -r --arg when $when --arg engine $engine '.workarounds[] |
				select(.when == $when and (.engine // "rcs0") == $engine and .only == null) |
				"\tREG[" + .offset + "] clr=" + .mask + " set=" + .expected + " masked=no mcr=no"' "$work/wanted"
		done
	done
}
printf 'GT Workarounds\n\n' >"$work/xe"
listed tgl >"$work/xe-list"
run gpu-regdump -p tgl -s "$work/tgl" -s "$work/xe-list" --check-workarounds --json
expect_json '[.driver, .assumed, .maybe, .unknown_names, ([.workarounds[] | select(.state == "unlisted" and
	.when != "whitelist" and .only == null)] | length)]' '["xe",false,0,[],0]'
# One that the driver does not have, and one that only it has.
printf 'GT\n\tREG[0xa090] clr=0x00000030 set=0x00000010 masked=no mcr=no\n' >"$work/one"
sed '/0x9550/d' "$work/xe-list" >"$work/changed"
{
	cat "$work/tgl"
	echo '0x00a090  0x00000020'
} >"$work/with"
run gpu-regdump -p tgl -s "$work/with" -s "$work/changed" --check-workarounds
expect_out_has '^not in the driver.s list: .*Wa_14011059788'
run gpu-regdump -p tgl -s "$work/with" -s "$work/one" --check-workarounds
expect_status 6
expect_out_has "^missing     only in the driver's list *RC_CONTROL 0x20$"
expect_out_has '^            expected 0x30 = 0x10'
expect_out_has "^only in the driver.s list: RC_CONTROL$"
# Names alone; a condition is decided by them.
printf 'GT Workarounds\n\t14011060649\n\t99999999999\n\nEngine Workarounds\n\t1606931601\n' >"$work/names"
run gpu-regdump -p tgl -s "$work/tgl" -s "$work/names" --check-workarounds
expect_out_has '^only in the driver.s list: 99999999999$'
expect_out_has '^not in the driver.s list: Wa_14011059788, '
expect_out_lacks 'list:.*(Wa_1606931601|Tuning_)'
# The media GT prints its registers without 380000h. No list of it: nothing is missing in the list.
printf 'Engine\nvcs0\n\tREG[0xb100] clr=0x00000100 set=0x00000100 masked=no mcr=yes\n' >"$work/media"
printf 'Engine\nrcs0\n\tREG[0xb100] clr=0x00000100 set=0x00000100 masked=no mcr=yes\n' >"$work/render"
run gpu-regdump -p mtl -s "$work/media" --check-workarounds --json
expect_json '[.unlisted, (.workarounds[-1] | .offset)]' '[0,"0x38b100"]'
run gpu-regdump -p mtl -s "$work/media" -s "$work/render" --check-workarounds --json
expect_json '[.unlisted > 10, (.workarounds[-1] | .offset)]' '[true,"0xb100"]'
# i915 lists those of contexts; masked registers with their masks.
printf 'rcs0: Workarounds applied: 2\n0x7300: 0x00400040, mask: 0x00000000\n0x2580: 0x00060002, mask: 0x00000000\n' >"$work/i915"
run gpu-regdump -p tgl -s "$work/tgl" -s "$work/i915" --check-workarounds
expect_status 0
expect_out_has '^not in the driver.s list: .*Tuning_Fast_Clear'
expect_out_lacks 'list: .*(Wa_1606376872|Wa_14011059788)'
# A capture keeps them.
gpu-snap save -q -p tgl -s "$work/with" -s "$work/one" -o "$work/kept.tar"
run gpu-regdump -s "$work/kept.tar" --check-workarounds
expect_out_has "^missing     only in the driver's list *RC_CONTROL 0x20$"
# A slot of four registers; the list has the address of the first.
printf 'Engine\nrcs0\nWhitelist\nrcs0\n REG[0x2340-0x234f]: allow read access\n' >"$work/slots"
run gpu-regdump -p tgl -s "$work/tgl" -s "$work/slots" --check-workarounds
expect_out_lacks 'only in the driver'
expect_out_has 'not in the driver.*allow_read_ctx_timestamp'
expect_out_lacks 'list:.*WaAllowPMDepth'
# They are no registers.
run gpu-regdump -p tgl -s "$work/one" RC_CONTROL
expect_status 3
# Nothing but noise, and many lines.
{
	printf 'GT\n'
	seq -f '	REG[0x%g] clr=0x1 set=0x1 masked=no mcr=no' 100000 120000
	printf '\tREG[0xfffffffffffffffff] clr=1 set=1\n\tREG[]\n\tREG[0x1-0x]: allow\nrcs0: Workarounds applied: \n0x1: 2\n'
} >"$work/long"
run timeout 30 gpu-regdump -p tgl -s "$work/long" --check-workarounds
expect_status 3

title 'many of them'
{
	printf 'format 1\norigin i915 "here"\n'
	seq -f 'workaround Many_%.0f context CACHE_MODE_0 mask=1 value=1 engine=rcs on=tgl' 10000
} >"$work/many.def"
run timeout 20 gpu-regdump -p tgl -s none --check-workarounds --define "$work/many.def"
expect_status 3
expect_out_has '^100[0-9]+ registers of workarounds'

title schemas
gpu-db list --workarounds --json >"$work/list.json"
gpu-db show --json ROW_CHICKEN2 Wa_1606931601 >"$work/show.json"
gpu-db which -p tgl --json Wa_1606931601 >"$work/which.json"
gpu-regdump -s "$work/state" --check-workarounds --json >"$work/check.json" 2>/dev/null
gpu-regdump -s "$work/state" --check-workarounds --ndjson >"$work/check.ndjson" 2>/dev/null
gpu-regdump -p tgl --json --decode ROW_CHICKEN2=0x4000 >"$work/decode.json"
gpu-fault --json "$work/state" >"$work/fault.json" 2>/dev/null
expect_schemas

finish
