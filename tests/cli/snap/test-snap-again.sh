#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-snap: what is saved of files says the same again; nothing is lost in silence.
. "$(dirname "$0")/../lib.sh"
needs gpu-snap gpu-regdump gpu-ptwalk gpu-batch gpu-fault jq tar

corpus=${GPUSCOPE_CORPUS-}

# answer FILE COMMAND...: its JSON but for what it was read from, and its status. The events of a
# log stand beside a dump; those that a capture holds are asked for with --dmesg.
beside='.log, .log_line, .source'
answer() {
	_file=$1
	shift
	run_lenient "$@" --ndjson
	jq -c 'if has("schema") then del('"$beside"') else . end' "$out" >"$_file"
	echo "status $status" >>"$_file"
}

# equal CAPTURE COMMAND SOURCE...: the same answer from both
equal() {
	answer "$work/answer.b" $2 --from "$1"
	_capture=$1 _command=$2
	shift 2
	answer "$work/answer.a" $_command "$@"
	cmp -s "$work/answer.a" "$work/answer.b" || fail "$_command, $*: not the same of $_capture: \
$(diff "$work/answer.a" "$work/answer.b" | cut -c 1-200 | head -n 4 | tr '\n' ' ')"
}

# again SOURCE...: every command gives the same answer of a capture
again() {
	run gpu-snap save -o "$work/again.tar" "$@"
	expect_status 0 6
	for command in gpu-regdump 'gpu-ptwalk --map' 'gpu-ptwalk --spaces' 'gpu-ptwalk --check' \
		gpu-batch gpu-fault; do
		equal "$work/again.tar" "$command" "$@"
	done
}

title 'the same of a capture: demos'
for demo in snb-hang skl-hang icl-trtt; do
	again --from demo:$demo
done

