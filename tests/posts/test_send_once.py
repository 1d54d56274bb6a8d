"""What to do about something that is to be sent once, by what is stored of it."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.games.game import Step, next_step, nonce
from bot.games.model import Claim

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("claimed", "tried", "outcome", "step"),
    [
        (0, 0, None, None),
        (59, 59, None, None),  # whoever claimed it may be at it
        (60, 60, None, Step.SEND),
        (100, 59, None, None),
        (120, 60, None, Step.SEND),
        (120.001, 60, None, Step.LOOK),
        (9999, 9999, None, Step.LOOK),
        (9999, 59, None, None),
        (60, 60, "sent", None),
        (9999, 9999, "sent", None),
        (9999, 9999, "unsure", None),
        (0, 0, "refused", Step.SEND),
        (9999, 9999, "refused", Step.SEND),
    ],
)
def test_a_claimed_post_is_sent_again_after_a_minute_and_looked_up_first_after_two(
    claimed: float, tried: float, outcome: str | None, step: Step | None
) -> None:
    assert next_step(Claim(ago(claimed), ago(tried), 1, outcome), NOW) is step


def test_an_unclaimed_post_is_sent() -> None:
    assert next_step(None, NOW) is Step.SEND


def test_the_same_post_has_the_same_nonce_within_discords_limit() -> None:
    assert nonce(1, "a") == nonce(1, "a")
    assert len({nonce(1, "a"), nonce(2, "a"), nonce(1, "b"), nonce("1a")}) == 4
    assert len(nonce(2**64, "daily")) <= 25
