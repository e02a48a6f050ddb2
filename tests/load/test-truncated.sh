#!/bin/sh
# SPDX-License-Identifier: MIT
# A file that is cut short while a command has it mapped: one line and its status, no death by
# SIGBUS, and nothing half-written is left.
. "$(dirname "$0")/lib.sh"

size=$((96 << 20))

# cut TITLE COMMAND...: $work/image is cut short while the command waits for a reader of its output
cut() {
	title "$1"
	shift
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	exec 3<>"$work/pipe"
	command_line=$*
	"$@" >"$work/pipe" 2>"$err" 3>&- &
	pid=$!
	# It is stuck once the pipe is full.
	tries=0
	while [ "$(cat /proc/$pid/wchan 2>/dev/null)" != "${wait_at:-pipe_write}" ] && kill -0 $pid &&
		[ $tries -lt 1000 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done 2>/dev/null
	truncate -s 4096 "$work/image"
	cat <&3 >/dev/null &
	reader=$!
	status=0
	wait $pid || status=$?
	kill $reader
	exec 3>&-
	told_failure 'gpu-*: what was read is gone: a file was cut short, or its device was removed'
}

# image: 96 MiB, of the same byte
image() {
	head -c $size /dev/zero | tr '\0' '\021' >"$work/image"
}

image
cut 'dwords' gpu-batch -p skl --format bin --headers "$work/image"
image
cut 'memory' gpu-snap extract "mem:$work/image@0x100000" phys@0x100000+80M
image
cut 'the GGTT' gpu-ptwalk -p skl -s "ggtt:$work/image" --flat --all
image
cut 'registers' gpu-snap extract "bar:$work/image" mmio

title 'a text that is mapped'
yes 'noise of a log that is none of ours, and is long' | head -c $size >"$work/image"
echo '[    1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [1981]' >>"$work/image"

title 'while something is saved: no part of it is left'
image
mkdir "$work/saved"
gpu-snap extract "mem:$work/image" phys -o "$work/saved/part" 2>"$err" &
pid=$!
truncate -s 4096 "$work/image"
status=0
wait $pid || status=$?
command_line='gpu-snap extract mem:image phys -o part'
same 'files left' "$(ls "$work/saved" | grep -cv '^part$')" 0
case $status in
0 | 3 | 6) ;;			# before or after it was read
*) told_failure 'gpu-snap: what was read is gone: *' ;;
esac
finish
