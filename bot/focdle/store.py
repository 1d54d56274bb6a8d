"""SQL of FoCdle: puzzles, plays, guesses."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    true,
    update,
)

from bot.clock import PuzzleName
from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.tables.games import equations, guesses, plays, puzzles
from bot.db.tables.games import hints as hint_rows
from bot.db.tables.people import guilds, members, preferences
from bot.db.tables.posts import always_shares, reminder_plans
from bot.focdle.model import FinishedPlay, Play
from bot.games import store as games_store
from bot.moderation.store import is_unnamed
from bot.people.model import Choices
from bot.people.store import hides


@dataclass(frozen=True, slots=True)
class PuzzleRow:
    """A puzzle, with rules and secret in notation."""

    id: int
    number: int | None
    length: int
    rules: str
    secret: str
    salt: str


_ADD: Final = insert(puzzles).returning(puzzles.c.id)


def find_puzzle(tx: Transaction, number: int, length: int) -> PuzzleRow | None:
    """The stored daily of a number and length; None until its secret is fixed."""
    query = select(*columns_of(PuzzleRow, puzzles)).where(
        puzzles.c.number == number, puzzles.c.length == length
    )
    row = tx.execute(query).one_or_none()
    return None if row is None else PuzzleRow(*row)


def has_dailies(tx: Transaction) -> bool:
    found = tx.scalars(select(puzzles.c.id).where(puzzles.c.number.is_not(None)).limit(1))
    return found.first() is not None


def add_puzzle(  # noqa: PLR0913 - its columns
    tx: Transaction,
    *,
    number: int | None,
    length: int,
    rules: str,
    secret: str,
    salt: str,
    closes_at: datetime | None = None,
    difficulty: int | None = None,
) -> int:
    """Store a puzzle, and so fix its secret; return its id. Only a daily has a number."""
    values = {
        "number": number,
        "length": length,
        "rules": rules,
        "secret": secret,
        "salt": salt,
        "closes_at": closes_at,
        "difficulty": difficulty,
    }
    found: int = tx.execute(_ADD, values).scalar_one()
    return found


def last_practices(tx: Transaction, player_id: int, most: int) -> set[str]:
    """The equations of a player's latest plays that are no dailies; at most so many."""
    query = (
        select(puzzles.c.secret)
        .join_from(plays, puzzles)
        .where(plays.c.player_id == player_id, puzzles.c.number.is_(None))
        .order_by(plays.c.id.desc())
        .limit(most)
    )
    return {*tx.scalars(query)}


@dataclass(frozen=True, slots=True)
class EarlierRow:
    """What a player had solved before a play ended.

    Attributes:
        is_first: whether the player had solved no puzzle before; for a daily on its date, none on
            its date.
        is_first_hard: whether the player had solved no puzzle in hard mode before.
    """

    is_first: bool
    is_first_hard: bool


def _before() -> ColumnElement[bool]:
    """Match solved plays that ended before the play `of_play`; that one ended at `finished_at`."""
    at = bindparam("finished_at", type_=plays.c.finished_at.type)
    return and_(
        plays.c.outcome == "solved",
        or_(
            plays.c.finished_at < at,
            and_(plays.c.finished_at == at, plays.c.id < bindparam("of_play")),
        ),
    )


_MINE: Final = plays.c.player_id == bindparam("player")
_SOLVED: Final = exists(plays.c.id).where(
    _MINE, _before(), or_(plays.c.on_date, ~bindparam("on_date", type_=plays.c.on_date.type))
)
_EARLIER: Final = select(
    (~_SOLVED).label("is_first"),
    (~exists(plays.c.id).where(_MINE, _before(), plays.c.hard)).label("is_first_hard"),
)
_MOST_SOLVED: Final = (
    select(puzzles.c.length)
    .join_from(plays, puzzles)
    .where(_MINE, plays.c.outcome == "solved")
    .group_by(puzzles.c.length)
    .order_by(func.count().desc(), puzzles.c.length)
    .limit(1)
)


