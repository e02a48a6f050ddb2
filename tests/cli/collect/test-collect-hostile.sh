#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-collect runs as root, and trusts nobody: not its own child, nor a process's name in the log, nor a
# store, nor who may read it; and not itself to live to the end. HOSTILE is the built hostile.c.
. "$(dirname "$0")/lib.sh"
needs gpu-collect gpu-fault jq
HOSTILE=${HOSTILE:-$work/hostile.so}
if [ ! -e "$HOSTILE" ]; then
	"${CC:-cc}" -shared -fPIC -D_GNU_SOURCE -o "$HOSTILE" "$tests/cli/collect/hostile.c" -ldl || exit 1
fi
boot=$(cat /proc/sys/kernel/random/boot_id)
# What is loaded first comes before the sanitizer's own.
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}verify_asan_link_order=0:detect_leaks=0"

# hostile VARIABLE VALUE: save, with that in its way
hostile() {
	command_line="gpu-collect save with $1=$2"
	# shellcheck disable=SC2086
	{ env "$1=$2" LD_PRELOAD="$HOSTILE" gpu-collect $arguments save >"$out" 2>"$err"; } 2>/dev/null
	status=$?
}

# long CHARACTER COUNT
long() {
	head -c "$2" /dev/zero | tr '\0' "$1"
}

title 'a child that was taken over'
for byte in 0 1 10 27 65 255; do
	fresh
	error "$made/i915-6.12-skl-second.gz"
	line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
	mkdir "$store"
	hostile HOSTILE_CHILD "fill $byte"
	expect_status 0
	list
	expect_json '[.hangs[] | [.hang, .count, .signature, .capture]]' '[[1,1,"i915/unreadable-dump","none"]]'
	same 'bytes that steer a terminal' "$(cat "$store"/* | tr -d '\n\t' | tr -cd '\001-\037\177' | wc -c)" 0
	same 'lines of the record that are no fields' "$(grep -vc '^GPU_[A-Z_]*=' "$store/hang-1.fields")" 0
	same 'what is remembered' "$(cut -d ' ' -f 1 "$store/seen" | tr '\n' ' ')" "$boot card0 "
	# The next hang is collected as if nothing had been.
	zcat "$made/i915-6.12-hsw-loop.gz" >"$sys/class/drm/card0/error"
	save
	expect_status 0
	list
	expect_json '.hangs[1] | [.count, .platform, .capture]' '[1,"hsw","present"]'
done

