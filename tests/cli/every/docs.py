# SPDX-License-Identifier: MIT
"""Holds the documents against each other and against what the commands say of themselves.

    docs.py options HELP PAGE COMMON     options of --help and of the manual, both ways
    docs.py zsh|fish HELP FILE           options of --help and what the shells make of the completions
    docs.py shape PAGE...                sections of pages, and the pages that they refer to
    docs.py keys SCHEMA PAGE COMMON      keys of the JSON that no page tells
    docs.py mentions FOLDER FILE...      options of our commands in documents; FOLDER has the helps
    docs.py links INDEX PAGE...          links of HTML that lead nowhere, pages that INDEX lacks
Prints one line for each difference.
"""

import json
import os
import re
import sys
from collections import namedtuple

Option = namedtuple("Option", "letter name argument")
BUILD_OPTIONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../meson_options.txt")


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def say(*words):
    print(*words)


# ---- what --help says ---------------------------------------------------------------------------

def help_options(path):
    """Name: Option, as --help=all lists them."""
    found = {}
    for line in text_of(path).splitlines():
        match = re.match(r" +(?:-(\w), )?--([a-z][a-z-]*)(?:[ =](\S+))?", line)
        if match:
            letter, name, argument = match.groups()
            spec = re.split(r"  +", line.strip())[0]
            found[name] = Option(letter, name, argument if re.search(r"[ =]", spec[spec.index("--"):])
                                 else None)
    return found


def choices_of(argument):
    """The words of auto|always|never; none if it is not of that form."""
    return set(argument.split("|")) if argument and re.fullmatch(r"[a-z0-9]+(\|[a-z0-9]+)+", argument) \
        else set()


# ---- manual pages -------------------------------------------------------------------------------

def plain(text):
    """Without the marks of scdoc."""
    return re.sub(r"\\(.)", r"\1", re.sub(r"(?<!\\)\*|(?<![\w\\])_|(?<!\\)_(?!\w)", "", text))


def section(text, name):
    match = re.search(rf"^# {name}$(.*?)(?=^# |\Z)", text, re.M | re.S)
    return match.group(1) if match else ""


def entries(text):
    """The headings of options, which begin a line and have their text below them, indented."""
    lines = text.splitlines()
    for this, below in zip(lines, lines[1:] + [""]):
        if re.match(r"\*--?[A-Za-z]", this) and below.startswith("\t"):
            yield plain(this)


def check_entry(entry, options, where, known=True):
    for letter, name, rest in re.findall(
            r"(?:-(\w), )?--([a-z][a-z-]*)((?:[ =](?!--|-\w)[^,;\s]+)?)", entry):
        option = options.get(name)
        if not option:
            if known:
                say(f"{where}: --{name} is not in --help")
            continue
        if (letter or None) != option.letter:
            say(f"{where}: the letter of --{name} is {letter or 'none'}, in --help {option.letter}")
        if option.argument and not rest and f"--{name}, --" not in entry:
            say(f"{where}: --{name} has no argument, in --help it has {option.argument}")
        words = choices_of(option.argument)
        if words and words != set(rest[1:].split("|")):
            say(f"{where}: --{name} takes {rest[1:]}, in --help {option.argument}")


def check_options(help_path, page_path, common_path):
    options = help_options(help_path)
    page = text_of(page_path)
    own = section(page, "OPTIONS")
    common = section(text_of(common_path), "OPTIONS")
    told = set(re.findall(r"--[a-z][a-z-]*|(?<![\w-])-\w\b", plain(own)))
    for entry in entries(own):
        check_entry(entry, options, "the page")
    for entry in entries(common):
        check_entry(entry, options, "gpuscope(7)", known=False)
    for option in options.values():
        if not {f"--{option.name}", f"-{option.letter}"} & told:
            say(f"the page: OPTIONS does not name --{option.name}")
    known = {f"--{o.name}" for o in options.values()} | {f"-{o.letter}" for o in options.values()}
    # "gpu-db list --rules" is an option of another command.
    words = re.sub(r"gpu-\w+ \w+ --[a-z-]+", "", plain(own + section(page, "SYNOPSIS")))
    for word in sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", words)) - known):
        say(f"the page: {word} is not in --help")
    for letter in sorted(set(re.findall(r"(?<![\w*-])-(\w)\b", plain(section(page, "SYNOPSIS"))))):
        if f"-{letter}" not in known:
            say(f"the page: -{letter} is not in --help")


