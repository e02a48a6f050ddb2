#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault: the built-in captures, what is not in a source, many dumps and a fleet of them.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/fault-state.sh"
needs gpu-fault gpu-batch gpu-snap jq

# keep NAME: the JSON just made, to be validated at the end
keep() {
	cp "$out" "$work/$1.json"
}

title 'the memory of this machine has neither a log of its own nor pages to decode'
run gpu-fault --kcore --decode ring x
expect_status 2
run gpu-fault --kcore --dmesg
expect_status 2

title 'a draw call waits for vertices that are not mapped'
run gpu-fault -s demo:snb-hang
expect_status 0
expect_out_has '^rcs0    ppgtt:0x00a40000  page fault  rcs0.GFX_ARBITER_PAGE_FAULT 0x00a40059$'
expect_out_has '^        set by: BUFFER_STARTING_ADDRESS of 3DSTATE_VERTEX_BUFFERS at ppgtt:0x100dc, which comes before the command that rcs0 stopped in$'
expect_out_lacks 'cause:'
expect_out_has '^        see it: gpu-batch -s demo:snb-hang -e rcs0 --process -a 0x100dc$'
expect_out_has '^        0xa40000  not mapped: pte 0x0 at phys:0x10a48d900 is not valid$'
expect_out_has '^rcs0    PAGE_TABLE_ERROR  rcs0.EIR 0x00000010 bit 4$'
expect_out_has '^rcs0    hung     3DPRIMITIVE at ppgtt:0x10108'
expect_out_has 'head 0x3db8, tail 0x3e28: 112 of 16384 bytes pending, 16264'
expect_out_has '^0       0x0045f02b00040001  0x00040000-0x0045ffff  X  pitch 5632$'
expect_out_has '^idle    bcs0, vcs0$'
same 'the verdict, which comes first' "$(sed -n 2,3p "$out" | tr '\n' ' ')" \
	'# verdict rcs0 hangs in 3DPRIMITIVE at ppgtt:0x10108 after a page fault at ppgtt:0xa40000; the walk stops at the page table: entry not present. '
expect_out_has '^see it: gpu-batch .*-e rcs0 --process -a 0x10084$'
same 'the order' "$(sed -n 's/^# \([a-z]*\)$/\1/p' "$out" | tr '\n' ' ')" \
	'verdict engines faults errors fences doubts '
run gpu-fault -s demo:snb-hang --json
expect_status 0
expect_json '.faults[0] | [.engine, .register, .valid, .address, .space, .source_id]' \
	'["rcs0","GFX_ARBITER_PAGE_FAULT",true,"0xa40000","ppgtt",11]'
expect_json '.faults[0].walk | [.mapped, .stop.level, .stop.reason, [.levels[].raw]]' \
	'[false,"pte","not-present",["0xa48d011","0x0"]]'
expect_json '.faults[0].cause' '{"command":"3DSTATE_VERTEX_BUFFERS","address":"0x100dc","space":"ppgtt","buffer":"0x10000","stopped":false,"field":"BUFFER_STARTING_ADDRESS","dword":2,"value":"0xa40000","state":null}'
expect_json '[.faults[] | select(.valid | not) | .cause]' '[null,null,null]'
expect_json '[.faults[] | select(.valid | not) | .register]' \
	'["BLT_ARBITER_PAGE_FAULT","MEDIA_ARBITER_PAGE_FAULT","PP_PFIR"]'
expect_json '[.errors[] | [.register, .bit, .name]]' '[["EIR",4,"PAGE_TABLE_ERROR"]]'
expect_json '[.engines[] | [.name, .state]]' '[["rcs0","hung"],["bcs0","idle"],["vcs0","idle"]]'
expect_json '.engines[0] | [.head, .tail, .start, .acthd, .ipehr, .command.name, .command.address, .space]' \
	'["0x603db8","0x3e28","0x8000","0x10108","0x7b001004","3DPRIMITIVE","0x10108","ppgtt"]'
