#!/bin/sh
# SPDX-License-Identifier: MIT
# A GPU whose registers are refused, or asleep as a whole: what can be read is used, and what is
# missing is said with the way out.
. "$(dirname "$0")/lib.sh"
: "${GPU_FAULT:?the built gpu-fault}" "${GPU_REPORT:?the built gpu-report}" "${GPU_REGDUMP:?the built gpu-regdump}"

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
poke "$gpu/config" 0x10 0xfd000004
poke "$gpu/config" 0x50 0x000000c1
mkdir -p "$gpu/drm/card0" "$sys/class/drm" "$sys/kernel/security"
ln -s "../../bus/pci/devices/0000:00:02.0/drm/card0" "$sys/class/drm/card0"
error=$gpu/drm/card0/error

# kept: the blitter hung two hours ago; nothing_kept: i915's words for that
kept() {
	printf '%s\n' 'GPU HANG: ecode 9:2:0x85dffffb, in Xorg [19819], hang on bcs0' \
		"Time: $(($(date +%s) - 7300)) s 1 us" 'Kernel: 6.1.0' 'PCI ID: 0x1912' \
		'EIR: 0x00000000' 'bcs0 command stream:' '  START: 0x00006000' \
		'  HEAD: 0x00000040 [0x00000000]' '  TAIL: 0x00000080 [0x00000000, 0x00000000]' \
		'  CTL: 0x00003001' '  ACTHD: 0x00000000 00000040' '  IPEHR: 0x54c00006' >"$error"
}

nothing_kept() {
	echo 'No error state collected' >"$error"
}

stored='this is the i915 error state that the driver stored'

# ends TITLE STATUS LAST COMMAND...: LAST is the last line of what it complains about
ends() {
	title=$1 want_status=$2 want_last=$3
	shift 3
	status=0
	"$@" >"$work/out" 2>"$work/err" || status=$?
	same "$title: status" "$status" "$want_status"
	same "$title: what is missing" "$(tail -n 1 "$work/err")" "$want_last"
}

# scene TITLE STATUS REASON WAY COMMAND...: what the commands say where registers are refused, as
# COMMAND runs them
scene() {
	scene=$1 denied=$2 reason=$3 why="$3: $4"
	shift 4
	kept
	ends "$scene" 6 "gpu-fault: 0000:00:02.0: $why" "$@" "$GPU_FAULT" --no-user-config
	same "$scene: what the answer rests on" "$(sed -n 2p "$work/out")" \
		"# registers cannot be read: $reason; $stored"
	same "$scene: the answer" "$(sed -n 3,4p "$work/out" | tr '\n' ' ' | cut -c 1-20)" \
		'# verdict bcs0 hangs'
	ends "$scene: as JSON" 6 "gpu-fault: 0000:00:02.0: $why" "$@" "$GPU_FAULT" --no-user-config -j
	same "$scene: as JSON, too" "$(tr -d '"\\' <"$work/out" | grep -Fc "refused:$(echo "$why" | tr -d '"'),now:null")" 1
	ends "$scene: a page" 6 "gpu-report: 0000:00:02.0: $why" "$@" "$GPU_REPORT" --no-user-config -o -
	same "$scene: the page says so" "$(sed 's/&quot;/"/g' "$work/out" |
		grep -Fc "Registers cannot be read: $why. This report is")" 1

	nothing_kept
	ends "$scene: nothing stored" $denied "gpu-fault: 0000:00:02.0: $why" \
		"$@" "$GPU_FAULT" --no-user-config
	same "$scene: nothing stored, nothing said" "$(cat "$work/out")" ''
	ends "$scene: nothing stored, no page" $denied "gpu-report: 0000:00:02.0: $why" \
		"$@" "$GPU_REPORT" --no-user-config -o -
	same "$scene: nothing stored, no part of a page" "$(cat "$work/out")" ''
	ends "$scene: a register" $denied "gpu-regdump: 0000:00:02.0: $why" \
		"$@" "$GPU_REGDUMP" --no-user-config 0x2030
	same "$scene: no register" "$(cat "$work/out")" ''
}

# What sleeps, or is suspended. A GPU of which one part is awake has something to tell.
poke "$gpu/resource0" 0xd84 0 0
poke "$gpu/resource0" 0x130044 0
nothing_kept
ends 'asleep' 5 'gpu-fault: registers of faults, errors and engines: asleep: nobody holds forcewake; --wake=registers requests it' \
	in_sys "$GPU_FAULT" --no-user-config
same 'asleep: nothing was written' "$(peek "$gpu/resource0" 0xa278)" 00000000
kept
ends 'asleep, after a hang' 0 '' in_sys "$GPU_FAULT" --no-user-config -q
same 'asleep, after a hang: the dump' "$(cut -c 1-50 "$work/out")" '(i915 error state, 2 hours old) bcs0 hangs 0x40 by'
held_awake
echo suspended >"$gpu/power/runtime_status"
scene suspended 5 suspended '"on" in its power/control wakes it' in_sys
echo active >"$gpu/power/runtime_status"

if command -v strace >/dev/null; then
	lockdown() {
		in_sys env ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null \
			-P /sys/bus/pci/devices/0000:00:02.0/resource0 -e trace=mmap \
			-e inject=mmap:error=EPERM "$@"
	}
	echo 'none [integrity] confidentiality' >"$sys/kernel/security/lockdown"
	scene lockdown 4 'kernel lockdown (integrity) forbids mapping PCI memory' \
		'disable Secure Boot, or boot without lockdown=' lockdown
	rm "$sys/kernel/security/lockdown"
	scene 'no securityfs' 4 'operation not permitted' 'lockdown, a container or a security module forbids mapping PCI memory; to see whether it is lockdown: mount -t securityfs none /sys/kernel/security' \
		lockdown
fi
same 'no securityfs: the devices' 'kernel lockdown: unknown' \
	"$(in_sys "$GPU_REGDUMP" --no-user-config --devices | tail -n 1)"

# The first 64 bytes of config space are everybody's; not root, the kernel shows no more.
stranger() {
	in_sys setpriv --reuid 65534 --clear-groups "$@"
}
if [ "$(id -u)" != 0 ] || ! setpriv --reuid 65534 --clear-groups test -x "$GPU_FAULT" 2>/dev/null; then
	finish
fi
scene 'not root' 4 'permission denied' 'run as root' stranger
chmod 600 "$error"
ends 'not root, nor may the dump be read' 4 'gpu-fault: 0000:00:02.0: permission denied: run as root' \
	stranger "$GPU_FAULT" --no-user-config
chmod 644 "$error"
expect 'not root: config space' 0 '# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06 source live
config:0x00  0x8086   VID2
config:0x10  0x00000000fd000004  GTTMMADR' '' stranger env NO_COLOR=1 "$GPU_REGDUMP" \
	--no-user-config -q config:0 config:0x10
ends 'not root: everything' 4 'gpu-regdump: 0000:00:02.0: permission denied: run as root' \
	stranger "$GPU_REGDUMP" --no-user-config
same 'not root: everything' "$(cat "$work/out")" ''
expect 'not root: config space and a register' 6 '# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06 source live
config:0x00  0x8086   VID2
0x002030  denied      rcs0.RING_BUFFER_TAIL' 'gpu-regdump: rcs0.RING_BUFFER_TAIL (0x2030): not permitted
gpu-regdump: 0000:00:02.0: permission denied: run as root' stranger env NO_COLOR=1 "$GPU_REGDUMP" \
	--no-user-config -q config:0 0x2030
finish
