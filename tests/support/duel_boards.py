"""Duels made up for looking at boards, without a bot."""

import random
from datetime import timedelta
from typing import Any

from bot.duels.model import DuelGame, Ending, Hand, Pace, Seat, State
from bot.games.seals import Commitment, commitment
from bot.ratings.model import HeadToHead, Rating, RatingChange
from engine import BullsAndCows, Code, Mode, Strength, Turn, score
from tests.support.plays import NOON

_DRAWS = {Ending.BOTH_SOLVED, Ending.OUT_OF_GUESSES, Ending.DRAW_AGREED}


def _commitment(mode: Mode, seat: int, number: str, state: State) -> Commitment | None:
    if state not in {State.PLAYING, State.OVER}:
        return None
    role = "" if mode is Mode.RACE else (" challenger", " opponent")[seat]
    return commitment(f"duel {2**31}{role}", number, "f" * 32, is_open=state is State.OVER)


def a_duel(
    rules: BullsAndCows | None = None,
    mode: Mode = Mode.EQUAL_TURNS,
    pace: Pace = Pace.LIVE,
    *,
    state: State = State.PLAYING,
    ending: Ending | None = None,
    strength: Strength | None = None,
    **fields: Any,
) -> DuelGame:
    """A duel that has gone on for 29 rounds, or for 30 if it is over, under the largest ids."""
    rules = rules or BullsAndCows()
    is_over, is_begun = state is State.OVER, state in {State.PLAYING, State.OVER}
    rounds = (30 if is_over else 29) if is_begun else 0
    hides = mode is Mode.RACE and not is_over
    numbers = (Code("012345"[: rules.digits]), Code("543210"[: rules.digits]))
    rng = random.Random(7)
    seats: list[Seat] = []
    for seat in (0, 1):
        guesses = [rules.draw(rng) for _ in range(rounds)]
        turns = tuple(Turn(guess, score(guess, numbers[seat])) for guess in guesses)
        player_id = None if strength and seat else 2**63 + seat
        rating = Rating(1500.0, 53.0, 3)
        change = RatingChange(1, 2, 1, rating, Rating(1533.0, 52.0, 4), 3, NOON)
        seats.append(
            Seat(
                player_id=player_id,
                is_ready=is_begun,
                started_at=NOON if is_begun else None,
                turns=() if hides else turns,
                guesses=rounds,
                is_done=False,
                found=False,
                target=numbers[seat] if is_over else None,
                taken=timedelta(minutes=61 + seat) if is_begun else None,
                deadline_at=None if is_over else NOON + timedelta(minutes=2),
                rating=None if player_id is None else rating,
                change=change if is_over and strength is None else None,
                commitment=_commitment(mode, seat, numbers[1 - seat], state),
            )
        )
    values: dict[str, Any] = {
        "id": 2**31,
        "rules": rules,
        "mode": mode,
        "pace": pace,
        "rated": strength is None,
        "strength": strength,
        "seats": tuple(seats),
        "challenger": 0,
        "state": state,
        "ending": ending,
        "winner": 0 if is_over and ending not in _DRAWS and ending is not Ending.LAPSED else None,
        "to_move": 0 if state is State.PLAYING and mode is not Mode.RACE else None,
        "draw_offered_by": None,
        "head_to_head": HeadToHead(999, 99, 999) if is_over else None,
        "rematch_of": None,
        "guild_id": 2**63,
        "channel_id": 2**63,
        "message_id": 2**63,
        "thread_id": 2**63,
        "nudge_message_id": None,
        "opened_at": NOON,
        "accepted_at": None if state is State.INVITED else NOON,
        "playing_at": NOON if is_begun else None,
        "deadline_at": None if is_over else NOON + timedelta(minutes=2),
        "finished_at": NOON if is_over else None,
        "version": 99,
        "is_shown": False,
        "hands": (Hand((), None), Hand((), None)),
    }
    if ending in {Ending.DECLINED, Ending.WITHDRAWN, Ending.LAPSED}:
        values["winner"] = None
    return DuelGame(**(values | fields))
