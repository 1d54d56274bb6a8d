"""SQL of deletions of players and servers."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import delete, insert, select, tuple_, update

from bot.db.database import Transaction
from bot.db.tables.bookkeeping import free_games, leases, spent_clicks
from bot.db.tables.games import duels, rating_changes
from bot.db.tables.kinds import Fate, IdOf, is_of, naming
from bot.db.tables.people import (
    champions,
    departed_guilds,
    exclusions,
    guild_lengths,
    member_posts,
    recent_deletions,
    web_posts,
    web_sessions,
    web_tickets,
    zones,
)
from bot.duels import store as duels_store
from bot.features import FEATURES
from bot.leaderboards import store as leaderboards_store
from bot.moderation import store as moderation_store
from bot.page.model import POST_LASTS
from bot.people.game import AN_HOUR
from bot.posts import store as posts_store

_NOWHERE: Final = 0
CLICKS_KEPT_FOR: Final = timedelta(days=1)
"""The time for which spent clicks are kept; the first click removes the button."""
EXCLUDED_FOR: Final = timedelta(days=365)
"""The time from when a forgotten player was last met in a server for which they stay off there."""
_KEPT_FOR: Final = (
    (exclusions.c.met_at, EXCLUDED_FOR),
    (leases.c.until, timedelta()),
    (member_posts.c.posted_at, AN_HOUR),
    (recent_deletions.c.ends_at, timedelta()),
    (spent_clicks.c.spent_at, CLICKS_KEPT_FOR),
    (web_posts.c.asked_at, POST_LASTS),
    (web_sessions.c.ends_at, timedelta()),
    (web_tickets.c.ends_at, timedelta()),
)
"""How long rows are kept after the instants in these columns."""


def erase(tx: Transaction, player_id: int, stand_in: int, now: datetime) -> None:
    """Delete a player's rows; in games that others share, put a stand-in in place of the player.

    Public boards that name the player are queued for an edit. The row of a champion's role stays
    until the bot has taken the role back. Others' choices about the player stay, too.

    The caller has ended the player's running duels and challenges. Only a challenge whose code
    another player is breaking goes on. Each deletion has a stand-in of its own.
    """
    leaderboards_store.replace(tx, player_id, leaderboards_store.of_player(tx, player_id), [])
    for feature in FEATURES:
        if feature.show_anew is not None:
            feature.show_anew(tx, player_id, now)
    posts_store.leave_cards(tx, player_id, now)
    moderation_store.keep_digests(tx, player_id)
    for feature in FEATURES:
        if feature.erase is not None:
            feature.erase(tx, player_id)
    # Columns without an index are searched by seats in duels.
    among = {duels: duels.c.id, rating_changes: rating_changes.c.duel_id}
    for column in naming(IdOf.PLAYER, Fate.GOES, Fate.LOSES_ID):
        table, mine = column.table, [column == player_id, is_of(column, IdOf.PLAYER)]
        if column.info[IdOf.PLAYER] is Fate.GOES:
            tx.execute(delete(table).where(*mine))
            continue
        if table in among:
            mine.append(among[table].in_(duels_store.ids_of(player_id, stand_in)))
        tx.execute(update(table).where(*mine).values({column: stand_in}))


def erase_from_choices(tx: Transaction, player_id: int) -> None:
    """Delete others' choices to take no challenges from a player."""
    for column in naming(IdOf.PLAYER, Fate.STAYS):
        tx.execute(delete(column.table).where(column == player_id))


def drop_expired(tx: Transaction, now: datetime) -> None:
    for column, kept_for in _KEPT_FOR:
        tx.execute(delete(column.table).where(column <= now - kept_for))
    tx.execute(delete(free_games).where(free_games.c.day < now.astimezone(UTC).date()))


def delete_ended(tx: Transaction, fleeting_by: datetime, most: int) -> int:
    """Delete some games in nobody's record; return how many.

    These had ended before they were played, by `fleeting_by`; or no player of theirs is left, and
    their boards show that.
    """
    deleted = 0
    for feature in FEATURES:
        if feature.drop_ended is not None:
            deleted += feature.drop_ended(tx, fleeting_by, most - deleted)
    return deleted


def departed(tx: Transaction) -> set[int]:
    return set(tx.scalars(select(departed_guilds.c.guild_id)).all())


def note_departure(tx: Transaction, guild_ids: Collection[int], left_at: datetime) -> None:
    """Note that servers have removed the bot at `left_at`; earlier notes of them stay unchanged."""
    rows = [
        {"guild_id": guild_id, "left_at": left_at}
        for guild_id in sorted(set(guild_ids) - departed(tx))
    ]
    if rows:
        tx.execute(insert(departed_guilds), rows)


def note_return(tx: Transaction, guild_ids: Collection[int]) -> None:
    """Delete the notes that the bot was removed from these servers, as it is back."""
    back = sorted(set(guild_ids) & departed(tx))
    tx.execute(delete(departed_guilds).where(departed_guilds.c.guild_id.in_(back)))


def left_by(tx: Transaction, instant: datetime) -> list[int]:
    """List the servers that removed the bot by `instant`, and have not added it again."""
    query = select(departed_guilds.c.guild_id).where(departed_guilds.c.left_at <= instant)
    return list(tx.scalars(query.order_by(departed_guilds.c.guild_id)).all())


# Dates follow from the first two; champions' roles are taken back first.
_STAYS: Final = frozenset({zones, guild_lengths, champions})
# Games of several go on where they are.
_GOES_ON: Final = {
    section.table: section.goes_on
    for feature in FEATURES
    for section in feature.sections
    if section.goes_on is not None
}


def forget_places(tx: Transaction, guild_id: int, most: int, *, stays: bool) -> int:
    """Delete a server's id from at most `most` games and players' rows; return from how many.

    If the bot `stays` there, games of several that go on keep it.
    """
    left = most
    for column in naming(IdOf.SERVER, Fate.LOSES_ID):
        table, theirs = column.table, [column == guild_id]
        if stays and table in _GOES_ON:
            theirs.append(~_GOES_ON[table])
        places = [c for c in table.c if not {IdOf.SERVER, IdOf.PLACE}.isdisjoint(c.info)]
        empty = {c.name: None if c.nullable else _NOWHERE for c in places}
        if table is duels:
            empty |= {"stale_at": None, "nudge_at": None}  # the board is out of reach
        key = list(table.primary_key.columns)
        some = tuple_(*key).in_(select(*key).where(*theirs).limit(left))
        left -= tx.execute(update(table).where(some).values(empty)).rowcount
    return most - left


def forget_server(tx: Transaction, guild_id: int, *, stays: bool) -> None:
    """Delete a server's own rows; if the bot `stays` there, its zones and lengths stay, too."""
    for column in naming(IdOf.SERVER, Fate.GOES):
        if not (stays and column.table in _STAYS):
            theirs = (column == guild_id, is_of(column, IdOf.SERVER))
            tx.execute(delete(column.table).where(*theirs))
