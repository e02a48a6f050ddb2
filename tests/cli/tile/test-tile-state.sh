#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-tile --surface, with and without -f: every format, what a surface state moves, what is wrong with it.
. "$(dirname "$0")/../lib.sh"
needs gpu-tile jq python3

# A global table that maps 8 MB to themselves, random pixels from 1 MB on, and states below. What
# is wanted of a surface is taken from them by the formulas of skl-vol5 and the letters of gmmlib.
cat >"$work/make.py" <<'END'
import random, struct, sys
random.seed(7)
SIZE = 8 << 20
mem = bytearray(SIZE)
mem[0x100000:] = random.randbytes(SIZE - 0x100000)
mem[:0x100000] = bytes(0x100000)

def state8(format=0xc0, width=64, height=64, pitch=1024, base=0x100000, type=1, mode=3, resource=0,
           samples=0, storage=0, depth=1, x=0, y=0, element=0, apart=0, level=0, stride=0, aux=0):
    d = [0] * 16
    d[0] = type << 29 | format << 18 | mode << 12 | stride << 11
    d[1] = apart
    d[2] = height - 1 << 16 | width - 1
    d[3] = depth - 1 << 21 | pitch - 1
    d[4] = element << 18 | storage << 6 | samples << 3
    d[5] = x << 25 | y << 21 | resource << 18 | level << 4
    d[6] = aux
    d[8], d[9] = base & 0xffffffff, base >> 32
    return struct.pack("<16I", *d)

names = open(sys.argv[1] + "/names", "w")
at = 0x1000
def add(name, data):
    global at
    mem[at:at + 64] = data.ljust(64, b"\0")
    names.write("%s=%#x\n" % (name, at))
    at += 64

