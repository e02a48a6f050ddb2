#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schema.py SOURCE... FOLDER: the JSON schemas, from the rows of keys in the sources.

What the rows are says lib/out/keys.h. FOLDER gets a file for each SCHEMA().
"""
import json
import pathlib
import re
import sys

BUILT_IN = {
    "hex": {"type": "string", "pattern": "^0x(0|[1-9a-f][0-9a-f]*)$"},
    "hexOrNull": {"oneOf": [{"$ref": "#/$defs/hex"}, {"type": "null"}]},
    "textOrNull": {"type": ["string", "null"]},
}
KINDS = {
    "text": {"type": "string"},
    "text_or_null": {"$ref": "#/$defs/textOrNull"},
    "some_text": {"$ref": "#/$defs/textOrNull"},
    "hex": {"$ref": "#/$defs/hex"},
    "number": {"type": "integer", "minimum": 0},
    "flag": {"type": "boolean"},
    "thousandths": {"type": "number", "minimum": 0},
    "null": {"type": "null"},
}
LIMITS = {"PATTERN": "pattern", "MIN": "minimum", "MAX": "maximum", "MIN_LENGTH": "minLength",
          "MULTIPLE_OF": "multipleOf"}
ITEM_LIMITS = {"MIN_ITEMS": "minItems", "MAX_ITEMS": "maxItems"}
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
CALL = re.compile(r'("(?:[^"\\]|\\.)*")|\b(\w+)\(')


def fail(text):
    sys.exit(f"schema.py: {text}")


def strings(text):
    return [json.loads(f'"{found}"') for found in STRING.findall(text)]


def arguments(text, at):
    """Those of the call whose bracket is before `at`, and where it ends."""
    found, depth, start = [], 0, at
    while True:
        c = text[at]
        if c in "\"'":
            at = re.compile(r"(?:[^%s\\]|\\.)*%s" % (c, c)).match(text, at + 1).end()
            continue
        if c in ")]}" and not depth or c == "," and not depth:
            found.append(text[start:at].strip())
            start = at + 1
        if c in ")]}" and not depth:
            return found, at + 1
        depth += (c in "([{") - (c in ")]}")
        at += 1


class Rows:
    """What a function writes, or a table of keys has."""

    def __init__(self, sources, path, text, at):
        args, at = arguments(text, at)
        self.sources, self.path = sources, path
        self.name, self.about = args[0], args[1:]
        head = re.compile(r"\s*([\w\s*]*?)(\w+)([(\[])").match(text, at)
        self.function, self.static = head.group(2), "static" in head.group(1)
        begin = "\n{" if head.group(3) == "(" else "{\n"
        self.body = text[text.index(begin, at):text.index("\n}", at)]

    def keys(self):
        """Name, schema and whether it must be there, of each key; a rule has no name."""
        for rule in options(self.about, "RULE"):
            yield None, json.loads("{" + "".join(strings(rule)).replace("'", '"') + "}"), False
        at = 0
        while True:
            call = CALL.search(self.body, at)
            if not call:
                return
            at = call.end()
            if not call.group(2):
                continue
            if call.group(2) == "ITEM":
                at = arguments(self.body, at)[1]
            elif call.group(2) == "KEYS_OF":
                args, at = arguments(self.body, at)
                yield from self.sources.keys(args[0])
            elif call.group(2).startswith("KEY"):
                args, at = arguments(self.body, at)
                yield self.key(call.group(2), args)
            else:
                inner = self.sources.function(self.path, call.group(2))
                if inner and not inner.name:
                    yield from inner.keys()

    def key(self, macro, args):
        known = args.pop(0) if macro == "KEY_OR_NULL" else None
        kind = "array" if macro in ("KEY_ARRAY", "KEY_LIST") else args.pop(0)
        name, *more = args
        value = None
        if macro == "KEY_EACH":
            _, value, *more = more
        elif macro in ("KEY", "KEY_OR_NULL"):
            value, *more = more
        schema = self.value(kind, value, more)
        if macro == "KEY_EACH":
            schema = array(schema, more)
        if known or "OR_NULL" in more:
            schema = or_null(schema)
        about = "".join("".join(strings(part)) for part in more if part.startswith('"'))
        if about:
            schema = {"description": about, **schema}
        return strings(name)[0], schema, "OPTIONAL" not in more

    def value(self, kind, value, more):
        if kind == "object":
            function = re.match(r"\w+", value).group(0) if value else None
            inner = self.sources.function(self.path, function) if function else None
            names = [inner.name] if inner and inner.name else options(more, "OF")
            if not names:
                fail(f"{self.path}: {self.function}(): an object of what?")
            return one_of([{"$ref": f"#/$defs/{name}"} for name in names])
        if kind == "array":
            names = options(more, "OF")
            items = [KINDS.get(name) or {"$ref": f"#/$defs/{name}"} for name in names]
            inner = self.limited(one_of(items), more) if items else {}
            return array(inner, more)
        if kind not in KINDS:
            fail(f"{self.path}: {self.function}(): kind {kind}")
        return self.limited(KINDS[kind], more)

    def limited(self, schema, more):
        types = [strings(option)[0] for option in options(more, "TYPE")]
        if types:
            return {"type": types}
        words = []
        for option in options(more, "ONE_OF"):
            words += (self.sources.words(self.path, option) if option.isidentifier()
                      else [json.loads(option)])
        if words:
            nullable = schema == KINDS["text_or_null"]
            return {"enum": words + [None] if nullable else words}
        limits = {limit: json.loads(options(more, macro)[0])
                  for macro, limit in LIMITS.items() if options(more, macro)}
        if limits and schema == KINDS["text_or_null"]:
            return or_null({"type": "string", **limits})
        return {**schema, **limits}


class Listing(Rows):
    """A row of a table: LISTING(name, key, elements)."""

    def __init__(self, sources, path, text, at):
        args, _ = arguments(text, at)
        self.sources, self.path, self.name, self.about = sources, path, args[0], ()
        self.function, self.static = args[0], True
        self.body = f"KEY_NAME(array, {', '.join(args[1:])})"


def options(more, macro):
    """The arguments of one of the options."""
    for part in more:
        if part.startswith(macro + "("):
            return [arg for arg in arguments(part, len(macro) + 1)[0] if arg]
    return []


def one_of(schemas):
    return schemas[0] if len(schemas) == 1 else {"oneOf": schemas}


def array(items, more):
    limits = {limit: int(options(more, macro)[0])
              for macro, limit in ITEM_LIMITS.items() if options(more, macro)}
    if "UNIQUE" in more:
        limits["uniqueItems"] = True
    return {"type": "array", **limits, "items": items}


def or_null(schema):
    if schema == KINDS["hex"]:
        return {"$ref": "#/$defs/hexOrNull"}
    if schema == KINDS["text"]:
        return KINDS["text_or_null"]
    if "enum" in schema:
        return {**schema, "enum": schema["enum"] + [None]}
    if "type" in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"oneOf": [schema, {"type": "null"}]}


class Sources:
    def __init__(self, paths):
        self.texts, self.tables, self.functions, self.schemas = {}, {}, {}, []
        for path in paths:
            text = pathlib.Path(path).read_text()
            self.texts[path] = text
            if not re.search(r"^(KEYS|SCHEMA)\(", text, re.M):
                continue
            text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
            for found in re.finditer(r"\{ LISTING\(", text):
                self.add(Listing(self, path, text, found.end()))
            for found in re.finditer(r"^(KEYS|SCHEMA)\(", text, re.M):
                if found.group(1) == "KEYS":
                    self.add(Rows(self, path, text, found.end()))
                else:
                    self.schemas.append((path, arguments(text, found.end())[0]))

    def add(self, rows):
        self.functions[rows.path if rows.static else None, rows.function] = rows
        if not rows.name:
            return
        table = self.tables.setdefault(rows.name, [])
        if table and table[0].path != rows.path and "MORE" not in rows.about:
            fail(f"{rows.path}: the name {rows.name} is taken by {table[0].path}")
        table.append(rows)

    def function(self, path, name):
        return self.functions.get((path, name)) or self.functions.get((None, name))

    def words(self, path, name):
        """The strings in the function of that name, or in the tables that it uses."""
        for text in [self.texts[path], *self.texts.values()]:
            head = re.search(rf"^(?:static )?const char \*{name}\(", text, re.M)
            if not head:
                continue
            body = text[head.end():text.index("\n}", head.end())]
            found = [word for word in strings(body) if word != "?"]
            for table in [] if found else re.findall(r"\b(\w+)\[", body):
                start = re.search(rf"\b{table}\[[^;]*?\] = {{", text)
                if start:
                    found += strings(text[start.end():text.index("};", start.end())])
            return list(dict.fromkeys(found))
        return fail(f"no function {name}() has words")

    def keys(self, name):
        if name not in self.tables:
            fail(f"there is no KEYS({name})")
        for rows in self.tables[name]:
            yield from rows.keys()

    def object_(self, name, head=()):
        """`head`: keys that come first."""
        rows = [*head, *self.keys(name)]
        keys = [row for row in rows if row[0]]
        about = self.tables[name][0].about
        schema = {"description": "".join(strings("".join(p for p in about if p.startswith('"'))))}
        if not schema["description"]:
            del schema["description"]
        schema["type"] = "object"
        schema["required"] = list(dict.fromkeys(key for key, _, required in keys if required))
        schema["properties"] = {key: value for key, value, _ in keys}
        for key, rule, _ in rows:
            if not key:
                schema.update(rule)
        schema["additionalProperties"] = False
        return schema

    def document(self, path, args):
        file, version, title, about, *more = args
        define = re.search(rf'^#define {version} ("[^"]*")', "\n".join(self.headers(path)), re.M)
        version = strings(define.group(1) if define else version)[0]
        head = [(key, dict(value), required) for key, value, required in
                next(iter(self.tables["head"])).keys()]
        head[0] = ("schema", {"const": version}, True)
        if "PLATFORM" in more:
            head[1] = ("platform", KINDS["text"], True)
        forms = options(more, "FORMS")
        schema = {"$schema": "https://json-schema.org/draft/2020-12/schema",
                  "$id": file + ".json", "title": strings(title)[0],
                  "description": "".join(strings(about))}
        defs = {name: self.object_(name, head) for name in forms}
        if len(forms) == 1:
            only = defs.pop(forms[0])
            only.pop("description", None)
            schema.update(only)
        else:
            schema["oneOf"] = [{"$ref": f"#/$defs/{name}"} for name in forms]
        schema["$defs"] = defs
        return file, schema

    def headers(self, path):
        return [p.read_text() for p in pathlib.Path(path).parent.glob("*.[ch]")]

    def complete(self, schema):
        """With what is referred to and not there yet: a schema needs no other file."""
        while True:
            missing = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema))) - set(schema["$defs"])
            for name in missing:
                schema["$defs"][name] = BUILT_IN.get(name) or self.object_(name)
            if not missing:
                schema["$defs"] = dict(sorted(schema["$defs"].items()))
                return schema

    def all(self):
        """The schemas by name."""
        documents = [self.document(path, args) for path, args in self.schemas]
        return {file: self.complete(schema) for file, schema in documents}


def main(*args):
    *paths, folder = args
    sources = Sources(paths)
    for file, schema in sources.all().items():
        (pathlib.Path(folder) / f"{file}.json").write_text(json.dumps(schema, indent=2) + "\n")


main(*sys.argv[1:])
