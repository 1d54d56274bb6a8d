"""Dailies, the archive, practice, and watching the bot."""

import logging
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import chain, islice
from typing import Final

from bot.clock import LENGTHS, Clock, PuzzleName, date_in, day_of, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store
from bot.focdle.model import GuessRefusedError, Play, WhichPuzzleError
from bot.focdle.plays import (
    begin,
    bring_back,
    derive_secret,
    end_practice,
    is_number,
    make_guess,
    name_puzzle,
    played,
    read_own,
    require_unspent,
    split_length,
)
from bot.games import game as games_game
from bot.games.model import Commitment, KeyedIntegers, Reason, Unfinished, commitment, new_salt
from bot.people import store as people_store
from bot.people.game import DEFAULT_LENGTH, Place, find_place
from bot.people.model import Choices
from bot.pool.pool import in_thread
from bot.pool.worker import Named
from bot.refused import NotFinishedError, Refused
from engine import Code, Focdle, Marks

log = logging.getLogger(__name__)

MOST_ARCHIVE_ENTRIES: Final = 25

NoteFinisher = Callable[[Transaction, int, int, PuzzleName, datetime], None]
"""Notes which player has finished in which server which daily, and when."""


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """A puzzle that can be opened, and how its player's play of it stands.

    Attributes:
        puzzle: the puzzle.
        day: its date.
        state: ``solved``, ``lost``, ``open`` or ``new``.
    """

    puzzle: PuzzleName
    day: date
    state: str


@dataclass(frozen=True, slots=True)
class DaySeals:
    """What shows that the secrets of a date are fixed.

    Attributes:
        number: of the date's puzzles.
        seals: by length; None where a secret was fixed without.
    """

    number: int
    seals: Mapping[int, Commitment | None]


