"""Mastermind, duels and races on the page, in a browser of the size of a phone."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Page, expect

from bot.duels.challenges import Challenge
from bot.duels.position import DuelOptions
from bot.games.model import GameName
from bot.mastermind.challenges import Invitation
from bot.mastermind.game import Setting
from bot.page.model import Came
from engine import Focdle
from tests.support.clock import FakeClock
from tests.support.sql import sql
from tests.web.conftest import ANN, BEN, CHANNEL, GUILD, HERE, Host
from tests.web.test_browser import CUT_OFF, a_page


async def open_board(page: Page, host: Host, player: int, name: str, place: str) -> None:
    await host.services.standings.members.seen(player, name, guild_id=GUILD, guild_name=name)
    ticket = await host.services.sessions.earn(player, HERE, GameName.read(place))
    await page.goto(f"{host.url}/#{ticket}.{place}")
    await page.get_by_role("button", name=f"Play as {name}").click()


async def test_a_mastermind_is_set_up_and_played_on_a_phone_and_with_a_keyboard(
    host: Host, clock: FakeClock, tmp_path: Path
) -> None:
    game = await host.services.mastermind.solo.open(ANN, Setting())
    async with a_page() as page:
        await open_board(page, host, ANN, "Ann", f"mastermind-{game.id}")
        await page.get_by_role("button", name="Other settings").tap()
        await page.get_by_label("Colours").select_option("8")
        await page.get_by_role("button", name="Other settings").tap()
        await expect(page.locator(".keypad .peg")).to_have_count(8)
        await page.get_by_role("button", name="How to play").tap()
        await expect(page.locator("details[open] summary")).to_have_text("How Mastermind is played")
        await page.get_by_role("button", name="Back").tap()
        sql(tmp_path, "UPDATE masterminds SET secret = 'RGCK'")
        for colour in ("red", "red", "cyan", "pink"):
            await page.get_by_role("button", name=colour).tap()
        await page.get_by_role("button", name="Guess", exact=True).tap()
        await expect(page.get_by_text("11 guesses left.")).to_be_visible()
        await expect(page.locator(".row .score i.g")).to_have_count(3)
        await page.keyboard.type("rgc")
        await page.keyboard.press("Enter")
        await expect(page.locator(".said")).to_contain_text("3 of 4 pegs")
        await page.keyboard.type("k")
        await page.keyboard.press("Enter")
        await expect(page.get_by_text("Solved in 2 of 12.")).to_be_visible()
        sizes = await page.locator("button").evaluate_all(
            "all => all.map(each => each.getBoundingClientRect()).map(b => [b.width, b.height])"
        )
        assert min(min(size) for size in sizes) >= 44
        await page.get_by_role("button", name="Play again").tap()
        await expect(page.get_by_text("Find the hidden code")).to_be_visible()
        await page.get_by_role("button", name="Back").tap()
        await page.get_by_role("button", name="Mastermind 4 pegs").tap()
        await expect(page.get_by_text("Find the hidden code")).to_be_visible()
        clock.advance(minutes=1)  # else so many clicks are too fast
        await page.get_by_role("button", name="Back").tap()
        await page.get_by_role("button", name="Mastermind", exact=True).last.tap()
        await expect(page.locator("header")).to_contain_text("4 pegs · 6 colours")


HEIGHTS = """() => [...document.querySelectorAll("button")].map((each) => {
    const { top, bottom } = each.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
})"""


async def test_keys_are_at_the_thumb_on_a_phone_and_below_the_board_where_there_is_room(
    host: Host,
) -> None:
    game = await host.services.mastermind.solo.open(ANN, Setting())
    async with a_page() as page:
        await open_board(page, host, ANN, "Ann", f"mastermind-{game.id}")
        await expect(page.locator(".typed")).to_be_visible()
        board, keys = page.locator(".board"), page.locator(".keypad")
        phone, heights = await keys.bounding_box(), [await page.evaluate(HEIGHTS)]
        await page.set_viewport_size({"width": 940, "height": 900})
        await expect(page.locator("section .keypad")).to_be_visible()
        above, below = await board.bounding_box(), await keys.bounding_box()
        heights.append(await page.evaluate(HEIGHTS))
    assert heights == [sorted(each) for each in heights]  # Tab goes down the page
    assert phone
    assert phone["y"] + phone["height"] == 640
    assert above
    assert below
    assert 0 < below["y"] - above["y"] - above["height"] < 16


async def test_whoever_may_not_write_there_is_told_so_on_the_board_that_nobody_has_touched(
    host: Host,
) -> None:
    invitation, inviting = Invitation(ANN, BEN, GUILD, CHANNEL), host.services.mastermind.challenges
    game = (await inviting.invite(invitation, Setting(), "RGBY")).game
    host.bot.says[BEN] = Came.REFUSED
    async with a_page() as page:
        await open_board(page, host, BEN, "Ben", f"mastermind-{game.id}")
        await page.get_by_role("button", name="Accept").tap()
        await expect(page.get_by_text("You can't write there.")).to_be_visible()
        host.bot.says.clear()
        await page.get_by_role("button", name="Accept").tap()
        await expect(page.locator(".typed")).to_be_visible()


async def test_two_play_a_duel_on_two_phones_and_see_each_other_move(host: Host) -> None:
    inviting = host.services.duels.inviting
    view = await inviting.challenge(Challenge(ANN, BEN, GUILD, CHANNEL), DuelOptions(), "0123")
    place = f"duel-{view.duel.id}"
    await host.services.standings.members.seen(BEN, "Ben", guild_id=GUILD, guild_name="Ben")
    async with a_page() as ann, a_page() as ben:
        for page, player, name in ((ann, ANN, "Ann"), (ben, BEN, "Ben")):
            await open_board(page, host, player, name, place)
            await expect(page.get_by_text("Ann challenges Ben!")).to_be_visible()
        await ben.keyboard.type("4567")
        await ben.get_by_role("button", name="Accept").tap()
        for page in (ann, ben):
            await expect(page.get_by_text(re.compile("Your turn|goes first"))).to_be_visible()
        own = ann.locator(".pair section").first
        await expect(own.locator(".typed")).to_be_visible()
        ann_first = await own.get_attribute("aria-current") is not None
        first, second = (ann, ben) if ann_first else (ben, ann)
        await expect(second.get_by_role("button", name="Guess", exact=True)).to_be_disabled()
        await first.keyboard.type("9876")
        await first.keyboard.press("Enter")
        await expect(second.get_by_text("Your turn.")).to_be_visible()
        await expect(second.locator(".pair section").last).to_contain_text("9876")
        whose = "Ann → Ben" if ann_first else "Ben → Ann"
        await expect(second.locator("[role=status]").first).to_contain_text(f"{whose}: 9 8 7 6: ")
        await second.keyboard.type("12")
        await second.keyboard.press("Enter")
        await expect(second.locator(".said")).to_contain_text("4 digits")
        await first.get_by_role("button", name="Offer a draw").tap()
        await expect(second.get_by_text("offers a draw")).to_be_visible()
        resign = second.get_by_role("button", name="Resign")
        await resign.tap()
        await second.keyboard.press("Enter")  # goes on, as what is asked has the focus
        await expect(resign).to_be_focused()
        await resign.tap()
        await second.get_by_role("button", name="Yes, resign").tap()
        await expect(first.get_by_text("resigned.")).to_be_visible()
        await first.get_by_role("button", name="Rematch").tap()
        await first.keyboard.type("5678")
        await first.get_by_role("button", name="Rematch").tap()
        await expect(first.get_by_text("wants a rematch")).to_be_visible()
        await expect(second.get_by_text("wants a rematch with")).to_be_visible()
        await second.locator("button[data-act=go]").tap()
        await expect(second.get_by_role("button", name="Accept")).to_be_visible()


async def open_home(page: Page, host: Host, player: int, name: str) -> None:
    play = await host.services.practice.open(player, GUILD, 7)
    await open_board(page, host, player, name, f"play-{play.id}")
    await page.locator(".back").click()


async def test_an_evening_is_opened_joined_and_played_from_its_channel(
    host: Host, tmp_path: Path, clock: FakeClock
) -> None:
    races = host.services.races
    async with a_page() as ann, a_page() as ben:
        await open_home(ben, host, BEN, "Ben")
        await open_home(ann, host, ANN, "Ann")
        await ann.get_by_label("Rounds").select_option("3")
        await ann.get_by_role("button", name="FoCdle", exact=True).tap()
        await expect(ann.get_by_text("Waiting for a second player")).to_be_visible()
        sql(tmp_path, "UPDATE races SET secret = '8-12+7=3', rules = 'focdle:8/6'")
        view = await races.claim(1)
        assert view is not None
        await expect(ben.get_by_role("button", name="FoCdle", exact=True)).to_be_visible()
        await races.shown(view, 1_001)
        await ben.get_by_role("button", name="Join").tap()
        await expect(ben.locator(".standing .own")).to_contain_text("Ben")
        await ben.locator(".back").tap()
        clock.advance(seconds=5)
        await expect(ann.get_by_role("button", name="Start")).to_be_visible()
        await ann.get_by_role("button", name="Call off").tap()
        await ann.locator(".asked .main").tap()
        await ann.get_by_role("button", name="Start").tap()
        await expect(ben.locator("h2").first).to_have_text("Your turn")
        await expect(ben.locator(".open")).to_have_count(0)
        await ben.get_by_role("button", name="Race: FoCdle").tap()
        await expect(ann.locator(".typed")).to_be_visible()
        await ann.keyboard.type("9-12+7=4")
        await ann.keyboard.press("Enter")
        await expect(ann.get_by_text("5 guesses left.")).to_be_visible()
        await expect(ben.locator(".standing li").first).to_contain_text("· 1/6 · 6 in place")
        await ben.keyboard.type("8-12+7=3")
        await ben.keyboard.press("Enter")
        await expect(ben.get_by_text("The others race on.")).to_be_visible()
        await expect(ben.locator(".standing .marks")).to_have_count(1)
        await expect(ann.locator(".standing .marks")).to_have_count(0)
        clock.advance(seconds=5)
        await ann.keyboard.type("8-12+7=3")
        await ann.keyboard.press("Enter")
        for each in (ann, ben):
            await expect(each.get_by_text("round 1 of 3")).to_be_visible()
            await expect(each.locator(".board .row").last).to_contain_text("12+7=3")
            await each.get_by_role("button", name="Ready").tap()
        await expect(ann.locator(".typed")).to_be_visible()


async def test_an_opponent_is_looked_for_and_found_on_two_phones(
    host: Host, clock: FakeClock
) -> None:
    services = host.services
    daily = await services.daily.open(ANN, GUILD)
    await services.daily.guess(ANN, daily.id, daily.game.secret)
    async with a_page() as ann, a_page() as ben:
        await open_home(ann, host, ANN, "Ann")
        await open_home(ben, host, BEN, "Ben")
        await expect(ann.locator(".home .main")).to_contain_text("Find an opponent")
        await ann.get_by_role("button", name="Find an opponent").tap()
        await ann.get_by_role("button", name="Find a friendly duel").tap()
        await ann.keyboard.type("2841")
        await ann.keyboard.press("Enter")
        await expect(ann.get_by_text("You're looking for an opponent.")).to_be_visible()
        await expect(ann.locator(".keypad")).to_have_count(0)
        card = await services.duels.seeking.claim(1)
        assert card is not None
        await services.duels.seeking.shown(card, 2_001)
        await ben.get_by_role("button", name="Accept").tap()
        await expect(ben.locator(".keypad .send")).to_have_text("Accept")
        await ben.keyboard.type("9876")
        await ben.keyboard.press("Enter")
        await expect(ben.locator(".pair")).to_contain_text("9876")
        clock.advance(minutes=1)  # a slow machine asks more often, which here is too fast
        await expect(ann.locator(".pair")).to_contain_text("2841")


async def test_whoever_accepts_a_card_that_is_gone_is_told_and_led_home(host: Host) -> None:
    seeking = host.services.duels.seeking
    async with a_page() as ben:
        await open_home(ben, host, BEN, "Ben")
        seek = (await seeking.seek(ANN, HERE, DuelOptions(), "2841", on_page=True)).seek.id
        card = await seeking.claim(seek)
        assert card is not None
        await seeking.shown(card, 2_001)
        await ben.get_by_role("button", name="Accept").tap()
        await expect(ben.get_by_text("Your secret number")).to_be_visible()
        await seeking.withdraw(ANN, seek)
        await ben.keyboard.type("9876")
        await ben.keyboard.press("Enter")
        await expect(ben.get_by_text("That game is gone.")).to_be_visible()
        await ben.get_by_role("button", name="All games").tap()
        await expect(ben.get_by_role("button", name="Find an opponent")).to_be_visible()


async def test_the_last_minute_before_a_race_is_told_by_the_second(host: Host) -> None:
    races = host.services.races
    view = await races.open(ANN, HERE, Focdle(10))
    await races.posted(view, 1_001)
    await races.join(BEN, view.race.id, HERE)
    async with a_page() as ann:
        await ann.clock.install()
        await open_board(ann, host, ANN, "Ann", f"race-{view.race.id}")
        starts = ann.get_by_text("Starts in").locator("[role=timer]")
        await expect(starts).to_be_visible()
        before = await starts.inner_text()
        await ann.clock.run_for(2_000)
        await expect(starts).not_to_have_text(before, timeout=1_000)


@pytest.mark.parametrize(("width", "height"), [(360, 640), (740, 360)])
async def test_the_largest_codes_hold_their_signs_where_text_has_twice_its_size(
    host: Host, width: int, height: int
) -> None:
    services = host.services
    game = await services.mastermind.solo.open(ANN, Setting(6, 10, repeats=True, guesses=13))
    await services.mastermind.solo.guess(ANN, game.id, "ROYGBP")
    options = DuelOptions(digits=6, repeats=True)
    duel = (await services.duels.inviting.challenge(Challenge(ANN, None), options)).duel
    await services.duels.playing.set_secret(ANN, duel.id, "012345")
    screen = {"width": width, "height": height}
    async with a_page(viewport=screen, reduced_motion="reduce") as page:
        await open_board(page, host, ANN, "Ann", f"mastermind-{game.id}")
        for place in (f"mastermind-{game.id}", f"duel-{duel.id}"):
            await page.goto(f"{host.url}/#{place}")
            await expect(page.locator(".typed")).to_be_visible()
            await page.evaluate("document.documentElement.style.fontSize = '200%'")
            assert await page.evaluate(CUT_OFF) == []
            assert await page.evaluate("document.documentElement.scrollWidth") <= width
