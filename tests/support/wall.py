"""A channel as Discord has it, on which cards are carried out step by step."""

from collections.abc import Coroutine
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count

from bot.posts.card_work import Cards, CardWork
from bot.posts.cards import CardContent, CardStep
from tests.support.clock import FakeClock

REMEMBERED = timedelta(minutes=5)
"""How long Discord returns the first message for a second one with the same nonce."""


@dataclass
class Wall:
    """What everybody in a channel sees.

    Attributes:
        shown: what each message shows, by its id, the oldest first.
        edits: when messages were edited.
        is_closed: whether the channel takes nothing new of the bot's.
        is_dark: whether the bot cannot reach even its own messages there.
    """

    clock: FakeClock
    shown: dict[int, CardContent] = field(default_factory=dict[int, CardContent])
    edits: list[datetime] = field(default_factory=list[datetime])
    is_closed: bool = False
    is_dark: bool = False
    _ids: "count[int]" = field(default_factory=lambda: count(9001))
    _nonces: dict[str, tuple[int, datetime]] = field(
        default_factory=dict[str, tuple[int, datetime]]
    )
    _sent_at: dict[int, datetime] = field(default_factory=dict[int, datetime])

    def send(self, work: CardWork) -> int | None:
        """The id of the new message; None if it is refused."""
        assert work.content is not None
        now = self.clock.now()
        before = self._nonces.get(work.nonce)
        if before is not None and now <= before[1] + REMEMBERED:
            return before[0]
        if self.is_closed or self.is_dark:
            return None
        message_id = next(self._ids)
        self.shown[message_id] = work.content
        self._sent_at[message_id] = now
        self._nonces[work.nonce] = message_id, now
        return message_id

    def edit(self, work: CardWork) -> bool:
        """Whether the message is there."""
        assert work.content is not None
        if work.target_id not in self.shown:
            return False
        self.shown[work.target_id] = work.content
        self.edits.append(self.clock.now())
        return True

    def delete(self, message_id: int) -> None:
        self.shown.pop(message_id, None)

    def find(self, work: CardWork) -> int | None:
        """A message that was sent since the claim."""
        since = work.card.claimed_at
        assert since is not None
        found = [n for n in self.shown if self._sent_at[n] >= since - timedelta(minutes=1)]
        return found[-1] if found else None


class KilledError(Exception):
    """The process has ended in the middle."""


async def carry_out(cards: Cards, wall: Wall, card_id: int, *, killed: str = "") -> bool:
    """Do the next thing for a card, as the bot does; whether there was any.

    Args:
        cards: the use cases.
        wall: the channel.
        card_id: the card.
        killed: where the process ends: `claimed` before Discord hears of it, or `done` after.
    """
    work = await cards.claim(card_id)
    if work is not None and killed == "claimed":
        raise KilledError
    if work is not None and work.step is CardStep.LOOK:
        found = wall.find(work)
        if found is not None:
            await cards.posted(work, found)
            return True
        work = await cards.not_found(work)
    if work is None:
        return False
    noted = _at_discord(cards, wall, work)
    if killed:
        noted.close()
        raise KilledError
    await noted
    return True


def _at_discord(cards: Cards, wall: Wall, work: CardWork) -> Coroutine[None, None, None]:
    """Do it; what is to be noted of it."""
    if work.step is CardStep.POST:
        message_id = wall.send(work)
        return cards.refused(work) if message_id is None else cards.posted(work, message_id)
    if wall.is_dark:
        return cards.unreachable(work)
    if work.step is CardStep.EDIT:
        return cards.shown(work) if wall.edit(work) else cards.was_deleted(work)
    wall.delete(work.target_id)
    return cards.deleted(work)


async def rounds(
    cards: Cards, wall: Wall, clock: FakeClock, seconds: float, every: float = 1
) -> None:
    """Let the timer do its rounds for a while."""
    end = clock.now() + timedelta(seconds=seconds)
    while True:
        for card_id in await cards.due():
            await carry_out(cards, wall, card_id)
        if clock.now() >= end:
            return
        clock.advance(seconds=every)
