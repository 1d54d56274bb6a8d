"""Makes the README's pictures from the playground, some with a made-up season: `make pictures`."""

import asyncio
import random
import sqlite3
import tempfile
from contextlib import closing
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import ViewportSize, async_playwright
from playwright.sync_api import Page

from bot.address import Address
from bot.app import CodebreakerBot
from bot.db.database import Database
from bot.focdle import store as focdle_store
from bot.games.model import GameName, Source
from bot.playground.world import open_world
from bot.services import open_services
from bot.text.pictures.drawing import GROUND, png
from bot.text.pictures.tile_art import names_of, tile
from bot.text.tiles import Palette, TileState, tile_name
from engine import Focdle, replay
from engine.solvers.focdle.difficulty import difficulty
from tests.support.asking import free_port
from tests.support.clock import FakeClock
from tests.support.playground import (
    FLAGS,
    find_browser,
    guess,
    open_browser,
    run_playground,
    type_command,
)
from tests.support.town import Town
from web.app import opened
from web.page import FILES

NAMES: Final = (
    "Mira",
    "Tobias",
    "Anneliese Q.",
    "zero_divisor",
    "Юлия",
    "Kenji 健二",
    "Oluwaseun",
    "prime suspect",
    "Zoë",
    "Casper",
    "the remainder",
    "Ingrid",
)
"""Members besides the one who looks."""

_WEEKS: Final = 25
# Probabilities: Ann plays a date, another player plays it, a player solves it.
_KEEN: Final = 0.8
_PRESENT: Final = 0.85
_SOLVED: Final = 0.94
_GUESSES: Final = (2, 3, 3, 3, 4, 4, 4, 4, 5, 5, 6)
# A good player's results in a dozen duels.
_DUELS_WON: Final = (True, False, True, True, True, False, True, True, False, True, True, True)
_OPPONENTS: Final = 4

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
WIDTH: Final = 940
PHONE: Final[ViewportSize] = {"width": 360, "height": 640}
TODAY: Final = "2026-12-04"
NUMBER: Final = 338
SECRET: Final = "25+4*12=73"
SALT: Final = "9f2c4e81d07ab356c41f0e8d7a62b593"
GUESSES: Final = ("13+12-8=17", "72+31%6=73", "21+20*4=55")
CODE: Final = "GRBG"
CODE_GUESSES: Final = ("RRGG", "GRYG", "GPBG")
# Blacks and whites that fit no code.
ANSWERS: Final = (("1", "1"), ("0", "3"), ("1", "1"), ("2", "1"), ("0", "0"), ("0", "0"))
NUMBERS: Final = {"Ann": "4325", "Ben": "8071"}
_SHOWN_ROUND: Final = 2
ICON: Final = (
    ("7", TileState.CORRECT),
    ("+", TileState.PRESENT),
    ("%", TileState.ABSENT),
    ("=", TileState.CORRECT),
)
DUEL_GUESSES: Final = {
    "Ann": ("1234", "5781", "0871", "8071"),
    "Ben": ("9876", "2345", "4352", "4312"),
}


async def play_season(folder: Path, today: date) -> None:
    """Let the playground's first member play half a year up to yesterday, and others this week.

    `folder` is where the playground looks for its database, `today` its date there.
    """
    clock, rng = FakeClock(), random.Random(11)  # noqa: S311 - no secret
    guild, player = await _first_member(folder, clock)
    url = f"sqlite:///{folder}/playground.db"
    others = {10**17 + n: name for n, name in enumerate(NAMES)}
    async with open_services(url, clock) as services:
        database = await Database.open(url)
        town = Town(folder, clock, services, database)
        monday = today - timedelta(days=today.weekday())
        day = monday - timedelta(weeks=_WEEKS)
        duels = {
            day + timedelta(weeks=2 * n + 1): (list(others)[n % _OPPONENTS], won)
            for n, won in enumerate(_DUELS_WON)
        }
        while day < today:
            clock.set(datetime.combine(day, time(18), UTC))
            if rng.random() < _KEEN or day >= today - timedelta(days=16):
                await _play(town, rng, player, guild)
            if day >= monday:
                for other, name in others.items():
                    await services.standings.members.seen(
                        other, name, guild_id=guild, guild_name=name
                    )
                    if rng.random() < _PRESENT:
                        await _play(town, rng, other, guild)
            if day in duels:
                other, won = duels[day]
                await town.duel(*((player, other) if won else (other, player)))
            day += timedelta(days=1)
        await town.circle(*list(others)[:_OPPONENTS])  # opponents give a rank
        await town.settle()
        await database.close()


async def _first_member(folder: Path, clock: FakeClock) -> tuple[int, int]:
    """Return the ids of the playground's server and first member, the same at every start."""
    async with open_services(f"sqlite:///{folder}/elsewhere.db", clock) as services:
        bot = CodebreakerBot(services, upload_tiles=False)
        async with open_world(bot, clock) as world:
            return world.members[0].guild.id, world.members[0].id


