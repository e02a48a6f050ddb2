#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Opens pages of gpu-report in headless Chromium and looks at them as a reader does.

browser.py FOLDER PAGE...: for each page nothing on the console, no request but for the page itself,
search and folds by keyboard, contrast in light and dark, no sideways scrolling, all of it without
scripts and in print. With axe-core's program in AXE, also no finding of it, in light and dark, folded
and unfolded. Pictures and a PDF of each go to FOLDER, to be looked at."""
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

BROWSERS = ["chromium", "chromium-browser", "google-chrome"]
WIDTHS = {"wide": 1400, "narrow": 400}
# A register: with fields it folds, without it is a line.
REGISTERS = "#registers .row, #registers .group > pre > span"
AXE = open(os.environ["AXE"]).read() if "AXE" in os.environ else None

# Every text with its colour, the one behind it, and the ratio of the two, where that is too small.
CONTRAST = r"""
(() => {
	const parse = text => {
		const m = text.match(/^rgba?\(([^)]*)\)$/);
		if (!m) return null;
		const v = m[1].split(/[ ,/]+/).map(Number);
		return { r: v[0], g: v[1], b: v[2], a: v.length > 3 ? v[3] : 1 };
	};
	const light = c => {
		const f = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
		return 0.2126 * f(c.r) + 0.7152 * f(c.g) + 0.0722 * f(c.b);
	};
	const behind = node => {
		const map = node.closest("svg.gsc-map");
		if (map) return parse(getComputedStyle(map.querySelector(".paper")).fill);
		for (; node; node = node.parentElement) {
			const c = parse(getComputedStyle(node).backgroundColor);
			if (c && c.a === 1) return c;
			if (c && c.a > 0) return null;
		}
		return { r: 255, g: 255, b: 255, a: 1 };
	};
	const wrong = new Map();
	let count = 0;
	const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walker.nextNode()) {
		const node = walker.currentNode.parentElement;
		if (!walker.currentNode.data.trim() || /^(STYLE|SCRIPT|title|desc|style)$/.test(node.tagName)) continue;
		if (!node.getClientRects().length) continue;
		const style = getComputedStyle(node);
		const ink = parse(node instanceof SVGElement ? style.fill : style.color), paper = behind(node);
		if (!ink || !paper) { wrong.set(`${node.tagName}.${node.getAttribute("class")}: no colour`, 1); continue; }
		const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x);
		const ratio = (a + 0.05) / (b + 0.05);
		count++;
		if (ratio < 4.5)
			wrong.set(`${node.tagName}.${node.getAttribute("class")} ${style.color} ${ratio.toFixed(2)}: ${walker.currentNode.data.trim().slice(0, 30)}`, 1);
	}
	return { count, wrong: [...wrong.keys()].slice(0, 10) };
})()
"""


class Browser:
    """The DevTools protocol over two pipes: a message ends with a zero byte."""

    def __init__(self):
        program = next(filter(None, map(shutil.which, BROWSERS)), None)
        if not program:
            print("SKIP: no Chromium here", file=sys.stderr)
            sys.exit(77)
        self.home = tempfile.mkdtemp()
        ours_read, theirs_write = os.pipe()
        theirs_read, ours_write = os.pipe()

        def place():
            os.dup2(theirs_read, 13)
            os.dup2(theirs_write, 14)
            os.dup2(13, 3)
            os.dup2(14, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
             "--no-first-run", "--hide-scrollbars", "--user-data-dir=" + self.home, "about:blank"],
            preexec_fn=place, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_read)
        os.close(theirs_write)
        self.input, self.output = ours_read, ours_write
        self.number, self.rest, self.events, self.session = 0, b"", [], None

    def message(self):
        while b"\0" not in self.rest:
            part = os.read(self.input, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.rest += part
        text, self.rest = self.rest.split(b"\0", 1)
        return json.loads(text)

    def send(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.output, data):]
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.events.append(answer)

    def run(self, script):
        result = self.send("Runtime.evaluate", expression=script, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(str(result["exceptionDetails"])[:400])
        return result["result"].get("value")

    def open(self, path):
        self.session = None
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self.send(domain + ".enable")
        self.events = []
        self.send("Page.navigate", url="file://" + os.path.abspath(path))
        self.wait("document.readyState === 'complete'")

    def wait(self, condition):
        end = time.time() + 20
        while time.time() < end:
            if self.run(f"!!({condition})"):
                return True
            time.sleep(0.05)
        return False

    def happens(self, event):
        """It has been told of since the events were emptied, or is now waited for."""
        while not any(told.get("method") == event for told in self.events):
            self.events.append(self.message())

    def key(self, key, code):
        text = "\r" if key == "Enter" else ""
        self.send("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, text=text,
                  windowsVirtualKeyCode=code)
        self.send("Input.dispatchKeyEvent", type="keyUp", key=key, code=key,
                  windowsVirtualKeyCode=code)

    def scheme(self, value):
        self.send("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": value}])

    def size(self, width, height):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)

    def end(self):
        self.session = None
        try:
            self.send("Browser.close")
        except (EOFError, OSError):
            pass
        self.process.wait(20)
        os.close(self.input)
        os.close(self.output)
        shutil.rmtree(self.home, ignore_errors=True)


class Look:
    def __init__(self, browser, path, folder):
        self.browser, self.path = browser, path
        self.name = os.path.join(folder, os.path.splitext(os.path.basename(path))[0])
        self.wrong = []

    def expect(self, what, good):
        if not good:
            self.wrong.append(what)

    def quiet(self):
        noise = [event for event in self.browser.events if event.get("method") in
                 ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")]
        asked = [event["params"]["request"]["url"] for event in self.browser.events
                 if event.get("method") == "Network.requestWillBeSent"]
        strange = [url for url in asked if not url.startswith(("file://", "data:"))]
        files = [url for url in asked if url.startswith("file://")]

        self.expect(f"the console has {str(noise)[:300]}", not noise)
        self.expect(f"it asks for {strange[:3] + files[1:3]}", not strange and len(files) == 1)

    def search(self):
        run = self.browser.run
        rows = f"[...document.querySelectorAll('{REGISTERS}')]"
        seen = f"{rows}.filter(row => row.checkVisibility())"
        name = run(f"{rows}.map(row => row.querySelector('b')?.textContent).at(-1)")

        if not name:
            return
        run("document.getElementById('find').focus()")
        self.browser.send("Input.insertText", text=name)
        self.expect("search says nothing",
                    self.browser.wait("document.getElementById('found').textContent"))
        self.expect(f"search does not show {name}",
                    run(f"{seen}.some(row => row.textContent.includes({json.dumps(name)}))"))
        self.expect(f"search for {name} shows other rows",
                    run(f"{seen}.every(row => row.textContent.includes({json.dumps(name)}))"))
        run("document.getElementById('find').value = 'no such word'")
        run("document.getElementById('find').dispatchEvent(new Event('input'))")
        self.expect("a vain search does not say so", self.browser.wait(
            "document.getElementById('found').textContent === '0 matches'"))
        self.seek("")
        self.expect("after a search not everything comes back",
                    self.browser.wait("!document.querySelector('.hide')") and
                    run(f"{seen}.length") == 0)

    def seek(self, words):
        field = "document.getElementById('find')"
        self.browser.run(f"{field}.value = {json.dumps(words)};"
                         f"{field}.dispatchEvent(new Event('input'))")

    def count(self, words):
        self.browser.run("document.getElementById('found').textContent = 'asked'")
        self.seek(words)
        self.browser.wait("document.getElementById('found').textContent !== 'asked'")
        text = self.browser.run("document.getElementById('found').textContent")
        return int(text.split()[0]) if text else 0

    def search_all(self):
        """Words of every kind of text are found where they stand, numbers without their zeros."""
        run = self.browser.run
        for kind in (".verdict", ".way li", ".where", "#engines .row", "#faults .row", "#map p",
                     "#sources pre > span", "#commands .row > summary"):
            words = run(f"document.querySelector({json.dumps(kind)})?.textContent")
            if not words:
                continue
            words = " ".join(words.split()[:6])
            self.expect(f"search does not find '{words}' of {kind}", self.count(words) > 0)
            self.expect(f"search finds '{words}' of {kind}, but hides it", run(
                f"document.querySelector({json.dumps(kind)}).closest('.hide') === null"))
        label = run("document.querySelector('svg.gsc-map text.label')?.textContent")
        if label:
            self.expect(f"search does not find '{label}' of a map", self.count(label) > 0)
        value = run(f"[...document.querySelectorAll('{REGISTERS}')]"
                    ".map(row => row.textContent.split('  ')[1]?.trim())"
                    ".find(text => /^0x0+[1-9a-f]+$/.test(text))")
        if value:
            short = hex(int(value, 16))
            self.expect(f"{short} does not find {value}", self.count(short) > 0)
            self.expect(f"{short} and {value} differ", self.count(short) == self.count(value))
            self.expect("the words are not marked", run(
                "!window.Highlight || CSS.highlights.get('found').size > 0"))
        # A link to what the search hides ends the search.
        self.count("no such word")
        run("document.querySelector('nav a[href=\"#registers\"]').click()")
        self.expect("a link to a hidden section does nothing", run(
            "!document.querySelector('.hide') && document.getElementById('find').value === ''"))
        self.seek("")

    def print_in_search(self):
        run = self.browser.run
        folds = "[...document.querySelectorAll('details')].map(node => node.open).join()"
        before = run(folds)
        self.count("no such word")
        data = self.browser.send("Page.printToPDF", printBackground=False)["data"]
        self.save("-in-search.pdf", data)
        verdict = run("document.querySelector('.verdict').textContent")
        if shutil.which("pdftotext"):
            words = subprocess.run(["pdftotext", self.name + "-in-search.pdf", "-"],
                                   capture_output=True).stdout.decode()
            self.expect("a print in a search lacks the verdict",
                        "".join(verdict.split()) in "".join(words.split()))
        self.seek("")
        self.browser.wait("!document.querySelector('.hide')")
        self.expect("after a print in a search other things are folded", run(folds) == before)

    def fold(self):
        run = self.browser.run
        last = "[...document.querySelectorAll('summary')].at(-1)"

        run(f"{last}.focus()")
        before = run(f"{last}.parentElement.open")
        self.browser.key("Enter", 13)
        self.expect("Enter does not unfold", run(f"{last}.parentElement.open") != before)
        run("document.getElementById('unfold').focus()")
        self.browser.key("Enter", 13)
        self.expect("not everything is unfolded",
                    run("[...document.querySelectorAll('details')].every(node => node.open)"))

    def keyboard(self):
        run = self.browser.run
        run("document.activeElement.blur(); scrollTo(0, 0)")
        missing = []
        for _ in range(16):
            self.browser.key("Tab", 9)
            node = run("(() => { const n = document.activeElement, s = getComputedStyle(n);"
                       "return [n.tagName, s.outlineStyle, n.checkVisibility()]; })()")
            if node[1] == "none" or not node[2]:
                missing.append(node)
        self.expect(f"the focus is not seen: {missing[:3]}", not missing)

    def names(self):
        tree = self.browser.send("Accessibility.getFullAXTree")["nodes"]
        roles = {}
        for node in tree:
            if not node.get("ignored"):
                role = node.get("role", {}).get("value")
                roles.setdefault(role, []).append(node.get("name", {}).get("value", ""))
        for role in ("main", "navigation", "banner", "contentinfo", "search", "heading"):
            self.expect(f"no {role} for a screen reader", role in roles)
        self.expect("a picture without a name", all(roles.get("image", [])))
        self.expect("a button without a name", all(roles.get("button", [])))

    def contrast(self, scheme):
        result = self.browser.run(CONTRAST)
        self.expect(f"{scheme}: hardly any text was seen", result["count"] > 100)
        self.expect(f"{scheme}: contrast: {result['wrong']}", not result["wrong"])

    def axe(self, scheme):
        """What is folded is not looked at: once as it is, once all of it."""
        run = self.browser.run
        for state in ("folded", "unfolded"):
            for wrong in run("axe.run(document, { resultTypes: ['violations'] })"
                             ".then(result => result.violations.map(v => v.id + ': ' + v.help +"
                             "': ' + v.nodes.slice(0, 3).map(n => n.target.join(' ')).join(', ')))"):
                self.expect(f"{scheme}, {state}: axe: {wrong}", False)
            run("document.getElementById('unfold').click()")
        run("document.getElementById('fold').click()")

    def shots(self):
        for scheme in ("light", "dark"):
            self.browser.scheme(scheme)
            for kind, width in WIDTHS.items():
                self.browser.size(width, 900)
                self.expect(f"{kind}: it scrolls sideways", self.browser.run(
                    "document.scrollingElement.scrollWidth <= innerWidth"))
                cut = self.browser.run(
                    "[...document.querySelectorAll('svg.gsc-map, .way li, pre, .row > summary')]"
                    ".filter(node => node.checkVisibility() && "
                    "node.getBoundingClientRect().right > innerWidth).length")
                self.expect(f"{kind}: {cut} pictures or commands are cut", not cut)
                words = self.browser.run(
                    "[...document.querySelectorAll('svg.gsc-map text')].filter(node => "
                    "node.checkVisibility() && node.getBoundingClientRect().right > "
                    "node.ownerSVGElement.getBoundingClientRect().right + 1)"
                    ".map(node => node.textContent).slice(0, 3)")
                self.expect(f"{kind}: words in a map are cut: {words}", not words)
                if (kind, scheme) == ("narrow", "dark"):
                    continue
                height = min(self.browser.run("document.scrollingElement.scrollHeight"), 9000)
                self.browser.size(width, height)
                data = self.browser.send("Page.captureScreenshot", format="png")["data"]
                self.save(f"-{kind}-{scheme}.png", data)
        self.browser.scheme("light")
        self.browser.size(WIDTHS["wide"], 900)

    def save(self, ending, data):
        with open(self.name + ending, "wb") as file:
            file.write(base64.b64decode(data))

    def printed(self):
        data = self.browser.send("Page.printToPDF", printBackground=False)["data"]
        self.save(".pdf", data)
        text = shutil.which("pdftotext")
        if not text:
            return
        words = subprocess.run([text, self.name + ".pdf", "-"], capture_output=True).stdout.decode()
        name = self.browser.run(f"[...document.querySelectorAll('{REGISTERS}')].at(-1)"
                                "?.querySelector('b')?.textContent")
        flat = "".join(words.split())
        self.expect(f"the print lacks {name}", not name or name in flat)

    def without_scripts(self):
        self.browser.send("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.events = []
        self.browser.send("Page.reload")
        self.browser.happens("Page.loadEventFired")
        self.browser.send("Emulation.setScriptExecutionDisabled", value=False)
        self.expect("without scripts there are tools that do nothing",
                    self.browser.run("document.getElementById('tools').hidden"))
        self.expect("without scripts the verdict is not there",
                    self.browser.run("document.querySelector('.verdict').getClientRects().length"))

    def look(self):
        self.browser.size(WIDTHS["wide"], 900)
        self.browser.open(self.path)
        self.browser.size(WIDTHS["wide"], 900)
        self.expect("the tools do not appear",
                    self.browser.wait("!document.getElementById('tools').hidden"))
        self.shots()
        self.keyboard()
        self.search()
        self.search_all()
        self.print_in_search()
        self.fold()
        self.names()
        for scheme in ("light", "dark"):
            self.browser.scheme(scheme)
            self.contrast(scheme)
        self.quiet()
        if AXE:
            self.browser.run(AXE + "; 0")
            for scheme in ("light", "dark"):
                self.browser.scheme(scheme)
                self.axe(scheme)
            self.browser.scheme("light")
        self.printed()
        self.without_scripts()
        return self.wrong


def main():
    folder, pages = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    status = 0
    for page in pages:
        browser = Browser()
        try:
            browser.open("/dev/null")
            wrong = Look(browser, page, folder).look()
        finally:
            browser.end()
        for line in wrong:
            print(f"FAILED: {page}: {line}")
        status |= bool(wrong)
        if not wrong:
            print(f"{page}: good")
    sys.exit(status)


main()
