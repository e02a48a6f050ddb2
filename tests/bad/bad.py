#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every command on every damaged form of every kind of input.

  bad.py [--all] [KIND...]    runs them ($BUILD_TOOLS), and tells what is not as the tables say
  bad.py --learn [KIND...]    the same, and prints what the tables do not have yet
  bad.py --readme FILE        writes the tables into a Markdown file, between its marks
  bad.py --agree FILE         does the file have them as they are?

inputs.tsv: what is said of an input: kinds, damages, status, words; commands.tsv: what a command says
where something is not there: command, status, words. `*` stands for anything. An input is refused by
every command or by none, in the same words; what is told of it is told by every command that reads it."""
import fnmatch
import functools
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

from commands import BY_STDIN, COMMANDS, PLATFORM_ONLY, arguments
from damage import damaged
from seeds import all_seeds

HERE = os.path.dirname(os.path.abspath(__file__))
SECONDS_MAX = 10
# Of the commands one in so many meets an input that is empty or random, and one that is cut.
SHARES, SHARES_SANITIZED, SHARES_ALL = (1, 3), (4, 16), (1, 1)
MARKS = '<!-- bad input: made by `meson compile bad-table` -->', '<!-- end of bad input -->'
EVERYTHING = ('whole', 'empty', 'one byte', 'random')
SILENT = '(nothing)'


def read_table(name):
    with open(os.path.join(HERE, name), encoding='utf-8') as table:
        return [line.rstrip('\n').split('\t') for line in table
                if line.strip() and not line.startswith('#')]


@functools.cache
def pattern(words):
    return re.compile('.*'.join(map(re.escape, words.split('*'))))


def fits(words, line):
    return pattern(words).fullmatch(line) is not None


class Tables:
    """Both of them, and which of their rows were of use."""

    def __init__(self):
        self.inputs, self.commands = read_table('inputs.tsv'), read_table('commands.tsv')
        self.used = set()

    def of_input(self, kind, damage):
        return [row for row in self.inputs
                if any(fnmatch.fnmatchcase(kind, name) for name in row[0].split())
                and (row[1] == '*' or damage in row[1].split(', '))]

    def of_command(self, command):
        return [row for row in self.commands if fits(row[0], command)]

    def find(self, rows, line, status=None):
        """The status of the row with these words; of several, that status."""
        found = [row for row in rows if fits(row[-1], line)]
        found = [row for row in found if int(row[-2]) == status] or found
        if not found:
            return None
        self.used.add('\t'.join(found[0]))
        return int(found[0][-2])


class Case:
    """One damaged input, and what was said of it."""

    def __init__(self, seed, number, damage, detail, path):
        self.seed, self.number, self.path = seed, number, path
        self.damage, self.detail = damage, detail
        self.told = defaultdict(set)        # words of the input, and the commands that said them
        self.readers = set()                # commands that should have
        self.excused = set()                # but for want of room: they had something else to say

    def __str__(self):
        return f'{self.seed.kind}, {self.damage}{": " * bool(self.detail)}{self.detail}'


class Run:
    """A command on a case."""

    def __init__(self, case, command, folder):
        self.case, self.command = case, command
        self.out = os.path.join(folder, f'out.{case.seed.kind}.{case.number}.{hash(command)}' + '.png' * ('OUT.png' in command))
        self.argv, self.stdin = arguments(command, case.seed, case.path, self.out)
        self.name = command.split()[0]

    def start(self, environment):
        began = time.monotonic()
        with open(self.stdin or os.devnull, 'rb') as stdin:
            try:
                done = subprocess.run(self.argv, stdin=stdin, stdout=subprocess.PIPE, check=False,
                                      stderr=subprocess.STDOUT, env=environment, timeout=6 * SECONDS_MAX)
                self.status, output = done.returncode, done.stdout
            except subprocess.TimeoutExpired as error:
                self.status, output = -1, error.stdout or b''
        self.seconds = time.monotonic() - began
        self.saved = os.path.exists(self.out)
        if os.path.isdir(self.out):
            shutil.rmtree(self.out)
        elif self.saved:
            os.unlink(self.out)
        self.lines = output.decode(errors='replace').splitlines()
        self.told = [line for line in self.lines if line.startswith(self.name + ': ')]
        return self

    def words(self, line):
        """What it says of WHAT and WHY, the same whatever the file is called."""
        line = line[len(self.name) + 2:].replace(self.case.seed.spec.format(self.case.path), 'FILE')
        line = line.replace(self.case.path, 'FILE')
        return line.replace('standard input', 'FILE') if self.stdin else line

    def breaches(self):
        """Rules that hold whatever is said."""
        count = len(self.told)
        if not 0 <= self.status <= 6:
            yield f'ended with {self.status}: {" ".join(self.lines[-1:])}'
            return
        if self.seconds > SECONDS_MAX:
            yield f'took {self.seconds:.1f} s'
        if any('runtime error:' in line or 'Sanitizer' in line for line in self.lines):
            yield 'the sanitizer spoke'
        warned = all(': warning: ' in line for line in self.told)
        if count != 0 and self.status == 0 and not warned or count != 1 and 0 < self.status < 6 or \
                self.status == 6 and not 1 <= count <= 20:
            yield f'status {self.status} with {count} lines on stderr: {" / ".join(self.told[:3])}'
        if self.lines[len(self.lines) - count:] != self.told:
            yield 'output after what was told'
        if self.status in (1, 2) and len(self.lines) > count and not self.command.startswith('gpu-db check'):
            if not (self.command.startswith('gpu-sh') and 'FILE' in self.command):
                yield f'status {self.status} with output'
        if 0 < self.status < 6 and self.saved:
            yield f'status {self.status}, and a file was made'
        if '--json' in self.command and self.status in (0, 3, 5, 6):
            yield from self.no_json('\n'.join(self.lines[:len(self.lines) - count]))

    def no_json(self, text):
        # What was asked for was nothing, or is not there.
        if not text and (self.status in (3, 5) or self.name == 'gpu-sh'):
            return
        try:
            _, end = json.JSONDecoder().raw_decode(text)
            # A session has a document for each of its commands.
            while self.name == 'gpu-sh' and end < len(text):
                _, end = json.JSONDecoder().raw_decode(text, end + 1)
            if end < len(text):
                yield 'text behind the JSON'
        except ValueError as error:
            yield f'no JSON: {error}'

    def judge(self, tables):
        """What the tables do not have of it: (reason, words)."""
        case = self.case
        inputs = tables.of_input(case.seed.kind, case.damage)
        own = tables.of_command(self.command)
        for line in map(self.words, self.told):
            status = tables.find(own, line, self.status)
            front, _, end = line.rpartition('; FILE')
            if self.status in (3, 5) and front and tables.find(inputs, 'FILE' + end, 6):
                status = tables.find(own, front, self.status)
                case.told[6, 'FILE' + end].add(self.command)
            elif status is None:
                status = tables.find(inputs, line, self.status)
                case.told[self.status, line].add(self.command)
            if status != self.status:
                yield f'status {self.status}' + (f', not {status}' if status is not None else ''), line
        case.readers.add(self.command)
        # A warning says what it was read as instead.
        if self.status in (1, 2, 3, 5) or any('warning: ' in line for line in self.told):
            case.excused.add(self.command)


def sanitized(tools):
    with open(os.path.join(tools, 'gpu-regdump'), 'rb') as file:
        return b'__asan_init' in file.read()


def chosen_commands(case, share_of_any, share_of_cut):
    """What is wrong looks the same to all: each case meets some of the commands, in turn."""
    commands = COMMANDS[case.seed.group]
    if case.seed.group == 'source' and case.seed.spec == '{}':
        commands = commands + BY_STDIN
    share = share_of_any if case.damage in EVERYTHING else share_of_cut
    if len(commands) <= 3:
        return commands
    return [command for i, command in enumerate(commands) if (i + case.number) % share == 0]


def can_read(seed):
    """Has it what was left out of this build?"""
    features = os.environ.get('FEATURES', 'gzip zstd').split()
    wanted = {'gzip': 'gzip', 'error-ascii85': 'gzip', 'zstd': 'zstd'}.get(seed.kind)
    return not wanted or wanted in features


def make_cases(folder, kinds):
    for seed in all_seeds():
        if kinds and seed.kind not in kinds or not can_read(seed):
            continue
        for number, (damage, detail, data) in enumerate(damaged(seed)):
            path = os.path.join(folder, f'{seed.kind}.{number}')
            with open(path, 'wb') as file:
                file.write(data)
            yield Case(seed, number, damage, detail, path)


def disagreements(case, tables):
    """Commands that do not say of an input what others do."""
    refusals = {words for status, words in case.told if status == 1}
    if case.seed.group != 'source':
        refusals = set()
    if refusals and (len(case.told) > 1 or case.told[1, min(refusals)] != case.readers):
        yield f'refused by some only, or in several ways: {" / ".join(sorted(refusals))}'
        return
    for (status, words), commands in case.told.items():
        missing = {command for command in case.readers - commands - case.excused
                   if not any(fnmatch.fnmatchcase(command, name) for name in PLATFORM_ONLY)}
        if missing and status != 2 and case.seed.group == 'source':
            yield f'only some commands say "{words}", not {min(missing)}'
    rows = tables.of_input(case.seed.kind, case.damage)
    if not case.told and case.damage != 'whole' and tables.find(rows, SILENT) is None:
        yield 'no command says anything of it'


def run_all(kinds, everything, learn):
    tools = os.path.abspath(os.environ['BUILD_TOOLS'])
    shares = SHARES_ALL if everything else SHARES_SANITIZED if sanitized(tools) else SHARES
    tables, failures, missing = Tables(), 0, defaultdict(set)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        environment = os.environ | {'PATH': f'{tools}:{os.environ["PATH"]}', 'HOME': folder}
        cases = list(make_cases(folder, kinds))
        runs = [Run(case, command, folder) for case in cases
                for command in chosen_commands(case, *shares)]
        for run in pool.map(lambda run: run.start(environment), runs):
            wrong = [*run.breaches()]
            for reason, words in run.judge(tables):
                wrong.append(f'{reason}: {words}')
                missing[run.case.seed.kind, run.case.damage, run.status,
                        re.sub(r'\b(0x[0-9a-f]+|[0-9]+)\b', '*', words)].add(run.command)
            for what in wrong if not learn else ():
                print(f'FAILED: {run.case}: {run.command}\n  {what}')
            failures += len(wrong)
        for case in cases:
            for what in disagreements(case, tables):
                print(f'FAILED: {case}\n  {what}')
                failures += 1
        print(f'{len(runs)} runs, {len(cases)} inputs')
    if learn:
        for (kind, damage, status, words), commands in missing.items():
            print(kind, damage, status, words, min(commands), len(commands), sep='\t')
    elif everything and not kinds:
        for row in tables.inputs + tables.commands:
            if '\t'.join(row) not in tables.used:
                print('FAILED: this row is never of use:', *row, sep='\t')
                failures += 1
    return failures


# ---- the tables in Markdown ---------------------------------------------------------------------

def markdown():
    titles = {seed.kind: seed.title for seed in all_seeds()}
    rows = ['| input | damage | status | `gpu-X:` and |', '| --- | --- | --- | --- |']
    for kinds, damage, status, words in read_table('inputs.tsv'):
        names = [title for kind, title in titles.items()
                 if any(fnmatch.fnmatchcase(kind, name) for name in kinds.split())]
        shown = 'all' if kinds == '*' else '; '.join(names)
        words = 'nothing to tell by' if words == SILENT else f'`{words.replace("|", chr(92) + "|")}`'
        rows.append(f'| {shown} | {damage.replace("*", "any")} | {status} | {words} |')
    rows += ['', '| command | status | `gpu-X:` and |', '| --- | --- | --- |']
    for command, status, words in read_table('commands.tsv'):
        rows.append(f'| `{command}` | {status} | `{words.replace("|", chr(92) + "|")}` |')
    return '\n'.join([MARKS[0], '', *rows, '', MARKS[1]])


def replaced(text):
    start, end = text.index(MARKS[0]), text.index(MARKS[1]) + len(MARKS[1])
    return text[:start] + markdown() + text[end:]


def main(arguments):
    options = [argument for argument in arguments if argument.startswith('--')]
    operands = [argument for argument in arguments if not argument.startswith('--')]
    if '--readme' in options or '--agree' in options:
        with open(operands[0], encoding='utf-8') as file:
            text = file.read()
        if replaced(text) == text:
            return 0
        if '--agree' in options:
            print(f'FAILED: {operands[0]} does not agree with the tables: meson compile bad-table')
            return 1
        with open(operands[0], 'w', encoding='utf-8') as file:
            file.write(replaced(text))
        return 0
    return 1 if run_all(operands, '--all' in options, '--learn' in options) else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
