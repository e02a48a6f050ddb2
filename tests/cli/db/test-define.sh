#!/bin/sh
# SPDX-License-Identifier: MIT
# Definitions of the user: --define, ~/.config/gpuscope, and what becomes of broken ones.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump jq

good=$data/scratch.def
broken=$data/broken.def

make_bar "$work/bar" skl 0x4f100 0x80000123 0x2030 0x150
bar=bar:$work/bar

title 'a register of ours'
run gpu-regdump -p skl --define "$good" --from "$bar" --json SCRATCH_TEST
expect_status 0
expect_err_empty
expect_json '[.registers[] | [.name, .offset, .value]]' '[["SCRATCH_TEST","0x4f100","0x80000123"]]'
expect_json '[.registers[0].fields[] | [.name, .value, .text]]' \
	'[["READY","0x1",null],["LEVEL","0x123",null]]'
run gpu-regdump -p skl --define "$good" --list SCRATCH_TEST
expect_out_has 'SCRATCH_TEST'

title 'it names its address in a range'
run gpu-regdump -p skl --define "$good" --from "$bar" 0x4f100-0x4f11f
expect_out_has 'SCRATCH_TEST'

title 'it comes before a built-in one'
run gpu-regdump -p skl --define "$good" --from "$bar" --json rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .fields[] | .name]' '["OURS"]'

title 'the first file given comes first'
sed 's/OURS/THEIRS/' "$good" >"$work/second.def"
run gpu-regdump -p skl --define "$work/second.def" --define "$good" --from "$bar" --json \
	rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .fields[] | .name] | unique' '["THEIRS"]'

title 'without --define there is none'
refused 3 'gpu-regdump: SCRATCH_TEST: *' gpu-regdump -p skl --list SCRATCH_TEST

title 'a broken file'
refused 1 "gpu-regdump: $broken:7:*: *, expected *(* more: gpu-db check $broken)" \
	gpu-regdump -p skl --define "$broken" --list RING_BUFFER_TAIL
refused 1 "gpu-regdump: *: *" gpu-regdump -p skl --define "$good" --define "$broken" --list SCRATCH_TEST

title 'a file with one mistake has no more'
printf 'format 1\norigin snb-p3 "1"\nreg ONE_MISTAKE @0x4f200 rq\n' >"$work/one.def"
refused 1 "gpu-regdump: $work/one.def:3:*: *expected*" \
	gpu-regdump -p skl --define "$work/one.def" --list RING_BUFFER_TAIL
grep -q 'more:' "$err" && fail "more than one: $(cat "$err")"

title 'no file, a directory, an empty one, noise'
refused 1 'gpu-regdump: */nonexistent.def: *' \
	gpu-regdump -p skl --define "$work/nonexistent.def" --list RING_BUFFER_TAIL
refused 1 'gpu-regdump: *: *' gpu-regdump -p skl --define "$work" --list RING_BUFFER_TAIL
: >"$work/empty.def"
refused 1 "gpu-regdump: $work/empty.def:*" gpu-regdump -p skl --define "$work/empty.def" --list \
	RING_BUFFER_TAIL
head -c 5000 /dev/urandom >"$work/noise.def"
refused 1 "gpu-regdump: $work/noise.def:*" gpu-regdump -p skl --define "$work/noise.def" --list \
	RING_BUFFER_TAIL

title 'the folder of the user'
mkdir -p "$HOME/.config/gpuscope"
cp "$good" "$HOME/.config/gpuscope/scratch.def"
run gpu-regdump -p skl --list --json SCRATCH_TEST
expect_status 0
expect_err_empty
expect_json '[.registers[] | .name]' '["SCRATCH_TEST"]'
title '--define comes before it'
run gpu-regdump -p skl --define "$work/second.def" --list --json rcs0.RING_BUFFER_TAIL
expect_json '[.registers[] | .fields[] | .name] | unique' '["THEIRS"]'
title '--no-user-config'
refused 3 'gpu-regdump: SCRATCH_TEST: *' gpu-regdump -p skl --no-user-config --list SCRATCH_TEST
title 'only *.def'
mv "$HOME/.config/gpuscope/scratch.def" "$HOME/.config/gpuscope/scratch.def.bak"
refused 3 'gpu-regdump: SCRATCH_TEST: *' gpu-regdump -p skl --list SCRATCH_TEST
mv "$HOME/.config/gpuscope/scratch.def.bak" "$HOME/.config/gpuscope/scratch.def"

title 'never under sudo'
refused 3 'gpu-regdump: SCRATCH_TEST: *' env SUDO_UID=1000 gpu-regdump -p skl --list SCRATCH_TEST
title 'never from a folder of somebody else'
if [ "$(id -u)" = 0 ]; then
	chown -R 65534 "$HOME/.config/gpuscope"
	refused 3 'gpu-regdump: SCRATCH_TEST: *' gpu-regdump -p skl --list SCRATCH_TEST
	chown -R 0 "$HOME/.config/gpuscope"
fi

title 'never what others may write, and it says so'
for writable in "$HOME/.config/gpuscope" "$HOME/.config/gpuscope/scratch.def"; do
	for mode in g+w o+w; do
		chmod "$mode" "$writable"
		run_lenient gpu-regdump -p skl --list SCRATCH_TEST
		expect_status 3
		expect_err_line "gpu-regdump: $writable: not read: other users can write it (chmod go-w)"
		chmod go-w "$writable"
	done
