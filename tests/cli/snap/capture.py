# SPDX-License-Identifier: MIT
"""A reader and a writer of captures made from gpuscope-capture(5) alone.

    capture.py read FILE       rows of gpu-regdump --json on standard input that FILE has otherwise
    capture.py write FILE      a capture with all that the page allows
Prints one line for each difference.
"""

import io
import json
import re
import sys
import tarfile


class Capture:
    def __init__(self, path):
        self.info = []
        self.pieces = {}        # by space, in the order of the archive
        self.statuses = {}
        with tarfile.open(path) as archive:
            for member in archive:
                if member.isfile():
                    self.take(re.sub(r"^(\./)+", "", member.name), archive.extractfile(member).read())
        if ("format", "1") not in self.info:
            raise ValueError("no capture of format 1")

    def take(self, name, data):
        if name == "gpuscope/info":
            for line in data.decode().splitlines():
                key, colon, value = line.partition(":")
                if colon:
                    self.info.append((key.strip(), value.strip()))
        piece = re.fullmatch(r"([a-z-]+)/0x([0-9a-fA-F]+)\.bin", name)
        if piece:
            self.pieces.setdefault(piece[1], []).append((int(piece[2], 16), data))
        space, _, rest = name.partition("/")
        if rest == "status":
            for line in data.decode().splitlines():
                words = line.split()
                if words:
                    self.statuses.setdefault(space, []).append(
                        (int(words[0], 16), int(words[1], 16), words[2]))

    def byte(self, space, address):
        """A status and, if that is ok, a byte."""
        for start, length, word in reversed(self.statuses.get(space, [])):
            if start <= address < start + length:
                return word, None
        for start, data in reversed(self.pieces.get(space, [])):
            if start <= address < start + len(data):
                return "ok", data[address - start]
        return "absent", None

    def value(self, space, address, size):
        found = [self.byte(space, address + i) for i in range(size)]
        statuses = {status for status, _ in found}
        if statuses == {"ok"}:
            return "ok", int.from_bytes(bytes(byte for _, byte in found), "little")
        return next(status for status, _ in found if status != "ok"), None


def check(path, rows):
    capture = Capture(path)
    count = 0
    for row in rows["registers"]:
        space, offset = row["space"], int(row["offset"], 16)
        if space == "sideband":
            offset *= 4
        wanted = capture.value(space, offset, row["size"])
        value = int(row["value"], 16) if row["value"] else None
        if row["status"] == "skipped" and wanted[0] == "ok":
            continue            # the reader's choice
        if (row["status"], value) != wanted:
            print(row["name"], row["offset"], row["status"], row["value"], "is in the file", wanted)
        count += row["status"] != "absent"
    if not count:
        print("no register has a value")


def member(archive, name, data, kind=tarfile.REGTYPE):
    info = tarfile.TarInfo(name)
    info.type = kind
    info.size = len(data) if kind in (tarfile.REGTYPE, tarfile.AREGTYPE) else 0
    archive.addfile(info, io.BytesIO(data))


def write(path):
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as archive:
        member(archive, "mmio", b"", tarfile.DIRTYPE)
        member(archive, "./mmio/0x2030.bin", bytes(range(1, 17)))
        # The status stands over bytes wherever it comes; the later line over the earlier one.
        member(archive, "mmio/status", b"0x2074 0x8 asleep\n\n0x2078 0x4 denied\n0x2040 0x4 absent\n")
        member(archive, "mmio/0x2034.bin", b"\xb8\x3d\x60\x00")
        member(archive, "mmio/0x2074.bin", b"\xff" * 16, tarfile.AREGTYPE)
        member(archive, "mmio/0x2040.bin", b"\x55" * 4)
        member(archive, "mmio/notes.txt", b"what nobody knows is left alone")
        member(archive, "x" * 150 + "/0x0.bin", b"a long name, of no space")
        member(archive, "config/0x0.bin", b"\x86\x80\x26\x01" + bytes(4) + b"\x09" + bytes(55))
        member(archive, "gpuscope/info", b"no colon\n  story :  made by hand \nformat: 1\nunknown: 7\ndamage: a.txt: torn\n")


def main(what, path):
    if what == "write":
        write(path)
    else:
        check(path, json.load(sys.stdin))


main(*sys.argv[1:])
