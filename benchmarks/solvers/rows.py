"""The rows of the table, with their bounds."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from typing import Final

from benchmarks.solvers import measures
from benchmarks.solvers.measures import PLAIN, Make, chance, games, search
from benchmarks.solvers.report import Bound, Figure, Findings, Rule, Watch
from engine.choice import Allowed, Goal, Strength
from engine.code_games import BullsAndCows, CodeGame, Mastermind
from engine.focdle import SHORTEST, Focdle
from engine.notation import decode
from engine.solvers.codebreaker import codebreaker
from engine.solvers.tree_files import Header

Measure = Callable[[int, Watch], Findings]
"""Measures so many games or other events, or as many as there are."""

MAIN_LENGTH: Final = 10
PERFECT: Final = "perfect"


@dataclass(frozen=True, slots=True)
class Row:
    """A row: a player or an operation, and its bounds.

    `full` is the number of games or events, 0 for all secrets; `quick` is that of a short run, None
    to leave the row out.
    """

    name: str
    method: str
    measure: Measure
    full: int
    quick: int | None
    bounds: tuple[Bound, ...] = ()

    @property
    def published(self) -> str:
        return _PUBLISHED.get(self.name, "")


def mean(limit: float) -> Bound:
    return Bound(Figure.MEAN, limit)


def most(limit: int) -> Bound:
    return Bound(Figure.MOST, limit)


def lost(limit: float) -> Bound:
    """Bound the percentage of games beyond a player's guesses."""
    return Bound(Figure.LOST, limit)


def total(limit: int, rule: Rule = Rule.AT_MOST) -> Bound:
    """Bound the total over all secrets."""
    return Bound(Figure.TOTAL, limit, rule)


def quick(median: float, worst: float | None = None) -> tuple[Bound, ...]:
    """Bound the median and the worst time of a guess, in milliseconds."""
    usually = Bound(Figure.MEDIAN, median)
    return (usually,) if worst is None else (usually, Bound(Figure.WORST, worst))


_COST: Final = quick(10, 100)
_FOCDLE: Final[dict[int, tuple[Bound, ...]]] = {
    7: (total(13_113, Rule.EXACTLY),),
    8: (total(208_616),),
    9: (mean(3.22), most(5)),
    10: (mean(3.20), most(5)),
    11: (mean(3.175), most(5)),
    12: (mean(3.075), most(5)),
    13: (mean(2.947), most(5)),
    14: (mean(2.73),),
    15: (),
}
_RESTRICTED: Final = {Allowed.FORM: 3.45, Allowed.TRUE: 3.48, Allowed.HARD: 3.54}
# Of these lengths ours plays every secret.
_HARD: Final = {
    7: (mean(3.1773), most(6), lost(0)),
    8: (mean(3.6662), most(8), lost(0.15)),
}
_GAMES: Final[dict[str, tuple[Focdle | CodeGame, int, int | None, tuple[Bound, ...]]]] = {
    **{
        f"focdle {length} any": (Focdle(length), 3_000, 100, (*bounds, *_COST))
        for length, bounds in _FOCDLE.items()
    },
    "mastermind 4x6": (Mastermind(), 0, 0, (total(5_625, Rule.EXACTLY),)),
    "mastermind 4x6 distinct": (Mastermind(repeats=False), 0, 0, (total(1_446, Rule.EXACTLY),)),
    "mastermind 4x8": (Mastermind(pegs=4, colours=8), 0, 0, (total(20_471),)),
    "mastermind 5x8": (Mastermind(pegs=5, colours=8), 0, 0, (total(178_501),)),
    "mastermind 6x10": (Mastermind(pegs=6, colours=10), 1_000, 4, quick(200)),
    "bulls 3": (BullsAndCows(3), 0, 0, (total(3_575, Rule.EXACTLY),)),
    "bulls 4": (BullsAndCows(), 0, 0, (total(26_274, Rule.EXACTLY),)),
    "bulls 5": (BullsAndCows(5), 0, 0, (total(172_053),)),
    "bulls 6": (BullsAndCows(6), 3_000, 8, (mean(6.42), *quick(40))),
    "bulls 4 repeats": (BullsAndCows(4, repeats=True), 0, None, (total(55_661), *quick(40))),
}
"""What any guesser plays: the rules, how many games as in `Row`, and what ours promises."""
_WORST: Final = {
    6: (total(5_626), most(5)),
    8: (total(20_473), most(6)),
    10: (total(55_662), most(7)),
}
"""Of Mastermind with four pegs, by the number of colours."""
_PUBLISHED: Final = {
    "focdle 7 any": "13,113, proven below",
    "mastermind 4x6": "5,625, proven (Koyama and Lai 1993)",
    "mastermind 4x6 worst": "5,626, max 5, proven (Koyama and Lai 1993)",
    "mastermind 4x6 distinct": "1,446 (arfst23/Mastermind 2023)",
    "mastermind 4x8": "20,471, max 7 (arfst23/Mastermind 2023)",
    "mastermind 4x8 worst": "20,473, max 6 (arfst23/Mastermind 2023)",
    "mastermind 4x10 worst": "56,940, max 7 (mikemag/Mastermind 2023)",
    "mastermind 5x8": "179,751, max 7 (mikemag/Mastermind 2022)",
    "mastermind 6x10": "6.5971, max 9 (mikemag/Mastermind 2022)",
    "bulls 4": "26,274, proven (Tanaka 1996)",
    "bulls 4 repeats": "56,225, max 8, as Mastermind 4x10 (mikemag/Mastermind 2022)",
}
"""The least total or mean that we know to be published, by row; if that is *worst*, of the least
maximum."""