def find_earlier(
    tx: Transaction, play_id: int, *, player_id: int, on_date: bool, finished_at: datetime
) -> EarlierRow:
    values = {
        "of_play": play_id,
        "player": player_id,
        "on_date": on_date,
        "finished_at": finished_at,
    }
    return EarlierRow(*tx.execute(_EARLIER, values).one())


def length_most_solved(tx: Transaction, player_id: int) -> int | None:
    """The length that a player has solved most often; None without a solved play.

    If several lengths are equal, it is the shortest of them.
    """
    length: int | None = tx.scalar(_MOST_SOLVED, {"player": player_id})
    return length


GAMES_TO_LEARN: Final = 3
"""The number of finished plays after which boards no longer explain themselves."""


_CHOICES: Final = columns_of(Choices, preferences)

_others: Final = plays.alias()
_FINISHED: Final = (
    select(_others.c.id)
    .where(_others.c.player_id == plays.c.player_id, _others.c.finished_at.is_not(None))
    .correlate(plays)
    .limit(1)
)
_SETTER: Final = (
    select(members.c.name)
    .join_from(
        equations,
        members,
        and_(
            members.c.guild_id == equations.c.guild_id, members.c.player_id == equations.c.setter_id
        ),
    )
    .where(
        equations.c.puzzle_id == plays.c.puzzle_id,
        ~is_unnamed(equations.c.guild_id, equations.c.setter_id),
    )
    .correlate(plays)
    .scalar_subquery()
)
_SET_BY: Final = case((puzzles.c.closes_at.is_not(None), func.coalesce(_SETTER, "")))
_STORED: Final[list[ColumnElement[Any]]] = [
    *(
        plays.c[name]
        for name in ("id", "player_id", "guild_id", "zone", "hard", "on_date", "counts")
    ),
    *(plays.c[name] for name in ("opened_at", "finished_at", "dismissed_at")),
    *(puzzles.c[name] for name in ("number", "length", "rules", "secret", "salt", "closes_at")),
    puzzles.c.difficulty,
    plays.c.puzzle_id,
    (~exists(_FINISHED.offset(GAMES_TO_LEARN - 1))).label("is_learning"),
    (~exists(_FINISHED)).label("is_new"),
    _SETTER.label("setter"),
]
_PLAY: Final = (
    select(
        *_STORED,
        guesses.c.code,
        exists().where(hint_rows.c.play_id == plays.c.id).label("has_hints"),
        *_CHOICES,
    )
    .join_from(plays, puzzles)
    .outerjoin(guesses, guesses.c.play_id == plays.c.id)
    .outerjoin(preferences, preferences.c.player_id == plays.c.player_id)
    .where(plays.c.id == bindparam("of_play"))
    .order_by(guesses.c.turn)
)


_ADD_PLAYS: Final = insert(plays).returning(plays.c.id)
_ADD_GUESS: Final = insert(guesses)
_CHANGE: Final = update(plays).where(plays.c.id == bindparam("of_play"))


def get_play(tx: Transaction, play_id: int) -> Play | None:
    """A stored play; None if it, or its player's data, is deleted.

    Its `seen_at` is the time at which it was opened.
    """
    rows = tx.execute(_PLAY, {"of_play": play_id}).all()  # one row for each guess
    if not rows:
        return None
    first, chosen = rows[0], rows[0][-len(_CHOICES) :]
    return Play.stored(
        **{column.name: value for column, value in zip(_STORED, first, strict=False)},
        guesses=tuple(row.code for row in rows if row.code is not None),
        hints=tuple(games_store.hints_of_play(tx, play_id)) if first.has_hints else (),
        choices=Choices() if chosen[0] is None else Choices(*chosen),
        seen_at=first.opened_at,
    )


@dataclass(frozen=True, slots=True)
class UnderWayRow:
    """An unfinished daily with guesses."""

    number: int
    zone: str


def under_way(tx: Transaction, player_id: int) -> list[UnderWayRow]:
    query = (
        select(puzzles.c.number, plays.c.zone)
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == player_id,
            plays.c.finished_at.is_(None),
            puzzles.c.number.is_not(None),
            exists().where(guesses.c.play_id == plays.c.id),
        )
    )
    return [UnderWayRow(*row) for row in tx.execute(query)]


