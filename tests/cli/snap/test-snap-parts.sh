#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-snap: parts of captures, other forms of them, what goes along, and what must not.
. "$(dirname "$0")/../lib.sh"
needs gpu-snap gpu-regdump gpu-batch gpu-fault jq tar

# answer COMMAND...: its JSON but for what it was read from
answer() {
	run "$@" --json
	jq -S 'del(.source)' "$out"
}

# equal TITLE COMMAND A B: the same answer from two sources
equal() {
	answer $2 --from "$3" >"$work/answer.a"
	_a=$status
	answer $2 --from "$4" >"$work/answer.b"
	[ -s "$work/answer.a" ] || [ "$_a" = 3 ] || fail "$1: no answer"
	same "$1: status" "$status" "$_a"
	cmp -s "$work/answer.a" "$work/answer.b" || fail "$1: not the same answer: \
$(diff "$work/answer.a" "$work/answer.b" | head -n 6 | tr '\n' ' ')"
}

title 'packed as the name says'
for name in a.tar a.tar.gz a.tgz a.tar.zst capture; do
	run gpu-snap save --from demo:skl-hang -o "$work/$name"
	expect_status 0 1
	[ "$status" = 0 ] || continue
	case $(head -c 4 "$work/$name" | od -An -tx1 | tr -d ' ') in
	28b52ffd) kind=zstd ;;
	1f8b*) kind=gzip ;;
	*) kind=none ;;
	esac
	case $name in
	*.tar) same "packing of $name" $kind none ;;
	*gz) same "packing of $name" $kind gzip ;;
	*.zst) same "packing of $name" $kind zstd ;;
	*) [ $kind != none ] || ! built_with gzip || fail 'it is not packed' ;;
	esac
	equal "$name" gpu-fault demo:skl-hang "$work/$name"
done
run gpu-snap save --from demo:skl-hang --compress none -o "$work/plain.zst"
expect_status 0
tar tf "$work/a.tar" >/dev/null || fail 'tar does not open it'
cmp -s "$work/a.tar" "$work/plain.zst" || run gpu-snap info "$work/plain.zst"
run gpu-snap save --from demo:skl-hang --compress lzma -o "$work/never"
expect_status 2
(cd "$work" && SOURCE_DATE_EPOCH=0 gpu-snap save --from demo:skl-hang >"$work/told") ||
	fail 'without -o it fails'
[ -s "$work/$(cat "$work/told")" ] || fail "it says $(cat "$work/told"), which is not there"
case $(cat "$work/told") in
gpuscope-skl-19700101-000000.tar*) ;;
*) fail "it is called $(cat "$work/told")" ;;
esac
for time in abc -1 9223372036854775807 99999999999999999999; do
	for command in 'save -s demo:skl-hang' "convert $work/a.tar --to capture"; do
		run sh -c "SOURCE_DATE_EPOCH=$time gpu-snap $command -o '$work/never'"
		expect_status 2
		expect_out_empty
		expect_err_line 'gpu-snap: SOURCE_DATE_EPOCH: expected seconds since 1970*'
		[ ! -e "$work/never" ] || fail 'it was written anyway'
	done
done

title 'a capture in a pipe'
run sh -c 'gpu-snap save --from demo:skl-hang -o - | gpu-fault --from - -q'
expect_status 0
expect_out_has rcs0

title 'extract'
run gpu-snap extract "$work/a.tar" gpuscope/info
expect_status 0
expect_out_has '^platform: skl$'
packed=$work/a.tar
built_with zstd && packed=$packed.zst
run gpu-snap extract "$packed" ggtt -o "$work/ggtt"
expect_status 0
expect_out_empty
for source in demo:skl-hang "ggtt:$work/ggtt"; do
	run gpu-ptwalk -p skl -m ggtt --map --from "$source" --json
	jq -c '.ranges[] | [.start, .end, .physical, .pages]' "$out" >>"$work/maps"
