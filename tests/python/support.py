# SPDX-License-Identifier: MIT
"""What the tests of the Python module share: commands, and memory that is copied out of a demo."""
import json
import os
import pathlib
import subprocess
import unittest

import gpuscope

SOURCE = pathlib.Path(__file__).resolve().parents[2]
DATA = SOURCE / "tests/data"
TOOLS = pathlib.Path(os.environ["BUILD_TOOLS"])
DEMOS = "demo:snb-hang", "demo:skl-hang", "demo:icl-trtt"


def printed(command, *words):
    """The JSON that a command prints. Its status is not looked at: it says what was found."""
    done = subprocess.run([TOOLS / command, "--json", "--no-user-config", *words],
                          capture_output=True, check=False)
    return json.loads(done.stdout)


def skip(why):
    """A test that cannot run; with CI=true everything is there, and that is a failure."""
    if os.environ.get("CI") == "true":
        raise AssertionError(why)
    raise unittest.SkipTest(why)


class Copy:
    """The registers, GGTT and memory of a source, read by functions as a program would."""

    def __init__(self, source):
        self.gpu = gpuscope.open(source)
        self.asked = []

    def reader(self, space):
        def read(address, size):
            self.asked.append((space, address, size))
            try:
                return self.gpu.read_memory(address, size, space)
            except gpuscope.Error:
                return None
        return read

    def registers(self, address, size):
        self.asked.append(("mmio", address, size))
        try:
            return self.gpu.read(address, size)
        except gpuscope.Error:
            raise LookupError(hex(address)) from None
