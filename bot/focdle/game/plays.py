"""A play of any kind, within an open transaction: read it, guess, end it, on its date or later."""

import logging
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from bot.clock import date_in, start_of
from bot.dailies import GRACE, PuzzleName, number_of
from bot.db import keys
from bot.db.database import Transaction
from bot.focdle.game import streak_keeping
from bot.focdle.game.endings import ended
from bot.focdle.model.errors import GuessRefusedError, NoSuchPlayError, NotYourPlayError
from bot.focdle.model.play import Play
from bot.focdle.store import pars, plays
from bot.focdle.store.plays import PlayRow
from bot.leaderboards.game import update
from bot.leaderboards.game.calendars import Calendars
from bot.leaderboards.game.player_rows import Sheet
from bot.leaderboards.model.keys import GLOBAL
from bot.people.game.places import Place, find_place
from bot.people.model.preferences import Asking
from bot.people.store import members
from bot.posts.game.finishers_threads import note_finisher
from bot.posts.store import reminders, running
from engine import Code, EngineError, Focdle, Game, GameOverError, Marks, replay
from engine.feedback import check_consistent

log = logging.getLogger(__name__)


async def begin(
    tx: Transaction,
    player_id: int,
    place: Place,
    puzzle_id: int,
    now: datetime,
    *,
    is_spent: bool = False,
) -> Play:
    """A new play of a stored puzzle, which keeps the place it is opened in.

    Args:
        tx: the transaction.
        player_id: the player.
        place: where it is opened.
        puzzle_id: the puzzle.
        now: the present instant.
        is_spent: whether its date counts by another one already, of which nothing is left.
    """
    play_id = await plays.add(
        tx,
        puzzle_id=puzzle_id,
        player_id=player_id,
        guild_id=place.guild_id,
        zone=place.zone,
        opened_at=now,
        first_of_date=False if is_spent else None,
    )
    return await read_own(tx, player_id, play_id, now)


async def read_own(tx: Transaction, player_id: int, play_id: int, now: datetime) -> Play:
    """A player's own play.

    Raises:
        NoSuchPlayError, NotYourPlayError: it is not this player's.
    """
    return await _with_aftermath(tx, await read_bare(tx, player_id, play_id, now), now)


async def read_bare(tx: Transaction, player_id: int, play_id: int, now: datetime) -> Play:
    """A player's own play without what came of it.

    Raises:
        As `read_own`.
    """
    row = await plays.get(tx, play_id)
    if row is None:
        raise NoSuchPlayError
    if row.player_id != player_id:
        raise NotYourPlayError
    return _read(row, now)


async def bring_back(tx: Transaction, play: Play) -> Play:
    """A play that is listed again if it was dismissed: its player has turned to it after all."""
    if play.is_dismissed:
        await plays.set_dismissed(tx, play.id, None)
    return replace(play, is_dismissed=False)


async def make_guess(
    tx: Transaction, play: Play, text: str, now: datetime, *, as_probe: bool = False
) -> tuple[Play, GuessRefusedError | None]:
    """Play a guess, or say why not; a refused one costs nothing."""
    try:
        game = guessed(play, text, as_probe=as_probe)
    except GuessRefusedError as error:
        return play, error
    if not play.game.turns:
        await _begin(tx, play, now)
    await plays.add_guess(
        tx, play.id, turn=len(play.game.turns), code=game.turns[-1].guess, guessed_at=now
    )
    play = await bring_back(tx, replace(play, game=game))
    if game.outcome is not None:
        play = await _finish(tx, play, now)
    return play, None


def guessed(play: Play, text: str, *, as_probe: bool = False) -> Game[Marks]:
    """The game of a play after what was typed; nothing is stored of it.

    What its player wants to be asked about is refused, unless it is meant as a probe.

    Raises:
        GuessRefusedError: it is no guess that may be made.
    """
    try:
        if play.game.outcome is not None:
            raise GameOverError
        code = play.rules.parse(text)
        game = play.game.guess(code)
        if not as_probe:
            _check_wanted(play, code)
    except EngineError as error:
        raise GuessRefusedError(play=play, text=text, cause=error) from error
    return game


async def end_practice(tx: Transaction, play: Play, now: datetime) -> Play:
    """Lose a practice that its player gives up; a daily, and what is over, stay as they are."""
    if play.puzzle is not None or play.game.outcome is not None:
        return play
    return await _finish(tx, replace(play, game=play.game.give_up()), now)


async def _begin(tx: Transaction, play: Play, now: datetime) -> None:
    """Note what a play's first guess decides: its mode, and whether its date counts by it."""
    if play.rules.hard:
        await plays.set_hard(tx, play.id)
    if play.puzzle is not None:
        on_date = _is_on_date(play, play.puzzle.day, now)
        number = play.puzzle.number
        await plays.note_first(tx, play.id, play.player_id, number, on_date=on_date)


def _check_wanted(play: Play, code: Code) -> None:
    """Accept a guess about which its player is not to be asked first.

    Raises:
        FalseEquationError, ContradictionError: as the player has chosen.
    """
    if play.asks == Asking.IMPOSSIBLE:
        check_consistent(code, play.history)
    if play.asks != Asking.NOTHING:
        play.rules.check_true(code)


