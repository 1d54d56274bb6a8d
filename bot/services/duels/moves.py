"""A duel between acceptance and its end: secrets, guesses, draws, resignation."""

from bot.services.base.commitments import new_salt
from bot.services.duels.bot_player import answered
from bot.services.duels.errors import (
    DuelRefusedError,
    NoDrawOfferedError,
    NoDrawWithBotError,
    NoRaceError,
    NotStartedError,
    SecretFixedError,
    SecretRefusedError,
)
from bot.services.duels.inviting import begin
from bot.services.duels.model import DuelGame
from bot.services.duels.state import Verdict, duel_of, nudge_of, rules_of, seat_of
from bot.services.duels.transactions import DuelTransaction, DuelTransactions
from bot.services.duels.transitions import TRANSITIONS, Event, State
from bot.storage.duels import duels
from bot.storage.duels.duels import DuelRow
from engine import EngineError, GameOverError, Mode, NotationError, NotYourTurnError


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
        async with self._transactions.begin() as work:
            row = await work.row(duel_id)
            if seat_of(row, player_id) is None:
                return await work.game(row)
            row = await work.in_time(row)
            game = await work.game(row)
        return await answered(self._transactions, row, game)

    async def prepare(self, player_id: int, duel_id: int, event: Event) -> DuelGame:
        """Refuse what the use case of an event would refuse, whatever is typed.

        Raises:
            DuelRefusedError: it is the other's turn, or in a race this player has finished.
            SecretFixedError: there is nothing to set.
        """
        await self.view(player_id, duel_id)  # the bot may owe a guess
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            await work.require(row, event, seat)
            if event is Event.GUESS:
                await _require_turn(work, row, seat)
            if event is Event.SET_SECRET and row.seats[seat].secret is not None:
                raise SecretFixedError(await work.game(row))
            return await work.game(row)

    async def prepare_to_stop(self, player_id: int, duel_id: int) -> DuelGame:
        """Refuse what `leave` would before the duel has begun, and `resign` from then on."""
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            event = Event.LEAVE if row.state == State.SETTING else Event.RESIGN
            await work.require(row, event, seat)
            return await work.game(row)

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
        async with self._transactions.begin() as work:
            row = await work.row(duel_id)
            await duels.set_board(
                work.tx,
                duel_id,
                channel_id=channel_id or row.channel_id,
                message_id=message_id,
                thread_id=thread_id,
                stale_at=None if version in {None, row.version} else work.now,
            )
            return await work.game(await work.row(duel_id))

    async def set_secret(self, player_id: int, duel_id: int, text: str) -> DuelGame:
        """Set what the other is to find; when both have, the duel begins.

        Raises:
            SecretRefusedError: the text is no secret.
            SecretFixedError: another one is set.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            own = row.seats[seat].secret
            if own is None or row.state not in {State.SETTING, State.PLAYING}:
                await work.require(row, Event.SET_SECRET, seat)
            try:
                code = rules_of(row).parse(text)
            except NotationError as error:
                raise SecretRefusedError(await work.game(row), text, error) from error
            if own is not None and (own != code or row.mode == Mode.RACE.value):
                raise SecretFixedError(await work.game(row))
            if own is None:
                row = await _with_secret(work, row, seat, code)
            game = await work.game(row)
        return await answered(self._transactions, row, game)

    async def start(self, player_id: int, duel_id: int) -> DuelGame:
        """In a race, let one's own time begin.

        Raises:
            NoRaceError: it is no race.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            await work.require(row, Event.START, seat)
            if row.mode != Mode.RACE.value:
                raise NoRaceError(await work.game(row))
            if row.seats[seat].started_at is None:
                await duels.start(work.tx, row.id, seat=seat, started_at=work.now)
                row = await _passed_on(work, row)
            return await work.game(row)

    async def guess(self, player_id: int, duel_id: int, text: str) -> DuelGame:
        """Guess what was typed; any offer of a draw is off then, and the bot answers at once.

        Raises:
            DuelRefusedError: it was not played and cost nothing; also if the duel is over,
                instead of DuelOverError.
            NotStartedError: in a race, this player has not started.
        """
        try:
            row, game = await self._guess(player_id, duel_id, text)
        except DuelRefusedError as refused:
            if not refused.game.is_against_bot or not isinstance(refused.cause, NotYourTurnError):
                raise
            # The bot thinks, or the process ended while it did: then it would think for ever.
            await self.view(player_id, duel_id)
            row, game = await self._guess(player_id, duel_id, text)
        return await answered(self._transactions, row, game)

    async def _guess(self, player_id: int, duel_id: int, text: str) -> tuple[DuelRow, DuelGame]:
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            if row.finished_at is not None:
                raise DuelRefusedError(await work.game(row), text, GameOverError())
            await work.require(row, Event.GUESS, seat)
            if row.mode == Mode.RACE.value and row.seats[seat].started_at is None:
                raise NotStartedError(await work.game(row))
            try:
                code = rules_of(row).parse(text)
                duel_of(row).guess(seat, code)
            except EngineError as error:
                raise DuelRefusedError(await work.game(row), text, error) from error
            row = await work.guess(row, seat, code)
            return row, await work.game(row)

    async def offer_draw(self, player_id: int, duel_id: int) -> DuelGame:
        """Offer a draw; if the other has offered one, that is agreed.

        Raises:
            NoDrawWithBotError: the bot plays on.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            await work.require(row, Event.OFFER_DRAW, seat)
            if row.strength is not None:
                raise NoDrawWithBotError(await work.game(row))
            if row.draw_offered_by is None:
                await duels.set_offer(work.tx, row.id, seat)
                row = await work.touched(row.id, passes=True)
            elif row.draw_offered_by != seat:
                row = await work.end(row, Verdict(Event.ACCEPT_DRAW, None))
            return await work.game(row)

    async def accept_draw(self, player_id: int, duel_id: int) -> DuelGame:
        """Agree to the draw that the other has offered.

        Raises:
            NoDrawOfferedError: none is offered, or no longer.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            if row.ending != TRANSITIONS[State.PLAYING, Event.ACCEPT_DRAW].ending:
                await _require_offer(work, row, Event.ACCEPT_DRAW, seat)
                row = await work.end(row, Verdict(Event.ACCEPT_DRAW, None))
            return await work.game(row)

    async def decline_draw(self, player_id: int, duel_id: int) -> DuelGame:
        """Play on although the other has offered a draw.

        Raises:
            NoDrawOfferedError: none is offered, or no longer.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            await _require_offer(work, row, Event.DECLINE_DRAW, seat)
            await duels.set_offer(work.tx, row.id, None)
            return await work.game(await _passed_on(work, row))

    async def leave(self, player_id: int, duel_id: int) -> DuelGame:
        """Call a duel off before both secrets are set; nobody wins.

        Raises:
            HasBegunError: they are; from then on there is only `resign`.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            is_done = row.ending == TRANSITIONS[State.SETTING, Event.LEAVE].ending
            if not is_done or row.accepted_at is None:
                await work.require(row, Event.LEAVE, seat)
                row = await work.end(row, Verdict(Event.LEAVE, None))
            return await work.game(row)

    async def resign(self, player_id: int, duel_id: int) -> DuelGame:
        """Give up; the other wins.

        Raises:
            NotBegunError: a secret is missing; until then there is only `leave`.
        """
        async with self._transactions.begin() as work:
            row, seat = await work.players_row(player_id, duel_id)
            is_done = row.ending == TRANSITIONS[State.PLAYING, Event.RESIGN].ending
            if not is_done or row.winner != 1 - seat:
                await work.require(row, Event.RESIGN, seat)
                row = await work.end(row, Verdict(Event.RESIGN, 1 - seat))
            return await work.game(row)