class Daily:
    """Use cases of the daily; each is one transaction.

    Args:
        database: where plays are.
        clock: what tells the time.
        key: what secrets follow from.
        note_finisher: is told in the transaction who has finished which daily in which server.
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
        day_first: bool = False,
    ) -> Play:
        """A player's play of a puzzle, begun if it was not; with a guess, played at once.

        Args:
            player_id: the Discord user.
            guild_id: the Discord server it is opened in; None where the bot is no member.
            puzzle: which one, or what the player typed to name it; None means today's.
            guess: what the player typed as a guess, if anything.
            day_first: whether the player writes the day before the month.

        Raises:
            UnreadablePuzzleError, NoSuchPuzzleError, FuturePuzzleError,
            NoSuchDailyLengthError: there is no such puzzle to play.
            WhichPuzzleError: what was typed can mean two.
            SpentDailyError: the player had opened it and deleted that; its date still runs.
            EnoughGamesError: it is one of the archive, of which there may be no new one today.
            GuessRefusedError: the guess was not played; the puzzle is open.
        """

        def opened(tx: Transaction) -> Play:
            now = self._clock.now()
            place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            typed = f"#{puzzle}" if isinstance(puzzle, PuzzleName) else puzzle
            name = _named(typed, place, now, day_first=day_first)
            return self._open(tx, player_id, place, name, now)

        if guess is None:
            return played(await self._database.read(opened, keys.player(player_id)), None)

        def guessed(tx: Transaction) -> tuple[Play, GuessRefusedError | None]:
            return self._guess(tx, opened(tx), guess, self._clock.now())

        return played(*await self._database.write(guessed, keys.player(player_id)))

    async def seal(self, name: PuzzleName) -> Commitment | None:
        """What is shown for a daily's secret before anybody has solved it; it is fixed now."""
        return await self._database.read(
            lambda tx: self._seal(tx, name), keys.puzzle(name.number, name.length)
        )

    async def seals(self, player_id: int, guild_id: int | None) -> Sequence[DaySeals]:
        """The seals of today and of tomorrow; their secrets are fixed now.

        Args:
            player_id: who asks.
            guild_id: the Discord server in which they do; None where the bot is no member.
        """
        now = self._clock.now()
        place = await self._database.read(
            lambda tx: find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
        )
        today = max(number_of(date_in(place.zone, now)), 1)
        names = [PuzzleName(n, of) for n in (today, today + 1) for of in LENGTHS]

        def sealed(tx: Transaction) -> list[DaySeals]:
            found = {name: self._seal(tx, name) for name in names}
            return [
                DaySeals(n, {name.length: of for name, of in found.items() if name.number == n})
                for n in (today, today + 1)
            ]

        about = [keys.puzzle(name.number, name.length) for name in names]
        return await self._database.read(sealed, *about)

    async def view(self, player_id: int, play_id: int) -> Play:
        """A player's own play as it stands, a practice too.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to see.
        """
        return await self._database.read(
            lambda tx: read_own(tx, player_id, play_id, self._clock.now()), keys.player(player_id)
        )

    async def guess(
        self, player_id: int, play_id: int, text: str, *, as_probe: bool = False
    ) -> Play:
        """Play a guess, in a practice too; the play after it.

        Args:
            player_id: the Discord user.
            play_id: which play.
            text: what the player typed.
            as_probe: play it even if its player would be asked first.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to play.
            GuessRefusedError: the guess was not played and cost nothing.
        """

        def guessed(tx: Transaction) -> tuple[Play, GuessRefusedError | None]:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            return self._guess(tx, play, text, now, as_probe=as_probe)

        return played(*await self._database.write(guessed, keys.player(player_id)))

    def _guess(
        self, tx: Transaction, play: Play, text: str, now: datetime, *, as_probe: bool = False
    ) -> tuple[Play, GuessRefusedError | None]:
        play, refusal = make_guess(tx, play, text, now, as_probe=as_probe)
        is_over = refusal is None and play.game.outcome is not None
        if is_over and play.puzzle is not None and play.guild_id is not None:
            self._note_finisher(tx, play.player_id, play.guild_id, play.puzzle, now)
        return play, refusal

    async def result(self, player_id: int, play_id: int) -> Play:
        """A player's own finished play.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to see.
            NotFinishedError: it goes on.
        """
        play = await self.view(player_id, play_id)
        if play.game.outcome is None:
            raise NotFinishedError
        return play

    async def archive(
        self, player_id: int, guild_id: int | None, typed: str, *, day_first: bool = False
    ) -> list[ArchiveEntry]:
        """Up to 25 puzzles that a text may be on its way to: what it names, then the latest.

        Args:
            player_id: the Discord user.
            guild_id: the Discord server it is typed in; None where the bot is no member.
            typed: what stands there so far.
            day_first: whether the player writes the day before the month.
        """

        def body(tx: Transaction) -> list[ArchiveEntry]:
            now = self._clock.now()
            place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            which, length = split_length(typed, place.length)
            meant = _meant(typed, place, now, day_first=day_first)
            others = [
                PuzzleName(number, length)
                for number in _matching(which, number_of(date_in(place.zone, now)))
            ]
            found = list(dict.fromkeys([*meant, *others]))[:MOST_ARCHIVE_ENTRIES]
            states: dict[PuzzleName, str | None] = {}
            for each in {name.length for name in found}:  # two at most
                numbers = [name.number for name in found if name.length == each]
                outcomes = store.outcomes(tx, player_id, numbers, each)
                states |= {PuzzleName(number, each): of for number, of in outcomes.items()}
            return [
                ArchiveEntry(name, name.day, (states[name] or "open") if name in states else "new")
                for name in found
            ]

        return await self._database.read(body)

    def _open(
        self, tx: Transaction, player_id: int, place: Place, name: PuzzleName, now: datetime
    ) -> Play:
        puzzle_id = self._fix(tx, name)
        play_id = store.find_id(tx, puzzle_id, player_id)
        if play_id is None:
            is_spent = require_unspent(tx, player_id, name, now)
            if name.number != number_of(date_in(place.zone, now)):
                games_game.begin(tx, player_id, now)
            return begin(tx, player_id, place, puzzle_id, now, is_spent=is_spent)
        return bring_back(tx, read_own(tx, player_id, play_id, now))

    def _seal(self, tx: Transaction, name: PuzzleName) -> Commitment | None:
        self._fix(tx, name)
        row = store.find_puzzle(tx, name.number, name.length)
        if row is None:
            raise RuntimeError("a puzzle cannot vanish in its own transaction")
        return commitment(f"focdle {name}", row.secret, row.salt, is_open=False)

    def _fix(self, tx: Transaction, name: PuzzleName) -> int:
        """The stored puzzle of this name; its secret is drawn when first opened."""
        row = store.find_puzzle(tx, name.number, name.length)
        if row is None:  # somebody else may be at it
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