title 'the memory of the services'
for unit in gpuscope-collect gpuscope-collect@; do
	same "bounds of $unit" "$(grep -c '^MemoryMax=1G$\|^OOMPolicy=continue$' \
		"${BUILD_TOOLS%/*}/data/collect/$unit.service")" 2
done

title 'a child that does not end'
fresh
error "$made/i915-6.12-skl-second.gz"
hostile HOSTILE_CHILD wait
expect_err_line 'gpu-collect: */error: decoding it takes too long'
list
expect_json '[.hangs[] | [.hang, .count, .capture]]' '[[1,1,"none"]]'

# ---- a store -------------------------------------------------------------------------------------

title 'a store with texts and numbers of any length'
fresh
mkdir "$store"
{
	echo "$boot 1$(long 0 308).5 $(long 9 400) 1.5"
	for i in 11 12 13 14 15 16 17 18; do
		printf 'card0 %s\n' "$(long x 400)$i"
		printf '%s\n' "$i$(long y 157)"
	done
} >"$store/seen"
for i in 1 2 3 4; do
	for field in TIME LAST COUNT DUE UPTIME; do
		echo "GPU_$field=$(long 9 $((i * 200)))"
	done >"$store/hang-$i.fields"
	printf 'GPU_BOOT_ID=%s\nGPU_DRIVER=i915\nGPU_DUMP=%s\nGPU_UPTIME=nan\n' "$boot" "$(long z 990)$i" \
		>>"$store/hang-$i.fields"
done
run gpu-collect -D "$store" clean
expect_status 0
same 'lines of what is remembered' "$(wc -l <"$store/seen")" 17
line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
save
expect_status 0
list
expect_json '[.hangs[] | select(.signature | contains("hang")) | .process]' '["hang-i915 [142]"]'

title 'times of a store that cannot be'
for uptime in 99999999.9 1e308 nan -5.0 "$(long 9 300).9"; do
	fresh
	mkdir "$store"
	echo "$boot $uptime" >"$store/seen"
	line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
	save
	save
	list
	expect_json '[.hangs[].count]' '[1]'
done

title 'files that are none'
fresh
error "$made/i915-6.12-skl-second.gz"
save
cp "$store/hang-1.tar.zst" "$work/secret.tar.zst"
for name in hang-1.log hang-2.fields hang-3.fields hang-3.log .commit; do
	rm -f "$store/$name"
	mkfifo "$store/$name"
done
printf 'GPU_CAPTURE=hang-4.tar.zst\n' >"$store/hang-4.fields"
ln -s "$work/secret.tar.zst" "$store/hang-4.tar.zst"
printf 'GPU_CAPTURE=..\n' >"$store/hang-5.fields"
printf 'GPU_CAPTURE=hang-1.tar.zst\n' >"$store/hang-6.fields"
for command in info 'info 1' 'info 4 --json' 'export 4' 'export 5' 'export 6'; do
	# shellcheck disable=SC2086
	run timeout 20 gpu-collect -D "$store" $command
	expect_status 0 3
done
list
expect_json '[.hangs[] | [.hang, .capture, .file]]' '[[1,"present","hang-1.tar.zst"],[4,"expired","hang-4.tar.zst"],[5,"expired",null],[6,"expired",null]]'
for number in 3 4; do
	run timeout 20 gpu-fault -q "hang:$store/$number"
	expect_status 3
done
rm "$store/hang-2.fields" "$store/hang-3.fields" "$store/.commit"
save
expect_status 0

title 'an archive is redacted, whatever the record says'
fresh
error "$made/i915-6.12-skl-second.gz"
printf 'Redact=no\n' >whole.conf
save --config whole.conf
printf 'GPU_REDACTED=yes\nGPU_PLATFORM=skl/../x\n' >>"$store/hang-1.fields"
run gpu-collect -D "$store" export -o bug.tar.zst 1
expect_status 0
zstd -dc bug.tar.zst | grep -aq 'hang-i915' && fail 'it names the process'
run gpu-snap info bug.tar.zst --json
expect_json '.redacted' true
run gpu-collect -D "$store" export 1
expect_out 'gpuscope--hang-1.tar.zst'

title 'who may read the store cannot keep others from it'
if can_be_nobody; then
	fresh
	mkdir -m 750 "$store"
	chgrp 65534 "$store"
	line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
	save
	lockers=
	for name in "$store" "$store"/hang-1.fields "$store"/seen; do
		as_nobody flock "$name" sleep 30 >/dev/null 2>&1 &
		lockers="$lockers $!"
	done
	sleep 0.3
	line 18.958200 9:1:e77ffeff 'hang-i915 [143]'
	# shellcheck disable=SC2086
	run timeout 10 gpu-collect $arguments save
	expect_status 0
	# shellcheck disable=SC2086
	kill $lockers
	list
	expect_json '[.hangs[].count]' '[2]'
	same 'the lock is gone' "$(ls -A "$store" | grep lock)" ''
fi

# ---- the log -------------------------------------------------------------------------------------

title 'a process chooses its name'
fresh
echo '[   10.000000] x' >>"$work/log"
printf '[   10.000000] \n[99999999.9]aa[77]: segfault at 0 ip 0000000000000000 sp 0000000000000000 error 4\n' >>"$work/log"
line 9.5 9:1:12345678 'first [1]'
save
expect_status 0
line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
save
save
list
expect_json '[.hangs[] | [.hang, .count, .process]]' '[[1,1,"first [1]"],[2,1,"hang-i915 [142]"]]'
line 18.0 9:1:e77ffeff 'hang-i915 [142]'
printf '%s\n' 'kern  :info  : [   18.100000] x [99999999.9] y' 'x[99999999.9] y' '[1e9] y' '[0x1.8p20] y' \
	'[nan.0] y' '[ 99999999.9] y' >>"$work/log"
save
line 19.0 9:1:e77ffeff 'hang-i915 [142]'
save
list
expect_json '[.hangs[].count]' '[1,3]'

title "the kernel's own log"
fresh
rm "$work/log"
arguments="-D $store --sysfs $sys --journal $work/journal"
printf '%s\n' '6,1,10000000,-;x' \
	'4,2,11000000,-;\x0a[99999999.9]\x1b[31maa[77]: segfault at 0 ip 0000000000000000 in i915_x[0+1]' \
	'3,3,17958200,-;i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:e77ffeff, in hang-\x1bi915 [142]' >kmsg
hostile HOSTILE_KMSG "$PWD/kmsg"
expect_status 0
echo '3,4,18958200,-;i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:e77ffeff, in hang-i915 [143]' >>kmsg
hostile HOSTILE_KMSG "$PWD/kmsg"
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,2]]'
same 'bytes that steer a terminal' "$(tr -d '\n\t' <"$store/hang-1.log" | tr -cd '\001-\037\177' | wc -c)" 0
arguments="-D $store --sysfs $sys --kernel-log $work/log --journal $work/journal"

title 'control characters in a log'
fresh
printf '[   17.000000] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:e77ffeff, in \033]0;x\007[31m\302\233 [142]\n' >"$work/log"
save
same 'bytes that steer a terminal' "$(tr -d '\n\t' <"$store/hang-1.log" | tr -cd '\001-\037\177\233' | wc -c)" 0

# ---- its end -------------------------------------------------------------------------------------

