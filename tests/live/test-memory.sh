#!/bin/sh
# SPDX-License-Identifier: MIT
# Physical memory, stolen memory and the GGTT of a machine that is made of files.
. "$(dirname "$0")/lib.sh"

# 1 MB of RAM at 0x1000, 64 KB of it in kcore; 32 MB of stolen memory at 0x7c000000, 8 MB of GGTT
# below it; an aperture of 16 MB.
machine() {
	fresh
	fake_gpu 0000:00:02.0 "$1" 0x06 16
	held_awake
	fake_aperture 16
	poke "$gpu/config" 0x50 0x000001c0
	poke "$gpu/config" 0x5c 0x7c000001
	poke "$gpu/config" 0xc0 0x7c000001 0x00000000
	fake_kcore 3
	kcore_segment 0 0xffffffffffffffff 0x2000 0x10000
	kcore_segment 1 0 0x3000 0x10000
	kcore_segment 2 0x1000 0x4000 0x10000
	poke "$work/proc/kcore" 0x4000 0x11111111 0x22222222
	poke "$work/proc/kcore" 0x5ff8 0x33333333 0x44444444
	cat >"$work/proc/iomem" <<-'MAP'
		00000000-00000fff : Reserved
		00001000-00100fff : System RAM
		  00002000-00002fff : Kernel code
		7b000000-7fffffff : Reserved
		80000000-febfffff : PCI Bus 0000:00
		  fd000000-fdffffff : 0000:00:02.0
	MAP
	mkdir -p "$work/dev"
	truncate -s 2G "$work/dev/mem"
	poke "$work/dev/mem" 0x10 0x55555555
	poke "$work/dev/mem" 0x1000 0xbadbad00
	poke "$work/dev/mem" 0x7b000000 0x66666666
	poke "$work/dev/mem" 0x7c003000 0xbadbad01
	poke "$gpu/resource0" 0x800010 0x7c003001 0
	poke "$gpu/resource0" 0x800018 0x00001001 0
	poke "$gpu/resource0" 0x800020 0x00012001 0
	poke "$gpu/resource0" 0x808000 0x7c004001 0
	poke "$gpu/resource2" 0x2000 0x77777777 0x88888888
	poke "$gpu/resource2" 0x3000 0xbadbad02
}

closed='stolen memory: closed to the CPU: it can be read only where the aperture maps it and no fence covers it'

machine 0x1912
expect 'RAM, firmware memory, nothing' 0 '0x2222222211111111
0x22222222
0x4444444433333333
absent
0x55555555
0x66666666
absent
absent' '' in_machine "$PROBE" phys:0x1000:8 phys:0x1004:4 phys:0x2ff8:8 phys:0x11000:4 \
	phys:0x10:4 phys:0x7b000000:4 phys:0xfd000000:4 phys:0x100000000:4 notes
expect 'stolen memory, through the aperture' 0 "0x8888888877777777
0x88
absent
absent
absent
$closed" '' in_machine "$PROBE" phys:0x7c003000:8 phys:0x7c003007:1 phys:0x7c004000:4 \
	phys:0x7c005000:4 phys:0x7b900000:4 notes
expect 'memory by graphics address' 0 '0x88888888
0x11111111
absent
absent
absent' '' in_machine "$PROBE" gttmem:0x2004:4 gttmem:0x3000:4 gttmem:0x4000:4 gttmem:0x5000:4 \
	gttmem:0x100000000:4 notes
expect 'mapped apart and read-only' 0 '0x8888888877777777
r--s 0x0 0x1000000
r--s 0x800000 0x800000
r--s 0x0 0x200000' '' in_machine "$PROBE" phys:0x7c003000:8 maps
expect 'extents' 0 'phys 0x0+0x1000
phys 0x1000+0x10000
phys 0x7b000000+0x800000
phys 0x7c003000+0x1000
phys 0x7e000000+0x2000000' '' in_machine "$PROBE" extents:phys
expect 'extents of graphics addresses' 0 'gttmem 0x2000+0x2000' '' \
	in_machine "$PROBE" extents:gttmem notes
