#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes: the bytes that were asked for change and no others, and nothing at all is mapped writable
# before that, or without being asked.
. "$(dirname "$0")/lib.sh"

skl() {
	fresh
	fake_gpu 0000:00:02.0 0x1912 0x06 16
	poke "$gpu/config" 0x50 0x000000c1
	remember
}

remember() {
	cp "$gpu/resource0" "$work/before"
}

# changed TITLE [OFFSET...]: the dwords that have, since remember, and all of their bytes with them
changed() {
	changed_title=$1
	shift
	same "$changed_title" "$(cmp -l "$work/before" "$gpu/resource0" |
		awk '{ at = $1 - 1; at -= at % 4; if (at != last) printf "0x%x ", at; last = at }
			BEGIN { last = -1 }' | sed 's/ $//')" "$*"
}

# mapped ARGUMENT...: how the BAR is mapped after that
mapped() {
	in_devices "$PROBE" "$@" maps | grep ^r | sort
}

skl
expect 'not asked to: refused' 2 '' 'probe: 0000:00:02.0: not written: needs --write' \
	in_devices "$PROBE" 'write:0x1fc000 = 0x12345678'
same 'not asked to: nothing is mapped writable' "$(mapped mmio:0x1fc000:4)" 'r--s 0x0 0x200000'
changed 'not asked to: not a byte' ''
same 'asked to, but nothing is written: nothing is mapped writable' \
	"$(mapped -W mmio:0x1fc000:4 ggtt:0:8)" 'r--s 0x0 0x200000
r--s 0x800000 0x800000'
expect 'asked to' 0 '0x1fc000 0x0 -> 0x12345678 -> 0x12345678 bits 0xffffffff lost 0x0' '' \
	in_devices "$PROBE" -W 'write:0x1fc000 = 0x12345678'
changed 'asked to: one dword' 0x1fc000
same 'asked to: its value' "$(peek "$gpu/resource0" 0x1fc000)" 12345678
same 'asked to: the registers are mapped, the GGTT is not' \
	"$(mapped -W 'write:0x1fc000 = 0x12345678')" 'r--s 0x0 0x200000
rw-s 0x0 0x200000'
same 'asked to: so many bytes' "$(cmp -l "$work/before" "$gpu/resource0" | wc -l)" 4

skl
expect 'put back' 0 '0x1fc000 0x0 -> 0x12345678 -> 0x12345678 bits 0xffffffff lost 0x0
0x1fc000 0x12345678 -> 0x0 -> 0x0 bits 0xffffffff lost 0x0' '' \
	in_devices "$PROBE" -W 'write:0x1fc000 = 0x12345678' undo
changed 'put back: as before' ''
expect 'a register that is unknown' 3 '' 'probe: W_NOWHERE: unknown register of skl*' \
	in_devices "$PROBE" -W 'write:W_NOWHERE = 1'
expect 'a hazard' 2 '' "probe: PP_CONTROL:POWER_ON: not without --force: switches the panel's power" \
	in_devices "$PROBE" -W 'write:PP_CONTROL:POWER_ON = 1'
expect 'nothing interrupts any more' 2 '' \
	'probe: MASTER_IRQ: not without --force: while it is 0 nothing interrupts*' \
	in_devices "$PROBE" -W 'write:GEN8_MASTER_IRQ = 0'
expect 'read-only' 2 '' 'probe: PP_STATUS: it is read-only' \
	in_devices "$PROBE" -W 'force:PP_STATUS = 1'
changed 'refused: not a byte' ''

# What sleeps would lose a write.
skl
expect 'asleep' 5 '' 'probe: 0000:00:02.0: asleep: a write would be lost*render*--wake=registers*' \
	in_devices "$PROBE" -W -w none 'write:rcs0.MI_PREDICATE_SRC0 = 1'
expect 'asleep: and nobody to wake it' 5 '' 'probe: 0000:00:02.0: asleep*' \
	in_sys "$PROBE" -W 'write:rcs0.MI_PREDICATE_SRC0 = 1'
changed 'asleep: not a byte' ''
poke "$gpu/resource0" 0xd84 1
remember
expect 'kept awake by somebody' 0 \
	'rcs0.MI_PREDICATE_SRC0 0x0 -> 0x1122334455667788 -> 0x1122334455667788 bits 0xffffffffffffffff lost 0x0' \
	'' in_devices "$PROBE" -W -w none 'write:rcs0.MI_PREDICATE_SRC0 = 0x1122334455667788'
