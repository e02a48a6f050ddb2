# SPDX-License-Identifier: MIT
"""Which commands take which inputs: FILE is the input's path, SOURCE the same as a source, OUT a
file to write; `< FILE` at the end makes it standard input. A platform is added where it is needed."""

SOURCE = [
    'gpu-regdump -s SOURCE',
    'gpu-regdump -s SOURCE --json rcs0.RING_BUFFER_TAIL',
    'gpu-regdump --diff reset SOURCE',
    'gpu-ptwalk -s SOURCE -m ggtt 0x10000',
    'gpu-ptwalk -s SOURCE --map --json',
    'gpu-ptwalk -s SOURCE --check',
    'gpu-ptwalk -s SOURCE --spaces',
    'gpu-ptwalk -s SOURCE --reverse 0x10000',
    'gpu-batch -s SOURCE',
    'gpu-batch -s SOURCE --lint --json',
    'gpu-eu -s SOURCE',
    'gpu-fault -s SOURCE',
    'gpu-fault --json SOURCE',
    'gpu-snap info SOURCE',
    'gpu-snap extract SOURCE mmio -o OUT',
    'gpu-snap convert SOURCE --to aub -o OUT',
    'gpu-snap save -s SOURCE -o OUT',
    'gpu-report -s SOURCE -o OUT',
    'gpu-sh -s SOURCE -c 0x2030',
    'gpu-tile -s SOURCE --fence 0x3 0x0',
    'gpu-tile -s SOURCE --surface 0x10000',
    'gpu-pte -s SOURCE 0x1003',
    'gpu-db list -s SOURCE RING_BUFFER_TAIL',
]

# Of what tells itself what it is.
BY_STDIN = [
    'gpu-regdump -s - < FILE',
    'gpu-batch -s - < FILE',
    'gpu-fault - < FILE',
    'gpu-snap info - < FILE',
]

COMMANDS = {
    'source': SOURCE,
    'batch': ['gpu-batch FILE', 'gpu-batch --json --state FILE', 'gpu-batch --lint FILE',
              'gpu-batch --headers --format bin FILE', 'gpu-batch --headers --format text FILE',
              'gpu-batch - < FILE'],
    'hwsp': ['gpu-fault --decode hwsp FILE', 'gpu-fault --decode hwsp --json FILE'],
    'context': ['gpu-fault --decode context FILE', 'gpu-fault --decode context --json FILE'],
    'oa': ['gpu-fault --decode oa --format A36_B8_C8 FILE',
           'gpu-fault --decode oa --format A36_B8_C8 --json FILE'],
    'ring': ['gpu-fault --decode ring FILE', 'gpu-fault --decode ring --json FILE'],
    'surface': ['gpu-tile -f x --pitch 512 --size x8 FILE -o OUT',
                'gpu-tile -f x --pitch 512 --size x8 --tile FILE -o OUT',
                'gpu-tile -f x --pitch 512 --bpp B8G8R8X8 --size x8 FILE -o OUT.png'],
    'log': ['gpu-collect --kernel-log FILE --sysfs OUT -D OUT save', 'gpu-fault --dmesg FILE', 'gpu-fault --dmesg --json FILE', 'gpu-fault --dmesg - < FILE'],
    'definitions': ['gpu-db check FILE', 'gpu-db list --define FILE SCRATCH_TEST',
                    'gpu-regdump -s none --define FILE SCRATCH_TEST',
                    'gpu-ptwalk --define FILE -s demo:skl-hang 0x0', 'gpu-batch --define FILE demo:skl-hang',
                    'gpu-fault --define FILE demo:skl-hang', 'gpu-pte --define FILE 0x1003', 'gpu-eu --define FILE demo:skl-hang',
                    'gpu-snap info --define FILE demo:skl-hang', 'gpu-report --define FILE -s demo:skl-hang -o OUT',
                    'gpu-tile --define FILE -f x --pitch 512 0 0', 'gpu-sh --define FILE -s demo:skl-hang -c 0x2030'],
    'script': ['gpu-sh -s demo:skl-hang FILE', 'gpu-sh -s demo:skl-hang < FILE',
               'gpu-sh -s demo:skl-hang --json FILE'],
    'values': ['gpu-regdump --decode - < FILE', 'gpu-regdump --decode --json - < FILE'],
    'entries': ['gpu-pte < FILE', 'gpu-pte --json < FILE'],
    'points': ['gpu-tile -f x --pitch 512 - < FILE', 'gpu-tile -f x --pitch 512 --json - < FILE'],
}


def arguments(command, seed, path, out):
    """(arguments, path of standard input or None)"""
    command, _, stdin = command.partition(' < ')
    places = {'FILE': path, 'SOURCE': seed.spec.format(path), 'OUT': out, 'OUT.png': out}
    words = [places.get(word, word) for word in command.split()]
    # gpu-sh reads what a demo tells; a dump that tells another platform than -p is not at issue.
    if seed.platform and 'demo:skl-hang' not in words:
        words[1:1] = ['-p', seed.platform]
    return words, path if stdin else None


# These ask a source for its platform alone: what is damaged behind that is not theirs to tell.
PLATFORM_ONLY = ['gpu-pte -s *', 'gpu-db list -s *', 'gpu-tile -s SOURCE --fence *']
