#!/bin/sh
# SPDX-License-Identifier: MIT
# valgrind.sh BUILD DIRECTORY: every command on every demo under valgrind; logs in DIRECTORY. The
# last line of what it prints sums up.
set -eu
tools=$(cd "${1:?the build directory}/tools" && pwd)
mkdir -p "${2:?a directory}"
work=$(cd "$2" && pwd)
rm -rf "${work:?}"/*
HOME=$work/home
mkdir -p "$HOME"
export HOME
count=0 failed=0

# clean COMMAND ARGUMENT...: it ends as commands do, and valgrind has nothing to say of it (lines
# that begin with -- are about valgrind itself: it does not know Landlock's system calls)
clean() {
	count=$((count + 1))
	log=$work/$count.log
	status=0
	command=$1
	shift
	valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect \
		--errors-for-leak-kinds=definite,indirect --child-silent-after-fork=yes \
		--log-file="$log" "$tools/$command" "$@" >"$work/out" 2>"$work/err" </dev/null ||
		status=$?
	case $status in
	0 | 6) grep -q '^==' "$log" || { rm "$log"; return 0; } ;;
	esac
	failed=$((failed + 1))
	printf '%s %s: status %s: %s\n' "$command" "$*" "$status" \
		"$(cat "$log" "$work/err" | head -n 3 | tr '\n' ' ')"
}

# every command that reads a source, on one
on_source() {
	for form in '' --json; do
		clean gpu-regdump -s "$1" $form
		clean gpu-regdump -s "$1" $form '@fault' '0x2000-0x20ff'
		clean gpu-regdump $form --diff reset "$1" 'rcs0.*'
		clean gpu-fault -s "$1" $form
		clean gpu-ptwalk -s "$1" $form --map
		clean gpu-ptwalk -s "$1" $form --check
		clean gpu-ptwalk -s "$1" $form --spaces
		clean gpu-batch -s "$1" $form
		clean gpu-batch -s "$1" $form --state
		clean gpu-batch -s "$1" $form --lint
	done
	clean gpu-ptwalk -s "$1" --svg
	clean gpu-report -s "$1" -o "$work/page.html"
	for packing in none gzip zstd; do
		clean gpu-snap save -s "$1" --compress $packing -o "$work/capture"
		clean gpu-snap info "$work/capture"
		clean gpu-fault -s "$work/capture" -q
	done
	clean gpu-snap save -s "$1" --redact -o "$work/capture"
	clean gpu-snap convert "$1" --to bar -o "$work/image"
	clean gpu-sh -s "$1" -c 'rcs0.RING_BUFFER_TAIL; list *FAULT*; ? RING_BUFFER_TAIL; fault; walk --spaces; from'
}

for demo in snb-hang skl-hang icl-trtt; do
	on_source "demo:$demo"
done

# Those that read none.
head -c 65536 "$tools/gpu-pte" >"$work/tiled"
for form in '' --json; do
	for platform in snb skl tgl bmg; do
		clean gpu-db -p $platform $form list
		clean gpu-db -p $platform $form show RING_BUFFER_TAIL
		clean gpu-regdump -p $platform $form --list
	done
	clean gpu-db $form list --platforms
	clean gpu-pte $form -p skl -m pml4 -l pde 0x18080008b
	clean gpu-eu $form -p skl --format bin "$work/tiled"
	clean gpu-tile $form -p skl -f y --pitch 512 --bpp 32 10 20
	clean gpu-tile $form -p snb --fence 0x001ff00b00100001 0x112345
done
clean gpu-collect --json -D "$work/none" list
clean gpu-db -p skl stats
clean gpu-db -p skl which RING_BUFFER_TAIL
clean gpu-db -p skl export
clean gpu-tile -p skl -f y --pitch 512 --bpp 32 --size x64 "$work/tiled" -o "$work/rows"
printf 'i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:0x85dffffb, in game [1981]\n' >"$work/dmesg"
clean gpu-fault --dmesg "$work/dmesg"
clean gpu-sh -p skl --dry-run --force -c 'rcs0.MI_MODE:STOP_RINGS = stopped'

echo "$count runs, $failed of them not clean"
[ $failed = 0 ]
