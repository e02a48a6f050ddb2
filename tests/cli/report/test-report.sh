#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-report: one sound page that loads nothing and says what the other commands say; hostile text
# stays text; what is not there is said. How it looks is tests/report/'s matter.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/../fault/fault-state.sh"
needs gpu-report gpu-fault gpu-regdump gpu-snap jq python3 tar
page=$work/page.html
text=$work/text

# The page of the last run is sound; its text goes to $text, a section a line.
expect_page() {
	python3 "$tests/cli/report/report.py" "$page" >"$text" 2>"$work/wrong" ||
		fail "the page: $(head -n 3 "$work/wrong")"
}

# report ARGUMENT...: into $page
report() {
	rm -f "$page"
	run gpu-report -o "$page" "$@"
	[ -s "$page" ] || { fail 'no page'; return 1; }
	expect_page
}

# section NAME TEXT: that is in it
section() {
	grep "^$1 " "$text" | grep -qF -e "$2" ||
		fail "section $1 lacks '$2': $(grep "^$1 " "$text" | head -c 300)"
}

section_lacks() {
	grep "^$1 " "$text" | grep -qF -e "$2" && fail "section $1 has '$2'"
}

title 'what it says is what the commands say'
for demo in snb-hang skl-hang icl-trtt; do
	report -s demo:$demo
	expect_status 0
	expect_out_empty
	expect_err_empty
	run gpu-fault -s demo:$demo --json
	verdict=$(jq -r .verdict "$out")
	signature=$(jq -r .signature "$out")
	jq -r '.engines[] | .name' "$out" >"$work/engines"
	jq -r '.fences[] | select(.valid) | .raw' "$out" >"$work/fences"
	command_line="gpu-report -s demo:$demo"
	section verdict "$verdict"
	section verdict "$signature"
	while read -r name; do
		section engines "$name"
	done <"$work/engines"
	while read -r raw; do
		section fences "${raw#0x}"
	done <"$work/fences"
	run gpu-regdump -s demo:$demo --json
	jq -r '.registers[] | select(.value) |
		(if .engine then .engine + "." else "" end) + .name' "$out" |
		sort -u >"$work/names"
	[ "$(wc -l <"$work/names")" -gt 100 ] || fail 'hardly any registers'
	grep '^registers ' "$text" | tr ' ' '\n' | sort -u >"$work/words"
	same 'registers that are not in the page' \
		"$(comm -23 "$work/names" "$work/words" | head -n 3 | tr '\n' ' ')" ''
	size=$(wc -c <"$page")
	[ "$size" -lt 1500000 ] || fail "a page of $size bytes"
done

title 'skl-hang: the stopped command, the walk, the map'
report -s demo:skl-hang
section commands 'Where rcs0 stopped: the commands around ppgtt:0x10002003c'
section commands 'PIPE_CONTROL <- ACTHD'
section commands 'POST_SYNC_OPERATION 0x3 Write Timestamp'
section verdict 'ring at ggtt:0x8000, 16 KB'
section verdict 'batch at ppgtt:0xfffefffd0000'
section verdict 'second-level batch at ppgtt:0x100020000'
section commands 'Waiting in the ring of rcs0: 15 commands'
section engines 'forcewake domain media is not held'
section faults 'pml4e 244 0x22543a000'
section faults 'pdpe 68 0x22542a000'
section faults 'pde 43 0x225437000 0x225437158 0x0 not-present'
same 'links to the command' "$(grep -c '<a href="#at-10002003c">' "$page")" 6
grep -q '<details class="row here" open><summary><span id="at-10002003c"' "$page" ||
	fail 'the command where it stopped is folded, or has no id'
section map 'fault: 0x7a1105603000, rcs0: not mapped'
section map 'ring of rcs0, 16 KB'
section map 'aperture: the first 256 MB'
section map 'fence 0: X tiles, pitch 7680 bytes'
section map 'rcs0 is here: 0x10002003c PIPE_CONTROL'
section map 'constant: one page for all addresses, such as scratch'
section registers 'asleep when the dump was made, which does not mean zero'
section differences '0x00000000 -> 0x00000c98 rcs0.RING_BUFFER_TAIL'
section sources 'kernel not in this dump'
section nothing 'kernel log (not in this dump)'

