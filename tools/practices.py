"""``python -m tools.practices``: draw the table of practices, as many of each length and level."""

import random
from argparse import ArgumentParser
from collections import Counter
from pathlib import Path
from typing import Final

from tqdm import tqdm

import bot.focdle
from engine.codes import Code
from engine.focdle import LONGEST, SHORTEST, Focdle
from engine.levels import Difficulty, Level
from engine.solvers.focdle.difficulty import difficulty

EACH: Final = 250
_TABLE: Final = Path(bot.focdle.__file__).parent / "data" / "practices.txt"


def practices(length: int, each: int = EACH) -> list[tuple[Difficulty, Code]]:
    """Draw so many secrets of each level, easiest first; the same ones each time."""
    rules, rng = Focdle(length), random.Random(f"practices of {length}")  # noqa: S311
    drawn: set[Code] = set()
    found: list[tuple[Difficulty, Code]] = []
    full: Counter[Level] = Counter()
    with tqdm(total=each * len(Level), desc=f"length {length}", unit="") as bar:
        while full.total() < each * len(Level) and len(drawn) < rules.size:
            secret = rules.draw(rng)
            if secret in drawn:
                continue
            drawn.add(secret)
            hard = difficulty(rules, secret)
            if full[hard.level] < each:
                full[hard.level] += 1
                found.append((hard, secret))
                bar.update()
    return sorted(found)


def main() -> None:
    parser = ArgumentParser(prog="python -m tools.practices", description=__doc__)
    parser.add_argument("--out", type=Path, default=_TABLE)
    with parser.parse_args().out.open("w", encoding="ascii", newline="\n") as table:
        for length in range(SHORTEST, LONGEST + 1):
            table.writelines(f"{code} {hard.hundredths}\n" for hard, code in practices(length))
            table.flush()


if __name__ == "__main__":
    main()
