#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --write NAME=VALUE without a device: the accesses of a dry run, and what is refused.
# What is written is in tests/live/test-write.sh.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-sh jq

title '--dry-run shows what the shell shows'
for write in 'rcs0.CTX_SR_CTL:ENGINE_CTX_RESTORE_INHIBIT=1' 'rcs0.RING_BUFFER_START=0x3000' \
	'ggtt:0x2008=0x1001' '0x4f100=0x12'; do
	run gpu-sh -p skl -n -c "$write"
	expect_status 0
	cp "$out" "$work/shell"
	run gpu-regdump -p skl -n "$write"
	expect_status 0
	expect_out "$(cat "$work/shell")"
done

title 'a masked register, and the name of a value'
run gpu-regdump -s demo:skl-hang --dry-run --force rcs0.MI_MODE.STOP_RINGS=stopped 0x4f100=0x12
expect_status 0
expect_out 'read   0x00209c  (the current value)
write  0x00209c = 0x01000100  (bits 31:16 enable the bits that are written)
read   0x00209c  (read back, which also posts the write)
read   0x04f100  (the current value)
write  0x04f100 = 0x00000012
read   0x04f100  (read back, which also posts the write)'

title 'a hazard: its accesses, and the reason'
run gpu-regdump -p skl -n 0x4f100=1 PP_CONTROL:POWER_ON=1 0x4f104=2
expect_status 2
expect_out_has '^write  0x0c7204 = '
expect_out_has '^write  0x04f104 = '
expect_err_line "gpu-regdump: PP_CONTROL:POWER_ON: not without --force: switches the panel's power*"
run gpu-regdump -p skl -n --json 0x4f100=1 PP_CONTROL:POWER_ON=1
expect_status 2
expect_json '[.writes[] | [.given, .name, (.accesses | length), .refused != null]]' \
	'[["0x4f100=1","0x4f100",3,false],["PP_CONTROL:POWER_ON=1","PP_CONTROL:POWER_ON",3,true]]'
cp "$out" "$work/hazard.json"
run gpu-regdump -p skl -n --ndjson 0x4f100=1 0x4f104=2
expect_status 0
cp "$out" "$work/dry.ndjson"

title 'nothing is shown of what cannot be planned as a whole'
refused 3 'gpu-regdump: X: unknown register of skl*' gpu-regdump -p skl -n 0x4f100=1 X=1
refused 3 'gpu-regdump: X: unknown register of skl*' gpu-regdump -p skl -n PP_CONTROL:POWER_ON=1 X=1
refused 2 'gpu-regdump: foo: expected a number or normal or stopped *' \
	gpu-regdump -p skl -n rcs0.MI_MODE:STOP_RINGS=foo
refused 2 'gpu-regdump: 0x4f100: 0x1ffffffff does not fit*' gpu-regdump -p skl -n 0x4f100=0x1ffffffff
refused 2 "gpu-regdump: '': expected a number *" gpu-regdump -p skl -n 0x4f100=
for word in =1 0x4f100 =; do
	refused 2 "gpu-regdump: $word: expected NAME=VALUE *" gpu-regdump -p skl -n 0x4f104=1 "$word"
done
refused 2 'gpu-regdump: --dry-run: expected NAME=VALUE *' gpu-regdump -p skl -n
refused 2 'gpu-regdump: --force: needs --write or --dry-run *' gpu-regdump -p skl --force 0x4f100=1

title 'a dump'
refused 2 'gpu-regdump: 0x4f100=1: not written: a dump cannot be written; --dry-run shows *' \
	gpu-regdump -s demo:skl-hang --write 0x4f100=1
refused 2 'gpu-regdump: rcs0.ACTHD=1: --decode shows what a value means, --write writes it *' \
	gpu-regdump -s demo:skl-hang rcs0.ACTHD=1

[ -z "$(ls "$schemas"/*.json 2>/dev/null)" ] || expect_schemas
finish
