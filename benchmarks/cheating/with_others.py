"""Cheats with other accounts, and honest players whom rules against them could hurt."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import date, timedelta
from itertools import combinations, cycle
from typing import Final

from benchmarks.cheating.month import (
    EAST,
    HOME,
    Finding,
    Month,
    Person,
    at,
    delete_in_duel,
    forbidden,
    honest,
    innocent,
    is_ranked,
    join,
    let_bot_guess,
    placed,
    play_daily,
    play_duel,
    possible,
    resign_duel,
    resign_duel_and_delete,
    standing,
    worked,
)
from bot.leaderboards.scores import BoardGame, DuelFigures, FocdleFigures
from bot.mastermind.game import Setting

_ALTS: Final = 3
_DUELS_AT: Final = 16
_LATE_DUELS_AT: Final = 17
_DAY: Final = timedelta(days=1)

# Sentences of the rules about cheats that cannot be prevented.
_PLAYED_FIRST: Final = "A second account may play the day's puzzle first."
_PLAYED_EARLIER: Final = "A day begins earlier further east, and somebody may hear its answer"
_ASKED: Final = "A second account may ask `/mastermind defend` what to guess in a ranked game"
OLD_ACCOUNTS: Final = "Three older accounts of one person may make a first place among duels"

Way = Callable[[Month, Person, Person], Awaitable[None]]
"""How a duel goes between who wins it and who loses it."""
_LENGTHS: Final = {HOME + 10 + length: length for length in range(9, 14)}
"""Servers of one's own, and what lengths they have."""
_MINUTE: Final = timedelta(minutes=1)
_NEW_ACCOUNTS: Final = 20
_MANY: Final = 13
_KNOWN_AFTER: Final = 20
"""Days of duels with members, before anything else."""
_FRIENDS, _CLUB = HOME + 20, HOME + 21
"""Servers of three friends, and of a club."""
_PLAYERS: Final = 20
_DUELS_A_NIGHT: Final = 3
_EVENING: Final = 19
_COMES: Final = 10
"""The newcomer's first day, of those of the month."""


async def beats_alts_that_resign(month: Month, people: Sequence[Person]) -> Finding:
    """Duel three old alts, which resign."""
    me, won = await _beats_alts(month, "resign", resign_duel)
    trick = f"3 alts that resign, duels won: {won}"
    return await _possible(month, people, BoardGame.DUELS, me, trick, OLD_ACCOUNTS)


async def beats_alts_that_delete(month: Month, people: Sequence[Person]) -> Finding:
    """Duel three alts, which delete their data in every duel."""
    return await _beats_who_delete(month, people, "delete in a duel", delete_in_duel)


async def beats_alts_that_begin_anew(month: Month, people: Sequence[Person]) -> Finding:
    """Duel three alts, which resign, then delete their data."""
    return await _beats_who_delete(month, people, "resign, then delete", resign_duel_and_delete)


async def _beats_who_delete(month: Month, people: Sequence[Person], what: str, way: Way) -> Finding:
    me, won = await _beats_alts(month, what, way)
    await month.until(month.end)
    return forbidden(
        f"3 alts that {what}, duels won: {won}",
        await placed(month, BoardGame.DUELS, me),
        await honest(month, BoardGame.DUELS, people),
        gets=await is_ranked(month, me),
    )


async def _beats_alts(month: Month, what: str, way: Way) -> tuple[Person, int]:
    me, alts = _gang(month, what)
    won = 0
    for day in month.days:
        await month.until(at(day, _DUELS_AT))
        for person in (me, *alts):
            await join(month, person)
        for alt in alts:
            won += await worked(way(month, me, alt))
    return me, won


async def hears_from_the_east(month: Month, people: Sequence[Person]) -> Finding:
    """Learn a date's answer from a friend further east."""
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
    """Learn the day's answer from an alt, which loses."""
    me, alt = month.person("Twice"), month.person("Twice again")
    for day in month.days:
        await month.until(at(day, 9))
        await join(month, me)
        await play_daily(month, alt, 9, None)
        await play_daily(month, me, 1)
    trick = "1 alt that plays the daily first"
    return await _possible(month, people, BoardGame.FOCDLE, me, trick, _PLAYED_FIRST)


async def lets_an_alt_ask_the_bot(month: Month, people: Sequence[Person]) -> Finding:
    """Let an alt ask the bot to break the code that its first account must break."""
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
    return month.person(name), [month.person(f"{name} {n}") for n in range(_ALTS)]


async def beats_new_accounts(month: Month, people: Sequence[Person]) -> Finding:
    """Let twenty one-day-old accounts resign, one a minute."""
    me = month.person("Thrower")
    await join(month, me)
    evenings = month.days[:_KNOWN_AFTER]
    for number, (day, other) in enumerate(zip(evenings, cycle(people), strict=False)):
        await month.until(at(day, _LATE_DUELS_AT))
        await play_duel(month, *((me, other) if number % 2 else (other, me)))
    await month.until(at(evenings[-1] + _DAY, _LATE_DUELS_AT))
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


async def beats_twelve_accounts(month: Month, people: Sequence[Person]) -> Finding:
    """Let twelve month-old accounts resign to one on every evening."""
    me, *alts = [month.person(f"Twelve {n}", age=31 * _DAY) for n in range(_MANY)]
    await join(month, me)
    for evening in month.days:
        await month.until(at(evening, _LATE_DUELS_AT))
        for alt in alts:
            await resign_duel(month, me, alt)
    trick = f"{_MANY - 1} accounts that resign"
    return await _possible(month, people, BoardGame.DUELS, me, trick, OLD_ACCOUNTS)


async def is_given_duels(month: Month, people: Sequence[Person]) -> Finding:
    """Win duels that members give away at once, one a day."""
    me = month.person("Given")
    await join(month, me)
    for day, friend in zip(month.days, cycle(people), strict=False):
        await month.until(at(day, _LATE_DUELS_AT))
        await resign_duel(month, me, friend)
    await month.until(month.end)
    gain = await placed(month, BoardGame.DUELS, me)
    others = await honest(month, BoardGame.DUELS, people)
    return possible("all members resign to one at once, one a day", gain, others, OLD_ACCOUNTS)


async def plays_in_five_servers(month: Month, people: Sequence[Person]) -> Finding:
    """Play each date in five servers of one's own, for the boards everywhere."""
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


async def three_friends(month: Month, _people: Sequence[Person]) -> Finding:
    """Let three friends play one another every other day, in a server of their own."""
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
    """Let twenty members play three duels each on one evening a week."""
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
    """Let a one-week-old account play one of the members every day."""
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
