"""What members are shown and what the bot posts, screen by screen: each walk is made once."""

import re
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from bot.refusals import breakdown
from bot.text.language import CATALOGUES
from cogs.ui.routes import find_handler
from tests.golden.conftest import Hold
from tests.golden.walks import WALKS
from tests.support import frozen
from tests.support.budget import excess
from tests.support.catalogues import speak_only, speak_strangely
from tests.support.clock import FakeClock
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.table import Table, open_table
from tests.support.walk import Screen, Walk

_ROOMS = {walk.__name__: walk for walk in WALKS}


class Made(NamedTuple):
    """What came of a walk."""

    text: str
    screens: list[Screen]
    stored: list[str]


_made: dict[str, Made] = {}


@pytest.fixture(scope="module", params=_ROOMS)
def name(request: pytest.FixtureRequest) -> str:
    """A walk: because of the scope, all tests of one are run before the next begins."""
    return request.param


@pytest.fixture
async def made(
    name: str, database_url: str, tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> Made:
    if name not in _made:
        _made.clear()
        async with open_table(database_url, clock) as table:
            walk = Walk(table, tmp_path, monkeypatch)
            await _ROOMS[name](walk)
            stored = frozen.texts(lambda statement: sql(tmp_path, statement))
        walk.notes("Texts in the database", stored)
        _made[name] = Made(walk.text, walk.screens, stored)
    return _made[name]


def test_screens_match_the_golden_files(name: str, made: Made, hold: Hold) -> None:
    hold(f"screens/{name}.txt", made.text)


def test_words_in_the_database_are_those_that_columns_have(made: Made) -> None:
    assert frozen.strange(made.stored) == []


def test_screens_in_play_are_short_and_pages_keep_to_the_word_budget(made: Made) -> None:
    found = {
        screen.doing: [*excess(screen.parts, more=screen.doing.endswith("[More]"))]
        for screen in made.screens
    }
    assert {doing: told for doing, told in found.items() if told} == {}


def test_ids_on_screens_lead_to_a_handler(made: Made) -> None:
    parts = [part for screen in made.screens for part in screen.parts]
    ids = {part["custom_id"] for part in parts if "custom_id" in part}
    assert {each for each in ids if find_handler(each, is_form=False) is None} == set()


# Names of members, of a server, of zones and of languages; codes; what is to be typed as it stands.
_IN_ALL_LANGUAGES: Final = re.compile(
    r"`[^`]*`|<[^>]*>|https://\S+"
    r"|\b(?:English|Português|Brasil|Ann|Ben|Cleo|Puzzle Club|UTC|Europe/\w+|DELETE|RO?YG?)\b"
)
_AT_360_PIXELS: Final = 30
"""Letters of 7.2 pixels in a button: a frame of 248 beside the avatar, 32 of them its padding."""


@pytest.mark.long
@pytest.mark.parametrize("room", either(["duel", "home", "preferences"], [*_ROOMS]))
async def test_where_every_text_is_a_third_longer_screens_fit_discord_and_none_is_left_in_english(
    room: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_strangely(monkeypatch)
    walk = await _walked(room, table, tmp_path, monkeypatch)
    told = [_IN_ALL_LANGUAGES.sub("", text) for text in walk.told]
    assert len(told) > 50
    assert [text for text in told if re.search("[A-Za-z]{2}", text)] == []


@pytest.mark.long
@pytest.mark.parametrize("room", either(["preferences"], [*_ROOMS]))
@pytest.mark.parametrize("locale", sorted(path.name for path in CATALOGUES.iterdir()))
async def test_screens_in_each_language_fit_discord_and_their_buttons_a_phone(
    locale: str, room: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_only(monkeypatch, locale)
    walk = await _walked(room, table, tmp_path, monkeypatch)
    parts = [part for screen in walk.screens for part in screen.parts]
    labels = {part["label"] for part in parts if part["type"] == 2 and part.get("label")}
    assert len(labels) > 5
    assert {label for label in labels if len(label) > _AT_360_PIXELS} == set()


async def _walked(room: str, table: Table, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Walk:
    """Walk in the language that is spoken; Discord refuses nothing."""
    walk = Walk(table, folder, monkeypatch)
    await _ROOMS[room](walk)
    broken = breakdown("", "").partition("`")[0]
    assert [text for text in walk.told if broken in text] == []
    cut = {text for text in walk.told if re.search(r"\S…$", text)}
    assert cut == set()
    return walk