add("plain", state8())
add("depth_ys", state8(type=2, resource=2, depth=32, apart=128 // 4))
add("depth_yf", state8(type=2, resource=1, depth=16))
add("offset", state8(x=8, y=2))
add("array", state8(depth=8, element=3, apart=100 // 4))
add("array_no_pitch", state8(depth=8, element=3))
add("cube", state8(type=3, apart=64 // 4))
add("multi", state8(samples=3, apart=64 // 4))
add("beside", state8(samples=2, storage=1, width=63, height=31))
add("multi_ys", state8(samples=2, resource=2))
add("level", state8(level=2))
add("stride", state8(stride=1))
add("ccs", state8(aux=5))
add("append", state8(aux=2))
add("half", state8(width=256, height=1024, base=SIZE - 0x80000))
add("high", state8(base=0xffff_8000_0010_0000))
add("odd_base", state8(base=0x100010))
add("odd_high", state8(base=0x1234_0000_0010_0000))
add("wide", state8(width=16384, pitch=128))
add("odd_pitch", state8(pitch=1000))
add("many", state8(samples=7, resource=2))
add("w", state8(mode=1))
add("w_8", state8(mode=1, format=0x143, pitch=128))
add("null", state8(type=7))
add("r24", state8(format=0xd9))
add("d32_s8", state8(format=0x88))
add("x32_g8", state8(format=0x89))
add("a8x8", state8(format=0xe7))
add("bc1", state8(format=0x186, width=101, height=62))
add("fxt1", state8(format=0x192, width=100, height=62))
add("rgb32", state8(format=0x40))
add("rgb32_linear", state8(format=0x40, mode=0, width=50, height=3, pitch=624))
add("raw", state8(format=0x1ff))
add("r1", state8(format=0x181))
add("r32f", state8(format=0xd8))
add("r16f", state8(format=0x10e, pitch=512))
add("a4b4", state8(format=0x125, pitch=512))
add("l8", state8(format=0x146, pitch=128))
add("zero", bytes(64))

pixels = mem[0x100000:]
def y_tiled(x, y, pitch=1024):
    x *= 4
    return pitch * 32 * (y // 32) + x // 128 * 4096 + x % 128 // 16 * 512 + y % 32 * 16 + x % 16
def lettered(letters, width, rows, depth, apart):
    def place(x, y, z, pitch=1024):
        counts = {"x": x * 4 % width, "y": y % rows, "z": z % depth}
        at = 0
        for bit, letter in enumerate(reversed(letters)):
            at |= (counts[letter] & 1) << bit
            counts[letter] >>= 1
        tile = (z // depth * (-(-apart // rows)) + y // rows) * (pitch // width) + x * 4 // width
        return (tile << len(letters)) + at
    return place
def write(name, place):
    out = b"".join(bytes(pixels[place(x, y):place(x, y) + 4]) for y in range(64) for x in range(64))
    open(sys.argv[1] + "/wanted-" + name, "wb").write(out)
write("plain", y_tiled)
write("offset", lambda x, y: y_tiled(x + 8 * 4, y + 2 * 4))
write("array", lambda x, y: y_tiled(x, y + 3 * 100))
write("array-2", lambda x, y: y_tiled(x, y + 5 * 100))
write("cube-5", lambda x, y: y_tiled(x, y + 5 * 64))
write("multi-3", lambda x, y: y_tiled(x, y + 3 * 64))
ys = lettered("xyzxyzxyzzyyxxxx", 128, 32, 16, 128)
yf = lettered("yzxyzzyyxxxx", 32, 16, 8, 64)
write("ys-0", lambda x, y: ys(x, y, 0))
write("ys-5", lambda x, y: ys(x, y, 5))
write("ys-20", lambda x, y: ys(x, y, 20))
write("yf-9", lambda x, y: yf(x, y, 9))
open(sys.argv[1] + "/wanted-a4b4", "wb").write(
    b"64 64 4\n" + b"".join(bytes((v >> s & 15) * 17 for s in (12, 8, 4, 0))
                            for y in range(64) for x in range(64)
                            for p in [512 * 32 * (y // 32) + x * 2 // 128 * 4096 +
                                      x * 2 % 128 // 16 * 512 + y % 32 * 16 + x * 2 % 16]
                            for v in [pixels[p] | pixels[p + 1] << 8]))
open(sys.argv[1] + "/wanted-rgb32", "wb").write(
    b"".join(pixels[y * 624:y * 624 + 600] for y in range(3)))
open(sys.argv[1] + "/mem", "wb").write(mem)
open(sys.argv[1] + "/ggtt", "wb").write(b"".join(struct.pack("<Q", i << 12 | 1)
                                                 for i in range(SIZE >> 12)))
END
python3 "$work/make.py" "$work"
. "$work/names"

# tile STATE-OR-OPTION...: the options of all of them
tile() {
	run gpu-tile -p skl -q -s "ggtt:$work/ggtt" -s "mem:$work/mem" "$@"
}
same_file() {
	cmp -s "$1" "$2" || fail "$1 is not $2"
}
# shown WANTED OPTION...: the rows that come of it
shown() {
	_wanted=$1
	shift
	tile -o "$work/got" "$@"
	expect_status 0
	same_file "$work/got" "$work/wanted-$_wanted"
}
# useless STATE PATTERN: a fault of the state, none of the one who asks
useless() {
	tile --surface "ggtt:$1"
	expect_status 1
	expect_out_empty
	expect_err_line "gpu-tile: surface state $1: $2"
}
refused() {
	_pattern=$1
	shift
	tile "$@"
	expect_status 2
	expect_out_empty
	expect_err_line "gpu-tile: $_pattern"
}

title 'depth, offsets, arrays, samples'
shown plain --surface "ggtt:$plain"
shown ys-0 --surface "ggtt:$depth_ys"
shown ys-5 --surface "ggtt:$depth_ys" --size :5
shown ys-20 --surface "ggtt:$depth_ys" --size :20
tile --surface "ggtt:$depth_yf" --size x200 -o "$work/got"
expect_status 0
shown yf-9 --surface "ggtt:$depth_yf" --size :9
shown offset --surface "ggtt:$offset"
shown array --surface "ggtt:$array"
shown array-2 --surface "ggtt:$array" --size :2
shown cube-5 --surface "ggtt:$cube" --size :5
shown multi-3 --surface "ggtt:$multi" --samples :3
refused '--size: slice 32: expected 0 to 31*' --surface "ggtt:$depth_ys" --size :32
refused '--size: slice 6: expected 0 to 5*' --surface "ggtt:$cube" --size :6
refused '--samples: sample 8: expected 0 to 7*' --surface "ggtt:$multi" --samples :8
refused '--size: the surface state does not say how far apart*' --surface "ggtt:$array_no_pitch" --size :1
refused '--samples: the samples are side by side*' --surface "ggtt:$beside" --samples :1
tile --surface "ggtt:$depth_ys" -j
expect_json '.surfaces[0] | [.slices, .size, .held]' '[32,4194304,4194304]'
tile --surface "ggtt:$array" -j
expect_json '.surfaces[0] | [.x, .y, .slices, .notes]' '[0,300,8,[]]'
cp "$out" "$work/array.json"
tile --surface "ggtt:$multi" -j
expect_json '[.samples, .surfaces[0].size]' '[8,524288]'
tile --surface "ggtt:$multi_ys" -j
expect_json '[.samples, .tiling, .tile.width]' '[4,"ys",256]'
tile --surface "ggtt:$beside"
expect_status 0
expect_out_has '^width    128$'
expect_out_has '^height   64$'
expect_out_has '^samples  4, side by side$'
tile --surface "ggtt:$array_no_pitch"
expect_status 6
expect_err_line 'gpu-tile: surface state *: MINIMUM_ARRAY_ELEMENT 3 is not applied: *'

title 'what is not as it looks'
noted() {
	tile --surface "ggtt:$1" -o "$work/got.png"
	expect_status 6
	expect_err_line "gpu-tile: surface state $1: $2"
	tile --surface "ggtt:$1" -j
	expect_status 6
	same notes "$(jq -r '.surfaces[0].notes | length' "$out")" 1
}
noted "$level" 'level 0 is shown, although the surface begins at level SURFACE_MIN_LOD 2*'
noted "$stride" 'VERTICAL_LINE_STRIDE is not applied*'
noted "$ccs" 'with AUX_CCS_E the surface may be compressed*'
cp "$out" "$work/noted.json"
tile --surface "ggtt:$ccs" --ndjson
cp "$out" "$work/noted.ndjson"
same 'the second of two lines' "$(jq -s -c '[length, .[1].address, (.[1].notes | length)]' "$out")" \
	'[2,"0x100000",1]'
tile --surface "ggtt:$append"
expect_status 0

title 'formats'
# bits STATE BITS WIDTH HEIGHT: elements and how many
bits() {
	tile --surface "ggtt:$1" -j
	expect_json '[.bpp, .surfaces[0].width, .surfaces[0].height]' "[$2,$3,$4]"
}
bits "$r24" 32 64 64
bits "$d32_s8" 64 64 64
bits "$x32_g8" 64 64 64
bits "$a8x8" 32 64 64
bits "$bc1" 64 26 16
bits "$fxt1" 128 13 16
bits "$rgb32_linear" 96 50 3
cp "$out" "$work/odd.json"
shown rgb32 --surface "ggtt:$rgb32_linear"
tile --surface "ggtt:$bc1" -o "$work/got"
same 'its size' "$(wc -c <"$work/got" | tr -d ' ')" $((26 * 16 * 8))
bits "$rgb32" 96 64 64
useless "$raw" 'format RAW: element size unknown: give --bpp'
useless "$r1" 'format R1_UNORM: its elements are smaller than a byte'
tile --surface "ggtt:$raw" --bpp 32
expect_status 0
refused '--bpp 4294967296: expected 8*' --surface "ggtt:$raw" --bpp 4294967296
refused '--bpp: the surface state'\''s format, B8G8R8A8_UNORM, has 32*' --surface "ggtt:$plain" --bpp 64
refused '--bpp: *' --surface "ggtt:$plain" --bpp 8
tile --surface "ggtt:$plain" --bpp 32
expect_status 0

title 'pictures of what has pixels only'
no_picture() {
	rm -f "$work/got.png"
	tile --surface "ggtt:$1" -o "$work/got.png"
	expect_status 1
	expect_err_line "gpu-tile: surface state $1: its format, $2, is not a pixel format: *--bpp*"
	[ ! -e "$work/got.png" ] || fail 'a picture of it'
}
no_picture "$r32f" R32_FLOAT
no_picture "$r16f" R16_FLOAT
no_picture "$bc1" BC1_UNORM
no_picture "$r24" R24_UNORM_X8_TYPELESS
tile --surface "ggtt:$r32f" --bpp B8G8R8X8 -o "$work/got.png"
expect_status 0
tile --surface "ggtt:$l8" -j
expect_json '.surfaces[0] | [.format, .pixels]' '["L8_UNORM","L8"]'
tile --surface "ggtt:$a4b4" -o "$work/got.png"
expect_status 0
python3 - "$work/got.png" >"$work/pixels" <<'END'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, packed = 8, b""
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    if name == b"IHDR":
        width, height = struct.unpack(">II", data[at + 8:at + 16])
    if name == b"IDAT":
        packed += data[at + 8:at + 8 + size]
    at += 12 + size
raw = zlib.decompress(packed)
row = len(raw) // height
sys.stdout.buffer.write(b"%d %d %d\n" % (width, height, (row - 1) // width))
sys.stdout.buffer.write(b"".join(raw[y * row + 1:(y + 1) * row] for y in range(height)))
END
same_file "$work/pixels" "$work/wanted-a4b4"

title 'states that are none, or wrong'
useless "$zero" 'all zero: no surface state is there'
useless "$null" 'its type is SURFTYPE_NULL, which has no rows'
useless "$wide" 'its rows of 16384 elements are longer than its pitch of 128 bytes'
useless "$odd_pitch" 'pitch 1000: *'
useless "$many" '128 samples: *'
useless "$w" 'w: *8 bits'
useless "$odd_base" '0x100010: y tiles are aligned to 4 KB'
useless "$odd_high" '0x1234000000100000: bits 63:48 *'
refused '0x1002: *aligned to 64 bytes*' --surface ggtt:0x1002
refused '0x1020: *aligned to 64 bytes*' --surface ggtt:0x1020
refused '--surface: without -f a surface state says*' --surface "ggtt:$plain" --samples 4
refused '--surface: without -f a surface state says*' --surface "ggtt:$plain" --size xx2
refused '--size 0x1: *' --surface "ggtt:$plain" --size 0x1
refused '--size x0: *' --surface "ggtt:$plain" --size x0
tile --surface "ggtt:$w_8"
expect_out_has '^pitch    64$'

title 'what is not there'
tile --surface "ggtt:$half"
expect_status 6
expect_out_has '^bytes    524288 of 1048576 are there$'
expect_err_line 'gpu-tile: 0x780000: 524288 of 1048576 bytes cannot be read; first 0x800000: *'
tile --surface "ggtt:$high"
expect_status 3
expect_out_has '^address  0x800000100000$'
run gpu-tile -p skl -q -s "ggtt:$work/ggtt" --surface 0x100000 -f y --pitch 512 --size x64
expect_status 3
expect_err_line 'gpu-tile: 0x100000: no part of the surface can be read: mapped to phys:0x100000, but the source has no memory'

# unread ADDRESS=STATUS...: a capture with a page at 0x3000, and pages of which it is said why not
unread() {
	python3 - "$work/unread.tar" "$work/ggtt" "$@" <<'END'
import io, sys, tarfile
with tarfile.open(sys.argv[1], "w") as archive:
    for name, data in (("gpuscope/info", b"format: 1\nplatform: skl\n"),
                       ("ggtt/0x0.bin", open(sys.argv[2], "rb").read()[:64]),
                       ("phys/0x3000.bin", bytes(4096)),
                       ("phys/status", b"".join(b"%s 0x1000 %s\n" % tuple(word.encode().split(b"="))
                                                for word in sys.argv[3:]))):
        member = tarfile.TarInfo(name)
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
END
}
# ends STATUS HEIGHT WHY: of so many rows, each a page, from 0x1000 on
ends() {
	run gpu-tile -q -s "$work/unread.tar" --surface 0x1000 -f linear --pitch 4096 --size x$2
	expect_status "$1"
	expect_err_line "gpu-tile: 0x1000: $3"
}
# no_state STATUS
no_state() {
	run gpu-tile -q -s "$work/unread.tar" --surface ggtt:0x1000
	expect_status "$1"
}
unread 0x1000=denied
ends 4 1 'no part of the surface can be read: *: the kernel refuses to read it'
ends 4 2 'no part of the surface can be read: *: the kernel refuses to read it'
ends 6 3 '8192 of 12288 bytes cannot be read; first 0x1000: *: the kernel refuses to read it'
run gpu-tile -q -s "$work/unread.tar" --surface 0x1000 -f linear --pitch 4096 --size x1 -o "$work/got"
expect_status 4
no_state 4
expect_err_line 'gpu-tile: 0x1000: *: the kernel refuses to read it'
unread 0x1000=asleep
ends 5 1 'no part of the surface can be read: *: the GPU is asleep'
no_state 5
unread 0x2000=denied
ends 4 2 'no part of the surface can be read: mapped to phys:0x1000, which no source holds*'
ends 3 1 'no part of the surface can be read: mapped to phys:0x1000, which no source holds*'
no_state 3

title 'addresses'
plain_surface() {
	run gpu-tile -p skl -q -s "ggtt:$work/ggtt" -s "mem:$work/mem" --size x100 "$@"
}
plain_surface --surface 0xfffffffffffff000 -f linear --pitch 512
expect_status 3
expect_out_has '^address  0xfffffffff000$'
expect_out_has '^bytes    0 of 51200 are there$'
plain_surface --surface 0x1234000000000000 -f linear --pitch 512
expect_status 2
plain_surface --surface 0x100010 -f y --pitch 512
expect_status 2
expect_err_line 'gpu-tile: 0x100010: y tiles are aligned to 4 KB*'
plain_surface --surface 0x101000 -f ys --pitch 512
expect_status 2
expect_err_line 'gpu-tile: 0x101000: ys tiles are aligned to 64 KB*'
plain_surface --surface 0x100010 -f linear --pitch 512
expect_status 0

title 'submissions'
refused '--aux: cannot be combined with --surface*' --aux all --surface "ggtt:$plain"
refused 'submission 1: the source has no trace*' --surface "ggtt:$plain@1"
refused '--surface 0x1000@x: expected a submission after @*' --surface 0x1000@x
refused '--surface 0x1000:x: expected an address, or SPACE:ADDRESS*' --surface 0x1000:x

if [ -n "${GPUSCOPE_CORPUS:-}" ] && [ -d "$GPUSCOPE_CORPUS/aub" ]; then
	title 'traces'
	run gpu-tile -q -s "$GPUSCOPE_CORPUS/aub/gen9-skl-1912.aub" --surface 0x1ff7ef040
	expect_status 3
	expect_out_has '^address  0xfffeffc40000$'
	expect_err_line 'gpu-tile: 0xfffeffc40000: *: mapped to phys:0x294000, which no source holds'
	run gpu-tile -s "$GPUSCOPE_CORPUS/aub/gen7-ivb-016a.aub" --surface 0x191c0
	expect_status 1
	expect_err_line 'gpu-tile: surface state 0x191c0: all zero: *end of the trace*--surface 0x191c0@N*'
	run gpu-tile -s "$GPUSCOPE_CORPUS/aub/gen7-ivb-016a.aub" --surface 0x191c0@1
	expect_status 3
	expect_out_has '^# submission 1, rcs0$'
	expect_out_has '^address  0x23000$'
	expect_out_has '^format   R8G8B8A8_UNORM$'
	run gpu-tile -s "$GPUSCOPE_CORPUS/aub/gen7-ivb-016a.aub" --surface 0x191c0@2 -j
	expect_status 1
	run gpu-tile -s "$GPUSCOPE_CORPUS/aub/gen7-ivb-016a.aub" --surface 0x191c0@1 -j
	expect_json '.submission' '1'
	run gpu-tile -s "$GPUSCOPE_CORPUS/aub/gen7-ivb-016a.aub" --surface 0x191c0@0
	expect_status 2
	expect_err_line 'gpu-tile: submission 0: expected 1 to *'
fi

title 'the documents'
expect_schemas
finish
