#!/bin/sh
# SPDX-License-Identifier: MIT
# Reads of what sleeps: asleep is told from zero, and the ways to wake it.
. "$(dirname "$0")/lib.sh"

skl() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
}

# in the place of i915's or xe's: forcewake_file DIRECTORY NAME
forcewake_file() {
	mkdir -p "$sys/kernel/debug/dri/$1"
	: >"$sys/kernel/debug/dri/$1/$2"
}

skl
poke "$gpu/resource0" 0x235c 0xffffffff 0x00000005
expect 'asleep: nothing there is a value' 0 'asleep
asleep
asleep' '' in_devices "$PROBE" -w none mmio:0x2358:4 mmio:0x235c:4 mmio:0x2360:4
expect 'asleep: nor is half of a counter' 0 'asleep
asleep' '' in_devices "$PROBE" -w none mmio:0x2358:8 mmio:0x2358:1
expect 'asleep: where nothing is defined, too' 0 'asleep
asleep
0x0' '' in_devices "$PROBE" -w none mmio:0x2000:4 mmio:0x3ff00:4 mmio:0x40000:4
poke "$gpu/resource0" 0xd84 1
expect 'kept awake by somebody, one domain of three' 0 '0x0
0xffffffff
asleep' '' in_devices "$PROBE" -w none mmio:0x2358:4 mmio:0x235c:4 mmio:0x12358:4
expect 'a place that needs two domains' 0 'asleep' '' \
	in_devices "$PROBE" -w none mmio:0x9428:4
poke "$gpu/resource0" 0xd88 1
expect 'a place that needs two domains, and has them' 0 '0x0' '' \
	in_devices "$PROBE" -w none mmio:0x9428:4

skl
expect 'auto: no driver, no debugfs' 0 asleep '' in_sys "$PROBE" mmio:0x2358:4
expect 'driver: no driver' 1 '' \
	'probe: --wake=driver: no driver is bound to 0000:00:02.0: load i915 *' \
	in_sys "$PROBE" -w driver mmio:0x2358:4
ln -s ../../drivers/i915 "$gpu/driver"
expect 'driver: no debugfs' 1 '' \
	'probe: --wake=driver: there is no /sys/kernel/debug/dri: mount -t debugfs *' \
	in_sys "$PROBE" -w driver mmio:0x2358:4
mkdir -p "$sys/kernel/debug/dri/0000:00:02.0"
expect 'driver: a driver without such a file' 1 '' \
	'probe: --wake=driver: the driver i915 has no forcewake file *: try --wake=registers' \
	in_sys "$PROBE" -w driver mmio:0x2358:4

forcewake_file 0000:00:02.0 i915_forcewake_user
expect 'driver: it says yes, and the hardware does not' 0 asleep '' \
	in_sys "$PROBE" -w driver mmio:0x2358:4
poke "$gpu/resource0" 0xd84 1
expect 'auto: by i915' 0 0x0 '' in_sys "$PROBE" mmio:0x2358:4
expect 'driver: by i915' 0 0x0 '' in_sys "$PROBE" -w driver mmio:0x2358:4
poke "$gpu/resource0" 0xd84 0
expect 'none: not even then' 0 asleep '' in_sys "$PROBE" -w none mmio:0x2358:4

skl
forcewake_file 3 forcewake_all
mkdir -p "$gpu/drm/card3" "$gpu/drm/renderD131"
poke "$gpu/resource0" 0xd84 4
expect 'auto: by xe, a directory named after the minor' 0 0x0 '' \
	in_sys "$PROBE" mmio:0x2358:4
if command -v strace >/dev/null; then
	in_sys env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" \
		-e trace=openat "$PROBE" mmio:0x1000:4 >/dev/null
	same 'auto: opened only for a register that sleeps' '1 0' \
		"$(grep -c /resource0 "$work/trace") $(grep -c forcewake "$work/trace")"
fi

skl
poke "$gpu/resource0" 0xd84 1
expect 'registers: written, mapped, acknowledged' 0 '0x0
0x10001
asleep
0x10000
r--s 0x0 0x200000
rw-s 0xa000 0x1000' '' in_devices "$PROBE" -w registers mmio:0x2358:4 mmio:0xa278:4 \
	mmio:0x12358:4 mmio:0xa270:4 maps
same 'registers: released at the end' 00010000 "$(peek "$gpu/resource0" 0xa278)"
same 'registers: released when not acknowledged' 00010000 "$(peek "$gpu/resource0" 0xa270)"
same 'registers: other domains are left alone' 00000000 "$(peek "$gpu/resource0" 0xa188)"
poke "$gpu/resource0" 0xa270 0 0 0
poke "$gpu/resource0" 0xd84 0
expect 'registers: not written for registers that never sleep' 0 0x0 '' \
	in_devices "$PROBE" -w registers mmio:0x1000:4
same 'registers: nothing was written' 00000000 "$(peek "$gpu/resource0" 0xa278)"

poke "$gpu/resource0" 0xd84 2
ln -s ../../drivers/i915 "$gpu/driver"
expect 'registers: beside a driver' 0 0x0 '' \
	in_devices "$PROBE" -w registers mmio:0x2358:4
