#!/bin/sh
# SPDX-License-Identifier: MIT
# What gpu-regdump prints can be loaded again: the same registers with the same values.
. "$(dirname "$0")/lib.sh"
needs gpu-regdump jq

# same_again TITLE ARGUMENTS...: as JSON, and as JSON of the text
same_again() {
	title "$1"
	shift
	run gpu-regdump --json "$@"
	values "$out" >"$work/values"
	platform=$(jq -r '.platform' "$out")
	run gpu-regdump "$@"
	direct=$status
	cp "$out" "$work/text"
	run_in "$work/text" gpu-regdump --json --from -
	same 'the platform' "$(jq -r '.platform' "$out")" "$platform"
	values "$out" >"$work/again"
	[ "$(wc -l <"$work/values")" -gt 3 ] || fail "only $(wc -l <"$work/values") values"
	cmp -s "$work/values" "$work/again" ||
		fail "not the same: $(diff "$work/values" "$work/again" | head -n 6 | tr '\n' ' ')"
	run gpu-regdump "$@" -v
	cp "$out" "$work/text"
	run gpu-regdump --json --from "$work/text"
	values "$out" | cmp -s "$work/values" - || fail 'with -v, not the same'

	same "the status as text" "$direct" 0
}

for platform in snb skl icl; do
	make_bar --random "$work/random" $platform
	same_again "$platform: noise in every register" -p $platform --from "bar:$work/random"
	make_bar "$work/zero" $platform 0x2030 0x150 0x2034 0x148 0x22030 0x28 0x100018 0xa01001
	same_again "$platform: mostly zeros" -p $platform --from "bar:$work/zero"
	rm "$work/random" "$work/zero"
done

title 'chosen registers and ranges'
make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001 0xf00 0xdeadbeef 0x1000 0x1 0x100018 0xa01001
for selectors in 'RING_BUFFER_TAIL' '0x2030-0x203f' '0xf00-0x10ff' '0x0+64' '0xf00 0x2030 FENCE'; do
	# shellcheck disable=SC2086
	run gpu-regdump -p skl --json --from "bar:$work/bar" $selectors
	jq -c '[.registers[] | [.offset, .size, .value]]' "$out" >"$work/values"
	# shellcheck disable=SC2086
	run gpu-regdump -p skl --from "bar:$work/bar" $selectors
	expect_status 0
	cp "$out" "$work/text"
	# shellcheck disable=SC2086
	run gpu-regdump --json --from "$work/text" $selectors
	expect_status 0
	jq -c '[.registers[] | [.offset, .size, .value]]' "$out" | cmp -s "$work/values" - ||
		fail "$selectors: not the same"
done

title 'with colour'
run gpu-regdump -p skl --color=always --from "bar:$work/bar" rcs0.RING_BUFFER_TAIL
cp "$out" "$work/text"
run gpu-regdump --json --from "$work/text" rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .value]' '["0x150"]'

title 'identity and revision'
run gpu-regdump -p 0x1912 --from "bar:$work/bar" rcs0.RING_BUFFER_TAIL
cp "$out" "$work/text"
run gpu-regdump --json --from "$work/text" rcs0.RING_BUFFER_TAIL
expect_json '[.platform, .device]' '["skl","0x1912"]'

title 'the demos'
gpu-regdump --from demo: 2>/dev/null | sed 's/ .*//' >"$work/demos"
if [ -s "$work/demos" ]; then
	while read -r demo; do
		same_again "$demo" --from "$demo"
	done <"$work/demos"
fi
finish
