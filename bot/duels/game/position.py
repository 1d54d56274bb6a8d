"""A duel at one moment, and what each act makes of it; nothing here is written."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Self

from bot.duels.model.duel import Pace
from bot.duels.model.transitions import TRANSITIONS, Event, State
from bot.duels.store.duels import DuelRow, MoveRow
from engine import BullsAndCows, Code, Duel, EngineError, Mode, replay_duel


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a duel ends.

    Attributes:
        event: by what.
        winner: the seat of who wins; None for nobody.
        by_deletion: whether the loser is about to be forgotten, and loses rating from which
            nobody gains.
    """

    event: Event
    winner: int | None
    by_deletion: bool = False


def rules_of(row: DuelRow) -> BullsAndCows:
    """The rules of a duel."""
    return BullsAndCows.decode(row.rules)


def seat_of(row: DuelRow, player_id: int) -> int | None:
    """Which seat a player has."""
    ids = [seat.player_id for seat in row.seats]
    return ids.index(player_id) if player_id in ids else None


def duel_of(row: DuelRow) -> Duel:
    """The moves of a duel, played again.

    Raises:
        EngineError: a secret is missing.
    """
    first, second = (seat.secret for seat in row.seats)
    if first is None or second is None:
        raise EngineError("a secret is missing")
    moves = ((move.seat, move.code) for move in row.moves)
    return replay_duel(rules_of(row), (second, first), Mode(row.mode), moves)


@dataclass(frozen=True, slots=True)
class Position:
    """A duel at one moment.

    Attributes:
        row: what is stored of it.
        replayed: the same as the engine knows it; None before both secrets are there.
    """

    row: DuelRow
    replayed: Duel | None

    @classmethod
    def of(cls, row: DuelRow) -> Self:
        """A duel as it was read, its moves played again."""
        return cls(row, None if row.playing_at is None else duel_of(row))

    @property
    def duel(self) -> Duel:
        """The duel's moves.

        Raises:
            EngineError: a secret is missing.
        """
        if self.replayed is None:
            raise EngineError("a secret is missing")
        return self.replayed

    def changed(self, **values: Any) -> Self:
        """With other values, none of which the engine knows."""
        return replace(self, row=replace(self.row, **values))

    def changed_seat(self, seat: int, **values: Any) -> Self:
        """With other values of one side."""
        seats = list(self.row.seats)
        seats[seat] = replace(seats[seat], **values)
        return self.changed(seats=tuple(seats))

    def accepted(self, now: datetime, pace: str, number: str, salt: str) -> Self:
        """After its challenge was accepted, with a number where the bot is to set one."""
        state = TRANSITIONS[State.INVITED, Event.ACCEPT].to
        is_race = self.row.mode == Mode.RACE.value
        after = self.changed(state=state.value, accepted_at=now, pace=pace)
        for seat, stored in enumerate(self.row.seats):
            if is_race or stored.player_id is None:
                after = after.changed_seat(seat, secret=number, salt=salt)
        return after.begun(now) if is_race else after

    @property
    def waits_for_start(self) -> bool:
        """Whether the challenger is to begin once both secrets are there: both are to be here."""
        return self.row.terms is not None and self.row.pace == Pace.LIVE

    def made_ready(self, now: datetime) -> Self:
        """From when on the challenger is waited for: both secrets are there."""
        state = TRANSITIONS[State.SETTING, Event.READY].to
        return self.changed(state=state.value, ready_at=now)

    def begun(self, now: datetime) -> Self:
        """From when on it is played: both secrets are there."""
        state = TRANSITIONS[State.SETTING, Event.BEGIN].to
        row = replace(self.row, state=state.value, playing_at=now)
        return self.of(row)

    def offered(self, seat: int, **values: Any) -> Self:
        """After an offer that a player has made, with these values."""
        offers = self.row.seats[seat].offers + 1
        return self.changed(**values).changed_seat(seat, offers=offers)

    def calls_to_answer(self, seat: int) -> bool:
        """Whether a player's offer calls the other: the first one since the last guess."""
        return self.row.seats[seat].offers <= 1

    def guessed(self, seat: int, code: Code, now: datetime) -> Self:
        """After a guess; any offer of a draw, and that one was declined, is off then.

        Raises:
            EngineError: as `Duel.guess`.
        """
        moves = (*self.row.moves, MoveRow(seat, code, now))
        after = replace(self, replayed=self.duel.guess(seat, code))
        after = after.changed_seat(0, offers=0).changed_seat(1, offers=0)
        return after.changed(moves=moves, draw_offered_by=None, draw_declined_by=None)

    @property
    def is_untouched(self) -> bool:
        """Whether it is played, and nobody has guessed; of a race, nobody can tell."""
        row = self.row
        return row.state == State.PLAYING and row.mode != Mode.RACE.value and not row.moves

    def ended(self, verdict: Verdict, finished_at: datetime) -> Self:
        """After its end; what was called off was never played."""
        ending = TRANSITIONS[State(self.row.state), verdict.event].ending
        if ending is None:
            raise RuntimeError(f"{verdict.event} ends nothing")
        after = self
        if verdict.event is Event.LEAVE:
            after = replace(self, replayed=None).changed(playing_at=None)
        return after.changed(
            state=State.OVER.value,
            draw_offered_by=None,
            draw_declined_by=None,
            ending=ending.value,
            winner=verdict.winner,
            finished_at=finished_at,
        )

    def on_board(self, now: datetime) -> Self:
        """With a public board that says something else now, if it has one."""
        if self.row.strength is not None:
            return self  # a duel with the bot has none
        after = self.changed(version=self.row.version + 1)
        return after if self.row.message_id is None else after.changed(stale_at=now)
