#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault --decode: the messages, the log and the captured registers of a GuC.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-report gpu-snap jq python3
corpus=${GPUSCOPE_CORPUS:-}

# rings FILE one|two TAIL-TO TAIL-FROM <LINES: a file with both rings; a line is a message
#	to|from OFFSET FENCE TYPE ACTION [DWORD]...
# one: both rings in one buffer, as those of i915; two: a buffer each. Offsets are dwords of the ring.
rings() {
	python3 -c '
import struct, sys
two = sys.argv[2] == "two"
start = {"to": 1024, "from": 3072 if two else 2048}
size = {"to": 1024, "from": 4096}
words = [0] * (start["from"] + size["from"])
for way, place, tail in (("to", 0, 3), ("from", 2560 if two else 512, 4)):
    words[place:place + 2] = [int(sys.argv[tail], 0)] * 2
for line in sys.stdin:
    way, *rest = line.split()
    at, fence, kind, action, *data = [int(word, 0) for word in rest]
    first = (way == "from") << 31 | kind << 28 | action
    for i, word in enumerate([fence << 16 | 1 + len(data), first, *data]):
        words[start[way] + (at + i) % size[way]] = word
open(sys.argv[1], "wb").write(struct.pack("<%dI" % len(words), *words))
' "$@"
}

title 'both layouts, requests with their answers'
for layout in one two; do
	rings "$work/ct" $layout 16 19 <<-'END'
		to 0 1 0 0x4502 1 2 4 1 0 0 0 0 0 0x9042019 0
		to 13 0 2 0x1000 2
		from 0 1 7 0x12
		from 2 0 1 0x1008 2
	from 16 0 1 0x1008 0xffffffff
		from 5 0 1 0x6002 0x08000001 0x3000 0x1000 0x7a
		from 11 0 1 0x9999 1 2 3
	END
	run gpu-fault -p lnl --decode guc-ct "$work/ct"
	expect_status 0
	expect_out_has '^\+0x01000  to    REGISTER_CONTEXT  KMD yes, .*CONTEXT_ID 2, ENGINE_CLASS compute, .*LRCA 0x9042019  -> success 0x12$'
	expect_out_has '  to    SCHED_CONTEXT  CONTEXT_ID 2$'
	expect_out_has '  from  CONTEXT_RESET_NOTIFICATION  CONTEXT_ID 2$'
	expect_out_has '  from  CONTEXT_RESET_NOTIFICATION  CONTEXT_ID unknown$'
	expect_out_has '  from  REPORT_PAGE_FAULT_REQ_DESC  .*ENGINE_CLASS compute, .*ASID 3, .*ADDRESS 0x7a00001000$'
	expect_out_has '  from  ACTION_0x9999  0x1 0x2 0x3$'
	expect_out_lacks 'no answer|overwritten|RESPONSE'
done

title 'no answer, a failure, what nobody has read'
rings "$work/ct" one 17 2 <<'END'
to 0 7 0 0x4100 0 0 0
to 5 8 0 0x1001 5 1
to 9 9 2 0x7000 33 0x80000003
to 13 0 2 0x4503 6
from 0 7 6 0x0201
END
run gpu-fault -p tgl --decode guc-ct "$work/ct"
expect_status 0
expect_out_has '^# 3 requests without an answer$'
expect_out_has '  to    GET_HWCONFIG  SIZE 0  -> failure 0x201: no table of attributes$'
expect_out_has '  to    SCHED_CONTEXT_MODE_SET  CONTEXT_ID 5, MODE enable  no answer$'
expect_out_has '  to    DEREGISTER_CONTEXT  CONTEXT_ID 6  no answer$'
run gpu-fault -p tgl --decode guc-ct --json "$work/ct"
expect_status 0
expect_json '[.decode, .engine, (.items[1] | .name, .way, .problem, [.fields[] | .name])]' \
	'["guc-ct",null,"SCHED_CONTEXT_MODE_SET","to","no answer",["CONTEXT_ID","MODE"]]'
cp "$out" "$work/guc.json"
expect_schemas
printf '\003\000\000\000' | dd of="$work/ct" bs=1 seek=0 conv=notrunc 2>/dev/null
run gpu-fault -p tgl --decode guc-ct "$work/ct"
expect_out_has '^# to the GuC: ring of 1024 dwords, head 3, tail 17, 14 dwords are not read'
expect_out_has '  to    DEREGISTER_CONTEXT  CONTEXT_ID 6  the GuC has not read it$'

