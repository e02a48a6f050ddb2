#!/bin/sh
# SPDX-License-Identifier: MIT
# The rooms of lib/ have one order, and none includes a header of a higher room or calls what is in
# one. What is visible outside its file is used there.
. "$(dirname "$0")/lib.sh"
needs nm

# From the bottom to the top; rooms in one line do not know each other, those joined by + do.
cat >"$work/order" <<'EOF'
util
text
db
dbc guc
device
source
kernel
formats
vmcore
log
open
gpu
regs
gtt
batch
tile eu
image
hang
save out
api
EOF
# ROOM: USER...: the only ones that call it, whatever else is above it.
cat >"$work/private" <<'EOF'
device: source open save api
EOF

# symbols ARCHIVE...: lines FILE NAME TYPE
symbols() {
	nm -A -P "$@" 2>/dev/null | sed 's/^[^[]*\[\(.*\)\]: /\1 /; s/^\([^ ]*\): /\1 /' |
		awk '{ sub(/.*\//, "", $1); print $1, $2, $3 }'
}

symbols "$BUILD/lib/libeverything.a" >"$work/library"
[ "$(wc -l <"$work/library")" -gt 2000 ] || fail 'hardly any symbols: is this the library?'

for room in "$SOURCE"/lib/*/; do
	room=$(basename "$room")
	grep -qw "$room" "$work/order" || fail "lib/$room has no place in the order of rooms"
done

# lines FILE ROOM: what each file includes from a room
grep -rHo --include='*.[ch]' '^#include "[a-z]*/' "$SOURCE/lib" |
	sed "s|^$SOURCE/lib/||; s|:#include \"| |; s|/$||" >"$work/includes"
awk '
	NR == FNR {
		for (i = 1; i <= NF; i++) {
			parts = split($i, part, "+")
			for (j = 1; j <= parts; j++)
				level[part[j]] = NR
		}
		next
	}
	{
		split($1, path, "/")
		checked++
		if (path[1] != $2 && level[$2] > level[path[1]])
			print "lib/" $1 " includes a header of " $2 "/, which is higher"
	}
	END {
		if (checked < 300)
			print "only " checked + 0 " includes were found"
	}' "$work/order" "$work/includes" >"$work/upwards"
while read -r line; do
	fail "$line"
done <"$work/upwards"

# What the assembler embeds is looked up by the room that knows it, and calls nobody.
awk '
	function room(file) {
		split(file, part, "_")
		return part[1] ~ /^meson/ ? "" : part[1]
	}
	FILENAME ~ /order$/ {
		for (i = 1; i <= NF; i++) {
			parts = split($i, part, "+")
			for (j = 1; j <= parts; j++) {
				level[part[j]] = FNR
				whole[part[j]] = $i
			}
		}
		next
	}
	FILENAME ~ /private$/ {
		sub(/:/, "", $1)
		for (i = 2; i <= NF; i++) may[$1, $i] = 1
		closed[$1] = 1
		next
	}
	$3 == "U" { uses[++n] = $0; next }
	$3 ~ /[A-Z]/ { home[$2] = $1 }
	END {
		for (i = 1; i <= n; i++) {
			split(uses[i], use, " ")
			if (!(use[2] in home))
				continue
			from = room(use[1])
			to = room(home[use[2]])
			if (to == "" || whole[from] == whole[to])
				continue
			across++
			if (level[to] >= level[from])
				what = "which is not lower"
			else if (closed[to] && !((to, from) in may))
				what = "which is not for it"
			else
				continue
			sub(/\.o$/, "", use[1])
			print use[1] " calls " use[2] " of " to "/, " what
		}
		if (across < 500)
			print "only " across + 0 " calls from room to room were found"
	}' "$work/order" "$work/private" "$work/library" >"$work/upwards"
while read -r line; do
	fail "$line"
done <"$work/upwards"

# unused FILE: what it defines for others and none of them uses, nor a test of the inside
unused() {
	awk '$3 == "U" { used[$2] = 1; next }
		$3 ~ /[A-Z]/ && $2 !~ /^(gpuscope_|_)/ && $2 != "main" { home[$2] = $1 }
		END { for (name in home) if (!used[name]) print home[name], name }' "$1" | sort |
		while read -r file name; do
			grep -rqw --include='*.[ch]' "$name" "$SOURCE/tests/unit" "$SOURCE/tests/fuzz" ||
				echo "${file%.o}: $name"
		done
}

symbols "$BUILD"/lib/compile.p/*.o | cat - "$work/library" >"$work/inside"
symbols "$BUILD/tools/libtools.a" "$BUILD/tools/libcli.a" "$BUILD/tools/libshell.a" \
	"$BUILD"/tools/gpu*.p/*.o >"$work/tools"
# Commands call what a room exports to them.
awk '$3 == "U"' "$work/tools" >>"$work/inside"
for part in inside tools; do
	unused "$work/$part" >"$work/unused"
	while read -r line; do
		fail "$line is used in no other file: make it static, or remove it"
	done <"$work/unused"
done
finish
