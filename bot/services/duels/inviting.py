"""From a challenge to both secrets: who plays whom, and whether."""

from dataclasses import dataclass, replace

from bot.services.base import free_games
from bot.services.base.invitations import is_called, require_patience, require_wanted
from bot.services.base.send_once import LEASE
from bot.services.base.stand_ins import is_forgotten
from bot.services.duels.bot_player import answered
from bot.services.duels.errors import (
    ForgottenOpponentError,
    NotChallengedError,
    NotChallengerError,
    OtherBotDuelError,
    SelfDuelError,
)
from bot.services.duels.model import DuelGame, Pace
from bot.services.duels.options import FIRST, Options, Wishes, again, chosen
from bot.services.duels.position import Position, Verdict, seat_of
from bot.services.duels.transactions import DuelTransaction, DuelTransactions
from bot.services.duels.transitions import TRANSITIONS, Event, State
from bot.storage import invitations
from bot.storage.duels import duels, pairs
from bot.storage.duels.duels import DuelRow, NewDuel


@dataclass(frozen=True, slots=True)
class Challenge:
    """Who challenges whom, and where.

    Attributes:
        challenger_id: the Discord user who asks for a duel.
        opponent_id: the one who is asked; None for this bot.
        guild_id: the Discord server; None in private.
        channel_id: where the board will be.
        to_other_bot: whether the opponent is a bot other than this one.
    """

    challenger_id: int
    opponent_id: int | None
    guild_id: int | None = None
    channel_id: int | None = None
    to_other_bot: bool = False

    @property
    def player_ids(self) -> list[int]:
        """The players of the duel."""
        return [player for player in (self.challenger_id, self.opponent_id) if player is not None]


class Inviting:
    """Use cases before a duel is played, and for another one after it.

    They return the duel after it. What was done already and is clicked again changes nothing.
    """

    def __init__(self, transactions: DuelTransactions) -> None:
        self._transactions = transactions

    async def prepare(self, challenge: Challenge, wanted: Options | Wishes) -> Options:
        """Refuse what `challenge` would; what the duel is to be: wishes, and else the last one.

        Raises:
            SelfDuelError, OtherBotDuelError: nobody to play with.
            WrongDigitsError, CannotBeRatedError: no such duel.
            NotWantedError, AskedTooSoonError, AskedTooOftenError: the opponent is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: the challenger has too many open.
            EnoughGamesError: it would not be rated, and there may be no new one of those today.
        """
        _require_somebody(challenge)
        players = challenge.challenger_id, challenge.opponent_id
        async with self._transactions.of_players(*challenge.player_ids) as work:
            await _require_welcome(work, *players)
            if isinstance(wanted, Wishes):
                last = await pairs.last_choice(work.tx, *players)
                wanted = wanted.after(FIRST if last is None else chosen(last))
            if not _new_duel(challenge, wanted).rated:
                await free_games.require_more(work.tx, challenge.challenger_id, work.now)
            return wanted

    async def challenge(self, challenge: Challenge, options: Options) -> DuelGame:
        """Ask a member for a duel; the bot accepts at once.

        Raises:
            As `prepare`.
        """
        new = _new_duel(challenge, options)
        async with self._transactions.of_players(*challenge.player_ids) as work:
            players = _drawn(work, challenge.challenger_id, challenge.opponent_id)
            position = await _open(work, new, players)
            game = await _invitation(work, position)
        return await answered(self._transactions, position, game)

    async def take_back(self, duel_id: int) -> None:
        """Undo a challenge that could not be posted, so that it was never made."""
        async with self._transactions.of_game(duel_id) as work:
            await invitations.drop_unseen_duel(work.tx, duel_id)

    async def accept(self, player_id: int, duel_id: int) -> DuelGame:
        """Take a challenge; a race begins.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to take.
            DuelOverError: it is over.
            TooManyDuelsError: the player has too many duels open.
        """
        async with self._transactions.of_game(duel_id) as work:
            position, seat = await _challenged(work, player_id, duel_id)
            if position.row.state not in {State.SETTING, State.PLAYING}:
                await work.require(position, Event.ACCEPT, seat)
                await work.about_players(position.row)
                await work.require_room(player_id)
                position = await work.accept(position)
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
            position, seat = await _challenged(work, player_id, duel_id)
            return await _called_off(work, position, seat, Event.DECLINE)

    async def withdraw(self, player_id: int, duel_id: int) -> DuelGame:
        """Take one's challenge back.

        Raises:
            NoSuchDuelError, NotChallengerError: it is not this player's to take back.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being withdrawn.
        """
        async with self._transactions.of_game(duel_id) as work:
            position = await work.position(duel_id)
            row = position.row
            seat = seat_of(row, player_id)
            if seat is None or row.challenger_id != player_id:
                raise NotChallengerError(player_id=row.challenger_id, guild_id=row.guild_id)
            return await _called_off(work, await work.in_time(position), seat, Event.WITHDRAW)

    async def prepare_rematch(self, player_id: int, duel_id: int) -> DuelGame | None:
        """Refuse what `rematch` would; the one that the other player has asked for, if any.

        Raises:
            As `rematch`.
        """
        async with self._transactions.of_game(duel_id) as work:
            row, seat = await _rematchable(work, player_id, duel_id)
            asked = await _open_rematch(work, row, row.strength)
            if asked is None:
                opponent_id, is_rematch = row.seats[1 - seat].player_id, row.playing_at is not None
                await _require_welcome(work, player_id, opponent_id, is_rematch=is_rematch)
            elif asked.row.challenger_id != player_id:
                return await work.game(asked)
            return None

    async def rematch(self, player_id: int, duel_id: int, *, stronger: bool = False) -> DuelGame:
        """Challenge the same opponent in the same way; the other one moves first if it was played.

        After a race that is in equal turns.
        While a rematch of the duel is open, whoever asked for it, that is the answer.

        Args:
            player_id: who wants it.
            duel_id: the duel that is over.
            stronger: whether the bot is to play better this time, if it can.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
            DuelGoesOnError: it is not over.
            ForgottenOpponentError: there is nobody left to play with.
            NotWantedError, AskedTooSoonError: the other is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: too many are open.
        """
        async with self._transactions.of_game(duel_id) as work:
            row, _ = await _rematchable(work, player_id, duel_id)
            new = again(row, player_id, stronger=stronger)
            if asked := await _open_rematch(work, row, new.strength):
                return await _invitation(work, asked)
            first, second = (stored.player_id for stored in row.seats)
            # What was never played has used up nobody's first move.
            was_played = row.playing_at is not None
            players = (second, first) if was_played else (first, second)
            opened = await _open(work, new, players, is_rematch=was_played)
            game = await _invitation(work, opened)
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


