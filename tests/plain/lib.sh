# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the tests of the shape of a build. BUILD is its directory, SOURCE that of the project;
# they are for optimised builds without sanitizers.

: "${BUILD:?the build directory}"
: "${SOURCE:=$(cd "$(dirname "$0")/../.." && pwd)}"

# shellcheck source=tests/skip.sh
. "$SOURCE/tests/skip.sh"

BUILD=$(cd "$BUILD" && pwd)
library=$BUILD/lib/libgpuscope.so
script=${0##*/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
failures=0
HOME=$work
export HOME
unset XDG_CONFIG_HOME

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s: %s\n' "$script" "$*"
}

finish() {
	[ $failures = 0 ] || exit 1
	exit 0
}

commands() {
	for _command in "$BUILD"/tools/gpu-*; do
		[ -f "$_command" ] && [ -x "$_command" ] && echo "$_command"
	done
}
