#!/bin/sh
# SPDX-License-Identifier: MIT
# Traces of a driver (GPUSCOPE_CORPUS): every page of their maps, by gpu-ptwalk.
. "$(dirname "$0")/../lib.sh"
needs gpu-ptwalk jq
corpus=${GPUSCOPE_CORPUS:-}
[ -d "$corpus/aub" ] || pass_by 'no corpus given (GPUSCOPE_CORPUS)'

# has_map SOURCE MAP: the pages of SOURCE are exactly the rows "va pa pte" of MAP
has_map() {
	run gpu-ptwalk -p "$platform" -s "$1" -m pml4 --root 0 --flat --all
	cut -d' ' -f1,2 "$out" >"$work/got"
	grep -v '^#' "$2" | cut -f1,2 | tr '\t' ' ' |
		sed 's/0x0*\([0-9a-f]\)/0x\1/g; /^va/d' >"$work/wanted"
	[ "$(wc -l <"$work/wanted")" -ge 292 ] || fail 'a short map'
	sort "$work/wanted" >"$work/a"
	sort "$work/got" >"$work/b"
	cmp -s "$work/a" "$work/b" || fail "$(diff "$work/a" "$work/b" | head -n 4 | tr '\n' ' ')"
}

while read -r platform name; do
	aub=$corpus/aub/$name
	title "$name: the process's pages"
	has_map "$aub.aub" "$aub.ppgtt-map.tsv"
	[ ! -f "$aub.physmem.bin" ] || has_map "mem:$aub.physmem.bin" "$aub.ppgtt-map.tsv"
	title "$name: walks and raw entries"
	addresses=$(cut -d' ' -f1 "$work/wanted" | head -n 200)
	# shellcheck disable=SC2086
	run gpu-ptwalk -p "$platform" -s "$aub.aub" -m pml4 --root 0 --json $addresses
	expect_status 0
	jq -r '.walks[] | "\(.address) \(.physical) \(.levels[-1].raw)"' "$out" >"$work/got"
	grep -v '^#' "$aub.ppgtt-map.tsv" | tr '\t' ' ' | sed 's/0x0*\([0-9a-f]\)/0x\1/g; /^va/d' |
		head -n 200 | cmp -s - "$work/got" || fail "other walks: $(head -n 1 "$work/got")"
	title "$name: the global table"
	run gpu-ptwalk -p "$platform" -s "$aub.aub" -m ggtt --flat --all
	expect_status 0
	cut -d' ' -f1,2 "$out" >"$work/got"
	grep -v '^#' "$aub.ggtt-map.tsv" | grep '^[0-9]' | while read -r _ va pte; do
		printf '0x%x 0x%x\n' "$((va))" "$((pte & 0x7ffffff000))"
	done >"$work/wanted"
	same 'rows of the table' "$(wc -l <"$work/wanted")" 26
	grep -Fxc -f "$work/wanted" "$work/got" >"$work/same"
	same 'of them in the map' "$(cat "$work/same")" 26
done <<END
bdw gen8-bdw-162e
chv gen8-chv-22b3
skl gen9-skl-1912
icl gen11-icl-8a52
END
finish