def _require_somebody(challenge: Challenge) -> None:
    if challenge.opponent_id == challenge.challenger_id:
        raise SelfDuelError
    if challenge.to_other_bot:
        raise OtherBotDuelError


def _new_duel(challenge: Challenge, options: Options) -> NewDuel:
    _require_somebody(challenge)
    against_bot = challenge.opponent_id is None
    return NewDuel(
        rules=options.rules().encode(),
        mode=options.mode.value,
        pace=options.pace,
        rated=options.is_rated(against_bot=against_bot),
        strength=options.strength if against_bot else None,
        challenger_id=challenge.challenger_id,
        guild_id=challenge.guild_id,
        channel_id=challenge.channel_id,
    )


def _drawn(
    work: DuelTransaction, challenger_id: int, opponent_id: int | None
) -> tuple[int | None, int | None]:
    """The players in the order in which they move."""
    if work.dice.randrange(2):
        return opponent_id, challenger_id
    return challenger_id, opponent_id


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


async def _open(
    work: DuelTransaction,
    new: NewDuel,
    players: tuple[int | None, int | None],
    *,
    is_rematch: bool = False,
) -> Position:
    (opponent_id,) = [player for player in players if player != new.challenger_id]
    await _require_welcome(work, new.challenger_id, opponent_id, is_rematch=is_rematch)
    if not new.rated:
        await free_games.begin(work.tx, new.challenger_id, work.now)
    duel_id = await duels.add(
        work.tx,
        new,
        players,
        state=State.INVITED,
        opened_at=work.now,
        deadline_at=work.now + Pace(new.pace).invitation,
    )
    position = await work.position(duel_id)
    if opponent_id is None:
        return await work.accept(position)
    return await work.touch(position)


async def _require_welcome(
    work: DuelTransaction,
    challenger_id: int,
    opponent_id: int | None,
    *,
    is_rematch: bool = False,
) -> None:
    """Make sure that a player may challenge another, or the bot."""
    if opponent_id is None:
        await work.require_room(challenger_id)
        return
    await require_wanted(work.tx, challenger_id, opponent_id)
    await work.require_room(challenger_id, opponent_id)
    players = challenger_id, opponent_id
    await require_patience(work.tx, *players, work.now, is_rematch=is_rematch)


async def _invitation(work: DuelTransaction, position: Position) -> DuelGame:
    """A duel for who has made it, who is told whether its invitation may call."""
    game = await work.game(position)
    if game.opponent_id is None:
        return game
    calls = await is_called(
        work.tx,
        game.challenger_id or 0,
        game.opponent_id,
        work.now,
        besides=game.id,
        is_rematch=game.is_rematch,
    )
    return replace(game, calls=calls)


async def _challenged(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Position, int]:
    position = await work.position(duel_id)
    row = position.row
    seat = seat_of(row, player_id)
    if seat is None or row.challenger_id == player_id:
        ids = [stored.player_id for stored in row.seats]
        raise NotChallengedError(
            player_id=next((i for i in ids if i and i != row.challenger_id), 0),
            is_own=seat is not None,
            guild_id=row.guild_id,
        )
    return await work.in_time(position), seat


async def _called_off(
    work: DuelTransaction, position: Position, seat: int, event: Event
) -> DuelGame:
    if position.row.ending != TRANSITIONS[State.INVITED, event].ending:  # else a second click
        await work.require(position, event, seat)
        position = await work.end(position, Verdict(event, None))
    return await work.game(position)
