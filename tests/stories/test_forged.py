"""Clicks that Discord would not let through: on what was never offered, and on what is others'."""

import json
import logging
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from typing import Any

import discord
import pytest
from discord import app_commands
from hypothesis import given, seed, settings
from hypothesis import strategies as st
from simcord import ChannelHandle, MemberActor

from bot.mastermind.game import Setting
from cogs.ui.routes import TICK, TYPED, Argument, By, Handler, Means, Route, find_handler
from tests.support.crowded import CODE, GUESS, GUESSED, NUMBERS, crowd, stored
from tests.support.effort import either
from tests.support.forging import (
    Actor,
    dm_of,
    forge_click,
    forge_command,
    forge_form,
    forge_menu,
    handlers,
    samples_of,
    with_games,
)
from tests.support.screen import OUTDATED, text
from tests.support.sql import sql
from tests.support.table import Table

NONSENSE = (
    *("x", "99", "999999", "9" * 19, "-1", "1.5", "٣", "３", "²", "\0", "a\ud800", " ", "," * 30),
    *("focdle.day", "day.2", "all.1", "streak", "week.1", "Europe/Nowhere", "9r", "classic,equal"),
    "x" * 7000,
)
"""Wrong text, numbers out of range and in other digits, others' values, two in one, very long."""
WRONG_KINDS: tuple[Any, ...] = (0, -1, 99, 2**70, 1.5, True, None, [], {})
SEEN = ("players", "members")
"""Whoever is seen is noted whatever they do."""


def assert_nothing_broke(caplog: pytest.LogCaptureFixture, what: object) -> None:
    """Nothing that the people who run the bot are to mend."""
    found = [r for r in caplog.records if r.levelno >= logging.WARNING or r.exc_info]
    assert not found, (what, found[0].getMessage(), found[0].exc_text)


def answers_to(result: Any) -> str:
    """Whatever an interaction was answered with."""
    messages = [*filter(None, [result.response]), *result.followups]
    return "\n".join(map(text, messages))


def good(kind: Argument) -> str:
    """Something that a field of a kind takes; what is typed is no code, no number and no word."""
    texts = (
        "x",
        "6",
        "r",
        "equal",
        "live",
        "1",
        "sharp",
        "streak",
        "week.0",
        "Asia/Tokyo",
        "nothing",
        "answers",
        "",
    )
    return next(each for each in texts if re.fullmatch(kind.pattern, each))


def commands_of(table: Table) -> list[app_commands.Command[Any, ..., Any]]:
    """Every command, and those of groups."""
    bot = table.bot
    found = bot.tree.walk_commands()
    return [each for each in found if isinstance(each, app_commands.Command)]


def is_meant(parameter: app_commands.Parameter, value: object) -> bool:
    """Whether somebody may send it after all."""
    if parameter.type is discord.AppCommandOptionType.string:
        return not parameter.choices and value in ("99", "-1", "1.5")  # a puzzle, a zone, a date
    return parameter.type is discord.AppCommandOptionType.boolean and isinstance(value, bool)


def secrets_of(table: Table, folder: Path) -> set[str]:
    """Names, ids, codes and equations that are nobody else's business."""
    found = {CODE, GUESSED, GUESS}
    for who in (table.ann, table.ben):
        found |= {who.user.global_name or "", str(who.id)}
    return found | {secret for (secret,) in sql(folder, "SELECT secret FROM puzzles")}


def told_since(table: Table, sent: int) -> str:
    """All that the bot has told anybody since so many requests."""
    bodies = [each.json for each in table.env.http_requests[sent:] if each.method != "GET"]
    return json.dumps(bodies, ensure_ascii=False)


def is_told(secret: str, answer: str) -> bool:
    """Whether it stands there for itself: seals have any digits within."""
    return re.search(rf"(?<![0-9A-Za-z]){re.escape(secret)}(?![0-9A-Za-z])", answer) is not None


async def use(handler: Handler, who: Actor, channel: ChannelHandle, custom_id: str) -> None:
    """Use what has an id, with values that could be meant."""
    values = {name: good(kind) for name, kind in handler.fields.items()}
    if handler.means is Means.FORM:
        await forge_form(who, channel, custom_id, values)
    else:
        await forge_click(who, channel, custom_id, *values.values())


# Set equations, races and cards are only known in their own channel.
_THEIRS = (
    *("That's somebody else", "board is somebody else"),
    *("That equation is gone", "That race is gone", "That card is gone"),
)


