# SPDX-License-Identifier: MIT
"""Page tables: walks, maps, the way back, checks; and how fast walks are."""
import subprocess
import time
import unittest

import gpuscope
from support import TOOLS, printed

FAULT = 0x7a1105603000


class Walks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gpu = gpuscope.open("demo:skl-hang")

    def test_not_mapped(self):
        walk = self.gpu.walk(FAULT, engine="rcs0")
        self.assertFalse(walk.mapped)
        self.assertIsNone(walk.physical)
        self.assertIsNone(walk.page_size)
        self.assertIsNone(walk.flags)
        self.assertEqual(walk.stop, "not-present")
        self.assertEqual(walk.stop_level, "pde")
        self.assertIn("not present", walk.stop_text)
        self.assertEqual(repr(walk), f"<Walk 0x7a1105603000 not mapped: {walk.stop_text}>")

    def test_mapped(self):
        walk = self.gpu.walk(0x100020123, engine="rcs0")
        self.assertTrue(walk.mapped)
        self.assertEqual((walk.physical, walk.page_size, walk.space), (0x22542f123, 4096, "phys"))
        self.assertIsNone(walk.stop)
        self.assertEqual(walk.address, 0x100020123)
        self.assertEqual(walk.mode, "pml4")
        self.assertIn("rw", walk.flags)
        self.assertTrue(walk.readable and walk.writable)
        with self.assertRaises(AttributeError):
            walk.no_such_attribute

    def test_levels_are_those_of_the_command(self):
        for address in FAULT, 0x100020000, 0x200000123, 0x300000000, 0xffffffffffff:
            shown = printed("gpu-ptwalk", "-s", "demo:skl-hang", "--engine", "rcs0", hex(address))
            shown = (shown["walks"] if "walks" in shown else shown["addresses"])[0]
            levels = self.gpu.walk(address, engine="rcs0").levels
            self.assertEqual([level.level for level in levels], [row["level"] for row in shown["levels"]])
            for level, row in zip(levels, shown["levels"]):
                self.assertEqual((level.index, level.table, level.address, level.entry),
                                 (row["index"], int(row["table"], 16), int(row["entry"], 16),
                                  int(row["raw"], 16)))

    def test_fields_of_levels(self):
        walk = self.gpu.walk(0x100020000, engine="rcs0")
        pml4e, pdpe, pde, pte = walk.levels
        other = self.gpu.walk(FAULT, engine="rcs0")
        self.assertEqual(other.levels[0].index, 244)
        # What another walk did in between does not matter.
        self.assertEqual(pte.fields["PRESENT"].value, 1)
        self.assertEqual(pte.fields["ADDRESS"].text, "0x22542f000")
        self.assertEqual((pte.entry, pte.valid, pte.leaf), (0x22542f083, True, True))
        self.assertEqual((pde.next, pde.target), ("pte", 0x225423000))
        self.assertEqual(len({level.level for level in walk.levels}), 4)
        self.assertIn("0x225423100", repr(pte))

    def test_which_tables(self):
        by_engine = self.gpu.tables("rcs0")
        root = by_engine.root
        self.assertEqual((root.mode, root.values), ("pml4", (0x22543a000,)))
        self.assertIn("pml4", repr(by_engine))
        for given in {"root": 0x22543a000, "mode": "pml4"}, {"root": [0x22543a000], "mode": "pml4"}, {}:
            self.assertEqual(self.gpu.walk(0x100020000, **given).physical, 0x22542f000)
        self.assertEqual(self.gpu.tables(mode="ggtt").root.mode, "ggtt")
        self.assertIn("pml4", [root.mode for root in self.gpu.roots()])
        context = self.gpu["rcs0.CCID"].value & ~0xfff
        self.assertEqual(self.gpu.walk(0x100020000, context=context).physical, 0x22542f000)
        for wrong in {"engine": "nonsense"}, {"root": 1 << 70, "mode": "pml4"}, \
                {"root": [1, 2, 3, 4, 5], "mode": "pdp32"}, {"mode": "nonsense", "root": 1}:
            with self.assertRaises(gpuscope.Error):
                self.gpu.walk(0, **wrong)
        with self.assertRaises(gpuscope.Error):
            self.gpu.walk(-1, engine="rcs0")
        with self.assertRaises(gpuscope.Error):
            self.gpu.walk(0, engine="rcs0", access="guess")

    def test_access(self):
        self.assertTrue(self.gpu.walk(0x100020000, engine="rcs0", access="write").mapped)

    def test_many(self):
        addresses = [FAULT, 0x100020008, 0x200000010, 0]
        many = self.gpu.translate(addresses, engine="rcs0")
        self.assertEqual(many, [self.gpu.walk(one, engine="rcs0").physical for one in addresses])
        self.assertEqual(many[:2], [None, 0x22542f008])
        self.assertEqual(self.gpu.translate([], engine="rcs0"), [])

    def test_map(self):
        shown = printed("gpu-ptwalk", "-s", "demo:skl-hang", "--engine", "rcs0", "--map")["ranges"]
        found = list(self.gpu.map(engine="rcs0"))
        self.assertEqual([(one.start, one.end, one.physical, one.pages, one.flags) for one in found],
                         [(int(row["start"], 16), int(row["end"], 16), int(row["physical"], 16),
                           row["pages"], ",".join(row["flags"])) for row in shown])
        pages = list(self.gpu.map(engine="rcs0", pages=True))
        self.assertEqual(sum(one.pages for one in found), len(pages))
        one = self.gpu.map(engine="rcs0")
        self.assertEqual(next(one).start, found[0].start)
        self.assertEqual(next(one).start, found[1].start)
        self.assertEqual(repr(found[0]),
                         "<Range 0x100000000-0x100004000 -> phys 0x225431000 scattered rw,pat4>")

    def test_reverse(self):
        found = list(self.gpu.reverse(0x22542f000, engine="rcs0"))
        self.assertEqual([one.address for one in found], [0x100020000])
        self.assertEqual(list(self.gpu.reverse(0x1000, engine="rcs0")), [])

    def test_memory_through_tables(self):
        tables = self.gpu.tables("rcs0")
        self.assertEqual(tables.read(0x100020000, 16), self.gpu.read_memory(0x22542f000, 16))
        with self.assertRaises(gpuscope.Error):
            tables.read(FAULT, 4)
        with self.assertRaisesRegex(gpuscope.Error, "phys 0x1000: absent: no source holds"):
            self.gpu.read_memory(0x1000, 4)
        start, length = next((one.start, one.length) for one in self.gpu.extents("phys"))
        self.assertEqual(len(self.gpu.read_memory(start, length)), length)

    def test_decoding_an_entry(self):
        wide = self.gpu.decode_entry("vtd", "vtd-pasid", range(1, 17))
        self.assertEqual((wide.words, wide.entry), (tuple(range(1, 17)), 0x200000001))
        entry = self.gpu.decode_entry("pml4", "pte", 0x22542f083)
        self.assertTrue(entry.valid and entry.leaf)
        self.assertEqual((entry.target, entry.fields["PRESENT"].value), (0x22542f000, 1))
        with self.assertRaises(gpuscope.Error):
            self.gpu.decode_entry("pml4", "nonsense", 1)

    def test_check(self):
        shown = printed("gpu-ptwalk", "-s", "demo:skl-hang", "--engine", "rcs0", "--check")["findings"]
        found = [one for one in self.gpu.tables("rcs0").check() if not one.unchecked]
        self.assertEqual([(one.rule, one.where, one.text) for one in found],
                         [(row["rule"], row["where"], row["text"]) for row in shown])

    def test_tiled_resources(self):
        gpu = gpuscope.open("demo:icl-trtt")
        roots = list(gpu.roots())
        self.assertGreater(len(roots), 1)
        for root in roots:
            if root.mode in ("pml4", "ggtt"):
                tables = gpu.tables(root=root.values, mode=root.mode) if root.values \
                    else gpu.tables(mode=root.mode)
                for found in tables.map():
                    walk = tables.walk(found.start)
                    self.assertTrue(walk.mapped)
                    self.assertTrue(all(repr(level) and level.fields for level in walk.levels))


class Speed(unittest.TestCase):
    def test_walks_take_at_most_three_times_what_the_command_takes(self):
        count = 20000
        addresses = [0x100020000 + i * 8 % 0x2000 for i in range(count)]
        gpu = gpuscope.open("demo:skl-hang")
        start = time.process_time()
        for address in addresses:
            self.assertTrue(gpu.walk(address, engine="rcs0").mapped)
        ours = time.process_time() - start
        command = [TOOLS / "gpu-ptwalk", "-s", "demo:skl-hang", "--engine", "rcs0",
                   *(hex(address) for address in addresses)]
        before = children()
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
        theirs = children() - before
        self.assertLess(ours, 3 * theirs, f"{count} walks: {ours:.2f} s, gpu-ptwalk {theirs:.2f} s")


def children():
    import resource
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    unittest.main()
