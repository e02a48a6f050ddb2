#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-tile: numbers, fences, surfaces of files and of sources, pictures, rules.
. "$(dirname "$0")/../lib.sh"
needs gpu-tile jq python3

title 'elements to offsets'
run gpu-tile -p skl -f y --pitch 512 --bpp 32 10 20 0 0 127 33
expect_status 0
expect_out '# gpu-tile 1.0 platform skl
# y, pitch 512, 32 bits, 1 sample, swizzle none (none since Gen8)
10 20 0x548
0 0 0x0
127 33 0x7e1c'
run gpu-tile -p skl -q -f w --pitch 128 3 5
expect_out '3 5 0x27'
run gpu-tile -p ilk -q -f x --pitch 512 0 1 0 2 0 3
expect_out '0 1 0x240
0 2 0x440
0 3 0x600'
run gpu-tile -p ilk -q -f x:none --pitch 512 0 1
expect_out '0 1 0x200'
run gpu-tile -p skl -q -f ys --size x64x --pitch 2048 --bpp 32 1 2 3 1 2 16
expect_out '1 2 3 0xe4
1 2 16 0x200024'

title 'and back'
run gpu-tile -p skl -q -f y --pitch 512 --bpp 32 --offset 0x548 1355
expect_out '0x548 10 20
0x54b 10 20 +3'
run gpu-tile -p skl -q -f ys --pitch 2048 --bpp 32 --samples 4:3 10 20
expect_out '10 20 3 0xc648'
run gpu-tile -p skl -j -f ys --pitch 2048 --bpp 32 --samples 4 --offset 0xc648
expect_json '.results' '[{"x":10,"y":20,"sample":3,"offset":"0xc648","byte":0}]'
expect_json '[.tiling, .pitch, .bpp, .samples, .swizzle, .tile.width]' '["ys",2048,32,4,"none",256]'
cp "$out" "$work/offset.json"

title 'samples that tiles do not hold lie in further tiles'
for pair in 0:0x474 3:0x5f4 4:0x80474 7:0x805f4; do
	run gpu-tile -p dg2 -q -f tile64 --pitch 1024 --bpp 32 --samples "8:${pair%:*}" --size x100 5 7
	expect_out "5 7 ${pair%:*} ${pair#*:}"
done
run gpu-tile -p mtl -q -f tile64 --pitch 1024 --bpp 32 --samples 16 --size x100 --offset 0x180574
expect_out '0x180574 5 7 14'
head -c 1048576 /dev/urandom >eight
for sample in 1 5; do
	run gpu-tile -p dg2 -f tile64 --pitch 1024 --bpp 32 --samples 8:$sample --size x100 eight -o rows
	expect_status 0
	run gpu-tile -p dg2 -f tile64 --pitch 1024 --bpp 32 --samples 8:$sample --size x100 --tile rows -o tiled
	expect_status 0
	run gpu-tile -p dg2 -f tile64 --pitch 1024 --bpp 32 --samples 8:$sample --size x100 tiled -o again
	cmp -s rows again || fail "sample $sample: tiled and back is not the same"
done
same 'byte of sample 5' "$(od -An -tx4 -j $((7 * 1024 + 20)) -N 4 rows)" "$(od -An -tx4 -j $((0x804f4)) -N 4 eight)"

title 'numbers from standard input'
printf '10 20\n# nothing\n0 0, 127 33\n' >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -q -f y --pitch 512 --bpp 32 -
expect_status 0
expect_out '10 20 0x548
0 0 0x0
127 33 0x7e1c'
printf '10 20\n1\n3 x\n128 0\n1 1\n' >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -q -f y --pitch 512 --bpp 32 -
expect_status 6
expect_out '10 20 0x548
1 1 0x14'
expect_err_line 'gpu-tile: standard input:2: a line: numbers are missing at the end'
expect_err_line 'gpu-tile: standard input:3: x: expected a number'
expect_err_line 'gpu-tile: standard input:4: 128 0: X is beyond the pitch*'
printf 'nothing\n' >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -f y --pitch 512 -
expect_status 1
head -c 100000 /dev/zero | tr '\0' 1 >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -f y --pitch 512 -
expect_status 1

