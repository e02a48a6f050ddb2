#!/bin/sh
# SPDX-License-Identifier: MIT
# Known problems: each entry matches its sample, a few lines that have the shape of what is reported,
# and nothing else does: no other sample, no log and no dump of the tests.
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/fault-state.sh"
needs gpu-fault gpu-db jq

samples=$(dirname "$0")/known.tsv
tab=$(printf '\t')

# sample KERNEL LINES: a log of that kernel
sample() {
	printf '[    0.000000] Linux version %s (builder@host) (gcc 13.2.0) #1 SMP\n' "$1"
	printf '%b\n' "$2" | sed 's/^/[   77.000000] /'
}

# known FILE [ARG...]: the names of what is reported for it
known() {
	gpu-fault -j "$@" 2>"$work/known.err" | jq -r '[.known[]?.name] | join(" ")'
}

title 'each entry has a sample, which matches this entry alone'
gpu-db list --known -j | jq -r '.known[].name' | sort >"$work/entries"
grep -v '^#' "$samples" | cut -f1 | sort >"$work/sampled"
cmp -s "$work/entries" "$work/sampled" || fail "$(diff "$work/entries" "$work/sampled")"
[ "$(wc -l <"$work/entries")" -ge 60 ] || fail 'there are fewer than 60'
grep -v '^#' "$samples" | while IFS=$tab read -r name kernel lines; do
	sample "$kernel" "$lines" >"$work/log.txt"
	found=$(known "$work/log.txt")
	[ "$found" = "$name" ] || fail "$name: with Linux $kernel it is: $found"
	# Not with a kernel that no entry names, nor without one.
	sample 3.2.99 "$lines" >"$work/log.txt"
	found=$(known "$work/log.txt")
	[ -z "$found" ] || [ "$name" = lnl-guc-70.20 ] || fail "$name: with Linux 3.2 it is: $found"
	printf '%b\n' "$lines" >"$work/log.txt"
	found=$(known "$work/log.txt")
	[ -z "$found" ] || [ "$name" = lnl-guc-70.20 ] || fail "$name: without a kernel it is: $found"
done || exit 1

title 'each entry has a public link and an origin'
run gpu-db list --known -j
expect_json '[.known[] | select((.link | test("^https://") | not) or .origin == null)]' '[]'

title 'what is shown'
grep "^dsb-vrr$tab" "$samples" | while IFS=$tab read -r name kernel lines; do
	sample "$kernel" "$lines" >"$work/log.txt"
done
run gpu-fault "$work/log.txt"
expect_out_has '^Reported before: DSB times out with variable refresh rate \(https://.*/9927\); reported fixed in Linux 6\.9, 6\.7\.12$'
expect_out_lacks 'vertical blank'
run gpu-fault -v "$work/log.txt"
expect_out_has '^  the display state buffer waits for a vertical blank'
run gpu-fault -q "$work/log.txt"
expect_out_lacks 'Reported'
run gpu-fault --markdown "$work/log.txt"
expect_out_has '^Reported before: DSB times out|^`?Reported before'
run gpu-fault -j "$work/log.txt"
expect_json '.known[0] | [.name, .fixed, (.says | length > 20)]' '["dsb-vrr","Linux 6.9, 6.7.12",true]'
run gpu-db list --known 'dsb-*'
expect_out_has '^dsb-vrr +DSB times out'
expect_out_has '^  words +DSB 0 timed out waiting for idle$'
run gpu-db list --known -p lnl
expect_out_has '^lnl-guc-70\.20 '
expect_out_lacks '^dg2-ccs-mode '

# ---- versions of kernels --------------------------------------------------------------------

cat >"$work/own.def" <<'END'
format 1
document own "my notes"
origin own "1"
known own-list "a list" driver=i915
	kernel "5.10..5.10.9,6.1.20..6.1.118,6.8,<4.4"
	words "frobnicated|defrobnicated"
	says "it is so"
	link "https://example.org/1"
