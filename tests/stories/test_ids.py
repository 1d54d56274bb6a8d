"""Ids that no message of the bot's has, and lists in which nothing is chosen."""

import logging
import re
from typing import Any, Final

import discord
import pytest
from discord import ui

from cogs.ui.routes import find_handler
from tests.support.forging import forge_form
from tests.support.ids import SAMPLES
from tests.support.loose import post
from tests.support.screen import OUTDATED, seen, text
from tests.support.table import Table

NOTHING_CHOSEN: Final = "Nothing was chosen."
NOT_ALLOWED: Final = "You need the Manage Server permission."
# Longer than the integers of SQL; too large for them; other digits than ours.
IMPOSSIBLE: Final = ("1" + "0" * 19, "1" * 60, str(2**63), "9" * 19, "٣", "３", "²")
LARGEST: Final = "8" + "9" * 18
# What a player has typed stands in ids as it is.
_DRAFT: Final = re.compile(
    r"(?<=:edit:1:).*|(?<=:type:1:).*|(?<=du:guess:1:).*"
    r"|(?<=ra:submit:1:).*|(?<=:probe:1:).*|(?<=coach:ask:play:1:2:).*|(?<=hint:p:play:1:).*|(?<=:send:1:).*"
)


def with_numbers(sample: str, number: str) -> list[str]:
    """An id with another number, in each place that has one."""
    draft = _DRAFT.search(sample)
    end = len(sample) if draft is None else draft.start()
    places = [match.span() for match in re.finditer(r"\d+", sample[:end])]
    return [sample[:start] + number + sample[stop:] for start, stop in places]


def is_understood(custom_id: str) -> bool:
    return any(find_handler(custom_id, is_form=is_form) for is_form in (True, False))


@pytest.mark.parametrize("number", IMPOSSIBLE)
def test_no_handler_is_found_for_a_custom_id_with_an_impossible_number(number: str) -> None:
    sent = [changed for sample in SAMPLES for changed in with_numbers(sample, number)]
    assert len(sent) > 80
    assert [each for each in sent if is_understood(each)] == []


def test_custom_ids_can_contain_ids_as_long_as_discords() -> None:
    snowflake = "1573306918502400034"
    for sample in ("pref:zone:1", "stats:show:1:1", "fd:form:1:1", "lb:place:focdle.week.0.1:1"):
        changed = sample.replace("1", snowflake)
        assert is_understood(changed), changed


async def test_a_custom_id_with_an_impossible_number_is_called_outdated(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    message = await post(table.world, ui.Button[Any](label="x", custom_id=f"du:page:{2**63}"))
    answer = seen(await table.ann.click(message, label="x"))
    assert answer.ephemeral
    assert text(answer) == OUTDATED

    form = f"fd:form:{2**63}:{table.ann.id}"
    sent = await forge_form(table.ann, table.channel, form, {"guess": "1"})
    assert text(seen(sent)) == OUTDATED
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


async def test_custom_ids_with_the_largest_numbers_are_answered_without_an_error(
    table: Table, caplog: pytest.LogCaptureFixture
) -> None:
    """Whatever they stand for, that is told in words, and breaks nothing."""
    sent = {with_numbers(sample, LARGEST)[0] for sample in SAMPLES if re.search(r"\d", sample)}
    sent = {each for each in sent if find_handler(each, is_form=True) is None}
    for custom_id in sent:
        table.clock.advance(seconds=1)  # nobody presses so many at once
        message = await post(table.world, ui.Button[Any](label="x", custom_id=custom_id))
        result = await table.ann.click(message, label="x")
        assert result.acknowledged, custom_id
    assert [r.getMessage() for r in caplog.records if r.levelno >= logging.WARNING] == []


async def test_a_selection_of_nothing_is_answered_with_a_remark_that_nothing_was_chosen(
    table: Table,
) -> None:
    """And those who may not choose are told that first."""
    table.let_manage(table.ann)
    option = discord.SelectOption(label="x")
    settings = ["set:length", "set:zones", "set:hour", "set:days", "set:role:0", "set:channel:0"]
    own = [
        f"pref:zones:{table.ann.id}",
        "mm:d:pick:1:1",
        f"lb:game:streak.all.0.{table.ann.guild.id}:{table.ann.id}",
    ]
    for custom_id in (*settings, *own):
        items = ui.Select[Any](custom_id=custom_id, min_values=0, options=[option])
        message = await post(table.world, items)
        if custom_id in settings:
            answer = seen(await table.ben.select(message, [], custom_id=custom_id))
            assert text(answer) == NOT_ALLOWED, custom_id
        answer = seen(await table.ann.select(message, [], custom_id=custom_id))
        assert answer.ephemeral
        assert text(answer) == NOTHING_CHOSEN, custom_id
