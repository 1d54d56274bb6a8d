"""The start page: what it tells of its player, of their games, and of others in their server."""

from base64 import b64decode
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from bot.address import Address
from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.services import Services
from bot.text.pictures.boards import colour_of
from engine import Focdle
from tests.support import cdn
from tests.support.asking import free_port
from tests.support.catalogues import german
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.support.table import SECRET
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, HERE, Bot, Browser, Host
from tests.web.test_browser import a_link, a_page, expect
from web.app import opened

CLEO, DAN, EVE, FAY = 44, 55, 66, 77
OTHER = 34


@pytest.fixture
async def seeing(services: Services, clock: FakeClock, bot: Bot) -> AsyncGenerator[Host]:
    """The page's server with avatars, from a server in place of Discord's."""
    address = Address("127.0.0.1", free_port())
    url = f"http://{address}"
    async with cdn.opened(cdn.Cdn()) as album, opened(address, url, services, clock, album=album):
        yield Host(url, services, bot)


async def finish(host: Host, player: int, name: str, guild: int = GUILD) -> None:
    await host.services.standings.members.seen(player, name, guild_id=guild, guild_name=name)
    play = await host.services.daily.open(player, guild)
    await host.services.daily.guess(player, play.id, SECRET)


async def seen_by(browser: Browser) -> list[str]:
    return [each["name"] for each in (await browser.get("start")).data["finishers"]["faces"]]


async def test_the_start_page_tells_of_today_and_lists_first_what_waits(host: Host) -> None:
    inviting = host.services.duels.inviting
    async with host.player() as ann, host.player(BEN):
        await host.services.practice.open(ANN, GUILD, 9)
        view = await inviting.challenge(Challenge(BEN, ANN, GUILD, CHANNEL), DuelOptions(), "0123")
        fresh = (await ann.get("start")).data
        assert fresh["today"]["said"][0] == "### FoCdle #324 is waiting"
        assert fresh["games"][0]["place"] == f"duel-{view.duel.id}"
        assert fresh["games"][0]["waits"]
        assert not any(game["waits"] for game in fresh["games"][1:])
        play = (await ann.post("today")).data
        given = {"text": "41-3+27=65", "at": 0}
        marks = (await ann.post(f"{play['place']}/guess", given)).data["rows"][0]["marks"]
        begun = (await ann.get("start")).data["today"]
        assert begun["said"] == ["### FoCdle #324 is under way", "5 guesses left."]
        assert (begun["rows"], begun["is_over"]) == ([{"marks": marks}], False)
        await ann.post(f"{play['place']}/guess", {"text": SECRET, "at": 1})
        over = (await ann.get("start")).data
        assert over["today"]["said"][1].startswith("In **2 of 6**.")
        assert over["today"]["said"][-1] == "🔥 **1 day** in a row."
        assert SECRET not in str(over)


async def test_a_race_waits_for_those_who_may_guess_in_it(host: Host, tmp_path: Path) -> None:
    races = host.services.races
    async with host.player() as ann, host.player(BEN):
        race = (await races.open(ANN, HERE, Focdle(8))).race.id
        sql(tmp_path, "UPDATE races SET message_id = 9")

        async def waits() -> list[bool]:
            return [game["waits"] for game in (await ann.get("start")).data["games"]]

        assert await waits() == [False]
        await races.join(BEN, race, HERE)
        await races.start(ANN, race)
        assert await waits() == [True]
        for turn in range(6):
            await races.guess(ANN, race, None, f"8-12+{turn + 2}=3", as_probe=True)
        assert await waits() == []


async def test_only_those_whom_the_server_shows_are_seen_to_have_finished(
    host: Host, clock: FakeClock
) -> None:
    members, services = host.services.standings.members, host.services
    async with host.player() as ann, host.player(guild=None) as alone:
        for player, name in ((BEN, "Ben"), (CLEO, "Cleo"), (DAN, "Dan"), (EVE, "Eve")):
            clock.advance(seconds=1)
            await finish(host, player, name)
        await finish(host, FAY, "Fay", OTHER)
        assert await seen_by(ann) == ["Ben", "Cleo", "Dan", "Eve"]
        await services.preferences.set_hidden(CLEO, on=True)
        await services.settings.take_off(ANN, GUILD, DAN)
        await members.gone(GUILD, EVE)
        assert await seen_by(ann) == ["Ben"]
        assert await seen_by(alone) == []
        await finish(host, ANN, "Ann")
        play = (await ann.post("today")).data
        ben = {"name": "Ben", "face": "", "colour": colour_of(BEN)}
        assert play["finishers"] == {"faces": [ben], "more": 0}
        await members.gone(GUILD, ANN)
        assert await seen_by(ann) == []


