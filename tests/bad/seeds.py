# SPDX-License-Identifier: MIT
"""Small good inputs, one a kind. Each knows where its parts begin, and where its lengths are."""
import base64
import gzip
import re
import struct
import zlib
from dataclasses import dataclass, field


@dataclass
class Seed:
    kind: str
    title: str                  # as the table calls it
    group: str                  # which commands take it: a key of COMMANDS
    data: bytes
    spec: str = '{}'            # as a SOURCE
    platform: str = 'skl'       # for -p; empty where the input tells it
    parts: list = field(default_factory=list)       # offsets where something begins
    lengths: list = field(default_factory=list)     # (name, offset, bytes, what kind of number)
    repair: object = None       # what makes sums right again


def words(*values):
    return struct.pack(f'<{len(values)}I', *values)


def lines_of(data):
    """Where the lines of a text begin, but the first."""
    return [match.end() for match in re.finditer(b'\n', data)][:-1]


def numbers(data, names):
    """Where a text has numbers: a name and a pattern whose group is one."""
    found = []
    for name, pattern in names.items():
        match = re.search(pattern, data)
        found.append((name, match.start(1), match.end(1) - match.start(1), 'text'))
    return found


def text(kind, title, data, names, **other):
    data = data.encode()
    return Seed(kind, title, other.pop('group', 'source'), data, parts=lines_of(data),
                lengths=numbers(data, {name: pattern.encode() for name, pattern in names.items()}),
                **other)


# ---- commands, rings, images --------------------------------------------------------------------

def batch():
    """MI_NOOP, MI_LOAD_REGISTER_IMM, PIPE_CONTROL, MI_BATCH_BUFFER_END."""
    return words(0, 0x11000001, 0x2580, 0x00040004, 0x7a000004, 0x0010c000, 0x1000, 0, 0, 0,
                 0x05000000, 0)


def hex_lines(data, start=0):
    return ''.join(f'{start + i:08x} :  {word:08x}\n'
                   for i, word in zip(range(0, len(data), 4), struct.iter_unpack('<I', data))
                   for word in word)


def batches():
    data = batch()
    yield Seed('batch', 'commands, binary', 'batch', data, parts=[4, 16, 40],
               lengths=[('dword length of LRI', 4, 1, 'byte'),
                        ('dword length of PIPE_CONTROL', 16, 1, 'byte')])
    yield text('batch-text', 'commands, text', hex_lines(data),
               {'offset': r'(00000008) :', 'value': r':  (11000001)'}, group='batch')


def images():
    hwsp = bytearray(4096)
    struct.pack_into('<II', hwsp, 0x40, 0x8002, 0x17)
    context = bytearray(0x2000)
    struct.pack_into('<IIIII', context, 0x1000, 0, 0x1100101b, 0x2244, 0x00090009, 0x2034)
    report = bytearray(256)
    struct.pack_into('<III', report, 0, 0x02000001, 0x1000, 0x17)
    for kind, data, parts in (('hwsp', hwsp, [0x40, 0x100]), ('context', context, [0x1000, 0x1008]),
                              ('oa', report, [16, 64]), ('ring', batch() * 8, [48, 96])):
        lengths = {'context': [('length of LRI', 0x1004, 1, 'byte')],
                   'ring': [('length of LRI', 4, 1, 'byte')]}.get(kind, [])
        yield Seed(kind, {'oa': 'OA report', 'hwsp': 'status page'}.get(kind, kind), kind,
                   bytes(data), parts=parts, lengths=lengths)
    yield Seed('surface', 'surface', 'surface', bytes(range(256)) * 16, parts=[512, 2048])


# ---- dumps --------------------------------------------------------------------------------------

def ascii85(data):
    data += bytes(-len(data) % 4)
    swapped = b''.join(data[i:i + 4][::-1] for i in range(0, len(data), 4))
    return base64.a85encode(swapped).decode()


ERROR_HEAD = '''GPU HANG: ecode 9:1:0x85dffffb, in app [42]
Time: 1500000000 s 250000 us
Kernel: 6.1.0 x86_64
PCI ID: 0x1912
PCI Revision: 0x06
EIR: 0x00000000
ERROR: 0x00000001
FAULT_TLB_DATA: 0x00000000 0x0012b000
rcs0 command stream:
  START: 0x00010000
  HEAD:  0x00000010 [0x00000000]
  TAIL:  0x00000030 [0x00000000, 0x00000000]
  CTL:   0x00003001
  ACTHD: 0x00000000 00020010
  IPEHR: 0x7a000004
  fence[0] = 0000bf0050000003
'''


