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

if [ -x "$BUILD/tools/gpu-sh" ]; then
	"${CC:-cc}" -O2 -D_GNU_SOURCE -o "$work/pty" "$bench/../cli/pty.c"
	printf '%s\n' 'expect skl>' 'within 30000' 'type quit\n' 'end 0' >"$work/keys"
	for _ in $(seq $((runs / 4 + 1))); do
		TERM=xterm PTY_VERBOSE=1 "$work/pty" gpu-sh -s demo:skl-hang <"$work/keys"
	done | sed 's/[^0-9]//g' | sort -n >"$work/prompts"
	echo "the first prompt of gpu-sh, $((runs / 4 + 1)) runs: median" \
		"$(sed -n "$((runs / 8 + 1))p" "$work/prompts") us, least $(head -n 1 "$work/prompts") us"
fi