async def test_an_avatar_is_shown_to_whom_it_was_named_and_while_the_server_shows_its_player(
    seeing: Host,
) -> None:
    members, services = seeing.services.standings.members, seeing.services
    avatars = {BEN: "b" * 32, CLEO: "c" * 32}

    async def name_all() -> None:
        for player, avatar in avatars.items():
            await members.seen(player, "x", avatar, guild_id=GUILD, guild_name="x")

    for player in avatars:
        await finish(seeing, player, "x")
    async with seeing.player() as ann, seeing.player(DAN) as dan, seeing.stranger() as stranger:
        await name_all()
        ben, cleo = [each["face"] for each in (await ann.get("start")).data["finishers"]["faces"]]
        shown = await ann.get(f"face/{ben}")
        picture = shown.data["picture"].removeprefix("data:image/png;base64,")
        assert b64decode(picture).startswith(b"\x89PNG")
        assert (await stranger.get(f"face/{ben}")).status == 401
        forged = [ben[:16] + cleo[16:], ben[:-1], ben[:31] + "g", "f" * 32, "7" * 32, "0" * 32]
        for wrong in forged:
            assert (await ann.get(f"face/{wrong}")).status == 404, wrong
        assert (await dan.get(f"face/{ben}")).status == 404
        avatars[BEN] = "d" * 32
        await name_all()
        assert (await ann.get(f"face/{ben}")).status == 404
        ben = (await ann.get("start")).data["finishers"]["faces"][0]["face"]
        assert (await ann.get(f"face/{ben}")).status == 200
        await services.settings.take_off(ANN, GUILD, BEN)
        await services.preferences.set_hidden(CLEO, on=True)
        for gone in (ben, cleo):
            assert (await ann.get(f"face/{gone}")).status == 404


@pytest.mark.long(only=True)
async def test_avatars_are_on_the_page_and_only_from_it(seeing: Host) -> None:
    _, link = await a_link(seeing, ANN, "Ann")
    await finish(seeing, BEN, "Ben")
    await seeing.services.standings.members.seen(
        BEN, "Ben", "b" * 32, guild_id=GUILD, guild_name="Ben"
    )
    async with a_page() as page:
        asked = list[str]()
        page.on("request", lambda request: asked.append(request.url))
        await page.goto(link)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Back").tap()
        await expect(page.locator(".finishers img")).to_be_visible()
        assert await page.locator("img").evaluate("each => each.naturalWidth") == 64
        assert all(url.startswith((seeing.url, "data:")) for url in asked)


async def test_signing_out_ends_this_session_and_no_other(host: Host) -> None:
    async with host.player() as phone, host.player() as desk:
        assert (await phone.post("leave", {}, X_Player="22")).status == 409
        assert (await phone.post("leave")).status == 200
        assert (await phone.get("start")).status == 401
        assert (await desk.get("start")).status == 200


async def test_how_to_play_is_told_without_markup_that_only_discord_shows(host: Host) -> None:
    async with host.player() as ann:
        topics = (await ann.get("how")).data["topics"]
    assert topics[0]["title"] == "How FoCdle is played"
    lines = [line for topic in topics for line in topic["said"]]
    assert not [line for line in lines if line.startswith(("- ", "#", "```", "🟩", "⬜"))]


@pytest.mark.long(only=True)
async def test_a_player_comes_in_reads_how_to_play_practises_a_level_and_signs_out(
    host: Host,
) -> None:
    _, link = await a_link(host, ANN, "Ann")
    await finish(host, BEN, "Ben")
    async with a_page() as page:
        await page.goto(link)
        await expect(page.locator(".sample .row")).to_have_count(3)
        await page.get_by_role("button", name="Play as Ann").tap()
        await page.get_by_role("button", name="Back").tap()
        await expect(page.get_by_text("FoCdle #324 is waiting")).to_be_visible()
        await expect(page.locator(".finishers")).to_contain_text("Ben")
        await page.get_by_role("button", name="How to play").tap()
        await page.get_by_text("How Mastermind is played").tap()
        await expect(page.get_by_text("You have 12 guesses.")).to_be_visible()
        await page.get_by_role("button", name="Back").tap()
        await page.get_by_label("Level").select_option("hard")
        await page.get_by_role("button", name="FoCdle practice").tap()
        await expect(page.get_by_text("10 symbols · a hard one").first).to_be_visible()
        await page.get_by_role("button", name="Back").tap()
        await page.get_by_role("button", name="Sign out").tap()
        await expect(page.get_by_text("You're signed out.")).to_be_visible()


async def test_the_page_speaks_its_players_language_and_the_door_the_browsers(
    host: Host, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with german(tmp_path, monkeypatch, {"Back": "Atrás"}, "es"):
        async with host.player() as ann:
            spanish = {"Accept-Language": "es-MX,en;q=0.5"}
            door = await ann.ask("GET", "/", **spanish)
            assert '<html lang="es">' in door.text
            assert '"back": "Atr\\u00e1s"' in door.text
            assert (await ann.get("me", **spanish)).data["language"] == "es"
            await services.preferences.set_language(ANN, "en-US")
            assert (await ann.get("me", **spanish)).data["language"] == "en-US"
            assert (await ann.get("labels", **spanish)).data["back"] == "Back"
            await services.preferences.set_language(ANN, None)
            await services.standings.members.seen(ANN, "Ann")
            await services.languages.answered(ANN, "es")
            assert (await ann.get("labels")).data["back"] == "Atrás"
