# SPDX-License-Identifier: MIT
"""Decode the registers, page tables, commands and hangs of Intel GPUs, live or from a dump.

    import gpuscope
    gpu = gpuscope.open("demo:skl-hang")
    print(gpu.hang().verdict)
    print(gpu["rcs0.RING_BUFFER_HEAD"].fields["HEAD_OFFSET"])
    print(gpu.walk(0x7a1105603000, engine="rcs0"))

open() opens sources, as gpuscope-sources(7) describes them; Gpu() is a GPU whose memory functions
of the program read; decode() decodes a value without any source.

What could not be read is never a number: it is None, and something beside it says why. Failures are
gpuscope.Error, with `what` and `why`. Lists are made item by item. Only one thread at a time may
use a GPU and what was made from it. gpuscope(3py) is the manual page.
"""
from __future__ import annotations

import ctypes
import os
import stat
import threading
from types import TracebackType
from typing import Any, Callable, Iterable, Sequence, Union

from . import _gpuscope as _c
from ._gpuscope import (Buffer, Cause, Choice, Command, CommandAddress, Definition, Device, Engine,
                        Entry, Event, Extent, Fault, Field, FieldFlag, File, Finding, Hang, Info,
                        Instruction, Kernel, Part, Platform, Property, Range, Reached, Reading,
                        Register, RegisterAccess, RegisterFlag, Request, Root, Run, StateObject,
                        Stored, Trouble, Walk, Window)
from ._values import (Caught, DbHandle, Error, Fields, GpuHandle, Handle, HangHandle, Items,
                      ListHandle, Reader, TablesHandle, UnknownName, callback, checked,
                      commands_options, freed_by, from_header, text, unread, words_of)

__all__ = [
    "open", "decode", "platforms", "definitions", "devices", "version", "Gpu", "Tables", "Bytes",
    "Error", "UnknownName", "Items", "Fields", "Buffer", "Cause", "Choice", "Command",
    "CommandAddress", "Definition", "Device", "Engine", "Entry", "Event", "Extent", "Fault",
    "Field", "FieldFlag", "File", "Finding", "Hang", "Info", "Instruction", "Kernel", "Part",
    "Platform", "Property", "Range", "Reached", "Reading", "Register", "RegisterAccess",
    "RegisterFlag", "Request", "Root", "Run", "StateObject", "Stored", "Trouble", "Walk", "Window",
]

__version__ = _c.VERSION

freed_by(DbHandle, _c.gpuscope_db_free)
freed_by(GpuHandle, _c.gpuscope_gpu_free)
freed_by(HangHandle, _c.gpuscope_hang_free)
freed_by(ListHandle, _c.gpuscope_list_free)
freed_by(TablesHandle, _c.gpuscope_tables_free)


class Bytes:
    """Bytes in memory as a source, used like a file.

    kind: None: find out, as for a file; else "bar", "ggtt", "mem", ... of gpuscope-sources(7)
    address: with a kind: that of the first byte
    name: for messages
    """

    def __init__(self, data: bytes | bytearray | memoryview, kind: str | None = None,
                 address: int = 0, name: str | None = None) -> None:
        self.data, self.kind, self.name = _held(data), kind, name
        self.address = checked(address)

    def __repr__(self) -> str:
        return f"Bytes(<{len(self.data)} bytes>, kind={self.kind!r}, address={self.address:#x})"


Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Bytes]
Path = Union[str, "os.PathLike[str]"]


def _spelt(word: Any) -> bytes:
    """A text that has to be there."""
    found = os.fsencode(word)
    if b"\0" in found:
        raise ValueError(f"{word!r} has a null character")
    return found


def _bytes(word: Any) -> bytes | None:
    return None if word is None else _spelt(word)


def _strings(words: Sequence[Path]) -> Any:
    return (ctypes.c_char_p * len(words))(*(_spelt(word) for word in words))


def _held(data: Any) -> bytes:
    """A copy of what is like bytes; a number is not."""
    return data if type(data) is bytes else memoryview(data).tobytes()


