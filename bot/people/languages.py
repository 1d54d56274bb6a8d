"""The languages that players and servers have chosen, and in which players were answered."""

from collections.abc import Callable
from functools import partial
from typing import Final

from bot.db import keys
from bot.db.database import Database, Transaction
from bot.people import store

_CHANGED: Final = "language-of-"
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

        def note(tx: Transaction) -> bool:
            self.announce(tx, whose)
            return store.put_spoken(tx, player_id, language)

        is_new = await self._database.write(note, whose)
        await self.of_player(player_id)  # for the next click
        return is_new

    def announce(self, tx: Transaction, whose: keys.Key) -> None:
        """Have all processes, after the commit, forget what they know of a player or server."""
        tx.changed(f"{_CHANGED}{whose}")

    def forget(self, whose: str | None) -> None:
        """Forget what is known of a player or server, by the name of their key; None means all."""
        self._changes += 1
        if whose is None:
            self._known.clear()
        else:
            self._known.pop(whose, None)

    def heard(self, name: str) -> None:
        """Act on what any process has announced."""
        if name.startswith(_CHANGED):
            self.forget(name.removeprefix(_CHANGED))
