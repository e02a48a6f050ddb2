#!/bin/sh
# SPDX-License-Identifier: MIT
# State and kernels that traces of a driver point to (GPUSCOPE_CORPUS), against what Mesa's decoder
# finds: names, addresses, dwords and the values of fields.
. "$(dirname "$0")/../lib.sh"
needs gpu-batch awk
corpus=${GPUSCOPE_CORPUS:-}
[ -d "$corpus/aub" ] || pass_by 'no corpus given (GPUSCOPE_CORPUS)'

# Both texts become lines of the same form: "COMMAND STATE ADDRESS DWORD" and
# "COMMAND STATE ADDRESS NAME = VALUE [MEANING]"; addresses without leading zeros.
cat >"$work/theirs.awk" <<'END'
function address(s) { sub(/:.*/, "", s); sub(/^0x0*/, "", s); return s }
function name(s) { s = toupper(s); gsub(/[^A-Z0-9]+/, "", s); return s }
/^0x[0-9a-f]+:  0x[0-9a-f]+:  / { command = address($1); state = ""; next }
/^BLEND_STATE(_ENTRY [0-9]+)?$/ { state = "BLEND_STATE"; next }
/^[A-Z][A-Z_]+( [0-9]+)?$/ { state = $1; next }
/^sampler state / { state = "SAMPLER_STATE"; next }
/^pointer [0-9]+: / { state = "RENDER_SURFACE_STATE"; next }
/^0x[0-9a-f]+:  0x[0-9a-f]+ : Dword / {
	at = address($1)
	if (state != "")
		print command, state, at, $2
	next
}
/^    [A-Za-z0-9]/ && state != "" {
	match($0, /: [^:]*$/)
	value = substr($0, RSTART + 2)
	sub(/ .*/, "", value)
	value = value == "true" ? 1 : value == "false" ? 0 : value
	if (value ~ /^[0-9]+$/ || value ~ /^0x/)
		print command, state, at, name(substr($0, 5, RSTART - 5)), "=", value
	next
}
/^[^ 0]/ { state = "" }
END
cat >"$work/ours.awk" <<'END'
function address(s) { sub(/:.*/, "", s); sub(/^0x0*/, "", s); return s }
/^0x[0-9a-f]+:  0x[0-9a-f]+:  / { command = address($1); state = ""; next }
/^    [A-Z0-9_]+\[[0-9]+\] at / { state = $1; sub(/\[.*/, "", state); next }
/^    0x[0-9a-f]+:  0x/ { at = address($1); print command, state, at, $2; next }
/^ +[0-9]+(:[0-9]+)? +[A-Z0-9_]+ / && state != "" {
	gsub(/_/, "", $2)
	print command, state, at, $2, "=", $3, $4
	next
}
/^0x/ { state = "" }
END
# Theirs after ours: how many values are equal; those that differ, and names that are not there.
# Fields that reach into a second dword stand there in their text.
cat >"$work/fields.awk" <<'AWK'
function number(s,   n, i) {
	if (s !~ /^0x/)
		return s ~ /^[0-9]+$/ ? s : -1
	n = 0
	for (i = 3; i <= length(s); i++)
		n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
	return sprintf("%.0f", n)
}
$5 != "=" { next }
{ key = $1 " " $2 " " $3 }
FNR == NR {
	values[key " " $4] = values[key " " $4] " " number($6) " " number($7) " "
	there[key] = 1
	next
}
!(key in there) { next }
values[key " " $4] ~ (" " number($6) " ") { equal++; next }
/AUXILIARY|CLEARVALUEADDRESS|RESERVED/ && values[key " " $4] == "" { next }
{ print "field", $0, "not", values[key " " $4] }
END { print equal + 0 }
AWK

while read -r name least states; do
	aub=$corpus/aub/$name
	title "$name: state"
	run gpu-batch --state -v "$aub.aub"
	expect_status 0 6
	awk -f "$work/ours.awk" "$out" >"$work/ours"
	awk -f "$work/theirs.awk" "$aub.aubinator.txt" >"$work/theirs"
	# Mesa shows four viewports where no command says how many there are, samplers at no
	# address, and state that its own valid bit turns off: all of it zero.
	awk 'NF == 4' "$work/ours" | sort -u >"$work/a"
	awk 'NF == 4' "$work/theirs" | sort -u >"$work/b"
	comm -13 "$work/a" "$work/b" | grep -v ' 0x00000000$' >"$work/missing"
	[ ! -s "$work/missing" ] || fail "not told: $(head -n 1 "$work/missing")"
	both=$(comm -12 "$work/a" "$work/b" | wc -l)
	[ "$both" -ge "$states" ] || fail "only $both dwords that both have, not $states"
	awk -f "$work/fields.awk" "$work/ours" "$work/theirs" >"$work/fields"
	grep '^field' "$work/fields" >"$work/differ" && fail "$(head -n 1 "$work/differ")"
	both=$(tail -n 1 "$work/fields")
	[ "$both" -ge "$least" ] || fail "only $both fields that are equal, not $least"
done <<END
gen6-snb-0126 1050 240
gen7-ivb-016a 1250 312
gen8-bdw-162e 1150 361
gen8-chv-22b3 1150 361
gen9-skl-1912 1800 593
gen11-icl-8a52 1850 566
END

# An instruction of the disassembly is 16 bytes, or 8 if it is compacted.
cat >"$work/sizes.awk" <<'END'
/^Referenced/ { inside = 1; size = 0; next }
inside && /\{ align1|\{ align16/ { size += /compacted/ ? 8 : 16 }
inside && / EOT / { print size; inside = 0 }
END
while read -r name; do
	aub=$corpus/aub/$name
	title "$name: kernels end where Mesa's disassembler ends them"
	run gpu-batch --kernels "$work/$name" "$aub.aub"
	expect_status 0
	awk -f "$work/sizes.awk" "$aub.aubinator.txt" | sort -nu >"$work/wanted"
	wc -c "$work/$name"/*.bin | awk '$2 != "total" { print $1 }' | sort -nu >"$work/got"
	[ -s "$work/wanted" ] || fail 'no kernel in the text'
	cmp -s "$work/wanted" "$work/got" ||
		fail "sizes $(tr '\n' ' ' <"$work/got"), not $(tr '\n' ' ' <"$work/wanted")"
done <<END
gen8-bdw-162e
gen9-skl-1912
gen11-icl-8a52
END

title 'a GM45 that hung: units, and what they point to, stand behind the batch'
error=$corpus/error-state/gm45-0x2a42-2013
run gpu-batch --state "$error-i915_error_state.txt"
expect_status 6
wanted=$(grep -c 3DSTATE_PIPELINED_POINTERS "$error-render-batch-at-10c53000.libdrm.txt")
for unit in VS_STATE CLIP_STATE SF_STATE SF_VIEWPORT WM_STATE COLOR_CALC_STATE CC_VIEWPORT \
	BINDING_TABLE_STATE RENDER_SURFACE_STATE; do
	same "$unit" "$(grep -Ec "^    $unit\[0\] at 0x[0-9a-f]+\$" "$out")" "$wanted"
done
# Its screen has 1024 x 768 pixels.
grep -A 4 '^    SF_VIEWPORT' "$out" | grep -c ' 0x44000000  512$' >"$work/count"
same 'viewports half as wide as it' "$(cat "$work/count")" "$wanted"
grep -A 4 '^    SF_VIEWPORT' "$out" | grep -c ' 0x43c00000  384$' >"$work/count"
same 'viewports half as high as it' "$(cat "$work/count")" "$wanted"
finish
