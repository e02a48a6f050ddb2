#!/bin/sh
# SPDX-License-Identifier: MIT
# What belongs together: dumps of different hangs and machines are never read as one.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-regdump gpu-batch gpu-report gpu-snap jq

cat >"$work/state" <<'STATE'
GPU HANG: ecode 9:1:85dffffb, in game [77]
Kernel: 5.15.0 x86_64
PCI ID: 0x1912
EIR: 0x00000000
rcs0 command stream:
  START: 0x00010000
  HEAD:  0x00000040 [0x00000000]
  TAIL:  0x00000080 [0x00000000, 0x00000000]
  ACTHD: 0x00000000 00010040
  IPEHR: 0x7a000004
STATE
sed 's/85dffffb, in game/85dffffc, in other/' "$work/state" >"$work/second"
sed 's/ecode 9/ecode 8/; s/^PCI ID.*/Time: 17 s 2 us/' "$work/state" >"$work/bdw"
cat >"$work/engines" <<'ENGINES'
**** HW Engines ****
rcs0 (physical), logical instance=0
	Name: rcs0
	HWSP: 0x0000fffe
	RING_START: 0x00fd7000
	RING_HEAD:  0x00000090
	RING_TAIL:  0x00000090
	RING_CTL: 0x00003001
ENGINES
cat >"$work/rows" <<'ROWS'
00:02.0 VGA compatible controller: a GPU
00: 86 80 16 04 07 04 10 00 06 00 00 03 00 00 00 00
10: 04 00 00 f7 00 00 00 00 0c 00 00 e0 00 00 00 00
ROWS
echo '[   12.000001] i915 0000:00:02.0: [drm] GPU HANG: ecode 7:1:85dffffb, in game [77]' >"$work/log"
cd "$work" || exit 1

title 'two dumps of different hangs are not combined'
refused 2 'gpu-fault: second: a different hang from state (GPU HANG*): read each one alone: gpu-fault state second (try --help)' \
	gpu-fault -s state -s second
refused 2 'gpu-fault: second: a different hang *: gpu-fault state second (try --help)' gpu-fault state -s second
refused 2 'gpu-fault: bdw: a different hang from state (generation 8, not 9): *' gpu-fault state -s bdw
refused 2 'gpu-regdump: state: a different hang from bdw (generation 9, not 8): *' \
	gpu-regdump -s bdw -s state
title 'what adds to a dump is'
printf '# gpu-regdump 1.0 platform skl\n0x002030  0x00000008\n' >adds
run gpu-fault -q state -s adds
expect_status 0
run gpu-fault -q -s state -s state
expect_status 0
run gpu-fault --json state second
expect_status 0
same 'each alone' "$(jq -r .platform "$out" | tr '\n' ' ')" 'skl skl '

title 'a thread with the dumps of several machines'
{
	echo 'Mine:'
	cat engines
	printf '\nAnother one:\n\n'
	cat bdw
	printf '\n\n'
	cat rows
} >thread
run gpu-fault -q thread
expect_status 6
expect_out_has "^rcs0 hangs at 0x10040"
grep -F "sed -n '2,11p' thread | gpu-fault -" "$err" >/dev/null || fail 'the engines of the first are not named'
grep -F "sed -n '25,27p' thread | gpu-fault -" "$err" >/dev/null || fail 'the rows of the third are not named'
expect_err_line '*(generation 7, not 8), left out; *'
{
	cat state
	echo
	cat second
} >two
run gpu-fault two
expect_status 6
expect_out_has '^process  game '
expect_err_line "gpu-fault: two: line 12: another dump begins here and is not read; to read it: sed -n '12,\$p' two | gpu-fault -"
sh -c "$(sed 's/.*to read it: //' "$err")" >"$work/pasted"
grep -q '^process  other ' pasted || fail 'what is to be pasted does not show the second hang'

title 'lines about hangs beside a dump, without times'
{
	cat state
	printf '\nand today:\n\n'
	echo 'GPU HANG: ecode 9:2:85dfabcd, in mpv [123]'
	echo 'GPU HANG: ecode 9:1:85dffffb, in other [9], hang on rcs0'
} >bare
run gpu-fault bare
expect_status 0
expect_out_has '^process  game '
expect_out_has '^hang       bcs  .*line 14$'
expect_out_has '^this dump: none of the hangs in the log$'
echo 'GPU HANG: ecode 9:1:85dffffb, in game [77]' >>bare
run gpu-fault bare
expect_out_has '^this dump: the hang on line 16, matched by its code, not by its time$'

title "a log and lspci's rows"
{
	cat log
	echo
	cat rows
} >page
run gpu-fault page
expect_status 0
expect_out_has '^# gpu-fault 1.0 platform hsw device 0x0416 '
expect_out_has '^hang       rcs  .*line 1 '
run gpu-fault --json page
expect_status 0
expect_json '[.platform, .faults[0].kind]' '["hsw","hang"]'

title 'registers that say nothing beside a log that does'
{
	printf '# gpu-regdump 1.0 platform hsw\n0x002030  0x00000008\n\n'
	cat log
} >both
run gpu-fault both
expect_status 0
same 'the log comes first' "$(grep -n '^hang \|^## registers' "$out" | cut -d : -f 2 | cut -c -12 | tr '\n' ' ')" \
	'hang       r ## registers '
