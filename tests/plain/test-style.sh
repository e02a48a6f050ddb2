#!/bin/sh
# SPDX-License-Identifier: MIT
# What holds of every source file: lengths, licence lines, no words that mean "later".
. "$(dirname "$0")/lib.sh"
cd "$SOURCE" || exit 1

most_lines=800 most_function=100 most_columns=100
files=$(find lib tools -name '*.[ch]' | sort)

# The public header is one file, because its users include one.
for file in $files; do
	[ "$file" != lib/gpuscope.h ] || continue
	lines=$(wc -l <"$file")
	[ "$lines" -le $most_lines ] || fail "$file: $lines lines, at most $most_lines"
done

# A function begins with { in column one and ends with } there.
# shellcheck disable=SC2086
awk -v most=$most_function '
	/^{/ { start = FNR }
	/^}/ && start {
		if (FNR - start - 1 > most)
			printf "%s:%d: a function of %d lines\n", FILENAME, start, FNR - start - 1
		start = 0
	}' $files >"$work/long"
[ -s "$work/long" ] && fail "$(cat "$work/long")"

# Tabs are eight columns wide.
for file in $files; do
	expand "$file" | awk -v most=$most_columns -v file="$file" \
		'length > most { printf "%s:%d: %d columns\n", file, FNR, length }'
done >"$work/wide"
[ -s "$work/wide" ] && fail "lines too long: $(head -n 5 "$work/wide")"

all=$(find lib tools tests data man completions meson.build bootstrap -type f \
	! -path '*/demo/*.bin' ! -path '*/fuzz/seeds/*' ! -name '*.gz' ! -path '*__pycache__*' | sort)
# shellcheck disable=SC2086
grep -nIwE "$(printf 'TO%s|FIX%s|XX%s' DO ME X)" $all >"$work/words" &&
	fail "words that mean later: $(head -n 5 "$work/words")"
# shellcheck disable=SC2086
grep -nIE --exclude='*.tsv' ' +$|	+$' $all >"$work/blanks" &&
	fail "blanks at the end: $(head -n 5 "$work/blanks")"

for file in $(find lib tools tests -name '*.[chS]' -o -name '*.sh' -o -name '*.py' | sort); do
	head -n 3 "$file" | grep -q 'SPDX-License-Identifier: MIT' || fail "$file: no licence line"
done

for file in $files; do
	[ "$file" = lib/gpuscope.h ] || sed -n 2p "$file" | grep -q '^/\*' ||
		fail "$file: its first comment does not say what it is for"
done

# The library neither prints nor exits; the compiler of the definitions, run by the build, may.
# shellcheck disable=SC2046
grep -nE '(^|[^a-z_])(printf|fprintf|puts|perror|exit|abort|_exit)\(' $(find lib -name '*.c' \
	! -name compile.c) >"$work/prints" && fail "the library prints or exits: $(head -n 3 "$work/prints")"

# No global state. libpciaccess has some, so its users take turns by pci_lock; the rest is the
# compiler's.
if command -v readelf >/dev/null; then
	readelf -WS "$library" | sed -n 's/^ *\[ *\([0-9]*\)\] \.\(data\|bss\|tdata\|tbss\) .*/\1/p' |
		while read -r section; do
			readelf -Ws "$library" | awk -v section="$section" '
				$4 ~ /OBJECT|TLS/ && $7 == section { print $8 }'
		done | sort -u | grep -Evx 'pci_lock|__cpu_(model|features2)|completed\.[0-9]+|__dso_handle|__TMC_END__' \
			>"$work/state" && fail "writable data: $(head -n 5 "$work/state" | tr '\n' ' ')"
fi
finish