section map 'ring of bcs0, 4 KB'
section map 'context of bcs0'
section map 'status page of rcs0'
section map '4 GB, unknown no source holds it'
section faults 'cause: ADDRESS of PIPE_CONTROL at ppgtt:0x10002003c, the command that rcs0 stopped in'
section commands '0x05603000 <- ADDRESS is the address of the fault'

title 'snb-hang: an error, a walk of two levels through the global table'
report -s demo:snb-hang
section errors 'PAGE_TABLE_ERROR rcs0.EIR 0x00000010 bit 4'
section faults 'ggtt:0x1ff808'
section faults 'pte 576 '
section doubts 'same-address'
section faults 'set by: BUFFER_STARTING_ADDRESS of 3DSTATE_VERTEX_BUFFERS at ppgtt:0x100dc, which comes before the command that rcs0 stopped in'
section commands '<- BUFFER_STARTING_ADDRESS is the address of the fault'
section map '0xa40000 fault: 0xa40000, rcs0: not mapped 2 GB not mapped 0x80000000'
grep -q '<details class="row here" open><summary><span id="at-100dc"' "$page" || fail 'the cause is folded'

title 'changed from reset: as gpu-regdump --diff reset has it'
run gpu-regdump --diff reset demo:snb-hang --json rcs0.RING_BUFFER_CONTROL rcs0.RING_BUFFER_START
same 'differences' "$(jq '.differences | length' "$out")" 2
section differences '0x00000000 -> 0x00008000 rcs0.RING_BUFFER_START'
section differences '0x00000000 -> 0x00003001 rcs0.RING_BUFFER_CONTROL'

title 'what only looks like the address of the fault is not marked; state that has it is'
batch() {
	fault_state 00012345 "$1"
	shift
	dwords "$@"
}
batch 00001010 0x10000002 0x8000 0 0x12345000 0x7a000004 0 0 0 0x12345000 0 0x05000000 >"$work/data"
report -s "$work/data"
section commands '0x12345000'
section_lacks commands 'address of the fault'
section_lacks faults 'set by: '
batch 00001010 0x10000002 0x12345008 0 0x12345000 0x7a000004 0 0 0 0x12345000 0 0x05000000 >"$work/data"
report -s "$work/data"
section faults 'set by: 0x12345008 in ADDRESS of MI_STORE_DATA_IMM at ppgtt:0x100001000, which comes before the command that rcs0 stopped in'
same 'marks' "$(grep -o 'address of the fault' "$page" | wc -l)" 1
section commands '0x12345008 <- ADDRESS is the address of the fault'
zeros() {
	yes 0 | head -n "$1"
}
# shellcheck disable=SC2046
batch 00001054 0x61010011 0 0 0 0x1001 1 $(zeros 13) 0x782a0000 0xc0 0x7a000004 0 0 0 0 0 0x05000000 \
	$(zeros 20) 0x100 $(zeros 15) 0x20000000 $(zeros 7) 0x12345040 $(zeros 7) >"$work/data"
report -s "$work/data"
section faults 'state of 3DSTATE_BINDING_TABLE_POINTERS_PS at ppgtt:0x10000104c, which comes before'
section commands '3DSTATE_BINDING_TABLE_POINTERS_PS <- RENDER_SURFACE_STATE.SURFACE_BASE_ADDRESS, state, is the address of the fault'

title 'icl-trtt: it waits'
report -s demo:icl-trtt
section verdict 'rcs0 waits in MI_SEMAPHORE_WAIT'
section commands 'MI_SEMAPHORE_WAIT <- ACTHD'
section faults 'none in RING_FAULT_REG'
section map '64 KB, null tiles reads return zero, writes are dropped'
section map 'Some addresses go through the tables of tiled resources (TR-TT) first. Their L3 table is at 0x100000000'

title 'what the source lacks is said, and never zero'
printf '# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06\n0x002030  0x00000150\n' \
	>"$work/one.txt"
