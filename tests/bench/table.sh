#!/bin/sh
# SPDX-License-Identifier: MIT
# table.sh [--markdown] [PART...]: every job beside its anchor and its physical limit, one table;
# a PART is the name of a script here. BUILD is the build directory (default: build), optimised.
# shellcheck disable=SC1090,SC1091,SC2034
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$bench/../../build}" && pwd)
markdown=
[ "${1:-}" != --markdown ] || {
	markdown=yes
	shift
}
[ $# -gt 0 ] || set -- start-up dump sweep map batch dump-hang many tile save
[ -x "$BUILD/tools/gpu-regdump" ] || {
	echo "no gpu-regdump in $BUILD/tools" >&2
	exit 1
}
PATH=$BUILD/tools:$PATH
work=$(mktemp -d)
shm=$work
[ ! -w /dev/shm ] || shm=$(mktemp -d /dev/shm/bench.XXXXXX)
trap 'rm -rf "$work" "$shm"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work
export PATH HOME
. "$bench/lib.sh"

machine() {
	sed -n 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1
}

packages() {
	dpkg-query -W -f '${Package} ${Version}\n' intel-gpu-tools libdrm-intel1 2>/dev/null |
		paste -s -d , | sed 's/,/, /g' || :
}

echo "$(date +%Y-%m-%d), $(machine), Linux $(uname -r | cut -d - -f 1); $(packages)"
echo
heading
for part; do
	. "$bench/$part.sh"
done
