"""Cards, today's cards: their states, what they show, and who is entered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from bot.clock import Clock, PuzzleName, number_of
from bot.db import keys
from bot.db.database import Database, Transaction
from bot.focdle import store as focdle_store
from bot.games.game import LEASE, NONCE_LASTS
from bot.games.model import Channel, points_for
from bot.leaderboards.boards import FocdleFigures
from bot.leaderboards.game import Calendars
from bot.moderation import store as moderation_store
from bot.moderation.model import TakenOffError
from bot.people import store as people_store
from bot.people.model import Face
from bot.posts import store
from bot.posts.model import AlwaysShare, Card, CardDeletedError, UncountedError
from bot.posts.plans import read_choice
from bot.posts.store import ResultRow
from bot.refused import NotFinishedError
from engine import Focdle, Marks

BETWEEN_EDITS: Final = timedelta(seconds=5)
"""The least time between edits in a channel; changes meanwhile go into one edit."""

KEPT: Final = timedelta(days=7)
"""How long a closed card is stored, so that players can still be taken off it."""


class CardStep(Enum):
    """The next thing to do at Discord about a card."""

    POST = "post"
    """Send the message, with its nonce."""
    LOOK = "look"
    """Look whether it was sent already."""
    EDIT = "edit"
    """Edit the message to its present content."""
    DELETE = "delete"
    """Delete the message of a card without entries."""


def changed(card: Card, now: datetime) -> Card:
    """Raise a card's version, so that it is drawn again."""
    return rested(replace(card, version=card.version + 1), now)


def begun(card: Card, step: CardStep, now: datetime) -> Card:
    """Mark a card as claimed; without a noted result, it is due again after `LEASE`."""
    if step is CardStep.POST:
        card = replace(card, claimed_at=card.claimed_at or now)
    if step in {CardStep.POST, CardStep.EDIT}:
        card = replace(card, drawn_at=now)
    return rested(replace(card, tried_at=now), now)


def is_over(card: Card, now: datetime, *, is_empty: bool) -> bool:
    """Return true if a card can be forgotten.

    It was closed and is deleted at Discord, or was closed a week ago, or is empty and was never
    sent.
    """
    if card.deleted_at is not None:
        return card.closed_at is not None
    if card.closed_at is not None and now >= card.closed_at + KEPT:
        return True
    return is_empty and card.message_id is None and card.claimed_at is None


def next_step(card: Card, now: datetime, *, is_empty: bool) -> CardStep | None:
    """Choose the next step for a card; None if there is nothing to do.

    No process may be working on the card. `is_empty` says that it has no entries.
    """
    if card.deleted_at is not None:
        return None
    if card.message_id is None:
        claimed_at = card.claimed_at
        is_remembered = claimed_at is None or now <= claimed_at + NONCE_LASTS
        return CardStep.POST if is_remembered and not is_empty else CardStep.LOOK
    if is_empty:
        return CardStep.DELETE
    return CardStep.EDIT if card.shown < card.version else None


def rested(card: Card, now: datetime) -> Card:
    """Work out from a card's state when it is due next, and set that."""
    return replace(card, look_at=_next_look(card, now))


def _next_look(card: Card, now: datetime) -> datetime:
    if card.tried_at is not None:
        return card.tried_at + LEASE
    if card.deleted_at is None:
        if card.message_id is None:
            return now
        if card.shown < card.version:
            return now if card.drawn_at is None else max(now, card.drawn_at + BETWEEN_EDITS)
    return card.closes_at if card.closed_at is None else card.closed_at + KEPT


MOST_ROWS: Final = 24


@dataclass(frozen=True, slots=True)
class CardRow:
    """A result that everybody may see: the marks, without the guesses.

    Attributes:
        rank: 1 for the best; results that the leaderboard ranks alike share one.
        player_id: the player; 0 if the card may not name the player.
        name: the player's name in the server; empty for 0, and where the bot has never seen it.
        turns: the marks of each guess.
    """

    rank: int
    player_id: int
    name: str
    max_guesses: int
    is_solved: bool
    is_hard: bool
    hints: int
    turns: tuple[Marks, ...]
    face: Face | None = None

    @property
    def is_best(self) -> bool:
        return self.is_solved and self.rank == 1


