"""Who speaks which language: Discord's lists of commands, servers, players."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bot.text.labels import FOCDLE, HELP_TOPIC
from tests.support.catalogues import german
from tests.support.table import Table

SPANISH = {
    FOCDLE: "El FoCdle de hoy",
    HELP_TOPIC: "Qué explicar" * 10,
    "What this bot does": "Qué hace este bot",
    "Game stats": "Estadísticas",
}


@pytest.fixture(autouse=True)
def _spanish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with german(tmp_path, monkeypatch, SPANISH, "es"):
        yield


async def test_commands_are_listed_in_each_language_and_typed_in_english(table: Table) -> None:
    requests = [r for r in table.env.http_requests if r.method == "PUT"]
    (told,) = [request.json for request in requests if request.path.endswith("/commands")]
    listed: dict[str, dict[str, Any]] = {each["name"]: each for each in told or ()}
    focdle, topic = listed["focdle"], listed["help"]["options"][0]
    assert focdle["description_localizations"] == {
        "en-US": FOCDLE,
        "en-GB": FOCDLE,
        "es-ES": SPANISH[FOCDLE],
        "es-419": SPANISH[FOCDLE],
    }
    assert not focdle["name_localizations"]
    assert "name_localizations" not in topic
    assert len(topic["description_localizations"]["es-ES"]) == 100
    (choice,) = [each for each in topic["choices"] if each["name"] == "What this bot does"]
    assert choice["name_localizations"]["es-419"] == "Qué hace este bot"
    assert listed["Game stats"]["name_localizations"]["es-ES"] == "Estadísticas"
