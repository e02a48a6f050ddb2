#!/bin/sh
# SPDX-License-Identifier: MIT
# JSON of every mode: against the schemas, the promised keys, NDJSON.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-db jq python3
[ -n "$(ls "$schemas"/*.json 2>/dev/null)" ] || skip 'no schemas'
python3 -c 'import jsonschema' 2>/dev/null || skip 'no python3-jsonschema'

# keep NAME COMMAND...: its JSON, to be validated at the end
keep() {
	title "$1"
	name=$1
	shift
	run "$@"
	expect_status 0 6
	cp "$out" "$work/$name"
}

for platform in snb skl icl; do
	make_bar --random "$work/$platform.bar" $platform
	make_bar "$work/zero.bar" $platform
	bar=bar:$work/$platform.bar
	keep $platform-read.json gpu-regdump -p $platform --from "$bar" --json
	keep $platform-read.ndjson gpu-regdump -p $platform --from "$bar" --ndjson
	keep $platform-range.json gpu-regdump -p $platform --from "$bar" --json 0x2000-0x21ff FENCE
	keep $platform-diff.json gpu-regdump -p $platform --json --diff "bar:$work/zero.bar" "$bar"
	keep $platform-diff.ndjson gpu-regdump -p $platform --ndjson --diff "bar:$work/zero.bar" "$bar"
	keep $platform-decode.json gpu-regdump -p $platform --decode --json \
		rcs0.RING_BUFFER_CONTROL=0xffffffff 'FENCE[3]=0xffffffffffffffff'
	rm "$work/$platform.bar"
done
keep skl-list.json gpu-regdump -p skl --list --json
keep skl-reset.json gpu-regdump -p skl --json --diff reset "bar:$work/zero.bar"
make_bar "$work/part.bar" 0x1000
keep absent.json gpu-regdump -p skl --from "bar:$work/part.bar@0x2000" --json 0x2000 0x3000
keep demo.json gpu-regdump --from demo:skl-hang --json
keep id.json gpu-regdump -p 0x1912 --from "bar:$work/part.bar@0x2000" --json 0x2030
if command -v gpu-db >/dev/null; then
	for platform in snb skl icl; do
		keep export-$platform.json gpu-db export -p $platform --json
	done
	keep db-list.json gpu-db list -p skl --json 'RING_BUFFER_*'
	keep db-show.json gpu-db show -p skl --json RING_BUFFER_CONTROL
	keep db-stats.json gpu-db stats --json
	keep db-check.json gpu-db check --json "$data/scratch.def"
	run gpu-db check --json "$data/broken.def"
	cp "$out" "$work/db-broken.json"
fi
if command -v gpu-snap >/dev/null; then
	run gpu-snap save --from demo:snb-hang -o "$work/capture"
	keep snap-info.json gpu-snap info --json "$work/capture"
fi
if command -v gpu-pte >/dev/null; then
	keep pte.json gpu-pte -p skl --json -m pml4 -l pde 0x18080008b 0x22543b003 0
	keep pte.ndjson gpu-pte -p skl --ndjson -m ia32e -l pde2m 0xffff0000000000e7 0
	keep pte-vtd.json gpu-pte -p skl --json -l vtd-context 0x102:0x105a4b001
	keep pte-pasid.json gpu-pte -p skl --json -l vtd-pasid 0:0:0:0:0:0:0x800002:0x1038a5089 0
	keep pte-null.json gpu-pte -p icl --json -m pml4 0x180410203 0xffffffffffffffff
	keep pte-local.json gpu-pte -p dg2 --json -m pml4 -l pde 0x12340803
	keep pte-flat.json gpu-pte -p brw --json -m flat 0x12345001
	keep pte-trtt.ndjson gpu-pte -p icl --ndjson -l trtt-l2 0x100002000 1 2
