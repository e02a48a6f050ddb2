#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Whether gpu-fault knows every message of the drivers.

Takes from a source tree of Linux each format string that i915 and xe print at the levels error,
warning and notice, prints it as the kernel would, and gives that line alone to gpu-fault. It is
known if gpu-fault says what it means, or that it is harmless; a line that gpu-fault only quotes is
missing. What the display prints, which is the same code in both drivers, is counted apart.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..')

# What the kernel offers to print with: the number of the argument that is the format, and what the
# kernel puts in front. Everything else is a macro made of these.
DEVICE = '{driver} {device}: '
# Nothing, but what follows tells whose it is.
TRACE = 'TRACE'
TRACE_BEGINS = '[   12.345678] ------------[ cut here ]------------\n'
TRACE_ENDS = ('[   12.345678] WARNING: CPU: 2 PID: 1234 at drivers/gpu/drm/{path}:123 '
              '{function}+0x12/0x340 [{driver}]\n')


def printers(levels):
    """Those of some levels. What marks an error is a part of the message."""
    found = {}
    for level in levels:
        mark = '*ERROR* ' if level == 'err' else ''
        debug = '[drm:{function} [{driver}]] ' if level == 'dbg' else '[drm] '
        for form in '', '_once', '_ratelimited', '_kms', '_core':
            found[f'drm_{level}{form}'] = 1, DEVICE + debug + mark
            found[f'dev_{level}{form}'] = 1, DEVICE
            found[f'pr_{level}{form}'] = 0, 'pr_fmt'
    if 'err' not in levels:
        return found
    found['dev_err_probe'] = 2, DEVICE + 'error -ETIMEDOUT: '
    for form in '', '_RATELIMITED':
        found['DRM_ERROR' + form] = 0, '[drm:{function} [{driver}]] *ERROR* '
        found['DRM_DEV_ERROR' + form] = 1, DEVICE + '[drm:{function} [{driver}]] *ERROR* '
    for form in '', '_ONCE':
        found['DRM_WARN' + form] = found['DRM_NOTE' + form] = 0, '[drm] '
        found['WARN' + form] = 1, TRACE
        found['dev_WARN' + form] = 2, DEVICE
        found['drm_WARN' + form] = 2, DEVICE + '[drm] '
    found['WARN_RATELIMIT'] = 1, TRACE
    return found


PRINTERS = printers(('err', 'warn', 'notice'))
# Only in kernels that are configured for debugging; and WARN_ON() prints code, not a message.
NOT_PRINTED = re.compile('^GEM_TRACE|assert|WARN_ON(?!CE)')

NOT_COMPILED = re.compile(r'(^|/)(selftests?|tests|mock|st)(/|_)')
TOKEN = re.compile(
    r'\s+|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|\w+|##|\.\.\.|->|.', re.S)
DEFINE = re.compile(r'^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^)]*\))?(.*)', re.S)


def tokens_of(text):
    """Words, strings and signs, without blanks and comments."""
    return [token for token in TOKEN.findall(text)
            if not token.isspace() and not token.startswith(('//', '/*'))]


def close_of(tokens, at):
    """The index of the parenthesis that closes the one at `at`."""
    depth = 0
    while at < len(tokens):
        depth += (tokens[at] in '([{') - (tokens[at] in ')]}')
        if not depth:
            return at
        at += 1
    return len(tokens) - 1


def arguments_of(tokens):
    """What is between the commas outside of parentheses."""
    found, depth = [[]], 0
    for token in tokens:
        depth += (token in ('(', '[', '{')) - (token in (')', ']', '}'))
        if token == ',' and not depth:
            found.append([])
        else:
            found[-1].append(token)
    return found


