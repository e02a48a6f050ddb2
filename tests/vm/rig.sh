#!/bin/sh
# SPDX-License-Identifier: MIT
# rig.sh SCRIPT...: runs scripts in virtual machines. Environment: GPU_VM, the built gpu-vm;
# CACHE, a directory for kernels and images; COMMANDS, the built commands that the guest gets; KEEP,
# a directory for what is written (access.log, console, files of the script), else it is removed.
# With CI=true and TURN_OF in the environment, only on some days: TURN=all, or the number of a day.
# What is missing makes it a skip (77), but with CI=true a failure, unless it is a kernel that the
# mirror does not have.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${GPU_VM:?}" "${CACHE:?}" "${COMMANDS:?}"

# shellcheck source=tests/skip.sh
. "$here/../skip.sh"
wants live

# turn N COUNT: in CI, of COUNT scripts that are much alike, one takes its turn each day.
turn() {
	[ "${CI-}" != true ] || [ "${TURN-}" = all ] ||
		[ $(((${TURN:-$(($(date +%s) / 86400))} + $1) % $2)) = 0 ] ||
		pass_by "not its turn: TURN=all runs it"
}
# shellcheck disable=SC2086
turn ${TURN_OF:-0 1}

PATH=$PATH:/usr/sbin:/sbin
for need in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio xz:xz-utils lz4:lz4 \
	zstd:zstd apt-get:apt dpkg-deb:dpkg flock:util-linux ldconfig:libc-bin; do
	command -v "${need%:*}" >/dev/null || skip "needs package ${need#*:}"
done
busybox --list | grep -qx stty || skip 'needs package busybox-static'

# number FILE OFFSET SIZE: a little-endian number
number() {
	od -An -tu"$3" -j "$2" -N "$3" "$1" | tr -d ' '
}

# unpacked BZIMAGE OUT: the kernel in it, which saves emulating its decompressor, half of a boot.
# The boot protocol tells where it lies.
unpacked() {
	start=$((($(number "$1" 0x1f1 1) + 1) * 512 + $(number "$1" 0x248 4)))
	for packer in 'zstd -dc' 'xz -dc --single-stream' 'lz4 -dc'; do
		tail -c +$((start + 1)) "$1" | $packer >"$2" 2>/dev/null || :
		[ "$(head -c 4 "$2" | tr -dc A-Z)" = ELF ] && return
	done
	cp "$1" "$2"
}

# archive SUITE...: what apt knows of these suites, in lists of our own, whichever Debian this is and
# whichever archives it uses. They lie beside each other on the mirror that this machine uses.
archive() {
	mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
		sed -n 's,^main \(.*/debian\)/*$,\1,p' | head -1)
	[ -n "$mirror" ] || pass_by "apt has no mirror of Debian to fetch kernels from"
	mkdir -p "$CACHE/apt/lists/partial" "$CACHE/apt/cache/archives/partial"
	key='signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
	for suite; do
		case $suite in
		*-security) echo "deb [$key] $mirror-security $suite main" ;;
		*) echo "deb [$key] $mirror $suite main" ;;
		esac
	done >"$CACHE/apt/sources.list"
	cat >"$CACHE/apt/conf" <<-END
		Dir::Etc::sourcelist "$CACHE/apt/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::State::lists "$CACHE/apt/lists";
		Dir::Cache "$CACHE/apt/cache";
		APT::Sandbox::User "root";
	END
	APT_CONFIG=$CACHE/apt/conf
	export APT_CONFIG
	apt-get -q update >"$CACHE/apt/log" 2>&1 || :
}

# newest PREFIX PATTERN: of the packages whose names begin so
newest() {
	apt-cache pkgnames "$1" | grep -E -- "$2" | sort -V | tail -1
}

# choose KIND: sets `packages` to those with the kernel of Debian 12's linux-image-KIND, which has 6.1,
# with the newest 6.12 of its security archive, or with the newest 7.2. That one is in testing or
# unstable, in two packages; once both have moved on, it is the newest kernel there.
choose() {
	case $1 in
	7.*)
		archive forky sid
		packages=$(newest "linux-binary-$1." '[0-9]\+deb[0-9]+-amd64$')
		packages=${packages:-$(newest linux-binary- '-[0-9.]+\+deb[0-9]+-amd64$')}
		packages=${packages:+$packages linux-modules-${packages#linux-binary-}}
		;;
	[0-9]*)
		archive bookworm-security
		packages=$(newest "linux-image-$1." '[0-9]\+deb12-amd64-unsigned$')
		;;
	*)
		archive bookworm
		packages=$(apt-cache depends "linux-image-$1" 2>/dev/null |
			sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\).*/\1/p' | head -1)
		;;
	esac
}

