#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-sh at a terminal: typing, completion, interrupts, history. PTY is the built pty.c.
. "$(dirname "$0")/../lib.sh"
needs gpu-sh
[ -x "${PTY:-}" ] || skip 'PTY names no program'

cd "$work" || exit 1
XDG_STATE_HOME=$work/state TERM=xterm
export XDG_STATE_HOME TERM
unset INPUTRC

# typed TITLE ARGUMENTS... <SCRIPT: of tests/cli/pty.c
typed() {
	title "$1"
	shift
	command_line="gpu-sh $*"
	cat >"$work/keys"
	"$PTY" gpu-sh "$@" <"$work/keys" >"$out" 2>&1 || fail "$(cat "$out")"
}

# Editing is readline's; without it none of the rest is to be had.
typed 'is there editing?' -s demo:skl-hang <<'END'
expect skl>
type hel\t
expect hel
type \n
expect skl>
type quit\n
end 0
END
[ -f "$work/state/gpuscope/history" ] || edits=no

typed 'a ring and its definition, by help and Tab' -s demo:skl-hang <<'END'
expect Skylake
expect skl>
type help all\n
expect list *TAIL*
expect skl>
type list *TAIL*\n
expect rcs0.RING_BUFFER_TAIL
expect skl>
type ? RING_TAIL | cat\n
expect Where software has stopped writing commands.
expect skl>
type rcs0.RING_TAIL\n
expect 0x00000c98
expect skl>
type \x04
end 0
END

typed 'a failure is no end' -s demo:skl-hang <<'END'
expect skl>
type NO_SUCH_NAME\n
expect gpu-sh: NO_SUCH_NAME: unknown register of skl
expect skl>
type rcs0.RING_TAIL = 1\n
expect gpu-sh: rcs0.RING_TAIL: not written: a dump cannot be written
expect skl>
type from demo:snb-hang\n
expect demo:snb-hang (gpuscope capture), snb: Sandy Bridge
expect snb>
type quit\n
end 0
END

typed 'prompts' -s demo:skl-hang --write <<'END'
expect demo:skl-hang skl>
type set dry-run on\n
expect skl(dry-run)>
type set force on\n
expect skl(force,dry-run)>
type from -p skl none\n
expect none skl(force,dry-run)>
type exit\n
end 0
END

typed 'no source' -p skl -s none -q <<'END'
expect skl>
type \x04
end 0
END

echo 'this is in it' >a-file
typed 'Ctrl-C stops a command' -s demo:skl-hang <<'END'
expect skl>
type watch 0.01 rcs0.ACTHD\n
expect 0x0002003c
type \x03
expect skl>
type wait rcs0.RING_TAIL == 1 timeout 10m; help\n
expect timeout 10m; help
type \x03
expect skl>
lacks list
type ! tail -f a-file\n
expect this is in it
type \x03
expect skl>
type from\n
expect demo:skl-hang
expect skl>
type quit\n
end 0
END

typed 'Ctrl-C drops a line' -s demo:skl-hang <<'END'
expect skl>
type NO_SUCH\x03
expect skl>
type from\n
expect from
lacks unknown
expect demo:skl-hang
expect skl>
size 10 40
type from\n
expect demo:skl-hang
expect skl>
type \x04
end 0
END