SECTIONS = {
    "1": ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "FILES", "EXAMPLES", "SEE ALSO"],
    "3": ["NAME", "SYNOPSIS", "DESCRIPTION", "FILES", "EXAMPLES", "SEE ALSO"],
    "3py": ["NAME", "SYNOPSIS", "DESCRIPTION", "FILES", "SEE ALSO"],
    "5": ["NAME", "DESCRIPTION", "SEE ALSO"],
    "7": ["NAME", "DESCRIPTION", "EXIT STATUS", "EXAMPLES", "SEE ALSO"],
    "gpuscope-glossary": ["NAME", "DESCRIPTION", "EXAMPLES", "SEE ALSO"],
}


def check_shape(paths):
    pages = {os.path.basename(path)[:-len(".scd")] for path in paths}
    for path in paths:
        name, number = os.path.basename(path)[:-len(".scd")].rsplit(".", 1)
        text = re.sub(r"^```.*?^```", "", text_of(path), flags=re.M | re.S)
        found = re.findall(r"^# (.*)$", text, re.M)
        where = f"{name}({number})"
        if not text.startswith(f'{where} "gpuscope" "'):
            say(f"{where}: it is headed {text.splitlines()[0]}")
        if not re.search(rf"^{name} - \S", text, re.M):
            say(f"{where}: no NAME line")
        for wanted in SECTIONS.get(name, SECTIONS[number]):
            if wanted not in found:
                say(f"{where}: no section {wanted}")
        if found[:1] != ["NAME"] or found[-1:] != ["SEE ALSO"]:
            say(f"{where}: it begins with {found[:1]} and ends with {found[-1:]}")
        for other, section_number in re.findall(r"\*((?:lib)?gpu[a-z-]*)\*\((\d)\)", text):
            if f"{other}.{section_number}" not in pages:
                say(f"{where}: there is no page {other}({section_number})")


def schema_keys(node):
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties" and isinstance(value, dict) and "type" not in value:
                yield from value
            yield from schema_keys(value)
    elif isinstance(node, list):
        for value in node:
            yield from schema_keys(value)


def check_keys(schema_path, *page_paths):
    words = set(re.findall(r"\w+", " ".join(plain(text_of(path)) for path in page_paths)))
    for key in sorted(set(schema_keys(json.loads(text_of(schema_path)))) - words):
        say(f"{key} is in {os.path.basename(schema_path)}, and in no page")


# ---- completions --------------------------------------------------------------------------------

def zsh_options(text):
    """What _arguments is given, a word a line: -letter or --name, with its argument's words."""
    for line in text.splitlines():
        match = re.match(r"(?:\([^)]*\))?\*?(--?[A-Za-z][a-z-]*)([=+]?)\[[^]]*\](.*)", line)
        if match:
            words = re.search(r": _gpuscope_offer((?: \S+)*)$", match.group(3))
            yield match.group(1), bool(match.group(2)), set(words.group(1).split() if words else [])


def fish_options(text):
    """What `complete -c COMMAND` prints of what it has been told."""
    for line in text.splitlines():
        match = re.search(r" -(?:l ([a-z-]+)|s (\w))(?= |$)", line)
        if match:
            words = re.search(r" -a (?:'([^']*)'|(\S+))", line)
            words = (words.group(1) or words.group(2)).split() if words else []
            name = f"--{match.group(1)}" if match.group(1) else f"-{match.group(2)}"
            takes = bool(re.match(r"complete .*--(exclusive|force-files|require-parameter)", line))
            yield name, takes, {word for word in words if not word.startswith("(")}