expect_json '.engines[0].ring' '{"size":16384,"head":"0x3db8","tail":"0x3e28","used":112,"free":16264,"wraps":3}'
expect_json '[.fences[] | select(.valid) | [.index, .start, .end, .pitch, .tiling]]' \
	'[[0,"0x40000","0x460000",5632,"X"],[3,"0x500000","0x520000",1024,"Y"]]'
expect_json '.signature' '"snb/rcs0/3DPRIMITIVE/ppgtt-fault"'
keep snb

title 'a timestamp goes to a query buffer that was unmapped'
run gpu-fault -s demo:skl-hang --json
expect_status 0
expect_json '.faults[0] | [.engine, .register, .address, .space, .type, .source_id, .walk.stop.level]' \
	'["rcs0","RING_FAULT_REG","0x7a1105603000","ppgtt","invalid PDE",37,"pde"]'
expect_json '[.engines[] | [.name, .state]]' \
	'[["rcs0","hung"],["bcs0","idle"],["vcs0","unknown"],["vcs1","unknown"],["vecs0","unknown"]]'
expect_json '.engines[0] | [.acthd, .command.name, .command.address, .agrees]' \
	'["0x10002003c","PIPE_CONTROL","0x10002003c",true]'
expect_json '.engines[2].head' 'null'
expect_json '.signature' '"skl/rcs0/PIPE_CONTROL/ppgtt-fault"'
keep skl
run gpu-fault -s demo:skl-hang --no-walk --json
expect_json '[.faults[0].walk, .faults[0].not_walked]' '[null,"walks were turned off"]'
keep skl-no-walk

title 'a fault whose entry is valid now: what invalidates the TLBs'
printf '0x4094 0x801\n0x4b10 5\n0x4b14 0x10\n' >"$work/now"
{
	head -c 40 /dev/zero
	printf '\001\120\064\022\000\000\000\000'
	head -c 4048 /dev/zero
} >"$work/entries"
run gpu-fault -p skl -s "$work/now" -s "ggtt:$work/entries"
expect_status 0
expect_out_has '^  *this entry is valid: the TLB may hold an older entry; it is invalidated by PIPE_CONTROL.TLB_INVALIDATE, GFX_FLSH_CNTL_GEN6.EN, RTCR.INVALIDATE, context switch$'
run gpu-fault -p skl -s "$work/now" -s "ggtt:$work/entries" --json
expect_json '.faults[0].older_entry | contains("RTCR.INVALIDATE")' true
keep older
run gpu-fault -s demo:skl-hang --json
expect_json '.faults[0].older_entry' null

title 'what it says to run shows the command'
run gpu-fault -s demo:skl-hang
see=$(sed -n 's/^see it: gpu-batch //p' "$out")
same 'what to run' "$see" '-s demo:skl-hang -e rcs0 --process -a 0x100020000'
# shellcheck disable=SC2086
run gpu-batch $see
expect_out_has '^0x10002003c:  0x7a000004:  PIPE_CONTROL  <- ACTHD$'
expect_out_has '^     47:2   ADDRESS .*0x7a1105603000$'