poke "$gpu/config" 0x50 0x00000140
expect 'GGC tells the size of the GGTT' 0 'ggtt 0x0+0x200000
0x7c004001
absent' '' in_machine "$PROBE" extent:ggtt ggtt:0x8000:8 ggtt:0x200000:8
if command -v strace >/dev/null; then
	in_machine env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=openat \
		"$PROBE" mmio:0x2080:4 config:0x50:2 ggtt:0:8 >/dev/null
	same 'memory is not opened before it is wanted' 0 \
		"$(grep -c '/proc/kcore\|/proc/iomem\|/dev/mem\|/resource2' "$work/trace")"
	in_machine env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=openat,mmap \
		"$PROBE" phys:0x1000:8 phys:0x10:4 phys:0x7c003000:8 gttmem:0x3000:4 >/dev/null
	same 'four files have it' 4 \
		"$(grep -c '/proc/kcore\|/proc/iomem\|/dev/mem\|/resource2' "$work/trace")"
	same 'nothing is opened for writing' 0 \
		"$(grep '"/sys/\|"/proc/\|"/dev/' "$work/trace" | grep -v '"/proc/mtrr"' |
			grep -c 'O_RDWR\|O_WRONLY')"
	same 'nothing shared is mapped writable' 0 \
		"$(grep MAP_SHARED "$work/trace" | grep -c PROT_WRITE)"
fi

# An IOMMU: what the GGTT holds is no physical address, but for stolen memory.
mkdir -p "$gpu/iommu_group"
echo DMA-FQ >"$gpu/iommu_group/type"
expect 'behind an IOMMU' 0 'iommu 1
0x88888888
absent
0x11111111
0000:00:02.0: an IOMMU translates its addresses: those in its GGTT are not memory addresses' '' \
	in_machine "$PROBE" iommu gttmem:0x2004:4 gttmem:0x3000:4 phys:0x1000:4 notes
echo identity >"$gpu/iommu_group/type"
expect 'an IOMMU that leaves it alone' 0 'iommu 0
0x11111111' '' in_machine "$PROBE" iommu gttmem:0x3000:4 notes
rm -r "$gpu/iommu_group"
expect 'no IOMMU' 0 'iommu 0' '' in_machine "$PROBE" iommu

# Fences: a tiled range reads otherwise than it lies.
machine 0x1912
poke "$gpu/resource0" 0x100000 0x00002001 0x00002003
expect 'a fence over it' 0 "absent
$closed" '' in_machine "$PROBE" phys:0x7c003000:4 notes

# The base of the table's own, where a register tells it, moves what the CPU does not read.
machine 0x1912
poke "$gpu/resource0" 0x108100 0x7b400001
expect 'the table begins earlier than its size says' 0 'phys 0x7b000000+0x400000
absent' '' in_machine "$PROBE" extent:phys:0x7b000000 phys:0x7b400000:4
machine 0x0f31
poke "$gpu/config" 0x50 0x00000208
poke "$gpu/config" 0x70 0x7be00000
expect 'Bay Trail has it in config space' 0 'phys 0x7b000000+0xe00000' '' \
	in_machine "$PROBE" extent:phys:0x7b000000

# What is not there.
machine 0x1912
rm "$gpu/resource2"
expect 'no file for the aperture' 0 'absent
0000:00:02.0: cannot be mapped: this kernel has no file /sys/bus/pci/devices/0000:00:02.0/resource2
'"$closed" '' in_machine "$PROBE" phys:0x7c003000:4 notes
machine 0x1912
rm "$work/proc/kcore" "$work/dev/mem"
expect 'neither kcore nor mem' 0 'absent
absent
0x77777777
/proc/kcore: not provided by this kernel (CONFIG_PROC_KCORE)
/dev/mem: not provided by this kernel (CONFIG_DEVMEM)' '' in_machine "$PROBE" phys:0x1000:4 phys:0x10:4 \
	phys:0x7c003000:4 notes
machine 0x1912
sed -i 's/[0-9a-f]\{8\}/00000000/g' "$work/proc/iomem"
expect 'addresses hidden' 0 'denied
0x77777777
/proc/iomem: hides the addresses: run outside this container' '' \
	in_machine "$PROBE" phys:0x1000:4 phys:0x7c003000:4 notes
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$PROBE" 2>/dev/null; then
	machine 0x1912
	chmod 400 "$work/proc/kcore" "$work/dev/mem"
	expect 'not root' 0 'denied
denied
/proc/kcore: permission denied: run as root
/dev/mem: permission denied: run as root' '' in_machine setpriv --reuid 65534 --clear-groups \
		env ASAN_OPTIONS=detect_leaks=0 "$PROBE" -n phys:0x1000:4 phys:0x10:4 notes
	chmod 600 "$work/proc/kcore" "$work/dev/mem"
fi

