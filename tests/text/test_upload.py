"""Discord is given the tiles once, in the background, and games go on without them."""

import asyncio
import logging
import re
import threading
from base64 import b64decode
from collections.abc import AsyncGenerator
from functools import cache
from typing import Any

import discord
import pytest
from playwright.sync_api import expect
from simcord import Env, ResponseMessage

from bot import app
from bot.app import CodebreakerBot
from bot.playground.preview import open_browser_page
from bot.playground.world import World, open_world
from bot.services import Services, open_services
from bot.text.pictures import tile_art
from bot.text.tiles import BLANK_NAME, CIRCLES, PLAIN, Palette, Pegs, Tiles, TileState
from bot.uploads import emojis
from tests.support.clock import FakeClock
from tests.support.playground import open_browser
from tests.support.screen import custom_ids, parts, seen, text
from tests.support.table import StillBot

# Drawing is pure: the tests draw each picture once.
draw = cache(tile_art.draw_tile)
draw_peg = cache(tile_art.draw_peg)
PICTURES = (*tile_art.tile_names(), *tile_art.peg_names())


def refuse_emojis(env: Env) -> None:
    """Let Discord refuse the next message, as one whose buttons have emojis that are gone."""
    message = "Invalid Form Body\nIn components.0.components.2.emoji.id: Invalid emoji"
    path = "/interactions/*/*/callback"
    env.inject_error("POST", path, status=400, code=50035, message=message)


class Start:
    """A start of the bot, and what it has asked of Discord since."""

    def __init__(self, world: World, bot: CodebreakerBot) -> None:
        self.bot = bot
        self._requests = world.env.http_requests
        self._first = len(self._requests)

    @property
    def tiles(self) -> Tiles:
        assert self.bot.tiles is not None
        return self.bot.tiles

    def asked(self, method: str) -> list[dict[str, Any]]:
        """The bodies of its requests about emojis."""
        return [
            request.json or {}
            for request in self._requests[self._first :]
            if request.method == method and "/emojis" in request.path
        ]

    @property
    def told(self) -> list[str]:
        """When it told Discord the commands."""
        new = self._requests[self._first :]
        return [r.path for r in new if r.method == "PUT" and r.path.endswith("/commands")]

    @property
    def created(self) -> dict[str, bytes]:
        """The pictures of the emojis it made, by name."""
        return {b["name"]: b64decode(b["image"].partition(",")[2]) for b in self.asked("POST")}


async def start(world: World, services: Services) -> Start:
    """Restart the bot, now with tiles, and let it finish; timers of cogs stand still."""
    started = Start(world, StillBot(services))
    await world.env.restart_bot(started.bot)
    return started


