"""Whose turn it is, since when and until when; who is told so; and how a duel ends by a turn."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final

from bot.duels.game.position import Position, Verdict
from bot.duels.model.duel import Pace
from bot.duels.model.transitions import Ending, Event, State
from bot.duels.store.duels import DuelRow
from bot.outages import Downtime
from engine import DuelEnding, Mode

SEATS: Final = (0, 1)

_CHOOSING: Final = timedelta(minutes=5)
"""How long who has just accepted is left in peace with the form for a number."""

_ENDED_BY_GUESS: Final = {Ending.SOLVED, Ending.BOTH_SOLVED, Ending.OUT_OF_GUESSES}
_EVENTS: Final = {
    DuelEnding.SOLVED: Event.SOLVE,
    DuelEnding.BOTH_SOLVED: Event.SOLVE_BOTH,
    DuelEnding.OUT_OF_GUESSES: Event.RUN_OUT,
}


def bots_turn(position: Position) -> int | None:
    """The bot's seat, if it has a guess to make now.

    In a race it follows its opponent guess by guess.
    """
    row = position.row
    if row.state != State.PLAYING or row.strength is None:
        return None
    seat = next(seat for seat in SEATS if row.seats[seat].player_id is None)
    duel = position.duel
    if not duel.may_guess(seat):
        return None
    own, other = (len(duel.games[side].turns) for side in (seat, 1 - seat))
    return seat if duel.mode is not Mode.RACE or own < other else None


def running(position: Position) -> dict[int, tuple[datetime, timedelta]]:
    """Since when somebody's time runs, by seat, and how much of it there is."""
    row = position.row
    if row.finished_at is not None:
        return {}
    pace = Pace(row.pace)
    if row.state == State.INVITED:
        return {1 - _challenger(row): (row.opened_at, pace.invitation)}
    if row.state == State.SETTING:
        since = row.accepted_at or row.opened_at
        return {seat: (since, pace.setting) for seat in SEATS if row.seats[seat].secret is None}
    if row.state == State.STARTING:
        return {_challenger(row): (row.ready_at or row.opened_at, pace.setting)}
    duel, owing = position.duel, bots_turn(position)
    is_bot = [seat.player_id is None for seat in row.seats]
    return {
        seat: (_running_since(row, duel.mode, seat), pace.turn)
        for seat in SEATS
        if duel.may_guess(seat) and (not is_bot[seat] or owing is not None)
    }


def _challenger(row: DuelRow) -> int:
    return next(seat for seat in SEATS if row.seats[seat].player_id == row.challenger_id)


def now_until(row: DuelRow, downtime: Downtime) -> datetime | None:
    """Until when who is challenged may choose to play now; None where there is no such choice."""
    if row.state != State.INVITED or row.terms is None:
        return None
    return downtime.put_off(row.opened_at, Pace.LIVE.invitation)


def _running_since(row: DuelRow, mode: Mode, seat: int) -> datetime:
    began = row.playing_at or row.opened_at
    if mode is not Mode.RACE:
        return row.moves[-1].moved_at if row.moves else began
    own = [move.moved_at for move in row.moves if move.seat == seat]
    return own[-1] if own else row.seats[seat].started_at or began


def is_seen(position: Position, seat: int) -> bool:
    """Whether everybody may see that a player has just guessed.

    In a race, when the board was last edited would tell how often somebody has guessed; at live
    pace, where a tie goes to less time, even that somebody has finished might help the other.
    """
    row = position.row
    if row.mode != Mode.RACE.value:
        return True
    return row.pace == Pace.RELAXED and position.duel.games[seat].outcome is not None


def nudge_of(position: Position) -> tuple[tuple[int, ...], datetime] | None:
    """Who is to be told something, as seats, and from when on; None for nobody.

    While a duel goes on, that is the one player who is waited for. While an offer of a draw
    stands, it is who has to answer it, whoever's turn it is, unless it is not the first one since
    the last guess. At the end it is who has not ended the duel, and may be looking elsewhere.
    """
    row = position.row
    if row.strength is not None:
        return None
    if row.finished_at is not None:
        told = _told_of_end(row)
        return (told, row.finished_at) if told else None
    offered_by = row.draw_offered_by
    if offered_by is not None and position.calls_to_answer(offered_by):
        return (1 - offered_by,), row.moved_at + Pace(row.pace).nudge
    waited_for = _waited_for(position)
    if len(waited_for) > 1:  # the other has just accepted, and is here
        waited_for = [s for s in waited_for if row.seats[s].player_id == row.challenger_id]
    if not waited_for:
        return None
    (seat,) = waited_for
    since, _ = running(position)[seat]
    if row.state == State.SETTING and row.terms is not None:
        return (seat,), since + _CHOOSING
    # Who has one guess left would not expect it, and at live pace has two minutes.
    is_last = position.replayed is not None and position.replayed.has_one_guess(seat)
    return (seat,), since if is_last else since + Pace(row.pace).nudge


