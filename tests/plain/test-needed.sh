#!/bin/sh
# SPDX-License-Identifier: MIT
# What is linked: optional libraries are loaded when an input wants them, so that a dump is decoded
# without them being mapped, or even installed.
. "$(dirname "$0")/lib.sh"
needs readelf

needed() {
	readelf -Wd "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' | sort
}

for command in $(commands); do
	allowed='libgpuscope\.so\.[0-9]+|libc\.so\.[0-9]+|ld-linux.*'
	[ "${command##*/}" = gpu-sh ] && allowed="$allowed|libreadline\\.so\\.[0-9]+"
	needed "$command" | grep -Evx "$allowed" >"$work/extra" &&
		fail "${command##*/} is linked with $(tr '\n' ' ' <"$work/extra")"
done
[ -n "$(commands)" ] || fail 'no commands are built'
# What it loads is declared, for packagers and makers of an initramfs.
readelf -Wp .note.dlopen "$library" >"$work/notes" 2>&1
for soname in $(grep -rhoE --include='*.c' 'dynlib_open\("[^"]*"' "$SOURCE/lib" | cut -d'"' -f2 | sort -u); do
	case $soname,${FEATURES-} in
	libz.*,*gzip* | libzstd.*,*zstd* | libpciaccess.*,*live* | libdrm.*,*drm*) ;;
	*,'') ;;
	lib[zpd]*) continue ;;
	esac
	grep -q "\"soname\":\[\"$soname\"\]" "$work/notes" || fail "no note says that $soname is loaded"
done
needed "$library" | grep -Evx 'libc\.so\.[0-9]+|ld-linux.*' >"$work/extra" &&
	fail "the library is linked with $(tr '\n' ' ' <"$work/extra")"
finish
