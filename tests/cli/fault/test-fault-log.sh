#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault --dmesg: logs from files, pipes and packed, with sources to walk their addresses in.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault jq

# keep NAME: the JSON just made, to be validated at the end
keep() {
	cp "$out" "$work/$1.json"
}

cat >"$work/log" <<'LOG'
[    0.1] pci 0000:00:02.0: [8086:1912] type 00 class 0x030000
[    1.9] DMAR: DRHD: handling fault status reg 3
[    2.0] DMAR: [DMA Write NO_PASID] Request device [00:02.0] fault addr 0x8d900000 [fault reason 0x05] PTE Write access is not set
[    2.1] DMAR: [DMA Read NO_PASID] Request device [03:00.0] fault addr 0x1000 [fault reason 0x06] PTE Read access is not set
[    3.0] i915 0000:00:02.0: [drm:gen8_check_faults [i915]] Unexpected fault
	Addr: 0x00000000_00a40000
	Address space: PPGTT
	Engine ID: 0
	Source ID: 11
	Type: 0
[    4.0] i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out
[    4.1] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in Xorg [1981]
[    4.2] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in Xorg [1981]
LOG

title 'what the log tells, in order, and the sentence about it'
run gpu-fault --dmesg "$work/log"
expect_status 0
expect_out_has '^# gpu-fault 1.0 platform skl device 0x1912 source .*/log$'
expect_out_has '^dma-fault  0000:00:02.0  line 3  \[2.0\]$'
expect_out_has '^fault      rcs0  0000:00:02.0  line 5  \[3.0\]$'
expect_out_has '^hang       rcs0  0000:00:02.0  line 12  \[4.1\]  2 times$'
expect_out_lacks '03:00'
same 'the sentence, which comes first' "$(sed '1,/^# verdict/d; /^$/,$d' "$out" | tr '\n' ' ')" \
	'First (line 3, 2.0): the IOMMU blocked a write of 0x8d900000 by 0000:00:02.0: no write permission, reason 0x5 (the second level has no writable page there: never mapped, unmapped already, or mapped read-only); then came 1 page fault, 2 hangs and 1 reset. '
run gpu-fault --dmesg -q "$work/log"
same 'one line' "$(wc -l <"$out")" 1
expect_out_has '^First .line 3, .* and 1 reset[.]$'

title 'JSON'
run gpu-fault --dmesg --json "$work/log"
expect_status 0
keep log
expect_json '[.platform, .device, .signature]' '["skl","0x1912","skl/-/-/dma-fault"]'
expect_json '[.errors, .engines, .fences]' '[[],[],[]]'
expect_json '[.faults[].kind]' '["dma-fault","fault","reset","hang"]'
expect_json '.faults[0] | [.register, .address, .space, .type, .access, .level, .reason, .pasid, .walk]' \
	'[null,"0x8d900000","dma","no write permission","write","vtd-sl",5,null,null]'
expect_json '.faults[1] | [.engine, .valid, .address, .space, .type, .source_id, .line, .lines, .time]' \
	'["rcs0",true,"0xa40000","ppgtt","invalid PTE",11,5,6,"3.0"]'
expect_json '.faults[3] | [.valid, .process, .code, .repeats]' '[false,"Xorg [1981]","0x85dffffb",1]'
run gpu-fault --dmesg --ndjson "$work/log"
same 'lines' "$(wc -l <"$out")" 5
same 'head and elements' "$(jq -sc '[.[0].schema, (.[1:] | map(.kind))]' "$out")" \
	'["gpuscope.fault/1",["dma-fault","fault","reset","hang"]]'

title 'firmware that does not load is the story, the end of the GPU is not'
cat >"$work/firmware" <<'LOG'
[    3.1] xe 0000:03:00.0: [drm] GuC firmware (70.44.1) is recommended, but only (70.20.0) was found in xe/bmg_guc_70.bin
[    3.2] xe 0000:03:00.0: [drm] *ERROR* GT0: load failed: status = 0x400000A0, time = 3ms, freq = 2400MHz (req 2400MHz), done = -1
[    3.2] xe 0000:03:00.0: [drm] *ERROR* GT0: load failed: status: Reset = 0, BootROM = 0x50, UKernel = 0x00, MIA = 0x00, Auth = 0x01
[    3.3] xe 0000:03:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:03:00.0 as wedged.
[    3.4] xe 0000:03:00.0: probe with driver xe failed with error -8
LOG
run gpu-fault --dmesg -q "$work/firmware"
expect_status 0
expect_out_has '^The driver xe failed to start the GPU: error -8 .line 5., so nothing works on it[.] First .line 2, 3.2.: the GuC firmware did not load, GUC_STATUS 0x400000a0: boot ROM 0x50 .signature bad.'
expect_out_has 'the driver gave up on the GPU .line 4.; before that .line 1.: the GuC firmware is older'
run gpu-fault --dmesg --json "$work/firmware"
keep firmware
expect_json '[.faults[] | [.kind, .rank]]' \
	'[["error","aside"],["error","main"],["error","main"],["error","main"]]'
