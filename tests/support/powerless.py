"""Root without its power over files: modes hold for this process as for anybody."""

import ctypes
import os
from typing import Final

# https://man7.org/linux/man-pages/man2/capset.2.html
_VERSION_3: Final = 0x20080522
_OVERRIDE, _READ_SEARCH = 1, 2


class _Header(ctypes.Structure):
    _fields_ = [("version", ctypes.c_uint32), ("pid", ctypes.c_int)]


class _Data(ctypes.Structure):
    _fields_ = [(name, ctypes.c_uint32) for name in ("effective", "permitted", "inheritable")]


def lose_power_over_files() -> None:
    """Let modes of files hold for this process from here on; for others than root they do.

    Raises:
        OSError: this system does not let it.
    """
    if os.getuid():
        return
    library = ctypes.CDLL(None, use_errno=True)
    header, data = _Header(_VERSION_3, 0), (_Data * 2)()
    _require(library.capget(ctypes.byref(header), ctypes.byref(data)))
    for name in ("effective", "permitted", "inheritable"):
        kept = getattr(data[0], name) & ~(1 << _OVERRIDE | 1 << _READ_SEARCH)
        setattr(data[0], name, kept)
    _require(library.capset(ctypes.byref(header), ctypes.byref(data)))


def _require(result: int) -> None:
    if result:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
