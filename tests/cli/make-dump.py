#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make-dump.py [--log] FORM OUT ADDRESS=FILE...: a dump of the memory of a made-up machine, from files
that lie at multiples of 4 KiB. FORM is elf, lime, kdump or flat, which is kdump flattened. What is
missing up to 1 MiB behind each file is RAM, but was excluded (not by LiME, which knows no such).
With --log the kernel has said that its GPU hangs."""

import struct
import sys
import zlib

PAGE = 4096
AROUND = 256
INFO = b'OSRELEASE=6.1.0-99-amd64\nPAGESIZE=4096\nCRASHTIME=1731888000\n'


# ---- a kernel that has a log ----------------------------------------------------------------------

KERNEL = 0x1000000              # where its image is; its pages are named by their place in it
MAP = 0xffffffff80000000 + KERNEL
DIRECT = 0xffff888000000000     # all memory, by large pages
RECORDS = 8
SAID = [b'Linux version 6.1.0-99-amd64', None, b'pci 0000:00:02.0: [8086:1912] type 00 class 0x030000',
        b'two\nlines', b'',
        b'i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [4711]']
OFFSETS = """SYMBOL(prb)={prb:x} SYMBOL(swapper_pg_dir)={tables:x} NUMBER(phys_base)=0
OFFSET(printk_ringbuffer.desc_ring)=0 OFFSET(printk_ringbuffer.text_data_ring)=48
OFFSET(prb_desc_ring.count_bits)=0 OFFSET(prb_desc_ring.descs)=8 OFFSET(prb_desc_ring.infos)=16
OFFSET(prb_desc_ring.head_id)=24 OFFSET(prb_desc_ring.tail_id)=32 SIZE(prb_desc)=24
OFFSET(prb_desc.state_var)=0 OFFSET(prb_desc.text_blk_lpos)=8 OFFSET(prb_data_blk_lpos.begin)=0
OFFSET(prb_data_blk_lpos.next)=8 SIZE(printk_info)=88 OFFSET(printk_info.ts_nsec)=8
OFFSET(printk_info.text_len)=16 OFFSET(prb_data_ring.size_bits)=0 OFFSET(prb_data_ring.data)=8
""".format(prb=MAP, tables=MAP + 3 * PAGE)


def kernel(pages):
    """Records from number 100 on: one is being written, one has no text, one does not fit at the end."""
    image = bytearray(7 * PAGE)
    struct.pack_into('<Q', image, 0, MAP + 256)
    struct.pack_into('<IIQQQQQIIQ', image, 256, RECORDS.bit_length() - 1, 0, MAP + PAGE, MAP + 2 * PAGE,
                     100 + len(SAID) - 1, 100, 0, 8, 0, DIRECT + KERNEL + 6 * PAGE)
    place = 256 - 24 - len(SAID[0]) % 8 + 256
    for number, said in enumerate(SAID, 100):
        size = 0 if said == b'' else -(-(8 + len(said or b'x')) // 8) * 8
        start, text = place, place % 256
        if text + size > 256:
            start, text = place, 0
            place += 256 - place % 256
        place += size
        slot = number % RECORDS
        struct.pack_into('<QQQ', image, PAGE + slot * 24, number | (0 if said is None else 2) << 62,
                         start, place)
        struct.pack_into('<QQH', image, 2 * PAGE + slot * 88, number, number * 1000000, len(said or b''))
        image[6 * PAGE + text + 8:6 * PAGE + text + 8 + len(said or b'')] = said or b''
    for level, (table, index) in enumerate([(3, DIRECT >> 39 & 511), (4, 0)]):
        struct.pack_into('<Q', image, table * PAGE + index * 8, KERNEL + (4 + level) * PAGE | 3)
    struct.pack_into('<Q', image, 5 * PAGE + (KERNEL >> 21) * 8, KERNEL | 0x83)
    for at in range(0, len(image), PAGE):
        pages[(KERNEL + at) // PAGE] = bytes(image[at:at + PAGE])


# ---- forms ----------------------------------------------------------------------------------------

def read(words):
    pages = {}
    for word in words:
        address, path = word.split('=', 1)
        with open(path, 'rb') as file:
            data = file.read()
        for at in range(0, len(data), PAGE):
            pages[int(address, 0) // PAGE + at // PAGE] = data[at:at + PAGE].ljust(PAGE, b'\0')
    return pages


def runs(numbers):
    """Of neighbouring numbers: first, count."""
    found = []
    for number in sorted(numbers):
        if found and number == sum(found[-1]):
            found[-1][1] += 1
        else:
            found.append([number, 1])
    return found


def lime(pages):
    for first, count in runs(pages):
        yield struct.pack('<IIQQQ', 0x4c694d45, 1, first * PAGE, (first + count) * PAGE - 1, 0)
        yield from (pages[number] for number in range(first, first + count))


def elf(pages):
    segments = runs(pages)
    note = struct.pack('<III', 11, len(INFO), 0) + b'VMCOREINFO\0\0' + INFO.ljust(-len(INFO) % 4 + len(INFO), b'\0')
    at = 64 + 56 * (len(segments) + 1)
    headers = [struct.pack('<IIQQQQQQ', 4, 0, at, 0, 0, len(note), 0, 0)]
    at += len(note)
    for i, (first, count) in enumerate(segments):
        behind = min(AROUND, (segments[i + 1:] or [[1 << 40]])[0][0] - first - count)
        headers.append(struct.pack('<IIQQQQQQ', 1, 6, at, 0, first * PAGE, count * PAGE,
                                   (count + behind) * PAGE, PAGE))
        at += count * PAGE
    yield b'\x7fELF\2\1\1'.ljust(16, b'\0')
    yield struct.pack('<HHIQQQIHHHHHH', 4, 62, 1, 0, 64, 0, 0, 64, 56, len(headers), 0, 0, 0)
    yield from headers
    yield note
    yield from (pages[number] for first, count in segments for number in range(first, first + count))


def kdump(pages):
    most = max(pages) + AROUND + 1
    blocks = -(-most // (8 * PAGE))
    ram, held = bytearray(blocks * PAGE), bytearray(blocks * PAGE)
    for number in pages:
        held[number // 8] |= 1 << number % 8
        for near in range(number, number + AROUND):
            ram[near // 8] |= 1 << near % 8
    head = bytearray(3 * PAGE)
    head[:12] = b'KDUMP   ' + struct.pack('<I', 6)
    head[424:444] = struct.pack('<IIIII', 1, PAGE, 2, 2 * blocks, min(most, 0xffffffff))
    struct.pack_into('<QIIQQQQ', head, PAGE, 0, 17, 0, 0, 0, 2 * PAGE, len(INFO))
    struct.pack_into('<Q', head, PAGE + 96, most)
    head[2 * PAGE:2 * PAGE + len(INFO)] = INFO
    table, data = b'', bytes(PAGE)
    start = len(head) + 2 * len(ram) + 24 * len(pages)
    for number in sorted(pages):
        packed = zlib.compress(pages[number])
        if not any(pages[number]):
            table += struct.pack('<QIIQ', start, PAGE, 0, 0)
        elif len(packed) < PAGE:
            table += struct.pack('<QIIQ', start + len(data), len(packed), 1, 0)
            data += packed
        else:
            table += struct.pack('<QIIQ', start + len(data), PAGE, 0, 0)
            data += pages[number]
    yield from (bytes(head), bytes(ram), bytes(held), table, data)


def flat(pages):
    yield b'makedumpfile'.ljust(16, b'\0') + struct.pack('>QQ', 1, 1) + bytes(PAGE - 32)
    whole = b''.join(kdump(pages))
    order = list(range(0, len(whole), 16 * PAGE))
    for at in order[1:] + order[:1]:
        data = whole[at:at + 16 * PAGE]
        yield struct.pack('>QQ', at, len(data)) + data
    yield b'\xff' * 16


arguments = [word for word in sys.argv[1:] if word != '--log']
memory = read(arguments[2:])
if '--log' in sys.argv:
    kernel(memory)
    INFO += OFFSETS.replace(' ', '\n').encode()
with open(arguments[1], 'wb') as out:
    for piece in {'elf': elf, 'lime': lime, 'kdump': kdump, 'flat': flat}[arguments[0]](memory):
        out.write(piece)
