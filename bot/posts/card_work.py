"""Cards at Discord: claimed, sent, edited, deleted, and what came of it."""

import logging
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.clock import Clock
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.games.game import LEASE, NONCE_LASTS, nonce
from bot.leaderboards.game import deadline_of
from bot.outages import ShardRange
from bot.posts import store
from bot.posts.cards import (
    BETWEEN_EDITS,
    CardContent,
    CardStep,
    begun,
    is_over,
    next_step,
    read_content,
    rested,
)
from bot.posts.model import Card

log = logging.getLogger(__name__)

MOST_AT_ONCE: Final = 50
"""The most cards in one pass."""

_ABSENT: Final = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class CardWork:
    """Claimed work on a card; `content` is what to send or edit, None for other steps.

    `is_first` says that no earlier attempt can have reached Discord.
    """

    id: int
    card: Card
    step: CardStep
    content: CardContent | None = None
    is_first: bool = True

    @property
    def nonce(self) -> str:
        """The nonce by which Discord recognises the message if it is sent again."""
        card = self.card
        return nonce("running", card.channel_id, card.puzzle, card.claimed_at)

    @property
    def target_id(self) -> int:
        """The id of the message to edit or delete; 0 if it is to be sent."""
        return self.card.message_id or 0


class Cards:
    """Use cases of cards at Discord."""

    def __init__(self, database: Database, clock: Clock, shards: ShardRange) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards

    async def due(self) -> list[int]:
        """List the cards with work that is due, at most `MOST_AT_ONCE`."""
        return await self._database.read(
            lambda tx: store.cards_due.find_due(
                tx, self._clock.now(), most=MOST_AT_ONCE, shards=self._shards
            )
        )

    async def claim(self, card_id: int) -> CardWork | None:
        """Claim the pending work on a card; None if there is none, or it is claimed.

        The caller notes the result by one of the methods below. Without such a note, the work is
        due again a minute later.
        """
        known = await self._database.read(lambda tx: store.cards_by_id.get(tx, card_id))
        if known is None or not self._shards.serves(known.guild_id):
            return None  # another process hears this server
        return await self._database.write(
            lambda tx: _claim(tx, card_id, self._clock.now()), keys.server(known.guild_id)
        )

    async def not_found(self, work: CardWork) -> CardWork | None:
        """Note that Discord does not have the message; return the work of sending it.

        None if the card has no entries any more, or another process has claimed it.
        """

        def body(tx: Transaction) -> CardWork | None:
            card = _claimed(tx, work)
            if card is None:
                return None
            card = replace(card, claimed_at=None, tried_at=None)
            if not store.count_entries(tx, work.id):
                store.drop_card(tx, work.id)
                return None
            card = begun(card, CardStep.POST, self._clock.now())
            store.cards_by_id.put(tx, card, work.id)
            content = read_content(tx, work.id, card)
            return CardWork(work.id, card, CardStep.POST, content)

        return await self._database.write(body, keys.server(work.card.guild_id))

    async def posted(self, work: CardWork, message_id: int, *, is_whole: bool = True) -> None:
        """Note the id of the message that was sent, or was found at Discord.

        The message is edited soon unless this was the first attempt to send it and `is_whole` is
        true. One that was found, or may have been sent before, may be outdated; one that is not
        whole lacks avatars.
        """
        is_new = is_whole and work.step is CardStep.POST and work.is_first
        shown = work.card.version if is_new else 0
        await self._release(work, message_id=message_id, claimed_at=None, shown=shown)
        log.info("results of %s in channel %d: posted", work.card.puzzle, work.card.channel_id)

    async def shown(self, work: CardWork, *, is_whole: bool = True) -> None:
        """Note that Discord shows the content; if it lacks avatars (not `is_whole`), redraw it."""
        await self._release(work, **({"shown": work.card.version} if is_whole else {}))

    async def deleted(self, work: CardWork) -> None:
        """Note that the bot has deleted the message; another is sent if there are entries again."""

        def body(tx: Transaction) -> None:
            card = _claimed(tx, work)
            if card is not None and store.count_entries(tx, work.id):
                card = replace(card, message_id=None, tried_at=None, shown=0)
                store.cards_by_id.put(tx, rested(card, self._clock.now()), work.id)
            elif card is not None:
                store.drop_card(tx, work.id)

        await self._database.write(body, keys.server(work.card.guild_id))

    async def was_deleted(self, work: CardWork) -> None:
        """Note that somebody else has deleted the message: drop its results, and send no other."""

        def body(tx: Transaction) -> bool:
            card, now = _claimed(tx, work), self._clock.now()
            if card is None:
                return False
            card = replace(card, tried_at=None, deleted_at=now)
            store.empty_card(tx, work.id)
            store.cards_by_id.put(tx, rested(card, now), work.id)
            return True

        if await self._database.write(body, keys.server(work.card.guild_id)):
            log.info("results of %s in channel %d: deleted", work.card.puzzle, work.card.channel_id)

    async def refused(self, work: CardWork) -> None:
        """Note that Discord refused to send the message.

        The card is forgotten, and a new share begins another. If an earlier attempt may have
        sent it, or a player was entered meanwhile, it stays stored instead, and the bot looks for
        it, or sends it, in two minutes.
        """

        def body(tx: Transaction) -> bool:
            card = _claimed(tx, work)
            if card is None:
                return False
            if work.is_first and card.version == work.card.version:
                store.drop_card(tx, work.id)
            else:
                store.cards_due.put_off(tx, work.id, self._clock.now() + NONCE_LASTS)
            return True

        if await self._database.write(body, keys.server(work.card.guild_id)):
            log.warning(
                "results of %s in channel %d: refused", work.card.puzzle, work.card.channel_id
            )

    async def unreachable(self, work: CardWork) -> None:
        """Put the work off by an hour: the server, the channel or the message is out of reach."""
        await self._release(work)
        await self._database.write(
            lambda tx: store.cards_due.put_off(tx, work.id, self._clock.now() + _ABSENT),
            keys.server(work.card.guild_id),
        )

    async def _release(self, work: CardWork, **changes: Any) -> None:
        def body(tx: Transaction) -> None:
            card = _claimed(tx, work)
            if card is not None:
                card = replace(card, tried_at=None, **changes)
                store.cards_by_id.put(tx, rested(card, self._clock.now()), work.id)

        await self._database.write(body, keys.server(work.card.guild_id))