done
[ "$(wc -l <"$work/maps")" -gt 4 ] || fail 'no maps'
same 'ranges that only one map has' "$(sort "$work/maps" | uniq -u)" ''
run gpu-snap extract "$work/a.tar" mmio@0x2030+16 -o "$work/ring"
expect_status 0
same 'the length of four registers' "$(wc -c <"$work/ring" | tr -d ' ')" 16
run gpu-regdump --from demo:skl-hang --json rcs0.RING_BUFFER_TAIL
same 'the tail' "0x$(od -An -tx4 -N4 "$work/ring" | sed 's/ *0*//')" \
	"$(jq -r '.registers[0].value' "$out")"
run gpu-snap extract "$work/a.tar" config
expect_status 0
same 'the ids' "$(od -An -tx2 -N4 "$out")" ' 8086 1912'
run gpu-snap extract "$work/a.tar" nothing/here
expect_status 3
expect_out_empty
run gpu-snap extract "$work/a.tar" lmem
expect_status 3
run gpu-snap extract "$work/a.tar" phys
expect_status 2
for bad in phys@ phys@0x1000 phys@+4K phys@0x1000-4; do
	run gpu-snap extract "$work/a.tar" $bad
	expect_status 2
	expect_out_empty
done
start=$(gpu-snap info --json "$work/a.tar" |
	jq -r '[.pieces[] | select(.space == "phys")][0] | .start')
run gpu-snap extract "$work/a.tar" "phys@$start+4K"
expect_status 0
same 'a page' "$(wc -c <"$out" | tr -d ' ')" 4096
run gpu-snap extract "$work/a.tar" phys@0x10+16
expect_status 3
run gpu-snap extract "$work/a.tar" ggtt@0x4000+0x1000
expect_status 6
expect_err_line 'gpu-snap: ggtt: * written as zeros*'
run gpu-snap extract "$work/a.tar"
expect_status 2
run gpu-snap extract --from demo:skl-hang "$work/a.tar" ggtt
expect_status 2

title 'to an image of the BAR'
run gpu-snap convert "$work/a.tar" --to bar -o "$work/bar"
expect_status 6
same 'its size' "$(wc -c <"$work/bar" | tr -d ' ')" $((16 << 20))
run gpu-regdump --from demo:skl-hang --json
jq -c '.registers[] | select(.status == "ok" and .space == "mmio") | [.offset, .value]' "$out" \
	>"$work/values.capture"
run gpu-regdump -p 0x1912 --from "bar:$work/bar" --unsafe --json
jq -c '.registers[] | select(.status == "ok" and .space == "mmio") | [.offset, .value]' "$out" \
	>"$work/values.bar"
[ "$(wc -l <"$work/values.capture")" -gt 100 ] || fail 'next to no registers'
grep -vFx -f "$work/values.bar" "$work/values.capture" >"$work/lost" &&
	fail "not in the image: $(head -n 3 "$work/lost")"
# Zeros that are held need no room, either.
truncate -s 16M "$work/zeros"
printf '\1' | dd of="$work/zeros" bs=1 seek=$((0x2030)) conv=notrunc 2>/dev/null
run gpu-snap convert -p skl -s "bar:$work/zeros" --to bar -o "$work/again"
expect_status 0
cmp -s -n 2097152 "$work/zeros" "$work/again" || fail 'another image'
[ "$(stat -c %b "$work/again")" -le 1024 ] || fail "$(stat -c %b "$work/again") blocks for zeros"
run gpu-snap convert "$work/a.tar" --to bar -o -
expect_status 6
cmp -s "$out" "$work/bar" || fail 'a pipe gets another image'
if command -v intel_reg >/dev/null; then
	intel_reg --mmio="$work/bar" --devid=0x1912 read 0x2030 0x2034 2>/dev/null |
		sed -n 's/.*: 0x\([0-9a-f]*\)$/\1/p' >"$work/theirs"
	[ -s "$work/theirs" ] || fail 'intel_reg reads nothing'
	run gpu-regdump --from demo:skl-hang --json 0x2030 0x2034
	jq -r '.registers[] | .value' "$out" | sed 's/^0x//' |
		while read -r value; do printf '%08x\n' "0x$value"; done >"$work/ours"
	cmp -s "$work/theirs" "$work/ours" ||
		fail "intel_reg reads $(tr '\n' ' ' <"$work/theirs"), not $(tr '\n' ' ' <"$work/ours")"
