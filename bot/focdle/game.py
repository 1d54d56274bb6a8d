"""Use cases of dailies, the archive and practice."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from itertools import chain, islice
from typing import Final

from bot.clock import LENGTHS, Clock, PuzzleName, date_in, day_of, first_running, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store
from bot.focdle.model import (
    GuessRefusedError,
    Play,
    WhichPuzzleError,
    level_of,
)
from bot.focdle.plays import (
    begin,
    derive_secret,
    end_practice,
    is_number,
    list_again,
    make_guess,
    name_puzzle,
    played,
    read_own,
    split_length,
)
from bot.games import game as games_game
from bot.games.model import Channel, Commitment, GameName, Source, Unfinished, new_salt, sealed
from bot.page.game import ask as ask_to_post
from bot.people.game import DEFAULT_LENGTH, Place, find_place
from bot.refused import MovedOnError, NotFinishedError, Refused
from engine import Code, EngineError, Focdle
from engine.levels import Difficulty, Level

MOST_ARCHIVE_ENTRIES: Final = 25

NoteFinisher = Callable[[Transaction, int, int, PuzzleName, datetime], None]
"""Called with a player, a server, the daily that the player has finished there, and when."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A daily that can be opened.

    Attributes:
        state: ``solved``, ``lost``, ``open`` for a play that goes on, ``new`` without one.
        level: how hard it is; None until its date has ended everywhere, or while that is unknown.
    """

    puzzle: PuzzleName
    day: date
    state: str
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class DaySeals:
    """The commitments to the secrets of a date, by length."""

    number: int
    seals: Mapping[int, Commitment]


class Daily:
    """Use cases of dailies, and of guesses in any play.

    Each is one transaction; only `seals` takes two.

    Args:
        key: the secret key from which the dailies' secrets follow.
        note_finisher: called, in the transaction, when a daily ends that was opened in a server.
    """

    def __init__(
        self, database: Database, clock: Clock, key: str, note_finisher: NoteFinisher
    ) -> None:
        self._database = database
        self._clock = clock
        self._key = key
        self._note_finisher = note_finisher

    async def open(
        self,
        player_id: int,
        guild_id: int | None,
        *,
        puzzle: str | PuzzleName | None = None,
        guess: str | None = None,
    ) -> Play:
        """Open a player's play of a daily, or begin it; then play a guess, if one is given.

        The daily may be typed; by default it is today's.

        Raises:
            WhichPuzzleError: the text can mean two dailies.
            GuessRefusedError: the guess was not played; the daily is open.
            Refused: the text names no daily of today or before, or the player may not begin it.
        """

        def opened(tx: Transaction) -> Play:
            now = self._clock.now()
            place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            typed = f"#{puzzle}" if isinstance(puzzle, PuzzleName) else puzzle
            name = _named(typed, place, now)
            return self._open(tx, player_id, place, name, now)

        if guess is None:
            return played(await self._database.read(opened, keys.player(player_id)), None)

        def guessed(tx: Transaction) -> tuple[Play, GuessRefusedError | None]:
            return self._guess(tx, opened(tx), guess, self._clock.now())

        return played(*await self._database.write(guessed, keys.player(player_id)))

    async def seals(self, player_id: int, guild_id: int | None) -> Sequence[DaySeals]:
        """Fix the secrets of all dailies of today and tomorrow; return the commitments."""
        now = self._clock.now()
        place = await self._database.read(
            lambda tx: find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
        )
        today = max(number_of(date_in(place.zone, now)), 1)
        names = [PuzzleName(n, of) for n in (today, today + 1) for of in LENGTHS]

        def body(tx: Transaction) -> list[DaySeals]:
            found = {name: self._seal(tx, name) for name in names}
            return [
                DaySeals(n, {name.length: of for name, of in found.items() if name.number == n})
                for n in (today, today + 1)
            ]

        about = [keys.puzzle(name.number, name.length) for name in names]
        return await self._database.read(body, *about)

    async def view(self, player_id: int, play_id: int) -> Play:
        return await self._database.read(
            lambda tx: read_own(tx, player_id, play_id, self._clock.now()), keys.player(player_id)
        )

    async def complete(self, player_id: int, play_id: int, text: str) -> Code:
        """Parse a typed guess without playing it; an equation without a result gets the right one.

        Raises:
            GuessRefusedError: the text is no guess.
        """
        play = await self.view(player_id, play_id)
        try:
            return play.rules.parse(text)
        except EngineError as error:
            raise GuessRefusedError(play=play, text=text, cause=error) from error

    async def guess(
        self,
        player_id: int,
        play_id: int,
        text: str,
        *,
        as_probe: bool = False,
        at: int | None = None,
        posts: bool = False,
    ) -> Play:
        """Play a guess, and return the play after it.

        With `as_probe`, the guess is played even if the player's preferences warn of it. `at` is
        the version that the player saw; None for any. With `posts`, a daily that ends is to be
        posted by itself if the player has chosen that; else the caller does it.

        Raises:
            GuessRefusedError: the guess was not played and cost nothing.
            MovedOnError: the play has another version.
            NoSuchPlayError, NotYourPlayError: the player has no such play.
        """

        def guessed(tx: Transaction) -> tuple[Play, GuessRefusedError | None]:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if at not in {None, play.version}:
                raise MovedOnError
            play, refused = self._guess(tx, play, text, now, as_probe=as_probe)
            there = Channel.of(play.guild_id, play.ending.shares_to)
            if posts and there is not None and refused is None:
                ask_to_post(tx, player_id, there, GameName(Source.PLAY, play_id), now)
            return play, refused

        return played(*await self._database.write(guessed, keys.player(player_id)))

    def _guess(
        self, tx: Transaction, play: Play, text: str, now: datetime, *, as_probe: bool = False
    ) -> tuple[Play, GuessRefusedError | None]:
        play, refusal = make_guess(tx, play, text, now, as_probe=as_probe)
        is_over = refusal is None and play.game.outcome is not None
        if is_over and play.puzzle is not None and play.guild_id is not None and play.counts:
            self._note_finisher(tx, play.player_id, play.guild_id, play.puzzle, now)
        return play, refusal

    async def result(self, player_id: int, play_id: int) -> Play:
        play = await self.view(player_id, play_id)
        if play.game.outcome is None:
            raise NotFinishedError
        return play

    async def archive(self, player_id: int, guild_id: int | None, typed: str) -> list[ArchiveEntry]:
        """Suggest up to 25 dailies for a typed text.

        The dailies that the text names come first, then the latest whose number or date begins
        with it.
        """

        def body(tx: Transaction) -> list[ArchiveEntry]:
            now = self._clock.now()
            place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            which, length = split_length(typed, place.length)
            meant = _meant(typed, place, now)
            others = [
                PuzzleName(number, length)
                for number in _matching(which, number_of(date_in(place.zone, now)))
            ]
            found = list(dict.fromkeys([*meant, *others]))[:MOST_ARCHIVE_ENTRIES]
            return self._entries(tx, player_id, found, now)

        return await self._database.read(body)

    async def month(
        self, player_id: int, guild_id: int | None, day: date | None
    ) -> tuple[date, list[ArchiveEntry]]:
        """Return today, and the dailies of a day's month until then; None for the present month."""

        def body(tx: Transaction) -> tuple[date, list[ArchiveEntry]]:
            now = self._clock.now()
            place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            today = date_in(place.zone, now)
            month = day or today
            first = number_of(month.replace(day=1))
            found = [
                PuzzleName(number, place.length)
                for number in range(max(first, 1), min(first + 31, number_of(today) + 1))
                if day_of(number).month == month.month
            ]
            return today, self._entries(tx, player_id, found, now)

        return await self._database.read(body)

    @staticmethod
    def _entries(
        tx: Transaction, player_id: int, found: Sequence[PuzzleName], now: datetime
    ) -> list[ArchiveEntry]:
        states: dict[PuzzleName, str | None] = {}
        levels: dict[PuzzleName, Level | None] = {}
        for each in {name.length for name in found}:  # two lengths at most
            numbers = [name.number for name in found if name.length == each]
            outcomes = store.outcomes(tx, player_id, numbers, each)
            states |= {PuzzleName(number, each): of for number, of in outcomes.items()}
            ended = [number for number in numbers if number < first_running(now)]
            levels |= {
                PuzzleName(number, each): level_of(each, difficulty)
                for number, difficulty in store.difficulties(tx, ended, each).items()
            }
        return [
            ArchiveEntry(
                name,
                name.day,
                (states[name] or "open") if name in states else "new",
                levels.get(name),
            )
            for name in found
        ]

    def _open(
        self, tx: Transaction, player_id: int, place: Place, name: PuzzleName, now: datetime
    ) -> Play:
        puzzle_id = self._fix(tx, name)
        play_id = store.find_id(tx, puzzle_id, player_id)
        if play_id is None:
            if name.number != number_of(date_in(place.zone, now)):
                games_game.begin(tx, player_id, now)
            return begin(tx, player_id, place, puzzle_id, now)
        return list_again(tx, read_own(tx, player_id, play_id, now))

    def _seal(self, tx: Transaction, name: PuzzleName) -> Commitment:
        self._fix(tx, name)
        row = store.find_puzzle(tx, name.number, name.length)
        if row is None:
            raise RuntimeError("a puzzle cannot vanish in its own transaction")
        return sealed(f"focdle {name}", row.secret, row.salt, is_open=False)

    def _fix(self, tx: Transaction, name: PuzzleName) -> int:
        """Return the id of a stored daily; store it with its secret first if it is new."""
        row = store.find_puzzle(tx, name.number, name.length)
        if row is None:  # another transaction may be adding it
            tx.about(keys.puzzle(name.number, name.length))
            row = store.find_puzzle(tx, name.number, name.length)
        if row is not None:
            return row.id
        return store.add_puzzle(
            tx,
            number=name.number,
            length=name.length,
            rules=Focdle(name.length).encode(),
            secret=derive_secret(self._key, name),
            salt=new_salt(),
        )


