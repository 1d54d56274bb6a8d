"""The languages that players and servers have chosen, and in which players were answered."""

from collections.abc import Callable
from functools import partial
from secrets import token_hex
from typing import Final, TypeVar

from bot.db import keys
from bot.db.database import Database, Transaction
from bot.people import store

T = TypeVar("T")

_CHANGED: Final = "language "
_MOST_REMEMBERED: Final = 20_000

_Found = tuple[str | None, str | None]


class Languages:
    """Use cases of languages; each is one transaction.

    Each process remembers what it has read until that changes, so that most clicks read nothing;
    when it remembers too much, it begins anew.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, _Found] = {}
        self._changes = 0
        self._us = token_hex(4)

    async def of_player(self, player_id: int) -> _Found:
        """Return the language that a player has chosen, and the one they were last answered in."""
        find = partial(store.get_languages, player_id=player_id)
        return await self._find(keys.player(player_id), find)

    async def of_server(self, guild_id: int) -> str | None:
        """Return the language that a server has chosen; None for Discord's."""

        def find(tx: Transaction) -> _Found:
            choices = store.server_choices.get(tx, guild_id)
            return choices and choices.language, None

        return (await self._find(keys.server(guild_id), find))[0]

    async def _find(self, whose: keys.Key, find: Callable[[Transaction], _Found]) -> _Found:
        if whose.name in self._known:
            return self._known[whose.name]
        changes, found = self._changes, await self._database.read(find)
        if changes == self._changes:  # else it may have changed since it was read
            if len(self._known) >= _MOST_REMEMBERED:
                self._known.clear()
            self._known[whose.name] = found
        return found

    async def answered(self, player_id: int, language: str) -> bool:
        """Note in which language a player was answered; return true, once, if that is a new one."""
        if (await self.of_player(player_id))[1] == language:
            return False
        whose = keys.player(player_id)
        note = partial(store.put_spoken, player_id=player_id, language=language)
        is_new = await self.change(whose, note, whose)
        await self.of_player(player_id)  # for the next click
        return is_new

    async def change(
        self, whose: keys.Key, body: Callable[[Transaction], T], *locks: keys.Key
    ) -> T:
        """Write in a transaction what somebody's language is, and tell the other processes."""

        def change(tx: Transaction) -> T:
            tx.tell(f"{_CHANGED}{whose} {self._us}")
            return body(tx)

        done = await self._database.write(change, *locks)
        self.forget(whose.name)
        return done

    def forget(self, whose: str | None) -> None:
        """Forget what is known of a player or server, by the name of their key; None means all."""
        self._changes += 1
        if whose is None:
            self._known.clear()
        else:
            self._known.pop(whose, None)

    def heard(self, text: str | None) -> None:
        """Act on what another process tells; None says that some of it was missed."""
        if text is None:
            self.forget(None)
        elif text.startswith(_CHANGED) and not text.endswith(self._us):
            self.forget(text.split()[1])
