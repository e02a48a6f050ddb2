#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault --decode: the messages, the log and the captured registers of a GuC.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-snap jq python3
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
	rings "$work/ct" $layout 16 16 <<-'END'
		to 0 1 0 0x4502 1 2 4 1 0 0 0 0 0 0x9042019 0
		to 13 0 2 0x1000 2
		from 0 1 7 0x12
		from 2 0 1 0x1008 2
		from 5 0 1 0x6002 0x08000001 0x3000 0x1000 0x7a
		from 11 0 1 0x9999 1 2 3
	END
	run gpu-fault -p lnl --decode guc-ct "$work/ct"
	expect_status 0
	expect_out_has '^\+0x01000  to    REGISTER_CONTEXT  KMD yes, .*CONTEXT_ID 2, ENGINE_CLASS compute, .*LRCA 0x9042019  -> success 0x12$'
	expect_out_has '  to    SCHED_CONTEXT  CONTEXT_ID 2$'
	expect_out_has '  from  CONTEXT_RESET_NOTIFICATION  CONTEXT_ID 2$'
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
expect_out_has '^# to the GuC: ring of 1024 dwords, head 3, tail 17, 14 dwords are not read$'
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

# Where a core dump says that its registers are from the GuC, the log has them with the same values.
[ -d "$corpus/driver-made-7.2" ] || finish
title 'what the GuC reported is told with the dump'
xz -dc "$corpus/driver-made-7.2/xe-7.2-lnl-core-away-vcs0.xz" >"$work/core"
run gpu-fault "$work/core"
expect_out_has '^guc  .*CONTEXT_RESET_NOTIFICATION of context 0, the queue of this dump; the last of 3$'
expect_out_has '^guc  .*NOTIFY_MEMORY_CAT_ERROR of context 0, the queue of this dump$'

title 'captured registers are those of the text'
checked=0
for file in "$corpus"/driver-made-7.2/*-core-*.xz; do
	xz -dc "$file" >"$work/core"
	grep -q 'Capture_source: GuC' "$work/core" || continue
	gpu-fault --decode guc-capture -q "$work/core" >"$work/captured"
	sed -n '/Capture_source: GuC/,/^$/s/^	\(RING_[A-Z_]*\): 0x0*\([0-9a-f]*\)$/\1 \2/p' "$work/core" |
	while read -r name value; do
		case $name in
		RING_HEAD) name=RING_BUFFER_HEAD ;;
		RING_TAIL) name=RING_BUFFER_TAIL ;;
		RING_START) name=RING_BUFFER_START ;;
		*) continue ;;
		esac
		grep -q "^0x[0-9a-f]*  0x0*$value  [a-z]*[0-9]\.$name\$" "$work/captured" ||
			echo "$file: $name $value" >>"$work/differ"
	done
	checked=$((checked + 1))
done
[ "$checked" -gt 0 ] || fail 'no dump has captured registers'
[ ! -e "$work/differ" ] || fail "$(cat "$work/differ")"
finish
