"""Stored games of Mastermind and their turns."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any, Final, Self

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.db.database import Transaction
from bot.db.keyed import columns_of, find_ids, is_served
from bot.db.tables.games import FLEETING, analyses
from bot.db.tables.games import hints as hint_rows
from bot.db.tables.games import mastermind_turns as turns
from bot.db.tables.games import masterminds as games
from bot.db.tables.kinds import FIRST_PLAYER
from bot.games import store as games_store
from bot.games.model import Hint
from bot.mastermind.model import FinishedMastermind, Guess, MastermindGame, NewMastermind
from bot.outages import ALL, ShardRange


@dataclass(frozen=True, slots=True)
class ResultRow:
    """How many finished games of a player have these rules, this ending, turns and hints."""

    rules: str
    ending: str
    turns: int
    hints: int
    games: int


@dataclass(frozen=True, slots=True)
class _Queries:
    """Queries for the games that meet a condition, and for their turns and hints."""

    games: Select[*tuple[Any, ...]]
    turns: Select[*tuple[Any, ...]]
    hints: Select[*tuple[Any, ...]]

    @classmethod
    def of(cls, condition: ColumnElement[bool]) -> Self:
        has_hints = exists().where(hint_rows.c.mastermind_id == games.c.id)
        return cls(
            select(games, has_hints.label("hints")).where(condition).order_by(games.c.id),
            select(turns.c.game_id, *columns_of(Guess, turns))
            .join_from(turns, games)
            .where(condition)
            .order_by(turns.c.game_id, turns.c.turn),
            games_store.hints_of_masterminds(condition),
        )


_BY_ID: Final = _Queries.of(games.c.id == bindparam("of_game"))
_IS_PLAYERS: Final = or_(
    games.c.owner_id == bindparam("of_player"), games.c.codebreaker_id == bindparam("of_player")
)
_OPEN: Final = _Queries.of(
    games.c.finished_at.is_(None) & (games.c.deadline_at > bindparam("now")) & _IS_PLAYERS
)


_ADD: Final = insert(games).returning(games.c.id)
_CHANGE: Final = update(games).where(games.c.id == bindparam("of_game"))
_MOVE: Final = _CHANGE.values(revision=games.c.revision + 1)


_ANSWER: Final = update(turns).where(
    turns.c.game_id == bindparam("of_game"), turns.c.turn == bindparam("of_turn")
)


def get(tx: Transaction, game_id: int) -> MastermindGame | None:
    found = _find(tx, _BY_ID, {"of_game": game_id})
    return found[0] if found else None


def open_of(tx: Transaction, player_id: int, now: datetime) -> list[MastermindGame]:
    """The games that go on with a player as owner or Codebreaker, the latest move first."""
    found = _find(tx, _OPEN, {"of_player": player_id, "now": now})
    return sorted(found, key=lambda game: (game.moved_at, game.id), reverse=True)


def passed(tx: Transaction, now: datetime, after: int, shards: ShardRange) -> list[int]:
    """A page of ids of unfinished games on these shards whose deadline has passed."""
    is_late = games.c.finished_at.is_(None) & (games.c.deadline_at <= now)
    is_ours = is_served(games.c.guild_id, shards)
    return find_ids(tx, games.c.id, is_late & is_ours, after)


def unshown(tx: Transaction, moved_by: datetime, after: int, shards: ShardRange = ALL) -> list[int]:
    """A page of ids of games on these shards whose public board shows an old revision.

    Games with a move after `moved_by` are left out.
    """
    is_stale = games.c.message_id.is_not(None) & (games.c.shown < games.c.revision)
    is_ours = is_served(games.c.guild_id, shards)
    return find_ids(tx, games.c.id, is_stale & (games.c.moved_at <= moved_by) & is_ours, after)


def last_rules(tx: Transaction, owner_id: int, kind: str) -> str | None:
    """The rules of the game of a kind that a player opened last; None without any."""
    query = select(games.c.rules).where(games.c.owner_id == owner_id, games.c.kind == kind)
    return tx.scalar(query.order_by(games.c.id.desc()).limit(1))


def results(tx: Transaction, player_id: int) -> list[ResultRow]:
    """Count a Codebreaker's finished games with a guess, by rules, ending, turns and hints."""
    taken = select(func.count()).where(hint_rows.c.mastermind_id == games.c.id).scalar_subquery()
    lengths = (
        select(games.c.rules, games.c.ending, func.count().label("turns"), taken.label("hints"))
        .join_from(games, turns)
        .where(games.c.codebreaker_id == player_id, games.c.finished_at.is_not(None))
        .group_by(games.c.id, games.c.rules, games.c.ending)
        .subquery()
    )
    columns = (lengths.c.rules, lengths.c.ending, lengths.c.turns, lengths.c.hints)
    query = select(*columns, func.count().label("games"))
    rows = tx.execute(query.group_by(*columns).order_by(*columns))
    return [ResultRow(*row) for row in rows]


