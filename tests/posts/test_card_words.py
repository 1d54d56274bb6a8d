"""Today's card in words and as a picture: counts and colours, no symbols."""

import io
from dataclasses import replace

import discord
import pytest
from PIL import Image

from bot.clock import PuzzleName
from bot.posts.cards import MOST_ROWS, CardContent, CardRow
from bot.posts.words import best, card_rows, card_title
from bot.text.pictures.boards import Portrait, described, draw_group
from cogs.focdle.sharing import card_page
from engine import Mark
from tests.support.plays import size

ROW = CardRow(
    rank=1,
    player_id=2**63,
    name="W" * 32,
    max_guesses=6,
    is_solved=True,
    is_hard=True,
    hints=2,
    turns=((Mark.CORRECT,) * 13,) * 6,
)
LARGEST = CardContent(PuzzleName(99999, 13), 1030, (ROW,) * MOST_ROWS, is_closed=True)
W13 = "\u2068WWWWWWWWWWWWW…\u2069"


def test_a_card_as_text_has_a_line_for_each_player_with_score_and_hints() -> None:
    assert card_rows(LARGEST).splitlines() == [f"{W13} · 6/6* 💡 2"] * MOST_ROWS


def test_a_card_names_the_best_players_once_its_date_is_over() -> None:
    first, second = (replace(ROW, name=name, hints=0, is_hard=False) for name in ("A", "B"))
    lost = replace(first, is_solved=False)
    assert (
        best([first, second, replace(ROW, rank=3)]) == "🏆 **\u2068A\u2069 · \u2068B\u2069** · 6/6"
    )
    both = best([first, replace(second, is_hard=True)])
    assert both.endswith("** · 6/6")  # which only one of them played in hard mode
    assert best([lost]) == ""
    assert best(LARGEST.rows) == f"🏆 **{W13} · {W13} · {W13} · +21** · 6/6* 💡 2"
    card = CardContent(PuzzleName(324, 10), 1, (lost,))
    assert card_title(card) == "### FoCdle #324\n-# 10 symbols"
    assert card_title(replace(card, is_closed=True)).endswith("\nNobody solved it.")


def test_the_largest_card_is_within_discords_limits() -> None:
    drawn = discord.File(io.BytesIO(b""), "group.png")
    for page in (card_page(LARGEST), card_page(LARGEST, drawn)):
        characters, components = size(page.to_components())
        assert characters <= 1500
        assert components <= 7


@pytest.mark.parametrize("players", [1, 3, 4, 8, 9, 24, 30])
def test_the_picture_of_a_card_holds_24_players_and_is_about_as_wide_for_any_number(
    players: int,
) -> None:
    portraits = [
        Portrait(n, ROW.name, ROW.turns, 6, is_solved=True, is_hard=True) for n in range(players)
    ]
    with Image.open(io.BytesIO(draw_group(portraits))) as picture:
        assert picture.width <= 730
        assert picture.height <= 1100
    described_players = described(portraits).split(" · ")
    assert len(described_players) == min(players, 24)
    assert len(described(portraits)) <= 1024
