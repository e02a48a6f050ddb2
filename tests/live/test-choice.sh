#!/bin/sh
# SPDX-License-Identifier: MIT
# Which device a name means, and what is said when it means none.
. "$(dirname "$0")/lib.sh"

fresh
expect 'an empty bus' 1 '' 'probe: live: no Intel GPU here' in_devices "$PROBE" identity
expect 'an empty bus: the list is empty' 0 '' '' in_devices "$PROBE" gpus

fake_function 0000:00:00.0 0x8086 0x0100 0x060000 0x09 1
fake_function 0000:01:00.0 0x10de 0x1234 0x030000 0xa1 16
expect 'GPUs of others only' 1 '' 'probe: live: no Intel GPU here' in_devices "$PROBE" identity
expect 'a bridge by name' 1 '' 'probe: 00:00.0: not an Intel GPU' \
	in_devices "$PROBE" -s 00:00.0 identity
expect 'a GPU of others by name' 1 '' 'probe: 01:00.0: not an Intel GPU' \
	in_devices "$PROBE" -s 01:00.0 identity
expect 'nothing there' 1 '' 'probe: 0000:00:07.0: no such PCI device' \
	in_devices "$PROBE" -s 0000:00:07.0 identity

fake_gpu 0000:00:02.0 0x0102 0x09 4
expect 'the only one' 0 'snb 0x0102 0x09' '' in_devices "$PROBE" identity
fake_function 0000:00:02.1 0x8086 0x0103 0x038000 0x09 1
expect 'its second function is no GPU of its own' 0 'snb 0x0102 0x09' '' \
	in_devices "$PROBE" identity

fake_gpu 0000:03:00.0 0x1912 0x06 16
expect 'two' 2 '' \
	'probe: live: 2 Intel GPUs here: *: 0000:00:02.0 (0x0102), 0000:03:00.0 (0x1912)' \
	in_devices "$PROBE" identity
expect 'two, one chosen' 0 'skl 0x1912 0x06' '' in_devices "$PROBE" -s 03:00.0 identity
expect 'two, the other chosen' 0 'snb 0x0102 0x09' '' \
	in_devices "$PROBE" -s 0000:00:02.0 identity

fresh
fake_function 0001:00:02.0 0x8086 0x1912 0x038000 0x06 16
expect 'another domain, class "other display"' 0 'skl 0x1912 0x06' '' \
	in_devices "$PROBE" -s 0001:00:02.0 identity
expect 'the short form means domain 0' 1 '' 'probe: 00:02.0: no such PCI device' \
	in_devices "$PROBE" -s 00:02.0 identity

ln -s /nonexistent "$devices/0000:00:1f.0"
expect 'an entry that cannot be read' 1 '' \
	'probe: /sys/bus/pci/devices: libpciaccess cannot list it*No such file*one entry*' \
	in_devices "$PROBE" identity

# The machine itself, whatever it has: a GPU, none, or one that is not ours to map.
status=0
"$PROBE" identity >"$work/stdout" 2>"$work/stderr" || status=$?
case $status in
0) same 'this machine: one line' 1 "$(wc -l <"$work/stdout")" ;;
[1245]) same 'this machine: one line on stderr' 1 "$(wc -l <"$work/stderr")" ;;
*) same 'this machine: exit status' "$status" '0, 1, 2, 4 or 5' ;;
esac
# The library that finds GPUs is loaded when one is wanted, and its package is named; a static
# program has it.
library=$(/sbin/ldconfig -p | sed -n 's/.*libpciaccess\.so\.0.* => //p' | head -n 1)
if [ -n "$library" ] && ldd "$PROBE" | grep -q libgpuscope &&
	! LD_DEBUG=files "$PROBE" lockdown 2>&1 | grep -q libpciaccess; then
	# shellcheck disable=SC2016
	expect 'libpciaccess is missing' 1 '' \
		'probe: libpciaccess.so.0: needed to find GPUs, cannot be loaded: install the package libpciaccess0' \
		$namespace sh -c 'mount --bind /dev/null "$(readlink -f "$0")" && exec "$@"' \
		"$library" "$PROBE" identity
fi
finish
