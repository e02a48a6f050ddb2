# SPDX-License-Identifier: MIT
"""The scripts in examples/."""
import os
import pathlib
import shlex
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import unittest

import gpuscope
from support import DATA, SOURCE, TOOLS, skip

EXAMPLES = SOURCE / "examples"
PAGE = 4096
INFO = b"OSRELEASE=6.1.0-99-amd64\nPAGESIZE=4096\nKERNELOFFSET=0\nNUMBER(phys_base)=0\n" \
    b"SYMBOL(swapper_pg_dir)=ffffffff82a0a000\nCRASHTIME=1731888000\n"


def run(script, *words, **environment):
    return subprocess.run([sys.executable, EXAMPLES / script, *words], capture_output=True, text=True,
                          check=False, env={**os.environ, **environment})


def vmcore(source, path):
    """An ELF vmcore of the physical memory that a source holds."""
    gpu = gpuscope.open(source)
    pages = [(one.start, gpu.read_memory(one.start, one.length)) for one in gpu.extents("phys")]
    note = struct.pack("<III", 11, len(INFO), 0) + b"VMCOREINFO\0\0" + INFO
    note += bytes(-len(note) % 4)
    at = 64 + 56 * (len(pages) + 1)
    headers = [struct.pack("<IIQQQQQQ", 4, 0, at, 0, 0, len(note), 0, 0)]
    at += len(note)
    for start, data in pages:
        headers.append(struct.pack("<IIQQQQQQ", 1, 6, at, 0, start, len(data), len(data), PAGE))
        at += len(data)
    path.write_bytes(b"\x7fELF\2\1\1".ljust(16, b"\0")
                     + struct.pack("<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(headers), 0, 0, 0)
                     + b"".join(headers) + note + b"".join(data for start, data in pages))


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_watch(self):
        done = run("watch.py", "--count", "3", "--interval", "0.01", "demo:skl-hang",
                   "rcs0.RING_BUFFER_HEAD")
        # It does not change, and is printed once.
        self.assertEqual(len(done.stdout.splitlines()), 1, done.stderr)
        self.assertIn("0x00600bf0  WRAP_COUNT 3, HEAD_OFFSET 0xbf0", done.stdout)
        done = run("watch.py", "--count", "1", "demo:skl-hang", "vcs0.RING_BUFFER_HEAD")
        self.assertIn("asleep", done.stdout)
        done = run("watch.py", "--count", "1", "demo:skl-hang", "NOTHING")
        self.assertIn("watch.py: NOTHING: ", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_plot(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError\n")
        words = ("--count", "2", "--interval", "0", "--plot", str(self.folder / "head.png"),
                 "demo:skl-hang", "rcs0.RING_BUFFER_HEAD")
        without = os.pathsep.join([str(self.folder), os.environ["PYTHONPATH"]])
        done = run("watch.py", *words, PYTHONPATH=without)
        self.assertEqual((done.returncode, "python3-matplotlib is not installed" in done.stderr), (0, True))
        try:
            import matplotlib
        except ImportError:
            return
        self.assertTrue(matplotlib)
        done = run("watch.py", *words)
        self.assertEqual((self.folder / "head.png").read_bytes()[:4], b"\x89PNG", done.stderr)

    def test_triage(self):
        dumps = self.folder / "dumps"
        (dumps / "sub").mkdir(parents=True)
        for i, demo in enumerate(("demo:skl-hang", "demo:skl-hang", "demo:snb-hang")):
            gpuscope.open(demo).save(dumps / "sub" / f"{i}.tar")
        shutil.copy(DATA / "error-state.txt", dumps)
        (dumps / "notes.txt").write_text("nothing of interest\n")
        database = self.folder / "hangs.db"
        done = run("triage.py", "--database", str(database), str(dumps))
        lines = done.stdout.splitlines()
        self.assertEqual(done.returncode, 0, done.stderr)
        skl = gpuscope.open("demo:skl-hang").hang()
        self.assertEqual(lines[0].split()[:2], ["2", skl.signature])
        self.assertIn("notes.txt: ", lines[-1])
        rows = sqlite3.connect(database).execute("select file, platform, verdict from hangs").fetchall()
        self.assertEqual(len(rows), 5)
        self.assertIn((str(dumps / "sub/0.tar"), "skl", skl.verdict), rows)
        # Again, and each file is still one row.
        self.assertEqual(run("triage.py", "--database", str(database), str(dumps)).stdout, done.stdout)

    def test_drgn(self):
        """In the real one. DRGN: how it is called."""
        command = shlex.split(os.environ.get("DRGN", "drgn"))
        if not shutil.which(command[0]):
            skip("python3-drgn is not installed")
        vmcore("demo:skl-hang", self.folder / "vmcore")

        def walk(*words):
            return subprocess.run([*command, "-c", self.folder / "vmcore", EXAMPLES / "gpu.py", *words],
                                  capture_output=True, text=True, check=False)
        done = walk("skl", "0x22543a000", "0x100020000", "0x7a1105603000")
        self.assertIn("<Walk 0x100020000 -> phys 0x22542f000 rw,pat4>", done.stdout, done.stderr)
        self.assertIn("not mapped: pde 0x0 at phys:0x225437158 is not present", done.stdout)
        self.assertIn("pte        32  at 0x225423100", done.stdout)
        shown = subprocess.run([TOOLS / "gpu-ptwalk", "-q", "-s", "demo:skl-hang", "--engine", "rcs0",
                                "--map"], capture_output=True, text=True, check=True).stdout
        self.assertEqual([line.split()[:2] for line in walk("skl", "0x22543a000").stdout.splitlines()],
                         [line.split()[:2] for line in shown.splitlines() if line.startswith("0x")])
        self.assertIn("no-such", walk("no-such", "0").stderr)

    def test_drgn_is_needed(self):
        done = run("gpu.py", "skl", "0x1000")
        self.assertNotEqual(done.returncode, 0)
        self.assertTrue("drgn" in done.stderr)


if __name__ == "__main__":
    unittest.main()
