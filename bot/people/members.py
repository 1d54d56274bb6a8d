"""Members: the players seen in a server, with their names and faces, until they leave it."""

from collections import OrderedDict
from collections.abc import Callable, Collection
from datetime import UTC, date, datetime, timedelta
from typing import Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.people import store
from bot.people.languages import Languages
from bot.people.model import face_of
from bot.people.store import NameRow

# The column's length; Discord allows 32 characters.
_LONGEST_NAME: Final = 128
_MOST_REMEMBERED: Final = 20_000

_FORGET: Final = "forget-player-"
_FORGET_SERVER: Final = "forget-server-"

_Written = tuple[date, str, str | None, str]
"""Today's write for a member: date, name, avatar, and name in the server."""

_Change = Callable[[Transaction, int, int, datetime], None]
"""What a transaction also changes for a server and a player, now."""

_UNKNOWN_FOR: Final = timedelta(days=1)
"""The time for which somebody who was seen or looked up in a server counts as a member there."""


class Members:
    """Use cases of membership; each is one transaction.

    `join` is carried out with a member's first click in a server, `leave` once they have left.

    It remembers what it has written today, so that most clicks write nothing. After a restart, or
    in a second process, the same is written again. Whom it forgets, `languages` forgets, too.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        join: _Change,
        leave: _Change,
        *,
        avatars: bool = True,
    ) -> None:
        self.languages = Languages(database)
        self._database = database
        self._clock = clock
        self._join = join
        self._leave = leave
        self._avatars = avatars
        self._written: OrderedDict[tuple[int, int | None], _Written] = OrderedDict()
        self._listeners: list[Callable[[int | None], None]] = []

    async def seen(
        self,
        player_id: int,
        name: str,
        avatar: str | None = None,
        *,
        guild_id: int | None = None,
        guild_name: str = "",
    ) -> None:
        """Note that a player has done something.

        It writes once a day for a member, and when a name or the avatar has changed. A player who
        is new in a server, or back, appears on its leaderboards from now on. `guild_id` is None in
        direct messages, and in a server of which the bot is not a member.
        """
        now = self._clock.now()
        name, guild_name = name[:_LONGEST_NAME], guild_name[:_LONGEST_NAME]
        kept = face_of(player_id, avatar) if self._avatars else None
        avatar = None if kept is None else kept.avatar
        today = now.astimezone(UTC).date()
        key, value = (player_id, guild_id), (today, name, avatar, guild_name)
        if self._written.get(key) == value:
            return
        # Before the commit, so that further clicks do not write it, too.
        self._written[key] = value
        self._written.move_to_end(key)
        if len(self._written) > _MOST_REMEMBERED:
            self._written.popitem(last=False)

        def see(tx: Transaction) -> None:
            store.see_player(tx, player_id, name, avatar, now)
            if guild_id is None:
                return
            if store.see_member(tx, guild_id, player_id, guild_name, now):
                self._join(tx, guild_id, player_id, now)

        try:
            await self._database.write(see, keys.player(player_id))
        except BaseException:
            self._written.pop(key, None)
            raise

    def announce(self, tx: Transaction, player_id: int) -> None:
        """Have all processes, after the commit, forget that a player was stored today.

        Players hide, show themselves again, leave a server, are kept out, or delete their data.
        """
        tx.changed(f"{_FORGET}{player_id}")

    def announce_server(self, tx: Transaction, guild_id: int) -> None:
        """Have all processes, after the commit, forget which of a server's members were stored."""
        tx.changed(f"{_FORGET_SERVER}{guild_id}")

    def heard(self, name: str | None) -> None:
        """Act on what any process has announced; None says that some was missed: forget all."""
        if name is None:
            self._forget(None)
        elif name.startswith(_FORGET):
            self._forget(int(name.removeprefix(_FORGET)))
        elif name.startswith(_FORGET_SERVER):
            self._forget_server(int(name.removeprefix(_FORGET_SERVER)))
        else:
            self.languages.heard(name)

    def _forget(self, player_id: int | None) -> None:
        self.languages.forget(None if player_id is None else keys.player(player_id).name)
        for key in [key for key in self._written if player_id in {None, key[0]}]:
            del self._written[key]
        for tell in self._listeners:
            tell(player_id)

    def _forget_server(self, guild_id: int) -> None:
        self.languages.forget(keys.server(guild_id).name)
        for key in [key for key in self._written if key[1] == guild_id]:
            del self._written[key]

    def when_forgotten(self, tell: Callable[[int | None], None]) -> None:
        """Call `tell` with each player whom this process forgets; None means everybody."""
        self._listeners.append(tell)

    async def knows(self, player_id: int, guild_id: int) -> bool:
        """Return true if a player was seen in a server, and is not known to have left it."""
        return await self._database.read(lambda tx: bool(store.names_in(tx, guild_id, [player_id])))

    async def claim_look_ups(self, guild_id: int, player_ids: Collection[int]) -> list[int]:
        """Choose which of these members to look up, and note them as looked up.

        Chosen are members who may have left: within a day, they were neither looked up nor seen.
        Those without a stored name count as not seen. The caller passes Discord's answers to
        `still_here` or `gone`.
        """

        def find(tx: Transaction) -> list[int]:
            now = self._clock.now()
            known = store.names_in(tx, guild_id, player_ids)
            found = [
                player_id
                for player_id in player_ids
                if player_id in known and _may_have_left(known[player_id], now)
            ]
            if found:
                store.note_look_up(tx, guild_id, found, now)
            return found

        return await self._database.read(find, *map(keys.player, player_ids))

    async def still_here(self, guild_id: int, player_id: int, guild_name: str) -> None:
        """Note the name that a member has in a server, as Discord gives it."""
        await self._database.write(
            lambda tx: store.rename(tx, guild_id, player_id, guild_name[:_LONGEST_NAME]),
            keys.player(player_id),
        )

    async def gone(self, guild_id: int, player_id: int) -> None:
        """Remove a former member from a server's leaderboards, today's cards and members."""

        def body(tx: Transaction) -> None:
            self._leave(tx, guild_id, player_id, self._clock.now())
            self.announce(tx, player_id)

        await self._database.write(body)


def _may_have_left(row: NameRow, now: datetime) -> bool:
    is_known = row.name and row.seen_at > now - _UNKNOWN_FOR
    was_asked = row.looked_up_at is not None and row.looked_up_at > now - _UNKNOWN_FOR
    return not is_known and not was_asked