def _named(typed: str | None, place: Place, now: datetime) -> PuzzleName:
    today = date_in(place.zone, now)
    return name_puzzle(typed, today=today, zone=place.zone, length=place.length)


def _meant(typed: str, place: Place, now: datetime) -> list[PuzzleName]:
    """The dailies that a text names: two if it can mean a date and a number; perhaps none."""
    try:
        return [_named(typed, place, now)] if typed.strip() else []
    except WhichPuzzleError as error:
        return [error.of_date, error.of_number]
    except Refused:
        return []


def _matching(which: str, today: int) -> Sequence[int]:
    """The typed number, then those of the latest dailies whose number or date begins with it."""
    wanted = which.lstrip("#").strip()
    exact = [int(wanted)] if is_number(wanted) and 1 <= int(wanted) <= today else []
    others = (
        number
        for number in range(today, 0, -1)
        if number not in exact
        and (str(number).startswith(wanted) or day_of(number).isoformat().startswith(wanted))
    )
    return list(islice(chain(exact, others), MOST_ARCHIVE_ENTRIES))


MOST_UNFINISHED: Final = 250


def unfinished_of(tx: Transaction, player_id: int, now: datetime) -> list[Unfinished]:
    """A player's unfinished plays, except dismissed ones; the one opened last comes first."""
    return [
        Unfinished(
            play_id=row.id,
            number=row.number,
            length=row.length,
            turns=row.turns,
            is_today=row.number == number_of(date_in(row.zone, now)),
            setter=row.setter,
        )
        for row in store.unfinished(tx, player_id, now, most=MOST_UNFINISHED)
    ]