printf '1 2 600 1 3 4\n7 x 1\n' >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -q -f y --pitch 512 -
expect_status 6
expect_out '1 2 0x21
3 4 0x43'
expect_err_line 'gpu-tile: standard input:1: 600 1: X is beyond the pitch'
expect_err_line 'gpu-tile: standard input:2: x: expected a number: the rest of the line is ignored'
printf '600 1\n700 1\n' >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -j -f y --pitch 512 -
expect_status 1
expect_out_empty
expect_err_line 'gpu-tile: standard input:1: 600 1: X is beyond the pitch'
: >"$work/pairs"
run_in "$work/pairs" gpu-tile -p skl -j -f y --pitch 512 -
expect_status 0
expect_json '.results' '[]'

title 'what makes no sense'
refused() {
	_pattern=$1
	shift
	run "$@"
	expect_status 2
	expect_out_empty
	expect_err_line "$_pattern"
}
refused 'gpu-tile: pitch 100: expected a multiple of 512 bytes*' gpu-tile -p snb -f x --pitch 100 1 1
refused 'gpu-tile: pitch 0: *' gpu-tile -p snb -f x --pitch 0 1 1
refused 'gpu-tile: --pitch*' gpu-tile -p snb -f x 1 1
refused 'gpu-tile: *' gpu-tile -p snb -f x --pitch -512 1 1
refused 'gpu-tile: *' gpu-tile -p snb -f x --pitch 512 1 -1
refused 'gpu-tile: -f: *' gpu-tile -p snb --pitch 512 1 1
refused 'gpu-tile: --tiling z: *' gpu-tile -p snb -f z --pitch 512 1 1
refused 'gpu-tile: yf: icl has no such tiling; it has linear x y w*' gpu-tile -p icl -f yf --pitch 512 1 1
refused 'gpu-tile: 1: expected X Y*' gpu-tile -p snb -f x --pitch 512 1 1 1
refused 'gpu-tile: X Y: *' gpu-tile -p snb -f x --pitch 512
refused 'gpu-tile: 128 0: X is beyond the pitch*' gpu-tile -p snb -f x --bpp 32 --pitch 512 128 0
refused 'gpu-tile: 40 bits per element: *' gpu-tile -p snb -f x --bpp 40 --pitch 512 1 1
refused 'gpu-tile: 24 bits per element: *' gpu-tile -p skl -f yf --bpp 24 --pitch 512 1 1
refused 'gpu-tile: --bpp 0x100000020: expected 8*' gpu-tile -p snb -f x --bpp 0x100000020 --pitch 512 1 1
refused 'gpu-tile: w: *8 bits*' gpu-tile -p snb -f w --bpp 16 --pitch 512 1 1
refused 'gpu-tile: 5 7: *--size xROWS*' gpu-tile -p dg2 -f tile64 --bpp 32 --samples 8:4 --pitch 1024 5 7
refused 'gpu-tile: x: *one sample*' gpu-tile -p snb -f x --samples 4 --pitch 512 1 1
refused 'gpu-tile: --samples 4: expected 0 to 3 *' gpu-tile -p skl -f ys --samples 4:4 --pitch 512 1 1
refused 'gpu-tile: 1 1 99: *--size xROWSx*' gpu-tile -p skl -f ys --size xx --pitch 512 1 1 99
refused 'gpu-tile: 0 18446744073709551615: out of range*' gpu-tile -p snb -f x --pitch 512 0 0xffffffffffffffff
refused 'gpu-tile: 1 1 9: Z is beyond the depth*' gpu-tile -p skl -f ys --size x64x9 --pitch 512 1 1 9
refused 'gpu-tile: 1 64 0: Y is beyond the height*' gpu-tile -p skl -f ys --pitch 512 --bpp 32 --size x64x 1 64 0
refused 'gpu-tile: 5 20: Y is beyond the height*' gpu-tile -p skl -f y --pitch 512 --size x10 5 20
refused 'gpu-tile: --tiling y:9: none since Gen8*' gpu-tile -p skl -f y:9 --pitch 512 1 1
refused 'gpu-tile: --tiling linear:9/17: linear *' gpu-tile -p brw -f linear:9/17 --pitch 512 1 1
refused 'gpu-tile: --tiling x:8: *' gpu-tile -p snb -f x:8 --pitch 512 1 1
refused 'gpu-tile: --pitch 99999999999999999999: expected a number*' gpu-tile -p snb -f x --pitch 99999999999999999999 1 1

