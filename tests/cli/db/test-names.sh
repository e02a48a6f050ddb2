#!/bin/sh
# SPDX-License-Identifier: MIT
# Names of platforms, engines and registers: all that are promised, in any case, and unknown ones.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

title 'every platform is known by its name'
for platform in g33 pnv brw crl elk ctg ilk snb ivb vlv hsw bdw chv skl bxt kbl glk cfl cml cnl icl ehl jsl \
	tgl rkl adls adlp adln rpls rplp dg1 xehpsdv dg2 mtl arl lnl bmg ptl; do
	run gpu-regdump --ndjson -p $platform --list rcs0.RING_BUFFER_TAIL
	expect_status 0
	case $(head -n 1 "$out") in
	*"\"platform\":\"$platform\""*) ;;
	*) fail "the platform is not $platform: $(head -n 1 "$out")" ;;
	esac
	same 'lines' "$(wc -l <"$out")" 2
done

title 'other names in use'
for pair in g4x:elk g45:elk gm45:ctg i965gm:crl 965gm:crl byt:vlv apl:bxt DevSNB:snb devsnb:snb \
	DevIVB:ivb skylake:skl Skylake:skl SKL:skl sandybridge:snb baytrail:vlv DevSKL:skl; do
	run gpu-regdump --json -p "${pair%:*}" --list rcs0.RING_BUFFER_TAIL
	expect_status 0
	case $pair in
	g4x*) expect_json '.platform | test("elk|ctg")' true ;;
	*) expect_json .platform "\"${pair#*:}\"" ;;
	esac
	expect_json .device null
done

title 'a PCI device id'
run gpu-regdump --json -p 0x1912 --list rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.platform, .device]' '["skl","0x1912"]'
run gpu-regdump --json -p 0x8A52 --list rcs0.RING_BUFFER_TAIL
expect_json '[.platform, .device]' '["icl","0x8a52"]'
run gpu-regdump --json -p 0x0126 --list rcs0.RING_BUFFER_TAIL
expect_json .platform '"snb"'
run gpu-regdump --json -p 6418 --list rcs0.RING_BUFFER_TAIL
expect_json '[.platform, .device]' '["skl","0x1912"]'

title 'unknown platforms and ids'
refused 3 'gpu-regdump: skk: *skl*' gpu-regdump -p skk --list RING_BUFFER_TAIL
refused 3 'gpu-regdump: 0xffff: *' gpu-regdump -p 0xffff --list RING_BUFFER_TAIL
refused 3 'gpu-regdump: 0x11912: *' gpu-regdump -p 0x11912 --list RING_BUFFER_TAIL
refused 3 'gpu-regdump: nonsense: *' gpu-regdump -p nonsense --list RING_BUFFER_TAIL
refused 3 'gpu-regdump: nonsense: *' gpu-regdump -p nonsense --from none RING_BUFFER_TAIL

offset_of() {
	run gpu-regdump --json -p "$1" --list "$2"
	expect_status 0
	expect_json '[.registers[] | [.engine, .offset]]' "$3"
}

title 'engines: instance, class and other names'
offset_of skl rcs0.RING_BUFFER_TAIL '[["rcs0","0x2030"]]'
offset_of skl bcs0.RING_BUFFER_TAIL '[["bcs0","0x22030"]]'
offset_of skl vcs0.RING_BUFFER_TAIL '[["vcs0","0x12030"]]'
offset_of skl vecs0.RING_BUFFER_TAIL '[["vecs0","0x1a030"]]'
offset_of skl render.RING_BUFFER_TAIL '[["rcs0","0x2030"]]'
offset_of skl blt.RING_BUFFER_TAIL '[["bcs0","0x22030"]]'
offset_of snb bsd.RING_BUFFER_TAIL '[["vcs0","0x12030"]]'
offset_of skl vebox.RING_BUFFER_TAIL '[["vecs0","0x1a030"]]'
offset_of skl RCS0.RING_BUFFER_TAIL '[["rcs0","0x2030"]]'
offset_of skl Render.Ring_Buffer_Tail '[["rcs0","0x2030"]]'
offset_of bdw vcs1.RING_BUFFER_TAIL '[["vcs1","0x1c030"]]'
offset_of bdw vcs.RING_BUFFER_TAIL '[["vcs0","0x12030"],["vcs1","0x1c030"]]'
offset_of bdw bsd.RING_BUFFER_TAIL '[["vcs0","0x12030"],["vcs1","0x1c030"]]'
offset_of icl vcs0.RING_BUFFER_TAIL '[["vcs0","0x1c0030"]]'
offset_of snb rcs0.RING_BUFFER_TAIL '[["rcs0","0x2030"]]'
run gpu-regdump --json -p dg2 --list ccs.RING_BUFFER_TAIL
expect_json '[.registers[] | .engine]' '["ccs0","ccs1","ccs2","ccs3"]'
refused 3 'gpu-regdump: vecs0.RING_BUFFER_TAIL: *' gpu-regdump -p snb --list vecs0.RING_BUFFER_TAIL

