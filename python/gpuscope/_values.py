# SPDX-License-Identifier: MIT
"""What the classes of _gpuscope.py are made of: errors, objects of the library, lists, and values,
which are copies. A class here that has the name of a class there is a base of it."""
from __future__ import annotations

import ctypes
import enum
import inspect
import operator
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from types import CodeType
from typing import TYPE_CHECKING, Any, Callable, Generic, Sequence, TypeVar

from . import _gpuscope as c
from ._library import load as load

if TYPE_CHECKING:
    from ._gpuscope import Choice as ChoiceOf
    from ._gpuscope import Entry as EntryOf
    from ._gpuscope import Field as FieldOf
    from ._gpuscope import Finding as FindingOf
    from ._gpuscope import Register as RegisterOf

T = TypeVar("T")
V = TypeVar("V", bound="Value")
F = TypeVar("F", bound=Callable[..., Any])
W = TypeVar("W", str, "str | None")


# ---- errors -------------------------------------------------------------------------------------

class Error(Exception):
    """Why something failed.

    what: the thing: a file, a name, an address
    why: the reason, and the way out if there is one
    status: "failed", "usage", "unknown", "denied", "gone" or "partial"; if memory runs out,
        MemoryError is raised instead
    """

    def __init__(self, what: str, why: str, status: str = "failed") -> None:
        super().__init__(what, why, status)
        self.what, self.why, self.status = what, why, status

    def __str__(self) -> str:
        return f"{self.what}: {self.why}"


class UnknownName(Error, KeyError):
    """Nothing has that name. It is a KeyError, too."""

    def __init__(self, what: str, why: str, status: str = "unknown") -> None:
        super().__init__(what, why, status)

    __str__ = Error.__str__


def unread(what: str, state: str, why: str | None) -> Error:
    """About what could not be read."""
    status = {"asleep": "gone", "all-ones": "gone", "denied": "denied"}.get(state, "unknown")
    return Error(what, f"{state}: {why}" if why else state, status)


def error_at(address: int) -> Error:
    """A copy of an error of the library."""
    status = c.STATUS[c.gpuscope_error_status(address)]
    kind = UnknownName if status == "unknown" else Error
    return kind(text(c.gpuscope_error_what(address)) or "", text(c.gpuscope_error_why(address))
                or "", status)


def _raise_error(address: int | None, *call: Any) -> None:
    if address:
        error = error_at(address)
        c.gpuscope_error_free(address)
        _raise(error)


def _raise(error: Error) -> None:
    raise MemoryError(str(error)) if error.status == "no-memory" else error


def function(library: ctypes.CDLL, name: str, result: Any, arguments: list[Any], raises: bool,
             doc: str) -> Any:
    """A function of the library; if it returns an error, that is raised."""
    found = getattr(library, name)
    found.restype, found.argtypes, found.__doc__ = result, arguments, doc
    if raises:
        found.errcheck = _raise_error
    return found


def from_header(name: str) -> Callable[[F], F]:
    """Puts the comment of a function of gpuscope.h before the docstring of what calls it."""
    def add(function: F) -> F:
        words = inspect.cleandoc(getattr(c, name).__doc__)
        function.__doc__ = f"{words}\n\n{inspect.cleandoc(function.__doc__ or '')}".strip()
        return function
    return add


# ---- numbers and texts --------------------------------------------------------------------------

def text(raw: bytes | None) -> str | None:
    return None if raw is None else raw.decode(errors="replace")


def texts(raw: Any) -> tuple[str, ...]:
    return tuple(item.decode(errors="replace") for item in _until_null(raw))


def checked(number: int, name: str = "address", bits: int = 64) -> int:
    """A number for the library, which would cut it."""
    number = operator.index(number)
    if number >> bits:
        raise Error(f"{name} {number:#x}", f"it has more than {bits} bits or is negative", "usage")
    return number


def number(raw: Any) -> int | None:
    return raw[0] if raw else None


def numbers(raw: Any, count: int) -> tuple[int, ...]:
    return tuple(raw[:count]) if raw else ()


def data(raw: int | None, length: int) -> bytes | None:
    return None if raw is None else ctypes.string_at(raw, length)


