"""Plays of the daily, their guesses, and where they were shared."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import Boolean, Select, bindparam, exists, func, insert, null, select, update

from bot.db.database import Transaction
from bot.db.keyed import columns_of
from bot.db.once import once
from bot.db.tables import FIRST_PLAYER, guesses, plays, preferences, puzzles
from bot.db.tables import hints as hint_rows
from bot.games.model.hints import Hint
from bot.games.store import hints
from bot.people.model.preferences import Choices

LEARNT: Final = 3
"""So many finished games make a player who need not be told how it goes."""


@dataclass(frozen=True, slots=True)
class PlayRow:
    """A play, its puzzle, its guesses in order, and what its player has chosen; codes in notation.

    Its player is new until one is finished, and still learning until so many are.
    """

    id: int
    player_id: int
    guild_id: int | None
    zone: str
    hard: bool
    opened_at: datetime
    finished_at: datetime | None
    on_date: bool
    number: int | None
    length: int
    rules: str
    secret: str
    salt: str | None
    guesses: tuple[str, ...]
    is_learning: bool
    is_new: bool
    dismissed_at: datetime | None = None
    hints: tuple[Hint, ...] = ()
    choices: Choices = field(default_factory=Choices)


_CHOICES: Final = columns_of(Choices, preferences)

_others: Final = plays.alias()
_FINISHED: Final = (
    select(_others.c.id)
    .where(_others.c.player_id == plays.c.player_id, _others.c.finished_at.is_not(None))
    .correlate(plays)
    .limit(1)
)
_PLAY: Final = (
    select(
        *columns_of(
            PlayRow,
            plays,
            puzzles,
            guesses=guesses.c.code,
            is_learning=~exists(_FINISHED.offset(LEARNT - 1)),
            is_new=~exists(_FINISHED),
            hints=exists().where(hint_rows.c.play_id == plays.c.id),
            choices=null(),
        ),
        *_CHOICES,
    )
    .join_from(plays, puzzles)
    .outerjoin(guesses, guesses.c.play_id == plays.c.id)
    .outerjoin(preferences, preferences.c.player_id == plays.c.player_id)
    .where(plays.c.id == bindparam("of_play"), plays.c.player_id >= FIRST_PLAYER)
    .order_by(guesses.c.turn)
)


_ADD: Final = insert(plays).returning(plays.c.id)
_ADD_GUESS: Final = insert(guesses)
_CHANGE: Final = update(plays).where(plays.c.id == bindparam("of_play"))
_ANOTHER: Final = (
    select(_others.c.id)
    .join_from(_others, puzzles)
    .where(
        _others.c.player_id == bindparam("player"),
        puzzles.c.number == bindparam("number"),
        _others.c.id != bindparam("of_play"),
        _others.c.first_of_date.is_not(False),
        exists().where(guesses.c.play_id == _others.c.id),
    )
)
_NOTE_FIRST: Final = _CHANGE.where(plays.c.first_of_date.is_(None)).values(
    first_of_date=bindparam("is_on_date", type_=Boolean) & ~exists(_ANOTHER)
)


async def get(tx: Transaction, play_id: int) -> PlayRow | None:
    """A play by its id, unless it was deleted and is still to go."""
    rows = (await tx.execute(_PLAY, {"of_play": play_id})).all()  # one for each guess
    if not rows:
        return None
    play, chosen = PlayRow(*rows[0][: -len(_CHOICES)]), rows[0][-len(_CHOICES) :]
    return replace(
        play,
        guesses=tuple(row.guesses for row in rows if row.guesses is not None),
        hints=tuple(await hints.of_game(tx, "play", play_id)) if play.hints else (),
        choices=Choices() if None in chosen else Choices(*chosen),
    )


@dataclass(frozen=True, slots=True)
class UnderWayRow:
    """A daily that has been guessed at and goes on."""

    number: int
    zone: str


async def under_way(tx: Transaction, player_id: int) -> list[UnderWayRow]:
    """A player's dailies that have been guessed at and go on."""
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
    return [UnderWayRow(*row) for row in await tx.execute(query)]


async def has_any(tx: Transaction, player_id: int) -> bool:
    """Whether a player has played at all."""
    return await tx.scalar(*_any_of(player_id)) is not None


@once
def _any_of(player_id: int) -> Select[int]:
    return select(plays.c.id).where(plays.c.player_id == player_id).limit(1)


async def count_dailies(tx: Transaction, player_id: int, guild_id: int) -> int:
    """How many dailies a player has finished that were opened in a server."""
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
    return (await tx.execute(query)).scalar_one()


