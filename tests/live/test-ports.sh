#!/bin/sh
# SPDX-License-Identifier: MIT
# VGA registers: the ports, what stands behind an index, and the same through the register BAR. The
# ports are a file of bytes here: nothing in it moves by itself.
. "$(dirname "$0")/lib.sh"

port=$work/dev/port

# put FILE OFFSET OCTAL...: bytes
put() {
	put_file=$1 put_at=$(($2))
	shift 2
	# shellcheck disable=SC2059
	printf "$(printf '\\%s' "$@")" | dd of="$put_file" bs=1 seek=$put_at conv=notrunc 2>/dev/null
}

# The CR ports are at 0x3d4, the indexes somewhere; the palette's screen bit is on.
machine() {
	fresh
	fake_gpu 0000:00:02.0 "$1" 0x09 "$2"
	held_awake
	rm -rf "$work/dev"
	mkdir -p "$work/dev"
	truncate -s 1K "$port"
	put "$port" 0x3c0 065 014
	put "$port" 0x3c4 003 101
	put "$port" 0x3cc 147
	put "$port" 0x3ce 005 020
	put "$port" 0x3d4 012 055
	put "$port" 0x3b4 016 111
	remember
}

remember() {
	cp "$port" "$work/port.before"
	cp "$gpu/resource0" "$work/bar.before"
}

# changed TITLE PORTS BAR: "0xOFFSET=VALUE" of the bytes that have, since remember
changed() {
	for changed_pair in "port $port $2" "bar $gpu/resource0 $3"; do
		# shellcheck disable=SC2086
		set -- "$1" $changed_pair
		changed_title="$1: $2" changed_file=$3 changed_kind=$2
		changed_list=$(cmp -l "$work/$changed_kind.before" "$changed_file" |
			while read -r at _ now; do printf '0x%x=%s ' $((at - 1)) "$now"; done)
		shift 3
		same "$changed_title" "${changed_list% }" "$*"
		set -- "${changed_title%: *}"
	done
}

# in_ports COMMAND...: the fake devices, and a /dev with nothing but our ports
in_ports() {
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0" /sys/bus/pci/devices && mount --bind "$1" /dev &&
		shift && exec "$@"' "$devices" "$work/dev" "$@"
}

dump() {
	in_ports "$GPU_REGDUMP" -q "$@"
}

sh_() {
	in_ports "$GPU_SH" -q "$@"
}

head='# gpu-regdump 1.0 platform snb device 0x0102 revision 0x09 source live'

machine 0x0102 4
expect 'ports: read by name and number' 0 "$head
io:0x3cc  0x67        MSR
io:0x3c4  0x03        SRX
io:0x3b0  0x00" '' dump MSR io:0x3c4 portio:0x3b0
expect 'ports: not among all' 0 0 '*' sh -c '"$@" | grep -c "^io:"; :' - in_devices "$GPU_REGDUMP" -q
expect 'ports: the byte of the BAR' 0 "$head
io:0x3cc  0x00        MSR" '' dump mmio8:0x3cc
put "$gpu/resource0" 0x3cc 143
expect 'ports: by name through the BAR' 0 "$head
io:0x3cc  0x63        MSR" '' dump mmio8:MSR
expect 'ports: in both ways' 0 "$head
io:0x3cc  0x67        MSR
io:0x3cc  0x63        MSR" '' dump MSR mmio-vga:MSR
put "$gpu/resource0" 0x3cc 000
expect 'no port of VGA' 3 '' 'gpu-regdump: io:0x3e0: no source holds this address' dump io:0x3e0

# What stands behind an index.
for one in SR01 vga-sr:0x02 portio-sr:SR01 mmio-sr:1 CR0F AR10:PIXEL_WIDTH; do
	expect "not asked to: $one" 2 '' \
		'gpu-regdump: [SCA]R*: reading it writes an index first, which needs --write*' \
		dump "$one"
done
expect 'not asked to: a group of such' 2 '' 'gpu-regdump: SR00: *which needs --write*' \
	dump @vga-sequencer
expect 'not asked to: beside others' 0 "$head
vga-sr:0x01  skipped  SR01  reading it writes an index first, which needs --write
io:0x3c4  0x03        SRX" '' dump 'SR?1' SRX
expect 'not asked to: in the shell' 2 '' 'gpu-sh: SR01: *which needs --write*' sh_ -c SR01
expect 'not asked to: whatever is said in it' 2 '' 'gpu-sh: --write: to write, start*' \
	sh_ -c 'read --write SR01'
