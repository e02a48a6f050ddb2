# Completion of gpu-regdump, gpu-db and gpu-snap for bash.		-*- shell-script -*-
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

_gpuscope_demos() {
	local name

	gpu-regdump -s demo: 2>/dev/null | while read -r name _; do
		[[ $name == [a-z]* ]] && echo "demo:${name#demo:}"
	done
}

_gpuscope_platforms() {
	local name

	gpu-db list --platforms -q 2>/dev/null | while read -r name _; do
		[[ $name == [a-z]* ]] && echo "$name"
	done
}

# What has to be known for the names of registers, from the words before: -p and demos.
_gpuscope_platform_options() {
	local i

	for ((i = 1; i < cword; i++)); do
		case ${words[i]} in
		-p | --platform | --define)
			printf '%s\n' "${words[i]}" "${words[i + 1]}"
			;;
		-p?* | --platform=* | --define=* | --from=demo:* | -sdemo:*)
			printf '%s\n' "${words[i]}"
			;;
		-s | --from)
			[[ ${words[i + 1]} == demo:?* ]] && printf '%s\n' -s "${words[i + 1]}"
			;;
		esac
	done
}

# Names that begin with the current word, without regard to case: NAME, rcs0.NAME, @GROUP.
_gpuscope_registers() {
	local -a options
	local name lower=${cur,,}

	mapfile -t options < <(_gpuscope_platform_options)
	if [[ $cur == @* ]]; then
		gpu-regdump --list --no-pager --color=never "${options[@]}" 2>/dev/null |
			while read -r hash name _; do
				[[ $hash == '#' && $name == *: ]] && echo "@${name%:}"
			done
	else
		gpu-regdump --list -q --no-pager --color=never "${options[@]}" 2>/dev/null |
			while read -r _ _ _ name _; do
				[[ $cur == *.* ]] || name=${name##*.}
				[[ ${name,,} == "$lower"* ]] && echo "$name"
			done
	fi
}
