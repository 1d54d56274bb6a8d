"""A duel between acceptance and its end: numbers, guesses, draws."""

import logging
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import Final

from bot.db.database import Transaction
from bot.duels import store
from bot.duels.game import DuelTransaction, DuelTransactions, rating_of
from bot.duels.model import (
    TRANSITIONS,
    DuelGame,
    DuelRefusedError,
    Event,
    NoDrawOfferedError,
    NoDrawWithBotError,
    NoRaceError,
    Notebook,
    NotStartedError,
    NotYourDuelError,
    SecretFixedError,
    SecretRefusedError,
    State,
)
from bot.duels.position import Position, Verdict, bots_turn, nudge_of, rules_of, seat_of
from bot.failures import Failures
from bot.games.seals import new_salt
from bot.outages import ALL, ShardRange
from bot.pool.threads import in_thread
from bot.pool.worker import Named
from bot.ratings import store as ratings_store
from bot.ratings.model import Outlook, RatingChange
from bot.refused import NotFinishedError
from engine import (
    BullsAndCows,
    Code,
    EngineError,
    GameOverError,
    Mode,
    NotationError,
    NotYourTurnError,
    Score,
    Turn,
)

NEXT_GUESS: Final[Named[[Position, int], Code]] = Named("bot.duels.solving", "next_guess")


async def answered(transactions: DuelTransactions, position: Position, game: DuelGame) -> DuelGame:
    """A duel after the bot has made the guesses that are the bot's to make.

    Nothing is locked while it thinks; what it found is written only if nobody has moved.
    """
    while (seat := bots_turn(position)) is not None:
        code = await in_thread(NEXT_GUESS, position, seat)
        guess = partial(_guess, seen=position, seat=seat, code=code)
        position, game = await transactions.write(guess, position.row.id)
    return game


def _guess(
    work: DuelTransaction, *, seen: Position, seat: int, code: Code
) -> tuple[Position, DuelGame]:
    """Make a guess of the bot's, if nobody has moved since; the duel as it stands then."""
    found = work.position(seen.row.id)
    if bots_turn(found) == seat and found.row.moves == seen.row.moves:
        found = work.guess(found, found.guessed(seat, code, work.now), seat)
    return found, work.game(found)


_NUMBERS_ARE_SET: Final = {State.SETTING, State.STARTING, State.PLAYING}


