#!/bin/sh
# SPDX-License-Identifier: MIT
# The recipe of gpu-collect(1) for many machines, as the page has it: three machines that two commands
# of our own pretend to be, then journals.
. "$(dirname "$0")/../lib.sh"
wants gzip zstd
needs gpu-collect jq
for need in sqlite3 parallel; do
	command -v $need >/dev/null || skip "needs package $need"
done
page=$tests/../man/gpu-collect.1.scd
made=$data/driver-made
mkdir "$work/bin" "$work/fleet"
cd "$work/fleet" || exit 1
PATH=$work/bin:$PATH

# Commands of the section FLEETS, by what is in them.
awk -v folder="$work" '
	/^# /  { section = $2 }
	/^```/ { code = !code; count += code; next }
	section == "FLEETS" && code { gsub(/\\\\/, "\\"); print >(folder "/recipe-" count) }' "$page"
recipe() {
	command_line="the recipe with $1"
	# shellcheck disable=SC2016
	sh -eu "$(grep -l -e "$1" "$work"/recipe-*)" >"$out" 2>"$err" || fail "it fails: $(cat "$err")"
}

# A machine is a store of that name.
cat >"$work/bin/ssh" <<'END'
#!/bin/sh
machine=$1
shift
[ "$machine" != down ] || exit 255
exec "$1" -D "../$machine" "$2" "$3"
END
# Of each machine its last entry, as the journal has it.
cat >"$work/bin/journalctl" <<'END'
#!/bin/sh
case "$*" in *MESSAGE_ID=dfc558b086d7494288b7579f8335c62f*) ;; *) exit 1 ;; esac
for machine in new old; do
	gpu-collect -D "../$machine" list --json | jq -c --arg machine "$machine" '.hangs[] | {
		_HOSTNAME: $machine, GPU_BOOT_ID: .boot, GPU_HANG: "\(.hang)", GPU_TIME: "\(.time)",
		GPU_LAST: "\(.last)", GPU_COUNT: "\(.count + 1)", GPU_SIGNATURE: .signature,
		GPU_PLATFORM: .platform, GPU_DRIVER: .driver, GPU_KERNEL: .kernel,
		GPU_PROCESS: .process }'
done
END
chmod +x "$work/bin/ssh" "$work/bin/journalctl"

# machine NAME KERNEL TIME DUMP...: a store, in which each dump was collected at that time
machine() {
	machine=$1 kernel=$2 at=$3
	shift 3
	mkdir -p "$work/sys/class/drm/card0"
	: >"$work/log"
	for dump; do
		zcat "$made/$dump" >"$work/sys/class/drm/card0/error"
		SOURCE_DATE_EPOCH=$at run gpu-collect -D "$work/$machine" --sysfs "$work/sys" \
			--kernel-log "$work/log" --journal none save
		expect_status 0
	done
	sed -i "s/^GPU_KERNEL=.*/GPU_KERNEL=$kernel/" "$work/$machine"/*.fields
}
machine old 6.12.38 1800000000 i915-6.12-skl-second.gz
machine both 6.12.38 1800000100 i915-6.12-hsw-loop.gz
machine new 6.12.41 1800500000 i915-6.12-skl-second.gz i915-6.1-tgl-away.gz
mkdir "$work/idle"
printf '%s\n' old both new idle down >machines

title 'the table'
recipe 'CREATE TABLE'
title 'machines by ssh, of which one is down'
sed -i "s/^    'ssh.*/& || :/" "$(grep -l '^parallel' "$work"/recipe-*)"
recipe '^parallel'
same 'rows' "$(sqlite3 fleet.db 'SELECT count(*), count(DISTINCT machine) FROM hang')" '4|3'
title 'once more'
recipe '^parallel'
same 'rows' "$(sqlite3 fleet.db 'SELECT count(*) FROM hang')" 4
title 'from journals'
recipe '^journalctl'
same 'rows' "$(sqlite3 fleet.db 'SELECT count(*), sum(count) FROM hang')" '4|7'
title 'the worst, and what is new'
recipe 'DISTINCT machine'
expect_out_has '^skl/rcs0/MI_BATCH_BUFFER_START/loop\|4\|2$'
same 'what is new since 6.12.41' "$(tail -n 1 "$out")" \
	"$(gpu-collect -D "$work/new" list tgl --json | jq -r '.hangs[0].signature')|2|1|2027-01-21"
same 'lines of both' "$(wc -l <"$out")" 4
finish