fi

# batches FILE: those that are no ring, with their commands
batches() {
	run gpu-batch --from "$1" --json
	jq -S '[.buffers[] | select(.kind != "ring" and .engine == "rcs0") |
		{kind, address, commands: [.commands[] | del(.marks)]}]' "$out"
}

title 'to a trace and back'
for demo in snb-hang skl-hang icl-trtt; do
	run gpu-snap convert demo:$demo --to aub -o "$work/$demo.aub"
	expect_status 6
	expect_err_line 'gpu-snap: trace: *bytes of ggtt were not read: they are zero in the trace*'
	batches demo:$demo >"$work/batches.demo"
	batches "$work/$demo.aub" >"$work/batches.aub"
	[ "$(jq length "$work/batches.demo")" -gt 0 ] || fail 'no batches'
	cmp -s "$work/batches.demo" "$work/batches.aub" || fail "$demo: other batches: \
$(diff "$work/batches.demo" "$work/batches.aub" | head -n 6 | tr '\n' ' ')"
	run gpu-snap info --json "$work/$demo.aub"
	expect_status 0
	expect_json '.kinds' '["AUB trace"]'
	run gpu-snap convert "$work/$demo.aub" --to capture -o "$work/$demo.again"
	expect_status 0
	equal "$demo" gpu-batch "$work/$demo.aub" "$work/$demo.again"
	equal "$demo" 'gpu-ptwalk -m ggtt --map' "$work/$demo.aub" "$work/$demo.again"
done

title 'usage of convert'
run gpu-snap convert "$work/a.tar" -o "$work/never"
expect_status 2
run gpu-snap convert "$work/a.tar" --to nonsense -o "$work/never"
expect_status 2
run gpu-snap convert "$work/a.tar" --to bar
expect_status 2
run gpu-snap convert "$work/a.tar" --to bar --redact -o "$work/never"
expect_status 2
run gpu-snap save --to bar --from demo:skl-hang -o "$work/never"
expect_status 2
run gpu-snap info --redact "$work/a.tar"
expect_status 2
[ -e "$work/never" ] && fail 'it left a file'

# An error state with every kind of private thing in it.
cat >"$work/error" <<'END'
GPU HANG: ecode 9:1:0x85dffffb, in secretproc [1981]
Kernel: 5.15.0-secretkernel x86_64
Driver: 20201103
Time: 1500000000 s 1 us
Active process (on ring rcs0): secretproc [1981]
Platform: SKYLAKE
PCI ID: 0x1912
PCI Revision: 0x06
PCI Subsystem: 1028:06dc
IOMMU enabled?: 0
GuC firmware: /lib/firmware/secretpath.bin
EIR: 0x00000000
PGTBL_ER: 0x00000000
rcs0 command stream:
  CCID:  0x00000000
  START: 0x00008000
  HEAD:  0x00000040 [0x00000000]
  TAIL:  0x00000048 [0x00000000, 0x00000000]
  CTL:   0x00003001
  ACTHD: 0x00000000 0000003c
  IPEHR: 0x7a000004
  hung: 1
  Active context: secretproc[1981] prio 0, guilty 1 active 0
rcs0 --- ring = 0x00000000 00008000
:secretbytesAAAAbbbbCCCC
00000000 :  5ec4e751
END
printf '[    1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in secretproc [1981]\n' \
	>"$work/log"
