#!/bin/sh
# SPDX-License-Identifier: MIT
# All 4194304 dwords of a BAR, as they are.
. "$(dirname "$0")/lib.sh"
runs=${1:-5}

"$work/make-bar" --random "$work/bar" 16777216
echo "raw sweep of 16 MiB, $runs runs each in turn:"
if have_intel_reg; then
	set -- -- intel_reg "--mmio=$work/bar" --devid=0x1912 read --count=4194304 0x0
else
	set --
fi
measure "$runs" gpu-regdump -p skl --from "bar:$work/bar" --unsafe 0x0+16M "$@"
measure "$runs" cat "$work/bar" -- gpu-regdump -p skl --from "bar:$work/bar" --unsafe 0x0+16M
written gpu-regdump -p skl --from "bar:$work/bar" --unsafe 0x0+16M
[ $# = 0 ] || written intel_reg "--mmio=$work/bar" --devid=0x1912 read --count=4194304 0x0
