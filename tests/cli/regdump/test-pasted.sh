#!/bin/sh
# SPDX-License-Identifier: MIT
# Text as people paste it: a page with a log, a dump and lspci's rows; logs as sources; the same text
# as mails, editors and web pages have it; logs of other tools.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-regdump jq python3

cat >"$work/log" <<'LOG'
[   12.000001] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [77]
[   12.000002] i915 0000:00:02.0: [drm] Resetting rcs0 for stopped heartbeat on rcs0
LOG
cat >"$work/state" <<'STATE'
GPU HANG: ecode 9:1:85dffffb, in game [77]
Kernel: 5.15.0 x86_64
PCI ID: 0x1912
EIR: 0x00000000
rcs0 command stream:
  START: 0x00010000
  HEAD:  0x00000040 [0x00000000]
  TAIL:  0x00000080 [0x00000000, 0x00000000]
  ACTHD: 0x00000000 00010040
  IPEHR: 0x7a000004
STATE
cat >"$work/rows" <<'ROWS'
00:02.0 VGA compatible controller: a GPU
00: 86 80 12 19 07 04 10 00 06 00 00 03 00 00 00 00
10: 04 00 00 f7 00 00 00 00 0c 00 00 e0 00 00 00 00
ROWS

title 'a log is a source, alone, of -s, one of several, packed'
run gpu-fault "$work/log"
expect_status 0
expect_out_has '^hang       rcs0  .*line 1  \[12.000001\]$'
expect_out_has '^reset      rcs0  .*line 2 '
run gpu-fault -s "$work/log"
expect_status 0
expect_out_has '^reset      rcs0  .*line 2 '
if built_with gzip; then
	gzip -c "$work/log" >"$work/log.gz"
	run gpu-fault --json "$work/log.gz"
	expect_status 0
	expect_json '[.faults[].kind]' '["hang","reset"]'
fi
run gpu-fault --json "$work/log" "$work/state" "$work/state"
expect_status 0
same 'a document each' "$(jq -r 'select(.schema) | .platform' "$out" | tr '\n' ' ')" \
	'null skl skl '

title 'a dump and its log, in any order, are one answer'
for files in "$work/state -s $work/log" "$work/log -s $work/state" "-s $work/state -s $work/log" \
	"$work/state -s $work/log -s $work/log"; do
	# shellcheck disable=SC2086
	run gpu-fault --json $files
	expect_status 0
	expect_json '.platform' '"skl"'
	expect_json '.engines[] | select(.name == "rcs0") | .state' '"hung"'
	expect_json '[.log[] | [.kind, .line]][0:2]' '[["hang",1],["reset",2]]'
	expect_json '.log_line' '1'
done
sed 's/^Kernel:/Boottime: 31 s 900000 us\n&/' "$work/state" >"$work/timed"
{
	cat "$work/log"
	sed 's/\[   12/[   32/' "$work/log"
} >"$work/again"
run gpu-fault "$work/timed" -s "$work/again"
expect_status 0
expect_out_has '^this dump: the hang on line 3 \[32.000001\], its time differs by 0.1 s from that of the dump$'
sed 's/^Kernel:/Boottime: 99 s 0 us\n&/' "$work/state" >"$work/timed"
run gpu-fault --json "$work/timed" -s "$work/again"
expect_json '.log_line' 'null'
run gpu-fault "$work/timed" -s "$work/log"
expect_out_has '^this dump: the hang on line 1 \[12.000001\], matched by its code, not by its time$'
run gpu-fault -v "$work/state"
expect_out_lacks '^gpu '
sed 's/^EIR:/EU total: 24\nis_mobile: yes\nhas_llc: no\n&/' "$work/state" >"$work/flags"
run gpu-fault -v "$work/flags"
expect_out_has '^gpu      EU total: 24$'
expect_out_lacks 'has_llc'
run gpu-fault --json "$work/flags"
expect_json '[.about[] | select(.name == "gpu") | .text]' '["EU total: 24","is_mobile: yes"]'
run gpu-fault "$work/flags"
expect_out_lacks '^gpu '