expect_json '.faults[1].values' '[{"register":"GUC_STATUS","value":"0x400000a0"}]'

title 'the code of a hang by itself'
run gpu-fault --ecode 9:1:85dffffb
expect_status 0
expect_out_has '^code       0x85dffffb  generation 9  rcs$'
expect_out_has '^fits       PIPE_CONTROL  *header 0x7a000004$'
expect_out_has '^             INSTDONE 0xffdfffff, not done: CS$'
expect_out_has '^platform   skl bxt kbl glk cfl cml$'
run gpu-fault -p tgl --ecode GPU HANG: ecode 12:1:84dffffb, in X '[123]' 12:1:85dffffb
expect_status 0
expect_out_has '^# gpu-fault 1.0 platform tgl$'
expect_out_has '^code       0x84dffffb  generation 12  rcs  X \[123\]$'
expect_out_has '^code       0x85dffffb  generation 12  rcs$'
expect_out_lacks '^platform'
run gpu-fault --ecode=0x85dffffb
expect_out_has 'the code has no generation: give -p$'
run gpu-fault --json --ecode '12:1:84dffffb, in X [123]'
keep ecode
expect_json '.codes[0] | [.code, .generation, .engine, .process, .commands[0].name]' \
	'["0x84dffffb",12,"rcs","X [123]","3DPRIMITIVE"]'
refused 2 'gpu-fault: nonsense: not a hang code, such as 9:1:85dffffb*' gpu-fault --ecode nonsense
refused 2 'gpu-fault: --ecode: *' gpu-fault --ecode 9:1:85dffffb --dmesg

title 'a dump that has nothing but the code'
printf 'GPU HANG: ecode 9:1:8fdcfffd, in a [5]\nIPEHR: 0x70020002\nACTHD: 0x00003098\nINSTDONE: 0xffdeffff\n' >"$work/bare"
run gpu-fault "$work/bare"
expect_status 0
expect_out_has '^rcs0 hangs at 0x3098 in MEDIA_INTERFACE_DESCRIPTOR_LOAD'
expect_out_lacks '^# gpu-fault .* platform'
expect_err_line 'gpu-fault: warning: platform: not in the dump; its hang code fits skl, bxt, kbl, glk, cfl, cml. It is read as skl, with which the others agree; give -p to choose'
run gpu-fault -p kbl "$work/bare"
expect_out_has '^# gpu-fault 1.0 platform kbl '
[ -s "$err" ] && fail 'the platform was given'