report -s "$work/one.txt"
section_lacks engines 'acthd'
section_lacks verdict 'HEAD'
section faults 'no register that records them is in the source'
section nothing 'address spaces (no tables are in this dump)'
section sources 'kernel not in this dump'
section registers '1 register has a value'
section_lacks engines 'head 0x0'
section errors 'no register that records those of engines is in the source'
grep -q '<a href="#map"' "$page" && fail 'a link to a section that is left out'

title 'pointers that were read after the reset are not those of the hang'
report -s "$data/driver-made/xe-6.12-tgl-reset.gz"
section verdict 'rcs0 hangs in a loop of the batch at ppgtt:0x10000000'
section commands 'Where rcs0 stopped: '
section_lacks engines 'acthd 0x0'
section_lacks verdict 'HEAD'

title 'a trace: what was submitted'
run gpu-snap save -s demo:skl-hang -o "$work/skl.tar"
run gpu-snap convert "$work/skl.tar" --to aub -o "$work/skl.aub"
report -s "$work/skl.aub"
expect_status 0
section verdict 'Submitted: '
section commands 'What was submitted'
section commands 'rcs0 ring at ggtt:0x8'
section commands 'started by the command at 0x'
section commands 'PIPE_CONTROL'
section map 'ring of rcs0'

title 'nothing at all is in the source'
run gpu-report -p skl -s none -o "$work/never"
expect_status 3
expect_err_line 'gpu-report: *none in this dump'
[ -e "$work/never" ] && fail 'it left a file'

title 'the same bytes at the same time; standard output; a name of its own'
SOURCE_DATE_EPOCH=1709208000
export SOURCE_DATE_EPOCH
report -s demo:skl-hang
run gpu-report -s demo:skl-hang -o -
expect_status 0
cmp -s "$page" "$out" || fail 'another page on standard output'
grep -q 'written 2024-02-29 12:00 UTC' "$page" || fail 'not the time that was given'
run sh -c "cd '$work' && gpu-report -s demo:skl-hang"
expect_status 0
expect_out 'gpuscope-skl-20240229-120000.html'
cmp -s "$page" "$work/gpuscope-skl-20240229-120000.html" || fail 'another page by its own name'
run sh -c "SOURCE_DATE_EPOCH=abc gpu-report -s demo:skl-hang -o '$work/never'"
expect_status 2
expect_err_line 'gpu-report: SOURCE_DATE_EPOCH: *'
[ -e "$work/never" ] && fail 'it left a file'
unset SOURCE_DATE_EPOCH

title 'folders on the way to a source are not in a page that others see'
mkdir "$work/private"
cp "$work/one.txt" "$work/private/dump.txt"
report -s "$work/private/dump.txt"
section sources 'dump.txt (register text)'
grep -q 'from dump.txt' "$page" || fail 'the source is not named'
grep -q "$work" "$page" && fail 'the whole path is in the page'

printf 'Kernel: 6.1.0\nPlatform: SKYLAKE\nPCI ID: 0x1912\nPCI Revision: 0x06\nERROR: 0x00000000\nrcs0 --- ringbuffer = 0x00000000 00008000\n:aa' \
	>"$work/private/cut.txt"
report -s "$work/private/cut.txt"
expect_status 6
section sources 'cut.txt: '
grep -q "$work" "$page" && fail 'the whole path of a damaged source is in the page'

title 'the help lists what is taken'
run gpu-report --help
expect_out_lacks 'json'

title 'hostile text stays text'
mkdir "$work/tar"
run gpu-snap save -s demo:skl-hang -o "$work/plain.tar"
tar xf "$work/plain.tar" -C "$work/tar"
bad='</pre></td></style><script>alert(1)</script><img src=http://x/ onerror=alert(1)>&"'\'
printf '%s: %s\n' 'kernel' "$bad" 'driver' "$bad" "$bad" "$bad" '<b>' "$(printf '\342\200\256\033[2J\377\300\200')" \
	>>"$work/tar/gpuscope/info"
printf '[ 1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:0x85dffffb, in %s [1234]\n%s\n' \
	"$bad" "$bad" >"$work/tar/dmesg.txt"