def _told_of_end(row: DuelRow) -> tuple[int, ...]:
    """The seats of who may not have seen the end of a duel that was accepted."""
    if row.accepted_at is None or row.ending == Ending.WITHDRAWN:
        return ()
    if row.ending in _ENDED_BY_GUESS:
        return (1 - row.moves[-1].seat,)
    if row.ending == Ending.RESIGNED and row.winner is not None:
        return (row.winner,)
    return SEATS


def _waited_for(position: Position) -> list[int]:
    row = position.row
    if row.state == State.SETTING:
        return [seat for seat in SEATS if row.seats[seat].secret is None]
    if row.state == State.STARTING:
        return [_challenger(row)]
    if row.state != State.PLAYING:
        return []
    able = [seat for seat in SEATS if position.duel.may_guess(seat)]
    if row.mode != Mode.RACE.value:
        return able
    if not_started := [seat for seat in SEATS if row.seats[seat].started_at is None]:
        return not_started
    return able if len(able) == 1 and row.pace == Pace.RELAXED else []  # as `is_seen`


def deadlines(position: Position, downtime: Downtime) -> dict[int, datetime]:
    """Until when, by seat."""
    return {seat: downtime.put_off(*since) for seat, since in running(position).items()}


def touched(
    position: Position, now: datetime, *, passes: bool = False, is_public: bool = True
) -> Position:
    """A duel after somebody has done something that does not end it.

    Args:
        position: the duel.
        now: when that was.
        passes: whether somebody else may be waited for now.
        is_public: whether everybody may see that something was done.
    """
    due = min(since + limit for since, limit in running(position).values())
    until = now_until(position.row, Downtime())
    if until is not None and until > now:
        due = min(due, until)
    after = position.changed(moved_at=now, deadline_at=due)
    after = with_nudge(after, now) if passes else after
    return after.on_board(now) if is_public else after


def with_nudge(position: Position, now: datetime) -> Position:
    """With when to see whether somebody must be told, or a message is out of date."""
    nudge = nudge_of(position)
    at = None if nudge is None else nudge[1]
    return position.changed(nudge_at=now if position.row.nudge_message_id else at, claimed_at=None)


def taken_by(row: DuelRow, seat: int, downtime: Downtime) -> timedelta | None:
    """In a race, the time from a player's start to the last guess."""
    started_at = row.seats[seat].started_at
    own = [move.moved_at for move in row.moves if move.seat == seat]
    if started_at is None or not own:
        return None
    return own[-1] - started_at - downtime.between(started_at, own[-1])


def verdict_on(position: Position, downtime: Downtime) -> Verdict | None:
    """How a duel in which somebody has just guessed ends; None if it goes on."""
    row, outcome = position.row, position.duel.outcome
    if outcome is None:
        return None
    is_live_race = row.mode == Mode.RACE.value and row.pace == Pace.LIVE
    if outcome.ending is DuelEnding.BOTH_SOLVED and is_live_race:
        first, second = (taken_by(row, seat, downtime) for seat in SEATS)
        if first is not None and second is not None and first != second:
            return Verdict(Event.SOLVE, 0 if first < second else 1)
    return Verdict(_EVENTS[outcome.ending], outcome.winner)


def verdict_of_time(row: DuelRow, late: Mapping[int, datetime]) -> Verdict:
    """How a duel ends because somebody is too late: who was so first loses."""
    if row.state != State.PLAYING:
        return Verdict(Event.DEADLINE, None)
    is_race = row.mode == Mode.RACE.value
    if is_race and not any(seat.started_at for seat in row.seats):
        return Verdict(Event.NO_START, None)
    losers = [seat for seat, at in late.items() if at == min(late.values())]
    return Verdict(Event.DEADLINE, 1 - losers[0] if len(losers) == 1 else None)
