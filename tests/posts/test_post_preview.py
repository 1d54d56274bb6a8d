"""A post that is only looked at: the one that would be claimed, and nothing is written."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.sql import sql

GUILD, CHANNEL = 55, 66


def at(clock: FakeClock, moment: str) -> None:
    clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))


@pytest.mark.parametrize("is_out", [False, True], ids=["claimed", "sent"])
async def test_a_preview_shows_todays_post_even_after_it_was_claimed_or_sent(
    services: Services, clock: FakeClock, tmp_path: Path, is_out: bool
) -> None:
    book = services.posts.book
    await services.settings.change(GUILD, channel_id=CHANNEL)
    at(clock, "2026-11-21T09:05")
    due = await book.claim(GUILD)
    assert due is not None
    if is_out:
        await book.sent(due, 1)
    stored = [sql(tmp_path, f"SELECT * FROM {name}") for name in ("posts", "post_plans")]
    at(clock, "2026-11-21T10:00")
    assert await book.preview(GUILD) == replace(due, claimed_at=clock.now())
    assert [sql(tmp_path, f"SELECT * FROM {name}") for name in ("posts", "post_plans")] == stored


async def test_a_preview_has_the_date_of_the_server(services: Services, clock: FakeClock) -> None:
    await services.settings.change(GUILD, zone="Asia/Tokyo")
    at(clock, "2026-11-24T16:00")
    assert (await services.posts.book.preview(GUILD)).day == date(2026, 11, 25)