def add(tx: Transaction, game: NewMastermind, *, opened_at: datetime, deadline_at: datetime) -> int:
    values = {
        **asdict(game),
        "rules": game.rules.encode(),
        "pending": "",
        "opened_at": opened_at,
        "moved_at": opened_at,
        "deadline_at": deadline_at,
    }
    found: int = tx.execute(_ADD, values).scalar_one()
    return found


def move(
    tx: Transaction, game_id: int, *, pending: str, moved_at: datetime, deadline_at: datetime
) -> None:
    """Store the row being filled, the time and the deadline; count up the revision."""
    values = {"pending": pending, "moved_at": moved_at, "deadline_at": deadline_at}
    tx.execute(_MOVE, {"of_game": game_id, **values})


def set_ranked(tx: Transaction, game_id: int, *, ranked: bool) -> None:
    tx.execute(_CHANGE, {"of_game": game_id, "ranked": ranked})


def change(tx: Transaction, game_id: int, *, rules: str, secret: str, salt: str) -> None:
    """Store another setting of a challenge, and the code that its challenger has set for it."""
    values = {"rules": rules, "secret": secret, "salt": salt}
    tx.execute(_CHANGE, {"of_game": game_id, **values})


def accept(tx: Transaction, game_id: int, *, accepted_at: datetime) -> None:
    tx.execute(_CHANGE, {"of_game": game_id, "accepted_at": accepted_at})


def finish(tx: Transaction, game_id: int, *, ending: str, finished_at: datetime) -> None:
    values = {"ending": ending, "finished_at": finished_at}
    tx.execute(_MOVE, {"of_game": game_id, **values})


def reopen(tx: Transaction, game_id: int) -> None:
    tx.execute(_CHANGE, {"of_game": game_id, "ending": None, "finished_at": None})


def set_message(tx: Transaction, game_id: int, message_id: int, *, shown: int) -> None:
    """Store which message is a game's public board, and which revision it shows."""
    tx.execute(_CHANGE, {"of_game": game_id, "message_id": message_id, "shown": shown})


def forget_message(tx: Transaction, game_id: int, message_id: int) -> None:
    """Note that a game has no public board, if this message was it."""
    change = update(games).where(games.c.id == game_id, games.c.message_id == message_id)
    tx.execute(change.values(message_id=None))


def put_off(tx: Transaction, game_id: int, until: datetime) -> None:
    """Put off the edit of the public board of a game that is over."""
    tx.execute(_CHANGE, {"of_game": game_id, "moved_at": until})


def add_turns(
    tx: Transaction, game_id: int, *, first: int, codes: Sequence[str], guessed_at: datetime
) -> None:
    """Append guesses; `first` is the 0-based index of the first of them."""
    rows = [
        {"game_id": game_id, "turn": turn, "code": code, "guessed_at": guessed_at}
        for turn, code in enumerate(codes, first)
    ]
    tx.execute(insert(turns), rows)


def answer(
    tx: Transaction, game_id: int, *, turn: int, blacks: int | None, whites: int | None
) -> None:
    values = {"blacks": blacks, "whites": whites}
    tx.execute(_ANSWER, {"of_game": game_id, "of_turn": turn, **values})