async def _play(town: Town, rng: random.Random, player: int, guild: int) -> None:
    await town.play(player, guild, rng.choice(_GUESSES), solved=rng.random() < _SOLVED)


async def fix_puzzle(folder: Path) -> None:
    database = await Database.open(f"sqlite:///{folder}/playground.db")
    await database.write(
        lambda tx: focdle_store.add_puzzle(
            tx,
            number=NUMBER,
            length=10,
            rules="focdle:10/6",
            secret=SECRET,
            salt=SALT,
            difficulty=difficulty(Focdle(), SECRET).hundredths,
        )
    )
    await database.close()


def play(page: Page) -> None:
    type_command(page, "/focdle")
    for text in GUESSES:
        guess(page, text)
    # It includes the question about the last guess, which is false.
    picture(page, "board", last_only=True)
    page.get_by_role("button", name="Edit", exact=True).last.click()
    submit(page, SECRET)
    page.get_by_role("button", name="Share").last.click()
    page.get_by_text("To paste anywhere:").first.wait_for()
    picture(page, "solved")
    coach(page)


def coach(page: Page) -> None:
    page.get_by_role("button", name="Coach").last.click()
    page.get_by_role("button", name="Details").last.wait_for()
    page.mouse.move(0, 0)
    page.set_viewport_size({"width": WIDTH, "height": 1600})
    page.wait_for_timeout(500)
    page.get_by_role("article").last.screenshot(path=PICTURES / "coach.png")
    page.set_viewport_size({"width": WIDTH, "height": 900})


def break_code(page: Page, folder: Path) -> None:
    """Show a running Mastermind against a fixed code."""
    type_command(page, "/mastermind play")
    page.get_by_role("button", name="Guess", exact=True).wait_for()
    with closing(sqlite3.connect(folder / "playground.db")) as database, database:
        database.execute("update masterminds set secret = ?", (CODE,))
    for text in CODE_GUESSES:
        page.get_by_role("button", name="Guess", exact=True).last.click()
        submit(page, text)
    for colour in ("G", "R"):
        page.locator(f"button:has(img[alt*='{colour.lower()}0'])").last.click()
        page.wait_for_timeout(300)
    picture(page, "mastermind", last_only=True)


def contradict(page: Page) -> None:
    """Give answers that cannot all be true."""
    type_command(page, "/mastermind defend")
    page.get_by_role("button", name="Enter my code instead").wait_for()
    contradiction = page.get_by_role("article").last.get_by_text("No code fits")
    for answer in ANSWERS:
        for count in answer:
            if not contradiction.count():
                page.get_by_role("button", name=count, exact=True).last.click()
                page.wait_for_timeout(400)
    contradiction.wait_for()
    picture(page, "contradiction", last_only=True)


def duel(page: Page) -> None:
    """Play a duel to its end; the first mover is random."""
    challenge(page, "Ben")
    become(page, "Ben")
    press(page, "Accept")
    type_number(page, NUMBERS["Ben"])
    first = "Ann" if page.get_by_text("@Ann goes first").count() else "Ben"
    order = [first, *(player for player in NUMBERS if player != first)]
    for round_ in range(len(DUEL_GUESSES["Ann"])):
        for player in order:
            become(page, player)
            press(page, "Guess")
            type_number(page, DUEL_GUESSES[player][round_])
            if round_ == _SHOWN_ROUND and player == first:
                picture(page, "duel_going_on", of="@Ben")
    # The page updates after answers only, not after what the bot does by itself.
    while not page.locator("img[alt*='hid ']").count():
        page.get_by_role("button", name="Refresh preview").click()
        page.wait_for_timeout(1000)
    picture(page, "duel", of=" wins")


def challenge(page: Page, opponent: str) -> None:
    composer = page.locator("#channel-composer-input")
    composer.click()
    composer.press_sequentially("/duel")
    for typed in ("", "", opponent):
        page.keyboard.type(typed)
        page.wait_for_timeout(500)
        page.keyboard.press("Enter")
    page.wait_for_timeout(500)
    page.get_by_role("button", name="Send", exact=True).click()
    type_number(page, NUMBERS["Ann"])
    page.get_by_role("button", name="Accept", exact=True).wait_for()


def become(page: Page, player: str) -> None:
    page.locator("#viewer-picker").select_option(label=player, force=True)
    page.wait_for_timeout(700)


def press(page: Page, label: str) -> None:
    page.get_by_role("button", name=label, exact=True).first.click()


def submit(page: Page, text: str) -> None:
    """Submit a text in the open form."""
    form = page.get_by_role("dialog")
    form.get_by_role("textbox").fill(text)
    form.get_by_role("button", name="Submit").click()
    form.wait_for(state="hidden")


def type_number(page: Page, number: str) -> None:
    submit(page, number)
    page.wait_for_timeout(400)


def stay(folder: Path) -> None:
    """Prevent lookups: the players of the season are not members of the playground."""
    with closing(sqlite3.connect(folder / "playground.db")) as database, database:
        database.execute("update members set looked_up_at = ?", (f"{TODAY} 23:59:59.000000",))


