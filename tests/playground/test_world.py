"""The playground's world: the same people at every start, real dates, no slowing down."""

import asyncio
import statistics
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from aiohttp import ClientSession

from bot.address import Address
from bot.app import CodebreakerBot, HostChoices
from bot.clock import SystemClock
from bot.games.model import GameName
from bot.playground.activity import open_activity
from bot.playground.preview import meant_command, open_browser_page
from bot.playground.world import clock_for, greet, open_world
from bot.services import Services, open_services
from tests.support.asking import free_port
from tests.support.catalogues import german
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.posted import post_text
from tests.support.screen import parts, seen, text
from tests.support.waiting import until


async def test_every_start_of_the_playground_has_the_same_people(database_url: str) -> None:
    starts: list[list[int]] = []
    for day in (1, 200, 324):
        clock = FakeClock(datetime(2026, 1, 1, 9, 30, tzinfo=UTC) + timedelta(days=day))
        async with (
            open_services(database_url, clock) as services,
            open_world(CodebreakerBot(services, upload_tiles=False), clock) as world,
        ):
            assert abs(world.env.now() - clock.now()) < timedelta(seconds=1)
            bot = world.env.bot
            starts.append(
                [thing.id for thing in (*world.channels, *world.members, bot.user) if thing]
            )
    assert starts[0] == starts[1] == starts[2]
    assert len(set(starts[0])) == 6


async def test_games_of_yesterday_are_still_in_the_playground_today(database_url: str) -> None:
    clock = FakeClock()
    for expected in ("5 guesses left.", "5 guesses left."):
        async with (
            open_services(database_url, clock) as services,
            open_world(CodebreakerBot(services, upload_tiles=False), clock) as world,
        ):
            ann, channel = world.members[0], world.channels[0]
            guess = {"guess": "12+34-5=41"} if clock.now().day == 20 else {"puzzle": "324"}
            assert expected in text(seen(await ann.slash(channel, "focdle", **guess)))
            clock.advance(days=1)


async def test_a_playground_begins_with_todays_post_and_has_it_once(database_url: str) -> None:
    clock = FakeClock()
    for start in range(3):
        async with open_services(database_url, clock) as services:
            bot = CodebreakerBot(services, upload_tiles=False)
            async with open_world(bot, clock) as world:
                await greet(bot, services, world)
                await world.env.settle()
                told = "\n".join(map(post_text, world.channels[0].history()))
                assert told.count("FoCdle #324" if start < 2 else "FoCdle #325") == 1
                assert f"Press **Play #{324 + start // 2}** above" in told
                guild = world.members[0].guild.id
                await services.settings.change(guild, channel_id=world.channels[0].id)
                await services.posts.choices.set_hour(guild, 13)
                clock.advance(hours=2)
                assert await services.posts.book.due() == []
        clock.advance(hours=22 if start else -2)


@pytest.mark.parametrize(
    ("said", "command"),
    [
        ("/focdle", "focdle"),
        ("  Focdle ", "focdle"),
        ("/play now", "play"),
        ("play", "play"),
        ("/focdel 12+34", "focdle"),
        ("play 12", "play"),
        ("focdle play", "focdle"),
        ("12+34-5=41", "focdle"),
        ("1+1 = 2", None),
        ("play with me", None),
        ("focdle is fun", None),
        ("", None),
    ],
)
def test_the_playground_recognises_text_meant_as_a_command(said: str, command: str | None) -> None:
    assert meant_command(said, ["focdle", "play"]) == command


def test_the_playground_can_start_on_another_date() -> None:
    assert clock_for(date(2026, 12, 31)).now().date() == date(2026, 12, 31)
    assert abs(clock_for(None).now() - SystemClock().now()) < timedelta(seconds=1)


async def test_the_clock_of_the_playground_page_runs(services: Services) -> None:
    clock = FakeClock()
    async with (
        open_world(CodebreakerBot(services, upload_tiles=False), clock) as world,
        open_browser_page(world, clock) as page,
    ):
        clock.advance(minutes=3)
        await until(lambda: page.preview.capture_time >= clock.now())


