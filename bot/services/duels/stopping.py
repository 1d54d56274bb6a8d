"""Stopping a series before it is decided: both have to want it."""

from bot.services.duels.errors import NoSeriesError, NoStopOfferedError
from bot.services.duels.model import DuelGame
from bot.services.duels.position import Verdict
from bot.services.duels.transactions import DuelTransactions
from bot.services.duels.transitions import TRANSITIONS, Event, State


class Stopping:
    """Use cases of a series' players, between two of its duels.

    They take the player who clicks and the id of the duel that is to be played next, return that
    duel after it, and raise as those of `Playing`. Once both numbers are set, a duel is played to
    its end.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def stop(self, player_id: int, duel_id: int) -> DuelGame:
        """Offer to stop; if the other has offered it, the series is over.

        Raises:
            NoSeriesError: the duel follows no other one.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await work.players_position(player_id, duel_id)
            row = position.row
            if row.series_id is None:
                raise NoSeriesError(game=await work.game(position))
            is_done = row.ending == TRANSITIONS[State.SETTING, Event.ACCEPT_STOP].ending
            if not is_done:
                await work.require(position, Event.OFFER_STOP, seat)
                if row.stop_offered_by is None:
                    after = position.offered(seat, stop_offered_by=seat)
                    position = await work.touch(after, passes=after.calls_to_answer(seat))
                elif row.stop_offered_by != seat:
                    position = await work.end(position, Verdict(Event.ACCEPT_STOP, None))
            return await work.game(position)

    async def play_on(self, player_id: int, duel_id: int) -> DuelGame:
        """Decline to stop, or take back one's own offer.

        Raises:
            NoStopOfferedError: nobody has offered it, or no longer.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await work.players_position(player_id, duel_id)
            await work.require(position, Event.DECLINE_STOP, seat)
            if position.row.stop_offered_by is None:
                raise NoStopOfferedError(game=await work.game(position))
            calls = position.calls_to_answer(position.row.stop_offered_by)
            position = await work.touch(position.changed(stop_offered_by=None), passes=calls)
            return await work.game(position)
