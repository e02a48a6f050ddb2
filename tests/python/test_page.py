# SPDX-License-Identifier: MIT
"""What gpuscope(3py) and TUTORIAL.md show is what Python prints, and the page knows every class and method."""
import doctest
import inspect
import unittest

import gpuscope
from support import SOURCE

PAGE = (SOURCE / "man/gpuscope.3py.scd").read_text()


class Page(unittest.TestCase):
    def test_examples(self):
        self.check(PAGE, "gpuscope.3py", 40)

    def test_tutorial(self):
        self.check((SOURCE / "TUTORIAL.md").read_text(), "TUTORIAL.md", 12)

    def check(self, text, name, least):
        test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, name, None, 0)
        self.assertGreater(len(test.examples), least)
        output = []
        runner = doctest.DocTestRunner(verbose=False)
        runner.run(test, out=output.append)
        self.assertEqual(runner.failures, 0, "".join(output))

    def test_names(self):
        for kind in gpuscope.Gpu, gpuscope.Tables:
            for name, member in inspect.getmembers(kind):
                if not name.startswith("_") and name != "close":
                    self.assertTrue(f"*{name}*(" in PAGE or f"_{name}_" in PAGE, f"{kind.__name__}.{name}")
        made = ("@VALUES@",)
        for name in gpuscope.__all__:
            thing = getattr(gpuscope, name)
            if not (inspect.isclass(thing) and hasattr(thing, "_shown")):
                self.assertTrue(f"*{name}*" in PAGE or f"gpuscope.{name}*" in PAGE or name in
                                ("RegisterFlag", "FieldFlag", "version"), name)
        self.assertIn(made[0], PAGE)


if __name__ == "__main__":
    unittest.main()
