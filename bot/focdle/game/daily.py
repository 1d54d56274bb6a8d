"""The daily FoCdle: open it, guess, look at the result and into the archive."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import chain, islice
from typing import Final

from bot.clock import Clock, date_in
from bot.dailies import LENGTHS, PuzzleName, day_of, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle.game.daily_secrets import derive_secret
from bot.focdle.game.plays import begin, bring_back, make_guess, played, read_own
from bot.focdle.game.puzzles import is_number, name_puzzle, split_length
from bot.focdle.game.spent_dailies import require_unspent
from bot.focdle.model.errors import GuessRefusedError, WhichPuzzleError
from bot.focdle.model.play import Play
from bot.focdle.store import plays, puzzles
from bot.games.game import free_games
from bot.games.game.seals import Commitment, commitment, new_salt
from bot.people.game.places import Place, find_place
from bot.refused import NotFinishedError, Refused
from engine import Focdle

log = logging.getLogger(__name__)

MOST_ARCHIVE_ENTRIES: Final = 25


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
    """Use cases of the daily; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, key: str) -> None:
        self._database = database
        self._clock = clock
        self._key = key

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

        async def opened(tx: Transaction) -> Play:
            now = self._clock.now()
            place = await find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            typed = f"#{puzzle}" if isinstance(puzzle, PuzzleName) else puzzle
            name = _named(typed, place, now, day_first=day_first)
            return await self._open(tx, player_id, place, name, now)

        if guess is None:
            return played(await self._database.look(opened, keys.player(player_id)), None)

        async def guessed(tx: Transaction) -> tuple[Play, GuessRefusedError | None]:
            return await make_guess(tx, await opened(tx), guess, self._clock.now())

        return played(*await self._database.write(guessed, keys.player(player_id)))

    async def seal(self, name: PuzzleName) -> Commitment | None:
        """What is shown for a daily's secret before anybody has solved it; it is fixed now."""
        return await self._database.look(
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

        async def sealed(tx: Transaction) -> list[DaySeals]:
            found = {name: await self._seal(tx, name) for name in names}
            return [
                DaySeals(n, {name.length: of for name, of in found.items() if name.number == n})
                for n in (today, today + 1)
            ]

        about = [keys.puzzle(name.number, name.length) for name in names]
        return await self._database.look(sealed, *about)

    async def view(self, player_id: int, play_id: int) -> Play:
        """A player's own play as it stands, a practice too.

        Raises:
            NoSuchPlayError, NotYourPlayError: it is not this player's to see.
        """
        return await self._database.look(
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

        async def guessed(tx: Transaction) -> tuple[Play, GuessRefusedError | None]:
            now = self._clock.now()
            play = await read_own(tx, player_id, play_id, now)
            return await make_guess(tx, play, text, now, as_probe=as_probe)

        return played(*await self._database.write(guessed, keys.player(player_id)))

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
        async with self._database.reading() as tx:
            now = self._clock.now()
            place = await find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
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
                outcomes = await plays.outcomes(tx, player_id, numbers, each)
                states |= {PuzzleName(number, each): of for number, of in outcomes.items()}
        return [
            ArchiveEntry(name, name.day, (states[name] or "open") if name in states else "new")
            for name in found
        ]

    async def _open(
        self, tx: Transaction, player_id: int, place: Place, name: PuzzleName, now: datetime
    ) -> Play:
        puzzle_id = await self._fix(tx, name)
        play_id = await plays.find_id(tx, puzzle_id, player_id)
        if play_id is None:
            is_spent = await require_unspent(tx, player_id, name, now)
            if name.number != number_of(date_in(place.zone, now)):
                await free_games.begin(tx, player_id, now)
            return await begin(tx, player_id, place, puzzle_id, now, is_spent=is_spent)
        return await bring_back(tx, await read_own(tx, player_id, play_id, now))

    async def _seal(self, tx: Transaction, name: PuzzleName) -> Commitment | None:
        await self._fix(tx, name)
        row = await puzzles.find(tx, name.number, name.length)
        if row is None:
            raise RuntimeError("a puzzle cannot vanish in its own transaction")
        return commitment(f"focdle {name}", row.secret, row.salt, is_open=False)

    async def _fix(self, tx: Transaction, name: PuzzleName) -> int:
        """The stored puzzle of this name; its secret is drawn when first opened."""
        row = await puzzles.find(tx, name.number, name.length)
        if row is None:  # somebody else may be at it
            await tx.about(keys.puzzle(name.number, name.length))
            row = await puzzles.find(tx, name.number, name.length)
        if row is not None:
            return row.id
        return await puzzles.add(
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
