"""Strings that somebody might send as a guess, ten thousand of them in the long form."""

import random
import re

import pytest

from bot.focdle.model import GuessRefusedError
from bot.refusals import refusal
from cogs.focdle.page import focdle_page
from engine import NotationError
from tests.support.effort import either
from tests.support.plays import a_play, assert_fits

PIECES = (
    *"0123456789+-*%=",
    *" \t\n/xX×·−–ab`*_~|\\<>@#&:;\"'(){}[]",
    *"٣२൪²½①Ⅷ０＋％＝",
    *"🟩🎲👩‍👩‍👧❤️4️⃣",
    *"אבגדابت\u202e\u2066\u200f\u200b\u0000\ud7ff\ufffd",
    "**", "||", "```", "<@1>", "<@&2>", "<#3>", "@everyone", "@here", "<t:1:R>", "<:x:1>",
    "mod", "MOD", "[a](https://b.c)", "12+34-5=41", "25+4*12=", "=73",
)  # fmt: skip


@pytest.mark.long
async def test_any_text_is_a_guess_or_is_refused_in_words() -> None:
    rng = random.Random(20261120)
    play = a_play(10, 2)
    guesses = 0
    for _ in range(either(1_500, 10_000)):
        length = rng.choice((1, 5, 8, 10, 12, 40, 400))
        text = "".join(rng.choices(PIECES, k=length))[:4000]
        try:
            assert len(play.rules.parse(text)) == 10
        except NotationError as cause:
            words = refusal(GuessRefusedError(play=play, text=text, cause=cause)) or ""
            assert words.endswith("-# No guess was spent."), text
            # Outside code style there is nothing of what was typed.
            outside = re.sub(r"`[^`\n]*`", "", words)
            assert outside.isascii() or not set(outside) - set(" …–’'") - set(map(chr, range(128)))
            assert "`" not in outside, text
            assert len(words) < 400
        else:
            guesses += 1
    for typed in ("12+34-5=41", "1 2 + 3 4 − 5 ＝ 4 1", "12+34\\-5=41"):
        assert play.rules.parse(typed) == "12+34-5=41"
    assert guesses < 100


async def test_no_typed_text_makes_a_board_too_large() -> None:
    rng = random.Random(5)
    play = a_play(15, 5)
    for _ in range(300):
        text = "".join(rng.choices(PIECES, k=rng.choice((3, 30, 1000))))[:4000]
        try:
            play.rules.parse(text)
        except NotationError as cause:
            view = focdle_page(play, refused=GuessRefusedError(play=play, text=text, cause=cause))
            assert_fits(view)
            assert all(1 <= len(button) <= 100 for button in ids(view.to_components()))


def ids(components: list[dict[str, object]]) -> list[str]:
    found: list[str] = []
    for component in components:
        if isinstance(custom_id := component.get("custom_id"), str):
            found.append(custom_id)
        inside = component.get("components")
        if isinstance(inside, list):
            found += ids(inside)  # pyright: ignore[reportUnknownArgumentType]
    return found