def check_completion(shell, help_path, path):
    options = help_options(help_path)
    wanted = {f"--{o.name}": o for o in options.values()}
    wanted.update({f"-{o.letter}": o for o in options.values() if o.letter})
    offered = {}
    for name, takes, words in (zsh_options if shell == "zsh" else fish_options)(text_of(path)):
        before = offered.get(name, (False, set()))
        offered[name] = (takes or before[0], words | before[1])
    for name in sorted(wanted.keys() - offered.keys()):
        say(f"{shell} does not offer {name}")
    for name in sorted(offered.keys() - wanted.keys()):
        say(f"{shell} offers {name}, which is not in --help")
    for name in sorted(offered.keys() & wanted.keys()):
        argument = wanted[name].argument
        takes, words = offered[name]
        if takes != bool(argument):
            say(f"{shell}: {name} {'takes' if takes else 'takes no'} argument, in --help {argument}")
        if choices_of(argument) and words != choices_of(argument):
            say(f"{shell}: {name} offers {' '.join(sorted(words))}, in --help {argument}")


# ---- options that documents mention -------------------------------------------------------------

def check_mentions(folder, paths):
    helps = {name: help_options(os.path.join(folder, name)) for name in os.listdir(folder)}
    letters = {name: {o.letter for o in options.values()} for name, options in helps.items()}
    everything = set().union(*helps.values()) | {"buildtype", "prefix", "libs"}
    build_options = set(re.findall(r"^option\('([a-z]+)'", text_of(BUILD_OPTIONS), re.M))
    count = 0
    for path in paths:
        where = os.path.basename(path)
        text = re.sub(r"\\\\\n>? *", " ", text_of(path))
        text = text if path.endswith(".md") else plain(text)
        for line in re.findall(r"^.*(?<![\w/.-])gpu-[a-z]+ .*$", text, re.M):
            for command, words in re.findall(r"(?<![\w/.-])(gpu-[a-z]+) ((?:'[^'`]*'|[^|`;>])*)", line):
                if command not in helps:
                    continue
                words = re.sub(r"'[^']*'|\"[^\"]*\"", "Q", words).split(" gpu-")[0]
                for name in re.findall(r"(?<=\s)--([a-z][a-z-]*)", " " + words):
                    count += 1
                    if name not in helps[command]:
                        say(f"{where}: {command} has no --{name}")
                for letter in re.findall(r"(?<=\s)-([A-Za-z])\b", " " + words):
                    if letter not in letters[command]:
                        say(f"{where}: {command} has no -{letter}")
        if path.endswith(".md"):
            for name in sorted(set(re.findall(r"`--([a-z][a-z-]*)", text)) - everything):
                say(f"{where}: no command has --{name}")
            for name in sorted(set(re.findall(r"-D([a-z]+)=", text)) - build_options):
                say(f"{where}: the build has no option {name}")
    if count < 40:
        say(f"only {count} options are mentioned with their command")


# ---- HTML ---------------------------------------------------------------------------------------

def check_links(index, *pages):
    texts = {os.path.basename(path): text_of(path) for path in (index, *pages)}
    folder = os.path.dirname(index)
    for name, text in texts.items():
        for href in re.findall(r'href="([^"]*)"', text):
            file, _, anchor = href.partition("#")
            if not os.path.isfile(os.path.join(folder, file or name)):
                say(f"{name}: there is no {file}")
            elif anchor and f'id="{anchor}"' not in texts[file or name]:
                say(f"{name}: nothing has the id {anchor}")
        for page in re.findall(r"(?<!\">)<b>([\w-]+)</b>\((\d)\)", text):
            if "%s.%s.html" % page in texts:
                say("%s: %s(%s) is no link" % (name, *page))
    for name in texts.keys() - {os.path.basename(index)}:
        if f'href="{name}"' not in texts[os.path.basename(index)]:
            say(f"the index does not have {name}")


def main(what, *arguments):
    if what == "options":
        check_options(*arguments)
    elif what in ("zsh", "fish"):
        check_completion(what, *arguments)
    elif what == "keys":
        check_keys(*arguments)
    elif what == "links":
        check_links(*arguments)
    elif what == "shape":
        check_shape(arguments)
    elif what == "mentions":
        check_mentions(arguments[0], arguments[1:])
    else:
        sys.exit(__doc__)


main(*sys.argv[1:])
