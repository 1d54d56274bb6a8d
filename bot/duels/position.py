"""Rules of a duel's course: options, changes by each event, turns, deadlines."""

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
    State,
    WrongDigitsError,
)
from bot.duels.store import ChoiceRow
from engine import BullsAndCows, Code, DuelEnding, Mode, Strength

DIGITS: Final = (3, 6)
ROUNDS: Final = 30
STRENGTHS: Final = (Strength.CASUAL, Strength.SHARP, Strength.PERFECT)
NEXT_STRENGTH: Final = {Strength.CASUAL: Strength.SHARP, Strength.SHARP: Strength.PERFECT}


@dataclass(frozen=True, slots=True)
class DuelOptions:
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


def chosen(row: ChoiceRow) -> DuelOptions:
    """The options of a stored duel, to be used again."""
    rules = BullsAndCows.decode(row.rules)
    return DuelOptions(rules.digits, rules.repeats, Mode(row.mode), row.friendly)


def again(duel: Duel, player_id: int, *, stronger: bool) -> NewDuel:
    """The duel that a rematch opens; `stronger` raises the bot's strength, if possible."""
    strength = duel.strength
    if stronger and strength is not None:
        strength = NEXT_STRENGTH.get(strength, strength)
    return NewDuel(
        rules=duel.rules,
        mode=duel.mode,
        friendly=duel.friendly,
        strength=strength,
        challenger_id=player_id,
        guild_id=duel.guild_id,
        channel_id=duel.channel_id,
        rematch_of=duel.id,
    )


@dataclass(frozen=True, slots=True)
class Verdict:
    """The event that ends a duel, and the winner's seat; None if nobody wins."""

    event: Event
    winner: int | None


def begun(before: Duel, seat: int, number: Code, salt: str, now: datetime) -> Duel:
    """The duel when play begins, as the number of a seat, which was missing, is set."""
    seated = before.changed_seat(seat, secret=number, salt=salt)
    accepted_at = before.accepted_at or now
    return replace(seated, state=State.PLAYING, accepted_at=accepted_at, playing_at=now)


def draw_offered(before: Duel, seat: int, now: datetime) -> Duel:
    after = _heard(before, seat, now).changed(draw_offered_by=seat, draw_declined_by=None)
    return after.changed_seat(seat, offers=before.seats[seat].offers + 1)


def calls_to_answer(duel: Duel, seat: int) -> bool:
    """True if the other player is nudged about a seat's present offer of a draw.

    Only the seat's first offer since the last guess has a nudge.
    """
    return duel.seats[seat].offers <= 1


def draw_declined(before: Duel, seat: int, now: datetime) -> Duel:
    declined_by = None if before.draw_offered_by == seat else seat
    after = _heard(before, seat, now)
    return after.changed(draw_offered_by=None, draw_declined_by=declined_by)


def _heard(before: Duel, seat: int, now: datetime) -> Duel:
    """The duel after a mover has done anything: the one who waits cannot put off a call."""
    return before.changed(moved_at=now) if seat == before.to_move else before


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
    is_called_off, is_agreed = verdict.event is Event.CALL_OFF, verdict.event is Event.ACCEPT_DRAW
    return before.replayed_as(
        None if is_called_off else before.replayed,
        playing_at=None if is_called_off else before.playing_at,
        state=State.OVER,
        draw_offered_by=before.draw_offered_by if is_agreed else None,
        draw_declined_by=None,
        ending=ending,
        winner=verdict.winner,
        finished_at=finished_at,
    )


def with_stale_board(before: Duel, now: datetime) -> Duel:
    """The duel with a new version and its public board, if posted, marked for an edit."""
    stale_at = before.stale_at if before.message_id is None else now
    return before.changed(version=before.version + 1, stale_at=stale_at)


SEATS: Final = (0, 1)

SILENCE: Final = timedelta(seconds=30)
"""How long a player who is waited for does nothing before a nudge calls them."""
_HERE: Final = timedelta(minutes=3)
"""A player who accepted or guessed so recently is here at the end, and is not called to it."""

_EVENTS: Final = {
    DuelEnding.SOLVED: Event.SOLVE,
    DuelEnding.BOTH_SOLVED: Event.SOLVE_BOTH,
    DuelEnding.OUT_OF_GUESSES: Event.RUN_OUT,
}


def bots_turn(duel: Duel) -> int | None:
    """The bot's seat if it has to guess now; else None."""
    seat = duel.to_move
    return None if seat is None or duel.seats[seat].player_id is not None else seat


def waits_since(duel: Duel) -> datetime | None:
    """When the time of the player who is waited for began; None if none runs, as with the bot."""
    if duel.is_against_bot or duel.finished_at is not None:
        return None
    if duel.state is State.INVITED:
        return duel.opened_at
    return duel.moves[-1].moved_at if duel.moves else duel.playing_at


def nudge_of(duel: Duel) -> tuple[tuple[int, ...], datetime] | None:
    """The seats to be nudged, and when; None for nobody, as in duels with the bot.

    During play, the nudge is for the mover. While an offer of a draw stands, it is for the player
    who has to answer, but only for the first offer since the last guess. At the end it is for
    players who may not have seen it.
    """
    if duel.is_against_bot:
        return None
    if duel.finished_at is not None:
        told = _nudged_at_end(duel)
        return (told, duel.finished_at) if told else None
    offered_by = duel.draw_offered_by
    if offered_by is not None and calls_to_answer(duel, offered_by):
        return (1 - offered_by,), duel.moved_at + SILENCE
    return None if duel.to_move is None else ((duel.to_move,), duel.moved_at + SILENCE)


def _nudged_at_end(duel: Duel) -> tuple[int, ...]:
    """The seats of players who may not have seen the end of a duel that was played."""
    if duel.playing_at is None or duel.finished_at is None:
        return ()
    acts = [(1 - duel.challenger, duel.playing_at)]
    acts += [(move.seat, move.moved_at) for move in duel.moves]
    here = {seat for seat, at in acts if duel.finished_at - at < _HERE}
    if duel.ending is Ending.RESIGNED and duel.winner is not None:
        here.add(1 - duel.winner)
    if duel.draw_offered_by is not None:
        here.add(1 - duel.draw_offered_by)
    return tuple(seat for seat in SEATS if seat not in here)


def with_nudge(duel: Duel, now: datetime) -> Duel:
    """The duel with its next nudge scheduled, and no claim on it.

    The nudge is due now if there is an old message to be deleted.
    """
    nudge = nudge_of(duel)
    at = None if nudge is None else nudge[1]
    return duel.changed(nudge_at=now if duel.nudge_message_id else at, claimed_at=None)


def verdict_on(duel: Duel) -> Verdict | None:
    """The verdict after a guess; None if the duel goes on."""
    outcome = duel.game.outcome
    return None if outcome is None else Verdict(_EVENTS[outcome.ending], outcome.winner)


def verdict_of_time(duel: Duel) -> Verdict:
    """The verdict when a deadline has passed: the mover loses; before play, nobody wins."""
    return Verdict(Event.DEADLINE, None if duel.to_move is None else 1 - duel.to_move)
