#!/bin/sh
# SPDX-License-Identifier: MIT
# Dumps that drivers made of hangs that are known: the verdict is what was submitted, also from a capture
# of the dump; the batch is there, the process has a name, and no key is unknown.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-batch gpu-regdump gpu-snap
wants gzip
made=$data/driver-made

# verdict FILE PATTERN
verdict() {
	run gpu-fault -q "$1"
	# shellcheck disable=SC2254
	case $(cat "$out") in $2) ;; *) fail "the verdict is '$(cat "$out")'" ;; esac
}

cut -f 1 "$made/verdicts.tsv" | sed 's/$/.gz/' >"$work/named"
(cd "$made" && ls -- *.gz) >"$work/there"
same 'the list of dumps' "$(cat "$work/there")" "$(cat "$work/named")"

while IFS='	' read -r name pattern; do
	title "$name"
	dump=$made/$name.gz
	verdict "$dump" "$pattern"
	case $name in *-log) continue ;; esac
	run gpu-fault "$dump"
	expect_out_has '^process +hang-(i915|xe)'
	run_lenient gpu-batch "$dump" --headers
	expect_out_has '^ *0x10000000: +0x10[04]0000[0-4]: +MI_STORE_DATA_IMM'
	run gpu-regdump -q "$dump"
	sed '1,/^# no definition/d' "$out" >"$work/unknown"
	same 'keys without an address' "$(grep -vc '^0x' "$work/unknown")" 0
	run gpu-snap save -q -s "$dump" -o "$work/capture.tar"
	expect_status 0
	verdict "$work/capture.tar" "$pattern"
	# Whoever pastes a dump may remove what names the machine.
	gzip -dc "$dump" | sed '/^PCI /d;/^[Pp]latform:/d' >"$work/nameless"
	verdict "$work/nameless" "$pattern"
	expect_err_line 'gpu-fault: warning: platform: not in the dump; its *'
done <"$made/verdicts.tsv"

title 'the first of two blocks of an engine says what its request is'
gzip -dc "$made/i915-6.1-skl-semaphore.gz" >"$work/once"
run gpu-fault -v "$work/once"
grep 'request: ' "$out" >"$work/request"
[ -s "$work/request" ] || fail 'no request'
{
	cat "$work/once"
	printf '%s\n' 'rcs0 command stream:' '  HEAD:  0x00000080 [0x00000000]' \
		'  TAIL:  0x000000c8 [0x00000000, 0x00000000]'
} >"$work/twice"
run gpu-fault -v "$work/twice"
grep 'request: ' "$out" >"$work/again"
same 'the request' "$(cat "$work/request")" "$(cat "$work/again")"
finish
