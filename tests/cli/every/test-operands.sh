#!/bin/sh
# SPDX-License-Identifier: MIT
# An operand that is plainly a source is one in every command; names and numbers stay what they
# are; a kernel's log needs no --dmesg; what is printed to be typed can be pasted; the shell's
# errors name the shell's own ways out.
. "$(dirname "$0")/../lib.sh"
needs $commands jq gzip
cd "$work" || exit 1

run gpu-snap save --compress none -s demo:skl-hang -o dump
run gpu-snap save -s demo:snb-hang -o "it's a dump"
gpu-regdump -s demo:skl-hang >registers 2>/dev/null
printf '[    1.000000] usb 1-1: new device\n' >quiet.log
printf '[  100.5] DMAR: [DMA Read] Request device [00:02.0] fault addr 12345000 [fault reason 06] PTE Read access is not set\n' >fault.log
# packed FILE: as it is where this build does not unpack it
packed() {
	if built_with gzip; then gzip -c "$1"; else cat "$1"; fi
}
packed fault.log >fault.log.gz
make_bar bar.bin skl 0x2030 0x150

# the_same COMMAND...: what it prints is what the words of $as print, whatever the source is called
the_same() {
	run "$@"
	cp "$out" first
	first=$status
	# shellcheck disable=SC2086
	run $as
	same "status of '$as'" "$first" "$status"
	tail -n +2 first >one
	tail -n +2 "$out" >two
	cmp -s one two || fail "not as '$as': $(diff one two | head -n 4)"
}

title 'a misspelled file does not stand for the GPU of this machine'
for words in 'gpu-regdump dmp.tar' 'gpu-regdump --watch 1 dmp.tar' 'gpu-regdump --list dmp.tar' \
	'gpu-ptwalk dmp.tar' 'gpu-ptwalk 0x1000 dmp.tar' 'gpu-batch dmp.tar' 'gpu-fault dmp.tar'; do
	# shellcheck disable=SC2086
	run $words
	expect_out_empty
	expect_status 1
	expect_err_line '*: dmp.tar: No such file*'
done
refused 3 'gpu-regdump: dmp: neither a register nor a file*' gpu-regdump dmp
refused 3 'gpu-regdump: RING_TIAL: neither a register nor a file; did you mean RING_TAIL*' \
	gpu-regdump RING_HEAD RING_TIAL
run gpu-regdump -s demo:skl-hang dmp.tar
expect_status 3
expect_err_line '*: skl has no engine dmp; it has *'

title 'a source where names, numbers or nothing are due'
for source in demo:skl-hang dump ./dump "$work/dump"; do
	as='gpu-regdump -s demo:skl-hang RING_BUFFER_TAIL 0x2030'
	the_same gpu-regdump "$source" RING_BUFFER_TAIL 0x2030
	the_same gpu-regdump RING_BUFFER_TAIL "$source" 0x2030
	as='gpu-regdump -s demo:skl-hang --list ACTHD'
	the_same gpu-regdump --list "$source" ACTHD
	as='gpu-ptwalk -s demo:skl-hang 0x1000'
	the_same gpu-ptwalk "$source" 0x1000
	as='gpu-ptwalk -s demo:skl-hang --map'
	the_same gpu-ptwalk --map "$source"
	as='gpu-ptwalk -s demo:skl-hang --spaces'
	the_same gpu-ptwalk --spaces "$source"
	as='gpu-pte -s demo:skl-hang 0x1003'
	the_same gpu-pte "$source" 0x1003
	as='gpu-batch -s demo:skl-hang --headers'
	the_same gpu-batch --headers "$source"
	as='gpu-tile -s demo:skl-hang -f y --pitch 512 1 2'
	the_same gpu-tile "$source" -f y --pitch 512 1 2
	as='gpu-db -s demo:skl-hang which RING_BUFFER_TAIL'
	the_same gpu-db which "$source" RING_BUFFER_TAIL
	as='gpu-db -s demo:skl-hang stats'
	the_same gpu-db stats "$source"
	run gpu-snap info "$source"
	expect_out_has '^platform     skl'
	run gpu-snap info -s "$source"
	expect_out_has '^platform     skl'
	as='gpu-sh -s demo:skl-hang -c RING_BUFFER_TAIL'
	the_same gpu-sh "$source" -c RING_BUFFER_TAIL
	run gpu-report "$source" -o page.html
	expect_status 0
	run gpu-fault -q "$source"
	expect_out_has '^rcs0 hangs in PIPE_CONTROL'
