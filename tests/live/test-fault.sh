#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault on a GPU whose driver has reset it, or which is gone: what was kept comes first.
. "$(dirname "$0")/lib.sh"
: "${GPU_FAULT:?the built gpu-fault}"

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
mkdir -p "$gpu/drm/card0" "$sys/class/drm"
ln -s "../../bus/pci/devices/0000:00:02.0/drm/card0" "$sys/class/drm/card0"
mkdir -p "$sys/class/devcoredump"

# kept TIME: an error state in which the blitter hangs
kept() {
	printf '%s\n' 'GPU HANG: ecode 9:2:0x85dffffb, in Xorg [19819], hang on bcs0' "Time: $1 s 1 us" \
		'Kernel: 6.1.0' 'PCI ID: 0x1912' 'EIR: 0x00000000' 'bcs0 command stream:' \
		'  START: 0x00006000' '  HEAD: 0x00000040 [0x00000000]' \
		'  TAIL: 0x00000080 [0x00000000, 0x00000000]' '  CTL: 0x00003001' \
		'  ACTHD: 0x00000000 00000040' '  IPEHR: 0x54c00006' >"$gpu/drm/card0/error"
}

# verdict WORDS COMMAND...: the last line that it prints, with -q and -j the only one, begins so
verdict() {
	want=$1
	shift
	got=$(in_sys "$GPU_FAULT" --no-user-config "$@" 2>"$work/err")
	status=$?
	case $(printf '%s\n' "$got" | tail -n 1) in
	"$want"*) ;;
	*) fail "$*: it ends in '$(printf '%s\n' "$got" | tail -n 1)', not '$want'" ;;
	esac
}

# has WORDS: a line of what was printed last has them; lacks: none has
has() {
	printf '%s\n' "$got" | grep -Fq -e "$1" || fail "no '$1' in what it printed"
}

lacks() {
	printf '%s\n' "$got" | grep -Fq -e "$1" && fail "'$1' in what it printed"
}

fail() {
	echo "FAILED: $0: $1"
	failures=$((failures + 1))
}

echo 'No error state collected' >"$gpu/drm/card0/error"
verdict '' -q
lacks 'i915 error state'

kept $(($(date +%s) - 7300))
verdict '(i915 error state, 2 hours old) bcs0 hangs' -q
[ $status = 0 ] || fail "status $status: $(cat "$work/err")"
verdict ''
has 'bcs0 hangs'
has '## i915 error state /sys/class/drm/card0/error, 2 hours old'
case $(printf '%s\n' "$got" | sed -n 2,3p | tr '\n' ' ') in
'# verdict bcs0 hangs'*) ;;
*) fail 'the verdict does not come first' ;;
esac
has 'from:   /sys/class/drm/card0/error, 2 hours old'
has '## registers now'
has 'hang     ecode 9:2:0x85dffffb, in Xorg [19819], hang on bcs0'
verdict '{' -j
has '"path":"/sys/class/drm/card0/error","kind":"i915 error state"'
has '"now":{'

# Gone, or asleep for good: no registers, but what was kept of them.
head -c 16777216 /dev/zero | tr '\0' '\377' >"$gpu/resource0"
verdict '(i915 error state, 2 hours old) bcs0 hangs' -q
[ $status = 6 ] || fail "all ones: status $status, not 6"
grep -q 'all ones' "$work/err" || fail 'it does not say that the registers read as all ones'
verdict ''
has '# registers cannot be read: asleep or gone; this is the i915 error state that the driver stored'
has '## registers now: cannot be read'
grep -q '^gpu-fault: 0000:00:02.0: asleep or gone: its registers' "$work/err" ||
	fail 'it does not say at the end what is missing'
verdict '{' -j
has '"refused":"asleep or gone: its registers read as all ones","now":null'

# A file that broke off tells nothing: the registers do.
rm "$gpu/resource0"
truncate -s 16M "$gpu/resource0"
held_awake
poke "$gpu/resource0" 0x4094 0x12b
poke "$gpu/resource0" 0x4b10 0x12345
poke "$gpu/resource0" 0x4b14 0x10
printf 'Kernel: 6.1.0\nPCI ID: 0x1912\nIER: 0x00000000\nFORCEWAKE: 0x00000000\n' >"$gpu/drm/card0/error"
verdict 'rcs0 ' -q
has '0x12345000'
lacks 'i915 error state'

[ $failures = 0 ]
