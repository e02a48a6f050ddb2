#!/bin/sh
# SPDX-License-Identifier: MIT
# check.sh [STEP[=ARGUMENT]...]: what has to hold before a release and takes too long for every
# change. Without a STEP, all of them in this order:
#
#   warnings    gcc and clang, with -Wall -Wextra -Werror; the unit tests of clang's build
#   off         no optional library at all: builds and passes the tests of the commands
#   musl        the same with musl-gcc
#   32bit       the same for 32 bits
#   static      the static program: tests of the commands, of devices, and in a virtual machine
#               whose initramfs has no library (-vm: without the machine)
#   coverage    lines and branches of lib and tools that unit, cli and bad reach, by file in coverage.txt
#   messages    every string that i915 and xe print at error, warning and notice level in Debian's
#               newest linux-source is explained by gpu-fault, or known to do no harm; by file in
#               messages.txt (messages=VERSION: another linux-source-VERSION, or a source tree)
#   valgrind    every command on every demo: no error, and nothing is lost
#   chromium    pages of gpu-report in a browser, with html-validate and axe-core (npm)
#   abi         two builds of the library have one ABI (abidiff), and what gpuscope.h declares is in it
#   subproject  a program that has gpuscope among its subprojects, by packaging/gpuscope.wrap's names
#   archive     packaging/static.sh: the static program as an archive, twice the same
#   foreign     packages of others as far as Debian has their tools: rpmbuild, makepkg, nix-instantiate
#   wheel       the wheel of the Python module, in a virtual environment, with and without the library
#   packages    dpkg-buildpackage with its tests, lintian
#   install     these packages in a fresh Debian 12 and 13, used there, and removed without a trace
#   machine     these packages in a Debian 12 that boots in a virtual machine with a modelled GPU
#               (tests/vm), with i915 of both kernels and with xe: gpu-collect, until it is removed
#   local       the commands of README.md's Install section in a fresh Debian 12 (which has no
#               dpkg-dev), as they stand there; what they installed used there
#   fresh       both commands of the README in a fresh Debian 12, and in a fresh Debian 13, as they
#               stand there; =demo: only the first
#   fuzz        tests/fuzz/long.sh, each target 300 s (fuzz=SECONDS)
#
# Some take root, and all take packages, which are installed as ./bootstrap does it. What is built,
# and a log of each step, is in $RELEASE, by default build-release/ of the source tree; GPUSCOPE_CORPUS
# is used if it is set. A step that fails does not keep the others from running.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
steps='warnings off musl 32bit static coverage messages valgrind chromium abi subproject archive foreign'
steps="$steps wheel packages install machine local fresh fuzz"
work=${RELEASE:-$root/build-release}
mkdir -p "$work"
work=$(cd "$work" && pwd)
CI=true cross=
export CI

# ---- what the steps share -----------------------------------------------------------------------

# note WORDS: what the table says of the step
note() {
	echo "$*" >"$work/$step.note"
}

# build NAME OPTION...: in $work/NAME, with the compiler in CC, or those of the file $cross
build() {
	directory=$work/$1
	shift
	if [ -f "$directory/build.ninja" ]; then
		meson configure "$directory" "$@"
	else
		meson setup ${cross:+--cross-file "$cross"} "$directory" "$root" -Dwerror=true \
			-Dtests=enabled "$@"
	fi
	ninja -C "$directory"
}

# tested NAME SUITE...: its test suites; their results are the note
tested() {
	directory=$work/$1
	shift
	# shellcheck disable=SC2046
	set -- $(printf ' --suite %s' "$@")
	rm -f "$directory/meson-logs/testlog.json"
	result=0
	meson test -C "$directory" --no-rebuild --timeout-multiplier 3 --print-errorlogs "$@" ||
		result=1
	note "$(jq -rs '
		def n(f): map(select(.result | f)) | length;
		"\(n(. == "OK")) tests passed, \(n(. != "OK" and . != "SKIP")) failed, \(n(. == "SKIP")) skipped"
		' "$directory/meson-logs/testlog.json")"
	return "$result"
}

# The tree without what was built in it.
copy_tree() {
	rm -rf "$1"
	mkdir -p "$1"
	tar -cf - -C "$root" --exclude=./build --exclude='./build-*' --exclude=./.git \
		--exclude=__pycache__ . | tar -xf - -C "$1"
}

