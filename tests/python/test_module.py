# SPDX-License-Identifier: MIT
"""The module as a package: types, docstrings, the wheel, and a library that is absent or old."""
import base64
import ctypes
import hashlib
import inspect
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

import gpuscope
from gpuscope import _gpuscope, _library
from support import SOURCE, skip

PACKAGE = pathlib.Path(gpuscope.__file__).parent
HEADER = (SOURCE / "lib/gpuscope.h").read_text()

USE = '''
import gpuscope
gpu = gpuscope.open("demo:skl-hang", platform=None)
def total() -> int:
    head = gpu["rcs0.RING_BUFFER_HEAD"]
    number: int = head.fields["HEAD_OFFSET"].value
    number += head.value or 0
    for r in gpu.map(engine="rcs0"):
        number += r.start + len(r.flags or "")
    for c in gpu.commands(engine="rcs0"):
        number += c.address + len(c.name) + c.fields["ADDRESS"].hi
    walk = gpu.walk(1, root=[1], mode="pml4")
    number += walk.levels[0].entry or walk.physical or 0
    hang = gpu.hang()
    if hang.faults[0].walk:
        number += len(hang.faults[0].walk.levels)
    return number + len(hang.verdict) + (gpuscope.decode("skl", "RING_FAULT_REG", 1).value or 0)
def f(address: int, size: int) -> bytes:
    return bytes(size)
other = gpuscope.Gpu(platform="skl", read_phys=f)
'''


def run(*words, **environment):
    return subprocess.run(words, capture_output=True, text=True, check=False,
                          env={**os.environ, **environment})


class Types(unittest.TestCase):
    def mypy(self, *words):
        command = os.environ.get("MYPY", f"{sys.executable} -m mypy").split()
        done = run(*command, "--strict", "--no-incremental", *words, MYPYPATH=str(PACKAGE.parent))
        if "No module named mypy" in done.stderr:
            skip("python3-mypy is not installed")
        return done

    def test_the_module(self):
        done = self.mypy(str(PACKAGE))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_program(self):
        self.assertTrue((PACKAGE / "py.typed").exists())
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "use.py"
            path.write_text(USE)
            done = self.mypy(str(path))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            path.write_text(USE.replace("head.value or 0", "head.value"))
            done = self.mypy(str(path))
            self.assertIn("None", done.stdout)
            self.assertNotEqual(done.returncode, 0)


class Generated(unittest.TestCase):
    def test_every_function_is_there_and_used(self):
        names = set(re.findall(r"\b(gpuscope_\w+)\(", HEADER))
        written = (PACKAGE / "__init__.py").read_text() + (PACKAGE / "_values.py").read_text()
        for name in names:
            self.assertTrue(hasattr(_gpuscope, name), name)
            used = name in written or f"], {name})" in (PACKAGE / "_gpuscope.py").read_text() \
                or name.endswith("_word")
            self.assertTrue(used, f"nothing calls {name}()")

    def test_structures_are_those_of_the_compiler(self):
        """Sizes and offsets of every member, and the numbers of enums."""
        asked = []
        for name, kind in vars(_gpuscope).items():
            if name.startswith("struct_") and hasattr(kind, "_fields_"):
                struct = name.removeprefix("struct_")
                asked.append((f"sizeof(struct {struct})", ctypes.sizeof(kind)))
                for field, *_ in kind._fields_:
                    member = field.removesuffix("_")
                    asked.append((f"offsetof(struct {struct}, {member})", getattr(kind, field).offset))
        for name, body in re.findall(r"^enum gpuscope_(\w+) {(.*?)};", HEADER, re.M | re.S):
            kind = getattr(_gpuscope, name.title().replace("_", ""))
            named = re.findall(r"GPUSCOPE_\w+", re.sub(r"/\*.*?\*/", "", body, flags=re.S))
            self.assertEqual(len(named), len(kind), name)
            for constant, member in zip(named, kind):
                asked.append((constant, int(member)))
        self.assertGreater(len(asked), 250)
        text = "#include <stddef.h>\n#include <gpuscope.h>\n" + "".join(
            f'_Static_assert({expression} == {number}, "{expression}");\n'
            for expression, number in asked)
        compiler = os.environ.get("CC", "cc").split()
        done = subprocess.run([*compiler, "-std=c11", "-fsyntax-only", "-I", SOURCE / "lib", "-xc", "-"],
                              input=text, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[:2000])

    def test_docstrings(self):
        for name in gpuscope.__all__:
            thing = getattr(gpuscope, name)
            self.assertTrue(inspect.getdoc(thing), name)
            if not inspect.isclass(thing):
                continue
            for part, member in vars(thing).items():
                if not part.startswith("_") and (inspect.isfunction(member)
                                                 or isinstance(member, property)):
                    self.assertTrue(inspect.getdoc(member), f"{name}.{part}")
        for thing in gpuscope.Walk, gpuscope.Gpu.map, gpuscope.Range, gpuscope.Gpu.commands:
            self.assertNotRegex(inspect.getdoc(thing), r"struct gpuscope|GPUSCOPE_|NULL")
        self.assertIn("end exclusive", inspect.getdoc(gpuscope.Range))

    def test_numbers_that_the_library_may_add(self):
        self.assertEqual(_gpuscope.STATE[99], "99")
        self.assertEqual(int(_gpuscope.FIELD_FLAG[1 << 20]), 1 << 20)


