#!/bin/sh
# SPDX-License-Identifier: MIT
# Standard output that is closed, full, or that nobody reads: one line, or none, and its status.
. "$(dirname "$0")/lib.sh"

closed() {
	# shellcheck disable=SC2016
	run sh -c 'exec "$@" >&-' sh "$@"
	command_line="$* >&-"
	told_failure 'gpu-*: standard output: Bad file descriptor'
}

full() {
	# shellcheck disable=SC2016
	run sh -c 'exec "$@" >/dev/full' sh "$@"
	command_line="$* >/dev/full"
	told_failure 'gpu-*: standard output: No space left on device'
}

# A reader that is gone is no failure, and is not told.
unread() {
	rm -f "$work/status" "$work/gone"
	# shellcheck disable=SC2016
	run sh -c 'status=$1 gone=$2; shift 2
		{ until [ -e "$gone" ]; do sleep 0.01; done; "$@"; echo $? >"$status"; } |
		{ exec <&-; : >"$gone"; }' sh "$work/status" "$work/gone" "$@"
	command_line="$* | true"
	expect_err_empty
	same 'status' "$(cat "$work/status")" 0
}

title 'closed'
each closed
title 'a pipe that nobody reads'
each unread
title 'full'
[ -c /dev/full ] || skip 'no /dev/full'
each full
finish
