#!/bin/sh
# SPDX-License-Identifier: MIT
# A pipe, by name or as the shell's <(...), is opened once and read to its end: whoever writes to it
# has no second reader to wait for.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-fault gpu-ptwalk gpu-batch gpu-eu gpu-snap gpu-report gpu-sh

cd "$work" || exit 1
cp "$data/error-state.txt" state
mkfifo pipe

# Those that write it wait until it is opened; whoever opens it twice loses them.
written() {
	command_line=$*
	timeout 20 sh -c 'exec cat "$0" >pipe' "$input" &
	writer=$!
	run timeout 20 "$@"
	wait $writer || fail 'its writer lost its reader'
}

# as_file FILE COMMAND...: what it says of a file is what it says of the pipe
as_file() {
	input=$1
	shift
	cp "$input" pipe.file
	run "$(command -v "$1")" $(shift && echo "$*" | sed 's/\<pipe\>/pipe.file/g')
	sed 's/pipe\.file/pipe/g; /^gpu-.*try: /d' "$out" >out.file
	wanted=$status
	written "$@"
	expect_status "$wanted"
	sed '/^gpu-.*try: /d' "$out" >out.pipe
	cmp -s out.file out.pipe || fail "of a pipe: $(diff out.file out.pipe | head -n 3)"
}

title 'every command'
for words in 'gpu-fault -q pipe' 'gpu-fault -j -s pipe' 'gpu-regdump -j pipe' 'gpu-ptwalk -j pipe --spaces' \
	'gpu-batch -j pipe' 'gpu-eu -j -s pipe' 'gpu-snap -j info pipe' 'gpu-report -o - -s pipe' \
	'gpu-fault -j pipe state' 'gpu-sh -s pipe -c fault' 'gpu-sh -s pipe -c RING_FAULT_REG' \
	'gpu-fault --dmesg pipe'; do
	# shellcheck disable=SC2086
	as_file state $words
done

title 'every kind of source'
make_bar bar skl 0x2030 0x150
printf '0x2030 0x150\n' >pairs
head -c 4096 /dev/zero >zeros
printf '[    1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [1981]\n' >log
sed '/^PCI ID/d' state >anonymous
gpu-snap save -s demo:skl-hang -o capture.tar
gpu-snap convert capture.tar --to aub -o aub 2>/dev/null
as_file bar gpu-regdump -j -p skl -s bar:pipe 0x2030
as_file pairs gpu-regdump -j -p skl pipe 0x2030
as_file zeros gpu-ptwalk -j -p skl -s ggtt:pipe --map
as_file log gpu-fault -j pipe
as_file anonymous gpu-fault -j pipe
as_file capture.tar gpu-fault -j pipe
as_file aub gpu-ptwalk -j pipe --map
as_file "$data/lspci.txt" gpu-regdump -j config:pipe DID2
if built_with gzip && command -v gzip >/dev/null; then
	gzip -k state capture.tar
	as_file state.gz gpu-fault -j pipe
	as_file capture.tar.gz gpu-snap -j info pipe
fi

title 'opened once, and nobody sees it closed before its end'
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	for command in gpu-fault 'gpu-regdump -s' gpu-snap\ info 'gpu-sh -c fault -s'; do
		command_line=$command
		timeout 20 sh -c 'exec cat state >pipe' &
		# shellcheck disable=SC2086
		ASAN_OPTIONS=detect_leaks=0 timeout 60 strace -f -e trace=open,openat -o trace \
			$command pipe >/dev/null 2>&1
		wait $!
		same 'opened' "$(grep '"pipe"' trace | grep -vc O_PATH)" 1
	done
fi

title 'a command to paste does not name what has been read'
input=capture.tar
written gpu-fault pipe
expect_out_has 'gpu-[a-z]+ .*-s FILE'
expect_out_lacks '^[^#]*gpu-[a-z]+ .*pipe'

title 'a long input shows that it is being read, and nothing of that stays'
if [ -x "${PTY:-}" ]; then
	(sleep 4 && exec cat state) >pipe &
	printf 'expect gpu-fault: reading, 2 s\nexpect gpu-fault: reading, 3 s\nexpect \033[K\nend 0\n' \
		>shown
	run_in shown "$PTY" sh -c 'TERM=xterm exec gpu-fault pipe >out'
	expect_status 0
	wait $!
fi

finish
