#!/bin/sh
# SPDX-License-Identifier: MIT
# rig.sh SCRIPT...: runs scripts in virtual machines. Environment: GPU_VM, the built gpu-vm;
# CACHE, a directory for kernels and images; COMMANDS, the built commands that the guest gets.
# What is missing makes it a skip (77), but with CI=true a failure.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${GPU_VM:?}" "${CACHE:?}" "${COMMANDS:?}"

skip() {
	echo "SKIP: $*" >&2
	[ "${CI:-}" = true ] && exit 1
	exit 77
}

for need in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio \
	apt-get:apt dpkg-deb:dpkg flock:util-linux; do
	command -v "${need%:*}" >/dev/null || skip "needs package ${need#*:}"
done
busybox --list | grep -qx stty || skip 'needs package busybox-static'

# kernel KIND: the kernel of Debian's package linux-image-KIND, unpacked into $CACHE/KIND
kernel() {
	[ -e "$CACHE/$1/vmlinuz" ] && return
	package=$(apt-cache depends "linux-image-$1" 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\).*/\1/p' | head -1)
	[ -n "$package" ] || skip "apt knows no package linux-image-$1 (apt-get update?)"
	rm -rf "$CACHE/$1.new"
	mkdir -p "$CACHE/$1.new"
	(cd "$CACHE/$1.new" && apt-get -q -o APT::Sandbox::User=root download "$package" >/dev/null &&
		dpkg-deb --fsys-tarfile "$package"_*.deb | tar xf - --wildcards './boot/vmlinuz*' \
			'./lib/modules/*/kernel/drivers/*' && rm -- *.deb && mv boot/vmlinuz* vmlinuz) ||
		skip "cannot fetch package $package"
	mv "$CACHE/$1.new" "$CACHE/$1"
}

# image NAME [MODULES]: built again if a part of it is newer
image() {
	for part in $COMMANDS "$here/init" "$here/image.sh"; do
		if [ ! -e "$CACHE/$1.img" ] || [ "$part" -nt "$CACHE/$1.img" ]; then
			# shellcheck disable=SC2086
			MODULES="${2-}" "$here/image.sh" "$CACHE/$1.img" $COMMANDS
			return
		fi
	done
}

mkdir -p "$CACHE"
exec 9>"$CACHE/lock"
flock 9
kernel cloud-amd64
image plain
set -- -k "$CACHE/cloud-amd64/vmlinuz" -i "$CACHE/plain.img" "$@"
if grep -q '^boot [^ ]* i915' "$@" 2>/dev/null; then
	kernel amd64
	image i915 "$CACHE/amd64/lib"
	set -- -K "$CACHE/amd64/vmlinuz" -I "$CACHE/i915.img" "$@"
fi
flock -u 9

output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
status=0
"$GPU_VM" -d "$output" "$@" 9>&- || status=$?
if [ $status != 0 ] && [ -n "${KEEP-}" ]; then
	cp -r "$output" "$KEEP"
fi
exit $status
