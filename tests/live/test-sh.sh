#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-sh on a device: what is written, its report, the journal, undo, and scripts of a session. The
# device is a file that takes every write: what registers make of one is in tests/vm.
. "$(dirname "$0")/lib.sh"
[ -x "${GPU_SH:-}" ] || skip 'GPU_SH names no command'

source_root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$work" || exit 1
scratch=0x4f100

shell() {
	in_devices env HOME="$work" TZ=UTC "$GPU_SH" --wake=none "$@" </dev/null
}

device() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
	poke "$gpu/resource0" $scratch 0x11 0x22
	cp "$gpu/resource0" before
}

# The bytes that are not as they were: "OFFSET OLD NEW", counted from 1, in octal
changes() {
	cmp -l before "$gpu/resource0"
}

device
expect 'a write' 0 "0x4f100  0x00000011 -> 0x00000012 -> 0x00000012" '' \
	shell --write -c "$scratch = 0x12"
same 'these bytes and no other' "$((scratch + 1)) 21 22" "$(changes | tr -s ' ' | sed 's/^ //')"

device
expect 'a write where only the platform is named' 0 "0x4f100  0x00000011 -> 0x00000012 -> 0x00000012" '' \
	shell -p skl --write -c "$scratch = 0x12"

device
expect 'each operation' 0 "0x4f100  0x00000011 -> 0x00000031 -> 0x00000031
0x4f100  0x00000031 -> 0x00000030 -> 0x00000030
0x4f100  0x00000030 -> 0x00000010 -> 0x00000010" '' \
	shell --write -c "$scratch |= 0x20; $scratch&=0xf0;$scratch ^= 0x20"
same 'what they leave' 00000010 "$(peek "$gpu/resource0" $scratch)"

device
expect 'not without --write' 2 '' "gpu-sh: $scratch: not written: *--write (try help)" \
	shell -c "$scratch = 0x12"
shell --write --dry-run -c "$scratch |= 0x20" >out
same '--dry-run: its write' 1 "$(grep -c '^write  0x04f100 = ' out)"
same 'nothing is written' '' "$(changes)"
if command -v strace >/dev/null; then
	for words in "-c $scratch" "-n -c $scratch=1" "-c $scratch=1" "--write -n -c $scratch=1" \
		"--write -c $scratch"; do
		# shellcheck disable=SC2086
		in_devices env ASAN_OPTIONS=detect_leaks=0 HOME="$work" strace -f -o trace \
			-e trace=openat,mmap "$GPU_SH" --wake=none $words >/dev/null 2>&1 </dev/null
		same "opened writable: $words" 0 "$(grep '/sys/' trace | grep -c 'O_RDWR\|O_WRONLY')"
	done
fi

device
shell --write -c "$scratch = 0x12; 0x4f104 = 0x23; $scratch = 0x14; undo 2; undo; undo; journal" >out
same 'undo: the first dword' 00000011 "$(peek "$gpu/resource0" $scratch)"
same 'undo: the second one' 00000022 "$(peek "$gpu/resource0" 0x4f104)"
same 'the journal' '1 0x4f100 0x00000012 undone
2 0x4f104 0x00000023 undone
3 0x4f100 0x00000014 undone
4 0x4f104 0x00000022 undoes 2
5 0x4f100 0x00000012 undoes 3
6 0x4f100 0x00000011 undoes 1' "$(tail -n 6 out |
	sed -n 's/^ *\([0-9]\)  [0-9:]\{8\}\.[0-9]\{3\}  \(0x[0-9a-f]*\)  .* -> \(0x[0-9a-f]*\) -> .*  \(und.*\)/\1 \2 \3 \4/p')"

device
status=0
shell --write -c "$scratch = 0x12; undo; undo 1" >out 2>err || status=$?
same 'undo of what is undone' '2 gpu-sh: 1: is already undone (try help undo)' "$status $(cat err)"
status=0
shell --write -c "$scratch = 0x12; undo; undo" >out 2>err || status=$?
same 'nothing more to undo' '2 gpu-sh: undo: no write to undo (try help undo)' \
	"$status $(cat err)"
