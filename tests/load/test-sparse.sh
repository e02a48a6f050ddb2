#!/bin/sh
# SPDX-License-Identifier: MIT
# An image of 64 GiB that is nearly all holes, as each kind of source that is an image: it is not
# read from one end to the other, and not held.
. "$(dirname "$0")/lib.sh"

size=$((64 << 30))
truncate -s $size "$work/image" 2>/dev/null || skip 'no sparse files of 64 GiB here'
gpu-snap extract "$capture" mmio -o "$work/bar"
dd if="$work/bar" of="$work/image" conv=notrunc bs=1M 2>/dev/null
make_core "$work/elf" 0x100000000 $size
ran=0

# A platform's BAR and GGTT have a size: the rest of such a file is no part of it.
for source in "mem:$work/image" "mem:$work/image@0x100000000" "bar:$work/image" \
	"ggtt:$work/image" "lmem:$work/image" "elf:$work/elf"; do
	title "$source"
	for command in 'gpu-regdump rcs0.RING_BUFFER_TAIL' 'gpu-regdump' 'gpu-ptwalk --map' \
		'gpu-ptwalk -m pml4 --root 0x100001000 0x1000' \
		'gpu-ptwalk -m pml4 --root 0x100000000 --map' \
		'gpu-ptwalk -m pml4 --root 0x100000000 --check' \
		gpu-fault gpu-batch 'gpu-ptwalk --spaces' 'gpu-report -o -'; do
		# shellcheck disable=SC2086
		quickly 4 64 $command -p skl -s "$source"
		expect_status 0 1 2 3 6
		ran=$((ran + 1))
	done
	quickly 4 64 gpu-snap info -p skl "$source"
	expect_status 0 2 3 6
done

title 'what lies at the end of it is found'
printf '\221\000\000\000' | dd of="$work/image" conv=notrunc bs=1 seek=$((size - 4096)) 2>/dev/null
quickly 4 64 gpu-snap extract "mem:$work/image" phys@0xffffff000+4
expect_out_has "$(printf '\221')"

# Zeros of a hole are zeros, not absent: a capture has them all, but nobody has to read them.
TMPDIR=$work
export TMPDIR
for source in "mem:$work/image" "lmem:$work/image" "ggtt:$work/image" "bar:$work/image" \
	"elf:$work/elf"; do
	for form in tar tar.zst tar.gz; do
		title "$source saved as $form, and read again"
		# Of a core only what a GPU leads to, or what is named.
		set --
		[ "${source%%:*}" != elf ] || set -- --mem 0x100000000+$size
		quickly 8 64 gpu-snap save -p skl -s "$source" "$@" -o "$work/saved.$form"
		expect_status 0
		[ "$(du -k "$work/saved.$form" | cut -f 1)" -lt 100000 ] || fail 'it is not small'
		quickly 4 64 gpu-snap info "$work/saved.$form"
		expect_status 0
		case $source in
		mem:*) part=phys at=0xffffff000 want=91000000 ;;
		lmem:*) part=lmem at=0xffffff000 want=91000000 ;;
		elf:*) part=phys at=0x10ffffff00 want=00000000 ;;
		*) continue ;;
		esac
		expect_out_has "$size bytes in 1 piece"
		quickly 4 64 gpu-snap extract "$work/saved.$form" $part@$at+4
		expect_status 0
		same 'last bytes' "$(od -An -tx1 <"$out" | tr -d ' ')" $want
	done
done

title 'what is saved is what was there'
rm -f "$work"/saved.* "$work/image" "$work/elf"
# Bytes between holes, zeros that are none, an end in a hole, and an end that is a byte.
truncate -s 40000001 "$work/image"
for place in 0 4097 1048575 9000000 9000512 22222222; do
	dd if="$work/bar" of="$work/image" conv=notrunc bs=700 count=1 skip=12 seek=$place \
		oflag=seek_bytes 2>/dev/null
done
head -c 6000000 /dev/zero | dd of="$work/image" conv=notrunc bs=4096 seek=2500 2>/dev/null
cp --sparse=always "$work/image" "$work/ends"
printf x >>"$work/ends"

# unpack FILE: as its name says
unpack() {
	case $1 in
	*.zst) zstd -qdc "$1" ;;
	*.gz) gzip -dc "$1" ;;
	*) cat "$1" ;;
	esac
}

for image in image ends; do
	for form in tar tar.zst tar.gz; do
		run gpu-snap save -p skl -s "mem:$work/$image" -o "$work/saved.$form"
		expect_status 0
		unpack "$work/saved.$form" | tar -xOf - phys/0x0.bin | cmp - "$work/$image" ||
			fail "$image: $form"
		run gpu-snap extract "$work/saved.$form" phys -o "$work/again"
		expect_status 0
		cmp "$work/again" "$work/$image" || fail "$image: $form read again"
		[ "$(du -k "$work/again" | cut -f 1)" -lt 20000 ] || fail "$image: $form is not sparse"
		run gpu-snap convert "$work/saved.$form" --to capture -o "$work/twice.tar"
		expect_status 0
		tar -xOf "$work/twice.tar" phys/0x0.bin | cmp - "$work/$image" ||
			fail "$image: $form saved again"
	done
	# Into what is no file, over what lies in one, and behind it.
	save() {
		gpu-snap save -p skl --compress none -s "mem:$work/$image" -o -
	}
	size=$(wc -c <"$work/saved.tar")
	save | cat >"$work/piped"
	tar -xOf "$work/piped" phys/0x0.bin | cmp - "$work/$image" || fail "$image: piped"
	head -c 50000000 /dev/zero | tr '\0' x >"$work/old"
	save 1<>"$work/old"
	same "$image: over another" "$(head -c "$size" "$work/old" | tar -xOf - phys/0x0.bin | cksum)" \
		"$(cksum <"$work/$image")"
	echo begins >"$work/old"
	save >>"$work/old"
	same "$image: behind another" "$(tail -c +8 "$work/old" | tar -xOf - phys/0x0.bin | cksum)" \
		"$(cksum <"$work/$image")"
done
finish