def is_refused(answer: str) -> bool:
    others = ("is gone", "coach speaks when", "Nobody has guessed", "not in this race")
    return is_theirs(answer) or any(words in answer for words in others)


def is_theirs(answer: str) -> bool:
    return any(words in answer for words in _THEIRS)


async def crowded(table: Table, folder: Path) -> None:
    await crowd(table, folder)
    table.let_manage(table.ann)


def ids_of(table: Table, handler: Handler) -> list[str]:
    """Ids that a handler has, one for each game that it may be about."""
    arguments, *_ = samples_of(handler)
    if "board" in arguments:
        arguments["board"] = replace(arguments["board"], guild_id=table.ann.guild.id)
    if "player" in arguments:
        arguments["player"] = table.ann.id
    ids = (handler.route(**each) for each in with_games(arguments))
    return [each for each in ids if handler.route.read(each) is not None]


def drawn_ids(routes: Sequence[Route], count: int) -> list[str]:
    """Some that each of these routes reads, the shortest first."""
    found = dict[str, None]()

    @seed(36)
    @settings(database=None, deadline=None, max_examples=count)
    @given(st.tuples(*(st.from_regex(each.pattern, fullmatch=True) for each in routes)))
    def draw(ids: tuple[str, ...]) -> None:
        for custom_id in ids:
            if len(custom_id) <= 100 and find_handler(custom_id, is_form=False) is not None:
                found[custom_id] = None

    draw()
    return list(found)


