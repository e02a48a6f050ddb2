#!/bin/sh
# SPDX-License-Identifier: MIT
# A built-in capture is decoded without a file but the loader's, the library, libc and a look for
# the user's definitions; without them, no file at all.
. "$(dirname "$0")/lib.sh"
needs strace
command=$BUILD/tools/gpu-regdump
[ -x "$command" ] || skip 'no gpu-regdump here'
strace -o /dev/null true 2>/dev/null || skip 'strace cannot trace here'

# opened FILE ARGUMENTS...: names opened, a line each
opened() {
	names=$1
	shift
	strace -f -o "$work/trace" -e trace=open,openat,openat2,creat "$command" "$@" \
		>"$work/out" 2>"$work/err" || fail "$*: $(cat "$work/err")"
	sed -n 's/.*open[a-z0-9]*([^"]*"\([^"]*\)".*/\1/p' "$work/trace" >"$names"
}

beyond_loader() {
	grep -Ev '^/etc/ld\.so\.(cache|preload)$|/libgpuscope\.so[.0-9]*$|/libc\.so[.0-9]*$|/(glibc-hwcaps|tls)/' "$1"
}

opened "$work/names" --from demo:snb-hang rcs0.RING_BUFFER_TAIL
grep -q RING_BUFFER_TAIL "$work/out" || fail 'it printed nothing'
beyond_loader "$work/names" | grep -Fvx "$HOME/.config/gpuscope" >"$work/extra" &&
	fail "opened beside what it needs: $(tr '\n' ' ' <"$work/extra")"

opened "$work/names" --no-user-config --from demo:snb-hang rcs0.RING_BUFFER_TAIL
beyond_loader "$work/names" >"$work/extra" &&
	fail "opened with --no-user-config: $(tr '\n' ' ' <"$work/extra")"

opened "$work/names" --no-user-config -p skl --decode rcs0.RING_BUFFER_TAIL=1
beyond_loader "$work/names" >"$work/extra" &&
	fail "opened to decode a value: $(tr '\n' ' ' <"$work/extra")"

# Once the loader is done few system calls are left: none that looks for locales or devices.
strace -f -o "$work/trace" "$command" --no-user-config --from demo:snb-hang rcs0.RING_BUFFER_TAIL \
	>/dev/null 2>&1
calls=$(awk '/mprotect\(/ { n = 0 } { n++ } END { print n }' "$work/trace")
[ "$calls" -le 41 ] || fail "$calls system calls for one register, at most 41 were expected"
finish
