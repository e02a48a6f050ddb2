#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-collect on a kernel made of files: what is stored, counted and known again, and what the other
# commands make of it.
. "$(dirname "$0")/../lib.sh"
needs gpu-collect gpu-fault gpu-report gpu-snap jq
made=$data/driver-made
cd "$work" || exit 1
sys=$work/sys
store=$work/store

# fresh: no store, no dump, an empty log
fresh() {
	rm -rf "$sys" "$store"
	mkdir -p "$sys/class/drm/card0" "$sys/class/devcoredump" "$sys/devices/0000:00:02.0"
	ln -s ../../../devices/0000:00:02.0 "$sys/class/drm/card0/device"
	echo 'No error state collected' >"$sys/class/drm/card0/error"
	: >"$work/log"
}

# core NAME FILE: a device core dump
core() {
	mkdir -p "$sys/class/devcoredump/$1"
	ln -sfn ../../../devices/0000:00:02.0 "$sys/class/devcoredump/$1/failing_device"
	zcat "$2" >"$sys/class/devcoredump/$1/data"
}

error() {
	zcat "$1" >"$sys/class/drm/card0/error"
}

# line SECONDS ECODE PROCESS: what i915 says of a hang
line() {
	printf '[%12s] i915 0000:00:02.0: [drm] GPU HANG: ecode %s, in %s\n' "$1" "$2" "$3" >>"$work/log"
}

save() {
	run gpu-collect -D "$store" --sysfs "$sys" --kernel-log "$work/log" --journal "$work/none" "$@" save
}

list() {
	run gpu-collect -D "$store" list --json
	expect_status 0
}

title 'nothing hangs'
fresh
save
expect_status 0
expect_out_empty
expect_err_empty
same 'files in the store' "$(ls -A "$store")" ''
list
expect_json '.hangs' '[]'
run gpu-collect -D "$store"
expect_status 3
expect_err_line 'gpu-collect: */store: no hang was collected*'
run gpu-collect -D "$work/nowhere" info
expect_status 3

title 'an error state of i915 and its line of the log'
error "$made/i915-6.12-skl-second.gz"
line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
save
expect_status 0
list
expect_json '[.hangs[] | [.hang, .count, .platform, .engine, .process, .signature, .capture, .redacted]]' \
	'[[1,1,"skl","rcs0","hang-i915 [142]","skl/rcs0/MI_BATCH_BUFFER_START/loop","present",true]]'
expect_json '.hangs[0] | [.device, .driver, .pci_id, .file]' '["0000:00:02.0","i915","0x1912","hang-1.tar.zst"]'
cp "$out" "$work/list.json"
run gpu-collect -D "$store" list --ndjson
cp "$out" "$work/list.ndjson"
same 'who may read it' "$(stat -c %a "$store/hang-1.tar.zst" "$store/hang-1.fields" "$store" | tr '\n' ' ')" '640 640 750 '
expect_schemas
verdict=$(gpu-fault -q "$made/i915-6.12-skl-second.gz")
same 'the verdict is that of the dump itself' "$(jq -r '.hangs[0].verdict' <"$work/list.json")" "$verdict"

title 'it is known again'
save
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,1]]'

title 'a storm is counted'
i=20
while [ $i -lt 69 ]; do
	line $i.000001 9:1:e77ffeff "hang-i915 [$i]"
	echo "[$i.000002] i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out" >>"$work/log"
	i=$((i + 1))
done
save
save
list
expect_json '[.hangs[] | [.hang, .count, .process]]' '[[1,50,"hang-i915 [142]"]]'
same 'captures' "$(ls "$store"/*.tar.zst | wc -l)" 1

title 'the same hang with another time is counted, too'
sed 's/^Time: 1795418778 s/Time: 1795418999 s/' "$sys/class/drm/card0/error" >"$work/again"
cp "$work/again" "$sys/class/drm/card0/error"
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,51]]'

title 'a hang of which the kernel kept no dump'
line 80.0 9:1:12345678 'other [9]'
save
list
expect_json '.hangs[1] | [.hang, .count, .process, .capture, .why]' \
	'[2,1,"other [9]","none","the kernel still keeps the dump of an earlier hang; Release=yes gives it up"]'
line 81.0 9:1:12345678 'other [10]'
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,51],[2,2]]'
run gpu-fault -q "hang:$store/2"
expect_out_has 'the GPU hung'

title 'a core dump of xe and its log'
core devcd7 "$made/xe-6.12-tgl-reset.gz"
echo '[   90.828062] xe 0000:00:02.0: [drm] GT0: Timedout job: seqno=4294967169, lrc_seqno=4294967169, guc_id=2, flags=0x0 in hang-xe [159]' >>"$work/log"
save
list
expect_json '.hangs[2] | [.hang, .count, .platform, .driver, .process, .capture]' \
	'[3,1,"tgl","xe","hang-xe [159]","present"]'
run gpu-collect -D "$store" info 3
expect_status 0
expect_out_has '^verdict +rcs0 hangs in a job that began'
expect_out_has '^log .*i915'
expect_out_has "^try +gpu-fault hang:$store/3\$"

title 'it goes, and nothing is collected twice'
rm -r "$sys/class/devcoredump/devcd7"
save
list
expect_json '[.hangs[] | .count]' '[51,2,1]'

title 'what matches'
for match in 3 hang:3 'tgl/*' xe hang-xe 'GPU_PCI_ID=0x9a49' '0000:00:02.0 tgl'; do
	# shellcheck disable=SC2086
	run gpu-collect -D "$store" list $match --json
	expect_json '[.hangs[].hang]' '[3]'
