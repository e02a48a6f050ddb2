#!/bin/sh
# SPDX-License-Identifier: MIT
# A command has given up the rest of the system before it reads the first byte of what it was named:
# what confined.c tries in its place then, and at its end, is refused. CONFINED is confined.c, built.
. "$(dirname "$0")/../lib.sh"
needs gpu-regdump gpu-sh gpu-snap
: "${CONFINED:?the built confined.c}"

run gpu-regdump -vv -p skl --list RING_FAULT_REG
expect_status 0
# Under a sanitizer all may be read, for its report, and no system call is filtered.
case $(cat "$err") in
'gpu-regdump: confined: Landlock, version '*'; system calls filtered') ;;
*'system calls not filtered') pass_by 'a sanitizer, or a kernel or build without seccomp' ;;
*'no Landlock here'*) pass_by 'this kernel has no Landlock' ;;
*) fail "it does not say whether it is confined: $(head -n 1 "$err")" ;;
esac

# So are the children of commands that are not, which say so themselves.
child='^gpu-sh: confined: Landlock, version .*; system calls filtered$'
printf 'format 1\n' >"$work/empty.def"
run gpu-sh -vv --define "$work/empty.def" demo:skl-hang -c 'wait rcs0.RING_BUFFER_TAIL != 0'
expect_status 0
same 'a child compiles, one identifies, one waits' "$(grep -c "$child" "$err" | tr -d ' ')" 3
grep -qx 'gpu-sh: not confined: its children, which read sources, are' "$err" ||
	fail "the shell does not say that it is not confined: $(cat "$err")"

mkdir "$work/there"

# What is forbidden to every command, at any time.
refused='read read-passwd read-folder read-proc write write-proc append create create-tmp mkdir fifo
symlink link rename unlink rmdir truncate chmod chown xattr utimes execute execute-memory tcp udp unix
netlink map-wx map-x protect-x type capabilities unshare ptrace kill'
for what in $refused; do
	echo "$what refused"
done >"$work/refused"

prepare() {
	rm -rf "$work/there/new" "$work/there/file"
	mkdir -p "$work/there/folder"
	echo something >"$work/there/file"
}

# probed COMMAND...: what it could do is in the file tried
probed() {
	prepare
	: >"$work/tried"
	run_lenient env CONFINED_DIR="$work/there" CONFINED_INPUT="$work/" LD_PRELOAD="$CONFINED" \
		"$@" 9>"$work/tried"
}

# refused_at MOMENT
refused_at() {
	sed -n "s/^$1 //p" "$work/tried" >"$work/then"
	grep -vxFf "$work/then" "$work/refused" >"$work/not" &&
		fail "at the $1 not refused: $(sed 's/ .*//' "$work/not" | tr '\n' ' ')"
}

check_confined() {
	check_rules
	refused_at end
	! grep -q '^open ' "$work/tried" || refused_at open
	[ "$(cat "$work/there/file")" = something ] || fail 'a file was changed'
	[ -e "$work/there/new" ] && fail 'a file was made'
}

# confined COMMAND...: it does what it is for, and can do nothing else
confined() {
	probed "$@"
	command_line=$*
	expect_status 0 6
	check_confined
}

title 'the probe itself: what is not confined can do all of it'
probed gpu-sh -p skl -c '? RING_FAULT_REG'
[ "$(grep -c ' done$' "$work/tried")" -ge 14 ] || fail "only: $(tr '\n' ' ' <"$work/tried")"

# ---- sources ------------------------------------------------------------------------------------

