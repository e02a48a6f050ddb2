#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-snap: a capture is saved from any source, is a tar, and holds what the source held.
. "$(dirname "$0")/../lib.sh"
needs gpu-snap gpu-regdump jq tar

same_registers() {
	run gpu-regdump --json "$@"
	values "$out" >"$work/values.of-source"
	run gpu-regdump --json --from "$work/capture"
	values "$out" >"$work/values.of-capture"
	[ -s "$work/values.of-source" ] || fail 'no values at all'
	cmp -s "$work/values.of-source" "$work/values.of-capture" || fail "not the same registers: \
$(diff "$work/values.of-source" "$work/values.of-capture" | head -n 4 | tr '\n' ' ')"
}

title 'from a demo'
for demo in snb-hang skl-hang icl-trtt; do
	run gpu-snap save --from demo:$demo -o "$work/capture"
	expect_status 0
	expect_out_empty
	tar tf "$work/capture" >"$work/members" 2>"$work/tar.err" || fail "tar: $(cat "$work/tar.err")"
	[ -s "$work/tar.err" ] && fail "tar complains: $(cat "$work/tar.err")"
	[ "$(wc -l <"$work/members")" -ge 2 ] || fail 'fewer than two members'
	same_registers --from demo:$demo
	run gpu-regdump --from demo:$demo --json rcs0.RING_BUFFER_TAIL
	identity=$(jq -c '[.platform, .device]' "$out")
	run gpu-regdump --from "$work/capture" --json rcs0.RING_BUFFER_TAIL
	expect_json '[.platform, .device]' "$identity"
	run gpu-snap info "$work/capture"
	expect_status 0
	expect_out_has "${demo%-*}"
	run gpu-snap info --json "$work/capture"
	expect_status 0
	expect_json '[.schema, .platform]' "[\"gpuscope.snap/1\",\"${demo%-*}\"]"
	expect_json '.device == null or (.device | test("^0x[0-9a-f]+$"))' true
	expect_json '.source | type' '"array"'
done

title 'registers that are not of the BAR'
cat >"$work/text" <<'END'
 punit:PUNIT_REG_GPU_FREQ_STS (0x04:0x000000d8): 0x12345678
 flisdsi:0x00000000 (0x1b:0x00000000): 0x11111111
 flisdsi:0x00000001 (0x1b:0x00000001): 0x22222222
 mmio-sr:SR01 (mmio-sr:0x00000001): 0x00000021
 portio-vga:0x000003cc (portio-vga:0x000003cc): 0x00000067