# Where this machine's apt has Debian 12 from: "deb URI SUITE main", with its updates if it has them.
sources() {
	apt-get indextargets --format 'deb $(REPO_URI) $(CODENAME) $(COMPONENT)' |
		awk '$3 ~ /^bookworm/ && $4 == "main"' | sort -u
}

# fresh_debian DIRECTORY [SUITE]: Debian 12, or another, with its main archive alone, and nothing
# else but how this machine reaches its mirror
fresh_debian() {
	suite=${2:-bookworm}
	[ "$(id -u)" = 0 ] || { echo 'a fresh Debian takes root'; return 1; }
	if [ ! -f "$work/$suite.tar" ]; then
		debootstrap --variant=minbase "$suite" "$work/$suite" \
			"$(sources | awk '$3 == "bookworm" { print $2; exit }')"
		for file in /etc/apt/apt.conf /etc/apt/apt.conf.d/*; do
			if grep -qis proxy "$file"; then
				cp "$file" "$work/$suite/etc/apt/apt.conf.d/"
			fi
		done
		tar -cf "$work/$suite.tar" -C "$work/$suite" .
		rm -rf "${work:?}/$suite"
	fi
	rm -rf "$1"
	mkdir -p "$1"
	tar -xf "$work/$suite.tar" -C "$1"
	cp -L /etc/resolv.conf "$1/etc/resolv.conf"
}

# inside DIRECTORY COMMAND: in a namespace of its own, so that all mounts end with it
inside() {
	unshare --mount --propagation private sh -euc '
		mount -t proc proc "$0/proc"
		mount --rbind /sys "$0/sys"
		mount --rbind /dev "$0/dev"
		exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root \
			LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -euc "$1"' "$1" "$2" </dev/null
}

# ---- the steps ----------------------------------------------------------------------------------

packages_of() {
	case $1 in
	warnings) echo clang ;;
	musl) echo musl-tools ;;
	32bit) echo gcc-multilib ;;
	coverage) echo gcovr ;;
	messages) echo xz-utils ;;
	valgrind) echo valgrind libc6-dbg ;;
	chromium)
		echo chromium poppler-utils
		command -v npm >/dev/null || echo npm
		;;
	abi) echo abigail-tools ;;
	foreign) echo rpm makepkg pacman-package-manager libarchive-tools fakeroot nix-bin ;;
	wheel) echo python3-venv python3-pip ;;
	packages) echo build-essential debhelper dh-python lintian fakeroot ;;
	install) echo debootstrap build-essential debhelper dh-python fakeroot ;;
	machine)
		echo debootstrap build-essential debhelper dh-python fakeroot e2fsprogs
		echo qemu-system-x86 busybox-static cpio xz-utils lz4 zstd
		;;
	local | fresh) echo debootstrap ;;
	fuzz) echo clang libclang-rt-14-dev ;;
	esac
}

step_warnings() {
	CC=gcc build gcc -Dwarning_level=2 -Dbuildtype=release
	CC=clang build clang -Dwarning_level=2 -Dbuildtype=release
	tested clang unit
}

# without_libraries NAME OPTION...
without_libraries() {
	name=$1
	shift
	build "$name" -Dauto_features=disabled -Dbuildtype=release "$@"
	tested "$name" cli
}

step_off() {
	without_libraries off
}

# across NAME FAMILY COMPILER...: as for another machine, where what only the build needs is of this one
across() {
	compiler=$(shift 2; printf "'%s', " "$@")
	cross=$work/$1.txt
	cat >"$cross" <<-END
	[binaries]
	c = [${compiler%, }]
	pkg-config = 'false'
	[host_machine]
	system = 'linux'
	cpu_family = '$2'
	cpu = '$2'
	endian = 'little'
	[properties]
	needs_exe_wrapper = false
	END
	without_libraries "$1" -Dseccomp=enabled
}

step_musl() {
	across musl x86_64 musl-gcc
}

step_32bit() {
	across 32bit x86 gcc -m32
}

step_static() {
	build static -Dstatic=true -Dbuildtype=release
	if ldd "$work/static/tools/gpuscope" >/dev/null 2>&1; then
		echo 'it is not static'
		return 1
	fi
	suites='cli live vm'
	[ "$1" != -vm ] || suites='cli live'
	# shellcheck disable=SC2086
	tested static $suites
}

# Confined commands cannot write what they counted: this build has no filter of system calls. What they do in
# a folder that a test made read-only is not counted.
step_coverage() {
	build coverage -Db_coverage=true -Dbuildtype=debugoptimized -Dseccomp=disabled
	tested coverage unit cli bad
	reached=$(cat "$work/coverage.note")
	gcovr -r "$root" --object-directory "$work/coverage" -e "$root/tests/" --print-summary \
		-o "$work/coverage.txt" "$work/coverage" >"$work/coverage.summary"
	note "$(sed -n 's/^\(lines\|branches\): \([0-9.]*%\).*/\1 \2/p' "$work/coverage.summary" | paste -sd' '); $reached"
}