mkdir -p "$work/tree/stored" "$work/tree/kernel" "$work/tree/notes"
tar xf "$work/a.tar" -C "$work/tree"
cp "$work/error" "$work/tree/stored/error-state"
cp "$work/log" "$work/tree/kernel/log"
echo 'a secretnote' >"$work/tree/notes/mine"
# shellcheck disable=SC2046
tar cf "$work/rich.tar" -C "$work/tree" $(tar tf "$work/a.tar") stored kernel notes

title 'a terminal gets plain text alone'
for odd in '\302\2332J' '\233' '\033[2J' '\342\200\256' '\363\240\200\241' '\r'; do
	# shellcheck disable=SC2059
	printf "odd $odd end\n" >"$work/tree/notes/odd"
	# shellcheck disable=SC2046
	tar cf "$work/odd.tar" -C "$work/tree" $(tar tf "$work/a.tar") notes
	echo 'end 0' | "$PTY" gpu-snap extract "$work/odd.tar" notes/mine || fail 'plain text'
	echo 'end 2' | "$PTY" gpu-snap extract "$work/odd.tar" notes/odd || fail "shows $odd"
	run gpu-snap extract "$work/odd.tar" notes/odd
	expect_status 0
done

title 'what the kernel had kept, and its log'
run gpu-fault --from "$work/rich.tar" --json
expect_status 0 6
expect_json '[.stored[] | .path, .kind]' '["stored/error-state","i915 error state"]'
expect_json '.now.verdict == .verdict' false
run gpu-fault --from "$work/rich.tar"
expect_out_has '^## i915 error state stored/error-state, '
expect_out_has '^## registers when the capture was made'
run gpu-fault --dmesg --from "$work/rich.tar" --json
expect_status 0
expect_json '[.faults[] | .kind]' '["hang"]'
run gpu-snap extract "$work/rich.tar" stored/error-state
cmp -s "$out" "$work/error" || fail 'not the error state'

title 'members stay where a capture is saved again'
run gpu-snap save --from "$work/rich.tar" -o "$work/again.tar"
expect_status 0
for member in stored/error-state kernel/log notes/mine; do
	tar xOf "$work/again.tar" $member 2>/dev/null | cmp -s - "$work/tree/$member" ||
		fail "$member is not there, or another"
done
equal 'again' gpu-fault "$work/rich.tar" "$work/again.tar"
same 'when it was made' "$(tar xOf "$work/again.tar" gpuscope/info | grep ^created)" \
	"$(tar xOf "$work/rich.tar" gpuscope/info | grep ^created)"

title '--redact'
run gpu-snap save --from "$work/rich.tar" --redact --mem 0x10000+4K --tables -o "$work/clean.tar"
expect_status 0
grep -aiq secret "$work/clean.tar" && fail "it has $(grep -aio 'secret[a-z]*' "$work/clean.tar" | head -n 1)"
grep -aq 5ec4e751 "$work/clean.tar" && fail 'bytes of a buffer are in it'
tar tf "$work/clean.tar" | grep -q -e ^phys/ -e ^lmem/ -e ^gttmem/ -e ^ppgttmem/ -e ^kernel/ -e ^notes/ &&
	fail 'memory, or what nobody has looked at, is in it'
