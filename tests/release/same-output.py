#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
Compare what two builds print, for a change that must not change it.

usage: same-output.py [-j N] OLD NEW [DIRECTORY...]

OLD and NEW are build directories. Every command is run on every demo, on every file below the
directories and on its own definitions. Standard output, standard error and the exit status must
be the same byte for byte. Exit status 1: something differs; the first lines of each are shown.
"""
import argparse
import difflib
import itertools
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

# What is run on each source. {} is the source.
ON_SOURCE = """
gpu-regdump -s {}
gpu-regdump -s {} -v
gpu-regdump -s {} --json
gpu-regdump --diff reset {}
gpu-fault -s {}
gpu-fault -s {} -v
gpu-fault -s {} --json
gpu-fault -s {} --decode hwsp
gpu-fault -s {} --decode context
gpu-fault -s {} --decode ring --json
gpu-batch -s {} --state
gpu-batch -s {} --json
gpu-batch -s {} --headers
gpu-batch -s {} --lint
gpu-eu -s {}
gpu-ptwalk -s {} --map
gpu-ptwalk -s {} --flat
gpu-ptwalk -s {} --check
gpu-ptwalk -s {} --spaces
gpu-ptwalk -s {} 0x0 0x1000 0x20000 0x12345678 0xffff00001000 --json
gpu-ptwalk -s {} -v 0x1000 0x7fff0000
gpu-tile -s {} --aux all
gpu-snap info {}
gpu-report -s {} -o -
gpu-sh -s {} -c info;rings;faults;regs;*INSTDONE*
"""

# What is run on a file given alone, whatever it is.
ON_FILE = """
gpu-fault {}
gpu-fault --dmesg {}
gpu-fault --dmesg {} --json
gpu-batch {}
gpu-batch -p skl {} --headers
gpu-batch -p snb {} --json
"""

# What is run once.
ALONE = """
gpu-db list
gpu-db list --commands
gpu-db list --structures
gpu-db list --platforms
gpu-db list --documents
gpu-db list --ids
gpu-db stats
gpu-db export
gpu-db check
gpu-sh -s none -c help
"""

# What is run for each platform.
ON_PLATFORM = """
gpu-regdump -p {} -s none --list -v
gpu-regdump -p {} -s none --list --json
gpu-db show -p {} *
gpu-db show -p {} --json *
gpu-pte -p {} -m ggtt 0x0 0x1 0x83 0x12345001 0xffffffffffffffff
gpu-pte -p {} 0x0 0x1 0x83 0x12345003 0x8000000012345023 0xffffffffffffffff
gpu-tile -p {} -f x --pitch 4096 5 7
gpu-tile -p {} -f y --pitch 4096 5 7
gpu-tile -p {} -f tile4 --pitch 4096 --json 5 7
"""


def run(build, words):
    program = os.path.join(build, 'tools', words[0])
    environment = {'PATH': '/usr/bin:/bin', 'LC_ALL': 'C.UTF-8', 'HOME': '/nonexistent', 'TZ': 'UTC'}
    try:
        done = subprocess.run([program] + words[1:], stdin=subprocess.DEVNULL, capture_output=True,
                              env=environment, timeout=300)
    except subprocess.TimeoutExpired:
        return 'timeout', b'', b''
    return done.returncode, done.stdout, done.stderr.replace(build.encode(), b'')


def expand(table, values):
    for value, line in itertools.product(values, table.split('\n')):
        if line:
            yield [word.replace('{}', value) for word in line.split()]


def show(words, a, b):
    print('---', ' '.join(words))
    for name, x, y in zip(('status', 'output', 'errors'), a, b):
        if x == y:
            continue
        if name == 'status':
            print('status', x, 'is now', y)
            continue
        lines = difflib.unified_diff(x.decode(errors='replace').split('\n')[:20000],
                                     y.decode(errors='replace').split('\n')[:20000],
                                     'old ' + name, 'new ' + name, lineterm='', n=0)
        for line in itertools.islice(lines, 12):
            print(line[:200])
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('-j', type=int, default=os.cpu_count(), metavar='N', dest='jobs')
    parser.add_argument('old')
    parser.add_argument('new')
    parser.add_argument('directories', nargs='*')
    given = parser.parse_args()

    files = sorted(os.path.join(at, name) for directory in given.directories
                   for at, _, names in os.walk(directory) for name in names)
    tool = os.path.join(given.old, 'tools', 'gpu-')
    demos = subprocess.run([tool + 'regdump', '-s', 'demo:'], capture_output=True, text=True)
    demos = [word for line in (demos.stdout + demos.stderr).split('\n')
             for word in line.split()[:1] if word.startswith('demo:')]
    platforms = subprocess.run([tool + 'db', 'list', '--platforms', '--ndjson'],
                               capture_output=True, text=True).stdout.split('\n')
    platforms = [line.split('"name":"')[1].split('"')[0] for line in platforms if '"name":"' in line]
    if not demos or not platforms:
        sys.exit('same-output.py: no demos or no platforms found in ' + given.old)

    work = list(expand(ALONE, ['']))
    work += expand(ON_PLATFORM, platforms)
    work += expand(ON_SOURCE, demos + files)
    work += expand(ON_FILE, files)

    different = 0
    with ThreadPoolExecutor(given.jobs) as pool:
        for words, a, b in pool.map(lambda w: (w, run(given.old, w), run(given.new, w)), work):
            if a != b:
                different += 1
                show(words, a, b)
    print(f'{len(work)} runs of {len(files)} files, {len(demos)} demos, {len(platforms)} platforms: '
          f'{different} differ')
    return different > 0


if __name__ == '__main__':
    sys.exit(main())
