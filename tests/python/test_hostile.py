# SPDX-License-Identifier: MIT
"""What a careless program does: wrong arguments, a save onto the source, use after closing, threads
and the garbage collector, copies, callbacks that fail in the middle of a list."""
import copy
import gc
import inspect
import os
import pathlib
import pickle
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import gpuscope
from support import Copy

ROOT = {"root": 0x22543a000, "mode": "pml4"}
DEMO = "demo:skl-hang"


class Save(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.path = self.folder / "a.cap"

    def test_onto_its_own_source(self):
        gpuscope.open(DEMO).save(self.path)
        self.path.chmod(0o640)
        gpu = gpuscope.open(self.path)
        signature = gpu.hang().signature
        link = self.folder / "link"
        link.symlink_to(self.path)
        gpu.save(link)
        self.assertEqual(gpu.hang().signature, signature)
        self.assertEqual(gpuscope.open(self.path).hang().signature, signature)
        self.assertTrue(link.is_symlink())
        self.assertEqual(self.path.stat().st_mode & 0o777, 0o640)

    def test_failure_leaves_the_file(self):
        self.path.write_text("precious")
        nothing, closed = gpuscope.Gpu(platform="skl", read_phys=lambda *_: None), gpuscope.open(DEMO)
        closed.close()
        for gpu in nothing, closed:
            with self.assertRaises(gpuscope.Error):
                gpu.save(self.path)
        self.assertEqual(self.path.read_text(), "precious")
        self.assertEqual(os.listdir(self.folder), ["a.cap"])

    def test_other_targets(self):
        gpu = gpuscope.open(DEMO)
        for file in True, None, 1.5:
            with self.assertRaises(TypeError):
                gpu.save(file)
        for file in self.folder, self.folder / "none" / "a.cap":
            with self.assertRaises(OSError) as caught:
                gpu.save(file)
            self.assertEqual(caught.exception.filename, str(file))
        gpu.save("/dev/null", redact=True)
        self.assertTrue(pathlib.Path("/dev/null").is_char_device())
        with open(self.path, "wb") as file:
            gpu.save(file.fileno())
        self.assertEqual(gpuscope.open(self.path).platform.name, "skl")


class Arguments(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gpu = gpuscope.open(DEMO)

    def usage(self, *calls):
        for number, call in enumerate(calls):
            with self.subTest(call=number), self.assertRaises(gpuscope.Error) as caught:
                call()
            self.assertEqual(caught.exception.status, "usage")

    def wrong(self, kind, *calls):
        for number, call in enumerate(calls):
            with self.subTest(call=number), self.assertRaises(kind):
                call()

    def test_no_name(self):
        gpu = self.gpu
        self.wrong(TypeError, lambda: gpu[None], lambda: gpu.register(None),
                   lambda: gpu.decode(None, 1), lambda: gpuscope.decode("skl", None, 1),
                   lambda: gpuscope.decode(None, "FENCE", 1), lambda: gpu.registers(None), lambda: gpu.commands(tables=5),
                   lambda: gpu.decode_entry("pml4", None, 1), lambda: gpu[1.5])

    def test_null_characters(self):
        gpu = self.gpu
        self.wrong(ValueError, lambda: gpu["rcs0.RING_BUFFER_HEAD\0junk"],
                   lambda: gpuscope.open("demo:skl-hang\0x"), lambda: gpu.tables(engine="rcs0\0"),
                   lambda: gpuscope.open(gpuscope.Bytes(b"", kind="mem\0x"), platform="skl"),
                   lambda: gpu.save("/tmp/a\0b"), lambda: gpuscope.platforms("skl\0"))

    def test_numbers_that_do_not_fit(self):
        gpu = self.gpu
        tables = gpu.tables(**ROOT)
        for number in -1, 1 << 64, -(1 << 64):
            self.usage(lambda: gpu[number], lambda: gpu.read(number), lambda: tables.walk(number),
                       lambda: gpu.walk(number), lambda: gpu.translate([number]),
                       lambda: gpu.read_memory(number, 4), lambda: gpu.read_memory(0, number),
                       lambda: tables.read(0, number), lambda: gpu.reverse(number, **ROOT),
                       lambda: gpu.at(number), lambda: gpu.open_stored(number),
                       lambda: gpu.tables(root=number, mode="pml4"),
                       lambda: gpu.tables(context=number), lambda: gpu.commands(address=number),
                       lambda: gpu.tables(second_level=0, second_levels=number),
                       lambda: gpu.check_program(b"", number),
                       lambda: gpu.decode_entry("pml4", "pte", number),
                       lambda: gpuscope.Bytes(b"", kind="mem", address=number),
                       lambda: gpuscope.Gpu(platform="skl", read_phys=print, phys_length=number))
        self.usage(lambda: gpu.commands(words=[1 << 32]), lambda: gpu.commands(words=[-1]),
                   lambda: gpu.decode_entry("pml4", "pte", [1 << 32, 0]),
                   lambda: gpu.decode("FENCE[0]", -1), lambda: gpu.read(0x2030, (1 << 32) | 4))
        self.wrong(TypeError, lambda: gpu.read(1.5), lambda: gpu.walk("0x1000"),
                   lambda: gpu.at(None))

    def test_bytes_are_no_numbers(self):
        self.wrong(TypeError, lambda: gpuscope.open(5), lambda: gpuscope.Bytes(5),
                   lambda: self.gpu.program(5), lambda: self.gpu.check_program([1, 2]),
                   lambda: gpuscope.Gpu(platform="skl", read_phys=5),
                   lambda: gpuscope.Gpu(platform="skl", read_phys=0))
        self.assertEqual(gpuscope.Gpu(sources=DEMO).platform.name, "skl")
        page = gpuscope.Bytes(bytearray(b"abcd"), kind="mem")
        self.assertEqual(gpuscope.Gpu(sources=page, platform="skl").read_memory(0, 4), b"abcd")

    def test_sizes_of_reads(self):
        for size in 3, 0, 16, -1:
            self.usage(lambda: self.gpu.read(0x2030, size))
        self.usage(lambda: self.gpu.read(0x2031), lambda: self.gpu.read(0x2034, 8))
        self.assertEqual(self.gpu.read(0x2031, 1), 0xc)

    def test_arguments_that_would_be_ignored(self):
        self.usage(lambda: self.gpu.walk(0, second_levels=3, **ROOT),
                   lambda: self.gpu.walk(0, root=[], mode="pml4"))

    def test_in(self):
        gpu = self.gpu
        for name in "RING_BUFFER_*", "A\nB", "A\0B", "\ud800", None, 1.5, "", -1, 1 << 70:
            self.assertNotIn(name, gpu)
        for name in "rcs0.RING_BUFFER_HEAD", 0x2034:
            self.assertIn(name, gpu)
            self.assertEqual(gpu[name].address, 0x2034)
        # What may have been meant is searched only for those who read it.
        took = []
        for ask in (lambda: "RING_BUFFER_HAED" in gpu), (lambda: gpu.register("RING_BUFFER_HAED")):
            start = time.perf_counter()
            for _ in range(20):
                try:
                    ask()
                except gpuscope.UnknownName as error:
                    self.assertIn("RING_BUFFER_HEAD", error.why)
            took.append(time.perf_counter() - start)
        self.assertLess(took[0], took[1])

    def test_signatures(self):
        for method in gpuscope.Gpu.map, gpuscope.Gpu.reverse, gpuscope.Gpu.translate:
            self.assertIn("engine: ", str(inspect.signature(method)))
        with self.assertRaises(TypeError):
            self.gpu.map(nonsense=1)


class Closed(unittest.TestCase):
    def test_everything_says_so(self):
        gpu = gpuscope.open(DEMO)
        gpu.walk(0, engine="rcs0")
        gpu.close()
        for call in (lambda: gpu.at(1), lambda: gpu.open_stored(0), lambda: gpu["FENCE"],
                     lambda: "FENCE" in gpu, lambda: gpu.walk(0, engine="rcs0"), gpu.hang,
                     lambda: gpu.read(0x2030), gpu.rest, lambda: gpu.decode("FENCE", 0),
                     lambda: gpu.read_memory(0, 4), lambda: gpu.save("/nowhere/a.cap")):
            with self.assertRaisesRegex(gpuscope.Error, "it was closed"):
                call()


class Odd:
    """Its length is not that of its bytes."""

    def __len__(self):
        return 4096

    def __bytes__(self):
        return b"\3"


class Callbacks(unittest.TestCase):
    def test_what_only_looks_like_bytes(self):
        for answer in Odd(), {}, [0] * 4096, memoryview(bytes(4096)).cast("Q")[:8]:
            gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size: answer)
            with self.assertRaises((TypeError, ValueError)):
                gpu.read_memory(0, 4096)
        words = memoryview(bytes(range(256)) * 16).cast("Q")
        gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size: words)
        self.assertEqual(gpu.read_memory(8, 2), b"\x08\x09")

    def test_a_list_that_was_interrupted(self):
        base = gpuscope.open(DEMO)
        whole = [one.start for one in base.map(**ROOT)]
        for fails in range(1, 20):
            calls = 0

            def read(address, size):
                nonlocal calls
                calls += 1
                if calls == fails:
                    raise ZeroDivisionError
                return base.read_memory(address, size)
            ranges = gpuscope.Gpu(platform="skl", read_phys=read).map(**ROOT)
            found = []
            try:
                for one in ranges:
                    found.append(one.start)
                self.assertEqual(found, whole)
            except ZeroDivisionError:
                for _ in range(2):
                    with self.assertRaisesRegex(gpuscope.Error, "it was interrupted"):
                        next(ranges)
        self.assertGreater(fails, calls)

    def test_stop_iteration(self):
        answers = iter([bytes(4096)])
        gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size: next(answers))
        with self.assertRaises(RuntimeError) as caught:
            for page in range(3):
                list(gpu.map(root=page * 4096, mode="pml4"))
        self.assertIsInstance(caught.exception.__cause__, StopIteration)

    def test_roots_that_change(self):
        memory = Copy(DEMO)
        low = memory.gpu.register("rcs0.RING_PDP_LDW[0]").address
        root = 0x2543a000

        def read(address, size):
            return root if address == low else memory.registers(address, size)
        gpu = gpuscope.Gpu(platform="skl", read_phys=memory.reader("phys"), read_mmio=read,
                           harmless=True)
        self.assertTrue(gpu.walk(0x100020000, engine="rcs0").mapped)
        root = 0x5000
        self.assertEqual(gpu.walk(0x100020000, engine="rcs0").stop, "no-memory")

    def test_many_roots(self):
        gpu = gpuscope.open(DEMO)
        for root in range(200):
            gpu.walk(0, root=root << 12, mode="pml4")
        gc.collect()
        kept = [one for one in gc.get_objects() if type(one).__name__ == "TablesHandle"]
        self.assertLess(len(kept), 100)

    def test_the_hook_of_the_interpreter(self):
        """Others may put theirs before or around it."""
        program = """
import sys, gpuscope
def own(unraisable): print("first", unraisable.exc_value)
sys.unraisablehook = own
make = lambda: gpuscope.Gpu(platform="skl", read_phys=lambda address, size: None)
make()
inner = sys.unraisablehook
def outer(unraisable):
    print("second")
    inner(unraisable)
sys.unraisablehook = outer
make()
class X:
    def __del__(self): raise ValueError("x")
X()
"""
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.stdout, done.stderr), ("second\nfirst x\n", ""))


