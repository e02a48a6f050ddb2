#!/bin/sh
# SPDX-License-Identifier: MIT
# What a start costs: one register of a dump, against a program that does nothing, and the anchor.
. "$(dirname "$0")/lib.sh"
runs=${1:-400}

"$work/make-bar" --random "$work/bar" 2097152
echo "start-up, $runs runs each in turn:"
set -- /bin/true \
	-- gpu-regdump --no-user-config -p tgl --from "bar:$work/bar" 0x2030 \
	-- gpu-regdump --from demo:skl-hang rcs0.RING_BUFFER_TAIL \
	-- gpu-regdump -p skl --decode rcs0.RING_BUFFER_TAIL=0x150 \
	-- gpu-regdump -p skl --list rcs0.RING_BUFFER_TAIL
measure "$runs" "$@"
if have_intel_reg; then
	echo 'the anchor:'
	measure "$((runs / 4))" gpu-regdump -p tgl --from "bar:$work/bar" 0x2030 \
		-- intel_reg "--mmio=$work/bar" --devid=0x9a49 read 0x2030 \
		-- intel_reg "--mmio=$work/bar" --devid=0x9a49 decode 0x70180 0x84000000
fi
