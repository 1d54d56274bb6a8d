"""Cheats of one account."""

from collections.abc import Awaitable, Sequence
from datetime import date, timedelta
from typing import Final

from benchmarks.cheating.month import (
    EAST,
    HOME,
    WEST,
    Finding,
    Month,
    Person,
    at,
    begin_duel,
    forbidden,
    honest,
    join,
    let_bot_guess,
    placed,
    play_daily,
    standing,
    worked,
)
from bot.clock import date_in
from bot.duels.challenges import Challenge
from bot.duels.position import Options
from bot.focdle.model import Play
from bot.games.game import MOST_A_DAY
from bot.leaderboards.game import Row
from bot.leaderboards.scores import Board, BoardGame, MastermindFigures, Period
from bot.mastermind.game import Setting
from bot.mastermind.model import Stage
from bot.people.model import MOST_POSTED
from bot.stored import DateEffect

_CLUB, _OWN, _OTHER_OWN, _UNPLAYED = HOME + 1, HOME + 2, HOME + 3, HOME + 5
"""Servers with a manager who cheats."""
_PLAYS_AT: Final = 13
"""In UTC: a new date even at UTC-12."""
_HOUR: Final = timedelta(hours=1)
_DAY: Final = timedelta(days=1)
_BAD_GUESSES: Final = ("rrrr", "oooo", "yyyy")
_LEFT: Final = 8 * _DAY
"""After the month: by then, what was parked has ended."""
_CHANNEL: Final = 1
_ASKED: Final = 40
_TRIED: Final = MOST_A_DAY + 20


async def closed_boards(month: Month, people: Sequence[Person]) -> Finding:
    """Try to change the server's board of a date after half an hour's grace."""
    board = Board(BoardGame.FOCDLE, Period.DAY, previous=True, guild_id=HOME)
    closed, changed = dict[date, tuple[int, tuple[Row, ...]]](), set[date]()
    while month.now < month.end:
        await month.until(month.now + _HOUR)
        page = await month.services.standings.boards.page(board, people[0].id)
        if page.days is None or month.now < at(page.days[0], 24.6):
            continue
        if closed.setdefault(page.days[0], (page.total, page.rows)) != (page.total, page.rows):
            changed.add(page.days[0])
    gain = f"{len(changed)} of {len(closed)} closed boards changed"
    return forbidden("all that follows, on home's boards", gain, "", gets=bool(changed))


async def solves_further_west(month: Month, people: Sequence[Person]) -> Finding:
    """Solve dailies at UTC-12 whose answers are known at home."""
    me, solved = month.person("West"), 0
    await join(month, me)
    await month.services.preferences.set_zone(me.id, WEST)
    for day in month.days:
        await month.until(at(day, 24 + 10))
        solved += (await play_daily(month, me, 1, None)).on_date
    await month.until(month.end)
    return forbidden(
        f"own zone UTC-12, known answers ten hours after home: {solved}",
        await placed(month, BoardGame.FOCDLE, me),
        await honest(month, BoardGame.FOCDLE, people),
        gets=(await standing(month, BoardGame.FOCDLE, me)).own is not None,
    )


async def moves_a_server_west(month: Month, people: Sequence[Person]) -> Finding:
    """As a manager, bring back dates that have ended in the server, and solve them then."""
    me, settings = month.person("Manager"), month.services.settings
    for person in (me, *people):
        await join(month, person, _CLUB)
    await settings.change(_CLUB, zone=EAST)
    await play_daily(month, people[-1], 4, _CLUB)  # no zone changes at once from here on
    over, solved = date.min, set[date]()
    while month.now < month.end:
        await month.until(month.now + _HOUR)
        zone = (await settings.view(_CLUB)).zone
        today = date_in(zone, month.now)
        if today <= over and today not in solved:
            solved.add(today)
            await play_daily(month, me, 1, _CLUB)
        over = max(over, date_in(zone, month.now + _HOUR) - _DAY)
        await worked(_flip(month, me, _CLUB))
    return forbidden(
        f"own server moved west, dates it brought back solved: {len(solved)}",
        await placed(month, BoardGame.FOCDLE, me, _CLUB),
        await honest(month, BoardGame.FOCDLE, people),
        gets=(await standing(month, BoardGame.FOCDLE, me, _CLUB)).own is not None,
    )


