#!/bin/sh
# SPDX-License-Identifier: MIT
# The memory of a machine, dumped in every form that is read: the answers are those of the capture
# that it was made of.
. "$(dirname "$0")/../lib.sh"
needs gpu-snap gpu-fault gpu-ptwalk gpu-batch jq python3
wants gzip

title 'a capture without its memory, and the memory alone'
run gpu-snap save -s demo:skl-hang --compress none -o "$work/whole.tar"
mkdir "$work/parts"
tar xf "$work/whole.tar" -C "$work/parts"
set --
for file in "$work"/parts/phys/*.bin; do
	address=${file##*/}
	set -- "$@" "${address%.bin}=$file"
done
(cd "$work/parts" && tar cf ../rest.tar gpuscope/info $(find . -type f ! -path './phys/*' ! -name info))
for form in elf lime kdump flat; do
	python3 "$tests/cli/make-dump.py" $form "$work/$form" "$@" || fail "$form was not made"
done

# answers SOURCE...: what commands say of the hang
answers() {
	run gpu-fault "$@" --json
	jq -S 'del(.source, .about, .time)' <"$out"
	run gpu-ptwalk "$@" -q 0x200000123 0x300000000 0xfffefffd0000
	cat "$out"
	run gpu-ptwalk "$@" --map -q
	cat "$out"
	run gpu-batch "$@" -q
	cat "$out"
}

# says STATUS PATTERN COMMAND...
says() {
	wanted=$1 line=$2
	shift 2
	run "$@"
	expect_status "$wanted"
	expect_err_line "$line"
}

answers -s demo:skl-hang >"$work/wanted"
same 'lines of answers' "$(wc -l <"$work/wanted" | awk '{ print ($1 > 200) }')" 1
for form in elf lime kdump flat; do
	title "$form"
	answers -s "$work/rest.tar" -s "$work/$form" >"$work/answers"
	cmp -s "$work/wanted" "$work/answers" || fail "$(diff "$work/wanted" "$work/answers" | head -5)"
	gzip -k "$work/$form"
	run gpu-snap save --tables -s "$work/rest.tar" -s "$work/$form" -o "$work/saved.tar"
	expect_status 0
	answers -s "$work/saved.tar" >"$work/answers"
	cmp -s "$work/wanted" "$work/answers" || fail "saved: $(diff "$work/wanted" "$work/answers" | head -5)"
	run gpu-ptwalk -s "$work/rest.tar" -s "$work/$form.gz" -q 0x200000123
	expect_out '0x200000123  -> 0x180410123  64K page of system memory  rw,pat4'
done

title 'what the dump says of itself'
for form in elf kdump flat; do
	run gpu-snap info --json "$work/$form"
	expect_json '[.properties[] | select(.name != "dump-level").text]' \
		'["6.1.0-99-amd64","2024-11-18T00:00:00Z"]'
	expect_json '[.spaces[] | [.space, .status]]' '[["phys","ok"],["phys","excluded"]]'
done
expect_json '[.properties[] | select(.name == "dump-level").text]' '["17: without free pages"]'
run gpu-fault -s "$work/rest.tar" -s "$work/elf"
expect_out_has '^kernel +6\.1\.0-99-amd64$'
expect_out_has '^crashed +2024-11-18T00:00:00Z$'

title 'from memory alone: tables by their root'
for form in elf lime kdump flat; do
	run gpu-ptwalk -p skl -q -m pml4 --root 0x22543a000 "$work/$form" 0x200000123 0x300000000
	expect_status 0
	expect_out '0x200000123  -> 0x180410123  64K page of system memory  rw,pat4
0x300000000  -> 0x180800000  2M page of system memory  rw,pat0'
	says 3 "gpu-ptwalk: 0x1000: unknown: a dump of memory has no GGTT; add -s bar:FILE*" \
		gpu-ptwalk -p skl -q "$work/$form" 0x1000
done

says 3 'gpu-fault: registers of *: none in this dump: a memory dump holds memory only; add an error state*' \
	gpu-fault -p skl "$work/lime"

title 'the log of its kernel, and the platform by it'
for form in elf kdump; do
	python3 "$tests/cli/make-dump.py" --log $form "$work/logged" "$@"
	run gpu-snap extract "$work/logged" kernel/log
	expect_out '[    0.100000] Linux version 6.1.0-99-amd64
[    0.102000] pci 0000:00:02.0: [8086:1912] type 00 class 0x030000
[    0.103000] two
[    0.103000] lines
[    0.105000] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [4711]'
	run gpu-ptwalk -q -m pml4 --root 0x22543a000 "$work/logged" 0x200000123
	expect_out '0x200000123  -> 0x180410123  64K page of system memory  rw,pat4'
	run gpu-fault -q "$work/logged"
	expect_out_has 'game'
done

title 'what was excluded is no zero'
for form in elf kdump flat; do
	run gpu-ptwalk -p skl -q -m pml4 --root 0x22545c000 "$work/$form" 0x1000
	expect_status 3
	expect_err_line 'gpu-ptwalk: 0x1000: unknown: *: it was excluded from the dump'
	says 3 'gpu-snap: *: excluded from the dump' \
		gpu-snap extract "$work/$form" phys@0x22545c000+4K -o "$work/page"
	says 3 'gpu-snap: *: excluded from the dump' \
		gpu-snap save -p skl -s "$work/$form" --mem 0x22545c000+4K -o "$work/x.tar"
	says 3 'gpu-regdump: *: excluded from the dump' \
		gpu-regdump -p skl -s "$work/$form" phys:0x22545c000
	run gpu-regdump -p skl -s "$work/$form" phys:0x22545c000 --json
	expect_json '[.registers[] | [.status, .value]]' '[["excluded",null]]'
	run gpu-snap save -p skl -s "$work/$form" --mem 0x225459000+16K -o "$work/some.tar"
	expect_status 6
	run gpu-snap info --json "$work/some.tar"
	expect_json '[.pieces[] | [.start, .length, .status]]' \
		'[["0x225459000",4096,"excluded"],["0x22545a000",4096,"ok"],["0x22545b000",8192,"excluded"]]'
done

title 'nobody knows which memory is the GPU'"'"'s'
says 3 'gpu-snap: *: nothing says which of this memory*--mem A+LEN' \
	gpu-snap save -p skl -s "$work/kdump" -o "$work/x.tar"
[ ! -e "$work/x.tar" ] || fail 'a file was made'

title 'a page that is damaged'
size=$(wc -c <"$work/kdump")
cp "$work/kdump" "$work/damaged"
head -c 2000 /dev/zero | dd of="$work/damaged" bs=1 seek=$((size - 2000)) conv=notrunc 2>/dev/null
run gpu-snap save -s "$work/rest.tar" -s "$work/damaged" -o "$work/x.tar"
expect_status 0 6
run gpu-ptwalk -p skl -m pml4 --root 0x22545a000 "$work/damaged" 0x1000
expect_status 3
expect_err_line 'gpu-ptwalk: *'

title 'what is no dump of memory'
printf 'QEVM\0\0\0\3' >"$work/saved"
says 1 'gpu-snap: *: a saved virtual machine*virsh dump --memory-only DOMAIN FILE' \
	gpu-snap info "$work/saved"
finish
