"""Functions by name, and the worker process that runs them."""

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from multiprocessing import parent_process
from pathlib import Path
from typing import Final, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Named(Generic[P, T]):
    """A function by name, so that the bot need not import its module."""

    module: str
    name: str

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.found()(*args, **kwargs)

    def found(self) -> Callable[P, T]:
        found: Callable[P, T] = getattr(import_module(self.module), self.name)
        return found


# The start of a worker process. It imports only what its jobs need, and gets no settings of the
# bot.

# The environment that any program needs; the host's secrets are not in it.
_KEPT: Final = frozenset(
    {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"}
    | {"SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "MPLCONFIGDIR", "XDG_CACHE_HOME"}
    | {"PYTHONHOME", "PYTHONPATH"}
)
# One core each: these libraries would start threads for all cores.
_FIXED: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_NICENESS: Final = 10
"""A worker's niceness: the bot has precedence on a shared core."""


def begin() -> None:
    """Turn this process, which was just started, into a worker."""
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    # Ctrl-C reaches the whole process group: the bot ends its workers itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    for name in [name for name in os.environ if name.upper() not in _KEPT]:
        del os.environ[name]
    os.environ.update(_FIXED)
    os.chdir(Path(__file__).anchor)  # away from the folder with the host's settings
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # libraries' output is discarded
        os.dup2(nowhere, stream)


def _end_with_the_bot() -> None:
    """Wait for the bot's end, however it ends; then exit at once, even in the middle of work."""
    bot = parent_process()
    if bot is not None:
        bot.join()
        os._exit(0)
