#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-eu: instructions of files in every form, the programs that a source's commands start, one at an
# address, and what is wrong with them.
. "$(dirname "$0")/../lib.sh"
needs gpu-eu gpu-batch gpu-report jq python3

# mov, add with an unknown opcode after it, mov again.
mov='00600001 2e000208 008d0020 00000000'
unknown='0060007f 2e000208 008d0020 00000000'
text='mov(8)          g112<1>UD       g1<8,8,1>UD                     { align1 1Q };'

# bytes WORD...: little-endian
bytes() {
	for _word; do
		_word=$(printf '%08x' "0x$_word")
		for _at in 7 5 3 1; do
			printf "\\$(printf '%03o' "0x$(echo "$_word" | cut -c$_at-$((_at + 1)))")"
		done
	done
}

# shellcheck disable=SC2086
bytes $mov $mov >"$work/two.bin"

title 'bytes'
run gpu-eu -p skl -q "$work/two.bin"
expect_status 0
expect_out "$text
$text"
run gpu-eu -p skl "$work/two.bin"
expect_out "# gpu-eu 1.0 platform skl source $work/two.bin
$text
$text"
run_in "$work/two.bin" gpu-eu -p 0x1912 -q -
expect_status 0
expect_out "$text
$text"
run gpu-eu -p skl -q --raw --offsets -a 0x1040 "$work/two.bin"
expect_out "0x00001040:  $mov  $text
0x00001050:  $mov  $text"
if built_with gzip; then
	gzip -c "$work/two.bin" >"$work/two.gz"
	run gpu-eu -p skl -q "$work/two.gz"
	expect_out "$text
$text"
fi

title 'text, as tools write it'
words_are() {
	run_in "$work/words" gpu-eu -p skl -q -
	expect_status 0
	expect_out "$text
$text"
}
printf '%s\n' "$mov" "$mov" >"$work/words"
words_are
printf '# a comment\n\n[0x00] %s\n[0x10] %s // mov\n' "$mov" "$mov" >"$work/words"
words_are
echo "{ 0x600001, 0x2e000208, 0x8d0020, 0x0, 0x00600001, 0x2e000208, 0x008d0020, 0 }" |
	sed 's/, 0 }/, 0x0 }/' >"$work/words"
words_are
printf '%s\n' '00000000 : 00600001' '00000004 : 2e000208' '00000008 : 008d0020' '0000000c : 00000000' \
	'00000010 : 00600001' '00000014 : 2e000208' '00000018 : 008d0020' '0000001c : 00000000' >"$work/words"
words_are
printf '0x2e00020800600001 0x00000000008d0020\r\n0x2e00020800600001 0x00000000008d0020\r\n' >"$work/words"
words_are
cat >"$work/words" <<'END'
00000000: 0100 6000 0802 002e 2000 8d00 0000 0000  ..`..... .......
00000010: 0100 6000 0802 002e 2000 8d00 0000 0000  ..`..... dead be
END
words_are
cat >"$work/words" <<'END'
00000000  01 00 60 00 08 02 00 2e  20 00 8d 00 00 00 00 00  |..`..... .......|
00000010  01 00 60 00 08 02 00 2e  20 00 8d 00 00 00 00 00  |..`..... .......|
00000020
END
words_are
cat >"$work/words" <<'END'
0000000 0001 0060 0208 2e00 0020 008d 0000 0000
0000020 0001 0060 0208 2e00 0020 008d 0000 0000
0000040
END
words_are
printf '01 00 60 00 08 02 00 2e 20 00 8d 00 00 00 00 00  mov(8) g112<1>UD\n' >"$work/words"
cat "$work/words" >>"$work/words.2"
cat "$work/words" >>"$work/words.2"
mv "$work/words.2" "$work/words"
words_are
printf '010060000802002e20008d0000000000010060000802002e20008d0000000000\n' >"$work/words"
words_are

title 'lines that are no words'
printf '%s\nwhat is this\n%s\n' "$mov" "$mov" >"$work/words"
run gpu-eu -p skl -q "$work/words"
expect_status 6
expect_out "$text
$text"
expect_err_line "gpu-eu: $work/words:2: no hexadecimal words, skipped"
printf '0000000 0001 0060 0208 2e00 0020 008d 0000 0000\n*\n0000040\n' >"$work/words"
run gpu-eu -p skl -q "$work/words"
expect_status 6
expect_err_line "gpu-eu: $work/words:2: lines are missing here: run hexdump or od with -v, so that it prints all of them"
printf 'nothing\n' >"$work/words"
run gpu-eu -p skl --format text "$work/words"
expect_status 1
expect_err_line "gpu-eu: $work/words: no line has hexadecimal words"

