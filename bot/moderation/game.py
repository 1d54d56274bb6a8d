"""Use cases of exclusions: managers take members off, and undo it; players are told once."""

import logging
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final

from bot.clock import Clock, date_in
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.moderation import store
from bot.moderation.model import (
    BackAlreadyError,
    Cause,
    Exclusion,
    Exclusions,
    OffAlreadyError,
    OwnExclusionError,
    keyed_hash,
)
from bot.people import store as people_store
from bot.people.model import ZoneChange
from bot.people.zones import first_end, zone_at

log = logging.getLogger(__name__)

PAGE_SIZE: Final = 7
USER: Final = "user"
SERVER: Final = "server"
_EVERYWHERE: Final = 0
_DAY: Final = timedelta(days=1)


class Moderation:
    """Use cases of managers, who take members off their server's leaderboards.

    An exclusion begins and ends with a date: results of earlier dates stay as they were.
    """

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._key = ""
        self._kept_out: frozenset[str] = frozenset()
        self._untold: set[tuple[int, int]] = set()

    async def page(self, guild_id: int, number: int = 0) -> Exclusions:
        """Return a page of a server's exclusions; a number beyond the end gives the last page."""

        def body(tx: Transaction) -> Exclusions:
            pages = max(-(-store.count(tx, guild_id) // PAGE_SIZE), 1)
            shown = min(number, pages - 1)
            rows = store.page(tx, guild_id, offset=shown * PAGE_SIZE, most=PAGE_SIZE)
            return Exclusions(tuple(rows), shown, pages)

        return await self._database.read(body)

    async def take_off(self, by_id: int, guild_id: int, player_id: int, cause: Cause) -> None:
        """Take a member off the server's leaderboards, from its next date on.

        The caller checks that the manager may do this to the member.

        Raises:
            OwnExclusionError: the member is the manager.
            OffAlreadyError: the member is taken off already, if only from the next date on.
        """
        if by_id == player_id:
            raise OwnExclusionError

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            from_day, begins_at = _next_date(tx, guild_id, now)
            by = {"cause": cause.value, "by_id": by_id, "made_at": now}
            last = store.last_of(tx, guild_id, player_id)
            if last is None or (last[1] is not None and last[1] < from_day):
                store.add(tx, guild_id, player_id, **by, from_day=from_day, look_at=begins_at)
            elif last[1] is None:
                raise OffAlreadyError(player_id=player_id)
            else:  # undone today: it goes on
                store.change(tx, last[0].id, **by, until_day=None, is_told=False, look_at=now)

        await self._database.write(body)  # the first makes the key of all
        self._untold.add((guild_id, player_id))
        log.info("server %d: a member is taken off the leaderboards", guild_id)

    async def undo(self, by_id: int, guild_id: int, exclusion_id: int) -> None:
        """Let a member's results count again from the server's next date on.

        An exclusion that has not begun, or whose member's data are deleted, is deleted at once.

        Raises:
            BackAlreadyError: the server has no such exclusion, or it is undone.
            OwnExclusionError: the exclusion is the manager's own.
        """

        def body(tx: Transaction) -> None:
            now = self._clock.now()
            found = store.get(tx, guild_id, exclusion_id)
            if found is None:
                raise BackAlreadyError
            if store.is_of(tx, found, by_id):
                raise OwnExclusionError
            until_day, ends_at = _next_date(tx, guild_id, now)
            if found.from_day >= until_day or found.player_id is None:
                store.drop(tx, exclusion_id)
            else:
                store.change(tx, exclusion_id, until_day=until_day, look_at=ends_at)

        await self._database.write(body, keys.server(guild_id))
        log.info("server %d: a member is back on the leaderboards", guild_id)

    # What every interaction is held against. All processes read it anew every few seconds, so that
    # no interaction has to.

    async def refresh(self) -> None:
        """Load into memory whom the host keeps out, and which members to tell of an exclusion."""

        def body(tx: Transaction) -> tuple[frozenset[str], str, set[tuple[int, int]]]:
            kept_out = frozenset(store.digests_kept_out(tx))
            return kept_out, store.key_of(tx) if kept_out else "", set(store.untold(tx))

        self._kept_out, self._key, self._untold = await self._database.read(body)

    def is_kept_out(self, user_id: int) -> bool:
        return self._keeps_out(USER, user_id)

    def is_server_kept_out(self, guild_id: int) -> bool:
        return self._keeps_out(SERVER, guild_id)

    def _keeps_out(self, what: str, number: int) -> bool:
        return bool(self._kept_out) and keyed_hash(self._key, what, [number]) in self._kept_out

    async def tell(self, player_id: int, guild_id: int | None) -> Exclusion | None:
        """Mark a player's exclusion in a server as told and return it; None without one to tell."""
        if guild_id is None or (guild_id, player_id) not in self._untold:
            return None
        self._untold.discard((guild_id, player_id))
        return await self._database.write(
            lambda tx: store.tell(tx, guild_id, player_id), keys.server(guild_id)
        )

    async def tell_later(self, exclusion: Exclusion) -> None:
        """Note that the player could not be told of an exclusion after all."""
        await self._database.write(
            lambda tx: store.change(tx, exclusion.id, is_told=False),
            keys.server(exclusion.guild_id),
        )


def _next_date(tx: Transaction, guild_id: int, now: datetime) -> tuple[date, datetime]:
    zones = people_store.get_zones(tx, "guild", guild_id)
    day = date_in(zone_at(zones, now), now) + _DAY
    return day, _start(zones, day)


def _start(zones: Sequence[ZoneChange], day: date) -> datetime:
    return first_end(zones, day - _DAY)


def settle(tx: Transaction, player_id: int, now: datetime) -> list[int]:
    """Begin and end a player's exclusions that are due; return their servers.

    The caller then rebuilds the player's rows on the leaderboards there.
    """
    _lock(tx, player_id, [row.guild_id for row in store.due_of(tx, player_id, now)])
    due = store.due_of(tx, player_id, now)  # as they are now that nobody else changes them
    for row in due:
        zones = people_store.get_zones(tx, "guild", row.guild_id)
        bounds = [_start(zones, day) for day in (row.from_day, row.until_day) if day is not None]
        passed = [at <= now for at in bounds]
        look_at = next((at for at in bounds if at > now), None)
        store.change(tx, row.id, is_on=passed in ([True], [True, False]), look_at=look_at)
    return [row.guild_id for row in due]


def recognise(tx: Transaction, guild_id: int, player_id: int, now: datetime) -> list[int]:
    """Apply a server's exclusions again to a player who is back after deleting their data.

    Return servers as `settle` does.
    """
    if not store.has_of_nobody(tx, guild_id):
        return []
    _lock(tx, player_id, [guild_id])
    return settle(tx, player_id, now) if store.recognise(tx, guild_id, player_id, now) else []


def _lock(tx: Transaction, player_id: int, guild_ids: Sequence[int]) -> None:
    """Take the keys of `guild_ids`, and of each scope in which the player has leaderboards."""
    shown_in = store.shown_in(tx, player_id, _EVERYWHERE)
    tx.about(*map(keys.server, {*guild_ids, *shown_in}))
