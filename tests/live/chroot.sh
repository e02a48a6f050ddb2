#!/bin/sh
# SPDX-License-Identifier: MIT
# chroot.sh COMMAND...: a mount namespace of its own, from within a chroot. There the root is no
# mount, so that what is mounted below could not be kept from the others; on a mount that is made
# private first, the same tree becomes one.
# shellcheck disable=SC2016
exec unshare -m --propagation unchanged sh -euc '
	mount --make-rprivate /dev
	mount -t tmpfs none /dev
	mkdir /dev/root
	mount --rbind / /dev/root
	mount --make-rprivate /dev/root
	umount /dev/root/dev
	exec chroot /dev/root sh -c '\''cd "$0" && exec "$@"'\'' "$0" "$@"' "$PWD" "$@"
