#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""choose.py CONTROL FOLDER: of the inputs that a merge of libFuzzer has looked at, as its control
file tells, keeps those few in FOLDER that together reach most; the rest of it goes."""
import hashlib
import os
import sys

FILES_MAX = 40
BYTES_MAX = 150_000
FILE_MAX = 16_384


def read_control(path):
    """The files, and the features that each of them reaches."""
    with open(path, encoding='utf-8', errors='replace') as control:
        lines = control.read().splitlines()
    count = int(lines[0])
    files = lines[2:2 + count]
    features = [set() for _ in files]
    for line in lines[2 + count:]:
        words = line.split()
        if words and words[0] == 'FT':
            features[int(words[1])] = {int(word) for word in words[2:]}
    return files, features


def choose(files, features):
    """Greedy: always the one that adds most for its size."""
    sizes = [max(os.path.getsize(file), 64) if os.path.exists(file) else 0 for file in files]
    left = {i for i, size in enumerate(sizes) if 0 < size <= FILE_MAX and features[i]}
    chosen, reached, room = [], set(), BYTES_MAX
    while left and len(chosen) < FILES_MAX:
        fitting = [i for i in left if sizes[i] <= room]
        if not fitting:
            break
        best = max(fitting, key=lambda i: (len(features[i] - reached) / sizes[i] ** 0.5, -i))
        if not features[best] - reached:
            break
        chosen.append(best)
        reached |= features[best]
        room -= sizes[best]
        left.discard(best)
    return chosen


def main():
    control, folder = sys.argv[1:]
    files, features = read_control(control)
    contents = []
    for i in choose(files, features):
        with open(files[i], 'rb') as file:
            contents.append(file.read())
    if not contents:
        sys.exit(f'choose.py: {control}: reaches nothing')
    for name in os.listdir(folder):
        os.remove(os.path.join(folder, name))
    for data in contents:
        with open(os.path.join(folder, hashlib.sha1(data).hexdigest()[:16]), 'wb') as file:
            file.write(data)


main()
