#!/bin/sh
# SPDX-License-Identifier: MIT
# Every register that is known, decoded, from 16 MiB of noise: each field has something to say.
. "$(dirname "$0")/lib.sh"
runs=${1:-100}

"$work/make-bar" --random "$work/bar" 16777216
echo "decoded dump of Skylake, $runs runs each in turn:"
if have_intel_reg; then
	set -- -- intel_reg "--mmio=$work/bar" --devid=0x1912 dump
else
	set --
fi
measure "$runs" gpu-regdump -p skl --from "bar:$work/bar" "$@"
measure "$runs" gpu-regdump -p skl --from "bar:$work/bar" --json \
	-- gpu-regdump -p skl --from "bar:$work/bar" -v -- gpu-regdump -p skl --from "bar:$work/bar" -q
written gpu-regdump -p skl --from "bar:$work/bar"
[ $# = 0 ] || written intel_reg "--mmio=$work/bar" --devid=0x1912 dump