same 'registers: beside a driver another bit is taken' 00020000 "$(peek "$gpu/resource0" 0xa278)"

fresh
fake_gpu 0000:00:02.0 0x0102 0x09 4
poke "$gpu/resource0" 0x130090 1
poke "$gpu/resource0" 0xa18c 0xffff0001
expect 'registers: snb' 0 0x0 '' in_devices "$PROBE" -w registers mmio:0x2030:4
same 'registers: snb has a plain register' 00000000 "$(peek "$gpu/resource0" 0xa18c)"
ln -s ../../drivers/i915 "$gpu/driver"
expect 'registers: snb, whose driver needs the one bit' 1 '' \
	'probe: --wake=registers: *belongs to the driver*--wake=driver' \
	in_devices "$PROBE" -w registers mmio:0x2030:4

# Of gen6 to gen8 an acknowledgement is not all: bits 2:0 of 0x13805c say when the GT really runs.
# thread_status PLATFORM DEVICE BAR_MIB REQUEST ACK BITS VALUE
thread_status() {
	fresh
	fake_gpu 0000:00:02.0 "$2" 0x09 "$3"
	poke "$gpu/resource0" "$5" 1
	poke "$gpu/resource0" 0x13805c "$6"
	expect "$1: thread status $6" 0 "$7" '' \
		in_devices "$PROBE" -w registers mmio:0x2030:4
	expect "$1: thread status $6, kept awake by somebody" 0 "$7" '' \
		in_devices "$PROBE" -w none mmio:0x2030:4
	same "$1: thread status $6: let go" 0 \
		$((0x$(peek "$gpu/resource0" "$4") & 0xffff))
}
for platform in 'snb 0x0102 4 0xa18c 0x130090' 'ivb 0x0152 4 0xa188 0x130040' \
	'hsw 0x0412 4 0xa188 0x130044' 'bdw 0x1616 16 0xa188 0x130044'; do
	# shellcheck disable=SC2086
	thread_status $platform 1 asleep
	# shellcheck disable=SC2086
	thread_status $platform 0xf8 0x0
done
# Nobody looks there on others.
thread_status vlv 0x0f30 4 0x1300b0 0x1300b4 1 0x0
thread_status skl 0x1912 16 0xa278 0xd84 1 0x0

# A request bit that only commands like this one set, and none of them runs.
left='0000:00:02.0: a killed command or another program left the forcewake of render,media on'
skl
poke "$gpu/resource0" 0xd84 1 2
expect 'left on' 0 "$left, and the GPU stays awake: --wake=registers releases it" '' \
	in_devices "$PROBE" -w none left
same 'left on: nothing is written' '00000000 00000000' \
	"$(peek "$gpu/resource0" 0xa278) $(peek "$gpu/resource0" 0xa270)"
expect 'on, as somebody runs who asked for it' 0 '' '' \
	in_devices flock -s /sys/bus/pci/devices/0000:00:02.0/resource0 "$PROBE" left
expect 'left on, and given back' 0 "$left; it is released now" '' \
	in_devices "$PROBE" -w registers left
same 'left on, and given back: each bit' '00010000 00020000' \
	"$(peek "$gpu/resource0" 0xa278) $(peek "$gpu/resource0" 0xa270)"
poke "$gpu/resource0" 0xd84 4 0x8000
expect 'on by a bit of others' 0 '' '' in_devices "$PROBE" left
poke "$gpu/resource0" 0xd84 0xffffffff 0
expect 'all ones are no bit that is set' 0 '' '' in_devices "$PROBE" left
ln -s ../../drivers/i915 "$gpu/driver"
poke "$gpu/resource0" 0xd84 1 1
expect 'on by the driver' 0 '' '' in_devices "$PROBE" left
poke "$gpu/resource0" 0xd84 3 3
expect 'left on beside the driver' 0 "$left; it is released now" '' \
	in_devices "$PROBE" -w registers left
same 'left on beside the driver: its own bit stays' '00020000 00020000' \
	"$(peek "$gpu/resource0" 0xa278) $(peek "$gpu/resource0" 0xa270)"
if command -v strace >/dev/null; then
	poke "$gpu/resource0" 0xd84 1 1
	in_devices env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" \
		-e trace=flock "$PROBE" mmio:0x2358:4 >/dev/null
	same 'nobody is asked for the lock without need' 0 "$(grep -c flock "$work/trace")"
fi

fresh
fake_gpu 0000:00:02.0 0x0102 0x09 4
poke "$gpu/resource0" 0x130090 1
poke "$gpu/resource0" 0xa18c 0xffff0001
expect 'left on: snb' 0 "$(echo "$left; it is released now" | sed s/render,media/gt/)" '' \
	in_devices "$PROBE" -w registers left
same 'left on: snb has a plain register' 00000000 "$(peek "$gpu/resource0" 0xa18c)"
poke "$gpu/resource0" 0x130090 1
ln -s ../../drivers/i915 "$gpu/driver"
expect 'on by the driver: snb' 0 '' '' in_devices "$PROBE" left
finish
