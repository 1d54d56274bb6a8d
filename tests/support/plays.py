"""Plays and tiles made up for looking at boards, without a bot."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, time
from typing import Any

from discord import ui

from bot.clock import PuzzleName
from bot.effects import DateEffect
from bot.focdle.model import Play, PlayEnding
from bot.streaks.model import Streak, StreakChange
from bot.text.pictures.tile_art import tile_names
from bot.text.tiles import Tiles
from engine import Code, Focdle, replay

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
TILES = Tiles({name: f"<:{name}:{2**63 + n}>" for n, name in enumerate(tile_names())})
"""The whole set, under ids as long as they get."""


def a_play(length: int, turns: int, *, on_date: bool = False) -> Play:
    """A play that has gone on for some turns, with a secret and guesses of this length."""
    rules, rng = Focdle(length), random.Random(length)
    drawn: list[Code] = []
    while len(drawn) < turns + 1:
        code = rules.draw(rng)
        if code not in drawn:
            drawn.append(code)
    secret, *guesses = drawn
    puzzle = PuzzleName(99999, length)
    now = datetime.combine(puzzle.day, time(12), UTC) if on_date else NOON
    return Play(
        id=2**31,
        player_id=2**63,
        puzzle=puzzle,
        rules=rules,
        game=replay(rules, secret, guesses),
        salt="f" * 32,
        guild_id=None,
        zone="UTC",
        opened_at=now,
        finished_at=None,
        on_date=on_date,
        seen_at=now,
        ending=PlayEnding(streak=a_streak() if turns == rules.max_guesses else None),
    )


def with_ending(play: Play, **facts: Any) -> Play:
    """The same, of which other things came."""
    return replace(play, ending=replace(play.ending, **facts))


def a_streak() -> Streak:
    """A streak with as much to say as there can be."""
    changes = tuple(
        StreakChange(date(2026, 9, day), DateEffect.EXCUSED_ZONE, 9999, 9999, 2)
        for day in range(20, 30)
    )
    return Streak(9999, 10000, 2, changes)


def size(components: list[dict[str, Any]]) -> tuple[int, int]:
    """Characters shown and components used, as Discord counts them."""
    characters = count = 0
    for component in components:
        inside = size(component.get("components", []))
        characters += len(component.get("content", "")) + inside[0]
        count += 1 + inside[1] + ("accessory" in component)
    return characters, count


def assert_fits(view: ui.LayoutView) -> None:
    """Discord takes a message of 4000 characters and 40 components."""
    characters, components = size(view.to_components())
    assert characters <= 3600
    assert components <= 38
