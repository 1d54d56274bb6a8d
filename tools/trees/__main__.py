"""``python -m tools.trees``: find anew what the solvers ship with.

``--only`` builds one file; ``--jobs`` is how many processes work at once, and ``--out`` the
directory to write to.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from tqdm import tqdm

from engine import solvers
from tools.trees import focdle_trees, openings
from tools.trees.focdle_trees import FOCDLE_STRATEGIES, FocdleStrategy
from tools.trees.strategies import STRATEGIES, Progress, Strategy, amount, build

_DATA: Final = Path(solvers.__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file that can be built.

    Attributes:
        file_name: its name; without suffix the name of the artefact.
        amount: tells how much there is to do, in any unit.
        build: makes the text, given how many processes may work and whom to tell of progress.
            The text's first line says what it is.
    """

    file_name: str
    amount: Callable[[], int]
    build: Callable[[int, Progress], str]

    @property
    def name(self) -> str:
        """What it is called on the command line."""
        return self.file_name.removesuffix(".txt")


_OPENINGS: Final = Artefact(openings.FILE_NAME, openings.amount, openings.build)


def _tree(strategy: Strategy) -> Artefact:
    return Artefact(strategy.file_name, partial(amount, strategy), partial(build, strategy))


def _focdle_tree(strategy: FocdleStrategy) -> Artefact:
    return Artefact(
        strategy.file_name,
        partial(focdle_trees.amount, strategy),
        partial(focdle_trees.build, strategy),
    )


_TREES: Final = (*map(_focdle_tree, FOCDLE_STRATEGIES), *map(_tree, STRATEGIES))
ARTEFACTS: Final = {artefact.name: artefact for artefact in (_OPENINGS, *_TREES)}


def main() -> None:
    """Build all artefacts, or one, and write them."""
    parser = ArgumentParser(prog="python -m tools.trees", description=__doc__)
    parser.add_argument("--only", choices=ARTEFACTS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=_DATA)
    options = parser.parse_args()
    for artefact in [ARTEFACTS[options.only]] if options.only else ARTEFACTS.values():
        with tqdm(total=artefact.amount(), desc=artefact.name, unit="") as bar:
            text = artefact.build(options.jobs, bar.update)
        (options.out / artefact.file_name).write_text(text, encoding="ascii", newline="\n")
        sys.stdout.write(text.partition("\n")[0] + "\n")


if __name__ == "__main__":
    main()
