"""From a challenge to both secrets: who plays whom, and whether."""

from dataclasses import dataclass, replace

from bot.services.base.commitments import new_salt
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
from bot.services.duels.options import Options
from bot.services.duels.state import Verdict, rules_of, seat_of
from bot.services.duels.transactions import Desk, Visit
from bot.services.duels.transitions import TRANSITIONS, Event, State
from bot.storage import invitations
from bot.storage.duels import duels
from bot.storage.duels.duels import DuelRow, NewDuel
from engine import Mode


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


class Inviting:
    """Use cases before a duel is played, and for another one after it.

    They return the duel after it. What was done already and is clicked again changes nothing.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def prepare(self, challenge: Challenge, options: Options) -> None:
        """Refuse what `challenge` would.

        Raises:
            SelfDuelError, OtherBotDuelError: nobody to play with.
            WrongDigitsError, CannotBeRatedError: no such duel.
            NotWantedError, AskedTooSoonError: the opponent is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: the challenger has too many open.
        """
        _new_duel(challenge, options)
        async with self._desk.visit() as visit:
            await _require_welcome(visit, challenge.challenger_id, challenge.opponent_id)

    async def challenge(self, challenge: Challenge, options: Options) -> DuelGame:
        """Ask a member for a duel; the bot accepts at once.

        Raises:
            As `prepare`.
        """
        new = _new_duel(challenge, options)
        async with self._desk.visit() as visit:
            players = _drawn(visit, challenge.challenger_id, challenge.opponent_id)
            row = await _open(visit, new, players)
            game = await _invitation(visit, row)
        return await answered(self._desk, row, game)

    async def take_back(self, duel_id: int) -> None:
        """Undo a challenge that could not be posted, so that it was never made."""
        async with self._desk.visit() as visit:
            await invitations.drop_unseen_duel(visit.tx, duel_id)

    async def accept(self, player_id: int, duel_id: int) -> DuelGame:
        """Take a challenge; a race begins.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to take.
            DuelOverError: it is over.
            TooManyDuelsError: the player has too many duels open.
        """
        async with self._desk.visit() as visit:
            row, seat = await _challenged_row(visit, player_id, duel_id)
            if row.state not in {State.SETTING, State.PLAYING}:
                await visit.require(row, Event.ACCEPT, seat)
                await visit.require_room(player_id)
                row = await _accepted(visit, row)
            return await visit.game(row)

    async def decline(self, player_id: int, duel_id: int) -> DuelGame:
        """Do not take a challenge.

        Raises:
            NoSuchDuelError, NotChallengedError: it is not this player's to decline.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being declined.
        """
        async with self._desk.visit() as visit:
            row, seat = await _challenged_row(visit, player_id, duel_id)
            return await _called_off(visit, row, seat, Event.DECLINE)

    async def withdraw(self, player_id: int, duel_id: int) -> DuelGame:
        """Take one's challenge back.

        Raises:
            NoSuchDuelError, NotChallengerError: it is not this player's to take back.
            AlreadyUnderWayError: it was accepted.
            DuelOverError: it is over, other than by being withdrawn.
        """
        async with self._desk.visit() as visit:
            row = await visit.row(duel_id)
            seat = seat_of(row, player_id)
            if seat is None or row.challenger_id != player_id:
                raise NotChallengerError(row.challenger_id)
            return await _called_off(visit, await visit.in_time(row), seat, Event.WITHDRAW)

    async def prepare_rematch(self, player_id: int, duel_id: int) -> DuelGame | None:
        """Refuse what `rematch` would; the one that the other player has asked for, if any.

        Raises:
            As `rematch`.
        """
        async with self._desk.visit() as visit:
            row, seat = await _rematchable(visit, player_id, duel_id)
            asked = await _open_rematch(visit, row)
            if asked is None:
                await _require_welcome(visit, player_id, row.seats[1 - seat].player_id)
            elif asked.challenger_id != player_id:
                return await visit.game(asked)
            return None

    async def rematch(self, player_id: int, duel_id: int) -> DuelGame:
        """Challenge the same opponent in the same way; the other one moves first if it was played.

        While a rematch of the duel is open, whoever asked for it, that is the answer.

        Raises:
            NoSuchDuelError, NotYourDuelError: it is not this player's.
            DuelGoesOnError: it is not over.
            ForgottenOpponentError: there is nobody left to play with.
            NotWantedError, AskedTooSoonError: the other is not to be asked.
            TooManyDuelsError, TooManyDuelsOfPairError: too many are open.
        """
        async with self._desk.visit() as visit:
            row, _ = await _rematchable(visit, player_id, duel_id)
            if asked := await _open_rematch(visit, row):
                return await _invitation(visit, asked)
            first, second = (stored.player_id for stored in row.seats)
            # What was never played has used up nobody's first move.
            players = (first, second) if row.playing_at is None else (second, first)
            opened = await _open(visit, _again(row, player_id), players)
            game = await _invitation(visit, opened)
        return await answered(self._desk, opened, game)

    async def claim_posting(self, duel_id: int) -> bool:
        """Whether who asks is the one to post the challenge to a rematch.

        It is one at a time: whoever presses twice at once would post it twice. Where the bot
        has ended in between, it is the next to ask a minute later.
        """
        async with self._desk.visit() as visit:
            row = await visit.row(duel_id)
            is_free = row.claimed_at is None or visit.now >= row.claimed_at + LEASE
            if row.message_id is not None or row.state != State.INVITED or not is_free:
                return False
            await duels.claim(visit.tx, duel_id, visit.now)
            return True


def _new_duel(challenge: Challenge, options: Options) -> NewDuel:
    if challenge.opponent_id == challenge.challenger_id:
        raise SelfDuelError
    if challenge.to_other_bot:
        raise OtherBotDuelError
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


def _again(row: DuelRow, player_id: int) -> NewDuel:
    return NewDuel(
        rules=row.rules,
        mode=row.mode,
        pace=row.pace,
        rated=row.rated,
        strength=row.strength,
        challenger_id=player_id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        rematch_of=row.id,
    )


def _drawn(
    visit: Visit, challenger_id: int, opponent_id: int | None
) -> tuple[int | None, int | None]:
    """The players in the order in which they move."""
    if visit.dice.randrange(2):
        return opponent_id, challenger_id
    return challenger_id, opponent_id


async def _rematchable(visit: Visit, player_id: int, duel_id: int) -> tuple[DuelRow, int]:
    """A duel that is over and of which both players are left, and a player's seat."""
    row, seat = await visit.players_row(player_id, duel_id)
    await visit.require(row, Event.REMATCH, seat)
    if is_forgotten(row.seats[1 - seat].player_id or 0):
        raise ForgottenOpponentError(await visit.game(row))
    return row, seat