class TestNeverOffered:
    async def test_a_forged_choice_is_called_outdated_and_changes_nothing(
        self, table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        await crowded(table, tmp_path)
        before = stored(tmp_path, *SEEN)
        several = (
            ("1", "2", "3", "4", "5", "6", "7", "1"),
            ("focdle", "streak"),
            ("9", "10"),
            ("x", ""),
        )
        for handler in handlers(Means.LIST):
            told = set[str]()
            sent = [*((each,) for each in NONSENSE), *several[: None if handler.most == 1 else 1]]
            for values, custom_id in zip(sent, cycle(ids_of(table, handler)), strict=False):
                table.clock.advance(seconds=5)  # nobody presses so much at once
                answer = answers_to(await forge_click(table.ann, table.channel, custom_id, *values))
                assert answer, (custom_id, values)
                assert_nothing_broke(caplog, (custom_id, values))
                told.add(answer)
            assert OUTDATED in told, handler
        assert stored(tmp_path, *SEEN) == before
        assert "was not offered" in caplog.text

    @pytest.mark.long
    async def test_a_forged_form_field_changes_nothing(
        self, table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        await crowded(table, tmp_path)
        before = stored(tmp_path, *SEEN)
        for handler in handlers(Means.FORM):
            ids = cycle(ids_of(table, handler))
            for name, kind in handler.fields.items():
                others = {field: good(other) for field, other in handler.fields.items()}
                # What is typed is the game's to refuse, whatever it is.
                texts = ("x", "9" * 19, "\0", "a\ud800", "x" * 7000) if kind is TYPED else NONSENSE
                wrong: Sequence[Any] = (*texts, "", None, True, 4, ["x"], ["4", "5"], [], {"x": 1})
                for value in wrong[:: either(2, 1)]:
                    if kind is TICK and (not value or value is True):
                        continue
                    table.clock.advance(seconds=5)
                    sent = {**others, name: value}
                    result = await forge_form(table.ann, table.channel, next(ids), sent)
                    assert result.modal or answers_to(result), (handler, sent)
                    assert_nothing_broke(caplog, (handler, sent))
        assert stored(tmp_path, *SEEN) == before

    async def test_a_removed_choice_is_answered_with_the_present_ones(self, table: Table) -> None:
        table.let_manage(table.ann)
        await table.services.practice.open(table.ann.id, None)
        for custom_id, value, told in (
            ("fd:length:1", "16", "7 to 15 symbols, not 16"),
            ("set:length", "14", "9 to 13"),
            ("set:zones", "Europe/Kiew", "No time zone is called `Europe/Kiew`. Did you mean"),
        ):
            answer = answers_to(await forge_click(table.ann, table.channel, custom_id, value))
            assert told in answer, (custom_id, answer)
        numbers = {"pegs": "7", "colours": "6", "repeats": True, "guesses": "12"}
        await table.services.mastermind.solo.open(table.ann.id, Setting())
        form = await forge_form(table.ann, table.channel, "mm:form:change:p:1", numbers)
        assert "3 to 6 pegs" in answers_to(form)

    @pytest.mark.long
    async def test_a_valid_custom_id_of_a_missing_game_causes_no_error(
        self, table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        await crowded(table, tmp_path)
        routes = [handler.route for handler in handlers(Means.BUTTON)[:: either(3, 1)]]
        parts = either(3, len(routes))  # a draw for several takes little longer than for one
        for some in (routes[n::parts] for n in range(parts)):
            for custom_id in drawn_ids(some, either(1, 25)):
                table.clock.advance(seconds=5)
                await forge_click(table.ann, table.channel, custom_id)
                assert_nothing_broke(caplog, custom_id)

    @pytest.mark.long
    async def test_no_command_accepts_a_value_that_its_option_does_not_offer(
        self, table: Table, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        await crowded(table, tmp_path)
        before = stored(tmp_path, *SEEN)
        for command in commands_of(table):
            for parameter in command.parameters:
                is_text = parameter.type is discord.AppCommandOptionType.string
                texts = NONSENSE if is_text else ("x", "99", "")
                for value in (*texts, *WRONG_KINDS)[:: either(2, 1)]:
                    if is_meant(parameter, value):
                        continue
                    table.clock.advance(seconds=5)
                    option = {"type": parameter.type.value, "name": parameter.display_name}
                    name, given = command.qualified_name, {**option, "value": value}
                    result = await forge_command(table.ann, table.channel, name, given)
                    assert answers_to(result), (name, given)
                    assert_nothing_broke(caplog, (name, given))
                    if is_text:
                        given |= {"focused": True}
                        await forge_command(table.ann, table.channel, name, given, is_typing=True)
                        assert_nothing_broke(caplog, (name, given))
            name = command.qualified_name
            unknown = {"type": 3, "name": "unknown", "value": "x"}
            assert OUTDATED in answers_to(
                await forge_command(table.ann, table.channel, name, unknown)
            )
        for menu in ("Challenge to a duel", "Game stats"):
            told = answers_to(await forge_menu(table.ann, table.channel, menu, "1" * 18))
            assert told == OUTDATED
            assert_nothing_broke(caplog, menu)
        assert stored(tmp_path, *SEEN) == before


@pytest.fixture
async def stranger(table: Table) -> tuple[MemberActor, ChannelHandle]:
    """Somebody in another server with the bot, who is in no other."""
    guild = table.env.create_guild("Elsewhere", shard_id=1)
    channel = guild.create_text_channel("far-away")
    user = table.env.create_user("dan", global_name="Dan")
    manager = guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    who = guild.add_member(user, roles=[manager])
    await table.env.settle()
    return who, channel


class TestStrangers:
    """They know every id there is, and learn nothing from it."""

    @pytest.mark.long
    async def test_no_custom_id_reveals_to_a_stranger_who_plays_which_game(
        self,
        table: Table,
        stranger: tuple[MemberActor, ChannelHandle],
        tmp_path: Path,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        await crowd(table, tmp_path)
        dan, far = stranger
        secrets, before = secrets_of(table, tmp_path), stored(tmp_path, *SEEN)
        refused = dict[Route, set[str]]()
        # Those of everybody last: with them the stranger begins games, too.
        asked = handlers(*Means)[:: either(3, 1)]
        for handler in sorted(asked, key=lambda each: each.by is By.ANYBODY):
            ids = ids_of(table, handler)[:: either(3, 1)]
            used = [(dan, far, each) for each in ids] + [
                (dan.user, dm_of(dan), each) for each in ids[-1:]
            ]
            for who, channel, custom_id in used:
                table.clock.advance(seconds=3)
                sent = len(table.env.http_requests)
                await use(handler, who, channel, custom_id)
                answer = told_since(table, sent)
                # The bot's own guesses may be any number.
                hidden = secrets if handler.by is By.ANYBODY else {*secrets, *NUMBERS}
                assert [x for x in hidden if is_told(x, answer)] == [], (custom_id, answer)
                assert_nothing_broke(caplog, custom_id)
                if handler.by in {By.PLAYERS, By.MEMBERS, By.ONLOOKERS}:
                    assert is_refused(answer), (custom_id, answer)
                    refused.setdefault(handler.route, set()).add(answer)
        assert {route for route, told in refused.items() if not any(map(is_theirs, told))} == set()
        after = stored(tmp_path, *SEEN)
        assert {name: set(rows) - set(after[name]) for name, rows in before.items()} == {
            name: set[Any]() for name in before
        }
