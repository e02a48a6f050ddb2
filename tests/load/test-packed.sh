#!/bin/sh
# SPDX-License-Identifier: MIT
# Packed inputs that unpack to far more than they are, pipes that do not end, and a folder for
# temporary files that is small: bounds, each with a message and the way out; what was read counts.
. "$(dirname "$0")/lib.sh"
! sanitized || pass_by 'too long with a sanitizer'
needs zstd gzip
wants zstd gzip
TMPDIR=$work
export TMPDIR

{
	cat "$tests/data/error-state.txt"
	yes '00000000 :  7a000004' | head -n 20000000
} | tee "$work/dump" | zstd -q -19 -o "$work/dump.zst"

title 'more than 1000 times its size'
run gpu-fault "$work/dump.zst"
expect_status 6
expect_out_has 'in game'
expect_err_line '*dump.zst: unpacks to more than 1000 times its size: * (unpack it with zstd -d or gzip -d) at byte *'

title 'the same unpacked'
run gpu-fault "$work/dump"
expect_out_has 'in game'
! grep -q 'unpacks to more' "$err" || fail "$(cat "$err")"
rm -f "$work/dump"

title 'a pipe that does not end'
run sh -c 'yes "[    1.0] usb 1-1: new device" | gpu-fault --dmesg -'
expect_status 1
expect_err_line 'gpu-fault: standard input: more than 1 GB: save it to a file and name the file'

run sh -c 'cat /dev/zero | gpu-fault -p skl --decode ring -q -'
expect_status 1
expect_err_line 'gpu-fault: standard input: more than 1 GB: save it to a file and name the file'

title 'a small folder for temporary files'
mkdir "$work/small"
# shellcheck disable=SC2016
run_lenient unshare -rm sh -c 'mount -t tmpfs -o size=64M none "$1" && TMPDIR=$1 exec gpu-fault "$2"' \
	sh "$work/small" "$work/dump.zst"
if grep -q 'unshare\|mount' "$err"; then
	pass_by 'no file systems may be mounted here'
fi
expect_status 6
expect_out_has 'in game'
expect_err_line '*: the directory for temporary files is nearly full* (set TMPDIR to use another one) at byte *'
finish
