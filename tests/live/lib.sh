# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the live tests: GPUs made of files, and commands that see them in the place of the
# machine's own, in a private mount namespace. PROBE is the built tests/live/probe.c.

: "${PROBE:?the built tests/live/probe.c}"

# shellcheck source=tests/skip.sh
. "$(dirname "$0")/../skip.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"

sys=$work/sys
devices=$sys/bus/pci/devices
failures=0

wants live

if [ "$(id -u)" != 0 ]; then
	namespace='unshare -Urm'
elif unshare -m true 2>/dev/null; then
	namespace='unshare -m'
else
	namespace="$(dirname "$0")/chroot.sh"
fi
$namespace mount -t tmpfs none /sys/bus/pci/devices 2>/dev/null ||
	skip 'no mount namespace, or no PCI bus to hide'

root_only() {
	[ "$(id -u)" = 0 ] || skip "$1: takes root"
}

fresh() {
	rm -rf "$sys"
	mkdir -p "$devices"
}

# poke FILE OFFSET VALUE...: 32-bit little-endian words
poke() {
	poke_file=$1 poke_at=$(($2))
	shift 2
	for word; do
		word=$((word))
		# shellcheck disable=SC2059
		printf "$(printf '\\%03o\\%03o\\%03o\\%03o' $((word & 255)) $((word >> 8 & 255)) \
			$((word >> 16 & 255)) $((word >> 24 & 255)))" |
			dd of="$poke_file" bs=1 seek=$poke_at conv=notrunc 2>/dev/null
		poke_at=$((poke_at + 4))
	done
}

# peek FILE OFFSET: a word as the file has it now
peek() {
	od -An -tx4 -j $(($2)) -N 4 "$1" | tr -d ' '
}

# fake_function BDF VENDOR DEVICE CLASS REVISION BAR_MIB: makes $gpu, its directory
fake_function() {
	gpu=$devices/$1
	mkdir -p "$gpu/power"
	echo "$2" >"$gpu/vendor"
	echo "$3" >"$gpu/device"
	echo "$4" >"$gpu/class"
	echo "$5" >"$gpu/revision"
	echo 0x8086 >"$gpu/subsystem_vendor"
	echo 0x2015 >"$gpu/subsystem_device"
	echo active >"$gpu/power/runtime_status"
	fake_config "$gpu/config" "$2" "$3" "$4" "$5"
	fake_resource "$6" >"$gpu/resource"
	truncate -s "$6M" "$gpu/resource0"
	chmod 600 "$gpu/resource0"
}

fake_config() {
	truncate -s 256 "$1"
	poke "$1" 0 $(($3 << 16 | $2)) 0x00100007 $(($4 << 8 | $5)) 0 0xfd000004
}

fake_resource() {
	printf '0x%016x 0x%016x 0x%016x\n' 0xfd000000 $((0xfd000000 + $1 * 0x100000 - 1)) 0x140204
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
		printf '0x%016x 0x%016x 0x%016x\n' 0 0 0
	done
}

# fake_aperture MIB: BAR 2 of the device made last
fake_aperture() {
	sed -i "3s/.*/$(printf '0x%016x 0x%016x 0x14220c' 0xe0000000 \
		$((0xe0000000 + $1 * 0x100000 - 1)))/" "$gpu/resource"
	truncate -s "$1M" "$gpu/resource2"
	chmod 600 "$gpu/resource2"
}

# fake_table MIB: BAR 3 of the device made last, where Gen3 has its GGTT
fake_table() {
	sed -i "4s/.*/$(printf '0x%016x 0x%016x 0x040200' 0xfe000000 \
		$((0xfe000000 + $1 * 0x100000 - 1)))/" "$gpu/resource"
	truncate -s "$1M" "$gpu/resource3"
	chmod 600 "$gpu/resource3"
}

