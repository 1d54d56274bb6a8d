"""SQL of set equations, and of what their posts show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    delete,
    exists,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from bot.db.database import Transaction
from bot.db.keyed import columns_of, find_ids, is_served
from bot.db.tables.games import equations, guesses, plays, puzzles
from bot.db.tables.kinds import FIRST_PLAYER
from bot.equations.model import FINAL_AFTER, EquationCounts, SetEquation
from bot.games.store import EditedPosts
from bot.moderation.store import is_unnamed
from bot.outages import ShardRange

posts: Final = EditedPosts(equations)
_EQUATION: Final = select(*columns_of(SetEquation, equations, puzzles)).join_from(
    equations, puzzles
)


def add(tx: Transaction, puzzle_id: int, **values: object) -> None:
    tx.execute(insert(equations).values(puzzle_id=puzzle_id, **values))


def get(tx: Transaction, puzzle_id: int) -> SetEquation | None:
    row = tx.execute(_EQUATION.where(equations.c.puzzle_id == puzzle_id)).mappings().one_or_none()
    return None if row is None else SetEquation.stored(**row)


def open_in(tx: Transaction, guild_id: int, channel_id: int, now: datetime) -> list[SetEquation]:
    """The open equations of a channel, the oldest first."""
    here = (equations.c.guild_id == guild_id, equations.c.channel_id == channel_id)
    query = _EQUATION.where(*here, puzzles.c.closes_at > now)
    rows = tx.execute(query.order_by(equations.c.opened_at, equations.c.puzzle_id)).mappings()
    return [SetEquation.stored(**row) for row in rows]


def inviting(tx: Transaction, player_id: int, now: datetime) -> list[SetEquation]:
    """The open, posted equations for a player who has not opened them yet, the latest first."""
    query = _EQUATION.where(
        equations.c.invited_id == player_id,
        equations.c.accepted_at.is_(None),
        equations.c.message_id.is_not(None),
        puzzles.c.closes_at > now,
    )
    return [
        SetEquation.stored(**row)
        for row in tx.execute(query.order_by(equations.c.opened_at.desc())).mappings()
    ]


def last_played(tx: Transaction, puzzle_id: int) -> datetime | None:
    """When a board of an equation was last opened or guessed at; None if never."""
    opened = select(func.max(plays.c.opened_at)).where(plays.c.puzzle_id == puzzle_id)
    guessed = (
        select(func.max(guesses.c.guessed_at))
        .join_from(guesses, plays)
        .where(plays.c.puzzle_id == puzzle_id)
    )
    instants = tx.execute(select(opened.scalar_subquery(), guessed.scalar_subquery())).one()
    return max((instant for instant in instants if instant is not None), default=None)


def running_daily(tx: Transaction, player_id: int, secret: str, first: int) -> int | None:
    """The number of a player's finished daily with this secret; None if there is none.

    Dailies before the number `first` are left out.
    """
    query = (
        select(puzzles.c.number)
        .join_from(puzzles, plays)
        .where(
            puzzles.c.number >= first,
            puzzles.c.secret == secret,
            plays.c.player_id == player_id,
            plays.c.finished_at.is_not(None),
        )
    )
    return tx.scalar(query.limit(1))


def close(tx: Transaction, puzzle_id: int, now: datetime) -> None:
    """Close an equation that is still open; its post is edited even if it had closed before."""
    is_open = (puzzles.c.id == puzzle_id, puzzles.c.closes_at > now)
    tx.execute(update(puzzles).where(*is_open).values(closes_at=now))
    posts.change(tx, puzzle_id, look_at=now)


def close_all_of(tx: Transaction, setter_id: int, now: datetime) -> None:
    query = select(equations.c.puzzle_id).join_from(equations, puzzles)
    mine = query.where(equations.c.setter_id == setter_id, puzzles.c.closes_at > now)
    for puzzle_id in tx.scalars(mine).all():
        close(tx, puzzle_id, now)


def accept(tx: Transaction, puzzle_id: int, now: datetime) -> None:
    """Note when the invited player has first opened a board of the equation."""
    first = (equations.c.puzzle_id == puzzle_id, equations.c.accepted_at.is_(None))
    tx.execute(update(equations).where(*first).values(accepted_at=now))


def drop_unposted(tx: Transaction, puzzle_id: int) -> None:
    """Delete an equation with its puzzle, unless its post was sent."""
    unposted = (equations.c.puzzle_id == puzzle_id, equations.c.message_id.is_(None))
    if tx.execute(delete(equations).where(*unposted)).rowcount:
        tx.execute(delete(puzzles).where(puzzles.c.id == puzzle_id))


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A finished board of an equation; `is_hidden` if its server does not name the player."""

    play_id: int
    player_id: int
    is_solved: bool
    is_hard: bool
    is_hidden: bool


