"""A play within a transaction: read, guessed, ended."""

import hashlib
import logging
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_EVEN, Decimal
from typing import Any, Final

from bot.clock import (
    FIRST_DAY,
    LONGEST_DAILY,
    SHORTEST_DAILY,
    PuzzleName,
    date_in,
    day_of,
    ended_everywhere_at,
    first_running,
    number_of,
    start_of,
)
from bot.db import facts, keys
from bot.db.database import Transaction
from bot.focdle import store, streak_keeping
from bot.focdle.model import (
    Beaten,
    Ending,
    Feat,
    FuturePuzzleError,
    GuessRefusedError,
    News,
    NoSuchPlayError,
    NoSuchPuzzleError,
    NotYourPlayError,
    Outlook,
    Play,
    SpentDailyError,
    UnreadablePuzzleError,
    WhichPuzzleError,
    change_of,
    goal_of,
    news_of,
    streak_feats,
)
from bot.focdle.store import DateRow, EarlierRow, SpentRow
from bot.games.model import KeyedIntegers
from bot.leaderboards import game as leaderboards_game
from bot.leaderboards import store as leaderboards_store
from bot.leaderboards.game import Calendars, Sheet
from bot.leaderboards.scores import GLOBAL, BoardGame, Period, slot_of
from bot.people import store as people_store
from bot.people.game import Place, find_place
from bot.people.model import Asking
from bot.refused import NoSuchDailyLengthError
from engine import Code, EngineError, Focdle, Game, GameOverError, Marks, Outcome
from engine.feedback import check_consistent

# Derives the secrets of dailies from the key, the same with every version of every library.
# Changing anything here, the integers or the way `Focdle.draw` uses them, changes the secrets of
# days to come; a golden test holds all of it.

SHORTEST_KEY: Final = 16
FEWEST_CHARACTERS: Final = 6
"""How many different characters a host's key has at least."""

_KEY_FACT: Final = "puzzle_key"


class WeakKeyError(Exception):
    """A key that others may guess, where no puzzle follows from it yet."""


def derive_secret(key: str, puzzle: PuzzleName) -> Code:
    """The secret of a daily under a key."""
    label = f"focdle daily 1/{puzzle.number}/{puzzle.length}"
    return Focdle(puzzle.length).draw(KeyedIntegers(key, label))


def is_weak(key: str) -> bool:
    """Whether others may guess a key, and so all puzzles to come."""
    return len(key) < SHORTEST_KEY or len(set(key)) < FEWEST_CHARACTERS


def settle_key(tx: Transaction, given: str | None) -> str:
    """The key that puzzles to come follow from: one that was given, else the database's own.

    Raises:
        WeakKeyError: the given one can be guessed, and no puzzle follows from it yet.
    """
    if given is None:
        return _remember_key(tx)
    if is_weak(given) and not store.has_dailies(tx):
        raise WeakKeyError
    return given


def _remember_key(tx: Transaction) -> str:
    """The database's own key; made when there is none."""
    key = facts.get(tx, _KEY_FACT)
    if key is None:
        key = secrets.token_hex(32)
        facts.put(tx, _KEY_FACT, key)
    return key


# Spent dailies: opened by a player who then deleted all their data, and not to be played twice. All
# that is kept is a digest of the player, each with a salt of its own. With an id at hand the bot
# recognises its player; no id can be read from a digest.


def running(tx: Transaction, player_id: int, now: datetime) -> list[PuzzleName]:
    """The dailies that a player has opened and whose date has not ended everywhere."""
    return store.opened(tx, player_id, first_running(now))


def spend(tx: Transaction, player_id: int, puzzles: Sequence[PuzzleName]) -> None:
    """Note that a player who is about to be forgotten has opened these dailies."""
    for puzzle in puzzles:
        salt = secrets.token_hex(16)
        row = SpentRow(puzzle.number, puzzle.length, salt, _digest(salt, player_id))
        store.add_spent(tx, row)


def let_go(tx: Transaction, player_id: int) -> None:
    """Delete the digests of a player whose data are already deleted."""
    rows = store.everything(tx)
    store.drop(tx, [row for row in rows if _is_of(row, player_id)])


