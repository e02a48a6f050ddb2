#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-sh without a terminal: commands, scripts, standard input; every verb; where output goes; what
# is refused. Writes are in tests/live/test-sh.sh, typing is in test-sh-typed.sh.
. "$(dirname "$0")/../lib.sh"
needs gpu-sh

cd "$work" || exit 1
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME
tail='0x002030  0x00000c98  rcs0.RING_BUFFER_TAIL
     20:3   TAIL_OFFSET                   0x193       0xc98'

# sh_run COMMANDS: in a session on the hung Skylake
sh_run() {
	run gpu-sh -s demo:skl-hang -c "$1"
}

# wrong COMMANDS LINE [STATUS]: nothing is printed but this message
wrong() {
	sh_run "$1"
	expect_status "${3:-2}"
	expect_out_empty
	expect_err_line "gpu-sh: $2"
}

# same_as COMMAND...: what was printed is what a command prints, but for its first line and for how
# commands are typed here
same_as() {
	"$@" 2>/dev/null | sed '1{/^# gpu-/d}
		s/see it: gpu-\(.*\) -s demo:skl-hang/see it: \1/
		s/see it: gpu-/see it: /' >"$work/wanted"
	cmp -s "$work/wanted" "$out" ||
		fail "not as '$*': $(diff "$work/wanted" "$out" | head -n 4)"
	[ -s "$work/wanted" ] || fail "'$*' prints nothing"
}

title 'reading'
sh_run rcs0.RING_TAIL
expect_status 0
expect_out "$tail"
sh_run 'read rcs0.RING_TAIL'
expect_out "$tail"
sh_run '  rcs0.RING_TAIL ;; ; # a comment; with ; in it'
expect_out "$tail"
sh_run "'rcs0.RING_TAIL'; \"rcs0.RING_TAIL\" -q"
same 'lines' "$(wc -l <"$out")" 3
sh_run '@fault rcs0.ACTHD'
same_as gpu-regdump -s demo:skl-hang @fault rcs0.ACTHD
sh_run '0x4090-0x409f'
same_as gpu-regdump -s demo:skl-hang 0x4090-0x409f
sh_run 'RING_FAULT_REG:FAULT_TYPE'
expect_out_has 'invalid PDE'
sh_run 'rcs0.RING_TAIL --json'
expect_json '.registers[0].value' '"0xc98"'
run gpu-sh -s demo:skl-hang -j -c rcs0.RING_TAIL
expect_json .schema '"gpuscope.regdump/1"'

title 'verbs are the commands'
sh_run 'list *TAIL*'
same_as gpu-regdump -s demo:skl-hang --list '*TAIL*'
for name in RING_TAIL 0x209c PIPE_CONTROL 'MI_STORE*'; do
	for blank in '' ' '; do
		sh_run "?$blank$name"
		same_as gpu-db -s demo:skl-hang show "$name"
	done
done
sh_run 'db list --commands MI_NOOP'
same_as gpu-db -s demo:skl-hang list --commands MI_NOOP
sh_run 'walk 0x200000123'
expect_status 0
same_as gpu-ptwalk -s demo:skl-hang 0x200000123
sh_run 'walk 0x7a1105603000'
expect_status 3
expect_err_line 'gpu-sh: 0x7a1105603000: not mapped: *'
sh_run map
same_as gpu-ptwalk -s demo:skl-hang --map
sh_run 'pte -m pml4 -l pde 0x18080008b'
same_as gpu-pte -p skl -m pml4 -l pde 0x18080008b
sh_run 'batch -a 0x100020000'
same_as gpu-batch -s demo:skl-hang -a 0x100020000
sh_run fault
same_as gpu-fault -s demo:skl-hang
sh_run 'fault demo:snb-hang'
same_as gpu-fault demo:snb-hang
sh_run 'decode RING_FAULT_REG=0x12b'
same_as gpu-regdump -p skl --decode RING_FAULT_REG=0x12b
sh_run 'diff reset'
expect_status 6
same_as gpu-regdump --diff reset demo:skl-hang
sh_run 'diff reset demo:snb-hang rcs0.RING_*'
same_as gpu-regdump --diff reset demo:snb-hang 'rcs0.RING_*'
for words in '0.01 --count 2' '--count 1'; do
	sh_run "watch $words rcs0.ACTHD"
	same 'the last line' "$(tail -n 1 "$out")" '# a dump does not change, unless its file does'
	sed -i '$d' "$out"
	same_as gpu-regdump -s demo:skl-hang rcs0.ACTHD
done
for words in bt 'info registers' 'disassemble 0x1000'; do
	sh_run "$words"
	expect_status 3
	expect_err_line "gpu-sh: ${words%% *}: * (try help)"
