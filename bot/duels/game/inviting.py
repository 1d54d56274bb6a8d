"""From a challenge to both secrets: who plays whom, and whether."""

from dataclasses import replace

from bot.duels.game.bot_player import answered
from bot.duels.game.opening import (
    Challenge,
    as_invitation,
    drawn_order,
    new_duel,
    open_duel,
    require_somebody,
    require_welcome,
)
from bot.duels.game.options import Options, again, chosen
from bot.duels.game.position import Position, Verdict
from bot.duels.game.terms import agreed, challenged, challengers, changeable, changed
from bot.duels.game.transactions import DuelTransaction, DuelTransactions
from bot.duels.model.duel import DuelGame, Pace
from bot.duels.model.errors import ForgottenOpponentError
from bot.duels.model.transitions import TRANSITIONS, Event, State
from bot.duels.store import duels
from bot.duels.store.duels import DuelRow
from bot.games.game import free_games
from bot.games.game.send_once import LEASE
from bot.people.store import invitations
from bot.ratings.store import pairs
from bot.stand_ins import is_forgotten


class Inviting:
    """Use cases before a duel is played, and for another one after it.

    They return the duel after it. What was done already and is clicked again changes nothing.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def prepare(self, challenge: Challenge, digits: int | None = None) -> Options:
        """Refuse what `challenge` would of anything; what to propose to the challenged player.

        That is what their last duel was, but for the digits that are asked for, if any are.

        Raises:
            SelfDuelError, OtherBotDuelError: nobody to play with.
            WrongDigitsError: no such duel.
            NotWantedError, AskedTooSoonError, AskedTooOftenError: the opponent is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: the challenger has too many open.
            EnoughGamesError: it would not be rated, and there may be no new one of those today.
        """
        require_somebody(challenge)
        challenger_id, opponent_id = challenge.challenger_id, challenge.opponent_id
        async with self._transactions.of_players(*challenge.player_ids) as work:
            await require_welcome(work, challenger_id, opponent_id)
            proposed = Options()
            if opponent_id is not None:
                last = await pairs.last_choice(work.tx, challenger_id, opponent_id)
                proposed = proposed if last is None else chosen(last)
            if digits is not None:
                proposed = replace(proposed, digits=digits)
            if not new_duel(challenge, proposed).rated:
                await free_games.require_more(work.tx, challenger_id, work.now)
            return proposed

    async def challenge(self, challenge: Challenge, options: Options, text: str = "") -> DuelGame:
        """Challenge a player, and set what that one is to find; or begin a duel with the bot.

        Raises:
            As `prepare`.
            CannotBeRatedError: there is no such duel.
            NumberRefusedError: the text is no number for another player.
        """
        new = new_duel(challenge, options)
        async with self._transactions.of_players(*challenge.player_ids) as work:
            players = drawn_order(work, challenge.challenger_id, challenge.opponent_id)
            position = await open_duel(work, new, players, text)
            game = await as_invitation(work, position)
        return await answered(self._transactions, position, game)

    async def take_back(self, duel_id: int) -> None:
        """Undo a challenge that could not be posted, so that it was never made."""
        async with self._transactions.of_game(duel_id) as work:
            await invitations.drop_unseen_duel(work.tx, duel_id)

    async def prepare_change(self, player_id: int, duel_id: int) -> DuelGame:
        """Refuse what `change` would of whatever is chosen.

        Raises:
            As `change`.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, _ = await changeable(work, player_id, duel_id)
            return await work.game(position)

    async def change(
        self, player_id: int, duel_id: int, options: Options, text: str | None = None
    ) -> DuelGame:
        """Let a challenge be another one, or a game against the bot that was not begun.

        Args:
            player_id: who has made it.
            duel_id: the duel.
            options: what it is to be.
            text: the challenger's new number; None for the old one.

        Raises:
            NoSuchDuelError, NotChallengerError: it is not this player's to change.
            CannotBeRatedError: there is no such duel.
            NewNumberError: the old number does not fit.
            NumberRefusedError: nor does the new one.
            AlreadyUnderWayError, SecretFixedError: it is too late.
            EnoughGamesError: it would not be rated, and there may be no new one of those today.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await changeable(work, player_id, duel_id)
            after = await changed(work, position, seat, options, text)
            if after.row != position.row:
                position = await work.touch(after)
            return await work.game(position)

    async def accept(
        self, player_id: int, duel_id: int, pace: Pace | None = None, terms: int | None = None
    ) -> DuelGame:
        """Take a challenge.

        Args:
            player_id: who is challenged.
            duel_id: the duel.
            pace: which is chosen; None where the challenge has one.
            terms: the version that was seen of what the challenge proposes.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to take.
            TermsChangedError: it proposes something else by now.
            NowPassedError: it is too late to play now.
            DuelOverError: it is over.
            TooManyDuelsError: the player has too many duels open.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await challenged(work, player_id, duel_id)
            if position.row.state in {State.INVITED, State.OVER}:
                await work.require(position, Event.ACCEPT, seat)
                pace = await agreed(work, position, pace, terms)
                await work.about_players(position.row)
                await work.require_room(player_id)
                position = await work.accept(position, pace)
            game = await work.game(position)
            return replace(game, has_closed=work.has_closed(player_id))

    async def decline(self, player_id: int, duel_id: int) -> DuelGame:
        """Do not take a challenge.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to decline.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being declined.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await challenged(work, player_id, duel_id)
            return await _called_off(work, position, seat, Event.DECLINE)

    async def withdraw(self, player_id: int, duel_id: int) -> DuelGame:
        """Take one's challenge back.

        Raises:
            NoSuchDuelError, NotChallengerError: it is not this player's to take back.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being withdrawn.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await challengers(work, player_id, duel_id)
            return await _called_off(work, position, seat, Event.WITHDRAW)

    async def prepare_rematch(self, player_id: int, duel_id: int) -> DuelGame | None:
        """Refuse what `rematch` would; the one that is asked for already, if any.

        Raises:
            As `rematch`.
        """
        async with self._transactions.of_game(duel_id) as work:
            row, seat = await _rematchable(work, player_id, duel_id)
            asked = await _open_rematch(work, row, row.strength)
            if asked is None:
                opponent_id, is_rematch = row.seats[1 - seat].player_id, row.playing_at is not None
                await require_welcome(work, player_id, opponent_id, is_rematch=is_rematch)
                return None
            return await as_invitation(work, asked)

    async def rematch(
        self, player_id: int, duel_id: int, text: str = "", *, stronger: bool = False
    ) -> DuelGame:
        """Challenge the same opponent in the same way; the other one moves first if it was played.

        After a race that is in equal turns.
        While a rematch of the duel is open, whoever asked for it, that is the answer.

        Args:
            player_id: who wants it.
            duel_id: the duel that is over.
            text: what the other player is to find.
            stronger: whether the bot is to play better this time, if it can.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
            DuelGoesOnError: it is not over.
            ForgottenOpponentError: there is nobody left to play with.
            NotWantedError, AskedTooSoonError: the other is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: too many are open.
            NumberRefusedError: the text is no number for another player.
        """
        async with self._transactions.of_game(duel_id) as work:
            row, _ = await _rematchable(work, player_id, duel_id)
            new = again(row, player_id, stronger=stronger)
            if asked := await _open_rematch(work, row, new.strength):
                return await as_invitation(work, asked)
            first, second = (stored.player_id for stored in row.seats)
            # What was never played has used up nobody's first move.
            was_played = row.playing_at is not None
            players = (second, first) if was_played else (first, second)
            opened = await open_duel(work, new, players, text, is_rematch=was_played)
            game = await as_invitation(work, opened)
        return await answered(self._transactions, opened, game)

    async def claim_posting(self, duel_id: int) -> bool:
        """Whether who asks is the one to post the challenge to a rematch.

        It is one at a time: whoever presses twice at once would post it twice. Where the bot
        has ended in between, it is the next to ask a minute later.
        """
        async with self._transactions.of_game(duel_id) as work:
            position = await work.position(duel_id)
            row = position.row
            is_free = row.claimed_at is None or work.now >= row.claimed_at + LEASE
            if row.message_id is not None or row.state != State.INVITED or not is_free:
                return False
            await work.save(position.changed(claimed_at=work.now))
            return True


async def _rematchable(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[DuelRow, int]:
    """A duel that is over and of which both players are left, and a player's seat."""
    position, seat = await work.players_position(player_id, duel_id)
    await work.about_players(position.row)
    await work.require(position, Event.REMATCH, seat)
    if is_forgotten(position.row.seats[1 - seat].player_id or 0):
        raise ForgottenOpponentError(game=await work.game(position))
    return position.row, seat


async def _open_rematch(
    work: DuelTransaction, row: DuelRow, strength: str | None
) -> Position | None:
    """The rematch of a duel that goes on, whoever asked for it, with the bot at a strength."""
    for other in await duels.rematches(work.tx, row.id):
        if other.strength == strength and not await work.is_late(other):
            return work.position_of(other)
    return None


async def _called_off(
    work: DuelTransaction, position: Position, seat: int, event: Event
) -> DuelGame:
    if position.row.ending != TRANSITIONS[State.INVITED, event].ending:  # else a second click
        await work.require(position, event, seat)
        position = await work.end(position, Verdict(event, None))
    return await work.game(position)