class Macros:
    """#define lines of a driver, those of a file first."""

    def __init__(self):
        self.all = {}

    def add(self, directive):
        name, parameters, body = DEFINE.match(directive).groups()
        if parameters is not None:
            parameters = [word.strip() for word in parameters[1:-1].split(',') if word.strip()]
        body = tokens_of(body)
        # The alternative without a body is that of a kernel that does not print it.
        if body or name not in self.all:
            self.all.setdefault(name, (parameters, body))

    def expand(self, name, arguments):
        """The body with the arguments in it."""
        parameters, body = self.all[name]
        values, rest = {}, []
        for number, word in enumerate(parameters):
            if word.endswith('...'):
                rest = sum(([','] + one for one in arguments[number:]), [])[1:]
                values[word[:-3].strip() or '__VA_ARGS__'] = rest
            else:
                values[word] = arguments[number] if number < len(arguments) else []
        out, at = [], 0
        while at < len(body):
            token = body[at]
            pasted = at + 1 < len(body) and body[at + 1] == '##'
            if token == '##':
                value = values.get(body[at + 1], [body[at + 1]])
                if out and out[-1] == ',' and not value:
                    out.pop()
                elif out and out[-1] != ',' and value:
                    out[-1] += value[0]
                    value = value[1:]
                out += value
                at += 1
            elif token == '#' and at + 1 < len(body) and body[at + 1] in values:
                out.append('"' + ' '.join(values[body[at + 1]]).replace('"', '') + '"')
                at += 1
            elif token in values and pasted and not values[token]:
                # An empty argument that something is joined to.
                out += body[at + 2:at + 3]
                at += 2
            else:
                out += values.get(token, [token])
            at += 1
        return out

    def printer(self, name, seen=()):
        """Whether a name is, or is made of, something that prints."""
        if NOT_PRINTED.search(name):
            return False
        if name in PRINTERS:
            return True
        if name in seen or name not in self.all or self.all[name][0] is None:
            return False
        body = self.all[name][1]
        return any(token == '##' or self.printer(token, seen + (name,)) for token in body)

    def calls(self, name, arguments, depth=0):
        """Each call of the kernel's own functions that a call comes to: name, arguments."""
        if name in PRINTERS:
            yield name, arguments
            return
        if depth > 12 or not self.printer(name):
            return
        tokens = self.expand(name, arguments)
        at = 0
        while at + 1 < len(tokens):
            if tokens[at + 1] == '(' and tokens[at][0].isidentifier():
                close = close_of(tokens, at + 1)
                inner = arguments_of(tokens[at + 2:close])
                inner = [part for one in inner for part in self.formats(one)]
                yield from self.calls(tokens[at], inner, depth + 1)
            at += 1

    def formats(self, argument, depth=0):
        """The arguments that one makes: macros put a prefix, and its values, in front of it."""
        for at in range(len(argument) - 1):
            if 'FMT' not in argument[at] or argument[at + 1] != '(' or depth > 12 or \
                    self.all.get(argument[at], (None,))[0] is None:
                continue
            close = close_of(argument, at + 1)
            # As the preprocessor does it: those of the arguments first.
            given = [part for one in arguments_of(argument[at + 2:close])
                     for part in self.formats(one, depth + 1)]
            inner = self.expand(argument[at], given)
            parts = arguments_of(argument[:at] + inner + argument[close + 1:])
            return [part for one in parts for part in self.formats(one, depth + 1)]
        return [argument]

    def string(self, tokens, depth=0):
        """The text that adjacent strings and macros for strings make; None: it is not constant."""
        text = ''
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token.startswith('"'):
                text += re.sub(r'\\(x[0-9a-fA-F]{2}|.)', unescape, token[1:-1], flags=re.S)
            elif token in FORMATS:
                text += FORMATS[token]
            elif token in self.all and depth < 8:
                parameters, body = self.all[token]
                if parameters is not None:
                    close = close_of(tokens, at + 1)
                    body = self.expand(token, arguments_of(tokens[at + 2:close]))
                    at = close
                part = self.string(body, depth + 1)
                if part is None:
                    return None
                text += part
            elif token not in ('(', ')'):
                return None
            at += 1
        return text