run gpu-snap save -s demo:skl-hang -o "$work/plain.tar"
run gpu-snap convert "$work/plain.tar" --to bar -o "$work/bar"
run gpu-snap convert "$work/plain.tar" --to aub -o "$work/aub"
run gpu-snap extract "$work/plain.tar" ggtt -o "$work/ggtt"
run gpu-snap extract "$work/plain.tar" config -o "$work/config"
run gpu-regdump -s demo:skl-hang @ring -q
{ echo '# platform skl' && cat "$out"; } >"$work/registers"
cp "$tests/data/error-state.txt" "$work/error"
cat >"$work/core" <<'END'
**** Xe Device Coredump ****
kernel: 6.12.0
module: xe
Snapshot time: 1700000000.000000000
Uptime: 100.000000000
PID: 1981
Process: game [1981]
PCI ID: 0x64a0
PCI revision: 0x04
END
make_core "$work/elf" 0x1000 4096
gzip -c "$work/error" >"$work/error.gz"
mkdir -p "$work/tree/stored" "$work/tree/kernel"
tar xf "$work/plain.tar" -C "$work/tree"
cp "$work/error.gz" "$work/tree/stored/error-state"
echo '[    1.0] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [1981]' \
	>"$work/tree/kernel/log"
# shellcheck disable=SC2046
tar cf "$work/rich.tar" -C "$work/tree" $(tar tf "$work/plain.tar") stored kernel
set -- "$work/plain.tar" "$work/rich.tar" "$work/error" "$work/core" "$work/aub" \
	"$work/registers" "bar:$work/bar" "ggtt:$work/ggtt" "mem:$work/bar@0x1000" \
	"lmem:$work/bar" "elf:$work/elf" "config:$work/config" \
	"config:$data/lspci.txt" "$data/reg-trace.txt" demo:skl-hang
if built_with gzip && command -v gzip >/dev/null; then
	gzip -c "$work/plain.tar" >"$work/plain.tar.gz"
	set -- "$@" "$work/plain.tar.gz" "$work/error.gz"
fi
if built_with zstd && command -v zstd >/dev/null; then
	zstd -q "$work/plain.tar"
	set -- "$@" "$work/plain.tar.zst"
fi

# tried COMMAND...: the same, unless there is nothing to show: then it ends before
tried() {
	probed "$@"
	command_line=$*
	expect_status 0 1 2 3 6
	if [ -s "$out" ]; then
		check_confined
		counted=$((counted + 1))
		! grep -q '^open ' "$work/tried" || opened=$((opened + 1))
	fi
}

title 'every kind of source'
for source; do
	counted=0 opened=0
	tried gpu-regdump -p skl -s "$source"
	tried gpu-regdump -p skl -s "$source" --json
	tried gpu-fault -p skl -s "$source"
	tried gpu-fault -p skl "$source" --ndjson
	tried gpu-ptwalk -p skl -s "$source" --map
	tried gpu-ptwalk -p skl -s "$source" --spaces
	tried gpu-batch -p skl "$source" --headers
	tried gpu-snap save -p skl -s "$source" -o -
	tried gpu-snap info -p skl "$source"
	tried gpu-report -p skl -s "$source" -o -
	[ $counted -ge 3 ] || fail "$source: only $counted commands"
	case $source in
	*"$work"*) [ $opened = $counted ] || fail "$source: $opened of $counted were seen to open it" ;;
	esac
done

title 'several files, one after the other, packed ones too'
big=$work/big
{ cat "$work/error" && yes '00000000 :  7a000004' | head -n 600000; } >"$big"
set -- "$work/plain.tar" "$work/error" "$work/core" "mem:$work/bar@0x1000" demo:snb-hang
! built_with gzip || set -- "$@" "$work/error.gz"
if built_with zstd && command -v zstd >/dev/null; then
	zstd -q "$big"
	set -- "$@" "$work/plain.tar.zst" "$big.zst"
fi
confined gpu-fault -p skl "$@"
confined gpu-fault -p skl --ndjson "$@"
same 'dumps' "$(wc -l <"$out")" $#
same 'those that failed' "$(jq -c 'select(.error) | .source' "$out" | wc -l)" 0
confined gpu-fault -p skl -s "config:$work/config" "$work/plain.tar" "bar:$work/bar"
run gpu-fault -p skl "$work/plain.tar" "$work/there" "$work/none" "$work/error"
expect_status 6
expect_err_line "gpu-fault: $work/there: a directory, not a file"
expect_err_line "gpu-fault: $work/none: No such file or directory"