LAST_PRACTICES: Final = 50
"""A player's latest practices: the next one has another equation."""


@cache
def practices(length: int) -> Mapping[Code, Difficulty]:
    """The equations of a length that are dealt as practices; `tools.practices` has drawn them."""
    table = files("bot.focdle").joinpath("data", "practices.txt").read_text(encoding="ascii")
    rows = (line.split() for line in table.splitlines())
    return {
        secret: Difficulty(length, int(hundredths))
        for secret, hundredths in rows
        if len(secret) == length
    }


class Practice:
    """Use cases of practices, and of the list of unfinished plays; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def open(
        self,
        player_id: int,
        guild_id: int | None,
        length: int | None = None,
        level: Level | None = None,
    ) -> Play:
        """Open a player's unfinished practice of a length and a level, or begin one.

        Without a length, an unfinished practice of any length will do, and a new one has the
        usual length. Without a level, any will do, and none is told.

        Raises:
            EnoughGamesError: the player has begun too many games today.
        """
        return await self._database.write(
            lambda tx: self._open(tx, player_id, guild_id, length, level), keys.player(player_id)
        )

    async def swap(self, player_id: int, guild_id: int | None, play_id: int, length: int) -> Play:
        """Open a practice of another length; dismiss the present one if it has no guesses."""

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if play.rules.length == length:
                return play
            if play.is_practice and play.game.outcome is None and not play.game.turns:
                store.set_dismissed(tx, play.id, now)
            return self._open(tx, player_id, guild_id, length)

        return await self._database.write(body, keys.player(player_id))

    async def give_up(self, player_id: int, play_id: int) -> Play:
        """Give up a practice, and so show its equation. Other plays stay as they are."""

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            play = end_practice(tx, read_own(tx, player_id, play_id, now), now)
            return played(play, None)

        return await self._database.write(body, keys.player(player_id))

    async def unfinished(self, player_id: int) -> list[Unfinished]:
        return await self._database.read(lambda tx: unfinished_of(tx, player_id, self._clock.now()))

    async def dismiss(self, player_id: int, play_id: int) -> Play:
        """Take a play off its player's list of unfinished ones.

        A practice with guesses is given up. Any other play is listed again once it is opened or
        guessed at. Today's puzzle and finished plays stay as they are.
        """

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if play.is_practice and play.game.turns:
                play = end_practice(tx, play, now)
            elif play.game.outcome is None and not play.is_today:
                store.set_dismissed(tx, play.id, now)
                play = replace(play, dismissed_at=now)
            return play

        return await self._database.write(body, keys.player(player_id))

    def _open(
        self,
        tx: Transaction,
        player_id: int,
        guild_id: int | None,
        length: int | None,
        level: Level | None = None,
    ) -> Play:
        rules = Focdle(DEFAULT_LENGTH if length is None else length)
        now = self._clock.now()
        for play in store.unfinished(tx, player_id, now, most=MOST_UNFINISHED, practice=True):
            known = level_of(play.length, play.difficulty)
            if length in {None, play.length} and level in {None, known}:
                return read_own(tx, player_id, play.id, now)
        games_game.begin(tx, player_id, now)
        place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
        latest = store.last_practices(tx, player_id, LAST_PRACTICES)
        dealt, hard = secrets.choice(
            [
                (secret, hard)
                for secret, hard in practices(rules.length).items()
                if level in {None, hard.level} and secret not in latest
            ]
        )
        puzzle_id = store.add_puzzle(
            tx,
            number=None,
            length=rules.length,
            rules=rules.encode(),
            secret=dealt,
            salt=new_salt(),
            difficulty=None if level is None else hard.hundredths,
        )
        return begin(tx, player_id, place, puzzle_id, now)