# Macros of the kernel's own headers.
FORMATS = {'PRIu64': 'llu', 'PRIx64': 'llx', 'KBUILD_MODNAME': '{driver}',
           'HW_ERR': '[Hardware Error]: ', 'FW_BUG': '[Firmware Bug]: ',
           'FW_WARN': '[Firmware Warn]: ', 'FW_INFO': '[Firmware Info]: '}


def unescape(match):
    return {'n': '\n', 't': '\t'}.get(match.group(1), match.group(1)[:1])


# ---- plausible values ---------------------------------------------------------------------------

CONVERSION = re.compile(
    r'%(?:%|([-+ #0]*)(\*|\d+)?(?:\.(\*|\d+))?(?:hh|h|ll|l|z|t|j)?([diuoxXcsp])((?<=p)\w*)?)')
POINTERS = (
    ('eb', '-ETIMEDOUT'), ('e', '-ETIMEDOUT'), ('S', '{function}+0x12/0x340 [{driver}]'),
    ('s', '{function} [{driver}]'), ('h', '01 02 03 04'), ('4c', 'XR24 little-endian (0x34325258)'),
    ('r', '[mem 0x4000000000-0x400fffffff 64bit pref]'), ('R', '[mem 0x4000000000-0x400fffffff]'),
    ('a', '0x0000004000000000'), ('U', '12345678-1234-1234-1234-123456789abc'), ('b', '0-3'),
    ('I', '10.0.0.1'), ('x', 'ffff888112345678'), ('V', ''), ('', '00000000a1b2c3d4'),
)
# What a string may be, by what the driver takes it from.
NAMES = (
    (r'__func__', '{function}'), (r'printk_prefix', '{which}: '), (r'__stringify|stringify', '1'),
    (r'engine|hwe|\be\b', 'rcs0'), (r'domain|\bd\b', 'render'), (r'encoder', 'DDI A/PHY A'),
    (r'connector', 'eDP-1'), (r'crtc|pipe', 'pipe A'), (r'plane', 'plane 1A'),
    (r'^gtdef', 'Standalone Media GT'), (r'driver$|driver_name|\( driver \)', '{device}'),
    (r'timeline', 'Xwayland[1234]'),
    (r'phy_name', 'DPRX'), (r'power_well|\bwell\b', 'DDI_IO_A'), (r'pll', 'DPLL 0'),
    (r'\bport_name', 'A'), (r'aux', 'AUX A/DDI A/PHY A'),
    (r'path|filename|fw_name', '{driver}/tgl_guc_70.bin'),
    (r'fw_type|_repr', 'GuC'), (r'function_name|vf_?name', 'VF1'), (r'class', 'rcs'),
    (r'yes_no', 'no'), (r'on_off', 'on'), (r'enabled?_disabled', 'enabled'), (r'enable', 'enable'),
    (r'read_write', 'read'), (r'plural', 's'), (r'comm\b|process', 'Xwayland'),
    (r'dev_name|pci_name', '{device}'), (r'ci_namebuf', '{driver}'),
    (r'hxg_type|to_string|_str\b', 'request'),
    (r'severity', 'FATAL'), (r'->name|\bname\b', 'rcs0'),
)


def value_of(match, arguments, macros):
    flags, width, precision, letter, pointer = match.groups()
    if letter is None:
        return '%'
    for star in width, precision:
        if star == '*' and arguments:
            arguments.pop(0)
    argument = arguments.pop(0) if arguments else []
    text = ' '.join(argument)
    if letter == 'p':
        return next(value for mark, value in POINTERS if (pointer or '').startswith(mark))
    if letter == 's':
        strings = [token for token in argument if token.startswith('"') or token == 'DRIVER_NAME']
        constant = macros.string(argument) if strings else None
        if constant is not None:
            return constant
        if '?' in argument and strings:
            return macros.string(strings[:1])
        return next((value for mark, value in NAMES if re.search(mark, text)), 'unknown')
    if letter == 'c':
        return 'A'
    if letter in 'di':
        number = '-110' if re.search(r'\b(err|ret|rc|error|result|status)\b', text) else '1'
    elif letter == 'u':
        number = '0' if re.search(r'(info|tile) (\.|->) id|(->|\.) id$', text) else '2'
    else:
        number = '10'
    if width and width != '*':
        number = number.rjust(int(width), '0' if '0' in flags else ' ')
    return ('0x' if '#' in flags and letter in 'xX' else '') + number


