#!/bin/sh
# SPDX-License-Identifier: MIT
# Run in a fresh Debian where `meson install` put gpuscope into /usr/local: it runs for everybody,
# shells and man find what belongs to it, programs link with it, and it runs where it is moved to.
set -eu
cd /tmp
source=/root/gpuscope

if dpkg-query -W -f '${Status}' dpkg-dev 2>/dev/null | grep -q 'ok installed'; then
	echo 'dpkg-dev is here: meson would choose another directory for libraries'
	exit 1
fi

# as USER COMMAND...: with hardly any environment
as() {
	user=$1
	shift
	setpriv --reuid "$user" --regid nogroup --clear-groups env -i HOME=/tmp "$@"
}

# use USER DIRECTORY: every command in it
use() {
	for command in $("$source/tests/commands.sh"); do
		as "$1" "$2/$command" --version | grep -q gpuscope
	done
	as "$1" "$2/gpu-fault" -s demo:skl-hang -q | grep -q '^rcs0 hangs in PIPE_CONTROL'
	as "$1" "$2/gpu-regdump" -s demo:skl-hang rcs0.ACTHD | grep -q 0x0002003c
	as "$1" "$2/gpu-batch" -s demo:snb-hang | grep -q MI_
	as "$1" "$2/gpu-ptwalk" -s demo:skl-hang --map | grep -q 0x
	as "$1" "$2/gpu-report" -s demo:skl-hang -o "/tmp/page-$1.html"
	as "$1" "$2/gpu-snap" save -s demo:skl-hang -o "/tmp/saved-$1.tar"
	as "$1" "$2/gpu-fault" "/tmp/saved-$1.tar" -q | grep -q '^rcs0 hangs'
	as "$1" "$2/gpu-sh" -s demo:skl-hang -c 'rcs0.ACTHD -q' | grep -q 0x0002003c
	rm "/tmp/page-$1.html" "/tmp/saved-$1.tar"
}

use root /usr/local/bin
use nobody /usr/local/bin

# What finds its files by itself, and what README.md says of the rest.
apt-get -qq install --no-install-recommends bash-completion zsh fish man-db >/dev/null
PATH=/usr/local/bin:$PATH
bash -c '
	. /usr/share/bash-completion/bash_completion
	_completion_loader gpu-pte || :
	COMP_WORDS=(gpu-pte -p sk) COMP_CWORD=2 COMP_LINE="gpu-pte -p sk" COMP_POINT=13
	spec=$(complete -p gpu-pte)
	function=${spec#*-F } function=${function%% *}
	$function gpu-pte sk -p
	printf "%s\n" "${COMPREPLY[@]}"' | grep -qx 'skl *'
zsh -fc 'autoload -Uz compinit; compinit -u -D; [[ $_comps[gpu-pte] == _gpuscope ]]'
XDG_DATA_DIRS=/usr/local/share:/usr/share fish -c 'complete -C "gpu-pte -p sk"' | grep -q '^skl'
for page in gpu-fault gpuscope-sources gpuscope-def libgpuscope; do
	man -w $page | grep -q '^/usr/local/'
done

# With pkg-config, and with the name of the library alone.
for example in "$source"/examples/*.c; do
	# shellcheck disable=SC2046
	gcc -o example "$example" $(pkg-config --cflags --libs gpuscope)
	ldd example | grep -q 'libgpuscope.so.1 => /usr/local/'
	gcc -o example "$example" -lgpuscope
	ldd example | grep -q 'libgpuscope.so.1 => /usr/local/'
done

# Elsewhere, and moved from there.
cd "$source"
meson configure build --prefix=/opt/gpuscope
meson install -C build >/dev/null
rm -r build
rm -rf /usr/local/bin/gpu-* /usr/local/bin/gpuscope /usr/local/lib/libgpuscope* /usr/local/lib/pkgconfig/gpuscope.pc
ldconfig
use nobody /opt/gpuscope/bin
PATH=$PATH:/opt/gpuscope/bin man -aw gpu-fault | grep -q '^/opt/gpuscope/share/man/'
PKG_CONFIG_PATH=/opt/gpuscope/lib/pkgconfig
export PKG_CONFIG_PATH
# shellcheck disable=SC2046
gcc -o example examples/walk.c $(pkg-config --cflags --libs gpuscope)
ldd example | grep -q 'libgpuscope.so.1 => /opt/gpuscope/lib'
mv /opt/gpuscope '/srv/moved here'
use nobody '/srv/moved here/bin'
echo 'it runs where it is installed'