async def has_daily(
    tx: Transaction,
    guild_id: int,
    *,
    number: int | None = None,
    before: datetime | None = None,
    since: datetime | None = None,
    is_finished: bool = False,
) -> bool:
    """Whether anybody has opened a daily in a server.

    Args:
        tx: the transaction.
        guild_id: the server.
        number: only this one counts, at any length.
        before: only what was opened before this counts.
        since: only what was opened then or later counts.
        is_finished: only what is over counts.
    """
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
    if since is not None:
        query = query.where(plays.c.opened_at >= since)
    if is_finished:
        query = query.where(plays.c.outcome.is_not(None))
    return await tx.scalar(query) is not None


@dataclass(frozen=True, slots=True)
class UnfinishedRow:
    """A play that goes on, with its puzzle and how many guesses were made."""

    id: int
    number: int | None
    length: int
    zone: str
    turns: int


async def unfinished(
    tx: Transaction, player_id: int, *, most: int, practice: bool | None = None
) -> list[UnfinishedRow]:
    """A player's plays that go on and were not dismissed, those opened last first.

    Args:
        tx: the transaction.
        player_id: the player.
        most: how many at most.
        practice: only practices, or only dailies; None for both.
    """
    values = {"player": player_id, "most": most}
    return [UnfinishedRow(*row) for row in await tx.execute(_unfinished(practice), values)]


@cache
def _unfinished(practice: bool | None) -> Select[*tuple[Any, ...]]:
    turns = select(func.count()).where(guesses.c.play_id == plays.c.id).scalar_subquery()
    query = (
        select(*columns_of(UnfinishedRow, plays, puzzles, turns=turns))
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == bindparam("player"),
            plays.c.finished_at.is_(None),
            plays.c.dismissed_at.is_(None),
        )
        .order_by(plays.c.opened_at.desc(), plays.c.id.desc())
        .limit(bindparam("most"))
    )
    if practice is None:
        return query
    is_practice = puzzles.c.number.is_(None)
    return query.where(is_practice if practice else ~is_practice)


async def outcomes(
    tx: Transaction, player_id: int, numbers: Sequence[int], length: int
) -> dict[int, str | None]:
    """How a player's plays of these dailies stand, by number: None while they go on."""
    rows = await tx.execute(*_outcomes(player_id, numbers, length))
    return {row.number: row.outcome for row in rows}


@once
def _outcomes(player_id: int, numbers: Sequence[int], length: int) -> Select[*tuple[Any, ...]]:
    return (
        select(puzzles.c.number, plays.c.outcome)
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == player_id,
            puzzles.c.number.in_(numbers),
            puzzles.c.length == length,
        )
    )


async def find_id(tx: Transaction, puzzle_id: int, player_id: int) -> int | None:
    """The id of a player's play of a puzzle, if there is one."""
    return await tx.scalar(*_id(puzzle_id, player_id))


@once
def _id(puzzle_id: int, player_id: int) -> Select[int]:
    return select(plays.c.id).where(plays.c.puzzle_id == puzzle_id, plays.c.player_id == player_id)


async def add(
    tx: Transaction,
    *,
    puzzle_id: int,
    player_id: int,
    guild_id: int | None,
    zone: str,
    opened_at: datetime,
    first_of_date: bool | None = None,
) -> int:
    """Open a play; returns its id."""
    values = {
        "puzzle_id": puzzle_id,
        "player_id": player_id,
        "guild_id": guild_id,
        "zone": zone,
        "opened_at": opened_at,
        "hard": False,
        "on_date": False,
        "first_of_date": first_of_date,
    }
    found: int = (await tx.execute(_ADD, values)).scalar_one()
    return found


async def add_guess(
    tx: Transaction, play_id: int, *, turn: int, code: str, guessed_at: datetime
) -> None:
    """Append a guess as the given 0-based turn."""
    values = {"play_id": play_id, "turn": turn, "code": code, "guessed_at": guessed_at}
    await tx.execute(_ADD_GUESS, values)


async def set_hard(tx: Transaction, play_id: int) -> None:
    """Record that a play is in hard mode; it was opened without."""
    await tx.execute(_CHANGE, {"of_play": play_id, "hard": True})


async def note_first(
    tx: Transaction, play_id: int, player_id: int, number: int, *, on_date: bool
) -> None:
    """Note at a play's first guess whether its date counts by it everywhere.

    It does if that is made on its date, and the player has guessed at no other one of it before.
    """
    values = {"player": player_id, "number": number, "is_on_date": on_date}
    await tx.execute(_NOTE_FIRST, {"of_play": play_id, **values})


async def set_dismissed(tx: Transaction, play_id: int, dismissed_at: datetime | None) -> None:
    """Take a play off its player's list, or put it there again."""
    await tx.execute(_CHANGE, {"of_play": play_id, "dismissed_at": dismissed_at})


async def finish(
    tx: Transaction, play_id: int, *, outcome: str, finished_at: datetime, on_date: bool
) -> None:
    """Record how and when a play ended, and whether its date was today then."""
    values = {"outcome": outcome, "finished_at": finished_at, "on_date": on_date}
    await tx.execute(_CHANGE, {"of_play": play_id, **values})
