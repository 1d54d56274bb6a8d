"""Honest members: what they do in a month, and what they have at its end."""

from collections.abc import Coroutine, Iterator, Sequence
from datetime import timedelta
from typing import Any, Final

from benchmarks.cheating.acts import join, play_daily, play_duel, play_mastermind
from benchmarks.cheating.month import Month, Person, at

MEMBERS: Final = 8

_GUESSES: Final = (2, 3, 4, 5, 6, 7)
_WEIGHTS: Final = (5, 18, 34, 27, 11, 5)
_PLAYS: Final = 0.95
"""How likely somebody plays on a date."""
_DUELS_A_DAY: Final = 3
_MASTERMIND_EVERY: Final = 4
"""Days from one game of Mastermind to the next."""
_EDGE: Final = 0.4
"""By how much the best member is likelier to win against the least than to toss up."""
_WAKING: Final = (8, 22)


def crowd(month: Month, members: int) -> list[Person]:
    """Honest members, the best one first."""
    return [month.person(f"Member {n + 1}") for n in range(members)]


def lives(month: Month, people: Sequence[Person]) -> Iterator[Coroutine[Any, Any, None]]:
    """What they do: dailies, Mastermind, and duels with each other."""
    for person in people:
        yield _plays(month, person)
    yield _duel(month, people)


async def _plays(month: Month, person: Person) -> None:
    await join(month, person)
    for number, day in enumerate(month.days):
        await month.until(at(day, person.dice.uniform(*_WAKING)))
        await join(month, person)
        if person.dice.random() < _PLAYS:
            (guesses,) = person.dice.choices(_GUESSES, _WEIGHTS)
            await play_daily(month, person, guesses)
        if number % _MASTERMIND_EVERY == 0:
            await play_mastermind(month, person)


async def _duel(month: Month, people: Sequence[Person]) -> None:
    dice = people[0].dice
    for day in month.days:
        await month.until(at(day, _WAKING[1]))
        for _ in range(_DUELS_A_DAY):
            better, other = sorted(dice.sample(range(len(people)), 2))
            is_likely = dice.random() < 1 / 2 + _EDGE * (other - better) / (len(people) - 1)
            winner, loser = (better, other) if is_likely else (other, better)
            await play_duel(month, people[winner], people[loser])
            await month.until(month.now + timedelta(minutes=5))
