#!/bin/sh
# SPDX-License-Identifier: MIT
# Platform, BAR layout, reads and mappings of devices that are made of files.
. "$(dirname "$0")/lib.sh"

fresh
fake_gpu 0000:00:02.0 0x0102 0x09 4
held_awake
poke "$gpu/resource0" 0x2080 0x1ffff000
poke "$gpu/resource0" 0x1ffffc 0x11223344
poke "$gpu/resource0" 0x200000 0xaaaa0001 0xbbbb0003
poke "$gpu/resource0" 0x3ffffc 0x5a5a5a5a
expect 'snb: identity' 0 'snb 0x0102 0x09' '' in_devices "$PROBE" identity
expect 'snb: registers and GGTT' 0 '0x1ffff000
0x11223344
0xaaaa0001
0xbbbb0003
0xbbbb0003aaaa0001
0x5a5a5a5a
absent
absent' '' in_devices "$PROBE" mmio:0x2080:4 mmio:0x1ffffc:4 ggtt:0:4 ggtt:4:4 ggtt:0:8 \
	ggtt:0x1ffffc:4 mmio:0x200000:4 ggtt:0x200000:4
expect 'snb: mapped in two parts, read-only' 0 '0x0
r--s 0x200000 0x200000
r--s 0x0 0x200000' '' in_devices "$PROBE" ggtt:8:4 maps
expect 'snb: extents' 0 'mmio 0x0+0x200000
ggtt 0x0+0x200000
config 0x0+0x100
phys none' '' in_devices "$PROBE" extent:mmio extent:ggtt extent:config extent:phys

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
poke "$gpu/resource0" 0x2358 0x89abcdef 0x01234567
poke "$gpu/resource0" 0x800000 0xcafe0003 0x00000012
poke "$gpu/resource0" 0xfffff8 0x00001001 0x00000000
poke "$gpu/config" 0x50 0x000000c1
expect 'skl: identity' 0 'skl 0x1912 0x06' '' in_devices "$PROBE" identity
expect 'skl: widths' 0 '0x89abcdef
0x1234567
0x123456789abcdef
0xcdef
0x89ab
0xab
0x23' '' in_devices "$PROBE" mmio:0x2358:4 mmio:0x235c:4 mmio:0x2358:8 mmio:0x2358:2 \
	mmio:0x235a:2 mmio:0x235a:1 mmio:0x235e:1
expect 'skl: GGTT entries are of 64 bits' 0 '0x12cafe0003
0xcafe0003
0x12
0x1001
absent' '' in_devices "$PROBE" ggtt:0:8 ggtt:0:4 ggtt:4:4 ggtt:0x7ffff8:8 ggtt:0x800000:8
expect 'skl: misaligned, and between registers and GGTT' 0 'absent
absent
absent' '' in_devices "$PROBE" mmio:0x2359:4 mmio:0x200000:4 mmio:0x800000:4
expect 'skl: config space' 0 '0x8086
0x1912
0xc1
absent' '' in_devices "$PROBE" config:0:2 config:2:2 config:0x50:4 config:0x100:4
expect 'skl: only what is read is mapped' 0 'r--s 0x0 0x200000' '' in_devices "$PROBE" maps
expect 'skl: without BAR' 0 'skl 0x1912 0x06
absent
absent
0x8086' '' in_devices "$PROBE" -n identity mmio:0x2358:4 ggtt:0:8 config:0:2 maps
expect 'skl: open twice' 0 '0x89abcdef' '' in_devices "$PROBE" again mmio:0x2358:4

fresh
fake_gpu 0000:00:02.0 0x8a52 0x07 16
held_awake
poke "$gpu/resource0" 0x2358 0x00000007
poke "$gpu/resource0" 0x800008 0x00002001 0x00000000
expect 'icl: identity and reads' 0 'icl 0x8a52 0x07
0x7
0x2001' '' in_devices "$PROBE" identity mmio:0x2358:4 ggtt:8:8

fresh
fake_gpu 0000:00:02.0 0xfff1 0x01 16
held_awake
poke "$gpu/resource0" 0x2358 0x00000007
expect 'unknown id: raw registers, no GGTT' 0 '- 0xfff1 0x01
0x7
absent
absent' '' in_devices "$PROBE" identity mmio:0x2358:4 mmio:0x200000:4 ggtt:0:8
expect 'unknown id: platform given' 0 'skl 0xfff1 0x01
0x0' '' in_devices "$PROBE" -p skl identity ggtt:0:8

fresh
fake_gpu 0000:00:02.0 0x1912 0x06 16
held_awake
mkdir -p "$gpu/drm/card0" "$gpu/drm/renderD128" "$gpu/drm/controlD64" "$gpu/iommu_group"
echo DMA-FQ >"$gpu/iommu_group/type"
ln -s ../../drivers/i915 "$gpu/driver"
fake_gpu 0000:03:00.0 0x56a0 0x08 16
held_awake
rm -r "$gpu/power"
expect 'the list of GPUs' 0 \
	'0000:00:02.0 0x1912 0x06 skl driver=i915 nodes=card0 renderD128 power=active iommu=DMA-FQ
0000:03:00.0 0x56a0 0x08 dg2 driver= nodes= power= iommu=' '' in_devices "$PROBE" gpus

if command -v strace >/dev/null; then
	in_devices env ASAN_OPTIONS=detect_leaks=0 strace -f -o "$work/trace" \
		-e trace=openat,mmap "$PROBE" -s 00:02.0 ggtt:0:8 mmio:0x2358:4 >/dev/null
	same 'nothing under /sys is opened for writing' 0 \
		"$(grep '"/sys/' "$work/trace" | grep -c 'O_RDWR\|O_WRONLY')"
	same 'nothing shared is mapped writable' 0 \
		"$(grep MAP_SHARED "$work/trace" | grep -c PROT_WRITE)"
	same 'both parts were mapped' 2 \
		"$(grep -c 'mmap(.*PROT_READ, MAP_SHARED' "$work/trace")"
fi
finish
