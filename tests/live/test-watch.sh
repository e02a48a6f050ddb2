#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-regdump --watch on a device: nothing is held between samples, and who goes is missed.
. "$(dirname "$0")/lib.sh"
[ -x "${GPU_REGDUMP:-}" ] || skip 'GPU_REGDUMP names no command'

# skl: with i915, whose file of debugfs is there, and a render well that somebody holds
skl() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
	ln -s ../../drivers/i915 "$gpu/driver"
	mkdir -p "$sys/kernel/debug/dri/0000:00:02.0"
	: >"$sys/kernel/debug/dri/0000:00:02.0/i915_forcewake_user"
	poke "$gpu/resource0" 0xd84 4
	: >"$work/stdout"
}

# watching ARGUMENTS...: in the background, until the first sample is there; sets $pid
watching() {
	in_sys env HOME="$work" ASAN_OPTIONS=detect_leaks=0 NO_COLOR=1 "$GPU_REGDUMP" \
		--no-user-config --watch "$@" >"$work/stdout" 2>"$work/stderr" &
	pid=$!
	tries=0
	while [ ! -s "$work/stdout" ] && [ $tries -lt 500 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
	sleep 0.2
}

# files: of the driver that the commands have open
files() {
	find /proc/[0-9]*/fd -lname "*/i915_forcewake_user" 2>/dev/null | wc -l
}

released='# forcewake is released between samples'

skl
watching 2 --count 2 --wake=driver 0x2038
same 'the driver: its file is not open between samples' 0 "$(files)"
same 'the driver: it says so' 1 "$(grep -Fcx "$released" "$work/stdout")"
poke "$gpu/resource0" 0x2038 0x1000
status=0
wait $pid || status=$?
same 'the driver: the next sample, too' '0 1' \
	"$status $(grep -Fc '0x00000000 -> 0x00001000' "$work/stdout")"
if command -v strace >/dev/null; then
	skl
	in_sys env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=openat \
		"$GPU_REGDUMP" --no-user-config --watch 0.05 --count 3 0x2038 >/dev/null
	same 'the driver: its file is opened for each sample' 3 \
		"$(grep -c i915_forcewake_user "$work/trace")"
fi

skl
rm "$gpu/driver"
poke "$gpu/resource0" 0xd84 1
watching 2 --count 1 --wake=registers 0x2038
same 'registers: it says so' 1 "$(grep -Fcx "$released" "$work/stdout")"
wait $pid
poke "$gpu/resource0" 0xa278 0
watching 2 --count 2 --wake=registers 0x2038
same 'registers: the request is given back between samples' 00010000 \
	"$(peek "$gpu/resource0" 0xa278)"
kill $pid
wait $pid

# Who did not ask for forcewake has nothing to be told of it.
skl
for wake in auto none; do
	in_sys "$GPU_REGDUMP" --no-user-config --watch 0.01 --count 2 --wake=$wake 0x44408 >"$work/stdout"
	same "$wake: nothing is said" 0 "$(grep -Fc released "$work/stdout")"
done

# Removed between two samples: what is mapped of it is not touched any more.
skl
watching 1 --count 5 0x44408
mv "$gpu" "$work/removed"
status=0
wait $pid || status=$?
same 'removed: status' 5 $status
same 'removed: it says so' 'gpu-regdump: 0000:00:02.0: gone: the kernel no longer has it' \
	"$(cat "$work/stderr")"
same 'removed: what was read stays' 1 "$(grep -c '^0x044408  0x00000000' "$work/stdout")"
rm -rf "$work/removed"
finish
