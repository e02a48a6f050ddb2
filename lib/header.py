# SPDX-License-Identifier: MIT
"""Reads gpuscope.h, which is written in one strict style, for whoever makes something of it:
libgpuscope(3) (man/library.py) and the Python module (python/generate.py)."""

import re


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pieces(text):
    """(KIND, TEXT, COMMENT) of what is at the top level: comment, declaration, blank line.
    COMMENT follows a declaration on its last line."""
    at = 0
    while at < len(text):
        if text[at] == "\n":
            yield "blank", "", ""
            at += 1
        elif text.startswith("/*", at):
            end = text.index("*/", at) + 2
            yield "comment", text[at:end], ""
            at = text.index("\n", end) + 1
        else:
            end = at if text[at] == "#" else declaration_end(text, at)
            line = text.index("\n", end)
            begin = text.find("/*", end, line)
            last = begin if begin >= 0 else line
            yield "declaration", text[at:last].rstrip(), text[last:line]
            at = line + 1


def declaration_end(text, at):
    depth = 0
    while True:
        if text.startswith("/*", at):
            at = text.index("*/", at) + 2
            continue
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(text[at], 0)
        if text[at] == ";" and not depth:
            return at
        at += 1


def words_of(comment):
    """The paragraphs of a comment."""
    lines = [re.sub(r"^\s*\* ?", "", line) for line in comment[2:-2].strip().split("\n")]
    for paragraph in "\n".join(lines).split("\n\n"):
        yield " ".join(paragraph.split())


def name_of(declaration):
    """gpuscope_open(), struct gpuscope_gpu"""
    match = re.match(r"(?:struct|enum) \w+(?= {|;)|#define (\w+)", declaration)
    if match:
        return match.group(1) or match.group()
    return re.search(r"(gpuscope_\w+)\s*\(", declaration).group(1) + "()"


def section_text(path):
    """The text of its sections."""
    text = text_of(path)
    return text[text.index("/* ----"):text.rindex("#pragma")]


def introduction_text(path):
    """The paragraphs of the first comment, without the name of the library."""
    comment = re.search(r"^/\*\n.*?\*/", text_of(path), re.M | re.S).group()
    return list(words_of(comment))[1:]
