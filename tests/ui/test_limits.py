"""What Discord takes at most is cut where it is placed, and told in the log."""

import io
import logging
from typing import Any, cast

import discord
import pytest
from discord import ui

from cogs.ui.pages import button, fitted, page, picture, row
from cogs.ui.replies import Form, choice, field, radio
from tests.support.plays import size


def lengths(part: Any) -> dict[str, int]:
    """How long the texts of a component are, by name; of those within, the longest."""
    found: dict[str, int] = {}
    for name, value in part.items():
        if isinstance(value, str):
            found[name] = len(value)
        within = cast("list[Any]", value) if isinstance(value, list) else [value]
        for each in within:
            if isinstance(each, dict):
                for inner, most in lengths(each).items():
                    found[inner] = max(found.get(inner, 0), most)
    return found


LONG = "w" * 5000


def test_every_text_of_a_page_is_cut_to_what_discord_takes() -> None:
    options = [discord.SelectOption(label=LONG, value="1", description=LONG)]
    chosen = ui.Select[Any](custom_id="x", placeholder=LONG, options=options)
    file = discord.File(io.BytesIO(), "a.png", description=LONG)
    shown = page(
        LONG, "short", LONG, picture(file), row(chosen), row(button("y", LONG)), files=[file]
    )
    assert size(shown.to_components())[0] == 4000
    (frame,) = shown.to_components()
    gallery, lists, buttons = frame["components"][3:]
    assert lengths(gallery)["description"] == 1024 == len(file.description or "")
    assert {"label": 100, "description": 100, "placeholder": 150}.items() <= lengths(lists).items()
    assert lengths(buttons)["label"] == 80


def test_every_text_of_a_form_is_cut_to_what_discord_takes() -> None:
    options = [discord.SelectOption(label=LONG, value="1")]
    ways = [discord.RadioGroupOption(label=LONG, value="1", description=LONG)]
    form = Form(
        "x",
        LONG,
        LONG,
        field("a", LONG, LONG, placeholder=LONG, draft=LONG, most=30),
        choice("b", LONG, options),
        radio("c", LONG, ways),
    )
    assert len(form.title) == 45
    text, typed, chosen, ticked = form.to_components()
    assert lengths(text)["content"] == 4000
    assert lengths(typed)["value"] == 30
    assert (typed["label"][-2:], lengths(typed)["description"]) == ("w…", 100)
    assert [len(each["label"]) for each in (typed, chosen, ticked)] == [45] * 3
    assert [len(each["component"]["options"][0]["label"]) for each in (chosen, ticked)] == [100] * 2


def test_a_cut_is_logged_once_without_the_text_and_splits_no_letter(
    caplog: pytest.LogCaptureFixture,
) -> None:
    family = "👨\u200d👩\u200d👧"
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert fitted(f"Secret {family * 3}", 13, "a test's place") == f"Secret {family}…"
    (record,) = caplog.records
    assert "a test's place has 22 characters, and Discord takes 13" in record.message
    assert "Secret" not in record.message
    assert fitted("Secret", 6, "a test's place") == "Secret"