# held_awake: somebody holds every forcewake domain of $gpu, of whatever platform, as acknowledged,
# by a bit that is none of ours
held_awake() {
	poke "$gpu/resource0" 0xd50 4 4 4 4 4 4 4 4 4 4 4 4 0 4 4
	poke "$gpu/resource0" 0xdfc 4
	poke "$gpu/resource0" 0x130040 4 4
	poke "$gpu/resource0" 0x130090 4
}

# fake_gpu BDF DEVICE REVISION BAR_MIB
fake_gpu() {
	fake_function "$1" 0x8086 "$2" 0x030000 "$3" "$4"
}

# in_devices COMMAND...: the fake devices in the place of the real ones, all else as it is
in_devices() {
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0" /sys/bus/pci/devices && exec "$@"' "$devices" "$@"
}

# in_sys COMMAND...: the whole of /sys is ours; /dev/dri is $work/dri if there is one
in_sys() {
	mkdir -p "$work/dri"
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0/sys" /sys && mount -t tmpfs none /dev &&
		mkdir /dev/dri && mount --bind "$0/dri" /dev/dri && exec "$@"' "$work" "$@"
}

# kcore_segment I PADDR OFFSET SIZE: program header I of $work/proc/kcore
kcore_segment() {
	poke "$work/proc/kcore" $((0x40 + $1 * 0x38)) 1 7 $(($3 & 0xffffffff)) $(($3 >> 32)) \
		0x80000000 0xffff8880 $(($2 & 0xffffffff)) $(($2 >> 32 & 0xffffffff)) \
		$(($4 & 0xffffffff)) $(($4 >> 32)) $(($4 & 0xffffffff)) $(($4 >> 32)) 0x1000 0
}

# fake_kcore SEGMENTS: its header, for so many of them
fake_kcore() {
	mkdir -p "$work/proc"
	rm -f "$work/proc/kcore"
	truncate -s 64K "$work/proc/kcore"
	poke "$work/proc/kcore" 0 0x464c457f 0x00010102 0 0 0x003e0004 1 0 0 0x40 0 0 0 0 \
		0x00380040 "$1"
}

# in_machine COMMAND...: /sys, /proc/iomem, /proc/kcore and /dev/mem are ours
in_machine() {
	mkdir -p "$work/proc" "$work/real-proc" "$work/dev"
	ln -sfn "$work/real-proc/self" "$work/proc/self"
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0/sys" /sys && mount --bind "$0/dev" /dev &&
		mount --rbind /proc "$0/real-proc" && mount --bind "$0/proc" /proc &&
		ln -s "$0/real-proc/$$" "/proc/$$" && exec "$@"' "$work" "$@"
}

# expect TITLE STATUS STDOUT STDERR COMMAND...: stdout to the letter, stderr as a pattern
expect() {
	title=$1 want_status=$2 want_out=$3 want_err=$4
	shift 4
	status=0
	out=$("$@" 2>"$work/stderr") || status=$?
	err=$(cat "$work/stderr")
	# shellcheck disable=SC2254
	case $err in
	$want_err) matches=yes ;;
	*) matches=no ;;
	esac
	if [ "$status" = "$want_status" ] && [ "$out" = "$want_out" ] && [ $matches = yes ]; then
		echo "ok: $title"
		return
	fi
	failures=$((failures + 1))
	printf 'FAILED: %s\n  status %s, expected %s\n' "$title" "$status" "$want_status"
	printf '  stdout:\n%s\n  expected:\n%s\n' "$out" "$want_out"
	printf '  stderr:\n%s\n  expected:\n%s\n' "$err" "$want_err"
}

# same TITLE A B
same() {
	if [ "$2" = "$3" ]; then
		echo "ok: $1"
	else
		failures=$((failures + 1))
		printf 'FAILED: %s: %s, expected %s\n' "$1" "$2" "$3"
	fi
}

finish() {
	[ $failures = 0 ] || exit 1
	exit 0
}
