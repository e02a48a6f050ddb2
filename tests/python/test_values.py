# SPDX-License-Identifier: MIT
"""Sources, registers, fields and definitions."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import gpuscope
from support import DATA, DEMOS, TOOLS, printed


class Opening(unittest.TestCase):
    def test_demo(self):
        with gpuscope.open("demo:skl-hang") as gpu:
            self.assertEqual(gpu.platform.name, "skl")
            self.assertEqual(str(gpu.platform), "skl")
            self.assertIn("rcs0", gpu.platform.engines)
            self.assertEqual((gpu.info.device, gpu.info.revision), (0x1912, 6))
            self.assertFalse(gpu.info.live)
            self.assertEqual(gpu.parts[0].name, "demo:skl-hang")
            self.assertIn("story", [one.key for one in gpu.parts[0].properties])
            self.assertEqual(gpu.notes, ())
            self.assertEqual(repr(gpu), "<Gpu skl: demo:skl-hang>")
        with self.assertRaises(gpuscope.Error):
            gpu.read(0x2030)

    def test_path_bytes_and_several(self):
        path = DATA / "error-state.txt"
        by_path, by_bytes = gpuscope.open(path), gpuscope.open(path.read_bytes())
        by_name = gpuscope.open(data=gpuscope.Bytes(path.read_bytes(), name="pasted"))
        self.assertEqual(by_name.parts[0].name, "pasted")
        verdicts = {gpu.hang().verdict for gpu in (by_path, by_bytes, by_name)}
        self.assertEqual(len(verdicts), 1)
        page = gpuscope.Bytes(bytes(range(256)) * 16, kind="mem", address=0x5000)
        both = gpuscope.open("demo:skl-hang", page)
        self.assertEqual(both.read_memory(0x5010, 4), b"\x10\x11\x12\x13")
        self.assertEqual(both.read(0x2030), 0xc98)
        self.assertEqual(len(both.parts), 2)

    def test_platform_alone(self):
        gpu = gpuscope.open(platform="tgl")
        self.assertEqual(gpu.platform.title, "Tiger Lake")
        self.assertEqual(gpu["RCU_MODE" if "RCU_MODE" in gpu else "RING_BUFFER_HEAD"].state, "absent")

    def test_definitions_of_ones_own(self):
        gpu = gpuscope.open("demo:skl-hang", define=DATA / "scratch.def")
        other = gpuscope.open("demo:skl-hang", define=[DATA / "scratch.def"])
        self.assertEqual({one.name for one in gpuscope.definitions(define=DATA / "scratch.def")}
                         - {one.name for one in gpuscope.definitions()} != set(), True)
        self.assertEqual(gpu.platform.name, other.platform.name)
        with self.assertRaises(gpuscope.Error) as caught:
            gpuscope.open("demo:skl-hang", define=DATA / "broken.def")
        self.assertIn("broken.def", str(caught.exception))

    def test_errors(self):
        for source, status in ("/does/not/exist", "failed"), ("demo:nothing", "failed"):
            with self.assertRaises(gpuscope.Error) as caught:
                gpuscope.open(source)
            error = caught.exception
            self.assertTrue(error.what)
            self.assertTrue(error.why)
            self.assertIn(error.status, ("failed", "usage", "unknown"))
            self.assertEqual(str(error), f"{error.what}: {error.why}")
        with self.assertRaises(gpuscope.Error):
            gpuscope.open("demo:skl-hang", wake="sometimes")

    def test_files_and_saving(self):
        gpu = gpuscope.open("demo:skl-hang")
        self.assertIsInstance([file.name for file in gpu.files()], list)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a capture.tar"
            gpu.save(path)
            with path.open("rb") as file:
                again = gpuscope.open(file.read())
            self.assertEqual(again.hang().verdict, gpu.hang().verdict)
            descriptor = os.open(pathlib.Path(folder) / "redacted", os.O_RDWR | os.O_CREAT)
            gpu.save(descriptor, redact=True)
            os.close(descriptor)
            redacted = gpuscope.open(pathlib.Path(folder) / "redacted")
            self.assertEqual(redacted["rcs0.RING_BUFFER_TAIL"].value, 0xc98)
            self.assertEqual(list(redacted.extents("phys")), [])
            with self.assertRaises(OSError):
                gpu.save(pathlib.Path(folder) / "no/folder")

    def test_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "trace.aub"
            subprocess.run([TOOLS / "gpu-snap", "-q", "convert", "demo:skl-hang", "--to", "aub",
                            "-o", path], check=False, stderr=subprocess.DEVNULL)
            gpu = gpuscope.open(path)
            moment = gpu.at(1)
        self.assertEqual(next(gpu.commands()).run.submission, 1)
        self.assertEqual(moment["rcs0.RING_BUFFER_TAIL"].value, 0xc98)
        for wrong in 0, 1000, -1:
            with self.assertRaises(gpuscope.Error):
                gpu.at(wrong)

    def test_buffers_and_stored(self):
        gpu = gpuscope.open(DATA / "error-state.txt")
        kinds = {buffer.kind for buffer in gpu.buffers()}
        self.assertIn("ring", kinds)
        self.assertEqual(list(gpuscope.open("demo:skl-hang").stored()), [])
        with self.assertRaises(gpuscope.Error):
            gpu.open_stored(3)


class Registers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.gpu = gpuscope.open("demo:skl-hang")

    def test_reading(self):
        head = self.gpu["rcs0.RING_BUFFER_HEAD"]
        self.assertEqual((head.name, head.space, head.address), ("rcs0.RING_BUFFER_HEAD", "mmio", 0x2034))
        self.assertEqual((head.state, head.value, head.why), ("ok", 0x600bf0, None))
        self.assertEqual((hex(head), f"{head:#x}", f"{head:08X}", str(head)),
                         ("0x600bf0", "0x600bf0", "00600BF0", "0x00600bf0"))
        self.assertEqual(repr(head), "<Reading rcs0.RING_BUFFER_HEAD mmio 0x2034 = 0x00600bf0>")
        self.assertEqual((head.reg.bits, head.reg.engine, head.reg.plain),
                         (32, "rcs0", "RING_BUFFER_HEAD"))
        self.assertEqual(head.reg, self.gpu.register("rcs0.RING_BUFFER_HEAD"))
        self.assertNotEqual(head.reg, self.gpu.register("rcs0.RING_BUFFER_TAIL"))

    def test_fields(self):
        fields = self.gpu["rcs0.RING_BUFFER_HEAD"].fields
        self.assertEqual(list(fields)[:2], ["WRAP_COUNT", "HEAD_OFFSET"])
        offset = fields["HEAD_OFFSET"]
        self.assertEqual((offset.value, offset.text, offset.hi, offset.lo), (0x2fc, "0xbf0", 20, 2))
        self.assertEqual(f"{offset}", "0xbf0")
        self.assertEqual(f"{offset:d}", "764")
        self.assertIn("HEAD_OFFSET", fields)
        self.assertEqual(len(fields), len(list(fields.items())))
        with self.assertRaises(KeyError) as caught:
            fields["NO_SUCH_FIELD"]
        self.assertIsInstance(caught.exception, gpuscope.Error)
        self.assertIn("HEAD_OFFSET", caught.exception.why)

    def test_what_was_not_read(self):
        asleep = self.gpu["vcs0.RING_BUFFER_HEAD"]
        self.assertIsNone(asleep.value)
        self.assertEqual(asleep.state, "asleep")
        self.assertIn("forcewake", asleep.why)
        self.assertEqual(len(asleep.fields), 0)
        with self.assertRaises(gpuscope.Error) as caught:
            asleep.fields["HEAD_OFFSET"]
        self.assertIn("asleep", caught.exception.why)
        for number in hex, int:
            with self.assertRaises((gpuscope.Error, TypeError)):
                number(asleep)
        self.assertIn("asleep", f"{asleep:#x}")
        self.assertIn("is asleep", repr(asleep))

    def test_unknown(self):
        with self.assertRaises(KeyError) as caught:
            self.gpu["NO_SUCH_REGISTER"]
        error = caught.exception
        self.assertIsInstance(error, gpuscope.Error)
        self.assertEqual(error.status, "unknown")
        self.assertIn("NO_SUCH_REGISTER", error.what)
        self.assertTrue(error.why)
        self.assertNotIn("NO_SUCH_REGISTER", self.gpu)
        self.assertIn("RING_FAULT_REG", self.gpu)

    def test_raw(self):
        self.assertEqual(self.gpu.read(0x2030), 0xc98)
        self.assertEqual(self.gpu.read(0x2034, 4), 0x600bf0)
        with self.assertRaises(gpuscope.Error) as caught:
            self.gpu.read(0x12030)
        self.assertIn("asleep", caught.exception.why)
        self.assertIn("forcewake", caught.exception.why)
        with self.assertRaisesRegex(gpuscope.Error, "mmio 0x12030: asleep: forcewake") as caught:
            self.gpu.read_memory(0x12030, 8, "mmio")
        self.assertEqual(caught.exception.status, "gone")
        with self.assertRaises(gpuscope.Error) as caught:
            self.gpu.read(0x7654)
        self.assertIn("absent", caught.exception.why)
        for wrong in -4, 1 << 64:
            with self.assertRaises(gpuscope.Error):
                self.gpu.read(wrong)

    def test_selectors(self):
        shown = printed("gpu-regdump", "-s", "demo:skl-hang", "RING_*")["registers"]
        found = list(self.gpu.registers("RING_*"))
        self.assertEqual([(one.reg.engine, one.reg.name.removeprefix(f"{one.reg.engine}."))
                          for one in found], [(one["engine"], one["name"]) for one in shown])
        for reading, row in zip(found, shown):
            self.assertEqual(reading.value, row["value"] and int(row["value"], 16))
        self.assertEqual(self.gpu[0x2034].name, "rcs0.RING_BUFFER_HEAD")
        self.assertEqual(next(self.gpu.registers("0x2030")).value, 0xc98)
        self.assertGreater(len(list(self.gpu)), 1000)
        with self.assertRaises(gpuscope.Error):
            list(self.gpu.registers("NO_SUCH_*"))

    def test_lists_are_lazy(self):
        items = self.gpu.registers()
        first, second = next(items), next(items)
        self.assertNotEqual(first.address, second.address)
        rest = list(items)
        self.assertGreater(len(rest), 1000)
        self.assertEqual(list(items), [])
        self.assertIsNone(next(items, None))
        # Values stay when their list, and the GPU, are gone.
        reading = gpuscope.open("demo:skl-hang").registers("RING_FAULT_REG")
        fault = next(reading)
        del reading
        self.assertEqual(fault.fields["FAULT_TYPE"].text is not None, True)
        self.assertTrue(fault.reg.doc is None or fault.reg.doc)

    def test_decode(self):
        fault = gpuscope.decode("skl", "RING_FAULT_REG", 0x12b)
        self.assertEqual((fault.state, fault.value, fault.name), ("ok", 0x12b, "RING_FAULT_REG"))
        rows = printed("gpu-regdump", "-p", "skl", "--decode", "RING_FAULT_REG=0x12b")
        rows = rows["registers"][0]["fields"]
        self.assertEqual([(one.name, one.value) for one in fault.fields.values()],
                         [(row["name"], int(row["value"], 16)) for row in rows])
        with self.assertRaises(KeyError):
            gpuscope.decode("skl", "NOTHING", 1)
        with self.assertRaises(gpuscope.Error):
            gpuscope.decode("no-such-platform", "RING_FAULT_REG", 1)
        with self.assertRaises(gpuscope.Error):
            gpuscope.decode("skl", "RING_FAULT_REG", 1 << 40)

    def test_choices(self):
        fault = gpuscope.decode("skl", "RING_FAULT_REG", 0x12b)
        choices = fault.fields["FAULT_TYPE"].choices
        self.assertGreater(len(choices), 1)
        self.assertTrue(all(one.name for one in choices))
        self.assertIs(fault.fields["FAULT_TYPE"].choices, choices)


class Definitions(unittest.TestCase):
    def test_platforms(self):
        names = [one.name for one in gpuscope.platforms()]
        self.assertIn("skl", names)
        self.assertEqual([one.name for one in gpuscope.platforms("0x1912")], ["skl"])
        self.assertEqual(list(gpuscope.platforms("no-such")), [])

    def test_definitions(self):
        found = next(gpuscope.definitions("register", "RING_FAULT_REG", "skl"))
        self.assertEqual((found.name, found.kind, found.bits), ("RING_FAULT_REG", "register", 32))
        self.assertIn("skl", found.platforms)
        self.assertTrue(found.document)
        self.assertGreater(len(found.fields["FAULT_TYPE"].choices), 1)
        for kind, name in ("command", "PIPE_CONTROL"), ("structure", "SAMPLER_STATE"):
            self.assertTrue(next(gpuscope.definitions(kind, name)).fields)
        with self.assertRaises(gpuscope.Error) as caught:
            gpuscope.definitions("thing")
        self.assertIn("register", caught.exception.why)

    def test_devices(self):
        for device in gpuscope.devices():
            self.assertGreater(device.device, 0)

    def test_version(self):
        self.assertEqual(gpuscope.version().split(".")[0], "1")
        self.assertEqual(gpuscope.__version__, gpuscope.version())


class Everywhere(unittest.TestCase):
    def test_every_register_of_every_demo(self):
        for demo in DEMOS:
            gpu = gpuscope.open(demo)
            for reading in gpu:
                self.assertEqual(reading.value is None, reading.state != "ok")
                self.assertTrue(repr(reading) and str(reading))
            self.assertGreater(len(list(gpu.windows())), 0)


if __name__ == "__main__":
    unittest.main()
