# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# Sourced by the command tests. BUILD_TOOLS is the directory with the built commands, MAKE_BAR the
# built make-bar.c (compiled here where it is not given).
#
#   title TEXT                  what the following checks are about
#   run COMMAND...              sets $status, and the files $out and $err; no standard input
#   run_in FILE COMMAND...      the same with FILE as standard input
#   run_lenient COMMAND...      the same without the rules that hold for every run
#   expect_status N...          one of them
#   expect_out TEXT             stdout, to the letter (without the last newline)
#   expect_out_has PATTERN      a line of it fits a pattern of grep -E; expect_out_lacks: none does
#   expect_out_empty            nothing at all
#   expect_err_line PATTERN     a whole line of stderr fits a pattern of the shell
#   expect_err_empty
#   expect_json FILTER VALUE    what jq makes of stdout, as compact JSON
#   same WHAT GOT WANTED        two words
#   expect_schemas              $work/*.json and *.ndjson are as their schemas say
#   finish                      ends the script
#   $commands                   the names of all
#
# Rules checked after every run: the status is 0 to 6; each but 0 comes with one line on stderr
# (6: up to 20), "COMMAND: WHAT: WHY", and that of 2 ends in "(try --help)",
# in a session of gpu-sh in "(try help VERB)"; no sanitizer spoke.

: "${BUILD_TOOLS:?the directory with the built commands}"

