#!/bin/sh
# SPDX-License-Identifier: MIT
# What the kernel has kept of a hang: the error state of the card's node, device core dumps of it.
. "$(dirname "$0")/lib.sh"

# fake_card NAME: a card's node of the GPU made last
fake_card() {
	mkdir -p "$gpu/drm/$1" "$sys/class/drm"
	ln -s "../../bus/pci/devices/$(basename "$gpu")/drm/$1" "$sys/class/drm/$1"
	echo 'No error state collected' >"$gpu/drm/$1/error"
}

# fake_core NAME BDF TIME
fake_core() {
	mkdir -p "$sys/class/devcoredump/$1"
	ln -s "../../../bus/pci/devices/$2" "$sys/class/devcoredump/$1/failing_device"
	printf '**** Xe Device Coredump ****\nSnapshot time: %s.5\nPCI ID: 0x64a0\n' "$3" \
		>"$sys/class/devcoredump/$1/data"
}

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
gone=$gpu
expect 'no node' 0 '' '' in_sys "$PROBE" stored
fake_card card0
mkdir "$gpu/drm/renderD128"
expect 'nothing has happened' 0 '' '' in_sys "$PROBE" stored
echo 'no error state collected' >"$gpu/drm/card0/error"
expect 'nothing, as older kernels say it' 0 '' '' in_sys "$PROBE" stored
: >"$gpu/drm/card0/error"
expect 'an empty file' 0 '' '' in_sys "$PROBE" stored

printf '%s\n' 'GPU HANG: ecode 9:1:0x85dffffb' 'Time: 1500000000 s 1 us' 'PCI ID: 0x1912' \
	'EIR: 0x00000000' 'rcs0 command stream:' '  HEAD: 0x00000040' >"$gpu/drm/card0/error"
cp "$gpu/drm/card0/error" "$work/state"
expect 'an error state' 0 '/sys/class/drm/card0/error: i915 error state: 0, 60 s old' '' \
	in_sys "$PROBE" stored

fake_gpu 0000:03:00.0 0x64a0 0x04 16
fake_card card1
fake_core devcd10 0000:03:00.0 1500000020
fake_core devcd2 0000:03:00.0 1500000010
fake_core devcd1 0000:00:02.0 1500000000
mkdir "$sys/class/devcoredump/devcd3" "$sys/class/devcoredump/disabled"
expect 'core dumps of this GPU, the oldest first' 0 \
	'/sys/class/devcoredump/devcd2/data: Xe devcoredump: 0, 50 s old
/sys/class/devcoredump/devcd10/data: Xe devcoredump: 0, 40 s old' '' \
	in_sys "$PROBE" -s 03:00.0 stored
expect 'both, of the other one' 0 \
	'/sys/class/drm/card0/error: i915 error state: 0, 60 s old
/sys/class/devcoredump/devcd1/data: Xe devcoredump: 0, 60 s old' '' \
	in_sys "$PROBE" -s 00:02.0 stored

rm "$gone/drm/card0/error"
mkdir "$gone/drm/card0/error"
expect 'no file' 0 '/sys/class/devcoredump/devcd1/data: Xe devcoredump: 0, 60 s old' '' \
	in_sys "$PROBE" -s 00:02.0 stored
rmdir "$gone/drm/card0/error"

# What only root may read is there all the same; that opening it fails tells why.
echo 'PCI ID: 0x1912' >"$gone/drm/card0/error"
chmod 0 "$gone/drm/card0/error" "$sys/class/devcoredump/devcd1/data"
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$PROBE" 2>/dev/null; then
	expect 'not ours to read' 0 \
		'/sys/class/drm/card0/error: i915 error state: 4
/sys/class/devcoredump/devcd1/data: Xe devcoredump: 4' '' \
		in_sys setpriv --reuid 65534 --clear-groups "$PROBE" -n -s 00:02.0 stored
	mkdir -p "$sys/kernel/debug/dri/0"
	cp "$work/state" "$sys/kernel/debug/dri/0/i915_error_state"
	expect 'not ours to read, but for that of debugfs' 0 \
		'/sys/kernel/debug/dri/0/i915_error_state: i915 error state: 0, 60 s old
/sys/class/devcoredump/devcd1/data: Xe devcoredump: 4' '' \
		in_sys setpriv --reuid 65534 --clear-groups "$PROBE" -n -s 00:02.0 stored
	echo 'No error state collected' >"$sys/kernel/debug/dri/0/i915_error_state"
	expect 'nor is there anything in debugfs' 0 \
		'/sys/class/drm/card0/error: i915 error state: 4
/sys/class/devcoredump/devcd1/data: Xe devcoredump: 4' '' \
		in_sys setpriv --reuid 65534 --clear-groups "$PROBE" -n -s 00:02.0 stored
fi
finish