def each(raw: Any, kind: Callable[[Any, Handle], T], owner: Handle) -> tuple[T, ...]:
    return tuple(kind(item.contents, owner) for item in _until_null(raw))


def _until_null(raw: Any) -> Iterator[Any]:
    i = 0
    while raw and raw[i]:
        yield raw[i]
        i += 1


class Words(dict[int, W], Generic[W]):
    """The words for an enum: those of the library, else its names."""

    def __init__(self, kind: type[enum.IntEnum],
                 word: Callable[[int], bytes | None] | None) -> None:
        for member in kind:
            said = word(member) if word else member.name.lower().replace("_", "-").encode()
            self[int(member)] = text(said)  # type: ignore[assignment]
        self._kind = kind.__name__.lower()
        self._numbers: dict[str | None, int] = {name: value for value, name in self.items()}

    def __missing__(self, value: int) -> W:
        return str(value)

    def number(self, word: str) -> int:
        found = self._numbers.get(word)
        if found is None:
            known = ", ".join(name for name in self.values() if name)
            raise Error(f"{self._kind} {word!r}", f"give one of {known}", "usage")
        return found


class Flags(dict[int, T], Generic[T]):
    """Sets of flags by their number."""

    def __init__(self, kind: Callable[[int], T]) -> None:
        self._kind = kind

    def __missing__(self, value: int) -> T:
        self[value] = found = self._kind(value)
        return found


# ---- objects of the library ---------------------------------------------------------------------

def stays(self: object) -> str:
    """A method __reduce__."""
    raise TypeError("what the library holds can be neither copied nor pickled")


