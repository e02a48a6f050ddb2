#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-sh: expressions and what they are of use for: values, variables, if, scripts with arguments,
# aliases, memory, finding things, force, and what is refused of all that.
. "$(dirname "$0")/../lib.sh"
needs gpu-sh

cd "$work" || exit 1
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

# sh_run COMMANDS: in a session on the hung Skylake
sh_run() {
	run gpu-sh -s demo:skl-hang -c "$1"
}

# says COMMANDS TEXT: this is what they print
says() {
	sh_run "$1"
	expect_status 0
	expect_out "$2"
}

# wrong COMMANDS LINE [STATUS]: nothing is printed but this message
wrong() {
	sh_run "$1"
	expect_status "${3:-2}"
	expect_out_empty
	expect_err_line "gpu-sh: $2"
}

title 'print'
says 'print 1 + 2 * 3' '0x7  7'
says 'print 0x2000 + 4*8' '0x2020  8224'
says '0x2000 + 4*8' '0x2020  8224'
says 'print (1|2) ^ 0xff & ~0xf' '0xf3  243'
says 'print 1 << 5 | 1' '0x21  33'
says 'print 7 > 6; print 7 >> 1; print 2 <= 1' '0x1  1
0x3  3
0x0  0'
says 'print/x 255; print/d -1; p/u -1; p/t 10' '0xff
-1
18446744073709551615
0b1010'
says 'print 0b101; print 1_000; print 4K' '0x5  5
0x3e8  1000
0x1000  4096'
says 'print -1 > 1' '0x1  1'
says 'print !0 && !(1 == 2)' '0x1  1'
says 'repeat 2 print 1|2' '0x3  3
0x3  3'
run gpu-sh -p skl -s none -j -c 'print 1 + 1'
expect_json '.events' '[{"event":"value","expression":"1 + 1","value":"0x2"}]'

title 'registers and fields have values'
says 'print rcs0.RING_TAIL' '0xc98  3224'
says 'print rcs0.RING_TAIL:TAIL_OFFSET' '0x193  403'
says 'print rcs0.RING_TAIL.TAIL_OFFSET' '0x193  403'
says 'print mmio:0x2030' '0xc98  3224'
says 'print 0x2030:TAIL_OFFSET*8' '0xc98  3224'
says 'print (rcs0.RING_TAIL&~0xff)+1' '0xc01  3073'
says 'print rcs0.RING_TAIL-rcs0.RING_TAIL' '0x0  0'
says 'rcs0.RING_TAIL + 8' '0xca0  3232'
says "print RING_FAULT_REG:FAULT_TYPE == 'invalid PDE'" '0x1  1'
says 'print rcs0.MI_MODE.STOP_RINGS == normal' '0x1  1'
says 'print rcs0.MI_MODE.STOP_RINGS != stopped && 1' '0x1  1'
sh_run 'rcs0.RING_TAIL.TAIL_OFFSET'
expect_out_has 'TAIL_OFFSET +0x193'
wrong 'print RING_TAIL' 'RING_TAIL: means 5 registers, expected one: rcs0.RING_*'
wrong 'print rcs0.RING_TALI' 'rcs0.RING_TALI: unknown register*' 3
make_bar "$work/bar" skl 0x2030 0x150
run gpu-sh -p skl -s bar:bar -c 'print config:0x50'
expect_status 3
expect_out_empty
expect_err_line 'gpu-sh: config:0x50: not in this dump'

title 'both halves of a register are its value'
says 'print rcs0.ACTHD' '0x10002003c  4295098428'
says 'print rcs0.ACTHD & 0xffffffff' '0x2003c  131132'
says 'print rcs0.RING_PDP_LDW[0]' '0x22543a000  9215123456'
says 'print mmio:0x2074; print rcs0.ACTHD_UDW; print rcs0.ACTHD.HEAD_POINTER' '0x2003c  131132
0x1  1
0x800f  32783'
make_bar "$work/half" skl 0x2074 0x2003c
run gpu-sh -p skl -s bar:half -c 'print rcs0.ACTHD_UDW | 0'
expect_status 0
printf '0x2074 0x2003c\n' >half.txt
run gpu-sh -p skl -s half.txt -c 'print rcs0.ACTHD'
expect_status 3
expect_out_empty
expect_err_line 'gpu-sh: rcs0.ACTHD_UDW: not in this dump; the lower half alone: mmio:0x2074'
run gpu-sh -s demo:snb-hang -c 'print rcs0.ACTHD >> 32'
expect_out '0x0  0'

