#!/bin/sh
# SPDX-License-Identifier: MIT
# What the kernel refuses, and what is said about it.
. "$(dirname "$0")/lib.sh"

skl() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
	poke "$gpu/config" 0x50 0x000000c1
}

# refused ERRNO CALL COMMAND...: CALL on resource0 fails in the traced command
refused() {
	refused_error=$1 refused_call=$2
	shift 2
	"$refused_run" env ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null \
		-P /sys/bus/pci/devices/0000:00:02.0/resource0 \
		-e trace="$refused_call" -e inject="$refused_call:error=$refused_error" "$@"
}

skl
rm "$gpu/resource0"
expect 'no file for the BAR' 1 '' 'probe: 0000:00:02.0: *no file */resource0' \
	in_devices "$PROBE" identity

skl
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$PROBE" 2>/dev/null; then
	expect 'not root' 4 '' 'probe: 0000:00:02.0: permission denied: run as root' \
		in_devices setpriv --reuid 65534 --clear-groups "$PROBE" mmio:0x2080:4
	expect 'not root: its identity is to be had' 0 'skl 0x1912 0x06' '' \
		in_devices setpriv --reuid 65534 --clear-groups "$PROBE" -n identity
	chmod 600 "$gpu/config"
	expect 'not root: config space of its own' 0 'denied
0000:00:02.0: config space: permission denied: run as root' '' \
		in_devices setpriv --reuid 65534 --clear-groups "$PROBE" -n config:0x50:4 notes
	expect 'not root: --wake=driver' 4 '' 'probe: --wake=driver: *root*' \
		in_devices setpriv --reuid 65534 --clear-groups "$PROBE" -w driver identity
fi

command -v strace >/dev/null || finish
skl
refused_run=in_devices
expect 'root of a container' 4 '' 'probe: 0000:00:02.0: permission denied*container*' \
	refused EACCES openat "$PROBE" identity

refused_run=in_sys
mkdir -p "$sys/kernel/security"
echo '[none] integrity confidentiality' >"$sys/kernel/security/lockdown"
expect 'no lockdown' 0 'lockdown none' '' in_sys "$PROBE" lockdown
expect 'not permitted, but no lockdown' 4 '' 'probe: 0000:00:02.0: *security module*' \
	refused EPERM mmap "$PROBE" identity
echo 'none [integrity] confidentiality' >"$sys/kernel/security/lockdown"
expect 'lockdown by name' 0 'lockdown integrity' '' in_sys "$PROBE" lockdown
expect 'lockdown' 4 '' 'probe: 0000:00:02.0: kernel lockdown (integrity*Secure Boot*' \
	refused EPERM mmap "$PROBE" identity

expect 'refused, nobody knows why' 4 '' \
	'probe: 0000:00:02.0: *strict devmem or a PAT conflict*iomem=relaxed or nopat' \
	refused EINVAL mmap "$PROBE" identity
ln -s ../../drivers/i915 "$gpu/driver"
expect 'PAT conflict' 4 '' 'probe: 0000:00:02.0: PAT conflict: i915 *nopat' \
	refused EINVAL mmap "$PROBE" identity

# in_sys with a /proc/iomem
in_iomem() {
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0/sys" /sys && mount --bind "$0/iomem" /proc/iomem &&
		exec "$@"' "$work" "$@"
}
cat >"$work/iomem" <<'EOF'
80000000-febfffff : PCI Bus 0000:00
  fc000000-fcffffff : 0000:00:03.0
    fc000000-fcffffff : nvme
  fd000000-fdffffff : 0000:00:02.0
    fd000000-fdffffff : vfio-pci
fed00000-fed003ff : HPET 0
EOF
refused_run=in_iomem
expect 'strict devmem' 4 '' 'probe: 0000:00:02.0: vfio-pci has claimed*iomem=relaxed' \
	refused EINVAL mmap "$PROBE" identity
sed -i '/vfio/d' "$work/iomem"
expect 'the BAR is not claimed: PAT conflict' 4 '' 'probe: 0000:00:02.0: PAT conflict: i915 *' \
	refused EINVAL mmap "$PROBE" identity
rm "$gpu/driver"
expect 'nor is a driver bound: PAT conflict' 4 '' \
	'probe: 0000:00:02.0: PAT conflict: another program *: stop it, or boot with nopat' \
	refused EINVAL mmap "$PROBE" identity
sed -i '/fd000000-fdffffff/q' "$work/iomem"
expect 'the BAR is the last of the map: PAT conflict' 4 '' \
	'probe: 0000:00:02.0: PAT conflict: another program *' refused EINVAL mmap "$PROBE" identity
expect 'any other refusal' 1 '' 'probe: 0000:00:02.0: Input/output error' \
	refused EIO mmap "$PROBE" identity
finish