done
run gpu-snap save demo:skl-hang -o again
expect_status 0
run_in dump gpu-regdump - RING_BUFFER_TAIL
expect_out_has '^0x002030 '
run_in dump gpu-report - -o page.html
expect_status 0
packed dump >dump.gz
run gpu-regdump dump.gz RING_BUFFER_TAIL
expect_out_has '^0x002030 '
run gpu-regdump registers RING_BUFFER_TAIL
expect_out_has '^0x002030 '
run gpu-regdump bar:bar.bin -p skl RING_BUFFER_TAIL
expect_out_has '^0x002030  0x00000150 '
run gpu-snap extract -s dump mmio@0x2030+4
expect_status 0
cp "$out" wanted
run gpu-snap extract dump mmio@0x2030+4
cmp -s "$out" wanted || fail 'extract FILE is not as extract -s FILE'
printf 'RING_BUFFER_TAIL\n' >script
run gpu-sh demo:skl-hang script
expect_out_has '^0x002030 '

title 'names and numbers stay what they are'
cp dump 0x2030
run gpu-regdump -s demo:snb-hang 0x2030 --json
expect_json '.source' '["demo:snb-hang"]'
cp dump 4096
run gpu-ptwalk -s demo:snb-hang 4096 --json
expect_json '[.source, .walks[].address]' '[["demo:snb-hang"],"0x1000"]'
echo text >RING_BUFFER_TAIL
run gpu-regdump demo:snb-hang RING_BUFFER_TAIL --json
expect_json '.source' '["demo:snb-hang"]'
run gpu-regdump demo:skl-hang config:0x50
expect_out_has '^config:0x50 '
run gpu-ptwalk --reverse demo:skl-hang lmem:0x1000
expect_err_line 'gpu-ptwalk: lmem:0x1000: *'
rm RING_BUFFER_TAIL 0x2030 4096
printf '0x2030 0x2034\n' >lines
run gpu-sh demo:skl-hang lines
expect_out_has '^0x002030 '
refused 1 'gpu-regdump: ./missing: No such file or directory' gpu-regdump ./missing ACTHD
refused 1 'gpu-ptwalk: bar.bin: not recognised; *' gpu-ptwalk bar.bin 0x1000
refused 2 'gpu-ptwalk: 0x1000: takes no address*' gpu-ptwalk --map 0x1000

title 'where it could mean two things, what to type is said'
refused 2 "gpu-regdump: it's a dump: *try: -s dump -s 'it'?''s a dump' (try --help)" \
	gpu-regdump dump "it's a dump"
refused 2 'gpu-snap: dump: *try: gpu-snap info dump (try --help)' gpu-snap dump
refused 2 'gpu-snap: dump: *to write it, use -o; to read it, try: -s dump (try --help)' \
	gpu-snap save dump
refused 2 'gpu-snap: --from: *' gpu-snap info dump -s dump

title 'demo: lists the demos'
for command in $commands; do
	run $command demo:
	expect_status 0
	expect_out_has '^demo:skl-hang  '
	run $command -s demo:
	expect_status 0
	expect_out_has '^demo:skl-hang  '
done
for words in 'gpu-snap info' 'gpu-snap save' 'gpu-db which' 'gpu-regdump --diff' 'gpu-tile --tile' \
	'gpu-fault --dmesg' 'gpu-sh -c fault' 'gpu-ptwalk --map'; do
	# shellcheck disable=SC2086
	run $words demo:
	expect_status 0
	expect_out_has '^demo:skl-hang  '