title 'what is no expression'
wrong 'print' 'print: expected an expression *'
wrong 'print 1 +' 'the end: expected a number, a register or a parenthesis *'
wrong 'print 1 2' '2: unexpected *'
wrong 'print (1' 'the end: expected a ) or an operator *'
wrong 'print 1)' '): unexpected *'
wrong 'print 1 = 2' '= 2: unexpected: == compares *'
wrong 'print 1 |= 2' '|= 2: expected an expression, not a write *'
wrong 'print 0x1g' '0x1g: not a number *'
wrong 'print 1 / 0' '/: division by zero *'
wrong 'print 1 % (rcs0.RING_TAIL - rcs0.RING_TAIL)' '%: division by zero *'
wrong 'print 1 << 64' '<<: a shift is by 0 to 63 bits *'
wrong 'print "a b"' 'a b: the name of a value is compared *'
wrong 'print/q 1' 'print: expected /x, /d, /u or /t *'
wrong 'print/xx 1' 'print: expected /x, /d, /u or /t *'
says 'print 0 && 1 / 0' '0x0  0'
says 'print 1 || 1 / 0' '0x1  1'
deep=$(printf '%0200d' 0 | tr 0 '(')
wrong "print ${deep}1" '(: more than 64 nested *'
signs=$(printf '%0200d' 0 | tr 0 '~')
wrong "print ${signs}1" '(: more than 64 nested *'
says "print $(printf '%060d' 0 | tr 0 '(')1$(printf '%060d' 0 | tr 0 ')')" '0x1  1'
long=$(printf '%0400d' 0 | tr 0 A)
wrong "print $long" '*: expected a number, a register *'

title 'in every argument'
sh_run 'walk rcs0.ACTHD'
expect_status 0
expect_out_has '^0x10002003c '
for address in rcs0.ACTHD ppgtt:rcs0.ACTHD ppgtt:0x10002003c; do
	sh_run "batch --headers -a $address"
	expect_status 0
	expect_out_has '^0x10002003c:  0x7a000004:  PIPE_CONTROL'
	sh_run "x $address"
	expect_out_has '^ppgtt:0x10002003c:  0x7a000004'
	sh_run "walk $address"
	expect_out_has '^0x10002003c '
done
sh_run 'batch -a ggtt:rcs0.ACTHD'
expect_status 3
sh_run 'walk ggtt:(rcs0.RING_START + 0x40)'
expect_status 0
expect_out_has '^# ggtt$'
expect_out_has '^0x8040 '
sh_run 'batch --headers --address=ggtt:rcs0.RING_START'
expect_out_has '^0x00008000:  '
sh_run 'walk (0x200000000 + 0x123)'
expect_status 0
expect_out_has '^0x200000123 '
sh_run 'walk -q $(0x200000000 + 0x123)'
expect_status 0
expect_out_has '^0x200000123 '
sh_run 'batch --headers -a rcs0.RING_START'
expect_out_has '^0x00008000:  '
sh_run 'batch --headers --address=rcs0.RING_START'
expect_out_has '^0x00008000:  '
sh_run 'batch --headers -arcs0.RING_START'
expect_out_has '^0x00008000:  '
sh_run 'pte (0x1000|3)'
expect_status 0
expect_out_has '^0x0000000000001003 '
sh_run 'decode RING_FAULT_REG=(0x100+0x2b)'
expect_status 0
expect_out_has '0x0000012b'
sh_run 'wait rcs0.RING_TAIL == 0xc90 + 8 timeout 1s'
expect_status 0
wrong 'walk rcs0.NO_SUCH' 'rcs0.NO_SUCH: unknown register*' 3
wrong 'walk 0x1000 +' 'the end: expected a number*'
sh_run 'walk demo:snb-hang -p snb 0x1000'
expect_out_lacks skl

