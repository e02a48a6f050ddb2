# SPDX-License-Identifier: MIT
"""Makes the module gpuscope._gpuscope of gpuscope.h.

    generate.py HEADER VALUES VERSION >_gpuscope.py
    generate.py HEADER VALUES --page PAGE >OUTPUT

Enums become IntEnum and IntFlag, structs ctypes.Structure, functions ctypes functions with their
types. Of each struct that the library fills, a class with the same members is made as Python has
them: text, numbers or None, words for enums, tuples for arrays. Comments become docstrings. VALUES
is gpuscope/_values.py: a class there has what a class of the same name has beside its members.
PAGE is text for scdoc, gpuscope(3py): for a line @VALUES@ it gets these classes.
"""

import ast
import os
import re
import sys
import textwrap

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))
from header import introduction_text, pieces, section_text, text_of, words_of

TOKEN = r"/\*.*?\*/"
NUMBERS = {"bool": "c_bool", "int": "c_int", "unsigned": "c_uint", "size_t": "c_size_t",
           "uint32_t": "c_uint32", "uint64_t": "c_uint64", "unsigned char": "c_ubyte"}
KNOWN = ("flags", "key", "name", "plain", "rule", "run", "signature", "verdict")  # always there
WIDTH = 69                              # of code on the manual page
WIDE = ("uint32_t", "uint64_t")         # hexadecimal where people read them


def fail(*words):
    sys.exit("generate.py: " + " ".join(words))


def camel(name):
    return "".join(word.capitalize() for word in name.removeprefix("gpuscope_").split("_"))


# ---- the header ---------------------------------------------------------------------------------

class Member:
    """A member of a struct, an argument or the result of a function: its type is BASE with as many
    stars as `stars` says."""

    def __init__(self, text):
        self.comment = ""
        self.callback = None
        match = re.fullmatch(r"(.*?)\(\*(\w+)\)\((.*)\)", text)
        if match:
            self.name = match.group(2)
            self.base, self.stars = "callback", 0
            self.callback = [Member(match.group(1) + "result")] + arguments_of(match.group(3))
            return
        match = re.fullmatch(r"(?:const )?((?:struct |enum |unsigned )?\w+)\s*((?:[*\s]|const\b)*)"
                             r"(\w+)?", text)
        if not match:
            fail("cannot read", repr(text))
        base, stars, self.name = match.groups()
        if base.startswith("unsigned ") and base != "unsigned char":
            base, self.name = base.split()
        self.name = "from_" if self.name == "from" else self.name      # a keyword
        self.base, self.stars = base, stars.count("*")

    @property
    def struct(self):
        return self.base.removeprefix("struct ") if self.base.startswith("struct ") else None

    @property
    def enum(self):
        return self.base.removeprefix("enum ") if self.base.startswith("enum ") else None


def arguments_of(text):
    return [] if text == "void" else [Member(part.strip()) for part in text.split(",")]


def members_of(body):
    """The members of a struct, each with its comment: on the same line, else before it."""
    members, last, before, line = [], [], "", ""
    for match in re.finditer(TOKEN + r"|\n|[^;\n/][^;/]*;", body, re.S):
        part = match.group()
        if part.startswith("/*"):
            words = " ".join(words_of(part))
            if line:
                for member in last:
                    member.comment = words
            else:
                before = words
        elif part == "\n":
            line = ""
        elif part.strip():
            first, *others = split(" ".join(part[:-1].split()))
            last = [Member(first)]
            kind = re.match(r"(?:const )?(?:struct |enum )?\w+ ", first).group()
            last += [Member(kind + other) for other in others]
            for member in last:
                member.comment = before
            before, line = "", part
            members += last
    return members


def split(text):
    """Divides at commas outside of brackets."""
    return [part.strip() for part in re.split(r",(?![^(]*\))", text)]


