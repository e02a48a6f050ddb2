#!/bin/sh
# SPDX-License-Identifier: MIT
# Batches of 4 MiB: Gen7 beside libdrm, Gen12 beside aubinator, JSON beside text; and memory.
. "$(dirname "$0")/lib.sh"
runs=${1:-7}
size=4194304
gen7="gpu-batch -p ivb --no-follow --format bin"
gen12="gpu-batch -p tgl --no-follow --format bin"

"${CC:-cc}" -O2 -I"$bench/../../lib" -I"$bench/../unit" -o "$work/batch-make" "$bench/batch-make.c" \
	"$bench/../unit/command-maker.c" -L"$BUILD/lib" -Wl,-rpath,"$BUILD/lib" -lgpuscope
PATH=$work:$PATH
batch-make raw ivb $size "$work/gen7"
batch-make raw tgl $size "$work/gen12"
batch-make trace tgl $size "$work/gen12.aub"

# What libdrm makes of FILE as of that device: words of a command, or none.
libdrm() {
	[ -x "$work/batch-libdrm" ] && echo "-- batch-libdrm $1 $2"
}

against_aubinator() {
	command -v aubinator >/dev/null && echo "-- aubinator --no-pager --color=never $* $work/gen12.aub"
}

if pkg-config --exists libdrm_intel 2>/dev/null; then
	# shellcheck disable=SC2046
	"${CC:-cc}" -O2 -o "$work/batch-libdrm" "$bench/batch-libdrm.c" \
		$(pkg-config --cflags --libs libdrm_intel)
else
	echo '  (no libdrm_intel here: apt-get install libdrm-dev)'
fi
[ "$(against_aubinator)" ] || echo '  (no aubinator here: it is built from Mesa, with -Dtools=intel)'

# shellcheck disable=SC2046,SC2086
{
	echo "4 MiB of Gen7, $runs runs each in turn: all fields"
	measure "$runs" $gen7 "$work/gen7" $(libdrm 0x162 "$work/gen7") -- $gen7 --ndjson "$work/gen7"
	echo 'a line for each command'
	measure "$runs" $gen7 --headers "$work/gen7" $(libdrm 0x162 "$work/gen7")
	echo '4 MiB of Gen12: all fields (libdrm takes it for Gen7)'
	measure "$runs" $gen12 "$work/gen12" $(libdrm 0x9a49 "$work/gen12") \
		-- $gen12 --ndjson "$work/gen12"
	echo 'a line for each command'
	measure "$runs" $gen12 --headers "$work/gen12" $(libdrm 0x9a49 "$work/gen12")
	echo 'the same in a trace, through its page tables: all fields'
	measure "$runs" gpu-batch "$work/gen12.aub" $(against_aubinator)
	echo 'a line for each command'
	measure "$runs" gpu-batch --headers "$work/gen12.aub" $(against_aubinator --headers)
	written $gen7 "$work/gen7"
	[ ! -x "$work/batch-libdrm" ] || written batch-libdrm 0x162 "$work/gen7"
	written $gen12 "$work/gen12"
	written gpu-batch "$work/gen12.aub"
	[ -z "$(against_aubinator)" ] || written aubinator --no-pager --color=never "$work/gen12.aub"
}


"${CC:-cc}" -O2 -o "$work/batch-own" "$bench/batch-own.c"
# Pages of files are not counted: what is mapped can be dropped at any time.
echo "most memory of its own, by length of the batch"
for megabytes in 4 64; do
	batch-make raw tgl $((megabytes << 20)) "$work/long"
	# shellcheck disable=SC2086
	batch-own $gen12 "$work/long"
done