changed 'kept awake by somebody: two dwords' 0x2400 0x2404
remember
expect 'half of it' 0 \
	'rcs0.MI_PREDICATE_SRC0 0x1122334455667788 -> 0x1122334400000000 -> 0x1122334400000000 bits 0xffffffff lost 0x0' \
	'' in_devices "$PROBE" -W -w none 'write:rcs0.MI_PREDICATE_SRC0 &= 0xffffffff00000000'
changed 'half of it: one dword' 0x2400
expect 'woken by its registers' 0 \
	'rcs0.CTX_SR_CTL:ENGINE_CTX_RESTORE_INHIBIT 0x0 -> 0x10001 -> 0x10001 bits 0x1 lost 0x0' '' \
	in_devices "$PROBE" -W -w registers 'write:rcs0.CTX_SR_CTL:ENGINE_CTX_RESTORE_INHIBIT = 1'
changed 'woken by its registers: and let sleep' 0x2244 0x2400 0xa278

# Away between the open and the write: told, and nothing is written.
elsewhere=$work/elsewhere
for gone in "rm -r $gpu" "rm $gpu/resource0" "printf '\\377\\377' | dd of=$gpu/config conv=notrunc"; do
	skl
	rm -f "$elsewhere"
	ln "$gpu/resource0" "$elsewhere"
	status=0
	in_devices "$PROBE" -W "sh:$gone 2>/dev/null" 'write:0x1fc000 = 0x12345678' >"$work/out" \
		2>"$work/err" || status=$?
	case $gone in
	*resource0) same "$gone: the status" 1 "$status" ;;
	*) same "$gone: the status" 5 "$status" ;;
	esac
	same "$gone: nothing is claimed" '' "$(cat "$work/out")"
	same "$gone: not a byte" "$(cmp "$work/before" "$elsewhere")" ''
	same "$gone: told" 1 "$(grep -c '^probe: 0000:00:02.0: .*\(gone\|No such\|resource0\)' "$work/err")"
done

# A value as it was read may be written, reserved bits and all, but sets none.
skl
poke "$gpu/resource0" 0xd84 1
poke "$gpu/resource0" 0x2038 0x00001801
remember
expect 'reserved bits as they are' 0 \
	'rcs0.RING_BUFFER_START 0x1801 -> 0x2801 -> 0x2801 bits 0xfffff000 lost 0x0' '' \
	in_devices "$PROBE" -W -w none 'write:rcs0.RING_BUFFER_START = 0x2801'
expect 'reserved bits that are not given' 0 \
	'rcs0.RING_BUFFER_START 0x2801 -> 0x3801 -> 0x3801 bits 0xfffff000 lost 0x0' '' \
	in_devices "$PROBE" -W -w none 'write:rcs0.RING_BUFFER_START = 0x3000'
expect 'reserved bits that are not set' 2 '' \
	'probe: rcs0.RING_BUFFER_START: bits 0x4: reserved and now zero, so they are not set; --force *' \
	in_devices "$PROBE" -W -w none 'write:rcs0.RING_BUFFER_START = 0x4005'
same 'reserved bits that are not set: not written' "$(peek "$gpu/resource0" 0x2038)" 00003801

# Entries of the GGTT: a store of their size, then the flush; of the table one page is writable.
skl
expect 'an entry' 0 \
	'ggtt:0x2008 0x0 -> 0x1122334455667001 -> 0x1122334455667001 bits 0xffffffffffffffff lost 0x0' \
	'' in_devices "$PROBE" -W 'write:ggtt:0x2008 = 0x1122334455667001'
changed 'an entry: its two dwords, and the flush' 0x101008 0x802008 0x80200c
same 'an entry: one page of the table is writable, that of the last' \
	"$(mapped -W 'force:ggtt:0x2008 = 0' 'write:ggtt:0x3000 = 0')" 'r--s 0x0 0x200000
r--s 0x800000 0x800000
rw-s 0x0 0x200000
rw-s 0x803000 0x1000'
# One that is valid is somebody's; what was written may be put back.
skl
poke "$gpu/resource0" 0x802008 0x55667001 0x11223344
remember
expect 'a live entry' 2 '' 'probe: ggtt:0x2008: not without --force: the entry is valid (0x1122334455667001)*' \
	in_devices "$PROBE" -W 'write:ggtt:0x2008 = 0x1001'
changed 'a live entry: not a byte' ''
expect 'a live entry, forced' 0 \
	'ggtt:0x2008 0x1122334455667001 -> 0x1001 -> 0x1001 bits 0xffffffffffffffff lost 0x0' '' \
	in_devices "$PROBE" -W 'force:ggtt:0x2008 = 0x1001'
skl
expect 'an entry put back' 0 'ggtt:0x10 0x0 -> 0x1001 -> 0x1001 bits 0xffffffffffffffff lost 0x0
ggtt:0x10 0x1001 -> 0x0 -> 0x0 bits 0xffffffffffffffff lost 0x0' '' \
	in_devices "$PROBE" -W 'write:ggtt:0x10 = 0x1001' undo