def require_unspent(tx: Transaction, player_id: int, puzzle: PuzzleName, now: datetime) -> bool:
    """Make sure that a player has not opened a running daily and deleted that.

    Returns:
        Whether it was so with another one of its date.

    Raises:
        SpentDailyError: that is not so.
    """
    again_at = ended_everywhere_at(puzzle)
    if again_at <= now:
        return False
    rows = [row for row in store.of_date(tx, puzzle.number) if _is_of(row, player_id)]
    if any(row.length == puzzle.length for row in rows):
        raise SpentDailyError(number=puzzle.number, again_at=again_at)
    return bool(rows)


def _is_of(row: SpentRow, player_id: int) -> bool:
    return secrets.compare_digest(row.digest, _digest(row.salt, player_id))


def _digest(salt: str, player_id: int) -> str:
    return hashlib.sha256(f"{salt}:{player_id}".encode()).hexdigest()


_NUMBER: Final = re.compile(r"#?\s*(\d{1,9})", re.ASCII)
_ISO_DATE: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_DOTTED_DATE: Final = re.compile(r"(\d{1,2})\.\s*(\d{1,2})\.?(?:\s*(\d{4}))?", re.ASCII)
_SLASHED_DATE: Final = re.compile(r"(\d{1,2})\s*/\s*(\d{1,2})(?:\s*/\s*(\d{4}))?", re.ASCII)
_LENGTH: Final = re.compile(r"\d{1,9}", re.ASCII)
_DAYS_AGO: Final = {"today": 0, "yesterday": 1}


def name_puzzle(
    text: str | None, *, today: date, zone: str, length: int, day_first: bool
) -> PuzzleName:
    """The puzzle a player means: today's, ``318``, ``#318/9``, ``2026-11-14``, ``14.11.``.

    Without ``#``, ``11/9`` is a date, if it can be one of the past, and else a number and a length.

    Args:
        text: what the player typed; None or blank means today's.
        today: the date where the player is.
        zone: the IANA zone that date is in.
        length: the length if the text names none.
        day_first: whether the day stands before the month in the player's language.

    Raises:
        UnreadablePuzzleError, NoSuchPuzzleError, FuturePuzzleError,
        NoSuchDailyLengthError: there is no such puzzle to play.
        WhichPuzzleError: it can be a date as well as a number and a length.
    """
    today_number = number_of(today)
    if today_number < 1:
        raise NoSuchPuzzleError(first_day=FIRST_DAY, today=today_number)
    text = (text or "").strip()
    day = _slashed_day(text, today, day_first=day_first)
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
        raise _future(number, zone, today_number)
    return PuzzleName(number, length)


def is_number(text: str) -> bool:
    """Whether a text can be the number of a puzzle."""
    return _LENGTH.fullmatch(text) is not None


def split_length(typed: str, usual: int) -> tuple[str, int]:
    """Split a typed text into the puzzle and the length at its end, if dailies have that length."""
    which, _slash, digits = (part.strip() for part in typed.partition("/"))
    if is_number(digits) and SHORTEST_DAILY <= int(digits) <= LONGEST_DAILY:
        return which, int(digits)
    return which, usual


def _read_length(digits: str, text: str) -> int:
    if not _LENGTH.fullmatch(digits):
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


def _slashed_day(text: str, today: date, *, day_first: bool) -> date | None:
    """The day of the past that ``a/b`` or ``a/b/2026`` is; None for none."""
    match = _SLASHED_DATE.fullmatch(text)
    if match is None:
        return None
    month, day = (match[2], match[1]) if day_first else (match[1], match[2])
    found = _day(match[3] or _latest_year(month, day, today), month, day)
    return found if found and FIRST_DAY <= found <= today else None


def _latest_year(month: str, day: str, today: date) -> int:
    """The last year in which this day has come."""
    return today.year - ((int(month), int(day)) > (today.month, today.day))


def _day(year: str | int, month: str, day: str) -> date | None:
    try:
        return date(int(year), int(month), int(day))
    except ValueError:  # no such day in the calendar
        return None


