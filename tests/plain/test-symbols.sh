#!/bin/sh
# SPDX-License-Identifier: MIT
# libgpuscope.so exports what gpuscope.h declares, as GPUSCOPE_1, and what the rooms' headers mark for
# our own commands, as GPUSCOPE_PRIVATE: nothing less and nothing else.
. "$(dirname "$0")/lib.sh"
needs nm readelf

# declared HEADER...: the functions that it exports
declared() {
	cat "$@" | tr '\n' ' ' | sed 's/GSC_API/\n&/g' |
		sed -n 's/^GSC_API [^(]*[ *]\([a-z0-9_]*\)(.*/\1/p' | sort -u
}
grep -o '\<gpuscope_[a-z0-9_]*(' "$SOURCE/lib/gpuscope.h" | tr -d '(' | sort -u >"$work/GPUSCOPE_1"
declared "$SOURCE"/lib/*.h "$SOURCE"/lib/*/*.h >"$work/GPUSCOPE_PRIVATE"

nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' >"$work/exported"
for node in GPUSCOPE_1 GPUSCOPE_PRIVATE; do
	[ -s "$work/$node" ] || fail "$node: no declarations found"
	sed -n "s/@@*$node\$//p" "$work/exported" | sort -u >"$work/has"
	comm -23 "$work/$node" "$work/has" >"$work/missing"
	comm -13 "$work/$node" "$work/has" >"$work/extra"
	[ -s "$work/missing" ] && fail "$node: declared, not exported: $(tr '\n' ' ' <"$work/missing")"
	[ -s "$work/extra" ] && fail "$node: exported, not declared: $(tr '\n' ' ' <"$work/extra")"
done
grep -vE '^gpuscope_.*@@GPUSCOPE_1$|^[a-z].*@@GPUSCOPE_PRIVATE$' "$work/exported" &&
	fail 'a public name without gpuscope_, or one without a version'

# Programs find the next compatible library by this name.
readelf -d "$library" | grep -q 'SONAME.*libgpuscope\.so\.[0-9][0-9]*\]' || fail 'no versioned SONAME'
readelf -Wd "$library" | grep -q 'TEXTREL' && fail 'it has text relocations'
readelf -Wl "$library" | grep 'GNU_STACK' | grep -q 'E' && fail 'it wants an executable stack'

# The commands are one static library: of two functions of one name a command would get either.
nm -g --defined-only "$BUILD/tools/libtools.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort |
	uniq -d >"$work/twice"
[ -s "$work/twice" ] && fail "defined twice in the commands: $(tr '\n' ' ' <"$work/twice")"
# A command's function must not take the place of one of the library; the static program has both in one.
nm -g --defined-only "$BUILD/lib/libeverything.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u >"$work/library"
[ -s "$work/library" ] || fail 'no names in libeverything.a'
nm -g --defined-only "$BUILD"/tools/lib*.a 2>/dev/null | awk 'NF == 3 { print $3 }' | sort -u |
	comm -12 - "$work/library" >"$work/both"
[ -s "$work/both" ] && fail "in the commands and in the library: $(tr '\n' ' ' <"$work/both")"
[ -n "$(nm -g --defined-only "$BUILD/tools/libtools.a" 2>/dev/null)" ] || fail 'no names in libtools.a'
finish