class Handle:
    """An object of the library, freed with the last that refers to it; `keep` is what it needs."""

    # Until it is made: an interrupt may come first, and the destructor takes NULL.
    raw = 0
    _as_parameter_: int | None = None
    gpu: GpuHandle | None

    def __init__(self, gpu: GpuHandle | None = None, keep: Any = None) -> None:
        self.gpu = gpu
        self.keep = keep

    __reduce__ = stays

    def make(self, function: Callable[..., None], *arguments: Any) -> None:
        """Calls a function that puts the object where its last argument points."""
        out = ctypes.c_void_p()
        self.call(function, *arguments, ctypes.byref(out))
        self.raw = self._as_parameter_ = out.value or 0

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function that may read from the GPU."""
        return self.gpu.call(function, *arguments) if self.gpu else function(*arguments)


def freed_by(kind: type[Handle], free: Callable[..., None]) -> None:
    """Makes the function of the library the destructor itself. An interrupt in one that is written
    in Python would be lost: it prints exceptions, and goes on."""
    method = ctypes.pythonapi.PyInstanceMethod_New
    method.restype, method.argtypes = ctypes.py_object, [ctypes.py_object]
    setattr(kind, "__del__", method(free))


class DbHandle(Handle):
    """Definitions."""


class HangHandle(Handle):
    """What went wrong."""


class Caught:
    """The exception that a function of the program raised while the library called it."""

    __slots__ = ("error",)

    def __init__(self) -> None:
        self.error: BaseException | None = None


class GpuHandle(Handle):
    """A GPU. `still`: what it holds does not change."""

    def __init__(self, keep: Any, caught: Caught, still: bool) -> None:
        super().__init__(None, keep)
        self.caught = caught
        self.still = still

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        try:
            result = function(*arguments)
        except Error:
            if self.caught.error is None:
                raise
        if self.caught.error is not None:
            self.raise_caught()
        return result

    def raise_caught(self) -> None:
        """Raises it again. What the library was given instead of an answer, it has to forget."""
        error, self.caught.error = self.caught.error, None
        if self.raw:
            c.gpuscope_gpu_rest(self.raw)
        if error is not None:
            raise error


class ListHandle(Handle):
    """A list. `again`: how the fields of its entries are decoded once it has left them."""

    def __init__(self, gpu: GpuHandle | None, function: Callable[..., None], *arguments: Any,
                 keep: Any = None) -> None:
        super().__init__(gpu, keep)
        self.at = 0
        self.interrupted = False
        self.again: Callable[[EntryOf, int], Again | None] | None = None
        self.make(function, *arguments)

    def next(self) -> int | None:
        if self.interrupted:
            raise Error("this list", "it was interrupted, and lacks items: make it again", "gone")
        self.at += 1
        try:
            found: int | None = self.call(c.gpuscope_next, self.raw)
        except BaseException:
            self.interrupted = True
            raise
        return found

    def item(self, at: int) -> int:
        """The address of item number `at`, from 1."""
        while self.at < at:
            found = self.next()
        if not found:
            raise Error("this item", "the source has changed, and it is no longer there", "gone")
        return found


class Items(Iterator[V]):
    """Items that are made when they are asked for. It can be left, and continued.

    error: once it is at its end: what is missing, or None if it is complete
    """

    __slots__ = ("_list", "_kind", "error")

    def __init__(self, kind: type[V], made: ListHandle) -> None:
        self._list = made
        self._kind = kind
        self.error: Error | None = None

    def __iter__(self) -> Items[V]:
        return self

    def __next__(self) -> V:
        try:
            address = self._list.next()
            if address:
                kind = self._kind
                return kind(kind._struct.from_address(address), self._list)
        except BaseException:
            self._list.interrupted = True
            raise
        problem = c.gpuscope_list_error(self._list.raw)
        if problem and self.error is None:
            self.error = error_at(problem)
            if self.error.status != "partial":
                _raise(self.error)
        raise StopIteration

    def __repr__(self) -> str:
        return f"<Items of {self._kind.__name__}>"


# ---- values -------------------------------------------------------------------------------------

class Value:
    """A copy of a structure of the library."""

    __slots__ = ()
    _struct: Any
    _shown: tuple[tuple[str, str], ...] = ()

    def __init__(self, raw: Any, owner: Handle) -> None:
        raise NotImplementedError

    def _contents(self) -> tuple[Any, ...]:
        """What makes it equal to another: fields follow from the numbers."""
        found = [getattr(self, name) for name, form in self._shown]
        return tuple(value for value in found if not isinstance(value, (Fields, View)))

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and isinstance(other, Value) \
            and self._contents() == other._contents()

    def __hash__(self) -> int:
        return hash(self._contents())

    def __repr__(self) -> str:
        parts = []
        for name, form in self._shown:
            value = getattr(self, name)
            if value is None or value is False or value == () or name == "doc":
                continue
            if isinstance(value, (tuple, Fields)):
                shown = f"<{len(value)}>"
                if len(value) < 8 and all(isinstance(item, (str, int)) for item in value):
                    shown = "[" + ", ".join(format(item, form) for item in value) + "]"
            elif isinstance(value, int) and value is not True and form:
                shown = format(value, form)
            elif isinstance(value, bytes) and len(value) > 16:
                shown = f"<{len(value)} bytes>"
            else:
                shown = repr(value)
            parts.append(f"{name}={shown}")
        return f"{type(self).__name__}({', '.join(parts)})"

    def _fields(self, decoded: Any, owner: Handle) -> Fields:
        """All that there is now, since it can be decoded once only."""
        if not decoded:
            return Fields({})
        found = ListHandle(owner.gpu, c.gpuscope_fields, decoded, keep=owner)
        return Fields(_fields_in(found, None))


class View(Value):
    """A structure that stays in the library, as long as this refers to it."""

    __slots__ = ("_raw", "_owner")
    __reduce__ = stays

    def __init__(self, raw: Any, owner: Handle) -> None:
        self._raw = raw
        self._owner = owner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, View) and hash(self) == hash(other)

    def __hash__(self) -> int:
        return ctypes.addressof(self._raw)


class Numeric:
    """What can be formatted as its value, hex(x), f"{x:#x}", and as its text, f"{x:>14}"."""

    __slots__ = ()
    _forms = (*"bcdoxXneEfFgG%,_",)

    @property
    def _number(self) -> int:
        raise NotImplementedError

    def __index__(self) -> int:
        return self._number

    def __format__(self, form: str) -> str:
        return format(self._number, form) if form[-1:] in self._forms else format(str(self), form)


# ---- fields -------------------------------------------------------------------------------------

# Makes a list of struct gpuscope_field once more.
Again = Callable[[], ListHandle]


class Fields(Mapping[str, "FieldOf"]):
    """Fields by name, in the order of the hardware: highest bits of each dword first."""

    __slots__ = ("_again", "_found", "_why")
    __reduce__ = stays

    def __init__(self, again: Again | dict[str, FieldOf], why: str | None = None) -> None:
        self._found = again if isinstance(again, dict) else None
        self._again = None if isinstance(again, dict) else again
        self._why = why

    def _all(self) -> dict[str, FieldOf]:
        if self._found is None:
            assert self._again
            self._found = _fields_in(self._again(), self._again)
        return self._found

    def __getitem__(self, name: str) -> FieldOf:
        try:
            return self._all()[name]
        except KeyError:
            raise UnknownName(str(name), self._why or "no such field; there are "
                              + ", ".join(self._all())) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def __contains__(self, name: object) -> bool:
        return name in self._all()

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{name}: {field}" for name, field in self.items()) + "}"


def _fields_in(found: ListHandle, again: Again | None) -> dict[str, FieldOf]:
    """By name; one of a part of an instruction is PART.NAME, one that recurs NAME@BIT."""
    fields: dict[str, FieldOf] = {}
    address = found.next()
    while address:
        raw = c.struct_gpuscope_field.from_address(address)
        field = c.Field(raw, found)
        field._again, field._at = again, found.at
        if again is None:
            field._choices = _choices(raw, found)
        key = f"{field.structure}.{field.name}" if field.structure else field.name
        if key in fields:
            key = f"{key}@{32 * field.dword + field.lo}"
        fields[key] = field
        address = found.next()
    return fields


def _choices(raw: Any, owner: Handle) -> tuple[ChoiceOf, ...]:
    return tuple(Items(c.Choice, ListHandle(owner.gpu, c.gpuscope_field_choices,
                                            ctypes.byref(raw), keep=owner)))


class Field(Numeric, Value):
    """See _gpuscope.Field."""

    __slots__ = ("_again", "_at", "_choices")
    value: int
    text: str | None
    name: str
    hi: int
    lo: int
    _again: Again | None
    _at: int
    _choices: tuple[ChoiceOf, ...]

    @property
    def choices(self) -> tuple[ChoiceOf, ...]:
        """Its documented values."""
        if self._again is not None:
            found = self._again()
            raw = c.struct_gpuscope_field.from_address(found.item(self._at))
            self._choices, self._again = _choices(raw, found), None
        return self._choices

    @property
    def _number(self) -> int:
        return self.value

    def __str__(self) -> str:
        return self.text if self.text is not None else hex(self.value)

    def __repr__(self) -> str:
        bits = f"{self.hi}:{self.lo}" if self.hi != self.lo else str(self.lo)
        said = f" {self.text}" if self.text is not None else ""
        return f"<Field {self.name} {bits} = {self.value:#x}{said}>"


# ---- registers ----------------------------------------------------------------------------------

class Register(View):
    """See _gpuscope.Register."""

    __slots__ = ()
    name: Any
    space: Any
    address: Any

    def __repr__(self) -> str:
        return f"<Register {self.name} {self.space} {self.address:#x}>"


class Reading(Numeric, Value):
    """See _gpuscope.Reading."""

    __slots__ = ("_owner", "_made")
    name: str
    reg: Any
    space: str
    address: int
    state: str
    value: int | None
    why: str | None
    _owner: Handle
    _made: Fields | None

    def _copied(self, raw: Any, owner: Handle) -> None:
        self._owner, self._made = owner, None

    @classmethod
    def of(cls: type[V], reg: RegisterOf, owner: Handle, state: str, value: int | None,
           why: str | None) -> V:
        """One that did not come from a list."""
        self: Any = cls.__new__(cls)
        self.hi, self.lo = reg.bits - 1, 0
        self.name, self.space, self.address, self.reg = reg.name, reg.space, reg.address, reg
        self.state, self.value, self.why = state, value, why
        self._owner, self._made = owner, None
        made: V = self
        return made

    @property
    def fields(self) -> Fields:
        """Its fields by name. There are none if it was not read, or if nothing is defined there."""
        if self._made is not None:
            return self._made
        if self.value is None:
            self._made = Fields({}, f"{self.name} was not read: {self._reason}")
        elif self.reg is None:
            self._made = Fields({}, f"nothing is defined at {self.address:#x}")
        else:
            gpu = self._owner.gpu or self._owner
            self._made = Fields(partial(ListHandle, gpu, c.gpuscope_register_fields, gpu.raw,
                                        ctypes.byref(self.reg._raw), self.value, keep=self.reg))
        return self._made

    @property
    def _reason(self) -> str:
        return f"{self.state}: {self.why}" if self.why else self.state

    @property
    def _number(self) -> int:
        if self.value is None:
            raise unread(self.name, self.state, self.why)
        return self.value

    def __format__(self, form: str) -> str:
        if self.value is None and form[-1:] in self._forms:
            return str(self)
        return super().__format__(form)

    def __str__(self) -> str:
        if self.value is None:
            return self._reason
        return f"{self.value:#0{(self.reg.bits if self.reg else 32) // 4 + 2}x}"

    def __repr__(self) -> str:
        equals = "=" if self.value is not None else "is"
        return f"<Reading {self.name} {self.space} {self.address:#x} {equals} {self}>"


# ---- page tables --------------------------------------------------------------------------------

class TablesHandle(Handle):
    """Page tables."""

    gpu: GpuHandle

    def __init__(self, gpu: GpuHandle, options: Any) -> None:
        super().__init__(gpu)
        self._at = 0
        self._raw: Any = None
        self.make(c.gpuscope_tables_new, gpu.raw, options)

    def walk(self, address: int, access: int) -> Any:
        """A walk as the library has it, until the next one."""
        at = c.gpuscope_walk(self.raw, address, access)
        if self.gpu.caught.error is not None:
            self.gpu.raise_caught()
        if at != self._at:
            if not at:
                raise MemoryError
            self._at, self._raw = at, c.struct_gpuscope_walk.from_address(at)
        return self._raw


class Walk(Value):
    """See _gpuscope.Walk."""

    __slots__ = ("_tables", "_given", "_access", "_entries", "_flags")
    address: int
    mode: str
    mapped: bool
    space: str
    physical: int | None
    stop: str | None
    stop_text: str | None
    _tables: TablesHandle
    _given: int
    _access: int
    _entries: tuple[EntryOf, ...] | None
    _flags: str | None

    if not TYPE_CHECKING:
        def __getattr__(self, name):
            """What a walk lacks that was only asked whether it lands: walks once more."""
            if name not in self._struct.__annotations__ and name not in Walk.__slots__[3:]:
                raise AttributeError(f"a walk has no {name!r}")
            self.__init__(self._tables.walk(self._given, self._access), self._tables)
            return getattr(self, name)

    def _copied(self, raw: Any, owner: Handle) -> None:
        flags = text(c.gpuscope_walk_flags(ctypes.byref(raw)))
        self._flags = flags or "" if self.mapped else None
        self._entries = None
        if not isinstance(owner, TablesHandle):
            self._entries = _entries(raw, owner, None)
        elif not owner.gpu.still:
            # The tables may be others next time.
            lone = self.mode in ("pdp32", "pml4", "ia32e")
            self._entries = _entries(raw, owner, partial(_fields_of_number, owner.gpu, self.mode)
                                     if lone else None)

    @property
    def flags(self) -> str | None:
        """The attributes of its page: "rw,llc,pat3"; None if it is not mapped."""
        return self._flags

    @property
    def levels(self) -> tuple[EntryOf, ...]:
        """The entries that it has read."""
        if self._entries is None:
            again = partial(self._tables.walk, self._given, self._access)
            self._entries = _entries(again(), self._tables,
                                     partial(_fields_of_walk, self._tables.gpu, again))
        return self._entries

    def __repr__(self) -> str:
        if self.mapped:
            to = "null" if self.physical is None else f"{self.space} {self.physical:#x}"
            return f"<Walk {self.address:#x} -> {to} {self.flags}>"
        return f"<Walk {self.address:#x} not mapped: {self.stop_text or self.stop}>"


def _entries(raw: Any, owner: Handle, again: Callable[[EntryOf, int], Again | None] | None) \
        -> tuple[EntryOf, ...]:
    found = ListHandle(owner.gpu, c.gpuscope_walk_entries, ctypes.byref(raw), keep=owner)
    found.again = again
    return tuple(Items(c.Entry, found))


def _fields_of_walk(gpu: GpuHandle, walk: Callable[[], Any], entry: EntryOf, at: int) -> Again:
    """Of entry number `at` of a walk that can be done again."""
    def again() -> ListHandle:
        entries = ListHandle(gpu, c.gpuscope_walk_entries, ctypes.byref(walk()))
        raw = c.struct_gpuscope_entry.from_address(entries.item(at))
        return ListHandle(gpu, c.gpuscope_fields, raw.decoded, keep=entries)
    return again


def _fields_of_number(gpu: GpuHandle, mode: str, entry: EntryOf, at: int) -> Again | None:
    """Of an entry that is decoded by itself; those of nested walks are of another mode."""
    if entry.depth or entry.level is None:
        return None
    words = words_of(entry.words)
    level = entry.level.encode()

    def again() -> ListHandle:
        found = ListHandle(gpu, c.gpuscope_entry_decode, gpu.raw, c.MODE.number(mode), level,
                           words, len(words))
        raw = c.struct_gpuscope_entry.from_address(found.item(1))
        return ListHandle(gpu, c.gpuscope_fields, raw.decoded, keep=found)
    return again


class Entry(Value):
    """See _gpuscope.Entry."""

    __slots__ = ()
    level: str | None
    index: int
    address: int
    entry: int | None

    def _fields(self, decoded: Any, owner: Handle) -> Fields:
        if decoded and isinstance(owner, ListHandle) and owner.again:
            entry: Any = self
            again = owner.again(entry, owner.at)
            if again:
                return Fields(again)
        return super()._fields(decoded, owner)

    def __repr__(self) -> str:
        entry = "not held" if self.entry is None else f"{self.entry:#x}"
        return f"<Entry {self.level} {self.index} at {self.address:#x}: {entry}>"


class Range(Value):
    """See _gpuscope.Range."""

    __slots__ = ()
    start: int
    end: int
    space: str
    physical: int | None
    shape: str
    flags: str

    def __repr__(self) -> str:
        to = "null" if self.physical is None else f"{self.space} {self.physical:#x}"
        return f"<Range {self.start:#x}-{self.end:#x} -> {to} {self.shape} {self.flags}>"


class Finding(Value):
    """See _gpuscope.Finding."""

    __slots__ = ()
    rule: str
    where: str | None
    text: str | None

    def __str__(self) -> str:
        return f"{self.rule} {self.where}: {self.text}"

    def __repr__(self) -> str:
        return f"<Finding {self}>"


# ---- commands and instructions ------------------------------------------------------------------

def words_of(words: Sequence[int]) -> Any:
    """An array of dwords."""
    return (ctypes.c_uint32 * len(words))(*(checked(word, "dword", 32) for word in words))


def commands_options(**given: Any) -> Any:
    """struct gpuscope_commands_options; `words` are a sequence."""
    words = given.pop("words", None)
    options = c.struct_gpuscope_commands_options(**given)
    options.size = ctypes.sizeof(options)
    if words is not None:
        options.words, options.word_count = words_of(words), len(words)
    return options


def _command_fields(gpu: GpuHandle, words: Sequence[int], address: int, run: Any) -> ListHandle:
    options = commands_options(engine=run._raw.engine, process=run.process, words=words,
                               address=ctypes.pointer(ctypes.c_uint64(address)), no_follow=True,
                               past_end=True)
    found = ListHandle(gpu, c.gpuscope_commands, gpu.raw, ctypes.byref(options), keep=options)
    raw = c.struct_gpuscope_command.from_address(found.item(1))
    return ListHandle(gpu, c.gpuscope_fields, raw.decoded, keep=found)


class Command(Value):
    """See _gpuscope.Command."""

    __slots__ = ()
    run: Any
    address: int
    name: str
    status: str
    words: tuple[int, ...]

    def _fields(self, decoded: Any, owner: Handle) -> Fields:
        if not decoded or owner.gpu is None:
            return Fields({}, f"{self.name} could not be decoded")
        return Fields(partial(_command_fields, owner.gpu, self.words, self.address, self.run))

    def __repr__(self) -> str:
        status = "" if self.status == "ok" else f" ({self.status})"
        words = " ".join(f"{word:08x}" for word in self.words[:4])
        return f"<Command {self.address:#x} {self.name}{status}: {words}" \
            f"{' ...' if len(self.words) > 4 else ''}>"


def _instruction_fields(gpu: GpuHandle, program: bytes, syntax: int) -> ListHandle:
    found = ListHandle(gpu, c.gpuscope_program, gpu.raw, program, len(program), syntax,
                       keep=program)
    raw = c.struct_gpuscope_instruction.from_address(found.item(1))
    return ListHandle(gpu, c.gpuscope_fields, raw.decoded, keep=found)


class Instruction(Value):
    """See _gpuscope.Instruction."""

    __slots__ = ()
    offset: int
    bytes: int
    text: str | None

    def _fields(self, decoded: Any, owner: Handle) -> Fields:
        if not decoded or owner.gpu is None:
            return Fields({})
        program, syntax = owner.keep
        part = program[self.offset:self.offset + self.bytes]
        return Fields(partial(_instruction_fields, owner.gpu, part, syntax))

    def __str__(self) -> str:
        return self.text or ""

    def __repr__(self) -> str:
        return f"<Instruction {self.offset:#x} {self.text}>"


# ---- others -------------------------------------------------------------------------------------

class Platform(Value):
    """See _gpuscope.Platform."""

    __slots__ = ()
    name: str

    def __str__(self) -> str:
        return self.name


class Hang(Value):
    """See _gpuscope.Hang."""

    __slots__ = ("_owner",)
    verdict: str
    signature: str
    _owner: Handle

    def _copied(self, raw: Any, owner: Handle) -> None:
        self._owner = owner

    def check(self) -> Items[FindingOf]:
        """Findings about the whole state, and what makes it doubtful."""
        return Items(c.Finding, ListHandle(self._owner.gpu, c.gpuscope_hang_check,
                                           self._owner.raw, keep=self._owner))

    def __str__(self) -> str:
        return self.verdict

    def __repr__(self) -> str:
        return f"<Hang {self.signature}: {self.verdict}>"


# ---- memory by callback -------------------------------------------------------------------------

# What reads memory for the library: bytes, or the number in a register; None: absent.
Reader = Callable[[int, int], "bytes | bytearray | memoryview | int | None"]


def callback(readers: Mapping[int, Reader], caught: Caught) -> Any:
    """The member `read` of struct gpuscope_memory."""
    absent, fine = int(c.State.ABSENT), int(c.State.OK)

    def read(context: int, space: int, address: int, buffer: int, length: int) -> int:
        if caught.error is not None:
            return absent
        try:
            found = readers[space](address, length)
            if found is None:
                return absent
            if isinstance(found, int):
                found = found.to_bytes(length, "little")
            # Its own length may be anything.
            held = memoryview(found).tobytes()
            if len(held) != length:
                raise ValueError(f"{length} bytes at {address:#x} were asked for, "
                                 f"the function returned {len(held)}")
            ctypes.memmove(buffer, held, length)
            return fine
        except LookupError:
            return absent
        except StopIteration as error:
            caught.error = RuntimeError("the function raised StopIteration")
            caught.error.__cause__ = error
            return absent
        except BaseException as error:
            caught.error = error
            return absent

    if not _ours:
        _ours.append((read.__code__, sys.unraisablehook))
        sys.unraisablehook = _catch
    kind: Any = dict(c.struct_gpuscope_memory._fields_)["read"]
    return kind(read)


# The code of read(), and the hook that was there before its first use.
_ours: list[tuple[CodeType, Callable[[Any], Any]]] = []


def _catch(unraisable: Any) -> None:
    """An interrupt between the library and the first line of read() has no way back: it is raised
    from the call of the library, like the exceptions in read()."""
    code, before = _ours[0]
    trace = unraisable.exc_traceback
    while trace is not None:
        if trace.tb_frame.f_code is code:
            caught = trace.tb_frame.f_locals["caught"]
            caught.error = caught.error or unraisable.exc_value
            return
        trace = trace.tb_next
    before(unraisable)
