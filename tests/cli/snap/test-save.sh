#!/bin/sh
# SPDX-License-Identifier: MIT
# What -o does to what is there: links, pipes, files of some mode, limits; of every command.
. "$(dirname "$0")/../lib.sh"
needs gpu-tile gpu-snap gpu-report
umask 022
SOURCE_DATE_EPOCH=1000000000
export SOURCE_DATE_EPOCH
folder=$work/folder
mkdir "$folder"

got_is_wanted() {
	cmp -s "$1" "$work/wanted" || fail "$1 is not what was to be written"
}

mode_is() {
	same "mode of $1" "$(stat -c %a "$1")" "$2"
}

nothing_left() {
	same 'what is left' "$(ls -A "$folder")" "$1"
	rm -rf "${folder:?}"/*
}

through_links() {
	title "$what: a link to a pipe, such as /dev/stdout"
	ln -s /proc/self/fd/1 "$folder/link"
	command_line="$* -o link | cat"
	"$@" -o "$folder/link" 2>"$err" | cat >"$work/got"
	got_is_wanted "$work/got"
	same 'the link' "$(readlink "$folder/link")" /proc/self/fd/1
	title "$what: standard output by another name"
	{
		echo before
		"$@" -o "$folder/link" 2>"$err"
		echo behind
	} >"$work/got"
	{
		echo before
		cat "$work/wanted"
		echo behind
	} >"$work/around"
	cmp -s "$work/got" "$work/around" || fail 'standard output is not gone on with'
	nothing_left link

	title "$what: a link without a file"
	mkdir "$folder/sub"
	ln -s sub/second "$folder/first"
	ln -s ../file "$folder/sub/second"
	run "$@" -o "$folder/first"
	got_is_wanted "$folder/file"
	mode_is "$folder/file" "$mode"
	same 'the link' "$(readlink "$folder/first")" sub/second
	title "$what: a link to a file"
	echo old >"$folder/file"
	run "$@" -o "$folder/first"
	got_is_wanted "$folder/file"
	same 'the link' "$(readlink "$folder/sub/second")" ../file
	title "$what: links in a circle"
	ln -sf first "$folder/sub/../file"
	run "$@" -o "$folder/first"
	expect_status 1
	expect_err_line 'gpu-*: *first: *[Ss]ymbolic link*'
	nothing_left 'file
first
sub'
}

without_name() {
	title "$what: a pipe with a name"
	mkfifo "$folder/fifo"
	cat "$folder/fifo" >"$work/got" &
	run "$@" -o "$folder/fifo"
	wait $!
	got_is_wanted "$work/got"
	[ -p "$folder/fifo" ] || fail 'the pipe is replaced'
	nothing_left fifo
	title "$what: a file without a name"
	exec 3<>"$folder/gone"
	rm "$folder/gone"
	run "$@" -o /proc/self/fd/3
	cat <&3 >"$work/got"
	exec 3>&-
	got_is_wanted "$work/got"
	title "$what: a folder"
	run "$@" -o "$folder"
	expect_status 1
	nothing_left ''
}

modes() {
	title "$what: modes"
	for old in 600 640 664; do
		echo old >"$folder/file"
		chmod $old "$folder/file"
		run "$@" -o "$folder/file"
		got_is_wanted "$folder/file"
		mode_is "$folder/file" $old
	done
	nothing_left file
}

limits() {
	title "$what: ulimit -f"
	echo old >"$folder/file"
	run sh -c 'ulimit -f 1; exec "$@"' sh "$@" -o "$folder/file"
	expect_status 1
	expect_err_line 'gpu-*: *: File too large'
	same 'the old file' "$(cat "$folder/file")" old
	nothing_left file
}

# saves WHAT MODE COMMAND...: writes over 1 KB, and the same each time
saves() {
	what=$1 mode=$2
	shift 2
	title "$what"
	rm -f "$work/wanted"
	run "$@" -o "$work/wanted"
	expect_status 0 6
	mode_is "$work/wanted" "$mode"
	[ "$(wc -c <"$work/wanted")" -gt 1024 ] || fail 'too little to be a test'
	through_links "$@"
	without_name "$@"
	modes "$@"
	limits "$@"
}

head -c 32768 /dev/urandom >"$work/tiled"
saves 'rows of a file' 644 gpu-tile -p skl -f y --pitch 512 "$work/tiled"
saves --tile 644 gpu-tile -p skl -f y --pitch 512 --tile "$work/tiled"
chmod 640 "$work/tiled"
saves 'a file that others may not read' 640 gpu-tile -p skl -f y --pitch 512 "$work/tiled"
physical=$(gpu-ptwalk -q -s demo:skl-hang --mode ggtt --flat 2>/dev/null | awk '$1 == "0x100000" { print $2 }')
saves --surface 600 gpu-tile -s demo:skl-hang -s "mem:$work/tiled@$physical" -f y --pitch 512 \
	--size x32 --surface 0x100000
saves 'gpu-snap save' 600 gpu-snap save -s demo:skl-hang
for to in capture aub bar; do
	saves "gpu-snap convert --to $to" 600 gpu-snap convert demo:skl-hang --to $to
done
saves 'gpu-snap extract' 600 gpu-snap extract demo:skl-hang ggtt
saves 'gpu-report' 600 gpu-report -s demo:skl-hang

# onto_itself COMMAND...: reads the file it is to write
onto_itself() {
	cp "$work/capture" "$folder/file"
	run "$@" -o "$folder/link"
	expect_status 1
	expect_err_line 'gpu-*: *link: is also the input: *'
	cmp -s "$work/capture" "$folder/file" || fail 'the source is not what it was'
}

title 'the source itself, by another name'
gpu-snap save -s demo:skl-hang -o "$work/capture"
ln -s file "$folder/link"
cp "$work/capture" "$folder/file"
onto_itself gpu-snap save -s "$folder/file"
onto_itself gpu-snap convert "$folder/file" --to aub
onto_itself gpu-snap extract "$folder/file" ggtt
onto_itself gpu-report -s "$folder/file"
onto_itself gpu-tile -p skl -f y --pitch 512 --tile "$folder/file"
onto_itself gpu-tile -s demo:skl-hang -s "mem:$folder/file@$physical" -f y --pitch 512 --size x32 \
	--surface 0x100000
title 'standard descriptors that are closed'
rm -rf "${folder:?}"/*
gpu-snap save -s demo:skl-hang -o "$work/wanted"
for closed in '<&-' '>&-' '2>&-' '<&- >&- 2>&-'; do
	command_line="gpu-snap save -vv $closed"
	sh -c "exec gpu-snap save -vv -s demo:skl-hang -o '$folder/it' $closed" >/dev/null 2>&1 ||
		fail "ended with status $?"
	got_is_wanted "$folder/it"
done
nothing_left it
for what in '-s -' '--dmesg -' '--decode hwsp -p skl -'; do
	# shellcheck disable=SC2086
	run sh -c 'exec gpu-fault "$@" <&-' sh $what
	expect_status 1
	expect_err_line 'gpu-fault: standard input: *'
done

# owned_by OWNER FILE: it belongs to that user and its group
owned_by() {
	same "the owner of $2" "$(stat -c %u:%g "$2")" "$1:$1"
	rm -f "$2"
}

# as_root_for_nobody COMMAND...: what sudo(8) says of its caller
as_root_for_nobody() {
	run env SUDO_UID=65534 SUDO_GID=65534 "$@"
	expect_status 0 6
}

title 'root for a user of sudo: the user owns what the user could have made'
if can_be_nobody; then
	rm -rf "$folder"
	mkdir "$folder" "$folder/own" "$folder/roots" "$folder/all"
	chown 65534:65534 "$folder/own"
	chmod 1777 "$folder/all"
	for words in 'gpu-report -s demo:skl-hang' 'gpu-snap save -s demo:skl-hang' \
		'gpu-snap convert demo:skl-hang --to bar' 'gpu-snap extract demo:skl-hang ggtt'; do
		# shellcheck disable=SC2086
		as_root_for_nobody $words -o "$folder/own/file"
		mode_is "$folder/own/file" 600
		owned_by 65534 "$folder/own/file"
		# shellcheck disable=SC2086
		as_root_for_nobody $words -o "$folder/all/file"
		owned_by 65534 "$folder/all/file"
		# shellcheck disable=SC2086
		as_root_for_nobody $words -o "$folder/roots/file"
		owned_by 0 "$folder/roots/file"
	done
	set -- gpu-snap save -s demo:skl-hang -o
	title 'root for a user of sudo: not what a link leads to, nor a file of somebody else'
	ln -s ../roots/file "$folder/own/link"
	as_root_for_nobody "$@" "$folder/own/link"
	owned_by 0 "$folder/roots/file"
	echo old >"$folder/all/file"
	as_root_for_nobody "$@" "$folder/all/file"
	owned_by 0 "$folder/all/file"
	title 'root for a user of sudo: a file of the user keeps its mode'
	as_nobody sh -c 'echo old >"$0" && chmod 640 "$0"' "$folder/own/file"
	as_root_for_nobody "$@" "$folder/own/file"
	mode_is "$folder/own/file" 640
	owned_by 65534 "$folder/own/file"
	title 'root for a user of sudo: no user, or root'
	for id in '' 0 -1 65534x 4294967295 99999999999999999999; do
		run env "SUDO_UID=$id" SUDO_GID=65534 "$@" "$folder/own/file"
		owned_by 0 "$folder/own/file"
	done
fi

finish