def played(play: Play, refusal: GuessRefusedError | None) -> Play:
    """The play after its transaction, logged without its codes; or the refusal, raised."""
    if refusal is not None:
        log.info("play %d: guess refused, %s", play.id, refusal.cause)
        raise refusal
    outcome = play.game.outcome
    state = "goes on" if outcome is None else outcome.value
    name = play.puzzle or "practice"
    log.info("play %d of %s: %d guesses, %s", play.id, name, len(play.game.turns), state)
    return play


async def _finish(tx: Transaction, play: Play, now: datetime) -> Play:
    outcome = play.game.outcome
    if outcome is None:
        raise RuntimeError("only a game that is over can be finished")
    on_date = play.puzzle is not None and _is_on_date(play, play.puzzle.day, now)
    await plays.finish(tx, play.id, outcome=outcome.value, finished_at=now, on_date=on_date)
    play = replace(play, on_date=on_date, finished_at=now, is_new=False)
    play = await _beside_today(tx, play, now)
    if play.puzzle is None:
        return await ended(tx, play)
    scopes, calendars = await _homes(tx, play)
    there = scopes if play.guild_id is None else {*scopes, play.guild_id}
    await tx.about(*map(keys.server, there))
    sheet = None
    if on_date:
        sheet = await Sheet.read(tx, play.player_id, now, scopes)
        await update.count_daily(tx, sheet, calendars, play.puzzle)
    await note_finisher(tx, play.player_id, play.guild_id, play.puzzle, now)
    streak, shares_to = await streak_keeping.refresh(tx, play.player_id, now, sheet), None
    if play.guild_id is not None:
        shares_to = await running.goes_to(tx, play.player_id, play.guild_id)
    told = replace(play, streak=streak, shares_to=shares_to)
    play = await _compared(tx, told, play.puzzle, scopes, calendars)
    return await ended(tx, play)


def _is_on_date(play: Play, day: date, now: datetime) -> bool:
    """Whether a play ends while its date is today where it was opened, or soon enough after."""
    midnight = start_of(day + timedelta(days=1), play.zone)
    was_opened_in_time = start_of(day, play.zone) <= play.opened_at < midnight
    return was_opened_in_time and now < midnight + GRACE


async def _with_aftermath(tx: Transaction, play: Play, now: datetime) -> Play:
    """A play that is over, with what came of it."""
    if play.game.outcome is None:
        return play
    play = await _beside_today(tx, play, now)
    if play.puzzle is None:
        return await ended(tx, play)
    streak = await streak_keeping.refresh(tx, play.player_id, now)
    homes = await _homes(tx, play)
    play = await _compared(tx, replace(play, streak=streak), play.puzzle, *homes)
    return await ended(tx, play)


async def _beside_today(tx: Transaction, play: Play, now: datetime) -> Play:
    """A play that is over, and whether the day's puzzle is still to be finished."""
    if play.is_today:
        return play
    place = await find_place(tx, player_id=play.player_id, guild_id=play.guild_id, now=now)
    number = number_of(date_in(place.zone, now))
    states = await plays.outcomes(tx, play.player_id, [number], place.length)
    return replace(play, is_today_left=states.get(number) is None)


async def _homes(tx: Transaction, play: Play) -> tuple[list[int], Calendars]:
    """Where leaderboards show a play's player; the calendars there and in the play's server."""
    scopes = await members.shown_in(tx, play.player_id, GLOBAL)
    return scopes, await Calendars.read(tx, [*scopes, play.guild_id])


async def _compared(
    tx: Transaction, play: Play, puzzle: PuzzleName, scopes: Sequence[int], calendars: Calendars
) -> Play:
    """A daily that is over, with how hard it was, which servers do not count it, and reminders."""
    finished_at = play.finished_at
    closed_in = tuple(
        scope
        for scope in filter(None, scopes)
        if play.on_date and finished_at is not None
        if calendars.length_on(scope, puzzle.day) == puzzle.length
        if calendars.is_late(scope, puzzle.day, play.opened_at, finished_at)
    )
    is_remindable = False
    if play.is_today and play.streak is not None and play.streak.length:
        plan = await reminders.plans.get(tx, play.player_id)
        is_remindable = plan is None or plan.look_at is None
    par = await pars.get(tx, puzzle.number, puzzle.length)
    return replace(play, par=par, closed_in=closed_in, is_remindable=is_remindable)


def _read(row: PlayRow, now: datetime) -> Play:
    """A play from what is stored; until its first guess, hard mode is as its player chooses."""
    choice = row.choices
    hard = row.hard if row.guesses else choice.hard_mode
    rules = replace(Focdle.decode(row.rules), hard=hard)
    game = replay(rules, row.secret, row.guesses)
    if row.finished_at is not None and game.outcome is None:
        game = game.give_up()
    today = date_in(row.zone, now)
    name = None if row.number is None else PuzzleName(row.number, row.length)
    play = Play(
        id=row.id,
        player_id=row.player_id,
        puzzle=name,
        rules=rules,
        game=game,
        on_date=row.on_date,
        is_today=name is not None and name.day == today,
        next_puzzle_at=start_of(today + timedelta(days=1), row.zone),
        guild_id=row.guild_id,
        zone=row.zone,
        opened_at=row.opened_at,
        finished_at=row.finished_at,
        palette=choice.palette,
        asks=choice.asks,
        is_learning=row.is_learning,
        is_new=row.is_new,
        is_dismissed=row.dismissed_at is not None,
        salt=row.salt,
        hints=row.hints,
    )
    return replace(play, counts=name is not None and _is_on_date(play, name.day, now))
