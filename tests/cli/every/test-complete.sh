#!/bin/sh
# SPDX-License-Identifier: MIT
# The manual and the completion of each shell know every option of --help=all, with its letter, its
# argument and the words that this can be, and no other.
. "$(dirname "$0")/../lib.sh"
# shellcheck disable=SC2086
needs $commands python3
root=$(cd "$tests/.." && pwd)
completions=$BUILD_TOOLS/../completions
[ -f "$completions/_gpuscope" ] || skip 'no completions are built'

# check TITLE WORD...: docs.py finds nothing
check() {
	title "$1"
	shift
	command_line="docs.py $1"
	python3 "$tests/cli/every/docs.py" "$@" >"$work/found" 2>&1 || fail "it fails: $(tail -n 1 "$work/found")"
	[ -s "$work/found" ] && fail "$(head -n 20 "$work/found")"
}

for command in $commands; do
	$command --help=all >"$work/$command.help"
	sed -n 's/^ \+\(-[A-Za-z], \)\?\(--[a-z][a-z-]*\).*/\2/p' "$work/$command.help" |
		sort -u >"$work/$command.options"
	[ "$(wc -l <"$work/$command.options")" -ge 13 ] || fail "$command --help has few options"
	check "$command: the manual" options "$work/$command.help" "$root/man/$command.1.scd" \
		"$root/man/gpuscope.7.scd"
done

missing=
if command -v zsh >/dev/null; then
	for command in $commands; do
		zsh -f -c '
			_arguments() { print -rl -- "$@" }
			service=$1 words=($1 --) CURRENT=2 PREFIX=--
			source "$2"' zsh $command "$completions/_gpuscope" >"$work/zsh" 2>&1
		check "$command: zsh" zsh "$work/$command.help" "$work/zsh"
		sed -n 1p "$completions/_gpuscope" | grep -qw -e $command ||
			fail "zsh does not complete $command"
	done
else
	missing="$missing zsh"
fi

if command -v fish >/dev/null; then
	for command in $commands; do
		fish --no-config -c 'source $argv[1]; complete -c $argv[2]' \
			"$completions/gpu-regdump.fish" $command >"$work/fish" 2>&1
		check "$command: fish" fish "$work/$command.help" "$work/fish"
	done
else
	missing="$missing fish"
fi

# ---- bash ---------------------------------------------------------------------------------------

completion=$completions/gpu-regdump
bash_completion=/usr/share/bash-completion/bash_completion
if [ ! -f $bash_completion ] || ! command -v bash >/dev/null; then
	[ "$failures" = 0 ] || exit 1
	skip 'no bash-completion: the manual agrees'
fi

# complete_words WORD...: what is offered for the last one, a line each; bash splits words at a
# colon, too
complete_words() {
	command_line="completion of $*"
	bash --norc -c '
		source "$1" && source "$2" || exit 1
		shift 2
		compopt() { :; }
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

# Words of "a|b|c" are offered behind their option; behind one that takes anything else no option is.
check_values() {
	sed -n 's/^ \+\(-[A-Za-z], \)\?\(--[a-z][a-z-]*\)[ =]\([^ ]\+\).*/\2 \3/p' "$work/$1.help" \
		>"$work/values"
	while read -r option argument; do
		complete_words "$1" "$option" ''
		grep -q '^-' "$out" && fail "options are offered as the value of $option"
		case $argument in
		*'|'*)
			for word in $(echo "$argument" | tr '|' ' '); do
				offers "$word"
			done
			;;
		esac
	done <"$work/values"
}

for command in $commands; do
	title "$command: bash"
	complete_words $command --
	while read -r option; do
		offers "$option"
	done <"$work/$command.options"
	sed -n 's/[ =]*$//; /^--/p' "$out" | sort -u >"$work/offered"
	while read -r option; do
		grep -Fqx -e "$option" "$work/$command.options" || fail "offers $option, not in --help"
	done <"$work/offered"
	check_values $command
	complete_words $command -p sk
	offers skl
	complete_words $command --from no
	offers none
done

title 'gpuscope COMMAND'
complete_words gpuscope ''
for command in $commands; do
	offers "${command#gpu-}"
done
complete_words gpuscope regdump --
offers --diff
complete_words gpuscope db sh
offers show
complete_words gpuscope gpu-fault demo : sn
offers 'demo:snb-hang|snb-hang'

title 'words of some options'
complete_words gpu-db sh
offers show
complete_words gpu-pte -l ''
for level in pte pte64k pde pde2m pdpe pdpe1g pml4e trtt-l1 trtt-l2 trtt-l3 vtd-root vtd-context \
	vtd-pasid vtd-sl; do
	offers $level
done
complete_words gpu-pte -m ''
for mode in ggtt flat 2level pdp32 pml4 ia32e vtd trtt; do
	offers $mode
done
complete_words gpu-ptwalk --mode ''
for mode in ggtt flat 2level pdp32 pml4 ia32e vtd; do
	offers $mode
done
complete_words gpu-ptwalk --trtt no
offers none
complete_words gpu-ptwalk -p skl --engine vc
offers vcs0
complete_words gpu-batch -p skl -e vc
offers vcs0
complete_words gpu-batch -p skl --query RING_BUFFER_T
offers RING_BUFFER_TAIL
complete_words gpu-fault --decode ''
offers hwsp
complete_words gpu-snap --to ''
offers aub
complete_words gpu-regdump --from demo : sn
offers 'demo:snb-hang|snb-hang'

title 'sources as operands'
for words in gpu-regdump gpu-ptwalk gpu-pte gpu-batch gpu-fault gpu-report gpu-sh gpu-tile \
	'gpu-db which' 'gpu-snap info' 'gpu-snap save'; do
	complete_words $words demo : sn
	offers 'demo:snb-hang|snb-hang'
	complete_words $words de
	offers demo:
done
complete_words gpu-regdump demo:skl-hang RING_BUFFER_T
offers RING_BUFFER_TAIL

title 'numbers of hangs'
mkdir "$work/store"
for hang in 3 12; do
	echo GPU_SIGNATURE=skl/rcs0/-/hang >"$work/store/hang-$hang.fields"
done
for verb in list info report export clean; do
	complete_words gpu-collect -D "$work/store" $verb ''
	offers 3
	offers 12
done
if command -v fish >/dev/null; then
	command_line='fish: gpu-collect info'
	fish --no-config -c 'source $argv[1]; complete -C "gpu-collect -D $argv[2] info "' \
		"$completions/gpu-regdump.fish" "$work/store" >"$out" 2>&1
	offers 3
	offers 12
fi

title 'formats of pixels'
sed -n 's/^\t{ "\([A-Z0-9]*\)", .*/\1/p' "$root/lib/tile/pixels.c" >"$work/formats"
[ "$(wc -l <"$work/formats")" -gt 10 ] || fail 'no formats are found'
complete_words gpu-tile --bpp ''
while read -r format; do
	offers "$format"
	grep -qw -e "$format" "$root/man/gpu-tile.1.scd" || fail "$format is not in the manual"
done <"$work/formats"

[ -z "$missing" ] && finish
[ "$failures" = 0 ] || exit 1
skip "no$missing here: the others agree"