for gone in '--width 3' '--height 3' '--dim 3d' '--swizzle 9' '--base 0' '--state 0x1000' '--aux-table' '--png'; do
	# shellcheck disable=SC2086
	refused "gpu-tile: ${gone%% *}: unknown option*" gpu-tile -p snb -f x --pitch 512 $gone 1 1
done

title 'fences'
run gpu-tile -p snb -q --fence 0x001ff00b00100001 0x100000 0x112345
expect_status 0
expect_out '0x100000 0x100000 0 0 0x0
0x112345 0x113145 837 48 0x13145'
run gpu-tile -p snb -j --fence 0x001ff00b00100001 0x112345 0x212345
expect_status 3
expect_err_line 'gpu-tile: 0x212345: outside of the fence, 0x100000-0x200000'
expect_json '.results[0]' '{"address":"0x112345","x":837,"y":48,"sample":0,"offset":"0x13145","tiled":"0x113145"}'
expect_json '.results[1] | [.x, .offset]' '[null,null]'
cp "$out" "$work/fence.json"
run gpu-tile -p brw -q --fence 0x001070000010003d 0x100800
expect_out '0x100800 0x100200 0 1 0x200'
run gpu-tile -p snb -q --fence 0x001ff00b00100000 0x100000
expect_status 3
for value in 0 0x001ff00b00100000; do
	run gpu-tile -p snb -j --fence $value 0x100000
	expect_status 3
	expect_err_line 'gpu-tile: 0x100000: the fence is not valid'
	expect_json '.results[0].problem' '"the fence is not valid"'
done
run gpu-tile -p snb -q --fence 0x001ff00b00100001 0x1fffff
expect_out '0x1fffff 0x2005ff 1023 682 0x1005ff  past the end of the fence, 0x100000-0x200000'
run gpu-tile -p snb -j --fence 0x001ff00b00100001 0x1fffff
expect_json '.results[0].problem' '"past the end of the fence, 0x100000-0x200000"'
cp "$out" "$work/tail.json"
refused 'gpu-tile: --fence: pitch of 1408 bytes is not a multiple*' gpu-tile -p snb --fence 0x001ff00a00100001 0x100000
refused 'gpu-tile: --fence x: *' gpu-tile -p snb --fence x 0x100000
refused 'gpu-tile: --fence: *' gpu-tile -p dg2 --fence 1 0x100000
refused 'gpu-tile: --tiling: *' gpu-tile -p snb -f y --pitch 1536 --fence 0x001ff00b00100001 0x100000