@dataclass(frozen=True, slots=True)
class CardContent:
    """What a card shows: the number of results, and at most `MOST_ROWS` of the best."""

    puzzle: PuzzleName
    total: int
    rows: tuple[CardRow, ...]
    is_closed: bool = False


def read_content(tx: Transaction, card_id: int, card: Card) -> CardContent:
    name = card.puzzle
    ranked = rank(store.results_on_card(tx, card_id, name))
    rows = rows_of(tx, card.guild_id, name, ranked[:MOST_ROWS])
    return CardContent(name, len(ranked), rows, is_closed=card.closed_at is not None)


def rows_of(
    tx: Transaction, guild_id: int, name: PuzzleName, ranked: Sequence[tuple[int, ResultRow]]
) -> tuple[CardRow, ...]:
    """Build rows of ranked results of a daily: names in a server, and marks instead of guesses."""
    puzzle = focdle_store.find_puzzle(tx, name.number, name.length)
    if puzzle is None:
        return ()
    rules, secret = Focdle.decode(puzzle.rules), puzzle.secret
    names = people_store.names_in(tx, guild_id, [row.player_id for _, row in ranked])
    faces = people_store.faces(tx, [row.player_id for _, row in ranked])
    codes = store.codes(tx, [row.play_id for _, row in ranked])
    return tuple(
        CardRow(
            number,
            row.player_id,
            names[row.player_id].name if row.player_id in names else "",
            rules.max_guesses,
            is_solved=row.solved,
            is_hard=row.hard,
            hints=row.hints,
            turns=tuple(rules.feedback(code, secret) for code in codes[row.play_id]),
            face=faces.get(row.player_id),
        )
        for number, row in ranked
    )


def rank(results: Sequence[ResultRow]) -> list[tuple[int, ResultRow]]:
    """Rank results as the day's leaderboard does; among equals their order stays."""
    ranked: list[tuple[int, ResultRow]] = []
    last = None
    for place, row in enumerate(sorted(results, key=_key), 1):
        number = ranked[-1][0] if ranked and _key(row) == last else place
        ranked.append((number, row))
        last = _key(row)
    return ranked


def _key(row: ResultRow) -> int:
    points = points_for(solved=row.solved, guesses=row.guesses, hints=row.hints)
    is_assisted = row.solved and row.hints > 0
    figures = FocdleFigures(points, int(row.solved), row.guesses, 1, int(is_assisted))
    return figures.sort_key


MOST_RANKED: Final = 100
"""The most entries with which a player is told a rank after sharing, as computing it takes long."""


@dataclass(frozen=True, slots=True)
class CardPlace:
    """A player's place in a card.

    Attributes:
        message_id: the message at Discord; None until it is sent.
        rank: the player's rank; None if the player is not on the card, or if it has more than
            `MOST_RANKED` entries.
        is_always: the player has chosen that the bot shares their dailies there by itself.
        is_hidden: the player hides, so that the bot never shares a daily of theirs by itself.
    """

    guild_id: int
    channel_id: int
    message_id: int | None
    rank: int | None
    total: int
    is_always: bool
    is_hidden: bool


