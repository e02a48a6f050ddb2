# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Batches of 4 MiB: Gen7 beside libdrm, Gen12 beside aubinator, JSON beside text; and memory.
with_library batch-make "$bench/batch-make.c" "$bench/../unit/helpers/command-maker.c"
"${CC:-cc}" -O2 -o "$work/batch-own" "$bench/batch-own.c"
PATH=$work:$PATH
for platform in ivb tgl; do
	batch-make raw $platform 4194304 "$work/$platform"
done
batch-make trace tgl 4194304 "$work/aub"

libdrm=
if pkg-config --exists libdrm_intel 2>/dev/null; then
	# shellcheck disable=SC2046
	"${CC:-cc}" -O2 -o "$work/libdrm" "$bench/batch-libdrm.c" \
		$(pkg-config --cflags --libs libdrm_intel)
	libdrm="libdrm 0x162 $work/ivb"
fi
gen7="gpu-batch -p ivb --no-follow --format bin"
gen12="gpu-batch -p tgl --no-follow --format bin"
aubinator="aubinator --no-pager --color=never"

job '4 MiB batch of Gen7, all fields' 'anchor 3' 7 "$gen7 $work/ivb" "$libdrm" "copy $work/ivb"
job '4 MiB batch of Gen7, a line a command' 'anchor 15' 7 "$gen7 --headers $work/ivb" "$libdrm" \
	"copy $work/ivb"
# shellcheck disable=SC2086
job '4 MiB batch of Gen12 in a trace, all fields' 'anchor 25' 7 "gpu-batch $work/aub" \
	"$(if_there $aubinator "$work/aub")" "copy $work/aub"
# shellcheck disable=SC2086
job '4 MiB batch of Gen12 in a trace, a line each' 'anchor 15' 7 "gpu-batch --headers $work/aub" \
	"$(if_there $aubinator --headers "$work/aub")" "copy $work/aub"
# JSON is a third longer than text.
job '4 MiB batch of Gen12, JSON beside text' 'limit 1.3' 7 "$gen12 --ndjson $work/tgl" '' \
	"$gen12 $work/tgl"

batch-make raw tgl 67108864 "$work/long"
# shellcheck disable=SC2086
row 'memory for a batch of 64 MiB, beside 4 MiB' 'limit 1.1' KiB \
	"$(batch-own $gen12 "$work/long" | awk '{ print $1 }')" '' '' \
	"$(batch-own $gen12 "$work/tgl" | awk '{ print $1 }')" '4 MiB'
rm "$work/long"
