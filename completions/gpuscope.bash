# Completion of the commands of gpuscope for bash.		-*- shell-script -*-
# SPDX-License-Identifier: MIT

# The Intel display devices of this machine, as 00:02.0.
_gpuscope_devices() {
	local function vendor class

	for function in /sys/bus/pci/devices/*; do
		[[ -r $function/vendor && -r $function/class ]] || continue
		read -r vendor <"$function/vendor"
		read -r class <"$function/class"
		[[ $vendor == 0x8086 && $class == 0x03* ]] || continue
		function=${function##*/}
		echo "${function#0000:}"
	done
}

# The first words of a command's lines, those of comments left out.
_gpuscope_first() {
	local word

	"$@" 2>/dev/null | while read -r word _; do
		[[ $word == [[:alnum:]]* ]] && echo "$word"
	done
}

_gpuscope_words() {
	mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -W "$1" -- "$cur")
}

_gpuscope_sources() {
	local prefix

	case $cur in
	demo:*)
		_gpuscope_words "$(_gpuscope_first gpu-regdump -s demo:)"
		;;
	bar:* | ggtt:* | mem:* | lmem:* | elf:* | config:*)
		prefix=${cur%%:*}:
		cur=${cur#"$prefix"}
		_filedir
		cur=$prefix$cur
		COMPREPLY=("${COMPREPLY[@]/#/$prefix}")
		;;
	*)
		_filedir
		_gpuscope_words "live none bar: ggtt: mem: lmem: elf: config: demo:
			$(_gpuscope_devices)"
		[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace
		;;
	esac
	__ltrim_colon_completions "$cur"
}

# A source as an operand: mostly a dump.
_gpuscope_operand() {
	case $cur in
	demo:* | bar:* | ggtt:* | mem:* | lmem:* | elf:*)
		_gpuscope_sources
		;;
	*)
		_filedir
		_gpuscope_words demo:
		[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *: ]] && compopt -o nospace
		;;
	esac
}

# What the names of registers depend on, from the words before: the platform, or a demo.
_gpuscope_platform_options() {
	local i

	for ((i = 1; i < cword; i++)); do
		case ${words[i]} in
		-p | --platform | --define)
			printf '%s\n' "${words[i]}" "${words[i + 1]}"
			;;
		-p?* | --platform=* | --define=* | --no-user-config | --from=demo:?*)
			printf '%s\n' "${words[i]}"
			;;
		demo:?*)
			printf '%s\n' -s "${words[i]}"
			;;
		esac
	done
}

# NAME, rcs0.NAME and @GROUP that begin with the current word, without regard to case.
_gpuscope_registers() {
	local mark group name start=${cur,,}
	local -a options
	local -A found

	mapfile -t options < <(_gpuscope_platform_options)
	while read -r mark group _ name _; do
		if [[ $mark == '#' ]]; then
			name=@${group%:}
		elif [[ $cur != *.* ]]; then
			[[ $name == *.* && $name == "$start"* ]] && found[${name%%.*}.]=1
			name=${name##*.}
		fi
		[[ $name && ${name,,} == "$start"* ]] && found[$name]=1
	done < <(gpu-regdump --list -q --no-pager --color=never "${options[@]}" 2>/dev/null)
	COMPREPLY+=("${!found[@]}")
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *. ]] && compopt -o nospace
}

# The engines of the platform that the words before tell.
_gpuscope_engines() {
	local -a options

	mapfile -t options < <(_gpuscope_platform_options)
	gpu-regdump --list -q --no-pager --color=never "${options[@]}" 2>/dev/null |
		sed -n 's/^.* \([a-z]\{1,\}[0-9]\)[.][A-Z].*/\1/p' | sort -u
}

# The values of options that the commands have in common; fails if $prev is none of them.
_gpuscope_value() {
	case $prev in
	-s | --from)
		_gpuscope_sources
		;;
	-p | --platform)
		_gpuscope_words "$(_gpuscope_first gpu-db list --platforms -q)"
		;;
	--define)
		_filedir def
		;;
	--wake)
		_gpuscope_words 'auto driver registers none'
		;;
	--color)
		_gpuscope_words 'auto always never'
		;;
	-m | --mode)
		_gpuscope_words 'ggtt flat 2level pdp32 pml4 ia32e vtd'
		[[ ${words[0]##*/} != gpu-pte ]] || _gpuscope_words 'trtt'
		;;
	-l | --level)
		_gpuscope_words 'pte pte64k pde pde2m pdpe pdpe1g pml4e trtt-l1 trtt-l2 trtt-l3
			vtd-root vtd-context vtd-pasid vtd-sl'
		;;
	-e | --engine)
		_gpuscope_words "$(_gpuscope_engines)"
		;;
	--bdf)
		_gpuscope_words "$(_gpuscope_devices)"
		__ltrim_colon_completions "$cur"
		;;
	-f | --tiling)
		_gpuscope_words 'x y w yf ys tile4 tile64 linear'
		;;
	--swizzle)
		_gpuscope_words 'none 9 9/10 9/11 9/10/11 9/17 9/10/17'
		;;
	--pixels)
		_gpuscope_words 'B8G8R8A8 B8G8R8X8 R8G8B8A8 R8G8B8X8 R10G10B10A2 R10G10B10X2
			B10G10R10A2 B10G10R10X2 B5G6R5 B5G5R5A1 B5G5R5X1 B4G4R4A4
			A1B5G5R5 A4B4G4R4 L16A16 L8A8 L16 I16 A16 R16 R8 L8 I8 A8'
		;;
	--dim)
		_gpuscope_words '2d 3d'
		;;
	--client)
		_gpuscope_words 'any display render depth stencil sampler blitter sparse'
		;;
	--aux)
		_gpuscope_words 'hiz ccs mcs all'
		;;
	--bpp)
		_gpuscope_words '8 16 32 64 128'
		;;
	--samples)
		_gpuscope_words '1 2 4 8 16'
		;;
	--pitch | --sample | --slice | --width | --height | --fence) ;;
	--surface | --state | --base | --submission | --aux-root) ;;
	--access)
		_gpuscope_words 'read write atomic'
		;;
	--trtt)
		_gpuscope_words 'none'
		;;
	--format)
		if [[ ${words[0]##*/} == gpu-fault ]]; then
			_gpuscope_words 'lrc state pphwsp probe-list'
		else
			_gpuscope_words 'auto text bin'
		fi
		;;
	--query)
		_gpuscope_registers
		;;
	--kernels)
		_filedir -d
		;;
	-c | --command) ;;
	--watch | --count | --revision | --help | --version | -h | -V) ;;
	-a | --address | --mark) ;;
	--mem | --root | --context | --pasid | --rtaddr | --vtd | --trtt-null | --trtt-invalid | --trtt-va) ;;
	*)
		return 1
		;;
	esac
}

