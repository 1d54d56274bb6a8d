"""What there is for a player to do now: today's puzzle, a streak to keep, games that wait."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.clock import Clock, date_in, start_of
from bot.dailies import PuzzleName, number_of
from bot.db.database import Database, Transaction
from bot.duels.game.listing import Duels
from bot.duels.model.duel import DuelGame
from bot.duels.model.transitions import PLAYED, State
from bot.focdle.game import streak_keeping
from bot.focdle.game.plays import read_own
from bot.focdle.game.practice import unfinished_of
from bot.focdle.model.play import Play
from bot.focdle.store import plays, puzzles
from bot.games.model.plays import Unfinished
from bot.home.store import finished_games
from bot.mastermind.game.listing import Games
from bot.mastermind.model.game import MastermindGame
from bot.people.game.places import find_place
from bot.streaks.model.streaks import Streak


@dataclass(frozen=True, slots=True)
class Agenda:
    """What there is for a player to do.

    Attributes:
        puzzle: today's puzzle where they ask.
        play: how their play of it stands; None while they have not opened it.
        next_puzzle_at: when the next date begins there.
        streak: their streak.
        is_today_counted: whether the streak has today already, at whatever length.
        running: duels that go on, and challenges in which it is their turn: these first, then those
            whose time runs out soonest.
        waiting: in how many of them it is their turn.
        knows_focdle: whether they have ever opened one.
        is_new: whether they have never played anything.
    """

    puzzle: PuzzleName
    play: Play | None
    next_puzzle_at: datetime
    streak: Streak
    is_today_counted: bool
    running: tuple[DuelGame | MastermindGame, ...]
    waiting: int
    knows_focdle: bool
    is_new: bool

    @property
    def is_today_over(self) -> bool:
        """Whether they have finished today's puzzle."""
        return self.play is not None and self.play.game.outcome is not None


class Agendas:
    """Use cases that look at what a player can do; each is one transaction."""

    def __init__(self, database: Database, clock: Clock, duels: Duels, masterminds: Games) -> None:
        self._database = database
        self._clock = clock
        self._duels = duels
        self._masterminds = masterminds

    async def of(self, player_id: int, guild_id: int | None) -> Agenda:
        """What there is to do for a player, who asks in a server; None where the bot is no member.

        It opens nothing.
        """

        async def read(tx: Transaction) -> Agenda:
            now = self._clock.now()
            place = await find_place(tx, player_id=player_id, guild_id=guild_id, now=now)
            today = date_in(place.zone, now)
            puzzle = PuzzleName(number_of(today), place.length)
            knows_focdle = await plays.has_any(tx, player_id)
            play = await _find(tx, player_id, puzzle, now) if knows_focdle else None
            streak = None if play is None else play.streak
            if streak is None:
                streak = Streak()
                if knows_focdle:
                    streak = await streak_keeping.refresh(tx, player_id, now)
            games = await self._games(tx, player_id, now)
            has_played = knows_focdle or games or await _has_finished(tx, player_id)
            return Agenda(
                puzzle=puzzle,
                play=play,
                next_puzzle_at=start_of(today + timedelta(days=1), place.zone),
                streak=streak,
                is_today_counted=any(change.day == today for change in streak.changes),
                running=_running(games, player_id, now),
                waiting=sum(game.waits_for(player_id) for game in games),
                knows_focdle=knows_focdle,
                is_new=not has_played,
            )

        return await self._database.look(read)

    async def unfinished(self, player_id: int) -> list[DuelGame | MastermindGame | Unfinished]:
        """What a player has not finished: duels, Mastermind, then FoCdle, the latest of each first.

        What was dismissed is not among it.
        """

        async def read(tx: Transaction) -> list[DuelGame | MastermindGame | Unfinished]:
            now = self._clock.now()
            games = await self._games(tx, player_id, now)
            return [*games, *await unfinished_of(tx, player_id, now)]

        return await self._database.read(read)

    async def _games(
        self, tx: Transaction, player_id: int, now: datetime
    ) -> list[DuelGame | MastermindGame]:
        return [
            *await self._duels.open_within(tx, player_id, now),
            *await self._masterminds.open_within(tx, player_id, now),
        ]


def _running(
    games: Sequence[DuelGame | MastermindGame], player_id: int, now: datetime
) -> tuple[DuelGame | MastermindGame, ...]:
    """The games in which somebody waits for the player, then the other duels that go on."""

    def goes_on(game: DuelGame | MastermindGame) -> bool:
        is_duel = isinstance(game, DuelGame) and game.state is not State.INVITED
        return is_duel or game.waits_for(player_id)

    def urgency(game: DuelGame | MastermindGame) -> tuple[bool, bool, datetime]:
        at = game.deadline_at
        return not game.waits_for(player_id), at is None, at or now

    return tuple(sorted(filter(goes_on, games), key=urgency))


async def _has_finished(tx: Transaction, player_id: int) -> bool:
    return bool(await finished_games.page(tx, player_id, PLAYED, most=1, after=0))


async def _find(tx: Transaction, player_id: int, puzzle: PuzzleName, now: datetime) -> Play | None:
    """A player's play of a puzzle, if they have opened it."""
    row = await puzzles.find(tx, puzzle.number, puzzle.length)
    play_id = None if row is None else await plays.find_id(tx, row.id, player_id)
    return None if play_id is None else await read_own(tx, player_id, play_id, now)