title 'variables'
says '$x = 5; print $x << 2; $x |= 8; p/x $x; $x &= ~1; p/x $x; $x ^= 0xff; p/x $x' '0x14  20
0xd
0xc
0xf3'
says 'set $y=rcs0.RING_TAIL; echo the tail: $y "and $y" '"'\$y'" 'the tail: 0xc98 and 0xc98 $y'
says '$a = 1; $b = $a + 1; $a = $b * 10; print $a' '0x14  20'
says '$i = 0; repeat 5 $i = $i + 2; print $i; repeat $i - ; echo $i' '0xa  10
0xa'
says 'echo $(1 + 1) $((1 + 2) * 3) $(rcs0.RING_TAIL & 0xf8)' '0x2 0x9 0x98'
says 'set dry-run on; set | head -n 1' 'dry-run         on'
wrong 'print $none' '$none: no such variable*'
wrong '$none |= 1' '$none: no such variable*'
wrong '$x = ' 'the end: expected a number*'
wrong '$x = 1 / 0' '/: division by zero*'
wrong 'echo $(1' '$(: expected an expression and a )*'
wrong 'echo $()' 'the end: expected a number*'
wrong 'echo $(echo)' 'echo: unknown register*' 3
nested=$(printf '%020d' 0 | sed 's/0/$(/g')1$(printf '%020d' 0 | tr 0 ')')
wrong "echo $nested" '$(: nested too deeply*'
wrong 'echo $1' '$1: the script was given 0 arguments*'
says '! echo "$HOME" | wc -l' 1

title 'writes take expressions'
dry() {
	run gpu-sh -p skl -n --force -c "$1"
	expect_status 0
}
dry '0x4f100 = 1 << 5 | 3'
expect_out_has '^write  0x04f100 = 0x00000023'
dry '0x4f100 |= 1<<5'
expect_out_has '^write  0x04f100 = 0x00000020 \| \(read & 0xffffffdf\)'
dry '0x4f100 &= ~0x20'
expect_out_has '^write  0x04f100 = 0x00000000 \| \(read & 0xffffffdf\)'
dry '0x4f100 = -1'
expect_out_has '^write  0x04f100 = 0xffffffff'
dry 'rcs0.MI_MODE &= ~0x100'
expect_out_has '^write  0x00209c = 0x01000000'
dry 'rcs0.MI_MODE.STOP_RINGS = stopped'
expect_out_has '^write  0x00209c = 0x01000100'
dry 'rcs0.MI_MODE:STOP_RINGS = 2 - 1'
expect_out_has '^write  0x00209c = 0x01000100'
dry '$r = 0x4f000; $($r + 0x100) = 6 * 7'
expect_out_has '^write  0x04f100 = 0x0000002a'
run gpu-sh -s demo:skl-hang -n -j -c '0x4f100 = 4 >> 1'
expect_json '.events[0].accesses | map(select(.access == "write")) | .[0].value' '"0x2"'
run gpu-sh -p skl -n -c '0x4f100 = 1 << 40'
expect_status 2
expect_out_empty
run gpu-sh -p skl -n -c '0x4f100 = 1 > two'
expect_status 2 3
[ ! -e two ] || fail 'a write makes a file'

title 'if'
says 'if 1 > 2; echo no; else; echo yes; end; echo after' 'yes
after'
says 'if rcs0.RING_TAIL == 0xc98 && rcs0.MI_MODE.STOP_RINGS == normal; echo yes; end' yes
says 'if 0; if 1; echo a; else; echo b; end; NO_SUCH_NAME; else; if 1; echo c; end; end' c
cat >blocks <<'EOF'
from demo:skl-hang
if rcs0.RING_TAIL \
		> 5   # a comment
	if 0
		echo 'not "this
	else
		echo this
	end
else
	NO_SUCH_NAME
