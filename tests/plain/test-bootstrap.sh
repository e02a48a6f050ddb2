#!/bin/sh
# SPDX-License-Identifier: MIT
# What ./bootstrap says before it has anything to build, and when it fails: with an apt, a sudo and
# a disk that are made up.
. "$(dirname "$0")/lib.sh"
[ -f "$SOURCE/bootstrap" ] || skip 'no bootstrap'

mkdir "$work/tree" "$work/bin"
cp "$SOURCE/bootstrap" "$work/tree/"
printf '#!/bin/sh\nexit 1\n' >"$work/bin/dpkg-query"
printf '#!/bin/sh\nexec "$@"\n' >"$work/bin/sudo"
printf '#!/bin/sh\ncase $1 in -f) echo "$BLOCKS 4096" ;; *) echo 1 ;; esac\n' >"$work/bin/stat"
cat >"$work/bin/apt-get" <<'END'
#!/bin/sh
echo "$APT" | tr '|' '\n'
exit 100
END
chmod +x "$work"/bin/*
PATH=$work/bin:$PATH
BLOCKS=100000000
APT=
export PATH BLOCKS APT

# ran STATUS LINES-ON-STDERR ARGUMENT...
ran() {
	want=$1 lines=$2
	shift 2
	status=0
	"$work/tree/bootstrap" "$@" >"$work/out" 2>"$work/err" </dev/null || status=$?
	[ $status = "$want" ] || fail "bootstrap $*: status $status, not $want"
	[ "$(wc -l <"$work/err")" = "$lines" ] || fail "bootstrap $* complains: $(cat "$work/err")"
}

says() {
	grep -q -e "$1" "$work/out" "$work/err" || fail "it does not say $1: $(cat "$work/out" "$work/err")"
}

for help in -h --help; do
	ran 0 0 $help
	says '^  ./bootstrap demo '
done
ran 2 1 dmeo
says '^bootstrap: dmeo: '
ran 2 1 demo again
ran 2 1 --quick
[ -d "$work/tree/build" ] && fail 'it left something behind'

APT="Err:1 http://deb.debian.org bookworm|  Temporary failure resolving 'deb.debian.org'|E: Unable to locate package gcc"
ran 1 1 demo
says '^bootstrap demo: 3 steps, about [0-9]* minutes .* [0-9]* MB for packages'
says '^Step 1 of 3: '
says '^bootstrap: packages: no mirror of Debian can be reached: check the network'
grep -q 'Temporary failure' "$work/tree/build/bootstrap.log" || fail 'the log lacks what apt said'
ran 1 1 -v demo
says 'Temporary failure'
APT='E: dpkg was interrupted'
ran 1 1 demo
says '^bootstrap: packages: apt-get failed: dpkg was interrupted; see '

BLOCKS=1000
ran 1 1 demo
says '^bootstrap: not enough disk space: [0-9]* MB are needed in .*, 3 MB are free'
finish
