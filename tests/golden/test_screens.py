"""What members are shown and what the bot posts, screen by screen, is what it was."""

from pathlib import Path

import pytest

from tests.golden.conftest import Hold
from tests.golden.walks import WALKS
from tests.support import frozen
from tests.support.catalogues import speak_longer
from tests.support.effort import either
from tests.support.sql import sql
from tests.support.table import Table
from tests.support.walk import Walk

_ROOMS = {walk.__name__: walk for walk in WALKS}


@pytest.mark.parametrize("name", _ROOMS)
async def test_screens_match_the_golden_files(
    name: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hold: Hold
) -> None:
    walk = Walk(table, tmp_path, monkeypatch)
    await _ROOMS[name](walk)
    texts = frozen.texts(lambda statement: sql(tmp_path, statement))
    assert frozen.strange(texts) == []
    walk.notes("Texts in the database", texts)
    hold(f"screens/{name}.txt", walk.text)


@pytest.mark.long
@pytest.mark.parametrize("name", either(["coach", "duel", "home", "standings"], [*_ROOMS]))
async def test_screens_fit_discords_limits_where_every_text_is_a_third_longer(
    name: str, table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    speak_longer(monkeypatch)
    walk = Walk(table, tmp_path, monkeypatch)
    await _ROOMS[name](walk)
    assert "Something broke" not in walk.text
