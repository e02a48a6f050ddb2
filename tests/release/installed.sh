#!/bin/sh
# SPDX-License-Identifier: MIT
# Run in a fresh Debian that has the packages in /packages: installs, uses and removes them.
set -eu
cd /packages
apt-get -q update
dpkg-query -W -f '${Package}\n' | sort >before
apt-get -q -y --no-install-recommends install ./gpuscope_*.deb ./libgpuscope1_*.deb \
	./gpuscope-collect_*.deb

# Nothing of what is recommended is here yet.
gpu-fault -s demo:skl-hang -q | grep -q '^rcs0 hangs in PIPE_CONTROL'
gpu-regdump -s demo:snb-hang rcs0.RING_BUFFER_TAIL | grep -q 0x00003e28
for command in gpu-batch gpu-collect gpu-db gpu-eu gpu-fault gpu-pte gpu-ptwalk gpu-regdump gpu-report gpu-sh \
	gpu-snap gpu-tile; do
	"$command" --version | grep -q gpuscope
done
echo '[ 1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [1981]' >/tmp/log
gpu-collect --sysfs /tmp --kernel-log /tmp/log save
gpu-collect list | grep -q 'game \[1981\]'
gpu-fault -q hang: | grep -q 'game \[1981\]'
gpu-snap save -s demo:skl-hang --compress none -o /tmp/a.tar
gpu-fault /tmp/a.tar -q | grep -q '^rcs0 hangs'
gpu-sh -s demo:skl-hang -c 'rcs0.ACTHD -q' | grep -q 0x0002003c
status=0
gpu-regdump RING_BUFFER_TAIL >/tmp/out 2>/tmp/err || status=$?
[ $status = 1 ]
grep -q '^gpu-regdump: ' /tmp/err

# With it.
apt-get -q -y install ./libgpuscope1_*.deb libpciaccess0 libdrm2 libzstd1 zlib1g
gpu-snap save -s demo:skl-hang -o /tmp/b.tar.zst
[ "$(od -An -tx1 -N4 /tmp/b.tar.zst | tr -d ' ')" = 28b52ffd ]
gpu-fault /tmp/b.tar.zst -q | grep -q '^rcs0 hangs'

# Python, without a compiler.
apt-get -q -y --no-install-recommends install ./python3-gpuscope_*.deb
python3 -c 'import gpuscope; print(gpuscope.open("demo:skl-hang").hang().verdict)' | grep -q '^rcs0 hangs'

# A program of somebody else.
apt-get -q -y --no-install-recommends install ./libgpuscope-dev_*.deb ./gpuscope-doc_*.deb gcc \
	libc6-dev pkg-config
cat >/tmp/a.c <<'END'
#include <gpuscope.h>
#include <stdio.h>

int main(void)
{
	return puts(gpuscope_version()) < 0;
}
END
# shellcheck disable=SC2046
gcc -Wall -Werror -o /tmp/a /tmp/a.c $(pkg-config --cflags --libs gpuscope)
/tmp/a
ls /usr/share/doc/gpuscope/README.md* /usr/share/doc/gpuscope/html/index.html

apt-get -q -y purge gpuscope gpuscope-collect libgpuscope1 libgpuscope-dev gpuscope-doc \
	python3-gpuscope
apt-get -q -y --purge autoremove
if find / -xdev \( -name '*gpuscope*' -o -name 'gpu-*' \) ! -path '/packages/*' ! -path '/proc/*' \
	! -path '/sys/*' ! -path '/var/*' | grep .; then
	echo 'something was left'
	exit 1
fi
[ ! -e /var/lib/gpuscope ]