# linux_source [VERSION]: the two drivers of Debian's package, by lists of our own: whichever Debian
# this is, testing and unstable have the newest. Nothing is installed.
linux_source() {
	apt=$work/linux-source
	mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
	key='signed-by=/usr/share/keyrings/debian-archive-keyring.gpg'
	mirror=$(sources | awk '$3 == "bookworm" { print $2; exit }')
	for suite in bookworm bookworm-backports trixie testing unstable; do
		echo "deb [$key] ${mirror:?} $suite main"
	done >"$apt/sources.list"
	cat >"$apt/conf" <<-END
		Dir::Etc::sourcelist "$apt/sources.list";
		Dir::Etc::sourceparts "-";
		Dir::State::lists "$apt/lists";
		Dir::Cache "$apt/cache";
		APT::Sandbox::User "root";
	END
	APT_CONFIG=$apt/conf
	export APT_CONFIG
	apt-get -q update
	package=$(apt-cache pkgnames "linux-source-${1:-}" | grep '[0-9]$' | sort -V | tail -n 1)
	rm -rf "$apt/tree"
	mkdir "$apt/tree"
	(cd "$apt" && apt-get -q download "${package:?}")
	dpkg-deb --fsys-tarfile "$apt/$package"_*.deb |
		tar -xOf - --wildcards './usr/src/linux-source-*.tar.xz' | xz -dc |
		tar -xf - -C "$apt/tree" --strip-components=1 --wildcards \
			'*/drivers/gpu/drm/i915' '*/drivers/gpu/drm/xe'
	rm "$apt/$package"_*.deb
}

step_messages() {
	build gcc -Dwarning_level=2 -Dbuildtype=release
	tree=$1
	if [ ! -d "$tree/drivers" ]; then
		linux_source "$1"
		tree=$work/linux-source/tree
	fi
	result=0
	"$here/messages.py" --program "$work/gcc/tools/gpu-fault" "$tree" >"$work/messages.txt" || result=1
	tail -n 4 "$work/messages.txt"
	note "${package:-$tree}: $(awk '/%$/ { print $1, $NF, "of", $2 }' "$work/messages.txt" | paste -sd, |
		sed 's/,/, /g')"
	return "$result"
}

step_valgrind() {
	build gcc -Dwarning_level=2 -Dbuildtype=release
	"$here/valgrind.sh" "$work/gcc" "$work/valgrind" >"$work/valgrind.txt" || {
		cat "$work/valgrind.txt"
		note "$(tail -n 1 "$work/valgrind.txt")"
		return 1
	}
	note "$(tail -n 1 "$work/valgrind.txt")"
}

step_chromium() {
	build gcc -Dwarning_level=2 -Dbuildtype=release
	"$root/tests/report/run.sh" "$work/gcc" "$work/pages"
	note "to be looked at: $work/pages"
}

# The tree as a release has it: $1.tar.xz, unpacked gpuscope-VERSION.
make_tarball() {
	version=$(sed -n "s/^ *version: '\(.*\)',/\1/p" "$root/meson.build" | head -n 1)
	copy_tree "$work/tarball/gpuscope-$version"
	tar -C "$work/tarball" -cJf "$1/gpuscope-$version.tar.xz" "gpuscope-$version"
	rm -rf "$work/tarball"
}