def constants_of(body):
    """[NAME, VALUE, COMMENT] of an enum, comments like those of members."""
    found, value, before, line = [], 0, "", []
    for match in re.finditer(TOKEN + r"|\n|([A-Z]\w+)(?: = ([^,/]+))?", body, re.S):
        name, given = match.groups()
        if name:
            value = eval(given, {}) if given else value
            line.append([name, value, before])
            found.append(line[-1])
            value += 1
            before = ""
        elif match.group() == "\n":
            line = []
        else:
            words = " ".join(words_of(match.group()))
            before = "" if line else words
            for constant in line:
                constant[2] = words
    return found


class Header:
    def __init__(self, path):
        self.enums, self.structs, self.functions, self.comments = {}, {}, {}, {}
        lead = ""
        for kind, text, after in pieces(section_text(path)):
            if kind == "comment":
                lead = "\n\n".join(words_of(text))
            elif kind == "declaration" and not text.startswith("#"):
                words = " ".join([lead, *words_of(after)] if after else [lead])
                name = self.declare(text)
                self.comments[name] = words.strip() or self.comments.get(name, "")
                lead = ""
            else:
                lead = ""
        options = [name for name in self.structs if name.endswith("options")]
        self.given = set(options) | {member.struct for name in options
                                     for member in self.structs[name] or [] if member.struct}

    def declare(self, text):
        text = text.removesuffix(";")
        match = re.match(r"(struct|enum) (\w+)(?: {(.*)})?$", text, re.S)
        if not match:
            text = " ".join(text.split())
            result, name, arguments = re.fullmatch(r"(.*?)(gpuscope_\w+) ?\((.*)\)", text).groups()
            self.functions[name] = [Member(result.strip() + " result"), *arguments_of(arguments)]
            return name + "()"
        kind, name, body = match.groups()
        if kind == "enum":
            self.enums[name] = constants_of(body)
        else:
            self.structs[name] = members_of(body) if body else None
        return name


# ---- names and words ----------------------------------------------------------------------------

def constants(header, enum):
    """The constants of an enum without its name, with which they begin."""
    common = enum.removesuffix("_flag").upper() + "_"
    for name, value, comment in header.enums[enum]:
        short = name.removeprefix(common)
        if short == name:
            fail(name, "does not begin with", common)
        yield "M" + short if short[0].isdigit() else short, value, comment


def is_flags(header, enum):
    return enum.endswith("_flag")


class Speaker:
    """Comments as Python says them."""

    def __init__(self, header):
        self.constants = {}
        for enum, found in header.enums.items():
            for (name, *rest), (short, *rest) in zip(found, constants(header, enum)):
                word = short if is_flags(header, enum) else short.lower().replace("_", "-")
                self.constants[name] = f'"{word}"'

    def __call__(self, text):
        text = re.sub(r"GPUSCOPE_\w+", lambda m: self.constants.get(m.group(), m.group()), text)
        text = re.sub(r"(?:struct|enum) (gpuscope_\w+)", lambda m: camel(m.group(1)), text)
        text = re.sub(r"\bgpuscope_(?=\w+\()", "", text)
        text = re.sub(r"\ba (?=[AEIOU]\w*[a-z])", "an ", text)
        return text.replace("NULL", "None").replace("\\", "\\\\")


def docstring(text, indent):
    """A docstring of paragraphs; lines that begin with blanks are left as they are."""
    pad = " " * indent
    lines = []
    for paragraph in text.strip().split("\n\n"):
        if lines:
            lines.append("")
        for line in paragraph.split("\n"):
            hang = re.match(r" *", line).group()
            lines += textwrap.wrap(line, 96 - indent, break_on_hyphens=False,
                                   subsequent_indent=hang + "    " if hang else "") or [""]
    if len(lines) == 1 and not lines[0].endswith('"'):
        return f'{pad}"""{lines[0]}"""'
    return "\n".join([f'{pad}"""{lines[0]}', *((pad + line).rstrip() for line in lines[1:]),
                      f'{pad}"""'])


