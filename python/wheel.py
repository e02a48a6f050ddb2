# SPDX-License-Identifier: MIT
"""Packs the module into a wheel, for pip.

    wheel.py VERSION OUTPUT FILE...
"""

import base64
import hashlib
import os
import sys
import zipfile

METADATA = """\
Metadata-Version: 2.1
Name: gpuscope
Version: {version}
Summary: Decode the registers, page tables, commands and hangs of Intel GPUs
License: MIT
Requires-Python: >=3.11
Classifier: License :: OSI Approved :: MIT License
Classifier: Operating System :: POSIX :: Linux
Classifier: Programming Language :: Python :: 3
Classifier: Typing :: Typed
Description-Content-Type: text/plain

Decode the registers, page tables, commands and hangs of Intel GPUs, live or from a dump.

This package is pure Python. It needs the shared library libgpuscope.so.1, version {version} or a
later 1.x, which is no part of it: install libgpuscope1 (Debian, Ubuntu) or gpuscope (others), or
build it from the source of gpuscope.
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: gpuscope
Root-Is-Purelib: true
Tag: py3-none-any
"""


def main(version, output, *files):
    folder = f"gpuscope-{version}.dist-info/"
    contents = {}
    for path in files:
        if os.path.basename(path) != "wheel.py":
            with open(path, "rb") as file:
                contents["gpuscope/" + os.path.basename(path)] = file.read()
    contents[folder + "METADATA"] = METADATA.format(version=version).encode()
    contents[folder + "WHEEL"] = WHEEL.encode()
    record = folder + "RECORD"
    lines = []
    for name, data in contents.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        lines.append(f"{name},sha256={digest},{len(data)}\n")
    contents[record] = ("".join(lines) + f"{record},,\n").encode()
    # The same bytes whenever it is made.
    with zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in contents.items():
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o100644 << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(info, data)


main(*sys.argv[1:])
