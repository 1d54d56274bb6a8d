"""The playground as its own process, and a browser to look at it."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).parents[2]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
# As root, in a container and without a graphics card or a network.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass
class Playground:
    """A running playground."""

    process: subprocess.Popen[str]
    address: str

    def stop(self) -> int:
        """Press Ctrl-C; the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(timeout=20)


def surroundings() -> dict[str, str]:
    """The environment of a playground that is started from any folder."""
    return {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        # Neither may be looked at.
        "DISCORD_TOKEN": "not a token",
        "DATABASE_URL": "sqlite:///wrong.db",
    }


@contextmanager
def run_playground(folder: Path, *arguments: str) -> Generator[Playground]:
    """Start the playground in a folder, and wait for its line."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bot.playground", *arguments],
        cwd=folder,
        env=surroundings(),
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    with process, process.stdout:
        try:
            line = process.stdout.readline()
            yield Playground(process, line.split()[-1])
        finally:
            process.kill()


def find_browser() -> str:
    """A Chromium's path; without one the test is skipped, but never in CI."""
    for name in BROWSERS:
        if path := shutil.which(name):
            return path
    if os.environ.get("CI"):
        pytest.fail("CI has no Chromium")
    pytest.skip("no Chromium here; on Debian and Ubuntu: sudo apt install chromium")


@contextmanager
def open_browser(address: str, *, width: int = 1100, height: int = 900) -> Generator[Page]:
    """A page at an address."""
    path = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": height})
        page.set_default_timeout(30_000)
        page.goto(address)
        try:
            yield page
        finally:
            browser.close()


def type_command(page: Page, command: str) -> None:
    """Type a slash command without options, choose it and send it."""
    composer = page.locator("#channel-composer-input")
    composer.click()
    composer.press_sequentially(command)
    # On a slow machine the list arrives after the last key; what is sent before is a mere message.
    page.get_by_role("option").filter(has=page.get_by_text(command, exact=True)).click()
    page.get_by_role("button", name="Send", exact=True).click()


def guess(page: Page, text: str) -> None:
    """Press the last *Guess*, type an equation and submit."""
    page.get_by_role("button", name="Guess", exact=True).last.click()
    form = page.get_by_role("dialog")
    form.get_by_role("textbox").fill(text)
    form.get_by_role("button", name="Submit").click()
    form.wait_for(state="hidden")
