# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the benchmarks. BUILD is the build directory (default: build), optimised.
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$bench/../../build}" && pwd)
PATH=$BUILD/tools:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work
export PATH HOME

[ -x "$BUILD/tools/gpu-regdump" ] || {
	echo "no gpu-regdump in $BUILD/tools" >&2
	exit 1
}
"${CC:-cc}" -O2 -o "$work/measure" "$bench/measure.c"
"${CC:-cc}" -O2 -o "$work/make-bar" "$bench/../cli/make-bar.c"

measure() {
	"$work/measure" "$@"
}

# The tool to compare with, from intel-gpu-tools; without it only our side is printed.
have_intel_reg() {
	command -v intel_reg >/dev/null || {
		echo '  (no intel_reg here: apt-get install intel-gpu-tools)'
		return 1
	}
}

# written COMMAND...: bytes and lines that it prints
written() {
	"$@" 2>/dev/null >"$work/written"
	printf '%10s bytes, %s lines: %s\n' "$(wc -c <"$work/written")" "$(wc -l <"$work/written")" \
		"$(echo "$*" | sed 's,[^ =:]*/,,g')"
	rm "$work/written"
}