if [ -n "$corpus" ]; then
	title 'the same of a capture: the corpus'
	for file in "$corpus"/aub/*.aub "$corpus"/error-state/*state.txt \
		"$corpus"/error-state/*head.txt; do
		again --from "$file"
	done
	again --from "$corpus/vtd/kbl-kernel-doc-debugfs-samples.txt" -p skl
	for file in ivb-8086-0166-vbios-ioport-trace ivb-link-i915_reg_rw-tracepoints; do
		again --from "$corpus/mmio-trace/$file".* -p ivb
	done
	# Only its log tells of an error: that is its verdict, but not the capture's.
	always=$beside
	beside="$always, .signature, .verdict"
	again --from "$corpus/mmio-trace/hsw-ult-wtm2-kernel-RW.log" -p hsw
	beside=$always
	again --from "$corpus/reg-dump/glk-8086-3185-intel_reg-dump.txt" -p glk
	for file in "$corpus"/pci-config/*; do
		again --from "config:$file"
	done

	title 'a trace goes along, before or behind what else there is'
	lspci=config:$corpus/pci-config/snb-8086-0126-lspci-xxx.txt
	snb=$corpus/aub/gen6-snb-0126.aub
	again --from "$snb" --from "$lspci"
	again --from "$lspci" --from "$snb"
	again --from "$snb" --from demo:snb-hang
	again --from demo:snb-hang --from "$snb"
	again --from "$corpus/aub/gen7-ivb-016a.aub" --from "$corpus/aub/gen7-ivb-016a.aub"
	cp "$work/again.tar" "$work/two.tar"
	again --from "$work/two.tar"
	same 'traces in it' "$(tar tf "$work/again.tar" | grep -c ^dump/trace.aub)" 2
	run gpu-snap save -p kbl --from "$corpus/aub/gen9-skl-1912.aub" -o "$work/other.tar"
	expect_status 0
	run gpu-batch --from "$work/other.tar" --headers
	expect_status 0 6
	head -c 5000 "$snb" >"$work/cut.aub"
	again --from "$work/cut.aub"
	run gpu-snap save --from "$work/again.tar" -o "$work/twice.tar"
	expect_status 6
	same 'damage' "$(gpu-snap info --json "$work/twice.tar" 2>/dev/null | jq '.damage | length')" 1

	title 'of what goes along whole nothing can be left out'
	for option in --no-ggtt '--mem 0x1000+4K'; do
		run gpu-snap save --from "$snb" $option -o "$work/never"
		expect_status 2
		expect_err_line 'gpu-snap: *the AUB trace is saved whole*'
	done
	run gpu-snap convert "$corpus"/error-state/gm45*state.txt --to capture --no-ggtt \
		-o "$work/never"
	expect_status 2
	[ -e "$work/never" ] && fail 'it left a file'
	run gpu-snap save --from "$snb" --redact -o "$work/redacted.tar"
	expect_status 0
	tar tf "$work/redacted.tar" | grep -q -e ^dump/ -e ^phys/ -e ^gttmem/ &&
		fail 'memory is in it'
	run gpu-snap info "$work/redacted.tar"
	expect_out_has 'dump/trace.aub: redacted$'

	title 'an error state as a trace begins at the batch that hangs'
	run gpu-snap convert "$corpus"/error-state/gm45*state.txt --to aub -o "$work/gm45.aub"
	expect_status 6
	run gpu-batch --from "$work/gm45.aub" --headers
	expect_out_has '^0x0001f9a8: .* MI_BATCH_BUFFER_START'
	expect_out_has '^0x10c53000: '
	expect_out_has '^0x10c56558: .* CONSTANT_BUFFER'
fi

title '--no-ggtt of files'
run gpu-snap save --from demo:skl-hang -o "$work/base.tar"
expect_status 0
run gpu-snap save --from demo:skl-hang --no-ggtt -o "$work/without.tar"
expect_status 0
tar tf "$work/without.tar" | grep -q ^ggtt/ && fail 'the GGTT is in it'
tar tf "$work/without.tar" | grep -q ^phys/ || fail 'its memory is not in it'

title 'names of any length'
mkdir -p "$work/tree/notes/$(printf '%060d' 1)/$(printf '%060d' 2)"
tar xf "$work/base.tar" -C "$work/tree"
long=notes/$(printf '%0120d' 3)
deep=notes/$(printf '%060d' 1)/$(printf '%060d' 2)/note
echo long >"$work/tree/$long"
echo deep >"$work/tree/$deep"
tar --format=pax -cf "$work/long.tar" -C "$work/tree" gpuscope config mmio ggtt phys notes
run gpu-snap save --from "$work/long.tar" -o "$work/kept.tar"
expect_status 0
same 'two members' "$(tar xOf "$work/kept.tar" "$long" "$deep" | tr '\n' ' ')" 'deep long '
run gpu-snap extract "$work/kept.tar" "$long"
expect_out long

title 'redacted, no names of others'
run gpu-snap save --from "$work/long.tar" --redact -o "$work/redacted.tar"
expect_status 0
run gpu-snap info --json "$work/redacted.tar"
expect_json .left_out '["2 other members: redacted"]'

title 'damage stays damage'
head -c 120000 "$work/base.tar" >"$work/cut.tar"
run gpu-snap save --from "$work/cut.tar" -o "$work/recut.tar"
expect_status 6
run gpu-snap save --from "$work/recut.tar" -o "$work/recut2.tar"
expect_status 6
for file in cut recut recut2; do
	run gpu-fault --from "$work/$file.tar"
	expect_status 6
	expect_err_line 'gpu-fault: *cut.tar: the archive is truncated or damaged at byte 120000'
	run gpu-snap info --json "$work/$file.tar"
	expect_status 6
	expect_json '.damage | length' 1
done
run gpu-snap save --from "$work/cut.tar" --redact -o "$work/redacted.tar"
expect_status 6
grep -aq cut.tar "$work/redacted.tar" && fail 'the name of a file is in it'
run gpu-fault --from "$work/redacted.tar"
expect_status 6

title 'members of one name'
mkdir -p "$work/tree/kernel" "$work/tree/stored"
echo '[ 1.0] i915 one' >"$work/tree/kernel/log"
printf 'GPU HANG: ecode 9:1:0x1\nPCI ID: 0x1912\nEIR: 0x00000000\n' >"$work/tree/stored/error-state"
tar cf "$work/one.tar" -C "$work/tree" gpuscope/info config kernel stored
run gpu-snap save --from "$work/one.tar" --from "$work/one.tar" -o "$work/both.tar"
expect_status 0
same 'names that are there twice' "$(tar tf "$work/both.tar" | sort | uniq -d)" ''
for member in kernel/log.2 stored/error-state.2; do
	tar xOf "$work/both.tar" $member | cmp -s - "$work/tree/${member%.2}" || fail "no $member"
done
run gpu-snap save --from demo:skl-hang --mem 0x225400000+8K --mem 0x225400000+4K \
	--mem 0x225402000+4K -o "$work/stretches.tar"
expect_status 0
same 'memory' "$(tar tf "$work/stretches.tar" | grep ^phys/)" 'phys/0x225400000.bin'
same 'its length' "$(tar xOf "$work/stretches.tar" phys/0x225400000.bin | wc -c | tr -d ' ')" 12288

title 'of two members of one name the later one counts'
mkdir -p "$work/later/mmio" "$work/later/gpuscope"
printf '\021\021\021\021' >"$work/later/mmio/0x2030.bin"
printf 'format: 1\nplatform: icl\nstory: another\n' >"$work/later/gpuscope/info"
printf '\042\042\042\042' >"$work/tree/mmio/0x2030.bin"
tar cf "$work/dup.tar" -C "$work/tree" gpuscope/info mmio/0x2030.bin
tar rf "$work/dup.tar" -C "$work/later" mmio/0x2030.bin
for part in mmio/0x2030.bin mmio@0x2030+4; do
	run gpu-snap extract "$work/dup.tar" $part
	same "$part" "$(od -An -tx4 "$out")" ' 11111111'
done
tar rf "$work/dup.tar" -C "$work/later" gpuscope/info
run gpu-snap info --json "$work/dup.tar"
expect_status 6
expect_json '[.platform, .device, .properties[-1].text]' '["icl",null,"another"]'

title 'packed without the holes in files'
printf 'x' >"$work/tree/mmio/0x3000.bin"
truncate -s 1M "$work/tree/mmio/0x3000.bin"
for format in gnu pax; do
	tar -S --format=$format -cf "$work/sparse.tar" -C "$work/tree" gpuscope/info \
		mmio/0x3000.bin config 2>/dev/null || continue
	[ "$(wc -c <"$work/sparse.tar")" -lt 100000 ] || continue
	run gpu-snap info "$work/sparse.tar"
	expect_status 6
	expect_err_line 'gpu-snap: *packed with tar --sparse: 1 files not read*'
	expect_out_has '^  config '
done

title 'an image has no ports'
run gpu-snap convert "$work/base.tar" --to bar -o "$work/bar"
expect_status 6
run gpu-snap save -p 0x1912 --from "bar:$work/bar" -o "$work/image.tar"
expect_status 0
tar tf "$work/image.tar" | grep -q ^io/ && fail 'there are ports in it'
rm "$work/bar"

title 'what a trace cannot hold is told'
printf '0x7f0004 0x77\n0x58ff4 0x5\n' >"$work/text"
run gpu-snap save -p skl --from "$work/text" -o "$work/text.tar"
expect_status 0
run gpu-snap convert "$work/text.tar" --to aub -o "$work/text.aub"
expect_status 6
expect_err_line 'gpu-snap: trace: *the device id is unknown: the trace has 0x*'
run gpu-regdump -q --from "$work/text.aub" 0x7f0004 0x58ff4
expect_status 0
expect_out_has '^0x7f0004 +0x00000077'
finish
