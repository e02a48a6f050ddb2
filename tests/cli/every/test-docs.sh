#!/bin/sh
# SPDX-License-Identifier: MIT
# What the manual pages, README.md and TUTORIAL.md show of commands is what these print; every
# option that they mention is one; pages have their sections, refer to pages that there are, and
# fit a screen; links of their HTML lead somewhere; nothing in the header of the library goes
# without a comment.
. "$(dirname "$0")/../lib.sh"
# shellcheck disable=SC2086
needs $commands python3 jq
root=$(cd "$tests/.." && pwd)
man=$root/man
[ -f "$man/gpu-regdump.1.scd" ] || skip 'no sources of the manual pages'

# check TITLE WORD...: docs.py finds nothing
check() {
	title "$1"
	shift
	command_line="docs.py $1"
	python3 "$tests/cli/every/docs.py" "$@" >"$work/found" 2>&1 || fail "it fails: $(tail -n 1 "$work/found")"
	[ -s "$work/found" ] && fail "$(head -n 20 "$work/found")"
}

mkdir "$work/helps"
for command in $commands; do
	$command --help=all >"$work/helps/$command"
done
title 'every command'
for place in README.md man/gpuscope.7.scd debian/control tests/load/lib.sh \
	tests/bad/commands.py tests/release/valgrind.sh tests/release/installed.sh; do
	command_line=$place
	[ -f "$root/$place" ] || { fail 'it is not there'; continue; }
	for command in $commands; do
		grep -qw -e "$command" "$root/$place" || fail "it does not know $command"
	done
done
gpuscope >"$work/list"
for command in $commands; do
	[ -f "$man/$command.1.scd" ] || fail "$command has no page"
	purpose=$(sed -n "s/^$command - //p" "$man/$command.1.scd")
	sed 's/^ *\([a-z]*\)  */gpu-\1 - /' "$work/list" | grep -Fqx "$command - $purpose" ||
		fail "gpuscope lists $command otherwise than its page: $purpose"
done
check 'the pages' shape "$man"/*.scd
check 'options in documents' mentions "$work/helps" "$root/README.md" "$root/TUTORIAL.md" "$man"/*.scd
for schema in "$schemas"/*.json; do
	name=${schema##*/}
	name=${name%.json} others=
	# Its page refers to those of the commands that write parts of it.
	case $name in
	fault*) others="$man/gpu-batch.1.scd $man/gpu-ptwalk.1.scd $man/gpu-regdump.1.scd" ;;
	snap) others="$man/gpu-fault.1.scd $man/gpu-batch.1.scd $man/gpu-regdump.1.scd" ;;
	esac
	# shellcheck disable=SC2086
	check "JSON of $name" keys "$schema" "$man/gpu-${name%%-*}.1.scd" "$man/gpuscope.7.scd" $others
done
title 'libgpuscope(3)'
command_line=library.py
python3 "$man/library.py" "$root/lib/gpuscope.h" "$man/libgpuscope.3.scd" "$root"/examples/*.c \
	>"$work/library" 2>"$err" || fail "$(cat "$err")"
sed 's|^/\* ---- definitions .*|int gpuscope_nothing(void);\n\n&|' "$root/lib/gpuscope.h" >"$work/nothing.h"
python3 "$man/library.py" "$work/nothing.h" "$man/libgpuscope.3.scd" "$root"/examples/*.c >"$out" 2>"$err" &&
	fail 'it takes a function without a comment'
grep -q 'gpuscope_nothing() has no comment' "$err" || fail "$(cat "$err")"

title 'gpuscope(3py)'
command_line=generate.py
python3 "$root/python/generate.py" "$root/lib/gpuscope.h" "$root/python/gpuscope/_values.py" \
	--page "$man/gpuscope.3py.scd" >"$work/module" 2>"$err" || fail "$(cat "$err")"

title 'pages that are installed'
command_line=man/meson.build
for page in "$man"/*.scd; do
	page=${page##*/}
	page=${page%.scd}
	case " $commands " in
	*" ${page%.1} "*) continue ;;
	esac
	grep -q "'$page'" "$man/meson.build" || fail "$page is not built"
done

title 'the common page'
command_line=$man/gpuscope.7.scd
for word in bar: ggtt: mem: lmem: elf: config: hang: demo: none live --wake --define NO_COLOR; do
	for page in gpuscope.7 gpuscope-sources.7; do
		case $page,$word in
		gpuscope-sources.7,--* | gpuscope-sources.7,NO_COLOR) continue ;;
		esac
		grep -Fq -e "$word" "$man/$page.scd" || fail "$word is not in $page"
	done
