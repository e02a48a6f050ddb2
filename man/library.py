# SPDX-License-Identifier: MIT
"""Makes libgpuscope(3) of the header and its comments.

    library.py HEADER PAGE EXAMPLE... >OUTPUT

PAGE is text for scdoc. For a line @INTRODUCTION@ it gets the first comment of HEADER, for @HEADER@
its sections, each declaration with its comment, for @EXAMPLE NAME@ the EXAMPLE of that name. A
declaration without a comment is an error.
"""

import os
import re
import sys
import textwrap

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from header import introduction_text, name_of, pieces, section_text, text_of, words_of

WIDTH = 68
COMMENT_COLUMN = 34


def fail(*words):
    sys.exit("library.py: " + " ".join(words))


# ---- what becomes of it -------------------------------------------------------------------------

def marked(text):
    """A paragraph for scdoc: functions bold, `arguments` underlined, all else as it is."""
    text = re.sub(r"([\\*_<>#|\[\]~])", r"\\\1", text)
    text = re.sub(r"`([^`]*)`", r"_\1_", text)
    text = re.sub(r"\bgpuscope\\_[a-z0-9\\_]+(?=\(\))", lambda m: f"*{m.group()}*", text)
    text = textwrap.fill(text, 100, break_long_words=False, break_on_hyphens=False)
    return re.sub(r"^-", r"\\-", text, flags=re.M)


def code_lines(text, indent):
    """Code on lines that fit, broken after commas and, if it must be, after the first bracket."""
    lines = [""]
    for part in re.findall(r".*?(?:, |$)", text):
        if len(lines[-1] + part.rstrip()) > WIDTH and lines[-1]:
            lines.append(" " * indent)
        lines[-1] += part
        if len(lines[-1].rstrip()) > WIDTH and "(" in lines[-1]:
            before, rest = lines[-1].split("(", 1)
            lines[-1:] = [before + "(", " " * indent + rest]
    return [line.rstrip() for line in lines if line.strip()]


def function(text):
    text = re.sub(r"__attribute__\(\(.*\)\)", "", " ".join(text.split()))
    return code_lines(text, 8)


def structure(text):
    """A struct or an enum, its comments beside the members."""
    depth = 0
    text = re.sub(r",\n\s*(?=[^{}/]*\);)", ", ", text)
    for part in re.findall(r"/\*.*?\*/|[^\n]+?(?=[ \t]*/\*|\n|$)", text, re.S):
        if part.startswith("/*"):
            comment = " ".join(words_of(part))
            beside = lines and len(lines[-1]) < COMMENT_COLUMN - 1 and not own_line
            indent = COMMENT_COLUMN if not own_line else 4 * depth
            wrapped = textwrap.wrap(f"/* {comment}\0*/", WIDTH - indent, subsequent_indent="   ",
                                    break_on_hyphens=False)
            for line in " \n".join(wrapped).replace("\0", " ").split(" \n"):
                if beside:
                    lines[-1] = lines[-1].ljust(indent) + line
                else:
                    lines.append(" " * indent + line)
                beside = False
            own_line = True
            continue
        code = " ".join(part.split())
        if not code:
            continue
        if not depth:
            lines = []
        depth -= code.startswith("}")
        lines += code_lines("    " * depth + code, 4 * depth + 8)
        depth += code.endswith("{")
        own_line = False
    return lines


def shown(declaration):
    if "{" in declaration:
        return structure(declaration)
    return function(declaration)


class Page:
    def __init__(self):
        self.out = []
        self.begin()

    def begin(self):
        self.code, self.text, self.after, self.count = [], [], [], 0

    def flush(self):
        """The declarations of one comment, and that."""
        if not self.code:
            return
        self.out += ["```"] + [line.replace("\\", "\\\\") for line in self.code] + ["```", ""]
        after = [words if self.count == 1 else f"{name}: {words}" for name, words in self.after]
        for paragraph in self.text + after:
            self.out += [marked(paragraph), ""]
        self.begin()


def sections(path):
    page, lead, begun = Page(), None, False
    for kind, text, after in pieces(section_text(path)):
        title = re.match(r"/\* -+ (.*?) -+ \*/", text)
        if kind == "blank":
            page.flush()
            begun = False
        elif title:
            page.out += [f"# {title.group(1).upper()}", ""]
        elif kind == "comment":
            page.flush()
            lead = list(words_of(text))
            begun = True
        else:
            if not begun and not after and not re.fullmatch(r"struct \w+;", text):
                fail(f"{path}: {name_of(text)} has no comment")
            if lead is None and after and not page.text and page.after == []:
                page.flush()
            page.code += shown(text)
            page.text += lead or []
            lead = None
            if after:
                page.after += [(name_of(text), words) for words in words_of(after)]
            page.count += 1
    page.flush()
    return "\n".join(page.out)


def introduction(path):
    return "\n\n".join(marked(paragraph) for paragraph in introduction_text(path)) + "\n"


def example(path):
    text = text_of(path).split("\n", 1)[1].expandtabs(8)
    return "```\n" + text.replace("\\", "\\\\") + "```"


def main(header, page, *examples):
    by_name = {os.path.splitext(os.path.basename(path))[0]: path for path in examples}
    text = text_of(page)
    used = re.findall(r"^@EXAMPLE (\w+)@$", text, re.M)
    if sorted(used) != sorted(by_name):
        fail(f"{page} has the examples {' '.join(used)}, there are {' '.join(sorted(by_name))}")
    text = re.sub(r"^@EXAMPLE (\w+)@$", lambda m: example(by_name[m.group(1)]), text, flags=re.M)
    text = text.replace("@INTRODUCTION@\n", introduction(header))
    print(text.replace("@HEADER@\n", sections(header)), end="")


main(*sys.argv[1:])