async def _open_rematch(visit: Visit, row: DuelRow) -> DuelRow | None:
    """The rematch of a duel that goes on, whoever asked for it."""
    for other in await duels.rematches(visit.tx, row.id):
        if not await visit.is_late(other):
            return other
    return None


async def _open(visit: Visit, new: NewDuel, players: tuple[int | None, int | None]) -> DuelRow:
    (opponent_id,) = [player for player in players if player != new.challenger_id]
    await _require_welcome(visit, new.challenger_id, opponent_id)
    duel_id = await duels.add(
        visit.tx,
        new,
        players,
        state=State.INVITED,
        opened_at=visit.now,
        deadline_at=visit.now + Pace(new.pace).invitation,
    )
    if opponent_id is None:
        return await _accepted(visit, await visit.row(duel_id))
    return await visit.touched(duel_id)


async def _require_welcome(visit: Visit, challenger_id: int, opponent_id: int | None) -> None:
    """Make sure that a player may challenge another, or the bot."""
    if opponent_id is None:
        await visit.require_room(challenger_id)
        return
    await require_wanted(visit.tx, challenger_id, opponent_id)
    await visit.require_room(challenger_id, opponent_id)
    await require_patience(visit.tx, challenger_id, opponent_id, visit.now)


async def _invitation(visit: Visit, row: DuelRow) -> DuelGame:
    """A duel for who has made it, who is told whether its invitation may call."""
    game = await visit.game(row)
    if game.opponent_id is None:
        return game
    calls = await is_called(visit.tx, game.opponent_id, visit.now, besides=row.id)
    return replace(game, calls=calls)


async def _accepted(visit: Visit, row: DuelRow) -> DuelRow:
    """A duel after its challenge was accepted, with the numbers that the bot is to draw."""
    state = TRANSITIONS[State.INVITED, Event.ACCEPT].to
    await duels.accept(visit.tx, row.id, state=state, accepted_at=visit.now)
    is_race = row.mode == Mode.RACE.value
    number, salt = rules_of(row).draw(visit.dice), new_salt()
    for seat, stored in enumerate(row.seats):
        if is_race or stored.player_id is None:
            await duels.set_secret(visit.tx, row.id, seat=seat, secret=number, salt=salt)
    if is_race:
        await begin(visit, row.id)
    return await visit.touched(row.id, passes=True)


async def begin(visit: Visit, duel_id: int) -> None:
    """Let a duel be played: both secrets are there."""
    state = TRANSITIONS[State.SETTING, Event.BEGIN].to
    await duels.begin(visit.tx, duel_id, state=state, playing_at=visit.now)


async def _challenged_row(visit: Visit, player_id: int, duel_id: int) -> tuple[DuelRow, int]:
    row = await visit.row(duel_id)
    seat = seat_of(row, player_id)
    if seat is None or row.challenger_id == player_id:
        ids = [stored.player_id for stored in row.seats]
        raise NotChallengedError(next((i for i in ids if i and i != row.challenger_id), 0))
    return await visit.in_time(row), seat


async def _called_off(visit: Visit, row: DuelRow, seat: int, event: Event) -> DuelGame:
    if row.ending != TRANSITIONS[State.INVITED, event].ending:  # else it is a second click
        await visit.require(row, event, seat)
        row = await visit.end(row, Verdict(event, None))
    return await visit.game(row)