# kernel KIND: a kernel and the modules that its drivers need, unpacked into $CACHE/KIND
kernel() {
	kind=$1 new=$CACHE/$1.new
	[ -e "$CACHE/$kind/bzImage" ] && return
	(
		choose "$kind"
		[ -n "$packages" ] ||
			pass_by "Debian's mirror has no kernel $kind: $(tail -n 1 "$CACHE/apt/log")"
		rm -rf "$new"
		mkdir -p "$new"
		cd "$new"
		{
			echo './*/vmlinuz*'
			cat "$here/modules/$kind".* 2>/dev/null |
				sed 's,^\([^ ]*\).*,./*/modules/*/\1.ko*,' | sort -u
		} >wanted
		# shellcheck disable=SC2086
		apt-get -q download $packages >/dev/null &&
			for package in *.deb; do
				dpkg-deb --fsys-tarfile "$package"
			done | tar xf - --ignore-zeros --wildcards -T wanted || pass_by "cannot fetch $packages"
		rm -- *.deb
		find . -name 'vmlinuz*' -exec mv {} bzImage \;
		find . -name '*.ko.xz' -exec xz -d {} +
		unpacked bzImage kernel
	)
	rm -rf "$CACHE/$kind"
	mv "$new" "$CACHE/$kind"
}

# guest NAME KIND [DRIVER]: $CACHE/NAME.kernel and NAME.img, built again if a part of it is newer
guest() {
	image=$CACHE/$1.img stale=
	kernel "$2"
	ln -sfn "$2/kernel" "$CACHE/$1.kernel"
	[ "$COMMANDS" = "$(cat "$image.parts" 2>/dev/null)" ] || stale=yes
	# shellcheck disable=SC2046,SC2086
	for part in $COMMANDS $(ldd $COMMANDS | grep -oE '/[^ ]+ ' | sort -u) "$here"/guest/* \
		"$here"/modules/* "$here/firmware" "$here/image.sh"; do
		[ "$part" -nt "$image" ] && stale=yes
	done
	[ -n "$stale" ] || return 0
	# shellcheck disable=SC2086
	MODULES=${3:+$CACHE/$2} ORDER=${3:+$here/modules/$2.$3} "$here/image.sh" "$image" $COMMANDS
	echo "$COMMANDS" >"$image.parts"
}

mkdir -p "$CACHE"
exec 9>"$CACHE/lock"
flock 9
guest plain cloud-amd64
# The words of `boot` for a driver.
while read -r name kind driver; do
	boots="^boot [^ ]* $name"
	grep -q "$boots\( \|\$\)" -- "$@" || continue
	guest "$name" "$kind" "$driver"
	# systemd as the first process: another archive after that of the driver.
	if grep -q "$boots systemd" -- "$@"; then
		[ -x /lib/systemd/systemd-udevd ] || skip 'needs package udev'
		"$here/systemd.sh" "$CACHE/systemd.img" "${COMMANDS%%/tools/*}/data/collect"
		cat "$CACHE/$name.img" "$CACHE/systemd.img" >"$CACHE/$name-systemd.img"
	fi
	# The kernel that follows a panic, and what it begins with.
	if grep -q "$boots crashkernel=" -- "$@"; then
		mkdir -p "$CACHE/crash"
		ln -f "$CACHE/$kind/bzImage" "$CACHE/crash/kernel"
		ln -f "$CACHE/plain.img" "$CACHE/crash/initrd"
		{
			(cd "$CACHE" && find crash | cpio --quiet -o -H newc -R 0:0)
			cat "$CACHE/$name.img"
		} >"$CACHE/$name-crash.img"
	fi
done <<EOF
i915 amd64 i915
i915-6.12 6.12 i915
i915-7.2 7.2 i915
xe 6.12 xe
xe-7.2 7.2 xe
EOF
flock -u 9

# guc-said is here.
PATH=$here:$PATH
for command in $COMMANDS; do
	PATH=${command%/*}:$PATH
done
if [ -n "${KEEP-}" ]; then
	mkdir -p "$KEEP"
	output=$(cd "$KEEP" && pwd)
else
	output=$(mktemp -d)
	trap 'rm -rf "$output"' EXIT
fi
"$GPU_VM" -c "$CACHE" -d "$output" "$@" 9>&-