class Library(unittest.TestCase):
    def test_absent(self):
        done = run(sys.executable, "-c", "import gpuscope", GPUSCOPE_LIBRARY="/nowhere/libgpuscope.so.1")
        self.assertIn("ImportError", done.stderr)
        self.assertIn("libgpuscope1", done.stderr)

    def test_another(self):
        done = run(sys.executable, "-c", "import gpuscope", GPUSCOPE_LIBRARY="libc.so.6")
        self.assertIn("ImportError: libc.so.6 is not libgpuscope", done.stderr)

    def test_older(self):
        with self.assertRaises(ImportError) as caught:
            _library.load("1.99.0")
        self.assertIn("needs 1.99.0 or later", str(caught.exception))
        for old in "0.9.10", "1.0.99":
            self.assertTrue(_library.load(old))


class Wheel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, f"gpuscope-{gpuscope.__version__}-py3-none-any.whl")
        files = [PACKAGE / name for name in ("__init__.py", "_gpuscope.py", "_library.py",
                                             "_values.py", "py.typed")]
        subprocess.run([sys.executable, SOURCE / "python/wheel.py", gpuscope.__version__, cls.path,
                        *files], check=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_what_is_in_it(self):
        with zipfile.ZipFile(self.path) as wheel:
            names = wheel.namelist()
            record = f"gpuscope-{gpuscope.__version__}.dist-info/RECORD"
            listed = {}
            for line in wheel.read(record).decode().splitlines():
                name, digest, size = line.rsplit(",", 2)
                listed[name] = digest
                if name != record:
                    data = wheel.read(name)
                    found = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode()
                    self.assertEqual((digest, int(size)), ("sha256=" + found.rstrip("="), len(data)))
            self.assertEqual(sorted(names), sorted(listed))
            self.assertIn("gpuscope/py.typed", names)
            self.assertFalse([name for name in names if name.endswith(".so")])
            metadata = wheel.read(record.replace("RECORD", "METADATA")).decode()
            self.assertIn("Requires-Python: >=3.11", metadata)
            self.assertIn("libgpuscope1", metadata)

    def test_pip(self):
        """In an environment of its own, with and without the library."""
        place = os.path.join(self.folder.name, "venv")
        done = run(sys.executable, "-m", "venv", place)
        if done.returncode:
            skip("python3-venv is not installed")
        python = os.path.join(place, "bin", "python")
        clean = {"PYTHONPATH": "", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = run(python, "-m", "pip", "install", "-q", "--no-index", self.path, **clean)
        self.assertEqual(done.returncode, 0, done.stderr)
        code = "import gpuscope; print(gpuscope.open('demo:skl-hang').platform, gpuscope.__file__)"
        done = run(python, "-c", code, **clean)
        self.assertEqual(done.stdout.split()[:1], ["skl"], done.stderr)
        self.assertIn(place, done.stdout)
        done = run(python, "-c", code, **clean, GPUSCOPE_LIBRARY="/nowhere/libgpuscope.so.1")
        self.assertIn("install the package libgpuscope1", done.stderr)


if __name__ == "__main__":
    unittest.main()
