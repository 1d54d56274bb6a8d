"""Reads finished games of every kind for the coach."""

from dataclasses import dataclass
from typing import Any, Final

from bot.coach.model.errors import NobodyGuessedError, NotAPlayerError, StillPlayingError
from bot.coach.model.insight import Record, Role
from bot.dailies import PuzzleName
from bot.db.database import Transaction
from bot.duels.game.position import duel_of, rules_of, seat_of
from bot.duels.game.turns import SEATS
from bot.duels.model.errors import NoSuchDuelError, NotYourDuelError
from bot.duels.store import duels
from bot.duels.store.duels import DuelRow
from bot.focdle.model.errors import NoSuchPlayError, NotYourPlayError
from bot.focdle.store import plays
from bot.games.model.games import GameName, Source
from bot.mastermind.game.transactions import game_of
from bot.mastermind.model.errors import NoSuchGameError, NotYourGameError
from bot.mastermind.model.game import Kind
from bot.mastermind.store import masterminds
from bot.refused import Refused
from engine import Focdle, Game, Outcome, Score, Turn, replay


@dataclass(frozen=True, slots=True)
class Finished:
    """A finished game as a player looks at it.

    Attributes:
        player_id: who looks at it.
        name: what it is asked for by, and its analysis is stored under; its seat told.
        record: what was played.
        role: whose guesses these are.
        breaker_id: the player who guessed; None for the bot.
        puzzle: which daily it was.
        guild_id: the server it was opened in.
        other_seat: the other side of a duel, if anybody guessed there.
        is_between_two: whether two people have played it.
    """

    player_id: int
    name: GameName
    record: Record
    role: Role
    breaker_id: int | None
    puzzle: PuzzleName | None = None
    guild_id: int | None = None
    other_seat: int | None = None
    is_between_two: bool = False


async def find(tx: Transaction, player_id: int, name: GameName) -> Finished:
    """A finished game that a player has taken part in.

    Raises:
        NoSuchPlayError, NoSuchGameError, NoSuchDuelError: it is not, or no longer, stored.
        NotYourPlayError, NotYourGameError, NotYourDuelError, NotAPlayerError: the player had no
            part in it; the last where a channel has watched two others.
        StillPlayingError: it goes on.
        NobodyGuessedError: nobody has guessed.
    """
    finished = await _FINDERS[name.source](tx, player_id, name)
    if not finished.record.turns:
        raise NobodyGuessedError
    return finished


async def is_unchanged(tx: Transaction, finished: Finished) -> bool:
    """Whether a game is still stored, with the same player's guesses."""
    try:
        again = await find(tx, finished.player_id, finished.name)
    except Refused:
        return False
    return again.breaker_id == finished.breaker_id


async def _play(tx: Transaction, player_id: int, name: GameName) -> Finished:
    row = await plays.get(tx, name.id)
    if row is None:
        raise NoSuchPlayError
    if row.player_id != player_id:
        raise NotYourPlayError
    if row.finished_at is None:
        raise StillPlayingError
    rules = Focdle(row.length, Focdle.decode(row.rules).max_guesses, row.hard)
    turns = replay(rules, row.secret, row.guesses).turns
    return Finished(
        player_id=player_id,
        name=GameName(Source.PLAY, row.id, 0),
        record=Record(rules, rules.encode(), row.secret, turns, hints=row.hints),
        role=Role.OWN,
        breaker_id=player_id,
        puzzle=None if row.number is None else PuzzleName(row.number, row.length),
        guild_id=row.guild_id,
    )


async def _mastermind(tx: Transaction, player_id: int, name: GameName) -> Finished:
    row = await masterminds.get(tx, name.id)
    if row is None:
        raise NoSuchGameError
    if player_id not in {row.owner_id, row.codebreaker_id}:
        if row.kind == Kind.CHALLENGE:
            players = (row.owner_id, row.codebreaker_id or row.owner_id)
            raise NotAPlayerError(player_ids=players, guild_id=row.guild_id)
        raise NotYourGameError(player_id=row.owner_id, guild_id=row.guild_id)
    if row.finished_at is None:
        raise StillPlayingError
    game = game_of(row)
    turns: tuple[Turn[Any], ...] = game.turns
    is_solved = bool(turns) and game.rules.solved(turns[-1].feedback)
    secret = row.secret or (turns[-1].guess if is_solved else None)
    roles = {None: Role.BOT, player_id: Role.OWN}
    return Finished(
        player_id=player_id,
        name=GameName(Source.MASTERMIND, row.id, 0),
        record=Record(game.rules, row.rules, secret, turns, hints=row.hints),
        role=roles.get(row.codebreaker_id, Role.OTHER),
        breaker_id=row.codebreaker_id,
        guild_id=row.guild_id,
        is_between_two=row.kind == Kind.CHALLENGE,
    )


async def _duel(tx: Transaction, player_id: int, name: GameName) -> Finished:
    row = await duels.get(tx, name.id)
    if row is None:
        raise NoSuchDuelError
    own = seat_of(row, player_id)
    if own is None:
        players = tuple(s.player_id for s in row.seats if s.player_id is not None)
        if row.strength is None:
            raise NotAPlayerError(player_ids=players, guild_id=row.guild_id)
        raise NotYourDuelError(player_ids=players, guild_id=row.guild_id)
    if row.finished_at is None:
        raise StillPlayingError
    if row.playing_at is None:
        raise NobodyGuessedError
    games = duel_of(row).games
    # Who has not guessed is shown what the other did.
    seat = name.seat if name.seat in SEATS else own if games[own].turns else 1 - own
    breaker = row.seats[seat].player_id
    roles = {None: Role.BOT, player_id: Role.OWN}
    return Finished(
        player_id=player_id,
        name=GameName(Source.DUEL, row.id, seat),
        record=Record(
            rules_of(row),
            row.rules,
            games[seat].secret,
            games[seat].turns,
            _most_of(row, games, seat),
        ),
        role=roles.get(breaker, Role.OTHER),
        breaker_id=breaker,
        guild_id=row.guild_id,
        other_seat=1 - seat if games[1 - seat].turns else None,
        is_between_two=row.strength is None,
    )


def _most_of(row: DuelRow, games: tuple[Game[Score], Game[Score]], seat: int) -> int | None:
    """How many guesses a side had, if the last of them answered the other's right one."""
    mine, theirs = games[seat], games[1 - seat]
    is_answer = theirs.outcome is Outcome.SOLVED and row.moves[-1].seat == seat
    made = len(mine.turns)
    return made if is_answer and made == len(theirs.turns) else None


_FINDERS: Final = {Source.PLAY: _play, Source.MASTERMIND: _mastermind, Source.DUEL: _duel}