END
# kernel BANNER WANTED: with these words after "Linux version", "own-list" or ""
kernel() {
	title "$1"
	printf 'Linux version %s\n[1.0] i915 0000:00:02.0: [drm] *ERROR* GT was defrobnicated\n' "$1" \
		>"$work/log.txt"
	found=$(known --define "$work/own.def" "$work/log.txt")
	[ "$found" = "$2" ] || fail "it is: $found"
}
kernel '5.10.9 (a@b) #1 SMP' own-list
kernel '5.10.10 (a@b) #1 SMP' ''
kernel '4.3.12 (a@b) #1 SMP' own-list
kernel '4.4.0-rc3 (a@b) #1 SMP' ''
kernel '6.8.12-arch1-1 (a@b) #1 SMP' own-list
kernel '6.1.0-28-amd64 (debian-kernel@lists.debian.org) #1 SMP PREEMPT_DYNAMIC Debian 6.1.119-1 (2024-11-22)' ''
kernel '6.1.0-27-amd64 (debian-kernel@lists.debian.org) #1 SMP PREEMPT_DYNAMIC Debian 6.1.115-1 (2024-11-01)' own-list
kernel '6.8.0-45-generic (buildd@host) #45-Ubuntu SMP (Ubuntu 6.8.0-45.45-generic 6.8.12)' own-list
kernel '5.10.0-1234-generic (buildd@host) #1 SMP (Ubuntu 5.10.0-1.1-generic 5.10.8)' own-list
# Which 6.1 or 5.10 it is, is not known; but all of 6.8 are in the list.
kernel '6.1.0-28-amd64 (a@b) #1 SMP' ''
kernel '5.10.0-8-amd64 (a@b) #1 SMP' ''
kernel '6.8.0-45-generic (a@b) #1 SMP' own-list
# A kernel of RHEL has much of newer ones.
kernel '5.10.5-362.el9.x86_64 (a@b) #1 SMP' ''
kernel 'of nothing' ''

title 'a trace names the kernel, too'
printf '%s\n' '[1.0] CPU: 5 PID: 276 Comm: kworker/5:2 Tainted: G     U            5.10.8-CI #1' \
	'[1.0] i915 0000:00:02.0: [drm] *ERROR* GT was frobnicated' >"$work/log.txt"
[ "$(known --define "$work/own.def" "$work/log.txt")" = own-list ] || fail 'not found'

title 'the boot with the words counts'
printf '%s\n' 'Linux version 5.10.8 (a@b) #1' '[1.0] i915 0000:00:02.0: [drm] Initialized' \
	'Linux version 5.10.20 (a@b) #1' '[1.0] i915 0000:00:02.0: [drm] *ERROR* GT was frobnicated' \
	>"$work/log.txt"
[ -z "$(known --define "$work/own.def" "$work/log.txt")" ] || fail 'another boot has the kernel'

title 'the firmware of that boot'
sed 's/^\(known own-list.*\)$/\1 firmware=guc:<70.20.0/' "$work/own.def" >"$work/firmware.def"
for version in 70.5.1 70.20.0 ''; do
	{
		echo 'Linux version 5.10.8 (a@b) #1'
		[ -z "$version" ] ||
			echo "[1.0] i915 0000:00:02.0: [drm] GT0: GuC firmware i915/adlp_guc_70.bin version $version"
		echo '[1.0] i915 0000:00:02.0: [drm] *ERROR* GT was frobnicated'
	} >"$work/log.txt"
	found=$(known --define "$work/firmware.def" "$work/log.txt")
	[ "$found" = "$([ "$version" != 70.5.1 ] || echo own-list)" ] || fail "$version: $found"
done

# ---- dumps, and the order -------------------------------------------------------------------

