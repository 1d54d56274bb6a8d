"""Cheats of who pushes: parked games, solvers beside duels, calls and games without end."""

from collections.abc import Awaitable, Sequence
from datetime import timedelta
from typing import Final

from benchmarks.cheating.acts import begin_duel, join, worked
from benchmarks.cheating.findings import Finding, forbidden, honest, placed
from benchmarks.cheating.month import HOME, Month, Person, at
from bot.services.base.free_games import MOST_A_DAY
from bot.services.base.invitations import MOST_CALLING, MOST_MADE
from bot.services.duels.opening import Challenge
from bot.services.duels.options import Options
from bot.services.mastermind.model import Stage
from bot.services.mastermind.setting import Setting
from bot.services.standings.keys import BoardGame

_BAD_GUESSES: Final = ("rrrr", "oooo", "yyyy")
_DAY: Final = timedelta(days=1)
_LEFT: Final = 8 * _DAY
"""After the month: by then, what was parked has ended."""
_CHANNEL: Final = 1
_ASKED: Final = 40
_TRIED: Final = MOST_A_DAY + 20


async def parks_bad_games(month: Month, people: Sequence[Person]) -> Finding:
    """Ranked games that go badly are kept from ending: their row is cleared every day."""
    me, solo = month.person("Parker"), month.services.mastermind.solo
    await join(month, me)
    parked: list[int] = []
    while month.now < month.end + _LEFT:
        if month.now < month.end:
            game = await solo.open(me.id, Setting())
            for guess in _BAD_GUESSES if game.is_ranked else ():
                if game.ending is None:
                    game = await solo.guess(me.id, game.id, guess)
            if game.is_ranked:
                parked.append(game.id)
        for game_id in parked:
            await worked(solo.clear(me.id, game_id))
        await month.until(month.now + _DAY)
    games = [await solo.view(me.id, game_id) for game_id in parked]
    kept = sum(game.stage is Stage.PLAYING for game in games)
    return forbidden(
        f"ranked games parked: {len(parked)}, never counted: {kept}",
        await placed(month, BoardGame.MASTERMIND, me),
        await honest(month, BoardGame.MASTERMIND, people),
        gets=kept > 0,
    )


async def has_the_bot_solve_beside(month: Month, people: Sequence[Person]) -> Finding:
    """In a rated duel the bot is to break a code like the opponent's, by whatever name."""
    me, other = month.person("Solver"), month.person("Solved")
    for person in (me, other, *people):
        await join(month, person)
    await month.until(at(month.days[0], 17))
    game, _numbers = await begin_duel(month, me, other)
    defence, duels = month.services.mastermind.defence, month.services.duels
    bots = await duels.inviting.challenge(Challenge(me.id, None), Options())
    ways: tuple[Awaitable[object], ...] = (
        defence.open(me.id, Setting(pegs=4, colours=10, repeats=False)),
        defence.open(me.id, Setting(pegs=4, colours=10)),
        defence.open(me.id, Setting(pegs=4, colours=9, repeats=False)),
        duels.defending.open(me.id, Options()),
        duels.defending.open_sealed(me.id, game.rules, "0123"),
        duels.playing.set_secret(me.id, bots.id, "0123"),
    )
    got = [await worked(way) for way in ways]
    await duels.playing.resign(me.id, game.id)
    trick = f"a solver beside a rated duel, ways tried: {len(got)}"
    return forbidden(trick, f"{sum(got)} let in", "", gets=any(got))


async def calls_everybody(month: Month, people: Sequence[Person]) -> Finding:
    """A challenge, withdrawn, then the next: forty members within a minute."""
    me, inviting = month.person("Caller"), month.services.duels.inviting
    others = [month.person(f"Called {n}") for n in range(_ASKED)]
    for person in (me, *others, *people):
        await join(month, person)
    await month.until(at(month.days[0], 18))
    made, calls = 0, 0
    for other in others:
        challenge = Challenge(me.id, other.id, HOME, _CHANNEL)
        if not await worked(inviting.prepare(challenge)):
            continue
        game = await inviting.challenge(challenge, Options(), "0123")
        await inviting.withdraw(me.id, game.id)
        made, calls = made + 1, calls + game.calls
    gets = made > MOST_MADE or calls > MOST_CALLING
    trick = f"challenges withdrawn at once, members asked: {len(others)}"
    return forbidden(trick, f"{made} made, {calls} pinged", "", gets=gets)


async def begins_without_end(month: Month, people: Sequence[Person]) -> Finding:
    """Practices are begun and given up, one after another."""
    me, practice = month.person("Beginner without end"), month.services.practice
    for person in (me, *people):
        await join(month, person)
    await month.until(at(month.days[0], 19))
    begun = 0
    for _practice in range(_TRIED):
        if not await worked(practice.open(me.id, HOME, 7)):
            break
        play = await practice.open(me.id, HOME, 7)
        await practice.give_up(me.id, play.id)
        begun += 1
    return forbidden(
        f"practices in a day, tried: {_TRIED}", str(begun), "", gets=begun > MOST_A_DAY
    )