end
EOF
run gpu-sh blocks
expect_status 0
expect_out this
run_in blocks gpu-sh
expect_status 0
expect_out this
{
	printf 'echo begin'
	for word in $(seq 100 300); do
		printf ' \\\n\t%s' "$word"
	done
	echo ' end'
} >long-line
run_in long-line gpu-sh
expect_status 0
expect_out "begin $(seq -s ' ' 100 300) end"
run gpu-sh -c 'source blocks; echo out'
expect_out 'this
out'
wrong 'else' 'else: no if before it*'
wrong 'end' 'end: no if before it*'
wrong 'if' 'the end: expected a number*'
wrong 'if 1; else; else; end' 'else: this if already has one*'
wrong 'if 0; echo no' 'if: has no end*'
wrong 'if 1; else this; end' 'this: unexpected after else*'
wrong 'repeat 2 if 1' 'if: must begin a line*'
wrong 'if NO_SUCH_NAME; echo no; end' 'NO_SUCH_NAME: unknown register*' 3
wrong "$(printf '%020d' 0 | sed 's/0/if 1;/g')" 'if: more than 16 nested*'
printf 'from demo:skl-hang\nif 0\nNO_SUCH\n' >open-if
run gpu-sh open-if
expect_status 2
expect_err_line 'gpu-sh: open-if:2: if: has no end*'
run_in open-if gpu-sh
expect_status 2
expect_err_line 'gpu-sh: standard input:2: if: has no end*'
printf 'if 1\nsource open-else\nend\n' >outer
printf 'else\necho no\n' >open-else
run gpu-sh outer
expect_status 2
expect_err_line 'gpu-sh: open-else:1: else: no if before it*'

title 'scripts with arguments'
cat >arguments <<'EOF'
#!/usr/bin/gpu-sh -f
if $# != 2
	echo wrong
else
	print $1.RING_TAIL + $2
end
EOF
run gpu-sh -s demo:skl-hang -f arguments rcs0 8
expect_status 0
expect_out '0xca0  3232'
run gpu-sh -s demo:skl-hang -f arguments
expect_out wrong
run gpu-sh -f arguments -s demo:skl-hang rcs0 8
expect_out '0xca0  3232'
sh_run 'source arguments rcs0 0x10; echo $#'
expect_out '0xca8  3240
0x0'
{ printf '#!%s -f\n' "$(command -v gpu-sh)"; tail -n +2 arguments; } >shebang
chmod +x shebang
run ./shebang -s demo:skl-hang rcs0 8
expect_out '0xca0  3232'
printf 'echo $1\necho "$2"\n! echo $1 "$2" $#\n' >hostile
run gpu-sh -f hostile '; ! echo bad' 'a"b $x | cat > f'
expect_status 0
expect_out '; ! echo bad
a"b $x | cat > f
; ! echo bad a"b $x | cat > f 2'
run gpu-sh -f arguments a -c b
expect_status 2
expect_err_line 'gpu-sh: --file: a script cannot be combined with -c*'
refused 2 'gpu-sh: b: expected one script; for its arguments: -f SCRIPT*' gpu-sh a b
printf 'from demo:skl-hang\n-! exit 3\nif $? == 1\necho one\nend\nprint \\\n\t1 +\\\n\t$none\n' >lines
run_lenient gpu-sh -f lines
expect_status 2
expect_out one
expect_err_line 'gpu-sh: lines:6: $none: no such variable*'
printf 'source self $1\n' >self
run gpu-sh -f self x
expect_status 2
expect_err_line 'gpu-sh: self:1: self: files nested *'
printf 'print 1 +\\\r\n 1\r\necho a\\\\\necho b # \\\necho c\n' >windows
run gpu-sh windows
expect_out '0x2  2
a\
b
c'
run_in windows gpu-sh
cp "$out" from-input
run gpu-sh windows
cmp -s "$out" from-input || fail 'standard input does something else'

title 'echo and sleep'
says 'echo  two   words; echo; echo "a  b"' 'two words

a  b'
sh_run "echo '$(printf '\033')[1m'"
expect_out '?[1m'
sh_run 'sleep 0.01s; sleep 1ms; sleep 0'
expect_status 0
expect_out_empty
wrong 'sleep soon' 'soon: expected a time *'
wrong 'sleep' 'sleep: expected a time *'
wrong 'sleep -1' '-1: expected a time *'

title 'aliases'
says 'alias t = print rcs0.RING_TAIL +; t 8; repeat 2 t 0 | head -n 1' '0xca0  3232
0xc98  3224'
says "alias p2='print/x'; p2 1|2; alias" '0x3
alias p2 = print/x'
says 'alias a = b; alias b = a; alias echo2 = echo2 x; -a; alias a' 'alias a = b'
says 'alias w=walk -q; alias w; unalias w; -w 1; alias' 'alias w = walk -q'
wrong 'alias print = echo' 'alias: is already a verb*'
wrong 'alias x1 = ' 'alias: an alias is the beginning *'
wrong "alias x1 = 'a;b'" 'alias: an alias is the beginning *'
wrong 'alias 1x = echo' 'alias: expected NAME = COMMAND*'
wrong 'alias none' 'none: no such alias*'
wrong 'unalias none' 'none: no such alias*'

