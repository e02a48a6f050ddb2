#!/bin/sh
# SPDX-License-Identifier: MIT
# Where output goes and what becomes of it: closed pipes, a full disk, colour, and which exit
# status goes before which.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/bar" skl 0x2030 0x150 0x203c 0x1f001
make_bar "$work/page" 0x1000 0x30 0x150
all="gpu-regdump -p skl --from bar:$work/bar"

piped() {
	command_line="$* | head -n 1"
	{
		"$@" 2>"$err"
		echo $? >"$work/status"
	} | head -n 1 >"$out"
	status=$(cat "$work/status")
}

title 'a closed pipe ends quietly'
for options in '' --json --ndjson --list '--list --json' 0x0+0x200000; do
	piped $all $options
	expect_status 0
	expect_err_empty
done

title 'a full disk is an error'
if [ -c /dev/full ]; then
	for options in '' --json --ndjson --list -h -V 0x0+0x200000; do
				run sh -c 'exec "$@" >/dev/full' sh $all $options
		expect_status 1
		expect_err_line 'gpu-regdump: *: No space left on device'
	done
fi

title 'no stdout at all'
run sh -c 'exec "$@" >&-' sh $all 0x2030
expect_status 0 1

title 'no stderr, no stdin'
run_lenient sh -c 'exec "$@" 2>&-' sh $all NO_SUCH
expect_status 3
expect_out_empty
run sh -c 'exec "$@" <&-' sh $all 0x2030
expect_status 0

title 'no colour into a file, unless it is asked for'
escape=$(printf '\033')
run $all rcs0.RING_BUFFER_TAIL
expect_out_lacks "$escape"
run $all --color=auto rcs0.RING_BUFFER_TAIL
expect_out_lacks "$escape"
run $all --color=never rcs0.RING_BUFFER_TAIL
expect_out_lacks "$escape"
run $all --color=always rcs0.RING_BUFFER_TAIL
expect_out_has "$escape"
sed "s/$escape\[[0-9;]*m//g" "$out" >"$work/plain"
run $all rcs0.RING_BUFFER_TAIL
cmp -s "$out" "$work/plain" || fail 'colour changes the text'
title 'no colour in JSON'
run $all --color=always --json rcs0.RING_BUFFER_TAIL
expect_out_lacks "$escape"

title 'on a terminal: colour, a pager, NO_COLOR'
if command -v script >/dev/null; then
	on_terminal() {
		command_line="on a terminal: $*"
		script -qec "$*" /dev/null </dev/null >"$out" 2>/dev/null
	}
	TERM=xterm
	export TERM
	on_terminal "$all --no-pager rcs0.RING_BUFFER_TAIL"
	expect_out_has "$escape"
	on_terminal "NO_COLOR=1 $all --no-pager rcs0.RING_BUFFER_TAIL"
	expect_out_lacks "$escape"
	on_terminal "NO_COLOR= $all --no-pager rcs0.RING_BUFFER_TAIL"
	expect_out_has "$escape"
	on_terminal "NO_COLOR=1 $all --color=always --no-pager rcs0.RING_BUFFER_TAIL"
	expect_out_has "$escape"
	on_terminal "PAGER='sed s/^/paged:/' $all"
	expect_out_has '^paged:'
	on_terminal "PAGER='sed s/^/paged:/' $all --no-pager"
	expect_out_lacks '^paged:'
	on_terminal "PAGER='head -n 1' $all; echo status \$?"
	expect_out_has 'status 0'
	on_terminal "PAGER='exit 7' $all; echo status \$?"
	expect_out_has 'status 0'
	on_terminal "PAGER=/nonexistent $all rcs0.RING_BUFFER_TAIL; echo status \$?"
	expect_out_has 'gpu-regdump: PAGER: /nonexistent cannot be run'
	expect_out_has 'RING_BUFFER_TAIL'
	expect_out_has 'status 0'

	title 'lines fit a terminal, but commands to paste stay whole'
	unset COLUMNS
	for command in 'gpu-fault -s demo:snb-hang' 'gpu-fault -v -s demo:skl-hang' \
		'gpu-regdump -p skl --list @ring' 'gpu-db list --platforms' \
		'gpu-ptwalk -s demo:skl-hang --check' 'gpu-batch -s demo:snb-hang' \
		'gpu-batch -s demo:icl-trtt'; do
		run_lenient sh -c "COLUMNS=60 $command"
		tr -s ' \n' '\n' <"$out" >"$work/words"
		grep -q '.\{81\}' "$out" || fail 'in a pipe every line is short'
		on_terminal "stty cols 80; NO_COLOR=1 $command --no-pager"
		tr -d '\r' <"$out" >"$work/folded"
		same 'lines over 80 columns' "$(grep -v 'see it: ' "$work/folded" | grep '.\{81\}')" ''
		tr -s ' \n' '\n' <"$work/folded" | cmp -s - "$work/words" || fail 'other words'
	done
	on_terminal 'NO_COLOR=1 COLUMNS=50 gpu-fault -s demo:skl-hang --no-pager'
	expect_out_has 'see it: gpu-batch -s demo:skl-hang -e rcs0 --process -a 0x'
	expect_out_has '^ +not-present'

	title 'the columns of a walk stay below each other'
	on_terminal 'stty cols 80; NO_COLOR=1 gpu-fault -s demo:skl-hang --no-pager'
	tr -d '\r' <"$out" | grep -A 3 '^ *level ' >"$work/walk"
	at() {
		awk -v word="$1" 'index($0, word) { print index($0, word); exit }' "$work/walk"
	}
	same 'where addresses begin' "$(at '0x22542a000 rw')" "$(at 'address')"
	same 'where the reason begins' "$(at 'not-present')" "$(at 'address')"
	same 'where flags begin' "$(at 'rw')" "$(at 'flags')"

	title 'messages fit a terminal, too, but not commands to paste'
	printf 'rubbish\n' >"$work/rubbish"
	command_line="gpu-fault -s $work/rubbish"
	script -qec "stty cols 80; $command_line" /dev/null </dev/null 2>/dev/null | tr -d '\r' >"$out"
	cp "$out" "$work/folded-message"
	same 'lines over 80 columns' "$(grep -v "$work" "$out" | grep '.\{81\}')" ''
	expect_out_has "gpu-fault --dmesg $work/rubbish"
	expect_out_has '^    [a-zA-Z]'
	run_lenient gpu-fault -s "$work/rubbish"
	same 'lines in a file' "$(wc -l <"$err")" 1
	tr -s ' \n' '\n' <"$err" >"$work/words"
	tr -s ' \n' '\n' <"$work/folded-message" | cmp -s - "$work/words" || fail 'other words'
