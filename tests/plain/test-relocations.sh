#!/bin/sh
# SPDX-License-Identifier: MIT
# Each relocation of the library is work at every start and a page that is not shared. The
# definitions are one blob without pointers, so what is left are tables of readers, names and
# functions: some thousand. 50000, one a register, would cost 0.9 ms a start.
. "$(dirname "$0")/lib.sh"
needs readelf
most=4300

count=$(readelf -Wr "$library" | grep -c 'R_[A-Z0-9_]*')
[ "$count" -le $most ] || fail "$count relocations, at most $most were expected"
[ "$count" -gt 0 ] || fail 'none: is this the library?'

# What is written to at start-up: the blob must not be in it.
for size in $(readelf -WS "$library" | sed 's/^ *\[ *[0-9]*\] *//' |
	awk '$1 ~ /^\.(data|bss|data\.rel\.ro)$/ { print $5 }'); do
	[ $((0x$size)) -lt 65536 ] || fail "a section of $((0x$size)) bytes is the process's own"
done
finish