done
sh_run 'snap save -o saved.tar; snap info saved.tar'
expect_status 0
expect_out_has '^platform +skl'
sh_run 'walk -s demo:snb-hang -p snb 0x1000'
expect_out_lacks 'skl'
sh_run 'walk --help'
expect_out_has 'gpu-ptwalk'

title 'sources'
sh_run from
expect_out 'demo:skl-hang (gpuscope capture), skl: Skylake, device 0x1912'
sh_run 'from demo:snb-hang; rcs0.RING_TAIL; from saved.tar; rcs0.RING_TAIL -q'
expect_out_has '0x00003e28  rcs0.RING_BUFFER_TAIL'
expect_out_has '0x00000c98  rcs0.RING_BUFFER_TAIL'
sh_run '-from no-such-file; from'
expect_out 'demo:skl-hang (gpuscope capture), skl: Skylake, device 0x1912'
expect_err_line 'gpu-sh: no-such-file: *'
sh_run 'from none'
expect_status 2
expect_err_line 'gpu-sh: platform: unknown*'
sh_run 'from -p icl none; ? CACHE_MODE_0 | head -n 1; from'
expect_status 0
expect_out_has '^none.*icl: '
make_bar "$work/bar" skl 0x2030 0x150
sh_run 'from -p skl bar:bar; rcs0.RING_TAIL -q'
expect_out '0x002030  0x00000150  rcs0.RING_BUFFER_TAIL'
sh_run 'from demo:'
expect_out_has '^demo:icl-trtt  '
refused 2 'gpu-sh: -: standard input can be read only once*' gpu-sh -s - -c from
refused 1 'gpu-sh: no-such-file: *' gpu-sh -s no-such-file -c help
refused 3 'gpu-sh: zzz: *' gpu-sh -p zzz -c help
run gpu-sh -p skl -c 'list rcs0.ACTHD'
same_as gpu-regdump -p skl --list rcs0.ACTHD

title 'pipes and files'
sh_run 'rcs0.RING_TAIL | tr a-z A-Z | head -n 1'
expect_out '0X002030  0X00000C98  RCS0.RING_BUFFER_TAIL'
sh_run 'rcs0.RING_TAIL > one; rcs0.RING_TAIL >> one; ! wc -l <one'
expect_out 5
run gpu-regdump -s one -q rcs0.RING_TAIL
expect_out_has '0x00000c98  rcs0.RING_BUFFER_TAIL'
sh_run 'help > "two words"; from >~/three'
[ -s 'two words' ] && [ -s "$HOME/three" ] || fail 'no such files'
sh_run 'rcs0.RING_TAIL > no/such/folder'
expect_status 1
expect_out_empty
expect_err_line 'gpu-sh: no/such/folder: No such file or directory'
sh_run 'rcs0.RING_TAIL | grep -q nothing'
expect_status 1
expect_err_line 'gpu-sh: grep -q nothing: exit status 1'
sh_run 'help | head -n 1; from'
expect_status 0
same 'lines' "$(wc -l <"$out")" 2
sh_run 'NO_SUCH_NAME | cat'
expect_status 3
sh_run '! echo "a;b" | tr ab cd'
expect_out 'c;d'
sh_run '!exit 3'
expect_status 1
expect_err_line 'gpu-sh: exit 3: exit status 3'
run gpu-sh -s demo:skl-hang -c help
gpu-sh -s demo:skl-hang -c help >/dev/full 2>"$err"
same 'status of a full disk' $? 1
expect_err_line 'gpu-sh: standard output: *'

