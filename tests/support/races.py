"""A race that has ended, as it is stored."""

import random
from datetime import UTC, datetime

from bot.races.model import Ending, Race, RaceSeat, Rules, SeatOutcome

AT = datetime(2026, 11, 20, 12, tzinfo=UTC)


def a_race(rules: Rules, players: int = 1) -> Race:
    """The last round of an evening, in which everybody has made all guesses, and none was right.

    Args:
        rules: what was raced at.
        players: how many there were.
    """
    dice = random.Random(1)
    *guesses, secret = (rules.draw(dice) for _ in range(rules.max_guesses + 1))
    seats = tuple(
        RaceSeat(n, 2**62 + n, AT, AT, SeatOutcome.LOST, guesses=tuple(guesses), points=10)
        for n in range(players)
    )
    return Race(
        id=5,
        opener_id=seats[0].player_id,
        guild_id=1,
        channel_id=2,
        message_id=3,
        follows=4,
        rounds=3,
        round=3,
        rules=rules,
        secret=secret,
        salt="",
        first_at=AT,
        opened_at=AT,
        second_at=AT,
        started_at=AT,
        finished_at=AT,
        ending=Ending.FINISHED,
        shown="",
        is_awaited=False,
        freed=0,
        seats=seats,
    )