title 'rules'
run gpu-tile -p snb -q -f y --pitch 1000 --check display --surface 0x1800
expect_status 6
expect_err_line 'gpu-tile: surface: breaks 3 rules'
expect_out_has '^display-y .* y tiles are not supported by the display of snb$'
run gpu-tile -p snb -j -f y --pitch 1024 --bpp 32 --size 256x128 --surface 0x500000 --check any --fence 0x0051f00700500003
expect_status 0
expect_json '.findings' '[]'
run gpu-tile -p snb -j -f x --pitch 1024 --surface 0x501000 --size x8 --check any --fence 0x0051f00700500003
expect_status 6
expect_json '[.findings[].rule]' '["fence-walk","fence-row-start"]'
cp "$out" "$work/check.json"
# rules WANTED OPTIONS...
rules() {
	_rules=$1
	shift
	run gpu-tile -j "$@"
	expect_json '[.findings[].rule]' "$_rules"
}
two='--fence 0x45f02b00040001 --fence 0x51f00700500003'
rules '[]' --check display -s demo:snb-hang -f x --pitch 5632 --bpp 32 --size 1366x768 --surface 0x40000 $two --fence 0
rules '["fence-inside"]' --check any -p snb -f x --pitch 5632 --size x768 --surface 0x600000 $two
rules '["fence-inside"]' --check any -p snb -f x --pitch 5632 --size x769 --surface 0x40000 $two
rules '[]' --check any -p snb -f x --pitch 5632 --surface 0x600000 $two
rules '[]' --check any -p snb -f linear --pitch 5632 --size x768 --surface 0x600000 $two
rules '["fence-overlap"]' --check any -p snb -f x --pitch 512 --surface 0x40000 --fence 0x0004f00300040001 --fence 0x0004800300044001
rules '["fence-overlap"]' --check any -p snb -f x --pitch 512 --surface 0x4a000 --fence 0x0004f00300040001 --fence 0x0004800300044001
rules '["fence-valid"]' --check any -p snb -f x --pitch 512 --fence 0
rules '["fence-reserved"]' --check any -p snb -f x --pitch 512 --fence 0x0004f80300040005
rules '["fence-sound"]' --check any -p snb -f x --pitch 512 --fence 0x0004f00200040001
rules '["display-pitch"]' --check display -p skl -f x --pitch 98304 --surface 0x100000
rules '[]' --check display -p skl -f x --pitch 32768
rules '[]' --check display -p adlp -f x --pitch 98304
rules '["display-pitch"]' --check display -p ctg -f x --pitch 16896
rules '["display-rows","display-base"]' --check display -p skl -f linear --pitch 500 --bpp 32 --surface 0x1003
rules '["sampler-w"]' --check sampler -p snb -f w --pitch 512
rules '[]' --check sampler -p bdw -f w --pitch 512
run gpu-tile -p dg2 -q --check depth -f x --pitch 512
expect_out_has 'it must be in Tile4 or Tile64 tiles, not x'
refused 'gpu-tile: --check sparse: *no tiled resources*' gpu-tile -p bdw --check sparse -f y --pitch 512
run gpu-tile -p icl -j --aux ccs
expect_json '[.responses[].response]' '["normal","undefined","null","null"]'
cp "$out" "$work/aux.json"
# "Mapped" with an unmapped auxiliary surface is the case that nobody may rely on.
run gpu-tile -p icl -j --aux all
expect_json '.responses | group_by(.aux) | map([.[] | [.surface, .auxiliary, .response]]) | unique' \
	'[[["mapped","mapped","normal"],["mapped","unmapped","undefined"],["unmapped","mapped","null"],["unmapped","unmapped","null"]]]'
refused 'gpu-tile: --aux: *' gpu-tile -p snb --aux all

