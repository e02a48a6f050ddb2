#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --devices and live sources on a machine without an Intel GPU; tests/live has those
# with one.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

if ! built_with live; then
	title 'a build that reads no devices'
	refused 1 'gpu-regdump: live devices: this build has no *' gpu-regdump 0x2030
	refused 1 'gpu-regdump: live devices: this build has no *' gpu-regdump -s 00:02.0 0x2030
	finish
fi
for device in /sys/bus/pci/devices/*; do
	case $(cat "$device/vendor" "$device/class" 2>/dev/null | tr '\n' ' ') in
	'0x8086 0x03'*) pass_by 'this machine has an Intel GPU' ;;
	esac
done

title 'no GPU'
run gpu-regdump
expect_status 1
expect_out_empty
expect_err_line 'gpu-regdump: live: no Intel GPU here; name a dump with -s FILE, or try -s demo:skl-hang'
refused 1 'gpu-regdump: live: no Intel GPU here; name a dump with -s FILE, or try -s demo:skl-hang' gpu-regdump RING_BUFFER_TAIL
refused 1 'gpu-regdump: live: no Intel GPU here; name a dump with -s FILE, or try -s demo:skl-hang' gpu-regdump --from live 0x2030
refused 1 'gpu-regdump: 00:02.0: *' gpu-regdump --from 00:02.0 0x2030
refused 1 'gpu-regdump: 0000:00:02.0: *' gpu-regdump --from 0000:00:02.0 0x2030
refused 1 'gpu-regdump: ffff:ff:1f.7: *' gpu-regdump --from ffff:ff:1f.7 0x2030

title 'no device node'
refused 1 'gpu-regdump: /dev/dri/card999: *' gpu-regdump --from /dev/dri/card999 0x2030
refused 1 'gpu-regdump: /dev/dri/renderD999: *' gpu-regdump --from /dev/dri/renderD999 0x2030

title 'the list of no devices'
run gpu-regdump --devices
expect_status 0 1
expect_out_lacks '^0000:'
run gpu-regdump --devices --json
expect_status 0 1
[ "$status" = 1 ] || expect_json '[.schema, .devices]' '["gpuscope.regdump/1",[]]'

title 'a list takes no selectors'
run gpu-regdump --devices RING_BUFFER_TAIL
expect_status 2
expect_out_empty
finish