def drop_turns(tx: Transaction, game_id: int, *, after: int) -> None:
    tx.execute(delete(turns).where(turns.c.game_id == game_id, turns.c.turn > after))


def _find(tx: Transaction, queries: _Queries, bound: dict[str, object]) -> list[MastermindGame]:
    """Read the games that the queries find, in the order in which they were opened."""
    rows = tx.execute(queries.games, bound).mappings()
    found = [MastermindGame.stored(**row) for row in rows]
    if not found:
        return []
    made: dict[int, list[Guess]] = {}
    for game_id, *turn in tx.execute(queries.turns, bound):
        made.setdefault(game_id, []).append(Guess(*turn))
    taken: dict[int, list[Hint]] = {}
    if any(game.hints for game in found):  # at first, `hints` only says whether there are any
        for game_id, *hint in tx.execute(queries.hints, bound):
            taken.setdefault(game_id, []).append(Hint(*hint))
    return [
        replace(game, guesses=tuple(made.get(game.id, ())), hints=tuple(taken.get(game.id, ())))
        for game in found
    ]


def names(player_id: int) -> ColumnElement[bool]:
    """Match games that a player owns or in which they guess."""
    return or_(games.c.owner_id == player_id, games.c.codebreaker_id == player_id)


GOES_ON: Final = and_(games.c.kind == "challenge", games.c.finished_at.is_(None))
"""The condition of challenges that go on."""


def erase(tx: Transaction, player_id: int) -> None:
    """Delete games without another player, and analyses of the player's guesses in the others."""
    breaker = games.c.codebreaker_id
    is_alone = or_(breaker.is_(None), breaker == player_id)
    tx.execute(delete(games).where(games.c.owner_id == player_id, is_alone))
    broken = select(games.c.id).where(breaker == player_id)
    tx.execute(delete(analyses).where(analyses.c.mastermind_id.in_(broken)))


def show_anew(tx: Transaction, player_id: int, _now: datetime) -> None:
    """Have the public boards edited that name a player."""
    change = update(games).where(names(player_id), games.c.message_id.is_not(None))
    tx.execute(change.values(revision=games.c.revision + 1))


def drop_ended(tx: Transaction, fleeting_by: datetime, most: int) -> int:
    """Delete some challenges that ended unaccepted by `fleeting_by`, or whose players are gone."""
    is_fleeting = (FLEETING, games.c.finished_at <= fleeting_by)
    dropped = games_store.drop_some(tx, most, games, *is_fleeting)
    is_left = (
        games.c.owner_id < FIRST_PLAYER,
        games.c.codebreaker_id < FIRST_PLAYER,
        games.c.finished_at.is_not(None),
        or_(games.c.message_id.is_(None), games.c.shown >= games.c.revision),
    )
    return dropped + games_store.drop_some(tx, most - dropped, games, *is_left)


# The bot's guess is stored before its answer. With a stored secret, the answer follows from it.
_ANSWERED: Final = (turns.c.game_id == games.c.id) & or_(
    games.c.secret.is_not(None), turns.c.whites.is_not(None)
)


def ended(player_id: int) -> list[Select[*tuple[Any, ...]]]:
    """Select id and end of a player's finished games that were begun: each once."""
    was_begun = games.c.accepted_at.is_not(None) | exists().where(_ANSWERED).correlate(games)
    query = select(games.c.id, games.c.finished_at).where(
        games.c.finished_at.is_not(None), was_begun
    )
    # Each query reads this player's rows only.
    return [
        query.where(games.c.owner_id == player_id),
        query.where(games.c.codebreaker_id == player_id, games.c.owner_id != player_id),
    ]


def finished(_player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    made = select(func.count()).where(_ANSWERED).correlate(games).scalar_subquery()
    taken = select(func.count()).where(hint_rows.c.mastermind_id == games.c.id).scalar_subquery()
    is_sealed = (games.c.kind == "defend") & games.c.secret.is_not(None)
    columns = columns_of(FinishedMastermind, games, sealed=is_sealed, guesses=made, hints=taken)
    return select(*columns).where(games.c.id.in_(ids), games.c.finished_at.is_not(None))
