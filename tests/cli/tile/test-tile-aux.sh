#!/bin/sh
# SPDX-License-Identifier: MIT
# gpu-tile --aux table: the auxiliary table of Gen12, what keeps it from being read; and swizzling
# as it was at a submission.
. "$(dirname "$0")/../lib.sh"
needs gpu-tile jq python3

title 'where auxiliary data is'
# Three tables in a megabyte, by the levels of mesa intel_aux_map.c: 47:36, 35:24 and 23:16 on
# Gen12, on Gen12.7 23:20, and tables of 2 KB.
cat >"$work/aux.py" <<'END'
import struct, sys
mem = bytearray(1 << 20)
def put(at, value):
    mem[at:at + 8] = struct.pack("<Q", value)
put(0x8000 + 8 * 3, 0x10000 | 1)			# L3: address bits 47:36 are 3
put(0x10000 + 8 * 0x45, 0x1800 | 0x6000 | 1)		# L2: 35:24
put(0x10000 + 8 * 0x46, 0x90000000 | 1)
put(0x6000 + 8 * 0x67, 8 << 58 | 1 << 57 | 5 << 54 | 1 << 52 | 0x123456700 | 1)
put(0x6000 + 8 * 0x68, 0x123456800)
put(0x7800 + 8 * 6, 0x123456000 | 1)			# of 1 MB: 23:20
open(sys.argv[1] + "/aux-mem", "wb").write(mem)
open(sys.argv[1] + "/aux-ggtt", "wb").write(b"".join(struct.pack("<Q", i << 12 | 1)
                                                     for i in range(256)))
bar = bytearray(8 << 20)
bar[0x4200:0x4208] = struct.pack("<Q", 0x8000)
open(sys.argv[1] + "/aux-bar", "wb").write(bar)
bar[0x4200:0x4208] = struct.pack("<Q", 0xffff000000008003)
open(sys.argv[1] + "/aux-odd", "wb").write(bar)
END
python3 "$work/aux.py" "$work"
# table PLATFORM OPTION...
table() {
	_platform=$1
	shift
	run gpu-tile -p "$_platform" -s "ggtt:$work/aux-ggtt" -s "mem:$work/aux-mem" "$@"
}
table tgl --aux table:ggtt:0x8000 0x3045670123
expect_status 0
expect_out_has '^0x3045670123  auxiliary 0x123456700, 256 bytes for 64 KB; chroma, 32 bits, tiles y, format 0x8$'
expect_out_has '^  L3     3  table 0x000000008000  entry 0x000000008018  0x0000000000010001$'
expect_out_has '^  L2    69  table 0x000000010000  entry 0x000000010228  0x0000000000007801$'
expect_out_has '^  L1   103  table 0x000000006000  entry 0x000000006338  '
table tgl --aux table:ggtt:0x8000 0x3045670123 -q
expect_out '0x3045670123  auxiliary 0x123456700, 256 bytes for 64 KB; chroma, 32 bits, tiles y, format 0x8'
table mtl --aux table:ggtt:0x8000 0x3045670123 -j
expect_status 0
expect_json '.walks[0] | [.mapped, .auxiliary, .size, .covers, .format]' \
	'[true,"0x123456000",4096,1048576,null]'
expect_json '.walks[0].steps[2] | [.level, .index, .table]' '[1,6,"0x7800"]'
cp "$out" "$work/aux-mtl.json"
table tgl --aux table:ggtt:0x8000 0x3045680000 -j
expect_status 3
expect_err_line 'gpu-tile: 0x3045680000: not mapped: L1 entry 0x123456800 is not valid'
expect_json '.walks[0] | [.mapped, .stop, (.steps | length)]' '[false,"not-present",3]'
cp "$out" "$work/aux-tgl.json"
table tgl --aux table:ggtt:0x8000 0x3045670000 0x3045680000 --ndjson
expect_status 3
cp "$out" "$work/aux.ndjson"
same 'what its lines have' "$(jq -s -c 'map([.table, .mapped, (.steps | length)])' "$out")" \
	'[["0x8000",null,0],[null,true,3],[null,false,3]]'
table tgl --aux table:ggtt:0x8000 0x3045670000 0x3045680000 -j
same 'lines that begin with an address' "$(grep -c '^{"address"' "$out")" 2
table tgl --aux table:ggtt:0x8000 0x3046000000
expect_status 3
expect_err_line 'gpu-tile: 0x3046000000: unknown: L1 entry at 0x90000000: *'
table tgl --aux table:ggtt:0x8000 0x1234000000000000 0x3045670000
expect_status 3
expect_err_line 'gpu-tile: 1 of 2 addresses: not mapped'
expect_out_has '^0x1234000000000000  not mapped: bits 63:48 '
table tgl --aux table:ggtt:0x8000 0x1234000000000000 -j
expect_status 3
expect_json '.walks[0].address' '"0x1234000000000000"'
expect_err_line 'gpu-tile: 0x1234000000000000: not mapped: bits 63:48 *'
table tgl --aux table:ggtt:0x8000 0xffff903045670000 -j
expect_json '.walks[0].address' '"0x903045670000"'
run gpu-tile -p tgl -s "bar:$work/aux-bar" -s "ggtt:$work/aux-ggtt" -s "mem:$work/aux-mem" \
	--aux table:ggtt: 0x3045670000 -j
