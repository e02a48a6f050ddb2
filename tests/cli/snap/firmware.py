# SPDX-License-Identifier: MIT
"""Makes files of firmware with headers and nothing in them: firmware.py KIND FILE."""
import struct
import sys


def words(*values):
    return struct.pack(f"<{len(values)}I", *values)


def css(version, interface=0, date=0x20240229, device=0x0040, private=0, code=b"\0" * 512):
    """Without modulus and exponent, as most files are."""
    header = words(6, 161, 0x10000, 0, 0x8086, date, 161 + len(code) // 4, 64, 64, 1, 0x300102)
    header += b"somebody" + b"PC-1.2.3".ljust(12, b"\0") + words(version, interface)
    return header.ljust(120, b"\0") + words(private, device << 16 | 0x100) + code + b"\x55" * 256


def manifest(date, *version):
    return (words(4, 32, 0x21000, 1, 0x8086, date, 32, 0x324e4d24, 0) +
            struct.pack("<4H", *version) + words(1)).ljust(120, b"\0") + words(96, 1)


def cpd(name, files):
    place = 20 + 24 * len(files)
    head = b"$CPD" + struct.pack("<IBBBB4sI", len(files), 2, 1, 20, 0, name, 0)
    data = b""
    for file, content in files:
        head += file.ljust(12, b"\0") + words(place + len(data), len(content), 0)
        data += content
    return head + data


def gsc():
    """Two entries lead to one directory."""
    inside = cpd(b"RBEP", [(b"RBEP.man", manifest(0x20250309, 104, 0, 5, 1429)),
                           (b"fitc.cfg", b"")])
    boot = words(0x55aa, 2, 0, 0, 0, 0) + words(2, 48, 0) + words(1, 48, len(inside)) + inside
    table = [0] * 14
    table[2:4] = 80, len(boot)
    return b"\xff" * 16 + words(64, 0) + words(*table) + boot


def program(version, number, writes, code):
    """A header of version 1 or 3 of one program, which follows."""
    size, most = (128, 8) if number == 1 else (256, 20)
    head = words(0x40403e3e, (size if number == 1 else size // 4) | number << 8, 0xc00,
                 len(code) // 4, version)
    if number == 3:
        head = (head + words(0x80000)).ljust(92, b"\0")
    head += words(len(writes))
    for column in zip(*writes):
        head += words(*column).ljust(most * 4, b"\0")
    return head.ljust(size, b"\0") + code


def dmc():
    first = program(0x10002, 3, [(0x8f074, 0x86fc0), (0x8f034, 0xc003b400)], b"\0" * 64)
    second = program(3, 1, [(0x92074, 0x90fc0)], b"\0" * 8)
    entries = b"\0\0**" + words(0, 0) + b"\0\1B*" + words(len(first) // 4, 0)
    entries += b"\0\2A0" + words(0xffffffff, 0) + b"\0\3**" + words(0, 0)
    package = words(100 | 2 << 8, 0, 0, 4) + entries.ljust(32 * 12, b"\0")
    size = 128 + len(package) + len(first) + len(second)
    head = words(9, 32, 0x10000, 0, 0, 0x7e50609, size // 4).ljust(88, b"\0") + words(0x2000c)
    return head.ljust(128, b"\0") + package + first + second


def fpt():
    inside = cpd(b"LTES", [(b"LTES.man", manifest(0x20240926, 203, 0, 0, 0))])
    head = b"$FPT" + words(1, 0x201021, 0, 0, 0, 0, 0)
    return head + b"LTES" + words(0, 64, len(inside), 0, 0, 0, 1) + inside


FILES = {
    "guc": lambda: css(0x461401, 0x10900, private=0x801000),
    "guc9": lambda: css(0x40001, 0x90021, date=0x20160926, device=0x0010),
    "huc1": lambda: css(0x10008, date=0x20180911, device=0x0011),
    "huc": lambda: cpd(b"HUCP", [
        (b"HUCP.man", manifest(0x20230803, 8, 5, 4, 1555)),
        (b"huc_fw", css(0x80504, date=0x20230801, device=0x4050))]),
    "gsc": gsc,
    "dmc": dmc,
    "fpt": fpt,
}

if __name__ == "__main__":
    with open(sys.argv[2], "wb") as out:
        out.write(FILES[sys.argv[1]]())