def _u64(number: int | None, name: str = "address") -> Any:
    """A pointer to a number, or NULL."""
    return None if number is None else ctypes.pointer(ctypes.c_uint64(checked(number, name)))


def _sized(options: Any) -> Any:
    options.size = ctypes.sizeof(options)
    return options


def _database(define: Sequence[Path] | Path) -> DbHandle | None:
    files = [define] if isinstance(define, (str, os.PathLike)) else list(define)
    if not files:
        return None
    db = DbHandle()
    db.make(_c.gpuscope_db_new, _strings(files), len(files))
    return db


def _raw(handle: Handle | None) -> int | None:
    return handle.raw if handle else None


def _pointer(handle: Handle | None, kind: type[ctypes.Structure]) -> Any:
    return ctypes.cast(handle.raw, ctypes.POINTER(kind)) if handle else None


def _in_pieces(read: Callable[[int, Any, int], Any], address: int, length: int) -> bytes:
    """Bytes that `read` puts into a buffer. It raises what is about the first that is missing."""
    found, end = bytearray(), checked(address) + checked(length, "length")
    while address < end:
        buffer = ctypes.create_string_buffer(min(end - address, 1 << 20))
        read(checked(address), buffer, len(buffer))
        found += buffer.raw
        address += len(buffer)
    return bytes(found)


# ---- page tables --------------------------------------------------------------------------------

class Tables:
    """Page tables of a GPU, for many walks. Gpu.tables() makes them."""

    __slots__ = ("_handle", "_gpu", "_walk", "_still")

    def __init__(self, handle: TablesHandle) -> None:
        self._handle = handle
        self._gpu = handle.gpu
        self._walk = handle.walk
        self._still = handle.gpu.still

    @property
    def root(self) -> Root:
        """Where they begin."""
        address = _c.gpuscope_tables_root(self._handle.raw)
        if not address:
            raise MemoryError
        return Root(_c.struct_gpuscope_root.from_address(address), self._handle)

    def walk(self, address: int, access: str = "read") -> Walk:
        """Where an address leads; `access` is "read", "write" or "atomic"."""
        if address >> 64:
            checked(address)
        number = 0 if access == "read" else _c.ACCESS.number(access)
        raw = self._walk(address, number)
        if not self._still:
            walk = Walk(raw, self._handle)
            walk._tables, walk._given, walk._access = self._handle, address, number
            return walk
        # The rest is looked up when someone wants it.
        walk = Walk.__new__(Walk)
        walk._tables = self._handle
        walk._given = address
        walk._access = number
        mapped = walk.mapped = raw.mapped
        walk.physical = raw.physical if mapped and not raw.null else None
        return walk

    def translate(self, addresses: Iterable[int], spaces: list[str | None] | None = None) \
            -> list[int | None]:
        """Where many addresses land, faster than walk(): None is what is not mapped, or a null
        page. Permissions are not checked. `spaces`: a list that gets the memory of each, "phys" or
        "lmem", or None."""
        given = [checked(address) for address in addresses]
        count = len(given)
        array = ctypes.c_uint64 * count
        numbers = ctypes.c_ubyte * count
        physical, where, stops = array(), numbers(), numbers()
        self._gpu.call(_c.gpuscope_translate, self._handle.raw, array(*given), count, physical,
                       where, stops)
        found = [None if stop or to == 0xffffffffffffffff else to
                 for to, stop in zip(physical, stops)]
        if spaces is not None:
            spaces += [None if to is None else _c.SPACE[space] for to, space in zip(found, where)]
        return found

    def read(self, address: int, length: int) -> bytes:
        """Bytes at a graphics address. Error if one of them is missing."""
        def read(address: int, buffer: Any, size: int) -> None:
            got: int = self._gpu.call(_c.gpuscope_tables_read, self._handle.raw, address, buffer,
                                      size)
            if got < size:
                walk = self.walk(address + got & 0xffffffffffffffff)
                raise Error(f"graphics address {address + got:#x}",
                            walk.stop_text or "no source holds its page", "unknown")
        return _in_pieces(read, address, length)

    @from_header("gpuscope_map")
    def map(self, pages: bool = False, all: bool = False) -> Items[Range]:
        """With `pages`, one for each page, except that a constant run of more than 512 pages is
        one; with `all`, without that exception."""
        flags = (_c.MapFlag.PAGES if pages else 0) | (_c.MapFlag.ALL if all else 0)
        return self._list(Range, _c.gpuscope_map, int(flags))

    def reverse(self, physical: int, space: str = "phys") -> Items[Reached]:
        """The graphics addresses that reach a physical one."""
        return self._list(Reached, _c.gpuscope_reverse, _c.SPACE.number(space), checked(physical))

    def check(self) -> Items[Finding]:
        """Findings about these tables."""
        return self._list(Finding, _c.gpuscope_tables_check)

    def _list(self, kind: Any, function: Callable[..., None], *arguments: Any) -> Items[Any]:
        return Items(kind, ListHandle(self._gpu, function, self._handle.raw, *arguments,
                                      keep=self._handle))

    def __repr__(self) -> str:
        root = self.root
        values = " ".join(f"{value:#x}" for value in root.values)
        return f"<Tables {root.mode} {values}, {root.from_}>"


