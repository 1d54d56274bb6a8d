"""SQL of hints, shares, free games, games at stake, and edits of posts."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import (
    ColumnElement,
    Select,
    Table,
    TextClause,
    and_,
    delete,
    exists,
    insert,
    or_,
    select,
    update,
)

from bot.clock import PuzzleName
from bot.db import keyed
from bot.db.database import Transaction
from bot.db.keyed import Keyed, columns_of
from bot.db.tables.bookkeeping import free_games
from bot.db.tables.games import analyses, duel_seats, duels, hints, masterminds, plays, puzzles
from bot.db.tables.posts import shares
from bot.games.model import FreeGames, GameName, Hint


class EditedPosts:
    """A table of posts that only one process at a time edits.

    A post whose message is unknown is looked for in the channel a minute after it was to be sent:
    the process may have ended before it noted the message.

    Args:
        table: has `message_id`, `look_at` (when to look at the post; null for never again) and
            `tried_at` (when a process claimed to edit it; null while none does).
    """

    def __init__(self, table: Table) -> None:
        self._columns = table.c
        self._table = table
        (self._id,) = table.primary_key

    def is_due(self, now: datetime, free_since: datetime) -> ColumnElement[bool]:
        """Match posts that are due and free: unclaimed, or claimed at `free_since` or before."""
        tried_at = self._columns.tried_at
        return and_(self._columns.look_at <= now, tried_at.is_(None) | (tried_at <= free_since))

    def claim(self, tx: Transaction, number: int, now: datetime, free_since: datetime) -> bool:
        """Claim the edit of a post; return false if it is not due, or another process edits it."""
        return self._change(tx, number, self.is_due(now, free_since), tried_at=now) > 0

    def release(
        self, tx: Transaction, number: int, claimed_at: datetime | None, **values: object
    ) -> None:
        """End the claim made at `claimed_at`, and store values; do neither if the claim is lost."""
        mine = self._columns.tried_at == claimed_at
        self._change(tx, number, mine, tried_at=None, **values)

    def change(self, tx: Transaction, number: int, **values: object) -> None:
        self._change(tx, number, **values)

    def _change(
        self, tx: Transaction, number: int, *which: ColumnElement[bool], **values: object
    ) -> int:
        changed = update(self._table).where(self._id == number, *which).values(values)
        return tx.execute(changed).rowcount


def hints_of_play(tx: Transaction, play_id: int) -> list[Hint]:
    """List a play's hints, in the order in which they were given."""
    query = select(*columns_of(Hint, hints)).where(hints.c.play_id == play_id)
    return [Hint(*row) for row in tx.execute(query.order_by(hints.c.id))]


def hints_of_masterminds(condition: ColumnElement[bool]) -> Select[*tuple[Any, ...]]:
    """Build the query for hints of the games of Mastermind that meet a condition."""
    return (
        select(hints.c.mastermind_id, *columns_of(Hint, hints))
        .join_from(hints, masterminds)
        .where(condition)
        .order_by(hints.c.mastermind_id, hints.c.id)
    )


def add_hint(
    tx: Transaction,
    source: Literal["play", "mastermind"],
    game_id: int,
    hint: Hint,
    *,
    given_at: datetime,
) -> None:
    values = {f"{source}_id": game_id, **asdict(hint), "given_at": given_at}
    tx.execute(insert(hints).values(values))


_IN_DAILIES: Final = select(hints.c.id).select_from(hints.join(plays).join(puzzles))
_IN_MASTERMINDS: Final = select(hints.c.id).join_from(hints, masterminds)


def has_hinted(tx: Transaction, player_id: int, source: Literal["play", "mastermind"]) -> bool:
    """Return true if a player has taken a hint in a game of this kind that costs something."""
    query = _IN_MASTERMINDS.where(masterminds.c.codebreaker_id == player_id)
    if source == "play":
        query = _IN_DAILIES.where(plays.c.player_id == player_id, puzzles.c.number.is_not(None))
    return tx.scalar(query.limit(1)) is not None


of_player: Final = Keyed[FreeGames, int](FreeGames, free_games)
"""Counters of free games, by player."""


@dataclass(frozen=True, slots=True)
class ShareRow:
    """A share of a game to a channel; `claimed_at` is None once it has been posted."""

    claimed_at: datetime | None


def get_share(tx: Transaction, name: GameName, channel_id: int) -> ShareRow | None:
    query = select(shares.c.claimed_at).where(_is_share(name, channel_id))
    row = tx.execute(query).mappings().one_or_none()
    return None if row is None else ShareRow(**row)


