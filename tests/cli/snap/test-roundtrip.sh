#!/bin/sh
# SPDX-License-Identifier: MIT
# What gpu-regdump prints can be loaded again: the same registers with the same values.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

# same_again TITLE FORMS ARGUMENTS...: as JSON, and as JSON of the text in each of the forms
same_again() {
	title "$1"
	forms=$2
	shift 2
	run gpu-regdump --json "$@"
	values "$out" >"$work/values"
	[ "$(wc -l <"$work/values")" -gt 100 ] || fail "only $(wc -l <"$work/values") values"
	direct=$status
	identity=$(head -c 400 "$out" | grep -o '"platform":"[^"]*","device":[^,]*')
	for form in $forms; do
		run gpu-regdump "$@" "$form"
		same "the status of text $form" "$status" "$direct"
		cp "$out" "$work/text"
		run_in "$work/text" gpu-regdump --json --from -
		same "the status of the text $form loaded" "$status" "$direct"
		head -c 400 "$out" | grep -Fq "$identity" || fail "the identity is not $identity"
		values "$out" | cmp -s "$work/values" - || fail "not the same: \
$(values "$out" | diff "$work/values" - | sed 6q | tr '\n' ' ')"
	done
}

for platform in snb skl icl; do
	make_bar --random "$work/bar" $platform
	same_again "$platform: noise in every register" --color=never -p $platform --unsafe \
		--from "bar:$work/bar"
	rm "$work/bar"
done
make_bar "$work/bar" skl 0x2030 0x150 0x2034 0x148 0x22030 0x28 0x100018 0xa01001
same_again 'mostly zeros' '-v -q' -p skl --from "bar:$work/bar"
for demo in snb-hang skl-hang icl-trtt; do
	same_again "demo:$demo" "-v -q" --from demo:$demo
done

title 'chosen registers and ranges'
make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001 0xf00 0xdeadbeef 0x1000 0x1 0x100018 0xa01001
for selectors in RING_BUFFER_TAIL 0x2030-0x203f 0x1000-0x11ff '0x2034 0x2030 FENCE' \
	'--unsafe 0xf00-0x10ff' '--unsafe 0x0+4K' 0xf00-0x10ff; do
	# shellcheck disable=SC2086
	run gpu-regdump -p skl --json --from "bar:$work/bar" $selectors
	expect_status 0
	values "$out" >"$work/values"
	# shellcheck disable=SC2086
	run gpu-regdump -p skl --from "bar:$work/bar" $selectors
	cp "$out" "$work/text"
	# shellcheck disable=SC2086
	run gpu-regdump --json --from "$work/text" ${selectors#--unsafe }
	expect_status 0
	values "$out" | cmp -s "$work/values" - || fail "$selectors: not the same"
done

title 'with colour'
run gpu-regdump -p skl --color=always --from "bar:$work/bar" rcs0.RING_BUFFER_TAIL
cp "$out" "$work/text"
run gpu-regdump --json --from "$work/text" rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .value]' '["0x150"]'

title 'what is read of the identity'
run gpu-regdump -p 0x1912 --from "bar:$work/bar" rcs0.RING_BUFFER_TAIL
cp "$out" "$work/text"
run gpu-regdump --json --from "$work/text" rcs0.RING_BUFFER_TAIL
expect_json '[.platform, .device]' '["skl","0x1912"]'
finish