title 'a name that means the register of one engine'
offset_of skl 'BLT_MOCS[0]' '[["bcs0","0xcc00"]]'
offset_of skl 'MFX1_MOCS[0]' '[["vcs1","0xca00"]]'
offset_of tgl BLT_TRTT_CR '[["bcs0","0x4480"]]'
offset_of dg2 COMP_CTX0_TRTT_CR '[["ccs0","0x4580"]]'

title 'names of the driver world are aliases, in any case'
offset_of skl rcs0.RING_TAIL '[["rcs0","0x2030"]]'
offset_of skl rcs0.ring_tail '[["rcs0","0x2030"]]'
offset_of skl rcs0.ring_buffer_tail '[["rcs0","0x2030"]]'
run gpu-regdump --json -p skl --list rcs0.RING_TAIL
expect_json '.registers[0].name' '"RING_BUFFER_TAIL"'
expect_json '.registers[0].aliases | index("RING_TAIL") != null' true
offset_of skl 'fence_reg[3]' '[[null,"0x100018"]]'

title 'the nearest names of a wrong one'
refused 3 'gpu-regdump: RING_BUFER_TAIL: *RING_BUFFER_TAIL*' \
	gpu-regdump -p skl --list RING_BUFER_TAIL
refused 3 'gpu-regdump: ring_buffer_tial: *RING_BUFFER_TAIL*' \
	gpu-regdump -p skl --from none ring_buffer_tial
refused 3 'gpu-regdump: rcs0.RING_BUFFER_STRAT: *RING_BUFFER_START*' \
	gpu-regdump -p skl --list rcs0.RING_BUFFER_STRAT
refused 3 'gpu-regdump: RING_BUFER_TAIL*: *RING_BUFFER_TAIL*' \
	gpu-regdump -p skl --decode RING_BUFER_TAIL=1
long=$(printf '%0100d' 0 | tr 0 x)
refused 3 'gpu-regdump: xxxx*: *' gpu-regdump -p skl --list "$long"
run gpu-regdump -p skl --list "$long$long$long$long$long$long$long"
expect_status 2 3
expect_out_empty

title 'a name of another platform is told as such'
refused 3 'gpu-regdump: RING_PP_DIR_BASE: *' gpu-regdump -p icl --list RING_PP_DIR_BASE

title 'no platform'
if ! cat /sys/bus/pci/devices/*/class 2>/dev/null | grep -q '^0x03'; then
	refused 2 'gpu-regdump: *platform*(try --help)' gpu-regdump --list RING_BUFFER_TAIL
	refused 2 'gpu-regdump: *platform*(try --help)' gpu-regdump --decode RING_BUFFER_TAIL=1
fi
refused 2 'gpu-regdump: *platform*(try --help)' gpu-regdump --from none --list RING_BUFFER_TAIL
refused 2 'gpu-regdump: *platform*(try --help)' gpu-regdump --from none RING_BUFFER_TAIL

title 'the order of options and operands is free'
run gpu-regdump rcs0.RING_BUFFER_TAIL --list -p skl -q
expect_status 0
run gpu-regdump --list --platform=skl -- rcs0.RING_BUFFER_TAIL
expect_status 0
run gpu-regdump --list -pskl rcs0.RING_BUFFER_TAIL
expect_status 0
finish