expect 'not asked to: shortened' 2 '' 'gpu-sh: --wri: to write, start*' sh_ -c 'read --wri SR01'
expect 'not asked to: waiting' 2 '' 'gpu-sh: SR01: *which needs --write*' \
	sh_ -c 'wait SR01 == 1 timeout 1ms'
expect 'not asked to: a write' 2 '' 'gpu-sh: SRX: not written*' sh_ -c 'SRX = 1'
expect 'only shown' 0 'read   io:0x0003c4  1 bytes  (the current index)
write  io:0x0003c4 = 0x01  1 bytes  (the index)
read   io:0x0003c5  1 bytes  (the current value)
write  io:0x0003c4 = 0x00 | (read & 0xff)  1 bytes  (the index, as it was)' '' \
	sh_ --write --dry-run -c SR01
changed 'not asked to' '' ''

expect 'asked to: read' 0 "$head
vga-sr:0x01  0x41     SR01
vga-gr:0x00  0x10     GR00
vga-cr:0x07  0x2d     CR07
vga-ar:0x10  0x0c     AR10" '' dump --write SR01 portio-gr:0 vga-cr:7 AR10
changed 'asked to: read, and the index put back' '' ''
expect 'asked to: in the shell, which remembers' 0 "vga-sr:0x01  0x41     SR01
  1  SR01  was read" '' sh_ --write -c 'SR01; journal | sed "s/[0-9:.]*  SR/SR/"'
expect 'asked to: waiting' 0 '' '' sh_ --write -c 'wait SR01 == 0x41'
changed 'asked to: and the index put back' '' ''
expect 'asked to: written' 0 'SR01:SCREEN_OFF  0x41 -> 0x61 -> 0x61' '' \
	sh_ --write -c 'SR01:SCREEN_OFF = yes'
changed 'asked to: written, that byte alone' 0x3c5=141 ''
expect 'asked to: and back' 0 'SR01  0x61 -> 0x20 -> 0x20
SR01  0x20 -> 0x61 -> 0x61' '' sh_ --write -c 'SR01 = 0x20; undo'
changed 'asked to: and back' 0x3c5=141 ''

# Where the CR registers are, a bit of MSR tells.
machine 0x0102 4
put "$port" 0x3cc 146
remember
expect 'monochrome' 0 "$head
vga-cr:0x07  0x49     CR07" '' dump --write CR07
expect 'monochrome: written' 0 'CR0F  0x49 -> 0x12 -> 0x12' '' sh_ --write -c 'CR0F = 0x12'
changed 'monochrome: that byte alone' 0x3b5=22 ''

# Index and data of AR are one port, which a file does not tell apart: the last write is the index.
machine 0x0102 4
expect 'attributes: written' 6 'AR10  0x0c -> 0x01 -> 0x0c' 'gpu-sh: AR10: it does not read back as written: *' sh_ --write -c 'AR10 = 1'
changed 'attributes: the index put back, with the bit that switches the screen' '' ''

# Through the BAR: bytes, and none beside them.
machine 0x0102 4
put "$gpu/resource0" 0x3c4 003 101 252 125
put "$gpu/resource0" 0x3c2 021 022
remember
expect 'the BAR: read' 0 "$head
vga-sr:0x01  0x41     SR01" '' dump --write mmio-sr:SR01
expect 'the BAR: written, and named so' 0 'mmio-sr:SR01  0x41 -> 0x42 -> 0x42
mmio-sr:SR01  0x42 -> 0x41 -> 0x41
mmio8:MSR_WRITE  unread -> 0x67 -> unread
mmio-sr:SR02  0x41 -> 0x22 -> 0x22' '' sh_ --write --force \
	-c 'mmio-sr:SR01 = 0x42; undo; mmio8:MSR_WRITE = 0x67; mmio-sr:0x02 = 0x22'
changed 'the BAR: those bytes alone' '' '0x3c2=147 0x3c5=42'
expect 'the BAR: other bytes are not written' 2 '' \
	'gpu-sh: mmio8:0x45400: only 32 bits are written at once*' \
	sh_ --write -c 'mmio8:0x45400 = 1'

