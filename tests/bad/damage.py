# SPDX-License-Identifier: MIT
"""What can be wrong with an input: (class, detail, data) of each damaged form of a seed."""

CUTS_MAX = 14


def noise(size):
    """Always the same."""
    state, data = 1, bytearray()
    while len(data) < size:
        state = (state * 6364136223846793005 + 1442695040888963407) % 2 ** 64
        data.append(state >> 56)
    return bytes(data)


def chosen(items, most):
    """Of many some: the first, the last, and evenly those between."""
    if len(items) <= most:
        return items
    return [items[i * (len(items) - 1) // (most - 1)] for i in range(most)]


def cuts(seed):
    for at in chosen(seed.parts, CUTS_MAX):
        yield 'between', f'at {at:#x}', seed.data[:at]
    borders = [0, *seed.parts, len(seed.data)]
    for start, end in chosen(list(zip(borders, borders[1:])), CUTS_MAX // 2):
        if end - start > 1:
            middle = (start + end) // 2 | 1
            if start < middle < end:
                yield 'inside', f'at {middle:#x}', seed.data[:middle]


def extremes(size, kind):
    """What stands in place of a number."""
    if kind == 'text':
        return {'zero': b'0', 'highest': b'f' * 16, 'too long': b'f' * 40}
    if kind == 'octal':
        return {'zero': b'0' * size, 'highest': b'7' * size}
    if kind in ('hex', 'digit'):
        digit = b'9' if kind == 'digit' else b'f'
        return {'zero': b'0' * size, 'highest': digit * size}
    if kind == 'block':
        return {'zero': b'\1\0\0', 'highest': b'\xf9\xff\xff'}
    return {'zero': bytes(size), 'highest': b'\xff' * size,
            'sign': b'\xff' * (size - 1) + b'\x7f'}


def lengths(seed):
    for name, at, size, kind in seed.lengths:
        for extreme, number in extremes(size, kind).items():
            data = seed.data[:at] + number + seed.data[at + size:]
            if data != seed.data:
                yield 'extreme', f'{name}: {extreme}', data


def damaged(seed):
    yield 'whole', '', seed.data
    yield 'empty', '', b''
    yield 'one byte', '', seed.data[:1]
    yield 'random', '', noise(4096)
    repair = seed.repair or (lambda data: data)
    yield from cuts(seed)
    for what, detail, data in lengths(seed):
        yield what, detail, repair(data)
