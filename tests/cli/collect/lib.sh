# SPDX-License-Identifier: MIT
# What the tests of gpu-collect share: a kernel made of files, its log, and a store.
. "$(dirname "$0")/../lib.sh"
wants gzip zstd
made=$data/driver-made
sys=$work/sys
store=$work/store
arguments="-D $store --sysfs $sys --kernel-log $work/log --journal $work/journal"
cd "$work" || exit 1

# fresh: no store, no dump, an empty log
fresh() {
	rm -rf "$sys" "$store"
	mkdir -p "$sys/class/drm/card0" "$sys/class/devcoredump" "$sys/devices/0000:00:02.0"
	ln -s ../../../devices/0000:00:02.0 "$sys/class/drm/card0/device"
	echo 'No error state collected' >"$sys/class/drm/card0/error"
	: >"$work/log"
}

# place NAME: where a device core dump will be
place() {
	mkdir -p "$sys/class/devcoredump/$1"
	ln -sfn ../../../devices/0000:00:02.0 "$sys/class/devcoredump/$1/failing_device"
}

# core NAME FILE: a device core dump
core() {
	place "$1"
	zcat "$2" >"$sys/class/devcoredump/$1/data"
}

error() {
	zcat "$1" >"$sys/class/drm/card0/error"
}

# line SECONDS ECODE PROCESS: what i915 says of a hang
line() {
	printf '[%12s] i915 0000:00:02.0: [drm] GPU HANG: ecode %s, in %s\n' "$1" "$2" "$3" >>"$work/log"
}

# job SECONDS PROCESS: what xe says of one
job() {
	printf '[%12s] xe 0000:00:02.0: [drm] GT0: Timedout job: seqno=9, lrc_seqno=9, guc_id=2, flags=0x0 in %s\n' \
		"$1" "$2" >>"$work/log"
}

save() {
	# shellcheck disable=SC2086
	run gpu-collect $arguments "$@" save
}

list() {
	run gpu-collect -D "$store" list --json
	expect_status 0
}
