# SPDX-License-Identifier: MIT
"""A page of gpu-report: is it sound HTML that loads nothing? Then its text, a section a line.

report.py FILE...: a line on stderr for each thing that is wrong, and status 1."""
import base64
import hashlib
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "link", "input", "br"}
SECTIONS = ["verdict", "nothing", "engines", "faults", "errors", "fences", "doubts", "dump",
            "firmware", "log", "commands", "map", "windows", "registers", "differences", "sources"]
TAGS = set("""html head meta title link style body a header h1 p nav ul li form label input output
button main section h2 h3 code div article span svg desc circle path polyline text tspan rect line
defs pattern ol b i small details summary pre footer script""".split())
SVG_NAMESPACE = "http://www.w3.org/2000/svg"


class Page(HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.wrong, self.stack, self.ids, self.refs = [], [], {}, set()
        self.heading, self.headings, self.count = 0, [], {}
        self.sections, self.section, self.pictures = {}, None, 0
        self.depth = 0
        self.policy, self.inline = "", {"style": "", "script": ""}

    def fail(self, what):
        self.wrong.append(f"line {self.getpos()[0]}: {what}")

    def attributes(self, tag, attrs):
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.fail(f"an attribute of {tag} comes twice")
        for name, value in attrs:
            value = value or ""
            if name.startswith("on") or name == "style":
                self.fail(f"{tag} has {name}")
            if name == "id":
                if value in self.ids:
                    self.fail(f"id {value} comes twice")
                self.ids[value] = tag
            if name in ("aria-labelledby", "aria-describedby", "for"):
                self.refs.update(value.split())
            if name == "href" and value.startswith("#"):
                self.refs.add(value[1:])
            elif name in ("href", "src", "srcset", "data", "action", "poster", "xlink:href"):
                if value != "data:,":
                    self.fail(f"{tag} {name} leads out of the page: {value}")
            for target in re.findall(r"url\(([^)]*)\)", value):
                if target.startswith("#"):
                    self.refs.add(target[1:])
                else:
                    self.fail(f"{tag} {name} has {target}")
            if "http" in value and value != SVG_NAMESPACE and name not in ("aria-label",):
                self.fail(f"{tag} {name} has {value}")

    def handle_starttag(self, tag, attrs):
        have = dict(attrs)
        name = tag if tag != "title" or "svg" not in self.stack else "svg title"
        self.count[name] = self.count.get(name, 0) + 1
        if tag not in TAGS:
            self.fail(f"<{tag}> is none of ours")
        self.attributes(tag, attrs)
        if re.fullmatch("h[1-6]", tag):
            level = int(tag[1])
            if level > self.heading + 1:
                self.fail(f"h{level} below h{self.heading}")
            self.heading = level
        if have.get("http-equiv") == "Content-Security-Policy":
            self.policy = have["content"]
        if tag == "section" or (tag == "details" and have.get("class") == "part"):
            if self.section:
                self.fail(f"a section in {self.section}")
            self.section, self.depth = have.get("id"), len(self.stack)
            self.sections[self.section] = []
        if tag == "svg" and have.get("aria-hidden") != "true":
            self.pictures += 1
            if have.get("role") != "img":
                self.fail("a picture that is none")
        if tag == "li" and self.stack[-1] not in ("ul", "ol"):
            self.fail(f"li in {self.stack[-1]}")
        if tag == "summary" and self.stack[-1] != "details":
            self.fail(f"summary in {self.stack[-1]}")
        if "pre" in self.stack and tag not in ("span", "a", "b", "i"):
            self.fail(f"{tag} in pre")
        if tag not in VOID:
            self.stack.append(tag)
        self.apart(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.stack.pop()

    def apart(self, tag):
        if self.section and tag not in ("a", "b", "i", "span"):
            self.sections[self.section].append(" ")

    def handle_endtag(self, tag):
        if not self.stack or self.stack[-1] != tag:
            self.fail(f"</{tag}> closes {self.stack[-1] if self.stack else 'nothing'}")
            return
        self.stack.pop()
        self.apart(tag)
        if len(self.stack) == self.depth:
            self.section = None

    def handle_data(self, data):
        if self.stack and self.stack[-1] in self.inline:
            self.inline[self.stack[-1]] += data
        if self.stack and self.stack[-1] == "style" and re.search(r"@import|url\((?!#)|http", data):
            self.fail("the style loads something")
        if self.stack and self.stack[-1] == "script" and re.search(r"fetch|XMLHttp|import|http", data):
            self.fail("the script loads something")
        if self.section:
            self.sections[self.section].append(data)

    def finish(self):
        self.close()
        if self.stack:
            self.fail(f"not closed: {self.stack}")
        for ref in sorted(self.refs - set(self.ids)):
            self.fail(f"nothing has the id {ref}")
        left = [name for name in SECTIONS if name in self.sections]
        if list(self.sections) != left:
            self.fail(f"sections: {list(self.sections)}")
        for tag, text in self.inline.items():
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            if f"{tag}-src 'sha256-{digest}';" not in self.policy:
                self.fail(f"the policy is not that of its {tag}: {self.policy}")
        for tag in ("html", "head", "title", "body", "header", "nav", "main", "footer", "h1",
                    "style", "script"):
            if self.count.get(tag) != 1:
                self.fail(f"{self.count.get(tag, 0)} of {tag}")
        if self.count.get("svg title", 0) != self.pictures:
            self.fail("a picture without a title")
        if self.count.get("details", 0) != self.count.get("summary", 0):
            self.fail("details without a summary")
        for name, text in self.sections.items():
            if len("".join(text).split()) < 3:
                self.fail(f"section {name} says nothing")


def main():
    status = 0
    for path in sys.argv[1:]:
        page = Page()
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
        if re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", text):
            page.wrong.append("control characters in it")
        if len(text) >= 5 << 20:
            page.wrong.append("over 5 MiB")
        page.feed(text)
        page.finish()
        for line in page.wrong[:20]:
            print(f"{path}: {line}", file=sys.stderr)
        status |= bool(page.wrong)
        for name, words in page.sections.items():
            print(name, " ".join("".join(words).split()))
    sys.exit(status)


main()