fi
if command -v gpu-ptwalk >/dev/null; then
	for demo in skl-hang snb-hang icl-trtt; do
		keep ptwalk-$demo-map.json gpu-ptwalk -s demo:$demo --json --map
		keep ptwalk-$demo-map.ndjson gpu-ptwalk -s demo:$demo --ndjson --map
		keep ptwalk-$demo-flat.json gpu-ptwalk -s demo:$demo -m ggtt --json --flat
		keep ptwalk-$demo-check.json gpu-ptwalk -s demo:$demo --json --check
		keep ptwalk-$demo-spaces.json gpu-ptwalk -s demo:$demo --json --spaces
		keep ptwalk-$demo-spaces.ndjson gpu-ptwalk -s demo:$demo --ndjson --spaces
	done
	keep ptwalk-reverse.json gpu-ptwalk -s demo:skl-hang --json --reverse 0x180410123
	keep ptwalk-reverse.ndjson gpu-ptwalk -s demo:skl-hang --ndjson --reverse 0x180410123
	# An address that is not mapped: 3.
	run gpu-ptwalk -s demo:skl-hang --json 0x200000000 0x7a1105603000 0x1000000000000
	cp "$out" "$work/ptwalk-walks.json"
	run gpu-ptwalk -s demo:icl-trtt --ndjson 0x500000000000 0x500000010000
	cp "$out" "$work/ptwalk-walks.ndjson"
	run gpu-ptwalk -s demo:skl-hang --vtd 0x1000 --json 0x200000000
	cp "$out" "$work/ptwalk-vtd.json"
	run gpu-ptwalk -s demo:skl-hang -m ia32e --access write --json 0x200000000
	cp "$out" "$work/ptwalk-ia32e.json"
	run gpu-ptwalk -p brw -s none -m flat --root 0x1001 --json 0
	cp "$out" "$work/ptwalk-flat.json"
	run gpu-ptwalk -p skl -s none -m vtd --root 0x1000/3 --json 0
	cp "$out" "$work/ptwalk-second.json"
	run gpu-ptwalk -p skl -s none --json --map
	cp "$out" "$work/ptwalk-empty.json"
	run gpu-ptwalk -s demo:skl-hang --json --reverse 0x42 lmem:0x1000
	cp "$out" "$work/ptwalk-missed.json"
fi
if command -v gpu-sh >/dev/null; then
	for form in json ndjson; do
		keep sh-dry.$form gpu-sh -p skl -n --force --$form -c 'FENCE[1] |= 0x1000'
		keep sh-ggtt.$form gpu-sh -p skl -n --$form -c 'ggtt:0x10 = 0x1001'
		keep sh-wait.$form gpu-sh -s demo:skl-hang --$form -c 'wait rcs0.RING_TAIL == 0xc98'
		keep sh-set.$form gpu-sh --$form -c set
		# Refused, and in vain: 2 and 3.
		run gpu-sh -s demo:skl-hang --$form -c 'rcs0.MI_MODE:STOP_RINGS = stopped'
		cp "$out" "$work/sh-refused.$form"
		run gpu-sh -s demo:skl-hang --$form \
			-c "wait RING_FAULT_REG:FAULT_TYPE == 'invalid PTE' timeout 0.01"
		cp "$out" "$work/sh-vain.$form"
	done
	keep sh-journal.json gpu-sh -p skl -s none --json -c journal
	keep sh-from.json gpu-sh -s demo:skl-hang --json -c from
fi
if command -v gpu-batch >/dev/null; then
	for demo in skl-hang snb-hang icl-trtt; do
		keep batch-$demo.json gpu-batch -s demo:$demo --json --state
		keep batch-$demo.ndjson gpu-batch -s demo:$demo --ndjson
		keep batch-$demo-lint.json gpu-batch -s demo:$demo --json --lint
	done
	printf '0 : 11000001\n4 : 2358\n8 : 1\nc : ffffffff\n' >"$work/dwords"
	keep batch-dwords.json gpu-batch -p snb --json --mark 4 "$work/dwords"
	keep batch-query.json gpu-batch -p snb --json --query TIMESTAMP "$work/dwords"
	keep batch-query.ndjson gpu-batch -p snb --ndjson --query TIMESTAMP "$work/dwords"
fi

