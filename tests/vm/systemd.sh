#!/bin/sh
# SPDX-License-Identifier: MIT
# systemd.sh OUT UNITS: what makes systemd of this machine the first process of a guest, as an archive
# that follows an initramfs: systemd, its journal, udev, and from UNITS, the build's data/collect, the
# services of gpu-collect with the rule that starts them.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
out=$1 units=$2
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

# copy FILE...: programs with their libraries
copy() {
	for file; do
		mkdir -p "$root${file%/*}"
		cp -L "$file" "$root$file"
		ldd "$file" | grep -oE '/[^ ]+' | while read -r library; do
			mkdir -p "$root${library%/*}"
			cp -L "$library" "$root$library"
		done
	done
}
copy /lib/systemd/systemd /lib/systemd/systemd-journald /lib/systemd/systemd-udevd \
	/usr/bin/journalctl /usr/bin/systemctl /usr/bin/udevadm

# Of the units those that a system of three services needs.
system=$root/lib/systemd/system
mkdir -p "$system" "$root/lib/udev/rules.d" "$root/etc/gpuscope" "$root/var/lib"
cp /lib/systemd/system/*.target /lib/systemd/system/*.slice /lib/systemd/system/systemd-journald* \
	/lib/systemd/system/systemd-udev* "$system"
rm -f "$system"/systemd-udev-settle.service "$system"/systemd-journald-audit.socket
mkdir "$system/sysinit.target.wants" "$system/sockets.target.wants" "$system/multi-user.target.wants"
ln -s ../systemd-journald.service ../systemd-udevd.service ../systemd-udev-trigger.service \
	"$system/sysinit.target.wants"
ln -s ../systemd-journald.socket ../systemd-journald-dev-log.socket ../systemd-udevd-control.socket \
	../systemd-udevd-kernel.socket "$system/sockets.target.wants"
ln -sf multi-user.target "$system/default.target"
cp /lib/udev/rules.d/50-udev-default.rules /lib/udev/rules.d/99-systemd.rules \
	"$here/../../data/collect/60-gpuscope-collect.rules" "$root/lib/udev/rules.d"
for unit in "$units"/*.service; do
	sed 's,^ExecStart=[^ ]*/,ExecStart=/usr/bin/,' "$unit" >"$system/${unit##*/}"
done
ln -s ../gpuscope-collect.service "$system/multi-user.target.wants"

cp "$here/agent.service" "$system"
ln -s ../agent.service "$system/multi-user.target.wants"
echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
printf 'root:x:0:\nadm:x:4:\ntty:x:5:\ndisk:x:6:\nkmem:x:15:\nvideo:x:44:\nrender:x:104:\n' >"$root/etc/group"
printf 'NAME=guest\n' >"$root/etc/os-release"

(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$out.new"
mv "$out.new" "$out"
