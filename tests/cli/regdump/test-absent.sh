#!/bin/sh
# SPDX-License-Identifier: MIT
# What a dump does not have is unknown: neither unmapped nor without findings. One line says what is
# missing, and the status is 3 if nothing asked for is there.
. "$(dirname "$0")/../lib.sh"
needs gpu-batch gpu-fault gpu-ptwalk gpu-regdump gpu-report gpu-snap gpu-tile jq

cat >"$work/state" <<'END'
GPU HANG: ecode 9:1:0x85dffffb
PCI ID: 0x1912
Active process (on ring render):  [0], context bans 0
EIR: 0x00000000
rcs0 command stream:
  START: 0x00001000
  HEAD:  0x00000010
  TAIL:  0x00000020
  ACTHD: 0x00000000 00000010
  IPEHR: 0x7a000004
END
cat >"$work/rooted" <<'END'
# gpu-regdump 1.0 platform skl device 0x1912
0x002270  0x12345000
0x002274  0x00000000
0x00229c  0x00000000
END
printf '# gpu-regdump 1.0 platform skl device 0x1912\n0x002030  0x00000150\n' >"$work/registers"
cp "$data/lspci.txt" "$work/lspci"
gpu-snap save --redact -s demo:skl-hang -o "$work/redacted" || fail 'nothing to redact'

title 'no global table'
for dump in state registers lspci; do
	run gpu-ptwalk -s "$work/$dump" -m ggtt 0x10000
	expect_status 3
	expect_out_has '^0x10000  unknown: the dump has no GGTT$'
	expect_out_lacks 'not mapped'
	expect_err_line 'gpu-ptwalk: 0x10000: unknown: the dump has no GGTT'
	run gpu-ptwalk -s "$work/$dump" -m ggtt 0x10000 --json
	expect_json '.walks[0] | [.mapped, .stop.reason, .stop.text]' \
		'[false,"no-memory","the dump has no GGTT"]'
	run gpu-ptwalk -s "$work/$dump" -m ggtt 0x1000 0x2000
	expect_err_line 'gpu-ptwalk: 2 of 2 addresses: unknown: the dump has no GGTT'
	run gpu-ptwalk -s "$work/$dump" -m ggtt --map
	expect_status 3
	expect_err_line 'gpu-ptwalk: ggtt table for 0x0: the dump has no GGTT'
	run gpu-ptwalk -s "$work/$dump" -m ggtt --flat
	expect_status 3
	run gpu-ptwalk -s "$work/$dump" --check
	expect_status 3
	expect_err_line 'gpu-ptwalk: --check: the dump has no GGTT'
	run gpu-ptwalk -s "$work/$dump" --reverse 0x1000
	expect_status 3
	expect_err_line 'gpu-ptwalk: 0x1000: unknown: ggtt table for 0x0: the dump has no GGTT'
	expect_out_lacks 'no findings'
done

title "no tables of the process"
run gpu-ptwalk -s "$work/rooted" -m pml4 --root 0x12345000 0x10000
expect_status 3
expect_out_has '^0x10000  unknown: the dump has no page tables: the table at 0x12345000 is missing$'
run gpu-ptwalk -s "$work/rooted" -m pml4 --root 0x12345000 --map
expect_status 3
expect_err_line 'gpu-ptwalk: pml4e table at 0x12345000, for 0x0: the dump has no page tables'
run gpu-ptwalk -s "$work/rooted" -m pml4 --root 0x12345000 --check
expect_status 3
expect_err_line 'gpu-ptwalk: --check: the dump has no page tables'
run gpu-ptwalk -s "$work/rooted" -m pml4 --root 0x12345000 --reverse 0x1000
expect_status 3
expect_err_line 'gpu-ptwalk: 0x1000: unknown: pml4e table at 0x12345000, for 0x0: the dump has no page tables'
run gpu-ptwalk -s "$work/redacted" 0x1000
expect_err_line 'gpu-ptwalk: 0x1000: unknown: the dump is redacted, and has no page tables: the table at * is missing'
run gpu-ptwalk -s "$work/redacted" --check
expect_out_has '^# not checked: tables in pml4: the dump has no page tables$'

title 'an address that is and one that is not in the tables, and one that the dump lacks'
run gpu-ptwalk -s demo:skl-hang -m ggtt 0x8000 0x900000 0xfffff000
expect_err_line 'gpu-ptwalk: 2 of 3 addresses: *unknown*'

title 'no batch'
for dump in state registers lspci; do
	for option in --lint --state '--query INSTPM' "--kernels $work/kernels" --headers --json -v; do
		# shellcheck disable=SC2086
		run gpu-batch -s "$work/$dump" $option
		expect_status 3
		expect_err_line 'gpu-batch: commands: *no ring*'
		expect_out_empty
	done
