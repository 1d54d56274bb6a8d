"""`python -m engine`: the games and their solvers at a terminal."""

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

from engine.errors import EngineError, ImpossibleFeedbackError, InconsistentFeedback
from engine.terminal.options import Options, RefusedError, parser
from engine.terminal.screen import LeftError, Screen, this_screen
from engine.terminal.words import GOODBYE, missing

DONE: Final = 0
CONTRADICTORY: Final = 1
REFUSED: Final = 2
CRASHED: Final = 4
INTERRUPTED: Final = 130
NOBODY_READS: Final = 141


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line; None stands for that of this process.

    Returns:
        The exit status: 0 when the command is done, the user leaves or the input ends; 1 if no
        secret explains the turns that were given; 2 if the command line is refused, or numpy is
        missing; 4 if a program of the user's crashes; 130 after Ctrl-C; 141 if nobody reads the
        output any more.
    """
    options = parser().parse_args(arguments, Options())
    if options.command is None:
        parser().print_help(sys.stderr)
        return REFUSED
    screen = this_screen(os.environ)
    name = "answer" if options.command == "play" and options.answer else options.command
    try:
        return _carry_out(screen, options, name)
    except Exception as error:
        if not options.player:
            raise
        sys.excepthook(type(error), error, error.__traceback__)
        return CRASHED


def _carry_out(screen: Screen, options: Options, name: str) -> int:
    module, function = _COMMANDS[name]
    try:
        # Other commands' modules, most of which need numpy, stay unloaded.
        carry_out = getattr(import_module(f"engine.terminal.{module}"), function)
        return CONTRADICTORY if carry_out(screen, options) is False else DONE
    except (RefusedError, EngineError, ModuleNotFoundError) as error:
        said = missing(error) if isinstance(error, ModuleNotFoundError) else error
        sys.stderr.write(f"{said}\n")
        is_false = isinstance(error.__cause__ or error, _CONTRADICTIONS)
        return CONTRADICTORY if is_false else REFUSED
    except LeftError:
        screen.show(GOODBYE)
        return DONE
    except KeyboardInterrupt:
        screen.show(f"\n{GOODBYE}")
        return INTERRUPTED
    except BrokenPipeError:
        # Otherwise flushing at exit would fail once more.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return NOBODY_READS


_CONTRADICTIONS: Final = (InconsistentFeedback, ImpossibleFeedbackError)
_COMMANDS: Final = {
    "play": ("play", "play"),
    "answer": ("solving", "answer"),
    "solve": ("solving", "show_solution"),
    "analyse": ("solving", "show_analysis"),
    "next": ("solving", "advise"),
    "explain": ("solving", "show_explanation"),
    "difficulty": ("solving", "show_difficulty"),
    "mean": ("solving", "show_mean"),
}

if __name__ == "__main__":
    sys.exit(main())