# ---- types --------------------------------------------------------------------------------------

def ctype(member, in_struct):
    """The type for ctypes. Functions take and return addresses of structs."""
    if member.callback:
        return "CFUNCTYPE(" + ", ".join(ctype(part, False) for part in member.callback) + ")"
    if member.struct:
        kind = f"struct_{member.struct}" if in_struct else "c_void_p"
        for _ in range(member.stars - (not in_struct)):
            kind = f"POINTER({kind})"
        return kind
    if member.base == "void":
        return "c_void_p" if member.stars else "None"
    if member.base == "char":
        kind = "c_char_p"
        for _ in range(member.stars - 1):
            kind = f"POINTER({kind})"
        return kind
    kind = "c_int" if member.enum else NUMBERS[member.base]
    return f"POINTER({kind})" if member.stars else kind


def raw_annotation(member):
    if member.stars == 1 and member.base == "char":
        return "Text"
    if member.stars or member.callback:
        return "Any"
    return "bool" if member.base == "bool" else "int"


def result_annotation(member):
    if member.base == "void" and not member.stars:
        return "None"
    return {"char": "bytes | None", "bool": "bool"}.get(member.base, "int | None" if member.stars
                                                        else "int")


def counts(member, numbers):
    """Whether a member is how many numbers the one before it points to."""
    return member and member.name.endswith("count") and numbers.base in WIDE and numbers.stars == 1


class Attribute:
    """What a class has for a member: a name, its type, the expression that makes it of `raw`."""

    def __init__(self, header, members, i):
        member = members[i]
        after = members[i + 1] if i + 1 < len(members) else None
        self.name = member.name
        self.comment = member.comment
        self.form = "#x" if member.base in WIDE else ""
        raw = f"raw.{member.name}"
        flags = re.fullmatch(r"enum (gpuscope_\w+_flag)", member.comment)
        if member.struct == "gpuscope_decoded":
            self.name, self.kind, self.code = "fields", "Fields", f"self._fields({raw}, owner)"
        elif member.struct and member.stars == 2:
            name = camel(member.struct)
            self.kind = f"tuple[{name}, ...]"
            self.code = f"each({raw}, {name}, owner)"
        elif member.struct and member.name in KNOWN:
            self.kind = camel(member.struct)
            self.code = f"{self.kind}({raw}.contents, owner)"
        elif member.struct:
            name = camel(member.struct)
            self.kind = f"{name} | None"
            self.code = f"{name}({raw}.contents, owner) if {raw} else None"
        elif member.base == "char" and member.stars == 2:
            self.kind, self.code = "tuple[str, ...]", f"texts({raw})"
        elif member.base == "char":
            known = member.name in KNOWN and "NULL" not in member.comment
            self.kind = "str" if known else "str | None"
            self.code = f"text({raw}) or ''" if known else f"text({raw})"
        elif member.base == "void":
            self.kind, self.code = "bytes | None", f"data({raw}, raw.{after.name})"
        elif counts(after, member):
            self.kind, self.code = "tuple[int, ...]", f"numbers({raw}, raw.{after.name})"
        elif member.stars:
            self.kind, self.code = "int | None", f"number({raw})"
        elif member.enum:
            optional = "NULL" in header.comments.get(member.enum + "_word()", "")
            self.kind = "str | None" if optional else "str"
            self.code = f"{member.enum.removeprefix('gpuscope_').upper()}[{raw}]"
        elif flags:
            name = flags.group(1)
            self.kind = camel(name)
            self.code = f"{name.removeprefix('gpuscope_').upper()}[{raw}]"
            self.comment = ""
        else:
            self.kind, self.code = raw_annotation(member), raw
        names = [other.name for other in members]
        only = [("" if word == "if" else "not ") + f"raw.{name}" for word, name in
                re.findall(r"\b(if|unless) (\w+)(?=[,;]|$)", member.comment) if name in names]
        if only:
            self.kind, self.code = f"{self.kind} | None", f"{raw} if {' and '.join(only)} else None"


