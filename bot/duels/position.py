"""Rules of a duel's course: options, changes by each event, turns, deadlines."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from bot.duels.model import (
    TRANSITIONS,
    Duel,
    Ending,
    Event,
    Move,
    NewDuel,
    Pace,
    State,
    WrongDigitsError,
)
from bot.duels.store import ChoiceRow
from bot.outages import Downtime
from bot.ratings.model import HeadToHead
from engine import BullsAndCows, Code, DuelEnding, Mode, Strength

DIGITS: Final = (3, 6)
ROUNDS: Final = 30
MODES: Final = (Mode.EQUAL_TURNS, Mode.CLASSIC)
"""Modes of new duels. There are no new races; open ones are played to their end."""
STRENGTHS: Final = (Strength.CASUAL, Strength.SHARP, Strength.PERFECT)
NEXT_STRENGTH: Final = {Strength.CASUAL: Strength.SHARP, Strength.SHARP: Strength.PERFECT}


@dataclass(frozen=True, slots=True)
class Options:
    """Options of a new duel, not yet checked; a duel that is not `friendly` may be rated."""

    digits: int = 4
    repeats: bool = False
    mode: Mode = Mode.EQUAL_TURNS
    friendly: bool = False
    strength: Strength = Strength.CASUAL

    def rules(self) -> BullsAndCows:
        lowest, highest = DIGITS
        if not lowest <= self.digits <= highest:
            raise WrongDigitsError(found=self.digits, lowest=lowest, digits=highest)
        return BullsAndCows(self.digits, self.repeats, ROUNDS)


def chosen(row: ChoiceRow) -> Options:
    """The options of a stored duel, to be used again; a race becomes equal turns."""
    rules, mode = BullsAndCows.decode(row.rules), _mode_offered(Mode(row.mode))
    return Options(rules.digits, rules.repeats, mode, row.friendly)


def strength_to_try(records: Mapping[Strength, HeadToHead]) -> Strength:
    """The weakest strength of the bot at which the player has not won more duels than lost.

    The greatest strength if the player has won more at all of them.
    """
    for strength in STRENGTHS:
        record = records.get(strength)
        if record is None or record.won <= record.lost:
            return strength
    return STRENGTHS[-1]


def _mode_offered(mode: Mode) -> Mode:
    return mode if mode in MODES else Mode.EQUAL_TURNS


def again(duel: Duel, player_id: int, *, stronger: bool) -> NewDuel:
    """The duel that a rematch opens; `stronger` raises the bot's strength, if possible."""
    strength = duel.strength
    if stronger and strength is not None:
        strength = NEXT_STRENGTH.get(strength, strength)
    return NewDuel(
        rules=duel.rules,
        mode=_mode_offered(duel.mode),
        pace=Pace.RELAXED,
        friendly=duel.friendly,
        strength=strength,
        challenger_id=player_id,
        guild_id=duel.guild_id,
        channel_id=duel.channel_id,
        rematch_of=duel.id,
        terms=0 if strength is None else None,
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The event that ends a duel, and the winner's seat; None if nobody wins."""

    event: Event
    winner: int | None


def accepted(before: Duel, now: datetime, pace: Pace, number: str, salt: str) -> Duel:
    state = TRANSITIONS[State.INVITED, Event.ACCEPT].to
    is_race = before.mode is Mode.RACE
    after = before.changed(state=state, accepted_at=now, pace=pace)
    for seat, stored in enumerate(before.seats):
        if is_race or stored.player_id is None:
            after = after.changed_seat(seat, secret=number, salt=salt)
    return begun(after, now) if is_race else after


def waits_for_start(duel: Duel) -> bool:
    """True if the challenger has to press Start before play begins: both are to be here then."""
    return duel.terms is not None and duel.pace is Pace.LIVE


def made_ready(before: Duel, now: datetime) -> Duel:
    return before.changed(state=TRANSITIONS[State.SETTING, Event.READY].to, ready_at=now)


def begun(before: Duel, now: datetime) -> Duel:
    return replace(before, state=TRANSITIONS[State.SETTING, Event.BEGIN].to, playing_at=now)


def draw_offered(before: Duel, seat: int) -> Duel:
    after = before.changed(draw_offered_by=seat, draw_declined_by=None)
    return after.changed_seat(seat, offers=before.seats[seat].offers + 1)


def calls_to_answer(duel: Duel, seat: int) -> bool:
    """True if the other player is nudged about a seat's present offer of a draw.

    Only the seat's first offer since the last guess has a nudge.
    """
    return duel.seats[seat].offers <= 1


def draw_declined(before: Duel, seat: int) -> Duel:
    declined_by = None if before.draw_offered_by == seat else seat
    return before.changed(draw_offered_by=None, draw_declined_by=declined_by)


def guessed(before: Duel, seat: int, code: Code, now: datetime) -> Duel:
    """The duel after a guess.

    The guess ends an open offer of a draw. It also removes the note that an offer was declined.

    Raises:
        EngineError: the engine's `Duel.guess` refuses it.
    """
    return before.replayed_as(
        before.game.guess(seat, code),
        moves=(*before.moves, Move(seat, code, now)),
        seats=tuple(replace(stored, offers=0) for stored in before.seats),
        draw_offered_by=None,
        draw_declined_by=None,
    )


def ended(before: Duel, verdict: Verdict, finished_at: datetime) -> Duel:
    """The duel after its end. One that was called off counts as never played."""
    ending = TRANSITIONS[before.state, verdict.event].ending
    if ending is None:
        raise RuntimeError(f"{verdict.event} ends nothing")
    is_called_off = verdict.event is Event.CALL_OFF
    return before.replayed_as(
        None if is_called_off else before.replayed,
        playing_at=None if is_called_off else before.playing_at,
        state=State.OVER,
        draw_offered_by=None,
        draw_declined_by=None,
        ending=ending,
        winner=verdict.winner,
        finished_at=finished_at,
    )


def with_stale_board(before: Duel, now: datetime) -> Duel:
    """The duel with a new version and its public board, if posted, marked for an edit."""
    if before.is_against_bot:
        return before  # a duel with the bot has no public board
    stale_at = before.stale_at if before.message_id is None else now
    return before.changed(version=before.version + 1, stale_at=stale_at)


SEATS: Final = (0, 1)

_NUMBER_GRACE: Final = timedelta(minutes=5)
"""How long a player who has accepted a challenge is not nudged to set a number."""

_ENDED_BY_GUESS: Final = {Ending.SOLVED, Ending.BOTH_SOLVED, Ending.OUT_OF_GUESSES}
_EVENTS: Final = {
    DuelEnding.SOLVED: Event.SOLVE,
    DuelEnding.BOTH_SOLVED: Event.SOLVE_BOTH,
    DuelEnding.OUT_OF_GUESSES: Event.RUN_OUT,
}


def bots_turn(duel: Duel) -> int | None:
    """The bot's seat if it has to guess now; else None.

    In a race it guesses once after each guess of the player.
    """
    if duel.state is not State.PLAYING or not duel.is_against_bot:
        return None
    seat = next(seat for seat in SEATS if duel.seats[seat].player_id is None)
    if not duel.game.may_guess(seat):
        return None
    own, other = (len(duel.own_turns(side)) for side in (seat, 1 - seat))
    return seat if duel.mode is not Mode.RACE or own < other else None


def running(duel: Duel) -> dict[int, tuple[datetime, timedelta]]:
    """The time limits that run now, by seat: when each began, and how long it is."""
    if duel.finished_at is not None:
        return {}
    pace = duel.pace
    if duel.state is State.INVITED:
        return {1 - duel.challenger: (duel.opened_at, pace.invitation)}
    if duel.state is State.SETTING:
        since = duel.accepted_at or duel.opened_at
        return {seat: (since, pace.setting) for seat in SEATS if duel.seats[seat].secret is None}
    if duel.state is State.STARTING:
        return {duel.challenger: (duel.ready_at or duel.opened_at, pace.setting)}
    owing = bots_turn(duel)
    is_bot = [seat.player_id is None for seat in duel.seats]
    return {
        seat: (_running_since(duel, seat), pace.turn)
        for seat in SEATS
        if duel.game.may_guess(seat) and (not is_bot[seat] or owing is not None)
    }


def now_until(duel: Duel, downtime: Downtime) -> datetime | None:
    """When the choice of live pace ends or ended; None unless an open challenge offers it."""
    if duel.state is not State.INVITED or duel.terms is None:
        return None
    return downtime.end_of(duel.opened_at, Pace.LIVE.invitation)


def _running_since(duel: Duel, seat: int) -> datetime:
    began = duel.playing_at or duel.opened_at
    if duel.mode is not Mode.RACE:
        return duel.moves[-1].moved_at if duel.moves else began
    own = [move.moved_at for move in duel.moves if move.seat == seat]
    return own[-1] if own else duel.seats[seat].started_at or began


def is_seen(before: Duel, duel: Duel, seat: int) -> bool:
    """True if everybody may see that a player has just guessed.

    In a race, edits of the board would reveal how often somebody has guessed. At live pace, where a
    tie goes to the faster player, even the news that somebody has finished might help the other.
    All the same, a guess is seen if it ends an offer of a draw, or removes the note that an offer
    was declined.
    """
    had_offer = (before.draw_offered_by, before.draw_declined_by) != (None, None)
    if had_offer or duel.mode is not Mode.RACE:
        return True
    return duel.pace is Pace.RELAXED and duel.game.games[seat].outcome is not None


def nudge_of(duel: Duel) -> tuple[tuple[int, ...], datetime] | None:
    """The seats to be nudged, and when; None for nobody, as in duels with the bot.

    While an accepted duel goes on, the nudge is for the one player who is waited for. While an
    offer of a draw stands, it is for the player who has to answer, but only for the first offer
    since the last guess. At the end it is for players who may not have seen it.
    """
    if duel.is_against_bot:
        return None
    if duel.finished_at is not None:
        told = _nudged_at_end(duel)
        return (told, duel.finished_at) if told else None
    offered_by = duel.draw_offered_by
    if offered_by is not None and calls_to_answer(duel, offered_by):
        return (1 - offered_by,), duel.moved_at + duel.pace.nudge
    waited_for = _waited_for(duel)
    if len(waited_for) > 1:  # the challenged player has just accepted, and is here
        waited_for = [seat for seat in waited_for if seat == duel.challenger]
    if not waited_for:
        return None
    (seat,) = waited_for
    since, _ = running(duel)[seat]
    if duel.state is State.SETTING and duel.terms is not None:
        return (seat,), since + _NUMBER_GRACE
    # A last chance comes unexpectedly, and at live pace lasts two minutes.
    is_last = duel.replayed is not None and duel.replayed.has_one_guess(seat)
    return (seat,), since if is_last else since + duel.pace.nudge


def _nudged_at_end(duel: Duel) -> tuple[int, ...]:
    """The seats of players who may not have seen the end of an accepted duel.

    If a player has called it off, nobody is nudged.
    """
    if duel.accepted_at is None or duel.ending is Ending.WITHDRAWN:
        return ()
    if duel.ending in _ENDED_BY_GUESS:
        return (1 - duel.moves[-1].seat,)
    if duel.ending is Ending.RESIGNED and duel.winner is not None:
        return (duel.winner,)
    return SEATS


def _waited_for(duel: Duel) -> list[int]:
    if duel.state is State.SETTING:
        return [seat for seat in SEATS if duel.seats[seat].secret is None]
    if duel.state is State.STARTING:
        return [duel.challenger]
    if duel.state is not State.PLAYING:
        return []
    able = [seat for seat in SEATS if duel.game.may_guess(seat)]
    if duel.mode is not Mode.RACE:
        return able
    if not_started := [seat for seat in SEATS if duel.seats[seat].started_at is None]:
        return not_started
    return able if len(able) == 1 and duel.pace is Pace.RELAXED else []  # as in `is_seen`


def deadlines(duel: Duel, downtime: Downtime) -> dict[int, datetime]:
    return {seat: downtime.end_of(*since) for seat, since in running(duel).items()}


def with_nudge(duel: Duel, now: datetime) -> Duel:
    """The duel with its next nudge scheduled, and no claim on it.

    The nudge is due now if there is an old message to be deleted.
    """
    nudge = nudge_of(duel)
    at = None if nudge is None else nudge[1]
    return duel.changed(nudge_at=now if duel.nudge_message_id else at, claimed_at=None)


def taken_by(duel: Duel, seat: int, downtime: Downtime) -> timedelta | None:
    """A player's time in a race from start to last guess, without outages; None before a guess."""
    started_at = duel.seats[seat].started_at
    own = [move.moved_at for move in duel.moves if move.seat == seat]
    if started_at is None or not own:
        return None
    return own[-1] - started_at - downtime.between(started_at, own[-1])


def verdict_on(duel: Duel, downtime: Downtime) -> Verdict | None:
    """The verdict after a guess; None if the duel goes on."""
    outcome = duel.game.outcome
    if outcome is None:
        return None
    is_live_race = duel.mode is Mode.RACE and duel.pace is Pace.LIVE
    if outcome.ending is DuelEnding.BOTH_SOLVED and is_live_race:
        first, second = (taken_by(duel, seat, downtime) for seat in SEATS)
        if first is not None and second is not None and first != second:
            return Verdict(Event.SOLVE, 0 if first < second else 1)
    return Verdict(_EVENTS[outcome.ending], outcome.winner)


def verdict_of_time(duel: Duel, late: Mapping[int, datetime]) -> Verdict:
    """The verdict when deadlines have passed; `late` has the passed ones by seat.

    Nobody wins before play, in a race that neither has started, or if both were late at the same
    instant. In all other cases, the player who was late first loses.
    """
    if duel.state is not State.PLAYING:
        return Verdict(Event.DEADLINE, None)
    is_race = duel.mode is Mode.RACE
    if is_race and not any(seat.started_at for seat in duel.seats):
        return Verdict(Event.NO_START, None)
    losers = [seat for seat, at in late.items() if at == min(late.values())]
    return Verdict(Event.DEADLINE, 1 - losers[0] if len(losers) == 1 else None)


def seats_of_numbers(duel: Duel) -> tuple[int, ...]:
    """The challenger's seat and, except in a race with its single number, the other one."""
    first = duel.challenger
    return (first,) if duel.mode is Mode.RACE else (first, 1 - first)
