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
needed "$library" | grep -Evx 'libc\.so\.[0-9]+|ld-linux.*' >"$work/extra" &&
	fail "the library is linked with $(tr '\n' ' ' <"$work/extra")"
finish