title 'what else the commands do'
confined gpu-regdump -p skl --list
confined gpu-regdump -p skl --decode RING_FAULT_REG=0x12b
confined gpu-regdump --diff demo:skl-hang "$work/plain.tar"
confined gpu-regdump -s "$work/plain.tar" --watch 0.01 --count 2 RING_FAULT_REG
confined gpu-ptwalk -s "$work/plain.tar" --map --svg
confined gpu-ptwalk -s "$work/plain.tar" --flat
confined gpu-ptwalk -s "$work/plain.tar" --check
confined gpu-ptwalk -s "$work/plain.tar" --reverse 0x180410123
confined gpu-ptwalk -s "$work/plain.tar" 0x100000000
confined gpu-pte -p skl 0x1003
confined gpu-pte -s "$work/plain.tar" -v 0x1003
confined gpu-batch -p skl --format bin "$work/config"
confined gpu-batch "$work/plain.tar" --state
confined gpu-batch "$work/plain.tar" --json
confined gpu-batch "$work/plain.tar" --lint
printf '0 : 11000001\n4 : 20d8\n8 : 100010\nc : 05000000\n' >"$work/load"
confined gpu-batch -p skl --query CS_DEBUG_MODE2 "$work/load"
printf '00600001 2e000208 008d0020 00000000\n' >"$work/words"
confined gpu-eu -p skl "$work/words"
confined gpu-eu -p skl --format bin "$work/config"
tried gpu-eu "$work/plain.tar"
confined gpu-fault --dmesg "$work/tree/kernel/log"
confined gpu-fault --dmesg -s "$work/rich.tar"
confined gpu-fault --decode hwsp -p skl "$work/config"
confined gpu-tile -p skl -f x --pitch 4096 10 10
confined gpu-db list -p skl
confined gpu-db check "$data/scratch.def"
confined gpu-db which -p skl RING_FAULT_REG
confined gpu-db show RING_FAULT_REG
confined gpu-db stats
confined gpu-db export -p skl
confined gpu-snap extract "$work/plain.tar" config
confined gpu-regdump --help

# The shell reads no source: a child does, to know what it is, and one for each command.
title 'what gpu-sh reads, confined children do'
for verb in '' 'read RING_FAULT_REG' 'wait 0x2030 == 0 0.1' 'ptwalk 0x1000' 'batch' 'fault' \
	'diff demo:skl-hang' "from $work/rich.tar; read @ring" "read 0x2030 >/dev/null"; do
	prepare
	: >"$work/tried"
	run_lenient env CONFINED_DIR="$work/there" CONFINED_INPUT="$work/" LD_PRELOAD="$CONFINED" \
		gpu-sh -s "$work/plain.tar" -c "$verb" 9>"$work/tried"
	grep -q '^open ' "$work/tried" || fail "$verb: it was not seen to open it"
	! grep '^open .* done$' "$work/tried" || fail "$verb: a child can do that"
	refused_at open
done

title 'what is written is all that is written'
mkdir "$work/made"
confined gpu-snap save -s "$work/plain.tar" -o "$work/made/a.tar"
confined gpu-snap save -s "$work/plain.tar" -o "$work/made/a.tar"
! built_with gzip || confined gpu-snap save -s "$work/plain.tar" -o "$work/made/a.tar.gz"
! built_with zstd || confined gpu-snap save -s "$work/plain.tar" -o "$work/made/a.tar.zst"
confined gpu-snap convert "$work/plain.tar" --to bar -o "$work/made/bar"
confined gpu-snap convert "$work/plain.tar" --to aub -o "$work/made/aub"
confined gpu-snap extract "$work/plain.tar" config -o "$work/made/config"
confined gpu-snap extract "$work/plain.tar" config -o /dev/null
confined gpu-report -s "$work/plain.tar" -o "$work/made/page.html"
head -c 65536 "$work/bar" >"$work/surface"
confined gpu-tile -p skl -f x --pitch 4096 "$work/surface" -o "$work/made/linear"
confined gpu-tile -p skl -f x --pitch 4096 --bpp 32 "$work/surface" -o "$work/made/a.png"
confined gpu-tile -p skl -f x --pitch 4096 --tile "$work/surface" -o "$work/made/tiled"
tried gpu-batch "$work/plain.tar" --kernels "$work/made/kernels"
for made in a.tar bar aub config page.html linear a.png tiled; do
	[ -s "$work/made/$made" ] || fail "no $made"
