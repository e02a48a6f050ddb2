#!/bin/sh
# SPDX-License-Identifier: MIT
# The command on live devices: what a user meets, by exit status and message.
. "$(dirname "$0")/lib.sh"
[ -x "${GPU_REGDUMP:-}" ] || skip 'GPU_REGDUMP names no command'

regdump() {
	in_devices env NO_COLOR=1 HOME="$work" "$GPU_REGDUMP" "$@"
}

# json_has TITLE PATTERN ARGUMENTS...: a pattern for grep, blanks of the document taken away
json_has() {
	title=$1 pattern=$2
	shift 2
	regdump -j "$@" 2>"$work/stderr" | tr -d ' \n\t' >"$work/json"
	same "$title" 1 "$(grep -c "$pattern" "$work/json")"
}

fresh
expect 'no GPU' 1 '' 'gpu-regdump: live: no Intel GPU here; *' regdump
expect 'no GPU, as JSON' 1 '' 'gpu-regdump: live: no Intel GPU here; *' regdump -j

fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
poke "$gpu/resource0" 0x2358 0x89abcdef
json_has 'identity' '"platform":"skl","device":"0x1912","source":\["live"\]' 0x2358
json_has 'a value' '"value":"0x89abcdef"' 0x2358
json_has 'a value by device name' '"value":"0x89abcdef"' -s 00:02.0 0x2358
regdump --devices >"$work/list"
same 'the list of devices' 1 "$(grep '0000:00:02.0' "$work/list" | grep -c '0x1912.*skl')"
if command -v strace >/dev/null; then
	in_devices env ASAN_OPTIONS=detect_leaks=0 HOME="$work" strace -f -o "$work/trace" \
		-e trace=openat,mmap "$GPU_REGDUMP" >/dev/null 2>&1
	same 'everything: read-only' 0 \
		"$(grep '"/sys/' "$work/trace" | grep -c 'O_RDWR\|O_WRONLY')"
	same 'everything: never mapped as a whole' 1 \
		"$(grep -c 'MAP_SHARED' "$work/trace")"
fi

# A GGTT whose reads may hang, by both commands that read it; every register the BAR has is asleep.
fresh
fake_gpu 0000:00:02.0 0x7d55 0x06 16
held_awake
poke "$gpu/resource0" 0x800010 0x00805003 0
hang='0000:00:02.0: its GGTT is not read without --unsafe: *can hang this platform'
expect 'a GGTT that may hang' 6 '' "gpu-regdump: $hang
gpu-regdump: ggtt:0x10: skipped*--unsafe*" regdump ggtt:0x10
expect 'a GGTT that may hang, and is to be read' 0 'ggtt:0x10  0x0000000000805003' '' \
	in_devices sh -c 'NO_COLOR=1 "$0" --unsafe ggtt:0x10 | grep -v "^#"' "$GPU_REGDUMP"
if [ -x "${GPU_SNAP:-}" ]; then
	in_devices "$GPU_SNAP" -o "$work/without" save 2>/dev/null
	in_devices "$GPU_SNAP" --unsafe -o "$work/with" save 2>/dev/null
	same 'gpu-snap leaves such a GGTT out' 1 \
		"$("$GPU_SNAP" info "$work/without" | grep -c 'ggtt .*bytes skipped')"
	same 'gpu-snap --unsafe saves it' 1 \
		"$("$GPU_SNAP" info "$work/with" | grep -c 'ggtt .* bytes in')"
	same 'gpu-snap info ends no line in a blank' 0 \
		"$("$GPU_SNAP" info "$work/with" | grep -c ' $')"
fi
fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16

# The upper half of a register of 64 bits sleeps as its lower one does.
expect 'asleep: the halves of a register' 5 '' 'gpu-regdump: 2 of 2 *asleep*' \
	regdump --wake=none 0x2358-0x235f
expect 'asleep: the upper half of one' 5 '' 'gpu-regdump: 0x235c: asleep: *render*' \
	regdump --wake=none 0x235c

# What nobody has described sleeps as its neighbours do, whatever else is asked for.
expect 'asleep: nothing is defined there' 5 '' 'gpu-regdump: 0x20bc: asleep: *render*' \
	regdump 0x20bc
json_has 'asleep: nothing is defined there, as JSON' '"status":"asleep"' 0x20bc
expect 'asleep: a range in which nothing is defined' 5 '' 'gpu-regdump: 2 of 2 *asleep*' \
	regdump 0x3f00+8
expect 'asleep: whatever was asked for before' 6 \
	'# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06 source live
0x044408  0x00000000  DE_PIPE_IIR[0]
0x0020bc  asleep  forcewake domain render is not held' 'gpu-regdump: 0x20bc: asleep: *' \
	regdump -q 0x44408 0x20bc
expect 'asleep: by --watch' 5 '' 'gpu-regdump: 0x20bc: asleep: *' \
	regdump --watch 0.01 --count 2 0x20bc

echo suspended >"$gpu/power/runtime_status"
expect 'suspended' 5 '' 'gpu-regdump: 0000:00:02.0: suspended*' regdump 0x2358
echo active >"$gpu/power/runtime_status"

if [ "$(id -u)" = 0 ] &&
	setpriv --reuid 65534 --clear-groups test -x "$GPU_REGDUMP" 2>/dev/null; then
	expect 'not root' 4 '' 'gpu-regdump: 0000:00:02.0: permission denied: run as root' \
		in_devices setpriv --reuid 65534 --clear-groups "$GPU_REGDUMP" 0x2358
fi

rm "$gpu/resource0"
expect 'no file for the BAR' 1 '' 'gpu-regdump: 0000:00:02.0: *resource0' regdump 0x2358

fake_gpu 0000:03:00.0 0x0102 0x09 4
held_awake
expect 'two GPUs' 2 '' 'gpu-regdump: live: 2 Intel GPUs*00:02.0*03:00.0*(try --help)' \
	regdump 0x2358
finish