title 'wait'
sh_run 'wait rcs0.RING_TAIL == 0xc98; wait RING_FAULT_REG:FAULT_TYPE != 2 timeout 1s'
expect_status 0
expect_out_has '^rcs0.RING_TAIL == 0xc98 after 0\.[0-9]+ s$'
sh_run 'wait rcs0.RING_TAIL > 0xc97; wait rcs0.RING_TAIL < 0xc99; wait rcs0.RING_TAIL & 8'
same 'lines' "$(wc -l <"$out")" 3
sh_run 'wait RING_FAULT_REG:FAULT_TYPE == invalid; help'
expect_status 2
expect_out_empty
expect_err_line "gpu-sh: invalid: expected a number or *"
sh_run "wait RING_FAULT_REG:FAULT_TYPE == 'invalid PDE' timeout 0.1s"
expect_status 0
sh_run 'wait rcs0.RING_TAIL == 1 timeout 20ms; help'
expect_status 3
expect_out_empty
expect_err_line 'gpu-sh: rcs0.RING_TAIL == 0x1: not within 0.020 s, it is 0xc98'
sh_run 'wait RING_FAULT_REG:FAULT_TYPE == invalid PDE; wait RING_FAULT_REG:FAULT_TYPE == invalid  PDE timeout 1s'
expect_status 0
sh_run 'wait rcs0.RING_TAIL:TAIL_OFFSET == 0x40000 timeout 10m'
expect_status 2
expect_err_line 'gpu-sh: 0x40000: does not fit: the field has 18 bits *'
sh_run 'wait 0x2030-0x2040 == 1'
expect_status 2
expect_err_line 'gpu-sh: 0x2030-0x2040: means 5 registers, *'
sh_run 'wait RING_TAIL == 1'
expect_status 2
expect_err_line 'gpu-sh: RING_TAIL: means 5 registers, *'
for wrong in wait 'wait NAME' 'wait rcs0.RING_TAIL = 1' 'wait rcs0.RING_TAIL == 1 timeout soon' \
	'wait rcs0.RING_TAIL == 1 within 1s' 'wait rcs0.RING_TAIL == tail'; do
	sh_run "$wrong"
	expect_status 2
	expect_out_empty
done
(sleep 0.3; printf '\130' | dd of="$work/bar" bs=1 seek=8240 conv=notrunc 2>/dev/null) &
run gpu-sh -p skl -s bar:bar -c 'wait rcs0.RING_TAIL == 0x158 timeout 30s'
expect_status 0
wait

title 'scripts'
cat >script <<'END'
# the tail
from demo:skl-hang
  rcs0.RING_TAIL -q

-NO_SUCH_NAME
rcs0.ACTHD -q; rcs0.ACTHD -q
END
run gpu-sh script
expect_status 0
expect_out '0x002030  0x00000c98  rcs0.RING_BUFFER_TAIL
0x002074  0x0002003c  rcs0.ACTHD
0x002074  0x0002003c  rcs0.ACTHD'
expect_err_line 'gpu-sh: script:5: NO_SUCH_NAME: unknown *'
cp "$out" wanted-script
run_in script gpu-sh
cmp -s "$out" wanted-script || fail 'standard input does something else'
expect_err_line 'gpu-sh: standard input:5: NO_SUCH_NAME: unknown *'
run gpu-sh -c 'source script'
cmp -s "$out" wanted-script || fail 'source does something else'
printf 'from demo:skl-hang\nNO_SUCH_NAME\nhelp\n' >failing
run gpu-sh failing
expect_status 3
expect_out_empty
expect_err_line 'gpu-sh: failing:2: NO_SUCH_NAME: *'
run_in failing gpu-sh
expect_status 3
expect_out_empty
run gpu-sh -c 'source failing; help'
expect_status 3
expect_out_empty
printf 'from demo:skl-hang\000NO_SUCH\nfrom\n' >zero-inside
run_in zero-inside gpu-sh
expect_status 1
expect_out_empty
run gpu-sh zero-inside
expect_status 1
command_line='a script whose output nobody reads'
timeout 60 sh -c 'yes "! echo line" | gpu-sh -s demo:skl-hang' 2>"$err" | head -n 1 >"$out" ||
	fail 'it did not end'
printf 'from demo:skl-hang\r\nrcs0.RING_TAIL -q\r\n' >windows
run gpu-sh windows
expect_out '0x002030  0x00000c98  rcs0.RING_BUFFER_TAIL'
echo 'source again' >again
run gpu-sh again
expect_status 2
run gpu-sh no-such-script
expect_status 1
expect_err_line 'gpu-sh: no-such-script: No such file or directory'
head -c 100 /dev/zero >zeros
run gpu-sh zeros
expect_status 1
printf '! cat\n! echo two\n' >reader
run_in reader gpu-sh
expect_out two
sh_run 'quit; help'
expect_status 0
expect_out_empty
sh_run 'RING_BUFFER_CONTROL -q; from'
expect_status 6
expect_out_has '^demo:skl-hang'

title 'help'
sh_run 'help all'
same 'lines over 80 columns' "$(awk 'length > 80' "$out")" ''
for verb in $(sed -n 's/^  \([a-z]\{2,\}\) .*/\1/p' "$out"); do
	sh_run "help $verb"
	expect_status 0
	expect_out_has "^$verb"