class Playing:
    """Use cases of a duel's players.

    All of them take the player who clicks and the duel's id, return the duel after it, and
    raise NoSuchDuelError, NotYourDuelError, and where it cannot be done as things are, one of
    the DuelStateErrors: NotAcceptedYetError, SecretsMissingError, DuelOverError. What was done
    already and is clicked again changes nothing.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def view(self, player_id: int, duel_id: int) -> DuelGame:
        """A duel as it stands; for strangers, too, whose looking at it ends nothing.

        Raises:
            NoSuchDuelError: there is none.
        """

        def read(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position = work.position(duel_id)
            if seat_of(position.row, player_id) is not None:
                position = work.in_time(position)
            return position, work.game(position)

        position, game = await self._transactions.read(read)
        if game.seat_of(player_id) is None:
            return game
        return await answered(self._transactions, position, game)

    async def prepare(self, player_id: int, duel_id: int, event: Event) -> DuelGame:
        """Refuse what the use case of an event would refuse, whatever is typed.

        Raises:
            DuelRefusedError: it is the other's turn, or in a race this player has finished.
            SecretFixedError: there is nothing to set.
            RankedGameError, RatedDuelError: as `set_secret`.
        """

        def body(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position, seat = work.players_position(player_id, duel_id)
            game = work.game(position)
            if bots_turn(position) is None:
                work.require(position, event, seat)
                _require_open(position, seat, event, game)
                if event is Event.SET_SECRET:
                    _require_fair(work, position, player_id)
            return position, game

        while True:
            position, game = await self._transactions.write(body, duel_id)
            if bots_turn(position) is None:
                return game
            await answered(self._transactions, position, game)

    async def prepare_to_leave(self, player_id: int, duel_id: int) -> DuelGame:
        """Refuse what `leave` would."""

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            work.require(position, Event.LEAVE, seat)
            return work.game(position)

        return await self._transactions.write(body, duel_id)

    async def prepare_to_stop(self, player_id: int, duel_id: int) -> DuelGame:
        """Refuse what `leave` would before the first guess, and `resign` from then on."""

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            game = work.game(position)
            event = Event.LEAVE if game.can_be_called_off else Event.RESIGN
            work.require(position, event, seat)
            return game

        return await self._transactions.write(body, duel_id)

    async def published(
        self,
        duel_id: int,
        message_id: int,
        thread_id: int | None = None,
        *,
        channel_id: int | None = None,
        version: int | None = None,
    ) -> DuelGame:
        """Note which message the board is, and its thread.

        Args:
            duel_id: which duel.
            message_id: the message.
            thread_id: the thread it is in, if that was made for the duel.
            channel_id: the channel it is in, or the thread is; None if that is no other one.
            version: which version it shows; None for the present one.

        Raises:
            NoSuchDuelError: there is no such duel.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position = work.position(duel_id)
            row = position.row
            position = position.changed(
                channel_id=channel_id or row.channel_id,
                message_id=message_id,
                thread_id=thread_id,
                stale_at=None if version in {None, row.version} else work.now,
            )
            return work.game(work.save(position))

        return await self._transactions.write(body, duel_id)

    async def set_secret(self, player_id: int, duel_id: int, text: str) -> DuelGame:
        """Set what the other is to find; when both have, the duel begins.

        Raises:
            SecretRefusedError: the text is no secret.
            SecretFixedError: another one is set.
            RankedGameError, RatedDuelError: the bot is to find it, and its guesses would help in a
                game that counts; `draw_secret` is for that.
        """

        def body(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position, seat = work.players_position(player_id, duel_id)
            row = position.row
            own = row.seats[seat].secret
            if own is None or row.state not in _NUMBERS_ARE_SET:
                work.require(position, Event.SET_SECRET, seat)
            try:
                code = rules_of(row).parse(text)
            except NotationError as error:
                raise SecretRefusedError(
                    game=work.game(position), text=text, cause=error
                ) from error
            if own is not None and (own != code or row.mode == Mode.RACE.value):
                raise SecretFixedError(game=work.game(position))
            if own is None:
                _require_fair(work, position, player_id)
                position = _with_secret(work, position, seat, code)
            return position, work.game(position)

        position, game = await self._transactions.write(body, duel_id)
        return await answered(self._transactions, position, game)

    async def draw_secret(self, player_id: int, duel_id: int) -> DuelGame:
        """Have what the other is to find drawn, unless it is set.

        Raises:
            SecretFixedError: it is a race, where nobody sets one.
        """

        def body(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position, seat = work.players_position(player_id, duel_id)
            if position.row.seats[seat].secret is None:
                work.require(position, Event.SET_SECRET, seat)
                number = rules_of(position.row).draw(work.dice)
                position = _with_secret(work, position, seat, number)
            return position, work.game(position)

        position, game = await self._transactions.write(body, duel_id)
        return await answered(self._transactions, position, game)

    async def start(self, player_id: int, duel_id: int) -> DuelGame:
        """Let the first turn begin, as the challenger; in a race, one's own time.

        Raises:
            StartMissingError: that is for the challenger.
            NoRaceError: nobody was waited for.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            work.require(position, Event.START, seat)
            if position.row.state == State.STARTING:
                position = work.touch(position.begun(work.now), passes=True)
            if position.row.ready_at is not None:
                return work.game(position)
            if position.row.mode != Mode.RACE.value:
                raise NoRaceError(game=work.game(position))
            if position.row.seats[seat].started_at is None:
                after = position.changed_seat(seat, started_at=work.now)
                position = _passed_on(work, position, after)
            return work.game(position)

        return await self._transactions.write(body, duel_id)

    async def guess(self, player_id: int, duel_id: int, text: str) -> DuelGame:
        """Guess what was typed; any offer of a draw is off then, and the bot answers at once.

        Raises:
            DuelRefusedError: it was not played and cost nothing; also if the duel is over,
                instead of DuelOverError.
            NotStartedError: in a race, this player has not started.
        """
        try:
            position, game = await self._guess(player_id, duel_id, text)
        except DuelRefusedError as refused:
            if not refused.game.is_against_bot or not isinstance(refused.cause, NotYourTurnError):
                raise
            # The bot thinks, or the process ended while it did: then it would think for ever.
            await self.view(player_id, duel_id)
            position, game = await self._guess(player_id, duel_id, text)
        return await answered(self._transactions, position, game)

    async def _guess(self, player_id: int, duel_id: int, text: str) -> tuple[Position, DuelGame]:
        def guess(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position, seat = work.players_position(player_id, duel_id)
            row = position.row
            if row.finished_at is not None:
                raise DuelRefusedError(game=work.game(position), text=text, cause=GameOverError())
            work.require(position, Event.GUESS, seat)
            if row.mode == Mode.RACE.value and row.seats[seat].started_at is None:
                raise NotStartedError(game=work.game(position))
            try:
                after = position.guessed(seat, rules_of(row).parse(text), work.now)
            except EngineError as error:
                raise DuelRefusedError(game=work.game(position), text=text, cause=error) from error
            position = work.guess(position, after, seat)
            return position, work.game(position)

        return await self._transactions.write(guess, duel_id)

    async def offer_draw(self, player_id: int, duel_id: int) -> DuelGame:
        """Offer a draw; if the other has offered one, that is agreed.

        Raises:
            NoDrawWithBotError: the bot plays on.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            work.require(position, Event.OFFER_DRAW, seat)
            if position.row.strength is not None:
                raise NoDrawWithBotError(game=work.game(position))
            offered_by = position.row.draw_offered_by
            if offered_by is None:
                after = position.offered(seat, draw_offered_by=seat, draw_declined_by=None)
                position = work.touch(after, passes=after.calls_to_answer(seat))
            elif offered_by != seat:
                position = work.end(position, Verdict(Event.ACCEPT_DRAW, None))
            return work.game(position)

        return await self._transactions.write(body, duel_id)

    async def accept_draw(self, player_id: int, duel_id: int) -> DuelGame:
        """Agree to the draw that the other has offered.

        Raises:
            NoDrawOfferedError: none is offered, or no longer.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            if position.row.ending != TRANSITIONS[State.PLAYING, Event.ACCEPT_DRAW].ending:
                work.require(position, Event.ACCEPT_DRAW, seat)
                if position.row.draw_offered_by != 1 - seat:
                    raise NoDrawOfferedError(game=work.game(position))
                position = work.end(position, Verdict(Event.ACCEPT_DRAW, None))
            return work.game(position)

        return await self._transactions.write(body, duel_id)

    async def decline_draw(self, player_id: int, duel_id: int) -> DuelGame:
        """Play on although the other has offered a draw, or take back one's own offer.

        Raises:
            NoDrawOfferedError: none is offered, or no longer.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            work.require(position, Event.DECLINE_DRAW, seat)
            offered_by = position.row.draw_offered_by
            if offered_by is None:
                raise NoDrawOfferedError(game=work.game(position))
            declined_by = None if offered_by == seat else seat
            after = position.changed(draw_offered_by=None, draw_declined_by=declined_by)
            return work.game(_passed_on(work, position, after))

        return await self._transactions.write(body, duel_id)

    async def leave(self, player_id: int, duel_id: int) -> DuelGame:
        """Call a duel off before the first guess; nobody wins.

        Raises:
            HasBegunError: it was made; from then on there is only `resign`.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            is_done = position.row.ending == TRANSITIONS[State.SETTING, Event.LEAVE].ending
            if not is_done or position.row.accepted_at is None:
                work.require(position, Event.LEAVE, seat)
                position = work.end(position, Verdict(Event.LEAVE, None))
            return work.game(position)

        return await self._transactions.write(body, duel_id)

    async def resign(self, player_id: int, duel_id: int) -> DuelGame:
        """Give up; the other wins.

        Raises:
            NotBegunError: it is not played yet; until then there is only `leave`.
        """

        def body(work: DuelTransaction) -> DuelGame:
            position, seat = work.players_position(player_id, duel_id)
            is_done = position.row.ending == TRANSITIONS[State.PLAYING, Event.RESIGN].ending
            if not is_done or position.row.winner != 1 - seat:
                work.require(position, Event.RESIGN, seat)
                position = work.end(position, Verdict(Event.RESIGN, 1 - seat))
            return work.game(position)

        return await self._transactions.write(body, duel_id)


def _require_fair(work: DuelTransaction, position: Position, player_id: int) -> None:
    """Make sure that the bot's guesses at a player's own number help in no game that counts."""
    if position.row.strength is not None:
        work.require_fair(player_id, rules_of(position.row))


def _with_secret(work: DuelTransaction, before: Position, seat: int, code: Code) -> Position:
    after = before.changed_seat(seat, secret=code, salt=new_salt())
    begins = after.row.seats[1 - seat].secret is not None
    if begins:
        after = after.made_ready(work.now) if after.waits_for_start else after.begun(work.now)
    # Who was waited for before is not told again.
    return work.touch(after, passes=begins or nudge_of(after) != nudge_of(before))


def _passed_on(work: DuelTransaction, before: Position, after: Position) -> Position:
    """A duel after something that calls whoever is waited for now and was not before."""
    called = [nudge_of(position) for position in (before, after)]
    first, second = (None if nudge is None else nudge[0] for nudge in called)
    return work.touch(after, passes=first != second)


def _require_open(position: Position, seat: int, event: Event, game: DuelGame) -> None:
    """Make sure that there is something to type for a guess or a number."""
    stored, is_race = position.row.seats[seat], position.row.mode == Mode.RACE.value
    if event is Event.SET_SECRET and stored.secret is not None:
        raise SecretFixedError(game=game)
    if event is not Event.GUESS:
        return
    if is_race and stored.started_at is None:
        raise NotStartedError(game=game)
    if not position.duel.may_guess(seat):
        cause = GameOverError() if is_race else NotYourTurnError("", seat)
        raise DuelRefusedError(game=game, text="", cause=cause)


log = logging.getLogger(__name__)

_SOLVING: Final = "bot.duels.solving"
NOTE: Final[Named[[BullsAndCows, Sequence[Turn[Score]]], tuple[str, int]]] = Named(_SOLVING, "note")
IS_OPTIMAL: Final[Named[[BullsAndCows], bool]] = Named(_SOLVING, "is_optimal")


class Duels:
    """Use cases that look at duels."""

    def __init__(self, transactions: DuelTransactions, shards: ShardRange = ALL) -> None:
        self._transactions = transactions
        self._shards = shards
        self._failures = Failures(log)

    async def open_of(self, player_id: int) -> list[DuelGame]:
        """A player's open duels, those moved in last first, challenges among them."""
        return await self._transactions.read(lambda work: _open_of(work, player_id))

    def open_within(self, tx: Transaction, player_id: int, now: datetime) -> list[DuelGame]:
        """The same, where other things are looked at, too."""
        return _open_of(self._transactions.within(tx, now), player_id)

    async def sweep(self) -> list[DuelGame]:
        """End all duels in which somebody is too late, and make guesses the bot still owes.

        Those of the servers that this process hears: nobody is too late in others now.

        Returns:
            The duels that this has changed, each only once.
        """
        passed = self._transactions.every(
            lambda v, page: store.passed(v.tx, v.now, page, self._shards)
        )
        swept = self._failures.each("deadline of duel", passed, self._swept)
        return [game async for game in swept]

    async def _swept(self, duel_id: int) -> DuelGame | None:
        """A duel whose deadline had passed, if that changes it; None if it does not."""

        def body(work: DuelTransaction) -> tuple[Position, DuelGame] | None:
            position = work.position(duel_id)
            if position.row.finished_at is not None:
                return None  # somebody else was here first
            if work.is_away(position.row):
                return None  # nobody is too late yet
            position = work.in_time(position)
            return position, work.game(position)

        found = await self._transactions.write(body, duel_id)
        if found is None:
            return None
        position, game = found
        if position.row.finished_at is not None:
            return game
        after = await answered(self._transactions, position, game)
        return None if after == game else after

    async def result(self, player_id: int, duel_id: int) -> DuelGame:
        """A finished duel of the player's with the bot.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's, or not with the bot.
            NotFinishedError: it goes on.
        """
        _, game = await self._read(player_id, duel_id)
        if not game.is_against_bot:
            raise NotYourDuelError(player_ids=(player_id,), guild_id=None)
        if game.state is not State.OVER:
            raise NotFinishedError
        return game

    async def notebook(self, player_id: int, duel_id: int) -> Notebook:
        """What a player knows about the other's number, or in a race about the bot's.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
        """
        position, game = await self._read(player_id, duel_id)
        return await self.notebook_of(player_id, await answered(self._transactions, position, game))

    async def _read(self, player_id: int, duel_id: int) -> tuple[Position, DuelGame]:
        """A player's duel as it stands; one in which somebody was too late ends."""

        def read(work: DuelTransaction) -> tuple[Position, DuelGame]:
            position, _ = work.players_position(player_id, duel_id)
            return position, work.game(position)

        return await self._transactions.read(read)

    async def notebook_of(self, player_id: int, game: DuelGame) -> Notebook:
        """The same of a duel as it was just read.

        Raises:
            NotYourDuelError: it is not this player's.
        """
        seat = game.seat_of(player_id)
        if seat is None:
            raise NotYourDuelError(
                player_ids=tuple(s.player_id for s in game.seats if s.player_id is not None),
                guild_id=game.guild_id,
            )
        hand = game.hands[seat]
        absent, remaining = await in_thread(NOTE, game.rules, hand.turns)
        is_proven = await in_thread(IS_OPTIMAL, game.rules)
        return Notebook(game, seat, hand.turns, absent, remaining, hand.own, is_proven)

    async def outlook(self, player_id: int) -> Outlook:
        """What a player has of what a rank by rating takes."""

        def read(work: DuelTransaction) -> Outlook:
            return ratings_store.outlook(work.tx, player_id, rating_of(work.tx, player_id))

        return await self._transactions.read(read)

    async def rating_history(self, player_id: int) -> list[RatingChange]:
        """What changed a player's rating, oldest first."""
        return await self._transactions.read(lambda work: ratings_store.history(work.tx, player_id))


def _open_of(work: DuelTransaction, player_id: int) -> list[DuelGame]:
    rows = store.unfinished(work.tx, player_id)
    return [work.game(work.position_of(row)) for row in rows if not work.is_late(row)]