async def reopens_by_choosing(month: Month, people: Sequence[Person]) -> Finding:
    """As a manager, reopen ended dates by choosing zones where no daily was ever opened."""
    me, settings = month.person("Chooser"), month.services.settings
    for person in (me, *people):
        await join(month, person, _UNPLAYED)
    await month.services.preferences.set_zone(me.id, WEST)
    await settings.change(_UNPLAYED, zone=EAST)
    solved, counted = 0, 0
    for day in month.days:
        await month.until(at(day, 24 + 10))
        await settings.change(_UNPLAYED, zone=WEST)
        solved += (await play_daily(month, me, 1, None)).on_date
        while await month.services.upkeep.settle():
            pass
        counted += (await standing(month, BoardGame.FOCDLE, me, _UNPLAYED)).own is not None
        await settings.change(_UNPLAYED, zone=EAST)
    await settings.change(_UNPLAYED, zone=WEST)
    await month.until(month.end)
    return forbidden(
        f"own server's zone chosen again and again, ended dates solved: {solved}",
        f"{counted} counted; {await placed(month, BoardGame.FOCDLE, me, _UNPLAYED)}",
        await honest(month, BoardGame.FOCDLE, people),
        gets=counted > 0
        or (await standing(month, BoardGame.FOCDLE, me, _UNPLAYED)).own is not None,
    )


async def skips_dates(month: Month, people: Sequence[Person]) -> Finding:
    """As a manager, flip the own server's zone to skip dates, and stop playing."""
    return await _skips(month, people, month.person("Skipper"), _OWN, "own server's zone flipped")


async def skips_dates_by_travelling(month: Month, people: Sequence[Person]) -> Finding:
    """Flip one's own zone, in direct messages, to skip dates."""
    return await _skips(month, people, month.person("Traveller"), None, "own zone flipped")