# GGTT and stolen memory of Meteor Lake are not read through BARs unless told.
meteor_lake() {
	machine 0x7d55
	truncate -s 4M "$gpu/resource0"
	truncate -s 16M "$gpu/resource0"
	poke "$gpu/resource0" 0x108040 0x000001c0
	poke "$gpu/resource0" 0x1080c0 0x7c000000 0
	poke "$gpu/resource0" 0x800010 0x00805003 0
	poke "$gpu/resource2" 0x805000 0x99999999
}
hang='its GGTT is not read without --unsafe: reads of the GGTT or of stolen memory through a BAR can hang this platform'
meteor_lake
expect 'a platform that may hang' 0 "skipped
skipped
skipped
ggtt none
0x11111111
0000:00:02.0: $hang" '' in_machine "$PROBE" ggtt:0x10:8 phys:0x7c005000:4 gttmem:0x2000:4 \
	extent:ggtt phys:0x1000:4 notes
expect 'a platform that may hang: neither is mapped' 0 'skipped
skipped
r--s 0x0 0x400000' '' in_machine "$PROBE" ggtt:0x10:8 phys:0x7c005000:4 maps
expect 'a platform that may hang: it is let' 0 '0x805003
0x99999999
0x99999999' '' in_machine "$PROBE" -u ggtt:0x10:8 phys:0x7c005000:4 gttmem:0x2000:4 notes

# Local memory of discrete parts: as much of BAR 2 as there is memory.
# discrete DEVICE BAR_MIB
discrete() {
	fresh
	fake_gpu 0000:03:00.0 "$1" 0x08 16
	held_awake
	fake_aperture "$2"
	poke "$gpu/resource2" 0x2000 0x77777777 0x88888888
	poke "$gpu/resource2" $(($2 * 0x100000 - 8)) 0x11111111 0x22222222
	poke "$gpu/resource0" 0x800010 0x00002003 0
	poke "$gpu/resource0" 0x800018 0x00002001 0
}
for device in 0x56a0 0x0bd5 0xe20b 0x674c; do
	discrete $device 32
	poke "$gpu/resource0" 0x1083a0 0x00000100
	poke "$gpu/resource0" 0x108100 0x00800000 0
	expect "$device: a BAR smaller than the memory" 0 'lmem 0x0+0x2000000
0x8888888877777777
0x88
0x2222222211111111
absent
0x77777777
r--s 0x800000 0x800000
r--s 0x0 0x2000000
r--s 0x0 0x400000' '' in_devices "$PROBE" extents:lmem lmem:0x2000:8 lmem:0x2007:1 \
		lmem:0x1fffff8:8 lmem:0x2000000:4 gttmem:0x2000:4 maps
	poke "$gpu/resource0" 0x1083a0 0
	expect "$device: a BAR larger than the memory, whose register of its size is 0" 0 'lmem 0x0+0x800000
0x77777777
absent' '' in_devices "$PROBE" extents:lmem lmem:0x2000:4 lmem:0x1fffff8:8
	poke "$gpu/resource0" 0x108100 0
	expect "$device: nobody tells its size" 0 'lmem none
absent
device-local memory: its size is unknown: the device is asleep (see --wake)' '' \
		in_devices "$PROBE" extent:lmem lmem:0x2000:4 notes
done
discrete 0x4905 16
expect 'DG1: the BAR is as large as the memory' 0 'lmem 0x0+0x1000000
0x77777777
0x77777777' '' in_devices "$PROBE" extents:lmem lmem:0x2000:4 gttmem:0x2000:4
machine 0x1912
expect 'no local memory' 0 'lmem none
absent' '' in_machine "$PROBE" extent:lmem lmem:0x2000:4

