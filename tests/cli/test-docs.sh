#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual pages and the completion know every option of --help, and no other; what the pages and
# README.md show of commands is what these print.
. "$(dirname "$0")/lib.sh"
needs gpu-regdump
man=$tests/../../man
completion=$tests/../../completions/gpuscope.bash
[ -f "$man/gpu-regdump.1.scd" ] || skip 'no sources of the manual pages'

options_in_help() {
	sed -n 's/^ \+\(-[A-Za-z], \)\?\(--[a-z][a-z-]*\).*/\2/p' "$1" | sort -u
}

# Pages are marked up with * and backslashes.
words_of() {
	cat "$@" | sed 's/[\\*]//g'
}

for command in gpu-regdump gpu-db gpu-snap gpu-pte gpu-ptwalk gpu-batch gpu-fault gpu-report gpu-tile gpu-sh; do
	command -v $command >/dev/null || continue
	page=$man/$command.1.scd
	run $command --help
	options_in_help "$out" >"$work/$command.options"
	command_line="$page"
	if [ ! -f "$page" ]; then
		fail 'no such page'
		continue
	fi
	title "$command: options of --help in the manual"
	words_of "$page" "$man/gpuscope.7.scd" >"$work/page"
	while read -r option; do
		grep -Eq -e "$option([^a-z-]|\$)" "$work/page" || fail "$option is in no page"
	done <"$work/$command.options"
	title "$command: options of the manual in --help"
	words_of "$page" | sed -n '/^# OPTIONS/,/^# OUTPUT/p' |
		grep -Eo -e '--[a-z][a-z-]+' | sort -u >"$work/mentioned"
	words_of "$page" | sed -n '/^# SYNOPSIS/,/^# DESC/p' |
		grep -Eo -e '--[a-z][a-z-]+' | sort -u >>"$work/mentioned"
	while read -r option; do
		grep -Fqx -e "$option" "$work/$command.options" || fail "$option is not in --help"
	done <"$work/mentioned"
	title "$command: exit status and name in the manual"
	grep -q "^$command(1)" "$page" || fail "the page is not headed $command(1)"
	grep -q "^$command - " "$page" || fail 'the page has no NAME line'
done

title 'the common page'
command_line=$man/gpuscope.7.scd
words_of "$man/gpuscope.7.scd" >"$work/page"
for word in bar: ggtt: mem: lmem: elf: config: demo: none live --wake --define NO_COLOR; do
	grep -Fq -e "$word" "$work/page" || fail "$word is not in it"
done

# examples FILE: what stands as "$ COMMAND" in it, more of it after "> ", and the lines below it, in
# files 1 2 ... of a folder
examples() {
	rm -rf "$work/examples"
	mkdir "$work/examples"
	awk -v folder="$work/examples" '
		/^```/ { code = !code; file = ""; next }
		{ line = $0 }
		!code && /^$/ { blank = blank "\n"; next }
		!code && !sub(/^    /, "", line) { file = ""; next }
		line ~ /^\$ / { file = folder "/" ++count; blank = "" }
		file { printf "%s%s\n", blank, line >file; blank = "" }' "$1"
}

# Those that need no file and print no date, as a terminal shows them.
shown=0
for page in "$man"/*.scd "$man/../README.md"; do
	title "examples of ${page##*/}"
	examples "$page"
	for example in "$work/examples"/*; do
		[ -f "$example" ] || continue
		command_line=$(sed -n '1s/^\$ //p; 2,$s/^> //p' "$example" | sed 's/\\\\/\\/g')
		case $command_line in
		*lab.def* | *hang.tar* | *physmem.bin*) continue ;;
		esac
		(cd "$work" && eval "$command_line") >"$out" 2>&1 </dev/null
		sed '1d; /^> /d' "$example" >"$work/wanted"
		cmp -s "$work/wanted" "$out" ||
			fail "it prints something else: $(diff "$work/wanted" "$out" | head -n 4)"
		shown=$((shown + 1))
	done
done
[ $shown -gt 15 ] || fail "only $shown examples"

bash_completion=/usr/share/bash-completion/bash_completion
if [ ! -f "$completion" ] || [ ! -f $bash_completion ] || ! command -v bash >/dev/null; then
	[ "$failures" = 0 ] || exit 1
	skip 'no bash-completion: the manual pages agree'
fi

# complete_words WORD...: what is offered for the last one, a line each; bash splits words at a
# colon, too
complete_words() {
	command_line="completion of $*"
	bash --norc -c '
		source "$1" && source "$2" || exit 1
		shift 2
		COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*"
		COMP_LINE=${COMP_LINE// : /:} COMP_POINT=${#COMP_LINE}
		spec=$(complete -p "$1") || exit 1
		function=${spec#*-F } function=${function%% *}
		$function "$1" "${@: -1}" "${@: -2:1}"
		printf "%s\n" "${COMPREPLY[@]}"
	' bash $bash_completion "$completion" "$@" >"$out" 2>"$err"
	expect_err_empty
}

offers() {
	grep -Eq -e "^($1)( |=)?\$" "$out" || fail "it does not offer $1"
}

for command in gpu-regdump gpu-db gpu-snap gpu-pte gpu-ptwalk gpu-batch gpu-fault gpu-tile gpu-sh; do
	command -v $command >/dev/null || continue
	title "$command: completion"
	complete_words $command --
	while read -r option; do
		offers "$option"
	done <"$work/$command.options"
	sed -n 's/[ =]*$//; /^--/p' "$out" | sort -u >"$work/offered"
	while read -r option; do
		grep -Fqx -e "$option" "$work/$command.options" || fail "offers $option, not in --help"
	done <"$work/offered"
	complete_words $command -p sk
	offers skl
	complete_words $command --color ne
	offers never
	complete_words $command --from no
	offers none
done
title 'completion of commands and demos'
if command -v gpu-db >/dev/null; then
	complete_words gpu-db sh
	offers show
fi
if command -v gpu-pte >/dev/null; then
	complete_words gpu-pte -l ''
	for level in pte pte64k pde pde2m pdpe pdpe1g pml4e trtt-l1 trtt-l2 trtt-l3 vtd-root \
		vtd-context vtd-pasid vtd-sl; do
		offers $level
	done
	complete_words gpu-pte -m ''
	for mode in ggtt flat 2level pdp32 pml4 ia32e vtd trtt; do
		offers $mode
	done
fi
if command -v gpu-ptwalk >/dev/null; then
	complete_words gpu-ptwalk --mode ''
	for mode in ggtt flat 2level pdp32 pml4 ia32e vtd; do
		offers $mode
	done
	complete_words gpu-ptwalk --access ''
	for access in read write atomic; do
		offers $access
	done
	complete_words gpu-ptwalk --trtt no
	offers none
	complete_words gpu-ptwalk -p skl --engine vc
	offers vcs0
fi
if command -v gpu-batch >/dev/null; then
	complete_words gpu-batch -p skl -e vc
	offers vcs0
	complete_words gpu-batch -p skl --query RING_BUFFER_T
	offers RING_BUFFER_TAIL
	complete_words gpu-batch --format te
	offers text
fi
complete_words gpu-regdump --from demo : sn
offers 'demo:snb-hang|snb-hang'
finish