title 'memory'
awk 'BEGIN { for (i = 64; i < 128; i++) printf "%c", i }' >memory
printf 'text\000 \001"' >>memory
mem_run() {
	run gpu-sh -p skl -s mem:memory@0x1000 -c "$1"
}
mem_run 'x/4 phys:0x1000'
expect_status 0
expect_out 'phys:0x00001000:  0x43424140 0x47464544 0x4b4a4948 0x4f4e4d4c'
mem_run 'x/2xh phys:0x1000; x/2b phys:0x1001; x/g phys:0x1000; x/2dw phys:0x1000 + 4'
expect_out 'phys:0x00001000:  0x4140 0x4342
phys:0x00001001:  0x41 0x42
phys:0x00001000:  0x4746454443424140
phys:0x00001004:   1195787588  1263159624'
mem_run 'x/3c phys:0x1001; x/s phys:0x1040; x/2tb phys:0x1000'
expect_out "phys:0x00001001:  'A' 'B' 'C'
phys:0x00001040:  \"text\"
phys:0x00001000:  01000000 01000001"
mem_run 'x/2s phys:0x1041'
expect_status 6
expect_out 'phys:0x00001041:  "ext"
phys:0x00001045:  " \001\""...
phys:0x00001048:  not in this dump (1 byte)'
mem_run 'x/8 phys:0x1040'
expect_status 6
expect_out 'phys:0x00001040:  0x74786574 0x22012000
phys:0x00001048:  not in this dump (24 bytes)'
mem_run 'x/3 phys:0xff8'
expect_status 6
expect_out 'phys:0x00000ff8:  not in this dump (8 bytes)
phys:0x00001000:  0x43424140'
mem_run 'x phys:0x2000'
expect_status 3
expect_out 'phys:0x00002000:  not in this dump (4 bytes)'
expect_err_line 'gpu-sh: phys:0x2000: not in this dump'
run gpu-sh -p skl -s mem:memory@0x1000 -j -c 'x/3 phys:0x1040'
expect_json '.events' '[{"event":"memory","space":"phys","address":"0x1040","size":4,"values":["0x74786574","0x22012000",null]}]'
sh_run 'x/16 ggtt:0x8000'
expect_status 0
same 'lines' "$(wc -l <"$out")" 4
expect_out_has '^ggtt:0x00008000:  0x7a000004 '
sh_run 'x/2g 0x100020000'
expect_out_has '^ppgtt:0x100020000:  0x0010c0007a000004 '
sh_run 'x/2 -e rcs0 ppgtt:0x100020000; x rcs0.RING_START; $a = 0x8000; x ggtt:$a+4'
same 'lines' "$(wc -l <"$out")" 3
sh_run 'x ppgtt:0x1000'
expect_status 3
expect_out_has '^ppgtt:0x00001000:  not mapped: '
sh_run 'x/4 ggtt:0x8000 | wc -l'
expect_out 1
wrong 'x' 'x: expected an address*'
wrong 'x/16' '*: expected an address*'
wrong 'x/0 0' '0: expected 1 byte to 1 MB*'
wrong 'x/99999999999 0' '99999999999: expected 1 byte to 1 MB*'
wrong 'x/999999999999999999999999 0' '*: expected a format such as*'
wrong 'x/4i 0' '4i: x shows no instructions: batch -a ADDRESS *'
wrong 'x/4 mmio:0x2000' '*expected ggtt:, ppgtt:, phys: or lmem:*'
wrong 'x phys:0xffffffffffffffff' 'phys:0xffffffffffffffff: ends past *'
wrong 'x phys:' '*'
sh_run 'x --help'
expect_out_has 'gdb'

title 'finding things'
sh_run 'list *STOP*'
expect_status 0
expect_out_has 'STOP_RINGS'
expect_out_has 'rcs0.MI_MODE'
wrong 'list *NO_SUCH_THING*' '*NO_SUCH_THING*: matches no register*' 3
gpu-db -s demo:skl-hang show MI_MODE >wanted
for name in STOP_RINGS stop_rings 0x209c MI_MODE; do
	sh_run "? $name"
	expect_status 0
	cmp -s "$out" wanted || fail "? $name is not about MI_MODE"