def _claim(tx: Transaction, card_id: int, now: datetime) -> CardWork | None:
    card = store.cards_by_id.get(tx, card_id)
    if card is None:
        return None
    if card.tried_at is not None and now < card.tried_at + LEASE:
        store.cards_due.put_off(tx, card_id, card.tried_at + LEASE)
        return None
    card = _with_its_date(tx, replace(card, tried_at=None), now)
    is_empty = not store.count_entries(tx, card_id)
    if is_over(card, now, is_empty=is_empty):
        store.drop_card(tx, card_id)
        return None
    step = next_step(card, now, is_empty=is_empty)
    if step is CardStep.EDIT:
        drawn_at = store.last_card_drawn(tx, card.channel_id)
        if drawn_at is not None and now < drawn_at + BETWEEN_EDITS:
            card = replace(card, look_at=drawn_at + BETWEEN_EDITS)
            store.cards_by_id.put(tx, card, card_id)
            return None
    if step is None:
        store.cards_by_id.put(tx, rested(card, now), card_id)
        return None
    is_first = card.claimed_at is None
    card = begun(card, step, now)
    store.cards_by_id.put(tx, card, card_id)
    content = None
    if step in {CardStep.POST, CardStep.EDIT}:
        content = read_content(tx, card_id, card)
    return CardWork(card_id, card, step, content, is_first)


def _claimed(tx: Transaction, work: CardWork) -> Card | None:
    """Read a claimed card; None if another process has claimed or dropped it."""
    card = store.cards_by_id.get(tx, work.id)
    is_ours = card is not None and card.tried_at == work.card.tried_at
    return card if is_ours else None


def _with_its_date(tx: Transaction, card: Card, now: datetime) -> Card:
    """Close a card if its date has ended; if its end was put off, note the new end."""
    if card.closed_at is not None or now < card.closes_at:
        return card
    closes_at = deadline_of(tx, card.guild_id, card.puzzle.day).finished_before
    if now < closes_at:
        return replace(card, closes_at=closes_at)
    return replace(card, closed_at=now, version=card.version + 1)
