"""Makes the papers' pictures from the playground, in which Ben and Cleo play: `make pictures`."""

import asyncio
import re
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, ViewportSize, sync_playwright
from playwright.sync_api import TimeoutError as LateError

from bot.db.database import Database
from bot.focdle import store as focdle_store
from bot.playground.world import PEOPLE
from bot.text.pictures.drawing import GROUND, png
from bot.text.pictures.tile_art import names_of, tile
from bot.text.tiles import Palette, TileState, tile_name
from engine import Focdle, replay
from engine.solvers.focdle.difficulty import difficulty
from tests.support.asking import free_port
from tests.support.playground import FLAGS, find_browser, run_playground, type_command
from web.page import FILES

PICTURES: Final = Path(__file__).parents[1] / "docs" / "pictures"
TODAY: Final = "2026-12-04"
NUMBER: Final = 338
SECRET: Final = "25+4*12=73"
SALT: Final = "9f2c4e81d07ab356c41f0e8d7a62b593"
GUESSES: Final = ("13+12-8=17", "72+31%6=73", "21+4*13=73")
RACED: Final = ("13+12-8=17", "15*4-23=37", "12*6-35=37")
"""Ann's guesses in the race, down to its secret."""
NUMBERS: Final = ("4325", "1234", "5678")
"""Ann's number in the duel, and her guesses."""
ICON: Final = (
    ("7", TileState.CORRECT),
    ("+", TileState.PRESENT),
    ("%", TileState.ABSENT),
    ("=", TileState.CORRECT),
)
KEYS: Final = {"+": "plus", "-": "minus", "*": "times", "%": "remainder", "=": "equals"}
PHONE: Final[ViewportSize] = {"width": 360, "height": 640}
LISTED: Final = (1920, 1080)
"""The size of the pictures for directories."""
_CHANNEL: Final = "#323339"
"""The ground of a channel in the playground."""
_MARGIN: Final = 60
_BARE: Final = """
const style = new CSSStyleSheet();
style.replaceSync("#toolbar, article:has(.message-ephemeral-note) { display: none }");
document.adoptedStyleSheets.push(style);
"""
"""Shows of the playground only what everybody sees in the channel."""
_FILM_MS: Final = 15_000
_COLOURS: Final = 64
_LONGEST: Final = 6
_PATIENCE_SECONDS: Final = 240


