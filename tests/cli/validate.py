#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""validate.py [--ndjson] SCHEMAS FILE...: holds JSON output against the schema that it names.

SCHEMAS is data/schema of the build. Beside the schema the forms that every document owes are checked here, so
that a lax schema hides nothing; and each schema is tried on spoiled copies of the document, which
it must refuse. Of list elements that a schema cannot tell apart only one is held against it: all
of them would take minutes. Exit 1 with a line a fault; 77 where python3-jsonschema is not there.
"""
import json
import pathlib
import re
import sys

try:
    import jsonschema
except ImportError:
    print("SKIP: no python3-jsonschema here", file=sys.stderr)
    sys.exit(77)

HEX = re.compile(r"0x(0|[1-9a-f][0-9a-f]*)\Z")
WIDE = re.compile(r"0x(0|[1-9a-f][0-9a-f]*)(:0x(0|[1-9a-f][0-9a-f]*))*\Z")
HEX_KEYS = {"offset", "value", "reset", "raw", "address", "mask"}
NUMBER_KEYS = {"hi", "lo", "size", "index", "dword"}
HEAD = ["schema", "platform", "device", "source"]
LISTS = ["registers", "differences", "devices", "findings", "definitions", "items", "parts",
         "commands", "structures", "platforms", "walks", "ranges", "reverse", "spaces", "entries",
         "buffers", "writes", "faults", "errors", "engines", "fences", "events",
         "results", "responses", "surfaces", "codes", "programs", "hangs", "workarounds"]


def schema_names(node):
    """What a document says in `schema`, wherever in the file that is written down."""
    if isinstance(node, dict):
        const = node.get("schema", {}).get("const") if isinstance(node.get("schema"), dict) else None
        if const:
            yield const
    for value in node.values() if isinstance(node, dict) else node if isinstance(node, list) else []:
        yield from schema_names(value)


def load_schemas(folder):
    schemas = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        schema = json.loads(path.read_text())
        jsonschema.validators.validator_for(schema).check_schema(schema)
        for name in set(schema_names(schema)):
            schemas[name] = schema
    return schemas


def load_lines(text):
    """A document again, from its head and the elements of its list."""
    head, *elements = [json.loads(line) for line in text.splitlines()]
    name = next((key for key in LISTS if key in guess(elements)), None)
    document = dict(head)
    document[name or "registers"] = elements
    return document


def guess(elements):
    first = elements[0] if elements else {}
    if "hang" in first:
        return ["hangs"]
    if "fields" in first and "a" in first:
        return ["differences"]
    if "event" in first:
        return ["events"]
    if "given" in first:
        return ["writes"]
    if "expected" in first:
        return ["workarounds"]
    if "pixels" in first:
        return ["surfaces"]
    if "x" in first:
        return ["results"]
    if "rule" in first:
        return ["findings"]
    if "bdf" in first:
        return ["devices"]
    if "generation" in first:
        return ["codes"]
    if "instructions" in first:
        return ["programs"]
    if "commands" in first:
        return ["buffers"]
    if "command" in first:
        return ["writes"]
    for key, name in (("levels", "walks"), ("covers", "walks"), ("of", "ranges"),
                      ("addresses", "reverse"), ("from", "spaces"), ("problems", "entries")):
        if key in first:
            return [name]
    return ["registers"]


def form_faults(node, path="$"):
    """What section "JSON" of the contract asks of every value."""
    if isinstance(node, dict):
        for key, value in node.items():
            here = f"{path}.{key}"
            if key in HEX_KEYS or (key in ("a", "b") and "differences" in path):
                form = WIDE if key == "raw" else HEX
                if value is not None and not (isinstance(value, str) and form.match(value)):
                    yield f"{here}: {value!r} is no hexadecimal string"
            if key in NUMBER_KEYS and not (value is None or type(value) is int):
                yield f"{here}: {value!r} is no number"
            if key == "fields" and isinstance(value, list):
                yield from field_faults(value, here)
            if key != "properties":
                yield from form_faults(value, here)
    elif isinstance(node, list):
        for i, value in enumerate(node):
            yield from form_faults(value, f"{path}[{i}]")


def field_faults(fields, path):
    for i, field in enumerate(fields):
        for key in ("name", "hi", "lo"):
            if key not in field:
                yield f"{path}[{i}]: without {key}"
        if "value" in field and "text" not in field:
            yield f"{path}[{i}]: a value without text"
        if field.get("hi", 0) < field.get("lo", 0):
            yield f"{path}[{i}]: hi below lo"


def head_faults(document):
    for key in HEAD:
        if key not in document:
            yield f"$.{key} is missing"
    if not isinstance(document.get("source"), list):
        yield "$.source is no array"
    if not re.match(r"gpuscope\.[a-z]+/[1-9]", document.get("schema", "")):
        yield f"$.schema is {document.get('schema')!r}"


def shape(node, key=None):
    """Equal for values that no schema of ours tells apart."""
    if isinstance(node, dict):
        return "{%s}" % ",".join(f"{k}:{shape(v, k)}" for k, v in sorted(node.items()))
    if isinstance(node, list):
        return "[%s]" % ",".join(sorted({shape(value, key) for value in node}))
    if isinstance(node, str) and key not in ("status", "access", "space", "rule", "kind", "event"):
        return "hex" if HEX.match(node) else "text"
    if type(node) is int:
        return "wide" if node > 63 else "int"
    return repr(node)


def reduced(document):
    small = dict(document)
    for key in LISTS:
        if isinstance(document.get(key), list):
            elements = [reduced(e) if key == "buffers" else e for e in document[key]]
            small[key] = list({shape(element): element for element in elements}.values())
    return small


def spoiled(document):
    """Copies that no schema may accept."""
    small = {k: v[:1] if k in LISTS and isinstance(v, list) else v for k, v in document.items()}
    if "buffers" in small:
        small = reduced(small)
    for key in HEAD:
        yield f"{key} taken away", {k: v for k, v in small.items() if k != key}
    for key in LISTS:
        if not isinstance(small.get(key), list) or not small[key]:
            continue
        element = small[key][0]
        for name in ("name", "offset", "fields", "aliases", "access", "size", "address", "levels",
                     "stop", "kind", "of", "raw", "problems", "addresses", "rule", "engine",
                     "commands"):
            if name not in element:
                continue
            yield f"{key}[0].{name} taken away", {
                **small, key: [{k: v for k, v in element.items() if k != name}]}
            value = element[name]
            if name == "offset" and value is not None:
                yield f"{key}[0].{name} in decimal", {
                    **small, key: [{**element, name: int(value, 16)}]}
                yield f"{key}[0].{name} with a leading zero", {
                    **small, key: [{**element, name: "0x0" + value[2:]}]}


def faults(document, schemas):
    yield from head_faults(document)
    yield from form_faults(document)
    schema = schemas.get(document.get("schema"))
    if schema is None:
        yield f"no schema for {document.get('schema')!r}"
        return
    validator = jsonschema.validators.validator_for(schema)(schema)
    for error in validator.iter_errors(reduced(document)):
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in error.absolute_path)
        yield f"${where}: {error.message[:200]}"
    for what, copy_ in spoiled(document):
        if validator.is_valid(copy_):
            yield f"the schema accepts a document with {what}"


def main(arguments):
    lines = arguments[:1] == ["--ndjson"]
    folder, *paths = arguments[lines:]
    schemas = load_schemas(folder)
    bad = 0
    for path in paths:
        text = pathlib.Path(path).read_text()
        document = load_lines(text) if lines else json.loads(text)
        for i, fault in enumerate(faults(document, schemas)):
            bad = 1
            if i < 5:
                print(f"{path}: {fault}")
    return bad


sys.exit(main(sys.argv[1:]))
