"""``python -m tools.trees``: build the solvers' data files.

``--only`` builds one file, as ``bulls-3-mean.txt``; ``--jobs`` is the number of processes, and
``--out`` the directory to write to.
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from tqdm import tqdm

from engine import solvers
from tools.trees import focdle_trees, openings
from tools.trees.focdle_trees import FOCDLE_STRATEGIES
from tools.trees.strategies import STRATEGIES, Progress, amount, build

_DATA: Final = Path(solvers.__file__).parent / "data"


Build = Callable[[int, Progress], str]
"""Makes a file's text, given how many processes may work and whom to tell of progress."""

# Each file with its amount of work, in any unit.
FILES: Final[dict[str, tuple[Callable[[], int], Build]]] = {
    openings.FILE_NAME: (openings.amount, openings.build),
    **{
        each.file_name: (partial(focdle_trees.amount, each), partial(focdle_trees.build, each))
        for each in FOCDLE_STRATEGIES
    },
    **{each.file_name: (partial(amount, each), partial(build, each)) for each in STRATEGIES},
}


def main() -> None:
    parser = ArgumentParser(prog="python -m tools.trees", description=__doc__)
    parser.add_argument("--only", choices=FILES, metavar="FILE")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=_DATA)
    options = parser.parse_args()
    for name in [options.only] if options.only else FILES:
        count, make = FILES[name]
        with tqdm(total=count(), desc=name, unit="") as bar:
            text = make(options.jobs, bar.update)
        (options.out / name).write_text(text, encoding="ascii", newline="\n")
        sys.stdout.write(text.partition("\n")[0] + "\n")


if __name__ == "__main__":
    main()