title '--lint'
printf '%s\n' "$mov" '00600001 21403ae8 006d0040 00000000' >"$work/words"
run gpu-eu -p skl --lint "$work/words"
expect_status 6
expect_out "# gpu-eu 1.0 platform skl source $work/words
region-rows        0x00000010 mov(8): source 0, <4;8,1>: the region is one row, so the vertical stride must be the width times the horizontal stride"
expect_err_line 'gpu-eu: --lint: 1 finding'
run gpu-eu -p skl --lint --json "$work/words"
expect_status 6
expect_json '.findings | map(.rule)' '["region-rows"]'
printf '%s\n' "$mov" >"$work/words"
run gpu-eu -p skl --lint "$work/words"
expect_status 0
expect_out "# gpu-eu 1.0 platform skl source $work/words
no findings"

title 'an unknown opcode, and an end within an instruction'
printf '%s\n' "$mov" "$unknown" "$mov 12" >"$work/words"
run gpu-eu -p skl -q "$work/words"
expect_status 6
expect_out "$text
illegal         /* unknown: 0x0060007f 0x2e000208 0x008d0020 0x00000000 */
$text
// truncated: 1 bytes: 12"
expect_err_line 'gpu-eu: 1 of 3 instructions: unknown opcode, the first at 0x00000010'
expect_err_line "gpu-eu: $work/words: truncated: ends with 1 byte of an instruction"
for options in --cfg '--cfg --svg'; do
	# shellcheck disable=SC2086
	run gpu-eu -p skl -q $options "$work/words"
	expect_status 6
	expect_err_line 'gpu-eu: 1 of 3 instructions: unknown opcode, the first at 0x00000010'
	expect_err_line "gpu-eu: $work/words: truncated: ends with 1 byte of an instruction"
done
same 'lines after the drawing' "$(tail -n 1 "$out")" '</svg>'

title 'fields'
run gpu-eu -p skl -q --fields "$work/two.bin"
expect_status 0
expect_out_has '^    EU_INSTRUCTION$'
expect_out_has '^      6:0   OPCODE  *0x1$'
expect_out_has '^    EU_SOURCE0_ALIGN1$'
expect_out_has '^    76:69   REGISTER  *0x1  *1$'
expect_out_has '^     10:9   DEPENDENCY_CONTROL  *0x0  *none$'

# Bits that the form takes mean nothing else: a shared function is no condition.
title 'fields of a message and of a jump'
bytes 05600032 20003a40 06000f80 88031400 00000020 34000004 0e001400 ffffffe0 >"$work/send.bin"
run gpu-eu -p skl -q --fields "$work/send.bin"
expect_status 0
sed '/^jmpi/,$d' "$out" >"$work/send"
sed -n '/^jmpi/,$p' "$out" >"$work/jump"
grep -q '^    27:24   SHARED_FUNCTION  *0x5  *render' "$work/send" || fail 'no shared function'
grep -q '^    76:69   REGISTER  *0x7c  *124$' "$work/send" || fail 'no payload'
! grep -q CONDITION_MODIFIER "$work/send" || fail 'a condition of a message'
grep -q '^   127:96   VALUE  *0xffffffe0$' "$work/jump" || fail 'no distance'
grep -q '^       28   BRANCH_CONTROL ' "$work/jump" || fail 'no branch control'
! grep -q ACCUMULATOR_WRITE "$work/jump" || fail 'it writes the accumulator'
run gpu-eu -p skl --json "$work/two.bin"
cp "$out" "$work/eu.json"
expect_status 0
expect_json '.programs[0] | [.name, .address, .stage, .simd, .size, (.instructions | length)]' \
	"[\"$work/two.bin\",null,null,null,32,2]"
expect_json '.programs[0].instructions[1] | [.offset, .size, .compacted, .opcode, .exec_size, .jip]' \
	'["0x10",16,false,"mov",8,null]'
expect_json '.programs[0].instructions[0].text' "\"$text\""
expect_json '[.programs[0].instructions[0].fields[] | select(.name == "OPCODE") |
	[.structure, .hi, .lo, .value]]' '[["EU_INSTRUCTION",6,0,"0x1"]]'