class Threads(unittest.TestCase):
    def setUp(self):
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e-5)
        self.failed = []

    def run_all(self, work, count):
        def tried():
            try:
                work()
            except BaseException as error:
                self.failed.append(error)
        threads = [threading.Thread(target=tried) for _ in range(count)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(self.failed, [])

    def test_garbage_of_another_thread(self):
        """A GPU for each thread; what it drops is freed by whichever thread collects."""
        class Node:
            pass

        def work():
            gpu = gpuscope.open(DEMO)
            tables = gpu.tables(engine="rcs0")
            expected = [one.start for one in tables.map()]
            for _ in range(60):
                node = Node()
                node.node, node.ranges, node.tables = node, tables.map(), gpu.tables(**ROOT)
                node.commands, node.gpu = gpu.commands(), gpuscope.open(DEMO)
                next(node.ranges), next(node.commands)
                self.assertEqual([one.start for one in tables.map()], expected)
                gc.collect(0)
        self.run_all(work, 3)

    def test_decode(self):
        def work():
            for value in range(1, 600, 2):
                fault = gpuscope.decode("skl", "RING_FAULT_REG", value)
                self.assertEqual(fault.fields["FAULT_TYPE"].value, value >> 1 & 3)
        self.run_all(work, 3)


class Values(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gpu = gpuscope.open(DEMO)

    def test_equal(self):
        other = gpuscope.open(DEMO)
        for make in (lambda gpu: gpu["rcs0.RING_BUFFER_HEAD"], lambda gpu: next(gpu.map(**ROOT)),
                     lambda gpu: gpu.walk(0x100020000, **ROOT), lambda gpu: gpu.hang(),
                     lambda gpu: gpu["FENCE[0]"].fields["FENCE_VALID"]):
            one, two = make(self.gpu), make(other)
            self.assertEqual(one, two)
            self.assertEqual(hash(one), hash(two))
        self.assertNotEqual(self.gpu.walk(0x100020000, **ROOT), self.gpu.walk(0x100021000, **ROOT))
        self.assertNotEqual(self.gpu.walk(0, **ROOT), 0)

    def test_copies(self):
        walk, error = self.gpu.walk(0x100020000, **ROOT), gpuscope.Error("a", "b", "usage")
        self.assertEqual(copy.copy(walk), walk)
        self.assertEqual(pickle.loads(pickle.dumps(error)).status, "usage")
        with self.assertRaises(TypeError):
            pickle.dumps(walk.levels[0])
        for thing in self.gpu, walk, self.gpu["FENCE[0]"], self.gpu.map(**ROOT):
            for call in copy.deepcopy, pickle.dumps:
                with self.assertRaises(TypeError):
                    call(thing)

    def test_formats(self):
        head = self.gpu["rcs0.RING_BUFFER_HEAD"]
        asleep = self.gpu["vcs0.RING_BUFFER_HEAD"]
        self.assertEqual((f"{head:>14}", f"{head:<12}|", f"{head:010x}", f"{head:d}"),
                         ("    0x00600bf0", "0x00600bf0  |", "0000600bf0", "6294512"))
        self.assertEqual((f"{asleep:>50}", f"{asleep:x}"), (f"{str(asleep):>50}", str(asleep)))
        field = head.fields["HEAD_OFFSET"]
        self.assertEqual((f"{field:>8}", f"{field:5d}"), (f"{str(field):>8}", "  764"))

    def test_memory_of_translations(self):
        spaces = []
        found = self.gpu.translate([0x100020000, 0], spaces, engine="rcs0")
        self.assertEqual((found, spaces), ([0x22542f000, None], ["phys", None]))

    def test_flags_without_attributes(self):
        entries = {0x1000: 0x2003, 0x2000: 0x3003, 0x3000: 0x4003, 0x4000: 0x5001}
        gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size: b"".join(
            entries.get(address + i, 0).to_bytes(8, "little") for i in range(0, size, 8)))
        for address, mapped in (0, True), (0x1000, False):
            walk = gpu.walk(address, root=0x1000, mode="pml4")
            self.assertEqual((walk.mapped, walk.flags is not None), (mapped, mapped))
        ranges = gpuscope.open(DEMO).map(mode="ggtt")
        self.assertEqual({type(one.flags) for one in ranges}, {str})


if __name__ == "__main__":
    unittest.main()
