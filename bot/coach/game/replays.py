"""Replays: finished Masterminds and duels as they stood after each guess."""

from dataclasses import dataclass
from itertools import chain, zip_longest
from typing import Any

from bot.coach.game.games import Finished, find
from bot.coach.game.reviews import stored
from bot.coach.model.errors import NotForEverybodyError
from bot.coach.model.insight import Analysis
from bot.db.database import Database
from bot.games.model.games import GameName
from bot.games.store import shares
from bot.refused import NotYoursError
from engine import Rules, Turn


@dataclass(frozen=True, slots=True)
class Side:
    """One player's guesses.

    Attributes:
        breaker_id: who guessed; None for the bot.
        secret: what was to be found; None where only its player knows it.
        turns: the guesses and their answers, at least one.
        analysis: what the coach has found, if it has looked at them.
    """

    breaker_id: int | None
    secret: str | None
    turns: tuple[Turn[Any], ...]
    analysis: Analysis | None


@dataclass(frozen=True, slots=True)
class Replay:
    """A finished game, step by step: each step is a guess.

    Attributes:
        game: what it is asked for by.
        player_id: who shows it.
        rules: the game's.
        sides: whose guesses these are; in a duel who moved first, and then the other.
        is_for_everybody: whether it may be shown to everybody where it is asked for.
    """

    game: GameName
    player_id: int
    rules: Rules[Any]
    sides: tuple[Side, ...]
    is_for_everybody: bool

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Which side makes which of its guesses, in the order of moves, round by round."""
        made = [
            [(side, turn) for turn in range(len(each.turns))]
            for side, each in enumerate(self.sides)
        ]
        return tuple(filter(None, chain.from_iterable(zip_longest(*made))))

    def after(self, step: int) -> tuple[tuple[Turn[Any], ...], ...]:
        """Each side's guesses after so many steps."""
        movers = [side for side, _ in self.steps[:step]]
        return tuple(each.turns[: movers.count(side)] for side, each in enumerate(self.sides))


class Replays:
    """Use cases of *Replay*."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, player_id: int, name: GameName, guild_id: int | None) -> Replay:
        """The replay of a finished game that a player has taken part in.

        Args:
            player_id: the player.
            name: which game.
            guild_id: the server where it is asked for; None in private.

        Raises:
            As `bot.coach.game.games.find`.
        """
        async with self._database.reading() as tx:
            first = await find(tx, player_id, name)
            found = [first]
            if first.other_seat is not None:
                other = GameName(name.source, name.id, first.other_seat)
                found.append(await find(tx, player_id, other))
                found.sort(key=lambda each: each.name.seat or 0)
            sides = tuple([_side(each, await stored(tx, each)) for each in found])
        return Replay(
            game=GameName(name.source, name.id, name.seat),
            player_id=player_id,
            rules=first.record.rules,
            sides=sides,
            is_for_everybody=_is_for_everybody(first, guild_id),
        )

    async def shown(
        self, player_id: int, name: GameName, guild_id: int | None, channel_id: int
    ) -> Replay:
        """A replay that its player has shown to everybody in a channel, for somebody else there.

        Raises:
            NotYoursError: it was not shown there, or would not be now.
            Refused: as `of`.
        """
        replay = await self.of(player_id, name, guild_id)
        async with self._database.reading() as tx:
            is_there = await shares.get(tx, name, channel_id) is not None
        if not is_there or not replay.is_for_everybody:
            raise NotYoursError
        return replay

    async def to_show(self, player_id: int, name: GameName, guild_id: int | None) -> Replay:
        """A replay that everybody may see where it is asked for.

        Raises:
            NotForEverybodyError: another player was promised that it stays where it was played.
            Refused: as `of`.
        """
        replay = await self.of(player_id, name, guild_id)
        if not replay.is_for_everybody:
            raise NotForEverybodyError
        return replay


def _side(finished: Finished, analysis: Analysis | None) -> Side:
    record = finished.record
    return Side(finished.breaker_id, record.secret, record.turns, analysis)


def _is_for_everybody(finished: Finished, guild_id: int | None) -> bool:
    """What two have played, in their server only."""
    return not finished.is_between_two or (guild_id is not None and finished.guild_id == guild_id)