run gpu-eu -p skl --ndjson "$work/two.bin"
cp "$out" "$work/eu.ndjson"
same 'lines of NDJSON' "$(wc -l <"$out")" 2

title 'definitions of the user'
cat >"$work/own.def" <<'END'
format 1
origin mesa "made up"
instruction move 0x01 sources=1 on=skl
instruction seven_f 0x7f form=nop on=skl
END
run gpu-eu -p skl -q --define "$work/own.def" "$work/two.bin"
expect_status 0
expect_out_has '^move\(8\) '
printf '%s\n' "$unknown" >"$work/words"
run gpu-eu -p skl -q --define "$work/own.def" "$work/words"
expect_status 0
expect_out 'seven_f;'

title 'in the syntax of IGA'
run gpu-eu -p skl -q --syntax iga "$work/two.bin"
expect_status 0
same 'its first line' "$(tr -s ' ' <"$out" | head -n 1)" ' mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud'
printf '%s\n' '00000020 00000000 0e000000 00000010' "$mov" "$mov" "$unknown" \
	'00600027 20000000 00000000 00000010' >"$work/words"
run gpu-eu -p skl -q --syntax iga "$work/words"
expect_status 6
same 'jumps, labels up to the end, what is unknown' "$(sed 's/^ *//; s/  */ /g; /^$/d' "$out")" 'jmpi L32
mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud
L32:
mov (8|M0) r112.0<1>:ud r1.0<8;8,1>:ud
illegal /* unknown: 0x0060007f 0x2e000208 0x008d0020 0x00000000 */
while (8|M0) L80
L80:'
run gpu-eu -p skl --json --syntax iga "$work/words"
expect_json '.programs[0].instructions | map(.label)' '[null,null,32,null,null]'
expect_json '.programs[0].instructions[0].text | test("jmpi +L32$")' true
run gpu-eu -p snb --syntax iga "$work/two.bin"
expect_status 2
expect_err_line "gpu-eu: snb: IGA, Intel's assembler, begins with Gen7: leave out --syntax (try --help)"

title 'basic blocks'
printf '%s\n' '00000020 00000000 0e000000 00000010' "$mov" "$mov" >"$work/words"
run gpu-eu -p skl -q --cfg -a 0x1000 "$work/words"
expect_status 0
same 'blocks' "$(sed 's/  *jmpi(1).*/  jmpi/' "$out")" '   0  0x00001000-0x00001010  to 2 (JIP)  jmpi
   1  0x00001010-0x00001020  to 2
   2  0x00001020-0x00001030'
run gpu-eu -p skl --cfg --svg "$work/words"
expect_status 0
same 'boxes' "$(grep -c '<rect ' "$out")" 3
same 'jumps and lines' "$(grep -c '<path[^>]*marker-end' "$out")" 2
python3 -c 'import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])' "$out" || fail 'no XML'
run gpu-eu -p skl --svg "$work/words"
expect_status 2
run gpu-eu -p skl --cfg --json "$work/words"
expect_status 2
run gpu-eu -p skl --json "$work/words"
expect_json '.programs[0].instructions[0] | [.opcode, .jip, .uip]' '["jmpi","0x20",null]'

# A message with a predicate that ends the thread is longer than a box is wide.
printf '%s\n' '07604032 20003a40 06000f80 88031400' >"$work/words"
run gpu-eu -p skl --cfg --svg "$work/words"
expect_status 0
same 'characters of the longest line of a box' \
	"$(sed -n 's/&[a-z]*;/x/g; s/.*class="last"[^>]*>\([^<]*\)<.*/\1/p' "$out" | wc -c)" 69

# From Tiger Lake on the distance of jmpi lies where that of other jumps does.
new_mov='00030061 16050220 00460005 00000000'
printf '%s\n' '80000020 00004000 00000000 00000020' "$new_mov" "$new_mov" >"$work/words"
run gpu-eu -p tgl -q --cfg "$work/words"
expect_status 0
same 'blocks' "$(sed 's/  *jmpi(1).*/  jmpi/' "$out")" '   0  0x00000000-0x00000010  to 2 (JIP)  jmpi
   1  0x00000010-0x00000020  to 2
   2  0x00000020-0x00000030'
run gpu-eu -p ptl --json "$work/words"
expect_json '.programs[0].instructions[0] | [.opcode, .jip, .uip]' '["jmpi","0x20",null]'

