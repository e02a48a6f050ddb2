# SPDX-License-Identifier: MIT
"""Walks the page tables of a GPU in a kernel's memory that drgn reads:

    drgn -c vmcore gpu.py PLATFORM ROOT [ADDRESS...]
    drgn -c /proc/vmcore gpu.py skl 0x22543a000 0x100020000

ROOT is the physical address of the PML4, from the image of a context. Without an ADDRESS it prints
every mapped range. Any memory can take the place of drgn's: gdb's, a simulator's, a hypervisor's.
"""
import sys

if "prog" not in globals():
    sys.exit("gpu.py runs in drgn: drgn -c vmcore gpu.py PLATFORM ROOT [ADDRESS...]")

import drgn
import gpuscope


def read_phys(address, size):
    try:
        return prog.read(address, size, physical=True)
    except drgn.FaultError:
        return None


def main(platform, root, *addresses):
    gpu = gpuscope.Gpu(platform=platform, read_phys=read_phys)
    tables = gpu.tables(root=int(root, 0), mode="pml4")
    for address in addresses:
        walk = tables.walk(int(address, 0))
        print(walk)
        for level in walk.levels:
            print(f"  {level.level:8} {level.index:4}  at {level.address:#x}  {level.fields}")
    if not addresses:
        for found in tables.map():
            to = "null" if found.physical is None else hex(found.physical)
            print(f"{found.start:#x}-{found.end:#x}  {to}  {found.flags}")


if len(sys.argv) < 3:
    sys.exit("gpu.py: give PLATFORM ROOT [ADDRESS...]")
try:
    main(*sys.argv[1:])
except gpuscope.Error as error:
    sys.exit(f"gpu.py: {error}")
