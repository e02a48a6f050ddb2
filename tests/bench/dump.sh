# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Every register that is known, decoded, from 16 MiB of noise: each field has something to say.
"$work/make-bar" --random "$work/bar" 16777216
ours="gpu-regdump -p skl --from bar:$work/bar"
$ours >"$work/all" 2>/dev/null

# Of the file only the pages with registers are read: the limit is to write what is printed.
job 'all registers of Skylake, decoded' 'anchor 4' 100 "$ours" \
	"$(if_there intel_reg "--mmio=$work/bar" --devid=0x1912 dump)" "cat $work/all"

# The same registers on both sides, of which ours says every field.
if [ "$(if_there intel_reg)" ]; then
	intel_reg "--mmio=$work/bar" --devid=0x1912 dump 2>/dev/null |
		grep -o '(0x[0-9a-f]*): 0x' | tr -d '():' | cut -d ' ' -f 1 | sort -u >"$work/known"
	job "the $(wc -l <"$work/known") of them that intel_reg knows" '' 100 \
		"$ours $(paste -s -d ' ' "$work/known")" \
		"intel_reg --mmio=$work/bar --devid=0x1912 dump" "cat $work/all"
fi
