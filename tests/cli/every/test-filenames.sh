#!/bin/sh
# SPDX-License-Identifier: MIT
# A file may have any name. No command lets it control the terminal or begin a line, and a command
# that is printed for pasting names the same file to the shell.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-fault gpu-ptwalk gpu-batch gpu-eu gpu-snap gpu-report gpu-db gpu-sh gpu-tile

cd "$work" || exit 1
escape=$(printf '\033')
odd=$(printf 'a\033[31mb\nLINE '"'"'"$(touch ran)`touch ran`*\303\266')
gpu-snap save -s demo:skl-hang -o capture
cp capture "$odd"
cp capture ./-dash
cp "$data/scratch.def" "$odd.def"
mkdir "folder$odd"

# tame COMMAND...: it may fail, but writes nothing of the name that is not plain text
tame() {
	run_lenient "$@"
	cat "$err" >>"$out"
	! grep -q "$escape" "$out" || fail "a raw escape: $(grep -m 1 "$escape" "$out" | cat -v)"
	! grep -q '^LINE' "$out" || fail "a line of its own: $(grep -m 1 '^LINE' "$out")"
}

title 'what is printed'
for options in '' -v -vv; do
	for command in gpu-fault 'gpu-fault -s' gpu-regdump 'gpu-regdump 0x2030' 'gpu-regdump -s' 'gpu-regdump bar:x' \
		'gpu-ptwalk --map' 'gpu-ptwalk --spaces' 'gpu-ptwalk 0x1000' gpu-batch 'gpu-batch --lint' \
		'gpu-eu -p skl' 'gpu-eu -s' 'gpu-snap info' 'gpu-snap' 'gpu-snap extract' 'gpu-snap convert --to bar' \
		'gpu-report -o report -s' 'gpu-report -j' 'gpu-db check' 'gpu-db show RING_FAULT_REG -s' \
		'gpu-db list --define' 'gpu-sh -c from -s' 'gpu-sh -c fault -s' gpu-sh \
		'gpu-tile -p skl -f x --pitch 512 -o tiled' 'gpu-pte -p skl' 'gpu-collect list -D' \
		'gpu-fault --decode ring -p skl' 'gpu-fault -p' 'gpu-fault --dmesg'; do
		for name in "$odd" "$odd.no"; do
			# shellcheck disable=SC2086
			tame $command $options "$name"
		done
	done
done
tame gpu-fault -q "$odd" capture
tame gpu-regdump --diff "$odd" capture
tame gpu-regdump -v -p skl --list --define "$odd.def" SCRATCH_TEST
tame gpu-db check "$odd.def"
tame gpu-db show --define "$odd.def" SCRATCH_TEST
tame gpu-batch demo:skl-hang --kernels "folder$odd"
tame gpu-snap save -v -s "$odd" -o "$odd.new"
tame gpu-snap extract "$odd" nosuch
tame gpu-snap extract "$odd" ggtt -o "$odd/no"

title 'a command to paste'
if command -v bash >/dev/null; then
	for name in "$odd" -dash 'b c' "q'q"; do
		[ -e "./$name" ] || cp capture "./$name"
		run gpu-fault -s "$name"
		expect_status 0
		sed -n 's/^ *see it: //p' "$out" | head -n 1 >paste
		[ -s paste ] || fail 'nothing to paste'
		run bash paste
		expect_status 0 6
		expect_out_has '^# gpu-batch'
	done
	[ ! -e ran ] || fail 'a command in a name was run'
fi

finish
