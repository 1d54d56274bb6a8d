"""The list of a player's finished games, of all kinds."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Final

from bot.db.database import Database, Transaction
from bot.duels.model.transitions import PLAYED
from bot.duels.model.transitions import Ending as DuelEnding
from bot.home.store import finished_games
from bot.home.store.finished_games import (
    FinishedDuelRow,
    FinishedKey,
    FinishedMastermindRow,
    FinishedPlayRow,
)
from bot.mastermind.model.game import Ending, Kind
from engine import BullsAndCows, Focdle, Mastermind, Mode, Outcome, Strength

PAGE: Final = 10
"""Games on a page."""


@dataclass(frozen=True, slots=True)
class FinishedPlay:
    """A FoCdle that is over.

    Attributes:
        id: what buttons call it by.
        finished_at: when it ended.
        number: the daily's number; None for a practice.
        rules: its rules; hard mode is one of them.
        is_solved: whether its player found the equation.
        on_date: whether it was finished while its date was today.
        guesses: how many were made.
        hints: how many were taken.
    """

    id: int
    finished_at: datetime
    number: int | None
    rules: Focdle
    is_solved: bool
    on_date: bool
    guesses: int
    hints: int


@dataclass(frozen=True, slots=True)
class FinishedMastermind:
    """A game of Mastermind that is over, and was begun.

    Attributes:
        id: what buttons call it by.
        finished_at: when it ended.
        kind: who made the code and who broke it.
        rules: its setting.
        owner_id: who opened it.
        codebreaker_id: the player who guessed; None for the bot.
        ending: how it ended.
        sealed: in DEFEND, whether the code was entered first.
        guesses: how many were made and answered.
        hints: how many were taken.
    """

    id: int
    finished_at: datetime
    kind: Kind
    rules: Mastermind
    owner_id: int
    codebreaker_id: int | None
    ending: Ending
    sealed: bool
    guesses: int
    hints: int


class Result(Enum):
    """What a duel was for one of its players."""

    WON = "won"
    DRAWN = "drawn"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class FinishedDuel:
    """A duel that was played to an end.

    Attributes:
        id: what buttons call it by.
        finished_at: when it ended.
        rules: of both boards.
        mode: who could guess when, and who won.
        strength: how well the bot played; None between players.
        opponent_id: the other player; None for the bot.
        ending: how it ended.
        result: what that is for the player.
        guesses: how many the winner made; where both found the number, each of them.
    """

    id: int
    finished_at: datetime
    rules: BullsAndCows
    mode: Mode
    strength: Strength | None
    opponent_id: int | None
    ending: DuelEnding
    result: Result
    guesses: int


FinishedGame = FinishedPlay | FinishedMastermind | FinishedDuel


@dataclass(frozen=True, slots=True)
class FinishedPage:
    """A page of a player's finished games.

    Attributes:
        player_id: the player.
        number: which page, 0 for the latest games.
        pages: how many there are, at least 1.
        games: those on it, the latest first.
    """

    player_id: int
    number: int
    pages: int
    games: tuple[FinishedGame, ...]


class FinishedGames:
    """Use cases of finished games."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(self, player_id: int, number: int = 0) -> FinishedPage:
        """A page of a player's finished games.

        What never began is no game: a challenge that was not accepted, a duel that was called
        off, a code at which nobody guessed.

        Args:
            player_id: the player, whose own games they all are.
            number: which page; beyond the ends it is the first or the last.
        """

        async def read(tx: Transaction) -> FinishedPage:
            pages = max(1, -(-await finished_games.count(tx, player_id, PLAYED) // PAGE))
            shown = min(max(number, 0), pages - 1)
            keys = await finished_games.page(tx, player_id, PLAYED, most=PAGE, after=shown * PAGE)
            games = await _read(tx, player_id, keys)
            return FinishedPage(player_id, shown, pages, tuple(games[key] for key in keys))

        return await self._database.read(read)


async def _read(
    tx: Transaction, player_id: int, keys: list[FinishedKey]
) -> dict[FinishedKey, FinishedGame]:
    """These games; kinds that are not among them are not asked for."""
    ids = {
        source: [key.id for key in keys if key.source == source]
        for source in dict.fromkeys(key.source for key in keys)
    }
    games: dict[FinishedKey, FinishedGame] = {}
    if plays := ids.get(finished_games.PLAY):
        for row in await finished_games.find_plays(tx, plays):
            games[FinishedKey(finished_games.PLAY, row.id)] = _play(row)
    if codes := ids.get(finished_games.MASTERMIND):
        for row in await finished_games.find_masterminds(tx, codes):
            games[FinishedKey(finished_games.MASTERMIND, row.id)] = _mastermind(row)
    if fought := ids.get(finished_games.DUEL):
        for row in await finished_games.find_duels(tx, player_id, fought):
            games[FinishedKey(finished_games.DUEL, row.id)] = _duel(row)
    return games


def _play(row: FinishedPlayRow) -> FinishedPlay:
    return FinishedPlay(
        id=row.id,
        finished_at=row.finished_at,
        number=row.number,
        rules=replace(Focdle.decode(row.rules), hard=row.hard),
        is_solved=row.outcome == Outcome.SOLVED.value,
        on_date=row.on_date,
        guesses=row.guesses,
        hints=row.hints,
    )


def _mastermind(row: FinishedMastermindRow) -> FinishedMastermind:
    kind = Kind(row.kind)
    return FinishedMastermind(
        id=row.id,
        finished_at=row.finished_at,
        kind=kind,
        rules=Mastermind.decode(row.rules),
        owner_id=row.owner_id,
        codebreaker_id=row.codebreaker_id,
        ending=Ending(row.ending),
        sealed=kind is Kind.DEFEND and row.sealed,
        guesses=row.guesses,
        hints=row.hints,
    )


def _duel(row: FinishedDuelRow) -> FinishedDuel:
    result = Result.DRAWN
    if row.winner is not None:
        result = Result.WON if row.winner == row.seat else Result.LOST
    return FinishedDuel(
        id=row.id,
        finished_at=row.finished_at,
        rules=BullsAndCows.decode(row.rules),
        mode=Mode(row.mode),
        strength=None if row.strength is None else Strength(row.strength),
        opponent_id=row.opponent_id,
        ending=DuelEnding(row.ending),
        result=result,
        guesses=row.guesses,
    )
