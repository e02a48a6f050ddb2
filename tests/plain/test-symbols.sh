#!/bin/sh
# SPDX-License-Identifier: MIT
# libgpuscope.so exports what gpuscope.h declares, nothing less and nothing else.
. "$(dirname "$0")/lib.sh"
needs nm readelf

tr '\n' ' ' <"$SOURCE/lib/gpuscope.h" | sed 's/GSC_API/\n&/g' |
	sed -n 's/^GSC_API [^(]*[ *]\(gsc_[a-z0-9_]*\)(.*/\1/p' | sort -u >"$work/declared"
nm -D --defined-only "$library" | awk '$2 != "A" { print $3 }' | sed 's/@.*//' | sort -u >"$work/exported"
[ "$(wc -l <"$work/declared")" -gt 50 ] || fail "only $(wc -l <"$work/declared") declarations found"

comm -23 "$work/declared" "$work/exported" >"$work/missing"
comm -13 "$work/declared" "$work/exported" >"$work/extra"
[ -s "$work/missing" ] && fail "declared, not exported: $(tr '\n' ' ' <"$work/missing")"
[ -s "$work/extra" ] && fail "exported, not declared: $(tr '\n' ' ' <"$work/extra")"
grep -v '^gsc_' "$work/exported" && fail 'a name without gsc_'

# Programs find the next compatible library by this name.
readelf -d "$library" | grep -q 'SONAME.*libgpuscope\.so\.[0-9][0-9]*\]' || fail 'no versioned SONAME'
readelf -Wd "$library" | grep -q 'TEXTREL' && fail 'it has text relocations'
readelf -Wl "$library" | grep 'GNU_STACK' | grep -q 'E' && fail 'it wants an executable stack'

# The commands are one static library: of two functions of one name a command would get either.
nm -g --defined-only "$BUILD/tools/libtools.a" 2>/dev/null | awk 'NF == 3 { print $3 }' | sort |
	uniq -d >"$work/twice"
[ -s "$work/twice" ] && fail "defined twice in the commands: $(tr '\n' ' ' <"$work/twice")"
[ -n "$(nm -g --defined-only "$BUILD/tools/libtools.a" 2>/dev/null)" ] || fail 'no names in libtools.a'
finish
