#!/bin/sh
# SPDX-License-Identifier: MIT
# What the manuals print, listed apart from the definitions, against what gpu-db exports: the
# Sandy Bridge registers (tests/data/snb-inventory.tsv), and every bit of the page-table entries
# (tests/data/entry-inventory.tsv).
. "$(dirname "$0")/../lib.sh"
needs jq gpu-db

title 'every register of the inventory'
run gpu-db export -p snb --json
expect_status 0
jq -r '.registers[] | . as $r |
	(.name | capture("^(?<base>[^\\[]*)(?<index>.*)$")) as $n |
	([.name] + [.aliases[] + $n.index]) [] |
	[., $r.offset, $r.space, ([$r.fields[] | "\(.hi):\(.lo)"] | join(","))] | @tsv' \
	"$out" >"$work/have"
missing=$(awk -F'\t' '
	NR == FNR { fields[toupper($1) "\t" $2 "\t" $3] = "," $4 ","; next }
	/^#/ { next }
	{
		key = toupper($1) "\t" $2 "\t" $3
		if (!(key in fields)) { print $1 " at " $2; next }
		n = split($4, bits, ",")
		for (i = 1; i <= n; i++)
			if (bits[i] != "" && !index(fields[key], "," bits[i] ","))
				print $1 ":" bits[i]
	}' "$work/have" "$data/snb-inventory.tsv")
same 'registers and fields that are missing' "$missing" ''

title 'how much there is'
same 'registers of the inventory' "$(grep -vc '^#' "$data/snb-inventory.tsv")" 646

title 'every bit of every page-table entry'
inventory=$data/entry-inventory.tsv
for platform in $(grep -v '^#' "$inventory" | cut -f1 | sort -u); do
	run gpu-db export -p "$platform" --json
	expect_status 0
	jq -r --arg platform "$platform" '(.structures + .registers)[] | . as $item | .fields[] |
		[$platform, $item.name, .name, (.dword // 0) * 32 + .hi, (.dword // 0) * 32 + .lo] |
		@tsv' "$out"
done >"$work/have"
missing=$(awk -F'\t' '
	NR == FNR {
		exact[$1, $2, $3, $4, $5] = 1
		for (bit = $5; bit <= $4; bit++)
			is[$1, $2, $3, bit] = 1
		next
	}
	/^#/ { next }
	{
		hi = lo = $5
		sub(/:.*/, "", hi)
		sub(/.*:/, "", lo)
		hi += 0
		bad = !(($1, $4, $6, hi, lo) in exact)
		if ($6 == "IGNORED" || $6 == "RESERVED")
			for (bad = 0; lo <= hi; lo++)
				bad = bad || !(($1, $4, $6, lo) in is)
		if (bad)
			print $1, $4 ":" $6, $5
	}' "$work/have" "$inventory")
same 'bits that are missing or of another kind' "$missing" ''
same 'rows of the inventory' "$(grep -vc '^#' "$inventory")" 554

finish
