#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""batch-reference.py aubinator TEXT JSON | libdrm TEXT HEADERS [LAST]: our decoding and others'.

aubinator: TEXT is what Mesa's aubinator prints of a trace, JSON what gpu-batch --json does. Each
instruction has to be a command of ours at the same address with the same header and name, and
each field that has the same name there has to have the same value. libdrm: TEXT is libdrm's text
of a batch, HEADERS that of gpu-batch --headers; commands begin at the same addresses, up to LAST.
A line for each difference; then "commands N fields M of K".
"""
import json
import re
import sys

NUMBER = r"(0x[0-9a-f]+)"
INSTRUCTION = re.compile(rf"{NUMBER}:  {NUMBER}:  (\S+)\s*\Z")
DWORD = re.compile(rf"{NUMBER}:  {NUMBER} : Dword (\d+)")
FIELD = re.compile(r"    (\S.*?): (\S.*?)(?: \((.*)\))?\s*\Z")
LIBDRM = re.compile(r"0x([0-9a-f]{8}):(?: {6}| HEAD | TAIL )0x([0-9a-f]{8}): (\S.*)?")

# libdrm does not know this one, and takes its operands for commands.
LIBDRM_UNKNOWN = {"0x790e0001": 2}


def plain(name):
    return re.sub(r"[^A-Z0-9]", "", name.upper())


def instructions(lines):
    """[address, header, name, fields (dword, name, value)] of aubinator's text."""
    found, inside = [], False
    for line in lines:
        line = line.rstrip("\n")
        if m := INSTRUCTION.match(line):
            found.append([int(m[1], 16), int(m[2], 16), m[3], []])
            inside = True
        elif m := DWORD.match(line):
            dword = int(m[3])
            inside = inside and int(m[1], 16) == found[-1][0] + 4 * dword
        elif line[:4].strip():
            inside = False
        elif inside and (m := FIELD.match(line)) and m[1] != "DWord Length":
            found[-1][3].append((dword, m[1], m[2]))
    return found


def number_of(text):
    try:
        return float(text.split()[0])
    except (AttributeError, ValueError, IndexError):
        return None


def agrees(field, value):
    raw, text = int(field["value"], 16), field["text"] or ""
    if value in ("true", "false"):
        return raw == (value == "true")
    if value.startswith("0x"):
        wanted = int(value, 16)
        shown = int(text.split()[0], 16) if text.startswith("0x") else raw
        return wanted in (raw, raw << field["lo"] % 32, shown)
    if re.fullmatch(r"-?\d+", value):
        wanted = int(value)
        if wanted in (raw, raw - (1 << field["hi"] - field["lo"] + 1)):
            return True
    shown, wanted = number_of(text), number_of(value)
    if shown is None or wanted is None:
        return False
    return abs(shown - wanted) <= 1e-3 * max(1, abs(wanted))


def field_named(command, dword, name):
    """The one of that name that lies nearest."""
    same = [f for f in command["fields"] if plain(f["name"]) == plain(name)]
    return min(same, key=lambda f: abs(f["dword"] - dword), default=None)


def compare_fields(wanted, command):
    agreed = 0
    for dword, name, value in wanted[3]:
        field = field_named(command, dword, name)
        if field is None:
            continue
        if agrees(field, value):
            agreed += 1
        else:
            print(f"{wanted[0]:#x} {wanted[2]} {name}: {field['value']} {field['text']}, "
                  f"not {value}")
    return agreed


def aubinator(text, document):
    """Up to Gen7 it prints the ring's commands at address 0."""
    wanted = instructions(open(text, errors="replace"))
    ours = [c for b in json.load(open(document))["buffers"] for c in b["commands"]]
    places = {}
    for command in ours:
        header = int(command["dwords"][0], 16)
        for address in (int(command["address"], 16), 0):
            places.setdefault((address, header), []).append(command)
    agreed = total = 0
    for w in wanted:
        there = places.get((w[0], w[1]))
        if not there:
            print(f"no command {w[1]:#x} at {w[0]:#x} ({w[2]})")
            continue
        command = there.pop(0) if len(there) > 1 else there[0]
        if command["name"] != w[2] or command["status"] != "ok":
            print(f"{w[0]:#x} is {command['name']} {command['status']}, not {w[2]}")
        agreed += compare_fields(w, command)
        total += len(w[3])
    if len(ours) != len(wanted):
        print(f"{len(ours)} commands, not {len(wanted)}")
    print(f"commands {len(ours)} fields {agreed} of {total}")


def libdrm(text, headers, last="0xffffffff"):
    wanted, skip = [], 0
    for line in open(text, errors="replace"):
        m = LIBDRM.match(line)
        if not m or int(m[1], 16) > int(last, 16):
            continue
        if m[3] and not skip:
            wanted.append((int(m[1], 16), int(m[2], 16)))
            skip = LIBDRM_UNKNOWN.get(f"0x{m[2]}", 0)
        elif skip:
            skip -= 1
    ours = [INSTRUCTION.match(line.rstrip("\n")) for line in open(headers)]
    ours = [(int(m[1], 16), int(m[2], 16)) for m in ours]
    for address, header in sorted(set(wanted) ^ set(ours))[:10]:
        whose = "ours" if (address, header) in ours else "libdrm's"
        print(f"{header:#010x} at {address:#x} is a command of {whose} only")
    print(f"commands {len(ours)}")


{"aubinator": aubinator, "libdrm": libdrm}[sys.argv[1]](*sys.argv[2:])