# killed NAME WANTED: at any of its steps, after what `before` has left; what there is after the next one
killed() {
	rm -f "$work/done"
	n=1
	while [ ! -e "$work/done" ] && [ $n -lt 400 ]; do
		fresh
		before
		export HOSTILE_DONE="$work/done"
		hostile HOSTILE_DIES $n
		[ -e "$work/done" ] || [ $status = 137 ] || fail "status $status"
		again
		save
		expect_status 0
		command_line="killed before step $n"
		list
		expect_json '[.hangs[] | [.hang, .count, .process, .capture]]' "$1"
		same 'leftovers' "$(ls -A "$store" | grep -v '^hang-[0-9]*\.\|^seen$')" ''
		n=$((n + ${STEP:-1}))
	done
	same 'whether there were many steps' "$((n > 25))" 1
}

title 'killed at any time: hangs of which there is only the log, and two dumps'
before() {
	line 10.0 9:1:00000001 'one [1]'
	line 11.0 9:1:00000002 'two [2]'
	line 12.0 9:1:00000001 'one [1]'
	error "$made/i915-6.12-skl-second.gz"
	core devcd1 "$made/xe-6.12-tgl-reset.gz"
	line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
	job 36.8 'hang-xe [159]'
	line 40.0 9:1:00000003 'three [3]'
}
again() {
	:
}
killed '[[1,1,"hang-i915 [142]","present"],[2,1,"hang-xe [159]","present"],[3,2,"one [1]","none"],[4,1,"two [2]","none"],[5,1,"three [3]","none"]]'

title 'killed at any time: the dump shows that a hang is of a known kind'
before() {
	error "$made/i915-6.12-skl-second.gz"
	save --config whole.conf
	echo 'No error state collected' >"$sys/class/drm/card0/error"
	line 30.0 9:1:12345678 'hang-i915 [142]'
	save --config whole.conf
	zcat "$made/i915-6.12-skl-second.gz" |
		sed 's/^Time: 1795418778 s/Time: 1795418999 s/; s/9:1:e77ffeff/9:1:12345678/' \
			>"$sys/class/drm/card0/error"
	line 31.0 9:1:00000001 'one [1]'
}
again() {
	line 50.0 9:1:00000002 'two [2]'
}
killed '[[1,2,"hang-i915 [142]","present"],[3,1,"one [1]","none"],[4,1,"two [2]","none"]]'

# ---- the clock and the disk ----------------------------------------------------------------------

title 'the clock jumps'
fresh
error "$made/i915-6.12-skl-second.gz"
save
core devcd1 "$made/xe-6.12-tgl-reset.gz"
save
for now in 4000000000 4000000001 5 9999999999 $(($(date +%s) + 86400 * 400)); do
	export SOURCE_DATE_EPOCH="$now"
	save
	line 30.$now 9:1:12345678 "at $now [1]"
	save
done
export SOURCE_DATE_EPOCH=4000000000
run gpu-collect -D "$store" clean
expect_status 0
expect_err_line 'gpu-collect: clock: it has jumped, *'
unset SOURCE_DATE_EPOCH
list
expect_json '[.hangs[:2][].capture]' '["present","present"]'
title 'but time passes'
sed -i "1s/.*/another-boot 5.0 $(($(date +%s) + 200 * 86400)) 5.0/" "$store/seen"
save
list
expect_json '[.hangs[:2][].capture]' '["expired","expired"]'

title 'a disk that becomes full'
mkdir -p "$work/small"
if mount -t tmpfs -o size=1m none "$work/small" 2>/dev/null; then
	for pages in 0 1 2 3 4 5 6 7 8; do
		fresh
		rm -rf "$work/small"/*
		mkdir "$work/small/store"
		error "$made/i915-6.12-skl-second.gz"
		line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
		line 18.0 9:1:00000001 'one [1]'
		dd if=/dev/zero of="$work/small/full" bs=4096 2>/dev/null
		truncate -s -$((pages * 4096)) "$work/small/full"
		run gpu-collect -D "$work/small/store" --sysfs "$sys" --kernel-log "$work/log" --journal none save
		expect_status 0 1
		if [ $status = 1 ]; then
			expect_err_line 'gpu-collect: */store: No space left on device'
		else
			same 'hangs for which there was room' "$(ls "$work/small/store"/hang-[12].fields | wc -l)" 2
		fi
		for capture in "$work/small/store"/hang-*.tar.zst; do
			[ ! -e "$capture" ] || zstd -tq "$capture" || fail 'half a capture'
		done
		rm "$work/small/full"
		run gpu-collect -D "$work/small/store" --sysfs "$sys" --kernel-log "$work/log" --journal none save
		expect_status 0
		run gpu-collect -D "$work/small/store" list --json
		command_line="$pages pages"
		expect_json '[.hangs[] | [.count, .process, .capture]]' \
			'[[1,"hang-i915 [142]","present"],[1,"one [1]","none"]]'
		run gpu-fault -q "hang:$work/small/store/2"
		expect_status 0
	done
	umount "$work/small"
fi
finish
