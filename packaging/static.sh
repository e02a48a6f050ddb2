#!/bin/sh
# SPDX-License-Identifier: MIT
# static.sh [DIRECTORY]: builds the static program and packs it for a release, by default in the
# current directory: gpuscope-VERSION-MACHINE.tar.xz, with a link for each command, the manual pages,
# the licences, and its checksum beside it. It is built without readline, whose licence is the GPL.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=$(cd "${1:-.}" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$root/meson.build" | head -n 1)
name=gpuscope-$version-$(uname -m)
meson setup "$work/build" "$root" --prefix=/ --libdir=lib -Dstatic=true -Dtests=disabled \
	-Dhtml=disabled -Dreadline=disabled -Dpython=disabled >"$work/log" || { cat "$work/log"; exit 1; }
ninja -C "$work/build" >>"$work/log" || { tail -n 20 "$work/log"; exit 1; }
DESTDIR=$work/$name meson install -C "$work/build" --no-rebuild --quiet
if ldd "$work/$name/bin/gpuscope" >/dev/null 2>&1; then
	echo 'static.sh: the program is not static' >&2
	exit 1
fi
strip "$work/$name/bin/gpuscope"
cp "$root/LICENSE" "$root/README.md" "$work/$name/"
# What was linked with it, if this system has them: their licences must be passed on.
for package in libc6-dev libdrm-dev libpciaccess-dev zlib1g-dev libzstd-dev; do
	file=/usr/share/doc/$package/copyright
	[ ! -f "$file" ] || install -Dm644 "$file" "$work/$name/licences/$package"
done
# The same sources give the same archive.
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" \
	-C "$work" -cJf "$target/$name.tar.xz" "$name"
cd "$target"
sha256sum "$name.tar.xz" >"$name.tar.xz.sha256"
echo "$target/$name.tar.xz"
