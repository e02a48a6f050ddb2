# SPDX-License-Identifier: MIT
"""Makes HTML of the manual pages, with links between them and an index.

    web.py MANDOC FOLDER STYLE PAGE...

PAGE is a page as man(1) reads it, such as gpu-fault.1; FOLDER gets gpu-fault.1.html and so on,
index.html, and a copy of STYLE.
"""

import os
import re
import shutil
import subprocess
import sys

TITLES = {"1": "Commands", "3": "Library", "3py": "Python", "5": "File formats", "7": "Overviews"}
HEAD = """<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8"/>
  <meta name="viewport" content="width=device-width, initial-scale=1.0"/>
  <link rel="stylesheet" href="{style}"/>
  <title>{title}</title>
</head>
<body>
"""


def linked(text, names):
    """References to pages of ours become links: gpu-fault(1), bold or in a comment of the header."""
    def link(match):
        page = f"{match.group(2)}.{match.group(4)}"
        return f'<a href="{page}.html">{match.group()}</a>' if page in names else match.group()

    return re.sub(r"(<b>)?\b([\w-]+)(</b>)?\((\d(?:py)?)\)", link, text)


def page_of(mandoc, path, names, style):
    text = subprocess.run([mandoc, "-Thtml", path], check=True, capture_output=True,
                          encoding="utf-8").stdout
    body = text[text.index("<body>") + len("<body>\n"):]
    body = re.sub(r"<pre>.*?</pre>", lambda m: m.group().replace("\n<br/>\n", "\n"), body, flags=re.S)
    name, section = os.path.basename(path).rsplit(".", 1)
    return (HEAD.format(style=style, title=f"{name}({section})")
            + '<p class="up"><a href="index.html">gpuscope manual</a></p>\n' + linked(body, names))


def purpose(text):
    """What the NAME section of a page says after the name."""
    words = re.search(r'id="NAME".*?<p class="Pp">(.*?)</p>', text, re.S).group(1)
    return " ".join(words.split()).split(" - ", 1)[1]


def index_of(made, style):
    out = [HEAD.format(style=style, title="gpuscope manual"), "<h1>gpuscope manual</h1>\n"]
    for section in ("7", "1", "5", "3", "3py"):
        found = sorted((name for name in made if name.endswith(f".{section}.html")),
                       key=lambda name: name.split("."))
        if not found:
            continue
        out.append(f'<h2>{TITLES[section]}</h2>\n<table class="index">\n')
        for name in found:
            out.append(f'<tr><td><a href="{name}">{name.split(".")[0]}({section})</a></td>'
                       f"<td>{purpose(made[name])}</td></tr>\n")
        out.append("</table>\n")
    return "".join(out) + "</body>\n</html>\n"


def main(mandoc, folder, style, *paths):
    names = {os.path.basename(path) for path in paths}
    made = {f"{os.path.basename(path)}.html": page_of(mandoc, path, names, os.path.basename(style))
            for path in paths}
    made["index.html"] = index_of(made, os.path.basename(style))
    for name, text in made.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    shutil.copyfile(style, os.path.join(folder, os.path.basename(style)))


main(*sys.argv[1:])
