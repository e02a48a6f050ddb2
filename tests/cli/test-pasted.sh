#!/bin/sh
# SPDX-License-Identifier: MIT
# Text as people paste it: a page with a log, a dump and lspci's rows; logs as sources; the same text
# as mails, editors and web pages have it; logs of other tools.
. "$(dirname "$0")/lib.sh"
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
expect_out_has '^hang       rcs  line 1  \[12.000001\]$'
expect_out_has '^reset      rcs0  line 2 '
run gpu-fault -s "$work/log"
expect_status 0
expect_out_has '^reset      rcs0  line 2 '
gzip -c "$work/log" >"$work/log.gz"
run gpu-fault --json "$work/log.gz"
expect_status 0
expect_json '[.faults[].kind]' '["hang","reset"]'
run gpu-fault --json "$work/log" "$work/state"
expect_status 0
same 'a document each' "$(jq -r 'select(.schema) | .platform' "$out" | tr '\n' ' ')" 'null skl '

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
expect_out_has '^reset      rcs0  line 6 '
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
	same "$name" "$(jq -c 'del(.source) | del(.log[].line)' "$out")" \
		"$(jq -c 'del(.log[].line)' "$work/plain.json")"
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
