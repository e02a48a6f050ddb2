#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""growth-make.py KIND COUNT FILE: an input of a kind with COUNT of what the kind is about."""
import random
import struct
import sys

PAGE = 4096
GGTT, PHYSICAL, ENTRY = 0, 2, 4
RING, CONTEXT, PML4, BATCH = 0x10000, 0x20000, 0x100000, 0x1000000
MI_START, MI_END = 0x18800101, 0x05000000


# ---- traces of Tiger Lake ---------------------------------------------------------------------

def version():
    text = b'PCI-ID=0x9a49\n\0\0'
    return struct.pack('<5I', 0xf70e0000 | 4 + len(text) // 4, 1, 0, 0, 0) + text


def memory(space, address, data):
    data += bytes(-len(data) % 4)
    return struct.pack('<IQII', 0xf7060000 | 4 + len(data) // 4, address, space << 28,
                       len(data)) + data


def register(offset, value):
    return struct.pack('<6I', 0xf7030005, offset, 0x20000, 0xffffffff, 0, value)


def qwords(*values):
    return struct.pack('<%dQ' % len(values), *values)


def submit(context):
    return register(0x2510, context | 0x339) + register(0x2514, 0) + register(0x2550, 1)


def context_image(tail, pml4=PML4, ring=RING):
    """The lists of registers where every context of Gen12 has them."""
    image = [0] * (PAGE // 4)
    for at, value in ((1, 0x11001009), (2, 0x2244), (4, 0x2034), (6, 0x2030), (7, tail),
                      (8, 0x2038), (9, ring), (10, 0x203c), (11, 1), (47, 0x11001003),
                      (48, 0x2274), (49, pml4 >> 32), (50, 0x2270), (51, pml4 & 0xffffffff),
                      (52, MI_END)):
        image[at] = value
    return struct.pack('<%dI' % len(image), *image)


def dwords(*values):
    return struct.pack('<%dI' % len(values), *values)


def map_context(context, pages=4):
    entries = [context + i * PAGE | 1 for i in range(pages)]
    return memory(ENTRY, context // PAGE * 8, qwords(*entries))


def trace_begin(batch_pages=1):
    """Page tables that map the batch, a ring and one context."""
    out = [version()]
    pml4, pdp, pd, table = (PML4 + i * PAGE for i in range(4))
    out.append(memory(PHYSICAL, pml4, qwords(pdp | 3)))
    out.append(memory(PHYSICAL, pdp, qwords(pd | 3)))
    for first in range(0, batch_pages, 512):
        here = min(batch_pages - first, 512)
        at = BATCH + first * PAGE
        out.append(memory(PHYSICAL, pd + (at >> 21) * 8, qwords(table + (first >> 9) * PAGE | 3)))
        out.append(memory(PHYSICAL, table + (first >> 9) * PAGE + (at >> 12 & 511) * 8,
                          qwords(*(at + i * PAGE | 3 for i in range(here)))))
    out.append(memory(ENTRY, RING // PAGE * 8, qwords(RING | 1)))
    out.append(map_context(CONTEXT))
    out.append(memory(GGTT, CONTEXT + PAGE, context_image(16)))
    out.append(memory(GGTT, RING, dwords(MI_START, BATCH, 0, 0)))
    out.append(memory(PHYSICAL, BATCH, dwords(0x7a000004, 0, 0, 0, 0, 0, MI_END)))
    return out


def submissions(count):
    """The same again and again."""
    return b''.join(trace_begin()) + submit(CONTEXT) * count


def changing(count):
    """Batch, table and ring are written anew before each, at another place."""
    out = trace_begin()
    table = PML4 + 3 * PAGE
    for i in range(count):
        place = 0x40000000 + i * PAGE
        out.append(memory(PHYSICAL, place, dwords(0x11000001, 0x2358, i, MI_END)))
        out.append(memory(PHYSICAL, table, qwords(place | 3)))
        out.append(memory(GGTT, CONTEXT + PAGE, context_image(16)))
        out.append(memory(GGTT, RING, dwords(MI_START, BATCH, 0, 0)))
        out.append(submit(CONTEXT))
    return b''.join(out)


def contexts(count):
    """Each of a context of its own, with page tables of its own."""
    out = trace_begin()
    for i in range(count):
        context, pml4 = 0x100000 + i * 4 * PAGE, 0x1000000000 + i * PAGE
        out.append(map_context(context))
        out.append(memory(PHYSICAL, pml4, qwords(PML4 + PAGE | 3)))
        out.append(memory(GGTT, context + PAGE, context_image(16, pml4)[:256]))
        out.append(submit(context))
    return b''.join(out)


def everything(count):
    """Submissions that each run all of a big batch: one dword of it for each of them."""
    pages = max(1, count // 1024)
    out = trace_begin(pages)
    out.append(memory(PHYSICAL, BATCH, bytes(4)))
    for i in range(pages):
        last = i == pages - 1
        out.append(memory(PHYSICAL, BATCH + i * PAGE,
                          dwords(*[0x11000001, 0x2358] * 510 + [0] * 3 + [MI_END if last else 0])))
    return b''.join(out) + submit(CONTEXT) * count


def one_page(count):
    """A page written by bytes, a submission between."""
    out = trace_begin()
    for i in range(count):
        out.append(memory(PHYSICAL, BATCH + 64 + i % 8 * 4, dwords(i)))
        out.append(submit(CONTEXT))
    return b''.join(out)


def scattered(count):
    """Many pages with little in each, then some submissions between more of them."""
    out = trace_begin()
    for i in range(count):
        out.append(memory(PHYSICAL, 0x40000000 + i * 2 * PAGE, dwords(i)))
        if i % 4 == 0:
            out.append(submit(CONTEXT))
    return b''.join(out)


# ---- error states of i915 and core dumps of Xe ------------------------------------------------

STATE = '''GPU HANG: ecode 12:1:85dffffb, in app [42]
Kernel: 6.12.0 x86_64
Time: 1700000000 s 1 us
Reset count: 0
Platform: TIGERLAKE
PCI ID: 0x9a49
PCI Revision: 0x01
EIR: 0x00000000
PGTBL_ER: 0x00000000
FAULT_TLB_DATA: 0x00000000 0x00000000
'''
ENGINE = '''%s command stream:
  START: 0x00001000
  HEAD:  0x00000040 [0x00000000]
  TAIL:  0x00000100 [0x00000000, 0x00000000]
  CTL:   0x00003001
  ACTHD: 0x00000001 00001000
  IPEHR: 0x7a000003
  hung: %d
'''
CORE = '''**** Xe Device Coredump ****
kernel: 6.14.0
module: xe
Snapshot time: 1700000000.123456789
Process: app [42]
PCI ID: 0x64a0
PCI revision: 0x04

'''
XE_ENGINE = '''%s (physical), logical instance=0
\tRING_HEAD: 0x00000100
\tRING_TAIL: 0x00000200
\tACTHD: 0x0000000100000050

'''


def buffer(name, address, words):
    lines = ['%s = 0x%08x %08x' % (name, address >> 32, address & 0xffffffff)]
    lines += ['%08x :  %08x' % (i * 4, word) for i, word in enumerate(words)]
    return '\n'.join(lines) + '\n'


def state_batches(count):
    out = [STATE, ENGINE % ('rcs0', 1)]
    for i in range(count):
        out.append(buffer('rcs0 --- batch', 0x100001000 + i * PAGE, (0x7a000004, MI_END)))
    return ''.join(out)


def state_rings(count):
    """A ring that starts every batch, and the batches."""
    starts = []
    for i in range(count):
        starts += (MI_START, 0x1000 + i * PAGE, 1)
    out = [state_batches(count), buffer('rcs0 --- ring', 0x1000, starts)]
    return ''.join(out)


def state_many_rings(count):
    out = [STATE, ENGINE % ('rcs0', 1)]
    for i in range(count):
        out.append(buffer('rcs0 --- ring', 0x1000 + i * PAGE, (MI_START, 0x1000, 1, 0)))
    return ''.join(out)


def state_engines(count):
    return STATE + ''.join(ENGINE % ('vcs%d' % (i % 4) if i else 'rcs0', i == 0)
                           for i in range(count))


def state_names(count):
    return STATE + ''.join(ENGINE % ('vcs%d' % i, 1) for i in range(count))


def state_contexts(count):
    out = [STATE, ENGINE % ('rcs0', 1)]
    for i in range(count):
        out.append('  Active context: app%d[%d] prio 0, guilty 0 active 0\n' % (i, i))
        out.append(buffer('rcs0 --- HW context', 0x2000 + i * PAGE, (0x11001009, 0x2244, 0, 0)))
    return ''.join(out)


def state_dwords(count):
    return STATE + ENGINE % ('rcs0', 1) + buffer('rcs0 --- batch', 0x100001000,
                                                 [0x7a000004, 0, 0, 0, 0, 0] * (count // 6))


def state_lines(count):
    return STATE + ''.join('  line %d: 0x%08x\n' % (i, i) for i in range(count))


def state_requests(count):
    return STATE + ENGINE % ('rcs0', 1) + ''.join(
        '  ELSP[%d]: pid %d, seqno %d:%08x, prio 0, head %08x, tail %08x\n' %
        (i % 2, i, i, i, i, i) for i in range(count))


def state_fences(count):
    return STATE + ''.join('  fence[%d] = %08x\n' % (i, i) for i in range(count))


def program(count):
    """Skylake: instructions that differ in their source, and the end of the thread."""
    move = b''.join(struct.pack('<4I', 0x600001, 0x2e000208, 0x8d0000 | i % 128 << 5, 0)
                    for i in range(count))
    return move + struct.pack('<4I', 0x05600032, 0x20003a40, 0x06000f80, 0x88031400)


def program_jumps(count):
    """Each third instruction jumps one back."""
    jump = struct.pack('<4I', 0x20, 0x34000004, 0x0e001400, 0xffffffe0)
    return (program(2)[:32] + jump) * (count // 3) + program(0)


def state_kernels(count):
    """A batch of Skylake that starts as many programs, no two alike."""
    base, size = 0x200000000, 64
    batch = [0x61010011] + [0] * 9 + [base & 0xffffffff | 1, base >> 32] + [0] * 7
    code = b''
    for i in range(count):
        batch += (0x7820000a, i * size, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)
        code += struct.pack('<4I', 0x600001, 0x2e000208, 0x8d0000 | i % 128 << 5, 0)
        code += struct.pack('<4I', 0x600001, 0x2e000208, 0x8d0000 | (i >> 7) % 128 << 5, i >> 14)
        code += program(0) + bytes(16)
    batch.append(MI_END)
    words = struct.unpack('<%dI' % (len(code) // 4), code)
    return (STATE.replace('12:1', '9:1').replace('TIGERLAKE', 'SKYLAKE').replace('9a49', '1912') +
            ENGINE % ('rcs0', 1) + buffer('rcs0 --- batch', 0x100001000, batch) +
            buffer('rcs0 --- user', base, words))


def core_engines(count):
    return CORE + '**** HW Engines ****\n' + ''.join(XE_ENGINE % ('vcs%d' % i)
                                                     for i in range(count))


def core_memory(count):
    out = [CORE, '**** Job ****\n\tbatch_addr[0]: 0x0000000100000000\n\n**** HW Engines ****\n',
           XE_ENGINE % 'rcs0', '**** VM state ****\n']
    for i in range(count):
        at = 0x100000000 + i * 2 * PAGE
        out.append('[%x].length: 0x40\n[%x].data: %s\n' % (at, at, 'z' * 16))
    return ''.join(out)


def core_jobs(count):
    return CORE + '**** Job ****\n' + ''.join(
        '\tbatch_addr[%d]: 0x%016x\n' % (i, i * PAGE) for i in range(count)) + (
            '\n**** HW Engines ****\n' + XE_ENGINE % 'rcs0')


def core_contexts(count):
    return CORE + '**** Contexts ****\n' + ''.join(
        'GuC ID: %d\n\tName: rcs%d\n\tClass: 0\n\tLogical mask: 0x1\n\tHW Context Desc: 0x%08x\n\n' %
        (i, i, i * PAGE) for i in range(count)) + '**** HW Engines ****\n' + XE_ENGINE % 'rcs0'


# ---- logs --------------------------------------------------------------------------------------

def log_events(count):
    return ''.join('[%5d.%06d] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffff%x, in game%d '
                   '[%d]\n' % (i, i, i & 15, i, i) for i in range(count))


def log_other(count):
    return ''.join('[%5d.%06d] usb 1-%d: new device\n' % (i, i, i) for i in range(count))


def log_dmar(count):
    return ''.join('[%5d.%06d] DMAR: [DMA Read NO_PASID] Request device [00:02.0] fault addr 0x%x '
                   '[fault reason 0x06] PTE Read access is not set\n' % (i, i, i * PAGE)
                   for i in range(count))


def log_xe(count):
    return ''.join('[%5d.%06d] xe 0000:00:02.0: [drm] GT0: Timedout job: seqno=%d, lrc_seqno=%d, '
                   'guc_id=%d, flags=0x0 in app%d [%d]\n' % (i, i, i, i, i, i, i)
                   for i in range(count))


# ---- definitions -------------------------------------------------------------------------------

DEFINITIONS = 'format 1\norigin snb-p3 "made up"\n\n'


def definitions(count):
    return DEFINITIONS + ''.join('reg GROWTH_%d @0x%x rw on=skl\n\tfield A 3:0\n' %
                                 (i, 0x400000 + i * 4) for i in range(count))


def definition_errors(count):
    return DEFINITIONS + ''.join('reg GROWTH_%d @0x4f200 rq\n' % i for i in range(count))


def definition_findings(count):
    """Well formed, but wrong: fields beyond the register's bits."""
    return DEFINITIONS + ''.join('reg GROWTH_%d @0x%x rw on=skl\n\tfield A 33:32\n' %
                                 (i, 0x400000 + i * 4) for i in range(count))


def definition_place(count):
    """All at one place."""
    return DEFINITIONS + ''.join('reg GROWTH_%d @0x400000 rw on=skl\n\tfield A 3:0\n' % i
                                 for i in range(count))


def definition_name(count):
    """All of one name."""
    return DEFINITIONS + ''.join('reg GROWTH @0x%x rw on=skl\n\tfield A 3:0\n' %
                                 (0x400000 + i * 4) for i in range(count))


def definition_alias(count):
    return DEFINITIONS + ''.join('reg GROWTH_%d @0x%x rw on=skl\n\talias GROWN\n\tfield A 3:0\n' %
                                 (i, 0x400000 + i * 4) for i in range(count))


def definition_fields(count):
    return (DEFINITIONS + 'command GROWTH engine=rcs on=skl\n\tmatch 31:29=3 28:27=3 26:24=7\n'
            '\tlength 15:0 +2\n' +
            ''.join('\tfield A%d dw%d.31:0\n' % (i, i % 1000 + 1) for i in range(count)))


def definition_values(count):
    return DEFINITIONS + 'enum growth\n' + ''.join('\t%d "value %d"\n' % (i, i)
                                                   for i in range(count)) + (
        'reg GROWTH @0x400000 rw on=skl\n\tfield A 31:0 growth\n')


def definition_commands(count):
    return DEFINITIONS + ''.join(
        'command GROWTH_%d engine=rcs on=skl\n\tmatch 31:29=3 28:27=3 26:24=7 23:16=%d\n'
        '\tlength 7:0 +2\n\tfield A dw1.31:0\n' % (i, i & 255) for i in range(count))


def definition_structures(count):
    return DEFINITIONS + ''.join('struct GROWTH_%d bytes=16 on=skl\n\tfield A dw0.31:0\n' % i
                                 for i in range(count))


# ---- registers, entries, dwords ------------------------------------------------------------------

def register_text(count):
    return 'Platform: skl\n' + ''.join('0x%08x: 0x%08x\n' % (0x2000 + i * 4 % 0x180000, i)
                                       for i in range(count))


def batch(count):
    words = [0x11000001, 0x2358, 0] * (count // 3)
    return struct.pack('<%dI' % len(words), *words) + struct.pack('<I', MI_END)


def batch_starts(count):
    """Every third dword starts the batch at another dword of it."""
    words = []
    for i in range(count // 3):
        words += (MI_START, (i * 7919 % (count // 3)) * 12, 0)
    return struct.pack('<%dI' % len(words), *words) + struct.pack('<I', MI_END)


def batch_text(count):
    """A stretch a line."""
    return ''.join('%08x : %08x\n' % (i * 8, 0) for i in range(count))


def batch_text_starts(count):
    """Stretches that start each other."""
    return ''.join('%08x : %08x\n%08x : %08x\n%08x : 00000000\n' %
                   (i * 16, MI_START, i * 16 + 4, (i * 7 + 1) % count * 16, i * 16 + 8)
                   for i in range(count))


def entries(count):
    """GGTT entries, no two neighbours to pages that are neighbours."""
    return struct.pack('<%dQ' % count, *(i * 7919 % (1 << 26) << 12 | 1 for i in range(count)))


def noise(count):
    return random.Random(1).randbytes(count * 4)


KINDS = {name.replace('_', '-'): value for name, value in list(globals().items())
         if callable(value) and value.__module__ == '__main__'}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in KINDS:
        sys.exit('usage: growth-make.py KIND COUNT FILE')
    made = KINDS[sys.argv[1]](int(sys.argv[2]))
    with open(sys.argv[3], 'wb') as out:
        out.write(made.encode() if isinstance(made, str) else made)


main()
