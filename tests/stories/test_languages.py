"""Who speaks which language: Discord's lists of commands, servers, players."""

from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from simcord import InteractionResult

from bot.text.labels import FOCDLE, HELP_TOPIC
from bot.text.language import offered, offered_for
from tests.support.catalogues import german
from tests.support.duel_stories import NUMBERS, WRONG, dare, to_move, typed
from tests.support.screen import OUTDATED, buttons, custom_ids, seen, text
from tests.support.simcord_gaps import changing_events, interact
from tests.support.table import SECRET, Table

SPANISH = {
    FOCDLE: "El FoCdle de hoy",
    HELP_TOPIC: "Qué explicar" * 10,
    "What this bot does": "Qué hace este bot",
    "Game stats": "Estadísticas",
    "Your preferences": "Tus preferencias",
    "Accept": "Aceptar",
    "More": "Más",
    "**{language}, beta.** Not checked by native speakers yet.": "**{language}, beta.** Sin leer.",
}
BETA = "**Español, beta.** Sin leer."
ADVICE = "**Language: Español**\n-# Messages that everybody here sees."


@pytest.fixture(autouse=True)
def _spanish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with german(tmp_path, monkeypatch, SPANISH, "es"):
        yield


def in_spanish(table: Table, locale: str = "es-419") -> AbstractContextManager[None]:
    """In this block everybody's Discord is in Spanish."""

    def change(event: dict[str, Any]) -> bool:
        if "locale" in event and "token" in event:
            event["locale"] = locale
        return True

    return changing_events(table.env, change)


def told(result: InteractionResult) -> list[str]:
    return [text(each) for each in result.followups]


async def test_commands_are_listed_in_each_language_and_typed_in_english(table: Table) -> None:
    requests = [r for r in table.env.http_requests if r.method == "PUT"]
    (sent,) = [request.json for request in requests if request.path.endswith("/commands")]
    listed: dict[str, dict[str, Any]] = {each["name"]: each for each in sent or ()}
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


def test_languages_to_choose_from_are_those_with_a_catalogue() -> None:
    assert offered() == ("en-US", "es")
    found = [offered_for(tag) for tag in ("es-ES", "es-419", "pt-BR", "en-GB", "")]
    assert found == ["es", "es", "en-US", "en-US", "en-US"]


async def test_a_players_language_is_discords_or_a_choice_and_a_beta_is_told_once(
    table: Table,
) -> None:
    with in_spanish(table):
        first = await table.ann.slash(table.channel, "preferences")
        assert "Tus preferencias" in text(seen(first))
        assert told(first) == [BETA]
        again = await table.ann.slash(table.channel, "preferences")
        assert "Tus preferencias" in text(seen(again))
        assert told(again) == []
        shown = seen(await table.ann.click(first.followups[0], label="English"))
        assert "### Your preferences" in text(shown)
        await table.restart()
        third = await table.ann.slash(table.channel, "preferences")
        assert "### Your preferences" in text(seen(third))
        assert told(third) == []
        listed = f"pref:languages:{table.ann.id}"
        shown = seen(await table.ann.click(seen(third), label="More"))
        await table.ann.select(shown, ["discord"], custom_id=listed)
        assert "Tus preferencias" in text(seen(await table.ann.slash(table.channel, "preferences")))
    assert "### Your pref" in text(seen(await table.ann.slash(table.channel, "preferences")))
    shown = seen(await table.ben.slash(table.channel, "preferences"))
    shown = seen(await table.ben.click(shown, label="More"))
    chosen = await table.ben.select(shown, ["es"], custom_id=f"pref:languages:{table.ben.id}")
    assert "**Language: Español**" in text(seen(chosen))
    assert told(chosen) == [BETA]


async def test_what_a_server_sees_is_in_its_language_which_a_manager_is_offered(
    table: Table,
) -> None:
    table.let_manage(table.ann)
    with in_spanish(table):
        shown = seen(await table.ann.slash(table.channel, "settings"))
        assert "**Language: English**" in text(shown)
        await table.ann.click(shown, label="Español")
        assert ADVICE in text(shown)
        assert "Español" not in buttons(shown)
    board = await dare(table.ann, table.channel, table.ben)
    assert "Aceptar" in buttons(board)
    board = await typed(table.ben, board, NUMBERS[1], "Aceptar")
    private = seen(await table.ben.click(board, label="Más"))
    assert "Offer a draw" in buttons(private)
    shown = seen(await table.ann.slash(table.channel, "settings"))
    await table.ann.select(shown, ["discord"], custom_id="set:language")
    assert "**Language: English**" in text(shown)
    mover, _ = to_move(table, board)
    assert "Más" in buttons(board)
    await typed(mover, board, WRONG[0])
    assert "More" in buttons(board)


async def test_who_turns_daily_posts_on_is_offered_their_own_language_for_the_server(
    table: Table,
) -> None:
    table.let_manage(table.ann)
    with in_spanish(table):
        told_after = await table.ann.slash(table.channel, "focdle", guess=SECRET)
        (question,) = [each for each in told_after.followups if "Yes" in buttons(each)]
        settled = seen(await table.ann.click(question, label="Yes"))
        assert buttons(settled) == ["Español"]
        assert ADVICE in text(seen(await table.ann.click(settled, label="Español")))
    assert (await table.services.settings.view(table.ann.guild.id)).language == "es"


async def test_a_language_that_is_not_offered_is_nobodys(table: Table) -> None:
    table.let_manage(table.ann)
    shown = seen(await table.ann.slash(table.channel, "settings"))
    message = table.env.backend.get_message(table.channel.id, shown.id)
    for tag in ("de", "xx", "..", "en-GB"):
        data = {"custom_id": "set:language", "component_type": 3, "values": [tag]}
        refused = await interact(table.ann, 3, table.channel, data, message)
        assert OUTDATED in text(refused.followups[-1] if refused.followups else seen(refused))
    pressed = {"custom_id": "set:speak:es", "component_type": 2}
    refused = await interact(table.ben, 3, table.channel, pressed, message)
    assert "Manage Server" in text(refused.followups[-1] if refused.followups else seen(refused))
    assert (await table.services.settings.view(table.ann.guild.id)).language is None
    assert "set:language" in custom_ids(shown)
