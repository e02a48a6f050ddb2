#!/bin/sh
# SPDX-License-Identifier: MIT
# The Sandy Bridge registers of the manuals, listed apart from the definitions
# (tests/data/snb-inventory.tsv), against what gpu-db exports.
. "$(dirname "$0")/lib.sh"
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

finish