title 'a ring that has begun again: the cut message is counted, the others are whole'
rings "$work/ct" one 2 0 <<'END'
to 0 0 2 0x4502 1 2 0 1 0 0 0 0 0 0x9042019 0
to 13 0 2 0x1000 9
to 1020 5 2 0x1000 3
to 1023 6 2 0x1000 4
END
run gpu-fault -p tgl --decode guc-ct -q "$work/ct"
expect_status 0
expect_out_has ' head 2, tail 2, 11 dwords of overwritten messages, older ones are gone$'
same 'contexts' "$(sed -n 's/.* SCHED_CONTEXT  CONTEXT_ID //p' "$out" | tr '\n' ' ')" '9 3 4 '
expect_out_has '^\+0x01ffc  to    SCHED_CONTEXT  CONTEXT_ID 4$'
expect_out_lacks 'REGISTER_CONTEXT|ACTION_'

title 'an answer that may have been in what is overwritten is not missing'
rings "$work/ct" one 12 8 <<'END'
to 0 0 2 0x1001 2 1
to 4 0 2 0x1001 2 0
to 8 0 2 0x7000 33 0x80000003
from 0 0 4 0x1002 2 1
from 4 0 1 0x1002 2 0
END
run gpu-fault -p tgl --decode guc-ct "$work/ct"
expect_status 0
expect_out_has '^# from the GuC: .*, 4 dwords of overwritten messages$'
expect_out_has '^# 1 request without an answer$'
expect_out_has '^# 1 request whose answer is lost, if there was one: '
expect_out_has ' SCHED_CONTEXT_MODE_SET  CONTEXT_ID 2, MODE enable  -> answer lost$'
expect_out_has ' SCHED_CONTEXT_MODE_SET  CONTEXT_ID 2, MODE disable  -> done$'
expect_out_has ' TLB_INVALIDATION .* no answer$'

title 'what is none'
head -c 5000 "$work/ct" >"$work/cut"
run gpu-fault -p tgl --decode guc-ct "$work/cut"
expect_status 1
expect_err_line 'gpu-fault: guc-ct: not the rings of a GuC: *'
run gpu-fault -p tgl --decode guc-log "$work/cut"
expect_status 0
run gpu-fault -p tgl --decode guc-capture "$work/cut"
expect_status 3
run gpu-fault -p tgl --decode guc-lfd "$work/cut"
expect_status 1
run gpu-fault --decode guc-ct -s demo:skl-hang
expect_status 3

