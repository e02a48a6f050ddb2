# Completion of the commands of gpuscope for bash.		-*- shell-script -*-
# SPDX-License-Identifier: MIT

# COMMAND|WORD|LETTER|ARGUMENT|OTHERS|VALUE|HELP
_gpuscope_table='@TABLE@'

_gpuscope_words() {
	mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$1" -- "$cur")
}

# The first words of a command's lines, those of comments left out.
_gpuscope_first() {
	_gpuscope_words "$("$@" 2>/dev/null | sed -n 's/^\([[:alnum:]][^[:space:]]*\).*/\1/p')"
}

# Definitions of the platform that the words before tell: -p, or a demo.
_gpuscope_list() {
	local i
	local -a options

	for ((i = 1; i < cword; i++)); do
		case ${words[i]} in
		-p | --platform | --define) options+=("${words[i]}" "${words[i + 1]}") ;;
		-p?* | --platform=* | --define=* | --no-user-config | --from=demo:?*)
			options+=("${words[i]}")
			;;
		demo:?*) options+=(-s "${words[i]}") ;;
		esac
	done
	gpu-regdump --list -q --no-pager --color=never "${options[@]}" 2>/dev/null
}

# ---- what a value can be ------------------------------------------------------------------------

_gpuscope_NONE() { :; }
_gpuscope_FILE() { _filedir; }
_gpuscope_FOLDER() { _filedir -d; }
_gpuscope_DEFINITIONS() { _filedir def; }
_gpuscope_PLATFORM() { _gpuscope_first gpu-db list --platforms -q; }

# The Intel display devices of this machine, as 00:02.0.
_gpuscope_DEVICE() {
	local function vendor class

	for function in /sys/bus/pci/devices/*; do
		[[ -r $function/vendor && -r $function/class ]] || continue
		read -r vendor <"$function/vendor"
		read -r class <"$function/class"
		[[ $vendor == 0x8086 && $class == 0x03* ]] || continue
		function=${function##*/}
		_gpuscope_words "${function#0000:}"
	done
}

# Numbers of the store that the words before name with -D.
_gpuscope_HANG() {
	local i
	local -a options

	for ((i = 1; i < cword; i++)); do
		[[ ${words[i]} == -D || ${words[i]} == --dir ]] && options=(-D "${words[i + 1]}")
	done
	_gpuscope_words "$(gpu-collect "${options[@]}" -q list 2>/dev/null |
		sed -n "s/^ *\([0-9]\{1,\}\) .*/$1\1/p")"
}

_gpuscope_SOURCE() {
	local prefix

	case $cur in
	demo:*)
		_gpuscope_first gpu-regdump -s demo:
		;;
	hang:*)
		_gpuscope_HANG hang:
		;;
	bar:* | ggtt:* | mem:* | lmem:* | elf:* | config:* | guc-capture:*)
		prefix=${cur%%:*}:
		cur=${cur#"$prefix"}
		_filedir
		cur=$prefix$cur
		COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
		;;
	*)
		_filedir
		_gpuscope_words 'live none bar: ggtt: mem: lmem: elf: config: guc-capture: hang: demo:'
		_gpuscope_DEVICE
		;;
	esac
}

# NAME, rcs0.NAME and @GROUP that begin with the current word, without regard to case.
_gpuscope_REGISTER() {
	local mark group name start=${cur,,}
	local -A found

	[[ $cur == *:* ]] && return
	while read -r mark group _ name _; do
		if [[ $mark == '#' ]]; then
			name=@${group%:}
		elif [[ $cur != *.* ]]; then
			[[ $name == *.* && $name == "$start"* ]] && found[${name%%.*}.]=1
			name=${name##*.}
		fi
		[[ $name && ${name,,} == "$start"* ]] && found[$name]=1
	done < <(_gpuscope_list)
	COMPREPLY+=("${!found[@]}")
	[[ " ${words[*]} " == *' --decode '* ]] && compopt -o nospace
}

_gpuscope_ENGINE() {
	_gpuscope_words "$(_gpuscope_list |
		sed -n 's/^.* \([a-z]\{1,\}[0-9]\)[.][A-Z].*/\1/p' | sort -u)"
}

_gpuscope_ITEM() {
	[[ $cur ]] || return
	_gpuscope_first gpu-db list --commands -q
	_gpuscope_first gpu-db list --structures -q
	_gpuscope_first gpu-db list --instructions -q
}

# ---- the words of a command ---------------------------------------------------------------------

_gpuscope() {
	local cur prev words cword split
	local command first=1 name word letter argument value i skip='' options='' subcommands='' operands='' offers=''
	local -A arguments values

	_init_completion -s -n : || return
	command=${1##*/}
	if [[ $command == gpuscope ]]; then
		((cword > 1)) || { _gpuscope_words "${_gpuscope_commands//gpu-/}"; return; }
		command=gpu-${words[1]#gpu-} first=2
	fi
	while IFS='|' read -r name word letter argument _ value _; do
		[[ $name == "$command" ]] || continue
		if [[ ! $word ]]; then
			operands=$value
			continue
		fi
		values[$word]=$value
		[[ $word == -* ]] && options+=" $word" || subcommands+=" $word"
		[[ $argument ]] && arguments[$word]=$value
		[[ $argument && $letter ]] && arguments[$letter]=$value
	done <<<"$_gpuscope_table"

	for ((i = first; i < cword; i++)); do
		word=${words[i]}
		if [[ $skip ]]; then
			skip=
		elif [[ $word && ${arguments["$word"]+set} ]]; then
			skip=1
		else
			[[ $word && ${values["$word"]} ]] && operands=${values["$word"]}
			[[ $word != -?* ]] && subcommands=
		fi
	done
	if [[ ${arguments["${prev:--}"]+set} ]]; then
		offers=${arguments["$prev"]}
	elif [[ $cur == -* ]]; then
		offers=$options
	elif ! $split; then
		offers=${subcommands:-$operands}
	fi
	for word in $offers; do
		if declare -F "_gpuscope_$word" >/dev/null; then
			"_gpuscope_$word"
		else
			_gpuscope_words "$word"
		fi
	done
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[:.] ]] && compopt -o nospace
	__ltrim_colon_completions "$cur"
}

_gpuscope_commands='@COMMANDS@'
complete -F _gpuscope gpuscope $_gpuscope_commands
