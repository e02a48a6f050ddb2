#!/bin/sh
# SPDX-License-Identifier: MIT
# gpuscope-capture(5) is enough to read captures and to write them: a reader and a writer made from
# it alone (capture.py) agree with the commands.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-snap gpu-ptwalk python3

agrees() {
	gpu-regdump -s "$1" --json >"$out" 2>"$err"
	command_line="capture.py read ${1##*/}"
	python3 "$tests/cli/snap/capture.py" read "$1" <"$out" >"$work/found" 2>&1 ||
		fail "it fails: $(tail -n 1 "$work/found")"
	[ -s "$work/found" ] && fail "$(head -n 5 "$work/found")"
}

for demo in snb-hang skl-hang icl-trtt; do
	title "a capture of $demo"
	run gpu-snap save -s demo:$demo -o "$work/$demo.tar"
	expect_status 0
	agrees "$work/$demo.tar"
done

title 'that the reader sees differences'
cp "$work/skl-hang.tar" "$work/other.tar"
gpu-regdump -s "$work/snb-hang.tar" --json >"$out" 2>"$err"
python3 "$tests/cli/snap/capture.py" read "$work/other.tar" <"$out" >"$work/found"
[ -s "$work/found" ] || fail 'one capture is taken for another'

title 'a capture that is written by another program'
python3 "$tests/cli/snap/capture.py" write "$work/made.tar" || fail 'it cannot be written'
agrees "$work/made.tar"
run gpu-regdump -s "$work/made.tar" -q --no-user-config 0x2030 0x2034 0x2038 0x2040 0x2074 0x2078
expect_status 6
expect_out_has '^# gpu-regdump .* platform snb device 0x0126 revision 0x09 '
expect_out_has '^0x002030  0x04030201  '
expect_out_has '^0x002034  0x00603db8  '
expect_out_has '^0x002038  0x0c0b0a09  '
expect_out_has '^0x002040  absent  '
expect_out_has '^0x002074  asleep  '
expect_out_has '^0x002078  denied  '
run gpu-snap info "$work/made.tar"
expect_status 6
expect_err_line 'gpu-snap: a.txt: torn'
expect_out_has '^story  +made by hand$'
expect_out_has '^unknown  +7$'

title 'what is no capture of this format'
for words in 'format: 2' 'format: 0' 'platform: snb'; do
	mkdir -p "$work/lab/gpuscope"
	echo "$words" >"$work/lab/gpuscope/info"
	tar -C "$work/lab" -cf "$work/lab.tar" gpuscope/info
	run gpu-snap info "$work/lab.tar"
	expect_status 1
	expect_out_empty
	case $words in
	*2) expect_err_line 'gpu-snap: *: a capture of format 2; this version reads format 1' ;;
	*) expect_err_line 'gpu-snap: *: a capture of unknown format*' ;;
	esac
done
finish