def standings(page: Page) -> None:
    type_command(page, "/leaderboard")
    page.get_by_role("button", name="My place").wait_for()
    picture(page, "leaderboard", last_only=True)
    type_command(page, "/stats")
    page.get_by_role("button", name="Show to the channel").wait_for()
    while not page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth)"):
        page.wait_for_timeout(200)
    page.get_by_role("button", name="What counts").last.scroll_into_view_if_needed()
    picture(page, "stats", last_only=True)


def post(page: Page) -> None:
    """Show the daily post of a server in which people have played."""
    page.get_by_text("Yesterday").first.wait_for()
    picture(page, "post", of="Yesterday")


def picture(page: Page, name: str, *, last_only: bool = False, of: str = "") -> None:
    """Take a picture of the page, its last message, or the first one with a text."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)
    while not page.evaluate("[...document.images].every(image => image.naturalWidth)"):
        page.wait_for_timeout(100)
    page.evaluate("document.activeElement.blur()")
    messages = page.get_by_role("article")
    if of:
        messages = messages.filter(has_text=of).first
    first = (messages.last if last_only else messages.first).bounding_box()
    last = messages.last.bounding_box()
    assert first is not None
    assert last is not None
    height = last["y"] + last["height"] - first["y"]
    page.screenshot(
        path=PICTURES / f"{name}.png",
        clip={"x": first["x"], "y": first["y"], "width": first["width"], "height": height},
    )


async def keypad(folder: Path) -> None:
    """Show a board on the page, half played, on a phone."""
    clock = FakeClock()
    clock.set(datetime.combine(date.fromisoformat(TODAY), time(18), UTC))
    address = Address("127.0.0.1", free_port())
    async with (
        open_services(f"sqlite:///{folder}/playground.db", clock) as services,
        opened(address, f"http://{address}", services, clock),
        async_playwright() as playwright,
    ):
        board = await services.daily.open(1, None)
        for text in GUESSES[:2]:
            await services.daily.guess(1, board.id, text)
        place = GameName(Source.PLAY, board.id)
        ticket = await services.sessions.earn(1, None, place)
        browser = await playwright.chromium.launch(executable_path=find_browser(), args=FLAGS)
        page = await browser.new_page(
            viewport=PHONE, device_scale_factor=2, color_scheme="dark", has_touch=True
        )
        await page.goto(f"http://{address}/#{ticket}.{place}")
        await page.get_by_role("button", name="Play", exact=True).tap()
        for symbol in SECRET[:5]:
            name = {"+": "plus", "*": "times"}.get(symbol, symbol)
            await page.locator(f'.keypad button[aria-label^="{name}"]').tap()
        await page.mouse.move(0, 0)
        await page.wait_for_timeout(500)  # until no key is lit
        await page.screenshot(path=PICTURES / "keypad.png")
        await browser.close()


def icon() -> None:
    """Draw the application's icon, for hosts to upload: it stands in the list of commands."""
    side, margin, step, size = 512, 72, 192, 176  # its corners stay in the circle that is shown
    picture = Image.new("RGBA", (side, side), GROUND)
    for place, (symbol, state) in enumerate(ICON):
        name = tile_name(symbol, state, Palette.STANDARD)
        at = margin + place % 2 * step, margin + place // 2 * step
        picture.alpha_composite(tile(name, size), at)
    (PICTURES / "icon.png").write_bytes(png(picture))


def preview() -> None:
    """Draw what a link to the page shows: a solved board, at the size that all previews take."""
    size, step = 104, 114
    rows = replay(Focdle(), SECRET, (*GUESSES, SECRET)).turns
    picture = Image.new("RGBA", (1200, 630), GROUND)
    left, top = ((side - n * step + step - size) // 2 for side, n in ((1200, 10), (630, len(rows))))
    for y, turn in enumerate(rows):
        for x, name in enumerate(names_of(turn, Palette.STANDARD)):
            picture.alpha_composite(tile(name, size), (left + x * step, top + y * step))
    picture.convert("RGB").quantize(64).save(FILES / "preview.png", optimize=True)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    icon()
    preview()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fix_puzzle(Path(folder)))
        asyncio.run(keypad(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(fix_puzzle(Path(folder)))
        with (
            run_playground(Path(folder), "--today", TODAY) as playground,
            open_browser(playground.address, width=WIDTH, height=2600) as page,
        ):
            play(page)
            break_code(page, Path(folder))
            become(page, "Ben")  # the bot breaks no code of Ann's beside her ranked game
            contradict(page)
    with (
        tempfile.TemporaryDirectory() as folder,
        run_playground(Path(folder), "--today", TODAY) as playground,
        open_browser(playground.address, width=WIDTH, height=2600) as page,
    ):
        duel(page)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play_season(Path(folder), date.fromisoformat(TODAY)))
        stay(Path(folder))
        with (
            run_playground(Path(folder), "--today", TODAY) as playground,
            open_browser(playground.address, width=WIDTH, height=2600) as page,
        ):
            post(page)
            standings(page)


if __name__ == "__main__":
    main()