# Built twice, in folders of different names: abidiff finds no difference, nor does it of the header.
step_abi() {
	for name in abi-a abi-b; do
		build $name -Dbuildtype=debugoptimized -Dtests=disabled
	done
	abidiff --headers-dir1 "$root/lib" --headers-dir2 "$root/lib" \
		"$work/abi-a/lib/libgpuscope.so" "$work/abi-b/lib/libgpuscope.so"
	declared=$(grep -o '^[a-z].*\<gpuscope_[a-z0-9_]*(' "$root/lib/gpuscope.h" | wc -l)
	note "no difference; gpuscope.h declares $declared functions"
	[ "$declared" -le 120 ]
}

step_subproject() {
	project=$work/subproject
	rm -rf "$project"
	copy_tree "$project/subprojects/gpuscope"
	cp "$root/examples/registers.c" "$root/packaging/gpuscope.wrap" "$project/"
	# The sources are there already: the wrap has only the names.
	sed -n '/^\[provide\]/,$p' "$root/packaging/gpuscope.wrap" |
		sed '1i [wrap-file]\ndirectory = gpuscope\n' >"$project/subprojects/gpuscope.wrap"
	cat >"$project/meson.build" <<-'END'
	project('user', 'c', meson_version: '>=1.0.0')
	executable('registers', 'registers.c', dependencies: dependency('gpuscope'))
	END
	meson setup "$project/build" "$project" --force-fallback-for=gpuscope -Dgpuscope:tests=disabled
	ninja -C "$project/build"
	note "$("$project/build/registers" demo:snb-hang rcs0.RING_BUFFER_TAIL | head -n 1)"
}

step_archive() {
	mkdir -p "$work/archive"
	"$root/packaging/static.sh" "$work/archive"
	mv "$work"/archive/*.tar.xz "$work/archive/first"
	archive=$("$root/packaging/static.sh" "$work/archive")
	cmp "$archive" "$work/archive/first"
	(cd "$work/archive" && sha256sum -c ./*.sha256)
	note "${archive##*/}: $(($(stat -c %s "$archive") / 1024)) KB"
}

