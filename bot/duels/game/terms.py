"""What a challenge proposes: changed by its challenger, and agreed to as it was seen."""

from bot.duels.game.opening import number_in
from bot.duels.game.options import Options
from bot.duels.game.position import Position, seat_of
from bot.duels.game.transactions import DuelTransaction
from bot.duels.game.turns import now_until
from bot.duels.model.duel import Pace
from bot.duels.model.errors import (
    AlreadyUnderWayError,
    NewNumberError,
    NotChallengedError,
    NotChallengerError,
    NowPassedError,
    NumberRefusedError,
    SecretFixedError,
    TermsChangedError,
)
from bot.duels.model.transitions import Event, State
from bot.games.game import free_games
from bot.games.game.seals import new_salt


async def changeable(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Position, int]:
    """A duel that its challenger may still change, and that one's seat.

    Raises:
        NoSuchDuelError, NotChallengerError, DuelStateError: there is none, or no longer.
    """
    position, seat = await challengers(work, player_id, duel_id)
    row = position.row
    if row.strength is not None and row.finished_at is None and row.seats[seat].secret is not None:
        raise SecretFixedError(game=await work.game(position))
    await work.require(position, Event.CHANGE, seat)
    if row.strength is None and (row.state != State.INVITED or row.terms is None):
        raise AlreadyUnderWayError(game=await work.game(position))
    return position, seat


async def changed(
    work: DuelTransaction, before: Position, seat: int, options: Options, text: str | None
) -> Position:
    """A challenge, or a game against the bot, with other options; with a new number, if given.

    Raises:
        CannotBeRatedError, EnoughGamesError: it may not be this.
        NewNumberError, NumberRefusedError: the number does not fit.
    """
    row, rules = before.row, options.rules()
    rated = options.is_rated(against_bot=row.strength is not None)
    after = before.changed(rules=rules.encode(), mode=options.mode.value, rated=rated)
    if row.strength is not None:
        after = after.changed(strength=options.strength.value)
        if after.row.rules == row.rules:
            return after
        return after.changed_seat(1 - seat, secret=rules.draw(work.dice), salt=new_salt())
    try:
        number = number_in((row.seats[seat].secret or "") if text is None else text, rules)
    except NumberRefusedError as error:
        if text is None:
            raise NewNumberError(rules=rules) from error
        raise
    if number != row.seats[seat].secret:
        after = after.changed_seat(seat, secret=number, salt=new_salt())
    if after.row == row:
        return after
    if row.rated and not rated:
        await work.about_players(row)
        await free_games.begin(work.tx, row.challenger_id, work.now)
    return after.changed(terms=(row.terms or 0) + 1)


async def agreed(
    work: DuelTransaction, position: Position, pace: Pace | None, terms: int | None
) -> Pace:
    """The pace of a duel that is about to be accepted; a challenge of before these has one.

    Raises:
        TermsChangedError, NowPassedError: it is not accepted like this.
    """
    row = position.row
    if row.terms is None:
        return Pace(row.pace)
    if pace is None or terms != row.terms:
        raise TermsChangedError(game=await work.game(position))
    until = now_until(row, await work.downtime(row))
    if pace is Pace.LIVE and (until is None or until <= work.now):
        raise NowPassedError(game=await work.game(position))
    return pace


async def challengers(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Position, int]:
    """A duel for who has made the challenge to it, and that one's seat.

    Raises:
        NoSuchDuelError, NotChallengerError: it is not this player's.
    """
    position = await work.position(duel_id)
    row = position.row
    seat = seat_of(row, player_id)
    if seat is None or row.challenger_id != player_id:
        raise NotChallengerError(player_id=row.challenger_id, guild_id=row.guild_id)
    return await work.in_time(position), seat


async def challenged(work: DuelTransaction, player_id: int, duel_id: int) -> tuple[Position, int]:
    """A duel for who is challenged to it, and that one's seat.

    Raises:
        NoSuchDuelError, NotChallengedError: it is not this player's.
    """
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