tar tf "$work/clean.tar" | grep -q ^ggtt/ || fail 'no GGTT in it'
run gpu-snap info --json "$work/clean.tar"
expect_status 0
expect_json .redacted true
expect_json '.left_out' '["kernel/log: redacted","1 other member: redacted"]'
run gpu-snap info --json "$work/rich.tar"
expect_json '[.redacted, .left_out]' '[false,[]]'
cp "$out" "$work/info.json"
run gpu-snap extract "$work/clean.tar" stored/error-state
expect_out_has '^GPU HANG: ecode 9:1:0x85dffffb$'
expect_out_has '^  ACTHD: 0x00000000 0000003c$'
expect_out_has '^Platform: SKYLAKE$'
expect_out_has '^Redacted: [0-9]+ lines left out$'
run gpu-fault --from "$work/clean.tar" --json
expect_status 0
expect_json '[.stored[] | .kind]' '["i915 error state"]'
expect_json '[.engines[] | select(.name == "rcs0") | .acthd]' '["0x3c"]'
run gpu-snap save --from "$work/clean.tar" -o "$work/clean2.tar"
expect_status 0
run gpu-snap info --json "$work/clean2.tar"
expect_json .redacted true
run gpu-snap convert "$work/error" --to capture --redact -o "$work/clean.tar"
expect_status 0 6
grep -aiq secret "$work/clean.tar" && fail 'a name is in it'
expect_schemas

title 'an error state'
run gpu-snap convert "$work/error" --to capture -o "$work/of-file"
expect_status 0 6
run gpu-snap save --from "$work/of-file" -o "$work/of-capture"
for file in of-file of-capture; do
	equal $file gpu-fault "$work/error" "$work/$file"
	equal $file gpu-batch "$work/error" "$work/$file"
	equal $file gpu-regdump "$work/error" "$work/$file"
done

title 'what is inside a capture may be broken'
mkdir "$work/broken"
printf 'format: 1\nplatform: skl\n' >"$work/broken/info"
mkdir -p "$work/broken/gpuscope" "$work/broken/dump" "$work/broken/stored"
mv "$work/broken/info" "$work/broken/gpuscope/info"
head -c 5000 /dev/urandom >"$work/broken/dump/noise"
head -c 5000 /dev/urandom >"$work/broken/stored/noise"
tar cf "$work/broken.tar" -C "$work/broken" gpuscope/info dump/noise stored/noise
run gpu-snap info "$work/broken.tar"
expect_status 6
run gpu-fault --from "$work/broken.tar"
expect_status 3 6

title 'nothing is left by a signal'
if command -v timeout >/dev/null; then
	mkdir "$work/target"
	head -c $((64 << 20)) /dev/urandom >"$work/large"
	set --
	for address in $(seq 0 $((64 << 20)) $((4 << 30))); do
		set -- "$@" -s "mem:$work/large@$address"
	done
	for signal in INT TERM HUP; do
		timeout -s $signal 0.5 gpu-snap save -q -p skl "$@" -o "$work/target/capture" \
			>"$out" 2>"$err"
		same "the status after $signal" $? 124
		same "what $signal leaves" "$(ls "$work/target")" ''
	done
	rm "$work/large"
fi
# Mail breaks base 85 anywhere: a rest may look like a key and its value, or like a title.
title '--redact of base 85 that mail has broken'
rests='t=3 Ab: a.b:12 0x1:0x2 q=0x00000001 yes=no GTIER:1 x[0]=7 #1:'
{
	printf '%s\n' 'GPU HANG: ecode 9:1:0x85dffffb' 'Kernel: 6.1.0' 'Time: 1500000000 s 1 us' 'PCI ID: 0x1912' \
		'EIR: 0x00000000' 'GTIER[0]: 0x00000000' 'rcs0 command stream:' '  HEAD: 0x00000040 [0x00000000]' \
		'rcs0 --- batch = 0x00000000 00012000'
	for rest in $rests; do
		printf '~%076d\n%s\n' 0 "$rest"
		printf '> %s\n' "$rest"
	done
} >"$work/mailed"
run gpu-snap save --from "$work/mailed" --redact -o "$work/clean.tar"
expect_status 0 6
run tar xf "$work/clean.tar" -O --wildcards '*error-state*'
for rest in $rests; do
	! grep -Fq -e "$rest" "$out" || fail "the rest '$rest' is in it"
done
expect_out_has '^ *GTIER\[0\]: 0x00000000$'
expect_out_has '^rcs0 command stream:$'

finish
