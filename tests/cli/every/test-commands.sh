#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of the manuals, listed apart from the definitions, against what gpu-db exports: every
# field (tests/data/snb-commands.tsv) and every row of the command maps (snb-command-map.tsv); then
# every command of the reference decodes of the corpus, by its header: its name, and its length.
. "$(dirname "$0")/../lib.sh"
needs python3 gpu-db

# differences SUBCOMMAND ARGUMENTS...: what commands.py finds, against the lines of $work/explained
differences() {
	run_lenient python3 "$tests/cli/every/commands.py" "$@"
	same 'the status of commands.py' "$status: $(tail -n 1 "$err")" '0: '
	same 'new differences' "$(grep -Fxv -f "$work/explained" "$out" | head -n 20)" ''
	same 'explained differences that are gone' \
		"$(grep -Fxv -f "$out" "$work/explained" | head -n 20)" ''
}

title 'every field of the MI and STATE commands of the manual'
# MI_BATCH_BUFFER_END has one dword: what is printed below it is of the conditional form. Numbers of
# MI_NOOP have 22 bits, the enable being bit 22. The address of MI_SEMAPHORE_MBOX is printed with a
# placeholder for its name; here it is SEMAPHORE_ADDRESS, or REGISTER_ADDRESS.
cat >"$work/explained" <<'EOF'
MI_BATCH_BUFFER_END SEMAPHORE_DATA_DWORD dw1.31:0
MI_BATCH_BUFFER_END SEMAPHORE_ADDRESS dw2.31:3
MI_BATCH_BUFFER_END RESERVED dw2.2:0
MI_NOOP IDENTIFICATION_NUMBER dw0.31:0
MI_SEMAPHORE_MBOX POINTERBITFIELDNAME_MMIO_REGISTER_ADDRESS dw2.31:2
EOF
differences fields "$data/snb-commands.tsv" snb
same 'fields of the list' "$(grep -vc '^#' "$data/snb-commands.tsv")" 157

title 'every row of the command maps'
# MI_UNPROBE is reserved in the map, and described in part 3. MI_URB_CLEAR and MFC_STITCH_OBJECT are
# reserved in it, and used on Gen6 by Mesa's definitions.
cat >"$work/explained" <<'EOF'
snb 31:29=0,28:23=0x06 reserved: MI_UNPROBE
snb 31:29=0,28:23=0x19 reserved: MI_URB_CLEAR
snb 31:29=3,28:27=2,26:24=1,23:21=2,20:16=0x0a..0x1f reserved: MFC_STITCH_OBJECT
snb 31:29=3,28:27=2,26:24=1,23:21=2,20:16=0x00..0x1f reserved: MFC_STITCH_OBJECT
EOF
differences map "$data/snb-command-map.tsv"
map_rows() {
	awk -F'\t' -v map="$1" '$1 == map && $5 != "Reserved"' "$data/snb-command-map.tsv" | wc -l
}
same 'rows of the MI map' "$(map_rows MI)" 28
same 'rows of the 2D map' "$(map_rows 2D)" 26
same 'rows of the 3D map, and the three without opcode' "$(map_rows 3D)" 41
same 'rows of the MFX map' "$(map_rows MFX)" 24

title 'one opcode, another command by engine and platform'
while read -r platform engine opcode name; do
	printf 'MI\t%s\t%s\t31:29=0,28:23=%s\t%s\t-\n' "$platform" "$engine" "$opcode" "$name"
done >"$work/by-engine.tsv" <<'EOF'
ilk render 0x26 MI_REPORT_PERF_COUNT
snb video,blitter 0x26 MI_FLUSH_DW
snb render 0x28 MI_REPORT_PERF_COUNT
ivb,skl video 0x26 MI_FLUSH_DW
snb render 0x04 MI_FLUSH
icl render 0x04 MI_WAIT_FOR_EVENT_2
snb render 0x06 MI_UNPROBE
hsw render 0x06 MI_RS_CONTROL
hsw render 0x09 MI_URB_ATOMIC_ALLOC
lnl render 0x09 MI_MEM_FENCE
EOF
printf 'MI\tsnb\trender\t31:29=0,28:23=0x26\tReserved\t-\n' >>"$work/by-engine.tsv"
printf '2D\tsnb\trender\t31:29=2,28:22=0x50\tReserved\t-\n' >>"$work/by-engine.tsv"
: >"$work/explained"
differences map "$work/by-engine.tsv"

title 'a difference is found'
printf 'MI\tsnb\trender\t31:29=0,28:23=0x05\tMI_ARB_ON_OFF\t-\n' >"$work/wrong.tsv"
run_lenient python3 "$tests/cli/every/commands.py" map "$work/wrong.tsv"
expect_out 'snb 31:29=0,28:23=0x05 MI_ARB_ON_OFF'
printf '0x00001000:      0x05000001: MI_NOOP\n0x00001008:      0x00000000: MI_NOOP\n' >"$work/wrong"
run_lenient python3 "$tests/cli/every/commands.py" names snb rcs "$work/wrong"
expect_out "$(printf 'snb 0x05000001 MI_NOOP\nsnb length of the command before 0x1008')"

if [ -z "${GPUSCOPE_CORPUS:-}" ]; then
	echo 'no corpus given: its references are left out' >&2
	finish
fi

title 'every command of the references'
while read -r platform files; do
	# shellcheck disable=SC2086
	set -- "$GPUSCOPE_CORPUS"/$files
	command_line="$platform $files"
	[ -e "$1" ] || fail 'nothing of this name in the corpus'
	differences names "$platform" rcs "$@"
done <<'EOF'
brw batch-libdrm/gen4-*-ref.txt
ilk batch-libdrm/gen5-*-ref.txt
ivb batch-libdrm/gen7-*-ref.txt
brw aub/gen4-brw-*.libdrm.txt
snb aub/gen6-snb-*.libdrm.txt
ivb aub/gen7-ivb-*.libdrm.txt
snb aub/gen6-snb-*.aubinator.txt
ivb aub/gen7-ivb-*.aubinator.txt
bdw aub/gen8-bdw-*.aubinator.txt
chv aub/gen8-chv-*.aubinator.txt
skl aub/gen9-skl-*.aubinator.txt
icl aub/gen11-icl-*.aubinator.txt
ctg error-state/gm45-*.libdrm.txt
EOF

finish
