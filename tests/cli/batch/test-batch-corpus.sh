#!/bin/sh
# SPDX-License-Identifier: MIT
# Batches, rings and traces of the corpus (GPUSCOPE_CORPUS): commands and fields as Mesa's aubinator
# and libdrm have them; JSON of all of them against the schema.
. "$(dirname "$0")/../lib.sh"
needs gpu-batch jq python3
corpus=${GPUSCOPE_CORPUS:-}
[ -d "$corpus/aub" ] || pass_by 'no corpus given (GPUSCOPE_CORPUS)'

# agrees COMMANDS FIELDS: nothing differs in $work/report, and so much was compared at least
agrees() {
	sed '$d' "$work/report" >"$work/differences"
	[ ! -s "$work/differences" ] || fail "$(wc -l <"$work/differences") differences: $(head -n 3 "$work/differences")"
	# shellcheck disable=SC2046
	set -- "$@" $(tail -n 1 "$work/report")
	same commands "$4" "$1"
	[ "$2" = 0 ] || [ "$6" -ge "$2" ] || fail "only $6 fields of $8 have the same name and value"
}

while read -r name commands fields; do
	title "aubinator: $name"
	run gpu-batch --json "$corpus/aub/$name.aub"
	expect_status 0
	cp "$out" "$work/$name.json"
	python3 "$tests/cli/batch/batch-reference.py" aubinator "$corpus/aub/$name.aubinator.txt" "$out" \
		>"$work/report" 2>&1
	agrees "$commands" "$fields"
	run gpu-batch --headers "$corpus/aub/$name.aub"
	same 'headers' "$(wc -l <"$out")" "$commands"
	jq -r '.buffers[].commands[] | "\(.dwords[0]) \(.name)"' "$work/$name.json" >"$work/a"
	sed 's/^[^:]*:  0x0*\([0-9a-f]\)/0x\1/; s/:  / /' "$out" | cmp -s - "$work/a" ||
		fail 'headers and JSON differ'
done <<END
gen6-snb-0126 283 3500
gen7-ivb-016a 418 4000
gen8-bdw-162e 414 3500
gen8-chv-22b3 422 3600
gen9-skl-1912 635 6100
gen11-icl-8a52 589 5800
END

while read -r file reference id address last; do
	title "libdrm: $file"
	run gpu-batch -p "$id" -a "$address" --no-follow --headers "$corpus/$file"
	expect_status 0
	python3 "$tests/cli/batch/batch-reference.py" libdrm "$corpus/$reference" "$out" "$last" >"$work/report" 2>&1
	agrees "$(wc -l <"$out")" 0
	[ "$(wc -l <"$out")" -gt 12 ] || fail 'few commands'
	case $file in
	*-ring-*) continue ;;
	esac
	run gpu-batch -p "$id" -a "$address" --no-follow --ndjson "$corpus/$file"
	cp "$out" "$work/${file##*/}.ndjson"
done <<END
batch-libdrm/gen4-3d.batch batch-libdrm/gen4-3d.batch-ref.txt 0x2a02 0x12300000 0xffffffff
batch-libdrm/gen5-3d.batch batch-libdrm/gen5-3d.batch-ref.txt 0x0042 0x12300000 0xffffffff
batch-libdrm/gen7-3d.batch batch-libdrm/gen7-3d.batch-ref.txt 0x0162 0x12300000 0xffffffff
aub/gen4-brw-2a02-batch0-at-00010000.bin aub/gen4-brw-2a02-batch0-at-00010000.libdrm.txt 0x2a02 0x10000 0xffffffff
aub/gen6-snb-0126-batch0-at-00010000.bin aub/gen6-snb-0126-batch0-at-00010000.libdrm.txt 0x0126 0x10000 0xffffffff
aub/gen7-ivb-016a-batch0-at-00010000.bin aub/gen7-ivb-016a-batch0-at-00010000.libdrm.txt 0x016a 0x10000 0xffffffff
aub/gen7-ivb-016a-batch1-at-00010000.bin aub/gen7-ivb-016a-batch1-at-00010000.libdrm.txt 0x016a 0x10000 0xffffffff
error-state/gm45-0x2a42-2013-render-batch-at-10c53000.bin error-state/gm45-0x2a42-2013-render-batch-at-10c53000.libdrm.txt 0x2a42 0x10c53000 0x10c56fd8
error-state/gm45-0x2a42-2013-render-ring-at-00001000.bin error-state/gm45-0x2a42-2013-render-ring-at-00001000.libdrm.txt 0x2a42 0x1000 0xffffffff
END

title 'a trace without a reference text has its batch all the same'
run gpu-batch --json "$corpus/aub/gen4-brw-2a02.aub"
expect_status 0
expect_json '[.buffers[] | select(.kind == "batch") | .length]' \
	"[$(wc -c <"$corpus/aub/gen4-brw-2a02-batch0-at-00010000.bin")]"
cp "$out" "$work/brw.json"

title 'an error state: where the engine was'
run gpu-batch -q "$corpus/error-state/gm45-0x2a42-2013-i915_error_state.txt"
expect_status 6
grep -e '<-' "$out" >"$work/marks"
same 'the batch' "$(grep -c '^0x10c56560:  0x7b003804:  3DPRIMITIVE  <- ACTHD$' "$work/marks")" 1
same 'the head' "$(grep -c '^0x0001f9b0:  0x02000024:  MI_FLUSH  <- HEAD$' "$work/marks")" 1
run gpu-batch --json "$corpus/error-state/gm45-0x2a42-2013-i915_error_state.txt"
expect_json '[.buffers[] | select(.engine == "rcs0" and (.commands | length) > 0) | [.kind, .address]]' \
	'[["batch","0x10c53000"],["ring","0x1000"]]'
# The command before HEAD has started the batch.
expect_json '.buffers[0] | [.address, .from]' '["0x10c53000","0x1f9a8"]'
expect_json '[.buffers[1].commands[] | select(.address == "0x1f9a8") | [.name, .dwords[1]]]' \
	'[["MI_BATCH_BUFFER_START","0x10c53000"]]'
run gpu-batch --json -a 0x10c53000 "$corpus/error-state/gm45-0x2a42-2013-i915_error_state.txt"
expect_status 0
expect_json '.buffers | map([.kind, .address])' '[["batch","0x10c53000"]]'

title '-a: a batch of a trace'
run gpu-batch --headers -a 0xfffefffee000 "$corpus/aub/gen9-skl-1912.aub"
expect_status 0
same 'its commands' "$(wc -l <"$out")" 618

title 'against the schema'
run_lenient gpu-batch --json --state "$corpus/aub/gen9-skl-1912.aub"
cp "$out" "$work/state.json"
run_lenient gpu-batch --json --query L3CNTLREG "$corpus/aub/gen9-skl-1912.aub"
cp "$out" "$work/query.json"
expect_schemas
finish