run gpu-fault -q both
expect_out_has '^kernel log: First '
run gpu-fault -q state -s log
expect_out_has '^rcs0 hangs at '
expect_out_has '^kernel log: First '

title '-p that is not what the dump tells'
run gpu-fault -q -p hsw state
expect_err_line 'gpu-fault: warning: platform: the source is from skl, but -p reads it as hsw'
run gpu-fault -q -p skl state
expect_err_empty

title 'the ways in which logs are written'
message='i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [77]'
while read -r form; do
	printf '%s\n' "$form" | sed "s/MESSAGE_/$message/" >form
	run gpu-fault --json form
	expect_status 0
	expect_json '[.faults[] | [.kind, .process]]' '[["hang","game [77]"]]'
done <<'FORMS'
6,1234,5678123,-;MESSAGE_
[Mon Nov  3 10:11:12 2025] MESSAGE_
2025-11-03T10:11:12,123456+01:00 MESSAGE_
{"_TRANSPORT":"kernel","MESSAGE":"MESSAGE_","__MONOTONIC_TIMESTAMP":"5678123"}
MESSAGE=MESSAGE_
<6>1 2025-11-03T10:11:12.123456+01:00 host kernel - - - MESSAGE_
[    5.678123][  T123] MESSAGE_
[T123] MESSAGE_
1762161072.123456 host kernel: MESSAGE_
   GPU HANG: ecode 9:1:85dffffb, in game [77]
It says "GPU HANG: ecode 9:1:85dffffb, in game [77]", every day
FORMS
echo 'hello world' >prose
run gpu-fault prose
expect_status 1
expect_err_line '*; if it is a kernel log: gpu-fault --dmesg prose'

title 'what is no dump'
echo 'No error state collected' >nothing
run gpu-fault nothing
expect_status 3
expect_err_line 'gpu-fault: nothing: no error on record: *'
printf '\3757zXZ\0junk' >packed
run gpu-fault packed
expect_status 1
expect_err_line 'gpu-fault: packed: an xz file; try: xz -dc packed | gpu-fault -'
head -n 9 state >cut
run gpu-fault cut
expect_out_has '^cut +it ends before the device and'
for command in gpu-regdump gpu-batch 'gpu-report -o page.html'; do
	# shellcheck disable=SC2086
	run $command log
	expect_status 3
	expect_err_line '*: log: a kernel log: *; try: gpu-fault -s log'
done
run gpu-snap save state -o saved.tar
expect_status 0
run gpu-fault -q saved.tar
expect_out_has '^rcs0 hangs at '

sed 's/^PCI ID.*/PCI ID: 0x2582/; /HANG/d' state >old
run gpu-fault old
expect_status 2
expect_err_line 'gpu-fault: platform: PCI id 0x2582 is an Intel 915G, older than the oldest supported (G33): *'

title 'codes of hangs as they are typed'
for code in '9:1:85dffffb,' ' 9 : 1 : 85dffffb' '[9:1:85dffffb]' 'ecode=9:1:0X85DFFFFB'; do
	run gpu-fault --json --ecode "$code"
	expect_status 0
	expect_json '.codes[0] | [.code, .generation]' '["0x85dffffb",9]'
done
run gpu-fault --ecode 9:1:85dffffb 9:1:85dffffb
same 'blank lines, one between two codes' "$(grep -c '^$' "$out"):$(tail -n 1 "$out" | grep -c .)" 1:1
run gpu-fault --ecode 9:1:85dffffb, in game '[77]'
expect_out_has 'game \[77\]'
refused 2 'gpu-fault: state: not a hang code; to read a file, try: gpu-fault state (try --help)' \
	gpu-fault --ecode 9:1:85dffffb state
refused 2 'gpu-fault: junk: not a hang code*' gpu-fault --ecode 9:1:85dffffb junk

title 'the PCI id of a core dump of xe is its own'
{
	echo 'My machine hangs, this is what it kept:'
	echo '[   12.500000] xe 0000:00:02.0: [drm] Xe device coredump has been created'
	echo
	printf '%s\n' '**** Xe Device Coredump ****' 'kernel: 6.12.0' 'Snapshot time: 1700000000.5' \
		'Process: player' 'PCI ID: 0x64a0' 'PCI revision: 0x04'
	cat "$work/engines"
} >"$work/xe-thread"
run gpu-fault "$work/xe-thread"
expect_out_has 'lnl'
! grep -q 'no PCI id' "$err" || fail "$(cat "$err")"

title 'whoever says what it is wants it combined'
run gpu-regdump -p skl -s "$work/state" -s "$work/second" rcs0.RING_BUFFER_HEAD
expect_status 0

title 'a name is only pasted if a shell takes it as it is'
cp "$work/state" "$work/it's"
cat "$work/second" >>"$work/it's"
run gpu-fault "$work/it's"
! grep -q "sed .*it's" "$err" || fail "$(cat "$err")"
expect_err_line "*sed -n '*p' FILE | gpu-fault -"

title 'prose beside a code'
run gpu-fault --ecode 'hang code: 85dffffb'
expect_status 0
run_in /dev/null sh -c 'cd "$1" && : >in && exec gpu-fault --ecode 9:1:85dffffb, in Xorg "[1981]"' sh "$work"
expect_status 0
finish
