"""Cheats with throw-away accounts, rings, duels that are given away, and servers of one's own."""

from collections.abc import Sequence
from datetime import timedelta
from itertools import cycle
from typing import Final

from benchmarks.cheating.acts import (
    join,
    play_daily,
    play_duel,
    resign_duel,
    resign_duel_and_delete,
)
from benchmarks.cheating.findings import (
    Finding,
    forbidden,
    honest,
    is_ranked,
    placed,
    possible,
    standing,
)
from benchmarks.cheating.month import HOME, Month, Person, at
from benchmarks.cheating.with_others import RING
from bot.services.standings.keys import BoardGame
from bot.services.standings.scores import DuelFigures, FocdleFigures

_LENGTHS: Final = {HOME + 10 + length: length for length in range(9, 14)}
"""Servers of one's own, and what lengths they have."""
_DUELS_AT: Final = 17
_MINUTE: Final = timedelta(minutes=1)
_DAY: Final = timedelta(days=1)
_NEW_ACCOUNTS: Final = 20
_RING: Final = 12
_HELPERS: Final = 3
_KNOWN_AFTER: Final = 20
"""Days of duels with members, before anything else."""


async def beats_new_accounts(month: Month, people: Sequence[Person]) -> Finding:
    """A member lets twenty accounts of a day resign, one a minute."""
    me = month.person("Thrower")
    await join(month, me)
    evenings = month.days[:_KNOWN_AFTER]
    for number, (day, other) in enumerate(zip(evenings, cycle(people), strict=False)):
        await month.until(at(day, _DUELS_AT))
        await play_duel(month, *((me, other) if number % 2 else (other, me)))
    await month.until(at(evenings[-1] + _DAY, _DUELS_AT))
    before = await placed(month, BoardGame.DUELS, me)
    had = await _ranked_by(month, me)
    for number in range(_NEW_ACCOUNTS):
        alt = month.person(f"Thrown away {number}", age=-len(evenings) * _DAY)
        await resign_duel(month, me, alt)
        await month.until(month.now + _MINUTE)
    after = await placed(month, BoardGame.DUELS, me)
    has, others = await _ranked_by(month, me), await honest(month, BoardGame.DUELS, people)
    await month.until(month.end)
    trick = f"{_NEW_ACCOUNTS} accounts of a day that resign, in {_NEW_ACCOUNTS} minutes"
    return forbidden(trick, f"{before}; then {after}", others, gets=has > had)


async def _ranked_by(month: Month, person: Person) -> int:
    row = (await standing(month, BoardGame.DUELS, person)).own
    return row.figures.rating if row and row.rank and isinstance(row.figures, DuelFigures) else 0


async def beats_one_who_is_established_anew(month: Month, people: Sequence[Person]) -> Finding:
    """One account becomes established, loses, deletes its data, and does so again."""
    me, alt = month.person("Again"), month.person("Again and again")
    helpers = [month.person(f"Helper {n}", age=-2 * _DAY) for n in range(_HELPERS)]
    for number, day in enumerate(month.days):
        await month.until(at(day, _DUELS_AT))
        await join(month, me)
        await resign_duel(month, me, helpers[number % _HELPERS])
        if number % 8 == 0:
            for helper in (*helpers, *helpers):
                await resign_duel(month, alt, helper)
            await resign_duel_and_delete(month, me, alt)
    await month.until(month.end)
    return forbidden(
        "1 alt, established anew after each deletion",
        await placed(month, BoardGame.DUELS, me),
        await honest(month, BoardGame.DUELS, people),
        gets=await is_ranked(month, me),
    )


async def beats_a_ring_of_twelve(month: Month, people: Sequence[Person]) -> Finding:
    """Twelve accounts of a month play each other in one evening, and lose to the twelfth."""
    me, *ring = [month.person(f"Twelve {n}", age=31 * _DAY) for n in range(_RING)]
    await join(month, me)
    told: list[str] = []
    for evening in (month.days[0], *(day for day in month.days[1:] if day.weekday() == 0)):
        await month.until(at(evening, _DUELS_AT))
        for step in (1, 2, 3):
            for number, alt in enumerate(ring):
                await resign_duel(month, alt, ring[(number + step) % len(ring)])
        for alt in ring:
            await resign_duel(month, me, alt)
        while await month.services.upkeep.settle():
            pass
        told.append(await placed(month, BoardGame.DUELS, me))
    await month.until(month.end)
    gain = f"in an evening {told[0]}; in {len(told)} {told[-1]}"
    others = await honest(month, BoardGame.DUELS, people)
    return possible(f"{_RING} accounts that play each other", gain, others, RING)


async def is_given_duels(month: Month, people: Sequence[Person]) -> Finding:
    """The same account ends as high by duels that members give away at once, one a day."""
    me = month.person("Given")
    await join(month, me)
    for day, friend in zip(month.days, cycle(people), strict=False):
        await month.until(at(day, _DUELS_AT))
        await resign_duel(month, me, friend)
    await month.until(month.end)
    gain = await placed(month, BoardGame.DUELS, me)
    others = await honest(month, BoardGame.DUELS, people)
    return possible("all members resign to one at once, one a day", gain, others, RING)


async def plays_in_five_servers(month: Month, people: Sequence[Person]) -> Finding:
    """Five servers of one's own are five tries a date on the boards everywhere."""
    me = month.person("Five")
    for guild_id, length in _LENGTHS.items():
        await month.services.settings.change(guild_id, length=length)
        await join(month, me, guild_id)
    for person in (me, *people):
        await month.services.preferences.set_on_global_boards(person.id, on=True)
    firsts = 0
    for day in month.days:
        await month.until(at(day, 12))
        for number, guild_id in enumerate(_LENGTHS):
            (guesses,) = me.dice.choices(range(2, 8), (5, 18, 34, 27, 11, 5))
            await play_daily(month, me, guesses, guild_id)
            firsts += 0 if number else 7 - guesses
    await month.until(month.end)
    row = (await standing(month, BoardGame.FOCDLE, me, None)).own
    points = row.figures.points if row and isinstance(row.figures, FocdleFigures) else 0
    return forbidden(
        f"5 own servers, 5 tries a date; the first of each is {firsts} points",
        f"everywhere {await placed(month, BoardGame.FOCDLE, me, None)}",
        await honest(month, BoardGame.FOCDLE, people, None),
        gets=points > firsts,
    )