class Message:
    """A format string of a file: text is what the kernel prints."""

    def __init__(self, group, driver, path, function, prefix, form, given, macros):
        self.group, self.path, self.function, self.form = group, path, function, form
        words = {'driver': driver, 'device': '0000:00:02.0' if driver == 'i915' else '0000:03:00.0',
                 'function': function, 'path': path,
                 'which': 'PF' if re.search('_pf|_pci_sriov|lmtt|mert', path) else 'VF'}
        arguments = list(given)
        body = CONVERSION.sub(lambda match: value_of(match, arguments, macros), form)
        text = '[   12.345678] ' + (prefix if prefix != TRACE else '') + body.rstrip('\n') + '\n'
        if prefix == TRACE:
            text = TRACE_BEGINS + text + TRACE_ENDS
        for word, value in words.items():
            text = text.replace('{' + word + '}', value)
        self.text = text
        constant = CONVERSION.sub(' ', form) + ' '.join(
            token for one in given for token in one if token.startswith('"'))
        constant = re.sub(r'\b(Tile|GT|GUC|HUC|PF|VF) *:', ' ', constant)
        self.judgeable = len(re.findall('[A-Za-z]', constant)) > 3
        self.result = None


# ---- a source tree ------------------------------------------------------------------------------

def read(path):
    """The lines of a file, and its directives; a directive's lines are empty, numbers stay."""
    with open(path, encoding='utf-8', errors='replace') as file:
        text = file.read()
    directives = []

    def take(match):
        directives.append(re.sub(r'\\\n', ' ', match.group(0)))
        return '\n' * match.group(0).count('\n')

    text = re.sub(r'/\*.*?\*/', lambda match: ' ' + '\n' * match.group(0).count('\n'), text,
                  flags=re.S)
    text = re.sub(r'^[ \t]*#(?:\\\n|.)*$', take, text, flags=re.M)
    return text, [line for line in directives if DEFINE.match(line)]


def functions_of(text):
    """Each function's name and its body, by the braces in the first column."""
    for match in re.finditer(r'^((?:[^\n]+\n){1,20}?)\{\n(.*?)^\}', text, re.S | re.M):
        head = re.split(r'\n(?=\S)', '\n' + match.group(1))
        names = re.findall(r'(\w+)\s*\(', ' '.join(head))
        names = [name for name in names if name not in ('__printf', '__attribute__', 'if', 'for')]
        yield names[0] if names else '?', match.group(2)


def messages_of(tree, base):
    folder = os.path.join(tree, base)
    paths = sorted(os.path.relpath(os.path.join(where, name), folder)
                   for where, _, names in os.walk(folder) for name in names
                   if name.endswith(('.c', '.h')))
    paths = [path for path in paths if not NOT_COMPILED.search(path)]
    files = {path: read(os.path.join(folder, path)) for path in paths}
    common = Macros()
    for path, (_, directives) in files.items():
        if path.endswith('.h') and 'compat' not in path:
            for directive in directives:
                common.add(directive)
    for path, (text, directives) in files.items():
        macros = Macros()
        for directive in directives:
            macros.add(directive)
        for name, macro in common.all.items():
            macros.all.setdefault(name, macro)
        group = 'display' if 'display/' in path else base
        for function, body in functions_of(text):
            tokens = tokens_of(body)
            for at in range(len(tokens) - 1):
                if tokens[at + 1] != '(' or not macros.printer(tokens[at]):
                    continue
                given = arguments_of(tokens[at + 2:close_of(tokens, at + 1)])
                found = []
                for printer, arguments in macros.calls(tokens[at], given):
                    number, prefix = PRINTERS[printer]
                    if len(arguments) <= number:
                        continue
                    form = macros.string(arguments[number])
                    # A macro passes on what it has no arguments for; the caller is found itself.
                    if form is None:
                        form = '%s'
                    if prefix == 'pr_fmt':
                        prefix = ''
                        if 'pr_fmt' in macros.all:
                            prefix = macros.string(macros.expand('pr_fmt', [['""']])) or ''
                    found.append(Message(group, base, f'{base}/{path}', function, prefix, form,
                                         arguments[number + 1:], macros))
                # Of the alternatives of a macro, the one that says most.
                if found:
                    yield max(found, key=lambda one: len(one.text))