poke "$gpu/config" 0x50 0x00000041
expect 'an entry beyond the table' 3 '' 'probe: 0000:00:02.0: its GGTT ends at 0x200000' \
	in_devices "$PROBE" -W 'write:ggtt:0x200000 = 1'
fresh
fake_gpu 0000:00:02.0 0x0102 0x09 4
poke "$gpu/resource0" 0x200010 0x11111111 0x22222222 0x33333333
remember
expect 'an entry of 4 bytes' 0 \
	'ggtt:0x14 0x22222222 -> 0x12345001 -> 0x12345001 bits 0xffffffff lost 0x0' '' \
	in_devices "$PROBE" -W 'write:ggtt:0x14 = 0x12345001'
changed 'an entry of 4 bytes: alone' 0x101008 0x200014
fresh
fake_gpu 0000:00:02.0 0xa011 0x02 1
fake_table 1
remember
expect 'an entry in BAR 3' 0 \
	'ggtt:0x14 0x0 -> 0x12345001 -> 0x12345001 bits 0xffffffff lost 0x0' '' \
	in_devices "$PROBE" -W 'write:ggtt:0x14 = 0x12345001'
changed 'an entry in BAR 3: nothing in BAR 0' ''
same 'an entry in BAR 3: there' "$(peek "$gpu/resource3" 0x14)" 12345001
fresh
fake_gpu 0000:00:02.0 0x7d55 0x08 16
remember
expect 'a table that must not be touched' 2 '' 'probe: ggtt:0: the GGTT of mtl is not written*hang*' \
	in_devices "$PROBE" -uW 'force:ggtt:0 = 1'
changed 'a table that must not be touched: it is not' ''

# Nothing but a device, and only as the kernel lets us.
skl
poke "$work/bar" 0 0
truncate -s 2M "$work/bar"
expect 'a dump' 2 '' "probe: bar:*: a dump cannot be written, only a device can" \
	in_devices "$PROBE" -W -p skl -s "bar:$work/bar" 'write:0x1fc000 = 1'
expect 'identity only' 1 '' 'probe: 0000:00:02.0: its registers are not open' \
	in_devices "$PROBE" -nW 'write:0x1fc000 = 1'
truncate -s 1M "$gpu/resource0"
expect 'a BAR that ends before it' 3 '' '*its BAR ends before 0x1fc000' \
	in_devices "$PROBE" -W 'write:0x1fc000 = 1'
skl
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$PROBE" 2>/dev/null; then
	expect 'not root' 4 '' 'probe: 0000:00:02.0: permission denied: run as root' \
		in_devices setpriv --reuid 65534 --clear-groups "$PROBE" -W 'write:0x1fc000 = 1'
	chmod 644 "$gpu/resource0"
	expect 'not root, though it may read' 4 '' 'probe: 0000:00:02.0: permission denied: run as root' \
		in_devices setpriv --reuid 65534 --clear-groups "$PROBE" -W 'write:0x1fc000 = 1'
	chmod 600 "$gpu/resource0"
fi
changed 'not root: not a byte' ''

# gpu-regdump --write NAME=VALUE: as the shell writes, confined as it is, in the shell's journal.
regdump() {
	in_devices env HOME="$work" NO_COLOR=1 "$GPU_REGDUMP" --wake=none "$@"
}
journal=$work/.local/state/gpuscope/journal
skl
expect 'gpu-regdump: a dry run' 0 'read   0x1fc000  (the current value)
write  0x1fc000 = 0x00000012
read   0x1fc000  (read back, which also posts the write)' '' regdump --write -n 0x1fc000=0x12
expect 'gpu-regdump: the second cannot be planned' 3 '' 'gpu-regdump: X: unknown register of skl*' \
	regdump --write 0x1fc000=0x12 X=1
expect 'gpu-regdump: the second is a hazard' 2 '' 'gpu-regdump: PP_CONTROL:POWER_ON: not without --force*' \
	regdump --write 0x1fc000=0x12 PP_CONTROL:POWER_ON=1
expect 'gpu-regdump: one is no assignment' 2 '' 'gpu-regdump: 0x1fc004: expected NAME=VALUE*' \
	regdump --write 0x1fc000=0x12 0x1fc004
expect 'gpu-regdump: asleep' 5 '' 'gpu-regdump: 0000:00:02.0: asleep: a write would be lost*' \
	regdump --write rcs0.MI_MODE:STOP_RINGS=normal --force
