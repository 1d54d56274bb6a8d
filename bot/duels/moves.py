"""Use cases of accepted duels: numbers, guesses, draws, deadlines; lists of a player's duels."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

from bot.db.database import Transaction
from bot.duels import store
from bot.duels.game import DuelTransaction, DuelTransactions, rating_of
from bot.duels.model import (
    TRANSITIONS,
    Duel,
    DuelRefusedError,
    DuelView,
    Event,
    NoDrawOfferedError,
    NoDrawWithBotError,
    NotYourDuelError,
    NumberRefusedError,
    SecretFixedError,
    State,
)
from bot.duels.position import (
    Verdict,
    bots_turn,
    calls_to_answer,
    draw_declined,
    draw_offered,
    guessed,
    nudge_of,
)
from bot.failures import Failures
from bot.outages import ShardRange
from bot.pool.pool import in_thread
from bot.pool.worker import Named
from bot.ratings import store as ratings_store
from bot.ratings.model import Rating, RatingChange
from bot.refused import MovedOnError, NotFinishedError
from engine import (
    BullsAndCows,
    Code,
    EngineError,
    GameOverError,
    NotationError,
    NotYourTurnError,
    Score,
    Turn,
)

NEXT_GUESS: Final[Named[[Duel, int], Code]] = Named("bot.duels.solving", "next_guess")


@dataclass(frozen=True, slots=True)
class Notebook:
    """A player's private knowledge in a duel.

    Attributes:
        absent: digits that are in no candidate, ascending.
        remaining: the exact number of candidates, at least 1.
        is_bot_proven: whether a perfect bot provably needs the fewest guesses on average.
    """

    view: DuelView
    seat: int
    absent: str
    remaining: int
    is_bot_proven: bool

    @property
    def turns(self) -> tuple[Turn[Score], ...]:
        return self.view.duel.own_turns(self.seat)

    @property
    def own(self) -> str | None:
        """The number that the player has set; None without one."""
        return self.view.duel.seats[self.seat].secret


async def answered(transactions: DuelTransactions, view: DuelView) -> DuelView:
    """Make all guesses that the bot has to make now; return the duel after them.

    The bot chooses outside any transaction. Its guess is stored only if nobody has moved meanwhile.
    """
    while (seat := bots_turn(view.duel)) is not None:
        code = await in_thread(NEXT_GUESS, view.duel, seat)
        guess = partial(_guess, seen=view.duel, seat=seat, code=code)
        view = await transactions.write(guess, view.duel.id)
    return view


def _guess(work: DuelTransaction, *, seen: Duel, seat: int, code: Code) -> DuelView:
    duel = work.duel(seen.id)
    if bots_turn(duel) == seat and duel.moves == seen.moves:
        duel = work.guess(guessed(duel, seat, code, work.now))
    return work.view(duel)


def number_in(text: str, rules: BullsAndCows) -> Code:
    """Parse a typed secret number.

    Raises:
        NumberRefusedError: the text is no number.
    """
    try:
        return rules.parse(text)
    except NotationError as error:
        raise NumberRefusedError(rules=rules, text=text, cause=error) from error


_Change = Callable[[DuelTransaction, Duel, int], Duel]
"""A change of a duel by the player of a seat; it saves what it changes."""


class Playing:
    """Use cases of a duel's players.

    All methods return the duel after the change, and may raise NoSuchDuelError. All but `published`
    take a player and a duel. All but `view` and `published` may raise NotYourDuelError too. If the
    duel's state forbids the change, they raise a DuelStateError such as NotAcceptedYetError or
    DuelOverError. A second click changes nothing.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def view(self, player_id: int, duel_id: int) -> DuelView:
        """The duel, for anybody to see.

        When one of its players looks, a passed deadline ends the duel, and the bot makes a guess
        that is due.
        """

        def read(work: DuelTransaction) -> DuelView:
            duel = work.duel(duel_id)
            if duel.seat_of(player_id) is not None:
                duel = work.settled(duel)
            return work.view(duel)

        view = await self._transactions.read(read)
        if view.duel.seat_of(player_id) is None:
            return view
        return await answered(self._transactions, view)

    async def prepare(self, player_id: int, duel_id: int, event: Event) -> DuelView:
        """Raise the refusals of an event's use case, except those about the text; return the duel.

        Raises:
            DuelRefusedError: it is the other player's turn.
        """

        def body(work: DuelTransaction) -> DuelView:
            duel, seat = work.players_duel(player_id, duel_id)
            view = work.view(duel)
            if bots_turn(duel) is None:
                work.require(duel, event, seat)
                if event is Event.GUESS and duel.to_move != seat:
                    raise DuelRefusedError(view=view, text="", cause=NotYourTurnError("", seat))
                if event is Event.SET_SECRET:
                    work.require_fair(player_id, duel.rules)
            return view

        while True:
            view = await self._transactions.write(body, duel_id)
            if bots_turn(view.duel) is None:
                return view
            await answered(self._transactions, view)

    async def prepare_to_stop(self, player_id: int, duel_id: int) -> DuelView:
        """Raise the refusals of `call_off` or, once it is too late for that, of `resign`.

        Return the duel if there are none.
        """

        def require(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            event = Event.CALL_OFF if duel.can_be_called_off else Event.RESIGN
            work.require(duel, event, seat)
            return duel

        return await self._change(player_id, duel_id, require)

    async def published(
        self,
        duel_id: int,
        message_id: int,
        channel_id: int,
        *,
        version: int | None = None,
    ) -> tuple[DuelView, Duel]:
        """Note the message of a board; return the duel, and as it was before.

        `version` is the version of the duel that the message shows; None
        for the present one. A board of another version is to be edited.
        """

        def body(work: DuelTransaction) -> tuple[DuelView, Duel]:
            duel = work.duel(duel_id)
            after = duel.changed(
                channel_id=channel_id,
                message_id=message_id,
                stale_at=None if version in {None, duel.version} else work.now,
            )
            return work.view(work.save(after)), duel

        return await self._transactions.write(body, duel_id)

    async def set_secret(self, player_id: int, duel_id: int, text: str) -> DuelView:
        """Set the player's number for the bot to find, and begin the duel.

        Raises:
            NumberRefusedError: the text is no number.
        """

        def set_secret(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            own = duel.seats[seat].secret
            if own is None or duel.state is not State.PLAYING:
                work.require(duel, Event.SET_SECRET, seat)
            number = number_in(text, duel.rules)
            if own is None:
                work.require_fair(player_id, duel.rules)
                return work.begin(duel, seat, number)
            if own != number:
                raise SecretFixedError(view=work.view(duel))
            return duel

        return await answered(
            self._transactions, await self._change(player_id, duel_id, set_secret)
        )

    async def draw_secret(self, player_id: int, duel_id: int) -> DuelView:
        def draw(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            if duel.seats[seat].secret is not None:
                return duel
            work.require(duel, Event.SET_SECRET, seat)
            return work.begin(duel, seat, duel.rules.draw(work.dice))

        return await answered(self._transactions, await self._change(player_id, duel_id, draw))

    async def guess(
        self, player_id: int, duel_id: int, text: str, *, at: int | None = None
    ) -> DuelView:
        """Guess a typed number; then let the bot guess, if it plays. Offers of a draw expire.

        `at` is the version that the player saw; None for any.

        Raises:
            MovedOnError: the duel has another version.
            DuelRefusedError: the guess was not played and cost nothing. A duel that is over raises
                this, too, and not DuelOverError.
        """
        try:
            view = await self._guess(player_id, duel_id, text, at)
        except DuelRefusedError as refused:
            is_against_bot = refused.view.duel.is_against_bot
            if not is_against_bot or not isinstance(refused.cause, NotYourTurnError):
                raise
            # The bot is choosing, or the process ended while it did. Without this it might never
            # move.
            await self.view(player_id, duel_id)
            view = await self._guess(player_id, duel_id, text, None)
        return await answered(self._transactions, view)

    async def _guess(self, player_id: int, duel_id: int, text: str, at: int | None) -> DuelView:
        def guess(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            if at not in {None, duel.version}:
                raise MovedOnError
            if duel.finished_at is not None:
                raise DuelRefusedError(view=work.view(duel), text=text, cause=GameOverError())
            work.require(duel, Event.GUESS, seat)
            try:
                after = guessed(duel, seat, duel.rules.parse(text), work.now)
            except EngineError as error:
                raise DuelRefusedError(view=work.view(duel), text=text, cause=error) from error
            return work.guess(after)

        return await self._change(player_id, duel_id, guess)

    async def offer_draw(self, player_id: int, duel_id: int) -> DuelView:
        def offer(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            work.require(duel, Event.OFFER_DRAW, seat)
            if duel.is_against_bot:
                raise NoDrawWithBotError(view=work.view(duel))
            offered_by = duel.draw_offered_by
            if offered_by is None:
                after = draw_offered(duel, seat, work.now)
                duel = work.touch(after, passes=calls_to_answer(after, seat))
            elif offered_by != seat:
                duel = work.end(duel, Verdict(Event.ACCEPT_DRAW, None))
            return duel

        return await self._change(player_id, duel_id, offer)

    async def accept_draw(self, player_id: int, duel_id: int) -> DuelView:
        def accept(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            if duel.ending is TRANSITIONS[State.PLAYING, Event.ACCEPT_DRAW].ending:
                return duel
            work.require(duel, Event.ACCEPT_DRAW, seat)
            if duel.draw_offered_by != 1 - seat:
                raise NoDrawOfferedError(view=work.view(duel))
            return work.end(duel, Verdict(Event.ACCEPT_DRAW, None))

        return await self._change(player_id, duel_id, accept)

    async def decline_draw(self, player_id: int, duel_id: int) -> DuelView:
        """Decline the other player's offer of a draw, or withdraw the player's own."""

        def decline(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            work.require(duel, Event.DECLINE_DRAW, seat)
            if duel.draw_offered_by is None:
                raise NoDrawOfferedError(view=work.view(duel))
            return _save_and_nudge(work, duel, draw_declined(duel, seat, work.now))

        return await self._change(player_id, duel_id, decline)

    async def call_off(self, player_id: int, duel_id: int) -> DuelView:
        """Call a duel off before the first guess; nobody wins."""

        def call_off(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            is_done = duel.ending is TRANSITIONS[State.SETTING, Event.CALL_OFF].ending
            if is_done and duel.accepted_at is not None:
                return duel
            work.require(duel, Event.CALL_OFF, seat)
            return work.end(duel, Verdict(Event.CALL_OFF, None))

        return await self._change(player_id, duel_id, call_off)

    async def resign(self, player_id: int, duel_id: int) -> DuelView:
        def resign(work: DuelTransaction, duel: Duel, seat: int) -> Duel:
            is_done = duel.ending is TRANSITIONS[State.PLAYING, Event.RESIGN].ending
            if is_done and duel.winner == 1 - seat:
                return duel
            work.require(duel, Event.RESIGN, seat)
            return work.end(duel, Verdict(Event.RESIGN, 1 - seat))

        return await self._change(player_id, duel_id, resign)

    async def _change(self, player_id: int, duel_id: int, change: _Change) -> DuelView:
        def body(work: DuelTransaction) -> DuelView:
            return work.view(change(work, *work.players_duel(player_id, duel_id)))

        return await self._transactions.write(body, duel_id)


def _save_and_nudge(work: DuelTransaction, before: Duel, after: Duel) -> Duel:
    """Save a changed duel; schedule its nudge anew if it is now for other players."""
    called = [nudge_of(duel) for duel in (before, after)]
    first, second = (None if nudge is None else nudge[0] for nudge in called)
    return work.touch(after, passes=first != second)


log = logging.getLogger(__name__)

_SOLVING: Final = "bot.duels.solving"
DEDUCTIONS: Final[Named[[BullsAndCows, Sequence[Turn[Score]]], tuple[str, int]]] = Named(
    _SOLVING, "deductions"
)
IS_OPTIMAL: Final[Named[[BullsAndCows], bool]] = Named(_SOLVING, "is_optimal")


class DuelBook:
    """Use cases that show duels and ratings, and the sweep of deadlines."""

    def __init__(self, transactions: DuelTransactions, shards: ShardRange) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    async def open_of(self, player_id: int) -> list[DuelView]:
        """A player's open duels and challenges, the latest changed first; none past a deadline."""
        return await self._transactions.read(lambda work: open_of(work.tx, player_id, work.now))

    async def sweep(self) -> list[DuelView]:
        """End duels whose deadline has passed, and return them.

        Only this process's shards are swept. While a shard is silent, its deadlines are suspended.
        """
        passed = self._transactions.every(
            lambda v, after: store.passed(v.tx, v.now, after, self._shards)
        )
        swept = self._failures.each("deadline of duel", passed, self._sweep_one)
        return [view async for view in swept]

    async def _sweep_one(self, duel_id: int) -> DuelView | None:
        def body(work: DuelTransaction) -> DuelView | None:
            duel = work.duel(duel_id)
            if duel.finished_at is not None or work.is_away(duel):
                return None
            duel = work.settled(duel)
            return None if duel.finished_at is None else work.view(duel)

        return await self._transactions.write(body, duel_id)

    async def result(self, player_id: int, duel_id: int) -> DuelView:
        view = await self.of(player_id, duel_id)
        if not view.duel.is_against_bot:
            raise NotYourDuelError(player_ids=(player_id,), guild_id=None)
        if view.duel.state is not State.OVER:
            raise NotFinishedError
        return view

    async def notebook(self, player_id: int, duel_id: int) -> Notebook:
        view = await self.of(player_id, duel_id)
        return await self.notebook_of(player_id, await answered(self._transactions, view))

    async def of(self, player_id: int, duel_id: int) -> DuelView:
        """Read a player's duel, and end it if a deadline has passed."""

        def read(work: DuelTransaction) -> DuelView:
            duel, _ = work.players_duel(player_id, duel_id)
            return work.view(duel)

        return await self._transactions.read(read)

    async def notebook_of(self, player_id: int, view: DuelView) -> Notebook:
        duel = view.duel
        seat = duel.seat_of(player_id)
        if seat is None:
            raise NotYourDuelError(player_ids=duel.player_ids, guild_id=duel.guild_id)
        absent, remaining = await in_thread(DEDUCTIONS, duel.rules, duel.own_turns(seat))
        return Notebook(view, seat, absent, remaining, await in_thread(IS_OPTIMAL, duel.rules))

    async def rating(self, player_id: int) -> Rating:
        return await self._transactions.read(lambda work: rating_of(work.tx, player_id))

    async def rating_history(self, player_id: int) -> list[RatingChange]:
        return await self._transactions.read(lambda work: ratings_store.history(work.tx, player_id))


def open_of(tx: Transaction, player_id: int, now: datetime) -> list[DuelView]:
    """What `DuelBook.open_of` returns, read in the caller's transaction."""
    work = DuelTransaction(tx, now)
    return [work.view(duel) for duel in work.unfinished(player_id) if not work.is_late(duel)]
