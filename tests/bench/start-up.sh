# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# What a start costs, beside a program that does nothing; and the prompt of gpu-sh.
"$work/make-bar" --random "$work/bar" 2097152

job 'start: one register of a dump' 'limit 2' 200 \
	"gpu-regdump --no-user-config -p tgl --from bar:$work/bar 0x2030" \
	"$(if_there intel_reg "--mmio=$work/bar" --devid=0x9a49 read 0x2030)" /bin/true
job 'start: one value decoded' '' 200 \
	'gpu-regdump -p skl --decode rcs0.RING_BUFFER_TAIL=0x150' \
	"$(if_there intel_reg "--mmio=$work/bar" --devid=0x9a49 decode 0x70180 0x84000000)" /bin/true
job 'start: one page-table entry' '' 200 'gpu-pte -p skl -m ggtt 0x12345001' '' /bin/true
job 'start: one definition' '' 200 'gpu-db -p skl show rcs0.RING_BUFFER_TAIL' '' /bin/true
job 'start: one walk in a capture' '' 200 'gpu-ptwalk -s demo:skl-hang -m ggtt 0x1000' '' /bin/true
job 'a hang in a capture, whole' '' 100 'gpu-fault -s demo:skl-hang' '' /bin/true

# It waits for a terminal: this one is wall-clock time.
if command -v gpu-sh >/dev/null; then
	"${CC:-cc}" -O2 -D_GNU_SOURCE -o "$work/pty" "$bench/../cli/pty.c"
	printf '%s\n' 'expect skl>' 'within 30000' 'type quit\n' 'end 0' >"$work/keys"
	for _ in $(seq 101); do
		TERM=xterm PTY_VERBOSE=1 "$work/pty" gpu-sh -s demo:skl-hang <"$work/keys"
	done | sed 's/[^0-9]//g' | sort -n >"$work/prompts"
	row 'the first prompt of gpu-sh, by the clock' 'most 10' ms \
		"$(awk 'NR == 51 { print $1 / 1000 }' "$work/prompts")"
fi