title 'a kernel log'
printf '<6>[    1.000000] Linux version 6.12.4\n<3>[   10.000000] i915 0000:00:02.0: GPU HANG: ecode 9:1:85dffffb\n' \
	>"$work/log"
run gpu-eu "$work/log"
expect_status 3
expect_err_line "gpu-eu: $work/log: a kernel log: it has no registers, tables or batches; try: gpu-fault -s $work/log"

title 'the output of a compiler'
printf '\177ELF\002\001\001' >"$work/kernels.bin"
run gpu-eu -p cri "$work/kernels.bin"
expect_status 1
expect_err_line "gpu-eu: $work/kernels.bin: an ELF file: take its instructions out of it; try: objcopy -I elf64-little -O binary --only-section=.text.KERNEL $work/kernels.bin KERNEL.bin"

title 'what is asked wrongly'
run gpu-eu "$work/two.bin"
expect_status 2
expect_err_line 'gpu-eu: platform: unknown, as a file of instructions does not name it: give -p (try --help)'
run gpu-eu -p skl -a 0x1001 "$work/two.bin"
expect_status 2
run gpu-eu -p skl "$work/two.bin" "$work/two.bin"
expect_status 2
run gpu-eu -p pnv "$work/two.bin"
expect_status 2
expect_err_line 'gpu-eu: pnv: no definition says how its EUs encode instructions (try --help)'
run gpu-eu -p skl "$work/nothing"
expect_status 1

title 'the programs of a source'
{
	printf 'Time: 1384000000 s 1 us\nPCI ID: 0x1912\nrcs0 command stream:\n  START: 0x00001000\n'
	printf '  HEAD: 0x00000018 [0x00000000]\n  TAIL: 0x00000028 [0x00000000, 0x00000000]\n'
	printf '  CTL: 0x00003001\n  ACTHD: 0x00000000 10c500a0\n  IPEHR: 0x05000000\n'
	printf 'rcs0 --- batch = 0x00000000 10c50000\n'
	at=0
	for word in 61010011 0 0 0 0 0 0 0 0 0 10d00001 0 0 0 0 fffff001 0 0 0 \
		7820000a 40 0 0 0 0 1 0 0 0 0 0 7820000a 40 0 0 0 0 1 0 0 0 0 0 05000000; do
		printf '%08x :  %08x\n' $at "0x$word"
		at=$((at + 4))
	done
	printf 'rcs0 --- user = 0x00000000 10d00000\n'
	at=0
	for word in 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 $mov \
		07600031 20001a0c 06000e00 82000010 $mov; do
		printf '%08x :  %08x\n' $at "0x$word"
		at=$((at + 4))
	done
} >"$work/error"
run gpu-eu -q "$work/error"
expect_status 0 6
same 'the first line' "$(head -n 1 "$out")" "$text"
same 'lines' "$(wc -l <"$out")" 2
run gpu-eu "$work/error"
expect_out_has '^# ps SIMD8 at ppgtt:0x10d00040, 32 bytes, 3DSTATE_PS at 0x10c5004c, rcs0 batch at'
run gpu-eu --json "$work/error"
cp "$out" "$work/eu-source.json"
expect_json '.programs | map([.name, .address, .space, .stage, .simd, .engine, .command, .size])' \
	'[["ps-0x10d00040","0x10d00040","ppgtt","ps",8,"rcs0","3DSTATE_PS",32]]'
run gpu-batch "$work/error" --kernels "$work/kernels"
cut -d ' ' -f 1 "$work/kernels/ps-0x10d00040.asm" | head -n 1 >"$work/first"
same 'the text beside the bytes' "$(cat "$work/first")" 'mov(8)'
run gpu-batch "$work/error" --state
expect_out_has '^    kernel ps SIMD8 at 0x10d00040, 32 bytes$'
expect_out_has '^        mov\(8\) .* g1<8,8,1>UD .*;$'
run gpu-batch "$work/error" --state --json
cp "$out" "$work/batch-state.json"
expect_json '[.buffers[].commands[].kernels // empty | map([.stage, .address, .simd, .size])]' \
	'[[["ps","0x10d00040",8,32]],[["ps","0x10d00040",8,32]]]'
run gpu-eu -p skl -q "$work/kernels/ps-0x10d00040.bin"
same 'the first line' "$(head -n 1 "$out")" "$text"