title 'parts of a core dump of xe, without a PCI id'
queue='GuC ID: 5\n\tClass: 1\n\tHW Context Desc: 0x00506000\n\tLRC Head: (memory) 0\n\tLRC Tail: (internal) 8, (memory) 8\n\tStart seqno: (memory) -127\n\tSeqno: (memory) -128\n'
channel='H2G CTB (all sizes in DW):\n\tsize: 1024\n\tbroken: 0\n\thead (memory): 465\n\ttail (memory): 469\n\tstatus (memory): 0x0\n'
memory='[10000000].length: 0x8\n[10000000].data: zz\n[20000000].length: 0x1000\n'
ring='vecs0 (physical), logical instance=0\n\tRING_HEAD: 0x00000010\n\tRING_TAIL: 0x00000098\n\tIPEHR: 0x0e40c002\n'
# shows PART LINE: what is left of a dump that has only that
shows() {
	# shellcheck disable=SC2059
	printf "$1" >"$work/part"
	run gpu-fault "$work/part"
	expect_out_lacks '^# gpu-fault .* platform'
	expect_out_has "$2"
}
shows "$queue" '^The state of the engines is not in this dump; context 5 \(vcs\): LRC head 0x0, tail 0x8, .*: a job began .*\.$'
expect_status 3
shows "$channel" '^guc      requests to the GuC \(H2G\): 4 dwords are in the buffer that the GuC has not read$'
shows "$memory" '^memory   1 range of the process, from ppgtt:0x10000000 to 0x10000008$'
shows "$ring" '^vecs0 +waiting +'
expect_status 0
expect_err_line 'gpu-fault: warning: platform: not in the dump; its driver xe and engine vecs0 fit tgl, rkl, *. It is read as tgl, with which the others agree; give -p to choose'
# The GuC saves registers when an engine hangs; anybody can read them at any time.
shows "$(printf %s "$ring" | sed 's/=0/&\\n\\tCapture_source: GuC\\n\\tCoverage: full-capture/')" '^vecs0 hangs '
{
	echo '[    1.4] xe 0000:03:00.0: [drm:xe_guc_ct_init [xe]] GT0: GuC CT safe-mode disabled'
	echo '[    1.5] xe 0000:03:00.0: [drm] Using GuC firmware from i915/tgl_guc_70.bin version 70.5.1'
	echo '[   12.5] xe 0000:03:00.0: [drm] Timedout job: seqno=4294967169, guc_id=5, flags=0x0'
	# shellcheck disable=SC2059
	printf "$ring"
} >"$work/part"
run gpu-fault "$work/part"
expect_out_has '^vecs0 +waiting +'
expect_out_has 'a job timed out \(queue 5 of the GuC\)$'
expect_err_line 'gpu-fault: warning: platform: not in the dump; its GuC firmware i915/tgl_guc_70.bin fits tgl, rkl, adls, adln, rpls. It is read as tgl, *'
sed -i 's/RING_HEAD: .*/RING_HEAD: 0x00000098/' "$work/part"
run gpu-fault "$work/part" --json
expect_json '[.signature, .engines[-1].state, (.verdict | startswith("First (line 3, 12.5): a job timed out"))]' \
	'["tgl/-/-/hang","idle",true]'
printf '**** GuC Log ****\nGuC firmware: xe/bmg_guc_70.bin\n**** HW Engines ****\n%b' "$ring" >"$work/part"
run gpu-fault "$work/part" --json
expect_status 0
expect_json '[.platform, .device, (.about[] | select(.name == "platform") | .text), .signature]' \
	'["bmg",null,"bmg, by its GuC firmware xe/bmg_guc_70.bin: the dump has no PCI id","bmg/vecs0/MI_SEMAPHORE_WAIT/hang"]'

title 'engines that i915 printed into a log that does not name the platform'
printf '[   90.1] heartbeat %s\n' 'rcs0 heartbeat {seqno:8:42, prio:-32} not ticking' '	RING_START: 0x00012000' \
	'	RING_HEAD:  0x00000060' '	RING_TAIL:  0x00000080' '	RING_CTL:   0x00003001' '	ACTHD:  0x00000001_00100040' \
	'	IPEHR: 0x7b000005' '	Execlist status: 0x00018001 00000020; CSB read:5, write:5, entries:6' >"$work/part"
run gpu-fault "$work/part"
expect_status 0
expect_out_has '^rcs0 hangs at 0x100100040 in 3DPRIMITIVE \(by IPEHR\); '
expect_err_line 'gpu-fault: warning: platform: not in the dump; its driver i915 with execlists fits bdw, chv, skl, * It is read as bdw, with which the others agree; give -p to choose'

title 'the same through a pipe, packed, and as mail and other systems leave it'
run gpu-fault --dmesg --json "$work/log"
jq -c '[.faults, .verdict]' "$out" >"$work/wanted"
run_in "$work/log" gpu-fault --dmesg --json -
same 'a pipe' "$(jq -c '[.faults, .verdict]' "$out")" "$(cat "$work/wanted")"
expect_json '.source' '["standard input"]'
if built_with gzip; then
	gzip -c "$work/log" >"$work/log.gz"
	run gpu-fault --dmesg --json "$work/log.gz"
	same 'packed' "$(jq -c '[.faults, .verdict]' "$out")" "$(cat "$work/wanted")"
fi
for form in 's/^/> > /' 's/$/\r/' 's/^/Nov 21 17:12:00 host kernel: /' 's/^/<3>/' 's/^/\x1b[32m/' \
	's/^/12: /'; do
	sed "$form" "$work/log" >"$work/other"
	run gpu-fault --dmesg --json "$work/other"
	same "$form" "$(jq -c '[.faults, .verdict]' "$out")" "$(cat "$work/wanted")"
done
head -c 480 "$work/log" >"$work/cut"
run gpu-fault --dmesg --json "$work/cut"
expect_status 0
expect_json '[.faults[].kind]' '["dma-fault"]'

