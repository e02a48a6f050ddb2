#!/bin/sh
# SPDX-License-Identifier: MIT
# image.sh OUT COMMAND...: an initramfs of busybox, the commands with the libraries they need, and
# what is in tests/vm/guest/. With MODULES=DIR, a directory of kernel modules, also those that the file ORDER lists.
set -eu
umask 022
here=$(cd "$(dirname "$0")" && pwd)
out=$1
shift
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"

mkdir -p "$root/bin" "$root/usr/bin" "$root/root" "$root/etc" "$root/modules" \
	"$root/dev" "$root/proc" "$root/sys" "$root/tmp"
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in $(busybox --list); do
	ln -s busybox "$root/bin/$applet" 2>/dev/null || true
done
printf 'root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n' >"$root/etc/passwd"

# What dlopen(3) gets, ldd does not tell.
libraries() {
	for file; do
		ldd "$file" 2>/dev/null | grep -oE '/[^ ]+' || true
	done
	ldconfig -p | grep -oE '/[^ ]+/lib(pciaccess|drm|z|zstd)\.so\.[0-9]+$'
}

# Links to one static program stay one file: a dozen of it do not fit into the guest.
cp -L --preserve=links "$here"/guest/* "$@" "$root/usr/bin/"
mv "$root/usr/bin/init" "$root/"
libraries "$@" | sort -u | while read -r library; do
	case $library in
	/lib*|/usr/lib*) place=$library ;;
	*) place=/usr/lib/${library##*/} ;;
	esac
	mkdir -p "$root${place%/*}"
	cp -L "$library" "$root$place"
done

# In the order of loading.
if [ -n "${MODULES-}" ]; then
	cp "$ORDER" "$root/modules/order"
	mkdir -p "$root/lib/firmware/i915" "$root/lib/firmware/xe" "$root/lib/wrong/huc/i915" \
		"$root/lib/wrong/old/i915" "$root/lib/wrong/new/i915"
	for name in i915/tgl_guc_70 i915/tgl_guc_70.1.1 i915/adlp_guc_70 xe/lnl_guc_70 xe/ptl_guc_70 xe/bmg_guc_70; do
		"$here/firmware" >"$root/lib/firmware/$name.bin"
	done
	# For firmware_class.path, which drivers search first.
	"$here/firmware" 7 9 3 >"$root/lib/wrong/huc/i915/tgl_huc.bin"
	for name in tgl_guc_70 adlp_guc_70; do
		"$here/firmware" 69 0 3 >"$root/lib/wrong/old/i915/$name.bin"
		"$here/firmware" 71 0 0 >"$root/lib/wrong/new/i915/$name.bin"
	done
	while read -r module _; do
		find "$MODULES" -name "$module.ko" -exec cp {} "$root/modules/" \;
	done <"$ORDER"
fi

(cd "$root" && find . | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$out.new"
mv "$out.new" "$out"
