#!/bin/sh
# SPDX-License-Identifier: MIT
# Signals: while a command works, while it waits for its reader, behind its pager, and while it
# saves. It ends as the signal would have it, and leaves nothing behind.
. "$(dirname "$0")/lib.sh"
env --default-signal=INT true 2>/dev/null || skip 'no env --default-signal'
ulimit -c 0

ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

# ended STATUS: and has nothing to say
ended() {
	status=0
	wait $pid || status=$?
	exec 3>&-
	same 'status' "$status" "$1"
	expect_err_empty
}

stuck() {
	begin "$@"
	until_stuck
	kill -s "$name" $pid
	ended "$number"
}

head -c 8388608 /dev/urandom >"$work/noise"
head -c 8388608 /dev/zero | tr '\0' '\021' >"$work/dwords"
for signal in INT:130 TERM:143 HUP:129; do
	name=${signal%:*} number=${signal#*:}
	title "SIG$name, stuck in a pipe"
	stuck gpu-regdump -v -s "$capture"
	stuck gpu-regdump -p skl --list
	stuck gpu-ptwalk -p skl -s "ggtt:$work/noise" --flat --all
	stuck gpu-batch -p skl --format bin --headers "$work/dwords"
	stuck gpu-fault -v "$capture" "$capture" "$capture" "$capture" "$capture" "$capture" \
		"$capture" "$capture" "$capture" "$capture" "$capture" "$capture" "$capture" \
		"$capture" "$capture" "$capture"
	stuck gpu-snap save --compress none -s "$capture" -o -
	stuck gpu-report -s "$capture" -o -
	stuck gpu-db export -p skl --json
done

title 'a reader that goes'
# shellcheck disable=SC2016
run sh -c '{ gpu-regdump -p skl --list; echo $? >"$0"; } | head -n 1' "$work/status"
same 'status' "$(cat "$work/status")" 0
expect_err_empty

truncate -s 4G "$work/image"
for signal in INT:130 TERM:143 HUP:129; do
	name=${signal%:*} number=${signal#*:}
	title "SIG$name while it works"
	begin gpu-snap extract "mem:$work/image" phys@0+4G
	cat <&3 >/dev/null &
	reader=$!
	sleep 0.2
	kill -s "$name" $pid
	ended "$number"
	kill $reader

	title "SIG$name while it saves"
	mkdir -p "$work/saved"
	begin gpu-snap extract "mem:$work/image" phys@0+4G -o "$work/saved/part"
	tries=0
	while [ -z "$(ls "$work/saved")" ] && [ $tries -lt 500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
	[ -n "$(ls "$work/saved")" ] || fail 'nothing was begun'
	kill -s "$name" $pid
	ended "$number"
	same 'left behind' "$(ls "$work/saved")" ''
done

# outlives SIGNAL COMMAND...: ignored from the beginning, as SIGHUP is under nohup, it stays ignored
outlives() {
	name=$1
	shift
	title "SIG$name, ignored from the beginning"
	trap '' "$name"
	begin "$@"
	trap 'exit 1' "$name"
	sleep 0.3
	kill -s "$name" $pid
	cat <&3 >"$out" &
	reader=$!
	ended 0
	kill $reader
}

for signal in HUP TERM; do
	outlives $signal gpu-regdump -s "$capture" --watch 0.2 --count 4 rcs0.RING_BUFFER_TAIL
	outlives $signal gpu-sh -s "$capture" -c 'rcs0.ACTHD -q; ! sleep 0.6'
	expect_out_has 0x0002003c
done

PAGER='head -n 1'
TERM=xterm
export PAGER TERM
title 'a pager that ends early'
run gpu-regdump -p skl --list
head -n 1 "$out" | cut -c 1-20 | sed 's/^/expect /; s/ *$//' >"$work/script"
echo 'end 0' >>"$work/script"
run_in "$work/script" "$PTY" gpu-regdump -p skl --list
expect_status 0

title '^C behind a pager that shows the end'
printf '%s\n' "trap 'echo interrupted' INT" 'cat >/dev/null' 'echo ready' \
	'read -r line </dev/tty || read -r line </dev/tty' 'echo "bye $line"' >"$work/pager"
PAGER="sh $work/pager"
# Typed at once: a shell that is interrupted on its way into read(2) says so after the line only.
printf '%s\n' 'expect ready' 'type \x03' 'type go\n' 'expect interrupted' 'expect bye go' 'end 0' \
	>"$work/script"
run_in "$work/script" "$PTY" gpu-regdump -p skl --list
expect_status 0

title '^C behind a pager that has not read all: it stays until that has ended'
printf '%s\n' "trap 'echo interrupted' INT" 'sleep 1' 'echo ready' 'sleep 1' 'sleep 1' \
	'cat >/dev/null' 'echo bye' >"$work/pager"
printf '%s\n' 'expect ready' 'type \x03' 'expect interrupted' 'expect bye' 'end 130' >"$work/script"
run_in "$work/script" "$PTY" gpu-regdump -p skl --list
expect_status 0
finish
