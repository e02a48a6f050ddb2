#!/bin/sh
# SPDX-License-Identifier: MIT
# /dev/dri/card0 and renderD128 as names of a device. Device nodes take root.
. "$(dirname "$0")/lib.sh"
wants drm
root_only 'mknod'

# fake_node NAME MINOR: a node of the GPU made last
fake_node() {
	ln -sfn ../../../pci "$gpu/subsystem"
	echo "PCI_SLOT_NAME=$(basename "$gpu")" >"$gpu/uevent"
	mkdir -p "$gpu/drm/$1" "$sys/dev/char" "$work/dri"
	ln -s ../../../"$(basename "$gpu")" "$gpu/drm/$1/device"
	ln -s "../../bus/pci/devices/$(basename "$gpu")/drm/$1" "$sys/dev/char/226:$2"
	mknod "$work/dri/$1" c 226 "$2"
}

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
fake_node card0 0
fake_node renderD128 128
fake_gpu 0000:03:00.0 0x0102 0x09 4
fake_node card1 1
expect 'a card' 0 'skl 0x1912 0x06' '' in_sys "$PROBE" -s /dev/dri/card0 identity
expect 'a render node' 0 'skl 0x1912 0x06' '' in_sys "$PROBE" -s /dev/dri/renderD128 identity
rm "$gpu/uevent"
expect 'another card, which libdrm cannot tell' 0 'snb 0x0102 0x09' '' \
	in_sys "$PROBE" -s /dev/dri/card1 identity

fake_function 0000:04:00.0 0x10de 0x1234 0x030000 0xa1 16
fake_node card2 2
expect 'a card of others' 1 '' 'probe: /dev/dri/card2: not an Intel GPU' \
	in_sys "$PROBE" -s /dev/dri/card2 identity

mknod "$work/dri/card9" c 226 9
expect 'a node that nothing is behind' 1 '' 'probe: /dev/dri/card9: not a node of a PCI device' \
	in_sys "$PROBE" -s /dev/dri/card9 identity
: >"$work/dri/card10"
expect 'a plain file' 1 '' 'probe: /dev/dri/card10: not a DRM node' \
	in_sys "$PROBE" -s /dev/dri/card10 identity
expect 'no such node' 1 '' 'probe: /dev/dri/card7: No such file or directory' \
	in_sys "$PROBE" -s /dev/dri/card7 identity
finish