title 'against the schemas'
command_line='tests/cli/validate.py'
python3 "$tests/cli/validate.py" "$schemas" "$work"/*.json >"$out" 2>&1 || fail "$(head -n 20 "$out")"
python3 "$tests/cli/validate.py" --ndjson "$schemas" "$work"/*.ndjson >"$out" 2>&1 || fail "$(head -n 20 "$out")"

title 'NDJSON is the same document'
for platform in snb skl icl; do
	jq -c '.registers[]' "$work/$platform-read.json" >"$work/elements"
	tail -n +2 "$work/$platform-read.ndjson" | jq -c . | cmp -s - "$work/elements" ||
		fail "$platform: the elements differ"
	same "$platform: the head" "$(head -n 1 "$work/$platform-read.ndjson" | jq -c .)" \
		"$(jq -c 'del(.registers)' "$work/$platform-read.json")"
	jq -c '.differences[]' "$work/$platform-diff.json" >"$work/elements"
	tail -n +2 "$work/$platform-diff.ndjson" | jq -c . | cmp -s - "$work/elements" ||
		fail "$platform: the differences differ"
done

title 'the promised keys'
wanted='["access","aliases","doc","engine","fields","group","name","offset","origin","reset","size","status","value"]'
for document in snb-read skl-range icl-decode absent demo; do
	cp "$work/$document.json" "$out"
	expect_json "[.registers[] | $wanted - keys] | unique" '[[]]'
done
cp "$work/skl-list.json" "$out"
expect_json '[.registers[] | ["access","aliases","doc","engine","fields","group","name","offset",
	"origin","reset","size"] - keys] | unique' '[[]]'
for document in snb-diff skl-reset; do
	cp "$work/$document.json" "$out"
	expect_json '["a","b","differences","device","platform","schema","source"] - keys' '[]'
	expect_json '[.differences[] | ["a","b","fields","name","offset"] - keys] | unique' '[[]]'
	expect_json '[.differences[].fields[] | keys_unsorted | sort] | unique' \
		'[["a","b","hi","lo","name"]]'
	expect_json '[.differences[] | select(.a == .b)]' '[]'
done

title 'an origin is a title and a section, and the same everywhere'
for platform in snb skl icl; do
	gpu-regdump -p $platform --list --json |
		jq -c '.registers[] | [.engine, .name, .offset, .origin]' | sort >"$work/listed"
	gpu-db -p $platform export --json |
		jq -c '.registers[] | [.engine, .name, .offset, .origin]' | sort >"$work/exported"
	[ "$(wc -l <"$work/listed")" -gt 300 ] || fail "$platform: few registers"
	cmp -s "$work/listed" "$work/exported" || fail "$platform: $(diff "$work/listed" \
		"$work/exported" | head -n 2)"
	same "$platform: origins without a section" "$(jq -r '.[3]' "$work/listed" |
		grep -vc '..*, ..*')" 0
done

if command -v gpu-sh >/dev/null; then
	title 'what the shell tells'
	cp "$work/sh-dry.json" "$out"
	expect_json '[.events[].accesses[] | select(.access == "write") | [.address, .value]]' \
		'[["0x100008","0x0"],["0x10000c","0x0"],["0x100008","0x1000"]]'
	cp "$work/sh-wait.json" "$out"
	expect_json '.events[] | [.event, .value, .met, .last]' '["wait","0xc98",true,"0xc98"]'
	cp "$work/sh-vain.json" "$out"
	expect_json '.events[] | [.met, .status, .last]' '[false,"ok","0x1"]'
	cp "$work/sh-refused.json" "$out"
	expect_json '.events[] | del(.reason)' \
		'{"event":"refused","name":"rcs0.MI_MODE:STOP_RINGS","operation":"=","given":"stopped","exit_status":2}'
	cp "$work/sh-from.json" "$out"
	expect_json '[.platform, .source, .events]' '["skl",["demo:skl-hang"],[]]'
	cp "$work/sh-set.json" "$out"
	expect_json '[.events[] | [.name, .on]]' \
		'[["dry-run",false],["force",false],["undo-on-exit",false]]'
fi

title 'fields say what the value says'
cp "$work/skl-read.json" "$out"
cat >"$work/fields.py" <<'END'
import json, sys
for r in json.load(open(sys.argv[1]))["registers"]:
    if r["status"] != "ok":
        continue
    value = int(r["value"], 16)
    if value >> 8 * r["size"]:
        print(f'{r["name"]}: {r["value"]} is too large')
    for f in r["fields"]:
        want = value >> f["lo"] & (1 << f["hi"] - f["lo"] + 1) - 1
        if int(f["value"], 16) != want:
            print(f'{r["name"]}:{f["name"]} is {f["value"]}, not {want:#x}')
END
for platform in snb skl icl; do
	same "$platform" "$(python3 "$work/fields.py" "$work/$platform-read.json" | head -n 5)" ''
done
finish