# ---- a GPU --------------------------------------------------------------------------------------

class Gpu:
    """A GPU as sources show it. open() makes one; so does this, of memory by callback:

        gpu = gpuscope.Gpu(platform="skl", read_phys=f, read_mmio=g)

    f(address, size) returns `size` bytes, or None if there are none; LookupError means the same. A
    register may be returned as a number. Other exceptions are raised again from the method that
    needed the bytes. Memory is read by pages, which are kept until rest().

    platform: needed if functions read, unless read_config() is one of them
    sources, define, wake, unsafe: as for open()
    phys_length, lmem_length: bytes from 0 on that scans look at; 0: unknown, nothing is scanned
    harmless: reading registers changes nothing, as in a copy
    """

    def __init__(self, *, platform: str | None = None, read_mmio: Reader | None = None,
                 read_config: Reader | None = None, read_ggtt: Reader | None = None,
                 read_phys: Reader | None = None, read_lmem: Reader | None = None,
                 read_gttmem: Reader | None = None, read_ppgttmem: Reader | None = None,
                 phys_length: int = 0, lmem_length: int = 0, harmless: bool = False,
                 sources: Sequence[Source] | Source = (), define: Sequence[Path] | Path = (),
                 wake: str = "auto", unsafe: bool = False) -> None:
        readers = {int(number): reader for number, reader in (
            (_c.Space.MMIO, read_mmio), (_c.Space.CONFIG, read_config), (_c.Space.GGTT, read_ggtt),
            (_c.Space.PHYS, read_phys), (_c.Space.LMEM, read_lmem),
            (_c.Space.GTTMEM, read_gttmem), (_c.Space.PPGTTMEM, read_ppgttmem))
            if reader is not None}
        for reader in readers.values():
            if not callable(reader):
                raise TypeError(f"{reader!r} is not a function that reads")
        if isinstance(sources, (str, os.PathLike, bytes, bytearray, memoryview, Bytes)):
            sources = (sources,)
        caught = Caught()
        db = _database(define)
        options = _sized(_c.struct_gpuscope_options(
            db=_pointer(db, _c.struct_gpuscope_db),
            platform=_bytes(platform), wake=_c.WAKE.number(wake), unsafe=unsafe))
        names = [source for source in sources if isinstance(source, (str, os.PathLike))]
        parts = [_part(source) for source in sources if not isinstance(source, (str, os.PathLike))]
        if parts:
            kind = ctypes.POINTER(_c.struct_gpuscope_bytes)
            options.bytes = (kind * (len(parts) + 1))(*(ctypes.pointer(part) for part in parts))
        if readers:
            memory = _sized(_c.struct_gpuscope_memory(
                spaces=sum(1 << number for number in readers), read=callback(readers, caught),
                phys_length=checked(phys_length, "length"),
                lmem_length=checked(lmem_length, "length"), harmless=harmless))
            options.memory = ctypes.pointer(memory)
        self._handle = GpuHandle((options, parts, db), caught, False)
        self._handle.make(_c.gpuscope_open, _strings(names), len(names), ctypes.byref(options))
        self._begin(bool(readers))

    def _begin(self, readers: bool) -> None:
        self._cache: dict[Any, Tables] = {}
        self.info: Info = Info(_c.struct_gpuscope_info.from_address(
            _c.gpuscope_gpu_info(self._handle.raw) or 0), self._handle)
        self._handle.still = not self.info.live and not readers

    def _derived(self, function: Callable[..., None], *arguments: Any) -> Gpu:
        gpu, handle = Gpu.__new__(Gpu), self._open
        gpu._handle = GpuHandle(handle, handle.caught, False)
        gpu._handle.make(function, handle.raw, *arguments)
        gpu._begin(not self._handle.still and not self.info.live)
        return gpu

    def close(self) -> None:
        """Lets go of it; what was made from it stays."""
        self._cache.clear()
        self._handle = GpuHandle(None, Caught(), True)

    def __enter__(self) -> Gpu:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def __repr__(self) -> str:
        parts = ", ".join(part.name for part in self.info.parts) or "definitions only"
        return f"<Gpu {self.info.platform or 'of an unknown platform'}: {parts}>"

    def _list(self, kind: Any, function: Callable[..., None], *arguments: Any, keep: Any = None) \
            -> Items[Any]:
        return Items(kind, ListHandle(self._open, function, self._open.raw, *arguments,
                                      keep=keep or self._handle))

    @property
    def _open(self) -> GpuHandle:
        if not self._handle.raw:
            raise Error("this GPU", "it was closed", "usage")
        return self._handle

    # ---- what is known ----

    @property
    def platform(self) -> Platform | None:
        """Its platform."""
        return self.info.platform

    @property
    def parts(self) -> tuple[Part, ...]:
        """The parts of its sources."""
        return self.info.parts

    @property
    def notes(self) -> tuple[str, ...]:
        """About damaged input: "FILE: what, at byte N"."""
        return self.info.notes

    @from_header("gpuscope_gpu_at")
    def at(self, number: int) -> Gpu:
        return self._derived(_c.gpuscope_gpu_at, checked(number, "submission"))

    @from_header("gpuscope_gpu_rest")
    def rest(self) -> None:
        self._cache.clear()
        _c.gpuscope_gpu_rest(self._open.raw)

    @from_header("gpuscope_files")
    def files(self) -> Items[File]:
        return self._list(File, _c.gpuscope_files)

    @from_header("gpuscope_buffers")
    def buffers(self) -> Items[Buffer]:
        return self._list(Buffer, _c.gpuscope_buffers)

    @from_header("gpuscope_stored")
    def stored(self) -> Items[Stored]:
        return self._list(Stored, _c.gpuscope_stored)

    @from_header("gpuscope_open_stored")
    def open_stored(self, i: int) -> Gpu:
        return self._derived(_c.gpuscope_open_stored, checked(i, "dump"))

    def save(self, file: Path | int, *, no_ggtt: bool = False, tables: bool = False,
             unsafe: bool = False, redact: bool = False, uncompressed: bool = False) \
            -> Error | None:
        """Writes a capture, gpuscope-capture(5), to a path or a file descriptor. Returns what could
        not be read, which the capture says, too. A file is replaced when all of it is written, so
        that may be a source; OSError if that fails.

        tables: from a device: all page tables of all contexts
        unsafe: also what has side effects or may hang
        redact: no memory, nothing that identifies a machine
        """
        handle, options = self._open, _sized(_c.struct_gpuscope_save_options(
            no_ggtt=no_ggtt, tables=tables, unsafe=unsafe, redact=redact,
            uncompressed=uncompressed))
        if isinstance(file, bool):
            raise TypeError("a path or a file descriptor is needed, not a bool")

        def write(fd: int) -> Error | None:
            try:
                handle.call(_c.gpuscope_save, handle.raw, fd, ctypes.byref(options))
            except Error as error:
                if error.status != "partial":
                    raise
                return error
            return None
        return write(checked(file, "file descriptor", 31)) if isinstance(file, int) \
            else _replaced(os.path.realpath(os.fsdecode(file)), write)

    # ---- registers ----

    @from_header("gpuscope_register_find")
    def register(self, name: str) -> Register:
        out = ctypes.c_void_p()
        self._open.call(_c.gpuscope_register_find, self._open.raw, _spelt(name), ctypes.byref(out))
        return Register(_c.struct_gpuscope_register.from_address(out.value or 0), self._handle)

    def __getitem__(self, name: str | int) -> Reading:
        """Reads a register, by its name or address. UnknownName if there is none."""
        if isinstance(name, int):
            for reading in self.registers(hex(checked(name))):
                return reading
            raise UnknownName(hex(name), "nothing is there")
        reg = self.register(name)
        value, why = ctypes.c_uint64(), ctypes.c_char_p()
        state = self._open.call(_c.gpuscope_register_read, self._open.raw, ctypes.byref(reg._raw),
                                ctypes.byref(value), ctypes.byref(why))
        if state == _c.State.OK:
            return Reading.of(reg, self._handle, _c.STATE[state], value.value, None)
        return Reading.of(reg, self._handle, _c.STATE[state], None, text(why.value))

    def __contains__(self, name: object) -> bool:
        gpu = self._open
        try:
            if isinstance(name, int):
                self[name]
            else:
                gpu.call(_c.gpuscope_register_find, gpu.raw, _spelt(name), None)
        except (Error, TypeError, ValueError):
            return False
        return True

    def __iter__(self) -> Items[Reading]:
        return self.registers()

    @from_header("gpuscope_registers")
    def registers(self, *selectors: str) -> Items[Reading]:
        return self._list(Reading, _c.gpuscope_registers, _strings(selectors), len(selectors))

    def decode(self, name: str, value: int) -> Reading:
        """A value of a register, as if it had been read."""
        reg = self.register(name)
        value = checked(value, name, reg.bits)
        return Reading.of(reg, self._handle, _c.STATE[_c.State.OK], value, None)

    # ---- memory ----

    def read(self, address: int, bytes: int = 4, space: str = "mmio") -> int:
        """Reads 1, 2, 4 or 8 bytes at a multiple of that size, whatever is defined there, and does
        not check whether reading has side effects. Error, with the reason, if they cannot be
        read."""
        if bytes not in (1, 2, 4, 8):
            raise Error(f"{bytes!r} bytes", "1, 2, 4 or 8 can be read", "usage")
        if checked(address) % bytes:
            raise Error(f"{space} {address:#x}", f"it is no multiple of {bytes}", "usage")
        value, why = ctypes.c_uint64(), ctypes.c_char_p()
        state = self._open.call(_c.gpuscope_read, self._open.raw, _c.SPACE.number(space),
                                address, bytes, ctypes.byref(value), ctypes.byref(why))
        if state != _c.State.OK:
            raise unread(f"{space} {address:#x}", _c.STATE[state], text(why.value))
        return value.value

    def read_memory(self, address: int, length: int, space: str = "phys") -> bytes:
        """Bytes of memory. Error if one of them is missing."""
        gpu, number = self._open, _c.SPACE.number(space)

        def read(address: int, buffer: Any, size: int) -> None:
            got, why = ctypes.c_size_t(), ctypes.c_char_p()
            state = gpu.call(_c.gpuscope_read_memory, gpu.raw, number, address, buffer, size,
                             ctypes.byref(got), ctypes.byref(why))
            if state != _c.State.OK:
                raise unread(f"{space} {address + got.value:#x}", _c.STATE[state], text(why.value))
        return _in_pieces(read, address, length)

    @from_header("gpuscope_extents")
    def extents(self, space: str = "phys") -> Items[Extent]:
        return self._list(Extent, _c.gpuscope_extents, _c.SPACE.number(space))

    @from_header("gpuscope_windows")
    def windows(self) -> Items[Window]:
        return self._list(Window, _c.gpuscope_windows)

    # ---- page tables ----

    @from_header("gpuscope_roots")
    def roots(self) -> Items[Root]:
        return self._list(Root, _c.gpuscope_roots)

    def tables(self, engine: str | None = None, *, root: int | Sequence[int] | None = None,
               mode: str | None = None, context: int | None = None,
               second_level: int | None = None, second_levels: int = 0) -> Tables:
        """Page tables, for many walks. Without arguments: those of the first engine that has some.

        engine: by the registers of this engine: "rcs0"
        root, mode: by the values of a root, and what they are of: "pml4"; mode "ggtt" needs no root
        context: by the image of a context: LRCA or descriptor
        second_level, second_levels: root and levels of VT-d tables below
        """
        roots = [root] if isinstance(root, int) else list(root or ())
        if root is not None and not roots:
            raise Error("root", "give its values", "usage")
        if second_levels and second_level is None:
            raise Error("second_levels", "give second_level, too", "usage")
        options = _sized(_c.struct_gpuscope_tables_options(
            engine=_bytes(engine), mode=_bytes(mode), context=_u64(context, "context"),
            second_level=_u64(second_level, "second level"),
            second_levels=checked(second_levels, "second levels", 32)))
        if roots:
            options.root = (ctypes.c_uint64 * len(roots))(*(checked(value, "root")
                                                           for value in roots))
            options.root_count = len(roots)
        return Tables(TablesHandle(self._open, ctypes.byref(options)))

    def walk(self, address: int, *, engine: str | None = None,
             root: int | Sequence[int] | None = None, mode: str | None = None,
             context: int | None = None, second_level: int | None = None, second_levels: int = 0,
             access: str = "read") -> Walk:
        """Where an address leads, through the tables that tables() describes. `access`: "read",
        "write" or "atomic"."""
        key = (engine, root, mode, context, second_level, second_levels)
        try:
            tables = self._cache[key]
        except (KeyError, TypeError):
            tables = self._tables(*key)
        return tables.walk(address, access)

    def _tables(self, engine: str | None = None, root: int | Sequence[int] | None = None,
                mode: str | None = None, context: int | None = None,
                second_level: int | None = None, second_levels: int = 0) -> Tables:
        """Those that were used before, the last 64, unless registers that may change say which they
        are."""
        root = root if root is None or isinstance(root, int) else tuple(root)
        key = (engine, root, mode, context, second_level, second_levels)
        found = self._cache.get(key)
        if not found:
            found = self.tables(engine, root=root, mode=mode, context=context,
                                second_level=second_level, second_levels=second_levels)
            if self._handle.still or root is not None:
                if len(self._cache) >= 64:
                    del self._cache[next(iter(self._cache))]
                self._cache[key] = found
        return found

    def translate(self, addresses: Iterable[int], spaces: list[str | None] | None = None, *,
                  engine: str | None = None,
                  root: int | Sequence[int] | None = None, mode: str | None = None,
                  context: int | None = None, second_level: int | None = None,
                  second_levels: int = 0) -> list[int | None]:
        """Where many addresses lead: see Tables.translate(), and tables() for the arguments."""
        return self._tables(engine, root, mode, context, second_level, second_levels) \
            .translate(addresses, spaces)

    def map(self, *, pages: bool = False, all: bool = False, engine: str | None = None,
            root: int | Sequence[int] | None = None, mode: str | None = None,
            context: int | None = None, second_level: int | None = None,
            second_levels: int = 0) -> Items[Range]:
        """Every mapped range, in order: see Tables.map(), and tables() for the arguments."""
        return self._tables(engine, root, mode, context, second_level, second_levels) \
            .map(pages, all)

    def reverse(self, physical: int, space: str = "phys", *, engine: str | None = None,
                root: int | Sequence[int] | None = None, mode: str | None = None,
                context: int | None = None, second_level: int | None = None,
                second_levels: int = 0) -> Items[Reached]:
        """The graphics addresses that reach a physical one; tables() has the other arguments."""
        return self._tables(engine, root, mode, context, second_level, second_levels) \
            .reverse(physical, space)

    def decode_entry(self, mode: str, level: str, entry: int | Sequence[int]) -> Entry:
        """An entry of a level ("pte", "pde2m", "vtd-root", ...) of a mode, without table and
        address. `entry` is a number, or its dwords, lowest first."""
        words = [entry & 0xffffffff, checked(entry, "entry") >> 32] if isinstance(entry, int) \
            else list(entry)
        for found in self._list(Entry, _c.gpuscope_entry_decode, _c.MODE.number(mode),
                                _spelt(level), words_of(words), len(words)):
            result: Entry = found
            return result
        raise UnknownName(f"{mode} {level}", "there is no such entry")

    # ---- commands and programs ----

    @from_header("gpuscope_commands")
    def commands(self, *, engine: str | None = None, address: int | None = None,
                 process: bool = False, words: Sequence[int] | None = None,
                 tables: Tables | None = None, follow: bool = True, past_end: bool = False,
                 state: bool = False) -> Items[Command]:
        """engine: only this one; of a batch: as the sources say
        address: the batch there; None: all rings and batches
        process: it is a PPGTT address
        words: these dwords, as if they were there
        tables: for PPGTT addresses; None: what the sources say
        follow: also the batches that are started
        past_end: continue after an end command
        state: with states and kernels
        """
        return self._commands(Command, _c.gpuscope_commands, engine, address, process, words,
                              tables, follow, past_end, state)

    @from_header("gpuscope_commands_check")
    def check_commands(self, *, engine: str | None = None, address: int | None = None,
                       process: bool = False, words: Sequence[int] | None = None,
                       tables: Tables | None = None, follow: bool = True,
                       past_end: bool = False) -> Items[Finding]:
        """The arguments are those of commands()."""
        return self._commands(Finding, _c.gpuscope_commands_check, engine, address, process, words,
                              tables, follow, past_end, False)

    def _commands(self, kind: Any, function: Callable[..., None], engine: str | None,
                  address: int | None, process: bool, words: Sequence[int] | None,
                  tables: Tables | None, follow: bool, past_end: bool, state: bool) -> Items[Any]:
        if tables is not None and not isinstance(tables, Tables):
            raise TypeError(f"Tables are needed, not {tables!r}")
        options = commands_options(
            engine=_bytes(engine), address=_u64(address), process=process, words=words,
            tables=_pointer(tables._handle if tables else None, _c.struct_gpuscope_tables),
            no_follow=not follow, past_end=past_end, state=state)
        return self._list(kind, function, ctypes.byref(options), keep=(options, tables))

    def program(self, data: bytes, syntax: str = "mesa") -> Items[Instruction]:
        """Lists Instruction of a program for the GPU's platform. `syntax` is "mesa" or "iga"."""
        held, number = _held(data), _c.SYNTAX.number(syntax)
        return self._list(Instruction, _c.gpuscope_program, held, len(held), number,
                          keep=(held, number))

    @from_header("gpuscope_program_check")
    def check_program(self, data: bytes, address: int = 0) -> Items[Finding]:
        held = _held(data)
        return self._list(Finding, _c.gpuscope_program_check, held, len(held), checked(address),
                          keep=held)

    # ---- what went wrong ----

    @from_header("gpuscope_hang_new")
    def hang(self) -> Hang:
        handle = HangHandle(self._open)
        handle.make(_c.gpuscope_hang_new, self._open.raw)
        return Hang(_c.struct_gpuscope_hang.from_address(handle.raw), handle)

    @from_header("gpuscope_events")
    def events(self) -> Items[Event]:
        return self._list(Event, _c.gpuscope_events)


