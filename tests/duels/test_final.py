"""The picture at a duel's end: whatever the names, and however many rounds, it fits and says it."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from bot.duels.board_words import FinalPicture, final_picture
from bot.duels.boards import EndedDuel
from bot.duels.final_picture import draw_final
from bot.duels.model import DuelView, Ending, State
from engine import BullsAndCows
from tests.support.duel_boards import a_duel, changed

LARGEST = BullsAndCows(6, repeats=True)
LONGEST = ("W" * 32, "安" * 32)


def over(rules: BullsAndCows = LARGEST) -> DuelView:
    return a_duel(rules, state=State.OVER, ending=Ending.RESIGNED)


def drawn(game: DuelView, names: tuple[str, str] = ("Ann", "Ben")) -> FinalPicture:
    ids = [seat.player_id or 0 for seat in game.seats]
    called = dict(zip(ids, names, strict=True))
    return final_picture(EndedDuel(game, called, {}), {})


@pytest.mark.parametrize("rules", [BullsAndCows(3), BullsAndCows(), LARGEST])
def test_a_final_picture_of_thirty_rounds_under_the_longest_names_fits_discords_limits(
    rules: BullsAndCows,
) -> None:
    picture = drawn(over(rules), LONGEST)
    assert len(picture.description) <= 1024
    with Image.open(BytesIO(draw_final(picture))) as image:
        width, height = image.size
    assert height <= 2 * width  # Discord would make it narrower


def test_the_description_of_the_final_picture_says_what_it_shows() -> None:
    words = drawn(over()).description
    first, second, *_ = words.splitlines()
    assert first == "Ann: 30 guesses, rating 1533 (+33), hid 543210."
    assert second.startswith("Ben: ")
    assert "Head to head: 999 – 999 · 99 draws" in words


def test_the_final_picture_names_a_deleted_player_only_as_deleted() -> None:
    game = over()
    first, second = game.duel.seats
    game = changed(game, seats=(first, replace(second, player_id=-1)))
    assert "\ndeleted player: 30 guesses" in drawn(game, ("Ann", "Ben")).description
