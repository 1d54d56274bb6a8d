"""Steps of use cases within a transaction: naming a puzzle, reading, guessing, ending a play."""

import logging
import re
import secrets
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Final

from bot.clock import (
    FIRST_DAY,
    LONGEST_DAILY,
    SHORTEST_DAILY,
    PuzzleName,
    date_in,
    day_of,
    number_of,
    start_of,
)
from bot.db import facts, keys
from bot.db.database import Transaction
from bot.focdle import store, streak_keeping
from bot.focdle.model import (
    MILESTONES,
    Feat,
    FuturePuzzleError,
    GuessRefusedError,
    News,
    NoSuchPlayError,
    NoSuchPuzzleError,
    NotYourPlayError,
    Play,
    UnreadablePuzzleError,
    WhichPuzzleError,
    change_of,
    goal_of,
    news_of,
)
from bot.games.model import KeyedIntegers
from bot.leaderboards import game as leaderboards_game
from bot.leaderboards.game import Calendars, Sheet
from bot.moderation import store as moderation_store
from bot.people.game import Place, deleted_until, find_place
from bot.people.model import Asking
from bot.refused import NoSuchDailyLengthError
from bot.text.language import is_day_first
from engine import Code, EngineError, Focdle, Game, GameOverError, Marks, Outcome
from engine.feedback import check_consistent

# Derivation of dailies' secrets from the key; the same with every version of every library. A
# change here, in the integers or in how `Focdle.draw` uses them, changes the secrets of days to
# come. A golden test holds all of it.

SHORTEST_KEY: Final = 16
FEWEST_CHARACTERS: Final = 6
_KEY_FACT: Final = "puzzle_key"


class WeakKeyError(Exception):
    """The given key can be guessed, and no daily depends on it yet."""


def derive_secret(key: str, puzzle: PuzzleName) -> Code:
    label = f"focdle daily 1/{puzzle.number}/{puzzle.length}"
    return Focdle(puzzle.length).draw(KeyedIntegers(key, label))


def is_weak(key: str) -> bool:
    """True if a key is so short, or has so few different characters, that others could guess it."""
    return len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS


def fix_key(tx: Transaction, given: str | None) -> str:
    """Return the key of future puzzles: the given one or, without it, the database's own.

    The first call without a given key makes and stores the database's own.

    Raises:
        WeakKeyError: the given key can be guessed, and no daily depends on it yet.
    """
    if given is not None:
        if is_weak(given) and not store.has_dailies(tx):
            raise WeakKeyError
        return given
    key = facts.get(tx, _KEY_FACT)
    if key is None:
        key = secrets.token_hex(32)
        facts.put(tx, _KEY_FACT, key)
    return key


_NUMBER: Final = re.compile(r"#?\s*(\d{1,9})", re.ASCII)
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DOTTED_DATE: Final = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}))?", re.ASCII)
_SLASHED_DATE: Final = re.compile(r"(\d{1,2})\s*/\s*(\d{1,2})(?:\s*/\s*(\d{4}))?", re.ASCII)
_LENGTH: Final = re.compile(r"\d{1,9}", re.ASCII)
_DAYS_AGO: Final = {"today": 0, "yesterday": 1}


