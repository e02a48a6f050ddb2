#!/bin/sh
# SPDX-License-Identifier: MIT
# rig.sh SCRIPT...: runs scripts in virtual machines. Environment: GPU_VM, the built gpu-vm;
# CACHE, a directory for kernels and images; COMMANDS, the built commands that the guest gets; KEEP,
# a directory for what is written (access.log, console, files of the script), else it is removed.
# What is missing makes it a skip (77), but with CI=true a failure, unless it is a kernel that the
# mirror does not have.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
: "${GPU_VM:?}" "${CACHE:?}" "${COMMANDS:?}"

# shellcheck source=tests/skip.sh
. "$here/../skip.sh"
wants live

PATH=$PATH:/usr/sbin:/sbin
for need in qemu-system-x86_64:qemu-system-x86 busybox:busybox-static cpio:cpio xz:xz-utils lz4:lz4 \
	apt-get:apt dpkg-deb:dpkg flock:util-linux ldconfig:libc-bin; do
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
	for packer in 'xz -dc --single-stream' 'lz4 -dc'; do
		tail -c +$((start + 1)) "$1" | $packer >"$2" 2>/dev/null || :
		[ "$(head -c 4 "$2" | tr -dc A-Z)" = ELF ] && return
	done
	cp "$1" "$2"
}

# archive: what apt knows of Debian 12's kernels, in lists of our own: bookworm has 6.1 and its security
# archive 6.12, whichever Debian this is and whichever archives it uses. They lie beside each other
# on the mirror that this machine uses.
archive() {
	mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' |
		sed -n 's,^main \(.*/debian\)/*$,\1,p' | head -1)
	[ -n "$mirror" ] || pass_by "apt has no mirror of Debian to fetch kernels from"
	mkdir -p "$CACHE/apt/lists/partial" "$CACHE/apt/cache/archives/partial"
	key='signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
	cat >"$CACHE/apt/sources.list" <<-END
		deb [$key] $mirror bookworm main
		deb [$key] $mirror-security bookworm-security main
	END
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

# newest KIND: the package with the kernel of Debian 12's linux-image-KIND, or the newest of a version
newest() {
	case $1 in
	[0-9]*) apt-cache pkgnames "linux-image-$1." | grep -E '[0-9]\+deb12-amd64-unsigned$' | sort -V | tail -1 ;;
	*) apt-cache depends "linux-image-$1" 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-[0-9][^ ]*\).*/\1/p' | head -1 ;;
	esac
}

# kernel KIND: the kernel of Debian's package linux-image-KIND and the modules that its drivers need,
# unpacked into $CACHE/KIND
kernel() {
	kind=$1 new=$CACHE/$1.new
	[ -e "$CACHE/$kind/bzImage" ] && return
	archive
	package=$(newest "$kind")
	[ -n "$package" ] || pass_by "Debian's mirror has no kernel linux-image-$kind: $(tail -n 1 "$CACHE/apt/log")"
	rm -rf "$new"
	mkdir -p "$new"
	{
		echo './boot/vmlinuz*'
		cat "$here/modules/$kind".* 2>/dev/null | sed 's,^\([^ ]*\).*,./lib/modules/*/\1.ko*,' | sort -u
	} >"$new/wanted"
	(cd "$new" && apt-get -q download "$package" >/dev/null &&
		dpkg-deb --fsys-tarfile "$package"_*.deb |
		tar xf - --wildcards -T wanted && rm -- *.deb) ||
		pass_by "cannot fetch package $package"
	mv "$new"/boot/vmlinuz* "$new/bzImage"
	unpacked "$new/bzImage" "$new/kernel"
	rm -r "$new/boot"
	find "$new" -name '*.ko.xz' -exec xz -d {} +
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
	MODULES=${3:+$CACHE/$2/lib} ORDER=${3:+$here/modules/$2.$3} "$here/image.sh" "$image" $COMMANDS
	echo "$COMMANDS" >"$image.parts"
}

mkdir -p "$CACHE"
exec 9>"$CACHE/lock"
flock 9
guest plain cloud-amd64
# The words of `boot` for a driver.
while read -r name kind driver; do
	grep -q "^boot [^ ]* $name\( \|\$\)" -- "$@" && guest "$name" "$kind" "$driver"
done <<EOF || :
i915 amd64 i915
i915-6.12 6.12 i915
xe 6.12 xe
EOF
# systemd as the first process: another archive after that of the driver.
for name in i915 i915-6.12 xe; do
	grep -q "^boot [^ ]* $name systemd" -- "$@" || continue
	[ -x /lib/systemd/systemd-udevd ] || skip 'needs package udev'
	"$here/systemd.sh" "$CACHE/systemd.img" "${COMMANDS%%/tools/*}/data/collect"
	cat "$CACHE/$name.img" "$CACHE/systemd.img" >"$CACHE/$name-systemd.img"
done
# The kernel that follows a panic, and what it begins with.
for name in i915 i915-6.12 xe; do
	grep -q "^boot [^ ]* $name crashkernel=" -- "$@" || continue
	mkdir -p "$CACHE/crash"
	ln -f "$(readlink -f "$CACHE/$name.kernel" | sed 's,kernel$,bzImage,')" "$CACHE/crash/kernel"
	ln -f "$CACHE/plain.img" "$CACHE/crash/initrd"
	{
		(cd "$CACHE" && find crash | cpio --quiet -o -H newc -R 0:0)
		cat "$CACHE/$name.img"
	} >"$CACHE/$name-crash.img"
done
flock -u 9

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
