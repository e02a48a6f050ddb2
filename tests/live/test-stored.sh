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

# A process's name may hold a newline, and what follows it any key or line of another format.
identity_of() {
	in_sys env HOME="$work" "$(dirname "$GPU_FAULT")/gpu-fault" -j "$@" >"$work/json" 2>"$work/err" ||
		[ $? = 6 ] || echo "status $?: $(head -n 1 "$work/err")"
	jq -r '"\(.platform) \(.device) \(.engines[0].name)"' "$work/json"
}

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
fake_card card0
ln -s ../.. "$gpu/drm/card0/device"
for name in 'a
[1.0] i915 0' '
PCI ID: 0x64a0' 'x
fence[0] = 1' '
00:02.0 VGA' "$(printf 'q\n')
**** Job ****"; do
	printf '%s\n' "GPU HANG: ecode 9:1:0x85dffffb, in $name [1981]" 'Kernel: 6.1.0' \
		'Time: 1500000000 s 1 us' "Active process (on ring rcs0): $name [1981]" \
		'PCI ID: 0x1912' 'PCI Revision: 0x06' 'EIR: 0x00000000' 'rcs0 command stream:' \
		'  START: 0x00001000' '  HEAD:  0x00000040 [0x00000000]' '  TAIL:  0x00000080 [0x00000000, 0x00000000]' \
		'  CTL:   0x00003001' "  Active context: $name[1981] prio 0, guilty 0 active 0" \
		>"$gpu/drm/card0/error"
	expect 'a newline in a name of i915' 0 'skl 0x1912 rcs0' '' \
		identity_of /sys/class/drm/card0/error
	cp "$gpu/drm/card0/error" "$work/copy"
	expect 'a newline in a name of i915, in a copy of the file' 0 'skl 0x1912 rcs0' '' \
		identity_of "$work/copy"
done

fake_gpu 0000:03:00.0 0x64a0 0x04 16
fake_core devcd1 0000:03:00.0 1500000000
for name in '
PCI ID: 0x1912' 'a
[1.0] xe 0000:' 'x
fence[0] = 1' '
GPU HANG: ecod'; do
	printf '%s\n' '**** Xe Device Coredump ****' 'kernel: 6.12.0' 'module: xe' \
		'Snapshot time: 1500000000.5' 'Uptime: 100.5' "Process: $name [1981]" \
		'PCI ID: 0x64a0' 'PCI revision: 0x04' '' '**** HW Engines ****' \
		'rcs0 (physical), logical instance=0' '	RING_START: 0x00001000' \
		'	RING_HEAD: 0x00000040' '	RING_TAIL: 0x00000080' \
		>"$sys/class/devcoredump/devcd1/data"
	expect 'a newline in a name of xe' 0 'lnl 0x64a0 rcs0' '' \
		identity_of /sys/class/devcoredump/devcd1/data
	cp "$sys/class/devcoredump/devcd1/data" "$work/copy"
	expect 'a newline in a name of xe, in a copy of the file' 0 'lnl 0x64a0 rcs0' '' \
		identity_of "$work/copy"
done

# The text may say anything: the device is that of the link.
sed -i 's/PCI ID: 0x64a0/PCI ID: 0x56a0/' "$sys/class/devcoredump/devcd1/data"
expect 'the id is that of the device' 0 'lnl 0x64a0 rcs0' '' \
	identity_of /sys/class/devcoredump/devcd1/data
finish