fi

title 'in a pipe every line is whole'
run gpu-fault -s demo:skl-hang
expect_out_has '^rcs0 hangs in .* after a page fault at ppgtt:0x7a1105603000 \(invalid PDE\)'
expect_out_has '^idle +bcs0$'
expect_out_has ' registers are asleep: forcewake domain media is not held$'

title 'a name from outside brings no escape into a message'
run gpu-regdump -p skl --list "RING${escape}[31mBUFFER"
expect_status 2 3
grep -q "$escape" "$err" && fail 'an escape on stderr'

title '-q and -v'
run $all -q rcs0.RING_BUFFER_CONTROL
expect_out_has RING_BUFFER_CONTROL
expect_out_lacks BUFFER_LENGTH
run $all -v rcs0.RING_BUFFER_CONTROL
expect_out_has BUFFER_LENGTH
expect_out_has origin

title 'usage goes before names, names before sources, everything before output'
refused 2 'gpu-regdump: *' gpu-regdump -p skl --from "bar:$work/bar" 0x2031 NO_SUCH
refused 3 'gpu-regdump: NO_SUCH: *' gpu-regdump -p skl --from "bar:$work/page@0x2000" \
	0x3000 NO_SUCH

title 'partly there is 6, not there at all is 3'
run gpu-regdump -p skl --from "bar:$work/page@0x2000" 0x2030
expect_status 0
run gpu-regdump -p skl --from "bar:$work/page@0x2000" 0x2030 0x3000
expect_status 6
expect_out_has '0x0*2030.*0x00000150'
run gpu-regdump -p skl --from "bar:$work/page@0x2000" 0x3000 0x3004
expect_status 3
expect_out_empty
run gpu-regdump -p skl --from "bar:$work/page@0x2000" --json 0x3000 0x3004
expect_status 3
expect_json '[.registers[] | .status]' '["absent","absent"]'
run gpu-regdump -p skl --from "bar:$work/page@0x2000" --ndjson 0x3000 0x3004
expect_status 3
same 'lines of NDJSON' "$(wc -l <"$out")" 3

title 'damage alone is 6'
printf '# gpu-regdump 1.0 platform skl\n0x002030  0x00000150\n0x00203c  rubbish\n' >"$work/damaged"
run gpu-regdump --from "$work/damaged" rcs0.RING_BUFFER_TAIL
expect_status 6
expect_err_line "gpu-regdump: $work/damaged: line 3: *"
expect_out_has '0x00000150'

title 'damage and nothing of what was asked for is 3'
run_lenient gpu-regdump --from "$work/damaged" 0x3000
expect_status 3
expect_out_empty

title 'what is skipped does not count'
run gpu-regdump -p skl --from "bar:$work/bar" --json
expect_status 0
expect_json '[.registers[] | .status] | unique - ["ok","skipped","absent"]' '[]'
expect_json '[.registers[] | select(.status == "skipped" and .value != null)]' '[]'
finish