typed 'TERM=dumb' -s demo:skl-hang <<'END'
expect skl>
type \x04
end 0
END
title 'TERM=dumb'
cat >"$work/keys" <<'END'
expect skl>
type rcs0.RING_TAIL\n
expect 0x00000c98
expect skl>
type NO_SUCH\x03
expect skl>
type watch 0.01 rcs0.ACTHD\n
expect 0x0002003c
type \x03
expect skl>
type list | cat\n
expect skl>
type \x04
end 0
END
command_line='TERM=dumb gpu-sh'
TERM=dumb "$PTY" gpu-sh -s demo:skl-hang <"$work/keys" >"$out" 2>&1 || fail "$(cat "$out")"
TERM=dumb "$PTY" sh -c 'gpu-sh -s demo:skl-hang | cat -v' >"$out" 2>&1 <<'END'
type list @fault\n
expect RING_FAULT_REG
lacks ^[
END
[ -s "$out" ] && fail "$(cat "$out")"
# The terminal drops what was typed when a line has been told of and is not read yet.
if command -v strace >/dev/null; then
	title 'TERM=dumb: an interrupt before a line is read'
	cat >"$work/keys" <<'END'
expect skl>
type from\n
expect from
type \x03
expect skl>
type rcs0.RING_TAIL\n
expect 0x00000c98
expect skl>
type quit\n
end 0
END
	# shellcheck disable=SC2016
	TERM=dumb ASAN_OPTIONS=detect_leaks=0 "$PTY" sh -c 'exec strace -o /dev/null -P "$(tty)" \
		-e inject=read:delay_enter=300000 gpu-sh -s demo:skl-hang' \
		<"$work/keys" >"$out" 2>&1 || fail "$(cat "$out")"
fi

[ "${edits:-yes}" = yes ] || { finish; }

typed 'completion' -s demo:skl-hang <<'END'
expect skl>
type \t\t
expect journal
expect skl>
type jou\t\n
expect journal
expect skl>
type rcs0.ring_buffer_tai\t\n
expect 0x00000c98
expect skl>
type RING_FAULT_REG:FAULT_T\t\n
expect RING_FAULT_REG:FAULT_TYPE
expect invalid PDE
expect skl>
type wait rcs0.MI_MODE:STOP_R\t!= sto\ttimeout 1s\n
expect STOP_RINGS != stopped timeout 1s
expect after 0.
expect skl>
type rcs0.MI_MODE:STOP_RINGS = sto\t
expect stopped
type \x03
expect skl>
type wait RING_FAULT_REG:FAULT_TYPE == inva\tDP\ttimeout 1s
expect DPE timeout 1s
type \x03
expect skl>
type RING_FAULT_REG:FAULT_TYPE = invalid PDP\t
expect invalid PDPE
type \x03
expect skl>
type mmio-g\tGR06:CHAIN\t
expect mmio-gr:GR06:CHAIN_ODD_EVEN
type \x03
expect skl>
type config:GG\t\n
expect GGC
expect skl>
type walk --rev\t
expect walk --reverse
type \x03
expect skl>
type batch --he\t\t
expect --headers
expect --help
expect skl> batch --he
type \x03
expect skl>
type rcs0.ACTHD --uns\t\n
expect rcs0.ACTHD --unsafe
expect 0x0002003c
expect skl>
type pte --mode tr\t
expect pte --mode trtt
type \x03
expect skl>
type tile --bpp R10G10B10A\t
expect tile --bpp R10G10B10A2
type \x03
expect skl>
type snap ext\t
expect snap extract
type \x03
expect skl>
type ? PIPE_CONTRO\t
expect ? PIPE_CONTROL
type \x03
expect skl>
type diff res\t
expect diff reset
type \x03
expect skl>
type set force of\t\n
expect set force off
expect skl>
type pte -l vtd-root\t
expect pte -l vtd-root
type \x03
expect skl>
type walk --access=at\t
expect walk --access=atomic
type \x03
expect skl>
type fault --decode hw\t
expect fault --decode hwsp
type \x03
expect skl>
type map --wake reg\t
expect map --wake registers
type \x03
expect skl>
type batch --query RING_BUFFER_TA\t
expect batch --query RING_BUFFER_TAIL
type \x03
expect skl>
type journal save --r\t
expect journal save --revert
type \x03
expect skl>
type from demo:sn\t\n
expect from demo:snb-hang
expect Sandy Bridge
expect snb>
type force rea\trcs0.RING_BUFFER_TAI\t-q\n
expect force read rcs0.RING_BUFFER_TAIL -q
expect 0x00003e28
expect snb>
type x/4 lm\t
expect x/4 lmem:
type \x03
expect snb>
type batch -e rc\t-q | head -n 1\n
expect batch -e rcs0 -q
expect snb>
type db sh\tRING_BUFFER_TA\t| head -n 1\n
expect db show RING_BUFFER_TAIL | head
expect register of 32 bits
expect snb>
type ? PIPE_CONTR\t| head -n 1\n
expect ? PIPE_CONTROL | head
expect command
expect snb>
type set undo\tof\t\n
expect set undo-on-exit off
expect snb>
type @fau\t\n
expect @fault
expect snb>
type quit\n
end 0
END

echo 'rcs0.RING_TAIL -q' >a-script-with-a-long-name
typed 'completion of files' -s demo:skl-hang <<'END'
expect skl>
type source a-scr\t\n
expect source a-script-with-a-long-name
expect 0x00000c98
expect skl>
type help > a-scr\t
expect a-script-with-a-long-name
type \x03
expect skl>
type from bar:a-scr\t
expect bar:a-script-with-a-long-name
type \x03
expect skl>
type quit\n
end 0
END

echo 'rcs0.ACTHD -q' >'two words'
typed 'completion of what has to be quoted' -s demo:skl-hang <<'END'
expect skl>
type source two\t\n
expect "two words"
expect 0x0002003c
expect skl>
type source 'two\t\n
expect 0x0002003c
expect skl>
type quit\n
end 0
END

title 'stopped, and let go on'
command_line='gpu-sh in bash'
if command -v bash >/dev/null; then
	"$PTY" bash --norc -i >"$out" 2>&1 <<'END' || fail "$(cat "$out")"
type gpu-sh -s demo:skl-hang\n
expect skl>
type \x1a
expect Stopped
type fg\n
expect skl>
type rcs0.ring_buffer_tai\t -q\n
expect RING_BUFFER_TAIL
expect 0x00000c98
expect skl>
type quit\n
expect quit
type exit\n
end 0
END
fi

typed 'history within a session' -s demo:skl-hang <<'END'
expect skl>
type rcs0.ACTHD -q\n
expect 0x0002003c
expect skl>
type from\n
expect demo:
expect skl>
type \x1b[A\x1b[A\n
expect 0x0002003c
expect skl>
type quit\n
end 0
END
typed 'history from one session to the next' -s demo:skl-hang <<'END'
expect skl>
type \x1b[A\x1b[A\n
expect rcs0.ACTHD -q
expect 0x0002003c
expect skl>
type \x04
end 0
END
title 'the history file'
command_line=history
same 'mode of the folder' "$(stat -c %a "$XDG_STATE_HOME/gpuscope")" 700
same 'mode of the file' "$(stat -c %a "$XDG_STATE_HOME/gpuscope/history")" 600
grep -qx 'rcs0.ACTHD -q' "$XDG_STATE_HOME/gpuscope/history" || fail 'a line is not in it'
XDG_STATE_HOME=$work/other
typed 'not under the id of another' -s demo:skl-hang <<'END'
expect skl>
type \x04
end 0
END
[ -d "$work/other" ] || fail 'there is no history'
rm -r "$work/other"
SUDO_UID=1
export SUDO_UID
mkdir -p "$HOME/.config/gpuscope"
echo '! echo from the rc file' >"$HOME/.config/gpuscope/shrc"
typed 'not under the id of another' -s demo:skl-hang <<'END'
expect skl>
lacks from the rc file
type \x04
end 0
END
[ ! -e "$work/other" ] || fail 'there is a history'
unset SUDO_UID
# Under sudo it is the caller's own, made by the caller: root's right to write anywhere is not used.
caller=$(id -u nobody 2>/dev/null)
if [ "$(id -u)" = 0 ] && [ -n "$caller" ]; then
	mkdir "$work/callers" "$work/roots"
	chown "$caller" "$work/callers"
	SUDO_UID=$caller
	export SUDO_UID
	for folder in callers roots; do
		XDG_STATE_HOME=$work/$folder
		typed "under sudo, $folder" -s demo:skl-hang --no-user-config <<'END'
expect skl>
type rcs0.RING_TAIL -q\n
expect 0x00000c98
expect skl>
type \x04
end 0
END
	done
	same 'whose the history is' "$(find "$work/callers" -mindepth 1 -printf '%P %u %m\n' | sort)" \
		"gpuscope nobody 700
gpuscope/history nobody 600"
	same 'what it has' "$(cat "$work/callers/gpuscope/history")" 'rcs0.RING_TAIL -q'
	same 'nothing in a folder that is not theirs' "$(ls "$work/roots")" ''
	XDG_STATE_HOME=$work/callers
	typed 'under sudo, the next session' -s demo:skl-hang --no-user-config <<'END'
expect skl>
type \x1b[A\n
expect rcs0.RING_TAIL -q
expect 0x00000c98
expect skl>
type \x04
end 0
END
	# A link of theirs leads to nothing of root's.
	echo 'of root' >"$work/secret"
	chmod 600 "$work/secret"
	ln -sf "$work/secret" "$work/callers/gpuscope/history"
	typed 'under sudo, a link' -s demo:skl-hang --no-user-config <<'END'
expect skl>
type from\n
expect demo:skl-hang
expect skl>
type \x1b[A\x1b[A\n
expect (gpuscope
lacks of root
expect skl>
type \x04
end 0
END
	same 'what the link leads to' "$(cat "$work/secret")" 'of root'
	XDG_STATE_HOME=$work/other
	unset SUDO_UID
fi
typed 'the rc file' -s demo:skl-hang <<'END'
expect from the rc file
expect skl>
type \x04
end 0
END
chmod o+w "$HOME/.config/gpuscope/shrc"
typed 'not what others may write' -s demo:skl-hang <<'END'
expect shrc:
expect go-w)
expect skl>
lacks from the rc file
type \x04
end 0
END
chmod o-w "$HOME/.config/gpuscope/shrc"
cat >"$HOME/.inputrc" <<'END'
"\C-g": "! echo bo''und\C-m"
END
typed 'keys of the user' -s demo:skl-hang --no-user-config <<'END'
expect skl>
type \x07
expect bound
expect skl>
type \x04
end 0
END
chmod g+w "$HOME/.inputrc"
typed 'no keys that others may bind' -s demo:skl-hang --no-user-config <<'END'
expect .inputrc:
expect go-w)
expect skl>
type \x07
type ! echo ty''ped\n
expect typed
lacks bound
expect skl>
type \x04
end 0
END
rm "$HOME/.inputrc"
typed 'no rc file' -s demo:skl-hang --no-user-config <<'END'
expect skl>
lacks from the rc file
type \x04
end 0
END
finish
