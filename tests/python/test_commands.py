# SPDX-License-Identifier: MIT
"""Commands, programs of the execution units, hangs and logs: what the commands print of them."""
import gzip
import unittest

import gpuscope
from support import DATA, DEMOS, printed


class Commands(unittest.TestCase):
    def test_all_of_the_demos(self):
        for demo in DEMOS:
            shown = [(row["name"], int(row["address"], 16), row["status"])
                     for part in printed("gpu-batch", "-s", demo)["buffers"]
                     for row in part["commands"]]
            found = [(one.name, one.address, one.status) for one in gpuscope.open(demo).commands()]
            self.assertEqual(sorted(found), sorted(shown), demo)

    def test_fields(self):
        gpu = gpuscope.open("demo:skl-hang")
        rows = {int(row["address"], 16): row for part in
                printed("gpu-batch", "-s", "demo:skl-hang", "-e", "rcs0")["buffers"]
                for row in part["commands"] if part["kind"] == "batch"}
        found = [one for one in gpu.commands(engine="rcs0") if one.run.kind == "batch"]
        self.assertGreater(len(found), 1)
        # The list is over: fields are decoded again from the words.
        for command in found:
            row = rows[command.address]
            self.assertEqual(list(command.words), [int(word, 16) for word in row["dwords"]])
            self.assertEqual([(one.name, one.value, one.hi, one.lo, one.dword)
                              for one in command.fields.values()],
                             [(one["name"], int(one["value"], 16), one["hi"], one["lo"], one["dword"])
                              for one in row["fields"]])

    def test_one_batch(self):
        gpu = gpuscope.open("demo:skl-hang")
        found = list(gpu.commands(engine="rcs0", address=0x100020000, process=True))
        self.assertEqual(found[0].address, 0x100020000)
        stopped = next(one for one in found if one.address == 0x10002003c)
        self.assertEqual(stopped.name, "PIPE_CONTROL")
        self.assertEqual(stopped.fields["ADDRESS"].text, "0x7a1105603000")
        self.assertEqual(stopped.fields["ADDRESS"].value << 2, 0x7a1105603000)
        self.assertEqual([one.address for one in stopped.addresses], [0x7a1105603000])
        self.assertIn("0x10002003c PIPE_CONTROL: 7a000004", repr(stopped))
        run = found[0].run
        self.assertEqual((run.engine, run.process, run.over), ("rcs0", True, True))
        self.assertEqual(run.end, "ended")
        tables = gpu.tables("rcs0")
        self.assertEqual([one.name for one in gpu.commands(engine="rcs0", address=0x100020000,
                                                          process=True, tables=tables)],
                         [one.name for one in found])

    def test_words(self):
        gpu = gpuscope.open(platform="skl")
        noop, other, end = gpu.commands(engine="rcs0", words=[0, 0x04000001, 0x05000000])
        self.assertEqual((noop.name, other.name, end.name),
                         ("MI_NOOP", "MI_ARB_ON_OFF", "MI_BATCH_BUFFER_END"))
        self.assertEqual(other.fields["ARBITRATION_ENABLE"].text, "yes")
        loaded = next(gpu.commands(engine="rcs0", words=[0x11000001, 0x2358, 0x1234]))
        self.assertEqual(loaded.name, "MI_LOAD_REGISTER_IMM")
        access = loaded.registers[0]
        self.assertEqual((access.address, access.value, access.use), (0x2358, 0x1234, "loads-value"))
        self.assertTrue(access.reg.name)
        unknown = next(gpu.commands(engine="rcs0", words=[0xe0000000]))
        self.assertEqual((unknown.name, unknown.status), ("UNKNOWN", "unknown"))
        self.assertEqual(len(unknown.fields), 0)

    def test_state(self):
        """STATE_BASE_ADDRESS, and COLOR_CALC_STATE at an offset from the base of dynamic state."""
        words = [0x61010011, 0, 0, 0, 0, 0, 0x10001, *[0] * 12, 0x780e0000, 0x41]
        gpu = gpuscope.Gpu(platform="skl", read_gttmem=lambda address, size: bytes(
            (address + i) & 0x7f for i in range(size)))
        base, pointers = gpu.commands(engine="rcs0", words=words, state=True)
        self.assertEqual((base.states, base.kernels), ((), ()))
        state, = pointers.states
        self.assertEqual((state.name, state.address, state.words[:2]),
                         ("COLOR_CALC_STATE", 0x10040, (0x43424140, 0x47464544)))
        field = state.fields["ALPHA_TEST_FORMAT"]
        self.assertEqual(field.text, "ALPHATEST_UNORM8")
        self.assertEqual([choice.name for choice in field.choices],
                         ["ALPHATEST_UNORM8", "ALPHATEST_FLOAT32"])

    def test_findings(self):
        gpu = gpuscope.open("demo:skl-hang")
        shown = [row["rule"] for row in printed("gpu-batch", "-s", "demo:skl-hang", "--lint")["findings"]]
        self.assertEqual(sorted(one.rule for one in gpu.check_commands() if not one.unchecked),
                         sorted(shown))
        self.assertTrue(list(gpuscope.open(platform="skl").check_commands(
            engine="rcs0", words=[0x7a000003, 0, 0, 0, 0])) is not None)

    def test_lists_outlive_what_they_came_from(self):
        commands = gpuscope.open("demo:snb-hang").commands()
        first = next(commands)
        run = first.run
        del commands
        self.assertTrue(first.fields is not None and run.engine)