def _future(number: int, zone: str, today_number: int) -> FuturePuzzleError | UnreadablePuzzleError:
    try:
        day = day_of(number)
        return FuturePuzzleError(
            number=number, day=day, opens_at=start_of(day, zone), today=today_number
        )
    except OverflowError:  # beyond the calendar's last year
        return UnreadablePuzzleError(text=str(number))


FEWEST_PLAYS: Final = 10
"""Of a weekday with fewer, nothing is said."""
FEWEST_WEEKDAYS: Final = 3
"""So many weekdays must be known for one of them to be the hardest."""
_DATES: Final = 12 * 7
"""So many are looked back."""
_MOST_PLAYS: Final = 3_000


def outlook(tx: Transaction, guild_id: int, length: int, day: date) -> Outlook | None:
    """What twelve weeks in a server say of tomorrow; None if it does not stand out.

    Today is left out: it is not over.
    """
    last = number_of(day) - 2
    first = last - _DATES + 1
    found = store.dates(tx, guild_id, length, first, last, most=_MOST_PLAYS)
    return outlook_of(found, day)


def outlook_of(rows: Iterable[DateRow], day: date) -> Outlook | None:
    """What some dates' results say of another date; None if its weekday does not stand out."""
    finished, solved = Counter[int](), Counter[int]()
    for row in rows:
        weekday = day_of(row.number).weekday()
        finished[weekday] += row.finished
        solved[weekday] += row.solved
    shares = {
        weekday: solved[weekday] / plays
        for weekday, plays in finished.items()
        if plays >= FEWEST_PLAYS
    }
    share = shares.pop(day.weekday(), None)
    if share is None or len(shares) + 1 < FEWEST_WEEKDAYS:
        return None
    if min(shares.values()) <= share <= max(shares.values()):
        return None
    return Outlook(day, share, is_hardest=share < min(shares.values()))


_FAR: Final = 1.0
_LEAST: Final = 0.5
"""What is nearer to par is par."""
_MOST_NAMED: Final = 2
_FOR_THE_NEW: Final = 8
"""The length that who has solved nothing is to try: the second shortest there is."""


def ended(tx: Transaction, play: Play) -> Play:
    """A play that is over and has what came of it, with what there is to tell about that."""
    if play.finished_at is None:
        raise RuntimeError("only a game that is over has an ending")
    is_solved = play.game.outcome is Outcome.SOLVED
    ending = replace(play.ending, news=_news(play), outlook=_outlook(tx, play))
    if not is_solved:
        length = store.length_most_solved(tx, play.player_id) or _FOR_THE_NEW
        return replace(play, ending=replace(ending, try_length=length))
    before = store.find_earlier(
        tx,
        play.id,
        player_id=play.player_id,
        guild_id=play.guild_id,
        number=None if play.puzzle is None else play.puzzle.number,
        length=play.rules.length,
        finished_at=play.finished_at,
    )
    ending = replace(ending, below_par=_below_par(play), beaten=_beaten(tx, play))
    if ending.streak is not None and play.puzzle is not None and play.on_date:
        day = play.puzzle.day
        change = change_of(ending.streak, day)
        grown = 0 if change is None or change.after == change.before else change.after
        ending = replace(ending, days=grown, goal=goal_of(ending.streak, day))
    return replace(play, ending=replace(ending, feats=_feats(play, ending, before)))


def _feats(play: Play, ending: Ending, before: EarlierRow) -> tuple[Feat, ...]:
    """What is remarkable, the most remarkable first."""
    made, below = len(play.game.turns), ending.below_par or 0.0
    is_far = below >= _FAR
    feats = {
        Feat.LUCK: made == 1 and not play.hints,
        Feat.FIRST: before.is_first,
        Feat.FIRST_HARD: play.rules.hard and before.is_first_hard,
        Feat.BEST: _counts(play) and not play.hints and made < (before.best or 0),
        Feat.FAR_BELOW_PAR: is_far,
        Feat.FIRST_HERE: _counts_here(play) and before.has_others and before.is_first_here,
        Feat.BELOW_PAR: below > 0 and not is_far,
        Feat.LAST_GUESS: made == play.rules.max_guesses,
    }
    found = {feat for feat, is_so in feats.items() if is_so}
    if ending.streak is not None and play.puzzle is not None and _counts(play):
        found |= streak_feats(ending.streak, play.puzzle.day)
    return tuple(feat for feat in Feat if feat in found)


