#!/bin/sh
# SPDX-License-Identifier: MIT
# growth.sh [--markdown] [--base N] [KIND...]: every command that reads a kind of input, on N, 10 N
# and 100 N of what the kind is about (default 1000): seconds on the processor, peak of memory in
# MB, and how much more time 10 times as much takes, at worst. `more` is a time that grew faster than
# its input. BUILD is the build directory (default: build).
# shellcheck disable=SC2086
set -eu

bench=$(cd "$(dirname "$0")" && pwd)
BUILD=$(cd "${BUILD:-$bench/../../build}" && pwd)
markdown='' base=1000
while [ $# -gt 0 ]; do
	case $1 in
	--markdown) markdown=yes ;;
	--base)
		base=$2
		shift
		;;
	*) break ;;
	esac
	shift
done
[ -x "$BUILD/tools/gpu-batch" ] || {
	echo "no gpu-batch in $BUILD/tools" >&2
	exit 1
}
PATH=$BUILD/tools:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
HOME=$work TMPDIR=$work
export PATH HOME TMPDIR
"${CC:-cc}" -O2 -o "$work/spent" "$bench/../load/spent.c"

traces='submissions changing contexts everything one-page scattered'
states='state-batches state-rings state-many-rings state-engines state-names state-contexts
	state-dwords state-lines state-requests state-fences state-kernels'
cores='core-engines core-memory core-jobs core-contexts'
logs='log-events log-other log-dmar log-xe'
definitions='definitions definition-errors definition-findings definition-place definition-name
	definition-alias definition-fields definition-values definition-commands
	definition-structures'
words='batch batch-starts batch-text batch-text-starts noise'
programs='program program-jumps'
[ $# -gt 0 ] || set -- $traces $states $cores $logs $definitions $words $programs register-text \
	entries \
	selectors parts files

# The commands of a kind, a line each; @ is the input.
commands() {
	case " $(echo $traces $states $cores) " in
	*" $1 "*)
		cat <<-END
			gpu-batch @
			gpu-batch --json @
			gpu-batch --headers @
			gpu-batch --state @
			gpu-batch --lint @
			gpu-eu @
			gpu-fault @
			gpu-report -s @ -o $work/page
			gpu-regdump -s @
			gpu-ptwalk -s @ --spaces
			gpu-ptwalk -s @ --check
			gpu-snap info @
			gpu-snap save -s @ -o $work/saved
			gpu-snap convert @ --to aub -o $work/converted
		END
		;;
	esac
	case $1 in
	log-*) echo 'gpu-fault --dmesg @' ;;
	definition*)
		echo 'gpu-db check @'
		echo 'gpu-regdump -p skl --define @ --decode RING_BUFFER_TAIL=1'
		;;
	batch* | noise)
		echo 'gpu-batch -p tgl @'
		echo 'gpu-batch -p tgl --json @'
		echo 'gpu-batch -p tgl --state @'
		echo 'gpu-batch -p tgl --lint @'
		;;
	program*)
		echo 'gpu-eu -p skl @'
		echo 'gpu-eu -p skl --json @'
		echo 'gpu-eu -p skl --syntax iga @'
		echo 'gpu-eu -p skl --cfg @'
		echo 'gpu-eu -p skl --lint @'
		;;
	register-text)
		echo 'gpu-regdump -p skl -s @'
		echo 'gpu-fault -p skl @'
		echo "gpu-snap save -p skl -s @ -o $work/saved"
		;;
	entries)
		echo 'gpu-ptwalk -p skl -s ggtt:@ --map'
		echo 'gpu-ptwalk -p skl -s ggtt:@ --check'
		echo 'gpu-ptwalk -p skl -s ggtt:@ --reverse 0x1000'
		;;
	selectors) echo 'gpu-regdump -p skl -s demo:skl-hang @' ;;
	parts) echo 'gpu-regdump -p skl @ RING_BUFFER_TAIL' ;;
	files) echo 'gpu-fault --ndjson @' ;;
	esac
}

# input KIND COUNT: makes it; what stands for @ goes to $work/words
input() {
	case $1 in
	selectors) seq -f '0x%.0f' 100000 4 $((100000 + ($2 - 1) * 4)) ;;
	parts)
		printf '0x2030: 0x00000001\n' >"$work/part"
		yes -- "-s $work/part" | head -n "$2"
		;;
	files) yes -- "$bench/../data/error-state.txt" | head -n "$2" ;;
	*)
		"$bench/growth-make.py" "$1" "$2" "$work/input"
		echo "$work/input"
		;;
	esac >"$work/words"
}

# measure COMMAND: "ms kB"
measure() {
	command=${1%% *} rest=${1#* }
	case $rest in
	*:@*) set -- ${rest%%@*}"$(cat "$work/words")"${rest#*@} ;;
	*@*) set -- ${rest%%@*} $(cat "$work/words") ${rest#*@} ;;
	esac
	"$work/spent" "$work/figures" "$command" "$@" >/dev/null 2>&1 || :
	cat "$work/figures"
}

row() {
	awk -v kind="$1" -v command="$2" -v figures="$3" -v markdown="$markdown" 'BEGIN {
		sub("-o [^ ]*", "-o FILE", command)
		n = split(figures, f, " ")
		worst = 0
		for (i = 1; i <= n; i += 2) {
			times = times sprintf(markdown == "" ? " %8.2f" : " %.2f |", f[i] / 1000)
			peaks = peaks sprintf(markdown == "" ? " %5.0f" : " %.0f |", f[i + 1] / 1024)
			# What starting a command takes is no growth.
			if (i > 2 && f[i] > 200 && f[i] / (f[i - 2] + 20) > worst)
				worst = f[i] / (f[i - 2] + 20)
		}
		shown = worst ? sprintf("%.1f", worst) : "-"
		if (worst > 15)
			shown = shown ", more"
		printf(markdown == "" ? "%-22s %-48s%s %s  %s\n" : "| %s | `%s` |%s%s %s |\n", kind,
		       command, times, peaks, shown)
	}'
}

if [ "$markdown" ]; then
	echo "| input | command | s, $base | $((base * 10)) | $((base * 100)) | MB |  |  | growth |"
	echo '| --- | --- | --- | --- | --- | --- | --- | --- | --- |'
else
	printf '%-22s %-48s %8s %8s %8s %5s %5s %5s  %s\n' input command "s, $base" \
		$((base * 10)) $((base * 100)) MB '' '' 'growth of 10x'
fi
for kind; do
	commands "$kind" >"$work/commands"
	[ -s "$work/commands" ] || {
		echo "growth.sh: $kind: no such kind" >&2
		exit 2
	}
	: >"$work/rows"
	for times in 1 10 100; do
		input "$kind" $((base * times))
		while read -r line; do
			echo "$(measure "$line")"
		done <"$work/commands" >"$work/now"
		paste -d ' ' "$work/rows" "$work/now" >"$work/both"
		mv "$work/both" "$work/rows"
	done
	paste "$work/commands" "$work/rows" | while IFS='	' read -r line figures; do
		row "$kind" "$line" "$figures"
	done
done
