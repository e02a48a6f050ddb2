#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-snap of a device: what goes along with it, a disk that is full, and how long it takes.
: "${GPU_SNAP:?the built gpu-snap}" "${GPU_FAULT:?the built gpu-fault}"
. "$(dirname "$0")/lib.sh"

gone() {
	[ -e "$1" ] && echo there || echo gone
}

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
mkdir -p "$gpu/drm/card0" "$sys/class/drm"
ln -s "../../bus/pci/devices/0000:00:02.0/drm/card0" "$sys/class/drm/card0"
printf '%s\n' 'GPU HANG: ecode 9:1:0x85dffffb, in secretproc [1981]' 'Time: 1500000000 s 1 us' \
	'PCI ID: 0x1912' 'EIR: 0x00000000' 'rcs0 command stream:' '  START: 0x00008000' \
	'  HEAD:  0x00000040' '  TAIL:  0x00000080' '  ACTHD: 0x00000000 0000003c' '  hung: 1' \
	>"$gpu/drm/card0/error"
poke "$gpu/resource0" 0x44408 0x12345678
poke "$gpu/resource0" 0x800008 0x0abc0001 0x1

in_sys "$GPU_SNAP" save -q -o "$work/capture.tar" 2>"$work/stderr"
case $? in
0 | 6) echo 'ok: saved' ;;
*)
	failures=$((failures + 1))
	echo "FAILED: save: $(cat "$work/stderr")"
	;;
esac
expect 'the error state is in it' 0 "$(cat "$gpu/drm/card0/error")" '' \
	"$GPU_SNAP" extract "$work/capture.tar" stored/error-state
expect 'an entry of the GGTT' 0 ' 000000010abc0001' '' \
	sh -c "'$GPU_SNAP' extract '$work/capture.tar' ggtt@0x8+8 | od -An -tx8"
same 'the driver did not hang it: gpu-fault tells of both' \
	"$("$GPU_FAULT" -s "$work/capture.tar" | grep -c -e '^## i915 error state stored/error-state' \
		-e '^## registers when the capture was made')" 2
same 'and so in a pipe' "$(in_sys sh -c "'$GPU_SNAP' save -q -o - | '$GPU_FAULT' -s -" 2>/dev/null |
	grep -c '^## i915 error state stored/error-state')" 1
in_sys "$GPU_SNAP" save -q --redact -o "$work/clean.tar" 2>/dev/null
same 'redacted' "$(grep -ac -e secretproc -e "$(uname -r)" "$work/clean.tar")" 0

# What the driver says of two GuCs: messages that nobody has read, and a file for people.
uc=$sys/kernel/debug/dri/0
mkdir -p "$uc/gt0/uc" "$uc/gt1/uc"
for gt in 0 1; do
	printf '%s\n' 'H2G CTB (all sizes in DW):' '	size: 1024' '	head (memory): 0' \
		'	tail (memory): 4' '	cmd[0]: 0x80520003' '	cmd[1]: 0x20001001' \
		"	cmd[2]: 0x0000000$gt" '	cmd[3]: 0x00000001' 'G2H CTB (all sizes in DW):' \
		'	size: 4096' '	head (memory): 0' '	tail (memory): 0' >"$uc/gt$gt/uc/guc_ctb"
done
echo 'GuC status 0x8002f0ec' >"$uc/gt0/uc/guc_info"
echo 'never read' >"$uc/gt0/uc/guc_log_dmesg"
in_sys "$GPU_SNAP" save -q -o "$work/guc.tar" 2>/dev/null
same 'files about the GuC' "$("$GPU_SNAP" info -v "$work/guc.tar" |
	sed -n 's/^ *[0-9]*  \(dump\|driver\)/\1/p' | tr '\n' ' ')" \
	'dump/gt0/uc/guc_ctb dump/gt1/uc/guc_ctb driver/gt0/uc/guc_info '
"$GPU_FAULT" "$work/guc.tar" >"$work/saved" 2>/dev/null
same 'messages in a capture' \
	"$(grep -c '^guc .*4 dwords are in the buffer that the GuC has not read' "$work/saved")" 2
"$GPU_FAULT" --decode guc-ct "$work/guc.tar" >"$work/saved" 2>/dev/null
same 'message by message' "$(grep -c -e '(gt0/guc-ct.bin)$' \
	-e 'SCHED_CONTEXT_MODE_SET  CONTEXT_ID 0, MODE enable  the GuC has not read it' "$work/saved")" 2