done
sh_run 'help hlep'
expect_status 3
expect_err_line 'gpu-sh: hlep: unknown name; did you mean help*'
sh_run hlep
expect_err_line 'gpu-sh: hlep: unknown name; did you mean help*'
sh_run tail
expect_status 3
expect_err_line 'gpu-sh: tail: unknown name; did you mean wait or tile? list \*tail\* finds registers'
sh_run help
[ "$(wc -l <"$out")" -le 23 ] || fail "$(wc -l <"$out") lines"
expect_out_has 'help all lists every verb'
expect_out_lacks '  replay '
for option in --help -h --help=all; do
	sh_run "wait $option"
	expect_out_has '^wait NAME'
done
sh_run 'help all'
expect_status 0
for verb in $(sed -n 's/^  \([a-z?!]*\)  .*/\1/p' "$out"); do
	for line in "help $verb" "$verb --help"; do
		sh_run "$line"
		expect_status 0
		[ "$(wc -l <"$out")" -lt 24 ] || fail "$(wc -l <"$out") lines"
		same 'lines over 80 columns' "$(awk 'length > 80' "$out")" ''
	done
done
sh_run 'platform skl; platform snb; help'
expect_status 2
expect_out_empty
expect_err_line 'gpu-sh: snb: this is skl: *'

title 'wrong use'
for wrong in 'set dry-run maybe' 'set no-such on' 'set write on' \
	'undo' 'undo 1' 'undo all more' 'journal delete' 'journal save --revert' 'platform' '0x4f100 == 1' 'rcs0.RING_TAIL += 1' 'source' 'quit now' '!' 'from |' 'from >' \
	"rcs0.RING_TAIL 'x" 'from --no-such'; do
	sh_run "$wrong"
	expect_status 2
	expect_out_empty
done
refused 2 'gpu-sh: x: a script cannot be combined with -c*' gpu-sh -c help x
refused 2 'gpu-sh: b: expected one script*' gpu-sh a b

title 'writes are refused'
for write in 'rcs0.MI_MODE = 1' 'rcs0.MI_MODE:STOP_RINGS=1' 'rcs0.MI_MODE |= 1' 'rcs0.MI_MODE|=1' \
	'0x209c &= 1' 'rcs0.MI_MODE ^= 1' 'NO_SUCH_NAME = 1' 'force 0x209c = 1'; do
	sh_run "$write; help"
	expect_status 2
	expect_out_empty
	expect_err_line 'gpu-sh: *: not written: a dump cannot be written; --dry-run *'
done
run gpu-sh -s demo:skl-hang --write -c '0x4f100 = 1'
expect_status 1 2 3
expect_out_empty
sh_run 'rcs0.RING_TAIL |= less'
expect_status 2

title 'what a write would take'
run gpu-sh -p skl -n -c '0x4f100 = 0x12'
expect_status 0
expect_out_has '^write  0x04f100 = 0x00000012'
run gpu-sh -p skl --write -c 'set dry-run on; 0x4f100 = 0x12; journal'
expect_status 0
expect_out_has '^write  0x04f100 = 0x00000012'
expect_out_lacks ' -> '
run gpu-sh -p skl -n --force -c 'rcs0.MI_MODE:STOP_RINGS = stopped'
expect_status 0
expect_out_has '^write  0x00209c = 0x01000100'
run gpu-sh -p skl -n -c 'rcs0.RING_TAIL:TAIL_OFFSET = 1'
expect_status 2
expect_out_has '^write  0x002030 = 0x00000008 '
expect_err_line 'gpu-sh: rcs0.*: not without --force: *'
run gpu-sh -p skl -n -c 'GEN8_MASTER_IRQ = 0'
expect_status 2
expect_out_has '^write  0x044200 = '
expect_err_line 'gpu-sh: MASTER_IRQ: not without --force: while it is 0 nothing interrupts*'
run gpu-sh -p skl -n -c 'rcs0.MI_MODE = 0x40000000'
expect_status 0
expect_out_has '^write  0x00209c = 0x40000000'
run gpu-sh -p skl -n -c 'rcs0.MI_MODE = 0x1000000'
expect_status 2
run gpu-sh -p skl -n -c 'ggtt:0x10 = 0x1001'
expect_status 0
expect_out_has '(the current entry; --force is needed to change a valid one)'
run gpu-sh -p skl -n --force -c 'rcs0.RING_TAIL:TAIL_OFFSET = 1'
expect_out_has '^read   0x002030'
expect_out_has '^write  0x002030 = 0x00000008 \| \(read & 0x'
run gpu-sh -p skl -n -c 'rcs0.MI_MODE:STOP_RINGS = perhaps'
expect_status 2
expect_err_line 'gpu-sh: perhaps: expected a number or *stopped*'
for word in yes on TRUE; do
	run gpu-sh -p skl -n -c "SR01:SCREEN_OFF = $word"
	expect_status 0
	expect_out_has 'io:0x0003c5 = 0x20 '