async def _with_secret(work: DuelTransaction, row: DuelRow, seat: int, code: str) -> DuelRow:
    await duels.set_secret(work.tx, row.id, seat=seat, secret=code, salt=new_salt())
    begins = row.seats[1 - seat].secret is not None
    if begins:
        await begin(work, row.id)
    # Who was waited for before is not told again.
    passes = begins or nudge_of(await work.row(row.id)) != nudge_of(row)
    return await work.touched(row.id, passes=passes)


async def _passed_on(work: DuelTransaction, before: DuelRow) -> DuelRow:
    """A duel after something that calls whoever is waited for now and was not before."""
    called = [nudge_of(row) for row in (before, await work.row(before.id))]
    first, second = (None if nudge is None else nudge[0] for nudge in called)
    return await work.touched(before.id, passes=first != second)


async def _require_turn(work: DuelTransaction, row: DuelRow, seat: int) -> None:
    is_race = row.mode == Mode.RACE.value
    if is_race and row.seats[seat].started_at is None:
        raise NotStartedError(await work.game(row))
    if not duel_of(row).may_guess(seat):
        cause = GameOverError() if is_race else NotYourTurnError("", seat)
        raise DuelRefusedError(await work.game(row), "", cause)


async def _require_offer(work: DuelTransaction, row: DuelRow, event: Event, seat: int) -> None:
    await work.require(row, event, seat)
    if row.draw_offered_by != 1 - seat:
        raise NoDrawOfferedError(await work.game(row))