# 300x70 pixels of 4 bytes, in Y tiles of Skylake by the manual's formula: pitch 1280, 96 rows.
cat >"$work/make.py" <<'END'
import sys
width, height, pitch = 300, 70, 1280
pixel = lambda x, y: bytes((x & 255, y * 3 & 255, (x * y) & 255, x + y & 255))
linear = b"".join(pixel(x, y) for y in range(height) for x in range(width))
tiled = bytearray(pitch * 96)
for y in range(height):
    for x in range(width * 4):
        tiled[pitch * 32 * (y // 32) + x // 128 * 4096 + x % 128 // 16 * 512 + y % 32 * 16 + x % 16] = \
            linear[y * width * 4 + x]
open(sys.argv[1], "wb").write(linear)
open(sys.argv[2], "wb").write(tiled)
END
python3 "$work/make.py" "$work/linear" "$work/tiled"

title 'surfaces of files'
same_file() {
	cmp -s "$1" "$2" || fail "$1 is not $2"
}
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300x70 "$work/tiled" -o "$work/got"
expect_status 0
expect_out_empty
same_file "$work/got" "$work/linear"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300 --tile "$work/linear" -o "$work/got"
expect_status 0
same_file "$work/got" "$work/tiled"
head -c 30000 "$work/linear" >"$work/few"
cp "$work/few" "$work/padded"
truncate -s $((300 * 70 * 4)) "$work/padded"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300x70 --tile "$work/padded" -o "$work/zeros"
expect_status 0
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300x70 --tile "$work/few" -o "$work/got"
expect_status 6
expect_err_line "gpu-tile: $work/few: ends after 30000 bytes: the rest is zeros"
same_file "$work/got" "$work/zeros"
run_in "$work/few" gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300 --tile - -o "$work/got"
expect_status 0
same 'its size' "$(wc -c <"$work/got" | tr -d ' ')" $((1280 * 32))
rm -f "$work/got"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300x1099511627776 --tile "$work/few" -o "$work/got"
expect_status 1
expect_err_line "gpu-tile: $work/few: ends after 30000 bytes; over 4 GB are missing"
[ ! -e "$work/got" ] || fail 'half a surface is left'
run_in "$work/tiled" gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size 300x70 - -o -
expect_status 0
same_file "$out" "$work/linear"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 "$work/tiled" -o "$work/got"
expect_status 0
same 'its size' "$(wc -c <"$work/got" | tr -d ' ')" $((1280 * 96))
head -c 100000 "$work/tiled" >"$work/cut"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 "$work/cut" -o "$work/got"
expect_status 6
expect_err_line "gpu-tile: $work/cut: 22880 of 122880 bytes cannot be read*; first 0x186a0: the file ends"
same 'its size' "$(wc -c <"$work/got" | tr -d ' ')" $((1280 * 96))
cp "$work/tiled" "$work/holed"
truncate -s 100000 "$work/holed"
truncate -s 122880 "$work/holed"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 "$work/holed" -o "$work/filled"
same_file "$work/got" "$work/filled"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size x128 "$work/cut" -o "$work/got"
expect_status 6
same 'its size' "$(wc -c <"$work/got" | tr -d ' ')" $((1280 * 128))
run_in "$work/cut" gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size x70 - -o "$work/got"
expect_status 6
rm -f "$work/got"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 --size x1099511627776 "$work/cut" -o "$work/got"
expect_status 1
[ ! -e "$work/got" ] || fail 'half a file is left'
run gpu-tile -p skl -f ys --size x64x:4294967296 --pitch 1280 --bpp 32 "$work/tiled" -o "$work/got"
expect_status 2 3
run gpu-tile -p skl -f y --pitch 1280 "$work/none" -o "$work/got"
expect_status 1
run gpu-tile -p skl -f y --pitch 1280 "$work" -o "$work/got"
expect_status 1
refused 'gpu-tile: --pitch: *' gpu-tile -p skl -f y --pitch 1024G "$work/tiled" -o "$work/got"
refused 'gpu-tile: --pitch: *' gpu-tile -p skl -f y --pitch 0x4000000000000000 "$work/tiled" -o "$work/got"
refused 'gpu-tile: --size: *' gpu-tile -p skl -f y --pitch 1280 --size 1281 "$work/tiled" -o "$work/got"
refused 'gpu-tile: --output: --tile writes a surface*' gpu-tile -p skl -f y --pitch 1280 --tile "$work/tiled" -o "$work/got.png"
refused 'gpu-tile: --output: *--json*' gpu-tile -p skl -j -f y --pitch 1280 "$work/tiled" -o "$work/got"
refused 'gpu-tile: --size x0: *' gpu-tile -s demo:skl-hang --surface 0x1000 --size x0
refused 'gpu-tile: --tiling: *bit 17*' gpu-tile -p ctg -f y:9/17 --pitch 1280 "$work/tiled" -o "$work/got"

cat >"$work/png.py" <<'END'
"""png.py FILE: width, height, channels and the pixels of a PNG, checksums and all."""
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n"
at, packed, head = 8, b"", None
while at < len(data):
    size, name = struct.unpack(">I4s", data[at:at + 8])
    body = data[at + 8:at + 8 + size]
    assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(name + body)
    if name == b"IHDR":
        head = struct.unpack(">IIBBBBB", body)
    elif name == b"IDAT":
        packed += body
    at += 12 + size
assert name == b"IEND" and head[2] == 8 and head[4:] == (0, 0, 0)
channels = {0: 1, 2: 3, 4: 2, 6: 4}[head[3]]
raw = zlib.decompress(packed)
row = head[0] * channels + 1
assert len(raw) == row * head[1]
assert all(raw[y * row] == 0 for y in range(head[1]))
pixels = b"".join(raw[y * row + 1:(y + 1) * row] for y in range(head[1]))
sys.stdout.buffer.write(b"%d %d %d\n" % (head[0], head[1], channels) + pixels)
END
# wanted FILE CHANNELS EXPRESSION: of the pixels of $work/linear, an expression of p, of 4 bytes
wanted() {
	python3 -c "import sys
data = open('$work/linear', 'rb').read()
out = b'300 70 $2\n' + b''.join(bytes($3) for p in (data[i:i + 4] for i in range(0, len(data), 4)))
open('$1', 'wb').write(out)"
}

title 'pictures, pixel by pixel'
picture() {
	_format=$1 _channels=$2 _expression=$3
	run gpu-tile -p skl -f y --pitch 1280 --bpp "$_format" --size 300x70 "$work/tiled" -o "$work/got.png"
	expect_status 0
	python3 "$work/png.py" "$work/got.png" >"$work/pixels" || fail 'no PNG'
	wanted "$work/wanted" "$_channels" "$_expression"
	same_file "$work/pixels" "$work/wanted"
}
picture B8G8R8X8 3 '(p[2], p[1], p[0])'
picture B8G8R8A8 4 '(p[2], p[1], p[0], p[3])'
picture R8G8B8A8_UNORM_SRGB 4 '(p[0], p[1], p[2], p[3])'
ten='int.from_bytes(p, "little")'
picture R10G10B10A2 4 "[((v := $ten) >> s & 1023) * 255 * 2 // 1023 + 1 >> 1 for s in (0, 10, 20)] + [($ten >> 30) * 85]"
run gpu-tile -p skl -f y --pitch 1280 --bpp 32 "$work/tiled" -o "$work/got.png"
expect_status 0
python3 "$work/png.py" "$work/got.png" >"$work/pixels"
same 'its size' "$(head -n 1 "$work/pixels")" '320 96 3'
refused 'gpu-tile: --bpp R9: expected a number of bits, or B8G8R8A8 *' gpu-tile -p skl -f y --pitch 1280 --bpp R9 "$work/tiled" -o "$work/got.png"
refused 'gpu-tile: --bpp 64: *' gpu-tile -p skl -f y --pitch 1280 --bpp 64 "$work/tiled" -o "$work/got.png"

title 'a picture of a file that is cut'
for options in '--size 300x70' '--size 300'; do
	run gpu-tile -p skl -f y --pitch 1280 --bpp 32 $options "$work/cut" -o "$work/got.png"
	expect_status 6
	python3 "$work/png.py" "$work/got.png" >"$work/pixels" || fail 'no PNG'
	python3 - "$work/pixels" "$work/linear" <<'END' || fail 'not what is there, and nothing else'
import sys
pixels, linear = open(sys.argv[1], "rb").read(), open(sys.argv[2], "rb").read()
head = pixels.index(b"\n") + 1
assert pixels[:head] in (b"300 70 4\n", b"300 96 4\n")
seen = {True: 0, False: 0}
for y in range(70):
    for x in range(300):
        place = 1280 * 32 * (y // 32) + x * 4 // 128 * 4096 + x * 4 % 128 // 16 * 512 + y % 32 * 16 + x * 4 % 16
        there = place + 4 <= 100000 // 64 * 64
        p = linear[(y * 300 + x) * 4:][:4]
        assert pixels[head + (y * 300 + x) * 4:][:4] == (bytes((p[2], p[1], p[0], 255)) if there else bytes(4)), (x, y)
        seen[there] += 1
assert all(seen.values())
END
done

title 'a scanout of a capture, with a hole in it'
phys=$(gpu-ptwalk -s demo:skl-hang --mode ggtt -j 0x100000 | jq -r '.walks[0].physical')
run gpu-tile -s demo:skl-hang -s "mem:$work/tiled@$phys" -f y --pitch 1280 --bpp 32 --size 300x70 --surface 0x100000 -j
expect_status 0
expect_json '.surfaces' '[{"address":"0x100000","width":300,"height":70,"slices":1,"x":0,"y":0,"format":null,"pixels":null,"size":122880,"held":122880,"notes":[]}]'
cp "$out" "$work/surface.json"
run gpu-tile -s demo:skl-hang -s "mem:$work/tiled@$phys" -f y --pitch 1280 --bpp 32 --size 300x70 --surface 0x100000 -o "$work/got.png"
expect_status 0
python3 "$work/png.py" "$work/got.png" >"$work/pixels"
wanted "$work/wanted" 4 '(p[2], p[1], p[0], 255)'
same_file "$work/pixels" "$work/wanted"
head -c 81920 "$work/tiled" >"$work/part"
run gpu-tile -s demo:skl-hang -s "mem:$work/part@$phys" -f y --pitch 1280 --bpp 32 --size 300x70 --surface 0x100000 -o "$work/got.png"
expect_status 6
expect_err_line 'gpu-tile: 0x100000: 40960 of 122880 bytes cannot be read: transparent; first 0x114000: mapped to phys:*, which no source holds'
python3 "$work/png.py" "$work/got.png" >"$work/pixels"
python3 -c "
w = open('$work/wanted', 'rb').read(); head = len(b'300 70 4\n')
open('$work/wanted', 'wb').write(w[:head + 300 * 64 * 4] + bytes(300 * 6 * 4))"
same_file "$work/pixels" "$work/wanted"
run gpu-tile -s demo:skl-hang -f y --pitch 1280 --bpp 32 --size x70 --surface 0x100000 -o "$work/none.png"
expect_status 3
[ ! -e "$work/none.png" ] || fail 'a picture of nothing'

title 'a surface state'
python3 -c "import struct
state = [0] * 16
state[0] = 1 << 29 | 0xc0 << 18 | 3 << 12
state[2] = 69 << 16 | 299
state[3] = 1279
state[8] = 0x100000
open('$work/state', 'wb').write(struct.pack('<16I', *state))"
where=$(gpu-ptwalk -s demo:skl-hang --mode ggtt -j 0x200000 | jq -r '.walks[0].physical')
run gpu-tile -s demo:skl-hang -s "mem:$work/state@$where" -s "mem:$work/tiled@$phys" --surface ggtt:0x200000 -q
expect_status 0
expect_out 'address  0x100000
tiling   y
width    300
height   70
pitch    1280
bpp      32
format   B8G8R8A8_UNORM
pixels   B8G8R8A8
bytes    122880 of 122880 are there'
run gpu-tile -s demo:skl-hang -s "mem:$work/state@$where" -s "mem:$work/tiled@$phys" --surface ggtt:0x200000 -o "$work/got.png"
expect_status 0
python3 "$work/png.py" "$work/got.png" >"$work/pixels"
wanted "$work/wanted" 4 '(p[2], p[1], p[0], p[3])'
same_file "$work/pixels" "$work/wanted"
run gpu-tile -s demo:skl-hang --surface ggtt:0x200000
expect_status 3

title 'elements of three channels cross from one tile to the next; a slice is put where it belongs'
run gpu-tile -p skl -q -f y --pitch 384 --bpp 24 41 0 42 0 43 0
expect_out '41 0 0xe0b
42 0 0xe0e
43 0 0x1001'
run gpu-tile -p skl -q -f y --pitch 384 --bpp 24 --offset 0x1000
expect_out '0x1000 42 0 +2'
seq 2000 | head -c 4096 >"$work/rows"
deep='-p skl -f ys --size x32x:35 --bpp 32 --pitch 128'
# shellcheck disable=SC2086
run gpu-tile $deep --tile "$work/rows" -o "$work/deep"
expect_status 0
# shellcheck disable=SC2086
run gpu-tile $deep "$work/deep" -o "$work/back"
same_file "$work/back" "$work/rows"

title 'a surface lower than a tile'
head -c 1024 "$work/rows" >"$work/low"
flat='-p skl -f ys --size 16x16x --bpp 32 --pitch 4096'
# shellcheck disable=SC2086
run gpu-tile $flat --tile "$work/low" -o "$work/deep"
expect_status 0
# shellcheck disable=SC2086
run gpu-tile $flat "$work/deep" -o "$work/back"
same_file "$work/back" "$work/low"

title 'the documents'
run gpu-tile -p skl --ndjson -f y --pitch 512 1 1 2 2
cp "$out" "$work/points.ndjson"
expect_schemas
finish
