# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# All 4194304 dwords of a BAR, as they are.
"$work/make-bar" --random "$work/bar" 16777216
job 'raw sweep of 16 MiB' 'anchor 50' 5 "gpu-regdump -p skl --from bar:$work/bar --unsafe 0x0+16M" \
	"$(if_there intel_reg "--mmio=$work/bar" --devid=0x1912 read --count=4194304 0x0)" \
	"copy $work/bar"