title 'a file of the log'
python3 - "$work/lfd" <<'END'
import struct, sys
def block(kind, data): return struct.pack("<II", kind << 16 | 0x8086, len(data) // 4) + data
data = struct.pack("<QI", 0x8086aaaa474c5346, 1 << 16)
data += block(1, struct.pack("<I", 0x462c01)) + block(0x4000, struct.pack("<I", 2) + b"7.2.12\0\0")
data += block(0x2000, struct.pack("<III", 1, 0x1234, 0))
open(sys.argv[1], "wb").write(data)
END
run gpu-fault -p lnl --decode guc-lfd "$work/lfd"
expect_status 0
expect_out_has '^\+0x0000c  BLOCK  70\.44\.1$'
expect_out_has '^\+0x00018  BLOCK  7\.2\.12$'
expect_out_has '^\+0x[0-9a-f]*  EVENTS  .*00001234'

# core FILE SOURCE <LINES: a core dump of xe whose queue has context 2 at 0xe65000 on rcs0; SOURCE is Manual, GuC
# or none (without engines). A line is a message of the GuC, a request that it has read or not, or a list that it
# captured:
#	from|to|unread ACTION [DWORD]...
#	crash BYTES
#	capture GROUP TYPE CLASS LRCA CONTEXT [OFFSET=VALUE[/SLICE.SUBSLICE]]...
core() {
	python3 -c '
import struct, sys
def text(words):
    out = ""
    for word in words:
        digits = ""
        for i in range(5):
            digits, word = chr(33 + word % 85) + digits, word // 85
        out += "z" if digits == "!!!!!" else digits
    return out
def blob(name, words):
    return "[%s].length: 0x%x\n[%s].data: %s\n" % (name, len(words) * 4, name, text(words))
ring, groups, crash = [0] * (3072 + 4096), {}, 0
tails, head = {0: 0, 1: 0}, 0
for line in sys.stdin:
    way, *rest = line.split()
    if way == "crash":
        crash = int(rest[0])
    elif way == "capture":
        group, kind, of, lrca, context = [int(word, 0) for word in rest[:5]]
        registers = []
        for word in rest[5:]:
            place, _, unit = word.partition("/")
            offset, value = [int(number, 0) for number in place.split("=")]
            slice, _, sub = unit.partition(".")
            flags = 2 | int(slice) << 12 | int(sub) << 20 if unit else 0
            registers += [offset, value, flags, 0]
        groups.setdefault(group, []).append(
            [0, kind | of << 4, lrca, context, len(registers) // 4] + registers)
    else:
        words, back = [int(word, 0) for word in rest], way == "from"
        message = [tails[0] << 16 | len(words), back << 31 | back << 28 | words[0]] + words[1:]
        at = (3072 if back else 1024) + tails[back]
        ring[at:at + len(message)] = message
        tails[back] += len(message)
        if way == "to":
            head = tails[0]
ring[0:2], ring[2560:2562] = [head, tails[0]], [tails[1], tails[1]]
part = sum([sum(lists, [0, len(lists)]) for _, lists in sorted(groups.items())], [])
log = [0] * (1024 + 1024 + 2048)
log[9 + 3:9 + 5], log[18 + 3:18 + 5] = [crash, 4096], [len(part) * 4, 8192]
log[2048:2048 + len(part)] = part
batch = [0x10000002, 0x20000040, 0, 1, 0, 0x18800101, 0x10000010, 0] + [0] * 1016
print("""**** Xe Device Coredump ****
Reason: Timedout job - seqno=1, lrc_seqno=1, guc_id=2, flags=0x0
kernel: 7.2.0
module: xe
Process: hang [174]
PCI ID: 0x64a0
PCI revision: 0x04
**** GT #0 ****
**** GuC Log ****""")
print(blob("LOG", log), end="")
print("**** GuC CT ****")
print(blob("CTB", ring), end="")
print("""**** Contexts ****
GuC ID: 2
	Name: rcs2
	Class: 0
	Logical mask: 0x1
	Width: 1
	HW Context Desc: 0x00e65000
	HW Ring address: 0x00e61000
	Start seqno: (memory) 1
	Seqno: (memory) -128
**** Job ****
batch_addr[0]: 0x0000000010000000
**** HW Engines ****""")
if sys.argv[2] != "none":
    print("""rcs0 (physical), logical instance=0
	Capture_source: %s
	Coverage: full-capture
	RING_HEAD: 0x00000000
	RING_TAIL: 0x00000000
	RING_CTL: 0x00000000
	RING_START: 0x0000000000000000
	IPEHR: 0x00000000
	ACTHD: 0x0000000000000000""" % sys.argv[2])
print("**** VM state ****")
print(blob("10000000", batch), end="")
' "$@" >"$1"
}
own='0x34=0x54 0x30=0x98 0x3c=0x3001 0x38=0xe61000 0x68=0x18800101 0x74=0x10000014 0x5c=0'
of_guc='^guc +registers of rcs0: from the GuC.s capture, before the reset$'

title 'registers that the driver read after the reset give way to those that the GuC captured'
for source in Manual none; do
	core "$work/core" "$source" <<-END
		from 0x8002 0
		from 0x1008 2
		capture 0 0 0 0 0xffffffff 0xa188=1
		capture 0 1 0 0 0xffffffff 0x7100=0xfffffffe/0.0 0x7100=0xfffffffd/1.3
		capture 0 2 0 0xe65000 2 $own
	END
	run gpu-fault "$work/core"
	expect_out_has '^rcs0 hangs in a loop of the batch at ppgtt:0x10000000: '
	expect_out_has "$of_guc"
	expect_out_has ' at +acthd ppgtt:0x10000014, ipehr 0x18800101$'
	expect_out_has ' WMFE of slice 1, subslice 3$'
	expect_out_lacks 'after the reset|read after'
done
run gpu-fault --decode guc-capture "$work/core"
expect_out_has '^    one copy of several: slice 1, subslice 3, by the GuC$'
run gpu-regdump -q "$work/core" 0x2034 SC_INSTDONE
expect_out_has '^0x002034  0x00000054  rcs0\.RING_BUFFER_HEAD$'
expect_out_has '^0x007100  0xfffffffe  rcs0\.SC_INSTDONE$'
run gpu-batch "$work/core"
expect_out_has '^0x10000014: .*<- ACTHD$'
printf 'from guc-capture:%s\nrcs0.RING_BUFFER_HEAD\n' "$work/core" | gpu-sh >"$work/shell" 2>&1
grep -q '0x00000054  rcs0\.RING_BUFFER_HEAD' "$work/shell" || fail "$(cat "$work/shell")"

title 'but not those of another hang, engine or context, nor what is from the GuC already'
# other TEXT SOURCE <LINES
other() {
	core "$work/core" "$2"
	run gpu-fault "$work/core"
	expect_out_lacks "registers of" "$1"
}
other 'of a context that had the number before' Manual <<-END
	from 0x8002 0
	from 0x1008 2
	from 0x4600 2
	capture 0 2 0 0xe65000 2 $own
END
other 'the newest is of another context' Manual <<-END
	from 0x4600 2
	from 0x8002 0
	capture 0 2 0 0xe65000 2 $own
	capture 1 2 3 0xe70000 3 $own
END
other 'another address' Manual <<-END
	from 0x8002 0
	capture 0 2 0 0xe66000 2 $own
END
other 'another engine' Manual <<-END
	from 0x8002 0
	capture 0 2 3 0xe65000 2 $own
END
other 'no room in the log' Manual <<-END
	from 0x8002 1
	capture 0 2 0 0xe65000 2 $own
END
other 'the text is of the GuC' GuC <<-END
	from 0x8002 0
	capture 0 2 0 0xe65000 2 $own
END

title 'what the GuC reported is in the verdict where it is the reason'
# says SOURCE SIGNATURE PATTERN <LINES
says() {
	core "$work/core" "$1"
	run gpu-fault --json "$work/core"
	expect_json .signature "\"$2\""
	run gpu-fault -q "$work/core"
	expect_out_has "$3"
}
says none 'lnl/-/-/guc-crash' '^The GuC crashed: NOTIFY_EXCEPTION\. ' <<-END
	from 0x8005 0
END
says Manual 'lnl/-/-/guc-crash' '^The GuC crashed: NOTIFY_CRASH_DUMP_POSTED; rcs0 hangs' <<-END
	from 0x8004 0
END
says none 'lnl/-/-/guc-crash' '^The GuC crashed: its log has a crash dump\. ' <<-END
	crash 64
END
says Manual 'lnl/rcs0/-/hang' '^rcs0 hangs' <<-END
	crash 64
END
says none 'lnl/-/-/guc-messages' '^The GuC has not read 2 requests, the last is DEREGISTER_CONTEXT\. ' <<-END
	unread 0x1000 2
	unread 0x4503 2
END
says none 'lnl/-/-/guc-request' '^The GuC has not answered 1 request, the last is SCHED_CONTEXT_MODE_SET\. ' <<-END
	to 0x1001 2 0
END
says Manual 'lnl/rcs0/-/hang' '^rcs0 hangs' <<-END
	to 0x1001 2 0
END
says none 'lnl/-/-/reset-failed' '^The GuC could not reset an engine: ENGINE_FAILURE_NOTIFICATION of bcs0\. ' <<-END
	from 0x1009 3 0 5
END
says Manual 'lnl/rcs0/-/cat' '; the GuC reported a memory access of the hung context that could not be translated' <<-END
	from 0x6000 2 3
END
says Manual 'lnl/rcs0/-/hang' '^rcs0 hangs, its batch at ppgtt:0x10000000; its registers [^;]*; fault' <<-END
	from 0x6000 2 3
	from 0x4600 2
END
says none 'lnl/-/-/cat' '^The GuC reported a memory access of the hung context that .*\(CAT error\)\. ' <<-END
	from 0x6000 2 3
END
says none 'lnl/-/-/guc-crash' '^The GuC crashed: NOTIFY_EXCEPTION\. ' <<-END
	from 0x6000 2 3
	from 0x8005 0
END
says none 'lnl/-/-/guc-crash' '^The GuC crashed: NOTIFY_CRASH_DUMP_POSTED\. ' <<-END
	from 0x8004 0
	from 0x1009 3 0 5
END
says none 'lnl/-/-/ppgtt-fault' '^A page fault of rcs0 that the driver did not resolve: ' <<-END
	from 0x6002 1 0x3000 0x1000 0x7a
END
says Manual 'lnl/rcs0/-/ppgtt-fault' '; a page fault of rcs0 that the driver did not resolve: read at' <<-END
	from 0x6002 1 0x3000 0x1000 0x7a
END
run gpu-fault "$work/core"
expect_out_has '^guc +a page fault of rcs0 that the driver did not resolve: read at ppgtt:0x7a00001000, ASID 3: not present$'

title 'who reset the engine'
core "$work/core" Manual <<-END
	from 0x1008 2
	to 0x100b 2 0x20020001 1
	to 0x1001 2 0
	from 0x1002 2 0
END
run gpu-fault "$work/core"
expect_out_has "CONTEXT_RESET_NOTIFICATION of context 2, which hung: hang \[174\]; by the GuC's own time-out$"
core "$work/core" Manual <<-END
	from 0x1008 2
	to 0x1001 2 0
	from 0x1002 2 0
END
run gpu-fault "$work/core"
expect_out_has 'CONTEXT_RESET_NOTIFICATION of context 2, which hung: hang \[174\]$'

title 'the messages as a sequence: what went wrong is not drawn as if it had not'
core "$work/core" Manual <<-END
	from 0x8002 1
	from 0x1009 3 0 5
	from 0x1009 0 0 5
	from 0x6000 0xffffffff
END
run gpu-report "$work/core" -o "$work/page.html"
grep -q '<text class="bad"[^>]*>no space<' "$work/page.html" || fail 'no space'
same 'engines' "$(grep -c '>ENGINE_FAILURE_NOTIFICATION<' "$work/page.html")" 2
grep -q '>NOTIFY_MEMORY_CAT_ERROR<[^>]*> unknown context<' "$work/page.html" || fail 'unknown context'

title 'a number of a context is used again'
core "$work/core" Manual <<-END
	from 0x1008 2
	from 0x1008 2
	from 0x4600 2
	from 0x1008 3
	from 0x1008 2
	from 0x1008 2
	from 0x6000 2
	from 0x4600 2
	from 0x6000 0xffffffff
END
run gpu-fault "$work/core"
expect_out_has 'CONTEXT_RESET_NOTIFICATION of an earlier context 2; the last of 2; 3 of other contexts before$'
expect_out_has 'NOTIFY_MEMORY_CAT_ERROR of an unknown context; 1 of other contexts before$'

title 'a source of captured registers alone'
core "$work/core" Manual <<END
from 0x8002 0
from 0x1008 1
from 0x8002 0
from 0x1008 2
capture 0 2 3 0xe70000 1 0x34=0x11 0x74=0x22
capture 1 2 0 0xe65000 2 $own
END
run gpu-regdump -q -s "guc-capture:$work/core" RING_BUFFER_HEAD
expect_out_has '^0x002034  0x00000054  rcs0\.'
expect_out_has '^0x022034  absent'
run gpu-regdump -q -s "guc-capture:$work/core@0" RING_BUFFER_HEAD
expect_out_has '^0x022034  0x00000011  bcs0\.'
expect_out_has '^0x002034  absent'
run gpu-regdump -q -s "guc-capture:$work/core@2"
expect_status 3
expect_err_line "gpu-regdump: guc-capture:$work/core@2: no such capture of the GuC; *"
run gpu-regdump -q -s guc-capture:
expect_status 2
gpu-snap save -q -s "$work/core" -o "$work/core.tar"
run gpu-regdump -q -s "guc-capture:$work/core.tar"
expect_status 1
expect_err_line "gpu-regdump: guc-capture:$work/core.tar: no error state and no core dump"
run gpu-regdump -q -s "$work/core.tar" 0x2034
expect_out_has '^0x002034  0x00000054  '
run gpu-regdump -q --diff "guc-capture:$work/core@0" "guc-capture:$work/core" RING_BUFFER_HEAD
expect_out_has 'RING_BUFFER_HEAD'

title 'until Linux 6.12: only messages that nobody has read'
old_buffers() {
	cat <<-END
		**** GT #0 ****
		**** GuC CT ****
		H2G CTB (all sizes in DW):
			size: 1024
			head (memory): 1022
			tail (memory): 2
			status (memory): 0x0
			cmd[1022]: 0x80520003
			cmd[1023]: 0x20001001
			cmd[0]: 0x00000003
			cmd[1]: 0x00000001
		$1
		G2H CTB (all sizes in DW):
			size: 4096
			head (memory): 0
			tail (memory): 3
			status (memory): 0x0
			cmd[0]: 0x00000002
			cmd[1]: 0x90001008
			cmd[2]: 0x00000007
	END
}
old_buffers >"$work/old"
run gpu-fault -p tgl --decode guc-ct "$work/old"
expect_status 0
expect_out_has '^# guc-ct, 24576 bytes \(gt0/guc-ct\.bin\)$'
expect_out_has '^# to the GuC: ring of 1024 dwords, head 1022, tail 2, 4 dwords are not read'
expect_out_has '^\+0x01ff8  to    SCHED_CONTEXT_MODE_SET  CONTEXT_ID 3, MODE enable  the GuC has not read it$'
expect_out_has '^\+0x02000  from  CONTEXT_RESET_NOTIFICATION  CONTEXT_ID 7  the driver has not read it$'
run gpu-fault -p tgl "$work/old"
expect_out_has '^guc  .*the GuC has not read 1 request, the last is SCHED_CONTEXT_MODE_SET$'
# A place beyond the ring, and a ring that is too large.
old_buffers '	cmd[1024]: 0x1' | sed 's/size: 4096/size: 65536/' >"$work/old"
run gpu-fault -p tgl --decode guc-ct "$work/old"
expect_status 1
expect_err_line 'gpu-fault: guc-ct: not the rings of a GuC: *'

# Where a core dump says that its registers are from the GuC, the log has them with the same values.
[ -d "$corpus/driver-made-7.2" ] || finish
title 'what the GuC reported is told with the dump'
xz -dc "$corpus/driver-made-7.2/xe-7.2-lnl-core-away-vcs0.xz" >"$work/core"
run gpu-fault "$work/core"
expect_out_has '^guc  .*CONTEXT_RESET_NOTIFICATION of context 0, which hung: hang-xe \[449\]; 2 of other contexts before$'
expect_out_has '^guc  .*NOTIFY_MEMORY_CAT_ERROR of context 0, which hung: hang-xe \[449\]$'
expect_out_has '^vcs0 hangs at 0x30000000 after it left its batch: .*; the GuC reported a memory access of the hung context that could not be translated \(CAT error\); '

title 'captured registers are those of the text'
# values SPEC: lines ADDRESS VALUE of all registers with a value
values() {
	gpu-regdump -q -s "$1" --json | jq -r '.registers[] | select(.value) | "\(.offset) \(.value)"' | sort
}
checked=0
for file in "$corpus"/driver-made-7.2/*-core-*.xz "$corpus"/driver-made-7.2/i915*guc*error*.xz; do
	xz -dc "$file" >"$work/core"
	grep -qE 'Capture_source: GuC|GuC Error Capture on' "$work/core" || continue
	values "$work/core" >"$work/text"
	values "guc-capture:$work/core" >"$work/captured"
	join "$work/text" "$work/captured" >"$work/both"
	[ "$(wc -l <"$work/both")" -ge 27 ] || fail "$file: only $(wc -l <"$work/both") registers are in both"
	awk '$2 != $3' "$work/both" >"$work/differ"
	[ ! -s "$work/differ" ] || fail "$file: $(cat "$work/differ")"
	checked=$((checked + 1))
done
[ "$checked" -ge 10 ] || fail "only $checked dumps have captured registers"

title 'without them in the text, the verdict of i915 stays'
for file in "$corpus"/driver-made-7.2/i915*guc*error*.xz; do
	xz -dc "$file" >"$work/core"
	grep -q 'GuC Error Capture on' "$work/core" || continue
	gpu-fault -q "$work/core" >"$work/whole"
	sed 's/^global --- GuC Error Capture on \([a-z0-9]*\).*/  Missing GuC capture node for \1/
		/^Coverage: /,/^  hung: /{/^  hung: /!d}' "$work/core" >"$work/missing"
	run gpu-fault -q "$work/missing"
	same "$file" "$(cat "$out")" "$(cat "$work/whole")"
done
finish