status=0
shell --write -c "$scratch = 0x12; from -p skl none; undo" >out 2>err || status=$?
same 'undo elsewhere' '2 gpu-sh: 0x4f100: was written to live: first go back there with from (try help undo)' \
	"$status $(cat err)"

status=0
shell --write --undo-on-exit -c "$scratch = 0x12; from -p skl none" >out 2>err || status=$?
same 'no going away from what is to be undone' \
	'2 gpu-sh: -p: undo-on-exit would lose these writes: undo all first (try help from)' \
	"$status $(cat err)"

device
shell --write --undo-on-exit -c "$scratch = 0x12; 0x4f104 = 0x23; $scratch |= 0xf00" >out
same 'undo at the end' '' "$(changes)"
same 'and it is told' 6 "$(wc -l <out)"
shell --write -c "$scratch = 0x12; set undo-on-exit on; NO_SUCH_NAME" >out 2>&1
same 'undo after a failure' '' "$(changes)"
shell --write --undo-on-exit -c "$scratch = 0x12; ! kill -TERM \$PPID; ! sleep 30" >out 2>&1
same 'undo when it is ended' '' "$(changes)"

device
shell --write -c "$scratch = 0x12; 0x4f104 |= 0x100; undo; $scratch ^= 0xf0
	journal save again; journal save --revert back" >out
cp "$gpu/resource0" after
cp before "$gpu/resource0"
shell --write again >out
same 'a session done again' '' "$(cmp -l after "$gpu/resource0")"
shell --write back >out
same 'and reverted' '' "$(changes)"

# Replayed: what was there is looked for first, and then all of it is done or nothing.
shell --write -c 'replay again' >out
same 'a journal replayed' '' "$(cmp -l after "$gpu/resource0")"
cp before "$gpu/resource0"
poke "$gpu/resource0" 0x4f104 0x122
expect 'not where the old value differs' 2 '' \
	'gpu-sh: again:4: 0x4f104: it was 0x* and is 0x*: nothing was replayed; to go on: force replay again (try help replay)' \
	shell --write -c 'replay again'
same 'and nothing is written' 00000011 "$(peek "$gpu/resource0" $scratch)"
shell --write -c 'force replay again' >out 2>err
same 'but with force' 000000e2 "$(peek "$gpu/resource0" $scratch)"
same 'with a word about it' 1 "$(grep -c 'again:4: 0x4f104: it was .*: written anyway' err)"
cp before "$gpu/resource0"
device
was=$(peek "$gpu/resource0" 0x4f104)
shell --write -c "0x4f104 |= 0x10100; journal save --revert back" >out
poke "$gpu/resource0" 0x4f104 $((0x$(peek "$gpu/resource0" 0x4f104) | 0x80000000))
shell --write back >out
same 'a script of what is put back leaves other bits alone' \
	"$(printf '%08x' $((0x$was | 0x80000000)))" "$(peek "$gpu/resource0" 0x4f104)"

expect 'a script cannot make itself write' 2 '' 'gpu-sh: again:3: *: not written: *' shell again

# A forced write says so itself, and nothing else of the file does.
device
poke "$gpu/resource0" 0xd84 1
cp "$gpu/resource0" awake
shell --write -c "$scratch = 0x12; force rcs0.MI_MODE:STOP_RINGS = stopped; set force on
	0x4f104 = 5; set force off; journal save forced; journal save --revert back" >out
cp "$gpu/resource0" after
cp awake "$gpu/resource0"
same 'what was forced' 'force rcs0.MI_MODE:STOP_RINGS = stopped' \
	"$(grep '^force' forced | sed 's/  #.*//')"
same 'and how that is reverted' 'force rcs0.MI_MODE:STOP_RINGS = 0x0' \
	"$(grep '^force' back | sed 's/  #.*//')"