def _replaced(path: str, write: Callable[[int], Error | None]) -> Error | None:
    """Writes a file beside the old one, and then takes its place; devices are written as they
    are."""
    mode = None
    if os.path.exists(path):
        fd = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            mode = os.fstat(fd).st_mode
            if not stat.S_ISREG(mode):
                return write(fd)
        finally:
            os.close(fd)
    new = f"{path}.{os.getpid()}.{threading.get_ident()}.new"
    try:
        fd = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    except OSError as error:
        error.filename = path
        raise
    try:
        try:
            if mode is not None:
                os.fchmod(fd, stat.S_IMODE(mode))
            problem = write(fd)
        finally:
            os.close(fd)
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise
    return problem


def _part(source: Any) -> Any:
    """struct gpuscope_bytes of a source that is bytes."""
    given = source if isinstance(source, Bytes) else Bytes(source)
    part = _sized(_c.struct_gpuscope_bytes(name=_bytes(given.name), length=len(given.data),
                                           kind=_bytes(given.kind), address=given.address))
    part.data = ctypes.cast(ctypes.c_char_p(given.data), ctypes.c_void_p)
    part.held = given.data
    return part


# ---- functions ----------------------------------------------------------------------------------

def open(*sources: Source, platform: str | None = None, data: bytes | Bytes | None = None,
         define: Sequence[Path] | Path = (), wake: str = "auto", unsafe: bool = False) -> Gpu:
    """Opens sources, as gpuscope-sources(7) describes them: "live", "demo:skl-hang", a path, or
    bytes; if two hold the same address, the first wins. Without any it is the GPU of this machine
    or, with a platform, a GPU with definitions only.

    platform: a name or a PCI device id; None: as the sources say
    data: one more source: bytes, used like a file
    define: files of definitions, gpuscope-def(5), searched before the built-in ones
    wake: how to hold forcewake on a device: "auto", "driver", "registers" or "none"
    unsafe: read also what has side effects or may hang
    """
    more = () if data is None else (data,)
    return Gpu(platform=platform, sources=(*sources, *more), define=define, wake=wake,
               unsafe=unsafe)


