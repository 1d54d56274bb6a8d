"""Duels made up for looking at boards, without a bot."""

import random
from collections.abc import Iterator
from dataclasses import fields, replace
from itertools import islice
from typing import Any

from bot.duels.model import TURN, Duel, DuelView, Ending, Move, Seat, SeatView, State
from bot.ratings.model import HeadToHead, Rating, RatingChange
from engine import BullsAndCows, Code, Mode, Strength
from tests.support.plays import NOON

_DRAWS = {Ending.BOTH_SOLVED, Ending.OUT_OF_GUESSES, Ending.DRAW_ACCEPTED}
_NOT_PLAYED = {Ending.DECLINED, Ending.WITHDRAWN, Ending.LAPSED}
_FIELDS = {field.name for field in fields(Duel)}


def a_duel(
    rules: BullsAndCows | None = None,
    mode: Mode = Mode.EQUAL_TURNS,
    *,
    state: State = State.PLAYING,
    ending: Ending | None = None,
    strength: Strength | None = None,
    rounds: int | None = None,
    **others: Any,
) -> DuelView:
    """A duel that has gone on for 29 rounds, or for 30 if it is over, under the largest ids.

    Args:
        rules: of both boards.
        mode: who may guess when.
        state: how far it has come.
        ending: how it ended.
        strength: of the bot, if it is one of the two.
        rounds: how many there were, if that is to be another number.
        others: fields of the duel or its view that are to be others.
    """
    rules = rules or BullsAndCows()
    is_over, is_begun = state is State.OVER, state in {State.PLAYING, State.OVER}
    if rounds is None:
        rounds = 30 if is_over else 29
    own = ("543210"[: rules.digits], "012345"[: rules.digits])
    ids = (2**63, None if strength else 2**63 + 1)
    seats = tuple(
        Seat(player_id, own[seat], "f" * 32) if is_begun else Seat(player_id)
        for seat, player_id in enumerate(ids)
    )
    is_won = is_over and ending not in _DRAWS | _NOT_PLAYED
    duel = Duel(
        id=2**31,
        rules=rules,
        mode=mode,
        friendly=False,
        rated=strength is None,
        strength=strength,
        challenger_id=2**63,
        guild_id=2**63,
        channel_id=2**63,
        message_id=2**63,
        nudge_message_id=None,
        state=state,
        draw_offered_by=None,
        draw_declined_by=None,
        rematch_of=None,
        terms=0,
        opened_at=NOON,
        moved_at=NOON,
        accepted_at=None if state is State.INVITED else NOON,
        playing_at=NOON if is_begun else None,
        deadline_at=NOON + TURN,
        finished_at=NOON if is_over else None,
        ending=ending,
        winner=0 if is_won else None,
        version=99,
        stale_at=NOON,
        nudge_at=None,
        claimed_at=None,
        seats=seats,
        moves=tuple(islice(_moves(rules, own), 2 * rounds)) if is_begun else (),
    )
    duel = replace(duel, **{name: other for name, other in others.items() if name in _FIELDS})
    view = DuelView(
        duel=duel,
        seats=(_seat(duel, 0), _seat(duel, 1)),
        head_to_head=HeadToHead(999, 99, 999) if is_over else None,
        deadline_at=None if is_over or strength else NOON + TURN,
    )
    return replace(view, **{name: other for name, other in others.items() if name not in _FIELDS})


def changed(view: DuelView, **values: Any) -> DuelView:
    """The same with other values of the duel."""
    duel = replace(view.duel, **values)
    first, second = (replace(seat, duel=duel) for seat in view.seats)
    return replace(view, duel=duel, seats=(first, second))


def turned(view: DuelView) -> DuelView:
    """The same where the other one moves first."""
    first, second = view.seats
    duel = replace(view.duel, seats=view.duel.seats[::-1])
    seats = (replace(second, duel=duel, number=0), replace(first, duel=duel, number=1))
    return replace(view, duel=duel, seats=seats)


def _moves(rules: BullsAndCows, numbers: tuple[Code, Code]) -> Iterator[Move]:
    """Guesses of both in turn that are all wrong."""
    rng, made = random.Random(7), set(numbers)
    while True:
        for seat in (0, 1):
            while (code := rules.draw(rng)) in made:
                pass
            made.add(code)
            yield Move(seat, code, NOON)


def _seat(duel: Duel, seat: int) -> SeatView:
    is_over, player_id = duel.state is State.OVER, duel.seats[seat].player_id
    rating = Rating(1500.0, 53.0, 3)
    change = RatingChange(1, 2, 1, rating, Rating(1533.0, 52.0, 4), NOON)
    is_rated = is_over and not duel.is_against_bot
    return SeatView(
        duel,
        seat,
        rating=None if player_id is None else rating,
        change=change if is_rated else None,
    )
