# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2154
# Sourced by table.sh: rows, and what they are measured with. BUILD is the build directory.

"${CC:-cc}" -O2 -o "$work/measure" "$bench/measure.c"
"${CC:-cc}" -O2 -o "$work/make-bar" "$bench/../cli/make-bar.c"
inside=

# medians RUNS COMMAND... -- COMMAND...: of the time on the processor in milliseconds, one a line
medians() {
	# shellcheck disable=SC2086
	$inside "$work/measure" -p "$@" | awk '{ print $1 }'
}

# with_library PROGRAM SOURCE...: builds what is measured beside the commands
with_library() {
	program=$work/$1
	shift
	"${CC:-cc}" -O2 -I"$bench/../../lib" -I"$bench/../unit" -I"$bench/../unit/helpers" -o "$program" "$@" -L"$BUILD/lib" \
		-Wl,-rpath,"$BUILD/lib" -lgpuscope
}

# if_there COMMAND...: the same, or nothing where there is no such program
if_there() {
	! command -v "$1" >/dev/null || echo "$*"
}

heading() {
	if [ "$markdown" ]; then
		echo '| job | ours | anchor | ratio | limit | of limit | aim |'
		echo '| --- | --- | --- | --- | --- | --- | --- |'
	else
		printf '%-46s %-9s %-33s %-7s %-19s %-8s %s\n' job ours anchor ratio limit 'of limit' aim
	fi
}

# row JOB AIM UNIT OURS [ANCHOR] [ITS-NAME] [LIMIT] [ITS-NAME]: less is better. AIM is `anchor N`,
# so many times as fast; `limit N`, at most so many times the limit; `most N`; or nothing.
row() {
	awk -v job="$1" -v aim="$2" -v unit="$3" -v ours="$4" -v anchor="${5:-}" \
		-v anchor_name="${6:-}" -v limit="${7:-}" -v limit_name="${8:-}" \
		-v markdown="$markdown" '
	function number(x) {
		return sprintf(x >= 100 ? "%.0f" : x >= 10 ? "%.1f" : "%.2f", x)
	}
	function value(x, name) {
		return x == "" ? "-" : number(x) " " unit (name == "" ? "" : " " name)
	}
	function times(x, y) {
		return x == "" || y == "" || y == 0 ? "-" : number(x / y)
	}
	BEGIN {
		split(aim, want, " ")
		shown = "-"
		if (want[1] == "anchor") {
			shown = "ratio >= " want[2]
			reached = anchor == "" || anchor / ours >= want[2]
		} else if (want[1] == "limit") {
			shown = "of limit <= " want[2]
			reached = limit == "" || ours / limit <= want[2]
		} else if (want[1] == "most") {
			shown = "<= " want[2] " " unit
			reached = ours <= want[2] + 0
		}
		if (shown != "-" && !reached)
			shown = shown ", missed"
		printf(markdown == "" ? "%-46s %-9s %-33s %-7s %-19s %-8s %s\n" : \
		       "| %s | %s | %s | %s | %s | %s | %s |\n", job, value(ours),
		       value(anchor, anchor_name), times(anchor, ours), value(limit, limit_name),
		       times(ours, limit), shown)
	}'
}

# job JOB AIM RUNS OURS ANCHOR LIMIT: a row of three commands, measured in turn. LIMIT `copy FILE`
# is to read that file and as many bytes as ours prints. Without ANCHOR or LIMIT there is a dash.
# shellcheck disable=SC2046,SC2086
job() {
	job=$1 aim=$2 runs=$3 ours=$4 anchor=$5 limit=$6
	case $limit in
	copy\ *)
		$ours >"$work/printed" 2>/dev/null
		limit="cat ${limit#copy } $work/printed"
		;;
	esac
	set -- $(medians "$runs" $ours ${anchor:+-- $anchor} ${limit:+-- $limit})
	[ $# -gt 0 ] || exit 1
	row "$job" "$aim" ms "$1" "${anchor:+$2}" "${anchor%% *}" \
		"${limit:+$(eval echo "\$$#")}" "$(basename "${limit%% *}")"
	rm -f "$work/printed"
}
