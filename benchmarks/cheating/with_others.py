"""Cheats that need other accounts: those that fail, and those that nobody can prevent."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from itertools import combinations, cycle
from typing import Final

from benchmarks.cheating.acts import (
    delete_in_duel,
    join,
    let_bot_guess,
    play_daily,
    play_duel,
    resign_duel,
    resign_duel_and_delete,
    worked,
)
from benchmarks.cheating.findings import Finding, forbidden, honest, is_ranked, placed, possible
from benchmarks.cheating.month import EAST, Month, Person, at
from bot.services.mastermind.setting import Setting
from bot.services.standings.keys import BoardGame

_ALTS: Final = 3
_DUELS_AT: Final = 16
_DAY: Final = timedelta(days=1)

# What the rules say of what cannot be prevented.
_PLAYED_FIRST: Final = "A second account may play the day's puzzle first."
_PLAYED_EARLIER: Final = "A day begins earlier further east, and somebody may hear its answer"
_ASKED: Final = "A second account may ask `/mastermind defend` what to guess in a ranked game"
RING: Final = "Accounts may play duels with each other"
_LOSING_TO_MANY: Final = "or lose to other members as well, until they count for a rank."

Way = Callable[[Month, Person, Person], Awaitable[None]]
"""How a duel goes between who wins it and who loses it."""


async def beats_alts_that_lose(month: Month, people: Sequence[Person]) -> Finding:
    """Three alts play every duel, and lose it."""
    return await _beats_alts(month, people, "lose", play_duel)


async def beats_alts_that_resign(month: Month, people: Sequence[Person]) -> Finding:
    """Three alts resign every duel."""
    return await _beats_alts(month, people, "resign", resign_duel)


async def beats_alts_that_delete(month: Month, people: Sequence[Person]) -> Finding:
    """Three alts delete their data in every duel."""
    return await _beats_alts(month, people, "delete in a duel", delete_in_duel)


async def beats_alts_that_begin_anew(month: Month, people: Sequence[Person]) -> Finding:
    """Three alts resign every duel, and delete their data after it."""
    return await _beats_alts(month, people, "resign, then delete", resign_duel_and_delete)


async def _beats_alts(month: Month, people: Sequence[Person], what: str, way: Way) -> Finding:
    me, alts = _gang(month, what)
    won = 0
    for day in month.days:
        await month.until(at(day, _DUELS_AT))
        for person in (me, *alts):
            await join(month, person)
        for alt in alts:
            won += await worked(way(month, me, alt))
    await month.until(month.end)
    return forbidden(
        f"3 alts that {what}, duels won: {won}",
        await placed(month, BoardGame.DUELS, me),
        await honest(month, BoardGame.DUELS, people),
        gets=await is_ranked(month, me),
    )


async def beats_a_ring(month: Month, people: Sequence[Person]) -> Finding:
    """Three alts win and lose against each other, and always lose to the fourth."""
    me, alts = _gang(month, "ring")
    pairs = cycle([*combinations(alts, 2), *combinations(reversed(alts), 2)])
    for day in month.days:
        await month.until(at(day, _DUELS_AT))
        for person in (me, *alts):
            await join(month, person)
        for alt in alts:
            await worked(resign_duel(month, *next(pairs)))
            await worked(resign_duel(month, me, alt))
    return await _possible(month, people, BoardGame.DUELS, me, "3 alts that play each other", RING)


async def beats_who_loses_to_all(month: Month, people: Sequence[Person]) -> Finding:
    """Three alts resign to honest members, too."""
    me, alts = _gang(month, "loses to all")
    winners = cycle(people)
    for day in month.days:
        await month.until(at(day, _DUELS_AT))
        for person in (me, *alts):
            await join(month, person)
        for alt in alts:
            await worked(resign_duel(month, next(winners), alt))
            await worked(resign_duel(month, me, alt))
    trick = "3 alts that resign, to members too"
    return await _possible(month, people, BoardGame.DUELS, me, trick, _LOSING_TO_MANY)


async def hears_from_the_east(month: Month, people: Sequence[Person]) -> Finding:
    """A friend has a date's answer hours before it begins at home."""
    me, friend = month.person("Early"), month.person("Eastern friend")
    await month.services.preferences.set_zone(friend.id, EAST)
    for day in month.days:
        await month.until(at(day - _DAY, 20))
        await play_daily(month, friend, 9, None)
        await month.until(at(day, 1))
        await join(month, me)
        await play_daily(month, me, 1)
    trick = "1 friend where days begin earlier"
    return await _possible(month, people, BoardGame.FOCDLE, me, trick, _PLAYED_EARLIER)


async def asks_a_second_account(month: Month, people: Sequence[Person]) -> Finding:
    """An alt loses the day's puzzle and reads its answer."""
    me, alt = month.person("Twice"), month.person("Twice again")
    for day in month.days:
        await month.until(at(day, 9))
        await join(month, me)
        await play_daily(month, alt, 9, None)
        await play_daily(month, me, 1)
    trick = "1 alt that plays the daily first"
    return await _possible(month, people, BoardGame.FOCDLE, me, trick, _PLAYED_FIRST)


async def lets_an_alt_ask_the_bot(month: Month, people: Sequence[Person]) -> Finding:
    """An alt has the bot break the code that its first account is to break."""
    me, alt = month.person("Asker"), month.person("Asker again")
    await join(month, me)
    for day in month.days:
        await month.until(at(day, 15))
        await let_bot_guess(month, me, alt, Setting())
    trick = "1 alt that asks `defend`"
    return await _possible(month, people, BoardGame.MASTERMIND, me, trick, _ASKED)


async def _possible(
    month: Month,
    people: Sequence[Person],
    game: BoardGame,
    me: Person,
    trick: str,
    said: str,
) -> Finding:
    await month.until(month.end)
    return possible(trick, await placed(month, game, me), await honest(month, game, people), said)


def _gang(month: Month, name: str) -> tuple[Person, list[Person]]:
    """Somebody and three alts."""
    return month.person(name), [month.person(f"{name} {n}") for n in range(_ALTS)]
