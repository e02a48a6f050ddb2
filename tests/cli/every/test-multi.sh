#!/bin/sh
# SPDX-License-Identifier: MIT
# gpuscope: one program that is every command; in a static build it needs nothing around it.
. "$(dirname "$0")/../lib.sh"
# shellcheck disable=SC2086
names=$(printf '%s\n' $commands | sed 's/^gpu-//')

title 'one file'
same 'what gpu-sh is' "$(readlink "$BUILD_TOOLS/gpu-sh")" gpuscope
static=yes
[ -f "$BUILD_TOOLS/../lib/libgpuscope.so" ] && static=
for name in $names; do
	[ "$static" ] || break
	same "what gpu-$name is" "$(readlink "$BUILD_TOOLS/gpu-$name")" gpuscope
done
if [ "$static" ] && command -v readelf >/dev/null; then
	readelf -Wl "$BUILD_TOOLS/gpuscope" | grep -q INTERP && fail 'it takes a loader'
fi

title 'help and version'
for words in '' --help -h help; do
	# shellcheck disable=SC2086
	run_lenient gpuscope $words
	expect_status 0
	for name in $names; do
		expect_out_has "^  $name  +[a-z]"
	done
	[ "$(wc -l <"$out")" -lt 24 ] || fail "$(wc -l <"$out") lines"
	same 'lines over 80 columns' "$(awk 'length > 80' "$out")" ''
done
run_lenient gpuscope --version
expect_out "gpuscope $(gpu-db --version | sed 's/.* //')"

title 'by its name, by another, by a link'
run_lenient gpuscope regdump -s demo:snb-hang --no-user-config rcs0.RING_BUFFER_TAIL
expect_status 0
cp "$out" "$work/wanted"
expect_out_has '^0x002030  0x00003e28  rcs0.RING_BUFFER_TAIL'
run_lenient gpuscope gpu-regdump -s demo:snb-hang --no-user-config rcs0.RING_BUFFER_TAIL
cmp -s "$out" "$work/wanted" || fail 'the long name gives something else'
run gpu-regdump -s demo:snb-hang --no-user-config rcs0.RING_BUFFER_TAIL
cmp -s "$out" "$work/wanted" || fail 'the link gives something else'
run gpuscope regdump --help
expect_out_has '^Usage: gpu-regdump \[options\]'
run gpuscope regdump -s /nowhere X
expect_status 1
expect_err_line 'gpu-regdump: /nowhere: *'

title 'help, asked for as of any command'
run gpuscope --help
expect_status 0
cp "$out" "$work/help"
for words in --help=all -h help ''; do
	# shellcheck disable=SC2086
	run gpuscope $words
	expect_status 0
	cmp -s "$out" "$work/help" || fail 'other help than --help'
done

title 'wrong words'
for words in frobnicate 'frobnicate x' --frobnicate gpu- --install; do
	# shellcheck disable=SC2086
	run_lenient gpuscope $words
	expect_status 2
	expect_out_empty
	expect_err_line 'gpuscope: *: *(try --help)'
done

ln -s "$BUILD_TOOLS/gpuscope" "$work/gpu-frobnicate"
for words in '' --help 'regdump --list'; do
	# shellcheck disable=SC2086
	run_lenient "$work/gpu-frobnicate" $words
	expect_status 2
	expect_out_empty
	expect_err_line 'gpuscope: gpu-frobnicate: no such command (try --help)'
done

title 'help, and commands that are nearly right'
run gpuscope help fault
cp "$out" "$work/help"
run gpu-fault --help
expect_out "$(cat "$work/help")"
for words in falt 'help fualt' 'gpu-falt -s demo:skl-hang'; do
	# shellcheck disable=SC2086
	run_lenient gpuscope $words
	expect_status 2
	expect_err_line 'gpuscope: *: no such command; did you mean fault? (try --help)'
done

title 'the links'
mkdir "$work/bin"
run_lenient gpuscope --install "$work/bin"
expect_status 0
expect_err_empty
same 'links made' "$(ls "$work/bin" | wc -l)" "$(echo "$names" | wc -l)"
run "$work/bin/gpu-pte" -p skl -m pml4 -l pde 0x18080008b
expect_status 0
run_lenient gpuscope --install "$work/bin"
expect_status 0
rm "$work/bin/gpu-db"
echo own >"$work/bin/gpu-db"
run_lenient gpuscope --install "$work/bin"
expect_status 1
expect_err_line "gpuscope: *gpu-db: *"
same 'a file of another' "$(cat "$work/bin/gpu-db")" own
run_lenient gpuscope --install "$work/none"
expect_status 1

title 'alone in an empty directory'
if [ "$static" ] && [ "$(id -u)" = 0 ] && command -v chroot >/dev/null; then
	mkdir "$work/empty"
	cp "$BUILD_TOOLS/gpuscope" "$work/empty/"
	run_lenient chroot "$work/empty" /gpuscope fault -s demo:skl-hang -q
	expect_status 0
	expect_out_has '^rcs0 hangs in PIPE_CONTROL '
	run_lenient chroot "$work/empty" /gpuscope --install /
	expect_status 0
	run_lenient chroot "$work/empty" /gpu-sh -s demo:skl-hang -c 'rcs0.ACTHD -q'
	expect_out '0x002074  0x0002003c  rcs0.ACTHD'
fi
finish
