#!/bin/sh
# SPDX-License-Identifier: MIT
# An i915 error state of 2 GiB: its text packed, and as it is. Memory stays far below its size, or it
# is refused in a line.
. "$(dirname "$0")/lib.sh"
! sanitized || pass_by 'too long with a sanitizer'
needs gzip
wants gzip

room=$(df -Pk "$work" | awk 'NR == 2 { print int($4 / 1048576) }')
[ "$room" -ge 8 ] || pass_by "$room GiB are free here, 8 are needed"

{
	cat "$tests/../data/error-state.txt"
	echo 'rcs0 --- user = 0x00000001 00000000'
} >"$work/head"
# A file of many members is unpacked as one.
yes '00000000 :  7a000004' | head -c $((64 << 20)) | gzip -1 >"$work/block"
gzip -c "$work/head" >"$work/state.gz"
for _ in $(seq 32); do
	cat "$work/block"
done >>"$work/state.gz"

title 'packed, 2 GiB of text'
TMPDIR=$work
export TMPDIR
quickly 60 1024 gpu-fault -q "$work/state.gz"
expect_status 0 6
expect_out_has 'rcs0'

title 'as it is, 2 GiB of text'
cp "$work/head" "$work/state"
yes '00000000 :  7a000004' | head -c $((2 << 30)) >>"$work/state"
quickly 60 1024 gpu-fault -q "$work/state"
expect_status 0 6
expect_out_has 'rcs0'
finish