def has_any(tx: Transaction, player_id: int) -> bool:
    query = select(plays.c.id).where(plays.c.player_id == player_id).limit(1)
    return tx.scalar(query) is not None


def count_dailies(tx: Transaction, player_id: int, guild_id: int) -> int:
    query = (
        select(func.count())
        .select_from(plays)
        .join(puzzles)
        .where(
            plays.c.player_id == player_id,
            plays.c.guild_id == guild_id,
            plays.c.finished_at.is_not(None),
            puzzles.c.number.is_not(None),
        )
    )
    return tx.execute(query).scalar_one()


def has_daily(
    tx: Transaction,
    guild_id: int,
    *,
    number: int | None = None,
    before: datetime | None = None,
    is_finished: bool = False,
) -> bool:
    """True if anybody has opened a daily in a server; each argument given narrows the search."""
    query = (
        select(plays.c.id)
        .join_from(plays, puzzles)
        .where(plays.c.guild_id == guild_id, puzzles.c.number.is_not(None))
        .limit(1)
    )
    if number is not None:
        query = query.where(puzzles.c.number == number)
    if before is not None:
        query = query.where(plays.c.opened_at < before)
    if is_finished:
        query = query.where(plays.c.outcome.is_not(None))
    return tx.scalar(query) is not None


@dataclass(frozen=True, slots=True)
class UnfinishedRow:
    """An unfinished play; `turns` is the number of its guesses."""

    id: int
    number: int | None
    length: int
    zone: str
    turns: int
    setter: str | None
    difficulty: int | None


def unfinished(
    tx: Transaction, player_id: int, now: datetime, *, most: int, practice: bool | None = None
) -> list[UnfinishedRow]:
    """A player's unfinished plays, the one opened last first, except dismissed ones.

    Plays of closed equations are over. `practice` selects practices (true) or dailies and set
    equations (false); None selects all.
    """
    turns = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    is_set = puzzles.c.closes_at.is_not(None)
    query = (
        select(*columns_of(UnfinishedRow, plays, puzzles, turns=turns, setter=_SET_BY))
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == player_id,
            plays.c.finished_at.is_(None),
            plays.c.dismissed_at.is_(None),
            ~is_set | (puzzles.c.closes_at > now),
        )
        .order_by(plays.c.opened_at.desc(), plays.c.id.desc())
        .limit(most)
    )
    if practice is not None:
        is_practice = puzzles.c.number.is_(None) & ~is_set
        query = query.where(is_practice if practice else ~is_practice)
    return [UnfinishedRow(*row) for row in tx.execute(query)]


def outcomes(
    tx: Transaction, player_id: int, numbers: Sequence[int], length: int
) -> dict[int, str | None]:
    query = (
        select(puzzles.c.number, plays.c.outcome)
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == player_id,
            puzzles.c.number.in_(numbers),
            puzzles.c.length == length,
        )
    )
    return {row.number: row.outcome for row in tx.execute(query)}


def counts(tx: Transaction, player_id: int, puzzle: PuzzleName) -> bool:
    """Return false for a daily that its player began just after a deletion."""
    query = select(plays.c.counts).join_from(plays, puzzles)
    is_it = (puzzles.c.number == puzzle.number, puzzles.c.length == puzzle.length)
    return tx.scalar(query.where(plays.c.player_id == player_id, *is_it)) is not False


def difficulties(tx: Transaction, numbers: Sequence[int], length: int) -> dict[int, int]:
    """The known difficulties of dailies of a length, in hundredths of a guess, by number."""
    query = select(puzzles.c.number, puzzles.c.difficulty).where(
        puzzles.c.number.in_(numbers),
        puzzles.c.length == length,
        puzzles.c.difficulty.is_not(None),
    )
    return {row.number: row.difficulty for row in tx.execute(query)}


def find_id(tx: Transaction, puzzle_id: int, player_id: int) -> int | None:
    is_it = (plays.c.puzzle_id == puzzle_id, plays.c.player_id == player_id)
    return tx.scalar(select(plays.c.id).where(*is_it))