hostile="$work/<script>alert(1)<script>&.tar"
# shellcheck disable=SC2046
tar -cf "$hostile" -C "$work/tar" $(tar tf "$work/plain.tar") dmesg.txt
report -s "$hostile"
expect_status 0 6
section sources '<script>alert(1)</script><img src=http://x/ onerror=alert(1)>&"'
section log '<script>alert(1)'
grep -q '<img' "$page" && fail 'a tag of the dump is in the page'
cat >"$work/error" <<END
GPU HANG: ecode 9:1:0x85dffffb, in $bad [1234], reason: <script>alert(2)</script>
Kernel: $bad
Time: 1676494673 s 616282 us
Platform: SKYLAKE
PCI ID: 0x1912
PCI Revision: 0x06
<script>alert(3)</script>: yes
Active process (on ring render): $bad [1234]
fence[0] = 8e803b00100001
ERROR: 0x00000000
END
report -s "$work/error"
expect_status 0 6
section verdict '1'

title 'a capture with what the kernel had kept of the hang, and its log'
mkdir -p "$work/kept/stored" "$work/kept/kernel"
tar xf "$work/plain.tar" -C "$work/kept"
cat >"$work/kept/stored/error-state" <<'END'
GPU HANG: ecode 9:1:0x85dffffb, in game [1234]
Kernel: 6.1.0-kept x86_64
Time: 1676494673 s 616282 us
Platform: SKYLAKE
PCI ID: 0x1912
PCI Revision: 0x06
EIR: 0x00000010
PGTBL_ER: 0x00000001
ERROR: 0x00000000
END
echo '[    9.5] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [1234]' \
	>"$work/kept/kernel/log"
# shellcheck disable=SC2046
tar -cf "$work/kept.tar" -C "$work/kept" $(tar tf "$work/plain.tar") stored/error-state kernel/log
report -s "$work/kept.tar"
expect_status 0 6
section verdict 'This report is about the dump that the kernel has kept: i915 error state'
section verdict 'The registers afterwards: rcs0 hangs in PIPE_CONTROL'
section errors 'EIR'
section map 'These maps show the tables as they were afterwards'
section map 'fence 0'
section log 'GPU HANG: ecode 9:1:85dffffb'
section dump '6.1.0-kept'
section dump 'ecode 9:1:0x85dffffb, in game [1234]'
section dump '2023-02-15 20:57:53 UTC'
section registers 'the following were read afterwards'

title 'a damaged dump: as far as it goes, and that it is damaged'
size=$(wc -c <"$work/plain.tar")
for part in 2 4 6 8; do
	head -c $((size * part / 10)) "$work/plain.tar" >"$work/cut.tar"
	report -p skl -s "$work/cut.tar"
	expect_status 6
	section sources 'damage'
done

title 'a page stays below 5 MiB'
awk 'BEGIN { print "# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06"
	for (i = 0; i < 1572864; i += 4) printf "0x%06x  0x%08x\n", i, i * 777 }' >"$work/many"
report -s "$work/many"
section registers 'registers have a value'
# Twelve thousand registers of eight fields, whose names are long.
awk 'BEGIN { print "format 1\n\ngroup many \"Many registers\" on=skl\n\torigin snb-p3 \"made up\""
	for (i = 0; i < 12000; i++) {
		printf "\treg MANY_REGISTERS_%d @0x%x rw reset=0\n", i, 131072 + i * 4
		for (k = 0; k < 8; k++)
			printf "\t\tfield A_FIELD_WITH_A_LONG_NAME_%d %d:%d\n", k, k * 4 + 3, k * 4
	} }' >"$work/many.def"
report -s "$work/many" --define "$work/many.def"
section registers 'MANY_REGISTERS_0 '
section registers 'registers are left out, so that this page does not become too long'
size=$(wc -c <"$page")
[ "$size" -gt 3000000 ] || fail "a page of only $size bytes"

title 'what it refuses'
for wrong in --json --ndjson 0x1000 '--output='; do
	run gpu-report -s demo:skl-hang "$wrong"
	expect_status 2
	expect_out_empty
