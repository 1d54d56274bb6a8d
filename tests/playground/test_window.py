"""The window around an Activity is Discord's, as far as Discord's own library can tell."""

import subprocess
import tarfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Route, expect

from bot.playground.discord_stub import DiscordStub, User
from tests.support.discord_window import ACTIVITY, Window, open_window
from tests.support.needed import needed

pytestmark = pytest.mark.long(only=True)

LOCK = Path(__file__).parents[2] / "locks" / "activity.sha512"
ANN, BEN = User(7, "ann", "Ann"), User(8, "ben", "Ben")
SERVER, CHANNEL = 2, 3


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Discord's library, as npm has it under the locked hash."""
    npm = needed("npm")  # to get Discord's library
    digest, package = LOCK.read_text(encoding="utf-8").split()
    folder = tmp_path_factory.mktemp("sdk")
    subprocess.run([npm, "pack", package], cwd=folder, check=True, timeout=100)
    (packed,) = folder.glob("*.tgz")
    assert sha512(packed.read_bytes()).hexdigest() == digest
    with tarfile.open(packed) as archive:
        # A Python before 3.11.4 has no filters.
        safely: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
        archive.extractall(folder, **safely)  # noqa: S202 - it has the locked hash
    return folder / "package" / "output"


@asynccontextmanager
async def window(library: Path, query: str = "") -> AsyncGenerator[Window]:
    """The window around a page with Discord's library."""
    stub = DiscordStub(42, "secret", "token")
    stub.codes = {"ann": ANN, "ben": BEN}
    stub.runs([ANN, BEN], CHANNEL, SERVER)
    stub.runs([ANN], 5)

    async def activity(route: Route) -> None:
        path = route.request.url.removeprefix(ACTIVITY).partition("?")[0]
        if path == "/":
            body = '<!doctype html><body><script type="module" src="sdk.js"></script>'
            await route.fulfill(body=body, content_type="text/html")
        else:
            inner = path.removeprefix("/sdk/")
            file = Path(__file__).with_name("sdk.js") if path == "/sdk.js" else library / inner
            await route.fulfill(path=file, content_type="text/javascript")

    async with open_window(stub, activity, query) as found:
        yield found


async def told_to(found: Window, until: str = "isDone") -> dict[str, Any]:
    """What the library was told, once it was told that."""
    await found.frame.wait_for_function(f"globalThis.told?.{until} !== undefined")
    return await found.frame.evaluate("told")


async def test_discords_library_gets_an_answer_to_every_call_that_an_activity_makes(
    library: Path,
) -> None:
    async with window(library, "?as=ben&custom_id=17") as found:
        told = await told_to(found)
        assert told.pop("code").startswith("ben.")
        assert told == {
            "instanceId": "i-1-gc-2-3",
            "guildId": "2",
            "channelId": "3",
            "locationId": "gc-2-3",
            "platform": "desktop",
            "customId": "17",
            "isReady": True,
            "unknown": {"code": 4006},
            "user": "ben",
            "locale": {"locale": "en-US"},
            "people": ["Ann", "Ben"],
            "event": 2,
            "link": {"opened": True},
            "lock": {"code": 4002},
            "strange": {"code": 4002},
            "isDone": True,
        }
        await found.frame.evaluate("sdk.close(1000, '')")
        await expect(found.page.get_by_text("The Activity has closed.")).to_be_visible()
        log = await found.log()
        assert log[0][0] == 0
        assert log[0][1]["sdk_version"] == "2.5.0"
        assert log[-1][0] == 2


async def test_discords_library_learns_that_it_runs_in_direct_messages_on_a_phone(
    library: Path,
) -> None:
    async with window(library, "?as=ann&dm=1&phone=1") as found:
        told = await told_to(found)
        assert (told["guildId"], told["locationId"]) == (None, "pc-5")
        assert (told["platform"], told["lock"], told["people"]) == ("mobile", None, ["Ann"])
        assert "sdk_version" not in (await found.log())[0][1]


@pytest.mark.parametrize(
    ("query", "wrong"),
    [
        ("?refused=1", {"code": 5000}),
        ("?old=1", {"people": 4002, "event": 4002, "link": 4002, "locale": 4002}),
        ("?slow=0.2", {}),
    ],
)
async def test_an_error_simulated_by_the_window_reaches_discords_library_with_its_code(
    library: Path, query: str, wrong: dict[str, int]
) -> None:
    async with window(library, query) as found:
        told = await told_to(found)
        named = ("code", "people", "event", "link", "locale")
        failed = {name: told[name] for name in named if isinstance(told[name], dict)}
        codes = {name: each["code"] for name, each in failed.items() if "code" in each}
        assert codes == wrong


async def test_discords_library_never_becomes_ready_in_a_window_that_does_not_answer(
    library: Path,
) -> None:
    async with window(library, "?mute=1") as found:
        told = await told_to(found, "instanceId")
        assert "isReady" not in told
        assert [opcode for opcode, _ in await found.log()] == [0]


async def test_the_window_ignores_messages_from_strangers_and_a_second_handshake(
    library: Path,
) -> None:
    async with window(library) as found:
        await told_to(found)
        before = await found.log()
        await found.page.evaluate("postMessage([1, {cmd: 'AUTHORIZE', nonce: 'n'}], '*')")
        assert await found.log() == before
        heard = await found.frame.evaluate(
            """async (handshake) => {
                let heard = 0;
                addEventListener("message", () => heard++);
                parent.postMessage(handshake, "*");
                await sdk.commands.openExternalLink({ url: "https://example.org" });
                return heard;
            }""",
            before[0],
        )
        assert not heard  # what answers the link is heard by the library first
