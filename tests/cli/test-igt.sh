#!/bin/sh
# SPDX-License-Identifier: MIT
# intel_reg of intel-gpu-tools on the same platforms: where both know a register they agree on its
# name and its address, but for the differences that tests/data/igt-differences.tsv explains. Of a
# file in which every dword is its own offset intel_reg prints names with their addresses. It knows
# no platform after Tiger Lake, and shows Haswell's registers for most that stand between.
. "$(dirname "$0")/lib.sh"
needs jq intel_reg gpu-db python3
differences=$data/igt-differences.tsv

python3 -c "
import struct, sys
sys.stdout.buffer.write(b''.join(struct.pack('<I', i) for i in range(0, 1 << 21, 4)))" >"$work/bar"

# What intel_reg lists for a device: NAME ADDRESS.
theirs() {
	intel_reg --mmio="$work/bar" --devid="$1" dump 2>/dev/null |
		sed -n 's/^ *\([A-Za-z0-9_]*\) (0x\([0-9a-f]*\)): .*/\1\t0x\2/p
			s/^ *\([A-Za-z0-9_]*\) (0x[0-9a-f]*:0x[0-9a-f]*): 0x\([0-9a-f]*\).*/\1\t0x\2/p' |
		sort -u
}

# What gpu-db knows: every name of every register with its place.
ours() {
	run gpu-db export -p "$1" --json
	expect_status 0
	jq -r '.registers[] | select(.space == "mmio") |
		(.name | capture("^(?<base>[^\\[]*)(?<index>.*)$")) as $n |
		([$n.base] + .aliases)[] as $name | [$name, $n.index, .offset] | @tsv' "$out"
}

for pair in brw:0x29a2 crl:0x2a02 elk:0x2e22 ctg:0x2a42 ilk:0x0046 snb:0x0126 ivb:0x0166 hsw:0x0412 \
	bdw:0x1612 vlv:0x0f31 chv:0x22b0 skl:0x1912 kbl:0x5912 icl:0x8a52 tgl:0x9a49; do
	platform=${pair%:*}
	title "$platform"
	theirs "${pair#*:}" >"$work/theirs"
	[ "$(wc -l <"$work/theirs")" -gt 150 ] || fail 'intel_reg lists next to nothing'
	ours "$platform" >"$work/ours"
	awk -F'\t' -v platform="$platform" -v tally="$work/tally" '
		function number(text,   value, i) {
			text = tolower(substr(text, 3))
			for (i = 1; i <= length(text); i++)
				value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
			return value
		}
		FILENAME ~ /tsv$/ {
			if ($0 !~ /^#/ && (" " $1 " " ~ " " platform " " || $1 == "*"))
				explained[toupper($2) number($3)] = 1
			next
		}
		FILENAME ~ /ours$/ {
			here = number($3)
			names[here] = names[here] " " $1
			has[toupper($1), here] = has[toupper($1 $2), here] = 1
			if (!(toupper($1) in place))
				place[toupper($1)] = $3
			next
		}
		{
			here = number($2)
			if (has[toupper($1), here])
				agree++
			else if (explained[toupper($1) here])
				told++
			else if (here in names)
				print platform, $1, $2, "is", names[here]
			else if (toupper($1) in place)
				print platform, $1, $2, "is at", place[toupper($1)]
			else {
				unknown++
				print platform, $1, $2 >(tally ".unknown")
			}
		}
		END { printf "%s: %d agree, %d explained, %d not known\n", platform, agree, told, unknown >tally }
		' "$differences" "$work/ours" "$work/theirs" >"$work/differ"
	cat "$work/tally"
	same 'registers on which intel_reg and gpu-db differ' "$(head -n 20 "$work/differ")" ''
	same 'registers that only intel_reg knows' "$(head -n 20 "$work/tally.unknown" 2>/dev/null)" ''
	rm -f "$work/tally.unknown"
done

finish
