#!/bin/sh
# SPDX-License-Identifier: MIT
# Ten thousand dumps in one go: each has its line, and neither memory nor descriptors add up.
. "$(dirname "$0")/lib.sh"

count=10000
! sanitized || count=200
mkdir "$work/dumps"
cp "$tests/data/error-state.txt" "$work/error"
cp "$work/error" "$work/dumps/0"
cp "$capture" "$work/dumps/1"
gzip -c "$work/error" >"$work/dumps/2"
head -c 100 "$work/error" >"$work/dumps/3"
head -c 4096 /dev/urandom | tr '[:print:]' '\377' >"$work/dumps/4"
# shellcheck disable=SC2046
set -- $(seq -f "$work/dumps/%.0f" 0 4)
while [ $# -lt $count ]; do
	set -- "$@" "$@"
done
while [ $# -gt $count ]; do
	shift
done

title 'as JSON'
ulimit -n 24
quickly 60 64 gpu-fault --ndjson "$@"
expect_status 6
same 'objects' "$(wc -l <"$out")" $count
same 'signatures' "$(jq -r .signature <"$out" | sort -u | wc -l)" 4
[ "$(wc -l <"$err")" = 20 ] || fail "$(wc -l <"$err") lines on stderr"
finish