tests=$(cd "$(dirname "$0")" && pwd)
tests=${tests%/tests/*}/tests
# shellcheck source=tests/skip.sh
. "$tests/skip.sh"
data=$tests/data
script=${0##*/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"

BUILD_TOOLS=$(cd "$BUILD_TOOLS" && pwd)
schemas=${BUILD_TOOLS%/*}/data/schema
commands=$("$tests/commands.sh") || exit 1
PATH=$BUILD_TOOLS:$PATH
out=$work/stdout
err=$work/stderr
failures=0
the_title=
HOME=$work/home
mkdir "$HOME"
export PATH HOME
unset XDG_CONFIG_HOME NO_COLOR PAGER SUDO_UID SUDO_USER

title() {
	the_title=$1
}

fail() {
	failures=$((failures + 1))
	printf 'FAILED: %s: %s: %s\n  %s\n' "$script" "$the_title" "$1" "$command_line"
}

finish() {
	[ $failures = 0 ] || exit 1
	exit 0
}

same() {
	[ "$2" = "$3" ] || fail "$1 is '$2', not '$3'"
}

# ---- running ------------------------------------------------------------------------------------

run_lenient() {
	command_line=$*
	status=0
	"$@" <"${stdin:-/dev/null}" >"$out" 2>"$err" || status=$?
}

run() {
	run_lenient "$@"
	check_rules
}

run_in() {
	stdin=$1
	shift
	run "$@"
	stdin=
}

check_rules() {
	_lines=0 _last=
	while IFS= read -r _line || [ -n "$_line" ]; do
		_lines=$((_lines + 1))
		_last=$_line
		case $_line in
		*'runtime error:'* | *Sanitizer*) fail "sanitizer: $_line" ;;
		esac
	done <"$err"
	case $status,$_lines in
	0,*) return ;;
	[12345],1 | 6,[1-9] | 6,1? | 6,20) ;;
	[123456],*) fail "status $status with $_lines lines on stderr: $_last" ;;
	*) fail "ended with status $status: $_last" ;;
	esac
	case $_last in
	gpu-[a-z]*': '?*': '?*) ;;
	*) fail "stderr is not 'COMMAND: WHAT: WHY': $_last" ;;
	esac
	case $status,$_last in
	2,*'(try --help)') ;;
	2,gpu-sh:*'(try help'*')') ;;
	2,*) fail "a usage error without (try --help): $_last" ;;
	esac
}

# ---- expecting ----------------------------------------------------------------------------------

expect_status() {
	for _status; do
		[ "$status" != "$_status" ] || return 0
	done
	fail "status $status, not $(echo "$*" | sed 's/ / or /g'): $(head -n 1 "$err")"
}

expect_out() {
	printf '%s\n' "$1" | cmp -s - "$out" && return
	fail "stdout is '$(head -c 400 "$out")', not '$1'"
}

expect_out_has() {
	grep -Eq -e "$1" "$out" || fail "stdout has no line like '$1': $(head -n 3 "$out")"
}

expect_out_lacks() {
	grep -Eq -e "$1" "$out" && fail "stdout has a line like '$1': $(grep -E -m 1 -e "$1" "$out")"
}

expect_out_empty() {
	[ -s "$out" ] && fail "stdout is not empty: $(head -n 1 "$out")"
}

expect_err_line() {
	while IFS= read -r _line || [ -n "$_line" ]; do
		# shellcheck disable=SC2254
		case $_line in
		$1) return ;;
		esac
	done <"$err"
	fail "stderr has no line '$1': $(head -n 1 "$err")"
}

expect_err_empty() {
	[ -s "$err" ] && fail "stderr is not empty: $(head -n 1 "$err")"
}

expect_json() {
	_got=$(jq -c "$1" <"$out" 2>&1)
	[ "$_got" = "$2" ] || fail "JSON $1 is '$(printf %s "$_got" | head -c 400)', not '$2'"
}

expect_schemas() {
	command_line=tests/cli/validate.py
	if ! python3 -c 'import jsonschema' 2>/dev/null; then
		[ "${CI:-}" != true ] || fail 'no python3-jsonschema here'
		return
	fi
	for _form in json ndjson; do
		set -- "$work"/*."$_form"
		[ -e "$1" ] || continue
		[ $_form = json ] || set -- --ndjson "$schemas" "$@"
		[ $_form = ndjson ] || set -- "$schemas" "$@"
		python3 "$tests/cli/validate.py" "$@" >"$work/report" 2>&1 ||
			fail "$(head -n 20 "$work/report")"
	done
}

expect_refusal() {
	expect_status "$_want"
	expect_out_empty
	expect_err_line "$_pattern"
}

# refused STATUS PATTERN COMMAND...: nothing but a line on stderr, as text and as JSON
refused() {
	_want=$1 _pattern=$2
	shift 2
	run "$@"
	expect_refusal
	run "$@" --json
	expect_refusal
}

# ---- inputs -------------------------------------------------------------------------------------

# make_bar FILE SIZE [ADDRESS VALUE]...: an image of the register BAR
make_bar() {
	if [ -z "${MAKE_BAR:-}" ]; then
		MAKE_BAR=$work/make-bar
		"${CC:-cc}" -o "$MAKE_BAR" "$tests/cli/make-bar.c"
	fi
	"$MAKE_BAR" "$@"
}

# little BYTES NUMBER: an octal escape for each byte, for printf
little() {
	_number=$2
	for _byte in $(seq "$1"); do
		printf '\\%03o' $((_number & 255))
		_number=$((_number >> 8))
	done
}

# make_core FILE ADDRESS SIZE: an ELF core with one segment, a hole, of physical memory
make_core() {
	# shellcheck disable=SC2059
	{
		printf '\177ELF\2\1\1\0\0\0\0\0\0\0\0\0'
		printf "$(little 2 4)$(little 2 62)$(little 4 1)$(little 8 0)$(little 8 64)"
		printf "$(little 8 0)$(little 4 0)$(little 2 64)$(little 2 56)$(little 2 1)"
		printf "$(little 6 0)"
		printf "$(little 4 1)$(little 4 6)$(little 8 4096)$(little 8 0)$(little 8 "$2")"
		printf "$(little 8 "$3")$(little 8 "$3")$(little 8 4096)"
	} >"$1"
	truncate -s $(($3 + 4096)) "$1"
}

# can_be_nobody, as_nobody COMMAND...: without the rights of root
can_be_nobody() {
	[ "$(id -u)" = 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups \
		test -x "$BUILD_TOOLS/gpu-regdump" 2>/dev/null
}

as_nobody() {
	setpriv --reuid 65534 --regid 65534 --clear-groups "$@"
}

# values FILE: "ENGINE NAME OFFSET VALUE" of each register with a value, of JSON
values() {
	jq -r '.registers[] | select(.value) | "\(.engine) \(.name) \(.space) \(.offset) \(.value)"' \
		<"$1"
}
