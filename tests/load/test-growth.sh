#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten times as much of anything takes about ten times as long, by the processor's time, and not a
# hundred. The whole table is tests/bench/growth.sh.
. "$(dirname "$0")/lib.sh"
! sanitized || pass_by 'times with a sanitizer say nothing'
needs python3

make() {
	python3 "$tests/bench/growth-make.py" "$1" "$2" "$work/$3"
}

# took COMMAND...: milliseconds
took() {
	"$SPENT" "$work/spent" "$@" >/dev/null 2>&1 || :
	cut -d ' ' -f 1 "$work/spent"
}

# grows KIND COUNT COMMAND...: @ is the input; what starting takes is not counted as growth
grows() {
	kind=$1 count=$2
	shift 2
	title "$kind: $*"
	make "$kind" "$count" few
	make "$kind" $((count * 10)) many
	command_line=$*
	# shellcheck disable=SC2046
	few=$(took $(echo "$*" | sed "s,@,$work/few,"))
	# shellcheck disable=SC2046
	many=$(took $(echo "$*" | sed "s,@,$work/many,"))
	[ "$many" -le $(((few + 50) * 30)) ] || fail "$few ms, and $many ms for 10 times as much"
}

for kind in submissions changing one-page scattered; do
	grows $kind 1000 gpu-batch --headers @
done
grows everything 1000 gpu-batch --headers @
grows state-rings 6000 gpu-batch @
grows batch-text 10000 gpu-batch -p tgl @
grows batch-text-starts 10000 gpu-batch -p tgl @
grows log-events 10000 gpu-fault --dmesg @
grows state-kernels 2000 gpu-eu @
grows program-jumps 30000 gpu-eu -p skl --cfg @

title 'JSON of a long program is written as it comes'
make program 100000 many
quickly 10 16 gpu-eu -p skl --json "$work/many"
expect_status 0
for kind in errors findings place name alias commands structures; do
	grows definition-$kind 2000 gpu-db check @
done

# A trace of few bytes that submits one batch again and again.
title 'what is told of a trace is bounded'
make everything 20000 many
run gpu-batch --headers "$work/many"
expect_status 6
expect_err_line '*: the source repeats its batches more often than the limit allows: the rest is not decoded'
[ "$(wc -c <"$out")" -lt 400000000 ] || fail "$(wc -c <"$out") bytes"
finish