def name_puzzle(text: str | None, *, today: date, zone: str, length: int) -> PuzzleName:
    """Read the daily that a text names: ``318``, ``#318/9``, ``2026-11-14``, ``14.11.``.

    An empty text means today's. Without ``#``, ``11/9`` is a date if there is such a date up to
    today, with the day or the month first as in the current language, and otherwise a number and a
    length.

    Raises:
        WhichPuzzleError: the text can mean two dailies.
        Refused: the text names no daily of today or before.
    """
    today_number = number_of(today)
    if today_number < 1:
        raise NoSuchPuzzleError(first_day=FIRST_DAY, today=today_number)
    text = (text or "").strip()
    day = _slashed_day(text, today)
    if day is not None:
        of_date, (which, other) = PuzzleName(number_of(day), length), split_length(text, 0)
        if other and 1 <= int(which) <= today_number:
            raise WhichPuzzleError(of_date=of_date, of_number=PuzzleName(int(which), other))
        return of_date
    which, slash, typed_length = (part.strip() for part in text.partition("/"))
    if slash:
        length = _read_length(typed_length, text)
    number = _read_number(which, text, today) if which else today_number
    if number < 1:
        raise NoSuchPuzzleError(first_day=FIRST_DAY, today=today_number)
    if number > today_number:
        try:
            day = day_of(number)
            opens_at = start_of(day, zone)
        except OverflowError:  # beyond the calendar's last year
            raise UnreadablePuzzleError(text=str(number)) from None
        raise FuturePuzzleError(number=number, day=day, opens_at=opens_at, today=today_number)
    return PuzzleName(number, length)


def is_number(text: str) -> bool:
    return _LENGTH.fullmatch(text) is not None


def split_length(typed: str, usual: int) -> tuple[str, int]:
    """Split a text such as `318/9` into what stands before the slash and a length.

    The length is `usual` if the text has none, or one that no daily has.
    """
    which, _slash, digits = (part.strip() for part in typed.partition("/"))
    if is_number(digits) and SHORTEST_DAILY <= int(digits) <= LONGEST_DAILY:
        return which, int(digits)
    return which, usual


def _read_length(digits: str, text: str) -> int:
    if not is_number(digits):
        raise UnreadablePuzzleError(text=text)
    length = int(digits)
    if not SHORTEST_DAILY <= length <= LONGEST_DAILY:
        raise NoSuchDailyLengthError(length=length, shortest=SHORTEST_DAILY, symbols=LONGEST_DAILY)
    return length


def _read_number(which: str, text: str, today: date) -> int:
    if match := _NUMBER.fullmatch(which):
        return int(match[1])
    if which.lower() in _DAYS_AGO:
        return number_of(today - timedelta(days=_DAYS_AGO[which.lower()]))
    day = None
    if match := _ISO_DATE.fullmatch(which):
        day = _day(match[1], match[2], match[3])
    elif match := _DOTTED_DATE.fullmatch(which):
        year = match[3] or _latest_year(match[2], match[1], today)
        day = _day(year, match[2], match[1])
    if day is None:
        raise UnreadablePuzzleError(text=text)
    return number_of(day)


def _slashed_day(text: str, today: date) -> date | None:
    """Read ``a/b`` or ``a/b/2026`` as a date up to today; None if there is no such date."""
    match = _SLASHED_DATE.fullmatch(text)
    if match is None:
        return None
    month, day = (match[2], match[1]) if is_day_first() else (match[1], match[2])
    found = _day(match[3] or _latest_year(month, day, today), month, day)
    return found if found and FIRST_DAY <= found <= today else None


def _latest_year(month: str, day: str, today: date) -> int:
    return today.year - ((int(month), int(day)) > (today.month, today.day))


