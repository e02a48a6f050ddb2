#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --watch: again and again, showing what changed.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001
bar=bar:$work/bar

title 'a count'
run gpu-regdump -p skl --from "$bar" --watch 0.05 --count 2 rcs0.RING_BUFFER_TAIL
expect_status 0
expect_err_empty
expect_out_has 'RING_BUFFER_TAIL'
run gpu-regdump -p skl --from "$bar" --watch 1 --count 1 rcs0.RING_BUFFER_TAIL
expect_status 0

title 'NDJSON: each line is JSON of its own'
run gpu-regdump -p skl --from "$bar" --watch 0.05 --count 2 --ndjson rcs0.RING_BUFFER_TAIL
expect_status 0
same 'JSON lines' "$(jq -c type "$out" | sort -u)" '"object"'
same 'the head' "$(head -n 1 "$out" | jq -r .schema)" gpuscope.regdump/1
same 'the first value' "$(jq -rn '[inputs | .. | objects | select(.name? == "RING_BUFFER_TAIL" or
	.name? == "rcs0.RING_BUFFER_TAIL") | .value] | .[0]' "$out")" 0x150

title 'a change is shown, and what does not change is not'
gpu-regdump -p skl --from "$bar" --watch 0.1 --count 30 rcs0.RING_BUFFER_TAIL \
	rcs0.RING_BUFFER_CONTROL >"$out" 2>"$err" &
watcher=$!
command_line='gpu-regdump --watch while the file changes'
sleep 0.8
printf '\130' | dd of="$work/bar" bs=1 seek=8240 conv=notrunc 2>/dev/null
i=0
while [ $i -lt 30 ] && ! grep -q '0x0*158' "$out"; do
	sleep 0.1
	i=$((i + 1))
done
kill $watcher 2>/dev/null
wait $watcher 2>/dev/null
expect_out_has 'RING_BUFFER_TAIL.*0x0*158|0x0*158.*RING_BUFFER_TAIL'
same 'times the tail is shown' "$(grep -c 'RING_BUFFER_TAIL' "$out")" 2
same 'times the control is shown' "$(grep -c 'RING_BUFFER_CONTROL' "$out")" 1

title 'an end from outside leaves no half line'
same 'the last byte' "$(tail -c 1 "$out" | od -An -tx1 | tr -d ' ')" 0a

title 'a closed pipe ends it'
command_line='gpu-regdump --watch | head -n 1'
# shellcheck disable=SC2016
timeout 20 sh -c 'gpu-regdump -p skl --from "$0" --watch 0.05 --ndjson 0x2358 2>"$1"; echo $? >"$2"' \
	"$bar" "$err" "$work/status" | head -n 1 >"$out" &
pipe=$!
sleep 0.3
for byte in 1 2 3 4 5 6; do
	printf %s $byte | dd of="$work/bar" bs=1 seek=9048 conv=notrunc 2>/dev/null
	sleep 0.2
done
wait $pipe
same 'status' "$(cat "$work/status" 2>/dev/null)" 0
expect_err_empty

title 'wrong use'
refused 2 'gpu-regdump: *count*' gpu-regdump -p skl --from "$bar" --count 2 0x2030
run gpu-regdump -p skl --from "$bar" --watch
expect_status 2
for json in '' --ndjson; do
	# shellcheck disable=SC2086
	run gpu-regdump -p skl --from "$bar" $json --watch 0.01 --count 2 NO_SUCH
	expect_status 3
	expect_out_empty
	expect_err_line 'gpu-regdump: NO_SUCH: *'
done
run gpu-regdump -p skl --from "$bar" --watch 0.01 --count 2 --json 0x2030
expect_status 2
expect_out_empty
run gpu-regdump -p skl --watch 0.01 --count 2 --list RING_BUFFER_TAIL
expect_status 2
expect_out_empty

title 'nothing asked for is there'
run gpu-regdump -p skl --from "$bar" --watch 0.01 --count 2 0x1000000
expect_status 3
finish