def rows() -> Iterator[Row]:
    """Yield our rows."""
    few = {f"focdle {length} any" for length in _HARD}
    yield from (row for row in rows_of(codebreaker, PERFECT) if row.name not in few)
    for length, bounds in _HARD.items():
        yield _searched(f"focdle {length} any", length, Allowed.ANY, _FOCDLE[length])
        yield _searched(f"focdle {length} hard", length, Allowed.HARD, bounds)
    for allowed, limit in _RESTRICTED.items():
        name, bounds = f"focdle {MAIN_LENGTH} {allowed}", (mean(limit), *_COST)
        make = partial(codebreaker, allowed=allowed)
        yield Row(name, PERFECT, partial(games, Focdle(MAIN_LENGTH), make), 3_000, 100, bounds)
    for colours, bounds in _WORST.items():
        rules, make = Mastermind(pegs=4, colours=colours), partial(codebreaker, goal=Goal.WORST)
        name = f"mastermind 4x{colours} worst"
        yield Row(name, PERFECT, partial(games, rules, make), 0, 0, bounds)
    for strength, before in ((Strength.SHARP, (5.4615, 0.007)), (Strength.CASUAL, (7.4, 0.1))):
        make = partial(codebreaker, strength=strength, rng=chance(f"player {BullsAndCows()}"))
        measure, (limit, error) = partial(games, BullsAndCows(), make), before
        bound = Bound(Figure.MEAN, limit, Rule.ABOUT, error)  # another measurement's
        yield Row(f"bulls 4 {strength}", strength, measure, 3_000, 60, (bound,))
    yield from _answers()


def rows_of(make: Make, name: str) -> Iterator[Row]:
    """Yield the rows of any guesser; only ours promises anything."""
    for game, (rules, full, short, bounds) in _GAMES.items():
        promised = bounds if name == PERFECT else ()
        yield Row(game, name, partial(games, rules, make), full, short, promised)


def exhaustive(length: int) -> Row:
    """Play all secrets of FoCdle at one length; takes minutes."""
    measure = partial(search, length, Allowed.ANY, PLAIN)
    return Row(f"focdle {length} every", PERFECT, measure, 0, 0, _FOCDLE[length])


def shipped() -> Iterator[Row]:
    """Yield a row for each tree that is shipped; it promises what its header says."""
    data = files("engine.solvers").joinpath("data")
    for file in sorted(data.iterdir(), key=lambda file: file.name):
        if file.name == "openings.txt":
            continue
        header = Header.read(file.read_text(encoding="ascii").partition("\n")[0])
        rules, goal = decode(f"{header.game}/12"), header.goal.replace("both", Goal.MEAN)
        name, bounds = file.name.removesuffix(".txt"), (total(header.total), most(header.most))
        if isinstance(rules, Focdle):
            yield _searched(name, rules.length, Allowed.ANY, bounds)
        else:
            make = partial(codebreaker, goal=goal)
            yield Row(name, PERFECT, partial(games, rules, make), 0, 0, bounds)


def _searched(name: str, length: int, allowed: Allowed, bounds: tuple[Bound, ...]) -> Row:
    short = 0 if length == SHORTEST else None
    return Row(name, PERFECT, partial(search, length, allowed, 0), 0, short, bounds)


def _answers() -> Iterator[Row]:
    person = partial(measures.after_a_person, 11)
    yield Row("focdle 11 person", "next guess", person, 200, 15, (Bound(Figure.WORST, 150),))
    for length, limit in ((10, 150), (11, 300)):
        bounds = (Bound(Figure.WORST, limit), Bound(Figure.MEMORY, 250))
        measure = partial(measures.of_a_finished_game, length)
        yield Row(f"focdle {length} analysis", "whole game", measure, 200, 12, bounds)
    loop = partial(measures.beside_an_event_loop, 11)
    yield Row("event loop", "longest gap", loop, 5, 1, (Bound(Figure.WORST, 50),))