def claim_share(
    tx: Transaction, name: GameName, channel_id: int, *, player_id: int, claimed_at: datetime
) -> None:
    """Claim the posting of a game to a channel; an earlier share or claim there is replaced."""
    key = {f"{name.source}_id": name.id, "channel_id": channel_id}
    values = {"player_id": player_id, "shared_at": claimed_at, "claimed_at": claimed_at}
    keyed.put(tx, shares, key, values)


def note_shared(tx: Transaction, name: GameName, channel_id: int) -> None:
    tx.execute(update(shares).where(_is_share(name, channel_id)).values(claimed_at=None))


def drop_share(tx: Transaction, name: GameName, channel_id: int) -> None:
    """Delete a game's share to a channel, because its message was not sent."""
    tx.execute(delete(shares).where(_is_share(name, channel_id)))


def _is_share(name: GameName, channel_id: int) -> ColumnElement[bool]:
    return and_(shares.c[f"{name.source}_id"] == name.id, shares.c.channel_id == channel_id)


def has_finished(tx: Transaction, player_id: int, name: PuzzleName) -> bool:
    """True if a player has finished a daily."""
    query = (
        select(plays.c.id)
        .join_from(plays, puzzles)
        .where(
            plays.c.player_id == player_id,
            plays.c.finished_at.is_not(None),
            puzzles.c.number == name.number,
            puzzles.c.length == name.length,
        )
    )
    return tx.scalar(query.limit(1)) is not None


def open_ranked(tx: Transaction, player_id: int, rules: str, now: datetime) -> list[int]:
    """List a player's running games of Mastermind by these rules that leaderboards will count."""
    is_one = masterminds.c.kind == "play", masterminds.c.ranked, masterminds.c.rules == rules
    query = select(masterminds.c.id).where(*is_one, *_go_on(player_id, now))
    return list(tx.scalars(query.order_by(*_LAST_MOVED)).all())


def open_defended(tx: Transaction, player_id: int, now: datetime) -> list[tuple[int, str]]:
    """List ids and rules of a player's running *defend* games whose code is not sealed."""
    is_one = masterminds.c.kind == "defend", masterminds.c.secret.is_(None)
    query = select(masterminds.c.id, masterminds.c.rules).where(*is_one, *_go_on(player_id, now))
    return [(row.id, row.rules) for row in tx.execute(query.order_by(*_LAST_MOVED))]


_LAST_MOVED: Final = (masterminds.c.moved_at.desc(), masterminds.c.id.desc())


def _go_on(player_id: int, now: datetime) -> tuple[ColumnElement[bool], ...]:
    is_theirs = or_(masterminds.c.owner_id == player_id, masterminds.c.codebreaker_id == player_id)
    return is_theirs, masterminds.c.finished_at.is_(None), masterminds.c.deadline_at > now


def end_defended(tx: Transaction, game_ids: Sequence[int], ending: str, now: datetime) -> None:
    """End these games, in which the bot breaks a code; store `ending` as the cause."""
    change = update(masterminds).where(masterminds.c.id.in_(game_ids))
    values = {"ending": ending, "finished_at": now, "revision": masterminds.c.revision + 1}
    tx.execute(change.values(values))


def open_rated(tx: Transaction, player_id: int) -> list[tuple[int, str, int]]:
    """List a player's running rated duels that were accepted: id, rules and opponent of each."""
    own, other = duel_seats.alias(), duel_seats.alias()
    query = (
        select(duels.c.id, duels.c.rules, other.c.player_id)
        .join(own, own.c.duel_id == duels.c.id)
        .join(other, (other.c.duel_id == duels.c.id) & (other.c.seat != own.c.seat))
        .where(own.c.player_id == player_id, duels.c.rated, duels.c.accepted_at.is_not(None))
        .where(duels.c.finished_at.is_(None))
        .order_by(duels.c.moved_at.desc(), duels.c.id.desc())
    )
    return [(row.id, row.rules, row.player_id) for row in tx.execute(query)]


def drop_analyses(tx: Transaction, seats: Table, game: str, player_id: int) -> None:
    """Delete analyses of a player's guesses in games with seats; `game` is the id's column."""
    own = seats.c.player_id == player_id
    is_seat = (seats.c[game] == analyses.c[game], seats.c.seat == analyses.c.seat)
    taken = analyses.c[game].in_(select(seats.c[game]).where(own))
    tx.execute(delete(analyses).where(taken, exists().where(own, *is_seat)))


def drop_some(
    tx: Transaction, most: int, table: Table, *which: ColumnElement[bool] | TextClause
) -> int:
    """Delete at most `most` games; return how many."""
    ids = tx.scalars(select(table.c.id).where(*which).limit(most)).all()
    if ids:
        tx.execute(delete(table).where(table.c.id.in_(ids)))
    return len(ids)