done
for word in no off false; do
	run gpu-sh -p skl -n -c "SR01:SCREEN_OFF = $word"
	expect_status 0
	expect_out_has 'io:0x0003c5 = 0x00 '
done
run gpu-sh -p skl -n -c 'SR01:SCREEN_OFF = perhaps'
expect_status 2
expect_err_line 'gpu-sh: perhaps: expected a number or yes or no *'

title 'a read of the sideband is shown without hardware'
run gpu-sh -p vlv -n -c 'punit:0xd8'
expect_status 0
expect_out_has 'write  0x182100 = 0x000604f1'
run gpu-sh -p tgl -n -c 'punit:0xd8'
expect_status 2
expect_err_line 'gpu-sh: sideband:0x400d8: this platform has no sideband *'
run gpu-sh -p vlv -n --force -c 'punit:0x36:FREQGUAR = 3'
expect_status 0

title 'memory'
awk 'BEGIN { for (i = 64; i < 128; i++) printf "%c", i }' >memory
printf 'text\000 \001"' >>memory
mem_run() {
	run gpu-sh -p skl -s mem:memory@0x1000 -c "$1"
}
mem_run 'x/4 phys:0x1000'
expect_status 0
expect_out 'phys:0x00001000:  0x43424140 0x47464544 0x4b4a4948 0x4f4e4d4c'
mem_run 'x/2xh phys:0x1000; x/2b phys:0x1001; x/g phys:0x1000; x/2dw phys:0x1004'
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
sh_run 'x/2 -e rcs0 ppgtt:0x100020000; x/2x ggtt:0x8004'
same 'lines' "$(wc -l <"$out")" 2
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

title 'force'
run gpu-sh -p skl -n -c 'force rcs0.MI_MODE:STOP_RINGS = stopped; set | grep force'
expect_status 0
expect_out_has '^write  0x00209c = 0x01000100'
expect_out_has '^force +off'
run gpu-sh -p skl -n -c 'force rcs0.MI_MODE:STOP_RINGS = stopped; rcs0.MI_MODE:STOP_RINGS = stopped'
expect_status 2
wrong 'force' 'force: needs a command*'
wrong "$(printf '%030d' 0 | sed 's/0/force /g')from" 'force: nested too *'

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
printf 'rcs0.MI_MODE:STOP_RINGS = normal  # was 0x0, of 0x100\r\n' >dotted
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
title 'no language'
for line in '$x = 1' '$(1 + 1)' '(1 + 2)' '~1' 'echo $x'; do
	sh_run "$line"
	expect_status 2 3
	expect_out_empty
done
wrong '$x = 5' '$x: no variables and no expressions here: programs use libgpuscope(3) *'
wrong 'rcs0.RING_TAIL += 5' '+=: expected = *'
wrong 'rcs0.RING_TAIL == 5' '==: expected = *; to compare, use wait *'
for word in print if repeat alias echo apropos; do
	wrong "$word 1" "$word: unknown name*" 3
done
for value in '1 | 2' '1 << 5' '(1)' '~0x20' '$x' '1 > two' 'rcs0.RING_HEAD'; do
	run gpu-sh -p skl -n --force -c "0x4f100 = $value"
	expect_status 2
	expect_out_empty
	expect_err_line 'gpu-sh: *: expected a number*'
done
[ ! -e two ] || fail 'a write makes a file'
wrong 'walk rcs0.ACTHD' 'rcs0.ACTHD: *'

title 'a name that is none: what there is'
for write in stoped stop-ed 'stopped now'; do
	run gpu-sh -s demo:skl-hang -n -c "rcs0.MI_MODE:STOP_RINGS = $write"
	expect_status 2
	expect_err_line "gpu-sh: $write: expected a number or normal or stopped *"
done
wrong rcs0.MI_MODE:NOPE 'rcs0.MI_MODE:NOPE: MI_MODE has no field NOPE; it has *' 3
wrong rcs0.MI_MODE:STOP_RING '*MI_MODE has no field STOP_RING; did you mean STOP_RINGS?' 3

title 'before there is a source'
for source in '-p skl' '-s none -p skl'; do
	run gpu-sh $source -c 'nosuchverb foo'
	expect_status 3
	expect_err_line 'gpu-sh: nosuchverb: unknown *'
done
run gpu-sh -s none -c help
expect_status 0
run gpu-sh -s none -c rcs0.RING_TAIL
expect_status 2
expect_err_line 'gpu-sh: platform: unknown: give -p*'

title 'nothing is left behind'
[ ! -e "$XDG_STATE_HOME" ] || fail 'a script has a history'
finish
