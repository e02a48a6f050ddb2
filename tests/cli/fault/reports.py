#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""reports.py markdown|junit|sarif FILE...: whether reports of gpu-fault are well-formed and harmless.

markdown: outside of code spans and blocks there are only words, and the marks that gpu-fault makes;
tables have the same number of cells in each row. junit: the counts are true. sarif: the schema of
sarif.json, and what no schema can say. Exit 1 with a line for each fault.
"""
import json
import pathlib
import re
import sys
import xml.etree.ElementTree

MARKS = [r"\*\*(Verdict|Not readable):\*\* ", r"### ", r"- (fault: |error: |line |and [0-9]+ more$)?",
         r"\| --- (\| --- )+\|$", r"\| ", r"Attach the log itself\.$"]
WORD = re.compile(r"[A-Za-z][A-Za-z'-]*|[0-9]{1,4}")
COMMANDS = re.compile(r"(gpu-batch|gpu-snap|gpu-collect) ")
STEERING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")


def plain(text):
    """Is it made of words and punctuation that mean nothing?"""
    for word in re.sub(r"by gpu-fault [0-9.]+", "", text).split():
        bare = word.strip(".,;:()\"")
        if bare and not WORD.fullmatch(bare):
            return False
        if re.fullmatch("[0-9a-fA-F]{7,}", bare):
            return False
    return True


def markdown(text):
    fenced, cells = False, 0
    for number, line in enumerate(text.split("\n"), 1):
        if STEERING.search(line):
            yield f"{number}: a control character: {line!r}"
        if line.startswith("```"):
            if line != ("```" if fenced else "```sh"):
                yield f"{number}: a fence: {line}"
            fenced = not fenced
            continue
        if fenced:
            if not COMMANDS.match(line):
                yield f"{number}: no command: {line}"
            continue
        if line.count("`") % 2:
            yield f"{number}: a code span without an end: {line}"
        rest = re.sub(r"`[^`]*`", " ", line)
        row = line.startswith("| ")
        if row and (line.count("|") != rest.count("|") or cells not in (0, rest.count("|"))):
            yield f"{number}: another number of cells: {line}"
        cells = rest.count("|") if row else 0
        for mark in MARKS:
            found = re.match(mark, rest)
            if found:
                rest = rest[found.end():]
                break
        else:
            if line:
                yield f"{number}: a line of text: {line}"
        if not plain(rest.replace(" |", " ") if row else rest):
            yield f"{number}: markup: {line}"
    if fenced:
        yield "a block without an end"


def junit(text):
    suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
    counts = {"tests": len(suite)}
    for name, element in ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"):
        counts[name] = len(suite.findall(f"testcase/{element}"))
    for name, count in counts.items():
        if suite.get(name) != str(count):
            yield f"{name} is {suite.get(name)}, not {count}"
    names = [(case.get("classname"), case.get("name")) for case in suite]
    for name in set(names):
        if names.count(name) > 1:
            yield f"two tests are {name}"


def sarif(text):
    import jsonschema

    document = json.loads(text)
    schema = json.loads((pathlib.Path(__file__).parent / "sarif.json").read_text())
    for error in jsonschema.Draft7Validator(schema).iter_errors(document):
        yield f"{'/'.join(map(str, error.path))}: {error.message}"
    run = document["runs"][0]
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    if len(set(rules)) != len(rules):
        yield "two rules have the same id"
    for result in run["results"]:
        if rules[result["ruleIndex"]] != result["ruleId"]:
            yield f"{result['ruleId']} is not the rule {result['ruleIndex']}"
        message = result["message"]["text"]
        if re.search(r"\]\(", message) or re.search(r"(?<!{){(?!{)", message.replace("{{", "")):
            yield f"a link or an argument in: {message}"
    notes = run["invocations"][0]["toolExecutionNotifications"]
    if run["invocations"][0]["executionSuccessful"] == any(n["level"] == "error" for n in notes):
        yield "executionSuccessful contradicts the notifications"


def main():
    faults = 0
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8", newline="") as file:
            for fault in globals()[sys.argv[1]](file.read()):
                print(f"{name}:{fault}")
                faults += 1
    sys.exit(faults != 0)


main()