title 'a dump: signature, process, platform, kernel; three at most, those with more conditions first'
{
	echo 'GPU HANG: ecode 9:1:85dffffb, in Xorg [1981]'
	echo 'Kernel: 6.1.0-28-amd64 x86_64'
	echo 'Driver: 20201103'
	fault_state 1 00001004
	dwords 0x7a000004 0 0 0 0 0
} >"$work/error.txt"
signature=$(gpu-fault -j "$work/error.txt" | jq -r .signature)
{
	printf 'format 1\ndocument own "my notes"\norigin own "1"\n'
	for name in 'one' 'two on=skl' 'three on=skl driver=i915' 'four on=skl,kbl driver=i915' \
		'five on=skl driver=i915 process=Xorg kernel=6.1' 'six kernel=6.1.9..6.1.20'; do
		printf 'known %s "T"\n\tsignature "%s"\n\tsays "x"\n\tlink "https://e.org"\n' \
			"${name%% *} \"title\" ${name#"${name%% *}"}" "$signature" | sed 's/ "T"$//'
	done
	printf 'known other "T" process=nobody*\n\tsignature "skl/*"\n\tsays "x"\n\tlink "https://e.org"\n'
	printf 'known xe-one "T" driver=xe\n\tsignature "skl/*"\n\tsays "x"\n\tlink "https://e.org"\n'
	printf 'known words "T"\n\twords "hang"\n\tsays "x"\n\tlink "https://e.org"\n'
	printf 'known kernel "T" kernel=<99\n\tsignature "hsw/*"\n\tsays "x"\n\tlink "https://e.org"\n'
} >"$work/dump.def"
found=$(known --define "$work/dump.def" "$work/error.txt")
[ "$found" = 'five three four' ] || fail "it is: $found"
run gpu-fault --define "$work/dump.def" "$work/error.txt"
expect_out_has '^Reported before: title \(https://e\.org\)$'

title 'an entry that is wrong'
# wrong LINE TEXT
wrong() {
	printf 'format 1\ndocument own "notes"\norigin own "1"\n%b\n' "$1" >"$work/wrong.def"
	run gpu-db check "$work/wrong.def"
	expect_status 1
	grep -qF -- "$2" "$out" "$err" || fail "no \"$2\" in: $(cat "$out" "$err")"
}
wrong 'known x "t"\n\twords "w"\n\tsays "s"' 'a "title", and lines says and link'
wrong 'known x "t"\n\tsays "s"\n\tlink "https://e.org"' 'a line words or signature'
wrong 'known x "t" kernel=6..x\n\twords "w"\n\tsays "s"\n\tlink "https://e.org"' 'kernel= with versions'
wrong 'known x "t" firmware=70.1\n\twords "w"\n\tsays "s"\n\tlink "https://e.org"' 'firmware= with versions'
wrong 'known x "t" firmware=gcu:<99\n\twords "w"\n\tsays "s"\n\tlink "https://e.org"' 'firmware= with versions'
wrong 'known x "t" on=tgl:a0\n\twords "w"\n\tsays "s"\n\tlink "https://e.org"' 'without steppings'
wrong 'known x "t"\n\twords "w"\n\tsays "s"\n\tlink "mailto:x"' 'https://'
wrong 'known x "t"\n\tsays "s"\n\tsays "s"' 'each kind of line once'

# ---- nothing else matches -------------------------------------------------------------------

title 'no demo matches'
for demo in snb-hang skl-hang icl-trtt; do
	[ -z "$(known -s demo:$demo)" ] || fail "$demo: $(known -s demo:$demo)"
done
for file in "$data"/*.txt; do
	[ -z "$(known "$file")" ] || fail "$file: $(known "$file")"
done
for file in ${GPUSCOPE_CORPUS:+"$GPUSCOPE_CORPUS"/wild/* "$GPUSCOPE_CORPUS"/fault-log/* \
	"$GPUSCOPE_CORPUS"/error-state/*}; do
	[ -f "$file" ] || continue
	title "nothing in $file"
	found=$(timeout 60 gpu-fault -j "$file" 2>"$work/known.err" | jq -r '[.. | .known? // empty | .[].name] | join(" ")' 2>"$work/jq.err")
	[ -z "$found" ] || fail "it is: $found"
done
expect_schemas
finish
