"""Work that is called by its name, and the process that does it."""

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
    """A function that is imported where it is called: whoever only sends it needs none of it.

    Attributes:
        module: where it is.
        name: what it is called there.
    """

    module: str
    name: str

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function returns."""
        return self.found()(*args, **kwargs)

    def found(self) -> Callable[P, T]:
        """The function itself."""
        found: Callable[P, T] = getattr(import_module(self.module), self.name)
        return found


# How a worker begins: a process that does what it is handed, one piece after the other. It imports
# only what its work needs, and knows nothing of the bot but what it is handed.

# What a program needs to run at all; secrets of the host's are not among it.
_KEPT: Final = frozenset(
    {"PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH"}
    | {"SYSTEMROOT", "USERPROFILE", "LOCALAPPDATA", "APPDATA", "MPLCONFIGDIR", "XDG_CACHE_HOME"}
    | {"PYTHONHOME", "PYTHONPATH"}
)
# One core each: the libraries would start threads for all of them.
_FIXED: Final = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
_NICENESS: Final = 10
"""How far a worker stands back where the bot wants the same core."""


def begin() -> None:
    """Make a worker of this process."""
    threading.Thread(target=_end_with_the_bot, daemon=True).start()
    # Who stops the bot in a terminal stops all of its group: the bot ends its workers itself.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    for name in [name for name in os.environ if name.upper() not in _KEPT]:
        del os.environ[name]
    os.environ.update(_FIXED)
    os.chdir(Path(__file__).anchor)  # not where the host's settings lie
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):  # what a library prints is nobody's
        os.dup2(nowhere, stream)


def _end_with_the_bot() -> None:
    """End the process when the bot has ended, however that was, and whatever is being done."""
    bot = parent_process()
    if bot is not None:
        bot.join()
        os._exit(0)