title 'a program by its address'
run gpu-eu "$work/error" -a 0x10d00050 -q --offsets
same 'the lines' "$(sed 's/  .*  /  /; s/{ .* }; /{ align1 1Q };/' "$out")" '0x10d00040:  { align1 1Q };
0x10d00050:  // <- here'
run gpu-eu "$work/error" -a 0x10d00060 -q --offsets
expect_status 6
expect_out "0x10d00060:  $text"
expect_err_line 'gpu-eu: program at 0x10d00060: *'
run gpu-eu "$work/error" -a 0x12345000
expect_status 3
expect_err_line 'gpu-eu: 0x12345000: *'
run gpu-eu demo:skl-hang -a 0x300001000
expect_status 3
expect_err_line 'gpu-eu: 0x300001000: ppgtt: * phys:0x180801000*; ggtt: * past the end of *'

title 'a program of Xe3P ends with a sendg'
{
	printf 'Time: 1384000000 s 1 us\nPCI ID: 0x674c\nccs0 --- user = 0x00000000 10d00000\n'
	at=0
	for word in 00100061 02050220 00100104 00000000 80003f33 00000001 3000000c 00000000 $mov; do
		printf '%08x :  %08x\n' $at "0x$word"
		at=$((at + 4))
	done
} >"$work/xe3p"
run gpu-eu "$work/xe3p" -a 0x10d00000 -q --syntax iga
expect_status 0
same 'its lines' "$(sed 's/^ *//; s/  */ /g' "$out")" 'mov (16|M0) r2.0<1>:ud r1.0<1;1,0>:ud
(W) sendg.gtwy (1|M0) null r0:1 null:0 0x0 {EOT}'

title 'a compute kernel has the width that its walker says'
{
	printf 'Time: 1384000000 s 1 us\nPCI ID: 0x1912\nrcs0 --- batch = 0x00000000 10c50000\n'
	at=0
	for word in 61010011 0 0 0 0 0 10d00001 0 0 0 10d00001 0 0 0 0 fffff001 0 0 0 \
		70020002 0 20 100 7105000d 0 0 0 40000000 0 0 0 0 0 0 0 0 0 0 05000000; do
		printf '%08x :  %08x\n' $at "0x$word"
		at=$((at + 4))
	done
	printf 'rcs0 --- user = 0x00000000 10d00000\n'
	at=0
	for word in 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 $mov 07600031 20001a0c 06000e00 82000010 \
		0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 \
		40 0 0 0 0 0 0 0; do
		printf '%08x :  %08x\n' $at "0x$word"
		at=$((at + 4))
	done
} >"$work/compute"
run gpu-eu --json "$work/compute"
expect_json '.programs | map([.stage, .address, .simd, .command])' \
	'[["cs","0x10d00040",16,"MEDIA_INTERFACE_DESCRIPTOR_LOAD"]]'

title 'the kernels where an engine stopped, in a report'
run gpu-report "$work/error" -o "$work/report.html"
expect_status 0
same 'kernels' "$(grep -c 'ps</b> SIMD8 at 0x10d00040, 32 bytes, 3DSTATE_PS at 0x10c5007c$' \
	"$work/report.html")" 1
grep -q '> *0x10d00040:  mov(8) .*g112&lt;1&gt;UD' "$work/report.html" || fail 'no instructions'

title 'a source that starts no program'
run gpu-eu demo:skl-hang
expect_status 3
expect_err_line 'gpu-eu: programs: no command starts one; -a ADDR shows what is at an address'

run gpu-eu --json demo:skl-hang
expect_status 3
expect_json '[.schema, .programs]' '["gpuscope.eu/1",[]]'
run gpu-eu --json demo:skl-hang -a 0x300001000
expect_status 3
expect_json '.programs' '[]'
run gpu-eu --lint --json demo:skl-hang
expect_status 3
expect_json '.findings' '[]'

title 'an address as it is printed'
run gpu-eu demo:skl-hang -a ppgtt:0x100020000
expect_out_has '^# program at ppgtt:0x100020000,'
run gpu-eu demo:skl-hang -a ggtt:0x8000
expect_out_has '^# program at ggtt:0x8000,'
for address in ppgtt:0x8000 ggtt:0x100020000; do
	run gpu-eu demo:skl-hang -a $address
	expect_status 3
	expect_out_lacks '# program'
done
run gpu-eu demo:skl-hang -a lmem:0x100020040
expect_status 2
expect_err_line 'gpu-eu: --address: expected a graphics address*'

expect_schemas
finish