_gpuscope_has() {
	local word

	for word in "${words[@]:1:cword-1}"; do
		[[ $word == "$1" ]] && return
	done
	return 1
}

# The operands before the current word.
_gpuscope_operands() {
	local i skip=

	operands=()
	for ((i = 1; i < cword; i++)); do
		if [[ $skip ]]; then
			skip=
		elif [[ ${words[i]} == @(-s|--from|-p|--platform|--define|--wake|--color|--watch|--count|--revision|-o|--output) ]]; then
			skip=1
		elif [[ ${words[i]} != -?* ]]; then
			operands+=("${words[i]}")
		fi
	done
}

_gpuscope_regdump() {
	local cur prev words cword split
	local -a operands

	_init_completion -s -n : || return
	_gpuscope_value && return
	$split && return
	if [[ $cur == -* ]]; then
		_gpuscope_words "$(_parse_help gpu-regdump)"
		[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
		return
	fi
	_gpuscope_operands
	if _gpuscope_has --diff && ((${#operands[@]} < 2)); then
		((${#operands[@]})) || _gpuscope_words reset
		_gpuscope_sources
	elif ! _gpuscope_has --devices; then
		_gpuscope_operand
		[[ $cur == *:* ]] || _gpuscope_registers
		_gpuscope_has --decode && compopt -o nospace
	fi
}

_gpuscope_db() {
	local cur prev words cword split
	local -a operands

	_init_completion -s -n : || return
	_gpuscope_value && return
	$split && return
	_gpuscope_operands
	if [[ $cur == -* ]]; then
		_gpuscope_words "$(_parse_help gpu-db)"
		[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	elif ((${#operands[@]} == 0)); then
		_gpuscope_words 'check list show which stats export'
	elif [[ ${operands[0]} == check ]]; then
		_filedir def
	else
		_gpuscope_operand
		[[ $cur == *:* || ${operands[0]} == stats ]] || _gpuscope_registers
	fi
}

_gpuscope_snap() {
	local cur prev words cword split
	local -a operands

	_init_completion -s -n : || return
	if [[ $prev == @(-o|--output) ]]; then
		_filedir
		return
	fi
	if [[ $prev == --to ]]; then
		_gpuscope_words 'capture aub bar'
		return
	fi
	if [[ $prev == --compress ]]; then
		_gpuscope_words 'auto zstd gzip none'
		return
	fi
	_gpuscope_value && return
	$split && return
	_gpuscope_operands
	if [[ $cur == -* ]]; then
		_gpuscope_words "$(_parse_help gpu-snap)"
		[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	elif ((${#operands[@]} == 0)); then
		_gpuscope_words 'convert extract info save'
	else
		_gpuscope_operand
	fi
}

_gpuscope_files() {
	local cur prev words cword split

	_init_completion -s -n : || return
	if [[ $1 == gpu-fault && $prev == --decode ]]; then
		_gpuscope_words 'context hwsp oa ring'
		return
	fi
	if [[ $prev == @(-o|--output) ]]; then
		_filedir
		return
	fi
	_gpuscope_value && return
	$split && return
	if [[ $cur == -* ]]; then
		_gpuscope_words "$(_parse_help "$1")"
		[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
	else
		_gpuscope_operand
	fi
}

# Options, and after -o a page.
_gpuscope_report() {
	local cur prev words cword split

	_init_completion -s -n : || return
	if [[ $prev == @(-o|--output) ]]; then
		_filedir html
		return
	fi
	_gpuscope_value && return
	$split && return
	if [[ $cur && $cur != -* ]]; then
		_gpuscope_operand
		return
	fi
	_gpuscope_words "$(_parse_help "$1")"
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}

# Numbers cannot be completed: options and sources are all.
_gpuscope_numbers() {
	local cur prev words cword split

	_init_completion -s -n : || return
	_gpuscope_value && return
	$split && return
	if [[ $cur && $cur != -* ]]; then
		_gpuscope_operand
		return
	fi
	_gpuscope_words "$(_parse_help "$1")"
	[[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}

complete -F _gpuscope_regdump gpu-regdump
complete -F _gpuscope_files gpu-batch gpu-fault
complete -F _gpuscope_db gpu-db
complete -F _gpuscope_numbers gpu-pte gpu-ptwalk
complete -F _gpuscope_report gpu-report
complete -F _gpuscope_files gpu-sh
complete -F _gpuscope_snap gpu-snap
complete -F _gpuscope_files gpu-tile