class CardEntries:
    """Use cases of sharing in a card; each is one transaction."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def enter(
        self,
        player_id: int,
        puzzle: PuzzleName,
        guild_id: int,
        channel_id: int,
        *,
        by_itself: bool = False,
    ) -> int | None:
        """Enter a player's result into a server's card, if it is in this channel.

        The first entry opens the card; it takes entries until the date ends in the server. With
        `by_itself`, a player who has not chosen always to share in this channel is not entered.

        Returns:
            The card's id. None if the server takes no results of this date, if
            its card is in another channel, or if `by_itself` forbids the entry.

        Raises:
            NotFinishedError: the player has not finished the daily.
            TakenOffError: managers have taken the player off the server's boards.
            UncountedError: the player began it soon after deleting their data.
            CardDeletedError: the message was deleted at Discord.
        """

        def body(tx: Transaction) -> int | None:
            now = self._clock.now()
            closes_at = _closes_at(tx, guild_id, puzzle, now)
            if closes_at is None:
                return None
            if by_itself and focdle_store.sharing_channel(tx, player_id, guild_id) != channel_id:
                return None
            states = focdle_store.outcomes(tx, player_id, [puzzle.number], puzzle.length)
            if states.get(puzzle.number) is None:
                raise NotFinishedError
            if moderation_store.is_taken_off(tx, guild_id, player_id):
                raise TakenOffError
            if not focdle_store.counts(tx, player_id, puzzle):
                raise UncountedError
            if (found := _find_or_add(tx, guild_id, channel_id, puzzle, closes_at)) is None:
                return None
            card_id, card = found
            is_new = store.enter_card(tx, card_id, player_id, guild_id=guild_id, entered_at=now)
            # A repeated share checks that the message still exists.
            is_rested = card.drawn_at is None or now >= card.drawn_at + BETWEEN_EDITS
            if is_new or (card.message_id is not None and is_rested):
                store.cards_by_id.put(tx, changed(card, now), card_id)
            return card_id

        return await self._database.write(body, keys.server(guild_id))

    async def place(self, card_id: int, player_id: int) -> CardPlace | None:
        """Find a player's place in a card; None if that is no longer stored.

        Raises:
            CardDeletedError: the message was deleted at Discord.
        """

        def body(tx: Transaction) -> CardPlace | None:
            card = store.cards_by_id.get(tx, card_id)
            if card is None:
                return None
            if card.deleted_at is not None:
                raise CardDeletedError
            total, ranks = store.count_entries(tx, card_id), dict[int, int]()
            if total <= MOST_RANKED:
                results = store.results_on_card(tx, card_id, card.puzzle)
                ranks = {row.player_id: number for number, row in rank(results)}
            always = store.always.get(tx, player_id, card.guild_id)
            is_hidden = people_store.is_hidden(tx, player_id)
            return CardPlace(
                card.guild_id,
                card.channel_id,
                card.message_id,
                rank=ranks.get(player_id),
                total=total,
                is_always=always is not None and always.channel_id == card.channel_id,
                is_hidden=is_hidden,
            )

        return await self._database.read(body)

    async def share_always(self, player_id: int, guild_id: int, channel_id: int) -> None:
        def body(tx: Transaction) -> None:
            choice = AlwaysShare(channel_id, self._clock.now())
            store.always.put(tx, choice, player_id, guild_id)

        await self._database.write(body, keys.player(player_id))


def _closes_at(
    tx: Transaction, guild_id: int, puzzle: PuzzleName, now: datetime
) -> datetime | None:
    """Find when a daily's card closes in a server; None if it takes no results now."""
    choice = read_choice(tx, guild_id)
    if not choice.todays_card:
        return None
    calendars = Calendars.read(tx, [guild_id])
    if puzzle.number > number_of(calendars.date_of(guild_id, now)):
        return None
    closes_at = calendars.deadline(guild_id, puzzle.day).finished_before
    return closes_at if now < closes_at else None


def _find_or_add(
    tx: Transaction, guild_id: int, channel_id: int, puzzle: PuzzleName, closes_at: datetime
) -> tuple[int, Card] | None:
    """Find or add a daily's card; None if it has closed or is in another channel."""
    card_id = store.find_card(tx, guild_id, puzzle)
    found = None if card_id is None else store.cards_by_id.get(tx, card_id)
    if card_id is not None and found is not None:
        if found.channel_id != channel_id or found.closed_at is not None:
            return None
        if found.deleted_at is not None:
            raise CardDeletedError
        return card_id, found
    card = Card(
        guild_id=guild_id,
        channel_id=channel_id,
        number=puzzle.number,
        length=puzzle.length,
        closes_at=closes_at,
        look_at=closes_at,
    )
    tx.changed(Channel(guild_id, channel_id))
    return store.add_card(tx, card), card