_FINISHED: Final = and_(
    plays.c.finished_at.is_not(None),
    plays.c.finished_at <= puzzles.c.closes_at,
)
_MADE: Final = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
_SOLVED: Final = plays.c.outcome == "solved"


def boards(tx: Transaction, puzzle_id: int, most: int) -> Sequence[BoardRow]:
    """The best finished boards of an equation: the solved ones first, by guesses, then by time."""
    query = (
        select(
            *columns_of(
                BoardRow,
                plays,
                play_id=plays.c.id,
                is_solved=_SOLVED,
                is_hard=plays.c.hard,
                is_hidden=is_unnamed(plays.c.guild_id, plays.c.player_id),
            )
        )
        .join_from(plays, puzzles)
        .where(plays.c.puzzle_id == puzzle_id, _FINISHED)
        .order_by(_SOLVED.desc(), _MADE, plays.c.finished_at, plays.c.id)
        .limit(most)
    )
    return [BoardRow(*row) for row in tx.execute(query)]


def _count(*which: ColumnElement[bool]) -> ColumnElement[int]:
    return (
        select(func.count())
        .select_from(plays)
        .where(plays.c.puzzle_id == puzzles.c.id, _FINISHED, *which)
        .correlate(puzzles)
        .scalar_subquery()
    )


def states(tx: Transaction, puzzle_ids: Sequence[int], now: datetime) -> dict[int, str]:
    """Digests of what posts show, by puzzle.

    A digest has the number of finished boards, and of those whose player is unnamed. It also says
    whether the setter is unnamed, the equation is closed, and the post is final:
    so every post is edited a last time, a day after its equation has closed.
    """
    if not puzzle_ids:
        return {}

    def closed(at: datetime) -> ColumnElement[bool]:
        return puzzles.c.closes_at <= literal(at, puzzles.c.closes_at.type)

    query = select(
        puzzles.c.id,
        _count(),
        _count(is_unnamed(plays.c.guild_id, plays.c.player_id)),
        exists().where(
            equations.c.puzzle_id == puzzles.c.id,
            is_unnamed(equations.c.guild_id, equations.c.setter_id),
        ),
        closed(now),
        closed(now - FINAL_AFTER),
    ).where(puzzles.c.id.in_(puzzle_ids))
    return {
        puzzle_id: ".".join(str(int(value)) for value in state)
        for puzzle_id, *state in tx.execute(query)
    }


def to_look_at(
    tx: Transaction, now: datetime, free_since: datetime, shards: ShardRange, after: int
) -> list[tuple[int, str]]:
    """A page of equations whose post is due for an edit: the id of each, and its stored `shown`.

    Claims made up to `free_since` have lapsed.
    """
    condition = and_(
        posts.is_due(now, free_since),
        equations.c.guild_id.is_not(None),
        is_served(equations.c.guild_id, shards),
    )
    ids = find_ids(tx, equations.c.puzzle_id, condition, after)
    if not ids:  # as nearly always
        return []
    shown = select(equations.c.puzzle_id, equations.c.shown)
    rows = tx.execute(shown.where(equations.c.puzzle_id.in_(ids)))
    return [(row.puzzle_id, row.shown) for row in rows.all()]


def counts_of(tx: Transaction, player_id: int) -> EquationCounts:
    made = select(func.count()).where(equations.c.setter_id == player_id)
    played: Select[int] = (
        select(func.count())
        .join_from(plays, puzzles)
        .where(plays.c.player_id == player_id, puzzles.c.closes_at.is_not(None))
        .where(plays.c.finished_at.is_not(None))
    )
    solved = played.where(_SOLVED)
    row = tx.execute(
        select(made.scalar_subquery(), played.scalar_subquery(), solved.scalar_subquery())
    ).one()
    return EquationCounts(*row)


def show_anew(tx: Transaction, player_id: int, now: datetime) -> None:
    """Have the posts edited that name a player."""
    has_played = exists().where(
        plays.c.puzzle_id == equations.c.puzzle_id, plays.c.player_id == player_id
    )
    is_named = or_(equations.c.setter_id == player_id, has_played)
    change = update(equations).where(is_named, equations.c.guild_id.is_not(None))
    tx.execute(change.values(look_at=now, tried_at=None, shown=""))


def drop_ended(tx: Transaction, _fleeting_by: datetime, most: int) -> int:
    """Delete some equations of deleted players that nobody has played; return how many.

    Posts that must still be edited keep theirs.
    """
    is_played = exists().where(plays.c.puzzle_id == equations.c.puzzle_id)
    is_final = or_(equations.c.look_at.is_(None), equations.c.guild_id.is_(None))
    query = select(equations.c.puzzle_id).where(
        equations.c.setter_id < FIRST_PLAYER, is_final, ~is_played
    )
    ids = tx.scalars(query.limit(most)).all()
    if ids:
        tx.execute(delete(equations).where(equations.c.puzzle_id.in_(ids)))
        tx.execute(delete(puzzles).where(puzzles.c.id.in_(ids)))
    return len(ids)