def error_states():
    names = {'address of the batch': r'batch = 0x(00000000 00020000)', 'ring': r'START: 0x(\w+)',
             'PCI id': r'PCI ID: 0x(\w+)', 'fence': r'fence\[0\] = (\w+)'}
    plain = (ERROR_HEAD + 'rcs0 --- batch = 0x00000000 00020000\n' + hex_lines(batch()) +
             'rcs0 --- ring = 0x00000000 00010000\n' + hex_lines(batch()))
    yield text('error-hex', 'i915 error state, hex', plain, names | {'offset': r'\n(00000008) :'},
               platform='')
    packed = ':' + ascii85(zlib.compress(batch() * 4))
    coded = (ERROR_HEAD + 'rcs0 --- batch = 0x00000000 00020000\n' + packed + '\n' +
             'rcs0 --- ring = 0x00000000 00010000\n' + packed + '\n')
    yield text('error-ascii85', 'i915 error state, ascii85', coded, names, platform='')


def devcoredump():
    data = ascii85(batch())
    dump = f'''**** Xe Device Coredump ****
Reason: Timedout job - seqno=4294967170, lrc_seqno=4294967170, guc_id=2, flags=0x0
kernel: 6.14.0
module: xe
Snapshot time: 1700000000.123456789
Uptime: 100.5
Process: app [123]
PCI ID: 0x64a0
PCI revision: 0x04
GT id: 0
	Tile: 0
	Type: main
	IP ver: 20.4.4

**** Contexts ****

GuC ID: 2
	Name: rcs2
	Class: 0
	HW Context Desc: 0x01a30000
	LRC Head: (memory) 16
	LRC Tail: (internal) 48, (memory) 48

**** HW Engines ****
rcs0 (physical), logical instance=0
	Capture_source: GuC
	RING_HEAD: 0x00000010
	RING_TAIL: 0x00000030
	ACTHD: 0x0000000000020010
	IPEHR: 0x7a000004

**** VM state ****
[20000].length: 0x30
[20000].data: {data}
[20000].error: -14
'''
    return text('devcoredump', 'Xe devcoredump', dump,
                {'length': r'length: 0x(30)', 'address': r'\[(20000)\]', 'PCI id': r'PCI ID: 0x(\w+)',
                 'ACTHD': r'ACTHD: 0x(\w+)'}, platform='')


# ---- traces -------------------------------------------------------------------------------------

def padded(data):
    return data + bytes(-len(data) % 4)


def joined(kind, title, records, lengths, **other):
    """Records one behind the other; lengths: (name, record, offset, bytes) in them."""
    starts = [sum(map(len, records[:i])) for i in range(len(records))]
    parts = sorted({0, *starts, *(start + 4 for start in starts)} - {0})
    return Seed(kind, title, 'source', b''.join(records), parts=parts,
                lengths=[(name, starts[record] + offset, size, 'binary')
                         for name, record, offset, size in lengths], **other)