title "an engine's registers in a log of i915, and in a file of debugfs"
registers() {
	cat <<'REGISTERS'
	Awake? 3
	Reset count: 0 (global 0)
	Requests:
		hung1c:2  prio=0 @ 9500ms: game[77]
		ring->start:  0x00012000
[head 0040, postfix 0078, tail 0080, batch 0x00000000_00100000]:
[0000] 7a000004 00100002 00000000 00000000
	MMIO base:  0x00002000
	RING_START: 0x00012000
	RING_HEAD:  0x00000060
	RING_TAIL:  0x00000080
	RING_CTL:   0x00003001
	RING_MODE:  0x00000200 [idle]
	RING_IMR:   0xfffffefe
	ACTHD:  0x00000001_00100040
	BBADDR: 0x00000000_00100041
	IPEHR: 0x7b000005
	Execlist status: 0x00018001 00000020; CSB read:5, write:5, entries:6
Idle? no
REGISTERS
}
{
	echo '[    2.100000] i915 0000:00:02.0: [drm] Found SKYLAKE (device ID 1912) display 9.00'
	echo '[   90.000001] heartbeat rcs0 heartbeat {seqno:8:42, prio:-32} not ticking'
	registers | sed 's/^/[   90.000002] heartbeat /'
	echo '[   91.000001] heartbeat rcs0 heartbeat {seqno:8:43, prio:-32} not ticking'
	registers | sed 's/^/[   91.000002] heartbeat /; s/0x00000060/0x00000000/'
	echo "[   92.000001] __intel_gt_set_wedged vcs'0"
	registers | sed 's/^/[   92.000002] __intel_gt_set_wedged /; s/0x00012000/0x00013000/'
} >"$work/engines.log"
for file in engines.log engines.page; do
	run gpu-fault --json "$work/$file"
	expect_status 0
	expect_json '.platform' '"skl"'
	expect_json '.engines[] | select(.name == "rcs0") | [.state, .head, .start, .acthd]' \
		'["hung","0x60","0x12000","0x100100040"]'
	expect_json '.engines[] | select(.name == "vcs0") | .start' '"0x13000"'
	expect_json '[.log[] | select(.kind == "dump") | .engine]' '["rcs0","rcs0","vcs0"]'
	run gpu-regdump --from "$work/$file" --json rcs0.MI_MODE rcs0.EXECLIST_STATUS_LO \
		rcs0.EXECLIST_STATUS_HI
	expect_json '[.registers[].value]' '["0x200","0x18001","0x20"]'
	{
		printf 'Hello,\n\nthis is my log:\n\n'
		cat "$work/engines.log"
		printf '\nand lspci -x:\n\n'
		cat "$work/rows"
		printf '\nBye\n'
	} >"$work/engines.page"
done
{
	echo rcs0
	registers
} >"$work/engines.txt"
run gpu-fault -p skl --json "$work/engines.txt"
expect_status 0
expect_json '.engines[] | select(.name == "rcs0") | [.state, .head]' '["unknown","0x60"]'
run gpu-fault "$work/engines.txt"
expect_status 0
expect_err_line 'gpu-fault: warning: platform: not in the dump; its driver i915 with execlists fits bdw, *'
grep -v 'device ID' "$work/engines.log" >"$work/nameless.log"
run gpu-fault "$work/nameless.log"
expect_out_has '^rcs0 hangs at 0x100100040 in 3DPRIMITIVE '
# Rings without execlists are those of many generations.
grep -v 'Execlist' "$work/nameless.log" >"$work/old.log"
mv "$work/old.log" "$work/nameless.log"
run gpu-fault "$work/nameless.log"
expect_err_line '*: no PCI id, so its 18 registers have no address: give -p*'
expect_out_has "^to see its registers: gpu-fault -s $work/nameless.log -p PLATFORM \(gpu-db list --platforms lists them\)$"

