#!/bin/sh
# SPDX-License-Identifier: MIT
# Every option of every command, as its --help=all lists them: without its argument, with one too
# many, with a wrong one; unknown options; options that exclude each other. What --help shows fits a
# terminal.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump

# "LETTER LONG ARGUMENT" a line, - where there is none
options_of() {
	awk '/^ +(-[A-Za-z], )?--[a-z]/ {
		sub(/^ +/, "")
		spec = match($0, /  +/) ? substr($0, 1, RSTART - 1) : $0
		letter = "-"
		if (spec ~ /^-[A-Za-z], /) {
			letter = substr(spec, 2, 1)
			spec = substr(spec, 5)
		}
		count = split(spec, word, /\[?[ =]/)
		print letter, substr(word[1], 3), (count > 1 && word[2] != "all]" ? word[2] : "-")
	}' "$1"
}

refuses() {
	run "$@"
	expect_status 2
	expect_out_empty
}

# An argument that the option takes.
good_value() {
	case $1 in
	*'|'*) echo "${1%%|*}" ;;
	N | SECONDS | LRCA | VALUE | V | DATA | GPUADDR | ADDR | BYTES | S | Z) echo 1 ;;
	P) echo skl ;;
	SOURCE) echo none ;;
	*) echo x ;;
	esac
}

check_argument() {
	command=$1 letter=$2 name=$3 argument=$4
	title "$command --$name $argument"
	refuses "$command" "--$name"
	expect_err_line "$command: --$name: *"
	if [ "$letter" != - ]; then
		refuses "$command" "-$letter"
		expect_err_line "$command: -*: *"
		run "$command" "-$letter$(good_value "$argument")" -V
		expect_status 0
	fi
	run "$command" "--$name" "$(good_value "$argument")" --version
	expect_status 0
	run "$command" "--$name=$(good_value "$argument")" --version
	expect_status 0
	case $argument in
	*'|'*)
		refuses "$command" "--$name=nonsense"
		expect_err_line "$command: --$name*nonsense*: *$argument*"
		refuses "$command" "--$name="
		for value in $(echo "$argument" | tr '|' ' '); do
			run "$command" "--$name=$value" --version
			expect_status 0
		done
		;;
	N | SECONDS | LRCA | V | DATA | GPUADDR | ADDR | BYTES | S | Z)
		for value in '' x 1x -1 '1 1'; do
			refuses "$command" "--$name=$value"
			expect_err_line "$command: *--$name*"
		done
		;;
	esac
}

check_flag() {
	command=$1 letter=$2 name=$3
	title "$command --$name"
	refuses "$command" "--$name=x"
	expect_err_line "$command: --$name*: *"
	run "$command" "--$name" --version
	expect_status 0
	[ "$letter" = - ] && return
	run "$command" "-$letter" --version
	expect_status 0
}

check_help() {
	command=$1
	title "$command --help and --version"
	for option in --help -h; do
		run "$command" $option
		expect_status 0
		expect_err_empty
		expect_out_has 'Usage:'
		expect_out_has "$command"
	done
	cp "$out" "$work/short"
	run "$command" --help=all
	expect_status 0
	expect_err_empty
	cp "$out" "$work/help"
	for option in --version -V; do
		run "$command" $option
		expect_status 0
		expect_err_empty
		expect_out_has "^$command.* [0-9]+\\.[0-9]+"
		same 'lines of the version' "$(wc -l <"$out")" 1
	done
	run "$command" --help --json --no-such-option
	expect_status 0 2
	title "$command: the help itself"
	same 'lines over 80 columns' "$(awk 'length > 80' "$work/short" "$work/help")" ''
	same 'blanks at the end' "$(cat "$work/short" "$work/help" | grep -c ' $')" 0
	[ "$(wc -l <"$work/short")" -lt 24 ] || fail "the short help has $(wc -l <"$work/short") lines"
	grep -q "$command --help=all" "$work/short" || fail 'the short help does not name --help=all'
	options_of "$work/short" >"$work/often"
	options_of "$work/help" | grep -Fxv -f - "$work/often" >"$work/extra" &&
		fail "not in --help=all: $(cat "$work/extra")"
	for name in from platform verbose; do
		grep -q " $name " "$work/often" || fail "the short help has no --$name"
	done
	same 'options listed twice' "$(options_of "$work/help" | cut -d' ' -f2 | sort | uniq -d)" ''
	same 'letters used twice' "$(options_of "$work/help" | cut -d' ' -f1 | grep -v - | sort | uniq -d)" ''
	json='json ndjson'
	[ "$command" = gpu-report ] && json=
	for name in from platform $json define no-user-config wake color no-pager verbose quiet \
		help version; do
		options_of "$work/help" | grep -q " $name " || fail "the help has no --$name"
	done
}

check_unknown() {
	command=$1
	title "$command: unknown options"
	for option in --no-such-option --no-such-option=1 -Z -jZ --frm --js0n --=x; do
		refuses "$command" $option
		expect_err_line "$command: -*: *"
	done
	refuses "$command" --quite
	expect_err_line "$command: --quite: unknown option; did you mean --quiet* (try --help)"
	title "$command: what could be several options"
	refuses "$command" --no
	refuses "$command" --ver
}

for command in $commands; do
	command -v $command >/dev/null || continue
	check_help "$command"
	check_unknown "$command"
	options_of "$work/help" >"$work/options"
	[ "$(wc -l <"$work/options")" -ge 13 ] || fail "only $(wc -l <"$work/options") options"
	while read -r letter name argument; do
		if [ "$argument" = - ]; then
			check_flag "$command" "$letter" "$name"
		else
			check_argument "$command" "$letter" "$name" "$argument"
		fi
	done <"$work/options"
done

title 'modes exclude each other'
while read -r a b; do
	refuses gpu-regdump -p skl "$a" "$b" none none
	refuses gpu-regdump -p skl "$b" "$a" none none
done <<END
--list --decode
--list --diff
--list --devices
--list --watch=1
--decode --diff
--decode --devices
--decode --watch=1
--diff --devices
--diff --watch=1
--devices --watch=1
END

title 'options that want another'
refuses gpu-regdump -p skl --from none --count 3
refuses gpu-regdump -p skl --from none --list --count 3
refuses gpu-regdump -p skl --from none --watch 1 --count 1 --json
refuses gpu-regdump --diff none
refuses gpu-regdump --decode -p skl

title 'gpu-db wants a command'
if command -v gpu-db >/dev/null; then
	refuses gpu-db
	refuses gpu-db frobnicate
	refuses gpu-db show -p skl
	refuses gpu-db which -p skl
fi

title 'gpu-snap wants a command'
if command -v gpu-snap >/dev/null; then
	refuses gpu-snap
	refuses gpu-snap frobnicate
	refuses gpu-snap info
	refuses gpu-snap info "$data/scratch.def" "$data/scratch.def"
fi
finish