def attributes(header, name):
    """Those of a struct; the sizes of arrays are in the tuples that they became. What only
    functions understand is left out."""
    members = [member for member in header.structs[name] if member.name != "size"]
    for i, member in enumerate(members):
        opaque = member.struct and not header.structs[member.struct]
        if opaque and member.struct != "gpuscope_decoded":
            continue
        if not i or not counts(member, members[i - 1]):
            yield Attribute(header, members, i)


# ---- the module ---------------------------------------------------------------------------------

HEAD = '''# SPDX-License-Identifier: MIT
{doc}
from __future__ import annotations

import enum
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_int, c_size_t, c_ubyte,
                    c_uint, c_uint32, c_uint64, c_void_p)
from typing import Any, Callable, Optional

from . import _values
from ._values import (Fields, Flags, Handle, Value, View, Words, data, each, function, load,
                      number, numbers, text, texts)

Text = Optional[bytes]
VERSION = "{version}"
library = load(VERSION)
'''


def enumeration(header, enum, said):
    base = "IntFlag" if is_flags(header, enum) else "IntEnum"
    found = list(constants(header, enum))
    about = [f"    {name}: {said(comment)}" for name, value, comment in found if comment]
    doc = said(header.comments[enum]) + ("\n\n" + "\n".join(about) if about else "")
    yield f"\n\nclass {camel(enum)}(enum.{base}):"
    yield docstring(doc, 4)
    yield ""
    for name, value, comment in found:
        yield f"    {name} = {value}"


def structure(header, name):
    yield f"\n\nclass struct_{name}(Structure):"
    members = header.structs[name]
    if not members:
        yield "    pass"
        return
    for member in members:
        yield f"    {member.name}: {raw_annotation(member)}"
    yield "    _fields_ = ["
    for member in members:
        yield f'        ("{member.name}", {ctype(member, True)}),'
    yield "    ]"


def prototype(header, name, said):
    result, *arguments = header.functions[name]
    raises = result.struct == "gpuscope_error" and not name.startswith("gpuscope_list_error")
    types = ", ".join(ctype(argument, False) for argument in arguments)
    doc = docstring(said(header.comments[name + "()"]), 4).lstrip() or '""'
    yield (f'{name}: Callable[..., {"None" if raises else result_annotation(result)}] = function(\n'
           f'    library, "{name}", {ctype(result, False)}, [{types}], {raises},\n    {doc})')


def words(header, enum):
    name = enum.removeprefix("gpuscope_")
    if is_flags(header, enum):
        yield f"{name.upper()}: Flags[{camel(enum)}] = Flags({camel(enum)})"
        return
    word = f"gpuscope_{name}_word"
    optional = "NULL" in header.comments.get(word + "()", "")
    kind = "str | None" if optional else "str"
    yield f"{name.upper()}: Words[{kind}] = Words({camel(enum)}, " \
        f"{word if word in header.functions else 'None'})"


def tuple_code(name, items):
    code = f"    {name} = ({', '.join(items)},)"
    return "\n".join(textwrap.wrap(code, 99, subsequent_indent=" " * (len(name) + 8)))