done
wrong '? NO_SUCH_THING' 'NO_SUCH_THING: unknown name*' 3
wrong '? ENABLE' 'ENABLE: a field of * registers; these show them: list \*:ENABLE*'
sh_run 'apropos stop_rings'
expect_status 0
expect_out_has '^MI_MODE:STOP_RINGS  '
sh_run 'apropos semaphore'
expect_out_has '^MI_SEMAPHORE_WAIT  '
wrong 'apropos no-such-thing' 'no-such-thing: in no name *' 3
wrong 'apropos' 'apropos: expected one word *'

title 'help fits a screen'
sh_run help
expect_status 0
[ "$(wc -l <"$out")" -le 23 ] || fail "$(wc -l <"$out") lines"
expect_out_has 'help all lists every verb'
expect_out_lacks '  repeat '
sh_run 'help all'
expect_status 0
expect_out_has '  repeat '

title 'help of operators'
for operator in = '|=' '&=' '^=' == != '<' '>' '<=' '>=' '<<' '>>' + - '*' / % '&' '|' '^' '~' '&&' \
	'||' '!' '$' '\\' "'#'" "';'" '('; do
	sh_run "help $operator"
	expect_status 0
	[ -s "$out" ] || fail "nothing about $operator"
done
wrong 'help +=' '+=: unknown name*' 3
for verb in $(gpu-sh -p skl -c 'help all' | sed -n 's/^  \([a-z?!][a-z]*\) .*/\1/p') else end p unalias; do
	sh_run "help $verb"
	expect_status 0
done

title 'force'
run gpu-sh -p skl -n -c 'force rcs0.MI_MODE:STOP_RINGS = stopped; set | grep force'
expect_status 0
expect_out_has '^write  0x00209c = 0x01000100'
expect_out_has '^force +off'
run gpu-sh -p skl -n -c 'force rcs0.MI_MODE:STOP_RINGS = stopped; rcs0.MI_MODE:STOP_RINGS = stopped'
expect_status 2
wrong 'force' 'force: needs a command*'
wrong "$(printf '%030d' 0 | sed 's/0/force /g')print 1" 'force: nested too *'

title 'a comparison prints'
says 'rcs0.RING_TAIL == rcs0.RING_HEAD; rcs0.RING_TAIL == 0xc98; rcs0.RING_TAIL != 0' '0x0  0
0x1  1
0x1  1'
says 'rcs0.RING_TAIL >= 5; rcs0.RING_TAIL <= 5; 0 || 5' '0x1  1
0x0  0
0x1  1'
wrong '1 +' 'the end: expected a number*'
wrong 'rcs0.RING_TAIL += 5' '+=: expected = *'

title 'repeat: how often'
wrong 'repeat -1 echo x' '-1: expected 0 to 1000000000; *'
wrong 'repeat 1000000001 echo x' '1000000001: expected 0 to 1000000000; *'

title 'a name that is none: what there is'
wrong 'print rcs0.MI_MODE.STOP_RINGS == stoped' 'stoped: expected a number or normal or stopped *'
wrong 'print rcs0.MI_MODE.STOP_RINGS == rcs0.NONE' 'rcs0.NONE: unknown register*' 3
for write in stoped stop-ed 'stopped now'; do
	run gpu-sh -s demo:skl-hang -n -c "rcs0.MI_MODE:STOP_RINGS = $write"
	expect_status 2
	expect_err_line "gpu-sh: $write: expected a number or normal or stopped *"
done
for command in rcs0.MI_MODE.NOPE 'print rcs0.MI_MODE.NOPE'; do
	wrong "$command" 'rcs0.MI_MODE:NOPE: MI_MODE has no field NOPE; it has *' 3
done
wrong 'print rcs0.MI_MODE.STOP_RING' '*MI_MODE has no field STOP_RING; did you mean STOP_RINGS?' 3
wrong 'print rcs0.NO_SUCH.NOPE' '*unknown register*' 3

title 'fields by a pattern'
sh_run '? *STOP*'
expect_status 0
expect_out_has '^MI_MODE  register'
sh_run '? MI_STORE*'
expect_status 0
expect_out_has '^MI_STORE_DATA_IMM  command'
sh_run 'apropos stop'
same 'each field once' "$(uniq -d "$out")$(grep -c RB_WAIT "$out")" 1