done

title 'the tutorial'
command_line=README.md
grep -Fq '(TUTORIAL.md)' "$root/README.md" || fail 'README.md does not lead to TUTORIAL.md'

# ---- what is shown ------------------------------------------------------------------------------

# examples FILE: what stands as "$ COMMAND" in it, more of it after "> ", and the lines below it, in
# files 01 02 ... of a folder
examples() {
	rm -rf "$work/examples"
	mkdir "$work/examples"
	awk -v folder="$work/examples" '
		/^```/ { code = !code; file = ""; next }
		{ line = $0 }
		!code && /^$/ { blank = blank "\n"; next }
		!code && !sub(/^    /, "", line) { file = ""; next }
		line ~ /^\$ / { file = sprintf("%s/%03d", folder, ++count); blank = "" }
		file { printf "%s%s\n", blank, line >file; blank = "" }' "$1"
}

# The complete file that gpuscope-def(5) shows is the one that README.md loads.
lab_file() {
	awk '/^```/ { if (inside) exit; inside = 1; next } inside' "$man/gpuscope-def.5.scd"
}

# Each page in a folder of its own, as a terminal shows it; the day is that of README.md.
SOURCE_DATE_EPOCH=$(date -ud 2026-11-21T09:55:37Z +%s)
TZ=UTC0
export SOURCE_DATE_EPOCH TZ
shown=0
set -- "$man"/*.scd "$root/README.md"
# It has a compressed dump.
! built_with gzip || set -- "$@" "$root/TUTORIAL.md"
for page; do
	title "examples of ${page##*/}"
	examples "$page"
	place=$work/place-${page##*/}
	mkdir "$place"
	lab_file >"$place/lab.def"
	unescape='s/\\\\/\\/g'
	[ "${page##*.}" = scd ] || unescape=
	for example in "$work/examples"/*; do
		[ -f "$example" ] || continue
		command_line=$(sed -n '1s/^\$ //p; 2,$s/^> \{0,1\}//p' "$example" | sed "$unescape")
		(cd "$place" && eval "$command_line") >"$out" 2>&1 </dev/null
		sed '1d; /^>/d' "$example" | sed "$unescape" >"$work/wanted"
		cmp -s "$work/wanted" "$out" ||
			fail "it prints something else: $(diff "$work/wanted" "$out" | head -n 4)"
		shown=$((shown + 1))
	done
done
command_line='all pages'
[ $shown -gt 70 ] || fail "only $shown examples"
! built_with gzip ||
	same 'commands of the tutorial' "$(grep -c '^\$ ' "$root/TUTORIAL.md")" "$(ls "$work/examples" | wc -l)"

# ---- as HTML ------------------------------------------------------------------------------------

if built_with html; then
	folder=$BUILD_TOOLS/../man
	check 'links of the pages as HTML' links "$folder/index.html" "$folder"/*.[1-8].html
	same 'pages as HTML' "$(ls "$folder"/*.[1-8]*.html | wc -l)" "$(ls "$man"/*.scd | wc -l)"
fi

# ---- how they look ------------------------------------------------------------------------------

title 'pages on a screen of 80 columns'
if ! command -v scdoc >/dev/null || ! command -v groff >/dev/null; then
	[ "$failures" = 0 ] || exit 1
	skip 'no scdoc or no groff: the pages say what is so'
fi
for page in "$man"/*.scd; do
	name=${page##*/}
	command_line=$name
	[ "$name" != libgpuscope.3.scd ] || page=$work/library
	[ "$name" != gpuscope.3py.scd ] || page=$work/module
	scdoc <"$page" >"$work/page" 2>"$err" || fail "scdoc: $(head -n 1 "$err")"
	groff -K utf8 -t -ww -man -Tutf8 -P-cbou -rLL=80n "$work/page" >"$out" 2>"$err"
	# The one long page grows as it is filled; tables that meet its end for the moment are fine.
	grep -v 'will not fit on one page' "$err" >"$work/warnings" &&
		fail "groff: $(head -n 3 "$work/warnings")"
	LC_ALL=C.UTF-8 grep -nE '^.{81}' "$out" >"$work/wide" && fail "too wide: $(head -n 3 "$work/wide")"
	[ "$(wc -l <"$out")" -gt 40 ] || fail "only $(wc -l <"$out") lines"
	if command -v mandoc >/dev/null; then
		mandoc -Tlint -W warning <"$work/page" | grep -v 'skipping paragraph macro' >"$work/lint" &&
			fail "mandoc: $(head -n 3 "$work/lint")"
	fi
done
finish