def value(header, name, said, mixins):
    """The class that users see of a struct: a copy, or what reads the struct, which stays."""
    title = camel(name)
    found = list(attributes(header, name))
    comment = header.comments[name]
    stays = "It lives as long as the" in comment
    comment = re.sub(r" ?It lives as long as the \w+\.", "", comment)
    base = f"_values.{title}" if title in mixins else "View" if stays else "Value"
    about = [f"    {part.name}: {said(part.comment)}" for part in found if part.comment]
    yield f"\n\nclass {title}({base}):"
    yield docstring(said(comment) + ("" if stays or not about else "\n\n" + "\n".join(about)), 4)
    yield ""
    shown = tuple_code("_shown", [f'("{part.name}", "{part.form}")' for part in found])
    if stays:
        yield f"    __slots__ = ()\n    _raw: struct_{name}\n{shown}"
        for part in found:
            yield f"\n    @property\n    def {part.name}(self) -> {part.kind}:"
            yield docstring(said(part.comment or part.name.replace("_", " ")), 8)
            yield "        raw, owner = self._raw, self._owner" if "owner" in part.code \
                else "        raw = self._raw"
            yield f"        return {part.code}"
        return
    for part in found:
        yield f"    {part.name}: {part.kind}"
    yield tuple_code("__slots__", [f'"{part.name}"' for part in found])
    yield f"    _struct = struct_{name}\n{shown}"
    yield f"\n    def __init__(self, raw: struct_{name}, owner: Handle) -> None:"
    for part in found:
        yield f"        self.{part.name} = {part.code}"
    if "_copied" in mixins.get(title, ()):
        yield "        self._copied(raw, owner)"


def module(header, path, version, values):
    said = Speaker(header)
    tree = ast.parse(text_of(values))
    mixins = {node.name: [part.name for part in node.body if isinstance(part, ast.FunctionDef)]
              for node in tree.body if isinstance(node, ast.ClassDef)}
    doc = "The interface of libgpuscope, made of gpuscope.h.\n\n" + said(introduction_text(path)[0])
    yield HEAD.format(doc=docstring(doc, 0), version=version)
    for enum in header.enums:
        yield from enumeration(header, enum, said)
    for name in header.structs:
        yield from structure(header, name)
    yield "\n"
    for name in header.functions:
        yield from prototype(header, name, said)
    yield "\n"
    for enum in header.enums:
        yield from words(header, enum)
    for name, members in header.structs.items():
        if members and name not in header.given:
            yield from value(header, name, said, mixins)


# ---- the manual page ----------------------------------------------------------------------------

def table(rows):
    """(NAMES, TYPE, WORDS) as lines of three columns."""
    for names, kind, words in rows:
        left = f"{names:<20} {kind:<17} "
        lines = textwrap.wrap(words, WIDTH - len(left), break_on_hyphens=False) or [""]
        yield (left + lines[0]).rstrip()
        yield from (" " * len(left) + line for line in lines[1:])


def classes(header, said, mixins):
    for name, members in header.structs.items():
        if not members or name in header.given:
            continue
        rows = []
        for part in attributes(header, name):
            kind, words = part.kind.replace(" | None", "?"), said(part.comment)
            together = f"{rows[-1][0]}, {part.name}" if rows else ""
            if rows and words and rows[-1][1:] == [kind, words] and len(together) < 21:
                rows[-1][0] = together
            else:
                rows.append([part.name, kind, words])
        rows += mixins.get(camel(name), [])
        about = re.sub(r" ?It lives as long as the \w+\.", "", header.comments[name])
        yield f"## {camel(name)}\n\n" + re.sub(r"([\\*_<>#|\[\]~])", r"\\\1", said(about))
        yield "```\n" + "\n".join(table(rows)) + "\n```"


def page(header, values, path):
    mixins = {node.name: [[part.name, ast.unparse(part.returns).replace(" | None", "?")
                           .replace("Of", ""), ast.get_docstring(part)]
                          for part in node.body if isinstance(part, ast.FunctionDef)
                          and part.decorator_list and not part.name.startswith("_")
                          and ast.unparse(part.decorator_list[0]) == "property"]
              for node in ast.parse(text_of(values)).body if isinstance(node, ast.ClassDef)}
    made = "\n\n".join(classes(header, Speaker(header), mixins))
    return text_of(path).replace("@VALUES@", made).rstrip("\n")


def main(path, values, version, *rest):
    header = Header(path)
    if version == "--page":
        print(page(header, values, *rest))
    else:
        print("\n".join(module(header, path, version, values)))


main(*sys.argv[1:])
