# SPDX-License-Identifier: MIT
"""Finds libgpuscope, and refuses one that is older than this module."""
from __future__ import annotations

import ctypes
import os
import pathlib

NAME = "libgpuscope.so.1"


def _path() -> str:
    """GPUSCOPE_LIBRARY, the library of the prefix in which this package is, or the system's."""
    given = os.environ.get("GPUSCOPE_LIBRARY")
    if given:
        return given
    here = pathlib.Path(__file__).resolve()
    beside = here.parents[3] / NAME
    if here.parents[1].name in ("site-packages", "dist-packages") and beside.exists():
        return str(beside)
    return NAME


def load(version: str) -> ctypes.CDLL:
    """The library; ImportError if it is absent, or older than `version`."""
    path = _path()
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"gpuscope needs {NAME}: {error}; install the package libgpuscope1 (Debian, Ubuntu) "
            "or gpuscope, or name the file with GPUSCOPE_LIBRARY", name="gpuscope") from None
    try:
        library.gpuscope_version.restype = ctypes.c_char_p
        found: str = library.gpuscope_version().decode()
    except AttributeError:
        raise ImportError(f"{path} is not libgpuscope 1.0 or later", name="gpuscope") from None
    # Releases with the same first two numbers have the same interface.
    if _numbers(found)[:2] < _numbers(version)[:2]:
        raise ImportError(f"{path} is version {found}, this module needs {version} or later; "
                          "update libgpuscope1, or install the module of the same version",
                          name="gpuscope")
    return library


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