title 'addresses are walked in what a source has'
printf '%s\n' 'Device 0000:00:02.0 @0x1017f8000' \
	'IOVA_PFN PML5E PML4E PDPE PDE PTE' \
	'0x000000008d900 | 0x0000000000000000 0x00000001017f9003 0x00000001017fa003 0x00000001017fb003 0x0000000098d90001' \
	>"$work/tables"
run gpu-fault --dmesg -s "$work/tables" "$work/log"
expect_status 0
expect_out_has '0x8d900000  refused: guest-physical 0x8d900000: second-level PTE 256 .*: not writable'
expect_out_has 'not walked: '
expect_out_lacks 'doubt: '
run gpu-fault --dmesg --json -s "$work/tables" "$work/log"
keep tables
expect_json '.platform' '"skl"'
expect_json '.faults[0].walk | [.mode, .root, .mapped, .stop.reason]' \
	'["vtd","0x1017f8000/4",false,"not-permitted"]'
expect_json '.faults[1].walk' null
expect_json '.findings' '[]'
run gpu-fault --dmesg --json --no-walk -s "$work/tables" "$work/log"
expect_json '[.faults[].walk] | unique' '[null]'
sed 's/98d90001/98d90003/' "$work/tables" >"$work/mapped"
run gpu-fault --dmesg -s "$work/mapped" "$work/log"
expect_out_has '0x8d900000  -> 0x98d90000'
expect_out_has 'doubt: 0x8d900000 is mapped now'
run gpu-fault --dmesg --json -s "$work/mapped" "$work/log"
keep mapped
expect_json '.findings | map([.rule, .where])' '[["mapped-now","line 3"]]'
expect_json '.verdict | contains("; the source\u0027s tables map that address now; then came")' true
run gpu-fault --dmesg --json -s demo:snb-hang "$work/log"
keep demo
expect_json '.faults[1].walk | [.mode, .mapped, .stop.level, .stop.reason]' \
	'["2level",false,"pte","not-present"]'

title 'a fault of nobody is not walked in somebody'"'"'s tables'
sed 's/Engine ID/Engine/' "$work/log" >"$work/nobody"
run gpu-fault --dmesg --json -s demo:skl-hang "$work/nobody"
keep nobody
expect_json '.faults[1] | [.engine, .walk, .not_walked]' \
	'[null,null,"per-process tables: it is unknown whose access it was"]'

title 'the line of an event that is on a long one'
printf 'x\nAddr: 0x2 \n%0600d Addr: 0x1000 Address space: GGTT %02000d\n' 0 0 >"$work/long"
run gpu-fault --dmesg --json "$work/long"
keep long
expect_json '.faults | map([.line, .lines, .address])' '[[3,1,"0x1000"]]'

title 'a log of nothing, and what is none'
run gpu-fault --dmesg --json /dev/null
expect_status 0
keep empty
expect_json '[.platform, .signature, .verdict, .faults]' \
	'[null,"-/-/-/none","No fault, hang or reset of an Intel GPU in this log.",[]]'
head -c 4096 "$(command -v gpu-fault)" >"$work/binary"
run gpu-fault --dmesg "$work/binary"
expect_status 1
expect_out_empty
expect_err_line 'gpu-fault: */binary: this is not text*'
run gpu-fault --dmesg "$work/nowhere"
expect_status 1
expect_err_line 'gpu-fault: */nowhere: No such file or directory'
run gpu-fault --dmesg "$work"
expect_status 1
run gpu-fault --dmesg "$work/log" "$work/log"
expect_status 2
run gpu-fault --dmesg -p nothing "$work/log"
expect_status 3
run gpu-fault --dmesg
if dmesg >/dev/null 2>&1; then
	expect_status 0
else
	expect_status 4
	expect_err_line "gpu-fault: the kernel's log: not permitted*"
fi

title 'a message alone, without its driver, in prose, and as web pages have it: no --dmesg'
hang='GPU HANG: ecode 9:1:85dffffb, in X [5]'
for text in '*ERROR* Failed to reset GuC, ret = -110' '[i915] *ERROR* Failed to reset GuC' \
	'GT0: Engine reset: engine_class=ccs, logical_mask: 0x1, guc_id=22' \
	"Today it froze, and the log says \"$hang\", nothing else." "| 12:00 | \`$hang\` |" \
	"<table><tr><td>1</td><td>$hang</td></tr></table>" \
	'(EE) intel(0): Detected a hung GPU, disabling acceleration.' \
	'i965: Failed to submit batchbuffer: Input/output error'; do
	echo "$text" >"$work/alone"
	run gpu-fault -q "$work/alone"
	expect_status 0
	expect_out_has '^First .line 1.: '
	cp "$out" "$work/plain"
	run gpu-fault -q --dmesg "$work/alone"
	same 'with --dmesg' "$(cat "$out")" "$(cat "$work/plain")"
