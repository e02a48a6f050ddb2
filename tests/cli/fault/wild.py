# SPDX-License-Identifier: MIT
"""Real logs and dumps as people paste them, plain and as mail, journals and web pages mangle them.

    wild.py DIR [NAME...]    every case of DIR/expect.tsv, or those of the files named
    wild.py -v DIR ...       also prints what the command said where a case fails

The columns of expect.tsv: file, class, command line, exit statuses, what the text must match, what
it must not.
"""
import concurrent.futures
import html
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap

COMMAND_NAME = re.compile(r'\b[A-Z0-9]+(?:_[A-Z0-9]+)+\b')
IGNORED_NAMES = re.compile(r'^(?:RING_|INSTDONE|PGTBL_|IPEHR|ACTHD|GPU_)')


def mail_wrapped(text, width=72):
    lines = []
    for line in text.split('\n'):
        lines += textwrap.wrap(line, width, break_long_words=False, break_on_hyphens=False,
                               drop_whitespace=True) or ['']
    return '\n'.join(lines)


def each_line(change):
    return lambda text: '\n'.join(change(n, line) for n, line in
                                  enumerate(text.rstrip('\n').split('\n'), 1)) + '\n'


def coloured(number, line):
    match = re.match(r'(\s*\[[ 0-9.]+\])(.*)', line)
    return f'\033[32m{match[1]}\033[0m\033[33m{match[2]}\033[0m' if match else line


def journal(number, line):
    bare = re.sub(r'^\s*\[[ 0-9.]+\] ?', '', line)
    return f'Nov 03 10:11:{number % 60:02} host kernel: {bare}'


def folded(width):
    return lambda text: '\n'.join(line[at:at + width] for line in text.expandtabs().split('\n')
                                  for at in range(0, max(len(line), 1), width))


MANGLES = {
    'crlf': lambda text: text.replace('\n', '\r\n'),
    'quoted': each_line(lambda n, line: '> ' + line),
    'quoted-twice': each_line(lambda n, line: '> > ' + line),
    'bar': each_line(lambda n, line: '| ' + line),
    'numbered': each_line(lambda n, line: f'{n}:{line}'),
    'cat-n': each_line(lambda n, line: f'{n:6}\t{line}'),
    'added': each_line(lambda n, line: '+' + line),
    'journal': each_line(journal),
    'syslog': each_line(lambda n, line: f'2025-11-03T10:11:{n % 60:02}.123456+01:00 host kernel: {line}'),
    'colours': each_line(coloured),
    'utf-16': lambda text: text.encode('utf-16'),
    'utf-16be': lambda text: b'\xfe\xff' + text.encode('utf-16-be'),
    'no-break': lambda text: text.replace(' ', '\u00a0'),
    'html': lambda text: html.escape(text),
    'untimed': lambda text: re.sub(r'(?m)^([^\[\n]{0,12})\[ *\d+\.\d+\] ', r'\1', text),
    'wrapped': mail_wrapped,
    'wrapped-quoted': lambda text: each_line(lambda n, line: '> ' + line)(mail_wrapped(text, 70)),
    'folded': folded(72),
    'indented': each_line(lambda n, line: '    ' + line),
}
# A dump or a table is not what people put a journal's prefix before.
LOGS_ALONE = {'journal', 'syslog', 'untimed'}


def mangled(data, name):
    text = data.decode('utf-8', 'surrogateescape')
    changed = MANGLES[name](text)
    return changed if isinstance(changed, bytes) else changed.encode('utf-8', 'surrogateescape')


def steps_to(value, steps):
    if not steps:
        return [value]
    step, rest = steps[0], steps[1:]
    if step.startswith('#'):
        elements = value if isinstance(value, list) else []
        word = step[1:]
        return [sum(1 + e.get('repeats', 0) for e in elements
                    if e.get('kind') == word or e.get(word) is True)]
    if isinstance(value, dict):
        return steps_to(value[step], rest) if step in value else []
    if isinstance(value, list):
        return [found for e in value if step == '*' or e.get('name') == step
                for found in steps_to(e, rest)]
    return []


def as_text(value):
    return {True: 'true', False: 'false', None: 'null'}.get(value, str(value)) \
        if not isinstance(value, int) or isinstance(value, bool) else str(value)


def holds(condition, text, document):
    if condition.startswith('json:'):
        path, operator, wanted = re.match(r'json:([^=~]+)([=~])(.*)', condition).groups()
        found = [as_text(v) for v in steps_to(document, path.split('.'))]
        if operator == '=':
            return wanted in found
        return any(re.search(wanted, f, re.I) for f in found)
    if condition.startswith('cmd:'):
        name = condition[4:]
        named = {n for n in re.findall(r'\b(?:MI|MEDIA|PIPE|STATE|3D|HCP|MFX|MFD|GPGPU|VD)[A-Z0-9]*_[A-Z0-9_]+\b|\b3DPRIMITIVE\b', text)}
        return name in named or not named
    return re.search(condition, text, re.I) is not None


def run(command, path):
    words = [path if w == 'FILE' else w for w in command.split()]
    done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    text = (done.stdout + b' ' + done.stderr).decode('utf-8', 'replace')
    again = subprocess.run(words + ['--json'], capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
    try:
        document = json.loads(again.stdout)
    except ValueError:
        document = {}
    return done.returncode, ' '.join(text.split()), document


def problems_of(command, exits, must, must_not, path):
    status, text, document = run(command, path)
    problems = [] if str(status) in exits.split(',') else [f'status {status}, not {exits}']
    problems += [f'lacks {c}' for c in must.split(';;') if c and not holds(c, text, document)]
    problems += [f'has {c}' for c in must_not.split(';;') if c and holds(c, text, document)]
    return problems, text


def check(job):
    (name, kind, command, exits, must, must_not), mangle, path, verbose = job
    problems, text = problems_of(command, exits, must, must_not, path)
    if not problems:
        return None
    return f'{name} ({kind}) {mangle}: {command}: {"; ".join(problems)}' + \
        (f'\n    {text[:3000]}' if verbose else '')


def main():
    arguments = sys.argv[1:]
    verbose = arguments[:1] == ['-v']
    arguments = arguments[verbose:]
    folder, chosen = arguments[0], arguments[1:]
    rows = [line.rstrip('\n').split('\t') for line in
            open(os.path.join(folder, 'expect.tsv'), encoding='utf-8')][1:]
    rows = [(row + [''] * 6)[:6] for row in rows if not chosen or row[0] in chosen]
    with tempfile.TemporaryDirectory() as work:
        jobs = []
        for row in rows:
            plain = os.path.join(folder, row[0])
            jobs.append((row, 'plain', plain, verbose))
            log = '--dmesg' in row[2]
            data = open(plain, 'rb').read()
            if len(data) > 150000:
                continue
            for name in MANGLES:
                if name in LOGS_ALONE and not log:
                    continue
                path = os.path.join(work, f'{name}-{row[0]}')
                with open(path, 'wb') as file:
                    file.write(mangled(data, name))
                jobs.append((row, name, path, verbose))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            failed = [message for message in pool.map(check, jobs) if message]
    for message in failed:
        print(message)
    print(f'{len(jobs) - len(failed)} of {len(jobs)} cases are as they should be')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
