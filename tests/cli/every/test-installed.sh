#!/bin/sh
# SPDX-License-Identifier: MIT
# What `meson install` puts in place runs at once: in a tree that was moved, from another directory,
# without any variable that leads to the library; and its completions have something to offer.
. "$(dirname "$0")/../lib.sh"
# shellcheck disable=SC2086
needs $commands meson
build=$(cd "$BUILD_TOOLS/.." && pwd)

title 'meson install'
command_line="meson install -C $build"
DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >"$work/log" 2>&1 ||
	fail "it fails: $(tail -n 3 "$work/log")"
mv "$work/root" "$work/moved here"
bin=$(find "$work/moved here" -name gpu-fault -path '*bin*' | head -n 1)
bin=${bin%/*}
share=$(find "$work/moved here" -name bash-completion)
share=${share%/*}
mkdir "$work/elsewhere"
chmod 755 "$work/moved here" "$work/elsewhere"
cd "$work/elsewhere" || exit 1

# installed COMMAND...: it, with hardly any environment
installed() {
	_name=$1
	shift
	run env -i HOME="$HOME" PATH=/usr/bin:/bin "$bin/$_name" "$@"
}

title 'the installed commands'
for command in $commands; do
	installed "$command" --version
	expect_status 0
	expect_out_has '^[^ ]*gpu-?'
done
installed gpuscope --version
expect_status 0
expect_out_has '^gpuscope [0-9]'
installed gpuscope fault -q -s demo:skl-hang
expect_status 0
expect_out_has '^rcs0 hangs in PIPE_CONTROL'
installed gpu-fault -q -s demo:skl-hang
expect_status 0
expect_out_has '^rcs0 hangs in PIPE_CONTROL'
installed gpu-regdump -s demo:skl-hang rcs0.ACTHD
expect_out_has '^0x002074  0x0002003c'
installed gpu-batch -s demo:snb-hang
expect_out_has MI_
installed gpu-ptwalk -s demo:skl-hang --map
expect_status 0
installed gpu-pte -p skl 0x1003
expect_status 0
printf "00600001 2e000208 008d0020 00000000\n" >words
installed gpu-eu -p skl words
expect_status 0
installed gpu-tile -p skl -f x --pitch 4096 10 10
expect_status 0
installed gpu-db -p skl show RING_FAULT_REG
expect_status 0
installed gpu-report -s demo:skl-hang -o page.html
expect_status 0
installed gpu-snap save -s demo:skl-hang --compress none -o saved.tar
expect_status 0
installed gpu-fault -q saved.tar
expect_out_has '^rcs0 hangs in PIPE_CONTROL'
installed gpu-sh -s demo:skl-hang -c 'rcs0.ACTHD -q; ! echo from sh'
expect_out_has 0x0002003c
expect_out_has 'from sh'

title 'one by a link from elsewhere'
ln -s "$bin/gpu-fault" "$work/elsewhere/gpu-fault"
run env -i ./gpu-fault -q -s demo:skl-hang
expect_status 0
if can_be_nobody; then
	title 'another user'
	run as_nobody env -i "$bin/gpu-fault" -q -s demo:skl-hang
	expect_status 0
fi

# ---- completions and pages ----------------------------------------------------------------------

PATH=$bin:/usr/bin:/bin
export PATH

# typed SHELL...: an interactive shell that finds its completions by itself
typed() {
	stdin=$work/script
	run_lenient env -i HOME="$HOME" PATH="$PATH" TERM=vt100 \
		XDG_DATA_DIRS="$share:/usr/share" "$PTY" "$@"
	stdin=
	[ "$status" = 0 ] || fail "$(tail -n 20 "$out")"
}

# What is completed is also run.
printf '%s\n' 'expect ready:' 'type gpu-regdump -p sk\t-s demo:skl\trcs0.ACTHD -q\n' \
	'expect 0x0002003c' 'type gpuscope regd\t-p sk\t-s demo:skl\trcs0.ACTHD -q\n' \
	'expect 0x0002003c' 'type exit\n' 'end 0' >"$work/script"

missing=
if [ -f /usr/share/bash-completion/bash_completion ] && command -v bash >/dev/null; then
	title 'completion: bash'
	echo '. /usr/share/bash-completion/bash_completion; PS1=ready:' >"$work/bashrc"
	typed bash --noprofile --rcfile "$work/bashrc" -i
else
	missing="$missing bash-completion"
fi
if command -v zsh >/dev/null; then
	title 'completion: zsh'
	# shellcheck disable=SC2016
	printf '%s\n' "fpath=('$share/zsh/site-functions' \$fpath)" 'autoload -Uz compinit' \
		'compinit -u -D' 'PS1=ready:' >"$HOME/.zshrc"
	typed zsh -d -i
else
	missing="$missing zsh"
fi
if command -v fish >/dev/null; then
	title 'completion: fish'
	run env -i HOME="$HOME" PATH="$PATH" XDG_DATA_DIRS="$share:/usr/share" \
		fish -c 'complete -C "gpu-regdump -p sk"; complete -C "gpu-fault -s demo:skl"
			complete -C "gpuscope db sho"; complete -C "gpuscope sna"'
	expect_out_has '^skl($|	)'
	expect_out_has '^demo:skl-hang'
	expect_out_has '^show'
	expect_out_has '^snap'
else
	missing="$missing fish"
fi
if command -v man >/dev/null && [ -d "$share/man" ]; then
	title 'man pages'
	run_lenient env -i PATH="$PATH" man -w gpu-fault
	expect_out_has '/gpu-fault\.1'
fi

[ -z "$missing" ] && finish
[ "$failures" = 0 ] || exit 1
skip "no$missing here: the commands run"
