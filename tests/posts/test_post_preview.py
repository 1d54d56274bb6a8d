"""A post that is only looked at: the one that would be claimed, and nothing is written."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from bot.clock import PuzzleName
from bot.services import Services
from tests.support.clock import FakeClock
from tests.support.sql import sql

GUILD, CHANNEL, ROLE = 55, 66, 77


def at(clock: FakeClock, moment: str) -> None:
    clock.set(datetime.fromisoformat(moment).replace(tzinfo=UTC))


async def test_it_is_the_post_that_would_be_claimed(services: Services, clock: FakeClock) -> None:
    posts = services.posts
    await services.settings.change(GUILD, channel_id=CHANNEL, length=12)
    await posts.choices.set_role(GUILD, ROLE)
    await posts.choices.set_finishers_threads(GUILD, on=True)
    at(clock, "2026-11-21T09:05")
    first = await posts.book.claim(GUILD)
    assert first is not None
    await posts.book.sent(first, 1)
    at(clock, "2026-11-22T09:05")
    seen = await posts.book.preview(GUILD)
    assert (seen.day, seen.last_day) == (date(2026, 11, 22), date(2026, 11, 21))
    assert (seen.role_id, seen.finishers_threads) == (ROLE, True)
    assert seen.puzzle == PuzzleName(326, 12)
    assert await posts.book.claim(GUILD) == seen


@pytest.mark.parametrize("is_out", [False, True], ids=["claimed", "sent"])
async def test_it_is_todays_also_once_that_is_claimed_or_out(
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


async def test_a_server_that_has_chosen_nothing_has_one(services: Services, tmp_path: Path) -> None:
    seen = await services.posts.book.preview(GUILD)
    assert (seen.channel_id, seen.role_id, seen.last_day) == (0, None, None)
    assert seen.puzzle == PuzzleName(324, 10)
    assert sql(tmp_path, "SELECT * FROM posts") == []
    assert sql(tmp_path, "SELECT * FROM post_plans") == []


async def test_its_date_is_the_servers(services: Services, clock: FakeClock) -> None:
    await services.settings.change(GUILD, zone="Asia/Tokyo")
    at(clock, "2026-11-24T16:00")
    assert (await services.posts.book.preview(GUILD)).day == date(2026, 11, 25)