class Film:
    """What a phone shows, picture by picture, each with how long it is seen."""

    def __init__(self) -> None:
        self._pictures: list[Image.Image] = []
        self._milliseconds: list[float] = []

    def take(self, page: Page, milliseconds: float) -> None:
        """Take a picture, unless it is the last one again, which is then seen for longer."""
        picture = Image.open(BytesIO(page.screenshot(scale="css"))).convert("RGB")
        if self._pictures and self._pictures[-1].tobytes() == picture.tobytes():
            self._milliseconds[-1] += milliseconds
        else:
            self._pictures.append(picture)
            self._milliseconds.append(milliseconds)

    def roll(self, page: Page, seconds: float) -> None:
        """Film whatever moves."""
        end = time.monotonic() + seconds
        while (began := time.monotonic()) < end:
            self.take(page, 0)
            self._milliseconds[-1] += 1000 * (time.monotonic() - began)

    def save(self, name: str) -> None:
        """Save the film, at its length, and its last picture as a still, in the same colours.

        These are the colours of what is seen longest.
        """
        order = sorted(range(len(self._pictures)), key=self._milliseconds.__getitem__)
        longest = Image.new("RGB", (PHONE["width"], PHONE["height"] * _LONGEST))
        for place, n in enumerate(order[-_LONGEST:]):
            longest.paste(self._pictures[n], (0, PHONE["height"] * place))
        few = longest.quantize(_COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        first, *others = (
            each.quantize(palette=few, dither=Image.Dither.NONE) for each in self._pictures
        )
        pace = _FILM_MS / sum(self._milliseconds)
        first.save(
            PICTURES / f"{name}.gif",
            save_all=True,
            append_images=others,
            duration=[max(20, round(each * pace, -1)) for each in self._milliseconds],
            loop=0,
            optimize=False,
        )
        others[-1].save(PICTURES / f"{name}.png", optimize=True)


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


class Ann:
    """The playground's first member, with Discord on a large screen, and two pages on a phone."""

    def __init__(self, browser: Browser, channel: str, page: str, folder: Path) -> None:
        self.screen = browser.new_page(
            viewport={"width": 900, "height": 1600}, device_scale_factor=2, color_scheme="dark"
        )
        self.screen.goto(channel)
        phone = partial(
            browser.new_page, viewport=PHONE, device_scale_factor=2, color_scheme="dark"
        )
        self.discord = phone()
        self.discord.goto(channel)
        self.discord.evaluate(_BARE)
        self.page = phone(has_touch=True)
        self._address = page
        self._folder = folder
        self.phones: list[Image.Image] = []

    def enter(self) -> None:
        """Go on with today's board on the page."""
        self.page.goto(self._address)
        self.tap("Play as Ann")
        self.page.locator(".typed").wait_for()

    def tap(self, label: str) -> None:
        self.page.get_by_role("button", name=label, exact=True).first.tap()

    def guess(self, text: str, film: Film | None = None) -> None:
        for symbol in text:
            key = self.page.locator(f'.keypad button[aria-label^="{KEYS.get(symbol, symbol)}"]')
            key.first.tap()
            if film is not None:
                film.take(self.page, 90)
        self.tap("Guess")

    def keep(self) -> None:
        """Keep what the phone shows for the picture of three."""
        self.phones.append(Image.open(BytesIO(self.page.screenshot())).convert("RGB"))

    def wait(self, is_done: Callable[[], object]) -> None:
        """Wait for what others do, with Discord's page up to date."""
        end = time.monotonic() + _PATIENCE_SECONDS
        while not is_done():
            assert time.monotonic() < end, "nobody did it"
            self.screen.locator("#refresh").click()
            self.screen.wait_for_timeout(1000)

    def press(self, label: str) -> None:
        self.screen.get_by_role("button", name=label, exact=True).last.click()

    def submit(self, label: str, text: str) -> None:
        """Press a button for its form, again if a busy machine lost the click, and fill it in."""
        form = self.screen.get_by_role("dialog")
        while not form.count():
            self.press(label)
            with suppress(LateError):
                form.wait_for(timeout=8000)
        form.get_by_role("textbox").fill(text)
        form.get_by_role("button", name="Submit").click()
        form.wait_for(state="hidden")

    def message(self, text: str | re.Pattern[str]) -> Locator:
        return self.screen.get_by_role("article").filter(has_text=text).last

    def race_for(self, secret: str) -> None:
        with closing(sqlite3.connect(self._folder / "playground.db")) as database, database:
            database.execute("update races set secret = ? where finished_at is null", (secret,))


def play(ann: Ann, film: Film) -> None:
    """Begin today's puzzle in Discord, and solve it on the page."""
    type_command(ann.screen, "/focdle")
    for text in GUESSES[:2]:
        ann.submit("Guess", text)
    listed("board", ann.message("guesses left"))
    ann.enter()
    film.roll(ann.page, 0.8)
    for text in (GUESSES[2], SECRET):
        ann.guess(text, film)
        film.roll(ann.page, 1.5)
        if text != SECRET:
            ann.keep()
    ann.page.get_by_role("button", name="Share", exact=True).wait_for()
    film.roll(ann.page, 1)
    ann.keep()


def share(ann: Ann, film: Film) -> None:
    """Share the result, and wait until the faces of all three are on the card."""
    ann.tap("Share")
    ann.page.get_by_text("Shared in Discord").wait_for()
    film.take(ann.page, 600)
    all_three = "".join(f"[alt*='{name}']" for name in PEOPLE)
    ann.wait(ann.screen.locator(f"img{all_three}").count)
    card = ann.screen.get_by_role("article").filter(has=ann.screen.locator(f"img{all_three}"))
    listed("card", card.last)
    shown = ann.discord.locator(f"img{all_three}")

    def is_shown() -> bool:
        ann.discord.locator("#refresh").dispatch_event("click")
        ann.discord.wait_for_timeout(1500)
        return shown.count() > 0 and shown.last.evaluate("image => image.naturalWidth > 0")

    ann.wait(is_shown)
    shown.last.evaluate("image => image.closest('article').scrollIntoView({ block: 'end' })")
    ann.discord.wait_for_timeout(500)
    film.take(ann.discord, 2600)


def race(ann: Ann, film: Film) -> None:
    """Open a race on the page, which Ben and Cleo join, and wait for its end."""
    ann.tap("Back")
    races = ann.page.get_by_role("group", name="Race")
    races.get_by_role("button", name="FoCdle", exact=True).tap()
    ann.page.get_by_role("button", name="Start", exact=True).wait_for()
    ann.race_for(RACED[-1])
    ann.page.get_by_text("Cleo").first.wait_for()
    film.take(ann.page, 900)
    ann.tap("Start")
    ann.page.locator(".typed").wait_for()
    for text in RACED[:-1]:
        ann.guess(text)
        ann.page.wait_for_timeout(6000)
    ann.guess(RACED[-1], film)
    film.roll(ann.page, 1.2)
    end = ann.page.get_by_role("button", name="Again", exact=True)

    def is_over() -> bool:
        film.take(ann.page, 25)
        return end.count() > 0

    ann.wait(is_over)
    film.roll(ann.page, 1)
    film.take(ann.page, 1800)
    ann.keep()


def duel(ann: Ann) -> None:
    """Ask whether anybody is here for a duel, and play it for a while."""
    number, *guesses = NUMBERS
    type_command(ann.screen, "/duel")
    ann.submit("Anybody here?", number)
    for text in guesses:
        ann.wait(ann.message(re.compile("@Ann (goes first|to move)")).count)
        ann.submit("Guess", text)
        ann.screen.wait_for_timeout(2000)
    listed("duel", ann.message("to move"))


def coach(ann: Ann) -> None:
    type_command(ann.screen, "/focdle")
    ann.screen.get_by_role("button", name="Coach", exact=True).last.wait_for()
    ann.press("Coach")
    ann.screen.get_by_role("button", name="Details").last.wait_for()
    listed("coach", ann.screen.get_by_role("article").last)


def listed(name: str, shown: Locator) -> None:
    """Take a picture of a message, for directories."""
    shown.page.mouse.move(0, 0)
    shown.page.evaluate("document.activeElement.blur()")
    while not shown.page.evaluate("[...document.images].every(image => image.naturalWidth)"):
        shown.page.wait_for_timeout(200)
    shown.scroll_into_view_if_needed()
    shown.page.wait_for_timeout(1000)  # until nothing moves
    put(name, [Image.open(BytesIO(shown.screenshot())).convert("RGB")], _CHANNEL)


def put(name: str, pictures: list[Image.Image], ground: str = GROUND) -> None:
    """Put pictures side by side, as large as they fit."""
    width, height = (side - 2 * _MARGIN for side in LISTED)
    wide = sum(each.width for each in pictures) + _MARGIN * (len(pictures) - 1)
    scale = min(width / wide, height / max(each.height for each in pictures))
    whole, x = Image.new("RGB", LISTED, ground), round(LISTED[0] - wide * scale) // 2
    for each in pictures:
        size = round(each.width * scale), round(each.height * scale)
        fitting = each.resize(size, Image.Resampling.LANCZOS)
        whole.paste(fitting, (x, (LISTED[1] - size[1]) // 2))
        x += size[0] + round(_MARGIN * scale)
    whole.quantize(128).save(PICTURES / f"{name}.png", optimize=True)


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
    icon()
    preview()
    film, port = Film(), free_port()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asyncio.run(fix_puzzle(folder))
        with (
            run_playground(folder, "--today", TODAY, "--port", f"{port}") as playground,
            sync_playwright() as driver,
        ):
            browser = driver.chromium.launch(executable_path=find_browser(), args=FLAGS)
            page = f"http://127.0.0.1:{port + 2}/page?as=ann"
            ann = Ann(browser, playground.address, page, folder)
            play(ann, film)
            share(ann, film)
            coach(ann)
            race(ann, film)
            film.save("playing")
            put("page", ann.phones)
            duel(ann)
            browser.close()


if __name__ == "__main__":
    main()
