#!/bin/sh
# SPDX-License-Identifier: MIT
# Devices that are suspended, removed or silent: no read of theirs is a value, and none is woken.
. "$(dirname "$0")/lib.sh"

skl() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
	held_awake
}

skl
echo suspended >"$gpu/power/runtime_status"
expect 'suspended, without a driver that could wake it' 5 '' \
	'probe: 0000:00:02.0: suspended: "on" in its power/control wakes it' \
	in_devices "$PROBE" mmio:0x2080:4
ln -s ../../drivers/i915 "$gpu/driver"
expect 'suspended' 5 '' 'probe: 0000:00:02.0: suspended*--wake=driver*' \
	in_devices "$PROBE" mmio:0x2080:4
expect 'suspended: its identity is to be had' 0 'skl 0x1912 0x06
asleep' '' in_devices "$PROBE" -n identity config:0:2
if command -v strace >/dev/null; then
	in_devices env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" \
		-e trace=openat "$PROBE" identity 2>/dev/null
	same 'suspended: neither config space nor BAR is touched' 0 \
		"$(grep -c '/config"\|/resource0"' "$work/trace")"
fi

skl
poke "$gpu/config" 0 0xffffffff 0xffffffff
expect 'removed' 5 '' 'probe: 0000:00:02.0: gone*' in_devices "$PROBE" mmio:0x2080:4

skl
poke "$gpu/config" 4 0x00100001
echo 0 >"$gpu/enable"
expect 'memory decoding off' 5 '' 'probe: 0000:00:02.0: memory decoding is off*' \
	in_devices "$PROBE" mmio:0x2080:4

skl
for place in 0x2034 0x2038 0x2080 0x2358 0xd84 0xd88 0x130044; do
	poke "$gpu/resource0" $place 0xffffffff
done
expect 'all ones' 5 '' 'probe: 0000:00:02.0: asleep or gone: its registers read as all ones' \
	in_devices "$PROBE" mmio:0x2358:4
poke "$gpu/resource0" 0x2038 0
expect 'all ones are no acknowledgement' 0 asleep '' in_devices "$PROBE" mmio:0x2358:4
poke "$gpu/resource0" 0xd84 1
expect 'one register of all ones is a value' 0 0xffffffff '' in_devices "$PROBE" mmio:0x2358:4
finish