async def _skips(
    month: Month, people: Sequence[Person], me: Person, guild_id: int | None, trick: str
) -> Finding:
    await join(month, me)
    last = month.days[len(month.days) * 2 // 3]
    solved: list[Play] = []
    while month.now < month.end:
        await month.until(month.now + _HOUR)
        if month.now.hour == _PLAYS_AT and month.now < at(last, 24):
            solved.append(await play_daily(month, me, 3, guild_id))
        await worked(_flip(month, me, guild_id))
    excused = await _excused(month, me, solved[0])
    missed = len(month.days) - len({play.puzzle for play in solved})
    return forbidden(
        f"{trick}, dates unplayed: {missed}",
        f"{len(excused)} excused; {await placed(month, BoardGame.STREAK, me)}",
        await honest(month, BoardGame.STREAK, people),
        gets=len(excused) > 1,
    )


async def has_losses_excused(month: Month, people: Sequence[Person]) -> Finding:
    """As a manager, lose each date elsewhere that the own server's zone is about to skip."""
    me, settings, lost = month.person("Loser"), month.services.settings, set[date]()
    await join(month, me)
    await month.services.preferences.set_zone(me.id, EAST)
    plays: list[Play] = []
    while month.now < month.end:
        await month.until(month.now + _HOUR)
        if month.now.hour == _PLAYS_AT:
            plays.append(await play_daily(month, me, 3, _OTHER_OWN))
        await worked(_flip(month, me, _OTHER_OWN))
        server = await settings.view(_OTHER_OWN)
        if server.next_zone is not None and server.next_zone[0] == EAST:
            skipped = date_in(server.zone, server.next_zone[1])
            if date_in(EAST, month.now) == skipped:
                lost.add(skipped)
                await play_daily(month, me, 9, None)
    excused = lost & await _excused(month, me, plays[0])
    return forbidden(
        f"own server's zone flipped, skipped dates lost before: {len(lost)}",
        f"{len(excused)} excused; {await placed(month, BoardGame.STREAK, me)}",
        await honest(month, BoardGame.STREAK, people),
        gets=bool(excused),
    )


async def _flip(month: Month, person: Person, guild_id: int | None) -> None:
    """Change the zone to the furthest one, in a server or in direct messages.

    Not while another change is to come, and not as a correction, which brings no date back.
    """
    if guild_id is None:
        own = await month.services.preferences.view(person.id)
        if own.next_zone is None:
            await month.services.preferences.set_zone(person.id, _furthest_from(own.zone))
        return
    server = await month.services.settings.view(guild_id)
    if server.next_zone is None and server.correctable_until is None:
        await month.services.settings.change(guild_id, zone=_furthest_from(server.zone))


def _furthest_from(zone: str) -> str:
    return EAST if zone == WEST else WEST


async def _excused(month: Month, person: Person, play: Play) -> set[date]:
    """Read the dates that zone changes have excused, from the streak below a daily."""
    streak = (await month.services.daily.view(person.id, play.id)).ending.streak
    changes = () if streak is None else streak.changes
    return {change.day for change in changes if change.reason is DateEffect.EXCUSED_ZONE}


async def lets_the_bot_guess(month: Month, people: Sequence[Person]) -> Finding:
    """Guess in `play` as the bot does in `defend` against the same player."""
    me, trick = month.person("Defender"), "`defend` beside `play`"
    return await _asks_the_bot(month, people, me, trick, begins=False)


async def lets_the_bot_go_on(month: Month, people: Sequence[Person]) -> Finding:
    """Guess as the bot does after a first guess of one's own; without the bot's guess, give up."""
    me, trick = month.person("Beginner"), "`defend` after a first guess"
    return await _asks_the_bot(month, people, me, trick, begins=True)


async def _asks_the_bot(
    month: Month, people: Sequence[Person], me: Person, trick: str, *, begins: bool
) -> Finding:
    await join(month, me)
    broken = 0
    for day in month.days:
        await month.until(at(day, 15))
        # The bot guesses the same with another number of guesses left.
        for setting in (Setting(), Setting(guesses=13)):
            broken += await let_bot_guess(month, me, me, setting, begins=begins)
    await month.until(month.end)
    page = await standing(month, BoardGame.MASTERMIND, me)
    figures = page.own.figures if page.own is not None else page.own_figures
    solved = figures.solved if isinstance(figures, MastermindFigures) else 0
    return forbidden(
        f"{trick}, codes the bot broke: {broken}",
        await placed(month, BoardGame.MASTERMIND, me),
        await honest(month, BoardGame.MASTERMIND, people),
        gets=broken > 0 and solved > 0,
    )


async def parks_bad_games(month: Month, people: Sequence[Person]) -> Finding:
    """Keep bad ranked games from ending, by dismissing them every day."""
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
    """Let the bot break a code like the opponent's in a rated duel."""
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
        duels.defending.open_sealed(me.id, game.duel.rules, "0123"),
        duels.playing.set_secret(me.id, bots.duel.id, "0123"),
    )
    got = [await worked(way) for way in ways]
    await duels.playing.resign(me.id, game.duel.id)
    trick = f"a solver beside a rated duel, ways tried: {len(got)}"
    return forbidden(trick, f"{sum(got)} let in", "", gets=any(got))


async def calls_everybody(month: Month, people: Sequence[Person]) -> Finding:
    """Challenge forty members within a minute, withdrawing each challenge."""
    me, inviting = month.person("Caller"), month.services.duels.inviting
    others = [month.person(f"Called {n}") for n in range(_ASKED)]
    for person in (me, *others, *people):
        await join(month, person)
    await month.until(at(month.days[0], 18))
    made = 0
    for other in others:
        challenge = Challenge(me.id, other.id, HOME, _CHANNEL)
        if not await worked(inviting.prepare(challenge)):
            continue
        game = await inviting.challenge(challenge, Options(), "0123")
        await inviting.withdraw(me.id, game.duel.id)
        made += 1
    trick = f"challenges withdrawn at once, members asked: {len(others)}"
    return forbidden(trick, f"{made} made", "", gets=made > MOST_POSTED)


async def begins_without_end(month: Month, people: Sequence[Person]) -> Finding:
    """Begin practices and give them up, one after another."""
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
