"""Users and servers that the host keeps out."""

import logging
from typing import Final

from bot.clock import Clock
from bot.db.database import Database, Transaction
from bot.equations import store as equations_store
from bot.leaderboards.rebuild import rebuild
from bot.moderation import store as moderation_store
from bot.moderation.game import USER
from bot.moderation.model import keyed_hash
from bot.moderation.store import KeptOutRow
from bot.people import store as people_store
from bot.posts import store as posts_store
from bot.privacy.members import Members

log = logging.getLogger(__name__)

_DONE: Final = "a %s is %s"


class KeepingOut:
    """Use cases of a host who keeps users or servers out; each is one transaction.

    Running processes read changes within seconds. Who is kept out is remembered as a keyed hash
    even after a deletion of their data.
    """

    def __init__(self, database: Database, clock: Clock, members: Members) -> None:
        self._database = database
        self._clock = clock
        self._members = members

    async def listed(self) -> list[KeptOutRow]:
        return await self._database.read(moderation_store.all_kept_out)

    async def keep_out(self, what: str, subject_id: int) -> bool:
        """Keep a user or a server out; return false if they were kept out before.

        The user leaves leaderboards and cards, gets no reminders, and their set equations close.
        """

        def body(tx: Transaction) -> bool:
            now, digest = self._clock.now(), _digest(tx, what, subject_id)
            is_new = not moderation_store.let_in(tx, digest)
            user_id, guild_id = (subject_id, None) if what == USER else (None, subject_id)
            moderation_store.keep_out(tx, KeptOutRow(digest, user_id, guild_id, now))
            if user_id is not None:
                posts_store.leave_queues(tx, user_id)
                posts_store.leave_cards(tx, user_id, now)
                posts_store.plans_of_reminders.drop(tx, user_id)
                equations_store.close_all_of(tx, user_id, now)
                people_store.forget_avatar(tx, user_id)
                rebuild(tx, user_id, now)
                self._members.announce(tx, user_id)
            return is_new

        is_new = await self._database.write(body)
        log.info(_DONE, what, "kept out")
        return is_new

    async def let_in(self, what: str, subject_id: int) -> bool:
        """Let a user or a server in again; return false if they were not kept out."""

        def body(tx: Transaction) -> bool:
            found = moderation_store.let_in(tx, _digest(tx, what, subject_id))
            if found and what == USER:
                rebuild(tx, subject_id, self._clock.now())
            return found

        found = await self._database.write(body)
        log.info(_DONE, what, "let in")
        return found


def _digest(tx: Transaction, what: str, subject_id: int) -> str:
    return keyed_hash(moderation_store.key_of(tx), what, [subject_id])