# What is not there, not permitted, or somebody else's.
machine 0x0102 4
expect 'an index that there is not' 2 '' 'gpu-regdump: vga-sr:0x100: there is no such index*' \
	dump --write vga-sr:0x100
expect 'no port to be written' 2 '' 'gpu-sh: 0000:00:02.0: 0x3e0 is not one of its ports*' \
	sh_ --write -c 'io:0x3e0 = 1'
expect 'a sideband that there is not' 2 '' 'gpu-regdump: sideband:0x40010: *has no sideband*' \
	dump punit:0x10
put "$port" 0x3cc 377
put "$port" 0x3c4 377
expect 'nobody answers' 5 '' 'gpu-regdump: SRX (0x3c4): the device reads as all ones*' dump SRX
expect 'nobody answers: no index is written' 5 '' 'gpu-sh: SR01: not written*all-ones*' \
	sh_ --write -c 'SR01 = 1'
remember
poke "$gpu/config" 4 0x00100006
expect 'its I/O decoding is off' 3 '' '*its I/O decoding is off*' dump MSR
expect 'its I/O decoding is off: not written' 1 '' 'gpu-sh: 0000:00:02.0: its I/O decoding is off*' \
	sh_ --write -c 'SR01 = 1'
changed 'nobody answers: not a byte' '' ''
machine 0x0102 4
rm "$port"
expect 'no ports' 3 '' '*/dev/port: No such file*' dump MSR
expect 'no ports: the BAR has them' 0 "$head
io:0x3cc  0x00        MSR" '' dump mmio-vga:MSR
if command -v strace >/dev/null; then
	machine 0x0102 4
	expect 'no ports for us' 4 '' \
		'gpu-regdump: MSR (0x3cc): *: /dev/port: * forbids the use of I/O ports*' \
		in_ports env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/strace" -P /dev/port \
		-e trace=openat -e inject=openat:error=EPERM "$GPU_REGDUMP" -q MSR
fi

# The pair of the I/O BAR.
machine 0x0102 4
truncate -s 64 "$gpu/resource4"
poke "$gpu/resource4" 0 0x00002030 0x12345678
expect 'the I/O BAR' 0 "$head
io:0x00  0x00002030   MMIO_INDEX
io:0x04  0x12345678   MMIO_DATA" '' dump --unsafe MMIO_INDEX MMIO_DATA
expect 'the I/O BAR: written' 0 'MMIO_INDEX  0x00002030 -> 0x00002034 -> 0x00002034' '' \
	sh_ --write -c 'MMIO_INDEX = 0x2034'
same 'the I/O BAR: that dword alone' "$(od -An -tx4 -w8 -N 8 "$gpu/resource4" | tr -s ' ')" \
	' 00002034 12345678'

# The mirror of MCHBAR.
poke "$gpu/resource0" 0x145004 0x00600810
expect 'MCHBAR' 0 "$head
0x145004  0x00600810  MAD_DIMM_C0
0x145004  0x0810
0x145006  0x60" '' dump mchbar:0x5004 mchbar16:0x5004 mchbar8:0x5006
expect 'MCHBAR: what is none of it' 3 '' 'gpu-regdump: mchbar:RING_BUFFER_TAIL: * is not a register of mchbar' \
	dump mchbar:RING_BUFFER_TAIL
expect 'MCHBAR: past its end' 3 '' 'gpu-regdump: mchbar:0x40000: the mirror of MCHBAR has 0x40000*' \
	dump mchbar:0x40000

command -v strace >/dev/null || finish
machine 0x0102 4
# What of the device is opened or mapped to be written.
opened() {
	in_ports env ASAN_OPTIONS=detect_leaks=0 strace -f -qq -y -e trace=open,openat,mmap \
		-o "$work/trace" "$@" >/dev/null 2>&1 || :
	grep -E '/resource[0-9]*[">]|/dev/port"' "$work/trace" |
		grep -cE 'O_RDWR|O_WRONLY|PROT_WRITE'
}
for words in 'MSR SRX' 'SR01' 'mmio-sr:SR01 mmio8:MSR' '--write MSR mmio8:MSR'; do
	# shellcheck disable=SC2086
	same "nothing is opened to be written: $words" "$(opened "$GPU_REGDUMP" $words)" 0
done
same 'an index is' "$(opened "$GPU_REGDUMP" --write SR01)" 1
finish
