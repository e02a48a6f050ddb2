#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""validate.py [--ndjson] SCHEMAS FILE...: holds JSON output against the schema that it names.

SCHEMAS is data/schema. Beside the schema the forms that every document owes are checked here, so
that a lax schema hides nothing; and each schema is tried on spoiled copies of the document, which
it must refuse. Exit 1 with a line a fault; 77 where python3-jsonschema is not there.
"""
import copy
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
HEX_KEYS = {"offset", "value", "reset", "raw", "address", "mask"}
NUMBER_KEYS = {"hi", "lo", "size", "index", "dword"}
HEAD = ["schema", "platform", "device", "source"]
LISTS = ["registers", "differences", "devices", "findings", "definitions", "items", "parts",
         "commands", "structures", "platforms"]


def load_schemas(folder):
    schemas = {}
    for path in sorted(pathlib.Path(folder).glob("*.json")):
        schema = json.loads(path.read_text())
        jsonschema.validators.validator_for(schema).check_schema(schema)
        name = schema.get("properties", {}).get("schema", {}).get("const")
        if name is None:
            raise SystemExit(f"{path}: does not say which `schema` it is for")
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
    if "fields" in first and "a" in first:
        return ["differences"]
    if "rule" in first:
        return ["findings"]
    if "bdf" in first:
        return ["devices"]
    return ["registers"]


def form_faults(node, path="$"):
    """What section "JSON" of the contract asks of every value."""
    if isinstance(node, dict):
        for key, value in node.items():
            here = f"{path}.{key}"
            if key in HEX_KEYS or (key in ("a", "b") and "differences" in path):
                if value is not None and not (isinstance(value, str) and HEX.match(value)):
                    if not (key == "address" and path == "$"):
                        yield f"{here}: {value!r} is no hexadecimal string"
            if key in NUMBER_KEYS and not (value is None or type(value) is int):
                yield f"{here}: {value!r} is no number"
            if key == "fields":
                yield from field_faults(value, here)
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


def spoiled(document):
    """Copies that no schema may accept."""
    for key in HEAD:
        copy_ = copy.deepcopy(document)
        del copy_[key]
        yield f"{key} taken away", copy_
    for key in LISTS:
        elements = document.get(key)
        if not isinstance(elements, list) or not elements or not isinstance(elements[0], dict):
            continue
        for name, value in elements[0].items():
            if name not in ("name", "offset", "fields", "aliases", "access", "size"):
                continue
            copy_ = {**document, key: [{k: v for k, v in elements[0].items() if k != name}]}
            yield f"{key}[0].{name} taken away", copy_
            if isinstance(value, str) and value.startswith("0x"):
                yield f"{key}[0].{name} in decimal", {
                    **document, key: [{**elements[0], name: int(value, 16)}]}
                yield f"{key}[0].{name} with a leading zero", {
                    **document, key: [{**elements[0], name: "0x0" + value[2:]}]}


def faults(document, schemas):
    yield from head_faults(document)
    yield from form_faults(document)
    schema = schemas.get(document.get("schema"))
    if schema is None:
        yield f"no schema for {document.get('schema')!r}"
        return
    validator = jsonschema.validators.validator_for(schema)(schema)
    for error in validator.iter_errors(document):
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