done
printf '%s\n' 'The GPU hung, and i915 reset it.' >"$work/prose"
refused 1 'gpu-fault: *: not recognised; *gpu-fault --dmesg *' gpu-fault "$work/prose"
printf '%s\n' '	drm_err(&i915->drm, "Failed to reset chip\n");' >"$work/source.c"
refused 1 'gpu-fault: *: not recognised; *' gpu-fault "$work/source.c"

title "another maker's GPU"
printf '%s\n' '[    1.5] amdgpu 0000:28:00.0: ring gfx_0.0.0 timeout, signaled seq=5, emitted seq=7' \
	'[    1.6] amdgpu 0000:28:00.0: amdgpu: GPU reset begin!' >"$work/other"
run gpu-fault --json "$work/other"
expect_status 0
keep other
expect_json '[.faults[] | [.kind, .rank, .driver, .device]] | unique' \
	'[["error","aside","amdgpu","0000:28:00.0"]]'
expect_json '.verdict' '"No fault, hang or reset of an Intel GPU in this log; in addition (line 1): amdgpu, the driver of another GPU: a ring did not finish its work in time."'

title 'tabs for blanks'
printf '[    1.0]\ti915\t0000:00:02.0:\t[drm]\tGPU\tHANG:\tecode\t9:1:85dffffb,\tin\tX\t[1]\n' >"$work/tabs"
run gpu-fault --dmesg --json "$work/tabs"
expect_status 0
expect_json '[.faults[] | .kind, .process]' '["hang","X [1]"]'

title 'a log that goes on: each event as it comes, what they tell at the end'
mkfifo "$work/pipe"
for end in input interrupt; do
	command_line="gpu-fault --dmesg - (ended by $end)"
	env --default-signal=INT gpu-fault --dmesg - <"$work/pipe" >"$work/followed" 2>"$err" &
	follower=$!
	exec 3>"$work/pipe"
	echo '[    1.5] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in X [1]' >&3
	echo '[    1.6] i915 0000:00:02.0: [drm] Resetting chip for stopped heartbeat on rcs0' >&3
	for _ in $(seq 300); do
		grep -q '^reset' "$work/followed" && break
		sleep 0.1
	done
	grep -q '^hang .*line 1' "$work/followed" || fail 'the hang has not come'
	grep -q '# verdict' "$work/followed" && fail 'the end came too early'
	echo '[    2.5] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in Y [2]' >&3
	for _ in $(seq 300); do
		grep -q 'line 3' "$work/followed" && break
		sleep 0.1
	done
	[ $end = input ] || kill -INT $follower
	[ $end = interrupt ] || exec 3>&-
	status=0
	wait $follower || status=$?
	exec 3>&-
	expect_status 0
	expect_err_empty
	sed -n '/# verdict/,$p' "$work/followed" | grep -q 'line 1' || fail 'no verdict at the end'
	grep -c 'line 3' "$work/followed" | grep -qx 1 || fail 'the third line did not come once'
done
run sh -c 'head -c 100 /dev/zero | tr "\0" "\n" | gpu-fault --dmesg -'
expect_status 0

if [ -n "${GPUSCOPE_CORPUS-}" ]; then
	title 'the logs of the corpus'
	run gpu-fault --dmesg --json "$GPUSCOPE_CORPUS/fault-log/dmar-igd-faults.txt"
	keep corpus
	expect_json '[.faults[] | [.device, .access, .address, .reason]]' \
		'[["0000:00:02.0","read","0x8900a000",5],["0000:00:02.0","read","0xfa700000",6],["0000:00:02.0","read","0xfa70e000",6],["0000:00:02.0","read","0x70ad5000",7],["0000:00:02.0","read","0x7c592000",6]]'
	run gpu-fault --dmesg --json "$GPUSCOPE_CORPUS/fault-log/gen3-page-table-errors.txt"
	expect_json '[.faults[].values | map(.value)]' \
		'[["0x10","0x10"],["0x10","0x100"],["0x10","0x100"]]'
fi

title 'against the schema'
expect_schemas
finish