done
run gpu-report -s none -o "$work/never"
expect_status 2
run gpu-report -s "$work/nothing" -o "$work/never"
expect_status 1
[ -e "$work/never" ] && fail 'it left a file'
run gpu-report -s demo:skl-hang -o "$work"
expect_status 1
run gpu-report -s demo:skl-hang -o "$work/nowhere/page.html"
expect_status 1
run gpu-report -s demo:skl-hang -o /dev/full
expect_status 1
run sh -c 'gpu-report -s demo:skl-hang -o - >/dev/full'
expect_status 1
ls "$work" | grep 'page.html\.' && fail 'a temporary file is left'
if can_be_nobody; then
	run as_nobody gpu-report -s demo:skl-hang -o /page.html
	expect_status 4
fi

title 'messages between driver and GuC as a sequence'
cat >"$work/core" <<'END'
**** Xe Device Coredump ****
Reason: Timedout job - seqno=1, lrc_seqno=1, guc_id=3, flags=0x0
PCI ID: 0x9a49
PCI revision: 0x01
**** GT #0 ****
**** GuC CT ****
H2G CTB (all sizes in DW):
	size: 1024
	head (memory): 10
	tail (memory): 16
	cmd[10]: 0x80520003
	cmd[11]: 0x20001001
	cmd[12]: 0x00000003
	cmd[13]: 0x00000001
	cmd[14]: 0x00080001
	cmd[15]: 0x00000509

G2H CTB (all sizes in DW):
	size: 4096
	head (memory): 0
	tail (memory): 9
	cmd[0]: 0x00000002
	cmd[1]: 0x90001008
	cmd[2]: 0x00000003
	cmd[3]: 0x00000002
	cmd[4]: 0x90001008
	cmd[5]: 0x00000004
	cmd[6]: 0x00000002
	cmd[7]: 0x90001008
	cmd[8]: 0x00000004
END
report -s "$work/core"
section verdict 'The last messages between driver and GuC'
section verdict 'messages about context 4 are bold'
section verdict 'SCHED_CONTEXT_MODE_SET context 3'
section verdict 'the GuC has not read it'
section verdict 'CONTEXT_RESET_NOTIFICATION ×2 context 4'
section verdict 'reset'
same 'what the GuC has not read does nothing' "$(grep -c '>enable</text>' "$page")" 0
same 'bold' "$(grep -c '<text class="hot"[^>]*>CONTEXT_RESET' "$page")" 1
report -s demo:skl-hang
section_lacks verdict 'driver and GuC'

title 'real dumps'
if [ -d "${GPUSCOPE_CORPUS:-}/driver-made-7.2" ]; then
	xz -dc "$GPUSCOPE_CORPUS/driver-made-7.2/xe-7.2-lnl-core-guccap-loop-rcs0.xz" >"$work/core"
	report -s "$work/core"
	section verdict 'messages about context 2 are bold'
	section verdict 'REGISTER_CONTEXT context 2'
	section verdict 'STATE_CAPTURE_NOTIFICATION registers'
	section verdict 'other messages are left out; to see all: gpu-fault -s core --decode guc-ct'
fi
if [ -d "${GPUSCOPE_CORPUS:-}" ]; then
	report -s "$GPUSCOPE_CORPUS/error-state/gm45-0x2a42-2013-i915_error_state.txt"
	section verdict 'rcs0 hangs in CONSTANT_BUFFER at ggtt:0x10c56558'
	section commands 'Where rcs0 stopped: the commands around ggtt:0x10c56558'
	section engines 'ACTHD is right after it'
	section commands 'Waiting in the ring of rcs0: '
	section verdict 'ring at ggtt:0x1000'
	section nothing 'address spaces (no tables are in this dump)'
	report -s "$GPUSCOPE_CORPUS/error-state/tgl-0x9a49-linux5.15-head.txt"
	section dump '5.15.0-43-generic x86_64'
	section engines 'the source has no register'
	for trace in gen6-snb-0126 gen8-bdw-162e gen9-skl-1912; do
		report -s "$GPUSCOPE_CORPUS/aub/$trace.aub"
		expect_status 0
		section verdict 'a trace records what was submitted'
		section engines 'a trace has what was submitted, not what an engine did'
	done
	section commands 'rcs0 ring at ggtt:0x1000, submission 1'
	section commands '2 commands, 16 bytes'
	section commands 'rcs0 batch at ppgtt:0xfffefffdd000, started by the command at 0x1000'
	section map 'ring of rcs0'
fi
finish
