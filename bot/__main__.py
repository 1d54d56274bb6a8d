"""`python -m bot`: the bot on Discord, or one process of several that share the work."""

import gc

gc.disable()  # what is loaded stays: garbage is looked for when `set_aside` has let it be

from bot.ending import end_when_told, leave

if __name__ == "__main__":
    end_when_told()

import sys
from collections.abc import Callable, Sequence
from importlib import import_module


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program.

    Args:
        arguments: what follows its name on the command line; None for the process's own.

    Returns:
        Its exit status: 0 if it was told to stop, 2 if the host must mend something before it can
        start, 3 if it may start later.
    """
    typed = sys.argv[1:] if arguments is None else arguments
    if typed:
        start: Callable[[Sequence[str]], int] = import_module("bot.starting").main
        return start(typed)
    serve: Callable[[], int] = import_module("bot.serving").main
    return serve()


if __name__ == "__main__":
    leave(main())
