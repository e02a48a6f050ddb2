#!/bin/sh
# SPDX-License-Identifier: MIT
# What `meson install` puts in place is enough for a program: the examples of libgpuscope(3) are
# compiled with pkg-config, linked and run.
. "$(dirname "$0")/lib.sh"
needs meson pkg-config
page=$SOURCE/man/libgpuscope.3.scd
[ -f "$page" ] || skip 'no manual page'

DESTDIR=$work/root meson install -C "$BUILD" --no-rebuild --quiet >"$work/log" 2>&1 ||
	fail "meson install: $(tail -n 3 "$work/log")"
pc=$(find "$work/root" -name gpuscope.pc)
[ -n "$pc" ] || { fail 'no gpuscope.pc'; finish; }
PKG_CONFIG_LIBDIR=${pc%/*}
PKG_CONFIG_SYSROOT_DIR=$work/root
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
version=$(sed -n "s/^ *version: '\\(.*\\)',/\\1/p" "$SOURCE/meson.build" | head -n 1)
[ "$(pkg-config --modversion gpuscope)" = "$version" ] || fail 'pkg-config tells another version'

# Blocks of the page that begin with #include are examples; \\ stands for one backslash there.
awk -v file="$work/example" '/^```/ { inside = !inside; begun = 0; next }
	inside && !begun && /^#include/ { begun = 1; count++ }
	begun { print > (file count ".c") }' "$page"
libdir=$(find "$work/root" -name 'libgpuscope.so' | head -n 1)

# example N LINE ARGUMENT...: it compiles without a warning, and prints such a line
example() {
	n=$1 line=$2
	shift 2
	[ -f "$work/example$n.c" ] || { fail "no example $n in the page"; return; }
	sed -i 's/\\\\/\\/g' "$work/example$n.c"
	# shellcheck disable=SC2046
	"${CC:-cc}" -std=c11 -Wall -Wextra -pedantic -Werror -o "$work/example$n" \
		"$work/example$n.c" $(pkg-config --cflags --libs gpuscope) >"$work/log" 2>&1 ||
		fail "example $n does not compile: $(head -n 5 "$work/log")"
	LD_LIBRARY_PATH=${libdir%/*} "$work/example$n" "$@" >"$work/out" 2>&1 ||
		fail "example $n ends with status $?: $(head -n 3 "$work/out")"
	grep -Eq "$line" "$work/out" || fail "example $n prints $(cat "$work/out")"
}

example 1 '0x0*3e28 .*RING_BUFFER_TAIL' demo:snb-hang rcs0.RING_BUFFER_TAIL
example 2 '^0x200000123 -> 0x180410123$' demo:skl-hang 0x200000123
example 3 '^rcs0 batch 0x[0-9a-f]*$' demo:skl-hang

# Whoever links statically needs no more than this either.
pkg-config --print-requires gpuscope | grep . && fail 'it requires other packages'

# What else belongs to an installation.
for file in include/gpuscope.h share/gpuscope/schema bin/gpu-regdump bin/gpu-db bin/gpu-snap \
	bin/gpu-pte bin/gpu-ptwalk bin/gpu-batch bin/gpu-fault bin/gpu-report bin/gpu-tile share/gpuscope/schema/fault.json share/gpuscope/schema/batch.json \
	bash-completion/completions; do
	find "$work/root" -path "*/$file*" | grep -q . || fail "$file is not installed"
done
if command -v scdoc >/dev/null; then
	for manual in man1/gpu-regdump.1 man1/gpu-pte.1 man1/gpu-ptwalk.1 man1/gpu-batch.1 man1/gpu-fault.1 man1/gpu-report.1 man1/gpu-tile.1 \
		man7/gpuscope.7 man5/gpuscope-def.5 man3/libgpuscope.3; do
		find "$work/root" -path "*/$manual*" | grep -q . || fail "$manual is not installed"
	done
fi
find "$work/root" -name 'lib*.a' | grep . && fail 'an internal library is installed'
find "$work/root" -type f \( -name 'unit' -o -name probe -o -name compile -o -name 'build-demo' \) |
	grep . && fail 'something of the build is installed'
finish