done
title 'a ring whose memory the capture has left out'
for option in --lint --state '--query INSTPM' "--kernels $work/kernels" --headers --json -v; do
	# shellcheck disable=SC2086
	run gpu-batch -s "$work/redacted" $option
	expect_status 3
	expect_err_line 'gpu-batch: commands: rcs0 ring at ggtt:0x8000: redacted: mapped to phys:*, but the source has no memory'
	expect_out_lacks 'no findings'
done
run gpu-batch -s "$work/redacted" --lint --json
expect_json .findings '[]'
run gpu-batch -s "$work/redacted" --json
expect_json '[.buffers[].commands | length] | add' 0

title 'surfaces, parts and faults'
run gpu-tile -s "$work/redacted" --surface 0x1000
expect_status 3
expect_err_line 'gpu-tile: 0x1000: the dump is redacted, and has no page tables: the table at * is missing'
run gpu-tile -s "$work/registers" --surface 0x1000
expect_status 3
expect_err_line 'gpu-tile: 0x1000: the dump has no GGTT'
run gpu-snap extract "$work/redacted" ring -o "$work/part"
expect_status 3
run gpu-fault -s "$work/lspci"
expect_status 3
run gpu-fault -s "$work/state"
expect_status 0
expect_out_has '^process  without a name in the dump: \[0\], context bans 0, on render$'
for dump in state registers lspci redacted; do
	run gpu-report -s "$work/$dump" -o "$work/$dump.html"
	expect_status 0
done

title 'VT-d text: the rows are the tables'
cat >"$work/rows" <<'END'
Device 0000:00:02.0 @0x207f8000
IOVA_PFN          PML5E                 PML4E                 PDPE                  PDE                   PTE
0x0000000005400 | 0x0000000000000000    0x00000000207f9003    0x00000000207fa003    0x00000000207fb003    0x000000004d800003
0x0000000005401 | 0x0000000000000000    0x00000000207f9003    0x00000000207fa003    0x00000000207fb003    0x000000004d801003
0x0000000005403 | 0x0000000000000000    0x00000000207f9003    0x00000000207fa003    0x00000000207fb003    0x000000004d900001
END
for mode in '' '-m vtd'; do
	# shellcheck disable=SC2086
	run gpu-ptwalk -p kbl -s "$work/rows" $mode 0x5400000
	expect_status 0
	expect_out_has '^0x5400000  -> 0x4d800000 '
	# shellcheck disable=SC2086
	run gpu-ptwalk -p kbl -s "$work/rows" $mode --map
	expect_status 0
	expect_out '0x5400000-0x5402000 0x4d800000 2x4K linear rw
0x5403000-0x5404000 0x4d900000 1x4K linear ro'
	# shellcheck disable=SC2086
	run gpu-ptwalk -p kbl -s "$work/rows" $mode --flat
	expect_out '0x5400000 0x4d800000 4K rw
0x5401000 0x4d801000 4K rw
0x5403000 0x4d900000 4K ro'
	# shellcheck disable=SC2086
	run gpu-ptwalk -p kbl -s "$work/rows" $mode --reverse 0x4d801000
	expect_status 0
	expect_out '0x4d801000 0x5401000 vtd 0x207f8000/4'
	# shellcheck disable=SC2086
	run gpu-ptwalk -p kbl -s "$work/rows" $mode --check
	expect_status 0
done
run gpu-ptwalk -p kbl -s "$work/rows" 0x9999000
expect_status 3
expect_out_has '^0x9999000  unknown: '

title 'a table of which words are held here and there'
printf '# gpu-regdump 1.0 platform skl device 0x1912\n' >"$work/words"
mkdir -p "$work/tar/gpuscope" "$work/tar/ggtt"
printf 'format: 1\nplatform: skl\n' >"$work/tar/gpuscope/info"
printf '\001\020\000\000\000\000\000\000' >"$work/tar/ggtt/0x40.bin"
printf '\001\040\000\000\000\000\000\000' >"$work/tar/ggtt/0x80.bin"
(cd "$work/tar" && tar -cf "$work/sparse" gpuscope/info ggtt)
run gpu-ptwalk -s "$work/sparse" -m ggtt --flat
expect_status 6
expect_out_has '^0x8000 0x1000 4K'
expect_out_has '^0x10000 0x2000 4K'

title 'what was asleep still is when the text is read again'
run gpu-regdump -s demo:skl-hang
grep -c '  asleep ' "$out" >"$work/slept"
cp "$out" "$work/printed"
run gpu-regdump -s "$work/printed"
same 'registers asleep' "$(cat "$work/slept")" "$(grep -c '  asleep ' "$out")"

finish
