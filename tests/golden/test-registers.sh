#!/bin/sh
# SPDX-License-Identifier: MIT
# The registers of every platform, of its latest revision, are what they were:
# tests/golden/registers.txt holds how each resolves, so a change for one platform shows if it moves
# another.
. "$(dirname "$0")/../plain/lib.sh"
: "${LISTING:?the listing program}"
golden=$SOURCE/tests/golden/registers.txt

"$LISTING" >"$work/now" || fail 'no listing'
if ! diff -u "$golden" "$work/now" >"$work/diff"; then
	grep -c '^[-+][^-+]' "$work/diff" | sed 's/$/ lines differ; the first of them:/'
	grep '^[-+][^-+]' "$work/diff" | cut -c1-200 | head -n 60
	fail "the registers moved; if they are meant to: meson compile -C $BUILD golden"
fi
finish
