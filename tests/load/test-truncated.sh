#!/bin/sh
# SPDX-License-Identifier: MIT
# A file that is cut short while a command has it mapped: one line and its status, no death by
# SIGBUS, and nothing half-written is left.
. "$(dirname "$0")/lib.sh"

env --default-signal=INT true 2>/dev/null || skip 'no env --default-signal'
size=$((32 << 20))

# cut TITLE COMMAND...: $work/image is cut short while the command waits for its reader
cut() {
	title "$1"
	shift
	image
	begin "$@"
	until_stuck
	truncate -s 4096 "$work/image"
	until_read
	told_failure 'gpu-*: the input is gone: a file was truncated, or its device removed'
}

# image: of a size that is mapped, not read; no two entries of a table are alike
image() {
	if [ "$the_title" = 'the GGTT' ]; then
		head -c $size /dev/urandom
	else
		head -c $size /dev/zero | tr '\0' '\021'
	fi >"$work/image"
}

cut 'dwords' gpu-batch -p skl --format bin --headers "$work/image"
cut 'memory' gpu-snap extract "mem:$work/image@0x100000" phys@0x100000+24M
cut 'the GGTT' gpu-ptwalk -p skl -s "ggtt:$work/image" --flat --all
cut 'registers' gpu-snap extract "bar:$work/image" mmio

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
