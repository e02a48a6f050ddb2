# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Dumps of hangs: a 4 MiB batch in an error state, and a core of 74 MB beside a program that only
# reads it and decodes its base 85.
with_library batch-make "$bench/batch-make.c" "$bench/../unit/helpers/command-maker.c"
"${CC:-cc}" -O2 -o "$work/dump-base" "$bench/dump-base.c"
"${CC:-cc}" -O2 -o "$work/dump-make" "$bench/dump-make.c" -lz
PATH=$work:$PATH
batch-make raw tgl 4194304 "$work/batch12"
batch-make raw lnl 65536 "$work/batch20"
dump-make state "$work/batch12" "$work/state"
dump-make core "$work/batch20" "$work/core"
decoder="aubinator_error_decode --no-pager --color=never"

# shellcheck disable=SC2086
job 'error state with 4 MiB of Gen12, all fields' 'anchor 10' 7 "gpu-batch $work/state" \
	"$(if_there $decoder "$work/state")" "copy $work/state"
# shellcheck disable=SC2086
job 'error state with 4 MiB of Gen12, a line each' '' 7 "gpu-batch --headers $work/state" \
	"$(if_there $decoder --headers "$work/state")" "copy $work/state"
job 'what went wrong in it' 'limit 10' 7 "gpu-fault $work/state" \
	"$(if_there intel_error_decode "$work/state")" "copy $work/state"
job 'Xe core of 74 MB, its batch' 'limit 2' 7 "gpu-batch $work/core" '' "dump-base $work/core"
job 'what went wrong in it' 'limit 0.5' 7 "gpu-fault $work/core" '' "dump-base $work/core"
