#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-collect where things go wrong: a full disk, dumps that are damaged, gone or somebody else's, two at
# once, one that is killed; what the journal is told.
. "$(dirname "$0")/lib.sh"
needs gpu-collect gpu-fault jq python3

no_leftovers() {
	same 'leftovers' "$(ls -A "$store" | grep -v '^hang-[0-9]*\.\|^seen$')" ''
}

title 'a dump that is no dump'
fresh
head -c 3000 /dev/urandom >"$sys/class/drm/card0/error"
save
expect_status 0
save
list
expect_json '[.hangs[] | [.count, .signature, .capture]]' '[[1,"i915/unreadable-dump","none"]]'
expect_json '.hangs[0].verdict | startswith("The dump of the kernel cannot be read: ")' true

title 'dumps that break off anywhere'
for bytes in 1 100 2000 20000; do
	fresh
	place devcd1
	zcat "$made/xe-6.12-tgl-reset.gz" | head -c $bytes >"$sys/class/devcoredump/devcd1/data"
	zcat "$made/i915-6.12-skl-second.gz" | head -c $bytes >"$sys/class/drm/card0/error"
	save
	expect_status 0
	no_leftovers
	list
	expect_json '.hangs | length' 2
done

title 'a dump that goes while it is read'
for delay in 0 0.001 0.002 0.003 0.004 0.005; do
	fresh
	core devcd1 "$made/xe-6.12-tgl-reset.gz"
	(sleep $delay && rm -rf "$sys/class/devcoredump/devcd1") &
	save
	expect_status 0
	wait
	no_leftovers
	list
	expect_json '.hangs | length <= 1' true
done

title 'a dump of another driver'
fresh
place devcd1
mkdir -p "$sys/devices/0000:01:00.0"
ln -s ../../bus/pci/drivers/amdgpu "$sys/devices/0000:01:00.0/driver"
ln -sfn ../../../devices/0000:01:00.0 "$sys/class/devcoredump/devcd1/failing_device"
echo '**** AMDGPU Device Coredump ****' >"$sys/class/devcoredump/devcd1/data"
save
list
expect_json '.hangs' '[]'
rm "$sys/devices/0000:01:00.0/driver"
save
list
expect_json '[.hangs[].signature]' '["xe/unreadable-dump"]'

title 'a full disk'
fresh
error "$made/i915-6.12-skl-second.gz"
mkdir "$store"
# shellcheck disable=SC2086
run sh -c 'ulimit -f 2; exec "$@"' sh gpu-collect $arguments save
expect_status 0
no_leftovers
list
expect_json '[.hangs[] | [.capture, .why]]' '[["none","File too large"]]'
fresh
mkdir "$store"
if mount -t tmpfs -o size=64k none "$store" 2>/dev/null; then
	dd if=/dev/zero of="$store/full" bs=4096 2>/dev/null
	error "$made/i915-6.12-skl-second.gz"
	save
	expect_status 1
	expect_err_line 'gpu-collect: */store: No space left on device'
	same 'files but the one that fills it' "$(find "$store" -type f ! -name full | wc -l)" 0
	rm "$store/full"
	save
	list
	expect_json '[.hangs[].count]' '[1]'
	umount "$store"
fi

title 'two at once'
fresh
error "$made/i915-6.12-skl-second.gz"
core devcd1 "$made/xe-6.12-tgl-reset.gz"
for i in 1 2 3 4; do
	# shellcheck disable=SC2086
	gpu-collect $arguments save &
done
wait
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,1],[2,1]]'
no_leftovers

title 'killed at any time'
fresh
error "$made/i915-6.12-skl-second.gz"
for delay in 0 0.002 0.004 0.006 0.008 0.010 0.012 0.015 0.02 0.05 0.1 0.2; do
	rm -rf "$store"
	# shellcheck disable=SC2086
	gpu-collect $arguments save &
	sleep $delay
	kill -KILL $! 2>/dev/null
	wait $! 2>/dev/null
	[ -d "$store" ] || continue
	list
	expect_json '[.hangs[] | select(.capture == "present")] | length <= 1' true
	save
	expect_status 0
	list
	expect_json '[.hangs[] | [.hang, .count, .capture]]' '[[1,1,"present"]]'
	no_leftovers
done
save
: >"$store/hang-77.tar.zst"
: >"$store/.capture"
run gpu-collect -D "$store" clean
no_leftovers
same 'a capture without a record' "$(ls "$store" | grep 77)" ''

title 'a record that somebody damaged'
printf 'GPU_HANG=3\n\377\n===\nGPU_SIGNATURE\nGPU_ENGINE=\033[31mred\nGPU_CAPTURE=../../etc/passwd\n' >"$store/hang-5.fields"
head -c 100000 /dev/zero >"$store/hang-6.fields"
list
expect_json '[.hangs[] | [.hang, .capture]]' '[[1,"present"],[5,"expired"],[6,"none"]]'
run gpu-collect -D "$store" info 5
expect_status 0
expect_out_has '^engine +\?\[31mred'

chmod 000 "$store/hang-6.fields"
line 90.0 9:1:12345678 'other [9]'
save
list
expect_json '[.hangs[].hang] | last' 7

title 'what the journal is told'
fresh
error "$made/i915-6.12-skl-second.gz"
python3 - "$work/journal" "$work/entry" <<'END' &
import socket
import sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
s.settimeout(20)
open(sys.argv[2], 'wb').write(s.recv(65536))
END
i=0
until [ -S "$work/journal" ] || [ $i -gt 100 ]; do
	sleep 0.1
	i=$((i + 1))
done
save
wait
for entry in MESSAGE_ID=dfc558b086d7494288b7579f8335c62f PRIORITY=3 \
	'MESSAGE=rcs0 hangs in a loop of the batch at ppgtt:0x8040000000*' \
	GPU_SIGNATURE=skl/rcs0/MI_BATCH_BUFFER_START/loop GPU_ENGINE=rcs0 'GPU_PROCESS=hang-i915 \[142\]' \
	"GPU_CAPTURE=$store/hang-1.tar.zst" GPU_COUNT=1; do
	grep -q "^$entry" "$work/entry" || fail "the entry has no $entry"
done
finish