async def test_a_language_chosen_at_the_top_of_the_page_is_that_of_everybodys_discord(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    with german(tmp_path, monkeypatch, {"Your preferences": "Tus preferencias"}, "es"):
        async with (
            open_world(CodebreakerBot(services, upload_tiles=False), clock) as world,
            open_browser_page(world, clock) as page,
            ClientSession() as browser,
        ):
            for chosen, title in (("", "Your"), ("es", "Tus"), ("xx", "Tus"), ("en-US", "Your")):
                address = page.preview.url.partition("#")[0]
                async with browser.get(address, params={"language": chosen}) as shown:
                    spoken = "es" if title == "Tus" else "en-US"
                    assert f'<option value="{spoken}" selected>' in await shown.text()
                async with page.turn:
                    told = await world.members[0].slash(world.channels[0], "preferences")
                assert text(seen(told)).startswith(f"### {title} pref")


@pytest.mark.usefixtures("breaking")
async def test_the_page_takes_a_refusal_for_an_answer_and_a_bug_for_a_failure(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = FakeClock()
    async with (
        open_world(CodebreakerBot(services, upload_tiles=False), clock) as world,
        open_browser_page(world, clock) as page,
    ):
        ann, cursor = world.members[0], world.env.error_cursor
        async with page.turn:
            told = seen(await ann.slash(world.channels[0], "focdle", puzzle="999"))
        assert "Puzzle 999 opens" in text(told)
        assert world.env.errors_since(cursor) == ()
        monkeypatch.delattr(type(services.daily), "open")
        async with page.turn:
            await ann.slash(world.channels[0], "focdle")
        assert len(world.env.errors_since(cursor)) == 1


async def test_the_keypad_button_in_the_playground_links_to_the_window_and_the_web_page(
    services: Services,
) -> None:
    clock = FakeClock()
    page, window = (Address("127.0.0.1", free_port()) for _ in range(2))
    choices = HostChoices(web_url=f"http://{page}", has_activity=True)
    bot = CodebreakerBot(services, upload_tiles=False, choices=choices)
    async with (
        open_world(bot, clock) as world,
        open_activity(world, services, clock, page, window),
        ClientSession() as browser,
    ):
        ben = world.members[1]
        board = seen(await ben.slash(world.channels[0], "practice"))
        answer = seen(await ben.click(board, label="Keypad"))
        assert answer.ephemeral
        to_window, to_page = [part["url"] for part in parts(answer) if part.get("url")]
        assert to_window == f"http://{window}/?as=ben"
        async with browser.get(to_window) as shown:
            assert "Discord window" in await shown.text()
        async with browser.get(to_page, allow_redirects=False) as sent_on:
            address, _, token = sent_on.headers["Location"].partition("/#")
        assert address == f"http://{page}"
        ticket = await services.sessions.look(token.partition(".")[0])
        assert (ticket.player_id, ticket.guild_id) == (ben.id, ben.guild.id)
        play = await services.daily.view(ben.id, GameName.read(ticket.place or "").id)
        assert play.puzzle is None


@pytest.mark.long
async def test_the_playground_stays_fast_after_hundreds_of_actions(
    services: Services, clock: FakeClock
) -> None:
    now = SystemClock()
    seconds: list[float] = []
    async with (
        open_world(CodebreakerBot(services, upload_tiles=False), now) as world,
        open_browser_page(world, now) as page,
    ):
        channel, tasks = world.channels[0], len(asyncio.all_tasks())
        for n in range(either(60, 300)):
            member = world.members[n % 3]
            clock.advance(seconds=1)  # of the services: nobody is in too much of a hurry
            async with page.turn:
                board = seen(await member.slash(channel, "focdle", puzzle=str(1 + n // 3)))
            started = time.process_time()  # which other programs' work is no part of
            async with page.turn:
                form = await member.click(board, label="Guess")
            seconds.append(time.process_time() - started)
            async with page.turn:
                board = seen(await member.submit_modal(form, {"guess": "12+34-5=41"}))
            assert "5 guesses left." in text(board)
            assert board.message.created_at <= now.now()
        present = now.now()
        await until(lambda: world.env.now() >= present)  # however late the machine has made it
        assert len(asyncio.all_tasks()) <= tasks + 2  # nothing waits for each message sent
    # What grew with each action would have grown many times over; noise does not treble a median.
    assert statistics.median(seconds[-25:]) < 3 * statistics.median(seconds[:25])