def _counts(play: Play) -> bool:
    return play.puzzle is not None and play.on_date


def _counts_here(play: Play) -> bool:
    """Whether it was solved in time where it was opened."""
    guild_id = play.guild_id
    return _counts(play) and guild_id is not None and guild_id not in play.ending.closed_in


def _below_par(play: Play) -> float | None:
    """How many guesses below par it was; None if it was not, or had hints."""
    if play.ending.par is None or play.hints:
        return None
    # Of the par that is shown, with one digit, or the sum would look wrong.
    shown = Decimal(repr(play.ending.par)).quantize(Decimal("0.1"), ROUND_HALF_EVEN)
    below = float(shown - len(play.game.turns))
    return below if below >= _LEAST else None


def _beaten(tx: Transaction, play: Play) -> Beaten | None:
    """Who is behind on the board of its date in its server, while that date is today."""
    if play.guild_id is None or play.puzzle is None:
        return None
    if not (play.is_today and _counts_here(play)):
        return None
    slot = slot_of(BoardGame.FOCDLE, Period.DAY, play.puzzle.day)
    found = leaderboards_store.behind(tx, play.player_id, play.guild_id, slot, _MOST_NAMED)
    if not found:
        return None
    return Beaten({row.player_id: row.name for row in found}, found[0].total)


def _outlook(tx: Transaction, play: Play) -> Outlook | None:
    """What the results of its server say of tomorrow, at its length; of today's puzzle only."""
    if play.guild_id is None or play.puzzle is None or not play.is_today:
        return None
    tomorrow = play.puzzle.day + timedelta(days=1)
    return outlook(tx, play.guild_id, play.rules.length, tomorrow)


def _news(play: Play) -> News | None:
    """What the player must know of the streak."""
    streak = play.ending.streak
    if streak is None or play.puzzle is None or not play.on_date:
        return None
    is_solved = play.game.outcome is Outcome.SOLVED
    return news_of(streak, play.puzzle.day, is_solved=is_solved, is_today=play.is_today)


log = logging.getLogger(__name__)