@pytest.fixture
async def world(
    services: Services, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[World]:
    """A bot that has uploaded nothing, in an application with an emoji of its owner's."""
    monkeypatch.setattr(tile_art, "draw_tile", draw)
    monkeypatch.setattr(tile_art, "draw_peg", draw_peg)
    async with open_world(CodebreakerBot(services, upload_tiles=False), clock) as opened:
        opened.env.backend.create_application_emoji("mascot")
        yield opened


def names(world: World) -> list[str]:
    """The names of the application's emojis."""
    return sorted(emoji.name for emoji in world.env.backend.application_emojis.values())


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """The messages of the upload that somebody should read."""
    return [
        record.getMessage()
        for record in caplog.records
        if record.name == "bot.uploads.emojis" and record.levelno >= logging.WARNING
    ]


async def test_the_first_start_uploads_every_tile_and_the_second_start_none(
    world: World, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "bot.uploads.emojis")
    first = await start(world, services)
    assert first.created == {
        **{name: draw(name) for name in tile_art.tile_names()},
        **{name: draw_peg(name) for name in tile_art.peg_names()},
    }
    assert names(world) == sorted([*PICTURES, "mascot"])
    second = await start(world, services)
    assert [len(second.asked(method)) for method in ("GET", "POST", "DELETE")] == [1, 0, 0]
    assert first.tiles == second.tiles
    assert first.bot.pegs == second.bot.pegs
    assert set(second.bot.pegs.markup) == set(tile_art.peg_names())
    [blank] = [e for e in world.env.backend.application_emojis.values() if e.name == BLANK_NAME]
    assert second.tiles.blank == f"<:{BLANK_NAME}:{blank.id}>"
    assert [r.getMessage() for r in caplog.records if r.name == "bot.uploads.emojis"] == [
        "tiles complete: 127 created, 0 replaced, 0 kept",
        "pegs complete: 39 created, 0 replaced, 0 kept",
        "tiles complete: 0 created, 0 replaced, 127 kept",
        "pegs complete: 0 created, 0 replaced, 39 kept",
    ]


async def test_only_missing_or_changed_tiles_are_uploaded_again(
    world: World, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = await start(world, services)
    [lost] = [e for e in world.env.backend.application_emojis.values() if e.name == "8c"]
    world.env.backend.delete_application_emoji(lost.id)
    mended = await start(world, services)
    assert mended.created == {"8c": draw("8c")}
    assert mended.asked("DELETE") == []

    def draw_another(name: str) -> bytes:
        return draw("bl" if name == "3o" else name)

    monkeypatch.setattr(tile_art, "draw_tile", draw_another)
    changed = await start(world, services)
    assert changed.created == {"3o": draw("bl")}
    assert len(changed.asked("DELETE")) == 1
    assert names(world) == sorted([*PICTURES, "mascot"])
    old, new = first.tiles.markup, changed.tiles.markup
    assert {name for name in new if new[name] != old[name]} == {"8c", "3o"}


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_the_bot_runs_without_tiles_when_discord_refuses_the_upload(
    method: str, world: World, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    world.env.inject_error(method, "/applications/*/emojis", status=403, times=None)
    refused = await start(world, services)
    assert refused.bot.tiles is None
    [warning] = warnings(caplog)
    assert "403" in warning
    assert "\n" not in warning
    board = seen(await world.members[0].slash(world.channels[0], "focdle", guess="12+34-5=41"))
    assert "5 guesses left." in text(board)
    # Losing and finding Discord again is no start.
    asked = refused.asked("GET")
    refused.bot.dispatch("ready")
    await world.env.settle()
    assert refused.asked("GET") == asked


async def test_an_upload_that_discord_refuses_is_retried_at_growing_intervals(
    world: World, services: Services
) -> None:
    world.env.inject_error("POST", "/applications/*/emojis", status=403, times=3)
    refused = await start(world, services)
    times: list[int] = []
    for minute in range(1, 6):
        before = len(refused.asked("POST"))
        await world.env.advance_time(60)
        if len(refused.asked("POST")) > before:
            times.append(minute)
    assert times == [1, 2, 4]
    assert set(refused.tiles.markup) == set(tile_art.tile_names())
    assert refused.bot.pegs.has_letters


def colours(board: ResponseMessage) -> list[tuple[str | None, str, str | None]]:
    """The buttons of a board that have an emoji: label, name and id of that."""
    found = [part for part in parts(board) if part["type"] == 2 and part.get("emoji")]
    return [(b.get("label"), b["emoji"]["name"], b["emoji"].get("id")) for b in found]


async def test_a_board_refused_for_its_emojis_is_posted_without_them(
    world: World, services: Services
) -> None:
    started = await start(world, services)
    ann = world.members[0]
    board = seen(await ann.slash(world.channels[0], "mastermind play"))
    known = colours(board)
    assert known
    assert all(label is None and number for label, _, number in known)
    for emoji in [*world.env.backend.application_emojis]:
        world.env.backend.delete_application_emoji(emoji)
    refuse_emojis(world.env)
    red, orange = [part for part in custom_ids(board) if ":put:" in part][:2]
    board = seen(await ann.click(board, custom_id=red))
    assert colours(board) == [(letter, CIRCLES[letter], None) for letter in "ROYGBP"]
    assert not re.search(r"<:\w\w:\d+>", text(board))
    assert "🔴▫️▫️▫️" in text(board)
    assert len(started.asked("POST")) == 2 * len(PICTURES)
    again = colours(seen(await ann.click(board, custom_id=orange)))
    assert [name for _, name, _ in again] == [name for _, name, _ in known]
    assert not {number for *_, number in again} & {number for *_, number in known}


async def test_a_lasting_loss_of_emojis_is_checked_once_a_minute_and_then_less_often(
    world: World, services: Services
) -> None:
    started = await start(world, services)
    ann = world.members[0]
    board = seen(await ann.slash(world.channels[0], "mastermind play"))
    puts = [part for part in custom_ids(board) if ":put:" in part]
    for minutes, put in zip((0, 1, 2), puts, strict=False):
        refuse_emojis(world.env)
        board = seen(await ann.click(board, custom_id=put))
        if minutes:
            await world.env.advance_time(60 * minutes - 5)
            assert started.bot.pegs is PLAIN
            await world.env.advance_time(10)
        assert started.bot.pegs.has_letters


async def test_a_deleted_emoji_is_noticed_before_any_message_fails(
    world: World, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(emojis, "LOOK_SECONDS", 30.0)
    started = await start(world, services)
    [lost] = [e for e in world.env.backend.application_emojis.values() if e.name == "8c"]
    world.env.backend.delete_application_emoji(lost.id)
    before = started.tiles.markup["8c"]
    await world.env.advance_time(35)
    assert started.tiles.markup["8c"] != before
    assert len(started.asked("POST")) == len(PICTURES) + 1


async def test_a_later_start_continues_an_upload_that_discord_refused(
    world: World, services: Services, caplog: pytest.LogCaptureFixture
) -> None:
    # An emoji of that name, but not with our picture: it must go.
    stranger = world.env.backend.create_application_emoji(tile_art.tile_names()[60])
    world.env.inject_error("DELETE", "/applications/*/emojis/*", status=403)
    refused = await start(world, services)
    assert refused.bot.tiles is None
    assert tuple(refused.created) == tile_art.tile_names()[:60]
    assert len(warnings(caplog)) == 1
    completed = await start(world, services)
    assert tuple(completed.created) == PICTURES[60:]
    assert tuple(completed.tiles.markup) == tile_art.tile_names()
    assert stranger.id not in world.env.backend.application_emojis
    assert len(warnings(caplog)) == 1


async def test_tiles_are_shown_even_when_the_pegs_are_missing(
    world: World, services: Services
) -> None:
    # An emoji of that name, but not with our picture: it must go.
    world.env.backend.create_application_emoji(tile_art.peg_names()[5])
    world.env.inject_error("DELETE", "/applications/*/emojis/*", status=403)
    started = await start(world, services)
    assert set(started.tiles.markup) == set(tile_art.tile_names())
    assert started.bot.pegs == PLAIN == Pegs()
    board = seen(await world.members[0].slash(world.channels[0], "mastermind play"))
    assert "▫️▫️▫️▫️" in text(board)
    completed = await start(world, services)
    assert completed.bot.pegs.has_letters
    board = seen(await world.members[0].slash(world.channels[0], "mastermind play"))
    assert completed.bot.pegs.empty * 4 in text(board)


async def test_the_bot_starts_without_tiles_when_drawing_them_fails(
    world: World,
    services: Services,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(name: str) -> bytes:
        raise ZeroDivisionError(name)

    monkeypatch.setattr(tile_art, "draw_tile", fail)
    started = await start(world, services)
    assert started.bot.tiles is None
    assert len(warnings(caplog)) == 1
    assert "ZeroDivisionError" in caplog.text


async def test_no_start_waits_for_the_drawing_of_tiles_and_a_stop_ends_the_drawing(
    world: World, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawing, go_on = threading.Event(), threading.Event()

    def draw_slowly(name: str) -> bytes:
        drawing.set()
        assert go_on.wait(5)
        return draw(name)

    monkeypatch.setattr(tile_art, "draw_tile", draw_slowly)
    started = Start(world, CodebreakerBot(services))
    restart = asyncio.create_task(world.env.restart_bot(started.bot))
    assert await asyncio.to_thread(drawing.wait, 5)
    assert started.bot.tiles is None
    await started.bot.close()
    go_on.set()
    await restart
    assert started.bot.tiles is None
    assert started.created == {}


async def test_an_upload_by_another_process_is_awaited_in_the_background(
    world: World,
    services: Services,
    database_url: str,
    clock: FakeClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    again = 60.0  # a start is waited for half a minute, in which five seconds would really pass
    for module in (app, emojis):
        monkeypatch.setattr(module, "ASK_AGAIN_SECONDS", again)
    async with open_services(database_url, clock) as other:
        for name in ("tiles", "commands"):
            assert await other.leases.claim(name)
        await other.synced.remember_commands("those of an earlier version")
        first = await start(world, services)
        assert "focdle" in first.bot.command_ids  # as Discord has had it
        await world.env.advance_time(again)
        assert first.bot.tiles is None
        assert not first.created
        assert not first.told
        await other.leases.release("commands")
        await world.env.advance_time(again)
        assert first.bot.tiles is None
        assert len(first.told) == 1
    await world.env.advance_time(again)
    assert set(first.tiles.markup) == set(tile_art.tile_names())
    await world.env.advance_time(again)
    assert len(first.created) == len(first.asked("POST")) == len(PICTURES)
    assert len(first.told) == 1


async def test_digests_of_tiles_are_stored_for_each_application(services: Services) -> None:
    await services.synced.remember_digest(1, "8c", "old")
    await services.synced.remember_digest(1, "8c", "new")
    await services.synced.remember_digest(2, "8c", "other")
    assert await services.synced.digests(1) == {"8c": "new"}
    assert await services.synced.digests(2) == {"8c": "other"}
    assert await services.synced.digests(3) == {}


@pytest.mark.long(only=True)
async def test_the_playground_shows_tiles_as_pictures(world: World, clock: FakeClock) -> None:
    bot = world.env.bot
    assert isinstance(bot, CodebreakerBot)
    assert bot.tiles is None
    await bot.upload_tiles()
    assert bot.tiles is not None
    channel = bot.get_channel(world.channels[0].id)
    assert isinstance(channel, discord.TextChannel)
    await channel.send(bot.tiles.symbol("8", TileState.PRESENT, Palette.SHAPES))

    def look(address: str) -> None:
        with open_browser(address) as page:
            tile = page.get_by_role("article").get_by_alt_text("8o")
            expect(tile).to_have_js_property("naturalWidth", tile_art.SIZE)

    async with open_browser_page(world, clock) as page:
        await asyncio.to_thread(look, page.preview.url)