# ---- judging ------------------------------------------------------------------------------------

def judge(program, text):
    """told, harmless or missing: what gpu-fault makes of one message."""
    done = subprocess.run([program, '--dmesg', '-j', '-v', '-'], input=text, text=True,
                          capture_output=True, check=False)
    try:
        events = json.loads(done.stdout)['faults']
    except (ValueError, KeyError):
        return 'missing' if done.returncode in (0, 1, 3) else f'status {done.returncode}'
    if any(event['rank'] == 'harmless' for event in events):
        return 'harmless'
    return 'told' if any(event['type'] != 'reported' for event in events) else 'missing'


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split('\n', maxsplit=1)[0],
        epilog='Status 1: strings of the drivers, without the display, are missing.')
    parser.add_argument('source', nargs='+', metavar='SOURCE',
                        help='a source tree of Linux, or its drivers/gpu/drm')
    parser.add_argument('--driver', choices=('i915', 'xe', 'display'), help='only this one')
    parser.add_argument('--list', action='store_true', help='print every string, not those missing')
    parser.add_argument('--least', type=float, default=100, metavar='PERCENT',
                        help='this much has to be known (default: 100)')
    parser.add_argument('--program', default=os.path.join(ROOT, 'build', 'tools', 'gpu-fault'),
                        help='gpu-fault (default: that of build/)')
    parser.add_argument('--below', action='store_true',
                        help='print what gpu-fault takes for an event at the levels info and '
                        'debug, to be looked at')
    options = parser.parse_args()
    failed = False
    if options.below:
        PRINTERS.clear()
        PRINTERS.update(printers(('info', 'dbg')))
    for tree in options.source:
        below = os.path.join(tree, 'drivers', 'gpu', 'drm')
        tree = below if os.path.isdir(below) else tree
        messages = {}
        for base in 'i915', 'xe':
            for message in messages_of(tree, base):
                if options.driver in (None, message.group):
                    messages.setdefault((message.group, message.form), message)
        messages = sorted(messages.values(), key=lambda one: (one.group, one.path, one.text))
        if not messages:
            sys.exit(f'messages.py: {tree}: no strings of i915 or xe')
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda one: judge(options.program, one.text)
                               if one.judgeable else 'no words', messages)
            for message, message.result in zip(messages, results):
                pass
        path = None
        for message in messages:
            if options.below and message.result != 'told' or \
                    not (options.below or options.list) and message.result in ('told', 'harmless'):
                continue
            if message.path != path:
                path = message.path
                print(path)
            print(f'  {message.result:8}  {message.function}: {message.text[15:-1]!r}')
        if options.below:
            continue
        print(f'\n{tree}\n{"":8} strings    told harmless missing no words   known')
        for group in 'i915', 'xe', 'display':
            results = [one.result for one in messages if one.group == group]
            if not results:
                continue
            told, harmless, unjudged = map(results.count, ('told', 'harmless', 'no words'))
            judged = len(results) - unjudged
            known = 100 * (told + harmless) / judged if judged else 100
            print(f'{group:8} {len(results):7} {told:7} {harmless:8} '
                  f'{judged - told - harmless:7} {unjudged:8} {known:6.1f}%')
            failed |= group != 'display' and known < options.least
    sys.exit(failed)


if __name__ == '__main__':
    main()