done
for words in 'from demo:' 'fault demo:' 'read demo:' 'walk demo:' 'db demo:' 'snap info demo:'; do
	run gpu-sh -c "$words"
	expect_status 0
	expect_out_has '^demo:skl-hang  '
done

title 'a log is known by what it says'
run gpu-fault --dmesg -q fault.log
cp "$out" wanted
[ -s wanted ] || fail 'no verdict'
for log in fault.log fault.log.gz ./fault.log; do
	run gpu-fault -q $log
	cmp -s "$out" wanted || fail "$log: $(cat "$out" "$err")"
	run gpu-fault -q -s $log
	cmp -s "$out" wanted || fail "-s $log: $(cat "$out" "$err")"
done
run_in fault.log gpu-fault -q -
cmp -s "$out" wanted || fail "-: $(cat "$out" "$err")"
run sh -c 'cat fault.log | gpu-fault -q -'
cmp -s "$out" wanted || fail "a pipe: $(cat "$out" "$err")"
run sh -c 'cat dump | gpu-fault -q -'
expect_out_has '^rcs0 hangs in PIPE_CONTROL'
run gpu-fault fault.log -s demo:skl-hang --json
expect_json '.source' '["fault.log","demo:skl-hang"]'
run gpu-fault -s demo:skl-hang -s fault.log --json
expect_json '.source' '["demo:skl-hang","fault.log"]'
run gpu-fault -q quiet.log
expect_out 'No fault, hang or reset of an Intel GPU in this log.'
run gpu-fault -q fault.log dump fault.log.gz
expect_out_has '^fault.log: First .*IOMMU'
expect_out_has '^dump: rcs0 hangs'
expect_out_has '^fault.log.gz: First .*IOMMU'
run gpu-fault --json quiet.log dump
expect_json '.source[0]' '"quiet.log"
"dump"'
echo hello >text
refused 1 'gpu-fault: text: not recognised; *' gpu-fault text
run gpu-sh demo:skl-hang -c 'fault -q fault.log'
cmp -s "$out" wanted || fail "in the shell: $(cat "$out" "$err")"

# seen FILE...: the commands that a text says to type
seen() {
	sed -n 's/^ *see it: //p; s/.*[;:] try: \(.*\) (try .*/\1/p; s/.*[;:] try: //p' "$@"
}

# pasted: each of them works, as it stands
pasted() {
	command_line=$*
	seen "$out" "$err" >see
	[ -s see ] || fail "'$*' says nothing to type: $(head -n 1 "$err")"
	while IFS= read -r line; do
		sh -c "$line" >seen 2>&1 </dev/null || fail "'$line': $(tail -n 1 seen)"
		[ -s seen ] || fail "'$line' shows nothing"
	done <see
}

title 'what it says to type can be pasted'
for source in demo:snb-hang demo:skl-hang dump dump.gz "it's a dump" "$work/dump"; do
	run gpu-fault -s "$source"
	pasted gpu-fault -s "$source"
	run gpu-fault "$source"
	pasted gpu-fault "$source"
done
run gpu-fault dump "it's a dump" demo:skl-hang
pasted 'several dumps'
for source in dump "'it'\\''s a dump'" demo:skl-hang; do
	grep -Fq -e "-s $source -e" see || fail "nothing to type for $source: $(cat see)"
