# SPDX-License-Identifier: MIT
"""Memory by callback, exceptions in it, interrupts, and objects that go away in any order."""
import concurrent.futures
import gc
import itertools
import os
import resource
import signal
import subprocess
import sys
import threading
import unittest
import weakref

import gpuscope
from support import DEMOS, Copy

ROOT = {"root": 0x22543a000, "mode": "pml4"}


def copied(**more):
    copy = Copy("demo:skl-hang")
    return copy, gpuscope.Gpu(platform="skl", read_phys=copy.reader("phys"),
                              read_mmio=copy.registers, harmless=True, **more)


class Callbacks(unittest.TestCase):
    def test_walks_and_registers(self):
        copy, gpu = copied()
        walk = gpu.walk(0x7a1105603000, **ROOT)
        self.assertEqual((walk.mapped, walk.stop), (False, "not-present"))
        self.assertEqual(gpu.walk(0x100020000, **ROOT).physical, 0x22542f000)
        self.assertEqual([level.level for level in walk.levels], ["pml4e", "pdpe", "pde"])
        self.assertEqual(gpu["rcs0.RING_BUFFER_HEAD"].value, 0x600bf0)
        self.assertEqual(gpu.walk(0x100020000, engine="rcs0").physical, 0x22542f000)
        self.assertEqual(gpu["FENCE[0]"].value, copy.gpu["FENCE[0]"].value)
        self.assertEqual(gpu.read_memory(0x22542f000, 64), copy.gpu.read_memory(0x22542f000, 64))
        self.assertEqual({space for space, address, size in copy.asked}, {"mmio", "phys"})
        self.assertEqual([(one.start, one.end, one.physical) for one in gpu.map(**ROOT)],
                         [(one.start, one.end, one.physical) for one in copy.gpu.map(**ROOT)])

    def test_hang(self):
        copy = Copy("demo:skl-hang")
        gpu = gpuscope.Gpu(platform="skl", read_phys=copy.reader("phys"), read_mmio=copy.registers,
                           read_ggtt=copy.reader("ggtt"), read_config=copy.reader("config"),
                           harmless=True)
        self.assertEqual(gpu.hang().signature, copy.gpu.hang().signature)

    def test_what_is_absent(self):
        _, gpu = copied()
        self.assertEqual(gpu["vcs0.RING_BUFFER_HEAD"].state, "absent")
        self.assertIsNone(gpu["vcs0.RING_BUFFER_HEAD"].value)
        with self.assertRaises(gpuscope.Error):
            gpu.read_memory(0x1000, 4)
        walk = gpu.walk(0x1000, root=0x1000, mode="pml4")
        self.assertEqual((walk.mapped, walk.physical, walk.stop), (False, None, "no-memory"))
        last = walk.levels[-1]
        self.assertEqual((last.held, last.entry, last.words, len(last.fields)),
                         (False, None, (), 0))
        self.assertIn("not held", repr(last))

    def test_with_other_sources(self):
        copy = Copy("demo:skl-hang")
        gpu = gpuscope.Gpu(platform="skl", sources=[gpuscope.Bytes(b"abcd" * 1024, kind="mem")],
                           read_phys=copy.reader("phys"))
        self.assertEqual(gpu.read_memory(2, 4), b"cdab")
        self.assertEqual(gpu.walk(0x100020000, **ROOT).physical, 0x22542f000)

    def test_memory_changes(self):
        page = bytearray(4096)
        gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size:
                           page[address:address + size] if address < 4096 else None)
        before = gpu.walk(0, root=0, mode="pml4")
        page[0:8] = (0x5003).to_bytes(8, "little")
        gpu.rest()
        after = gpu.walk(0, root=0, mode="pml4")
        self.assertEqual((before.stop, after.stop), ("not-present", "no-memory"))
        self.assertEqual((before.levels[0].entry, after.levels[0].entry), (0, 0x5003))
        self.assertEqual(before.levels[0].fields["PRESENT"].value, 0)

    def test_null_pages(self):
        """They are mapped, and nowhere."""
        entries = {0x1000: 0x2003, 0x2000: 0x3003, 0x3000: 0x4003, 0x4000: 0x203, 0x4008: 0x7003}

        def read(address, size):
            return b"".join(entries.get(address + i, 0).to_bytes(8, "little")
                            for i in range(0, size, 8))
        gpu = gpuscope.Gpu(platform="skl", read_phys=read)
        tables = gpu.tables(root=0x1000, mode="pml4")
        walk, other = tables.walk(0), tables.walk(0x1000)
        self.assertEqual((walk.mapped, walk.null, walk.physical), (True, True, None))
        self.assertEqual((other.null, other.physical), (False, 0x7000))
        self.assertEqual([(one.null, one.physical) for one in tables.map()],
                         [(True, None), (False, 0x7000)])
        self.assertEqual(tables.translate([0, 0x1000]), [None, 0x7000])
        self.assertIn("null", repr(walk) + repr(next(tables.map())))

    def test_a_platform_is_needed(self):
        with self.assertRaises(gpuscope.Error):
            gpuscope.Gpu(read_phys=lambda address, size: None)
        self.assertEqual(gpuscope.Gpu(read_config=Copy("demo:skl-hang").reader("config")).platform.name,
                         "skl")

    def test_threads_with_a_gpu_each(self):
        def verdict(demo):
            return [gpuscope.open(demo).hang().verdict for _ in range(3)]
        demos = DEMOS * 4
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(verdict, demos)), [verdict(demo) for demo in demos])