END
run gpu-snap save -p vlv -s "$work/text" -o "$work/capture"
expect_status 0
same_registers -p vlv -s "$work/text"
run gpu-regdump -q -p vlv -s "$work/capture" punit:0xd8 flisdsi:0 flisdsi:1 SR01 MSR
expect_status 0
cp "$out" "$work/own"
run gpu-regdump -q -p vlv -s "$work/own" punit:0xd8 flisdsi:0 flisdsi:1 SR01 MSR
expect_status 0
[ "$(tail -n +2 "$out" | cut -d ' ' -f 1-3)" = 'sideband:0x400d8  0x12345678
sideband:0x1b0000  0x11111111
sideband:0x1b0001  0x22222222
vga-sr:0x01  0x21
io:0x3cc  0x67' ] || fail "not the same: $(cat "$out")"

title 'to standard output'
run gpu-snap save --from demo:snb-hang -o -
expect_status 0
cp "$out" "$work/capture"
tar tf "$work/capture" >/dev/null 2>&1 || fail 'tar does not open it'
same_registers --from demo:snb-hang
run sh -c 'gpu-snap save --from demo:snb-hang -o - | gpu-regdump --from - --json rcs0.RING_BUFFER_TAIL'
expect_status 0
expect_json '.registers | length' 1

title 'from an image of the BAR'
make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001 0x100018 0xa01001 0x800000 0x12345001
run gpu-snap save -p 0x1912 --from "bar:$work/bar" -o "$work/capture"
expect_status 0
same_registers -p 0x1912 --from "bar:$work/bar"
run gpu-regdump --from "$work/capture" --json rcs0.RING_BUFFER_TAIL
expect_json '[.platform, .device, .registers[0].value]' '["skl","0x1912","0x150"]'

title 'from register text and config space together'
printf '# gpu-regdump 1.0 platform snb device 0x0126 revision 0x09\n0x002030  0x00000150\n' >"$work/text"
run gpu-snap save --from "$work/text" --from "config:$data/lspci.txt" -o "$work/capture"
expect_status 0
run gpu-regdump --from "$work/capture" --json rcs0.RING_BUFFER_TAIL DID2
expect_status 0
expect_json '[.registers[] | .value]' '["0x150","0x126"]'
run gpu-regdump --from "$work/capture" --json rcs0.RING_BUFFER_HEAD
expect_status 3
expect_json '[.registers[] | .status]' '["absent"]'

title 'of a capture'
cp "$work/capture" "$work/first"
run gpu-snap save --from "$work/first" -o "$work/capture"
expect_status 0
same_registers --from "$work/first"

title 'compressed'
run gpu-snap save --from "$work/first" --compress=none -o "$work/plain"
expect_status 0
cp "$work/plain" "$work/first"
if built_with gzip && command -v gzip >/dev/null; then
	gzip -c "$work/first" >"$work/first.gz"
	run gpu-regdump --from "$work/first.gz" --json rcs0.RING_BUFFER_TAIL
	expect_status 0
	expect_json '[.registers[] | .value]' '["0x150"]'
	run gpu-snap info "$work/first.gz"
	expect_status 0
fi
if built_with zstd && command -v zstd >/dev/null; then
	zstd -qc "$work/first" >"$work/first.zst"
	run gpu-regdump --from "$work/first.zst" --json rcs0.RING_BUFFER_TAIL
	expect_status 0
fi

title 'a tar that tar has packed again'
mkdir "$work/unpacked"
tar xf "$work/first" -C "$work/unpacked"
for format in ustar gnu pax; do
	# shellcheck disable=SC2046
	tar --format=$format -cf "$work/again" -C "$work/unpacked" $(tar tf "$work/first")
	run gpu-regdump --from "$work/again" --json rcs0.RING_BUFFER_TAIL
	expect_status 0
	expect_json '[.registers[] | .value]' '["0x150"]'
done

title '--no-ggtt, and without it'
printf '\001\020\000\000\000\000\000\000' >"$work/entries"
run gpu-snap save -p skl --from "ggtt:$work/entries" --from "bar:$work/bar" -o "$work/capture"
expect_status 0
run gpu-snap save -p skl --from "ggtt:$work/entries" --from "bar:$work/bar" --no-ggtt \
	-o "$work/without"
expect_status 0
tar tf "$work/capture" | grep -q ggtt || fail 'no GGTT in it'
tar tf "$work/without" | grep -q ggtt && fail 'the GGTT is in it all the same'

title '--mem'
head -c 8192 /dev/zero | tr '\0' 'M' >"$work/memory"
run gpu-snap save -p skl --from "bar:$work/bar" --from "mem:$work/memory@0x10000" \
	--mem 0x10000+8K -o "$work/capture"
expect_status 0
run gpu-snap info --json "$work/capture"
expect_status 0
mkdir "$work/parts"
tar xf "$work/capture" -C "$work/parts"
grep -rlq MMMMMMMM "$work/parts" || fail 'the memory is not in it'
run gpu-snap save -p skl --from "bar:$work/bar" --mem 0x10000+8K -o "$work/capture"
expect_status 3 6
for bad in 0x10000 0x10000+ +4K 0x10000+0x 0x10000-0x 0x10000+4q; do
	run gpu-snap save -p skl --from "bar:$work/bar" --mem "$bad" -o "$work/never"
	expect_status 2
	[ -e "$work/never" ] && fail 'it left a file'
done

title '--redact'
run gpu-snap save --from demo:skl-hang --redact -o "$work/redacted"
expect_status 0
tar tf "$work/redacted" >/dev/null 2>&1 || fail 'tar does not open it'
grep -qa "$(uname -r)" "$work/redacted" && fail 'the release of this kernel is in it'

title 'nothing is left behind by a failure'
run gpu-snap save -p skl --from "$work/nonexistent" -o "$work/never"
expect_status 1
run gpu-snap save -p nonsense --from "bar:$work/bar" -o "$work/never"
expect_status 3
run gpu-snap save --from "bar:$work/bar" -o "$work/never"
expect_status 2
[ -e "$work/never" ] && fail 'it left a file'
run gpu-snap save --from demo:snb-hang -o "$work/nonexistent/capture"
expect_status 1
expect_err_line 'gpu-snap: *nonexistent/capture: *No such file*'
run gpu-snap save --from demo:snb-hang -o "$work"
expect_status 1
if [ -c /dev/full ]; then
	run gpu-snap save --from demo:snb-hang -o /dev/full
	expect_status 1
	run sh -c 'gpu-snap save --from demo:snb-hang -o - >/dev/full'
	expect_status 1
fi
if can_be_nobody; then
	run as_nobody gpu-snap save --from demo:snb-hang -o /capture
	expect_status 4
fi

title 'a file that is there already is replaced as a whole'
head -c 5000000 /dev/zero >"$work/old"
run gpu-snap save --from demo:snb-hang -o "$work/old"
expect_status 0
tar tf "$work/old" >/dev/null 2>&1 || fail 'tar does not open it'
cp "$work/old" "$work/older"
run gpu-snap save --from "$work/older" -o "$work/old"
expect_status 0
run gpu-regdump --from "$work/old" --json rcs0.RING_BUFFER_TAIL
expect_status 0

title 'info of what is no capture'
run gpu-snap info "$work/bar"
expect_status 1
expect_out_empty
run gpu-snap info "$work/nonexistent"
expect_status 1
run gpu-snap info "$work"
expect_status 1
: >"$work/empty"
run gpu-snap info "$work/empty"
expect_status 1

title 'a cut capture: as far as it goes, and where it broke'
size=$(wc -c <"$work/first")
for part in 1 2 3 4 5 6 7 8 9; do
	head -c $((size * part / 10)) "$work/first" >"$work/cut"
	run gpu-snap info "$work/cut"
	expect_status 0 1 6
	run gpu-regdump -p snb --from "$work/cut" rcs0.RING_BUFFER_TAIL
	expect_status 0 1 3 6
done

title 'a capture with a spoiled header'
sed 's/ustar/vstar/' "$work/first" >"$work/spoiled"
run gpu-snap info "$work/spoiled"
expect_status 1 6
finish
