#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""make-dump.py FORM OUT ADDRESS=FILE...: a dump of the memory of a made-up machine, from files
that lie at multiples of 4 KiB. FORM is elf, lime, kdump or flat, which is kdump flattened. What is
missing up to 1 MiB behind each file is RAM, but was excluded (not by LiME, which knows no such)."""

import struct
import sys
import zlib

PAGE = 4096
AROUND = 256
INFO = b'OSRELEASE=6.1.0-99-amd64\nPAGESIZE=4096\nCRASHTIME=1731888000\n'


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


with open(sys.argv[2], 'wb') as out:
    for piece in {'elf': elf, 'lime': lime, 'kdump': kdump, 'flat': flat}[sys.argv[1]](read(sys.argv[3:])):
        out.write(piece)
