#!/bin/sh
# SPDX-License-Identifier: MIT
# intel_reg of intel-gpu-tools on the same platforms: where both know a register they agree on its
# name and its address, but for the differences that tests/data/igt-differences.tsv explains. Of a
# file in which every dword is its own offset intel_reg prints names with their addresses. It knows
# no platform after Tiger Lake, and shows Haswell's registers for most that stand between.
. "$(dirname "$0")/../lib.sh"
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
		([$n.base] + [.aliases[] | sub("\\[.*"; "")])[] as $name | [$name, $n.index, .offset] | @tsv' "$out"
}

for pair in g33:0x29c2 pnv:0xa001 brw:0x29a2 crl:0x2a02 elk:0x2e22 ctg:0x2a42 ilk:0x0046 snb:0x0126 ivb:0x0166 hsw:0x0412 \
	bdw:0x1612 vlv:0x0f31 chv:0x22b0 skl:0x1912 kbl:0x5912 icl:0x8a52 tgl:0x9a49; do
	platform=${pair%:*}
	title "$platform"
	theirs "${pair#*:}" >"$work/theirs"
	[ "$(wc -l <"$work/theirs")" -gt 150 ] || fail 'intel_reg lists next to nothing'
	ours "$platform" >"$work/ours"
	awk -F'\t' -v platform="$platform" -v tally="$work/tally" -v used="$work/used" '
		function number(text,   value, i) {
			text = tolower(substr(text, 3))
			for (i = 1; i <= length(text); i++)
				value = 16 * value + index("0123456789abcdef", substr(text, i, 1)) - 1
			return value
		}
		# A pattern of the shell as an expression.
		function expression(pattern) {
			gsub(/\?/, ".", pattern)
			gsub(/\*/, ".*", pattern)
			return "^(" toupper(pattern) ")$"
		}
		function explained(name,   i) {
			for (i = 1; i <= patterns; i++)
				if (toupper(name) ~ pattern[i]) {
					print platform, line[i] >used
					return 1
				}
			return 0
		}
		FILENAME ~ /tsv$/ {
			if ($0 !~ /^#/ && " " $1 " " ~ " " platform " ") {
				pattern[++patterns] = expression($2)
				line[patterns] = FNR
			}
			next
		}
		FILENAME ~ /ours$/ {
			here = number($3)
			names[here] = names[here] " " $1
			index_only = $2
			gsub(/[][]/, "", index_only)
			has[toupper($1), here] = has[toupper($1 index_only), here] = \
				has[toupper($1 "_" index_only), here] = 1
			if (!(toupper($1) in place))
				place[toupper($1)] = $3
			next
		}
		{
			here = number($2)
			if (has[toupper($1), here])
				agree++
			else if (explained($1))
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
	cat "$work/used" >>"$work/used-all" 2>/dev/null
	same 'registers on which intel_reg and gpu-db differ' "$(cat "$work/differ")" ''
	same 'registers that only intel_reg knows' "$(cat "$work/tally.unknown" 2>/dev/null)" ''
	rm -f "$work/tally.unknown" "$work/used"
done

title 'explanations that explain nothing'
awk -F'\t' 'FILENAME ~ /used-all$/ { used[$0] = 1; next }
	/^#/ { next }
	{
		n = split($1, platforms, " ")
		for (i = 1; i <= n; i++)
			if (!((platforms[i] " " FNR) in used))
				print platforms[i], $2
	}' "$work/used-all" "$differences" >"$work/stale"
same 'explanations without a difference' "$(cat "$work/stale")" ''

finish
