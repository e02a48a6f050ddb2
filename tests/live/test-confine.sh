#!/bin/sh
# SPDX-License-Identifier: MIT
# Beside a device, a file is decoded with the right to read the device's files and no more. CONFINED
# is cli/confined.c, built: it tries things when the command opens what it reads, and at its end.
. "$(dirname "$0")/lib.sh"
: "${CONFINED:?the built cli/confined.c}"

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
poke "$gpu/resource0" 0x2030 0x150
truncate -s 1M "$work/ggtt"
printf '# platform skl\n0x2034 0x10\n' >"$work/registers"
mkdir "$work/there"

# probed OPENS COMMAND...: what it could do beside its work is in the file tried
probed() {
	probed_opens=$1
	shift
	rm -rf "$work/there/new"
	mkdir -p "$work/there/folder"
	echo something >"$work/there/file"
	: >"$work/tried"
	status=0
	in_devices env CONFINED_DIR="$work/there" CONFINED_INPUT="$work/" LD_PRELOAD="$CONFINED" \
		"$@" >"$work/out" 2>"$work/err" 9>"$work/tried" || status=$?
	case $status in
	0 | 6) ;;
	*) same "status of $*: $(head -n 1 "$work/err")" $status '0 or 6' ;;
	esac
	for moment in $probed_opens end; do
		same "$moment of $*" "$(sed -n "s/^$moment \(.*\) done$/\1/p" "$work/tried" |
			tr '\n' ' ')" "$allowed"
	done
}

in_devices "$GPU_REGDUMP" -vv -s live 0x2030 2>&1 | grep -q 'Landlock.*calls filtered' || {
	echo 'ok: a sanitizer, or no Landlock or seccomp'
	exit 0
}
# Those to read the kernel's files are left.
allowed='capabilities '
probed '' "$GPU_REGDUMP" 0x2030
probed open "$GPU_REGDUMP" --diff live "$work/registers"
probed open "$GPU_REGDUMP" -s live -s "$work/registers" 0x2030 0x2034
same 'both are read' "$(grep -c '^0x00203[04]' "$work/out")" 2
probed open "$GPU_FAULT" -s live -s "ggtt:$work/ggtt"
probed open "$GPU_PTWALK" -s live -s "ggtt:$work/ggtt" -m ggtt --map
probed open "$GPU_SNAP" save -s live -s "ggtt:$work/ggtt" -o "$work/a.tar"

# Its registers are written where that is asked for.
allowed='write-device capabilities '
probed open "$GPU_REGDUMP" --wake=registers -s live -s "$work/registers" 0x2030

finish