done
run gpu-fault -p 0x1912 -s dump -s "bar:bar.bin@0x200000"
pasted 'two sources and a platform'
grep -q -e '-s dump -s bar:bar.bin@0x200000 -p 0x1912' see || fail "not complete: $(cat see)"
printf 'format 1\n' >none.def
run gpu-fault --define none.def --no-user-config dump
pasted 'definitions'
grep -q -e '--define none.def --no-user-config' see || fail "not complete: $(cat see)"
run_in dump gpu-fault -
seen "$out" >see
grep -q '^gpu-batch -s FILE ' see || fail "standard input: $(cat see)"
run gpu-snap dump
pasted 'gpu-snap dump'
if [ -d "${GPUSCOPE_CORPUS:-/nonexistent}/error-state" ]; then
	for file in "$GPUSCOPE_CORPUS"/aub/*.aub; do
		run_lenient gpu-fault "$file"
		[ ! -s "$err" ] || pasted gpu-fault "$file"
	done
	for file in "$GPUSCOPE_CORPUS"/error-state/*.txt "$GPUSCOPE_CORPUS"/wild/es-* \
		"$GPUSCOPE_CORPUS"/wild/xe-*; do
		run_lenient gpu-fault "$file"
		seen "$out" >see
		[ ! -s see ] || pasted gpu-fault "$file"
	done
fi

title 'in the shell they are verbs'
for line in fault 'fault demo:snb-hang' "fault dump \"it's a dump\"" 'fault -p skl'; do
	run gpu-sh demo:skl-hang -c "$line"
	seen "$out" >see
	[ -s see ] || fail "'$line' says nothing to type"
	grep -q gpu- see && fail "no verbs: $(cat see)"
	while IFS= read -r typed; do
		run gpu-sh demo:skl-hang -c "$typed"
		expect_status 0
		expect_out_has '^0x'
	done <see
done
for typed in 'gpu-regdump RING_BUFFER_TAIL' 'gpu-ptwalk 0x200000123' 'gpu-db show ACTHD' \
	'gpu-batch --headers'; do
	run gpu-sh demo:skl-hang -c "$typed"
	expect_status 0 6
done
run gpu-sh demo:skl-hang -c 'read demo:snb-hang RING_BUFFER_TAIL'
expect_out_has '^0x002030  0x00003e28 '
run gpu-sh demo:skl-hang -c 'snap info'
expect_out_has '^source .*demo:skl-hang'

title 'wrong lines in the shell name its own ways out'
cat >wrong <<'EOF'
read --nonsense
read --json --ndjson
list --watch 1
list --count 3 ACTHD
watch x
watch 0 ACTHD
watch --count 0 ACTHD
wait
wait ACTHD
wait rcs0.ACTHD == zz
wait ACTHD == 1
wait rcs0.RING_TAIL:TAIL_OFFSET == 0x40000
diff
diff a b c -s d
decode
decode ACTHD
walk
walk zz
walk --mode zz 0x1000
walk --root 5 0x1000
walk --map --flat
map 0x1000
pte zz
pte -m zz 0x1
pte -l zz 0x1
batch -a 3
batch one two
batch --follow --no-follow
fault --decode zz
fault --decode hwsp --dmesg
fault --engine rcs0
tile
tile -f zz 1 2
tile -f y 1 2
tile -f y --pitch 100 1 2
report --json
report 0x1000
snap
snap zz
snap info
snap save zz
snap convert
snap extract
db
db zz
db show
db stats zz
from -x
from none
from -
platform
platform snb
undo
undo zz
undo 7
journal zz
journal save
set zz on
set dry-run zz
set write on
source
source a b
!
help a b
help zz
quit now
rcs0.ACTHD = 1
0x2030 == 1
ACTHD += 1
rcs0.ACTHD:NONE = 1
read "no end
read |
read >
read > a b
read -p zz ACTHD
read --write ACTHD
nonsense
frob
0x2031
rcs0.
@nogroup
devices now
devices -s x
? NO SUCH
? NO_SUCH_NAME
?
EOF
while IFS= read -r line; do
	for source in demo:skl-hang none; do
		run_lenient gpu-sh -s $source -p skl -c "$line"
		grep -q -e '--help' "$err" && fail "'$line': $(cat "$err")"
		case $status in
		0 | 1 | 2 | 3 | 6) ;;
		*) fail "'$line' ended with $status" ;;
		esac
	done
	run_lenient gpu-sh --no-user-config -c "$line"
	grep -Eq -e '--help| -s (FILE|demo)' "$err" && fail "'$line': $(cat "$err")"
done <wrong
for verb in walk pte batch snap db tile wait undo set source; do
	run gpu-sh demo:skl-hang -c "$verb --nonsense x y z"
	case $(cat "$err") in
	*"(try help $verb)") ;;
	*) fail "'$verb': $(cat "$err")" ;;
	esac
	run gpu-sh -c "help $verb"
	expect_status 0
done
finish