expect 'it takes force again' 2 '' 'gpu-sh: forced:4: rcs0.MI_MODE:STOP_RINGS: was written with force: *' \
	shell --write -c 'replay forced'
same 'and nothing is written before' '' "$(cmp -l awake "$gpu/resource0")"
shell --write -c 'force replay forced' >out
same 'forced again' '' "$(cmp -l after "$gpu/resource0")"
shell --write -c 'source back; set' >out
same 'force does not stay' 'force           off' "$(grep force out)"
same 'reverted from a script' 00000011 "$(peek "$gpu/resource0" $scratch)"

# A journal is no script, and a hazard in it is seen before the first write.
device
poke "$gpu/resource0" 0xd84 1
cp "$gpu/resource0" awake
printf "platform skl\n$scratch = 0x12  # was 0x11, of 0xffffffff\n! touch pwned\n" >script
expect 'a script is not replayed' 2 '' 'gpu-sh: script:3: ! touch pwned: not what journal save writes: *' \
	shell --write -c 'force replay script'
[ ! -e pwned ] || same 'a command in a journal' executed refused
printf "$scratch = 0x12  # was 0x11, of 0xffffffff\nrcs0.MI_MODE:STOP_RINGS = stopped  # was 0x0, of 0x100\n" >hazard
expect 'a hazard in a journal' 2 '' 'gpu-sh: hazard:2: *not without --force*; nothing was replayed *' \
	shell --write -c 'replay hazard'
same 'nothing of either is written' '' "$(cmp -l awake "$gpu/resource0")"
# An undo in the middle is compared, too.
shell --write -c "$scratch = 0x12; undo; $scratch |= 0x100; journal save undone" >out
cp "$gpu/resource0" after
cp awake "$gpu/resource0"
shell --write -c 'replay undone' >out
same 'an undo replayed' '' "$(cmp -l after "$gpu/resource0")"
cp before "$gpu/resource0"

# As JSON: the journal, whose elements the commands have given one by one.
document() {
	document_name=$1
	shift
	shell --write -j "$@" >"$work/$document_name.json" 2>err || true
}
if command -v jq >/dev/null; then
	device
	document write -c "$scratch |= 0x20"
	same 'JSON of a write' '["write",1,"live","|=","0x20","0x4f100","0x11","0x31","0x31","0x20",null]' \
		"$(jq -c '.events[] | [.event, .number, .at, .operation, .given, .name, .old, .written,
			.back, .bits, .problem]' write.json)"
	document undone -c "$scratch = 0x12; undo; journal"
	same 'JSON of an undo' '[["write",1,false]]