def _day(year: str | int, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:  # no such day in the calendar
        return None


_BEGINNERS_LENGTH: Final = 8
"""The length to try next for a player who has solved nothing."""


def ended(tx: Transaction, play: Play) -> Play:
    """Complete the ending of a finished play: its news; feats, or what to try next."""
    if play.finished_at is None:
        raise RuntimeError("only a game that is over has an ending")
    ending = replace(play.ending, news=_news(play))
    if play.game.outcome is not Outcome.SOLVED:
        length = store.length_most_solved(tx, play.player_id) or _BEGINNERS_LENGTH
        return replace(play, ending=replace(ending, try_length=length))
    if ending.streak is not None and play.puzzle is not None and play.on_date:
        day = play.puzzle.day
        change = change_of(ending.streak, day)
        grown = 0 if change is None or change.after == change.before else change.after
        ending = replace(ending, days=grown, goal=goal_of(ending.streak, day))
    before = store.find_earlier(
        tx,
        play.id,
        player_id=play.player_id,
        on_date=play.on_date,
        finished_at=play.finished_at,
    )
    feats = {
        Feat.AT_ONCE: len(play.game.turns) == 1 and not play.hints,
        Feat.FIRST: before.is_first,
        Feat.MILESTONE: ending.days in MILESTONES,
        Feat.FIRST_HARD: play.rules.hard and before.is_first_hard,
    }
    found = tuple(feat for feat, is_so in feats.items() if is_so)
    return replace(play, ending=replace(ending, feats=found))


def _news(play: Play) -> News | None:
    streak = play.ending.streak
    if streak is None or play.puzzle is None or not play.on_date:
        return None
    is_solved = play.game.outcome is Outcome.SOLVED
    return news_of(streak, play.puzzle.day, is_solved=is_solved, is_today=play.is_today)


log = logging.getLogger(__name__)


def begin(tx: Transaction, player_id: int, place: Place, puzzle_id: int, now: datetime) -> Play:
    """Begin a play of a stored puzzle, in the place where it is opened."""
    play_id = store.add_play(
        tx,
        puzzle_id=puzzle_id,
        player_id=player_id,
        guild_id=place.guild_id,
        zone=place.zone,
        opened_at=now,
        counts=deleted_until(tx, player_id, now) is None,
    )
    return read_own(tx, player_id, play_id, now)


def read_own(tx: Transaction, player_id: int, play_id: int, now: datetime) -> Play:
    """A player's own play, with its ending; for a finished daily, the streak is updated first."""
    play = read_bare(tx, player_id, play_id, now)
    if play.game.outcome is None:
        return play
    play = _with_today(tx, play, now)
    if play.puzzle is None:
        return ended(tx, play)
    streak = streak_keeping.refresh(tx, player_id, now)
    servers, calendars = _servers_and_calendars(tx, play)
    told = _with_ending(play, streak=streak)
    return ended(tx, _with_comparison(tx, told, play.puzzle, servers, calendars))


def read_bare(tx: Transaction, player_id: int, play_id: int, now: datetime) -> Play:
    """A player's own play without its ending; anybody else's is refused."""
    play = store.get_play(tx, play_id)
    if play is None:
        raise NoSuchPlayError
    if play.player_id != player_id:
        raise NotYourPlayError
    return play.at(now)


def list_again(tx: Transaction, play: Play) -> Play:
    """Put a play that its player had dismissed back on the list of unfinished ones."""
    if play.dismissed_at is not None:
        store.set_dismissed(tx, play.id, None)
    return replace(play, dismissed_at=None)


def make_guess(
    tx: Transaction, play: Play, text: str, now: datetime, *, as_probe: bool
) -> tuple[Play, GuessRefusedError | None]:
    """Play a guess and store it; return the play and, if the guess was refused, the refusal."""
    try:
        game = guessed(play, text, as_probe=as_probe)
    except GuessRefusedError as error:
        return play, error
    if not play.game.turns and play.rules.hard:
        store.set_hard(tx, play.id)
    store.add_guess(
        tx, play.id, turn=len(play.game.turns), code=game.turns[-1].guess, guessed_at=now
    )
    play = list_again(tx, replace(play, game=game))
    if game.outcome is not None:
        play = _finish(tx, play, now)
    return play, None


def refusal_of(play: Play, text: str) -> GuessRefusedError | None:
    """Return the refusal of a text as a guess; None if it is empty, or may be played."""
    try:
        if text:
            guessed(play, text)
    except GuessRefusedError as error:
        return error
    return None


def guessed(play: Play, text: str, *, as_probe: bool = False) -> Game[Marks]:
    """Apply a typed guess to a play, without storing it; return the game after it.

    Guesses that the player's preferences warn of are refused unless `as_probe` is set.

    Raises:
        GuessRefusedError: the guess may not be made.
    """
    try:
        if play.game.outcome is not None:
            raise GameOverError
        code = play.rules.parse(text)
        game = play.game.guess(code)
        asks = Asking.NOTHING if as_probe else play.choices.asks
        if asks == Asking.IMPOSSIBLE:
            check_consistent(code, play.history)
        if asks != Asking.NOTHING:
            play.rules.check_true(code)
    except EngineError as error:
        raise GuessRefusedError(play=play, text=text, cause=error) from error
    return game


def end_practice(tx: Transaction, play: Play, now: datetime) -> Play:
    """Give up a practice that goes on; any other play stays as it is."""
    if not play.is_practice or play.game.outcome is not None:
        return play
    return _finish(tx, replace(play, game=play.game.give_up()), now)


def played(play: Play, refusal: GuessRefusedError | None) -> Play:
    """Log a play after its transaction, without codes; return it, or raise the refusal."""
    if refusal is not None:
        log.info("play %d: guess refused, %s", play.id, type(refusal.cause).__name__)
        raise refusal
    outcome = play.game.outcome
    state = "goes on" if outcome is None else outcome.value
    name = play.puzzle or ("a set equation" if play.is_set else "practice")
    log.info("play %d of %s: %d guesses, %s", play.id, name, len(play.game.turns), state)
    return play


def _finish(tx: Transaction, play: Play, now: datetime) -> Play:
    outcome = play.game.outcome
    if outcome is None:
        raise RuntimeError("only a game that is over can be finished")
    on_date = play.is_on_date(now)
    store.finish(tx, play.id, outcome=outcome.value, finished_at=now, on_date=on_date)
    play = replace(play, on_date=on_date, finished_at=now, is_new=False)
    play = _with_today(tx, play, now)
    if play.puzzle is None:
        return ended(tx, play)
    servers, calendars = _servers_and_calendars(tx, play)
    there = servers if play.guild_id is None else {*servers, play.guild_id}
    tx.about(*map(keys.server, there))
    sheet = None
    if on_date:
        sheet = Sheet.read(tx, play.player_id, now, servers)
        leaderboards_game.count_daily(tx, sheet, calendars, play.puzzle)
    streak, shares_to = streak_keeping.refresh(tx, play.player_id, now, sheet), None
    if play.guild_id is not None:
        shares_to = store.sharing_channel(tx, play.player_id, play.guild_id)
    told = _with_ending(play, streak=streak, shares_to=shares_to)
    return ended(tx, _with_comparison(tx, told, play.puzzle, servers, calendars))


def _with_ending(play: Play, **facts: Any) -> Play:
    return replace(play, ending=replace(play.ending, **facts))


def _with_today(tx: Transaction, play: Play, now: datetime) -> Play:
    """Add to a play's ending whether today's daily is another one, and not finished yet."""
    if play.is_today:
        return play
    place = find_place(tx, player_id=play.player_id, guild_id=play.guild_id, now=now)
    number = number_of(date_in(place.zone, now))
    states = store.outcomes(tx, play.player_id, [number], place.length)
    return _with_ending(play, is_today_left=states.get(number) is None)


def _servers_and_calendars(tx: Transaction, play: Play) -> tuple[set[int], Calendars]:
    """The servers in which leaderboards may count the player; calendars of these and the play's."""
    servers = moderation_store.shown_in(tx, play.player_id)
    return servers, Calendars.read(tx, [*servers, play.guild_id])


def _with_comparison(
    tx: Transaction, play: Play, puzzle: PuzzleName, servers: Iterable[int], calendars: Calendars
) -> Play:
    """Add to a play's ending: servers that do not count it, whether to offer reminders."""
    finished_at = play.finished_at
    closed_in = tuple(
        guild_id
        for guild_id in servers
        if play.on_date and finished_at is not None
        if calendars.length_on(guild_id, puzzle.day) == puzzle.length
        if calendars.is_late(guild_id, puzzle.day, play.opened_at, finished_at)
    )
    is_remindable = False
    if play.is_today and play.ending.streak is not None and play.ending.streak.length:
        is_remindable = not store.has_reminders(tx, play.player_id)
    return _with_ending(play, closed_in=closed_in, is_remindable=is_remindable)
