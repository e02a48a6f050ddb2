#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --diff: two sources, field by field, or the documented reset values and one.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/a" skl 0x2030 0x150 0x203c 0x1f001 0x2038 0x7000 0x2358 0x1111
make_bar "$work/b" skl 0x2030 0x150 0x203c 0x0f001 0x2038 0x8000 0x2358 0x2222 0x22030 0x28
a=bar:$work/a
b=bar:$work/b

title 'two images'
run gpu-regdump -p skl --json --diff "$a" "$b"
expect_status 0
expect_err_empty
expect_json '.schema' '"gpuscope.regdump/1"'
expect_json '.platform' '"skl"'
expect_json '[.a, .b]' "[\"$a\",\"$b\"]"
expect_json 'has("source")' true
expect_json 'has("registers")' false
expect_json '[.differences[] | [.offset, .a, .b]]' \
	'[["0x2038","0x7000","0x8000"],["0x203c","0x1f001","0xf001"],["0x22030","0x0","0x28"]]'
expect_json '.differences[1].fields' \
	'[{"name":"BUFFER_LENGTH","hi":20,"lo":12,"a":"0x1f","b":"0xf"}]'
expect_json '[.differences[1].name] | .[0] | test("RING_BUFFER_CONTROL$")' true

title 'what always moves is left apart, unless it is asked for'
expect_json '[.differences[] | select(.offset == "0x2358")]' '[]'

title 'text'
run gpu-regdump -p skl --diff "$a" "$b"
expect_status 0
expect_out_has 'RING_BUFFER_CONTROL'
expect_out_has 'BUFFER_LENGTH'
expect_out_lacks 'RING_BUFFER_TAIL.*0x0*150'

title 'SELECTOR'
run gpu-regdump -p skl --json --diff "$a" "$b" 'rcs0.RING_BUFFER_*'
expect_status 0
expect_json '[.differences[] | .offset]' '["0x2038","0x203c"]'
run gpu-regdump -p skl --json --diff "$a" "$b" 0x203c
expect_json '[.differences[] | .offset]' '["0x203c"]'
run gpu-regdump -p skl --json --diff "$a" "$b" 0x2030-0x203f
expect_json '[.differences[] | .offset]' '["0x2038","0x203c"]'
run gpu-regdump -p skl --json --diff "$a" "$b" rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '.differences' '[]'
run gpu-regdump -p skl --json --diff "$a" "$b" rcs0.RING_BUFFER_CONTROL:RING_BUFFER_ENABLE
expect_status 0
expect_json '.differences' '[]'

title 'no difference'
run gpu-regdump -p skl --diff "$a" "$a"
expect_status 0
expect_err_empty
run gpu-regdump -p skl --json --diff "$a" "$a"
expect_status 0
expect_json '.differences' '[]'

title 'NDJSON'
run gpu-regdump -p skl --ndjson --diff "$a" "$b"
expect_status 0
same 'lines' "$(wc -l <"$out")" 4
same 'the head' "$(head -n 1 "$out" | jq -c '[.schema, .a, has("differences")]')" \
	"[\"gpuscope.regdump/1\",\"$a\",false]"
same 'the first element' "$(sed -n 2p "$out" | jq -r .offset)" 0x2038

title 'reset'
run gpu-regdump -p skl --json --diff reset "$a" 'rcs0.RING_BUFFER_*'
expect_status 0
expect_json '[.a, .b]' "[\"reset\",\"$a\"]"
expect_json '[.differences[] | select(.offset == "0x2030") | [.a, .b]]' '[["0x0","0x150"]]'
make_bar "$work/zero" skl
run gpu-regdump -p skl --json --diff reset "bar:$work/zero" rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '.differences' '[]'

title 'only A may be reset'
run gpu-regdump -p skl --diff "$a" reset
expect_status 1 2
expect_out_empty

title 'the platform of a dump'
run gpu-regdump -p skl --from "$a" rcs0.RING_BUFFER_CONTROL
cp "$out" "$work/a.txt"
run gpu-regdump -p skl --from "$b" rcs0.RING_BUFFER_CONTROL
cp "$out" "$work/b.txt"
run gpu-regdump --json --diff "$work/a.txt" "$work/b.txt"
expect_status 0
expect_json '.platform' '"skl"'
expect_json '[.differences[] | .offset]' '["0x203c"]'
printf '# gpu-regdump 1.0 platform snb\n0x00203c  0x00000001\n' >"$work/snb.txt"
refused 2 'gpu-regdump: *snb*' gpu-regdump --diff "$work/a.txt" "$work/snb.txt"

title 'what only one of them holds'
run gpu-regdump --json --diff "$work/a.txt" "$b"
expect_status 0 6
expect_json '[.differences[] | select(.a == null and .b == null)]' '[]'

title 'wrong use'
refused 2 'gpu-regdump: *' gpu-regdump -p skl --diff
refused 2 'gpu-regdump: *' gpu-regdump -p skl --diff "$a"
refused 1 'gpu-regdump: *nonexistent*: *' gpu-regdump -p skl --diff "$a" "$work/nonexistent"
refused 3 'gpu-regdump: NO_SUCH: *' gpu-regdump -p skl --diff "$a" "$b" NO_SUCH
refused 2 'gpu-regdump: *' gpu-regdump --diff "$a" "$b"
finish
