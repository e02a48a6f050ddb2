#!/bin/sh
# SPDX-License-Identifier: MIT
# table.sh [--markdown] [--installed] [PART...]: every job beside its anchor and its physical limit,
# one table; a PART is the name of a script here. BUILD is the build directory (default: build),
# optimised. With --installed the commands are those in PATH.
# shellcheck disable=SC1090,SC1091,SC2034
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$bench/../../build}" && pwd)
markdown= installed=
while :; do
	case ${1:-} in
	--markdown) markdown=yes ;;
	--installed) installed=yes ;;
	*) break ;;
	esac
	shift
done
[ $# -gt 0 ] || set -- start-up dump sweep map batch dump-hang many tile save
[ "$installed" ] || PATH=$BUILD/tools:$PATH
command -v gpu-regdump >/dev/null || {
	echo "no gpu-regdump in $PATH" >&2
	exit 1
}
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
