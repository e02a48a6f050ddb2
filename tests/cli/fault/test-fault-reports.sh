#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-fault --markdown, --junit, --sarif: what they say, against the schemas beside this script, and
# that nothing a dump contains becomes markup.
. "$(dirname "$0")/../lib.sh"
here=$(dirname "$0")
needs gpu-fault gpu-db jq python3
made=$data/driver-made

# report FORM NAME: the output of the last run, kept to be checked at the end
report() {
	cp "$out" "$work/$2.$1"
}

xml() {
	python3 -c 'import sys, xml.etree.ElementTree as tree
for element in tree.parse(sys.argv[1]).iterfind(sys.argv[2]): print(element.get(sys.argv[3]))' "$out" "$1" "$2"
}

title 'Markdown: the verdict first, and all the rest'
run gpu-fault --markdown demo:skl-hang
expect_status 0
expect_err_empty
same 'the first line' "$(head -n 1 "$out")" "**Verdict:** \`rcs0\` hangs in \`PIPE_CONTROL\` at \`ppgtt:0x10002003c\` after a page fault at \`ppgtt:0x7a1105603000\` (invalid PDE); the walk stops at the page directory: entry not present."
expect_out_has '^\| signature \| `skl/rcs0/PIPE_CONTROL/ppgtt-fault` '
expect_out_has '^\| GPU \| skl, Skylake, device `0x1912`, revision `0x06` \|$'
expect_out_has '^\| `rcs0` \| hung \| `PIPE_CONTROL` at `ppgtt:0x10002003c`, .* \| `0x10002003c` \| `0x7a000004` \|$'
expect_out_has '^- fault: `rcs0 ppgtt:0x7a1105603000`: invalid PDE, .*; not mapped: pde `0x0` at `phys:0x225437158` is not present; cause: ADDRESS of `PIPE_CONTROL` at `ppgtt:0x10002003c`$'
expect_out_has '^gpu-snap -s demo:skl-hang save --redact -o hang\.tar\.zst  # '
report markdown skl
[ "$(wc -l <"$out")" -le 22 ] || fail "$(wc -l <"$out") lines are no summary"
title 'Markdown: what it says to run runs'
sed -n '/^```sh$/,/^```$/{/^```/d;p;}' "$out" >"$work/commands"
same 'number of commands' "$(wc -l <"$work/commands")" 2
cd "$work" || exit 1
run sh -e "$work/commands"
expect_status 0
expect_out_has '^0x10002003c: .*PIPE_CONTROL  <- ACTHD$'
run gpu-snap info hang.tar.zst
expect_out_has '^redacted'

title 'Markdown of a driver'\''s dump'
zcat "$made/i915-6.12-skl-second.gz" >state
run gpu-fault --markdown "$work/state"
expect_status 0
expect_out_has '^\| driver \| `i915`; kernel `6\.12\.117\+deb12-amd64 x86_64` \|$'
expect_out_has '^\| hang \| ecode `9:1:e77ffeff`, in `hang-i915 \[142\]`; `2026-11-23 '
expect_out_has '^gpu-batch -s state -e rcs0 '
expect_out_lacks "$work"
report markdown state
run gpu-fault --markdown "$made/xe-6.12-tgl-reset.gz"
expect_out_has '^\| driver \| xe; kernel `'
report markdown xe
[ "$(wc -l <"$out")" -le 22 ] || fail "$(wc -l <"$out") lines are no summary"

title 'Markdown of a log'
cat >log <<'END'
[   12.345678] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in Xorg [1981]
[   12.400000] i915 0000:00:02.0: [drm] Resetting rcs0 for preemption time out
END
i=20
while [ $i -lt 28 ]; do
	echo "[   $i.000001] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffff$((i - 20)), in a$i [$i]" >>log
	i=$((i + 1))
done
run gpu-fault --markdown log
expect_status 0
expect_out_has '^\*\*Verdict:\*\* First \(line 1, `12\.345678`\): '
expect_out_has '^- line 1 at `12\.345678`, hang'
expect_out_has '^- and [0-9]+ more$'
same 'events' "$(grep -c '^- line' "$out")" 6
expect_out_has '^Attach the log itself\.$'
report markdown log
run_in log gpu-fault --dmesg --markdown -
same 'the same from a pipe' "$(cat "$out")" "$(cat "$work/log.markdown")"

title 'Markdown in a session has whole commands'
run gpu-sh -s "$work/state" -c 'fault --markdown'
expect_status 0
expect_out_has '^gpu-batch -s state -e rcs0 '
expect_out_has '^gpu-snap -s state save '
report markdown session