def _named(typed: str | None, place: Place, now: datetime, *, day_first: bool) -> PuzzleName:
    today = date_in(place.zone, now)
    zone, length = place.zone, place.length
    return name_puzzle(typed, today=today, zone=zone, length=length, day_first=day_first)


def _meant(typed: str, place: Place, now: datetime, *, day_first: bool) -> list[PuzzleName]:
    """The puzzles that a text names as it stands: two where it can mean a date and a number."""
    try:
        return [_named(typed, place, now, day_first=day_first)] if typed.strip() else []
    except WhichPuzzleError as error:
        return [error.of_date, error.of_number]
    except Refused:
        return []


def _matching(which: str, today: int) -> Sequence[int]:
    """The number that a text is, then the latest whose number or date begins with it."""
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
    """A player's plays that go on and were not dismissed, those opened last first."""
    return [
        Unfinished(
            play_id=row.id,
            number=row.number,
            length=row.length,
            turns=row.turns,
            is_today=row.number == number_of(date_in(row.zone, now)),
        )
        for row in store.unfinished(tx, player_id, most=MOST_UNFINISHED)
    ]


class Practice:
    """Use cases of practice, and of what is unfinished; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def open(self, player_id: int, guild_id: int | None, length: int | None = None) -> Play:
        """A player's unfinished practice of a length, or a new one.

        Args:
            player_id: the Discord user.
            guild_id: the Discord server it is opened in; None where the bot is no member.
            length: in symbols; None for whatever is unfinished, or else the usual length.

        Raises:
            NoSuchLengthError: there are no FoCdles of this length.
            EnoughGamesError: there may be no new one today.
        """
        return await self._database.write(
            lambda tx: self._open(tx, player_id, guild_id, length), keys.player(player_id)
        )

    async def swap(self, player_id: int, guild_id: int | None, play_id: int, length: int) -> Play:
        """A practice of a length in place of another one, which leaves the list if it is untouched.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
            NoSuchLengthError: there are no FoCdles of this length.
            EnoughGamesError: there may be no new one today.
        """

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if play.rules.length == length:
                return play
            if play.puzzle is None and play.game.outcome is None and not play.game.turns:
                store.set_dismissed(tx, play.id, now)
            return self._open(tx, player_id, guild_id, length)

        return await self._database.write(body, keys.player(player_id))

    async def give_up(self, player_id: int, play_id: int) -> Play:
        """End a practice, and see its equation; one that is over, and a daily, stay as they are.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
        """

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            play = end_practice(tx, read_own(tx, player_id, play_id, now), now)
            return played(play, None)

        return await self._database.write(body, keys.player(player_id))

    async def unfinished(self, player_id: int) -> list[Unfinished]:
        """A player's plays that go on, dailies and practices, those opened last first.

        What was dismissed is not among them.
        """
        return await self._database.read(lambda tx: unfinished_of(tx, player_id, self._clock.now()))

    async def dismiss(self, player_id: int, play_id: int) -> Play:
        """Take a play off its player's list.

        A practice with guesses ends, as if it were given up. Anything else is listed again once
        it is opened or guessed at. Today's puzzle, and what is over, stay as they are.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's.
        """

        def body(tx: Transaction) -> Play:
            now = self._clock.now()
            play = read_own(tx, player_id, play_id, now)
            if play.puzzle is None and play.game.turns:
                play = end_practice(tx, play, now)
            elif play.game.outcome is None and not play.is_today:
                store.set_dismissed(tx, play.id, now)
                play = replace(play, dismissed_at=now)
            return play

        return await self._database.write(body, keys.player(player_id))

    def _open(
        self, tx: Transaction, player_id: int, guild_id: int | None, length: int | None
    ) -> Play:
        rules = Focdle(DEFAULT_LENGTH if length is None else length)
        for play in store.unfinished(tx, player_id, most=MOST_UNFINISHED, practice=True):
            if length in (None, play.length):
                return read_own(tx, player_id, play.id, self._clock.now())
        return self._begin(tx, player_id, guild_id, rules)

    def _begin(self, tx: Transaction, player_id: int, guild_id: int | None, rules: Focdle) -> Play:
        now = self._clock.now()
        games_game.begin(tx, player_id, now)
        place = find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
        rng: random.Random = secrets.SystemRandom()
        puzzle_id = store.add_puzzle(
            tx,
            number=None,
            length=rules.length,
            rules=rules.encode(),
            secret=rules.draw(rng),
            salt=new_salt(),
        )
        return begin(tx, player_id, place, puzzle_id, now)


# The bot breaks an equation that it drew, while a player watches. Nothing of it is stored: the ids
# of the board's buttons have the seed from which the equation is drawn with the key of puzzles, and
# so is which of equal openings the bot begins with: who watches often does not learn which
# equations are found last. The other guesses follow from their marks.


@dataclass(frozen=True, slots=True)
class Watched:
    """A FoCdle that the bot plays.

    Attributes:
        rules: its rules.
        seed: what the equation is drawn from; without the key it tells nothing.
        secret: the equation.
        steps: the guesses so far, with their reasons.
        palette: the tiles that who watches wants.
    """

    rules: Focdle
    seed: str
    secret: Code
    steps: tuple[Reason[Marks], ...]
    palette: str

    @property
    def is_found(self) -> bool:
        """Whether the bot has found the equation."""
        return bool(self.steps) and self.steps[-1].turn.guess == self.secret

    @property
    def is_over(self) -> bool:
        """Whether the bot guesses no more."""
        return self.is_found or len(self.steps) == self.rules.max_guesses


_SEED_BYTES: Final = 8

DRAWS: Final = 840
"""Divided by every number up to eight, so each of so many equal openings is as likely."""

BREAK_EQUATION: Final[Named[[Focdle, Code, int, int], tuple[Reason[Marks], ...]]] = Named(
    "bot.focdle.solving", "break_equation"
)


class Watching:
    """Use cases of who watches.

    Args:
        database: where players' choices are.
        clock: what tells the time.
        key: the key of puzzles.
    """

    def __init__(self, database: Database, clock: Clock, key: str) -> None:
        self._database = database
        self._clock = clock
        self._key = key

    async def open(self, player_id: int, length: int | None = None) -> Watched:
        """A new equation, of the usual length unless another is asked for.

        Raises:
            NoSuchLengthError: there are no FoCdles of this length.
            EnoughGamesError: there may be no new one today.
        """
        rules = Focdle(DEFAULT_LENGTH if length is None else length)
        await self._database.write(
            lambda tx: games_game.begin(tx, player_id, self._clock.now()), keys.player(player_id)
        )
        return await self.step(player_id, rules.length, secrets.token_hex(_SEED_BYTES), 0)

    async def step(self, player_id: int, length: int, seed: str, guesses: int) -> Watched:
        """The same after so many guesses, or fewer where the equation is found before.

        Args:
            player_id: who watches.
            length: how many symbols the equation has.
            seed: what it is drawn from.
            guesses: how many.

        Raises:
            NoSuchLengthError: there are no FoCdles of this length.
        """
        rules = Focdle(length)
        secret = rules.draw(KeyedIntegers(self._key, f"focdle watched 1/{length}/{seed}"))
        choices = await self._database.read(lambda tx: people_store.choices.get(tx, player_id))
        draw = KeyedIntegers(self._key, f"focdle opening 1/{length}/{seed}").randrange(DRAWS)
        steps = await in_thread(BREAK_EQUATION, rules, secret, guesses, draw)
        return Watched(rules, seed, secret, steps, (choices or Choices()).palette)
