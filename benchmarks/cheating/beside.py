"""Honest players whom rules against cheats could hit: friends, a club, somebody new."""

from collections.abc import Sequence
from datetime import date, timedelta
from itertools import combinations, cycle
from typing import Final

from benchmarks.cheating.acts import join, play_duel
from benchmarks.cheating.findings import Finding, innocent, is_ranked, placed
from benchmarks.cheating.month import HOME, Month, Person, at
from bot.services.standings.keys import BoardGame

_FRIENDS, _CLUB = HOME + 20, HOME + 21
"""Servers of three friends, and of a club."""
_PLAYERS: Final = 20
_DUELS_A_NIGHT: Final = 3
_EVENING: Final = 19
_COMES: Final = 10
"""The newcomer's first day, of those of the month."""


async def three_friends(month: Month, _people: Sequence[Person]) -> Finding:
    """Three friends play one another every other day, in a server of their own."""
    friends = [month.person(f"Friend {n}") for n in range(3)]
    pairs = cycle(combinations(friends, 2))
    for day in month.days[::2]:
        await month.until(at(day, _EVENING))
        for friend in friends:
            await join(month, friend, _FRIENDS)
        pair = next(pairs)
        await play_duel(month, *friends[0].dice.sample(pair, 2))
    await month.until(month.end)
    gain = await placed(month, BoardGame.DUELS, friends[0], _FRIENDS)
    return innocent("3 friends, a duel every other day", gain)


async def a_club_night(month: Month, _people: Sequence[Person]) -> Finding:
    """Twenty play three duels each on one evening a week."""
    club = [month.person(f"Club {n}") for n in range(_PLAYERS)]
    told: list[str] = []
    for day in month.days[::7]:
        await month.until(at(day, _EVENING))
        for person in club:
            await join(month, person, _CLUB)
        for _ in range(_DUELS_A_NIGHT):
            seated = club[0].dice.sample(club, len(club))
            for one, other in zip(seated[::2], seated[1::2], strict=True):
                await play_duel(month, *club[0].dice.sample((one, other), 2))
        while await month.services.upkeep.settle():
            pass
        told.append(str(sum([await is_ranked(month, person, _CLUB) for person in club])))
    await month.until(month.end)
    ranked = ", ".join(told)
    return innocent(f"club night of {_PLAYERS}, once a week", f"ranked after each: {ranked}")


async def a_newcomer(month: Month, people: Sequence[Person]) -> Finding:
    """Somebody with an account of a week plays one of the members every day."""
    me = month.person("Newcomer", age=-timedelta(days=_COMES - 7))
    ranked_on: date | None = None
    for number, day in enumerate(month.days[_COMES:]):
        await month.until(at(day, _EVENING))
        await join(month, me)
        other = people[number % len(people)]
        await play_duel(month, *((me, other) if me.dice.random() < 1 / 2 else (other, me)))
        if ranked_on is None and await is_ranked(month, me):
            ranked_on = day
    await month.until(month.end)
    days = "never" if ranked_on is None else f"day {(ranked_on - month.days[_COMES]).days + 1}"
    gain = f"{await placed(month, BoardGame.DUELS, me)}; ranked since {days}"
    return innocent("newcomer, a duel a day", gain)