def aub_memory():
    name = padded(b'PCI-ID=0x1912')
    data = batch()

    def memory(space, address, data):
        return words(0xf7060000 | 4 + len(data) // 4, address & 0xffffffff, address >> 32,
                     space << 28, len(data)) + data

    def register(offset, value):
        return words(0xf7030005, offset, 0x00020000, 0xffffffff, 0, value)

    records = [words(0xf70e0000 | 4 + len(name) // 4, 1, 0, 0, 0) + name,
               memory(4, 0x80, words(0x10003, 0)), memory(0, 0x10000, data),
               register(0x2030, 0x30), register(0x2038, 0x10000), register(0x203c, 0x3001)]
    return joined('aub-memory', 'AUB memory trace', records,
                  [('length of the version', 0, 0, 2), ('length of a write', 2, 0, 2),
                   ('bytes of a write', 2, 16, 4), ('address of a write', 2, 8, 4),
                   ('length of a register', 3, 0, 2)], platform='')


def aub_classic():
    name = padded(b'PCI-ID=0x0126')
    data = batch()

    def block(what, address, data):
        return words(0xe0c10003, what, 0, address, len(data)) + data

    records = [words(0xe0850000 | 11 + len(name) // 4, 0x04000000, *[0] * 10, len(name)) + name,
               block(0x00000104, 0, words(0x10001, 0x11001)),
               block(0x00010101, 0x10000, data), block(0x00000201, 0x11000, words(0x18800080, 0x10000))]
    return joined('aub-classic', 'AUB classic trace', records,
                  [('length of the header', 0, 0, 2), ('length of its name', 0, 48, 4),
                   ('length of a block', 2, 0, 2), ('bytes of a block', 2, 16, 4),
                   ('address of a block', 2, 12, 4)], platform='snb')


def elf():
    head = (b'\x7fELF\2\1\1' + bytes(9) +
            struct.pack('<HHIQQQIHHHHHH', 4, 62, 1, 0, 64, 0, 0, 64, 56, 2, 0, 0, 0))
    phdr = b''.join(struct.pack('<IIQQQQQQ', 1, 6, at, 0, at * 2, 256, 256, 1) for at in (256, 512))
    data = (head + phdr).ljust(256, b'\0') + bytes(range(256)) * 2
    return Seed('elf', 'elf:, ELF core', 'source', data, 'elf:{}', parts=[16, 64, 120, 176, 256, 512],
                lengths=[('place of the segments', 32, 8, 'binary'),
                         ('number of segments', 56, 2, 'binary'), ('size of a segment', 54, 2, 'binary'),
                         ('place of a segment', 72, 8, 'binary'),
                         ('bytes of a segment', 96, 8, 'binary'),
                         ('bytes in memory', 104, 8, 'binary'),
                         ('address of a segment', 88, 8, 'binary')])


def kdump():
    """Three pages, one of them excluded; the second is compressed."""
    page, info = 4096, b'OSRELEASE=6.1.0\n'
    packed = zlib.compress(bytes(range(256)) * 16)
    head, sub = bytearray(page), bytearray(page)
    head[:12] = b'KDUMP   ' + struct.pack('<I', 6)
    head[424:444] = struct.pack('<IIIII', 1, page, 1, 2, 3)
    struct.pack_into('<QIIQQQQ', sub, 0, 0, 17, 0, 0, 0, page + 512, len(info))
    struct.pack_into('<Q', sub, 96, 3)
    sub[512:512 + len(info)] = info
    at = 4 * page + 48
    table = struct.pack('<QIIQQIIQ', at, page, 0, 0, at + page, len(packed), 1, 0)
    return joined('kdump', 'kdump-compressed vmcore',
                  [bytes(head), bytes(sub), b'\7'.ljust(page, b'\0'), b'\5'.ljust(page, b'\0'),
                   table, bytes(page) + packed],
                  [('size of a page', 0, 428, 4), ('blocks of the bitmaps', 0, 436, 4),
                   ('blocks before them', 0, 432, 4), ('number of pages', 1, 96, 8),
                   ('place of the kernel\'s lines', 1, 32, 8),
                   ('length of the kernel\'s lines', 1, 40, 8)])


def lime():
    ranges = [struct.pack('<IIQQQ', 0x4c694d45, 1, at, at + 255, 0) + bytes(range(256))
              for at in (0x1000, 0x10000)]
    return joined('lime', 'LiME dump', ranges,
                  [('first address', 1, 8, 8), ('last address', 1, 16, 8)])


# ---- captures -----------------------------------------------------------------------------------

def tar_sums(data):
    """The checksum of every header right."""
    data = bytearray(data)
    at = 0
    while at + 512 <= len(data) and data[at]:
        size = data[at + 124:at + 135]
        data[at + 148:at + 156] = b' ' * 8
        data[at + 148:at + 156] = b'%06o\0 ' % sum(data[at:at + 512])
        if not re.fullmatch(b'[0-7]{11}', size):
            break
        at += 512 + (int(size, 8) + 511) // 512 * 512
    return bytes(data)


def capture():
    members = [('gpuscope/info', b'format: 1\nplatform: skl\ndevice: 0x1912\nrevision: 0x06\n'),
               ('mmio/0x2030.bin', words(0x30, 0x10, 0x10000, 0x3001)),
               ('mmio/status', b'0x12030 0x10 asleep\n'),
               ('ggtt/0x80.bin', words(0x10003, 0)), ('phys/0x10000.bin', batch())]
    data, starts = b'', []
    for name, content in members:
        starts.append(len(data))
        head = struct.pack('100s8s8s8s12s12s8s1s100s6s2s247x', name.encode(), b'0000644\0',
                           b'0000000\0', b'0000000\0', b'%011o\0' % len(content), b'00000000000\0',
                           b' ' * 8, b'0', b'', b'ustar\0', b'00')
        data += head + content + bytes(-len(content) % 512)
    info = data.index(b'format: 1')
    return Seed('capture', 'capture', 'source', tar_sums(data + bytes(1024)), platform='',
                parts=sorted({*starts, *(start + 512 for start in starts), len(data)} - {0}),
                lengths=[('size of the info', 124, 11, 'octal'),
                         ('size of a member', starts[1] + 124, 11, 'octal'),
                         ('address of a member', data.index(b'2030'), 4, 'hex'),
                         ('length of a stretch', data.index(b'0x10 asleep') + 2, 2, 'hex'),
                         ('format', info + 8, 1, 'digit'),
                         ('device', data.index(b'1912'), 4, 'hex')], repair=tar_sums)


# ---- text ---------------------------------------------------------------------------------------

OWN = '''# gpu-regdump 1.0 platform skl device 0x1912 revision 0x06

# Ring buffers
0x002030  0x00000030  rcs0.RING_BUFFER_TAIL
         20:3   TAIL_OFFSET                   0x6         0x30
0x002034  asleep      rcs0.RING_BUFFER_HEAD
0x002358  0x0000000100000002  rcs0.TIMESTAMP
'''

INTEL_REG = '''                    GEN6_RP_CONTROL (0x0000a024): 0x00000d92 (enabled)
           RING_TAIL (0x00002000:0x00000030): 0x00000150
  mmio-sr:SR01 (mmio-sr:0x00000001): 0x00000021
                      FENCE START 0 (0x00100000): 0x00b40001
'''

TRACE = '''[    1.000000] i915: W 0x2030: 0x150
W 0x2034: 0x10
R 0x2038: 0x10000
          <idle>-0     [001] d.h1  100.000000: i915_reg_rw: write reg=0x203c, len=4, val=(0x3001, 0x0)
'''

PORTS = '''c000:6343	W32 port: 0cf8 data: 80001000
c000:634c	R16 port: 0cfe data: 0166
c000:6343	W32 port: 0cf8 data: 80001020
c000:634c	R16 port: 0cfc data: 1001
c000:65cf	W32 port: 1000 data: 00000005
c000:65cf	W32 port: 1004 data: 00001000
'''

VTD = '''IOMMU dmar0: Root Table Address: 0x103027000
B.D.F	Root_entry				Context_entry				PASID	PASID_table_entry
00:02.0	0x0000000000000000:0x000000010303e001	0x0000000000000102:0x000000010303f005	-1    	0x0000000000000000:0x0000000000000000:0x0000000000000000
Device 0000:00:02.0 @0x1017f8000
IOVA_PFN          	PML5E             	PML4E             	PDPE	PDE	PTE
0x000000008d800 |	0x0000000000000000	0x00000001017f9003	0x00000001017fa003	0x00000001017fb003	0x000000008d800003
0x000000008d801 |	0x0000000000000000	0x00000001017f9003	0x00000001017fa003	0x00000001017fb003	0x000000008d801003
'''

LSPCI = '''00:02.0 VGA compatible controller: Intel Corporation
00: 86 80 12 19 07 00 90 00 06 00 00 03 00 00 00 00
10: 04 00 00 fd 00 00 00 00 0c 00 00 c0 00 00 00 00
20: 01 f0 00 00 00 00 00 00 00 00 00 00 86 80 15 20
30: 00 00 00 00 90 00 00 00 00 00 00 00 0b 01 00 00
'''

LOG = '''[    1.000000] i915 0000:00:02.0: [drm] GPU HANG: ecode 9:1:85dffffb, in app [42]
[    1.100000] i915 0000:00:02.0: [drm] Resetting rcs0 for stopped heartbeat on rcs0
[    2.000000] DMAR: [DMA Read NO_PASID] Request device [00:02.0] fault addr 0x12345000 [fault reason 0x06] PTE Read access is not set
'''

DEFINITIONS = '''# A register that nobody else has.
format 1

group scratch "Scratch registers" on=skl
	origin snb-p3 "made up for the tests"
	reg SCRATCH_TEST @0x4f100 rw reset=0
		doc "A register of the tests."
		field READY 31
		field LEVEL 11:0
'''

SCRIPT = '''# what a session would be
rcs0.RING_BUFFER_TAIL
0x2030
pte 0x1003
rcs0.RING_BUFFER_HEAD
'''


def texts():
    two = '0x2030 0x150\n0x2034 0x10\n2038 10000\n'
    yield text('regs-own', 'gpu-regdump text', OWN,
               {'address': r'0x(002030)', 'value': r'0x(00000030)'}, platform='')
    yield text('regs-intel', 'intel_reg text', INTEL_REG,
               {'address': r'\(0x(0000a024)\)', 'value': r'0x(00000d92)'})
    yield text('regs-trace', 'register trace', TRACE, {'address': r'W 0x(2034)', 'value': r'0x(150)'})
    yield text('regs-pairs', 'ADDRESS VALUE text', two, {'address': r'0x(2034)', 'value': r'0x(150)'})
    yield text('ports', 'port trace', PORTS, {'port': r'port: (1000)', 'data': r'data: (80001020)'},
               platform='ivb')
    yield text('vtd', 'VT-d text', VTD, {'root': r'Address: 0x(\w+)', 'entry': r':0x(000000010303e001)',
                                         'address': r'@0x(\w+)', 'page': r'\n0x(000000008d800)'})
    yield text('lspci', 'lspci text', LSPCI, {'row': r'\n(10):', 'byte': r'00: (86)'}, platform='')
    yield text('config-text', 'config:, lspci text', LSPCI, {'row': r'\n(10):', 'byte': r'00: (86)'},
               spec='config:{}', platform='')
    yield text('log', 'kernel log', LOG, {'address': r'addr 0x(\w+)', 'ecode': r'9:1:(\w+)'}, group='log')
    yield text('definitions', 'definitions', DEFINITIONS,
               {'address': r'@0x(4f100)', 'bit': r'READY (31)', 'upper bit': r'LEVEL (11)',
                'format': r'format (1)'}, group='definitions')
    yield text('script', 'gpu-sh script', SCRIPT, {'address': r'0x(2030)'},
               group='script')
    yield text('values', 'REG=VALUE lines', 'rcs0.RING_BUFFER_TAIL=0x30\nRING_FAULT_REG: 0x1\n',
               {'value': r'=0x(30)'}, group='values')
    yield text('entries', 'entries', '0x1003\n0x2003\n', {'entry': r'0x(1003)'}, group='entries')
    yield text('points', 'X Y lines', '0 0\n12 7\n', {'X': r'(12)'}, group='points')


# ---- plain bytes --------------------------------------------------------------------------------

def plain():
    config = bytearray(256)
    config[:16] = bytes.fromhex('86801219070090000600000300000000')
    bar = bytearray(0x3000)
    bar[0x2030:0x2040] = words(0x30, 0x10, 0x10000, 0x3001)
    table = b''.join(struct.pack('<Q', 0x10003 + (i << 12)) for i in range(64))
    yield Seed('config', 'config:, bytes', 'source', bytes(config), 'config:{}', platform='',
               parts=[4, 64, 128])
    yield Seed('bar', 'bar:', 'source', bytes(bar), 'bar:{}', parts=[0x2030, 0x2034, 0x2040])
    yield Seed('ggtt', 'ggtt:', 'source', table, 'ggtt:{}', parts=[8, 12, 256])
    yield Seed('mem', 'mem:', 'source', bytes(4096), 'mem:{}@0x10000', parts=[4, 2048])
    yield Seed('lmem', 'lmem:', 'source', bytes(4096), 'lmem:{}', platform='dg2', parts=[4, 2048])


def zstd_stored(data):
    """One frame with the size of its content and one stored block (RFC 8878, 3.1.1)."""
    return (struct.pack('<IBI', 0xfd2fb528, 0xa0, len(data)) +
            (len(data) << 3 | 1).to_bytes(3, 'little') + data)


def packed():
    inner = next(error_states()).data
    data = gzip.compress(inner, mtime=0)
    yield Seed('gzip', 'gzip of an error state', 'source', data, platform='',
               parts=[2, 10, len(data) // 2, len(data) - 8, len(data) - 4],
               lengths=[('length of the content', len(data) - 4, 4, 'binary'),
                        ('checksum', len(data) - 8, 4, 'binary')])
    data = zstd_stored(inner)
    yield Seed('zstd', 'zstd of an error state', 'source', data, platform='',
               parts=[4, 9, 12, len(data) // 2],
               lengths=[('length of the content', 5, 4, 'binary'),
                        ('length of a block', 9, 3, 'block')])


def all_seeds():
    return [capture(), *error_states(), devcoredump(), aub_classic(), aub_memory(), elf(), kdump(),
            lime(), *texts(), *plain(), *packed(), *batches(), *images()]
