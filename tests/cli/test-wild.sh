#!/bin/sh
# SPDX-License-Identifier: MIT
# Real logs and dumps, as mails, journals, terminals and web pages mangle them: the commands say the
# same as of the plain ones.
. "$(dirname "$0")/lib.sh"
needs gpu-fault gpu-regdump python3
[ -n "${GPUSCOPE_CORPUS:-}" ] || pass_by 'no corpus given'
[ -e "$GPUSCOPE_CORPUS/wild/expect.tsv" ] || pass_by 'the corpus has none'

# Logs whose lines were broken before: a prefix in front of each piece parts them for good. Where
# the times are gone two messages of one kind are no longer known to be one that came again.
cat >"$work/apart" <<'APART'
^dmesg-arlh-guc-next2511.txt .* (journal|syslog|untimed|indented):
^dmesg-xe-mailquote-24496.txt .* wrapped-quoted:
^dmesg-g33-pgtbl.txt .* untimed:
APART

title 'mangled as plain'
python3 "$tests/wild.py" --same "$GPUSCOPE_CORPUS/wild" >"$work/said"
grep -q ' cases are as they should be$' "$work/said" || fail 'it did not come to its end'
grep -v ' cases are as they should be$' "$work/said" | grep -vEf "$work/apart" >"$work/differ"
while read -r line; do
	fail "$line"
done <"$work/differ"

finish