in_sys "$GPU_FAULT" >"$work/live" 2>/dev/null
same 'messages of a live GPU' \
	"$(grep -c '^guc .*4 dwords are in the buffer that the GuC has not read' "$work/live")" 2
same 'it is no hang that was kept' "$(grep -c '^## .*guc_ctb' "$work/live")" 0
in_sys "$GPU_SNAP" save -q --redact -o "$work/clean.tar" 2>/dev/null
same 'redacted: none of it' "$("$GPU_SNAP" info "$work/clean.tar" | grep -c guc_)" 0
rm -r "$uc"

# A ring in memory that this kernel does not give.
poke "$gpu/resource0" 0x2030 0x80 0x40 0x1000 0x1001
mkdir -p "$work/proc"
echo '100000000-1ffffffff : System RAM' >"$work/proc/iomem"
in_machine "$GPU_SNAP" save -q -o "$work/refused.tar" 2>/dev/null
"$GPU_SNAP" info "$work/refused.tar" >"$work/info" 2>/dev/null
same 'memory that was not to be had' "$(grep -c 'memory: /proc/kcore: ' "$work/info")" 1
same 'and where' "$("$GPU_SNAP" extract "$work/refused.tar" phys/status)" \
	'0x10abc0000 0x1000 absent'
same 'and how much' "$(grep -c '^  phys  *4096 bytes absent in 1 piece$' "$work/info")" 1
in_machine "$GPU_SNAP" save -v -o "$work/refused.tar" 2>"$work/stderr"
same 'with -v it is told at once' "$(grep -c '^gpu-snap: memory: /proc/kcore: ' "$work/stderr")" 1
in_machine "$GPU_FAULT" >"$work/live" 2>"$work/stderr"
same 'gpu-fault live' "$? $(grep -c '/proc/kcore: ' "$work/stderr")" '6 1'
"$GPU_FAULT" "$work/refused.tar" >"$work/saved" 2>"$work/stderr"
same 'and of the capture' "$? $(grep -c 'refused.tar: memory could not be read when the capture was saved: /proc/kcore: ' "$work/stderr")" '6 1'

# A dump of all memory beside it, of which the GPU leads to one page.
truncate -s 4M "$work/lime"
poke "$work/lime" 0 0x4c694d45 1 0x0abc0000 1 0x0afbffdf 1
in_machine "$GPU_SNAP" save -q -s "$work/lime" -s live -o "$work/both.tar" 2>/dev/null
"$GPU_SNAP" info "$work/both.tar" >"$work/info" 2>/dev/null
same 'memory of a dump' "$(grep -c '^  phys  *4096 bytes in 1 piece$' "$work/info")" 1

# A disk that is full, with a capture on it that was there before.
mkdir "$work/disk"
# shellcheck disable=SC2016
$namespace sh -c 'mount -t tmpfs -o size=64k none "$1/disk" && echo before >"$1/disk/capture.tar" &&
	mount --bind "$1/sys/bus/pci/devices" /sys/bus/pci/devices &&
	"$2" save -q -s bar:"$1/sys/bus/pci/devices/0000:00:02.0/resource0" -p skl \
		-o "$1/disk/capture.tar" 2>"$1/stderr"
	echo "$? $(ls "$1/disk") $(cat "$1/disk/capture.tar")"' sh "$work" "$GPU_SNAP" >"$work/full"
same 'a full disk' "$(cat "$work/full")" '1 capture.tar before'
same 'and why' "$(sed 's/.*capture.tar: //' "$work/stderr")" 'No space left on device'
same 'nothing of it elsewhere' "$(gone "$work/disk/capture.tar")" gone

# Without the reads of the BAR, which are fast here, it has a second.
begin=$(date +%s%N)
in_sys "$GPU_SNAP" save -q -o "$work/timed.tar.zst" 2>/dev/null
took=$((($(date +%s%N) - begin) / 1000000))
echo "a capture of Skylake took $took ms and has $(wc -c <"$work/timed.tar.zst") bytes"
[ "$(wc -c <"$work/timed.tar.zst")" -lt 2097152 ] || same 'its size' large small
[ $took -lt 5000 ] || same 'its time' "$took ms" 'a second'
finish
