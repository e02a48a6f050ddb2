# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# 10,000 dumps: by one process, and by as many as there are processors, by the clock.
mkdir "$work/many"
for n in $(seq 625); do
	for dump in "$bench"/../data/driver-made/*.gz; do
		ln -s "$dump" "$work/many/$n-$(basename "$dump")"
	done
done
count=$(find "$work/many" -type l | wc -l)
processors=$(nproc)
echo "cd '$work/many' && ls | xargs gpu-fault --ndjson >/dev/null 2>&1; :" >"$work/one"
echo "cd '$work/many' && ls | xargs -P $processors -n 100 gpu-fault --ndjson >/dev/null 2>&1; :" \
	>"$work/all"
# shellcheck disable=SC2046
set -- $("$work/measure" 3 sh "$work/all" -- sh "$work/one" | awk '{ print $1 }')
row "$count dumps, on $processors processors" 'limit 1.11' ms "$1" '' '' \
	"$(awk -v one="$2" -v processors="$processors" 'BEGIN { print one / processors }')" \
	"one / $processors"