[["undo",2,false]]
[["write",1,true],["undo",2,false]]' "$(jq -c '[.events[] | [.event, .number, .undone]]' undone.json)"
	same 'JSON of the journal: the elements of before' "$(jq -c '.events[0] | del(.undone)' undone.json |
		head -n 2)" "$(jq -sc '.[2].events[] | del(.undone)' undone.json)"
	jq -s '.[2]' undone.json >journal.json
	rm undone.json
	document refused -c 'rcs0.MI_MODE:STOP_RINGS = stopped'
	same 'JSON of a hazard' '"refused" 2 not without --force' "$(jq -r '.events[] |
		"\"\(.event)\" \(.exit_status) \(.reason[:19])"' refused.json)"
	poke "$gpu/resource0" 0xd84 1
	document fields -c 'rcs0.CTX_SR_CTL:RS_CTX_ENABLE = 1'
	same 'JSON of a field' '["RS_CTX_ENABLE",1,1,"0x0","0x1"]' \
		"$(jq -c '.events[].fields[] | select(.name == "RS_CTX_ENABLE") | [.[]]' fields.json)"
	shell --write --ndjson -c "$scratch = 0x12" >lines.ndjson
	same 'NDJSON: a head and an element' '"gpuscope.sh/1" "write" ' \
		"$(jq -c '.schema, .event | select(.)' lines.ndjson | tr '\n' ' ')"
	if python3 -c 'import jsonschema' 2>/dev/null; then
		schemas=${GPU_SH%/tools/*}/data/schema
		same 'JSON against the schema' '' \
			"$(python3 "$source_root/tests/cli/validate.py" "$schemas" ./*.json 2>&1)"
		same 'NDJSON against the schema' '' "$(python3 "$source_root/tests/cli/validate.py" \
			--ndjson "$schemas" ./*.ndjson 2>&1)"
	fi
fi

# What is read is cut short under a wait: that ends it, and not the session.
device
status=0
shell --write -c "$scratch = 0x12; ! (sleep 0.3; truncate -s 0 '$gpu/resource0') >/dev/null 2>&1 &
	-wait 0x4f104 == 1 timeout 30s; journal" >out 2>err || status=$?
same 'cut short' "0 gpu-sh: 0x4f104: the source has gone away" "$status $(cat err)"
same 'cut short: the journal is there' 1 "$(grep -c '^  1  .*0x4f100' out)"

# What a script writes is for one platform.
expect 'a script on another platform' 2 '' 'gpu-sh: again:2: skl: this is icl: *' \
	shell -p icl -s live --write again

# A write and its undo leave nothing to be reverted, one that was undone out of turn does.
device
shell --write -c "$scratch = 0x12; undo; 0x4f104 = 5; $scratch = 0x13; 0x4f104 = 6; undo; undo
	journal save --revert back" >out
same 'reverted: what is left' '0x4f104 = 0x22  # was 0x5, of 0xffffffff' "$(sed '1,2d' back)"
device
shell --write --force -c "$scratch = 1; $scratch = 2; undo 1; journal save --revert back" >out
shell --write back >out
same 'reverted: out of turn' '' "$(changes)"

device
shell --write --undo-on-exit -c "$scratch = 0x12; set dry-run on" >out
same 'undo at the end, though accesses are only shown by then' '' "$(changes)"
status=0
shell --write -c 'journal save --revert' >out 2>err || status=$?
same 'journal save without a file' '2 gpu-sh: journal: expected nothing, or save [--revert] FILE (try help journal)' \
	"$status $(cat err)"
[ ! -e ./--revert ] || same 'journal save --revert' 'a file' 'no file'
shell --write -c "$scratch = 0x12; journal save ~/saved; source ~/saved" >out
same 'the home directory' 2 "$(wc -l <out)"
device
poke "$gpu/resource0" 0xd84 1
shell --write --force -c "0x4f104 = 5; rcs0.EXECLIST_SUBMIT_PORT = 1; -undo; undo 1" >out 2>err
same 'what cannot be undone: the way out' 1 "$(grep -c 'undo N undoes another' err)"
same 'what cannot be undone: another one' 00000022 "$(peek "$gpu/resource0" 0x4f104)"

device
expect 'a hazard' 2 '' 'gpu-sh: rcs0.*: not without --force: *' \
	shell --write -c 'rcs0.MI_MODE:STOP_RINGS = stopped'
same 'nothing is written' '' "$(changes)"

# Each -c is a text of its own, and none is dropped.
device
expect 'several -c' 0 "0x4f100  0x00000011 -> 0x00000012 -> 0x00000012
0x4f104  0x00000022 -> 0x00000023 -> 0x00000023" '' \
	shell --write -c "$scratch = 0x12 # and no more" -c '0x4f104 = 0x23'
device
expect 'several -c: the first one guards' 2 '' 'gpu-sh: snb: this is skl: *' \
	shell --write -c 'platform snb' -c "$scratch = 0x12"
same 'several -c: nothing is written' '' "$(changes)"

# What somebody else has written since is not taken away unasked.
device
expect 'undo of what has changed since' 2 "0x4f100  0x00000011 -> 0x00000012 -> 0x00000012" \
	'gpu-sh: 0x4f100: it has changed since: 0x12 was left there, 0x99 is there now; --force *' \
	shell --write -c "$scratch = 0x12
! printf '\\231' | dd of='$gpu/resource0' bs=1 seek=$((scratch)) conv=notrunc 2>/dev/null
undo"
same 'undo of what has changed since: it stays' 00000099 "$(peek "$gpu/resource0" $scratch)"
device
expect 'undo of what has changed since, forced' 0 "0x4f100  0x00000011 -> 0x00000012 -> 0x00000012
0x4f100  0x00000099 -> 0x00000011 -> 0x00000011" '' \
	shell --write --force -c "$scratch = 0x12
! printf '\\231' | dd of='$gpu/resource0' bs=1 seek=$((scratch)) conv=notrunc 2>/dev/null
undo"

if [ "${PTY:-}" ] && "$PTY" true </dev/null 2>/dev/null; then
	# typed ANSWER: undo of what has changed since, at a terminal
	typed() {
		device
		cat >keys <<-END
			expect rw)>
			type $scratch = 0x12\\n
			expect 0x00000012 -> 0x00000012
			expect rw)>
			type ! printf '\\\\231' | dd of='$gpu/resource0' bs=1 seek=$((scratch)) conv=notrunc 2>/dev/null\\n
			expect rw)>
			type undo\\n
			expect restore the value from before the write? [y/N]
			type $1\\n
			expect rw)>
			type quit\\n
			end 0
		END
		in_devices env HOME="$work" TERM=dumb "$PTY" "$GPU_SH" --wake=none --write <keys >out 2>&1 ||
			same "asked, and answered $1" '' "$(cat out)"
	}
	typed n
	same 'asked, and answered no' 00000099 "$(peek "$gpu/resource0" $scratch)"
	typed y
	same 'asked, and answered yes' 00000011 "$(peek "$gpu/resource0" $scratch)"
fi

# The journal is on the disk before the store, or nothing is stored.
device
rm -rf .local
shell --write -c "$scratch = 0x12; undo; $scratch |= 0x100" >out
same 'the journal on disk' "0x4f100 = 0x12: was 0x00000011
# undo of 1, 0x4f100: was 0x00000012
0x4f100 |= 0x100: was 0x00000011" "$(sed 's/  # 20[0-9T:-]*Z, process [0-9]*, skl, live//' \
	.local/state/gpuscope/journal)"
same 'the journal on disk: for its owner' 600 "$(stat -c %a .local/state/gpuscope/journal)"
device
status=0
in_devices env HOME="$work" XDG_STATE_HOME=/proc/nowhere "$GPU_SH" --wake=none --write \
	-c "$scratch = 0x12" >out 2>err </dev/null || status=$?
same 'no journal on disk' "1 gpu-sh: /proc/nowhere/gpuscope/journal: no writes, as the journal cannot be written: No such file or directory; XDG_STATE_HOME=FOLDER puts it elsewhere" \
	"$status $(cat err)"
same 'no journal on disk: nothing is written' '' "$(changes)"
if command -v strace >/dev/null; then
	in_devices env ASAN_OPTIONS=detect_leaks=0 HOME="$work" strace -f -o trace -e trace=fsync,openat \
		"$GPU_SH" --wake=none --write -c "$scratch = 0x12" >/dev/null 2>&1 </dev/null
	same 'the journal is synced, and its folder' 2 "$(grep -c 'fsync(.*= 0' trace)"
fi

# Entries of the table as a whole, memory by dwords.
poke "$gpu/config" 0x50 0x000000c1
poke "$gpu/resource0" 0x802008 0x55667001 0x11223344
expect 'an entry' 0 'ggtt:0x2008  0x1122334455667001' '' shell -c 'ggtt:0x2008'
expect 'a range of entries' 0 'ggtt:0x2000  0x0000000000000000
ggtt:0x2008  0x1122334455667001' '' shell -c 'ggtt:0x2000+0x10'
finish