title 'Markdown of several'
run gpu-fault --markdown demo:snb-hang "$work/log" /dev/null demo:icl-trtt
expect_status 6
same 'sections' "$(sed -n 's/^### //p' "$out" | tr '\n' ' ')" '`demo:snb-hang` `log` `null` `demo:icl-trtt` '
expect_out_has '^\*\*Not readable:\*\* '
report markdown several

title 'JUnit'
echo '[    1.000000] i915 0000:00:02.0: [drm] Initialized i915 1.6.0 20201103 for 0000:00:02.0 on minor 0' >clean
run gpu-fault --junit demo:skl-hang clean "$work/absent"
expect_status 6
report junit several
same 'counts' "$(for name in tests failures errors skipped; do xml testsuite $name; done | tr '\n' ' ')" '3 1 1 0 '
same 'names' "$(xml testsuite/testcase name | tr '\n' ' ')" "demo:skl-hang clean $work/absent "
same 'the signature' "$(xml .//failure type)" skl/rcs0/PIPE_CONTROL/ppgtt-fault
same 'the verdict' "$(xml .//failure message)" "$(gpu-fault -q demo:skl-hang)"
same 'the error' "$(xml .//error message)" 'No such file or directory'
expect_out_has '^        cause: ADDRESS of PIPE_CONTROL'
run gpu-fault --junit "$work/absent"
expect_status 1
report junit absent
same 'one error' "$(xml testsuite errors)" 1
run gpu-fault --junit -s demo:skl-hang --check
expect_status 0
report junit check
same 'findings are tests' "$(xml testsuite/testcase classname | tr '\n' ' ')" 'gpu-fault gpu-fault.not-awake '
run gpu-fault --dmesg --junit clean
expect_status 0
report junit clean
same 'no failure' "$(xml testsuite failures)" 0

title 'SARIF'
run gpu-fault --sarif demo:skl-hang clean "$work/log" "$work/absent" "$work/state"
expect_status 6
report sarif several
expect_json '[.runs[0].results[] | [.ruleId, .level, .partialFingerprints["signature/v1"]]]' \
	'[["page-fault","error","skl/rcs0/PIPE_CONTROL/ppgtt-fault"],["hang","error","-/rcs0/-/hang"],["endless-loop","error","skl/rcs0/MI_BATCH_BUFFER_START/loop"]]'
expect_json '.runs[0].results[0].properties | [.engine, .address, .command]' '["rcs0","ppgtt:0x7a1105603000","PIPE_CONTROL"]'
expect_json '.runs[0].results[1].locations[0].physicalLocation' \
	"{\"artifactLocation\":{\"uri\":\"file://$work/log\"},\"region\":{\"startLine\":1}}"
expect_json '.runs[0].results[1].relatedLocations[1].physicalLocation.region.startLine' 2
expect_json '.runs[0].invocations[0] | [.executionSuccessful, (.toolExecutionNotifications[] | .level, .message.text)]' \
	'[false,"error","No such file or directory"]'
jq -r '.runs[0].tool.driver.rules[].id' <"$out" | sort >rules
gpu-db list --rules --ndjson | jq -r 'select(.command == "gpu-fault").name' | sort -u |
	comm -23 - rules >missing
same 'rules of gpu-fault that SARIF lacks' "$(cat missing)" ''
run gpu-fault --sarif --check -s demo:snb-hang
report sarif check
expect_json '[.runs[0].results[] | .ruleId] | unique' '["page-fault","same-address"]'
run gpu-fault --sarif "$work/absent"
expect_status 1
report sarif absent
expect_json '.runs[0].results' '[]'

title 'names of files are URIs'
cp clean 'a b#c?d:[e]%&'
run gpu-fault --sarif log 'a b#c?d:[e]%&' demo:snb-hang /dev/null
report sarif names
expect_json '[.runs[0].results[].locations[0].physicalLocation.artifactLocation.uri]' '["log","demo:snb-hang"]'
cp log 'a b#c?d:[e]%&'
run gpu-fault --sarif 'a b#c?d:[e]%&'
expect_json '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri' '"a%20b%23c%3Fd%3A%5Be%5D%25%26"'
report sarif name

title 'what says nothing is no success'
printf '%s\n' 'PCI ID: 0x1912' 'EIR: 0x00000000' 'Kernel: 6.1.0' 'rcs0 command stream:' '  START: 0x00010000' >bare
run gpu-fault --junit bare
report junit bare
same 'a dump without a verdict' "$(xml testsuite failures)" 1

# ---- hostile dumps ------------------------------------------------------------------------------