# Saved in blocks, byte for byte what there is, and what there is none of is not there.
if [ -x "${GPU_SNAP:-}" ]; then
	machine 0x1912
	head -c 49152 /dev/urandom | dd of="$work/proc/kcore" bs=4096 seek=4 conv=notrunc 2>/dev/null
	dd if=/dev/urandom of="$gpu/resource2" bs=4096 seek=2 count=1 conv=notrunc 2>/dev/null
	# saved STATUS MEM: saves a stretch of memory
	saved() {
		status=0
		in_machine "$GPU_SNAP" --no-ggtt -o "$work/capture" save --mem "$2" \
			2>"$work/stderr" || status=$?
		same "--mem $2: status" "$1" "$status"
		rm -rf "$work/unpacked"
		mkdir "$work/unpacked"
		tar -xf "$work/capture" -C "$work/unpacked"
	}
	saved 0 0x1003+49001
	same 'RAM, neither begun nor ended at a page' "$(dd if="$work/proc/kcore" bs=1 skip=16387 \
		count=49001 2>/dev/null | md5sum)" "$(cat "$work"/unpacked/phys/*.bin | md5sum)"
	saved 6 0x7c002ff0+8K
	same 'stolen memory' "$(dd if="$gpu/resource2" bs=4096 skip=2 count=1 2>/dev/null | md5sum)" \
		"$(cat "$work"/unpacked/phys/*.bin | md5sum)"
	same 'stolen memory: what is closed is missed' 1 \
		"$(grep -c 'no source holds 4096 bytes of' "$work/stderr")"
	if command -v strace >/dev/null; then
		in_machine env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" -e trace=pread64 \
			"$GPU_SNAP" --no-ggtt -o "$work/capture" save --mem 0x1000+48K 2>/dev/null
		same 'RAM in blocks' yes "$(awk '/ = 8$|, 8,/ { n++ } END { print n < 20 ? "yes" : n }' \
			"$work/trace")"
	fi
fi

# What the kernel refuses later is said.
command -v strace >/dev/null || finish

# in_traced COMMAND...: without a kcore, as strace has to find its way in /proc
in_traced() {
	# shellcheck disable=SC2016
	$namespace sh -c 'mount --bind "$0/sys" /sys && mount --bind "$0/dev" /dev &&
		mount --bind "$0/proc/iomem" /proc/iomem && exec "$@"' "$work" "$@"
}

# refused PATH CALL ERRNO[:when=N] COMMAND...
refused_run=in_traced
refused() {
	refused_path=$1 refused_call=$2 refused_error=$3
	shift 3
	"$refused_run" env ASAN_OPTIONS=detect_leaks=0 strace -f -o /dev/strace -P "$refused_path" \
		-e trace="$refused_call" -e inject="$refused_call:error=$refused_error" "$@"
}

machine 0x1912
resource0=/sys/bus/pci/devices/0000:00:02.0/resource0
resource2=/sys/bus/pci/devices/0000:00:02.0/resource2
expect 'the GGTT alone is refused' 0 '0x0
denied
denied
0000:00:02.0: PAT conflict: another program maps the BAR with another kind of caching: stop it, or boot with nopat' '' \
	refused $resource0 mmap EINVAL:when=2 "$PROBE" mmio:0x2080:4 ggtt:0:8 phys:0x7c003000:4 notes
expect 'the aperture is refused' 0 'denied
0x7c003001
0000:00:02.0: the kernel refused to map the BAR because of strict devmem or a PAT conflict: boot with iomem=relaxed or nopat' '' \
	refused $resource2 mmap EINVAL "$PROBE" phys:0x7c003000:4 ggtt:0x10:8 notes
expect 'strict devmem' 0 "denied
/dev/mem: the kernel's strict devmem forbids reading memory that a driver has claimed: boot with iomem=relaxed" '' \
	refused /dev/mem pread64 EPERM "$PROBE" phys:0x10:4 notes
expect 'no reads above the end of RAM: mapped' 0 '0x55555555
r--s 0x0 0x200000' '' refused /dev/mem pread64 EFAULT "$PROBE" phys:0x10:4 maps notes
refused_run=in_machine
expect 'kcore: a container' 0 'denied
/proc/kcore: operation not permitted: lockdown, a container or a security module forbids reading memory; to see whether it is lockdown: mount -t securityfs none /sys/kernel/security' '' \
	refused /proc/kcore openat EPERM "$PROBE" phys:0x1000:4 notes
mkdir -p "$sys/kernel/security"
echo 'none integrity [confidentiality]' >"$sys/kernel/security/lockdown"
expect 'kcore: lockdown' 0 'denied
/proc/kcore: kernel lockdown (confidentiality) forbids reading memory: disable Secure Boot, or boot without lockdown=' '' \
	refused /proc/kcore openat EPERM "$PROBE" phys:0x1000:4 notes
echo 'none [integrity] confidentiality' >"$sys/kernel/security/lockdown"
expect 'mem: lockdown' 0 'denied
0x11111111
/dev/mem: kernel lockdown (integrity) forbids reading memory: disable Secure Boot, or boot without lockdown=' '' \
	refused /dev/mem openat EPERM "$PROBE" phys:0x10:4 phys:0x1000:4 notes
finish