class Programs(unittest.TestCase):
    MOV = b"".join(word.to_bytes(4, "little")
                   for word in (0x00600001, 0x2e000208, 0x008d0020, 0x00000000))

    def test_program(self):
        gpu = gpuscope.open(platform="skl")
        two = list(gpu.program(self.MOV * 2))
        self.assertEqual([(one.offset, one.bytes, one.opcode, one.exec_size) for one in two],
                         [(0, 16, "mov", 8), (16, 16, "mov", 8)])
        self.assertIn("g112<1>UD", two[0].text)
        self.assertEqual(str(two[0]), two[0].text)
        self.assertNotEqual(next(gpu.program(self.MOV, syntax="iga")).text, two[0].text)
        # The list and its bytes are gone.
        self.assertGreater(len(two[1].fields), 5)
        with self.assertRaises(gpuscope.Error):
            gpu.program(self.MOV, syntax="english")
        self.assertIsInstance(list(gpu.check_program(self.MOV)), list)


class Hangs(unittest.TestCase):
    def test_demos(self):
        for demo in DEMOS:
            shown = printed("gpu-fault", "-s", demo)
            hang = gpuscope.open(demo).hang()
            self.assertEqual((hang.verdict, hang.signature), (shown["verdict"], shown["signature"]))
            self.assertEqual([(one.name, one.state) for one in hang.engines],
                             [(row["name"], row["state"]) for row in shown["engines"]])
            self.assertEqual([(one.text, one.address) for one in hang.faults],
                             [(row["text"], row["address"] and int(row["address"], 16))
                              for row in shown["faults"] if row["address"]])
            self.assertEqual(str(hang), hang.verdict)
            self.assertIn(hang.signature, repr(hang))
            self.assertIsInstance([one.rule for one in hang.check()], list)

    def test_fault(self):
        fault = gpuscope.open("demo:skl-hang").hang().faults[0]
        self.assertEqual((fault.engine, fault.type, fault.level), ("rcs0", "invalid PDE", "pde"))
        self.assertEqual((fault.cause.command, fault.cause.field), ("PIPE_CONTROL", "ADDRESS"))
        self.assertEqual(fault.walk.stop, "not-present")
        self.assertEqual([level.level for level in fault.walk.levels], ["pml4e", "pdpe", "pde"])
        self.assertEqual(fault.walk.levels[0].fields["PRESENT"].value, 1)
        self.assertEqual(fault.reg.name, "RING_FAULT_REG")

    def test_dumps_of_drivers(self):
        for path in sorted((DATA / "driver-made").glob("*.gz")):
            data = gzip.decompress(path.read_bytes())
            by_path = gpuscope.open(path).hang()
            self.assertEqual(gpuscope.open(data).hang().signature, by_path.signature, path.name)
            for request in by_path.requests:
                self.assertTrue(request.text)
            for error in by_path.errors:
                self.assertTrue(error.reg.name and error.text)

    def test_log(self):
        line = b"[  100.5] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in game [4711]\n"
        gpu = gpuscope.open(line)
        events = list(gpu.events())
        self.assertEqual([event.kind for event in events], ["hang"])
        event = events[0]
        self.assertEqual((event.line, event.driver, event.device), (1, "i915", "0000:00:02.0"))
        self.assertIn("game", event.process)
        self.assertTrue(gpu.hang().signature)


if __name__ == "__main__":
    unittest.main()
