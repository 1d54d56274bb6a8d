"""The playground as a newcomer meets it: one command, one line, a browser."""

import re
import socket
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from bot.playground.__main__ import main
from bot.text.pictures.tile_art import SIZE
from tests.support.playground import guess, open_browser, run_playground, type_command

pytestmark = pytest.mark.long(only=True)


def tiles(page: Page) -> list[str]:
    """The names of the tiles on the page, once their pictures have arrived."""
    emojis = page.locator("img.custom-emoji").all()
    for emoji in emojis:
        expect(emoji).to_have_js_property("naturalWidth", SIZE)
    return [emoji.get_attribute("alt") or "" for emoji in emojis]


def test_a_newcomer_plays_in_the_browser_on_a_chosen_date(tmp_path: Path) -> None:
    with run_playground(tmp_path, "--empty", "--today", "2026-12-31") as run:
        assert run.address.startswith("http://127.0.0.1:")
        with open_browser(run.address) as page:
            expect(page.get_by_text("every game is there").last).to_be_visible()
            composer = page.locator("#channel-composer-input")
            composer.fill("focdle")
            page.get_by_role("button", name="Send", exact=True).click()
            expect(page.get_by_text("That was sent as text.").last).to_be_visible()
            type_command(page, "/focdle")
            expect(page.get_by_text("FoCdle #365").last).to_be_visible()
            expect(page.get_by_text("December 31, 2026").last).to_be_visible()
            expect(page.get_by_text("Find the hidden equation: ").last).to_be_visible()
            guess(page, "12+34-5=41")
            expect(page.get_by_text("5 guesses left.")).to_be_visible()
            guess(page, "98-76+5=27")
            expect(page.get_by_text("4 guesses left.")).to_be_visible()
            rows = tiles(page)[3:23]  # the post's example is above them
            assert "".join(name[0] for name in rows) == "12p34m5e4198m76p5e27"
            assert {name[1] for name in rows} <= set("cpa")
        assert run.stop() == 0
        assert run.process.stdout is not None
        assert run.process.stdout.read() == ""
    assert (tmp_path / "empty.db").exists()
    assert not (tmp_path / "wrong.db").exists()


def test_a_playground_on_a_port_in_use_says_so_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(socket.create_server(("127.0.0.1", 0))) as other:
        port = other.getsockname()[1]
        assert main(["--port", str(port)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == (
        f"Port {port} cannot be used (Address already in use). Choose another with --port, or "
        "leave it out for any free one.\n"
    )


@pytest.mark.parametrize("port", ["65534", "70000", "-1"])
def test_a_playground_on_ports_that_no_machine_has_says_so_in_one_line(
    port: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--port", port]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith(
        "cannot be used (ports go from 1 to 65535). Choose another with --port, or leave it out "
        "for any free one."
    )


def test_a_game_is_played_by_turns_in_discord_in_a_browser_and_in_an_activity(
    tmp_path: Path,
) -> None:
    with (
        run_playground(tmp_path, "--empty", "--today", "2026-12-31") as run,
        open_browser(run.address, width=360) as page,
    ):
        type_command(page, "/focdle")
        guess(page, "12+34-5=41")
        type_command(page, "/play")
        press(page, "My games")
        game = page.locator(".component-section")
        expect(game).to_be_visible()
        assert len({(part.bounding_box() or {})["y"] for part in game.locator("> *").all()}) == 1
        press(page, "Keypad")
        browser = follow(page, "In a browser")
        toolbar = page.locator("#toolbar")
        assert toolbar.evaluate("bar => bar.scrollHeight <= bar.clientHeight")  # all of it is seen
        browser.get_by_role("button", name="Play as Ann").click()
        expect(browser.get_by_text("5 guesses left.")).to_be_visible()
        browser.keyboard.type("98-76+5=27\n")
        expect(browser.get_by_text("4 guesses left.")).to_be_visible()
    with closing(sqlite3.connect(tmp_path / "empty.db")) as database:
        ((secret,),) = database.execute(
            "SELECT secret FROM plays JOIN puzzles ON puzzles.id = puzzle_id"
        )
    with (  # the first was killed
        run_playground(tmp_path, "--empty", "--today", "2026-12-31") as run,
        open_browser(run.address, width=940) as page,
    ):
        type_command(page, "/focdle")
        press(page, "Keypad")
        anns = follow(page, "Discord window")
        board = anns.frame_locator("iframe")
        expect(board.get_by_text("4 guesses left.")).to_be_visible()
        bens = follow(page, "Discord window", last=False)
        bens.get_by_label("As").select_option("Ben")
        bens.frame_locator("iframe").get_by_role("button", name="Today").click()
        expect(bens.frame_locator("iframe").get_by_text("Find the hidden")).to_be_visible()
        anns.bring_to_front()
        anns.keyboard.type(f"{secret}\n")
        expect(board.get_by_role("heading", name="Your first daily win!")).to_be_visible()
        type_command(page, "/focdle")
        expect(page.get_by_text("Your first daily win!").last).to_be_visible()


def test_three_players_race_to_the_end_each_in_a_browser_of_their_own(tmp_path: Path) -> None:
    with (
        run_playground(tmp_path, "--empty", "--today", "2026-12-31") as run,
        open_browser(run.address, width=360) as ann,
    ):
        browser = ann.context.browser
        assert browser is not None
        ben, cleo = (browser.new_page(viewport={"width": w, "height": 900}) for w in (940, 360))
        for page, name in ((ann, "Ann"), (ben, "Ben"), (cleo, "Cleo")):
            if page is not ann:
                page.set_default_timeout(30_000)
                page.goto(run.address)
            expect(page.get_by_text("every game is there").last).to_be_visible()
            page.select_option("#viewer-picker", label=name)
        type_command(ann, "/race")
        expect(ann.get_by_text("You're in.").last).to_be_visible()
        with closing(sqlite3.connect(tmp_path / "empty.db")) as database:
            ((secret,),) = database.execute("SELECT secret FROM races")
        for page in (ben, cleo):
            press(page, "Join")
            expect(page.get_by_text("You're in.").last).to_be_visible()
        expect(ann.get_by_text(re.compile("Already in: .*Cleo")).last).to_be_visible()
        left = ann.get_by_text("Starts in").last
        expect(left).not_to_have_text(left.inner_text())  # it runs
        press(ann, "Start")
        expect(ann.get_by_text("Find the hidden equation: ").last.last).to_be_visible()
        for page in (ben, cleo):
            press(page, "Play")
            guess(page, secret)
            expect(page.get_by_text("The others race on.").last).to_be_visible()
        guess(ann, secret)
        expect(ann.get_by_text(re.compile("(?:2nd|3rd) of 3")).last).to_be_visible()
        for page in (ann, ben, cleo):
            expect(page.get_by_text(re.compile("Ben.?(?: wins|.* tie)")).last).to_be_visible()


def press(page: Page, label: str) -> None:
    """Press the last button of this name, once it is there."""
    page.get_by_role("button", name=label, exact=True).last.click()


def follow(page: Page, label: str, *, last: bool = True) -> Page:
    """Open a link in a tab: of the last answer, or the toolbar's."""
    with page.context.expect_page() as opened:
        links = page.get_by_role("link", name=label)
        (links.last if last else links.first).click()
    return opened.value