done
run gpu-collect -D "$store" list rcs0
expect_out_has '^   1 .*rcs0 .* 51 +present  skl/rcs0/MI_BATCH_BUFFER_START/loop$'
refused 3 'gpu-collect: */store: no such hang*' gpu-collect -D "$store" info 9

title 'hang: is a source of every command'
run gpu-fault -q "hang:$store/1"
expect_status 0
expect_out_has '^rcs0 hangs at 0x8040000014'
expect_out_lacks 'left its batch'
run gpu-snap info "hang:$store/"
expect_out_has '^platform +tgl'
run gpu-regdump -s "hang:$store/1" rcs0.RING_BUFFER_CONTROL
expect_status 0
run gpu-regdump "hang:$store/1" rcs0.RING_BUFFER_CONTROL
expect_status 0
run gpu-sh -s "hang:$store/1" -c 'rcs0.RING_BUFFER_CONTROL'
expect_status 0
refused 3 "gpu-fault: hang:$store/9: no such hang*" gpu-fault "hang:$store/9"
refused 3 "gpu-fault: $work/nowhere: no hang was collected*" gpu-fault "hang:$work/nowhere/"
refused 2 'gpu-fault: hang:x: expected hang:*' gpu-fault hang:x
if can_be_nobody; then
	chmod 700 "$store"
	as_nobody gpu-fault "hang:$store/1" >"$out" 2>"$err"
	expect_err_line "gpu-fault: *store: Permission denied: run as root, or as a member of group adm"
	as_nobody gpu-collect -D "$store" >"$out" 2>"$err"
	expect_err_line "gpu-collect: *store: Permission denied*group adm"
	chmod 750 "$store"
fi

title 'a report'
run gpu-collect -D "$store" report -o page.html 1
expect_status 0
grep -q 'rcs0' page.html || fail 'the page says nothing'

title 'an archive for a bug report'
run gpu-collect -D "$store" export -o bug.tar.zst 1
expect_status 0
expect_out_has '^left out: the name of the process$'
run gpu-snap info bug.tar.zst --json
for member in hang.txt fault.txt report.html dump/error-state; do
	expect_json "[.members[].name] | index(\"$member\") != null" true
done
expect_json '.redacted' true
zstd -dc bug.tar.zst | grep -aq 'hang-i915' && fail 'it names the process'
run gpu-fault -q bug.tar.zst
expect_status 0
run gpu-collect -D "$store" export 2
expect_status 3
expect_err_line 'gpu-collect: hang 2: has no capture to export*'

title 'clean'
run gpu-collect -D "$store" clean 2
expect_status 0
list
expect_json '[.hangs[].hang]' '[1,3]'
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,51],[3,1]]'
run gpu-collect -D "$store" clean --all
expect_status 0
save
list
expect_json '.hangs' '[]'
run gpu-collect -D "$store" clean --all 1
expect_status 2
expect_err_line 'gpu-collect: --all: *'

title 'whole captures, and the kernel is told to give up the dump'
fresh
error "$made/i915-6.12-skl-second.gz"
printf '[Collect]\nRedact=no\n' >whole.conf
save --config whole.conf
expect_status 0
same 'the error state' "$(cat "$sys/class/drm/card0/error" | head -c 1)" 1
run gpu-fault -q "hang:$store/1"
expect_out "$verdict"
run gpu-collect -D "$store" export 1
expect_status 0
expect_out_has '^gpuscope-skl-hang-1.tar.zst$'
zstd -dc gpuscope-skl-hang-1.tar.zst | grep -aq 'hang-i915' && fail 'it names the process'

title 'no dump at all'
fresh
line 8.0 9:1:12345678 'other [9]'
save
list
expect_json '.hangs[0].why' '"the kernel has kept no dump of it"'
title 'no log'
rm "$work/log"
error "$made/i915-6.12-skl-second.gz"
save
expect_status 6
expect_err_line 'gpu-collect: */log: No such file or directory'
list
expect_json '[.hangs[].capture]' '["none","present"]'

title 'limits'
fresh
error "$made/i915-6.12-skl-second.gz"
save
core devcd1 "$made/xe-6.12-tgl-reset.gz"
save
error "$made/i915-6.1-skl-missing-pde.gz"
printf 'MaxFiles=2\n' >two.conf
save --config two.conf
list
expect_json '[.hangs[].capture]' '["expired","present","present"]'
refused 3 "gpu-fault: hang:$store/1: its capture has expired*" gpu-fault "hang:$store/1"
printf '# a comment\n[Collect]\nMaxUse = 1K\nMaxAge=2 weeks\n' >small.conf
run gpu-collect -D "$store" --config small.conf clean
expect_status 0
expect_err_empty
list
expect_json '[.hangs[].capture]' '["expired","expired","present"]'
printf 'MaxAge=1s\n' >old.conf
SOURCE_DATE_EPOCH=4000000000 run gpu-collect -D "$store" --config old.conf clean
list
expect_json '[.hangs[].capture]' '["expired","expired","expired"]'
printf 'MaxUse=much\nColour=red\nRedact=perhaps\n' >bad.conf
run gpu-collect -D "$store" --config bad.conf clean
expect_status 0
same 'lines that are not understood' "$(grep -c 'not understood' "$err")" 3

title 'what it refuses'
refused 2 'gpu-collect: sav: expected list*' gpu-collect sav
refused 2 'gpu-collect: --from: *' gpu-collect -s demo:skl-hang list
refused 2 'gpu-collect: list: *--output*' gpu-collect -o x list
run gpu-collect -D "$store" clean --json
expect_status 2
finish
