#!/bin/sh
# SPDX-License-Identifier: MIT
# Dumps of hangs: a 4 MiB batch in an error state beside aubinator_error_decode, and a core of 74 MB
# beside a program that only reads it and decodes its base 85.
. "$(dirname "$0")/lib.sh"
runs=${1:-7}

"${CC:-cc}" -O2 -I"$bench/../../lib" -I"$bench/../unit" -o "$work/batch-make" "$bench/batch-make.c" \
	"$bench/../unit/command-maker.c" -L"$BUILD/lib" -Wl,-rpath,"$BUILD/lib" -lgpuscope
"${CC:-cc}" -O2 -o "$work/dump-base" "$bench/dump-base.c"
"${CC:-cc}" -O2 -o "$work/dump-make" "$bench/dump-make.c" -lz
PATH=$work:$PATH
batch-make raw tgl 4194304 "$work/batch12"
batch-make raw lnl 65536 "$work/batch20"
dump-make state "$work/batch12" "$work/state"
dump-make core "$work/batch20" "$work/core"

anchor() {
	command -v aubinator_error_decode >/dev/null &&
		echo "-- aubinator_error_decode --no-pager --color=never $* $work/state"
}

[ "$(anchor)" ] || echo '  (no aubinator_error_decode here: it is built from Mesa, with -Dtools=intel)'
# shellcheck disable=SC2046
{
	echo "an error state of Gen12 with a batch of 4 MiB, $runs runs each in turn: all fields"
	measure "$runs" gpu-batch "$work/state" $(anchor)
	echo 'a line for each command'
	measure "$runs" gpu-batch --headers "$work/state" $(anchor --headers)
	echo 'a core of 74 MB: read and base 85 only, opened and its batch decoded'
	measure "$runs" dump-base "$work/core" -- gpu-batch "$work/core"
	written gpu-batch "$work/state"
	[ -z "$(anchor)" ] || written aubinator_error_decode --no-pager --color=never "$work/state"
	echo 'what went wrong, in either'
	measure "$runs" gpu-fault "$work/state" -- gpu-fault "$work/core"
}
