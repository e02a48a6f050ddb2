#!/bin/sh
# SPDX-License-Identifier: MIT
# Several sources at once, who tells the platform, and compressed files.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/whole" skl 0x2030 0x150 0x203c 0x1f001
make_bar "$work/page" 0x1000 0x30 0x28
printf '# gpu-regdump 1.0 platform skl\n0x002030  0x00000008\n' >"$work/skl.txt"
printf '# gpu-regdump 1.0 platform snb\n0x002030  0x00000010\n' >"$work/snb.txt"
printf '# gpu-regdump 1.0 platform icl device 0x8a52\n0x002030  0x00000018\n' >"$work/icl.txt"
printf '0x2034 0x148\n' >"$work/pairs"

value_is() {
	want=$1
	shift
	run gpu-regdump "$@" --json rcs0.RING_BUFFER_TAIL
	expect_status 0
	expect_json '[.registers[] | .value]' "[\"$want\"]"
}

title 'the first source that holds an address wins'
value_is 0x28 -p skl --from "bar:$work/page@0x2000" --from "bar:$work/whole"
value_is 0x150 -p skl --from "bar:$work/whole" --from "bar:$work/page@0x2000"
value_is 0x8 -p skl --from "$work/skl.txt" --from "bar:$work/whole"
value_is 0x150 -p skl --from "bar:$work/whole" --from "$work/skl.txt"
value_is 0x8 --from "$work/pairs" --from "$work/skl.txt" --from "bar:$work/whole"
expect_json '.source' "[\"$work/pairs\",\"$work/skl.txt\",\"bar:$work/whole\"]"

title 'each adds what the ones before it lack'
run gpu-regdump -p skl --from "$work/skl.txt" --from "$work/pairs" --from "bar:$work/whole" --json \
	0x2030-0x203f
expect_json '[.registers[] | .value]' '["0x8","0x148","0x0","0x1f001"]'

title 'a source that names no platform takes that of another'
value_is 0x150 --from "bar:$work/whole" --from "$work/skl.txt"
expect_json .platform '"skl"'

title 'two that disagree'
refused 2 'gpu-regdump: *(try --help)' gpu-regdump --from "$work/skl.txt" --from "$work/snb.txt" 0x2030
expect_err_line '*skl*'
expect_err_line '*snb*'
refused 2 'gpu-regdump: *(try --help)' gpu-regdump --from "$work/skl.txt" --from "bar:$work/whole" \
	--from "$work/icl.txt" 0x2030
title '-p settles it'
value_is 0x8 -p skl --from "$work/skl.txt" --from "$work/snb.txt"
expect_json .platform '"skl"'
value_is 0x10 -p skl --from "$work/snb.txt" --from "$work/skl.txt"
expect_json .platform '"skl"'
title '-p overrides'
value_is 0x10 -p hsw --from "$work/snb.txt"
expect_json '[.platform, .device]' '["hsw",null]'
title '-p with an id overrides'
value_is 0x18 -p 0x1912 --from "$work/icl.txt"
expect_json '[.platform, .device]' '["skl","0x1912"]'
title '-p as the source tells it keeps the device'
value_is 0x18 -p icl --from "$work/icl.txt"
expect_json '[.platform, .device]' '["icl","0x8a52"]'
title 'the id of a source'
value_is 0x18 --from "$work/icl.txt"
expect_json '[.platform, .device]' '["icl","0x8a52"]'
title 'an unknown -p is told before a source is opened'
refused 3 'gpu-regdump: 0xffff: *' gpu-regdump -p 0xffff --from "$work/nonexistent" 0x2030

title 'no platform at all'
refused 2 'gpu-regdump: *platform*(try --help)' gpu-regdump --from "bar:$work/whole" 0x2030
refused 2 'gpu-regdump: *platform*(try --help)' gpu-regdump --from "$work/pairs" 0x2034

title 'one bad source among good ones'
refused 1 'gpu-regdump: *nonexistent: *' gpu-regdump -p skl --from "bar:$work/whole" \
	--from "$work/nonexistent" 0x2030

title 'definitions only'
run gpu-regdump -p skl --from none --json rcs0.RING_BUFFER_TAIL
expect_status 3
expect_json '[.registers[] | [.status, .value]]' '[["absent",null]]'
expect_json .source '["none"]'
run gpu-regdump -p skl --from none rcs0.RING_BUFFER_TAIL
expect_status 3
expect_out_empty
value_is 0x150 -p skl --from none --from "bar:$work/whole"

title 'gzip'
if built_with gzip && command -v gzip >/dev/null; then
	gzip -k "$work/whole"
	value_is 0x150 -p skl --from "bar:$work/whole.gz"
	gzip -c "$work/skl.txt" >"$work/packed"
	value_is 0x8 --from "$work/packed"
	run_in "$work/packed" gpu-regdump --from - --json rcs0.RING_BUFFER_TAIL
	expect_status 0
	head -c 4000 "$work/whole.gz" >"$work/cut.gz"
	run gpu-regdump -p skl --from "bar:$work/cut.gz" --json rcs0.RING_BUFFER_TAIL 0xfff000
	expect_status 6
	expect_err_line 'gpu-regdump: *cut.gz*: *'
	{ cat "$work/packed"; echo junk; } >"$work/trailing"
	run gpu-regdump --from "$work/trailing" --json rcs0.RING_BUFFER_TAIL
	expect_status 0 6
	expect_json '[.registers[] | .value]' '["0x8"]'
fi

title 'zstd'
if built_with zstd && command -v zstd >/dev/null; then
	zstd -q "$work/whole"
	value_is 0x150 -p skl --from "bar:$work/whole.zst"
	zstd -qc "$work/skl.txt" >"$work/packed"
	value_is 0x8 --from "$work/packed"
	head -c 300 "$work/whole.zst" >"$work/cut.zst"
	run gpu-regdump -p skl --from "bar:$work/cut.zst" --json rcs0.RING_BUFFER_TAIL 0xfff000
	expect_status 1 3 6
	expect_err_line 'gpu-regdump: *: *'
fi

title 'what this build cannot unpack'
printf '\037\213\010\000\000\000\000\000' >"$work/whole.gz"
printf '\050\265\057\375\000\000\000\000' >"$work/whole.zst"
built_with gzip || refused 1 'gpu-regdump: */whole.gz: this build cannot read gzip files' \
	gpu-regdump -p skl --from "$work/whole.gz" 0x2030
built_with zstd || refused 1 'gpu-regdump: */whole.zst: this build cannot read zstd files' \
	gpu-regdump -p skl --from "$work/whole.zst" 0x2030

title 'a pipe'
run sh -c 'cat "$0" | gpu-regdump -p skl --from bar:/dev/stdin --json rcs0.RING_BUFFER_TAIL' "$work/whole"
expect_status 0
expect_json '[.registers[] | .value]' '["0x150"]'
finish