title 'the cause is in state, or is no address at all'
# put DWORD...: a batch, and zeros up to 0x300
put() {
	dwords "$@"
	at=$(($# * 4))
	while [ $at -lt 768 ]; do
		printf '%08x :  00000000\n' $at
		at=$((at + 4))
	done
}
{
	fault_state 00012345 00001054
	put 0x61010011 0 0 0 0x1001 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0x782a0000 0x200 0x7a000004 0 0 0 0 0 \
		0x05000000
} | sed 's/^00000200 :  00000000/00000200 :  00000240/
	s/^00000240 :  00000000/00000240 :  20000000/
	s/^00000260 :  00000000/00000260 :  12345040/' >"$work/state"
run gpu-fault "$work/state"
expect_out_has '^        set by: 0x12345040 in RENDER_SURFACE_STATE.SURFACE_BASE_ADDRESS at 0x100001240, state of 3DSTATE_BINDING_TABLE_POINTERS_PS at '
expect_out_has "^        see it: gpu-batch -s $work/state -e rcs0 --process --state -a 0x10000104c\$"
run gpu-fault --json "$work/state"
expect_json '.faults[0].cause | [.command, .stopped, .field, .dword, .value, .state]' \
	'["3DSTATE_BINDING_TABLE_POINTERS_PS",false,"RENDER_SURFACE_STATE.SURFACE_BASE_ADDRESS",8,"0x12345040","0x100001240"]'
keep state
mkdir "$work/stored"
cp "$work/state" "$work/stored/error-state"
gpu-snap save demo:skl-hang -o "$work/kept.tar"
tar rf "$work/kept.tar" -C "$work" stored
run gpu-fault "$work/kept.tar"
expect_out_has "^        see it: gpu-snap extract -s $work/kept.tar stored/error-state \\| gpu-batch -s - -e rcs0 "
{
	fault_state 00012345 00001010
	put 0x10000002 0x8000 0 0x12345000 0x7a000004 0 0 0 0x12345000 0 0x05000000
} >"$work/data"
run gpu-fault "$work/data"
expect_out_has '^rcs0    ppgtt:0x12345000 '
expect_out_lacks 'cause:'
run gpu-fault --json "$work/data"
expect_json '[.faults[0].address, .faults[0].cause]' '["0x12345000",null]'
keep data

title 'rendering waits for a tile that nobody will bring'
run gpu-fault -s demo:icl-trtt --json
expect_status 0
expect_json '[.faults[] | select(.valid)]' '[]'
expect_json '.engines[0] | [.state, .command.name]' '["waiting","MI_SEMAPHORE_WAIT"]'
expect_json '.verdict' '"rcs0 waits in MI_SEMAPHORE_WAIT at ppgtt:0x600100100: until the dword at ppgtt:0x600050000 is >= 0x12; it is 0x11."'
keep icl

title '-q is the sentence alone, -v everything'
run gpu-fault -s demo:skl-hang -q
expect_status 0
same 'lines' "$(wc -l <"$out")" 1
run gpu-fault -s demo:skl-hang -v
expect_out_has '^          *47:2 .*0x7a1105603000$'

title 'where no register records errors, that is said'
printf '# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06\n0x002030  0x00000150\n' >"$work/one"
run gpu-fault -s "$work/one"
expect_out_has '^# errors  no register that records those of engines is in the source$'
run gpu-fault -s demo:icl-trtt
expect_out_lacks '^# errors'
expect_out_has '^# faults  none in RING_FAULT_REG$'

title 'of two engines that hang, the one of the verdict comes first'
cat >"$work/two" <<'END'
GPU HANG: ecode 9:1:85dffffb, in game [1234]
PCI ID: 0x1912
EIR: 0x00000000
rcs0 command stream:
  START: 0x00008000
  HEAD:  0x00000bf0
  TAIL:  0x00000c98
  CTL:   0x00003001
  hung: 1
bcs0 command stream:
  START: 0x00010000
  HEAD:  0x00000010
  TAIL:  0x00000018
  CTL:   0x00003001
  FAULT_REG: 0x00004001
  hung: 1
vcs0 command stream:
  START: 0x00018000
  HEAD:  0x00000010
  TAIL:  0x00000010
  CTL:   0x00003001
END
run gpu-fault "$work/two"
same 'engines' "$(sed -n '/^# verdict/{n;s/ .*//p}; /^[a-z0-9]* *hung/s/ .*//p; /^idle/p' "$out" | tr '\n' ' ')" \
	'bcs0 bcs0 rcs0 idle    vcs0 '

title 'units by what they share'
cat >"$work/units" <<'END'
GPU HANG: ecode 9:1:85dffffb, in game [1234]
PCI ID: 0x1912
EIR: 0x00000000
rcs0 command stream:
  START: 0x00008000
  HEAD:  0x00000bf0
  TAIL:  0x00000c98
  CTL:   0x00003001
  INSTDONE: 0xffdffffe
  SC_INSTDONE: 0x00000000
  ROW_INSTDONE[0][0]: 0xfe10fffd
  ROW_INSTDONE[0][1]: 0xfffffffd
  ROW_INSTDONE[0][2]: 0xfe10fffd
  ROW_INSTDONE[1][0]: 0xfe10fffd
  ROW_INSTDONE[1][2]: 0xfe30fffd
  hung: 1
END
run gpu-fault "$work/units"
same 'busy' "$(sed -n '/^        busy/,/^[^ ]/{/^ /s/^ *\(busy *\)*//p}' "$out")" "CS
every unit: SC_INSTDONE reads 0
PSD of slice 0, subslices 0-2 and slice 1, subslices 0, 2
EU00-03, EU11-13 of slices 0-1, subslices 0, 2
EU10 of slice 0, subslices 0, 2 and slice 1, subslice 0"
run gpu-fault --json "$work/units"
sed 's/^  ROW_INSTDONE\[1\]\[0\].*/  ROW_INSTDONE[1][0]: 0xfeafffbe/' "$work/units" >"$work/scattered"
run gpu-fault "$work/scattered"
same 'scattered' "$(sed -n '/PSD/,/^[^ ]/{/^ /s/^ *//p}' "$out" | tr '\n' ' ')" \
	'in part: all 8 EUs, TDL, PSD, BC of slice 0, subslices 0-2 and slice 1, subslices 0, 2 '
run gpu-fault --json "$work/units"
expect_json '.engines[0].units[1]' '{"name":"SC_INSTDONE","text":"every unit: SC_INSTDONE reads 0"}'
expect_json '[.engines[0].busy[] | select(.name | startswith("ROW_INSTDONE"))] | length' '36'
expect_json '.engines[0].busy | map(select(.name | startswith("SC_INSTDONE"))) | length' '23'
expect_json '.verdict' '"rcs0 hangs; no error is on record, and fault registers are not in the source; 37 hardware units are still busy."'
keep units

title 'many fences, by what they share'
{
	sed '/^rcs0/,$d' "$work/units"
	for i in 0 1 2 3 5; do echo "  fence[$i] = 00${i}0f00500${i}00003"; done
	echo '  fence[9] = 0090f00300900001'
	echo '  fence[10] = 00a0000300b00001'
} >"$work/fences"
run gpu-fault "$work/fences"
same 'fences' "$(sed '1,/^# fences/d' "$out")" 'Y  pitch 768    0-3, 5
X  pitch 512    9
10      0x00a0000300b00001  0x00b00000-0x00a00fff  X  pitch 512
        ends before it begins'
run gpu-fault -v "$work/fences"
expect_out_has '^5       0x0050f00500500003  0x00500000-0x0050ffff  Y  pitch 768$'

if [ -d "${GPUSCOPE_CORPUS:-}" ]; then
	title 'a trace records what was submitted'
	run gpu-fault -s "$GPUSCOPE_CORPUS/aub/gen9-skl-1912.aub" --json
	expect_status 0
	expect_json '.verdict' '"No verdict: a trace records what was submitted to the engines, not what they did with it."'
	run gpu-fault -s "$GPUSCOPE_CORPUS/aub/gen9-skl-1912.aub"
	expect_out_lacks 'none of the registers'
	run gpu-fault -s "$GPUSCOPE_CORPUS/aub/gen6-snb-0126.aub"
	expect_status 3
	expect_err_line '*none in this dump: a trace has what was submitted; try: gpu-batch -s *'
fi

title 'the header alone names the command'
cat >"$work/header" <<'END'
GPU HANG: ecode 9:1:85dffffb, in game [1234]
PCI ID: 0x1912
EIR: 0x00000000
rcs0 command stream:
  START: 0x00008000
  HEAD:  0x00000bf0
  TAIL:  0x00000c98
  CTL:   0x00003001
  ACTHD: 0x00000001 0002003c
  IPEHR: 0x7a000004
  hung: 1
END
run gpu-fault -s "$work/header"
expect_out_has 'ipehr 0x7a000004 PIPE_CONTROL$'
run gpu-fault -s "$work/header" --json
expect_json '[.signature, .engines[0].command]' '["skl/rcs0/PIPE_CONTROL/hang",null]'
keep header

title 'nothing of the kind is in the source'
make_bar "$work/other.bar" 0x1000
refused 2 '*platform*' gpu-fault -s "bar:$work/other.bar@0x60000"
run gpu-fault -p skl -s "bar:$work/other.bar@0x60000"
expect_status 3
expect_out_empty
expect_err_line '*none in this dump*'
run gpu-fault "$work/none"
expect_status 1

title 'a dump that was cut in front of its registers still says what it has'
printf '%s\n' '**** Xe Device Coredump ****' 'kernel: 6.12.0' 'Snapshot time: 1700000000.5' 'Process: player' \
	'PCI ID: 0x4908' 'GuC ID: 5' '	Class: 1' '	HW Context Desc: 0x00506000' '	LRC Head: (memory) 0' \
	'	LRC Tail: (internal) 632, (memory) 632' '	Start seqno: (memory) -127' '	Seqno: (memory) -128' \
	'	[HWSP].length: 0x1000' > "$work/cut.txt"
printf '\t[HWSP].data: zzzz' >> "$work/cut.txt"
run gpu-fault "$work/cut.txt"
expect_status 3
expect_out_has '^process  player$'
expect_out_has '^cut      it ends in the part "Contexts", before "HW Engines"$'
run gpu-fault -q "$work/cut.txt"
same 'the verdict' "$(tr '\n' ' ' < "$out")" \
	'The state of the engines is not in this dump: it ends in the part "Contexts", before "HW Engines"; context 5 (vcs): LRC head 0x0, tail 0x278, last job to begin -127 (the first is -127), last to finish none: a job began but did not finish. '
run gpu-fault "$work/cut.txt" --json
expect_json '[.requests[] | [.engine, .name, .state, .tail, .seqno]]' \
	'[[null,"context 5","began, not done","0x278","0xffffff80"]]'
expect_json '[.engines[].state] | unique' '["unknown"]'
keep cut

title 'no more than that it hung'
printf 'GPU HANG: ecode 9:0:0x85ddfffb, in Xorg [1]\nPCI ID: 0x191b\nEIR: 0x00000000\n' >"$work/head"
run gpu-fault -q "$work/head"
expect_out 'The GPU hung (ecode 9:0:0x85ddfffb, in Xorg [1]), but the dump has no faults, no errors and no state of the engines.'

title 'doubts: a ring that its pointers left'
make_bar "$work/ring.bar" snb 0x2030 0x3000 0x2034 0x5000 0x2038 0x1000 0x203c 0x1 0x4401c 0x0
run gpu-fault -p snb -s "bar:$work/ring.bar" --json
expect_json '[.findings[] | select(.rule == "outside-ring") | .where]' '["rcs0","rcs0"]'
expect_json '[.findings[] | select(.rule == "interrupts-off") | .where]' '["GTIER"]'
keep ring

title 'many dumps, one of them bad: an object each'
run gpu-snap save -s demo:snb-hang -o "$work/snb"
run gpu-snap save -s demo:skl-hang -o "$work/skl"
head -c 300 /dev/zero | tr '\0' '\377' >"$work/bad"
run gpu-fault --ndjson "$work/snb" "$work/bad" "$work/skl"
expect_status 6
expect_err_line "gpu-fault: $work/bad: not recognised*"
same 'objects' "$(jq -c '[.platform, .signature, .error == null]' <"$out" | tr '\n' ' ')" \
	'["snb","snb/rcs0/3DPRIMITIVE/ppgtt-fault",true] [null,null,false] ["skl","skl/rcs0/PIPE_CONTROL/ppgtt-fault",true] '
sed -n 2p "$out" >"$work/bad.json"
cp "$out" "$work/together"
run gpu-fault --json "$work/snb" "$work/bad" "$work/skl"
cmp -s "$out" "$work/together" || fail 'several files with --json are not those of --ndjson'
run gpu-fault -q "$work/snb" "$work/skl"
expect_status 0
expect_out_has "^$work/snb: rcs0 hangs in 3DPRIMITIVE"
expect_out_has "^$work/skl: rcs0 hangs in PIPE_CONTROL"
run gpu-fault "$work/bad" "$work/bad"
expect_status 1
expect_err_line "gpu-fault: 2 dumps: none can be read: $work/bad: not recognised*"

title 'several, none of which can be read'
run gpu-fault "$work/nofile" "$work/none"
expect_status 1
run gpu-fault --ndjson "$work/nofile" "$work/none"
expect_status 1
same 'objects' "$(wc -l <"$out")" 2

title 'several, one of which has no such register'
run gpu-fault -p skl -q "$work/snb" "bar:$work/other.bar@0x60000"
expect_status 6
same 'lines' "$(wc -l <"$out")" 2
expect_err_line "gpu-fault: bar:$work/other.bar@0x60000: registers of faults*"

title 'a fleet: a process a dump, grouped by SQLite'
if command -v parallel >/dev/null && command -v sqlite3 >/dev/null; then
	mkdir "$work/dumps"
	for i in 1 2 3; do cp "$work/snb" "$work/dumps/snb$i"; done
	cp "$work/skl" "$work/bad" "$work/dumps"
	command_line='gpu-fault(1), EXAMPLES'
	find "$work/dumps" -type f | parallel --will-cite gpu-fault --ndjson {} >"$work/hangs.lines" 2>"$err"
	sqlite3 :memory: 'create table dump(doc)' '.mode tabs' ".import $work/hangs.lines dump" \
		"select count(*), doc->>'signature' from dump group by 2 order by 1 desc" >"$out"
	expect_out "$(printf '3\tsnb/rcs0/3DPRIMITIVE/ppgtt-fault\n1\tskl/rcs0/PIPE_CONTROL/ppgtt-fault')"
	same 'complaints' "$(grep -c 'bad: not recognised' "$err")" 1
elif [ "${CI:-}" = true ]; then
	fail 'no parallel or no sqlite3 here'
fi

# at_terminal ENVIRONMENT COMMAND EXPECTATION...: the last ones are about what follows the doubts
at_terminal() {
	command_line="env $1 $2"
	{ printf '%s\n' 'expect # verdict' 'expect # doubts'; shift 2; printf '%s\n' "$@" 'end 0'; } >"$work/keys"
	TERM=vt100 "$PTY" sh -c "$command_line; echo THE END" <"$work/keys" >"$out" 2>&1 || fail "$(cat "$out")"
}
if [ -x "${PTY:-}" ]; then
	title 'the verdict again, at the end of what has left the screen without a pager'
	set -- 'expect # verdict' 'expect see it: gpu-batch' 'expect THE END' 'lacks # '
	at_terminal A= 'gpu-fault --no-pager demo:skl-hang' "$@"
	at_terminal PAGER= 'gpu-fault demo:skl-hang' "$@"
	at_terminal TERM=dumb 'gpu-fault demo:skl-hang' "$@"
	title 'not if it fits, or goes elsewhere'
	set -- 'expect THE END' 'lacks # verdict'
	at_terminal LINES=200 'gpu-fault --no-pager demo:skl-hang' "$@"
	at_terminal A= 'gpu-fault --no-pager demo:skl-hang | cat' "$@"
	at_terminal A= 'gpu-fault --no-pager demo:skl-hang demo:skl-hang' 'expect # doubts' "$@"
	title 'of a log'
	for i in $(seq 30); do
		echo "[    $i.000000] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in app [$i]"
	done >"$work/long.log"
	printf '%s\n' 'expect # verdict' 'expect line 30' 'expect # verdict' 'end 0' >"$work/keys"
	TERM=dumb "$PTY" gpu-fault "$work/long.log" <"$work/keys" >"$out" 2>&1 || fail "$(cat "$out")"
fi

title 'processes are in memory dumps only'
refused 3 '*--processes: needs the memory of a machine*' gpu-fault --processes demo:skl-hang
refused 2 '*--processes*--dmesg*' gpu-fault --processes --dmesg demo:skl-hang

title 'against the schema'
expect_schemas
finish