class Raised(unittest.TestCase):
    def test_exceptions_come_back(self):
        class Own(Exception):
            pass

        for error in Own("mine"), KeyboardInterrupt(), SystemExit(3):
            broken = False

            def read(address, size):
                if broken:
                    raise error
                return bytes(size)
            gpu = gpuscope.Gpu(platform="skl", read_phys=read, read_mmio=read, harmless=True)
            tables = gpu.tables(**ROOT)
            broken = True
            for call in (lambda: tables.walk(0), lambda: gpu.walk(0, **ROOT).mapped,
                         lambda: gpu.read_memory(0, 8), lambda: list(tables.map()),
                         lambda: tables.translate([1, 2]), lambda: gpu["rcs0.RING_BUFFER_HEAD"],
                         lambda: gpu.read(0x2030), lambda: list(gpu.registers("RING_*")),
                         lambda: tables.read(0, 4), gpu.hang):
                with self.assertRaises(type(error)) as caught:
                    call()
                self.assertIs(caught.exception, error)
            # What was answered meanwhile is forgotten.
            broken = False
            self.assertEqual(gpu.read_memory(0, 8), bytes(8))
            self.assertEqual(gpu.walk(0, **ROOT).stop, "not-present")

    def test_wrong_answers(self):
        for answer in b"short", "text", 3.5:
            gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size: answer)
            with self.assertRaises((ValueError, TypeError)):
                gpu.read_memory(0, 4096)

    def test_absence_is_no_exception(self):
        for error in KeyError, IndexError, LookupError:
            def read(address, size):
                raise error(address)
            gpu = gpuscope.Gpu(platform="skl", read_phys=read)
            self.assertEqual(gpu.walk(0, **ROOT).stop, "no-memory")


class OutOfMemory(unittest.TestCase):
    def test_open(self):
        kept = []
        soft, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (1, hard))
        try:
            with self.assertRaisesRegex(MemoryError, "memory: not enough of it"):
                for _ in range(1000):
                    kept.append(gpuscope.open("demo:skl-hang"))
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


class Interrupts(unittest.TestCase):
    def test_between_items(self):
        gpu = gpuscope.open("demo:skl-hang")
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            while True:
                for _ in gpu.commands():
                    pass
        timer.join()
        self.assertEqual(gpu.read(0x2030), 0xc98)

    def test_in_callbacks(self):
        """Many, at any instruction: each is raised, nothing is printed, and none is lost."""
        program = """
import gpuscope
gpu = gpuscope.Gpu(platform="skl", read_phys=lambda address, size: bytes(size))
tables = gpu.tables(root=0x1000, mode="pml4")
caught = 0
for i in range(400):
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.0003 + i * 0.000005)
        while True:
            gpu.rest()
            tables.walk(i << 39)
    except KeyboardInterrupt:
        caught += 1
print(caught)
"""
        program = "import signal\ndef stop(*_): raise KeyboardInterrupt\n" \
            "signal.signal(signal.SIGALRM, stop)\n" + program
        done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                              check=False)
        self.assertEqual((done.stdout, done.stderr), ("400\n", ""))


class Order(unittest.TestCase):
    def test_any_order(self):
        for order in itertools.permutations(range(5)):
            copy, gpu = copied()
            tables = gpu.tables(**ROOT)
            ranges = tables.map()
            first = next(ranges)
            walk = tables.walk(0x100020000)
            things = [gpu, tables, ranges, walk, first]
            del gpu, tables, ranges, walk, first
            for i in order:
                things[i] = None
            self.assertIsNotNone(copy)

    def test_what_is_left_works(self):
        copy, gpu = copied()
        tables, commands = gpu.tables(**ROOT), gpu.commands(words=[0, 0x05000000], engine="rcs0")
        hang = gpu.hang()
        gpu.close()
        del gpu, copy
        gc.collect()
        self.assertEqual(tables.walk(0x100020000).physical, 0x22542f000)
        self.assertEqual([one.name for one in commands], ["MI_NOOP", "MI_BATCH_BUFFER_END"])
        self.assertIsInstance(list(hang.check()), list)

    def test_nothing_is_kept(self):
        """Neither a GPU nor the functions that it read with."""
        class Memory:
            def read(self, address, size):
                return bytes(size)
        memory = Memory()
        gone = weakref.ref(memory)
        gpu = gpuscope.Gpu(platform="skl", read_phys=memory.read)
        self.assertEqual(gpu.walk(0, **ROOT).stop, "not-present")
        del gpu, memory
        gc.collect()
        self.assertIsNone(gone())


if __name__ == "__main__":
    unittest.main()
