# SPDX-License-Identifier: MIT
"""Holds the commands that gpu-db exports against lists made apart from the definitions.

    commands.py fields TSV PLATFORM          fields of the list that are not there
    commands.py map TSV                      rows of command maps that are not there, or not reserved
    commands.py names PLATFORM ENGINE FILE.. names and lengths of reference decoders, and not ours
Prints one line for each difference.
"""

import collections
import functools
import json
import re
import subprocess
import sys

CLASSES = {"render": "rcs", "video": "vcs", "blitter": "bcs"}


def gpu_db(*arguments):
    done = subprocess.run(["gpu-db", *arguments, "--json"], capture_output=True, text=True)
    return json.loads(done.stdout) if done.returncode == 0 else None


@functools.lru_cache(maxsize=None)
def exported(platform):
    return gpu_db("export", "-p", platform)


def rows(path):
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith("#"):
                yield line.rstrip("\n").split("\t")


def matches(bits):
    """The header dwords of "31:29=0,28:23=0x1b..0x1f", one for each value of the ranges."""
    found = [(0, 0)]
    for part in bits.split(","):
        where, values = part.split("=")
        hi, lo = ([int(bit) for bit in where.split(":")] * 2)[:2]
        first, last = (values.split("..") * 2)[:2]
        mask = (1 << hi + 1) - (1 << lo)
        found = [(m | mask, v | value << lo) for m, v in found
                 for value in range(int(first, 0), int(last, 0) + 1)]
    return found


def command_at(platform, engine, header):
    """The command a header dword is: of those that fit, the one whose match has most bits."""
    fit = [c for c in exported(platform)["commands"]
           if engine in c["engine"] and header & int(c["mask"], 16) == int(c["value"], 16)]
    return max(fit, key=lambda c: bin(int(c["mask"], 16)).count("1"), default=None)


@functools.lru_cache(maxsize=None)
def aliases(platform, name):
    shown = gpu_db("show", "-p", platform, name) or {"definitions": []}
    return [d["name"] for d in shown["definitions"] if d["kind"] == "command"]


def is_named(platform, command, name):
    return command is not None and (command["name"] == name or
                                    command["name"] in aliases(platform, name))


def compare_fields(path, platform):
    items = collections.defaultdict(list)
    for kind in "commands", "structures":
        for item in exported(platform)[kind]:
            items[item["name"]].append(item)
    for name, bits, engine, length, field, dword, hi, lo in rows(path):
        if not items[name]:
            yield name
            continue
        item = items[name][0]
        mine = [f for f in item["fields"] if f["name"] == field and (f["dword"] or 0) == int(dword)]
        if field == "RESERVED":
            covered = {b for f in mine for b in range(f["lo"], f["hi"] + 1)}
            there = covered.issuperset(range(int(lo), int(hi) + 1))
        else:
            there = any((f["hi"], f["lo"]) == (int(hi), int(lo)) for f in mine)
        if not there:
            yield f"{name} {field} dw{dword}.{hi}:{lo}"
        if bits == "-":
            continue
        mask, value = matches(bits)[0]
        if (int(item["mask"], 16), int(item["value"], 16)) != (mask, value):
            yield f"{name} opcode {item['mask']} {item['value']}"
        if item["length"] != length:
            yield f"{name} length {item['length']}"
        if CLASSES[engine] not in item["engine"]:
            yield f"{name} engine {' '.join(item['engine'])}"


def compare_map(path):
    named = {(p, mv) for _, platforms, _, bits, name, _ in rows(path) if name != "Reserved"
             for p in platforms.split(",") for mv in matches(bits)}
    for _, platforms, engines, bits, name, _ in rows(path):
        of_any = engines == "any"
        classes = CLASSES.values() if of_any else [CLASSES[e] for e in engines.split(",")]
        for platform in platforms.split(","):
            for mask, value in matches(bits):
                if name == "Reserved":
                    found = [command_at(platform, c, value) for c in classes]
                    taken = {c["name"] for c in found if c and int(c["mask"], 16) & ~mask == 0}
                    if taken and (platform, (mask, value)) not in named:
                        yield f"{platform} {bits} reserved: {' '.join(sorted(taken))}"
                    continue
                have = [is_named(platform, command_at(platform, c, value), name) for c in classes]
                if not (any(have) if of_any else all(have)):
                    yield f"{platform} {bits} {name}"


# A line of aubinator ("0x00001000:  0x18800101:  NAME") or of libdrm ("0x..:      0x..: NAME, ..").
LINE = re.compile(r"^0x([0-9a-f]+): +(?:HEAD |TAIL )? *0x([0-9a-f]{8}): {1,2}"
                  r"([A-Z0-9][A-Z0-9_]{3,})\b")
# What libdrm prints in capitals and is no name; what it takes for one dword, or for broken.
NO_NAMES = {"NULL"}
LOST = re.compile(r"\bUNKNOWN\b|^Bad ")
# The next command printed may be that of another buffer, if it is not one within sight.
JUMPS = {"MI_BATCH_BUFFER_START", "MI_BATCH_BUFFER_END"}
SIGHT = 1024
Before = collections.namedtuple("Before", "name address end")


def length_of(command, header):
    field = re.fullmatch(r"dw0\[(\d+):(\d+)\]\+(\d+)", command["length"])
    if not field:
        return int(command["length"])
    hi, lo, bias = map(int, field.groups())
    return (header >> lo & (1 << hi - lo + 1) - 1) + bias


def reference_commands(path):
    """Address, header and name; None where the reference lost its way."""
    lost = False
    with open(path, encoding="utf-8", errors="replace") as file:
        for line in file:
            found = LINE.match(line)
            if LOST.search(line):
                lost = True
                yield None
            elif found and found.group(3) not in NO_NAMES:
                yield int(found.group(1), 16), int(found.group(2), 16), found.group(3)
                if lost:
                    yield None
                lost = False


def compare_names(platform, engine, paths):
    met = 0
    for path in paths:
        before = None
        for line in reference_commands(path):
            if line is None:
                before = None
                continue
            met += 1
            address, header, name = line
            jump = before and {before.name, name} & JUMPS and not \
                0 < address - before.address < SIGHT
            if before and address != before.end and not jump:
                yield f"{platform} length of the command before {address:#x}"
            command = command_at(platform, engine, header)
            if not is_named(platform, command, name):
                yield f"{platform} {header:#010x} {name}"
            before = command and Before(name, address, address + 4 * length_of(command, header))
    if not met:
        yield "no commands at all"


def main():
    what, *rest = sys.argv[1:]
    if what == "fields":
        found = compare_fields(*rest)
    elif what == "map":
        found = compare_map(*rest)
    else:
        found = compare_names(rest[0], rest[1], rest[2:])
    for line in dict.fromkeys(found):
        print(line)


main()