title 'before there is a source'
for source in '-p skl' '-s none -p skl'; do
	run gpu-sh $source -c 'nosuchverb foo'
	expect_status 3
	expect_err_line 'gpu-sh: nosuchverb: unknown *'
done
run gpu-sh -p skl -c '1 +'
expect_status 2
expect_err_line 'gpu-sh: the end: expected a number*'
run gpu-sh -s none -c 'print 1+2'
expect_status 0
expect_out '0x3  3'
run gpu-sh -s none -c help
expect_status 0
run gpu-sh -s none -c rcs0.RING_TAIL
expect_status 2
expect_err_line 'gpu-sh: platform: unknown: give -p*'

title 'help for what cannot be quoted'
for word in '$?' '$()' '$1' '$#' '()' ')' '\' '"' "'" collect '$(EXPRESSION)'; do
	sh_run "help $word"
	expect_status 0
	[ -s "$out" ] || fail "help $word says nothing"
done

title 'what is shown precedes why it is refused'
gpu-sh -p skl -n -c 'rcs0.MI_MODE:STOP_RINGS = stopped' >both 2>&1
same 'the last line' "$(sed -n '$s/: stopping.*//p' both)" \
	'gpu-sh: rcs0.MI_MODE:STOP_RINGS: not without --force'

title 'replay'
sh_run 'replay no-such-file'
expect_status 2
expect_err_line 'gpu-sh: no-such-file: not replayed: start gpu-sh with --write*'
run gpu-sh -p skl -n -c 'replay no-such-file'
expect_status 1
printf 'platform skl\n0x4f100 = 1\n' >no-journal
run gpu-sh -s demo:skl-hang -n -c 'replay no-journal'
expect_status 2
expect_out_empty
expect_err_line 'gpu-sh: no-journal:2: 0x4f100: has no old value*: nothing was replayed; to go on: *'
while read -r line; do
	printf 'rcs0.RING_TAIL = 1  # was 0xc98, of 0xffffffff\n%s\n' "$line" >script
	run gpu-sh -s demo:skl-hang -n -c 'force replay script'
	expect_status 2
	expect_out_empty
	expect_err_line "gpu-sh: script:2: *not what journal save writes: nothing was replayed; *"
done <<'END'
! touch pwned
print 1 > pwned
rcs0.RING_TAIL = 1; ! touch pwned
rcs0.RING_TAIL = rcs0.RING_HEAD
rcs0.RING_TAIL = $(1 + 1)
rcs0.MI_MODE:STOP_RINGS = stoped
rcs0.RING_TAIL | touch pwned
rcs0.RING_TAIL > pwned
force ! touch pwned
set force on
source journal
echo
-rcs0.RING_TAIL
END
[ ! -e pwned ] || fail 'a command in a journal was executed'
printf 'rcs0.MI_MODE.STOP_RINGS = normal  # was 0x0, of 0x100\r\n' >dotted
run gpu-sh -s demo:skl-hang -n -c 'force replay dotted'
expect_status 0
expect_out_has '^write  0x00209c = 0x01000000'
printf 'rcs0.RING_TAIL = 1  # was 0xc98, of 0xffffffff\nforce rcs0.MI_MODE:STOP_RINGS = stopped  # was 0x0, of 0x100\n' >forced
run gpu-sh -s demo:skl-hang -n -c 'force replay forced'
expect_status 0
expect_out_has '^write  0x00209c = 0x01000100'
printf 'platform skl\nrcs0.RING_TAIL = 1  # was 0xc98, of 0xffffffff\n' >journal
run gpu-sh -s demo:skl-hang -n -c 'force replay journal; set | grep force'
expect_status 0
expect_out_has '^write  0x002030 = 0x00000001'
expect_out_has '^force +off'
sed 's/0xc98/0xc90/' journal >changed
run gpu-sh -s demo:skl-hang -n -c 'replay changed'
expect_status 2
expect_out_empty
expect_err_line 'gpu-sh: changed:2: rcs0.RING_TAIL: it was 0xc90 and is 0xc98: nothing was replayed; *'
run gpu-sh -s demo:skl-hang -n -c 'force replay changed'
expect_status 0
expect_out_has '^write  0x002030 = 0x00000001'
finish