def begin(
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
    play_id = store.add_play(
        tx,
        puzzle_id=puzzle_id,
        player_id=player_id,
        guild_id=place.guild_id,
        zone=place.zone,
        opened_at=now,
        first_of_date=False if is_spent else None,
    )
    return read_own(tx, player_id, play_id, now)


def read_own(tx: Transaction, player_id: int, play_id: int, now: datetime) -> Play:
    """A player's own play.

    Raises:
        NoSuchPlayError, NotYourPlayError: it is not this player's.
    """
    return _with_aftermath(tx, read_bare(tx, player_id, play_id, now), now)


def read_bare(tx: Transaction, player_id: int, play_id: int, now: datetime) -> Play:
    """A player's own play without what came of it.

    Raises:
        As `read_own`.
    """
    play = store.get_play(tx, play_id)
    if play is None:
        raise NoSuchPlayError
    if play.player_id != player_id:
        raise NotYourPlayError
    return replace(play, seen_at=now)


def bring_back(tx: Transaction, play: Play) -> Play:
    """A play that is listed again if it was dismissed: its player has turned to it after all."""
    if play.dismissed_at is not None:
        store.set_dismissed(tx, play.id, None)
    return replace(play, dismissed_at=None)


def make_guess(
    tx: Transaction, play: Play, text: str, now: datetime, *, as_probe: bool = False
) -> tuple[Play, GuessRefusedError | None]:
    """Play a guess, or say why not; a refused one costs nothing."""
    try:
        game = guessed(play, text, as_probe=as_probe)
    except GuessRefusedError as error:
        return play, error
    if not play.game.turns:
        _begin(tx, play, now)
    store.add_guess(
        tx, play.id, turn=len(play.game.turns), code=game.turns[-1].guess, guessed_at=now
    )
    play = bring_back(tx, replace(play, game=game))
    if game.outcome is not None:
        play = _finish(tx, play, now)
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


def end_practice(tx: Transaction, play: Play, now: datetime) -> Play:
    """Lose a practice that its player gives up; a daily, and what is over, stay as they are."""
    if play.puzzle is not None or play.game.outcome is not None:
        return play
    return _finish(tx, replace(play, game=play.game.give_up()), now)


def _begin(tx: Transaction, play: Play, now: datetime) -> None:
    """Note what a play's first guess decides: its mode, and whether its date counts by it."""
    if play.rules.hard:
        store.set_hard(tx, play.id)
    if play.puzzle is not None:
        number, on_date = play.puzzle.number, play.is_on_date(now)
        store.note_first(tx, play.id, play.player_id, number, on_date=on_date)


def _check_wanted(play: Play, code: Code) -> None:
    """Accept a guess about which its player is not to be asked first.

    Raises:
        FalseEquationError, ContradictionError: as the player has chosen.
    """
    if play.choices.asks == Asking.IMPOSSIBLE:
        check_consistent(code, play.history)
    if play.choices.asks != Asking.NOTHING:
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


def _finish(tx: Transaction, play: Play, now: datetime) -> Play:
    outcome = play.game.outcome
    if outcome is None:
        raise RuntimeError("only a game that is over can be finished")
    on_date = play.is_on_date(now)
    store.finish(tx, play.id, outcome=outcome.value, finished_at=now, on_date=on_date)
    play = replace(play, on_date=on_date, finished_at=now, is_new=False)
    play = _beside_today(tx, play, now)
    if play.puzzle is None:
        return ended(tx, play)
    scopes, calendars = _homes(tx, play)
    there = scopes if play.guild_id is None else {*scopes, play.guild_id}
    tx.about(*map(keys.server, there))
    sheet = None
    if on_date:
        sheet = Sheet.read(tx, play.player_id, now, scopes)
        leaderboards_game.count_daily(tx, sheet, calendars, play.puzzle)
    streak, shares_to = streak_keeping.refresh(tx, play.player_id, now, sheet), None
    if play.guild_id is not None:
        shares_to = store.goes_to(tx, play.player_id, play.guild_id)
    told = _with_ending(play, streak=streak, shares_to=shares_to)
    return ended(tx, _compared(tx, told, play.puzzle, scopes, calendars))


def _with_ending(play: Play, **facts: Any) -> Play:
    return replace(play, ending=replace(play.ending, **facts))


def _with_aftermath(tx: Transaction, play: Play, now: datetime) -> Play:
    """A play that is over, with what came of it."""
    if play.game.outcome is None:
        return play
    play = _beside_today(tx, play, now)
    if play.puzzle is None:
        return ended(tx, play)
    streak = streak_keeping.refresh(tx, play.player_id, now)
    homes = _homes(tx, play)
    told = _with_ending(play, streak=streak)
    return ended(tx, _compared(tx, told, play.puzzle, *homes))


def _beside_today(tx: Transaction, play: Play, now: datetime) -> Play:
    """A play that is over, and whether the day's puzzle is still to be finished."""
    if play.is_today:
        return play
    place = find_place(tx, player_id=play.player_id, guild_id=play.guild_id, now=now)
    number = number_of(date_in(place.zone, now))
    states = store.outcomes(tx, play.player_id, [number], place.length)
    return _with_ending(play, is_today_left=states.get(number) is None)


def _homes(tx: Transaction, play: Play) -> tuple[list[int], Calendars]:
    """Where leaderboards show a play's player; the calendars there and in the play's server."""
    scopes = people_store.shown_in(tx, play.player_id, GLOBAL)
    return scopes, Calendars.read(tx, [*scopes, play.guild_id])


def _compared(
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
    if play.is_today and play.ending.streak is not None and play.ending.streak.length:
        is_remindable = not store.has_reminders(tx, play.player_id)
    par = store.get_par(tx, puzzle.number, puzzle.length)
    return _with_ending(play, par=par, closed_in=closed_in, is_remindable=is_remindable)
