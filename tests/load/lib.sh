# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the load tests: what ../cli/lib.sh has, and
#
#   each FUNCTION               calls it with every command, which writes something to stdout
#   sanitized                   is this the build with the sanitizers?
#   quickly SECONDS PEAK COMMAND...   as run; so much of a processor's time at most, and so many MB
#                               of memory, pages of files not counted; SPENT is the built spent.c
#   begin COMMAND...            in the background, its output to a pipe that nobody reads; sets $pid
#   until_stuck                 it has filled that pipe
#   until_read                  somebody reads it after all, and it has ended; sets $status
#   told_failure PATTERN        the run failed, and said so in one line

# shellcheck source=tests/cli/lib.sh
. "$(dirname "$0")/../cli/lib.sh"
# shellcheck disable=SC2086
needs $commands

capture=$work/capture.tar
gpu-snap save -s demo:skl-hang -o "$capture" || fail 'no capture'
echo '[    1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [1981]' >"$work/log"
echo '0x00600001 0x2e000208 0x008d0020 0x00000000' >"$work/shader"

each() {
	"$1" gpu-regdump -s demo:skl-hang
	"$1" gpu-regdump -s "$capture" --json
	"$1" gpu-regdump -s "$capture" --watch 0.001 --count 2
	"$1" gpu-regdump -p skl --list
	"$1" gpu-regdump -p skl --decode RING_FAULT_REG=1
	"$1" gpu-regdump --diff reset "$capture"
	"$1" gpu-ptwalk -s "$capture" --map
	"$1" gpu-ptwalk -s "$capture" --flat --json
	"$1" gpu-ptwalk -s "$capture" --map --svg
	"$1" gpu-ptwalk -s "$capture" --spaces
	"$1" gpu-ptwalk -s "$capture" 0x100000000
	"$1" gpu-pte -p skl 0x1003
	"$1" gpu-batch "$capture"
	"$1" gpu-batch "$capture" --json
	"$1" gpu-eu -p skl "$work/shader"
	"$1" gpu-fault "$capture"
	"$1" gpu-fault "$capture" --json
	"$1" gpu-fault "$capture" demo:snb-hang
	"$1" gpu-fault --dmesg "$work/log"
	"$1" gpu-collect -D "$work/none" list --json
	"$1" gpu-snap save -s "$capture" -o -
	"$1" gpu-snap info "$capture"
	"$1" gpu-snap extract "$capture" config
	"$1" gpu-snap convert "$capture" --to aub -o -
	"$1" gpu-report -s "$capture" -o -
	"$1" gpu-tile -p skl -f x --pitch 4096 10 10
	"$1" gpu-db list -p skl
	"$1" gpu-db export -p skl --json
	"$1" gpu-db show RING_FAULT_REG
	"$1" gpu-sh -s "$capture" -c 'rcs0.RING_BUFFER_TAIL'
	"$1" gpu-sh -s "$capture" -c 'fault'
}

sanitized() {
	nm -D "$BUILD_TOOLS/gpu-regdump" 2>/dev/null | grep -q __asan_init
}

quickly() {
	_seconds=$1 _peak=$2
	shift 2
	run "${SPENT:?the built spent.c}" "$work/spent" "$@"
	command_line=$*
	read -r _took _used <"$work/spent"
	if sanitized; then
		_seconds=$((_seconds * 10))
		_used=0
	fi
	[ "$_took" -le $((_seconds * 1000)) ] || fail "it took $_took ms"
	[ "$_used" -le $((_peak * 1024)) ] || fail "it used $_used kB"
}

told_failure() {
	expect_status 1
	[ "$(wc -l <"$err")" = 1 ] || fail "$(wc -l <"$err") lines on stderr: $(head -n 2 "$err")"
	expect_err_line "$1"
}

# Not inherited: a pipe whose reader is the writer never breaks. sh has it ignore some signals.
begin() {
	command_line=$*
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	exec 3<>"$work/pipe"
	env --default-signal=INT,QUIT "$@" >"$work/pipe" 2>"$err" 3>&- &
	pid=$!
}

until_stuck() {
	_tries=0
	while kill -0 $pid && [ $_tries -lt 500 ]; do
		case $(cat "/proc/$pid/wchan") in
		*pipe*) return ;;
		0) [ $_tries -lt 50 ] || return 0 ;;	# the kernel does not tell
		esac
		sleep 0.02
		_tries=$((_tries + 1))
	done 2>/dev/null
	fail 'it did not wait for its reader'
}

until_read() {
	cat <&3 >/dev/null &
	_reader=$!
	status=0
	wait $pid || status=$?
	kill $_reader
	exec 3>&-
}
