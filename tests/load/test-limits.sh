#!/bin/sh
# SPDX-License-Identifier: MIT
# With little memory every command either does its work or says in one line that there is not
# enough; no limit makes it crash, or leave out something without a word.
. "$(dirname "$0")/lib.sh"
! sanitized || pass_by 'a sanitizer takes terabytes'

SOURCE_DATE_EPOCH=1700000000
export SOURCE_DATE_EPOCH

# What is in a capture: where there is no memory for the library that packs, it is saved as it is.
unpacked() {
	zstd -qdcf "$1" >"$2"
}

same_output() {
	cmp -s "$out" "$work/whole" && return
	unpacked "$out" "$work/this" && unpacked "$work/whole" "$work/that" &&
		cmp -s "$work/this" "$work/that"
}

# Either as without a limit, or a failure; what the loader cannot do is the loader's to tell.
limited() {
	run "$@"
	whole=$status
	cp "$out" "$work/whole"
	for limit in $(seq 6000 200 10000) 12000 16000 24000 48000; do
		# shellcheck disable=SC2016
		run_lenient sh -c 'ulimit -v "$1" && shift && exec "$@"' sh $limit "$@"
		command_line="ulimit -v $limit; $*"
		if [ "$status" = 127 ] && grep -qE 'error while loading shared|TLS data' "$err"; then
			continue
		fi
		check_rules
		if [ "$status" = "$whole" ]; then
			same_output || fail 'it left out something'
		elif [ "$status" = 6 ] && [ "$2" = "$capture" ] && [ $# = 3 ]; then
			expect_err_line 'gpu-fault: *: *emory*'	# a row each
		else
			told_failure 'gpu-*: *emory*'
		fi
	done
	same 'status' "$status" "$whole"
}

title 'limits of memory'
each limited
finish