expect_status 0
expect_json '[.table, .from]' '["0x8000","rcs0.GFX_AUX_TABLE_BASE_ADDR"]'
run gpu-tile -p tgl -s "bar:$work/aux-odd" -s "ggtt:$work/aux-ggtt" -s "mem:$work/aux-mem" \
	--aux table:ggtt: 0x3045670000 -j
expect_json '[.table, .from]' '["0x8000","rcs0.GFX_AUX_TABLE_BASE_ADDR"]'
run gpu-tile -p tgl -s "bar:$work/aux-bar" -s "ggtt:$work/aux-ggtt" \
	--aux table:vcs0: 0x3045670000
expect_status 3
expect_err_line 'gpu-tile: vcs0.VD0_AUX_TABLE_BASE_ADDR: 0: there is no table'
table tgl --aux table:ggtt: 0x1000
expect_status 3
expect_err_line 'gpu-tile: rcs0.GFX_AUX_TABLE_BASE_ADDR: not in the source; give it with --aux table:ADDR*'
table dg2 --aux table:ggtt:0x8000 0x1000
expect_status 2
expect_err_line 'gpu-tile: auxiliary table: this platform has none*'
run gpu-tile -p dg2 --aux table:ggtt:0x8000 0x1000
expect_status 2
expect_err_line 'gpu-tile: auxiliary table: this platform has none*'
table tgl --aux table:ggtt:0x8000
expect_status 2
table tgl --aux table:ggtt:0x8000 zero
expect_status 2
table tgl --aux table:ggtt:0x8001 0x1000
expect_status 2
expect_err_line 'gpu-tile: --aux table:ggtt:0x8001: tables are aligned to 8 bytes (try --help)'
table tgl --aux table:ggtt:0x1234000000008000 0x1000
expect_status 2
expect_err_line 'gpu-tile: --aux table:ggtt:0x1234000000008000: bits 63:48 are neither *'
table tgl --aux table:ggtt:0xffff800000000000 0x1000
expect_status 3

title 'what cannot be read'
# capture SPACE ADDRESS LENGTH STATUS: pages of the global table, and what is not there
capture() {
	python3 - "$work/capture.tar" "$@" <<'END'
import io, struct, sys, tarfile
space, address, length, status = sys.argv[2:]
with tarfile.open(sys.argv[1], "w") as archive:
    for name, data in (("gpuscope/info", b"format: 1\nplatform: tgl\n"),
                       ("ggtt/0x0.bin", b"".join(struct.pack("<Q", i << 12 | 1) for i in range(16))),
                       (space + "/status", f"{address} {length} {status}\n".encode())):
        member = tarfile.TarInfo(name)
        member.size = len(data)
        archive.addfile(member, io.BytesIO(data))
END
}
# no_register STATUS WORD WHY
no_register() {
	capture mmio 0x4200 8 "$2"
	run gpu-tile -s "$work/capture.tar" --aux table:ggtt: 0x1000
	expect_status "$1"
	expect_out_empty
	expect_err_line "gpu-tile: rcs0.GFX_AUX_TABLE_BASE_ADDR: $3"
}
no_register 4 denied 'the kernel refuses to read it'
no_register 5 asleep 'the GPU is asleep'
no_register 5 all-ones 'the device does not answer'
no_register 3 absent 'not in the source; give it with --aux table:ADDR*'
# no_table STATUS WORD WHY: alone, and with an address that ends in 3
no_table() {
	capture phys 0x8000 0x1000 "$2"
	run gpu-tile -s "$work/capture.tar" --aux table:ggtt:0x8000 0x1000
	expect_status "$1"
	expect_err_line "gpu-tile: 0x1000: unknown: L3 entry at 0x8000: *$3*"
	run gpu-tile -s "$work/capture.tar" --aux table:ggtt:0x8000 0x1000 \
		0x1234000000000000 -j
	expect_status "$1"
	expect_json '.walks | map(.stop)' '["no-memory","not-canonical"]'
}
no_table 4 denied 'the kernel refuses to read it'
no_table 5 asleep 'the GPU is asleep'
no_table 3 absent 'but the source has no memory'

title 'swizzling as it was'
# A classic trace: DISP_ARB_CTL 13 is set when commands are submitted, and clear at the end.
python3 - "$work/swizzled.aub" <<'END'
import struct, sys
def block(operation, address, data):
    return struct.pack("<5I", 0xe0c10003, operation, 0, address, len(data)) + data
with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<13I", 0xe085000b, 0x04000000, *[0] * 11))
    f.write(block(1 | 4 << 16, 0, struct.pack("<16I", *[i << 12 | 1 for i in range(16)])))
    f.write(block(1, 0x1000, bytes(4096)))
    f.write(block(3, 0x45000, struct.pack("<I", 1 << 13)))
    f.write(block(2, 0x2000, struct.pack("<2I", 0x05000000, 0)))
    f.write(block(3, 0x45000, struct.pack("<I", 0)))
END
# swizzle WANTED SUBMISSION
swizzle() {
	_wanted=$1
	shift
	run gpu-tile -p ivb -s "$work/swizzled.aub" -f x --pitch 512 --size x8 --surface "0x1000$1" -j
	expect_status 0
	expect_json .swizzle "\"$_wanted\""
}
swizzle none ''
swizzle 9/10 @1

title 'the documents'
expect_schemas
finish