changed 'gpu-regdump: refused: not a byte' ''
same 'gpu-regdump: refused: nothing recorded' '' "$(cat "$journal")"
expect 'gpu-regdump: two writes' 0 '0x1fc000  0x00000000 -> 0x00000012 -> 0x00000012
0x1fc004  0x00000000 -> 0x00000034 -> 0x00000034' '' regdump --write 0x1fc000=0x12 0x1fc004=0x34
changed 'gpu-regdump: two writes: these' 0x1fc000 0x1fc004
same 'gpu-regdump: two writes: their record' '0x1fc000 = 0x12  # skl, live: was 0x00000000
0x1fc004 = 0x34  # skl, live: was 0x00000000' \
	"$(sed 's/# [-0-9T:]*Z, process [0-9]*,/#/' "$journal")"
poke "$gpu/resource0" 0xd84 1
expect 'gpu-regdump: a masked register, by the name of a value' 0 \
	'rcs0.MI_MODE:STOP_RINGS  0x00000000 -> 0x01000100 -> 0x01000100
    31:16   MASK                          0x0 -> 0x100
        8   STOP_RINGS                    0x0 -> 0x1          normal -> stopped' \
	'gpu-regdump: *: a killed command or another program left the forcewake of render on*' \
	regdump --write rcs0.MI_MODE.STOP_RINGS=stopped --force
poke "$gpu/resource0" 0x802010 0x1001
remember
expect 'gpu-regdump: what is refused at the device ends it' 2 \
	'0x1fc000  0x00000012 -> 0x00000013 -> 0x00000013' \
	'gpu-regdump: ggtt:0x2010: not without --force: *; not written after that: 0x1fc004=5 *' \
	regdump --write 0x1fc000=0x13 ggtt:0x2010=0x2001 0x1fc004=5
changed 'gpu-regdump: what is refused at the device: the first alone' 0x1fc000
if command -v jq >/dev/null; then
	same 'gpu-regdump: as JSON' '["0x1fc000=0x14","0x13","0x14","0x14",null]
["ggtt:0x2010=0x2001","not without"]
["0x1fc004=5","one before "]' "$(regdump --write -j 0x1fc000=0x14 ggtt:0x2010=0x2001 0x1fc004=5 \
		2>/dev/null | jq -c '.writes[] | if .reason then [.given, .reason[0:11]]
			else [.given, .old, .written, .back, .problem] end')"
fi
remember
rm -r "$work/.local"
: >"$work/.local"
expect 'gpu-regdump: no journal' 1 '' \
	'gpu-regdump: */gpuscope/journal: no writes, as the journal cannot be written: *; XDG_STATE_HOME=FOLDER *' \
	regdump --write 0x1fc000=0x15
changed 'gpu-regdump: no journal: not a byte' ''
rm "$work/.local"

command -v strace >/dev/null || finish
# traced COMMAND...: what of the BAR is opened or mapped to be written
traced() {
	in_devices env ASAN_OPTIONS=detect_leaks=0 strace -f -y -o "$work/trace" \
		-e trace=openat,open,mmap,mmap2,mprotect "$@" >/dev/null 2>&1
	grep -E '/resource[0-9]*[">]' "$work/trace" | grep -cE 'O_RDWR|O_WRONLY|PROT_WRITE'
}
# untouched COMMAND...: none of it, though the BAR is read
untouched() {
	untouched_title=$(basename "$1") && untouched_title="$untouched_title${2+ $2}"
	same "nothing is opened or mapped to be written: $untouched_title" "$(traced "$@")" 0
	same "but the BAR is mapped: $untouched_title" \
		"$(grep -q 'PROT_READ.*/resource0>' "$work/trace" && echo yes)" yes
}
untouched "$PROBE" -u mmio:0x1fc000:4 ggtt:0:8 gttmem:0:4 lmem:0:4 phys:0:4 extents:gttmem
untouched "$PROBE" 'write:ggtt:0 = 1'
untouched "$PROBE" 'force:0x1fc000 = 1'
untouched "$PROBE" -W mmio:0x1fc000:4 ggtt:0:8
untouched "$GPU_REGDUMP" -q --unsafe
untouched "$GPU_PTWALK" --map
untouched "$GPU_SNAP" save -o /dev/null
same 'that would be seen' "$(traced "$PROBE" -W 'write:0x1fc000 = 1')" 2
skl
expect 'the kernel maps it to be read only' 4 '' 'probe: 0000:00:02.0: *container*' \
	in_devices env ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/null \
	-P /sys/bus/pci/devices/0000:00:02.0/resource0 -e trace=mmap \
	-e inject=mmap:error=EPERM:when=2 "$PROBE" -W 'write:0x1fc000 = 1'
changed 'the kernel maps it to be read only: not a byte' ''
finish
