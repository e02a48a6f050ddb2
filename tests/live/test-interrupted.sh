#!/bin/sh
# SPDX-License-Identifier: MIT
# --wake=registers leaves no request behind, however the command ends.
. "$(dirname "$0")/lib.sh"
[ -x "${GPU_REGDUMP:-}" ] && [ -x "${GPU_SNAP:-}" ] || skip 'the commands are not built'
env --default-signal=INT true 2>/dev/null || skip 'no env --default-signal'

ulimit -c 0
request=0xa278
held=00010001
free=00010000

# skl: whose render well answers, so that it is held while anything is written
skl() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
	poke "$gpu/resource0" 0xd84 1
}

# start COMMAND...: in the background, sets $pid; sh has it ignore some signals, env undoes that
start() {
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0" /sys/bus/pci/devices && exec "$@"' "$devices" \
		env --default-signal=INT,QUIT HOME="$work" ASAN_OPTIONS=detect_leaks=0 "$@" \
		>"$work/pipe" 2>"$work/stderr" &
	pid=$!
}

# until_held: the request is seen in the BAR
until_held() {
	tries=0
	while [ "$(peek "$gpu/resource0" $request)" != $held ] && [ $tries -lt 500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
	same "$1: held before" $held "$(peek "$gpu/resource0" $request)"
}

# ended TITLE STATUS: waits for it
ended() {
	status=0
	wait $pid || status=$?
	same "$1: status" "$2" "$status"
	same "$1: let go" $free "$(peek "$gpu/resource0" $request)"
}

# interrupted TITLE SIGNAL STATUS COMMAND...: while it writes to a pipe that nobody reads
interrupted() {
	title=$1 signal=$2 want_status=$3
	shift 3
	skl
	rm -f "$work/pipe"
	mkfifo "$work/pipe"
	exec 3<>"$work/pipe"
	start "$@"
	until_held "$title"
	kill -s "$signal" $pid
	ended "$title" "$want_status"
	exec 3>&-
}

for signal in INT:130 TERM:143 HUP:129 QUIT:131; do
	interrupted "SIG${signal%:*}" "${signal%:*}" "${signal#*:}" \
		"$GPU_REGDUMP" --wake=registers -v
done
interrupted 'a comparison' TERM 143 "$GPU_REGDUMP" --wake=registers -v --diff live demo:skl-hang
interrupted 'a capture' INT 130 "$GPU_SNAP" --wake=registers save -o -

# Watching ends by itself after a signal, unless it is stuck.
skl
rm -f "$work/pipe"
: >"$work/pipe"
start "$GPU_REGDUMP" --wake=registers --watch 0.05 rcs0.RING_BUFFER_TAIL
# It lets go between readings: what it has shown says that it reads.
for _ in $(seq 500); do
	[ ! -s "$work/pipe" ] || break
	sleep 0.02
done
kill -s INT $pid
ended 'watching' 130
skl
rm -f "$work/pipe"
mkfifo "$work/pipe"
exec 3<>"$work/pipe"
start "$GPU_REGDUMP" --wake=registers -v --watch 0.05
until_held 'watching, stuck'
sleep 0.3
kill -s TERM $pid
sleep 0.3
kill -s TERM $pid
ended 'watching, stuck' 143
exec 3>&-

# Who is killed leaves its request, and its lock goes with it: the next one finds that.
skl
rm -f "$work/pipe"
mkfifo "$work/pipe"
exec 3<>"$work/pipe"
start "$GPU_REGDUMP" --wake=registers -v
until_held 'killed'
others() {
	in_devices env HOME="$work" "$GPU_REGDUMP" --wake="$1" rcs0.RING_BUFFER_TAIL 2>&1 >/dev/null
	echo "status $?"
}
same 'killed: as long as it runs nothing is left' 'status 0' "$(others none)"
kill -s KILL $pid
wait $pid 2>/dev/null
same 'killed: the request stays' $held "$(peek "$gpu/resource0" $request)"
left='gpu-regdump: 0000:00:02.0: a killed command or another program left the forcewake of render on'
same 'killed: the next one says so' "$left, and the GPU stays awake: --wake=registers releases it
status 0" "$(others none)"
same 'killed: given back' "$left; it is released now
status 0" "$(others registers)"
same 'killed: given back, indeed' $free "$(peek "$gpu/resource0" $request)"
exec 3>&-

# Ignored from the beginning, as under nohup, a signal stays ignored.
skl
rm -f "$work/pipe"
mkfifo "$work/pipe"
exec 3<>"$work/pipe"
trap '' HUP
start "$GPU_REGDUMP" --wake=registers -v
trap 'exit 1' HUP
until_held 'nohup'
kill -s HUP $pid
cat <&3 >/dev/null &
reader=$!
ended 'nohup' 6
kill $reader
exec 3>&-

# ends TITLE STATUS COMMAND...: by itself
ends() {
	title=$1 want_status=$2
	shift 2
	skl
	status=0
	in_devices env HOME="$work" "$@" >"$work/stdout" 2>"$work/stderr" || status=$?
	same "$title: status" "$want_status" "$status"
	same "$title: let go" $free "$(peek "$gpu/resource0" $request)"
}

ends 'done' 0 "$GPU_REGDUMP" --wake=registers rcs0.RING_BUFFER_TAIL
# shellcheck disable=SC2016
ends 'a reader that has seen enough' 0 sh -c '{ "$0" --wake=registers -v; echo $? >&2; } |
	head -n 1 >/dev/null' "$GPU_REGDUMP"
same 'a reader that has seen enough: status' 0 "$(tail -n 1 "$work/stderr")"
# shellcheck disable=SC2016
ends 'standard output is closed' 1 sh -c '"$0" --wake=registers rcs0.RING_BUFFER_TAIL >&-' \
	"$GPU_REGDUMP"
# shellcheck disable=SC2016
ends 'standard output is full' 1 sh -c '"$0" --wake=registers rcs0.RING_BUFFER_TAIL >/dev/full' \
	"$GPU_REGDUMP"
finish