echo "so sie 12 08:21:38 2017] [drm] GPU HANG: ecode 9:1:85dffffb, in game [77]" >"$work/dated"
run gpu-fault --json "$work/dated"
expect_status 0
expect_json '[.faults[].kind]' '["hang"]'

title 'a page is taken apart: the log, the dump and the identity together'
{
	printf 'Hi,\n\nmy screen stops:\n\n'
	cat "$work/log"
	printf '\nThe error state:\n\n'
	cat "$work/state"
	printf '\nand lspci:\n\n'
	cat "$work/rows"
	printf '\nBye\n'
} >"$work/page"
run gpu-fault "$work/page"
expect_status 0
expect_out_has 'page: lines 23-25, .*page: lines 10-21, .*page: lines 5-6$'
expect_out_has '^hang     ecode 9:1:85dffffb, in game \[77\]'
expect_out_has '^## kernel log$'
expect_out_has '^reset      rcs0  .*line 6 '
run gpu-fault --json "$work/page"
expect_status 0
expect_json '.platform' '"skl"'
expect_json '.engines[] | select(.name == "rcs0") | .state' '"hung"'
expect_json '[.log[] | [.kind, .line]]' '[["hang",5],["reset",6]]'
run gpu-regdump --from "$work/page" rcs0.RING_BUFFER_START --json
expect_status 0
expect_json '.registers[0].value' '"0x10000"'

title 'mails, editors, web pages: the same answer'
run gpu-fault --json "$work/page"
jq 'del(.source)' "$out" >"$work/plain.json"
while read -r name; do
	python3 - "$name" "$work/page" "$work/$name.txt" <<'CHANGE'
import base64, html, quopri, sys
text = open(sys.argv[2]).read()
def each(prefix): return ''.join(prefix(n, line) + '\n' for n, line in enumerate(text.splitlines(), 1))
changed = {
    'quoted': lambda: each(lambda n, l: '>> ' + l),
    'numbered': lambda: each(lambda n, l: f'{n}:{l}'),
    'listed': lambda: each(lambda n, l: f'{n:6}\t{l}'),
    'added': lambda: each(lambda n, l: '+' + l),
    'table': lambda: each(lambda n, l: f'| {l} |'),
    'web': lambda: '<pre>' + html.escape(text) + '</pre>\n',
    'wide': lambda: text.encode('utf-16'),
    'dos': lambda: text.replace('\n', '\r\n'),
    'blanks': lambda: text.replace(' ', '\u00a0'),
    'printable': lambda: b'\n' + quopri.encodestring(text.encode()),
}[sys.argv[1]]()
open(sys.argv[3], 'wb').write(changed if isinstance(changed, bytes) else changed.encode())
CHANGE
	run gpu-fault --json "$work/$name.txt"
	expect_status 0
	same "$name" "$(jq -c 'del(.source, .log_line, .log[].line)' "$out")" \
		"$(jq -c 'del(.log_line, .log[].line)' "$work/plain.json")"
done <<'NAMES'
quoted
numbered
listed
added
table
web
wide
dos
blanks
printable
NAMES

title 'inteltool: the chipset has no registers of the GPU, the section IGD has'
cat >"$work/tool" <<'TOOL'
CPU: ID 0x306c3, Processor Type 0x0
Northbridge: 8086:0c04 (4th generation)
IGD: 8086:0416 (Haswell)

============= RCBA ==============

RCBA = 0xfed1c000 (MEM)

0x2030: 0x82000044
0x4080: 0xb2030400

TOOL
run gpu-fault "$work/tool"
expect_status 3
run gpu-regdump --from "$work/tool" --json rcs0.RING_BUFFER_TAIL
expect_json '.platform' '"hsw"'
expect_json '.registers[0].status' '"absent"'
cat >>"$work/tool" <<'TOOL'
============= IGD ==============

IGD MMIO = 0xf7800000 (MEM)

0x002030: 0x00000040
TOOL
run gpu-regdump --from "$work/tool" --json rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '.registers[0].value' '"0x40"'

finish
