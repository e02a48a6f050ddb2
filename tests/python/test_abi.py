# SPDX-License-Identifier: MIT
"""What programs were built for, and what scripts rely on, stays within a major version.

tests/golden/abi-1.0.tsv and its successors have, as each release had them: sizes of structures,
members with offset and type, functions with the types of result and arguments, constants, and the
attributes of the Python classes, whose types the generator reads from comments. They are of systems
with 64 bits. `meson compile abi` writes the file of the version in meson.build.
"""
import ctypes
import enum
import inspect
import pathlib
import sys
import unittest

import gpuscope
from gpuscope import _gpuscope
from support import SOURCE


def type_name(kind):
    return getattr(kind, "__name__", "None")


def class_rows(name, kind):
    for part, said in inspect.get_annotations(kind).items():
        if not part.startswith("_"):
            yield f"class\t{name}.{part}", said
    for part, member in vars(kind).items():
        if isinstance(member, property):
            yield f"class\t{name}.{part}", member.fget.__annotations__["return"]


def rows():
    """(KIND and NAME, VALUE) of all that there is."""
    for name, thing in vars(_gpuscope).items():
        if hasattr(thing, "argtypes"):
            yield f"function\t{name}", " ".join(map(type_name, [thing.restype, *thing.argtypes]))
        elif name.startswith("struct_") and hasattr(thing, "_fields_"):
            yield f"size\t{name}", str(ctypes.sizeof(thing))
            for member, kind in thing._fields_:
                yield f"member\t{name}.{member}", f"{getattr(thing, member).offset} {type_name(kind)}"
        elif inspect.isclass(thing) and issubclass(thing, (enum.IntEnum, enum.IntFlag)):
            yield from ((f"constant\t{name}.{one.name}", str(int(one))) for one in thing)
        elif name in gpuscope.__all__:
            yield from class_rows(name, thing)


def broken(old, new):
    """What a program that was built for `old` would miss, or would misread, in `new`."""
    for name, value in old.items():
        now = new.get(name)
        grown = name.startswith("size\t") and now is not None and int(now) >= int(value)
        if now != value and not grown:
            yield f"{name}: was {value}, is {now}"
    for name, value in new.items():
        kind, what = name.split("\t")
        size = int(old.get(f"size\t{what.split('.')[0]}", 0))
        if kind == "member" and name not in old and int(value.split()[0]) < size:
            yield f"{name}: begins before {size}: a program cannot tell by `size` that it is there"


class Abi(unittest.TestCase):
    def test_releases(self):
        if ctypes.sizeof(ctypes.c_void_p) != 8:
            self.skipTest("the files are of 64 bits")
        now = dict(rows())
        files = sorted((SOURCE / "tests/golden").glob("abi-*.tsv"))
        self.assertTrue(files)
        for file in files:
            old = dict(line.rsplit("\t", 1) for line in file.read_text().splitlines())
            self.assertGreater(len(old), 800)
            found = "\n".join(broken(old, now))
            self.assertFalse(found, f"{file.name}:\n{found}")

    def test_what_breaks(self):
        old = {"size\tstruct_x": "24", "member\tstruct_x.a": "8 c_uint",
               "constant\tX.A": "1", "class\tX.a": "int"}
        self.assertEqual(list(broken(old, old)), [])
        grown = {"size\tstruct_x": "32", "member\tstruct_x.b": "24 c_int", "constant\tX.B": "2"}
        self.assertEqual(list(broken(old, old | grown)), [])
        for change in ({"size\tstruct_x": "16"}, {"member\tstruct_x.a": "12 c_uint"},
                       {"member\tstruct_x.a": "8 c_int"}, {"constant\tX.A": "2"},
                       {"class\tX.a": "int | None"}, {"member\tstruct_x.b": "20 c_int"}):
            self.assertEqual(len(list(broken(old, old | change))), 1, change)
        for name in old:
            self.assertTrue(list(broken(old, {key: old[key] for key in old if key != name})), name)


if sys.argv[1:2] == ["--write"]:
    pathlib.Path(sys.argv[2]).write_text("".join(f"{name}\t{value}\n" for name, value in rows()))
else:
    unittest.main()
