#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-collect on a kernel made of files: what is stored, counted and known again, and what the other
# commands make of it.
. "$(dirname "$0")/lib.sh"
needs gpu-collect gpu-fault gpu-report gpu-snap jq

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
	'[2,1,"other [9]","none","the kernel still keeps the dump of an earlier hang; Release=yes releases it"]'
line 81.0 9:1:12345678 'other [10]'
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,51],[2,2]]'
run gpu-fault -q "hang:$store/2"
expect_out_has 'the GPU hung'

title 'a core dump of xe and its log'
core devcd7 "$made/xe-6.12-tgl-reset.gz"
# The log names the class of the engine, the dump the engine.
printf '[   90.827011] xe 0000:00:02.0: [drm] GT0: Engine reset: engine_class=rcs, logical_mask: 0x1, guc_id=2\n' >>"$work/log"
job 90.828062 'hang-xe [159]'
save
list
expect_json '.hangs[2] | [.hang, .count, .platform, .driver, .process, .capture]' \
	'[3,1,"tgl","xe","hang-xe [159]","present"]'
run gpu-collect -vv -D "$store" list
expect_status 0
expect_err_line 'gpu-collect: not confined: its children, which read sources, are'
run gpu-collect -D "$store" info 3
expect_status 0
expect_out_has '^verdict +rcs0 hangs in a loop of the batch at ppgtt:0x10000000'
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
run gpu-fault "hang:$store/1"
expect_out_has '^verdict +of the whole dump, before it was redacted: rcs0 hangs in'
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
run gpu-collect -D "$store" export -o - 1
cp "$out" piped.tar.zst
run gpu-fault -q piped.tar.zst
expect_status 0
expect_err_empty
run gpu-collect -D "$store" export -o bug.tar.zst 1
expect_status 0
grep -q '^gpu-collect: left out: the name of the process$' "$err" || fail 'it does not say what was left out'
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

zstd -dc bug.tar.zst | grep -aq 'a loop of the batch' && fail 'it has the verdict of the whole dump'

title 'clean'
run gpu-collect -D "$store" clean 'bdw/*'
expect_status 3
expect_err_line 'gpu-collect: */store: no such hang*'
list
expect_json '[.hangs[].hang]' '[1,2,3]'
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
run gpu-fault "hang:$store/1"
expect_out_lacks 'before it was redacted'
run gpu-collect -D "$store" export 1
expect_status 0
expect_out_has '^gpuscope-skl-hang-1.tar.zst$'
zstd -dc gpuscope-skl-hang-1.tar.zst | grep -aq 'hang-i915' && fail 'it names the process'

title 'the log tells of a hang before its dump is there'
for readable in yes no; do
	fresh
	line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
	job 36.8 'hang-xe [159]'
	save
	list
	expect_json '[.hangs[] | [.hang, .count, .capture]]' '[[1,1,"none"],[2,1,"none"]]'
	error "$made/i915-6.12-skl-second.gz"
	core devcd1 "$made/xe-6.12-tgl-reset.gz"
	[ $readable = yes ] || rm "$work/log"
	save
	list
	expect_json '[.hangs[] | [.hang, .count, .capture, .engine, .platform]]' \
		'[[1,1,"present","rcs0","skl"],[2,1,"present","rcs0","tgl"]]'
	expect_json '[.hangs[].signature]' '["skl/rcs0/MI_BATCH_BUFFER_START/loop","tgl/rcs0/MI_BATCH_BUFFER_START/loop"]'
	expect_json '[.hangs[].why]' '[null,null]'
done

# later DEVCD DUMP SECONDS: the same dump of another time
later() {
	core "$1" "$2"
	sed -i "s/^Snapshot time: .*/Snapshot time: $3/" "$sys/class/devcoredump/$1/data"
}

title 'and so it does of one of a known kind'
fresh
core devcd1 "$made/xe-6.12-tgl-reset.gz"
job 10.0 'hang-xe [159]'
save
rm -r "$sys/class/devcoredump/devcd1"
job 20.0 'hang-xe [160]'
job 20.5 'hang-xe [161]'
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,3]]'
for second in 20 21; do
	later devcd2 "$made/xe-6.12-tgl-reset.gz" $second
	save
	list
	expect_json '[.hangs[] | [.hang, .count]]' '[[1,3]]'
done
later devcd2 "$made/xe-6.12-tgl-reset.gz" 22
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,4]]'

title 'the dump shows that it is of another kind'
rm -r "$sys/class/devcoredump/devcd2"
job 40.0 'hang-xe [163]'
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,5]]'
core devcd3 "$made/xe-6.12-tgl-preempted.gz"
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,4],[2,1]]'
expect_json '[.hangs[].signature] | unique | length' 2

title 'the dump shows that it is of a known kind after all'
fresh
error "$made/i915-6.12-skl-second.gz"
save --config whole.conf
echo 'No error state collected' >"$sys/class/drm/card0/error"
line 30.0 9:1:12345678 'hang-i915 [142]'
save --config whole.conf
list
expect_json '[.hangs[] | [.hang, .count, .capture]]' '[[1,1,"present"],[2,1,"none"]]'
zcat "$made/i915-6.12-skl-second.gz" |
	sed 's/^Time: 1795418778 s/Time: 1795418999 s/; s/9:1:e77ffeff/9:1:12345678/' >"$sys/class/drm/card0/error"
save
list
expect_json '[.hangs[] | [.hang, .count, .capture]]' '[[1,2,"present"]]'

title 'a hang while another is collected'
fresh
rm "$work/log"
mkfifo "$work/log"
(
	exec 3>"$work/log"
	error "$made/i915-6.12-skl-second.gz"
	echo '[   10.000000] i915 0000:00:02.0: [drm] a line' >&3
) &
save
wait
rm "$work/log"
line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
save
list
expect_json '[.hangs[] | [.hang, .count, .capture]]' '[[1,1,"present"]]'

title 'a hang whose dump comes after that of the one before'
fresh
core devcd1 "$made/xe-6.12-tgl-reset.gz"
job 10.0 'hang-xe [159]'
job 11.0 'hang-xe [160]'
save
rm -r "$sys/class/devcoredump/devcd1"
later devcd2 "$made/xe-6.12-tgl-reset.gz" 11
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,2]]'

title 'a line without a dump is of the last hang that it fits'
core devcd3 "$made/xe-6.12-tgl-preempted.gz"
job 30.0 'hang-xe [163]'
save
later devcd2 "$made/xe-6.12-tgl-reset.gz" 40
job 40.0 'hang-xe [164]'
save
job 50.0 'hang-xe [165]'
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,4],[2,1]]'

title 'logs of other forms'
fresh
line 17.958200 9:1:e77ffeff 'hang-i915 [142]'
sed -i 's/^/kern  :err   : /' "$work/log"
save
expect_status 0
printf '%s\n' '[   19.000001] host kernel: i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:e77ffeff, in hang-i915 [143]' >>"$work/log"
save
list
expect_json '[.hangs[] | [.hang, .count]]' '[[1,2]]'
sed -i 's/.*i915 0000/Nov 23 12:00:00 host kernel: i915 0000/' "$work/log"
save
expect_status 6
expect_err_line 'gpu-collect: */log: no line has seconds since the boot, as in *'

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