# What Fedora's macros say, which Debian's rpm lacks. Dependencies have other names there.
step_foreign() {
	foreign=$work/foreign
	rm -rf "$foreign"
	mkdir -p "$foreign/SOURCES" "$foreign/arch"
	make_tarball "$foreign/SOURCES"
	rpmbuild -bb --nodeps --define "_topdir $foreign" --define '_libdir /usr/lib64' \
		--define 'meson meson setup --prefix=/usr --libdir=lib64 --buildtype=plain build' \
		--define 'meson_build ninja -C build' \
		--define 'meson_install DESTDIR=%{buildroot} meson install -C build --no-rebuild' \
		--define '_unitdir /usr/lib/systemd/system' --define '_udevrulesdir /usr/lib/udev/rules.d' \
		--define 'systemd_post %{nil}' --define 'systemd_preun %{nil}' --define 'systemd_postun %{nil}' \
		--define 'python3_sitelib /usr/lib/python3*/*-packages' "$root/packaging/gpuscope.spec"
	cp "$root/packaging/PKGBUILD" "$foreign"/SOURCES/*.tar.xz "$foreign/arch/"
	# It refuses root.
	chown -R nobody "$foreign/arch"
	(cd "$foreign/arch" && setpriv --reuid nobody --clear-groups env HOME="$foreign/arch" \
		makepkg --nodeps --nocheck)
	nix-instantiate --parse "$root/packaging/default.nix" >/dev/null
	note "$(find "$foreign" -name '*.rpm' | wc -l) of rpmbuild, $(find "$foreign/arch" -name '*.pkg.tar*' |
		wc -l) of makepkg; Nix: its expression is read, nothing is built"
}

# The wheel needs no compiler, and the library of this build; without it the import says what to do.
step_wheel() {
	build gcc -Dwarning_level=2 -Dbuildtype=release
	ninja -C "$work/gcc" wheel
	rm -rf "$work/venv"
	python3 -m venv "$work/venv"
	"$work/venv/bin/pip" install --no-index "$(find "$work/gcc" -name 'gpuscope-*.whl')"
	verdict='import gpuscope; print(gpuscope.open("demo:skl-hang").hang().signature)'
	note "$(GPUSCOPE_LIBRARY=$work/gcc/lib/libgpuscope.so.1 "$work/venv/bin/python" -c "$verdict")"
	"$work/venv/bin/python" -c "$verdict" 2>&1 | grep ImportError
}

# make_packages: in $work/packages, as Debian would
make_packages() {
	rm -rf "$work/packages"
	copy_tree "$work/packages/gpuscope"
	(cd "$work/packages/gpuscope" && dpkg-buildpackage -us -uc)
}

step_packages() {
	make_packages
	# With --show-overrides what is overridden would count, too.
	lintian --fail-on error,warning,info --display-info "$work"/packages/*.changes \
		>"$work/lintian.txt" || {
		cat "$work/lintian.txt"
		note "$(grep -c '^[EWI]:' "$work/lintian.txt") complaints of lintian"
		return 1
	}
	cat "$work/lintian.txt"
	note "$(find "$work/packages" -name '*.deb' | wc -l) packages, lintian has nothing to say"
}

# debian_with_packages DIRECTORY [SUITE]: Debian 12, or another, and in its /packages ours, of the
# sources as they are
debian_with_packages() {
	made=$(find "$work/packages" -name '*.changes' 2>/dev/null)
	if [ ! "$made" ] || find "$root" -path "$root/build*" -prune -o -path "$root/.git" -prune -o \
		-type f -newer "$made" -print | grep -q .; then
		DEB_BUILD_OPTIONS=nocheck make_packages
	fi
	fresh_debian "$@"
	mkdir "$1/packages"
	cp "$work"/packages/*.deb "$1/packages/"
	rm -f "$1"/packages/*dbgsym*
}

step_install() {
	debian=$work/install
	for suite in bookworm trixie; do
		debian_with_packages "$debian" "$suite"
		cp "$here/installed.sh" "$debian/packages/"
		inside "$debian" 'sh -eu /packages/installed.sh'
		rm -rf "$debian"
	done
	note 'installed, used, removed, with Python'
}

step_machine() {
	build gcc -Dwarning_level=2 -Dbuildtype=release
	vm=$root/tests/vm built=$work/gcc/tests/vm debian=$work/machine cache=$work/machines
	debian_with_packages "$debian"
	# Linux 6.12 comes with the updates.
	sources >"$debian/etc/apt/sources.list"
	# Where it is disabled, only udev starts it.
	inside "$debian" '
		apt-get -q update
		newer=$(apt-cache pkgnames linux-image-6.12. | grep "[0-9]+deb12-amd64$" | sort -V | tail -n 1)
		apt-get -q -y --no-install-recommends install systemd-sysv udev initramfs-tools zstd \
			linux-image-amd64 "$newer" /packages/gpuscope_*.deb \
			/packages/libgpuscope1_*.deb /packages/gpuscope-collect_*.deb
		systemctl disable gpuscope-collect
		apt-get clean'
	# Debian loads the drivers, each for its GPU.
	cat "$vm/modules/amd64.i915" "$vm/modules/6.12.xe" |
		sed -n 's/^i915 .*/options & force_probe=!9a49/p; s/^xe .*/options &/p' >"$debian/etc/modprobe.d/gpu-vm.conf"
	mkdir -p "$debian/lib/firmware/i915" "$cache"
	"$vm/firmware" >"$debian/lib/firmware/i915/tgl_guc_70.bin"
	cp "$vm"/guest/* "$built/hang-i915" "$built/hang-xe" "$debian/usr/bin/"
	mv "$debian/usr/bin/init" "$debian/"
	cp "$vm/agent.service" "$debian/etc/systemd/system/"
	ln -s ../agent.service "$debian/etc/systemd/system/multi-user.target.wants/"
	for kernel in i915=6.1 i915-6.12=6.12 xe=6.12; do
		cp "$debian/boot/vmlinuz-${kernel#*=}."* "$cache/${kernel%=*}.kernel"
		cp "$debian/boot/initrd.img-${kernel#*=}."* "$cache/${kernel%=*}-systemd.img"
	done
	rm -f "$cache/disk"
	mke2fs -q -t ext4 -d "$debian" "$cache/disk" 4G
	rm -rf "$debian"
	result=0
	"$built/gpu-vm" -c "$cache" -d "$cache" "$vm/collect/skl.vm" "$vm/collect/skl-6.12.vm" \
		"$vm/collect/xe.vm" "$here/machine.vm" >"$work/machine.txt" || result=1
	cat "$work/machine.txt"
	most=$(sed -n 's/.* counted, at most \(.*\) s later/\1/p' "$work/machine.txt" | sort -n | tail -n 1)
	note "a hang is collected within ${most:?} s of the driver's message"
	# A busy machine is not judged.
	awk -v most="$most" -v processors="$(nproc)" \
		'{ exit most > 2 && $1 <= 2 * processors }' /proc/loadavg && return "$result"
}

step_local() {
	debian=$work/local
	fresh_debian "$debian"
	copy_tree "$debian/root/gpuscope"
	sed -n '/^## Install/,/^## /s/^    \(sudo \)\{0,1\}//p' "$root/README.md" >"$work/pasted"
	[ "$(wc -l <"$work/pasted")" = 3 ] || { echo 'the README has not three commands'; return 1; }
	inside "$debian" 'cd /root/gpuscope; ./bootstrap demo'
	cat "$work/pasted"
	inside "$debian" "cd /root/gpuscope; $(cat "$work/pasted")"
	inside "$debian" 'cd /; sh -eu /root/gpuscope/tests/release/local.sh'
	rm -rf "$debian"
	note 'built, installed, used, moved'
}

step_fresh() {
	debian=$work/fresh
	sed -n '/^## Quick start/,/^You need/s/^    //p' "$root/README.md" >"$work/pasted"
	[ "$(wc -l <"$work/pasted")" = 2 ] || { echo 'the README has not two commands'; return 1; }
	[ "$1" != demo ] || sed -i 1q "$work/pasted"
	for suite in bookworm trixie; do
		fresh_debian "$debian" "$suite"
		copy_tree "$debian/root/gpuscope"
		while read -r line; do
			echo "$suite\$ $line"
			inside "$debian" "cd /root/gpuscope; $line"
		done <"$work/pasted"
		rm -rf "$debian"
	done
	note "$(cut -d '#' -f 1 "$work/pasted" | tr -s ' \n' ' ')"
}

step_fuzz() {
	FUZZ_BUILD=$work/fuzz "$root/tests/fuzz/long.sh" "${1:-300}" >"$work/fuzz.txt" || {
		cat "$work/fuzz.txt"
		return 1
	}
	cat "$work/fuzz.txt"
	note "${1:-300} s each of $(($(wc -l <"$work/fuzz.txt") - 1)) targets"
}

# ---- running them -------------------------------------------------------------------------------

# Called in a list with && or || it would take -e from the step.
run_step() {
	step=$1 began=$(date +%s)
	rm -f "$work/$step.note"
	set +e
	(
		set -e
		# shellcheck disable=SC2046
		"$root/bootstrap" packages $(packages_of "$step")
		"step_$step" "$2"
	) >"$work/$step.log" 2>&1
	status=$?
	set -e
	took=$(($(date +%s) - began))
	result=passed
	[ $status = 0 ] || result=FAILED
	words=$(cat "$work/$step.note" 2>/dev/null) || :
	[ $status = 0 ] || words="${words:+$words; }see $work/$step.log"
	printf '%-10s %-7s %4d:%02d  %s\n' "$step" $result $((took / 60)) $((took % 60)) "$words" |
		tee -a "$work/table"
	[ $status = 0 ] || failed=1
}

# shellcheck disable=SC2086
[ $# != 0 ] || set -- $steps
for word; do
	case " $steps " in
	*" ${word%%=*} "*) ;;
	*)
		sed -n '3,/^set/{/^set/d;s/^# \{0,1\}//;p}' "$0" >&2
		exit 2
		;;
	esac
done

: >"$work/table"
failed=0
for word; do
	argument=
	[ "${word#*=}" = "$word" ] || argument=${word#*=}
	run_step "${word%%=*}" "$argument"
done
printf '\n%-10s %-7s %7s\n' step result time
cat "$work/table"
exit $failed
