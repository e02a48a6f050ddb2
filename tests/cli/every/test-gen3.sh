#!/bin/sh
# SPDX-License-Identifier: MIT
# What G33 and Pineview have otherwise than later parts: the global table in BAR 3, fences of 32
# bits in two runs, channels without L-shaped memory, commands whose dwords depend on bits.
. "$(dirname "$0")/../lib.sh"
needs gpu-batch gpu-db gpu-fault gpu-ptwalk gpu-regdump gpu-tile jq python3

python3 - "$work" <<'END'
import struct, sys

def save(name, size, *words):
    data = bytearray(size)
    for at, value in words:
        struct.pack_into("<I", data, at, value)
    open(sys.argv[1] + "/" + name, "wb").write(data)

save("bar", 512 << 10, (0x2020, 0x7ffe0001), (0x2004, 0x00c01231), (0x301c, 0x00100001),
     (0x10200, 0x402))
save("ggtt", 512 << 10, (0, 0x12345001), (4, 0x23456081), (8, 0x7f800001))
save("config", 256, (0, 0xa0118086), (4, 0x00100007), (8, 0x03000002), (0x10, 0xfe980000),
     (0x14, 0xdc01), (0x18, 0xd0000008), (0x1c, 0xfe900000), (0x50, 0x00300000),
     (0x5c, 0x7f800000))
save("batch", 36, (0, 0x7d040542), (4, 0xfffffff0), (8, 0x01102440), (12, 0x00008264),
     (16, 0x7f180001), (20, 0x3f800000), (24, 0x40000000), (28, 0x02000000), (32, 0x05000000))
END
all="bar:$work/bar ggtt:$work/ggtt config:$work/config"

title 'platforms by id'
for pair in 0x29c2:g33 0x29b2:g33 0x29d2:g33 0xa001:pnv 0xa011:pnv; do
	run gpu-db -p "${pair%:*}" --json list FENCE
	expect_json .platform "\"${pair#*:}\""
done

title 'the table in BAR 3'
run gpu-ptwalk -q $all -- 0x1234 0x2000
expect_status 0
expect_out '0x1234  -> 0x823456234  4K page of system memory  uncached
0x2000  -> 0x7f800000  4K page of stolen memory  uncached'
run gpu-ptwalk $all --json --spaces
expect_json '[.spaces[] | select(.name == "GTTADR") | [.start, .size]]' '[["0xfe900000",524288]]'
run gpu-ptwalk -p pnv -s none -m flat --root 0x1001 0
expect_status 2
run gpu-regdump -p pnv "bar:$work/bar" '0x7fffc+8'
expect_out_lacks 'ggtt'

title 'fences of 32 bits, in two runs'
run gpu-regdump -q $all 'FENCE[1]' 'FENCE[15]'
expect_status 0
expect_out_has '^0x002004  *0x00c01231'
expect_out_has '^0x00301c  *0x00100001'
run gpu-tile -p pnv -q --fence 0x00c01231 0xd00080
expect_out '0xd00080 0xd01000 128 1024 0x101000'
run gpu-tile -p pnv -q --fence 0x00d01231 0xd00080
expect_status 2
expect_err_line 'gpu-tile: --fence: begins at 0xd00000, which is not a multiple of its size of 0x400000 (try --help)'
run gpu-db -p g33 show FENCE
expect_out_has '0x002000 \[0\] to 0x00301c \[15\]'

title 'channels'
run gpu-tile $all -f X --pitch 512 --bpp 32 3 9
expect_out_has 'swizzle 9/10 \(DCC: the channels interleave\)'

title 'a batch'
run gpu-batch -p pnv --json "$work/batch"
expect_status 0
expect_json '[.buffers[0].commands[].name]' \
	'["3DSTATE_LOAD_STATE_IMMEDIATE_1","3DPRIMITIVE","MI_FLUSH","MI_BATCH_BUFFER_END"]'
expect_json '[.buffers[0].commands[0].fields[] | select(.name | test("FORMAT_0|CULL|BLEND_ENABLE")) |
	[.name, .dword, .text]]' \
	'[["TEXCOORD_FORMAT_0",1,"2D"],["CULL_MODE",2,"none"],["COLOR_BLEND_ENABLE",3,"yes"]]'
run gpu-db --json show 3DSTATE_LOAD_STATE_IMMEDIATE_1
expect_json '[.definitions[].repeats[0:2][] | [.name, .after, .count]]' \
	'[["S0",false,"LOAD_S0"],["S1",true,"LOAD_S1"]]'

title 'an error state'
cat >"$work/state" <<'END'
GPU HANG: ecode 3:0:0x7d040542, in Xorg [1234], reason: Hang on render ring, action: reset
Time: 1400000000 s 123456 us
Kernel: 3.14.1
PCI ID: 0xa011
EIR: 0x00000010
IER: 0x00008053
PGTBL_ER: 0x02000100
  fence[0] = 00000000
  fence[1] = 00c01231
  fence[8] = 04000301
render ring command stream:
  START: 0x00020000
  HEAD: 0x00003f00
  TAIL: 0x00004a80
  CTL: 0x0001f001
  HWS: 0x0001f000
  ACTHD: 0x01200010
  IPEIR: 0x00000000
  IPEHR: 0x7d040542
  INSTDONE: 0x7dfffec1
  hangcheck: hung [40]
END
run gpu-fault "$work/state"
expect_status 0
expect_out_has '^# gpu-fault 1.0 platform pnv device 0xa011'
expect_out_has 'at 0x1200010 in 3DSTATE_LOAD_STATE_IMMEDIATE_1 \(by IPEHR\)'
expect_out_has 'busy  *FBC, CC'
expect_out_has 'LC_INVALID_TILING  PGTBL_ER 0x02000100 bit 25'
expect_out_has '0x00c00000-0x00ffffff  Y  pitch 1024'
expect_out_has '0x04000000-0x047fffff  X  pitch 512'
run gpu-regdump -q "$work/state" IPEHR ACTHD HWS_PGA
expect_out_has '^0x00208c  0x7d040542'
expect_out_has '^0x0020c8  0x01200010'
expect_out_has '^0x002080  0x0001f000'

printf '0 : 0\n4 : 0\n' >batch
run gpu-batch -p g33 --lint batch
expect_status 6
expect_out_has '^no-end  *0x4 MI_NOOP'
finish