done
run gpu-regdump -p skl --list SCRATCH_TEST
expect_status 0

rm "$HOME/.config/gpuscope/scratch.def"

title 'a broken file there is a warning'
cp "$broken" "$HOME/.config/gpuscope/"
run gpu-regdump -p skl --list --json rcs0.RING_BUFFER_TAIL
expect_status 0
expect_json '[.registers[] | .name]' '["RING_BUFFER_TAIL"]'
same 'lines on stderr' "$(wc -l <"$err")" 1
expect_err_line "gpu-regdump: *broken.def:7:*expected*"
run gpu-regdump -p skl --no-user-config --list rcs0.RING_BUFFER_TAIL
expect_status 0
expect_err_empty
title 'a broken file does not keep the good one beside it away'
cp "$good" "$HOME/.config/gpuscope/"
run gpu-regdump -p skl --list SCRATCH_TEST
expect_status 0
title 'one that cannot be read is a warning too'
rm "$HOME/.config/gpuscope/broken.def"
mkdir "$HOME/.config/gpuscope/folder.def"
ln -s /nonexistent "$HOME/.config/gpuscope/dangling.def"
run gpu-regdump -p skl --list rcs0.RING_BUFFER_TAIL
expect_status 0
finish

title 'notes: of all platforms, or of one; topics: notes on what is no register'
cat >"$work/notes.def" <<'END'
format 1
document lab "Notes of the lab"
origin lab "1"
reg NOTED @0x9f00 rw
	note "Everywhere."
	note on=skl "There alone."
topic LAB_ORDER on=gen9 "In which order it happens."
	note "First this, then that."
	alias LAB_SEQUENCE
END
run gpu-db --define "$work/notes.def" show NOTED
expect_out_has 'note        Everywhere.'
expect_out_has 'note        There alone. (skl)'
run gpu-db -p kbl --define "$work/notes.def" show NOTED --json
expect_json '[.definitions[].notes[].text]' '["Everywhere."]'
run gpu-db -p skl --define "$work/notes.def" show lab_order --json
expect_json '.definitions[] | [.kind, .doc, .notes[0].text]' \
	'["topic","In which order it happens.","First this, then that."]'
run gpu-db -p skl --define "$work/notes.def" show LAB_SEQUENCE
expect_out_has 'LAB_ORDER  topic'
expect_out_has 'also        LAB_SEQUENCE'
run gpu-db -p skl --define "$work/notes.def" list --topics 'LAB*'
expect_out_has 'LAB_ORDER'
run gpu-db --define "$work/notes.def" list --topics LAB_ORDER URB_ALLOCATION
same 'columns where texts begin' "$(awk '{ print match($0, "(How|In which) ") }' "$out" | sort -u | wc -l)" 1
refused 3 'gpu-db: *' gpu-db -p tgl --define "$work/notes.def" show LAB_ORDER

title 'messages of kernel logs, of the user'
cat >"$work/messages.def" <<'END'
format 1
document lab "Notes of the lab"
origin lab "2"
with driver=i915 type=gears
	message "gears of ENGINE jam" kind=hang certain "the gears of ENGINE jam"
	message "ailed to reset chip" "the lab knows better"
harmless "gears were oiled" "this is done each day"
END
cat >"$work/gears.log" <<'END'
[    1.000000] i915 0000:00:02.0: [drm] *ERROR* gears of ENGINE jam on rcs0 (-5)
[    2.000000] i915 0000:00:02.0: [drm] *ERROR* gears were oiled
[    3.000000] i915 0000:00:02.0: [drm] *ERROR* Failed to reset chip
END
run gpu-db check "$work/messages.def"
expect_out "$work/messages.def: 3 messages: sound"
run gpu-fault --define "$work/messages.def" --dmesg "$work/gears.log" --json
expect_json '.faults[] | [.kind, .rank, .type, .engine, .text]' \
	'["hang","main","gears","rcs0","the gears of rcs0 jam (error -5)"]
["error","main","gears",null,"the lab knows better"]'
run gpu-fault -v --define "$work/messages.def" --dmesg "$work/gears.log" --json
expect_json '.faults[2] | [.rank, .line, .text, .time]' '["harmless",2,"this is done each day","2.000000"]'
run gpu-fault -v --define "$work/messages.def" --dmesg "$work/gears.log"
expect_out_has 'harmless   0000:00:02.0  line 2  \[2.000000\]'
run gpu-fault --dmesg "$work/gears.log"
expect_out_has 'reports: "gears were oiled"'
run gpu-db --define "$work/messages.def" list --messages gears
expect_out_has 'gears of ENGINE jam  i915   hang   gears             the gears of ENGINE jam'
cat >>"$work/messages.def" <<'END'
message "gears of ENGINE jam" driver=i915 "twice"
END
run gpu-db check "$work/messages.def"
expect_status 1
expect_out_has 'message "gears of ENGINE jam" is also in .*messages.def:5, expected one'

title 'search: all words, in a statement or what it is about'
run gpu-db --define "$work/notes.def" -p skl search FIRST that lab_
expect_status 0
expect_out 'LAB_ORDER  topic
  First this, then that.'
run gpu-db --define "$work/notes.def" search noted everywhere --json
expect_json '[.statements[] | [.name, .kind, .field, .text]]' \
	'[["NOTED","register",null,"Everywhere."]]'
refused 3 'gpu-db: first: no statement has all these words*' \
	gpu-db --define "$work/notes.def" -p tgl search first lab_order
