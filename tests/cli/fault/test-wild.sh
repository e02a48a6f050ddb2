#!/bin/sh
# SPDX-License-Identifier: MIT
# Real logs and dumps, plain and as mails, journals, terminals and web pages mangle them: the
# commands say what is expected of them.
. "$(dirname "$0")/../lib.sh"
needs gpu-fault gpu-regdump python3
[ -n "${GPUSCOPE_CORPUS:-}" ] || pass_by 'no corpus given (GPUSCOPE_CORPUS)'
[ -e "$GPUSCOPE_CORPUS/wild/expect.tsv" ] || pass_by 'the corpus has none'

# Mails whose lines were broken before a journal's prefix, or none, came in front of each piece, or
# before a terminal broke them again.
cat >"$work/apart" <<'APART'
^dmesg-(mail-iommu|xe-mailquote)-.* (journal|syslog|untimed|folded):
APART

title 'plain and mangled'
python3 "$tests/cli/fault/wild.py" "$GPUSCOPE_CORPUS/wild" >"$work/said"
grep -q ' cases are as they should be$' "$work/said" || fail 'it did not come to its end'
grep -v ' cases are as they should be$' "$work/said" | grep -vEf "$work/apart" >"$work/differ"
while read -r line; do
	fail "$line"
done <"$work/differ"

finish
