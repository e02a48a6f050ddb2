#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of TUTORIAL.md that write registers ("# COMMAND" in its code, as root's prompt) on the
# board that its chapter is about: a Haswell whose firmware leaves the backlight at nothing.
. "$(dirname "$0")/lib.sh"
[ -x "${GPU_SH:-}" ] || skip 'GPU_SH names no command'

tutorial=$(cd "$(dirname "$0")/../.." && pwd)/TUTORIAL.md
cd "$work" || exit 1
PATH=$(dirname "$GPU_SH"):$PATH
export PATH

fresh
fake_gpu 0000:00:02.0 0x0a16 0x09 4
# The values that the chapter shows of this board.
awk '/^```/ { code = !code } code && sub(/^> .*\(0x0*/, "0x") { gsub(/\):/, ""); print }' "$tutorial" \
	>values
while read -r at value; do
	poke "$gpu/resource0" "$at" "$value"
done <values

awk '
	/^```/ { code = !code; file = ""; next }
	code && sub(/^# gpu-sh/, "gpu-sh") { file = sprintf("step-%02d", ++count) }
	code && /^[$#] / { file = "" }
	file { print >file }' "$tutorial"

steps=0
for step in step-*; do
	[ -f "$step" ] || continue
	steps=$((steps + 1))
	command=$(sed 1q "$step")
	expect "$command" 0 "$(sed 1d "$step")" '' in_devices env HOME="$work" sh -c "$command"
done
same 'so many commands' 3 $steps
same 'the board is as it was' 0x00000000 "0x$(peek "$gpu/resource0" 0xc8254 | cut -c 5-)0000"
finish