done
cmp -s "$work/made/bar" "$work/bar" || fail 'another bar'

# It gets its name from a process that knows no other one.
title 'the folder of what is written is out of reach, too'
confined gpu-snap save -s "$work/plain.tar" -o "$work/there/a.tar"
[ -s "$work/there/a.tar" ] || fail 'no capture'
cd "$work/there"
confined gpu-snap save -s "$work/plain.tar"
confined gpu-report "$work/plain.tar"
[ -n "$(echo gpuscope-skl-*.html)" ] || fail 'no page'
cd "$work"
[ "$(find "$work/there" "$work/made" -name '*.??????' ! -name '*.tar.*' | wc -l)" = 0 ] ||
	fail 'something is left over'

# ---- definitions --------------------------------------------------------------------------------

title 'definitions are input, too'
mkdir -p "$work/home/.config/gpuscope"
cp "$data/scratch.def" "$work/mine.def"
confined gpu-regdump -s demo:skl-hang --define "$work/mine.def" --list
grep -q '^open ' "$work/tried" || fail 'it was not seen to open --define'
ln -s "$work/mine.def" "$work/home/.config/gpuscope/link.def"
home=$HOME
HOME=$work/home
confined gpu-regdump -s demo:skl-hang --list
HOME=$home
grep -q '^open ' "$work/tried" || fail 'it was not seen to open the definitions'

title 'where a device may be read, files can be read, and nothing is changed'
cp "$work/refused" "$work/always"
sed -i '/^read/d; /^map-x/d; /^type/d; /^capabilities/d' "$work/refused"
probed gpu-regdump -p skl --define "$work/mine.def" --list
grep -q '^open ' "$work/tried" || fail 'it was not seen to open --define'
refused_at open
mv "$work/always" "$work/refused"
refused_at end

# ---- links in the way ---------------------------------------------------------------------------

title 'links that somebody else has put where all may write are not followed'
if [ "$(id -u)" = 0 ]; then
	mkdir "$work/all"
	chmod 1777 "$work/all"
	echo mine >"$work/target"
	ln -s "$work/target" "$work/all/link"
	chown -h 65534 "$work/all/link"
	run gpu-snap save -s "$work/plain.tar" -o "$work/all/link"
	expect_status 4
	run gpu-sh -s demo:skl-hang -c "journal save $work/all/link"
	expect_status 4
	run gpu-sh -s demo:skl-hang -c "journal save --revert $work/all/link"
	expect_status 4
	same 'the target' "$(cat "$work/target")" mine
	mkfifo "$work/all/pipe"
	chown 65534 "$work/all/pipe"
	run gpu-snap save -s "$work/plain.tar" -o "$work/all/pipe"
	expect_status 4
	ln -s "$work/target" "$work/all/own"
	run gpu-snap save -s "$work/plain.tar" -o "$work/all/own"
	expect_status 0
	[ "$(head -c 4 "$work/target")" != mine ] && [ -L "$work/all/own" ] ||
		fail 'an own link is not followed'

	echo mine >"$work/target"
	(
		while [ ! -e "$work/enough" ]; do
			ln -sfn "$work/target" "$work/all/b"
			chown -h 65534 "$work/all/b"
			mv -f "$work/all/b" "$work/all/raced"
			: >"$work/all/c"
			mv -f "$work/all/c" "$work/all/raced"
		done
	) &
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		run_lenient gpu-snap extract "$work/plain.tar" config -o "$work/all/raced"
	done
	: >"$work/enough"
	wait
	same 'the target of a link that comes and goes' "$(cat "$work/target")" mine
fi

finish