title 'nothing of a dump becomes markup'
n=0
while IFS= read -r text; do
	n=$((n + 1))
	KILLER=$text awk '
		/^GPU HANG/ { print "GPU HANG: ecode 9:1:e77ffeff, in " ENVIRON["KILLER"] " [142]"; next }
		/^Kernel:/ { print "Kernel: " ENVIRON["KILLER"]; next }
		/^Active process/ { print "Active process (on ring rcs0): " ENVIRON["KILLER"]; next }
		{ print }' state >"hostile $n"
	printf '[    1.5] i915 0000:00:02.0: [drm] *ERROR* %s\n[    2.5] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in %s [1981]\n' \
		"$text" "$text" >"hostile log $n"
	for form in markdown junit sarif; do
		run gpu-fault --$form "hostile $n"
		expect_status 0 6
		report $form "dump-$n"
		run gpu-fault --$form "hostile log $n"
		report $form "log-$n"
	done
done <<'END'
@everyone [x](javascript:alert(1)) #123 !45
`@everyone` ``` | a | b | \| c |
<script>alert(1)</script> <img src=x onerror=alert(1)> <!-- -->
**bold** _it_ ~~no~~ ~label %milestone $x$ &amp; &#64;you
``` @a
| --- | --- |
fixes #1, closes GH-1 and org/repo#2, 0123456789abcdef0123456789abcdef01234567 deadbeef
https://example.com/x www.example.com a@b.example :smile: \@you
]]> </failure><error message="x"/> &lt; " ' {0} {{1}} ](2)
END
grep -q '`@everyone' "$work/dump-1.markdown" "$work/log-1.markdown" || fail 'the names are lost'
n=0
for name in '@x`|<b>[a](b)' '```' '$(touch pwned)' '**/close' 'a|b'; do
	n=$((n + 1))
	cp log "$work/$(printf %s "$name" | tr / _)"
	run gpu-fault --markdown "$(printf %s "$name" | tr / _)" demo:snb-hang
	report markdown "name-$n"
	run gpu-fault --junit "$(printf %s "$name" | tr / _)"
	report junit "name-$n"
done
printf 'GPU HANG: ecode 9:1:e77ffeff, in \357\277\276\377\033[31m\342\200\256x [142]\nPCI ID: 0x1912\nrcs0 command stream:\n  HEAD: 0x00000010\n' >bytes
for form in markdown junit sarif; do
	run gpu-fault --$form bytes
	report $form bytes
done

title 'all reports are well-formed'
for form in markdown junit; do
	run_lenient python3 "$here/reports.py" $form "$work"/*.$form
	[ "$status" = 0 ] || fail "$(cat "$out" "$err" | head -n 5)"
done
if command -v xmllint >/dev/null; then
	run_lenient xmllint --noout --schema "$here/junit.xsd" "$work"/*.junit
	[ "$status" = 0 ] || fail "$(grep -v validates "$err" | head -n 3)"
elif [ "${CI:-}" = true ]; then
	fail 'no xmllint here'
fi
if python3 -c 'import jsonschema' 2>/dev/null; then
	run_lenient python3 "$here/reports.py" sarif "$work"/*.sarif
	[ "$status" = 0 ] || fail "$(cat "$out" "$err" | head -n 5)"
elif [ "${CI:-}" = true ]; then
	fail 'no python3-jsonschema here'
fi

title 'the check sees what is wrong'
n=0
while IFS= read -r text; do
	n=$((n + 1))
	printf '%s\n' "$text" >bad
	run_lenient python3 "$here/reports.py" markdown bad
	same "status of '$text'" "$status" 1
done <<'END'
**Verdict:** an @engine
**Verdict:** `an engine
- fault: at 0x1000
text
| signature | `a|b` |
```
# heading
END

title 'one form at a time'
for options in '--markdown --json' '--junit --sarif' '--markdown -q' '--sarif --ndjson' '--junit --decode ring' \
	'--markdown --ecode 9:1:85dffffb' '--check' '--markdown --check' '--sarif -v'; do
	# shellcheck disable=SC2086
	run gpu-fault $options demo:skl-hang
	expect_status 2
	expect_out_empty
done

if [ -n "${GPUSCOPE_CORPUS:-}" ]; then
	title 'real dumps and logs'
	for form in markdown junit sarif; do
		n=0
		for file in "$GPUSCOPE_CORPUS"/wild/* "$GPUSCOPE_CORPUS"/error-state/*.txt "$GPUSCOPE_CORPUS"/driver-made/*; do
			n=$((n + 1))
			run_lenient gpu-fault --$form "$file"
			[ "$status" -le 6 ] || fail "ended with status $status"
			[ -s "$out" ] || continue
			cp "$out" "$work/real-$n.$form"
			[ $form != markdown ] || [ "$(wc -l <"$out")" -le 24 ] ||
				fail "$(wc -l <"$out") lines are no summary"
		done
		run_lenient python3 "$here/reports.py" $form "$work"/real-*.$form
		[ "$status" = 0 ] || fail "$(cat "$out" "$err" | head -n 5)"
	done
fi
finish