class _Mine(threading.local):
    """The GPUs with definitions only that a thread has used, by platform."""

    def __init__(self) -> None:
        self.gpus: dict[bytes, Gpu] = {}


_mine = _Mine()


def decode(platform: str, name: str, value: int) -> Reading:
    """A value of a register of a platform, without a source:

        decode("skl", "RING_FAULT_REG", 0x12b).fields
    """
    gpus, key = _mine.gpus, _spelt(platform)
    if key not in gpus:
        if len(gpus) >= 8:
            gpus.clear()
        gpus[key] = open(platform=platform)
    return gpus[key].decode(name, value)


@from_header("gpuscope_platforms")
def platforms(name: str | None = None, *, define: Sequence[Path] | Path = ()) -> Items[Platform]:
    db = _database(define)
    return Items(Platform, ListHandle(None, _c.gpuscope_platforms, _raw(db), _bytes(name), keep=db))


@from_header("gpuscope_definitions")
def definitions(kind: str = "register", name: str | None = None, platform: str | None = None, *,
                define: Sequence[Path] | Path = ()) -> Items[Definition]:
    """`kind` is "register", "command", "structure", "entry" or "instruction"."""
    db = _database(define)
    return Items(Definition, ListHandle(None, _c.gpuscope_definitions, _raw(db),
                                        _c.KIND.number(kind), _bytes(name), _bytes(platform),
                                        keep=db))


@from_header("gpuscope_devices")
def devices(*, define: Sequence[Path] | Path = ()) -> Items[Device]:
    db = _database(define)
    return Items(Device, ListHandle(None, _c.gpuscope_devices, _raw(db), keep=db))


def version() -> str:
    """The version of the library that runs: "1.0.0"."""
    return text(_c.gpuscope_version()) or ""


# Where users find them, for messages and help().
for _name in __all__:
    globals()[_name].__module__ = __name__
