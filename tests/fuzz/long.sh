#!/bin/sh
# SPDX-License-Identifier: MIT
# long.sh [--keep] [SECONDS [TARGET...]]: builds the targets with clang and libFuzzer, runs each for
# so long (300) and prints what came of it. --keep writes the smallest inputs that reach as much
# into seeds/, which is the time to look at their diff. The build, the corpora and what was found
# are in $FUZZ_BUILD, by default build-fuzz/ of the source tree; a second run goes on from there.
# Needed: the packages clang and libclang-rt-14-dev of Debian.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=${FUZZ_BUILD-$root/build-fuzz}
keep=false
if [ "${1-}" = --keep ]; then
	keep=true
	shift
fi
seconds=${1-300}
[ $# = 0 ] || shift

# Input that takes longer, in seconds, is a finding; the instruments take most of it.
slow=10
most_bytes=16384

# To clang NULL + 0 is an overflow of a pointer; gcc tells the others.
flags='-fsanitize=fuzzer-no-link -fno-sanitize-recover=undefined -fno-sanitize=pointer-overflow'
if ! [ -f "$build/build.ninja" ]; then
	CC=clang meson setup "$build" "$root" -Dbuildtype=debugoptimized -Dtests=enabled \
		-Db_sanitize=address,undefined -Db_lundef=false -Dc_args="$flags" >/dev/null
fi
# shellcheck disable=SC2046
[ $# != 0 ] || set -- $(sed -n "s/^  '\([a-z-]*\)': \['.*/\1/p" "$here/meson.build")
programs=
for target; do
	programs="$programs tests/fuzz/fuzz-$target"
done
# shellcheck disable=SC2086
ninja -C "$build" --quiet $programs >"$build/ninja.log" || {
	cat "$build/ninja.log" >&2
	exit 1
}

# A finding ends libFuzzer: it begins again with the time that is left, a few times.
fuzz() {
	corpus=$build/corpus/$1
	log=$build/corpus/$1.log
	dictionary=$here/dictionaries/$1.dict
	end=$(($(date +%s) + seconds))
	executions=0 findings=0
	mkdir -p "$corpus" "$build/found"
	while [ "$findings" -lt 10 ] && [ "$(date +%s)" -lt "$end" ]; do
		# shellcheck disable=SC2046
		"$build/tests/fuzz/fuzz-$1" -max_total_time=$((end - $(date +%s))) -timeout=$slow \
			-max_len=$most_bytes -print_final_stats=1 -artifact_prefix="$build/found/$1-" \
			$([ ! -f "$dictionary" ] || echo "-dict=$dictionary") \
			"$corpus" "$here/seeds/$1" >"$log" 2>&1 || findings=$((findings + 1))
		more=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
		executions=$((executions + ${more:-0}))
	done
	edges=$(sed -n 's/^#.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
	printf '%-14s %9s %10s %7s %7s %8s\n' "$1" "$seconds" "$executions" "${edges:-?}" \
		"$(find "$corpus" -type f | wc -l)" "$findings"
	[ "$findings" = 0 ] || failed=1
}

# A merge keeps what adds something; of that, the few that add most.
keep_seeds() {
	rm -f "$build/merge"
	mkdir -p "$build/merged"
	"$build/tests/fuzz/fuzz-$1" -merge=1 -merge_control_file="$build/merge" -timeout=$slow \
		"$build/merged" "$here/seeds/$1" "$build/corpus/$1" >/dev/null 2>&1 || :
	python3 "$here/choose.py" "$build/merge" "$here/seeds/$1"
	rm -rf "$build/merged"
}

failed=0
printf '%-14s %9s %10s %7s %7s %8s\n' target seconds executions edges inputs findings
for target; do
	fuzz "$target"
	! $keep || keep_seeds "$target"
done
exit $failed
