#!/bin/sh
# SPDX-License-Identifier: MIT
# What `meson install` puts in place is enough for a program: examples/ is compiled with pkg-config,
# linked and run without more ado, and prints what libgpuscope(3) shows.
. "$(dirname "$0")/lib.sh"
needs meson pkg-config
page=$SOURCE/man/libgpuscope.3.scd
[ -f "$page" ] || skip 'no manual page'

DESTDIR=$work/root meson install -C "$BUILD" --no-rebuild --quiet >"$work/log" 2>&1 ||
	fail "meson install: $(tail -n 3 "$work/log")"
pc=$(find "$work/root" -name gpuscope.pc)
[ -n "$pc" ] || { fail 'no gpuscope.pc'; finish; }
PKG_CONFIG_LIBDIR=${pc%/*}
export PKG_CONFIG_LIBDIR
unset LD_LIBRARY_PATH
prefix=$work/root$(pkg-config --variable=prefix gpuscope)
version=$(sed -n "s/^ *version: '\\(.*\\)',/\\1/p" "$SOURCE/meson.build" | head -n 1)
[ "$(pkg-config --modversion gpuscope)" = "$version" ] || fail 'pkg-config tells another version'

# The page shows the programs (test-docs.sh) and, in blocks that begin with their name, a run of each.
mkdir "$work/bin"
for example in "$SOURCE"/examples/*.c; do
	name=${example##*/}
	name=${name%.c}
	# shellcheck disable=SC2046,SC2086
	${CC:-cc} -std=c11 -Wall -Wextra -pedantic -Werror -o "$work/bin/$name" "$example" \
		$(pkg-config --define-variable=prefix="$prefix" --cflags --libs gpuscope) >"$work/log" 2>&1 ||
		fail "$name.c does not compile: $(head -n 5 "$work/log")"
	awk -v begin="./$name " '/^```/ { inside = 0; begun = 1; next }
		begun && index($0, begin) == 1 { inside = 1 }
		{ begun = 0 }
		inside' "$page" >"$work/run"
	[ "$(wc -l <"$work/run")" -gt 1 ] || fail "the page has no run of $name"
	(cd "$work/bin" && eval "$(head -n 1 "$work/run")") >"$work/out" 2>&1 ||
		fail "$name ends with status $?: $(head -n 3 "$work/out")"
	sed 1d "$work/run" | cmp -s - "$work/out" || fail "$name prints $(cat "$work/out")"
	# What is wrong is told, and ends in the status of the commands.
	for words in '' demo:none '/no/such/file 0x1000' 'demo:skl-hang NO_SUCH_NAME'; do
		# shellcheck disable=SC2086
		"$work/bin/$name" $words >"$work/out" 2>"$work/err" &&
			fail "$name $words: ends with status 0"
		[ -s "$work/err" ] || fail "$name $words: says nothing"
	done
done
[ "$(ls "$work/bin" | wc -l)" -ge 3 ] || fail 'no examples'

# Whoever links statically needs no more than this either.
pkg-config --print-requires gpuscope | grep . && fail 'it requires other packages'

# What else belongs to an installation.
commands=$("$SOURCE/tests/commands.sh") || exit 1
# shellcheck disable=SC2086
for file in include/gpuscope.h share/gpuscope/schema/fault.json share/gpuscope/schema/batch.json \
	$(printf 'bin/%s ' $commands) $(printf 'bash-completion/completions/%s ' $commands); do
	find "$work/root" -path "*/$file*" | grep -q . || fail "$file is not installed"
done
if command -v scdoc >/dev/null; then
	# shellcheck disable=SC2086
	for manual in $(printf 'man1/%s.1 ' $commands) \
		man7/gpuscope.7 man7/gpuscope-glossary.7 man7/gpuscope-sources.7 man5/gpuscope-def.5 \
		man5/gpuscope-capture.5 man3/libgpuscope.3; do
		find "$work/root" -path "*/$manual*" | grep -q . || fail "$manual is not installed"
	done
fi
find "$work/root" -name 'lib*.a' | grep . && fail 'an internal library is installed'
find "$work/root" -type f \( -name 'unit' -o -name probe -o -name compile -o -name 'build-demo' \) |
	grep . && fail 'something of the build is installed'
finish
