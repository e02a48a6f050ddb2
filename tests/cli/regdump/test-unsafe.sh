#!/bin/sh
# SPDX-License-Identifier: MIT
# Registers whose reading has a side effect are left out of a BAR, with the reason, unless --unsafe.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

make_bar "$work/bar" 4194304 0x2030 0x150 0x2034 0x148
bar=bar:$work/bar

title 'a register with a side effect'
run gpu-regdump -p ilk --from "$bar" --json rcs0.RING_BUFFER_TAIL rcs0.RING_BUFFER_HEAD
expect_status 0
expect_json '[.registers[] | [.name, .status, .value]]' \
	'[["RING_BUFFER_TAIL","skipped",null],["RING_BUFFER_HEAD","ok","0x148"]]'
run gpu-regdump -p ilk --from "$bar" rcs0.RING_BUFFER_TAIL rcs0.RING_BUFFER_HEAD
expect_status 0
expect_out_has 'RING_BUFFER_HEAD'
expect_out_lacks '0x0*150'
expect_out_has 'skipped.*semaphore'

title 'by its address'
run gpu-regdump -p ilk --from "$bar" --json 0x2030
expect_status 0
expect_json '[.registers[] | [.status, .value]]' '[["skipped",null]]'
run gpu-regdump -p ilk --from "$bar" --json 0x2030-0x2037
expect_status 0
expect_json '[.registers[] | [.status, .value]]' '[["skipped",null],["ok","0x148"]]'

title 'nothing asked for has a value: no text, but rows'
run gpu-regdump -p ilk --from "$bar" rcs0.RING_BUFFER_TAIL
expect_status 0
expect_out_empty

title '--unsafe'
run gpu-regdump -p ilk --from "$bar" --unsafe --json rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | [.status, .value]]' '[["ok","0x150"]]'
run gpu-regdump -p ilk --from "$bar" --unsafe --json 0x2030-0x2037
expect_json '[.registers[] | .value]' '["0x150","0x148"]'

title 'the same register without the hazard on a later platform'
run gpu-regdump -p skl --from "$bar" --json rcs0.RING_BUFFER_TAIL
expect_json '[.registers[] | [.status, .value]]' '[["ok","0x150"]]'

title 'everything'
run gpu-regdump -p ilk --from "$bar" --json
expect_status 0
expect_json '[.registers[] | select(.status == "skipped")] | length > 0' true
run gpu-regdump -p ilk --from "$bar" --unsafe --json
expect_status 0
expect_json '[.registers[] | select(.status == "skipped")] | length' 0
finish