def add_play(
    tx: Transaction,
    *,
    puzzle_id: int,
    player_id: int,
    guild_id: int | None,
    zone: str,
    opened_at: datetime,
    counts: bool = True,
) -> int:
    values = {
        "puzzle_id": puzzle_id,
        "player_id": player_id,
        "guild_id": guild_id,
        "zone": zone,
        "opened_at": opened_at,
        "hard": False,
        "on_date": False,
        "counts": counts,
    }
    found: int = tx.execute(_ADD_PLAYS, values).scalar_one()
    return found


def add_guess(tx: Transaction, play_id: int, *, turn: int, code: str, guessed_at: datetime) -> None:
    values = {"play_id": play_id, "turn": turn, "code": code, "guessed_at": guessed_at}
    tx.execute(_ADD_GUESS, values)


def set_hard(tx: Transaction, play_id: int) -> None:
    tx.execute(_CHANGE, {"of_play": play_id, "hard": True})


def set_dismissed(tx: Transaction, play_id: int, dismissed_at: datetime | None) -> None:
    """Take a play off its player's list of unfinished ones or, with None, list it again."""
    tx.execute(_CHANGE, {"of_play": play_id, "dismissed_at": dismissed_at})


def finish(
    tx: Transaction, play_id: int, *, outcome: str, finished_at: datetime, on_date: bool
) -> None:
    """Store a play's end; `on_date` says whether it counts as finished on its date."""
    values = {"outcome": outcome, "finished_at": finished_at, "on_date": on_date}
    tx.execute(_CHANGE, {"of_play": play_id, **values})


def sharing_channel(tx: Transaction, player_id: int, guild_id: int) -> int | None:
    """Find the channel in which the bot shares a player's dailies of a server by itself.

    None if the player has chosen none or is hidden, or if the server has turned today's card off.
    """
    query = (
        select(always_shares.c.channel_id)
        .outerjoin(guilds, guilds.c.guild_id == always_shares.c.guild_id)
        .where(
            always_shares.c.player_id == player_id,
            always_shares.c.guild_id == guild_id,
            func.coalesce(guilds.c.todays_card, true()),
            ~hides(player_id),
        )
    )
    return tx.scalar(query)


def has_reminders(tx: Transaction, player_id: int) -> bool:
    """True if a player has asked for reminders of streaks, and Discord has refused none since."""
    query = select(reminder_plans.c.look_at).where(reminder_plans.c.player_id == player_id)
    return tx.scalar(query) is not None


_AT_ONCE: Final = 10_000
"""The most ids in one statement."""


def erase(tx: Transaction, player_id: int) -> None:
    """Delete a player's plays, and their practices, which nobody else plays."""
    practice = (puzzles.c.number.is_(None), puzzles.c.closes_at.is_(None))
    query = select(puzzles.c.id).join_from(plays, puzzles).where(plays.c.player_id == player_id)
    practices = tx.scalars(query.where(*practice)).all()
    tx.execute(delete(plays).where(plays.c.player_id == player_id))
    for first in range(0, len(practices), _AT_ONCE):
        some = practices[first : first + _AT_ONCE]
        tx.execute(delete(puzzles).where(puzzles.c.id.in_(some)))


def ended(player_id: int) -> list[Select[*tuple[Any, ...]]]:
    """Select id and end of a player's finished plays."""
    query = select(plays.c.id, plays.c.finished_at)
    return [query.where(plays.c.player_id == player_id, plays.c.finished_at.is_not(None))]


def finished(_player_id: int, ids: Collection[int]) -> Select[*tuple[Any, ...]]:
    made = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    taken = select(func.count()).where(hint_rows.c.play_id == plays.c.id).scalar_subquery()
    others = {
        "is_solved": plays.c.outcome == "solved",
        "guesses": made,
        "hints": taken,
        "setter": _SET_BY,
    }
    return (
        select(plays.c.hard, *columns_of(FinishedPlay, plays, puzzles, **others))
        .join_from(plays, puzzles)
        .where(plays.c.id.in_(ids), plays.c.finished_at.is_not(None))
    )
